/* build_world.c - world points and directions on bodies that have no place in the file: they
 * are taken with the body at the origin and its axes parallel to the world's. If joints by
 * `first` and `second` then put the body elsewhere, they go with it, which is seldom what was
 * meant: it is reported.
 *
 * Bodies are placed once with all coordinates at zero, since what `initial` and drives say
 * moves bodies on purpose. With D_k the motion of body k from where the file has it, a joint or
 * force is as the file draws it if D_k P = P for both of its bodies at their points P. That
 * both are led to the same place, D_1 P = D_2 P, is not enough: two bodies without a place that
 * are hinged to each other at P go together, with their hinge.
 *
 * Angles of hinges whose axis is given once are zero where the file has the bodies. Where that
 * is a guess, the zero moves with it, which is reported, too. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "mechanics/build_inside.h"

#include <math.h>
#include <string.h>

static const double nearby = 1e-6; /* of the mechanism's length; rad */

/* D P */
static void move(const crank_builder *b, int body, const double P[3], double out[3])
{
    double arm[3], local[3];
    memcpy(out, P, 3 * sizeof *out);
    if (body < 0) {
        return;
    }
    const crank_body_state *from = &b->start[body], *to = &b->placed[body];
    for (int i = 0; i < 3; i++) {
        arm[i] = P[i] - from->x[i];
    }
    for (int i = 0; i < 3; i++) {
        local[i] = from->R[i] * arm[0] + from->R[3 + i] * arm[1] + from->R[6 + i] * arm[2];
    }
    crank_mat3_times(out, to->R, local);
    crank_add3(out, 1.0, to->x);
}

/* what joints do to points and directions of the file */
typedef struct led {
    int body;    /* the one that they lead furthest; -1: none */
    bool turned; /* a direction, far is an angle */
    double far;
} led;

static void lead_point(const crank_builder *b, int body, const double P[3], led *out)
{
    double there[3];
    move(b, body, P, there);
    crank_add3(there, -1.0, P);
    const double far = crank_norm3(there);
    if (far > out->far) {
        *out = (led){body, false, far};
    }
}

static void lead_direction(const crank_builder *b, int body, const double a[3], led *out)
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    double from[3], to[3], across[3];
    move(b, body, origin, from);
    move(b, body, a, to);
    crank_add3(to, -1.0, from);
    crank_cross3(across, a, to);
    const double far = atan2(crank_norm3(across), crank_dot3(a, to));
    if (far > out->far) {
        *out = (led){body, true, far};
    }
}

static bool is_open(const crank_builder *b, int body)
{
    return body >= 0 && b->mechanism->body[body].position_fixing == CRANK_FREE;
}

/* How far a key's points and directions of the world are led away. */
static led lead(const crank_builder *b, crank_shape shape, const crank_field *field,
                const int body[2])
{
    led out = {.body = -1};
    const bool ends = shape == CRANK_SHAPE_END || shape == CRANK_SHAPE_ENDS;
    if (field->ends.local) {
        return out;
    }
    for (int k = 0; k < 2; k++) {
        const double *own = k == 0 ? field->ends.first : field->ends.second;
        if (!is_open(b, body[k])) {
            continue;
        }
        if (ends) {
            lead_point(b, body[k], own, &out);
        } else if (shape == CRANK_SHAPE_POINT) {
            lead_point(b, body[k], field->number, &out);
        } else if (shape == CRANK_SHAPE_AXIS) {
            lead_direction(b, body[k], own, &out);
        } else if (shape == CRANK_SHAPE_DIRECTIONS) {
            lead_direction(b, body[k], field->number + 3 * k, &out);
        }
    }
    return out;
}

static void tell(const crank_builder *b, const crank_record *record, const char *key,
                 const led *far)
{
    static const double degrees = 57.29577951308232;
    const crank_log *log = &b->mechanism->options->log;
    const char *kind = crank_build_record_kind(record);
    const char *body = b->mechanism->body[far->body].name;
    if (far->turned) {
        crank_log_write(
            log, CRANK_WARNING,
            "%s \"%.80s\", `%s`: body \"%.80s\" has no place in the file, so "
            "that world directions are taken with its axes parallel to the world's, "
            "but joints turn it, and this one by %.4g deg; give the body position "
            "and orientation, or the direction in body axes (`first`, `second`)",
            kind, record->name, key, body, degrees * far->far);
    } else {
        crank_log_write(log, CRANK_WARNING,
                        "%s \"%.80s\", `%s`: body \"%.80s\" has no position in the file, so "
                        "that world points are taken with it at the origin, but joints "
                        "put it elsewhere, and this one %.4g away; give the body a position, "
                        "or the point in body axes",
                        kind, record->name, key, body, far->far);
    }
}

/* small: a way that is none */
static void look_at(const crank_builder *b, const crank_record *record, double small)
{
    int body[2] = {-1, -1};
    for (const crank_key_spec *key = record->type->keys; key->name != NULL; key++) {
        const crank_field *field = crank_record_find(record, key->name);
        if (field != NULL && key->shape == CRANK_SHAPE_BODIES) {
            memcpy(body, field->index, sizeof body);
        } else if (field != NULL && key->shape == CRANK_SHAPE_BODY) {
            body[1] = field->index[0];
        }
    }
    for (const crank_key_spec *key = record->type->keys; key->name != NULL; key++) {
        const crank_field *field = crank_record_find(record, key->name);
        const led far = field != NULL ? lead(b, key->shape, field, body) : (led){.body = -1};
        if (far.body >= 0 && far.far > (far.turned ? nearby : small)) {
            tell(b, record, key->name, &far);
        }
    }
}

/* The turn of the second body against the first where the file has them. */
static double turn_between(const crank_builder *b, const int body[2])
{
    double trace = 0.0;
    static const double unit[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    const double *first = body[0] >= 0 ? b->start[body[0]].R : unit;
    const double *second = body[1] >= 0 ? b->start[body[1]].R : unit;
    for (int i = 0; i < 9; i++) {
        trace += first[i] * second[i];
    }
    return acos(fmax(-1.0, fmin(1.0, 0.5 * (trace - 1.0))));
}

/* An angle counts from where the file has its bodies, unless frames are given: not on purpose,
 * if that is a guess. */
static void look_at_zero(const crank_builder *b, const crank_record *joint)
{
    const crank_mechanism *m = b->mechanism;
    const crank_field *frame = crank_record_find(joint, m->dimension == 2 ? "at" : "axis");
    const crank_field *between = crank_record_find(joint, "between");
    if (!crank_record_has(joint, CRANK_TURNS) || frame == NULL || frame->ends.local ||
        crank_record_find(joint, "turned") != NULL) {
        return;
    }
    const double turn = turn_between(b, between->index);
    for (int k = 0; k < 2; k++) {
        const crank_body_record *own =
            between->index[k] >= 0 ? &m->body[between->index[k]] : NULL;
        if (own != NULL && own->orientation_said && own->orientation_fixing == CRANK_FREE &&
            turn > nearby) {
            crank_log_write(&m->options->log, CRANK_WARNING,
                            "joint \"%.80s\": its angle is zero where the guess of how body "
                            "\"%.80s\" is turned puts it, %.4g deg from where the axes of its "
                            "bodies are parallel; give `%s` by `first` and `second` for a zero "
                            "that no guess moves",
                            joint->name, own->name, 57.29577951308232 * turn,
                            m->dimension == 2 ? "at" : "axis");
            return;
        }
    }
}

crank_status crank_build_check_world(crank_builder *b, crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    const double small = nearby * crank_build_natural_length(b);
    bool any = false;
    for (int j = 0; j < m->joint_count; j++) {
        look_at_zero(b, &m->joint[j]);
    }
    for (int i = 0; i < m->body_count; i++) {
        any = any || is_open(b, i);
    }
    crank_joint_place *kept =
        crank_store_take(b->store, (size_t)(any ? m->joint_count : 0), sizeof *kept);
    if (!any || b->store->failed) {
        return crank_build_memory(b, err);
    }
    for (int j = 0; j < m->joint_count; j++) {
        kept[j] = b->place[j];
        memset(b->place[j].turn, 0, sizeof b->place[j].turn);
        memset(b->place[j].length, 0, sizeof b->place[j].length);
    }
    const bool placed = crank_build_place(b);
    for (int j = 0; j < m->joint_count; j++) {
        b->place[j] = kept[j];
    }
    for (int j = 0; j < m->joint_count && placed; j++) {
        look_at(b, &m->joint[j], small);
    }
    for (int i = 0; i < m->force_count && placed; i++) {
        look_at(b, &m->force[i], small);
    }
    return crank_build_memory(b, err);
}
