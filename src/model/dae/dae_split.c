/* dae_split.c - E and k of (10.1) out of equations that are linear in the derivatives.
 *
 *     F(x', x, t) = left - right:     E = F_x',     k = -F(0, x, t)
 *
 * F is linear if E does not depend on x' and F = E x' - k: the first is seen in the
 * expressions; the second, where they do not cancel by themselves, is tried at the start values
 * with some x' (jumps such as sign(x') have no derivative that would tell). */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae/system.h"
#include "model/dae/dae.h"

#include <math.h>

static const double agree = 1e-9;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "equations");
}

static crank_status fail_linear(const crank_dae_file *file, int i, const char *rate,
                                crank_error *err)
{
    char object[CRANK_OBJECT_TEXT];
    return crank_fail_node(err, CRANK_EMODEL, file->equation[i].node,
                           "%s: not linear in the derivative %.80s; introduce a variable for "
                           "it, \"z = %.80s\", and "
                           "write z in its place",
                           crank_dae_object(file, i, object), rate, rate);
}

static crank_status fail_undefined(const crank_dae_file *file, int i, crank_error *err)
{
    char object[CRANK_OBJECT_TEXT];
    return crank_fail_node(err, CRANK_ENOTFINITE, file->equation[i].node,
                           "%s: not finite at the start values; start where it is defined",
                           crank_dae_object(file, i, object));
}

/* the variable whose derivative the symbol is, -1: it is none */
static int rate_of(const crank_equations *e, crank_ex symbol)
{
    return symbol < e->name_count && e->name[symbol].declared &&
                   e->name[symbol].kind == CRANK_NAME_ACCELERATION
               ? e->name[symbol].index
               : -1;
}

/* row i of E, k; *rest: F + k - E x', which must be zero; symbols: room for all */
static crank_status split(crank_dae_file *file, int i, crank_ex *symbols, crank_ex *inner,
                          crank_ex *zero, crank_ex *rest, crank_error *err)
{
    crank_equations *e = &file->e;
    crank_pool *pool = e->pool;
    const int capacity = e->name_count;
    const crank_ex ex = file->equation[i].ex, none = crank_ex_number(pool, 0.0);
    crank_ex *row = file->E + (size_t)i * (size_t)e->count[CRANK_P];
    const int count = crank_ex_symbols(pool, ex, symbols, capacity);
    int rates = 0;
    for (int s = 0; s < count; s++) {
        if (rate_of(e, symbols[s]) >= 0) {
            zero[rates] = none;
            symbols[rates++] = symbols[s];
        }
    }
    file->k[i] = crank_ex_neg(pool, crank_ex_substitute(pool, ex, rates, symbols, zero));
    *rest = crank_ex_add(pool, ex, file->k[i]);
    for (int s = 0; s < rates; s++) {
        const int j = rate_of(e, symbols[s]);
        row[j] = crank_ex_derivative(pool, ex, symbols[s]);
        const int found = crank_ex_symbols(pool, row[j], inner, capacity);
        for (int q = 0; q < found; q++) {
            if (rate_of(e, inner[q]) >= 0) {
                return fail_linear(file, i, crank_ex_symbol_name(pool, inner[q]), err);
            }
        }
        if (crank_ex_is_value(pool, row[j], 0.0)) { /* it is there, as in sign(x') */
            return fail_linear(file, i, crank_ex_symbol_name(pool, symbols[s]), err);
        }
        *rest = crank_ex_sub(pool, *rest, crank_ex_mul(pool, row[j], symbols[s]));
    }
    return crank_pool_status(pool) == CRANK_OK ? CRANK_OK : no_memory(err);
}

/* the name of a derivative in an equation */
static const char *some_rate(const crank_dae_file *file, int i)
{
    const crank_equations *e = &file->e;
    for (int j = 0; j < e->count[CRANK_P]; j++) {
        if (crank_ex_depends(e->pool, file->equation[i].ex, e->acceleration[j])) {
            return crank_ex_symbol_name(e->pool, e->acceleration[j]);
        }
    }
    return "x'";
}

/* is rest[i] zero at the start values, for some x'? */
static crank_status try_values(crank_dae_file *file, const crank_ex *rest, crank_error *err)
{
    crank_equations *e = &file->e;
    const int n = e->count[CRANK_P], m = file->equation_count;
    crank_ex *z = crank_store_take(e->store, 2 * (size_t)n, sizeof *z);
    double *values = crank_store_take(e->store, 2 * (size_t)n, sizeof *values);
    crank_ex *ex = crank_store_take(e->store, 3 * (size_t)m, sizeof *ex);
    unsigned state = 1;
    if (e->store->failed) {
        return no_memory(err);
    }
    for (int j = 0; j < n; j++) {
        z[j] = file->variable[j];
        z[n + j] = e->acceleration[j];
        values[j] = file->start[j];
        values[n + j] = crank_dae_shake(&state);
    }
    for (int i = 0; i < m; i++) {
        ex[i] = rest[i];
        ex[m + i] = file->equation[i].ex;
        ex[2 * m + i] = file->k[i];
    }
    crank_dae_functions f;
    crank_status status =
        crank_dae_functions_create(e->pool, 2 * n, z, e->t, 3 * m, ex, &f, err);
    if (status == CRANK_OK) {
        (void)crank_dae_functions_evaluate(&f, values, e->simulate.t_start);
    }
    for (int i = 0; i < m && status == CRANK_OK; i++) {
        const double size = 1.0 + fabs(f.out[m + i]);
        if (isfinite(f.out[i]) && isfinite(size) && fabs(f.out[i]) > agree * size) {
            status = fail_linear(file, i, some_rate(file, i), err);
        } else if (!isfinite(f.out[2 * m + i])) {
            status = fail_undefined(file, i, err);
        }
    }
    crank_dae_functions_destroy(&f);
    return status;
}

crank_status crank_dae_split_equations(crank_dae_file *file, crank_error *err)
{
    crank_equations *e = &file->e;
    const size_t n = (size_t)e->count[CRANK_P], m = (size_t)file->equation_count,
                 names = (size_t)e->name_count;
    crank_ex *symbols = crank_store_take(e->store, 3 * names, sizeof *symbols);
    crank_ex *rest = crank_store_take(e->store, m, sizeof *rest);
    file->E = crank_store_take(e->store, m * n, sizeof *file->E);
    file->k = crank_store_take(e->store, m, sizeof *file->k);
    file->equation_name = crank_store_take(e->store, m, sizeof *file->equation_name);
    if (e->store->failed) {
        return no_memory(err);
    }
    const crank_ex none = crank_ex_number(e->pool, 0.0);
    for (size_t i = 0; i < m * n; i++) {
        file->E[i] = none;
    }
    crank_status status = CRANK_OK;
    for (int i = 0; i < file->equation_count && status == CRANK_OK; i++) {
        const crank_dae_equation *q = &file->equation[i];
        file->equation_name[i] =
            q->prescribed >= 0 ? crank_store_print(e->store, "prescribe %s",
                                                   e->variable[CRANK_P][q->prescribed].name)
                               : q->name;
        status = split(file, i, symbols, symbols + names, symbols + 2 * names, &rest[i], err);
    }
    if (status == CRANK_OK && e->store->failed) {
        return no_memory(err);
    }
    return status == CRANK_OK ? try_values(file, rest, err) : status;
}
