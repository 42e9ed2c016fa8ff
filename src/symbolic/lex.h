/* lex.h - the words of an expression, each with its place in the user's file. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SYMBOLIC_LEX_H
#define CRANK_SRC_SYMBOLIC_LEX_H

#include <crank/base.h>

enum { LEX_LONGEST = 255 }; /* characters of a name or number */

// clang-format off
typedef enum lex_kind {
    LEX_END, LEX_NUMBER, LEX_NAME,
    LEX_PLUS, LEX_MINUS, LEX_TIMES, LEX_OVER, LEX_POWER, LEX_OPEN, LEX_CLOSE, LEX_COMMA,
    LEX_LT, LEX_LE, LEX_GT, LEX_GE, LEX_EQ, LEX_NE,
    LEX_AND, LEX_OR, LEX_NOT,
} lex_kind;
// clang-format on

typedef struct lex_token {
    lex_kind kind;
    int line, column;           /* of its first character */
    double value;               /* LEX_NUMBER */
    char text[LEX_LONGEST + 1]; /* as written */
} lex_token;

typedef struct lex_state {
    const char *at; /* next character */
    int line, column;
    const char *number; /* the last one, for messages; NULL: another word has come since */
    int digits;
} lex_state;

/* The next word. Columns count characters (UTF-8), not bytes. */
crank_status crank_lex_next(lex_state *lex, lex_token *token, crank_error *err);

#endif
