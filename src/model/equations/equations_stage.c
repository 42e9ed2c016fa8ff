/* equations_stage.c - what a stage of an explicit method needs of an equations file, theory
 * (9.1)-(9.3): the rows d, gII, hI, gI, h, then c, g, then b, f_dyn, f_kin, and behind them
 * their derivatives by w, lambda, mu, s (eom/stage.h).
 *
 * Auxiliary equations that say their unknown explicitly, 0 = c w - f(p, v, t, ...), are put
 * into all other rows. What remains is as a rule linear in the unknowns, and w has columns with
 * a single constant. Accelerations that are known as expressions stand in place of f_dyn, so
 * that M need not be inverted a second time. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/stage.h"
#include "model/equations/equations.h"

#include <stdlib.h>
#include <string.h>

typedef struct making {
    crank_equations *e;
    const crank_rows *rows;
    int row_count; /* expressions before the derivatives */
    crank_ex *ex;
    int *row;            /* row_count: place in k */
    crank_ex *symbols;   /* room for all names */
    int *unknown;        /* by symbol: algebraic unknown, -1 */
    int explicit_count;  /* auxiliary unknowns put into other rows */
    crank_ex *of, *term; /* their symbols, and what they are */
    bool *resolved;      /* by auxiliary unknown */
} making;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "derivatives of the equations");
}

/* ---- explicit auxiliary equations ---- */

/* w_i = *term if row i says so */
static bool is_explicit(const making *m, int i, crank_ex *term)
{
    crank_pool *pool = m->e->pool;
    const crank_ex row = m->rows->row[i], w = m->rows->column[i],
                   zero = crank_ex_number(pool, 0.0);
    double factor = 0.0;
    if (!crank_ex_is_number(pool, crank_ex_derivative(pool, row, w), &factor) ||
        factor == 0.0) {
        return false;
    }
    const crank_ex rest = crank_ex_substitute(pool, row, 1, &w, &zero);
    *term = crank_ex_mul(pool, crank_ex_number(pool, -1.0 / factor), rest);
    return true;
}

/* all explicit auxiliary unknowns in term are resolved */
static bool is_ready(const making *m, crank_ex term, const crank_ex *candidate)
{
    const int count = crank_ex_symbols(m->e->pool, term, m->symbols, m->e->name_count);
    for (int k = 0; k < count; k++) {
        const int j = m->symbols[k] < m->e->name_count ? m->unknown[m->symbols[k]] : -1;
        if (j >= 0 && j < m->e->count[CRANK_W] && candidate[j] >= 0 && !m->resolved[j]) {
            return false;
        }
    }
    return true;
}

/* Those that others of them do not depend on in a circle, each free of the others. */
static void resolve(making *m, crank_ex *candidate)
{
    const int count = m->e->count[CRANK_W];
    for (int i = 0; i < count; i++) {
        crank_ex term = -1;
        candidate[i] = is_explicit(m, i, &term) ? term : -1;
    }
    for (bool progress = true; progress;) {
        progress = false;
        for (int i = 0; i < count; i++) {
            if (candidate[i] < 0 || m->resolved[i] || !is_ready(m, candidate[i], candidate)) {
                continue;
            }
            m->term[m->explicit_count] = crank_ex_substitute(m->e->pool, candidate[i],
                                                             m->explicit_count, m->of, m->term);
            m->of[m->explicit_count++] = m->rows->column[i];
            m->resolved[i] = progress = true;
        }
    }
}

static void substitute(making *m)
{
    crank_pool *pool = m->e->pool;
    for (int i = 0; i < m->row_count; i++) {
        if (m->row[i] >= m->e->count[CRANK_W] || !m->resolved[m->row[i]]) {
            m->ex[i] = crank_ex_substitute(pool, m->ex[i], m->explicit_count, m->of, m->term);
        }
    }
    for (int k = 0; k < m->explicit_count; k++) { /* 0 = w - term */
        m->ex[m->unknown[m->of[k]]] = crank_ex_sub(pool, m->of[k], m->term[k]);
    }
}

/* ---- rows ---- */

static void copy_rows(making *m, int first, int end, const crank_ex *ex)
{
    for (int i = first; i < end; i++) {
        m->row[m->row_count] = i;
        m->ex[m->row_count++] = ex[i - first];
    }
}

static void list_rows(making *m)
{
    const crank_rows *rows = m->rows;
    const int *row = rows->eom->row;
    copy_rows(m, 0, row[CRANK_ROW_E], rows->row);
    copy_rows(m, row[CRANK_ROW_C], row[CRANK_ROW_N], rows->row + row[CRANK_ROW_C]);
    copy_rows(m, row[CRANK_ROW_B], row[CRANK_ROW_DYN], rows->row + row[CRANK_ROW_B]);
    copy_rows(m, row[CRANK_ROW_DYN], row[CRANK_ROW_KIN],
              rows->acceleration != NULL ? rows->acceleration : rows->row + row[CRANK_ROW_DYN]);
    copy_rows(m, row[CRANK_ROW_KIN], rows->eom->m, rows->row + row[CRANK_ROW_KIN]);
}

/* ---- derivatives ---- */

/* the algebraic unknowns of expression i, in m->symbols */
static int find_unknowns(const making *m, crank_ex ex)
{
    const int found = crank_ex_symbols(m->e->pool, ex, m->symbols, m->e->name_count);
    int count = 0;
    for (int k = 0; k < found; k++) {
        if (m->symbols[k] < m->e->name_count && m->unknown[m->symbols[k]] >= 0) {
            m->symbols[count++] = m->symbols[k];
        }
    }
    return count;
}

typedef struct derivative {
    int unknown, row;
    crank_ex ex;
} derivative;

/* all that are not zero; out NULL: at most so many */
static int differentiate(const making *m, derivative *out)
{
    int count = 0;
    for (int i = 0; i < m->row_count; i++) {
        if (!crank_stage_has_row(m->rows->eom, m->row[i])) {
            continue;
        }
        const int found = find_unknowns(m, m->ex[i]);
        for (int k = 0; k < found && out != NULL; k++) {
            const crank_ex ex = crank_ex_derivative(m->e->pool, m->ex[i], m->symbols[k]);
            if (!crank_ex_is_value(m->e->pool, ex, 0.0)) {
                out[count++] = (derivative){m->unknown[m->symbols[k]], m->row[i], ex};
            }
        }
        count += out == NULL ? found : 0;
    }
    return count;
}

/* by unknowns; rows stay in order */
static crank_status sort_entries(const making *m, const derivative *list, int count,
                                 crank_derivatives *out, crank_error *err)
{
    const crank_eom *eom = m->rows->eom;
    crank_stage_entries *entries = &out->stage_entries;
    const int unknowns = eom->column[CRANK_R] + eom->sizes.s;
    *entries = (crank_stage_entries){.unknowns = unknowns, .count = count};
    entries->start = crank_store_take(m->e->store, (size_t)unknowns + 2, sizeof(int));
    entries->row = crank_store_take(m->e->store, (size_t)count + 1, sizeof(int));
    entries->entry = crank_store_take(m->e->store, (size_t)count + 1, sizeof(int));
    out->stage_constant = crank_store_take(m->e->store, (size_t)count + 1, sizeof(bool));
    if (m->e->store->failed) {
        return no_memory(err);
    }
    for (int e = 0; e < count; e++) {
        entries->start[list[e].unknown + 2]++;
    }
    for (int i = 0; i < unknowns; i++) {
        entries->start[i + 2] += entries->start[i + 1];
    }
    for (int e = 0; e < count; e++) {
        const int at = entries->start[list[e].unknown + 1]++;
        double value = 0.0;
        entries->row[at] = list[e].row;
        out->stage_ex[m->row_count + at] = list[e].ex;
        out->stage_constant[at] = crank_ex_is_number(m->e->pool, list[e].ex, &value);
    }
    return CRANK_OK;
}

/* ---- the whole ---- */

static bool has_constant_kinematics(const crank_equations *e)
{
    bool constant = true;
    for (int k = 0; k < e->kinematics.count && constant; k++) {
        double value = 0.0;
        constant = crank_ex_is_number(e->pool, e->kinematics.entry[k].ex, &value);
    }
    return constant;
}

static bool allocate(making *m, crank_ex **candidate)
{
    crank_store *store = m->e->store;
    const size_t rows = (size_t)m->rows->eom->m + 1, names = (size_t)m->e->name_count + 1,
                 own = (size_t)m->e->count[CRANK_W] + 1;
    m->ex = crank_store_take(store, rows, sizeof *m->ex);
    m->row = crank_store_take(store, rows, sizeof *m->row);
    m->symbols = crank_store_take(store, names + rows, sizeof *m->symbols);
    m->unknown = crank_store_take(store, names, sizeof *m->unknown);
    m->of = crank_store_take(store, own, sizeof *m->of);
    m->term = crank_store_take(store, own, sizeof *m->term);
    m->resolved = crank_store_take(store, own, sizeof *m->resolved);
    *candidate = crank_store_take(store, own, sizeof **candidate);
    return !store->failed;
}

crank_status crank_equations_stage(crank_equations *e, const crank_rows *rows,
                                   crank_derivatives *out, crank_error *err)
{
    crank_eom *eom = rows->eom;
    making m = {.e = e, .rows = rows};
    crank_ex *candidate = NULL;
    if (!allocate(&m, &candidate)) {
        return no_memory(err);
    }
    for (int k = 0; k < e->name_count; k++) {
        m.unknown[k] = -1;
    }
    for (int i = 0; i < eom->column[CRANK_R] + eom->sizes.s; i++) {
        m.unknown[rows->column[crank_stage_column(eom, i)]] = i;
    }
    list_rows(&m);
    resolve(&m, candidate);
    substitute(&m);
    derivative *list = calloc((size_t)differentiate(&m, NULL) + 1, sizeof *list);
    const int count = list != NULL ? differentiate(&m, list) : 0;
    out->stage_count = m.row_count + count;
    out->stage_ex = crank_store_take(e->store, (size_t)out->stage_count, sizeof(crank_ex));
    crank_status status = list == NULL || e->store->failed ? no_memory(err) : CRANK_OK;
    if (status == CRANK_OK) {
        memcpy(out->stage_ex, m.ex, (size_t)m.row_count * sizeof(crank_ex));
        status = sort_entries(&m, list, count, out, err);
    }
    out->stage_linear = eom->sizes.s == 0;
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        out->stage_linear = out->stage_linear && find_unknowns(&m, list[i].ex) == 0;
    }
    free(list);
    eom->kinematics_constant = has_constant_kinematics(e);
    eom->stage_accelerations = rows->acceleration != NULL;
    return status == CRANK_OK && crank_pool_status(e->pool) != CRANK_OK ? no_memory(err)
                                                                        : status;
}
