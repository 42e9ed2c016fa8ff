/* test_tree_elimination.c - Newton matrices of mechanisms in joint coordinates, eliminated from
 * the tips of the tree to its root (linalg/branches.h), have the solutions of LU with pivots:
 * all tree joints, springs on them, loops, quaternions, at random states, for real and complex
 * shifts. */
// SPDX-License-Identifier: BSD-3-Clause
#include "unit/mechanics/joint_models.h"
#include "unit/mechanics/tree_matrix.h"
#include "unit/mechanics/tree_states.h"

#include "linalg/branches.h"
#include "linalg/dense.h"

#include <glob.h>
#include <stdlib.h>

enum { STATES = 10, LEAST_MODELS = 30, MOST = 400 };

/* ---- solutions ---- */

/* values of sigma lead + rest as pairs, and the full matrix */
static void combine(const matrix *A, double re, double im, double *pair, double *full)
{
    memset(full, 0, 2 * (size_t)A->n * (size_t)A->n * sizeof *full);
    for (int j = 0; j < A->n; j++) {
        for (int e = A->start[j]; e < A->start[j + 1]; e++) {
            pair[2 * e] = re * A->lead[e] + A->rest[e];
            pair[2 * e + 1] = im * A->lead[e];
            full[2 * (A->row[e] + (long)j * A->n)] += pair[2 * e];
            full[2 * (A->row[e] + (long)j * A->n) + 1] += pair[2 * e + 1];
        }
    }
}

/* of LU with pivots, whose rows are not scaled: a singular matrix has more */
static const double regular_error = 1e-10;
/* What solutions along the tree may be off: rounding of sums over all links and of lever arms.
 * Where stiff forces and constraints take back most of what the tree alone would do more digits
 * are lost, where freedoms have no inertia all: solver_tree.c gives up where half of them
 * are. */
static const double rounding = 1e-12, given_up = 1.5e-8;

typedef struct tally {
    int regular, inaccurate; /* matrices; those that the tree gives up */
    double worst;            /* error of the others */
} tally;

static bool factor_and_solve(crank_branches *t, const matrix *A, const double *pair,
                             bool imaginary, const double *b, double *x)
{
    bool fine;
    double *real = malloc((size_t)(A->entries + A->n) * sizeof *real);
    assert_non_null(real);
    memcpy(x, b, 2 * (size_t)A->n * sizeof *x);
    if (imaginary) {
        fine = crank_branches_factor_complex(t, 1, pair);
        crank_branches_solve_complex(t, 1, x);
    } else {
        for (int e = 0; e < A->entries; e++) {
            real[e] = pair[2 * (long)e];
        }
        for (int i = 0; i < A->n; i++) {
            real[A->entries + i] = b[2 * (long)i];
        }
        fine = crank_branches_factor_real(t, 0, real);
        crank_branches_solve_real(t, 0, real + A->entries);
        for (int i = 0; i < A->n; i++) {
            x[2 * (long)i] = real[A->entries + i];
            x[2 * (long)i + 1] = 0.0;
        }
    }
    free(real);
    return fine;
}

static void compare(crank_branches *t, const matrix *A, double re, double im, random_source *r,
                    tally *out)
{
    const size_t n = (size_t)A->n;
    double *pair = malloc(2 * (size_t)A->entries * sizeof *pair),
           *full = malloc(2 * n * n * sizeof *full), *b = malloc(2 * n * sizeof *b),
           *x = malloc(2 * n * sizeof *x), *known = malloc(2 * n * sizeof *known);
    int *pivot = malloc(n * sizeof *pivot);
    assert_true(pair != NULL && full != NULL && b != NULL && x != NULL && known != NULL &&
                pivot != NULL);
    combine(A, re, im, pair, full);
    random_fill(r, 2 * A->n, b);
    for (int i = 0; i < A->n && im == 0.0; i++) {
        b[2 * (long)i + 1] = 0.0;
    }
    memcpy(known, b, 2 * n * sizeof *b);
    bool regular = crank_zlu_factor(A->n, full, A->n, pivot);
    if (regular) {
        crank_zlu_solve(A->n, full, A->n, pivot, known);
        regular = backward_error(A, pair, b, known) < regular_error;
    }
    if (regular) {
        const bool fine = factor_and_solve(t, A, pair, im != 0.0, b, x);
        const double error = fine ? backward_error(A, pair, b, x) : 1.0;
        out->regular++;
        out->inaccurate += !(error < given_up);
        out->worst = error < given_up ? fmax(out->worst, error) : out->worst;
    }
    free(pair);
    free(full);
    free(b);
    free(x);
    free(known);
    free(pivot);
}

static void compare_forms(mechanism *m, random_source *r, tally *out)
{
    crank_eom *eom = m->eom;
    double *J = malloc((size_t)eom->jacobian_pattern.start[eom->n] * sizeof *J);
    assert_non_null(J);
    assert_non_null(eom->recursion);
    eom->recursion_wanted = true;
    CHECK_OK(eom->supplier.jacobian(eom->self, m->t, m->x, NULL, J, &m->err), m->err);
    for (int kind = 0; kind < FORMS; kind++) {
        matrix A;
        crank_branches *t = NULL;
        make(eom, (form)kind, J, &A);
        const crank_solver_setup setup = {.n = A.n,
                                          .start = A.start,
                                          .row = A.row,
                                          .shifts = 2,
                                          .recursion = eom->recursion,
                                          .recursion_values =
                                              eom->supplier.recursion(eom->self),
                                          .recursion_row = A.target};
        CHECK_OK(crank_branches_create(&setup, &t, &m->err), m->err);
        compare(t, &A, 30.0, 0.0, r, out);
        compare(t, &A, 20.0, 50.0, r, out);
        compare(t, &A, 1e4, 0.0, r, out);
        crank_branches_destroy(t);
        release(&A);
    }
    free(J);
}

/* ---- mechanisms ---- */

static tally eliminate_all(const char *name, mechanism *m)
{
    random_source r = {11};
    double start[MECHANISM_MAX];
    tally out = {0};
    initialize(m);
    memcpy(start, m->x, sizeof start);
    for (int i = 0; i < STATES; i++) {
        random_state(m, &r, start, 0.1);
        compare_forms(m, &r, &out);
    }
    print_message("%s: %d matrices, %d given up, error %.1e\n", name, out.regular,
                  out.inaccurate, out.worst);
    return out;
}

static void begin(mechanism *m, const char *text, crank_orientation orientation)
{
    crank_model_options options = crank_model_options_default();
    options.coordinates = CRANK_COORDINATES_JOINT;
    options.orientation = orientation;
    *m = (mechanism){0};
    CHECK_OK(one_state_read_text("test", text, strlen(text), &options, &m->model, &m->err),
             m->err);
    m->eom = crank_state_eom(m->model);
    m->n = crank_eom_unknowns(m->eom);
    memcpy(m->x, crank_state_start(m->model), (size_t)m->n * sizeof *m->x);
}

static void trees_and_loops_have_the_solutions_of_elimination_with_pivots(void **state)
{
    (void)state;
    static const char *const texts[] = {tree, loops, planar, redundant, screws, led};
    static const char *const names[] = {"tree",      "loops",  "planar",
                                        "redundant", "screws", "led"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (int cardan = 0; cardan < 2; cardan++) {
            mechanism m;
            begin(&m, texts[i],
                  cardan ? CRANK_ORIENTATION_CARDAN : CRANK_ORIENTATION_QUATERNION);
            const tally found = eliminate_all(names[i], &m);
            assert_true(found.regular > 0 || strcmp(names[i], "redundant") == 0);
            assert_int_equal(found.inaccurate, 0);
            assert_true(found.worst < rounding);
            mechanism_end(&m);
        }
    }
}

static bool is_mechanism(const char *path)
{
    char text[4000] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t count = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[count] = '\0';
    return strstr(text, "crank: mechanism") != NULL && strstr(path, "undetermined") == NULL;
}

/* bodies without inertia, whose freedoms constraints or springs determine */
static bool is_light(const char *path)
{
    static const char *const name[] = {"driven-chain", "massless-coupler"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        if (strstr(path, name[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static void mechanisms_of_the_models_have_them_too(void **state)
{
    (void)state;
    glob_t files;
    int count = 0;
    assert_int_equal(glob("models/*/*.yaml", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        mechanism m = {0};
        crank_model_options options = crank_model_options_default();
        options.coordinates = CRANK_COORDINATES_JOINT;
        if (!is_mechanism(files.gl_pathv[i])) {
            continue;
        }
        CHECK_OK(one_state_read(files.gl_pathv[i], &options, &m.model, &m.err), m.err);
        m.eom = crank_state_eom(m.model);
        m.n = crank_eom_unknowns(m.eom);
        assert_true(m.n <= MECHANISM_MAX);
        memcpy(m.x, crank_state_start(m.model), (size_t)m.n * sizeof *m.x);
        if (m.eom->recursion != NULL && m.n < MOST) {
            const tally found = eliminate_all(files.gl_pathv[i], &m);
            assert_true(found.inaccurate == 0 || is_light(files.gl_pathv[i]));
            count++;
        }
        mechanism_end(&m);
    }
    globfree(&files);
    assert_true(count >= LEAST_MODELS);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_and_loops_have_the_solutions_of_elimination_with_pivots),
        cmocka_unit_test(mechanisms_of_the_models_have_them_too)};
    return CHECK_RUN(argc, argv, tests);
}
