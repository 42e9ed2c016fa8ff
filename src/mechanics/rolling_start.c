/* rolling_start.c - wheels on tyres and rails start rolling where nothing gives how they turn.
 *
 * With start values found, the point of such a wheel on the road slides along by f = v_s.t_x
 * (forces/tyre_slip.c), which is linear in the wheel's angular velocity. With f_1 that of one
 * more unit of it about the axle a,
 *     omega += -f/(f_1 - f) a
 * makes it zero. The search goes on from there with omega as given. It is taken if the wheel
 * rolls then (wheels that are fixed on one axle: if the sum of their f vanishes), and the body on which it turns and all that the file gives move as before; wheels
 * that something holds, drives or gears otherwise keep what they had, the others roll. Those that
 * roll at the file's own start roll likewise at positions that are taken from a rest, where tyres
 * are deflected. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/rolling_start.h"

#include "linalg/rotation.h"
#include "mechanics/build_inside.h"
#include "mechanics/law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rounding = 1e-9; /* of the speed of its centre: it rolls */

void crank_build_wheel(crank_builder *b, int body, crank_marker axle, crank_ex slides)
{
    const crank_mechanism *m = b->mechanism;
    crank_wheel wheel = {.body = body, .carrier = -1, .centre = {.body = -1}, .slides = slides};
    for (int j = 0; j < m->joint_count; j++) {
        const bool turns = crank_record_has(&m->joint[j], CRANK_TURNS);
        const crank_field *ends = turns ? crank_record_find(&m->joint[j], "between") : NULL;
        for (int k = 0; k < 2 && ends != NULL; k++) {
            wheel.carrier = ends->index[k] == body ? ends->index[1 - k] : wheel.carrier;
        }
    }
    memcpy(wheel.axle, axle.u, sizeof wheel.axle);
    (void)CRANK_BUILD_PUSH(b, b->wheel, wheel);
}

void crank_build_wheel_of_set(crank_builder *b, crank_marker centre, crank_ex slides)
{
    static const double y[3] = {0.0, 1.0, 0.0};
    crank_marker axle = crank_build_local_direction(b, centre.body, y);
    double along[3];
    memcpy(along, centre.u, sizeof along); /* from the centre of mass */
    crank_wheel *first = NULL;
    for (int i = 0; i < b->wheel.count; i++) {
        first = b->wheel.item[i].centre.body == centre.body ? &b->wheel.item[i] : first;
    }
    if (first != NULL) {
        crank_add3(along, -1.0, first->centre.u);
    }
    const double length = crank_norm3(along);
    for (int i = 0; i < 3 && length > 0.0; i++) {
        axle.u[i] = along[i] / length;
    }
    if (first != NULL) {
        memcpy(first->axle, axle.u, sizeof first->axle);
        first->slides = crank_ex_add(b->pool, first->slides, slides);
        return;
    }
    crank_build_wheel(b, centre.body, axle, slides);
    if (!b->failed) {
        b->wheel.item[b->wheel.count - 1].centre = centre;
    }
}

crank_status crank_system_take_wheels(crank_system *s, crank_builder *b, crank_error *err)
{
    const size_t count = (size_t)b->wheel.count;
    crank_ex *ex = crank_store_take(b->store, count, sizeof *ex);
    s->wheel = crank_store_take(&s->store, count, sizeof *s->wheel);
    if (s->store.failed || ex == NULL || b->failed) {
        return crank_fail(err, CRANK_EMEM, "building the mechanism");
    }
    for (size_t i = 0; i < count; i++) {
        s->wheel[i] = b->wheel.item[i];
        ex[i] = b->wheel.item[i].slides;
    }
    s->wheel_count = b->wheel.count;
    return count == 0 ? CRANK_OK
                      : crank_expressions_create(b, s->wheel_count, ex, &s->sliding, err);
}

/* first column of its angular velocity if nothing gives that, else -1 */
static int open_spin(const crank_system *s, const crank_wheel *wheel,
                     const crank_fixing *fixing)
{
    const int spin = s->coordinates.kind->column(s, wheel->body, CRANK_PART_SPIN);
    bool open = spin >= 0;
    for (int k = 0; k < 3 && open; k++) {
        open = fixing[spin + k] == CRANK_FREE;
    }
    return open ? spin : -1;
}

static double speed_of(const crank_system *s, int body, double t, const double *x)
{
    crank_body_state state;
    s->coordinates.kind->state(s, body, t, x, &state);
    return crank_norm3(state.v);
}

static void fetch(crank_system *s, double t, const double *x, double *slides)
{
    crank_system_point(s, t, x);
    crank_expressions_evaluate(s->sliding, s, t, x, slides);
}

/* Wheels that may turn as they like and slide, but those that are held: rolling in x, as given
 * in fixing; their number. slides: 2 wheel_count, work. */
static int roll(crank_system *s, double t, double *x, crank_fixing *fixing, const bool *held,
                bool *rolls, double *slides)
{
    double *more = slides + s->wheel_count;
    int count = 0;
    fetch(s, t, x, slides);
    for (int i = 0; i < s->wheel_count; i++) {
        const crank_wheel *wheel = &s->wheel[i];
        const int spin = open_spin(s, wheel, fixing);
        rolls[i] = spin >= 0 && !held[i] &&
                   fabs(slides[i]) > rounding * speed_of(s, wheel->body, t, x);
        if (!rolls[i]) {
            continue;
        }
        crank_add3(x + spin, 1.0, wheel->axle);
        fetch(s, t, x, more);
        const double by = -slides[i] / (more[i] - slides[i]);
        crank_add3(x + spin, (isfinite(by) ? by : 0.0) - 1.0, wheel->axle);
        for (int k = 0; k < 3; k++) {
            fixing[spin + k] = CRANK_PREFERRED;
        }
        count++;
    }
    return count;
}

/* The body moves as before. */
static bool is_same(const crank_system *s, int body, double t, const double *x,
                    const double *before)
{
    crank_body_state now, then;
    s->coordinates.kind->state(s, body, t, x, &now);
    s->coordinates.kind->state(s, body, t, before, &then);
    const double length = s->eom->parts->length;
    const double speed = crank_norm3(then.v) + length * crank_norm3(then.omega);
    double off[2][3];
    for (int k = 0; k < 3; k++) {
        off[0][k] = now.v[k] - then.v[k];
        off[1][k] = now.omega[k] - then.omega[k];
    }
    return crank_norm3(off[0]) + length * crank_norm3(off[1]) <= rounding * speed;
}

/* Does a wheel that was to roll slide still? slides: at x. */
static bool still_slides(const crank_system *s, int i, double t, const double *before,
                         const double *slides)
{
    const double speed = speed_of(s, s->wheel[i].body, t, before);
    return !(fabs(slides[i]) <= 10.0 * rounding * speed);
}

/* All wheels roll, and neither what carries them nor what the file gives differs from
 * `before`. */
static bool is_better(crank_system *s, double t, const double *x, const double *before,
                      const crank_fixing *given, const bool *rolls, double *slides)
{
    const int first = s->eom->column[CRANK_V];
    bool good = true;
    fetch(s, t, x, slides);
    for (int i = 0; i < s->wheel_count; i++) {
        good = good && !(rolls[i] && still_slides(s, i, t, before, slides));
        good = good && (!rolls[i] || s->wheel[i].carrier < 0 ||
                        is_same(s, s->wheel[i].carrier, t, x, before));
    }
    for (int j = first; j < first + s->eom->sizes.v && good; j++) {
        good =
            given[j] == CRANK_FREE ||
            fabs(x[j] - before[j]) <= rounding * (fabs(before[j]) + crank_eom_unit(s->eom, j));
    }
    return good;
}

/* One attempt without those that are held; *more: others were found to be, once more without
 * them. */
static void attempt(crank_system *s, double t, double *x, const crank_initial_options *options,
                    double *rolling, crank_fixing *fixing, bool *held, bool *more)
{
    const size_t n = (size_t)s->eom->n;
    double *slides = rolling + n;
    bool *rolls = held + s->wheel_count;
    crank_initial_options own = *options;
    memcpy(rolling, x, n * sizeof *x);
    memcpy(fixing, options->fixing, n * sizeof *fixing);
    own.fixing = fixing;
    own.reached = NULL;
    *more = false;
    if (roll(s, t, rolling, fixing, held, rolls, slides) == 0 ||
        crank_eom_initialize(s->eom, t, rolling, &own, NULL, (crank_log){0}, NULL) !=
            CRANK_OK) {
        return;
    }
    if (is_better(s, t, rolling, x, options->fixing, rolls, slides)) {
        memcpy(x, rolling, n * sizeof *x);
        return;
    }
    for (int i = 0; i < s->wheel_count; i++) {
        if (rolls[i] && still_slides(s, i, t, x, slides)) {
            held[i] = *more = true;
        }
    }
}

/* Wheels that slide at `own` keep what they have; NULL: none. */
static crank_status roll_but_held(crank_system *s, double t, const double *own, double *x,
                                  const crank_initial_options *options, crank_error *err)
{
    const size_t n = (size_t)s->eom->n, wheels = (size_t)s->wheel_count;
    if (wheels == 0 || options->fixing == NULL) {
        return CRANK_OK;
    }
    double *rolling = malloc((n + 2 * wheels) * sizeof *rolling);
    crank_fixing *fixing = malloc(n * sizeof *fixing);
    bool *held = calloc(2 * wheels, sizeof *held);
    crank_status status = CRANK_OK;
    if (rolling == NULL || fixing == NULL || held == NULL) {
        status = crank_fail(err, CRANK_EMEM, "start values of %d unknowns", s->eom->n);
    } else if (own != NULL) {
        fetch(s, t, own, rolling + n);
        for (int i = 0; i < s->wheel_count; i++) {
            held[i] = still_slides(s, i, t, own, rolling + n);
        }
    }
    for (bool more = status == CRANK_OK;
         more;) { /* each finds one more that is held, or ends */
        attempt(s, t, x, options, rolling, fixing, held, &more);
    }
    free(rolling);
    free(fixing);
    free(held);
    return status;
}

crank_status crank_system_roll(crank_system *s, double t, double *x,
                               const crank_initial_options *options, crank_error *err)
{
    return roll_but_held(s, t, NULL, x, options, err);
}

crank_status crank_system_roll_again(crank_system *s, double t, const double *own, double *x,
                                     const crank_fixing *fixing, crank_error *err)
{
    crank_initial_options options = crank_initial_options_default();
    options.under_way = true;
    options.fixing = fixing;
    return roll_but_held(s, t, own, x, &options, err);
}
