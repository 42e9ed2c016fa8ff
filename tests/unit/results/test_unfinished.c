/* test_unfinished.c - results in every format while a run goes on, and when one goes on with a
 * result: rows readable after a flush, the rows that are kept, what is refused. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "every_format.h"

#include <sys/stat.h>

/* ---- while a run goes on ---- */

static void rows_are_readable_after_a_flush(void **state)
{
    for (int f = 0; f < FILES; f++) {
        scratch s;
        crank_error err = {0};
        char path[160];
        scratch_open(&s, files[f]);
        crank_recorder *recorder = create(&s, 2, two, NULL);
        (void)snprintf(path, sizeof path, "%s%s", s.path, is_logged(files[f]) ? ".rows" : "");
        for (int i = 0; i < 3; i++) {
            put_rows(recorder, 200 * i, 200);
            CHECK_OK(crank_recorder_flush(recorder, i == 1, &err), err);
            crank_table *table = read_path(path);
            check_rows(table, 200 * (i + 1));
            assert_int_equal(table->incomplete, !is_csv(files[f]));
            crank_table_destroy(table);
        }
        finish(recorder);
        scratch_close(&s);
    }
}

/* Flushing after every row leaves holes in HDF5 files, which are gone at the end. */
static void many_flushes_do_not_swell_the_file(void **state)
{
    scratch s;
    crank_error err = {0};
    struct stat info;
    scratch_open(&s, "a.h5");
    crank_recorder *recorder = create(&s, 2, two, NULL);
    for (int i = 0; i < 2000; i++) {
        put_rows(recorder, i, 1);
        CHECK_OK(crank_recorder_flush(recorder, false, &err), err);
    }
    assert_int_equal(stat(s.path, &info), 0);
    assert_true(info.st_size > 1500000);
    finish(recorder);
    assert_int_equal(stat(s.path, &info), 0);
    assert_true(info.st_size < 64000); /* 32000 bytes of numbers, not very compressible */
    crank_table *table = read_path(s.path);
    check_rows(table, 2000);
    crank_table_destroy(table);
    scratch_close(&s);
}

static void mat_file_appears_only_when_it_is_complete(void **state)
{
    scratch s;
    crank_error err = {0};
    crank_table *table;
    scratch_open(&s, "a.mat");
    crank_recorder *recorder = create(&s, 2, two, NULL);
    put_rows(recorder, 0, 5);
    CHECK_STATUS(crank_table_read(s.path, &table, &err), CRANK_EFILE);
    CHECK_CONTAINS(err.text, "a.mat.rows");
    finish(recorder);
    table = read_path(s.path);
    check_rows(table, 5);
    crank_table_destroy(table);
    (void)strcat(s.path, ".rows");
    assert_int_equal(access(s.path, F_OK), -1);
    s.path[strlen(s.path) - 5] = '\0';
    scratch_close(&s);
}

/* ---- going on ---- */

static void reopened_result_goes_on_behind_the_rows_kept(void **state)
{
    const int kept[] = {0, 1, 255, 256, 300, 700};
    for (int f = 0; f < FILES; f++) {
        for (int k = 0; k < 6; k++) {
            scratch s;
            crank_error err = {0};
            crank_recorder *recorder;
            scratch_open(&s, files[f]);
            recorder = create(&s, 2, two, NULL);
            put_rows(recorder, 0, 700);
            finish(recorder);
            CHECK_OK(
                crank_recorder_reopen(s.path, kept[k], NULL, 2, two, NULL, &recorder, &err),
                err);
            assert_int_equal(crank_recorder_rows(recorder), kept[k]);
            put_rows(recorder, kept[k], 800 - kept[k]);
            assert_int_equal(crank_recorder_rows(recorder), 800);
            finish(recorder);
            crank_table *table = read_path(s.path);
            check_rows(table, 800);
            assert_false(table->incomplete);
            crank_table_destroy(table);
            scratch_close(&s);
        }
    }
}

static void result_made_in_two_goes_is_the_same_file(void **state)
{
    for (int f = 0; f < FILES; f += 3) { /* CSV and MAT */
        scratch one, two_goes;
        crank_error err = {0};
        crank_recorder *recorder;
        scratch_open(&one, files[f]);
        scratch_open(&two_goes, files[f]);
        recorder = create(&one, 2, two, NULL);
        put_rows(recorder, 0, 50);
        finish(recorder);
        recorder = create(&two_goes, 2, two, NULL);
        put_rows(recorder, 0, 30);
        finish(recorder);
        CHECK_OK(crank_recorder_reopen(two_goes.path, 20, NULL, 2, two, NULL, &recorder, &err),
                 err);
        put_rows(recorder, 20, 30);
        finish(recorder);
        char *a = scratch_read(&one), *b = scratch_read(&two_goes);
        assert_memory_equal(a, b, 1 << 20);
        free(a);
        free(b);
        scratch_close(&one);
        scratch_close(&two_goes);
    }
}

static void reopen_refuses_what_does_not_fit(void **state)
{
    static const crank_column other[] = {{.name = "time"}, {.name = "y"}};
    for (int f = 0; f < FILES; f++) {
        scratch s;
        crank_error err = {0};
        crank_recorder *recorder;
        scratch_open(&s, files[f]);
        CHECK_STATUS(crank_recorder_reopen(s.path, 0, NULL, 2, two, NULL, &recorder, &err),
                     CRANK_EFILE);
        CHECK_CONTAINS(err.text, "No such file");
        recorder = create(&s, 2, two, NULL);
        put_rows(recorder, 0, 10);
        finish(recorder);
        CHECK_STATUS(crank_recorder_reopen(s.path, 11, NULL, 2, two, NULL, &recorder, &err),
                     CRANK_EFILE);
        assert_null(recorder);
        CHECK_CONTAINS(err.text, "10 rows");
        CHECK_STATUS(crank_recorder_reopen(s.path, 5, NULL, 2, other, NULL, &recorder, &err),
                     CRANK_EARG);
        CHECK_STATUS(crank_recorder_reopen(s.path, 5, NULL, 1, two, NULL, &recorder, &err),
                     CRANK_EARG);
        CHECK_CONTAINS(err.text, files[f]);
        scratch_close(&s);
    }
}

static void reopen_refuses_other_rows_and_leaves_the_file(void **state)
{
    for (int f = 0; f < FILES; f++) {
        scratch s;
        crank_error err = {0};
        crank_recorder *recorder;
        scratch_open(&s, files[f]);
        uint64_t good[2], bad[2];
        recorder = create(&s, 2, two, NULL); /* differs in the last bit of its first row */
        put(recorder, (double[]){0, nextafter(1.0 / 3, 1.0)});
        put_rows(recorder, 1, 8);
        bad[0] = crank_recorder_mark(recorder);
        put(recorder, (double[]){9, NAN});
        bad[1] = crank_recorder_mark(recorder);
        finish(recorder);
        recorder = create(&s, 2, two, NULL);
        put_rows(recorder, 0, 9);
        good[0] = crank_recorder_mark(recorder);
        put(recorder, (double[]){9, -NAN}); /* NaN is NaN */
        good[1] = crank_recorder_mark(recorder);
        finish(recorder);
        for (int i = 0; i < 2; i++) {
            CHECK_STATUS(
                crank_recorder_reopen(s.path, 9 + i, &bad[i], 2, two, NULL, &recorder, &err),
                CRANK_EFILE);
            CHECK_CONTAINS(err.text, "are not those that the run wrote");
            assert_null(recorder);
        }
        for (int i = 1; i >= 0; i--) {
            CHECK_OK(
                crank_recorder_reopen(s.path, 9 + i, &good[i], 2, two, NULL, &recorder, &err),
                err);
            assert_true(crank_recorder_mark(recorder) == good[i]);
            finish(recorder);
        }
        crank_table *table = read_path(s.path);
        check_rows(table, 9);
        crank_table_destroy(table);
        scratch_close(&s);
    }
}

static void a_result_has_one_writer_at_a_time(void **state)
{
    for (int f = 0; f < FILES; f++) {
        scratch s;
        crank_error err = {0};
        crank_recorder *other;
        scratch_open(&s, files[f]);
        crank_recorder *recorder = create(&s, 2, two, NULL);
        put_rows(recorder, 0, 5);
        CHECK_OK(crank_recorder_flush(recorder, false, &err), err);
        CHECK_STATUS(crank_recorder_create(s.path, 2, two, NULL, &other, &err), CRANK_EFILE);
        CHECK_CONTAINS(err.text, "another process has it open");
        CHECK_STATUS(crank_recorder_reopen(s.path, 2, NULL, 2, two, NULL, &other, &err),
                     CRANK_EFILE);
        CHECK_CONTAINS(err.text, "another process has it open");
        put_rows(recorder, 5, 5);
        finish(recorder);
        crank_table *table = read_path(s.path);
        check_rows(table, 10);
        crank_table_destroy(table);
        CHECK_OK(crank_recorder_reopen(s.path, 10, NULL, 2, two, NULL, &other, &err), err);
        CHECK_STATUS(crank_recorder_create(s.path, 2, two, NULL, &recorder, &err), CRANK_EFILE);
        finish(other);
        scratch_close(&s);
    }
}

static void reopen_refuses_standard_output_and_devices(void **state)
{
    crank_error err = {0};
    crank_recorder *recorder;
    CHECK_STATUS(crank_recorder_reopen("-", 0, NULL, 2, two, NULL, &recorder, &err),
                 CRANK_EARG);
    CHECK_STATUS(crank_recorder_reopen("/dev/null", 0, NULL, 2, two, NULL, &recorder, &err),
                 CRANK_EARG);
    CHECK_STATUS(crank_recorder_reopen("a.csv", -1, NULL, 2, two, NULL, &recorder, &err),
                 CRANK_EARG);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_readable_after_a_flush),
        cmocka_unit_test(many_flushes_do_not_swell_the_file),
        cmocka_unit_test(mat_file_appears_only_when_it_is_complete),
        cmocka_unit_test(reopened_result_goes_on_behind_the_rows_kept),
        cmocka_unit_test(result_made_in_two_goes_is_the_same_file),
        cmocka_unit_test(reopen_refuses_what_does_not_fit),
        cmocka_unit_test(reopen_refuses_other_rows_and_leaves_the_file),
        cmocka_unit_test(a_result_has_one_writer_at_a_time),
        cmocka_unit_test(reopen_refuses_standard_output_and_devices),
    };
    return CHECK_RUN(argc, argv, tests);
}
