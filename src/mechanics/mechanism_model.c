/* mechanism_model.c - what a model made of a mechanism has: its functions, start values,
 * parameters, columns of results, scene, events; and what it refuses. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/mechanism_model.h"

#include "base/then.h"
#include "mechanics/assembly.h"
#include "mechanics/events.h"
#include "mechanics/known_start.h"
#include "mechanics/rolling_start.h"
#include "mechanics/scene.h"
#include "model/switches.h"

#include <string.h>

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "reading the mechanism");
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
    if (m->options->accelerations == CRANK_ACCELERATIONS_ELIMINATE ||
        m->treatment.accelerations == CRANK_ACCELERATIONS_ELIMINATE) {
        return crank_fail_at(
            err, CRANK_EREFUSED, option_line(&m->simulate, "accelerations"), 0,
            "accelerations=eliminate (which geoms and gmkssol ask for): mechanisms "
            "carry their accelerations, so that everything stays sparse; use psf-radau "
            "or peom1-radau, and accelerations=carry or none");
    }
    return CRANK_OK;
}

crank_status crank_mechanism_check(const crank_mechanism *m, const crank_document *document,
                                   crank_error *err)
{
    const crank_status status = check_content(m, document, err);
    return status == CRANK_OK ? check_options(m, err) : status;
}

/* ---- what it does ---- */

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

static crank_status assemble(void *self, double t, double *x, crank_initial_report *report,
                             crank_log log, crank_error *err)
{
    return crank_assembly_find(self, t, x, report, log, err);
}

static crank_eom *assembly(void *self, const double **given, const double **found,
                           const crank_fixing **fixing)
{
    return crank_assembly_values(((crank_system *)self)->assembly, given, found, fixing);
}

static crank_status find_start(void *self, double t, double *x, const crank_fixing *fixing,
                               double *reached, crank_initial_report *report, crank_log log,
                               crank_error *err)
{
    return crank_system_find_start(self, t, x, fixing, reached, report, log, err);
}

static crank_status place(void *self, double t, const double *values, double *x,
                          crank_error *err)
{
    crank_system *s = self;
    return crank_output_place(s->output, s, t, values, x, err);
}

static crank_status roll(void *self, double t, const double *own, double *x,
                         const crank_fixing *fixing, crank_error *err)
{
    crank_system *s = self;
    return s->assembly != NULL ? crank_assembly_roll(s, t, x, err)
                               : crank_system_roll_again(s, t, own, x, fixing, err);
}

static const crank_model_functions functions = {.share = share,
                                                .columns = columns_at,
                                                .begin = begin,
                                                .parameters = parameters,
                                                .inputs = crank_system_feature_inputs,
                                                .find_start = find_start,
                                                .place = place,
                                                .roll = roll};
static const crank_model_functions assembled_functions = {.share = share,
                                                          .columns = columns_at,
                                                          .begin = begin,
                                                          .parameters = parameters,
                                                          .inputs = crank_system_feature_inputs,
                                                          .find_start = find_start,
                                                          .assemble = assemble,
                                                          .assembly = assembly,
                                                          .place = place,
                                                          .roll = roll};

/* ---- what it keeps ---- */

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

static crank_status keep_parameters(crank_model *model, const crank_mechanism *m,
                                    crank_error *err)
{
    for (int i = 0; i < m->parameter_count; i++) {
        const crank_parameter_record *p = &m->parameter[i];
        const bool baked = p->place >= 0 && m->switched[p->place].baked;
        if (!crank_model_keep_parameter(model, m->parameter_count, p->name, p->value, p->place,
                                        baked)) {
            return no_memory(err);
        }
    }
    return keep_following(model, m, err);
}

crank_status crank_mechanism_keep(crank_model *model, crank_builder *b, crank_system *s,
                                  const crank_energy_work *work, crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    model->functions = s->assembly != NULL ? &assembled_functions : &functions;
    const size_t n = (size_t)s->eom->n;
    model->eom = s->eom;
    model->start = crank_store_take(&model->store, n, sizeof *model->start);
    model->fixing = crank_store_take(&model->store, n, sizeof *model->fixing);
    if (model->store.failed) {
        return no_memory(err);
    }
    crank_system_start(s, b, model->start, model->fixing);
    crank_status status = crank_model_keep_simulate(model, &m->simulate, err);
    CRANK_THEN(status, keep_unused(model, m, err));
    CRANK_THEN(status, keep_parameters(model, m, err));
    CRANK_THEN(status, crank_model_keep_files(model, m->files->first, err));
    CRANK_THEN(status, crank_output_create(b, s, work, model->simulate.t_start, model->start,
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
    CRANK_THEN(status, keep_switches(model, m, err));
    return status;
}
