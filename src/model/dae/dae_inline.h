/* dae_inline.h - the code of steps (eom/inlined.h) of translated equations. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DAE_INLINE_H
#define CRANK_SRC_DAE_INLINE_H

#include "eom/inlined.h"
#include "inline/inline.h"
#include "model/model.h"

typedef struct crank_dae_inline crank_dae_inline;
/* The model's eom, whose unknowns are those of `in` and discrete variables, gets its code.
 * Takes over flat, which is empty then, and in whose store `in` is. */
crank_status crank_dae_keep_inlined(crank_model *model, crank_flat *flat, crank_inline *in,
                                    const char *cache, crank_error *err);
void crank_dae_inline_destroy(crank_dae_inline *self);

#endif
