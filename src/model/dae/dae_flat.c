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

/* of Booleans and Integers: the analysis looks at values around them, which mean the same */
static const double whole_size = 1e-3;

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
                             .line = place.line % CRANK_FLAT_LINES,
                             .column = place.column,
                             .file = crank_flat_file_of(w->flat, place),
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
    e->variable[CRANK_P][j] = (crank_variable){
        .name = x->name,
        .label = x->name,
        .key = scalar(w, x->place, x->name),
        .node = unit_node(w, x),
        .symbol = x->symbol,
        .start = start,
        .hidden = x->made,
        .fixing = x->fixed || x->role == CRANK_FLAT_DISCRETE ? CRANK_FIXED : CRANK_PREFERRED};
    e->acceleration[j] = x->rate;
    w->file->fixing_given = w->file->fixing_given || x->fixed;
    w->file->variable[j] = x->symbol;
    w->file->start[j] = start;
    w->file->nominal[j] = x->nominal >= 0              ? fabs(nominal)
                          : x->type != CRANK_FLAT_REAL ? whole_size
                                                       : 1.0 + fabs(start);
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
        if (w->number[i] < 0 && !x->made) {
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
    char place[CRANK_FLAT_PLACE_TEXT];
    return crank_store_print(w->store, "%s%s%s", q->origin, q->origin[0] != '\0' ? ", " : "",
                             crank_flat_print_place(w->flat, q->place, place));
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

/* Events of numbers never happen. */
static bool is_watched(const work *w, const crank_flat_event *e)
{
    return e->when >= 0 && crank_ex_symbols(w->flat->pool, e->when, NULL, 0) > 0;
}

static crank_status make_events(work *w)
{
    crank_equations *e = &w->file->e;
    const crank_flat *flat = w->flat;
    crank_dae_discrete *d = w->file->discrete;
    const size_t count = (size_t)flat->event_count;
    e->event = crank_store_take(w->store, count, sizeof *e->event);
    d->event_relation = crank_store_take(w->store, count, sizeof *d->event_relation);
    d->relation = crank_store_take(w->store, count, sizeof *d->relation);
    d->function = crank_store_take(w->store, count, sizeof *d->function);
    for (int i = 0; i < flat->event_count && !w->store->failed; i++) {
        const crank_flat_event *from = &flat->event[i];
        const bool relation = from->relation >= 0;
        if (is_watched(w, from)) {
            d->event_relation[e->event_count] = relation ? d->relation_count : -1;
            e->event[e->event_count++] =
                (crank_event_record){.name = from->name,
                                     .key = scalar(w, from->place, from->name),
                                     .node = scalar(w, from->place, from->name),
                                     .direction = relation ? -1 : from->direction,
                                     .when = from->when};
        }
        if (relation) {
            d->function[d->relation_count] = from->when;
            d->relation[d->relation_count++] =
                (crank_dae_relation){.column = w->number[from->relation],
                                     .or_equal = from->or_equal,
                                     .clock = from->clock};
        }
    }
    d->event_count = e->event_count;
    return w->store->failed ? no_memory(w) : CRANK_OK;
}

/* ---- discrete variables ---- */

/* the variable that a reinit sets: itself, or the one that it is equal to */
static crank_status reinit_target(const work *w, const crank_flat_update *u, int *column,
                                  crank_ex *value)
{
    crank_pool *p = w->flat->pool;
    const crank_flat_variable *x = &w->flat->variable[u->variable];
    const crank_ex negative = x->value >= 0 && crank_ex_get_op(p, x->value) == CRANK_EX_NEG
                                  ? crank_ex_get_operand(p, x->value, 0)
                                  : -1;
    const crank_ex symbol = negative >= 0 ? negative : x->value;
    *column = w->number[u->variable];
    *value = u->value;
    if (*column < 0 && crank_ex_symbol_name(p, symbol) != NULL &&
        symbol < w->file->e.name_count && w->file->e.name[symbol].kind == CRANK_P) {
        *column = w->file->e.name[symbol].index;
        *value = negative >= 0 ? crank_ex_neg(p, u->value) : u->value;
    }
    return *column >= 0
               ? CRANK_OK
               : crank_fail_at(w->err, CRANK_EMODEL, u->place.line, u->place.column,
                               "reinit: \"%.80s\" is no state, an equation gives it", x->name);
}

static void add_messages(work *w, crank_ex *condition)
{
    crank_dae_discrete *d = w->file->discrete;
    for (int i = 0; i < w->flat->event_count; i++) {
        const crank_flat_event *e = &w->flat->event[i];
        for (int k = 0; k < e->action_count; k++) {
            condition[d->message_count] = e->condition;
            d->message[d->message_count++] =
                (crank_dae_message){.text = e->action[k].message,
                                    .place = {e->place.line % CRANK_FLAT_LINES, e->place.column,
                                              crank_flat_file_of(w->flat, e->place)},
                                    .failure = e->action[k].failure,
                                    .goes_on = e->action[k].goes_on};
        }
    }
}

static void add_befores(work *w, crank_ex *value)
{
    crank_dae_discrete *d = w->file->discrete;
    for (int i = 0; i < w->flat->variable_count; i++) {
        const crank_flat_variable *x = &w->flat->variable[i];
        if (x->before >= 0) {
            value[d->before_count] = x->role == CRANK_FLAT_ELIMINATED ? x->value : x->symbol;
            d->before_column[d->before_count] = w->number[x->before];
            d->before_made[d->before_count++] = x->made;
        }
    }
}

static crank_status make_updates(work *w)
{
    const crank_flat *flat = w->flat;
    crank_dae_discrete *d = w->file->discrete;
    const size_t updates = (size_t)flat->update_count, variables = (size_t)flat->variable_count;
    size_t messages = 0;
    for (int i = 0; i < flat->event_count; i++) {
        messages += (size_t)flat->event[i].action_count;
    }
    d->update =
        crank_store_take(w->store, 2 * updates + messages + variables, sizeof *d->update);
    d->update_column = crank_store_take(w->store, updates, sizeof *d->update_column);
    d->reinit_column = crank_store_take(w->store, updates, sizeof *d->reinit_column);
    d->message = crank_store_take(w->store, messages, sizeof *d->message);
    d->before_column = crank_store_take(w->store, variables, sizeof *d->before_column);
    d->before_made = crank_store_take(w->store, variables, sizeof *d->before_made);
    d->algebraic = crank_store_take(w->store, variables, sizeof *d->algebraic);
    d->discrete = crank_store_take(w->store, variables, sizeof *d->discrete);
    if (w->store->failed) {
        return no_memory(w);
    }
    crank_status status = CRANK_OK;
    for (int i = 0; i < flat->update_count; i++) {
        if (flat->update[i].condition < 0) {
            d->update_column[d->update_count] = w->number[flat->update[i].variable];
            d->update[d->update_count++] = flat->update[i].value;
        } else {
            d->reinit_count++;
        }
    }
    int next = 0;
    crank_ex *reinit = d->update + d->update_count;
    for (int i = 0; i < flat->update_count && status == CRANK_OK; i++) {
        if (flat->update[i].condition >= 0) {
            reinit[next] = flat->update[i].condition;
            status = reinit_target(w, &flat->update[i], &d->reinit_column[next],
                                   &reinit[d->reinit_count + next]);
            next++;
        }
    }
    add_messages(w, reinit + 2 * d->reinit_count);
    add_befores(w, reinit + 2 * d->reinit_count + d->message_count);
    for (int i = 0; i < flat->variable_count; i++) {
        if (w->number[i] >= 0) {
            d->discrete[w->number[i]] = flat->variable[i].role == CRANK_FLAT_DISCRETE;
        }
    }
    d->at_start = flat->at_start >= 0 ? w->number[flat->at_start] : -1;
    return status;
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

/* Booleans as conditions: 0.5 < b, so that values around 0 and 1 mean the same */
static crank_status put_conditions(work *w)
{
    crank_flat *flat = w->flat;
    const int size = crank_pool_size(flat->pool);
    crank_ex *by = crank_store_take(w->store, (size_t)size, sizeof *by);
    if (by == NULL) {
        return no_memory(w);
    }
    memset(by, -1, (size_t)size * sizeof *by);
    const crank_ex half = crank_ex_number(flat->pool, 0.5);
    for (int i = 0; i < flat->variable_count; i++) {
        const crank_flat_variable *x = &flat->variable[i];
        if (x->type == CRANK_FLAT_BOOLEAN && x->role == CRANK_FLAT_DISCRETE) {
            by[x->symbol] = crank_ex_call(flat->pool, CRANK_EX_LT, half, x->symbol, 0);
        }
    }
    crank_flat_substitute(flat, size, by);
    return crank_flat_status(flat, w->err);
}

static crank_status fill(work *w)
{
    w->file->discrete = crank_store_take(w->store, 1, sizeof *w->file->discrete);
    crank_status status = w->file->discrete != NULL ? put_conditions(w) : no_memory(w);
    CRANK_THEN(status, make_variables(w));
    CRANK_THEN(status, make_outputs(w));
    CRANK_THEN(status, make_parameters(w));
    CRANK_THEN(status, make_equations(w));
    CRANK_THEN(status, make_events(w));
    CRANK_THEN(status, make_updates(w));
    CRANK_THEN(status, make_simulate(w));
    CRANK_THEN(status, crank_dae_guess_memory(w->file, w->err));
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
    int column = 0;
    for (int i = 0; i < w->flat->variable_count; i++) {
        const crank_flat_variable *x = &w->flat->variable[i];
        if (w->number[i] >= 0 && !x->made && x->text[0] != '\0') {
            model->column_description[column] = crank_model_keep_text(model, x->text);
        }
        column += w->number[i] >= 0 && !x->made;
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
