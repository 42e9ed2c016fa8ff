/* statistics_json.c - what a run did and what it cost, as one flat JSON object. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/utf8.h"
#include "results/sink.h"

#include <crank/results.h>

#include <math.h>
#include <stdlib.h>

crank_run_record crank_run_record_default(void)
{
    return (crank_run_record){.size = sizeof(crank_run_record)};
}

static void print_text(crank_sink *sink, const char *text)
{
    char piece[256];

    crank_sink_print(sink, "\"");
    while (*text != '\0') {
        crank_json_escape(&text, CRANK_JSON_IN_STRING, piece, sizeof piece);
        crank_sink_print(sink, "%s", piece);
    }
    crank_sink_print(sink, "\"");
}

static void print_member(crank_sink *sink, const char *name, const char *text)
{
    if (text == NULL) {
        return;
    }
    crank_sink_print(sink, "    \"%s\": ", name);
    print_text(sink, text);
    crank_sink_print(sink, ",\n");
}

static void print_real(crank_sink *sink, const char *name, double value)
{
    if (isfinite(value)) {
        crank_sink_print(sink, "    \"%s\": %.17g,\n", name, value);
    } else {
        crank_sink_print(sink, "    \"%s\": null,\n", name);
    }
}

static void print_record(crank_sink *sink, const crank_run_record *record)
{
    print_member(sink, "model", record->model);
    print_member(sink, "method", record->method);
    print_member(sink, "formulation", record->formulation);
    print_member(sink, "integrator", record->integrator);
    print_real(sink, "t_start", record->t_start);
    print_real(sink, "t_end", record->t_end);
    print_real(sink, "t_reached", record->t_reached);
    print_member(sink, "status", crank_status_name(record->status));
    print_member(sink, "message", record->message);
    crank_sink_print(sink, "    \"rows\": %lld", (long long)record->rows);
}

/* The entry's text is a number, or something like nan, which JSON does not know. */
static void print_entry(crank_sink *sink, const char *name, const char *value)
{
    char *end;
    const double number = strtod(value, &end);

    crank_sink_print(sink, ",\n    \"%s\": ", name);
    if (end == value || *end != '\0') {
        print_text(sink, value);
    } else {
        crank_sink_print(sink, "%s", isfinite(number) ? value : "null");
    }
}

crank_status crank_statistics_write(const char *path, const crank_run_record *record,
                                    const crank_statistics *statistics, crank_error *err)
{
    crank_sink sink = {.fd = -1};
    crank_c_locale locale;
    const char *name;
    char value[64];

    if (record->size != sizeof *record) {
        return crank_fail(err, CRANK_EARG, "run record not made by crank_run_record_default");
    }
    if (!crank_c_locale_enter(&locale)) {
        return crank_fail(err, CRANK_EMEM, "number format");
    }
    crank_status status = crank_sink_open(&sink, path, CRANK_SINK_CAPACITY, err);
    if (status == CRANK_OK) {
        crank_sink_print(&sink, "{\n");
        print_record(&sink, record);
        for (int i = 0; crank_statistics_entry(statistics, i, &name, value, sizeof value);
             i++) {
            print_entry(&sink, name, value);
        }
        crank_sink_print(&sink, "\n}\n");
    }
    const crank_status closed = crank_sink_close(&sink, status == CRANK_OK ? err : NULL);
    crank_c_locale_leave(&locale);
    return status != CRANK_OK ? status : closed;
}
