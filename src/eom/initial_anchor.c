/* initial_anchor.c - bodies without a place that stay all the same while loops close.
 *
 * Bodies that constraints tie together, but neither to the ground nor to a body with a place
 * (an angle that is given, of a shaft, is no place: its engine stands where its mounts are),
 * can close their loops by moving against each other; as a whole they stand where the file's
 * zero is, and springs to the ground expect them there. So the heaviest of such a group, the
 * one that the others are put around (mechanics/build_place.c), moves as little as what is
 * placed. So do a position and an orientation that the file gives as guesses: they say on which
 * side a loop closes. Only on position level: conditions of other levels move them as any guess.
 * From a solution they give way to what is placed (initial_near.c). */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/disjoint.h"
#include "eom/initial.h"

#include <string.h>

/* Joins bodies that a row of velocities has in common; w->tied: those that are alone in one, so
 * that the rest of it is the ground. w->place, w->row: work. */
static void join_bodies(crank_initial *w)
{
    const crank_eom *eom = w->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    int *first = w->place, *alone = w->row;
    for (int i = 0; i < w->algebraic; i++) {
        first[i] = -1;
        alone[i] = 1;
    }
    for (int i = 0; i < eom->sizes.v; i++) {
        const int j = eom->column[CRANK_V] + i, body = eom->parts->velocity_body[i];
        for (int q = J->start[j]; q < J->start[j + 1] && body >= 0; q++) {
            const int row = J->row[q];
            if (row < eom->row[CRANK_ROW_GI] || row >= eom->row[CRANK_ROW_E]) {
                continue;
            }
            if (first[row] < 0) {
                first[row] = body;
            } else if (first[row] != body) {
                alone[row] = 0;
                (void)crank_disjoint_join(w->group, body, first[row]);
            }
        }
    }
    for (int i = 0; i < w->algebraic; i++) {
        if (first[i] >= 0 && alone[i]) {
            w->tied[first[i]] = true;
        }
    }
}

void crank_initial_find_anchors(crank_initial *w)
{
    const crank_eom *eom = w->eom;
    const crank_eom_parts *parts = eom->parts;
    memset(w->anchor, 0, (size_t)eom->n * sizeof *w->anchor);
    if (parts == NULL) {
        return;
    }
    for (int i = 0; i < parts->body_count; i++) {
        w->group[i] = i;
        w->tied[i] = false;
    }
    join_bodies(w);
    for (int i = 0; i < eom->sizes.p; i++) {
        const int body = parts->position_body[i];
        if (body >= 0 && parts->position_kind[i] == 't' &&
            w->fixing[eom->column[CRANK_P] + i] != CRANK_FREE) {
            w->tied[body] = true;
        }
    }
    int *heaviest = w->heaviest;
    for (int i = 0; i < parts->body_count; i++) {
        const int root = crank_disjoint_root(w->group, i);
        w->tied[root] = w->tied[root] || w->tied[i];
        heaviest[i] = -1;
    }
    for (int i = 0; i < parts->body_count; i++) {
        int *own = &heaviest[crank_disjoint_root(w->group, i)];
        *own = *own < 0 || parts->body_mass[i] > parts->body_mass[*own] ? i : *own;
    }
    for (int i = 0; i < eom->sizes.p; i++) {
        const int body = parts->position_body[i];
        const int root = body >= 0 ? crank_disjoint_root(w->group, body) : -1;
        w->anchor[eom->column[CRANK_P] + i] =
            (root >= 0 && !w->tied[root] && heaviest[root] == body) ||
            (body >= 0 && (parts->position_kind[i] == 't' ? parts->body_stands[body]
                                                          : parts->body_turned[body]));
    }
}
