/* test_checkpoint_models.c - relays (relay.h) over model files: every method that a model
 * admits, dense and sparse, redundant constraints, invariants, singular positions, tables,
 * turning angles, rolling. */
// SPDX-License-Identifier: BSD-3-Clause
#include "legs.h"

#define CHECK_LEGS(legs) legs_check(legs, sizeof(legs) / sizeof *(legs))

#define MODEL(directory, file) "models/" directory "/" file ".yaml"

static void every_method_continues_bit_for_bit(void **state)
{
    static const char pendulum[] = MODEL("pendulum", "pendulum"),
                      crank[] = MODEL("slider-crank", "slider-crank");
    static const leg legs[] = {
        {.path = pendulum, .method = "psf-radau", .t_end = 1.0, .steps = 100},
        {pendulum, "psf-radau", {"linear_algebra=sparse"}, 1.0, 100, false},
        {.path = pendulum, .method = "peom1-radau", .t_end = 1.0, .steps = 100},
        {.path = pendulum, .method = "gmkssol-radau", .t_end = 1.0, .steps = 100},
        {.path = pendulum, .method = "geoms", .t_end = 1.0, .steps = 100},
        {pendulum, "gmkssol", {"selector_period=5"}, 1.0, 100, false},
        {pendulum, "gmkssol", {"selector_period=-1", "rtol=1e-3"}, 1.0, 100, true},
        {.path = pendulum, .method = "compiled", .t_end = 1.0, .steps = 100},
        /* M depends on positions and is full */
        {.path = crank, .method = "psf-radau", .t_end = 2.0, .steps = 200},
        {.path = crank, .method = "geoms", .t_end = 2.0, .steps = 200},
        {.path = crank, .method = "peom1-radau", .t_end = 2.0, .steps = 200},
        {.path = crank, .method = "gmkssol", .t_end = 2.0, .steps = 200},
    };
    (void)CHECK_LEGS(legs);
}

/* explicit methods: dense and sparse stages, redundant rows, invariants, turning angles,
 * attempts one by one */
static void explicit_methods_continue_bit_for_bit(void **state)
{
    static const char pendulum[] = MODEL("pendulum", "pendulum");
    static const leg legs[] = {
        {.path = pendulum, .method = "dopri8", .t_end = 5.0, .steps = 100},
        {.path = pendulum, .method = "dopri5", .t_end = 2.0, .steps = 100},
        {.path = pendulum, .method = "herk5", .t_end = 2.0, .steps = 100},
        {.path = MODEL("andrews-mechanism", "andrews-mechanism"),
         .method = "herk5",
         .steps = 50},
        {pendulum, "dopri8", {"linear_algebra=sparse", "max_steps=1"}, 5.0, 100, false},
        {pendulum, "dopri5", {"final_correction=off", "controller=classical"}, 2.0, 100, false},
        {.path = MODEL("pendulum", "pendulum-energy"),
         .method = "dopri8",
         .t_end = 10.0,
         .steps = 200},
        {.path = MODEL("slider-crank", "slider-crank"), .method = "dopri8", .steps = 100},
        {MODEL("slider-crank", "redundant"),
         "dopri8",
         {"accelerations=carry", "max_steps=1"},
         0.0,
         100,
         false},
        {MODEL("slider-crank", "singular"), "dopri8", {"max_steps=1"}, 0.0, 100, true},
        {.path = MODEL("academic", "academic"), .method = "dopri5", .steps = 50},
        {.path = MODEL("andrews", "andrews"), .method = "dopri8", .steps = 50},
        {MODEL("bricard", "bricard"), "dopri8", {"rtol=1e-3", "atol=1e-3"}, 0.0, 30, false},
        {MODEL("gears-and-cam", "gears-and-cam"), "dopri8", {"rtol=1e-3"}, 0.0, 30, false},
        {MODEL("rolling-disc", "rolling-disc"), "dopri8", {"rtol=1e-4"}, 0.0, 30, false},
        {.path = pendulum, .method = "adams", .t_end = 2.0, .steps = 150},
        {pendulum, "adams", {"linear_algebra=sparse", "max_steps=1"}, 2.0, 150, false},
        {pendulum, "adams", {"final_correction=off", "max_order=4"}, 1.0, 100, false},
        {.path = MODEL("pendulum", "pendulum-energy"),
         .method = "adams",
         .t_end = 2.0,
         .steps = 100},
        {MODEL("slider-crank", "redundant"),
         "adams",
         {"accelerations=carry", "max_steps=1"},
         0.0,
         100,
         false},
        {MODEL("slider-crank", "singular"), "adams", {"max_steps=1"}, 0.0, 300, true},
        {.path = MODEL("academic", "academic"), .method = "adams", .steps = 60},
        {.path = MODEL("andrews", "andrews"), .method = "adams", .steps = 60},
        {MODEL("rolling-disc", "rolling-disc"), "adams", {"rtol=1e-4"}, 0.0, 40, false},
    };
    const crank_statistics seen = CHECK_LEGS(legs);
    assert_true(seen.rejected_error > 10);
}

/* through trials, changes and returns */
static void auto_continues_bit_for_bit(void **state)
{
    static const leg legs[] = {
        {.path = MODEL("double-pendulum", "double-pendulum"), .method = "auto", .steps = 120},
        {.path = MODEL("rolling-disc", "rolling-disc"), .method = "auto", .steps = 80},
        {.path = MODEL("four-joint", "four-joint"), .method = "auto", .steps = 20},
    };
    const crank_statistics seen = CHECK_LEGS(legs);
    assert_true(seen.newton_iterations > 0);
}

static void options_that_keep_more_continue_bit_for_bit(void **state)
{
    static const char path[] = MODEL("slider-crank", "slider-crank");
    static const leg legs[] = {
        {path, "psf-radau", {"algebraic=qr", "differential=qr"}, 1.0, 200, false},
        {path, "psf-radau", {"algebraic=svd", "jacobian_reuse=0.1"}, 1.0, 200, false},
        {path, "psf-radau", {"newton_matrix=3", "rtol=1e-3", "keep_high=3"}, 1.0, 200, false},
        {path, "psf-radau", {"final_correction=off", "newton_updates=2"}, 1.0, 200, false},
        {path, "geoms", {"jacobian_reuse=0.2", "rtol=1e-3"}, 2.0, 200, false},
        {MODEL("truck", "equations"),
         "psf-radau",
         {"jacobian_reuse=0.9", "h_max=0.01"},
         1.0,
         40,
         false},
    };
    (void)CHECK_LEGS(legs);
}

static void bdf_and_rows_as_they_are_continue_bit_for_bit(void **state)
{
    static const char one[] = "max_steps=1", sparse[] = "linear_algebra=sparse",
                      crank[] = MODEL("slider-crank", "slider-crank"),
                      academic[] = MODEL("academic", "academic"),
                      links[] = MODEL("chain-100", "chain-100"), joint[] = "coordinates=joint";
    static const leg legs[] = {
        {.path = MODEL("pendulum", "pendulum"),
         .method = "psf-bdf",
         .t_end = 1.0,
         .steps = 200},
        {MODEL("pendulum", "pendulum"), "psf-bdf", {one, "rtol=1e-4"}, 1.0, 300, false},
        {MODEL("pendulum", "pendulum"), "gmkssol-bdf", {"max_order=6"}, 1.0, 200, false},
        {crank, "peom1-bdf", {one, "rtol=1e-3"}, 1.0, 300, false},
        {MODEL("slider-crank", "redundant"), "psf-bdf", {one, "rtol=1e-3"}, 1.0, 300, false},
        {MODEL("slider-crank", "singular"), "psf-bdf", {one}, 0.0, 400, true},
        {crank, "ggl-bdf", {one}, 0.2, 300, false},
        {crank, "ggl-radau", {sparse}, 1.0, 100, false},
        {crank, "index3-radau", {one}, 1.0, 200, false},
        {crank, "index2-bdf", {sparse, one}, 0.2, 200, false},
        {academic, "ggl-radau", {NULL}, 0.0, 100, false},
        {academic, "index1-bdf", {one}, 0.2, 200, false},
        {academic, "ude-radau", {NULL}, 0.0, 100, false},
        {crank, "overdetermined-radau", {"rtol=1e-3"}, 1.0, 100, false},
        {academic, "baumgarte-radau", {sparse}, 0.0, 100, false},
        {MODEL("bicycle", "bicycle"), "ggl-radau", {"rtol=1e-3"}, 0.5, 60, false},
        {MODEL("chain", "chain-10"), "ggl-bdf", {"linear_algebra=dense"}, 0.1, 60, false},
        {MODEL("chain", "chain-10"), "ggl-bdf", {"linear_algebra=klu"}, 0.1, 60, false},
        {MODEL("chain", "chain-10"), "ggl-radau", {"linear_algebra=banded"}, 0.1, 60, false},
        {MODEL("chain", "chain-10"), "psf-radau", {"linear_algebra=banded"}, 0.1, 60, false},
        {MODEL("chain", "chain-10"), "dopri8", {"linear_algebra=banded"}, 0.1, 60, false},
        {links, "ggl-bdf", {joint}, 0.01, 30, false}, /* along the tree */
        {links, "psf-radau", {joint}, 0.01, 30, false},
        {MODEL("pendulum", "pendulum"), "psf-sdirk2", {one, "rtol=1e-4"}, 1.0, 200, false},
        {MODEL("pendulum", "pendulum"), "psf-sdirk415", {one, "rtol=1e-5"}, 1.0, 200, false},
        {MODEL("pendulum", "pendulum"), "psf-rosenbrock", {one, "rtol=1e-5"}, 1.0, 200, false},
        {MODEL("pendulum", "pendulum"), "psf-trapezoidal", {one, "rtol=1e-3"}, 1.0, 200, false},
        {MODEL("pendulum", "pendulum"), "partition-bdf", {one, "rtol=1e-5"}, 1.0, 200, false},
        {crank, "partition-sdirk415", {one, "rtol=1e-3"}, 0.5, 100, false},
        /* forces at the start, found once more, differ by rounding */
        {.path = MODEL("pendulum", "pendulum-selector"),
         .method = "partition-sdirk416",
         .steps = 12},
        {crank, "for-rosen", {one, "rtol=1e-3"}, 0.5, 100, false},
        {crank, "tangent-plane-sdirk415", {one, "rtol=1e-3"}, 0.5, 100, false},
        {MODEL("pendulum", "pendulum"),
         "tangent-plane-bdf",
         {one, "rtol=1e-5"},
         1.0,
         200,
         false},
        {MODEL("slider-crank", "redundant"),
         "tangent-plane-rosenbrock",
         {"rtol=1e-3"},
         0.5,
         40,
         false},
        {crank, "infl-trap", {"rtol=1e-2"}, 0.5, 40, false},
        {crank, "hht", {"rtol=1e-2"}, 0.5, 40, false},
        {MODEL("slider-crank", "redundant"), "partition-radau", {one}, 0.5, 40, false},
        {MODEL("gyroscope-loop", "gyroscope-loop"),
         "partition-rosenbrock",
         {"rtol=1e-3"},
         0.005,
         8,
         false},
        {crank, "ggl-sdirk2", {sparse, "rtol=1e-4"}, 0.5, 100, false},
        {MODEL("bouncing-ball", "bouncing-ball"),
         "psf-sdirk2",
         {one, "rtol=1e-4"},
         1.0,
         200,
         false},
    };
    const crank_statistics seen = CHECK_LEGS(legs);
    assert_true(seen.rejected_error > 10);
}

static void equations_of_all_kinds_continue_bit_for_bit(void **state)
{
    static const leg legs[] = {
        {.path = MODEL("academic", "academic"), .method = "psf-radau", .steps = 100},
        {.path = MODEL("academic", "academic"), .method = "peom1-radau", .steps = 100},
        {.path = MODEL("inclined-skate", "inclined-skate"),
         .method = "psf-radau",
         .steps = 200},
        {.path = MODEL("lolly", "lolly"), .method = "psf-radau", .steps = 200},
        {.path = MODEL("chain", "chain-10"), .method = "psf-radau", .steps = 100},
        {MODEL("chain", "chain-10"), "gmkssol", {"rtol=1e-3"}, 0.0, 40, false},
        {MODEL("andrews", "andrews"),
         "gmkssol",
         {"rtol=1e-3", "selector_period=3"},
         0.0,
         40,
         false},
        {MODEL("truck", "equations"), "psf-radau", {"rtol=1e-3", "atol=1e-3"}, 0.0, 100, false},
    };
    (void)CHECK_LEGS(legs);
}

/* states chosen anew on the way are counted where it happens */
static void translated_equations_continue_bit_for_bit(void **state)
{
    static const leg legs[] = {
        {.path = MODEL("academic", "academic"), .method = "inline-radau", .steps = 12},
        {.path = MODEL("pendulum", "pendulum"), .method = "inline-bdf", .steps = 60},
    };
    assert_true(CHECK_LEGS(legs).selector_updates > 0);
}

static void invariants_continue_bit_for_bit(void **state)
{
    static const char path[] = MODEL("pendulum", "pendulum-energy");
    static const leg legs[] = {
        {.path = path, .method = "psf-radau", .t_end = 10.0, .steps = 300},
        {path, "psf-radau", {"linear_algebra=sparse"}, 10.0, 300, false},
        {.path = path, .method = "peom1-radau", .t_end = 10.0, .steps = 300},
    };
    (void)CHECK_LEGS(legs);
}

/* with a limit of one, runs stop between the attempts at a step, too */
static void attempts_at_steps_continue_bit_for_bit(void **state)
{
    static const char one[] = "max_steps=1", crank[] = MODEL("slider-crank", "singular");
    static const leg legs[] = {
        {MODEL("pendulum", "pendulum-energy"), "psf-radau", {one}, 10.0, 300, false},
        {MODEL("pendulum", "pendulum-energy"),
         "psf-radau",
         {one, "linear_algebra=sparse"},
         10.0,
         300,
         false},
        /* steps over the knots of a table are rejected; four iterations are few, convergence
         * fails in every tenth step */
        {MODEL("gears-and-cam", "gears-and-cam"), "psf-radau", {one}, 0.0, 300, false},
        {MODEL("pendulum", "pendulum-energy"),
         "psf-radau",
         {one, "newton_max=4"},
         10.0,
         300,
         false},
        {MODEL("pendulum", "pendulum"), "gmkssol", {one}, 2.0, 300, false},
        {MODEL("pendulum", "pendulum-selector"), "peom1-radau", {one}, 0.0, 300, false},
        {MODEL("academic", "academic"), "psf-radau", {one}, 0.0, 100, false},
        {crank, "psf-radau", {one, "singular=pass", "rtol=1e-10"}, 0.0, 400, false},
        {crank, "psf-radau", {one}, 0.0, 200, true},
    };
    const crank_statistics seen = CHECK_LEGS(legs);
    assert_true(seen.rejected_error > 20 && seen.rejected_convergence > 10);
}

static void redundant_constraints_continue_bit_for_bit(void **state)
{
    static const leg legs[] = {
        {.path = MODEL("slider-crank", "redundant"), .method = "psf-radau", .steps = 200},
        {.path = MODEL("slider-crank", "duplicated"), .method = "gmkssol", .steps = 200},
        {MODEL("door-three-hinges", "door-three-hinges"),
         "psf-radau",
         {"rtol=1e-3"},
         0.0,
         40,
         false},
        {MODEL("door-two-hinges", "balls"), "psf-radau", {"rtol=1e-3"}, 0.0, 40, false},
        {MODEL("bricard", "bricard"), "psf-radau", {"rtol=1e-3", "atol=1e-3"}, 0.0, 60, false},
        {MODEL("bricard", "bricard"),
         "psf-radau",
         {"linear_algebra=dense", "rtol=1e-3", "atol=1e-3"},
         0.0,
         20,
         false},
    };
    const crank_statistics seen = CHECK_LEGS(legs);
    assert_true(seen.selector_updates > 100);
}

static void singular_positions_continue_bit_for_bit(void **state)
{
    static const char crank[] = MODEL("slider-crank", "singular");
    static const leg legs[] = {
        {.path = crank, .method = "psf-radau", .steps = 200, .ends_in_failure = true},
        {crank, "psf-radau", {"singular=pass"}, 0.0, 300, false},
        {crank,
         "psf-radau",
         {"singular=pass", "rtol=1e-10", "atol=1e-10"},
         0.0,
         300,
         false}, /* jumps fail */
        {crank, "geoms", {"singular=pass"}, 0.0, 300, false},
        {crank, "gmkssol", {"singular=pass"}, 0.0, 300, false},
        {crank,
         "psf-radau",
         {"singular=pass", "accelerations=carry", "linear_algebra=sparse"},
         0.0,
         300,
         false},
        {MODEL("four-bar", "four-bar"),
         "psf-radau",
         {"rtol=1e-4", "atol=1e-4"},
         0.0,
         200,
         false},
    };
    const crank_statistics seen = CHECK_LEGS(legs);
    assert_true(seen.singular_passages >= 8);
}

static void mechanisms_continue_bit_for_bit(void **state)
{
    static const char loose[] = "rtol=1e-3";
    static const leg legs[] = {
        {MODEL("bicycle", "bicycle"), "psf-radau", {loose, "atol=1e-3"}, 0.0, 100, false},
        {MODEL("rolling-disc", "rolling-disc"), "psf-radau", {loose}, 0.0, 60, false},
        {MODEL("gears-and-cam", "gears-and-cam"),
         "psf-radau",
         {loose, "atol=1e-3"},
         0.0,
         100,
         false},
        {MODEL("quarter-car", "quarter-car"), "psf-radau", {loose}, 0.0, 60, false},
        {MODEL("flyball-governor", "flyball-governor"),
         "psf-radau",
         {loose, "atol=1e-3"},
         0.0,
         60,
         false},
        {MODEL("four-bar-3d", "linkage"), "psf-radau", {loose, "atol=1e-3"}, 0.0, 60, false},
        {MODEL("truck", "truck"), "peom1-radau", {loose, "atol=1e-3"}, 0.0, 40, false},
    };
    const crank_statistics seen = CHECK_LEGS(legs);
    assert_true(seen.selector_updates > 20);
    assert_true(seen.rejected_error > 10 && seen.rejected_convergence > 5);
}

static void the_corrector_of_ggl_continues_bit_for_bit(void **state)
{
    static const char chain[] = MODEL("driven-chain", "driven-chain"),
                      governor[] = MODEL("flyball-governor", "flyball-governor"),
                      crank[] = MODEL("slider-crank", "slider-crank");
    static const leg legs[] = {
        {chain,
         "ggl-bdf",
         {"coordinates=joint", "jacobian=extended", "derivatives=grouped"},
         2.0,
         100,
         false},
        {chain,
         "ggl-bdf",
         {"coordinates=joint", "jacobian=partitioned", "derivatives=estimated"},
         2.0,
         100,
         false},
        {governor,
         "ggl-bdf",
         {"coordinates=joint", "jacobian=full", "derivatives=dense"},
         0.2,
         100,
         false},
        {crank, "ggl-bdf", {"formalism=explicit", "derivatives=estimated"}, 1.0, 100, false},
        {crank, "ggl-bdf", {"formalism=residual"}, 1.0, 100, false},
        {MODEL("driven-chain", "driven-chain"),
         "ggl-bdf",
         {"coordinates=joint", "jacobian=full", "formalism=explicit"},
         0.0,
         150,
         false},
    };
    (void)CHECK_LEGS(legs);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_continues_bit_for_bit),
        cmocka_unit_test(the_corrector_of_ggl_continues_bit_for_bit),
        cmocka_unit_test(explicit_methods_continue_bit_for_bit),
        cmocka_unit_test(auto_continues_bit_for_bit),
        cmocka_unit_test(options_that_keep_more_continue_bit_for_bit),
        cmocka_unit_test(bdf_and_rows_as_they_are_continue_bit_for_bit),
        cmocka_unit_test(equations_of_all_kinds_continue_bit_for_bit),
        cmocka_unit_test(translated_equations_continue_bit_for_bit),
        cmocka_unit_test(invariants_continue_bit_for_bit),
        cmocka_unit_test(attempts_at_steps_continue_bit_for_bit),
        cmocka_unit_test(redundant_constraints_continue_bit_for_bit),
        cmocka_unit_test(singular_positions_continue_bit_for_bit),
        cmocka_unit_test(mechanisms_continue_bit_for_bit),
    };
    return CHECK_RUN(argc, argv, tests);
}
