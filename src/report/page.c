/* page.c - the page that shows a result move: a template with the values and the scene put into
 * it.
 *
 * Blocks are written as they are made, the index after them. If the page would be larger than
 * its limit, columns are left out: first those that the scene does not name, from the last on;
 * then those that it names but that move nothing. If even those that move something do not fit,
 * frames are left out evenly until they do. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/page.h"
#include "base/then.h"
#include "report/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_FRAMES = 2 };

crank_page crank_page_default(void)
{
    return (crank_page){.size = sizeof(crank_page), .megabytes = 60.0};
}

static crank_status check(const crank_page *page, const crank_table *table, const char *path,
                          crank_error *err)
{
    if (page->size != sizeof *page) {
        return crank_fail(err, CRANK_EARG, "the page must come from crank_page_default");
    }
    if (table->columns < 1 || table->rows < 1) {
        return crank_fail(err, CRANK_EARG, "the result has no rows; there is nothing to show");
    }
    if (page->frames < 0 || page->frames == 1) {
        return crank_fail(err, CRANK_EARG, "frames = %d: must be at least 2, or 0 for all",
                          page->frames);
    }
    if (!(page->megabytes > 0.0 && page->megabytes <= 1e6)) {
        return crank_fail(err, CRANK_EARG, "megabytes = %g: must be positive, at most 1e6",
                          page->megabytes);
    }
    if (page->version < 0 || (page->version > 0 && strcmp(path, "-") == 0)) {
        return crank_fail(err, CRANK_EARG,
                          "version = %lld: a page with a version needs a file of its own",
                          (long long)page->version);
    }
    return CRANK_OK;
}

static crank_status begin(crank_page_writer *w, crank_error *err)
{
    const crank_page *page = w->page;
    const crank_table *table = w->table;
    const size_t columns = (size_t)table->columns;

    w->title = page->title != NULL ? page->title : table->title;
    if (w->title == NULL || w->title[0] == '\0') {
        w->title = "result";
    }
    w->scene = page->scene != NULL ? page->scene : table->scene;
    w->frames = page->frames > 0 && page->frames < table->rows ? page->frames : table->rows;
    w->columns = calloc(columns, sizeof *w->columns);
    w->order = calloc(columns, sizeof *w->order);
    w->blocks = calloc(columns, sizeof *w->blocks);
    if (w->columns == NULL || w->order == NULL || w->blocks == NULL) {
        return crank_fail(err, CRANK_EMEM, "%d columns of the page", table->columns);
    }
    crank_status status = crank_page_template_read(&w->template, page->template_path, err);
    CRANK_THEN(status, crank_page_classify(w, err));
    return status == CRANK_OK ? crank_page_blocks_begin(w, err) : status;
}

static void end(crank_page_writer *w)
{
    crank_page_courses_free(w);
    crank_page_file_drop(&w->out);
    free(w->template.text);
    free(w->columns);
    free(w->order);
    free(w->blocks);
    free(w->raw);
    free(w->packed);
}

static void write_between(FILE *file, const char *from, const char *to)
{
    (void)fwrite(from, 1, (size_t)(to - from), file);
}

static void write_head(const crank_page_writer *w)
{
    FILE *file = w->out.file;

    write_between(file, w->template.text, w->template.title);
    crank_html_text(file, w->title);
    write_between(file, w->template.after_title, w->template.data);
}

static void write_tail(const crank_page_writer *w, const char *image)
{
    crank_page_index_write(w, w->out.file, false, image);
    write_between(w->out.file, w->template.after_data, w->template.text + w->template.length);
}

/* Room for blocks: the limit without template and index. */
static crank_status measure(crank_page_writer *w, const char *image, crank_error *err)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);

    if (memory == NULL) {
        return crank_fail(err, CRANK_EMEM, "the index of the page");
    }
    crank_page_index_write(w, memory, true, image);
    const bool failed = ferror(memory) != 0;
    if (fclose(memory) != 0 || failed) {
        free(text);
        return crank_fail(err, CRANK_EMEM, "the index of the page");
    }
    free(text);
    const double limit = w->page->megabytes * 1e6;
    const double fixed =
        (double)w->template.length + 6.0 * (double)strlen(w->title) + 256.0 + (double)length;
    if (fixed > limit) {
        return crank_fail(err, CRANK_EARG,
                          "a page of at most %g MB has no room: without values it has %.2g MB",
                          w->page->megabytes, fixed / 1e6);
    }
    w->room = (int64_t)(limit - fixed);
    return CRANK_OK;
}

static void forget_blocks(crank_page_writer *w)
{
    for (int j = 0; j < w->table->columns; j++) {
        w->columns[j].block = -1;
        w->columns[j].slot = -1;
    }
    w->block_count = 0;
    w->used = 0;
}

/* Blocks with as many frames as have room. */
static crank_status write_values(crank_page_writer *w, bool *thinned, crank_error *err)
{
    const off_t place = ftello(w->out.file);
    int64_t wanted = 0;

    *thinned = false;
    for (;;) {
        forget_blocks(w);
        crank_status status = crank_page_blocks_write(w, &wanted, err);
        if (status != CRANK_OK || wanted <= w->room) {
            return status;
        }
        const double fewer = floor(0.97 * w->frames * (double)w->room / (double)wanted);
        if (!(fewer >= FEWEST_FRAMES)) {
            return crank_fail(err, CRANK_EARG,
                              "a page of at most %g MB has no room for the motion of this "
                              "result, not even with %d frames",
                              w->page->megabytes, FEWEST_FRAMES);
        }
        *thinned = true;
        w->frames = (int)fewer;
        status = crank_page_file_cut(&w->out, place, err);
        if (status != CRANK_OK) {
            return status;
        }
    }
}

static crank_status write_all(crank_page_writer *w, const char *path, const char *image,
                              crank_page_report *report, crank_error *err)
{
    crank_status status = measure(w, image, err);

    CRANK_THEN(status, crank_page_file_open(&w->out, path, err));
    if (status == CRANK_OK) {
        write_head(w);
        status = crank_page_file_check(&w->out, err);
    }
    CRANK_THEN(status, write_values(w, &report->thinned, err));
    if (status == CRANK_OK && w->page->study != NULL) {
        status = crank_page_courses_write(w, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    write_tail(w, image);
    report->bytes = (int64_t)ftello(w->out.file);
    report->frames = w->frames;
    report->columns = w->table->columns;
    report->left_out = 0;
    for (int i = 0; i < w->order_count; i++) {
        report->left_out += w->columns[w->order[i]].block < 0 ? 1 : 0;
    }
    report->courses_left_out = crank_page_courses_left_out(w);
    report->missing = w->missing;
    memcpy(report->first_missing, w->first_missing, sizeof report->first_missing);
    return crank_page_file_finish(&w->out, err);
}

crank_status crank_page_write(const crank_page *page, const crank_table *table,
                              const char *path, crank_page_report *report, crank_error *err)
{
    crank_page_writer w = {.page = page, .table = table, .kind = "block"};
    crank_page_report ignored;
    char *image = NULL;
    crank_status status = check(page, table, path, err);

    CRANK_THEN(status, begin(&w, err));
    if (status == CRANK_OK && page->version > 0) {
        image = crank_page_version_address(path);
        status = image != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "%s", path);
    }
    CRANK_THEN(status, write_all(&w, path, image, report != NULL ? report : &ignored, err));
    if (status == CRANK_OK && page->version > 0) {
        status = crank_page_version_write(path, page->version, err);
    }
    free(image);
    end(&w);
    return status;
}
