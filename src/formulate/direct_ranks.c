/* direct_ranks.c - has a direct formulation led across a position where the constraints lose rank?
 *
 *     C = V(t_1) W V(t_2)^T,   V = (gI, h)_v,   W = diag(M)^-1                                        theory (2.17)
 *
 * Where V changes little from t_1 to t_2, C is close to a definite matrix and all its pivots on the diagonal are positive. On
 * the other side of a singular position the rows that vanish there have turned round: a pivot is negative. So it is, too, where
 * rows turn by a right angle, for which there are points between; and at contact variables' folds, where c_s changes its sign
 * as well. A change that shows between any two points of the way, however close, is a singular position. One that steps come
 * so close to that errors decide what follows shows in a pivot of C, or of c_s, far below its largest value so far. The matrices
 * are those of the points prepared for Newton's iteration: V costs nothing, C a small elimination. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/direct.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* halvings of a step in which a change must show again and again */
enum { HALVINGS = 12 };

/* ---- V, C and their signs ---- */

static void take_gradients(const crank_direct_ranks *r, const double *jacobian, double *V)
{
    for (int e = 0; e < r->entries; e++) {
        V[e] = jacobian[r->entry[e]];
    }
}

/* theory (2.17) */
static void multiply(crank_direct_ranks *r)
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

/* How many pivots of C on the diagonal are not positive; -1: one is lost. *at: the first constraint of them. */
static int count_negative(crank_direct_ranks *r, int *at)
{
    const int n = r->rows;
    int count = 0;
    *at = -1;
    if (r->frozen != NULL && !crank_frozen_factor(r->frozen, r->C)) {
        return -1;
    }
    for (int k = 0; k < n; k++) {
        const double pivot = r->frozen != NULL ? crank_frozen_inverse_pivots(r->frozen)[k]
                                               : r->C[k + (long)k * n];
        r->size[k] = sqrt(fabs(r->frozen != NULL ? 1.0 / pivot : pivot));
        *at = count == 0 && !(pivot > 0.0) ? k : *at;
        count += !(pivot > 0.0);
        if (r->frozen == NULL && pivot == 0.0) {
            return -1;
        }
        for (int j = k + 1; j < n && r->frozen == NULL; j++) {
            const double factor = r->C[k + (long)j * n] / pivot;
            for (int i = k + 1; i < n && factor != 0.0; i++) {
                r->C[i + (long)j * n] -= factor * r->C[i + (long)k * n];
            }
        }
    }
    return count;
}

/* of det c_s; 0: singular */
static int find_side(crank_direct *s, const double *jacobian)
{
    const crank_eom *eom = s->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    crank_direct_ranks *r = &s->ranks;
    const int ns = eom->sizes.s, row = eom->row[CRANK_ROW_C];
    memset(r->contact, 0, (size_t)ns * (size_t)ns * sizeof *r->contact);
    for (int j = 0; j < ns; j++) {
        const int column = eom->column[CRANK_S] + j;
        for (int e = J->start[column]; e < J->start[column + 1]; e++) {
            if (J->row[e] >= row && J->row[e] < row + ns) {
                r->contact[J->row[e] - row + (long)j * ns] = jacobian[e];
            }
        }
    }
    int sign = 1;
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

/* Does the rank seem to be lost between the last look and the point of this Jacobian? *side: of det c_s there. *at: a
 * constraint, -1: the contact equations. */
static bool changes(crank_direct *s, const double *jacobian, int *side, int *at)
{
    crank_direct_ranks *r = &s->ranks;
    take_gradients(r, jacobian, r->now);
    multiply(r);
    const int negative = count_negative(r, at);
    *side = find_side(s, jacobian);
    if (s->eom->sizes.s == 0) {
        return negative != 0;
    }
    return negative < 0 || *side == 0 || (negative % 2 != 0) != (*side != r->side);
}

/* this Jacobian's point is the one to look from */
static void look_from(crank_direct *s, int side)
{
    crank_direct_ranks *r = &s->ranks;
    double *kept = r->before;
    r->before = r->now;
    r->now = kept;
    r->side = side;
}

/* ---- where it changes ---- */

static bool evaluate(crank_direct *s, double t, const double *x)
{
    return crank_eom_evaluate_jacobian(s->eom, t, x, NULL, s->ranks.jacobian, NULL) == CRANK_OK;
}

/* A change between points i and i + 1 of the way, in smaller and smaller parts of it? *t: where. What cannot be evaluated
 * there is none of ours. */
static bool is_confirmed(crank_direct *s, int i, double *t, int *at)
{
    crank_direct_ranks *r = &s->ranks;
    const size_t n = (size_t)s->eom->n;
    const double *a = r->x + (size_t)i * n, *b = a + n;
    double low = 0.0, high = 1.0;
    int side = 0;
    for (int halving = 0; halving < HALVINGS; halving++) {
        for (int end = 0; end < 2; end++) { /* the first half, then what is left of it */
            const double part = end == 0 ? 0.5 * (low + high) : high;
            for (size_t j = 0; j < n; j++) {
                r->point[j] = a[j] + part * (b[j] - a[j]);
            }
            if (!evaluate(s, r->t[i] + part * (r->t[i + 1] - r->t[i]), r->point)) {
                return false;
            }
            const bool changed = changes(s, r->jacobian, &side, at);
            if (end == 0 && changed) {
                high = part;
                break;
            }
            if (end == 0) {
                low = part;
                look_from(s, side);
            } else if (!changed) {
                return false; /* rows have turned */
            }
        }
    }
    *t = r->t[i] + 0.5 * (low + high) * (r->t[i + 1] - r->t[i]);
    return true;
}

/* A change up to point q of the way, where the Jacobian is this one? Looked for in halves of the way, down to a step. */
static bool find_change(crank_direct *s, int q, const double *jacobian, double *t, int *at)
{
    crank_direct_ranks *r = &s->ranks;
    const bool kept = jacobian != r->jacobian;
    int from = 0, to = q, side = 0;
    while (from < q) {
        const bool known = to == q && kept;
        if (!known && !evaluate(s, r->t[to], r->x + (size_t)to * (size_t)s->eom->n)) {
            return false;
        }
        if (!changes(s, known ? jacobian : r->jacobian, &side, at)) {
            look_from(s, side);
            from = to;
            to = q;
        } else if (to > from + 1) {
            to = (from + to) / 2;
        } else if (is_confirmed(s, from, t, at)) {
            return true;
        } else { /* rows turn in this step */
            if (!evaluate(s, r->t[to], r->x + (size_t)to * (size_t)s->eom->n)) {
                return false;
            }
            (void)changes(s, r->jacobian, &side, at);
            look_from(s, side);
            from = to;
            to = q;
        }
    }
    return false;
}

/* ---- looks ---- */

/* at: a constraint, or -1: the contact equations; ratio: of a pivot to its largest value, NAN: passed */
static crank_status fail(const crank_direct *s, double t, int at, double ratio,
                         crank_error *err)
{
    const crank_eom *eom = s->eom;
    char name[200], small[80] = "";
    if (ratio < 1.0) {
        (void)snprintf(small, sizeof small, " (pivot %.1e of its largest value)", ratio);
    }
    return crank_fail(
        err, CRANK_ESINGULAR,
        "a singular position was %s at t = %.6g: the rank of the constraints drops at %s%s; %s "
        "does not tell which motion goes on behind it, psf-radau may find it (singular=pass)",
        ratio < 1.0 ? "reached" : "passed", t,
        at >= 0 && at < s->ranks.rows ? crank_eom_constraint_text(eom, at, name, sizeof name)
                                      : crank_eom_column_name(eom, eom->column[CRANK_S]),
        small, s->form->name);
}

/* The smallest pivot relative to its largest value so far, and whose it is. */
static double find_ratio(crank_direct_ranks *r, int *at)
{
    double ratio = 1.0;
    for (int k = 0; k <= r->rows; k++) {
        r->most[k] = isfinite(r->size[k]) ? fmax(r->most[k], r->size[k]) : r->most[k];
        if (r->size[k] < ratio * r->most[k]) {
            ratio = r->size[k] / r->most[k];
            *at = k;
        }
    }
    return ratio;
}

/* the way begins with its point q */
static void cut(crank_direct_ranks *r, size_t n, int q)
{
    memmove(r->t, r->t + q, (size_t)(r->points - q) * sizeof *r->t);
    memmove(r->x, r->x + (size_t)q * n, (size_t)(r->points - q) * n * sizeof *r->x);
    r->points -= q;
}

static crank_status look(crank_direct *s, int q, const double *jacobian, crank_error *err)
{
    crank_direct_ranks *r = &s->ranks;
    int side = 0, at = -1;
    double t = 0.0;
    if (!changes(s, jacobian, &side, &at)) {
        look_from(s, side);
        const double ratio = find_ratio(r, &at);
        if (ratio <= s->options.singular_threshold) {
            return fail(s, r->t[q], at, ratio, err);
        }
    } else if (find_change(s, q, jacobian, &t, &at)) {
        return fail(s, t, at, (double)NAN, err);
    }
    cut(r, (size_t)s->eom->n, q);
    return CRANK_OK;
}

static void add_point(crank_direct_ranks *r, size_t n, double t, const double *x)
{
    r->t[r->points] = t;
    memcpy(r->x + (size_t)r->points * n, x, n * sizeof *x);
    r->points++;
}

/* the way begins here */
static void begin(crank_direct *s, double t, const double *x)
{
    crank_direct_ranks *r = &s->ranks;
    r->points = 0;
    if (evaluate(s, t, x)) {
        take_gradients(r, r->jacobian, r->before);
        r->side = find_side(s, r->jacobian);
        add_point(r, (size_t)s->eom->n, t, x);
    }
}

crank_status crank_direct_ranks_look(crank_direct *s, double t, const double *x, bool last,
                                     crank_error *err)
{
    crank_direct_ranks *r = &s->ranks;
    if (r->rows == 0) {
        return CRANK_OK;
    }
    while (r->points > 0 && r->t[r->points - 1] >= t) { /* steps were taken back */
        r->points--;
    }
    if (r->points == 0) {
        begin(s, t, x);
        return CRANK_OK;
    }
    add_point(r, (size_t)s->eom->n, t, x);
    int q = r->points - 1;
    const bool due = last || r->points == CRANK_DIRECT_PATH;
    while (q > 0 && !due && r->t[q] != s->prepared_t) {
        q--;
    }
    if (q == 0 || (due && r->t[q] != s->prepared_t && !evaluate(s, t, x))) {
        if (due) { /* a step that cannot be evaluated says so itself */
            r->points = 0;
        }
        return CRANK_OK;
    }
    return look(s, q, r->t[q] == s->prepared_t ? s->jacobian : r->jacobian, err);
}

void crank_direct_ranks_restart(crank_direct *s)
{
    s->ranks.points = 0;
    if (s->ranks.rows > 0) {
        memset(s->ranks.most, 0, ((size_t)s->ranks.rows + 1) * sizeof *s->ranks.most);
    }
}

void crank_direct_ranks_archive(crank_direct *s, crank_archive *a)
{
    crank_direct_ranks *r = &s->ranks;
    if (r->rows == 0) {
        return;
    }
    crank_archive_doubles(a, r->before, (size_t)r->entries);
    crank_archive_doubles(a, r->most, (size_t)r->rows + 1);
    crank_archive_int(a, &r->side, -1, 1);
    crank_archive_int(a, &r->points, 0, CRANK_DIRECT_PATH - 1);
    crank_archive_doubles(a, r->t, CRANK_DIRECT_PATH);
    crank_archive_doubles(a, r->x, CRANK_DIRECT_PATH * (size_t)s->eom->n);
}
