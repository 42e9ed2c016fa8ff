/* rank_turn_loose.c - have freedoms without mass become undetermined between two points of a
 * motion? Part of rank_turn.h.
 *
 * Mass and constraints determine the accelerations iff M is definite on the null space of V:
 * iff no motion of velocities without mass is in it, iff their columns V_0 of V are
 * independent.
 *
 *     K = V_0(t_1)^T D V_0(t_2),   D = 1/max |rows of V|^2 so far                 theory (2.18)
 *
 * is definite at t_1 = t_2. Where the columns become dependent on the way one of its pivots on
 * the diagonal, largest first, changes its sign. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/rank_turn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* more of them are not watched: the test is dense */
enum { MOST_LOOSE = 100 };

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

bool crank_rank_turn_loose_create(crank_rank_turn *r, const double *jacobian)
{
    const crank_eom *eom = r->eom;
    const size_t nv = (size_t)eom->sizes.v;
    if (eom->parts == NULL || eom->carried == NULL) {
        return true;
    }
    for (int j = 0; j < eom->sizes.v; j++) {
        r->massless += is_loose(eom, jacobian, j);
    }
    r->massless = r->massless <= MOST_LOOSE ? r->massless : 0;
    if (r->massless == 0) {
        return true;
    }
    const size_t count = (size_t)r->massless;
    r->loose = calloc(count, sizeof *r->loose);
    r->loose_order = calloc(count, sizeof *r->loose_order);
    r->loose_place = calloc(nv, sizeof *r->loose_place);
    r->K = calloc(count * count, sizeof *r->K);
    if (r->loose == NULL || r->loose_order == NULL || r->loose_place == NULL || r->K == NULL) {
        return false;
    }
    int next = 0;
    for (int j = 0; j < eom->sizes.v; j++) {
        const bool loose = is_loose(eom, jacobian, j);
        r->loose_place[j] = loose ? next : -1;
        if (loose) {
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

bool crank_rank_turn_loosens(crank_rank_turn *r, int *at)
{
    const int n = r->massless;
    int *order = r->loose_order;
    if (n == 0) {
        return false;
    }
    fill(r);
    for (int k = 0; k < n; k++) {
        order[k] = k;
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
        if (!(pivot > 0.0)) {
            *at = CRANK_TURN_LOOSE - r->loose[p];
            return true;
        }
        for (int j = k + 1; j < n; j++) {
            double *column = r->K + (long)order[j] * n;
            const double factor = column[p] / pivot;
            for (int i = k + 1; i < n && factor != 0.0; i++) {
                column[order[i]] -= factor * r->K[order[i] + (long)p * n];
            }
        }
    }
    return false;
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
        "a motion of %s loses its inertia at t = %.6g, %s: neither mass "
        "nor joints resist it there; give the body inertia",
        eom->parts->body_text[body], t,
        ahead ? "to which steps become ever shorter" : "which a step has led across");
}
