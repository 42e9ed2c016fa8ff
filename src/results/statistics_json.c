/* statistics_json.c - what a run did and what it cost, as one flat JSON object. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/json.h"
#include "base/number.h"
#include "base/sink.h"

#include <crank/results.h>

#include <math.h>

crank_run_record crank_run_record_default(void)
{
    return (crank_run_record){.size = sizeof(crank_run_record)};
}

static void put(void *to, const char *piece)
{
    crank_sink_print(to, "%s", piece);
}

/* left out where it is not known */
static void write_text(crank_json *j, const char *name, const char *text)
{
    if (text != NULL) {
        crank_json_string(j, name, text);
    }
}

static void write_record(crank_json *j, const crank_run_record *record)
{
    write_text(j, "model", record->model);
    write_text(j, "method", record->method);
    write_text(j, "formulation", record->formulation);
    write_text(j, "integrator", record->integrator);
    crank_json_real(j, "t_start", record->t_start);
    crank_json_real(j, "t_end", record->t_end);
    crank_json_real(j, "t_reached", record->t_reached);
    crank_json_string(j, "status", crank_status_name(record->status));
    write_text(j, "message", record->message);
    crank_json_int(j, "rows", record->rows);
}

/* The entry's text is a number, or something like nan, which JSON does not know. */
static void write_entry(crank_json *j, const char *name, const char *value)
{
    double number;

    if (!crank_number_parse(value, &number)) {
        crank_json_string(j, name, value);
    } else if (isfinite(number)) {
        crank_json_copy(j, name, value);
    } else {
        crank_json_null(j, name);
    }
}

crank_status crank_statistics_write(const char *path, const crank_run_record *record,
                                    const crank_statistics *statistics, crank_error *err)
{
    crank_sink sink = {.fd = -1};
    crank_json j = {.put = put, .to = &sink, .digits = 17, .lines = 1, .indent = 4};
    const char *name;
    char value[64];

    if (record->size != sizeof *record) {
        return crank_fail(err, CRANK_EARG, "run record not made by crank_run_record_default");
    }
    crank_status status = crank_sink_open(&sink, path, CRANK_SINK_CAPACITY, err);
    if (status == CRANK_OK) {
        crank_json_open(&j, NULL, '{');
        write_record(&j, record);
        for (int i = 0; crank_statistics_entry(statistics, i, &name, value, sizeof value);
             i++) {
            write_entry(&j, name, value);
        }
        crank_json_close(&j);
        crank_sink_print(&sink, "\n");
    }
    const crank_status closed = crank_sink_close(&sink, status == CRANK_OK ? err : NULL);
    return status != CRANK_OK ? status : closed;
}
