/* initial_turns.c - planar angles that were guesses end in the turn in which they started.
 *
 * On their way to a solution guesses may wind up; a torsional spring would feel it. Equations
 * that know bodies by cos and sin do not tell turns apart; others (no relative rotation) hold
 * angles together, which then turn back together, by the whole number of turns that brings them
 * nearest to their guesses on the average. Angles that are held to a placed body stay.
 *
 * Where a force tells turns, a torsional spring between bodies of which the file says nothing,
 * the angle of the joint counts that carries the body, not its own: at the end it is turned to
 * the turn of that joint in which the walk along joints had put it. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/disjoint.h"
#include "base/then.h"
#include "eom/initial.h"
#include "eom/initial_relative.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double turn = 6.283185307179586;

/* of an equation's size: cosines of angles some turns apart differ by 1e-15, what tells turns by
 * about one */
static const double rounding = 1e-6;

typedef struct turns {
    int count;   /* planar angles */
    int *column; /* count */
    int *parent; /* count: disjoint sets of angles that equations hold together */
    int *holder; /* equations: an angle of which the equation tells turns, -1: none */
    int *angle;  /* bodies: number of its angle, -1: none */
} turns;

/* Numbers the angles; false: none of them has turned by more than least turns. */
static bool list_angles(const crank_initial *w, turns *a, double least)
{
    const crank_eom *eom = w->eom;
    bool any = false;
    a->count = 0;
    for (int i = 0; eom->parts != NULL && i < eom->sizes.p; i++) {
        const int j = eom->column[CRANK_P] + i;
        if (eom->parts->position_kind[i] == 'a') {
            any = any ||
                  (w->fixing[j] == CRANK_FREE && fabs(w->x[j] - w->start[j]) > least * turn);
            if (a->column != NULL) {
                a->column[a->count] = j;
                a->angle[eom->parts->position_body[i]] = a->count;
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
            if (w->level[i] != 0 ||
                fabs(w->residual[i] - w->kept[i]) <= rounding * w->scale[i]) {
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

static double turned(const crank_initial *w, const turns *a, int l)
{
    return (w->x[a->column[l]] - w->start[a->column[l]]) / turn;
}

/* By how many turns a set is off, on the average. */
static double off_average(const crank_initial *w, const turns *a, int set)
{
    double sum = 0.0;
    int members = 0;
    for (int l = 0; l < a->count; l++) {
        if (crank_disjoint_root(a->parent, l) == set) {
            sum += turned(w, a, l);
            members++;
        }
    }
    return members > 0 ? round(sum / members) : 0.0;
}

/* Turns the angles of one set back, if its equations then still hold. */
static crank_status turn_set(crank_initial *w, turns *a, int set, double back, crank_error *err)
{
    int worst;
    bool stays = back == 0.0;
    for (int l = 0; l < a->count; l++) {
        stays = stays || (crank_disjoint_root(a->parent, l) == set &&
                          w->fixing[a->column[l]] != CRANK_FREE);
    }
    if (stays) {
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

/* Each set to the nearest turn of its own angles. */
static crank_status turn_bodies(crank_initial *w, turns *a, crank_error *err)
{
    crank_status status = CRANK_OK;
    for (int l = 0; l < a->count && status == CRANK_OK; l++) {
        if (crank_disjoint_root(a->parent, l) == l) {
            status = turn_set(w, a, l, off_average(w, a, l), err);
        }
    }
    return status;
}

/* Does an acceleration tell whether a set has turned once more? Ends with residuals of w->x. */
static crank_status is_felt(crank_initial *w, const turns *a, int set, bool *felt,
                            crank_error *err)
{
    *felt = false;
    crank_status status = crank_initial_evaluate(w, w->x, err);
    memcpy(w->kept, w->residual, (size_t)w->equations * sizeof *w->kept);
    memcpy(w->trial, w->x, (size_t)w->eom->n * sizeof *w->x);
    for (int l = 0; l < a->count; l++) {
        w->trial[a->column[l]] += crank_disjoint_root(a->parent, l) == set ? turn : 0.0;
    }
    CRANK_THEN(status, crank_initial_evaluate(w, w->trial, err));
    for (int i = 0; i < w->equations && status == CRANK_OK; i++) {
        *felt = *felt || (w->level[i] == 2 &&
                          fabs(w->residual[i] - w->kept[i]) > rounding * w->scale[i]);
    }
    CRANK_THEN(status, crank_initial_evaluate(w, w->x, err));
    return status;
}

/* Sets of bodies of which nothing is given to the nearest turn of the joints that carry them:
 * that of the first of their bodies from the ground, w->relative, on. */
static crank_status turn_joints(crank_initial *w, turns *a, crank_error *err)
{
    crank_relative *t = w->relative;
    crank_status status = CRANK_OK;
    crank_initial_grow_carriers(w, t);
    for (int i = 0; i < t->bodies && status == CRANK_OK; i++) {
        const int body = t->order[i], l = a->angle[body];
        const int set = l >= 0 ? crank_disjoint_root(a->parent, l) : -1;
        const int by = t->parent[body] >= 0 ? a->angle[t->parent[body]] : -1;
        bool first = l >= 0 && by >= 0 && crank_disjoint_root(a->parent, by) != set;
        for (int k = 0; k < i && first; k++) { /* the set has been carried here already */
            const int other = a->angle[t->order[k]];
            first = other < 0 || crank_disjoint_root(a->parent, other) != set;
        }
        for (int k = 0; k < t->bodies && first; k++) {
            const int other = a->angle[k];
            first = other < 0 || crank_disjoint_root(a->parent, other) != set ||
                    !w->eom->parts->body_turned[k];
        }
        const double back = first ? round(turned(w, a, l) - turned(w, a, by)) : 0.0;
        bool felt = false;
        if (back != 0.0) {
            status = is_felt(w, a, set, &felt, err);
        }
        CRANK_THEN(status, felt ? turn_set(w, a, set, back, err) : CRANK_OK);
    }
    return status;
}

static crank_status turn_all(crank_initial *w, bool joints, crank_error *err)
{
    turns a = {0};
    const bool carried = joints && w->relative != NULL;
    const size_t bodies = w->eom->parts != NULL ? (size_t)w->eom->parts->body_count : 0;
    if (!list_angles(w, &a,
                     carried ? 0.25 : 0.5)) { /* two angles may turn against each other */
        return CRANK_OK;
    }
    const size_t count = (size_t)a.count;
    a.column = malloc((2 * count + (size_t)w->equations + bodies + 1) * sizeof *a.column);
    if (a.column == NULL) {
        return crank_fail(err, CRANK_EMEM, "turns of %d angles", a.count);
    }
    a.parent = a.column + count;
    a.holder = a.parent + count;
    a.angle = a.holder + w->equations;
    for (size_t i = 0; i < bodies; i++) {
        a.angle[i] = -1;
    }
    (void)list_angles(w, &a, 0.0);
    for (int l = 0; l < a.count; l++) {
        a.parent[l] = l;
    }
    crank_status status = crank_initial_evaluate(w, w->x, err);
    CRANK_THEN(status, find_holders(w, &a, err));
    CRANK_THEN(status, crank_initial_evaluate(w, w->x, err));
    CRANK_THEN(status, turn_bodies(w, &a, err));
    CRANK_THEN(status, carried ? turn_joints(w, &a, err) : CRANK_OK);
    free(a.column);
    return status;
}

crank_status crank_initial_turn_back(crank_initial *w, crank_error *err)
{
    return turn_all(w, false, err);
}

crank_status crank_initial_turn_joints(crank_initial *w, crank_error *err)
{
    return turn_all(w, true, err);
}
