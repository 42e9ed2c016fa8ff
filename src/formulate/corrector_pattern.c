/* corrector_pattern.c - the matrix alpha F_y' + F_y: its pattern, groups of columns, solver.
 *
 * The pattern of F_y is that of the eom's Jacobian (grouped, and analytic but for what is
 * rounding), full (dense), or what differences have shown (estimated). The explicit formalism couples all rows of a block of M:
 * where one of them has an entry all have. Groups are the colours of linalg/colouring.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/corrector.h"

#include "linalg/colouring.h"

#include <stdlib.h>
#include <string.h>

/* Columns of a pattern as they are found: rows in any order, each once. */
typedef struct builder {
    crank_corrector *s;
    int *mark; /* n: last column that has the row, + 1 */
    int *start, *row;
    int used, capacity;
    bool failed;
} builder;

static void add(builder *b, int column, int row)
{
    if (b->mark[row] == column + 1 || b->failed) {
        return;
    }
    if (b->used == b->capacity) {
        const int capacity = 2 * b->capacity + 64;
        int *larger = realloc(b->row, (size_t)capacity * sizeof *larger);
        b->failed = larger == NULL;
        if (b->failed) {
            return;
        }
        b->row = larger;
        b->capacity = capacity;
    }
    b->mark[row] = column + 1;
    b->row[b->used++] = row;
}

static int compare(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void end_column(builder *b, int column)
{
    if (!b->failed) {
        qsort(b->row + b->start[column], (size_t)(b->used - b->start[column]), sizeof *b->row,
              compare);
    }
    b->start[column + 1] = b->used;
}

static bool begin(builder *b, crank_corrector *s)
{
    const size_t n = (size_t)s->base.n + 1;
    *b = (builder){.s = s, .mark = calloc(n, sizeof(int)), .start = calloc(n, sizeof(int))};
    b->failed = b->mark == NULL || b->start == NULL;
    return !b->failed;
}

static void release(builder *b)
{
    free(b->mark);
    free(b->start);
    free(b->row);
}

/* ---- F_y ---- */

/* v' of a block of M, and the rows that read accelerations of it */
static void add_block(builder *b, int column, int component)
{
    const crank_corrector *s = b->s;
    const crank_corrector_mass *M = &s->mass;
    for (int k = 0; k < s->eom->sizes.v; k++) {
        if (M->free[k] < 0 || M->component[M->free[k]] != component) {
            continue;
        }
        add(b, column, s->row_v[k]);
        const crank_pattern *J = &s->eom->jacobian_pattern;
        for (int e = M->carried ? J->start[M->column[k]] : 0;
             s->reads_any && M->carried && e < J->start[M->column[k] + 1]; e++) {
            if (s->reads[J->row[e]]) {
                add(b, column, s->target[J->row[e]]);
            }
        }
    }
}

/* the free velocity whose balance a row of the eom is, -1 */
static int balance_of(const crank_corrector *s, int row)
{
    const crank_eom *eom = s->eom;
    const int k = s->mass.carried ? (row < eom->row[CRANK_ROW_GII] ? s->velocity_of[row] : -1)
                  : row >= eom->row[CRANK_ROW_DYN] && row < eom->row[CRANK_ROW_KIN]
                      ? row - eom->row[CRANK_ROW_DYN]
                      : -1;
    return k >= 0 ? s->mass.free[k] : -1;
}

static void add_known(builder *b, int j)
{
    const crank_corrector *s = b->s;
    const crank_pattern *J = &s->eom->jacobian_pattern;
    const int column = s->column[j];
    int last = -1;
    for (int e = J->start[column]; e < J->start[column + 1]; e++) {
        const int row = J->row[e], free = balance_of(s, row);
        if (s->explicit && free >= 0) {
            if (s->mass.component[free] != last) {
                last = s->mass.component[free];
                add_block(b, j, last);
            }
        } else if (s->target[row] >= 0) {
            add(b, j, s->target[row]);
        }
    }
}

static bool list_own(builder *b)
{
    const crank_corrector *s = b->s;
    const int n = s->base.n;
    for (int j = 0; j < n - s->extra; j++) {
        const bool chosen = s->derivatives == CRANK_DERIVATIVES_ESTIMATED || s->narrow;
        const unsigned char *seen = chosen ? s->seen + (size_t)j * (size_t)n : NULL;
        if (s->derivatives == CRANK_DERIVATIVES_DENSE || seen != NULL) {
            for (int i = 0; i < n; i++) {
                if (seen == NULL || seen[i]) {
                    add(b, j, i);
                }
            }
        } else {
            add_known(b, j);
        }
        end_column(b, j);
    }
    return !b->failed;
}

/* ---- the whole ---- */

static bool has(const builder *own, int column, int row)
{
    for (int e = own->start[column]; e < own->start[column + 1]; e++) {
        if (own->row[e] == row) {
            return true;
        }
    }
    return false;
}

static bool is_position(const crank_corrector *s, int j)
{
    return s->column[j] >= s->eom->column[CRANK_P];
}

/* row of g or n behind eta */
static int gradient_row(const crank_corrector *s, int i)
{
    return s->target[s->eta_row[i]];
}

/* Does eta i push the position of column p? With contact variables g does all of them. */
static bool is_pushed(const crank_corrector *s, const builder *own, int i, int p)
{
    const bool all = s->eom->sizes.s > 0 && s->eta_row[i] < s->eom->row[CRANK_ROW_N];
    return is_position(s, p) && (all || has(own, p, gradient_row(s, i)));
}

static bool list_all(builder *b, const builder *own)
{
    const crank_corrector *s = b->s;
    const int n = s->base.n, known = n - s->extra;
    const bool full = s->derivatives == CRANK_DERIVATIVES_DENSE;
    for (int j = 0; j < n; j++) {
        for (int e = j < known ? own->start[j] : 0; j < known && e < own->start[j + 1]; e++) {
            add(b, j, own->row[e]);
        }
        for (int i = 0; i < s->lead_count && j < known; i++) {
            if (s->lead[i].column == j) {
                add(b, j, s->lead[i].row);
            }
        }
        for (int p = 0; p < known && j >= known; p++) {
            if (is_pushed(s, own, j - known, p)) {
                add(b, j, s->row_p[s->column[p] - s->eom->column[CRANK_P]]);
            }
        }
        for (int i = 0; i < n && full; i++) {
            add(b, j, i);
        }
        end_column(b, j);
    }
    return !b->failed;
}

int crank_corrector_slot(const crank_corrector_matrix *A, int row, int column)
{
    int low = A->start[column], high = A->start[column + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (A->row[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < A->start[column + 1] && A->row[low] == row ? low : -1;
}

static int count_pushes(const crank_corrector *s, const builder *own)
{
    int count = 0;
    for (int i = 0; i < s->extra; i++) {
        for (int p = 0; p < s->base.n - s->extra; p++) {
            count += is_pushed(s, own, i, p);
        }
    }
    return count;
}

static void layout(crank_corrector *s, crank_corrector_matrix *A, int entries, int own)
{
    crank_arena *arena = &A->arena;
    const size_t n = (size_t)s->base.n, count = (size_t)entries,
                 inputs = s->extended ? 3 * (size_t)s->channels.count : 0,
                 ns = (size_t)s->eom->sizes.s;
    A->start = crank_arena_take(arena, n + 1, sizeof(int));
    A->row = crank_arena_take(arena, count, sizeof(int));
    A->own_start = crank_arena_take(arena, n + 1, sizeof(int));
    A->own_row = crank_arena_take(arena, (size_t)own, sizeof(int));
    A->own_slot = crank_arena_take(arena, (size_t)own, sizeof(int));
    A->rest = crank_arena_take(arena, count, sizeof(double));
    A->lead = crank_arena_take(arena, count, sizeof(double));
    A->at_jacobian = crank_arena_take(arena, s->extended ? count : 0, sizeof(double));
    A->second = crank_arena_take(arena, inputs * count, sizeof(double));
    A->push = crank_arena_take(arena, (size_t)A->push_count, sizeof *A->push);
    A->contact_slot = crank_arena_take(arena, ns * ns, sizeof(int));
    A->gradient_slot = crank_arena_take(arena, (size_t)s->extra * ns, sizeof(int));
    A->position_slot = crank_arena_take(arena, (size_t)A->push_count * ns, sizeof(int));
    A->group_start = crank_arena_take(arena, n + 1, sizeof(int));
    A->group_column = crank_arena_take(arena, n, sizeof(int));
}

/* places of B, and of what it is made of */
static void find_pushes(crank_corrector *s, crank_corrector_matrix *A, const builder *own)
{
    const crank_eom *eom = s->eom;
    const int known = s->base.n - s->extra, ns = eom->sizes.s, c = eom->row[CRANK_ROW_C];
    int used = 0;
    for (int i = 0; i < s->extra; i++) {
        const int row = gradient_row(s, i);
        for (int k = 0; k < ns; k++) {
            const int column = s->place[eom->column[CRANK_S] + k];
            A->gradient_slot[i * ns + k] = crank_corrector_slot(A, row, column);
        }
        for (int p = 0; p < known; p++) {
            bool told;
            if (!is_pushed(s, own, i, p)) {
                continue;
            }
            crank_corrector_push *push = &A->push[used];
            push->row = s->row_p[s->column[p] - eom->column[CRANK_P]];
            push->eta = known + i;
            push->source = crank_corrector_slot(A, row, p);
            push->slot = crank_corrector_slot(A, push->row, push->eta);
            push->unit = crank_scale_unit(eom, s->column[p], &told);
            for (int k = 0; k < ns; k++) {
                A->position_slot[used * ns + k] = crank_corrector_slot(A, s->target[c + k], p);
            }
            used++;
        }
    }
    for (int k = 0; k < ns * ns; k++) {
        const int column = s->place[eom->column[CRANK_S] + k % ns];
        A->contact_slot[k] = crank_corrector_slot(A, s->target[c + k / ns], column);
    }
}

/* places of F_y and F_y' in the matrix */
static void find_slots(crank_corrector *s, crank_corrector_matrix *A)
{
    for (int j = 0; j < s->base.n - s->extra; j++) {
        for (int e = A->own_start[j]; e < A->own_start[j + 1]; e++) {
            A->own_slot[e] = crank_corrector_slot(A, A->own_row[e], j);
        }
    }
    for (int i = 0; i < s->lead_count; i++) {
        s->lead[i].slot = crank_corrector_slot(A, s->lead[i].row, s->lead[i].column);
    }
}

/* columns by groups */
static crank_status make_groups(crank_corrector *s, crank_corrector_matrix *A, crank_error *err)
{
    const int known = s->base.n - s->extra;
    const crank_pattern pattern = {
        .rows = s->base.n, .columns = known, .start = A->own_start, .row = A->own_row};
    int *colour = calloc((size_t)known + 1, sizeof *colour);
    crank_status status = colour != NULL
                              ? crank_colouring(&pattern, colour, &A->group_count, err)
                              : crank_fail(err, CRANK_EMEM, "groups of %d columns", known);
    int used = 0;
    for (int g = 0; g < A->group_count && status == CRANK_OK; g++) {
        for (int j = 0; j < known; j++) {
            if (colour[j] == g) {
                A->group_column[used++] = j;
            }
        }
        A->group_start[g + 1] = used;
    }
    free(colour);
    return status;
}

void crank_corrector_free_matrix(crank_corrector_matrix *matrix)
{
    crank_solver_destroy(matrix->solver);
    crank_arena_free(&matrix->arena);
    *matrix = (crank_corrector_matrix){0};
}

static crank_status fill(crank_corrector *s, const builder *own, const builder *all,
                         crank_error *err)
{
    const int n = s->base.n, known = n - s->extra;
    crank_corrector_matrix A = {.push_count = count_pushes(s, own)};
    layout(s, &A, all->used, own->used);
    if (!crank_arena_allocate(&A.arena)) {
        return crank_fail(err, CRANK_EMEM, "a matrix of %d entries", all->used);
    }
    layout(s, &A, all->used, own->used);
    memcpy(A.start, all->start, ((size_t)n + 1) * sizeof *A.start);
    memcpy(A.row, all->row, (size_t)all->used * sizeof *A.row);
    memcpy(A.own_start, own->start, ((size_t)known + 1) * sizeof *A.start);
    memcpy(A.own_row, own->row, (size_t)own->used * sizeof *A.own_row);
    find_slots(s, &A);
    find_pushes(s, &A, own);
    crank_status status = make_groups(s, &A, err);
    const bool full = s->derivatives == CRANK_DERIVATIVES_DENSE;
    if (status == CRANK_OK) {
        s->statistics.analyses += !full && crank_solver_is_sparse(s->options.linear_algebra, n);
        status = crank_solver_create(&(crank_solver_setup){.wish = s->options.linear_algebra,
                                                           .n = n,
                                                           .start = full ? NULL : A.start,
                                                           .row = full ? NULL : A.row,
                                                           .shifts = 1,
                                                           .real = true,
                                                           .reserve = true},
                                     &A.solver, err);
    }
    if (status != CRANK_OK) {
        crank_corrector_free_matrix(&A);
        return status;
    }
    crank_corrector_free_matrix(&s->matrix);
    s->matrix = A;
    s->statistics.matrix_entries = A.start[n];
    s->statistics.matrix_groups = A.group_count;
    s->second_due = s->extended;
    return CRANK_OK;
}

crank_status crank_corrector_make_matrix(crank_corrector *s, crank_error *err)
{
    builder own = {0}, all = {0};
    const bool fine =
        begin(&own, s) && begin(&all, s) && list_own(&own) && list_all(&all, &own);
    const crank_status status =
        fine ? fill(s, &own, &all, err)
             : crank_fail(err, CRANK_EMEM, "pattern of %d unknowns", s->base.n);
    release(&own);
    release(&all);
    return status;
}
