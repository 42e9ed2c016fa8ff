/* procedure.c - the analysis procedure for quasi-linear DAEs [Ste06, 3.5.11], theory
 * (10.2)-(10.4):
 *
 *     E^i x' = k^i   ->   E1^i x' = k1^i,  0 = k2^i   ->   E^{i+1} = [E1^i; k2^i_x],
 *         k^{i+1} = [k1^i; -k2^i_t]
 *
 * until k2^i holds on the constraints found before. Rows keep their places: row i is equation i
 * of the input, the constraint made of it, or that constraint's derivative. Where the rank of
 * E^i falls on the new constraints the level is done again with the smaller rank. */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae/procedure.h"
#include "base/then.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REASON = 480 };

/* one level at work */
typedef struct work {
    crank_dae_procedure *p;
    int number; /* of the level */
    crank_dae_split split;
    bool *trivial;  /* m */
    bool *keep;     /* n: occurs in constraints of the levels before */
    bool *hold;     /* n: that, or its derivative is in an equation */
    double *before; /* points on the constraints of the levels before */
    bool used[CRANK_DAE_POINTS];
} work;

static crank_status no_memory(const crank_dae_procedure *p, crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "analysis of %d equations", p->m);
}

static const char *name_of(const crank_dae_procedure *p, int row, char *text, size_t size)
{
    return crank_dae_equation_text(p->input, p->equation[row], text, size);
}

/* ---- beginning and end ---- */

static crank_status lay_out(crank_dae_procedure *p, crank_error *err)
{
    const size_t m = (size_t)p->m, n = (size_t)p->n, levels = (size_t)p->level_limit + 1;
    crank_store *store = p->store;
    p->E = crank_store_take(store, m * n, sizeof *p->E);
    p->k = crank_store_take(store, m, sizeof *p->k);
    p->frozen = crank_store_take(store, m, sizeof *p->frozen);
    p->derived = crank_store_take(store, m, sizeof *p->derived);
    p->row_scale = crank_store_take(store, m, sizeof *p->row_scale);
    p->first_scale = crank_store_take(store, m, sizeof *p->first_scale);
    p->constraint_capacity = p->m * (p->level_limit + 1);
    const size_t capacity = (size_t)p->constraint_capacity;
    p->constraint = crank_store_take(store, capacity, sizeof *p->constraint);
    p->constraint_level = crank_store_take(store, capacity, sizeof *p->constraint_level);
    p->constraint_equation = crank_store_take(store, capacity, sizeof *p->constraint_equation);
    p->level = crank_store_take(store, levels, sizeof *p->level);
    p->reason = crank_store_take(store, REASON, 1);
    return store->failed ? no_memory(p, err) : CRANK_OK;
}

static crank_status begin(crank_dae_procedure *p, crank_error *err)
{
    const crank_dae_input *input = p->input;
    const size_t n = (size_t)p->n;
    crank_status status = lay_out(p, err);
    if (status != CRANK_OK) {
        return status;
    }
    for (int i = 0; i < p->m; i++) {
        const size_t row = (size_t)p->equation[i];
        memcpy(p->E + (size_t)i * n, input->E + row * n, n * sizeof *p->E);
        p->k[i] = input->k[row];
    }
    status = crank_dae_functions_create(input->pool, p->n, input->variable, input->t,
                                        p->m * p->n, p->E, &p->first, err);
    crank_dae_functions right = {0};
    CRANK_THEN(status, crank_dae_functions_create(input->pool, p->n, input->variable, input->t,
                                                  p->m, p->k, &right, err));
    CRANK_THEN(status, crank_dae_points_create(p->store, p->n, input->start, input->t_start,
                                               p->unit, &right, &p->points, err));
    for (int q = 1; q < CRANK_DAE_POINTS && status == CRANK_OK; q++) {
        p->points.used[q] =
            p->points.used[q] && crank_dae_functions_evaluate(
                                     &p->first, crank_dae_point(&p->points, q), p->points.t[q]);
    }
    crank_dae_functions_destroy(&right);
    return status;
}

void crank_dae_procedure_destroy(crank_dae_procedure *p)
{
    crank_dae_functions_destroy(&p->leading);
    crank_dae_functions_destroy(&p->right);
    crank_dae_functions_destroy(&p->first);
    crank_dae_system_destroy(&p->set);
}

/* ---- one level ---- */

/* Names the equations whose residuals are largest at the point. */
static void blame(const work *w, crank_dae_projection outcome)
{
    crank_dae_procedure *p = w->p;
    char a[120], b[120] = "";
    int worst = 0, second = -1;
    (void)crank_dae_system_evaluate(&p->set, crank_dae_point(&p->points, 0), p->points.t[0]);
    for (int i = 1; i < p->constraint_count; i++) {
        const double size = fabs(p->set.f[i]) / p->set.scale[i];
        if (size > fabs(p->set.f[worst]) / p->set.scale[worst]) {
            second = worst;
            worst = i;
        } else if (second < 0 || size > fabs(p->set.f[second]) / p->set.scale[second]) {
            second = i;
        }
    }
    if (second >= 0 && (fabs(p->set.f[second]) <= 1e-6 * p->set.scale[second] ||
                        p->constraint_equation[second] == p->constraint_equation[worst])) {
        second = -1;
    }
    if (second >= 0 && p->constraint_equation[second] < p->constraint_equation[worst]) {
        const int keep = worst;
        worst = second;
        second = keep;
    }
    crank_dae_equation_text(p->input, p->constraint_equation[worst], a, sizeof a);
    if (second >= 0) {
        char name[112];
        (void)snprintf(b, sizeof b, " and %s",
                       crank_dae_equation_text(p->input, p->constraint_equation[second], name,
                                               sizeof name));
    }
    if (outcome == CRANK_DAE_STATIONARY && p->constraint_count == 1) {
        p->outcome = CRANK_DAE_CONTRADICTORY;
        (void)snprintf(p->reason, REASON,
                       "the constraint from %s (level %d) cannot be satisfied near the start "
                       "values and time: correct it, or start where it can",
                       a, w->number);
    } else if (outcome == CRANK_DAE_STATIONARY) {
        p->outcome = CRANK_DAE_CONTRADICTORY;
        (void)snprintf(p->reason, REASON,
                       "the constraints up to level %d contradict each other near the start "
                       "values, above all those of %s%s",
                       w->number, a, b);
    } else {
        p->outcome = CRANK_DAE_NOT_CONSISTENT;
        (void)snprintf(p->reason, REASON,
                       "no point on the constraints up to level %d was found from the start "
                       "values; the largest residual is left in those of %s%s: give better "
                       "start values",
                       w->number, a, b);
    }
}

/* Which k2 vanish on the constraints of the levels before? */
static crank_status find_trivial(work *w, crank_error *err)
{
    crank_dae_procedure *p = w->p;
    crank_dae_system s;
    crank_status status =
        crank_dae_system_create(p->input->pool, p->n, p->input->variable, p->input->t, p->unit,
                                p->m, w->split.k2, &s, err);
    for (int i = 0; i < p->m; i++) {
        w->trivial[i] = true;
    }
    CRANK_THEN(status, crank_dae_system_scale(&s, &p->points, err));
    for (int q = 0; q < CRANK_DAE_POINTS && status == CRANK_OK; q++) {
        const double *z = w->before + (size_t)q * (size_t)p->n;
        if (!w->used[q]) {
            continue;
        }
        (void)crank_dae_system_evaluate(&s, z, p->points.t[q]);
        for (int i = 0; i < p->m; i++) {
            if (w->split.pivot[i] || p->frozen[i] || !isfinite(s.f[i])) {
                continue;
            }
            const double size =
                fmax(crank_dae_system_size(&s, i) + 1e-3 * s.scale[i], w->split.terms[i]);
            w->trivial[i] = w->trivial[i] && fabs(s.f[i]) <= CRANK_DAE_ZERO_TOLERANCE * size;
        }
    }
    crank_dae_system_destroy(&s);
    return status;
}

/* hold; false: the new constraints (from kept on) contain nothing else */
static bool can_hold(const work *w, int kept)
{
    const crank_dae_procedure *p = w->p;
    bool others = false;
    for (int j = 0; j < p->n; j++) {
        w->hold[j] = w->keep[j];
        for (int i = 0; i < p->m && !w->hold[j]; i++) {
            const size_t entry = (size_t)p->equation[i] * (size_t)p->n + (size_t)j;
            w->hold[j] = !crank_ex_is_value(p->input->pool, p->input->E[entry], 0.0);
        }
    }
    for (int q = 0; q < p->set.entry_count; q++) {
        others = others || (p->set.row[q] >= kept && !w->hold[p->set.column[q]]);
    }
    return others;
}

/* The constraints of the levels before (kept of them) and the new ones; the points are moved
 * onto them. */
static crank_status shrink(work *w, int kept, crank_error *err)
{
    crank_dae_procedure *p = w->p;
    crank_dae_projection outcome;
    p->constraint_count = kept;
    memset(w->keep, 0, (size_t)p->n * sizeof *w->keep);
    for (int q = 0; q < p->set.entry_count; q++) {
        w->keep[p->set.column[q]] = w->keep[p->set.column[q]] || p->set.row[q] < kept;
    }
    for (int i = 0; i < p->m; i++) {
        double value;
        if (w->split.pivot[i] || w->trivial[i]) {
            continue;
        }
        if (crank_ex_is_number(p->input->pool, w->split.k2[i], &value)) {
            char name[120];
            p->outcome = CRANK_DAE_CONTRADICTORY;
            (void)snprintf(p->reason, REASON,
                           "%s demands 0 = %g on level %d: it contradicts %s",
                           name_of(p, i, name, sizeof name), value, w->number,
                           w->number == 0 ? "itself or other equations" : "the others");
        }
        p->constraint[p->constraint_count] = w->split.k2[i];
        p->constraint_level[p->constraint_count] = w->number;
        p->constraint_equation[p->constraint_count++] = p->equation[i];
    }
    crank_dae_system_destroy(&p->set);
    crank_status status =
        crank_dae_system_create(p->input->pool, p->n, p->input->variable, p->input->t, p->unit,
                                p->constraint_count, p->constraint, &p->set, err);
    CRANK_THEN(status, crank_dae_system_scale(&p->set, &p->points, err));
    if (status == CRANK_OK && p->outcome == CRANK_DAE_COMPLETE) {
        status =
            crank_dae_points_project(&p->points, &p->set, can_hold(w, kept) ? w->hold : NULL,
                                     kept > 0 ? w->keep : NULL, &outcome, err);
        if (status == CRANK_OK && outcome != CRANK_DAE_SOLVED) {
            blame(w, outcome);
        }
    }
    return status;
}

static int new_constraints(const work *w)
{
    int count = 0;
    for (int i = 0; i < w->p->m; i++) {
        count += !w->split.pivot[i] && !w->trivial[i] ? 1 : 0;
    }
    return count;
}

/* Step I and II with the iteration over falling ranks. */
static crank_status split(work *w, crank_dae_level *level, crank_error *err)
{
    crank_dae_procedure *p = w->p;
    const int kept = p->constraint_count;
    bool done = true;
    level->m1 = -1;
    for (;;) {
        int reference;
        crank_status status = crank_dae_leading_rank(p, &level->leading, &reference, err);
        if (status != CRANK_OK || level->leading.most == level->m1) {
            return status;
        }
        level->m1 = level->leading.most;
        level->m2 = p->m - level->m1;
        status = crank_dae_eliminate(p, level->m1, reference, &w->split, &done, err);
        if (status == CRANK_OK && !done) {
            p->outcome = CRANK_DAE_NOT_ELIMINATED;
            (void)snprintf(
                p->reason, REASON,
                "level %d: the leading matrix has rank %d, but its rows could not be "
                "eliminated with pivots that are frozen at the start values; other "
                "start values may help",
                w->number, level->m1);
        }
        CRANK_THEN(status, find_trivial(w, err));
        if (status != CRANK_OK || !done || new_constraints(w) == 0) {
            return status;
        }
        status = shrink(w, kept, err);
        if (status != CRANK_OK || p->outcome != CRANK_DAE_COMPLETE) {
            return status;
        }
    }
}

/* Writes the level down, with the residuals of the start values. */
static crank_status record(work *w, crank_dae_level *level, crank_error *err)
{
    crank_dae_procedure *p = w->p;
    crank_dae_system s;
    int count = 0;
    level->constraint = crank_store_take(p->store, (size_t)p->m, sizeof *level->constraint);
    if (level->constraint == NULL) {
        return no_memory(p, err);
    }
    crank_status status =
        crank_dae_system_create(p->input->pool, p->n, p->input->variable, p->input->t, p->unit,
                                p->m, w->split.k2, &s, err);
    if (status == CRANK_OK) {
        (void)crank_dae_system_evaluate(&s, p->input->start, p->input->t_start);
    }
    level->residual = 0.0;
    for (int i = 0; i < p->m && status == CRANK_OK; i++) {
        crank_dae_constraint *c = &level->constraint[count];
        if (w->split.pivot[i]) {
            continue;
        }
        c->ex = w->split.k2[i];
        c->equation = p->equation[i];
        c->trivial = w->trivial[i];
        c->residual = s.f[i];
        c->scale = crank_dae_system_size(&s, i);
        const double size = c->residual == 0.0 ? 0.0 : fabs(c->residual) / c->scale;
        if (!c->trivial && !isnan(level->residual) && !(size <= level->residual)) {
            level->residual = size; /* NaN stays */
        }
        count++;
    }
    crank_dae_system_destroy(&s);
    return status;
}

/* Steps V and VI: constraints are replaced by their derivatives. */
static crank_status differentiate(work *w, crank_error *err)
{
    crank_dae_procedure *p = w->p;
    crank_pool *pool = p->input->pool;
    for (int i = 0; i < p->m; i++) {
        crank_ex *row = p->E + (size_t)i * (size_t)p->n;
        bool met = false;
        if (w->split.pivot[i]) {
            continue;
        }
        if (w->trivial[i]) {
            for (int j = 0; j < p->n; j++) {
                row[j] = crank_ex_number(pool, 0.0);
            }
            p->k[i] = crank_ex_number(pool, 0.0);
            p->frozen[i] = true;
            continue;
        }
        const crank_status status =
            crank_dae_find_kinks(p, w->split.k2[i], w->number, p->equation[i], &met, err);
        if (status != CRANK_OK) {
            return status;
        }
        if (met) {
            char name[120];
            p->outcome = CRANK_DAE_NOT_DIFFERENTIABLE;
            (void)snprintf(p->reason, REASON,
                           "the constraint of level %d from %s is not differentiable at the "
                           "start values: \"%s\" has a kink or jump there",
                           w->number, name_of(p, i, name, sizeof name),
                           p->kink[p->kink_count - 1].function);
        }
        crank_ex_gradient(pool, w->split.k2[i], p->n, p->input->variable, row);
        p->k[i] = crank_ex_neg(pool, crank_ex_derivative(pool, w->split.k2[i], p->input->t));
        p->derived[i] = true;
    }
    return CRANK_OK;
}

/* E^i and k^i as functions */
static crank_status compile(crank_dae_procedure *p, crank_error *err)
{
    const crank_dae_input *input = p->input;
    crank_ex *ex = crank_store_take(p->store, 2 * (size_t)p->m, sizeof *ex);
    if (ex == NULL) {
        return no_memory(p, err);
    }
    crank_dae_functions_destroy(&p->leading);
    crank_dae_functions_destroy(&p->right);
    crank_status status = crank_dae_functions_create(
        input->pool, p->n, input->variable, input->t, p->m * p->n, p->E, &p->leading, err);
    memcpy(ex, p->k, (size_t)p->m * sizeof *ex);
    CRANK_THEN(status, crank_dae_magnitude(input->pool, p->m, p->k, ex + p->m, err));
    return status == CRANK_OK
               ? crank_dae_functions_create(input->pool, p->n, input->variable, input->t,
                                            2 * p->m, ex, &p->right, err)
               : status;
}

static crank_status do_level(work *w, bool *last, crank_error *err)
{
    crank_dae_procedure *p = w->p;
    crank_dae_level *level = &p->level[w->number];
    memcpy(w->before, p->points.z, CRANK_DAE_POINTS * (size_t)p->n * sizeof *w->before);
    memcpy(w->used, p->points.used, sizeof w->used);
    crank_status status = compile(p, err);
    CRANK_THEN(status, split(w, level, err));
    CRANK_THEN(status, record(w, level, err));
    p->level_count = w->number + 1;
    *last = status == CRANK_OK && new_constraints(w) == 0;
    if (status != CRANK_OK || p->outcome != CRANK_DAE_COMPLETE) {
        return status;
    }
    status = crank_dae_level_ranks(p, level, err);
    return status == CRANK_OK && !*last ? differentiate(w, err) : status;
}

crank_status crank_dae_procedure_run(crank_dae_procedure *p, const crank_dae_input *input,
                                     const double *unit, int m, const int *equation,
                                     crank_store *store, crank_error *err)
{
    *p = (crank_dae_procedure){.input = input,
                               .unit = unit,
                               .m = m,
                               .n = input->variables,
                               .equation = equation,
                               .store = store};
    p->level_limit = input->level_limit > 0 ? input->level_limit : input->variables + 1;
    crank_status status = begin(p, err);
    work w = {.p = p};
    w.split.k2 = crank_store_take(store, (size_t)m, sizeof *w.split.k2);
    w.split.pivot = crank_store_take(store, (size_t)m, sizeof *w.split.pivot);
    w.split.terms = crank_store_take(store, (size_t)m, sizeof *w.split.terms);
    w.trivial = crank_store_take(store, (size_t)m, sizeof *w.trivial);
    w.keep = crank_store_take(store, (size_t)p->n, sizeof *w.keep);
    w.hold = crank_store_take(store, (size_t)p->n, sizeof *w.hold);
    w.before = crank_store_take(store, CRANK_DAE_POINTS * (size_t)p->n, sizeof *w.before);
    if (status == CRANK_OK && store->failed) {
        return no_memory(p, err);
    }
    bool last = false;
    for (int i = 0; status == CRANK_OK && !last && p->outcome == CRANK_DAE_COMPLETE; i++) {
        if (i > p->level_limit) {
            p->outcome = CRANK_DAE_LEVEL_LIMIT;
            (void)snprintf(p->reason, REASON, "there are constraints beyond level %d",
                           p->level_limit - 1);
            break;
        }
        w.number = i;
        status = do_level(&w, &last, err);
    }
    return status;
}
