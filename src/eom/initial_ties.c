/* initial_ties.c - torsion springs as couplings, while conditions on accelerations change
 * velocities.
 *
 * A steady start asks for accelerations that vanish, and leaves open how fast shafts are wound
 * meanwhile: a damper in a flexible shaft could carry the load of a fan at rest beside its motor.
 * What springs carried along (initial_carry.c) stays with what carried it, so that speeds change
 * together: with C_0 the axes of bodies where velocities began, omega_a and omega_b in these,
 *     C_b0 omega_b - C_a0 omega_a = what it was                              theory (5.14)
 * of all springs that hold rotations, also to the ground, are rows of all levels at once. In the
 * axes of the beginning they are linear, and a machine that tilts as a whole satisfies them as
 * well. They are dropped where no state satisfies them. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/initial_relative.h"

#include <math.h>
#include <string.h>

static int axes_of(const crank_initial *w)
{
    const crank_eom *eom = w->eom;
    bool spatial = false;
    for (int i = 0; i < eom->sizes.p; i++) {
        spatial = spatial || eom->parts->position_kind[i] == 'q';
    }
    return spatial ? 3 : 1;
}

int crank_initial_count_ties(const crank_initial *w)
{
    const crank_eom_parts *parts = w->eom->parts;
    int count = 0;
    const bool known = parts != NULL && parts->body_inertia != NULL && w->conditions > 0;
    for (int i = 0; known && i < parts->tie_count; i++) {
        count += parts->tie_holds[i] == 'r' ? 1 : 0;
    }
    return known ? count * axes_of(w) : 0;
}

/* The derivative of a row by velocity number i of its body at one end. */
static double derivative(const crank_initial *w, int body, int axis, int end, int i)
{
    double twist[6];
    crank_relative_own_twist(w, body, i, twist);
    return (end == 0 ? -1.0 : 1.0) * twist[axes_of(w) == 3 ? 3 + axis : 5];
}

/* Calls for each velocity in a row of number k: adds to the residual or lists the derivative. */
static void make_row(crank_initial *w, int k, int tie, int axis)
{
    const crank_relative *t = w->relative;
    crank_tie_row *row = &w->tie[k];
    row->tie = tie;
    row->count = 0;
    row->value = 0.0;
    for (int end = 0; end < 2; end++) {
        const int body = w->eom->parts->tie[end][tie];
        const int count = body >= 0 ? t->count[body] : 0;
        const int first = count > 0 ? crank_relative_translations(w, body) : 0;
        for (int i = first; i < count; i++) {
            const int column = w->eom->column[CRANK_V] + t->first[body] + i;
            const double value = derivative(w, body, axis, end, i);
            if (value != 0.0) {
                row->column[row->count] = column;
                row->factor[row->count++] = value;
                row->value += value * w->x[column];
            }
        }
    }
}

void crank_initial_hold_ties(crank_initial *w, bool hold)
{
    const int axes = w->ties > 0 ? axes_of(w) : 0;
    if (hold && w->ties > 0) {
        crank_relative_read_places(w, w->relative);
    }
    for (int k = 0, tie = -1; k < w->ties; k++) {
        if (k % axes == 0) {
            do {
                tie++;
            } while (w->eom->parts->tie_holds[tie] != 'r');
        }
        if (hold) {
            make_row(w, k, tie, k % axes);
        }
        w->level[w->algebraic + w->conditions + k] = hold ? 1 : -1;
    }
}

void crank_initial_tie_residuals(const crank_initial *w, const double *x, double *residual)
{
    for (int k = 0; k < w->ties; k++) {
        const crank_tie_row *row = &w->tie[k];
        residual[k] = -row->value;
        for (int i = 0; i < row->count; i++) {
            residual[k] += row->factor[i] * x[row->column[i]];
        }
    }
}

int crank_initial_tie_entries(const crank_initial *w, int column, int *place, double *value)
{
    int count = 0;
    for (int k = 0; k < w->ties; k++) {
        const int at = w->place[w->algebraic + w->conditions + k];
        for (int i = 0; i < w->tie[k].count && at >= 0; i++) {
            if (w->tie[k].column[i] == column) {
                place[count] = at;
                value[count++] = w->tie[k].factor[i];
            }
        }
    }
    return count;
}
