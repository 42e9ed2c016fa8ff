/* system_initial.c - conditions that hold at the start only: fixed start values of bodies whose
 * centre of mass is not their origin, then what the file says under `initial`.
 *
 * Unknowns are of the centre of mass and in body axes; the user fixes the origin and world
 * axes. Where the orientation may be moved these differ, and what is fixed becomes extra
 * initial conditions:
 *     x - R c = position,   v - R (omega x c) = velocity,   R omega = angular velocity
 * Bodies of an assembly that starts turning with w have another velocity where the search for
 * positions has put them, + w x (x - x_given), theory (5.11). */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/law.h"

#include "linalg/rotation.h"
#include "mechanics/system.h"

#include <string.h>

enum { ORIGIN, ORIGIN_VELOCITY, SPIN, KINDS };

/* Does the body need conditions of this kind? */
static bool needs(const crank_body_record *r, crank_body_kind kind, int what)
{
    const bool turns = r->orientation_fixing != CRANK_FIXED;
    const bool spins = r->angular_velocity_fixing != CRANK_FIXED;
    const bool offset = r->center[0] != 0.0 || r->center[1] != 0.0 || r->center[2] != 0.0;
    if (kind == CRANK_BODY_POINT || kind == CRANK_BODY_PLANAR_POINT) {
        return false;
    }
    switch (what) {
    case ORIGIN:
        return offset && turns && r->position_fixing == CRANK_FIXED;
    case ORIGIN_VELOCITY:
        return offset && (turns || spins) && r->velocity_fixing == CRANK_FIXED;
    default:
        return kind == CRANK_BODY_SPATIAL && turns && r->angular_velocity_fixing == CRANK_FIXED;
    }
}

int crank_system_conditions(const crank_builder *b)
{
    int count = b->condition.count;
    if (b->coordinates->assembled) {
        return 0;
    }
    for (int i = 0; i < b->mechanism->body_count; i++) {
        for (int what = 0; what < KINDS; what++) {
            if (needs(&b->mechanism->body[i], b->kind[i], what)) {
                count += crank_body_translations(b->kind[i]);
            }
        }
    }
    return count;
}

void crank_system_condition_names(const crank_builder *b, const char **out)
{
    static const char *const word[KINDS][3] = {
        {"x", "y", "z"}, {"vx", "vy", "vz"}, {"wx", "wy", "wz"}};
    int k = 0;
    if (b->coordinates->assembled) {
        return;
    }
    for (int i = 0; i < b->mechanism->body_count; i++) {
        for (int what = 0; what < KINDS; what++) {
            const int count = crank_body_translations(b->kind[i]);
            for (int c = 0; c < count && needs(&b->mechanism->body[i], b->kind[i], what); c++) {
                out[k++] = crank_store_print(b->store, "body.%s.%s", b->mechanism->body[i].name,
                                             word[what][c]);
            }
        }
    }
    for (int i = 0; i < b->condition.count; i++) {
        out[k++] = b->condition.item[i].name;
    }
}

bool crank_system_take_conditions(crank_system *s, const crank_builder *b)
{
    const size_t count = (size_t)crank_system_conditions(b);
    s->condition = crank_store_take(&s->store, count, sizeof *s->condition);
    for (int i = 0; count > 0 && s->condition != NULL && i < s->body_count; i++) {
        const crank_body_record *r = &b->mechanism->body[i];
        const double *const value[KINDS] = {r->position, r->velocity, r->angular_velocity};
        for (int what = 0; what < KINDS; what++) {
            if (needs(r, b->kind[i], what)) {
                crank_body_condition *c = &s->condition[s->condition_count++];
                *c = (crank_body_condition){.body = i, .what = what};
                memcpy(c->value, value[what], sizeof c->value);
                memcpy(c->turning, r->turning, sizeof c->turning);
                memcpy(c->turning_at, r->turning_at, sizeof c->turning_at);
            }
        }
    }
    return s->condition != NULL;
}

bool crank_system_take_turning(crank_system *s, const crank_builder *b)
{
    int count = 0;
    s->turning = crank_store_take(&s->store, (size_t)s->body_count, sizeof *s->turning);
    for (int i = 0; s->turning != NULL && i < s->body_count; i++) {
        const double *spin = b->mechanism->body[i].turning;
        if (crank_norm3(spin) > 0.0) {
            s->turning[count].body = i;
            memcpy(s->turning[count++].spin, spin, sizeof s->turning[0].spin);
        }
    }
    s->turning_count = count;
    return s->turning != NULL;
}

/* v += w x (x - from), omega += (R - R_from)^T w */
void crank_system_carry(void *self, double t, const double *from, double *x)
{
    const crank_system *s = self;
    for (int i = 0; i < s->turning_count; i++) {
        const crank_turning_body *turning = &s->turning[i];
        const int v = s->coordinates.kind->column(s, turning->body, CRANK_PART_VELOCITY);
        const int spin = s->coordinates.kind->column(s, turning->body, CRANK_PART_SPIN);
        crank_body_state before, now;
        double way[3], turn[3], own[2][3];
        s->coordinates.kind->state(s, turning->body, t, from, &before);
        s->coordinates.kind->state(s, turning->body, t, x, &now);
        for (int k = 0; k < 3; k++) {
            way[k] = now.x[k] - before.x[k];
        }
        crank_cross3(turn, turning->spin, way);
        for (int k = 0; v >= 0 && k < crank_body_translations(now.kind); k++) {
            x[v + k] += turn[k];
        }
        crank_mat3_transposed_times(own[0], before.R, turning->spin);
        crank_mat3_transposed_times(own[1], now.R, turning->spin);
        for (int k = 0; spin >= 0 && now.kind == CRANK_BODY_SPATIAL && k < 3; k++) {
            x[spin + k] += own[1][k] - own[0][k];
        }
    }
}

/* what the condition gives at a state */
static void given_value(const crank_body_condition *c, const crank_body_state *state,
                        const double arm[3], double value[3])
{
    double way[3], turn[3] = {0.0, 0.0, 0.0};
    if (c->what == ORIGIN_VELOCITY) {
        for (int j = 0; j < 3; j++) {
            way[j] = state->x[j] - arm[j] - c->turning_at[j];
        }
        crank_cross3(turn, c->turning, way);
    }
    for (int j = 0; j < 3; j++) {
        value[j] = c->value[j] + turn[j];
    }
}

/* unknowns that conditions replace are not fixed any more */
static void release_fixing(const crank_system *s, crank_fixing *fixing)
{
    static const crank_body_part part[KINDS] = {CRANK_PART_POSITION, CRANK_PART_VELOCITY,
                                                CRANK_PART_SPIN};
    for (int i = 0; i < s->condition_count; i++) {
        const crank_body_condition *c = &s->condition[i];
        const crank_body *b = &s->body[c->body];
        const int count = crank_body_translations(b->kind);
        const int first = s->coordinates.kind->column(s, c->body, part[c->what]);
        for (int j = 0; j < count && first >= 0; j++) {
            fixing[first + j] = CRANK_PREFERRED;
        }
    }
}

crank_status crank_system_initial(void *self, double t, const double *x, double *conditions,
                                  crank_error *err)
{
    crank_system *s = self;
    (void)err;
    for (int i = 0; i < s->condition_count; i++) {
        const crank_body_condition *c = &s->condition[i];
        const crank_body *b = &s->body[c->body];
        crank_body_state state;
        double local[3], turned[3], arm[3], value[3];
        s->coordinates.kind->state(s, c->body, t, x, &state);
        memcpy(local, c->what == ORIGIN ? b->center : state.omega, sizeof local);
        if (c->what == ORIGIN_VELOCITY) {
            crank_cross3(local, state.omega, b->center);
        }
        crank_mat3_times(turned, state.R, local);
        crank_mat3_times(arm, state.R, b->center);
        given_value(c, &state, arm, value);
        const int count = crank_body_translations(b->kind);
        for (int j = 0; j < count; j++) {
            *conditions++ = c->what == ORIGIN            ? state.x[j] - turned[j] - value[j]
                            : c->what == ORIGIN_VELOCITY ? state.v[j] - turned[j] - value[j]
                                                         : turned[j] - value[j];
        }
    }
    if (s->initial != NULL) {
        crank_system_point(s, t, x);
        crank_expressions_evaluate(s->initial, s, t, x, conditions);
    }
    return CRANK_OK;
}

/* ---- start values ---- */

void crank_system_start(const crank_system *s, const crank_builder *b, double *x,
                        crank_fixing *fixing)
{
    const crank_eom *eom = s->eom;
    for (int j = 0; j < eom->n; j++) {
        x[j] = 0.0;
        fixing[j] = CRANK_FREE;
    }
    s->coordinates.kind->start(s, b->mechanism->body, b->placed, x, fixing);
    release_fixing(s, fixing);
    for (int i = 0; i < b->dynamic.count; i++) {
        x[eom->column[CRANK_R] + i] = b->dynamic.item[i].start;
        fixing[eom->column[CRANK_R] + i] = b->dynamic.item[i].fixing;
    }
    for (int i = 0; i < b->auxiliary.count; i++) {
        x[eom->column[CRANK_W] + i] = b->auxiliary.item[i].start;
        fixing[eom->column[CRANK_W] + i] = b->auxiliary.item[i].fixing;
    }
    for (int i = 0; i < b->contact.count; i++) {
        x[eom->column[CRANK_S] + i] = b->contact.item[i].start;
        fixing[eom->column[CRANK_S] + i] = b->contact.item[i].fixing;
    }
}

bool crank_system_take_unguided(crank_system *s, const crank_builder *b)
{
    const size_t n = (size_t)s->eom->n;
    s->unguided = b->unguided != NULL ? crank_store_take(&s->store, n, sizeof(double)) : NULL;
    crank_fixing *ignored = crank_store_take(&s->store, n, sizeof *ignored);
    if (s->unguided != NULL && ignored != NULL) {
        s->coordinates.kind->start(s, b->mechanism->body, b->unguided, s->unguided, ignored);
    }
    return !s->store.failed;
}
