/* initial_sides.c - of the ways in which loops close the one nearest to where the search began.
 *
 * A link that is held at a pin and by a rod to another point closes its loop on two sides,
 * which meet at a dead centre. Where the search begins far from closed, or beside a dead
 * centre, steps may end on the farther side. So from a solution each row F_i that was open at
 * the beginning is released: the others hold on a curve on which F_i leaves zero,
 *     F_k(x(s)) = 0, k != i,  x(0) = solution,  x' = (I - A^+ A) x'_before,  |x'| = 1
 *         theory (5.14)
 * A without row i, both ways from the solution, with steps in the tangent closed again by the
 * stage. Where F_i falls back to zero, beyond a dead centre, the loop is closed on another
 * side. Of all sides found so the nearest to the beginning stays, counted as steps count it,
 * and its own sides are looked at in turn. If conditions or drives say how far joints are and
 * another side is nearly as near, the body that the file would have to place is named, as
 * nothing that it gives tells them apart. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/initial_sides.h"

#include "base/then.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* of the unknowns' moves, between a side and one that is known: far above the tolerance */
static const double same = 1e-6;

/* On the way to a side the cost may be so many times what it may be there: sides that are
 * farther lead to none that counts. */
static const double excursion = 4.0;

int crank_initial_owner(const crank_initial *w, int i)
{
    const int constraint = i - w->eom->row[CRANK_ROW_G];
    const bool joint = constraint >= 0 && constraint < w->eom->sizes.lambda;
    return joint ? w->eom->parts->constraint_joint[constraint] : -2 - i;
}

/* Adds a row k of the stage, open by w->r, to those chosen: the widest first, one a joint. */
static void add_row(const crank_initial *w, crank_side_search *search, int k)
{
    const int owner = crank_initial_owner(w, w->row[k]);
    int at = search->given;
    while (at < search->count && crank_initial_owner(w, search->candidate[at]) != owner) {
        at++;
    }
    if (at == search->count && at == CRANK_SIDE_ROWS) {
        at--; /* the least of them gives way, or this one does */
    } else if (at == search->count) {
        search->candidate[search->count++] = w->row[k];
    }
    const double open = fabs(w->r[k]);
    if (at < search->given || open < fabs(w->r[w->place[search->candidate[at]]])) {
        return;
    }
    for (; at > search->given && open > fabs(w->r[w->place[search->candidate[at - 1]]]); at--) {
        search->candidate[at] = search->candidate[at - 1];
    }
    search->candidate[at] = w->row[k];
}

/* Does the row say what a coordinate is: a condition, a drive? */
static bool prescribes(const crank_initial *w, int i)
{
    const int constraint = i - w->eom->row[CRANK_ROW_G];
    const bool joint = constraint >= 0 && constraint < w->eom->sizes.lambda;
    return i >= w->algebraic || (joint && crank_initial_is_drive(w->eom, constraint));
}

/* Rows to release: conditions and drives, then one of each joint that was open where the stage
 * began. */
static crank_status choose_rows(crank_initial *w, crank_side_search *search, crank_error *err)
{
    memcpy(w->x, w->begin, (size_t)w->eom->n * sizeof *w->x);
    const crank_status status = crank_initial_look(w, 0, err);
    search->count = search->given = 0;
    for (int k = 0; k < w->rows && status == CRANK_OK && search->count < CRANK_SIDE_ROWS; k++) {
        if (prescribes(w, w->row[k])) {
            search->candidate[search->count++] = w->row[k];
        }
    }
    search->given = search->count;
    for (int k = 0; k < w->rows && status == CRANK_OK; k++) {
        const int i = w->row[k];
        if (!prescribes(w, i) && search->given < CRANK_SIDE_ROWS &&
            fabs(w->residual[i]) > w->scale[i] * crank_initial_tolerance(w, i)) {
            add_row(w, search, k);
        }
    }
    return status;
}

/* A side at w->x, unless it is known or farther than all; true: it was kept. */
static bool keep(const crank_initial *w, crank_side_search *search, int row)
{
    const double cost = crank_initial_cost(w, w->begin);
    int last = search->sides;
    for (int i = 0; i < search->sides; i++) {
        if (crank_initial_longest_move(w, search->found[i].x) < same) {
            return false;
        }
        last = search->sides == CRANK_SIDES_KEPT &&
                       (last == CRANK_SIDES_KEPT ||
                        search->found[i].cost > search->found[last].cost)
                   ? i
                   : last;
    }
    if (search->sides == CRANK_SIDES_KEPT && cost >= search->found[last].cost) {
        return false;
    }
    search->sides += last == search->sides ? 1 : 0;
    crank_side *const s = &search->found[last];
    memcpy(s->x, w->x, (size_t)w->eom->n * sizeof *w->x);
    s->cost = cost;
    s->row = row;
    s->explored = false;
    search->least = fmin(search->least, cost);
    return true;
}

/* The nearest side (-1: none); unexplored: of those that are not. */
static int nearest(const crank_side_search *search, bool unexplored)
{
    int best = -1;
    for (int i = 0; i < search->sides; i++) {
        if (!(unexplored && search->found[i].explored) &&
            (best < 0 || search->found[i].cost < search->found[best].cost)) {
            best = i;
        }
    }
    return best;
}

/* Joints whose release at the first side led to nothing that conditions had not led to are
 * released no more. */
static crank_status explore(crank_initial *w, crank_side_search *search, crank_side *s,
                            crank_error *err)
{
    crank_status status = CRANK_OK;
    int left = 0;
    s->explored = true;
    search->tangents = 0;
    search->origin = s->x;
    search->holds = crank_initial_distance(w, s->x) < same;
    for (int k = 0; k < search->count && status == CRANK_OK; k++) {
        const int i = search->candidate[k];
        bool new = false;
        for (int way_out = 0; way_out < 2 && status == CRANK_OK; way_out++) {
            bool found = false;
            status = crank_initial_trace(w, search, i, way_out == 0 ? 1.0 : -1.0, &found, err);
            new = (status == CRANK_OK && found && keep(w, search, i)) || new;
        }
        if (new || k < search->given || s->row >= 0) {
            search->candidate[left++] = i;
        }
    }
    search->count = left;
    return status;
}

static crank_status look_around(crank_initial *w, crank_side_search *search, crank_error *err)
{
    (void)keep(w, search, -1);
    crank_status status = choose_rows(w, search, err);
    int next = search->count > 0 ? 0 : -1;
    while (next >= 0 && status == CRANK_OK && crank_initial_has_time(w, search) &&
           search->found[next].cost <= search->reach * search->least) {
        status = explore(w, search, &search->found[next], err);
        next = nearest(search, true);
    }
    const int best = nearest(search, false);
    memcpy(w->x, search->found[best].x, (size_t)w->eom->n * sizeof *w->x);
    CRANK_THEN(status, crank_initial_look(w, 0, err));
    if (status == CRANK_OK && search->given > 0 && search->sides > 1) {
        /* else nobody has asked for either */
        status = crank_initial_warn_undecided(w, search, best, err);
    }
    return status;
}

crank_status crank_initial_sides(crank_initial *w, crank_error *err)
{
    const size_t n = (size_t)w->eom->n, rows = (size_t)w->equations;
    if (w->eom->parts == NULL || w->under_way || w->options.under_way ||
        !(w->options.max_change > 0.0)) {
        return CRANK_OK;
    }
    double *room =
        malloc(((CRANK_SIDES_KEPT + 2 * CRANK_SIDE_ROWS + 2) * n + rows) * sizeof *room);
    if (room == NULL) {
        return crank_fail(err, CRANK_EMEM, "sides of loops of %d unknowns", w->eom->n);
    }
    crank_side_search search = {.from = room + CRANK_SIDES_KEPT * n,
                                .tangent = room + (CRANK_SIDES_KEPT + 1) * n,
                                .earlier = room + (CRANK_SIDES_KEPT + 2) * n,
                                .product =
                                    room + (CRANK_SIDES_KEPT + 2 * CRANK_SIDE_ROWS + 2) * n,
                                .least = (double)INFINITY,
                                .reach = excursion * CRANK_SIDES_APART,
                                .rows_before = (int64_t)w->iterations * w->rows};
    for (size_t i = 0; i < CRANK_SIDES_KEPT; i++) {
        search.found[i].x = room + i * n;
    }
    w->sparse = true;
    const crank_status status = look_around(w, &search, err);
    w->sparse = false;
    free(room);
    return status;
}
