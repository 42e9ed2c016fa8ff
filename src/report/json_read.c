/* json_read.c - a strict reader of JSON: a descent along the grammar of RFC 8259, one token
 * ahead. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/utf8.h"
#include "report/json.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 };

typedef struct reader {
    const char *start, *at;
    crank_json_fn *visit;
    void *user;
    char *string; /* the last string, without escapes */
    int depth;
    bool in_object[DEEPEST + 1];
    crank_error *err;
} reader;

static crank_status wrong(const reader *r, const char *what)
{
    return crank_fail(r->err, CRANK_ESYNTAX, "%s at byte %lld", what,
                      (long long)(r->at - r->start) + 1);
}

static void skip_space(reader *r)
{
    r->at += strspn(r->at, " \t\r\n");
}

static void tell(const reader *r, crank_json_event event, const char *text)
{
    if (r->visit != NULL) {
        r->visit(r->user, event, text);
    }
}

/* Four hexadecimal digits at c; -1 if there are none. */
static int32_t read_hex(const char *c)
{
    int32_t value = 0;

    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdef0123456789ABCDEF";
        const char *digit = c[i] != '\0' ? strchr(digits, c[i]) : NULL;
        if (digit == NULL) {
            return -1;
        }
        value = value * 16 + (int32_t)((digit - digits) % 16);
    }
    return value;
}

/* \uXXXX, or two of them that make one character; lone surrogates become the replacement
 * character. */
static crank_status read_code(reader *r, char **out)
{
    const int32_t first = read_hex(r->at + 1);

    if (first <= 0) {
        return wrong(r, first == 0 ? "a string with the character 0" : "a wrong \\u");
    }
    uint32_t code = (uint32_t)first;
    r->at += 5;
    if (code >= 0xd800 && code <= 0xdfff) {
        const int32_t second = r->at[0] == '\\' && r->at[1] == 'u' ? read_hex(r->at + 2) : -1;
        if (code <= 0xdbff && second >= 0xdc00 && second <= 0xdfff) {
            code = 0x10000 + ((code - 0xd800) << 10) + ((uint32_t)second - 0xdc00);
            r->at += 6;
        } else {
            code = 0xfffd;
        }
    }
    *out += crank_utf8_write(code, *out);
    return CRANK_OK;
}

static crank_status read_string(reader *r)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char *out = r->string;

    r->at++;
    while (*r->at != '"') {
        if ((unsigned char)*r->at < 0x20) {
            return wrong(r, *r->at == '\0' ? "a string without end" : "a control character");
        }
        if (*r->at != '\\') {
            *out++ = *r->at++;
            continue;
        }
        r->at++;
        const char *name = *r->at != '\0' ? strchr(names, *r->at) : NULL;
        if (name != NULL) {
            *out++ = values[name - names];
            r->at++;
        } else if (*r->at != 'u') {
            return wrong(r, "an unknown escape");
        } else {
            const crank_status status = read_code(r, &out);
            if (status != CRANK_OK) {
                return status;
            }
        }
    }
    *out = '\0';
    r->at++;
    return CRANK_OK;
}

static bool skip_digits(reader *r)
{
    const size_t count = strspn(r->at, "0123456789");

    r->at += count;
    return count > 0;
}

/* Tells the characters from start to here as they stand. */
static void tell_plain(reader *r, const char *start)
{
    const size_t length = (size_t)(r->at - start);

    memcpy(r->string, start, length);
    r->string[length] = '\0';
    tell(r, CRANK_JSON_PLAIN, r->string);
}

static crank_status read_number(reader *r)
{
    const char *start = r->at;

    r->at += *r->at == '-' ? 1 : 0;
    bool right = *r->at == '0' || skip_digits(r);
    r->at += *r->at == '0' ? 1 : 0;
    if (right && *r->at == '.') {
        r->at++;
        right = skip_digits(r);
    }
    if (right && (*r->at == 'e' || *r->at == 'E')) {
        r->at++;
        r->at += *r->at == '+' || *r->at == '-' ? 1 : 0;
        right = skip_digits(r);
    }
    if (!right) {
        return wrong(r, "a wrong number");
    }
    tell_plain(r, start);
    return CRANK_OK;
}

static crank_status read_scalar(reader *r)
{
    static const char *const words[] = {"true", "false", "null"};

    if (*r->at == '"') {
        const crank_status status = read_string(r);
        if (status == CRANK_OK) {
            tell(r, CRANK_JSON_STRING, r->string);
        }
        return status;
    }
    for (int i = 0; i < 3; i++) {
        if (strncmp(r->at, words[i], strlen(words[i])) == 0) {
            r->at += strlen(words[i]);
            tell_plain(r, r->at - strlen(words[i]));
            return CRANK_OK;
        }
    }
    return *r->at == '-' || (*r->at >= '0' && *r->at <= '9')
               ? read_number(r)
               : wrong(r, *r->at == '\0' ? "an early end" : "a character that fits nowhere");
}

static crank_status read_key(reader *r)
{
    skip_space(r);
    if (*r->at != '"') {
        return wrong(r, "no key");
    }
    const crank_status status = read_string(r);
    if (status != CRANK_OK) {
        return status;
    }
    tell(r, CRANK_JSON_KEY, r->string);
    skip_space(r);
    if (*r->at != ':') {
        return wrong(r, "no colon");
    }
    r->at++;
    skip_space(r);
    return CRANK_OK;
}

static crank_status open_container(reader *r, bool *empty)
{
    const bool object = *r->at == '{';

    if (r->depth == DEEPEST) {
        return wrong(r, "nested too deeply");
    }
    r->in_object[++r->depth] = object;
    tell(r, CRANK_JSON_OPEN, NULL);
    r->at++;
    skip_space(r);
    *empty = *r->at == (object ? '}' : ']');
    return *empty || !object ? CRANK_OK : read_key(r);
}

/* What follows a value: closing brackets, then a comma (*more) or the end. */
static crank_status after_value(reader *r, bool *more)
{
    skip_space(r);
    while (r->depth > 0 && *r->at == (r->in_object[r->depth] ? '}' : ']')) {
        tell(r, CRANK_JSON_CLOSE, NULL);
        r->depth--;
        r->at++;
        skip_space(r);
    }
    *more = r->depth > 0;
    if (!*more) {
        return *r->at == '\0' ? CRANK_OK : wrong(r, "more than one value");
    }
    if (*r->at != ',') {
        return wrong(r, *r->at == '\0' ? "an early end" : "no comma");
    }
    r->at++;
    skip_space(r);
    return r->in_object[r->depth] ? read_key(r) : CRANK_OK;
}

crank_status crank_json_read(const char *text, crank_json_fn *visit, void *user,
                             crank_error *err)
{
    reader r = {.start = text, .at = text, .visit = visit, .user = user, .err = err};
    crank_status status = CRANK_OK;
    bool more = true;

    r.string = malloc(strlen(text) + 1); /* strings do not grow when escapes are resolved */
    if (r.string == NULL) {
        return crank_fail(err, CRANK_EMEM, "reading %zu bytes of JSON", strlen(text));
    }
    skip_space(&r);
    if (*r.at != '{') {
        status = wrong(&r, "no object");
    }
    while (status == CRANK_OK && more) {
        bool empty = false;
        const bool container = *r.at == '{' || *r.at == '[';
        status = container ? open_container(&r, &empty) : read_scalar(&r);
        if (status == CRANK_OK && (!container || empty)) {
            status = after_value(&r, &more);
        }
    }
    free(r.string);
    return status;
}
