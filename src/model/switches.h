/* switches.h - conditions of a model in t and parameters alone (`if(t < 0.1, ...)`), at which a
 * run ends its steps: theory 8.7. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MODEL_SWITCHES_H
#define CRANK_SRC_MODEL_SWITCHES_H

#include "base/switches.h"
#include "model/model.h"
#include "symbolic/symbolic.h"

/* Keeps those in the pool of a model that is made. parameters: those that are variables, in the
 * order of the kind's crank_model_functions.parameters. */
crank_status crank_model_keep_switches(crank_model *model, crank_pool *pool, crank_ex t,
                                       int count, const crank_ex *parameters, crank_error *err);
void crank_model_free_switches(crank_model *model);
/* Memory of a state. */
crank_status crank_switch_work_create(crank_state *state, crank_error *err);
/* A run from t to t_end starts behind what switches at t: from now on the equations see no time
 * before that. */
void crank_state_start_behind(crank_state *state, double t, double t_end);
/* count 0: there are none. Lives as long as the state. */
crank_switches crank_state_switches(crank_state *state);

#endif
