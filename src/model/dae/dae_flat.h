/* dae_flat.h - a flat DAE (inline/flat.h) takes the road of `crank: dae` files. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DAE_FLAT_H
#define CRANK_SRC_DAE_FLAT_H

#include "inline/flat.h"
#include "model/dae/dae_inline.h"
#include "model/model.h"

/* Everything of a model but store, kind and origin. Parameters of flat are numbers by now
 * (inline/passes.h: all passes up to the derivatives); the record is used up. equations: as they
 * were before variables left them, for methods that translate. */
crank_status crank_dae_make_flat(crank_model *model, const crank_model_source *source,
                                 crank_flat *flat, const crank_dae_equations *equations,
                                 crank_error *err);
/* crank_dae_check of the same. */
crank_status crank_dae_check_flat(const crank_model_source *source, crank_flat *flat,
                                  bool formulas, crank_text *text, bool *fine,
                                  crank_error *err);

#endif
