/* start.c - joint coordinates and their rates from states of bodies that joints allow:
 *
 *     slides  a_1 . (P_2 - P_1),     turns  from M = R_1^T R_2 R_0^T,     balls  q = q_2
 *     a turn about a:  tan = a . axial(M)/((tr M - 1)/2);  a cross of a and e: from M e, M^T a
 *     Cardan angles:  M = Rx(a) Ry(b) Rz(c),  sin b = M_xz,  tan a = -M_yz/M_zz,
 *         tan c = -M_xy/M_xx
 * and rates as the parts of the relative velocity of P and of the relative angular velocity
 * along the directions of links, which are perpendicular to each other; the first and the third
 * of Cardan angles are not. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/tree.h"

#include "linalg/rotation.h"

#include <string.h>

static const crank_body_state ground = {.q = {1.0},
                                        .R = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};

static const crank_body_state *state_of(const crank_body_state *state, int body)
{
    return body >= 0 ? &state[body] : &ground;
}

/* ---- positions ---- */

static void transpose(double B[9], const double A[9])
{
    for (int i = 0; i < 9; i++) {
        B[i] = A[3 * (i % 3) + i / 3];
    }
}

/* M = R_1^T R_2 R_0^T */
static void relative_turn(const crank_tree_body *body, const crank_body_state *on,
                          const crank_body_state *own, double M[9])
{
    double R[9], T[9], back[9];
    transpose(T, on->R);
    crank_mat3_multiply(R, T, own->R);
    crank_quaternion_matrix(T, body->outer_q);
    transpose(back, T);
    crank_mat3_multiply(M, R, back);
}

/* how far M turns about an axis; M moves nothing but what is across it */
static double angle_about(const double M[9], const double axis[3])
{
    const double axial[3] = {0.5 * (M[7] - M[5]), 0.5 * (M[2] - M[6]), 0.5 * (M[3] - M[1])};
    return atan2(crank_dot3(axial, axis), 0.5 * (M[0] + M[4] + M[8] - 1.0));
}

/* two turns, about a and then about e across it */
static void cross_angles(const double M[9], const double a[3], const double e[3],
                         double angle[2])
{
    double w[3], Me[3], Ma[3];
    crank_cross3(w, a, e);
    crank_mat3_times(Me, M, e);
    crank_mat3_transposed_times(Ma, M, a);
    angle[0] = atan2(crank_dot3(w, Me), crank_dot3(e, Me));
    angle[1] = atan2(crank_dot3(w, Ma), crank_dot3(a, Ma));
}

/* three turns, about axes z, x and y in this order, as in theory (7.36), or any such: x, y, z
 * of theory (7.64) */
static void cardan_angles(const double M[9], const double *const axis[3], double angle[3])
{
    const double *z = axis[0], *x = axis[1], *y = axis[2];
    double left[3], up[3];
    crank_mat3_times(left, M, y);
    crank_mat3_transposed_times(up, M, z);
    const double cosine = hypot(crank_dot3(x, left), crank_dot3(y, left));
    angle[0] = atan2(-crank_dot3(x, left), crank_dot3(y, left));
    angle[1] = atan2(crank_dot3(z, left), cosine);
    angle[2] = atan2(-crank_dot3(x, up), crank_dot3(z, up));
}

/* angles of the turns of a body in space, at most three */
static void take_angles(const crank_tree_shape *shape, const crank_tree_body *body,
                        const crank_body_state *on, const crank_body_state *own,
                        double angle[3])
{
    const double *axis[3];
    int turns = 0;
    double M[9];
    for (int l = body->first; l < body->first + body->count; l++) {
        if (shape->link[l].kind == CRANK_LINK_TURN) {
            axis[turns++] = shape->link[l].axis;
        }
    }
    relative_turn(body, on, own, M);
    if (turns == 1) {
        angle[0] = angle_about(M, axis[0]);
    } else if (turns == 2) {
        cross_angles(M, axis[0], axis[1], angle);
    } else if (turns == 3) {
        cardan_angles(M, axis, angle);
    }
}

static void take_turns(const crank_tree_shape *shape, const crank_tree_body *body,
                       const crank_body_state *on, const crank_body_state *own, double *p)
{
    double angle[3];
    if (own->kind == CRANK_BODY_SPATIAL) {
        take_angles(shape, body, on, own, angle);
    } else {
        angle[0] = own->angle - on->angle - body->outer_angle;
    }
    for (int l = body->first, k = 0; l < body->first + body->count; l++) {
        const crank_link *link = &shape->link[l];
        if (link->kind == CRANK_LINK_TURN) {
            p[link->p] = angle[k++];
        } else if (link->kind == CRANK_LINK_BALL) {
            memcpy(p + link->p, own->q, sizeof own->q);
        }
    }
}

/* P of a body, R u_2 from its centre of mass */
static void point_of(const crank_tree_body *body, const crank_body_state *own, double P[3])
{
    crank_mat3_times(P, own->R, body->outer);
    crank_add3(P, 1.0, own->x);
}

/* the angle of a screw goes on beyond a turn: the one that its length says, but for turns */
static double count_turns(double angle, double length, double lead)
{
    static const double turn = 6.283185307179586;
    return angle + turn * round((length / lead - angle) / turn);
}

static void take_positions(const crank_tree_shape *shape, int i, const crank_body_state *state,
                           double *p)
{
    const crank_tree_body *body = &shape->body[i];
    const crank_body_state *on = state_of(state, body->parent);
    double P[3], local[3];
    point_of(body, &state[i], P);
    crank_add3(P, -1.0, on->x);
    crank_mat3_transposed_times(local, on->R, P);
    crank_add3(local, -1.0, body->inner);
    for (int l = body->first; l < body->first + body->count; l++) {
        const crank_link *link = &shape->link[l];
        if (link->kind == CRANK_LINK_SLIDE) {
            p[link->p] = crank_dot3(link->axis, local);
        }
    }
    take_turns(shape, body, on, &state[i], p);
    for (int l = body->first; l < body->first + body->count; l++) {
        const crank_link *link = &shape->link[l];
        if (link->kind == CRANK_LINK_TURN && link->lead != 0.0) {
            p[link->p] = count_turns(p[link->p], crank_dot3(link->axis, local), link->lead);
        }
    }
}

static void take_all_positions(const crank_tree_shape *shape, const crank_body_state *state,
                               double *p)
{
    for (int i = 0; i < shape->body_count; i++) {
        take_positions(shape, i, state, p);
    }
}

/* q_1 o (turns) o q_0 */
static void turned_by(const crank_tree_shape *shape, const crank_tree_body *body,
                      const double *angle, const double from[4], double q[4])
{
    double by[4], t[4];
    memcpy(t, from, sizeof t);
    for (int l = body->first, k = 0; l < body->first + body->count; l++) {
        if (shape->link[l].kind == CRANK_LINK_TURN) {
            crank_quaternion_of_axis(by, shape->link[l].axis, angle[k++]);
            crank_quaternion_multiply(q, t, by);
            memcpy(t, q, sizeof t);
        }
    }
    crank_quaternion_multiply(q, t, body->outer_q);
}

void crank_tree_match_signs(crank_tree_shape *shape, const crank_body_state *state)
{
    for (int i = 0; i < shape->body_count; i++) {
        crank_tree_body *body = &shape->body[i];
        const crank_body_state *on = state_of(state, body->parent);
        const bool ball = body->count > 0 &&
                          shape->link[body->first + body->count - 1].kind == CRANK_LINK_BALL;
        if (ball || state[i].kind != CRANK_BODY_SPATIAL) {
            continue;
        }
        double angle[3], q[4];
        take_angles(shape, body, on, &state[i], angle);
        turned_by(shape, body, angle, on->q, q);
        const double *own = state[i].q;
        if (q[0] * own[0] + q[1] * own[1] + q[2] * own[2] + q[3] * own[3] < 0.0) {
            for (int k = 0; k < 4; k++) {
                body->outer_q[k] = -body->outer_q[k];
            }
        }
    }
}

/* ---- velocities ---- */

static void take_velocities(const crank_tree *tree, int i, const crank_body_state *state,
                            double *v)
{
    const crank_tree_body *body = &tree->shape->body[i];
    const crank_body_state *on = state_of(state, body->parent), *own = &state[i];
    double turn[2][3], P[3], t[3], speed[3], arm[3];
    crank_mat3_times(turn[0], on->R, on->omega);
    crank_mat3_times(turn[1], own->R, own->omega);
    crank_mat3_times(arm, own->R, body->outer);
    crank_cross3(speed, turn[1], arm);
    crank_add3(speed, 1.0, own->v);
    crank_add3(speed, -1.0, on->v);
    point_of(body, own, P);
    crank_add3(P, -1.0, on->x);
    crank_cross3(t, turn[0], P);
    crank_add3(speed, -1.0, t);
    crank_add3(turn[1], -1.0, turn[0]);
    for (int l = body->first; l < body->first + body->count; l++) {
        const crank_link *link = &tree->shape->link[l];
        for (int k = 0; k < link->nv; k++) {
            const double *S = tree->link[l].S[k];
            v[link->v + k] = link->kind == CRANK_LINK_SLIDE  ? crank_dot3(S + 3, speed)
                             : link->kind == CRANK_LINK_BALL ? own->omega[k]
                                                             : crank_dot3(S, turn[1]);
        }
    }
    if (crank_tree_is_cardan(tree->shape, i)) {
        const int last = body->first + body->count - 1;
        const double *first = tree->link[last - 2].S[0], *third = tree->link[last].S[0];
        const double s = crank_dot3(first, third), det = 1.0 - s * s;
        double *a = &v[tree->shape->link[last - 2].v], *c = &v[tree->shape->link[last].v];
        const double one = *a, other = *c;
        *a = (one - s * other) / det;
        *c = (other - s * one) / det;
    }
}

/* ---- how well they say it ---- */

static double apart(const crank_body_state *a, const crank_body_state *b, double length)
{
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        most = fmax(most, fabs(a->x[k] - b->x[k]) / length);
    }
    for (int k = 0; k < 9; k++) {
        most = fmax(most, fabs(a->R[k] - b->R[k]));
    }
    return most;
}

double crank_tree_take(const crank_tree *tree, double t, const crank_body_state *state,
                       double length, double *x, int *worst)
{
    crank_system *s = tree->s;
    double most = 0.0;
    *worst = -1;
    take_all_positions(tree->shape, state, x + tree->column_p);
    memset(x + tree->column_v, 0, (size_t)tree->shape->nv * sizeof *x);
    crank_tree_states(s, t, x);
    for (int k = 0; k < s->body_count; k++) {
        const int i = tree->shape->order[k];
        const double off = apart(&s->state[i], &state[i], length);
        take_velocities(tree, i, state, x + tree->column_v);
        if (off > most) {
            most = off;
            *worst = i;
        }
    }
    return most;
}
