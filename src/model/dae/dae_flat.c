/* dae_flat.c - see dae_flat.h: the records that dae_read.c makes of a file are made of a flat
 * DAE. Unknowns and discrete variables become variables, the latter with x' = 0; what was
 * eliminated becomes outputs. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/dae/dae_flat.h"

#include "base/number.h"
#include "base/then.h"
#include "model/dae/dae_fill.h"
#include "model/dae/dae_supply.h"
#include "model/events.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 2000 }; /* the analysis works with dense matrices */

/* of Booleans and Integers: the analysis looks at values around them, which mean the same */
static const double whole_size = 1e-3;

crank_status crank_dae_fill_no_memory(const crank_dae_fill *w)
{
    return crank_fail(w->err, CRANK_EMEM, "reading the model");
}

/* ---- nodes: places and texts ---- */

const crank_node *crank_dae_fill_node(const crank_dae_fill *w, crank_flat_place place,
                                      const char *text)
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
static const crank_node *unit_node(const crank_dae_fill *w, const crank_flat_variable *x)
{
    if (x->unit[0] == '\0') {
        return NULL;
    }
    crank_node *node = crank_store_take(w->store, 1, sizeof *node);
    const crank_node **list = crank_store_take(w->store, 2, sizeof *list);
    if (node == NULL || list == NULL) {
        return NULL;
    }
    list[0] = crank_dae_fill_node(w, x->place, "unit");
    list[1] = crank_dae_fill_node(w, x->place, x->unit);
    *node = (crank_node){.kind = CRANK_NODE_MAPPING,
                         .line = x->place.line,
                         .column = x->place.column,
                         .count = 1,
                         .key = list,
                         .item = list + 1};
    return node;
}

/* ---- numbers ---- */

static crank_status number_of(const crank_dae_fill *w, const crank_flat_variable *x,
                              const char *what, crank_ex ex, double *out)
{
    if (ex >= 0 && (!crank_ex_is_number(w->flat->pool, ex, out) || !isfinite(*out))) {
        return crank_fail_at(w->err, CRANK_EMODEL, x->place.line, x->place.column,
                             "\"%.80s\", %s: the value is not finite", x->name, what);
    }
    return CRANK_OK;
}

static crank_status check_range(const crank_dae_fill *w, const crank_flat_variable *x,
                                double start)
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

void crank_dae_fill_declare(crank_dae_fill *w, crank_ex symbol, int kind, int index,
                            const char *text)
{
    w->file->e.name[symbol] = (crank_name){
        .declared = true, .used = true, .kind = kind, .index = index, .text = text};
}

crank_status crank_dae_fill_variable(crank_dae_fill *w, int i, int j)
{
    crank_equations *e = &w->file->e;
    const crank_flat_variable *x = &w->flat->variable[i];
    double start = 0.0, nominal = 0.0;
    crank_status status =
        number_of(w, x, "start", x->start >= 0 ? x->start : x->derived, &start);
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
                         .key = crank_dae_fill_node(w, x->place, x->name),
                         .node = unit_node(w, x),
                         .symbol = x->symbol,
                         .start = start,
                         .hidden = x->made,
                         .fixing = x->fixed || x->role == CRANK_FLAT_DISCRETE ? CRANK_FIXED
                                   : x->guess                                 ? CRANK_FREE
                                              : CRANK_PREFERRED};
    w->file->fixing_given = w->file->fixing_given || x->fixed;
    w->file->variable[j] = x->symbol;
    w->file->start[j] = start;
    w->file->nominal_given[j] = x->nominal >= 0;
    w->file->nominal[j] = x->nominal >= 0              ? fabs(nominal)
                          : x->type != CRANK_FLAT_REAL ? whole_size
                                                       : 1.0 + fabs(start);
    crank_dae_fill_declare(w, x->symbol, CRANK_P, j, x->name);
    return CRANK_OK;
}

crank_status crank_dae_fill_room(crank_dae_fill *w, int count)
{
    crank_equations *e = &w->file->e;
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
    w->file->nominal_given = crank_store_take(w->store, n, sizeof *w->file->nominal_given);
    if (w->store->failed || crank_pool_status(e->pool) != CRANK_OK) {
        return crank_dae_fill_no_memory(w);
    }
    crank_dae_fill_declare(w, e->t, CRANK_NAME_TIME, 0, "time");
    return CRANK_OK;
}

/* A Modelica model whose variables are all given by equations one by one, as time passes: an
 * unknown that does not change stands for the motion. */
static crank_status add_stand_in(const crank_dae_fill *w)
{
    crank_flat *flat = w->flat;
    bool any = flat->variable_count == 0 || w->from != NULL;
    for (int i = 0; i < flat->variable_count && !any; i++) {
        any = flat->variable[i].role != CRANK_FLAT_ELIMINATED;
    }
    const int made = any ? 0 : crank_flat_add_variable(flat, "(nothing moves)");
    if (made < 0) {
        return crank_dae_fill_no_memory(w);
    }
    if (!any) {
        flat->variable[made].role = CRANK_FLAT_DISCRETE;
        flat->variable[made].made = true;
    }
    return CRANK_OK;
}

static crank_status make_variables(crank_dae_fill *w)
{
    crank_equations *e = &w->file->e;
    crank_flat *flat = w->flat;
    int count = 0;
    const crank_status added = add_stand_in(w);
    if (added != CRANK_OK) {
        return added;
    }
    w->number = crank_store_take(w->store, (size_t)flat->variable_count, sizeof *w->number);
    for (int i = 0; i < flat->variable_count && w->number != NULL; i++) {
        const bool stays = flat->variable[i].role != CRANK_FLAT_ELIMINATED;
        w->number[i] = stays ? count++ : -1;
        if (stays) {
            (void)crank_flat_rate(flat, i);
        }
    }
    if (w->number == NULL) {
        return crank_dae_fill_no_memory(w);
    }
    if (count > MOST) {
        return crank_fail(
            w->err, CRANK_EMODEL,
            "%d variables, after aliases have been taken out, and for this method a model may "
            "have %d (the analysis works with dense matrices); use --method inline-bdf",
            count, MOST);
    }
    crank_status status = crank_dae_fill_room(w, count);
    for (int i = 0; i < flat->variable_count && status == CRANK_OK; i++) {
        const int j = w->number[i];
        const crank_ex rate = flat->variable[i].rate;
        if (j >= 0) {
            e->acceleration[j] = rate;
            crank_dae_fill_declare(w, rate, CRANK_NAME_ACCELERATION, j,
                                   crank_ex_symbol_name(e->pool, rate));
            status = crank_dae_fill_variable(w, i, j);
        }
    }
    return status;
}

static crank_status make_outputs(crank_dae_fill *w)
{
    crank_equations *e = &w->file->e;
    const crank_flat *flat = w->flat;
    e->output = crank_store_take(w->store, (size_t)flat->variable_count, sizeof *e->output);
    for (int i = 0; i < flat->variable_count && e->output != NULL; i++) {
        const crank_flat_variable *x = &flat->variable[i];
        if (w->number[i] < 0 && !x->made) {
            e->output[e->output_count++] =
                (crank_named){.name = x->name,
                              .key = crank_dae_fill_node(w, x->place, x->name),
                              .node = crank_dae_fill_node(w, x->place, x->text),
                              .ex = x->value,
                              .unit = x->unit};
        }
    }
    return w->store->failed ? crank_dae_fill_no_memory(w) : CRANK_OK;
}

static crank_status make_parameters(crank_dae_fill *w)
{
    crank_equations *e = &w->file->e;
    const crank_flat *flat = w->flat;
    e->definition =
        crank_store_take(w->store, (size_t)flat->parameter_count, sizeof *e->definition);
    for (int i = 0; i < flat->parameter_count && e->definition != NULL; i++) {
        const crank_flat_parameter *p = &flat->parameter[i];
        e->definition[i] = (crank_definition){.name = p->name,
                                              .key = crank_dae_fill_node(w, p->place, p->name),
                                              .kind = CRANK_NAME_PARAMETER,
                                              .symbol = p->symbol,
                                              .value = crank_ex_number(e->pool, p->number),
                                              .state = 2};
        crank_dae_fill_declare(w, p->symbol, CRANK_NAME_PARAMETER, i, p->name);
    }
    e->definition_count = flat->parameter_count;
    return w->store->failed ? crank_dae_fill_no_memory(w) : CRANK_OK;
}

/* ---- equations ---- */

/* "line 12", "r1, line 12": how messages name it */
const char *crank_dae_fill_name(const crank_dae_fill *w, const crank_flat_equation *q)
{
    char place[CRANK_FLAT_PLACE_TEXT];
    return crank_store_print(w->store, "%s%s%s", q->origin, q->origin[0] != '\0' ? ", " : "",
                             crank_flat_print_place(w->flat, q->place, place));
}

static crank_status make_equations(crank_dae_fill *w)
{
    crank_dae_file *file = w->file;
    crank_pool *p = file->e.pool;
    const crank_flat *flat = w->flat;
    const size_t most = (size_t)flat->equation_count + (size_t)flat->variable_count;
    file->equation = crank_store_take(w->store, most, sizeof *file->equation);
    if (file->equation == NULL) {
        return crank_dae_fill_no_memory(w);
    }
    for (int i = 0; i < flat->equation_count; i++) {
        const crank_flat_equation *q = &flat->equation[i];
        const crank_node *place = crank_dae_fill_node(w, q->place, "");
        file->equation[file->equation_count++] =
            (crank_dae_equation){.name = crank_dae_fill_name(w, q),
                                 .place = place,
                                 .node = place,
                                 .prescribed = -1,
                                 .ex = crank_ex_sub(p, q->left, q->right)};
    }
    for (int i = 0; i < flat->variable_count; i++) {
        const crank_flat_variable *x = &flat->variable[i];
        if (x->role == CRANK_FLAT_DISCRETE) { /* constant between events */
            const crank_node *place = crank_dae_fill_node(w, x->place, x->name);
            file->equation[file->equation_count++] = (crank_dae_equation){.name = x->name,
                                                                          .place = place,
                                                                          .node = place,
                                                                          .prescribed = -1,
                                                                          .ex = x->rate};
        }
    }
    return w->store->failed ? crank_dae_fill_no_memory(w) : CRANK_OK;
}

/* conditions at the start */
static crank_status make_conditions(crank_dae_fill *w)
{
    crank_dae_file *file = w->file;
    crank_pool *p = file->e.pool;
    const crank_flat *flat = w->flat;
    const size_t initial = (size_t)flat->initial_count;
    file->initial = crank_store_take(w->store, initial, sizeof *file->initial);
    file->initial_name = crank_store_take(w->store, initial, sizeof *file->initial_name);
    file->initial_place = crank_store_take(w->store, initial, sizeof *file->initial_place);
    for (int i = 0; i < flat->initial_count && !w->store->failed; i++) {
        const crank_flat_equation *q = &flat->initial[i];
        file->initial[i] = crank_ex_sub(p, q->left, q->right);
        file->initial_name[i] = crank_dae_fill_name(w, q);
        file->initial_place[i] = crank_dae_fill_node(w, q->place, "");
    }
    file->initial_count = flat->initial_count;
    return w->store->failed ? crank_dae_fill_no_memory(w) : CRANK_OK;
}

/* ---- the run ---- */

static crank_status make_simulate(crank_dae_fill *w)
{
    crank_simulate *s = &w->file->e.simulate;
    const crank_flat *flat = w->flat;
    if (w->from != NULL) {
        *s = w->from->simulate;
        return CRANK_OK;
    }
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
            return crank_dae_fill_no_memory(w);
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
static crank_status put_conditions(crank_dae_fill *w)
{
    crank_flat *flat = w->flat;
    const int size = crank_pool_size(flat->pool);
    crank_ex *by = crank_store_take(w->store, (size_t)size, sizeof *by);
    if (by == NULL) {
        return crank_dae_fill_no_memory(w);
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

crank_status crank_dae_fill_begin(crank_dae_fill *w)
{
    w->file->discrete = crank_store_take(w->store, 1, sizeof *w->file->discrete);
    return w->file->discrete != NULL ? put_conditions(w) : crank_dae_fill_no_memory(w);
}

crank_status crank_dae_fill_all(crank_dae_fill *w)
{
    crank_status status = CRANK_OK;
    CRANK_THEN(status, w->in != NULL ? crank_dae_fill_unknowns(w) : make_variables(w));
    CRANK_THEN(status, make_outputs(w));
    w->file->e.view = w->from != NULL ? w->from->view : NULL;
    CRANK_THEN(status, make_parameters(w));
    CRANK_THEN(status, w->in != NULL ? CRANK_OK : make_equations(w));
    CRANK_THEN(status, make_conditions(w));
    CRANK_THEN(status, crank_dae_fill_events(w));
    CRANK_THEN(status, crank_dae_fill_updates(w));
    CRANK_THEN(status, make_simulate(w));
    CRANK_THEN(status, crank_dae_guess_memory(w->file, w->err));
    return status == CRANK_OK && w->in == NULL ? crank_dae_split_equations(w->file, w->err)
                                               : status;
}

crank_dae_file crank_dae_fill_open(crank_store *store, const crank_model_source *source,
                                   const crank_flat *flat)
{
    return (crank_dae_file){.modelica = source->modelica != NULL,
                            .e = {.store = store,
                                  .document = source->document,
                                  .options = source->options,
                                  .path = source->path,
                                  .files = source->files,
                                  .general = true,
                                  .title = flat->title,
                                  .t = flat->t,
                                  .pool = flat->pool}};
}

/* Variables of Modelica have values, also those that an equation gives by itself. */
static void keep_places(crank_model *model, const crank_dae_fill *w)
{
    const crank_flat *flat = w->flat;
    int count = 0;
    model->must_have = crank_store_take(&model->store, (size_t)w->file->e.output_count,
                                        sizeof *model->must_have);
    for (int i = 0; i < flat->variable_count && model->must_have != NULL; i++) {
        const crank_flat_variable *x = &flat->variable[i];
        if (w->number[i] < 0 && !x->made) { /* as in make_outputs */
            const char *file = crank_flat_file_of(flat, x->place);
            model->must_have[count++] =
                (crank_place){x->place.line % CRANK_FLAT_LINES, x->place.column,
                              file != NULL ? crank_model_keep_text(model, file) : NULL};
        }
    }
}

/* what the declarations say about columns */
crank_status crank_dae_fill_describe(crank_model *model, const crank_dae_fill *w)
{
    const crank_flat *flat = w->flat;
    int *variable = crank_store_take(w->store, (size_t)model->eom->n, sizeof *variable);
    if (variable == NULL) {
        return crank_dae_fill_no_memory(w);
    }
    for (int i = 0; i < flat->variable_count; i++) {
        if (w->number[i] >= 0) {
            variable[w->number[i]] = i;
        }
    }
    for (int k = 0; k < model->variable_columns; k++) {
        const crank_flat_variable *x = &flat->variable[variable[model->source[k]]];
        if (x->text[0] != '\0') {
            model->column_description[k] = crank_model_keep_text(model, x->text);
        }
    }
    model->title = crank_model_keep_text(model, flat->title);
    if (w->from == NULL) {
        keep_places(model, w);
    }
    return model->store.failed ? crank_dae_fill_no_memory(w) : CRANK_OK;
}

crank_status crank_dae_make_flat(crank_model *model, const crank_model_source *source,
                                 crank_flat *flat, crank_error *err)
{
    crank_store store = {0};
    crank_dae_file file = crank_dae_fill_open(&store, source, flat);
    crank_dae_fill w = {.flat = flat, .file = &file, .store = &store, .err = err};
    crank_status status = crank_dae_fill_begin(&w);
    CRANK_THEN(status, crank_dae_fill_all(&w));
    CRANK_THEN(status, crank_dae_complete(model, &file, err));
    CRANK_THEN(status, crank_dae_fill_describe(model, &w));
    crank_store_free(&store);
    return status;
}

crank_status crank_dae_check_flat(const crank_model_source *source, crank_flat *flat,
                                  bool formulas, crank_text *text, bool *fine, crank_error *err)
{
    crank_store store = {0};
    crank_dae_file file = crank_dae_fill_open(&store, source, flat);
    crank_dae_fill w = {.flat = flat, .file = &file, .store = &store, .err = err};
    crank_status status = crank_dae_fill_begin(&w);
    CRANK_THEN(status, crank_dae_fill_all(&w));
    *fine = false;
    CRANK_THEN(status, crank_dae_describe_file(&file, formulas, text, fine, err));
    crank_store_free(&store);
    return status;
}
