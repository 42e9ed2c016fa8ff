/* test_trace.c - recorded calculations as C: what is known is folded, sections have what they
 * need and no more, and compiled they give the numbers of the same calculation in C. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "symbolic/trace.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void known_numbers_are_folded(void **state)
{
    (void)state;
    crank_trace *t = crank_trace_create();
    assert_non_null(t);
    const crank_traced zero = crank_trace_number(t, 0.0), one = crank_trace_number(t, 1.0),
                       x = crank_trace_unknown(t, 3), y = crank_trace_unknown(t, 4);
    double value = 0.0;
    assert_int_equal(crank_trace_number(t, -0.0), zero);
    assert_int_equal(crank_trace_add(t, x, zero), x);
    assert_int_equal(crank_trace_mul(t, one, x), x);
    assert_int_equal(crank_trace_mul(t, x, zero), zero);
    assert_int_equal(crank_trace_sub(t, x, x), zero);
    const crank_traced minus = crank_trace_neg(t, x);
    assert_int_equal(crank_trace_neg(t, minus), x);
    assert_int_equal(crank_trace_add(t, y, minus), crank_trace_sub(t, y, x));
    assert_int_equal(crank_trace_mul(t, minus, crank_trace_neg(t, y)),
                     crank_trace_mul(t, y, x));
    assert_int_equal(crank_trace_sub(t, y, minus), crank_trace_add(t, x, y));
    assert_true(
        crank_trace_is_known(t, crank_trace_div(t, one, crank_trace_number(t, 4.0)), &value));
    CHECK_NEAR(value, 0.25, 0.0);
    assert_false(crank_trace_is_known(t, x, &value));
    crank_trace_destroy(t);
}

static void sections_have_what_they_need_first(void **state)
{
    (void)state;
    static const char *const name[] = {"one", "two", "three"};
    crank_trace *t = crank_trace_create();
    crank_text text = {0};
    int operations[3];
    assert_non_null(t);
    const crank_traced x = crank_trace_unknown(t, 0), sine = crank_trace_sin(t, x),
                       square = crank_trace_mul(t, sine, sine),
                       both = crank_trace_add(t, x, square);
    (void)crank_trace_cos(t, square); /* nobody asks for it */
    crank_trace_set(t, 0, 0, x);
    crank_trace_set(t, 1, 1, square);
    crank_trace_set(t, 2, 2, both);
    /* without the second one the third cannot be: what they share is in the first */
    assert_int_equal(crank_trace_write(t, 3, 1, name, 3, &text, operations), 5);
    assert_int_equal(operations[0], 3);
    assert_int_equal(operations[1], 0);
    assert_int_equal(operations[2], 1);
    assert_null(strstr(text.data, "cos("));
    crank_text_free(&text);
    assert_true(crank_trace_write(t, 3, -1, name, 3, &text, operations) > 0);
    assert_int_equal(operations[0], 1);
    assert_int_equal(operations[1], 2);
    assert_int_equal(operations[2], 1);
    crank_text_free(&text);
    crank_trace_destroy(t);
}

/* of the sections below, with any numbers; a long one is cut into several functions */
enum { TERMS = 5000 };

static double series(double x, double y)
{
    double sum = x;
    for (int i = 1; i <= TERMS; i++) {
        sum = sum * (1.0 - 1.0 / (i * i + 3.0)) + y / (i + sum * sum);
    }
    return sum;
}

static crank_traced traced_series(crank_trace *t, crank_traced x, crank_traced y)
{
    crank_traced sum = x;
    for (int i = 1; i <= TERMS; i++) {
        const crank_traced f = crank_trace_number(t, 1.0 - 1.0 / (i * i + 3.0));
        const crank_traced below =
            crank_trace_add(t, crank_trace_number(t, i), crank_trace_mul(t, sum, sum));
        sum = crank_trace_add(t, crank_trace_mul(t, sum, f), crank_trace_div(t, y, below));
    }
    return sum;
}

static void remove_directory(const char *directory)
{
    glob_t files;
    char pattern[80];
    (void)snprintf(pattern, sizeof pattern, "%s/*", directory);
    if (glob(pattern, 0, NULL, &files) == 0) {
        for (size_t i = 0; i < files.gl_pathc; i++) {
            (void)remove(files.gl_pathv[i]);
        }
        globfree(&files);
    }
    (void)rmdir(directory);
}

static void compiled_sections_give_the_numbers_of_the_same_calculation(void **state)
{
    (void)state;
    static const char *const name[] = {"first", "second"};
    char directory[] = "/tmp/crank-test-XXXXXX";
    crank_trace *t = crank_trace_create();
    crank_text text = {0};
    crank_compiled *compiled = NULL;
    crank_error err = {0};
    assert_non_null(t);
    assert_non_null(mkdtemp(directory));
    const crank_traced x = crank_trace_unknown(t, 1), y = crank_trace_given(t, 0);
    const crank_traced sum = traced_series(t, x, crank_trace_number(t, 0.3));
    crank_trace_set(t, 0, 1, sum);
    crank_trace_set(t, 1, 2,
                    crank_trace_mul(t, crank_trace_sqrt(t, crank_trace_mul(t, sum, sum)), y));
    crank_trace_set(t, 1, 3, crank_trace_greater(t, y, x));
    const int size = crank_trace_write(t, 2, -1, name, 4, &text, NULL);
    assert_true(size > 4);
    assert_non_null(strstr(text.data, "static void first_0"));
    double *w = calloc((size_t)size, sizeof *w);
    assert_non_null(w);
    CHECK_OK(crank_compiled_load(text.data, directory, (crank_log){0}, &compiled, &err), err);
    const double in[2] = {7.0, 0.4};
    crank_compiled_find(compiled, "first")(in, w);
    CHECK_NEAR(w[1], series(0.4, 0.3), 0.0);
    for (int i = 0; i < 2; i++) { /* again, with another number given */
        w[0] = i == 0 ? 2.0 : 0.25;
        crank_compiled_find(compiled, "second")(in, w);
        CHECK_NEAR(w[2], fabs(w[1]) * w[0], 0.0);
        CHECK_NEAR(w[3], i == 0 ? 1.0 : 0.0, 0.0);
    }
    free(w);
    crank_compiled_unload(compiled);
    crank_text_free(&text);
    crank_trace_destroy(t);
    remove_directory(directory);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_numbers_are_folded),
        cmocka_unit_test(sections_have_what_they_need_first),
        cmocka_unit_test(compiled_sections_give_the_numbers_of_the_same_calculation)};
    return CHECK_RUN(argc, argv, tests);
}
