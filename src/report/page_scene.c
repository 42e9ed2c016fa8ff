/* page_scene.c - a scene for results that have none: bodies are known by their columns body.NAME.x, and so on; each is
 * drawn as a ball with its axes. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/json.h"
#include "report/page.h"

#include "results/sink.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REFERENCES = 8, AXES = 3 };

static const char *const suffixes[REFERENCES] = {"x",  "y",  "z",  "angle",
                                                 "q0", "q1", "q2", "q3"};
enum { FIRST_QUATERNION = 4 };

typedef struct found_body {
    const char *name; /* in the table's names; not terminated */
    size_t length;
    int column[REFERENCES]; /* -1: none */
} found_body;

typedef struct found {
    const crank_table *table;
    found_body *bodies;
    int count;
    bool spatial;
    double size, scale, center[AXES];
    char *name; /* room for the longest */
} found;

static found_body *find_body(found *f, const char *name, size_t length)
{
    for (int i = f->count - 1; i >= 0; i--) { /* mostly the last */
        found_body *body = &f->bodies[i];
        if (body->length == length && memcmp(body->name, name, length) == 0) {
            return body;
        }
    }
    found_body *body = &f->bodies[f->count++];
    *body = (found_body){.name = name, .length = length};
    for (int k = 0; k < REFERENCES; k++) {
        body->column[k] = -1;
    }
    return body;
}

static void note_column(found *f, int column)
{
    static const char prefix[] = "body.";
    const char *name = f->table->names[column];
    const char *dot = strrchr(name, '.');

    if (strncmp(name, prefix, strlen(prefix)) != 0 || dot < name + strlen(prefix) + 1) {
        return;
    }
    for (int k = 0; k < REFERENCES; k++) {
        if (strcmp(dot + 1, suffixes[k]) == 0) {
            const char *start = name + strlen(prefix);
            find_body(f, start, (size_t)(dot - start))->column[k] = column;
        }
    }
}

/* Bodies need a place: x and y. Planar models have neither z nor quaternions. */
static void keep_complete(found *f)
{
    int kept = 0;

    for (int i = 0; i < f->count; i++) {
        found_body body = f->bodies[i];
        if (body.column[0] < 0 || body.column[1] < 0) {
            continue;
        }
        bool turned = true;
        for (int k = FIRST_QUATERNION; k < REFERENCES; k++) {
            turned = turned && body.column[k] >= 0;
        }
        for (int k = FIRST_QUATERNION; k < REFERENCES; k++) { /* all four, or none */
            body.column[k] = turned ? body.column[k] : -1;
        }
        body.column[3] = turned ? -1 : body.column[3];
        f->spatial = f->spatial || turned || body.column[2] >= 0;
        f->bodies[kept++] = body;
    }
    f->count = kept;
}

/* Diagonal and middle of the smallest box around all places of the first rows. */
static double measure(found *f, int rows)
{
    double size = 0.0;

    for (int k = 0; k < AXES; k++) {
        double low = (double)INFINITY, high = -(double)INFINITY;
        for (int i = 0; i < f->count; i++) {
            const int column = f->bodies[i].column[k];
            for (int row = 0; row < rows && column >= 0; row++) {
                const double at =
                    f->table->values[(size_t)column * (size_t)f->table->rows + (size_t)row];
                if (isfinite(at)) {
                    low = fmin(low, at);
                    high = fmax(high, at);
                }
            }
        }
        f->center[k] = low <= high ? 0.5 * low + 0.5 * high : 0.0;
        size = low <= high ? hypot(size, high - low) : size;
    }
    return size;
}

static void write_body(const found *f, const found_body *body, FILE *file)
{
    static const char *const colors[AXES] = {"#d62728", "#2ca02c", "#1f77b4"};
    const double length = 0.08 * f->scale;
    const char *separator = "";

    (void)fputs("{\"name\": ", file);
    memcpy(f->name, body->name, body->length);
    f->name[body->length] = '\0';
    crank_json_text(file, f->name);
    (void)fputs(", \"pose\": {", file);
    for (int k = 0; k < REFERENCES; k++) {
        if (body->column[k] >= 0) {
            (void)fprintf(file, "%s\"%s\": ", separator, suffixes[k]);
            crank_json_text(file, f->table->names[body->column[k]]);
            separator = ", ";
        }
    }
    (void)fprintf(
        file,
        "}, \"center\": [0, 0, 0], \"color\": null, \"shapes\": [{\"kind\": \"sphere\", "
        "\"radius\": %.6g, \"guessed\": true}",
        0.25 * length);
    for (int k = 0; k < (f->spatial ? AXES : AXES - 1); k++) {
        (void)fprintf(file,
                      ", {\"kind\": \"tube\", \"from\": [0, 0, 0], \"to\": [%.6g, %.6g, %.6g], "
                      "\"radius\": %.6g, \"color\": \"%s\", \"guessed\": true}",
                      k == 0 ? length : 0.0, k == 1 ? length : 0.0, k == 2 ? length : 0.0,
                      0.06 * length, colors[k]);
    }
    (void)fputs("]}", file);
}

static void write_scene(const found *f, FILE *file)
{
    (void)fprintf(file,
                  "{\"dimension\": %d, \"up\": [0, %d, %d], \"size\": %.6g, \"scale\": %.6g, "
                  "\"center\": [%.6g, "
                  "%.6g, %.6g], \"bodies\": [",
                  f->spatial ? 3 : 2, f->spatial ? 0 : 1, f->spatial ? 1 : 0, f->size, f->scale,
                  f->center[0], f->center[1], f->center[2]);
    for (int i = 0; i < f->count; i++) {
        (void)fputs(i > 0 ? ", " : "", file);
        write_body(f, &f->bodies[i], file);
    }
    (void)fputs(
        "], \"joints\": [], \"forces\": [], \"lines\": [], \"traces\": [], \"plots\": [], "
        "\"phase\": [], \"camera\": null, \"follow\": null}",
        file);
}

static crank_status write_text(found *f, char **scene, crank_error *err)
{
    crank_c_locale locale;
    size_t length;
    const double all = measure(f, f->table->rows), start = measure(f, 1);

    f->size = start > 0.0 ? start : all > 0.0 ? all : 1.0;
    f->scale = f->size * fmin(1.0, 2.0 / sqrt((double)f->count)); /* many are small */
    if (!crank_c_locale_enter(&locale)) {
        return crank_fail(err, CRANK_EMEM, "the scene of the page");
    }
    FILE *file = open_memstream(scene, &length);
    if (file != NULL) {
        write_scene(f, file);
    }
    crank_c_locale_leave(&locale);
    const bool failed = file == NULL || ferror(file) != 0;
    if ((file != NULL && fclose(file) != 0) || failed || *scene == NULL) {
        free(*scene);
        *scene = NULL;
        return crank_fail(err, CRANK_EMEM, "the scene of the page");
    }
    return CRANK_OK;
}

crank_status crank_page_scene_from_names(const crank_table *table, char **scene,
                                         crank_error *err)
{
    found f = {.table = table, .bodies = calloc((size_t)table->columns + 1, sizeof *f.bodies)};
    size_t longest = 0;
    crank_status status = CRANK_OK;

    *scene = NULL;
    for (int j = 0; j < table->columns && f.bodies != NULL; j++) {
        longest = strlen(table->names[j]) > longest ? strlen(table->names[j]) : longest;
        note_column(&f, j);
    }
    f.name = malloc(longest + 1);
    if (f.bodies == NULL || f.name == NULL) {
        status = crank_fail(err, CRANK_EMEM, "the scene of the page");
    } else {
        keep_complete(&f);
        status = f.count > 0 ? write_text(&f, scene, err) : CRANK_OK;
    }
    free(f.bodies);
    free(f.name);
    return status;
}
