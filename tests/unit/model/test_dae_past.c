/* test_dae_past.c - values that iterations begin at, theory (13.8). */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "model/dae/dae_past.h"

#include <math.h>

static const int both[2] = {2, 0};
static const double times[8] = {0.0, 0.1, 0.25, 0.3, 0.5, 0.6, 0.65, 0.8};

static double cubic(double t)
{
    return 2.0 - t + 3.0 * t * t - 0.5 * t * t * t;
}

static double jumping(double t)
{
    return fmod(10.0 * t, 2.0) < 1.0 ? 5.0 : -5.0;
}

static void add(crank_dae_past *p, double t)
{
    const double all[3] = {jumping(t), NAN, cubic(t)};
    crank_dae_past_add(p, t, all);
}

static crank_dae_past filled(int count)
{
    crank_dae_past p;
    assert_true(crank_dae_past_init(&p, 2, both));
    for (int i = 0; i < count; i++) {
        add(&p, times[i]);
    }
    return p;
}

static void polynomials_are_foretold_exactly_ahead_and_within_steps(void **state)
{
    crank_dae_past p = filled(8);
    double v[3] = {7.0, 7.0, 7.0};
    (void)state;
    for (double t = 0.7; t < 1.0; t += 0.05) {
        crank_dae_past_guess(&p, t, v);
        CHECK_NEAR(v[2], cubic(t), 1e-12);
    }
    CHECK_NEAR(v[1], 7.0, 0.0);
    crank_dae_past_free(&p);
}

static void what_jumps_is_not_magnified(void **state)
{
    crank_dae_past p = filled(8);
    double v[3] = {0};
    (void)state;
    crank_dae_past_guess(&p, 0.95, v);
    assert_true(fabs(v[0]) <= 15.0);
    crank_dae_past_free(&p);
}

static void a_step_taken_back_leaves_nothing(void **state)
{
    crank_dae_past p = filled(6), q = filled(8);
    double v[3] = {0}, w[3] = {0};
    (void)state;
    add(&q, times[5]); /* back to the end before the last two */
    assert_true(q.t[0] == times[5] && q.t[1] == times[4] && q.count == 3);
    crank_dae_past_guess(&p, times[5], v);
    crank_dae_past_guess(&q, times[5], w);
    CHECK_NEAR(w[2], v[2], 1e-14);
    crank_dae_past_clear(&q);
    crank_dae_past_guess(&q, 1.0, w);
    CHECK_NEAR(w[2], v[2], 1e-14); /* nothing is known: they stay */
    crank_dae_past_free(&p);
    crank_dae_past_free(&q);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polynomials_are_foretold_exactly_ahead_and_within_steps),
        cmocka_unit_test(what_jumps_is_not_magnified),
        cmocka_unit_test(a_step_taken_back_leaves_nothing),
    };
    return CHECK_RUN(argc, argv, tests);
}
