/* inlined_dae.c - the flattened equations, index reduced, as a problem for integrators that
 * iterate on all of their unknowns: the other thing that inline methods are compared with.
 *
 *     x' = u_x'           of states x, which are among u, as are their derivatives u_x'
 *     0 = F(u, t)         compiled, with derivatives: sparse LU of sigma E - J
 *
 * Errors are those of states: F has index 1 and determines the rest. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/arena.h"
#include "base/then.h"
#include "eom/inlined.h"
#include "formulate/formulate.h"
#include "linalg/solver.h"
#include "problem/problem.h"

#include <stdlib.h>
#include <string.h>

typedef struct flattened {
    crank_problem base;
    crank_problem_unknowns unknowns;
    crank_inlined_rows *rows;
    crank_statistics statistics;
    crank_solver *solver;
    crank_arena arena;
    int given;      /* unknowns of the eom behind those of the problem, */
    double *point;  /* all of them: what is given stands there */
    double *slopes; /* dF/du */
    int *start, *row, *column;
    int *of_lead, *of_slope, *of_rate; /* places in the matrix: of E, dF/du, dx'/du */
    bool *differential, *tested;
    unsigned char *group, *scaling;
} flattened;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "the problem");
}

static void place(flattened *s, const double *x)
{
    memcpy(s->point, x, (size_t)s->base.n * sizeof *x);
}

/* ---- unknowns ---- */

static crank_status expand(crank_problem *base, double t, const double *x, double *out,
                           crank_error *err)
{
    flattened *s = (flattened *)base;
    (void)t, (void)err;
    place(s, x);
    memcpy(out, s->point, (size_t)(base->n + s->given) * sizeof *out);
    return CRANK_OK;
}

static crank_status reduce(crank_problem *base, double t, const double *x, double *out,
                           crank_error *err)
{
    flattened *s = (flattened *)base;
    (void)t, (void)err;
    memcpy(s->point, x, (size_t)(base->n + s->given) * sizeof *x);
    memcpy(out, x, (size_t)base->n * sizeof *x);
    return CRANK_OK;
}

/* ---- the problem ---- */

static crank_status evaluate(crank_problem *base, int points, const double *t, const double *x,
                             double *k, crank_error *err)
{
    flattened *s = (flattened *)base;
    const crank_inlined_rows *r = s->rows;
    (void)err;
    for (int i = 0; i < points; i++) {
        double *own = k + (long)i * base->m;
        place(s, x + (long)i * base->n);
        for (int j = 0; j < r->kept; j++) {
            own[j] = s->point[r->rate[j]];
        }
        r->evaluate(r, t[i], s->point, own + r->kept);
    }
    s->statistics.evaluations += points;
    return CRANK_OK;
}

static crank_status lead(crank_problem *base, double t, const double *x, const double *y,
                         double *out, crank_error *err)
{
    const crank_inlined_rows *r = ((flattened *)base)->rows;
    (void)t, (void)x, (void)err;
    for (int j = 0; j < r->kept; j++) {
        out[j] = y[r->column[j]];
    }
    memset(out + r->kept, 0, (size_t)r->rows * sizeof *out);
    return CRANK_OK;
}

static crank_status prepare(crank_problem *base, double t, const double *x, const double *xdot,
                            crank_error *err)
{
    flattened *s = (flattened *)base;
    (void)xdot, (void)err;
    place(s, x);
    s->statistics.jacobians++;
    s->rows->slopes(s->rows, t, s->point, s->slopes);
    return CRANK_OK;
}

static crank_status factor(crank_problem *base, int shifts, const double *real,
                           const double *imag, crank_error *err)
{
    flattened *s = (flattened *)base;
    const crank_inlined_rows *r = s->rows;
    crank_status status = CRANK_OK;
    for (int i = 0; i < shifts && status == CRANK_OK; i++) {
        const bool pairs = imag[i] != 0.0;
        const int step = pairs ? 2 : 1;
        double *a = crank_solver_values(s->solver, i, pairs);
        memset(a, 0, (size_t)(step * s->start[base->n]) * sizeof *a);
        for (int q = 0; q < r->start[base->n]; q++) {
            a[step * s->of_slope[q]] = -s->slopes[q];
        }
        for (int j = 0; j < r->kept; j++) {
            a[step * s->of_rate[j]] = -1.0;
            a[step * s->of_lead[j]] = real[i];
            if (pairs) {
                a[step * s->of_lead[j] + 1] = imag[i];
            }
        }
        s->statistics.factorizations++;
        status = crank_solver_factor(s->solver, i, err);
    }
    return status;
}

static crank_status solve(crank_problem *base, int i, const double *r, const double *r_imag,
                          double *delta, double *delta_imag, crank_error *err)
{
    flattened *s = (flattened *)base;
    (void)err;
    crank_solver_solve(s->solver, i, r, r_imag, delta, delta_imag);
    return CRANK_OK;
}

static crank_status rates(crank_problem *base, double t, const double *x, const double *k,
                          double *xdot, crank_error *err)
{
    const crank_inlined_rows *r = ((flattened *)base)->rows;
    (void)t, (void)x, (void)err;
    for (int j = 0; j < r->kept; j++) {
        xdot[r->column[j]] = k[j];
    }
    return CRANK_OK;
}

static void restart(crank_problem *base)
{
    (void)base;
}

static crank_status accepted(crank_problem *base, double t, const double *x, bool *changed,
                             crank_error *err)
{
    flattened *s = (flattened *)base;
    (void)changed;
    place(s, x);
    return crank_eom_accepted(base->eom, t, s->point, err);
}

static const char *unknown_name(const crank_problem *base, int j)
{
    return crank_eom_column_name(base->eom, j);
}

static crank_status residuals(crank_problem *base, double t, const double *x,
                              double residual[3], crank_error *err)
{
    flattened *s = (flattened *)base;
    place(s, x);
    return crank_eom_residuals(base->eom, t, s->point, residual, err);
}

static void archive(crank_problem *base, crank_archive *a)
{
    flattened *s = (flattened *)base;
    crank_eom_archive(base->eom, a);
    crank_archive_doubles(a, s->point, (size_t)(base->n + s->given));
    crank_archive_doubles(a, s->slopes, (size_t)s->rows->start[base->n]);
    crank_archive_statistics(a, &s->statistics);
    crank_solver_archive(s->solver, a);
}

static void destroy(crank_problem *base)
{
    flattened *s = (flattened *)base;
    if (s->rows != NULL) {
        s->rows->close(s->rows);
    }
    crank_solver_destroy(s->solver);
    crank_arena_free(&s->arena);
    free(s);
}

static const crank_problem_course course = {.restart = restart, .accepted = accepted};
static const crank_problem_report report = {.unknown_name = unknown_name,
                                            .residuals = residuals};

/* ---- creation ---- */

static void layout(flattened *s, crank_arena *arena)
{
    const size_t n = (size_t)s->base.n, entries = (size_t)s->rows->start[s->base.n],
                 kept = (size_t)s->rows->kept;
    s->point = crank_arena_take(arena, n + (size_t)s->given, sizeof *s->point);
    s->slopes = crank_arena_take(arena, entries, sizeof *s->slopes);
    s->start = crank_arena_take(arena, n + 1, sizeof *s->start);
    s->row = crank_arena_take(arena, entries + 2 * kept, sizeof *s->row);
    s->column = crank_arena_take(arena, n, sizeof *s->column);
    s->of_slope = crank_arena_take(arena, entries, sizeof *s->of_slope);
    s->of_lead = crank_arena_take(arena, kept, sizeof *s->of_lead);
    s->of_rate = crank_arena_take(arena, kept, sizeof *s->of_rate);
    s->differential = crank_arena_take(arena, n, sizeof *s->differential);
    s->tested = crank_arena_take(arena, n, sizeof *s->tested);
    s->group = crank_arena_take(arena, n, 1);
    s->scaling = crank_arena_take(arena, n, 1);
}

/* by columns: E, x' = u_x', F */
static void set_pattern(flattened *s)
{
    const crank_inlined_rows *r = s->rows;
    int count = 0;
    for (int u = 0; u < s->base.n; u++) {
        s->start[u] = count;
        for (int j = 0; j < r->kept; j++) {
            if (r->column[j] == u) {
                s->of_lead[j] = count;
                s->row[count++] = j;
            }
            if (r->rate[j] == u) {
                s->of_rate[j] = count;
                s->row[count++] = j;
            }
        }
        for (int q = r->start[u]; q < r->start[u + 1]; q++) {
            s->of_slope[q] = count;
            s->row[count++] = r->kept + r->row[q];
        }
    }
    s->start[s->base.n] = count;
}

static crank_status begin(flattened *s, crank_eom *eom, crank_error *err)
{
    crank_problem *p = &s->base;
    p->n = p->m = s->rows->unknowns;
    if (s->rows->rows + s->rows->kept != p->n) {
        return crank_fail(err, CRANK_EREFUSED, "%d equations and %d states for %d unknowns",
                          s->rows->rows, s->rows->kept, p->n);
    }
    s->given = crank_eom_unknowns(eom) - p->n;
    layout(s, &s->arena);
    if (!crank_arena_allocate(&s->arena)) {
        return no_memory(err);
    }
    layout(s, &s->arena);
    set_pattern(s);
    for (int j = 0; j < p->n; j++) {
        s->column[j] = j;
        s->differential[j] = j < s->rows->kept;
        s->group[j] = CRANK_P;
    }
    for (int j = 0; j < s->rows->kept; j++) {
        s->tested[s->rows->column[j]] = true;
    }
    p->differential = s->differential;
    p->tested = s->tested;
    p->group = s->group;
    p->scaling = s->scaling;
    s->unknowns = (crank_problem_unknowns){
        .count = p->n + s->given, .column = s->column, .expand = expand, .reduce = reduce};
    p->unknowns = &s->unknowns;
    const crank_solver_setup setup = {.wish = CRANK_LINALG_AUTO,
                                      .n = p->n,
                                      .start = s->start,
                                      .row = s->row,
                                      .shifts = CRANK_MAX_SHIFTS};
    return crank_solver_create(&setup, &s->solver, err);
}

crank_status crank_inlined_dae_create(const char *name, crank_eom *eom,
                                      const crank_options *options, double t0, const double *x0,
                                      crank_log log, crank_problem **out, crank_error *err)
{
    (void)options;
    *out = NULL;
    if (eom->inlined == NULL || eom->inlined->open_rows == NULL) {
        return crank_fail(err, CRANK_EREFUSED,
                          "%s is of equations that are expressions, as Modelica, equations and "
                          "dae files have them",
                          name);
    }
    flattened *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return no_memory(err);
    }
    s->base = (crank_problem){.name = name,
                              .eom = eom,
                              .statistics = &s->statistics,
                              .evaluate = evaluate,
                              .lead = lead,
                              .prepare = prepare,
                              .factor = factor,
                              .solve = solve,
                              .destroy = destroy,
                              .course = &course,
                              .report = &report,
                              .rates = rates,
                              .archive = archive};
    crank_status status = eom->inlined->open_rows(eom->inlined, eom, log, &s->rows, err);
    CRANK_THEN(status, begin(s, eom, err));
    if (status != CRANK_OK) {
        destroy(&s->base);
        return status > CRANK_OK ? CRANK_EREFUSED : status;
    }
    (void)reduce(&s->base, t0, x0, s->point, NULL);
    *out = &s->base;
    return CRANK_OK;
}
