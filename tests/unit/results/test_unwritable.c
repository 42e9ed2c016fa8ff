/* test_unwritable.c - results that cannot be written, in every format: paths, full disks,
 * arguments. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "every_format.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

static void unknown_endings_are_refused_with_the_known_ones(void **state)
{
    crank_error err = {0};
    crank_recorder *recorder;
    CHECK_STATUS(crank_recorder_check("a.xls", &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "a.xls");
    CHECK_CONTAINS(err.text, ".csv");
    CHECK_CONTAINS(err.text, ".mat");
    CHECK_STATUS(crank_recorder_check("a.mat.rows", &err), CRANK_EARG);
    CHECK_STATUS(crank_recorder_create("a.xls", 2, two, NULL, &recorder, &err), CRANK_EARG);
    CHECK_STATUS(crank_recorder_check("b/a.HDF5", &err), CRANK_OK);
    CHECK_STATUS(crank_recorder_check("-", &err), CRANK_OK);
    CHECK_STATUS(crank_recorder_check(NULL, &err), CRANK_OK);
    CHECK_STATUS(crank_recorder_check("/dev/null", &err), CRANK_OK);
}

static void paths_that_cannot_be_written_are_told(void **state)
{
    for (int f = 0; f < FILES; f++) {
        scratch s;
        char path[200];
        crank_error err = {0};
        crank_recorder *recorder;
        (void)snprintf(path, sizeof path, "/nonexistent/%s", files[f]);
        CHECK_STATUS(crank_recorder_create(path, 2, two, NULL, &recorder, &err), CRANK_EFILE);
        assert_null(recorder);
        CHECK_CONTAINS(err.text, path);
        CHECK_CONTAINS(err.text, "No such file");
        scratch_open(&s, files[f]);
        assert_int_equal(mkdir(s.path, 0777), 0);
        CHECK_STATUS(crank_recorder_create(s.path, 2, two, NULL, &recorder, &err), CRANK_EFILE);
        CHECK_CONTAINS(err.text, "Is a directory");
        crank_table *table;
        CHECK_STATUS(crank_table_read(s.path, &table, &err), CRANK_EFILE);
        CHECK_CONTAINS(err.text, "Is a directory");
        assert_int_equal(rmdir(s.path), 0);
        scratch_close(&s);
    }
}

/* A limit on the file's size stands for a disk that fills up. */
static void full_disk_is_told_and_earlier_rows_stay(void **state)
{
    const int limits[] = {0, 100, 6000, 20000, 100003};
    struct rlimit old;
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    for (int f = 0; f < FILES; f++) {
        for (int l = 0; l < 5; l++) {
            scratch s;
            crank_error err = {0};
            struct rlimit limit = {.rlim_cur = (rlim_t)limits[l], .rlim_max = old.rlim_max};
            crank_recorder *recorder = NULL;
            int64_t flushed = -1;
            scratch_open(&s, files[f]);
            assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
            crank_status status = crank_recorder_create(s.path, 2, two, NULL, &recorder, &err);
            for (int i = 0; i < 1000000 && status == CRANK_OK; i++) {
                status = crank_recorder_write(recorder, (double[]){i, 1.0 / (i + 3)}, &err);
                if (status == CRANK_OK && i % 500 == 0) {
                    status = crank_recorder_flush(recorder, false, &err);
                    flushed = status == CRANK_OK ? i + 1 : flushed;
                }
            }
            CHECK_STATUS(status, CRANK_EFILE);
            CHECK_CONTAINS(err.text, "File too large");
            CHECK_CONTAINS(err.text, files[f]);
            if (recorder != NULL) {
                CHECK_STATUS(crank_recorder_write(recorder, (double[]){0, 0}, &err),
                             CRANK_EFILE);
                CHECK_STATUS(crank_recorder_close(recorder, &err), CRANK_EFILE);
                CHECK_CONTAINS(err.text, "File too large");
            }
            assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
            if (flushed >= 0) {
                char path[160];
                (void)snprintf(path, sizeof path, "%s%s", s.path,
                               is_logged(files[f]) ? ".rows" : "");
                crank_table *table = read_path(path);
                assert_true(table->rows >= flushed);
                check_rows(table, table->rows);
                crank_table_destroy(table);
            }
            scratch_close(&s);
        }
    }
}

/* The rows fit, the MAT file that is made from them does not. */
static void full_disk_at_the_end_leaves_the_row_log(void **state)
{
    scratch s;
    crank_error err = {0};
    struct rlimit old, limit;
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    scratch_open(&s, "a.mat");
    crank_recorder *recorder = create(&s, 2, two, NULL);
    put_rows(recorder, 0, 100);
    CHECK_OK(crank_recorder_flush(recorder, false, &err), err);
    limit = (struct rlimit){.rlim_cur = 1700, .rlim_max = old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    CHECK_STATUS(crank_recorder_close(recorder, &err), CRANK_EFILE);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    CHECK_CONTAINS(err.text, "File too large");
    CHECK_CONTAINS(err.text, "a.mat.rows");
    assert_int_equal(access(s.path, F_OK), -1);
    (void)strcat(s.path, ".rows");
    crank_table *table = read_path(s.path);
    check_rows(table, 100);
    assert_true(table->incomplete);
    s.path[strlen(s.path) - 5] = '\0';
    CHECK_OK(crank_table_write(table, s.path, &err), err);
    crank_table_destroy(table);
    table = read_path(s.path);
    check_rows(table, 100);
    crank_table_destroy(table);
    scratch_close(&s);
}

static void arguments_out_of_range_are_refused(void **state)
{
    crank_error err = {0};
    crank_recorder *recorder;
    const crank_column nameless[] = {{.unit = "m"}};
    crank_result_info info = {0};
    CHECK_STATUS(crank_recorder_create("a.h5", 0, two, NULL, &recorder, &err), CRANK_EARG);
    CHECK_STATUS(crank_recorder_create("a.h5", 1, nameless, NULL, &recorder, &err), CRANK_EARG);
    CHECK_STATUS(crank_recorder_create("a.h5", 2, two, &info, &recorder, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "crank_result_info_default");
}

/* 3000 names, one of them of a megabyte: 3 GB of filling. */
static void mat_refuses_names_that_do_not_fit(void **state)
{
    enum { COLUMNS = 3000, LENGTH = 1 << 20 };
    crank_column *columns = calloc(COLUMNS, sizeof *columns);
    char *name = malloc(LENGTH + 1);
    crank_error err = {0};
    crank_recorder *recorder;
    scratch s;
    assert_true(columns != NULL && name != NULL);
    memset(name, 'n', LENGTH);
    name[LENGTH] = '\0';
    for (int j = 0; j < COLUMNS; j++) {
        columns[j].name = j == 0 ? name : "x";
    }
    scratch_open(&s, "a.mat");
    CHECK_STATUS(crank_recorder_create(s.path, COLUMNS, columns, NULL, &recorder, &err),
                 CRANK_EARG);
    CHECK_CONTAINS(err.text, "write .h5");
    free(name);
    free(columns);
    scratch_close(&s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_endings_are_refused_with_the_known_ones),
        cmocka_unit_test(paths_that_cannot_be_written_are_told),
        cmocka_unit_test(full_disk_is_told_and_earlier_rows_stay),
        cmocka_unit_test(full_disk_at_the_end_leaves_the_row_log),
        cmocka_unit_test(arguments_out_of_range_are_refused),
        cmocka_unit_test(mat_refuses_names_that_do_not_fit),
    };
    return CHECK_RUN(argc, argv, tests);
}
