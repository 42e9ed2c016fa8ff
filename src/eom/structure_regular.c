/* structure_regular.c - the assumptions behind the equations of motion at a point: are mass
 * matrix, auxiliary and contact equations regular, and do mass and constraints together
 * determine the motion?
 *
 * The bordered matrix, theory (1.13), with the auxiliary unknowns kept:
 *     [ M  -f_w  -f_lambda  -f_mu ]
 *     [ 0   d_w   d_lambda   d_mu ]   over (v', w, lambda, mu)
 *     [ V   0     0          0    ]
 * Redundant rows of V and their multipliers are taken out of it; what is left must be regular
 * for the motion to be determined [Ste06, 4.2.1]. With carried accelerations M is I here and
 * the mass matrix stands in d_w: the same matrix serves. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/structure.h"

#include <string.h>

static crank_status find_regular(const crank_structure *w, const crank_min_matrix *A,
                                 bool *regular, crank_error *err)
{
    int rank;
    if (!w->dense) {
        return crank_sparse_regular(A, regular, err);
    }
    const crank_status status = crank_dense_null(A, w->tolerance, &rank, NULL, NULL, err);
    *regular = rank == A->columns;
    return status;
}

/* Rows first + i and columns begin + i for those i < count with carried (of column begin +
 * i) as asked; carried == NULL: all. */
static crank_status square_regular(crank_structure *w, int first, int begin, int count,
                                   const bool *carried, bool asked, bool *regular,
                                   crank_error *err)
{
    crank_min_matrix A;
    int size = 0;
    for (int i = 0; i < w->eom->m; i++) {
        w->place[i] = -1;
    }
    for (int i = 0; i < count; i++) {
        if (carried == NULL || carried[begin + i] == asked) {
            w->list[size] = begin + i;
            w->place[first + i] = size++;
        }
    }
    if (!crank_structure_block(w->eom, w->values, w->place, size, w->list, size, &A, w->norm,
                               NULL)) {
        return crank_fail(err, CRANK_EMEM, "block of %d rows", size);
    }
    const crank_status status = find_regular(w, &A, regular, err);
    crank_min_free(&A);
    return status;
}

/* The rows d and columns of carried accelerations. */
static bool carried_mass(crank_structure *w, crank_min_matrix *M)
{
    const crank_eom *eom = w->eom;
    const crank_pattern *pattern = &eom->jacobian_pattern;
    const int first = eom->column[CRANK_W], last = eom->column[CRANK_LAMBDA];
    int size = 0, column = 0, count = 0;
    for (int j = first; j < last; j++) {
        w->place[j - first] = eom->carried[j] ? size++ : -1;
    }
    if (!crank_min_allocate(M, size, size,
                            (size_t)(pattern->start[last] - pattern->start[first]))) {
        return false;
    }
    for (int j = first; j < last; j++) {
        for (int q = pattern->start[j]; eom->carried[j] && q < pattern->start[j + 1]; q++) {
            const int i = pattern->row[q] - eom->row[CRANK_ROW_D];
            if (i >= 0 && i < last - first && w->place[i] >= 0) {
                M->row[count] = w->place[i];
                M->values[count++] = w->values[q];
            }
        }
        if (eom->carried[j]) {
            M->start[++column] = count;
        }
    }
    return true;
}

static bool carries_any(const crank_eom *eom)
{
    bool carried = false;
    for (int j = 0; j < eom->n; j++) {
        carried = carried || eom->carried[j];
    }
    return carried;
}

static crank_status mass_regular(crank_structure *w, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const crank_pattern *pattern = &eom->mass_pattern;
    const int nv = eom->sizes.v;
    crank_min_matrix M;
    if (carries_any(eom)) { /* M stands in d_w */
        if (!carried_mass(w, &M)) {
            return crank_fail(err, CRANK_EMEM, "mass matrix of %d rows", nv);
        }
    } else {
        if (!crank_min_allocate(&M, nv, nv, (size_t)pattern->start[nv])) {
            return crank_fail(err, CRANK_EMEM, "mass matrix of %d rows", nv);
        }
        memcpy(M.start, pattern->start, ((size_t)nv + 1) * sizeof *M.start);
        for (int q = 0; q < pattern->start[nv]; q++) {
            M.row[q] = pattern->row[q];
            M.values[q] = w->mass[q];
        }
    }
    crank_structure_equilibrate(&M, w->r, w->y, NULL);
    const crank_status status = find_regular(w, &M, &w->report->mass_regular, err);
    crank_min_free(&M);
    return status;
}

/* Appends to the last column of B the entries of Jacobian column j that have a place. */
static void append_column(const crank_structure *w, int j, double sign, crank_min_matrix *B,
                          int *count)
{
    const crank_pattern *pattern = &w->eom->jacobian_pattern;
    const int dynamic = w->eom->row[CRANK_ROW_DYN];
    for (int q = pattern->start[j]; q < pattern->start[j + 1]; q++) {
        const int i = pattern->row[q];
        if (w->place[i] >= 0 && !crank_structure_is_rounding(w->eom, i, j, w->values[q])) {
            B->row[*count] = w->place[i];
            B->values[(*count)++] = i >= dynamic ? sign * w->values[q] : w->values[q];
        }
    }
}

static crank_status bordered_regular(crank_structure *w, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const int nv = eom->sizes.v, nw = eom->sizes.w, nc = eom->sizes.lambda + eom->sizes.mu;
    const int size = nv + nw + w->rank_v, v = eom->column[CRANK_V],
              y = eom->column[CRANK_LAMBDA];
    crank_min_matrix B;
    const size_t room =
        (size_t)eom->jacobian_pattern.start[eom->n] + (size_t)eom->mass_pattern.start[nv];
    if (!crank_min_allocate(&B, size, size, room)) {
        return crank_fail(err, CRANK_EMEM, "bordered matrix of %d rows", size);
    }
    int count = 0, column = 0, next = nv + nw;
    for (int i = 0; i < eom->m; i++) {
        w->place[i] = -1;
    }
    for (int i = 0; i < nc; i++) {
        w->place[eom->row[CRANK_ROW_GI] + i] = w->kept[i] ? next++ : -1;
    }
    for (int j = 0; j < nv; j++) { /* v': M and V */
        for (int q = eom->mass_pattern.start[j]; q < eom->mass_pattern.start[j + 1]; q++) {
            B.row[count] = eom->mass_pattern.row[q];
            B.values[count++] = w->mass[q];
        }
        append_column(w, v + j, 1.0, &B, &count);
        B.start[++column] = count;
    }
    for (int i = 0; i < eom->m; i++) {
        w->place[i] = -1;
    }
    for (int i = 0; i < nv; i++) {
        w->place[eom->row[CRANK_ROW_DYN] + i] = i;
    }
    for (int i = 0; i < nw; i++) {
        w->place[eom->row[CRANK_ROW_D] + i] = nv + i;
    }
    for (int j = 0; j < nw + nc; j++) { /* w, lambda, mu: -f_dyn and d */
        if (j < nw || w->kept[j - nw]) {
            append_column(w, j < nw ? eom->column[CRANK_W] + j : y + j - nw, -1.0, &B, &count);
            B.start[++column] = count;
        }
    }
    for (int j = 0; j < size;
         j++) { /* rows rise: d stands before f_dyn in the Jacobian, not here */
        for (int q = B.start[j] + 1; q < B.start[j + 1]; q++) {
            for (int p = q; p > B.start[j] && B.row[p - 1] > B.row[p]; p--) {
                const int row = B.row[p];
                const double value = B.values[p];
                B.row[p] = B.row[p - 1];
                B.values[p] = B.values[p - 1];
                B.row[p - 1] = row;
                B.values[p - 1] = value;
            }
        }
    }
    crank_structure_equilibrate(&B, w->r, w->y, NULL);
    const crank_status status = find_regular(w, &B, &w->report->bordered_regular, err);
    crank_min_free(&B);
    return status;
}

crank_status crank_structure_regular(crank_structure *w, crank_error *err)
{
    const crank_eom *eom = w->eom;
    crank_structure_report *report = w->report;
    crank_status status = bordered_regular(w, err);
    CRANK_THEN(status, mass_regular(w, err));
    CRANK_THEN(status,
               square_regular(w, eom->row[CRANK_ROW_D], eom->column[CRANK_W], eom->sizes.w,
                              eom->carried, false, &report->auxiliary_regular, err));
    /* an auxiliary equation may ask for an acceleration (a torque that holds): the motion then
     * determines it, and the bordered matrix, which has carried accelerations, shows that */
    report->auxiliary_regular =
        report->auxiliary_regular || (carries_any(eom) && report->bordered_regular);
    CRANK_THEN(status,
               square_regular(w, eom->row[CRANK_ROW_C], eom->column[CRANK_S], eom->sizes.s,
                              NULL, false, &report->contact_regular, err));
    return status;
}
