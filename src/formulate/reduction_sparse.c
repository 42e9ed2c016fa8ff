/* reduction_sparse.c - factor and solve with the sparse realisation; see reduction_sparse.h.
 *
 * Values are refilled through maps; the shifts of a Newton matrix share its pattern. The
 * projection onto the constraints has its own factorisation, which does not depend on the step
 * size and falls apart into the three constraint levels by its block triangular form. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/reduction_sparse.h"
#include "base/then.h"

#include "linalg/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void update_lead(crank_sparse_reduction *s, const double *mass)
{
    const crank_eom *eom = s->base.setup.eom;
    const int dynamic = eom->row[CRANK_ROW_DYN] - s->mC;
    for (int i = 0; i < s->mD; i++) {
        s->lead[i] = 1.0;
    }
    for (int j = 0; j < eom->sizes.v && mass != NULL; j++) {
        for (int e = eom->mass_pattern.start[j]; e < eom->mass_pattern.start[j + 1]; e++) {
            s->lead[dynamic + j] =
                eom->mass_pattern.row[e] == j ? mass[e] : s->lead[dynamic + j];
        }
    }
}

static void count_pivot_searches(crank_sparse_reduction *s)
{
    s->base.setup.statistics->pivot_searches =
        s->searches_before + crank_solver_pivot_searches(s->newton.matrix) +
        crank_solver_pivot_searches(s->projection.matrix);
}

/* in the axes of the chart, where there is one */
static void take_jacobian(crank_sparse_reduction *s, const double *jacobian)
{
    const crank_reduction_setup *setup = &s->base.setup;
    if (s->chart == NULL) {
        s->jacobian = jacobian;
        return;
    }
    crank_chart_update(s->chart, jacobian);
    crank_chart_measure(s->chart, setup->unit, setup->column_weight, s->chart_unit,
                        s->chart_weight);
    if (setup->form == CRANK_FORM_PARTITIONED) {
        memcpy(s->chart_weight, setup->column_weight, (size_t)s->n * sizeof *s->chart_weight);
    }
    if (s->turned != NULL) {
        const crank_recursion *tree = setup->eom->recursion;
        crank_recursion_copy(tree, setup->recursion, s->turned);
        for (int l = 0; l < tree->count; l++) {
            if (tree->link[l].np > 1) {
                crank_chart_turn(s->chart, tree->link[l].p, s->turned[l].turn);
            }
        }
    }
}

static crank_status decompose(crank_reduction *base, const double *jacobian, const double *mass,
                              bool first, crank_error *err)
{
    crank_sparse_reduction *s = (crank_sparse_reduction *)base;
    take_jacobian(s, jacobian);
    s->due = s->due || base->setup.options.selector_update == CRANK_SELECTOR_EVERY_STEP;
    crank_sparse_scale_rows(s);
    update_lead(s, mass);
    const double keep =
        base->state.redundant ? base->setup.keep_redundant : base->setup.keep_pivot;
    crank_status status = crank_sparse_eliminate(s, s->due ? 1.0 : keep, first, err);
    if (status == CRANK_OK && first && base->state.redundant) {
        crank_log_write(
            &base->setup.log, CRANK_INFO,
            "constraints are redundant: %d of %d are independent; the others are left out step "
            "by step",
            base->state.rank[CRANK_WINDOW_VELOCITY], s->window[0].rows);
    }
    CRANK_THEN(status, crank_sparse_build(s, err));
    count_pivot_searches(s);
    if (status > CRANK_OK) { /* singular although the constraints are independent */
        return crank_fail(
            err, first ? CRANK_ERANK_MISMATCH : CRANK_ESINGULAR,
            "the acceleration level does not determine w, lambda and mu (mass matrix or d_w "
            "singular?)");
    }
    return status;
}

static crank_status factor(crank_reduction *base, int count, const double *sigma_real,
                           const double *sigma_imag, crank_error *err)
{
    crank_sparse_reduction *s = (crank_sparse_reduction *)base;
    crank_status status = CRANK_OK;
    if (s->due || !s->built) {
        status = crank_sparse_eliminate(s, 1.0, false, err);
        CRANK_THEN(status, crank_sparse_build(s, err));
    }
    if (status == CRANK_OK && s->newton_due) {
        status = crank_sparse_analyse(s, &s->newton, true, err);
        s->newton_due = status != CRANK_OK;
    }
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        status = crank_square_factor(s, &s->newton, i, sigma_real[i], sigma_imag[i], err);
    }
    s->due = s->due || status > CRANK_OK;
    count_pivot_searches(s);
    return status;
}

/* rows of k at their places in the Newton matrix */
static void place_rows(const crank_sparse_reduction *s, const double *r, double *out)
{
    const int m = s->base.setup.eom->m, *place = s->newton.place;
    memset(out, 0, (size_t)s->n * sizeof *out);
    for (int i = 0; i < m; i++) {
        if (place[i] >= 0) {
            out[place[i]] = r[i];
        }
    }
    if (s->chart != NULL) {
        crank_chart_place(s->chart, r, place, out);
    }
}

static void solve(crank_reduction *base, int shift, const double *r_real, const double *r_imag,
                  double *delta_real, double *delta_imag)
{
    crank_sparse_reduction *s = (crank_sparse_reduction *)base;
    place_rows(s, r_real, delta_real);
    if (r_imag != NULL) {
        place_rows(s, r_imag, delta_imag);
    }
    crank_solver_solve(s->newton.matrix, shift, delta_real, r_imag != NULL ? delta_imag : NULL,
                       delta_real, delta_imag);
    if (s->chart != NULL) {
        crank_chart_columns(s->chart, delta_real);
    }
    if (s->chart != NULL && r_imag != NULL) {
        crank_chart_columns(s->chart, delta_imag);
    }
}

/* the invariants' free columns z: gradient_J z = k_e - gradient of the particular solution */
static void border(crank_sparse_reduction *s, const double *k, const double *delta)
{
    const crank_eom *eom = s->base.setup.eom;
    const crank_pattern *J = s->pattern;
    const int first = s->base.setup.window[CRANK_WINDOW_INVARIANT].row, count = s->invariants;
    memcpy(s->border_rhs, k + first, (size_t)count * sizeof(double));
    for (int j = eom->column[CRANK_V]; j < s->n; j++) {
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            if (J->row[e] >= first && J->row[e] < first + count) {
                s->border_rhs[J->row[e] - first] += s->jacobian[e] * delta[j];
            }
        }
    }
    for (int i = 0; i < count; i++) {
        for (int k2 = 0; k2 < count; k2++) {
            const int column = s->invariant_pivot[k2];
            const bool dropped = column < 0 || s->invariant_pivot[i] < 0;
            s->border[i + (long)k2 * count] =
                dropped ? (i == k2 ? 1.0 : 0.0) : s->gradient[column + (long)i * s->n];
        }
        s->border_rhs[i] = s->invariant_pivot[i] < 0 ? 0.0 : s->border_rhs[i];
    }
    if (crank_lu_factor(count, s->border, count, s->border_pivot)) {
        crank_lu_solve(count, s->border, count, s->border_pivot, s->border_rhs);
    } else {
        memset(s->border_rhs, 0, (size_t)count * sizeof(double));
    }
}

static void project_in_axes(crank_sparse_reduction *s, const double *k_algebraic, double *delta)
{
    memset(delta, 0, (size_t)s->n * sizeof *delta);
    for (int i = 0; i < s->mC; i++) {
        if (s->projection.place[i] >= 0) {
            delta[s->projection.place[i]] = k_algebraic[i];
        }
    }
    crank_solver_solve(s->projection.matrix, 0, delta, NULL, delta, NULL);
    if (s->invariants == 0) {
        return;
    }
    border(s, k_algebraic, delta);
    memset(s->vector, 0, (size_t)s->n * sizeof *s->vector);
    for (int i = 0; i < s->invariants; i++) {
        if (s->invariant_pivot[i] >= 0) {
            s->vector[s->projection.unit[s->invariant_pivot[i]]] = s->border_rhs[i];
        }
    }
    crank_solver_solve(s->projection.matrix, 0, s->vector, NULL, s->vector, NULL);
    for (int j = 0; j < s->n; j++) {
        delta[j] += s->vector[j];
    }
}

static void project(crank_reduction *base, const double *k_algebraic, double *delta)
{
    crank_sparse_reduction *s = (crank_sparse_reduction *)base;
    if (!s->built) { /* the last decomposition failed: nothing to project with */
        for (int j = 0; j < s->n; j++) {
            delta[j] = (double)NAN;
        }
        return;
    }
    project_in_axes(s, k_algebraic, delta);
    if (s->chart != NULL) {
        crank_chart_columns(s->chart, delta);
    }
}

static void selectors_due(crank_reduction *base)
{
    ((crank_sparse_reduction *)base)->due = true;
}

static void explain(const crank_reduction *base, int w, char *text, size_t size)
{
    const crank_sparse_reduction *s = (const crank_sparse_reduction *)base;
    const crank_sparse_window *window = &s->window[w - CRANK_WINDOW_VELOCITY];
    int row = -1;
    (void)crank_rowspace_smallest(window->space, &row);
    text[0] = '\0';
    if (row >= 0) {
        row = crank_reduction_blamed_row(base->setup.eom, window->first_row + row);
        crank_eom_row_name(base->setup.eom, row, text, size);
    }
}

static void destroy(crank_reduction *base)
{
    crank_sparse_reduction *s = (crank_sparse_reduction *)base;
    if (s == NULL) {
        return;
    }
    for (int w = 0; w < 2; w++) {
        crank_sparse_window *window = &s->window[w];
        free(window->start);
        free(window->column);
        free(window->source);
        free(window->values);
        free(window->scale);
        crank_rowspace_destroy(window->space);
    }
    crank_chart_destroy(s->chart);
    crank_square_destroy(&s->newton);
    crank_square_destroy(&s->projection);
    void *const blocks[] = {s->lead,         s->kept,         s->fixed,      s->dependent,
                            s->vector,       s->gradient,     s->eliminated, s->invariant_pivot,
                            s->border,       s->border_pivot, s->border_rhs, s->chart_unit,
                            s->chart_weight, s->turned};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        free(blocks[i]);
    }
    free(s);
}

void crank_reduction_sparse_follow(crank_reduction *self, const crank_reduction *of)
{
    crank_sparse_reduction *s = (crank_sparse_reduction *)self;
    if (s->chart != NULL) {
        crank_chart_follow(s->chart, ((const crank_sparse_reduction *)of)->chart);
    }
}

static void *take(size_t count, size_t size)
{
    return calloc(count > 0 ? count : 1, size);
}

static bool allocate_square(crank_square *square, int n, int m, int entries)
{
    square->place = take((size_t)m, sizeof(int));
    square->unit = take((size_t)n, sizeof(int));
    square->start = take((size_t)n + 1, sizeof(int));
    square->row = take((size_t)entries, sizeof(int));
    square->jacobian = take((size_t)entries, sizeof(int));
    square->lead = take((size_t)entries, sizeof(int));
    square->special = take(2 * (size_t)n, sizeof(int)); /* at most two a column */
    return square->special && square->place && square->unit && square->start && square->row &&
           square->jacobian && square->lead;
}

static bool allocate(crank_sparse_reduction *s)
{
    const size_t n = (size_t)s->n, count = (size_t)s->invariants;
    s->lead = take((size_t)s->mD, sizeof(double));
    s->kept = take((size_t)s->base.setup.eom->m, sizeof(bool));
    s->fixed = take(n, sizeof(bool));
    s->dependent = take(n, sizeof(bool));
    s->vector = take(n, sizeof(double));
    s->gradient = take(n * count, sizeof(double));
    s->eliminated = take(n * count, sizeof(double));
    s->invariant_pivot = take(count, sizeof(int));
    s->border = take(count * count, sizeof(double));
    s->border_pivot = take(count, sizeof(int));
    s->border_rhs = take(count, sizeof(double));
    s->chart_unit = take(n, sizeof(double));
    s->chart_weight = take(n, sizeof(double));
    const bool turns = s->chart != NULL && s->base.setup.recursion != NULL;
    if (turns) {
        s->turned = take(crank_recursion_size(s->base.setup.eom->recursion), sizeof *s->turned);
    }
    return (s->turned != NULL || !turns) && s->lead && s->kept && s->fixed && s->dependent &&
           s->vector && s->gradient && s->eliminated && s->invariant_pivot && s->border &&
           s->border_pivot && s->border_rhs && s->chart_unit && s->chart_weight &&
           allocate_square(&s->newton, s->n, s->base.setup.eom->m, s->entries) &&
           allocate_square(&s->projection, s->n, s->base.setup.eom->m, s->entries);
}

crank_status crank_reduction_sparse_create(const crank_reduction_setup *setup,
                                           crank_reduction **out, crank_error *err)
{
    *out = NULL;
    crank_sparse_reduction *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return crank_fail(err, CRANK_EMEM, "sparse decomposition of %d unknowns",
                          setup->eom->n);
    }
    s->base = (crank_reduction){.setup = *setup,
                                .decompose = decompose,
                                .factor = factor,
                                .solve = solve,
                                .project = project,
                                .selectors_due = selectors_due,
                                .explain = explain,
                                .archive = crank_sparse_reduction_archive,
                                .destroy = destroy};
    s->n = setup->eom->n;
    s->mC = setup->algebraic_rows;
    s->mD = setup->eom->m - s->mC;
    s->invariants = setup->window[CRANK_WINDOW_INVARIANT].row_end -
                    setup->window[CRANK_WINDOW_INVARIANT].row;
    crank_status status = crank_chart_create(setup->eom, &s->chart, err);
    s->pattern =
        s->chart != NULL ? crank_chart_pattern(s->chart) : &setup->eom->jacobian_pattern;
    s->entries = s->pattern->start[s->n] + 2 * s->n;
    if (status == CRANK_OK && !allocate(s)) {
        status = crank_fail(err, CRANK_EMEM, "sparse decomposition of %d unknowns", s->n);
    }
    if (status == CRANK_OK) {
        s->base.state.fixed = s->fixed;
        s->jacobian = s->chart != NULL ? crank_chart_values(s->chart) : NULL;
        s->unit = s->chart != NULL ? s->chart_unit : setup->unit;
        s->weight = s->chart != NULL ? s->chart_weight : setup->column_weight;
        status = crank_sparse_windows_create(s, err);
    }
    if (status != CRANK_OK) {
        destroy(&s->base);
        return status;
    }
    *out = &s->base;
    return CRANK_OK;
}
