/* emit.h - the recursions of joint coordinates as straight C, for one tree: each joint written
 * out, all constants of the mechanism folded (trace.h).
 *
 * Other than the recursions that run on any tree (recursion.c, articulated.c), which see all
 * bodies in world axes, these see each body in a frame of its own, in which its inertia and
 * the axis and place of its joint are numbers. The frame of a body is that of the body before,
 * turned by the joints between: at zero coordinates both coincide, unless the axis of a turn
 * is none of the frame's; then the frame behind has it as its third one. Theory (7.80),
 * (7.81). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EMIT_H
#define CRANK_SRC_EMIT_H

#include "mechanics/joint/emit_math.h"
#include "mechanics/joint/tree.h"

/* What the functions are for; each may be called when those before have been at this point. */
typedef enum emit_section {
    EMIT_STATES, /* states of bodies that forces and constraints look at */
    EMIT_LINKS,  /* directions of links, for derivatives by accelerations and multipliers */
    EMIT_ROWS,   /* d, from loads on these */
    EMIT_FACTOR, /* articulated inertias */
    EMIT_SOLVE,  /* y = M^-1 r */
    EMIT_SECTIONS
} emit_section;

/* numbers of a body that is looked at, of a load on it, of a link: P from O, directions */
enum { EMIT_STATE = 25, EMIT_LOAD = 6, EMIT_LINK = 21 };

/* where things are in w */
typedef struct emit_slots {
    int led, load, state; /* load, state: of bodies that are looked at, in their order */
    int center, link;     /* center: centre of mass from O */
    int r, d, y, fine;    /* fine: 1 or 0, nothing gives way without inertia */
    int first;            /* free from here on */
} emit_slots;

/* one link on the way from the frame of the body before to that of the body */
typedef struct emit_step {
    const crank_link *link;
    int k;          /* of a turn: the axis of the frame behind that it turns about */
    double sign;    /* 1, or -1: the other way round */
    bool aligned;   /* false: frame is there */
    double axis[3]; /* of a slide, or a screw: in the frame before */
    N frame[9];     /* of a turn: that has its axis as third one, columns in the frame before */
    N cos, sin;
    N E[9]; /* of a ball: from the frame before to that behind */
} emit_step;

typedef struct emit_body {
    int parent, steps;
    emit_step step[CRANK_LINK_MAX];
    double B[9];          /* axes of the body to its frame */
    double outer[3];      /* P from the centre of mass, frame */
    double m, h[3], J[9]; /* about P, frame */
    N r[3];               /* P from that of the body before, in the frame of that */
    N W[9], P[3];         /* frame to world; P in the world */
    N angle;              /* of a planar body */
    /* about P, in the frame; a: less gravity */
    N omega[3], alpha[3], v[3], a[3], Omega[9];
    N force[3], moment[3]; /* rows */
    N A[6], C[6], M[9];    /* articulated: moment = A alpha + M a, force = M^T alpha + C a */
} emit_body;

typedef struct emitter {
    T *t;
    const crank_tree *tree;
    int *seen; /* body: its number among those that are looked at, -1: it is not */
    emit_slots slot;
    emit_body ground, *body;
} emitter;

static inline emit_body *emit_before(emitter *e, const emit_body *b)
{
    return b->parent >= 0 ? &e->body[b->parent] : &e->ground;
}

/* emit.c: frames and motions of all bodies. */
void emit_outward(emitter *e);
/* emit_states.c: of bodies and links; the centre of mass in the world. */
void emit_states(emitter *e);
void emit_links(emitter *e);
void emit_center(emitter *e, const emit_body *b, N x[3]);
/* emit_frame.c: a vector, or moment and force, through a step. */
void emit_to_behind(T *t, const emit_step *s, N u[3]);
void emit_to_before(T *t, const emit_step *s, N u[3]);
/* S -> R S R^T, M -> R M R^T */
void emit_symmetric_to_before(T *t, const emit_step *s, N S[6]);
void emit_matrix_to_before(T *t, const emit_step *s, N M[9]);
/* emit_rows.c */
void emit_rows(emitter *e);
/* emit_articulated.c */
void emit_articulated(emitter *e);

/* emit_derivatives.c: numbers of each direction, for products of pairs (products.c): pairs of
 * (E, G), then of the rotations of (D, S), S. Room is left for what else products need.
 * Direction k of a link is at its place among p plus k. Behind the last one composites of
 * bodies. The function is `derivatives`. How many numbers w has, 0: out of memory. Of trees
 * without forces, balls on bodies, led bodies. */
enum {
    EMIT_BY_SUMS = 18, /* room: 6 pairs by q and v */
    EMIT_DIRECTION = 30,
    EMIT_INERTIA = 36, /* room: I S and rotations of B^T S */
    EMIT_DERIVATIVE = 45
};
/* a composite: mass, h, J (xx, xy, xz, yy, yz, zz), p, U (by rows), F */
enum { EMIT_H = 1, EMIT_J = 4, EMIT_P = 10, EMIT_U = 13, EMIT_F = 22, EMIT_COMPOSITE = 28 };
int emit_derivatives(const crank_tree *tree, crank_text *text);

/* The C of a tree, and how many numbers w has; 0: out of memory. operations (sections) may be
 * NULL. */
extern const char *const emit_names[EMIT_SECTIONS];
int emit_tree(const crank_tree *tree, int *seen, int seen_count, emit_slots *slot,
              crank_text *text, int *operations);

#endif
