/* lex.c - cuts an expression into words. Signs of other languages (=, **, &&, ||, !) are
 * refused with the spelling that is meant. */
// SPDX-License-Identifier: BSD-3-Clause
#include "symbolic/lex.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name_part(char c)
{
    return is_letter(c) || is_digit(c) || c == '.';
}

/* One byte on; the bytes after the first of a UTF-8 character do not count as columns. */
static void advance(lex_state *lex)
{
    const unsigned char c = (unsigned char)*lex->at++;
    if (c == '\n') {
        lex->line++;
        lex->column = 1;
    } else if (((unsigned char)*lex->at & 0xc0u) != 0x80u) {
        lex->column++;
    }
}

static void skip_blanks(lex_state *lex)
{
    while (*lex->at == ' ' || *lex->at == '\t' || *lex->at == '\n' || *lex->at == '\r') {
        advance(lex);
    }
}

/* Takes length characters, all of them ASCII, as the token's text. */
static crank_status take(lex_state *lex, lex_token *token, size_t length, crank_error *err)
{
    if (length > LEX_LONGEST) {
        return crank_fail_at(err, CRANK_ESYNTAX, token->line, token->column,
                             "\"%.20s...\" is longer than %d characters", lex->at, LEX_LONGEST);
    }
    memcpy(token->text, lex->at, length);
    token->text[length] = '\0';
    for (size_t i = 0; i < length; i++) {
        advance(lex);
    }
    return CRANK_OK;
}

static size_t digits(const char *c)
{
    size_t n = 0;
    while (is_digit(c[n])) {
        n++;
    }
    return n;
}

static crank_status take_number(lex_state *lex, lex_token *token, crank_error *err)
{
    const char *c = lex->at;
    size_t length = digits(c);
    if (c[length] == '.') {
        length += 1 + digits(c + length + 1);
    }
    if (c[length] == 'e' || c[length] == 'E') {
        const size_t sign = c[length + 1] == '+' || c[length + 1] == '-' ? 1 : 0;
        const size_t exponent = digits(c + length + 1 + sign);
        if (exponent > 0) {
            length += 1 + sign + exponent;
        }
    }
    const size_t number_length = length;
    while (is_name_part(c[length])) {
        length++;
    }
    token->kind = LEX_NUMBER;
    lex->number = c;
    lex->digits = (int)length;
    const crank_status status = take(lex, token, length, err);
    if (status != CRANK_OK) {
        return status;
    }
    if (length > number_length) {
        const int n = (int)number_length;
        if (strcmp(token->text + n, "deg") == 0) {
            return crank_fail_at(err, CRANK_ESYNTAX, token->line, token->column,
                                 "\"%s\" is no number; degrees are written %.*s deg",
                                 token->text, n, token->text);
        }
        return is_letter(token->text[n])
                   ? crank_fail_at(err, CRANK_ESYNTAX, token->line, token->column,
                                   "\"%s\" is no number; a product is written %.*s*%s",
                                   token->text, n, token->text, token->text + n)
                   : crank_fail_at(err, CRANK_ESYNTAX, token->line, token->column,
                                   "\"%s\" is no number", token->text);
    }
    if (!crank_number_parse(token->text, &token->value) || !isfinite(token->value)) {
        return crank_fail_at(err, CRANK_ESYNTAX, token->line, token->column,
                             "\"%s\" is out of range", token->text);
    }
    return CRANK_OK;
}

static crank_status take_name(lex_state *lex, lex_token *token, crank_error *err)
{
    size_t length = 0;
    while (is_name_part(lex->at[length])) {
        length++;
    }
    while (lex->at[length] == '\'') { /* a derivative: x' */
        length++;
    }
    const crank_status status = take(lex, token, length, err);
    token->kind = strcmp(token->text, "and") == 0   ? LEX_AND
                  : strcmp(token->text, "or") == 0  ? LEX_OR
                  : strcmp(token->text, "not") == 0 ? LEX_NOT
                                                    : LEX_NAME;
    return status;
}

static crank_status refuse_character(const lex_state *lex, const lex_token *token,
                                     crank_error *err)
{
    const unsigned char first = (unsigned char)*lex->at;
    char shown[16];
    if (first < 0x20u || first == 0x7fu) {
        (void)snprintf(shown, sizeof shown, "\\x%02x", (unsigned)first);
    } else {
        size_t n = 1; /* all bytes of one UTF-8 character */
        while (n < 4 && ((unsigned char)lex->at[n] & 0xc0u) == 0x80u) {
            n++;
        }
        (void)snprintf(shown, sizeof shown, "%.*s", (int)n, lex->at);
    }
    if (strcmp(shown, "°") == 0) {
        return crank_fail_at(err, CRANK_ESYNTAX, token->line, token->column,
                             "unexpected character \"°\"; degrees are written %.*s deg",
                             lex->number != NULL ? lex->digits : 5,
                             lex->number != NULL ? lex->number : "(...)");
    }
    return crank_fail_at(err, CRANK_ESYNTAX, token->line, token->column,
                         "unexpected character \"%s\"", shown);
}

/* Signs, the longer before the shorter ones that begin them. */
static const struct {
    const char *text;
    lex_kind kind;
    const char *remedy; /* not a sign of this language */
} signs[] = {
    {"**", LEX_END, "^ for a power"},
    {"&&", LEX_END, "and"},
    {"||", LEX_END, "or"},
    {"<=", LEX_LE, NULL},
    {">=", LEX_GE, NULL},
    {"==", LEX_EQ, NULL},
    {"!=", LEX_NE, NULL},
    {"=", LEX_END, "a - b for an equation a = b (what is zero is written), == to compare"},
    {"!", LEX_END, "not"},
    {"|", LEX_END, "abs(x) for a size, or between conditions"},
    {"<", LEX_LT, NULL},
    {">", LEX_GT, NULL},
    {"+", LEX_PLUS, NULL},
    {"-", LEX_MINUS, NULL},
    {"*", LEX_TIMES, NULL},
    {"/", LEX_OVER, NULL},
    {"^", LEX_POWER, NULL},
    {"(", LEX_OPEN, NULL},
    {")", LEX_CLOSE, NULL},
    {",", LEX_COMMA, NULL},
};

crank_status crank_lex_next(lex_state *lex, lex_token *token, crank_error *err)
{
    token->line = lex->line; /* the end stands right after the last word */
    token->column = lex->column;
    token->text[0] = '\0';
    token->kind = LEX_END;
    skip_blanks(lex);
    const char c = *lex->at;
    if (c == '\0') {
        return CRANK_OK;
    }
    token->line = lex->line;
    token->column = lex->column;
    if (is_digit(c) || (c == '.' && is_digit(lex->at[1]))) {
        return take_number(lex, token, err);
    }
    if (is_letter(c)) {
        lex->number = NULL;
        return take_name(lex, token, err);
    }
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const size_t length = strlen(signs[i].text);
        if (strncmp(lex->at, signs[i].text, length) != 0) {
            continue;
        }
        if (signs[i].remedy != NULL) {
            return crank_fail_at(err, CRANK_ESYNTAX, token->line, token->column,
                                 "unexpected \"%s\": write %s", signs[i].text, signs[i].remedy);
        }
        token->kind = signs[i].kind;
        lex->number = NULL;
        return take(lex, token, length, err);
    }
    return refuse_character(lex, token, err);
}
