/* initial_turns.c - planar angles that were guesses end in the turn in which they started.
 *
 * On their way to a solution guesses may wind up; a torsional spring would feel it. Equations
 * that know bodies by cos and sin do not tell turns apart; others (no relative rotation) hold
 * angles together, which then turn back together, by the whole number of turns that brings them
 * nearest to their guesses on the average. Angles that are held to a placed body stay. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/disjoint.h"
#include "base/then.h"
#include "eom/initial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double turn = 6.283185307179586;

typedef struct turns {
    int count;   /* planar angles */
    int *column; /* count */
    int *parent; /* count: disjoint sets of angles that equations hold together */
    int *holder; /* equations: an angle of which the equation tells turns, -1: none */
} turns;

static bool is_wound(const crank_initial *w, int j)
{
    return w->fixing[j] == CRANK_FREE && fabs(w->x[j] - w->start[j]) > 0.5 * turn;
}

/* Numbers the angles; false: none of them is wound up. */
static bool list_angles(const crank_initial *w, turns *a)
{
    const crank_eom *eom = w->eom;
    bool any = false;
    a->count = 0;
    for (int i = 0; eom->parts != NULL && i < eom->sizes.p; i++) {
        const int j = eom->column[CRANK_P] + i;
        if (eom->parts->position_kind[i] == 'a') {
            any = any || is_wound(w, j);
            if (a->column != NULL) {
                a->column[a->count] = j;
            }
            a->count++;
        }
    }
    return any;
}

/* Which equations tell x_j from x_j + 2 pi: they hold the angles that they contain together. */
static crank_status find_holders(crank_initial *w, turns *a, crank_error *err)
{
    crank_status status = CRANK_OK;
    memcpy(w->kept, w->residual, (size_t)w->equations * sizeof *w->kept);
    memcpy(w->trial, w->x, (size_t)w->eom->n * sizeof *w->x);
    for (int i = 0; i < w->equations; i++) {
        a->holder[i] = -1;
    }
    for (int l = 0; l < a->count && status == CRANK_OK; l++) {
        const int j = a->column[l];
        w->trial[j] = w->x[j] + turn;
        status = crank_initial_evaluate(w, w->trial, err);
        for (int i = 0; i < w->equations && status == CRANK_OK; i++) {
            if (w->level[i] != 0 || fabs(w->residual[i] - w->kept[i]) <= 1e-6 * w->scale[i]) {
                continue;
            }
            if (a->holder[i] >= 0) {
                (void)crank_disjoint_join(a->parent, l, a->holder[i]);
            }
            a->holder[i] = l;
        }
        w->trial[j] = w->x[j];
    }
    return status;
}

/* Turns the angles of one set back, if its equations then still hold. */
static crank_status turn_set(crank_initial *w, turns *a, int set, crank_error *err)
{
    double sum = 0.0;
    int members = 0, worst;
    bool stays = false;
    for (int l = 0; l < a->count; l++) {
        if (crank_disjoint_root(a->parent, l) == set) {
            sum += (w->x[a->column[l]] - w->start[a->column[l]]) / turn;
            stays = stays || w->fixing[a->column[l]] != CRANK_FREE;
            members++;
        }
    }
    const double back = members > 0 ? round(sum / members) : 0.0;
    if (stays || back == 0.0) {
        return CRANK_OK;
    }
    /* linearising needs w->trial */
    memcpy(w->found, w->x, (size_t)w->eom->n * sizeof *w->x);
    for (int l = 0; l < a->count; l++) {
        if (crank_disjoint_root(a->parent, l) == set) {
            w->x[a->column[l]] -= back * turn;
        }
    }
    crank_status status = crank_initial_evaluate(w, w->x, err);
    CRANK_THEN(status, crank_initial_linearise(w, err));
    if (status == CRANK_OK && crank_initial_excess(w, 0, &worst) > 1.0) {
        memcpy(w->x, w->found, (size_t)w->eom->n * sizeof *w->x);
        status = crank_initial_evaluate(w, w->x, err);
        CRANK_THEN(status, crank_initial_linearise(w, err));
    }
    return status;
}

crank_status crank_initial_turn_back(crank_initial *w, crank_error *err)
{
    turns a = {0};
    if (!list_angles(w, &a)) {
        return CRANK_OK;
    }
    const size_t count = (size_t)a.count;
    a.column = malloc((2 * count + (size_t)w->equations + 1) * sizeof *a.column);
    if (a.column == NULL) {
        return crank_fail(err, CRANK_EMEM, "turns of %d angles", a.count);
    }
    a.parent = a.column + count;
    a.holder = a.parent + count;
    (void)list_angles(w, &a);
    for (int l = 0; l < a.count; l++) {
        a.parent[l] = l;
    }
    crank_status status = crank_initial_evaluate(w, w->x, err);
    CRANK_THEN(status, find_holders(w, &a, err));
    CRANK_THEN(status, crank_initial_evaluate(w, w->x, err));
    for (int l = 0; l < a.count && status == CRANK_OK; l++) {
        if (crank_disjoint_root(a.parent, l) == l) {
            status = turn_set(w, &a, l, err);
        }
    }
    free(a.column);
    return status;
}
