/* test_comparison.c - tables with text beside numbers: cells as written, mistakes with their
 * line. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "../results/scratch.h"

#include <crank/report.h>

static crank_status read_bytes(const char *text, size_t size, crank_comparison **table,
                               crank_error *err)
{
    scratch s;
    scratch_open(&s, "a.csv");
    scratch_write(&s, text, size);
    const crank_status status = crank_comparison_read(s.path, table, err);
    scratch_close(&s);
    return status;
}

static crank_comparison *read_good(const char *text)
{
    crank_comparison *table;
    crank_error err = {0};
    CHECK_OK(read_bytes(text, strlen(text), &table, &err), err);
    return table;
}

static void check_bad(const char *text, const char *says, int line)
{
    crank_comparison *table;
    crank_error err = {0};
    CHECK_STATUS(read_bytes(text, strlen(text), &table, &err), CRANK_ESYNTAX);
    assert_null(table);
    CHECK_CONTAINS(err.text, says);
    assert_int_equal(err.line, line);
}

static void cells_are_text_and_numbers(void **state)
{
    crank_comparison *table =
        read_good("method,size,seconds\npsf-radau,10,1.5e-3\ngeoms,,nan\n");
    assert_int_equal(table->columns, 3);
    assert_int_equal(table->rows, 2);
    assert_string_equal(table->cells[0], "psf-radau");
    assert_string_equal(table->cells[4], "");
    assert_true(isnan(table->values[0]));
    assert_true(table->values[1] == 10.0 && table->values[2] == 1.5e-3);
    assert_true(isnan(table->values[4]) && isnan(table->values[5]));
    assert_int_equal(crank_comparison_find(table, "seconds"), 2);
    assert_int_equal(crank_comparison_find(table, "second"), -1);
    crank_comparison_destroy(table);
}

static void quotes_marks_and_line_ends_are_understood(void **state)
{
    crank_comparison *table =
        read_good("\xef\xbb\xbfmethod,error\r\n\"a, \"\"b\"\"\nc\",1\r\nlast,2");
    assert_string_equal(table->names[0], "method");
    assert_string_equal(table->names[1], "error");
    assert_string_equal(table->cells[0], "a, \"b\"\nc");
    assert_true(table->values[1] == 1.0);
    assert_int_equal(table->rows, 2); /* the last line needs no end */
    assert_true(table->values[3] == 2.0);
    crank_comparison_destroy(table);
}

static void mistakes_are_told_with_their_line(void **state)
{
    check_bad("method,error\na,1\nb\n", "fewer cells than the 2 columns", 3);
    check_bad("method,error\na,1\nb,1,2\n", "more cells than the 2 columns", 3);
    check_bad("method,error\na,1\n\nb,2\n", "fewer cells", 3);
    check_bad("method,error\n\"a,1\n", "the quote does not end", 2);
    check_bad("method,error\n\"a\"b,1\n", "a quote inside the cell", 2);
    check_bad("method,error\na\"b,1\n", "a quote inside the cell", 2);
    check_bad("method,\na,1\n", "a column without a name", 1);
    check_bad("method,method\na,1\n", "a name that an earlier column has", 1);
    check_bad("method,error\n", "has no rows", 0);
    check_bad("method,error", "has no rows", 0);
    check_bad("", "is empty", 0);
}

static void binary_and_missing_files_are_refused(void **state)
{
    crank_comparison *table;
    crank_error err = {0};
    CHECK_STATUS(read_bytes("a,b\0c\n", 6, &table, &err), CRANK_ESYNTAX);
    CHECK_CONTAINS(err.text, "zero byte");
    CHECK_STATUS(crank_comparison_read("/no/such.csv", &table, &err), CRANK_EFILE);
    CHECK_CONTAINS(err.text, "/no/such.csv: cannot open: No such file");
    CHECK_STATUS(crank_comparison_read("/", &table, &err), CRANK_EFILE);
    CHECK_CONTAINS(err.text, "directory");
    crank_comparison_destroy(NULL);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_text_and_numbers),
        cmocka_unit_test(quotes_marks_and_line_ends_are_understood),
        cmocka_unit_test(mistakes_are_told_with_their_line),
        cmocka_unit_test(binary_and_missing_files_are_refused),
    };
    return CHECK_RUN(argc, argv, tests);
}
