/* rank_turn_loose.c - have freedoms without mass become undetermined between two points of a
 * motion? Part of rank_turn.h.
 *
 * Mass and constraints determine the accelerations iff M is definite on the null space of V:
 * iff no motion of velocities without mass is in it, iff their columns V_0 of V are
 * independent.
 *
 *     K = V_0(t_1)^T D V_0(t_2),   D = 1/max |rows of V|^2 so far                 theory (2.18)
 *
 * is definite at t_1 = t_2. In joint coordinates mass is a matter of positions, and A(t_1)^T
 * A(t_2) of what has inertia is added (eom->motions). Where the columns become dependent on the
 * way one of its pivots on the diagonal, largest first, changes its sign. A motion that is
 * damped there goes on. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/rank_turn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* more of them are not watched: the test is dense */
enum { MOST_LOOSE = 100 };
/* part of its terms that damping of a motion is more than: pivots of K, squares of how far away
 * it is, fall to rounding where the motion is known to 1e-8 */
static const double damping = 1e-6;
/* part of its entry that is left of a pivot where constraints, not motions, determine it */
static const double undetermined = 1e-10;

/* Has velocity j of a mechanism no mass? A definite matrix has no row but zero beside a zero on
 * the diagonal. Accelerations are the last of the w, in the order of v. */
static bool is_loose(const crank_eom *eom, const double *jacobian, int j)
{
    const crank_pattern *J = &eom->jacobian_pattern;
    const int w = eom->column[CRANK_W + 1] - eom->sizes.v + j;
    const int row = eom->row[CRANK_ROW_D] + w - eom->column[CRANK_W];
    bool mass = false;
    if (w < eom->column[CRANK_W] || !eom->carried[w] || eom->parts->velocity_body[j] < 0) {
        return false;
    }
    for (int e = J->start[w]; e < J->start[w + 1]; e++) {
        mass = mass || (J->row[e] == row && jacobian[e] != 0.0);
    }
    return !mass;
}

/* the velocities that may lose their inertia: r->loose_place becomes 0, others -1 */
static int mark_loose(const crank_rank_turn *r, const double *jacobian)
{
    const crank_eom_motions *motions = r->eom->motions;
    int count = 0;
    for (int j = 0; j < r->eom->sizes.v; j++) {
        r->loose_place[j] = motions == NULL && is_loose(r->eom, jacobian, j) ? 0 : -1;
    }
    for (int e = 0; motions != NULL && e < motions->entries; e++) {
        r->loose_place[motions->column[e]] = 0;
    }
    for (int j = 0; j < r->eom->sizes.v; j++) {
        count += r->loose_place[j] == 0;
    }
    return count;
}

bool crank_rank_turn_loose_create(crank_rank_turn *r, const double *jacobian)
{
    const crank_eom *eom = r->eom;
    const size_t moved = eom->motions != NULL ? (size_t)eom->motions->entries + 1 : 1;
    if (eom->parts == NULL || eom->carried == NULL) {
        return true;
    }
    r->loose_place = calloc((size_t)eom->sizes.v + 1, sizeof *r->loose_place);
    if (r->loose_place == NULL) {
        return false;
    }
    r->massless = mark_loose(r, jacobian);
    r->massless = r->massless <= MOST_LOOSE ? r->massless : 0;
    if (r->massless == 0) {
        return true;
    }
    const size_t count = (size_t)r->massless;
    r->calm_t = (double)NAN;
    for (int j = 0; j < eom->sizes.v; j++) {
        r->weightless = r->weightless || is_loose(eom, jacobian, j);
    }
    r->loose = calloc(count, sizeof *r->loose);
    r->loose_order = calloc(count, sizeof *r->loose_order);
    r->K = calloc(count * count, sizeof *r->K);
    r->motion = calloc(count, sizeof *r->motion);
    r->moved[0] = calloc(moved, sizeof(double));
    r->moved[1] = calloc(moved, sizeof(double));
    r->calm[0] = calloc(moved, sizeof(double));
    r->calm[1] = calloc(moved, sizeof(double));
    if (r->calm[0] == NULL || r->calm[1] == NULL || r->loose == NULL ||
        r->loose_order == NULL || r->K == NULL || r->motion == NULL || r->moved[0] == NULL ||
        r->moved[1] == NULL) {
        return false;
    }
    int next = 0;
    for (int j = 0; j < eom->sizes.v; j++) {
        if (r->loose_place[j] == 0) {
            r->loose_place[j] = next;
            r->loose[next++] = j;
        }
    }
    return true;
}

void crank_rank_turn_loose_destroy(crank_rank_turn *r)
{
    free(r->loose);
    free(r->loose_order);
    free(r->loose_place);
    free(r->K);
    free(r->motion);
    free(r->moved[0]);
    free(r->moved[1]);
    free(r->calm[0]);
    free(r->calm[1]);
}

static void fill(crank_rank_turn *r)
{
    const int n = r->massless;
    memset(r->K, 0, (size_t)n * (size_t)n * sizeof *r->K);
    for (int i = 0; i < r->rows; i++) {
        const double size = r->most[i] * r->most[i];
        for (int e = r->start[i]; e < r->start[i + 1] && size > 0.0; e++) {
            const int a = r->loose_place[r->column[e]];
            const double unit = sqrt(r->weight[r->column[e]]);
            for (int f = r->start[i]; f < r->start[i + 1] && a >= 0; f++) {
                const int b = r->loose_place[r->column[f]];
                if (b >= 0) {
                    r->K[a + (long)b * n] +=
                        unit * r->before[e] / size * r->now[f] * sqrt(r->weight[r->column[f]]);
                }
            }
        }
    }
}

void crank_rank_turn_take_motions(crank_rank_turn *r, double t, const double *x, int at)
{
    crank_eom *eom = r->eom;
    if (eom->motions != NULL && r->massless > 0) {
        eom->supplier.motions(eom->self, t, x, r->moved[at]);
    }
}

/* the part of what has inertia, at two points; its velocities are in natural units */
static void add_motions(crank_rank_turn *r, const double *before, const double *now)
{
    const crank_eom_motions *m = r->eom->motions;
    for (int i = 0; m != NULL && i < m->rows; i++) {
        for (int e = m->start[i]; e < m->start[i + 1]; e++) {
            double *K = r->K + r->loose_place[m->column[e]];
            for (int f = m->start[i]; f < m->start[i + 1]; f++) {
                K[(long)r->loose_place[m->column[f]] * r->massless] += before[e] * now[f];
            }
        }
    }
}

/* The first velocity whose pivot of K, largest first, is not above a part of its entry on the
 * diagonal; -1: none. */
static int find_lost(crank_rank_turn *r, double part)
{
    const int n = r->massless;
    int *order = r->loose_order;
    for (int k = 0; k < n; k++) {
        order[k] = k;
        r->motion[k] = fabs(r->K[k * (n + 1L)]);
    }
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best =
                fabs(r->K[order[i] * (n + 1L)]) > fabs(r->K[order[best] * (n + 1L)]) ? i : best;
        }
        const int p = order[best];
        const double pivot = r->K[p * (n + 1L)];
        order[best] = order[k];
        order[k] = p;
        if (!(pivot > part * r->motion[p])) {
            return p;
        }
        for (int j = k + 1; j < n; j++) {
            double *column = r->K + (long)order[j] * n;
            const double factor = column[p] / pivot;
            for (int i = k + 1; i < n && factor != 0.0; i++) {
                column[order[i]] -= factor * r->K[order[i] + (long)p * n];
            }
        }
    }
    return -1;
}

bool crank_rank_turn_loosens(crank_rank_turn *r, int *at)
{
    if (r->massless == 0) {
        return false;
    }
    fill(r);
    add_motions(r, r->moved[0], r->moved[1]);
    const int lost = find_lost(r, 0.0);
    *at = lost >= 0 ? CRANK_TURN_LOOSE - r->loose[lost] : *at;
    return lost >= 0;
}

/* do motions alone determine velocities on the way from one point to another? */
static bool determines(crank_rank_turn *r, const double *before, const double *now, double part)
{
    memset(r->K, 0, (size_t)r->massless * (size_t)r->massless * sizeof *r->K);
    add_motions(r, before, now);
    return find_lost(r, part) < 0;
}

bool crank_rank_turn_may_loosen(crank_rank_turn *r, double t, const double *x)
{
    crank_eom *eom = r->eom;
    if (r->massless == 0 || eom->motions == NULL || r->calm_held) {
        return r->massless > 0 && (!r->calm_held || r->weightless);
    }
    eom->supplier.motions(eom->self, t, x, r->calm[1]);
    r->calm_t = t;
    if (!r->calm_known) {
        r->calm_held = !determines(r, r->calm[1], r->calm[1], undetermined);
        return r->calm_held && r->weightless;
    }
    return !determines(r, r->calm[0], r->calm[1], 0.0);
}

/* The motion that loosened last, in units of velocities: U n = 0 with the rows above the pivot
 * that is not positive. n: massless. */
static void find_motion(const crank_rank_turn *r, int lost, double *n)
{
    const int count = r->massless, *order = r->loose_order;
    int k = 0;
    memset(n, 0, (size_t)count * sizeof *n);
    while (order[k] != lost) {
        k++;
    }
    n[lost] = 1.0;
    for (int i = k - 1; i >= 0; i--) {
        const double *row = r->K + order[i];
        double sum = 0.0;
        for (int j = i + 1; j <= k; j++) {
            sum += row[(long)order[j] * count] * n[order[j]];
        }
        n[order[i]] = -sum / row[(long)order[i] * count];
    }
}

/* the velocity by which a motion is called: the largest one of a body without mass */
static int strongest(const crank_rank_turn *r, const double *n)
{
    const crank_eom_parts *parts = r->eom->parts;
    int best = -1;
    for (int pass = 0; pass < 2 && best < 0; pass++) {
        for (int a = 0; a < r->massless; a++) {
            const int body = parts->velocity_body[r->loose[a]];
            const bool meant = pass == 1 || (body >= 0 && parts->body_mass[body] == 0.0);
            best = meant && n[a] != 0.0 && (best < 0 || fabs(n[a]) > fabs(n[best])) ? a : best;
        }
    }
    return r->loose[best];
}

/* |A n|: how far n is from a motion of what has no inertia, since it was found beside the
 * position where it is one */
static double inertia_of(const crank_rank_turn *r, const double *n)
{
    const crank_eom_motions *m = r->eom->motions;
    double size = 0.0;
    for (int i = 0; m != NULL && i < m->rows; i++) {
        double sum = 0.0;
        for (int e = m->start[i]; e < m->start[i + 1]; e++) {
            sum += r->moved[1][e] * n[r->loose_place[m->column[e]]];
        }
        size = hypot(size, sum);
    }
    return size;
}

bool crank_rank_turn_is_damped(crank_rank_turn *r, int *at)
{
    const crank_eom *eom = r->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int acceleration = eom->column[CRANK_W + 1] - eom->sizes.v - eom->column[CRANK_W];
    const int row = eom->row[CRANK_ROW_D] + acceleration;
    double *n = r->motion, sum = 0.0, terms = 0.0, largest = 0.0;
    find_motion(r, r->loose_place[CRANK_TURN_LOOSE - *at], n);
    *at = r->eom->motions != NULL ? CRANK_TURN_LOOSE - strongest(r, n) : *at;
    for (int b = 0; b < r->massless; b++) {
        const int v = eom->column[CRANK_V] + r->loose[b];
        for (int e = J->start[v]; e < J->start[v + 1]; e++) {
            const int i = J->row[e] - row;
            const int a = i >= 0 && i < eom->sizes.v ? r->loose_place[i] : -1;
            if (a >= 0) {
                const double entry = sqrt(r->weight[i]) * r->jacobian[e] *
                                     sqrt(r->weight[r->loose[b]]),
                             power = n[a] * entry * n[b];
                largest = fmax(largest, fabs(entry));
                sum += power;
                terms += fabs(power);
            }
        }
    }
    /* what has inertia feels other forces, too: its part of the power does not count */
    return sum > damping * terms && sum > 2.0 * largest * inertia_of(r, n);
}

crank_status crank_rank_turn_loss(const crank_rank_turn *r, double t, bool ahead, int at,
                                  crank_error *err)
{
    const crank_eom *eom = r->eom;
    if (at > CRANK_TURN_LOOSE) {
        return CRANK_OK;
    }
    const int j = CRANK_TURN_LOOSE - at, body = eom->parts->velocity_body[j];
    return crank_fail_place(
        err, CRANK_ESINGULAR, crank_eom_column_place(eom, eom->column[CRANK_V] + j),
        "a motion of %s loses its inertia at t = %.6g, %s; give the body inertia",
        eom->parts->body_text[body], t,
        ahead ? "to which steps become ever shorter: explicit methods do not get there, where "
                "psf-radau goes on if the motion is damped"
              : "which a step has led across: neither mass nor joints resist it there");
}
