/* unit.c - see unit.h. Factors and names: International System of Units, 9th edition (2019). */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH = 8 };

static const struct {
    const char *name;
    double factor;
    signed char power[CRANK_UNIT_BASES]; /* m, kg, s, A, K, mol, cd */
} units[] = {{"m", 1.0, {1}},
             {"g", 1e-3, {0, 1}},
             {"s", 1.0, {0, 0, 1}},
             {"A", 1.0, {0, 0, 0, 1}},
             {"K", 1.0, {0, 0, 0, 0, 1}},
             {"mol", 1.0, {0, 0, 0, 0, 0, 1}},
             {"cd", 1.0, {0, 0, 0, 0, 0, 0, 1}},
             {"rad", 1.0, {0}},
             {"sr", 1.0, {0}},
             {"deg", 0.017453292519943295, {0}},
             {"rev", 6.283185307179586, {0}},
             {"Hz", 1.0, {0, 0, -1}},
             {"N", 1.0, {1, 1, -2}},
             {"Pa", 1.0, {-1, 1, -2}},
             {"bar", 1e5, {-1, 1, -2}},
             {"J", 1.0, {2, 1, -2}},
             {"W", 1.0, {2, 1, -3}},
             {"C", 1.0, {0, 0, 1, 1}},
             {"V", 1.0, {2, 1, -3, -1}},
             {"F", 1.0, {-2, -1, 4, 2}},
             {"Ohm", 1.0, {2, 1, -3, -2}},
             {"S", 1.0, {-2, -1, 3, 2}},
             {"Wb", 1.0, {2, 1, -2, -1}},
             {"T", 1.0, {0, 1, -2, -1}},
             {"H", 1.0, {2, 1, -2, -2}},
             {"lm", 1.0, {0, 0, 0, 0, 0, 0, 1}},
             {"lx", 1.0, {-2, 0, 0, 0, 0, 0, 1}},
             {"l", 1e-3, {3}},
             {"L", 1e-3, {3}},
             {"min", 60.0, {0, 0, 1}},
             {"h", 3600.0, {0, 0, 1}},
             {"d", 86400.0, {0, 0, 1}},
             {"t", 1e3, {0, 1}},
             {"u", 1.66053906660e-27, {0, 1}},
             {"eV", 1.602176634e-19, {2, 1, -2}},
             {"atm", 101325.0, {-1, 1, -2}},
             {"var", 1.0, {2, 1, -3}},
             {"kat", 1.0, {0, 0, -1, 0, 0, 1}},
             {"Bq", 1.0, {0, 0, -1}},
             {"Gy", 1.0, {2, 0, -2}},
             {"Sv", 1.0, {2, 0, -2}},
             {"rpm", 0.10471975511965977, {0, 0, -1}},
             /* differences of temperatures; that they have another zero is not looked at */
             {"degC", 1.0, {0, 0, 0, 0, 1}},
             {"degF", 5.0 / 9.0, {0, 0, 0, 0, 1}},
             {"degRk", 5.0 / 9.0, {0, 0, 0, 0, 1}}};

static const struct {
    const char *name;
    double factor;
} prefixes[] = {{"da", 1e1},  {"Y", 1e24},  {"Z", 1e21},  {"E", 1e18},  {"P", 1e15},
                {"T", 1e12},  {"G", 1e9},   {"M", 1e6},   {"k", 1e3},   {"h", 1e2},
                {"d", 1e-1},  {"c", 1e-2},  {"m", 1e-3},  {"u", 1e-6},  {"n", 1e-9},
                {"p", 1e-12}, {"f", 1e-15}, {"a", 1e-18}, {"z", 1e-21}, {"y", 1e-24}};

static bool find_plain(const char *name, size_t length, double factor, crank_unit *out)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strlen(units[i].name) == length && strncmp(units[i].name, name, length) == 0) {
            *out = (crank_unit){.known = true, .factor = factor * units[i].factor};
            for (int k = 0; k < CRANK_UNIT_BASES; k++) {
                out->power[k] = units[i].power[k];
            }
            return true;
        }
    }
    return false;
}

static bool find_unit(const char *name, size_t length, crank_unit *out)
{
    if (find_plain(name, length, 1.0, out)) {
        return true;
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        const size_t used = strlen(prefixes[i].name);
        if (length > used && strncmp(prefixes[i].name, name, used) == 0 &&
            find_plain(name + used, length - used, prefixes[i].factor, out)) {
            return true;
        }
    }
    return false;
}

crank_unit crank_unit_times(const crank_unit *a, const crank_unit *b, double power)
{
    crank_unit out = {.known = a->known && b->known,
                      .factor = a->factor * pow(b->factor, power)};
    for (int k = 0; k < CRANK_UNIT_BASES; k++) {
        out.power[k] = a->power[k] + power * b->power[k];
    }
    return out;
}

static bool parse_product(const char **at, int depth, crank_unit *out);

/* a unit with its power, "1", or something in parentheses */
static bool parse_factor(const char **at, int depth, crank_unit *out)
{
    const crank_unit one = {.known = true, .factor = 1.0};
    crank_unit base;
    const char *from = *at;
    if (*from == '(') {
        (*at)++;
        if (depth >= DEPTH || !parse_product(at, depth + 1, out) || **at != ')') {
            return false;
        }
        (*at)++;
        return true;
    }
    if (*from == '1') {
        *out = one;
        (*at)++;
        return true;
    }
    while ((**at >= 'a' && **at <= 'z') || (**at >= 'A' && **at <= 'Z')) {
        (*at)++;
    }
    if (!find_unit(from, (size_t)(*at - from), &base)) {
        return false;
    }
    const bool minus = **at == '-';
    int power = 0, digits = 0;
    *at += minus || **at == '+';
    for (; **at >= '0' && **at <= '9' && digits < 3; digits++) {
        power = 10 * power + (*(*at)++ - '0');
    }
    *out = crank_unit_times(&one, &base, digits == 0 ? 1.0 : minus ? -power : power);
    return digits > 0 || !minus;
}

/* a.b/c; one slash, behind which products stand in parentheses, but more are read */
static bool parse_product(const char **at, int depth, crank_unit *out)
{
    crank_unit next;
    if (!parse_factor(at, depth, out)) {
        return false;
    }
    while (**at == '.' || **at == '/') {
        const double power = *(*at)++ == '.' ? 1.0 : -1.0;
        if (!parse_factor(at, depth, &next)) {
            return false;
        }
        *out = crank_unit_times(out, &next, power);
    }
    return true;
}

bool crank_unit_parse(const char *text, crank_unit *out)
{
    const char *at = text;
    return parse_product(&at, 0, out) && *at == '\0';
}

bool crank_unit_same(const crank_unit *a, const crank_unit *b)
{
    bool same = fabs(a->factor - b->factor) <= 1e-9 * fabs(a->factor);
    for (int k = 0; k < CRANK_UNIT_BASES; k++) {
        same = same && fabs(a->power[k] - b->power[k]) <= 1e-9;
    }
    return same;
}

const char *crank_unit_print(const crank_unit *unit, char *text)
{
    static const char *const names[] = {"m", "kg", "s", "A", "K", "mol", "cd"};
    size_t used = 0;
    text[0] = '\0';
    if (fabs(unit->factor - 1.0) > 1e-9) {
        used = (size_t)snprintf(text, CRANK_UNIT_TEXT, "%.4g", unit->factor);
    }
    for (int k = 0; k < CRANK_UNIT_BASES && used + 16 < CRANK_UNIT_TEXT; k++) {
        const double power = unit->power[k];
        if (fabs(power) <= 1e-9) {
            continue;
        }
        used += (size_t)snprintf(text + used, CRANK_UNIT_TEXT - used, "%s%s",
                                 used > 0 ? "." : "", names[k]);
        if (fabs(power - 1.0) > 1e-9) {
            used += (size_t)snprintf(text + used, CRANK_UNIT_TEXT - used, "%.3g", power);
        }
    }
    if (used == 0) {
        (void)snprintf(text, CRANK_UNIT_TEXT, "1");
    }
    return text;
}
