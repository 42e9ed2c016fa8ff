/* dae_inline.h - the equations of a flat DAE for formulations that translate them
 * (eom/inlined.h). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DAE_INLINE_H
#define CRANK_SRC_DAE_INLINE_H

#include "eom/inlined.h"
#include "inline/flat.h"

/* The equations as they are before variables that one of them gives leave them. */
typedef struct crank_dae_equations {
    int variable_count, equation_count;
    crank_flat_variable *variable;
    crank_flat_equation *equation;
} crank_dae_equations;

/* In the store of flat. */
crank_status crank_dae_keep_equations(crank_flat *flat, crank_dae_equations *out,
                                      crank_error *err);

typedef struct crank_dae_inline crank_dae_inline;
/* What eom->inlined is for an eom of these unknowns. Takes over flat, which is empty then.
 * number: variables of flat, their number among the eom's unknowns, -1: none. */
crank_status crank_dae_inline_create(crank_flat *flat, const crank_dae_equations *equations,
                                     const int *number, int n, const char *cache,
                                     crank_dae_inline **out, crank_error *err);
const crank_inlined_source *crank_dae_inline_source(const crank_dae_inline *self);
void crank_dae_inline_destroy(crank_dae_inline *self);

#endif
