/* sweep.c - a study: its model, what is varied and what is kept. See crank/study.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/sweep.h"

#include "base/blame.h"
#include "base/file.h"
#include "base/grow.h"
#include "base/hash.h"
#include "base/then.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const crank_kept_word[5] = {"final", "minimum", "maximum", "integral", "columns"};

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "a study");
}

/* ---- making one ---- */

static const char *keep_text(crank_store *store, const char *text)
{
    return text != NULL ? crank_store_copy(store, text, strlen(text)) : NULL;
}

static const crank_setting *keep_settings(crank_store *store, const crank_setting *from,
                                          int count)
{
    crank_setting *copy = crank_store_take(store, (size_t)count + 1, sizeof *copy);
    for (int i = 0; i < count && copy != NULL; i++) {
        copy[i] =
            (crank_setting){keep_text(store, from[i].name), keep_text(store, from[i].value)};
    }
    return copy;
}

crank_status crank_study_create(const char *model, const crank_run_options *options,
                                crank_study **out, crank_error *err)
{
    crank_study *s = calloc(1, sizeof *s);
    *out = NULL;
    if (s == NULL) {
        return no_memory(err);
    }
    s->options = options != NULL ? *options : crank_run_options_default();
    s->path = keep_text(&s->store, model);
    s->options.method = keep_text(&s->store, s->options.method);
    s->options.model = keep_text(&s->store, s->options.model);
    s->options.library = keep_text(&s->store, s->options.library);
    s->options.settings =
        keep_settings(&s->store, s->options.settings, s->options.setting_count);
    s->options.options = keep_settings(&s->store, s->options.options, s->options.option_count);
    if (s->store.failed) {
        crank_study_destroy(s);
        return no_memory(err);
    }
    *out = s;
    return CRANK_OK;
}

void crank_study_destroy(crank_study *s)
{
    if (s != NULL) {
        crank_model_destroy(s->model);
        crank_design_free(&s->design);
        crank_store_free(&s->store);
        free(s);
    }
}

static crank_status check_closed(const crank_study *s, crank_error *err)
{
    return s->model == NULL ? CRANK_OK : crank_fail(err, CRANK_EARG, "the study is open");
}

crank_status crank_study_vary(crank_study *s, const char *name, const char *range,
                              crank_error *err)
{
    crank_status status = check_closed(s, err);
    CRANK_THEN(status, crank_design_vary(&s->design, name, range, err));
    return crank_blame_caller(err, status);
}

crank_status crank_study_sample(crank_study *s, const char *sampling, int64_t count,
                                uint64_t seed, crank_error *err)
{
    crank_status status = check_closed(s, err);
    CRANK_THEN(status, crank_design_sample(&s->design, sampling, err));
    if (status == CRANK_OK && count < 0) {
        status = crank_fail(err, CRANK_EARG, "count: %lld points", (long long)count);
    }
    s->design.count = count;
    s->design.seed = seed;
    return crank_blame_caller(err, status);
}

crank_status crank_study_keep(crank_study *s, const char *kind, const char *column,
                              crank_error *err)
{
    crank_status status = check_closed(s, err);
    int found = -1;
    for (int i = 0; i < 5; i++) {
        found = strcmp(kind, crank_kept_word[i]) == 0 ? i : found;
    }
    if (status == CRANK_OK && found < 0) {
        status = crank_fail(
            err, CRANK_EARG,
            "outputs: %.40s is none of final, minimum, maximum, integral, columns", kind);
    }
    crank_kept_column *more =
        crank_store_grow(&s->store, s->kept, s->kept_count, &s->kept_capacity, sizeof *s->kept);
    const char *name = keep_text(&s->store, column);
    if (more == NULL || name == NULL) {
        return no_memory(err);
    }
    s->kept = more;
    if (status == CRANK_OK) {
        s->kept[s->kept_count++] =
            (crank_kept_column){.kind = (crank_kept)found, .name = name, .column = -1};
    }
    return crank_blame_caller(err, status);
}

void crank_study_set_rows(crank_study *s, int intervals)
{
    s->intervals = intervals;
}

void crank_study_set_limit(crank_study *s, double seconds)
{
    s->limit = seconds;
}

/* ---- opening it ---- */

/* The model, with those factors that are parameters as variables where they can be. */
static crank_status read_model(crank_study *s, crank_error *err)
{
    const crank_design *d = &s->design;
    crank_model_options o = crank_model_options_default();
    o.settings = s->options.settings;
    o.setting_count = s->options.setting_count;
    o.model = s->options.model;
    o.library = s->options.library;
    o.compile = s->options.compile;
    crank_status status = crank_model_read(s->path, &o, &s->model, err);
    const char **vary = crank_store_take(&s->store, (size_t)d->factor_count + 1, sizeof *vary);
    int count = 0;
    if (status != CRANK_OK || vary == NULL) {
        return status != CRANK_OK ? status : no_memory(err);
    }
    for (int i = 0; i < d->factor_count; i++) {
        for (int j = 0; j < s->model->parameter_count; j++) {
            if (strcmp(s->model->parameter[j].name, d->factor[i].name) == 0) {
                vary[count++] = d->factor[i].name;
            }
        }
    }
    crank_model *made = NULL;
    o.vary = vary;
    o.vary_count = count;
    status = count > 0 ? crank_model_remake(s->model, &o, &made, err) : CRANK_OK;
    if (status == CRANK_OK && made != NULL) {
        crank_model_destroy(s->model);
        s->model = made;
    }
    return status;
}

/* Can the factor be set at all: at one of its first, middle and last values? */
static crank_status try_factor(const crank_study *s, crank_run *run, int factor, double *point,
                               crank_error *err)
{
    const int64_t count = s->design.count;
    crank_status status = CRANK_OK;
    for (int k = 0; k < 3; k++) {
        crank_design_point(&s->design, k == 0 ? 0 : k == 1 ? count / 2 : count - 1, point);
        status = crank_run_set(run, s->design.factor[factor].name, point[factor], err);
        if (status == CRANK_OK) {
            break;
        }
    }
    return crank_blame_caller(err, status);
}

static crank_status check_factors(crank_study *s, crank_error *err)
{
    const size_t count = (size_t)s->design.factor_count;
    double *point = crank_store_take(&s->store, count + 1, sizeof *point);
    crank_status status = point != NULL ? CRANK_OK : no_memory(err);
    crank_run *run = NULL;
    for (int i = 0; i < s->design.factor_count && status == CRANK_OK; i++) {
        status = crank_run_open_model(s->model, &s->options, &run, err);
        CRANK_THEN(status, try_factor(s, run, i, point, err));
        crank_run_close(run);
        run = NULL;
    }
    return status;
}

static crank_status find_columns(crank_study *s, crank_error *err)
{
    for (int i = 0; i < s->kept_count; i++) {
        crank_kept_column *k = &s->kept[i];
        for (int j = 0; j < s->model->column_count && k->column < 0; j++) {
            k->column = strcmp(s->model->column_name[j], k->name) == 0 ? j : -1;
        }
        if (k->column < 0) {
            const char *near =
                crank_nearest_name(k->name, s->model->column_name, s->model->column_count);
            return crank_blame_caller(
                err,
                crank_fail(err, CRANK_EARG, "outputs: the model has no column %.80s%s%.80s",
                           k->name, near != NULL ? "; did you mean " : "",
                           near != NULL ? near : ""));
        }
    }
    /* those of all rows last, in their order */
    crank_kept_column *sorted =
        crank_store_take(&s->store, (size_t)s->kept_count + 1, sizeof *sorted);
    if (sorted == NULL) {
        return no_memory(err);
    }
    for (int pass = 0, n = 0; pass < 2; pass++) {
        for (int i = 0; i < s->kept_count; i++) {
            if ((s->kept[i].kind == CRANK_KEPT_COLUMNS) == (pass == 1)) {
                sorted[n++] = s->kept[i];
                s->scalars += pass == 0 ? 1 : 0;
                s->columns += pass;
            }
        }
    }
    s->kept = sorted;
    return CRANK_OK;
}

/* Everything is kept that a run gives in the end, if nothing is asked for. */
static crank_status keep_finals(crank_study *s, crank_error *err)
{
    const int count = s->kept_count == 0 ? s->model->column_count : 0;
    crank_status status = CRANK_OK;
    crank_model *model = s->model;
    s->model = NULL;
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        status = crank_study_keep(s, "final", model->column_name[i], err);
    }
    s->model = model;
    return status;
}

static crank_status find_times(crank_study *s, crank_error *err)
{
    crank_run *run = NULL;
    crank_run_rows rows = {0};
    crank_status status = crank_run_open_model(s->model, &s->options, &run, err);
    CRANK_THEN(status, crank_run_divide(run, 0.0, s->intervals, &rows, err));
    if (status == CRANK_OK) {
        s->t_start = crank_run_time(run);
        s->t_end = crank_run_end(run);
        s->intervals = (int)rows.count;
        s->rows = rows.count + 1;
        s->options.t_end = s->t_end;
    }
    crank_run_close(run);
    return status;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return text != NULL ? crank_hash(hash, text, strlen(text) + 1) : crank_hash(hash, "\1", 2);
}

/* The bytes of a file and its name; of one that cannot be read again (a pipe) the name
 * alone. */
static uint64_t hash_file(uint64_t hash, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    if (crank_file_load(path, CRANK_FILE_REGULAR, SIZE_MAX, &text, &length, NULL) == CRANK_OK) {
        hash = crank_hash(hash, text, length);
    }
    free(text);
    return hash_text(hash, path);
}

/* The model: its file and those that it names, what was set. */
static uint64_t hash_model(const crank_study *s)
{
    const char *more = NULL;
    uint64_t h = hash_text(CRANK_HASH_START, crank_version());
    h = hash_file(h, s->path);
    for (int i = 0; (more = crank_model_file(s->model, i)) != NULL; i++) {
        h = hash_file(h, more);
    }
    for (int i = 0; i < s->options.setting_count; i++) {
        h = hash_text(hash_text(h, s->options.settings[i].name), s->options.settings[i].value);
    }
    return hash_text(h, s->options.model);
}

/* All that members depend on. */
static crank_status make_mark(crank_study *s, crank_error *err)
{
    const crank_design *d = &s->design;
    double *point = crank_store_take(&s->store, (size_t)d->factor_count + 1, sizeof *point);
    if (point == NULL) {
        return no_memory(err);
    }
    uint64_t h = hash_text(hash_model(s), s->options.method);
    for (int i = 0; i < s->options.option_count; i++) {
        h = hash_text(hash_text(h, s->options.options[i].name), s->options.options[i].value);
    }
    const int64_t numbers[] = {d->count, s->rows, s->scalars, s->columns, s->model->eom->n};
    const double times[] = {s->t_start, s->t_end};
    h = crank_hash(h, numbers, sizeof numbers);
    h = crank_hash(h, times, sizeof times);
    for (int i = 0; i < s->kept_count; i++) {
        h = hash_text(hash_text(h, s->kept[i].name), crank_kept_word[s->kept[i].kind]);
    }
    for (int i = 0; i < d->factor_count; i++) {
        h = hash_text(h, d->factor[i].name);
    }
    for (int64_t k = 0; k < d->count; k++) {
        crank_design_point(d, k, point);
        h = crank_hash(h, point, (size_t)d->factor_count * sizeof *point);
    }
    s->mark = h;
    return CRANK_OK;
}

crank_status crank_study_open(crank_study *s, crank_error *err)
{
    crank_error own = {0};
    err = err != NULL ? err : &own;
    crank_status status = check_closed(s, err);
    if (status == CRANK_OK) {
        status = crank_blame_caller(err, crank_design_finish(&s->design, err));
    }
    CRANK_THEN(status, read_model(s, err));
    CRANK_THEN(status, check_factors(s, err));
    CRANK_THEN(status, find_times(s, err));
    CRANK_THEN(status, keep_finals(s, err));
    CRANK_THEN(status, find_columns(s, err));
    return status == CRANK_OK ? make_mark(s, err) : status;
}

/* ---- asking ---- */

const crank_model *crank_study_model(const crank_study *s)
{
    return s->model;
}

int64_t crank_study_count(const crank_study *s)
{
    return s->design.count;
}

int crank_study_factor_count(const crank_study *s)
{
    return s->design.factor_count;
}

const char *crank_study_factor(const crank_study *s, int factor)
{
    return factor >= 0 && factor < s->design.factor_count ? s->design.factor[factor].name
                                                          : NULL;
}

void crank_study_point(const crank_study *s, int64_t i, double *values)
{
    crank_design_point(&s->design, i, values);
}

crank_study_order crank_study_order_default(void)
{
    return (crank_study_order){
        .size = sizeof(crank_study_order), .threads = 1, .shard = 1, .shards = 1};
}
