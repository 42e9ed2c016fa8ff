/* law_run.c - a law at a point: rows and forces, and their derivatives by the chain rule
 * through the primitives.
 *
 * For an output f of values y_i, rates y'_i = J_i v, accelerations y''_i = J_i a + b_i and
 * unknowns z
 *     df/dp = sum_i  f_y Y_i + f_y' K_i^T v + f_y'' (K_i^T a + b_i,p)             theory (7.19)
 *     df/dv = sum_i  f_y' J_i + f_y'' dy''_i/dv
 *     df/da = sum_i  f_y'' J_i                       df/dz as it is
 * An effort e along primitive j adds -e J_j to the balance of forces, with derivative -J_j^T de
 * - e K_j, theory (7.13). */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/law_inside.h"

#include <math.h>
#include <string.h>

/* ---- values ---- */

bool crank_law_evaluate(const crank_law *law, const crank_system *system, double t,
                        const double *x, double *k)
{
    double *work = system->law_work->data;
    double *out = work + law->out;
    bool finite = true;
    crank_law_inputs_fetch(&law->inputs, system, t, x, work + law->in);
    crank_tape_evaluate(law->values, 1, work + law->in, law->inputs.count, out,
                        law->output_count, work + law->registers);
    for (int o = 0; o < law->efforts; o++) {
        k[system->eom->row[law->output[o].group] + law->output[o].index] += out[o];
        finite = finite && isfinite(out[o]);
    }
    for (int o = law->efforts; o < law->output_count; o++) {
        const int index = law->output[o].index;
        const crank_primitive *p = &system->primitive[index];
        const double *J = system->local[index].J;
        for (int b = 0; b < p->bodies; b++) {
            crank_coordinates_force(&system->coordinates, p->body[b], -out[o], J + p->v0[b], k);
        }
        finite = finite && isfinite(out[o]);
    }
    return finite;
}

void crank_law_reaction(const crank_law *law, const crank_system *system, double t,
                        const double *x, double force[][CRANK_BODY_MAX_V])
{
    double *work = system->law_work->data;
    double *out = work + law->out;
    if (law->reaction == NULL) {
        return;
    }
    crank_law_inputs_fetch(&law->inputs, system, t, x, work + law->in);
    crank_tape_evaluate(law->reaction, 1, work + law->in, law->inputs.count, out,
                        law->reaction_count, work + law->registers);
    for (int i = 0; i < law->reaction_count; i++) {
        const int index = law->reaction_primitive[i];
        const crank_primitive *p = &system->primitive[index];
        const double *J = system->local[index].J;
        for (int b = 0; b < p->bodies; b++) {
            const crank_body *body = &system->body[p->body[b]];
            for (int j = 0; j < body->nv; j++) {
                force[p->body[b]][j] += out[i] * J[p->v0[b] + j];
            }
        }
    }
}

/* ---- derivatives ---- */

/* Y, K^T v and so on of one primitive, into its places */
static void differentiate(const crank_law *law, const crank_law_primitive *lp,
                          const crank_system *system)
{
    double *work = system->law_work->data;
    const crank_primitive *p = &system->primitive[lp->primitive];
    crank_local local = system->local[lp->primitive];
    local.Y = work + lp->Y;
    local.K = work + (lp->K >= 0 ? lp->K : law->scratch_K);
    local.bias_p = work + law->scratch_bias;
    crank_primitive_derivatives(p, system->state, &local);
    if (lp->motion) {
        crank_primitive_motion(p, system->state, &local, work + lp->rate_p, work + lp->acc_p,
                               work + lp->acc_v);
    }
}

static void add_scaled(double *to, int n, double factor, const double *from)
{
    for (int i = 0; i < n; i++) {
        to[i] += factor * from[i];
    }
}

/* derivative f of an output by an input of a primitive, carried on to the bodies */
static void add_to_gradient(const crank_law *law, const crank_system *system,
                            const crank_law_term *term, double f)
{
    double *work = system->law_work->data;
    const crank_law_primitive *lp = &law->primitive[term->primitive];
    const crank_primitive *p = &system->primitive[lp->primitive];
    const double *J = system->local[lp->primitive].J;
    const crank_symbol_kind kind = law->inputs.symbol[term->input].kind;
    for (int b = 0; b < p->bodies; b++) {
        const crank_body *body = &system->body[p->body[b]];
        double *by_p = work + law->gradient + law->column[lp->body[b]];
        double *by_v = by_p + body->np;
        double *by_a = by_v + body->nv;
        const int p0 = p->p0[b];
        const int v0 = p->v0[b];
        if (kind == CRANK_SYMBOL_VALUE) {
            add_scaled(by_p, body->np, f, work + lp->Y + p0);
        } else if (kind == CRANK_SYMBOL_RATE) {
            add_scaled(by_p, body->np, f, work + lp->rate_p + p0);
            add_scaled(by_v, body->nv, f, J + v0);
        } else {
            add_scaled(by_p, body->np, f, work + lp->acc_p + p0);
            add_scaled(by_v, body->nv, f, work + lp->acc_v + v0);
            add_scaled(by_a, body->nv, f, J + v0);
        }
    }
}

static void find_gradient(const crank_law *law, const crank_system *system, int o,
                          const double *derivative)
{
    double *gradient = system->law_work->data + law->gradient;
    for (int i = law->touch_start[o]; i < law->touch_start[o + 1]; i++) {
        const int b = law->touch[i].body;
        const crank_body *body = &system->body[law->body[b]];
        memset(gradient + law->column[b], 0,
               (size_t)(body->np + 2 * body->nv) * sizeof *gradient);
    }
    for (int i = law->term_start[o]; i < law->term_start[o + 1]; i++) {
        if (law->term[i].primitive >= 0) {
            add_to_gradient(law, system, &law->term[i], derivative[i]);
        }
    }
}

int crank_law_column(const crank_system *system, crank_symbol s)
{
    static const crank_group group[] = {CRANK_R, CRANK_W, CRANK_S, CRANK_LAMBDA, CRANK_MU};
    return system->eom->column[group[s.kind - CRANK_SYMBOL_R]] + s.index;
}

/* derivatives of an output by the motion of a body */
static crank_by_body by_body(const crank_law *law, const crank_system *system,
                             const crank_law_touch *touch)
{
    const double *by_p = system->law_work->data + law->gradient + law->column[touch->body];
    const int number = law->body[touch->body];
    const crank_body *body = &system->body[number];
    return (crank_by_body){.body = number,
                           .p = by_p,
                           .v = touch->v ? by_p + body->np : NULL,
                           .a = touch->a ? by_p + body->np + body->nv : NULL};
}

static void fill_output(const crank_law *law, const crank_system *system, int o,
                        const double *derivative, crank_fill *fill)
{
    const int row = system->eom->row[law->output[o].group] + law->output[o].index;
    for (int i = law->term_start[o]; i < law->term_start[o + 1]; i++) {
        if (law->term[i].primitive < 0) {
            const int column = crank_law_column(system, law->inputs.symbol[law->term[i].input]);
            crank_fill_add(fill, row, column, derivative[i]);
        }
    }
    for (int i = law->touch_start[o]; i < law->touch_start[o + 1]; i++) {
        const crank_by_body by = by_body(law, system, &law->touch[i]);
        crank_coordinates_fill_row(&system->coordinates, row, 1.0, &by, fill);
    }
}

/* -J^T de - e K into the balance of forces */
static void fill_effort(const crank_law *law, const crank_system *system, int o, double e,
                        const double *derivative, crank_fill *fill)
{
    const crank_coordinates *c = &system->coordinates;
    const crank_law_primitive *lp = &law->primitive[law->effort_primitive[o]];
    const crank_primitive *p = &system->primitive[lp->primitive];
    for (int b = 0; b < p->bodies; b++) {
        const double *J = system->local[lp->primitive].J + p->v0[b];
        const double *K = system->law_work->data + lp->K + p->v0[b] * p->np;
        crank_coordinates_load(c, p->body[b], -e, J);
        for (int i = law->term_start[o]; i < law->term_start[o + 1]; i++) {
            if (law->term[i].primitive < 0) {
                const int column =
                    crank_law_column(system, law->inputs.symbol[law->term[i].input]);
                crank_coordinates_fill_force(c, p->body[b], -derivative[i], J, column, fill);
            }
        }
        for (int i = law->touch_start[o]; i < law->touch_start[o + 1]; i++) {
            const crank_law_touch *touch = &law->touch[i];
            const crank_by_body by = by_body(law, system, touch);
            const crank_force_change change = {.J = J,
                                               .factor = -1.0,
                                               .K = touch->slot >= 0 ? K + p->p0[touch->slot]
                                                                     : NULL,
                                               .stride = p->np,
                                               .effort = -e};
            crank_coordinates_fill_force_by(c, p->body[b], &change, &by, fill);
        }
    }
}

/* numbers that stand for derivatives while places are recorded: none of them zero, no two
 * alike */
static void pretend(double *value, int count)
{
    double x = 0.0;
    for (int i = 0; i < count; i++) {
        x += 0.6180339887498949;
        x -= x >= 1.0 ? 1.0 : 0.0;
        value[i] = 0.5 + x;
    }
}

bool crank_law_is_smooth(const crank_law *law, const crank_system *system, double t,
                         const double *x)
{
    double *work = system->law_work->data, *out = work + law->out;
    const int count = law->output_count - law->efforts + law->term_count;
    bool finite = true;
    crank_law_inputs_fetch(&law->inputs, system, t, x, work + law->in);
    crank_tape_evaluate(law->derivatives, 1, work + law->in, law->inputs.count, out, count,
                        work + law->registers);
    for (int i = 0; i < count; i++) {
        finite = finite && isfinite(out[i]);
    }
    return finite;
}

void crank_law_jacobian(const crank_law *law, crank_system *system, double t, const double *x,
                        crank_fill *fill)
{
    double *work = system->law_work->data;
    const int effort_count = law->output_count - law->efforts;
    const int count = effort_count + law->term_count;
    double *effort = work + law->out;
    double *derivative = effort + effort_count;
    crank_law_inputs_fetch(&law->inputs, system, t, x, work + law->in);
    for (int i = 0; i < law->primitive_count; i++) {
        differentiate(law, &law->primitive[i], system);
    }
    if (fill->recording) {
        pretend(effort, count);
    } else {
        crank_law_partials(law, system, effort, derivative);
    }
    for (int o = 0; o < law->output_count; o++) {
        find_gradient(law, system, o, derivative);
        if (o < law->efforts) {
            fill_output(law, system, o, derivative, fill);
        } else {
            fill_effort(law, system, o, effort[o - law->efforts], derivative, fill);
        }
    }
}
