/* equations_view.c - `title` and `view:` of an equations file: its expressions become the last
 * outputs. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/equations/equations.h"
#include "model/model.h"
#include "model/view/scene.h"

#include <stdlib.h>
#include <string.h>

enum { PLOTTED = 4 };

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "reading the view");
}

/* ---- reading ---- */

static crank_status read_number(void *user, const crank_node *node, const char *object,
                                double *out, crank_error *err)
{
    return crank_read_constant(user, node, object, out, err);
}

/* the name of an output alone means its column */
static crank_status read_expression(void *user, const crank_node *node, const char *object,
                                    crank_ex *out, crank_error *err)
{
    const crank_equations *e = user;
    const crank_name *name = crank_names_find(e, node->text);
    if (name != NULL && name->kind == CRANK_NAME_OUTPUT) {
        *out = crank_ex_symbol(e->pool, node->text);
        return CRANK_OK;
    }
    return crank_read_expression(user, node, CRANK_USE_IN_OUTPUTS, object, out, err);
}

/* a variable or an output by itself is a column already */
static const char *column_of(void *user, crank_ex ex)
{
    const crank_equations *e = user;
    const bool variable =
        crank_ex_symbol_name(e->pool, ex) != NULL && ex < e->name_count &&
        e->name[ex].declared &&
        (e->name[ex].kind < CRANK_GROUPS || e->name[ex].kind == CRANK_NAME_OUTPUT);
    return variable ? e->name[ex].text : NULL;
}

/* the outputs again, with those of the view behind them */
static crank_status add_outputs(crank_equations *e, crank_error *err)
{
    const crank_view *v = e->view;
    const size_t own = (size_t)e->output_count, more = (size_t)v->column_count;
    crank_named *output = crank_store_take(e->store, own + more, sizeof *output);
    if (output == NULL) {
        return no_memory(err);
    }
    if (own > 0) {
        memcpy(output, e->output, own * sizeof *output);
    }
    for (size_t i = 0; i < more; i++) {
        output[own + i] = (crank_named){.name = v->column[i].name,
                                        .key = v->column[i].node,
                                        .node = v->column[i].node,
                                        .ex = v->column[i].ex};
    }
    e->output = output;
    e->output_count += v->column_count;
    return CRANK_OK;
}

crank_status crank_equations_read_view(crank_equations *e, crank_error *err)
{
    const crank_node *root = e->document->root;
    const crank_node *view = crank_node_find(root, "view");
    crank_status status = crank_title_read(crank_node_find(root, "title"), &e->title, err);
    if (status != CRANK_OK || view == NULL) {
        return status;
    }
    const crank_view_reader reader = {.store = e->store,
                                      .pool = e->pool,
                                      .path = e->path,
                                      .files = e->files,
                                      .number = read_number,
                                      .expression = read_expression,
                                      .column = column_of,
                                      .user = e};
    status = crank_view_read(&reader, view, &e->view, err);
    return status == CRANK_OK && e->view != NULL ? add_outputs(e, err) : status;
}

/* ---- the scene ---- */

/* values of all columns at the start, in the store; NULL: no memory */
static double *start_values(crank_model *model, const crank_equations *e)
{
    crank_error ignored = {0};
    const size_t count = (size_t)model->column_count;
    double *values = crank_store_take(e->store, count, sizeof *values);
    if (values != NULL) {
        (void)model->functions->columns(model, model->eom->self, e->simulate.t_start,
                                        model->start, values, &ignored);
    }
    return values;
}

/* the first positions together, and the first velocities */
static int choose_plots(const crank_equations *e, crank_view_panel panel[2],
                        const char *name[2][PLOTTED])
{
    static const crank_group groups[] = {CRANK_P, CRANK_V};
    int count = 0;
    for (int g = 0; g < 2; g++) {
        const int n = e->count[groups[g]] < PLOTTED ? e->count[groups[g]] : PLOTTED;
        for (int i = 0; i < n; i++) {
            name[count][i] = e->variable[groups[g]][i].name;
        }
        if (n > 0) {
            panel[count] = (crank_view_panel){.count = n, .name = name[count]};
            count++;
        }
    }
    return count;
}

crank_status crank_equations_scene(crank_model *model, const crank_equations *e,
                                   crank_error *err)
{
    const crank_view *v = e->view;
    const char *name[2][PLOTTED];
    crank_view_panel panel[2];
    model->title = crank_model_keep_text(model, e->title);
    if (v == NULL) {
        return model->store.failed ? no_memory(err) : CRANK_OK;
    }
    const crank_scene_columns columns = {.count = model->column_count,
                                         .name = model->column_name,
                                         .start = start_values(model, e)};
    crank_scene scene = {.dimension = v->spatial ? 3 : 2, .follow = -1, .plot = panel};
    crank_scene_box box = {0};
    scene.up[scene.dimension - 1] = 1.0;
    scene.plot_count = choose_plots(e, panel, name);
    scene.body = crank_store_take(e->store, (size_t)v->body_count, sizeof *scene.body);
    if (scene.body == NULL || columns.start == NULL) {
        return no_memory(err);
    }
    crank_status status = crank_scene_apply(&scene, v, &columns, e->store, &box, err);
    if (status == CRANK_OK) {
        status = crank_model_keep_files(model, e->files->first, err);
    }
    if (status == CRANK_OK) {
        crank_scene_measure(&scene, &box, 0.0);
        status = crank_model_keep_scene(model, &scene, err);
    }
    return status;
}
