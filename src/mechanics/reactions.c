/* reactions.c - force and torque that a joint exerts on its second body, at the joint.
 *
 * The multipliers of the joint exert -J^T lambda on each body: a force at the centre of mass
 * and a torque about it (spatial bodies: in body axes). Moved to the joint's point P, with r =
 * P - x,
 *     F,   T - r x F
 * If the second body is ground, what acts on it is minus what acts on the first. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "mechanics/build_inside.h"
#include "mechanics/output.h"

#include <stdlib.h>
#include <string.h>

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "reactions of joints");
}

const char *crank_reactions_component(const crank_reactions *r, int i)
{
    static const char *const spatial[] = {"fx", "fy", "fz", "tx", "ty", "tz"};
    static const char *const planar[] = {"fx", "fy", "tz"};
    return r->components == CRANK_REACTION_MAX ? spatial[i] : planar[i];
}

/* ---- set-up ---- */

/* rows "primitive = constant" by joint: first[joint] .. first[joint + 1] - 1 of r->row */
static void sort_rows(crank_reactions *r, const crank_builder *b, const crank_system *s,
                      int *first)
{
    const int joints = b->mechanism->joint_count;
    for (int i = 0; i < s->row_count; i++) {
        const crank_owner owner = b->holonomic.item[s->row_lambda[i]].owner;
        first[owner.kind == CRANK_OWNER_JOINT ? owner.index + 1 : 0]++;
    }
    first[0] = 0;
    for (int i = 0; i < joints; i++) {
        first[i + 1] += first[i];
    }
    for (int i = 0; i < s->row_count; i++) {
        const crank_owner owner = b->holonomic.item[s->row_lambda[i]].owner;
        if (owner.kind == CRANK_OWNER_JOINT) {
            r->row[first[owner.index]++] = i;
        }
    }
    for (int i = joints; i > 0; i--) {
        first[i] = first[i - 1];
    }
    first[0] = 0;
}

/* Directions of components in joint axes: spatial z along the axis, x across it by the axes of the
 * file, planar x along it. If the joint has none: in space the second body's own axes, in the
 * plane the file's at the start. */
static void set_frame(const crank_builder *b, const crank_reaction *reaction,
                      crank_marker frame[3])
{
    static const double e[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const crank_record *record = &b->mechanism->joint[reaction - b->reaction];
    const bool planar = b->mechanism->dimension == 2;
    double world[3][3], axis[3];
    for (int i = 0; i < 3; i++) {
        memcpy(world[i], crank_build_own_direction(b, record, -1, e[i]).u, sizeof world[i]);
    }
    const crank_marker *m = &reaction->axis;
    if (m->body >= 0) {
        crank_mat3_times(axis, crank_build_body(b, m->body)->R, m->u);
    } else {
        memcpy(axis, m->u, sizeof axis);
    }
    const double size = crank_norm3(axis);
    if (size > 0.0) {
        for (int i = 0; i < 3; i++) {
            axis[i] /= size;
        }
        if (planar && axis[2] == 0.0) {
            memcpy(world[0], axis, sizeof axis);
            world[1][0] = -axis[1];
            world[1][1] = axis[0];
        } else if (!planar) {
            memcpy(world[2], axis, sizeof axis);
            crank_build_across(record, axis, world[0]);
            crank_cross3(world[1], axis, world[0]);
        }
    }
    for (int i = 0; i < 3; i++) {
        frame[i] = planar || size > 0.0
                       ? crank_build_direction(b, reaction->second, world[i])
                       : crank_build_own_direction(b, record, reaction->second, e[i]);
    }
}

void crank_build_reaction_axes(const crank_builder *b, const crank_reaction *reaction,
                               crank_marker axes[3])
{
    if (b->mechanism->reactions_in_joint_axes) {
        set_frame(b, reaction, axes);
        return;
    }
    for (int i = 0; i < 3; i++) {
        axes[i] = (crank_marker){.body = -1};
        axes[i].u[i] = 1.0;
    }
}

typedef struct touching {
    crank_builder *b;
    int *next;    /* joints + 1: where the next body of each joint goes; first counts */
    int *touched; /* NULL: counting */
} touching;

/* Bodies that the primitives of an expression move. */
static void touch_one(touching *w, crank_owner owner, crank_ex e)
{
    if (owner.kind != CRANK_OWNER_JOINT || e < 0) {
        return;
    }
    int found = 0;
    int *next = &w->next[owner.index + (w->touched == NULL ? 1 : 0)];
    crank_ex *symbol = crank_build_symbols(w->b, e, &found);
    for (int i = 0; i < found; i++) {
        const crank_symbol s = crank_build_symbol(w->b, symbol[i]);
        if (s.kind < CRANK_SYMBOL_VALUE || s.kind > CRANK_SYMBOL_ACCELERATION) {
            continue;
        }
        const crank_primitive *p = &w->b->primitive.item[s.index];
        for (int j = 0; j < p->bodies; j++, (*next)++) {
            if (w->touched != NULL) {
                w->touched[*next] = p->body[j];
            }
        }
    }
    free(symbol);
}

static void touch_all(touching *w)
{
    const crank_builder *b = w->b;
    for (int i = 0; i < b->holonomic.count; i++) {
        if (b->holonomic.item[i].primitive < 0) {
            touch_one(w, b->holonomic.item[i].owner, b->holonomic.item[i].ex);
        }
    }
    for (int i = 0; i < b->nonholonomic.count; i++) {
        touch_one(w, b->nonholonomic.item[i].owner, b->nonholonomic.item[i].ex);
    }
    for (int i = 0; i < b->contact.count; i++) {
        touch_one(w, b->contact.item[i].owner, b->contact.item[i].equation);
    }
}

/* Which bodies the laws of each joint act on: first[joint] .. first[joint + 1] - 1 of
 * r->touched. */
static crank_status find_touched(crank_reactions *r, crank_builder *b, crank_store *store,
                                 int *first, crank_error *err)
{
    const int joints = b->mechanism->joint_count;
    touching w = {.b = b, .next = first};
    touch_all(&w);
    for (int i = 0; i < joints; i++) {
        first[i + 1] += first[i];
    }
    r->touched = crank_store_take(store, (size_t)first[joints], sizeof *r->touched);
    if (r->touched == NULL || b->failed) {
        return no_memory(err);
    }
    w.touched = r->touched;
    touch_all(&w);
    if (b->failed) {
        return no_memory(err);
    }
    for (int i = joints; i > 0; i--) {
        first[i] = first[i - 1];
    }
    first[0] = 0;
    return CRANK_OK;
}

static void set_items(crank_reactions *r, const crank_builder *b, const crank_system *s,
                      const int *row_first, const int *touched_first, crank_law **law)
{
    for (int i = 0; i < s->law_count; i++) {
        const crank_owner owner = crank_law_owner(s->law[i]);
        if (owner.kind == CRANK_OWNER_JOINT) {
            law[owner.index] = s->law[i];
        }
    }
    for (int i = 0; i < b->mechanism->joint_count; i++) {
        const crank_reaction *reaction = &b->reaction[i];
        if (!reaction->given) {
            continue;
        }
        crank_reaction_place *item = &r->item[r->count++];
        item->joint = i;
        item->target = reaction->second >= 0 ? reaction->second : reaction->first;
        item->sign = reaction->second >= 0 ? 1.0 : -1.0;
        item->at = reaction->at;
        item->row_begin = row_first[i];
        item->row_end = row_first[i + 1];
        item->law = law[i];
        item->touched_begin = touched_first[i];
        item->touched_end = touched_first[i + 1];
        crank_build_reaction_axes(b, reaction, item->frame);
    }
}

crank_status crank_reactions_init(crank_reactions *r, crank_builder *b, const crank_system *s,
                                  crank_store *store, crank_error *err)
{
    const size_t joints = (size_t)b->mechanism->joint_count;
    int *row_first = crank_store_take(b->store, joints + 1, sizeof *row_first);
    int *touched_first = crank_store_take(b->store, joints + 1, sizeof *touched_first);
    crank_law **law = crank_store_take(b->store, joints, sizeof(crank_law *));
    *r = (crank_reactions){.components = b->mechanism->dimension == 2 ? 3 : CRANK_REACTION_MAX,
                           .joint_axes = b->mechanism->reactions_in_joint_axes};
    r->item = crank_store_take(store, joints, sizeof *r->item);
    r->row = crank_store_take(store, (size_t)s->row_count, sizeof *r->row);
    r->force = crank_store_take(store, (size_t)s->body_count, sizeof *r->force);
    if (b->store->failed || store->failed) {
        return no_memory(err);
    }
    sort_rows(r, b, s, row_first);
    const crank_status status = find_touched(r, b, store, touched_first, err);
    if (status == CRANK_OK) {
        set_items(r, b, s, row_first, touched_first, law);
    }
    return status;
}

/* ---- evaluation ---- */

/* Generalised force of the joint's multipliers on its target. */
static void sum_forces(const crank_reactions *r, const crank_reaction_place *item,
                       const crank_system *s, double t, const double *x, double sum[6])
{
    if (s->coordinates.kind->reaction != NULL) {
        s->coordinates.kind->reaction(s, item->joint, item->target, sum);
    }
    const crank_eom *eom = s->eom;
    const crank_body *target = &s->body[item->target];
    for (int i = item->row_begin; i < item->row_end; i++) {
        const int row = r->row[i];
        const crank_primitive *primitive = &s->primitive[s->row_primitive[row]];
        const double lambda = x[eom->column[CRANK_LAMBDA] + s->row_lambda[row]];
        for (int j = 0; j < primitive->bodies; j++) {
            const double *J = s->local[s->row_primitive[row]].J + primitive->v0[j];
            for (int c = 0; primitive->body[j] == item->target && c < target->nv; c++) {
                sum[c] -= lambda * J[c];
            }
        }
    }
    if (item->law == NULL) {
        return;
    }
    crank_law_reaction(item->law, s, t, x, r->force);
    for (int c = 0; c < target->nv; c++) {
        sum[c] += r->force[item->target][c];
    }
    for (int i = item->touched_begin; i < item->touched_end; i++) {
        memset(r->force[r->touched[i]], 0, sizeof r->force[r->touched[i]]);
    }
}

static void marker_vector(const crank_marker *m, const crank_system *s, double out[3])
{
    if (m->body < 0) {
        memcpy(out, m->u, 3 * sizeof *out);
        return;
    }
    crank_mat3_times(out, s->state[m->body].R, m->u);
    if (m->point) {
        crank_add3(out, 1.0, s->state[m->body].x);
    }
}

static void into_frame(const crank_reaction_place *item, const crank_system *s, double u[3])
{
    double out[3], direction[3];
    for (int i = 0; i < 3; i++) {
        marker_vector(&item->frame[i], s, direction);
        out[i] = crank_dot3(direction, u);
    }
    memcpy(u, out, sizeof out);
}

crank_status crank_reactions_evaluate(const crank_reactions *r, crank_system *s, double t,
                                      const double *x, bool multipliers_alone, double *values,
                                      crank_error *err)
{
    const crank_coordinates_kind *kind = s->coordinates.kind;
    if (kind->reactions != NULL) {
        const crank_status status = kind->reactions(s, t, x, multipliers_alone, err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    for (int i = 0; i < r->count; i++) {
        const crank_reaction_place *item = &r->item[i];
        double sum[6] = {0.0}, f[3] = {0.0}, torque[3] = {0.0}, arm[3], moment[3];
        if (item->target >= 0) {
            const crank_body_state *q = &s->state[item->target];
            const bool planar = r->components != CRANK_REACTION_MAX;
            sum_forces(r, item, s, t, x, sum);
            memcpy(f, sum, (planar ? 2 : 3) * sizeof *f);
            if (q->kind == CRANK_BODY_SPATIAL) {
                crank_mat3_times(torque, q->R, sum + 3);
            } else if (q->kind == CRANK_BODY_PLANAR) {
                torque[2] = sum[2];
            }
            marker_vector(&item->at, s, arm);
            crank_add3(arm, -1.0, q->x);
            crank_cross3(moment, arm, f);
            crank_add3(torque, -1.0, moment);
        }
        if (r->joint_axes) {
            into_frame(item, s, f);
            into_frame(item, s, torque);
        }
        double *out = values + (size_t)i * (size_t)r->components;
        const double all[CRANK_REACTION_MAX] = {f[0],      f[1],      f[2],
                                                torque[0], torque[1], torque[2]};
        for (int c = 0; c < r->components; c++) {
            const int from = r->components == CRANK_REACTION_MAX ? c : c == 2 ? 5 : c;
            out[c] = item->sign * all[from] + 0.0; /* no minus zero */
        }
    }
    return CRANK_OK;
}
