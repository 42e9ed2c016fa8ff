/* read_model.h - models from strings, for the tests of this directory. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_READ_MODEL_H
#define CRANK_TESTS_READ_MODEL_H

#include "check.h"
#include "one_state.h"

#include <crank/model.h>

#include "eom/eom.h"

#include <stdlib.h>

static inline crank_state *read_with(const char *text, const crank_model_options *options)
{
    crank_state *model = NULL;
    crank_error err = {0};
    const crank_status status =
        one_state_read_text("test", text, strlen(text), options, &model, &err);
    CHECK_OK(status, err);
    return model;
}

static inline crank_state *read_model(const char *text)
{
    return read_with(text, NULL);
}

/* column of a name in x */
static inline int unknown(crank_state *model, const char *name)
{
    const crank_eom *eom = crank_state_eom(model);
    for (int i = 0; i < crank_eom_unknowns(eom); i++) {
        if (strcmp(crank_eom_column_name(eom, i), name) == 0) {
            return i;
        }
    }
    print_error("no unknown %s\n", name);
    fail();
    return 0;
}

/* A text must be refused with this status, place and message. */
static inline void refuse(const char *text, crank_status expected, int line, int column,
                          const char *message)
{
    crank_state *model = NULL;
    crank_error err = {0};
    const crank_status status =
        one_state_read_text("test", text, strlen(text), NULL, &model, &err);
    if (status != expected || err.line != line || err.column != column ||
        strcmp(err.text, message) != 0) {
        print_error("expected %s %d:%d: %s\ngot      %s %d:%d: %s\nfor\n%s\n",
                    crank_status_name(expected), line, column, message,
                    crank_status_name(status), err.line, err.column, err.text, text);
        fail();
    }
    assert_int_equal(err.status, expected);
    assert_null(model);
}

#endif
