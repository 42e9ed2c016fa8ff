/* options_table.c - every option of formulations and integrators: name, range, words, who has
 * it, one sentence.
 *
 * Defaults follow the manual of GEOMS [Ste06, B] and RADAU5 [HW96, IV.8]. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/options.h"
#include "base/tolerance.h"

#include <float.h>
#include <limits.h>

static const char *const controller_words[] = {"predictive", "classical"};
static const char *const norm_words[] = {"rms", "max"};
static const char *const rules_words[] = {"radau5", "published"};
static const char *const newton_start_words[] = {"extrapolate", "zero"};
static const char *const algebraic_words[] = {"auto", "lu", "qr", "svd"};
static const char *const differential_words[] = {"lu", "qr"};
static const char *const selector_update_words[] = {"adaptive", "every_step"};
static const char *const selector_source_words[] = {"mass", "newton_matrix"};
static const char *const linear_algebra_words[] = {"auto",     "dense", "sparse",
                                                   "recorded", "klu",   "banded"};
static const char *const accelerations_words[] = {"auto", "eliminate", "carry"};
static const char *const coordinates_words[] = {"default", "absolute", "joint", "auto"};
static const char *const orientation_words[] = {"auto", "quaternion", "cardan"};
static const char *const formalism_words[] = {"auto", "explicit", "residual"};
static const char *const jacobian_words[] = {"auto", "full", "partitioned", "extended"};
static const char *const derivatives_words[] = {"auto", "analytic", "dense", "grouped",
                                                "estimated"};
static const char *const singular_words[] = {"stop", "pass"};

// clang-format off
#define AT(field)          #field, offsetof(crank_options, field)
#define WORDS(words)       words, (int)(sizeof(words) / sizeof((words)[0]))
#define NO_WORDS           NULL, 0
#define ANY                CRANK_OPTION_ANY
#define POSITIVE           CRANK_OPTION_POSITIVE
#define COUNT              CRANK_OPTION_MOST
/* who has the option: names with spaces between */
#define EVERY              NULL, NULL
#define FORMULATIONS(list) list, NULL
#define INTEGRATORS(list)  NULL, list
#define SINGLY_IMPLICIT    "sdirk2 sdirk415 sdirk416 trapezoidal hht"
#define SINGLE             "radau " SINGLY_IMPLICIT " rosenbrock dopri5 dopri8 herk5 auto"
#define CONTROL            INTEGRATORS(SINGLE)
#define NEWTON             INTEGRATORS("radau bdf " SINGLY_IMPLICIT " auto")
#define RADAU              INTEGRATORS("radau auto")
#define ONE_STEP           INTEGRATORS("radau " SINGLY_IMPLICIT " auto")
#define CORRECTOR          "ggl", "bdf"
#define SELECTING          FORMULATIONS("psf peom1 auto")
#define GAINS              FORMULATIONS("baumgarte")
#define REAL               CRANK_OPTION_REAL
#define INT64              CRANK_OPTION_INT64
#define INT                CRANK_OPTION_INT
#define BOOL               CRANK_OPTION_BOOL
#define ENUM               CRANK_OPTION_ENUM
const crank_option_field crank_option_fields[] = {
    {AT(rtol), REAL, 1e-14, 1, NO_WORDS, EVERY, "relative tolerance"},
    {AT(atol), REAL, POSITIVE, ANY, NO_WORDS, EVERY, "absolute tolerance"},
    {AT(atol_p), REAL, 0, ANY, NO_WORDS, EVERY, "absolute tolerance of positions; 0: atol"},
    {AT(atol_v), REAL, 0, ANY, NO_WORDS, EVERY, "absolute tolerance of velocities; 0: atol"},
    {AT(atol_r), REAL, 0, ANY, NO_WORDS, EVERY,
     "absolute tolerance of dynamic force variables; 0: atol"},
    {AT(atol_w), REAL, 0, ANY, NO_WORDS, EVERY,
     "absolute tolerance of auxiliary variables; 0: atol"},
    {AT(atol_s), REAL, 0, ANY, NO_WORDS, EVERY,
     "absolute tolerance of contact variables; 0: atol"},
    {AT(atol_lambda), REAL, 0, ANY, NO_WORDS, EVERY,
     "absolute tolerance of holonomic multipliers; 0: atol"},
    {AT(atol_mu), REAL, 0, ANY, NO_WORDS, EVERY,
     "absolute tolerance of nonholonomic multipliers; 0: atol"},
    {AT(atol_length), REAL, 0, ANY, NO_WORDS, EVERY,
     "mechanisms: absolute tolerance of bodies' places; 0: atol_p"},
    {AT(atol_angle), REAL, 0, ANY, NO_WORDS, EVERY,
     "mechanisms: of angles and components of quaternions; 0: atol_p"},
    {AT(atol_speed), REAL, 0, ANY, NO_WORDS, EVERY,
     "mechanisms: of bodies' velocities; 0: atol_v"},
    {AT(atol_spin), REAL, 0, ANY, NO_WORDS, EVERY,
     "mechanisms: of bodies' angular velocities; 0: atol_v"},
    {AT(atol_force), REAL, 0, ANY, NO_WORDS, EVERY,
     "mechanisms: of forces that constraints exert; 0: atol_lambda, atol_mu"},
    {AT(atol_torque), REAL, 0, ANY, NO_WORDS, EVERY,
     "mechanisms: of torques, of constraints that only turn; 0: atol_lambda, atol_mu"},
    {AT(atol_energy), REAL, 0, ANY, NO_WORDS, EVERY,
     "mechanisms: of dissipated and supplied work; 0: atol_r"},
    {AT(tolerance_transform), BOOL, 0, 1, NO_WORDS, RADAU,
     "RADAU5's transformation rtol' = 0.1 rtol^(2/3), atol' = rtol' atol/rtol"},
    {AT(h_start), REAL, 0, ANY, NO_WORDS, EVERY, "first step size, s; 0: chosen"},
    {AT(h_max), REAL, 0, ANY, NO_WORDS, EVERY, "longest step, s; 0: no limit"},
    {AT(max_steps), INT64, 0, COUNT, NO_WORDS, EVERY, "limit on attempted steps; 0: no limit"},
    {AT(controller), ENUM, 0, 0, WORDS(controller_words), CONTROL, "step-size controller"},
    {AT(control_rules), ENUM, 0, 0, WORDS(rules_words), RADAU,
     "details of step control: those of RADAU5, or the plain formulas published for GEOMS"},
    {AT(error_norm), ENUM, 0, 0, WORDS(norm_words), EVERY,
     "norm of errors and of Newton's increments over the unknowns: root mean square, or the "
     "largest"},
    {AT(safety), REAL, 0.001, 1, NO_WORDS, EVERY, "safety factor of the step-size controller"},
    {AT(growth_max), REAL, 1, ANY, NO_WORDS, CONTROL, "largest ratio of successive steps"},
    {AT(growth_min), REAL, 0.001, 1, NO_WORDS, CONTROL, "smallest ratio of successive steps"},
    {AT(keep_low), REAL, 0, 1, NO_WORDS, ONE_STEP,
     "the step is kept if the ratio to the next lies between keep_low and keep_high"},
    {AT(keep_high), REAL, 1, ANY, NO_WORDS, ONE_STEP, "see keep_low"},
    {AT(max_order), INT, 0, 12, NO_WORDS, INTEGRATORS("bdf adams"),
     "highest order of bdf (up to 6) or adams (up to 12); 0: 5 and 12"},
    {AT(error_filter), BOOL, 0, 1, NO_WORDS, INTEGRATORS("rosenbrock"),
     "the error estimate is divided by what damps stiff parts; off: as published"},
    {AT(newton_max), INT, 1, 1000, NO_WORDS, NEWTON, "most Newton iterations per matrix"},
    {AT(newton_tolerance), REAL, 0, 1, NO_WORDS, NEWTON,
     "stopping constant of Newton's iteration; 0: from rtol (radau), or 0.33 (bdf; 0.01 "
     "where steps end without correction)"},
    {AT(newton_start), ENUM, 0, 0, WORDS(newton_start_words), ONE_STEP,
     "starting values of Newton's iteration"},
    {AT(newton_matrix), INT, 0, 3, NO_WORDS, RADAU,
     "where the Newton matrix is taken: 0 at the start of the step, 1 to 3 at that "
     "extrapolated stage"},
    {AT(newton_updates), INT, 0, 100, NO_WORDS, RADAU,
     "new Newton matrices allowed within a step"},
    {AT(jacobian_reuse), REAL, -1, 0.999, NO_WORDS, ONE_STEP,
     "the Jacobian is kept if Newton contracts faster than this; 0: 0.01, or 0.001 where it "
     "brings a decomposition of the constraints; negative: never"},
    {AT(algebraic), ENUM, 0, 0, WORDS(algebraic_words),
     FORMULATIONS("psf peom1 overdetermined ode auto"),
     "decomposition of the algebraic part; auto: lu, and svd once constraints are redundant"},
    {AT(differential), ENUM, 0, 0, WORDS(differential_words), SELECTING,
     "decomposition of the differential part"},
    {AT(selector_update), ENUM, 0, 0, WORDS(selector_update_words),
     FORMULATIONS("psf peom1 ode auto"),
     "when the differential equations are chosen anew"},
    {AT(selector_source), ENUM, 0, 0, WORDS(selector_source_words), SELECTING,
     "what they are chosen from: the row-equilibrated mass part, or the Newton matrix as "
     "published"},
    {AT(selector_period), INT, -1, INT_MAX, NO_WORDS, FORMULATIONS("gmkssol"),
     "gmkssol: accepted steps between selectors; 0: every step; -1: constant"},
    {AT(partition_limit), REAL, 1, ANY, NO_WORDS, FORMULATIONS("partition descriptor tangent-plane"),
     "growth of the condition of the dependent coordinates at which others are chosen, or the "
     "tangent plane is renewed"},
    {AT(baumgarte_alpha), REAL, POSITIVE, ANY, NO_WORDS, GAINS,
     "baumgarte: 0 = gII + 2 alpha gI + beta^2 g, 1/s"},
    {AT(baumgarte_beta), REAL, POSITIVE, ANY, NO_WORDS, GAINS,
     "baumgarte: see baumgarte_alpha, 1/s"},
    {AT(baumgarte_delta), REAL, POSITIVE, ANY, NO_WORDS, GAINS,
     "baumgarte: 0 = hI + delta h, 1/s"},
    {AT(linear_algebra), ENUM, 0, 0, WORDS(linear_algebra_words), EVERY,
     "dense or sparse realisation; sparse by one of the solvers: recorded, klu, banded"},
    {AT(accelerations), ENUM, 0, 0, WORDS(accelerations_words), EVERY,
     "how the mass matrix of a model file is treated: eliminated, or accelerations carried "
     "as unknowns"},
    {AT(coordinates), ENUM, 0, 0, WORDS(coordinates_words), EVERY,
     "mechanisms: unknowns are positions of all bodies (absolute) or coordinates of the joints "
     "of a tree (joint), or those of the two that are estimated to be cheaper (auto); default: "
     "absolute"},
    {AT(orientation), ENUM, 0, 0, WORDS(orientation_words), EVERY,
     "joint coordinates: spherical joints and free bodies have quaternions, or Cardan angles "
     "from where they are placed; auto: quaternions"},
    {AT(singular), ENUM, 0, 0, WORDS(singular_words), EVERY,
     "what happens at a singular position: the run stops, or passes it if the motion is "
     "smooth"},
    {AT(singular_threshold), REAL, 0, 1, NO_WORDS, EVERY,
     "a position is singular if a pivot falls below this part of its largest value; 0: not "
     "watched"},
    {AT(rank_tolerance), REAL, DBL_EPSILON, 0.1, NO_WORDS, EVERY,
     "singular values below this part of the largest are zero"},
    {AT(final_correction), BOOL, 0, 1, NO_WORDS, EVERY,
     "each step ends with a correction onto all constraint levels"},
    {AT(invariants), BOOL, 0, 1, NO_WORDS, EVERY,
     "stated invariants are enforced; off: only reported"},
    {AT(check_initial), BOOL, 0, 1, NO_WORDS, EVERY,
     "initial values are checked and corrected"},
    {AT(rounding_unit), REAL, 1e-19, 1e-3, NO_WORDS, EVERY, "rounding unit of the arithmetic"},
    {AT(failures_max), INT, 0, INT_MAX, NO_WORDS, NEWTON,
     "failures of Newton's iteration in a row, by steps no longer than the last one (after a "
     "start: the first one chosen), before giving up; 0: no limit"},
    {AT(formalism), ENUM, 0, 0, WORDS(formalism_words), CORRECTOR,
     "ggl-bdf: the equations of motion solved for the accelerations (explicit), or as M v' - f "
     "(residual); auto: accelerations are unknowns, or what jacobian and derivatives need"},
    {AT(jacobian), ENUM, 0, 0, WORDS(jacobian_words), CORRECTOR,
     "ggl-bdf: when the Jacobian is made anew: as DASSL does (full), not when only the step "
     "size (partitioned) or drives (extended) have changed; auto: as other formulations"},
    {AT(derivatives), ENUM, 0, 0, WORDS(derivatives_words),
     FORMULATIONS("ggl partition descriptor tangent-plane"),
     "where the Jacobian's entries come from: formulas (analytic), differences by columns "
     "(dense), by groups of columns (grouped), by groups of a pattern that was seen "
     "(estimated: ggl-bdf alone)"},
    {AT(jacobian_steps), INT, 0, INT_MAX, NO_WORDS, INTEGRATORS("bdf"),
     "accepted steps on one Jacobian, at most; 0: 20, or 10 where singular positions are "
     "watched for, or no limit if jacobian is not auto"},
    {AT(jacobian_threads), INT, 0, 64, NO_WORDS, FORMULATIONS("partition"),
     "so many threads make the Newton matrix of independent coordinates, column by column; 0: "
     "sparse elimination of all unknowns in place of it"},
};
// clang-format on

const int crank_option_count = sizeof crank_option_fields / sizeof *crank_option_fields;

crank_options crank_options_default(void)
{
    return (crank_options){
        .size = sizeof(crank_options),
        .rtol = 1e-6,
        .atol = 1e-6,
        .tolerance_transform = true,
        .controller = CRANK_CONTROL_PREDICTIVE,
        .control_rules = CRANK_RULES_RADAU5,
        .safety = 0.9,
        .growth_max = 8.0,
        .growth_min = 0.2,
        .keep_low = 1.0,
        .keep_high = 1.2,
        .error_filter = true,
        .newton_max = 10,
        .newton_start = CRANK_START_EXTRAPOLATE,
        .algebraic = CRANK_ALGEBRAIC_AUTO,
        .differential = CRANK_DIFFERENTIAL_LU,
        .selector_update = CRANK_SELECTOR_ADAPTIVE,
        .selector_source = CRANK_SELECTOR_MASS,
        .partition_limit = 1.25,
        .baumgarte_alpha = 10.0,
        .baumgarte_beta = 10.0,
        .baumgarte_delta = 10.0,
        .linear_algebra = CRANK_LINALG_AUTO,
        .accelerations = CRANK_ACCELERATIONS_AUTO,
        .coordinates = CRANK_COORDINATES_DEFAULT,
        .orientation = CRANK_ORIENTATION_AUTO,
        .singular = CRANK_SINGULAR_STOP,
        .singular_threshold = 1e-3,
        .rank_tolerance = CRANK_RANK_TOLERANCE,
        .final_correction = true,
        .invariants = true,
        .check_initial = true,
        .rounding_unit = 1e-16,
        .failures_max = 20,
    };
}

crank_options crank_options_geoms(void)
{
    crank_options options = crank_options_default();
    options.control_rules = CRANK_RULES_PUBLISHED;
    options.jacobian_reuse = 0.001;
    options.failures_max = 5;
    options.algebraic = CRANK_ALGEBRAIC_LU;
    options.selector_source = CRANK_SELECTOR_NEWTON_MATRIX;
    options.linear_algebra = CRANK_LINALG_DENSE;
    options.accelerations = CRANK_ACCELERATIONS_ELIMINATE;
    options.final_correction = false;
    options.invariants = true;
    return options;
}
