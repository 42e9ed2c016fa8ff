/* absolute.h - what the files of absolute coordinates share. Not for others. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_ABSOLUTE_H
#define CRANK_SRC_ABSOLUTE_H

#include "mechanics/system.h"

static inline const crank_absolute_body *crank_absolute_of(const crank_system *s, int body)
{
    return &s->coordinates.absolute[body];
}

/* rows.c: functions of crank_coordinates_kind. */
void crank_absolute_states(crank_system *s, double t, const double *x);
void crank_absolute_state(const crank_system *s, int body, double t, const double *x,
                          crank_body_state *out);
void crank_absolute_rows(const crank_system *s, const double *x, double *k);
void crank_absolute_differential(crank_system *s, double t, const double *x, double *k);
void crank_absolute_fill(const crank_system *s, crank_fill *fill);

/* stage.c: the supplier's function for explicit methods; its places, once patterns are there;
 * values of its own. */
crank_status crank_absolute_stage(void *self, double t, const double *x, double *k,
                                  double *values, crank_error *err);
crank_status crank_absolute_stage_create(crank_system *s, crank_error *err);
bool crank_absolute_stage_share(crank_system *s, const crank_system *from);
void crank_absolute_stage_destroy(crank_system *s);

#endif
