/* rank_turn_signs.c - signs of C at two points of a motion, and of det c_s. Part of rank_turn.h,
 * theory 2.8.
 *
 * The matrices are those of points prepared for Newton's iteration or a projection: V costs
 * nothing, C a small elimination. With redundant rows C has the rank of V; as many pivots are
 * chosen on its diagonal, largest first, of rows over the largest sizes that they have had: a
 * row that goes through zero while others say the same is not chosen there. Where it is known
 * which rows are left out, C without them tells whether that must be looked at. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/rank_turn.h"

#include "eom/scale.h"

#include <math.h>
#include <string.h>

/* ---- V, C and their signs ---- */

static void take_gradients(const crank_rank_turn *r, const double *jacobian, double *V)
{
    for (int e = 0; e < r->entries; e++) {
        V[e] = jacobian[r->entry[e]];
    }
}

/* theory (2.17) */
static void multiply(crank_rank_turn *r)
{
    const int *slot = r->slot;
    memset(r->C, 0, (size_t)r->places * sizeof *r->C);
    for (int e = 0; e < r->entries; e++) {
        const int j = r->column[e];
        const double left = r->before[e] * r->weight[j];
        for (int f = r->first[j]; f < r->first[j + 1]; f++) {
            r->C[*slot++] += left * r->now[r->list[f]];
        }
    }
}

/* How many pivots of C on the diagonal are not positive; -1: one is lost. *at: the first
 * constraint of them. */
static int count_negative(crank_rank_turn *r, int *at)
{
    const int n = r->rows;
    int count = 0;
    *at = -1;
    if (r->recorded != NULL && !crank_recorded_factor(r->recorded, r->C)) {
        return -1;
    }
    for (int k = 0; k < n; k++) {
        const double pivot = r->recorded != NULL ? crank_recorded_inverse_pivots(r->recorded)[k]
                                                 : r->C[k + (long)k * n];
        r->size[k] = sqrt(fabs(r->recorded != NULL ? 1.0 / pivot : pivot));
        *at = count == 0 && !(pivot > 0.0) ? k : *at;
        count += !(pivot > 0.0);
        if (r->recorded == NULL && pivot == 0.0) {
            return -1;
        }
        for (int j = k + 1; j < n && r->recorded == NULL; j++) {
            const double factor = r->C[k + (long)j * n] / pivot;
            for (int i = k + 1; i < n && factor != 0.0; i++) {
                r->C[i + (long)j * n] -= factor * r->C[i + (long)k * n];
            }
        }
    }
    return count;
}

/* ---- redundant rows ---- */

/* Largest sizes of rows so far: over its size here a row that goes through zero would jump from
 * one side to the other, however short the way. */
static void grow_sizes(crank_rank_turn *r, const double *V)
{
    const bool needed = r->rank < r->rows || r->massless > 0;
    for (int i = 0; i < r->rows && needed; i++) {
        double sum = 0.0;
        for (int e = r->start[i]; e < r->start[i + 1]; e++) {
            sum += r->weight[r->column[e]] * V[e] * V[e];
        }
        r->most[i] = fmax(r->most[i], sqrt(sum));
    }
}

/* C as a dense matrix of rows over their largest sizes */
static void fill_dense(crank_rank_turn *r)
{
    const int n = r->rows;
    multiply(r);
    if (r->recorded != NULL) {
        memset(r->dense, 0, (size_t)n * (size_t)n * sizeof *r->dense);
        for (int p = 0; p < r->places; p++) {
            r->dense[r->dense_place[p]] = r->C[p];
        }
    } else {
        memcpy(r->dense, r->C, (size_t)n * (size_t)n * sizeof *r->dense);
    }
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            r->dense[i + (long)j * n] /=
                r->most[i] > 0.0 && r->most[j] > 0.0 ? r->most[i] * r->most[j] : 1.0;
        }
    }
}

/* as count_negative, of the `rank` pivots that are chosen */
static int count_chosen(crank_rank_turn *r, int *at)
{
    const int n = r->rows;
    double *A = r->dense;
    int *order = r->order, count = 0;
    *at = -1;
    fill_dense(r);
    for (int k = 0; k < n; k++) {
        order[k] = k;
    }
    for (int k = 0; k < r->rank; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(A[order[i] * (n + 1L)]) > fabs(A[order[best] * (n + 1L)]) ? i : best;
        }
        const int p = order[best];
        order[best] = order[k];
        order[k] = p;
        const double pivot = A[p * (n + 1L)];
        *at = count == 0 && !(pivot > 0.0) ? p : *at;
        count += !(pivot > 0.0);
        if (!(fabs(pivot) > 0.0)) {
            return -1;
        }
        for (int j = k + 1; j < n; j++) {
            double *column = A + (long)order[j] * n;
            const double factor = column[p] / pivot;
            for (int i = k + 1; i < n && factor != 0.0; i++) {
                column[order[i]] -= factor * A[order[i] + (long)p * n];
            }
        }
    }
    return count;
}

/* rows and columns of C that are left out become those of the identity */
static void leave_out(crank_rank_turn *r, const bool *left_out)
{
    const bool *out = left_out + r->eom->column[CRANK_LAMBDA];
    for (int p = 0; p < r->places; p++) {
        const int i = r->dense_place[p] % r->rows, j = r->dense_place[p] / r->rows;
        r->C[p] = !out[i] && !out[j] ? r->C[p] : i == j ? 1.0 : 0.0;
    }
}

static int count_redundant(crank_rank_turn *r, const bool *left_out, int *at)
{
    if (r->recorded != NULL && left_out != NULL) {
        leave_out(r, left_out);
        if (count_negative(r, at) == 0) {
            return 0;
        }
    }
    return count_chosen(r, at);
}

/* ---- contact variables ---- */

/* c_s of rows over their sizes, theory (3.16) */
static void take_contact(crank_rank_turn *r, const double *jacobian)
{
    const crank_eom *eom = r->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int ns = eom->sizes.s, row = eom->row[CRANK_ROW_C];
    double *size = r->contact + (long)ns * ns;
    memset(r->contact, 0, ((size_t)ns + 1) * (size_t)ns * sizeof *r->contact);
    for (int j = eom->column[CRANK_S]; j < eom->n && ns > 0; j++) {
        bool known;
        const int s = j - eom->column[CRANK_S];
        const double unit = crank_scale_unit(eom, j, &known);
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            const int i = J->row[e] - row;
            if (i >= 0 && i < ns) {
                size[i] = fmax(size[i], fabs(jacobian[e]) * unit);
            }
            if (i >= 0 && i < ns && s < ns) {
                r->contact[i + (long)s * ns] = jacobian[e] * unit;
            }
        }
    }
    for (int e = 0; e < ns * ns; e++) {
        r->contact[e] /= size[e % ns] > 0.0 ? size[e % ns] : 1.0;
    }
}

/* of det c_s; 0: singular */
static int find_side(crank_rank_turn *r, const double *jacobian)
{
    const int ns = r->eom->sizes.s;
    int sign = 1;
    take_contact(r, jacobian);
    r->size[r->rows] = (double)INFINITY;
    for (int k = 0; k < ns; k++) {
        int best = k;
        for (int i = k + 1; i < ns; i++) {
            best = fabs(r->contact[i + (long)k * ns]) > fabs(r->contact[best + (long)k * ns])
                       ? i
                       : best;
        }
        const double pivot = r->contact[best + (long)k * ns];
        r->size[r->rows] = fmin(r->size[r->rows], fabs(pivot));
        if (!(fabs(pivot) > 0.0)) {
            return 0;
        }
        sign = (best != k) != (pivot < 0.0) ? -sign : sign;
        for (int j = k; j < ns; j++) {
            const double other = r->contact[best + (long)j * ns];
            r->contact[best + (long)j * ns] = r->contact[k + (long)j * ns];
            r->contact[k + (long)j * ns] = other;
        }
        for (int i = k + 1; i < ns; i++) {
            const double factor = r->contact[i + (long)k * ns] / pivot;
            for (int j = k + 1; j < ns; j++) {
                r->contact[i + (long)j * ns] -= factor * r->contact[k + (long)j * ns];
            }
        }
    }
    return sign;
}

bool crank_rank_turn_changes(crank_rank_turn *r, const crank_turn_point *point, int *side,
                             int *at)
{
    take_gradients(r, point->jacobian, r->now);
    crank_rank_turn_take_motions(r, point->t, point->x, 1);
    grow_sizes(r, r->now);
    if (r->rows > 0) {
        multiply(r);
    }
    const int negative =
        r->rank < r->rows ? count_redundant(r, point->left_out, at) : count_negative(r, at);
    *side = find_side(r, point->jacobian);
    const bool lost = r->eom->sizes.s == 0 ? negative != 0
                                           : negative < 0 || *side == 0 ||
                                                 (negative % 2 != 0) != (*side != r->side);
    return lost || (negative == 0 && crank_rank_turn_loosens(r, at));
}

void crank_rank_turn_look_from(crank_rank_turn *r, int side)
{
    double *kept = r->before, *moved = r->moved[0];
    r->before = r->now;
    r->now = kept;
    r->moved[0] = r->moved[1];
    r->moved[1] = moved;
    r->side = side;
}

void crank_rank_turn_begin_at(crank_rank_turn *r, const crank_turn_point *point)
{
    take_gradients(r, point->jacobian, r->before);
    crank_rank_turn_take_motions(r, point->t, point->x, 0);
    grow_sizes(r, r->before);
    r->side = find_side(r, point->jacobian);
}
