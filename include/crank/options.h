/* options.h - every option of formulations and integrators, one struct and one table.
 *
 * The table (src/base/options.c) serves the model file (`simulate:`), the command line
 * (`--option name=value`, `--rtol`), C, the help text and the validation. Names of GEOMS in
 * brackets. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_OPTIONS_H
#define CRANK_OPTIONS_H

#include <crank/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum crank_algebraic_decomposition {
    CRANK_ALGEBRAIC_AUTO,
    CRANK_ALGEBRAIC_LU,
    CRANK_ALGEBRAIC_QR,
    CRANK_ALGEBRAIC_SVD
} crank_algebraic_decomposition;
typedef enum crank_differential_decomposition {
    CRANK_DIFFERENTIAL_LU,
    CRANK_DIFFERENTIAL_QR
} crank_differential_decomposition;
typedef enum crank_selector_update {
    CRANK_SELECTOR_ADAPTIVE,
    CRANK_SELECTOR_EVERY_STEP
} crank_selector_update;
typedef enum crank_selector_source {
    CRANK_SELECTOR_MASS,
    CRANK_SELECTOR_NEWTON_MATRIX
} crank_selector_source;
typedef enum crank_linear_algebra {
    CRANK_LINALG_AUTO,
    CRANK_LINALG_DENSE,
    CRANK_LINALG_SPARSE,
    CRANK_LINALG_RECORDED, /* sparse, by one of the solvers of src/linalg/solver.h */
    CRANK_LINALG_KLU,
    CRANK_LINALG_BANDED
} crank_linear_algebra;
typedef enum crank_singular_action {
    CRANK_SINGULAR_STOP,
    CRANK_SINGULAR_PASS
} crank_singular_action;
typedef enum crank_newton_start {
    CRANK_START_EXTRAPOLATE,
    CRANK_START_ZERO
} crank_newton_start;
typedef enum crank_controller {
    CRANK_CONTROL_PREDICTIVE,
    CRANK_CONTROL_CLASSICAL
} crank_controller;
typedef enum crank_error_norm { CRANK_NORM_RMS, CRANK_NORM_MAX } crank_error_norm;
typedef enum crank_control_rules {
    CRANK_RULES_RADAU5,
    CRANK_RULES_PUBLISHED
} crank_control_rules;
typedef enum crank_accelerations {
    CRANK_ACCELERATIONS_AUTO,
    CRANK_ACCELERATIONS_ELIMINATE,
    CRANK_ACCELERATIONS_CARRY
} crank_accelerations;
typedef enum crank_coordinates_choice {
    CRANK_COORDINATES_DEFAULT,
    CRANK_COORDINATES_ABSOLUTE,
    CRANK_COORDINATES_JOINT,
    CRANK_COORDINATES_AUTO
} crank_coordinates_choice;
typedef enum crank_orientation {
    CRANK_ORIENTATION_AUTO,
    CRANK_ORIENTATION_QUATERNION,
    CRANK_ORIENTATION_CARDAN
} crank_orientation;
typedef enum crank_formalism {
    CRANK_FORMALISM_AUTO,
    CRANK_FORMALISM_EXPLICIT, /* v' = M^-1 f */
    CRANK_FORMALISM_RESIDUAL  /* M v' - f */
} crank_formalism;
typedef enum crank_jacobian_strategy {
    CRANK_JACOBIAN_AUTO,
    CRANK_JACOBIAN_FULL, /* DASSL: made anew when the step size changes by much */
    CRANK_JACOBIAN_PARTITIONED,
    CRANK_JACOBIAN_EXTENDED
} crank_jacobian_strategy;
typedef enum crank_jacobian_source {
    CRANK_DERIVATIVES_AUTO,
    CRANK_DERIVATIVES_ANALYTIC,
    CRANK_DERIVATIVES_DENSE,
    CRANK_DERIVATIVES_GROUPED,
    CRANK_DERIVATIVES_ESTIMATED
} crank_jacobian_source;

typedef struct crank_options {
    size_t size; /* set by crank_options_default */
    /* accuracy */
    double rtol, atol;                                                   /* 1e-6, 1e-6 */
    double atol_p, atol_v, atol_r, atol_w, atol_s, atol_lambda, atol_mu; /* 0: atol */
    /* mechanisms: by kinds instead, in the model's units; 0: by groups */
    double atol_length, atol_angle, atol_speed, atol_spin, atol_force, atol_torque, atol_energy;
    bool tolerance_transform; /* RADAU5's rtol' = 0.1 rtol^(2/3); on */
    /* step size */
    double h_start;              /* s; 0: chosen */
    double h_max;                /* s; 0: no limit [HMAX] */
    int64_t max_steps;           /* 0: no limit [NMAX] */
    crank_controller controller; /* [PRED] */
    /* radau5, or the plain formulas as published for GEOMS */
    crank_control_rules control_rules;
    crank_error_norm error_norm;   /* over the unknowns: root mean square, or the largest */
    double safety;                 /* 0.9 [SAFE] */
    double growth_max, growth_min; /* 8, 0.2 [FACL, FACR] */
    double keep_low,
        keep_high;     /* 1, 1.2: step is kept if the ratio lies between [QUOT1, QUOT2] */
    int max_order;     /* 0: highest order of bdf (0: 5) or adams (0: 12) */
    bool error_filter; /* on: rosenbrock's error estimate times the matrix' inverse */
    /* Newton */
    int newton_max;                  /* 10 [NIT] */
    double newton_tolerance;         /* 0: max(10 u/rtol', min(0.03, sqrt(rtol'))) [FNEWT] */
    crank_newton_start newton_start; /* [STARTN] */
    int newton_matrix;     /* 0: at x_k; 1, 2, 3: at that extrapolated stage [NWTMAT] */
    int newton_updates;    /* 0 [NWTUPD] */
    double jacobian_reuse; /* kept if the contraction is below; 0: 0.01 or 0.001; < 0: never
                              [THET] */
    /* formulation */
    crank_algebraic_decomposition algebraic;       /* auto: LU, SVD once redundant [DECOMPC] */
    crank_differential_decomposition differential; /* [DECOMPD] */
    crank_selector_update selector_update;         /* [SELCOMP] */
    /* mass: row-equilibrated V_D; newton_matrix: E1, as published */
    crank_selector_source selector_source;
    int selector_period; /* gmkssol: accepted steps between selectors; 0: every; -1: constant */
    /* 1.25: growth of the condition at which independent coordinates are chosen anew */
    double partition_limit;
    double baumgarte_alpha, baumgarte_beta,
        baumgarte_delta; /* 10, 10, 10 1/s: 0 = gII + 2 alpha gI + beta^2 g, hI + delta h */
    crank_linear_algebra linear_algebra;
    crank_accelerations accelerations;    /* how a model file's M is treated */
    crank_coordinates_choice coordinates; /* mechanisms: what says where bodies are */
    crank_orientation orientation;        /* joint coordinates: of balls and free bodies */
    crank_singular_action singular;
    double singular_threshold; /* 1e-3: smallest pivot relative to its largest value so far */
    double rank_tolerance;     /* 1e-8 */
    bool final_correction;     /* on */
    bool invariants;           /* on: rows e are enforced (psf+I), off: only reported */
    bool check_initial;        /* on: initial values are checked and corrected [IVCNSST] */
    double rounding_unit;      /* 1e-16 [UROUND] */
    /* 20 (geoms: 5): consecutive Newton failures before giving up [NSING]; 0: no limit */
    int failures_max;
    /* the corrector of ggl-bdf */
    crank_formalism formalism;
    crank_jacobian_strategy jacobian;
    crank_jacobian_source derivatives;
    int jacobian_steps; /* bdf: accepted steps on one Jacobian; 0: chosen */
    /* 0; partition: so many threads make the Newton matrix column by column */
    int jacobian_threads;
} crank_options;

CRANK_API crank_options crank_options_default(void);
/* The published options of GEOMS: no final correction, selectors from E1, plain control, ... */
CRANK_API crank_options crank_options_geoms(void);
/* Sets one option from text; unknown names and bad values are errors with a suggestion. */
CRANK_API crank_status crank_options_set(crank_options *options, const char *name,
                                         const char *value, crank_error *err);
/* Range and consistency checks of the whole struct. */
CRANK_API crank_status crank_options_check(const crank_options *options, crank_error *err);
/* The i-th option: name, admissible values and default as text, explanation. false past the
 * end. */
CRANK_API bool crank_options_describe(int i, const char **name, char *range, size_t range_size,
                                      const char **help);
/* Those that have the i-th option: "bdf and adams"; empty: all. false past the end. */
CRANK_API bool crank_options_owners(int i, char *text, size_t size);

/* Splits a method's name ("psf-radau", or an alias such as "geoms") into its parts. An alias
 * with options of its own (geoms) replaces *options whole: resolve first, then set what the
 * user asks for. formulation and integrator are static strings. */
CRANK_API crank_status crank_method_resolve(const char *method, const char **formulation,
                                            const char **integrator, crank_options *options,
                                            crank_error *err);
/* The i-th method or alias with a one-line description; false past the end. */
CRANK_API bool crank_method_describe(int i, const char **name, const char **help);

#ifdef __cplusplus
}
#endif

#endif
