/* definition.c - an eom made of a C caller's callbacks.
 *
 * What the caller does not compute is made here: the Jacobian by coloured differences
 * (differences.c), the hidden constraints by differences along the motion (flow.c). In the
 * latter case the blocks of the Jacobian that decide ranks are not differenced but put
 * together,
 *     gI_v = (g_p - g_s c_s^-1 c_p) Z,   gII_y = gI_v M^-1 f_y,   hI_y = h_v M^-1 f_y,
 *     y = (w, lambda, mu),  Z = (f_kin)_v,  f = f_dyn,                           theory (1.8)
 * so that redundant constraints are redundant on every level. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/differences.h"
#include "eom/flow.h"
#include "eom/hidden_blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct callbacks {
    crank_eom_definition user;
    crank_eom *eom;
    bool hidden; /* gII and hI, perhaps gI, are made here */
    crank_arena arena;
    crank_flow flow;
    crank_differences differences;
    crank_hidden_blocks blocks;
    bool *made; /* m: rows made here */
    double *k;
} callbacks;

static const double hidden_noise =
    1e-9; /* relative accuracy promised for gI, gII, hI of flow.c */

crank_eom_definition crank_eom_definition_default(void)
{
    return (crank_eom_definition){.size = sizeof(crank_eom_definition),
                                  .levels = CRANK_LEVELS_ALL};
}

/* ---- the caller's functions, with their statuses translated ---- */

static crank_status stopped(crank_status status, crank_status code, const char *what, double t,
                            crank_error *err)
{
    if (status > 0) {
        return crank_fail(err, CRANK_RETRY, "%s cannot be evaluated at t = %g", what, t);
    }
    return crank_fail(err, code, "stopped by %s at t = %g (status %s)", what, t,
                      crank_status_name(status));
}

/* Rows as the caller computes them. */
static crank_status evaluate_user(void *self, double t, const double *x, double *k,
                                  crank_error *err)
{
    const callbacks *c = self;
    const crank_eom *eom = c->eom;
    memset(k, 0, (size_t)eom->m * sizeof *k);
    const crank_status status = c->user.evaluate(t, x, k, c->user.user);
    if (status != CRANK_OK) {
        return stopped(status, CRANK_ESTOP_EQUATIONS, "the equations", t, err);
    }
    for (int i = 0; i < eom->m; i++) {
        if (!isfinite(k[i]) && !c->made[i]) {
            char name[160];
            return crank_fail(err, CRANK_RETRY, "%s is not finite at t = %g",
                              crank_eom_row_name(eom, i, name, sizeof name), t);
        }
    }
    return CRANK_OK;
}

static crank_status mass(void *self, double t, const double *x, double *values,
                         crank_error *err)
{
    const callbacks *c = self;
    const crank_status status = c->user.mass(t, x, values, c->user.user);
    if (status != CRANK_OK) {
        return stopped(status, CRANK_ESTOP_MASS, "the mass matrix", t, err);
    }
    const crank_pattern *pattern = &c->eom->mass_pattern;
    if (crank_first_not_finite(pattern->start[pattern->columns], values) >= 0) {
        return crank_fail(err, CRANK_RETRY, "the mass matrix is not finite at t = %g", t);
    }
    return CRANK_OK;
}

static crank_status initial(void *self, double t, const double *x, double *conditions,
                            crank_error *err)
{
    const callbacks *c = self;
    const crank_status status = c->user.initial(t, x, conditions, c->user.user);
    if (status != CRANK_OK) {
        return stopped(status, CRANK_ESTOP_INITIAL, "the initial conditions", t, err);
    }
    const int bad = crank_first_not_finite(c->eom->sizes.initial, conditions);
    if (bad >= 0) {
        return crank_fail(err, CRANK_RETRY, "initial condition \"%s\" is not finite at t = %g",
                          c->eom->initial_name[bad], t);
    }
    return CRANK_OK;
}

/* ---- the supplier ---- */

/* Adds the hidden levels to rows that the caller has filled. */
static crank_status add_hidden(callbacks *c, double t, const double *x, double *k,
                               crank_error *err)
{
    const crank_eom *eom = c->eom;
    const size_t nl = (size_t)eom->sizes.lambda, nm = (size_t)eom->sizes.mu;
    if (eom->acceleration_idle && c->flow.from_velocity) {
        memset(k + eom->row[CRANK_ROW_GII], 0, (nl + nm) * sizeof *k);
        return CRANK_OK;
    }
    crank_status status = crank_flow_prepare(&c->flow, t, x, k, err);
    CRANK_THEN(status, crank_flow_levels(&c->flow, t, x, k, err));
    if (status != CRANK_OK) {
        return status;
    }
    memcpy(k + eom->row[CRANK_ROW_GII], c->flow.gII, nl * sizeof *k);
    memcpy(k + eom->row[CRANK_ROW_HI], c->flow.hI, nm * sizeof *k);
    if (!c->flow.from_velocity) {
        memcpy(k + eom->row[CRANK_ROW_GI], c->flow.gI, nl * sizeof *k);
    }
    return CRANK_OK;
}

static crank_status evaluate_all(void *self, double t, const double *x, double *k,
                                 crank_error *err)
{
    callbacks *c = self;
    const crank_status status = evaluate_user(self, t, x, k, err);
    return status == CRANK_OK && c->hidden ? add_hidden(c, t, x, k, err) : status;
}

static crank_status evaluate(void *self, int count, const double *t, const double *x, int rows,
                             double *k, crank_error *err)
{
    callbacks *c = self;
    const size_t n = (size_t)c->eom->n, m = (size_t)c->eom->m;
    for (size_t i = 0; i < (size_t)count; i++) {
        crank_flow_evaluate_fn *fill =
            (rows & CRANK_ALGEBRAIC) != 0 ? evaluate_all : evaluate_user;
        const crank_status status = fill(self, t[i], x + i * n, k + i * m, err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    return CRANK_OK;
}

static crank_status jacobian(void *self, double t, const double *x, const double *vdot,
                             double *values, crank_error *err)
{
    callbacks *c = self;
    crank_status status = CRANK_OK;
    if (c->user.jacobian != NULL) {
        status = c->user.jacobian(t, x, vdot, values, c->user.user);
        if (status != CRANK_OK) {
            return stopped(status, CRANK_ESTOP_JACOBIAN, "the Jacobian", t, err);
        }
        if (!c->hidden) {
            return CRANK_OK; /* finiteness is checked by crank_eom_evaluate_jacobian */
        }
    }
    status = crank_differences_jacobian(&c->differences, t, x, vdot, values, err);
    if (status != CRANK_OK || !c->hidden) {
        return status;
    }
    status = evaluate_user(self, t, x, c->k, err);
    CRANK_THEN(status, crank_flow_prepare(&c->flow, t, x, c->k, err));
    if (status == CRANK_OK) {
        crank_hidden_blocks_fill(&c->blocks, &c->flow, values);
    }
    return status;
}

static void destroy(void *self)
{
    callbacks *c = self;
    if (c != NULL) {
        crank_arena_free(&c->arena);
        free(c);
    }
}

/* ---- create ---- */

static crank_status check(const crank_eom_definition *d, crank_error *err)
{
    const crank_eom_sizes *s = &d->sizes;
    if (d->evaluate == NULL) {
        return crank_fail(err, CRANK_EARG, "definition: evaluate is missing");
    }
    if (s->initial > 0 && d->initial == NULL) {
        return crank_fail(err, CRANK_EARG,
                          "definition: initial is missing, but sizes.initial = %d", s->initial);
    }
    if ((int)d->levels < CRANK_LEVELS_ALL || d->levels > CRANK_LEVELS_POSITION) {
        return crank_fail(err, CRANK_EARG, "definition: levels = %d is unknown",
                          (int)d->levels);
    }
    if ((int)d->mass_kind < CRANK_MASS_FULL || d->mass_kind > CRANK_MASS_DIAGONAL_CONSTANT) {
        return crank_fail(err, CRANK_EARG, "definition: mass_kind = %d is unknown",
                          (int)d->mass_kind);
    }
    if (s->p + s->v + s->r + s->w + s->s <= 0) {
        return crank_fail(err, CRANK_EARG, "definition: there are no unknowns");
    }
    return CRANK_OK;
}

static void layout(callbacks *c, crank_arena *arena)
{
    c->made = crank_arena_take(arena, (size_t)c->eom->m, sizeof *c->made);
    c->k = crank_arena_take(arena, (size_t)c->eom->m, sizeof *c->k);
    if (c->user.jacobian == NULL || c->hidden) {
        crank_differences_layout(&c->differences, arena);
    }
    if (c->hidden) {
        crank_flow_layout(&c->flow, arena);
        crank_hidden_blocks_layout(&c->blocks, arena);
    }
}

static void mark_made_rows(callbacks *c)
{
    const crank_eom *eom = c->eom;
    const int last = c->flow.from_velocity ? eom->row[CRANK_ROW_GI] : eom->row[CRANK_ROW_H];
    for (int i = eom->row[CRANK_ROW_GII]; c->hidden && i < last; i++) {
        c->made[i] = true;
    }
}

/* The caller's patterns, or dense ones (diagonal for a diagonal M) in room of their own. */
static crank_status set_patterns(crank_eom *eom, const crank_eom_definition *d,
                                 crank_error *err)
{
    const int n = eom->n, m = eom->m, nv = eom->sizes.v;
    const bool diagonal = crank_eom_mass_diagonal(eom);
    const int per_column = diagonal ? 1 : nv;
    crank_pattern jacobian = d->jacobian_pattern;
    crank_pattern mass_pattern = d->mass_pattern;
    const double entries = (double)m * n + (double)nv * per_column;
    if (jacobian.start == NULL && entries > 1e9) {
        return crank_fail(err, CRANK_EARG, "%d unknowns: give the Jacobian's pattern", n);
    }
    const size_t room = (size_t)n + (size_t)nv + 2 + (size_t)nv * (size_t)per_column +
                        (jacobian.start == NULL ? (size_t)m * (size_t)n : 0);
    int *memory = malloc(room * sizeof *memory);
    if (memory == NULL) {
        return crank_fail(err, CRANK_EMEM, "patterns of %d unknowns", n);
    }
    int *start = memory, *mass_start = memory + n + 1, *mass_row = mass_start + nv + 1;
    int *row = mass_row + (ptrdiff_t)nv * per_column;
    if (jacobian.start == NULL) {
        for (int j = 0; j <= n; j++) {
            start[j] = j * m;
        }
        for (int k = 0; k < m * n; k++) {
            row[k] = k % m;
        }
        jacobian = (crank_pattern){.rows = m, .columns = n, .start = start, .row = row};
    }
    if (mass_pattern.start == NULL || eom->mass_is_identity) {
        for (int j = 0; j <= nv; j++) {
            mass_start[j] = j * per_column;
        }
        for (int k = 0; k < nv * per_column; k++) {
            mass_row[k] = diagonal ? k : k % nv;
        }
        mass_pattern =
            (crank_pattern){.rows = nv, .columns = nv, .start = mass_start, .row = mass_row};
    }
    crank_status status = crank_eom_set_patterns(eom, &jacobian, &mass_pattern, err);
    for (int j = 0; status == CRANK_OK && diagonal && j < nv; j++) {
        if (mass_pattern.start[j + 1] != j + 1 || mass_pattern.row[j] != j) {
            status = crank_fail(err, CRANK_EARG,
                                "the mass matrix is said to be diagonal, but its "
                                "pattern is not (column %d)",
                                j);
        }
    }
    free(memory);
    return status;
}

static crank_status fill(crank_eom *eom, callbacks *c, crank_log log, crank_error *err)
{
    const crank_eom_sizes *s = &eom->sizes;
    eom->mass_is_identity = c->user.mass == NULL;
    eom->mass_kind = c->user.mass == NULL ? CRANK_MASS_DIAGONAL_CONSTANT : c->user.mass_kind;
    eom->autonomous = c->user.autonomous;
    eom->invariants_absolute = true;
    const crank_status status = set_patterns(eom, &c->user, err);
    if (status != CRANK_OK) {
        return status;
    }
    c->hidden = c->user.levels != CRANK_LEVELS_ALL && s->lambda + s->mu > 0;
    eom->noise = c->hidden ? hidden_noise : 0.0;
    eom->hidden_rounding = c->hidden ? c->flow.rounding : NULL;
    c->flow = (crank_flow){.eom = eom,
                           .evaluate = evaluate_user,
                           .mass = mass,
                           .self = c,
                           .from_velocity = c->user.levels == CRANK_LEVELS_VELOCITY};
    c->differences =
        (crank_differences){.eom = eom, .evaluate = evaluate_all, .mass = mass, .self = c};
    c->blocks = (crank_hidden_blocks){.eom = eom};
    layout(c, &c->arena);
    if (!crank_arena_allocate(&c->arena)) {
        return crank_fail(err, CRANK_EMEM, "workspace for %d unknowns", eom->n);
    }
    layout(c, &c->arena);
    mark_made_rows(c);
    if (c->hidden) {
        crank_log_write(
            &log, CRANK_WARNING,
            "%s made by differences along the motion: slower, and accurate to about "
            "1e-11 only; supply them if you can",
            c->flow.from_velocity ? "gII and hI are" : "gI, gII and hI are");
    }
    if (c->user.jacobian != NULL && !c->hidden) {
        return CRANK_OK;
    }
    c->differences.wanted = c->user.jacobian != NULL ? c->made : NULL;
    return crank_differences_colour(&c->differences, err);
}

crank_status crank_eom_create(const crank_eom_definition *definition, crank_log log,
                              crank_eom **out, crank_error *err)
{
    *out = NULL;
    if (definition->size != sizeof *definition) {
        return crank_fail(err, CRANK_EARG,
                          "definition: size = %zu, make it with crank_eom_definition_default",
                          definition->size);
    }
    crank_eom *eom;
    crank_status status =
        crank_eom_allocate(&definition->sizes, definition->names, definition->invariant_names,
                           definition->initial_names, &eom, err);
    if (status != CRANK_OK) {
        return status;
    }
    status = check(definition, err);
    if (status != CRANK_OK) {
        crank_eom_destroy(eom);
        return status;
    }
    callbacks *c = calloc(1, sizeof *c);
    if (c == NULL) {
        crank_eom_destroy(eom);
        return crank_fail(err, CRANK_EMEM, "equations of motion");
    }
    c->user = *definition;
    c->eom = eom;
    eom->self = c;
    eom->supplier =
        (crank_eom_supplier){.evaluate = evaluate,
                             .jacobian = jacobian,
                             .mass = mass,
                             .initial = definition->initial != NULL ? initial : NULL,
                             .destroy = destroy};
    status = fill(eom, c, log, err);
    if (status != CRANK_OK) {
        crank_eom_destroy(eom);
        return status;
    }
    *out = eom;
    return CRANK_OK;
}
