/* parse_token.c - the parser's ways with tokens: see parser.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/grow.h"
#include "modelica/parser.h"

#include <stdio.h>
#include <string.h>

const crank_mo_token *crank_mo_peek(const crank_mo_parser *p, int ahead)
{
    const int last = p->tokens->count - 1;
    const int at = p->status != CRANK_OK || p->at + ahead > last ? last : p->at + ahead;
    return &p->tokens->token[at];
}

bool crank_mo_next_is(const crank_mo_parser *p, int ahead, const char *word)
{
    const crank_mo_token *t = crank_mo_peek(p, ahead);
    return (t->kind == CRANK_MO_KEYWORD || t->kind == CRANK_MO_SYMBOL) &&
           strcmp(t->text, word) == 0;
}

bool crank_mo_is(const crank_mo_parser *p, const char *word)
{
    return crank_mo_next_is(p, 0, word);
}

bool crank_mo_accept(crank_mo_parser *p, const char *word)
{
    const bool found = crank_mo_is(p, word);
    p->at += found ? 1 : 0;
    return found;
}

void crank_mo_fail(crank_mo_parser *p, const char *expected)
{
    const crank_mo_token *t = crank_mo_peek(p, 0);
    const bool end = t->kind == CRANK_MO_FINISH;
    if (p->status == CRANK_OK) {
        p->status = crank_fail_at(p->err, CRANK_ESYNTAX, t->place.line, t->place.column,
                                  "%s%.60s%s where %s is expected",
                                  end                        ? "the file ends"
                                  : t->kind == CRANK_MO_TEXT ? "the string \""
                                                             : "\"",
                                  t->text, end ? "" : "\"", expected);
    }
}

void crank_mo_refuse(crank_mo_parser *p, crank_mo_place place, const char *construct)
{
    if (p->status == CRANK_OK) {
        p->status = crank_fail_at(p->err, CRANK_EMODEL, place.line, place.column,
                                  "%s: not supported", construct);
    }
}

bool crank_mo_expect(crank_mo_parser *p, const char *word, const char *where)
{
    char text[120];
    if (crank_mo_accept(p, word)) {
        return true;
    }
    (void)snprintf(text, sizeof text, "\"%s\"%s%s", word, where[0] != '\0' ? " " : "", where);
    crank_mo_fail(p, text);
    return false;
}

const char *crank_mo_expect_name(crank_mo_parser *p, const char *where)
{
    const crank_mo_token *t = crank_mo_peek(p, 0);
    if (t->kind == CRANK_MO_IDENT) {
        p->at++;
        return t->text;
    }
    crank_mo_fail(p, where);
    return "";
}

bool crank_mo_enter(crank_mo_parser *p)
{
    if (p->status == CRANK_OK && ++p->depth > CRANK_MO_DEPTH) {
        const crank_mo_place place = crank_mo_peek(p, 0)->place;
        p->status = crank_fail_at(p->err, CRANK_ESYNTAX, place.line, place.column,
                                  "nested more than %d deep", CRANK_MO_DEPTH);
    }
    return p->status == CRANK_OK;
}

void crank_mo_leave(crank_mo_parser *p)
{
    p->depth--;
}

static void no_memory(crank_mo_parser *p)
{
    if (p->status == CRANK_OK) {
        p->status = crank_fail(p->err, CRANK_EMEM, "reading the file");
    }
}

void *crank_mo_make(crank_mo_parser *p, size_t size)
{
    void *record = crank_store_take(p->store, 1, size);
    if (record == NULL) {
        no_memory(p);
    }
    return record;
}

bool crank_mo_append(crank_mo_parser *p, void *list, int *count, int *capacity,
                     const void *item)
{
    void *more = NULL;
    memcpy(&more, list, sizeof more);
    more = crank_store_grow(p->store, more, *count, capacity, sizeof item);
    if (more == NULL) {
        no_memory(p);
        return false;
    }
    memcpy((char *)more + (size_t)*count * sizeof item, &item, sizeof item);
    (*count)++;
    memcpy(list, &more, sizeof more);
    return true;
}
