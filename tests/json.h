/* json.h - just enough of JSON for tests: checks a text as a whole, and finds values by paths
 * such as "bodies.0.name". */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_JSON_H
#define CRANK_TESTS_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* behind a string; NULL: not one */
static inline const char *json_string_end(const char *c)
{
    if (*c++ != '"') {
        return NULL;
    }
    for (; *c != '"'; c++) {
        if ((unsigned char)*c < ' ') {
            return NULL;
        }
        if (*c == '\\') {
            c++;
            if (*c == 'u') {
                if (strspn(c + 1, "0123456789abcdefABCDEF") < 4) {
                    return NULL;
                }
                c += 4;
            } else if (*c == '\0' || strchr("\"\\/bfnrt", *c) == NULL) {
                return NULL;
            }
        }
    }
    return c + 1;
}

/* behind a value; NULL: not one. Written without blanks, as crank does. */
static inline const char *json_end(const char *c)
{
    static const char *const words[] = {"true", "false", "null"};
    if (*c == '"') {
        return json_string_end(c);
    }
    if (*c == '{' || *c == '[') {
        const char close = *c == '{' ? '}' : ']';
        const bool pairs = *c++ == '{';
        if (*c == close) {
            return c + 1;
        }
        for (;; c++) {
            if (pairs) {
                c = json_string_end(c);
                if (c == NULL || *c++ != ':') {
                    return NULL;
                }
            }
            c = json_end(c);
            if (c == NULL || (*c != ',' && *c != close)) {
                return NULL;
            }
            if (*c == close) {
                return c + 1;
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        if (strncmp(c, words[i], strlen(words[i])) == 0) {
            return c + strlen(words[i]);
        }
    }
    const size_t length = strspn(c, "-+.0123456789e");
    return length > 0 && ((*c >= '0' && *c <= '9') || *c == '-') ? c + length : NULL;
}

static inline bool json_is_valid(const char *text)
{
    const char *end = json_end(text);
    return end != NULL && *end == '\0';
}

/* the value at a path; NULL: there is none */
static inline const char *json_at(const char *c, const char *path)
{
    while (c != NULL && *path != '\0') {
        const size_t length = strcspn(path, ".");
        const bool pairs = *c == '{';
        int left = pairs ? 0 : atoi(path);
        if ((*c != '{' && *c != '[') || c[1] == '}' || c[1] == ']') {
            return NULL;
        }
        for (c++;;) {
            bool found = !pairs && left-- == 0;
            if (pairs) {
                const char *end = json_string_end(c);
                found = (size_t)(end - c) == length + 2 && strncmp(c + 1, path, length) == 0;
                c = end + 1;
            }
            if (found) {
                break;
            }
            c = json_end(c);
            if (*c++ != ',') {
                return NULL;
            }
        }
        path += length + (path[length] == '.');
    }
    return c;
}

/* Is the value at the path written so? */
static inline bool json_is(const char *text, const char *path, const char *value)
{
    const char *at = json_at(text, path);
    return at != NULL && strncmp(at, value, strlen(value)) == 0 &&
           json_end(at) == at + strlen(value);
}

static inline double json_number(const char *text, const char *path)
{
    const char *at = json_at(text, path);
    if (at == NULL) {
        (void)fprintf(stderr, "nothing at %s\n", path);
        abort();
    }
    return strtod(at, NULL);
}

/* members of an array */
static inline int json_count(const char *text, const char *path)
{
    const char *c = json_at(text, path);
    int count = 0;
    if (c == NULL || *c != '[' || c[1] == ']') {
        return 0;
    }
    for (; c != NULL && *c != ']'; count++) {
        c = json_end(c + 1);
    }
    return count;
}

#endif
