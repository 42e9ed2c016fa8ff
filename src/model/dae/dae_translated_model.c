/* dae_translated_model.c - a model of translated equations: the flat DAE, its index reduced, is
 * an eom of all unknowns (dae_translated.h), and stays as the source of the code of steps
 * (dae_inline.h). Nothing in it is dense. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "model/dae/dae_flat.h"
#include "model/dae/dae_inline.h"
#include "model/dae/dae_translated.h"
#include "model/events.h"
#include "model/features.h"
#include "model/switches.h"

#include <stdio.h>

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "translated equations");
}

/* ---- the eom ---- */

/* 'equation "r1, line 12"'; 'hidden constraint (level 1) of it' */
static const char *row_text(crank_model *model, const crank_dae_fill *w, int e)
{
    const crank_inline_equation *list = w->in->equation;
    const int order = list[e].order;
    while (list[e].previous >= 0) {
        e = list[e].previous;
    }
    const char *name = crank_dae_fill_name(w, &w->flat->equation[e]);
    if (name == NULL) {
        return NULL;
    }
    return order > 0 ? crank_store_print(&model->store,
                                         "hidden constraint (level %d) of equation \"%s\"",
                                         order, name)
                     : crank_store_print(&model->store, "equation \"%s\"", name);
}

static crank_place place_of(const crank_node *node)
{
    return (crank_place){node->line, node->column, node->file};
}

static crank_place place_of_equation(const crank_dae_fill *w, int e)
{
    while (w->in->equation[e].previous >= 0) {
        e = w->in->equation[e].previous;
    }
    const crank_flat_place place = w->flat->equation[e].place;
    return (crank_place){place.line % CRANK_FLAT_LINES, place.column,
                         crank_flat_file_of(w->flat, place)};
}

static crank_status describe_rows(crank_model *model, const crank_dae_fill *w,
                                  const char *const *text, crank_error *err)
{
    crank_store *store = &model->store;
    crank_eom *eom = model->eom;
    const int rows = w->in->model_equations, count = eom->sizes.n;
    crank_eom_dae *dae = crank_store_take(store, 1, sizeof *dae);
    int *level = crank_store_take(store, (size_t)count, sizeof *level);
    crank_place *place = crank_store_take(store, (size_t)count, sizeof *place);
    crank_place *row = crank_store_take(store, (size_t)eom->m, sizeof *row);
    crank_place *column = crank_store_take(store, (size_t)eom->n, sizeof *column);
    if (store->failed) {
        return no_memory(err);
    }
    for (int c = 0; c < count; c++) {
        level[c] = c < rows ? w->in->equation[c].order : 0;
        place[c] =
            c < rows ? place_of_equation(w, c) : place_of(w->file->initial_place[c - rows]);
        row[eom->row[CRANK_ROW_N] + c] = place[c];
    }
    for (int j = 0; j < eom->n; j++) {
        column[j] = place_of(w->file->e.variable[CRANK_P][j].key);
        row[eom->row[CRANK_ROW_KIN] + j] = column[j];
    }
    *dae = (crank_eom_dae){.text = text, .place = place, .level = level};
    eom->dae = dae;
    eom->row_place = row;
    eom->column_place = column;
    return CRANK_OK;
}

static crank_status make_eom(crank_model *model, const crank_dae_fill *w, crank_error *err)
{
    const int n = w->file->e.count[CRANK_P], rows = w->in->model_equations,
              count = rows + w->file->initial_count;
    const crank_eom_sizes sizes = {.p = n, .n = count};
    const char **name = crank_store_take(w->store, (size_t)n, sizeof *name);
    const char **text = crank_store_take(&model->store, (size_t)count, sizeof *text);
    const char *const *names[CRANK_GROUPS] = {[CRANK_P] = name};
    if (w->store->failed || model->store.failed) {
        return no_memory(err);
    }
    for (int j = 0; j < n; j++) {
        name[j] = w->file->e.variable[CRANK_P][j].name;
    }
    for (int c = 0; c < count; c++) {
        text[c] = c < rows ? row_text(model, w, c)
                           : crank_store_print(&model->store, "initial equation \"%s\"",
                                               w->file->initial_name[c - rows]);
    }
    if (model->store.failed) {
        return no_memory(err);
    }
    const crank_status status = crank_eom_allocate(&sizes, names, text, NULL, &model->eom, err);
    return status == CRANK_OK ? describe_rows(model, w, text, err) : status;
}

/* ---- the start ---- */

/* Variables whose derivatives are in no equation are guesses unless the file says otherwise;
 * derivatives and discrete ones are. */
static crank_status keep_start(crank_model *model, const crank_dae_fill *w, crank_error *err)
{
    const crank_dae_file *file = w->file;
    const int n = file->e.count[CRANK_P];
    model->start = crank_model_keep(model, file->start, (size_t)n, sizeof *file->start);
    model->fixing = crank_store_take(&model->store, (size_t)n, sizeof *model->fixing);
    if (model->store.failed) {
        return no_memory(err);
    }
    for (int j = 0; j < n; j++) {
        const bool discrete = j >= w->in->unknown_count,
                   follows = !discrete && !w->in->unknown[j].kept;
        const crank_fixing fixing = file->e.variable[CRANK_P][j].fixing;
        if (file->discrete != NULL) {
            file->discrete->algebraic[j] = follows;
        }
        model->fixing[j] =
            discrete || (follows && fixing == CRANK_PREFERRED) ? CRANK_FREE : fixing;
    }
    return CRANK_OK;
}

/* ---- the model ---- */

static const crank_model_functions functions = {.share = crank_dae_share,
                                                .columns = crank_dae_columns,
                                                .find_start = crank_dae_find_translated_start};

static crank_status keep_features(crank_model *model, const crank_dae_fill *w, crank_error *err)
{
    const crank_inline *in = w->in;
    crank_pool *pool = w->flat->pool;
    crank_ex *roots = crank_store_take(w->store, (size_t)in->model_equations, sizeof *roots);
    if (roots == NULL) {
        return no_memory(err);
    }
    for (int e = 0; e < in->model_equations; e++) {
        roots[e] = in->equation[e].ex;
    }
    const crank_status status =
        crank_model_keep_switches(model, pool, w->flat->t, 0, NULL, err);
    return status == CRANK_OK
               ? crank_model_find_features(model, pool, w->flat->t, w->file->variable, 0, NULL,
                                           in->model_equations, roots, err)
               : status;
}

/* Event functions as states give them, so that looks within steps need no solution. */
static crank_status shorten_events(crank_dae_file *file, const crank_dae_fill *w, bool **given,
                                   crank_error *err)
{
    const int count = file->e.event_count;
    crank_ex *when = crank_store_take(w->store, (size_t)count, sizeof *when);
    *given = crank_store_take(w->store, (size_t)count, sizeof **given);
    if (w->store->failed) {
        return no_memory(err);
    }
    for (int i = 0; i < count; i++) {
        when[i] = file->e.event[i].when;
    }
    const crank_status status = crank_inline_from_states(w->in, count, when, *given, err);
    for (int i = 0; i < count; i++) {
        const bool constant = crank_ex_symbols(w->flat->pool, when[i], NULL, 0) == 0;
        (*given)[i] = (*given)[i] && !constant;
        file->e.event[i].when = constant ? file->e.event[i].when : when[i];
    }
    return status;
}

static crank_status make(crank_model *model, const crank_dae_fill *w, crank_error *err)
{
    bool *given = NULL;
    crank_dae_file *file = w->file;
    crank_dae_supplier *supplier = NULL;
    model->functions = &functions;
    crank_status status = make_eom(model, w, err);
    CRANK_THEN(status, crank_dae_keep_discrete(model, file, err));
    CRANK_THEN(status, shorten_events(file, w, &given, err));
    CRANK_THEN(status, crank_dae_make_events(model, file, err));
    CRANK_THEN(status, crank_dae_supply_translated(w, model, &supplier, err));
    if (status == CRANK_OK) {
        crank_dae_connect_events(model);
        for (int i = 0; model->events != NULL && i < model->events->count; i++) {
            model->events->of_states[i] = given[i];
        }
        status = keep_start(model, w, err);
    }
    CRANK_THEN(status, crank_model_keep_simulate(model, &file->e.simulate, err));
    CRANK_THEN(status, crank_equations_columns(model, &file->e, err));
    CRANK_THEN(status, crank_equations_parameters(model, &file->e, err));
    if (w->from != NULL) {
        CRANK_THEN(status, crank_equations_unused(model, w->from, err));
    }
    CRANK_THEN(status, crank_equations_scene(model, &file->e, err));
    CRANK_THEN(status, keep_features(model, w, err));
    return status == CRANK_OK ? crank_dae_fill_describe(model, w) : status;
}

crank_status crank_dae_make_translated(crank_model *model, const crank_model_source *source,
                                       crank_flat *flat, const crank_equations *from,
                                       crank_error *err)
{
    crank_store store = {0};
    crank_dae_file file = crank_dae_fill_open(&store, source, flat);
    crank_inline *in = crank_store_take(&flat->store, 1, sizeof *in);
    crank_dae_fill w = {
        .flat = flat, .in = in, .file = &file, .store = &store, .from = from, .err = err};
    crank_status status = in != NULL ? crank_dae_fill_begin(&w) : no_memory(err);
    CRANK_THEN(status, crank_inline_translate(flat, false, in, err));
    if (status == CRANK_OK && in->unknown_count == 0) {
        status = crank_fail(err, CRANK_EREFUSED, "there are no states to integrate");
    }
    CRANK_THEN(status, crank_dae_fill_all(&w));
    CRANK_THEN(status, make(model, &w, err));
    CRANK_THEN(status, crank_dae_keep_inlined(model, flat, in, source->options->cache, err));
    crank_store_free(&store);
    return status;
}
