/* test_recorder.c - the CSV recorder: exact numbers, whole lines, failures told. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "scratch.h"

#include <crank/results.h>

#include <fcntl.h>
#include <float.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int allocations;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size)
{
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    allocations++;
    return __real_realloc(old, size);
}

static const crank_column two_names[] = {{.name = "time"}, {.name = "x"}};

static crank_recorder *open_two(const scratch *s)
{
    crank_error err;
    crank_recorder *recorder;
    CHECK_OK(crank_recorder_create(s->path, 2, two_names, NULL, &recorder, &err), err);
    return recorder;
}

static void recorder_writes_names_and_rows(void **state)
{
    scratch s;
    crank_error err;
    scratch_open(&s, "a.csv");
    crank_recorder *recorder = open_two(&s);
    CHECK_OK(crank_recorder_write(recorder, (double[]){0.0, 1.5}, &err), err);
    CHECK_OK(crank_recorder_write(recorder, (double[]){1.0, -2.0}, &err), err);
    assert_int_equal(crank_recorder_rows(recorder), 2);
    CHECK_OK(crank_recorder_close(recorder, &err), err);
    char *text = scratch_read(&s);
    assert_string_equal(text, "time,x\n0,1.5\n1,-2\n");
    free(text);
    scratch_close(&s);
}

static void recorder_numbers_read_back_bit_for_bit(void **state)
{
    const double values[] = {0.1,     1.0 / 3.0, -DBL_MAX, DBL_MIN, 5e-324,
                             DBL_MAX, 1e-300,    -0.0,     1e22,    2.2250738585072011e-308};
    const int count = (int)(sizeof values / sizeof values[0]);
    scratch s;
    crank_error err;
    crank_table *table;
    scratch_open(&s, "a.csv");
    crank_recorder *recorder = open_two(&s);
    for (int i = 0; i < count; i++) {
        CHECK_OK(crank_recorder_write(recorder, (double[]){i, values[i]}, &err), err);
    }
    CHECK_OK(crank_recorder_close(recorder, &err), err);
    CHECK_OK(crank_table_read(s.path, &table, &err), err);
    assert_int_equal(table->rows, count);
    assert_memory_equal(table->values + count, values, sizeof values);
    crank_table_destroy(table);
    scratch_close(&s);
}

/* written digit by digit up to 1e15 */
static void recorder_writes_whole_numbers_as_printf_does(void **state)
{
    static const double values[] = {
        0.0,  -0.0,  1.0,  -7.0,  10.0,     4294967296.0, 0.5, 1e14, 999999999999999.0,
        1e15, -1e15, 1e17, 1e300, -123456.0};
    char expected[1000] = "time,x\n";
    scratch s;
    crank_error err;
    scratch_open(&s, "a.csv");
    crank_recorder *recorder = open_two(&s);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const double row[2] = {(double)i, values[i]};
        const size_t used = strlen(expected);
        (void)snprintf(expected + used, sizeof expected - used, "%.17g,%.17g\n", row[0],
                       row[1]);
        CHECK_OK(crank_recorder_write(recorder, row, &err), err);
    }
    CHECK_OK(crank_recorder_close(recorder, &err), err);
    char *text = scratch_read(&s);
    assert_string_equal(text, expected);
    free(text);
    scratch_close(&s);
}

static void recorder_writes_nan_without_sign_and_infinities(void **state)
{
    scratch s;
    crank_error err;
    scratch_open(&s, "a.csv");
    crank_recorder *recorder = open_two(&s);
    const double nan = (double)NAN;
    CHECK_OK(crank_recorder_write(recorder, (double[]){-nan, (double)-INFINITY}, &err), err);
    CHECK_OK(crank_recorder_close(recorder, &err), err);
    char *text = scratch_read(&s);
    assert_string_equal(text, "time,x\nnan,-inf\n");
    free(text);
    scratch_close(&s);
}

static void recorder_quotes_names_that_hold_separators(void **state)
{
    const crank_column names[] = {{.name = "time"}, {.name = "a,b"}, {.name = "say \"hi\""}};
    scratch s;
    crank_error err;
    crank_recorder *recorder;
    crank_table *table;
    scratch_open(&s, "a.csv");
    CHECK_OK(crank_recorder_create(s.path, 3, names, NULL, &recorder, &err), err);
    CHECK_OK(crank_recorder_close(recorder, &err), err);
    char *text = scratch_read(&s);
    assert_string_equal(text, "time,\"a,b\",\"say \"\"hi\"\"\"\n");
    free(text);
    CHECK_OK(crank_table_read(s.path, &table, &err), err);
    assert_int_equal(crank_table_find(table, "say \"hi\""), 2);
    crank_table_destroy(table);
    scratch_close(&s);
}

static void recorder_ignores_the_locale(void **state)
{
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL && setlocale(LC_ALL, "de_DE.utf8") == NULL) {
        skip();
    }
    recorder_writes_names_and_rows(state);
    recorder_numbers_read_back_bit_for_bit(state);
    (void)setlocale(LC_ALL, "C");
}

static void recorder_does_not_allocate_per_row(void **state)
{
    scratch s;
    crank_error err;
    scratch_open(&s, "a.csv");
    crank_recorder *recorder = open_two(&s);
    const int before = allocations;
    for (int i = 0; i < 20000; i++) { /* several buffers full */
        CHECK_OK(crank_recorder_write(recorder, (double[]){i, 1.0 / 3.0}, &err), err);
    }
    assert_int_equal(allocations, before);
    CHECK_OK(crank_recorder_close(recorder, &err), err);
    scratch_close(&s);
}

static void recorder_rows_reach_the_file_within_a_second(void **state)
{
    scratch s;
    crank_error err;
    scratch_open(&s, "a.csv");
    crank_recorder *recorder = open_two(&s);
    CHECK_OK(crank_recorder_write(recorder, (double[]){0.0, 1.0}, &err), err);
    const struct timespec longer = {.tv_sec = 1, .tv_nsec = 20000000};
    (void)nanosleep(&longer, NULL);
    CHECK_OK(crank_recorder_poll(recorder, &err), err);
    char *text = scratch_read(&s);
    assert_string_equal(text, "time,x\n0,1\n");
    free(text);
    CHECK_OK(crank_recorder_close(recorder, &err), err);
    scratch_close(&s);
}

static void recorder_names_path_and_reason_when_it_cannot_open(void **state)
{
    crank_error err;
    crank_recorder *recorder;
    CHECK_STATUS(
        crank_recorder_create("/nonexistent/a.csv", 2, two_names, NULL, &recorder, &err),
        CRANK_EFILE);
    assert_null(recorder);
    CHECK_CONTAINS(err.text, "/nonexistent/a.csv");
    CHECK_CONTAINS(err.text, "No such file");
}

static void recorder_reports_a_full_disk(void **state)
{
    crank_error err;
    crank_recorder *recorder;
    CHECK_STATUS(crank_recorder_create("/dev/full", 2, two_names, NULL, &recorder, &err),
                 CRANK_EFILE);
    assert_null(recorder);
    CHECK_CONTAINS(err.text, "/dev/full");
    CHECK_CONTAINS(err.text, "No space left");
}

static void recorder_keeps_its_failure(void **state)
{
    scratch s;
    crank_error err;
    int ends[2];
    (void)signal(SIGPIPE, SIG_IGN);
    scratch_open(&s, "a.csv");
    assert_int_equal(pipe(ends), 0);
    (void)snprintf(s.path, sizeof s.path, "/dev/fd/%d", ends[1]);
    crank_recorder *recorder = open_two(&s);
    (void)close(ends[0]);
    CHECK_OK(crank_recorder_write(recorder, (double[]){0.0, 1.0}, &err), err);
    CHECK_STATUS(crank_recorder_flush(recorder, false, &err), CRANK_EFILE);
    CHECK_CONTAINS(err.text, "Broken pipe");
    CHECK_STATUS(crank_recorder_write(recorder, (double[]){0.0, 1.0}, &err), CRANK_EFILE);
    CHECK_STATUS(crank_recorder_close(recorder, &err), CRANK_EFILE);
    CHECK_CONTAINS(err.text, "Broken pipe");
    (void)close(ends[1]);
    scratch_close(&s);
}

/* A limit on the file's size stands for a disk that fills up in the middle of a line. */
static void recorder_cuts_back_to_a_whole_line_when_the_disk_fills(void **state)
{
    enum { LIMIT = 100003 };
    scratch s;
    crank_error err = {0};
    struct rlimit limit, old;
    scratch_open(&s, "a.csv");
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = old;
    limit.rlim_cur = LIMIT;
    crank_recorder *recorder = open_two(&s);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    crank_status status = CRANK_OK;
    for (int i = 0; i < 20000 && status == CRANK_OK; i++) {
        status = crank_recorder_write(recorder, (double[]){i, 1.0 / 3.0}, &err);
    }
    CHECK_STATUS(status, CRANK_EFILE);
    CHECK_CONTAINS(err.text, "File too large");
    CHECK_STATUS(crank_recorder_close(recorder, &err), CRANK_EFILE);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    char *text = scratch_read(&s);
    const size_t length = strlen(text);
    assert_true(length > LIMIT - 64 && length <= LIMIT);
    assert_int_equal(text[length - 1], '\n');
    free(text);
    scratch_close(&s);
}

static void killed_process_leaves_whole_lines(void **state)
{
    scratch s;
    crank_table *table;
    crank_error err;
    scratch_open(&s, "a.csv");
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        crank_recorder *recorder;
        if (crank_recorder_create(s.path, 2, two_names, NULL, &recorder, NULL) == CRANK_OK) {
            for (int i = 0; i < 100000000; i++) {
                (void)crank_recorder_write(recorder, (double[]){i, 1.0 / 3.0}, NULL);
            }
        }
        _exit(0);
    }
    const struct timespec while_writing = {.tv_nsec = 100000000};
    (void)nanosleep(&while_writing, NULL);
    (void)kill(child, SIGTERM);
    (void)waitpid(child, NULL, 0);
    CHECK_OK(crank_table_read(s.path, &table, &err), err);
    assert_false(table->incomplete);
    assert_true(table->rows > 0);
    crank_table_destroy(table);
    scratch_close(&s);
}

static void recorder_accepts_null_at_close(void **state)
{
    CHECK_STATUS(crank_recorder_close(NULL, NULL), CRANK_OK);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorder_writes_names_and_rows),
        cmocka_unit_test(recorder_numbers_read_back_bit_for_bit),
        cmocka_unit_test(recorder_writes_whole_numbers_as_printf_does),
        cmocka_unit_test(recorder_writes_nan_without_sign_and_infinities),
        cmocka_unit_test(recorder_quotes_names_that_hold_separators),
        cmocka_unit_test(recorder_ignores_the_locale),
        cmocka_unit_test(recorder_does_not_allocate_per_row),
        cmocka_unit_test(recorder_rows_reach_the_file_within_a_second),
        cmocka_unit_test(recorder_names_path_and_reason_when_it_cannot_open),
        cmocka_unit_test(recorder_reports_a_full_disk),
        cmocka_unit_test(recorder_keeps_its_failure),
        cmocka_unit_test(recorder_cuts_back_to_a_whole_line_when_the_disk_fills),
        cmocka_unit_test(killed_process_leaves_whole_lines),
        cmocka_unit_test(recorder_accepts_null_at_close),
    };
    return CHECK_RUN(argc, argv, tests);
}
