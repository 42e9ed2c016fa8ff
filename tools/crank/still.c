/* still.c - see still.h.
 *
 * Rods of equal length side by side, the Bennett linkage and their like move because joints
 * that repeat others agree with them. With numbers that are rounded they do not: such a loop
 * closes nowhere, or in some positions, each of which is rigid. */
// SPDX-License-Identifier: BSD-3-Clause
#include "still.h"

#include <stdlib.h>
#include <string.h>

const char still_text[] = "nothing can move: there is no degree of freedom, and no drive";
const char still_remedy[] = "(rods side by side and the like move if their numbers agree "
                            "exactly: sqrt(3)/2, not 0.866)";

static const double noticeable = 1e-9; /* of residuals over their scale: not rounding */

/* Do constraints ask for speeds at any position, as `nonholonomic: vx - 3` does? */
static bool asks_for_speed(const session *s)
{
    const size_t n = (size_t)s->n;
    const int first = crank_eom_column(s->eom, CRANK_V);
    const int count = crank_eom_get_sizes(s->eom).v;
    double residual[3] = {0.0, 0.0, 0.0}, *rest = malloc(n * sizeof *rest);

    if (rest == NULL) {
        return false;
    }
    memcpy(rest, s->x, n * sizeof *rest);
    memset(rest + first, 0, (size_t)count * sizeof *rest);
    const crank_status status = crank_eom_residuals(s->eom, s->t_start, rest, residual, NULL);
    free(rest);
    return status == CRANK_OK && residual[1] > noticeable;
}

/* Do constraints change with time, as drives do? Looked at while x stands still. */
static bool anything_drives(const session *s)
{
    static const double part[] = {0.0, 0.1, 0.37, 0.61};
    const double length = crank_model_simulate(s->model)->t_end - s->t_start;
    double first[2] = {0.0, 0.0};

    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        double residual[3];
        if (crank_eom_residuals(s->eom, s->t_start + part[i] * length, s->x, residual, NULL) !=
            CRANK_OK) {
            continue;
        }
        for (int level = 0; level < 2; level++) {
            if (i > 0 && residual[level] > first[level] + noticeable) {
                return true;
            }
            first[level] = i == 0 ? residual[level] : first[level];
        }
    }
    return false;
}

bool session_stands_still(const session *s, int freedom)
{
    return crank_eom_get_sizes(s->eom).v > 0 && freedom == 0 && !anything_drives(s) &&
           !asks_for_speed(s);
}
