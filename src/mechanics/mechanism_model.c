/* mechanism_model.c - a `crank: mechanism` file as a model: read, built, made an eom, with its
 * columns of results. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/events.h"
#include "mechanics/scene.h"
#include "model/model.h"
#include "model/switches.h"

#include <string.h>

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "reading the mechanism");
}

static crank_status read_mechanism(crank_mechanism *m, const crank_model_source *source,
                                   crank_error *err)
{
    const crank_record_type *const *joints, *const *forces;
    return crank_types_list(m->store, &joints, &forces)
               ? crank_mechanism_read(m, source->document, source->path, joints, forces, err)
               : no_memory(err);
}

/* There must be something that moves. */
static crank_status check_content(const crank_mechanism *m, const crank_document *document,
                                  crank_error *err)
{
    return m->body_count > 0 || m->dynamic_count > 0
               ? CRANK_OK
               : crank_fail_node(err, CRANK_EMODEL, document->root,
                                 "bodies: neither bodies nor dynamic variables are given");
}

/* the line in which the file gives an option; 0: it does not */
static int option_line(const crank_simulate *simulate, const char *name)
{
    for (int i = 0; i < simulate->option_count; i++) {
        if (strcmp(simulate->options[i].name, name) == 0) {
            return simulate->option_line[i];
        }
    }
    return 0;
}

/* What equations files can and mechanisms cannot. */
static crank_status check_options(const crank_mechanism *m, crank_error *err)
{
    if (m->options->compile) {
        return crank_fail(
            err, CRANK_EREFUSED,
            "mechanisms are not compiled; leave out --compile (it is for equations "
            "files)");
    }
    if (m->options->accelerations == CRANK_ACCELERATIONS_ELIMINATE ||
        m->accelerations == CRANK_ACCELERATIONS_ELIMINATE) {
        return crank_fail_at(
            err, CRANK_EREFUSED, option_line(&m->simulate, "accelerations"), 0,
            "accelerations=eliminate (which geoms and gmkssol ask for): mechanisms "
            "carry their accelerations, so that everything stays sparse; use psf-radau "
            "or peom1-radau, and accelerations=carry or none");
    }
    return CRANK_OK;
}

/* ---- the model ---- */

static crank_status columns_at(const crank_model *model, void *self, double t, const double *x,
                               double *values, crank_error *err)
{
    crank_system *s = self;
    (void)model;
    return crank_output_evaluate(s->output, s, t, x, values, err);
}

/* The run starts at (t, x): turns are counted from the start values' angles on. */
static crank_status begin(void *self, double t, const double *x, crank_error *err)
{
    crank_system *s = self;
    crank_system_rewind(s);
    return crank_system_accepted(s, t, x, err);
}

static crank_status share(const crank_model *model, crank_eom *eom, crank_error *err)
{
    crank_system *made;
    return crank_system_share(model->eom->self, eom, &made, err);
}

/* they come first in memory */
static double *parameters(void *self, double **start)
{
    *start = ((crank_system *)self)->memory_start;
    return ((crank_system *)self)->memory;
}

static const crank_model_functions functions = {share, columns_at, begin, parameters,
                                                crank_system_feature_inputs};

static crank_status keep_unused(crank_model *model, const crank_mechanism *m, crank_error *err)
{
    model->unused =
        crank_store_take(&model->store, (size_t)m->unused_count, sizeof *model->unused);
    for (int i = 0; i < m->unused_count && model->unused != NULL; i++) {
        model->unused[i] = crank_model_keep_text(model, m->unused[i]);
    }
    model->unused_count = m->unused_count;
    return model->store.failed ? no_memory(err) : CRANK_OK;
}

static crank_status keep_following(crank_model *model, const crank_mechanism *m,
                                   crank_error *err)
{
    crank_ex *symbols = crank_store_take(m->store, (size_t)m->switched_count, sizeof *symbols);
    crank_follower *list = crank_store_take(m->store, (size_t)m->parameter_count, sizeof *list);
    if (symbols == NULL || list == NULL) {
        return no_memory(err);
    }
    for (int i = 0; i < m->switched_count; i++) {
        symbols[i] = m->switched[i].symbol;
    }
    for (int i = 0; i < m->parameter_count; i++) {
        list[i] = (crank_follower){m->parameter[i].name, m->parameter[i].ex};
    }
    return crank_model_keep_following(model, m->pool, m->switched_count, symbols,
                                      m->parameter_count, list, err);
}

static crank_status make_system(crank_model *model, crank_builder *b, crank_error *err)
{
    crank_energy_work work;
    crank_system *s = NULL;
    crank_status status = crank_builder_run(b, err);
    CRANK_THEN(status, crank_energy_build(b, &work, err));
    CRANK_THEN(status, crank_output_resolve(b, err));
    CRANK_THEN(status, crank_mechanism_events_resolve(b, err));
    CRANK_THEN(status, crank_system_create(b, &s, err));
    if (status != CRANK_OK) {
        return status;
    }
    const size_t n = (size_t)s->eom->n;
    model->eom = s->eom;
    model->start = crank_store_take(&model->store, n, sizeof *model->start);
    model->fixing = crank_store_take(&model->store, n, sizeof *model->fixing);
    if (model->store.failed) {
        return no_memory(err);
    }
    crank_system_start(s, b, model->start, model->fixing);
    status = crank_model_keep_simulate(model, &b->mechanism->simulate, err);
    CRANK_THEN(status, keep_unused(model, b->mechanism, err));
    for (int i = 0; i < b->mechanism->parameter_count && status == CRANK_OK; i++) {
        const crank_parameter_record *p = &b->mechanism->parameter[i];
        const bool baked = p->place >= 0 && b->mechanism->switched[p->place].baked;
        status = crank_model_keep_parameter(model, b->mechanism->parameter_count, p->name,
                                            p->value, p->place, baked)
                     ? CRANK_OK
                     : no_memory(err);
    }
    CRANK_THEN(status, keep_following(model, b->mechanism, err));
    CRANK_THEN(status, crank_model_keep_files(model, b->mechanism->files->first, err));
    CRANK_THEN(status, crank_output_create(b, s, &work, model->simulate.t_start, model->start,
                                           model->fixing, err));
    if (status == CRANK_OK) {
        model->column_count = s->output->column_count;
        model->column_name = s->output->column_name;
        model->column_unit = s->output->column_unit;
        model->column_description = s->output->column_description;
        status = crank_mechanism_scene(model, b, s->output, err);
    }
    CRANK_THEN(status, crank_mechanism_events_create(model, b, s, err));
    CRANK_THEN(status, crank_mechanism_keep_features(model, b, s, err));
    return status;
}

static crank_status keep_switches(crank_model *model, const crank_mechanism *m,
                                  crank_error *err)
{
    const size_t count = (size_t)m->switched_count;
    crank_ex *symbol = crank_store_take(m->store, count, sizeof *symbol);
    for (size_t i = 0; i < count && symbol != NULL; i++) {
        symbol[i] = m->switched[i].symbol;
    }
    return m->store->failed ? no_memory(err)
                            : crank_model_keep_switches(model, m->pool, m->t, m->switched_count,
                                                        symbol, err);
}

crank_status crank_mechanism_make(crank_model *model, const crank_model_source *source,
                                  crank_error *err)
{
    crank_store store = {0};
    crank_mechanism m = {.store = &store,
                         .options = source->options,
                         .files = source->files,
                         .pool = crank_pool_create()};
    crank_builder b = {0};
    model->functions = &functions;
    crank_status status = m.pool != NULL ? read_mechanism(&m, source, err) : no_memory(err);
    CRANK_THEN(status, check_content(&m, source->document, err));
    CRANK_THEN(status, check_options(&m, err));
    if (status == CRANK_OK) {
        status = crank_builder_init(&b, &m, err);
        CRANK_THEN(status, make_system(model, &b, err));
        CRANK_THEN(status, keep_switches(model, &m, err));
        crank_builder_free(&b);
    }
    if (m.pool != NULL) {
        crank_pool_destroy(m.pool);
    }
    crank_store_free(&store);
    return status;
}
