/* pencil.c - the linearised motion of a large model as a sparse pencil, theory (12.15).
 *
 *     (J - sigma E) out = E x
 *
 * with one row for each unknown: d, g, h, b, f_dyn, c, f_kin; constraints stand on position level,
 * so that they only add infinite eigenvalues. Changes stay on the invariants n of positions
 * (quaternions of norm one), whose gradients are left eigenvectors: they would add eigenvalues
 * zero. So would energies, which nothing depends on. Along a steady motion J is that of axes that
 * are led along, J - E DX, (12.14); DX has a block for each body, and all blocks are found at once,
 * with one probe for each column of the largest. Dependent constraints leave multipliers open that
 * move nothing: factors are those of constraints that yield a little, and what is left is solved
 * for again. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/pencil.h"

#include "base/then.h"
#include "eom/scale.h"
#include "study/design.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { REFINEMENTS = 8 };
static const double yields = 1e-9, yields_more = 1e-7; /* softness of dependent constraints */
static const double regular = 1e-6; /* error of a solution, in natural units */

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "modes");
}

/* ---- rows ---- */

static void choose_rows(crank_pencil *p)
{
    static const struct {
        crank_group column;
        crank_row_group row;
    } pair[] = {{CRANK_W, CRANK_ROW_D},  {CRANK_LAMBDA, CRANK_ROW_G}, {CRANK_MU, CRANK_ROW_H},
                {CRANK_R, CRANK_ROW_B},  {CRANK_V, CRANK_ROW_DYN},    {CRANK_S, CRANK_ROW_C},
                {CRANK_P, CRANK_ROW_KIN}};
    const crank_eom *eom = p->at.eom;
    for (int i = 0; i < eom->m; i++) {
        p->place[i] = -1;
    }
    for (size_t g = 0; g < sizeof pair / sizeof *pair; g++) {
        const int first = eom->column[pair[g].column];
        for (int i = first; i < eom->column[pair[g].column + 1]; i++) {
            p->place[eom->row[pair[g].row] + i - first] = i;
        }
    }
}

static bool is_work(const crank_eom *eom, int column)
{
    const int r = column - eom->column[CRANK_R];
    return eom->parts != NULL && r >= eom->parts->first_work && r < eom->sizes.r;
}

static void choose_weights(crank_pencil *p)
{
    const crank_eom *eom = p->at.eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int n = eom->row[CRANK_ROW_N];
    for (int j = 0; j < p->n; j++) {
        const bool state = (j >= eom->column[CRANK_R] && j < eom->column[CRANK_S]) ||
                           j >= eom->column[CRANK_P];
        p->weight[j] = state && !is_work(eom, j) ? 1.0 / crank_eom_unit(eom, j) : 0.0;
    }
    for (int j = eom->column[CRANK_P]; j < p->n; j++) {
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            if (J->row[e] >= n && J->row[e] < eom->row[CRANK_ROW_N + 1]) {
                p->norm[J->row[e] - n] += p->at.values[e] * p->at.values[e];
            }
        }
    }
}

/* Onto n_p x = 0; its rows have no column in common. Without energies. */
static void project(const crank_pencil *p, double *x)
{
    const crank_eom *eom = p->at.eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int first = eom->row[CRANK_ROW_N], last = eom->row[CRANK_ROW_N + 1];
    double *part = p->part;
    memset(part, 0, (size_t)(last - first) * sizeof *part);
    for (int pass = 0; pass < 2 && last > first; pass++) {
        for (int j = eom->column[CRANK_P]; j < p->n; j++) {
            for (int e = J->start[j]; e < J->start[j + 1]; e++) {
                const int i = J->row[e] - first;
                if (i < 0 || i >= last - first || !(p->norm[i] > 0.0)) {
                    continue;
                }
                if (pass == 0) {
                    part[i] += p->at.values[e] * x[j];
                } else {
                    x[j] -= part[i] / p->norm[i] * p->at.values[e];
                }
            }
        }
    }
    for (int j = eom->column[CRANK_R]; j < eom->column[CRANK_R + 1]; j++) {
        x[j] = is_work(eom, j) ? 0.0 : x[j];
    }
}

/* ---- axes that are led along ---- */

static void choose_colours(crank_pencil *p)
{
    const crank_eom *eom = p->at.eom;
    const crank_eom_parts *parts = eom->parts;
    for (int b = 0; b < parts->body_count; b++) {
        p->first[b] = -1;
    }
    for (int j = 0; j < p->n; j++) {
        const int v = j - eom->column[CRANK_V], q = j - eom->column[CRANK_P];
        const int body = v >= 0 && v < eom->sizes.v   ? parts->velocity_body[v]
                         : q >= 0 && q < eom->sizes.p ? parts->position_body[q]
                                                      : -1;
        p->colour[j] = p->next[j] = -1;
        p->body[j] = body;
        if (body >= 0) {
            p->next[j] = p->first[body];
            p->colour[j] = p->next[j] >= 0 ? p->colour[p->next[j]] + 1 : 0;
            p->first[body] = j;
            p->colours = p->colour[j] + 1 > p->colours ? p->colour[j] + 1 : p->colours;
        }
    }
}

static crank_status find_lead(crank_pencil *p, crank_error *err)
{
    crank_store *store = &p->at.store;
    const crank_eom *eom = p->at.eom;
    const size_t n = (size_t)p->n, rates = (size_t)(eom->sizes.p + eom->sizes.v);
    p->colour = crank_store_take(store, n, sizeof *p->colour);
    p->body = crank_store_take(store, n, sizeof *p->body);
    p->next = crank_store_take(store, n, sizeof *p->next);
    p->first = crank_store_take(store, (size_t)eom->parts->body_count + 1, sizeof *p->first);
    if (store->failed) {
        return no_memory(err);
    }
    choose_colours(p);
    p->lead = crank_store_take(store, rates * (size_t)p->colours + 1, sizeof *p->lead);
    for (int c = 0; c < p->colours && p->lead != NULL; c++) {
        double *out = p->lead + rates * (size_t)c;
        for (int j = 0; j < p->n; j++) {
            p->work[j] = p->colour[j] == c ? 1.0 : 0.0;
        }
        crank_linear_lead(&p->at, p->work, out, out + eom->sizes.p);
    }
    return store->failed ? no_memory(err) : CRANK_OK;
}

/* ---- the square system ---- */

/* One column of it, as it grows: sums, and the rows that have one. */
typedef struct column_sum {
    double *sum;
    bool *has;
    int *row, rows;
} column_sum;

static void add(column_sum *c, int row, double value)
{
    if (!c->has[row]) {
        c->has[row] = true;
        c->row[c->rows++] = row;
    }
    c->sum[row] += value;
}

/* factor times column j of M */
static void add_mass(const crank_pencil *p, int j, double factor, column_sum *c)
{
    const crank_pattern *M = &p->at.eom->mass_pattern;
    for (int e = M->start[j]; e < M->start[j + 1]; e++) {
        add(c, p->at.eom->column[CRANK_V] + M->row[e], factor * p->mass[e]);
    }
}

/* -E DX, of column j */
static void add_lead(const crank_pencil *p, int j, column_sum *c)
{
    const crank_eom *eom = p->at.eom;
    if (p->colours == 0 || p->colour[j] < 0) {
        return;
    }
    const double *rates =
        p->lead + (size_t)(eom->sizes.p + eom->sizes.v) * (size_t)p->colour[j];
    for (int i = p->first[p->body[j]]; i >= 0; i = p->next[i]) {
        const int q = i - eom->column[CRANK_P], v = i - eom->column[CRANK_V];
        if (q >= 0 && rates[q] != 0.0) {
            add(c, i, rates[q]);
        } else if (q < 0 && rates[eom->sizes.p + v] != 0.0) {
            add_mass(p, v, rates[eom->sizes.p + v], c);
        }
    }
}

/* Column j of J - sigma E. */
static void add_column(const crank_pencil *p, int j, column_sum *c)
{
    const crank_eom *eom = p->at.eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int own = j - eom->column[CRANK_V];
    for (int e = J->start[j]; e < J->start[j + 1]; e++) {
        if (p->place[J->row[e]] >= 0) {
            add(c, p->place[J->row[e]], p->at.values[e]);
        }
    }
    if (j >= eom->column[CRANK_LAMBDA] && j < eom->column[CRANK_MU + 1]) {
        add(c, j, 0.0); /* has a place, for softness */
    }
    if (own >= 0 && own < eom->sizes.v) {
        add_mass(p, own, -p->sigma, c);
    } else if (j >= eom->column[CRANK_P] ||
               (j >= eom->column[CRANK_R] && j < eom->column[CRANK_R + 1])) {
        add(c, j, -p->sigma);
    }
    add_lead(p, j, c);
}

/* All columns, into row and entry; NULL: only counted. */
static int fill(const crank_pencil *p, column_sum *c, int *start, int *row, double *entry)
{
    int count = 0;
    for (int j = 0; j < p->n; j++) {
        start[j] = count;
        c->rows = 0;
        add_column(p, j, c);
        for (int i = 0; i < c->rows; i++) {
            const int r = c->row[i];
            if (row != NULL) {
                row[count] = r;
                entry[count] = c->sum[r];
            }
            count++;
            c->sum[r] = 0.0;
            c->has[r] = false;
        }
    }
    start[p->n] = count;
    return count;
}

static crank_status assemble(crank_pencil *p, crank_error *err)
{
    const size_t n = (size_t)p->n;
    crank_store *store = &p->at.store;
    p->start = crank_store_take(store, n + 1, sizeof *p->start);
    column_sum c = {.sum = crank_store_take(store, n, sizeof *c.sum),
                    .has = crank_store_take(store, n, sizeof *c.has),
                    .row = crank_store_take(store, n, sizeof *c.row)};
    if (store->failed) {
        return no_memory(err);
    }
    const size_t count = (size_t)fill(p, &c, p->start, NULL, NULL);
    p->row = crank_store_take(store, count + 1, sizeof *p->row);
    p->entry = crank_store_take(store, count + 1, sizeof *p->entry);
    if (store->failed) {
        return no_memory(err);
    }
    (void)fill(p, &c, p->start, p->row, p->entry);
    return CRANK_OK;
}

/* By how much constraints yield to their multipliers, in natural units: values (entries). */
static crank_status soften(crank_pencil *p, double *values, crank_error *err)
{
    const crank_eom *eom = p->at.eom;
    crank_scale scale = {.eom = eom};
    crank_arena arena = {0};
    crank_scale_layout(&scale, &arena);
    double *size = crank_store_take(&p->at.store, (size_t)eom->m, sizeof *size);
    if (size == NULL || !crank_arena_allocate(&arena)) {
        return no_memory(err);
    }
    crank_scale_layout(&scale, &arena);
    crank_scale_measure(&scale, p->at.values, p->at.x, NULL);
    crank_eom_row_scale(eom, p->at.values, p->at.x, size);
    for (int i = 0; i < eom->m; i++) {
        const int j = p->place[i];
        if (j < eom->column[CRANK_LAMBDA] || j >= eom->column[CRANK_MU + 1]) {
            continue;
        }
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            values[e] -= p->row[e] == j ? p->soft * size[i] / scale.unit[j] : 0.0;
        }
    }
    crank_arena_free(&arena);
    return CRANK_OK;
}

/* Factors; if soft, of constraints that yield. CRANK_RETRY: singular. */
static crank_status factor(crank_pencil *p, crank_error *err)
{
    const crank_solver_setup setup = {.wish = CRANK_LINALG_SPARSE,
                                      .n = p->n,
                                      .start = p->start,
                                      .row = p->row,
                                      .shifts = 1,
                                      .real = true};
    crank_solver_destroy(p->solver);
    p->solver = NULL;
    crank_status status = crank_solver_create(&setup, &p->solver, err);
    if (status == CRANK_OK) {
        double *values = crank_solver_values(p->solver, 0, false);
        memcpy(values, p->entry, (size_t)p->start[p->n] * sizeof *p->entry);
        status = p->soft > 0.0 ? soften(p, values, err) : CRANK_OK;
    }
    CRANK_THEN(status, crank_solver_factor(p->solver, 0, err));
    return status;
}

/* out -= (J - sigma E) x */
static void subtract_product(const crank_pencil *p, const double *x, double *out)
{
    for (int j = 0; j < p->n; j++) {
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            out[p->row[e]] -= p->entry[e] * x[j];
        }
    }
}

/* the largest state, in natural units */
static double largest(const crank_pencil *p, const double *x)
{
    double most = 0.0;
    for (int j = 0; j < p->n; j++) {
        most = fmax(most, fabs(x[j]) * p->weight[j]);
    }
    return most;
}

/* x = (J - sigma E)^-1 right, which becomes its residual and is solved for again: rows of
 * constraints then hold up to the rounding of positions, where factors leave that of multipliers.
 * Where constraints yield the rest falls by the softness each time, until nothing changes;
 * multipliers that stay open move nothing. */
static void solve(crank_pencil *p, double *right, double *x)
{
    double *step = p->step, last = INFINITY;
    crank_solver_solve(p->solver, 0, right, NULL, x, NULL);
    subtract_product(p, x, right);
    const int most = p->soft > 0.0 ? REFINEMENTS : 1;
    for (int k = 0; k < most; k++) {
        crank_solver_solve(p->solver, 0, right, NULL, step, NULL);
        const double size = largest(p, step);
        if (!(size < last / 2.0)) {
            return;
        }
        for (int j = 0; j < p->n; j++) {
            x[j] += step[j];
        }
        last = size;
        if (k == most - 1 || size <= DBL_EPSILON * largest(p, x)) {
            return;
        }
        subtract_product(p, step, right);
    }
}

/* out = E x */
static void times_lead(const crank_pencil *p, const double *x, double *out)
{
    const crank_eom *eom = p->at.eom;
    const crank_pattern *M = &eom->mass_pattern;
    const int v = eom->column[CRANK_V];
    memset(out, 0, (size_t)p->n * sizeof *out);
    for (int i = eom->column[CRANK_R]; i < eom->column[CRANK_R + 1]; i++) {
        out[i] = x[i];
    }
    for (int i = eom->column[CRANK_P]; i < p->n; i++) {
        out[i] = x[i];
    }
    for (int j = 0; j < eom->sizes.v; j++) {
        for (int e = M->start[j]; e < M->start[j + 1]; e++) {
            out[v + M->row[e]] += p->mass[e] * x[v + j];
        }
    }
}

/* A state without a pattern: given. */
static void choose_given(crank_pencil *p)
{
    for (int j = 0; j < p->n; j++) {
        p->given[j] = p->weight[j] > 0.0
                          ? (crank_random_part(1, 1, (uint64_t)j) - 0.5) / p->weight[j]
                          : 0.0;
    }
    project(p, p->given);
}

/* the largest difference of states, in natural units, and the largest state */
static double differ(const crank_pencil *p, const double *a, const double *b, double *most)
{
    double worst = 0.0;
    *most = 0.0;
    for (int j = 0; j < p->n; j++) {
        worst = fmax(worst, fabs(a[j] - b[j]) * p->weight[j]);
        *most = fmax(*most, fabs(a[j]) * p->weight[j]);
    }
    return worst;
}

/* Factors with this softness, and what `given` becomes in `out`. */
static crank_status try_soft(crank_pencil *p, double soft, double *out, crank_error *err)
{
    p->soft = soft;
    const crank_status status = factor(p, err);
    if (status == CRANK_OK) {
        times_lead(p, p->given, p->work);
        solve(p, p->work, out);
    }
    return status;
}

/* Constraints are independent if it does not matter whether they yield; where they do not, those
 * that depend on each other up to rounding would hold what moves. By how much they yield must not
 * matter, but in singular positions it does. */
static crank_status factor_any(crank_pencil *p, crank_error *err)
{
    double most;
    choose_given(p);
    crank_status status = try_soft(p, yields, p->back, err);
    if (status < CRANK_OK) {
        return status;
    }
    const bool firm = status == CRANK_OK;
    status = try_soft(p, 0.0, p->other, err);
    if (status == CRANK_OK && firm && differ(p, p->back, p->other, &most) <= regular * most) {
        return CRANK_OK;
    }
    status = status < CRANK_OK ? status : try_soft(p, yields_more, p->other, err);
    const bool same =
        status == CRANK_OK && firm && differ(p, p->back, p->other, &most) <= regular * most;
    return status < CRANK_OK || same
               ? status
               : crank_fail(
                     err, CRANK_EREFUSED,
                     "the linearised motion is singular: constraints do not determine it "
                     "here; see crank check");
}

/* ---- the point ---- */

/* v' = M^-1 f, by sparse factors, for derivatives of M v' */
static crank_status find_rates(crank_pencil *p, double *rates, crank_error *err)
{
    const crank_eom *eom = p->at.eom;
    const crank_pattern *M = &eom->mass_pattern;
    const crank_solver_setup setup = {.wish = CRANK_LINALG_SPARSE,
                                      .n = eom->sizes.v,
                                      .start = M->start,
                                      .row = M->row,
                                      .shifts = 1,
                                      .real = true};
    crank_solver *solver = NULL;
    if (eom->sizes.v == 0) {
        return CRANK_OK;
    }
    crank_status status = crank_solver_create(&setup, &solver, err);
    if (status == CRANK_OK) {
        memcpy(crank_solver_values(solver, 0, false), p->mass,
               (size_t)M->start[eom->sizes.v] * sizeof *p->mass);
        status = crank_solver_factor(solver, 0, err);
    }
    if (status == CRANK_OK) {
        crank_solver_solve(solver, 0, p->at.k + eom->row[CRANK_ROW_DYN], NULL, rates, NULL);
    }
    crank_solver_destroy(solver);
    return status > CRANK_OK
               ? crank_fail(err, CRANK_EREFUSED,
                            "the mass matrix is singular; accelerations=carry may help")
               : status;
}

static crank_status take(crank_pencil *p, crank_error *err)
{
    const crank_eom *eom = p->at.eom;
    const size_t n = (size_t)eom->n, m = (size_t)eom->m;
    crank_store *store = &p->at.store;
    const size_t norms = (size_t)(eom->row[CRANK_ROW_N + 1] - eom->row[CRANK_ROW_N]);
    p->place = crank_store_take(store, m, sizeof *p->place);
    p->at.k = crank_store_take(store, m, sizeof *p->at.k);
    p->at.values = crank_store_take(store, (size_t)eom->jacobian_pattern.start[n] + 1,
                                    sizeof *p->at.values);
    p->mass = crank_store_take(store, (size_t)eom->mass_pattern.start[eom->sizes.v] + 1,
                               sizeof *p->mass);
    p->weight = crank_store_take(store, n, sizeof *p->weight);
    p->work = crank_store_take(store, n, sizeof *p->work);
    p->norm = crank_store_take(store, 2 * norms + 1, sizeof *p->norm);
    p->part = p->norm + norms;
    p->step = crank_store_take(store, n, sizeof *p->step);
    p->given = crank_store_take(store, 3 * n, sizeof *p->given);
    p->back = p->given + n;
    p->other = p->back + n;
    return store->failed ? no_memory(err) : CRANK_OK;
}

crank_status crank_pencil_create(crank_eom *eom, double t, const double *x, double sigma,
                                 crank_pencil *out, crank_error *err)
{
    *out = (crank_pencil){.at = {.eom = eom, .t = t, .x = x}, .sigma = sigma, .n = eom->n};
    crank_linear_work *at = &out->at;
    crank_status status =
        eom->dae == NULL ? take(out, err)
                         : crank_fail(err, CRANK_EREFUSED,
                                      "modes by sparse factors are those of mechanisms and "
                                      "equations of motion, not of general DAEs");
    CRANK_THEN(status, crank_eom_evaluate_rows(eom, 1, &at->t, x, CRANK_ALL_ROWS, at->k, err));
    CRANK_THEN(status, crank_eom_evaluate_mass(eom, t, x, out->mass, err));
    CRANK_THEN(status, find_rates(out, out->work, err));
    CRANK_THEN(status, crank_eom_evaluate_jacobian(eom, t, x, out->work, at->values, err));
    CRANK_THEN(status, crank_linear_find_steady(at, err));
    if (status == CRANK_OK && !at->steady) { /* where g_p turns, g is not as good as gI, gII */
        status = crank_fail(
            err, CRANK_EREFUSED,
            "the motion is not steady here: %.150s; modes of large models "
            "are those of a rest or a steady motion: --equilibrium leads to a rest, initial: "
            "{steady: ...} and --from RESULT@T to a steady motion",
            at->unsteady);
    }
    if (status == CRANK_OK) {
        choose_rows(out);
        choose_weights(out);
        status = at->leads ? find_lead(out, err) : CRANK_OK;
    }
    CRANK_THEN(status, assemble(out, err));
    CRANK_THEN(status, factor_any(out, err));
    return status;
}

void crank_pencil_destroy(crank_pencil *p)
{
    crank_solver_destroy(p->solver);
    crank_store_free(&p->at.store);
    *p = (crank_pencil){0};
}

/* ---- use ---- */

void crank_pencil_apply(crank_pencil *p, const double *x, double *out)
{
    times_lead(p, x, p->work);
    solve(p, p->work, out);
    project(p, out);
}

double crank_pencil_dot(const crank_pencil *p, const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < p->n; i++) {
        sum += x[i] * p->weight[i] * (y[i] * p->weight[i]);
    }
    return sum;
}
