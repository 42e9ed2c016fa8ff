/* solver.c - behind solver.h: the list of solvers, which of them answers, and what all of them
 * share: patterns, values by shifts, pivots that are kept or chosen anew, checkpoints. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/solver_type.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    crank_linear_algebra wish;
    const crank_solver_type *type;
} solvers[] = {
    {CRANK_LINALG_DENSE, &crank_solver_dense},
    {CRANK_LINALG_RECORDED, &crank_solver_recorded},
    {CRANK_LINALG_KLU, &crank_solver_klu},
    {CRANK_LINALG_BANDED, &crank_solver_banded},
};

/* Rows up to which sparse matrices are eliminated by a record, docs/performance.md: its search
 * is quadratic, which a pattern that lives for a few factorisations repays up to fewer rows. */
enum { RECORDED_ROWS = 448, RECORDED_ROWS_SHORT_LIVED = 47 };

/* ---- choice ---- */

bool crank_solver_is_sparse(crank_linear_algebra wish, int n)
{
    return wish == CRANK_LINALG_AUTO ? n >= CRANK_SPARSE_FROM : wish != CRANK_LINALG_DENSE;
}

static const crank_solver_type *find(crank_linear_algebra wish)
{
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        if (solvers[i].wish == wish) {
            return solvers[i].type;
        }
    }
    return NULL;
}

const char *crank_solver_word(crank_linear_algebra wish)
{
    return find(wish) != NULL ? find(wish)->name : "sparse";
}

static const crank_solver_type *choose(const crank_solver_setup *setup)
{
    const int most = setup->short_lived ? RECORDED_ROWS_SHORT_LIVED : RECORDED_ROWS;
    if (setup->start == NULL || !crank_solver_is_sparse(setup->wish, setup->n)) {
        return &crank_solver_dense;
    }
    if (find(setup->wish) != NULL) {
        return find(setup->wish);
    }
    return setup->n <= most ? &crank_solver_recorded : &crank_solver_klu;
}

/* where there is a tree, it is tried first: it knows what it costs */
static bool may_be_tree(const crank_solver_setup *setup)
{
    return setup->recursion != NULL && setup->start != NULL &&
           crank_solver_is_sparse(setup->wish, setup->n) && find(setup->wish) == NULL &&
           crank_recursion_may_pay(setup->recursion);
}

bool crank_solver_is_klu(crank_linear_algebra wish, int n, bool short_lived)
{
    static const int start = 0;
    const crank_solver_setup setup = {
        .wish = wish, .n = n, .start = &start, .short_lived = short_lived};
    return choose(&setup) == &crank_solver_klu;
}

/* ---- create ---- */

/* Large pieces are not touched before they are used: shifts that nobody asks for take no
 * memory. */
static bool take_values(crank_solver *s)
{
    const size_t count = (s->real ? 1 : 2) * (size_t)s->entries + 1;
    bool fine = true;
    for (int i = 0; i < s->shifts; i++) {
        crank_solver_shift *shift = &s->shift[i];
        shift->values = calloc(count, sizeof *shift->values);
        shift->searched =
            s->type->repeat != NULL ? calloc(count, sizeof *shift->searched) : NULL;
        fine = fine && shift->values != NULL &&
               (shift->searched != NULL || s->type->repeat == NULL);
    }
    return fine;
}

static bool copy_pattern(crank_solver *s, const crank_solver_setup *setup)
{
    if (setup->start == NULL) {
        return true;
    }
    s->start = malloc(((size_t)s->n + 1) * sizeof *s->start);
    s->row = malloc(((size_t)s->entries + 1) * sizeof *s->row);
    if (s->start == NULL || s->row == NULL) {
        return false;
    }
    memcpy(s->start, setup->start, ((size_t)s->n + 1) * sizeof *s->start);
    memcpy(s->row, setup->row, (size_t)s->entries * sizeof *s->row);
    return true;
}

static crank_status create_type(crank_solver *s, const crank_solver_setup *setup,
                                crank_error *err)
{
    crank_status status = CRANK_RETRY;
    if (may_be_tree(setup)) {
        s->type = &crank_solver_tree;
        status = s->type->create(s, err);
    }
    if (status == CRANK_RETRY) {
        s->type->destroy(s);
        s->own = NULL;
        s->type = choose(setup);
        status = s->type->create(s, err);
    }
    return status == CRANK_OK && !take_values(s)
               ? crank_fail(err, CRANK_EMEM, "matrix of %d rows", s->n)
               : status;
}

crank_status crank_solver_create(const crank_solver_setup *setup, crank_solver **out,
                                 crank_error *err)
{
    *out = NULL;
    assert(setup->shifts >= 1 && setup->shifts <= CRANK_MAX_SHIFTS);
    crank_solver *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return crank_fail(err, CRANK_EMEM, "matrix of %d rows", setup->n);
    }
    s->type = choose(setup);
    s->n = s->most = setup->n;
    s->entries = setup->start != NULL ? setup->start[setup->n] : setup->n * setup->n;
    s->shifts = setup->shifts;
    s->real = setup->real;
    s->reserve = setup->reserve;
    s->setup = setup;
    const crank_status status = copy_pattern(s, setup)
                                    ? create_type(s, setup, err)
                                    : crank_fail(err, CRANK_EMEM, "matrix of %d rows", s->n);
    s->setup = NULL;
    if (status != CRANK_OK) {
        crank_solver_destroy(s);
        return status;
    }
    *out = s;
    return CRANK_OK;
}

void crank_solver_destroy(crank_solver *s)
{
    if (s == NULL) {
        return;
    }
    s->type->destroy(s);
    for (int i = 0; i < s->shifts; i++) {
        free(s->shift[i].values);
        free(s->shift[i].searched);
    }
    free(s->start);
    free(s->row);
    free(s);
}

const char *crank_solver_name(const crank_solver *s)
{
    return s->type->name;
}

bool crank_solver_reads_recursion(const crank_solver *s)
{
    return s->type == &crank_solver_tree;
}

int crank_solver_entries(const crank_solver *s)
{
    return s->entries;
}

void crank_solver_set_rows(crank_solver *s, int n)
{
    assert(s->start == NULL && n <= s->most);
    if (n == s->n) {
        return;
    }
    s->n = n;
    s->entries = n * n;
    for (int i = 0; i < s->shifts; i++) {
        s->shift[i].factored = false;
    }
}

/* ---- factors and solutions ---- */

double *crank_solver_values(crank_solver *s, int i, bool complex_values)
{
    assert(i >= 0 && i < s->shifts && !(complex_values && s->real));
    crank_solver_shift *shift = &s->shift[i];
    shift->factored = shift->factored && shift->complex_values == complex_values;
    shift->complex_values = complex_values;
    return shift->values;
}

static size_t value_count(const crank_solver *s, int i)
{
    return (size_t)crank_solver_stride(s, i) * (size_t)s->entries;
}

crank_status crank_solver_factor(crank_solver *s, int i, crank_error *err)
{
    crank_solver_shift *shift = &s->shift[i];
    const bool keeps = s->type->repeat != NULL;
    if (keeps && shift->factored && s->type->repeat(s, i, shift->values)) {
        shift->repeated = true;
        return CRANK_OK;
    }
    if (keeps) {
        memcpy(shift->searched, shift->values, value_count(s, i) * sizeof(double));
        shift->repeated = false;
        s->pivot_searches++;
    }
    const crank_status status = s->type->factor(s, i, shift->values, err);
    shift->factored = status == CRANK_OK;
    return status;
}

int64_t crank_solver_pivot_searches(const crank_solver *s)
{
    return s != NULL ? s->pivot_searches : 0;
}

void crank_solver_solve(crank_solver *s, int i, const double *b_real, const double *b_imag,
                        double *x_real, double *x_imag)
{
    assert(s->shift[i].factored && s->shift[i].complex_values == (b_imag != NULL));
    if (b_imag == NULL) {
        s->type->solve(s, i, b_real, x_real);
    } else {
        s->type->solve_complex(s, i, b_real, b_imag, x_real, x_imag);
    }
}

void crank_solver_solve_transposed(crank_solver *s, int i, double *b)
{
    assert(s->shift[i].factored && !s->shift[i].complex_values);
    s->type->solve_transposed(s, i, b);
}

/* NaN stays */
static inline double larger(double entry, double largest)
{
    return fabs(entry) <= largest || largest != largest ? largest : fabs(entry);
}

static void measure_full(int n, int stride, const double *values, double *size)
{
    for (int j = 0; j < n; j++) {
        const double *column = values + (long)stride * j * n;
        for (int k = 0; k < n && stride == 1; k++) {
            size[k] = larger(column[k], size[k]);
        }
        for (int k = 0; k < n && stride == 2; k++) {
            size[k] = larger(column[2 * k + 1], larger(column[2 * k], size[k]));
        }
    }
}

bool crank_solver_row_sizes(const crank_solver *s, int i, const double *values, double *size)
{
    const int stride = crank_solver_stride(s, i);
    bool fine = true;
    memset(size, 0, (size_t)s->n * sizeof *size);
    if (s->start == NULL) {
        measure_full(s->n, stride, values, size);
    }
    for (int e = 0; s->start != NULL && e < s->entries; e++) {
        double *largest = &size[s->row[e]];
        for (int part = 0; part < stride; part++) {
            *largest = larger(values[stride * e + part], *largest);
        }
    }
    for (int k = 0; k < s->n; k++) {
        fine = fine && size[k] > 0.0 && isfinite(size[k]);
    }
    return fine;
}

/* ---- checkpoints ---- */

/* Choosing pivots and repeating with them overwrite all numbers, so that doing both once leaves
 * what any sequence of repetitions left. */
static crank_status load_factors(crank_solver *s, int i, crank_archive *a)
{
    crank_solver_shift *shift = &s->shift[i];
    const bool keeps = s->type->repeat != NULL;
    const crank_status status =
        s->type->factor(s, i, keeps ? shift->searched : shift->values, NULL);
    if (status == CRANK_OK && s->type->archive != NULL) {
        s->type->archive(s, i, a);
    }
    return status == CRANK_OK && keeps && shift->repeated && crank_archive_fine(a) &&
                   !s->type->repeat(s, i, shift->values)
               ? CRANK_RETRY
               : status;
}

static void archive_shift(crank_solver *s, int i, crank_archive *a)
{
    crank_solver_shift *shift = &s->shift[i];
    bool present = shift->factored;
    shift->factored = shift->factored && !a->loading;
    crank_archive_flag(a, &present);
    if (!present) {
        return;
    }
    crank_archive_flag(a, &shift->complex_values);
    if (shift->complex_values && s->real) {
        shift->complex_values = false;
        crank_archive_fail(a, CRANK_EFILE, "the checkpoint is damaged: a matrix is complex");
        return;
    }
    crank_archive_doubles(a, shift->values, value_count(s, i));
    if (s->type->repeat != NULL) {
        crank_archive_doubles(a, shift->searched, value_count(s, i));
        crank_archive_flag(a, &shift->repeated);
    }
    if (!a->loading && s->type->archive != NULL) {
        s->type->archive(s, i, a);
    }
    if (!a->loading || !crank_archive_fine(a)) {
        return;
    }
    const crank_status status = load_factors(s, i, a);
    shift->factored = status == CRANK_OK;
    if (status == CRANK_EMEM) {
        crank_archive_fail(a, CRANK_EMEM, "factors of a matrix of %d rows", s->n);
    } else if (status != CRANK_OK) {
        crank_archive_fail(a, CRANK_EFILE,
                           "the checkpoint is damaged: a matrix in it is singular");
    }
}

void crank_solver_archive(crank_solver *s, crank_archive *a)
{
    int n = s->n;
    crank_archive_check_text(a, "linear solver", s->type->name);
    crank_archive_check(a, "rows of a matrix, at most", s->most);
    crank_archive_int(a, &n, s->start == NULL ? 0 : s->n, s->most);
    if (!crank_archive_fine(a)) {
        return;
    }
    if (s->start == NULL) {
        crank_solver_set_rows(s, n);
    }
    crank_archive_check(a, "entries of a matrix", s->entries);
    crank_archive_count(a, &s->pivot_searches);
    for (int i = 0; i < s->shifts && crank_archive_fine(a); i++) {
        archive_shift(s, i, a);
    }
}
