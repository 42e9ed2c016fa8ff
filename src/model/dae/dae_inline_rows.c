/* dae_inline_rows.c - translated equations without a rule (crank_inlined_rows), compiled: what
 * solvers see that know nothing of the equations, see inline/emit_dae.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/dae/dae_inline_inside.h"

#include "base/then.h"
#include "symbolic/symbolic.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef void rows_fn(const double *v, double *out);

typedef struct loaded_rows {
    crank_inlined_rows base; /* first */
    const crank_dae_inline *of;
    crank_eom *eom;
    crank_compiled *compiled;
    rows_fn *rows, *slopes;
    double *v; /* as the code has it: t, h, u, old(x), given */
} loaded_rows;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "translated equations");
}

static void hand_in(const loaded_rows *s, double t, const double *x)
{
    const crank_inline_layout *l = &s->of->layout;
    const size_t unknowns = (size_t)s->base.unknowns;
    s->v[CRANK_INLINE_TIME] = crank_eom_time(s->eom, t);
    memcpy(s->v + CRANK_INLINE_FIRST, x, unknowns * sizeof *x);
    memcpy(s->v + l->given, x + unknowns, (size_t)l->given_count * sizeof *x);
}

static void evaluate(const crank_inlined_rows *base, double t, const double *x, double *f)
{
    const loaded_rows *s = (const loaded_rows *)base;
    hand_in(s, t, x);
    s->rows(s->v, f);
}

static void slopes(const crank_inlined_rows *base, double t, const double *x, double *entries)
{
    const loaded_rows *s = (const loaded_rows *)base;
    hand_in(s, t, x);
    s->slopes(s->v, entries);
}

static void close_rows(crank_inlined_rows *base)
{
    loaded_rows *s = (loaded_rows *)base;
    crank_compiled_unload(s->compiled);
    free(s->v);
    free(s);
}

static crank_status write_source(crank_dae_inline *self, crank_error *err)
{
    crank_text text = {0};
    crank_status status = CRANK_OK;
    (void)pthread_mutex_lock(&self->lock);
    if (self->rows == NULL) {
        status = crank_inline_emit_dae(self->in, "model", &text, err);
        if (status == CRANK_OK) {
            self->rows = text.data;
        } else {
            crank_text_free(&text);
        }
    }
    (void)pthread_mutex_unlock(&self->lock);
    return status;
}

/* a function or a table by its name, as POSIX has it */
static bool find(const loaded_rows *s, const char *name, void *place)
{
    crank_compiled_fn *found = crank_compiled_find(s->compiled, name);
    memcpy(place, &found, sizeof found);
    return found != NULL;
}

static crank_status load(loaded_rows *s, crank_log log, crank_error *err)
{
    const crank_dae_inline *of = s->of;
    crank_status status = crank_compiled_load(of->rows, of->cache, log, &s->compiled, err);
    if (status == CRANK_OK &&
        !(find(s, "model_rows", &s->rows) && find(s, "model_slopes", &s->slopes) &&
          find(s, "model_start", &s->base.start) && find(s, "model_row", &s->base.row))) {
        status = crank_fail(err, CRANK_ECOMPILE, "the translated equations lack a function");
    }
    s->v = calloc((size_t)of->layout.width + 1, sizeof *s->v);
    return status == CRANK_OK && s->v == NULL ? no_memory(err) : status;
}

crank_status crank_dae_open_rows(const crank_inlined_source *source, crank_eom *eom,
                                 crank_log log, crank_inlined_rows **out, crank_error *err)
{
    /* constant but for the text, which is made when it is asked for, under a lock */
    crank_dae_inline *self = (crank_dae_inline *)(uintptr_t)source;
    *out = NULL;
    if (self->in->group_count > 0) {
        return crank_fail(err, CRANK_EREFUSED,
                          "states are chosen in the run, which inline-dae-* do not follow");
    }
    crank_status status = write_source(self, err);
    if (status != CRANK_OK) {
        return status;
    }
    loaded_rows *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return no_memory(err);
    }
    s->base = (crank_inlined_rows){.unknowns = self->in->unknown_count,
                                   .rows = self->in->model_equations,
                                   .kept = self->kept,
                                   .column = self->column,
                                   .rate = self->rate,
                                   .evaluate = evaluate,
                                   .slopes = slopes,
                                   .close = close_rows};
    s->of = self;
    s->eom = eom;
    status = load(s, log, err);
    if (status != CRANK_OK) {
        close_rows(&s->base);
        return status;
    }
    *out = &s->base;
    return CRANK_OK;
}
