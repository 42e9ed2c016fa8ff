/* build_unplaced.c - bodies that neither the file nor joints place, though something ties them
 * to others: a hook on an elastic rope.
 *
 * Bodies are placed along joints and bushings (build_place.c). Those that these lead to from
 * the ground or from a placed body have a place; of each other group the heaviest stays at the
 * origin. That is as good as any place for what flies freely. But a spring, an actuator or a
 * rod whose ends are given in body axes, or a constraint that is written as an expression of
 * both positions, expects the group somewhere else: it is reported,
 * unless the other end is the ground's, or that of a heavier group, which is at the origin,
 * too. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/disjoint.h"
#include "mechanics/build_inside.h"

#include <stdlib.h>
#include <string.h>

static bool is_placed(const crank_body_record *r)
{
    return r->position_fixing != CRANK_FREE || r->position_said;
}

/* The bodies of a record with two ends in body axes; false: it has none. */
static bool ties(const crank_record *record, int body[2])
{
    bool local = false, two = false;
    for (const crank_key_spec *key = record->type->keys; key->name != NULL; key++) {
        const crank_field *field = crank_record_find(record, key->name);
        if (field != NULL && key->shape == CRANK_SHAPE_BODIES) {
            body[0] = field->index[0];
            body[1] = field->index[1];
            two = true;
        } else if (field != NULL &&
                   (key->shape == CRANK_SHAPE_ENDS || key->shape == CRANK_SHAPE_END)) {
            local = local || field->ends.local;
        }
    }
    return two && local;
}

/* By links that place bodies. group: bodies, and the ground */
static void find_groups(const crank_builder *b, int *group)
{
    const crank_mechanism *m = b->mechanism;
    const int ground = m->body_count;
    for (int i = 0; i <= ground; i++) {
        group[i] = i;
    }
    for (int i = 0; i < m->body_count; i++) {
        if (is_placed(&m->body[i])) {
            (void)crank_disjoint_join(group, i, ground);
        }
    }
    for (int j = 0; j < m->joint_count + m->force_count; j++) {
        const crank_joint_place *p = &b->place[j];
        if (p->given) {
            (void)crank_disjoint_join(group, p->at[0].body < 0 ? ground : p->at[0].body,
                                      p->at[1].body < 0 ? ground : p->at[1].body);
        }
    }
}

static int heaviest(const crank_builder *b, int *group, int body)
{
    const crank_mechanism *m = b->mechanism;
    int most = body;
    for (int i = 0; i < m->body_count; i++) {
        const bool own = crank_disjoint_root(group, i) == crank_disjoint_root(group, body);
        most = own && m->body[i].mass > m->body[most].mass ? i : most;
    }
    return most;
}

/* kind and name: of what ties the two */
static void look_at(const crank_builder *b, const char *kind, const char *name,
                    const int body[2], int *group, bool *told)
{
    const crank_mechanism *m = b->mechanism;
    const int ground = m->body_count;
    if (body[0] < 0 || body[1] < 0 ||
        crank_disjoint_root(group, body[0]) == crank_disjoint_root(group, body[1])) {
        return;
    }
    int root[2]; /* ground: it has a place */
    for (int k = 0; k < 2; k++) {
        root[k] = crank_disjoint_root(group, body[k]) == crank_disjoint_root(group, ground)
                      ? ground
                      : heaviest(b, group, body[k]);
    }
    const bool first = root[1] == ground ||
                       (root[0] != ground && m->body[root[0]].mass < m->body[root[1]].mass);
    const int open = root[first ? 0 : 1], end = body[first ? 0 : 1], other = body[first];
    if (told[open]) {
        return;
    }
    told[open] = true;
    crank_log_write(&m->options->log, CRANK_WARNING,
                    "body \"%.80s\" has no position in the file, and no joint or bushing says "
                    "where it stands: the search for its start begins at the origin, though %s "
                    "\"%.80s\" ties %s%.80s%s to \"%.80s\"; give a position, or a guess of one "
                    "(`free: true`)",
                    m->body[open].name, kind, name, end != open ? "\"" : "",
                    end != open ? m->body[end].name : "it", end != open ? "\"" : "",
                    m->body[other].name);
}

static void look_at_record(const crank_builder *b, const crank_record *record, int *group,
                           bool *told)
{
    int body[2];
    if (ties(record, body)) {
        look_at(b, crank_build_record_kind(record), record->name, body, group, told);
    }
}

/* Bodies at whose points it looks: body[0] first, then each other one with it. */
static void look_at_points(const crank_builder *b, const crank_primitive *p, const char *kind,
                           const char *name, int body[2], int *group, bool *told)
{
    for (int k = 0; k < 2; k++) {
        const crank_vector *v = k == 0 ? &p->a : &p->b;
        for (int i = 0; i < v->count; i++) {
            const crank_marker *m = &v->marker[i];
            if (!m->point || m->body < 0 || m->body == body[0]) {
                continue;
            }
            body[body[0] < 0 ? 0 : 1] = m->body;
            look_at(b, kind, name, body, group, told);
        }
    }
}

/* Places of bodies in an expression that is zero, or that is driven, tie these together. */
static void look_at_expression(crank_builder *b, const crank_constraint *c, int *group,
                               bool *told)
{
    const crank_mechanism *m = b->mechanism;
    const bool driver = c->owner.kind == CRANK_OWNER_JOINT &&
                        strcmp(m->joint[c->owner.index].type->name, "driver") == 0;
    const crank_expression_record *equation =
        c->owner.kind == CRANK_OWNER_EQUATION ? crank_build_equation(b, c->owner) : NULL;
    const char *name = driver             ? m->joint[c->owner.index].name
                       : equation != NULL ? equation->name
                                          : NULL;
    int body[2] = {-1, -1}, count = 0;
    if (name == NULL || c->primitive >= 0) {
        return;
    }
    crank_ex *symbol = crank_build_symbols(b, c->ex, &count);
    for (int i = 0; i < count; i++) {
        const crank_symbol s = crank_build_symbol(b, symbol[i]);
        if (s.kind == CRANK_SYMBOL_VALUE) {
            look_at_points(b, &b->primitive.item[s.index], driver ? "joint" : "constraint",
                           name, body, group, told);
        }
    }
    free(symbol);
}

crank_status crank_build_check_unplaced(crank_builder *b, crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    const size_t bodies = (size_t)m->body_count;
    int *group = crank_store_take(b->store, bodies + 1, sizeof *group);
    bool *told = crank_store_take(b->store, bodies, sizeof *told);
    if (!b->store->failed) {
        find_groups(b, group);
        for (int i = 0; i < m->joint_count; i++) {
            look_at_record(b, &m->joint[i], group, told);
        }
        for (int i = 0; i < m->force_count; i++) {
            look_at_record(b, &m->force[i], group, told);
        }
        for (int i = 0; i < b->holonomic.count; i++) {
            look_at_expression(b, &b->holonomic.item[i], group, told);
        }
    }
    return crank_build_memory(b, err);
}
