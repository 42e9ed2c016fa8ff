/* poles.c - positions where a force has no direction or no bound: ends of a spring that meet,
 * half a turn across the axis of a torsional spring, theory (7.36). There a primitive, the
 * square of a vector, is zero. Motions that go there end there, in steps that shrink to
 * nothing, and are told why. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"
#include "mechanics/law.h"

#include <math.h>

/* length of the vector over its size: what is called near when no step succeeds. Steps shrink
 * with the distance, however loose the tolerance is, so that they end much nearer. */
static const double near = 1e-2;

void crank_build_pole(crank_builder *b, crank_owner owner, int primitive, double size,
                      const char *what)
{
    if (primitive >= 0 && size > 0.0) {
        (void)CRANK_BUILD_PUSH(
            b, b->pole,
            (crank_pole){.owner = owner, .primitive = primitive, .size = size, .what = what});
    }
}

bool crank_system_take_poles(crank_system *s, const crank_builder *b)
{
    s->pole_count = b->pole.count;
    s->pole = crank_store_take(&s->store, (size_t)b->pole.count, sizeof *s->pole);
    for (int i = 0; i < b->pole.count && !s->store.failed; i++) {
        s->pole[i] = b->pole.item[i];
    }
    return !s->store.failed;
}

static const crank_law *law_of(const crank_system *s, crank_owner owner)
{
    for (int i = 0; i < s->law_count; i++) {
        if (crank_owner_same(crank_law_owner(s->law[i]), owner)) {
            return s->law[i];
        }
    }
    return NULL;
}

crank_status crank_system_find_pole(void *self, double t, const double *x, crank_error *err)
{
    crank_system *s = self;
    const crank_law *law = NULL;
    double least = near, distance = 0.0;
    const char *what = "";
    crank_system_point(s, t, x);
    for (int i = 0; i < s->pole_count; i++) {
        const crank_pole *pole = &s->pole[i];
        const double length = sqrt(fabs(s->local[pole->primitive].y));
        const crank_law *owner = law_of(s, pole->owner);
        if (length < least * pole->size && owner != NULL) {
            least = length / pole->size;
            distance = length;
            what = pole->what;
            law = owner;
        }
    }
    return law == NULL ? CRANK_OK
                       : crank_fail_place(err, CRANK_ESTOP_EQUATIONS, crank_law_origin(law),
                                          "%s: no step succeeds at t = %.10g, %.2g from %s",
                                          crank_law_label(law), t, distance, what);
}
