/* dae_flatten.h - `crank: equations` and `crank: dae` files as flat DAEs (inline/flat.h), for
 * methods inline-... and for the passes that are printed. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DAE_FLATTEN_H
#define CRANK_SRC_DAE_FLATTEN_H

#include "inline/flat.h"
#include "model/equations/equations.h"
#include "model/model.h"

/* Fills flat, whose store and pool the reading uses, and e, whose names, outputs, view and
 * settings of the run live there. general: a dae file. CRANK_EREFUSED with the reason: equations
 * that have no flat form. Also after a failure the caller frees flat. */
crank_status crank_equations_flatten(const crank_model_source *source, bool general,
                                     crank_flat *flat, crank_equations *e, crank_error *err);
/* dae_flatten_events.c: parameters that events set become discrete variables, `when` a relation,
 * resets reinit. */
crank_status crank_equations_flatten_events(const crank_equations *e, crank_flat *flat,
                                            crank_error *err);

#endif
