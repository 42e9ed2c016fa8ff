/* initial_ties.c - torsion springs and bushings as couplings, while conditions on accelerations change
 * velocities.
 *
 * A steady start asks for accelerations that vanish, and leaves open how fast shafts are wound
 * meanwhile: a damper in a flexible shaft could carry the load of a fan at rest beside its motor.
 * What springs carried along (initial_carry.c) stays with what carried it, so that speeds change
 * together, and what mounts hold does not turn backwards for it: with twists (v, omega) at one point
 * by the places C_0 of bodies where velocities began,
 *     C_b0 u_b - C_a0 u_a = what it was                                      theory (5.16)
 * of all springs that hold rotations (omega) and bushings (both), also to the ground, are rows of
 * all levels at once. With the places of the beginning they are linear, and a machine that tilts as
 * a whole satisfies them as well. They are dropped where no state satisfies them. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/initial_relative.h"

#include <math.h>
#include <string.h>

static bool is_spatial(const crank_initial *w)
{
    const crank_eom *eom = w->eom;
    bool spatial = false;
    for (int i = 0; i < eom->sizes.p; i++) {
        spatial = spatial || eom->parts->position_kind[i] == 'q';
    }
    return spatial;
}

/* The components of a twist that a tie holds; first: of them. */
static int components_of(const crank_initial *w, int tie, int *first)
{
    const char holds = w->eom->parts->tie_holds[tie];
    const bool spatial = is_spatial(w);
    *first = holds == 'b' ? 0 : 3;
    return holds == 'b' ? (spatial ? 6 : 3) : holds == 'r' ? (spatial ? 3 : 1) : 0;
}

int crank_initial_count_ties(const crank_initial *w)
{
    const crank_eom_parts *parts = w->eom->parts;
    int count = 0, first;
    const bool known = parts != NULL && parts->body_inertia != NULL && w->conditions > 0;
    for (int i = 0; known && i < parts->tie_count; i++) {
        count += components_of(w, i, &first);
    }
    return count;
}

bool crank_initial_has_ties(const crank_initial *w, crank_hold hold)
{
    const crank_eom_parts *parts = w->eom->parts;
    bool rotations = false, bushings = false;
    for (int i = 0; w->ties > 0 && i < parts->tie_count; i++) {
        rotations = rotations || parts->tie_holds[i] == 'r';
        bushings = bushings || parts->tie_holds[i] == 'b';
    }
    return hold == CRANK_HOLD_ALL ? rotations || bushings
           : hold == CRANK_HOLD_ROTATIONS
               ? rotations && bushings /* else it is one of the others */
               : true;
}

/* The row of a component of the twist of one body against another. */
static void make_row(crank_initial *w, crank_tie_row *row, int tie, int component)
{
    const crank_relative *t = w->relative;
    *row = (crank_tie_row){.tie = tie};
    for (int end = 0; end < 2; end++) {
        const int body = w->eom->parts->tie[end][tie];
        for (int i = 0; body >= 0 && i < t->count[body]; i++) {
            const int column = w->eom->column[CRANK_V] + t->first[body] + i;
            double twist[6];
            crank_relative_own_twist(w, body, i, twist);
            const double value = end == 0 ? -twist[component] : twist[component];
            if (value != 0.0) {
                row->column[row->count] = column;
                row->factor[row->count++] = value;
                row->value += value * w->x[column];
            }
        }
    }
}

void crank_initial_hold_ties(crank_initial *w, crank_hold hold)
{
    int k = 0;
    if (hold != CRANK_HOLD_NONE && w->ties > 0) {
        crank_relative_read_places(w, w->relative);
    }
    for (int tie = 0; k < w->ties; tie++) {
        int first;
        const int count = components_of(w, tie, &first);
        const bool held = hold == CRANK_HOLD_ALL || (hold == CRANK_HOLD_ROTATIONS &&
                                                     w->eom->parts->tie_holds[tie] == 'r');
        for (int i = 0; i < count; i++, k++) {
            const bool last = i + 1 == count && !is_spatial(w); /* the rotation */
            if (held) {
                make_row(w, &w->tie[k], tie, last ? 5 : first + i);
            }
            w->level[w->algebraic + w->conditions + k] = held ? 1 : -1;
        }
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

void crank_initial_warn_wound(crank_initial *w, double *begin)
{
    double *const found = w->x;
    double largest = 0.0, rate = 0.0;
    int most = -1;
    if (w->ties == 0) {
        return;
    }
    w->x = begin;
    crank_initial_hold_ties(w, CRANK_HOLD_ALL);
    crank_initial_hold_ties(w, CRANK_HOLD_NONE);
    w->x = found;
    for (int k = 0; k < w->ties; k++) {
        const crank_tie_row *row = &w->tie[k];
        double fastest = 0.0, apart = -row->value;
        for (int i = 0; i < row->count; i++) {
            const double term = row->factor[i] * found[row->column[i]];
            apart += term;
            fastest = fmax(fastest, fabs(term));
        }
        const bool turns = w->eom->parts->tie_holds[row->tie] == 'r';
        if (turns && fabs(apart) > w->options.max_change * fastest && fabs(apart) > largest) {
            largest = fabs(apart);
            rate = apart;
            most = row->tie;
        }
    }
    if (most >= 0) {
        crank_log_write(&w->log, CRANK_WARNING,
                        "%s is being wound where the motion starts, its ends turn against each "
                        "other with a rate of %.3g, so that the initial conditions hold: leave "
                        "out speeds or conditions that keep them apart, or give others",
                        w->eom->parts->tie_text[most], rate);
    }
}
