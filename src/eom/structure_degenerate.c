/* structure_degenerate.c - redundant constraints, or a degenerate position?
 *
 * Redundant constraints have the same rank at all consistent points, a singular position (a
 * slider crank at its dead centre) has a lower one than its neighbours. Let y V = 0 combine the
 * dependent rows of V = [gI_v; h_v], and let (s, p) move along a direction u that the
 * linearised constraints admit. Where the rank stays, y(u) V(u) = 0 along the motion, so that y
 * V' = -y' V, theory (3.14): without its part in the span of V's rows y V' vanishes. Where it
 * does not, V gains rank in proportion to the way. V' is a central difference with steps eps,
 * whose errors are eps^2 = 1e-8 and, where Jacobians are differences themselves, 1e-11/eps; y
 * and u are drawn. One more direction is that in which time leads: where drives move,
 * (s, p)' = the shortest with P (s, p)' = -(c, g, n)_t. Ranks may also change with the square of
 * the way, where constraints admit u to the first order only (a stretched linkage in a loop):
 * so the independent rows are followed to a position beside the start (structure_nearby.c).
 * There the others hold, and the rank is counted once more; or they are open by a power of the
 * way, two to ORDER, and allow less than their gradients say. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/scale.h"
#include "eom/structure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double eps = 1e-4;
static const double between = 1e-6;  /* rows are dependent: a start is singular to 1e-8 only */
static const double bend = 1e-5;     /* of rows of size one, over moves of size one */
static const double beside = 0.1;    /* a way whose powers are not rounding */
static const double noticed = 1e-11; /* residuals over their scale: not rounding */
static const double shorter = 0.2;   /* of it, where constraints do not let one get there */

enum { DIRECTIONS = 2, HALVES = 2, ORDER = 9 };

typedef struct work {
    crank_eom *eom;
    crank_min_matrix V, across, P; /* V, its transpose, position rows over (s, p) */
    crank_min_solver least[3];     /* of these, decomposed when first asked */
    double *values, *before, *ahead, *x, *norm, *r, *y, *direction, *scale, *move, *left, *turn;
    double *position_norm, *rate; /* m: what rows of P are divided by; dk/dt */
    double pace;                  /* time of the direction; 0: it is one at a time */
    int *place, *list, *reason;
    bool *kept, *named;
    bool closely; /* beside x, too */
    unsigned seed;
    crank_arena arena;
} work;

static void layout(work *w, crank_arena *arena)
{
    const crank_eom *eom = w->eom;
    const size_t n = (size_t)eom->n, m = (size_t)eom->m;
    const size_t entries = (size_t)eom->jacobian_pattern.start[n];
    w->values = crank_arena_take(arena, entries, sizeof(double));
    w->before = crank_arena_take(arena, entries, sizeof(double));
    w->ahead = crank_arena_take(arena, entries, sizeof(double));
    w->x = crank_arena_take(arena, n, sizeof(double));
    w->norm = crank_arena_take(arena, m, sizeof(double));
    w->r = crank_arena_take(arena, m, sizeof(double));
    w->y = crank_arena_take(arena, n + m, sizeof(double));
    w->direction = crank_arena_take(arena, n, sizeof(double));
    w->scale = crank_arena_take(arena, n, sizeof(double));
    w->move = crank_arena_take(arena, n, sizeof(double));
    w->left = crank_arena_take(arena, m, sizeof(double));
    w->turn = crank_arena_take(arena, n, sizeof(double));
    w->position_norm = crank_arena_take(arena, m, sizeof(double));
    w->rate = crank_arena_take(arena, m, sizeof(double));
    w->place = crank_arena_take(arena, m, sizeof(int));
    w->list = crank_arena_take(arena, n, sizeof(int));
    w->reason = crank_arena_take(arena, m, sizeof(int));
    w->kept = crank_arena_take(arena, m, sizeof(bool));
    w->named = crank_arena_take(arena, m, sizeof(bool));
}

/* The matrices at x. norm: what rows of V are divided by; rows that vanish have what is natural
 * to them. */
static crank_status matrices(work *w, double t, const double *x, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const crank_range position = {eom->row[CRANK_ROW_C], eom->row[CRANK_ROW_B],
                                  eom->column[CRANK_S], eom->n};
    const crank_range velocity = {eom->row[CRANK_ROW_GI], eom->row[CRANK_ROW_E],
                                  eom->column[CRANK_V], eom->column[CRANK_S]};
    crank_status status = crank_eom_evaluate_jacobian(w->eom, t, x, NULL, w->values, err);
    CRANK_THEN(status, crank_structure_range(eom, w->values, position, w->place, w->list,
                                             w->position_norm, w->move, &w->P, err));
    CRANK_THEN(status, crank_structure_range(eom, w->values, velocity, w->place, w->list,
                                             w->norm, w->scale, &w->V, err));
    if (status == CRANK_OK && !crank_min_transpose(&w->V, &w->across)) {
        status = crank_fail(err, CRANK_EMEM, "rank of %d unknowns", eom->n);
    }
    for (int i = 0; status == CRANK_OK && i < w->V.rows; i++) {
        double size = 0.0;
        for (int q = w->across.start[i]; q < w->across.start[i + 1]; q++) {
            size = fmax(size, fabs(w->across.values[q]));
        }
        w->norm[i] = size > 0.0 || eom->parts == NULL
                         ? w->norm[i]
                         : crank_structure_natural(eom, velocity.first + i);
    }
    return status;
}

/* Moves of unknowns are measured relative to their size where the block does not know
 * better. */
static void scale_moves(work *w, const double *x)
{
    crank_min_matrix *P = &w->P;
    for (int j = 0; j < P->columns && w->eom->parts == NULL; j++) {
        w->move[j] = 1.0 + fabs(x[w->eom->column[CRANK_S] + j]);
        for (int q = P->start[j]; q < P->start[j + 1]; q++) {
            P->values[q] *= w->move[j];
        }
    }
}

/* w->y of smallest norm that minimises |A y + w->r|; A is one of the three, which stay as they
 * are from then on. */
static crank_status shortest(work *w, const crank_min_matrix *A, crank_error *err)
{
    crank_min_solver *least = &w->least[A == &w->V ? 0 : A == &w->across ? 1 : 2];
    crank_status status = CRANK_OK;
    if (least->A == NULL && w->eom->n > CRANK_STRUCTURE_DENSE) {
        crank_min_solver_create_sparse(A, between, least);
    } else if (least->A == NULL) {
        status = crank_min_solver_create(A, between, least, err);
    }
    if (status != CRANK_OK) {
        crank_min_solver_destroy(least);
        return status;
    }
    return crank_min_solver_step(least, w->r, 0.0, w->y, err);
}

/* Takes from z what the rows of A see. */
static crank_status project(work *w, const crank_min_matrix *A, double *z, crank_error *err)
{
    memset(w->r, 0, (size_t)A->rows * sizeof *w->r);
    for (int j = 0; j < A->columns; j++) {
        for (int q = A->start[j]; q < A->start[j + 1]; q++) {
            w->r[A->row[q]] += A->values[q] * z[j];
        }
    }
    const crank_status status = shortest(w, A, err);
    for (int j = 0; j < A->columns && status == CRANK_OK; j++) {
        z[j] += w->y[j];
    }
    return status;
}

static double largest(int n, const double *z)
{
    double size = 0.0;
    for (int j = 0; j < n; j++) {
        size = fmax(size, fabs(z[j]));
    }
    return size;
}

/* An arbitrary vector without the part that A's rows see, the largest entry one; zero if they
 * see all vectors. */
static crank_status draw(work *w, const crank_min_matrix *A, double *z, crank_error *err)
{
    for (int j = 0; j < A->columns; j++) {
        w->seed = w->seed * 1664525u + 1013904223u;
        z[j] = (double)(w->seed >> 8) / (1 << 23) - 1.0;
    }
    const crank_status status = project(w, A, z, err);
    const double size = largest(A->columns, z);
    for (int j = 0; j < A->columns; j++) {
        z[j] = size > between ? z[j] / size : 0.0;
    }
    return status;
}

/* The direction in which time leads, over a way of one or, where drives are slow, over a time
 * of the motion; none (moves is false) if no drive moves, or that cannot be told (on one side
 * of t). */
static crank_status follow_drives(work *w, double t, const double *x, bool *moves,
                                  crank_error *err)
{
    const crank_min_matrix *P = &w->P;
    const double *rate = w->rate + w->eom->row[CRANK_ROW_C];
    const double natural = crank_scale_time(w->eom, x), time = natural > 0.0 ? natural : 1.0;
    *moves = false;
    crank_status status = crank_eom_evaluate_time_derivative(w->eom, t, x, time, w->rate, NULL);
    if (status != CRANK_OK || crank_first_not_finite(P->rows, rate) >= 0) {
        return CRANK_OK;
    }
    for (int i = 0; i < P->rows; i++) {
        w->r[i] = w->position_norm[i] > 0.0 ? rate[i] / w->position_norm[i] : 0.0;
    }
    status = shortest(w, P, err);
    if (status != CRANK_OK) {
        return status == CRANK_EMEM ? status : CRANK_OK;
    }
    const double size = largest(P->columns, w->y);
    w->pace = size * time > between ? fmin(1.0 / size, time) : 0.0;
    for (int j = 0; j < P->columns; j++) {
        w->direction[j] = w->pace * w->y[j];
    }
    *moves = w->pace > 0.0;
    return CRANK_OK;
}

/* Jacobians on both sides of x along the direction. */
static crank_status look(work *w, double t, const double *x, crank_error *err)
{
    const int s = w->eom->column[CRANK_S], n = w->eom->n;
    crank_status status = CRANK_OK;
    for (int side = -1; side <= 1 && status == CRANK_OK; side += 2) {
        memcpy(w->x, x, (size_t)n * sizeof *x);
        for (int j = s; j < n; j++) {
            w->x[j] += side * eps * w->move[j - s] * w->direction[j - s];
        }
        status = crank_eom_evaluate_jacobian(w->eom, t + side * eps * w->pace, w->x, NULL,
                                             side < 0 ? w->before : w->ahead, err);
    }
    return status;
}

/* |left V'| without its part in the span of V's rows */
static crank_status bending(work *w, double *size, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const crank_pattern *pattern = &eom->jacobian_pattern;
    const int first = eom->row[CRANK_ROW_GI], v = eom->column[CRANK_V];
    *size = 0.0;
    for (int j = 0; j < w->V.columns; j++) {
        w->turn[j] = 0.0;
        for (int q = pattern->start[v + j]; q < pattern->start[v + j + 1]; q++) {
            const int i = pattern->row[q] - first;
            if (i >= 0 && i < w->V.rows) {
                w->turn[j] += w->left[i] / w->norm[i] * w->scale[j] *
                              (w->ahead[q] - w->before[q]) / (2.0 * eps);
            }
        }
    }
    const crank_status status = project(w, &w->V, w->turn, err);
    for (int j = 0; j < w->V.columns; j++) {
        *size = hypot(*size, w->turn[j]);
    }
    return status;
}

/* The dependent rows that do not stay dependent. */
static crank_status find_rows(work *w, crank_error *err)
{
    crank_status status = CRANK_OK;
    double size;
    for (int i = 0; i < w->V.rows && status == CRANK_OK; i++) {
        if (w->kept[i]) {
            continue;
        }
        memset(w->left, 0, (size_t)w->V.rows * sizeof *w->left);
        w->left[i] = 1.0;
        status = project(w, &w->across, w->left, err);
        CRANK_THEN(status, bending(w, &size, err));
        w->named[i] = status == CRANK_OK && size > bend;
    }
    return status;
}

/* Puts `near` on a part of the way along the direction; the independent rows hold there. */
static bool go_beside(const work *w, crank_nearby *near, double t, const double *x, double way)
{
    const int s = w->eom->column[CRANK_S];
    for (int j = 0; j < w->eom->n; j++) {
        near->x[j] = x[j] + (j < s ? 0.0 : way * w->move[j - s] * w->direction[j - s]);
    }
    return crank_nearby_close_part(near, t, w->kept);
}

/* Dependent rows that are open where independent rows hold beside x: by a power of the way? */
static bool opens_by_power(work *w, crank_nearby *near, double t, const double *x, double way,
                           double open)
{
    bool power = true;
    for (int i = 0; i < HALVES && power; i++) {
        way *= 0.5;
        power = go_beside(w, near, t, x, way);
        const double half = power ? crank_nearby_open(near, t, w->kept, 0.0, NULL) : 0.0;
        power = half >= pow(0.5, ORDER) * open && half < pow(0.5, 1.5) * open;
        open = half;
    }
    return power;
}

/* Looks where independent rows hold beside x: named are dependent rows that are open there, or
 * independent. */
static crank_status look_beside(work *w, double t, const double *x, int rank, bool *degenerate,
                                crank_error *err)
{
    crank_nearby near;
    int found = rank;
    double way = beside;
    crank_status status = crank_nearby_create(&near, w->eom, err);
    CRANK_THEN(status, draw(w, &w->P, w->direction, err));
    bool there = status == CRANK_OK && go_beside(w, &near, t, x, way);
    if (status == CRANK_OK && !there) {
        way *= shorter;
        there = go_beside(w, &near, t, x, way);
    }
    const double open = there ? crank_nearby_open(&near, t, w->kept, noticed, w->named) : 0.0;
    if (open > noticed) {
        *degenerate = opens_by_power(w, &near, t, x, way, open);
    } else if (there && crank_nearby_rank(&near, t, near.x, &found, NULL) == CRANK_OK) {
        *degenerate = found > rank; /* else: outside the domain of the equations */
        for (int i = 0; i < w->V.rows && *degenerate; i++) {
            w->named[i] = near.kept[i] && !w->kept[i];
        }
    }
    if (status == CRANK_OK && near.no_memory) {
        status = crank_fail(err, CRANK_EMEM, "rank of %d unknowns", w->eom->n);
    }
    crank_nearby_free(&near);
    return status;
}

static void name_rows(const work *w, char *text, size_t size)
{
    char name[160];
    for (int i = 0; i < w->V.rows; i++) {
        const size_t used = strlen(text);
        if (w->named[i]) {
            (void)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "",
                           crank_eom_constraint_text(w->eom, i, name, sizeof name));
        }
    }
}

static crank_status search(work *w, double t, const double *x, bool *degenerate,
                           crank_error *err)
{
    int rank = 0;
    double size = 0.0;
    crank_status status = matrices(w, t, x, err);
    if (status == CRANK_OK) {
        status =
            w->eom->n <= CRANK_STRUCTURE_DENSE
                ? crank_independent_rows_dense(&w->V, between, w->kept, w->reason, &rank, err)
                : crank_independent_rows_sparse(&w->V, between, 0, w->kept, w->reason, &rank,
                                                NULL, err);
    }
    if (status != CRANK_OK || rank == w->V.rows) {
        return status;
    }
    scale_moves(w, x);
    status = draw(w, &w->across, w->left, err);
    for (int l = 0; l < DIRECTIONS && status == CRANK_OK && !*degenerate; l++) {
        status = draw(w, &w->P, w->direction, err);
        CRANK_THEN(status, look(w, t, x, err));
        CRANK_THEN(status, bending(w, &size, err));
        *degenerate = status == CRANK_OK && size > bend;
    }
    bool moves = false;
    if (status == CRANK_OK && !*degenerate) {
        status = follow_drives(w, t, x, &moves, err);
    }
    if (moves && look(w, t, x, NULL) == CRANK_OK) {
        status = bending(w, &size, err);
        *degenerate = status == CRANK_OK && size > bend;
    }
    if (status != CRANK_OK || *degenerate) {
        return status == CRANK_OK ? find_rows(w, err) : status;
    }
    return w->closely ? look_beside(w, t, x, rank, degenerate, err) : CRANK_OK;
}

/* crank_eom_degenerate; *first: the first row of gI and h that degenerates, -1: none */
static crank_status examine(crank_eom *eom, double t, const double *x, bool *degenerate,
                            char *text, size_t size, int *first, crank_error *err)
{
    work w = {.eom = eom, .seed = 2006, .closely = text != NULL};
    *degenerate = false;
    *first = -1;
    if (text != NULL && size > 0) {
        text[0] = '\0';
    }
    layout(&w, &w.arena);
    if (!crank_arena_allocate(&w.arena)) {
        return crank_fail(err, CRANK_EMEM, "rank of %d unknowns", eom->n);
    }
    layout(&w, &w.arena);
    const crank_status status = search(&w, t, x, degenerate, err);
    for (int i = w.V.rows - 1; i >= 0 && *degenerate; i--) {
        *first = w.named[i] ? i : *first;
    }
    if (*degenerate && text != NULL) {
        name_rows(&w, text, size);
    }
    for (int k = 0; k < 3; k++) {
        crank_min_solver_destroy(&w.least[k]);
    }
    crank_min_free(&w.V);
    crank_min_free(&w.across);
    crank_min_free(&w.P);
    crank_arena_free(&w.arena);
    return status;
}

crank_status crank_eom_degenerate(crank_eom *eom, double t, const double *x, bool *degenerate,
                                  char *text, size_t size, crank_error *err)
{
    int first;
    return examine(eom, t, x, degenerate, text, size, &first, err);
}

crank_status crank_eom_refuse_degenerate(crank_eom *eom, double t, const double *x,
                                         crank_error *err)
{
    bool degenerate = false;
    char rows[200];
    int first;
    const crank_status status = examine(eom, t, x, &degenerate, rows, sizeof rows, &first, err);
    if (status != CRANK_OK || !degenerate) {
        return status;
    }
    const crank_place place = first >= 0
                                  ? crank_eom_row_place(eom, eom->row[CRANK_ROW_GI] + first)
                                  : (crank_place){0};
    return crank_fail_place(err, CRANK_ESINGULAR, place,
                            "the start is a singular %s: the constraints are dependent there "
                            "but not nearby (%s); start elsewhere, or, if it is to stand "
                            "there, leave that one out or let it yield (a spring)",
                            eom->dae != NULL ? "point" : "position", rows);
}
