/* scene_text.h - the scene of a mechanism, as text, and numbers in it. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_SCENE_TEXT_H
#define CRANK_TESTS_SCENE_TEXT_H

#include "json.h"
#include "unit/mechanics/mechanism.h"

static const double exact = 1e-8; /* numbers in a scene have nine digits */

static inline char *scene_of(mechanism *m)
{
    char *text = NULL;
    CHECK_OK(crank_model_scene(crank_state_model(m->model), &text, &m->err), m->err);
    assert_non_null(text);
    if (!json_is_valid(text)) {
        print_error("not JSON: %s\n", text);
        fail();
    }
    return text;
}

static inline void vector(const char *scene, const char *path, double out[3])
{
    for (int i = 0; i < 3; i++) {
        char full[80];
        (void)snprintf(full, sizeof full, "%.60s.%d", path, i);
        out[i] = json_number(scene, full);
    }
}

#endif
