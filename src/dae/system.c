/* system.c - evaluation of f(z, t), its Jacobian and the size of its terms on one tape; row
 * scales. */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae/system.h"
#include "base/then.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers among the expressions are put into out once; the tape computes the others. */
static crank_status list_varying(const crank_pool *pool, int count, const crank_ex *ex,
                                 crank_dae_functions *f, crank_ex *varying, crank_error *err)
{
    f->target = calloc((size_t)count + 1, sizeof *f->target);
    f->out = calloc((size_t)count + 1, sizeof *f->out);
    if (f->target == NULL || f->out == NULL) {
        return crank_fail(err, CRANK_EMEM, "evaluation of %d expressions", count);
    }
    f->constants_finite = true;
    for (int i = 0; i < count; i++) {
        if (!crank_ex_is_number(pool, ex[i], &f->out[i])) {
            varying[f->varying] = ex[i];
            f->target[f->varying++] = i;
        } else {
            f->constants_finite = f->constants_finite && isfinite(f->out[i]);
        }
    }
    return CRANK_OK;
}

crank_status crank_dae_functions_create(crank_pool *pool, int columns, const crank_ex *z,
                                        crank_ex t, int count, const crank_ex *ex,
                                        crank_dae_functions *functions, crank_error *err)
{
    const size_t inputs = (size_t)columns + 1;
    *functions = (crank_dae_functions){.columns = columns, .count = count};
    crank_ex *symbol = malloc((inputs + (size_t)count) * sizeof *symbol);
    if (symbol == NULL) {
        return crank_fail(err, CRANK_EMEM, "evaluation of %d expressions", count);
    }
    memcpy(symbol, z, (size_t)columns * sizeof *symbol);
    symbol[columns] = t;
    crank_ex *varying = symbol + inputs;
    crank_status status = crank_pool_status(pool);
    if (status == CRANK_OK) {
        status = list_varying(pool, count, ex, functions, varying, err);
    } else {
        (void)crank_fail(err, status, "%d expressions", count);
    }
    CRANK_THEN(status, crank_tape_create(pool, columns + 1, symbol, functions->varying, varying,
                                         &functions->tape, err));
    free(symbol);
    if (status != CRANK_OK) {
        return status;
    }
    functions->in = calloc(inputs, sizeof *functions->in);
    functions->values = calloc((size_t)functions->varying + 1, sizeof *functions->values);
    functions->work =
        calloc((size_t)crank_tape_work_size(functions->tape, 1) + 1, sizeof *functions->work);
    if (functions->in == NULL || functions->values == NULL || functions->work == NULL) {
        return crank_fail(err, CRANK_EMEM, "evaluation of %d expressions", count);
    }
    return CRANK_OK;
}

void crank_dae_functions_destroy(crank_dae_functions *functions)
{
    crank_tape_destroy(functions->tape);
    free(functions->target);
    free(functions->in);
    free(functions->values);
    free(functions->out);
    free(functions->work);
    *functions = (crank_dae_functions){0};
}

bool crank_dae_functions_evaluate(crank_dae_functions *functions, const double *z, double t)
{
    bool finite = functions->constants_finite;
    memcpy(functions->in, z, (size_t)functions->columns * sizeof *functions->in);
    functions->in[functions->columns] = t;
    crank_tape_evaluate(functions->tape, 1, functions->in, functions->columns + 1,
                        functions->values, functions->varying, functions->work);
    for (int i = 0; i < functions->varying; i++) {
        functions->out[functions->target[i]] = functions->values[i];
        finite = finite && isfinite(functions->values[i]);
    }
    return finite;
}

/* Outputs: f, magnitudes, derivatives that are not zero. */
static crank_status derive(crank_pool *pool, int columns, const crank_ex *z, const crank_ex *f,
                           crank_dae_system *s, crank_ex *output, crank_error *err)
{
    const size_t rows = (size_t)s->rows;
    crank_ex *gradient = crank_store_take(&s->store, (size_t)columns, sizeof *gradient);
    if (gradient == NULL) {
        return crank_fail(err, CRANK_EMEM, "derivatives of %d expressions", s->rows);
    }
    memcpy(output, f, rows * sizeof *output);
    const crank_status status = crank_dae_magnitude(pool, s->rows, f, output + rows, err);
    s->entry_count = 0;
    s->linear = true;
    for (int i = 0; i < s->rows && status == CRANK_OK; i++) {
        crank_ex_gradient(pool, f[i], columns, z, gradient);
        for (int j = 0; j < columns; j++) {
            if (!crank_ex_is_value(pool, gradient[j], 0.0)) {
                s->linear = s->linear && crank_ex_is_number(pool, gradient[j], NULL);
                output[2 * rows + (size_t)s->entry_count] = gradient[j];
                s->row[s->entry_count] = i;
                s->column[s->entry_count++] = j;
            }
        }
    }
    return status;
}

crank_status crank_dae_system_create(crank_pool *pool, int columns, const crank_ex *z,
                                     crank_ex t, const double *unit, int rows,
                                     const crank_ex *f, crank_dae_system *system,
                                     crank_error *err)
{
    const size_t entries = (size_t)rows * (size_t)columns;
    *system = (crank_dae_system){.rows = rows, .columns = columns, .unit = unit};
    crank_store *store = &system->store;
    crank_ex *output = crank_store_take(store, entries + 2 * (size_t)rows, sizeof *output);
    system->row = crank_store_take(store, entries, sizeof *system->row);
    system->column = crank_store_take(store, entries, sizeof *system->column);
    system->f = crank_store_take(store, (size_t)rows, sizeof *system->f);
    system->magnitude = crank_store_take(store, (size_t)rows, sizeof *system->magnitude);
    system->scale = crank_store_take(store, (size_t)rows, sizeof *system->scale);
    system->J = crank_store_take(store, entries, sizeof *system->J);
    if (store->failed) {
        return crank_fail(err, CRANK_EMEM, "derivatives of %d expressions", rows);
    }
    const crank_status status = derive(pool, columns, z, f, system, output, err);
    return status != CRANK_OK
               ? status
               : crank_dae_functions_create(pool, columns, z, t, 2 * rows + system->entry_count,
                                            output, &system->functions, err);
}

void crank_dae_system_destroy(crank_dae_system *system)
{
    crank_dae_functions_destroy(&system->functions);
    crank_store_free(&system->store);
    *system = (crank_dae_system){0};
}

bool crank_dae_system_evaluate(crank_dae_system *system, const double *z, double t)
{
    const size_t rows = (size_t)system->rows;
    const bool finite = crank_dae_functions_evaluate(&system->functions, z, t);
    const double *out = system->functions.out;
    memcpy(system->f, out, rows * sizeof *out);
    memcpy(system->magnitude, out + rows, rows * sizeof *out);
    for (int q = 0; q < system->entry_count; q++) {
        system->J[(size_t)system->row[q] + (size_t)system->column[q] * rows] =
            out[2 * rows + (size_t)q];
    }
    return finite;
}

static double gradient_size(const crank_dae_system *s, int i)
{
    double sum = 0.0;
    for (int j = 0; j < s->columns; j++) {
        const double entry = s->J[(size_t)i + (size_t)j * (size_t)s->rows] * s->unit[j];
        sum += entry * entry;
    }
    return sqrt(sum);
}

double crank_dae_system_size(const crank_dae_system *system, int i)
{
    return system->magnitude[i] + gradient_size(system, i);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

double crank_dae_typical(double *values, int count)
{
    int kept = 0;
    for (int q = 0; q < count; q++) {
        if (isfinite(values[q]) && values[q] > 0.0) {
            values[kept++] = values[q];
        }
    }
    qsort(values, (size_t)kept, sizeof *values, by_value);
    return kept > 0 ? values[kept / 2] : 0.0;
}

crank_status crank_dae_system_scale(crank_dae_system *system, const crank_dae_points *points,
                                    crank_error *err)
{
    enum { SEEN = 2 * CRANK_DAE_POINTS };
    const size_t rows = (size_t)system->rows;
    double *size = malloc((2 * SEEN * rows + 1) * sizeof *size);
    int count = 0;
    if (size == NULL) {
        return crank_fail(err, CRANK_EMEM, "scales of %d rows", system->rows);
    }
    double *magnitude = size + SEEN * rows;
    for (int q = 0; q < SEEN; q++) {
        const int p = q % CRANK_DAE_POINTS;
        const double *z =
            q < CRANK_DAE_POINTS ? crank_dae_cloud(points, p) : crank_dae_point(points, p);
        if (points->used[p] && crank_dae_system_evaluate(system, z, points->t[p])) {
            for (size_t i = 0; i < rows; i++) {
                size[i * SEEN + (size_t)count] = gradient_size(system, (int)i);
                magnitude[i * SEEN + (size_t)count] = system->magnitude[i];
            }
            count++;
        }
    }
    for (size_t i = 0; i < rows; i++) {
        const double gradient = crank_dae_typical(size + i * SEEN, count);
        const double terms = crank_dae_typical(magnitude + i * SEEN, count);
        /* a gradient of rounding errors is none */
        system->scale[i] = gradient > 1e-12 * terms && gradient > 0.0 ? gradient
                           : terms > 0.0                              ? terms
                                                                      : 1.0;
    }
    free(size);
    return CRANK_OK;
}

double crank_dae_shake(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    const double u = (double)(*state >> 8) / 16777216.0;
    return u < 0.5 ? -0.25 - 1.5 * u : 1.5 * u - 0.5;
}
