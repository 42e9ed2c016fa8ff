/* output_flanks.c - teeth push, they cannot pull: a mesh whose `separation` is negative in a
 * row loads its bearings as the other pair of flanks would not. Nor can a cam, a floor or a rail:
 * where the `push` of a `profile` or of what rolls is negative, or the `load` of a wheel, it would
 * lift off. Rows see it, where the shares
 * of redundant reactions are known, and the next look reports it, once for each joint, those of
 * the same time in one message: if they pull in two rows that follow each other, so that a load
 * that is about to change, and an idle start, is none.
 *
 * Of `teeth` the separation is the part of their force along e, the normal of the pitch
 * surfaces at the point where they touch, out of the first wheel: across the speeds t_k = a_k x
 * (P - x_k) of both wheels there, or, where these are parallel (parallel and intersecting
 * axes), across them and the axis about which one wheel rolls on the other. The sign of
 * `effort` alone says nothing: line and -line are the same constraint.
 *
 * What is small is so against the largest reaction of the row and against kinetic energy over
 * the mechanism's length, so that rounding in gears without load is no pull; and against what
 * the same teeth have carried before, so that idling is none; what they pushed before is told where
 * it is not small against their pull. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "mechanics/build_inside.h"
#include "mechanics/joints/joint.h"
#include "mechanics/output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double small = 1e-6, idle = 1e-2;
static const double parallel = 1e-3; /* speeds of wheels whose axes do not cross: rounding */

/* Type of joint; its quantity that is negative if it pulls; in how many rows in a row that is
 * told: a follower that lifts off for one has done so, teeth may be between two flanks; and how.
 */
typedef struct crank_flank_kind {
    const char *type, *quantity;
    int rows;
    const char *what, *then;
} crank_flank_kind;

#define LIFTS "it would lift off; "
static const crank_flank_kind kinds[] = {
    {"mesh", "separation", 2, "teeth pull the wheels together", NULL},
    {"teeth", "effort", 2, "teeth pull the wheels together", NULL},
    {"profile", "push", 1, "outlines pull each other",
     "which a `profile` does and a cam does not: the follower would lift off; stiffen its "
     "spring, or let it (one-sided contact, see \"Cams\" in the formats)"},
    {"rolling_disc", "push", 1, "plane pulls the wheel",
     "which rolling joints do and no ground does: " LIFTS
     "where it shall, a `tyre` or a one-sided spring carries it"},
    {"rolling_sphere", "push", 1, "plane pulls the sphere",
     "which rolling joints do and no ground does: " LIFTS
     "where it shall, a one-sided spring carries it"},
    {"wheel_rail", "load", 1, "rail pulls the wheel",
     "which no rail does: " LIFTS "from here on the motion is another one"},
};

/* NULL: it may pull, or nobody knows which way that is */
static const crank_flank_kind *kind_of(const crank_record *joint)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(joint->type->name, kinds[i].type) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}

static const char *remedy_of(const crank_record *joint)
{
    if (kind_of(joint)->then != NULL) {
        return NULL;
    }
    if (strcmp(joint->type->name, "mesh") != 0) {
        return "reverse the part of their `line` along which the wheels move and that along "
               "the axes, not the one that pushes the wheels apart";
    }
    const crank_field *flank = crank_record_find(joint, "flank");
    return flank != NULL && strcmp(flank->word, "cw") == 0 ? "say \"flank: ccw\""
                                                           : "say \"flank: cw\"";
}

static void world_point(const crank_builder *b, crank_marker m, double out[3])
{
    crank_joint_world(b, m, out);
    if (m.body >= 0) {
        crank_add3(out, 1.0, crank_build_body(b, m.body)->x);
    }
}

/* The hinge about which a wheel turns: on its carrier, or the only one; false: not known. */
static bool axis_of(const crank_builder *b, int wheel, int carrier, double point[3],
                    double axis[3])
{
    const crank_mechanism *m = b->mechanism;
    int found = 0;
    for (int j = 0; j < m->joint_count; j++) {
        const char *type = m->joint[j].type->name;
        const crank_drawing *d = &b->drawing[j];
        if ((strcmp(type, "revolute") != 0 && strcmp(type, "cylindrical") != 0) || !d->given ||
            !d->has_axis || (d->at[0].body != wheel && d->at[1].body != wheel)) {
            continue;
        }
        const int other = d->at[0].body == wheel ? 1 : 0;
        crank_joint_world(b, d->axis[other], axis);
        world_point(b, d->at[other], point);
        if (d->at[other].body == carrier) {
            return true;
        }
        found++;
    }
    return found == 1;
}

/* e, not a unit vector, from the speeds and radii of both wheels */
static bool normal_of(double t[2][3], double r[2][3], double a[2][3], const double n[3],
                      double e[3])
{
    crank_cross3(e, t[0], t[1]);
    if (crank_norm3(e) <= parallel * crank_norm3(t[0]) * crank_norm3(t[1])) {
        const double along[2] = {crank_dot3(n, t[0]), crank_dot3(n, t[1])};
        double roll[3];
        for (int k = 0; k < 3; k++) {
            roll[k] = along[1] * a[0][k] - along[0] * a[1][k];
        }
        crank_cross3(e, t[0], roll);
    }
    const double side[2] = {crank_dot3(e, r[0]), crank_dot3(e, r[1])};
    const bool inside = side[0] * side[1] > 0.0; /* the larger wheel is around the other */
    const double out = inside && crank_norm3(r[0]) > crank_norm3(r[1]) ? -side[0] : side[0];
    for (int k = 0; k < 3; k++) {
        e[k] = out < 0.0 ? -e[k] : e[k];
    }
    return crank_norm3(e) > 0.0;
}

/* separation/effort of `teeth`; where axes are not known 1: `line` is as it is written */
static double push_along_line(crank_builder *b, const crank_record *joint)
{
    const int *between = crank_record_find(joint, "between")->index;
    const crank_field *body = crank_record_find(joint, "carrier");
    const int carrier = body != NULL ? body->index[0] : -1;
    double P[3], n[3], e[3], a[2][3], t[2][3], r[2][3];
    crank_error ignored = {0};
    crank_marker at;
    if (crank_build_own_point(b, joint, carrier, &at, &ignored) != CRANK_OK) {
        return 1.0;
    }
    world_point(b, at, P);
    memcpy(n, crank_record_find(joint, "line")->number, sizeof n);
    for (int k = 0; k < 2; k++) {
        if (!axis_of(b, between[k], carrier, r[k], a[k])) {
            return 1.0;
        }
        for (int i = 0; i < 3; i++) {
            r[k][i] = P[i] - r[k][i];
        }
        crank_add3(r[k], -crank_dot3(r[k], a[k]), a[k]);
        crank_cross3(t[k], a[k], r[k]);
    }
    return normal_of(t, r, a, n, e) ? crank_dot3(n, e) / (crank_norm3(n) * crank_norm3(e))
                                    : 1.0;
}

static int find_column(const crank_output_set *set, const char *name)
{
    for (int i = 0; i < set->column_count; i++) {
        if (strcmp(set->column_name[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

bool crank_flanks_find(crank_output_set *set, crank_builder *b)
{
    const crank_mechanism *m = b->mechanism;
    size_t count = 0;
    for (int j = 0; j < m->joint_count; j++) {
        count += kind_of(&m->joint[j]) != NULL ? 1 : 0;
    }
    set->flank = crank_store_take(&set->store, count, sizeof *set->flank);
    set->flank_length = crank_build_natural_length(b);
    for (int j = 0; j < m->joint_count && set->flank != NULL; j++) {
        const crank_flank_kind *kind = kind_of(&m->joint[j]);
        if (kind != NULL) {
            const char *name = m->joint[j].name;
            const bool teeth = strcmp(m->joint[j].type->name, "teeth") == 0;
            const char *column =
                crank_store_print(&set->store, "joint.%s.%s", name, kind->quantity);
            if (column == NULL) {
                return false;
            }
            set->flank[set->flank_count++] =
                (crank_flank){.name = crank_store_copy(&set->store, name, strlen(name)),
                              .kind = kind,
                              .column = find_column(set, column),
                              .push = teeth ? push_along_line(b, &m->joint[j]) : 1.0,
                              .remedy = remedy_of(&m->joint[j])};
        }
    }
    return !set->store.failed;
}

static bool is_due(const crank_flank *f)
{
    return f->rows >= f->kind->rows && !f->told;
}

void crank_flanks_note(crank_output_set *set, const crank_system *s, double t,
                       const double *values, const double *reaction)
{
    const crank_reactions *r = &set->reaction;
    const int forces = r->components == 3 ? 2 : 3;
    if (set->flank_count == 0) {
        return;
    }
    double largest =
        set->flank_length > 0.0 ? crank_energy_kinetic(s) / set->flank_length : 0.0;
    for (int i = 0; i < r->count; i++) {
        for (int k = 0; k < forces; k++) {
            largest = fmax(largest, fabs(reaction[i * r->components + k]));
        }
    }
    for (int i = 0; i < set->flank_count; i++) {
        crank_flank *f = &set->flank[i];
        const double push = f->column >= 0 ? f->push * values[f->column] : 0.0;
        if (!(push < -small * largest && push < -idle * f->most)) {
            f->rows = is_due(f) ? f->rows : 0;
        } else if (f->rows++ == 0) {
            f->t = t;
            f->separation = push;
        }
        f->most = fmax(f->most, push);
    }
}

/* 'likewise 3 more, "b", "c", ...' of those of its kind that pull, too; they count as told */
static void list_others(crank_output_set *set, int first, char *text, size_t size)
{
    size_t length = 0;
    int count = 0;
    char names[160] = "";
    for (int i = first + 1; i < set->flank_count; i++) {
        crank_flank *f = &set->flank[i];
        const bool due = is_due(f) && strcmp(f->kind->what, set->flank[first].kind->what) == 0;
        if (due && count < 4) { /* they fit */
            const int more = snprintf(names + length, sizeof names - length, "%s\"%.30s\"",
                                      count == 0 ? "" : ", ", f->name);
            length += more > 0 ? (size_t)more : 0;
        }
        count += due ? 1 : 0;
        f->told = f->told || due;
    }
    if (count > 0) {
        (void)snprintf(text, size, "; likewise %d more, %s%s", count, names,
                       count > 4 ? ", ..." : "");
    }
}

void crank_flanks_tell(crank_output_set *set, const crank_log *log)
{
    for (int i = 0; i < set->flank_count; i++) {
        crank_flank *f = &set->flank[i];
        if (!is_due(f)) {
            continue;
        }
        f->told = true;
        char before[48] = "", others[200] = "";
        if (f->most > -small * f->separation) {
            (void)snprintf(before, sizeof before, ", of up to %.4g N that they push", f->most);
        }
        list_others(set, i, others, sizeof others);
        if (f->kind->then != NULL) {
            crank_log_write(log, CRANK_WARNING,
                            "joint \"%.80s\": at t = %.6g its %s (by %.4g N%s), %s%s", f->name,
                            f->t, f->kind->what, -f->separation, before, f->kind->then, others);
            continue;
        }
        crank_log_write(log, CRANK_WARNING,
                        "joint \"%.80s\": at t = %.6g its %s (by %.4g N%s): the other flanks "
                        "would carry this load, and load the bearings otherwise; if it is so "
                        "most of the time, %s%s",
                        f->name, f->t, f->kind->what, -f->separation, before, f->remedy,
                        others);
    }
}
