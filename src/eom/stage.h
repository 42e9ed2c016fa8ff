/* stage.h - what an explicit method asks of the equations at a point: rates of the differential
 * unknowns, and the equations that determine the algebraic ones, z = (w, lambda, mu, s):
 *
 *     0 = (d, gII, hI, c)(z),     (r', M v') = (b, f_dyn)(z),     p' = f_kin       theory (9.1)
 *
 * Only the derivatives of these rows by z are needed: a small part of the Jacobian, its stage
 * entries. A supplier that can have them cheaply does so (crank_eom_supplier.stage); for others
 * they are taken from the whole. The rows g, gI, h come along: the end of a step is projected
 * onto them with the same matrix. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_STAGE_H
#define CRANK_SRC_STAGE_H

#include "eom/eom.h"

/* The stage entries: those of the Jacobian's pattern in columns w, lambda, mu, s (in this
 * order) and rows d, gII, hI, c, b, f_dyn; or the supplier's own list of such derivatives
 * (eom->stage_entries), whose rows may say the same in another way: explicit auxiliary unknowns
 * replaced by what they are, v' instead of M v'. */
typedef struct crank_stage_entries {
    int unknowns; /* z */
    int count;
    int *start; /* unknowns + 1 */
    int *row;   /* count, into k */
    int *entry; /* count, into the Jacobian's values; unused with a supplier's own list */
} crank_stage_entries;

/* The group of a row is one of an explicit method's with derivatives. */
bool crank_stage_has_row(const crank_eom *eom, int row);
/* The column of the i-th algebraic unknown, and its inverse (-1: not algebraic). */
int crank_stage_column(const crank_eom *eom, int i);
int crank_stage_unknown(const crank_eom *eom, int column);
/* The place of a row among d, gII, hI, c; -1: none of them. */
int crank_stage_equation(const crank_eom *eom, int row);

/* The stage entry (row, column); one that is not there: behind the last. */
int crank_stage_entry_at(const crank_eom *eom, const crank_stage_entries *entries, int row,
                         int column);

crank_status crank_stage_entries_create(const crank_eom *eom, const crank_pattern *jacobian,
                                        crank_stage_entries *out, crank_error *err);
void crank_stage_entries_destroy(crank_stage_entries *entries);

/* The same for suppliers without a hook of their own. */
crank_status crank_stage_from_jacobian(crank_eom *eom, const crank_stage_entries *entries,
                                       double t, const double *x, double *k, double *values,
                                       double *work, crank_error *err);

/* Rows of k (m; the invariants e and n are undefined) and the stage entries at (t, x), which
 * have room for one more: what is never used. work: as many doubles as the Jacobian has
 * non-zeros. */
static inline crank_status crank_eom_evaluate_stage(crank_eom *eom,
                                                    const crank_stage_entries *entries,
                                                    double t, const double *x, double *k,
                                                    double *values, double *work,
                                                    crank_error *err)
{
    return eom->supplier.stage != NULL
               ? eom->supplier.stage(eom->self, t, x, k, values, err)
               : crank_stage_from_jacobian(eom, entries, t, x, k, values, work, err);
}

#endif
