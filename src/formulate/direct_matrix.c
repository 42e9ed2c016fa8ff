/* direct_matrix.c - sigma E - J of the direct formulations, dense or sparse.
 *
 * One pattern holds E, the chosen rows of the Jacobian and the gradients of theta; values are lists of slots, so that
 * assembly is linear in the number of entries. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/direct.h"

#include "eom/scale.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

/* ---- pattern ---- */

typedef struct builder {
    crank_direct *s;
    bool fill;
    int *mark; /* rows: slot of the row in this column, valid if >= begin */
    int begin, used;
} builder;

static int put(builder *b, int row)
{
    if (b->mark[row] < b->begin) {
        b->mark[row] = b->used++;
        if (b->fill) {
            b->s->row[b->mark[row]] = row;
        }
    }
    return b->mark[row];
}

static void set(const builder *b, int *slots, int i, int slot)
{
    if (b->fill) {
        slots[i] = slot;
    }
}

/* entries of E in column j, as crank_direct_assemble reads them */
static void put_lead(builder *b, int j)
{
    crank_direct *s = b->s;
    const crank_eom *eom = s->eom;
    const crank_eom_sizes *n = &eom->sizes;
    const int r = j - eom->column[CRANK_R], v = j - eom->column[CRANK_V],
              p = j - eom->column[CRANK_P];
    const int masses = eom->mass_is_identity ? n->v : eom->mass_pattern.start[n->v];
    if (r >= 0 && r < n->r) {
        set(b, s->lead_slot, r, put(b, s->force + r));
    } else if (v >= 0 && v < n->v && eom->mass_is_identity) {
        set(b, s->lead_slot, n->r + v, put(b, s->dynamic + v));
    } else if (v >= 0 && v < n->v) {
        const crank_pattern *M = &eom->mass_pattern;
        for (int e = M->start[v]; e < M->start[v + 1]; e++) {
            set(b, s->lead_slot, n->r + e, put(b, s->dynamic + M->row[e]));
        }
    } else if (p >= 0 && p < n->p) {
        set(b, s->lead_slot, n->r + masses + p, put(b, s->kinematic + p));
    }
}

int crank_direct_pattern(crank_direct *s, bool fill, int *mark)
{
    const crank_eom *eom = s->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const crank_gradient *g = &s->gradient;
    builder b = {.s = s, .fill = fill, .mark = mark};
    for (int i = 0; i < s->base.n; i++) {
        mark[i] = -1;
    }
    for (int j = 0; j < s->base.n; j++) {
        b.begin = b.used;
        set(&b, s->start, j, b.used);
        for (int e = j < eom->n ? J->start[j] : 0; j < eom->n && e < J->start[j + 1]; e++) {
            const int row = s->target[J->row[e]];
            set(&b, s->jacobian_slot, e, row >= 0 ? put(&b, row) : -1);
        }
        if (j < eom->n) {
            put_lead(&b, j);
            continue;
        }
        const int theta = j - eom->n;
        for (int e = g->start[theta]; e < g->start[theta + 1]; e++) {
            set(&b, g->slot, e, put(&b, s->kinematic + g->column[e]));
        }
    }
    set(&b, s->start, s->base.n, b.used);
    return b.used;
}

/* ---- values ---- */

/* The Jacobian's entry of a row and a column, by search; for contact equations, which are few. */
static double entry(const crank_direct *s, int row, int column)
{
    const crank_pattern *J = &s->eom->jacobian_pattern;
    for (int e = J->start[column]; e < J->start[column + 1]; e++) {
        if (J->row[e] == row) {
            return s->jacobian[e];
        }
    }
    return 0.0;
}

/* G = g_p - g_s c_s^-1 c_p, row by row: c_s^T y = g_s^T, then g_p - y^T c_p */
static crank_status eliminate_contact(crank_direct *s, crank_error *err)
{
    const crank_eom *eom = s->eom;
    crank_gradient *g = &s->gradient;
    const int ns = eom->sizes.s, c = eom->row[CRANK_ROW_C], column = eom->column[CRANK_S];
    for (int i = 0; i < ns; i++) {
        for (int j = 0; j < ns; j++) {
            g->contact[j + (long)i * ns] = entry(s, c + i, column + j);
        }
    }
    if (!crank_lu_factor(ns, g->contact, ns, g->pivot)) {
        return crank_fail(err, CRANK_RETRY, "the contact equations do not determine %s",
                          crank_eom_column_name(eom, column));
    }
    for (int i = 0; i < eom->sizes.lambda; i++) {
        const int row = eom->row[CRANK_ROW_G] + i;
        for (int j = 0; j < ns; j++) {
            g->work[j] = entry(s, row, column + j);
        }
        crank_lu_solve(ns, g->contact, ns, g->pivot, g->work);
        for (int e = g->start[i]; e < g->start[i + 1]; e++) {
            const int p = eom->column[CRANK_P] + g->column[e];
            double value = entry(s, row, p);
            for (int j = 0; j < ns; j++) {
                value -= g->work[j] * entry(s, c + j, p);
            }
            g->value[e] = value;
        }
    }
    return CRANK_OK;
}

/* Of positions over their units: lengths and angles have no common gradient. */
crank_status crank_direct_fill_gradient(crank_direct *s, crank_error *err)
{
    crank_gradient *g = &s->gradient;
    const int entries = g->start[s->base.extra];
    crank_status status = CRANK_OK;
    for (int e = 0; e < entries; e++) {
        g->value[e] = g->entry[e] >= 0 ? s->jacobian[g->entry[e]] : 0.0;
    }
    if (s->form->stabilised && s->eom->sizes.s > 0) {
        status = eliminate_contact(s, err);
    }
    for (int e = 0; e < entries; e++) {
        bool known;
        const double unit =
            crank_scale_unit(s->eom, s->eom->column[CRANK_P] + g->column[e], &known);
        g->value[e] *= unit * unit;
    }
    return status;
}

void crank_direct_assemble(crank_direct *s)
{
    const crank_eom *eom = s->eom;
    const crank_eom_sizes *n = &eom->sizes;
    const crank_pattern *J = &eom->jacobian_pattern;
    const crank_gradient *g = &s->gradient;
    const int masses = eom->mass_is_identity ? n->v : eom->mass_pattern.start[n->v];
    const size_t bytes = (size_t)s->start[s->base.n] * sizeof(double);
    memset(s->rest, 0, bytes);
    memset(s->lead, 0, bytes);
    for (int i = 0; i < s->taken_entries; i++) {
        const int e = s->jacobian_entry[i], slot = s->jacobian_slot[e];
        const double value = s->weight[J->row[e]] * s->jacobian[e];
        if (s->form->underlying && J->row[e] < eom->row[CRANK_ROW_B]) {
            s->lead[slot] += value; /* second derivatives are left out of Newton's matrix */
        } else {
            s->rest[slot] -= value;
        }
    }
    for (int e = 0; e < g->start[s->base.extra]; e++) {
        s->rest[g->slot[e]] += g->value[e];
    }
    for (int i = 0; i < n->r + masses + n->p; i++) {
        const bool mass = !eom->mass_is_identity && i >= n->r && i < n->r + masses;
        s->lead[s->lead_slot[i]] += mass ? s->mass.values[i - n->r] : 1.0;
    }
}

/* ---- factors ---- */

void crank_direct_layout_factors(crank_direct *s, crank_arena *arena, bool dense)
{
    const size_t n = (size_t)s->base.n, full = dense ? n : 0;
    s->real = crank_arena_take(arena, full * full, sizeof(double));
    s->complex = crank_arena_take(arena, 2 * full * full, sizeof(double));
    for (int i = 0; i < 2; i++) {
        s->row_size[i] = crank_arena_take(arena, full, sizeof(double));
        s->pivot[i] = crank_arena_take(arena, full, sizeof(int));
    }
    s->pair_vector = crank_arena_take(arena, 2 * n, sizeof(double));
}

/* values (stride doubles per entry) into A, rows divided by their largest entry; false: singular */
static bool factor_dense(crank_direct *s, const double *values, int stride)
{
    const int n = s->base.n, kind = stride - 1;
    double *A = kind == 0 ? s->real : s->complex, *size = s->row_size[kind];
    memset(A, 0, (size_t)stride * (size_t)n * (size_t)n * sizeof *A);
    memset(size, 0, (size_t)n * sizeof *size);
    for (int e = 0; e < stride * s->start[n]; e++) {
        const int i = s->row[e / stride];
        size[i] = fmax(size[i], fabs(values[e]));
    }
    for (int i = 0; i < n; i++) {
        if (!(size[i] > 0.0) || !isfinite(size[i])) {
            return false;
        }
    }
    for (int j = 0; j < n; j++) {
        for (int e = stride * s->start[j]; e < stride * s->start[j + 1]; e++) {
            const int i = s->row[e / stride];
            A[(long)stride * (i + (long)j * n) + e % stride] = values[e] / size[i];
        }
    }
    return kind == 0 ? crank_lu_factor(n, A, n, s->pivot[0])
                     : crank_zlu_factor(n, A, n, s->pivot[1]);
}

static crank_status factor_one(crank_direct *s, int kind, crank_error *err)
{
    const double *values = kind == 0 ? s->values : s->pairs;
    if (s->sparse == NULL) {
        return factor_dense(s, values, kind + 1)
                   ? CRANK_OK
                   : crank_fail(err, CRANK_RETRY, "the Newton matrix of %s is singular",
                                s->base.name);
    }
    const crank_status status = kind == 0 ? crank_sparse_factor(s->sparse, values, err)
                                          : crank_sparse_factor_complex(s->sparse, values, err);
    s->statistics.pivot_searches = crank_sparse_pivot_searches(s->sparse);
    return status;
}

/* sigma lead + rest */
static void combine(int entries, double re, double im, const double *restrict lead,
                    const double *restrict rest, double *restrict out)
{
    for (int e = 0; e < entries && im == 0.0; e++) {
        out[e] = re * lead[e] + rest[e];
    }
    for (int e = 0; e < entries && im != 0.0; e++) {
        out[2 * e] = re * lead[e] + rest[e];
        out[2 * e + 1] = im * lead[e];
    }
}

crank_status crank_direct_factor(crank_problem *base, int count, const double *sigma_real,
                                 const double *sigma_imag, crank_error *err)
{
    crank_direct *s = (crank_direct *)base;
    const int entries = s->start[base->n];
    crank_status status = CRANK_OK;
    s->statistics.factorizations++;
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        const int kind = sigma_imag[i] != 0.0;
        combine(entries, sigma_real[i], sigma_imag[i], s->lead, s->rest,
                kind == 0 ? s->values : s->pairs);
        status = factor_one(s, kind, err);
        s->factored[kind] = status == CRANK_OK;
    }
    return status;
}

/* one factorisation of each kind is kept: a shift is told by its right-hand side */
crank_status crank_direct_solve(crank_problem *base, int i, const double *r_real,
                                const double *r_imag, double *delta_real, double *delta_imag,
                                crank_error *err)
{
    crank_direct *s = (crank_direct *)base;
    const int n = base->n;
    (void)i;
    (void)err;
    if (s->sparse != NULL && r_imag == NULL) {
        crank_sparse_solve_from(s->sparse, r_real, delta_real);
        return CRANK_OK;
    }
    if (s->sparse != NULL) {
        crank_sparse_solve_parts(s->sparse, r_real, r_imag, delta_real, delta_imag);
        return CRANK_OK;
    }
    if (r_imag == NULL) {
        for (int k = 0; k < n; k++) {
            delta_real[k] = r_real[k] / s->row_size[0][k];
        }
        crank_lu_solve(n, s->real, n, s->pivot[0], delta_real);
        return CRANK_OK;
    }
    double *z = s->pair_vector;
    for (int k = 0; k < n; k++) {
        z[2 * k] = r_real[k] / s->row_size[1][k];
        z[2 * k + 1] = r_imag[k] / s->row_size[1][k];
    }
    crank_zlu_solve(n, s->complex, n, s->pivot[1], z);
    for (int k = 0; k < n; k++) {
        delta_real[k] = z[2 * k];
        delta_imag[k] = z[2 * k + 1];
    }
    return CRANK_OK;
}

void crank_direct_archive_matrix(crank_direct *s, crank_archive *a)
{
    const size_t entries = (size_t)s->start[s->base.n];
    const int n = s->base.n;
    crank_archive_doubles(a, s->rest, entries);
    crank_archive_doubles(a, s->lead, entries);
    crank_archive_flags(a, s->factored, 2);
    crank_archive_doubles(a, s->values, entries);
    crank_archive_doubles(a, s->pairs, 2 * entries);
    if (s->sparse != NULL) {
        crank_sparse_archive(s->sparse, a, s->values, s->pairs);
        return;
    }
    for (int kind = 0; kind < 2; kind++) {
        if (s->factored[kind]) {
            crank_archive_doubles(a, s->row_size[kind], (size_t)n);
            crank_lu_archive(a, n, kind == 0 ? s->real : s->complex, kind + 1, s->pivot[kind]);
        }
    }
}
