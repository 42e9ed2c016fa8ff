/* system_angles.c - continued angles: their turns are counted from accepted step to accepted
 * step. Each has a reference with cosine and sine in memory, which laws read, behind the
 * parameters that vary: the angle and its rate where it was accepted last lead it,
 *     reference = angle + (rate + rate at t)/2 (t - t_last),   or the angle where that is near
 * since steps in joint coordinates, in which a wheel that rolls is a straight line, may be
 * longer than half a turn.
 *
 * A run that begins at a row of a result begins in the turns of that row: those of its columns,
 * or those that constraints tell (crank_build_tell_angle, told_turns.c). While a start is looked
 * for, and loops may close anywhere, each point is in the turns that constraints tell there. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/build_inside.h"
#include "mechanics/law.h"
#include "mechanics/output.h"
#include "mechanics/told_turns.h"

#include <math.h>
#include <string.h>

/* rad; below, references stay, and values have the same bits at any time in a step */
static const double near = 1.0;

crank_status crank_system_make_angles(crank_system *s, crank_builder *b, crank_error *err)
{
    const size_t memory = (size_t)b->memory.count, count = (size_t)b->angle.count;
    s->memory_count = b->memory.count;
    s->pace = b->pace;
    s->memory = crank_store_take(&s->store, memory, sizeof *s->memory);
    s->memory_start = crank_store_take(&s->store, memory, sizeof *s->memory_start);
    s->angle_value = crank_store_take(&s->store, 4 * count, sizeof *s->angle_value);
    s->angle_memory = crank_store_take(&s->store, count, sizeof *s->angle_memory);
    s->told_angle = crank_store_take(&s->store, count, sizeof *s->told_angle);
    crank_ex *ex = crank_store_take(b->store, 2 * count, sizeof *ex);
    if (s->store.failed || ex == NULL) {
        return crank_fail(err, CRANK_EMEM, "angles of the mechanism");
    }
    for (size_t i = 0; i < memory; i++) {
        s->memory[i] = s->memory_start[i] = b->memory.item[i];
    }
    for (size_t i = 0; i < count; i++) {
        ex[i] = b->angle.item[i].ex;
        ex[count + i] = crank_build_time_derivative(b, ex[i]);
        s->angle_memory[i] = b->angle.item[i].memory;
    }
    s->angle_count = b->angle.count;
    crank_status status =
        count == 0 ? CRANK_OK
                   : crank_expressions_create(b, 2 * b->angle.count, ex, &s->angle, err);
    for (size_t i = 0; i < count; i++) {
        if (b->angle.item[i].told >= 0) {
            s->told_angle[s->told_count] = (int)i;
            ex[s->told_count++] = b->angle.item[i].told;
        }
    }
    CRANK_THEN(status, s->told_count == 0
                           ? CRANK_OK
                           : crank_expressions_create(b, s->told_count, ex, &s->told, err));
    CRANK_THEN(status, count > 0 ? crank_told_turns_create(s, b, err) : CRANK_OK);
    return status;
}

static void refer(double m[3], double angle)
{
    if (m[0] != angle) {
        m[0] = angle;
        m[1] = cos(angle);
        m[2] = sin(angle);
    }
}

/* At the point at hand. */
static void refer_to_told(crank_system *s, double t, const double *x)
{
    double *told = s->angle_value + 2 * s->angle_count;
    crank_expressions_evaluate(s->told, s, t, x, told);
    for (int i = 0; i < s->told_count; i++) {
        if (isfinite(told[i])) {
            refer(s->memory + s->angle_memory[s->told_angle[i]], told[i]);
        }
    }
}

/* The same by whole turns from where the run is to start, theory (5.10). */
static void refer_to_turns(crank_system *s, double t, const double *x)
{
    static const double turn = 6.283185307179586;
    double *turns = s->angle_value + 2 * s->angle_count, *work = turns + s->angle_count;
    memset(turns, 0, (size_t)s->angle_count * sizeof *turns);
    if (!crank_told_turns_find(s, t, x, work, turns)) {
        return;
    }
    for (int i = 0; i < s->angle_count; i++) {
        if (turns[i] != 0.0) {
            const int m = s->angle_memory[i];
            const double begin = s->memory_start[m];
            refer(s->memory + m,
                  begin + turn * (round((s->memory[m] - begin) / turn) + turns[i]));
        }
    }
}

/* Angles from the first on are where the last step ended. */
static void refer_to_last(crank_system *s, int first)
{
    for (int i = first; i < s->angle_count; i++) {
        if (s->angle_value[s->angle_count + i] != 0.0) {
            refer(s->memory + s->angle_memory[i], s->angle_value[i]);
        }
    }
}

void crank_system_lead_angles(crank_system *s, double t, const double *x)
{
    if (!s->angles_known && s->told_count > 0) {
        refer_to_told(s, t, x);
    }
    if (!s->angles_known && s->told_turns != NULL) {
        refer_to_turns(s, t, x);
    }
    const double *last = s->angle_value, h = t - s->angle_time;
    double *here = s->angle_value + 2 * s->angle_count;
    bool known = false;
    for (int i = 0; i < s->angle_count; i++) {
        const int rate = s->angle_count + i;
        if (last[rate] == 0.0) {
            continue; /* it is where it was, or where the run is to start */
        }
        const bool far = fabs(last[rate] * h) > near;
        if (far && !known) { /* whatever was evaluated before */
            refer_to_last(s, i);
            crank_expressions_evaluate(s->angle, s, t, x, here);
            known = true;
        }
        const double turn = far ? 0.5 * (last[rate] + here[rate]) * h : 0.0;
        refer(s->memory + s->angle_memory[i], last[i] + (isfinite(turn) ? turn : 0.0));
    }
}

/* crank_system_point as far as continued angles, and the watch of their poles, need it; what tells
 * the first turns asks for more. */
static void angles_point(crank_system *s, double t, const double *x)
{
    if (!s->angles_known) {
        crank_system_point(s, t, x);
        return;
    }
    s->coordinates.kind->states(s, t, x);
    crank_expressions_point(s->angle, s);
    for (int i = 0; i < s->pole_count; i++) {
        const int j = s->pole[i].primitive;
        if (s->pole[i].angle >= 0) {
            crank_primitive_values(&s->primitive[j], s->state, &s->local[j]);
        }
    }
    crank_system_lead_angles(s, t, x);
}

crank_status crank_system_accepted(void *self, double t, const double *x, crank_error *err)
{
    crank_system *s = self;
    const crank_coordinates_kind *coordinates = s->coordinates.kind;
    const crank_status status =
        coordinates->accepted != NULL ? coordinates->accepted(s, t, x, err) : CRANK_OK;
    if (status != CRANK_OK || s->angle_count == 0) {
        return status;
    }
    angles_point(s, t, x);
    crank_expressions_evaluate(s->angle, s, t, x, s->angle_value);
    s->angle_time = t;
    s->angles_known = true;
    for (int i = 0; i < s->angle_count; i++) {
        double *m = s->memory + s->angle_memory[i];
        double *value = &s->angle_value[i], *rate = &s->angle_value[s->angle_count + i];
        *value = isfinite(*value) ? *value : m[0];
        *rate = isfinite(*rate) ? *rate : 0.0;
        refer(m, *value);
    }
    return crank_system_watch_poles(s, t, err);
}

void crank_system_rewind(crank_system *s)
{
    if (s->memory_count > 0) {
        memcpy(s->memory, s->memory_start, (size_t)s->memory_count * sizeof *s->memory);
    }
    s->angles_known = false;
    for (int i = 0; i < s->angle_count; i++) {
        s->angle_value[s->angle_count + i] = 0.0; /* the first is where it is */
    }
}

void crank_system_stand(void *self, bool stands)
{
    crank_system *s = self;
    if (s->pace >= 0) {
        s->memory[s->pace] = stands ? 0.0 : 1.0;
    }
}

static void begin_at(crank_system *s, int angle, double value)
{
    if (isfinite(value)) {
        const int m = s->angle_memory[angle];
        refer(s->memory + m, value);
        refer(s->memory_start + m, value);
    }
}

void crank_system_begin_angles(crank_system *s, double t, const double *x, const double *known)
{
    for (int i = 0; i < s->angle_count; i++) {
        begin_at(s, i, known[i]);
    }
    if (s->told_count > 0) {
        double *told = s->angle_value + 2 * s->angle_count;
        crank_system_point(s, t, x);
        crank_expressions_evaluate(s->told, s, t, x, told);
        for (int i = 0; i < s->told_count; i++) {
            begin_at(s, s->told_angle[i], told[i]);
        }
    }
}

void crank_system_refer_angles(crank_system *s, double t, const double *x)
{
    if (s->angle_count > 0) {
        crank_system_point(s, t, x);
        crank_expressions_evaluate(s->angle, s, t, x, s->angle_value);
    }
    for (int i = 0; i < s->angle_count; i++) {
        begin_at(s, i, s->angle_value[i]);
    }
    crank_system_rewind(s);
}

/* ---- checkpoints ---- */

void crank_system_archive(void *self, crank_archive *a)
{
    crank_system *s = self;
    crank_archive_check(a, "continued angles", s->memory_count);
    crank_archive_doubles(a, s->memory, (size_t)s->memory_count);
    crank_archive_doubles(a, s->angle_value, 2 * (size_t)s->angle_count);
    crank_archive_doubles(a, &s->angle_time, 1);
    crank_archive_flag(a, &s->angles_known);
    if (s->output != NULL) {
        crank_output_archive(s->output, a);
    }
}
