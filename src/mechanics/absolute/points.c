/* points.c - rows y = a . (b_1 - b_2) = constant with a direction a that is fixed in
 * space:
 *
 *     b = x + R u:   b' = x' + omega x r,   b'' = x'' + alpha x r + omega x (omega x r),
 *         r = R u
 *     g = a . b - constant,   gI = a . b',   gII = a . b''                        theory (7.10)
 *     J = a on x', which is constant, and r x a (in body axes u x R^T a) on omega  theory (7.8)
 * Markers are evaluated once for all rows that use them. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/absolute/points.h"
#include "mechanics/absolute/absolute.h"

#include "linalg/rotation.h"

#include <math.h>
#include <string.h>

/* ---- evaluation ---- */

static void move_planar(crank_moving *m, const crank_body_state *s)
{
    const double w = s->omega[2], turn = s->alpha[2];
    const double x = s->R[0] * m->marker.u[0] + s->R[1] * m->marker.u[1];
    const double y = s->R[3] * m->marker.u[0] + s->R[4] * m->marker.u[1];
    const double point = m->marker.point ? 1.0 : 0.0;
    m->arm[0] = x;
    m->arm[1] = y;
    m->value[0] = x + point * s->x[0];
    m->value[1] = y + point * s->x[1];
    m->rate[0] = point * s->v[0] - w * y;
    m->rate[1] = point * s->v[1] + w * x;
    m->acceleration[0] = point * s->a[0] - turn * y - w * w * x;
    m->acceleration[1] = point * s->a[1] + turn * x - w * w * y;
}

static void move_spatial(crank_moving *m, const crank_body_state *s)
{
    double c[3], cc[3], ac[3];
    crank_cross3(c, s->omega, m->marker.u);
    crank_cross3(cc, s->omega, c);
    crank_cross3(ac, s->alpha, m->marker.u);
    crank_add3(cc, 1.0, ac);
    crank_mat3_times(m->arm, s->R, m->marker.u);
    crank_mat3_times(m->rate, s->R, c);
    crank_mat3_times(m->acceleration, s->R, cc);
    memcpy(m->value, m->arm, sizeof m->value);
    if (m->marker.point) {
        crank_add3(m->value, 1.0, s->x);
        crank_add3(m->rate, 1.0, s->v);
        crank_add3(m->acceleration, 1.0, s->a);
    }
}

/* bodies without rotation */
static void move_point(crank_moving *m, const crank_body_state *s)
{
    for (int i = 0; i < 3 && m->marker.point; i++) {
        m->value[i] = s->x[i] + m->marker.u[i];
        m->rate[i] = s->v[i];
        m->acceleration[i] = s->a[i];
    }
}

static void move_all(const crank_points *points, const crank_body_state *state)
{
    for (int i = 0; i < points->moving_count; i++) {
        crank_moving *m = &points->moving[i];
        const crank_body_state *s = &state[m->marker.body];
        if (m->kind == CRANK_BODY_PLANAR) {
            move_planar(m, s);
        } else if (m->kind == CRANK_BODY_SPATIAL) {
            move_spatial(m, s);
        } else {
            move_point(m, s);
        }
    }
}

/* J on the angular velocity, into its entries and times lambda into d */
static void turn_end(const crank_row_end *end, const crank_moving *m,
                     const crank_body_state *state, double lambda, double *d, double *values)
{
    if (end->turning == 1) {
        const double J = m->arm[0] * end->f[1] - m->arm[1] * end->f[0];
        d[2] += lambda * J;
        values[end->place[0][0]] += J;
        values[end->place[0][1]] += J;
    } else if (end->turning == 3) {
        double local[3], J[3];
        crank_mat3_transposed_times(local, state[m->marker.body].R, end->f);
        crank_cross3(J, m->marker.u, local);
        for (int i = 0; i < 3; i++) {
            d[3 + i] += lambda * J[i];
            values[end->place[i][0]] += J[i];
            values[end->place[i][1]] += J[i];
        }
    }
}

static void evaluate_row(const crank_points *points, const crank_point_row *row,
                         const crank_system *s, double lambda, double *k, double *values)
{
    const crank_eom *eom = s->eom;
    double y = row->constant, rate = 0.0, acceleration = 0.0;
    for (int e = 0; e < row->count; e++) {
        const crank_row_end *end = &row->end[e];
        const crank_moving *m = &points->moving[end->moving];
        const int translations = crank_body_translations(m->kind);
        double *d = k + end->d;
        for (int i = 0; i < translations; i++) {
            y += end->f[i] * m->value[i];
            rate += end->f[i] * m->rate[i];
            acceleration += end->f[i] * m->acceleration[i];
            d[i] += m->marker.point ? lambda * end->f[i] : 0.0;
        }
        turn_end(end, m, s->state, lambda, d, values);
    }
    k[eom->row[CRANK_ROW_G] + row->lambda] = y;
    k[eom->row[CRANK_ROW_GI] + row->lambda] = rate;
    k[eom->row[CRANK_ROW_GII] + row->lambda] = acceleration;
}

static void evaluate_pairs(const crank_points *points, const crank_eom *eom, const double *x,
                           double *k, double *values)
{
    const double *lambda = x + eom->column[CRANK_LAMBDA];
    double *g = k + eom->row[CRANK_ROW_G], *gI = k + eom->row[CRANK_ROW_GI],
           *gII = k + eom->row[CRANK_ROW_GII];
    for (int i = 0; i < points->pair_count; i++) {
        const crank_point_pair *pair = &points->pair[i];
        const double fx = lambda[pair->lambda[0]], fy = lambda[pair->lambda[1]];
        double y[2] = {pair->constant[0], pair->constant[1]}, rate[2] = {0.0}, acc[2] = {0.0};
        for (int e = 0; e < pair->count; e++) {
            const crank_pair_end *end = &pair->end[e];
            const crank_moving *m = &points->moving[end->moving];
            const double sign = end->sign, ax = sign * m->arm[0], ay = sign * m->arm[1];
            double *d = k + end->d;
            y[0] += sign * m->value[0];
            y[1] += sign * m->value[1];
            rate[0] += sign * m->rate[0];
            rate[1] += sign * m->rate[1];
            acc[0] += sign * m->acceleration[0];
            acc[1] += sign * m->acceleration[1];
            d[0] += sign * fx;
            d[1] += sign * fy;
            d[2] += ax * fy - ay * fx;
            values[end->place[0]] = values[end->place[1]] = -ay;
            values[end->place[2]] = values[end->place[3]] = ax;
        }
        for (int c = 0; c < 2; c++) {
            g[pair->lambda[c]] = y[c];
            gI[pair->lambda[c]] = rate[c];
            gII[pair->lambda[c]] = acc[c];
        }
    }
}

void crank_points_evaluate(const crank_points *points, const crank_system *s, const double *x,
                           double *k, double *values)
{
    const double *lambda = x + s->eom->column[CRANK_LAMBDA];
    move_all(points, s->state);
    evaluate_pairs(points, s->eom, x, k, values);
    for (int i = 0; i < points->row_count; i++) {
        const crank_point_row *row = &points->row[i];
        evaluate_row(points, row, s, lambda[row->lambda], k, values);
    }
}

/* ---- create ---- */

static bool is_fixed_direction(const crank_vector *a)
{
    return a->count == 1 && a->marker[0].body < 0 && !a->marker[0].point;
}

/* a row of this kind: a is the direction, b the other vector */
static bool is_point_row(const crank_system *s, const crank_primitive *p,
                         const crank_vector **a, const crank_vector **b)
{
    const bool first = is_fixed_direction(&p->a);
    *a = first ? &p->a : &p->b;
    *b = first ? &p->b : &p->a;
    if (p->kind != CRANK_PRODUCT || !is_fixed_direction(*a)) {
        return false;
    }
    for (int i = 0; i < (*b)->count; i++) { /* a planar body has no third component */
        const int body = (*b)->marker[i].body;
        if (body >= 0 && crank_body_translations(s->body[body].kind) == 2 &&
            (*a)->marker[0].u[2] != 0.0) {
            return false;
        }
    }
    return true;
}

/* the marker among those there are, or a new one */
static int find_moving(crank_points *out, const crank_system *s, const crank_marker *marker)
{
    for (int i = out->moving_count - 1; i >= 0 && i >= out->moving_count - 16; i--) {
        const crank_marker *m = &out->moving[i].marker;
        if (m->body == marker->body && m->point == marker->point &&
            memcmp(m->u, marker->u, sizeof m->u) == 0) {
            return i;
        }
    }
    crank_moving *made = &out->moving[out->moving_count];
    *made = (crank_moving){.marker = *marker, .kind = s->body[marker->body].kind};
    memcpy(made->value, marker->u, sizeof made->value); /* of directions that do not turn */
    return out->moving_count++;
}

static void make_end(const crank_system *s, crank_stage_find *find, int lambda,
                     const crank_marker *marker, crank_row_end *end, double *constant)
{
    const crank_eom *eom = s->eom;
    const crank_absolute_body *b = crank_absolute_of(s, marker->body);
    const int row = eom->row[CRANK_ROW_GII] + lambda,
              column = eom->column[CRANK_LAMBDA] + lambda;
    const int translations = crank_body_translations(s->body[marker->body].kind);
    end->d = b->d;
    end->turning = b->nv - translations;
    for (int i = 0; i < translations && marker->point; i++) {
        if (end->f[i] != 0.0) {
            constant[find(s, row, b->a + i)] += end->f[i];
            constant[find(s, b->d + i, column)] += end->f[i];
        }
    }
    for (int i = 0; i < end->turning; i++) {
        end->place[i][0] = find(s, row, b->a + translations + i);
        end->place[i][1] = find(s, b->d + translations + i, column);
    }
}

static void make_row(crank_points *out, const crank_system *s, crank_stage_find *find, int i,
                     const crank_vector *a, const crank_vector *b, double *constant)
{
    const double *direction = a->marker[0].u;
    crank_point_row *row = &out->row[out->row_count++];
    *row = (crank_point_row){.lambda = s->row_lambda[i], .constant = -s->row_constant[i]};
    for (int e = 0; e < b->count; e++) {
        const crank_marker *marker = &b->marker[e];
        const double sign = e == 0 ? 1.0 : -1.0;
        if (marker->body < 0) {
            row->constant += sign * crank_dot3(direction, marker->u);
            continue;
        }
        crank_row_end *end = &row->end[row->count++];
        end->moving = find_moving(out, s, marker);
        for (int c = 0; c < 3; c++) {
            end->f[c] = sign * direction[c];
        }
        make_end(s, find, row->lambda, marker, end, constant);
    }
}

/* f is +-1 along the axis, at points of different planar bodies */
static bool is_along(const crank_point_row *row, const crank_points *out, int axis)
{
    bool along = row->count > 0;
    for (int e = 0; e < row->count; e++) {
        const crank_row_end *end = &row->end[e];
        const crank_moving *m = &out->moving[end->moving];
        along = along && m->kind == CRANK_BODY_PLANAR && m->marker.point &&
                fabs(end->f[axis]) == 1.0 && end->f[1 - axis] == 0.0;
    }
    return along && (row->count == 1 || row->end[0].d != row->end[1].d);
}

/* the last two rows become a pair if they are one */
static void join_rows(crank_points *out)
{
    const crank_point_row *x = &out->row[out->row_count - 2], *y = x + 1;
    if (out->row_count < 2 || x->count != y->count || !is_along(x, out, 0) ||
        !is_along(y, out, 1)) {
        return;
    }
    crank_point_pair pair = {.lambda = {x->lambda, y->lambda},
                             .constant = {x->constant, y->constant},
                             .count = x->count};
    for (int e = 0; e < x->count; e++) {
        const crank_row_end *a = &x->end[e], *b = &y->end[e];
        if (a->moving != b->moving || a->f[0] != b->f[1]) {
            return;
        }
        pair.end[e] =
            (crank_pair_end){a->moving,
                             a->f[0],
                             a->d,
                             {a->place[0][0], a->place[0][1], b->place[0][0], b->place[0][1]}};
    }
    out->pair[out->pair_count++] = pair;
    out->row_count -= 2;
}

crank_status crank_points_create(crank_system *s, crank_stage_find *find, double *constant,
                                 bool *fixed, bool *taken, crank_points *out, crank_error *err)
{
    const size_t rows = (size_t)s->row_count;
    *out = (crank_points){0};
    out->row = crank_store_take(&s->store, rows, sizeof *out->row);
    out->pair = crank_store_take(&s->store, rows, sizeof *out->pair);
    out->moving = crank_store_take(&s->store, 2 * rows, sizeof *out->moving);
    if (s->store.failed) {
        return crank_fail(err, CRANK_EMEM, "stages of the mechanism");
    }
    for (int i = 0; i < s->row_count; i++) {
        const crank_vector *a, *b;
        taken[i] = is_point_row(s, &s->primitive[s->row_primitive[i]], &a, &b);
        if (!taken[i]) {
            continue;
        }
        make_row(out, s, find, i, a, b, constant);
        const crank_point_row *row = &out->row[out->row_count - 1];
        for (int e = 0; e < row->count; e++) {
            for (int j = 0; j < row->end[e].turning; j++) {
                fixed[row->end[e].place[j][0]] = fixed[row->end[e].place[j][1]] = false;
            }
        }
        join_rows(out);
    }
    return CRANK_OK;
}
