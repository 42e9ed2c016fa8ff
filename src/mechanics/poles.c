/* poles.c - positions where a force or a joint has no direction or no bound: ends of a spring
 * that meet, half a turn across the axis of a torsional spring, theory (7.51), half a turn of a
 * bushing, theory (7.53), a wheel that lies flat, theory (7.21). Of the first two a primitive,
 * the square of a vector, is zero there; of the third 1 + sum a_i.b_i = 4 cos^2(turn/2).
 * Motions that go there end there, in steps that shrink to nothing, and the reason is reported.
 *
 * Steps may lead across unawares. The torque of a bushing is finite and turns round: then
 * sin(turn) times its axis has turned round, too. Of the turn y = 2 atan(q.a/q_0) of a
 * torsional spring sine and cosine are the same on both sides of its pole; half the angle is
 * not: (q_0, q.a), with quaternions that do not change their sign, is r (cos y/2, sin y/2)
 * before and -r (...) behind, theory (7.52). So runs end there by every method. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "mechanics/build_inside.h"
#include "mechanics/law.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* length of the vector over its size: what is called near when no step succeeds. Steps shrink
 * with the distance, however loose the tolerance is, so that they end much nearer. */
static const double near = 1e-3;

void crank_build_pole(crank_builder *b, crank_owner owner, int primitive, double size,
                      const char *what)
{
    if (primitive >= 0 && size > 0.0) {
        (void)CRANK_BUILD_PUSH(b, b->pole,
                               (crank_pole){.owner = owner,
                                            .primitive = primitive,
                                            .size = size,
                                            .what = what,
                                            .angle = -1,
                                            .product = {-1}});
    }
}

void crank_build_cosine_pole(crank_builder *b, crank_owner owner, int primitive,
                             const char *what)
{
    const int before = b->pole.count;
    crank_build_pole(b, owner, primitive, 1.0, what);
    if (b->pole.count > before) {
        b->pole.item[before].cosine = true;
    }
}

void crank_build_half_turn(crank_builder *b, crank_owner owner, const int product[9],
                           crank_ex scale)
{
    crank_pole pole = {.owner = owner,
                       .primitive = -1,
                       .size = 2.0,
                       .what = "half a turn of its ends against each other, where its torque "
                               "turns round",
                       .angle = -1,
                       .memory = b->memory.count,
                       .scaled = scale >= 0,
                       .scale = scale};
    memcpy(pole.product, product, sizeof pole.product);
    for (int i = 0; i < 3; i++) {
        (void)CRANK_BUILD_PUSH(b, b->memory, 0.0);
    }
    if (product[0] >= 0) {
        (void)CRANK_BUILD_PUSH(b, b->pole, pole);
    }
}

void crank_build_turn_pole(crank_builder *b, crank_owner owner, int primitive,
                           const int body[2], const double axis[3])
{
    const double length = crank_norm3(axis);
    crank_pole pole = {.owner = owner,
                       .primitive = primitive,
                       .size = 2.0,
                       .what = "half a turn across its axis, where its angle has no value and "
                               "its torque no bound",
                       .side = b->memory.count,
                       .body = {body[0], body[1]},
                       .product = {-1}};
    if (primitive < 0 || b->angle.count == 0) {
        return; /* no memory */
    }
    pole.angle = b->angle.item[b->angle.count - 1].memory;
    for (int i = 0; i < 3; i++) {
        pole.axis[i] = axis[i] / length;
    }
    for (int i = 0; i < 2; i++) {
        const double ground[4] = {1.0, 0.0, 0.0, 0.0};
        memcpy(pole.start[i], body[i] < 0 ? ground : crank_build_body(b, body[i])->q,
               sizeof pole.start[i]);
    }
    (void)CRANK_BUILD_PUSH(b, b->memory, 0.0);
    (void)CRANK_BUILD_PUSH(b, b->pole, pole);
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

crank_status crank_system_take_pole_scales(crank_system *s, crank_builder *b, crank_error *err)
{
    const size_t count = (size_t)s->pole_count;
    crank_ex *ex = crank_store_take(b->store, count, sizeof *ex);
    bool any = false;
    s->pole_scale = crank_store_take(&s->store, count, sizeof *s->pole_scale);
    if (s->store.failed || ex == NULL || s->pole_scale == NULL) {
        return count == 0 ? CRANK_OK : crank_fail(err, CRANK_EMEM, "building the mechanism");
    }
    for (size_t i = 0; i < count; i++) {
        const crank_pole *pole = &s->pole[i];
        any = any || pole->scaled;
        s->pole_scale[i] = 1.0;
        ex[i] = pole->scaled ? pole->scale : crank_ex_number(b->pool, 1.0);
    }
    return any ? crank_expressions_create(b, s->pole_count, ex, &s->pole_scales, err)
               : CRANK_OK;
}

/* Forces that are switched off have no poles. */
static void look_at_scales(crank_system *s, double t, const double *x)
{
    if (s->pole_scales != NULL) {
        crank_expressions_evaluate(s->pole_scales, s, t, x, s->pole_scale);
    }
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
    const double y = pole->product[0] < 0 ? s->local[pole->primitive].y : 0.0;
    const double square =
        pole->product[0] < 0
            ? (pole->cosine ? (1.0 - y) * (1.0 + y) : y)
            : 1.0 + value_of(s, pole, 0, 0) + value_of(s, pole, 1, 1) + value_of(s, pole, 2, 2);
    return sqrt(fabs(square));
}

/* turn of body i of the pole since the angle was 0, in world axes */
static void turn_since(const crank_system *s, const crank_pole *pole, int i, double turn[4])
{
    const double *q0 = pole->start[i];
    const double back[4] = {q0[0], -q0[1], -q0[2], -q0[3]};
    const double none[4] = {1.0, 0.0, 0.0, 0.0};
    crank_quaternion_multiply(turn, pole->body[i] < 0 ? none : s->state[pole->body[i]].q, back);
}

/* (q_0, q.a) . (cos y/2, sin y/2): positive or negative on one side of the pole */
static double side_of(const crank_system *s, const crank_pole *pole)
{
    const double half = 0.5 * s->memory[pole->angle];
    double turn[2][4], q[4];
    turn_since(s, pole, 0, turn[0]);
    turn_since(s, pole, 1, turn[1]);
    for (int i = 1; i < 4; i++) {
        turn[0][i] = -turn[0][i];
    }
    crank_quaternion_multiply(q, turn[0], turn[1]);
    return q[0] * cos(half) + crank_dot3(q + 1, pole->axis) * sin(half);
}

/* so near to the pole that the angle, which is known to eps/r^2, has no digit */
static bool is_blind(const crank_system *s, const crank_pole *pole)
{
    return fabs(s->local[pole->primitive].y) < 4.0 * DBL_EPSILON * pole->size * pole->size;
}

crank_status crank_system_watch_poles(crank_system *s, double t, crank_error *err)
{
    for (int i = 0; i < s->pole_count; i++) {
        const crank_pole *pole = &s->pole[i];
        const crank_law *law = pole->angle >= 0 ? law_of(s, pole->owner) : NULL;
        if (law == NULL) {
            continue;
        }
        double *side = &s->memory[pole->side];
        const double now = side_of(s, pole) > 0.0 ? 1.0 : -1.0;
        const bool reached = is_blind(s, pole);
        if (reached || now * *side < 0.0) {
            return crank_fail_place(err, CRANK_ESTOP_EQUATIONS, crank_law_origin(law),
                                    "%s: at t = %.10g the motion %s %s", crank_law_label(law),
                                    t, reached ? "reaches" : "is led across", pole->what);
        }
        *side = now;
    }
    return CRANK_OK;
}

crank_status crank_system_find_pole(void *self, double t, const double *x, crank_error *err)
{
    crank_system *s = self;
    const crank_law *law = NULL;
    double least = near, distance = 0.0;
    const char *what = "";
    crank_system_point(s, t, x);
    look_at_scales(s, t, x);
    for (int i = 0; i < s->pole_count; i++) {
        const crank_pole *pole = &s->pole[i];
        const double length = length_at(s, pole);
        const crank_law *owner = law_of(s, pole->owner);
        if (length < least * pole->size && owner != NULL && s->pole_scale[i] != 0.0) {
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

crank_status crank_system_pass_poles(crank_system *s, double t, const double *x,
                                     crank_error *err)
{
    crank_status status = CRANK_OK;
    look_at_scales(s, t, x);
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
        if (cosine < 0.0 && crank_dot3(r, before) < 0.0 && s->pole_scale[i] != 0.0 &&
            status == CRANK_OK && law != NULL) {
            status = crank_fail_place(err, CRANK_ESTOP_EQUATIONS, crank_law_origin(law),
                                      "%s: the step to t = %.10g leads across %s",
                                      crank_law_label(law), t, pole->what);
        }
        memcpy(before, r, sizeof r);
    }
    return status;
}
