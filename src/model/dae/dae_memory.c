/* dae_memory.c - discrete variables of a flat DAE before it is run: start values that fit those
 * of the other variables, and sizes of the functions of relations, theory (11.11). */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/dae/dae.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

enum { PASSES = 20 };
static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "discrete variables of the model");
}

typedef struct work {
    crank_dae_file *file;
    const crank_dae_discrete *d;
    crank_ex *in;  /* t, x, x' */
    double *value; /* of them */
    double *out;
    crank_tape *functions, *updates;
    double *registers;
} work;

static void evaluate(const work *w, const crank_tape *tape, int outputs)
{
    const int inputs = 1 + 2 * w->file->e.count[CRANK_P];
    if (outputs > 0) {
        crank_tape_evaluate(tape, 1, w->value, inputs, w->out, outputs, w->registers);
    }
}

static bool set(double *to, double value)
{
    const bool other = *to != value && isfinite(value);
    *to = other ? value : *to;
    return other;
}

/* relations, updates and pre() of what the model does not name, from the values at hand */
static bool pass(const work *w)
{
    const crank_dae_discrete *d = w->d;
    double *x = w->value + 1;
    bool any = false;
    evaluate(w, w->functions, d->relation_count);
    for (int i = 0; i < d->relation_count; i++) {
        const crank_dae_relation *r = &d->relation[i];
        const bool holds = !r->clock && (r->or_equal ? w->out[i] >= 0.0 : w->out[i] > 0.0);
        any = set(&x[r->column], holds ? 1.0 : 0.0) || any;
    }
    evaluate(w, w->updates, crank_dae_update_size(d));
    for (int i = 0; i < d->update_count; i++) {
        any = set(&x[d->update_column[i]], w->out[i]) || any;
    }
    const double *before = w->out + d->update_count + 2 * d->reinit_count + d->message_count;
    for (int i = 0; i < d->before_count; i++) {
        any = (d->before_made[i] && set(&x[d->before_column[i]], before[i])) || any;
    }
    return any;
}

/* the size of a relation's function: what its variables' sizes make of it */
static crank_status find_sizes(const work *w, crank_error *err)
{
    crank_pool *p = w->file->e.pool;
    const int n = w->file->e.count[CRANK_P];
    crank_store *store = w->file->e.store;
    for (int i = 0; i < w->d->relation_count; i++) {
        const crank_ex function = w->d->function[i];
        const int count = crank_ex_symbols(p, function, NULL, 0);
        crank_ex *symbols = crank_store_take(store, 2 * (size_t)count + 1, sizeof *symbols);
        crank_tape *tape = NULL;
        if (symbols == NULL) {
            return no_memory(err);
        }
        crank_ex *slope = symbols + count;
        crank_dae_relation *r = &w->d->relation[i];
        (void)crank_ex_symbols(p, function, symbols, count);
        crank_ex_gradient(p, function, count, symbols, slope);
        const crank_status status =
            crank_tape_create(p, 1 + 2 * n, w->in, count, slope, &tape, err);
        double *out = crank_store_take(store, (size_t)count + 1, sizeof *out);
        double *registers = crank_store_take(
            store, tape != NULL ? (size_t)crank_tape_work_size(tape, 1) : 1, sizeof *registers);
        if (status == CRANK_OK && out != NULL && registers != NULL && count > 0) {
            crank_tape_evaluate(tape, 1, w->value, 1 + 2 * n, out, count, registers);
        }
        crank_tape_destroy(tape);
        if (status != CRANK_OK || store->failed) {
            return status != CRANK_OK ? status : no_memory(err);
        }
        for (int k = 0; k < count; k++) {
            const crank_name *name =
                symbols[k] < w->file->e.name_count ? &w->file->e.name[symbols[k]] : NULL;
            if (name != NULL && name->kind == CRANK_P && !w->d->discrete[name->index] &&
                isfinite(out[k])) {
                const int j = name->index;
                const bool given = w->file->nominal_given[j];
                r->by_size +=
                    fabs(out[k]) * (given ? w->file->nominal[j] : fabs(w->file->start[j]));
                r->by_one += given ? 0.0 : fabs(out[k]);
                r->by_most += fabs(out[k]) *
                              fmax(given ? w->file->nominal[j] : 0.0, fabs(w->file->start[j]));
            }
        }
    }
    return CRANK_OK;
}

static crank_status prepare(work *w, crank_error *err)
{
    crank_equations *e = &w->file->e;
    const crank_dae_discrete *d = w->d;
    const size_t n = (size_t)e->count[CRANK_P];
    const int inputs = 1 + 2 * e->count[CRANK_P], outputs = crank_dae_update_size(d);
    w->in = crank_store_take(e->store, (size_t)inputs, sizeof *w->in);
    w->value = crank_store_take(e->store, (size_t)inputs, sizeof *w->value);
    w->out =
        crank_store_take(e->store, (size_t)outputs + (size_t)d->relation_count, sizeof *w->out);
    if (e->store->failed) {
        return no_memory(err);
    }
    w->in[0] = e->t;
    w->value[0] = e->simulate.t_start;
    memcpy(w->in + 1, w->file->variable, n * sizeof *w->in);
    memcpy(w->in + 1 + n, e->acceleration, n * sizeof *w->in);
    memcpy(w->value + 1, w->file->start, n * sizeof *w->value);
    crank_status status = crank_tape_create(e->pool, inputs, w->in, d->relation_count,
                                            d->function, &w->functions, err);
    if (status == CRANK_OK) {
        status =
            crank_tape_create(e->pool, inputs, w->in, outputs, d->update, &w->updates, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    const int one = crank_tape_work_size(w->functions, 1),
              other = crank_tape_work_size(w->updates, 1);
    w->registers =
        crank_store_take(e->store, (size_t)(one > other ? one : other), sizeof *w->registers);
    return w->registers != NULL ? CRANK_OK : no_memory(err);
}

crank_status crank_dae_guess_memory(crank_dae_file *file, crank_error *err)
{
    work w = {.file = file, .d = file->discrete};
    bool any = false;
    for (int j = 0; j < file->e.count[CRANK_P]; j++) {
        any = any || file->discrete->discrete[j];
    }
    if (!any && file->discrete->message_count == 0) {
        file->discrete = NULL; /* nothing to remember */
        return CRANK_OK;
    }
    crank_status status = prepare(&w, err);
    if (status == CRANK_OK) {
        for (int k = 0; k < PASSES && pass(&w); k++) {
        }
        for (int j = 0; j < file->e.count[CRANK_P]; j++) {
            if (file->discrete->discrete[j]) {
                file->start[j] = file->e.variable[CRANK_P][j].start = w.value[1 + j];
            }
        }
        status = find_sizes(&w, err);
    }
    crank_tape_destroy(w.functions);
    crank_tape_destroy(w.updates);
    return status;
}

crank_status crank_dae_keep_discrete(crank_model *model, crank_dae_file *file, crank_error *err)
{
    crank_dae_discrete *from = file->discrete != NULL
                                   ? crank_model_keep(model, file->discrete, 1, sizeof *from)
                                   : NULL;
    const size_t n = (size_t)file->e.count[CRANK_P];
    if (from == NULL) {
        return file->discrete == NULL ? CRANK_OK : no_memory(err);
    }
    from->relation = crank_model_keep(model, from->relation, (size_t)from->relation_count,
                                      sizeof *from->relation);
    for (int i = 0; i < from->relation_count && from->relation != NULL; i++) {
        crank_place *place = &from->relation[i].place;
        place->file = place->file != NULL ? crank_model_keep_text(model, place->file) : NULL;
    }
    from->event_relation = crank_model_keep(
        model, from->event_relation, (size_t)from->event_count, sizeof *from->event_relation);
    from->update_column = crank_model_keep(
        model, from->update_column, (size_t)from->update_count, sizeof *from->update_column);
    from->reinit_column = crank_model_keep(
        model, from->reinit_column, (size_t)from->reinit_count, sizeof *from->reinit_column);
    from->reinit_place = crank_model_keep(model, from->reinit_place, (size_t)from->reinit_count,
                                          sizeof *from->reinit_place);
    for (int i = 0; i < from->reinit_count && from->reinit_place != NULL; i++) {
        crank_place *place = &from->reinit_place[i];
        place->file = place->file != NULL ? crank_model_keep_text(model, place->file) : NULL;
    }
    from->message = crank_model_keep(model, from->message, (size_t)from->message_count,
                                     sizeof *from->message);
    for (int i = 0; i < from->message_count && from->message != NULL; i++) {
        crank_dae_message *m = &from->message[i];
        m->text = crank_model_keep_text(model, m->text);
        m->place.file =
            m->place.file != NULL ? crank_model_keep_text(model, m->place.file) : NULL;
    }
    from->before_column = crank_model_keep(
        model, from->before_column, (size_t)from->before_count, sizeof *from->before_column);
    from->before_made = crank_model_keep(model, from->before_made, (size_t)from->before_count,
                                         sizeof *from->before_made);
    from->algebraic = crank_model_keep(model, from->algebraic, n, sizeof *from->algebraic);
    from->discrete = crank_model_keep(model, from->discrete, n, sizeof *from->discrete);
    file->discrete = from;
    return model->store.failed ? no_memory(err) : CRANK_OK;
}
