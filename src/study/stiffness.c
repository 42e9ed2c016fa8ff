/* stiffness.c - stable, unstable or indifferent: the stiffness over the motions that
 * constraints leave, theory (12.6)-(12.8).
 *
 * With what follows displacements eliminated (variables of forces, o),
 *     K = B_delta - B_o P_o^-1 P_delta,   N: motions with G Z N = 0, H Z N = 0
 *     N^T K N phi = mu N^T M N phi:   phi'' = -mu phi
 * A motion is stable if mu > 0, unstable if mu < 0 or not real (forces that follow, without
 * their dampers), free if |mu| is rounding beside the terms that it is the sum of. Inertia that
 * is singular over N counts as one in natural units, which leaves the signs as they are. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/stiffness.h"

#include "base/then.h"
#include "eom/structure.h"
#include "linalg/dense.h"
#include "linalg/eigen.h"
#include "study/basis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 600 };
static const double vanishes = 1e-9;        /* of the terms of a stiffness */
static const double rank_tolerance = 1e-10; /* of gradients of norm one */
static const double regular = 1e-10;        /* pivots of inertia, over its diagonal */

typedef struct stiffness {
    crank_statics *s;
    int v, o; /* displacements; variables that follow */
    crank_store store;
    double *W, *K, *M, *P; /* constraints x v; v x v; v x v; o x (o + v) */
    double *least;         /* constraints: least norms */
    double *B;             /* v x o */
    crank_basis basis;
    double *reduced, *size, *inertia; /* free x free: N^T K N, of absolute values, N^T M N */
    double *real, *imag, *vectors;
    double *motion; /* v: of an eigenvector */
    double *open;   /* v x free: motions that nothing resists */
    bool by_inertia;
} stiffness;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "the stiffness of a mechanism");
}

static crank_status take(stiffness *k, crank_error *err)
{
    const crank_statics *s = k->s;
    const size_t v = (size_t)k->v, o = (size_t)k->o;
    const size_t constraints = (size_t)(s->rows - s->balances - s->plain);
    crank_store *store = &k->store;
    k->W = crank_store_take(store, constraints * v, sizeof *k->W);
    k->least = crank_store_take(store, constraints, sizeof *k->least);
    k->K = crank_store_take(store, v * v, sizeof *k->K);
    k->M = crank_store_take(store, v * v, sizeof *k->M);
    k->P = crank_store_take(store, o * (o + v), sizeof *k->P);
    k->B = crank_store_take(store, v * o, sizeof *k->B);
    k->reduced = crank_store_take(store, v * v, sizeof *k->reduced);
    k->size = crank_store_take(store, v * v, sizeof *k->size);
    k->inertia = crank_store_take(store, v * v, sizeof *k->inertia);
    k->real = crank_store_take(store, v, sizeof *k->real);
    k->imag = crank_store_take(store, v, sizeof *k->imag);
    k->vectors = crank_store_take(store, 2 * v * v, sizeof *k->vectors);
    k->open = crank_store_take(store, v * v, sizeof *k->open);
    k->motion = crank_store_take(store, v, sizeof *k->motion);
    return store->failed ? no_memory(err) : CRANK_OK;
}

/* the parts of the linearised equations of rest */
static void read_parts(stiffness *k)
{
    const crank_statics *s = k->s;
    const int v = k->v, o = k->o, first = s->balances, constraints = first + s->plain;
    const int total = s->rows - constraints;
    for (int i = 0; i < total; i++) {
        const int gradient = s->gradient[constraints + i];
        k->least[i] = gradient >= 0 ? crank_structure_cancelled(s->eom, gradient) : 0.0;
    }
    for (int j = 0; j < v + o; j++) {
        for (int e = s->A.start[j]; e < s->A.start[j + 1]; e++) {
            const int i = s->A.row[e];
            const double value = s->A.values[e];
            if (i < first && j < v) {
                k->K[i + (long)j * v] = value;
            } else if (i < first) {
                k->B[i + (long)(j - v) * v] = value;
            } else if (i < constraints) {
                k->P[i - first + (long)(j < v ? o + j : j - v) * o] = value;
            } else if (j < v) {
                k->W[i - constraints + (long)j * total] = value;
            }
        }
    }
}

/* K -= B_o P_o^-1 P_delta; false: the variables do not follow */
static bool eliminate(stiffness *k)
{
    const int v = k->v, o = k->o;
    int *pivot = calloc((size_t)o + 1, sizeof *pivot);
    const bool good = pivot != NULL && (o == 0 || crank_lu_factor(o, k->P, o, pivot));
    for (int j = 0; j < v && good && o > 0; j++) {
        double *column = k->P + (long)(o + j) * o;
        crank_lu_solve(o, k->P, o, pivot, column);
        for (int i = 0; i < v; i++) {
            for (int q = 0; q < o; q++) {
                k->K[i + (long)j * v] -= k->B[i + (long)q * v] * column[q];
            }
        }
    }
    free(pivot);
    return good;
}

/* to (free x free) = N^T A N, of absolute values if asked */
static void reduce(const stiffness *k, const double *A, bool absolute, double *to)
{
    const int v = k->v, f = k->basis.free;
    double *work = k->motion;
    for (int b = 0; b < f; b++) {
        const double *n = k->basis.N + (long)b * v;
        for (int i = 0; i < v; i++) {
            work[i] = 0.0;
            for (int j = 0; j < v; j++) {
                const double term = A[i + (long)j * v] * n[j];
                work[i] += absolute ? fabs(term) : term;
            }
        }
        for (int a = 0; a < f; a++) {
            const double *m = k->basis.N + (long)a * v;
            double sum = 0.0;
            for (int i = 0; i < v; i++) {
                sum += absolute ? fabs(m[i]) * work[i] : m[i] * work[i];
            }
            to[a + (long)b * f] = sum;
        }
    }
}

/* L of inertia = L L^T in place; false: it is singular */
static bool cholesky(int n, double *A)
{
    for (int j = 0; j < n; j++) {
        const double diagonal = A[j + (long)j * n];
        double sum = diagonal;
        for (int q = 0; q < j; q++) {
            sum -= A[j + (long)q * n] * A[j + (long)q * n];
        }
        if (!(sum > regular * diagonal)) {
            return false;
        }
        A[j + (long)j * n] = sqrt(sum);
        for (int i = j + 1; i < n; i++) {
            double entry = A[i + (long)j * n];
            for (int q = 0; q < j; q++) {
                entry -= A[i + (long)q * n] * A[j + (long)q * n];
            }
            A[i + (long)j * n] = entry / A[j + (long)j * n];
        }
    }
    return true;
}

/* what stands for inertia where that is singular: one in natural units */
static void take_units(stiffness *k)
{
    const int f = k->basis.free;
    memset(k->inertia, 0, (size_t)f * (size_t)f * sizeof *k->inertia);
    for (int a = 0; a < f; a++) {
        k->inertia[a + (long)a * f] = 1.0 / k->s->unit[k->basis.independent[a]];
    }
}

/* C := L^-1 C L^-T */
static void divide(int n, const double *L, double *C)
{
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            for (int q = 0; q < i; q++) {
                C[i + (long)j * n] -= L[i + (long)q * n] * C[q + (long)j * n];
            }
            C[i + (long)j * n] /= L[i + (long)i * n];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            for (int q = 0; q < j; q++) {
                C[i + (long)j * n] -= L[j + (long)q * n] * C[i + (long)q * n];
            }
            C[i + (long)j * n] /= L[j + (long)j * n];
        }
    }
}

/* phi := L^-T phi, of complex numbers */
static void undivide(int n, const double *L, double *phi)
{
    for (int i = n - 1; i >= 0; i--) {
        for (int c = 0; c < 2; c++) {
            for (int q = i + 1; q < n; q++) {
                phi[2 * i + c] -= L[q + (long)i * n] * phi[2 * q + c];
            }
            phi[2 * i + c] /= L[i + (long)i * n];
        }
    }
}

/* |phi|^T S |phi| */
static double terms(int n, const double *S, const double *phi)
{
    double sum = 0.0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            sum += hypot(phi[2 * i], phi[2 * i + 1]) * S[i + (long)j * n] *
                   hypot(phi[2 * j], phi[2 * j + 1]);
        }
    }
    return sum;
}

/* displacements of the real part of eigenvector phi */
static void expand(const stiffness *k, const double *phi, double *motion)
{
    memset(motion, 0, (size_t)k->v * sizeof *motion);
    for (int f = 0; f < k->basis.free; f++) {
        for (int i = 0; i < k->v; i++) {
            motion[i] += k->basis.N[i + (long)f * k->v] * phi[2 * f];
        }
    }
}

/* 'body "rod": rotation' */
static void name_motion(const stiffness *k, const double *motion, char *text)
{
    const crank_statics *s = k->s;
    (void)crank_structure_direction(s->eom, s->x, motion, text, CRANK_DIRECTION_TEXT);
}

/* the largest entry of free motions from `first` on, in natural units */
static double find_largest(const stiffness *k, int first, int count, int *row, int *which)
{
    double most = 0.0;
    for (int c = first; c < count; c++) {
        for (int i = 0; i < k->v; i++) {
            const double size = fabs(k->open[i + (long)c * k->v]) / k->s->unit[i];
            if (size > most * (1.0 + 1e-6)) {
                most = size;
                *row = i;
                *which = c;
            }
        }
    }
    return most;
}

/* Motions that nothing resists are any combinations of some: each of these gets a displacement
 * that the others do not have (Gauss and Jordan), and is named. */
static void name_free(stiffness *k, crank_equilibrium *out)
{
    const int v = k->v, count = out->free_count;
    for (int c = 0; c < count; c++) {
        int row = 0, which = c;
        if (!(find_largest(k, c, count, &row, &which) > 0.0)) {
            break;
        }
        double *pivot = k->open + (long)c * v;
        for (int i = 0; i < v; i++) {
            const double kept = pivot[i];
            pivot[i] = k->open[i + (long)which * v];
            k->open[i + (long)which * v] = kept;
        }
        for (int d = 0; d < count; d++) {
            double *other = k->open + (long)d * v;
            const double factor = d != c ? other[row] / pivot[row] : 0.0;
            for (int i = 0; i < v && factor != 0.0; i++) {
                other[i] -= factor * pivot[i];
            }
        }
    }
    for (int c = 0; c < count && c < CRANK_FREE_DIRECTIONS; c++) {
        name_motion(k, k->open + (long)c * v, out->free_text[c]);
    }
}

/* One eigenvalue after the other: free, unstable or stable. masses: of inertia, by T^2. */
static void judge(stiffness *k, const double *L, const double *masses, crank_equilibrium *out)
{
    const int f = k->basis.free;
    const double noise = fmax(vanishes, 1e3 * k->s->eom->noise);
    double worst = 0.0;
    out->stability = CRANK_STABLE;
    for (int i = 0; i < f; i++) {
        double *phi = k->vectors + 2L * f * i;
        undivide(f, L, phi);
        const double size = terms(f, k->size, phi) + terms(f, masses, phi);
        const bool open = hypot(k->real[i], k->imag[i]) <= noise * size;
        const bool flutters = !open && fabs(k->imag[i]) > noise * size;
        if (open) {
            expand(k, phi, k->open + (long)out->free_count++ * k->v);
        } else if (k->real[i] < 0.0 || flutters) {
            const double how = flutters ? hypot(k->real[i], k->imag[i]) : -k->real[i];
            out->stability = CRANK_UNSTABLE;
            if (how > worst) {
                worst = how;
                expand(k, phi, k->motion);
                name_motion(k, k->motion, out->direction);
            }
        }
        if (!(k->real[i] >= out->smallest) && !open) {
            out->smallest = k->real[i];
        }
    }
    if (out->stability == CRANK_STABLE && out->free_count > 0) {
        out->stability = CRANK_INDIFFERENT;
    }
    name_free(k, out);
    out->smallest = k->by_inertia ? out->smallest : (double)NAN;
}

static crank_status solve(stiffness *k, crank_equilibrium *out, crank_error *err)
{
    const int f = k->basis.free;
    const size_t square = (size_t)f * (size_t)f;
    double *masses = crank_store_take(&k->store, square, sizeof *masses);
    if (masses == NULL) {
        return no_memory(err);
    }
    reduce(k, k->K, false, k->reduced);
    reduce(k, k->K, true, k->size);
    reduce(k, k->M, false, k->inertia);
    reduce(k, k->M, true, masses);
    for (size_t i = 0; i < square; i++) {
        masses[i] /= k->s->time * k->s->time;
    }
    k->by_inertia = cholesky(f, k->inertia);
    if (!k->by_inertia) {
        take_units(k);
    }
    divide(f, k->inertia, k->reduced);
    const crank_status status = crank_eigen(f, k->reduced, k->real, k->imag, k->vectors, err);
    if (status == CRANK_OK) {
        judge(k, k->inertia, masses, out);
    }
    return status;
}

static crank_status examine(stiffness *k, crank_equilibrium *out, crank_error *err)
{
    crank_statics *s = k->s;
    crank_status status = take(k, err);
    CRANK_THEN(status, crank_statics_linearise(s, 0.0, true, err));
    if (status != CRANK_OK) {
        return status;
    }
    read_parts(k);
    status = crank_statics_linearise(s, 1.0, false, err);
    for (int j = 0; j < k->v && status == CRANK_OK; j++) {
        for (int e = s->A.start[j]; e < s->A.start[j + 1]; e++) {
            if (s->A.row[e] < k->v) {
                k->M[s->A.row[e] + (long)j * k->v] = s->A.values[e];
            }
        }
    }
    CRANK_THEN(status, crank_basis_create(s->rows - s->balances - s->plain, k->v, k->W, s->unit,
                                          k->least, rank_tolerance, &k->basis, err));
    out->freedom = k->basis.free;
    if (status != CRANK_OK || k->basis.free > LARGEST || !eliminate(k)) {
        return status;
    }
    return solve(k, out, err);
}

crank_status crank_stiffness_examine(crank_statics *s, crank_equilibrium *out, crank_error *err)
{
    stiffness k = {.s = s, .v = s->balances};
    out->stability = CRANK_STABILITY_UNKNOWN;
    out->smallest = (double)NAN;
    out->free_count = out->freedom = 0;
    out->direction[0] = '\0';
    if (s->balances == 0 || s->balances > 4 * LARGEST) {
        return CRANK_OK;
    }
    k.o = s->plain;
    const crank_status status = examine(&k, out, err);
    crank_basis_destroy(&k.basis);
    crank_store_free(&k.store);
    return status;
}
