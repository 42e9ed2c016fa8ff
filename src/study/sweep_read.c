/* sweep_read.c - study files: docs/formats.md.
 *
 *     crank: study
 *     model: quarter-car.yaml
 *     sample: sobol
 *     count: 1000
 *     vary: {k: {from: 1e4, to: 2e4}, m: {from: 200, to: 300}}
 *     outputs: {final: [x], maximum: [x], columns: [x]}
 *     simulate: {t_end: 10, points: 100, rtol: 1e-6}                                        */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/sweep.h"

#include "base/file.h"
#include "base/number.h"
#include "base/then.h"
#include "model/yaml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 64 << 20 };

typedef struct reader {
    const char *path;
    crank_store store;
    crank_document document;
    crank_run_options options;
    crank_study *s;
} reader;

static const char *const known[] = {"crank", "model",   "sample",   "count", "seed",
                                    "vary",  "outputs", "simulate", "set",   "time_limit"};

static crank_status check_keys(const crank_node *root, crank_error *err)
{
    for (int i = 0; i < root->count; i++) {
        bool found = false;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            found = found || strcmp(root->key[i]->text, known[k]) == 0;
        }
        if (!found) {
            const char *near = crank_nearest_name(root->key[i]->text, known,
                                                  (int)(sizeof known / sizeof *known));
            return crank_fail_node(err, CRANK_EMODEL, root->key[i],
                                   "unknown key \"%.40s\" of a study%s%s", root->key[i]->text,
                                   near != NULL ? "; did you mean " : "",
                                   near != NULL ? near : "");
        }
    }
    return CRANK_OK;
}

static crank_status text_of(const crank_node *node, const char *what, const char **out,
                            crank_error *err)
{
    if (node->kind != CRANK_NODE_SCALAR || crank_node_is_empty(node)) {
        return crank_fail_node(err, CRANK_EMODEL, node, "%s: expected text, found %s", what,
                               crank_node_describe(node));
    }
    *out = node->text;
    return CRANK_OK;
}

/* a number at least `least` */
static crank_status number_of(const crank_node *node, const char *what, double least,
                              double *out, crank_error *err)
{
    if (node->kind != CRANK_NODE_SCALAR || !crank_number_parse(node->text, out) ||
        !(*out >= least) || !isfinite(*out)) {
        return crank_fail_node(err, CRANK_EMODEL, node,
                               "%s: expected a finite number of at least %g", what, least);
    }
    return CRANK_OK;
}

/* Puts the place of the node to a failure that has none. */
static crank_status at(const crank_node *node, crank_status status, crank_error *err)
{
    if (status != CRANK_OK && err->line == 0) {
        err->line = node->line;
        err->column = node->column;
        err->given = false;
        err->status = CRANK_EMODEL;
        return CRANK_EMODEL;
    }
    return status;
}

/* ---- the sections ---- */

static const char *range_of(reader *r, const crank_node *node)
{
    if (node->kind == CRANK_NODE_SCALAR) {
        return node->text;
    }
    if (node->kind == CRANK_NODE_MAPPING) {
        const crank_node *from = crank_node_find(node, "from"),
                         *to = crank_node_find(node, "to");
        const crank_node *count = crank_node_find(node, "count");
        const bool good = from != NULL && to != NULL &&
                          node->count == (count != NULL ? 3 : 2) &&
                          from->kind == CRANK_NODE_SCALAR && to->kind == CRANK_NODE_SCALAR &&
                          (count == NULL || count->kind == CRANK_NODE_SCALAR);
        return !good ? ""
                     : crank_store_print(&r->store, "%s:%s%s%s", from->text, to->text,
                                         count != NULL ? ":" : "",
                                         count != NULL ? count->text : "");
    }
    const char *text = "";
    for (int i = 0; i < node->count && text != NULL; i++) {
        text = node->item[i]->kind == CRANK_NODE_SCALAR
                   ? crank_store_print(&r->store, "%s%s%s", text, i > 0 ? "," : "",
                                       node->item[i]->text)
                   : "";
    }
    return text;
}

static crank_status read_vary(reader *r, const crank_node *node, crank_error *err)
{
    crank_status status =
        node->kind == CRANK_NODE_MAPPING
            ? CRANK_OK
            : crank_fail_node(err, CRANK_EMODEL, node, "vary: expected a mapping, NAME: RANGE");
    for (int i = 0; status == CRANK_OK && i < node->count; i++) {
        const char *range = range_of(r, node->item[i]);
        status = range != NULL ? crank_study_vary(r->s, node->key[i]->text, range, err)
                               : crank_fail(err, CRANK_EMEM, "a study");
        status = at(node->item[i], status, err);
    }
    return status;
}

static crank_status read_outputs(reader *r, const crank_node *node, crank_error *err)
{
    crank_status status = node->kind == CRANK_NODE_MAPPING
                              ? CRANK_OK
                              : crank_fail_node(err, CRANK_EMODEL, node,
                                                "outputs: expected a mapping, final: [COLUMN]");
    for (int i = 0; status == CRANK_OK && i < node->count; i++) {
        const crank_node *list = node->item[i];
        const bool one = list->kind == CRANK_NODE_SCALAR;
        for (int j = 0; status == CRANK_OK && j < (one ? 1 : list->count); j++) {
            const crank_node *item = one ? list : list->item[j];
            const char *column = NULL;
            status = text_of(item, "outputs", &column, err);
            CRANK_THEN(status, crank_study_keep(r->s, node->key[i]->text, column, err));
            status = at(item, status, err);
        }
    }
    return status;
}

/* what the file says and the caller does not */
static crank_status read_simulate(reader *r, const crank_node *node, crank_error *err)
{
    const size_t most = (size_t)node->count + (size_t)r->options.option_count;
    crank_setting *all = crank_store_take(&r->store, most + 1, sizeof *all);
    int count = 0;
    crank_status status =
        node->kind == CRANK_NODE_MAPPING
            ? CRANK_OK
            : crank_fail_node(err, CRANK_EMODEL, node, "simulate: expected a mapping");
    for (int i = 0; status == CRANK_OK && i < node->count; i++) {
        const char *name = node->key[i]->text, *text = NULL;
        double value = 0.0;
        status = text_of(node->item[i], name, &text, err);
        if (status == CRANK_OK && strcmp(name, "t_end") == 0) {
            status = number_of(node->item[i], name, -HUGE_VAL, &value, err);
            r->options.t_end = isnan(r->options.t_end) ? value : r->options.t_end;
        } else if (status == CRANK_OK && strcmp(name, "method") == 0) {
            r->options.method = r->options.method != NULL ? r->options.method : text;
        } else if (status == CRANK_OK && strcmp(name, "points") != 0) {
            all[count++] = (crank_setting){name, text};
        }
    }
    for (int i = 0; i < r->options.option_count; i++) {
        all[count++] = r->options.options[i];
    }
    r->options.options = all;
    r->options.option_count = count;
    return status;
}

static crank_status read_set(reader *r, const crank_node *node, crank_error *err)
{
    const size_t most = (size_t)node->count + (size_t)r->options.setting_count;
    crank_setting *all = crank_store_take(&r->store, most + 1, sizeof *all);
    int count = 0;
    crank_status status =
        node->kind == CRANK_NODE_MAPPING
            ? CRANK_OK
            : crank_fail_node(err, CRANK_EMODEL, node, "set: expected a mapping, NAME: VALUE");
    for (int i = 0; status == CRANK_OK && i < node->count; i++) {
        const char *text = NULL;
        status = text_of(node->item[i], node->key[i]->text, &text, err);
        all[count++] = (crank_setting){node->key[i]->text, text};
    }
    for (int i = 0; i < r->options.setting_count; i++) {
        all[count++] = r->options.settings[i];
    }
    r->options.settings = all;
    r->options.setting_count = count;
    return status;
}

static crank_status read_sample(reader *r, const crank_node *root, crank_error *err)
{
    const crank_node *sample = crank_node_find(root, "sample"),
                     *count = crank_node_find(root, "count"),
                     *seed = crank_node_find(root, "seed");
    const char *word = "grid";
    double many = 0.0, start = 0.0;
    crank_status status = sample != NULL ? text_of(sample, "sample", &word, err) : CRANK_OK;
    if (count != NULL) {
        CRANK_THEN(status, number_of(count, "count", 1.0, &many, err));
    }
    if (seed != NULL) {
        CRANK_THEN(status, number_of(seed, "seed", 0.0, &start, err));
    }
    CRANK_THEN(status, crank_study_sample(r->s, word, (int64_t)many, (uint64_t)start, err));
    return at(sample != NULL ? sample : root, status, err);
}

/* ---- the file ---- */

/* Files are named as seen from the study's own folder. */
static const char *beside(reader *r, const char *name)
{
    const char *slash = strrchr(r->path, '/');
    return name[0] == '/' || slash == NULL
               ? name
               : crank_store_print(&r->store, "%.*s%s", (int)(slash - r->path + 1), r->path,
                                   name);
}

static crank_status read_rest(reader *r, const crank_node *root, crank_error *err)
{
    const crank_node *vary = crank_node_find(root, "vary"),
                     *outputs = crank_node_find(root, "outputs"),
                     *simulate = crank_node_find(root, "simulate"),
                     *limit = crank_node_find(root, "time_limit");
    const crank_node *points = simulate != NULL ? crank_node_find(simulate, "points") : NULL;
    double value = 0.0;
    crank_status status = read_sample(r, root, err);
    CRANK_THEN(status, vary != NULL ? read_vary(r, vary, err) : CRANK_OK);
    CRANK_THEN(status, outputs != NULL ? read_outputs(r, outputs, err) : CRANK_OK);
    if (limit != NULL) {
        CRANK_THEN(status, number_of(limit, "time_limit", 0.0, &value, err));
        crank_study_set_limit(r->s, value);
    }
    if (points != NULL) {
        CRANK_THEN(status, number_of(points, "points", 1.0, &value, err));
        crank_study_set_rows(r->s, (int)fmin(value, 1e9));
    }
    return status;
}

static crank_status read(reader *r, crank_error *err)
{
    const crank_node *root = r->document.root;
    const char *kind = NULL, *name = NULL;
    if (root == NULL || root->kind != CRANK_NODE_MAPPING) {
        return crank_fail(err, CRANK_EMODEL, "the study is empty");
    }
    const crank_node *first = crank_node_find(root, "crank"),
                     *model = crank_node_find(root, "model"),
                     *simulate = crank_node_find(root, "simulate"),
                     *set = crank_node_find(root, "set");
    crank_status status = first != NULL ? text_of(first, "crank", &kind, err) : CRANK_OK;
    if (status == CRANK_OK && (kind == NULL || strcmp(kind, "study") != 0)) {
        status = crank_fail_node(err, CRANK_EMODEL, first,
                                 "not a study: its first line is `crank: study`");
    }
    CRANK_THEN(status, check_keys(root, err));
    if (status == CRANK_OK && model == NULL) {
        status = crank_fail_node(err, CRANK_EMODEL, root, "model: which one? model: FILE");
    }
    CRANK_THEN(status, text_of(model, "model", &name, err));
    CRANK_THEN(status, simulate != NULL ? read_simulate(r, simulate, err) : CRANK_OK);
    CRANK_THEN(status, set != NULL ? read_set(r, set, err) : CRANK_OK);
    if (status == CRANK_OK) {
        name = beside(r, name);
        status = name != NULL && !r->store.failed
                     ? crank_study_create(name, &r->options, &r->s, err)
                     : crank_fail(err, CRANK_EMEM, "a study");
    }
    return status == CRANK_OK ? read_rest(r, root, err) : status;
}

crank_status crank_study_read(const char *path, const crank_run_options *options,
                              crank_study **out, crank_error *err)
{
    crank_error own = {0};
    reader r = {.path = path,
                .options = options != NULL ? *options : crank_run_options_default()};
    size_t length = 0;
    char *text = NULL;
    err = err != NULL ? err : &own;
    *out = NULL;
    crank_status status = crank_file_load(path, CRANK_FILE_ANY, LARGEST, &text, &length, err);
    CRANK_THEN(status, crank_yaml_read(text, length, &r.store, &r.document, err));
    CRANK_THEN(status, read(&r, err));
    if (status == CRANK_OK) {
        *out = r.s;
    } else {
        crank_study_destroy(r.s);
    }
    crank_store_free(&r.store);
    free(text);
    return status;
}
