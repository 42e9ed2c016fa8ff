/* test_damaged.c - results that are cut, changed or lie about their size: an error with the
 * path, or a table; never a crash. And MAT files as other tools write them. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "scratch.h"

#include <crank/results.h>

enum { FILE_LIMIT = 1 << 16 };

/* libhdf5 does not free everything after a damaged file */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

typedef struct bytes {
    size_t length;
    unsigned char data[FILE_LIMIT];
} bytes;

static bytes load(const char *path)
{
    bytes b = {0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    b.length = fread(b.data, 1, sizeof b.data, file);
    assert_true(b.length < sizeof b.data);
    (void)fclose(file);
    return b;
}

/* The contract: a table or a reason that names the file. */
static void read_anything(const scratch *s, const bytes *b, size_t length)
{
    crank_error err = {0};
    crank_table *table;
    (void)unlink(s->path); /* some file systems take their time to write over a file */
    scratch_write(s, (const char *)b->data, length);
    const crank_status status = crank_table_read(s->path, &table, &err);
    if (status == CRANK_OK) {
        assert_non_null(table);
        for (int j = 0; j < table->columns; j++) {
            assert_non_null(table->names[j]);
            assert_non_null(table->units[j]);
            assert_non_null(table->descriptions[j]);
        }
        crank_table_destroy(table);
    } else {
        assert_null(table);
        CHECK_CONTAINS(err.text, s->path);
    }
}

/* A result of that name with 20 rows; the row log of a MAT file if asked for. */
static bytes make_result(const char *name, bool log)
{
    const crank_column columns[] = {{.name = "time", .unit = "s", .description = "time"},
                                    {.name = "x", .unit = "m", .description = "place"},
                                    {.name = "v", .unit = "m/s"}};
    crank_result_info info = crank_result_info_default();
    scratch s;
    crank_error err = {0};
    crank_recorder *recorder;
    char path[160];
    info.title = "title";
    info.scene = "{}";
    scratch_open(&s, name);
    CHECK_OK(crank_recorder_create(s.path, 3, columns, &info, &recorder, &err), err);
    for (int i = 0; i < 20; i++) {
        CHECK_OK(crank_recorder_write(recorder, (double[]){i, 0.1 * i, 1e10}, &err), err);
    }
    CHECK_OK(crank_recorder_flush(recorder, false, &err), err);
    (void)snprintf(path, sizeof path, "%s%s", s.path, log ? ".rows" : "");
    if (!log) {
        CHECK_OK(crank_recorder_close(recorder, &err), err);
    }
    const bytes b = load(path);
    if (log) {
        CHECK_OK(crank_recorder_close(recorder, &err), err);
    }
    scratch_close(&s);
    return b;
}

static void damage(const char *name, bool log, const char *as, size_t step)
{
    const bytes whole = make_result(name, log);
    unsigned random = 99;
    scratch s;
    scratch_open(&s, as);
    for (size_t length = 0; length < whole.length; length += step) {
        read_anything(&s, &whole, length);
    }
    for (int k = 0; k < 400; k++) {
        bytes changed = whole;
        for (int i = 0; i < 1 + k % 3; i++) {
            random = random * 1664525u + 1013904223u;
            changed.data[(random >> 8) % whole.length] = (unsigned char)(random >> 24);
        }
        read_anything(&s, &changed, whole.length);
    }
    scratch_close(&s);
}

static void damaged_mat_files_are_told(void **state)
{
    damage("a.mat", false, "a.mat", 1);
}

static void damaged_row_logs_are_told(void **state)
{
    damage("a.mat", true, "a.mat.rows", 1);
}

static void damaged_hdf5_files_are_told(void **state)
{
    damage("a.h5", false, "a.h5", 37);
}

static void cut_row_logs_keep_their_complete_rows(void **state)
{
    const bytes whole = make_result("a.mat", true);
    scratch s;
    crank_error err = {0};
    crank_table *table;
    scratch_open(&s, "a.mat.rows");
    for (size_t cut = 0; cut <= 24; cut++) {
        scratch_write(&s, (const char *)whole.data, whole.length - cut);
        CHECK_OK(crank_table_read(s.path, &table, &err), err);
        assert_int_equal(table->rows, cut == 0 ? 20 : 19);
        assert_true(table->values[18] == 18.0);
        crank_table_destroy(table);
    }
    scratch_close(&s);
}

/* ---- headers that lie ---- */

static crank_error read_bad(const char *name, const void *data, size_t length)
{
    scratch s;
    crank_error err = {0};
    crank_table *table;
    scratch_open(&s, name);
    scratch_write(&s, data, length);
    CHECK_STATUS(crank_table_read(s.path, &table, &err), CRANK_ESYNTAX);
    assert_null(table);
    scratch_close(&s);
    return err;
}

static void row_log_that_lies_about_its_size_is_refused(void **state)
{
    bytes b = make_result("a.mat", true);
    const uint64_t starts[] = {0, 31, 33, 1u << 30, UINT64_MAX - 7, UINT64_MAX};
    const uint32_t counts[] = {0, 1000, INT32_MAX, UINT32_MAX};
    for (int i = 0; i < 6; i++) {
        bytes changed = b;
        memcpy(changed.data + 16, &starts[i], sizeof starts[i]);
        (void)read_bad("a.rows", changed.data, changed.length);
    }
    for (int i = 0; i < 4; i++) {
        bytes changed = b;
        memcpy(changed.data + 24, &counts[i], sizeof counts[i]);
        (void)read_bad("a.rows", changed.data, changed.length);
    }
    b.data[32 + 4 + 5] = 'x'; /* the zero behind "title" */
    const crank_error err = read_bad("a.rows", b.data, b.length);
    CHECK_CONTAINS(err.text, "texts");
}

typedef struct mat_header {
    int32_t type, rows, columns, imaginary, name_length;
} mat_header;

static void add_matrix(bytes *b, int type, int rows, int columns, const char *name,
                       const void *data, size_t size)
{
    const mat_header h = {type, rows, columns, 0, (int32_t)strlen(name) + 1};
    assert_true(b->length + sizeof h + strlen(name) + 1 + size < sizeof b->data);
    memcpy(b->data + b->length, &h, sizeof h);
    b->length += sizeof h;
    memcpy(b->data + b->length, name, strlen(name) + 1);
    b->length += strlen(name) + 1;
    if (size > 0) {
        memcpy(b->data + b->length, data, size);
        b->length += size;
    }
}

static void add_class(bytes *b, const char *layout)
{
    char text[44];
    for (int line = 0; line < 4; line++) {
        const char *lines[] = {"Atrajectory", "1.1", "", layout};
        for (int k = 0; k < 11; k++) {
            const size_t length = strlen(lines[line]);
            text[4 * k + line] = (size_t)k < length ? lines[line][k] : ' ';
        }
    }
    add_matrix(b, 51, 4, 11, "Aclass", text, sizeof text);
}

static void mat_files_that_lie_about_their_size_are_refused(void **state)
{
    const int sizes[][2] = {{INT32_MAX, INT32_MAX}, {-1, 2}, {1 << 16, 1 << 16}, {1, 1 << 20}};
    for (int i = 0; i < 4; i++) {
        bytes b = {0};
        add_class(&b, "binTrans");
        add_matrix(&b, 0, sizes[i][0], sizes[i][1], "data_2", NULL, 0);
        (void)read_bad("a.mat", b.data, b.length);
    }
    bytes b = {0};
    add_matrix(&b, 1000, 1, 1, "Aclass", "12345678", 8);
    const crank_error err = read_bad("a.mat", b.data, b.length);
    CHECK_CONTAINS(err.text, "big-endian");
    (void)read_bad("a.mat", "", 0);
    (void)read_bad("a.mat", "time,x\n0,1\n", 11);
}

/* a million aliases of a column of a million points would be 8 TB: a small file must not ask
 * for so much */
static void mat_aliases_that_swell_beyond_reason_are_refused(void **state)
{
    enum { ALIASES = 1500, POINTS = 20000 };
    static char names[ALIASES];
    static int32_t info[4 * ALIASES];
    static unsigned char data[POINTS];
    bytes b = {0};
    memset(names, 'a', sizeof names);
    for (int i = 0; i < ALIASES; i++) {
        info[4 * i] = 2;
        info[4 * i + 1] = 1;
    }
    add_class(&b, "binTrans");
    add_matrix(&b, 51, 1, ALIASES, "name", names, sizeof names);
    add_matrix(&b, 20, 4, ALIASES, "dataInfo", info, sizeof info);
    add_matrix(&b, 50, 1, POINTS, "data_2", data, sizeof data);
    const crank_error err = read_bad("a.mat", b.data, b.length);
    CHECK_CONTAINS(err.text, "aliases");
}

static void mat_info_that_points_to_nothing_is_refused(void **state)
{
    const int32_t wrong[][2] = {{2, 0},  {2, 3},  {2, -3},       {3, 1},
                                {-1, 1}, {10, 1}, {2, INT32_MIN}};
    const double data[] = {1, 2};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        bytes b = {0};
        const int32_t info[] = {wrong[i][0], wrong[i][1], 0, -1};
        add_class(&b, "binTrans");
        add_matrix(&b, 51, 1, 1, "name", "a", 1);
        add_matrix(&b, 20, 4, 1, "dataInfo", info, sizeof info);
        add_matrix(&b, 0, 2, 1, "data_2", data, sizeof data);
        const crank_error err = read_bad("a.mat", b.data, b.length);
        CHECK_CONTAINS(err.text, "dataInfo");
    }
}

/* ---- files of other tools ---- */

static crank_table *read_bytes(const bytes *b)
{
    scratch s;
    crank_error err = {0};
    crank_table *table;
    scratch_open(&s, "a.mat");
    scratch_write(&s, (const char *)b->data, b->length);
    CHECK_OK(crank_table_read(s.path, &table, &err), err);
    scratch_close(&s);
    return table;
}

static void check_foreign(crank_table *table)
{
    const double expected[] = {0, 1, 2, 10, 20, 30, -10, -20, -30, 9.5, 9.5, 9.5};
    const char *names[] = {"time", "x", "minus", "mass"};
    const char *units[] = {"s", "m", "", "kg"};
    assert_int_equal(table->columns, 4);
    assert_int_equal(table->rows, 3);
    for (int j = 0; j < 4; j++) {
        assert_string_equal(table->names[j], names[j]);
        assert_string_equal(table->units[j], units[j]);
    }
    assert_string_equal(table->descriptions[1], "place");
    assert_memory_equal(table->values, expected, sizeof expected);
    assert_null(table->title);
    crank_table_destroy(table);
}

static void trajectories_of_modelica_tools_are_read(void **state)
{
    static const char names[4][6] = {"time", "x", "minus", "mass"};
    static const char texts[4][16] = {"time [s]", "place [m|mm]", "", "[kg]"};
    const int32_t info[] = {0, 1, 0, -1, 2, 2, 0, -1, 2, -2, 0, -1, 1, 2, 0, -1};
    const double constant[] = {0, 9.5, 2, 9.5};
    const double data[] = {0, 10, 1, 20, 2, 30};
    bytes b = {0};
    add_class(&b, "binTrans");
    add_matrix(&b, 51, 6, 4, "name", names, sizeof names);
    add_matrix(&b, 51, 16, 4, "description", texts, sizeof texts);
    add_matrix(&b, 20, 4, 4, "dataInfo", info, sizeof info);
    add_matrix(&b, 0, 2, 2, "data_1", constant, sizeof constant);
    add_matrix(&b, 0, 2, 3, "data_2", data, sizeof data);
    check_foreign(read_bytes(&b));
}

/* rows and columns the other way round, names filled with spaces, text as doubles, single
 * precision */
static void normal_layout_and_other_numbers_are_read(void **state)
{
    static const char names[4][6] = {"time ", "x    ", "minus", "mass "};
    static const char texts[4][13] = {"time [s]    ", "place [m|mm]", "            ",
                                      "[kg]        "};
    const int32_t entry[4][4] = {{0, 1, 0, -1}, {2, 2, 0, -1}, {2, -2, 0, -1}, {1, 2, 0, -1}};
    const float constant[] = {0.0f, 2.0f, 9.5f, 9.5f};
    const float data[] = {0.0f, 1.0f, 2.0f, 10.0f, 20.0f, 30.0f};
    double name[20];
    char text[48];
    int32_t info[16];
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 5; k++) {
            name[i + 4 * k] = names[i][k];
        }
        for (int k = 0; k < 12; k++) {
            text[i + 4 * k] = texts[i][k];
        }
        for (int k = 0; k < 4; k++) {
            info[i + 4 * k] = entry[i][k];
        }
    }
    bytes b = {0};
    add_class(&b, "binNormal");
    add_matrix(&b, 1, 4, 5, "name", name, sizeof name);
    add_matrix(&b, 51, 4, 12, "description", text, sizeof text);
    add_matrix(&b, 20, 4, 4, "dataInfo", info, sizeof info);
    add_matrix(&b, 10, 2, 2, "data_1", constant, sizeof constant);
    add_matrix(&b, 10, 3, 2, "data_2", data, sizeof data);
    check_foreign(read_bytes(&b));
}

static void other_hdf5_files_are_refused(void **state)
{
    const crank_error err = read_bad("a.csv", "\x89HDF\r\n\x1a\n\0\0", 10);
    CHECK_CONTAINS(err.text, "zero byte");
    scratch s;
    crank_error reason = {0};
    crank_table *table;
    scratch_open(&s, "a.h5");
    scratch_write(&s, "time,x\n0,1\n", 11);
    CHECK_STATUS(crank_table_read(s.path, &table, &reason), CRANK_EFILE);
    CHECK_CONTAINS(reason.text, s.path);
    scratch_close(&s);
    CHECK_STATUS(crank_table_read(s.path, &table, &reason), CRANK_EFILE);
    CHECK_CONTAINS(reason.text, "No such file");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_mat_files_are_told),
        cmocka_unit_test(damaged_row_logs_are_told),
        cmocka_unit_test(damaged_hdf5_files_are_told),
        cmocka_unit_test(cut_row_logs_keep_their_complete_rows),
        cmocka_unit_test(row_log_that_lies_about_its_size_is_refused),
        cmocka_unit_test(mat_files_that_lie_about_their_size_are_refused),
        cmocka_unit_test(mat_aliases_that_swell_beyond_reason_are_refused),
        cmocka_unit_test(mat_info_that_points_to_nothing_is_refused),
        cmocka_unit_test(trajectories_of_modelica_tools_are_read),
        cmocka_unit_test(normal_layout_and_other_numbers_are_read),
        cmocka_unit_test(other_hdf5_files_are_refused),
    };
    return CHECK_RUN(argc, argv, tests);
}
