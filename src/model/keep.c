/* keep.c - copies of what a reading found that live as long as the model. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/inlined.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

const char *crank_model_keep_text(crank_model *model, const char *text)
{
    return text == NULL ? NULL : crank_store_copy(&model->store, text, strlen(text));
}

void *crank_model_keep(crank_model *model, const void *data, size_t count, size_t size)
{
    void *copy = crank_store_take(&model->store, count, size);
    if (copy != NULL && count > 0) {
        memcpy(copy, data, count * size);
    }
    return copy;
}

crank_status crank_model_keep_simulate(crank_model *model, const crank_simulate *from,
                                       crank_error *err)
{
    crank_simulate *s = &model->simulate;
    const size_t count = (size_t)from->option_count;
    crank_setting *options = crank_store_take(&model->store, count, sizeof *options);
    *s = *from;
    s->method = crank_model_keep_text(model, from->method);
    s->option_line = crank_model_keep(model, from->option_line, count, sizeof *s->option_line);
    s->options = options;
    for (size_t i = 0; options != NULL && i < count; i++) {
        options[i].name = crank_model_keep_text(model, from->options[i].name);
        options[i].value = crank_model_keep_text(model, from->options[i].value);
    }
    return model->store.failed ? crank_fail(err, CRANK_EMEM, "reading the model") : CRANK_OK;
}

/* ---- no code ---- */

typedef struct refusal {
    crank_inlined_source source; /* first */
    const char *reason;
} refusal;

static crank_status refuse(const crank_inlined_source *source, crank_eom *eom, int copies,
                           crank_log log, crank_inlined **out, crank_error *err)
{
    (void)eom, (void)copies, (void)log;
    *out = NULL;
    return crank_fail(err, CRANK_EREFUSED, "%s", ((const refusal *)source)->reason);
}

crank_status crank_model_refuse_inlined(crank_model *model, const char *reason,
                                        crank_error *err)
{
    refusal *r = crank_store_take(&model->store, 1, sizeof *r);
    const char *text = crank_model_keep_text(model, reason);
    if (r == NULL || text == NULL) {
        return crank_fail(err, CRANK_EMEM, "reading the model");
    }
    *r = (refusal){.source = {.open = refuse}, .reason = text};
    model->eom->inlined = &r->source;
    return CRANK_OK;
}

crank_status crank_model_keep_files(crank_model *model, const crank_named_file *files,
                                    crank_error *err)
{
    size_t count = 0;
    for (const crank_named_file *f = files; f != NULL; f = f->next) {
        count++;
    }
    model->file = crank_store_take(&model->store, count, sizeof *model->file);
    for (const crank_named_file *f = files; f != NULL && model->file != NULL; f = f->next) {
        model->file[model->file_count++] = crank_model_keep_text(model, f->path);
    }
    return model->store.failed ? crank_fail(err, CRANK_EMEM, "reading the model") : CRANK_OK;
}

bool crank_model_keep_parameter(crank_model *model, int capacity, const char *name,
                                double value, int place, bool baked)
{
    crank_store *store = &model->store;
    if (model->parameter == NULL) {
        const size_t most = (size_t)capacity;
        model->parameter = crank_store_take(store, most, sizeof *model->parameter);
        model->parameter_place = crank_store_take(store, most, sizeof *model->parameter_place);
    }
    if (store->failed) {
        return false;
    }
    const int i = model->parameter_count++;
    model->parameter_place[i] = place;
    model->parameter[i] = (crank_parameter){.name = crank_model_keep_text(model, name),
                                            .value = value,
                                            .in_place = place >= 0 && !baked};
    return !store->failed;
}

static bool follows(crank_pool *pool, crank_ex value, int varied, const crank_ex *symbols)
{
    bool found = false;
    for (int i = 0; i < varied; i++) {
        if (value == symbols[i]) {
            return false;
        }
        found = found || crank_ex_depends(pool, value, symbols[i]);
    }
    return found;
}

crank_status crank_model_keep_following(crank_model *model, crank_pool *pool, int varied,
                                        const crank_ex *symbols, int count,
                                        const crank_follower *list, crank_error *err)
{
    crank_ex *value = calloc((size_t)count + 1, sizeof *value);
    model->following_name =
        crank_store_take(&model->store, (size_t)count, sizeof *model->following_name);
    model->varied_count = varied;
    for (int i = 0; i < count && value != NULL && model->following_name != NULL; i++) {
        if (follows(pool, list[i].value, varied, symbols)) {
            value[model->following_count] = list[i].value;
            model->following_name[model->following_count++] =
                crank_model_keep_text(model, list[i].name);
        }
    }
    crank_status status = value != NULL && !model->store.failed
                              ? CRANK_OK
                              : crank_fail(err, CRANK_EMEM, "reading the model");
    if (status == CRANK_OK && model->following_count > 0) {
        status = crank_tape_create(pool, varied, symbols, model->following_count, value,
                                   &model->following, err);
    }
    free(value);
    return status;
}

bool crank_model_varies(const crank_model_options *options, const char *name)
{
    for (int i = 0; i < options->vary_count; i++) {
        if (strcmp(options->vary[i], name) == 0) {
            return true;
        }
    }
    return false;
}
