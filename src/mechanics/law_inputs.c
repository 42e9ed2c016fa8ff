/* law_inputs.c - the symbols of a set of expressions and their values at a point; plain sets of
 * expressions (crank_expressions); the working memory that laws share. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/law_inside.h"

#include <stdlib.h>

/* ---- working memory ---- */

crank_law_work *crank_law_work_create(void)
{
    crank_law_work *work = calloc(1, sizeof *work);
    if (work != NULL) {
        work->references = 1;
    }
    return work;
}

bool crank_law_work_reserve(crank_law_work *work, size_t size)
{
    if (size <= work->size) {
        return true;
    }
    double *data = realloc(work->data, size * sizeof *data);
    if (data == NULL) {
        return false;
    }
    work->data = data;
    work->size = size;
    return true;
}

void crank_law_work_release(crank_law_work *work)
{
    if (work != NULL && --work->references == 0) {
        free(work->data);
        free(work);
    }
}

/* ---- inputs ---- */

int crank_law_compare(const void *a, const void *b)
{
    const int x = *(const int *)a;
    const int y = *(const int *)b;
    return (x > y) - (x < y);
}

crank_status crank_law_inputs_find(crank_builder *b, int count, const crank_ex *ex,
                                   crank_law_inputs *inputs, crank_ex **symbols,
                                   crank_error *err)
{
    CRANK_LIST(crank_ex) all = {0};
    *inputs = (crank_law_inputs){0};
    *symbols = NULL;
    for (int i = 0; i < count; i++) {
        int found = 0;
        crank_ex *symbol = crank_build_symbols(b, ex[i], &found);
        for (int k = 0; k < found; k++) {
            (void)CRANK_BUILD_PUSH(b, all, symbol[k]);
        }
        free(symbol);
    }
    int unique = 0;
    if (all.count > 0) {
        qsort(all.item, (size_t)all.count, sizeof *all.item, crank_law_compare);
    }
    for (int i = 0; i < all.count; i++) {
        if (unique == 0 || all.item[unique - 1] != all.item[i]) {
            all.item[unique++] = all.item[i];
        }
    }
    crank_symbol *meaning = malloc(((size_t)unique + 1) * sizeof *meaning);
    b->failed = b->failed || meaning == NULL;
    crank_status status = crank_build_memory(b, err);
    for (int i = 0; i < unique && meaning != NULL && status == CRANK_OK; i++) {
        meaning[i] = crank_build_symbol(b, all.item[i]);
        if (meaning[i].kind == CRANK_SYMBOL_OTHER || meaning[i].kind == CRANK_SYMBOL_NAMED) {
            status = crank_fail(err, CRANK_EINTERNAL, "\"%.80s\" was not resolved",
                                crank_ex_symbol_name(b->pool, all.item[i]));
        }
    }
    if (status != CRANK_OK) {
        free(meaning);
        free(all.item);
        return status;
    }
    *inputs = (crank_law_inputs){.count = unique, .symbol = meaning};
    *symbols = all.item;
    return CRANK_OK;
}

void crank_law_inputs_fetch(const crank_law_inputs *inputs, const crank_system *system,
                            double t, const double *x, double *in)
{
    const int *column = system->eom->column;
    for (int i = 0; i < inputs->count; i++) {
        const int index = inputs->symbol[i].index;
        switch ((int)inputs->symbol[i].kind) {
        case CRANK_SYMBOL_TIME:
            in[i] = crank_eom_time(system->eom, t);
            break;
        case CRANK_SYMBOL_VALUE:
            in[i] = system->local[index].y;
            break;
        case CRANK_SYMBOL_RATE:
            in[i] = system->local[index].rate;
            break;
        case CRANK_SYMBOL_ACCELERATION:
            in[i] = system->local[index].acceleration;
            break;
        case CRANK_SYMBOL_R:
            in[i] = x[column[CRANK_R] + index];
            break;
        case CRANK_SYMBOL_W:
            in[i] = x[column[CRANK_W] + index];
            break;
        case CRANK_SYMBOL_S:
            in[i] = x[column[CRANK_S] + index];
            break;
        case CRANK_SYMBOL_LAMBDA:
            in[i] = x[column[CRANK_LAMBDA] + index];
            break;
        case CRANK_SYMBOL_MU:
            in[i] = x[column[CRANK_MU] + index];
            break;
        case CRANK_SYMBOL_Q:
            in[i] = system->state[index / 4].q[index % 4];
            break;
        default:
            in[i] = system->memory[index];
            break;
        }
    }
}

/* ---- sets of expressions ---- */

struct crank_expressions {
    crank_law_inputs inputs;
    int count;
    crank_tape *tape;
};

crank_status crank_expressions_create(crank_builder *b, int count, const crank_ex *ex,
                                      crank_expressions **out, crank_error *err)
{
    *out = NULL;
    crank_expressions *e = calloc(1, sizeof *e);
    if (e == NULL) {
        return crank_fail(err, CRANK_EMEM, "outputs of the mechanism");
    }
    crank_ex *symbol = NULL;
    e->count = count;
    crank_status status = crank_law_inputs_find(b, count, ex, &e->inputs, &symbol, err);
    if (status == CRANK_OK) {
        status = crank_tape_create(b->pool, e->inputs.count, symbol, count, ex, &e->tape, err);
    }
    free(symbol);
    if (status == CRANK_OK) {
        const size_t size =
            (size_t)e->inputs.count + (size_t)crank_tape_work_size(e->tape, 1) + 1;
        if (!crank_law_work_reserve(b->inside->work, size)) {
            status = crank_fail(err, CRANK_EMEM, "outputs of the mechanism");
        }
    }
    if (status != CRANK_OK) {
        crank_expressions_destroy(e);
        return status;
    }
    *out = e;
    return CRANK_OK;
}

void crank_expressions_destroy(crank_expressions *e)
{
    if (e == NULL) {
        return;
    }
    crank_tape_destroy(e->tape);
    free(e->inputs.symbol);
    free(e);
}

void crank_expressions_point(const crank_expressions *e, crank_system *system)
{
    for (int i = 0; i < e->inputs.count; i++) {
        const int kind = (int)e->inputs.symbol[i].kind, j = e->inputs.symbol[i].index;
        if (kind == CRANK_SYMBOL_VALUE || kind == CRANK_SYMBOL_RATE ||
            kind == CRANK_SYMBOL_ACCELERATION) {
            crank_primitive_values(&system->primitive[j], system->state, &system->local[j]);
        }
    }
}

void crank_expressions_evaluate(const crank_expressions *e, const crank_system *system,
                                double t, const double *x, double *values)
{
    double *in = system->law_work->data;
    crank_law_inputs_fetch(&e->inputs, system, t, x, in);
    crank_tape_evaluate(e->tape, 1, in, e->inputs.count, values, e->count,
                        in + e->inputs.count);
}
