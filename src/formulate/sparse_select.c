/* sparse_select.c - selectors as unit rows, and the square patterns that follow from them.
 *
 * rowspace.c gives each independent constraint a pivot coordinate, on position level among (s,
 * p), on velocity level among v. The remaining coordinates are free: their kinematic and
 * dynamic rows are the selected ones. With E diagonal (M diagonal, or accelerations carried)
 * this choice is regular whenever the pivots are. Each invariant takes one more free
 * coordinate. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/reduction_sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *take(size_t count, size_t size)
{
    return calloc(count > 0 ? count : 1, size);
}

static crank_status window_create(crank_sparse_reduction *s, int w, int own_rows,
                                  int own_columns, crank_error *err)
{
    const crank_window *from = &s->base.setup.window[w];
    const crank_pattern *J = s->pattern;
    crank_sparse_window *window = &s->window[w - CRANK_WINDOW_VELOCITY];
    window->rows = from->row_end - from->row;
    window->columns = from->column_end - from->column;
    window->first_row = from->row;
    window->first_column = from->column;
    window->start = take((size_t)window->rows + 2, sizeof(int));
    window->scale = take((size_t)window->rows, sizeof(double));
    if (window->start == NULL || window->scale == NULL) {
        return crank_fail(err, CRANK_EMEM, "constraint window of %d rows", window->rows);
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int j = from->column; j < from->column_end; j++) {
            for (int e = J->start[j]; e < J->start[j + 1]; e++) {
                const int i = J->row[e] - from->row;
                if (i < 0 || i >= window->rows) {
                    continue;
                }
                if (pass == 0) {
                    window->start
                        [i + 2]++; /* shifted by one: the second pass advances start[i + 1] */
                } else {
                    const int at = window->start[i + 1]++;
                    window->column[at] = j - from->column;
                    window->source[at] = e;
                }
            }
        }
        if (pass == 0) {
            for (int i = 0; i < window->rows; i++) {
                window->start[i + 2] += window->start[i + 1];
            }
            const size_t entries = (size_t)window->start[window->rows + 1];
            window->column = take(entries, sizeof(int));
            window->source = take(entries, sizeof(int));
            window->values = take(entries, sizeof(double));
            if (window->column == NULL || window->source == NULL || window->values == NULL) {
                return crank_fail(err, CRANK_EMEM, "constraint window of %d rows",
                                  window->rows);
            }
        }
    }
    return crank_rowspace_create(window->rows, window->columns, window->start, window->column,
                                 own_rows, own_columns, false, &window->space, err);
}

crank_status crank_sparse_windows_create(crank_sparse_reduction *s, crank_error *err)
{
    const crank_eom_sizes *sizes = &s->base.setup.eom->sizes;
    const crank_status status = window_create(s, CRANK_WINDOW_VELOCITY, 0, 0, err);
    return status != CRANK_OK
               ? status
               : window_create(s, CRANK_WINDOW_POSITION, sizes->s, sizes->s, err);
}

/* Rows are measured by their largest entry so far, contact equations by that of now, theory
 * (3.16). */
void crank_sparse_scale_rows(crank_sparse_reduction *s)
{
    memset(s->window[1].scale, 0,
           (size_t)s->base.setup.eom->sizes.s * sizeof *s->window[1].scale);
    for (int w = 0; w < 2; w++) {
        crank_sparse_window *window = &s->window[w];
        for (int i = 0; i < window->rows; i++) {
            window->scale[i] =
                fmax(window->scale[i],
                     crank_reduction_least_row(&s->base.setup, w + CRANK_WINDOW_VELOCITY,
                                               window->first_row + i));
            for (int e = window->start[i]; e < window->start[i + 1]; e++) {
                const double entry = s->jacobian[window->source[e]] *
                                     s->unit[window->first_column + window->column[e]];
                window->scale[i] = fmax(window->scale[i], fabs(entry));
            }
        }
    }
}

/* Redundant rows are dependent at consistent points only; where the point still is off the
 * constraints by the error of a step they must not count as independent, theory 3.8. */
static const double redundant_tolerance = 1e-3;
/* At loose tolerances what is left of a redundant row may exceed that. Up to this limit it is
 * taken for such a remainder if the rank is the known one without it; a row that became
 * independent in truth would be violated after a correction without it, which psf_correct.c
 * finds. */
static const double largest_remainder = 0.1;

static double tolerance_of(const crank_sparse_reduction *s, int w, bool first)
{
    const crank_options *o = &s->base.setup.options;
    const bool redundant =
        !first && s->base.state.rank[CRANK_WINDOW_VELOCITY + w] < s->window[w].rows;
    return redundant ? fmax(redundant_tolerance, o->rank_tolerance) : o->rank_tolerance;
}

/* The rank of a window, -1: out of memory. Once it is known, the tolerance is moved until rows
 * are as many: what is left of redundant ones may be more at loose tolerances, and regular
 * pivots may be less. */
static int eliminate(crank_sparse_reduction *s, int w, bool first, double preference)
{
    crank_sparse_window *window = &s->window[w];
    const double *weight = s->weight + window->first_column;
    const double least = s->base.setup.options.rank_tolerance;
    const int known = first ? window->rows : s->base.state.rank[CRANK_WINDOW_VELOCITY + w];
    double tolerance = tolerance_of(s, w, first);
    bool lowered = false;
    for (;;) {
        int row = -1;
        const int rank = crank_rowspace_eliminate(window->space, window->values, window->scale,
                                                  weight, tolerance, preference);
        const double smallest = crank_rowspace_smallest(window->space, &row);
        if (rank > known && smallest < largest_remainder && !lowered) {
            tolerance = fmin(2.0 * smallest, largest_remainder);
        } else if (rank >= 0 && rank < known && !first && tolerance > least &&
                   tolerance <= redundant_tolerance) {
            tolerance = fmax(0.1 * tolerance, least);
            lowered = true;
        } else {
            return rank;
        }
        s->due = true; /* row spaces know the last elimination only, not what has been built */
    }
}

static crank_status rank_lost(crank_sparse_reduction *s, int w, bool first, crank_error *err)
{
    const crank_sparse_window *window = &s->window[w];
    const int *pivot = crank_rowspace_pivot(window->space),
              *reason = crank_rowspace_reason(window->space);
    char row[120] = "a constraint", other[120] = "the others";
    for (int i = 0; i < window->rows; i++) {
        if (pivot[i] < 0) {
            crank_eom_row_name(s->base.setup.eom, window->first_row + i, row, sizeof row);
            if (reason[i] >= 0) {
                crank_eom_row_name(s->base.setup.eom, window->first_row + reason[i], other,
                                   sizeof other);
            }
            break;
        }
    }
    return crank_fail(err, first ? CRANK_ERANK_MISMATCH : CRANK_ESINGULAR,
                      first ? "%s cannot be resolved for its own unknown (depends on %s)"
                            : "singular position: %s became dependent on %s",
                      row, other);
}

crank_status crank_sparse_eliminate(crank_sparse_reduction *s, double preference, bool first,
                                    crank_error *err)
{
    crank_reduction_state *state = &s->base.state;
    state->redundant = false;
    for (int w = 0; w < 2; w++) {
        crank_sparse_window *window = &s->window[w];
        const int name = CRANK_WINDOW_VELOCITY + w;
        for (int e = 0; e < window->start[window->rows]; e++) {
            window->values[e] = -s->jacobian[window->source[e]] *
                                s->unit[window->first_column + window->column[e]];
        }
        const int rank = eliminate(s, w, first, preference);
        if (rank < 0) {
            return crank_fail(err, CRANK_EMEM, "constraint window of %d rows", window->rows);
        }
        if (!first && rank < state->rank[name]) {
            return rank_lost(s, w, false, err);
        }
        if (!first && rank > state->rank[name]) {
            return crank_fail(err, CRANK_ERANK_CHANGED,
                              "the rank of the constraints rose from %d to %d on %s level",
                              state->rank[name], rank, w == 0 ? "velocity" : "position");
        }
        int row = -1;
        state->rank[name] = rank;
        state->smallest[name] = crank_rowspace_smallest(window->space, &row);
        state->redundant = state->redundant || rank < window->rows;
    }
    const int *pivot = crank_rowspace_pivot(s->window[1].space);
    for (int i = 0; i < s->base.setup.eom->sizes.s; i++) {
        if (pivot[i] < 0) { /* c_s singular */
            return rank_lost(s, 1, first, err);
        }
    }
    return CRANK_OK;
}

/* which rows and columns take part: s->kept, fixed, dependent */
static void choose_rows(crank_sparse_reduction *s)
{
    const crank_eom *eom = s->base.setup.eom;
    const int multipliers = eom->sizes.lambda + eom->sizes.mu;
    memset(s->fixed, 0, (size_t)s->n * sizeof(bool));
    memset(s->dependent, 0, (size_t)s->n * sizeof(bool));
    for (int i = 0; i < eom->m; i++) {
        s->kept[i] = i < eom->row[CRANK_ROW_E] || i >= eom->row[CRANK_ROW_C];
    }
    for (int w = 0; w < 2; w++) {
        const crank_sparse_window *window = &s->window[w];
        const int *pivot = crank_rowspace_pivot(window->space);
        for (int i = 0; i < window->rows; i++) {
            if (pivot[i] >= 0) {
                s->dependent[window->first_column + pivot[i]] = true;
                continue;
            }
            s->kept[window->first_row + i] = false;
            if (w == 0 && i < multipliers) { /* gI, h rows are in the order of lambda, mu */
                s->kept[eom->row[CRANK_ROW_GII] + i] = false;
                s->fixed[eom->column[CRANK_LAMBDA] + i] = true;
            }
        }
    }
}

/* the differential row that belongs to a column, -1 for w, lambda, mu, s */
static int differential_row(const crank_eom *eom, int j)
{
    if (j >= eom->column[CRANK_R] && j < eom->column[CRANK_V]) {
        return eom->row[CRANK_ROW_B] + j - eom->column[CRANK_R];
    }
    if (j >= eom->column[CRANK_V] && j < eom->column[CRANK_S]) {
        return eom->row[CRANK_ROW_DYN] + j - eom->column[CRANK_V];
    }
    if (j >= eom->column[CRANK_P]) {
        return eom->row[CRANK_ROW_KIN] + j - eom->column[CRANK_P];
    }
    return -1;
}

/* A zero-free diagonal: every kept row gets the number of a column in which it has an entry.
 * Constraints take their pivots, acceleration rows their multipliers; where accelerations are
 * carried, lambda_i has no entry in gII_i: then gII_i takes the acceleration of its velocity
 * pivot, whose row takes lambda_i. The matching that KLU's block triangular form needs is then
 * found at once. */
static void number_rows(const crank_sparse_reduction *s, crank_square *square, bool newton)
{
    const crank_eom *eom = s->base.setup.eom;
    const crank_eom_sizes *sizes = &eom->sizes;
    const int multipliers = sizes->lambda + sizes->mu;
    const int *velocity = crank_rowspace_pivot(s->window[0].space);
    const bool carried = eom->carried != NULL && sizes->v > 0 && sizes->w >= sizes->v &&
                         eom->carried[sizes->w - 1];
    for (int i = 0; i < eom->m; i++) {
        square->place[i] = -1;
    }
    for (int i = 0; i < sizes->w; i++) {
        square->place[eom->row[CRANK_ROW_D] + i] = eom->column[CRANK_W] + i;
    }
    for (int i = 0; i < multipliers; i++) {
        const int row = eom->row[CRANK_ROW_GII] + i, column = eom->column[CRANK_LAMBDA] + i;
        if (!s->kept[row]) {
            continue;
        }
        square->place[row] = column;
        if (carried && velocity[i] >= 0) {
            const int w = sizes->w - sizes->v + velocity[i];
            square->place[row] = eom->column[CRANK_W] + w;
            square->place[eom->row[CRANK_ROW_D] + w] = column;
        }
    }
    for (int w = 0; w < 2; w++) {
        const crank_sparse_window *window = &s->window[w];
        const int *pivot = crank_rowspace_pivot(window->space);
        for (int i = 0; i < window->rows; i++) {
            square->place[window->first_row + i] =
                pivot[i] >= 0 ? window->first_column + pivot[i] : -1;
        }
    }
    for (int i = 0; i < s->invariants && newton; i++) {
        square->place[s->base.setup.window[CRANK_WINDOW_INVARIANT].row + i] =
            s->invariant_pivot[i];
    }
    for (int j = 0; j < s->n; j++) {
        const int d = differential_row(eom, j);
        const bool used = d >= 0 && !s->dependent[j];
        square->unit[j] = s->fixed[j] || (used && !newton) ? j : -1;
        if (used && newton) {
            square->place[d] = j;
        }
    }
}

static void put(crank_square *square, int *at, int row, int jacobian, int lead)
{
    square->row[*at] = row;
    square->jacobian[*at] = jacobian;
    square->lead[*at] = lead;
    (*at)++;
}

/* the diagonal entry first: KLU takes rows in any order and matches the first one it finds */
static void diagonal_first(crank_square *square, int first, int end, int j)
{
    for (int e = first + 1; e < end; e++) {
        if (square->row[e] == j) {
            const int row = square->row[e], jacobian = square->jacobian[e],
                      lead = square->lead[e];
            square->row[e] = square->row[first];
            square->jacobian[e] = square->jacobian[first];
            square->lead[e] = square->lead[first];
            square->row[first] = row;
            square->jacobian[first] = jacobian;
            square->lead[first] = lead;
            return;
        }
    }
}

/* the pattern and its maps, from place and unit */
void crank_square_write(const crank_sparse_reduction *s, crank_square *square)
{
    const crank_eom *eom = s->base.setup.eom;
    const crank_pattern *J = s->pattern;
    int at = 0;
    for (int j = 0; j < s->n; j++) {
        const int d = differential_row(eom, j);
        bool lead_written = d < 0 || square->place[d] < 0;
        square->start[j] = at;
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            const int row = square->place[J->row[e]];
            if (row >= 0) {
                const bool same = J->row[e] == d;
                put(square, &at, row, e, same ? d - s->mC : -1);
                lead_written = lead_written || same;
            }
        }
        if (!lead_written) {
            put(square, &at, square->place[d], -1, d - s->mC);
        }
        if (square->unit[j] >= 0) {
            put(square, &at, square->unit[j], -1, -2);
        }
        diagonal_first(square, square->start[j], at, j);
    }
    square->start[s->n] = at;
    square->special_count = 0;
    for (int e = 0; e < at; e++) {
        if (square->lead[e] != -1) {
            square->special[square->special_count++] = e;
        }
    }
}

/* Pivots of the constraints change every few steps, and with them the pattern, unless they are
 * bound to a choice. */
crank_status crank_square_create(const crank_sparse_reduction *s, crank_square *square,
                                 bool newton, crank_error *err)
{
    const crank_linear_algebra wish = s->base.setup.options.linear_algebra;
    const bool tree = s->base.setup.recursion != NULL && s->invariants == 0;
    return crank_solver_create(
        &(crank_solver_setup){.wish = wish == CRANK_LINALG_AUTO ? CRANK_LINALG_SPARSE : wish,
                              .n = s->n,
                              .start = square->start,
                              .row = square->row,
                              .shifts = newton ? CRANK_MAX_SHIFTS : 1,
                              .real = !newton,
                              .short_lived = s->base.setup.form != CRANK_FORM_PARTITIONED,
                              .recursion = tree ? s->base.setup.eom->recursion : NULL,
                              .recursion_values =
                                  s->turned != NULL ? s->turned : s->base.setup.recursion,
                              .recursion_row = square->place},
        &square->matrix, err);
}

static void forget_matrix(crank_sparse_reduction *s, crank_square *square)
{
    s->searches_before += crank_solver_pivot_searches(square->matrix);
    crank_solver_destroy(square->matrix);
    square->matrix = NULL;
}

crank_status crank_sparse_analyse(crank_sparse_reduction *s, crank_square *square, bool newton,
                                  crank_error *err)
{
    crank_square_write(s, square);
    s->base.setup.statistics->analyses++;
    return crank_square_create(s, square, newton, err);
}

/* gradient of invariant i with the constraints eliminated, on the free columns: a transposed
 * solve with the projection, over unknowns of size one. Returns the largest entry of the full
 * gradient. */
static double reduced_gradient(crank_sparse_reduction *s, int i)
{
    const crank_eom *eom = s->base.setup.eom;
    const crank_pattern *J = s->pattern;
    const int row = s->base.setup.window[CRANK_WINDOW_INVARIANT].row + i;
    double *g = s->gradient + (long)i * s->n, size = 0.0;
    memset(s->vector, 0, (size_t)s->n * sizeof *s->vector);
    for (int j = eom->column[CRANK_V]; j < s->n; j++) {
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            if (J->row[e] == row) {
                s->vector[j] = -s->jacobian[e];
                size = fmax(size, fabs(s->jacobian[e]) * s->unit[j]);
            }
        }
    }
    crank_solver_solve_transposed(s->projection.matrix, 0, s->vector);
    for (int j = 0; j < s->n; j++) {
        const bool free_column =
            s->projection.unit[j] >= 0 && !s->fixed[j] && j >= eom->column[CRANK_V];
        g[j] = free_column ? s->vector[s->projection.unit[j]] * s->unit[j] : 0.0;
    }
    return size;
}

/* A free column for each invariant: Gaussian elimination on the reduced gradients, keeping
 * earlier choices that are good enough. true: a choice changed. */
static bool choose_invariant_columns(crank_sparse_reduction *s)
{
    bool changed = false;
    for (int i = 0; i < s->invariants; i++) {
        const double size = reduced_gradient(s, i);
        double *work = s->eliminated + (long)i * s->n;
        memcpy(work, s->gradient + (long)i * s->n, (size_t)s->n * sizeof *work);
        for (int k = 0; k < i; k++) {
            const int column = s->invariant_pivot[k];
            const double *other = s->eliminated + (long)k * s->n;
            const double factor = column >= 0 ? work[column] / other[column] : 0.0;
            for (int j = 0; j < s->n && factor != 0.0; j++) {
                work[j] = j == column ? 0.0 : work[j] - factor * other[j];
            }
        }
        int best = 0;
        for (int j = 1; j < s->n; j++) {
            best = fabs(work[j]) > fabs(work[best]) ? j : best;
        }
        const int old = s->built ? s->invariant_pivot[i] : -1;
        const bool keep = old >= 0 && fabs(work[old]) > 0.1 * fabs(work[best]) &&
                          fabs(work[old]) > 1e-6 * size;
        const int pivot = keep ? old : fabs(work[best]) > 1e-6 * size ? best : -1;
        s->base.setup.statistics->invariants_dropped += pivot < 0;
        changed = changed || pivot != s->invariant_pivot[i];
        s->invariant_pivot[i] = pivot;
    }
    return changed;
}

crank_status crank_sparse_build(crank_sparse_reduction *s, crank_error *err)
{
    const int first = s->base.setup.window[CRANK_WINDOW_INVARIANT].row;
    crank_status status = CRANK_OK;
    const bool constraints = !s->built || s->due ||
                             crank_rowspace_changed(s->window[0].space) ||
                             crank_rowspace_changed(s->window[1].space);
    if (constraints) {
        choose_rows(s);
        number_rows(s, &s->projection, false);
        forget_matrix(s, &s->projection);
        s->built = false; /* until all is done */
        status = crank_sparse_analyse(s, &s->projection, false, err);
    }
    if (status == CRANK_OK) {
        status = crank_square_factor(s, &s->projection, 0, 0.0, 0.0, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    const bool invariants = s->invariants > 0 && choose_invariant_columns(s);
    if (!constraints && !invariants) {
        return CRANK_OK;
    }
    /* the Newton matrix: rows e come in, the rows of their columns go */
    choose_rows(s);
    for (int i = 0; i < s->invariants; i++) {
        if (s->invariant_pivot[i] >= 0) {
            s->kept[first + i] = true;
            s->dependent[s->invariant_pivot[i]] = true;
        }
    }
    number_rows(s, &s->newton, true);
    forget_matrix(s, &s->newton);
    s->base.setup.statistics->selector_updates++;
    s->newton_due = s->built = true;
    s->due = false;
    return CRANK_OK;
}

crank_status crank_square_factor(const crank_sparse_reduction *s, crank_square *square, int i,
                                 double re, double im, crank_error *err)
{
    const int entries = square->start[s->n];
    const bool complex_values = im != 0.0;
    double *values = crank_solver_values(square->matrix, i, complex_values);
    const double *J = s->jacobian;
    for (int e = 0; e < entries && !complex_values; e++) {
        values[e] = square->jacobian[e] >= 0 ? 0.0 - J[square->jacobian[e]] : 0.0;
    }
    for (int e = 0; e < entries && complex_values; e++) {
        values[2 * e] = square->jacobian[e] >= 0 ? 0.0 - J[square->jacobian[e]] : 0.0;
        values[2 * e + 1] = 0.0;
    }
    for (int k = 0; k < square->special_count; k++) {
        const int e = square->special[k], lead = square->lead[e];
        const double d = lead >= 0 ? s->lead[lead] : 0.0;
        double *at = values + (long)(complex_values ? 2 : 1) * e;
        at[0] = (lead == -2 ? 1.0 : at[0]) + re * d;
        if (complex_values) {
            at[1] = im * d;
        }
    }
    return crank_solver_factor(square->matrix, i, err);
}

void crank_square_destroy(crank_square *square)
{
    free(square->start);
    free(square->row);
    free(square->place);
    free(square->unit);
    free(square->jacobian);
    free(square->lead);
    free(square->special);
    crank_solver_destroy(square->matrix);
}
