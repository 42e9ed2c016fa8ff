/* modes.c - the slowest modes of a large model, by Arnoldi's method on the inverse of a shifted
 * pencil (pencil.h), restarted: theory (12.15), (12.16); [Ste02], [GVL13, 10.5].
 *
 *     A V = V H + beta v e^T,      A = (J - sigma E)^-1 E,      theta = 1/(lambda - sigma)
 *
 * A basis V that is full is cut to the invariant subspace of H that has the largest theta, and
 * grows again, until A leaves that subspace. One vector leads to one copy of a multiple eigenvalue
 * alone: so a new vector without a pattern is added to what was found, until the next two
 * eigenvalues that it leads to are none of the slowest. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/scale.h"
#include "linalg/eigen.h"
#include "run/run.h"
#include "study/design.h"
#include "study/pencil.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PURGE = 4, MORE = 40, BEHIND = 2, RESTARTS = 500 };
static const double purged = 1e-4;   /* of the largest theta: faster ones are not looked for */
static const double told = 1e-6;     /* of the largest |A v|: what rounding makes is below */
static const double nothing = 1e-11; /* of the largest |A v|: what rounding leaves of it */
static const double closed = 1e-12;  /* what leaves the subspace, of its smallest theta */
static const double exhausted = 1e-10; /* what is left of a vector beside the basis */
static const double same = 1e-6;       /* moduli, relative */

typedef struct krylov {
    crank_store store;
    crank_pencil pencil;
    int n, most, filled;                  /* unknowns; vectors of V at most; that H knows */
    double *V, *H;                        /* n x (most + 1); most x most */
    double beta;                          /* of vector number `filled`; 0: there is none */
    double reach;                         /* the largest |A v|, |v| = 1, so far */
    double *copy, *size, *basis, *turned; /* most x most, most, most x (most + 2), n x most */
    crank_mode *mode;                     /* most */
    int fresh;                            /* vectors without a pattern so far */
} krylov;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "modes");
}

static double *column(const krylov *k, int i)
{
    return k->V + (size_t)i * (size_t)k->n;
}

/* ---- the basis ---- */

/* x without what the first `count` vectors have of it, twice; h (may be NULL) += the parts */
static void orthogonalise(const krylov *k, int count, double *x, double *h)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count; i++) {
            const double *v = column(k, i);
            const double part = crank_pencil_dot(&k->pencil, v, x);
            if (h != NULL) {
                h[i] += part;
            }
            for (int q = 0; q < k->n; q++) {
                x[q] -= part * v[q];
            }
        }
    }
}

/* its norm before; 0: none, or not finite */
static double normalise(const krylov *k, double *x)
{
    const double norm = sqrt(crank_pencil_dot(&k->pencil, x, x));
    for (int i = 0; i < k->n && norm > 0.0; i++) {
        x[i] /= norm;
    }
    return isfinite(norm) ? norm : 0.0;
}

/* A vector without a pattern becomes number `filled`, beside those before; a few steps leave
 * nothing of infinite eigenvalues. false: there is no other direction. */
static bool add_fresh(krylov *k)
{
    double *x = column(k, k->filled), *next = k->turned;
    k->fresh++;
    for (int i = 0; i < k->n; i++) {
        const double weight = k->pencil.weight[i];
        x[i] = weight > 0.0
                   ? (crank_random_part((uint64_t)k->fresh, 0, (uint64_t)i) - 0.5) / weight
                   : 0.0;
    }
    for (int step = 0; step < PURGE; step++) {
        crank_pencil_apply(&k->pencil, x, next);
        const double before = normalise(k, next);
        k->reach = fmax(k->reach, step > 0 ? before : 0.0);
        orthogonalise(k, k->filled, next, NULL);
        if (!(before > 0.0) || !(normalise(k, next) > exhausted)) {
            return false;
        }
        memcpy(x, next, (size_t)k->n * sizeof *x);
    }
    k->beta = 0.0;
    return true;
}

/* Vectors from number `filled` on, which is there, until V is full or nothing new comes. */
static void grow(krylov *k)
{
    double largest = 0.0;
    for (int j = k->filled; j < k->most; j++) {
        double *next = column(k, j + 1), *h = k->H + (size_t)j * (size_t)k->most;
        memset(h, 0, (size_t)k->most * sizeof *h);
        crank_pencil_apply(&k->pencil, column(k, j), next);
        const double before = sqrt(crank_pencil_dot(&k->pencil, next, next));
        orthogonalise(k, j + 1, next, h);
        k->beta = normalise(k, next);
        k->filled = j + 1;
        largest = fmax(largest, before);
        k->reach = fmax(k->reach, before);
        if (!(k->beta > nothing * largest)) {
            k->beta = 0.0;
            return;
        }
        if (j + 1 < k->most) {
            h[j + 1] = k->beta;
        }
    }
}

/* ---- its leading part ---- */

/* The subspace of the `wanted` largest theta: k->basis (filled x *count), k->size. */
static crank_status lead(krylov *k, int wanted, int *count, crank_error *err)
{
    const size_t size = (size_t)k->filled;
    for (size_t j = 0; j < size; j++) {
        memcpy(k->copy + j * size, k->H + j * (size_t)k->most, size * sizeof *k->copy);
    }
    return crank_eigen_leading(k->filled, k->copy, wanted, k->size, k->basis, count, err);
}

/* how far A leads out of it */
static double leaves(const krylov *k, int count)
{
    double norm = 0.0;
    for (int i = 0; i < count; i++) {
        norm = hypot(norm, k->basis[(size_t)(i + 1) * (size_t)k->filled - 1]);
    }
    return k->beta * norm;
}

/* V and H become those of the leading subspace, and the vector behind V follows. */
static void cut(krylov *k, int count)
{
    const size_t rows = (size_t)k->filled, n = (size_t)k->n, most = (size_t)k->most;
    double *small = k->copy; /* rows x count: H B */
    for (size_t b = 0; b < (size_t)count; b++) {
        const double *basis = k->basis + b * rows;
        double *out = k->turned + b * n;
        memset(out, 0, n * sizeof *out);
        for (size_t i = 0; i < rows; i++) {
            small[i + b * rows] = 0.0;
            for (size_t j = 0; j < rows; j++) {
                small[i + b * rows] += k->H[i + j * most] * basis[j];
            }
            for (size_t q = 0; q < n; q++) {
                out[q] += k->V[i * n + q] * basis[i];
            }
        }
    }
    for (size_t b = 0; b < (size_t)count; b++) {
        double *h = k->H + b * most;
        memset(h, 0, most * sizeof *h);
        for (size_t a = 0; a < (size_t)count; a++) {
            for (size_t i = 0; i < rows; i++) {
                h[a] += k->basis[i + a * rows] * small[i + b * rows];
            }
        }
        if (count < k->most) {
            h[count] = k->beta * k->basis[(b + 1) * rows - 1];
        }
    }
    memmove(k->V + (size_t)count * n, k->V + rows * n, n * sizeof *k->V);
    memcpy(k->V, k->turned, (size_t)count * n * sizeof *k->V);
    k->filled = count;
}

/* Finite eigenvalues among those that H has: rounding makes large ones of infinite ones, of which
 * three go together, so that theta is up to the cube root of it. It is that of A, which takes
 * velocities that constraints forbid to none by way of theirs: where nothing moves all are. */
static int finite_ones(const krylov *k)
{
    const double least = fmax(purged * k->size[0], told * k->reach);
    int count = 0;
    while (count < k->filled && k->size[count] > least) {
        count++;
    }
    return count;
}

/* Until the subspace of the `wanted` largest is invariant; then V and H are its own. */
static crank_status converge(krylov *k, int wanted, crank_error *err)
{
    for (int restart = 0; restart < RESTARTS; restart++) {
        int count;
        grow(k);
        crank_status status = lead(k, wanted, &count, err);
        if (status != CRANK_OK) {
            return status;
        }
        const int finite = finite_ones(k);
        if (finite == 0) {
            k->filled = 0;
            return CRANK_OK;
        }
        if (count > finite) {
            status = lead(k, finite, &count, err);
        }
        if (status != CRANK_OK) {
            return status;
        }
        if (leaves(k, count) <= closed * k->size[count - 1]) {
            k->beta = 0.0;
            cut(k, count);
            return CRANK_OK;
        }
        const int room = k->filled - count;
        status = lead(k, count + room / 3, &count, err);
        if (status != CRANK_OK || count > k->filled - 2) {
            break;
        }
        cut(k, count);
    }
    return crank_fail(err, CRANK_EREFUSED,
                      "no convergence to the slowest modes, of which many are nearly the same; "
                      "ask for more");
}

/* ---- eigenvalues ---- */

/* lambda of theta */
static crank_mode mode_of(const krylov *k, const double theta[2])
{
    static const double turn = 6.283185307179586;
    const double size = theta[0] * theta[0] + theta[1] * theta[1];
    crank_mode out = {.real = k->pencil.sigma + theta[0] / size, .imag = -theta[1] / size};
    const double r = hypot(out.real, out.imag);
    out.frequency = r / turn;
    out.damping = r > 0.0 ? -out.real / r : 0.0;
    return out;
}

static int compare(const void *x, const void *y)
{
    const crank_mode *a = x, *b = y;
    const double p = a->frequency, q = b->frequency;
    return fabs(p - q) > 1e-9 * fmax(p, q) ? (p > q) - (p < q)
                                           : (a->imag < b->imag) - (a->imag > b->imag);
}

/* All that H has, the slowest first: k->mode. */
static crank_status read_modes(krylov *k, crank_error *err)
{
    const size_t size = (size_t)k->filled;
    double *real = k->basis, *imag = real + size;
    for (size_t j = 0; j < size; j++) {
        memcpy(k->copy + j * size, k->H + j * (size_t)k->most, size * sizeof *k->copy);
    }
    const crank_status status = crank_eigen(k->filled, k->copy, real, imag, NULL, err);
    for (size_t i = 0; i < size && status == CRANK_OK; i++) {
        k->mode[i] = mode_of(k, (double[2]){real[i], imag[i]});
    }
    if (status == CRANK_OK) {
        qsort(k->mode, size, sizeof *k->mode, compare);
    }
    return status;
}

/* Names of what the first `count` are mostly in, by the eigenvectors V z of those of H. */
static crank_status name_modes(krylov *k, int count, crank_error *err)
{
    const size_t size = (size_t)k->filled, n = (size_t)k->n;
    double *room = calloc(2 * size + 2 * size * size + 2 * n + 1, sizeof *room);
    if (room == NULL) {
        return no_memory(err);
    }
    double *real = room, *imag = real + size, *z = imag + size, *motion = z + 2 * size * size;
    for (size_t j = 0; j < size; j++) {
        memcpy(k->copy + j * size, k->H + j * (size_t)k->most, size * sizeof *k->copy);
    }
    crank_status status = crank_eigen(k->filled, k->copy, real, imag, z, err);
    for (int m = 0; m < count && status == CRANK_OK; m++) {
        crank_mode *mode = &k->mode[m];
        double nearest = (double)INFINITY;
        size_t best = 0;
        int column = -1;
        for (size_t i = 0; i < size; i++) {
            const crank_mode other = mode_of(k, (double[2]){real[i], imag[i]});
            const double off = hypot(other.real - mode->real, other.imag - mode->imag);
            best = off < nearest ? i : best;
            nearest = fmin(nearest, off);
        }
        memset(motion, 0, 2 * n * sizeof *motion);
        for (size_t i = 0; i < size; i++) {
            const double *u = z + 2 * (best * size + i), *v = k->V + i * n;
            for (size_t q = 0; q < n; q++) {
                motion[2 * q] += u[0] * v[q];
                motion[2 * q + 1] += u[1] * v[q];
            }
        }
        status = crank_linear_name_motion(&k->pencil.at, k->pencil.mass, motion, &column, err);
        mode->leader = column >= 0 ? crank_eom_column_name(k->pencil.at.eom, column) : "";
    }
    free(room);
    return status;
}

/* ---- all together ---- */

/* Theta tells the distance from sigma, not from zero: are those that were not looked for slower
 * than none of the first `count`? */
static bool is_complete(const krylov *k, int count)
{
    static const double turn = 6.283185307179586;
    if (k->filled < count) {
        return true;
    }
    const double reached = 1.0 / k->size[k->filled - 1];
    return turn * k->mode[count - 1].frequency <= reached - k->pencil.sigma;
}

/* Once more with a fresh vector; *same_ones: it changed none of the first `target`. */
static crank_status look_again(krylov *k, int target, double *known, bool *same_ones,
                               crank_error *err)
{
    const int had = k->filled < target ? k->filled : target;
    const int wanted = had == target ? k->filled + BEHIND : target;
    crank_status status = converge(k, wanted < k->most ? wanted : k->most, err);
    if (status != CRANK_OK) {
        return status;
    }
    const int now = k->filled < target ? k->filled : target;
    *same_ones = now == had;
    for (int i = 0; i < now; i++) {
        *same_ones = *same_ones && fabs(k->size[i] - known[i]) <= same * known[i];
        known[i] = k->size[i];
    }
    if (k->filled > target) { /* what stands behind was only asked for to be sure */
        int kept;
        status = lead(k, target, &kept, err);
        if (status == CRANK_OK) {
            cut(k, kept);
        }
    }
    return status;
}

/* Until fresh vectors change none of the slowest, and no others can be slower. */
static crank_status find_all(krylov *k, int count, double *known, crank_error *err)
{
    crank_status status = CRANK_OK;
    int target = count;
    bool done = false;
    while (!done && status == CRANK_OK && k->filled < k->most && add_fresh(k)) {
        bool same_ones;
        status = look_again(k, target, known, &same_ones, err);
        CRANK_THEN(status, read_modes(k, err));
        if (status == CRANK_OK && same_ones) {
            done = is_complete(k, count) || target >= 2 * count + MORE / 2;
            target += done ? 0 : BEHIND + count / 4;
        }
    }
    if (status == CRANK_OK && k->filled == 0) {
        return crank_fail(
            err, CRANK_EREFUSED,
            "the model has no modes: nothing moves, or so fast that rounding hides it");
    }
    return status;
}

static crank_status take(krylov *k, int count, crank_error *err)
{
    const size_t n = (size_t)k->pencil.n;
    crank_store *store = &k->store;
    k->n = k->pencil.n;
    k->most = count < (k->n - MORE) / 4 ? 4 * count + MORE : k->n;
    const size_t most = (size_t)k->most;
    k->V = crank_store_take(store, n * (most + 1), sizeof *k->V);
    k->turned = crank_store_take(store, n * (most + 1), sizeof *k->turned);
    k->H = crank_store_take(store, most * most, sizeof *k->H);
    k->copy = crank_store_take(store, most * most, sizeof *k->copy);
    k->basis = crank_store_take(store, most * most + 2 * most, sizeof *k->basis);
    k->size = crank_store_take(store, most, sizeof *k->size);
    k->mode = crank_store_take(store, most, sizeof *k->mode);
    return store->failed ? no_memory(err) : CRANK_OK;
}

crank_status crank_run_find_modes(crank_run *run, int count, crank_mode *out, int *found,
                                  crank_error *err)
{
    crank_error own = {0};
    krylov k = {0};
    err = err != NULL ? err : &own;
    *found = 0;
    if (count < 1) {
        return crank_fail(err, CRANK_EARG, "%d modes are asked for, at least one is needed",
                          count);
    }
    crank_status status = crank_linear_begin(run, err);
    if (status == CRANK_OK) {
        const double time = crank_scale_time(run->eom, run->x);
        const double sigma = 0.1 / (time > 0.0 ? time : 1.0); /* off zero: free motions */
        status = crank_pencil_create(run->eom, run->t_start, run->x, sigma, &k.pencil, err);
    }
    CRANK_THEN(status, take(&k, count, err));
    if (status == CRANK_OK) {
        double *known = crank_store_take(&k.store, (size_t)k.most, sizeof *known);
        status = known != NULL ? find_all(&k, count, known, err) : no_memory(err);
    }
    CRANK_THEN(status, name_modes(&k, k.filled < count ? k.filled : count, err));
    if (status == CRANK_OK) {
        *found = k.filled < count ? k.filled : count;
        memcpy(out, k.mode, (size_t)*found * sizeof *out);
    }
    crank_pencil_destroy(&k.pencil);
    crank_store_free(&k.store);
    return status > CRANK_OK
               ? crank_fail(err, CRANK_ENOTFINITE, "the motion is not finite at the point")
               : status;
}
