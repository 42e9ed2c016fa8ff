/* modes.c - the slowest modes of a large model, by Arnoldi's method on the inverse of a shifted
 * pencil, sparse: theory (12.15); [GVL13, 10.5].
 *
 *     (J - sigma E) x_{k+1} = E x_k,      theta = 1/(lambda - sigma)
 *
 * with one row for each unknown: d, g, h, b, f_dyn, c, f_kin. Constraints stand on position
 * level, so that infinite eigenvalues have theta = 0; a few steps before the first take what
 * the start has of them. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/linear.h"

#include "base/then.h"
#include "eom/scale.h"
#include "linalg/eigen.h"
#include "linalg/solver.h"
#include "run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PURGE = 4, MORE = 40 };
static const double purged = 1e-9; /* of the largest theta: rounding, or infinite */

typedef struct arnoldi {
    crank_store store;
    crank_eom *eom;
    double t, sigma;
    int n, steps;
    int *place;            /* m: row of the square system, or -1 */
    double *values, *mass; /* of the Jacobian, of M */
    double *weight;        /* n: one over the size of p, v, r; 0 of what follows from these */
    double *basis, *H;     /* n x (steps + 1); (steps + 1) x steps */
    double *work;          /* n */
    crank_solver *solver;
} arnoldi;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "modes");
}

/* ---- the square system ---- */

static void choose_rows(arnoldi *a)
{
    static const struct {
        crank_group column;
        crank_row_group row;
    } pair[] = {{CRANK_W, CRANK_ROW_D},  {CRANK_LAMBDA, CRANK_ROW_G}, {CRANK_MU, CRANK_ROW_H},
                {CRANK_R, CRANK_ROW_B},  {CRANK_V, CRANK_ROW_DYN},    {CRANK_S, CRANK_ROW_C},
                {CRANK_P, CRANK_ROW_KIN}};
    for (int i = 0; i < a->eom->m; i++) {
        a->place[i] = -1;
    }
    for (size_t g = 0; g < sizeof pair / sizeof *pair; g++) {
        const int first = a->eom->column[pair[g].column];
        for (int i = first; i < a->eom->column[pair[g].column + 1]; i++) {
            a->place[a->eom->row[pair[g].row] + i - first] = i;
        }
    }
}

/* out = E x */
static void times_lead(const arnoldi *a, const double *x, double *out)
{
    const crank_eom *eom = a->eom;
    const crank_pattern *M = &eom->mass_pattern;
    const int v = eom->column[CRANK_V];
    memset(out, 0, (size_t)a->n * sizeof *out);
    for (int i = eom->column[CRANK_R]; i < eom->column[CRANK_R + 1]; i++) {
        out[i] = x[i];
    }
    for (int i = eom->column[CRANK_P]; i < a->n; i++) {
        out[i] = x[i];
    }
    for (int j = 0; j < eom->sizes.v; j++) {
        for (int e = M->start[j]; e < M->start[j + 1]; e++) {
            out[v + M->row[e]] += a->mass[e] * x[v + j];
        }
    }
}

/* Column j of J - sigma E into sum. */
static void add_column(const arnoldi *a, int j, double *sum)
{
    const crank_eom *eom = a->eom;
    const crank_pattern *J = &eom->jacobian_pattern, *M = &eom->mass_pattern;
    const int v = eom->column[CRANK_V], own = j - v;
    for (int e = J->start[j]; e < J->start[j + 1]; e++) {
        if (a->place[J->row[e]] >= 0) {
            sum[a->place[J->row[e]]] += a->values[e];
        }
    }
    if (own >= 0 && own < eom->sizes.v) {
        for (int e = M->start[own]; e < M->start[own + 1]; e++) {
            sum[v + M->row[e]] -= a->sigma * a->mass[e];
        }
    } else if (j >= eom->column[CRANK_P] ||
               (j >= eom->column[CRANK_R] && j < eom->column[CRANK_R + 1])) {
        sum[j] -= a->sigma;
    }
}

static crank_status factor(arnoldi *a, crank_error *err)
{
    const crank_eom *eom = a->eom;
    const size_t most = (size_t)eom->jacobian_pattern.start[a->n] +
                        (size_t)eom->mass_pattern.start[eom->sizes.v] + (size_t)a->n;
    int *start = crank_store_take(&a->store, (size_t)a->n + 1, sizeof *start);
    int *row = crank_store_take(&a->store, most, sizeof *row);
    double *entry = crank_store_take(&a->store, most, sizeof *entry);
    if (a->store.failed) {
        return no_memory(err);
    }
    memset(a->work, 0, (size_t)a->n * sizeof *a->work);
    for (int j = 0, n = 0; j < a->n; j++) {
        start[j] = n;
        add_column(a, j, a->work);
        const crank_pattern *J = &eom->jacobian_pattern;
        for (int e = J->start[j]; e <= J->start[j + 1]; e++) {
            const int i = e < J->start[j + 1] ? a->place[J->row[e]] : j;
            if (i >= 0 && a->work[i] != 0.0) {
                row[n] = i;
                entry[n++] = a->work[i];
                a->work[i] = 0.0;
            }
        }
        for (int i = eom->column[CRANK_V]; i < eom->column[CRANK_V + 1]; i++) { /* of M */
            if (a->work[i] != 0.0) {
                row[n] = i;
                entry[n++] = a->work[i];
                a->work[i] = 0.0;
            }
        }
        start[j + 1] = n;
    }
    const crank_solver_setup setup = {.wish = CRANK_LINALG_SPARSE,
                                      .n = a->n,
                                      .start = start,
                                      .row = row,
                                      .shifts = 1,
                                      .real = true};
    crank_status status = crank_solver_create(&setup, &a->solver, err);
    if (status == CRANK_OK) {
        memcpy(crank_solver_values(a->solver, 0, false), entry,
               (size_t)start[a->n] * sizeof *entry);
        status = crank_solver_factor(a->solver, 0, err);
    }
    return status > CRANK_OK
               ? crank_fail(err, CRANK_EREFUSED,
                            "modes of large models need constraints that are independent; see "
                            "crank check")
               : status;
}

/* ---- the basis ---- */

static double dot(const arnoldi *a, const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < a->n; i++) {
        sum += x[i] * a->weight[i] * (y[i] * a->weight[i]);
    }
    return sum;
}

static void apply(arnoldi *a, const double *x, double *out)
{
    times_lead(a, x, a->work);
    crank_solver_solve(a->solver, 0, a->work, NULL, out, NULL);
}

static bool normalise(arnoldi *a, double *x, double *norm)
{
    *norm = sqrt(dot(a, x, x));
    for (int i = 0; i<a->n && * norm> 0.0; i++) {
        x[i] /= *norm;
    }
    return *norm > 0.0 && isfinite(*norm);
}

/* Positions and velocities of a start without a pattern; the number of steps made. */
static int build(arnoldi *a)
{
    double *first = a->basis, norm;
    for (int i = 0; i < a->n; i++) {
        first[i] = a->weight[i] > 0.0
                       ? sin(1.0 + 1.7 * i + 0.3 * (i % 7) * (i % 11)) / a->weight[i]
                       : 0.0;
    }
    for (int k = 0; k < PURGE; k++) {
        double *next = a->basis + a->n;
        apply(a, first, next);
        memcpy(first, next, (size_t)a->n * sizeof *first);
        if (!normalise(a, first, &norm)) {
            return 0;
        }
    }
    for (int k = 0; k < a->steps; k++) {
        double *next = a->basis + (size_t)(k + 1) * (size_t)a->n;
        double *h = a->H + (size_t)k * (size_t)(a->steps + 1);
        apply(a, a->basis + (size_t)k * (size_t)a->n, next);
        for (int pass = 0; pass < 2; pass++) {
            for (int i = 0; i <= k; i++) {
                const double *b = a->basis + (size_t)i * (size_t)a->n;
                const double part = dot(a, b, next);
                h[i] += part;
                for (int q = 0; q < a->n; q++) {
                    next[q] -= part * b[q];
                }
            }
        }
        if (!normalise(a, next, &h[k + 1]) || h[k + 1] < 1e-14 * fabs(a->H[0])) {
            return k + 1;
        }
    }
    return a->steps;
}

/* ---- eigenvalues ---- */

/* lambda of the k-th eigenvalue theta of H; its distance from an exact one, relative. */
static void read_mode(const arnoldi *a, const double *theta, const double *vector, double next,
                      int k, crank_mode *out)
{
    static const double turn = 6.283185307179586;
    const double size = theta[0] * theta[0] + theta[1] * theta[1];
    out->real = a->sigma + theta[0] / size;
    out->imag = -theta[1] / size;
    const double r = hypot(out->real, out->imag);
    out->frequency = r / turn;
    out->damping = r > 0.0 ? -out->real / r : 0.0;
    out->error = fabs(next) * hypot(vector[2 * k - 2], vector[2 * k - 1]) / sqrt(size);
}

static int compare(const void *x, const void *y)
{
    const crank_mode *a = x, *b = y;
    const double p = a->frequency, q = b->frequency;
    return fabs(p - q) > 1e-9 * fmax(p, q) ? (p > q) - (p < q)
                                           : (a->imag < b->imag) - (a->imag > b->imag);
}

/* The slowest ones of k steps, at most count. */
static crank_status read_modes(arnoldi *a, int k, int count, crank_mode *out, int *found,
                               crank_error *err)
{
    const size_t size = (size_t)k;
    double *H = malloc((3 * size * size + 2 * size + 1) * sizeof *H);
    crank_mode *all = malloc((size + 1) * sizeof *all);
    crank_status status = H != NULL && all != NULL ? CRANK_OK : no_memory(err);
    *found = 0;
    if (status == CRANK_OK) {
        double *real = H + size * size, *imag = real + k, *vectors = imag + k, most = 0.0;
        for (int j = 0; j < k; j++) {
            memcpy(H + (size_t)j * size, a->H + (size_t)j * (size_t)(a->steps + 1),
                   size * sizeof *H);
        }
        status = crank_eigen(k, H, real, imag, vectors, err);
        const double next = a->H[(size_t)(k - 1) * (size_t)(a->steps + 1) + size];
        int n = 0;
        for (int i = 0; i < k && status == CRANK_OK; i++) {
            most = fmax(most, hypot(real[i], imag[i]));
        }
        for (int i = 0; i < k && status == CRANK_OK; i++) {
            const double theta[2] = {real[i], imag[i]};
            if (hypot(real[i], imag[i]) > purged * most) {
                read_mode(a, theta, vectors + 2 * size * (size_t)i, next, k, &all[n++]);
            }
        }
        qsort(all, (size_t)n, sizeof *all, compare);
        for (int i = 0; i < n && *found < count; i++) {
            if (all[i].error < 1e-6) {
                out[(*found)++] = all[i];
            }
        }
    }
    free(H);
    free(all);
    return status;
}

static crank_status take(arnoldi *a, int count, crank_error *err)
{
    const crank_eom *eom = a->eom;
    const size_t n = (size_t)eom->n;
    crank_store *store = &a->store;
    a->n = eom->n;
    a->steps = 4 * count + MORE < eom->n ? 4 * count + MORE : eom->n;
    a->place = crank_store_take(store, (size_t)eom->m, sizeof *a->place);
    a->values =
        crank_store_take(store, (size_t)eom->jacobian_pattern.start[n] + 1, sizeof *a->values);
    a->mass = crank_store_take(store, (size_t)eom->mass_pattern.start[eom->sizes.v] + 1,
                               sizeof *a->mass);
    a->weight = crank_store_take(store, n, sizeof *a->weight);
    a->work = crank_store_take(store, n, sizeof *a->work);
    a->basis = crank_store_take(store, n * (size_t)(a->steps + 1), sizeof *a->basis);
    a->H = crank_store_take(store, (size_t)a->steps * (size_t)(a->steps + 1), sizeof *a->H);
    return store->failed ? no_memory(err) : CRANK_OK;
}

crank_status crank_run_find_modes(crank_run *run, int count, crank_mode *out, int *found,
                                  crank_error *err)
{
    crank_error own = {0};
    arnoldi a = {.eom = run->eom, .t = run->t_start};
    err = err != NULL ? err : &own;
    *found = 0;
    crank_status status = crank_run_initialize(run, err);
    a.eom = run->eom;
    CRANK_THEN(status, take(&a, count, err));
    if (status == CRANK_OK) {
        const crank_eom *eom = a.eom;
        const double time = crank_scale_time(eom, run->x);
        a.sigma = 0.1 / (time > 0.0 ? time : 1.0); /* off zero, where free motions are */
        choose_rows(&a);
        for (int i = 0; i < a.n; i++) {
            a.weight[i] = (i >= eom->column[CRANK_R] && i < eom->column[CRANK_S]) ||
                                  i >= eom->column[CRANK_P]
                              ? 1.0 / crank_eom_unit(eom, i)
                              : 0.0;
        }
        status = crank_eom_evaluate_jacobian(a.eom, a.t, run->x, NULL, a.values, err);
        CRANK_THEN(status, crank_eom_evaluate_mass(a.eom, a.t, run->x, a.mass, err));
        CRANK_THEN(status, factor(&a, err));
    }
    if (status == CRANK_OK) {
        const int k = build(&a);
        status = k > 0
                     ? read_modes(&a, k, count, out, found, err)
                     : crank_fail(err, CRANK_EREFUSED, "the model has no modes: nothing moves");
    }
    crank_solver_destroy(a.solver);
    crank_store_free(&a.store);
    return status > CRANK_OK
               ? crank_fail(err, CRANK_ENOTFINITE, "the motion is not finite at the point")
               : status;
}
