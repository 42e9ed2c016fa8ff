/* number.c - see number.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 400 }; /* characters of a number that is read */

/* The decimal sign in force, cut from a printed 0.5 (localeconv is not reentrant). */
static void decimal_sign(char sign[8])
{
    char text[16];
    const int length = snprintf(text, sizeof text, "%.1f", 0.5);
    const size_t n = length > 2 && length < 10 ? (size_t)length - 2 : 0;
    memcpy(sign, text + 1, n);
    sign[n] = '\0';
}

static const char *skip_digits(const char *c)
{
    while (*c >= '0' && *c <= '9') {
        c++;
    }
    return c;
}

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static bool is_word(const char *text, const char *word)
{
    while (*text != '\0' && lower(*text) == *word) {
        text++;
        word++;
    }
    return *text == '\0' && *word == '\0';
}

static bool parse_special(const char *text, double *value)
{
    const double sign = *text == '-' ? -1.0 : 1.0;
    if (*text == '-' || *text == '+') {
        text++;
    }
    if (*text == '.') {
        text++;
    }
    if (is_word(text, "inf") || is_word(text, "infinity")) {
        *value = sign * (double)INFINITY;
        return true;
    }
    if (is_word(text, "nan")) {
        *value = (double)NAN;
        return true;
    }
    return false;
}

bool crank_number_parse(const char *text, double *value)
{
    const char *c = text;
    if (*c == '-' || *c == '+') {
        c++;
    }
    const char *whole = c;
    c = skip_digits(c);
    const char *point = *c == '.' ? c : NULL;
    if (point != NULL) {
        c = skip_digits(point + 1);
    }
    const int digits = (int)(c - whole) - (point != NULL ? 1 : 0);
    if (digits == 0) {
        return parse_special(text, value);
    }
    if (*c == 'e' || *c == 'E') {
        c++;
        if (*c == '-' || *c == '+') {
            c++;
        }
        const char *exponent = c;
        c = skip_digits(c);
        if (c == exponent) {
            return false;
        }
    }
    const size_t length = (size_t)(c - text);
    if (*c != '\0' || length > LONGEST) {
        return false;
    }
    if (point == NULL) {
        *value = strtod(text, NULL);
        return true;
    }
    char sign[8];
    char local[LONGEST + sizeof sign];
    decimal_sign(sign);
    (void)snprintf(local, sizeof local, "%.*s%s%s", (int)(point - text), text, sign, point + 1);
    *value = strtod(local, NULL);
    return true;
}

/* puts a point where the decimal sign in force stands */
static void make_point(char *text)
{
    char sign[8];
    decimal_sign(sign);
    const size_t n = strlen(sign);
    char *at = n == 0 ? NULL : strstr(text, sign);
    if (at != NULL) {
        *at = '.';
        memmove(at + 1, at + n, strlen(at + n) + 1);
    }
}

const char *crank_number_print(char *text, size_t size, double value, int digits)
{
    char local[64];
    if (digits > 0) {
        (void)snprintf(local, sizeof local, "%.*g", digits < 40 ? digits : 40, value);
    } else {
        for (int n = 6; n <= 17; n++) { /* from 6 on: 1000, not 1e+03 */
            (void)snprintf(local, sizeof local, "%.*g", n, value);
            if (!isfinite(value) || strtod(local, NULL) == value) {
                break;
            }
        }
    }
    make_point(local);
    (void)snprintf(text, size, "%s", local);
    return text;
}
