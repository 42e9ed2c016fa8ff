/* page_index.c - what is where in a page, as JSON; which columns the scene needs. See
 * docs/develop/page.md. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/json.h"
#include "report/json.h"
#include "report/page.h"
#include "report/picture/scene.h"

#include <stdlib.h>
#include <string.h>

/* ---- which columns the scene names ---- */

typedef struct named_column {
    const char *name;
    int column;
} named_column;

typedef struct scene_reader {
    crank_page_writer *writer;
    named_column *names; /* sorted */
    int depth;
    /* of the object or array whose columns move something; 0: not inside one */
    int moving_depth;
    bool moving_begins; /* the last key announces one */
    bool in_pose;       /* where every string is a column, elsewhere those without key */
    bool after_key;
} scene_reader;

static int compare(const void *a, const void *b)
{
    const named_column *left = a, *right = b;

    return strcmp(left->name, right->name);
}

static void note(scene_reader *r, const char *text)
{
    const named_column key = {.name = text};
    const named_column *found =
        bsearch(&key, r->names, (size_t)r->writer->table->columns, sizeof *r->names, compare);

    if (found == NULL) {
        crank_page_writer *w = r->writer;
        if (r->moving_depth > 0 && (r->in_pose || !r->after_key) && w->missing++ == 0) {
            (void)snprintf(w->first_missing, sizeof w->first_missing, "%s", text);
        }
        return;
    }
    crank_page_column *column = &r->writer->columns[found->column];
    const crank_page_class class = r->moving_depth > 0 ? CRANK_PAGE_MOVING : CRANK_PAGE_NAMED;
    column->class = class < column->class ? class : column->class;
    column->wanted = true;
}

static void visit(void *user, crank_json_event event, const char *text)
{
    scene_reader *r = user;

    switch (event) {
    case CRANK_JSON_OPEN:
        r->depth++;
        if (r->moving_begins && r->moving_depth == 0) {
            r->moving_depth = r->depth;
        }
        r->moving_begins = false;
        r->after_key = false;
        break;
    case CRANK_JSON_CLOSE:
        if (r->moving_depth == r->depth) {
            r->moving_depth = 0;
        }
        r->depth--;
        r->moving_begins = false;
        r->after_key = false;
        break;
    case CRANK_JSON_KEY:
        r->moving_begins = strcmp(text, "pose") == 0 || strcmp(text, "lines") == 0 ||
                           strcmp(text, "traces") == 0;
        if (r->moving_begins && r->moving_depth == 0) {
            r->in_pose = text[0] == 'p';
        }
        r->after_key = true;
        break;
    case CRANK_JSON_STRING:
        note(r, text);
        r->moving_begins = false;
        r->after_key = false;
        break;
    case CRANK_JSON_PLAIN:
        r->moving_begins = false;
        r->after_key = false;
        break;
    }
}

/* Classes in their order, wide columns before the others, the table's order among equals. */
static void set_order(crank_page_writer *w)
{
    int count = 0;

    w->order[count++] = 0;
    for (int class = 0; class < CRANK_PAGE_CLASSES; class ++) {
        for (int narrow = 0; narrow < 2; narrow++) {
            for (int j = 1; j < w->table->columns; j++) {
                const crank_page_column *column = &w->columns[j];
                if (column->wanted && (int)column->class == class &&
                    column->wide == (narrow == 0)) {
                    w->order[count++] = j;
                }
            }
        }
    }
    w->order_count = count;
}

crank_status crank_page_classify(crank_page_writer *w, crank_error *err)
{
    const int columns = w->table->columns;
    const size_t rows = (size_t)w->table->rows;
    crank_status status = CRANK_OK;

    const crank_study_table *study = w->page->study;
    const int exact = study != NULL ? study->factors : 0; /* factors are copied into commands */
    for (int j = 0; j < columns; j++) {
        w->columns[j].class = j == 0 || study != NULL ? CRANK_PAGE_MOVING : CRANK_PAGE_OTHER;
        w->columns[j].wanted = w->page->wanted == NULL || w->page->wanted[j];
        w->columns[j].wide =
            j <= exact || crank_page_is_wide(w->table->values + (size_t)j * rows, (int)rows);
    }
    if (w->scene != NULL) {
        scene_reader r = {.writer = w, .names = calloc((size_t)columns, sizeof *r.names)};
        if (r.names == NULL) {
            return crank_fail(err, CRANK_EMEM, "%d columns of the page", columns);
        }
        for (int j = 0; j < columns; j++) {
            r.names[j] = (named_column){.name = w->table->names[j], .column = j};
        }
        qsort(r.names, (size_t)columns, sizeof *r.names, compare);
        crank_error inner = {0};
        status = crank_json_read(w->scene, visit, &r, &inner);
        if (status != CRANK_OK) {
            status = crank_fail(err, status == CRANK_EMEM ? CRANK_EMEM : CRANK_EARG,
                                "the scene of the page is not a JSON object: %s", inner.text);
        }
        free(r.names);
    }
    set_order(w);
    return status;
}

/* ---- the index ---- */

/* empty texts are null */
static void write_text(crank_json *j, const char *name, const char *text)
{
    crank_json_string(j, name, text != NULL && text[0] != '\0' ? text : NULL);
}

static void write_columns(const crank_page_writer *w, crank_json *j, bool largest)
{
    const crank_table *table = w->table;

    j->lines = 2; /* a line for each */
    crank_json_open(j, "columns", '[');
    for (int i = 0; i < table->columns; i++) {
        const crank_page_column *column = &w->columns[i];
        if (largest ? !column->wanted && i > 0 : column->block < 0) {
            continue;
        }
        crank_json_open(j, NULL, '{');
        crank_json_string(j, "name", table->names[i]);
        crank_json_string(j, "unit", table->units != NULL ? table->units[i] : "");
        crank_json_string(j, "description",
                          table->descriptions != NULL ? table->descriptions[i] : "");
        crank_json_int(j, "block", largest ? table->columns : column->block);
        crank_json_int(j, "slot", largest ? table->columns : column->slot);
        crank_json_close(j);
    }
    crank_json_close(j);
    j->lines = 1;
}

static void write_blocks(const crank_page_writer *w, crank_json *j)
{
    crank_json_open(j, "blocks", '[');
    for (int i = 0; i < w->block_count; i++) {
        crank_json_open(j, NULL, '{');
        crank_json_int(j, "columns", w->blocks[i].columns);
        crank_json_string(j, "type", w->blocks[i].wide ? "f64" : "f32");
        crank_json_close(j);
    }
    crank_json_close(j);
    crank_json_open(j, "left_out", '[');
    for (int i = 0; i < w->table->columns; i++) {
        if (w->columns[i].block < 0 && w->columns[i].wanted) {
            crank_json_string(j, NULL, w->table->names[i]);
        }
    }
    crank_json_close(j);
}

static void write_watch(const crank_page_writer *w, crank_json *j, const char *image)
{
    const crank_page_image size = crank_page_version_image(w->page->version);

    crank_json_open(j, "watch", '{');
    crank_json_int(j, "version", w->page->version);
    crank_json_string(j, "image", image);
    crank_json_int(j, "width", size.width);
    crank_json_int(j, "height", size.height);
    crank_json_close(j);
}

/* The body that the camera follows if the scene names none, so that the page and pictures
 * agree. */
static void write_traveller(const crank_page_writer *w, crank_json *j)
{
    crank_store store = {0};
    crank_picture_scene scene;
    int body = -1;

    if (w->scene != NULL && w->table->rows > 0 &&
        crank_picture_scene_read(w->scene, w->table, &store, &scene, NULL) == CRANK_OK) {
        body = scene.follow < 0 ? crank_picture_traveller(&scene) : -1;
    }
    crank_store_free(&store);
    if (body >= 0) {
        crank_json_int(j, "traveller", body);
    } else {
        crank_json_null(j, "traveller");
    }
}

void crank_page_index_write(const crank_page_writer *w, FILE *file, bool largest,
                            const char *image)
{
    const char *model = w->table->model;
    const char *slash = model != NULL ? strrchr(model, '/') : NULL;
    crank_json j = {.put = crank_json_put_file, .to = file, .lines = 1};

    (void)fputs("<script type=\"application/json\" id=\"crank-index\">\n", file);
    crank_json_open(&j, NULL, '{');
    crank_json_int(&j, "format", 1);
    write_text(&j, "title", w->title);
    write_text(&j, "model", slash != NULL ? slash + 1 : model);
    write_text(&j, "method", w->table->method);
    write_text(&j, "version", crank_version());
    crank_json_int(&j, "rows", w->frames);
    crank_json_int(&j, "result_rows", w->table->rows);
    write_columns(w, &j, largest);
    if (!largest) {
        write_blocks(w, &j);
    }
    crank_json_copy(&j, "scene", w->scene != NULL ? w->scene : "null");
    write_traveller(w, &j);
    if (w->page->study != NULL) {
        crank_page_study_index(w, &j);
    }
    if (image != NULL) {
        write_watch(w, &j, image);
    } else {
        crank_json_null(&j, "watch");
    }
    crank_json_close(&j);
    (void)fputs("\n</script>", file);
}
