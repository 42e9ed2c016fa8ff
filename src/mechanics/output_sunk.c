/* output_sunk.c - tyres whose wheels have sunk: the deflection is larger than the radius, so that
 * the centre is under the road. No tyre does that: a vehicle without a place stands at the
 * origin, with its axles in the ground, and is thrown into the air; or it is too heavy for its
 * stiffness. Rows see it, and the next look reports it, once for all tyres together. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"
#include "mechanics/forces/force.h"
#include "mechanics/output.h"

#include <stdio.h>
#include <string.h>

static int find_column(const crank_output_set *set, const char *name)
{
    for (int i = 0; i < set->column_count; i++) {
        if (strcmp(set->column_name[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

bool crank_sunk_find(crank_output_set *set, const crank_builder *b)
{
    const crank_mechanism *m = b->mechanism;
    set->sunk = crank_store_take(&set->store, (size_t)m->force_count, sizeof *set->sunk);
    for (int i = 0; i < m->force_count && !set->store.failed; i++) {
        const crank_record *force = &m->force[i];
        if (strcmp(force->type->name, "tyre") != 0) {
            continue;
        }
        const char *name = crank_store_copy(&set->store, force->name, strlen(force->name));
        const char *column = crank_store_print(&set->store, "force.%s.deflection", force->name);
        const double radius = crank_force_number(force, "radius", 0.0);
        if (name != NULL && column != NULL && radius > 0.0) {
            set->sunk[set->sunk_count++] = (crank_sunk){
                .name = name, .column = find_column(set, column), .radius = radius};
        }
    }
    return !set->store.failed;
}

void crank_sunk_note(crank_output_set *set, double t, const double *values)
{
    for (int i = 0; i < set->sunk_count && !set->sunk_told; i++) {
        crank_sunk *s = &set->sunk[i];
        const double depth = s->column >= 0 ? values[s->column] - s->radius : 0.0;
        if (depth > 0.0 && s->depth == 0.0) {
            s->t = t;
            s->depth = depth;
        }
    }
}

void crank_sunk_tell(crank_output_set *set, const crank_log *log)
{
    const crank_sunk *first = NULL;
    int others = 0;
    char more[40] = "";
    for (int i = 0; i < set->sunk_count && !set->sunk_told; i++) {
        const crank_sunk *s = &set->sunk[i];
        others += s->depth > 0.0 && first != NULL ? 1 : 0;
        first = s->depth > 0.0 && first == NULL ? s : first;
    }
    if (first == NULL) {
        return;
    }
    set->sunk_told = true;
    if (others > 0) {
        (void)snprintf(more, sizeof more, " (and %d more)", others);
    }
    crank_log_write(log, CRANK_WARNING,
                    "force \"%.80s\"%s: at t = %.6g the centre of the wheel is %.4g under the "
                    "road; place the vehicle higher (bodies without a position begin at the "
                    "origin), or look at the load and the stiffness of its tyres",
                    first->name, more, first->t, first->depth);
}
