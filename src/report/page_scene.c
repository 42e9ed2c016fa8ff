/* page_scene.c - a scene for results that have none: bodies are known by their columns
 * body.NAME.x, and so on; each is drawn as a ball with its axes. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/json.h"
#include "report/json.h"
#include "report/page.h"

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

static void write_shape(crank_json *j, const char *kind, double radius, const double *to,
                        const char *color)
{
    const double origin[AXES] = {0.0};

    crank_json_open(j, NULL, '{');
    crank_json_string(j, "kind", kind);
    if (to != NULL) {
        crank_json_reals(j, "from", AXES, origin);
        crank_json_reals(j, "to", AXES, to);
    }
    crank_json_real(j, "radius", radius);
    if (color != NULL) {
        crank_json_string(j, "color", color);
    }
    crank_json_bool(j, "guessed", true);
    crank_json_close(j);
}

static void write_body(const found *f, const found_body *body, crank_json *j)
{
    static const char *const colors[AXES] = {"#d62728", "#2ca02c", "#1f77b4"};
    const double length = 0.08 * f->scale, origin[AXES] = {0.0};

    crank_json_open(j, NULL, '{');
    memcpy(f->name, body->name, body->length);
    f->name[body->length] = '\0';
    crank_json_string(j, "name", f->name);
    crank_json_open(j, "pose", '{');
    for (int k = 0; k < REFERENCES; k++) {
        if (body->column[k] >= 0) {
            crank_json_string(j, suffixes[k], f->table->names[body->column[k]]);
        }
    }
    crank_json_close(j);
    crank_json_reals(j, "center", AXES, origin);
    crank_json_null(j, "color");
    crank_json_open(j, "shapes", '[');
    write_shape(j, "sphere", 0.25 * length, NULL, NULL);
    for (int k = 0; k < (f->spatial ? AXES : AXES - 1); k++) {
        double tip[AXES] = {0.0};
        tip[k] = length;
        write_shape(j, "tube", 0.06 * length, tip, colors[k]);
    }
    crank_json_close(j);
    crank_json_close(j);
}

static void write_scene(const found *f, FILE *file)
{
    static const char *const empty[] = {"joints", "forces", "lines",
                                        "traces", "plots",  "phase"};
    const double up[AXES] = {0.0, f->spatial ? 0.0 : 1.0, f->spatial ? 1.0 : 0.0};
    crank_json j = {.put = crank_json_put_file, .to = file, .digits = 6};

    crank_json_open(&j, NULL, '{');
    crank_json_int(&j, "dimension", f->spatial ? 3 : 2);
    crank_json_reals(&j, "up", AXES, up);
    crank_json_real(&j, "size", f->size);
    crank_json_real(&j, "scale", f->scale);
    crank_json_reals(&j, "center", AXES, f->center);
    crank_json_open(&j, "bodies", '[');
    for (int i = 0; i < f->count; i++) {
        write_body(f, &f->bodies[i], &j);
    }
    crank_json_close(&j);
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        crank_json_open(&j, empty[i], '[');
        crank_json_close(&j);
    }
    crank_json_null(&j, "camera");
    crank_json_null(&j, "follow");
    crank_json_close(&j);
}

static crank_status write_text(found *f, char **scene, crank_error *err)
{
    size_t length;
    const double all = measure(f, f->table->rows), start = measure(f, 1);

    f->size = start > 0.0 ? start : all > 0.0 ? all : 1.0;
    f->scale = f->size * fmin(1.0, 2.0 / sqrt((double)f->count)); /* many are small */
    FILE *file = open_memstream(scene, &length);
    if (file != NULL) {
        write_scene(f, file);
    }
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
