/* features.h - narrow parts of a model's equations (a bump of a road, a table, conditions),
 * which steps may not pass unseen: theory 8.8. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MODEL_FEATURES_H
#define CRANK_SRC_MODEL_FEATURES_H

#include "base/features.h"
#include "model/model.h"
#include "symbolic/features.h"

/* Keeps what was found in the pool of a model that is made; inputs: the symbols on which it
 * depends. source: where their values are, 0 the time, 1 + j unknown j of the eom, behind
 * these parameters in the order of the kind's crank_model_functions.parameters; NULL: the kind
 * has crank_model_functions.inputs. */
crank_status crank_model_keep_features(crank_model *model, crank_pool *pool,
                                       const crank_ex_features *found, int input_count,
                                       const crank_ex *inputs, const int *source,
                                       crank_error *err);
/* The same for kinds whose symbols are the eom's unknowns (columns, n) and parameters (count):
 * finds them in the roots. */
crank_status crank_model_find_features(crank_model *model, crank_pool *pool, crank_ex t,
                                       const crank_ex *columns, int count,
                                       const crank_ex *parameters, int root_count,
                                       const crank_ex *roots, crank_error *err);
void crank_model_free_features(crank_model *model);
/* Memory of a state. */
crank_status crank_feature_work_create(crank_state *state, crank_error *err);
/* count 0: there are none. Lives as long as the state. */
crank_features crank_state_features(crank_state *state);

#endif
