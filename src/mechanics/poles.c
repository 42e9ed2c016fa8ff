/* poles.c - positions where a force has no direction or no bound: ends of a spring that meet,
 * half a turn across the axis of a torsional spring, theory (7.36), half a turn of a bushing,
 * theory (7.38). Of the first two a primitive, the square of a vector, is zero there; of the
 * third 1 + sum a_i.b_i = 4 cos^2(turn/2). Motions that go there end there, in steps that
 * shrink to nothing, and are told why. The torque of a bushing is finite and turns round, so
 * that steps may lead across: then sin(turn) times its axis has turned round, too. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "mechanics/build_inside.h"
#include "mechanics/law.h"

#include <math.h>
#include <string.h>

/* length of the vector over its size: what is called near when no step succeeds. Steps shrink
 * with the distance, however loose the tolerance is, so that they end much nearer. */
static const double near = 1e-2;

void crank_build_pole(crank_builder *b, crank_owner owner, int primitive, double size,
                      const char *what)
{
    if (primitive >= 0 && size > 0.0) {
        (void)CRANK_BUILD_PUSH(b, b->pole,
                               (crank_pole){.owner = owner,
                                            .primitive = primitive,
                                            .size = size,
                                            .what = what,
                                            .product = {-1}});
    }
}

void crank_build_half_turn(crank_builder *b, crank_owner owner, const int product[9])
{
    crank_pole pole = {.owner = owner,
                       .primitive = -1,
                       .size = 2.0,
                       .what = "half a turn of its ends against each other, where its torque "
                               "turns round",
                       .memory = b->memory.count};
    memcpy(pole.product, product, sizeof pole.product);
    for (int i = 0; i < 3; i++) {
        (void)CRANK_BUILD_PUSH(b, b->memory, 0.0);
    }
    if (product[0] >= 0) {
        (void)CRANK_BUILD_PUSH(b, b->pole, pole);
    }
}

bool crank_system_take_poles(crank_system *s, const crank_builder *b)
{
    s->pole_count = b->pole.count;
    s->pole = crank_store_take(&s->store, (size_t)b->pole.count, sizeof *s->pole);
    for (int i = 0; i < b->pole.count && !s->store.failed; i++) {
        s->pole[i] = b->pole.item[i];
        s->looks = s->looks || b->pole.item[i].product[0] >= 0;
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

static double value_of(const crank_system *s, const crank_pole *pole, int i, int j)
{
    return s->local[pole->product[3 * i + j]].y;
}

/* the length that is zero at the pole */
static double length_at(const crank_system *s, const crank_pole *pole)
{
    const double square =
        pole->product[0] < 0
            ? s->local[pole->primitive].y
            : 1.0 + value_of(s, pole, 0, 0) + value_of(s, pole, 1, 1) + value_of(s, pole, 2, 2);
    return sqrt(fabs(square));
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
        const double length = length_at(s, pole);
        const crank_law *owner = law_of(s, pole->owner);
        if (length < least * pole->size && owner != NULL) {
            least = length / pole->size;
            distance = length;
            what = pole->what;
            law = owner;
        }
    }
    return law == NULL ? crank_system_find_table_end(s, t, x, err)
                       : crank_fail_place(err, CRANK_ESTOP_EQUATIONS, crank_law_origin(law),
                                          "%s: no step succeeds at t = %.10g, %.2g from %s",
                                          crank_law_label(law), t, distance, what);
}

crank_status crank_system_pass_poles(crank_system *s, double t, crank_error *err)
{
    crank_status status = CRANK_OK;
    for (int i = 0; i < s->pole_count; i++) {
        const crank_pole *pole = &s->pole[i];
        if (pole->product[0] < 0) {
            continue;
        }
        double *before = s->memory + pole->memory, r[3], cosine = -0.5;
        for (int k = 0; k < 3; k++) {
            const int j = (k + 1) % 3;
            const int l = (k + 2) % 3;
            r[k] = 0.5 * (value_of(s, pole, l, j) - value_of(s, pole, j, l));
            cosine += 0.5 * value_of(s, pole, k, k);
        }
        const crank_law *law = law_of(s, pole->owner);
        if (cosine < 0.0 && crank_dot3(r, before) < 0.0 && status == CRANK_OK && law != NULL) {
            status = crank_fail_place(err, CRANK_ESTOP_EQUATIONS, crank_law_origin(law),
                                      "%s: the step to t = %.10g leads across %s",
                                      crank_law_label(law), t, pole->what);
        }
        memcpy(before, r, sizeof r);
    }
    return status;
}
