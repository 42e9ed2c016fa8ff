/* equations_model.c - a `crank: equations` file as a model: columns of results, start values,
 * places. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "model/equations/equations_supplier.h"
#include "model/features.h"
#include "model/model.h"
#include "model/switches.h"

#include <stdlib.h>

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "reading the model");
}

static const char *const column_kind[CRANK_GROUPS] = {
    [CRANK_P] = "position",
    [CRANK_V] = "velocity",
    [CRANK_R] = "dynamic variable",
    [CRANK_W] = "auxiliary variable",
    [CRANK_S] = "contact variable",
    [CRANK_LAMBDA] = "multiplier of constraint ",
    [CRANK_MU] = "multiplier of constraint ",
};

crank_status crank_equations_unit(const crank_variable *x, const char **unit, crank_error *err)
{
    const crank_node *node = x->node != NULL && x->node->kind == CRANK_NODE_MAPPING
                                 ? crank_node_find(x->node, "unit")
                                 : NULL;
    *unit = "";
    if (node == NULL) {
        return CRANK_OK;
    }
    if (node->kind != CRANK_NODE_SCALAR) {
        return crank_fail_at(err, CRANK_EMODEL, node->line, node->column,
                             "%.80s: unit: a text such as \"m/s\", not %s", x->name,
                             crank_node_describe(node));
    }
    *unit = node->text;
    return CRANK_OK;
}

const char *crank_equations_column_text(crank_store *store, crank_group group,
                                        const crank_variable *x)
{
    const bool multiplier = group == CRANK_LAMBDA || group == CRANK_MU;
    return multiplier ? crank_store_print(store, "%s%s", column_kind[group], x->label)
                      : column_kind[group];
}

static crank_status describe_variable(crank_model *model, int column, crank_group group,
                                      const crank_variable *x, crank_error *err)
{
    const char *unit = "";
    model->column_description[column] = crank_equations_column_text(&model->store, group, x);
    const crank_status status = crank_equations_unit(x, &unit, err);
    model->column_unit[column] = crank_model_keep_text(model, unit);
    return status;
}

static const char *output_text(crank_model *model, const crank_named *output)
{
    const crank_node *node = output->node;
    return node != NULL && node->kind == CRANK_NODE_SCALAR
               ? crank_model_keep_text(model, node->text)
               : "";
}

/* columns of a result: the user's order, multipliers, outputs; carried accelerations are left
 * out */
crank_status crank_equations_columns(crank_model *model, const crank_equations *e,
                                     crank_error *err)
{
    static const crank_group order[] = {CRANK_P, CRANK_V,      CRANK_R, CRANK_W,
                                        CRANK_S, CRANK_LAMBDA, CRANK_MU};
    const size_t count = (size_t)model->eom->n + (size_t)e->output_count;
    crank_status status = CRANK_OK;
    model->column_name = crank_store_take(&model->store, count, sizeof *model->column_name);
    model->column_unit = crank_store_take(&model->store, count, sizeof *model->column_unit);
    model->column_description =
        crank_store_take(&model->store, count, sizeof *model->column_description);
    model->source = crank_store_take(&model->store, count, sizeof *model->source);
    if (model->store.failed) {
        return no_memory(err);
    }
    int k = 0;
    for (size_t g = 0; g < sizeof order / sizeof order[0]; g++) {
        for (int i = 0; i < e->count[order[g]] && status == CRANK_OK; i++) {
            const crank_variable *x = &e->variable[order[g]][i];
            if (x->hidden) {
                continue;
            }
            model->column_name[k] = crank_model_keep_text(model, x->name);
            model->source[k] = model->eom->column[order[g]] + i;
            status = describe_variable(model, k, order[g], x, err);
            if (e->general) {
                model->column_description[k] = "variable";
            }
            k++;
        }
    }
    model->variable_columns = k;
    for (int i = 0; i < e->output_count && status == CRANK_OK; i++, k++) {
        model->column_name[k] = crank_model_keep_text(model, e->output[i].name);
        const int own = e->output_count - (e->view != NULL ? e->view->column_count : 0);
        const char *unit = e->output[i].unit;
        model->column_unit[k] = i >= own       ? e->view->column[i - own].unit
                                : unit != NULL ? crank_model_keep_text(model, unit)
                                               : "";
        model->column_description[k] =
            i < own
                ? output_text(model, &e->output[i])
                : crank_store_print(&model->store, "for the view: %s", e->output[i].node->text);
    }
    model->column_count = k;
    return status == CRANK_OK && model->store.failed ? no_memory(err) : status;
}

crank_status crank_equations_parameters(crank_model *model, const crank_equations *e,
                                        crank_error *err)
{
    crank_follower *list = calloc((size_t)e->definition_count + 1, sizeof *list);
    if (list == NULL) {
        return no_memory(err);
    }
    int count = 0;
    for (int i = 0; i < e->definition_count; i++) {
        if (e->definition[i].kind == CRANK_NAME_PARAMETER) {
            list[count++] = (crank_follower){e->definition[i].name, e->definition[i].value};
        }
    }
    const crank_status status = crank_model_keep_following(model, e->pool, e->switched_count,
                                                           e->switched, count, list, err);
    free(list);
    for (int i = 0; i < e->definition_count && status == CRANK_OK; i++) {
        const crank_definition *d = &e->definition[i];
        int place = -1;
        double value = 0.0;
        for (int k = 0; k < e->switched_count; k++) {
            place = e->switched[k] == d->symbol ? k : place;
        }
        (void)crank_ex_is_number(e->pool, crank_equations_at_start(e, d->value), &value);
        if (d->kind == CRANK_NAME_PARAMETER &&
            !crank_model_keep_parameter(model, e->definition_count, d->name, value, place,
                                        d->baked)) {
            return no_memory(err);
        }
    }
    return status;
}

crank_status crank_equations_unused(crank_model *model, const crank_equations *e,
                                    crank_error *err)
{
    model->unused =
        crank_store_take(&model->store, (size_t)e->definition_count + (size_t)e->table_count,
                         sizeof *model->unused);
    if (model->unused == NULL) {
        return no_memory(err);
    }
    for (int i = 0; i < e->definition_count; i++) {
        const crank_definition *d = &e->definition[i];
        if (e->name[d->symbol].used || d->kind == CRANK_NAME_OUTPUT) {
            continue;
        }
        char *text = crank_store_print(&model->store, "%s \"%s\"",
                                       crank_definition_word(d->kind), d->name);
        if (text == NULL) {
            return no_memory(err);
        }
        model->unused[model->unused_count++] = text;
        if (d->kind == CRANK_NAME_LET) {
            crank_log_write(&e->options->log, CRANK_WARNING,
                            "let \"%.80s\", line %d: nothing uses it", d->name, d->key->line);
        }
    }
    for (int i = 0; i < e->table_count; i++) {
        if (!e->table_used[i]) {
            char *text = crank_store_print(&model->store, "table \"%s\"", e->table[i].name);
            if (text == NULL) {
                return no_memory(err);
            }
            model->unused[model->unused_count++] = text;
        }
    }
    return CRANK_OK;
}

static crank_status keep_places(crank_model *model, const crank_equations *e, crank_error *err)
{
    crank_eom *eom = model->eom;
    const size_t rows = (size_t)eom->m + (size_t)eom->sizes.initial;
    crank_place *row = crank_store_take(&model->store, rows, sizeof *row);
    crank_place *column = crank_store_take(&model->store, (size_t)eom->n, sizeof *column);
    if (row == NULL || column == NULL) {
        return no_memory(err);
    }
    crank_equations_places(e, eom, row, column);
    eom->row_place = row;
    eom->column_place = column;
    eom->mass_place = crank_equations_mass_place(e);
    return CRANK_OK;
}

static crank_status make_equations(crank_model *model, crank_equations *e, crank_error *err)
{
    crank_hidden hidden;
    crank_rows rows = {0};
    crank_equations_supplier *supplier = NULL;
    crank_status status = crank_equations_read(e, err);
    CRANK_THEN(status, crank_equations_derive(e, &hidden, err));
    if (status == CRANK_OK) {
        status = crank_equations_rows(e, &hidden, &rows, err);
        model->eom = rows.eom;
    }
    CRANK_THEN(status, keep_places(model, e, err));
    CRANK_THEN(status, crank_equations_make_events(model, e, &hidden, &rows, err));
    CRANK_THEN(status, crank_equations_supply(e, &rows, &supplier, err));
    if (status == CRANK_OK) {
        crank_equations_connect_events(model, supplier);
        const size_t n = (size_t)model->eom->n;
        model->start = crank_model_keep(model, rows.start, n, sizeof *rows.start);
        model->fixing = crank_model_keep(model, rows.fixing, n, sizeof *rows.fixing);
        status = crank_model_keep_simulate(model, &e->simulate, err);
    }
    CRANK_THEN(status,
               crank_model_find_features(model, e->pool, e->t, rows.column, e->switched_count,
                                         e->switched, model->eom->m, rows.row, err));
    CRANK_THEN(status, crank_equations_columns(model, e, err));
    CRANK_THEN(status, crank_equations_parameters(model, e, err));
    CRANK_THEN(status, crank_equations_unused(model, e, err));
    return status == CRANK_OK ? crank_equations_scene(model, e, err) : status;
}

static crank_status columns_at(const crank_model *model, void *self, double t, const double *x,
                               double *values, crank_error *err)
{
    crank_equations_supplier *s = self;
    if (s->shares) {
        const crank_status status = crank_split_find(s->split, s->eom, t, x, err);
        if (status != CRANK_OK) {
            return status;
        }
        x = crank_split_share(s->split, s->eom, x);
    }
    for (int i = 0; i < model->variable_columns; i++) {
        values[i] = x[model->source[i]];
    }
    return crank_equations_outputs(self, t, x, values + model->variable_columns, err);
}

/* Rows show the smallest multipliers where constraints are redundant, unless forces read some
 * that are open: then the motion is that of those that were found. */
static crank_status begin_split(crank_equations_supplier *s, double t, const double *x,
                                crank_error *err)
{
    char read[200] = "";
    crank_error ignored = {0}; /* what is wrong with the start is told by those who need it */
    s->shares = false;
    if (s->split == NULL) {
        return CRANK_OK;
    }
    crank_status status = crank_split_find(s->split, s->eom, t, x, &ignored);
    if (status == CRANK_OK && s->split->redundant) {
        status = crank_eom_find_loads(s->eom, t, x, read, sizeof read, &ignored);
        s->shares = status == CRANK_OK && read[0] == '\0';
    }
    return status == CRANK_EMEM ? crank_fail(err, status, "%s", ignored.text) : CRANK_OK;
}

static crank_status begin(void *self, double t, const double *x, crank_error *err)
{
    crank_equations_rewind(self);
    const crank_status status = crank_equations_hold(self, t, x, err);
    return status == CRANK_OK ? begin_split(self, t, x, err) : status;
}

static crank_status share(const crank_model *model, crank_eom *eom, crank_error *err)
{
    return crank_equations_share(model->eom->self, eom, err);
}

static double *parameters(void *self, double **start)
{
    *start = ((crank_equations_supplier *)self)->parameter_start;
    return ((crank_equations_supplier *)self)->parameter;
}

static const crank_model_functions functions = {
    .share = share, .columns = columns_at, .begin = begin, .parameters = parameters};

crank_status crank_equations_make(crank_model *model, const crank_model_source *source,
                                  crank_error *err)
{
    crank_store store = {0};
    crank_equations e = {.store = &store,
                         .document = source->document,
                         .options = source->options,
                         .path = source->path,
                         .files = source->files};
    e.pool = crank_pool_create();
    model->functions = &functions;
    crank_status status = e.pool != NULL ? make_equations(model, &e, err) : no_memory(err);
    CRANK_THEN(status, crank_model_keep_switches(model, e.pool, e.t, e.switched_count,
                                                 e.switched, err));
    if (e.pool != NULL) {
        crank_pool_destroy(e.pool);
    }
    crank_store_free(&store);
    return status;
}
