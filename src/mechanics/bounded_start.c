/* bounded_start.c - forces that start beyond what bounds them are told.
 *
 * The force of an actuator with `lag` and `limit` follows a bounded command, F' = (u - F)/lag, so
 * that it comes back within its bound. At the start it is what the file says (`start`), or what
 * conditions find, a rest under a load that the actuator cannot hold: nothing would tell of it. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"
#include "mechanics/known_start.h"

#include <math.h>

static const double rounding = 1e-9; /* of the bound */

void crank_build_bound(crank_builder *b, const char *force, crank_ex state, double limit,
                       double lag)
{
    (void)CRANK_BUILD_PUSH(
        b, b->bound, (crank_bound){.force = force, .state = state, .limit = limit, .lag = lag});
}

crank_status crank_system_take_bounds(crank_system *s, const crank_builder *b, crank_error *err)
{
    s->bound = crank_store_take(&s->store, (size_t)b->bound.count, sizeof *s->bound);
    if (s->store.failed) {
        return crank_fail(err, CRANK_EMEM, "building the mechanism");
    }
    for (int i = 0; i < b->bound.count && !b->coordinates->assembled; i++) {
        crank_bound bound = b->bound.item[i];
        bound.force = crank_store_print(&s->store, "%s", bound.force);
        bound.state = s->eom->column[CRANK_R] + crank_build_symbol(b, bound.state).index;
        s->bound[s->bound_count++] = bound;
    }
    return s->store.failed ? crank_fail(err, CRANK_EMEM, "building the mechanism") : CRANK_OK;
}

void crank_system_warn_bounds(const crank_system *s, const double *x, crank_log log)
{
    for (int i = 0; i < s->bound_count; i++) {
        const crank_bound *b = &s->bound[i];
        if (fabs(x[b->state]) > b->limit * (1.0 + rounding)) {
            crank_log_write(
                &log, CRANK_WARNING,
                "force \"%.80s\" starts at %.5g, beyond its `limit` of %.5g, and fades "
                "to what that allows within its `lag` of %.3g s; raise `limit`, or "
                "start where less is needed",
                b->force, x[b->state], b->limit, b->lag);
        }
    }
}
