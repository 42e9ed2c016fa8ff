/* structure_motion.c - are carried accelerations determined?
 *
 * With a = v' carried among w, the acceleration level reads
 *     F y = b,   rows (d, gII, hI) over y = (w, lambda, mu),
 * a square matrix, in which M stands beside the transposed constraint matrix. Redundant
 * constraints make it singular, but then only multipliers take part in its null vectors. The
 * acceleration a_j is open iff some null vector contains it: iff, among the columns in the
 * order lambda, mu, user's w, a, one of the last depends on those before it; how it does so is
 * the null vector, whose part in a is a motion that neither mass nor constraints prevent. A
 * regular F, by far the most frequent case, is recognised by one sparse LU decomposition.
 *
 * Where a loop is closed up to rounding, redundant rows are dependent up to some delta, which
 * can be above the tolerance, while the singular values of F that belong to them are delta^2.
 * Then columns of multipliers count as independent and one of a seems to depend on them; but
 * its null vector has parts of one in multipliers and delta in a. It is no motion.
 *
 * Where no step succeeds the same is asked with F in units of the largest inertia: a freedom
 * may lose its inertia on the way, and its accelerations their bound. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/structure.h"

#include "base/tolerance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A null vector whose part in accelerations is below this part of the others is none of a
 * motion: rows that repeat others do so up to 1e-8 of their size, motions that nothing resists
 * have parts of one, in equilibrated columns. */
static const double no_motion = 1e-4;

/* Columns of F in the order of elimination; returns their number. */
static int order_columns(const crank_eom *eom, int *order)
{
    const int w = eom->column[CRANK_W], last = eom->column[CRANK_R];
    int count = 0;
    for (int j = eom->column[CRANK_LAMBDA]; j < last; j++) {
        order[count++] = j;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int j = w; j < w + eom->sizes.w; j++) {
            if (eom->carried[j] == (pass == 1)) {
                order[count++] = j;
            }
        }
    }
    return count;
}

/* Rows that have no scale yet, over their largest entry. */
static void scale_others(crank_min_matrix *F, double *row)
{
    for (int i = 0; i < F->rows; i++) {
        row[i] = row[i] > 0.0 ? -1.0 : 0.0;
    }
    for (int q = 0; q < F->start[F->columns]; q++) {
        double *largest = &row[F->row[q]];
        *largest = *largest < 0.0 ? *largest : fmax(*largest, fabs(F->values[q]));
    }
    for (int q = 0; q < F->start[F->columns]; q++) {
        const double largest = row[F->row[q]];
        F->values[q] /= largest > 0.0 ? largest : 1.0;
    }
}

/* Balances of forces over the largest inertia of a body, whose part in the others is seen then;
 * constraints over their gradients; multipliers and forces over the largest of their parts in
 * these; what is left over its largest entry. Lengths in units of the mechanism's: F is the
 * same in all units. row: work. */
static void scale_by_inertia(const crank_eom *eom, const int *order, crank_min_matrix *F,
                             double *row, double *total)
{
    const int first = eom->column[CRANK_W + 1] - eom->sizes.v;
    double largest = 0.0;
    memset(row, 0, (size_t)F->rows * sizeof *row);
    for (int j = 0; j < F->columns; j++) {
        const int v = order[j] - first;
        const bool carried = eom->carried[order[j]];
        const double unit =
            carried && eom->parts->velocity_kind[v] == 't' ? eom->parts->length : 1.0;
        total[j] *= unit;
        for (int q = F->start[j]; q < F->start[j + 1]; q++) {
            F->values[q] *= unit;
            row[F->row[q]] = fmax(row[F->row[q]], carried ? fabs(F->values[q]) : 0.0);
            if (carried && F->row[q] == first - eom->column[CRANK_W] + v) {
                largest = fmax(largest, unit * fabs(F->values[q]));
            }
        }
    }
    for (int i = 0; i < eom->sizes.v; i++) {
        const bool along = eom->parts->velocity_kind[i] == 't';
        row[first - eom->column[CRANK_W] + i] = largest / (along ? eom->parts->length : 1.0);
    }
    for (int j = 0; j < F->columns; j++) {
        double size = 0.0;
        for (int q = F->start[j]; q < F->start[j + 1]; q++) {
            const double divisor = row[F->row[q]];
            F->values[q] /= divisor > 0.0 ? divisor : 1.0;
            size = divisor > 0.0 ? fmax(size, fabs(F->values[q])) : size;
        }
        const double factor = size > 0.0 && !eom->carried[order[j]] ? 1.0 / size : 1.0;
        total[j] *= factor;
        for (int q = F->start[j]; q < F->start[j + 1]; q++) {
            F->values[q] *= factor;
        }
    }
    scale_others(F, row);
}

/* F with its columns in that order, by inertia; equilibrated from there the masses of bodies do
 * not matter, however small. Where equilibration ends depends on where it begins: in natural
 * units. */
static crank_status make_block(const crank_eom *eom, const double *values, const int *order,
                               int size, bool by_inertia, crank_min_matrix *F, double *total,
                               crank_error *err)
{
    const crank_pattern *pattern = &eom->jacobian_pattern;
    double *scale = malloc((2 * (size_t)size + 1) * sizeof *scale);
    int count = 0;
    if (scale == NULL ||
        !crank_min_allocate(F, size, size, (size_t)pattern->start[eom->column[CRANK_R]])) {
        free(scale);
        return crank_fail(err, CRANK_EMEM, "rank of %d equations", size);
    }
    for (int l = 0; l < size; l++) {
        for (int q = pattern->start[order[l]]; q < pattern->start[order[l] + 1]; q++) {
            const int row = pattern->row[q]; /* d, gII, hI come first */
            if (row < size && values[q] != 0.0 &&
                !crank_structure_is_rounding(eom, row, order[l], values[q])) {
                F->row[count] = row;
                F->values[count++] = values[q];
            }
        }
        F->start[l + 1] = count;
    }
    for (int l = 0; l < size; l++) {
        total[l] = 1.0;
    }
    if (eom->parts != NULL) {
        scale_by_inertia(eom, order, F, scale, total);
    }
    if (!by_inertia) {
        crank_structure_equilibrate(F, scale, scale + size, total);
    }
    free(scale);
    return CRANK_OK;
}

/* Work of find_open. */
typedef struct search {
    const int *order;    /* columns of F */
    const double *total; /* what they were multiplied by */
    bool *kept;
    int *reason, *place;
    double *target, *combination;
    crank_min_matrix T, I; /* columns of F as rows; the independent ones */
    crank_arena arena;
} search;

static void free_search(search *s)
{
    crank_arena_free(&s->arena);
    crank_min_free(&s->T);
    crank_min_free(&s->I);
}

static void layout(search *s, crank_arena *arena, size_t n)
{
    s->kept = crank_arena_take(arena, n, sizeof *s->kept);
    s->reason = crank_arena_take(arena, n, sizeof *s->reason);
    s->place = crank_arena_take(arena, n, sizeof *s->place);
    s->target = crank_arena_take(arena, n, sizeof *s->target);
    s->combination = crank_arena_take(arena, n, sizeof *s->combination);
}

static bool allocate_search(search *s, const crank_min_matrix *F)
{
    const size_t n = (size_t)F->columns + 1;
    layout(s, &s->arena, n);
    if (!crank_arena_allocate(&s->arena)) {
        return false;
    }
    layout(s, &s->arena, n);
    return crank_min_transpose(F, &s->T);
}

/* I: the kept rows of T. */
static bool take_independent(search *s, int rank)
{
    const crank_min_matrix *T = &s->T;
    int count = 0, entries = 0;
    if (!crank_min_allocate(&s->I, rank, T->columns, (size_t)T->start[T->columns])) {
        return false;
    }
    for (int i = 0; i < T->rows; i++) {
        s->place[i] = s->kept[i] ? count++ : -1;
    }
    for (int j = 0; j < T->columns; j++) {
        for (int q = T->start[j]; q < T->start[j + 1]; q++) {
            if (s->kept[T->row[q]]) {
                s->I.row[entries] = s->place[T->row[q]];
                s->I.values[entries++] = T->values[q];
            }
        }
        s->I.start[j + 1] = entries;
    }
    return true;
}

/* The null vector in which column l (order) depends on the kept ones: its part in the
 * velocities, and whether that is a motion. */
static crank_status find_direction(const crank_eom *eom, search *s, int l, double *direction,
                                   bool *moves, crank_error *err)
{
    const crank_min_matrix *T = &s->T;
    for (int j = 0; j < T->columns; j++) {
        s->target[j] = 0.0;
        for (int q = T->start[j]; q < T->start[j + 1]; q++) {
            s->target[j] += T->row[q] == l ? T->values[q] : 0.0;
        }
    }
    const crank_status status = crank_row_combination(&s->I, s->target, s->combination, err);
    if (status != CRANK_OK) {
        return status;
    }
    int velocity = 0; /* carried ones come in the order of v */
    double motion = 1.0, others = 0.0;
    for (int i = 0; i < T->rows; i++) {
        const bool carried = eom->carried[s->order[i]];
        if (s->kept[i] || i == l) {
            const double part = i == l ? 1.0 : -s->combination[s->place[i]];
            double *largest = carried ? &motion : &others;
            *largest = fmax(*largest, fabs(part));
            if (carried) {
                direction[velocity] = part * s->total[i] / s->total[l];
            }
        }
        velocity += carried ? 1 : 0;
    }
    *moves = motion > no_motion * others;
    return CRANK_OK;
}

/* The carried columns that depend on those before them. */
static crank_status find_open(const crank_eom *eom, const crank_min_matrix *F, search *s,
                              int capacity, int *column, double *direction, int *count,
                              crank_error *err)
{
    int rank;
    bool taken = false, moves;
    crank_status status = CRANK_OK;
    if (!allocate_search(s, F)) {
        return crank_fail(err, CRANK_EMEM, "rank of %d equations", F->columns);
    }
    status = eom->n <= CRANK_STRUCTURE_DENSE
                 ? crank_independent_rows_dense(&s->T, CRANK_STEP_TOLERANCE, s->kept, s->reason,
                                                &rank, err)
                 : crank_independent_rows_sparse(&s->T, CRANK_STEP_TOLERANCE, 0, s->kept,
                                                 s->reason, &rank, NULL, err);
    for (int l = 0; l < F->columns && status == CRANK_OK && *count < capacity; l++) {
        if (s->kept[l] || !eom->carried[s->order[l]]) {
            continue;
        }
        if (!taken && !take_independent(s, rank)) {
            return crank_fail(err, CRANK_EMEM, "rank of %d equations", F->columns);
        }
        taken = true;
        double *to = direction + (size_t)*count * (size_t)eom->sizes.v;
        column[*count] = s->order[l];
        memset(to, 0, (size_t)eom->sizes.v * sizeof *to);
        status = find_direction(eom, s, l, to, &moves, err);
        *count += status == CRANK_OK && moves ? 1 : 0;
    }
    return status;
}

static crank_status find_motion(const crank_eom *eom, const double *values, bool by_inertia,
                                int capacity, int *column, double *direction, int *count,
                                crank_error *err)
{
    crank_min_matrix F = {0};
    bool carried = false, regular = false;
    *count = 0;
    for (int j = 0; j < eom->sizes.w; j++) {
        carried = carried || eom->carried[eom->column[CRANK_W] + j];
    }
    if (!carried || !eom->has_acceleration_level) {
        return CRANK_OK;
    }
    const size_t n = (size_t)eom->column[CRANK_R] + 1;
    int *order = calloc(n, sizeof *order);
    double *total = malloc(n * sizeof *total);
    crank_status status = CRANK_OK;
    if (order == NULL || total == NULL) {
        status = crank_fail(err, CRANK_EMEM, "rank of %d equations", eom->column[CRANK_R]);
    } else {
        const int size = order_columns(eom, order);
        status = make_block(eom, values, order, size, by_inertia, &F, total, err);
    }
    if (status == CRANK_OK && !by_inertia) {
        status = crank_sparse_regular(&F, &regular, err);
    }
    if (status == CRANK_OK && !regular) {
        search s = {.order = order, .total = total};
        status = find_open(eom, &F, &s, capacity, column, direction, count, err);
        free_search(&s);
    }
    crank_min_free(&F);
    free(order);
    free(total);
    return status;
}

crank_status crank_structure_motion(const crank_eom *eom, const double *values, int capacity,
                                    int *column, double *direction, int *count,
                                    crank_error *err)
{
    return find_motion(eom, values, false, capacity, column, direction, count, err);
}

static crank_status name_loss(const crank_eom *eom, double t, const double *x, int column,
                              const double *direction, crank_error *err)
{
    char what[300];
    return crank_fail_place(err, CRANK_ESTOP_EQUATIONS, crank_eom_column_place(eom, column),
                            "%s loses its inertia at t = %.10g: neither mass nor joints resist "
                            "it there, and no step succeeds; give the body inertia",
                            crank_structure_direction(eom, x, direction, what, sizeof what), t);
}

crank_status crank_eom_find_loss(crank_eom *eom, double t, const double *x, crank_error *err)
{
    double *direction = malloc(((size_t)eom->sizes.v + 1) * sizeof *direction);
    double *values = malloc(((size_t)eom->jacobian_pattern.start[eom->n] + 1) * sizeof *values);
    int column = 0, count = 0;
    crank_status status = CRANK_OK;
    if (eom->parts != NULL && eom->carried != NULL && direction != NULL && values != NULL &&
        crank_eom_evaluate_jacobian(eom, t, x, NULL, values, NULL) == CRANK_OK &&
        find_motion(eom, values, true, 1, &column, direction, &count, NULL) == CRANK_OK &&
        count > 0) {
        status = name_loss(eom, t, x, column, direction, err);
    }
    free(direction);
    free(values);
    return status;
}
