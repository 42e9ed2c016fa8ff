/* test_dae.c - equations E(t, y) y' = k(t, y) by callbacks: index and hidden constraints found by
 * differences, consistent values, solutions, events, refusals. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include <crank/dae.h>

#include <stdio.h>
#include <stdlib.h>

/* ---- problems ---- */

typedef struct problem {
    int n;
    crank_dae_fn *evaluate, *mass, *jacobian;
    const double *matrix;
    double unit; /* of lengths */
    int calls;
} problem;

/* a chain y1' = y2, ..., 0 = y1 - sin t: index n, y = sin, cos, -sin, ... */
static crank_status chain(double t, const double *y, double *k, void *user)
{
    const problem *p = user;
    for (int i = 0; i + 1 < p->n; i++) {
        k[i] = y[i + 1];
    }
    k[p->n - 1] = y[0] - sin(t);
    return CRANK_OK;
}

static const double chain_1[1] = {0}, chain_2[4] = {1}, chain_3[9] = {1, 0, 0, 0, 1},
                    chain_4[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

/* the chain of three with rows that are mixed by a matrix that turns with t and y */
static void turn(double t, const double *y, double *rows, int stride)
{
    const double angle = 0.3 + t + 0.2 * y[0], c = cos(angle), s = sin(angle);
    const double a = rows[0], b = rows[2 * stride];
    rows[0] = c * a - s * b;
    rows[2 * stride] = s * a + c * b;
}

static crank_status turned(double t, const double *y, double *k, void *user)
{
    const crank_status status = chain(t, y, k, user);
    turn(t, y, k, 1);
    return status;
}

static crank_status turned_mass(double t, const double *y, double *E, void *user)
{
    (void)user;
    memcpy(E, chain_3, sizeof chain_3);
    for (int j = 0; j < 3; j++) {
        turn(t, y, E + (long)3 * j, 1);
    }
    return CRANK_OK;
}

/* a pendulum of length 1, mass 1, in lengths of `unit`: x y vx vy lambda */
enum { GRAVITY = 10 };
static crank_status pendulum(double t, const double *y, double *k, void *user)
{
    problem *p = user;
    const double length = 1.0 / p->unit;
    (void)t;
    p->calls++;
    k[0] = y[2];
    k[1] = y[3];
    k[2] = -y[4] * y[0];
    k[3] = -y[4] * y[1] - GRAVITY / p->unit;
    k[4] = y[0] * y[0] + y[1] * y[1] - length * length;
    return CRANK_OK;
}

static crank_status pendulum_2(double t, const double *y, double *k, void *user)
{
    const crank_status status = pendulum(t, y, k, user);
    k[4] = y[0] * y[2] + y[1] * y[3];
    return status;
}

static crank_status pendulum_1(double t, const double *y, double *k, void *user)
{
    const crank_status status = pendulum(t, y, k, user);
    k[4] = y[2] * y[2] + y[3] * y[3] + y[0] * k[2] + y[1] * k[3];
    return status;
}

static const double four_of_five[25] = {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1,
                                        0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};

/* ---- runs ---- */

static void count(crank_level level, const char *text, void *user)
{
    char *seen = user;
    if (level == CRANK_WARNING) {
        (void)snprintf(seen, 300, "%s", text);
    }
}

static crank_status make(problem *p, const double *y0, double t_end, double tolerance,
                         char *warned, crank_dae **dae, crank_error *err)
{
    crank_dae_definition d = crank_dae_definition_default();
    double atol[8];
    for (int j = 0; j < p->n; j++) {
        atol[j] = tolerance / (p->unit > 0.0 && p->n == 5 && j < 4 ? p->unit : 1.0);
    }
    d.n = p->n;
    d.evaluate = p->evaluate;
    d.mass = p->mass;
    d.mass_matrix = p->matrix;
    d.jacobian = p->jacobian;
    d.rtol = tolerance;
    d.atol = atol;
    d.user = p;
    const crank_log log = {.write = warned != NULL ? count : NULL, .user = warned};
    return crank_dae_create(&d, 0.0, t_end, y0, log, dae, err);
}

/* y at t_end; *index: found */
static void solve(problem *p, const double *y0, double t_end, double tolerance,
                  const char *method, double *y, int *index)
{
    crank_dae *dae = NULL;
    crank_run *run = NULL;
    crank_error err = {0};
    crank_run_options options = crank_run_options_default();
    options.method = method;
    CHECK_OK(make(p, y0, t_end, tolerance, NULL, &dae, &err), err);
    *index = crank_dae_get_report(dae)->index;
    CHECK_OK(crank_dae_open(dae, &options, &run, &err), err);
    CHECK_OK(crank_run_advance(run, fabs(t_end), &err), err);
    memcpy(y, crank_run_state(run), (size_t)p->n * sizeof *y);
    crank_run_close(run);
    crank_dae_destroy(dae);
}

static void chains_have_their_index_and_solution(void **state)
{
    const double *matrix[] = {chain_1, chain_2, chain_3};
    const double exact[] = {sin(2.0), cos(2.0), -sin(2.0)};
    for (int n = 1; n <= 3; n++) {
        const double start[] = {0.1, 0.5, 0.3}; /* not consistent */
        for (int k = 0; k < 2; k++) {
            problem p = {.n = n, .evaluate = chain, .matrix = matrix[n - 1]};
            double y[3];
            int index = -1;
            solve(&p, start, 2.0, 1e-7, k == 0 ? NULL : "index3-bdf", y, &index);
            assert_int_equal(index, n);
            for (int j = 0; j < n; j++) { /* unknowns of index j + 1 count h^j times */
                CHECK_NEAR(y[j], exact[j], 1e-6 * pow(100.0, j));
            }
        }
    }
    (void)state;
}

static void a_mass_matrix_that_turns_changes_nothing(void **state)
{
    problem p = {.n = 3, .evaluate = turned, .mass = turned_mass};
    const double start[] = {0.0, 1.0, 0.0};
    double y[3];
    int index = -1;
    solve(&p, start, 2.0, 1e-7, NULL, y, &index);
    assert_int_equal(index, 3);
    CHECK_NEAR(y[0], sin(2.0), 1e-6);
    CHECK_NEAR(y[1], cos(2.0), 1e-5);
    CHECK_NEAR(y[2], -sin(2.0), 1e-3);
    (void)state;
}

static void a_pendulum_swings_alike_in_all_forms_and_units(void **state)
{
    crank_dae_fn *const form[] = {pendulum_1, pendulum_2, pendulum};
    const double units[] = {1.0, 1e-3, 1e3};
    double first[5] = {0};
    for (int k = 0; k < 3; k++) {
        for (int u = 0; u < 3; u++) {
            problem p = {.n = 5, .evaluate = form[k], .matrix = four_of_five, .unit = units[u]};
            const double start[] = {0.6 / units[u], -0.8 / units[u], 0, 0, 0};
            double y[5];
            int index = -1;
            solve(&p, start, 1.3, 1e-8, NULL, y, &index);
            assert_int_equal(index, k + 1);
            if (k == 0 && u == 0) {
                memcpy(first, y, sizeof y);
            }
            for (int j = 0; j < 4; j++) {
                CHECK_NEAR(y[j] * units[u], first[j], 1e-5);
            }
            CHECK_NEAR(y[4], first[4], 1e-2);
        }
    }
    (void)state;
}

/* energy of the pendulum of index 3 at its lowest point, and the multiplier there: m g + m v^2/l */
static void a_pendulum_has_the_multiplier_of_theory(void **state)
{
    problem p = {.n = 5, .evaluate = pendulum, .matrix = four_of_five, .unit = 1.0};
    const double start[] = {0.6, -0.8, 0, 0, 0};
    double y[5];
    int index = -1;
    solve(&p, start, 0.9, 1e-9, NULL, y, &index);
    const double speed = y[2] * y[2] + y[3] * y[3];
    CHECK_NEAR(0.5 * speed + GRAVITY * y[1], -0.8 * GRAVITY, 1e-6);
    CHECK_NEAR(y[4], speed - GRAVITY * y[1], 1e-8);
    (void)state;
}

static void initial_values_are_made_consistent_and_that_is_told(void **state)
{
    problem p = {.n = 5, .evaluate = pendulum, .matrix = four_of_five, .unit = 1.0};
    const double guessed[] = {0.6, -0.8, 0, 0, 0}, off[] = {0.63, -0.8, 0.1, 0, 0};
    char warned[300] = "";
    crank_dae *dae = NULL;
    crank_error err = {0};
    CHECK_OK(make(&p, guessed, 1.0, 1e-8, warned, &dae, &err), err);
    const crank_dae_report *r = crank_dae_get_report(dae);
    assert_true(!r->consistent && !r->moved && r->changed == 4);
    assert_string_equal(warned, "");
    CHECK_NEAR(r->start[4], 8.0, 1e-7); /* g cos(angle) */
    CHECK_NEAR(r->rate[4], 0.0, 1e-5);
    for (int j = 0; j < 4; j++) {
        assert_true(r->start[j] == guessed[j]);
    }
    const int expected[] = {1, 1, 2, 2, 3};
    for (int j = 0; j < 5; j++) {
        assert_int_equal(r->unknown_index[j], expected[j]);
    }
    assert_true(r->constraints[0] == 1 && r->constraints[1] == 1 && r->constraints[2] == 1);
    crank_dae_destroy(dae);

    CHECK_OK(make(&p, off, 1.0, 1e-8, warned, &dae, &err), err);
    r = crank_dae_get_report(dae);
    assert_true(!r->consistent && r->moved);
    CHECK_CONTAINS(warned, "not consistent");
    const double *y = r->start;
    CHECK_NEAR(y[0] * y[0] + y[1] * y[1], 1.0, 1e-10);
    CHECK_NEAR(y[0] * y[2] + y[1] * y[3], 0.0, 1e-10);
    assert_true(hypot(y[0] - 0.63, y[1] + 0.8) < 0.03 && fabs(y[2] - 0.1) < 0.1);
    crank_dae_destroy(dae);
    (void)state;
}

static void consistent_values_stay_bit_for_bit(void **state)
{
    problem p = {.n = 3, .evaluate = chain, .matrix = chain_3};
    const double start[] = {0.0, 1.0, 0.0};
    crank_dae *dae = NULL;
    crank_error err = {0};
    CHECK_OK(make(&p, start, 1.0, 1e-6, NULL, &dae, &err), err);
    assert_true(crank_dae_get_report(dae)->consistent);
    assert_memory_equal(crank_dae_get_report(dae)->start, start, sizeof start);
    crank_dae_destroy(dae);
    (void)state;
}

/* ---- what is refused ---- */

static crank_status nothing_twice(double t, const double *y, double *k, void *user)
{
    (void)t;
    (void)user;
    k[0] = y[1];
    k[1] = 0.0; /* y2 is in no equation that determines it */
    return CRANK_OK;
}

static crank_status impossible(double t, const double *y, double *k, void *user)
{
    (void)t;
    (void)user;
    k[0] = y[1];
    k[1] = y[0] * y[0] + 1.0;
    return CRANK_OK;
}

static void what_has_no_index_up_to_3_is_refused(void **state)
{
    problem four = {.n = 4, .evaluate = chain, .matrix = chain_4};
    problem open = {.n = 2, .evaluate = nothing_twice, .matrix = chain_2};
    problem none = {.n = 2, .evaluate = impossible, .matrix = chain_2};
    const double start[] = {0.0, 1.0, 0.0, -1.0}, level[] = {0.5, 1.0};
    crank_dae *dae = NULL;
    crank_error err = {0};
    CHECK_STATUS(make(&four, start, 1.0, 1e-6, NULL, &dae, &err), CRANK_EREFUSED);
    CHECK_CONTAINS(err.text, "index above 3");
    CHECK_STATUS(make(&open, start, 1.0, 1e-6, NULL, &dae, &err), CRANK_EREFUSED);
    CHECK_STATUS(make(&none, level, 1.0, 1e-6, NULL, &dae, &err), CRANK_EINIT_CONVERGENCE);
    assert_null(dae);
    (void)state;
}

static void an_index_that_is_too_low_is_refused(void **state)
{
    problem p = {.n = 5, .evaluate = pendulum, .unit = 1.0};
    const double start[] = {0.6, -0.8, 0, 0, 0};
    const int low[] = {1, 1, 1, 1, 2}, right[] = {1, 1, 2, 2, 3};
    crank_dae_definition d = crank_dae_definition_default();
    crank_dae *dae = NULL;
    crank_error err = {0};
    d.n = 5;
    d.evaluate = pendulum;
    d.mass_matrix = four_of_five;
    d.index = low;
    d.user = &p;
    CHECK_STATUS(crank_dae_create(&d, 0.0, 1.0, start, (crank_log){0}, &dae, &err),
                 CRANK_EREFUSED);
    CHECK_CONTAINS(err.text, "index");
    d.index = right;
    CHECK_OK(crank_dae_create(&d, 0.0, 1.0, start, (crank_log){0}, &dae, &err), err);
    crank_run *run = NULL;
    crank_run_options options = crank_run_options_default();
    options.method = "psf-radau";
    CHECK_STATUS(crank_dae_open(dae, &options, &run, &err), CRANK_EREFUSED);
    CHECK_CONTAINS(err.text, "singular");
    assert_null(run);
    crank_dae_destroy(dae);
    (void)state;
}

/* ---- ordinary equations, backwards, events ---- */

static crank_status swing(double t, const double *y, double *k, void *user)
{
    (void)t;
    (void)user;
    k[0] = y[1];
    k[1] = -y[0];
    return CRANK_OK;
}

static const double regular[4] = {2.0, 1.0, 0.5, 1.0}; /* by columns */

static crank_status swing_through(double t, const double *y, double *k, void *user)
{
    double rate[2];
    const crank_status status = swing(t, y, rate, user);
    k[0] = regular[0] * rate[0] + regular[2] * rate[1];
    k[1] = regular[1] * rate[0] + regular[3] * rate[1];
    return status;
}

static void ordinary_equations_run_both_ways(void **state)
{
    const double start[] = {0.0, 1.0};
    for (int way = -1; way <= 1; way += 2) {
        for (int m = 0; m < 2; m++) {
            problem p = {
                .n = 2, .evaluate = m ? swing_through : swing, .matrix = m ? regular : NULL};
            double y[2];
            int index = -1;
            solve(&p, start, 3.0 * way, 1e-9, NULL, y, &index);
            assert_int_equal(index, 0);
            CHECK_NEAR(y[0], sin(3.0 * way), 1e-7);
            CHECK_NEAR(y[1], cos(3.0), 1e-7);
        }
    }
    problem p = {.n = 3, .evaluate = chain, .matrix = chain_3};
    const double begin[] = {0.0, 1.0, 0.0};
    double y[3];
    int index;
    solve(&p, begin, -1.5, 1e-7, NULL, y, &index);
    CHECK_NEAR(y[0], sin(-1.5), 1e-6);
    CHECK_NEAR(y[1], cos(-1.5), 1e-5);
    (void)state;
}

typedef struct watch {
    double t[8];
    int seen, stop_after;
} watch;

static crank_status height(void *user, double t, const double *y, double *values,
                           crank_error *err)
{
    (void)user;
    (void)t;
    (void)err;
    values[0] = y[0];
    return CRANK_OK;
}

static crank_status note(void *user, const signed char *happened, double t, const double *y,
                         bool *stop, crank_error *err)
{
    watch *w = user;
    (void)y;
    (void)err;
    assert_true(happened[0] == -1);
    w->t[w->seen++] = t;
    *stop = w->seen == w->stop_after;
    return CRANK_OK;
}

static void zeros_of_functions_are_told_and_stop_runs(void **state)
{
    const double pi = acos(-1.0), start[] = {0.0, 1.0};
    static const signed char falling[] = {-1};
    static const char *const name[] = {"height"};
    problem p = {.n = 2, .evaluate = swing};
    watch w = {.stop_after = 2};
    const crank_events events = {
        .count = 1, .evaluate = height, .name = name, .direction = falling, .user = &w};
    crank_run_options options = crank_run_options_default();
    crank_dae *dae = NULL;
    crank_run *run = NULL;
    crank_error err = {0};
    options.events = &events;
    options.happen = note;
    CHECK_OK(make(&p, start, 20.0, 1e-9, NULL, &dae, &err), err);
    CHECK_OK(crank_dae_open(dae, &options, &run, &err), err);
    CHECK_OK(crank_run_advance(run, 20.0, &err), err);
    assert_true(crank_run_stopped(run));
    assert_int_equal(w.seen, 2);
    CHECK_NEAR(w.t[0], pi, 1e-7);
    CHECK_NEAR(crank_run_time(run), 3.0 * pi, 1e-7);
    crank_run_close(run);
    crank_dae_destroy(dae);
    (void)state;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_have_their_index_and_solution),
        cmocka_unit_test(a_mass_matrix_that_turns_changes_nothing),
        cmocka_unit_test(a_pendulum_swings_alike_in_all_forms_and_units),
        cmocka_unit_test(a_pendulum_has_the_multiplier_of_theory),
        cmocka_unit_test(initial_values_are_made_consistent_and_that_is_told),
        cmocka_unit_test(consistent_values_stay_bit_for_bit),
        cmocka_unit_test(what_has_no_index_up_to_3_is_refused),
        cmocka_unit_test(an_index_that_is_too_low_is_refused),
        cmocka_unit_test(ordinary_equations_run_both_ways),
        cmocka_unit_test(zeros_of_functions_are_told_and_stop_runs),
    };
    return CHECK_RUN(argc, argv, tests);
}
