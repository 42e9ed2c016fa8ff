/* dae_translated.c - evaluates the eom of translated equations, see dae_translated.h. Rates of
 * unknowns that have no derivative among the others, theory (13.10):
 *
 *     F_u u' + F_t = 0,     u_i' = u_k where u_k is the derivative of u_i */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/dae/dae_translated.h"

#include "base/then.h"
#include "linalg/minimum_norm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "translated equations");
}

/* ---- evaluation ---- */

static crank_status evaluate(void *self, int count, const double *t, const double *x, int rows,
                             double *k, crank_error *err)
{
    crank_dae_supplier *s = self;
    const struct crank_dae_translated *f = s->translated;
    const crank_eom *eom = s->eom;
    (void)err;
    for (int q = 0; q < count; q++) {
        const double *point = x + (size_t)q * (size_t)s->n;
        double *out = k + (size_t)q * (size_t)eom->m;
        double *n = out + eom->row[CRANK_ROW_N], *kin = out + eom->row[CRANK_ROW_KIN];
        if ((rows & CRANK_ALGEBRAIC) != 0) {
            crank_dae_run(s, CRANK_DAE_TAPE_CONSTRAINTS, t[q], point, n);
            if (s->starting) {
                crank_dae_run(s, CRANK_DAE_TAPE_INITIAL, t[q], point, n + f->rows);
            } else {
                memset(n + f->rows, 0, (size_t)s->outputs[CRANK_DAE_TAPE_INITIAL] * sizeof *n);
            }
        }
        for (int j = 0; j < s->n && (rows & CRANK_DIFFERENTIAL) != 0; j++) {
            kin[j] = f->next[j] >= 0 ? point[f->next[j]] : 0.0;
        }
    }
    return CRANK_OK;
}

static crank_status jacobian(void *self, double t, const double *x, const double *vdot,
                             double *values, crank_error *err)
{
    crank_dae_supplier *s = self;
    const struct crank_dae_translated *f = s->translated;
    (void)vdot, (void)err;
    crank_dae_run(s, CRANK_DAE_TAPE_CHANGE, t, x, s->change);
    for (int q = 0; q < f->entries; q++) {
        values[q] = s->starting || f->row[q] < f->rows ? s->change[q] : 0.0;
    }
    return CRANK_OK;
}

/* ---- rates ---- */

/* columns of unknowns without a derivative, rows scaled; r: the rest of F' */
static crank_status fill_rates(const crank_dae_supplier *s, const double *x,
                               crank_min_matrix *A, double *r, crank_error *err)
{
    const struct crank_dae_translated *f = s->translated;
    int columns = 0, entries = 0;
    for (int j = 0; j < s->n; j++) {
        columns += f->next[j] < 0;
        entries += f->next[j] < 0 ? f->start[j + 1] - f->start[j] : 0;
    }
    if (!crank_min_allocate(A, f->rows, columns, (size_t)entries)) {
        return no_memory(err);
    }
    memcpy(r, s->change + f->entries, (size_t)f->rows * sizeof *r);
    double *norm = r + f->rows;
    memset(norm, 0, (size_t)f->rows * sizeof *norm);
    columns = entries = 0;
    for (int j = 0; j < s->n; j++) {
        for (int q = f->start[j]; q < f->start[j + 1] && f->row[q] < f->rows; q++) {
            if (f->next[j] >= 0) {
                r[f->row[q]] += s->change[q] * x[f->next[j]];
            } else {
                A->row[entries] = f->row[q];
                A->values[entries++] = s->change[q];
                norm[f->row[q]] = hypot(norm[f->row[q]], s->change[q]);
            }
        }
        if (f->next[j] < 0) {
            A->start[++columns] = entries;
        }
    }
    for (int q = 0; q < entries; q++) {
        A->values[q] /= norm[A->row[q]] > 0.0 ? norm[A->row[q]] : 1.0;
    }
    for (int i = 0; i < f->rows; i++) {
        r[i] = norm[i] > 0.0 ? r[i] / norm[i] : 0.0; /* of states alone: F' = 0 says it */
    }
    return CRANK_OK;
}

crank_status crank_dae_follow_rates(crank_dae_supplier *s, double t, const double *x,
                                    crank_error *err)
{
    const struct crank_dae_translated *f = s->translated;
    const double rank_tolerance = 1e-12;
    crank_min_matrix A = {0};
    crank_dae_run(s, CRANK_DAE_TAPE_CHANGE, t, x, s->change);
    double *rate = s->in + 1 + s->n;
    for (int j = 0; j < s->n; j++) {
        rate[j] = f->next[j] >= 0 ? x[f->next[j]] : 0.0;
    }
    if (!f->slopes_of_rest) {
        return CRANK_OK;
    }
    double *r = calloc(2 * (size_t)f->rows + (size_t)s->n + 1, sizeof *r);
    crank_status status = r != NULL ? fill_rates(s, x, &A, r, err) : no_memory(err);
    if (status == CRANK_OK) {
        double *y = r + 2 * (size_t)f->rows;
        status = crank_minimum_norm(&A, r, rank_tolerance, 0.0, y, err);
        for (int j = 0, c = 0; j < s->n && status == CRANK_OK; j++) {
            rate[j] = f->next[j] < 0 ? y[c++] : rate[j];
        }
    }
    crank_min_free(&A);
    free(r);
    return status;
}

/* ---- the start ---- */

crank_status crank_dae_find_translated_start(void *self, double t, double *x,
                                             const crank_fixing *fixing, double *reached,
                                             crank_initial_report *report, crank_log log,
                                             crank_error *err)
{
    crank_dae_supplier *s = self;
    crank_status status = crank_dae_guess_rest(s, t, x, fixing, err);
    if (status != CRANK_OK) {
        return status;
    }
    s->starting = true;
    if (s->discrete != NULL) {
        status = crank_dae_find_start(self, t, x, fixing, reached, report, log, err);
    } else {
        crank_initial_options options = crank_initial_options_default();
        options.fixing = fixing;
        options.reached = reached;
        status = crank_eom_initialize(s->eom, t, x, &options, report, log, err);
    }
    s->starting = false;
    return status;
}

/* ---- creation ---- */

/* entries of one row, F or a condition */
typedef struct gradient {
    int count, capacity;
    int *row, *column;
    crank_ex *ex;
} gradient;

static bool add_entry(crank_store *store, gradient *g, int row, int column, crank_ex ex)
{
    if (g->count == g->capacity) {
        const size_t capacity = 2 * (size_t)g->capacity + 256, old = (size_t)g->count;
        int *rows = crank_store_take(store, capacity, sizeof *rows);
        int *columns = crank_store_take(store, capacity, sizeof *columns);
        crank_ex *exs = crank_store_take(store, capacity, sizeof *exs);
        if (store->failed) {
            return false;
        }
        if (old > 0) {
            memcpy(rows, g->row, old * sizeof *rows);
            memcpy(columns, g->column, old * sizeof *columns);
            memcpy(exs, g->ex, old * sizeof *exs);
        }
        *g = (gradient){g->count, (int)capacity, rows, columns, exs};
    }
    g->row[g->count] = row;
    g->column[g->count] = column;
    g->ex[g->count++] = ex;
    return true;
}

/* derivatives of ex by unknowns, and by t */
static bool differentiate(const crank_dae_fill *w, gradient *g, int row, crank_ex ex,
                          crank_ex *by_time)
{
    crank_pool *p = w->flat->pool;
    const crank_equations *e = &w->file->e;
    const int count = crank_ex_symbols(p, ex, NULL, 0);
    crank_ex *symbols = crank_store_take(w->store, 2 * (size_t)count, sizeof *symbols);
    if (symbols == NULL) {
        return false;
    }
    crank_ex *slope = symbols + count;
    bool good = true;
    (void)crank_ex_symbols(p, ex, symbols, count);
    crank_ex_gradient(p, ex, count, symbols, slope);
    *by_time = crank_ex_number(p, 0.0);
    for (int k = 0; k < count && good; k++) {
        const crank_name *name = symbols[k] < e->name_count ? &e->name[symbols[k]] : NULL;
        if (symbols[k] == e->t) {
            *by_time = slope[k];
        } else if (name != NULL && name->declared && name->kind == CRANK_P &&
                   name->index < w->in->unknown_count && !crank_ex_is_value(p, slope[k], 0.0)) {
            good = add_entry(w->store, g, row, name->index, slope[k]);
        }
    }
    return good;
}

/* entries by columns; change: their expressions, then F_t */
static crank_status sort_entries(const crank_dae_fill *w, crank_model *model, const gradient *g,
                                 struct crank_dae_translated *f, crank_ex *change)
{
    const int n = model->eom->n;
    f->entries = g->count;
    f->start = crank_store_take(&model->store, (size_t)n + 1, sizeof *f->start);
    f->row = crank_store_take(&model->store, (size_t)g->count, sizeof *f->row);
    int *next = crank_store_take(w->store, (size_t)n + 1, sizeof *next);
    if (model->store.failed || w->store->failed) {
        return no_memory(w->err);
    }
    for (int q = 0; q < g->count; q++) {
        f->start[g->column[q] + 1]++;
    }
    for (int j = 0; j < n; j++) {
        f->start[j + 1] += f->start[j];
        next[j] = f->start[j];
    }
    for (int q = 0; q < g->count; q++) { /* by rows: those of a column stay in order */
        const int place = next[g->column[q]]++;
        f->row[place] = g->row[q];
        change[place] = g->ex[q];
    }
    return CRANK_OK;
}

static bool depends_on_rest(const crank_dae_fill *w, const struct crank_dae_translated *f)
{
    crank_pool *p = w->flat->pool;
    const crank_dae_discrete *d = w->file->discrete;
    for (int i = 0; d != NULL && i < d->relation_count; i++) {
        const int count = crank_ex_symbols(p, d->function[i], NULL, 0);
        crank_ex *symbols = crank_store_take(w->store, (size_t)count, sizeof *symbols);
        if (symbols == NULL) {
            return true;
        }
        (void)crank_ex_symbols(p, d->function[i], symbols, count);
        for (int k = 0; k < count; k++) {
            const int u = crank_inline_unknown_of(w->in, symbols[k]);
            if (u >= 0 && f->next[u] < 0) {
                return true;
            }
        }
    }
    return false;
}

static crank_status make_programs(const crank_dae_fill *w, crank_model *model,
                                  crank_dae_programs *p, struct crank_dae_translated *f)
{
    const crank_inline *in = w->in;
    const size_t rows = (size_t)in->model_equations, n = (size_t)model->eom->n;
    const int conditions = w->file->initial_count;
    gradient g = {0};
    crank_ex *by_time = crank_store_take(w->store, rows + 1, sizeof *by_time);
    p->constraint = crank_store_take(w->store, rows, sizeof *p->constraint);
    f->next = crank_store_take(&model->store, n, sizeof *f->next);
    if (w->store->failed || model->store.failed) {
        return no_memory(w->err);
    }
    f->rows = p->constraints = (int)rows;
    for (int e = 0; e < in->model_equations; e++) {
        p->constraint[e] = in->equation[e].ex;
        if (!differentiate(w, &g, e, in->equation[e].ex, &by_time[e])) {
            return no_memory(w->err);
        }
    }
    for (int i = 0; i < conditions; i++) {
        if (!differentiate(w, &g, (int)rows + i, w->file->initial[i], &by_time[rows])) {
            return no_memory(w->err);
        }
    }
    for (int j = 0; j < (int)n; j++) {
        f->next[j] = j < in->unknown_count ? in->unknown[j].next : -1;
    }
    f->slopes_of_rest = depends_on_rest(w, f);
    p->change = crank_store_take(w->store, (size_t)g.count + rows, sizeof *p->change);
    if (p->change == NULL) {
        return no_memory(w->err);
    }
    memcpy(p->change + g.count, by_time, rows * sizeof *by_time);
    p->change_entries = g.count + (int)rows;
    p->autonomous = true;
    for (size_t e = 0; e < rows; e++) {
        p->autonomous = p->autonomous && crank_ex_is_value(w->flat->pool, by_time[e], 0.0);
    }
    return sort_entries(w, model, &g, f, p->change);
}

/* rows of F stand in the eom behind those of other kinds */
static crank_status set_pattern(const crank_dae_fill *w, crank_eom *eom,
                                const struct crank_dae_translated *f, crank_error *err)
{
    const int none[1] = {0};
    int *row = crank_store_take(w->store, (size_t)f->entries, sizeof *row);
    if (row == NULL) {
        return no_memory(err);
    }
    for (int q = 0; q < f->entries; q++) {
        row[q] = eom->row[CRANK_ROW_N] + f->row[q];
    }
    const crank_pattern J = {.rows = eom->m, .columns = eom->n, .start = f->start, .row = row};
    const crank_pattern M = {.rows = 0, .columns = 0, .start = none, .row = none};
    return crank_eom_set_patterns(eom, &J, &M, err);
}

crank_status crank_dae_supply_translated(const crank_dae_fill *w, crank_model *model,
                                         crank_dae_supplier **out, crank_error *err)
{
    crank_eom *eom = model->eom;
    crank_dae_programs p = {0};
    struct crank_dae_translated *f = crank_store_take(&model->store, 1, sizeof *f);
    crank_dae_supplier *s = NULL;
    crank_status status = f != NULL ? make_programs(w, model, &p, f) : no_memory(err);
    CRANK_THEN(status, crank_dae_supplier_create(w->file, &p, eom, f, &s, err));
    CRANK_THEN(status, set_pattern(w, eom, f, err));
    if (status != CRANK_OK) {
        return status;
    }
    eom->supplier.evaluate = evaluate;
    eom->supplier.jacobian = jacobian;
    eom->supplier.mass = crank_dae_mass;
    eom->supplier.archive = crank_dae_archive_discrete;
    *out = s;
    return CRANK_OK;
}
