/* dae_translated.h - translated equations of a flat DAE (inline/inline.h) as an eom, for methods
 * inline-... alone, sparse throughout.
 *
 *     unknowns     variables and derivatives of all orders u, then discrete variables
 *     rows         n: the model's equations with hidden ones F(u, t) = 0, and conditions of the
 *                  start, which vanish but while it is looked for
 *
 * dae_translated.c evaluates, dae_translated_model.c makes the model, dae_inline.c is the code
 * of steps. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DAE_TRANSLATED_H
#define CRANK_SRC_DAE_TRANSLATED_H

#include "model/dae/dae_fill.h"
#include "model/dae/dae_supply.h"

/* Constant; of the model. */
struct crank_dae_translated {
    int rows;            /* F; the eom's other rows are conditions */
    int entries;         /* of all rows' derivatives, by columns: start, row */
    int *start, *row;    /* n + 1; entries */
    int *next;           /* n: the unknown that is the derivative, -1 */
    bool slopes_of_rest; /* relations have unknowns without one */
};

/* The supplier of eom (sizes p and n, names), with its pattern. */
crank_status crank_dae_supply_translated(const crank_dae_fill *w, crank_model *model,
                                         crank_dae_supplier **out, crank_error *err);
/* Rates of all unknowns, of those without a derivative from F' = 0: into the inputs. */
crank_status crank_dae_follow_rates(crank_dae_supplier *s, double t, const double *x,
                                    crank_error *err);
/* dae_guess.c: unknowns that nobody gives, as far as they follow one by one. */
crank_status crank_dae_guess_rest(crank_dae_supplier *s, double t, double *x,
                                  const crank_fixing *fixing, crank_error *err);
/* crank_eom_initialize with conditions of the start. */
crank_status crank_dae_find_translated_start(void *self, double t, double *x,
                                             const crank_fixing *fixing, double *reached,
                                             crank_initial_report *report, crank_log log,
                                             crank_error *err);

#endif
