/* welded.h - coordinates of fewer bodies than there are: a planar body named "rider" is part
 * of the body before it, its carrier, whose p, v and a are the only unknowns. Nothing but this
 * file knows. It is what another kind of coordinates must supply (mechanics/coordinates.h),
 * with a transformation that is not constant: r = R u from the carrier's centre of mass to the
 * rider's,
 *
 *     x_r = x + r,   v_r = v + omega e x r,   a_r = a + alpha e x r - omega^2 r
 *     A = dp_r/dp = dv_r/dv = da_r/da = (1, e x r; 0, 1)
 *     dv_r/dtheta = -omega r,   da_r/dtheta = -alpha r - omega^2 e x r
 *     da_r/domega = -2 omega r
 *     d(A^T F)/dtheta = -r.F in the carrier's moment */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_WELDED_H
#define CRANK_TESTS_WELDED_H

#include "mechanics/system.h"

#include <math.h>
#include <string.h>

enum { WELDED_MAX = 8 };

typedef struct welded {
    crank_system *s;
    crank_absolute_body carrier[WELDED_MAX]; /* by body: of itself or of its carrier */
    int rides_on[WELDED_MAX];                /* -1: on nothing */
    double u[WELDED_MAX][2], turned[WELDED_MAX];
    double load[WELDED_MAX][3];
} welded;

static bool welded_rides(const crank_builder *b, int body)
{
    return strcmp(b->mechanism->body[body].name, "rider") == 0;
}

/* r of a rider; of others zero, so that A is the identity */
static void welded_arm(const welded *w, int body, double r[2])
{
    const int on = w->rides_on[body];
    r[0] = r[1] = 0.0;
    if (on >= 0) {
        const double *R = w->s->state[on].R, *u = w->u[body];
        r[0] = R[0] * u[0] + R[1] * u[1];
        r[1] = R[3] * u[0] + R[4] * u[1];
    }
}

/* ---- the chain rule ---- */

static void welded_turn(const double r[2], const double J[3], double out[3]) /* J A */
{
    out[0] = J[0];
    out[1] = J[1];
    out[2] = J[2] + r[0] * J[1] - r[1] * J[0];
}

static void welded_force(const crank_coordinates *c, int body, double factor, const double *J,
                         double *k)
{
    const welded *w = c->self;
    double r[2], F[3];
    welded_arm(w, body, r);
    welded_turn(r, J, F);
    crank_absolute_force(&w->carrier[body], factor, F, k);
}

static void welded_load(const crank_coordinates *c, int body, double factor, const double *J)
{
    welded *w = c->self;
    for (int i = 0; i < 3; i++) {
        w->load[body][i] += factor * J[i];
    }
}

static void welded_rate(const crank_coordinates *c, int body, double factor, const double *J,
                        double *row)
{
    const welded *w = c->self;
    double r[2], F[3];
    welded_arm(w, body, r);
    welded_turn(r, J, F);
    for (int i = 0; i < 3; i++) {
        row[w->carrier[body].v - c->first_velocity + i] += factor * F[i];
    }
}

static void welded_fill_row(const crank_coordinates *c, int row, double factor,
                            const crank_by_body *by, crank_fill *fill)
{
    static const double zero[3] = {0.0, 0.0, 0.0};
    const welded *w = c->self;
    const crank_body_state *q = &w->s->state[by->body];
    const double o = q->omega[2], alpha = q->alpha[2];
    const double *f_p = by->p != NULL ? by->p : zero, *f_v = by->v != NULL ? by->v : zero,
                 *f_a = by->a != NULL ? by->a : zero;
    double r[2], p[3], v[3], a[3];
    welded_arm(w, by->body, r);
    welded_turn(r, f_p, p);
    welded_turn(r, f_v, v);
    welded_turn(r, f_a, a);
    p[2] += -o * (f_v[0] * r[0] + f_v[1] * r[1]) - alpha * (f_a[0] * r[0] + f_a[1] * r[1]) -
            o * o * (f_a[1] * r[0] - f_a[0] * r[1]);
    v[2] += -2.0 * o * (f_a[0] * r[0] + f_a[1] * r[1]);
    crank_absolute_fill_row(&w->carrier[by->body], row, factor,
                            &(crank_by_body){.p = p, .v = v, .a = a}, fill);
}

static void welded_fill_force(const crank_coordinates *c, int body, double factor,
                              const double *J, int column, crank_fill *fill)
{
    const welded *w = c->self;
    double r[2], F[3];
    welded_arm(w, body, r);
    welded_turn(r, J, F);
    crank_fill_column(fill, w->carrier[body].d, column, 3, factor, F);
}

/* each row of A^T times the change of the force */
static void welded_fill_force_by(const crank_coordinates *c, int body,
                                 const crank_force_change *change, const crank_by_body *by,
                                 crank_fill *fill)
{
    const welded *w = c->self;
    double r[2];
    welded_arm(w, body, r);
    for (int i = 0; i < 3; i++) {
        const double weight[3] = {i == 0   ? 1.0
                                  : i == 2 ? -r[1]
                                           : 0.0,
                                  i == 1   ? 1.0
                                  : i == 2 ? r[0]
                                           : 0.0,
                                  i == 2 ? 1.0 : 0.0};
        double along = 0.0, p[3] = {0.0}, v[3] = {0.0}, a[3] = {0.0};
        for (int j = 0; j < 3; j++) {
            along += change->J != NULL ? weight[j] * change->factor * change->J[j] : 0.0;
            for (int k = 0; k < 3 && change->K != NULL; k++) {
                p[k] += weight[j] * change->effort * change->K[j * change->stride + k];
            }
        }
        for (int k = 0; k < 3; k++) {
            p[k] += by->p != NULL ? along * by->p[k] : 0.0;
            v[k] += by->v != NULL ? along * by->v[k] : 0.0;
            a[k] += by->a != NULL ? along * by->a[k] : 0.0;
        }
        welded_fill_row(c, w->carrier[body].d + i, 1.0,
                        &(crank_by_body){.body = by->body, .p = p, .v = v, .a = a}, fill);
    }
}

/* ---- unknowns ---- */

static void welded_count(const crank_builder *b, crank_eom_sizes *sizes)
{
    for (int i = 0; i < b->mechanism->body_count; i++) {
        const int own = welded_rides(b, i) ? 0 : 3;
        sizes->p += own;
        sizes->v += own;
        sizes->w += own;
    }
}

static void welded_names(const crank_builder *b, const crank_coordinate_names *names)
{
    static const char *const p[] = {"x", "y", "angle"}, *const v[] = {"vx", "vy", "rate"};
    int at = 0;
    for (int i = 0; i < b->mechanism->body_count; i++) {
        const char *name = b->mechanism->body[i].name;
        for (int j = 0; j < 3 && !welded_rides(b, i); j++, at++) {
            names->p[at] = crank_store_print(b->store, "body.%s.%s", name, p[j]);
            names->v[at] = crank_store_print(b->store, "body.%s.%s", name, v[j]);
            names->a[at] = crank_store_print(b->store, "acceleration.body.%s.%s", name, v[j]);
        }
    }
}

static crank_status welded_create(crank_system *s, crank_builder *b, crank_error *err)
{
    crank_eom *eom = s->eom;
    welded *w = crank_store_take(&s->store, 1, sizeof *w);
    if (w == NULL || s->body_count > WELDED_MAX) {
        return crank_fail(err, CRANK_EMEM, "welded bodies");
    }
    s->coordinates.self = w;
    w->s = s;
    eom->kinematics_constant = true;
    int at = 0;
    for (int i = 0; i < s->body_count; i++) {
        const crank_body_state *q = &b->start[i];
        w->rides_on[i] = -1;
        if (welded_rides(b, i)) {
            const crank_body_state *on = &b->start[i - 1];
            const double d[2] = {q->x[0] - on->x[0], q->x[1] - on->x[1]};
            w->rides_on[i] = i - 1;
            w->carrier[i] = w->carrier[i - 1];
            w->u[i][0] = on->R[0] * d[0] + on->R[3] * d[1];
            w->u[i][1] = on->R[1] * d[0] + on->R[4] * d[1];
            w->turned[i] = q->angle - on->angle;
            continue;
        }
        w->carrier[i] =
            (crank_absolute_body){.np = 3,
                                  .nv = 3,
                                  .p = eom->column[CRANK_P] + at,
                                  .v = eom->column[CRANK_V] + at,
                                  .a = eom->column[CRANK_W] + b->auxiliary.count + at,
                                  .d = eom->row[CRANK_ROW_D] + b->auxiliary.count + at,
                                  .dyn = eom->row[CRANK_ROW_DYN] + at,
                                  .kin = eom->row[CRANK_ROW_KIN] + at,
                                  .n = -1};
        for (int j = 0; j < 3; j++) {
            eom->carried[w->carrier[i].a + j] = true;
        }
        at += 3;
    }
    return CRANK_OK;
}

static void welded_place(const crank_system *s, const crank_builder *b, crank_place *row,
                         crank_place *column)
{
    (void)s, (void)b, (void)row, (void)column;
}

static void welded_describe(const crank_system *s, int *body[2], char *letter[2])
{
    const welded *w = s->coordinates.self;
    for (int i = 0; i < s->body_count; i++) {
        const int at = w->carrier[i].v - s->coordinates.first_velocity;
        for (int j = 0; j < 3 && w->rides_on[i] < 0; j++) {
            body[0][at + j] = body[1][at + j] = i;
            letter[0][at + j] = j < 2 ? 't' : 'a';
            letter[1][at + j] = j < 2 ? 't' : 'r';
        }
    }
}

static bool welded_share(crank_system *s, const crank_system *from)
{
    welded *w = crank_store_take(&s->store, 1, sizeof *w);
    if (w != NULL) {
        *w = *(const welded *)from->coordinates.self;
        w->s = s;
        s->coordinates.self = w;
    }
    return w != NULL;
}

static void welded_start(const crank_system *s, const crank_body_record *record,
                         const crank_body_state *state, double *x, crank_fixing *fixing)
{
    const welded *w = s->coordinates.self;
    (void)record;
    for (int i = 0; i < s->body_count; i++) {
        const crank_body_state *q = &state[i];
        const double p[3] = {q->x[0], q->x[1], q->angle},
                     v[3] = {q->v[0], q->v[1], q->omega[2]};
        for (int j = 0; j < 3 && w->rides_on[i] < 0; j++) {
            x[w->carrier[i].p + j] = p[j];
            x[w->carrier[i].v + j] = v[j];
            fixing[w->carrier[i].p + j] = fixing[w->carrier[i].v + j] = CRANK_PREFERRED;
        }
    }
}

static int welded_column(const crank_system *s, int body, crank_body_part part)
{
    const welded *w = s->coordinates.self;
    const crank_absolute_body *b = &w->carrier[body];
    return w->rides_on[body] >= 0        ? -1
           : part == CRANK_PART_POSITION ? b->p
           : part == CRANK_PART_VELOCITY ? b->v
                                         : b->v + 2;
}

static void welded_straighten(const crank_system *s, double *x)
{
    (void)s, (void)x;
}

/* ---- evaluation ---- */

static void welded_move(const welded *w, int body, const double *x, bool with_a,
                        crank_body_state *out)
{
    static const double zero[3] = {0.0, 0.0, 0.0};
    const crank_absolute_body *b = &w->carrier[body];
    const double *a = with_a ? x + b->a : zero;
    crank_body_state_set(out, CRANK_BODY_PLANAR, x + b->p, x + b->v, a);
    if (w->rides_on[body] >= 0) {
        const double *u = w->u[body], *R = out->R, o = out->omega[2], alpha = out->alpha[2];
        const double r[2] = {R[0] * u[0] + R[1] * u[1], R[3] * u[0] + R[4] * u[1]};
        const double p[3] = {out->x[0] + r[0], out->x[1] + r[1], out->angle + w->turned[body]};
        const double v[3] = {out->v[0] - o * r[1], out->v[1] + o * r[0], o};
        const double c[3] = {out->a[0] - alpha * r[1] - o * o * r[0],
                             out->a[1] + alpha * r[0] - o * o * r[1], alpha};
        crank_body_state_set(out, CRANK_BODY_PLANAR, p, v, c);
    }
}

static void welded_states(crank_system *s, double t, const double *x)
{
    (void)t;
    for (int i = 0; i < s->body_count; i++) {
        welded_move(s->coordinates.self, i, x, true, &s->state[i]);
    }
}

static void welded_state(const crank_system *s, int body, double t, const double *x,
                         crank_body_state *out)
{
    (void)t;
    welded_move(s->coordinates.self, body, x, false, out);
}

static void welded_rows(const crank_system *s, const double *x, double *k)
{
    const welded *w = s->coordinates.self;
    for (int i = 0; i < s->body_count; i++) {
        memcpy(k + w->carrier[i].kin, x + w->carrier[i].v, 3 * sizeof *k);
        memcpy(k + w->carrier[i].dyn, x + w->carrier[i].a, 3 * sizeof *k);
    }
}

static void welded_differential(crank_system *s, double t, const double *x, double *k)
{
    (void)t;
    welded_rows(s, x, k);
}

static void welded_fill(const crank_system *s, crank_fill *fill)
{
    static const double unit[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    welded *w = s->coordinates.self;
    memset(w->load, 0, sizeof w->load);
    for (int i = 0; i < s->body_count; i++) {
        const crank_body *b = &s->body[i];
        for (int j = 0; j < 3; j++) {
            const crank_by_body by = {.body = i, .a = unit[j]};
            const crank_force_change change = {.J = unit[j],
                                               .factor = j < 2 ? b->mass : b->inertia[8]};
            welded_fill_force_by(&s->coordinates, i, &change, &by, fill);
            if (w->rides_on[i] < 0) {
                crank_fill_add(fill, w->carrier[i].kin + j, w->carrier[i].v + j, 1.0);
                crank_fill_add(fill, w->carrier[i].dyn + j, w->carrier[i].a + j, 1.0);
            }
        }
    }
}

static void welded_end_fill(const crank_system *s, crank_fill *fill)
{
    const welded *w = s->coordinates.self;
    for (int i = 0; i < s->body_count; i++) {
        double r[2];
        welded_arm(w, i, r);
        crank_fill_add(fill, w->carrier[i].d + 2, w->carrier[i].p + 2,
                       -(r[0] * w->load[i][0] + r[1] * w->load[i][1]));
    }
}

static const crank_chain welded_chain = {welded_force,      welded_load,
                                         welded_rate,       welded_fill_row,
                                         welded_fill_force, welded_fill_force_by};
static const crank_coordinates_kind welded_coordinates = {.name = "welded",
                                                          .chain = &welded_chain,
                                                          .count = welded_count,
                                                          .name_unknowns = welded_names,
                                                          .create = welded_create,
                                                          .place = welded_place,
                                                          .describe = welded_describe,
                                                          .share = welded_share,
                                                          .start = welded_start,
                                                          .column = welded_column,
                                                          .straighten = welded_straighten,
                                                          .states = welded_states,
                                                          .state = welded_state,
                                                          .rows = welded_rows,
                                                          .differential = welded_differential,
                                                          .fill = welded_fill,
                                                          .end_fill = welded_end_fill};

#endif
