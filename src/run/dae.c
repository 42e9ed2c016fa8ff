/* dae.c - equations E(t, y) y' = k(t, y) of C callers as eoms, crank/dae.h: M v' = f with v = y and
 * M = E, which may be singular. What is not known of them is found at the start by the
 * analysis of dae/sampled.h.
 *
 * Backwards, from t0 to t_end < t0, the run's time is s = 2 t0 - t, in which
 *     E dy/ds = -k.                                                                       */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/dae.h>

#include "base/then.h"
#include "dae/sampled.h"
#include "eom/eom.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct crank_dae {
    crank_dae_definition user;
    crank_arena arena;
    double t0, t_end;     /* of the run */
    double mirror;        /* 2 t0: backwards; NAN: not */
    const char **names;   /* n: the caller's, or numbered */
    char (*numbered)[16]; /* n: y1, y2, ... */
    double *matrix;       /* n x n: E, if it is constant */
    double *atol, *rtol;
    double *start, *size;      /* consistent values; what counts as one at the start */
    int *index;                /* by unknowns */
    unsigned char *power;      /* the same less one */
    bool *row, *column;        /* of E are not zero */
    double *y, *aside, *moved; /* n, n, n x n: differences */
    crank_sampled sampled;
    crank_eom_mass_form form;
    crank_dae_report report;
    crank_eom *eom;
};

crank_dae_definition crank_dae_definition_default(void)
{
    return (crank_dae_definition){.size = sizeof(crank_dae_definition), .rtol = 1e-6};
}

double crank_dae_time(const crank_dae *dae, double t)
{
    return isnan(dae->mirror) ? t : dae->mirror - t;
}

const crank_dae_report *crank_dae_get_report(const crank_dae *dae)
{
    return &dae->report;
}

/* ---- the caller's functions ---- */

static crank_status evaluate(double t, const double *y, double *k, void *user)
{
    const crank_dae *d = user;
    const crank_status status = d->user.evaluate(crank_dae_time(d, t), y, k, d->user.user);
    for (int i = 0; i < d->user.n && !isnan(d->mirror); i++) {
        k[i] = -k[i];
    }
    return status;
}

static crank_status mass(double t, const double *y, double *E, void *user)
{
    const crank_dae *d = user;
    const size_t n = (size_t)d->user.n;
    if (d->user.mass != NULL) {
        return d->user.mass(crank_dae_time(d, t), y, E, d->user.user);
    }
    memcpy(E, d->matrix, n * n * sizeof *E);
    return CRANK_OK;
}

/* what counts as one of unknown j at y */
static double size_of(const crank_dae *d, int j, double y)
{
    const double least = d->atol[j] / d->user.rtol;
    const double size = fmax(fabs(y), least);
    return size > 0.0 ? size : 1.0;
}

/* k - E vdot (vdot NULL: k) */
static crank_status residual(crank_dae *d, double t, const double *y, const double *vdot,
                             bool equations, double *out)
{
    const int n = d->user.n;
    crank_status status = CRANK_OK;
    memset(out, 0, (size_t)n * sizeof *out);
    if (equations) {
        status = evaluate(t, y, out, d);
    }
    if (status == CRANK_OK && vdot != NULL && d->user.mass != NULL) {
        status = mass(t, y, d->moved, d);
        for (int j = 0; j < n && status == CRANK_OK; j++) {
            for (int i = 0; i < n; i++) {
                out[i] -= d->moved[i + j * n] * vdot[j];
            }
        }
    }
    return status;
}

/* values += columns of d(k - E vdot)/dy by differences; equations false: d(-E vdot)/dy */
static crank_status differentiate(crank_dae *d, double t, const double *y, const double *vdot,
                                  bool equations, double *values)
{
    const int n = d->user.n;
    memcpy(d->y, y, (size_t)n * sizeof *y);
    for (int j = 0; j < n; j++) {
        const double step = cbrt(DBL_EPSILON) * size_of(d, j, y[j]);
        double *column = values + (long)j * n, width = 2.0 * step;
        crank_status status[2];
        for (int side = 0; side < 2; side++) {
            d->y[j] = y[j] + (side == 0 ? step : -step);
            status[side] =
                residual(d, t, d->y, vdot, equations, side == 0 ? d->aside : d->aside + n);
            if (status[side] < CRANK_OK) {
                return status[side];
            }
        }
        d->y[j] = y[j];
        if (status[0] != CRANK_OK && status[1] != CRANK_OK) {
            return status[0];
        }
        if (status[0] != CRANK_OK || status[1] != CRANK_OK) { /* at the border of the domain */
            const crank_status here = residual(d, t, y, vdot, equations,
                                               status[0] != CRANK_OK ? d->aside : d->aside + n);
            if (here != CRANK_OK) {
                return here;
            }
            width = step;
        }
        for (int i = 0; i < n; i++) {
            column[i] += (d->aside[i] - d->aside[n + i]) / width;
        }
    }
    return CRANK_OK;
}

/* of d(k - E vdot)/dy the part in k is the caller's, if he has it */
static crank_status jacobian(double t, const double *y, const double *vdot, double *values,
                             void *user)
{
    crank_dae *d = user;
    const size_t n = (size_t)d->user.n;
    memset(values, 0, n * n * sizeof *values);
    if (d->user.jacobian == NULL) {
        return differentiate(d, t, y, vdot, true, values);
    }
    crank_status status = d->user.jacobian(crank_dae_time(d, t), y, values, d->user.user);
    for (size_t e = 0; e < n * n && !isnan(d->mirror); e++) {
        values[e] = -values[e];
    }
    return status == CRANK_OK && vdot != NULL && d->user.mass != NULL
               ? differentiate(d, t, y, vdot, false, values)
               : status;
}

/* ---- for the analysis ---- */

static crank_status checked(crank_status status, crank_status stop, int count,
                            const double *values, const char *what, double t, crank_error *err)
{
    if (status < CRANK_OK) {
        return crank_fail(err, stop, "stopped by %s at t = %g (status %s)", what, t,
                          crank_status_name(status));
    }
    if (status > CRANK_OK || crank_first_not_finite(count, values) >= 0) {
        return crank_fail(err, CRANK_RETRY, "%s cannot be evaluated at t = %g", what, t);
    }
    return CRANK_OK;
}

static crank_status sample_equations(void *self, double t, const double *y, double *k,
                                     crank_error *err)
{
    crank_dae *d = self;
    return checked(evaluate(t, y, k, d), CRANK_ESTOP_EQUATIONS, d->user.n, k, "the equations",
                   crank_dae_time(d, t), err);
}

static crank_status sample_mass(void *self, double t, const double *y, double *E,
                                crank_error *err)
{
    crank_dae *d = self;
    return checked(mass(t, y, E, d), CRANK_ESTOP_MASS, d->user.n * d->user.n, E,
                   "the mass matrix", crank_dae_time(d, t), err);
}

/* algebraic unknowns at rows */
static crank_status complete(void *self, double t, double *y, crank_error *err)
{
    crank_dae *d = self;
    for (int j = 0; j < d->user.n; j++) {
        d->size[j] = size_of(d, j, y[j]);
    }
    return crank_sampled_complete(&d->sampled, t, y, err);
}

/* ---- create ---- */

static crank_status check(const crank_dae_definition *d, double t0, double t_end,
                          const double *y0, crank_error *err)
{
    if (d->size != sizeof *d) {
        return crank_fail(err, CRANK_EARG, "definition: make it with its default function");
    }
    if (d->n < 1 || d->evaluate == NULL) {
        return crank_fail(err, CRANK_EARG,
                          d->n < 1 ? "definition: there are no unknowns"
                                   : "definition: evaluate is missing");
    }
    if (!isfinite(t0) || !isfinite(t_end)) {
        return crank_fail(err, CRANK_ETIME, "times %g and %g: they must be finite", t0, t_end);
    }
    if (!(d->rtol > 0.0 && d->rtol < 1.0)) {
        return crank_fail(err, CRANK_EARG, "rtol = %g: it must be between 0 and 1", d->rtol);
    }
    for (int j = 0; j < d->n; j++) {
        if (d->atol != NULL && !(d->atol[j] >= 0.0 && isfinite(d->atol[j]))) {
            return crank_fail(err, CRANK_EARG,
                              "atol of unknown %d is %g: it must not be negative", j + 1,
                              d->atol[j]);
        }
        if (d->index != NULL && !(d->index[j] >= 1 && d->index[j] <= CRANK_SAMPLED_INDEX)) {
            return crank_fail(err, CRANK_EARG,
                              "index of unknown %d is %d: it must be 1, 2 or 3", j + 1,
                              d->index[j]);
        }
        if (!isfinite(y0[j])) {
            return crank_fail(err, CRANK_EARG, "the initial value of unknown %d is not finite",
                              j + 1);
        }
    }
    const int bad =
        d->mass_matrix != NULL ? crank_first_not_finite(d->n * d->n, d->mass_matrix) : -1;
    if (bad >= 0) {
        return crank_fail(err, CRANK_EARG, "the mass matrix is not finite in row %d, column %d",
                          bad % d->n + 1, bad / d->n + 1);
    }
    return CRANK_OK;
}

static void layout(crank_dae *d, crank_arena *arena)
{
    const size_t n = (size_t)d->user.n;
    d->matrix = crank_arena_take(arena, n * n, sizeof(double));
    d->moved = crank_arena_take(arena, n * n, sizeof(double));
    d->atol = crank_arena_take(arena, n, sizeof(double));
    d->rtol = crank_arena_take(arena, n, sizeof(double));
    d->start = crank_arena_take(arena, n, sizeof(double));
    d->size = crank_arena_take(arena, n, sizeof(double));
    d->y = crank_arena_take(arena, n, sizeof(double));
    d->aside = crank_arena_take(arena, 2 * n, sizeof(double));
    d->names = crank_arena_take(arena, n, sizeof *d->names);
    d->numbered = crank_arena_take(arena, n, sizeof *d->numbered);
    d->index = crank_arena_take(arena, n, sizeof(int));
    d->power = crank_arena_take(arena, n, 1);
    d->row = crank_arena_take(arena, n, sizeof(bool));
    d->column = crank_arena_take(arena, n, sizeof(bool));
}

static void take(crank_dae *d, double t0, double t_end, const double *y0)
{
    const int n = d->user.n;
    for (int j = 0; j < n; j++) {
        d->atol[j] = d->user.atol != NULL ? d->user.atol[j] : 1e-6;
        d->rtol[j] = d->user.rtol;
        d->start[j] = y0[j];
        d->size[j] = size_of(d, j, y0[j]);
        for (int i = 0; i < n; i++) {
            d->matrix[i + j * n] =
                d->user.mass_matrix != NULL ? d->user.mass_matrix[i + j * n] : i == j;
        }
    }
    d->user.mass_matrix = d->user.mass_matrix != NULL ? d->matrix : NULL;
    d->mirror = t_end < t0 ? 2.0 * t0 : (double)NAN;
    d->t0 = t0;
    d->t_end = t_end < t0 ? 2.0 * t0 - t_end : t_end;
    d->sampled = (crank_sampled){.n = n,
                                 .evaluate = sample_equations,
                                 .mass = sample_mass,
                                 .self = d,
                                 .size = d->size,
                                 .span = d->t_end > t0 ? d->t_end - t0 : 1.0,
                                 .rtol = d->user.rtol,
                                 .atol = d->atol};
}

static crank_status make_eom(crank_dae *d, crank_log log, crank_error *err)
{
    crank_eom_definition e = crank_eom_definition_default();
    const bool identity = d->user.mass == NULL && d->user.mass_matrix == NULL;
    e.sizes = (crank_eom_sizes){.v = d->user.n};
    e.evaluate = evaluate;
    e.mass = identity ? NULL : mass;
    e.mass_kind = d->user.mass != NULL ? CRANK_MASS_FULL : CRANK_MASS_FULL_CONSTANT;
    e.jacobian = jacobian;
    for (int j = 0; j < d->user.n; j++) {
        (void)snprintf(d->numbered[j], sizeof d->numbered[j], "y%d", j + 1);
        d->names[j] = d->user.names != NULL ? d->user.names[j] : d->numbered[j];
    }
    e.names[CRANK_V] = d->names;
    e.user = d;
    return crank_eom_create(&e, log, &d->eom, err);
}

/* which rows and columns of E are not zero: of one that varies, all */
static void find_entries(crank_dae *d)
{
    const int n = d->user.n;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            const bool entry = d->user.mass != NULL || d->matrix[i + j * n] != 0.0;
            d->row[i] = d->row[i] || entry;
            d->column[j] = d->column[j] || entry;
        }
    }
}

/* the caller's index must not be lower than what was found */
static crank_status take_index(crank_dae *d, crank_error *err)
{
    const int found = d->sampled.index;
    int most = 0;
    for (int j = 0; j < d->user.n; j++) {
        d->index[j] = d->user.index != NULL ? d->user.index[j] : d->power[j] + 1;
        most = d->index[j] > most ? d->index[j] : most;
        if (d->user.index != NULL && d->index[j] < d->power[j] + 1) {
            return crank_fail(err, CRANK_EREFUSED,
                              "%s is said to have index %d, but it has index %d",
                              crank_eom_column_name(d->eom, j), d->index[j], d->power[j] + 1);
        }
        d->power[j] = (unsigned char)(d->index[j] - 1);
    }
    return d->user.index != NULL && most < found
               ? crank_fail(err, CRANK_EREFUSED, "the index is said to be %d, but it is %d",
                            most, found)
               : CRANK_OK;
}

static void describe(crank_dae *d, const double *y0, crank_log log)
{
    crank_dae_report *r = &d->report;
    const crank_sampled *s = &d->sampled;
    double largest = 0.0, beyond = 0.0;
    *r = (crank_dae_report){.index = s->index,
                            .unknown_index = d->index,
                            .start = d->start,
                            .rate = s->level[s->index].d,
                            .changed = -1};
    for (int i = 0; i < s->index; i++) {
        r->constraints[i] = crank_sampled_constraints(s, i);
    }
    for (int j = 0; j < d->user.n; j++) {
        const double change = fabs(d->start[j] - y0[j]);
        beyond = fmax(beyond, change / (d->atol[j] + d->user.rtol * fabs(d->start[j])));
        if (change / d->size[j] > largest) {
            largest = change / d->size[j];
            r->changed = j;
            r->largest_change = change;
        }
    }
    r->consistent = !(beyond > 0.01);
    r->moved = s->moved && !r->consistent;
    if (r->consistent) {
        memcpy(d->start, y0, (size_t)d->user.n * sizeof *y0);
        r->changed = -1;
        r->largest_change = 0.0;
    } else {
        crank_log_write(&log, r->moved ? CRANK_WARNING : CRANK_INFO,
                        "the initial values were not consistent%s: the largest change is that "
                        "of %s, from %g to %g",
                        r->moved ? ", and not only algebraic unknowns were changed" : "",
                        crank_eom_column_name(d->eom, r->changed), y0[r->changed],
                        d->start[r->changed]);
    }
}

static crank_status analyse(crank_dae *d, const double *y0, crank_log log, crank_error *err)
{
    const bool identity = d->user.mass == NULL && d->user.mass_matrix == NULL;
    crank_status status = crank_sampled_create(&d->sampled, err);
    if (identity && status == CRANK_OK) {
        d->sampled.index = 0;
        status = sample_equations(d, d->t0, d->start, d->sampled.level[0].d, err);
    }
    if (!identity) {
        CRANK_THEN(status, crank_sampled_analyse(&d->sampled, d->t0, d->start, err));
        CRANK_THEN(status, crank_sampled_weights(&d->sampled, d->t0, d->start, d->power, err));
    }
    CRANK_THEN(status, take_index(d, err));
    if (status == CRANK_OK) {
        describe(d, y0, log);
        find_entries(d);
        d->form = (crank_eom_mass_form){.row = d->row,
                                        .column = d->column,
                                        .power = d->power,
                                        .complete = d->sampled.index > 1 ? complete : NULL,
                                        .self = d};
        d->eom->mass_form = d->sampled.index > 0 ? &d->form : NULL;
    }
    return status > CRANK_OK ? crank_fail(err, CRANK_EINIT_CONVERGENCE,
                                          "the equations cannot be evaluated at the start")
                             : status;
}

crank_status crank_dae_create(const crank_dae_definition *definition, double t0, double t_end,
                              const double *y0, crank_log log, crank_dae **out,
                              crank_error *err)
{
    *out = NULL;
    crank_status status = check(definition, t0, t_end, y0, err);
    crank_dae *d = status == CRANK_OK ? calloc(1, sizeof *d) : NULL;
    if (d == NULL) {
        return status == CRANK_OK ? crank_fail(err, CRANK_EMEM, "equations") : status;
    }
    d->user = *definition;
    layout(d, &d->arena);
    if (!crank_arena_allocate(&d->arena)) {
        free(d);
        return crank_fail(err, CRANK_EMEM, "%d equations", definition->n);
    }
    layout(d, &d->arena);
    take(d, t0, t_end, y0);
    status = make_eom(d, log, err);
    CRANK_THEN(status, analyse(d, y0, log, err));
    if (status != CRANK_OK) {
        crank_dae_destroy(d);
        return status;
    }
    *out = d;
    return CRANK_OK;
}

void crank_dae_destroy(crank_dae *dae)
{
    if (dae != NULL) {
        crank_eom_destroy(dae->eom);
        crank_sampled_destroy(&dae->sampled);
        crank_arena_free(&dae->arena);
        free(dae);
    }
}

/* The first step of equations of index 2 and 3 with a constant E: short ones magnify errors of unknowns that norms
 * count h times, so it is not tried out from below. */
static double first_step(const crank_dae *d)
{
    const double *rate = d->sampled.level[d->sampled.index].d, span = d->t_end - d->t0;
    double fastest = 1.0 / (span > 0.0 ? span : 1.0);
    for (int j = 0; j < d->user.n; j++) {
        fastest = fmax(fastest, fabs(rate[j]) / d->size[j]);
    }
    return 0.1 * pow(d->user.rtol, 0.25) / fastest;
}

crank_status crank_dae_open(crank_dae *dae, const crank_run_options *options, crank_run **out,
                            crank_error *err)
{
    crank_run_options o = options != NULL ? *options : crank_run_options_default();
    if (o.method == NULL) {
        o.method = dae->sampled.index > 0 ? "index3-radau" : "auto";
    }
    o.t_end = dae->t_end;
    crank_status status = crank_run_open_eom(dae->eom, dae->t0, dae->start, &o, out, err);
    if (status == CRANK_OK) {
        crank_options *settled = crank_run_settled(*out);
        settled->check_initial = false;
        if (dae->sampled.index > 1 && dae->user.mass == NULL && !(settled->h_start > 0.0)) {
            settled->h_start = first_step(dae);
        }
        status = crank_run_formulate(*out, err);
    }
    CRANK_THEN(status, crank_integrator_set_tolerances(crank_run_integrator(*out), dae->rtol,
                                                       dae->atol, err));
    if (status != CRANK_OK) {
        crank_run_close(*out);
        *out = NULL;
    }
    return status;
}
