/* function.c - calls of functions that the model defines, and of records (Modelica 3.6, 12.4,
 * 12.6): the algorithm runs with expressions for values, so that a call leaves nothing but
 * expressions. What its course depends on (sizes, ranges of loops) must be known; `if` on
 * something that is not becomes if-expressions (statement.c). */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/grow.h"
#include "modelica/flatten.h"

#include <stdio.h>
#include <string.h>

crank_ex crank_mo_unset(crank_mo_flattener *f)
{
    return crank_ex_symbol(f->pool, "(no value)"); /* no name of the language has blanks */
}

bool crank_mo_is_set(crank_mo_flattener *f, const crank_mo_value *v)
{
    for (int k = 0; k < v->field_count; k++) {
        if (!crank_mo_is_set(f, &v->field[k])) {
            return false;
        }
    }
    for (int k = 0; k < v->count && v->ex != NULL; k++) {
        if (crank_ex_depends(f->pool, v->ex[k], crank_mo_unset(f))) {
            return false;
        }
    }
    return true;
}

/* a variable of a function, with the class that declares it; and what it is unless an argument
 * says else, NULL: nothing, with the class where this stands */
typedef struct variable {
    const crank_mo_element *element;
    const crank_mo_class *lexical;
    const crank_mo_expression *own;
    const crank_mo_class *own_lexical;
} variable;

typedef struct variables {
    int count, capacity;
    variable *item;
} variables;

/* `extends f(a = 2)` in c: other values of variables from number first on */
static void modify(crank_mo_flattener *f, const crank_mo_class *c,
                   const crank_mo_modification *m, const variables *list, int first)
{
    for (int i = 0; i < m->count && crank_mo_ok(f); i++) {
        const crank_mo_argument *a = m->argument[i];
        variable *x = NULL;
        for (int k = first; k < list->count; k++) {
            x = strcmp(list->item[k].element->name, a->name) == 0 ? &list->item[k] : x;
        }
        if (a->redeclared != NULL || x == NULL) {
            (void)crank_mo_fail_at(f, a->place,
                                   a->redeclared != NULL
                                       ? "redeclare \"%.60s\" of a function or record that "
                                         "extends another one: not supported in calls"
                                       : "the function or record has no \"%.60s\"",
                                   a->name);
        } else if (a->modification != NULL && a->modification->value != NULL) {
            x->own = a->modification->value;
            x->own_lexical = c;
        }
    }
}

static void collect(crank_mo_flattener *f, const crank_mo_class *c, variables *list)
{
    if (!crank_mo_go_down(f, c->place, "bases of classes")) {
        return;
    }
    for (int i = 0; i < c->element_count && crank_mo_ok(f); i++) {
        const crank_mo_element *e = c->element[i];
        crank_mo_found base;
        if (e->kind == CRANK_MO_EXTENDS) {
            const int first = list->count;
            if (crank_mo_base(f, c, e, &base) && base.class != NULL) {
                collect(f, base.class, list);
            }
            if (e->modification != NULL) {
                modify(f, c, e->modification, list, first);
            }
        } else if (e->kind == CRANK_MO_COMPONENT) {
            variable *more = crank_store_grow(f->store, list->item, list->count,
                                              &list->capacity, sizeof *list->item);
            if (more == NULL) {
                crank_mo_fail_memory(f);
                return;
            }
            list->item = more;
            list->item[list->count++] =
                (variable){e, c, e->modification != NULL ? e->modification->value : NULL, c};
        }
    }
    f->depth--;
}

/* ---- types of variables ---- */

static crank_mo_value unset_record(crank_mo_flattener *f, const crank_mo_class *c,
                                   crank_mo_place place);

/* sizes that are known; -1: from the value */
static void sizes(crank_mo_flattener *f, const crank_mo_scope *scope, int count,
                  crank_mo_expression *const *dimension, crank_mo_value *v)
{
    for (int d = 0; d < count && crank_mo_ok(f); d++) {
        int size = -1;
        if (v->rank == CRANK_MO_RANK) {
            (void)crank_mo_fail_at(f, dimension[d]->place,
                                   "an array of more than %d dimensions", CRANK_MO_RANK);
            return;
        }
        crank_mo_value literals;
        if (dimension[d]->kind != CRANK_MO_ALL &&
            crank_mo_literals(f, scope, dimension[d], &literals) &&
            literals.type == CRANK_MO_IS_ENUMERATION) {
            size = literals.count;
        } else if (dimension[d]->kind != CRANK_MO_ALL) {
            const crank_mo_value n = crank_mo_translate(f, scope, dimension[d]);
            if (crank_mo_whole(f, &n, &size, dimension[d]->place, "size of an array") &&
                size < 0) {
                (void)crank_mo_fail_at(f, dimension[d]->place, "size of an array: %d", size);
            }
        }
        v->size[v->rank++] = size;
    }
}

/* the type of a variable, without a value; sizes are looked for in scope */
static crank_mo_value type_of(crank_mo_flattener *f, const crank_mo_scope *scope,
                              const variable *x)
{
    crank_mo_value v = {0};
    crank_mo_found found;
    const crank_mo_scope outside = {.lexical = x->lexical, .around = scope->around};
    sizes(f, scope, x->element->dimension_count, x->element->dimension, &v);
    bool known = crank_mo_find_class(f, &outside, x->element->type, &found, true);
    while (known && found.class != NULL && found.class->is_short &&
           !found.class->is_enumeration) {
        const crank_mo_class *c = found.class;
        const crank_mo_scope around = {.lexical = c->parent};
        sizes(f, &around, c->dimension_count, c->dimension, &v);
        known = crank_mo_base(f, c, c->element[0], &found) && ++f->work < f->work_most;
    }
    if (!known || !crank_mo_ok(f)) {
        return v;
    }
    v.type = found.class == NULL           ? found.builtin
             : found.class->is_enumeration ? CRANK_MO_IS_ENUMERATION
                                           : CRANK_MO_IS_RECORD;
    v.of = found.class;
    if (v.type == CRANK_MO_IS_RECORD && found.class->restriction != CRANK_MO_RECORD) {
        (void)crank_mo_fail_at(f, x->element->place,
                               "\"%.60s\": a variable of a function that is no number, truth "
                               "value, text or record",
                               x->element->name);
    }
    return v;
}

/* room for entries without values */
static crank_mo_value make_unset(crank_mo_flattener *f, const crank_mo_value *type,
                                 crank_mo_place place)
{
    crank_mo_value v = *type;
    for (int d = 0; d < v.rank; d++) {
        if (v.size[d] < 0) {
            (void)crank_mo_fail_at(f, place, "an array whose size is not known");
            return v;
        }
    }
    if (v.type == CRANK_MO_IS_RECORD) {
        crank_mo_value one = unset_record(f, v.of, place);
        int count = 1;
        for (int d = 0; d < v.rank; d++) {
            count *= v.size[d] < CRANK_MO_ENTRIES / count ? v.size[d] : 0;
        }
        crank_mo_value *list = crank_mo_new(f, (size_t)count, sizeof *list);
        for (int k = 0; k < count && crank_mo_ok(f); k++) {
            list[k] = one;
        }
        return v.rank == 0 || !crank_mo_ok(f) ? one
                                              : crank_mo_stack(f, v.rank, v.size, list, place);
    }
    if (v.type != CRANK_MO_IS_STRING && crank_mo_value_take(f, &v, place)) {
        const crank_ex unset = crank_mo_unset(f);
        for (int k = 0; k < v.count; k++) {
            v.ex[k] = unset;
        }
    }
    return v;
}

static crank_mo_value unset_record(crank_mo_flattener *f, const crank_mo_class *c,
                                   crank_mo_place place)
{
    variables list = {0};
    const crank_mo_scope scope = {.lexical = c};
    crank_mo_value v = {.type = CRANK_MO_IS_RECORD, .of = c, .count = 1};
    if (!crank_mo_go_down(f, place, "records in records")) {
        return v;
    }
    collect(f, c, &list);
    v.field_name = crank_mo_new(f, (size_t)list.count, sizeof *v.field_name);
    v.field = crank_mo_new(f, (size_t)list.count, sizeof *v.field);
    for (int i = 0; i < list.count && crank_mo_ok(f); i++) {
        if (list.item[i].element->variability != CRANK_MO_CONSTANT) {
            const crank_mo_value type = type_of(f, &scope, &list.item[i]);
            v.field_name[v.field_count] = list.item[i].element->name;
            v.field[v.field_count++] = make_unset(f, &type, place);
        }
    }
    f->depth--;
    return v;
}

/* a value for a variable of this type */
static void fit(crank_mo_flattener *f, const crank_mo_value *type, crank_mo_value *v,
                const variable *x, crank_mo_place place)
{
    char have[80], want[80], what[100];
    (void)snprintf(what, sizeof what, "\"%.60s\"", x->element->name);
    if (!crank_mo_convert(f, v, type->type, type->of, place, what)) {
        return;
    }
    bool fits = v->rank == type->rank;
    for (int d = 0; d < v->rank && fits; d++) {
        fits = type->size[d] < 0 || type->size[d] == v->size[d];
    }
    if (!fits) {
        (void)crank_mo_fail_at(f, place, "%s: %s where %s is expected", what,
                               crank_mo_describe(v, have, sizeof have),
                               crank_mo_describe(type, want, sizeof want));
    }
}

/* ---- arguments ---- */

/* the argument for input number k, called name; NULL: not given */
static const crank_mo_expression *given(const crank_mo_expression *e, int k, const char *name)
{
    for (int i = 0; i < e->count; i++) {
        if (e->name[i] == NULL ? i == k : strcmp(e->name[i], name) == 0) {
            return e->item[i];
        }
    }
    return NULL;
}

/* What is public is handed in or out. */
static void check_variables(crank_mo_flattener *f, const crank_mo_class *c,
                            const variables *list, bool record)
{
    for (int k = 0; k < list->count && !record && crank_mo_ok(f); k++) {
        const crank_mo_element *x = list->item[k].element;
        if (!x->hidden && x->causality == CRANK_MO_LOCAL &&
            x->variability > CRANK_MO_PARAMETER) {
            (void)crank_mo_fail_at(f, x->place,
                                   "\"%.60s\" of function %.60s is neither input nor output: "
                                   "write it behind `protected`",
                                   x->name, c->name);
        }
    }
}

static void check_names(crank_mo_flattener *f, const crank_mo_expression *e,
                        const variables *list, bool record)
{
    int inputs = 0;
    for (int k = 0; k < list->count; k++) {
        inputs += record || list->item[k].element->causality == CRANK_MO_INPUT ? 1 : 0;
    }
    for (int i = 0; i < e->count && crank_mo_ok(f); i++) {
        bool found = e->name[i] == NULL && i < inputs;
        int input = 0; /* how many stand before it */
        for (int k = 0; k < list->count && e->name[i] != NULL && !found; k++) {
            found = strcmp(list->item[k].element->name, e->name[i]) == 0;
            input += record || list->item[k].element->causality == CRANK_MO_INPUT ? 1 : 0;
        }
        for (int j = 0; j < i && e->name[i] != NULL && found; j++) {
            if (e->name[j] != NULL ? strcmp(e->name[j], e->name[i]) == 0 : j == input - 1) {
                (void)crank_mo_fail_at(f, e->item[i]->place, "\"%.60s\" is given twice",
                                       e->name[i]);
            }
        }
        if (!found && e->name[i] != NULL) {
            (void)crank_mo_fail_at(f, e->item[i]->place, "%.60s has no input \"%.60s\"",
                                   e->reference->name[e->reference->count - 1], e->name[i]);
        } else if (!found) {
            (void)crank_mo_fail_at(f, e->place, "%.60s has %d inputs, not %d",
                                   e->reference->name[e->reference->count - 1], inputs,
                                   e->count);
        }
    }
}

/* the newest first; sizes of a variable may use those before it */
static void add_local(crank_mo_flattener *f, crank_mo_scope *inside, const char *name,
                      const crank_mo_value *value, bool set)
{
    crank_mo_local *l = crank_mo_new(f, 1, sizeof *l);
    if (l != NULL) {
        *l = (crank_mo_local){.name = name, .value = *value, .set = set, .next = inside->local};
        inside->local = l;
    }
}

/* Is a variable that has no value yet named in e? They may be declared in any order. */
static bool waits(const crank_mo_expression *e, const variables *list, const bool *bound, int k)
{
    const crank_mo_reference *r = e != NULL ? e->reference : NULL;
    for (int j = 0; r != NULL && e->kind == CRANK_MO_NAME && j < list->count; j++) {
        if (!bound[j] && j != k && strcmp(r->name[0], list->item[j].element->name) == 0) {
            return true;
        }
    }
    for (int i = 0; r != NULL && i < r->count; i++) {
        for (int d = 0; d < r->subscript_count[i]; d++) {
            if (waits(r->subscript[i][d], list, bound, k)) {
                return true;
            }
        }
    }
    for (int i = 0; e != NULL && i < e->count; i++) {
        if (waits(e->item[i], list, bound, k)) {
            return true;
        }
    }
    return false;
}

/* The next variable whose value and sizes need no other one that is still to come; of a circle
 * the first. */
static int next_variable(const variables *list, const bool *bound)
{
    int first = -1;
    for (int k = list->count - 1; k >= 0; k--) {
        first = bound[k] ? first : k;
    }
    for (int k = 0; k < list->count; k++) {
        const variable *x = &list->item[k];
        bool free = !bound[k] && !waits(x->own, list, bound, k);
        for (int d = 0; d < x->element->dimension_count && free; d++) {
            free = !waits(x->element->dimension[d], list, bound, k);
        }
        if (free) {
            return k;
        }
    }
    return first;
}

/* One variable gets its argument `from`, or what is declared; false: an argument has more
 * dimensions than it, which *each tells. */
static bool bind_one(crank_mo_flattener *f, const crank_mo_scope *scope,
                     const crank_mo_expression *from, const variable *x, crank_mo_scope *inside,
                     bool *each)
{
    crank_mo_scope there = *inside;
    there.lexical = x->own_lexical == x->lexical ? there.lexical : x->own_lexical;
    crank_mo_value v = {0};
    if (from != NULL) {
        v = crank_mo_translate(f, scope, from);
    } else if (x->own != NULL) {
        v = crank_mo_translate(f, &there, x->own);
    }
    const crank_mo_value type = type_of(f, inside, x);
    if (from != NULL && each != NULL && v.rank > type.rank && crank_mo_ok(f)) {
        *each = true;
        return false;
    }
    if (from != NULL || x->own != NULL) {
        fit(f, &type, &v, x, from != NULL ? from->place : x->own->place);
    } else if (crank_mo_ok(f)) {
        v = make_unset(f, &type, x->element->place);
    }
    add_local(f, inside, x->element->name, &v, v.type != CRANK_MO_IS_STRING || v.text != NULL);
    return true;
}

/* inputs get their arguments, or what is declared; the others what is declared. *each: an
 * argument has more dimensions than its input; NULL: that is an error. */
static void bind(crank_mo_flattener *f, const crank_mo_scope *scope,
                 const crank_mo_expression *e, const variables *list, bool record,
                 crank_mo_scope *inside, bool *each)
{
    int input = 0;
    bool *bound = crank_mo_new(f, (size_t)list->count + 1, sizeof *bound);
    if (bound == NULL) {
        return;
    }
    for (int k = 0; k < list->count && crank_mo_ok(f); k++) { /* inputs first */
        const variable *x = &list->item[k];
        bound[k] = record ? x->element->variability != CRANK_MO_CONSTANT
                          : x->element->causality == CRANK_MO_INPUT;
        if (!bound[k]) {
            continue;
        }
        const crank_mo_expression *from = given(e, input++, x->element->name);
        if (from == NULL && x->own == NULL) {
            (void)crank_mo_fail_at(f, e->place, "%.60s: the input \"%.60s\" is not given",
                                   e->reference->name[e->reference->count - 1],
                                   x->element->name);
            return;
        }
        if (!bind_one(f, scope, from, x, inside, each)) {
            return;
        }
        if (inside->local != NULL) {
            inside->local->input = !record;
        }
    }
    for (int k = next_variable(list, bound); k >= 0 && crank_mo_ok(f);
         k = next_variable(list, bound)) {
        (void)bind_one(f, scope, NULL, &list->item[k], inside, NULL);
        bound[k] = true;
    }
}

static crank_mo_local *local_of(crank_mo_scope *scope, const char *name)
{
    for (crank_mo_local *l = scope->local; l != NULL; l = l->next) {
        if (strcmp(l->name, name) == 0) {
            return l;
        }
    }
    return NULL;
}

/* ---- results ---- */

static crank_mo_value *results(crank_mo_flattener *f, crank_mo_scope *inside,
                               const variables *list, crank_mo_place place, int *count)
{
    crank_mo_value *out = crank_mo_new(f, (size_t)list->count, sizeof *out);
    *count = 0;
    for (int k = 0; k < list->count && crank_mo_ok(f); k++) {
        const crank_mo_element *e = list->item[k].element;
        if (e->causality != CRANK_MO_OUTPUT) {
            continue;
        }
        const crank_mo_local *l = local_of(inside, e->name);
        if (l == NULL || !l->set || !crank_mo_is_set(f, &l->value)) {
            (void)crank_mo_fail_at(f, place, "the output \"%.60s\" gets no value", e->name);
            return NULL;
        }
        out[(*count)++] = l->value;
    }
    return out;
}

static crank_mo_value *construct(crank_mo_flattener *f, crank_mo_scope *inside,
                                 const crank_mo_class *c, const variables *list)
{
    crank_mo_value *v = crank_mo_new(f, 1, sizeof *v);
    if (v == NULL) {
        return NULL;
    }
    *v = (crank_mo_value){.type = CRANK_MO_IS_RECORD, .of = c, .count = 1};
    v->field_name = crank_mo_new(f, (size_t)list->count, sizeof *v->field_name);
    v->field = crank_mo_new(f, (size_t)list->count, sizeof *v->field);
    for (int k = 0; k < list->count && crank_mo_ok(f); k++) {
        const crank_mo_element *e = list->item[k].element;
        const crank_mo_local *l = local_of(inside, e->name);
        if (e->variability != CRANK_MO_CONSTANT && l != NULL) {
            v->field_name[v->field_count] = e->name;
            v->field[v->field_count++] = l->value;
        }
    }
    return v;
}

static void run_sections(crank_mo_flattener *f, crank_mo_scope *inside, const crank_mo_class *c)
{
    int sections = 0;
    for (int i = 0; i < c->element_count && crank_mo_ok(f); i++) { /* the base's comes first */
        crank_mo_found base;
        if (c->element[i]->kind == CRANK_MO_EXTENDS && c->section_count == 0 &&
            crank_mo_base(f, c, c->element[i], &base) && base.class != NULL) {
            crank_mo_scope in_base = *inside;
            in_base.lexical = base.class;
            run_sections(f, &in_base, base.class);
        }
    }
    for (int i = 0; i < c->section_count && crank_mo_ok(f); i++, sections++) {
        (void)crank_mo_run(f, inside, &c->section[i].body);
    }
}

/* dimensions of a variable, those of its type with it */
static int rank_of(crank_mo_flattener *f, const variable *x)
{
    const crank_mo_scope outside = {.lexical = x->lexical};
    crank_mo_found found;
    int rank = x->element->dimension_count;
    bool known = crank_mo_find_class(f, &outside, x->element->type, &found, false);
    while (known && found.class != NULL && found.class->is_short &&
           !found.class->is_enumeration) {
        const crank_mo_class *c = found.class;
        rank += c->dimension_count;
        known = crank_mo_base(f, c, c->element[0], &found) && ++f->work < f->work_most;
    }
    return rank;
}

int *crank_mo_input_ranks(crank_mo_flattener *f, const crank_mo_expression *e,
                          const crank_mo_class *c)
{
    variables list = {0};
    int *ranks = crank_mo_new(f, (size_t)e->count, sizeof *ranks);
    if (ranks == NULL || c->restriction != CRANK_MO_FUNCTION || c->external != NULL) {
        return NULL;
    }
    collect(f, c, &list);
    for (int i = 0; i < e->count && crank_mo_ok(f); i++) {
        int input = 0;
        ranks[i] = -1;
        for (int k = 0; k < list.count; k++) {
            const crank_mo_element *x = list.item[k].element;
            const bool in = x->causality == CRANK_MO_INPUT;
            if (in && (e->name[i] != NULL ? strcmp(e->name[i], x->name) == 0 : input == i)) {
                ranks[i] = rank_of(f, &list.item[k]);
            }
            input += in ? 1 : 0;
        }
    }
    return crank_mo_ok(f) ? ranks : NULL;
}

/* The component in whose class a function stands, for its constants and redeclared functions;
 * NULL: none. */
static crank_mo_instance *component_of(crank_mo_flattener *f, const crank_mo_scope *scope,
                                       const crank_mo_expression *e, const crank_mo_class *c)
{
    crank_mo_instance *at = scope->instance != NULL ? scope->instance : scope->around;
    for (int i = 0; i + 1 < e->reference->count && at != NULL && !e->reference->global; i++) {
        crank_mo_instance *next = crank_mo_child(f, at, e->reference->name[i]);
        if (next == NULL || next->class == NULL || next->rank > 0) {
            break;
        }
        at = next;
    }
    while (at != NULL && (c->parent == NULL || !crank_mo_has_part(at, c->parent))) {
        at = at->parent;
    }
    return at;
}

crank_mo_value *crank_mo_call_function(crank_mo_flattener *f, const crank_mo_scope *scope,
                                       const crank_mo_expression *e, const crank_mo_class *c,
                                       int *count)
{
    const bool record = c->restriction == CRANK_MO_RECORD;
    variables list = {0};
    crank_mo_scope inside = {.lexical = c, .around = component_of(f, scope, e, c)};
    crank_mo_value *out = NULL;
    *count = 0;
    if (!record && c->restriction != CRANK_MO_FUNCTION) {
        (void)crank_mo_fail_at(f, e->place, "%.80s is no function", c->name);
    } else if (c->external != NULL) {
        (void)crank_mo_fail_at(f, e->place, "%.60s: an external function: not supported",
                               c->name);
    } else if (c->partial) {
        (void)crank_mo_fail_at(f, e->place, "%.60s is partial", c->name);
    }
    const bool equations = f->in_equations, may = f->each == CRANK_MO_EACH_MAY_BE && !record;
    const int last = f->last;
    bool each = false;
    f->each = CRANK_MO_EACH_NOT;
    f->in_equations = f->in_equations && record; /* functions make no events */
    f->last = 0;
    if (crank_mo_ok(f) && crank_mo_go_down(f, e->place, "calls in calls")) {
        collect(f, c, &list);
        check_variables(f, c, &list, record);
        check_names(f, e, &list, record);
        f->in_equations = equations; /* arguments do */
        bind(f, scope, e, &list, record, &inside, may ? &each : NULL);
        f->in_equations = false;
        if (each) {
            out = NULL;
        } else if (crank_mo_ok(f) && record) {
            out = construct(f, &inside, c, &list);
            *count = 1;
        } else if (crank_mo_ok(f)) {
            const int exits = f->exit_count;
            const crank_ex guard = f->guard;
            run_sections(f, &inside, c);
            crank_mo_arrive(f, &inside, exits, CRANK_MO_RETURNS);
            f->guard = guard;
            out = crank_mo_ok(f) ? results(f, &inside, &list, e->place, count) : NULL;
        }
        f->depth--;
    }
    f->in_equations = equations;
    f->last = last;
    f->each = each ? CRANK_MO_EACH_IS : CRANK_MO_EACH_NOT;
    return out;
}
