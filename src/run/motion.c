/* motion.c - equations of motion by functions for M, f, g and G as eoms; crank/motion.h. The
 * unknowns are x = [lambda v p]. */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/motion.h>

#include "base/arena.h"
#include "base/then.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct crank_motion {
    crank_motion_definition user;
    crank_arena arena;
    double *matrix;         /* n x n: M, if it is constant */
    double *G;              /* constraints x n */
    double *p;              /* n: beside a point */
    double *ahead, *behind; /* constraints: g there */
    double *x;              /* constraints + 2 n: a start */
    crank_eom *eom;
};

crank_motion_definition crank_motion_definition_default(void)
{
    return (crank_motion_definition){.size = sizeof(crank_motion_definition)};
}

void crank_motion_split(const crank_motion *motion, const double *x, const double **p,
                        const double **v, const double **lambda)
{
    *lambda = x;
    *v = x + motion->user.constraints;
    *p = *v + motion->user.n;
}

/* m->G = dg/dp, by central differences where the caller has none */
static crank_status differentiate(crank_motion *m, double t, const double *p)
{
    const crank_motion_definition *u = &m->user;
    const int rows = u->constraints;
    if (u->gradient != NULL) {
        return u->gradient(t, p, NULL, m->G, u->user);
    }
    memcpy(m->p, p, (size_t)u->n * sizeof *p);
    for (int j = 0; j < u->n; j++) {
        const double step = cbrt(DBL_EPSILON) * (1.0 + fabs(p[j]));
        m->p[j] = p[j] + step;
        crank_status status = u->constraint(t, m->p, NULL, m->ahead, u->user);
        m->p[j] = p[j] - step;
        CRANK_THEN(status, u->constraint(t, m->p, NULL, m->behind, u->user));
        m->p[j] = p[j];
        if (status != CRANK_OK) {
            return status;
        }
        for (int i = 0; i < rows; i++) {
            m->G[i + j * rows] = (m->ahead[i] - m->behind[i]) / (2.0 * step);
        }
    }
    return CRANK_OK;
}

static crank_status evaluate(double t, const double *x, double *k, void *user)
{
    crank_motion *m = user;
    const crank_motion_definition *u = &m->user;
    const double *p, *v, *lambda;
    double *force = k + crank_eom_row(m->eom, CRANK_ROW_DYN);
    crank_motion_split(m, x, &p, &v, &lambda);
    memcpy(k + crank_eom_row(m->eom, CRANK_ROW_KIN), v, (size_t)u->n * sizeof *k);
    crank_status status = u->force(t, p, v, force, u->user);
    if (status != CRANK_OK || u->constraints == 0) {
        return status;
    }
    status = u->constraint(t, p, NULL, k + crank_eom_row(m->eom, CRANK_ROW_G), u->user);
    CRANK_THEN(status, differentiate(m, t, p));
    for (int j = 0; j < u->n && status == CRANK_OK; j++) {
        for (int i = 0; i < u->constraints; i++) {
            force[j] -= m->G[i + j * u->constraints] * lambda[i];
        }
    }
    return status;
}

static crank_status mass(double t, const double *x, double *M, void *user)
{
    const crank_motion *m = user;
    const crank_motion_definition *u = &m->user;
    const double *p, *v, *lambda;
    crank_motion_split(m, x, &p, &v, &lambda);
    if (u->mass_matrix == NULL) {
        return u->mass(t, p, v, M, u->user);
    }
    memcpy(M, m->matrix, (size_t)u->n * (size_t)u->n * sizeof *M);
    return CRANK_OK;
}

/* ---- create ---- */

static crank_status check(const crank_motion_definition *d, crank_error *err)
{
    if (d->size != sizeof *d) {
        return crank_fail(err, CRANK_EARG, "definition: make it with its default function");
    }
    if (d->n < 1 || d->constraints < 0) {
        return crank_fail(err, CRANK_EARG, "definition: %d positions and %d constraints", d->n,
                          d->constraints);
    }
    if (d->force == NULL || (d->constraints > 0 && d->constraint == NULL)) {
        return crank_fail(err, CRANK_EARG, "definition: %s is missing",
                          d->force == NULL ? "force" : "constraint");
    }
    return CRANK_OK;
}

static void layout(crank_motion *m, crank_arena *arena)
{
    const size_t n = (size_t)m->user.n, rows = (size_t)m->user.constraints;
    m->matrix = crank_arena_take(arena, n * n, sizeof(double));
    m->G = crank_arena_take(arena, rows * n, sizeof(double));
    m->p = crank_arena_take(arena, n, sizeof(double));
    m->ahead = crank_arena_take(arena, rows, sizeof(double));
    m->behind = crank_arena_take(arena, rows, sizeof(double));
    m->x = crank_arena_take(arena, rows + 2 * n, sizeof(double));
}

crank_status crank_motion_create(const crank_motion_definition *definition, crank_motion **out,
                                 crank_error *err)
{
    *out = NULL;
    crank_status status = check(definition, err);
    crank_motion *m = status == CRANK_OK ? calloc(1, sizeof *m) : NULL;
    if (m == NULL) {
        return status == CRANK_OK ? crank_fail(err, CRANK_EMEM, "equations of motion") : status;
    }
    m->user = *definition;
    layout(m, &m->arena);
    if (!crank_arena_allocate(&m->arena)) {
        free(m);
        return crank_fail(err, CRANK_EMEM, "%d equations of motion", definition->n);
    }
    layout(m, &m->arena);
    const size_t n = (size_t)m->user.n;
    const bool constant = m->user.mass_matrix != NULL;
    if (constant) {
        memcpy(m->matrix, m->user.mass_matrix, n * n * sizeof *m->matrix);
        m->user.mass_matrix = m->matrix;
    }
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = m->user.n, .v = m->user.n, .lambda = m->user.constraints};
    d.levels = CRANK_LEVELS_POSITION;
    d.evaluate = evaluate;
    d.mass = constant || m->user.mass != NULL ? mass : NULL;
    d.mass_kind = constant ? CRANK_MASS_FULL_CONSTANT : CRANK_MASS_FULL;
    d.user = m;
    status = crank_eom_create(&d, (crank_log){0}, &m->eom, err);
    if (status != CRANK_OK) {
        crank_motion_destroy(m);
        return status;
    }
    *out = m;
    return CRANK_OK;
}

void crank_motion_destroy(crank_motion *motion)
{
    if (motion != NULL) {
        crank_eom_destroy(motion->eom);
        crank_arena_free(&motion->arena);
        free(motion);
    }
}

crank_status crank_motion_open(crank_motion *motion, double t0, const double *p,
                               const double *v, const crank_run_options *options,
                               crank_run **out, crank_error *err)
{
    crank_run_options o = options != NULL ? *options : crank_run_options_default();
    const size_t n = (size_t)motion->user.n, rows = (size_t)motion->user.constraints;
    if (o.method == NULL) {
        o.method = "auto";
    }
    memset(motion->x, 0, rows * sizeof *motion->x);
    memcpy(motion->x + rows, v, n * sizeof *v);
    memcpy(motion->x + rows + n, p, n * sizeof *p);
    return crank_run_open_eom(motion->eom, t0, motion->x, &o, out, err);
}
