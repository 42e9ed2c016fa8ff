/* reduction.h - the index-reducing decomposition, theory (3.1)-(3.3), (3.5)-(3.10): solve
 *
 *     [ C ; sigma D + B ] delta = [ r_C ; r_D ],   C = -k_C,x   D = E_D   B = -k_D,x
 *
 * with more rows than unknowns. The algebraic rows C are decomposed first and hold exactly; of
 * the differential rows only as many are used as are missing (the selector) [Ste06, 3.5.4,
 * 5.1.4]. What does not depend on sigma (decompose) is kept over changes of the step size
 * (factor).
 *
 * Two realisations behind one table: dense (reduction_dense.c) and sparse
 * (reduction_sparse.c). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_REDUCTION_H
#define CRANK_SRC_REDUCTION_H

#include <crank/options.h>
#include <crank/statistics.h>

#include "base/archive.h"
#include "eom/eom.h"
#include "linalg/solver.h"

/* psf: all constraint levels. peom1: gII and hI are left out, lambda and mu stay differential
 * unknowns. overdetermined: as psf, but the differential rows are not selected: they hold in
 * the sense of least squares. partitioned: as psf, always sparse, pivots bound by weights of
 * the chart's axes. plane: as psf, always dense, the selector is the tangent plane. */
typedef enum crank_form {
    CRANK_FORM_PSF,
    CRANK_FORM_PEOM1,
    CRANK_FORM_OVERDETERMINED,
    CRANK_FORM_PARTITIONED,
    CRANK_FORM_PLANE
} crank_form;

/* Pivots of some algebraic rows are looked for in some columns only: the diagonal blocks of the
 * block triangular C, and last the invariants, over velocities and positions together. */
typedef enum crank_window_name {
    CRANK_WINDOW_ACCELERATION, /* d gII hI  over  w lambda mu */
    CRANK_WINDOW_VELOCITY,     /* gI h      over  v */
    CRANK_WINDOW_POSITION,     /* c g n     over  s p */
    CRANK_WINDOW_INVARIANT,    /* e         over  v s p */
    CRANK_WINDOWS
} crank_window_name;

typedef struct crank_window {
    int row, row_end, column, column_end;
} crank_window;

typedef struct crank_reduction_setup {
    crank_eom *eom;
    crank_form form;
    crank_options options;
    crank_log log;
    crank_statistics *statistics;
    crank_window window[CRANK_WINDOWS];
    int algebraic_rows; /* rows before b; the rest are differential */
    /* n: how much each unknown moves, for the choice of pivots; see psf.c */
    const double *column_weight;
    /* n: of the unknowns, eom/scale.h: pivots, ranks and norms are of unknowns over these */
    const double *unit;
    /* an earlier pivot is kept while it is at least this fraction of the best candidate
     * (sparse); keep_redundant: where rows are redundant. Pivots then choose which rows
     * accelerations come from: if these come to depend on each other, accelerations are rough
     * beside the constraints, which explicit steps take for stiffness. */
    double keep_pivot, keep_redundant;
    /* the eom's tree at the point of the Jacobian, for solvers that take it (sparse); or
     * NULL */
    crank_recursion_values *recursion;
} crank_reduction_setup;

/* What the singularity monitor of psf.c needs to know of the last decomposition. */
typedef struct crank_reduction_state {
    double smallest
        [CRANK_WINDOWS]; /* smallest accepted pivot or singular value, rows scaled to 1 */
    int rank[CRANK_WINDOWS];
    bool redundant; /* some window's rank is below its rows */
    /* n: multipliers of rows that are left out, which no equation determines; or NULL */
    const bool *fixed;
} crank_reduction_state;

typedef struct crank_reduction crank_reduction;
struct crank_reduction {
    crank_reduction_setup setup;
    crank_reduction_state state;
    /* jacobian: dk/dx on the eom's pattern; mass: M on its pattern (NULL: identity). first:
     * ranks are found, later they are required. */
    crank_status (*decompose)(crank_reduction *self, const double *jacobian, const double *mass,
                              bool first, crank_error *err);
    crank_status (*factor)(crank_reduction *self, int count, const double *sigma_real,
                           const double *sigma_imag, crank_error *err);
    void (*solve)(crank_reduction *self, int shift, const double *r_real, const double *r_imag,
                  double *delta_real, double *delta_imag);
    /* delta with C delta = k_C that leaves the free unknowns alone (unit selectors) or is small
     * (SVD) */
    void (*project)(crank_reduction *self, const double *k_algebraic, double *delta);
    void (*selectors_due)(crank_reduction *self);
    /* names the rows behind the smallest pivot of a window */
    void (*explain)(const crank_reduction *self, int window, char *text, size_t size);
    /* Checkpoints: everything that later calls depend on; the caller archives the Jacobian. */
    void (*archive)(crank_reduction *self, crank_archive *archive);
    void (*destroy)(crank_reduction *self);
};

/* The row to name where `row` degenerates: a quaternion's norm never does so alone, but
 * together with a constraint on its unknowns. */
int crank_reduction_blamed_row(const crank_eom *eom, int row);
/* The part of an archive that both realisations share. */
void crank_reduction_archive_state(crank_reduction *reduction, crank_archive *archive);
void crank_reduction_setup_windows(crank_reduction_setup *setup);
/* What the row of a window is measured by at least: where its gradient is what is left of terms
 * that cancel (of redundant ones, in joint coordinates), it would pass for a row like others, and
 * what is left out would be off by as much as it is smaller. */
double crank_reduction_least_row(const crank_reduction_setup *setup, int w, int row);
crank_status crank_reduction_dense_create(const crank_reduction_setup *setup,
                                          crank_reduction **out, crank_error *err);
crank_status crank_reduction_sparse_create(const crank_reduction_setup *setup,
                                           crank_reduction **out, crank_error *err);
/* Both sparse, or both dense: free unknowns of self are from now on those of `of`, which it
 * must not outlive, in the axes of its chart or of its plane. For projections alone. */
void crank_reduction_sparse_follow(crank_reduction *self, const crank_reduction *of);
void crank_reduction_dense_follow(crank_reduction *self, const crank_reduction *of);

#endif
