/* rank_turn_create.c - patterns, weights and memory of rank_turn.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/rank_turn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* redundant rows beyond are not watched: their test is dense */
enum { MOST_REDUNDANT = 1000 };

static void *take(size_t count, size_t size)
{
    return calloc(count > 0 ? count : 1, size);
}

/* ---- V ---- */

/* the row of V that a row of the eom is; -1: none */
static int constraint_of(const crank_eom *eom, int row)
{
    if (row >= eom->row[CRANK_ROW_GI] && row < eom->row[CRANK_ROW_GI + 1]) {
        return row - eom->row[CRANK_ROW_GI];
    }
    if (row >= eom->row[CRANK_ROW_H] && row < eom->row[CRANK_ROW_H + 1]) {
        return eom->sizes.lambda + row - eom->row[CRANK_ROW_H];
    }
    return -1;
}

static int count_entries(const crank_eom *eom)
{
    const crank_pattern *J = &eom->jacobian_pattern;
    int count = 0;
    for (int e = J->start[eom->column[CRANK_V]]; e < J->start[eom->column[CRANK_V + 1]]; e++) {
        count += constraint_of(eom, J->row[e]) >= 0;
    }
    return count;
}

/* start[i + 1] are counts: sums of them */
static void accumulate(int n, int *start)
{
    for (int i = 0; i < n; i++) {
        start[i + 1] += start[i];
    }
}

/* back to starts, after each was used as a place to fill */
static void shift(int n, int *start)
{
    memmove(start + 1, start, (size_t)n * sizeof *start);
    start[0] = 0;
}

static void list_entries(const crank_eom *eom, crank_rank_turn *r)
{
    const crank_pattern *J = &eom->jacobian_pattern;
    const int v = eom->column[CRANK_V], nv = eom->sizes.v;
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < nv; j++) {
            for (int e = J->start[v + j]; e < J->start[v + j + 1]; e++) {
                const int i = constraint_of(eom, J->row[e]);
                if (i >= 0 && pass == 0) {
                    r->start[i + 1]++;
                    r->first[j + 1]++;
                } else if (i >= 0) {
                    r->list[r->first[j]++] = r->start[i];
                    r->entry[r->start[i]] = e;
                    r->column[r->start[i]++] = j;
                }
            }
        }
        if (pass == 0) {
            accumulate(r->rows, r->start);
            accumulate(nv, r->first);
        }
    }
    shift(r->rows, r->start);
    shift(nv, r->first);
}

/* ---- C ---- */

static int count_products(const crank_rank_turn *r)
{
    int count = 0;
    for (int e = 0; e < r->entries; e++) {
        count += r->first[r->column[e] + 1] - r->first[r->column[e]];
    }
    return count;
}

/* the constraint of each entry of V */
static void list_owners(const crank_rank_turn *r, int *owner)
{
    for (int i = 0; i < r->rows; i++) {
        for (int e = r->start[i]; e < r->start[i + 1]; e++) {
            owner[e] = i;
        }
    }
}

/* Places of the products in C: its entries row by row, or dense. row, column: of the entries;
 * mark: rows. */
static void place_products(crank_rank_turn *r, const int *owner, int *row, int *column,
                           int *mark)
{
    int product = 0, used = 0;
    for (int k = 0; k < r->rows; k++) {
        mark[k] = -1;
    }
    for (int i = 0; i < r->rows; i++) {
        const int begin = used;
        for (int e = r->start[i]; e < r->start[i + 1]; e++) {
            const int j = r->column[e];
            for (int f = r->first[j]; f < r->first[j + 1]; f++) {
                const int k = owner[r->list[f]];
                if (mark[k] < begin) {
                    row[used] = i;
                    column[used] = k;
                    mark[k] = used++;
                }
                r->slot[product++] = mark[k];
            }
        }
    }
    r->places = used;
}

/* C of V with itself at the start, for its pivots; rows that are left out are those of the
 * identity */
static void fill_start(crank_rank_turn *r, const int *row, const int *column,
                       const bool *left_out)
{
    const bool *out = left_out != NULL ? left_out + r->eom->column[CRANK_LAMBDA] : NULL;
    const int *slot = r->slot;
    for (int e = 0; e < r->entries; e++) {
        const int j = r->column[e];
        for (int f = r->first[j]; f < r->first[j + 1]; f++) {
            r->C[*slot++] += r->before[e] * r->weight[j] * r->before[r->list[f]];
        }
    }
    for (int p = 0; p < r->places && out != NULL; p++) {
        if (out[row[p]] || out[column[p]]) {
            r->C[p] = row[p] == column[p] ? 1.0 : 0.0;
        }
    }
}

/* redundant rows: memory of the dense test, and where the entries are in it */
static bool take_dense(crank_rank_turn *r, const int *row, const int *column)
{
    const size_t rows = (size_t)r->rows;
    r->dense_place = take((size_t)r->places, sizeof *r->dense_place);
    r->dense = take(rows * rows, sizeof *r->dense);
    r->order = take(rows, sizeof *r->order);
    for (int p = 0; p < r->places && r->dense_place != NULL; p++) {
        r->dense_place[p] = row[p] + column[p] * r->rows;
    }
    return r->dense_place != NULL && r->dense != NULL && r->order != NULL;
}

/* sparse with pivots chosen once, or dense */
static crank_status choose_form(crank_rank_turn *r, const bool *left_out, crank_error *err)
{
    const size_t products = (size_t)count_products(r), rows = (size_t)r->rows;
    int *row = take(products, sizeof *row), *column = take(products, sizeof *column);
    int *mark = take(rows, sizeof *mark), *owner = take((size_t)r->entries, sizeof *owner);
    r->slot = take(products, sizeof *r->slot);
    crank_status status = CRANK_EMEM;
    if (row != NULL && column != NULL && mark != NULL && owner != NULL && r->slot != NULL) {
        list_owners(r, owner);
        place_products(r, owner, row, column, mark);
        r->C = take((size_t)r->places, sizeof *r->C);
        const bool fits = r->rank == r->rows || take_dense(r, row, column);
        status = r->C != NULL && fits ? CRANK_OK : CRANK_EMEM;
    }
    if (status == CRANK_OK && (r->rank == r->rows || left_out != NULL)) {
        fill_start(r, row, column, left_out);
        status = crank_recorded_create(r->rows, r->places, row, column, r->C, NULL,
                                       CRANK_RECORDED_DEFINITE, &r->recorded, err);
    }
    if (status >= CRANK_OK && r->recorded == NULL) {
        for (size_t p = 0; p < products; p++) {
            r->slot[p] = row[r->slot[p]] + column[r->slot[p]] * r->rows;
        }
        r->places = r->rows * r->rows;
        free(r->C);
        r->C = take(rows * rows, sizeof *r->C);
        status = r->C != NULL ? CRANK_OK : CRANK_EMEM;
    }
    free(row);
    free(column);
    free(mark);
    free(owner);
    return status;
}

/* ---- inertias ---- */

/* the acceleration that is carried for velocity j, as a column; -1: none */
static int carried_for(const crank_eom *eom, const double *jacobian, int j)
{
    const crank_pattern *J = &eom->jacobian_pattern;
    for (int w = eom->column[CRANK_W]; w < eom->column[CRANK_W + 1]; w++) {
        for (int e = J->start[w]; e < J->start[w + 1] && eom->carried[w]; e++) {
            if (J->row[e] == eom->row[CRANK_ROW_DYN] + j && jacobian[e] != 0.0) {
                return w;
            }
        }
    }
    return -1;
}

/* of velocity j at the start; 0: none that is known */
static double inertia(const crank_eom *eom, const double *jacobian, const crank_mass *mass,
                      int j)
{
    if (!eom->mass_is_identity) {
        const crank_pattern *M = &eom->mass_pattern;
        for (int e = M->start[j]; e < M->start[j + 1]; e++) {
            if (M->row[e] == j) {
                return fabs(mass->values[e]);
            }
        }
        return 0.0;
    }
    const int w = eom->carried != NULL ? carried_for(eom, jacobian, j) : -1;
    if (w < 0) {
        return 1.0;
    }
    const crank_pattern *J = &eom->jacobian_pattern;
    const int row = eom->row[CRANK_ROW_D] + w - eom->column[CRANK_W];
    for (int e = J->start[w]; e < J->start[w + 1]; e++) {
        if (J->row[e] == row) {
            return fabs(jacobian[e]);
        }
    }
    return 0.0;
}

/* Squares of natural units, but for the time that is in all of them, of mechanisms (bodies
 * without mass, levers in any units). Else one over the inertia; velocities without inertia
 * count as much as the lightest. */
static void choose_weights(crank_rank_turn *r, const double *jacobian, const crank_mass *mass)
{
    const crank_eom_parts *parts = r->eom->parts;
    const bool known = parts != NULL && parts->length > 0.0;
    const int nv = r->eom->sizes.v;
    double largest = 0.0;
    for (int j = 0; j < nv; j++) {
        const double unit = known && parts->velocity_kind[j] == 't' ? parts->length : 1.0;
        const double m = known ? 1.0 / (unit * unit) : inertia(r->eom, jacobian, mass, j);
        r->weight[j] = m > 0.0 ? 1.0 / m : 0.0;
        largest = fmax(largest, r->weight[j]);
    }
    for (int j = 0; j < nv; j++) {
        r->weight[j] = r->weight[j] > 0.0 ? r->weight[j] : largest > 0.0 ? largest : 1.0;
    }
}

/* ---- create ---- */

static bool allocate(crank_rank_turn *r)
{
    const crank_eom *eom = r->eom;
    const size_t nv = (size_t)eom->sizes.v, n = (size_t)eom->n, ns = (size_t)eom->sizes.s;
    const size_t entries = (size_t)r->entries;
    r->start = take((size_t)r->rows + 1, sizeof *r->start);
    r->entry = take(entries, sizeof *r->entry);
    r->column = take(entries, sizeof *r->column);
    r->first = take(nv + 1, sizeof *r->first);
    r->list = take(entries, sizeof *r->list);
    r->weight = take(nv, sizeof *r->weight);
    r->before = take(entries, sizeof *r->before);
    r->now = take(entries, sizeof *r->now);
    r->contact = take((ns + 1) * ns, sizeof *r->contact);
    r->size = take((size_t)r->rows + 1, sizeof *r->size);
    r->most = take((size_t)r->rows, sizeof *r->most);
    r->jacobian = take((size_t)eom->jacobian_pattern.start[n], sizeof *r->jacobian);
    r->point = take(n, sizeof *r->point);
    r->slope[0] = take((size_t)eom->m, sizeof(double));
    r->slope[1] = take((size_t)eom->m, sizeof(double));
    r->x = take(CRANK_TURN_POINTS * n, sizeof *r->x);
    return r->start != NULL && r->entry != NULL && r->column != NULL && r->first != NULL &&
           r->list != NULL && r->weight != NULL && r->before != NULL && r->now != NULL &&
           r->contact != NULL && r->size != NULL && r->most != NULL && r->jacobian != NULL &&
           r->point != NULL && r->slope[0] != NULL && r->slope[1] != NULL && r->x != NULL;
}

crank_status crank_rank_turn_create(crank_rank_turn *r, crank_eom *eom, const double *jacobian,
                                    const crank_mass *mass, int rank, const bool *left_out,
                                    crank_error *err)
{
    const int rows = eom->sizes.lambda + eom->sizes.mu;
    if ((rows == 0 && eom->motions == NULL) || (rank < rows && rows > MOST_REDUNDANT)) {
        return CRANK_OK;
    }
    r->eom = eom;
    r->rows = rows;
    r->rank = rank;
    r->entries = count_entries(eom);
    crank_status status = CRANK_EMEM;
    if (allocate(r) && crank_rank_turn_loose_create(r, jacobian)) {
        list_entries(eom, r);
        choose_weights(r, jacobian, mass);
        for (int e = 0; e < r->entries; e++) {
            r->before[e] = jacobian[r->entry[e]];
        }
        status = rows > 0 ? choose_form(r, rank < rows ? left_out : NULL, err) : CRANK_OK;
    }
    return status == CRANK_EMEM
               ? crank_fail(err, CRANK_EMEM, "gradients of %d constraints", r->rows)
               : status;
}

void crank_rank_turn_destroy(crank_rank_turn *r)
{
    crank_recorded_destroy(r->recorded);
    crank_rank_turn_loose_destroy(r);
    int *const indices[] = {r->start, r->entry,       r->column, r->first,
                            r->list,  r->dense_place, r->order,  r->slot};
    double *const values[] = {r->weight,   r->before,   r->now,  r->C,        r->dense,
                              r->most,     r->contact,  r->size, r->jacobian, r->point,
                              r->slope[0], r->slope[1], r->x};
    for (size_t i = 0; i < sizeof indices / sizeof *indices; i++) {
        free(indices[i]);
    }
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        free(values[i]);
    }
}
