/* test_tableau_herk.c - the coefficients of herk5 satisfy the order conditions of half-explicit
 * methods for y' = f(y, z), 0 = g(y), f linear in z [HW96, VII.5; Mur97], of all trees that
 * mechanisms have:
 *
 *     y trees:  Phi_i([t1 .. tm, u]) = prod_k sum_j a_ij Phi_j(tk)  Phi_i(u)
 *     z trees:  sum_j abar_ij Phi_j([t1 .. tm]) = prod_k sum_j abar_ij Phi_j(tk),  i > 0
 *     order(y) = 1 + orders of its branches,          gamma(y) = order * gammas of branches
 *     order(z) = sum of orders of its branches - 1,   gamma(z) = gammas / (order + 1)
 *     sum_i b_i Phi_i(t) = theta^order / gamma(t)
 * z trees vanish at the first stage and have their exact value at the end, where multipliers
 * are those of the acceleration level. Trees [[u]] of z are those that z is solved for, [.] is
 * 0 = g_y f. Positions have p' = Z(p) v, constraints are linear in v: at most one branch of
 * such a vertex is one that only velocities have. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "integrate/tableau_dopri.h"

enum { ORDER = 5, MAX_TREES = 4000, STAGES = 6, WIDTH = 7 };

typedef struct tree {
    bool z;
    int rest, branch; /* as in test_tableau_dopri.c */
    int weight;       /* orders of a z tree's branches, order of a y tree */
    bool has_z;       /* its last branch is a z tree */
    bool leaf;        /* no z tree anywhere in it */
    int bare;         /* branches that cannot be rates of positions */
    bool lost;        /* a branch that can be neither */
    double gammas;    /* of its branches */
    double inner[WIDTH], phi[WIDTH];
} tree;

static struct {
    int count;
    tree tree[MAX_TREES];
} f;

static bool can_be_position(const tree *t)
{
    return !t->z && !t->has_z && t->bare <= 1 && !t->lost;
}

static bool is_possible(const tree *t)
{
    return !t->lost && (!t->z || t->bare <= 1);
}

/* [[u]] and [.], and the empty one */
static bool is_usable(const tree *t)
{
    if (!t->z) {
        return true;
    }
    if (t->branch < 0) {
        return false;
    }
    const tree *only = &f.tree[t->branch];
    return f.tree[t->rest].branch >= 0 ||
           !(only->branch < 0 || (only->has_z && only->rest == 1));
}

static double gamma_of(const tree *t)
{
    return t->z ? t->gammas / t->weight : t->gammas * t->weight;
}

static int order_of(const tree *t)
{
    return t->weight - t->z;
}

static void solve_ahead(tree *t)
{
    memcpy(t->phi, t->inner, sizeof t->phi);
    t->phi[0] = 0.0;
    for (int i = 1; i < STAGES; i++) {
        for (int j = 1; j < i; j++) {
            t->phi[i] -= crank_herk5_ahead[i][j] * t->phi[j];
        }
        t->phi[i] /= crank_herk5_ahead[i][i];
    }
    t->phi[STAGES] = 1.0 / gamma_of(t);
}

static void add(int rest, int branch)
{
    const tree *r = &f.tree[rest], *b = &f.tree[branch];
    assert_true(f.count < MAX_TREES);
    tree *t = &f.tree[f.count++];
    *t = *r;
    t->rest = rest;
    t->branch = branch;
    t->weight += order_of(b);
    t->has_z = b->z;
    t->leaf = r->leaf && b->leaf && !b->z;
    t->bare += !b->z && !can_be_position(b);
    t->lost = r->lost || !is_possible(b);
    t->gammas *= gamma_of(b);
    for (int i = 0; i < WIDTH; i++) {
        double sum = b->z ? b->phi[i] : 0.0;
        for (int j = 0; j < STAGES && !b->z; j++) {
            const double own = crank_tableau_herk5.A[i * WIDTH + j],
                         ahead = i < STAGES ? crank_herk5_ahead[i][j] : 0.0;
            sum += (t->z ? ahead : own) * b->phi[j];
        }
        t->inner[i] = r->inner[i] * sum;
    }
    memcpy(t->phi, t->inner, sizeof t->phi);
    if (t->z && is_usable(t)) {
        solve_ahead(t);
    }
}

/* all of a kind and weight, whose last branch is of the kind `of`; a z tree comes last */
static void grow(bool z, bool of, int weight)
{
    const int known = f.count;
    for (int rest = 0; rest < known; rest++) {
        for (int branch = 2; branch < known; branch++) {
            const tree *r = &f.tree[rest], *b = &f.tree[branch];
            if (r->z == z && b->z == of && !r->has_z && is_usable(b) &&
                r->weight + order_of(b) == weight && (of || r->branch <= branch)) {
                add(rest, branch);
            }
        }
        if (f.tree[rest].z == z && !of && f.tree[rest].branch <= 1 &&
            f.tree[rest].weight + 1 == weight) {
            add(rest, 1);
        }
    }
}

/* 0: the empty z tree, 1: a single vertex */
static void grow_all(void)
{
    f.count = 2;
    f.tree[0] = (tree){.z = true, .rest = -1, .branch = -1, .gammas = 1.0, .leaf = true};
    f.tree[1] = (tree){.rest = -1, .branch = -1, .weight = 1, .gammas = 1.0, .leaf = true};
    for (int i = 0; i < WIDTH; i++) {
        f.tree[0].inner[i] = f.tree[1].inner[i] = f.tree[1].phi[i] = 1.0;
    }
    grow(true, false, 1);
    for (int weight = 2; weight <= ORDER; weight++) {
        grow(false, false, weight);
        grow(false, true, weight); /* but for [u], u of the same weight */
        grow(true, false, weight);
        const int known = f.count;
        for (int branch = 2; branch < known; branch++) {
            if (f.tree[branch].z && f.tree[branch].weight == weight &&
                is_usable(&f.tree[branch])) {
                add(1, branch);
                add(0, f.count - 1); /* [[u]], for those with more branches */
            }
        }
    }
}

static void there_are_as_many_trees_as_known(void **state)
{
    static const int known[] = {1, 3, 16, 102, 720}, possible[] = {0, 2, 14, 95, 669};
    int count[ORDER] = {0}, of_mechanisms[ORDER] = {0};
    grow_all();
    for (int n = 1; n < f.count; n++) {
        const tree *t = &f.tree[n];
        if (!t->z) {
            count[t->weight - 1]++;
            of_mechanisms[t->weight - 1] += !t->leaf && is_possible(t);
        }
    }
    for (int q = 0; q < ORDER; q++) {
        assert_int_equal(count[q], known[q]);
        assert_int_equal(of_mechanisms[q], possible[q]);
    }
}

static double violation(const double *weight, int lowest, int highest, double theta)
{
    double largest = 0.0;
    for (int n = 1; n < f.count; n++) {
        const tree *t = &f.tree[n];
        double sum = 0.0;
        if (t->z || !is_possible(t) || t->weight < lowest || t->weight > highest) {
            continue;
        }
        for (int i = 0; i < WIDTH; i++) {
            sum += weight[i] * t->phi[i];
        }
        largest = fmax(largest, fabs(sum - pow(theta, t->weight) / gamma_of(t)));
    }
    return largest;
}

/* z trees divide by diagonals of 0.13 up to five times: rounding of 1e-12 */
static const double rounding = 1e-12;

static void steps_are_of_order_five(void **state)
{
    double weight[WIDTH] = {0};
    grow_all();
    memcpy(weight, crank_herk5_ahead[STAGES - 1], sizeof crank_herk5_ahead[0]);
    for (int i = 0; i < STAGES; i++) { /* the last point ahead is the end */
        CHECK_NEAR(weight[i], crank_tableau_herk5.A[STAGES * WIDTH + i], 0.0);
    }
    assert_true(violation(weight, 1, 5, 1.0) < rounding);
}

static void the_estimate_compares_with_order_four(void **state)
{
    double weight[WIDTH];
    grow_all();
    for (int i = 0; i < WIDTH; i++) {
        weight[i] = crank_tableau_herk5.A[STAGES * WIDTH + i] - crank_tableau_herk5.estimate[i];
    }
    assert_true(violation(weight, 1, 4, 1.0) < rounding);
    assert_true(violation(weight, 5, 5, 1.0) > 1e-6);
}

/* theory (9.9), as in test_tableau_dopri.c */
static void the_continuous_extension_is_of_order_four(void **state)
{
    grow_all();
    for (double theta = 0.1; theta < 1.0; theta += 0.27) {
        double weight[WIDTH];
        for (int i = 0; i < WIDTH; i++) {
            const double end = crank_tableau_herk5.A[STAGES * WIDTH + i],
                         first = i == 0 ? 1.0 : 0.0, last = i == STAGES ? 1.0 : 0.0,
                         D3 = 2.0 * end - first - last, D4 = crank_tableau_herk5.dense[i];
            weight[i] = theta * (end + (1.0 - theta) *
                                           (first - end + theta * (D3 + (1.0 - theta) * D4)));
        }
        assert_true(violation(weight, 1, 4, theta) < rounding);
        assert_true(violation(weight, 5, 5, theta) > 1e-8);
    }
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_as_many_trees_as_known),
        cmocka_unit_test(steps_are_of_order_five),
        cmocka_unit_test(the_estimate_compares_with_order_four),
        cmocka_unit_test(the_continuous_extension_is_of_order_four),
    };
    return CHECK_RUN(argc, argv, tests);
}
