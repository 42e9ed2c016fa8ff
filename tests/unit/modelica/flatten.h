/* flatten.h - Modelica from strings, for the tests of these directories. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_FLATTEN_H
#define CRANK_TESTS_FLATTEN_H

#include "check.h"

#include "modelica/modelica.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct flattened {
    crank_store store;
    crank_mo_file file;
    crank_flat flat;
} flattened;

static inline crank_status flatten_with(const char *text, const crank_mo_options *options,
                                        flattened *out, crank_error *err)
{
    *out = (flattened){0};
    const crank_status status =
        crank_mo_parse(text, strlen(text), false, 0, &out->store, &out->file, err);
    return status == CRANK_OK ? crank_mo_flatten(&out->file, options, &out->flat, err) : status;
}

static inline void flatten_close(flattened *f)
{
    crank_flat_free(&f->flat);
    crank_store_free(&f->store);
}

static inline flattened flatten(const char *text)
{
    const crank_mo_options options = {0};
    crank_error err = {0};
    flattened out;
    CHECK_OK(flatten_with(text, &options, &out, &err), err);
    return out;
}

/* the text of an expression; a buffer of the caller */
static inline const char *written(const crank_flat *flat, crank_ex ex, char *text, size_t size)
{
    (void)crank_ex_print(flat->pool, ex, text, size);
    return text;
}

/* Equation i reads so. */
static inline void check_equation(const crank_flat *flat, int i, const char *left,
                                  const char *right)
{
    char text[400];
    assert_true(i < flat->equation_count);
    assert_string_equal(written(flat, flat->equation[i].left, text, sizeof text), left);
    assert_string_equal(written(flat, flat->equation[i].right, text, sizeof text), right);
}

static inline int variable_named(const crank_flat *flat, const char *name)
{
    for (int i = 0; i < flat->variable_count; i++) {
        if (strcmp(flat->variable[i].name, name) == 0) {
            return i;
        }
    }
    print_error("no variable %s\n", name);
    fail();
    return 0;
}

/* A text is refused at this place with a message that contains this. */
static inline void check_refused(const char *text, int line, int column, const char *message)
{
    const crank_mo_options options = {0};
    crank_error err = {0};
    flattened out;
    const crank_status status = flatten_with(text, &options, &out, &err);
    if (status == CRANK_OK || err.line != line || err.column != column ||
        strstr(err.text, message) == NULL) {
        print_error("expected %d:%d: %s\ngot      %d:%d: %s\nfor\n%s\n", line, column, message,
                    err.line, err.column, err.text, text);
        fail();
    }
    flatten_close(&out);
}

#endif
