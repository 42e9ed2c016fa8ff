/* linear_write.c - a linearised motion as JSON (all of it), MAT (version 4: matrices and names,
 * for Octave and MATLAB) or CSV (eigenvalues). */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/linear.h"

#include "base/file.h"
#include "base/json.h"
#include "base/sink.h"

#include <stdlib.h>
#include <string.h>

static void put(void *to, const char *piece)
{
    crank_sink_append(to, piece, strlen(piece));
}

/* ---- JSON ---- */

static void write_names(crank_json *j, const char *key, int count, const char **names)
{
    crank_json_open(j, key, '[');
    for (int i = 0; i < count; i++) {
        crank_json_string(j, NULL, names[i]);
    }
    crank_json_close(j);
}

/* rows of a matrix that is stored by columns */
static void write_matrix(crank_json *j, const char *key, int rows, int columns, const double *M)
{
    crank_json_open(j, key, '[');
    for (int r = 0; r < rows; r++) {
        crank_json_open(j, NULL, '[');
        for (int c = 0; c < columns; c++) {
            crank_json_real(j, NULL, M[r + (long)c * rows]);
        }
        crank_json_close(j);
    }
    crank_json_close(j);
}

static void write_json(const crank_linear *l, crank_sink *sink)
{
    crank_json j = {.put = put, .to = sink, .lines = 2, .indent = 1};
    crank_json_open(&j, NULL, '{');
    write_names(&j, "states", l->states, l->state_name);
    write_names(&j, "inputs", l->inputs, l->input_name);
    write_names(&j, "outputs", l->outputs, l->output_name);
    write_matrix(&j, "A", l->states, l->states, l->A);
    write_matrix(&j, "B", l->states, l->inputs, l->B);
    write_matrix(&j, "C", l->outputs, l->states, l->C);
    write_matrix(&j, "D", l->outputs, l->inputs, l->D);
    crank_json_open(&j, "modes", '[');
    for (int k = 0; k < l->states; k++) {
        const double *u = l->modes + 2L * l->states * k;
        crank_json_open(&j, NULL, '{');
        crank_json_real(&j, "real", l->real[k]);
        crank_json_real(&j, "imag", l->imag[k]);
        crank_json_real(&j, "frequency", l->frequency[k]);
        crank_json_real(&j, "damping", l->damping[k]);
        crank_json_string(&j, "mostly", l->leader[k]);
        for (int part = 0; part < 2; part++) {
            crank_json_open(&j, part == 0 ? "shape_real" : "shape_imag", '[');
            for (int i = 0; i < l->states; i++) {
                crank_json_real(&j, NULL, u[2 * i + part]);
            }
            crank_json_close(&j);
        }
        crank_json_close(&j);
    }
    crank_json_close(&j);
    crank_json_close(&j);
    crank_sink_append(sink, "\n", 1);
}

/* ---- MAT, version 4 ---- */

/* type: 0 doubles, 51 characters (each a byte) */
static void write_header(crank_sink *sink, int type, int rows, int columns, int imaginary,
                         const char *name)
{
    const int32_t head[5] = {type, rows, columns, imaginary, (int32_t)strlen(name) + 1};
    crank_sink_append(sink, head, sizeof head);
    crank_sink_append(sink, name, strlen(name) + 1);
}

static void write_doubles(crank_sink *sink, const char *name, int rows, int columns,
                          const double *M)
{
    write_header(sink, 0, rows, columns, 0, name);
    crank_sink_append(sink, M, (size_t)rows * (size_t)columns * sizeof *M);
}

/* a row a name, padded with blanks, stored by columns */
static void write_text(crank_sink *sink, const char *name, int count, const char **names)
{
    size_t longest = 0;
    for (int i = 0; i < count; i++) {
        longest = strlen(names[i]) > longest ? strlen(names[i]) : longest;
    }
    write_header(sink, 51, count, (int)longest, 0, name);
    for (size_t c = 0; c < longest; c++) {
        for (int i = 0; i < count; i++) {
            crank_sink_append(sink, c < strlen(names[i]) ? &names[i][c] : " ", 1);
        }
    }
}

static void write_mat(const crank_linear *l, crank_sink *sink)
{
    write_doubles(sink, "A", l->states, l->states, l->A);
    write_doubles(sink, "B", l->states, l->inputs, l->B);
    write_doubles(sink, "C", l->outputs, l->states, l->C);
    write_doubles(sink, "D", l->outputs, l->inputs, l->D);
    write_header(sink, 0, l->states, 1, 1, "lambda");
    crank_sink_append(sink, l->real, (size_t)l->states * sizeof *l->real);
    crank_sink_append(sink, l->imag, (size_t)l->states * sizeof *l->imag);
    write_text(sink, "states", l->states, l->state_name);
    write_text(sink, "inputs", l->inputs, l->input_name);
    write_text(sink, "outputs", l->outputs, l->output_name);
}

/* ---- CSV ---- */

static void write_csv(const crank_linear *l, crank_sink *sink)
{
    crank_sink_print(sink, "real,imag,frequency,damping\n");
    for (int k = 0; k < l->states; k++) {
        crank_sink_print(sink, "%.17g,%.17g,%.17g,%.17g\n", l->real[k], l->imag[k],
                         l->frequency[k], l->damping[k]);
    }
}

crank_status crank_linear_write(const crank_linear *l, const char *path, crank_error *err)
{
    crank_sink sink = {.fd = -1};
    crank_c_locale locale;
    const bool json = crank_path_ends_in(path, ".json"), mat = crank_path_ends_in(path, ".mat");
    if (!json && !mat && !crank_path_ends_in(path, ".csv")) {
        return crank_fail(err, CRANK_EARG,
                          "%.200s: linearised motions are written as .json, .mat or .csv",
                          path);
    }
    crank_status status = crank_sink_open(&sink, path, CRANK_SINK_CAPACITY, err);
    if (status == CRANK_OK && crank_c_locale_enter(&locale)) {
        (json ? write_json : mat ? write_mat : write_csv)(l, &sink);
        crank_c_locale_leave(&locale);
    }
    const crank_status closed = crank_sink_close(&sink, status == CRANK_OK ? err : NULL);
    return status == CRANK_OK ? closed : status;
}
