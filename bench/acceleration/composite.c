/* composite.c - see composite.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "composite.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- the vehicle ---- */

enum { BODIES = 14, CHASSIS = 13 };
/* spindles, upper arms, rack, lower arms, chassis: children first */
static const int parent[BODIES] = {4,       5,       6,       7,       CHASSIS,
                                   CHASSIS, CHASSIS, CHASSIS, CHASSIS, CHASSIS,
                                   CHASSIS, CHASSIS, CHASSIS, -1};
static const int size[BODIES] = {3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 6};
/* loops: bodies and rows; lower arms to spindles, tie rods from the rack or the chassis */
static const int loop[8][3] = {{0, 9, 3}, {1, 10, 3}, {2, 11, 3},      {3, 12, 3},
                               {0, 8, 1}, {1, 8, 1},  {2, CHASSIS, 1}, {3, CHASSIS, 1}};

static double random_real(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

static bool is_on_path(int body, int from)
{
    for (; from >= 0; from = parent[from]) {
        if (from == body) {
            return true;
        }
    }
    return false;
}

/* K of a body with what it carries: each a definite 6 x 6; M[u,v] = B_u^T K_u B_v, v above u */
static void fill(composite *c, const int *body, uint64_t *r)
{
    static double K[BODIES][6][6];
    double B[COMPOSITE_MOST][6];
    memset(K, 0, sizeof K);
    for (int b = 0; b < BODIES; b++) {
        for (int k = 0; k < 36; k++) {
            const double off = 0.1 * (k % 6 + k / 6) / 10.0;
            K[b][k / 6][k % 6] += k % 7 == 0 ? 1.0 + 0.5 * random_real(r) : off;
        }
        for (int k = 0; k < 36 && parent[b] >= 0; k++) {
            K[parent[b]][k / 6][k % 6] += K[b][k / 6][k % 6];
        }
    }
    for (int i = 0; i < c->n; i++) {
        for (int k = 0; k < 6; k++) {
            B[i][k] = body[i] == CHASSIS ? (k == i - (c->n - 6)) : random_real(r);
        }
    }
    for (int i = 0; i < c->n; i++) {
        for (int j = i; j < c->n; j++) {
            double sum = 0.0;
            for (int k = 0; k < 36; k++) {
                sum += B[i][k / 6] * K[body[i]][k / 6][k % 6] * B[j][k % 6];
            }
            c->M[i][j] = c->M[j][i] = is_on_path(body[j], body[i]) ? sum : 0.0;
        }
    }
}

static void share_rows(composite *c)
{
    for (int a = 0; a < c->m; a++) {
        for (int b = 0; b <= a; b++) {
            for (int k = 0; k < c->row_count[a]; k++) {
                const int i = c->rows[a][k];
                if (c->P[b][i] != 0.0) {
                    c->shared[a][b][c->shared_count[a][b]++] = i;
                }
            }
        }
    }
}

void composite_vehicle(composite *c)
{
    int body[COMPOSITE_MOST];
    uint64_t r = 99;
    *c = (composite){0};
    for (int b = 0; b < BODIES; b++) {
        for (int k = 0; k < size[b]; k++) {
            body[c->n++] = b;
        }
    }
    fill(c, body, &r);
    for (int j = 0; j < c->n; j++) {
        for (int i = j + 1; i < c->n; i++) {
            if (is_on_path(body[i], body[j])) {
                c->below[j][c->below_count[j]++] = i;
            }
        }
    }
    for (int l = 0; l < 8; l++) {
        for (int k = 0; k < loop[l][2]; k++, c->m++) {
            for (int i = 0; i < c->n; i++) {
                if (is_on_path(body[i], loop[l][0]) || is_on_path(body[i], loop[l][1])) {
                    c->P[c->m][i] = random_real(&r);
                    c->rows[c->m][c->row_count[c->m]++] = i;
                }
            }
        }
    }
    share_rows(c);
}

void composite_densify(composite *c)
{
    for (int j = 0; j < c->n; j++) {
        c->below_count[j] = c->n - 1 - j;
        for (int a = 0; a < c->below_count[j]; a++) {
            c->below[j][a] = j + 1 + a;
        }
    }
    for (int a = 0; a < c->m; a++) {
        c->row_count[a] = c->n;
        for (int i = 0; i < c->n; i++) {
            c->rows[a][i] = i;
            for (int b = 0; b <= a; b++) {
                c->shared[a][b][i] = i;
                c->shared_count[a][b] = c->n;
            }
        }
    }
}

/* ---- the algorithm ---- */

/* 1: columns in order; what is below the pivot are ancestors, whose pairs are all there */
static bool factor(composite *c)
{
    memcpy(c->L, c->M, sizeof c->L);
    for (int j = 0; j < c->n; j++) {
        const int count = c->below_count[j], *below = c->below[j];
        if (!(c->L[j][j] > 0.0)) {
            return false;
        }
        const double root = sqrt(c->L[j][j]), inverse = 1.0 / root;
        double column[COMPOSITE_MOST];
        c->L[j][j] = root;
        for (int a = 0; a < count; a++) {
            column[a] = c->L[below[a]][j] *= inverse;
        }
        for (int a = 0; a < count; a++) {
            double *row = c->L[below[a]];
            for (int b = 0; b <= a; b++) {
                row[below[b]] -= column[a] * column[b];
            }
        }
    }
    return true;
}

static void forward(const composite *c, double *z)
{
    for (int j = 0; j < c->n; j++) {
        z[j] /= c->L[j][j];
        for (int a = 0; a < c->below_count[j]; a++) {
            z[c->below[j][a]] -= c->L[c->below[j][a]][j] * z[j];
        }
    }
}

/* 3.1: the rows of T are those of P^T and of their ancestors, which are the same */
static void solve_loops(composite *c)
{
    for (int l = 0; l < c->m; l++) {
        double *t = c->T[l];
        memcpy(t, c->P[l], sizeof c->T[l]);
        for (int k = 0; k < c->row_count[l]; k++) {
            const int j = c->rows[l][k];
            t[j] /= c->L[j][j];
            for (int a = 0; a < c->below_count[j]; a++) {
                t[c->below[j][a]] -= c->L[c->below[j][a]][j] * t[j];
            }
        }
    }
}

/* 3.3 and Cholesky of 3.4 */
static bool factor_loops(composite *c)
{
    for (int a = 0; a < c->m; a++) {
        for (int b = 0; b <= a; b++) {
            double sum = 0.0;
            for (int k = 0; k < c->shared_count[a][b]; k++) {
                const int i = c->shared[a][b][k];
                sum += c->T[a][i] * c->T[b][i];
            }
            for (int k = 0; k < b; k++) {
                sum -= c->C[a][k] * c->C[b][k];
            }
            if (a == b && !(sum > 0.0)) {
                return false;
            }
            c->C[a][b] = a == b ? sqrt(sum) : sum / c->C[b][b];
        }
    }
    return true;
}

bool composite_solve(composite *c, double *b)
{
    double *q = b, *l = b + c->n;
    if (!factor(c)) {
        return false;
    }
    forward(c, q);
    solve_loops(c);
    if (!factor_loops(c)) {
        return false;
    }
    for (int a = 0; a < c->m; a++) {
        double sum = -l[a];
        for (int k = 0; k < c->row_count[a]; k++) {
            sum += c->T[a][c->rows[a][k]] * q[c->rows[a][k]];
        }
        for (int k = 0; k < a; k++) {
            sum -= c->C[a][k] * l[k];
        }
        l[a] = sum / c->C[a][a];
    }
    for (int a = c->m - 1; a >= 0; a--) {
        l[a] /= c->C[a][a];
        for (int k = 0; k < a; k++) {
            l[k] -= c->C[a][k] * l[a];
        }
        for (int k = 0; k < c->row_count[a]; k++) {
            q[c->rows[a][k]] -= c->T[a][c->rows[a][k]] * l[a];
        }
    }
    for (int j = c->n - 1; j >= 0; j--) {
        double sum = q[j];
        for (int a = 0; a < c->below_count[j]; a++) {
            sum -= c->L[c->below[j][a]][j] * q[c->below[j][a]];
        }
        q[j] = sum / c->L[j][j];
    }
    return true;
}

composite_counts composite_count(const composite *c)
{
    composite_counts counts = {0};
    for (int j = 0; j < c->n; j++) {
        counts.L += c->below_count[j];
        counts.factor += c->below_count[j] * (c->below_count[j] + 1) / 2;
    }
    counts.forward = counts.L;
    for (int l = 0; l < c->m; l++) {
        counts.T += c->row_count[l];
        for (int k = 0; k < c->row_count[l]; k++) {
            counts.loops += c->below_count[c->rows[l][k]];
        }
        for (int b = 0; b <= l; b++) {
            counts.products += c->shared_count[l][b];
        }
    }
    counts.dense = c->m * (c->m - 1) * (c->m + 1) / 6;
    return counts;
}
