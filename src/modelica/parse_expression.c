/* parse_expression.c - expressions, references, subscripts (Modelica 3.6, A.2.7). */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/grow.h"
#include "modelica/parser.h"

#include <string.h>

static void no_memory(crank_mo_parser *p)
{
    if (p->status == CRANK_OK) {
        p->status = crank_fail(p->err, CRANK_EMEM, "reading the file");
    }
}

/* ---- nodes ---- */

static crank_mo_expression *make(crank_mo_parser *p, crank_mo_expression_kind kind,
                                 crank_mo_place place)
{
    crank_mo_expression *e = crank_mo_make(p, sizeof *e);
    if (e != NULL) {
        e->kind = kind;
        e->place = place;
    }
    return e;
}

/* of up to three operands, of which the last ones may be NULL */
static crank_mo_expression *make_of(crank_mo_parser *p, crank_mo_expression_kind kind,
                                    crank_mo_place place, const char *text,
                                    crank_mo_expression *a, crank_mo_expression *b,
                                    crank_mo_expression *c)
{
    crank_mo_expression *e = make(p, kind, place);
    crank_mo_expression **item = crank_store_take(p->store, 3, sizeof(crank_mo_expression *));
    if (e == NULL || item == NULL) {
        no_memory(p);
        return NULL;
    }
    item[0] = a;
    item[1] = b;
    item[2] = c;
    e->text = text;
    e->item = item;
    e->count = c != NULL ? 3 : b != NULL ? 2 : 1;
    return p->status == CRANK_OK ? e : NULL;
}

/* ---- references ---- */

typedef struct parts {
    int count, capacity[3];
    const char **name;
    int *subscript_count;
    crank_mo_expression ***subscript;
} parts;

static void add_part(crank_mo_parser *p, parts *l, const char *name, int subscripts,
                     crank_mo_expression **subscript)
{
    int count = l->count;
    int *more = crank_store_grow(p->store, l->subscript_count, count, &l->capacity[0],
                                 sizeof *l->subscript_count);
    if (more == NULL) {
        no_memory(p);
        return;
    }
    l->subscript_count = more;
    l->subscript_count[count] = subscripts;
    (void)crank_mo_append(p, &l->name, &count, &l->capacity[1], name);
    count = l->count;
    (void)crank_mo_append(p, &l->subscript, &count, &l->capacity[2], subscript);
    l->count++;
}

static crank_mo_reference *reference(crank_mo_parser *p, bool with_subscripts)
{
    parts l = {0};
    crank_mo_reference *r = crank_mo_make(p, sizeof *r);
    if (r == NULL) {
        return NULL;
    }
    r->place = crank_mo_peek(p, 0)->place;
    r->global = crank_mo_accept(p, ".");
    do {
        int count = 0;
        const char *name = crank_mo_expect_name(p, "a name");
        crank_mo_expression **subscript = NULL;
        if (with_subscripts && crank_mo_is(p, "[")) {
            subscript = crank_mo_subscripts(p, &count);
        }
        add_part(p, &l, name, count, subscript);
    } while (p->status == CRANK_OK && crank_mo_is(p, ".") &&
             crank_mo_peek(p, 1)->kind == CRANK_MO_IDENT && crank_mo_accept(p, "."));
    r->count = l.count;
    r->name = l.name;
    r->subscript_count = l.subscript_count;
    r->subscript = l.subscript;
    return p->status == CRANK_OK ? r : NULL;
}

crank_mo_reference *crank_mo_type_name(crank_mo_parser *p)
{
    return reference(p, false);
}

crank_mo_reference *crank_mo_component_reference(crank_mo_parser *p)
{
    return reference(p, true);
}

crank_mo_expression **crank_mo_subscripts(crank_mo_parser *p, int *count)
{
    crank_mo_expression **list = NULL;
    int capacity = 0;
    *count = 0;
    if (!crank_mo_expect(p, "[", "") || !crank_mo_enter(p)) {
        return NULL;
    }
    do {
        const crank_mo_place place = crank_mo_peek(p, 0)->place;
        crank_mo_expression *item = NULL;
        if (crank_mo_is(p, ":") &&
            (crank_mo_next_is(p, 1, ",") || crank_mo_next_is(p, 1, "]"))) {
            (void)crank_mo_accept(p, ":");
            item = make(p, CRANK_MO_ALL, place);
        } else {
            item = crank_mo_expression_of(p);
        }
        (void)crank_mo_append(p, &list, count, &capacity, item);
    } while (p->status == CRANK_OK && crank_mo_accept(p, ","));
    (void)crank_mo_expect(p, "]", "behind subscripts");
    crank_mo_leave(p);
    return list;
}

/* ---- arguments and lists ---- */

/* item for i in range, ...: e becomes the item, then the ranges; names */
static void add_iterators(crank_mo_parser *p, crank_mo_expression *e, crank_mo_expression *item)
{
    int count = 0, capacity = 0, items = 0;
    const char **names = NULL;
    crank_mo_expression **in = NULL, **list = NULL;
    crank_mo_iterators(p, &count, &names, &in);
    (void)crank_mo_append(p, &list, &items, &capacity, item);
    for (int i = 0; i < count && p->status == CRANK_OK; i++) {
        if (in[i] == NULL) {
            crank_mo_refuse(p, e->place, "an iterator whose range follows from subscripts");
        }
        (void)crank_mo_append(p, &list, &items, &capacity, in[i]);
    }
    e->kind = CRANK_MO_EACH;
    e->count = items;
    e->item = list;
    e->name = names;
}

/* (a, b, c = d) of a call, or one argument with iterators */
static void arguments(crank_mo_parser *p, crank_mo_expression *e)
{
    int capacity = 0, names = 0, names_capacity = 0;
    if (!crank_mo_expect(p, "(", "") || !crank_mo_enter(p)) {
        return;
    }
    while (p->status == CRANK_OK && !crank_mo_is(p, ")")) {
        const char *name = NULL;
        if (crank_mo_peek(p, 0)->kind == CRANK_MO_IDENT && crank_mo_next_is(p, 1, "=")) {
            name = crank_mo_expect_name(p, "a name");
            (void)crank_mo_accept(p, "=");
        } else if (names > 0 && e->name[names - 1] != NULL) {
            crank_mo_fail(p, "a named argument, name = value, behind another one");
        }
        if (crank_mo_is(p, "function")) {
            crank_mo_refuse(p, crank_mo_peek(p, 0)->place, "a function as an argument");
        }
        crank_mo_expression *item = crank_mo_expression_of(p);
        if (crank_mo_is(p, "for") && e->count == 0 && item != NULL && name == NULL) {
            crank_mo_expression *each = make(p, CRANK_MO_EACH, item->place);
            (void)crank_mo_accept(p, "for");
            if (each != NULL) {
                add_iterators(p, each, item);
                each->text = e->reference != NULL ? e->reference->name[0] : NULL;
            }
            item = each;
        }
        (void)crank_mo_append(p, &e->item, &e->count, &capacity, item);
        (void)crank_mo_append(p, &e->name, &names, &names_capacity, name);
        if (!crank_mo_accept(p, ",")) {
            break;
        }
    }
    (void)crank_mo_expect(p, ")", "behind arguments");
    crank_mo_leave(p);
}

static crank_mo_expression *braces(crank_mo_parser *p)
{
    int capacity = 0;
    crank_mo_expression *e = make(p, CRANK_MO_ARRAY, crank_mo_peek(p, 0)->place);
    (void)crank_mo_accept(p, "{");
    if (e == NULL || !crank_mo_enter(p)) {
        return NULL;
    }
    do {
        (void)crank_mo_append(p, &e->item, &e->count, &capacity, crank_mo_expression_of(p));
    } while (p->status == CRANK_OK && crank_mo_accept(p, ","));
    if (e->count == 1 && crank_mo_accept(p, "for")) {
        add_iterators(p, e, e->item[0]);
    }
    (void)crank_mo_expect(p, "}", "behind the elements of an array");
    crank_mo_leave(p);
    return p->status == CRANK_OK ? e : NULL;
}

static crank_mo_expression *brackets(crank_mo_parser *p)
{
    int capacity = 0;
    crank_mo_expression *e = make(p, CRANK_MO_MATRIX, crank_mo_peek(p, 0)->place);
    (void)crank_mo_accept(p, "[");
    if (e == NULL || !crank_mo_enter(p)) {
        return NULL;
    }
    do {
        int row_capacity = 0;
        crank_mo_expression *row = make(p, CRANK_MO_ARRAY, crank_mo_peek(p, 0)->place);
        if (row == NULL) {
            return NULL;
        }
        do {
            (void)crank_mo_append(p, &row->item, &row->count, &row_capacity,
                                  crank_mo_expression_of(p));
        } while (p->status == CRANK_OK && crank_mo_accept(p, ","));
        (void)crank_mo_append(p, &e->item, &e->count, &capacity, row);
    } while (p->status == CRANK_OK && crank_mo_accept(p, ";"));
    (void)crank_mo_expect(p, "]", "behind the rows of a matrix");
    crank_mo_leave(p);
    return p->status == CRANK_OK ? e : NULL;
}

/* (a), or (a, , b): what a call with several results is assigned to */
static crank_mo_expression *parentheses(crank_mo_parser *p)
{
    int capacity = 0;
    bool several = false;
    crank_mo_expression *e = make(p, CRANK_MO_TUPLE, crank_mo_peek(p, 0)->place);
    (void)crank_mo_accept(p, "(");
    if (e == NULL || !crank_mo_enter(p)) {
        return NULL;
    }
    while (p->status == CRANK_OK) {
        crank_mo_expression *item =
            crank_mo_is(p, ",") || crank_mo_is(p, ")") ? NULL : crank_mo_expression_of(p);
        (void)crank_mo_append(p, &e->item, &e->count, &capacity, item);
        if (!crank_mo_accept(p, ",")) {
            break;
        }
        several = true;
    }
    if (p->status == CRANK_OK && !several && e->item[0] == NULL) {
        crank_mo_fail(p, "an expression");
    }
    (void)crank_mo_expect(p, ")", "");
    crank_mo_leave(p);
    return p->status != CRANK_OK ? NULL : several ? e : e->item[0];
}

/* ---- operators, from the tightest to the loosest ---- */

static crank_mo_expression *number_or_text(crank_mo_parser *p)
{
    const crank_mo_token *t = crank_mo_peek(p, 0);
    crank_mo_expression *e =
        make(p, t->kind == CRANK_MO_TEXT ? CRANK_MO_STRING : CRANK_MO_NUMBER, t->place);
    if (e != NULL) {
        e->text = t->text;
        e->number = t->number;
        e->whole = t->kind == CRANK_MO_INTEGER;
    }
    p->at++;
    return e;
}

/* a name, or a call of it; `der` and `initial` are keywords that are called */
static crank_mo_expression *name_or_call(crank_mo_parser *p)
{
    const crank_mo_token *t = crank_mo_peek(p, 0);
    crank_mo_expression *e = make(p, CRANK_MO_NAME, t->place);
    if (e == NULL) {
        return NULL;
    }
    if (t->kind == CRANK_MO_KEYWORD) {
        crank_mo_reference *r = crank_mo_make(p, sizeof *r);
        parts l = {0};
        p->at++;
        add_part(p, &l, t->text, 0, NULL);
        if (r == NULL || p->status != CRANK_OK) {
            return NULL;
        }
        *r = (crank_mo_reference){.place = t->place,
                                  .count = 1,
                                  .name = l.name,
                                  .subscript_count = l.subscript_count,
                                  .subscript = l.subscript};
        e->reference = r;
    } else {
        e->reference = crank_mo_component_reference(p);
    }
    if (crank_mo_is(p, "(")) {
        e->kind = CRANK_MO_CALL;
        arguments(p, e);
    } else if (t->kind == CRANK_MO_KEYWORD) {
        crank_mo_fail(p, "\"(\"");
    }
    return p->status == CRANK_OK ? e : NULL;
}

static crank_mo_expression *primary(crank_mo_parser *p)
{
    const crank_mo_token *t = crank_mo_peek(p, 0);
    if (t->kind == CRANK_MO_INTEGER || t->kind == CRANK_MO_REAL || t->kind == CRANK_MO_TEXT) {
        return number_or_text(p);
    }
    if (crank_mo_is(p, "true") || crank_mo_is(p, "false")) {
        crank_mo_expression *e = make(p, CRANK_MO_BOOLEAN, t->place);
        if (e != NULL) {
            e->number = crank_mo_is(p, "true") ? 1.0 : 0.0;
        }
        p->at++;
        return e;
    }
    if (crank_mo_is(p, "end")) {
        p->at++;
        return make(p, CRANK_MO_LAST, t->place);
    }
    if (crank_mo_is(p, "(")) {
        return parentheses(p);
    }
    if (crank_mo_is(p, "{")) {
        return braces(p);
    }
    if (crank_mo_is(p, "[")) {
        return brackets(p);
    }
    if (t->kind == CRANK_MO_IDENT || crank_mo_is(p, ".") || crank_mo_is(p, "der") ||
        crank_mo_is(p, "initial") || crank_mo_is(p, "pure")) {
        return name_or_call(p);
    }
    crank_mo_fail(p, "an expression");
    return NULL;
}

static crank_mo_expression *binary(crank_mo_parser *p, const crank_mo_token *op,
                                   crank_mo_expression *a, crank_mo_expression *b)
{
    return a != NULL && b != NULL ? make_of(p, CRANK_MO_BINARY, op->place, op->text, a, b, NULL)
                                  : NULL;
}

/* one of the words, NULL: none */
static const crank_mo_token *operator_of(crank_mo_parser *p, const char *const *words)
{
    for (int i = 0; words[i] != NULL; i++) {
        if (crank_mo_is(p, words[i])) {
            const crank_mo_token *t = crank_mo_peek(p, 0);
            p->at++;
            return t;
        }
    }
    return NULL;
}

static crank_mo_expression *factor(crank_mo_parser *p)
{
    static const char *const powers[] = {"^", ".^", NULL};
    crank_mo_expression *a = primary(p);
    const crank_mo_token *op = operator_of(p, powers);
    return op != NULL ? binary(p, op, a, primary(p)) : a;
}

static crank_mo_expression *term(crank_mo_parser *p)
{
    static const char *const products[] = {"*", "/", ".*", "./", NULL};
    crank_mo_expression *a = factor(p);
    for (const crank_mo_token *op = operator_of(p, products); op != NULL;
         op = operator_of(p, products)) {
        a = binary(p, op, a, factor(p));
    }
    return a;
}

static crank_mo_expression *arithmetic(crank_mo_parser *p)
{
    static const char *const sums[] = {"+", "-", ".+", ".-", NULL};
    const crank_mo_token *sign = operator_of(p, sums);
    crank_mo_expression *a = term(p);
    if (sign != NULL && a != NULL) {
        a = make_of(p, CRANK_MO_UNARY, sign->place, sign->text, a, NULL, NULL);
    }
    for (const crank_mo_token *op = operator_of(p, sums); op != NULL;
         op = operator_of(p, sums)) {
        a = binary(p, op, a, term(p));
    }
    return a;
}

static crank_mo_expression *relation(crank_mo_parser *p)
{
    static const char *const relations[] = {"<", "<=", ">", ">=", "==", "<>", NULL};
    crank_mo_expression *a = arithmetic(p);
    const crank_mo_token *op = operator_of(p, relations);
    return op != NULL ? binary(p, op, a, arithmetic(p)) : a;
}

static crank_mo_expression *logical(crank_mo_parser *p)
{
    static const char *const nots[] = {"not", NULL};
    const crank_mo_token *op = operator_of(p, nots);
    crank_mo_expression *a = relation(p);
    return op != NULL && a != NULL
               ? make_of(p, CRANK_MO_UNARY, op->place, op->text, a, NULL, NULL)
               : a;
}

static crank_mo_expression *conjunction(crank_mo_parser *p)
{
    static const char *const ands[] = {"and", NULL};
    crank_mo_expression *a = logical(p);
    for (const crank_mo_token *op = operator_of(p, ands); op != NULL;
         op = operator_of(p, ands)) {
        a = binary(p, op, a, logical(p));
    }
    return a;
}

static crank_mo_expression *disjunction(crank_mo_parser *p)
{
    static const char *const ors[] = {"or", NULL};
    crank_mo_expression *a = conjunction(p);
    for (const crank_mo_token *op = operator_of(p, ors); op != NULL; op = operator_of(p, ors)) {
        a = binary(p, op, a, conjunction(p));
    }
    return a;
}

static crank_mo_expression *choice(crank_mo_parser *p)
{
    int capacity = 0;
    crank_mo_expression *e = make(p, CRANK_MO_IF, crank_mo_peek(p, 0)->place);
    if (e == NULL) {
        return NULL;
    }
    do {
        p->at++; /* if, elseif */
        (void)crank_mo_append(p, &e->item, &e->count, &capacity, crank_mo_expression_of(p));
        (void)crank_mo_expect(p, "then", "of an if-expression");
        (void)crank_mo_append(p, &e->item, &e->count, &capacity, crank_mo_expression_of(p));
    } while (p->status == CRANK_OK && crank_mo_is(p, "elseif"));
    (void)crank_mo_expect(p, "else", "of an if-expression");
    (void)crank_mo_append(p, &e->item, &e->count, &capacity, crank_mo_expression_of(p));
    return p->status == CRANK_OK ? e : NULL;
}

crank_mo_expression *crank_mo_expression_of(crank_mo_parser *p)
{
    if (!crank_mo_enter(p)) {
        return NULL;
    }
    crank_mo_expression *a = NULL;
    if (crank_mo_is(p, "if")) {
        a = choice(p);
    } else {
        a = disjunction(p);
        if (a != NULL && crank_mo_is(p, ":")) {
            crank_mo_expression *b = NULL, *c = NULL;
            p->at++;
            b = disjunction(p);
            if (b != NULL && crank_mo_accept(p, ":")) {
                c = disjunction(p);
            }
            a = p->status == CRANK_OK ? make_of(p, CRANK_MO_RANGE, a->place, NULL, a, b, c)
                                      : NULL;
        }
    }
    crank_mo_leave(p);
    return p->status == CRANK_OK ? a : NULL;
}

crank_status crank_mo_parse_expression(const char *text, crank_store *store,
                                       crank_mo_expression **out, crank_error *err)
{
    crank_mo_tokens tokens;
    crank_status status = crank_mo_read_tokens(text, strlen(text), false, store, &tokens, err);
    *out = NULL;
    if (status != CRANK_OK) {
        return status;
    }
    crank_mo_parser p = {.tokens = &tokens, .store = store, .err = err};
    *out = crank_mo_expression_of(&p);
    if (p.status == CRANK_OK && crank_mo_peek(&p, 0)->kind != CRANK_MO_FINISH) {
        crank_mo_fail(&p, "the end of the expression");
    }
    return p.status;
}
