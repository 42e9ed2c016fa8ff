/* corrector_update.c - what of the matrix is made without differences:
 *
 *     F_y'   one, and M at a new point    [AFF06, (24), (25)]
 *     F_y  = F_y at the last Jacobian + sum_i d F_y/du_i (u_i - u_i there)   [AFF06, (26)]
 *     B    = G^T in natural units, from the gradients that F_y contains
 * The inputs u_i of an explicit formalism are u, u' and u'' of each channel; derivatives by
 * them are differenced once, at the start. theory (2.27), (2.28) */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/corrector.h"

#include "base/then.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

/* of the natural unit of an input: F_y is nearly linear in it, and differences of F_y have the
 * rounding of those of F */
static const double input_step = 0.01;

void crank_corrector_set_lead(crank_corrector *s)
{
    crank_corrector_matrix *A = &s->matrix;
    memset(A->lead, 0, (size_t)A->start[s->base.n] * sizeof *A->lead);
    for (int i = 0; i < s->lead_count; i++) {
        const crank_corrector_lead *l = &s->lead[i];
        A->lead[l->slot] += l->sign * (l->entry >= 0 ? s->mass.values[l->entry] : 1.0);
    }
}

static double value_at(const crank_corrector_matrix *A, int slot)
{
    return slot >= 0 ? -A->rest[slot] : 0.0;
}

/* c_s^-T g_s^T of an eta, by factors of c_s^T */
static void solve_contact(crank_corrector *s, int eta)
{
    const int ns = s->eom->sizes.s;
    for (int k = 0; k < ns; k++) {
        s->multiplier[k] = value_at(&s->matrix, s->matrix.gradient_slot[eta * ns + k]);
    }
    crank_lu_solve(ns, s->contact, ns, s->pivot, s->multiplier);
}

static bool factor_contact(crank_corrector *s)
{
    const int ns = s->eom->sizes.s;
    for (int k = 0; k < ns; k++) { /* row k of c_s becomes column k */
        for (int l = 0; l < ns; l++) {
            s->contact[l + (long)k * ns] =
                value_at(&s->matrix, s->matrix.contact_slot[k * ns + l]);
        }
    }
    return crank_lu_factor(ns, s->contact, ns, s->pivot);
}

/* G = g_p - g_s c_s^-1 c_p; of position invariants n_p */
crank_status crank_corrector_set_push(crank_corrector *s, crank_error *err)
{
    crank_corrector_matrix *A = &s->matrix;
    const int ns = s->eom->sizes.s, known = s->base.n - s->extra;
    if (ns > 0 && s->extra > 0 && !factor_contact(s)) {
        return crank_fail(err, CRANK_RETRY, "the contact equations do not determine %s",
                          crank_eom_column_name(s->eom, s->eom->column[CRANK_S]));
    }
    for (int i = 0; i < A->push_count; i++) {
        crank_corrector_push *push = &A->push[i];
        if (ns > 0 && (i == 0 || push->eta != A->push[i - 1].eta)) {
            solve_contact(s, push->eta - known);
        }
        double gradient = value_at(A, push->source);
        for (int k = 0; k < ns; k++) {
            gradient -= s->multiplier[k] * value_at(A, A->position_slot[(long)i * ns + k]);
        }
        push->value = push->unit * push->unit * gradient;
        A->rest[push->slot] = push->value;
        if (s->extended) {
            A->at_jacobian[push->slot] = push->value;
        }
    }
    return CRANK_OK;
}

void crank_corrector_take_inputs(crank_corrector *s, double *u)
{
    for (int i = 0; i < s->channels.count; i++) {
        memcpy(u + (long)3 * i, s->channels.u[i], sizeof s->channels.u[i]);
    }
}

/* F_y by the way that is chosen, without the counting */
static crank_status derive(crank_corrector *s, double t, const double *x, crank_error *err)
{
    return s->derivatives == CRANK_DERIVATIVES_ANALYTIC
               ? crank_corrector_analytic(s, t, x, err)
               : crank_corrector_difference(s, t, x, err);
}

static double step_of(const crank_corrector *s, int channel, int level)
{
    const crank_channel *c = &s->channels.item[channel];
    bool known;
    const double unit = crank_scale_unit(s->eom, c->p, &known);
    return input_step * unit / pow(s->direct->time, level);
}

/* One derivative: matrix.rest is F_y beside the point, at_jacobian what it is there. */
static void take_second(crank_corrector *s, double step, double *second)
{
    const crank_corrector_matrix *A = &s->matrix;
    for (int e = 0; e < A->start[s->base.n]; e++) {
        second[e] = (A->rest[e] - A->at_jacobian[e]) / step;
    }
    for (int i = 0; i < A->push_count; i++) { /* B follows the last Jacobian */
        second[A->push[i].slot] = 0.0;
    }
}

crank_status crank_corrector_second(crank_corrector *s, double t, const double *x,
                                    crank_error *err)
{
    crank_corrector_matrix *A = &s->matrix;
    const size_t entries = (size_t)A->start[s->base.n];
    crank_status status = CRANK_OK;
    memcpy(A->at_jacobian, A->rest, entries * sizeof *A->rest);
    for (int i = 0; i < s->channels.count && status == CRANK_OK; i++) {
        for (int level = 0; level < 3 && status == CRANK_OK; level++) {
            double *u = &s->channels.u[i][level];
            const double there = *u, step = step_of(s, i, level);
            *u = there + step; /* the channels' time is t: they are not asked again */
            status = derive(s, t, x, err);
            take_second(s, *u - there, A->second + (size_t)(3 * i + level) * entries);
            *u = there;
        }
    }
    memcpy(A->rest, A->at_jacobian, entries * sizeof *A->rest);
    s->second_due = status != CRANK_OK;
    return status;
}

/* F_y as of the inputs now */
static void follow_inputs(crank_corrector *s)
{
    crank_corrector_matrix *A = &s->matrix;
    const size_t entries = (size_t)A->start[s->base.n];
    crank_corrector_take_inputs(s, s->u_now);
    memcpy(A->rest, A->at_jacobian, entries * sizeof *A->rest);
    for (int i = 0; i < 3 * s->channels.count; i++) {
        const double *second = A->second + (size_t)i * entries;
        const double change = s->u_now[i] - s->u_jacobian[i];
        for (size_t e = 0; e < entries && change != 0.0; e++) {
            A->rest[e] += change * second[e];
        }
    }
}

crank_status crank_corrector_refresh(crank_problem *base, double t, const double *x,
                                     crank_error *err)
{
    crank_corrector *s = (crank_corrector *)base;
    crank_status status = crank_corrector_place(s, t, x, s->rate, err);
    if (status == CRANK_OK && !s->explicit) {
        status = crank_corrector_mass_evaluate(s, t, err);
        if (status == CRANK_OK) {
            crank_corrector_set_lead(s);
        }
    }
    if (status == CRANK_OK && s->extended) {
        follow_inputs(s);
    }
    return status;
}
