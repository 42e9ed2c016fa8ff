/* equations_rows.c - the rows and columns of the eom of an equations file, in the order of
 * crank/eom.h.
 *
 * Here stated invariants are told apart: one that depends on velocities is a velocity invariant
 * e; one of positions alone with n_p Z = 0, such as a quaternion's norm, is a position
 * invariant n; anything else restricts the motion and belongs under `holonomic`. n_p Z v = 0 is
 * tested by its value at points near the start, relative to its terms: the expression need not
 * simplify to zero. Carried accelerations follow the user's auxiliary variables. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "model/equations/equations.h"

#include <math.h>
#include <string.h>

enum { TRIALS = 3 };                      /* points at which n_p Z v is evaluated */
static const double cancellation = 1e-10; /* left over of terms that cancel, relative */

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "rows of the equations of motion");
}

/* ---- invariants ---- */

/* n_p Z v = 0 at some points? terms: the factors n_p and Z v, count of each */
static crank_status vanishes(crank_equations *e, const crank_ex *terms, int count, bool *out,
                             crank_error *err)
{
    double *value = crank_store_take(e->store, 2 * (size_t)count, sizeof *value);
    if (value == NULL) {
        return no_memory(err);
    }
    *out = true;
    for (int trial = 1; trial <= TRIALS; trial++) {
        const crank_status status =
            crank_equations_sample(e, 2 * count, terms, trial, value, err);
        double sum = 0.0, size = 0.0;
        for (int k = 0; k < count; k++) {
            sum += value[k] * value[count + k];
            size += fabs(value[k] * value[count + k]);
        }
        if (status != CRANK_OK) {
            return status;
        }
        if (!(fabs(sum) <= cancellation * size)) {
            *out = false;
        }
    }
    return CRANK_OK;
}

static crank_status classify(crank_equations *e, const crank_hidden *hidden, crank_named *x,
                             crank_error *err)
{
    const size_t names = (size_t)e->name_count;
    crank_ex *symbols = crank_store_take(e->store, names, sizeof *symbols);
    if (symbols == NULL) {
        return no_memory(err);
    }
    const int found = crank_ex_symbols(e->pool, x->ex, symbols, e->name_count);
    crank_ex *terms = crank_store_take(e->store, 2 * (size_t)found, sizeof *terms);
    if (terms == NULL) {
        return no_memory(err);
    }
    bool position_only = true;
    for (int k = 0; k < found; k++) {
        const crank_name *name = &e->name[symbols[k]];
        if (name->kind == (int)CRANK_V) {
            x->velocity_level = true;
            return CRANK_OK;
        }
        position_only = position_only && name->kind == (int)CRANK_P;
    }
    bool invariant = position_only;
    if (position_only) {
        for (int k = 0; k < found; k++) {
            terms[k] = crank_ex_derivative(e->pool, x->ex, symbols[k]);
            terms[found + k] = hidden->pdot[e->name[symbols[k]].index];
        }
        const crank_status status = vanishes(e, terms, found, &invariant, err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    if (!invariant) {
        return crank_fail_at(
            err, CRANK_EMODEL, x->node->line, x->node->column,
            "invariant \"%.80s\": depends on no velocity and is not constant by "
            "itself; it is a constraint and belongs under \"holonomic\"",
            x->name);
    }
    return CRANK_OK;
}

/* ---- the empty eom ---- */

/* names of the unknowns of one group, and of constraints for the multipliers */
static const char **group_names(const crank_equations *e, crank_group group, bool carry)
{
    const int own = e->count[group];
    const int carried = carry && group == CRANK_W ? e->count[CRANK_V] : 0;
    const char **names =
        crank_store_take(e->store, (size_t)own + (size_t)carried, sizeof *names);
    for (int i = 0; names != NULL && i < own; i++) {
        names[i] = e->variable[group][i].label;
    }
    for (int i = 0; names != NULL && i < carried; i++) {
        names[own + i] = e->name[e->acceleration[i]].text;
    }
    return names;
}

static crank_status allocate(crank_equations *e, bool carry, crank_rows *rows, crank_error *err)
{
    crank_eom_sizes sizes = {.p = e->count[CRANK_P],
                             .v = e->count[CRANK_V],
                             .r = e->count[CRANK_R],
                             .w = e->count[CRANK_W] + (carry ? e->count[CRANK_V] : 0),
                             .s = e->count[CRANK_S],
                             .lambda = e->count[CRANK_LAMBDA],
                             .mu = e->count[CRANK_MU],
                             .initial = e->initial_count};
    const char **names[CRANK_GROUPS];
    const char *const *constant_names[CRANK_GROUPS];
    for (int g = 0; g < CRANK_GROUPS; g++) {
        names[g] = group_names(e, (crank_group)g, carry);
        constant_names[g] = names[g];
    }
    const char **invariants =
        crank_store_take(e->store, (size_t)e->invariant_count, sizeof *invariants);
    const char **conditions =
        crank_store_take(e->store, (size_t)e->initial_count, sizeof *conditions);
    if (e->store->failed) {
        return no_memory(err);
    }
    int count = 0;
    for (int level = 1; level >= 0; level--) { /* e, then n */
        for (int i = 0; i < e->invariant_count; i++) {
            if (e->invariant[i].velocity_level == (level == 1)) {
                invariants[count++] = e->invariant[i].name;
                sizes.e += level;
                sizes.n += 1 - level;
            }
        }
    }
    for (int i = 0; i < e->initial_count; i++) {
        conditions[i] = e->initial[i].name;
    }
    return crank_eom_allocate(&sizes, constant_names, invariants, conditions, &rows->eom, err);
}

/* ---- columns ---- */

static void fill_columns(const crank_equations *e, bool carry, crank_rows *rows)
{
    for (int g = 0; g < CRANK_GROUPS; g++) {
        int k = rows->eom->column[g];
        for (int i = 0; i < e->count[g]; i++, k++) {
            rows->column[k] = e->variable[g][i].symbol;
            rows->start[k] = e->variable[g][i].start;
            rows->fixing[k] = e->variable[g][i].fixing;
        }
        for (int i = 0; g == (int)CRANK_W && carry && i < e->count[CRANK_V]; i++, k++) {
            rows->column[k] = e->acceleration[i];
            rows->start[k] = 0.0;
            rows->fixing[k] = CRANK_FREE;
            rows->eom->carried[k] = true;
        }
    }
}

/* ---- rows ---- */

static void put_equations(const crank_equations *e, crank_group group, crank_ex *row)
{
    for (int i = 0; i < e->count[group]; i++) {
        row[i] = e->variable[group][i].equation;
    }
}

static void put(const crank_ex *ex, int count, crank_ex *row)
{
    if (count > 0) {
        memcpy(row, ex, (size_t)count * sizeof *row);
    }
}

static void put_invariants(const crank_equations *e, bool velocity_level, crank_ex *row)
{
    for (int i = 0, k = 0; i < e->invariant_count; i++) {
        if (e->invariant[i].velocity_level == velocity_level) {
            row[k++] = e->invariant[i].ex;
        }
    }
}

/* M a - f~, one row per velocity */
static void put_balance(const crank_equations *e, const crank_hidden *hidden, crank_ex *row)
{
    for (int i = 0; i < e->count[CRANK_V]; i++) {
        row[i] = crank_ex_neg(e->pool, hidden->force[i]);
    }
    for (int k = 0; k < e->mass.count; k++) {
        const crank_entry *m = &e->mass.entry[k];
        const crank_ex term = crank_ex_mul(e->pool, m->ex, e->acceleration[m->column]);
        row[m->row] = crank_ex_add(e->pool, row[m->row], term);
    }
}

static void fill_rows(const crank_equations *e, const crank_hidden *hidden, crank_rows *rows)
{
    const int *first = rows->eom->row;
    crank_ex *row = rows->row;
    const int nl = e->count[CRANK_LAMBDA], nm = e->count[CRANK_MU], nv = e->count[CRANK_V];
    put_equations(e, CRANK_W, row + first[CRANK_ROW_D]);
    if (hidden->carry) {
        put_balance(e, hidden, row + first[CRANK_ROW_D] + e->count[CRANK_W]);
    }
    put(hidden->gII, nl, row + first[CRANK_ROW_GII]);
    put(hidden->hI, nm, row + first[CRANK_ROW_HI]);
    put(hidden->gI, nl, row + first[CRANK_ROW_GI]);
    put_equations(e, CRANK_MU, row + first[CRANK_ROW_H]);
    put_invariants(e, true, row + first[CRANK_ROW_E]);
    put_equations(e, CRANK_S, row + first[CRANK_ROW_C]);
    put_equations(e, CRANK_LAMBDA, row + first[CRANK_ROW_G]);
    put_invariants(e, false, row + first[CRANK_ROW_N]);
    put_equations(e, CRANK_R, row + first[CRANK_ROW_B]);
    put(hidden->carry ? hidden->vdot : hidden->force, nv, row + first[CRANK_ROW_DYN]);
    rows->acceleration = hidden->carry ? NULL : hidden->vdot;
    put(hidden->pdot, e->count[CRANK_P], row + first[CRANK_ROW_KIN]);
}

/* accelerations are unknowns if carried, else their expressions; symbols, values: work */
static crank_ex with_accelerations(const crank_equations *e, const crank_hidden *hidden,
                                   crank_ex ex, crank_ex *symbols, crank_ex *values)
{
    const int found = crank_ex_symbols(e->pool, ex, symbols, e->name_count);
    int count = 0;
    for (int k = 0; k < found; k++) {
        const crank_name *name = &e->name[symbols[k]];
        if (name->kind == CRANK_NAME_ACCELERATION) {
            symbols[count] = symbols[k];
            values[count++] = hidden->vdot[name->index];
        }
    }
    return count > 0 ? crank_ex_substitute(e->pool, ex, count, symbols, values) : ex;
}

static crank_status fill_outputs(crank_equations *e, const crank_hidden *hidden,
                                 crank_rows *rows, crank_error *err)
{
    const size_t names = (size_t)e->name_count;
    crank_ex *symbols = crank_store_take(e->store, names, sizeof *symbols);
    crank_ex *values = crank_store_take(e->store, names, sizeof *values);
    if (symbols == NULL || values == NULL) {
        return no_memory(err);
    }
    for (int i = 0; i < e->initial_count; i++) {
        rows->condition[i] = with_accelerations(e, hidden, e->initial[i].ex, symbols, values);
    }
    for (int i = 0; i < e->output_count; i++) {
        rows->output[i] = with_accelerations(e, hidden, e->output[i].ex, symbols, values);
    }
    return CRANK_OK;
}

/* M, or of carried accelerations the unit matrix; and symbols for v' */
static crank_status fill_mass(crank_equations *e, bool carry, crank_rows *rows,
                              crank_error *err)
{
    const int nv = e->count[CRANK_V];
    rows->mass = e->mass;
    rows->vdot = crank_store_take(e->store, (size_t)nv, sizeof *rows->vdot);
    if (carry) {
        rows->mass.count = nv;
        rows->mass.entry = crank_store_take(e->store, (size_t)nv, sizeof *rows->mass.entry);
    }
    if (e->store->failed) {
        return no_memory(err);
    }
    for (int i = 0; i < nv; i++) {
        /* no name of a file contains a parenthesis */
        const char *name =
            crank_store_print(e->store, "rate(%s)", e->variable[CRANK_V][i].name);
        if (name == NULL) {
            return no_memory(err);
        }
        rows->vdot[i] = crank_ex_symbol(e->pool, name);
        if (carry) {
            rows->mass.entry[i] = (crank_entry){i, i, crank_ex_number(e->pool, 1.0)};
        }
    }
    return CRANK_OK;
}

crank_status crank_equations_rows(crank_equations *e, const crank_hidden *hidden,
                                  crank_rows *rows, crank_error *err)
{
    crank_status status = CRANK_OK;
    *rows = (crank_rows){0};
    for (int i = 0; i < e->invariant_count && status == CRANK_OK; i++) {
        status = classify(e, hidden, &e->invariant[i], err);
    }
    CRANK_THEN(status, allocate(e, hidden->carry, rows, err));
    if (status != CRANK_OK) {
        return status;
    }
    const size_t n = (size_t)rows->eom->n, m = (size_t)rows->eom->m;
    rows->column = crank_store_take(e->store, n, sizeof *rows->column);
    rows->start = crank_store_take(e->store, n, sizeof *rows->start);
    rows->fixing = crank_store_take(e->store, n, sizeof *rows->fixing);
    rows->row = crank_store_take(e->store, m, sizeof *rows->row);
    rows->condition =
        crank_store_take(e->store, (size_t)e->initial_count, sizeof *rows->condition);
    rows->output = crank_store_take(e->store, (size_t)e->output_count, sizeof *rows->output);
    if (e->store->failed) {
        return no_memory(err);
    }
    fill_columns(e, hidden->carry, rows);
    fill_rows(e, hidden, rows);
    status = fill_mass(e, hidden->carry, rows, err);
    CRANK_THEN(status, fill_outputs(e, hidden, rows, err));
    return status == CRANK_OK && crank_pool_status(e->pool) != CRANK_OK ? no_memory(err)
                                                                        : status;
}
