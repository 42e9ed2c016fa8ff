/* test_number.c - reals as text: exact, complete, and with a point under every locale. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/number.h"
#include "check.h"

#include <float.h>
#include <locale.h>
#include <stdio.h>

static void parser_reads_decimal_numbers(void **state)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0", 0.0},
        {"-0.0", 0.0},
        {"1", 1.0},
        {"+2.5", 2.5},
        {".5", 0.5},
        {"5.", 5.0},
        {"1e3", 1e3},
        {"-1.25E-3", -1.25e-3},
        {"1e+2", 100.0},
        {"1e-400", 0.0},
        {"0.1", 0.1},
        {"9007199254740993", 9007199254740992.0},
        {"4.9e-324", 4.9e-324},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = -7.0;
        assert_true(crank_number_parse(cases[i].text, &value));
        assert_true(value == cases[i].value);
    }
}

static void parser_reads_infinity_and_nan_as_such(void **state)
{
    double value = 0.0;
    assert_true(crank_number_parse("inf", &value) && value > 0.0 && isinf(value));
    assert_true(crank_number_parse("-.Inf", &value) && value < 0.0 && isinf(value));
    assert_true(crank_number_parse("+Infinity", &value) && value > 0.0 && isinf(value));
    assert_true(crank_number_parse(".NaN", &value) && isnan(value));
    assert_true(crank_number_parse("1e999", &value) && isinf(value));
}

static void parser_refuses_what_is_not_wholly_a_number(void **state)
{
    static const char *const cases[] = {
        "",      " 1",  "1 ",  "1x",   "0x10", "1e",   "1e+", "e5",  ".",  "+",    "-",  "1,5",
        "1.2.3", "--1", "abc", "nanx", "infi", "1e5.", "1_0", ".e1", "-.", "1.0f", "\n",
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = -7.0;
        if (crank_number_parse(cases[i], &value)) {
            fail_msg("\"%s\" was read as %g", cases[i], value);
        }
        assert_true(value == -7.0);
    }
}

static void parser_refuses_endless_digits(void **state)
{
    char text[1000];
    double value = 0.0;
    memset(text, '1', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_false(crank_number_parse(text, &value));
    text[300] = '\0';
    assert_true(crank_number_parse(text, &value));
    CHECK_NEAR(value / 1.1111111111111111e299, 1.0, 4 * DBL_EPSILON);
}

static void printer_writes_the_shortest_text_that_reads_back(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.1, "0.1"},
        {1e-6, "1e-06"},
        {3.0, "3"},
        {-2.5, "-2.5"},
        {1.0 / 3.0, "0.3333333333333333"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1e22, "1e+22"},
        {-0.0, "-0"},
    };
    char text[CRANK_NUMBER_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(crank_number_print(text, sizeof text, cases[i].value, 0),
                            cases[i].text);
    }
}

static void printed_numbers_read_back_bit_for_bit(void **state)
{
    char text[CRANK_NUMBER_TEXT];
    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        double value;
        double back = 0.0;
        bits ^= bits << 13; /* xorshift: doubles of every size */
        bits ^= bits >> 7;
        bits ^= bits << 17;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) {
            continue;
        }
        assert_true(crank_number_parse(crank_number_print(text, sizeof text, value, i % 2 * 17),
                                       &back));
        assert_memory_equal(&back, &value, sizeof value);
    }
}

/* 0: that is left to printf */
static int print_both_ways(double value)
{
    char quick[CRANK_NUMBER_TEXT], slow[CRANK_NUMBER_TEXT];
    const size_t length = crank_number_print_17(quick, value);
    assert_true(length < sizeof quick);
    quick[length] = '\0';
    (void)snprintf(slow, sizeof slow, "%.17g", value);
    if (length > 0) {
        assert_string_equal(quick, slow);
    }
    return length > 0;
}

/* Doubles of every size; all exponents that the table knows; decimal numbers, whose eighteenth
 * digit is far from or next to a half; both neighbours of powers of ten and two. */
static void quick_printer_writes_what_printf_does(void **state)
{
    uint64_t bits = 88172645463325252u;
    int quick = 0, count = 0;
    for (int i = 0; i < 20000; i++) {
        double value, decimal = 1.0;
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        memcpy(&value, &bits, sizeof value);
        (void)print_both_ways(value);
        const double fraction = (double)(bits >> 11) / 9007199254740992.0 - 0.5;
        const double scaled = ldexp(fraction, (int)(bits % 200) - 95);
        quick += print_both_ways(scaled);
        count += fraction != 0.0;
        for (int k = 0; k < (int)(bits >> 8 & 15); k++) {
            decimal *= 10.0;
        }
        (void)print_both_ways((double)(bits >> 40) / decimal);
        (void)print_both_ways((double)(bits >> 30) + 0.5);
        (void)print_both_ways((double)(bits >> 12) / 65536.0);
    }
    assert_true(quick > 9 * count / 10);
    for (int k = -320; k <= 308; k++) {
        char text[16];
        double ten = 0.0;
        (void)snprintf(text, sizeof text, "1e%d", k);
        assert_true(crank_number_parse(text, &ten));
        const double two = ldexp(1.0, k);
        const double values[] = {ten, nextafter(ten, 0.0), nextafter(ten, DBL_MAX),
                                 two, nextafter(two, 0.0), nextafter(two, DBL_MAX)};
        for (int i = 0; i < 6; i++) {
            (void)print_both_ways(values[i]);
            (void)print_both_ways(-values[i]);
        }
    }
    assert_int_equal(print_both_ways(0.0), 0);
    assert_int_equal(print_both_ways(-0.0), 0);
    assert_int_equal(print_both_ways((double)INFINITY), 0);
    assert_int_equal(print_both_ways((double)NAN), 0);
    assert_int_equal(print_both_ways(0.1), 1);
}

static void printer_cuts_at_the_size_given(void **state)
{
    char text[5];
    assert_string_equal(crank_number_print(text, sizeof text, 0.123456, 0), "0.12");
}

/* German writes 0,5. Machines without that locale leave the C locale in force, which is tested
 * too. */
static void numbers_keep_their_point_under_a_foreign_locale(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    bool foreign = false;
    for (int i = 0; i < 4 && !foreign; i++) {
        foreign = setlocale(LC_NUMERIC, names[i]) != NULL;
    }
    char text[CRANK_NUMBER_TEXT];
    double value = 0.0;
    const bool read = crank_number_parse("-12.75e1", &value);
    double wrong = 0.0;
    const bool comma = crank_number_parse("1,5", &wrong);
    (void)crank_number_print(text, sizeof text, 1234.5, 0);
    (void)setlocale(LC_NUMERIC, "C");
    assert_true(read);
    assert_true(value == -127.5);
    assert_false(comma);
    assert_string_equal(text, "1234.5");
    if (!foreign) {
        print_message("no locale with a decimal comma is installed; tried in the C locale\n");
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parser_reads_decimal_numbers),
        cmocka_unit_test(parser_reads_infinity_and_nan_as_such),
        cmocka_unit_test(parser_refuses_what_is_not_wholly_a_number),
        cmocka_unit_test(parser_refuses_endless_digits),
        cmocka_unit_test(printer_writes_the_shortest_text_that_reads_back),
        cmocka_unit_test(printed_numbers_read_back_bit_for_bit),
        cmocka_unit_test(quick_printer_writes_what_printf_does),
        cmocka_unit_test(printer_cuts_at_the_size_given),
        cmocka_unit_test(numbers_keep_their_point_under_a_foreign_locale),
    };
    return CHECK_RUN(argc, argv, tests);
}
