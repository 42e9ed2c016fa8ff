/* test_csv.c - results read back: values in place, errors with line and column. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "scratch.h"

#include <crank/results.h>

static crank_status read_text(const char *text, size_t length, crank_table **table,
                              crank_error *err)
{
    scratch s;
    scratch_open(&s, "a.csv");
    scratch_write(&s, text, length);
    const crank_status status = crank_table_read(s.path, table, err);
    scratch_close(&s);
    return status;
}

static crank_table *read_good(const char *text)
{
    crank_table *table;
    crank_error err = {0};
    CHECK_OK(read_text(text, strlen(text), &table, &err), err);
    return table;
}

static crank_error read_bad(const char *text)
{
    crank_table *table;
    crank_error err = {0};
    CHECK_STATUS(read_text(text, strlen(text), &table, &err), CRANK_ESYNTAX);
    assert_null(table);
    return err;
}

static void reader_stores_columns_contiguously(void **state)
{
    crank_table *table = read_good("time,x\n0,1\n0.5,2\n1,4\n");
    assert_int_equal(table->rows, 3);
    assert_int_equal(table->columns, 2);
    const int x = crank_table_find(table, "x");
    assert_int_equal(x, 1);
    CHECK_NEAR(table->values[x * table->rows + 2], 4.0, 0.0);
    assert_false(table->incomplete);
    crank_table_destroy(table);
}

static void reader_finds_no_unknown_column(void **state)
{
    crank_table *table = read_good("time,x\n");
    assert_int_equal(table->rows, 0);
    assert_int_equal(crank_table_find(table, "y"), -1);
    crank_table_destroy(table);
}

static void reader_accepts_carriage_returns_quotes_and_empty_lines(void **state)
{
    crank_table *table = read_good("time,\"a,b\"\r\n0,\"1\"\r\n\r\n1,2\r\n");
    assert_int_equal(table->rows, 2);
    assert_int_equal(crank_table_find(table, "a,b"), 1);
    CHECK_NEAR(table->values[3], 2.0, 0.0);
    crank_table_destroy(table);
}

static void reader_accepts_nan_and_infinities(void **state)
{
    crank_table *table = read_good("time,x\nnan,-inf\n");
    assert_true(isnan(table->values[0]));
    assert_true(isinf(table->values[1]));
    crank_table_destroy(table);
}

static void reader_leaves_out_a_cut_off_last_line_and_says_so(void **state)
{
    crank_table *table = read_good("time,x\n0,1\n1,2");
    assert_int_equal(table->rows, 1);
    assert_true(table->incomplete);
    crank_table_destroy(table);
}

static void reader_reports_line_and_column_of_a_word(void **state)
{
    const crank_error err = read_bad("time,x\n0,1\n1,two\n");
    assert_int_equal(err.line, 3);
    assert_int_equal(err.column, 3);
    CHECK_CONTAINS(err.text, "column \"x\": \"two\" is not a number");
}

static void reader_reports_an_empty_cell(void **state)
{
    const crank_error err = read_bad("time,x\n0,\n");
    assert_int_equal(err.line, 2);
    CHECK_CONTAINS(err.text, "\"\" is not a number");
}

static void reader_reports_too_few_values(void **state)
{
    const crank_error err = read_bad("time,x\n0,1\n2\n");
    assert_int_equal(err.line, 3);
    CHECK_CONTAINS(err.text, "1 values, the line of names has 2");
}

static void reader_reports_too_many_values(void **state)
{
    const crank_error err = read_bad("time,x\n0,1,2\n");
    assert_int_equal(err.line, 2);
    CHECK_CONTAINS(err.text, "more values than the 2 names");
}

static void reader_reports_an_empty_file(void **state)
{
    CHECK_CONTAINS(read_bad("").text, "is empty");
}

static void reader_reports_a_file_of_one_unfinished_line(void **state)
{
    CHECK_CONTAINS(read_bad("time,x").text, "no end");
}

static void reader_reports_a_quote_that_never_ends(void **state)
{
    CHECK_CONTAINS(read_bad("\"time,x\n0,1\n").text, "no end");
}

static void reader_reports_a_binary_file(void **state)
{
    crank_table *table;
    crank_error err;
    CHECK_STATUS(read_text("time\0x\n", 7, &table, &err), CRANK_ESYNTAX);
    CHECK_CONTAINS(err.text, "zero byte");
}

static void reader_reports_a_missing_file_and_a_directory(void **state)
{
    crank_table *table;
    crank_error err;
    CHECK_STATUS(crank_table_read("/nonexistent.csv", &table, &err), CRANK_EFILE);
    CHECK_CONTAINS(err.text, "/nonexistent.csv: cannot open: No such file");
    CHECK_STATUS(crank_table_read("/tmp", &table, &err), CRANK_EFILE);
    CHECK_CONTAINS(err.text, "Is a directory");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reader_stores_columns_contiguously),
        cmocka_unit_test(reader_finds_no_unknown_column),
        cmocka_unit_test(reader_accepts_carriage_returns_quotes_and_empty_lines),
        cmocka_unit_test(reader_accepts_nan_and_infinities),
        cmocka_unit_test(reader_leaves_out_a_cut_off_last_line_and_says_so),
        cmocka_unit_test(reader_reports_line_and_column_of_a_word),
        cmocka_unit_test(reader_reports_an_empty_cell),
        cmocka_unit_test(reader_reports_too_few_values),
        cmocka_unit_test(reader_reports_too_many_values),
        cmocka_unit_test(reader_reports_an_empty_file),
        cmocka_unit_test(reader_reports_a_file_of_one_unfinished_line),
        cmocka_unit_test(reader_reports_a_quote_that_never_ends),
        cmocka_unit_test(reader_reports_a_binary_file),
        cmocka_unit_test(reader_reports_a_missing_file_and_a_directory),
    };
    return CHECK_RUN(argc, argv, tests);
}
