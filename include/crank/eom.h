/* eom.h - the first waist: equations of motion of the most general kind, theory (1.1)-(1.9).
 *
 *     p' = Z(p) v                                             kinematic      (p)
 *     M v' = f - Z^T G^T lambda - Z^T H^T mu                  dynamic        (v)
 *     r' = b                                                  force elements (r)
 *     0 = d                                                   auxiliary      (w)
 *     0 = c                                                   contact        (s)
 *     0 = h = H Z v + h0                                      nonholonomic   (mu)
 *     0 = g                                                   holonomic      (lambda)
 *     0 = e(p, v, s, t)                                       invariants
 *     0 = n(p)                                                position invariants (n_p Z = 0)
 *
 * with the hidden constraints gI = dg/dt, gII = d2g/dt2, hI = dh/dt, in which v' is replaced by
 * M^-1 (f - ...). Unknowns and rows are ordered so that the constraint Jacobian is block upper
 * triangular (specs of GEOMS [Ste06, B.1]):
 *
 *     x = [ w lambda mu | r | v | s p ]
 *     k = [ d gII hI | gI h e | c g n | b | f_dyn | f_kin ]
 *
 * f_dyn is the whole right-hand side of the dynamic equation, f_kin = Z v.
 * Where M is not easily inverted, a supplier carries the accelerations as auxiliary unknowns
 * (w = v', M = I, d: M w - f + ... = 0); such columns are marked so that norms leave them
 * out. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_EOM_H
#define CRANK_EOM_H

#include <crank/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Groups of unknowns, in the order of x. */
typedef enum crank_group {
    CRANK_W,
    CRANK_LAMBDA,
    CRANK_MU,
    CRANK_R,
    CRANK_V,
    CRANK_S,
    CRANK_P,
    CRANK_GROUPS
} crank_group;

/* Groups of rows, in the order of k. */
typedef enum crank_row_group {
    CRANK_ROW_D,
    CRANK_ROW_GII,
    CRANK_ROW_HI,
    CRANK_ROW_GI,
    CRANK_ROW_H,
    CRANK_ROW_E,
    CRANK_ROW_C,
    CRANK_ROW_G,
    CRANK_ROW_N,
    CRANK_ROW_B,
    CRANK_ROW_DYN,
    CRANK_ROW_KIN,
    CRANK_ROW_GROUPS
} crank_row_group;

typedef enum crank_mass_kind {
    CRANK_MASS_FULL,
    CRANK_MASS_DIAGONAL,
    CRANK_MASS_FULL_CONSTANT,
    CRANK_MASS_DIAGONAL_CONSTANT
} crank_mass_kind;

enum {
    CRANK_DIFFERENTIAL = 1,
    CRANK_ALGEBRAIC = 2,
    CRANK_ALL_ROWS = 3
}; /* what evaluate must fill */

typedef struct crank_eom_sizes {
    int p, v, r, w, s, lambda,
        mu;      /* unknowns; lambda = holonomic, mu = nonholonomic constraints */
    int e, n;    /* velocity and position invariants */
    int initial; /* extra initial conditions */
} crank_eom_sizes;

/* Callbacks of a C caller. All inputs are read-only, nothing may be kept. Return CRANK_OK,
 * CRANK_RETRY (outside the domain), or a negative status to stop. */

/* k (all rows, in the order above; rows of levels that are not supplied are ignored). */
typedef crank_status crank_eom_evaluate_fn(double t, const double *x, double *k, void *user);
/* values of dk/dx on the caller's pattern. vdot (nv, or NULL for zero): the dynamic rows are
 * d(f_dyn - M vdot)/dx, the rest does not depend on it; a caller with constant M ignores it. */
typedef crank_status crank_eom_jacobian_fn(double t, const double *x, const double *vdot,
                                           double *values, void *user);
/* values of M on the caller's pattern (full column-major nv x nv if no pattern was given). */
typedef crank_status crank_eom_mass_fn(double t, const double *x, double *values, void *user);
/* residuals of the extra initial conditions. */
typedef crank_status crank_eom_initial_fn(double t, const double *x, double *conditions,
                                          void *user);

/* How much of the hidden constraints the caller computes. The rest is made by differences. */
typedef enum crank_eom_levels {
    CRANK_LEVELS_ALL,      /* gI, gII and hI: what GEOMS asks for */
    CRANK_LEVELS_VELOCITY, /* gI only: enough for peom1; gII, hI by directional differences */
    CRANK_LEVELS_POSITION  /* none: gI, gII, hI by directional differences */
} crank_eom_levels;

typedef struct crank_eom_definition {
    size_t size; /* set by crank_eom_definition_default */
    crank_eom_sizes sizes;
    crank_eom_levels levels;
    crank_mass_kind mass_kind;
    bool autonomous; /* nothing depends on t explicitly; told to users, no method needs it */
    crank_eom_evaluate_fn *evaluate;
    crank_eom_jacobian_fn *jacobian; /* NULL: coloured differences */
    crank_eom_mass_fn *mass;         /* NULL: M = I */
    crank_eom_initial_fn *initial;   /* needed if sizes.initial > 0 */
    crank_pattern jacobian_pattern;  /* start == NULL: dense; copied */
    crank_pattern mass_pattern; /* start == NULL: dense, or diagonal after mass_kind; copied */
    /* names per unknown of each group, NULL: p1, p2, ...; copied. lambda and mu names are those
     * of their constraints. invariant_names: e, then n. */
    const char *const *names[CRANK_GROUPS];
    const char *const *invariant_names;
    const char *const *initial_names;
    void *user;
} crank_eom_definition;

typedef struct crank_eom
    crank_eom; /* opaque; see src/eom/eom.h for suppliers inside the library */

CRANK_API crank_eom_definition crank_eom_definition_default(void);
/* Copies the definition (not what user points to). *out is NULL on failure. */
CRANK_API crank_status crank_eom_create(const crank_eom_definition *definition, crank_log log,
                                        crank_eom **out, crank_error *err);
CRANK_API void crank_eom_destroy(crank_eom *eom);

CRANK_API crank_eom_sizes crank_eom_get_sizes(const crank_eom *eom);
CRANK_API int crank_eom_unknowns(const crank_eom *eom); /* n, length of x */
CRANK_API int crank_eom_rows(const crank_eom *eom);     /* m, length of k */
CRANK_API int crank_eom_column(const crank_eom *eom,
                               crank_group group); /* first index of a group in x */
CRANK_API int crank_eom_row(const crank_eom *eom,
                            crank_row_group group); /* first index of a group in k */
/* "lambda.length"; the name lives as long as eom. */
CRANK_API const char *crank_eom_column_name(const crank_eom *eom, int column);
/* 'holonomic "length", velocity level' written into text; returns text. */
CRANK_API const char *crank_eom_row_name(const crank_eom *eom, int row, char *text,
                                         size_t size);

/* k at one point; all rows. */
CRANK_API crank_status crank_eom_evaluate(crank_eom *eom, double t, const double *x, double *k,
                                          crank_error *err);

/* Largest absolute residuals of the position (c, g, n), velocity (gI, h, e) and acceleration
 * (d, gII, hI) levels at (t, x), each divided by the row's scale: 1 + sum_j |dk_i/dx_j|
 * |x_j|. */
CRANK_API crank_status crank_eom_residuals(crank_eom *eom, double t, const double *x,
                                           double residual[3], crank_error *err);

/* The same for rows along a motion: sizes of rows by derivatives that are up to some steps old,
 * which is where most of the work goes. */
CRANK_API crank_status crank_eom_residuals_near(crank_eom *eom, double t, const double *x,
                                                double residual[3], crank_error *err);

/* No step from (t, x) succeeds: is x where a force of a mechanism has no direction or no bound?
 * ESTOP_EQUATIONS with its name and what is wrong there; CRANK_OK: no, or not known.
 * crank_run_step asks. */
CRANK_API crank_status crank_eom_find_pole(crank_eom *eom, double t, const double *x,
                                           crank_error *err);

/* The same for a freedom of a mechanism that has lost its inertia on the way: a body without
 * inertia about an axis, say, whose turn about it no longer moves anything else. Known where
 * accelerations are carried. */
CRANK_API crank_status crank_eom_find_loss(crank_eom *eom, double t, const double *x,
                                           crank_error *err);

/* The same for friction that locks: forces of a mechanism that read reactions (friction under
 * load) and grow by those that they cause themselves, without bound at x. theory (7.56). */
CRANK_API crank_status crank_eom_find_lock(crank_eom *eom, double t, const double *x,
                                           crank_error *err);

/* The drive that is at a dead centre at (t, x), where it asks for motions out of all proportion
 * and forces have no bound: 'the drive of joint "a"' in text; false: none is, or it cannot be
 * told. crank_run_step names it where runs stop at singular positions. */
CRANK_API bool crank_eom_find_dead_centre(crank_eom *eom, double t, const double *x, char *text,
                                          size_t size);

/* The derivative checker: compares every supplied Jacobian entry with differences at (t, x),
 * and gI, gII, hI with directional differences of g, gI, h along the flow. Writes the largest
 * relative deviation and names the worst entry in text. */
CRANK_API crank_status crank_eom_check_derivatives(crank_eom *eom, double t, const double *x,
                                                   double *deviation, char *text, size_t size,
                                                   crank_error *err);

/* ---- consistent initial values (src/eom/initial.c) ---- */

typedef enum crank_fixing { CRANK_PREFERRED, CRANK_FIXED, CRANK_FREE } crank_fixing;

typedef struct crank_initial_options {
    size_t size;
    double tolerance;   /* accepted residual, relative to the row's scale; default 1e-12 */
    int max_iterations; /* Gauss-Newton iterations per level; default 50 */
    /* larger relative moves of a position are refused as a jump to another branch unless it is
     * free; default 0.5 of the size of p; 0: no limit. Bodies: of the mechanism's size, and
     * turned by 2.5 times this (rad) */
    double max_change;
    /* n, or NULL: positions, velocities, r preferred; the rest free */
    const crank_fixing *fixing;
    bool check_only;
    bool multipliers; /* also w, lambda, mu (false for peom1) */
    /* x is a state of a motion, not a rough start: extra initial conditions are left out, and
     * no other way of closing loops is looked for */
    bool under_way;
    /* n, or NULL: where a search that fails has come to; levels that hold there are solved */
    double *reached;
} crank_initial_options;

typedef struct crank_initial_report {
    bool consistent;     /* before any change */
    double residual[3];  /* before: position, velocity, acceleration level */
    double corrected[3]; /* after */
    int iterations;
    double largest_change; /* relative to 1 + |x_j| */
    int largest_column;    /* whose change is the largest, -1 if none */
} crank_initial_report;

CRANK_API crank_initial_options crank_initial_options_default(void);
/* x is corrected in place by the smallest weighted change; consistent data is left bit for
 * bit. */
CRANK_API crank_status crank_eom_initialize(crank_eom *eom, double t, double *x,
                                            const crank_initial_options *options,
                                            crank_initial_report *report, crank_log log,
                                            crank_error *err);

/* Warns if the motion from the consistent point (t, x) depends on multipliers that redundant
 * constraints leave open, with the names of what reads them (friction under the load of a
 * joint) and of what is redundant. crank_eom_initialize does so; for those who start without
 * it. */
CRANK_API crank_status crank_eom_warn_loads(crank_eom *eom, double t, const double *x,
                                            crank_log log, crank_error *err);

/* ---- rank, redundancy and assumptions (src/eom/structure_report.c) ---- */

typedef struct crank_structure_report {
    int rank_g, rank_h;     /* of G and of [GZ; HZ] minus that of GZ */
    int freedom_position;   /* n_p - rank of the position constraints */
    int freedom_velocity;   /* n_v - rank_g - rank_h */
    bool mass_regular;      /* M nonsingular */
    bool auxiliary_regular; /* d_w nonsingular (or empty) */
    bool contact_regular;   /* c_s nonsingular (or empty) */
    bool bordered_regular;  /* assumption 3 of [Ste06, 4.2.1]: the motion is determined */
    bool contradictory;     /* dependent rows whose residuals do not agree */
    /* entries of redundant: index of holonomic (0..nl-1), nl + nonholonomic */
    int redundant_count;
    int *redundant;  /* dependent constraints */
    int *depends_on; /* per redundant entry, the constraint that contributes most, or -1 */
    bool *multiplier_unique; /* nl + nm */
    double condition_g;    /* largest / smallest accepted singular value of the position rows */
    double smallest_ratio; /* smallest accepted singular value / largest */
    /* dependent here but not nearby: a singular position, where no motion can start */
    bool degenerate;
    char degenerate_text[200]; /* the constraints that degenerate */
    /* per redundant entry: 'joint "hinge2": rotation about x repeats "hinge1"' */
    char **redundant_text;
    /* mechanisms: independent loops (-1: not a mechanism); bodies whose inertia is singular,
     * 'body "rod" has no mass' */
    int loops;
    int massless_count;
    char **massless_text;
    /* directions of motion that neither mass nor constraints determine, 'body "rod": rotation
     * about its z axis' (the first of them, at most 16) */
    int open_count;
    char **open_text;
} crank_structure_report;

/* At a consistent point. Free with crank_structure_report_free. */
CRANK_API crank_status crank_eom_structure(crank_eom *eom, double t, const double *x,
                                           double rank_tolerance,
                                           crank_structure_report *report, crank_error *err);
CRANK_API void crank_structure_report_free(crank_structure_report *report);
/* What becomes of redundant constraints where drives lead from the consistent point (t, x): no
 * drive moves positions until t_end; they stay redundant; they become independent, so that the
 * motion locks or stops; positions cannot follow the drives at all. *when: the time that was
 * looked at. */
typedef enum crank_drives {
    CRANK_DRIVES_STILL,
    CRANK_DRIVES_KEEP,
    CRANK_DRIVES_PART,
    CRANK_DRIVES_STUCK
} crank_drives;
CRANK_API crank_status crank_eom_follow_drives(crank_eom *eom, double t, double t_end,
                                               const double *x, crank_drives *drives,
                                               double *when, crank_error *err);
/* Its degrees of freedom in velocity (of general DAEs all of them) alone, which costs less. */
CRANK_API crank_status crank_eom_freedom(crank_eom *eom, double t, const double *x,
                                         double rank_tolerance, int *freedom, crank_error *err);

/* ---- bodies and joints, of eoms that were made from a mechanism (src/eom/parts.c) ---- */

CRANK_API int crank_eom_bodies(const crank_eom *eom); /* 0: not a mechanism */
/* 'body "rod"' */
CRANK_API const char *crank_eom_body_text(const crank_eom *eom, int body);
/* The body to which position i of sizes.p belongs; -1: to none. */
CRANK_API int crank_eom_position_body(const crank_eom *eom, int i);
/* The size of a mechanism whose bodies stand as x says: how far they lie apart, and how large
 * they are. */
CRANK_API double crank_eom_extent(const crank_eom *eom, const double *x);
/* What an unknown counts as one in, of a mechanism by its length and time, else 1: with |x|,
 * what changes of it are compared with. */
CRANK_API double crank_eom_unit(const crank_eom *eom, int column);
/* How far the centre of mass of a body lies in `to` from where it is in `from`, and by which
 * angle it is turned; 0: not visibly, by less than 1e-9 of the mechanism's length, of a
 * radian. */
CRANK_API void crank_eom_body_move(const crank_eom *eom, int body, const double *from,
                                   const double *to, double *distance, double *angle);
/* 'joint "knee", translation along x' or 'holonomic "length"', of the i-th holonomic (0 ..
 * nl-1) or nonholonomic (nl + ...) constraint, written into text; returns text. */
CRANK_API const char *crank_eom_constraint_text(const crank_eom *eom, int i, char *text,
                                                size_t size);
/* The joint that states the constraint, 'joint "knee"', and the direction, "translation along
 * x"; NULL: not a mechanism. */
CRANK_API const char *crank_eom_constraint_joint(const crank_eom *eom, int i,
                                                 const char **direction);

#ifdef __cplusplus
}
#endif

#endif
