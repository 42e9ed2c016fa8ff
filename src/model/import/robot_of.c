/* robot_of.c - a mechanism as a robot: bodies are links, joints between frames; the others
 * close loops. The tree goes from the ground outwards, by joints marked `keep` first and those
 * marked `cut` never; a joint that is gone along from its second body to its first has frames
 * exchanged and the axis reversed, so that its coordinate stays the same. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "linalg/rotation.h"
#include "model/import/export.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double same_axis = 1e-6; /* as joints have it */

/* where something stands in the file, for findings */
static const crank_xml *place_of(crank_robot *r, const crank_node *node)
{
    crank_xml *e = crank_store_take(r->im->store, 1, sizeof *e);
    if (e != NULL) {
        e->name = "";
        e->line = node != NULL ? node->line : 0;
        e->file = node != NULL ? node->file : NULL;
    }
    return e;
}

/* ---- bodies ---- */

static crank_status add_link(crank_robot *r, const crank_body_record *body)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const crank_xml *e = place_of(r, body->key);
    crank_robot_link *link = e != NULL ? crank_robot_add_link(r, e, body->name) : NULL;
    if (link == NULL) {
        return CRANK_EMODEL;
    }
    link->mass = body->mass;
    memcpy(link->inertial.x, body->center, sizeof body->center);
    for (int k = 0; k < 6; k++) {
        link->inertia[k] = body->point ? 0.0 : body->inertia[3 * row[k] + column[k]];
    }
    memcpy(link->start.x, body->position, sizeof body->position);
    memcpy(link->start.q, body->orientation, sizeof body->orientation);
    return CRANK_OK;
}

/* ---- joints ---- */

static crank_frame start_of(const crank_mechanism *m, int body)
{
    crank_frame f = crank_frame_none;
    if (body >= 0) {
        memcpy(f.x, m->body[body].position, sizeof f.x);
        memcpy(f.q, m->body[body].orientation, sizeof f.q);
    }
    return f;
}

static bool is_guess(const crank_mechanism *m, int body)
{
    return body >= 0 && m->body[body].orientation_fixing == CRANK_FREE;
}

/* point or direction of one side in axes of its body */
static void side(const crank_mechanism *m, const crank_ends *ends, int body, bool second,
                 bool point, double out[3])
{
    const double *given = second ? ends->second : ends->first;
    memcpy(out, given, 3 * sizeof *out);
    if (!ends->local) {
        const crank_frame at = start_of(m, body), back = crank_frame_inverse(&at);
        crank_frame_turn(out, back.q, given);
        if (point) {
            crank_add3(out, 1.0, back.x);
        }
    }
}

/* the shortest turn that leads c to a */
static void shortest(double q[4], const double c[3], const double a[3])
{
    double n[3];
    crank_cross3(n, c, a);
    const double half[4] = {1.0 + crank_dot3(a, c), n[0], n[1], n[2]};
    const double size = sqrt(half[0] * half[0] + crank_dot3(n, n));
    for (int i = 0; i < 4; i++) {
        q[i] = size > same_axis ? half[i] / size : (i == 0 ? 1.0 : 0.0);
    }
}

/* orientation of the second body in the first where coordinates are zero */
static void find_zero(const crank_mechanism *m, const crank_record *record, const int *between,
                      const double a[2][3], double q[4])
{
    const crank_field *turned = crank_record_find(record, "turned");
    const crank_field *axis = crank_record_find(record, "axis");
    const crank_field *at = crank_record_find(record, "at");
    const bool local = axis != NULL ? axis->ends.local : at->ends.local;
    const bool no_turn = axis == NULL || strcmp(record->type->name, "prismatic") == 0;
    const bool guess = is_guess(m, between[0]) || is_guess(m, between[1]);
    if (turned != NULL) {
        const double *file = record->axes;
        const double back[4] = {file[0], -file[1], -file[2], -file[3]};
        crank_quaternion_multiply(q, back, turned->number);
    } else if (!local || (no_turn && !guess)) {
        const crank_frame one = start_of(m, between[0]), other = start_of(m, between[1]);
        const double back[4] = {one.q[0], -one.q[1], -one.q[2], -one.q[3]};
        crank_quaternion_multiply(q, back, other.q);
    } else {
        shortest(q, a[1], a[0]);
    }
}

static bool find_kind(const char *name, crank_robot_kind *kind)
{
    static const struct {
        const char *name;
        crank_robot_kind kind;
    } kinds[] = {{"fixed", CRANK_ROBOT_FIXED},
                 {"revolute", CRANK_ROBOT_REVOLUTE},
                 {"prismatic", CRANK_ROBOT_PRISMATIC},
                 {"spherical", CRANK_ROBOT_SPHERICAL},
                 {"planar", CRANK_ROBOT_PLANAR}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            *kind = kinds[i].kind;
            return true;
        }
    }
    return false;
}

static crank_status add_joint(crank_robot *r, const crank_mechanism *m,
                              const crank_record *record)
{
    const crank_xml *e = place_of(r, record->key);
    crank_robot_joint *joint = e != NULL ? crank_robot_add_joint(r, e, record->name) : NULL;
    if (joint == NULL || !find_kind(record->type->name, &joint->kind)) {
        return joint == NULL ? CRANK_EMODEL : CRANK_OK;
    }
    const int *between = crank_record_find(record, "between")->index;
    const crank_ends *at = &crank_record_find(record, "at")->ends;
    const crank_field *axis = crank_record_find(record, "axis");
    const crank_field *rotor = crank_record_find(record, "rotor");
    double a[2][3] = {{1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}, zero[4];
    joint->first = between[0];
    joint->second = between[1];
    for (int k = 0; k < 2; k++) {
        side(m, at, between[k], k == 1, true, joint->frame[k].x);
        if (axis != NULL) {
            side(m, &axis->ends, between[k], k == 1, false, a[k]);
        }
    }
    find_zero(m, record, between, (const double(*)[3])a, zero);
    memcpy(joint->frame[0].q, zero, sizeof zero);
    memcpy(joint->axis, a[1], sizeof joint->axis);
    if (rotor != NULL) {
        joint->rotor = rotor->number[0];
        joint->ratio = rotor->number[1];
    }
    if (crank_record_find(record, "drive") != NULL) {
        crank_import_find(r->im, e, "joint \"%.80s\": its drive is left out", record->name);
    }
    return CRANK_OK;
}

/* ---- the tree ---- */

static bool is_marked(const crank_record *record, const char *word)
{
    const crank_field *tree = crank_record_find(record, "tree");
    return tree != NULL && strcmp(tree->word, word) == 0;
}

static void reverse(crank_robot_joint *joint)
{
    const crank_frame frame = joint->frame[0];
    const int link = joint->first;
    joint->frame[0] = joint->frame[1];
    joint->frame[1] = frame;
    joint->first = joint->second;
    joint->second = link;
    for (int i = 0; i < 3; i++) {
        joint->axis[i] = -joint->axis[i];
    }
}

/* joint i of the robot is joint[i] of the mechanism, for those that were added */
static crank_status grow_tree(crank_robot *r, const crank_mechanism *m, const int *joint)
{
    const int count = r->joint_count;
    bool *reached = crank_store_take(r->im->store, (size_t)r->link_count + 1, sizeof *reached);
    if (reached == NULL) {
        return CRANK_EMEM;
    }
    for (int j = 0; j < count; j++) {
        r->joint[j].loop = true;
    }
    for (bool on = true; on;) {
        on = false;
        for (int pass = 0; pass < 2 && !on; pass++) { /* `keep` first */
            for (int j = 0; j < count && !on; j++) {
                crank_robot_joint *J = &r->joint[j];
                const crank_record *record = &m->joint[joint[j]];
                const bool one = J->first < 0 || reached[J->first];
                const bool other = J->second < 0 || reached[J->second];
                if (!J->loop || one == other || is_marked(record, "cut") ||
                    (pass == 0 && !is_marked(record, "keep"))) {
                    continue;
                }
                if (other) {
                    reverse(J);
                }
                J->loop = false;
                reached[J->second] = true;
                on = true;
            }
        }
        for (int i = 0; i < r->link_count && !on; i++) { /* nothing holds it: it is free */
            if (reached[i]) {
                continue;
            }
            const char *name = crank_store_print(r->im->store, "%s_free", r->link[i].name);
            crank_robot_joint *J =
                name != NULL ? crank_robot_add_joint(r, r->link[i].e, name) : NULL;
            if (J == NULL) {
                return CRANK_EMODEL;
            }
            J->kind = CRANK_ROBOT_FREE;
            J->second = i;
            memcpy(J->frame[0].x, r->link[i].start.x, sizeof J->frame[0].x);
            memcpy(J->frame[0].q, r->link[i].start.q, sizeof J->frame[0].q);
            reached[i] = on = true;
        }
    }
    return CRANK_OK;
}

/* ---- couplings ---- */

/* gear and coupler of one or two coordinates; false: it cannot be said */
static bool add_coupling(crank_robot *r, const crank_mechanism *m, const crank_record *record,
                         const crank_xml *e)
{
    const bool gear = strcmp(record->type->name, "gear") == 0;
    const crank_field *joints = crank_record_find(record, "joints");
    const crank_field *factors = crank_record_find(record, "factors");
    if ((!gear && factors == NULL) || joints == NULL || joints->count > 2 ||
        (gear && crank_record_find(record, "rotor") != NULL)) {
        return false;
    }
    crank_robot_coupling *c = crank_robot_add_coupling(r, e);
    if (c == NULL) {
        return false;
    }
    c->name = record->name;
    c->count = joints->count;
    for (int i = 0; i < c->count; i++) {
        c->joint[i] = crank_index_find(&r->raw_joints, m->joint[joints->index[i]].name);
        if (c->joint[i] < 0) {
            r->coupling_count--;
            return false;
        }
    }
    const double ratio = gear ? crank_robot_number(record, "ratio", 1.0) : 0.0;
    c->factor[0] = gear ? -ratio : factors->number[0];
    c->factor[1] = gear ? 1.0 : c->count > 1 ? factors->number[1] : 0.0;
    c->offset = gear ? 0.0 : crank_robot_number(record, "offset", 0.0);
    return true;
}

/* ---- the whole ---- */

static bool is_moving(const crank_body_record *body)
{
    bool moves = false;
    for (int i = 0; i < 3; i++) {
        moves =
            moves || (body->velocity_fixing != CRANK_FREE && body->velocity[i] != 0.0) ||
            (body->angular_velocity_fixing != CRANK_FREE && body->angular_velocity[i] != 0.0);
    }
    return moves;
}

/* A robot starts at rest where its coordinates are zero: where `start` of its links is now, and
 * a body that the file places elsewhere, or moves, starts otherwise. */
static void tell_starts(crank_robot *r, const crank_mechanism *m)
{
    double size = 0.0;
    for (int i = 0; i < m->body_count; i++) {
        size = fmax(size, fmax(crank_norm3(m->body[i].position), r->link[i].reach_behind));
    }
    for (int i = 0; i < m->body_count; i++) {
        const crank_body_record *body = &m->body[i];
        const crank_frame *zero = &r->link[i].start;
        double off[3] = {body->position[0], body->position[1], body->position[2]};
        crank_add3(off, -1.0, zero->x);
        double dot = 0.0;
        for (int k = 0; k < 4; k++) {
            dot += body->orientation[k] * zero->q[k];
        }
        const double turned = 2.0 * sqrt(fmax(0.0, 2.0 - 2.0 * fmin(1.0, fabs(dot))));
        const bool placed = body->position_fixing != CRANK_FREE && !body->position_assumed &&
                            crank_norm3(off) > same_axis * size;
        const bool aimed = !body->point && body->orientation_fixing != CRANK_FREE &&
                           !body->orientation_assumed && turned > same_axis;
        if (placed || aimed || is_moving(body)) {
            crank_import_find(r->im, r->link[i].e,
                              "body \"%.80s\": %s left out; a robot starts at rest where its "
                              "coordinates are zero",
                              body->name,
                              !(placed || aimed) ? "its start velocity is"
                              : is_moving(body)  ? "where and how fast it starts are"
                                                 : "where it starts is");
        }
    }
}

static void tell_rest(crank_robot *r, const crank_mechanism *m)
{
    const crank_xml *e = place_of(r, NULL);
    const struct {
        int count;
        const char *what;
    } rest[] = {{m->dynamic_count + m->auxiliary_count, "variables"},
                {m->holonomic_count + m->nonholonomic_count, "constraints by expressions"},
                {m->initial_count + m->initial_joint_count, "start values of joints"},
                {m->event_count, "events"},
                {m->output_count, "outputs"},
                {m->view != NULL ? 1 : 0, "the view"}};
    for (size_t i = 0; i < sizeof rest / sizeof *rest && e != NULL; i++) {
        if (rest[i].count > 0) {
            crank_import_find(r->im, e, "%s %s left out", rest[i].what,
                              strcmp(rest[i].what, "the view") == 0 ? "is" : "are");
        }
    }
}

crank_status crank_robot_of(crank_robot *r, const crank_mechanism *m)
{
    crank_status status = CRANK_OK;
    crank_robot_kind kind;
    int *number_of = crank_store_take(r->im->store, (size_t)m->joint_count + 1, sizeof(int));
    if (m->dimension != 3) {
        return crank_fail(r->im->err, CRANK_EREFUSED,
                          "robots of other formats are spatial; this mechanism is planar");
    }
    if (number_of == NULL) {
        return CRANK_EMEM;
    }
    r->name = m->title != NULL ? m->title : "mechanism";
    memcpy(r->gravity, m->gravity, sizeof r->gravity);
    for (int i = 0; i < m->body_count && status == CRANK_OK; i++) {
        status = add_link(r, &m->body[i]);
    }
    for (int j = 0; j < m->joint_count && status == CRANK_OK; j++) {
        if (find_kind(m->joint[j].type->name, &kind)) {
            number_of[r->joint_count] = j;
            status = add_joint(r, m, &m->joint[j]);
        }
    }
    CRANK_THEN(status, grow_tree(r, m, number_of));
    for (int j = 0; j < m->joint_count && status == CRANK_OK; j++) {
        const crank_record *record = &m->joint[j];
        const crank_xml *e = place_of(r, record->key);
        const bool couples = strcmp(record->type->name, "coupler") == 0 ||
                             strcmp(record->type->name, "gear") == 0;
        if (!find_kind(record->type->name, &kind) && e != NULL &&
            !(couples && add_coupling(r, m, record, e))) {
            crank_import_find(r->im, e, "joint \"%.80s\" (%s) is left out", record->name,
                              record->type->name);
        }
    }
    for (int i = 0; i < m->force_count && status == CRANK_OK; i++) {
        const crank_xml *e = place_of(r, m->force[i].key);
        status = e != NULL ? crank_robot_along(r, m, &m->force[i], e) : CRANK_EMEM;
    }
    CRANK_THEN(status, crank_robot_check(r));
    if (status == CRANK_OK) {
        tell_starts(r, m);
        tell_rest(r, m);
    }
    return status;
}
