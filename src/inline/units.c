/* units.c - do units fit? What is added, compared or equated must have one unit, arguments of
 * functions have none. Warnings: models run without units, and with wrong ones.
 *
 * A variable without a unit fits everything, and so does a number: 9.81 may be an acceleration.
 * In products numbers other than 1, 2 and 1/2, with signs, leave the unit open, and so do these
 * where the model has constants with a unit of that value. Nodes of the pool stand behind their
 * operands, so that one pass over it tells all, and each conflict is told once, in the first
 * equation that contains it. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/passes.h"
#include "inline/unit.h"

#include <math.h>

typedef struct work {
    const crank_flat *flat;
    crank_unit *unit; /* by node */
    int *conflict;    /* by node: itself or the first one below that does not fit; -1: none */
    bool *told;       /* by node */
    crank_text *text;
    int count;
} work;

static const crank_unit one = {.known = true, .factor = 1.0};

static void begin(work *w, crank_flat_place place)
{
    char text[CRANK_FLAT_PLACE_TEXT];
    crank_text_append(w->text, "%s: ", crank_flat_print_place(w->flat, place, text));
    w->count++;
}

/* ---- symbols ---- */

static void set_symbol(work *w, crank_ex symbol, const char *unit, bool rate,
                       crank_flat_place place, const char *name)
{
    crank_unit *u = &w->unit[symbol], second;
    if (unit[0] == '\0') {
        return;
    }
    if (!crank_unit_parse(unit, u)) {
        *u = (crank_unit){0};
        if (!rate) {
            begin(w, place);
            crank_text_append(w->text, "%s: the unit \"%s\" is not known\n", name, unit);
        }
        return;
    }
    (void)crank_unit_parse("s", &second);
    *u = rate ? crank_unit_times(u, &second, -1.0) : *u;
}

static void set_symbols(work *w)
{
    const crank_flat *flat = w->flat;
    (void)crank_unit_parse("s", &w->unit[flat->t]);
    for (int i = 0; i < flat->variable_count; i++) {
        const crank_flat_variable *x = &flat->variable[i];
        set_symbol(w, x->symbol, x->unit, false, x->place, x->name);
        if (x->rate >= 0) {
            set_symbol(w, x->rate, x->unit, true, x->place, x->name);
        }
    }
    for (int i = 0; i < flat->parameter_count; i++) {
        const crank_flat_parameter *p = &flat->parameter[i];
        set_symbol(w, p->symbol, p->unit, false, p->place, p->name);
    }
}

/* ---- nodes ---- */

/* of operands that must have one unit; *fits */
static crank_unit common(const crank_unit *a, const crank_unit *b, bool *fits)
{
    *fits = !a->known || !b->known || crank_unit_same(a, b);
    return a->known ? *a : *b;
}

/* in a product: a number that is no pure factor leaves the unit open */
static crank_unit factor_of(const work *w, crank_ex e)
{
    double number = 0.0;
    if (!crank_ex_is_number(w->flat->pool, e, &number)) {
        return w->unit[e];
    }
    const int kind = crank_flat_factor_kind(number);
    return kind >= 0 && !w->flat->has_unit[kind] ? one : (crank_unit){0};
}

static crank_unit power_of(const work *w, crank_ex base, crank_ex exponent, bool *fits)
{
    const crank_unit *u = &w->unit[base], none = {0};
    double number = 0.0;
    if (crank_ex_is_number(w->flat->pool, exponent, &number)) {
        return u->known ? crank_unit_times(&one, u, number) : none;
    }
    *fits = (!u->known || crank_unit_same(u, &one)) &&
            (!w->unit[exponent].known || crank_unit_same(&w->unit[exponent], &one));
    return u->known ? one : none;
}

static crank_unit unit_of(const work *w, crank_ex e, bool *fits)
{
    const crank_pool *p = w->flat->pool;
    const crank_ex a = crank_ex_get_operand(p, e, 0), b = crank_ex_get_operand(p, e, 1),
                   c = crank_ex_get_operand(p, e, 2);
    const crank_unit none = {0};
    switch ((int)crank_ex_get_op(p, e)) {
    case CRANK_EX_NUMBER:
        return none;
    case CRANK_EX_SYMBOL:
        return w->unit[e];
    case CRANK_EX_ADD:
    case CRANK_EX_MIN:
    case CRANK_EX_MAX:
    case CRANK_EX_HYPOT:
        return common(&w->unit[a], &w->unit[b], fits);
    case CRANK_EX_NEG:
    case CRANK_EX_ABS:
        return w->unit[a];
    case CRANK_EX_MUL:
    case CRANK_EX_DIV: {
        const crank_unit x = factor_of(w, a), y = factor_of(w, b);
        return x.known && y.known
                   ? crank_unit_times(&x, &y,
                                      crank_ex_get_op(p, e) == CRANK_EX_MUL ? 1.0 : -1.0)
                   : none;
    }
    case CRANK_EX_POW:
        return power_of(w, a, b, fits);
    case CRANK_EX_SQRT:
        return w->unit[a].known ? crank_unit_times(&one, &w->unit[a], 0.5) : none;
    case CRANK_EX_CBRT:
        return w->unit[a].known ? crank_unit_times(&one, &w->unit[a], 1.0 / 3.0) : none;
    case CRANK_EX_ATAN2:
    case CRANK_EX_LT:
    case CRANK_EX_LE:
    case CRANK_EX_EQ:
    case CRANK_EX_NE:
        (void)common(&w->unit[a], &w->unit[b], fits);
        return one;
    case CRANK_EX_IF:
        return common(&w->unit[b], &w->unit[c], fits);
    case CRANK_EX_AND:
    case CRANK_EX_OR:
    case CRANK_EX_NOT:
    case CRANK_EX_SIGN:
        return one;
    case CRANK_EX_TABLE:
    case CRANK_EX_FLOOR:
    case CRANK_EX_CEIL:
        return none;
    default: /* functions of numbers */
        *fits = !w->unit[a].known || crank_unit_same(&w->unit[a], &one);
        return one;
    }
}

static void find_units(work *w, int size)
{
    const crank_pool *p = w->flat->pool;
    for (crank_ex e = 0; e < size; e++) {
        bool fits = true;
        w->unit[e] = unit_of(w, e, &fits);
        w->conflict[e] = fits ? -1 : e;
        for (int i = 0; i < 3 && w->conflict[e] != e; i++) {
            const crank_ex child = crank_ex_get_op(p, e) > CRANK_EX_SYMBOL &&
                                           crank_ex_get_op(p, e) != CRANK_EX_TABLE
                                       ? crank_ex_get_operand(p, e, i)
                                       : -1;
            if (child >= 0 && w->conflict[e] < 0) {
                w->conflict[e] = w->conflict[child];
            }
        }
        if (w->conflict[e] >= 0 && w->conflict[e] != e) {
            w->unit[e] = (crank_unit){0}; /* told below */
        }
    }
}

/* ---- warnings ---- */

static void tell_conflict(work *w, crank_ex e, crank_flat_place place)
{
    const crank_pool *p = w->flat->pool;
    const crank_ex node = e >= 0 ? w->conflict[e] : -1;
    char text[2][CRANK_UNIT_TEXT];
    if (node < 0 || w->told[node]) {
        return;
    }
    w->told[node] = true;
    const bool third = crank_ex_get_op(p, node) == CRANK_EX_IF;
    const crank_ex a = crank_ex_get_operand(p, node, third ? 1 : 0),
                   b = crank_ex_get_operand(p, node, third ? 2 : 1);
    begin(w, place);
    crank_flat_print_expression(w->flat, node, w->text);
    if (b >= 0) {
        crank_text_append(w->text, ": units %s and %s\n",
                          w->unit[a].known ? crank_unit_print(&w->unit[a], text[0]) : "1",
                          w->unit[b].known ? crank_unit_print(&w->unit[b], text[1]) : "1");
    } else {
        crank_text_append(w->text, ": the argument has the unit %s\n",
                          crank_unit_print(&w->unit[a], text[0]));
    }
}

static void check_equation(work *w, const crank_flat_equation *q)
{
    char text[2][CRANK_UNIT_TEXT];
    tell_conflict(w, q->left, q->place);
    tell_conflict(w, q->right, q->place);
    if (w->conflict[q->left] >= 0 || w->conflict[q->right] >= 0) {
        return;
    }
    const crank_unit *a = &w->unit[q->left], *b = &w->unit[q->right];
    if (a->known && b->known && !crank_unit_same(a, b)) {
        begin(w, q->place);
        crank_flat_print_expression(w->flat, q->left, w->text);
        crank_text_append(w->text, " = ");
        crank_flat_print_expression(w->flat, q->right, w->text);
        crank_text_append(w->text, ": units %s and %s\n", crank_unit_print(a, text[0]),
                          crank_unit_print(b, text[1]));
    }
}

crank_status crank_flat_check_units(crank_flat *flat, crank_text *text, int *count,
                                    crank_error *err)
{
    const int size = crank_pool_size(flat->pool);
    work w = {.flat = flat, .text = text};
    w.unit = crank_store_take(&flat->store, (size_t)size, sizeof *w.unit);
    w.conflict = crank_store_take(&flat->store, (size_t)size, sizeof *w.conflict);
    w.told = crank_store_take(&flat->store, (size_t)size, sizeof *w.told);
    if (flat->store.failed) {
        return crank_flat_status(flat, err);
    }
    set_symbols(&w);
    find_units(&w, size);
    for (int i = 0; i < flat->equation_count; i++) {
        check_equation(&w, &flat->equation[i]);
    }
    for (int i = 0; i < flat->initial_count; i++) {
        check_equation(&w, &flat->initial[i]);
    }
    for (int i = 0; i < flat->event_count; i++) {
        tell_conflict(&w, flat->event[i].when, flat->event[i].place);
        tell_conflict(&w, flat->event[i].condition, flat->event[i].place);
    }
    for (int i = 0; i < flat->update_count; i++) {
        const crank_flat_update *u = &flat->update[i];
        const crank_flat_equation q = {
            .left = flat->variable[u->variable].symbol, .right = u->value, .place = u->place};
        check_equation(&w, &q);
    }
    *count = w.count;
    return CRANK_OK;
}
