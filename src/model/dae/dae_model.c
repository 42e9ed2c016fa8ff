/* dae_model.c - a `crank: dae` file as a model: analysed, refused with a reason where no motion
 * follows, made into an eom, theory (10.11). */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "model/dae/dae_supply.h"
#include "model/features.h"
#include "model/model.h"
#include "model/switches.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* equations up to which `crank check` looks for the strangeness index in the derivative
 * array */
enum { DERIVATIVE_ARRAY = 60 };
/* start values this much larger than what they become are no sizes */
static const double too_far = 1e4;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "reading the model");
}

/* The input of the analysis; its arrays are the file's. */
static crank_dae_input input_of(const crank_dae_file *file)
{
    const crank_equations *e = &file->e;
    return (crank_dae_input){.pool = e->pool,
                             .equations = file->equation_count,
                             .variables = e->count[CRANK_P],
                             .variable = file->variable,
                             .t = e->t,
                             .E = file->E,
                             .k = file->k,
                             .equation_names = file->equation_name,
                             .start = file->start,
                             .t_start = e->simulate.t_start,
                             .nominal = file->nominal};
}

/* ---- no motion follows ---- */

/* Of Modelica there are as many equations as unknowns by then, so that some follow from others. */
static crank_status fail_dependent(const crank_dae_file *file, const crank_dae_report *report,
                                   const char *names, crank_error *err)
{
    char equations[300] = "", object[CRANK_OBJECT_TEXT];
    size_t used = 0;
    crank_dae_report *whole = NULL;
    crank_dae_input input = input_of(file);
    input.skip_hypothesis = true;
    const crank_status status = crank_dae_analyse(&input, &whole, err); /* names them, too */
    const int count = status == CRANK_OK ? whole->redundant_count : 0;
    for (int i = 0; i < count && used < sizeof equations - 100; i++) {
        used += (size_t)snprintf(equations + used, sizeof equations - used, "%s%.80s",
                                 i > 0 ? ", " : "",
                                 crank_dae_object(file, whole->redundant[i], object));
    }
    const crank_node *node = count > 0 ? file->equation[whole->redundant[0]].node
                                       : file->e.variable[CRANK_P][report->undetermined[0]].key;
    crank_dae_report_destroy(whole);
    return status != CRANK_OK
               ? status
               : crank_fail_node(err, CRANK_EMODEL, node,
                                 "the equations do not determine %s, though there are as many "
                                 "as unknowns%s%s%s: say something else about it (a circuit "
                                 "needs a ground, a train of parts something fixed)",
                                 names, count > 0 ? ": " : "", equations,
                                 count == 0  ? ""
                                 : count > 1 ? " follow from the others"
                                             : " follows from the others");
}

static crank_status fail_undetermined(const crank_dae_file *file,
                                      const crank_dae_report *report, crank_error *err)
{
    char names[200] = "", example[100];
    size_t used = 0;
    const int count = report->undetermined_count;
    for (int i = 0; i < count && used < sizeof names - 60; i++) {
        const int j = report->undetermined[i];
        used += (size_t)snprintf(names + used, sizeof names - used, "%s\"%.40s\"",
                                 i > 0 ? ", " : "", file->e.variable[CRANK_P][j].name);
    }
    if (file->modelica) {
        return fail_dependent(file, report, names, err);
    }
    (void)snprintf(example, sizeof example, "prescribe: {%.40s: sin(t)}",
                   file->e.variable[CRANK_P][report->undetermined[0]].name);
    return crank_fail(err, CRANK_EMODEL,
                      "the equations do not determine all variables: %s%s must be prescribed, "
                      "for example \"%s\"",
                      names, used >= sizeof names - 60 && count > 1 ? ", ..." : "", example);
}

/* A variable that was moved so far onto the constraints that sizes from around its start say
 * nothing; -1: none. */
static int far_off(const crank_dae_file *file, const crank_dae_report *report)
{
    for (int j = 0; j < file->e.count[CRANK_P]; j++) {
        if (fabs(file->start[j]) > too_far * (1.0 + fabs(report->point[j]))) {
            return j;
        }
    }
    return -1;
}

static crank_status fail_far_off(const crank_dae_file *file, const crank_dae_report *report,
                                 int j, crank_error *err)
{
    return crank_fail(
        err, CRANK_EMODEL,
        "no motion was found: \"%.60s\" started far off, at %g, and was moved to %g "
        "to satisfy the constraints; start nearer",
        file->e.variable[CRANK_P][j].name, file->start[j], report->point[j]);
}

static crank_status refuse(const crank_dae_file *file, const crank_dae_report *report,
                           crank_error *err)
{
    if (report->outcome != CRANK_DAE_COMPLETE) {
        return crank_fail(err, CRANK_EMODEL, "%s", report->reason);
    }
    const bool singular = !report->regular || report->singular;
    const int far = far_off(file, report);
    if ((singular || report->undetermined_count > 0) && far >= 0) {
        return fail_far_off(file, report, far, err);
    }
    if (singular) {
        return crank_fail(err, CRANK_EMODEL, "%s; start elsewhere", report->remark);
    }
    return report->undetermined_count > 0 ? fail_undetermined(file, report, err) : CRANK_OK;
}

/* what other kinds of files have and this one has not */
static crank_status refuse_options(const crank_dae_file *file, crank_error *err)
{
    if (file->e.options->compile) {
        return crank_fail(err, CRANK_EREFUSED,
                          "a dae file cannot be compiled: its rates come from a linear system; "
                          "leave --compile out");
    }
    if (file->e.accelerations == CRANK_ACCELERATIONS_CARRY) {
        return crank_fail(err, CRANK_EREFUSED,
                          "a dae file has no accelerations that could be carried; leave the "
                          "option accelerations out, and methods that carry them (psf-radau "
                          "does not)");
    }
    return CRANK_OK;
}

/* ---- the eom ---- */

static crank_place place_of(const crank_node *node)
{
    return node != NULL ? (crank_place){node->line, node->column, node->file}
                        : (crank_place){0};
}

/* 'equation "length"'; 'hidden constraint (level 1) of equation "length"' */
static const char *row_text(crank_model *model, const crank_dae_file *file, int equation,
                            int level)
{
    char object[CRANK_OBJECT_TEXT];
    (void)crank_dae_object(file, equation, object);
    return level > 0 ? crank_store_print(&model->store, "hidden constraint (level %d) of %s",
                                         level, object)
                     : crank_model_keep_text(model, object);
}

/* what messages say about rows: of A for the supplier, of the eom for everyone else */
static crank_status describe_rows(crank_model *model, const crank_dae_file *file,
                                  const crank_dae_report *report, crank_error *err)
{
    const crank_dae_reduced *reduced = &report->reduced;
    crank_store *store = &model->store;
    crank_eom *eom = model->eom;
    const int differential = reduced->differential_count, n = eom->n;
    const size_t rows = (size_t)differential + (size_t)reduced->constraint_count;
    crank_eom_dae *dae = crank_store_take(store, 1, sizeof *dae);
    const char **text = crank_store_take(store, rows, sizeof *text);
    crank_place *place = crank_store_take(store, rows, sizeof *place);
    crank_place *row =
        crank_store_take(store, (size_t)eom->m + (size_t)file->initial_count, sizeof *row);
    crank_place *column = crank_store_take(store, (size_t)n, sizeof *column);
    if (store->failed) {
        return no_memory(err);
    }
    for (int i = 0; i < (int)rows; i++) {
        const int c = i - differential;
        const int equation = c < 0 ? reduced->differential[i] : reduced->constraint_equation[c];
        text[i] = row_text(model, file, equation, c < 0 ? 0 : reduced->constraint_level[c]);
        place[i] = place_of(file->equation[equation].place);
        if (c >= 0) {
            row[eom->row[CRANK_ROW_N] + c] = place[i];
        }
    }
    for (int j = 0; j < n; j++) {
        column[j] = place_of(file->e.variable[CRANK_P][j].key);
        row[eom->row[CRANK_ROW_KIN] + j] = column[j];
    }
    for (int i = 0; i < file->initial_count; i++) {
        row[eom->m + i] = place_of(file->initial_place[i]);
    }
    *dae = (crank_eom_dae){.differential = differential, .text = text, .place = place};
    dae->level = crank_model_keep(model, reduced->constraint_level,
                                  (size_t)reduced->constraint_count, sizeof *dae->level);
    if (!file->fixing_given && !report->consistent) {
        dae->given = crank_model_keep(model, file->start, (size_t)n, sizeof *dae->given);
        dae->point = crank_model_keep(model, report->point, (size_t)n, sizeof *dae->point);
    }
    eom->dae = dae;
    eom->row_place = row;
    eom->column_place = column;
    return store->failed ? no_memory(err) : CRANK_OK;
}

static crank_status make_eom(crank_model *model, crank_dae_file *file,
                             const crank_dae_report *report, crank_error *err)
{
    crank_store *store = file->e.store;
    const int n = file->e.count[CRANK_P], constraints = report->reduced.constraint_count;
    const crank_eom_sizes sizes = {.p = n, .n = constraints, .initial = file->initial_count};
    const char **name = crank_store_take(store, (size_t)n, sizeof *name);
    const char **constraint = crank_store_take(store, (size_t)constraints, sizeof *constraint);
    const char *const *names[CRANK_GROUPS] = {[CRANK_P] = name};
    if (store->failed) {
        return no_memory(err);
    }
    for (int j = 0; j < n; j++) {
        name[j] = file->e.variable[CRANK_P][j].name;
    }
    for (int c = 0; c < constraints; c++) {
        constraint[c] = row_text(model, file, report->reduced.constraint_equation[c],
                                 report->reduced.constraint_level[c]);
        if (constraint[c] == NULL) {
            return no_memory(err);
        }
    }
    const crank_status status =
        crank_eom_allocate(&sizes, names, constraint, file->initial_name, &model->eom, err);
    return status == CRANK_OK ? describe_rows(model, file, report, err) : status;
}

/* variables whose derivatives are in no equation are guesses unless the file says otherwise */
static crank_status keep_start(crank_model *model, const crank_dae_file *file, crank_error *err)
{
    const int n = file->e.count[CRANK_P];
    model->start = crank_model_keep(model, file->start, (size_t)n, sizeof *file->start);
    model->fixing = crank_store_take(&model->store, (size_t)n, sizeof *model->fixing);
    if (model->store.failed) {
        return no_memory(err);
    }
    for (int j = 0; j < n; j++) {
        bool algebraic = true;
        for (int i = 0; i < file->equation_count && algebraic; i++) {
            algebraic = crank_ex_is_value(file->e.pool,
                                          file->E[(size_t)i * (size_t)n + (size_t)j], 0.0);
        }
        if (file->discrete != NULL) {
            file->discrete->algebraic[j] = algebraic;
        }
        const crank_variable *x = &file->e.variable[CRANK_P][j];
        const bool said = x->node != NULL && x->node->kind == CRANK_NODE_MAPPING &&
                          crank_node_find(x->node, "preferred") != NULL;
        model->fixing[j] =
            x->fixing == CRANK_PREFERRED && algebraic && !said ? CRANK_FREE : x->fixing;
        if (file->discrete != NULL && file->discrete->discrete[j]) {
            model->fixing[j] = CRANK_FREE; /* a guess: crank_dae_find_start */
        }
    }
    return CRANK_OK;
}

static const crank_model_functions functions = {.share = crank_dae_share,
                                                .columns = crank_dae_columns};
static const crank_model_functions functions_with_memory = {
    .share = crank_dae_share, .columns = crank_dae_columns, .find_start = crank_dae_find_start};

static crank_status make(crank_model *model, crank_dae_file *file,
                         const crank_dae_report *report, crank_error *err)
{
    crank_dae_supplier *supplier = NULL;
    crank_status status = refuse(file, report, err);
    CRANK_THEN(status, make_eom(model, file, report, err));
    CRANK_THEN(status, crank_dae_keep_discrete(model, file, err));
    CRANK_THEN(status, crank_dae_make_events(model, file, err));
    CRANK_THEN(status, crank_dae_supply(file, report, model->eom, &supplier, err));
    if (status == CRANK_OK) {
        crank_dae_connect_events(model);
        status = keep_start(model, file, err);
    }
    CRANK_THEN(status, crank_model_keep_simulate(model, &file->e.simulate, err));
    CRANK_THEN(status, crank_equations_columns(model, &file->e, err));
    CRANK_THEN(status, crank_equations_parameters(model, &file->e, err));
    CRANK_THEN(status, crank_equations_unused(model, &file->e, err));
    return status == CRANK_OK ? crank_equations_scene(model, &file->e, err) : status;
}

/* ---- reading ---- */

static crank_dae_file open_file(crank_store *store, const crank_model_source *source)
{
    return (crank_dae_file){.e = {.store = store,
                                  .document = source->document,
                                  .options = source->options,
                                  .path = source->path,
                                  .files = source->files,
                                  .general = true,
                                  .pool = crank_pool_create()}};
}

static void close_file(crank_dae_file *file)
{
    if (file->e.pool != NULL) {
        crank_pool_destroy(file->e.pool);
    }
    crank_store_free(file->e.store);
}

crank_status crank_dae_complete(crank_model *model, crank_dae_file *file, crank_error *err)
{
    crank_dae_report *report = NULL;
    crank_pool *pool = file->e.pool;
    model->functions = file->discrete != NULL ? &functions_with_memory : &functions;
    crank_status status = refuse_options(file, err);
    if (status == CRANK_OK) {
        crank_dae_input input = input_of(file);
        input.skip_hypothesis = input.skip_redundant = true;
        status = crank_dae_analyse(&input, &report, err);
    }
    CRANK_THEN(status, make(model, file, report, err));
    CRANK_THEN(status, crank_model_keep_switches(model, pool, file->e.t, 0, NULL, err));
    CRANK_THEN(status, crank_model_find_features(model, pool, file->e.t, file->variable, 0,
                                                 NULL, file->equation_count, file->k, err));
    crank_dae_report_destroy(report);
    return status;
}

crank_status crank_dae_make(crank_model *model, const crank_model_source *source,
                            crank_error *err)
{
    crank_store store = {0};
    crank_dae_file file = open_file(&store, source);
    crank_status status = file.e.pool != NULL ? crank_dae_read(&file, err) : no_memory(err);
    CRANK_THEN(status, crank_dae_complete(model, &file, err));
    close_file(&file);
    return status;
}

crank_status crank_dae_describe_file(crank_dae_file *file, bool formulas, crank_text *text,
                                     bool *fine, crank_error *err)
{
    crank_dae_report *report = NULL;
    crank_error reason = {0};
    crank_dae_input input = input_of(file);
    input.skip_hypothesis = input.equations > DERIVATIVE_ARRAY;
    crank_status status = crank_dae_analyse(&input, &report, err);
    if (status == CRANK_OK) {
        crank_dae_describe(&input, report, text);
        status = formulas ? crank_dae_formulas(&input, report, text, err) : CRANK_OK;
        *fine = refuse(file, report, &reason) == CRANK_OK;
        status = text->failed ? no_memory(err) : status;
    }
    crank_dae_report_destroy(report);
    return status;
}

crank_status crank_dae_check(const crank_model_source *source, bool formulas, crank_text *text,
                             bool *fine, crank_error *err)
{
    crank_store store = {0};
    crank_dae_file file = open_file(&store, source);
    crank_status status = file.e.pool != NULL ? crank_dae_read(&file, err) : no_memory(err);
    *fine = false;
    CRANK_THEN(status, crank_dae_describe_file(&file, formulas, text, fine, err));
    close_file(&file);
    return status;
}
