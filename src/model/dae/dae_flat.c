/* dae_flat.c - see dae_flat.h: the records that dae_read.c makes of a file are made of a flat
 * DAE. Unknowns and discrete variables become variables, the latter with x' = 0; what was
 * eliminated becomes outputs. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/dae/dae_flat.h"

#include "base/number.h"
#include "base/then.h"
#include "model/dae/dae.h"
#include "model/dae/dae_supply.h"
#include "model/events.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 2000 }; /* the analysis works with dense matrices */

typedef struct work {
    crank_flat *flat;
    crank_dae_file *file;
    crank_store *store;
    int *number; /* flat variables: number among the file's, -1: an output */
    crank_error *err;
} work;

static crank_status no_memory(const work *w)
{
    return crank_fail(w->err, CRANK_EMEM, "reading the model");
}

/* ---- nodes: places and texts ---- */

static const crank_node *scalar(const work *w, crank_flat_place place, const char *text)
{
    crank_node *node = crank_store_take(w->store, 1, sizeof *node);
    if (node != NULL) {
        *node = (crank_node){.kind = CRANK_NODE_SCALAR,
                             .line = place.line,
                             .column = place.column,
                             .text = text};
    }
    return node;
}

/* {unit: text}; NULL: none is given */
static const crank_node *unit_node(const work *w, const crank_flat_variable *x)
{
    if (x->unit[0] == '\0') {
        return NULL;
    }
    crank_node *node = crank_store_take(w->store, 1, sizeof *node);
    const crank_node **list = crank_store_take(w->store, 2, sizeof *list);
    if (node == NULL || list == NULL) {
        return NULL;
    }
    list[0] = scalar(w, x->place, "unit");
    list[1] = scalar(w, x->place, x->unit);
    *node = (crank_node){.kind = CRANK_NODE_MAPPING,
                         .line = x->place.line,
                         .column = x->place.column,
                         .count = 1,
                         .key = list,
                         .item = list + 1};
    return node;
}

/* ---- numbers ---- */

static crank_status number_of(const work *w, const crank_flat_variable *x, const char *what,
                              crank_ex ex, double *out)
{
    if (ex >= 0 && (!crank_ex_is_number(w->flat->pool, ex, out) || !isfinite(*out))) {
        return crank_fail_at(w->err, CRANK_EMODEL, x->place.line, x->place.column,
                             "\"%.80s\", %s: the value is not finite", x->name, what);
    }
    return CRANK_OK;
}

static crank_status check_range(const work *w, const crank_flat_variable *x, double start)
{
    double min = -INFINITY, max = INFINITY;
    crank_status status = number_of(w, x, "min", x->min, &min);
    CRANK_THEN(status, number_of(w, x, "max", x->max, &max));
    if (status == CRANK_OK && x->start >= 0 && (start < min || start > max)) {
        return crank_fail_at(w->err, CRANK_EMODEL, x->place.line, x->place.column,
                             "\"%.80s\": start = %g is not between min and max", x->name,
                             start);
    }
    return status;
}

/* ---- variables ---- */

static void declare(crank_equations *e, crank_ex symbol, int kind, int index, const char *text)
{
    e->name[symbol] = (crank_name){
        .declared = true, .used = true, .kind = kind, .index = index, .text = text};
}

static crank_status make_variable(work *w, int i, int j)
{
    crank_equations *e = &w->file->e;
    const crank_flat_variable *x = &w->flat->variable[i];
    double start = 0.0, nominal = 0.0;
    crank_status status = number_of(w, x, "start", x->start, &start);
    CRANK_THEN(status, number_of(w, x, "nominal", x->nominal, &nominal));
    CRANK_THEN(status, check_range(w, x, start));
    if (status != CRANK_OK) {
        return status;
    }
    if (x->nominal >= 0 && !(fabs(nominal) > 0.0)) {
        return crank_fail_at(w->err, CRANK_EMODEL, x->place.line, x->place.column,
                             "\"%.80s\": nominal is zero", x->name);
    }
    e->variable[CRANK_P][j] =
        (crank_variable){.name = x->name,
                         .label = x->name,
                         .key = scalar(w, x->place, x->name),
                         .node = unit_node(w, x),
                         .symbol = x->symbol,
                         .start = start,
                         .fixing = x->fixed ? CRANK_FIXED : CRANK_PREFERRED};
    e->acceleration[j] = x->rate;
    w->file->fixing_given = w->file->fixing_given || x->fixed;
    w->file->variable[j] = x->symbol;
    w->file->start[j] = start;
    w->file->nominal[j] = x->nominal >= 0 ? fabs(nominal) : 1.0 + fabs(start);
    declare(e, x->symbol, CRANK_P, j, x->name);
    declare(e, x->rate, CRANK_NAME_ACCELERATION, j, crank_ex_symbol_name(e->pool, x->rate));
    return CRANK_OK;
}

static crank_status make_variables(work *w)
{
    crank_equations *e = &w->file->e;
    crank_flat *flat = w->flat;
    int count = 0;
    w->number = crank_store_take(w->store, (size_t)flat->variable_count, sizeof *w->number);
    for (int i = 0; i < flat->variable_count && w->number != NULL; i++) {
        const bool stays = flat->variable[i].role != CRANK_FLAT_ELIMINATED;
        w->number[i] = stays ? count++ : -1;
        if (stays) {
            (void)crank_flat_rate(flat, i);
        }
    }
    if (w->number == NULL) {
        return no_memory(w);
    }
    if (count > MOST) {
        return crank_fail(
            w->err, CRANK_EMODEL,
            "%d variables, after aliases have been taken out, and a model may have "
            "%d (the analysis works with dense matrices)",
            count, MOST);
    }
    if (count == 0) {
        return crank_fail(w->err, CRANK_EMODEL, "the model has no unknowns: nothing moves");
    }
    const size_t n = (size_t)count, names = (size_t)crank_pool_size(e->pool);
    e->count[CRANK_P] = count;
    e->name_count = (int)names;
    e->name = crank_store_take(w->store, names, sizeof *e->name);
    e->variable[CRANK_P] = crank_store_take(w->store, n, sizeof(crank_variable));
    e->acceleration = crank_store_take(w->store, n, sizeof *e->acceleration);
    w->file->variable = crank_store_take(w->store, n, sizeof *w->file->variable);
    w->file->start = crank_store_take(w->store, n, sizeof *w->file->start);
    w->file->nominal = crank_store_take(w->store, n, sizeof *w->file->nominal);
    if (w->store->failed || crank_pool_status(e->pool) != CRANK_OK) {
        return no_memory(w);
    }
    declare(e, e->t, CRANK_NAME_TIME, 0, "time");
    crank_status status = CRANK_OK;
    for (int i = 0; i < flat->variable_count && status == CRANK_OK; i++) {
        if (w->number[i] >= 0) {
            status = make_variable(w, i, w->number[i]);
        }
    }
    return status;
}

static crank_status make_outputs(work *w)
{
    crank_equations *e = &w->file->e;
    const crank_flat *flat = w->flat;
    e->output = crank_store_take(w->store, (size_t)flat->variable_count, sizeof *e->output);
    for (int i = 0; i < flat->variable_count && e->output != NULL; i++) {
        const crank_flat_variable *x = &flat->variable[i];
        if (w->number[i] < 0) {
            e->output[e->output_count++] = (crank_named){.name = x->name,
                                                         .key = scalar(w, x->place, x->name),
                                                         .node = scalar(w, x->place, x->text),
                                                         .ex = x->value,
                                                         .unit = x->unit};
        }
    }
    return w->store->failed ? no_memory(w) : CRANK_OK;
}

static crank_status make_parameters(work *w)
{
    crank_equations *e = &w->file->e;
    const crank_flat *flat = w->flat;
    e->definition =
        crank_store_take(w->store, (size_t)flat->parameter_count, sizeof *e->definition);
    for (int i = 0; i < flat->parameter_count && e->definition != NULL; i++) {
        const crank_flat_parameter *p = &flat->parameter[i];
        e->definition[i] = (crank_definition){.name = p->name,
                                              .key = scalar(w, p->place, p->name),
                                              .kind = CRANK_NAME_PARAMETER,
                                              .symbol = p->symbol,
                                              .value = crank_ex_number(e->pool, p->number),
                                              .state = 2};
        declare(e, p->symbol, CRANK_NAME_PARAMETER, i, p->name);
    }
    e->definition_count = flat->parameter_count;
    return w->store->failed ? no_memory(w) : CRANK_OK;
}

/* ---- equations ---- */

/* "line 12", "r1, line 12": how messages name it */
static const char *equation_name(const work *w, const crank_flat_equation *q)
{
    return crank_store_print(w->store, "%s%sline %d", q->origin,
                             q->origin[0] != '\0' ? ", " : "", q->place.line);
}

static crank_status make_equations(work *w)
{
    crank_dae_file *file = w->file;
    crank_pool *p = file->e.pool;
    const crank_flat *flat = w->flat;
    const size_t most = (size_t)flat->equation_count + (size_t)flat->variable_count;
    file->equation = crank_store_take(w->store, most, sizeof *file->equation);
    if (file->equation == NULL) {
        return no_memory(w);
    }
    for (int i = 0; i < flat->equation_count; i++) {
        const crank_flat_equation *q = &flat->equation[i];
        const crank_node *place = scalar(w, q->place, "");
        file->equation[file->equation_count++] =
            (crank_dae_equation){.name = equation_name(w, q),
                                 .place = place,
                                 .node = place,
                                 .prescribed = -1,
                                 .ex = crank_ex_sub(p, q->left, q->right)};
    }
    for (int i = 0; i < flat->variable_count; i++) {
        const crank_flat_variable *x = &flat->variable[i];
        if (x->role == CRANK_FLAT_DISCRETE) { /* constant between events */
            const crank_node *place = scalar(w, x->place, x->name);
            file->equation[file->equation_count++] = (crank_dae_equation){.name = x->name,
                                                                          .place = place,
                                                                          .node = place,
                                                                          .prescribed = -1,
                                                                          .ex = x->rate};
        }
    }
    const size_t initial = (size_t)flat->initial_count;
    file->initial = crank_store_take(w->store, initial, sizeof *file->initial);
    file->initial_name = crank_store_take(w->store, initial, sizeof *file->initial_name);
    file->initial_place = crank_store_take(w->store, initial, sizeof *file->initial_place);
    for (int i = 0; i < flat->initial_count && !w->store->failed; i++) {
        const crank_flat_equation *q = &flat->initial[i];
        file->initial[i] = crank_ex_sub(p, q->left, q->right);
        file->initial_name[i] = equation_name(w, q);
        file->initial_place[i] = scalar(w, q->place, "");
    }
    file->initial_count = flat->initial_count;
    return w->store->failed ? no_memory(w) : CRANK_OK;
}

/* ---- events ---- */

/* a variable of the file that gets a value; one that was eliminated cannot */
static crank_status make_action(work *w, const crank_flat_event *from,
                                const crank_flat_action *a, crank_action_record *out)
{
    *out = (crank_action_record){.target = -1, .value = -1, .parameter = -1};
    if (a->variable < 0) {
        out->kind = a->failure ? CRANK_ACTION_FAIL : CRANK_ACTION_MESSAGE;
        out->key = scalar(w, from->place, "message");
        out->node = scalar(w, from->place, a->message);
        return CRANK_OK;
    }
    const crank_flat_variable *x = &w->flat->variable[a->variable];
    if (w->number[a->variable] < 0) {
        return crank_fail_at(w->err, CRANK_EMODEL, from->place.line, from->place.column,
                             "when: \"%.80s\" gets a value, but an equation gives it as well",
                             x->name);
    }
    out->kind = CRANK_ACTION_RESET;
    out->key = scalar(w, from->place, x->name);
    out->node = out->key;
    out->target = x->symbol;
    out->value = a->value;
    return CRANK_OK;
}

static crank_status make_event(work *w, const crank_flat_event *from, crank_event_record *out)
{
    *out = (crank_event_record){.name = from->name,
                                .key = scalar(w, from->place, from->name),
                                .node = scalar(w, from->place, from->name),
                                .direction = from->direction,
                                .when = from->when};
    out->action =
        crank_store_take(w->store, 2 * (size_t)from->action_count, sizeof *out->action);
    crank_status status = out->action != NULL ? CRANK_OK : no_memory(w);
    for (int k = 0; k < from->action_count && status == CRANK_OK; k++) {
        const crank_flat_action *a = &from->action[k];
        status = make_action(w, from, a, &out->action[out->action_count++]);
        if (status == CRANK_OK && a->variable < 0 && !a->failure && !a->goes_on) {
            crank_action_record *stop = &out->action[out->action_count++];
            *stop = out->action[out->action_count - 2];
            stop->kind = CRANK_ACTION_STOP;
        }
    }
    return status;
}

/* Events of numbers never happen, those of t alone without actions are conditions that steps
 * end at by themselves. */
static bool is_watched(const work *w, const crank_flat_event *e)
{
    crank_pool *p = w->flat->pool;
    crank_ex symbols[2];
    const int count = crank_ex_symbols(p, e->when, symbols, 2);
    return count > 1 || (count == 1 && (symbols[0] != w->flat->t || e->action_count > 0));
}

static crank_status make_events(work *w)
{
    crank_equations *e = &w->file->e;
    const crank_flat *flat = w->flat;
    crank_status status = CRANK_OK;
    e->event = crank_store_take(w->store, (size_t)flat->event_count, sizeof *e->event);
    for (int i = 0; i < flat->event_count && e->event != NULL && status == CRANK_OK; i++) {
        if (is_watched(w, &flat->event[i])) {
            status = make_event(w, &flat->event[i], &e->event[e->event_count++]);
        }
    }
    return status == CRANK_OK && w->store->failed ? no_memory(w) : status;
}

/* ---- the run ---- */

static crank_status make_simulate(work *w)
{
    crank_simulate *s = &w->file->e.simulate;
    const crank_flat *flat = w->flat;
    *s = (crank_simulate){.t_end = 1.0};
    if (!isnan(flat->t_start)) {
        s->t_start = flat->t_start;
        s->t_end = flat->t_start + 1.0;
    }
    if (!isnan(flat->t_end)) {
        s->t_end = flat->t_end;
        s->has_t_end = true;
    }
    if (!isnan(flat->interval) && flat->interval > 0.0) {
        s->every = flat->interval;
    }
    if (!isnan(flat->tolerance)) {
        crank_setting *list = crank_store_take(w->store, 2, sizeof *list);
        int *line = crank_store_take(w->store, 2, sizeof *line);
        char *text = crank_store_take(w->store, CRANK_NUMBER_TEXT, 1);
        if (w->store->failed) {
            return no_memory(w);
        }
        (void)crank_number_print(text, CRANK_NUMBER_TEXT, flat->tolerance, 0);
        list[0] = (crank_setting){"rtol", text};
        list[1] = (crank_setting){"atol", text};
        s->options = list;
        s->option_line = line;
        s->option_count = 2;
    }
    return CRANK_OK;
}

static crank_status fill(work *w)
{
    crank_status status = make_variables(w);
    CRANK_THEN(status, make_outputs(w));
    CRANK_THEN(status, make_parameters(w));
    CRANK_THEN(status, make_equations(w));
    CRANK_THEN(status, make_events(w));
    CRANK_THEN(status, make_simulate(w));
    return status == CRANK_OK ? crank_dae_split_equations(w->file, w->err) : status;
}

static crank_dae_file open_file(crank_store *store, const crank_model_source *source,
                                const crank_flat *flat)
{
    return (crank_dae_file){.e = {.store = store,
                                  .document = source->document,
                                  .options = source->options,
                                  .path = source->path,
                                  .files = source->files,
                                  .general = true,
                                  .title = flat->title,
                                  .t = flat->t,
                                  .pool = flat->pool}};
}

/* what the declarations say about columns */
static crank_status describe_columns(crank_model *model, const work *w)
{
    for (int i = 0; i < w->flat->variable_count; i++) {
        const crank_flat_variable *x = &w->flat->variable[i];
        if (w->number[i] >= 0 && x->text[0] != '\0') {
            model->column_description[w->number[i]] = crank_model_keep_text(model, x->text);
        }
    }
    model->title = crank_model_keep_text(model, w->flat->title);
    return model->store.failed ? no_memory(w) : CRANK_OK;
}

/* the flat DAE stays, for methods that translate it */
static crank_status keep_equations(crank_model *model, const work *w,
                                   const crank_dae_equations *equations)
{
    crank_dae_supplier *supplier = model->eom->self;
    const crank_status status =
        crank_dae_inline_create(w->flat, equations, w->number, model->eom->n,
                                model->options.cache, &supplier->inlined, w->err);
    model->eom->inlined = crank_dae_inline_source(supplier->inlined);
    return status;
}

crank_status crank_dae_make_flat(crank_model *model, const crank_model_source *source,
                                 crank_flat *flat, const crank_dae_equations *equations,
                                 crank_error *err)
{
    crank_store store = {0};
    crank_dae_file file = open_file(&store, source, flat);
    work w = {.flat = flat, .file = &file, .store = &store, .err = err};
    crank_status status = fill(&w);
    CRANK_THEN(status, crank_dae_complete(model, &file, err));
    CRANK_THEN(status, describe_columns(model, &w));
    CRANK_THEN(status, keep_equations(model, &w, equations));
    crank_store_free(&store);
    return status;
}

crank_status crank_dae_check_flat(const crank_model_source *source, crank_flat *flat,
                                  bool formulas, crank_text *text, bool *fine, crank_error *err)
{
    crank_store store = {0};
    crank_dae_file file = open_file(&store, source, flat);
    work w = {.flat = flat, .file = &file, .store = &store, .err = err};
    crank_status status = fill(&w);
    *fine = false;
    CRANK_THEN(status, crank_dae_describe_file(&file, formulas, text, fine, err));
    crank_store_free(&store);
    return status;
}
