/* inverse_write.c - what "crank inverse" writes: the driven mechanism that it runs, rows of efforts,
 * and a mechanism that is moved by them. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inverse.h"

#include "files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the mechanism that is driven ---- */

static void write_quoted(FILE *file, const char *text)
{
    (void)fputc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') {
            (void)fputc('\\', file);
        }
        (void)fputc(*text, file);
    }
    (void)fputc('"', file);
}

static void write_head(const inverse *v, const char *model, FILE *file)
{
    (void)fprintf(file, "crank: mechanism\ndimension: %d\ninclude: [", v->dimension);
    write_quoted(file, model);
    (void)fputs("]\n", file);
}

/* The model as a file beside `from` has to name it: by its name in the same folder, from here
 * if `from` is here, else from the root. */
static const char *model_from(const char *model, const char *from, char *text, size_t size)
{
    const char *slash = strrchr(from, '/'), *own = strrchr(model, '/');
    const size_t folder = slash != NULL ? (size_t)(slash - from) : 0;
    const size_t other = own != NULL ? (size_t)(own - model) : 0;
    if (model[0] == '/' || slash == NULL) {
        return model;
    }
    if (own != NULL && folder == other && strncmp(from, model, folder) == 0) {
        return own + 1;
    }
    if (getcwd(text, size) == NULL || strlen(text) + strlen(model) + 2 > size) {
        return model;
    }
    const size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "/%s", model);
    return text;
}

void inverse_write_driven(const inverse *v, FILE *file)
{
    write_head(v, v->a->positional.item[0], file);
    (void)fputs("joints:\n", file);
    for (int i = 0; i < v->drives; i++) {
        const moved *d = &v->drive[i];
        (void)fprintf(file, "  drive_%s: {type: driver, of: %s.%s.%s, is: ", d->safe,
                      d->section, d->object, d->quantity);
        write_quoted(file, d->motion);
        (void)fputs("}\n", file);
    }
    if (v->same) {
        return;
    }
    (void)fputs("inputs:\n", file);
    for (int i = 0; i < v->motors; i++) {
        (void)fprintf(file, "  unit_%s: 0\n", v->motor[i].safe);
    }
    (void)fputs("forces:\n", file);
    for (int i = 0; i < v->motors; i++) {
        const moved *m = &v->motor[i];
        (void)fprintf(file,
                      "  unit_%s: {type: actuator, joint: %s, coordinate: %s, command: "
                      "unit_%s}\n",
                      m->safe, m->object, m->quantity, m->safe);
    }
}

/* ---- what is written ---- */

void inverse_write_rows(const inverse *v, FILE *file)
{
    const size_t rows = (size_t)v->rows;
    (void)fputs("time", file);
    for (int k = 0; k < v->motors; k++) {
        const moved *m = &v->motor[k];
        (void)fprintf(file, ",joint.%s.%s,joint.%s.effort%s%s", m->object, m->quantity,
                      m->object, m->whole ? "" : "_", m->whole ? "" : m->quantity);
    }
    (void)fputc('\n', file);
    for (size_t r = 0; r < rows; r++) {
        (void)fprintf(file, "%.17g", v->time[r]);
        for (int k = 0; k < v->motors; k++) {
            (void)fprintf(file, ",%.17g,%.17g", v->position[(size_t)k * rows + r],
                          v->tau[(size_t)k * rows + r]);
        }
        (void)fputc('\n', file);
    }
}

static void write_start(const inverse *v, FILE *file)
{
    bool joints = false;
    (void)fputs("initial:\n", file);
    for (int i = 0; i < v->drives; i++) {
        const moved *d = &v->drive[i];
        const double *start = v->start + 2 * (size_t)i;
        if (!d->whole) {
            (void)fprintf(file,
                          "  place_%s: %s.%s.%s - (%.17g)\n  rate_%s: %s.%s.%s - (%.17g)\n",
                          d->safe, d->section, d->object, d->quantity, start[0], d->safe,
                          d->section, d->object, d->rate, start[1]);
        }
    }
    for (int i = 0; i < v->drives; i++) {
        const moved *d = &v->drive[i];
        if (d->whole) {
            (void)fputs(joints ? "" : "  joints:\n", file);
            joints = true;
            (void)fprintf(file, "    %s: {%s: %.17g, %s: %.17g}\n", d->object, d->quantity,
                          v->start[2 * i], d->rate, v->start[2 * i + 1]);
        }
    }
}

void inverse_write_replay(const inverse *v, FILE *file)
{
    const size_t rows = (size_t)v->rows;
    char path[4096];
    (void)fputs("# Written by crank inverse: the efforts of a motion move the mechanism.\n",
                file);
    write_head(v, model_from(v->a->positional.item[0], v->a->replay, path, sizeof path), file);
    (void)fputs("forces:\n", file);
    for (int k = 0; k < v->motors; k++) {
        const moved *m = &v->motor[k];
        (void)fprintf(file,
                      "  effort_%s: {type: actuator, joint: %s, coordinate: %s, command: "
                      "effort_%s(t)}\n",
                      m->safe, m->object, m->quantity, m->safe);
    }
    write_start(v, file);
    (void)fprintf(
        file,
        "events: # beyond their last row efforts are not known\n  efforts_end: {when: "
        "\"t - (%.17g)\", direction: rising, actions: [message: the efforts end here, "
        "stop]}\n",
        v->time[rows - 1]);
    (void)fputs("tables:\n", file);
    for (int k = 0; k < v->motors; k++) {
        (void)fprintf(
            file,
            "  effort_%s:\n    interpolation: spline\n    outside: extrapolate\n    points:\n",
            v->motor[k].safe);
        for (size_t r = 0; r < rows; r++) {
            (void)fprintf(file, "      - [%.17g, %.17g]\n", v->time[r],
                          v->tau[(size_t)k * rows + r]);
        }
    }
}

int inverse_write_file(const inverse *v, const char *path,
                       void (*write)(const inverse *v, FILE *file))
{
    const bool standard = is_standard_output(path);
    FILE *file = standard ? stdout : fopen(path, "w");
    if (file == NULL) {
        tell_error(v->m, "%s: cannot write: %s", path, strerror(errno));
        return CODE_FAILED;
    }
    write(v, file);
    bool written = ferror(file) == 0;
    written = (standard ? fflush(file) : fclose(file)) == 0 && written;
    if (!written) {
        tell_error(v->m, "%s: cannot be written", standard ? "standard output" : path);
    }
    return written ? -1 : CODE_FAILED;
}
