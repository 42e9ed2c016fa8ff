/* flat_print.c - a flat DAE as text in the manner of Base Modelica. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/flat.h"

#include <stdio.h>
#include <stdlib.h>

void crank_flat_print_expression(const crank_flat *flat, crank_ex ex, crank_text *text)
{
    const int length = crank_ex_print(flat->pool, ex, NULL, 0);
    char *buffer = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (buffer == NULL) {
        text->failed = true;
        return;
    }
    (void)crank_ex_print(flat->pool, ex, buffer, (size_t)length + 1);
    crank_text_append(text, "%s", buffer);
    free(buffer);
}

const char *crank_flat_file_of(const crank_flat *flat, crank_flat_place place)
{
    const int number = place.line / CRANK_FLAT_LINES;
    return number > 0 && number < flat->file_count ? flat->file[number] : NULL;
}

const char *crank_flat_print_place(const crank_flat *flat, crank_flat_place place, char *text)
{
    const char *file = crank_flat_file_of(flat, place);
    (void)snprintf(text, CRANK_FLAT_PLACE_TEXT, "%.100s%sline %d", file != NULL ? file : "",
                   file != NULL ? " " : "", place.line % CRANK_FLAT_LINES);
    return text;
}

static const char *type_word(crank_flat_type type)
{
    return type == CRANK_FLAT_REAL      ? "Real"
           : type == CRANK_FLAT_INTEGER ? "Integer"
           : type == CRANK_FLAT_BOOLEAN ? "Boolean"
                                        : "enumeration";
}

static void print_attribute(const crank_flat *flat, const char *name, crank_ex ex, int *count,
                            crank_text *text)
{
    if (ex >= 0) {
        crank_text_append(text, "%s%s = ", (*count)++ == 0 ? "(" : ", ", name);
        crank_flat_print_expression(flat, ex, text);
    }
}

static void print_variable(const crank_flat *flat, const crank_flat_variable *x,
                           crank_text *text)
{
    int count = 0;
    char place[CRANK_FLAT_PLACE_TEXT];
    crank_text_append(text, "  %s%s '%s'", x->role == CRANK_FLAT_DISCRETE ? "discrete " : "",
                      type_word(x->type), x->name);
    print_attribute(flat, "start", x->start, &count, text);
    if (x->fixed) {
        crank_text_append(text, "%sfixed = true", count++ == 0 ? "(" : ", ");
    }
    print_attribute(flat, "min", x->min, &count, text);
    print_attribute(flat, "max", x->max, &count, text);
    print_attribute(flat, "nominal", x->nominal, &count, text);
    if (x->unit[0] != '\0') {
        crank_text_append(text, "%sunit = \"%s\"", count++ == 0 ? "(" : ", ", x->unit);
    }
    crank_text_append(text, "%s", count > 0 ? ")" : "");
    if (x->role == CRANK_FLAT_ELIMINATED) {
        crank_text_append(text, " = ");
        crank_flat_print_expression(flat, x->value, text);
        crank_text_append(text, ";  // eliminated, %s\n",
                          crank_flat_print_place(flat, x->place, place));
    } else {
        crank_text_append(text, ";  // %s\n", crank_flat_print_place(flat, x->place, place));
    }
}

static void print_equations(const crank_flat *flat, int count, const crank_flat_equation *list,
                            crank_text *text)
{
    char place[CRANK_FLAT_PLACE_TEXT];
    for (int i = 0; i < count; i++) {
        crank_text_append(text, "  ");
        crank_flat_print_expression(flat, list[i].left, text);
        crank_text_append(text, " = ");
        crank_flat_print_expression(flat, list[i].right, text);
        crank_text_append(text, ";  // %s%s%s\n",
                          crank_flat_print_place(flat, list[i].place, place),
                          list[i].origin[0] != '\0' ? ", " : "", list[i].origin);
    }
}

static void print_event(const crank_flat *flat, const crank_flat_event *e, crank_text *text)
{
    static const char *const words[] = {"falls through", "passes", "rises through"};
    crank_text_append(text, "  // %s: ", e->name);
    if (e->when >= 0) {
        crank_flat_print_expression(flat, e->when, text);
        crank_text_append(text, " %s zero%s%s\n", words[e->direction + 1],
                          e->relation >= 0 ? ": " : "",
                          e->relation >= 0 ? flat->variable[e->relation].name : "");
    } else {
        crank_flat_print_expression(flat, e->condition, text);
        crank_text_append(text, " holds at an event\n");
    }
    for (int k = 0; k < e->action_count; k++) {
        crank_text_append(text, "  //   %s\n", e->action[k].message);
    }
}

static void print_update(const crank_flat *flat, const crank_flat_update *u, crank_text *text)
{
    char place[CRANK_FLAT_PLACE_TEXT];
    crank_text_append(text, "  // at events: ");
    if (u->condition >= 0) {
        crank_text_append(text, "if ");
        crank_flat_print_expression(flat, u->condition, text);
        crank_text_append(text, ": ");
    }
    crank_text_append(text, "'%s' := ", flat->variable[u->variable].name);
    crank_flat_print_expression(flat, u->value, text);
    crank_text_append(text, ";  // %s\n", crank_flat_print_place(flat, u->place, place));
}

void crank_flat_print(const crank_flat *flat, crank_text *text)
{
    char place[CRANK_FLAT_PLACE_TEXT];
    crank_text_append(text, "model '%s'\n", flat->name);
    for (int i = 0; i < flat->parameter_count; i++) {
        const crank_flat_parameter *p = &flat->parameter[i];
        crank_text_append(text, "  parameter %s '%s' = ", type_word(p->type), p->name);
        crank_flat_print_expression(flat, p->value, text);
        crank_text_append(text, ";  // %s%s\n", crank_flat_print_place(flat, p->place, place),
                          p->structural ? ", structural" : "");
    }
    for (int i = 0; i < flat->variable_count; i++) {
        print_variable(flat, &flat->variable[i], text);
    }
    if (flat->initial_count > 0) {
        crank_text_append(text, "initial equation\n");
        print_equations(flat, flat->initial_count, flat->initial, text);
    }
    crank_text_append(text, "equation\n");
    print_equations(flat, flat->equation_count, flat->equation, text);
    for (int i = 0; i < flat->event_count; i++) {
        print_event(flat, &flat->event[i], text);
    }
    for (int i = 0; i < flat->update_count; i++) {
        print_update(flat, &flat->update[i], text);
    }
    crank_text_append(text, "end '%s';\n", flat->name);
}
