/* statics.c - see statics.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/statics.h"

#include "base/then.h"
#include "eom/scale.h"
#include "eom/structure.h"
#include "study/project.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rank_tolerance = 1e-11;
static const double massless = 1e-6; /* of the largest inertia: relaxation gives it that much */
static const double rounding =
    1e-14;                       /* of residuals, over their scale: a step leaves that much */
static const double fewer = 0.1; /* of what one step leaves: another is better */
static const double no_rate = 1e-12; /* of a rate, over rates that velocities make: none */

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "equations of rest");
}

/* ---- which rows over which columns ---- */

static int count_rows(const crank_eom *eom)
{
    const crank_eom_sizes *z = &eom->sizes;
    return z->v > 0
               ? z->w + (z->w > 0 && eom->carried[eom->column[CRANK_W + 1] - 1] ? 0 : z->v) +
                     z->r + z->s + z->lambda + z->mu
               : z->w + z->r + z->s + z->p + z->n;
}

static int count_columns(const crank_eom *eom)
{
    const crank_eom_sizes *z = &eom->sizes;
    const bool carried = z->w > 0 && eom->carried[eom->column[CRANK_W + 1] - 1];
    return z->v > 0 ? z->v + z->r + z->s + z->w - (carried ? z->v : 0) + z->lambda + z->mu
                    : z->p + z->r + z->s + z->w;
}

static void add_rows(crank_statics *s, int first, int count)
{
    for (int i = 0; i < count; i++) {
        s->row[s->rows] = first + i;
        s->gradient[s->rows] = -1;
        s->place[first + i] = s->rows++;
    }
}

static void add_constraints(crank_statics *s, crank_row_group value, crank_row_group gradient,
                            int count)
{
    for (int i = 0; i < count; i++) {
        s->row[s->rows] = value == CRANK_ROW_H ? -1 : s->eom->row[value] + i;
        s->gradient[s->rows] = s->eom->row[gradient] + i;
        s->place[s->gradient[s->rows]] = s->rows;
        s->rows++;
    }
}

static void add_columns(crank_statics *s, crank_group group, bool without_carried)
{
    for (int j = s->eom->column[group]; j < s->eom->column[group + 1]; j++) {
        if (!without_carried || !s->eom->carried[j]) {
            s->column[s->columns++] = j;
        }
    }
}

static bool carries(const crank_eom *eom)
{
    return eom->sizes.w > 0 && eom->carried[eom->column[CRANK_W + 1] - 1];
}

static void choose(crank_statics *s)
{
    const crank_eom *eom = s->eom;
    const crank_eom_sizes *z = &eom->sizes;
    const bool moves = z->v > 0, carried = carries(eom);
    const int auxiliary = z->w - (carried ? z->v : 0);
    for (int i = 0; i < eom->m; i++) {
        s->place[i] = -1;
    }
    s->sign = carried ? 1.0 : -1.0;
    if (moves) {
        add_rows(s, carried ? eom->row[CRANK_ROW_D] + auxiliary : eom->row[CRANK_ROW_DYN],
                 z->v);
        s->balances = z->v;
        add_columns(s, CRANK_V, false);
    } else {
        add_rows(s, eom->row[CRANK_ROW_KIN], z->p);
        add_rows(s, eom->row[CRANK_ROW_N], z->n);
        add_columns(s, CRANK_P, false);
    }
    add_rows(s, eom->row[CRANK_ROW_D], auxiliary);
    add_rows(s, eom->row[CRANK_ROW_B], z->r);
    add_rows(s, eom->row[CRANK_ROW_C], z->s);
    s->plain = s->rows - s->balances;
    add_columns(s, CRANK_W, true);
    add_columns(s, CRANK_R, false);
    add_columns(s, CRANK_S, false);
    if (moves) {
        add_constraints(s, CRANK_ROW_G, CRANK_ROW_GI, z->lambda);
        add_constraints(s, CRANK_ROW_H, CRANK_ROW_H, z->mu);
        add_columns(s, CRANK_LAMBDA, false);
        add_columns(s, CRANK_MU, false);
    }
    for (int i = 0; i < s->holds.count; i++) {
        s->row[s->rows] = s->gradient[s->rows] = -1;
        s->rows++;
        s->column[s->columns++] = eom->n + i;
    }
}

/* natural sizes of steps: of displacements those of positions, of forces what balances
 * inertia */
static crank_status measure(crank_statics *s, crank_error *err)
{
    crank_scale scale = {.eom = s->eom};
    crank_arena arena = {0};
    crank_scale_layout(&scale, &arena);
    if (!crank_arena_allocate(&arena)) {
        return no_memory(err);
    }
    crank_scale_layout(&scale, &arena);
    crank_scale_measure(&scale, s->values, s->x, NULL);
    const double time = s->eom->parts != NULL ? s->eom->parts->time : 0.0;
    s->time = time > 0.0 ? time : 1.0;
    for (int j = 0; j < s->columns; j++) {
        const int column = s->column[j], v = column - s->eom->column[CRANK_V];
        if (column >= s->eom->n) {
            s->unit[j] = s->holds.unit[column - s->eom->n];
            continue;
        }
        const bool moves = v >= 0 && v < s->eom->sizes.v;
        const bool length =
            moves && s->eom->parts != NULL && s->eom->parts->velocity_kind[v] == 't';
        s->unit[j] = !moves ? scale.unit[column] : length ? s->eom->parts->length : 1.0;
        s->unit[j] = s->unit[j] > 0.0 && isfinite(s->unit[j]) ? s->unit[j] : 1.0;
    }
    crank_arena_free(&arena);
    return CRANK_OK;
}

/* dynamic variables whose rates vanish with the velocities, whatever the rest is */
static void find_held(crank_statics *s)
{
    const crank_eom *eom = s->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int b = eom->row[CRANK_ROW_B], v = eom->column[CRANK_V];
    double *by_v = s->work, *other = s->work + eom->sizes.r;
    memset(s->work, 0, 2 * (size_t)eom->sizes.r * sizeof *s->work);
    for (int j = 0; j < eom->n; j++) {
        const bool velocity = j >= v && j < v + eom->sizes.v;
        const double unit = crank_eom_unit(eom, j);
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            const int i = J->row[e] - b;
            if (i >= 0 && i < eom->sizes.r) {
                *(velocity ? &by_v[i] : &other[i]) +=
                    fabs(s->values[e]) * fmax(unit, fabs(s->x[j]));
            }
        }
    }
    for (int i = 0; i < eom->sizes.r; i++) {
        const bool work = eom->parts != NULL && i >= eom->parts->first_work;
        const bool follows = s->holds.follows != NULL && s->holds.follows[i];
        s->held[i] = work || follows ||
                     (by_v[i] > 0.0 && other[i] <= no_rate * by_v[i] &&
                      fabs(s->k[b + i]) <= no_rate * by_v[i]);
        if (s->held[i]) {
            const int row = s->place[b + i];
            s->gradient[row] = s->row[row];
            s->row[row] = -1;
        }
    }
}

static void rest(crank_statics *s)
{
    const crank_eom *eom = s->eom;
    memset(s->x + eom->column[CRANK_V], 0, (size_t)eom->sizes.v * sizeof *s->x);
    for (int j = eom->column[CRANK_W]; j < eom->column[CRANK_MU + 1]; j++) {
        s->x[j] = eom->carried[j] || j >= eom->column[CRANK_LAMBDA] ? 0.0 : s->x[j];
    }
}

crank_status crank_statics_create(crank_eom *eom, double t, const double *x,
                                  const crank_statics_holds *holds, crank_statics *s,
                                  crank_error *err)
{
    const size_t n = (size_t)eom->n, m = (size_t)eom->m;
    const size_t held = holds != NULL ? (size_t)holds->count : 0;
    const size_t rows = (size_t)count_rows(eom) + held;
    const size_t columns = (size_t)count_columns(eom) + held;
    crank_store *store = &s->store;
    *s = (crank_statics){.eom = eom, .t = t, .n = eom->n + (int)held};
    if (holds != NULL) {
        s->holds = *holds;
    }
    s->D = crank_store_take(store, held * ((size_t)eom->sizes.v + 1), sizeof *s->D);
    s->x = crank_store_take(store, n + held, sizeof *s->x);
    s->k = crank_store_take(store, m, sizeof *s->k);
    s->size = crank_store_take(store, m, sizeof *s->size);
    s->values =
        crank_store_take(store, (size_t)eom->jacobian_pattern.start[n] + 1, sizeof *s->values);
    s->mass = crank_store_take(store, (size_t)eom->mass_pattern.start[eom->sizes.v] + 1,
                               sizeof *s->mass);
    s->F = crank_store_take(store, rows, sizeof *s->F);
    s->scale = crank_store_take(store, rows, sizeof *s->scale);
    s->unit = crank_store_take(store, columns, sizeof *s->unit);
    s->y = crank_store_take(store, columns, sizeof *s->y);
    s->rest = crank_store_take(store, rows, sizeof *s->rest);
    s->against = crank_store_take(store, rows, sizeof *s->against);
    s->row = crank_store_take(store, rows, sizeof *s->row);
    s->gradient = crank_store_take(store, rows, sizeof *s->gradient);
    s->place = crank_store_take(store, m, sizeof *s->place);
    s->column = crank_store_take(store, columns, sizeof *s->column);
    s->held = crank_store_take(store, (size_t)eom->sizes.r, sizeof *s->held);
    s->work = crank_store_take(store, rows + 2 * n, sizeof *s->work);
    s->column_work = crank_store_take(store, columns + n, sizeof *s->column_work);
    if (store->failed) {
        return no_memory(err);
    }
    memcpy(s->x, x, n * sizeof *x);
    choose(s);
    rest(s);
    double worst;
    crank_status status = crank_statics_evaluate(s, &worst, err);
    CRANK_THEN(status, measure(s, err));
    if (status == CRANK_OK) {
        find_held(s);
        status = crank_statics_evaluate(s, &worst, err);
    }
    return status;
}

void crank_statics_destroy(crank_statics *s)
{
    crank_min_free(&s->A);
    crank_store_free(&s->store);
}

/* ---- values ---- */

crank_status crank_statics_evaluate(crank_statics *s, double *worst, crank_error *err)
{
    crank_eom *eom = s->eom;
    crank_status status =
        crank_eom_evaluate_rows(eom, 1, &s->t, s->x, CRANK_ALL_ROWS, s->k, err);
    CRANK_THEN(status, crank_eom_evaluate_jacobian(eom, s->t, s->x, NULL, s->values, err));
    if (!carries(eom) && eom->sizes.v > 0) {
        CRANK_THEN(status, crank_eom_evaluate_mass(eom, s->t, s->x, s->mass, err));
    }
    if (status != CRANK_OK) {
        return status;
    }
    crank_eom_row_scale(eom, s->values, s->x, s->size);
    if (s->holds.count > 0) {
        status = s->holds.gradients(s->holds.user, s->t, s->x, s->D, err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    *worst = 0.0;
    for (int i = 0; i < s->rows; i++) {
        const int row = s->row[i];
        s->F[i] = row < 0 ? 0.0 : i < s->balances ? s->sign * s->k[row] : s->k[row];
        s->scale[i] = row < 0 ? 1.0 : s->size[row];
        for (int h = 0; i < s->balances && h < s->holds.count; h++) {
            s->F[i] -= s->D[(long)h * s->balances + i] * s->x[eom->n + h];
        }
        if (!isfinite(s->F[i])) {
            return CRANK_RETRY;
        }
        *worst = fmax(*worst, fabs(s->F[i]) / s->scale[i]);
    }
    return CRANK_OK;
}

/* ---- the matrix ---- */

typedef struct filler {
    crank_statics *s;
    double *sum;     /* rows */
    int count;       /* entries of A so far */
    size_t capacity; /* of A's */
    bool failed;
} filler;

static bool reserve(filler *f, size_t more)
{
    crank_min_matrix *A = &f->s->A;
    if ((size_t)f->count + more > f->capacity) {
        const size_t capacity = 2 * f->capacity + more;
        int *row = realloc(A->row, capacity * sizeof *row);
        A->row = row != NULL ? row : A->row;
        double *values = realloc(A->values, capacity * sizeof *values);
        A->values = values != NULL ? values : A->values;
        f->failed = f->failed || row == NULL || values == NULL;
        f->capacity = f->failed ? f->capacity : capacity;
    }
    return !f->failed;
}

static void add(filler *f, int row, double value)
{
    f->sum[row] += value;
}

/* factor times a column of the Jacobian, on balances and plain equations */
static void add_column(filler *f, int column, double factor)
{
    const crank_statics *s = f->s;
    const crank_pattern *J = &s->eom->jacobian_pattern;
    for (int e = J->start[column]; e < J->start[column + 1]; e++) {
        const int row = s->place[J->row[e]];
        if (row >= 0 && s->gradient[row] < 0) {
            add(f, row, (row < s->balances ? s->sign : 1.0) * factor * s->values[e]);
        }
    }
}

/* inertia of velocity v, on the balances */
static void add_inertia(filler *f, int v, double factor)
{
    const crank_statics *s = f->s;
    const crank_eom *eom = s->eom;
    if (carries(eom)) {
        const crank_pattern *J = &eom->jacobian_pattern;
        const int column = eom->column[CRANK_W + 1] - eom->sizes.v + v;
        for (int e = J->start[column]; e < J->start[column + 1]; e++) {
            const int row = s->place[J->row[e]];
            if (row >= 0 && row < s->balances) {
                add(f, row, factor * s->values[e]);
            }
        }
        return;
    }
    for (int e = eom->mass_pattern.start[v]; e < eom->mass_pattern.start[v + 1]; e++) {
        add(f, eom->mass_pattern.row[e], factor * s->mass[e]);
    }
}

/* M_vv over natural units: what a step of size one moves */
static double natural_inertia(const crank_statics *s, int v)
{
    const crank_eom *eom = s->eom;
    const bool carried = carries(eom);
    const crank_pattern *P = carried ? &eom->jacobian_pattern : &eom->mass_pattern;
    const int column = carried ? eom->column[CRANK_W + 1] - eom->sizes.v + v : v;
    const int row = carried ? eom->row[CRANK_ROW_D] + eom->sizes.w - eom->sizes.v + v : v;
    double sum = 0.0;
    for (int e = P->start[column]; e < P->start[column + 1]; e++) {
        sum += P->row[e] == row ? (carried ? s->values[e] : s->mass[e]) : 0.0;
    }
    return fabs(sum) * s->unit[v] * s->unit[v];
}

/* Relaxation needs no true inertia: what is nearly massless would fly off by what rounding leaves
 * of the forces on it. s->least: of M_vv over natural units. */
static void add_least(filler *f, int v, double pace)
{
    const crank_statics *s = f->s;
    const double own = natural_inertia(s, v);
    if (own < s->least) {
        add(f, v, pace * pace * (s->least - own) / (s->unit[v] * s->unit[v]));
    }
}

static void add_displacement(filler *f, int v, double pace, bool stiff)
{
    const crank_statics *s = f->s;
    const crank_eom *eom = s->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int column = eom->column[CRANK_V] + v;
    const int kin = eom->row[CRANK_ROW_KIN], p = eom->column[CRANK_P];
    for (int e = J->start[column]; e < J->start[column + 1]; e++) {
        const int row = J->row[e], place = s->place[row];
        if (row >= kin) {
            if (stiff) {
                add_column(f, p + row - kin, s->values[e]);
            }
        } else if (place >= 0 && s->gradient[place] == row) {
            const bool held = place < s->balances + s->plain;
            add(f, place, held ? -s->values[e] : s->values[e]);
        }
    }
    for (int h = 0; h < s->holds.count; h++) {
        add(f, s->rows - s->holds.count + h, s->D[(long)h * s->balances + v]);
    }
    add_inertia(f, v, pace * pace);
    if (stiff && pace > 0.0) {
        add_least(f, v, pace);
    }
}

static void add_hold(filler *f, int h)
{
    const crank_statics *s = f->s;
    for (int v = 0; v < s->balances; v++) {
        add(f, v, -s->D[(long)h * s->balances + v]);
    }
}

static void add_unknown(filler *f, int column, double pace)
{
    const crank_statics *s = f->s;
    const crank_eom *eom = s->eom;
    const int r = column - eom->column[CRANK_R], p = column - eom->column[CRANK_P];
    add_column(f, column, 1.0);
    if (r >= 0 && r < eom->sizes.r) {
        add(f, s->place[eom->row[CRANK_ROW_B] + r], s->held[r] ? 1.0 : -pace);
    } else if (p >= 0 && eom->sizes.v == 0) {
        add(f, s->place[eom->row[CRANK_ROW_KIN] + p], -pace);
    }
}

static bool keep_column(filler *f, int j)
{
    crank_statics *s = f->s;
    crank_min_matrix *A = &s->A;
    if (!reserve(f, (size_t)s->rows)) {
        return false;
    }
    A->start[j] = f->count;
    for (int i = 0; i < s->rows; i++) {
        if (f->sum[i] != 0.0) {
            A->row[f->count] = i;
            A->values[f->count++] = f->sum[i];
            f->sum[i] = 0.0;
        }
    }
    A->start[j + 1] = f->count;
    return true;
}

crank_status crank_statics_linearise(crank_statics *s, double pace, bool stiff,
                                     crank_error *err)
{
    filler f = {.s = s, .sum = s->work};
    crank_min_free(&s->A);
    if (!crank_min_allocate(&s->A, s->rows, s->columns, (size_t)s->rows + 1)) {
        return no_memory(err);
    }
    f.capacity = (size_t)s->rows + 1;
    memset(f.sum, 0, (size_t)s->rows * sizeof *f.sum);
    s->least = 0.0;
    for (int v = 0; v < s->balances && stiff && pace > 0.0; v++) {
        s->least = fmax(s->least, massless * natural_inertia(s, v));
    }
    for (int j = 0; j < s->columns; j++) {
        if (j < s->balances) {
            add_displacement(&f, j, pace, stiff);
        } else if (s->column[j] >= s->eom->n) {
            add_hold(&f, s->column[j] - s->eom->n);
        } else {
            add_unknown(&f, s->column[j], pace);
        }
        if (!keep_column(&f, j)) {
            return no_memory(err);
        }
    }
    return CRANK_OK;
}

/* ---- steps ---- */

/* The unit of what only follows displacements (work, integrals of motion) is what these change
 * it by: beside forces of a model in mm one of 1 would be lost, and its row would hold the
 * displacements. norm: of the rows so far. */
static void measure_held(crank_statics *s, int j, const double *norm)
{
    const crank_eom *eom = s->eom;
    const int r = s->column[j] - eom->column[CRANK_R];
    if (r >= 0 && r < eom->sizes.r && s->held[r]) {
        const double follows = norm[s->place[eom->row[CRANK_ROW_B] + r]];
        s->unit[j] = follows > 0.0 ? follows : s->unit[j];
    }
}

/* columns in units, rows of norm one; what is left of a gradient that cancels stays small */
static void equilibrate(crank_statics *s, double *norm)
{
    crank_min_matrix *A = &s->A;
    memset(norm, 0, (size_t)s->rows * sizeof *norm);
    for (int j = 0; j < s->columns; j++) {
        measure_held(s, j, norm);
        for (int e = A->start[j]; e < A->start[j + 1]; e++) {
            A->values[e] *= s->unit[j];
            norm[A->row[e]] = hypot(norm[A->row[e]], A->values[e]);
        }
    }
    for (int i = s->balances + s->plain; i < s->rows; i++) {
        const bool constraint = norm[i] > 0.0 && s->gradient[i] >= 0;
        const double least =
            constraint ? crank_structure_cancelled(s->eom, s->gradient[i]) : 0.0;
        norm[i] = fmax(norm[i], least);
    }
    for (int e = 0; e < A->start[s->columns]; e++) {
        A->values[e] /= norm[A->row[e]];
    }
}

/* The column of a multiplier of unit one makes at most this much of a balance: beside a stiff
 * spring one of natural units is lost, and with it the soft motions that its joint leaves. Of a
 * gradient that cancels little stays. norm: of the rows. */
static double multiplier_part(const crank_statics *s, int j, int row, const double *norm)
{
    const crank_min_matrix *A = &s->A;
    const double cancelled = crank_structure_cancelled(s->eom, s->gradient[row]);
    double largest = 0.0;
    for (int e = A->start[j]; e < A->start[j + 1]; e++) {
        const int i = A->row[e];
        largest = fmax(largest, fabs(A->values[e]));
        largest = fmax(largest, cancelled * s->unit[j] / (s->unit[i] * norm[i]));
    }
    return largest;
}

/* Columns of multipliers as large as others; part (columns): what they were. */
static void enlarge_multipliers(crank_statics *s, const double *norm, double *part)
{
    crank_min_matrix *A = &s->A;
    for (int j = 0; j < s->columns; j++) {
        const int i = s->column[j] - s->eom->column[CRANK_LAMBDA];
        const bool is_multiplier = i >= 0 && s->column[j] < s->eom->n;
        part[j] = is_multiplier ? multiplier_part(s, j, s->balances + s->plain + i, norm) : 1.0;
        part[j] = part[j] > 0.0 ? part[j] : 1.0;
        for (int e = A->start[j]; e < A->start[j + 1]; e++) {
            A->values[e] /= part[j];
        }
    }
}

/* y of smallest norm for which A y + r is smallest */
static crank_status solve(const crank_statics *s, const double *r, double *y, crank_error *err)
{
    crank_min_solver solver = {0};
    crank_status status = crank_min_solver_create(&s->A, rank_tolerance, &solver, err);
    CRANK_THEN(status, crank_min_solver_step(&solver, r, 0.0, y, err));
    crank_min_solver_destroy(&solver);
    for (int j = 0; j < s->columns && status == CRANK_OK; j++) {
        status = isfinite(y[j]) ? CRANK_OK : CRANK_RETRY;
    }
    return status;
}

/* rest = A y + F, in units of F; the largest over scale */
static double remains(const crank_statics *s, const double *norm, const double *y, double *rest)
{
    double left = 0.0;
    memcpy(rest, s->F, (size_t)s->rows * sizeof *rest);
    for (int j = 0; j < s->columns; j++) {
        for (int e = s->A.start[j]; e < s->A.start[j + 1]; e++) {
            rest[s->A.row[e]] += s->A.values[e] * norm[s->A.row[e]] * y[j];
        }
    }
    for (int i = 0; i < s->rows; i++) {
        left = fmax(left, fabs(rest[i]) / s->scale[i]);
    }
    return left;
}

/* What stays of the residuals may be the rank's fault: once more with larger multipliers, if that
 * leaves less. own: rows and twice the columns. */
static crank_status solve_enlarged(crank_statics *s, const double *norm, const double *r,
                                   double *own, double *left, crank_error *err)
{
    double *rest = own, *part = rest + s->rows, *y = part + s->columns;
    enlarge_multipliers(s, norm, part);
    const crank_status status = solve(s, r, y, err);
    const double now = status == CRANK_OK ? remains(s, norm, y, rest) : *left;
    if (now < fewer * *left) {
        *left = now;
        memcpy(s->rest, rest, (size_t)s->rows * sizeof *rest);
        for (int j = 0; j < s->columns; j++) {
            s->y[j] = y[j] / part[j];
        }
    }
    return status < CRANK_OK ? status : CRANK_OK;
}

crank_status crank_statics_solve(crank_statics *s, double *left, crank_error *err)
{
    double *norm = s->work;
    const size_t rows = (size_t)s->rows;
    double *r = malloc((2 * rows + 2 * (size_t)s->columns + 1) * sizeof *r);
    if (r == NULL) {
        return no_memory(err);
    }
    equilibrate(s, norm);
    for (int i = 0; i < s->rows; i++) {
        r[i] = norm[i] > 0.0 ? s->F[i] / norm[i] : 0.0;
    }
    crank_status status = solve(s, r, s->y, err);
    *left = status == CRANK_OK ? remains(s, norm, s->y, s->rest) : 0.0;
    if (status == CRANK_OK && *left > rounding) {
        status = solve_enlarged(s, norm, r, r + rows, left, err);
    }
    for (int i = 0; i < s->rows; i++) {
        s->against[i] = norm[i] > 0.0 ? s->rest[i] / (norm[i] * norm[i]) : 0.0;
    }
    free(r);
    return status;
}

double crank_statics_length(const crank_statics *s)
{
    double most = 0.0;
    const int moves = s->balances > 0 ? s->balances : s->columns;
    for (int j = 0; j < moves; j++) {
        const double size = s->balances > 0 ? 1.0 : fmax(1.0, fabs(s->x[s->column[j]]));
        most = fmax(most, fabs(s->y[j]) / size);
    }
    return most;
}

crank_status crank_statics_move(crank_statics *s, const double *from, double factor, double *to,
                                crank_error *err)
{
    crank_eom *eom = s->eom;
    double *step = s->column_work;
    if (to != from) {
        memcpy(to, from, (size_t)s->n * sizeof *to);
    }
    for (int j = 0; j < s->columns; j++) {
        step[j] = factor * s->y[j] * s->unit[j];
        if (j >= s->balances) {
            to[s->column[j]] += step[j];
        }
    }
    return s->balances > 0 ? crank_project_move(eom, s->t, s->values, step, to, err) : CRANK_OK;
}

double crank_statics_work(const crank_statics *s, const double *y)
{
    double work = 0.0;
    for (int j = 0; j < s->balances; j++) {
        work -= s->F[j] * y[j] * s->unit[j];
    }
    return work;
}
