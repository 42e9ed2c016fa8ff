/* test_formats.c - what holds for results in every format: values read back bit for bit, with
 * names, units and texts, also after conversion. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "every_format.h"

#include <float.h>

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
    };
    return CHECK_RUN(argc, argv, tests);
}
