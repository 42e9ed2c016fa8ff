/* mechanism_model.h - the model that a mechanism's system becomes. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MECHANISM_MODEL_H
#define CRANK_SRC_MECHANISM_MODEL_H

#include "mechanics/output.h"
#include "model/model.h"

/* Is there anything that moves, and nothing that only equations files can? */
crank_status crank_mechanism_check(const crank_mechanism *m, const crank_document *document,
                                   crank_error *err);
/* All that the model has of the builder and its system, whose eom becomes the model's. */
crank_status crank_mechanism_keep(crank_model *model, crank_builder *b, crank_system *s,
                                  const crank_energy_work *work, crank_error *err);

#endif
