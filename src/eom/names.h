/* names.h - names of unknowns, rows, constraints and initial conditions of an eom. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EOM_NAMES_H
#define CRANK_SRC_EOM_NAMES_H

#include "eom/eom.h"

/* Fills column_name, constraint_name and initial_name with copies, or with defaults (p1, p2,
 * ...; g1, h1, e1, n1; condition1) where none are given. names (may be NULL) is indexed by
 * group, names of lambda and mu are those of their constraints. false: out of memory (free
 * what was made). */
bool crank_eom_make_names(crank_eom *eom, const char *const *const *names,
                          const char *const *invariant_names, const char *const *initial_names);
void crank_eom_free_names(crank_eom *eom);

#endif
