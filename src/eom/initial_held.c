/* initial_held.c - joints whose velocities are all fixed, angular ones among them that are not
 * zero. Their velocity level then asks something of positions: a wheel that has to turn about
 * an axis of the world, on a carrier that must not turn, keeps the carrier's direction. Where
 * levels are solved together that is what others contradict. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/initial.h"

#include <math.h>
#include <stdio.h>

/* Fixed, or a condition says what it is: of bodies that may turn, angular velocities are fixed
 * so. */
static bool is_held(const crank_initial *w, int j)
{
    bool held = w->fixing[j] == CRANK_FIXED;
    for (int i = 0; i < w->conditions; i++) {
        held = held || (w->level[w->algebraic + i] == 1 && w->touches[i + j * w->conditions]);
    }
    return held;
}

static double spin_of(const crank_initial *w, int body)
{
    const crank_eom *eom = w->eom;
    double spin = 0.0;
    for (int k = 0; k < eom->sizes.v; k++) {
        if (eom->parts->velocity_body[k] == body && eom->parts->velocity_kind[k] != 't') {
            spin = hypot(spin, w->start[eom->column[CRANK_V] + k]);
        }
    }
    return spin;
}

/* By row: the largest given angular velocity of bodies in one of which all velocities are held;
 * -1: it is no such row. */
static void measure_rows(const crank_initial *w, double *spin)
{
    const crank_eom *eom = w->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    for (int i = 0; i < w->algebraic; i++) {
        spin[i] = w->place[i] >= 0 ? 0.0 : -1.0;
    }
    for (int k = 0; k < eom->sizes.v; k++) {
        const int j = eom->column[CRANK_V] + k;
        const bool held = is_held(w, j);
        const double own = held ? spin_of(w, eom->parts->velocity_body[k]) : -1.0;
        for (int q = J->start[j]; q < J->start[j + 1]; q++) {
            const int i = J->row[q];
            if (i < w->algebraic && spin[i] >= 0.0) {
                spin[i] = held ? fmax(spin[i], own) : own;
            }
        }
    }
}

const char *crank_initial_held(const crank_initial *w, double *work, char *text, size_t size)
{
    const crank_eom *eom = w->eom;
    int first = -1, last = -1, more = 0;
    char others[40] = "";
    text[0] = '\0';
    if (eom->parts == NULL || w->rows == 0) {
        return text;
    }
    measure_rows(w, work);
    for (int i = eom->row[CRANK_ROW_GI]; i < eom->row[CRANK_ROW_E]; i++) {
        const int joint = eom->parts->constraint_joint[i - eom->row[CRANK_ROW_GI]];
        if (work[i] > 0.0 && joint >= 0 && joint != last) {
            more += first >= 0 ? 1 : 0;
            first = first < 0 ? joint : first;
            last = joint;
        }
    }
    if (more > 0) {
        (void)snprintf(others, sizeof others, " (and in %d more)", more);
    }
    if (first >= 0) {
        (void)snprintf(text, size,
                       "; all velocities in %.100s%s are fixed, so that it holds "
                       "directions, too: free some of them",
                       eom->parts->joint_text[first], others);
    }
    return text;
}
