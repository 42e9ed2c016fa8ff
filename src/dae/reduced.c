/* reduced.c - what is determined, what may be left out, and the regularised form, theory
 * (10.9).
 *
 * Undetermined are the directions in the kernel of [E; k_C,x]. An equation is redundant if the
 * procedure without it finds the same numbers of differential and algebraic equations and
 * points that satisfy the same constraints, hence locally the same solutions. */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae/reduced.h"
#include "base/then.h"

#include "dae/rank.h"

#include <math.h>
#include <string.h>

enum { SEARCH_LIMIT = 40 }; /* equations up to which the procedure is run again */

static crank_status no_memory(const crank_dae_procedure *p, crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "regularised form of %d equations", p->m);
}

static bool has_derivatives(const crank_dae_input *input, int equation)
{
    const size_t n = (size_t)input->variables;
    for (size_t j = 0; j < n; j++) {
        if (!crank_ex_is_value(input->pool, input->E[(size_t)equation * n + j], 0.0)) {
            return true;
        }
    }
    return false;
}

/* B = rows of [E; k_C,x] at the point that contain derivatives, times the kernel of k_C,x */
static crank_status select_differential(crank_dae_procedure *p, const double *stack,
                                        const crank_singular *constraints,
                                        crank_dae_reduced *reduced, double *B, crank_error *err)
{
    const int rows = p->m + p->constraint_count, first = constraints->rank;
    const int free_columns = p->n - first;
    for (int j = 0; j < free_columns; j++) {
        for (int i = 0; i < reduced->differential_count; i++) {
            double sum = 0.0;
            for (int q = 0; q < p->n; q++) {
                sum += stack[(size_t)reduced->differential[i] + (size_t)q * (size_t)rows] *
                       constraints->VT[(size_t)(first + j) + (size_t)q * (size_t)p->n];
            }
            B[(size_t)i + (size_t)j * (size_t)reduced->differential_count] = sum;
        }
    }
    return crank_dae_choose_rows(reduced->differential_count, free_columns, B,
                                 reduced->selected_differential_count,
                                 reduced->selected_differential, err);
}

crank_status crank_dae_reduce(crank_dae_procedure *p, crank_dae_report *report,
                              crank_error *err)
{
    crank_dae_reduced *r = &report->reduced;
    const int rows = p->m + p->constraint_count;
    const size_t m = (size_t)p->m, n = (size_t)p->n, count = (size_t)p->constraint_count;
    const crank_dae_level *last = &p->level[p->level_count - 1];
    crank_store work = {0};
    crank_singular svd = {0};
    r->differential = crank_store_take(p->store, m, sizeof *r->differential);
    r->selected_differential = crank_store_take(p->store, n, sizeof *r->selected_differential);
    r->selected_constraint = crank_store_take(p->store, n, sizeof *r->selected_constraint);
    double *stack = crank_store_take(&work, (size_t)rows * n, sizeof *stack);
    double *K = crank_store_take(&work, count * n, sizeof *K);
    double *B = crank_store_take(&work, m * n, sizeof *B);
    if (p->store->failed || work.failed) {
        crank_store_free(&work);
        return no_memory(p, err);
    }
    for (int i = 0; i < p->m; i++) {
        if (has_derivatives(p->input, i)) {
            r->differential[r->differential_count++] = i;
        }
    }
    r->constraint_count = p->constraint_count;
    r->constraint = p->constraint;
    r->constraint_level = p->constraint_level;
    r->constraint_equation = p->constraint_equation;
    r->selected_constraint_count = last->a.point;
    r->selected_differential_count = last->d_point;
    crank_dae_stack(p, 0, stack);
    for (size_t j = 0; j < n; j++) {
        memcpy(K + j * count, stack + j * (size_t)rows + m, count * sizeof *K);
    }
    crank_status status = crank_dae_choose_rows(p->constraint_count, p->n, K, last->a.point,
                                                r->selected_constraint, err);
    CRANK_THEN(status, crank_dae_singular(p->constraint_count, p->n, K, &svd, err));
    CRANK_THEN(status, select_differential(p, stack, &svd, r, B, err));
    crank_singular_destroy(&svd);
    crank_store_free(&work);
    return status;
}

crank_status crank_dae_find_undetermined(crank_dae_procedure *p, crank_dae_report *report,
                                         crank_error *err)
{
    const int rows = p->m + p->constraint_count, n = p->n;
    crank_store work = {0};
    crank_singular svd = {0};
    report->undetermined = crank_store_take(p->store, (size_t)n, sizeof *report->undetermined);
    report->freedom = crank_store_take(p->store, (size_t)n, sizeof *report->freedom);
    double *stack = crank_store_take(&work, (size_t)rows * (size_t)n, sizeof *stack);
    double *kernel = crank_store_take(&work, (size_t)n * (size_t)n, sizeof *kernel);
    if (p->store->failed || work.failed) {
        crank_store_free(&work);
        return no_memory(p, err);
    }
    crank_dae_stack(p, 0, stack);
    crank_status status = crank_dae_singular(rows, n, stack, &svd, err);
    const int free_columns = n - svd.rank;
    for (int j = 0; j < n && status == CRANK_OK; j++) {
        double share = 0.0;
        for (int q = 0; q < free_columns; q++) {
            const double part = svd.VT[(size_t)(svd.rank + q) + (size_t)j * (size_t)n];
            kernel[(size_t)j + (size_t)q * (size_t)n] = part;
            share += part * part;
        }
        report->freedom[j] = share > 1e-12 ? share : 0.0;
    }
    report->undetermined_count = free_columns;
    CRANK_THEN(status, crank_dae_choose_rows(n, free_columns, kernel, free_columns,
                                             report->undetermined, err));
    crank_singular_destroy(&svd);
    crank_store_free(&work);
    return status;
}

/* Do points of another run satisfy the constraints of p? */
static bool satisfied(crank_dae_procedure *p, const crank_dae_points *points)
{
    for (int q = 0; q < CRANK_DAE_POINTS; q++) {
        if (!points->used[q] || p->constraint_count == 0) {
            continue;
        }
        (void)crank_dae_system_evaluate(&p->set, crank_dae_point(points, q), points->t[q]);
        for (int i = 0; i < p->constraint_count; i++) {
            const double size = crank_dae_system_size(&p->set, i) + p->set.scale[i];
            if (!(fabs(p->set.f[i]) <= CRANK_DAE_ZERO_TOLERANCE * size)) {
                return false;
            }
        }
    }
    return true;
}

/* The procedure without the equations marked: are numbers and constraints the same? */
static crank_status same_without(crank_dae_procedure *p, const bool *left_out, int *rest,
                                 bool *same, crank_error *err)
{
    const crank_dae_level *last = &p->level[p->level_count - 1];
    crank_store store = {0};
    crank_dae_procedure again = {0};
    int count = 0;
    for (int i = 0; i < p->m; i++) {
        if (!left_out[i]) {
            rest[count++] = i;
        }
    }
    if (count == 0) {
        *same = last->r.most == 0;
        return CRANK_OK;
    }
    const crank_status status =
        crank_dae_procedure_run(&again, p->input, p->unit, count, rest, &store, err);
    *same = status == CRANK_OK && again.outcome == CRANK_DAE_COMPLETE &&
            again.level[again.level_count - 1].r.most == last->r.most &&
            again.level[again.level_count - 1].a.most == last->a.most &&
            satisfied(p, &again.points);
    crank_dae_procedure_destroy(&again);
    crank_store_free(&store);
    return status;
}

crank_status crank_dae_find_redundant(crank_dae_procedure *p, crank_dae_report *report,
                                      crank_error *err)
{
    const crank_dae_level *last = &p->level[p->level_count - 1];
    crank_status status = CRANK_OK;
    bool *left_out = crank_store_take(p->store, (size_t)p->m, sizeof *left_out);
    int *rest = crank_store_take(p->store, (size_t)p->m, sizeof *rest);
    report->redundant = crank_store_take(p->store, (size_t)p->m, sizeof *report->redundant);
    if (p->store->failed) {
        return no_memory(p, err);
    }
    /* rows that became trivial first, from the last on; then all others */
    for (int pass = 0; pass < 2; pass++) {
        for (int i = p->m - 1; i >= 0 && status == CRANK_OK; i--) {
            bool trivial = false, same = p->m > SEARCH_LIMIT;
            for (int c = 0; c < last->m2; c++) {
                trivial = trivial || last->constraint[c].equation == i;
            }
            if (left_out[i] || trivial != (pass == 0) ||
                report->redundant_count >= p->m - last->r.most) {
                continue;
            }
            left_out[i] = true;
            if (!same) {
                status = same_without(p, left_out, rest, &same, err);
            }
            left_out[i] = same;
            report->redundant_count += same ? 1 : 0;
        }
    }
    int count = 0;
    for (int i = 0; i < p->m; i++) {
        if (left_out[i]) {
            report->redundant[count++] = i;
        }
    }
    return status;
}
