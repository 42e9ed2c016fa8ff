/* asked.c - what the caller of a run asks for, and the model made again as he asks for it.
 *
 * How accelerations are treated must be known when a model is made, so a model whose method
 * asks for another treatment is made again. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run/run.h"

#include "base/options.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

crank_run_options crank_run_options_default(void)
{
    return (crank_run_options){.size = sizeof(crank_run_options), .t_end = (double)NAN};
}

static bool copy_text(crank_store *store, const char **text)
{
    if (*text != NULL) {
        *text = crank_store_copy(store, *text, strlen(*text));
        return *text != NULL;
    }
    return true;
}

static bool copy_settings(crank_store *store, const crank_setting **list, int count)
{
    crank_setting *copy = crank_store_take(store, (size_t)count + 1, sizeof *copy);
    bool good = copy != NULL;
    for (int i = 0; i < count && good; i++) {
        copy[i] = (*list)[i];
        good = copy_text(store, &copy[i].name) && copy_text(store, &copy[i].value);
    }
    *list = copy;
    return good;
}

crank_status crank_run_begin(const crank_run_options *options, crank_run **out,
                             crank_error *err)
{
    const crank_run_options defaults = crank_run_options_default();
    *out = NULL;
    if (options != NULL && options->size != sizeof *options) {
        return crank_fail(err, CRANK_EARG, "run options: not made by their default function");
    }
    crank_run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        return crank_fail(err, CRANK_EMEM, "a run");
    }
    run->asked = options != NULL ? *options : defaults;
    crank_run_options *a = &run->asked;
    if (a->events != NULL) {
        run->watched = *a->events;
    }
    if (!copy_text(&run->store, &a->method) || !copy_text(&run->store, &a->model) ||
        !copy_settings(&run->store, &a->settings, a->setting_count) ||
        !copy_settings(&run->store, &a->options, a->option_count)) {
        crank_run_close(run);
        return crank_fail(err, CRANK_EMEM, "a run");
    }
    *out = run;
    return CRANK_OK;
}

/* ---- the model ---- */

bool crank_run_is_inlined(const crank_run *run)
{
    return strncmp(run->formulation, "inline", strlen("inline")) == 0;
}

static crank_status remake_model(crank_run *run, crank_error *err);

crank_status crank_run_fall_back(crank_run *run, crank_error *err)
{
    crank_log_write(&run->asked.log, CRANK_WARNING,
                    "the equations are not inlined: %s; psf takes the place of %s", err->text,
                    run->formulation);
    *err = (crank_error){0};
    run->fallen_back = true;
    run->formulation = "psf";
    crank_status status = remake_model(run, err);
    crank_state_destroy(run->model_state);
    run->model_state = NULL;
    if (status == CRANK_OK) {
        status = crank_state_create(run->model, &run->model_state, err);
    }
    run->initialized = false;
    return status == CRANK_OK ? crank_run_take_state(run, err) : status;
}

/* Once more, as the run asks for it: with its settings behind those that a model of the caller
 * has. */
static crank_status remake_model(crank_run *run, crank_error *err)
{
    const crank_model_options *before = &run->model->options;
    const int more = run->made == NULL ? run->asked.setting_count : 0;
    const size_t count = (size_t)before->setting_count + (size_t)more;
    crank_setting *settings = crank_store_take(&run->store, count, sizeof *settings);
    if (settings == NULL) {
        return crank_fail(err, CRANK_EMEM, "a run");
    }
    for (int i = 0; i < before->setting_count; i++) {
        settings[i] = before->settings[i];
    }
    for (int i = 0; i < more; i++) {
        settings[before->setting_count + i] = run->asked.settings[i];
    }
    crank_model_options options = *before;
    options.settings = settings;
    options.setting_count = (int)count;
    options.accelerations = run->options.accelerations;
    options.coordinates = run->options.coordinates;
    options.orientation = run->options.orientation;
    options.compile = before->compile || run->asked.compile;
    options.inlined = crank_run_is_inlined(run);
    options.log = run->asked.log;
    crank_model *made = NULL;
    crank_status status = crank_model_remake(run->model, &options, &made, err);
    status = crank_run_blame_refusal(run, crank_model_simulate(run->model), status, err);
    if (status == CRANK_OK) {
        crank_model_destroy(run->made);
        run->model = run->made = made;
        status = crank_run_settle(run, crank_model_simulate(run->model), err);
    }
    return status;
}

/* Are accelerations treated in another way than the method asks for, or other coordinates
 * wanted? When a model is made, auto and default leave it to the file. */
static bool treats_otherwise(const crank_run *run)
{
    const crank_simulate *file = crank_model_simulate(run->model);
    const crank_model_options *asked = &run->model->options;
    const crank_options *wish = &run->options;
    crank_options made = crank_options_default();
    for (int i = 0; i < file->option_count; i++) {
        const char *name = file->options[i].name;
        if (strcmp(name, "accelerations") == 0 || strcmp(name, "coordinates") == 0 ||
            strcmp(name, "orientation") == 0) {
            (void)crank_options_set(&made, name, file->options[i].value, NULL);
        }
    }
    if (asked->accelerations != CRANK_ACCELERATIONS_AUTO) {
        made.accelerations = asked->accelerations;
    }
    if (asked->coordinates != CRANK_COORDINATES_DEFAULT) {
        made.coordinates = asked->coordinates;
    }
    if (asked->orientation != CRANK_ORIENTATION_AUTO) {
        made.orientation = asked->orientation;
    }
    return asked->inlined != crank_run_is_inlined(run) ||
           (wish->accelerations != CRANK_ACCELERATIONS_AUTO &&
            wish->accelerations != made.accelerations) ||
           (wish->coordinates != CRANK_COORDINATES_DEFAULT &&
            wish->coordinates != made.coordinates) ||
           (wish->orientation != CRANK_ORIENTATION_AUTO &&
            wish->orientation != made.orientation);
}

/* The model as the run asks for it, and its options. */
crank_status crank_run_settle_model(crank_run *run, crank_error *err)
{
    const crank_run_options *a = &run->asked;
    const crank_status status = crank_run_settle(run, crank_model_simulate(run->model), err);
    const bool more = run->made == NULL &&
                      (a->setting_count > 0 || (a->compile && !run->model->options.compile));
    return status == CRANK_OK && (more || treats_otherwise(run)) ? remake_model(run, err)
                                                                 : status;
}
