/* direct_matrix.c - sigma E - J of the direct formulations.
 *
 * One pattern holds E, the chosen rows of the Jacobian and the gradients of theta; values are
 * lists of slots, so that assembly is linear in the number of entries. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/direct.h"

#include "eom/scale.h"
#include "linalg/dense.h"

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

/* The Jacobian's entry of a row and a column, by search; for contact equations, which are
 * few. */
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
    const int entries = g->start[s->extra];
    crank_status status = CRANK_OK;
    g->measured = false;
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
    for (int e = 0; e < g->start[s->extra]; e++) {
        s->rest[g->slot[e]] += g->value[e];
    }
    for (int i = 0; i < n->r + masses + n->p; i++) {
        const bool mass = !eom->mass_is_identity && i >= n->r && i < n->r + masses;
        s->lead[s->lead_slot[i]] += mass ? s->mass.values[i - n->r] : 1.0;
    }
}

/* ---- factors ---- */

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
    crank_status status = crank_formulate_check_shifts(count, err);
    s->statistics.factorizations++;
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        combine(s->start[base->n], sigma_real[i], sigma_imag[i], s->lead, s->rest,
                crank_solver_values(s->solver, i, sigma_imag[i] != 0.0));
        status = crank_solver_factor(s->solver, i, err);
    }
    if (status == CRANK_OK && sigma_imag[0] == 0.0) {
        crank_direct_noise_update(s);
    }
    s->statistics.pivot_searches = crank_solver_pivot_searches(s->solver);
    return status == CRANK_RETRY
               ? crank_fail(err, CRANK_RETRY, "the Newton matrix of %s is singular", base->name)
               : status;
}

crank_status crank_direct_solve(crank_problem *base, int i, const double *r_real,
                                const double *r_imag, double *delta_real, double *delta_imag,
                                crank_error *err)
{
    (void)err;
    crank_solver_solve(((crank_direct *)base)->solver, i, r_real, r_imag, delta_real,
                       delta_imag);
    return CRANK_OK;
}

void crank_direct_archive_matrix(crank_direct *s, crank_archive *a)
{
    const size_t entries = (size_t)s->start[s->base.n];
    crank_archive_doubles(a, s->rest, entries);
    crank_archive_doubles(a, s->lead, entries);
    if (s->recursion != NULL) {
        crank_recursion_archive(s->eom->recursion, s->recursion, a);
    }
    crank_solver_archive(s->solver, a);
}
