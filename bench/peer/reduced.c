/* reduced.c - the index-1 reduced equations and the projection, see reduced.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "reduced.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void find_products(reduced *self)
{
    const places *at = &self->problem->jacobian;
    const int nq = self->problem->nq, width = self->problem->band + 1;
    int *start = take(nq + 2, sizeof *start), *entry = take(at->count, sizeof *entry);
    for (int k = 0; k < at->count; k++)
        start[at->column[k] + 2]++;
    for (int j = 0; j < nq; j++)
        start[j + 2] += start[j + 1];
    for (int k = 0; k < at->count; k++)
        entry[start[at->column[k] + 1]++] = k;
    for (int pass = 0; pass < 2; pass++) {
        int count = 0;
        for (int j = 0; j < nq; j++)
            for (int a = start[j]; a < start[j + 1]; a++)
                for (int b = start[j]; b < start[j + 1]; b++) {
                    const int row = at->row[entry[a]], column = at->row[entry[b]];
                    if (row < column)
                        continue;
                    if (pass) {
                        self->product_at[count] = column * width + row - column;
                        self->first[count] = entry[a];
                        self->second[count] = entry[b];
                        self->product_column[count] = j;
                    }
                    count++;
                }
        if (!pass) {
            self->products = count;
            self->product_at = take(count, sizeof(int));
            self->first = take(count, sizeof(int));
            self->second = take(count, sizeof(int));
            self->product_column = take(count, sizeof(int));
        }
    }
    free(start);
    free(entry);
}

static void invert_mass(reduced *self)
{
    self->problem->mass_values(self->problem, self->mass);
    for (int i = 0; i < self->problem->nq; i++)
        self->mass[i] = 1 / self->mass[i];
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

reduced *reduced_create(mechanics *problem)
{
    const int nq = problem->nq, nl = problem->nl;
    reduced *self = take(1, sizeof *self);
    self->problem = problem;
    self->mass = numbers(problem->diagonal ? nq : nq * nq);
    self->g = numbers(problem->jacobian.count);
    self->s = numbers(nl * (problem->band + 1));
    self->f = numbers(nq);
    self->c = numbers(nl);
    self->work = numbers(nq);
    self->a = numbers(nq);
    self->lambda = numbers(nl);
    self->values = numbers(larger(
        larger(problem->force_q.count, problem->force_v.count),
        larger(larger(problem->hessian.count, problem->mass.count), problem->jacobian.count)));
    if (problem->diagonal) {
        problem->place(problem, 0, problem->q0);
        invert_mass(self);
        find_products(self);
    } else {
        self->dense = numbers(nl * nq);
        self->half = numbers(nl * nq);
    }
    return self;
}

void reduced_destroy(reduced *self)
{
    if (!self)
        return;
    void *const memory[] = {self->mass,       self->g,     self->dense,  self->half,
                            self->s,          self->f,     self->c,      self->work,
                            self->product_at, self->first, self->second, self->product_column,
                            self->values,     self->a,     self->lambda, self};
    for (unsigned i = 0; i < sizeof memory / sizeof *memory; i++)
        free(memory[i]);
}

/* Cholesky factor of a banded matrix in place, the diagonal inverted; entry (i, j) at j*width +
 * i - j. false: not positive definite to working precision. */
static bool band_factor(double *s, int n, int band)
{
    const int width = band + 1;
    for (int j = 0; j < n; j++) {
        double *column = s + j * width;
        const int below = n - 1 - j < band ? n - 1 - j : band;
        const double before = column[0];
        for (int k = j - band < 0 ? 0 : j - band; k < j; k++) {
            const double *other = s + k * width + (j - k);
            const int reach = k + band < j + below ? k + band - j : below;
            for (int i = 0; i <= reach; i++)
                column[i] -= other[0] * other[i];
        }
        if (!(column[0] > 1e-14 * before))
            return false;
        column[0] = 1 / sqrt(column[0]);
        for (int i = 1; i <= below; i++)
            column[i] *= column[0];
    }
    return true;
}

static void band_solve(const double *s, int n, int band, double *x)
{
    const int width = band + 1;
    for (int j = 0; j < n; j++) {
        const int below = n - 1 - j < band ? n - 1 - j : band;
        x[j] *= s[j * width];
        for (int i = 1; i <= below; i++)
            x[j + i] -= s[j * width + i] * x[j];
    }
    for (int j = n - 1; j >= 0; j--) {
        const int below = n - 1 - j < band ? n - 1 - j : band;
        for (int i = 1; i <= below; i++)
            x[j] -= s[j * width + i] * x[j + i];
        x[j] *= s[j * width];
    }
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* M = L L^T (by columns of n, lower half, the diagonal inverted); nothing beyond the band */
static bool mass_factor(double *m, int n, int band)
{
    for (int j = 0; j < n; j++) {
        for (int k = larger(0, j - band); k < j; k++)
            for (int i = j; i < smaller(n, k + band + 1); i++)
                m[j * n + i] -= m[k * n + i] * m[k * n + j];
        if (!(m[j * n + j] > 0))
            return false;
        m[j * n + j] = 1 / sqrt(m[j * n + j]);
        for (int i = j + 1; i < smaller(n, j + band + 1); i++)
            m[j * n + i] *= m[j * n + j];
    }
    return true;
}

static void mass_forward(const double *m, int n, int band, double *x)
{
    for (int j = 0; j < n; j++) {
        const int end = smaller(n, j + band + 1);
        x[j] *= m[j * n + j];
        for (int i = j + 1; i < end; i++)
            x[i] -= m[j * n + i] * x[j];
    }
}

static void mass_backward(const double *m, int n, int band, double *x)
{
    for (int j = n - 1; j >= 0; j--) {
        const int end = smaller(n, j + band + 1);
        for (int i = j + 1; i < end; i++)
            x[j] -= m[j * n + i] * x[i];
        x[j] *= m[j * n + j];
    }
}

static int mass_band(const reduced *self)
{
    return self->problem->mass_band ? self->problem->mass_band : self->problem->nq;
}

static bool factor_full(reduced *self)
{
    mechanics *problem = self->problem;
    const int nq = problem->nq, nl = problem->nl, width = problem->band + 1;
    memset(self->mass, 0, (size_t)(nq * nq) * sizeof(double));
    problem->mass_values(problem, self->values);
    for (int k = 0; k < problem->mass.count; k++)
        self->mass[problem->mass.column[k] * nq + problem->mass.row[k]] += self->values[k];
    if (!mass_factor(self->mass, nq, mass_band(self)))
        return false;
    memset(self->dense, 0, (size_t)(nq * nl) * sizeof(double));
    for (int k = 0; k < problem->jacobian.count; k++)
        self->dense[problem->jacobian.row[k] * nq + problem->jacobian.column[k]] += self->g[k];
    memcpy(self->half, self->dense, (size_t)(nq * nl) * sizeof(double));
    for (int i = 0; i < nl; i++)
        mass_forward(self->mass, nq, mass_band(self), self->half + i * nq);
    for (int j = 0; j < nl; j++)
        for (int i = j; i < nl && i - j < width; i++) {
            double sum = 0;
            for (int k = 0; k < nq; k++)
                sum += self->half[i * nq + k] * self->half[j * nq + k];
            self->s[j * width + i - j] = sum;
        }
    return true;
}

bool reduced_factor(reduced *self, double t, const double *q)
{
    mechanics *problem = self->problem;
    const int nl = problem->nl, width = problem->band + 1;
    problem->place(problem, t, q);
    problem->jacobian_values(problem, self->g);
    if (problem->diagonal && problem->varying)
        invert_mass(self);
    if (problem->diagonal) {
        memset(self->s, 0, (size_t)(nl * width) * sizeof(double));
        for (int k = 0; k < self->products; k++)
            self->s[self->product_at[k]] += self->g[self->first[k]] * self->g[self->second[k]] *
                                            self->mass[self->product_column[k]];
    } else if (!factor_full(self)) {
        return false;
    }
    return band_factor(self->s, nl, problem->band);
}

static void add_transposed(const reduced *self, double factor, const double *lambda, double *f)
{
    const places *at = &self->problem->jacobian;
    for (int k = 0; k < at->count; k++)
        f[at->column[k]] += factor * self->g[k] * lambda[at->row[k]];
}

static void add_product(const reduced *self, const double *v, double *out)
{
    const places *at = &self->problem->jacobian;
    for (int k = 0; k < at->count; k++)
        out[at->row[k]] += self->g[k] * v[at->column[k]];
}

static void mass_solve(const reduced *self, double *x)
{
    const int nq = self->problem->nq;
    if (self->problem->diagonal) {
        for (int i = 0; i < nq; i++)
            x[i] *= self->mass[i];
    } else {
        mass_forward(self->mass, nq, mass_band(self), x);
        mass_backward(self->mass, nq, mass_band(self), x);
    }
}

void reduced_solve(reduced *self, const double *f, const double *c, double *a, double *lambda)
{
    const int nq = self->problem->nq, nl = self->problem->nl;
    memcpy(self->work, f, (size_t)nq * sizeof *f);
    mass_solve(self, self->work);
    memcpy(lambda, c, (size_t)nl * sizeof *c);
    add_product(self, self->work, lambda);
    band_solve(self->s, nl, self->problem->band, lambda);
    memcpy(self->work, f, (size_t)nq * sizeof *f);
    add_transposed(self, -1, lambda, self->work);
    mass_solve(self, self->work);
    memcpy(a, self->work, (size_t)nq * sizeof *a);
}

bool reduced_accelerations(reduced *self, double t, const double *q, const double *v, double *a,
                           double *lambda)
{
    if (!reduced_factor(self, t, q))
        return false;
    self->problem->force(self->problem, v, self->f);
    self->problem->curvature(self->problem, v, self->c);
    reduced_solve(self, self->f, self->c, a, lambda);
    return true;
}

/* x -= M^-1 G^T S^-1 residual */
static void step_back(reduced *self, double *residual, double *x)
{
    const int nq = self->problem->nq;
    band_solve(self->s, self->problem->nl, self->problem->band, residual);
    memset(self->work, 0, (size_t)nq * sizeof(double));
    add_transposed(self, 1, residual, self->work);
    mass_solve(self, self->work);
    for (int i = 0; i < nq; i++)
        x[i] -= self->work[i];
}

bool reduced_project(reduced *self, double t, double *q, double *v)
{
    mechanics *problem = self->problem;
    const int nl = problem->nl;
    if (!reduced_factor(self, t, q))
        return false;
    problem->constraint(problem, self->c);
    step_back(self, self->c, q);
    problem->place(problem, t, q);
    problem->constraint(problem,
                        self->c); /* once more with the old factor: what was left is tiny */
    step_back(self, self->c, q);
    problem->place(problem, t, q);
    problem->jacobian_values(problem, self->g);
    if (problem->rate)
        memcpy(self->c, problem->rate, (size_t)nl * sizeof(double));
    else
        memset(self->c, 0, (size_t)nl * sizeof(double));
    add_product(self, v, self->c);
    step_back(self, self->c, v);
    return true;
}

void reduced_tangent(reduced *self, double *dq, double *dv)
{
    double *const parts[2] = {dq, dv};
    for (int i = 0; i < 2; i++) {
        memset(self->c, 0, (size_t)self->problem->nl * sizeof(double));
        add_product(self, parts[i], self->c);
        step_back(self, self->c, parts[i]);
    }
}

/* matrix (by columns, stride rows) -= factor * values at their places, from row on */
static void scatter(const places *at, const double *values, double factor, int stride, int row,
                    double *matrix)
{
    for (int k = 0; k < at->count; k++)
        matrix[at->column[k] * stride + row + at->row[k]] -= factor * values[k];
}

bool reduced_jacobian(reduced *self, double t, const double *q, const double *v, double *da_dq,
                      double *da_dv)
{
    mechanics *problem = self->problem;
    const int nq = problem->nq, nl = problem->nl, stride = nq + nl;
    if (!reduced_accelerations(self, t, q, v, self->a, self->lambda))
        return false;
    double *right = numbers(2 * nq * stride), *lambda = numbers(nl);
    problem->force_q_values(problem, v, self->a, self->values);
    scatter(&problem->force_q, self->values, 1, stride, 0, right);
    problem->curvature_sum(problem, self->lambda, self->values);
    scatter(&problem->hessian, self->values, 1, stride, 0, right);
    problem->curvature_rows(problem, self->a, self->values);
    scatter(&problem->jacobian, self->values, -1, stride, nq, right);
    problem->third(problem, v, self->values);
    scatter(&problem->jacobian, self->values, -1, stride, nq, right);
    problem->force_v_values(problem, v, self->values);
    scatter(&problem->force_v, self->values, 1, stride, 0, right + nq * stride);
    problem->curvature_rows(problem, v, self->values);
    scatter(&problem->jacobian, self->values, -2, stride, nq, right + nq * stride);
    for (int j = 0; j < nq; j++) {
        double *column = right + j * stride;
        reduced_solve(self, column, column + nq, da_dq + j * nq, lambda);
        column += nq * stride;
        reduced_solve(self, column, column + nq, da_dv + j * nq, lambda);
    }
    free(right);
    free(lambda);
    return true;
}
