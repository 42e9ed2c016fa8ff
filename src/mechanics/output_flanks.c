/* output_flanks.c - teeth push, they cannot pull: a mesh whose `separation` (of `teeth`:
 * `effort`) is negative in a row loads its bearings as the other pair of flanks would not. Rows
 * see it, where the shares of redundant reactions are known, and the next look reports it, once
 * for each mesh.
 *
 * What is small is so against the largest reaction of the row and against kinetic energy over
 * the mechanism's length, so that rounding in gears without load is no pull. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "mechanics/build_inside.h"
#include "mechanics/output.h"

#include <math.h>
#include <string.h>

static const double small = 1e-6;

/* the quantity of a joint with teeth that is negative if they pull; NULL: it has none */
static const char *push_of(const crank_record *joint)
{
    return strcmp(joint->type->name, "mesh") == 0    ? "separation"
           : strcmp(joint->type->name, "teeth") == 0 ? "effort"
                                                     : NULL;
}

static const char *remedy_of(const crank_record *joint)
{
    if (strcmp(joint->type->name, "mesh") != 0) {
        return "reverse their `line`";
    }
    const crank_field *flank = crank_record_find(joint, "flank");
    return flank != NULL && strcmp(flank->word, "cw") == 0 ? "say \"flank: ccw\""
                                                           : "say \"flank: cw\"";
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

bool crank_flanks_find(crank_output_set *set, const crank_builder *b)
{
    const crank_mechanism *m = b->mechanism;
    size_t count = 0;
    for (int j = 0; j < m->joint_count; j++) {
        count += push_of(&m->joint[j]) != NULL ? 1 : 0;
    }
    set->flank = crank_store_take(&set->store, count, sizeof *set->flank);
    set->flank_length = crank_build_natural_length(b);
    for (int j = 0; j < m->joint_count && set->flank != NULL; j++) {
        const char *push = push_of(&m->joint[j]);
        if (push != NULL) {
            const char *name = m->joint[j].name;
            const char *column = crank_store_print(&set->store, "joint.%s.%s", name, push);
            if (column == NULL) {
                return false;
            }
            set->flank[set->flank_count++] =
                (crank_flank){.name = crank_store_copy(&set->store, name, strlen(name)),
                              .column = find_column(set, column),
                              .remedy = remedy_of(&m->joint[j])};
        }
    }
    return !set->store.failed;
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
        if (!f->pulls && f->column >= 0 && values[f->column] < -small * largest) {
            f->pulls = true;
            f->t = t;
            f->separation = values[f->column];
        }
    }
}

void crank_flanks_tell(crank_output_set *set, const crank_log *log)
{
    for (int i = 0; i < set->flank_count; i++) {
        crank_flank *f = &set->flank[i];
        if (f->pulls && !f->told) {
            f->told = true;
            crank_log_write(log, CRANK_WARNING,
                            "joint \"%.80s\": at t = %.6g its teeth pull (force %.4g): the "
                            "other flanks would carry this load, and load the bearings "
                            "otherwise; if it is so most of the time, %s",
                            f->name, f->t, f->separation, f->remedy);
        }
    }
}
