/* lexer.c - the characters of a Modelica file as tokens (Modelica 3.6, chapter 2 and appendix
 * A.1). Comments are left out. Columns count characters. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/grow.h"
#include "base/number.h"
#include "modelica/syntax.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const keywords[] = {
    "algorithm",   "and",          "annotation", "block",       "break",
    "class",       "connect",      "connector",  "constant",    "constrainedby",
    "der",         "discrete",     "each",       "else",        "elseif",
    "elsewhen",    "encapsulated", "end",        "enumeration", "equation",
    "expandable",  "extends",      "external",   "false",       "final",
    "flow",        "for",          "function",   "if",          "import",
    "impure",      "in",           "initial",    "inner",       "input",
    "loop",        "model",        "not",        "operator",    "or",
    "outer",       "output",       "package",    "parameter",   "partial",
    "protected",   "public",       "pure",       "record",      "redeclare",
    "replaceable", "return",       "stream",     "then",        "true",
    "type",        "when",         "while",      "within"};
enum { KEYWORDS = sizeof keywords / sizeof keywords[0] };

/* longest first */
static const char *const symbols[] = {
    ".+", ".-", ".*", "./", ".^", ":=", "<=", ">=", "==", "<>", "(", ")", "[", "]",
    "{",  "}",  ",",  ";",  ":",  "=",  "<",  ">",  "+",  "-",  "*", "/", "^", "."};
enum { SYMBOLS = sizeof symbols / sizeof symbols[0] };

typedef struct lexer {
    const char *at, *end;
    int line, column;
    crank_store *store;
    crank_mo_tokens *out;
    int capacity;
    crank_error *err;
} lexer;

static crank_status no_memory(const lexer *l)
{
    return crank_fail(l->err, CRANK_EMEM, "reading the file");
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char look(const lexer *l, int ahead)
{
    return (char)(l->end - l->at > ahead ? l->at[ahead] : '\0');
}

static void step(lexer *l)
{
    const char c = *l->at++;
    if (c == '\n') {
        l->line++;
        l->column = 1;
    } else if (((unsigned char)c & 0xC0u) != 0x80u) { /* not the rest of a character */
        l->column++;
    }
}

static crank_mo_place here(const lexer *l)
{
    return (crank_mo_place){l->line, l->column};
}

static crank_status add(lexer *l, crank_mo_token_kind kind, crank_mo_place place,
                        const char *from, size_t length, double number)
{
    crank_mo_tokens *t = l->out;
    crank_mo_token *more =
        crank_store_grow(l->store, t->token, t->count, &l->capacity, sizeof *t->token);
    const char *text = crank_store_copy(l->store, from, length);
    if (more == NULL || text == NULL) {
        return no_memory(l);
    }
    t->token = more;
    t->token[t->count++] =
        (crank_mo_token){.kind = kind, .place = place, .text = text, .number = number};
    return CRANK_OK;
}

/* blanks and comments; false: a comment does not end */
static bool skip(lexer *l)
{
    for (;;) {
        const char c = look(l, 0);
        if (l->at < l->end && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
            step(l);
        } else if (c == '/' && look(l, 1) == '/') {
            while (l->at < l->end && *l->at != '\n') {
                step(l);
            }
        } else if (c == '/' && look(l, 1) == '*') {
            step(l);
            step(l);
            while (l->at < l->end && !(look(l, 0) == '*' && look(l, 1) == '/')) {
                step(l);
            }
            if (l->at >= l->end) {
                return false;
            }
            step(l);
            step(l);
        } else {
            return true;
        }
    }
}

static char escaped(char c)
{
    switch (c) {
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case 'r':
        return '\r';
    case 'a':
        return '\a';
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'v':
        return '\v';
    case '\'':
    case '"':
    case '?':
    case '\\':
        return c;
    default:
        return '\0';
    }
}

/* a string or a quoted identifier: up to the same quote; kept: escapes stay as they are */
static crank_status quoted(lexer *l, bool kept, bool with_quotes)
{
    const crank_mo_place place = here(l);
    const char quote = *l->at;
    const char *first = l->at;
    char *text = malloc((size_t)(l->end - l->at) + 1);
    size_t length = 0;
    if (text == NULL) {
        return no_memory(l);
    }
    crank_status status = CRANK_OK;
    step(l);
    while (l->at < l->end && *l->at != quote && status == CRANK_OK) {
        if (*l->at == '\\') {
            const char c = escaped(look(l, 1));
            if (c == '\0') {
                status = crank_fail_at(l->err, CRANK_ESYNTAX, l->line, l->column,
                                       "\\%c is no escape of a string", look(l, 1));
                break;
            }
            if (kept) {
                text[length++] = '\\';
                text[length++] = look(l, 1);
            } else {
                text[length++] = c;
            }
            step(l);
            step(l);
        } else {
            text[length++] = *l->at;
            step(l);
        }
    }
    if (status == CRANK_OK && l->at >= l->end) {
        status = crank_fail_at(l->err, CRANK_ESYNTAX, place.line, place.column,
                               "%s that does not end; a %c is missing",
                               quote == '"' ? "a string" : "a quoted name", quote);
    } else if (status == CRANK_OK) {
        step(l);
        if (quote == '\'' && length == 0) {
            status = crank_fail_at(l->err, CRANK_ESYNTAX, place.line, place.column,
                                   "a quoted name without characters");
        } else {
            status = with_quotes
                         ? add(l, CRANK_MO_IDENT, place, first, (size_t)(l->at - first), 0.0)
                         : add(l, quote == '"' ? CRANK_MO_TEXT : CRANK_MO_IDENT, place, text,
                               length, 0.0);
        }
    }
    free(text);
    return status;
}

static crank_status number(lexer *l)
{
    const crank_mo_place place = here(l);
    const char *first = l->at;
    bool whole = true;
    char text[64];
    double value = 0.0;
    while (is_digit(look(l, 0))) {
        step(l);
    }
    if (look(l, 0) == '.' && strchr("+-*/^", look(l, 1)) == NULL) { /* 1.+x is 1 .+ x */
        whole = false;
        step(l);
    } else if (look(l, 0) == '.' && look(l, 1) == '\0') {
        whole = false;
        step(l);
    }
    while (!whole && is_digit(look(l, 0))) {
        step(l);
    }
    const int sign = look(l, 1) == '+' || look(l, 1) == '-' ? 1 : 0;
    if ((look(l, 0) == 'e' || look(l, 0) == 'E') && is_digit(look(l, 1 + sign))) {
        whole = false;
        step(l);
        while (sign > 0 && !is_digit(look(l, 0))) {
            step(l);
        }
        while (is_digit(look(l, 0))) {
            step(l);
        }
    }
    const size_t length = (size_t)(l->at - first);
    if (length >= sizeof text) {
        return crank_fail_at(l->err, CRANK_ESYNTAX, place.line, place.column,
                             "a number of %d characters; write at most %d", (int)length,
                             (int)sizeof text - 1);
    }
    memcpy(text, first, length);
    text[length] = '\0';
    if (!crank_number_parse(text, &value) || !isfinite(value)) {
        return crank_fail_at(l->err, CRANK_ESYNTAX, place.line, place.column,
                             "the number %s is too large", text);
    }
    return add(l, whole ? CRANK_MO_INTEGER : CRANK_MO_REAL, place, first, length, value);
}

static crank_status word(lexer *l)
{
    const crank_mo_place place = here(l);
    const char *first = l->at;
    while (is_letter(look(l, 0)) || is_digit(look(l, 0))) {
        step(l);
    }
    const size_t length = (size_t)(l->at - first);
    crank_mo_token_kind kind = CRANK_MO_IDENT;
    for (int i = 0; i < KEYWORDS; i++) {
        if (strlen(keywords[i]) == length && strncmp(keywords[i], first, length) == 0) {
            kind = CRANK_MO_KEYWORD;
        }
    }
    return add(l, kind, place, first, length, 0.0);
}

static crank_status symbol(lexer *l)
{
    for (int i = 0; i < SYMBOLS; i++) {
        const size_t length = strlen(symbols[i]);
        if ((size_t)(l->end - l->at) >= length && strncmp(l->at, symbols[i], length) == 0) {
            const crank_mo_place place = here(l);
            for (size_t k = 0; k < length; k++) {
                step(l);
            }
            return add(l, CRANK_MO_SYMBOL, place, symbols[i], length, 0.0);
        }
    }
    const unsigned char c = (unsigned char)*l->at;
    return c > ' ' && c < 127
               ? crank_fail_at(l->err, CRANK_ESYNTAX, l->line, l->column,
                               "the character %c has no meaning here", c)
               : crank_fail_at(l->err, CRANK_ESYNTAX, l->line, l->column,
                               "a character (byte %d) that may stand in strings, comments and "
                               "quoted names only",
                               c);
}

/* the first line of Base Modelica is //! base 0.1.0 */
static bool says_base(const char *text, size_t length)
{
    static const char mark[] = "//! base";
    return length >= sizeof mark - 1 && strncmp(text, mark, sizeof mark - 1) == 0;
}

crank_status crank_mo_read_tokens(const char *text, size_t length, bool base,
                                  crank_store *store, crank_mo_tokens *out, crank_error *err)
{
    const size_t mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    lexer l = {.at = text + mark,
               .end = text + length,
               .line = 1,
               .column = 1,
               .store = store,
               .out = out,
               .err = err};
    *out = (crank_mo_tokens){.base = base || says_base(l.at, length - mark)};
    crank_status status = CRANK_OK;
    while (status == CRANK_OK) {
        const crank_mo_place place = here(&l);
        if (!skip(&l)) {
            return crank_fail_at(err, CRANK_ESYNTAX, place.line, place.column,
                                 "a comment that does not end; */ is missing");
        }
        if (l.at >= l.end) {
            return add(&l, CRANK_MO_FINISH, here(&l), "", 0, 0.0);
        }
        const char c = *l.at;
        status = is_letter(c)                                         ? word(&l)
                 : is_digit(c) || (c == '.' && is_digit(look(&l, 1))) ? number(&l)
                 : c == '"'                                           ? quoted(&l, false, false)
                 : c == '\'' ? quoted(&l, true, !out->base)
                             : symbol(&l);
    }
    return status;
}
