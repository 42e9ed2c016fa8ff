/* solver_recorded.c - the recorded elimination (recorded.h, theory 3.10) behind solver.h: each
 * shift has pivots and a record of its own, real and complex ones apart. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/recorded.h"
#include "linalg/solver_type.h"

#include <stdlib.h>

typedef struct recorded {
    crank_recorded *e[CRANK_MAX_SHIFTS][2]; /* real, complex; NULL: not needed yet */
} recorded;

static crank_recorded *of_shift(const crank_solver *s, int i)
{
    const recorded *r = s->own;
    return r->e[i][s->shift[i].complex_values];
}

static crank_recorded *make(const crank_solver *s, int kind, bool reserve)
{
    return crank_recorded_create_searching(s->n, s->start, s->row, kind + 1, reserve);
}

static crank_status create(crank_solver *s, crank_error *err)
{
    recorded *r = s->own = calloc(1, sizeof *r);
    bool fine = r != NULL;
    for (int i = 0; i < s->shifts && fine && s->reserve; i++) {
        for (int kind = 0; kind < (s->real ? 1 : 2) && fine; kind++) {
            r->e[i][kind] = make(s, kind, true);
            fine = r->e[i][kind] != NULL;
        }
    }
    return fine ? CRANK_OK : crank_fail(err, CRANK_EMEM, "sparse matrix of %d rows", s->n);
}

static void destroy(crank_solver *s)
{
    recorded *r = s->own;
    for (int i = 0; i < s->shifts && r != NULL; i++) {
        crank_recorded_destroy(r->e[i][0]);
        crank_recorded_destroy(r->e[i][1]);
    }
    free(r);
}

static crank_status factor(crank_solver *s, int i, const double *values, crank_error *err)
{
    recorded *r = s->own;
    const int kind = s->shift[i].complex_values;
    if (r->e[i][kind] == NULL) {
        r->e[i][kind] = make(s, kind, false);
    }
    const crank_status status =
        r->e[i][kind] != NULL ? crank_recorded_search(r->e[i][kind], values) : CRANK_EMEM;
    return status == CRANK_OK ? CRANK_OK
           : status == CRANK_EMEM
               ? crank_fail(err, CRANK_EMEM, "factors of a sparse matrix of %d rows", s->n)
               : crank_fail(err, CRANK_RETRY, "a sparse matrix of %d rows is singular", s->n);
}

static bool repeat(crank_solver *s, int i, const double *values)
{
    return crank_recorded_factor(of_shift(s, i), values);
}

static void solve(crank_solver *s, int i, const double *b, double *x)
{
    crank_recorded_solve_from(of_shift(s, i), b, x);
}

static void solve_complex(crank_solver *s, int i, const double *b_real, const double *b_imag,
                          double *x_real, double *x_imag)
{
    crank_recorded_solve_complex(of_shift(s, i), b_real, b_imag, x_real, x_imag);
}

static void solve_transposed(crank_solver *s, int i, double *b)
{
    crank_recorded_solve_transposed(of_shift(s, i), b);
}

static void archive(crank_solver *s, int i, crank_archive *a)
{
    crank_recorded_archive(of_shift(s, i), a);
}

const crank_solver_type crank_solver_recorded = {
    .name = "recorded",
    .create = create,
    .destroy = destroy,
    .factor = factor,
    .repeat = repeat,
    .solve = solve,
    .solve_complex = solve_complex,
    .solve_transposed = solve_transposed,
    .archive = archive,
};
