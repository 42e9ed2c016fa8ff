/* recursion.c - from the ground outwards: states of all bodies from joint coordinates, their
 * rates and accelerations; and inwards: loads on all that hangs behind a joint.
 *
 *     V_2 = V_1 + S v,   A_2 = A_1 + S v' + V_1 x S v             theory (7.53)
 *     F_i = sum of the loads on bodies behind joint i              theory (7.54)
 * V and A are about the point O that is at the centre of mass of the first body of the tree at
 * this instant: near the mechanism, wherever in the world that is. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/spatial.h"
#include "mechanics/joint/tree.h"

#include <string.h>

/* ---- positions ---- */

/* where the links of a body have come to */
typedef struct place {
    double P[3], R[9], q[4], angle;
} place;

static void start_at(const crank_tree *tree, const crank_tree_body *body, place *at)
{
    memset(at, 0, sizeof *at);
    if (body->led >= 0) {
        crank_tree_led_place(tree, body, at->P, at->q);
        return;
    }
    if (body->parent < 0) {
        memcpy(at->P, body->inner, sizeof at->P);
        at->R[0] = at->R[4] = at->R[8] = at->q[0] = 1.0;
        return;
    }
    const crank_body_state *on = &tree->s->state[body->parent];
    crank_mat3_times(at->P, on->R, body->inner);
    crank_add3(at->P, 1.0, on->x);
    memcpy(at->R, on->R, sizeof at->R);
    memcpy(at->q, on->q, sizeof at->q);
    at->q[0] = on->kind == CRANK_BODY_SPATIAL ? at->q[0] : 1.0;
    at->angle = on->angle;
}

/* products of unit quaternions stay units */
static void turn(place *at, const double by[4])
{
    double q[4];
    crank_quaternion_multiply(q, at->q, by);
    const double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const double f = 1.5 - 0.5 * norm;
    for (int i = 0; i < 4; i++) {
        at->q[i] = f * q[i];
    }
}

static void turn_by(place *at, const double q[4])
{
    const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double unit[4] = {q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm};
    turn(at, unit);
}

/* the direction of a link goes to S as an axis through P, without O */
static void place_links(const crank_tree *tree, const crank_tree_body *body, bool spatial,
                        const double *p, place *at)
{
    for (int l = body->first; l < body->first + body->count; l++) {
        const crank_link *link = &tree->shape->link[l];
        double(*S)[6] = tree->link[l].S;
        if (link->kind != CRANK_LINK_BALL) {
            double a[3], by[4];
            crank_mat3_times(a, at->R, link->axis);
            memset(S[0], 0, sizeof S[0]);
            memcpy(S[0] + (link->kind == CRANK_LINK_TURN ? 0 : 3), a, sizeof a);
            if (link->kind == CRANK_LINK_SLIDE) {
                crank_add3(at->P, p[link->p], a);
            } else if (spatial) {
                crank_quaternion_of_axis(by, link->axis, p[link->p]);
                turn(at, by);
            } else {
                at->angle += p[link->p];
            }
        } else {
            memcpy(tree->link[l].q, p + link->p, sizeof tree->link[l].q);
            static const double unit[4] = {1.0, 0.0, 0.0, 0.0};
            memcpy(at->q, unit, sizeof unit);
            turn_by(at, p + link->p);
        }
        if (spatial && l + 1 < body->first + body->count && link->kind == CRANK_LINK_TURN) {
            crank_quaternion_matrix(at->R, at->q);
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
        turn(&at, body->outer_q);
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

/* the directions of a link about O; r: its point from there */
static void direct(const crank_tree *tree, const crank_link *link, const double r[3],
                   double S[3][6])
{
    const double *R = tree->s->state[link->body].R;
    for (int k = 0; k < link->nv; k++) {
        if (link->kind == CRANK_LINK_BALL) {
            S[k][0] = R[k];
            S[k][1] = R[3 + k];
            S[k][2] = R[6 + k];
        }
        if (link->kind != CRANK_LINK_SLIDE) {
            crank_cross3(S[k] + 3, r, S[k]);
        }
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

static void move_links(const crank_tree *tree, int i, const double P[3], const double *v,
                       const double *a)
{
    const crank_tree_body *body = &tree->shape->body[i];
    crank_tree_value *value = &tree->body[i];
    for (int l = body->first; l < body->first + body->count; l++) {
        const crank_link *link = &tree->shape->link[l];
        crank_link_value *at = &tree->link[l];
        double relative[6] = {0.0}, coriolis[6];
        for (int k = 0; k < 3; k++) {
            at->P[k] = P[k] - value->O[k];
        }
        if (link->apart) {
            follow_point(at->P, value);
        }
        memcpy(at->in[0], value->V, sizeof value->V);
        memcpy(at->in[1], value->A, sizeof value->A);
        direct(tree, link, at->P, at->S);
        memcpy(at->omega, v + link->v, (size_t)link->nv * sizeof *v);
        for (int k = 0; k < link->nv; k++) {
            crank_add6(relative, v[link->v + k], at->S[k]);
            if (a != NULL) {
                crank_add6(value->A, a[link->v + k], at->S[k]);
            }
        }
        crank_cross_motion(coriolis, value->V, relative);
        crank_add6(value->A, 1.0, coriolis);
        crank_add6(value->V, 1.0, relative);
        memcpy(at->out[0], value->V, sizeof value->V);
        memcpy(at->out[1], value->A, sizeof value->A);
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
