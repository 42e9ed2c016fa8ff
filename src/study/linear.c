/* linear.c - the linearised motion in independent coordinates, theory (12.11)-(12.14).
 *
 * w, lambda, mu follow from rows d, gII, hI, s from c; positions that g and n leave
 * independent, velocities that gI and h leave independent, and r are the states. A change of
 * them is made a change of all unknowns on the constraints (crank_linear_follow); its rates are
 * read from the differential rows. Nonholonomic constraints leave fewer velocities than
 * positions. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/linear.h"

#include "base/then.h"
#include "eom/scale.h"
#include "eom/structure.h"
#include "linalg/dense.h"
#include "linalg/eigen.h"
#include "linalg/singular.h"
#include "run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rank_tolerance = 1e-10;
static const double full_rank = 1e-14; /* dependent unknowns are determined: QR chose them so */
enum { LARGEST = 3000 };

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "the linearised motion");
}

int crank_linear_column(const crank_linear_work *w, int i)
{
    return i < w->np           ? w->eom->column[CRANK_P] + i
           : i < w->np + w->nv ? w->eom->column[CRANK_V] + i - w->np
                               : w->eom->column[CRANK_R] + i - w->np - w->nv;
}

/* ---- parts of the Jacobian ---- */

/* rows [first, last) of k = J dx, for dx (n) */
static void times(const crank_linear_work *w, const double *dx, int first, int last,
                  double *out)
{
    const crank_pattern *J = &w->eom->jacobian_pattern;
    memset(out, 0, (size_t)(last - first) * sizeof *out);
    for (int j = 0; j < w->eom->n; j++) {
        for (int e = J->start[j]; e < J->start[j + 1] && dx[j] != 0.0; e++) {
            if (J->row[e] >= first && J->row[e] < last) {
                out[J->row[e] - first] += w->values[e] * dx[j];
            }
        }
    }
}

/* rows [first, last) over columns [begin, end), dense, into A with that many rows in all, from
 * row `at` on */
static void part(const crank_linear_work *w, int first, int last, int begin, int end, double *A,
                 int rows, int at)
{
    const crank_pattern *J = &w->eom->jacobian_pattern;
    for (int j = begin; j < end; j++) {
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            if (J->row[e] >= first && J->row[e] < last) {
                A[at + J->row[e] - first + (long)(j - begin) * rows] = w->values[e];
            }
        }
    }
}

/* ---- what follows ---- */

/* Natural sizes of all unknowns. Equilibration alone would stop where gradients of constraints
 * are one and masses what is left, 1e-15 for what is small, which would count as none. */
static crank_status measure(crank_linear_work *w, crank_error *err)
{
    crank_scale scale = {.eom = w->eom};
    crank_arena arena = {0};
    w->unit = crank_store_take(&w->store, (size_t)w->eom->n + 1, sizeof *w->unit);
    crank_scale_layout(&scale, &arena);
    if (w->unit == NULL || !crank_arena_allocate(&arena)) {
        return no_memory(err);
    }
    crank_scale_layout(&scale, &arena);
    crank_scale_measure(&scale, w->values, w->x, w->k);
    for (int j = 0; j < w->eom->n; j++) {
        const double unit = scale.unit[j];
        w->unit[j] = unit > 0.0 && isfinite(unit) ? unit : 1.0;
    }
    crank_arena_free(&arena);
    return CRANK_OK;
}

/* The pseudo-inverse of a square part, rows and columns equilibrated; n x n in the store. */
static crank_status invert(crank_linear_work *w, int n, int first, int begin, double **out,
                           crank_error *err)
{
    crank_singular s = {0};
    const size_t size = (size_t)n;
    *out = crank_store_take(&w->store, size * size + 1, sizeof **out);
    double *row = crank_store_take(&w->store, 2 * size + 1, sizeof *row);
    if (w->store.failed) {
        return no_memory(err);
    }
    if (n == 0) {
        return CRANK_OK;
    }
    double *column = row + n;
    crank_status status = crank_singular_create(n, n, true, &s, err);
    if (status == CRANK_OK) {
        part(w, first, first + n, begin, begin + n, s.A, n, 0);
        for (int j = 0; j < n; j++) {
            row[j] = 1.0;
            column[j] = w->unit[begin + j];
            for (int i = 0; i < n; i++) {
                s.A[i + (long)j * n] *= column[j];
            }
        }
        for (int pass = 0; pass < 6; pass++) {
            for (int side = 0; side < 2; side++) {
                for (int i = 0; i < n; i++) {
                    double most = 0.0;
                    for (int j = 0; j < n; j++) {
                        most = fmax(most, fabs(side == 0 ? s.A[i + (long)j * n]
                                                         : s.A[j + (long)i * n]));
                    }
                    const double f = most > 0.0 ? 1.0 / sqrt(most) : 1.0;
                    for (int j = 0; j < n; j++) {
                        *(side == 0 ? &s.A[i + (long)j * n] : &s.A[j + (long)i * n]) *= f;
                    }
                    *(side == 0 ? &row[i] : &column[i]) *= f;
                }
            }
        }
        status = crank_singular_decompose(&s, err);
    }
    if (status == CRANK_OK) {
        crank_singular_count(&s, rank_tolerance * s.sigma[0]);
        double *r = calloc(2 * size, sizeof *r);
        status = r != NULL ? CRANK_OK : no_memory(err);
        for (int j = 0; j < n && status == CRANK_OK; j++) {
            memset(r, 0, size * sizeof *r);
            r[j] = -row[j];
            crank_singular_step(&s, r, 0.0, r + n);
            for (int i = 0; i < n; i++) {
                (*out)[i + (long)j * n] = column[i] * r[n + i];
            }
        }
        free(r);
    }
    crank_singular_destroy(&s);
    return status;
}

/* rows of constraints on positions or velocities over these, in one matrix */
static double *constraints(crank_linear_work *w, bool velocity, int *rows)
{
    const crank_eom *eom = w->eom;
    const crank_row_group first = velocity ? CRANK_ROW_GI : CRANK_ROW_G;
    const int one = velocity ? CRANK_ROW_GI : CRANK_ROW_G;
    const int other = velocity ? CRANK_ROW_H : CRANK_ROW_N;
    const int a = eom->row[one + 1] - eom->row[first],
              b = eom->row[other + 1] - eom->row[other];
    const int begin = eom->column[velocity ? CRANK_V : CRANK_P];
    const int count = velocity ? w->nv : w->np;
    *rows = a + b;
    double *W = crank_store_take(&w->store, (size_t)(a + b) * (size_t)count + 1, sizeof *W);
    if (W != NULL) {
        part(w, eom->row[one], eom->row[one + 1], begin, begin + count, W, a + b, 0);
        part(w, eom->row[other], eom->row[other + 1], begin, begin + count, W, a + b, a);
    }
    return W;
}

/* d position rows through s, too: g_p + g_s s_p */
static void add_contact(crank_linear_work *w, double *W, int rows)
{
    const crank_eom *eom = w->eom;
    const int lambda = eom->sizes.lambda, c = eom->row[CRANK_ROW_C];
    double *dx = calloc((size_t)eom->n + (size_t)w->ns + (size_t)lambda + 1, sizeof *dx);
    if (dx == NULL || w->ns == 0) {
        free(dx);
        return;
    }
    double *by = dx + eom->n, *g = by + w->ns;
    for (int j = 0; j < w->np; j++) {
        memset(dx, 0, (size_t)eom->n * sizeof *dx);
        dx[eom->column[CRANK_P] + j] = 1.0;
        times(w, dx, c, c + w->ns, by);
        memset(dx, 0, (size_t)eom->n * sizeof *dx);
        for (int i = 0; i < w->ns; i++) {
            for (int q = 0; q < w->ns; q++) {
                dx[eom->column[CRANK_S] + i] -= w->S_solve[i + (long)q * w->ns] * by[q];
            }
        }
        times(w, dx, eom->row[CRANK_ROW_G], eom->row[CRANK_ROW_G] + lambda, g);
        for (int i = 0; i < lambda; i++) {
            W[i + (long)j * rows] += g[i];
        }
    }
    free(dx);
}

/* The constraints W of a level over its dependent unknowns, which they determine. */
static crank_status decompose(crank_linear_work *w, bool velocity, int rows, const double *W,
                              crank_error *err)
{
    const crank_basis *b = velocity ? &w->velocity : &w->position;
    crank_singular *s = &w->level[velocity];
    int *dependent = crank_store_take(&w->store, (size_t)b->rank, sizeof *dependent);
    int next = 0, n = 0;
    crank_status status = dependent != NULL ? CRANK_OK : no_memory(err);
    CRANK_THEN(status, crank_singular_create(rows, b->rank, true, s, err));
    for (int j = 0; j < b->columns && status == CRANK_OK; j++) {
        if (next < b->free && b->independent[next] == j) {
            next++;
            continue;
        }
        dependent[n] = j;
        memcpy(s->A + (long)n * rows, W + (long)j * rows, (size_t)rows * sizeof *W);
        n++;
    }
    w->dependent[velocity] = dependent;
    CRANK_THEN(status, crank_singular_decompose(s, err));
    if (status == CRANK_OK) {
        crank_singular_count(s, full_rank * s->sigma[0]);
    }
    return status;
}

static crank_status choose(crank_linear_work *w, bool velocity, crank_error *err)
{
    int rows;
    const int count = velocity ? w->nv : w->np;
    double *W = constraints(w, velocity, &rows);
    double *unit = crank_store_take(&w->store, (size_t)count + 1, sizeof *unit);
    double *least = crank_store_take(&w->store, (size_t)rows + 1, sizeof *least);
    if (W == NULL || unit == NULL || least == NULL) {
        return no_memory(err);
    }
    if (!velocity) {
        add_contact(w, W, rows);
    }
    for (int j = 0; j < count; j++) {
        unit[j] = crank_eom_unit(w->eom, w->eom->column[velocity ? CRANK_V : CRANK_P] + j);
    }
    const bool length = velocity && count > 0 && w->eom->parts != NULL &&
                        w->eom->parts->velocity_kind[0] == 't';
    const double rate =
        velocity && count > 0 ? unit[0] / (length ? w->eom->parts->length : 1.0) : 1.0;
    for (int i = 0; i < w->eom->sizes.lambda; i++) {
        const int first = w->eom->row[velocity ? CRANK_ROW_GI : CRANK_ROW_G];
        least[i] = rate * crank_structure_cancelled(w->eom, first + i);
    }
    crank_basis *b = velocity ? &w->velocity : &w->position;
    double *copy = crank_store_take(&w->store, (size_t)rows * (size_t)count + 1, sizeof *copy);
    crank_status status = copy != NULL ? CRANK_OK : no_memory(err);
    if (status == CRANK_OK) {
        memcpy(copy, W, (size_t)rows * (size_t)count * sizeof *copy);
        status = crank_basis_create(rows, count, copy, unit, least, rank_tolerance, b, err);
    }
    return status == CRANK_OK && b->rank > 0 ? decompose(w, velocity, rows, W, err) : status;
}

/* Accelerations where these are not carried, for derivatives of M v'. */
static crank_status linearise(crank_linear_work *w, crank_error *err)
{
    crank_eom *eom = w->eom;
    const size_t nv = (size_t)w->nv;
    double *vdot = crank_store_take(&w->store, nv + 1, sizeof *vdot);
    w->mass = crank_store_take(&w->store, nv * nv + 1, sizeof *w->mass);
    w->mass_pivot = crank_store_take(&w->store, nv + 1, sizeof *w->mass_pivot);
    double *M =
        crank_store_take(&w->store, (size_t)eom->mass_pattern.start[w->nv] + 1, sizeof *M);
    crank_status status = w->store.failed ? no_memory(err) : CRANK_OK;
    CRANK_THEN(status, crank_eom_evaluate_rows(eom, 1, &w->t, w->x, CRANK_ALL_ROWS, w->k, err));
    CRANK_THEN(status, crank_eom_evaluate_mass(eom, w->t, w->x, M, err));
    for (int j = 0; j < w->nv && status == CRANK_OK; j++) {
        vdot[j] = w->k[eom->row[CRANK_ROW_DYN] + j];
        for (int e = eom->mass_pattern.start[j]; e < eom->mass_pattern.start[j + 1]; e++) {
            w->mass[eom->mass_pattern.row[e] + (long)j * w->nv] = M[e];
        }
    }
    if (status == CRANK_OK && !crank_lu_factor(w->nv, w->mass, w->nv, w->mass_pivot)) {
        return crank_fail(err, CRANK_EREFUSED,
                          "the mass matrix is singular; accelerations=carry may help");
    }
    if (status == CRANK_OK) {
        crank_lu_solve(w->nv, w->mass, w->nv, w->mass_pivot, vdot);
        status = crank_eom_evaluate_jacobian(eom, w->t, w->x, vdot, w->values, err);
    }
    return status;
}

crank_status crank_linear_prepare(crank_eom *eom, double t, const double *x,
                                  crank_linear_work *w, crank_error *err)
{
    const crank_eom_sizes *z = &eom->sizes;
    *w = (crank_linear_work){.eom = eom, .t = t, .x = x};
    w->np = z->p, w->nv = z->v, w->nr = z->r, w->ns = z->s;
    w->ny = z->w + z->lambda + z->mu;
    w->z = w->np + w->nv + w->nr;
    if (w->z > LARGEST || w->ny > LARGEST) {
        return crank_fail(err, CRANK_EREFUSED,
                          "%d unknowns are too many for dense matrices (%d)", eom->n, LARGEST);
    }
    w->k = crank_store_take(&w->store, (size_t)eom->m, sizeof *w->k);
    w->values = crank_store_take(&w->store, (size_t)eom->jacobian_pattern.start[eom->n] + 1,
                                 sizeof *w->values);
    w->state = crank_store_take(&w->store, (size_t)w->z + 1, sizeof *w->state);
    crank_status status = w->store.failed ? no_memory(err) : linearise(w, err);
    CRANK_THEN(status, measure(w, err));
    CRANK_THEN(status,
               invert(w, w->ny, eom->row[CRANK_ROW_D], eom->column[CRANK_W], &w->Y_solve, err));
    CRANK_THEN(status,
               invert(w, w->ns, eom->row[CRANK_ROW_C], eom->column[CRANK_S], &w->S_solve, err));
    CRANK_THEN(status, choose(w, false, err));
    CRANK_THEN(status, choose(w, true, err));
    CRANK_THEN(status, crank_linear_find_steady(w, err));
    for (int i = 0; i < w->position.free && status == CRANK_OK; i++) {
        w->state[w->states++] = w->position.independent[i];
    }
    for (int i = 0; i < w->velocity.free && status == CRANK_OK; i++) {
        w->state[w->states++] = w->np + w->velocity.independent[i];
    }
    const int work = eom->parts != NULL ? eom->parts->first_work : w->nr;
    for (int i = 0; i < work && status == CRANK_OK; i++) {
        w->state[w->states++] = w->np + w->nv + i;
    }
    return status;
}

void crank_linear_release(crank_linear_work *w)
{
    crank_singular_destroy(&w->level[0]);
    crank_singular_destroy(&w->level[1]);
    crank_basis_destroy(&w->position);
    crank_basis_destroy(&w->velocity);
    crank_store_free(&w->store);
}

/* ---- a change of the states, and all that follows from it ---- */

/* s by c = 0 */
static void follow_contact(const crank_linear_work *w, const double *extra, double *work,
                           double *dx)
{
    const crank_eom *eom = w->eom;
    const int c = eom->row[CRANK_ROW_C], s = eom->column[CRANK_S];
    memset(dx + s, 0, (size_t)w->ns * sizeof *dx);
    times(w, dx, c, c + w->ns, work);
    for (int i = 0; i < w->ns; i++) {
        for (int q = 0; q < w->ns; q++) {
            dx[s + i] -= w->S_solve[i + (long)q * w->ns] *
                         (work[q] + (extra != NULL ? extra[c + q] : 0.0));
        }
    }
}

/* w, lambda, mu by d, gII, hI = 0 */
static void follow_forces(const crank_linear_work *w, const double *extra, double *work,
                          double *dx)
{
    const crank_eom *eom = w->eom;
    const int d = eom->row[CRANK_ROW_D], y = eom->column[CRANK_W];
    memset(dx + y, 0, (size_t)w->ny * sizeof *dx);
    times(w, dx, d, d + w->ny, work);
    for (int q = 0; q < w->ny; q++) {
        const double r = work[q] + (extra != NULL ? extra[d + q] : 0.0);
        for (int i = 0; i < w->ny && r != 0.0; i++) {
            dx[y + i] -= w->Y_solve[i + (long)q * w->ny] * r;
        }
    }
}

/* Dependent unknowns of a level so that its rows (first group, second group) vanish:
 * corrections of dx that leave the independent ones; least squares over the rows. */
static crank_status follow_level(crank_linear_work *w, bool velocity, const double *extra,
                                 double *dx, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const crank_basis *b = velocity ? &w->velocity : &w->position;
    const int one = velocity ? CRANK_ROW_GI : CRANK_ROW_G;
    const int other = velocity ? CRANK_ROW_H : CRANK_ROW_N;
    const int a = eom->row[one + 1] - eom->row[one], c = eom->row[other + 1] - eom->row[other];
    const int rows = a + c, begin = eom->column[velocity ? CRANK_V : CRANK_P];
    if (b->rank == 0) {
        return CRANK_OK;
    }
    double *r = calloc((size_t)rows + (size_t)b->rank + 1, sizeof *r);
    if (r == NULL) {
        return no_memory(err);
    }
    times(w, dx, eom->row[one], eom->row[one + 1], r);
    times(w, dx, eom->row[other], eom->row[other + 1], r + a);
    for (int i = 0; i < rows && extra != NULL; i++) {
        r[i] += extra[i < a ? eom->row[one] + i : eom->row[other] + i - a];
    }
    crank_singular_step(&w->level[velocity], r, 0.0, r + rows);
    for (int i = 0; i < b->rank; i++) {
        dx[begin + w->dependent[velocity][i]] += r[rows + i];
    }
    free(r);
    return CRANK_OK;
}

crank_status crank_linear_follow(crank_linear_work *w, const double *zeta, const double *extra,
                                 double *dx, double *rates, crank_error *err)
{
    const crank_eom *eom = w->eom;
    double *work = calloc((size_t)eom->m + (size_t)w->nv + 1, sizeof *work);
    if (work == NULL) {
        return no_memory(err);
    }
    memset(dx, 0, (size_t)eom->n * sizeof *dx);
    for (int i = 0; i < w->states; i++) {
        dx[crank_linear_column(w, w->state[i])] = zeta[i];
    }
    follow_contact(w, extra, work, dx);
    crank_status status = follow_level(w, false, extra, dx, err);
    follow_contact(w, extra, work, dx);
    CRANK_THEN(status, follow_level(w, true, extra, dx, err));
    if (status == CRANK_OK) {
        follow_forces(w, extra, work, dx);
    }
    if (status == CRANK_OK && rates != NULL) {
        const int first = eom->row[CRANK_ROW_B], dyn = eom->row[CRANK_ROW_DYN];
        times(w, dx, first, eom->m, work);
        for (int i = first; i < eom->m && extra != NULL; i++) {
            work[i - first] += extra[i];
        }
        crank_lu_solve(w->nv, w->mass, w->nv, w->mass_pivot, work + dyn - first);
        crank_linear_lead(w, dx, work + eom->row[CRANK_ROW_KIN] - first, work + dyn - first);
        for (int i = 0; i < w->states; i++) {
            const int q = w->state[i];
            rates[i] = q < w->np           ? work[eom->row[CRANK_ROW_KIN] - first + q]
                       : q < w->np + w->nv ? work[dyn - first + q - w->np]
                                           : work[q - w->np - w->nv];
        }
    }
    free(work);
    return status;
}

/* ---- the matrices ---- */

crank_linear_options crank_linear_options_default(void)
{
    return (crank_linear_options){.size = sizeof(crank_linear_options)};
}

static crank_status take(const crank_linear_work *w, const crank_linear_options *o,
                         const crank_linear_channels *inputs, crank_linear *out,
                         crank_error *err)
{
    crank_store *store = calloc(1, sizeof *store);
    const size_t n = (size_t)w->states, m = (size_t)inputs->count, q = (size_t)o->output_count;
    *out = (crank_linear){
        .states = w->states, .inputs = inputs->count, .outputs = o->output_count, .own = store};
    if (store == NULL) {
        return no_memory(err);
    }
    out->state_name = crank_store_take(store, n + 1, sizeof *out->state_name);
    out->input_name = crank_store_take(store, m + 1, sizeof *out->input_name);
    out->output_name = crank_store_take(store, q + 1, sizeof *out->output_name);
    double *all = crank_store_take(store, n * n + n * m + q * n + q * m + 5 * n + 2 * n * n + 1,
                                   sizeof *all);
    if (store->failed) {
        return no_memory(err);
    }
    out->A = all, out->B = out->A + n * n, out->C = out->B + n * m, out->D = out->C + q * n;
    out->real = out->D + q * m, out->imag = out->real + n, out->frequency = out->imag + n;
    out->damping = out->frequency + n, out->rounding = out->damping + n;
    out->modes = out->rounding + n;
    for (size_t i = 0; i < n; i++) {
        const char *name = crank_eom_column_name(w->eom, crank_linear_column(w, w->state[i]));
        out->state_name[i] = crank_store_copy(store, name, strlen(name));
    }
    for (size_t i = 0; i < m; i++) {
        const char *name = inputs->item[i].name;
        out->input_name[i] = crank_store_copy(store, name, strlen(name));
    }
    for (size_t i = 0; i < q; i++) {
        out->output_name[i] = crank_store_copy(store, o->outputs[i], strlen(o->outputs[i]));
    }
    return store->failed ? no_memory(err) : CRANK_OK;
}

/* Eigenvalues by their size, conjugates together. */
static crank_status find_modes(crank_linear *out, crank_error *err)
{
    static const double turn = 6.283185307179586;
    const size_t n = (size_t)out->states;
    double *room = malloc((n * n + 2 * n + 2 * n * n + 1) * sizeof *room);
    bool *used = calloc(n + 1, sizeof *used);
    crank_status status = room != NULL && used != NULL ? CRANK_OK : no_memory(err);
    double *real = room != NULL ? room + n * n : NULL, *imag = real != NULL ? real + n : NULL;
    double *vectors = imag != NULL ? imag + n : NULL;
    if (status == CRANK_OK) {
        memcpy(room, out->A, n * n * sizeof *room);
        status = crank_eigen(out->states, room, real, imag, vectors, err);
    }
    for (size_t k = 0; k < n && status == CRANK_OK;) {
        size_t best = n;
        for (size_t i = 0; i < n; i++) {
            if (!used[i] && (best == n || hypot(real[i], imag[i]) <
                                              (1.0 - 1e-13) * hypot(real[best], imag[best]))) {
                best = i;
            }
        }
        const size_t pair = imag[best] > 0.0 ? 2 : 1;
        for (size_t c = 0; c < pair; c++, k++) {
            const size_t from = best + c;
            const double size = hypot(real[from], imag[from]);
            used[from] = true;
            out->real[k] = real[from];
            out->imag[k] = imag[from];
            out->frequency[k] = size / turn;
            out->damping[k] = size > 0.0 ? -real[from] / size : 0.0;
            memcpy(out->modes + 2 * n * k, vectors + 2 * n * from, 2 * n * sizeof *vectors);
        }
    }
    free(room);
    free(used);
    return status;
}

static crank_status name_leaders(crank_linear_work *w, crank_linear *out, crank_error *err)
{
    crank_store *store = out->own;
    const size_t n = (size_t)out->states;
    int *column = crank_store_take(store, n + 1, sizeof *column);
    out->leader = crank_store_take(store, n + 1, sizeof *out->leader);
    crank_status status = store->failed ? no_memory(err) : CRANK_OK;
    CRANK_THEN(status, crank_linear_find_leaders(w, out, column, out->rounding, err));
    for (size_t k = 0; k < n && status == CRANK_OK; k++) {
        const char *name = column[k] >= 0 ? crank_eom_column_name(w->eom, column[k]) : "";
        out->leader[k] = crank_store_copy(store, name, strlen(name));
    }
    return status == CRANK_OK && store->failed ? no_memory(err) : status;
}

static crank_status fill(crank_run *run, crank_linear_work *w, const crank_linear_options *o,
                         crank_linear_channels *inputs, crank_linear *out, crank_error *err)
{
    const size_t n = (size_t)w->states;
    double *zeta = calloc(n + (size_t)w->eom->n + 1, sizeof *zeta);
    crank_status status = zeta != NULL ? CRANK_OK : no_memory(err);
    for (size_t j = 0; j < n && status == CRANK_OK; j++) {
        zeta[j] = 1.0;
        status = crank_linear_follow(w, zeta, NULL, zeta + n, out->A + j * n, err);
        zeta[j] = 0.0;
    }
    for (int i = 0; i < inputs->count && status == CRANK_OK; i++) {
        status = crank_linear_follow(w, zeta, inputs->item[i].ku, zeta + n,
                                     out->B + (size_t)i * n, err);
    }
    CRANK_THEN(status, crank_linear_outputs(run, w, o, inputs, out, err));
    CRANK_THEN(status, find_modes(out, err));
    CRANK_THEN(status, name_leaders(w, out, err));
    free(zeta);
    return status;
}

crank_status crank_linear_begin(crank_run *run, crank_error *err)
{
    char rows[200];
    bool singular = false;
    crank_status status = crank_run_initialize(run, err);
    if (status == CRANK_OK && run->model != NULL) {
        status = crank_state_begin(run->model_state, run->t_start, run->x, err);
    }
    crank_eom_stand(run->eom, run->rests);
    CRANK_THEN(status, crank_eom_degenerate(run->eom, run->t_start, run->x, &singular, rows,
                                            sizeof rows, err));
    return status != CRANK_OK || !singular
               ? status
               : crank_fail(
                     err, CRANK_ESINGULAR,
                     "no motion is linear in a singular position: the constraints are "
                     "dependent there but not nearby (%s); linearise elsewhere, or leave "
                     "that one out or let it yield (a spring)",
                     rows);
}

crank_status crank_run_linearize(crank_run *run, const crank_linear_options *options,
                                 crank_linear *out, crank_error *err)
{
    crank_error own = {0};
    const crank_linear_options o = options != NULL ? *options : crank_linear_options_default();
    crank_linear_work w = {0};
    crank_linear_channels inputs = {0};
    err = err != NULL ? err : &own;
    *out = (crank_linear){0};
    if (o.size != sizeof o || run->model == NULL) {
        return crank_fail(err, CRANK_EARG,
                          "a linearisation: of a model, with options made by their default "
                          "function");
    }
    crank_status status = crank_linear_begin(run, err);
    CRANK_THEN(status, crank_linear_prepare(run->eom, run->t_start, run->x, &w, err));
    crank_eom_stand(run->eom, false); /* inputs have rates */
    CRANK_THEN(status, crank_linear_channels_find(run, &o, &inputs, err));
    CRANK_THEN(status, take(&w, &o, &inputs, out, err));
    CRANK_THEN(status, fill(run, &w, &o, &inputs, out, err));
    memcpy(out->rough, inputs.rough, sizeof out->rough);
    CRANK_THEN(status, crank_linear_find_corner(&w, out->corner, sizeof out->corner, err));
    if (status == CRANK_OK && !run->rests) { /* at a rest time stands still */
        double fastest = 0.0;
        for (int k = 0; k < out->states; k++) {
            fastest = fmax(fastest, hypot(out->real[k], out->imag[k]));
        }
        status = crank_linear_judge_course(&w, fastest, err);
    }
    out->steady = w.steady;
    if (!w.steady) {
        memcpy(out->unsteady, w.unsteady, sizeof out->unsteady);
    }
    crank_linear_channels_free(&inputs);
    crank_linear_release(&w);
    if (status != CRANK_OK) {
        crank_linear_free(out);
    }
    return status > CRANK_OK
               ? crank_fail(err, CRANK_ENOTFINITE, "the motion is not finite at the point")
               : status;
}

void crank_linear_free(crank_linear *linear)
{
    if (linear->own != NULL) {
        crank_store_free(linear->own);
        free(linear->own);
    }
    *linear = (crank_linear){0};
}
