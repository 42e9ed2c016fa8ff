/* test_slope.c - derivatives by differences: corners are told, rounding is not taken for one. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/slope.h"

#include "check.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { PARTS = 2000 };

/* -1 to 1, the same for the same s: what sums of large numbers leave, of which nobody knows. */
static double noise(double s, int part)
{
    uint64_t bits;
    memcpy(&bits, &s, sizeof bits);
    bits += (uint64_t)part * 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    bits ^= bits >> 31;
    return (double)(bits >> 11) / 4503599627370496.0 - 1.0;
}

/* Constant or straight but for rounding, many times that of the terms that are told: joint coordinates
 * of a motorcycle that has gone 80 m, with a stiff strut. */
static const double rounding = 6e-11, told = 1500.0;

static crank_status smooth(void *user, double s, double *values, crank_error *err)
{
    (void)user;
    (void)err;
    for (int i = 0; i < PARTS; i++) {
        values[i] = (i % 2 == 0 ? 0.0 : s) + (s != 0.0 ? rounding * noise(s, i) : 0.0);
    }
    return CRANK_OK;
}

/* With a corner at zero, of any strength. */
static crank_status bent(void *user, double s, double *values, crank_error *err)
{
    const double *strength = user;
    (void)err;
    values[0] = s + s * s;
    values[1] = 2.0 * s + *strength * fabs(s) + s * s + s * s * s;
    return CRANK_OK;
}

static void rounding_of_terms_that_nobody_told_is_no_corner(void **state)
{
    (void)state;
    static double derivative[PARTS], size[PARTS], least[PARTS];
    for (int i = 0; i < PARTS; i++) {
        size[i] = told;
        least[i] = 2e-3;
    }
    crank_slope s = {.count = PARTS, .h = 2e-7, .at = smooth, .size = size, .least = least};
    assert_int_equal(crank_slope_find(&s, derivative, NULL), CRANK_OK);
    assert_int_equal(s.rough, -1);
    for (int i = 0; i < PARTS; i++) { /* rounding over steps that are 64 times as short */
        assert_true(fabs(derivative[i] - (i % 2 == 0 ? 0.0 : 1.0)) < 64.0 * rounding / s.h);
    }
}

static void a_corner_at_the_point_is_told_with_what_is_on_both_sides(void **state)
{
    (void)state;
    for (double strength = 2.0; strength > 4e-3; strength /= 3.0) {
        double derivative[2];
        crank_slope s = {.count = 2, .h = 1e-3, .at = bent, .user = &strength};
        assert_int_equal(crank_slope_find(&s, derivative, NULL), CRANK_OK);
        assert_int_equal(s.rough, 1);
        assert_true(fabs(s.side[0] - (2.0 - strength)) < 1e-2 * strength);
        assert_true(fabs(s.side[1] - (2.0 + strength)) < 1e-2 * strength);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_of_terms_that_nobody_told_is_no_corner),
        cmocka_unit_test(a_corner_at_the_point_is_told_with_what_is_on_both_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
