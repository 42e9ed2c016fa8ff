/* eom.h - the inside of an eom, for those who supply one (model/, mechanics/) and those who
 * use one (formulate/). The public face is crank/eom.h. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EOM_H
#define CRANK_SRC_EOM_H

#include "base/archive.h"
#include "base/arena.h"
#include "linalg/recursion.h"

#include <crank/eom.h>

/* Line and column in the user's file, from 1; {0, 0}: none. */
typedef struct crank_place {
    int line, column;
    const char *file; /* the included file that it is in; NULL: the model's own */
} crank_place;

/* crank_fail_at with the file of the place. */
crank_status crank_fail_place(crank_error *err, crank_status status, crank_place place,
                              const char *format, ...) CRANK_PRINTF(4, 5);

/* What a supplier implements. self is the supplier's own object. Evaluation takes several
 * points at once (count; x: n x count, k: m x count, column-major) so that suppliers can
 * share work between the stages of a Runge-Kutta method. rows: CRANK_DIFFERENTIAL,
 * CRANK_ALGEBRAIC or both; only those rows must be filled. None of these may allocate. */
typedef struct crank_eom_supplier {
    crank_status (*evaluate)(void *self, int count, const double *t, const double *x, int rows,
                             double *k, crank_error *err);
    crank_status (*jacobian)(void *self, double t, const double *x, const double *vdot,
                             double *values, crank_error *err);
    crank_status (*mass)(void *self, double t, const double *x, double *values,
                         crank_error *err);
    crank_status (*initial)(void *self, double t, const double *x, double *conditions,
                            crank_error *err); /* NULL if none */
    /* Start velocities of x, given for the positions of `from`, become those for its own; NULL:
     * they are the same. */
    void (*carry)(void *self, double t, const double *from, double *x);
    void (*destroy)(void *self); /* may be NULL */
    /* The run starts at (t, x), or an accepted (and corrected) step ended there: the place for
     * what is remembered along a motion (turns of an angle). Rows between steps and rejected
     * attempts may be evaluated on either side of it afterwards. Fails where the step led
     * across what no motion passes (a force's pole). May be NULL; crank_eom_accepted calls
     * it. */
    crank_status (*accepted)(void *self, double t, const double *x, crank_error *err);
    /* crank_eom_stand; NULL: no rate follows from t alone. */
    void (*stand)(void *self, bool stands);
    /* Checkpoints: all that evaluations remember. NULL: nothing; not with accepted. */
    void (*archive)(void *self, crank_archive *archive);
    /* What explicit methods need at a point: see crank_eom_evaluate_stage (stage.h), which
     * calls it. NULL: taken from evaluate and jacobian. */
    crank_status (*stage)(void *self, double t, const double *x, double *k, double *values,
                          crank_error *err);
    /* crank_eom_look; NULL: nothing is to be said. */
    crank_status (*look)(void *self, double t, const double *x, const crank_log *log,
                         crank_error *err);
    /* crank_eom_looks_at_state; NULL: it does. */
    bool (*looks_at_state)(const void *self);
    /* The run will end at this time. NULL: it does not matter. */
    void (*end)(void *self, double t_end);
    /* Tolerances of the run. NULL: they do not matter. */
    void (*tolerate)(void *self, double relative, double absolute);
    /* dk/dt (m) with x held. NULL: by differences (time_derivative.c). */
    crank_status (*time_derivative)(void *self, double t, const double *x, double *kt,
                                    crank_error *err);
    /* Where accelerations are carried: derivatives of the rows d by them at (t, x), into their
     * entries of the Jacobian's values; the others stay as they are. NULL: of the whole. */
    crank_status (*inertia)(void *self, double t, const double *x, double *values,
                            crank_error *err);
    /* If eom->accelerates: carried accelerations a (v) by which rows d vanish, at the point of
     * the last evaluate, whose rows k belong to free a of zero; those that are held stay.
     * CRANK_RETRY: not determined. */
    crank_status (*accelerate)(void *self, const bool *held, const double *k, double *a,
                               crank_error *err);
    /* If eom->accelerates: has every motion by velocities inertia at (t, x), more than rounding?
     * NULL: it does not tell. */
    bool (*definite)(void *self, double t, const double *x);
    /* Positions of x along velocities step (v): p + Z step, and from there onto n = 0. For
     * projections of explicit methods where Z changes or there is an n; NULL: it is not known
     * how. */
    void (*move)(void *self, double *x, const double *step);
    /* crank_eom_find_pole; NULL: nothing is known. */
    crank_status (*pole)(void *self, double t, const double *x, crank_error *err);
    /* Who has a derivative that is not finite, 'force "f"', and where the file says it; NULL:
     * nobody, or not known. May be NULL. */
    const char *(*culprit)(void *self, double t, const double *x, crank_place *place);
    /* If eom->recursion: its values at the point of the last Jacobian, while
     * eom->recursion_wanted. */
    const crank_recursion_values *(*recursion)(void *self);
    /* If eom->motions: velocities of what has inertia by v at the positions of x, in natural
     * units: its entries. */
    void (*motions)(void *self, double t, const double *x, double *A);
} crank_eom_supplier;

/* Of a body's place the file may give one part; the other counts as given, too, and is zero. */
typedef enum crank_assumed {
    CRANK_ASSUMED_NOTHING,
    CRANK_ASSUMED_POSITION,
    CRANK_ASSUMED_ORIENTATION
} crank_assumed;

enum { CRANK_FRICTION_ANY = -2 }; /* body: not known */
/* Dry friction that vanishes at rest, rounded off over rates of `slip`, theory (7.42). */
typedef struct crank_eom_friction {
    const char *text;  /* 'force "brake"' */
    const char *rate;  /* column of the rate that it is against */
    const char *load;  /* column of the force that the levels are per; NULL: they are forces */
    const char *scale; /* column of a factor of all of it; NULL: 1 */
    int body[2];       /* whose velocities make the rate; -1: the ground, or: */
    bool turns;        /* rad/s and N m, else m/s and N */
    double moving, still; /* levels */
    double stribeck, slip, viscous;
} crank_eom_friction;

/* Tread of a tyre, theory (7.50): it holds what stands as a spring, and gives way at `slow`. First
 * along the wheel, then across it; NULL: none. */
typedef struct crank_eom_tread {
    const char *text;          /* 'force "left"' */
    const char *deflection[2]; /* columns: of r */
    const char *force[2];      /* columns: along the road */
    const char *load;          /* column of the vertical force */
    double stiff[2];           /* force per slip and vertical force */
    double friction, shape, slow;
} crank_eom_tread;

/* What a mechanism is made of, so that reports can speak of bodies and joints. Kinds of
 * unknowns are letters: 't' translation (world axes), 'q' component of a quaternion (four in a
 * row, w first), 'a' planar angle; of velocities 't', and 'r' rotation (body axes; planar: the
 * rate); of variables of forces 't', 'a', 'f' force and 'm' torque; 0: not known. */
typedef struct crank_eom_parts {
    int body_count, joint_count;       /* joints: whatever states constraints */
    const char *const *body_text;      /* 'body "rod"' */
    const crank_assumed *body_assumed; /* bodies */
    const bool *body_stands;           /* bodies: the position is given, be it as a guess */
    const bool *body_turned;           /* the same of the orientation */
    const double *body_mass;           /* bodies */
    const double *body_inertia;    /* bodies x 9, about the centre of mass in body axes; NULL:
                                   velocities are not those of bodies */
    const char *const *joint_text; /* 'joint "knee"' */
    const bool *joint_links;       /* makes loops: not so drivers, gears, skates */
    const bool *joint_holds;  /* points of its bodies together: hinges, sliders; not rolling */
    const bool *joint_is_rod; /* without mass, or a rope */
    int tie_count;            /* forces between two bodies, bushings first */
    const int *tie[2];        /* ties: bodies; -1: the ground */
    const char *tie_holds;    /* ties: 'b' at least half the freedoms, 'r' rotation, 0: less */
    const char *const *tie_text;               /* 'force "mount"' */
    const int *position_body, *velocity_body;  /* p, v: body, -1: none */
    const char *position_kind, *velocity_kind; /* p, v: letters */
    const char *dynamic_kind, *auxiliary_kind; /* r, w without accelerations: letters */
    /* s: how far a parameter of a curve moves as bodies do for a step of one, and by how many rad
     * the curve's tangent turns for it to move by one, at the start; 0: not known, none */
    const double *contact_move, *contact_turn;
    const int *constraint_joint;       /* lambda + mu: joint, -1: none */
    const char *const *constraint_row; /* lambda + mu: "translation along x" */
    /* lambda + mu: the power of length that the constraint is of over unknowns of size one, -1:
     * not known */
    const signed char *constraint_power;
    /* gradients of constraints may vanish, since unknowns keep them by themselves: their rows
     * are at least as large as the power of length says */
    bool constraints_vanish;
    const char *coordinates; /* "absolute" ...: checkpoints tell them apart */
    int loops; /* independent ones, where joints are no constraints; -1: they are */
    /* forces and variables whose equations contain multipliers: 'force "brake"', and which
     * (reader_start: count + 1) */
    int reader_count;
    const char *const *reader_text;
    const int *reader_start, *reader_multiplier;
    int friction_count;
    const crank_eom_friction *friction;
    int tread_count;
    const crank_eom_tread *tread;
    int first_work; /* r: from here on energies */
    double length,
        time; /* of the size of the mechanism and of its motion (scale.h); time 0: not known */
} crank_eom_parts;

/* A general DAE (`crank: dae`), theory (10.11): all variables are p, their rates b are f_kin,
 * all constraints n. Its rows are the differential equations and the constraints. */
typedef struct crank_eom_dae {
    int differential;
    const char *const *text;  /* differential + sizes.n: 'equation "length"' */
    const crank_place *place; /* the same */
    const int *level;         /* sizes.n: how often an equation was differentiated */
    /* n: the file's start values, and these moved onto the constraints level by level, which is
     * where crank_eom_initialize begins; NULL: at what it is given */
    const double *given, *point;
} crank_eom_dae;

/* M v' = f with a singular M and nothing else (crank/dae.h): which rows and columns of M are not
 * zero, and the powers of h by which norms count unknowns, their index less one. */
typedef struct crank_eom_mass_form {
    const bool *row, *column;   /* sizes.v */
    const unsigned char *power; /* sizes.v */
    /* Unknowns without entries in M from the others; CRANK_RETRY: not determined, x is as it was.
     * NULL: index 1, rows of which determine them. */
    crank_status (*complete)(void *self, double t, double *x, crank_error *err);
    void *self;
} crank_eom_mass_form;

/* Motions of what has inertia by velocities, theory (2.18): a matrix, row by row. Velocities of
 * no entry move inertia wherever the others are. */
typedef struct crank_eom_motions {
    int rows, entries;
    const int *start, *column; /* rows + 1; entries: velocity */
} crank_eom_motions;

/* Times that the equations see between two switches (base/switches.h). */
typedef struct crank_window_of_time {
    bool set;
    double low, high;
} crank_window_of_time;

/* gI of g, gII of g, gII of gI, hI of h */
typedef enum crank_hidden_rounding {
    CRANK_GI_OF_G,
    CRANK_GII_OF_G,
    CRANK_GII_OF_GI,
    CRANK_HI_OF_H,
    CRANK_HIDDEN_ROUNDINGS
} crank_hidden_rounding;

struct crank_eom {
    crank_eom_sizes sizes;
    crank_window_of_time window;  /* kept by suppliers whose programs have conditions */
    int n, m;                     /* unknowns, rows */
    int column[CRANK_GROUPS + 1]; /* group i occupies column[i] .. column[i+1]-1 */
    int row[CRANK_ROW_GROUPS + 1];
    crank_mass_kind mass_kind;
    bool autonomous;
    bool has_acceleration_level;    /* gII and hI rows are filled */
    bool mass_is_identity;          /* mass is never called */
    crank_pattern jacobian_pattern; /* m x n */
    crank_pattern mass_pattern;     /* nv x nv */
    bool *carried;                  /* n: accelerations carried as auxiliary unknowns */
    char **column_name;             /* n */
    char **constraint_name;         /* lambda + mu + e + n (position invariants) */
    char **initial_name;            /* sizes.initial */
    crank_eom_supplier supplier;
    void *self;
    /* The rest has defaults (false, 0) that a supplier changes where needed.
     * invariants_absolute: e = 0 and n = 0 are conditions for the initial values (a C caller's
     * energy, a quaternion's norm); false: they are kept at whatever value the start has, and
     * crank_eom_initialize leaves them out.
     * acceleration_idle: set by a formulation without gII and hI; suppliers that make them by
     * differences leave these rows zero.
     * noise: relative accuracy of rows made by differences; 0: round-off.
     * hidden_rounding: what rounding does to them where their terms cancel: per size of the rows
     * that differences were taken of, by crank_hidden_rounding; NULL: nothing.
     * inexact: whose derivatives are not formulas, 'force "s"'; NULL: nobody's.
     * stage_linear: d, gII, hI, b and f_dyn are linear in w, lambda, mu (and there is no s).
     * kinematics_constant: Z of p' = Z v is the same everywhere.
     * stage_entries: the supplier's own list (stage.h); NULL: from the Jacobian's pattern.
     * stage_constant: which of them are; NULL: none that is known.
     * stage_heavy: stage entries that projections take heavy_factor times as large (stage.h).
     * stage_accelerations: the dynamic rows of a stage are v' itself, not M v'.
     * accelerates: the supplier has accelerate, and inertia by a recursion.
     * recursion: rows d of carried accelerations as balances along a tree, the supplier's;
     * NULL: entries alone. recursion_wanted: set by a formulation.
     * motions: where mass is missing and velocities are not those of bodies, the supplier's;
     * NULL: M does not become singular, or velocities are those of bodies.
     * terms: m, sizes of what rows are the sum of at the point of the last Jacobian where
     * entries times unknowns do not tell: forces that joints of a tree take; NULL: they do.
     * Places for messages are the supplier's and must outlive the eom; NULL: there is no
     * file. */
    bool invariants_absolute;
    bool acceleration_idle;
    bool stage_linear;
    bool kinematics_constant;
    const struct crank_stage_entries *stage_entries;
    const bool *stage_constant;
    bool stage_accelerations;
    bool accelerates;
    const crank_recursion *recursion;
    bool recursion_wanted;
    const crank_eom_motions *motions;
    const double *terms;
    int stage_heavy_count;
    const int *stage_heavy;
    double noise;
    const double *hidden_rounding;
    const char *inexact;
    const crank_place *row_place;    /* m + sizes.initial: what says the equation */
    const crank_place *column_place; /* n: what declares the variable */
    crank_place mass_place;
    const char *const
        /* lambda + mu, or NULL: what messages call a constraint, 'joint "knee", translation
         * along x', instead of 'holonomic "name"'; entries may be NULL; the supplier's */
        *constraint_text;
    const crank_eom_parts *parts;               /* NULL: not a mechanism; the supplier's */
    const crank_eom_dae *dae;                   /* NULL: equations of motion; the supplier's */
    const crank_eom_mass_form *mass_form;       /* NULL: M is regular; the supplier's */
    const struct crank_inlined_source *inlined; /* inlined.h; NULL: none; the supplier's */
    uint64_t mark;       /* of numbers that it was made with, for checkpoints; 0: not known */
    bool shared;         /* made by crank_eom_share: names and patterns are another's */
    int *owned[4];       /* memory of the two patterns */
    crank_arena work;    /* of crank_eom_residuals; made by crank_eom_set_patterns */
    double *work_k;      /* m */
    double *work_scale;  /* m */
    double *work_values; /* non-zeros of the Jacobian */
    /* of crank_eom_residuals_near: the Jacobian, and steps since then; -1: there is none */
    double *near_values;
    int near_age;
};

/* t as programs get it. */
static inline double crank_eom_time(const crank_eom *eom, double t)
{
    const crank_window_of_time *w = &eom->window;
    return !w->set ? t : t < w->low ? w->low : t > w->high ? w->high : t;
}

/* Makes the empty object: sizes, offsets, default names (copied from names where given); the
 * caller fills patterns, flags, supplier and self. Patterns are owned: set them with
 * crank_eom_set_patterns, which copies. */
crank_status crank_eom_allocate(const crank_eom_sizes *sizes, const char *const *const *names,
                                const char *const *invariant_names,
                                const char *const *initial_names, crank_eom **out,
                                crank_error *err);
crank_status crank_eom_set_patterns(crank_eom *eom, const crank_pattern *jacobian,
                                    const crank_pattern *mass, crank_error *err);

/* Another eom with the same sizes, names, patterns, places and supplier's functions, which must
 * outlive it; its self (NULL so far) and work space are its own. */
crank_status crank_eom_share(const crank_eom *from, crank_eom **out, crank_error *err);

/* k at count points through the supplier; rows that the supplier leaves out come back as
 * zero. */
crank_status crank_eom_evaluate_rows(crank_eom *eom, int count, const double *t,
                                     const double *x, int rows, double *k, crank_error *err);
/* Values of the Jacobian through the supplier; a value that is not finite gives CRANK_RETRY. */
crank_status crank_eom_evaluate_jacobian(crank_eom *eom, double t, const double *x,
                                         const double *vdot, double *values, crank_error *err);
/* kt (m) = dk/dt with x held; zero where nothing depends on t. time: of the motion, by which
 * differences are scaled where the supplier has no formulas. */
crank_status crank_eom_evaluate_time_derivative(crank_eom *eom, double t, const double *x,
                                                double time, double *kt, crank_error *err);
/* Values of M on mass_pattern, also where M = I. */
crank_status crank_eom_evaluate_mass(crank_eom *eom, double t, const double *x, double *values,
                                     crank_error *err);
/* k's dynamic rows -= M vdot; mass: values of M. */
void crank_eom_subtract_mass(const crank_eom *eom, const double *mass, const double *vdot,
                             double *k);
/* The level of an algebraic row: 0 position (c, g, n), 1 velocity (gI, h, e), 2 acceleration
 * (d, gII, hI); -1 for a differential row. */
int crank_eom_row_level(const crank_eom *eom, int row);
/* First entry of an array that is not finite, or -1. */
int crank_first_not_finite(int n, const double *x);
/* Are the constraints degenerate at the consistent point (t, x): is their rank lower there
 * than at neighbouring consistent points? (Redundant constraints have the same rank
 * everywhere.) By the rate at which it grows along admissible directions, theory (3.14). The
 * rows that degenerate are named in text. NULL: whoever asks goes on at such a start, which a
 * run refuses before; derivatives at x do, and no position beside it is looked for. */
crank_status crank_eom_degenerate(crank_eom *eom, double t, const double *x, bool *degenerate,
                                  char *text, size_t size, crank_error *err);
/* ESINGULAR with the names of the rows and the place of the first if (t, x) is such a point. */
crank_status crank_eom_refuse_degenerate(crank_eom *eom, double t, const double *x,
                                         crank_error *err);

/* loads.c: what crank_eom_warn_loads says, empty: nothing. */
crank_status crank_eom_find_loads(crank_eom *eom, double t, const double *x, char *text,
                                  size_t size, crank_error *err);

/* lock.c: EINIT_CONTRADICTION if there are no accelerations and multipliers at (t, x), since
 * friction locks there; else CRANK_OK. */
crank_status crank_eom_locked_start(crank_eom *eom, double t, const double *x,
                                    crank_error *err);

/* Positions alone: joints close and conditions on positions hold; options as those of
 * crank_eom_initialize. *later: conditions on accelerations or reactions may move them again; if
 * there are none, x stays. Allocates. */
crank_status crank_eom_assemble(crank_eom *eom, double t, double *x,
                                const crank_initial_options *options, bool *later,
                                crank_error *err);

/* w, lambda and mu at positions and velocities that hold, as after a jump of the velocities: d,
 * gII, hI = 0. Multipliers that constraints do not determine change as little as possible.
 * Allocates. */
crank_status crank_eom_find_multipliers(crank_eom *eom, double t, double *x, crank_error *err);

/* Formulations tell the supplier that the run starts at (t, x), or that an accepted step ended
 * there. */
crank_status crank_eom_accepted(crank_eom *eom, double t, const double *x, crank_error *err);

/* While time stands still, what t alone changes has no rate in forces (a road, a reference), as
 * drives have none at rest. It moves again where a run begins. */
void crank_eom_stand(crank_eom *eom, bool stands);

/* Checkpoints, for formulations: that the eom is the same one, as far as names and patterns
 * tell, and what its supplier remembers. */
void crank_eom_archive(crank_eom *eom, crank_archive *archive);
/* A run has started at (t, x), or a step ended there. The supplier tells what is worth telling,
 * once each; ESTOP_EQUATIONS with the name of the force across whose pole the step led. */
crank_status crank_eom_look(crank_eom *eom, double t, const double *x, const crank_log *log,
                            crank_error *err);
/* false: that does not read x, which may be NULL. */
bool crank_eom_looks_at_state(const crank_eom *eom);

/* Where the file says row (m + i: extra initial condition i), or declares the unknown of a
 * column. */
static inline crank_place crank_eom_row_place(const crank_eom *eom, int row)
{
    return eom->row_place != NULL ? eom->row_place[row] : (crank_place){0};
}

static inline crank_place crank_eom_column_place(const crank_eom *eom, int column)
{
    return eom->column_place != NULL ? eom->column_place[column] : (crank_place){0};
}

static inline int crank_eom_row_group_size(const crank_eom *eom, crank_row_group group)
{
    return eom->row[group + 1] - eom->row[group];
}

static inline bool crank_eom_mass_constant(const crank_eom *eom)
{
    return eom->mass_kind == CRANK_MASS_FULL_CONSTANT ||
           eom->mass_kind == CRANK_MASS_DIAGONAL_CONSTANT;
}

static inline bool crank_eom_mass_diagonal(const crank_eom *eom)
{
    return eom->mass_kind == CRANK_MASS_DIAGONAL ||
           eom->mass_kind == CRANK_MASS_DIAGONAL_CONSTANT;
}

/* singular_joints.c: 'joints "a" and "b"', whose forces hold each other where constraints of
 * the mechanism, by their Jacobian there, are about to lose rank; false: none are, or it cannot
 * be told. */
bool crank_eom_singular_joints(crank_eom *eom, const double *jacobian, char *text, size_t size);

#endif
