/* linearize_motion.c - modes as motions, so that a page can show them: every mode swings once
 * about the point, one after the other, in all columns of the model. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linearize.h"

#include <crank/results.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 60, SWINGS = 2 };
/* largest change in a mode: of a place, of the size of the scene; of an angle */
static const double way = 0.08, angle = 0.3;

/* Column c of mode k (a complex number): C phi. */
static void shape(const crank_linear *l, int c, int k, double out[2])
{
    const double *phi = l->modes + 2L * l->states * k;
    out[0] = out[1] = 0.0;
    for (int j = 0; j < l->states; j++) {
        out[0] += l->C[c + (long)j * l->outputs] * phi[2L * j];
        out[1] += l->C[c + (long)j * l->outputs] * phi[2L * j + 1];
    }
}

static bool ends_in(const char *name, const char *end)
{
    const size_t length = strlen(name), own = strlen(end);
    return length > own && strcmp(name + length - own, end) == 0;
}

/* The change that column may have; 0: any. Of models without bodies all columns count. */
static double limit(const char *name, bool bodies, double size)
{
    const bool place = ends_in(name, ".x") || ends_in(name, ".y") || ends_in(name, ".z");
    return !bodies ? way * size : ends_in(name, ".angle") ? angle : place ? way * size : 0.0;
}

/* The factor by which the mode is shown. */
static double amplitude(const crank_linear *l, int k, double size)
{
    const bool bodies = strncmp(l->output_name[0], "body.", 5) == 0;
    double most = 0.0, part[2];
    for (int c = 0; c < l->outputs; c++) {
        const double allowed = limit(l->output_name[c], bodies, size);
        shape(l, c, k, part);
        most = allowed > 0.0 ? fmax(most, hypot(part[0], part[1]) / allowed) : most;
    }
    return most > 0.0 ? 1.0 / most : 0.0;
}

/* "size" of the scene, the mechanism's; 1 where it does not tell */
static double size_of(const char *scene)
{
    const char *place = scene != NULL ? strstr(scene, "\"size\":") : NULL;
    const double size = place != NULL ? strtod(place + 7, NULL) : 0.0;
    return size > 0.0 ? size : 1.0;
}

static crank_status write_rows(const crank_linear *l, double scale, double *row,
                               crank_recorder *recorder, crank_error *err)
{
    static const double turn = 6.283185307179586;
    const double *base = row + l->outputs + 3;
    crank_status status = CRANK_OK;
    int shown = 0;
    for (int k = 0; k < l->states && status == CRANK_OK; k++) {
        if (l->imag[k] < 0.0) {
            continue; /* the same as its conjugate */
        }
        const double size = amplitude(l, k, scale);
        for (int i = 0; i < FRAMES && status == CRANK_OK; i++) {
            const double phase = SWINGS * turn * i / FRAMES;
            row[0] = shown + (double)i / FRAMES;
            for (int c = 0; c < l->outputs; c++) {
                double part[2];
                shape(l, c, k, part);
                row[c + 1] = base[c] + size * (part[0] * cos(phase) - part[1] * sin(phase));
            }
            row[l->outputs + 1] = l->frequency[k];
            row[l->outputs + 2] = l->damping[k];
            status = crank_recorder_write(recorder, row, err);
        }
        shown++;
    }
    return status;
}

crank_status write_modes(session *s, const crank_linear *l, const char *path, crank_error *err)
{
    const int count = l->outputs;
    crank_column *columns = calloc((size_t)count + 3, sizeof *columns);
    double *row = calloc(2 * (size_t)count + 3, sizeof *row);
    crank_recorder *recorder = NULL;
    char *scene = NULL;
    crank_result_info info = crank_result_info_default();
    crank_status status = columns != NULL && row != NULL ? CRANK_OK : CRANK_EMEM;
    if (status == CRANK_OK) {
        columns[0] = (crank_column){"time", "1", "number of the mode, and part of its swings"};
        for (int i = 0; i < count; i++) {
            columns[i + 1] = (crank_column){crank_model_column_name(s->model, i),
                                            crank_model_column_unit(s->model, i),
                                            crank_model_column_description(s->model, i)};
        }
        columns[count + 1] = (crank_column){"mode.frequency", "Hz", "of the mode shown"};
        columns[count + 2] = (crank_column){"mode.damping", "1", "ratio of the mode shown"};
        info.title = crank_model_title(s->model);
        info.model = s->path;
        info.method = "modes";
        status = crank_model_scene(s->model, &scene, err);
        info.scene = scene;
    }
    if (status == CRANK_OK) {
        status = crank_state_columns(s->state, s->t_start, s->x, row + count + 3, err);
    }
    THEN(status, crank_recorder_create(path, count + 3, columns, &info, &recorder, err));
    THEN(status, write_rows(l, size_of(scene), row, recorder, err));
    if (recorder != NULL) {
        crank_error closing = {0};
        const crank_status closed = crank_recorder_close(recorder, &closing);
        if (status == CRANK_OK && closed != CRANK_OK) {
            *err = closing;
            status = closed;
        }
    }
    free(scene);
    free(columns);
    free(row);
    return status;
}
