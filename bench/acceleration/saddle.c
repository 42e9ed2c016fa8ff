/* saddle.c - factors and solutions of saddle.h.
 *
 *     W_jb = G_jb M_b^-1,   B_jk = sum_b W_jb G_kb^T  over the bodies that j and k share
 *     L_ij = (B_ij - sum_k L_ik L_jk) / L_jj,   from the first entry of both rows on
 *
 * Rows of L lie together: sums are those of neighbours in memory, in a fixed order. */
// SPDX-License-Identifier: BSD-3-Clause
#include "saddle_inside.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* a pivot is lost if less than this is left of the sum that it is, as in recorded_factor.c */
static const double lost = 1e-11;

/* sum a_k b_k, in four parts */
static inline double dot(int n, const double *a, const double *b)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int k = 0;
    for (; k + 4 <= n; k += 4) {
        s0 += a[k] * b[k];
        s1 += a[k + 1] * b[k + 1];
        s2 += a[k + 2] * b[k + 2];
        s3 += a[k + 3] * b[k + 3];
    }
    for (; k < n; k++) {
        s0 += a[k] * b[k];
    }
    return (s0 + s2) + (s1 + s3);
}

static inline double dot_six(const double *a, const double *b)
{
    return (a[0] * b[0] + a[2] * b[2] + a[4] * b[4]) +
           (a[1] * b[1] + a[3] * b[3] + a[5] * b[5]);
}

static inline double dot_three(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double dot_of(int n, const double *a, const double *b)
{
    return n == 6 ? dot_six(a, b) : n == 3 ? dot_three(a, b) : dot(n, a, b);
}

/* ---- the blocks of M ---- */

/* A^-1 (n x n, symmetric, definite) by A = R R^T; false: not definite */
static bool invert_block(int n, const double *A, double *inverse)
{
    double R[CRANK_SADDLE_MOST][CRANK_SADDLE_MOST] = {{0.0}};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            const double left = A[i * n + j] - dot(j, R[i], R[j]);
            if (j < i) {
                R[i][j] = left / R[j][j];
            } else if (!(left > lost * A[i * n + i]) || !(left <= DBL_MAX)) {
                return false;
            } else {
                R[i][i] = sqrt(left);
            }
        }
    }
    for (int c = 0; c < n; c++) {
        double y[CRANK_SADDLE_MOST] = {0.0};
        for (int i = c; i < n; i++) {
            y[i] = ((i == c) - dot(i, R[i], y)) / R[i][i];
        }
        for (int i = n - 1; i >= 0; i--) {
            double sum = y[i];
            for (int k = i + 1; k < n; k++) {
                sum -= R[k][i] * y[k];
            }
            inverse[c * n + i] = y[i] = sum / R[i][i];
        }
    }
    for (int i = 0; i < n; i++) { /* the same in every bit on both sides */
        for (int j = 0; j < i; j++) {
            inverse[j * n + i] = inverse[i * n + j];
        }
    }
    return true;
}

static int size_of(const crank_saddle *s, int b)
{
    return s->body_start[b + 1] - s->body_start[b];
}

bool crank_saddle_masses(crank_saddle *s, const double *values)
{
    for (int e = 0; e < s->mass_count; e++) {
        const crank_saddle_source *from = &s->mass[e];
        s->M[from->place] = values[from->entry];
        if (values[from->entry] != values[from->mirror]) {
            return false;
        }
    }
    for (int b = 0; b < s->counts.bodies; b++) {
        if (!invert_block(size_of(s, b), s->M + s->square[b], s->inverse + s->square[b])) {
            return false;
        }
    }
    return true;
}

/* ---- factors ---- */

static bool load_gradients(crank_saddle *s, const double *values)
{
    bool equal = true;
    for (int e = 0; e < s->gradient_count; e++) {
        const crank_saddle_source from = s->gradient[e];
        const double value = values[from.entry];
        s->G[from.place] = value;
        equal &= value == values[from.mirror];
    }
    return equal;
}

/* w = M^-1 g */
static inline void weigh(int nb, bool split, const double *inverse, const double *g, double *w)
{
    for (int c = 0; c < nb && !split; c++) {
        w[c] = dot_of(nb, g, inverse + c * nb);
    }
    for (int c = 0; c < 3 && split; c++) {
        w[c] = dot_three(g, inverse + 6 * c);
        w[3 + c] = dot_three(g + 3, inverse + 21 + 6 * c);
    }
}

/* W of the joints at a body, and what that adds to B; nb is a constant where it is inlined */
static inline void add_body(crank_saddle *s, int b, int nb)
{
    const double *inverse = s->inverse + s->square[b];
    const bool split = s->split[b];
    const crank_saddle_end *end = s->end + s->end_start[b],
                           *behind = s->end + s->end_start[b + 1];
    for (const crank_saddle_end *j = end; j < behind; j++) {
        for (int r = 0; r < j->rows; r++) {
            const long at = j->block + (long)r * nb;
            weigh(nb, split, inverse, s->G + at, s->W + at);
        }
        for (const crank_saddle_end *k = end; k <= j; k++) { /* k is before j in the order */
            for (int r = 0; r < j->rows; r++) {
                const double *w = s->W + j->block + (long)r * nb, *g = s->G + k->block;
                double *to = s->L + s->start[j->row + r] + k->row;
                const int count = k == j ? r + 1 : k->rows;
                for (int c = 0; c < count; c++) {
                    to[c] += dot_of(nb, w, g + (long)c * nb);
                }
            }
        }
    }
}

static bool factor_envelope(crank_saddle *s)
{
    double *L = s->L;
    for (int i = 0; i < s->m; i++) {
        double *row = L + s->start[i];
        const int first = s->first[i];
        for (int j = first; j < i; j++) {
            const double *other = L + s->start[j];
            const int from = first > s->first[j] ? first : s->first[j];
            row[j] = (row[j] - dot(j - from, row + from, other + from)) * s->inverse_root[j];
        }
        const double own = row[i], left = own - dot(i - first, row + first, row + first);
        if (!(left > lost * own) || !(left <= DBL_MAX)) {
            return false;
        }
        row[i] = sqrt(left);
        s->inverse_root[i] = 1.0 / row[i];
        s->inverse_pivot[s->multiplier[i]] = 1.0 / left;
    }
    return true;
}

bool crank_saddle_factor(crank_saddle *s, const double *values)
{
    if (!load_gradients(s, values) || (!s->constant && !crank_saddle_masses(s, values))) {
        return false;
    }
    memset(s->L, 0, (size_t)s->places * sizeof *s->L);
    for (int b = 0; b < s->counts.bodies; b++) {
        const int nb = size_of(s, b);
        if (nb == 6) {
            add_body(s, b, 6);
        } else if (nb == 3) {
            add_body(s, b, 3);
        } else {
            add_body(s, b, nb);
        }
    }
    return factor_envelope(s);
}

/* ---- solutions ---- */

/* y = B^-1 y */
static void solve_envelope(const crank_saddle *s, double *y)
{
    for (int i = 0; i < s->m; i++) {
        const int first = s->first[i];
        const double *row = s->L + s->start[i];
        y[i] = (y[i] - dot(i - first, row + first, y + first)) * s->inverse_root[i];
    }
    for (int i = s->m - 1; i >= 0; i--) {
        const double *row = s->L + s->start[i], value = y[i] * s->inverse_root[i];
        y[i] = value;
        for (int j = s->first[i]; j < i; j++) {
            y[j] -= row[j] * value;
        }
    }
}

void crank_saddle_solve(crank_saddle *s, double *b)
{
    double *y = s->y, *f = s->f; /* f: of bodies, in their order */
    for (int i = 0; i < s->m; i++) {
        y[i] = -b[s->multiplier[i]];
    }
    for (int k = 0; k < s->n - s->m; k++) {
        f[k] = b[s->unknown[k]];
    }
    for (int body = 0; body < s->counts.bodies; body++) {
        const int nb = size_of(s, body);
        for (int e = s->end_start[body]; e < s->end_start[body + 1]; e++) {
            const crank_saddle_end *end = &s->end[e];
            for (int r = 0; r < end->rows; r++) {
                y[end->row + r] +=
                    dot_of(nb, s->W + end->block + (long)r * nb, f + s->body_start[body]);
            }
        }
    }
    solve_envelope(s, y);
    for (int body = 0; body < s->counts.bodies; body++) {
        const int nb = size_of(s, body), first = s->body_start[body];
        double *force = f + first;
        for (int e = s->end_start[body]; e < s->end_start[body + 1]; e++) {
            const crank_saddle_end *end = &s->end[e];
            for (int r = 0; r < end->rows; r++) {
                const double lambda = y[end->row + r];
                const double *g = s->G + end->block + (long)r * nb;
                for (int c = 0; c < nb; c++) {
                    force[c] -= g[c] * lambda;
                }
            }
        }
        for (int c = 0; c < nb; c++) {
            b[s->unknown[first + c]] =
                dot_of(nb, s->inverse + s->square[body] + (long)c * nb, force);
        }
    }
    for (int i = 0; i < s->m; i++) {
        b[s->multiplier[i]] = y[i];
    }
}

const double *crank_saddle_inverse_pivots(const crank_saddle *s)
{
    return s->inverse_pivot;
}

crank_saddle_counts crank_saddle_get_counts(const crank_saddle *s)
{
    return s->counts;
}
