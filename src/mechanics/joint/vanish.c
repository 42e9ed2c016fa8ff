/* vanish.c - constraints that the coordinates of a tree keep by themselves: a second hinge on
 * the axis of a first one. Their gradients are what rounding, and the accuracy with which
 * joints stand in line, have left of terms that cancel; taken for gradients they would stop the
 * motion.
 *
 *     |(W_i)_j| u_j <= 1e-9 sum_b (L |dw_i/dv_b| + |dw_i/domega_b|)  for all j:  row i is zero
 * with the gradient W = (gI, h)_v, u_j = L or 1 the unit of a velocity, and on the right what
 * the constraint measures of bodies, one by one: the size of its row in absolute coordinates,
 * by whose 1e-8 part ranks are decided there (rank_tolerance). */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "mechanics/joint/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double vanishing = 1e-9;

/* the constraint of a row, -1: none; level: 0 g, 1 gI and h, 2 gII and hI */
static int constraint_of(const crank_eom *eom, int row, int *level)
{
    static const struct {
        crank_row_group group;
        int level;
        bool mu;
    } part[] = {{CRANK_ROW_G, 0, false},
                {CRANK_ROW_GI, 1, false},
                {CRANK_ROW_GII, 2, false},
                {CRANK_ROW_H, 1, true},
                {CRANK_ROW_HI, 2, true}};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        const int at = row - eom->row[part[i].group];
        const int count = part[i].mu ? eom->sizes.mu : eom->sizes.lambda;
        if (at >= 0 && at < count) {
            *level = part[i].level;
            return part[i].mu ? eom->sizes.lambda + at : at;
        }
    }
    return -1;
}

/* of an entry of the Jacobian, -1: it says nothing of one; unit: of the velocity by which it
 * judges (at stages: acceleration), 0: it does not */
static int judged(const crank_tree *tree, bool stage, int row, int column, double *unit)
{
    const crank_eom *eom = tree->s->eom;
    const int nv = tree->shape->nv, v = column - tree->column_v, a = column - tree->column_a;
    int level = 0;
    const int constraint = constraint_of(eom, row, &level);
    const int i = stage ? a : v; /* W = gI_v = gII_v' */
    const bool moves = column >= tree->column_p || (v >= 0 && v < nv) || (a >= 0 && a < nv);
    *unit = 0.0;
    if (constraint >= 0 && moves) {
        if (level == (stage ? 2 : 1) && i >= 0 && i < nv) {
            *unit = eom->parts->velocity_kind[i] == 't' ? eom->parts->length : 1.0;
        }
        return constraint;
    }
    const bool force = row >= tree->row_d && row < tree->row_d + nv;
    const int multiplier = column - eom->column[CRANK_LAMBDA];
    return force && multiplier >= 0 && multiplier < eom->sizes.lambda + eom->sizes.mu
               ? multiplier
               : -1;
}

/* counts what each constraint has, then lists it; entries: of a stage, NULL: of the Jacobian */
static void list(crank_tree_vanish *v, const crank_tree *tree,
                 const crank_stage_entries *entries)
{
    const crank_eom *eom = tree->s->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int columns = v->rows == 0 ? 0 : entries != NULL ? entries->unknowns : J->columns;
    const int *start = entries != NULL ? entries->start : J->start;
    const int *row = entries != NULL ? entries->row : J->row;
    for (int j = 0; j < columns; j++) {
        const int column = entries != NULL ? crank_stage_column(eom, j) : j;
        for (int e = start[j]; e < start[j + 1]; e++) {
            double unit;
            const int i = judged(tree, entries != NULL, row[e], column, &unit);
            if (i >= 0 && v->item != NULL) {
                v->item[v->start[i]] = (crank_tree_entry){e, unit};
            }
            v->start[i >= 0 ? i : v->rows] += i >= 0 ? 1 : 0;
        }
    }
}

bool crank_tree_vanish_create(crank_tree *tree, const crank_stage_entries *entries)
{
    crank_system *s = tree->s;
    crank_tree_vanish *v = &tree->vanish[entries != NULL];
    const int rows = s->eom->sizes.lambda + s->eom->sizes.mu;
    v->rows = rows;
    v->start = crank_store_take(&s->store, (size_t)rows + 1, sizeof *v->start);
    v->size = crank_store_take(&s->store, (size_t)rows, sizeof *v->size);
    if (s->store.failed) {
        return false;
    }
    list(v, tree, entries);
    int total = 0;
    for (int i = 0; i <= rows; i++) {
        const int count = i < rows ? v->start[i] : 0;
        v->start[i] = total;
        total += count;
    }
    v->item = crank_store_take(&s->store, (size_t)total, sizeof *v->item);
    if (v->item == NULL) {
        return false;
    }
    list(v, tree, entries);
    for (int i = rows; i > 0; i--) {
        v->start[i] = v->start[i - 1];
    }
    v->start[0] = 0;
    return true;
}

void crank_tree_vanish_begin(crank_tree *tree)
{
    crank_tree_vanish *v = &tree->vanish[tree->stage];
    if (v->rows > 0) {
        memset(v->size, 0, (size_t)v->rows * sizeof *v->size);
    }
}

void crank_tree_vanish_add(crank_tree *tree, int row, double factor,
                           const double g[CRANK_GRADIENT])
{
    crank_tree_vanish *v = &tree->vanish[tree->stage];
    int level = 0;
    const int i = constraint_of(tree->s->eom, row, &level);
    if (i >= 0 && level == (tree->stage ? 2 : 1) && v->rows > 0) {
        const double L = tree->s->eom->parts->length, *by = g + 6 * level;
        v->size[i] += fabs(factor) * (L * crank_norm3(by) + crank_norm3(by + 3));
    }
}

void crank_tree_vanish_clear(crank_tree *tree, double *values)
{
    crank_tree_vanish *v = &tree->vanish[tree->stage];
    for (int i = 0; i < v->rows && v->item != NULL; i++) {
        bool stays = false;
        for (int e = v->start[i]; e < v->start[i + 1] && !stays; e++) {
            stays = fabs(values[v->item[e].at]) * v->item[e].unit > vanishing * v->size[i];
        }
        for (int e = v->start[i]; e < v->start[i + 1] && !stays; e++) {
            values[v->item[e].at] = 0.0;
        }
    }
}
