/* test_pool.c - hash-consing, symbols, growth, and the questions about dependence. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "symbolic/symbolic.h"

#include <stdio.h>

static int setup(void **state)
{
    *state = crank_pool_create();
    return *state == NULL;
}

static int teardown(void **state)
{
    crank_pool_destroy(*state);
    return 0;
}

static void equal_expressions_have_equal_indices(void **state)
{
    crank_pool *pool = *state;
    const crank_ex x = crank_ex_symbol(pool, "x");
    const crank_ex y = crank_ex_symbol(pool, "y");
    const crank_ex first = crank_ex_call(pool, CRANK_EX_SIN, crank_ex_mul(pool, x, y), 0, 0);
    const int size = crank_pool_size(pool);
    const crank_ex second = crank_ex_call(pool, CRANK_EX_SIN, crank_ex_mul(pool, y, x), 0, 0);
    assert_int_equal(first, second);
    assert_int_equal(crank_pool_size(pool), size);
    assert_int_equal(crank_ex_symbol(pool, "x"), x);
    assert_int_not_equal(x, y);
}

static void operands_have_lower_indices(void **state)
{
    crank_pool *pool = *state;
    const crank_ex x = crank_ex_symbol(pool, "x");
    const crank_ex e = crank_ex_add(pool, crank_ex_mul(pool, x, crank_ex_symbol(pool, "y")), x);
    for (int i = 0; i < 2; i++) {
        assert_true(crank_ex_get_operand(pool, e, i) < e);
    }
    assert_int_equal(crank_ex_get_operand(pool, e, 2), -1);
    assert_int_equal(crank_ex_get_operand(pool, x, 0), -1);
}

static void numbers_are_one_node_per_value(void **state)
{
    crank_pool *pool = *state;
    double value = 0.0;
    assert_int_equal(crank_ex_number(pool, 0.1), crank_ex_number(pool, 0.1));
    assert_int_equal(crank_ex_number(pool, -0.0), crank_ex_number(pool, 0.0));
    assert_true(crank_ex_is_number(pool, crank_ex_number(pool, 2.5), &value));
    CHECK_NEAR(value, 2.5, 0.0);
    assert_false(crank_ex_is_number(pool, crank_ex_symbol(pool, "x"), &value));
    assert_true(crank_ex_is_number(pool, crank_ex_number(pool, (double)NAN), &value));
    assert_true(isnan(value));
}

static void symbols_are_found_by_name(void **state)
{
    crank_pool *pool = *state;
    assert_int_equal(crank_ex_find_symbol(pool, "lambda.length"), -1);
    const crank_ex e = crank_ex_symbol(pool, "lambda.length");
    assert_int_equal(crank_ex_find_symbol(pool, "lambda.length"), e);
    assert_string_equal(crank_ex_symbol_name(pool, e), "lambda.length");
    assert_null(crank_ex_symbol_name(pool, crank_ex_number(pool, 1.0)));
}

static void indices_and_names_survive_growth(void **state)
{
    crank_pool *pool = *state;
    const crank_ex x = crank_ex_symbol(pool, "x");
    const char *name = crank_ex_symbol_name(pool, x);
    for (int i = 0; i < 20000; i++) {
        char text[32];
        (void)snprintf(text, sizeof text, "symbol_with_number_%d", i);
        crank_ex_symbol(pool, text);
    }
    assert_int_equal(crank_pool_size(pool) >= 20000, 1);
    assert_int_equal(crank_ex_symbol(pool, "x"), x);
    assert_ptr_equal(crank_ex_symbol_name(pool, x), name);
    assert_string_equal(name, "x");
    assert_int_equal(crank_pool_status(pool), CRANK_OK);
}

static void dependence_is_found_through_shared_nodes(void **state)
{
    crank_pool *pool = *state;
    const crank_ex x = crank_ex_symbol(pool, "x");
    const crank_ex y = crank_ex_symbol(pool, "y");
    const crank_ex z = crank_ex_symbol(pool, "z");
    const crank_ex xy = crank_ex_mul(pool, x, y);
    const crank_ex e = crank_ex_add(pool, crank_ex_call(pool, CRANK_EX_EXP, xy, 0, 0), xy);
    assert_true(crank_ex_depends(pool, e, x));
    assert_true(crank_ex_depends(pool, e, y));
    assert_false(crank_ex_depends(pool, e, z));
    assert_true(crank_ex_depends(pool, z, z));
}

static void symbols_are_listed_in_rising_order(void **state)
{
    crank_pool *pool = *state;
    crank_ex s[4];
    static const char *const names[4] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; i++) {
        s[i] = crank_ex_symbol(pool, names[i]);
    }
    const crank_ex e = crank_ex_add(pool, crank_ex_mul(pool, s[3], s[0]), s[2]);
    crank_ex found[4];
    assert_int_equal(crank_ex_symbols(pool, e, found, 4), 3);
    assert_int_equal(found[0], s[0]);
    assert_int_equal(found[1], s[2]);
    assert_int_equal(found[2], s[3]);
    assert_int_equal(crank_ex_symbols(pool, e, found, 1), 3);
    assert_int_equal(crank_ex_symbols(pool, crank_ex_number(pool, 1.0), NULL, 0), 0);
}

static void a_sum_of_100000_terms_does_not_overflow_the_stack(void **state)
{
    crank_pool *pool = *state;
    const crank_ex x = crank_ex_symbol(pool, "x");
    crank_ex sum = crank_ex_number(pool, 0.0);
    crank_ex nested = x;
    for (int i = 0; i < 100000; i++) {
        char text[32];
        (void)snprintf(text, sizeof text, "s%d", i);
        sum = crank_ex_add(pool, sum, crank_ex_symbol(pool, text));
        nested = crank_ex_call(pool, CRANK_EX_ATAN, nested, 0, 0);
    }
    sum = crank_ex_add(pool, sum, nested);
    assert_true(crank_ex_depends(pool, sum, x));
    assert_int_equal(crank_ex_symbols(pool, sum, NULL, 0), 100001);
    const crank_ex d = crank_ex_derivative(pool, sum, x);
    assert_int_equal(crank_ex_symbols(pool, d, NULL, 0), 1);
    const crank_ex last = crank_ex_find_symbol(pool, "s99999");
    double value = 0.0;
    assert_true(crank_ex_is_number(pool, crank_ex_derivative(pool, sum, last), &value));
    CHECK_NEAR(value, 1.0, 0.0);
    const crank_ex replaced = crank_ex_substitute(pool, sum, 1, &x, &last);
    assert_false(crank_ex_depends(pool, replaced, x));
    assert_true(crank_ex_print(pool, sum, NULL, 0) > 600000);
    crank_ex gradient;
    crank_ex_gradient(pool, sum, 1, &x, &gradient);
    assert_int_equal(crank_ex_symbols(pool, gradient, NULL, 0), 1);
    assert_int_equal(crank_pool_status(pool), CRANK_OK);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(equal_expressions_have_equal_indices, setup, teardown),
        cmocka_unit_test_setup_teardown(operands_have_lower_indices, setup, teardown),
        cmocka_unit_test_setup_teardown(numbers_are_one_node_per_value, setup, teardown),
        cmocka_unit_test_setup_teardown(symbols_are_found_by_name, setup, teardown),
        cmocka_unit_test_setup_teardown(indices_and_names_survive_growth, setup, teardown),
        cmocka_unit_test_setup_teardown(dependence_is_found_through_shared_nodes, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(symbols_are_listed_in_rising_order, setup, teardown),
        cmocka_unit_test_setup_teardown(a_sum_of_100000_terms_does_not_overflow_the_stack,
                                        setup, teardown),
    };
    return CHECK_RUN(argc, argv, tests);
}
