/* build_world.c - world points on bodies that have no place in the file: they are taken with
 * the body at the origin. If joints by `first` and `second` then put the body elsewhere, the
 * point goes with it, which is seldom what was meant: it is reported.
 *
 * Bodies are placed once with all coordinates at zero, since what `initial` and drives say
 * moves bodies on purpose. With D_k the motion of body k from where the file has it, a joint or
 * force between two bodies is as the file draws it if D_1 P = D_2 P at its points P. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "mechanics/build_inside.h"

#include <string.h>

static const double nearby = 1e-6; /* of the mechanism's length */

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

static double apart(const crank_builder *b, const int body[2], const double P[3])
{
    double one[3], other[3];
    move(b, body[0], P, one);
    move(b, body[1], P, other);
    crank_add3(one, -1.0, other);
    return crank_norm3(one);
}

static bool is_open(const crank_builder *b, int body)
{
    return body >= 0 && b->mechanism->body[body].position_fixing == CRANK_FREE;
}

/* How far the key's points are led apart, 0 if it has none in the world. */
static double led_apart(const crank_builder *b, crank_shape shape, const crank_field *field,
                        const int body[2])
{
    if (shape == CRANK_SHAPE_POINT) {
        return apart(b, body, field->number);
    }
    const bool ends = shape == CRANK_SHAPE_END || shape == CRANK_SHAPE_ENDS;
    if (!ends || field->ends.local) {
        return 0.0;
    }
    const double first = apart(b, body, field->ends.first);
    const double second = apart(b, body, field->ends.second);
    return first > second ? first : second;
}

static void look_at(const crank_builder *b, const crank_record *record, double small)
{
    const crank_mechanism *m = b->mechanism;
    int body[2] = {-1, -1};
    for (const crank_key_spec *key = record->type->keys; key->name != NULL; key++) {
        const crank_field *field = crank_record_find(record, key->name);
        if (field != NULL && key->shape == CRANK_SHAPE_BODIES) {
            memcpy(body, field->index, sizeof body);
        } else if (field != NULL && key->shape == CRANK_SHAPE_BODY) {
            body[1] = field->index[0];
        }
    }
    if (!is_open(b, body[0]) && !is_open(b, body[1])) {
        return;
    }
    for (const crank_key_spec *key = record->type->keys; key->name != NULL; key++) {
        const crank_field *field = crank_record_find(record, key->name);
        const double far = field != NULL ? led_apart(b, key->shape, field, body) : 0.0;
        if (far > small) {
            const int open = is_open(b, body[1]) ? body[1] : body[0];
            crank_log_write(
                &m->options->log, CRANK_WARNING,
                "%s \"%.80s\", `%s`: body \"%.80s\" has no position in the file, so "
                "that world points are taken with it at the origin, but joints "
                "put it elsewhere, and this one %g away; give the body a position, "
                "or the point in body axes",
                crank_build_record_kind(record), record->name, key->name, m->body[open].name,
                far);
        }
    }
}

crank_status crank_build_check_world(crank_builder *b, crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    const double small = nearby * crank_build_natural_length(b);
    bool any = false;
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
        b->place[j].angle = b->place[j].length = 0.0;
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
