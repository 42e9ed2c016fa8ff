/* test_table.c - tables as functions: nodes and derivatives, the tape in all its lanes, printed
 * and generated C. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "sample_ex.h"

#include "linalg/tabulated.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

enum { ROWS = 6, ORDERS = 5 };

static const double knots[ROWS] = {-1.5, -0.75, 0.0, 0.25, 1.0, 1.75};
static const double values[ROWS] = {0.5, -1.0, 2.0, 2.5, -0.25, 1.0};

static const crank_table_way spline_way = {CRANK_SPLINE, CRANK_EXTRAPOLATE};

static crank_ex table_through(crank_pool *pool, int rows, const double *x, const double *y,
                              crank_ex argument)
{
    double copy[2][ROWS];
    memcpy(copy[0], x, (size_t)rows * sizeof *x);
    memcpy(copy[1], y, (size_t)rows * sizeof *y);
    const crank_table_data table = {spline_way, rows, copy[0], copy[1], false, NULL};
    return crank_ex_table(pool, &table, argument);
}

static crank_ex table_of(crank_pool *pool, crank_ex argument)
{
    return table_through(pool, ROWS, knots, values, argument);
}

static double spline(double x, int order)
{
    double data[5 * ROWS + 5];
    crank_tabulated_fit(spline_way, ROWS, knots, values, data);
    return order > 3 ? 0.0 : crank_tabulated_evaluate(ROWS, data, order, x);
}

static void equal_tables_of_equal_arguments_are_one_node(void **state)
{
    crank_pool *pool = crank_pool_create();
    const crank_ex x = crank_ex_symbol(pool, "x");
    const crank_ex y = crank_ex_symbol(pool, "y");
    double copy[ROWS];
    memcpy(copy, values, sizeof copy);
    const crank_ex e = table_of(pool, x);
    const int size = crank_pool_size(pool);
    assert_int_equal(table_through(pool, ROWS, knots, copy, x), e);
    assert_int_equal(crank_pool_size(pool), size);
    assert_int_not_equal(table_of(pool, y), e);
    copy[3] += 1e-9;
    assert_int_not_equal(table_through(pool, ROWS, knots, copy, x), e);
    assert_int_equal(crank_ex_get_op(pool, e), CRANK_EX_TABLE);
    /* with another argument the same table at the same argument is the same node again */
    const crank_ex twice = crank_ex_mul(pool, crank_ex_number(pool, 2.0), y);
    assert_int_equal(crank_ex_substitute(pool, e, 1, &x, &twice), table_of(pool, twice));
    /* a number goes in, a number comes out */
    const crank_ex number = crank_ex_number(pool, 0.6);
    double value;
    assert_true(crank_ex_is_number(pool, table_of(pool, number), &value));
    CHECK_NEAR(value, spline(0.6, 0), 0.0);
    assert_int_equal(crank_pool_status(pool), CRANK_OK);
    crank_pool_destroy(pool);
}

static void table_of_two_rows_is_a_line(void **state)
{
    crank_pool *pool = crank_pool_create();
    const crank_ex x = crank_ex_symbol(pool, "x");
    const crank_ex e = table_through(pool, 2, (double[]){1.0, 3.0}, (double[]){5.0, 6.0}, x);
    double value;
    assert_true(crank_ex_is_number(pool, crank_ex_derivative(pool, e, x), &value));
    CHECK_NEAR(value, 0.5, 0.0);
    for (int i = -3; i < 4; i++) {
        const double at = 1.1 * i;
        CHECK_NEAR(sample_evaluate(pool, e, 1, &x, &at), 5.0 + 0.5 * (at - 1.0), 1e-14);
    }
    crank_pool_destroy(pool);
}

static void tables_print_readably(void **state)
{
    crank_pool *pool = crank_pool_create();
    const crank_ex x = crank_ex_symbol(pool, "x");
    char text[80];
    crank_ex e = table_of(pool, crank_ex_mul(pool, x, x));
    assert_int_equal(crank_ex_print(pool, e, text, sizeof text), (int)strlen("table0(x^2)"));
    assert_string_equal(text, "table0(x^2)");
    e = crank_ex_derivative(pool, table_of(pool, x), x);
    e = crank_ex_derivative(pool, e, x);
    crank_ex_print(pool, e, text, sizeof text);
    assert_string_equal(text, "table0''(x)");
    crank_pool_destroy(pool);
}

/* e = table(x y) and its derivatives by x, by the chain rule: y^k table^(k)(x y). */
static void derivatives_up_to_order_four(crank_pool *pool, crank_ex symbol[2],
                                         crank_ex out[ORDERS])
{
    symbol[0] = crank_ex_symbol(pool, "x");
    symbol[1] = crank_ex_symbol(pool, "y");
    out[0] = table_of(pool, crank_ex_mul(pool, symbol[0], symbol[1]));
    for (int k = 1; k < ORDERS; k++) {
        out[k] = crank_ex_derivative(pool, out[k - 1], symbol[0]);
    }
}

static void tape_and_derivatives_in_all_lanes(void **state)
{
    crank_pool *pool = crank_pool_create();
    crank_ex symbol[2];
    crank_ex out[ORDERS + 2];
    crank_error err;
    crank_tape *tape;
    derivatives_up_to_order_four(pool, symbol, out);
    crank_ex gradient[2];
    crank_ex_gradient(pool, out[0], 2, symbol, gradient);
    assert_int_equal(gradient[0], out[1]);
    out[ORDERS] = gradient[1];
    double other
        [ROWS]; /* a second table, looked up in the same tape, and a third one that is not */
    for (int i = 0; i < ROWS; i++) {
        other[i] = 2.0 * values[i];
    }
    (void)table_through(pool, 3, knots, values, symbol[0]);
    out[ORDERS + 1] = table_through(pool, ROWS, knots, other, symbol[1]);
    CHECK_OK(crank_tape_create(pool, 2, symbol, ORDERS + 2, out, &tape, &err), err);
    crank_pool_destroy(pool); /* the tape lives on */
    uint64_t seed = 3;
    double work[4 * 100];
    assert_true(crank_tape_work_size(tape, 4) <= 4 * 100);
    for (int round = 0; round < 50; round++) {
        enum { LANES = 7, OUT = ORDERS + 2 };
        const int count = 1 + round % LANES;
        double in[2 * LANES];
        double result[OUT * LANES];
        for (int i = 0; i < 2 * LANES; i++) {
            in[i] = sample_uniform(&seed, -1.7, 1.7);
        }
        crank_tape_evaluate(tape, count, in, 2, result, OUT, work);
        for (int l = 0; l < count; l++) {
            const double x = in[2 * l];
            const double y = in[2 * l + 1];
            for (int k = 0; k < ORDERS; k++) { /* 1e2 is about the size of third derivatives */
                CHECK_NEAR(result[OUT * l + k], pow(y, k) * spline(x * y, k), 1e-12);
            }
            CHECK_NEAR(result[OUT * l + ORDERS], x * spline(x * y, 1), 1e-13);
            CHECK_NEAR(result[OUT * l + ORDERS + 1], 2.0 * spline(y, 0), 1e-13);
        }
    }
    crank_tape_destroy(tape);
}

static void remove_directory(const char *directory)
{
    DIR *d = opendir(directory);
    for (struct dirent *entry; d != NULL && (entry = readdir(d)) != NULL;) {
        char path[800];
        (void)snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (entry->d_name[0] != '.') {
            (void)remove(path);
        }
    }
    if (d != NULL) {
        closedir(d);
    }
    (void)rmdir(directory);
}

static void generated_code_agrees_with_the_spline(void **state)
{
    char directory[] = "/tmp/crank-test-XXXXXX";
    crank_pool *pool = crank_pool_create();
    crank_ex symbol[2];
    crank_ex out[ORDERS];
    crank_error err;
    crank_compiled *compiled = NULL;
    crank_text text = {0};
    assert_non_null(mkdtemp(directory));
    derivatives_up_to_order_four(pool, symbol, out);
    crank_emit_c_prelude(&text);
    crank_emit_c(&text, pool, "table", 2, symbol, ORDERS, out);
    crank_emit_c(&text, pool, "again", 2, symbol, 1, out);
    assert_false(text.failed);
    /* one array for each function that looks up */
    CHECK_CONTAINS(text.data, "static const double table_table0[35]");
    assert_null(strstr(strstr(text.data, "table_table0[35]") + 1, "table_table0[35]"));
    char path[200];
    char command[600];
    (void)snprintf(path, sizeof path, "%s/strict.c", directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text.data, file) >= 0);
    assert_int_equal(fclose(file), 0);
    (void)snprintf(command, sizeof command,
                   "cc -std=c99 -pedantic-errors -Wall -Wextra -Werror -Wmissing-prototypes "
                   "-Wconversion -c -o %s/strict.o %s",
                   directory, path);
    assert_int_equal(system(command), 0);
    CHECK_OK(crank_compiled_load(text.data, directory, (crank_log){0}, &compiled, &err), err);
    crank_compiled_fn *function = crank_compiled_find(compiled, "table");
    assert_non_null(function);
    uint64_t seed = 9;
    for (int round = 0; round < 50; round++) {
        const double in[2] = {sample_uniform(&seed, -1.7, 1.7),
                              sample_uniform(&seed, -1.7, 1.7)};
        double result[ORDERS];
        function(in, result);
        for (int k = 0; k < ORDERS; k++) {
            CHECK_NEAR(result[k], pow(in[1], k) * spline(in[0] * in[1], k), 1e-12);
        }
    }
    crank_compiled_unload(compiled);
    crank_text_free(&text);
    crank_pool_destroy(pool);
    remove_directory(directory);
}

static const crank_table_data *find_road(const char *name, void *user, crank_error *err)
{
    if (strcmp(name, "wrong") == 0) {
        crank_fail(err, CRANK_EMODEL, "wrong table");
    }
    return strcmp(name, "road") == 0 ? user : NULL;
}

static void expressions_call_tables_by_their_names(void **state)
{
    double x[] = {0.0, 1.0, 2.0}, y[] = {0.0, 3.0, 4.0};
    crank_table_data road = {{CRANK_LINEAR, CRANK_HOLD}, 3, x, y, false, "road"};
    crank_pool *pool = crank_pool_create();
    crank_error err = {0};
    crank_ex e = -1;
    char text[80];
    const crank_ex symbol = crank_ex_symbol(pool, "x");
    CHECK_STATUS(crank_ex_parse(pool, "road(x)", 1, 1, NULL, NULL, &e, &err), CRANK_ESYNTAX);
    CHECK_CONTAINS(err.text, "unknown function \"road\"");
    crank_pool_set_tables(pool, find_road, &road);
    double value = 0.0;
    CHECK_OK(crank_ex_parse(pool, "2*road(0.5 + 1) + road(9)", 1, 1, NULL, NULL, &e, &err),
             err);
    assert_true(crank_ex_is_number(pool, e, &value));
    CHECK_NEAR(value, 11.0, 1e-15);
    CHECK_OK(crank_ex_parse(pool, "road(x)", 1, 1, NULL, NULL, &e, &err), err);
    const crank_table_data *named = NULL;
    assert_int_equal(crank_ex_named_table(pool, e, &named), symbol);
    assert_ptr_equal(named, &road);
    assert_true(crank_ex_print(pool, crank_ex_derivative(pool, e, symbol), text, sizeof text) >
                0);
    assert_string_equal(text, "road'(x)");
    CHECK_STATUS(crank_ex_parse(pool, "road(x, 1)", 1, 1, NULL, NULL, &e, &err), CRANK_ESYNTAX);
    CHECK_CONTAINS(err.text, "\"road\" takes 1 argument, not 2");
    CHECK_STATUS(crank_ex_parse(pool, "rod(x)", 1, 1, NULL, NULL, &e, &err), CRANK_ESYNTAX);
    CHECK_STATUS(crank_ex_parse(pool, "wrong(x)", 1, 1, NULL, NULL, &e, &err), CRANK_EMODEL);
    assert_string_equal(err.text, "wrong table");
    crank_pool_destroy(pool);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_tables_of_equal_arguments_are_one_node),
        cmocka_unit_test(table_of_two_rows_is_a_line),
        cmocka_unit_test(tables_print_readably),
        cmocka_unit_test(tape_and_derivatives_in_all_lanes),
        cmocka_unit_test(generated_code_agrees_with_the_spline),
        cmocka_unit_test(expressions_call_tables_by_their_names),
    };
    return CHECK_RUN(argc, argv, tests);
}
