/* reduction_dense.h - the dense realisation's data, shared by its files:
 * dense_decompose.c (algebraic part), dense_tangent.c (its turned columns), dense_select.c
 * (selectors), reduction_dense.c (factor, solve), dense_archive.c (checkpoints).
 *
 * Letters: rows of the stacked matrix A = [C; B; D] (mC + 2 mD by n); rC pivots (row, column);
 * after elimination, in pivot order,  C -> [RC VC],  B -> VB with multipliers LB,  D -> VD with
 * LD:
 *     LB RC = -B P1,  VB = B P2 + LB VC,   and the same for D          theory (3.5), (3.6) */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_REDUCTION_DENSE_H
#define CRANK_SRC_REDUCTION_DENSE_H

#include "base/arena.h"
#include "formulate/reduction.h"

/* plane: the first window by LU, the others turned onto the tangent plane */
typedef enum crank_window_method {
    CRANK_BY_LU,
    CRANK_BY_QR,
    CRANK_BY_SVD,
    CRANK_BY_PLANE
} crank_window_method;

typedef struct crank_dense_shift {
    bool complex_shift;
    double *L; /* rD x rC (complex: pairs): selected rows of sigma LD + LB */
} crank_dense_shift;

typedef struct crank_dense {
    crank_reduction base; /* first: the object is used through it */
    crank_arena arena;
    int n, mC, mD, mS;
    crank_window_method method; /* of the first three windows */
    bool combines;              /* selectors are sums of rows, S, not single ones */
    bool dropped_invariant;     /* in the last decomposition */

    /* decompose */
    double *A;          /* mS x n */
    double *row_scale;  /* mC: largest entry of the row in its window so far */
    double *multiplier; /* mS */
    double *Q[CRANK_WINDOWS],
        *VT[CRANK_WINDOWS];             /* row and column transformations, QR and SVD */
    double *block, *sigma, *tau, *work; /* of one window; work_size doubles */
    int *order;
    int work_size;
    int rC;
    int *pivot_row, *pivot_column; /* rC, in order of elimination */
    int *pivot_window;
    bool *row_used, *column_used, *previous_columns;
    int free_count; /* columns left to the differential rows */
    int *free_column;

    /* plane */
    const struct crank_dense *follows; /* whose Q and rows it has; NULL: its own */
    double *turned;                    /* Q of one window */
    bool *left_out, *fixed;            /* mC: redundant rows; n: their multipliers */
    int turned_rank[CRANK_WINDOWS];

    /* packed results */
    double *RC;      /* mC x n: row k: pivot k; columns: pivots in order, then free ones */
    double *LC;      /* mC x mC: multipliers of later algebraic rows, column k: pivot k */
    double *LB, *LD; /* mD x rC */
    double *VB, *VD; /* mD x free_count */

    /* select */
    bool selector_due;
    int selector_failures; /* of Newton's iteration, since the pivot columns changed */
    int *selector;         /* free_count rows of 0..mD-1 */
    double *S;             /* free_count x mD, differential part by QR */
    double *select_work;   /* mD x n */
    double *lead_scale;    /* mD: largest entry of D's row times the unit of its unknown */

    /* factor, solve */
    int shift_count;
    bool factored; /* for the last decomposition */
    crank_dense_shift shift[CRANK_MAX_SHIFTS];
    crank_solver *solver; /* E, rD x rD, by shifts */
    double *y_real, *y_imag, *z_real, *z_imag, *b_real, *b_imag;
} crank_dense;

crank_status crank_dense_decompose(crank_reduction *base, const double *jacobian,
                                   const double *mass, bool first, crank_error *err);
/* Eliminates a pivot's column from the rows behind it. */
void crank_dense_eliminate(crank_dense *d, int w, int row, int column);
/* Unknowns of a window are turned: by their own decomposition (SVD), or by the plane's. */
static inline bool crank_dense_turned(const crank_dense *d, int w)
{
    const crank_window *window = &d->base.setup.window[w];
    return window->row < window->row_end && w != CRANK_WINDOW_INVARIANT &&
           (d->method == CRANK_BY_SVD ||
            (d->method == CRANK_BY_PLANE && w != CRANK_WINDOW_ACCELERATION));
}

/* dense_tangent.c. Turns columns onto the plane, of ranks that are known (or NULL), before
 * anything is eliminated; then the pivots of a level; then the selector. */
crank_status crank_dense_turn(crank_dense *d, const int *known_rank, crank_error *err);
void crank_dense_eliminate_turned(crank_dense *d, int w);
void crank_dense_select_plane(crank_dense *d);

void crank_dense_explain(const crank_reduction *base, int w, char *text, size_t size);
/* Chooses the selector from VD (or from E1 = sigma VD + VB). CRANK_RETRY: no regular choice. */
crank_status crank_dense_select(crank_dense *d, double sigma, crank_error *err);

/* Checkpoints: what decompositions leave to later ones, and what factor and solve work with. */
void crank_dense_archive(crank_reduction *base, crank_archive *archive);

#endif
