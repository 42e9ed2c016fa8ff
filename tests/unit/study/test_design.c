/* test_design.c - points of studies: grids, lists, Latin hypercubes, Sobol's sequence. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "study/design.h"

#include <stdlib.h>

static crank_design make(const char *sampling, int64_t count, uint64_t seed, int factors,
                         const char *const *range)
{
    crank_design d = {.count = count, .seed = seed};
    crank_error err = {0};
    char name[8] = "a";
    for (int i = 0; i < factors; i++, name[0]++) {
        CHECK_OK(crank_design_vary(&d, name, range[i], &err), err);
    }
    CHECK_OK(crank_design_sample(&d, sampling, &err), err);
    CHECK_OK(crank_design_finish(&d, &err), err);
    return d;
}

static void test_sobol_points_are_those_of_another_implementation(void **state)
{
    (void)state;
    /* scipy 1.10.1: qmc.Sobol(21, scramble=False).random(1024)[i], i = 5, 13, 1000 */
    static const int64_t index[3] = {5, 13, 1000};
    // clang-format off
    static const double expected[3][CRANK_SOBOL_DIMENSIONS] = {
        {0.875, 0.875, 0.125, 0.375, 0.875, 0.625, 0.875, 0.375, 0.375, 0.125, 0.375, 0.875, 0.875, 0.125, 0.875, 0.375, 0.875, 0.375, 0.375, 0.625, 0.625},
        {0.8125, 0.6875, 0.8125, 0.0625, 0.4375, 0.9375, 0.5625, 0.5625, 0.5625, 0.4375, 0.8125, 0.9375, 0.0625, 0.8125, 0.1875, 0.5625, 0.1875, 0.6875, 0.5625, 0.9375, 0.5625},
        {0.2197265625, 0.0966796875, 0.5185546875, 0.6767578125, 0.2802734375, 0.9072265625, 0.0458984375, 0.8994140625, 0.5009765625, 0.0693359375, 0.0849609375, 0.2548828125, 0.1611328125, 0.3837890625, 0.1435546875, 0.3701171875, 0.7197265625, 0.3447265625, 0.9912109375, 0.7255859375, 0.5224609375},
    };
    // clang-format on
    for (int i = 0; i < 3; i++) {
        for (int d = 0; d < CRANK_SOBOL_DIMENSIONS; d++) {
            CHECK_NEAR(crank_sobol(d, index[i], 0), expected[i][d], 0.0);
        }
    }
}

static void test_every_dimension_of_sobol_fills_each_part_once_whatever_the_seed(void **state)
{
    (void)state;
    enum { COUNT = 256 };
    for (uint64_t shift = 0; shift < 2; shift++) {
        for (int d = 0; d < CRANK_SOBOL_DIMENSIONS; d++) {
            bool seen[COUNT] = {false};
            for (int i = 0; i < COUNT; i++) {
                const double x = crank_sobol(d, i, shift * 0x123456789abcdef1u);
                assert_true(x >= 0.0 && x < 1.0);
                assert_false(seen[(int)(x * COUNT)]);
                seen[(int)(x * COUNT)] = true;
            }
        }
    }
}

static void test_grid_has_all_combinations_the_last_factor_fastest(void **state)
{
    (void)state;
    crank_design d = make("grid", 0, 0, 2, (const char *[]){"0:1:3", "5,7"});
    const double expected[6][2] = {{0, 5}, {0, 7}, {0.5, 5}, {0.5, 7}, {1, 5}, {1, 7}};
    assert_int_equal(d.count, 6);
    for (int i = 0; i < 6; i++) {
        double x[2];
        crank_design_point(&d, i, x);
        CHECK_NEAR(x[0], expected[i][0], 0.0);
        CHECK_NEAR(x[1], expected[i][1], 0.0);
    }
    crank_design_free(&d);
    d = make("list", 0, 0, 2, (const char *[]){"0:1:2", "5,7"});
    assert_int_equal(d.count, 2);
    crank_design_free(&d);
}

static void test_latin_hypercube_has_each_part_once_and_follows_from_its_seed(void **state)
{
    (void)state;
    enum { COUNT = 100 };
    crank_design d = make("latin", COUNT, 3, 2, (const char *[]){"-1:1", "10:20"});
    crank_design same = make("latin", COUNT, 3, 2, (const char *[]){"-1:1", "10:20"});
    crank_design other = make("latin", COUNT, 4, 2, (const char *[]){"-1:1", "10:20"});
    bool seen[2][COUNT] = {{false}};
    int differ = 0;
    for (int i = COUNT - 1; i >= 0; i--) { /* in any order */
        double x[2], y[2], z[2];
        crank_design_point(&d, i, x);
        crank_design_point(&same, i, y);
        crank_design_point(&other, i, z);
        const double part[2] = {(x[0] + 1.0) / 2.0, (x[1] - 10.0) / 10.0};
        for (int k = 0; k < 2; k++) {
            CHECK_NEAR(x[k], y[k], 0.0);
            differ += x[k] != z[k] ? 1 : 0;
            assert_true(part[k] >= 0.0 && part[k] < 1.0);
            assert_false(seen[k][(int)(part[k] * COUNT)]);
            seen[k][(int)(part[k] * COUNT)] = true;
        }
    }
    assert_true(differ > COUNT);
    crank_design_free(&d);
    crank_design_free(&same);
    crank_design_free(&other);
}

static void test_ranges_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",      "a",     "1:",      "nan:1:3", "1:inf:3",
                                        "1:2:0", "1:2:x", "1:2:3:4", "1,,2",    "1:2:1.5"};
    crank_design d = {0};
    crank_error err = {0};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK_STATUS(crank_design_vary(&d, "a", wrong[i], &err), CRANK_EARG);
        CHECK_CONTAINS(err.text, "vary a");
    }
    CHECK_STATUS(crank_design_finish(&d, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "empty");
    CHECK_OK(crank_design_vary(&d, "a", "1:2", &err), err);
    CHECK_STATUS(crank_design_vary(&d, "a", "1:2", &err), CRANK_EARG);
    CHECK_STATUS(crank_design_finish(&d, &err), CRANK_EARG);
    CHECK_STATUS(crank_design_sample(&d, "random", &err), CRANK_EARG);
    crank_design_free(&d);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sobol_points_are_those_of_another_implementation),
        cmocka_unit_test(test_every_dimension_of_sobol_fills_each_part_once_whatever_the_seed),
        cmocka_unit_test(test_grid_has_all_combinations_the_last_factor_fastest),
        cmocka_unit_test(test_latin_hypercube_has_each_part_once_and_follows_from_its_seed),
        cmocka_unit_test(test_ranges_that_make_no_sense_are_refused),
    };
    return CHECK_RUN(argc, argv, tests);
}
