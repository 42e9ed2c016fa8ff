/* test_tableau_dopri.c - the coefficients satisfy the order conditions of all rooted trees
 * [HNW93, II.2]:
 *
 *     sum_i b_i Phi_i(tree) = 1/gamma(tree),   Phi_i([t1 .. tm]) = prod_k sum_j a_ij Phi_j(tk)
 * with order 8 and 5 for the methods, 5, 3 and 4 for what they are compared with, 7 and 4 for
 * the continuous extensions, whose weights b_i(theta) satisfy them with theta^order on the
 * right. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "integrate/tableau_dopri.h"

enum { MAX_ORDER = 9, MAX_TREES = 500, MAX_WIDTH = 16 };

/* a tree is its parent part (a tree without its last branch, -1: a single vertex) and that
 * branch */
typedef struct tree {
    int rest, branch, order;
    double gamma;
    double phi[MAX_WIDTH]; /* of the tableau at hand */
} tree;

typedef struct forest {
    int count;
    tree tree[MAX_TREES];
} forest;

static double product_of_branches(const forest *f, const tree *t)
{
    return t->branch < 0 ? 1.0
                         : product_of_branches(f, &f->tree[t->rest]) * f->tree[t->branch].gamma;
}

/* Branches of a tree do not fall in number, so that each tree is made once. */
static void grow(forest *f, int order)
{
    f->count = 1;
    f->tree[0] = (tree){.rest = -1, .branch = -1, .order = 1, .gamma = 1.0};
    for (int total = 2; total <= order; total++) {
        const int known = f->count;
        for (int rest = 0; rest < known; rest++) {
            for (int branch = 0; branch < known; branch++) {
                if (f->tree[rest].order + f->tree[branch].order == total &&
                    f->tree[rest].branch <= branch) {
                    assert_true(f->count < MAX_TREES);
                    tree *t = &f->tree[f->count++];
                    *t = (tree){.rest = rest, .branch = branch, .order = total};
                    t->gamma = total * product_of_branches(f, t);
                }
            }
        }
    }
}

static void find_phi(forest *f, const crank_tableau *b)
{
    for (int n = 0; n < f->count; n++) {
        tree *t = &f->tree[n];
        for (int i = 0; i < b->width; i++) {
            double sum = 0.0;
            for (int j = 0; j < i && t->branch >= 0; j++) {
                sum += b->A[i * b->width + j] * f->tree[t->branch].phi[j];
            }
            t->phi[i] = t->branch >= 0 ? f->tree[t->rest].phi[i] * sum : 1.0;
        }
    }
}

/* largest violation of a condition up to an order, and of that order alone */
static double violation(const forest *f, int width, const double *weight, int lowest,
                        int highest, double theta)
{
    double largest = 0.0;
    for (int n = 0; n < f->count; n++) {
        const tree *t = &f->tree[n];
        double sum = 0.0;
        for (int i = 0; i < width; i++) {
            sum += weight[i] * t->phi[i];
        }
        if (t->order >= lowest && t->order <= highest) {
            largest = fmax(largest, fabs(sum - pow(theta, t->order) / t->gamma));
        }
    }
    return largest;
}

/* weights of size 30 and stage values of size one: rounding of 1e-14 */
static const double rounding = 2e-14;

static void check_order(const forest *f, int width, const double *weight, int order,
                        double theta)
{
    assert_true(violation(f, width, weight, 1, order, theta) < rounding);
    assert_true(violation(f, width, weight, order + 1, order + 1, theta) > 1e-8);
}

static forest trees;

static void there_are_as_many_trees_as_known(void **state)
{
    static const int known[] = {1, 1, 2, 4, 9, 20, 48, 115, 286};
    grow(&trees, MAX_ORDER);
    int count[MAX_ORDER] = {0};
    for (int n = 0; n < trees.count; n++) {
        count[trees.tree[n].order - 1]++;
    }
    for (int q = 0; q < MAX_ORDER; q++) {
        assert_int_equal(count[q], known[q]);
    }
    CHECK_NEAR(trees.tree[1].gamma, 2.0, 0.0); /* a chain of two */
}

static void rows_sum_up_to_the_nodes(void **state)
{
    const crank_tableau *const tableaus[] = {&crank_tableau_dopri5, &crank_tableau_dopri8};
    for (int k = 0; k < 2; k++) {
        const crank_tableau *b = tableaus[k];
        for (int i = 0; i < b->width; i++) {
            double sum = 0.0;
            for (int j = 0; j < b->width; j++) {
                sum += b->A[i * b->width + j];
                assert_true(j < i || b->A[i * b->width + j] == 0.0);
            }
            CHECK_NEAR(sum, b->c[i], rounding);
        }
        assert_true(b->c[b->stages - 1] == 1.0 && b->c[b->stages] == 1.0);
    }
}

static void methods_have_their_orders(void **state)
{
    const crank_tableau *const tableaus[] = {&crank_tableau_dopri5, &crank_tableau_dopri8};
    grow(&trees, MAX_ORDER);
    for (int k = 0; k < 2; k++) {
        const crank_tableau *b = tableaus[k];
        find_phi(&trees, b);
        check_order(&trees, b->stages, b->A + b->stages * b->width, b->order, 1.0);
    }
}

/* b - e are the weights of the embedded method */
static void estimates_compare_with_lower_orders(void **state)
{
    static const struct {
        const crank_tableau *tableau;
        bool low;
        int order;
    } cases[] = {{&crank_tableau_dopri5, false, 4},
                 {&crank_tableau_dopri8, false, 5},
                 {&crank_tableau_dopri8, true, 3}};
    grow(&trees, MAX_ORDER);
    for (int k = 0; k < 3; k++) {
        const crank_tableau *b = cases[k].tableau;
        const double *e = cases[k].low ? b->estimate_low : b->estimate;
        double weight[MAX_WIDTH] = {0};
        for (int i = 0; i <= b->stages; i++) {
            weight[i] = b->A[b->stages * b->width + i] - e[i];
        }
        find_phi(&trees, b);
        check_order(&trees, b->stages + 1, weight, cases[k].order, 1.0);
    }
}

/* theory (9.9) as weights of the K: D_1 = b, D_2 = e_0 - b, D_3 = 2 b - e_0 - e_s */
static void find_dense_weights(const crank_tableau *b, double theta, double *weight)
{
    for (int i = 0; i < b->width; i++) {
        const double end = b->A[b->stages * b->width + i];
        const double first = i == 0 ? 1.0 : 0.0, last = i == b->stages ? 1.0 : 0.0;
        double D[8] = {end, first - end, 2.0 * end - first - last};
        for (int row = 0; row < b->dense_rows; row++) {
            D[3 + row] = b->dense[row * b->width + i];
        }
        double factor = 1.0;
        weight[i] = 0.0;
        for (int row = 0; row < 3 + b->dense_rows; row++) {
            factor *= row % 2 == 0 ? theta : 1.0 - theta;
            weight[i] += factor * D[row];
        }
    }
}

static void continuous_extensions_have_their_orders(void **state)
{
    static const double theta[] = {0.1, 0.37, 0.5, 0.83};
    grow(&trees, MAX_ORDER);
    for (int k = 0; k < 8; k++) {
        const crank_tableau *b = k < 4 ? &crank_tableau_dopri5 : &crank_tableau_dopri8;
        double weight[MAX_WIDTH];
        find_phi(&trees, b);
        find_dense_weights(b, theta[k % 4], weight);
        check_order(&trees, b->width, weight, k < 4 ? 4 : 7, theta[k % 4]);
    }
}

/* weights times rates that rise from a corner at s on, max(0, c - s) */
static double behind_corner(const crank_tableau *b, const double *weight, double s)
{
    double sum = 0.0;
    for (int i = 0; i < b->stages; i++) {
        sum += weight[i] * fmax(0.0, b->c[i] - s);
    }
    return sum;
}

/* theory (9.8): the two estimates together bound the error of a step with a corner in it, the
 * first one alone does not */
static void a_corner_anywhere_in_a_step_is_off_by_five_times_the_root_at_most(void **state)
{
    const crank_tableau *b = &crank_tableau_dopri8;
    double root = 0.0, quotient = 0.0;
    for (int i = 1; i < 1000; i++) {
        const double s = i / 1000.0;
        const double off = fabs(behind_corner(b, b->A + b->stages * b->width, s) -
                                0.5 * (1.0 - s) * (1.0 - s));
        const double high = behind_corner(b, b->estimate, s),
                     low = behind_corner(b, b->estimate_low, s),
                     both = sqrt(high * high + 0.01 * low * low);
        root = fmax(root, off / both);
        quotient = fmax(quotient, off * both / (high * high));
    }
    print_message("off by %.1f times the root, %.0f times the estimate\n", root, quotient);
    assert_true(root < 5.0);
    assert_true(quotient > 1000.0);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_as_many_trees_as_known),
        cmocka_unit_test(rows_sum_up_to_the_nodes),
        cmocka_unit_test(methods_have_their_orders),
        cmocka_unit_test(estimates_compare_with_lower_orders),
        cmocka_unit_test(continuous_extensions_have_their_orders),
        cmocka_unit_test(a_corner_anywhere_in_a_step_is_off_by_five_times_the_root_at_most),
    };
    return CHECK_RUN(argc, argv, tests);
}
