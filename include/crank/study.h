/* study.h - what is asked about a model besides its motion: where it rests, how it vibrates,
 * how it does with other parameters.
 *
 *     crank_equilibrium rest;
 *     crank_run_open("crane.yaml", NULL, &run, &err);
 *     crank_run_find_equilibrium(run, NULL, &rest, &err);
 *     if (rest.stability == CRANK_UNSTABLE) puts(rest.direction);
 *     crank_run_advance(run, 1.0, &err);              // from there on
 *
 * Functions of the front door (crank/run.h): the command only calls them. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_STUDY_H
#define CRANK_STUDY_H

#include <crank/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- equilibrium ---- */

/* By the stiffness over the motions that constraints leave, theory (12.8), and by the linearised
 * motion, (12.9), which goes before where it is not too large. */
typedef enum crank_stability {
    CRANK_STABILITY_UNKNOWN, /* not looked at: more than 600 freedoms, or 1300 other unknowns */
    CRANK_STABLE,
    CRANK_INDIFFERENT, /* something moves freely, to first order */
    CRANK_UNSTABLE
} crank_stability;

enum { CRANK_FREE_DIRECTIONS = 6, CRANK_DIRECTION_TEXT = 200, CRANK_ROUGH_TEXT = 240 };

typedef struct crank_equilibrium_options {
    size_t size;
    double tolerance;   /* accepted residual of a balance, relative to its terms; 1e-11 */
    int max_iterations; /* of each of Newton's method and relaxation; 4000 */
} crank_equilibrium_options;

typedef struct crank_equilibrium {
    double residual; /* largest of the balances, relative to its terms */
    int iterations;
    bool given;   /* the start was one already */
    bool relaxed; /* Newton's method was not enough */
    crank_stability stability;
    bool damped; /* by the linearised motion, with dampers, controllers and whatever follows */
    char undamped[CRANK_ROUGH_TEXT]; /* else why not */
    int freedom;                     /* degrees of freedom */
    /* smallest stiffness over inertia of the motions that are free to it, 1/s^2: squared
     * angular frequency, or how fast it falls; NaN: not known */
    double smallest;
    /* unstable: along which motion, 'body "rod": rotation'; else "" */
    char direction[CRANK_DIRECTION_TEXT];
    int free_count; /* motions that nothing resists: the first of them */
    char free_text[CRANK_FREE_DIRECTIONS][CRANK_DIRECTION_TEXT];
    /* Dry friction, and treads of tyres, that hold it, 'force "brake" holds 4.9 of 5.1 N,
     * creeping at 2e-4 m/s': as smooth friction does, with the velocities that the run then
     * begins with; creep: the largest of these rates, over `slip` or `slow`. Stability is that
     * of what it does not hold. */
    int held_count;
    char held_text[CRANK_FREE_DIRECTIONS][CRANK_DIRECTION_TEXT];
    double creep;
    /* Friction that does not hold where it began: that it slides, and why. */
    int slide_count;
    char slide_text[CRANK_FREE_DIRECTIONS][CRANK_DIRECTION_TEXT];
    /* Bodies that turned by more than a right angle on the way from the start, 'body "crane" by 179
     * deg': of those with an axis of symmetry the axis counts. */
    int turned_count;
    char turned_text[CRANK_FREE_DIRECTIONS][CRANK_DIRECTION_TEXT];
} crank_equilibrium;

CRANK_API crank_equilibrium_options crank_equilibrium_options_default(void);
/* From the run's start (its file's, or crank_run_begin_from), at its time: drives stand still
 * as they are then, velocities are zero but for the creeping of friction. Loops, redundant constraints (reactions of least norm,
 * marked in the results), nonholonomic constraints on the way, dynamic variables. What it finds
 * becomes the beginning of the run. EINIT_CONVERGENCE: none was found, and why. The run must
 * not be formulated yet. */
CRANK_API crank_status crank_run_find_equilibrium(crank_run *run,
                                                  const crank_equilibrium_options *options,
                                                  crank_equilibrium *out, crank_error *err);
/* "stable", "unstable", "indifferent", "not known" */
CRANK_API const char *crank_stability_word(crank_stability stability);

/* ---- linearisation ---- */

typedef struct crank_linear_options {
    size_t size;
    const char *const *inputs; /* names of parameters or inputs */
    int input_count;
    const char *const *outputs; /* names of columns */
    int output_count;
} crank_linear_options;

/* delta x' = A delta x + B delta u,  delta y = C delta x + D delta u, matrices column by column;
 * x are positions, velocities and dynamic variables that constraints leave independent. */
typedef struct crank_linear {
    int states, inputs, outputs;
    const char **state_name, **input_name, **output_name;
    double *A, *B, *C, *D;
    /* states each: eigenvalues, conjugates beside each other, the slowest first; natural
     * frequency |lambda|/(2 pi) in Hz and damping ratio -real/|lambda| (0 where lambda is 0) */
    double *real, *imag, *frequency, *damping;
    /* states: what rounding may make of them where only it holds (of a motion that nothing
     * resists) */
    double *rounding;
    double
        *modes; /* states x states complex numbers (re, im): eigenvectors, column by column */
    /* the point rests, or lies on a steady motion (a turn about one axis while bodies spin): then
     * x is counted in axes that move with it, and A is constant. Else it is that of the moment, in
     * axes that move on as the motion does just then. */
    bool steady;
    const char *
        *leader; /* by mode: the velocity of the body or joint with the largest part in its
                          * kinetic energy; where nothing moves, the largest state */
    void *own;   /* memory of all this */
    char unsteady[CRANK_DIRECTION_TEXT]; /* not steady: what changes most, and by how much */
    /* B, C or D have no derivative there (a stop that is just touched), only the means of those to
     * both sides: the first, 'body.wheel.vz by post: 2e5 to the one side, 0 to the other'; or "" */
    char rough[CRANK_ROUGH_TEXT];
    /* the same of A, which then has the derivatives to one side alone: 'body.wheel.vz by
     * body.wheel.z: ...'; or "" */
    char corner[CRANK_ROUGH_TEXT];
} crank_linear;

CRANK_API crank_linear_options crank_linear_options_default(void);
/* At the beginning of the run: its file's start, a row (crank_run_begin_from) or an equilibrium
 * (crank_run_find_equilibrium before), with all velocities that there are, so that it may lie on
 * a steady motion. Holonomic and nonholonomic constraints, theory (12.11)-(12.14). */
CRANK_API crank_status crank_run_linearize(crank_run *run, const crank_linear_options *options,
                                           crank_linear *out, crank_error *err);
CRANK_API void crank_linear_free(crank_linear *linear);
/* .json (all of it), .mat (version 4: A, B, C, D, lambda, names), .csv (eigenvalues). */
CRANK_API crank_status crank_linear_write(const crank_linear *linear, const char *path,
                                          crank_error *err);

/* One of the slowest modes of a large model. */
typedef struct crank_mode {
    double real, imag, frequency, damping;
    const char *leader; /* as in crank_linear; of the run, or "" */
} crank_mode;
/* The slowest modes at the beginning of the run, at most count (conjugates and copies of multiple
 * eigenvalues count), by sparse factors: for models that are too large for matrices. Constraints
 * may be dependent; the motion must be a rest or steady as in crank_linear (EREFUSED). *found: how
 * many there are. */
CRANK_API crank_status crank_run_find_modes(crank_run *run, int count, crank_mode *modes,
                                            int *found, crank_error *err);

/* ---- sweeps: many runs of one model ---- */

/* Which parameters and start values are varied, what is kept of each run. Made from a file
 * (docs/formats.md, study files), or step by step. */
typedef struct crank_study crank_study;

/* A study of a model file. options: settings, method, t_end, options and model of all its runs
 * (NULL: as the file says). Neither reads the model. */
CRANK_API crank_status crank_study_create(const char *model, const crank_run_options *options,
                                          crank_study **out, crank_error *err);
/* A study file; what the caller's options say goes before it. */
CRANK_API crank_status crank_study_read(const char *path, const crank_run_options *options,
                                        crank_study **out, crank_error *err);
CRANK_API void crank_study_destroy(crank_study *study);
/* A factor: "from:to:count", "from:to" (latin, sobol) or "a,b,c". */
CRANK_API crank_status crank_study_vary(crank_study *study, const char *name, const char *range,
                                        crank_error *err);
/* "grid" (all combinations, the last factor fastest), "list" (the i-th values together),
 * "latin", "sobol" of so many points; 0: as many as there are. */
CRANK_API crank_status crank_study_sample(crank_study *study, const char *sampling,
                                          int64_t count, uint64_t seed, crank_error *err);
/* What is kept: kind "final", "minimum", "maximum", "integral" (at the rows of the common times)
 * or "columns" (all of these rows). */
CRANK_API crank_status crank_study_keep(crank_study *study, const char *kind,
                                        const char *column, crank_error *err);
/* Intervals of the common times (0: the model file's, or 200); seconds of computing that a run
 * may take (0: any). */
CRANK_API void crank_study_set_rows(crank_study *study, int intervals);
CRANK_API void crank_study_set_limit(crank_study *study, double seconds);
/* Reads the model, and checks names of factors and columns. Nothing can be changed then. */
CRANK_API crank_status crank_study_open(crank_study *study, crank_error *err);
CRANK_API const crank_model *crank_study_model(const crank_study *study);
/* After open. Values of the factors of member i follow from seed and i alone. */
CRANK_API int64_t crank_study_count(const crank_study *study);
CRANK_API int crank_study_factor_count(const crank_study *study);
CRANK_API const char *crank_study_factor(const crank_study *study, int factor);
CRANK_API void crank_study_point(const crank_study *study, int64_t i, double *values);

/* How a member ended: status(run) of the file. */
typedef enum crank_member_status {
    CRANK_MEMBER_MISSING = -1, /* not run */
    CRANK_MEMBER_DONE,
    CRANK_MEMBER_STOPPED, /* by an event, before the end */
    CRANK_MEMBER_FAILED,
    CRANK_MEMBER_SLOW /* stopped by the limit of time */
} crank_member_status;

typedef struct crank_study_progress {
    int64_t done, count;  /* members of this part, those that were done before among them */
    int64_t failed, slow; /* of them */
    int64_t before;       /* of those done: by earlier processes */
    double seconds;       /* since this process began */
} crank_study_progress;

typedef struct crank_study_order {
    size_t size;
    const char *out;   /* the result, FILE.nc; logs are beside it, FILE.nc.log-1-of-1 */
    int threads;       /* 1 */
    int shard, shards; /* members i with i mod shards = shard - 1; 1 of 1 */
    /* NULL, or asked before every step of a run: true ends the work, what is done is kept */
    bool (*stop)(void *user);
    /* NULL, or told after every member, by one thread at a time */
    void (*progress)(const crank_study_progress *progress, void *user);
    void *user;
} crank_study_order;
CRANK_API crank_study_order crank_study_order_default(void);
/* Runs the members that no log has yet. A member that fails, ends early or takes too long is
 * recorded like the others. EINTERRUPTED: stopped. *progress (may be NULL): the last. */
CRANK_API crank_status crank_study_work(const crank_study *study,
                                        const crank_study_order *order,
                                        crank_study_progress *progress, crank_error *err);
/* All logs beside out as one netCDF-4 file, member by member; *missing: how many are in none
 * (status -1 in the file); -1: another process writes it just now, and this one nothing. Logs
 * are left. */
CRANK_API crank_status crank_study_merge(const crank_study *study, const char *out,
                                         int64_t *missing, crank_error *err);
/* How many members are in no log, without writing anything. */
CRANK_API crank_status crank_study_missing(const crank_study *study, const char *out,
                                           int64_t *missing, crank_error *err);
/* Removes the logs beside out. */
CRANK_API crank_status crank_study_remove_logs(const crank_study *study, const char *out,
                                               crank_error *err);

#ifdef __cplusplus
}
#endif

#endif
