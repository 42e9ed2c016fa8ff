/* system.h - a mechanism as equations of motion: what the builder collects (build.c), and the
 * supplier of an eom that evaluates it (system*.c).
 *
 * Accelerations are carried (w = v'): M = I for the formulation, the balance of forces stands
 * among the rows d,
 *     0 = M_b v_b' + gyroscopic - applied - gravity + J^T lambda + J_h^T mu          per body
 * so that all blocks stay as sparse as the mechanism and bodies without mass are allowed,
 * theory (7.5). Unknowns: w = [auxiliary | accelerations]; accelerations, v and p are the
 * coordinates' (coordinates.h), by body where these are absolute. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SYSTEM_H
#define CRANK_SRC_SYSTEM_H

#include "mechanics/build.h"
#include "mechanics/coordinates.h"
#include "model/watch.h"

#include <stdint.h>

/* What a symbol of the pool stands for once the system runs. */
typedef enum crank_symbol_kind {
    CRANK_SYMBOL_OTHER, /* a name of the user: to be resolved */
    CRANK_SYMBOL_TIME,
    CRANK_SYMBOL_VALUE,        /* of primitive index */
    CRANK_SYMBOL_RATE,         /* of primitive index */
    CRANK_SYMBOL_ACCELERATION, /* of primitive index */
    CRANK_SYMBOL_R,            /* index within its group of unknowns, as for the next ones */
    CRANK_SYMBOL_W,
    CRANK_SYMBOL_S,
    CRANK_SYMBOL_LAMBDA,
    CRANK_SYMBOL_MU,
    /* index into memory: parameters that events set; reference angles and their sines and
     * cosines; the pace of time */
    CRANK_SYMBOL_MEMORY,
    CRANK_SYMBOL_Q,    /* of outputs only: component of a quaternion, 4 * body + component */
    CRANK_SYMBOL_NAMED /* a name of the user, resolved: index is the expression it stands for */
} crank_symbol_kind;
typedef struct crank_symbol {
    crank_symbol_kind kind;
    int index;
} crank_symbol;

/* a holonomic or nonholonomic constraint */
typedef struct crank_constraint {
    crank_owner owner;
    int primitive; /* of a row "y - constant", else -1 */
    double constant;
    crank_ex ex; /* of the others */
    crank_ex multiplier;
    const char *row; /* "translation along x" */
} crank_constraint;

/* r, w or s with its equation: r' = b, 0 = d or 0 = c (rows c of an owner determine its
 * variables s together) */
typedef struct crank_unknown {
    crank_owner owner;
    const char *name;
    crank_ex symbol, equation;
    double start;
    crank_fixing fixing;
    char kind;          /* of its unit, crank_eom_parts; 0: not known */
    double speed, turn; /* of a contact: |C'| and |C''|/|C'| at the start; 0: not known */
} crank_unknown;

typedef struct crank_effort {
    crank_owner owner;
    int primitive;
    crank_ex ex;
} crank_effort;

/* inertia that moves with a coordinate of a joint (build_rotor.c), and the efforts that state
 * it */
typedef struct crank_rotor {
    int joint; /* -1: of no joint's coordinate */
    bool turns;
    double inertia;    /* kg m^2 or kg, seen at the coordinate */
    int effort, count; /* the first, and how many */
} crank_rotor;

/* where it has no direction or no bound: a vector of this size otherwise, whose square is the
 * primitive, is zero; or the primitive, a cosine, is 1 or -1; or bodies are half a turn apart
 * (product[0] >= 0) */
typedef struct crank_pole {
    crank_owner owner;
    int primitive;
    bool cosine;
    double size;
    const char *what; /* static: "half a turn across its axis, where ..." */
    int product[9];   /* a_i.b_j of axes in both bodies */
    int memory;       /* three numbers: sin(turn) times its axis at the last step */
    /* of a turn about an axis: where memory has its angle, and the side of the pole that the
     * motion is on, 0: not known; angle < 0: another pole */
    int angle, side;
    int body[2];
    double axis[3], start[2][4]; /* unit vector and bodies' quaternions where the angle is 0 */
    bool scaled;
    crank_ex scale; /* factor of the force, if scaled */
} crank_pole;

typedef enum crank_work_kind {
    CRANK_WORK_KINETIC, /* an energy, as the next one; the others are powers */
    CRANK_WORK_POTENTIAL,
    CRANK_WORK_DISSIPATED,
    CRANK_WORK_SUPPLIED
} crank_work_kind;
typedef struct crank_work {
    crank_owner owner;
    crank_work_kind kind;
    crank_ex ex;
} crank_work;

enum { CRANK_LED_NUMBERS = 9 };

/* a continued angle; memory m, m + 1, m + 2: reference angle, its cosine and its sine:
 * reference + atan2(sine cos - cosine sin, cosine cos + sine sin), theory (7.20) */
typedef struct crank_turning_angle {
    crank_ex ex; /* the angle itself */
    int memory;
    crank_ex told; /* the same by other quantities, as long as constraints hold; -1: nothing */
    bool given;    /* `initial` or a drive says in which turn it starts */
} crank_turning_angle;

typedef struct crank_named_quantity {
    const char *name; /* joint.knee.angle */
    crank_ex ex;
    bool in_results;
    const char *unit; /* NULL: that of all quantities of this name (output_about.c) */
} crank_named_quantity;

/* a body that is led (crank_build_led) */
typedef struct crank_led {
    int joint, body;
    crank_ex ex[CRANK_LED_NUMBERS]; /* x, y, heading, their first and second derivatives */
    double height;
} crank_led;

/* a wheel on a tyre or a set of wheels on rails (crank_build_wheel), its axle in axes of the body */
typedef struct crank_wheel {
    int body, carrier; /* the last one of a hinge of the wheel; -1: ground, none */
    double axle[3];
    crank_marker centre; /* of the first wheel of a set; body -1: it is none */
    crank_ex slides;
} crank_wheel;

/* where and how reactions of a joint are measured */
typedef struct crank_reaction {
    bool given;
    int first, second; /* bodies */
    crank_marker at, axis;
} crank_reaction;

/* what is zero at the start: build_initial.c */
typedef struct crank_condition {
    const char *name;
    const crank_node *place;
    crank_ex ex;
} crank_condition;

/* how a joint puts its bodies, or a force does, build_place.c */
typedef struct crank_joint_place {
    bool given;
    bool meets;   /* its points come together */
    bool aligned; /* its triads do, but for the angle */
    bool pinned;  /* they are one point, whatever its coordinates */
    bool slides;  /* along a, and its length is zero where the points meet */
    crank_marker at[2], a[2], u[2];
    bool strut; /* a cylinder: it slides between bodies that other joints hold */
    crank_marker pivot[2], hinge[2]; /* of those joints, in its bodies; hinge: if `hinged` */
    bool hinged[2];
    bool told;    /* the file gives a coordinate for the start */
    bool guessed; /* as a guess, which nothing holds */
    /* which: turns about a, then about u; ways along a, u and a x u of the first body */
    double turn[2], length[3];
} crank_joint_place;

/* where a joint or a force is drawn */
typedef struct crank_drawing {
    bool given, has_axis;
    crank_marker at[2], axis[2];
    double radius;   /* 0: none */
    double pitch[2]; /* radii of the pitch circles of gears, below 0: internal; 0: none */
} crank_drawing;

/* a curve of a body (-1: the ground) on which something moves, in its axes from its origin */
typedef struct crank_drawn_curve {
    const char *name; /* of the joint or force */
    int body, count;
    double (*point)[3];
} crank_drawn_curve;

/* a road below a wheel: a height as an expression of where the wheel is */
typedef struct crank_drawn_road {
    const char *name; /* of the force */
    crank_marker wheel;
    crank_ex place[2], height; /* place: symbols of x and, in space, y */
} crank_drawn_road;

/* growing arrays: count, capacity and the items */
#define CRANK_LIST(type)                                                                       \
    struct {                                                                                   \
        int count, capacity;                                                                   \
        type *item; /* NOLINT(bugprone-macro-parentheses): a type cannot have them */          \
    }

/* what a joint or force takes from the start: start_values.c */
typedef struct crank_asked {
    crank_owner owner;
    crank_ex y;
    double given; /* where the file places the bodies */
} crank_asked;

/* z' = (y - z)/T, and where its factor is: filter_start.c */
typedef struct crank_filter {
    crank_ex z, y;
    crank_ex moved; /* z begins at y only where the start has moved this; -1: always */
    int memory;     /* -1: none */
} crank_filter;

/* a force that follows a bounded command: bounded_start.c */
typedef struct crank_bound {
    const char *force;
    int state; /* its dynamic variable: a node while the system is built, then its column */
    double limit, lag;
} crank_bound;

struct crank_builder {
    crank_mechanism *mechanism;
    crank_pool *pool;
    bool failed;                /* out of memory, sticky */
    crank_body_kind *kind;      /* body_count */
    crank_body_state *start;    /* body_count: where the file places them, centres of mass */
    crank_body_state *placed;   /* body_count: then along joints, where it does not */
    crank_body_state *unguided; /* the same, had the file no guesses; NULL: it has none */
    bool *stands; /* body_count: the file says where, be it by a guess that counts */
    CRANK_LIST(crank_symbol) symbol; /* by node of the pool; others are CRANK_SYMBOL_OTHER */
    CRANK_LIST(crank_primitive) primitive;
    CRANK_LIST(crank_constraint) holonomic;
    CRANK_LIST(crank_constraint) nonholonomic;
    CRANK_LIST(crank_unknown) dynamic;
    CRANK_LIST(crank_unknown) auxiliary;
    CRANK_LIST(crank_unknown) contact; /* equation: the k-th contact row of that owner */
    CRANK_LIST(crank_effort) effort;
    CRANK_LIST(crank_rotor) rotor;
    CRANK_LIST(crank_pole) pole;
    CRANK_LIST(crank_eom_friction) friction;
    CRANK_LIST(crank_eom_tread) tread;
    CRANK_LIST(crank_watch) watch;
    CRANK_LIST(crank_work) work;
    int first_work; /* dynamic variables from here on are integrated work */
    int moving;     /* the first primitives: of joints, forces and equations, not of outputs */
    CRANK_LIST(crank_turning_angle) angle;
    int turn_row_count; /* rows and conditions that may tell turns (told_turns.c) */
    crank_ex *turn_row;
    CRANK_LIST(crank_led) led;
    CRANK_LIST(crank_wheel) wheel;
    CRANK_LIST(crank_named_quantity) name;
    CRANK_LIST(crank_named_quantity) coordinate; /* of joints */
    crank_reaction *reaction;                    /* joint_count */
    crank_joint_place *place;                    /* joint_count */
    crank_drawing *drawing;                      /* joints, then forces */
    CRANK_LIST(crank_drawn_curve) curve;
    CRANK_LIST(crank_drawn_road) road;
    CRANK_LIST(crank_condition) condition;
    CRANK_LIST(double) memory;
    bool seeks; /* the start is looked for: what is left to it */
    CRANK_LIST(crank_asked) asked;
    CRANK_LIST(crank_filter) filter;
    CRANK_LIST(crank_bound) bound;
    const struct crank_start_values *known; /* what was found then; NULL: nothing was asked */
    int pace;           /* in memory: the rate of time in laws of forces; -1: none has it */
    crank_store *store; /* the mechanism's: texts and arrays of the builder live here */
    int equation_count; /* owners of kind CRANK_OWNER_EQUATION: 0 .. equation_count - 1 */
    struct crank_build_inside *inside; /* build_inside.h: where things are found again */
    const crank_coordinates_kind *coordinates; /* absolute, unless somebody says others */
    struct crank_tree_shape *tree; /* of joint coordinates (joint/tree.h), or NULL */
};

/* build.c: an empty builder, then bodies, joints, forces, equations in this order. */
crank_status crank_builder_init(crank_builder *b, crank_mechanism *m, crank_error *err);
crank_status crank_builder_run(crank_builder *b, crank_error *err);
void crank_builder_free(crank_builder *b);
/* A body's state as a record says it: from the user's origin to the centre of mass. */
void crank_build_start_body(crank_body_state *state, crank_body_kind kind,
                            const crank_body_record *record);
/* build_place.c: fills b->placed; false: out of memory. */
bool crank_build_place(crank_builder *b);

/* ---- the running system ---- */

/* Numbers in [-1, 1), the same ones in every run: xorshift64, Marsaglia. */
#define CRANK_RANDOM_SEED UINT64_C(88172645463325252)
static inline double crank_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2.0 - 1.0;
}

typedef struct crank_body {
    crank_body_kind kind;
    double mass, inertia[9], center[3];
    int np, nv; /* of the kind */
} crank_body;

/* what the user fixed of a body's start values and no unknown says: system_initial.c */
typedef struct crank_body_condition {
    int body, what;
    double value[3];
    double turning[3], turning_at[3]; /* of a velocity: + turning x (origin - turning_at) */
} crank_body_condition;

/* A cylinder of which the file says neither where its bodies are nor how long it is. */
typedef struct crank_strut {
    const char *name;
    crank_marker at[2], axis;        /* of the joint that slides, axis: in its first body */
    crank_marker pivot[2], hinge[2]; /* of the joints that hold its bodies, in these */
    bool hinged[2];
} crank_strut;

/* a bushing of a body that the file does not place */
typedef struct crank_mount {
    const char *name, *body;
    crank_marker at[2];
    bool joined; /* a joint ties the body to another one */
} crank_mount;

/* a torsion spring, and what hangs behind its ends: coupled_start.c */
typedef struct crank_coupling {
    const char *text; /* 'force "shaft"' */
    bool rests;       /* at the angle of the start, whatever it is */
    int body[2];      /* its ends; -1: the ground */
    bool said[2];     /* the file says how the body stands */
    bool stated;      /* and at which angle the spring is at rest, or it acts on a joint */
    int count[2];     /* bodies that turn with an end; 0: it does not turn by itself */
    int *list[2];
    crank_marker at[2], axis[2]; /* of the hinge of an end, in its body */
} crank_coupling;

/* A joint of bodies in space whose axes a are parallel, in its two bodies. */
typedef struct crank_aligned {
    const char *name;
    crank_marker at[2], a[2], u[2];
    bool rigid; /* nothing turns: so are the axes u across them */
} crank_aligned;

/* a body of an assembly that starts turning: system_initial.c */
typedef struct crank_turning_body {
    int body;
    double spin[3]; /* world axes */
} crank_turning_body;

typedef struct crank_law crank_law; /* law.h */

/* Working memory that all laws of a system share: nothing in it outlives a call. Grows while
 * laws are made. */
typedef struct crank_law_work {
    int references;
    size_t size;
    double *data;
} crank_law_work;
crank_law_work *crank_law_work_create(void);
void crank_law_work_release(crank_law_work *work); /* accepts NULL */

/* Bodies, rows, laws and maps are the same in all systems that crank_system_share makes of one;
 * state, local, memory and other values at points are each one's own. */
typedef struct crank_system {
    crank_eom *eom;
    bool shared;                                 /* made by crank_system_share */
    const struct crank_known_start *known_start; /* of the model; NULL: none is known */
    crank_store store;                           /* what is its own of everything below */
    crank_law_work *law_work;
    crank_coordinates coordinates;
    int body_count;
    crank_body *body;
    crank_body_state *state; /* at the point of the last evaluation */
    double gravity[3];
    int primitive_count;
    crank_primitive *primitive;
    crank_local *local; /* J is filled for all; Y, K, bias_p point to one scratch area */
    int needed_count;   /* primitives that laws depend on */
    int *needed;
    int row_count; /* constraints "primitive = constant" */
    int *row_primitive, *row_lambda;
    double *row_constant;
    int law_count;
    crank_law **law;
    int pole_count;
    crank_pole *pole;
    struct crank_expressions *pole_scales; /* factors of their forces; NULL: all are one */
    double *pole_scale;
    int watch_count; /* tables: their arguments, and which have been told of */
    crank_watch *watch;
    struct crank_expressions *watched;
    struct crank_law_inputs *feature_inputs; /* of narrow parts (features.c); NULL: none */
    double *watch_value;
    bool *watch_told;
    bool looks;      /* there is something to look at after each step */
    int angle_count; /* continued angles: their values and where each has its memory */
    struct crank_expressions *angle;
    double *angle_value; /* where they were accepted last, then their rates there; work */
    double angle_time;
    bool angles_known; /* a point has been accepted since the run began */
    int *angle_memory;
    int told_count; /* those that other quantities tell, and by what */
    int *told_angle;
    struct crank_expressions *told;
    struct crank_told_turns *told_turns; /* NULL: nothing tells turns */
    int memory_count;
    double *memory, *memory_start;
    int pace;       /* in memory, crank_eom_stand; -1: no force has a rate by t alone */
    const int *map; /* of crank_fill */
    double *values; /* non-zeros of the Jacobian, and the one for entries that are never used */
    double *scratch;
    int condition_count;
    crank_body_condition *condition;
    double
        *unguided; /* n: start values, had the file no guesses of places; NULL: it has none */
    const struct crank_first_start *first; /* start_values.h; NULL: none */
    bool stays;                            /* a search has begun there: what it turned stays */
    int strut_count, axis_count;
    crank_strut *strut;
    int mount_count;
    crank_mount *mount;
    double mount_length; /* of the mechanism */
    crank_aligned *axis;
    int turning_count;
    crank_turning_body *turning;
    int wheel_count; /* rolling_start.c */
    crank_wheel *wheel;
    struct crank_expressions *sliding; /* of each wheel; NULL: none */
    int coupling_count;                /* coupled_start.c */
    crank_coupling *coupling;
    struct crank_expressions *twist; /* angle of each coupling; NULL: none */
    int bound_count;                 /* bounded_start.c */
    crank_bound *bound;
    int filter_count; /* filter_start.c: where each has its factor and z */
    int *filter_memory, *filter_column;
    int *filter_moved; /* column that the start has to move, -1: none */
    double
        *filter_value; /* twice as many: what they follow; the given values of those columns */
    struct crank_expressions *filtered;    /* what they follow; NULL: none */
    struct crank_expressions *initial;     /* further conditions; NULL: none */
    struct crank_mechanism_events *events; /* events.c; NULL: none */
    struct crank_output_set *output; /* output.h: columns of results, energies, reactions */
    struct crank_assembly *assembly; /* assembly.h; NULL: start values are of the unknowns */
} crank_system;

/* system.c: the running system of a finished builder, with its eom:
 * crank_eom_destroy(system->eom) destroys both. *out is NULL on failure. */
crank_status crank_system_create(crank_builder *b, crank_system **out, crank_error *err);
/* system_share.c: another system with the same equations and values of its own, as at the
 * start; eom: crank_eom_share of the first one's. The first one must outlive it. *out is NULL
 * on failure; else the eom destroys it. */
crank_status crank_system_share(const crank_system *from, crank_eom *eom, crank_system **out,
                                crank_error *err);
/* system_initial.c. Start values (n) as the records say, multipliers and accelerations zero,
 * and what must not be moved (n). */
void crank_system_start(const crank_system *s, const crank_builder *b, double *x,
                        crank_fixing *fixing);
/* Room for values of all primitives at a point; false: out of memory. */
bool crank_system_take_local(crank_system *s);
/* States of all bodies, values, rates, accelerations and J of all primitives at (t, x). */
void crank_system_point(crank_system *s, double t, const double *x);
/* The same, of the primitives that laws depend on: rows "primitive = constant" evaluate theirs
 * themselves, and coordinates of joints are often for results only. */
void crank_system_rows_point(crank_system *s, double t, const double *x);
/* The same for rows without derivatives; true: coordinates have the balances of bodies by
 * themselves. */
bool crank_system_values_point(crank_system *s, double t, const double *x);
/* system_angles.c. Continued angles: from now on near those at (t, x), which must not lie
 * behind a pole; as they were at the start. */
/* References at (t, x), where values of primitives are known. */
void crank_system_lead_angles(crank_system *s, double t, const double *x);
crank_status crank_system_make_angles(crank_system *s, crank_builder *b, crank_error *err);
crank_status crank_system_accepted(void *self, double t, const double *x, crank_error *err);
void crank_system_rewind(crank_system *s);
/* crank_eom_stand; a run that begins anew (crank_system_rewind) moves. */
void crank_system_stand(void *self, bool stands);
/* The run begins in the turns of these angles (NaN: not known), or of what tells them at x. */
void crank_system_begin_angles(crank_system *s, double t, const double *x, const double *known);
/* from where they are at x: a search goes on from there */
void crank_system_refer_angles(crank_system *s, double t, const double *x);
void crank_system_archive(void *self, crank_archive *a);
/* system_autonomous.c: eom->autonomous */
crank_status crank_system_find_autonomous(crank_system *s, const crank_builder *b,
                                          crank_error *err);

/* poles.c: of the builder; has the motion been led across one, at the present point, t? and the
 * supplier's function that names the one at which x is. */
bool crank_system_take_poles(crank_system *s, const crank_builder *b);
crank_status crank_system_watch_poles(crank_system *s, double t, crank_error *err);
crank_status crank_system_find_pole(void *self, double t, const double *x, crank_error *err);
/* At the point of crank_system_point, after a step: ESTOP_EQUATIONS if it led across one. */
crank_status crank_system_pass_poles(crank_system *s, double t, const double *x,
                                     crank_error *err);
/* Once names are resolved. */
crank_status crank_system_take_pole_scales(crank_system *s, crank_builder *b, crank_error *err);

/* features.c: narrow parts of the equations, kept in the model; their arguments at a point. */
crank_status crank_mechanism_keep_features(struct crank_model *model, crank_builder *b,
                                           crank_system *s, crank_error *err);
void crank_system_feature_inputs(void *self, double t, const double *x, double *inputs);
void crank_system_free_features(crank_system *s);
/* watch.c: tables of the builder; the supplier's look after each step; and which table ends
 * where no step succeeds, at the point of crank_system_point. */
crank_status crank_system_take_watches(crank_system *s, crank_builder *b, crank_error *err);
crank_status crank_system_look(void *self, double t, const double *x, const crank_log *log,
                               crank_error *err);
bool crank_system_looks_at_state(const void *self);
crank_status crank_system_find_table_end(crank_system *s, double t, const double *x,
                                         crank_error *err);

/* system_names.c: names of unknowns and constraints; the eom is allocated with them. */
crank_status crank_system_names(crank_system *s, crank_builder *b, const crank_eom_sizes *sizes,
                                crank_error *err);
/* The place of a key in its file, or none. */
crank_place crank_system_place_of(const crank_node *key);
/* Places of rows and columns in the file, and texts of constraints. */
crank_status crank_system_places(crank_system *s, const crank_builder *b, crank_error *err);
/* system_parts.c: bodies and joints for reports. */
crank_status crank_system_parts(crank_system *s, crank_builder *b, crank_error *err);
/* system_readers.c: forces and variables whose equations contain multipliers, for parts. */
crank_status crank_system_readers(crank_system *s, crank_builder *b, crank_eom_parts *parts,
                                  crank_error *err);
/* system_natural.c: length and time of the size of the mechanism and of its motion; time 0:
 * nothing in the file tells. */
void crank_system_natural(const crank_system *s, const crank_builder *b, double *length,
                          double *time);

/* system_initial.c: number and names of extra initial conditions; their values. */
int crank_system_conditions(const crank_builder *b);
void crank_system_condition_names(const crank_builder *b, const char **out);
bool crank_system_take_conditions(crank_system *s, const crank_builder *b);
/* Where bodies stand, had the file no guesses of it: known_start.c. */
bool crank_system_take_unguided(crank_system *s, const crank_builder *b);
/* Bodies of assemblies that start turning; false: out of memory. Then: theory (5.11). */
bool crank_system_take_turning(crank_system *s, const crank_builder *b);
/* turned_struts.c: cylinders that must not start inside out */
bool crank_system_take_struts(crank_system *s, const crank_builder *b);
/* mounts.c: bushings whose ends should start together */
bool crank_system_take_mounts(crank_system *s, crank_builder *b);
void crank_system_warn_mounts(const crank_system *s, double t, const double *x, crank_log log);
/* filter_start.c: filters that begin at rest; hold: while the start is looked for, from x; at a
 * start that is found */
crank_status crank_system_take_filters(crank_system *s, crank_builder *b, crank_error *err);
/* bounded_start.c: forces that may start beyond their limit, which is told */
crank_status crank_system_take_bounds(crank_system *s, const crank_builder *b,
                                      crank_error *err);
void crank_system_warn_bounds(const crank_system *s, const double *x, crank_log log);
void crank_system_hold_filters(crank_system *s, const double *x);
void crank_system_release_filters(crank_system *s);
void crank_system_begin_filters(crank_system *s, double t, double *x);
/* turned_axes.c: joints that must not start the wrong way round */
bool crank_system_take_axes(crank_system *s, const crank_builder *b);
void crank_system_carry(void *self, double t, const double *from, double *x);
crank_status crank_system_initial(void *self, double t, const double *x, double *conditions,
                                  crank_error *err);

/* What is wanted of the rows "primitive = constant" at the states of all bodies, where not
 * NULL. */
typedef struct crank_wanted {
    const double *x;
    double *k;         /* rows g, gI, gII, and what their multipliers exert, added to d */
    crank_fill *stage; /* J in gII by accelerations, J^T in d by multipliers */
    crank_fill *fill;  /* the whole Jacobian */
    const bool *taken; /* rows that are left out */
} crank_wanted;
/* system_constraints.c */
void crank_system_constraints(const crank_system *s, const crank_wanted *wanted);

/* system_rows.c, system_jacobian.c: the supplier's functions. */
crank_status crank_system_evaluate(void *self, int count, const double *t, const double *x,
                                   int rows, double *k, crank_error *err);
crank_status crank_system_jacobian(void *self, double t, const double *x, const double *vdot,
                                   double *values, crank_error *err);
const char *crank_system_culprit(void *self, double t, const double *x, crank_place *place);
/* All entries of the Jacobian in their order, at the point of crank_system_point. */
void crank_system_fill(crank_system *s, double t, const double *x, crank_fill *fill);
/* system_pattern.c: patterns of the eom, map and values of the system. */
crank_status crank_system_patterns(crank_system *s, crank_error *err);
/* system_rows.c: what the motion of each body takes, its mass and inertia times its
 * accelerations less its weight, into the rows d of k; k NULL: as loads, while the Jacobian is
 * filled. */
void crank_system_balances(const crank_system *s, double *k);

#endif
