/* test_print.c - text of expressions, and that it parses back to the same node. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "sample_ex.h"

static crank_ex parse(crank_pool *pool, const char *text)
{
    crank_error err;
    crank_ex e = -1;
    CHECK_OK(crank_ex_parse(pool, text, 1, 1, NULL, NULL, &e, &err), err);
    return e;
}

static void text_is_short_and_readable(void **state)
{
    static const char *const list[] = {
        "x + y",      "x - y",       "x - 2*y",         "2*x*y",           "-x^2",
        "(-x + y)^2", "x/y",         "x/(y*z)",         "x/y/z",           "x^2/y",
        "sin(x)",     "atan2(x, y)", "if(x < y, 1, 2)", "x < y and y < z", "not (x or y)",
        "x^(1 + y)",  "-(x + y)",    "0.1*x",           "min(x, y)",       "x^y",
        "1e+20*x",    "-2*x*y",      "x - 3",           "hypot(x, y)",
    };
    crank_pool *pool = crank_pool_create();
    (void)parse(pool, "x + y + z"); /* fixes the order of symbols */
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char text[100];
        const crank_ex e = parse(pool, list[i]);
        const int length = crank_ex_print(pool, e, text, sizeof text);
        assert_int_equal(length, (int)strlen(text));
        assert_int_equal(parse(pool, text), e);
        if (strcmp(list[i], "(-x + y)^2") != 0) {
            assert_string_equal(text, list[i]);
        } else {
            assert_string_equal(text, "(y - x)^2");
        }
    }
    crank_pool_destroy(pool);
}

static void random_expressions_parse_back(void **state)
{
    crank_pool *pool = crank_pool_create();
    uint64_t seed = 7;
    const size_t size = 1 << 20;
    char *text = malloc(size);
    assert_non_null(text);
    int printed = 0;
    for (int round = 0; round < 100; round++) {
        crank_ex list[SAMPLE_NODES];
        sample_list(pool, &seed, false, list);
        for (int i = 0; i < SAMPLE_NODES; i++) {
            if (crank_ex_print(pool, list[i], text, size) < 20000) {
                assert_int_equal(parse(pool, text), list[i]);
                printed++;
            }
        }
    }
    assert_true(printed > 3000);
    free(text);
    crank_pool_destroy(pool);
}

static void every_node_of_a_pool_parses_back(void **state)
{
    static const char *const list[] = {
        "2*(3/x)*y",
        "x*(y/z)*t",
        "(x/y)*(z/t)",
        "-(2/x)/0",
        "(2*x)/0",
        "-(x/0)",
        "1e308*(1e308*x)",
        "-(1e308/0.1)",
        "((x^2)^y)^2",
        "-(x*y)^z",
        "(-2)^x",
        "x^(-y)",
        "x - (y - z)",
        "x - (y + z)",
        "(x and y) or z",
        "x and (y or z)",
        "not x < y",
        "(x < y) < z",
        "(x < y) + 1",
        "-(x < y)",
        "2*(x*(y/z))",
        "2*((x/y)*z)",
        "-3*((x + y)*z)",
        "x + (y + (z + t))",
        "(x*y)/(z*t)",
        "if(x and y, -x, x - -2*y)",
        "1 - x*y*z/3",
        "0*(1/0) + x",
        "exp(-x^2/2)/sqrt(2*pi)",
    };
    crank_pool *pool = crank_pool_create();
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        (void)parse(pool, list[i]);
    }
    const int size = crank_pool_size(pool);
    for (crank_ex e = 1; e < size; e++) { /* 0 is NaN */
        char text[200];
        crank_ex_print(pool, e, text, sizeof text);
        if (parse(pool, text) != e) {
            print_error("%s\n", text);
            fail();
        }
    }
    crank_pool_destroy(pool);
}

static void short_buffers_are_filled_and_terminated(void **state)
{
    crank_pool *pool = crank_pool_create();
    const crank_ex e = parse(pool, "alpha + beta*(gamma + delta)");
    char full[100];
    const int length = crank_ex_print(pool, e, full, sizeof full);
    for (size_t size = 1; size < 40; size++) {
        char text[40];
        memset(text, '#', sizeof text);
        assert_int_equal(crank_ex_print(pool, e, text, size), length);
        assert_true(strlen(text) < size);
        assert_memory_equal(text, full, strlen(text));
    }
    assert_int_equal(crank_ex_print(pool, e, NULL, 0), length);
    crank_pool_destroy(pool);
}

/* Text doubles with every level; only its length is computed, in time that grows with the
 * levels. */
static void shared_parts_do_not_take_exponential_time(void **state)
{
    crank_pool *pool = crank_pool_create();
    crank_ex e = parse(pool, "x");
    const crank_ex y = parse(pool, "y");
    for (int i = 0; i < 25; i++) {
        const crank_ex sine = crank_ex_call(pool, CRANK_EX_SIN, e, 0, 0);
        e = crank_ex_add(pool, crank_ex_mul(pool, sine, y), crank_ex_pow(pool, e, y));
    }
    char text[50];
    assert_true(crank_ex_print(pool, e, text, sizeof text) > 1 << 25);
    assert_int_equal(strlen(text), sizeof text - 1);
    for (int i = 0; i < 25; i++) {
        e = crank_ex_add(pool, crank_ex_call(pool, CRANK_EX_SIN, e, 0, 0),
                         crank_ex_pow(pool, e, y));
    }
    assert_int_equal(crank_ex_print(pool, e, text, sizeof text), -1);
    crank_pool_destroy(pool);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_short_and_readable),
        cmocka_unit_test(random_expressions_parse_back),
        cmocka_unit_test(every_node_of_a_pool_parses_back),
        cmocka_unit_test(short_buffers_are_filled_and_terminated),
        cmocka_unit_test(shared_parts_do_not_take_exponential_time),
    };
    return CHECK_RUN(argc, argv, tests);
}
