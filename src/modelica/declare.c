/* declare.c - variables and parameters of the flat record, with their attributes (Modelica 3.6,
 * 4.8), in the order of declarations. */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include "base/blame.h"

#include <stdio.h>
#include <string.h>

static const char *const attributes[] = {"start",       "fixed",    "unit", "displayUnit",
                                         "quantity",    "min",      "max",  "nominal",
                                         "stateSelect", "unbounded"};

static void check_attributes(crank_mo_flattener *f, const crank_mo_instance *i)
{
    for (const crank_mo_environment *e = i->environment; e != NULL && crank_mo_ok(f);
         e = e->next) {
        for (int k = 0; k < e->modification->count && crank_mo_ok(f); k++) {
            const crank_mo_argument *a = e->modification->argument[k];
            bool known = a->redeclared == NULL;
            if (known) {
                known = false;
                for (size_t j = 0; j < sizeof attributes / sizeof *attributes; j++) {
                    known = known || strcmp(attributes[j], a->name) == 0;
                }
            }
            if (!known) {
                (void)crank_mo_fail_at(f, a->place, "\"%.60s\" has no attribute \"%.60s\"",
                                       i->name, a->name);
            }
        }
    }
}

/* the value of an attribute; false: not given */
static bool attribute(crank_mo_flattener *f, const crank_mo_instance *i, const char *name,
                      crank_mo_value *out, crank_mo_place *place)
{
    const crank_mo_environment *given =
        crank_mo_given(crank_mo_environment_of(f, i->environment, name));
    if (given == NULL || !crank_mo_ok(f)) {
        return false;
    }
    *place = given->modification->value->place;
    *out = crank_mo_given_value(f, given);
    return crank_mo_ok(f);
}

/* numbers by entry: start, min, ... of parameters; a scalar is for all entries */
static bool numbers(crank_mo_flattener *f, const crank_mo_instance *i, const char *name,
                    crank_mo_value *out)
{
    crank_mo_place place;
    if (!attribute(f, i, name, out, &place)) {
        return false;
    }
    const bool fits = out->rank == 0 || (out->rank == i->rank && out->count == i->count);
    const bool typed = out->type == i->type ||
                       (out->type == CRANK_MO_IS_INTEGER && i->type == CRANK_MO_IS_REAL);
    if (!fits || !typed || out->ex == NULL) {
        char text[80];
        (void)crank_mo_fail_at(f, place, "\"%.60s\", %s: %s does not fit", i->name, name,
                               crank_mo_describe(out, text, sizeof text));
        return false;
    }
    for (int k = 0; k < out->count; k++) {
        if (!crank_mo_is_parametric(f, out->ex[k])) {
            (void)crank_mo_fail_at(f, place,
                                   "\"%.60s\", %s: not an expression of constants and "
                                   "parameters",
                                   i->name, name);
            return false;
        }
    }
    return crank_mo_ok(f);
}

static crank_ex entry_of(const crank_mo_value *v, bool given, int k)
{
    return given ? v->ex[v->rank > 0 ? k : 0] : -1;
}

static const char *text_of(crank_mo_flattener *f, const crank_mo_instance *i, const char *name)
{
    crank_mo_value v;
    crank_mo_place place;
    if (!attribute(f, i, name, &v, &place)) {
        return "";
    }
    if (v.type != CRANK_MO_IS_STRING) {
        (void)crank_mo_fail_at(f, place, "\"%.60s\", %s: a text is expected", i->name, name);
        return "";
    }
    return v.text;
}

/* fixed: false and true by entry, known now */
static void read_fixed(crank_mo_flattener *f, const crank_mo_instance *i, int first)
{
    crank_mo_value v;
    crank_mo_place place;
    if (!attribute(f, i, "fixed", &v, &place)) {
        return;
    }
    for (int k = 0; k < i->count && crank_mo_ok(f); k++) {
        double number = 0.0;
        const bool fits = v.type == CRANK_MO_IS_BOOLEAN && (v.rank == 0 || v.count == i->count);
        if (!fits || !crank_mo_is_parametric(f, v.ex[v.rank > 0 ? k : 0]) ||
            !crank_mo_number_of(f, v.ex[v.rank > 0 ? k : 0], &number)) {
            if (crank_mo_ok(f)) {
                (void)crank_mo_fail_at(f, place, "\"%.60s\", fixed: true or false is expected",
                                       i->name);
            }
            return;
        }
        if (i->variability == CRANK_MO_PARAMETER) {
            if (number == 0.0) {
                (void)crank_mo_fail_at(f, place,
                                       "\"%.60s\": a parameter with fixed = false, found by "
                                       "initial equations: not supported",
                                       i->name);
            }
        } else {
            f->flat->variable[first + k].fixed = number != 0.0;
        }
    }
}

/* attributes that change no number: they are read and checked */
static void check_others(crank_mo_flattener *f, const crank_mo_instance *i)
{
    crank_mo_value v;
    crank_mo_place place;
    (void)text_of(f, i, "quantity");
    (void)text_of(f, i, "displayUnit");
    if (attribute(f, i, "stateSelect", &v, &place) && v.type != CRANK_MO_IS_ENUMERATION) {
        (void)crank_mo_fail_at(f, place,
                               "\"%.60s\", stateSelect: StateSelect.prefer or another "
                               "literal is expected",
                               i->name);
    }
    if (attribute(f, i, "unbounded", &v, &place) && v.type != CRANK_MO_IS_BOOLEAN) {
        (void)crank_mo_fail_at(f, place, "\"%.60s\", unbounded: true or false is expected",
                               i->name);
    }
}

static crank_flat_type type_of(const crank_mo_instance *i)
{
    return i->type == CRANK_MO_IS_REAL      ? CRANK_FLAT_REAL
           : i->type == CRANK_MO_IS_INTEGER ? CRANK_FLAT_INTEGER
           : i->type == CRANK_MO_IS_BOOLEAN ? CRANK_FLAT_BOOLEAN
                                            : CRANK_FLAT_ENUMERATION;
}

/* --set x=1 and --set x.start=1 */
static void set_start(crank_mo_flattener *f, crank_flat_variable *x)
{
    const size_t length = strlen(x->name);
    for (int k = 0; k < f->options->setting_count && crank_mo_ok(f); k++) {
        const crank_mo_setting *s = &f->options->setting[k];
        crank_mo_expression *e = NULL;
        crank_error err = {0};
        if (strncmp(s->name, x->name, length) != 0 ||
            (s->name[length] != '\0' && strcmp(s->name + length, ".start") != 0)) {
            continue;
        }
        f->setting_used[k] = true;
        const crank_mo_scope scope = {.instance = f->root, .lexical = f->root->class};
        crank_status status = crank_mo_parse_expression(s->value, f->store, &e, &err);
        if (status == CRANK_OK) {
            crank_error *whole = f->err;
            f->err = &err;
            const crank_mo_value v = crank_mo_translate(f, &scope, e);
            status = f->status;
            if (status == CRANK_OK &&
                (v.rank > 0 || v.ex == NULL || !crank_mo_is_parametric(f, v.ex[0]))) {
                status = crank_fail(&err, CRANK_EMODEL, "not a number");
            }
            f->err = whole;
            x->start = status == CRANK_OK ? v.ex[0] : x->start;
        }
        if (status != CRANK_OK) {
            f->status = crank_blame_caller(f->err, crank_fail(f->err, CRANK_EMODEL,
                                                              "setting \"%.80s\": %.200s",
                                                              s->name, err.text));
        }
    }
}

static crank_flat_place place_of(const crank_mo_instance *i)
{
    return (crank_flat_place){i->place.line, i->place.column};
}

static void declare_variables(crank_mo_flattener *f, crank_mo_instance *i)
{
    crank_mo_value start, min, max, nominal;
    const bool has_start = numbers(f, i, "start", &start), has_min = numbers(f, i, "min", &min),
               has_max = numbers(f, i, "max", &max),
               has_nominal = numbers(f, i, "nominal", &nominal);
    const char *unit = text_of(f, i, "unit");
    i->first = f->flat->variable_count;
    for (int k = 0; k < i->count && crank_mo_ok(f); k++) {
        const int number =
            crank_flat_add_variable(f->flat, crank_ex_symbol_name(f->pool, i->symbol[k]));
        if (number < 0) {
            crank_mo_fail_memory(f);
            return;
        }
        crank_flat_variable *x = &f->flat->variable[number];
        x->place = place_of(i);
        x->type = type_of(i);
        x->role =
            i->variability == CRANK_MO_DISCRETE ? CRANK_FLAT_DISCRETE : CRANK_FLAT_UNKNOWN;
        x->start = entry_of(&start, has_start, k);
        x->min = entry_of(&min, has_min, k);
        x->max = entry_of(&max, has_max, k);
        x->nominal = entry_of(&nominal, has_nominal, k);
        x->unit = unit;
        x->text = i->element->comment != NULL ? i->element->comment : "";
        set_start(f, x);
    }
    if (crank_mo_ok(f)) {
        read_fixed(f, i, i->first);
    }
}

/* min and max of a parameter hold for its number */
static void check_range(crank_mo_flattener *f, crank_mo_instance *i)
{
    static const char *const names[] = {"min", "max"};
    for (int side = 0; side < 2; side++) {
        crank_mo_value bound;
        if (!numbers(f, i, names[side], &bound)) {
            continue;
        }
        for (int k = 0; k < i->count && crank_mo_ok(f); k++) {
            double limit = 0.0, number = 0.0;
            if (crank_mo_number_of(f, entry_of(&bound, true, k), &limit) &&
                crank_mo_number_of(f, i->symbol[k], &number) &&
                (side == 0 ? number < limit : number > limit)) {
                (void)crank_mo_fail_at(f, i->place, "parameter \"%.60s\" is %g, its %s is %g",
                                       crank_ex_symbol_name(f->pool, i->symbol[k]), number,
                                       names[side], limit);
            }
        }
    }
}

static void declare_parameters(crank_mo_flattener *f, crank_mo_instance *i)
{
    crank_mo_value v;
    const char *unit = text_of(f, i, "unit");
    if (!crank_mo_declared_value(f, i, &v)) {
        if (crank_mo_ok(f)) {
            (void)crank_mo_fail_at(f, i->place,
                                   "parameter \"%.80s\" has no value; give one in its "
                                   "declaration, a modification or a setting",
                                   i->name);
        }
        return;
    }
    if (i->symbol == NULL) { /* a text */
        return;
    }
    i->first = f->flat->parameter_count;
    for (int k = 0; k < i->count && crank_mo_ok(f); k++) {
        if (!crank_mo_is_parametric(f, v.ex[k])) {
            (void)crank_mo_fail_at(
                f, i->place, "parameter \"%.80s\": its value depends on a variable", i->name);
            return;
        }
        const int number =
            crank_flat_add_parameter(f->flat, crank_ex_symbol_name(f->pool, i->symbol[k]));
        if (number < 0) {
            crank_mo_fail_memory(f);
            return;
        }
        crank_flat_parameter *p = &f->flat->parameter[number];
        p->place = place_of(i);
        p->type = type_of(i);
        p->value = v.ex[k];
        p->unit = unit;
        p->text = i->element->comment != NULL ? i->element->comment : "";
    }
    read_fixed(f, i, -1);
}

void crank_mo_declare(crank_mo_flattener *f, crank_mo_instance *i)
{
    if (!crank_mo_elaborate(f, i) || i->absent || i->inner != NULL) {
        return;
    }
    if (i->class == NULL) {
        check_attributes(f, i);
        check_others(f, i);
        if (i->variability == CRANK_MO_PARAMETER && !crank_mo_follows(f, i)) {
            declare_parameters(f, i);
        } else if (i->variability > CRANK_MO_PARAMETER) {
            declare_variables(f, i);
        } else {
            (void)crank_mo_leaf_value(f, i);
        }
        if (crank_mo_ok(f) && i->variability == CRANK_MO_PARAMETER && i->symbol != NULL) {
            const bool structural = i->structural;
            check_range(f, i);
            i->structural = structural;
        }
        return;
    }
    if (!crank_mo_go_down(f, i->place, "components in components")) {
        return;
    }
    for (int k = 0; k < i->count && i->rank > 0 && crank_mo_ok(f); k++) {
        crank_mo_declare(f, i->item[k]);
    }
    for (int k = 0; k < i->child_count && crank_mo_ok(f); k++) {
        crank_mo_declare(f, i->child[k]);
    }
    f->depth--;
}
