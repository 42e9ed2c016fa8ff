/* output_carrier.c - is what is said to carry the wheels of `teeth` what carries them? The point
 * where teeth meet is fixed in the carrier, and so must be the axes of the wheels: where the
 * hinge of a wheel is on another body, and that turns against the carrier about an axis of its
 * own, the wheel's centre runs away from the point. So does a planet whose teeth have no
 * `carrier`, which is then the ground. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "mechanics/build_inside.h"
#include "mechanics/joints/joint.h"
#include "mechanics/output.h"

#include <math.h>
#include <string.h>

/* of lengths and unit vectors: what rounding and few digits in files leave */
static const double same_line = 1e-4;

typedef struct hinge {
    int body[2];
    crank_marker at[2], axis[2];
} hinge;

static bool find_hinge(const crank_builder *b, int joint, hinge *out)
{
    const crank_record *record = &b->mechanism->joint[joint];
    const crank_drawing *d = &b->drawing[joint];
    if (strcmp(record->type->name, "revolute") != 0 || !d->given || !d->has_axis) {
        return false;
    }
    const int *between = crank_record_find(record, "between")->index;
    for (int k = 0; k < 2; k++) {
        out->body[k] = between[k];
        out->at[k] = d->at[k];
        out->axis[k] = d->axis[k];
    }
    return true;
}

/* which end of the hinge is on a body; -1: none */
static int end_on(const hinge *h, int body)
{
    return h->body[0] == body ? 0 : h->body[1] == body ? 1 : -1;
}

/* Are the axes of two hinges of a body one line in it? Wherever the body is. */
static bool is_one_line(const crank_builder *b, const hinge *one, int i, const hinge *other,
                        int k)
{
    double a[3], c[3], p[3], q[3], across[3];
    crank_joint_world(b, one->axis[i], a);
    crank_joint_world(b, other->axis[k], c);
    crank_joint_world(b, one->at[i], p);
    crank_joint_world(b, other->at[k], q);
    crank_cross3(across, a, c);
    if (crank_norm3(across) > same_line * crank_norm3(a) * crank_norm3(c)) {
        return false;
    }
    crank_add3(q, -1.0, p);
    crank_cross3(across, q, a);
    return crank_norm3(across) <=
           same_line * crank_norm3(a) * fmax(crank_norm3(q), crank_build_natural_length(b));
}

/* The body on whose hinge a wheel's axis leaves the carrier; -2: there is none, or it is not
 * known. */
static int leaves(const crank_builder *b, int wheel, int carrier)
{
    const crank_mechanism *m = b->mechanism;
    int found = -2;
    for (int j = 0; j < m->joint_count; j++) {
        hinge own, next;
        if (!find_hinge(b, j, &own) || end_on(&own, wheel) < 0) {
            continue;
        }
        const int end = 1 - end_on(&own, wheel), on = own.body[end];
        if (on == carrier) {
            return -2;
        }
        for (int k = 0; k < m->joint_count; k++) {
            if (k == j || !find_hinge(b, k, &next) || end_on(&next, on) < 0 ||
                end_on(&next, carrier) < 0) {
                continue;
            }
            if (!is_one_line(b, &own, end, &next, end_on(&next, on))) {
                found = on;
            }
        }
    }
    return found;
}

static const char *name_of(const crank_mechanism *m, int body)
{
    return body >= 0 ? m->body[body].name : "ground";
}

void crank_carrier_warn(const crank_builder *b)
{
    const crank_mechanism *m = b->mechanism;
    for (int j = 0; j < m->joint_count; j++) {
        const crank_record *record = &m->joint[j];
        if (strcmp(record->type->name, "teeth") != 0) {
            continue;
        }
        const int *between = crank_record_find(record, "between")->index;
        const crank_field *field = crank_record_find(record, "carrier");
        const int carrier = field != NULL ? field->index[0] : -1;
        for (int k = 0; k < 2; k++) {
            const int on = between[k] == carrier ? -2 : leaves(b, between[k], carrier);
            if (on != -2) {
                crank_log_write(&m->options->log, CRANK_WARNING,
                                "joint \"%.80s\": the point where its teeth meet is fixed in "
                                "\"%.80s\", %s, but wheel \"%.80s\" turns on \"%.80s\", which "
                                "carries its axis away from there; say \"carrier: %.80s\"",
                                record->name, name_of(m, carrier),
                                field != NULL ? "its `carrier`" : "since it has no `carrier`",
                                m->body[between[k]].name, name_of(m, on), name_of(m, on));
                break;
            }
        }
    }
}
