/* coordinates.h - which unknowns say where the bodies are. The layer between all that knows
 * bodies (primitives, laws, joints, forces, energies, outputs) and the unknowns and rows of the
 * eom.
 *
 * Above it a body is its state (kinematics.h): p_b, v_b and a_b. What comes down is of bodies,
 * too: forces F_b along v_b, and derivatives of rows f and of forces by p_b, v_b, a_b. Below it
 * are unknowns z = (p, v, a), of which states are functions, v_b = A_b(p) v, and theory
 * (7.58)-(7.61)
 *     d += A_b^T F_b,    df/dz = f_pb dp_b/dz + f_vb dv_b/dz + f_ab da_b/dz
 *     dd/dz = A_b^T dF_b/dz + (dA_b^T/dz) F_b
 * In absolute coordinates (absolute/) each body has unknowns of its own and A_b is the
 * identity: these functions are loops, here. Other coordinates have a table of functions
 * instead. Nobody else turns the number of a body into a column or a row (scripts/layers
 * looks). docs/develop/coordinates.md */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_COORDINATES_H
#define CRANK_SRC_COORDINATES_H

#include "eom/eom.h"
#include "mechanics/fill.h"
#include "mechanics/kinematics.h"

struct crank_body_record;
struct crank_builder;
struct crank_system;
typedef struct crank_coordinates crank_coordinates;

/* Derivatives by the motion of one body; NULL: zero. */
typedef struct crank_by_body {
    int body;
    const double *p, *v, *a; /* np, nv, nv */
} crank_by_body;

/* What the motion of a body (by) changes of a force effort * J on another or the same body:
 * factor J^T (by), and effort K (by.p). NULL: nothing. */
typedef struct crank_force_change {
    const double *J; /* nv of the body on which the force acts */
    double factor;
    const double *K; /* dJ/dp: rows of that body, from the first column of the other's p */
    int stride;      /* from a row of K to the next */
    double effort;
} crank_force_change;

/* The chain rule of coordinates that are not of the bodies themselves. */
typedef struct crank_chain {
    /* rows d += A_b^T (factor J) */
    void (*force)(const crank_coordinates *c, int body, double factor, const double *J,
                  double *k);
    /* while the Jacobian is filled: that force is there, for (dA_b^T/dz) F_b in end_fill */
    void (*load)(const crank_coordinates *c, int body, double factor, const double *J);
    /* row (sizes.v) += factor J A_b: a rate J v_b by the velocities */
    void (*rate)(const crank_coordinates *c, int body, double factor, const double *J,
                 double *row);
    void (*fill_row)(const crank_coordinates *c, int row, double factor,
                     const crank_by_body *by, crank_fill *fill);
    void (*fill_force)(const crank_coordinates *c, int body, double factor, const double *J,
                       int column, crank_fill *fill);
    void (*fill_force_by)(const crank_coordinates *c, int body,
                          const crank_force_change *change, const crank_by_body *by,
                          crank_fill *fill);
} crank_chain;

typedef struct crank_coordinate_names {
    const char **p, **v, **a, **n; /* a: accelerations, if they are unknowns; n: invariants */
} crank_coordinate_names;

typedef enum crank_body_part {
    CRANK_PART_POSITION,
    CRANK_PART_VELOCITY,
    CRANK_PART_SPIN /* angular velocity */
} crank_body_part;

/* A kind of coordinates. The first ones are called once, in this order. */
typedef struct crank_coordinates_kind {
    const char *name;
    const crank_chain *chain; /* NULL: absolute */
    bool assembled;           /* start values are found in absolute coordinates: assembly.c */
    /* Adds its unknowns p, v, its accelerations to w, and invariants n. */
    void (*count)(const struct crank_builder *b, crank_eom_sizes *sizes);
    /* Their names, in the builder's store. */
    void (*name_unknowns)(const struct crank_builder *b, const crank_coordinate_names *names);
    /* Columns and rows, once there is an eom; CRANK_EMEM. */
    crank_status (*create)(struct crank_system *s, struct crank_builder *b, crank_error *err);
    /* Where the file says them: m rows, n columns. */
    void (*place)(const struct crank_system *s, const struct crank_builder *b, crank_place *row,
                  crank_place *column);
    /* Body and letter of each p and each v, eom/eom.h. */
    void (*describe)(const struct crank_system *s, int *body[2], char *letter[2]);
    /* Its recursions as machine code, once laws are there (--compile); NULL: it has none. */
    crank_status (*compile)(struct crank_system *s, const struct crank_builder *b,
                            crank_error *err);
    /* Once patterns are there; may be NULL. */
    crank_status (*finish)(struct crank_system *s, crank_error *err);
    /* Values of its own for a system that shares everything else; false: out of memory. */
    bool (*share)(struct crank_system *s, const struct crank_system *from);
    void (*destroy)(struct crank_system *s); /* may be NULL */

    /* Start values from the states of all bodies, and what their records say of moving them. */
    void (*start)(const struct crank_system *s, const struct crank_body_record *record,
                  const crank_body_state *state, double *x, crank_fixing *fixing);
    /* p and v from the states of all bodies at t. How far bodies stand from where these
     * unknowns can put them, in lengths of the mechanism and radians; *worst: which. */
    double (*take)(const struct crank_system *s, double t, const crank_body_state *state,
                   double *x, int *worst);
    /* First column of what the unknowns say of a body themselves, else -1. */
    int (*column)(const struct crank_system *s, int body, crank_body_part part);
    /* A step ended at x: fails where these coordinates cannot go on; NULL: they can. */
    crank_status (*accepted)(const struct crank_system *s, double t, const double *x,
                             crank_error *err);
    /* x becomes a point that can be: quaternions of unit length. */
    void (*straighten)(const struct crank_system *s, double *x);

    /* Positions along velocities, p + Z step, straightened: eom/eom.h; may be NULL. */
    void (*move)(const struct crank_system *s, double *x, const double *step);

    /* States of all bodies (s->state) at (t, x), or that of one without a. */
    void (*states)(struct crank_system *s, double t, const double *x);
    void (*state)(const struct crank_system *s, int body, double t, const double *x,
                  crank_body_state *out);
    /* The same of bodies that rows need; true: end_rows adds what the motion of bodies takes,
     * which is left out. NULL: states. */
    bool (*row_states)(struct crank_system *s, double t, const double *x);
    /* Once there are states: rows dyn, kin, n; end_rows, when all forces are there, may be
     * NULL. */
    void (*rows)(const struct crank_system *s, const double *x, double *k);
    void (*end_rows)(const struct crank_system *s, double *k);
    /* Joints that are no constraints: what they exert at the point of the last states, or
     * multipliers alone do there; then of one joint on a body, added to sum, along its v. NULL:
     * all are. */
    crank_status (*reactions)(struct crank_system *s, double t, const double *x,
                              bool multipliers_alone, crank_error *err);
    void (*reaction)(const struct crank_system *s, int joint, int body, double *sum);
    /* Rows dyn and kin from (t, x). */
    void (*differential)(struct crank_system *s, double t, const double *x, double *k);
    /* All derivatives at (t, x) by machine code; false, or NULL: there is none. */
    bool (*derivatives)(struct crank_system *s, double t, const double *x, crank_fill *fill);
    /* Derivatives of these rows, and of the bodies' inertia in d; end_fill: (dA_b^T/dz) F_b,
     * may be NULL. */
    void (*fill)(const struct crank_system *s, crank_fill *fill);
    void (*end_fill)(const struct crank_system *s, crank_fill *fill);
    /* The supplier's function for explicit methods, eom/stage.h; may be NULL. */
    crank_status (*stage)(void *self, double t, const double *x, double *k, double *values,
                          crank_error *err);
    /* The supplier's functions of carried accelerations, eom/eom.h; may be NULL. */
    crank_status (*inertia)(void *self, double t, const double *x, double *values,
                            crank_error *err);
    crank_status (*accelerate)(void *self, const bool *held, const double *k, double *a,
                               crank_error *err);
    bool (*definite)(void *self, double t, const double *x);
    /* The supplier's values of eom->recursion; may be NULL. */
    const crank_recursion_values *(*recursion)(void *self);
    /* The supplier's motions, eom/eom.h; may be NULL. */
    void (*motions)(void *self, double t, const double *x, double *A);
} crank_coordinates_kind;

extern const crank_coordinates_kind crank_absolute_coordinates; /* absolute/absolute.c */
extern const crank_coordinates_kind crank_joint_coordinates;    /* joint/joint.c */

/* Columns of x and rows of k of a body in absolute coordinates. */
typedef struct crank_absolute_body {
    int np, nv;
    int p, v, a;
    int d, dyn, kin, n; /* n: -1 without quaternion */
} crank_absolute_body;

struct crank_coordinates {
    const crank_coordinates_kind *kind;
    const crank_chain *chain;            /* the kind's */
    const crank_absolute_body *absolute; /* by body */
    int first_velocity;                  /* column */
    void *self;                          /* what else the kind has */
};

/* ---- absolute coordinates ---- */

static inline void crank_absolute_force(const crank_absolute_body *b, double factor,
                                        const double *J, double *k)
{
    double *d = k + b->d;
    for (int i = 0; i < b->nv; i++) {
        d[i] += factor * J[i];
    }
}

static inline void crank_absolute_fill_row(const crank_absolute_body *b, int row, double factor,
                                           const crank_by_body *by, crank_fill *fill)
{
    if (by->p != NULL) {
        crank_fill_row(fill, row, b->p, b->np, factor, by->p);
    }
    if (by->v != NULL) {
        crank_fill_row(fill, row, b->v, b->nv, factor, by->v);
    }
    if (by->a != NULL) {
        crank_fill_row(fill, row, b->a, b->nv, factor, by->a);
    }
}

/* b: on which the force acts; other: that moves */
static inline void crank_absolute_fill_force_by(const crank_absolute_body *b,
                                                const crank_force_change *change,
                                                const crank_absolute_body *other,
                                                const crank_by_body *by, crank_fill *fill)
{
    for (int i = 0; i < b->nv; i++) {
        const double *K = change->K != NULL ? change->K + i * change->stride : NULL;
        if (change->J == NULL) {
            crank_fill_row(fill, b->d + i, other->p, other->np, change->effort, K);
            continue;
        }
        const double factor = change->factor * change->J[i];
        crank_by_body rest = *by;
        for (int j = 0; K != NULL && j < other->np; j++) {
            crank_fill_add(fill, b->d + i, other->p + j,
                           factor * by->p[j] + change->effort * K[j]);
        }
        rest.p = K != NULL ? NULL : by->p;
        crank_absolute_fill_row(other, b->d + i, factor, &rest, fill);
    }
}

/* ---- any coordinates ---- */

/* A force factor * J on a body, into the balance of forces. */
static inline void crank_coordinates_force(const crank_coordinates *c, int body, double factor,
                                           const double *J, double *k)
{
    if (c->chain != NULL) {
        c->chain->force(c, body, factor, J, k);
        return;
    }
    crank_absolute_force(&c->absolute[body], factor, J, k);
}

/* The same force, while the Jacobian is filled. */
static inline void crank_coordinates_load(const crank_coordinates *c, int body, double factor,
                                          const double *J)
{
    if (c->chain != NULL) {
        c->chain->load(c, body, factor, J);
    }
}

/* The rate factor * J v_b by the velocities, into row (sizes.v). */
static inline void crank_coordinates_rate(const crank_coordinates *c, int body, double factor,
                                          const double *J, double *row)
{
    if (c->chain != NULL) {
        c->chain->rate(c, body, factor, J, row);
        return;
    }
    const crank_absolute_body *b = &c->absolute[body];
    for (int i = 0; i < b->nv; i++) {
        row[b->v - c->first_velocity + i] += factor * J[i];
    }
}

/* factor times derivatives by the motion of a body, into a row. */
static inline void crank_coordinates_fill_row(const crank_coordinates *c, int row,
                                              double factor, const crank_by_body *by,
                                              crank_fill *fill)
{
    if (c->chain != NULL) {
        c->chain->fill_row(c, row, factor, by, fill);
        return;
    }
    crank_absolute_fill_row(&c->absolute[by->body], row, factor, by, fill);
}

/* The balance of forces by another unknown: a force factor * J on a body, times that one. */
static inline void crank_coordinates_fill_force(const crank_coordinates *c, int body,
                                                double factor, const double *J, int column,
                                                crank_fill *fill)
{
    if (c->chain != NULL) {
        c->chain->fill_force(c, body, factor, J, column, fill);
        return;
    }
    const crank_absolute_body *b = &c->absolute[body];
    crank_fill_column(fill, b->d, column, b->nv, factor, J);
}

/* The balance of forces by the motion of a body. */
static inline void crank_coordinates_fill_force_by(const crank_coordinates *c, int body,
                                                   const crank_force_change *change,
                                                   const crank_by_body *by, crank_fill *fill)
{
    if (c->chain != NULL) {
        c->chain->fill_force_by(c, body, change, by, fill);
        return;
    }
    crank_absolute_fill_force_by(&c->absolute[body], change, &c->absolute[by->body], by, fill);
}

#endif
