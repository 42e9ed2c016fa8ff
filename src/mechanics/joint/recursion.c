/* recursion.c - from the ground outwards: states of all bodies from joint coordinates, their
 * rates and accelerations; and inwards: loads on all that hangs behind a joint.
 *
 *     V_2 = V_1 + S v,   A_2 = A_1 + S v' + V_1 x S v             theory (7.65)
 *     F_i = sum of the loads on bodies behind joint i              theory (7.66)
 * V and A are about the point O that is at the centre of mass of the first body of the tree at
 * this instant: near the mechanism, wherever in the world that is. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/spatial.h"
#include "mechanics/joint/tree.h"

#include <string.h>

/* ---- positions ---- */

/* where the links of a body have come to */
typedef struct place {
    double P[3], q[4], angle;
    const double *R;
    double turned[9]; /* what R is behind turns */
} place;

static const double unit_matrix[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
static const double unit_quaternion[4] = {1.0, 0.0, 0.0, 0.0};

static void start_at(const crank_tree *tree, const crank_tree_body *body, place *at)
{
    if (body->led >= 0) {
        crank_tree_led_place(tree, body, at->P, at->q);
        at->R = unit_matrix; /* it has no links */
        at->angle = 0.0;
        return;
    }
    if (body->parent < 0) {
        memcpy(at->P, body->inner, sizeof at->P);
        memcpy(at->q, unit_quaternion, sizeof at->q);
        at->R = unit_matrix;
        at->angle = 0.0;
        return;
    }
    const crank_body_state *on = &tree->s->state[body->parent];
    crank_mat3_times(at->P, on->R, body->inner);
    crank_add3(at->P, 1.0, on->x);
    at->R = on->R;
    memcpy(at->q, on->kind == CRANK_BODY_SPATIAL ? on->q : unit_quaternion, sizeof at->q);
    at->angle = on->angle;
}

/* products of unit quaternions stay units */
static inline void turn(place *at, const double by[4])
{
    double q[4];
    crank_quaternion_multiply(q, at->q, by);
    const double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const double f = 1.5 - 0.5 * norm;
    for (int i = 0; i < 4; i++) {
        at->q[i] = f * q[i];
    }
}

static void turn_to(place *at, const double q[4])
{
    const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) {
        at->q[i] = q[i] / norm;
    }
}

/* a turn, and q_0 behind the last one: cos q_0 + sin a o q_0 */
static inline void turn_link(place *at, const crank_link *link, double angle)
{
    const double c = cos(0.5 * angle), s = sin(0.5 * angle);
    double by[4];
    for (int i = 0; i < 4; i++) {
        by[i] = c * link->straight[i] + s * link->turned[i];
    }
    turn(at, by);
}

/* the direction of a link goes to S as an axis through P, without O */
static void place_links(const crank_tree *tree, const crank_tree_body *body, bool spatial,
                        const double *p, place *at)
{
    const int end = body->first + body->count;
    for (int l = body->first; l < end; l++) {
        const crank_link *link = &tree->shape->link[l];
        if (link->kind == CRANK_LINK_BALL) {
            memcpy(tree->link[l].q, p + link->p, sizeof tree->link[l].q);
            turn_to(at, p + link->p);
            continue;
        }
        double *S = tree->link[l].S[0] + (link->kind == CRANK_LINK_TURN ? 0 : 3);
        crank_mat3_times(S, at->R, link->axis);
        if (link->kind == CRANK_LINK_SLIDE) {
            crank_add3(at->P, p[link->p], S);
        } else if (!spatial) {
            at->angle += p[link->p];
        } else {
            crank_add3(at->P, link->lead * p[link->p], S);
            turn_link(at, link, p[link->p]);
            if (l + 1 < end) {
                crank_quaternion_matrix(at->turned, at->q);
                at->R = at->turned;
            }
        }
    }
}

static void place_body(const crank_tree *tree, int i, const double *p, double P[3])
{
    const crank_tree_body *body = &tree->shape->body[i];
    crank_body_state *state = &tree->s->state[i];
    const bool spatial = state->kind == CRANK_BODY_SPATIAL;
    place at;
    double arm[3];
    start_at(tree, body, &at);
    place_links(tree, body, spatial, p, &at);
    if (spatial) {
        if (!body->turns) {
            turn(&at, body->outer_q);
        }
        memcpy(state->q, at.q, sizeof at.q);
        crank_quaternion_matrix(state->R, state->q);
    } else if (state->kind == CRANK_BODY_PLANAR) {
        state->angle = at.angle + body->outer_angle;
        state->R[0] = state->R[4] = cos(state->angle);
        state->R[3] = sin(state->angle);
        state->R[1] = -state->R[3];
    }
    crank_mat3_times(arm, state->R, body->outer);
    for (int k = 0; k < 3; k++) {
        state->x[k] = at.P[k] - arm[k];
    }
    memcpy(P, at.P, sizeof at.P);
}

/* ---- motions ---- */

/* the directions of a ball about O; r: its point from there */
static void direct(const crank_tree *tree, const crank_link *link, const double r[3],
                   double S[3][6])
{
    const double *R = tree->s->state[link->body].R;
    for (int k = 0; k < link->nv; k++) {
        S[k][0] = R[k];
        S[k][1] = R[3 + k];
        S[k][2] = R[6 + k];
        crank_cross3(S[k] + 3, r, S[k]);
    }
}

/* V and A of what moves along with a point of the body and does not turn */
static void follow_point(const double P[3], crank_tree_value *value)
{
    double v[3], a[3], t[3];
    crank_cross3(v, value->V, P);
    crank_add3(v, 1.0, value->V + 3);
    crank_cross3(a, value->A, P);
    crank_add3(a, 1.0, value->A + 3);
    crank_cross3(t, value->V, v);
    crank_add3(a, 1.0, t);
    memset(value->V, 0, sizeof value->V);
    memset(value->A, 0, sizeof value->A);
    memcpy(value->V + 3, v, sizeof v);
    memcpy(value->A + 3, a, sizeof a);
}

/* a link with one coordinate: V += S v, A += S v' + V x S v */
static inline void move_single(const crank_link *link, crank_link_value *at, double v, double a,
                               crank_tree_value *value)
{
    double *V = value->V, *A = value->A, *S = at->S[0], turned[3], t[3];
    if (link->kind == CRANK_LINK_SLIDE) {
        crank_cross3(t, V, S + 3);
        for (int k = 0; k < 3; k++) {
            A[3 + k] += a * S[3 + k] + v * t[k];
            V[3 + k] += v * S[3 + k];
        }
        return;
    }
    double u[3];
    crank_cross3(S + 3, at->P, S);
    crank_add3(S + 3, link->lead, S);
    crank_cross3(turned, V, S);
    crank_cross3(t, V, S + 3);
    crank_cross3(u, V + 3, S);
    for (int k = 0; k < 3; k++) {
        A[k] += a * S[k] + v * turned[k];
        A[3 + k] += a * S[3 + k] + v * (t[k] + u[k]);
        V[k] += v * S[k];
        V[3 + k] += v * S[3 + k];
    }
}

static void move_several(const crank_tree *tree, const crank_link *link, crank_link_value *at,
                         const double *v, const double *a, crank_tree_value *value)
{
    double relative[6] = {0.0}, coriolis[6];
    direct(tree, link, at->P, at->S);
    for (int k = 0; k < link->nv; k++) {
        crank_add6(relative, v[k], at->S[k]);
        crank_add6(value->A, a[k], at->S[k]);
    }
    crank_cross_motion(coriolis, value->V, relative);
    crank_add6(value->A, 1.0, coriolis);
    crank_add6(value->V, 1.0, relative);
}

static void move_links(const crank_tree *tree, int i, const double P[3], const double *v,
                       const double *a)
{
    const crank_tree_body *body = &tree->shape->body[i];
    crank_tree_value *value = &tree->body[i];
    for (int l = body->first; l < body->first + body->count; l++) {
        const crank_link *link = &tree->shape->link[l];
        crank_link_value *at = &tree->link[l];
        for (int k = 0; k < 3; k++) {
            at->P[k] = P[k] - value->O[k];
        }
        if (link->apart) {
            follow_point(at->P, value);
        }
        memcpy(at->in[0], value->V, sizeof value->V);
        memcpy(at->in[1], value->A, sizeof value->A);
        if (link->nv == 1) {
            move_single(link, at, v[link->v], a[link->v], value);
        } else {
            memcpy(at->omega, v + link->v, sizeof at->omega);
            move_several(tree, link, at, v + link->v, a + link->v, value);
        }
        memcpy(at->out, value->V, sizeof value->V);
    }
}

/* velocities and accelerations of the centre of mass, rotations in body axes */
static void finish_state(const crank_tree_value *value, crank_body_state *state)
{
    double c[3];
    crank_cross3(state->v, value->V, value->c);
    crank_add3(state->v, 1.0, value->V + 3);
    crank_cross3(state->a, value->A, value->c);
    crank_cross3(c, value->V, state->v);
    crank_add3(state->a, 1.0, value->A + 3);
    crank_add3(state->a, 1.0, c);
    if (state->kind == CRANK_BODY_SPATIAL) {
        crank_mat3_transposed_times(state->omega, state->R, value->V);
        crank_mat3_transposed_times(state->alpha, state->R, value->A);
    } else if (state->kind == CRANK_BODY_PLANAR) {
        state->omega[2] = value->V[2];
        state->alpha[2] = value->A[2];
    }
}

static void move_body(crank_tree *tree, int i, const double *p, const double *v,
                      const double *a)
{
    const crank_tree_body *body = &tree->shape->body[i];
    crank_tree_value *value = &tree->body[i];
    crank_body_state *state = &tree->s->state[i];
    double P[3];
    place_body(tree, i, p, P);
    if (body->parent < 0) {
        memcpy(value->O, state->x, sizeof value->O);
        memset(value->V, 0, sizeof value->V);
        memset(value->A, 0, sizeof value->A);
        if (body->led >= 0) {
            crank_tree_led_move(tree, body, P, value);
        }
    } else {
        const crank_tree_value *on = &tree->body[body->parent];
        memcpy(value->O, on->O, sizeof value->O);
        memcpy(value->V, on->V, sizeof value->V);
        memcpy(value->A, on->A, sizeof value->A);
    }
    for (int k = 0; k < 3; k++) {
        value->c[k] = state->x[k] - value->O[k];
    }
    move_links(tree, i, P, v, a);
    finish_state(value, state);
}

void crank_tree_states(crank_system *s, double t, const double *x)
{
    crank_tree *tree = crank_tree_of(&s->coordinates);
    tree->compiled_point = false;
    crank_tree_lead(tree, t, x);
    for (int k = 0; k < tree->shape->body_count; k++) {
        move_body(tree, tree->shape->order[k], x + tree->column_p, x + tree->column_v,
                  x + tree->column_a);
    }
}

/* ---- loads ---- */

void crank_tree_wrench(const crank_tree *tree, int body, const double *J, double out[6])
{
    const crank_body_state *state = &tree->s->state[body];
    const int translations = crank_body_translations(state->kind);
    double moment[3] = {0.0};
    memset(out, 0, 6 * sizeof *out);
    memcpy(out + 3, J, (size_t)translations * sizeof *out);
    if (state->kind == CRANK_BODY_SPATIAL) {
        crank_mat3_times(moment, state->R, J + 3);
    } else if (state->kind == CRANK_BODY_PLANAR) {
        moment[2] = J[2];
    }
    crank_cross3(out, tree->body[body].c, out + 3);
    crank_add3(out, 1.0, moment);
}

void crank_tree_sum_loads(crank_tree *tree)
{
    for (int i = 0; i < tree->shape->body_count; i++) {
        crank_tree_value *at = &tree->body[i];
        crank_tree_wrench(tree, i, at->load, at->wrench);
        memcpy(at->F, at->wrench, sizeof at->F);
    }
    for (int k = tree->shape->body_count - 1; k >= 0; k--) {
        const int i = tree->shape->order[k], parent = tree->shape->body[i].parent;
        if (parent >= 0) {
            const crank_tree_body *body = &tree->shape->body[i];
            double F[6];
            memcpy(F, tree->body[i].F, sizeof F);
            if (body->count > 0) {
                crank_tree_pass_force(tree, body->first, F);
            }
            crank_add6(tree->body[parent].F, 1.0, F);
        }
    }
}
