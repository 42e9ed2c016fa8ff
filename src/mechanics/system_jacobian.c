/* system_jacobian.c - derivatives of the rows of a mechanism: those of the bodies themselves,
 * of constraints and of laws, theory (7.11)-(7.13).
 *
 * Entries are added in a fixed order; crank_fill maps the order to places
 * (system_pattern.c). */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/law.h"

#include <string.h>

void crank_system_fill(crank_system *s, double t, const double *x, crank_fill *fill)
{
    const crank_coordinates_kind *coordinates = s->coordinates.kind;
    coordinates->fill(s, fill);
    if (s->coordinates.chain != NULL) {
        crank_system_balances(s, NULL);
    }
    crank_system_constraints(s, &(crank_wanted){.x = x, .fill = fill});
    for (int i = 0; i < s->law_count; i++) {
        crank_law_jacobian(s->law[i], s, t, x, fill);
    }
    if (coordinates->end_fill != NULL) {
        coordinates->end_fill(s, fill);
    }
}

const char *crank_system_culprit(void *self, double t, const double *x, crank_place *place)
{
    crank_system *s = self;
    crank_system_rows_point(s, t, x);
    for (int i = 0; i < s->law_count; i++) {
        if (!crank_law_is_smooth(s->law[i], s, t, x)) {
            *place = crank_law_origin(s->law[i]);
            return crank_law_label(s->law[i]);
        }
    }
    return NULL;
}

crank_status crank_system_jacobian(void *self, double t, const double *x, const double *vdot,
                                   double *values, crank_error *err)
{
    crank_system *s = self;
    const size_t count = (size_t)s->eom->jacobian_pattern.start[s->eom->n];
    crank_fill fill = {.map = s->map, .values = s->values};
    (void)vdot; /* M = I */
    (void)err;
    memset(s->values, 0, (count + 1) * sizeof *s->values);
    const crank_coordinates_kind *kind = s->coordinates.kind;
    if (kind->derivatives == NULL || !kind->derivatives(s, t, x, &fill)) {
        crank_system_rows_point(s, t, x);
        crank_system_fill(s, t, x, &fill);
    }
    memcpy(values, s->values, count * sizeof *values);
    return CRANK_OK;
}
