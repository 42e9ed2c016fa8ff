/* one_state.h - a model with the one state of it that most tests want: read together, closed
 * together. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_ONE_STATE_H
#define CRANK_TESTS_ONE_STATE_H

#include <crank/model.h>

#include <stdint.h>

static inline crank_status one_state_of(crank_status status, crank_model *model,
                                        crank_state **out, crank_error *err)
{
    *out = NULL;
    status = status == CRANK_OK ? crank_state_create(model, out, err) : status;
    if (status != CRANK_OK) {
        crank_model_destroy(model);
    }
    return status;
}

static inline crank_status one_state_read(const char *path, const crank_model_options *options,
                                          crank_state **out, crank_error *err)
{
    crank_model *model = NULL;
    const crank_status status = crank_model_read(path, options, &model, err);
    return one_state_of(status, model, out, err);
}

static inline crank_status one_state_read_text(const char *name, const char *text,
                                               size_t length,
                                               const crank_model_options *options,
                                               crank_state **out, crank_error *err)
{
    crank_model *model = NULL;
    const crank_status status = crank_model_read_text(name, text, length, options, &model, err);
    return one_state_of(status, model, out, err);
}

static inline void one_state_close(crank_state *state)
{
    crank_model *model =
        state != NULL ? (crank_model *)(uintptr_t)crank_state_model(state) : NULL;
    crank_state_destroy(state);
    crank_model_destroy(model);
}

#endif
