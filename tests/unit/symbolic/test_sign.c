/* test_sign.c - expressions that have one sign whatever their symbols are. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "sample_ex.h"

static int sign_of(const char *text)
{
    crank_error err;
    crank_ex e = -1;
    crank_pool *pool = crank_pool_create();
    CHECK_OK(crank_ex_parse(pool, text, 1, 1, NULL, NULL, &e, &err), err);
    const crank_ex h = crank_ex_symbol(pool, "h");
    const int sign = crank_ex_sign(pool, e, 1, &h);
    crank_pool_destroy(pool);
    return sign;
}

static void sums_of_squares_and_of_positive_terms_have_a_sign(void **state)
{
    (void)state;
    assert_int_equal(sign_of("x^2 + y^2"), 1);
    assert_int_equal(sign_of("-(x*(x/5)) - y*(3*y)"), -1);
    assert_int_equal(sign_of("2 + h"), 1);
    assert_int_equal(sign_of("exp(x)/(1 + y^2)"), 1);
    assert_int_equal(sign_of("1 + if(x < y, x^2, 3)"), 1);
    assert_int_equal(sign_of("x^2*y^2 + z^2"), 1);
    assert_int_equal(sign_of("(x - y)^2 + (x + y)^2"), 1);
    assert_int_equal(sign_of("hypot(x, y)"), 1);
    assert_int_equal(sign_of("x^2 + y^2 + h*z^2"), 1);
}

static void squares_that_vanish_with_one_base_have_none(void **state)
{
    (void)state;
    assert_int_equal(sign_of("x^2 + x^4"), 0);
    assert_int_equal(sign_of("x^2 + x^2*y^2"), 0);
    assert_int_equal(sign_of("abs(x) + sqrt(x*x)"), 0);
    assert_int_equal(sign_of("hypot(x, x*y)"), 0);
    assert_int_equal(sign_of("x^2 + y^2*(x^2 + x^4)"), 0);
}

static void what_is_left_with_positive_symbols_at_zero_counts(void **state)
{
    (void)state;
    assert_int_equal(sign_of("h + h^2"), 0);
    assert_int_equal(sign_of("h + x^2"), 0);
    assert_int_equal(sign_of("h*y^2 + x^2"), 0);
    assert_int_equal(sign_of("1 + h*y^2"), 1);
}

static void what_may_pass_or_touch_zero_has_none(void **state)
{
    (void)state;
    assert_int_equal(sign_of("x"), 0);
    assert_int_equal(sign_of("x^2"), 0);
    assert_int_equal(sign_of("x^2 - y^2"), 0);
    assert_int_equal(sign_of("x*y + 1"), 0);
    assert_int_equal(sign_of("h"), 0);
    assert_int_equal(sign_of("x^3 + 1"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_squares_and_of_positive_terms_have_a_sign),
        cmocka_unit_test(squares_that_vanish_with_one_base_have_none),
        cmocka_unit_test(what_is_left_with_positive_symbols_at_zero_counts),
        cmocka_unit_test(what_may_pass_or_touch_zero_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
