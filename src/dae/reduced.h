/* reduced.h - what follows from a complete run of the procedure on all equations; memory of
 * p->store. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DAE_REDUCED_H
#define CRANK_SRC_DAE_REDUCED_H

#include "dae/procedure.h"

/* report->reduced */
crank_status crank_dae_reduce(crank_dae_procedure *p, crank_dae_report *report,
                              crank_error *err);
/* report->undetermined, freedom */
crank_status crank_dae_find_undetermined(crank_dae_procedure *p, crank_dae_report *report,
                                         crank_error *err);
/* report->redundant */
crank_status crank_dae_find_redundant(crank_dae_procedure *p, crank_dae_report *report,
                                      crank_error *err);

#endif
