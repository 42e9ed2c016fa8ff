/* parse_class.c - files, classes and their elements (Modelica 3.6, A.2.1 to A.2.5);
 * modifications are in parse_modification.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/parse_class.h"

#include "inline/flat.h"

#include "base/grow.h"

#include <stdio.h>
#include <string.h>

/* ---- elements of a class ---- */

bool crank_mo_add_element(crank_store *store, crank_mo_class *c, crank_mo_element *e)
{
    crank_mo_element **more = crank_store_grow(
        store, c->element, c->element_count, &c->element_capacity, sizeof(crank_mo_element *));
    if (more == NULL || !crank_index_add(&c->by_name, store, e->name, c->element_count)) {
        return false;
    }
    c->element = more;
    c->element[c->element_count++] = e;
    return true;
}

static void add_element(crank_mo_parser *p, crank_mo_class *c, crank_mo_element *e)
{
    const bool named = e->kind == CRANK_MO_COMPONENT || e->kind == CRANK_MO_NESTED;
    if (p->status != CRANK_OK) {
        return;
    }
    if (named && crank_index_find(&c->by_name, e->name) >= 0) {
        p->status = crank_fail_at(p->err, CRANK_EMODEL, e->place.line, e->place.column,
                                  "the name \"%.80s\" is declared twice in %s%.80s", e->name,
                                  c->name[0] != '\0' ? "" : "this file", c->name);
        return;
    }
    if (named && !crank_index_add(&c->by_name, p->store, e->name, c->element_count)) {
        p->status = crank_fail(p->err, CRANK_EMEM, "reading the file");
        return;
    }
    (void)crank_mo_append(p, &c->element, &c->element_count, &c->element_capacity, e);
    if (!named) {
        (void)crank_mo_append(p, &c->link, &c->link_count, &c->link_capacity, e);
    }
}

/* the rest of import A.{B, C}: an import a name */
static void import_list(crank_mo_parser *p, crank_mo_class *c, const crank_mo_element *from)
{
    p->at += 2;
    do {
        crank_mo_element *e = crank_mo_make(p, sizeof *e);
        crank_mo_reference *type = crank_mo_make(p, sizeof *type);
        if (e == NULL || type == NULL || from->type == NULL) {
            return;
        }
        const int count = from->type->count + 1;
        *e = *from;
        *type = *from->type;
        type->name = crank_mo_make(p, (size_t)count * sizeof *type->name);
        type->subscript_count = crank_mo_make(p, (size_t)count * sizeof(int));
        type->subscript = crank_mo_make(p, (size_t)count * sizeof *type->subscript);
        e->name = crank_mo_expect_name(p, "a name");
        if (p->status != CRANK_OK) {
            return;
        }
        memcpy(type->name, from->type->name, (size_t)(count - 1) * sizeof *type->name);
        type->name[count - 1] = e->name;
        type->count = count;
        e->type = type;
        add_element(p, c, e);
    } while (crank_mo_accept(p, ","));
    (void)crank_mo_expect(p, "}", "behind names that are imported");
    (void)crank_mo_comment(p, NULL);
}

/* import A.B; import X = A.B; import A.B.*; import A.{B, C} */
static void import(crank_mo_parser *p, crank_mo_class *c)
{
    crank_mo_element *e = crank_mo_make(p, sizeof *e);
    if (e == NULL) {
        return;
    }
    e->kind = CRANK_MO_IMPORT;
    e->place = crank_mo_peek(p, 0)->place;
    p->at++;
    const char *alias = NULL;
    if (crank_mo_peek(p, 0)->kind == CRANK_MO_IDENT && crank_mo_next_is(p, 1, "=")) {
        alias = crank_mo_expect_name(p, "a name");
        p->at++;
    }
    e->type = crank_mo_type_name(p);
    if (crank_mo_accept(p, ".*") || (crank_mo_is(p, ".") && crank_mo_next_is(p, 1, "*") &&
                                     crank_mo_accept(p, ".") && crank_mo_accept(p, "*"))) {
        e->name = NULL;
    } else if (crank_mo_is(p, ".") && crank_mo_next_is(p, 1, "{")) {
        import_list(p, c, e);
        return;
    } else if (e->type != NULL) {
        e->name = alias != NULL ? alias : e->type->name[e->type->count - 1];
    }
    (void)crank_mo_comment(p, NULL);
    add_element(p, c, e);
}

static void extends(crank_mo_parser *p, crank_mo_class *c, bool hidden)
{
    crank_mo_element *e = crank_mo_make(p, sizeof *e);
    if (e == NULL) {
        return;
    }
    e->kind = CRANK_MO_EXTENDS;
    e->hidden = hidden;
    e->place = crank_mo_peek(p, 0)->place;
    p->at++;
    e->type = crank_mo_type_name(p);
    if (crank_mo_is(p, "(")) {
        e->modification = crank_mo_class_modification(p);
    }
    (void)crank_mo_comment(p, NULL);
    add_element(p, c, e);
}

static void type_prefix(crank_mo_parser *p, crank_mo_element *e)
{
    e->variability = CRANK_MO_CONTINUOUS;
    e->flow = crank_mo_accept(p, "flow");
    if (crank_mo_is(p, "stream")) {
        crank_mo_refuse(p, crank_mo_peek(p, 0)->place, "stream connectors");
    }
    if (crank_mo_accept(p, "discrete")) {
        e->variability = CRANK_MO_DISCRETE;
    } else if (crank_mo_accept(p, "parameter")) {
        e->variability = CRANK_MO_PARAMETER;
    } else if (crank_mo_accept(p, "constant")) {
        e->variability = CRANK_MO_CONSTANT;
    }
    if (crank_mo_accept(p, "input")) {
        e->causality = CRANK_MO_INPUT;
    } else if (crank_mo_accept(p, "output")) {
        e->causality = CRANK_MO_OUTPUT;
    }
}

/* dimensions of the name, then those of the type */
static void join_dimensions(crank_mo_parser *p, crank_mo_element *e, int count,
                            crank_mo_expression **more)
{
    crank_mo_expression **all = crank_store_take(
        p->store, (size_t)count + (size_t)e->dimension_count, sizeof(crank_mo_expression *));
    if (all == NULL) {
        p->status = crank_fail(p->err, CRANK_EMEM, "reading the file");
        return;
    }
    for (int i = 0; i < count; i++) {
        all[i] = more[i];
    }
    for (int i = 0; i < e->dimension_count; i++) {
        all[count + i] = e->dimension[i];
    }
    e->dimension = all;
    e->dimension_count += count;
}

static void declaration(crank_mo_parser *p, crank_mo_element *e)
{
    int count = 0;
    e->kind = CRANK_MO_COMPONENT;
    e->place = crank_mo_peek(p, 0)->place;
    e->name = crank_mo_expect_name(p, "the name of a component");
    if (crank_mo_is(p, "[")) {
        crank_mo_expression **list = crank_mo_subscripts(p, &count);
        if (p->status == CRANK_OK) {
            join_dimensions(p, e, count, list);
        }
    }
    e->modification = crank_mo_modification_of(p);
}

void crank_mo_components(crank_mo_parser *p, crank_mo_element *first, crank_mo_class *c)
{
    type_prefix(p, first);
    first->type = crank_mo_type_name(p);
    if (crank_mo_is(p, "[")) {
        first->dimension = crank_mo_subscripts(p, &first->dimension_count);
    }
    const crank_mo_element common = *first;
    crank_mo_element *e = first;
    for (;;) {
        declaration(p, e);
        if (c == NULL) {
            return; /* a redeclaration has one */
        }
        if (crank_mo_accept(p, "if")) {
            e->condition = crank_mo_expression_of(p);
        }
        e->comment = crank_mo_comment(p, NULL);
        add_element(p, c, e);
        if (!crank_mo_accept(p, ",")) {
            return;
        }
        e = crank_mo_make(p, sizeof *e);
        if (e == NULL) {
            return;
        }
        *e = common;
    }
}

bool crank_mo_begins_class(const crank_mo_parser *p)
{
    static const char *const words[] = {
        "encapsulated", "partial", "class",   "model", "record", "block",    "expandable",
        "connector",    "type",    "package", "pure",  "impure", "operator", "function"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (crank_mo_is(p, words[i])) {
            return true;
        }
    }
    return false;
}

/* constrainedby T(...): what replacements must be is read and not checked; the modifications are
 * those of every replacement */
static void constraint(crank_mo_parser *p, const crank_mo_class *c, int from)
{
    crank_mo_modification *m = NULL;
    if (!crank_mo_accept(p, "constrainedby")) {
        return;
    }
    (void)crank_mo_type_name(p);
    if (crank_mo_is(p, "(")) {
        m = crank_mo_class_modification(p);
    }
    (void)crank_mo_comment(p, NULL);
    for (int i = from; i < c->element_count && p->status == CRANK_OK; i++) {
        c->element[i]->constrained = true;
        c->element[i]->constraint = m;
    }
}

/* parameter equation guess(x) = value, of Base Modelica (MCP-0031): the start value of a
 * variable that is declared above */
static void guess(crank_mo_parser *p, crank_mo_class *c)
{
    const crank_mo_place place = crank_mo_peek(p, 0)->place;
    crank_mo_argument *a = crank_mo_make(p, sizeof *a);
    crank_mo_modification *value = crank_mo_make(p, sizeof *value);
    p->at += 2;
    if (a == NULL || value == NULL || strcmp(crank_mo_peek(p, 0)->text, "guess") != 0) {
        crank_mo_fail(p, "guess(x)");
        return;
    }
    p->at++;
    (void)crank_mo_expect(p, "(", "behind guess");
    const char *name = crank_mo_expect_name(p, "the name of a variable");
    if (crank_mo_is(p, "[") || crank_mo_is(p, ".")) {
        crank_mo_refuse(p, place, "guess() of a part of a variable");
    }
    (void)crank_mo_expect(p, ")", "behind guess(x");
    (void)crank_mo_expect(p, "=", "behind guess(x)");
    value->value = crank_mo_expression_of(p);
    (void)crank_mo_comment(p, NULL);
    const int i = p->status == CRANK_OK ? crank_index_find(&c->by_name, name) : -1;
    if (p->status == CRANK_OK && (i < 0 || c->element[i]->kind != CRANK_MO_COMPONENT)) {
        p->status = crank_fail_at(p->err, CRANK_EMODEL, place.line, place.column,
                                  "guess(%.80s): no variable above has this name", name);
    }
    if (p->status != CRANK_OK) {
        return;
    }
    crank_mo_element *e = c->element[i];
    e->modification =
        e->modification != NULL ? e->modification : crank_mo_make(p, sizeof *e->modification);
    if (e->modification == NULL) {
        return;
    }
    value->place = a->place = place;
    a->name = "start";
    a->modification = value;
    for (int k = 0; k < e->modification->count; k++) {
        if (strcmp(e->modification->argument[k]->name, a->name) == 0) {
            p->status = crank_fail_at(p->err, CRANK_EMODEL, place.line, place.column,
                                      "guess(%.80s): it has a start value already", name);
            return;
        }
    }
    (void)crank_mo_append(p, &e->modification->argument, &e->modification->count,
                          &e->modification->capacity, a);
}

static void element(crank_mo_parser *p, crank_mo_class *c, bool hidden)
{
    if (crank_mo_is(p, "import")) {
        import(p, c);
        return;
    }
    if (crank_mo_is(p, "extends")) {
        extends(p, c, hidden);
        return;
    }
    if (crank_mo_is(p, "parameter") && crank_mo_next_is(p, 1, "equation")) {
        guess(p, c);
        return;
    }
    crank_mo_element *e = crank_mo_make(p, sizeof *e);
    if (e == NULL) {
        return;
    }
    e->place = crank_mo_peek(p, 0)->place;
    e->hidden = hidden;
    e->redeclare = crank_mo_accept(p, "redeclare");
    e->final = crank_mo_accept(p, "final");
    e->inner = crank_mo_accept(p, "inner");
    e->outer = crank_mo_accept(p, "outer");
    e->replaceable = crank_mo_accept(p, "replaceable");
    if (e->inner && e->outer) {
        crank_mo_refuse(p, e->place, "inner outer");
    }
    const int from = c->element_count;
    if (crank_mo_begins_class(p)) {
        crank_mo_nested_class(p, e, c);
        add_element(p, c, e);
        constraint(p, c, from);
        (void)crank_mo_comment(p, NULL);
    } else {
        crank_mo_components(p, e, c);
        constraint(p, c, from);
    }
}

/* ---- classes ---- */

static crank_mo_restriction restriction(crank_mo_parser *p, crank_mo_class *c)
{
    static const struct {
        const char *word;
        crank_mo_restriction kind;
    } kinds[] = {{"class", CRANK_MO_CLASS},     {"model", CRANK_MO_MODEL},
                 {"record", CRANK_MO_RECORD},   {"block", CRANK_MO_BLOCK},
                 {"type", CRANK_MO_TYPE},       {"connector", CRANK_MO_CONNECTOR},
                 {"package", CRANK_MO_PACKAGE}, {"function", CRANK_MO_FUNCTION}};
    c->encapsulated = crank_mo_accept(p, "encapsulated");
    c->partial = crank_mo_accept(p, "partial");
    if (crank_mo_is(p, "expandable")) {
        crank_mo_refuse(p, crank_mo_peek(p, 0)->place, "expandable connectors");
    }
    if (crank_mo_is(p, "impure")) {
        crank_mo_refuse(p, crank_mo_peek(p, 0)->place, "impure functions");
    }
    if (crank_mo_is(p, "operator")) {
        crank_mo_refuse(p, crank_mo_peek(p, 0)->place, "operator records and functions");
    }
    (void)crank_mo_accept(p, "pure");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (crank_mo_accept(p, kinds[i].word)) {
            return kinds[i].kind;
        }
    }
    crank_mo_fail(p, "model, block, connector, record, type, package or function");
    return CRANK_MO_CLASS;
}

static void add_section(crank_mo_parser *p, crank_mo_class *c, bool initial)
{
    crank_mo_section *more = crank_store_grow(p->store, c->section, c->section_count,
                                              &c->section_capacity, sizeof *c->section);
    if (more == NULL) {
        p->status = crank_fail(p->err, CRANK_EMEM, "reading the file");
        return;
    }
    c->section = more;
    crank_mo_section *s = &c->section[c->section_count++];
    *s = (crank_mo_section){.initial = initial, .place = crank_mo_peek(p, 0)->place};
    crank_mo_list body = {0};
    crank_mo_equations(p, &body, true);
    c->section[c->section_count - 1].body = body;
}

/* external "C" y = f(x) annotation(...): the class is refused where it is called */
static void external(crank_mo_parser *p, crank_mo_class *c)
{
    c->external = "external";
    while (p->status == CRANK_OK && !crank_mo_is(p, ";") &&
           crank_mo_peek(p, 0)->kind != CRANK_MO_FINISH) {
        p->at++;
    }
    (void)crank_mo_expect(p, ";", "behind external");
}

static void composition(crank_mo_parser *p, crank_mo_class *c)
{
    bool hidden = false;
    while (p->status == CRANK_OK && !crank_mo_is(p, "end")) {
        const bool initial = crank_mo_is(p, "initial");
        if (crank_mo_accept(p, "public")) {
            hidden = false;
        } else if (crank_mo_accept(p, "protected")) {
            hidden = true;
        } else if (crank_mo_next_is(p, initial ? 1 : 0, "equation")) {
            p->at += initial ? 2 : 1;
            crank_mo_equations(p, initial ? &c->initial : &c->equation, false);
        } else if (crank_mo_next_is(p, initial ? 1 : 0, "algorithm")) {
            p->at += initial ? 2 : 1;
            add_section(p, c, initial);
        } else if (crank_mo_is(p, "external")) {
            external(p, c);
        } else if (crank_mo_is(p, "annotation")) {
            (void)crank_mo_comment(p, &c->annotation);
            (void)crank_mo_expect(p, ";", "behind annotation");
        } else {
            element(p, c, hidden);
            (void)crank_mo_expect(p, ";", "behind a declaration");
        }
    }
}

static void enumeration(crank_mo_parser *p, crank_mo_class *c)
{
    int capacity = 0;
    p->at++;
    c->is_enumeration = true;
    (void)crank_mo_expect(p, "(", "behind enumeration");
    if (crank_mo_is(p, ":")) {
        crank_mo_refuse(p, crank_mo_peek(p, 0)->place, "enumeration(:)");
    }
    do {
        const char *name = crank_mo_expect_name(p, "a literal of the enumeration");
        for (int i = 0; i < c->literal_count; i++) {
            if (p->status == CRANK_OK && strcmp(c->literal[i], name) == 0) {
                p->status = crank_fail_at(p->err, CRANK_EMODEL, c->place.line, c->place.column,
                                          "enumeration %.60s has the literal \"%.60s\" twice",
                                          c->name, name);
            }
        }
        (void)crank_mo_append(p, &c->literal, &c->literal_count, &capacity, name);
        (void)crank_mo_comment(p, NULL);
    } while (p->status == CRANK_OK && crank_mo_accept(p, ","));
    (void)crank_mo_expect(p, ")", "behind the literals");
}

/* class A = input B[n](...) */
static void short_class(crank_mo_parser *p, crank_mo_class *c)
{
    c->is_short = true;
    if (crank_mo_is(p, "enumeration")) {
        enumeration(p, c);
        c->comment = crank_mo_comment(p, NULL);
        return;
    }
    if (crank_mo_is(p, "der")) {
        crank_mo_refuse(p, crank_mo_peek(p, 0)->place,
                        "a function that is a derivative, der()");
    }
    crank_mo_element *e = crank_mo_make(p, sizeof *e);
    if (e == NULL) {
        return;
    }
    c->base_input = crank_mo_accept(p, "input");
    c->base_output = crank_mo_accept(p, "output");
    e->kind = CRANK_MO_EXTENDS;
    e->place = crank_mo_peek(p, 0)->place;
    e->type = crank_mo_type_name(p);
    if (crank_mo_is(p, "[")) {
        c->dimension = crank_mo_subscripts(p, &c->dimension_count);
    }
    if (crank_mo_is(p, "(")) {
        e->modification = crank_mo_class_modification(p);
    }
    c->comment = crank_mo_comment(p, &c->annotation);
    add_element(p, c, e);
}

/* the rest of redeclare model extends M(...): its first base is the M of the bases around */
static void inherit(crank_mo_parser *p, crank_mo_class *c)
{
    crank_mo_element *e = crank_mo_make(p, sizeof *e);
    if (e == NULL) {
        return;
    }
    e->kind = CRANK_MO_EXTENDS;
    e->inherited = true;
    e->place = c->place;
    if (crank_mo_is(p, "(")) {
        e->modification = crank_mo_class_modification(p);
    }
    add_element(p, c, e);
}

void crank_mo_nested_class(crank_mo_parser *p, crank_mo_element *e, crank_mo_class *parent)
{
    crank_mo_class *c = crank_mo_make(p, sizeof *c);
    if (c == NULL || !crank_mo_enter(p)) {
        return;
    }
    e->kind = CRANK_MO_NESTED;
    e->nested = c;
    c->parent = parent;
    c->restriction = restriction(p, c);
    c->place = crank_mo_peek(p, 0)->place;
    const bool extends = parent != NULL && crank_mo_accept(p, "extends");
    c->name = e->name = crank_mo_expect_name(p, "the name of a class");
    e->place = c->place;
    if (extends) {
        if (!e->redeclare && p->status == CRANK_OK) {
            crank_mo_refuse(p, c->place, "class extends without redeclare");
        }
        inherit(p, c);
    }
    if (!extends && crank_mo_accept(p, "=")) {
        short_class(p, c);
    } else {
        c->comment = crank_mo_text_comment(p);
        composition(p, c);
        (void)crank_mo_expect(p, "end", "of a class");
        const crank_mo_token *t = crank_mo_peek(p, 0);
        if (p->status == CRANK_OK &&
            (t->kind != CRANK_MO_IDENT || strcmp(t->text, c->name) != 0)) {
            char text[120];
            (void)snprintf(text, sizeof text, "\"end %.60s;\" (begun in line %d)", c->name,
                           c->place.line % CRANK_FLAT_LINES);
            crank_mo_fail(p, text);
        }
        p->at++;
    }
    crank_mo_leave(p);
}

/* ---- files ---- */

/* within A.B; or without a name */
static const char *within(crank_mo_parser *p)
{
    const char *name = "";
    while (p->status == CRANK_OK && !crank_mo_is(p, ";")) {
        const char *part = crank_mo_expect_name(p, "the name of a package behind within");
        if (p->status == CRANK_OK) {
            name =
                crank_store_print(p->store, "%s%s%s", name, name[0] != '\0' ? "." : "", part);
            if (name == NULL) {
                p->status = crank_fail(p->err, CRANK_EMEM, "reading the file");
            }
        }
        if (p->status == CRANK_OK && !crank_mo_accept(p, ".")) {
            break;
        }
    }
    (void)crank_mo_expect(p, ";", "behind within");
    return name;
}

static void stored_definition(crank_mo_parser *p, crank_mo_class *root, const char **in)
{
    if (crank_mo_accept(p, "within")) {
        *in = within(p);
    }
    while (p->status == CRANK_OK && crank_mo_peek(p, 0)->kind != CRANK_MO_FINISH) {
        crank_mo_element *e = crank_mo_make(p, sizeof *e);
        if (e == NULL) {
            return;
        }
        e->final = crank_mo_accept(p, "final");
        if (!crank_mo_begins_class(p)) {
            crank_mo_fail(p, "model, package or another class");
        }
        crank_mo_nested_class(p, e, root);
        (void)crank_mo_expect(p, ";", "behind a class");
        add_element(p, root, e);
    }
}

/* place: where everything stands, of a text that is no file; NULL: where it is */
static crank_status parse(const char *text, size_t length, bool base, int number,
                          const crank_mo_place *place, crank_store *store, crank_mo_file *out,
                          crank_error *err)
{
    *out = (crank_mo_file){0};
    crank_status status = crank_mo_read_tokens(text, length, base, store, &out->tokens, err);
    out->root = crank_store_take(store, 1, sizeof *out->root);
    if (status == CRANK_OK && out->root == NULL) {
        status = crank_fail(err, CRANK_EMEM, "reading the file");
    }
    if (status != CRANK_OK) {
        err->line += err->line > 0 ? number * CRANK_FLAT_LINES : 0;
        return status;
    }
    for (int i = 0; i < out->tokens.count; i++) {
        crank_mo_place *at = &out->tokens.token[i].place;
        at->line += number * CRANK_FLAT_LINES;
        *at = place != NULL ? *place : *at;
    }
    out->root->name = "";
    out->root->restriction = CRANK_MO_PACKAGE;
    crank_mo_parser p = {.tokens = &out->tokens, .store = store, .err = err};
    stored_definition(&p, out->root, &out->within);
    return p.status;
}

crank_status crank_mo_parse(const char *text, size_t length, bool base, int number,
                            crank_store *store, crank_mo_file *out, crank_error *err)
{
    return parse(text, length, base, number, NULL, store, out, err);
}

crank_status crank_mo_parse_made(const char *text, size_t length, crank_mo_place place,
                                 crank_store *store, crank_mo_file *out, crank_error *err)
{
    return parse(text, length, false, 0, &place, store, out, err);
}
