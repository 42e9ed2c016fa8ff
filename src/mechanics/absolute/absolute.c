/* absolute.c - absolute coordinates: the unknowns are p, v and accelerations of each body,
 * theory (7.1). Their names and places, start values, and which row and column belongs to which
 * body.
 *
 *     body.rod.x   body.rod.q0   body.rod.vx   body.rod.omega_x (body axes)
 *     acceleration.body.rod.vx
 *     body.rod.center_x ... where the centre of mass is not the body's origin */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/absolute/absolute.h"

#include <math.h>

/* ---- unknowns and their names ---- */

// clang-format off
static const char *const position_name[][CRANK_BODY_MAX_P] = {
    [CRANK_BODY_SPATIAL]      = {"x", "y", "z", "q0", "q1", "q2", "q3"},
    [CRANK_BODY_PLANAR]       = {"x", "y", "angle"},
    [CRANK_BODY_POINT]        = {"x", "y", "z"},
    [CRANK_BODY_PLANAR_POINT] = {"x", "y"}};
static const char *const velocity_name[][CRANK_BODY_MAX_V] = {
    [CRANK_BODY_SPATIAL]      = {"vx", "vy", "vz", "omega_x", "omega_y", "omega_z"},
    [CRANK_BODY_PLANAR]       = {"vx", "vy", "rate"},
    [CRANK_BODY_POINT]        = {"vx", "vy", "vz"},
    [CRANK_BODY_PLANAR_POINT] = {"vx", "vy"}};
// clang-format on

static void count(const crank_builder *b, crank_eom_sizes *sizes)
{
    for (int i = 0; i < b->mechanism->body_count; i++) {
        const int nv = crank_body_velocities(b->kind[i]);
        sizes->p += crank_body_positions(b->kind[i]);
        sizes->v += nv;
        sizes->w += nv;
        sizes->n += b->kind[i] == CRANK_BODY_SPATIAL ? 1 : 0;
    }
}

static bool has_offset(const crank_body_record *r)
{
    return r->center[0] != 0.0 || r->center[1] != 0.0 || r->center[2] != 0.0;
}

static void name_unknowns(const crank_builder *b, const crank_coordinate_names *names)
{
    int p = 0, v = 0, norm = 0;
    for (int i = 0; i < b->mechanism->body_count; i++) {
        const char *name = b->mechanism->body[i].name;
        const crank_body_kind kind = b->kind[i];
        const char *const *of_p = position_name[kind];
        const char *const *of_v = velocity_name[kind];
        const int moved =
            has_offset(&b->mechanism->body[i]) ? crank_body_translations(kind) : 0;
        for (int j = 0; j < crank_body_positions(kind); j++) {
            names->p[p++] = crank_store_print(b->store, "body.%s.%s%s", name,
                                              j < moved ? "center_" : "", of_p[j]);
        }
        for (int j = 0; j < crank_body_velocities(kind); j++, v++) {
            names->v[v] = crank_store_print(b->store, "body.%s.%s%s", name,
                                            j < moved ? "center_" : "", of_v[j]);
            if (names->v[v] != NULL) { /* else the store remembers */
                names->a[v] = crank_store_print(b->store, "acceleration.%s", names->v[v]);
            }
        }
        if (kind == CRANK_BODY_SPATIAL) {
            names->n[norm++] = crank_store_print(b->store, "norm of body.%s.q0..q3", name);
        }
    }
}

static crank_status create(crank_system *s, crank_builder *b, crank_error *err)
{
    crank_eom *eom = s->eom;
    const int auxiliary = b->auxiliary.count;
    int p = 0, v = 0, n = 0;
    crank_absolute_body *all = crank_store_take(&s->store, (size_t)s->body_count, sizeof *all);
    if (all == NULL) {
        return crank_fail(err, CRANK_EMEM, "coordinates of the mechanism");
    }
    eom->kinematics_constant = true;
    for (int i = 0; i < s->body_count; i++) {
        const crank_body *body = &s->body[i];
        const bool spatial = body->kind == CRANK_BODY_SPATIAL;
        all[i] = (crank_absolute_body){.np = body->np,
                                       .nv = body->nv,
                                       .p = eom->column[CRANK_P] + p,
                                       .v = eom->column[CRANK_V] + v,
                                       .a = eom->column[CRANK_W] + auxiliary + v,
                                       .d = eom->row[CRANK_ROW_D] + auxiliary + v,
                                       .dyn = eom->row[CRANK_ROW_DYN] + v,
                                       .kin = eom->row[CRANK_ROW_KIN] + p,
                                       .n = spatial ? eom->row[CRANK_ROW_N] + n++ : -1};
        p += body->np;
        v += body->nv;
        for (int j = 0; j < body->nv; j++) {
            eom->carried[all[i].a + j] = true;
        }
        eom->kinematics_constant = eom->kinematics_constant && !spatial;
    }
    s->coordinates.absolute = all;
    return CRANK_OK;
}

/* ---- what reports say of them ---- */

static void place(const crank_system *s, const crank_builder *b, crank_place *row,
                  crank_place *column)
{
    for (int i = 0; i < s->body_count; i++) {
        const crank_absolute_body *body = crank_absolute_of(s, i);
        const crank_place at = crank_system_place_of(b->mechanism->body[i].key);
        for (int j = 0; j < body->np; j++) {
            column[body->p + j] = row[body->kin + j] = at;
        }
        for (int j = 0; j < body->nv; j++) {
            column[body->v + j] = column[body->a + j] = at;
            row[body->d + j] = row[body->dyn + j] = at;
        }
        if (body->n >= 0) {
            row[body->n] = at;
        }
    }
}

static void describe(const crank_system *s, int *body[2], char *letter[2])
{
    const crank_eom *eom = s->eom;
    for (int i = 0; i < s->body_count; i++) {
        const crank_absolute_body *b = crank_absolute_of(s, i);
        const int translations = crank_body_translations(s->body[i].kind);
        const char turn = s->body[i].kind == CRANK_BODY_SPATIAL ? 'q' : 'a';
        for (int j = 0; j < b->np; j++) {
            const int at = b->p - eom->column[CRANK_P] + j;
            body[0][at] = i;
            letter[0][at] = j < translations ? 't' : turn;
        }
        for (int j = 0; j < b->nv; j++) {
            const int at = b->v - eom->column[CRANK_V] + j;
            body[1][at] = i;
            letter[1][at] = j < translations ? 't' : 'r';
        }
    }
}

/* ---- start values ---- */

static void take_body(const crank_absolute_body *body, const crank_body_state *state, double *x)
{
    const bool spatial = state->kind == CRANK_BODY_SPATIAL;
    const int translations = crank_body_translations(state->kind);
    for (int i = 0; i < translations; i++) {
        x[body->p + i] = state->x[i];
        x[body->v + i] = state->v[i];
    }
    for (int i = translations; i < body->np; i++) {
        x[body->p + i] = spatial ? state->q[i - translations] : state->angle;
    }
    for (int i = translations; i < body->nv; i++) {
        x[body->v + i] = spatial ? state->omega[i - translations] : state->omega[2];
    }
}

static double take(const crank_system *s, double t, const crank_body_state *state, double *x,
                   int *worst)
{
    (void)t;
    *worst = -1;
    for (int i = 0; i < s->body_count; i++) {
        take_body(crank_absolute_of(s, i), &state[i], x);
    }
    return 0.0;
}

static void fix_body(const crank_absolute_body *body, const crank_body_record *record,
                     const crank_body_state *state, crank_fixing *fixing)
{
    const int translations = crank_body_translations(state->kind);
    for (int i = 0; i < body->np; i++) {
        fixing[body->p + i] =
            i < translations ? record->position_fixing : record->orientation_fixing;
    }
    for (int i = 0; i < body->nv; i++) {
        fixing[body->v + i] =
            i < translations ? record->velocity_fixing : record->angular_velocity_fixing;
    }
}

static void start(const crank_system *s, const crank_body_record *record,
                  const crank_body_state *state, double *x, crank_fixing *fixing)
{
    for (int i = 0; i < s->body_count; i++) {
        take_body(crank_absolute_of(s, i), &state[i], x);
        fix_body(crank_absolute_of(s, i), &record[i], &state[i], fixing);
    }
}

static int column(const crank_system *s, int body, crank_body_part part)
{
    const crank_absolute_body *b = crank_absolute_of(s, body);
    return part == CRANK_PART_POSITION   ? b->p
           : part == CRANK_PART_VELOCITY ? b->v
                                         : b->v + crank_body_translations(s->body[body].kind);
}

static void straighten(const crank_system *s, double *x)
{
    for (int i = 0; i < s->body_count; i++) {
        if (s->body[i].kind == CRANK_BODY_SPATIAL) {
            double *q = x + crank_absolute_of(s, i)->p + 3;
            const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
            for (int c = 0; c < 4; c++) {
                q[c] = norm > 0.0 ? q[c] / norm : 0.5;
            }
        }
    }
}

static void move(const crank_system *s, double *x, const double *step)
{
    const int first = s->eom->column[CRANK_V];
    for (int i = 0; i < s->body_count; i++) {
        const crank_absolute_body *b = crank_absolute_of(s, i);
        double rate[7];
        crank_body_state state;
        crank_body_state_set(&state, s->body[i].kind, x + b->p, step + b->v - first, NULL);
        crank_body_kinematics(&state, rate);
        for (int j = 0; j < b->np; j++) {
            x[b->p + j] += rate[j];
        }
    }
    straighten(s, x);
}

const crank_coordinates_kind crank_absolute_coordinates = {
    .name = "absolute",
    .count = count,
    .name_unknowns = name_unknowns,
    .create = create,
    .place = place,
    .describe = describe,
    .finish = crank_absolute_stage_create,
    .share = crank_absolute_stage_share,
    .destroy = crank_absolute_stage_destroy,
    .start = start,
    .take = take,
    .column = column,
    .straighten = straighten,
    .move = move,
    .states = crank_absolute_states,
    .state = crank_absolute_state,
    .rows = crank_absolute_rows,
    .differential = crank_absolute_differential,
    .fill = crank_absolute_fill,
    .stage = crank_absolute_stage};
