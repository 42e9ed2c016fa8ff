/* test_formats.c - what holds for results in every format: values read back bit for bit, with names, units and
 * texts; going on with a result; failures told. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "scratch.h"

#include <crank/results.h>

#include <fcntl.h>
#include <float.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

static const char *const files[] = {"a.csv", "a.h5", "a.hdf5", "a.mat"};
enum { FILES = sizeof files / sizeof files[0] };

static const crank_column two[] = {{.name = "time", .unit = "s"}, {.name = "x", .unit = "m"}};

static bool is_csv(const char *name)
{
    return strstr(name, ".csv") != NULL;
}

static crank_recorder *create(const scratch *s, int columns, const crank_column *column,
                              const crank_result_info *info)
{
    crank_error err = {0};
    crank_recorder *recorder;
    CHECK_OK(crank_recorder_create(s->path, columns, column, info, &recorder, &err), err);
    return recorder;
}

static void put(crank_recorder *recorder, const double *row)
{
    crank_error err = {0};
    CHECK_OK(crank_recorder_write(recorder, row, &err), err);
}

static void finish(crank_recorder *recorder)
{
    crank_error err = {0};
    CHECK_OK(crank_recorder_close(recorder, &err), err);
}

static crank_table *read_path(const char *path)
{
    crank_error err = {0};
    crank_table *table;
    CHECK_OK(crank_table_read(path, &table, &err), err);
    return table;
}

/* row i of a result of two columns */
static void put_rows(crank_recorder *recorder, int first, int count)
{
    for (int i = first; i < first + count; i++) {
        put(recorder, (double[]){i, 1.0 / (i + 3)});
    }
}

static void check_rows(const crank_table *table, int count)
{
    assert_int_equal(table->rows, count);
    for (int i = 0; i < count; i++) {
        assert_true(table->values[i] == i);
        assert_true(table->values[count + i] == 1.0 / (i + 3));
    }
}

/* ---- round trips ---- */

static void values_read_back_bit_for_bit(void **state)
{
    const double values[] = {0.1,
                             1.0 / 3.0,
                             -DBL_MAX,
                             DBL_MIN,
                             5e-324,
                             DBL_MAX,
                             1e-300,
                             -0.0,
                             1e22,
                             2.2250738585072011e-308,
                             (double)INFINITY,
                             (double)-INFINITY,
                             4.9406564584124654e-324,
                             0.30000000000000004};
    const int count = (int)(sizeof values / sizeof values[0]);
    for (int f = 0; f < FILES; f++) {
        scratch s;
        scratch_open(&s, files[f]);
        crank_recorder *recorder = create(&s, 2, two, NULL);
        for (int i = 0; i < count; i++) {
            put(recorder, (double[]){i, values[i]});
        }
        put(recorder, (double[]){count, (double)NAN});
        assert_int_equal(crank_recorder_rows(recorder), count + 1);
        finish(recorder);
        crank_table *table = read_path(s.path);
        assert_int_equal(table->rows, count + 1);
        assert_memory_equal(table->values + count + 1, values, sizeof values);
        assert_true(isnan(table->values[2 * count + 1]));
        assert_false(table->incomplete);
        crank_table_destroy(table);
        scratch_close(&s);
    }
}

static void binary_formats_keep_the_bits_of_nan(void **state)
{
    const uint64_t bits[] = {0x7ff8000000000123, 0xfff8000000000001, 0x7ff0000000000001};
    double values[3];
    memcpy(values, bits, sizeof bits);
    for (int f = 1; f < FILES; f++) {
        scratch s;
        scratch_open(&s, files[f]);
        crank_recorder *recorder = create(&s, 1, two, NULL);
        for (int i = 0; i < 3; i++) {
            put(recorder, &values[i]);
        }
        finish(recorder);
        crank_table *table = read_path(s.path);
        assert_int_equal(table->rows, 3);
        assert_memory_equal(table->values, bits, sizeof bits);
        crank_table_destroy(table);
        scratch_close(&s);
    }
}

static void names_units_and_texts_read_back(void **state)
{
    const crank_column columns[] = {
        {.name = "time", .unit = "s", .description = "simulated time"},
        {.name = "a,\"b\"\n c ", .unit = "N m", .description = ""},
        {.name = "\xc3\xa4\xe2\x86\x92", .unit = "", .description = "ends in [brackets]"},
        {.name = "body.left.rod.x[3]", .unit = NULL, .description = NULL},
        {.name = "q", .unit = "rad/s", .description = "only [one] unit"},
    };
    crank_result_info info = crank_result_info_default();
    info.title = "A \"title\" <b>";
    info.model = "models/x.yaml";
    info.method = "psf-radau";
    info.scene = "{\"bodies\":[\"\xc3\xa4\"]}";
    for (int f = 0; f < FILES; f++) {
        scratch s;
        scratch_open(&s, files[f]);
        crank_recorder *recorder = create(&s, 5, columns, &info);
        put(recorder, (double[]){1, 2, 3, 4, 5});
        finish(recorder);
        crank_table *table = read_path(s.path);
        assert_int_equal(table->columns, 5);
        for (int j = 0; j < 5; j++) {
            const bool plain = is_csv(files[f]); /* has no place for them */
            const char *unit = columns[j].unit, *text = columns[j].description;
            assert_string_equal(table->names[j], columns[j].name);
            assert_string_equal(table->units[j], plain || unit == NULL ? "" : unit);
            assert_string_equal(table->descriptions[j], plain || text == NULL ? "" : text);
            assert_true(table->values[j] == j + 1.0);
        }
        if (is_csv(files[f])) {
            assert_null(table->title);
        } else {
            assert_string_equal(table->title, info.title);
            assert_string_equal(table->model, info.model);
            assert_string_equal(table->method, info.method);
            assert_string_equal(table->scene, info.scene);
        }
        crank_table_destroy(table);
        scratch_close(&s);
    }
}

static void texts_that_are_not_given_are_not_there(void **state)
{
    for (int f = 0; f < FILES; f++) {
        scratch s;
        scratch_open(&s, files[f]);
        finish(create(&s, 2, two, NULL));
        crank_table *table = read_path(s.path);
        assert_int_equal(table->rows, 0);
        assert_int_equal(table->columns, 2);
        assert_null(table->title);
        assert_null(table->scene);
        crank_table_destroy(table);
        scratch_close(&s);
    }
}

static void large_scene_is_kept(void **state)
{
    enum { SIZE = 3 << 20 };
    char *scene = malloc(SIZE + 1);
    assert_non_null(scene);
    for (int i = 0; i < SIZE; i++) {
        scene[i] = (char)('a' + i % 26);
    }
    scene[SIZE] = '\0';
    crank_result_info info = crank_result_info_default();
    info.scene = scene;
    for (int f = 1; f < FILES; f++) {
        scratch s;
        scratch_open(&s, files[f]);
        finish(create(&s, 2, two, &info));
        crank_table *table = read_path(s.path);
        assert_true(strcmp(table->scene, scene) == 0);
        crank_table_destroy(table);
        scratch_close(&s);
    }
    free(scene);
}

static void wide_results_read_back(void **state)
{
    enum { COLUMNS = 5000, ROWS = 40 };
    crank_column *columns = calloc(COLUMNS, sizeof *columns);
    char(*names)[24] = calloc(COLUMNS, sizeof *names);
    double *row = calloc(COLUMNS, sizeof *row);
    assert_true(columns != NULL && names != NULL && row != NULL);
    for (int j = 0; j < COLUMNS; j++) {
        (void)snprintf(names[j], sizeof names[j], "body.b%d.x", j);
        columns[j] = (crank_column){.name = names[j], .unit = "m", .description = "place"};
    }
    for (int f = 0; f < FILES; f++) {
        scratch s;
        scratch_open(&s, files[f]);
        crank_recorder *recorder = create(&s, COLUMNS, columns, NULL);
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j < COLUMNS; j++) {
                row[j] = i + j / 7.0;
            }
            put(recorder, row);
        }
        finish(recorder);
        crank_table *table = read_path(s.path);
        assert_int_equal(table->rows, ROWS);
        assert_int_equal(table->columns, COLUMNS);
        for (int j = 0; j < COLUMNS; j++) {
            assert_string_equal(table->names[j], names[j]);
            for (int i = 0; i < ROWS; i++) {
                assert_true(table->values[j * ROWS + i] == i + j / 7.0);
            }
        }
        crank_table_destroy(table);
        scratch_close(&s);
    }
    free(columns);
    free(names);
    free(row);
}

static void tables_convert_between_all_formats(void **state)
{
    crank_result_info info = crank_result_info_default();
    info.title = "title";
    for (int from = 1; from < FILES; from++) {
        for (int to = 0; to < FILES; to++) {
            scratch s, other;
            crank_error err = {0};
            scratch_open(&s, files[from]);
            scratch_open(&other, files[to]);
            crank_recorder *recorder = create(&s, 2, two, &info);
            put_rows(recorder, 0, 700);
            finish(recorder);
            crank_table *table = read_path(s.path);
            CHECK_OK(crank_table_write(table, other.path, &err), err);
            crank_table *copy = read_path(other.path);
            check_rows(copy, 700);
            assert_string_equal(copy->names[1], "x");
            if (!is_csv(files[to])) {
                assert_string_equal(copy->units[1], "m");
                assert_string_equal(copy->title, "title");
            }
            crank_table_destroy(table);
            crank_table_destroy(copy);
            scratch_close(&s);
            scratch_close(&other);
        }
    }
}

static void formats_are_recognised_without_an_ending(void **state)
{
    for (int f = 0; f < FILES; f++) {
        scratch s;
        char renamed[160];
        scratch_open(&s, files[f]);
        crank_recorder *recorder = create(&s, 2, two, NULL);
        put_rows(recorder, 0, 3);
        finish(recorder);
        (void)snprintf(renamed, sizeof renamed, "%s/result", s.directory);
        assert_int_equal(rename(s.path, renamed), 0);
        crank_table *table = read_path(renamed);
        check_rows(table, 3);
        crank_table_destroy(table);
        (void)unlink(renamed);
        scratch_close(&s);
    }
}

/* ---- while a run goes on ---- */

static void rows_are_readable_after_a_flush(void **state)
{
    for (int f = 0; f < FILES; f++) {
        scratch s;
        crank_error err = {0};
        char path[160];
        scratch_open(&s, files[f]);
        crank_recorder *recorder = create(&s, 2, two, NULL);
        (void)snprintf(path, sizeof path, "%s%s", s.path,
                       strcmp(files[f], "a.mat") == 0 ? ".rows" : "");
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

static void reopen_refuses_another_last_row_and_leaves_the_file(void **state)
{
    for (int f = 0; f < FILES; f++) {
        scratch s;
        crank_error err = {0};
        crank_recorder *recorder;
        scratch_open(&s, files[f]);
        recorder = create(&s, 2, two, NULL);
        put_rows(recorder, 0, 9);
        put(recorder, (double[]){9, NAN});
        finish(recorder);
        const double good[2][2] = {{8, 1.0 / 11}, {9, -NAN}}; /* NaN is NaN */
        const double bad[2][2] = {{8, nextafter(1.0 / 11, 1.0)}, {9, 0}};
        for (int i = 0; i < 2; i++) {
            CHECK_STATUS(
                crank_recorder_reopen(s.path, 9 + i, bad[i], 2, two, NULL, &recorder, &err),
                CRANK_EFILE);
            CHECK_CONTAINS(err.text, "is not the one that the run wrote");
            assert_null(recorder);
        }
        for (int i = 1; i >= 0; i--) {
            CHECK_OK(
                crank_recorder_reopen(s.path, 9 + i, good[i], 2, two, NULL, &recorder, &err),
                err);
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

/* ---- failures ---- */

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
                               strcmp(files[f], "a.mat") == 0 ? ".rows" : "");
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
        cmocka_unit_test(values_read_back_bit_for_bit),
        cmocka_unit_test(binary_formats_keep_the_bits_of_nan),
        cmocka_unit_test(names_units_and_texts_read_back),
        cmocka_unit_test(texts_that_are_not_given_are_not_there),
        cmocka_unit_test(large_scene_is_kept),
        cmocka_unit_test(wide_results_read_back),
        cmocka_unit_test(tables_convert_between_all_formats),
        cmocka_unit_test(formats_are_recognised_without_an_ending),
        cmocka_unit_test(rows_are_readable_after_a_flush),
        cmocka_unit_test(many_flushes_do_not_swell_the_file),
        cmocka_unit_test(mat_file_appears_only_when_it_is_complete),
        cmocka_unit_test(reopened_result_goes_on_behind_the_rows_kept),
        cmocka_unit_test(result_made_in_two_goes_is_the_same_file),
        cmocka_unit_test(reopen_refuses_what_does_not_fit),
        cmocka_unit_test(reopen_refuses_another_last_row_and_leaves_the_file),
        cmocka_unit_test(a_result_has_one_writer_at_a_time),
        cmocka_unit_test(reopen_refuses_standard_output_and_devices),
        cmocka_unit_test(unknown_endings_are_refused_with_the_known_ones),
        cmocka_unit_test(paths_that_cannot_be_written_are_told),
        cmocka_unit_test(full_disk_is_told_and_earlier_rows_stay),
        cmocka_unit_test(full_disk_at_the_end_leaves_the_row_log),
        cmocka_unit_test(arguments_out_of_range_are_refused),
        cmocka_unit_test(mat_refuses_names_that_do_not_fit),
    };
    return CHECK_RUN(argc, argv, tests);
}
