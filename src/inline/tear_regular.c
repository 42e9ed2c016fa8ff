/* tear_regular.c - is the matrix of a linear system regular? Structure does not tell: that of a
 * friction that sticks or slides has entries that are there or not. So it is looked at for h = 0
 * and values of discrete variables drawn at random (of others, too, where it depends on them). */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/tear.h"

#include "base/grow.h"
#include "base/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a pivot of a matrix whose rows and columns have entries of size one */
static const double least_pivot = 1e-9;

typedef crank_tear_judged judged;

typedef crank_tear_component component;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "tearing a block");
}

/* from 0 to 1, the same every time */
static double draw(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 9007199254740992.0;
}

/* types of discrete variables tell the values each may have; others are of size one */
static double draw_value(const crank_inline *in, crank_ex symbol, uint64_t *seed)
{
    const double x = draw(seed);
    const int number = symbol < in->variable_of_size ? in->variable_of[symbol] : -1;
    const crank_flat_variable *v = number >= 0 ? &in->flat->variable[number / 2] : NULL;
    if (v != NULL && v->type == CRANK_FLAT_BOOLEAN) {
        return x < 0.5 ? 0.0 : 1.0;
    }
    if (v != NULL && v->type != CRANK_FLAT_REAL) {
        return floor(4.0 * x) - 1.0;
    }
    return x < 0.5 ? -1.5 + 2.0 * x : 2.0 * x - 0.5;
}

/* Made once for all blocks, whose number grows with the model as the size of the map does. */
static bool map_variables(crank_inline *in)
{
    if (in->variable_of == NULL) {
        in->variable_of_size = crank_pool_size(in->flat->pool);
        in->variable_of = crank_flat_map(in->flat);
    }
    return in->variable_of != NULL;
}

static int by_number(const void *a, const void *b)
{
    const crank_ex x = *(const crank_ex *)a, y = *(const crank_ex *)b;
    return x < y ? -1 : x > y;
}

/* symbols of all slopes, one after the other by their number in the pool; -1: out of memory */
static int find_inputs(crank_tear *w, crank_ex **inputs)
{
    crank_flat *flat = w->in->flat;
    const int entries = w->start[w->n];
    int all = 0, filled = 0, count = 0;
    for (int k = 0; k < entries; k++) {
        all += w->slope[k] >= 0 ? crank_ex_symbols(flat->pool, w->slope[k], NULL, 0) : 0;
    }
    crank_ex *list = crank_store_take(&flat->store, (size_t)all, sizeof *list);
    if (flat->store.failed) {
        return -1;
    }
    for (int k = 0; k < entries; k++) {
        filled += w->slope[k] >= 0
                      ? crank_ex_symbols(flat->pool, w->slope[k], list + filled, all - filled)
                      : 0;
    }
    qsort(list, (size_t)filled, sizeof *list, by_number);
    for (int i = 0; i < filled; i++) {
        if (i == 0 || list[i] != list[count - 1]) {
            list[count++] = list[i];
        }
    }
    *inputs = list;
    return count;
}

static crank_status evaluate_samples(crank_tear *w, const crank_ex *inputs, int count,
                                     const crank_ex *outputs)
{
    crank_flat *flat = w->in->flat;
    const int entries = w->start[w->n];
    crank_tape *tape = NULL;
    if (!map_variables(w->in)) {
        return no_memory(w->err);
    }
    crank_status status =
        crank_tape_create(flat->pool, count, inputs, entries, outputs, &tape, w->err);
    if (status != CRANK_OK) {
        return status;
    }
    double *in = calloc((size_t)count + 1, sizeof *in);
    double *work = calloc((size_t)crank_tape_work_size(tape, 1) + 1, sizeof *work);
    uint64_t seed = 1;
    if (in == NULL || work == NULL) {
        status = no_memory(w->err);
    }
    for (int s = 0; s < CRANK_TEAR_SAMPLES && status == CRANK_OK; s++) {
        for (int i = 0; i < count; i++) {
            in[i] = inputs[i] == w->in->h ? 0.0 : draw_value(w->in, inputs[i], &seed);
        }
        crank_tape_evaluate(tape, 1, in, count, w->sample + (size_t)s * (size_t)entries,
                            entries, work);
    }
    crank_tape_destroy(tape);
    free(in);
    free(work);
    return status;
}

static crank_status take_samples(crank_tear *w)
{
    crank_flat *flat = w->in->flat;
    const int entries = w->start[w->n];
    crank_ex *inputs = NULL;
    const int count = find_inputs(w, &inputs);
    crank_ex *outputs = crank_store_take(&flat->store, (size_t)entries, sizeof *outputs);
    w->sample =
        crank_store_take(&flat->store, (size_t)entries * CRANK_TEAR_SAMPLES, sizeof(double));
    if (count < 0 || flat->store.failed) {
        return no_memory(w->err);
    }
    for (int k = 0; k < entries; k++) {
        outputs[k] = w->slope[k] >= 0 ? w->slope[k] : crank_ex_number(flat->pool, 0.0);
    }
    return evaluate_samples(w, inputs, count, outputs);
}

/* rows, then columns, to a largest entry of one; false: one of zeros */
static bool scale(int n, double *a)
{
    for (int pass = 0; pass < 4; pass++) {
        const int step = pass % 2 == 0 ? n : 1, other = pass % 2 == 0 ? 1 : n;
        for (int i = 0; i < n; i++) {
            double most = 0.0;
            for (int j = 0; j < n; j++) {
                most = fmax(most, fabs(a[i * other + j * step]));
            }
            if (!(most > 0.0)) {
                return false;
            }
            for (int j = 0; j < n; j++) {
                a[i * other + j * step] /= most;
            }
        }
    }
    return true;
}

/* a: n x n, by columns; it is destroyed */
static bool is_regular(int n, double *a)
{
    if (!scale(n, a)) {
        return false;
    }
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(a[i + k * n]) > fabs(a[best + k * n]) ? i : best;
        }
        if (!(fabs(a[best + k * n]) > least_pivot)) {
            return false;
        }
        for (int j = k; j < n; j++) {
            const double swap = a[k + j * n];
            a[k + j * n] = a[best + j * n];
            a[best + j * n] = swap;
        }
        for (int j = k + 1; j < n; j++) {
            const double factor = a[k + j * n] / a[k + k * n];
            for (int i = k + 1; i < n && fabs(factor) > 0.0; i++) {
                a[i + j * n] -= factor * a[i + k * n];
            }
        }
    }
    return true;
}

/* -1: out of memory */
static int look_at_samples(crank_tear *w, const component *c)
{
    const int n = c->size, entries = w->start[w->n];
    double *a = calloc((size_t)n * (size_t)n + 1, sizeof *a);
    int *place = w->space; /* unknowns: number in the component */
    bool regular = true;
    if (a == NULL) {
        return -1;
    }
    for (int i = 0; i < n; i++) {
        place[c->unknown[i]] = i;
    }
    for (int s = 0; s < CRANK_TEAR_SAMPLES && regular; s++) {
        const double *value = w->sample + (size_t)s * (size_t)entries;
        bool finite = true;
        memset(a, 0, (size_t)n * (size_t)n * sizeof *a);
        for (int i = 0; i < n; i++) {
            const int e = c->equation[i];
            for (int k = w->start[e]; k < w->start[e + 1]; k++) {
                if (place[w->column[k]] >= 0) {
                    a[i + place[w->column[k]] * n] = value[k];
                    finite = finite && isfinite(value[k]);
                }
            }
        }
        regular = !finite || is_regular(n, a); /* where it is not defined, nothing is said */
    }
    for (int i = 0; i < n; i++) {
        place[c->unknown[i]] = -1;
    }
    free(a);
    return regular;
}

uint64_t crank_tear_key(const component *c)
{
    uint64_t key = (uint64_t)c->size;
    for (int i = 0; i < c->size; i++) { /* in any order */
        uint64_t pair = (uint64_t)c->unknown[i] * UINT64_C(0x9e3779b97f4a7c15) + 1;
        key += pair ^ (pair >> 29);
        pair = (uint64_t)c->equation[i] * UINT64_C(0xbf58476d1ce4e5b9) + 7;
        key += pair ^ (pair >> 31);
    }
    return key;
}

/* the same component is looked at once */
crank_status crank_tear_judge(crank_tear *w, const component *c, bool *regular)
{
    const uint64_t key = crank_tear_key(c);
    for (int i = 0; i < w->judged_count; i++) {
        if (w->judged[i].key == key) {
            *regular = w->judged[i].regular;
            return CRANK_OK;
        }
    }
    if (w->sample == NULL) {
        const crank_status status = take_samples(w);
        if (status != CRANK_OK) {
            return status;
        }
    }
    judged *more = crank_store_grow(&w->in->flat->store, w->judged, w->judged_count,
                                    &w->judged_capacity, sizeof *w->judged);
    const int found = look_at_samples(w, c);
    if (more == NULL || found < 0) {
        return no_memory(w->err);
    }
    w->judged = more;
    w->judged[w->judged_count++] = (judged){key, found != 0};
    *regular = found != 0;
    return CRANK_OK;
}
