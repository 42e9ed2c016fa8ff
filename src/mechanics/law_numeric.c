/* law_numeric.c - partial derivatives of a force by its inputs where its file asks for other
 * ones than formulas (key `derivatives`, [Neg98, 3.1]): central differences of its values,
 *
 *     df/du_i ~ (f(u + delta_i) - f(u - delta_i)) / (2 delta_i),
 *     delta_i = cbrt(eps) max(|u_i|, size_i)                                      theory (2.34)
 *
 * size_i: the change of u_i as bodies move by natural units; or none by the motion at all, of
 * its efforts (neglected). */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/differences.h"
#include "eom/scale.h"
#include "mechanics/law_inside.h"

#include <math.h>
#include <string.h>

/* the largest |gradient| times units of length or of angles, over the bodies of a primitive */
static double reach(const crank_system *system, const crank_primitive *p, const double *by,
                    bool of_velocities)
{
    const crank_eom_parts *parts = system->eom->parts;
    const double length = parts != NULL && parts->length > 0.0 ? parts->length : 1.0;
    const double time = parts != NULL && parts->time > 0.0 ? parts->time : 1.0;
    double largest = 0.0;
    for (int b = 0; b < p->bodies; b++) {
        const crank_body *body = &system->body[p->body[b]];
        const int count = of_velocities ? body->nv : body->np;
        const int first = of_velocities ? p->v0[b] : p->p0[b];
        const bool planar =
            body->kind == CRANK_BODY_PLANAR || body->kind == CRANK_BODY_PLANAR_POINT;
        const int places = planar ? 2 : 3;
        for (int j = 0; j < count; j++) {
            largest = fmax(largest, fabs(by[first + j]) * (j < places ? length : 1.0));
        }
    }
    return of_velocities ? largest / time : largest;
}

static double size_of(const crank_law *law, const crank_system *system,
                      const crank_law_term *term)
{
    const crank_symbol s = law->inputs.symbol[term->input];
    const double *work = system->law_work->data;
    if (term->primitive < 0) {
        bool known;
        return crank_scale_unit(system->eom, crank_law_column(system, s), &known);
    }
    const crank_law_primitive *lp = &law->primitive[term->primitive];
    const crank_primitive *p = &system->primitive[lp->primitive];
    if (s.kind == CRANK_SYMBOL_VALUE) {
        return reach(system, p, work + lp->Y, false);
    }
    return reach(system, p, system->local[lp->primitive].J, true); /* accelerations: linear */
}

/* values of all outputs with one input moved */
static void move(const crank_law *law, double *work, int input, double step, double *out)
{
    double *in = work + law->in;
    const double kept = in[input];
    in[input] = kept + step;
    crank_tape_evaluate(law->values, 1, in, law->inputs.count, out, law->output_count,
                        work + law->registers);
    in[input] = kept;
}

static void find_differences(const crank_law *law, const crank_system *system,
                             double *derivative)
{
    double *work = system->law_work->data;
    double *above = work + law->sides, *below = above + law->output_count;
    for (int i = 0; i < law->inputs.count; i++) {
        double step = 0.0;
        for (int o = 0; o < law->output_count; o++) {
            for (int k = law->term_start[o]; k < law->term_start[o + 1]; k++) {
                if (law->term[k].input != i) {
                    continue;
                }
                if (step == 0.0) {
                    step = crank_difference_step(work[law->in + i],
                                                 size_of(law, system, &law->term[k]));
                    move(law, work, i, step, above);
                    move(law, work, i, -step, below);
                }
                derivative[k] = (above[o] - below[o]) / (2.0 * step);
            }
        }
    }
}

static void neglect(const crank_law *law, double *effort, double *derivative)
{
    for (int o = law->efforts; o < law->output_count; o++) {
        effort[o - law->efforts] = 0.0; /* it turns with its bodies */
        for (int k = law->term_start[o]; k < law->term_start[o + 1]; k++) {
            const crank_symbol_kind kind = law->inputs.symbol[law->term[k].input].kind;
            if (kind == CRANK_SYMBOL_VALUE || kind == CRANK_SYMBOL_RATE) {
                derivative[k] = 0.0;
            }
        }
    }
}

void crank_law_partials(const crank_law *law, const crank_system *system, double *effort,
                        double *derivative)
{
    double *work = system->law_work->data;
    const int efforts = law->output_count - law->efforts;
    if (law->how == CRANK_LAW_DIFFERENCES) {
        double *values = work + law->sides;
        move(law, work, 0, 0.0, values);
        memcpy(effort, values + law->efforts, (size_t)efforts * sizeof *effort);
        find_differences(law, system, derivative);
        return;
    }
    crank_tape_evaluate(law->derivatives, 1, work + law->in, law->inputs.count, effort,
                        efforts + law->term_count, work + law->registers);
    if (law->how == CRANK_LAW_NEGLECTED) {
        neglect(law, effort, derivative);
    }
}
