/* page.c - see page.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "page.h"

#include "columns.h"
#include "files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int page_check(messages *m, const char *option, const char *path)
{
    char template[4096];
    crank_error err = {0};

    if (strcmp(path, "-") != 0 && !has_ending(path, ".html") && !has_ending(path, ".htm") &&
        !is_device(path)) {
        tell_error(m, "%s %s: the format of pages is .html", option, path);
        return CODE_USAGE;
    }
    const crank_status status = crank_page_find_template(template, sizeof template, &err);
    if (status != CRANK_OK) {
        tell_error(m, "%s %s: %s", option, path, failure_text(status, &err));
        return CODE_FAILED;
    }
    return -1;
}

/* Replaces a text that is missing or empty. */
static void fill_text(char **text, const char *other)
{
    char *copy = (*text == NULL || **text == '\0') && other != NULL ? strdup(other) : NULL;

    if (copy != NULL) {
        free(*text);
        *text = copy;
    }
}

static void fill_from_model(crank_table *table, const crank_model *model)
{
    const int count = crank_model_column_count(model);
    int j = 0;

    for (int i = 0; i < count; i++) {
        const char *name = crank_model_column_name(model, i);
        /* both mostly have the same order */
        if (j + 1 < table->columns && strcmp(table->names[j + 1], name) == 0) {
            j++;
        } else {
            j = crank_table_find(table, name);
        }
        if (j >= 0) {
            fill_text(&table->units[j], crank_model_column_unit(model, i));
            fill_text(&table->descriptions[j], crank_model_column_description(model, i));
        }
        j = j < 0 ? 0 : j;
    }
    if (table->columns > 0 && strcmp(table->names[0], "time") == 0) {
        fill_text(&table->units[0], "s");
    }
}

crank_status page_scene(messages *m, const crank_table *table, const page_request *request,
                        const char **scene, char **made, crank_error *err)
{
    crank_status status = CRANK_OK;

    *made = NULL;
    if (request->model != NULL) {
        status = crank_model_scene(request->model, made, err);
    }
    *scene = *made != NULL ? *made : table->scene;
    if (status == CRANK_OK && *scene == NULL && request->scene_from_names) {
        status = crank_page_scene_from_names(table, made, err);
        *scene = *made;
        if (*made != NULL && request->model == NULL) {
            tell_note(
                m,
                "the result has no scene: bodies are drawn as balls with axes; --model MODEL "
                "draws the mechanism");
        } else if (status == CRANK_OK && request->model == NULL) {
            tell_note(
                m, "the result has no scene: the page has plots only; --model MODEL adds the "
                   "mechanism");
        }
    }
    return status;
}

static void tell_report(messages *m, const crank_table *table, const crank_page_report *report,
                        const page_request *request)
{
    if (report->missing > 0) {
        tell_error(
            m,
            "warning: the scene moves by %d columns that the result has not, such as %s: what "
            "they move stays where it is",
            report->missing, report->first_missing);
    }
    if (report->thinned) {
        tell_error(m,
                   "warning: %d of %d rows are in the page: more would exceed its limit, "
                   "see crank view --limit",
                   report->frames, table->rows);
    }
    if (report->left_out > 0) {
        tell_error(
            m,
            "warning: %d of %d columns are left out of the page: they would exceed its limit, "
            "see crank view --limit and --only",
            report->left_out, report->columns);
    }
    if (request->note && strcmp(request->path, "-") != 0) {
        tell_note(m, "page with %d frames, %.3g MB, in %s", report->frames,
                  (double)report->bytes / 1e6, request->path);
    }
}

int page_write(messages *m, crank_table *table, const page_request *request)
{
    crank_page page = crank_page_default();
    crank_page_report report = {0};
    crank_error err = {0};
    char *made = NULL;
    bool *wanted = calloc((size_t)table->columns + 1, sizeof *wanted);

    if (wanted == NULL) {
        tell_error(m, "out of memory");
        return CODE_FAILED;
    }
    static const text_list none = {0};
    const int code = columns_choose(m, request->only != NULL ? request->only : &none,
                                    table->columns, (const char *const *)table->names, wanted);
    if (code >= 0) {
        free(wanted);
        return code;
    }
    page.title = request->title;
    page.frames = request->frames;
    page.version = request->version;
    page.wanted = wanted;
    if (request->megabytes > 0.0) {
        page.megabytes = request->megabytes;
    }
    if (request->model != NULL) {
        fill_from_model(table, request->model);
        page.title = page.title != NULL ? page.title : crank_model_title(request->model);
    }
    fill_text(&table->model, request->model_path);
    fill_text(&table->method, request->method);
    crank_status status = page_scene(m, table, request, &page.scene, &made, &err);
    THEN(status, crank_page_write(&page, table, request->path, &report, &err));
    free(made);
    free(wanted);
    if (status != CRANK_OK) {
        tell_error(m, "%s", failure_text(status, &err));
        return CODE_FAILED;
    }
    tell_report(m, table, &report, request);
    return -1;
}

int page_write_result(messages *m, const char *result, const page_request *request)
{
    page_request named = *request;
    crank_table *table;
    crank_error err = {0};
    char name[256];

    if (crank_table_read(result, &table, &err) != CRANK_OK) {
        tell_file_error(m, result, &err);
        return CODE_FAILED;
    }
    if (table->incomplete) {
        tell_error(
            m, "warning: %s: the run that wrote it was cut short; the page ends where it does",
            result);
    }
    if (named.title == NULL && table->title == NULL && named.model == NULL &&
        strcmp(result, "-") != 0) {
        named.title = file_stem(result, name, sizeof name);
    }
    const int code = page_write(m, table, &named);
    crank_table_destroy(table);
    return code;
}

static void tell_study(messages *m, const crank_study_table *study,
                       const crank_page_report *report, const page_request *request)
{
    if (report->thinned) {
        tell_error(m,
                   "warning: %d of %d members are in the page: more would exceed its limit, "
                   "see crank view --limit",
                   report->frames, study->members->rows);
    }
    if (report->courses_left_out > 0) {
        tell_error(
            m,
            "warning: %lld of %lld courses over time are left out of the page: they would "
            "exceed its limit, see crank view --limit",
            (long long)report->courses_left_out,
            (long long)study->column_count * study->members->rows);
    }
    if (request->note && strcmp(request->path, "-") != 0) {
        tell_note(m, "page with %d members, %.3g MB, in %s", report->frames,
                  (double)report->bytes / 1e6, request->path);
    }
}

int page_write_study(messages *m, const char *path, const page_request *request)
{
    crank_page page = crank_page_default();
    crank_page_report report = {0};
    crank_study_table *study;
    crank_error err = {0};
    char name[256];

    if (request->megabytes > 0.0) {
        page.megabytes = request->megabytes;
    }
    /* a number takes about a byte at least */
    if (crank_study_table_read(path, page.megabytes * 1e6, &study, &err) != CRANK_OK) {
        tell_file_error(m, path, &err);
        return CODE_FAILED;
    }
    page.title = request->title;
    if (page.title == NULL && study->members->title == NULL) {
        page.title = file_stem(path, name, sizeof name);
    }
    const crank_status status =
        crank_page_write_study(&page, study, request->path, &report, &err);
    if (status == CRANK_OK) {
        tell_study(m, study, &report, request);
    } else {
        tell_error(m, "%s", failure_text(status, &err));
    }
    crank_study_table_destroy(study);
    return status == CRANK_OK ? -1 : CODE_FAILED;
}
