/* form.c - residual and Jacobian of the index-2 and index-1 forms, see form.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "form.h"

#include <stdlib.h>
#include <string.h>

static void add_block(dae_form *form, const places *at, int row, int column, bool transposed)
{
    form->block[form->blocks++] =
        (block){at, row, column, transposed, take(at->count, sizeof(int))};
}

static int block_row(const block *part, int k)
{
    return part->row + (part->transposed ? part->at->column[k] : part->at->row[k]);
}

static int block_column(const block *part, int k)
{
    return part->column + (part->transposed ? part->at->row[k] : part->at->column[k]);
}

static int compare(const void *a, const void *b)
{
    const long first = *(const long *)a, second = *(const long *)b;
    return (first > second) - (first < second);
}

static void find_positions(dae_form *form, bool sparse)
{
    const long n = form->n;
    int total = 0, unique = 0;
    for (int b = 0; b < form->blocks; b++)
        total += form->block[b].at->count;
    long *all = take(total, sizeof *all);
    for (int b = 0, k = 0; b < form->blocks; b++)
        for (int i = 0; i < form->block[b].at->count; i++)
            all[k++] = block_column(&form->block[b], i) * n + block_row(&form->block[b], i);
    if (sparse) {
        qsort(all, (size_t)total, sizeof *all, compare);
        for (int i = 0; i < total; i++)
            if (i == 0 || all[i] != all[i - 1])
                all[unique++] = all[i];
        form->nonzeros = unique;
        form->start = take(form->n + 1, sizeof(int));
        form->row = take(unique, sizeof(int));
        for (int i = 0; i < unique; i++) {
            form->row[i] = (int)(all[i] % n);
            form->start[all[i] / n + 1]++;
        }
        for (int j = 0; j < form->n; j++)
            form->start[j + 1] += form->start[j];
    }
    for (int b = 0; b < form->blocks; b++)
        for (int i = 0; i < form->block[b].at->count; i++) {
            const long key =
                block_column(&form->block[b], i) * n + block_row(&form->block[b], i);
            const long *found =
                sparse ? bsearch(&key, all, (size_t)unique, sizeof *all, compare) : NULL;
            form->block[b].position[i] = (int)(sparse ? found - all : key);
        }
    free(all);
}

void form_create(dae_form *form, mechanics *problem, bool ggl, bool sparse)
{
    const int nq = problem->nq, nl = problem->nl;
    *form = (dae_form){.problem = problem, .ggl = ggl, .n = 2 * nq + (ggl ? 2 : 1) * nl};
    form->unit = places_diagonal(nq);
    int most = nq;
    const int counts[] = {problem->mass.count, problem->force_q.count, problem->force_v.count,
                          problem->jacobian.count, problem->hessian.count};
    for (int i = 0; i < 5; i++)
        most = counts[i] > most ? counts[i] : most;
    form->values = numbers(most);
    form->g = numbers(problem->jacobian.count);
    const int lambda = 2 * nq, mu = 2 * nq + nl;
    add_block(form, &form->unit, 0, 0, false);              /* 0: cj */
    add_block(form, &form->unit, 0, nq, false);             /* 1: -1 */
    add_block(form, &problem->force_q, nq, 0, false);       /* 2 */
    add_block(form, &problem->hessian, nq, 0, false);       /* 3: lambda */
    add_block(form, &problem->mass, nq, nq, false);         /* 4: cj M */
    add_block(form, &problem->force_v, nq, nq, false);      /* 5 */
    add_block(form, &problem->jacobian, nq, lambda, true);  /* 6: G^T */
    add_block(form, &problem->jacobian, lambda, 0, false);  /* 7: d(G v)/dq, d(G v' + c)/dq */
    add_block(form, &problem->jacobian, lambda, nq, false); /* 8: G, cj G + dc/dv */
    if (ggl) {
        add_block(form, &problem->hessian, 0, 0, false);   /* 9: mu */
        add_block(form, &problem->jacobian, 0, mu, true);  /* 10: G^T */
        add_block(form, &problem->jacobian, mu, 0, false); /* 11: G */
    }
    find_positions(form, sparse);
}

void form_destroy(dae_form *form)
{
    for (int b = 0; b < form->blocks; b++)
        free(form->block[b].position);
    places_free(&form->unit);
    free(form->values);
    free(form->g);
    free(form->start);
    free(form->row);
}

void form_residual(dae_form *form, double t, const double *y, const double *yp, double *r)
{
    mechanics *problem = form->problem;
    const int nq = problem->nq, nl = problem->nl;
    const double *v = y + nq, *a = yp + nq, *lambda = y + 2 * nq, *mu = lambda + nl;
    double *dynamic = r + nq, *level = r + 2 * nq;
    problem->place(problem, t, y);
    problem->force(problem, v, dynamic);
    for (int i = 0; i < nq; i++) {
        r[i] = yp[i] - v[i];
        dynamic[i] = -dynamic[i];
    }
    problem->mass_values(problem, form->values);
    for (int k = 0; k < problem->mass.count; k++)
        dynamic[problem->mass.row[k]] += form->values[k] * a[problem->mass.column[k]];
    problem->jacobian_values(problem, form->g);
    const places *at = &problem->jacobian;
    if (form->ggl) {
        for (int i = 0; i < nl; i++)
            level[i] = problem->rate ? problem->rate[i] : 0;
        problem->constraint(problem, level + nl);
    } else {
        problem->curvature(problem, v, level);
    }
    const double *along = form->ggl ? v : a;
    for (int k = 0; k < at->count; k++) {
        dynamic[at->column[k]] += form->g[k] * lambda[at->row[k]];
        level[at->row[k]] += form->g[k] * along[at->column[k]];
        if (form->ggl)
            r[at->column[k]] += form->g[k] * mu[at->row[k]];
    }
}

static void add(const dae_form *form, int b, const double *values, double factor, double *out)
{
    const block *part = &form->block[b];
    for (int k = 0; k < part->at->count; k++)
        out[part->position[k]] += factor * values[k];
}

static void add_same(const dae_form *form, int b, double value, double *out)
{
    for (int k = 0; k < form->block[b].at->count; k++)
        out[form->block[b].position[k]] += value;
}

void form_jacobian(dae_form *form, double t, double cj, const double *y, const double *yp,
                   double *out)
{
    mechanics *problem = form->problem;
    const int nq = problem->nq, nl = problem->nl;
    const double *v = y + nq, *a = yp + nq, *lambda = y + 2 * nq;
    double *values = form->values;
    memset(out, 0, (size_t)(form->start ? form->nonzeros : form->n * form->n) * sizeof *out);
    problem->place(problem, t, y);
    add_same(form, 0, cj, out);
    add_same(form, 1, -1, out);
    problem->force_q_values(problem, v, a, values);
    add(form, 2, values, 1, out);
    problem->curvature_sum(problem, lambda, values);
    add(form, 3, values, 1, out);
    problem->mass_values(problem, values);
    add(form, 4, values, cj, out);
    problem->force_v_values(problem, v, values);
    add(form, 5, values, 1, out);
    problem->jacobian_values(problem, form->g);
    add(form, 6, form->g, 1, out);
    add(form, 8, form->g, form->ggl ? 1 : cj, out);
    problem->curvature_rows(problem, v, values);
    add(form, form->ggl ? 7 : 8, values, form->ggl ? 1 : 2, out);
    if (form->ggl) {
        problem->curvature_sum(problem, lambda + nl, values);
        add(form, 9, values, 1, out);
        add(form, 10, form->g, 1, out);
        add(form, 11, form->g, 1, out);
    } else {
        problem->curvature_rows(problem, a, values);
        add(form, 7, values, 1, out);
        problem->third(problem, v, values);
        add(form, 7, values, 1, out);
    }
}
