/* features.c - narrow parts of a mechanism's equations (model/features.h): in all that forces,
 * joints and equations state. Their arguments are values and rates of primitives, variables and
 * the time. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/features.h"
#include "base/then.h"
#include "mechanics/law_inside.h"

#include <stdlib.h>

static crank_ex_role role_of(crank_ex symbol, const void *user)
{
    const crank_symbol_kind kind = crank_build_symbol(user, symbol).kind;
    return kind == CRANK_SYMBOL_TIME     ? CRANK_ROLE_TIME
           : kind == CRANK_SYMBOL_MEMORY ? CRANK_ROLE_CONSTANT
           : kind == CRANK_SYMBOL_OTHER || kind == CRANK_SYMBOL_NAMED || kind == CRANK_SYMBOL_Q
               ? CRANK_ROLE_UNKNOWN
               : CRANK_ROLE_VARIABLE;
}

/* all expressions of the rows */
static int list_rows(const crank_builder *b, crank_ex *out)
{
    int count = 0;
    for (int i = 0; i < b->holonomic.count; i++) {
        out[count++] = b->holonomic.item[i].primitive < 0 ? b->holonomic.item[i].ex : -1;
    }
    for (int i = 0; i < b->nonholonomic.count; i++) {
        out[count++] = b->nonholonomic.item[i].ex;
    }
    for (int i = 0; i < b->dynamic.count; i++) {
        out[count++] = b->dynamic.item[i].equation;
    }
    for (int i = 0; i < b->auxiliary.count; i++) {
        out[count++] = b->auxiliary.item[i].equation;
    }
    for (int i = 0; i < b->contact.count; i++) {
        out[count++] = b->contact.item[i].equation;
    }
    for (int i = 0; i < b->effort.count; i++) {
        out[count++] = b->effort.item[i].ex;
    }
    return count;
}

/* symbols of the parts, and where the system has their values */
static crank_status keep(crank_model *model, crank_builder *b, crank_system *s,
                         const crank_ex_features *found, crank_error *err)
{
    crank_law_inputs *inputs = calloc(1, sizeof *inputs);
    crank_ex *symbol = NULL;
    if (inputs == NULL) {
        return crank_fail(err, CRANK_EMEM, "narrow parts of the equations");
    }
    s->feature_inputs = inputs;
    crank_status status =
        crank_law_inputs_find(b, found->value_count, found->value, inputs, &symbol, err);
    CRANK_THEN(status, crank_model_keep_features(model, b->pool, found, inputs->count, symbol,
                                                 NULL, err));
    free(symbol);
    return status;
}

crank_status crank_mechanism_keep_features(crank_model *model, crank_builder *b,
                                           crank_system *s, crank_error *err)
{
    const size_t most = (size_t)b->holonomic.count + (size_t)b->nonholonomic.count +
                        (size_t)b->dynamic.count + (size_t)b->auxiliary.count +
                        (size_t)b->contact.count + (size_t)b->effort.count;
    crank_ex *rows = crank_store_take(b->store, most + 1, sizeof *rows);
    crank_ex_features found = {0};
    if (rows == NULL) {
        return crank_fail(err, CRANK_EMEM, "narrow parts of the equations");
    }
    crank_status status =
        crank_ex_find_features(b->pool, list_rows(b, rows), rows, role_of, b, &found, err);
    if (status == CRANK_OK && found.value_count > 0) {
        status = keep(model, b, s, &found, err);
    }
    crank_ex_features_free(&found);
    return status;
}

void crank_system_feature_inputs(void *self, double t, const double *x, double *inputs)
{
    crank_system *s = self;
    crank_system_rows_point(s, t, x); /* they are arguments of rows */
    crank_law_inputs_fetch(s->feature_inputs, s, t, x, inputs);
}

void crank_system_free_features(crank_system *s)
{
    if (s->feature_inputs != NULL) {
        free(s->feature_inputs->symbol);
        free(s->feature_inputs);
    }
}
