/* lock.c - forces that grow by the reactions which they cause themselves: friction that locks.
 *
 * Where the gain P of the loop load -> friction -> load (load_loop.h) gets the eigenvalue 1,
 * reactions have no bound. Its eigenvalues have no unit. With P y = p y, u^T P = p u^T the part
 *
 *     u_c y_c / u^T y     (their sum is 1)                                        theory (7.57)
 *
 * is how much p grows, relatively, with the coefficient of what reads multiplier c: who is to
 * blame. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/load_loop.h"
#include "linalg/dense.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED = 3, TEXT = 400, ITERATIONS = 8, TURNS = 8 };

static const double locked = 1e-2; /* 1 - p: reactions are a hundred times as large */
static const double shift = 1e-13; /* of eigenvalues: no pivot is zero by chance */
static const double share = 0.1;   /* of the largest part: what is worth naming */

typedef struct lock {
    crank_load_loop loop;
    crank_arena arena;
    double *factors;          /* R x R: of I - P */
    double *right, *left, *y; /* R: vectors of P; work */
    int *pivot;               /* R */
    double *part;             /* lambda + mu: by multiplier */
    bool *reader;             /* readers */
} lock;

static int multipliers(const crank_eom *eom)
{
    return eom->sizes.lambda + eom->sizes.mu;
}

static void layout(lock *w, crank_arena *arena)
{
    const crank_eom *eom = w->loop.eom;
    const size_t readers = (size_t)eom->parts->reader_count;
    const size_t loads = (size_t)eom->parts->reader_start[readers];
    w->factors = crank_arena_take(arena, loads * loads, sizeof(double));
    w->right = crank_arena_take(arena, loads, sizeof(double));
    w->left = crank_arena_take(arena, loads, sizeof(double));
    w->y = crank_arena_take(arena, loads, sizeof(double));
    w->pivot = crank_arena_take(arena, loads, sizeof(int));
    w->part = crank_arena_take(arena, (size_t)multipliers(eom), sizeof(double));
    w->reader = crank_arena_take(arena, readers, sizeof(bool));
}

/* ---- eigenvalues ---- */

/* y over its largest component, which is returned */
static double normalise(int n, double *y)
{
    int at = 0;
    for (int i = 1; i < n; i++) {
        at = fabs(y[i]) > fabs(y[at]) ? i : at;
    }
    const double size = y[at];
    for (int i = 0; i < n; i++) {
        y[i] /= size != 0.0 ? size : 1.0;
    }
    return size;
}

static void begin(lock *w)
{
    for (int i = 0; i < w->loop.loads; i++) {
        const double golden = (i + 1) * 0.6180339887498949; /* its fractions look random */
        w->right[i] = w->left[i] = 0.5 + golden - floor(golden);
    }
}

/* 1 - p of the eigenvalue of sign * P next to one, by inverse iteration; right, left: its
 * vectors. Below zero: loads have gone beyond. 1: none was found. */
static double find_nearest(lock *w, double sign)
{
    const int n = w->loop.loads;
    double growth = 1.0;
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < n; c++) {
            w->factors[i + (long)c * n] = -sign * w->loop.gain[i + (long)c * n];
        }
        w->factors[i + (long)i * n] += 1.0 + shift;
    }
    if (!crank_lu_factor(n, w->factors, n, w->pivot)) {
        return 1.0;
    }
    begin(w);
    for (int k = 0; k < ITERATIONS; k++) {
        crank_lu_solve(n, w->factors, n, w->pivot, w->right);
        crank_lu_solve_transposed(n, w->factors, n, w->pivot, w->left);
        growth = normalise(n, w->right);
        (void)normalise(n, w->left);
    }
    return growth != 0.0 && isfinite(growth) ? 1.0 / growth : 1.0;
}

/* y := P y, or P^T y; w->y: work */
static double multiply(lock *w, bool transpose, double *y)
{
    const int n = w->loop.loads;
    memcpy(w->y, y, (size_t)n * sizeof *y);
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int c = 0; c < n; c++) {
            y[i] +=
                (transpose ? w->loop.gain[c + (long)i * n] : w->loop.gain[i + (long)c * n]) *
                w->y[c];
        }
    }
    return normalise(n, y);
}

/* The same of the largest eigenvalue of P, if that is beyond one. */
static double find_beyond(lock *w)
{
    double p = 0.0, before = 0.0;
    begin(w);
    for (int k = 0; k < 4 * ITERATIONS; k++) {
        before = p;
        p = multiply(w, false, w->right);
        (void)multiply(w, true, w->left);
    }
    return p > 1.0 && fabs(p - before) <= locked * p ? 1.0 - p : 1.0;
}

/* 1 - p of the loop that locks, or is locked; 1: none */
static double find_eigenvalue(lock *w)
{
    double distance = find_nearest(w, 1.0);
    if (distance > locked) {
        distance = find_beyond(w);
    }
    if (distance > locked) { /* a step led across, and the loads, with P, turned round? */
        const double turned = find_nearest(w, -1.0);
        distance = fabs(turned) <= locked ? turned : 1.0;
    }
    return distance;
}

static void find_parts(lock *w)
{
    double sum = 0.0;
    memset(w->part, 0, (size_t)multipliers(w->loop.eom) * sizeof *w->part);
    for (int i = 0; i < w->loop.loads; i++) {
        sum += w->left[i] * w->right[i];
    }
    for (int i = 0; i < w->loop.loads && sum != 0.0; i++) {
        w->part[w->loop.load[i]] = w->left[i] * w->right[i] / sum;
    }
}

/* ---- in words ---- */

static double part_of_reader(const lock *w, int i)
{
    const crank_eom_parts *parts = w->loop.eom->parts;
    double sum = 0.0;
    for (int q = parts->reader_start[i]; q < parts->reader_start[i + 1]; q++) {
        sum += w->part[parts->reader_multiplier[q]];
    }
    return sum;
}

/* 'force "a", force "b"': the largest parts, largest first; how many */
static int list_readers(lock *w, char *text)
{
    const crank_eom_parts *parts = w->loop.eom->parts;
    double first = 0.0;
    int count = 0;
    text[0] = '\0';
    memset(w->reader, 0, (size_t)parts->reader_count * sizeof *w->reader);
    for (; count < NAMED; count++) {
        int best = -1;
        for (int i = 0; i < parts->reader_count; i++) {
            const bool more = best < 0 || part_of_reader(w, i) > part_of_reader(w, best);
            best = !w->reader[i] && more ? i : best;
        }
        const double part = best >= 0 ? part_of_reader(w, best) : 0.0;
        if (!(part > share * first)) {
            break;
        }
        first = count == 0 ? part : first;
        w->reader[best] = true;
        const size_t used = strlen(text);
        (void)snprintf(text + used, TEXT - used, "%s%.100s", used > 0 ? ", " : "",
                       parts->reader_text[best]);
    }
    return count;
}

static crank_status tell(lock *w, double t, double distance, crank_error *err)
{
    char who[TEXT];
    const int count = list_readers(w, who);
    const bool one = count == 1;
    if (count == 0) {
        return CRANK_OK;
    }
    return crank_fail(
        err, CRANK_ESTOP_EQUATIONS,
        "%s lock%s at t = %.10g: %s with reactions that %s, by a gain of %.4g, and from 1 on "
        "no forces balance; take less of the reaction (of friction: a lower `coefficient` or "
        "`radius`, or a `level` instead), or stay away from this position",
        who, one ? "s" : " together", t, one ? "it grows" : "they grow",
        one ? "it causes itself" : "they cause themselves", 1.0 - distance);
}

/* ---- all of it ---- */

/* The loop at x: 1 - p and who takes part. */
static crank_status examine(lock *w, double t, const double *x, double *distance,
                            crank_error *err)
{
    const crank_status status = crank_load_loop_find(&w->loop, t, x, err);
    *distance = 1.0;
    if (status == CRANK_OK && w->loop.loads > 0) {
        *distance = find_eigenvalue(w);
        find_parts(w);
    }
    return status;
}

/* The loop's x with loads of the same size, R in the directions into which they are turned */
static void turn_loads(lock *w)
{
    double *lambda = w->loop.x + w->loop.eom->sizes.w, size = 0.0;
    for (int i = 0; i < w->loop.loads; i++) {
        w->right[i] = lambda[w->loop.load[i]];
        size = fmax(size, fabs(w->right[i]));
    }
    (void)multiply(w, false, w->right);
    for (int i = 0; i < w->loop.loads; i++) {
        lambda[w->loop.load[i]] = size * w->right[i];
    }
}

/* The same at a start, where loads are not known: those without friction, and those to which
 * it would turn them if it grew, since the direction of a load matters. */
static crank_status examine_start(lock *w, double t, const double *x, double *distance,
                                  crank_error *err)
{
    crank_status status = crank_load_loop_unload(&w->loop, t, x, err);
    *distance = 1.0;
    for (int k = 0; k < TURNS && status == CRANK_OK && *distance > locked; k++) {
        if (k > 0) {
            turn_loads(w);
        }
        status = examine(w, t, w->loop.x, distance, err);
    }
    return status;
}

static crank_status find(crank_eom *eom, double t, const double *x, bool start,
                         crank_error *err)
{
    lock w = {.loop.eom = eom};
    crank_error ignored = {0};
    double distance;
    crank_status status = CRANK_OK;
    if (!crank_load_loop_exists(eom)) {
        return CRANK_OK;
    }
    layout(&w, &w.arena);
    if (crank_arena_allocate(&w.arena)) {
        layout(&w, &w.arena);
        if (crank_load_loop_create(&w.loop, eom, t, x, &ignored) == CRANK_OK &&
            (start ? examine_start : examine)(&w, t, x, &distance, &ignored) == CRANK_OK &&
            distance <= locked) {
            status = tell(&w, t, distance, err);
        }
        crank_load_loop_destroy(&w.loop);
    }
    crank_arena_free(&w.arena);
    return status;
}

/* With the loads that a method has, or, where it has led across and they are no loads any more,
 * with those that there would be. */
crank_status crank_eom_find_lock(crank_eom *eom, double t, const double *x, crank_error *err)
{
    crank_status status = find(eom, t, x, false, err);
    double *without = status == CRANK_OK ? malloc((size_t)eom->n * sizeof *without) : NULL;
    if (without != NULL) {
        memcpy(without, x, (size_t)eom->n * sizeof *x);
        memset(without, 0, (size_t)eom->column[CRANK_R] * sizeof *x);
        status = find(eom, t, without, true, err);
    }
    free(without);
    return status;
}

crank_status crank_eom_locked_start(crank_eom *eom, double t, const double *x, crank_error *err)
{
    const crank_status status = find(eom, t, x, true, err);
    if (status != CRANK_OK && err != NULL) {
        err->status = CRANK_EINIT_CONTRADICTION;
    }
    return status != CRANK_OK ? CRANK_EINIT_CONTRADICTION : CRANK_OK;
}
