/* tree.h - joint coordinates: what the files of this directory share. Not for others, but
 * crank_tree_choose and crank_tree_take (mechanics/assembly.c).
 *
 * Every body hangs on another one or on the ground by a joint of the tree, or is free. A joint
 * is a row of links, each with one coordinate or a quaternion: slides first, which move its
 * point P, then turns about P (a screw slides with its angle). Axes are those at zero
 * coordinates, in the axes of the body before. What is behind the last link is fixed in the
 * body, theory (7.62)
 *     P = x_1 + R_1 u_1 + sum a s,   q_2 = q_1 o (turns) o q_0,   x_2 = P - R_2 u_2
 * A ball has the orientation of its body in the world, q_2 = q, not relative to the other body:
 * a slender rod's spin is then a coordinate by itself, and the mass matrix turns less.
 * Coordinates of other joints stay constraints. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_JOINT_TREE_H
#define CRANK_SRC_JOINT_TREE_H

#include "eom/stage.h"
#include "mechanics/system.h"

typedef enum crank_link_kind {
    CRANK_LINK_SLIDE,
    CRANK_LINK_TURN,
    CRANK_LINK_BALL /* quaternion of the body in the world, its angular velocity in its axes */
} crank_link_kind;

enum { CRANK_LINK_MAX = 6, CRANK_GRADIENT = 18 };

typedef struct crank_link {
    crank_link_kind kind;
    int body;   /* that it carries */
    int before; /* the link towards the ground, -1: none */
    int np, nv; /* 1 and 1, or 4 and 3 */
    int p, v;   /* place among p and v */
    int n;      /* invariant, -1: none */
    bool apart; /* a ball on a body: what is before it does not turn what is behind it */
    double axis[3];
    double lead;  /* of a turn: that slides so far along the axis, by angle; 0: it does not */
    double rotor; /* with one coordinate: inertia that moves with it besides bodies (rotor.c) */
    double straight[4], turned[4]; /* of a turn in space: 1 and a, behind the last one q_0 and
                                      a o q_0 */
} crank_link;

typedef struct crank_tree_body {
    int parent; /* -1: ground */
    int joint;  /* -1: free */
    int led;    /* -1: it is not (led.c) */
    int first, count;
    int last;           /* its last link, or the last one before it; -1: none */
    bool turns;         /* its last link of its own is a turn */
    bool six;           /* it hangs by a joint `free`, whose angles are its own */
    double inner[3];    /* u_1, from the centre of mass of the parent; ground: world */
    double outer[3];    /* u_2, from its own */
    double outer_q[4];  /* q_0 */
    double outer_angle; /* the same of a planar body */
} crank_tree_body;

/* A tree as it was chosen; arrays live in a store. */
typedef struct crank_tree_shape {
    int body_count, link_count;
    int np, nv, nn;
    crank_tree_body *body;
    crank_link *link;
    int *order;       /* bodies, from the ground on */
    int *hung;        /* joint_count: the body that hangs by it, -1: it is not of the tree */
    bool cardan;      /* some body has Cardan angles */
    int lambda_count; /* constraints before, and where each is now, -1: none */
    int *lambda;
} crank_tree_shape;

/* What the motion of a link is at a point: its directions S, and for derivatives what (7.68)
 * needs of them. */
typedef struct crank_link_value {
    double in[2][6], out[6]; /* V and A before, V behind it */
    double S[3][6];
    double q[4], omega[3]; /* of a ball */
    double P[3];           /* from O */
    double D[3][6], G[3][6], E[3][6];
} crank_link_value;

typedef struct crank_tree_value {
    double O[3], c[3]; /* the point that its tree is seen from; centre of mass from there */
    double V[6], A[6]; /* of the body */
    double load[6];    /* along its v: force in the world, moment in the body */
    double size[6];    /* sum of the sizes of loads, while a Jacobian is filled */
    double wrench[6];  /* the load about O */
    double F[6];       /* that on it and on all behind it */
} crank_tree_value;

/* The change of a force on one body by the motion of another, collected while a Jacobian is
 * filled. */
typedef struct crank_tree_pair {
    int body, by;
    int common; /* the last body on both their ways from the ground, -1: none */
} crank_tree_pair;

/* rows: of a force along v of its body, or about O; columns: of crank_tree_widen or _lower */
typedef double crank_tree_block[6][CRANK_GRADIENT];

/* Calls of fill_force_by in their order: the pair that each one means, -1: a body by itself. */
typedef struct crank_tree_calls {
    int count, capacity;
    int *item;
} crank_tree_calls;

typedef struct crank_tree_pairs {
    int count, capacity;
    crank_tree_pair *item;
    crank_tree_calls calls[2]; /* of the whole Jacobian; of a stage */
} crank_tree_pairs;

/* Entries of the Jacobian that speak of each constraint (vanish.c); unit: of the velocity, 0:
 * it does not tell whether the constraint has a gradient. */
typedef struct crank_tree_entry {
    int at;
    double unit;
} crank_tree_entry;

typedef struct crank_tree_vanish {
    int rows, *start;
    crank_tree_entry *item;
    double *size; /* rows: gradients by the motion of bodies */
} crank_tree_vanish;

typedef struct crank_tree {
    const crank_tree_shape *shape;
    crank_system *s;
    crank_link_value *link;
    crank_tree_value *body;
    crank_tree_pairs *pairs;
    int call;                         /* the next one */
    crank_tree_block *own;            /* by body: of forces on itself; then of all behind it */
    bool *touched;                    /* by body: there are such forces */
    bool *thin;                       /* by body: crank_tree_is_thin */
    struct crank_inertia *inertia;    /* by body, articulated.h */
    crank_tree_block *change;         /* by pair */
    crank_tree_vanish vanish[2];      /* of the whole Jacobian; of a stage */
    struct crank_tree_stages *stages; /* stage.c */
    struct crank_tree_forward *forward;     /* forward.c */
    struct crank_tree_program *program;     /* compiled.c; NULL: it is not compiled */
    struct crank_tree_recursion *recursion; /* linearise.c */
    bool compiled_point;                    /* it was evaluated last */
    bool interpret;                         /* forces of bodies are wanted, too */
    double *k;                              /* rows, for reactions */
    double *terms;                          /* eom->terms */
    double (*behind)[6];                    /* by body: terms.c */
    double (*force)[CRANK_BODY_MAX_V];      /* on all bodies; zero between calls */
    bool stage;    /* derivatives by accelerations and multipliers alone */
    bool explicit; /* as M^-1 d, and not with M */
    bool links;    /* which need the directions of links */
    int led_count; /* led.c */
    struct crank_expressions *led;
    double *led_value;
    const double *led_height;
    int column_p, column_v, column_a, row_d, row_dyn, row_kin, row_n;
} crank_tree;

static inline crank_tree *crank_tree_of(const crank_coordinates *c)
{
    return c->self;
}

extern const crank_chain crank_tree_chain; /* chain.c */

/* choose.c: the tree of a builder that has run, into b->tree; then crank_tree_drop takes the
 * constraints of its joints out of the builder. */
crank_status crank_tree_choose(crank_builder *b, crank_error *err);
void crank_tree_drop(crank_builder *b);
/* rotor.c: inertias along coordinates become those of links; their efforts are dropped. */
void crank_tree_take_rotors(crank_builder *b);
/* links.c: is it of a type that can be part of a tree? */
bool crank_tree_knows(const crank_builder *b, int joint);
/* Rows that a joint of the tree replaces, -1: it cannot be part of one; can the second body
 * only hang on the first? Then the links and frames of body on parent. */
int crank_tree_rows(const crank_builder *b, int joint);
/* Does a joint of the tree that states this constraint replace it? */
bool crank_tree_replaces(const crank_builder *b, const crank_constraint *row);
bool crank_tree_one_way(const crank_builder *b, int joint);
void crank_tree_hang(const crank_builder *b, int joint, crank_tree_body *body,
                     crank_link link[CRANK_LINK_MAX]);
void crank_tree_free_body(const crank_builder *b, int i, crank_tree_body *body,
                          crank_link link[CRANK_LINK_MAX]);

/* start.c: coordinates and velocities from states of all bodies. How far the states are from
 * what joints allow: positions by length, orientations as a sine; joint: the worst one. */
/* Signs of q_0 by which quaternions come out as those of the states. */
void crank_tree_match_signs(crank_tree_shape *shape, const crank_body_state *state);
double crank_tree_take(const crank_tree *tree, double t, const crank_body_state *state,
                       double length, double *x, int *joint);

/* led.c: values at t; the place of a led body, then its motion once O is known. */
crank_status crank_tree_led_create(crank_tree *tree, crank_builder *b, crank_error *err);
bool crank_tree_led_share(crank_tree *tree);
void crank_tree_lead(crank_tree *tree, double t, const double *x);
void crank_tree_led_place(const crank_tree *tree, const crank_tree_body *body, double P[3],
                          double q[4]);
void crank_tree_led_move(const crank_tree *tree, const crank_tree_body *body, const double P[3],
                         crank_tree_value *at);

/* recursion.c */
void crank_tree_states(crank_system *s, double t, const double *x);
/* What rows need of them; true: by machine code (compiled.h). */
bool crank_tree_row_states(crank_system *s, double t, const double *x);
/* F of all bodies from their loads. */
void crank_tree_sum_loads(crank_tree *tree);
/* A force along v of a body, (force, moment in its axes), about O. */
void crank_tree_wrench(const crank_tree *tree, int body, const double *J, double out[6]);

/* terms.c: sizes of what rows d are the sum of, once all loads of a Jacobian are known. */
void crank_tree_sum_terms(crank_tree *tree);

/* rows.c */
void crank_tree_rows_of(const crank_system *s, const double *x, double *k);
void crank_tree_end_rows(const crank_system *s, double *k);
void crank_tree_differential(crank_system *s, double t, const double *x, double *k);

/* cardan.c: has a body Cardan angles? Are none singular at the end of a step? */
bool crank_tree_is_cardan(const crank_tree_shape *shape, int body);
crank_status crank_tree_accepted(const crank_system *s, double t, const double *x,
                                 crank_error *err);

/* reactions.c */
crank_status crank_tree_reactions(crank_system *s, double t, const double *x,
                                  bool multipliers_alone, crank_error *err);
void crank_tree_reaction(const crank_system *s, int joint, int target, double *sum);

/* chain.c: gradients by p, v, a of a body, a number for each direction of (x, rotation in its
 * axes), three times six; then the same by motions about O, which do not name the body. */
void crank_tree_widen(const crank_tree *tree, const crank_by_body *by,
                      double g[CRANK_GRADIENT]);
/* (at a stage: those of accelerations alone, here and in all blocks) */
void crank_tree_lower(const crank_tree *tree, int body, const double g[CRANK_GRADIENT],
                      double G[3][6]);
/* Links from one on towards the ground; to: the first one that is not meant. */
typedef struct crank_path {
    int from, to;
} crank_path;
/* Entries of a row; depth: 0 of g_0 alone, 1 of g_1, 2 of g_2, too. G is used up. */
void crank_tree_fill_path(const crank_tree *tree, int row, double factor, double G[3][6],
                          int depth, crank_path path, crank_fill *fill);
/* From a link on towards the ground: a force about O, and (g_0, g_1, g_2); nothing but at balls
 * that hang on bodies. */
void crank_tree_pass_force(const crank_tree *tree, int link, double F[6]);
void crank_tree_pass_gradient(const crank_tree *tree, int link, double G[3][6]);
/* by virtual rotations: by the quaternion */
void crank_tree_by_quaternion(const double *q, const double turn[3], double out[4]);
/* Derivatives by the coordinate of a link, or by virtual rotations of it. */
void crank_tree_fill_positions(const crank_tree *tree, int link, int row, double factor,
                               const double by[3], crank_fill *fill);
/* vanish.c: the lists; the gradient of a row by a body, while the Jacobian is filled; entries
 * of constraints without gradient become zero. */
bool crank_tree_vanish_create(crank_tree *tree, const crank_stage_entries *entries);
void crank_tree_vanish_begin(crank_tree *tree);
void crank_tree_vanish_add(crank_tree *tree, int row, double factor,
                           const double g[CRANK_GRADIENT]);
void crank_tree_vanish_clear(crank_tree *tree, double *values);

/* massless.c: may a turn of the body have no inertia? Then g = S^T C by accelerations becomes
 * zero where only rounding is left of it. */
bool crank_tree_is_thin(const crank_body *body);
void crank_tree_clear_massless(const crank_tree_block C, const double S[6], double g[6]);

/* motions.c: eom->motions, and the supplier's function. */
crank_status crank_tree_motions_create(crank_tree *tree, crank_error *err);
void crank_tree_motions(void *self, double t, const double *x, double *A);

/* stage.c: the supplier's function for explicit methods; its places, once patterns are
 * there. */
crank_status crank_tree_stage(void *self, double t, const double *x, double *k, double *values,
                              crank_error *err);
crank_status crank_tree_stage_create(crank_tree *tree, crank_error *err);
bool crank_tree_stage_share(crank_tree *tree, const crank_tree *from);
void crank_tree_stage_destroy(crank_tree *tree);

/* forward.c: the supplier's functions, eom/eom.h; once there are stages. */
crank_status crank_tree_inertia(void *self, double t, const double *x, double *values,
                                crank_error *err);
crank_status crank_tree_accelerate(void *self, const bool *held, const double *k, double *a,
                                   crank_error *err);
bool crank_tree_definite(void *self, double t, const double *x);
crank_status crank_tree_forward_create(crank_tree *tree, crank_error *err);
bool crank_tree_forward_share(crank_tree *tree, const crank_tree *from);

/* linearise.c: the supplier's recursion, once pairs are known; its values while a Jacobian is
 * filled, blocks of bodies and of pairs about O. */
crank_status crank_tree_recursion_create(crank_tree *tree, crank_error *err);
bool crank_tree_recursion_share(crank_tree *tree);
const crank_recursion_values *crank_tree_recursion_values(void *self);
void crank_tree_keep_blocks(const crank_tree *tree);
void crank_tree_keep_pair(const crank_tree *tree, int pair, const crank_tree_block block);

/* derivatives.c: rows dyn, kin, n of a link */
void crank_tree_fill_kinematics(const crank_tree *tree, int link, crank_fill *fill);
/* Blocks at the beginning, those of inertia; and their entries at the end. */
void crank_tree_begin_blocks(crank_tree *tree);
void crank_tree_fill_blocks(crank_tree *tree, crank_fill *fill);
void crank_tree_fill(const crank_system *s, crank_fill *fill);
void crank_tree_end_fill(const crank_system *s, crank_fill *fill);
void crank_tree_fill_force_by(const crank_coordinates *c, int body,
                              const crank_force_change *change, const crank_by_body *by,
                              crank_fill *fill);

#endif
