/* impulse.c - the velocities after an impulse: the smallest change, in the norm of the kinetic
 * energy, that meets constraints and prescriptions,
 *
 *     [ M   A^T ] [ v+ - v-  ]   [ 0 ]        A = [ gI_v ]      b = [ -gI    ]
 *     [ A   0   ] [ -impulse ] = [ b ]            [ h_v  ]          [ -h     ]    theory (8.8)
 *                                                 [ N    ]          [ change ]
 *
 * the equations of impact of [PG96]. M is that of the equations: where accelerations are
 * carried it is d_w of the balance. Rows may repeat each other: the impulses are then open, v+
 * is the same. Velocities are scaled by sqrt(M_jj) (those without inertia as
 * the lightest), rows of A to norm 1; a second solution with the residual of the first removes
 * its rounding errors. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/impulse.h"

#include "base/tolerance.h"
#include "eom/scale.h"
#include "linalg/minimum_norm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* left over of a row: relative to what is asked, and in multiples of the method's own
 * residuals */
static const double contradiction = 1e-8, drift_factor = 10.0;
enum { REFINEMENTS = 2 };

typedef struct work {
    crank_eom *eom;
    int nv, constraints, rows, size; /* size: nv + rows */
    bool carried;
    double *values, *mass, *k;
    double *scale;    /* size: of velocities, then of rows */
    double *right;    /* size */
    double *residual; /* size */
    double *step, *y; /* size: a correction, the solution; scaled */
    int count;        /* entries */
    int *row, *column;
    double *entry;
    crank_arena arena;
} work;

static void layout(work *w, crank_arena *arena)
{
    const crank_eom *eom = w->eom;
    const size_t size = (size_t)w->size, nv = (size_t)w->nv;
    const size_t jacobian = (size_t)eom->jacobian_pattern.start[eom->n];
    const size_t mass = (size_t)eom->mass_pattern.start[eom->sizes.v];
    const size_t prescribed = (size_t)(w->rows - w->constraints);
    /* constraints and their transposes, mass, prescriptions and their transposes */
    const size_t most = 2 * jacobian + mass + 2 * prescribed * nv;
    double **const vectors[] = {&w->scale, &w->right, &w->residual, &w->step, &w->y};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        *vectors[i] = crank_arena_take(arena, size, sizeof(double));
    }
    w->values = crank_arena_take(arena, jacobian, sizeof(double));
    w->mass = crank_arena_take(arena, mass, sizeof(double));
    w->k = crank_arena_take(arena, (size_t)eom->m, sizeof(double));
    w->row = crank_arena_take(arena, most, sizeof(int));
    w->column = crank_arena_take(arena, most, sizeof(int));
    w->entry = crank_arena_take(arena, most, sizeof(double));
}

static void add(work *w, int row, int column, double value)
{
    w->row[w->count] = row;
    w->column[w->count] = column;
    w->entry[w->count++] = value;
}

/* ---- the matrix ---- */

static void add_mass(work *w)
{
    const crank_eom *eom = w->eom;
    const crank_pattern *p = w->carried ? &eom->jacobian_pattern : &eom->mass_pattern;
    const double *values = w->carried ? w->values : w->mass;
    const int own = eom->sizes.w - w->nv; /* auxiliary variables before the accelerations */
    const int first = w->carried ? eom->column[CRANK_W] + own : 0;
    const int row = w->carried ? eom->row[CRANK_ROW_D] + own : 0;
    for (int j = 0; j < w->nv; j++) {
        for (int q = p->start[first + j]; q < p->start[first + j + 1]; q++) {
            const int i = p->row[q] - row;
            if (i >= 0 && i < w->nv) {
                add(w, i, j, values[q]);
            }
        }
    }
}

/* a row of A and its transpose */
static void add_row(work *w, int row, int velocity, double value)
{
    if (value != 0.0) {
        add(w, w->nv + row, velocity, value);
        add(w, velocity, w->nv + row, value);
    }
}

static void add_constraints(work *w)
{
    const crank_eom *eom = w->eom;
    const crank_pattern *p = &eom->jacobian_pattern;
    const int first = eom->row[CRANK_ROW_GI];
    for (int j = 0; j < w->nv; j++) {
        const int column = eom->column[CRANK_V] + j;
        for (int q = p->start[column]; q < p->start[column + 1]; q++) {
            const int i = p->row[q] - first; /* gI, then h */
            if (i >= 0 && i < w->constraints) {
                add_row(w, i, j, w->values[q]);
            }
        }
    }
}

static void add_prescriptions(work *w, const crank_impulse *impulse)
{
    for (int i = 0; i < impulse->count; i++) {
        for (int j = 0; j < w->nv; j++) {
            add_row(w, w->constraints + i, j,
                    impulse->row[(size_t)i * (size_t)w->nv + (size_t)j]);
        }
    }
}

static double unit_of_velocity(const work *w, int j)
{
    bool known;
    return crank_scale_unit(w->eom, w->eom->column[CRANK_V] + j, &known);
}

/* scale (nv): 1/sqrt(M_jj); without inertia as that of the lightest, in natural units */
static void scale_velocities(work *w)
{
    double lightest = 0.0;
    for (int j = 0; j < w->nv; j++) {
        w->scale[j] = w->scale[j] > 0.0 ? 1.0 / sqrt(w->scale[j]) : 0.0;
        lightest = fmax(lightest, w->scale[j] / unit_of_velocity(w, j));
    }
    lightest = lightest > 0.0 ? lightest : 1.0;
    for (int j = 0; j < w->nv; j++) {
        w->scale[j] = w->scale[j] > 0.0 ? w->scale[j] : lightest * unit_of_velocity(w, j);
    }
}

/* velocities by sqrt(M_jj), then rows of A to norm 1 */
static void scale_entries(work *w)
{
    for (int i = 0; i < w->size; i++) {
        w->scale[i] = 0.0;
    }
    for (int q = 0; q < w->count; q++) {
        if (w->row[q] == w->column[q]) {
            w->scale[w->row[q]] += fabs(w->entry[q]);
        }
    }
    scale_velocities(w);
    for (int q = 0; q < w->count; q++) {
        if (w->row[q] >= w->nv) {
            const double entry = w->entry[q] * w->scale[w->column[q]];
            w->scale[w->row[q]] += entry * entry;
        }
    }
    for (int i = w->nv; i < w->size; i++) {
        w->scale[i] = w->scale[i] > 0.0 ? 1.0 / sqrt(w->scale[i]) : 1.0;
    }
    for (int q = 0; q < w->count; q++) {
        w->entry[q] *= w->scale[w->row[q]] * w->scale[w->column[q]];
    }
}

/* entries as compressed columns with rising rows: sorted by row, then, stably, by column */
static bool compress(const work *w, crank_min_matrix *K)
{
    crank_min_matrix T;
    if (!crank_min_allocate(&T, w->size, w->size, (size_t)w->count)) {
        return false;
    }
    for (int q = 0; q < w->count; q++) {
        T.start[w->row[q] + 1]++;
    }
    for (int i = 0; i < w->size; i++) {
        T.start[i + 1] += T.start[i];
    }
    for (int q = w->count - 1; q >= 0; q--) { /* start[i + 1] moves down to the start of i */
        const int at = --T.start[w->row[q] + 1];
        T.row[at] = w->column[q];
        T.values[at] = w->entry[q];
    }
    memmove(T.start, T.start + 1, (size_t)w->size * sizeof *T.start);
    T.start[w->size] = w->count;
    const bool done = crank_min_transpose(&T, K);
    crank_min_free(&T);
    return done;
}

/* ---- solving ---- */

/* residual = K y - right; returns its largest entry */
static double find_residual(work *w, const crank_min_matrix *K)
{
    double largest = 0.0;
    for (int i = 0; i < w->size; i++) {
        w->residual[i] = -w->right[i];
    }
    for (int j = 0; j < K->columns; j++) {
        for (int q = K->start[j]; q < K->start[j + 1]; q++) {
            w->residual[K->row[q]] += K->values[q] * w->y[j];
        }
    }
    for (int i = 0; i < w->size; i++) {
        largest = fmax(largest, fabs(w->residual[i]));
    }
    return largest;
}

static crank_status solve(work *w, const crank_min_matrix *K, crank_error *err)
{
    crank_min_solver solver;
    crank_status status = CRANK_OK;
    crank_min_solver_create_sparse(K, CRANK_STEP_TOLERANCE, &solver);
    double before = (double)INFINITY, now = find_residual(w, K);
    for (int i = 0; i <= REFINEMENTS && status == CRANK_OK && now > 0.0 && now < before; i++) {
        memset(w->step, 0, (size_t)w->size * sizeof *w->step);
        status = crank_min_solver_step(&solver, w->residual, 0.0, w->step, err);
        for (int j = 0; j < w->size; j++) {
            w->y[j] += w->step[j];
        }
        before = now;
        now = find_residual(w, K);
    }
    crank_min_solver_destroy(&solver);
    return status;
}

/* of rows first .. last - 1 the one that is missed most, by more than allowed; -1: all are
 * met */
static int find_missed(const work *w, int first, int last, double allowed)
{
    double most = allowed;
    int worst = -1;
    for (int i = first; i < last; i++) {
        const double missed = fabs(w->residual[w->nv + i]);
        if (!(missed <= most)) {
            most = missed;
            worst = i;
        }
    }
    return worst;
}

/* a prescription that cannot be met; their number: a constraint; -1: none. What is left over
 * counts relative to the velocities, to what is asked and to the drift. */
static int find_contradiction(const work *w, const double *v, const double *drift)
{
    double asked = 0.0, left = 0.0;
    for (int j = 0; j < w->nv; j++) {
        asked = fmax(asked, fabs(v[j]) / w->scale[j]);
    }
    for (int i = w->nv; i < w->size; i++) {
        asked = fmax(asked, fabs(w->right[i]));
    }
    for (int i = 0; i < w->constraints; i++) {
        left = fmax(left, fabs(drift[i]) * w->scale[w->nv + i]);
    }
    const double allowed = contradiction * asked + drift_factor * left;
    const int row = find_missed(w, w->constraints, w->rows, allowed);
    if (row >= 0) {
        return row - w->constraints;
    }
    return find_missed(w, 0, w->constraints, allowed) >= 0 ? w->rows - w->constraints : -1;
}

static crank_status evaluate(work *w, double t, const double *x, crank_error *err)
{
    crank_eom *eom = w->eom;
    crank_status status = crank_eom_evaluate_rows(eom, 1, &t, x, CRANK_ALGEBRAIC, w->k, err);
    if (status == CRANK_OK) {
        status = crank_eom_evaluate_jacobian(eom, t, x, NULL, w->values, err);
    }
    if (status == CRANK_OK && !w->carried) {
        status = crank_eom_evaluate_mass(eom, t, x, w->mass, err);
    }
    return status;
}

static crank_status run(work *w, double t, double *x, crank_impulse *impulse, crank_error *err)
{
    const crank_eom *eom = w->eom;
    crank_status status = evaluate(w, t, x, err);
    if (status != CRANK_OK) {
        return status;
    }
    add_mass(w);
    add_constraints(w);
    add_prescriptions(w, impulse);
    scale_entries(w);
    for (int i = 0; i < w->constraints; i++) {
        w->right[w->nv + i] = -w->k[eom->row[CRANK_ROW_GI] + i] * w->scale[w->nv + i];
    }
    for (int i = 0; i < impulse->count; i++) {
        const int row = w->nv + w->constraints + i;
        w->right[row] = impulse->change[i] * w->scale[row];
    }
    crank_min_matrix K = {0};
    status = compress(w, &K) ? solve(w, &K, err)
                             : crank_fail(err, CRANK_EMEM, "impulse on %d velocities", w->nv);
    crank_min_free(&K);
    if (status != CRANK_OK) {
        return status;
    }
    impulse->contradicted = find_contradiction(w, x + eom->column[CRANK_V], impulse->drift);
    for (int j = 0; j < w->nv && impulse->contradicted < 0; j++) {
        x[eom->column[CRANK_V] + j] += w->y[j] * w->scale[j];
    }
    return CRANK_OK;
}

crank_status crank_eom_impulse(crank_eom *eom, double t, double *x, crank_impulse *impulse,
                               crank_error *err)
{
    work w = {.eom = eom, .nv = eom->sizes.v};
    const int last = eom->column[CRANK_W] + eom->sizes.w - 1;
    w.carried = eom->sizes.w >= w.nv && w.nv > 0 && eom->carried[last];
    w.constraints = eom->sizes.lambda + eom->sizes.mu;
    w.rows = w.constraints + impulse->count;
    w.size = w.nv + w.rows;
    impulse->contradicted = -1;
    if (w.nv == 0) {
        return CRANK_OK;
    }
    layout(&w, &w.arena);
    if (!crank_arena_allocate(&w.arena)) {
        return crank_fail(err, CRANK_EMEM, "impulse on %d velocities", w.nv);
    }
    layout(&w, &w.arena);
    const crank_status status = run(&w, t, x, impulse, err);
    crank_arena_free(&w.arena);
    return status;
}
