/* page_index.c - what is where in a page, as JSON; which columns the scene needs. See docs/develop/page.md. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/json.h"
#include "report/page.h"

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
    int moving_depth; /* of the object or array whose columns move something; 0: not inside one */
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

    for (int j = 0; j < columns; j++) {
        w->columns[j].class = j == 0 ? CRANK_PAGE_MOVING : CRANK_PAGE_OTHER;
        w->columns[j].wanted = w->page->wanted == NULL || w->page->wanted[j];
        w->columns[j].wide =
            j == 0 || crank_page_is_wide(w->table->values + (size_t)j * rows, (int)rows);
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

static void write_member(FILE *file, const char *name, const char *text)
{
    (void)fprintf(file, ",\n\"%s\": ", name);
    if (text != NULL && text[0] != '\0') {
        crank_json_text(file, text);
    } else {
        (void)fputs("null", file);
    }
}

static void write_columns(const crank_page_writer *w, FILE *file, bool largest)
{
    const char *separator = "";

    (void)fputs(",\n\"columns\": [", file);
    for (int j = 0; j < w->table->columns; j++) {
        const crank_page_column *column = &w->columns[j];
        if (largest ? !column->wanted && j > 0 : column->block < 0) {
            continue;
        }
        (void)fprintf(file, "%s\n{\"name\": ", separator);
        crank_json_text(file, w->table->names[j]);
        (void)fputs(", \"unit\": ", file);
        crank_json_text(file, w->table->units != NULL ? w->table->units[j] : "");
        (void)fputs(", \"description\": ", file);
        crank_json_text(file, w->table->descriptions != NULL ? w->table->descriptions[j] : "");
        (void)fprintf(file, ", \"block\": %d, \"slot\": %d}",
                      largest ? w->table->columns : column->block,
                      largest ? w->table->columns : column->slot);
        separator = ",";
    }
    (void)fputs("]", file);
}

static void write_blocks(const crank_page_writer *w, FILE *file)
{
    (void)fputs(",\n\"blocks\": [", file);
    for (int i = 0; i < w->block_count; i++) {
        (void)fprintf(file, "%s{\"columns\": %d, \"type\": \"%s\"}", i > 0 ? ", " : "",
                      w->blocks[i].columns, w->blocks[i].wide ? "f64" : "f32");
    }
    (void)fputs("],\n\"left_out\": [", file);
    const char *separator = "";
    for (int j = 0; j < w->table->columns; j++) {
        if (w->columns[j].block < 0 && w->columns[j].wanted) {
            (void)fputs(separator, file);
            crank_json_text(file, w->table->names[j]);
            separator = ", ";
        }
    }
    (void)fputs("]", file);
}

void crank_page_index_write(const crank_page_writer *w, FILE *file, bool largest,
                            const char *image)
{
    const char *model = w->table->model;
    const char *slash = model != NULL ? strrchr(model, '/') : NULL;

    (void)fputs("<script type=\"application/json\" id=\"crank-index\">\n{\"format\": 1", file);
    write_member(file, "title", w->title);
    write_member(file, "model", slash != NULL ? slash + 1 : model);
    write_member(file, "method", w->table->method);
    write_member(file, "version", crank_version());
    (void)fprintf(file, ",\n\"rows\": %d,\n\"result_rows\": %d", w->frames, w->table->rows);
    write_columns(w, file, largest);
    if (!largest) {
        write_blocks(w, file);
    }
    (void)fputs(",\n\"scene\": ", file);
    if (w->scene != NULL) {
        crank_json_copy(file, w->scene);
    } else {
        (void)fputs("null", file);
    }
    (void)fputs(",\n\"watch\": ", file);
    if (image != NULL) {
        (void)fprintf(file, "{\"version\": %lld, \"image\": ", (long long)w->page->version);
        crank_json_text(file, image);
        const crank_page_image size = crank_page_version_image(w->page->version);
        (void)fprintf(file, ", \"width\": %d, \"height\": %d}", size.width, size.height);
    } else {
        (void)fputs("null", file);
    }
    (void)fputs("}\n</script>", file);
}
