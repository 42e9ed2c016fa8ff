/* parse_equation.c - equations and statements (Modelica 3.6, A.2.6). Both have the same shape
 * but for = and :=, and for what may stand in them; one reader serves both. */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/parser.h"

#include "base/grow.h"

#include <string.h>

void crank_mo_iterators(crank_mo_parser *p, int *count, const char ***names,
                        crank_mo_expression ***in)
{
    int capacity[2] = {0}, ranges = 0;
    *count = 0;
    *names = NULL;
    *in = NULL;
    do {
        const char *name = crank_mo_expect_name(p, "the name of an iterator");
        crank_mo_expression *range =
            crank_mo_accept(p, "in") ? crank_mo_expression_of(p) : NULL;
        (void)crank_mo_append(p, names, count, &capacity[0], name);
        (void)crank_mo_append(p, in, &ranges, &capacity[1], range);
    } while (p->status == CRANK_OK && crank_mo_accept(p, ","));
}

static crank_mo_branch *add_branch(crank_mo_parser *p, crank_mo_equation *q,
                                   crank_mo_expression *condition)
{
    crank_mo_branch *more = crank_store_grow(p->store, q->branch, q->branch_count,
                                             &q->branch_capacity, sizeof *q->branch);
    if (more == NULL) {
        p->status = crank_fail(p->err, CRANK_EMEM, "reading the file");
        return NULL;
    }
    q->branch = more;
    q->branch[q->branch_count] = (crank_mo_branch){.condition = condition};
    return &q->branch[q->branch_count++];
}

static void body(crank_mo_parser *p, crank_mo_equation *q, crank_mo_expression *condition,
                 bool statements)
{
    crank_mo_list list = {0};
    const int at = q->branch_count;
    if (add_branch(p, q, condition) != NULL) {
        crank_mo_equations(p, &list, statements);
        q->branch[at].body = list;
    }
}

/* if c then ... elseif ... else ... end if; when c then ... elsewhen ... end when */
static void branches(crank_mo_parser *p, crank_mo_equation *q, bool statements)
{
    const bool when = q->kind == CRANK_MO_WHEN;
    do {
        p->at++; /* if, elseif; when, elsewhen */
        crank_mo_expression *condition = crank_mo_expression_of(p);
        (void)crank_mo_expect(p, "then", when ? "of a when-equation" : "of an if-equation");
        body(p, q, condition, statements);
    } while (p->status == CRANK_OK && crank_mo_is(p, when ? "elsewhen" : "elseif"));
    if (!when && crank_mo_accept(p, "else")) {
        body(p, q, NULL, statements);
    }
    (void)crank_mo_expect(p, "end", when ? "of a when-equation" : "of an if-equation");
    (void)crank_mo_expect(p, when ? "when" : "if", "behind \"end\"");
}

static void loop(crank_mo_parser *p, crank_mo_equation *q, bool statements)
{
    crank_mo_expression *condition = NULL;
    const bool is_for = q->kind == CRANK_MO_FOR;
    p->at++; /* for, while */
    if (is_for) {
        crank_mo_iterators(p, &q->iterator_count, &q->iterator, &q->in);
    } else {
        condition = crank_mo_expression_of(p);
    }
    (void)crank_mo_expect(p, "loop", "");
    body(p, q, condition, statements);
    (void)crank_mo_expect(p, "end", "of a loop");
    (void)crank_mo_expect(p, is_for ? "for" : "while", "behind \"end\"");
}

static void connect(crank_mo_parser *p, crank_mo_equation *q)
{
    p->at++;
    (void)crank_mo_expect(p, "(", "behind \"connect\"");
    q->left = crank_mo_expression_of(p);
    (void)crank_mo_expect(p, ",", "between two connectors");
    q->right = crank_mo_expression_of(p);
    (void)crank_mo_expect(p, ")", "");
    if (p->status == CRANK_OK &&
        (q->left->kind != CRANK_MO_NAME || q->right->kind != CRANK_MO_NAME)) {
        crank_mo_refuse(p, q->place, "connect of something else than two connectors");
    }
}

/* left = right, left := right, or a call alone */
static void simple(crank_mo_parser *p, crank_mo_equation *q, bool statements)
{
    q->kind = CRANK_MO_EQUAL;
    q->left = crank_mo_expression_of(p);
    if (crank_mo_accept(p, statements ? ":=" : "=")) {
        q->right = crank_mo_expression_of(p);
    } else if (q->left != NULL && q->left->kind == CRANK_MO_CALL) {
        q->kind = CRANK_MO_DO;
    } else {
        crank_mo_fail(p, statements ? "\":=\"" : "\"=\"");
    }
}

static crank_mo_equation *equation(crank_mo_parser *p, bool statements)
{
    static const struct {
        const char *word;
        crank_mo_equation_kind kind;
        bool statements, equations;
    } kinds[] = {
        {"if", CRANK_MO_IFS, true, true},          {"when", CRANK_MO_WHEN, true, true},
        {"for", CRANK_MO_FOR, true, true},         {"while", CRANK_MO_WHILE, true, false},
        {"break", CRANK_MO_BREAK, true, false},    {"return", CRANK_MO_RETURN, true, false},
        {"connect", CRANK_MO_CONNECT, false, true}};
    crank_mo_equation *q = crank_mo_make(p, sizeof *q);
    if (q == NULL || !crank_mo_enter(p)) {
        return NULL;
    }
    q->place = crank_mo_peek(p, 0)->place;
    q->kind = CRANK_MO_EQUAL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (crank_mo_is(p, kinds[i].word)) {
            q->kind = kinds[i].kind;
            if (!(statements ? kinds[i].statements : kinds[i].equations)) {
                crank_mo_fail(p, statements ? "a statement" : "an equation");
            }
        }
    }
    switch (q->kind) {
    case CRANK_MO_IFS:
    case CRANK_MO_WHEN:
        branches(p, q, statements);
        break;
    case CRANK_MO_FOR:
    case CRANK_MO_WHILE:
        loop(p, q, statements);
        break;
    case CRANK_MO_CONNECT:
        connect(p, q);
        break;
    case CRANK_MO_BREAK:
    case CRANK_MO_RETURN:
        p->at++;
        break;
    case CRANK_MO_EQUAL:
    case CRANK_MO_DO:
        simple(p, q, statements);
        break;
    }
    (void)crank_mo_comment(p, NULL);
    (void)crank_mo_expect(p, ";", statements ? "behind a statement" : "behind an equation");
    crank_mo_leave(p);
    return p->status == CRANK_OK ? q : NULL;
}

/* words at which a list of equations ends */
static bool is_end(const crank_mo_parser *p)
{
    static const char *const words[] = {"end",      "else",      "elseif", "elsewhen",
                                        "equation", "algorithm", "public", "protected",
                                        "external", "annotation"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (crank_mo_is(p, words[i])) {
            return true;
        }
    }
    return crank_mo_peek(p, 0)->kind == CRANK_MO_FINISH ||
           (crank_mo_is(p, "initial") &&
            (crank_mo_next_is(p, 1, "equation") || crank_mo_next_is(p, 1, "algorithm")));
}

void crank_mo_equations(crank_mo_parser *p, crank_mo_list *list, bool statements)
{
    while (p->status == CRANK_OK && !is_end(p)) {
        crank_mo_equation *q = equation(p, statements);
        if (q != NULL) {
            (void)crank_mo_append(p, &list->item, &list->count, &list->capacity, q);
        }
    }
}
