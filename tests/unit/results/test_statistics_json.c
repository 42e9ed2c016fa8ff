/* test_statistics_json.c - the statistics file: every counter, escaped text, no nan. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "scratch.h"

#include <crank/results.h>

static char *write_and_read(const crank_run_record *record, const crank_statistics *statistics)
{
    scratch s;
    crank_error err = {0};
    scratch_open(&s, "a.json");
    CHECK_OK(crank_statistics_write(s.path, record, statistics, &err), err);
    char *text = scratch_read(&s);
    scratch_close(&s);
    return text;
}

static void statistics_file_holds_record_and_counters(void **state)
{
    crank_run_record record = crank_run_record_default();
    record.model = "pendulum.yaml";
    record.method = "geoms";
    record.t_end = 10.0;
    record.t_reached = 0.1;
    record.rows = 7;
    record.status = CRANK_ESINGULAR;
    const crank_statistics statistics = {.steps = 42, .seconds = 0.25};
    char *text = write_and_read(&record, &statistics);
    CHECK_CONTAINS(text, "{\n    \"model\": \"pendulum.yaml\",\n    \"method\": \"geoms\",\n");
    CHECK_CONTAINS(text, "\"t_end\": 10,");
    CHECK_CONTAINS(text, "\"t_reached\": 0.10000000000000001,");
    CHECK_CONTAINS(text, "\"status\": \"ESINGULAR\"");
    CHECK_CONTAINS(text, "\"rows\": 7,");
    CHECK_CONTAINS(text, "\"steps\": 42,");
    CHECK_CONTAINS(text, "\"seconds\": 0.25,");
    CHECK_CONTAINS(text, "\"max_push\": 0\n}\n");
    free(text);
}

static void statistics_file_escapes_text(void **state)
{
    crank_run_record record = crank_run_record_default();
    record.message = "joint \"knee\"\n\\";
    char *text = write_and_read(&record, &(crank_statistics){0});
    CHECK_CONTAINS(text, "\"message\": \"joint \\\"knee\\\"\\u000a\\\\\"");
    free(text);
}

static void statistics_file_writes_null_for_what_is_not_finite(void **state)
{
    crank_run_record record = crank_run_record_default();
    record.t_end = (double)INFINITY;
    const crank_statistics statistics = {.max_residual_position = (double)NAN};
    char *text = write_and_read(&record, &statistics);
    CHECK_CONTAINS(text, "\"t_end\": null");
    CHECK_CONTAINS(text, "\"max_residual_position\": null");
    free(text);
}

static void statistics_file_reports_an_unwritable_path(void **state)
{
    const crank_run_record record = crank_run_record_default();
    crank_error err;
    CHECK_STATUS(crank_statistics_write("/dev/full", &record, &(crank_statistics){0}, &err),
                 CRANK_EFILE);
    CHECK_CONTAINS(err.text, "/dev/full: cannot write: No space left");
}

static void statistics_file_refuses_a_record_without_defaults(void **state)
{
    crank_error err;
    CHECK_STATUS(crank_statistics_write("/dev/null", &(crank_run_record){0},
                                        &(crank_statistics){0}, &err),
                 CRANK_EARG);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistics_file_holds_record_and_counters),
        cmocka_unit_test(statistics_file_escapes_text),
        cmocka_unit_test(statistics_file_writes_null_for_what_is_not_finite),
        cmocka_unit_test(statistics_file_reports_an_unwritable_path),
        cmocka_unit_test(statistics_file_refuses_a_record_without_defaults),
    };
    return CHECK_RUN(argc, argv, tests);
}
