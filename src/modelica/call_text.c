/* call_text.c - String(x, ...) (Modelica 3.6, 3.7.1.1): numbers, truth values and literals as
 * text, of what is known before the run. In messages of assert and terminate a variable is shown
 * by its name. */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include "base/number.h"

#include <string.h>

enum { LONGEST = 99 }; /* minimumLength */

typedef struct style {
    int digits, length;
    bool left;
} style;

/* a whole number or truth value among the arguments */
static bool read_whole(crank_mo_flattener *f, const crank_mo_scope *scope,
                       const crank_mo_expression *e, int most, int *out)
{
    const crank_mo_value v = crank_mo_translate(f, scope, e);
    double number = 0.0;
    if (crank_mo_ok(f) &&
        (v.rank > 0 || v.ex == NULL || !crank_mo_is_parametric(f, v.ex[0]) ||
         !crank_mo_number_of(f, v.ex[0], &number) || !(number >= 0.0 && number <= most))) {
        (void)crank_mo_fail_at(f, e->place, "String: a number from 0 to %d is expected here",
                               most);
    }
    *out = (int)number;
    return crank_mo_ok(f);
}

/* "-8.3g", as in C without the percent sign: [-] [length] [.digits] and g of Reals, d of Integers */
static void read_format(crank_mo_flattener *f, const crank_mo_value *text, bool real,
                        crank_mo_place place, style *out)
{
    const char *p = text->text;
    int digits = out->digits;
    out->left = *p == '-';
    p += out->left ? 1 : 0;
    out->length = 0;
    for (; *p >= '0' && *p <= '9' && out->length < 100; p++) {
        out->length = 10 * out->length + (*p - '0');
    }
    if (*p == '.' && real) {
        digits = 0;
        for (p++; *p >= '0' && *p <= '9' && digits < 100; p++) {
            digits = 10 * digits + (*p - '0');
        }
    }
    const bool ends = real ? *p == 'g' : *p == 'd' || *p == 'i';
    if (!ends || p[1] != '\0' || digits > 17 || out->length > LONGEST) {
        (void)crank_mo_fail_at(f, place,
                               "String: the format \"%.40s\": not supported; \"%s\" is, with "
                               "length%s and a minus in front",
                               text->text, real ? "8.3g" : "8d", real ? ", digits" : "");
    }
    out->digits = digits > 0 ? digits : 1;
}

static bool read_style(crank_mo_flattener *f, const crank_mo_scope *scope,
                       const crank_mo_expression *e, bool real, style *out)
{
    static const char *const names[] = {"significantDigits", "minimumLength", "leftJustified"};
    const int count = sizeof names / sizeof *names;
    *out = (style){.digits = 6, .left = true};
    for (int i = 1; i < e->count && crank_mo_ok(f); i++) {
        const int place = real ? i - 1 : i; /* only Reals have digits */
        const char *name = e->name[i] != NULL ? e->name[i] : place < count ? names[place] : "";
        int number = 0;
        const bool text = strcmp(name, "format") == 0 || e->item[i]->kind == CRANK_MO_STRING;
        if (text && i == 1 && e->count == 2) {
            const crank_mo_value v = crank_mo_translate(f, scope, e->item[i]);
            if (crank_mo_ok(f) && v.type != CRANK_MO_IS_STRING) {
                (void)crank_mo_fail_at(f, e->item[i]->place, "String: a format is a text");
            } else if (crank_mo_ok(f)) {
                read_format(f, &v, real, e->item[i]->place, out);
            }
        } else if (strcmp(name, "significantDigits") == 0 &&
                   read_whole(f, scope, e->item[i], 17, &number)) {
            out->digits = number > 0 ? number : 1;
        } else if (strcmp(name, "minimumLength") == 0 &&
                   read_whole(f, scope, e->item[i], LONGEST, &number)) {
            out->length = number;
        } else if (strcmp(name, "leftJustified") == 0 &&
                   read_whole(f, scope, e->item[i], 1, &number)) {
            out->left = number != 0;
        } else if (crank_mo_ok(f)) {
            (void)crank_mo_fail_at(f, e->item[i]->place,
                                   "String: arguments behind the first are "
                                   "significantDigits, minimumLength, leftJustified, or a "
                                   "format alone");
        }
    }
    return crank_mo_ok(f);
}

static const char *print_number(crank_mo_flattener *f, const crank_mo_value *v, double number,
                                const style *s)
{
    char text[CRANK_NUMBER_TEXT];
    const int literal = (int)number - 1;
    if (v->type == CRANK_MO_IS_BOOLEAN) {
        return number != 0.0 ? "true" : "false";
    }
    if (v->type == CRANK_MO_IS_ENUMERATION && v->of != NULL && literal >= 0 &&
        literal < v->of->literal_count) {
        return v->of->literal[literal];
    }
    if (v->type == CRANK_MO_IS_INTEGER) {
        return crank_store_print(f->store, "%.0f", number);
    }
    (void)crank_number_print(text, sizeof text, number, s->digits);
    return crank_store_print(f->store, "%s", text);
}

crank_mo_value crank_mo_string(crank_mo_flattener *f, const crank_mo_scope *scope,
                               const crank_mo_expression *e)
{
    crank_mo_value out = {.type = CRANK_MO_IS_STRING, .count = 1, .text = ""};
    style s;
    double number = 0.0;
    if (e->count < 1) {
        (void)crank_mo_fail_at(f, e->place, "String: an argument is expected");
        return out;
    }
    const crank_mo_value v = crank_mo_translate(f, scope, e->item[0]);
    if (!crank_mo_ok(f) || !read_style(f, scope, e, v.type == CRANK_MO_IS_REAL, &s)) {
        return out;
    }
    if (v.rank > 0 || v.ex == NULL) {
        (void)crank_mo_fail_at(f, e->place, "String: a number, Boolean or literal is expected");
        return out;
    }
    const bool known =
        crank_mo_is_parametric(f, v.ex[0]) && crank_mo_number_of(f, v.ex[0], &number);
    if (!known && !f->in_message && crank_mo_ok(f)) {
        (void)crank_mo_fail_at(f, e->place,
                               "String() of what is not known before the run: not supported");
    }
    if (!crank_mo_ok(f)) {
        return out;
    }
    crank_text shown = {0};
    if (!known) {
        crank_flat_print_expression(f->flat, v.ex[0], &shown);
    }
    out.text = known ? print_number(f, &v, number, &s)
                     : crank_store_print(f->store, "%s", shown.data != NULL ? shown.data : "");
    crank_text_free(&shown);
    out.text = out.text == NULL ? NULL
               : s.left         ? crank_store_print(f->store, "%-*s", s.length, out.text)
                                : crank_store_print(f->store, "%*s", s.length, out.text);
    if (out.text == NULL) {
        crank_mo_fail_memory(f);
        out.text = "";
    }
    return out;
}
