/* kinematics.h - bodies in absolute coordinates and the scalar functions of them that
 * everything else is made of.
 *
 * A spatial body has p = (x, q): centre of mass and quaternion (body to world), v = (x', omega)
 * with omega in body axes, q' = Z v = 1/2 q o omega. A planar body has p = (x, y, theta), v =
 * p'; points have no rotation. R(q) u = q o u o q* is homogeneous of degree two, so that d/dt
 * (R u) = R (omega x u) holds for every q.
 *
 * A marker is a vector fixed in a body: a direction R u, or a point x + R u. With vectors a and
 * b, each one marker or the difference of two, there are four primitives, theory (7.6)-(7.15):
 *     product  y = a . b         J v = a' . b + a . b'
 *     slide    J v = a . b'      a velocity only: it has no y
 *     turn     J v = a . (omega_2 - omega_1), world components of relative angular velocity;
 *              no y
 *     angle    y = theta_2 - theta_1, planar bodies
 * For each: J (row over the velocities of its bodies), bias = J' v (so that (J v)' = J v' +
 * bias) and the derivatives Y = dy/dp, K = dJ/dp, dbias/dp. These give every row of the eom and
 * its Jacobian. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_KINEMATICS_H
#define CRANK_SRC_KINEMATICS_H

#include <crank/base.h>

typedef enum crank_body_kind {
    CRANK_BODY_SPATIAL,     /* 7 positions, 6 velocities */
    CRANK_BODY_PLANAR,      /* 3, 3 */
    CRANK_BODY_POINT,       /* 3, 3 */
    CRANK_BODY_PLANAR_POINT /* 2, 2 */
} crank_body_kind;

enum { CRANK_BODY_MAX_P = 7, CRANK_BODY_MAX_V = 6, CRANK_PRIMITIVE_BODIES = 4 };

int crank_body_positions(crank_body_kind kind);
int crank_body_velocities(crank_body_kind kind);
/* Components of x: 3, or 2 in planar models. */
static inline int crank_body_translations(crank_body_kind kind)
{
    return kind == CRANK_BODY_SPATIAL || kind == CRANK_BODY_POINT ? 3 : 2;
}

/* A body at one point (t, x). Unused components are zero; of planar bodies omega and alpha are
 * (0, 0, rate). */
typedef struct crank_body_state {
    crank_body_kind kind;
    double x[3], q[4];     /* planar: q is not used, angle is */
    double angle;          /* of a planar body */
    double R[9];           /* row-major, world = R body */
    double v[3], omega[3]; /* omega in body axes */
    double a[3], alpha[3]; /* the carried accelerations: v', omega' */
} crank_body_state;

/* From p, v and accelerations of the body (a may be NULL: zero). */
void crank_body_state_set(crank_body_state *state, crank_body_kind kind, const double *p,
                          const double *v, const double *a);
/* pdot = Z(p) v. */
void crank_body_kinematics(const crank_body_state *state, double *pdot);
/* Values of d(Z v)/dp (np x np) and Z (np x nv), row-major. */
void crank_body_kinematics_jacobian(const crank_body_state *state, double *by_p, double *by_v);

typedef struct crank_marker {
    int body; /* -1: ground */
    bool point;
    double u[3]; /* body axes; of a point from the centre of mass. Ground: world */
} crank_marker;

typedef struct crank_vector {
    int count; /* 1: marker[0]; 2: marker[0] - marker[1] */
    crank_marker marker[2];
} crank_vector;

typedef enum crank_primitive_kind {
    CRANK_PRODUCT,
    CRANK_SLIDE,
    CRANK_TURN,
    CRANK_ANGLE
} crank_primitive_kind;

typedef struct crank_primitive {
    crank_primitive_kind kind;
    crank_vector a, b; /* turn uses a; angle uses none */
    int first, second; /* of turn and angle: bodies, -1: ground */
    /* made by crank_primitive_complete: */
    int bodies, body[CRANK_PRIMITIVE_BODIES]; /* without ground, each once */
    int np, nv;
    int p0[CRANK_PRIMITIVE_BODIES], v0[CRANK_PRIMITIVE_BODIES]; /* local offsets of each body */
    bool square; /* the product of a vector with itself: a distance's */
} crank_primitive;

/* Finds the bodies and the sizes; kind: of all bodies. */
void crank_primitive_complete(crank_primitive *primitive, const crank_body_kind *kind);

/* What is known of a primitive at one point. The arrays are the caller's; local order is that
 * of body[]. */
typedef struct crank_local {
    double y;            /* 0 for slide and turn */
    double rate;         /* J v */
    double bias;         /* (J v)' - J v' */
    double acceleration; /* (J v)' */
    double *J;           /* nv */
    double *Y;           /* np; zero for slide and turn */
    double *K;           /* nv x np, row-major: dJ_i/dp_j */
    double *bias_p;      /* np */
} crank_local;

/* y, rate, bias, acceleration and J. state: of all bodies. */
void crank_primitive_values(const crank_primitive *primitive, const crank_body_state *state,
                            crank_local *out);
/* Y, K, bias_p. */
void crank_primitive_derivatives(const crank_primitive *primitive,
                                 const crank_body_state *state, crank_local *out);

/* From these, in local order (pdot, v, a: local arrays):
 *     d rate/dp = K^T v,   d acceleration/dp = K^T a + bias_p,
 *         d bias/dv = (K Z) v + (K Z)^T v
 * rate_p (np), acceleration_p (np), acceleration_v (nv). The states give pdot, v, a and Z. */
void crank_primitive_motion(const crank_primitive *primitive, const crank_body_state *state,
                            const crank_local *local, double *rate_p, double *acceleration_p,
                            double *acceleration_v);

#endif
