/* check.h - comparisons for the tests, on top of cmocka. A failed check prints names and
 * values.
 *
 *     CHECK_NEAR(x, 1.0, 1e-12)     |x - 1.0| <= 1e-12; NaN fails
 *     CHECK_OK(status, err)         status is CRANK_OK; prints the error record if not
 *     CHECK_STATUS(status, CRANK_EARG)
 *     CHECK_CONTAINS(err.text, "rtol")
 *     CHECK_RUN(argc, argv, tests)  runs the table of tests, or those that match argv[1] */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_CHECK_H
#define CRANK_TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <crank/base.h>

static inline void check_near(double actual, double expected, double tolerance,
                              const char *actual_text, const char *expected_text,
                              const char *tolerance_text, const char *file, int line)
{
    const double difference = fabs(actual - expected);
    if (!(difference <= tolerance) && !(actual == expected)) {
        print_error("%s = %.17g\n%s = %.17g\ndifference %.3g exceeds %s = %.3g\n", actual_text,
                    actual, expected_text, expected, difference, tolerance_text, tolerance);
        _fail(file, line);
    }
}

static inline void check_status(crank_status status, crank_status expected,
                                const crank_error *err, const char *text, const char *file,
                                int line)
{
    if (status != expected) {
        print_error("%s is %s, not %s\n", text, crank_status_name(status),
                    crank_status_name(expected));
        if (err != NULL && err->line > 0) {
            print_error("line %d, column %d: %s\n", err->line, err->column, err->text);
        } else if (err != NULL) {
            print_error("%s\n", err->text);
        }
        _fail(file, line);
    }
}

static inline void check_contains(const char *text, const char *part, const char *name,
                                  const char *file, int line)
{
    if (strstr(text, part) == NULL) {
        print_error("%s is\n    %s\nand does not contain\n    %s\n", name, text, part);
        _fail(file, line);
    }
}

#define CHECK_NEAR(actual, expected, tolerance)                                                \
    check_near(actual, expected, tolerance, #actual, #expected, #tolerance, __FILE__, __LINE__)
#define CHECK_OK(status, err)                                                                  \
    check_status(status, CRANK_OK, &(err), #status, __FILE__, __LINE__)
#define CHECK_STATUS(status, expected)                                                         \
    check_status(status, expected, NULL, #status, __FILE__, __LINE__)
#define CHECK_CONTAINS(text, part) check_contains(text, part, #text, __FILE__, __LINE__)
#define CHECK_RUN(argc, argv, tests)                                                           \
    (cmocka_set_test_filter((argc) > 1 ? (argv)[1] : NULL),                                    \
     cmocka_run_group_tests(tests, NULL, NULL))

#endif
