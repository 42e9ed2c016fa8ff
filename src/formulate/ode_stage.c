/* ode_stage.c - the algebraic unknowns z = (w, lambda, mu, s) at a stage of an explicit method.
 *
 *     F_z delta = -F(z),   F = (d, gII, hI, c),   z += delta                                    theory (9.2)
 *     (b, f_dyn)(z + delta) = (b, f_dyn)(z) + (b, f_dyn)_z delta                                theory (9.3)
 * Where all is linear in z one iteration does, and the rows are evaluated once. Elsewhere (friction that depends on
 * normal forces, contact variables) Newton's iteration goes on until the next increment would be round-off.
 * Multipliers of redundant rows have the values that psf gives them, their rows are left out. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/ode.h"

#include "linalg/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ITERATIONS = 20 };
/* increment, relative to the largest unknown of its group, after which the next one would be round-off */
static const double small_enough = 1e-9;
/* multiples of the accuracy of rows that are made by differences */
static const double noise_factor = 30.0;

/* ---- the system ---- */

static void assemble(crank_ode *s)
{
    crank_ode_square *q = &s->square;
    const size_t size =
        q->sparse != NULL ? (size_t)q->start[q->n] : (size_t)q->n * (size_t)q->n;
    memset(q->values, 0, size * sizeof *q->values);
    for (int e = 0; e < s->entries.count; e++) {
        if (q->place[e] >= 0) {
            q->values[q->place[e]] = s->values[e];
        }
    }
}

/* the multiplier of a row that is left out stands alone in its row */
static void leave_out(crank_ode *s, const double *x)
{
    const crank_eom *eom = s->eom;
    const crank_ode_square *q = &s->square;
    const bool *fixed = s->psf->reduction->state.fixed;
    const int first = eom->column[CRANK_LAMBDA], last = eom->column[CRANK_R];
    if (fixed == NULL || !s->psf->reduction->state.redundant) {
        return;
    }
    for (int e = 0; e < s->entries.count; e++) {
        const int i = crank_stage_equation(eom, s->entries.row[e]);
        if (q->place[e] >= 0 && i >= first && i < last && fixed[i]) {
            q->values[q->place[e]] = 0.0;
        }
    }
    for (int j = first; j < last; j++) {
        if (fixed[j]) {
            q->values[q->diagonal[j]] = 1.0;
            s->delta[j] = s->psf->first_multiplier[j - first] - x[j];
        }
    }
}

static crank_status solve(crank_ode *s, double t, crank_error *err)
{
    crank_ode_square *q = &s->square;
    bool regular = true;
    s->psf->statistics.factorizations++;
    if (q->sparse != NULL) {
        const crank_status status = crank_sparse_factor(q->sparse, q->values, err);
        if (status < CRANK_OK) {
            return status;
        }
        regular = status == CRANK_OK;
    } else {
        regular = crank_lu_factor(q->n, q->values, q->n, q->pivot);
    }
    if (!regular) {
        return crank_fail(err, CRANK_RETRY,
                          "accelerations and multipliers are not determined at t = %.10g", t);
    }
    if (q->sparse != NULL) {
        crank_sparse_solve(q->sparse, s->delta);
    } else {
        crank_lu_solve(q->n, q->values, q->n, q->pivot, s->delta);
    }
    return CRANK_OK;
}

/* ---- a stage ---- */

/* largest increment relative to the largest unknown of its group; NaN stays */
static double relative_size(const crank_ode *s, const double *x)
{
    const crank_eom *eom = s->eom;
    const int groups[] = {CRANK_W, CRANK_LAMBDA, CRANK_MU, CRANK_S};
    double largest = 0.0;
    for (int g = 0; g < 4; g++) {
        double size = 0.0, change = 0.0;
        for (int j = eom->column[groups[g]]; j < eom->column[groups[g] + 1]; j++) {
            const double part = fabs(s->delta[crank_stage_unknown(eom, j)]);
            size = fmax(size, fabs(x[j]));
            change = part <= change ? change : part;
        }
        const double relative = change == 0.0 ? 0.0 : change / fmax(size, 1e-30);
        largest = relative <= largest ? largest : relative;
    }
    return largest;
}

/* z += delta, and the differential rows with it */
static void apply(crank_ode *s, double *x)
{
    const crank_eom *eom = s->eom;
    const crank_stage_entries *entries = &s->entries;
    for (int i = 0; i < entries->unknowns; i++) {
        const double change = s->delta[i];
        x[crank_stage_column(eom, i)] += change;
        for (int e = entries->start[i]; e < entries->start[i + 1]; e++) {
            if (s->square.place[e] < 0) {
                s->k[entries->row[e]] += s->values[e] * change;
            }
        }
    }
}

crank_status crank_ode_solve_stage(crank_ode *s, double t, double *x, crank_error *err)
{
    crank_eom *eom = s->eom;
    const double enough = fmax(small_enough, noise_factor * eom->noise);
    const int acceleration = eom->row[CRANK_ROW_GI];
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        s->psf->statistics.evaluations++;
        crank_status status =
            crank_eom_evaluate_stage(eom, &s->entries, t, x, s->k, s->values, s->work, err);
        if (status != CRANK_OK || s->square.n == 0) {
            return status;
        }
        for (int r = 0; r < acceleration; r++) {
            s->delta[r] = -s->k[r];
        }
        for (int r = 0; r < eom->sizes.s; r++) {
            s->delta[acceleration + r] = -s->k[eom->row[CRANK_ROW_C] + r];
        }
        assemble(s);
        leave_out(s, x);
        status = solve(s, t, err);
        if (status != CRANK_OK) {
            return status;
        }
        apply(s, x);
        if (eom->stage_linear) {
            return CRANK_OK;
        }
        const double size = relative_size(s, x);
        if (size <= enough) {
            return CRANK_OK;
        }
        if (!isfinite(size)) {
            break;
        }
    }
    return crank_fail(
        err, CRANK_RETRY,
        "the iteration for accelerations and multipliers does not converge at t = "
        "%.10g",
        t);
}

/* ---- patterns ---- */

/* Columns of the square; with redundant rows all multipliers get their diagonals. row NULL: only counts. */
static int list_square(const crank_ode *s, crank_ode_square *q)
{
    const crank_eom *eom = s->eom;
    const crank_stage_entries *entries = &s->entries;
    int count = 0;
    for (int i = 0; i < q->n; i++) {
        bool due = s->psf->reduction->state.redundant && i >= eom->column[CRANK_LAMBDA] &&
                   i < eom->column[CRANK_R];
        for (int e = entries->start[i]; e < entries->start[i + 1]; e++) {
            const int r = crank_stage_equation(eom, entries->row[e]);
            if (q->row != NULL) {
                q->place[e] = r >= 0 ? count : -1;
                q->diagonal[i] = r == i ? count : q->diagonal[i];
            }
            if (q->row != NULL && r >= 0) {
                q->row[count] = r;
            }
            due = due && r != i;
            count += r >= 0;
        }
        if (due && q->row != NULL) {
            q->row[count] = i;
            q->diagonal[i] = count;
        }
        count += due;
        if (q->row != NULL) {
            q->start[i + 1] = count;
        }
    }
    return count;
}

static void *take(size_t count, size_t size)
{
    return calloc(count > 0 ? count : 1, size);
}

static void place_dense(const crank_ode *s, crank_ode_square *q)
{
    for (int i = 0; i < q->n; i++) {
        q->diagonal[i] = i + i * q->n;
        for (int e = s->entries.start[i]; e < s->entries.start[i + 1]; e++) {
            const int r = crank_stage_equation(s->eom, s->entries.row[e]);
            q->place[e] = r >= 0 ? r + i * q->n : -1;
        }
    }
}

crank_status crank_ode_square_create(crank_ode *s, bool sparse, crank_error *err)
{
    crank_ode_square *q = &s->square;
    q->n = s->entries.unknowns;
    q->row = NULL;
    const size_t n = (size_t)q->n;
    const int count = sparse ? list_square(s, q) : q->n * q->n;
    q->start = take(n + 1, sizeof *q->start);
    q->row = take(sparse ? (size_t)count : 0, sizeof *q->row);
    q->place = take((size_t)s->entries.count, sizeof *q->place);
    q->diagonal = take(n, sizeof *q->diagonal);
    q->values = take((size_t)count, sizeof *q->values);
    q->pivot = take(n, sizeof *q->pivot);
    if (q->start == NULL || q->row == NULL || q->place == NULL || q->diagonal == NULL ||
        q->values == NULL || q->pivot == NULL) {
        return crank_fail(err, CRANK_EMEM, "system of %d accelerations and multipliers", q->n);
    }
    if (!sparse) {
        place_dense(s, q);
        return CRANK_OK;
    }
    (void)list_square(s, q);
    return crank_sparse_create(q->n, q->start, q->row, &q->sparse, err);
}

void crank_ode_square_destroy(crank_ode_square *q)
{
    crank_sparse_destroy(q->sparse);
    free(q->start);
    free(q->row);
    free(q->place);
    free(q->diagonal);
    free(q->values);
    free(q->pivot);
}
