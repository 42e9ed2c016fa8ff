/* parser.h - what the parts of the parser share: recursive descent over the tokens, one
 * function a production of the grammar (Modelica 3.6, appendix A.2).
 *
 * The first error stays (status is sticky): from then on the present token is the last one, so
 * that every loop ends, and functions may return NULL. What is well formed but not supported is
 * refused by its name. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MODELICA_PARSER_H
#define CRANK_SRC_MODELICA_PARSER_H

#include "modelica/syntax.h"

enum { CRANK_MO_DEPTH = 200 }; /* of nesting, in all productions together */

typedef struct crank_mo_parser {
    const crank_mo_tokens *tokens;
    int at;
    int depth;
    crank_store *store;
    crank_error *err;
    crank_status status;
} crank_mo_parser;

/* ---- parse_token.c ---- */

const crank_mo_token *crank_mo_peek(const crank_mo_parser *p, int ahead);
/* Is the present token this keyword or symbol? */
bool crank_mo_is(const crank_mo_parser *p, const char *word);
bool crank_mo_next_is(const crank_mo_parser *p, int ahead, const char *word);
/* The same, and goes on if it is. */
bool crank_mo_accept(crank_mo_parser *p, const char *word);
/* It must be; in: "in the declaration of x" or whatever helps. */
bool crank_mo_expect(crank_mo_parser *p, const char *word, const char *where);
const char *crank_mo_expect_name(crank_mo_parser *p, const char *where);
/* Fails at the present token, which is named; or at a place. */
void crank_mo_fail(crank_mo_parser *p, const char *expected);
void crank_mo_refuse(crank_mo_parser *p, crank_mo_place place, const char *construct);
/* One level deeper; false: too deep. */
bool crank_mo_enter(crank_mo_parser *p);
void crank_mo_leave(crank_mo_parser *p);
/* A zeroed record; NULL: out of memory, which is the status. */
void *crank_mo_make(crank_mo_parser *p, size_t size);
/* An item more of an array of pointers. */
bool crank_mo_append(crank_mo_parser *p, void *list, int *count, int *capacity,
                     const void *item);

/* ---- parse_expression.c ---- */

crank_mo_expression *crank_mo_expression_of(crank_mo_parser *p);
/* a.b.c of types: no subscripts */
crank_mo_reference *crank_mo_type_name(crank_mo_parser *p);
crank_mo_reference *crank_mo_component_reference(crank_mo_parser *p);
/* [subscript, ...] if there is one */
crank_mo_expression **crank_mo_subscripts(crank_mo_parser *p, int *count);

/* ---- parse_equation.c ---- */

/* Equations, or statements, up to a word that ends the section. */
void crank_mo_equations(crank_mo_parser *p, crank_mo_list *list, bool statements);
/* i in 1:3, j in ... */
void crank_mo_iterators(crank_mo_parser *p, int *count, const char ***names,
                        crank_mo_expression ***in);

/* ---- parse_class.c ---- */

/* "text" + "text" annotation(...); both may be absent. annotation: where it is put, NULL: read
 * and left out (how things look). */
const char *crank_mo_comment(crank_mo_parser *p, crank_mo_modification **annotation);
/* The texts alone. */
const char *crank_mo_text_comment(crank_mo_parser *p);
crank_mo_modification *crank_mo_class_modification(crank_mo_parser *p);

#endif
