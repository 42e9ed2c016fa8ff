/* recorder.c - rows of numbers as CSV (RFC 4180 quoting of names, "%.17g" numbers).
 *
 * Rows are formatted into a buffer that holds whole lines only and is handed to the system when
 * it is full or a second old, so that a killed run leaves a readable file. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/clock.h"
#include "results/sink.h"

#include <crank/results.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_LENGTH = 26 }; /* -1.7976931348623157e+308, a separator and the terminator */

static const double flush_period = 1.0; /* s */

struct crank_recorder {
    crank_sink sink;
    locale_t c_locale;
    int columns;
    int64_t rows;
    double flushed; /* time of the last flush, s */
};

/* A name as a CSV field; quoted only where it must be. */
static size_t field_size(const char *name)
{
    return 2 * strlen(name) + 3;
}

static size_t write_field(char *out, const char *name)
{
    size_t length = 0;

    if (name[0] != '\0' && strpbrk(name, ",\"\r\n") == NULL) {
        length = strlen(name);
        memcpy(out, name, length);
        return length;
    }
    out[length++] = '"';
    for (const char *c = name; *c != '\0'; c++) {
        if (*c == '"') {
            out[length++] = '"';
        }
        out[length++] = *c;
    }
    out[length++] = '"';
    return length;
}

static void write_header(crank_recorder *recorder, size_t size, const char *const *names)
{
    char *out = crank_sink_reserve(&recorder->sink, size);
    size_t length = 0;

    if (out == NULL) {
        return;
    }
    for (int j = 0; j < recorder->columns; j++) {
        length += write_field(out + length, names[j]);
        out[length++] = j + 1 < recorder->columns ? ',' : '\n';
    }
    recorder->sink.used += length;
}

crank_status crank_recorder_create(const char *path, int column_count, const char *const *names,
                                   crank_recorder **out, crank_error *err)
{
    size_t header = 0;

    *out = NULL;
    if (column_count < 1) {
        return crank_fail(err, CRANK_EARG, "a result needs at least one column, not %d",
                          column_count);
    }
    for (int j = 0; j < column_count; j++) {
        header += field_size(names[j]);
    }
    const size_t row = (size_t)column_count * NUMBER_LENGTH;
    const size_t longest = header > row ? header : row;
    const size_t capacity = longest > CRANK_SINK_CAPACITY ? longest : CRANK_SINK_CAPACITY;

    crank_recorder *recorder = calloc(1, sizeof *recorder);
    if (recorder == NULL) {
        return crank_fail(err, CRANK_EMEM, "recorder of %d columns", column_count);
    }
    recorder->sink.fd = -1;
    recorder->columns = column_count;
    recorder->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    recorder->flushed = crank_clock_seconds();
    crank_status status = recorder->c_locale == (locale_t)0
                              ? crank_fail(err, CRANK_EMEM, "number format")
                              : crank_sink_open(&recorder->sink, path, capacity, err);
    if (status == CRANK_OK) {
        write_header(recorder, header, names);
        status = crank_sink_flush(&recorder->sink, err);
    }
    if (status != CRANK_OK) {
        crank_recorder_close(recorder, NULL);
        return status;
    }
    *out = recorder;
    return CRANK_OK;
}

crank_status crank_recorder_write(crank_recorder *recorder, const double *values,
                                  crank_error *err)
{
    crank_sink *sink = &recorder->sink;
    char *out = crank_sink_reserve(sink, (size_t)recorder->columns * NUMBER_LENGTH);
    size_t length = 0;

    if (out == NULL) {
        return crank_sink_flush(sink, err); /* tells the failure again */
    }
    const locale_t previous = uselocale(recorder->c_locale);
    for (int j = 0; j < recorder->columns; j++) {
        const int written = isnan(values[j])
                                ? snprintf(out + length, NUMBER_LENGTH, "nan")
                                : snprintf(out + length, NUMBER_LENGTH, "%.17g", values[j]);
        length += (size_t)written;
        out[length++] = j + 1 < recorder->columns ? ',' : '\n';
    }
    (void)uselocale(previous);
    sink->used += length;
    recorder->rows++;
    return crank_recorder_poll(recorder, err);
}

crank_status crank_recorder_poll(crank_recorder *recorder, crank_error *err)
{
    const double time = crank_clock_seconds();

    if (recorder->sink.error == 0 && time - recorder->flushed < flush_period) {
        return CRANK_OK;
    }
    recorder->flushed = time;
    return crank_sink_flush(&recorder->sink, err);
}

crank_status crank_recorder_flush(crank_recorder *recorder, crank_error *err)
{
    recorder->flushed = crank_clock_seconds();
    return crank_sink_flush(&recorder->sink, err);
}

int64_t crank_recorder_rows(const crank_recorder *recorder)
{
    return recorder->rows;
}

crank_status crank_recorder_close(crank_recorder *recorder, crank_error *err)
{
    if (recorder == NULL) {
        return CRANK_OK;
    }
    const crank_status status = crank_sink_close(&recorder->sink, err);
    if (recorder->c_locale != (locale_t)0) {
        freelocale(recorder->c_locale);
    }
    free(recorder);
    return status;
}
