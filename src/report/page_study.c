/* page_study.c - what a page of a study holds besides a row for each member: why members ended,
 * and what was kept of them over time, in blocks of their own (crank-course-0, ...): members one
 * after the other, column by column. See docs/develop/page.md. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/json.h"
#include "base/then.h"
#include "report/page.h"

#include <stdlib.h>
#include <string.h>

/* The columns of all members as a table: column k*members + i is column k of member i. */
typedef struct courses {
    crank_page_writer writer;
    crank_table table;
} courses;

static crank_status take(courses *c, const crank_study_table *s, crank_error *err)
{
    const size_t count = (size_t)c->table.columns;
    crank_page_writer *w = &c->writer;
    w->columns = calloc(count, sizeof *w->columns);
    w->order = calloc(count, sizeof *w->order);
    w->blocks = calloc(count, sizeof *w->blocks);
    if (w->columns == NULL || w->order == NULL || w->blocks == NULL) {
        return crank_fail(err, CRANK_EMEM, "%zu courses for the page", count);
    }
    const size_t all = (size_t)s->members_kept * (size_t)s->rows;
    for (int k = 0; k < s->column_count; k++) {
        bool wide = false;
        for (int i = 0; i < s->members_kept && !wide; i++) {
            wide = crank_page_is_wide(s->values + (size_t)k * all + (size_t)i * (size_t)s->rows,
                                      s->rows);
        }
        for (int i = 0; i < s->members_kept; i++) {
            const int j = k * s->members_kept + i;
            w->columns[j] = (crank_page_column){
                .class = CRANK_PAGE_OTHER, .wanted = true, .wide = wide, .block = -1};
            w->order[j] = j;
        }
    }
    w->order_count = c->table.columns;
    return crank_page_blocks_begin(w, err);
}

crank_status crank_page_courses_write(crank_page_writer *w, crank_error *err)
{
    const crank_study_table *s = w->page->study;
    const int64_t count = (int64_t)s->column_count * s->members_kept;
    if (count == 0 || count > INT32_MAX) {
        return CRANK_OK;
    }
    courses *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return crank_fail(err, CRANK_EMEM, "courses for the page");
    }
    c->table = (crank_table){.columns = (int)count, .rows = s->rows, .values = s->values};
    c->writer = (crank_page_writer){.page = w->page,
                                    .table = &c->table,
                                    .frames = s->rows,
                                    .room = w->room - w->used,
                                    .out = w->out,
                                    .kind = "course"};
    w->courses = &c->writer;
    crank_status status = take(c, s, err);
    int64_t wanted;
    CRANK_THEN(status, crank_page_blocks_write(&c->writer, &wanted, err));
    return status;
}

void crank_page_courses_free(crank_page_writer *w)
{
    crank_page_writer *own = w->courses;
    if (own != NULL) {
        free(own->columns);
        free(own->order);
        free(own->blocks);
        free(own->raw);
        free(own->packed);
        free(own); /* the first member of its courses */
        w->courses = NULL;
    }
}

int64_t crank_page_courses_left_out(const crank_page_writer *w)
{
    const crank_study_table *s = w->page->study;
    int64_t inside = 0;
    for (int b = 0; w->courses != NULL && b < w->courses->block_count; b++) {
        inside += w->courses->blocks[b].columns;
    }
    return s != NULL ? (int64_t)s->column_count * s->members->rows - inside : 0;
}

static void write_columns(const crank_study_table *s, crank_json *j)
{
    crank_json_open(j, "columns", '[');
    for (int k = 0; k < s->column_count; k++) {
        const crank_study_column *c = &s->columns[k];
        crank_json_open(j, NULL, '{');
        crank_json_string(j, "name", c->name);
        crank_json_string(j, "unit", c->unit != NULL ? c->unit : "");
        crank_json_string(j, "description", c->description != NULL ? c->description : "");
        crank_json_close(j);
    }
    crank_json_close(j);
}

static void write_blocks(const crank_page_writer *c, crank_json *j)
{
    crank_json_open(j, "blocks", '[');
    for (int b = 0; c != NULL && b < c->block_count; b++) {
        crank_json_open(j, NULL, '{');
        crank_json_int(j, "courses", c->blocks[b].columns);
        crank_json_string(j, "type", c->blocks[b].wide ? "f64" : "f32");
        crank_json_close(j);
    }
    crank_json_close(j);
}

static void write_reasons(const crank_study_table *s, crank_json *j)
{
    char number[16];
    crank_json_open(j, "reasons", '{');
    for (int i = 0; i < s->members->rows; i++) {
        if (s->reasons[i][0] != '\0') {
            (void)snprintf(number, sizeof number, "%d", i);
            crank_json_string(j, number, s->reasons[i]);
        }
    }
    crank_json_close(j);
}

void crank_page_study_index(const crank_page_writer *w, crank_json *j)
{
    const crank_study_table *s = w->page->study;
    crank_json_open(j, "study", '{');
    crank_json_int(j, "factors", s->factors);
    crank_json_string(j, "command", s->command);
    crank_json_reals(j, "times", s->rows, s->time);
    crank_json_string(j, "time_unit", s->time_unit != NULL ? s->time_unit : "");
    crank_json_int(j, "members_kept", s->members_kept);
    write_columns(s, j);
    write_blocks(w->courses, j);
    write_reasons(s, j);
    crank_json_close(j);
}

crank_status crank_page_write_study(const crank_page *page, const crank_study_table *study,
                                    const char *path, crank_page_report *report,
                                    crank_error *err)
{
    crank_page with = *page;
    with.study = study;
    return crank_page_write(&with, study->members, path, report, err);
}
