/* number.h - reals as text, always with a decimal point.
 *
 * The library never calls setlocale. A program around it may have done so, and then strtod and
 * printf follow its decimal sign; these functions do not. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_NUMBER_H
#define CRANK_SRC_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum { CRANK_NUMBER_TEXT = 32 }; /* room for any printed number */

/* The whole text as a decimal number ("-1.5e3", "2", ".5"): no blanks, no hexadecimal.
 * Infinities and NaN ("inf", "nan", ".inf", ".nan", with sign and in any case) are read as
 * such, and a number beyond the range of double gives an infinity: the caller decides. false:
 * not a number. */
bool crank_number_parse(const char *text, double *value);

/* Writes value with the given number of significant digits (17: exact), or with as few as read
 * back to the same double if digits is 0. Returns text. */
const char *crank_number_print(char *text, size_t size, double value, int digits);

/* "%.17g" of printf, whatever the locale, into room for CRANK_NUMBER_TEXT characters without a
 * zero behind them, in a fraction of its time. Returns their number; 0: ask printf (zeros,
 * infinities, NaN, numbers far from one, and some whose last digit is hard to tell).
 * number_digits.c */
size_t crank_number_print_17(char *out, double value);

#endif
