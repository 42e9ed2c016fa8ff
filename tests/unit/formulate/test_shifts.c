/* test_shifts.c - two different real and two different complex shifts at a time, factored and
 * solved by their index in any order:
 * every formulation with every linear solver. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"

#include "problem/problem.h"

#include <float.h>

enum { SHIFTS = 4, MOST = 60 };

/* a step of some hundredths of the motion; solutions of the four differ by much more than
 * rounding */
static const double sigma_real[SHIFTS] = {30.0, 75.0, 20.0, 55.0};
static const double sigma_imag[SHIFTS] = {0.0, 0.0, 25.0, 60.0};

/* The condition of sigma E - J with rows and unknowns of a mechanism of size one is below
 * sigma^2 n^2 ~ 1e6; that many roundings. */
static const double tolerance = 1e6 * DBL_EPSILON;

typedef struct solution {
    double re[MOST], im[MOST];
} solution;

static void right_side(int m, double *re, double *im)
{
    for (int i = 0; i < m; i++) {
        re[i] = sin(1.0 + i);
        im[i] = cos(3.0 * i);
    }
}

static void solve(crank_problem *p, int i, bool complex_shift, solution *out)
{
    double re[MOST], im[MOST];
    crank_error err = {0};
    assert_true(p->n <= MOST && p->m <= MOST);
    right_side(p->m, re, im);
    CHECK_OK(p->solve(p, i, re, complex_shift ? im : NULL, out->re,
                      complex_shift ? out->im : NULL, &err),
             err);
}

static double distance(int n, bool complex_shift, const solution *a, const solution *b)
{
    double size = 0.0, largest = 0.0;
    for (int j = 0; j < n; j++) {
        const double d = hypot(a->re[j] - b->re[j], complex_shift ? a->im[j] - b->im[j] : 0.0);
        size = fmax(size, hypot(a->re[j], complex_shift ? a->im[j] : 0.0));
        largest = fmax(largest, d);
    }
    return largest / size;
}

static crank_problem *formulate(const char *name, crank_linear_algebra wish, crank_eom *eom,
                                const double *x)
{
    crank_options options = crank_options_default();
    crank_problem *p = NULL;
    crank_error err = {0};
    options.linear_algebra = wish;
    CHECK_OK(crank_formulate(name, eom, &options, 0.0, x, (crank_log){0}, &p, &err), err);
    return p;
}

/* each shift alone, as the only one: what the others are compared with */
static void solve_alone(crank_problem *p, int shift, solution *out)
{
    crank_error err = {0};
    CHECK_OK(p->factor(p, 1, &sigma_real[shift], &sigma_imag[shift], &err), err);
    solve(p, 0, sigma_imag[shift] != 0.0, out);
}

static void check_shifts(const char *name, crank_linear_algebra wish, crank_eom *eom,
                         const double *start)
{
    /* shift at each index: real ones first, last, and mixed, so that indices change their
     * kind */
    static const int places[][SHIFTS] = {
        {0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}, {1, 3, 0, 2}};
    static const int orders[][SHIFTS] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}};
    crank_problem *p = formulate(name, wish, eom, start);
    crank_error err = {0};
    solution alone[SHIFTS], found;
    double x[MOST] = {0.0};
    memcpy(x, start, (size_t)crank_problem_given(p) * sizeof *x);
    CHECK_OK(p->prepare(p, 0.0, x, NULL, &err), err);
    for (int k = 0; k < SHIFTS; k++) {
        solve_alone(p, k, &alone[k]);
    }
    assert_true(distance(p->n, false, &alone[0], &alone[1]) > 1e4 * tolerance);
    assert_true(distance(p->n, true, &alone[2], &alone[3]) > 1e4 * tolerance);
    for (size_t at = 0; at < sizeof places / sizeof *places; at++) {
        double re[SHIFTS], im[SHIFTS];
        for (int i = 0; i < SHIFTS; i++) {
            re[i] = sigma_real[places[at][i]];
            im[i] = sigma_imag[places[at][i]];
        }
        CHECK_OK(p->factor(p, SHIFTS, re, im, &err), err);
        for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
            for (int k = 0; k < SHIFTS; k++) {
                const int i = orders[o][k], shift = places[at][i];
                solve(p, i, im[i] != 0.0, &found);
                const double d = distance(p->n, im[i] != 0.0, &alone[shift], &found);
                if (!(d <= tolerance)) {
                    fail_msg("%s, solver %d: shift %d at index %d differs by %g", name,
                             (int)wish, shift, i, d);
                }
            }
        }
    }
    double many[SHIFTS + 1] = {1.0, 2.0, 3.0, 4.0, 5.0}, none[SHIFTS + 1] = {0.0};
    CHECK_STATUS(p->factor(p, SHIFTS + 1, many, none, &err), CRANK_EINTERNAL);
    crank_problem_destroy(p);
}

static const crank_linear_algebra solvers[] = {CRANK_LINALG_DENSE, CRANK_LINALG_SPARSE,
                                               CRANK_LINALG_RECORDED, CRANK_LINALG_KLU,
                                               CRANK_LINALG_BANDED};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static void every_solver_of_every_formulation_keeps_shifts_apart(void **state)
{
    static const char *const forms[] = {"psf",       "index3", "index2", "index1",
                                        "baumgarte", "ggl",    "ude"};
    test_chain data = {.count = 4, .m = 1.0, .L = 0.5, .g = 9.81};
    crank_eom *eom = test_chain_create(&data);
    double x[MOST];
    test_chain_start(&data, x);
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        for (int i = 0; i < SOLVERS; i++) {
            check_shifts(forms[f], solvers[i], eom, x);
        }
    }
    crank_eom_destroy(eom);
    test_chain_free(&data);
}

static void dense_formulations_keep_shifts_apart(void **state)
{
    static const char *const forms[] = {"psf", "peom1", "overdetermined", "gmkssol"};
    test_slider_crank data = test_slider_crank_default();
    crank_eom *eom = test_slider_crank_create(&data);
    double x[MOST];
    test_slider_crank_start(&data, x);
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        check_shifts(forms[f], CRANK_LINALG_DENSE, eom, x);
    }
    crank_eom_destroy(eom);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_solver_of_every_formulation_keeps_shifts_apart),
        cmocka_unit_test(dense_formulations_keep_shifts_apart),
    };
    return CHECK_RUN(argc, argv, tests);
}
