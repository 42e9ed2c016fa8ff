/* dae_supply.c - evaluates the eom of a `crank: dae` file: the rates b of all variables and the
 * constraints.
 *
 *     A b = r  in the sense of least squares,   A = [E_D; k_C,x],
 *         r = [k_D; -k_C,t]  theory (10.10)
 *     A db/dx = d(r - A b)/dx  with b held                                       theory (10.12)
 *
 * A has full column rank where the DAE determines the motion and may have more rows than
 * columns; on the constraints all of them agree. Rows are scaled by typical sizes, fixed at the
 * start: a row that vanishes at a point (E of varying rank) loses its influence there and is
 * not blown up. Where the rank is lost the point is refused. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/dae/dae_supply.h"
#include "base/then.h"

#include "base/tolerance.h"
#include "model/dae/dae_translated.h"

#include "linalg/dense.h"

#include <math.h>
#include <string.h>

/* rows that disagree by more than this beside the size of their terms contradict each other */
static const double contradiction = 1e-6;
/* bands of relations, over what the run may be off by; and of the size of their functions, for
 * rounding */
static const double band = 1e-4, band_rounding = 1e-14;
/* constraints, scaled, below this hold */
static const double nearly_zero = 1e-8;

/* ---- evaluation ---- */

static void run(const crank_dae_supplier *s, crank_dae_tape name, double *out)
{
    const int inputs = 1 + 2 * s->n;
    if (s->outputs[name] > 0) {
        crank_tape_evaluate(s->tape[name], 1, s->in, inputs, out, s->outputs[name],
                            s->registers);
    }
}

static void load(const crank_dae_supplier *s, double t, const double *x)
{
    s->in[0] = crank_eom_time(s->eom, t);
    memcpy(s->in + 1, x, (size_t)s->n * sizeof *x);
}

/* The first row of A, r that is not finite; -1: none. */
static int find_undefined(const crank_dae_supplier *s)
{
    for (int q = 0; q < s->entries + s->rows; q++) {
        if (!isfinite(s->out[q])) {
            return q < s->entries ? s->row[q] : q - s->entries;
        }
    }
    return -1;
}

static crank_status fail_undefined(const crank_dae_supplier *s, int row, double t,
                                   crank_error *err)
{
    const crank_eom *eom = s->eom;
    const crank_eom_dae *dae = eom->dae;
    return crank_fail_place(err, CRANK_RETRY, dae->place[row], "%s: not finite at t = %.10g",
                            dae->text[row], t);
}

static crank_status fail_rank(const crank_dae_supplier *s, double t, crank_error *err)
{
    const crank_eom *eom = s->eom;
    const int last = s->order[s->n - 1];
    const int j = last < s->n ? last : 0; /* no order: values too large */
    return crank_fail_place(
        err, CRANK_RETRY, crank_eom_column_place(eom, j),
        "a singular point at or before t = %.10g: the equations lose rank and do not determine "
        "the derivative of \"%.80s\" there",
        t, crank_eom_column_name(eom, j));
}

/* entries of A and r at (t, x) */
static crank_status find_entries(crank_dae_supplier *s, double t, const double *x,
                                 crank_error *err)
{
    load(s, t, x);
    run(s, CRANK_DAE_TAPE_MATRIX, s->out);
    const int undefined = find_undefined(s);
    return undefined >= 0 ? fail_undefined(s, undefined, t, err) : CRANK_OK;
}

/* A, scaled, of these entries */
static void fill_matrix(const crank_dae_supplier *s)
{
    const size_t rows = (size_t)s->rows;
    memset(s->A, 0, rows * (size_t)s->n * sizeof *s->A);
    for (int q = 0; q < s->entries; q++) {
        const int i = s->row[q], j = s->column[q];
        s->A[(size_t)i + (size_t)j * rows] = s->scale[i] * s->out[q] * s->unit[j];
    }
}

/* Has A lost rank on the way from where the last step ended? Then its determinant, seen from
 * there, has changed its sign. (It also does if A turns by a right angle in one step: a shorter
 * one will tell.) */
static bool crossed(crank_dae_supplier *s)
{
    if (s->side == 0) {
        return false;
    }
    memcpy(s->B, s->A, (size_t)s->rows * (size_t)s->n * sizeof *s->B);
    return crank_least_squares_orientation(s->rows, s->n, s->last, s->last_tau, s->B, s->order,
                                           s->work, s->work_size) != s->side;
}

/* false: the rank is lost here or on the way; a constant matrix is factored once */
static bool factor(crank_dae_supplier *s)
{
    if (s->constant && s->factored) {
        return true;
    }
    fill_matrix(s);
    const bool passed = crossed(s);
    s->factored = crank_least_squares_factor(s->rows, s->n, s->A, s->order, s->tau, s->work,
                                             s->work_size) &&
                  !passed &&
                  crank_least_squares_margin(s->rows, s->n, s->A) > CRANK_STEP_TOLERANCE;
    return s->factored;
}

/* factors A at (t, x) and finds b: into rate and the inputs */
crank_status crank_dae_find_rates(crank_dae_supplier *s, double t, const double *x,
                                  crank_error *err)
{
    if (s->translated != NULL) {
        return crank_dae_follow_rates(s, t, x, err);
    }
    const crank_status status = find_entries(s, t, x, err);
    if (status != CRANK_OK) {
        return status;
    }
    if (!factor(s)) {
        return fail_rank(s, t, err);
    }
    for (int i = 0; i < s->rows; i++) {
        s->B[i] = s->scale[i] * s->out[s->entries + i];
    }
    crank_least_squares_solve(s->rows, s->n, s->A, s->order, s->tau, 1, s->B, s->work,
                              s->work_size);
    for (int j = 0; j < s->n; j++) {
        s->rate[j] = s->B[j] * s->unit[j];
        if (!isfinite(s->rate[j])) {
            return fail_rank(s, t, err);
        }
        s->in[1 + s->n + j] = s->rate[j];
    }
    return CRANK_OK;
}

static crank_status find_constraints(const crank_dae_supplier *s, double t, const double *x,
                                     double *k, crank_error *err)
{
    load(s, t, x);
    run(s, CRANK_DAE_TAPE_CONSTRAINTS, k);
    for (int c = 0; c < s->constraints; c++) {
        if (!isfinite(k[c])) {
            return fail_undefined(s, s->differential + c, t, err);
        }
    }
    return CRANK_OK;
}

crank_status crank_dae_evaluate(void *self, int count, const double *t, const double *x,
                                int rows, double *k, crank_error *err)
{
    crank_dae_supplier *s = self;
    const crank_eom *eom = s->eom;
    crank_status status = CRANK_OK;
    for (int q = 0; q < count && status == CRANK_OK; q++) {
        const double *point = x + (size_t)q * (size_t)s->n;
        double *out = k + (size_t)q * (size_t)eom->m;
        if ((rows & CRANK_ALGEBRAIC) != 0) {
            status = find_constraints(s, t[q], point, out + eom->row[CRANK_ROW_N], err);
        }
        if (status == CRANK_OK && (rows & CRANK_DIFFERENTIAL) != 0) {
            status = crank_dae_find_rates(s, t[q], point, err);
            memcpy(out + eom->row[CRANK_ROW_KIN], s->rate, (size_t)s->n * sizeof *s->rate);
        }
    }
    return status;
}

/* no unknown is algebraic to explicit methods: the rates alone */
crank_status crank_dae_stage(void *self, double t, const double *x, double *k, double *values,
                             crank_error *err)
{
    crank_dae_supplier *s = self;
    (void)values;
    const crank_status status = crank_dae_find_rates(s, t, x, err);
    if (status == CRANK_OK) {
        memcpy(k + s->eom->row[CRANK_ROW_KIN], s->rate, (size_t)s->n * sizeof *s->rate);
    }
    return status;
}

/* do the constraints hold at the point in the inputs? */
static bool on_constraints(const crank_dae_supplier *s)
{
    run(s, CRANK_DAE_TAPE_CONSTRAINTS, s->size);
    bool hold = true;
    for (int c = 0; c < s->constraints; c++) {
        hold = hold && fabs(s->size[c]) * s->scale[s->differential + c] <= nearly_zero;
    }
    return hold;
}

/* On the constraints the rows agree about b; where they do not, the equations contradict each
 * other from here on (redundant ones with a right-hand side that depends on t). */
static crank_status check_rows(const crank_dae_supplier *s, double t, crank_error *err)
{
    if (s->rows == s->n || !on_constraints(s)) {
        return CRANK_OK;
    }
    double *rest = s->B; /* r - A b and the size of its terms */
    for (int i = 0; i < s->rows; i++) {
        rest[i] = s->out[s->entries + i];
        s->size[i] = 1.0 / s->scale[i] + fabs(rest[i]);
    }
    for (int q = 0; q < s->entries; q++) {
        const double term = s->out[q] * s->rate[s->column[q]];
        rest[s->row[q]] -= term;
        s->size[s->row[q]] += fabs(term);
    }
    for (int i = 0; i < s->rows; i++) {
        if (!(fabs(rest[i]) <= contradiction * s->size[i])) {
            return crank_fail_place(
                err, CRANK_RETRY, s->eom->dae->place[i],
                "%s contradicts the other equations at t = %.10g: it is off by %.3g",
                s->eom->dae->text[i], t, rest[i]);
        }
    }
    return CRANK_OK;
}

/* db/dx of the entries in change into B, n x n in the first rows */
void crank_dae_solve_change(crank_dae_supplier *s)
{
    const size_t rows = (size_t)s->rows;
    memset(s->B, 0, rows * (size_t)s->n * sizeof *s->B);
    for (int q = 0; q < s->change_entries; q++) {
        const int i = s->change_row[q];
        s->B[(size_t)i + (size_t)s->change_column[q] * rows] = s->scale[i] * s->change[q];
    }
    crank_least_squares_solve(s->rows, s->n, s->A, s->order, s->tau, s->n, s->B, s->work,
                              s->work_size);
    for (int j = 0; j < s->n; j++) {
        for (int i = 0; i < s->n; i++) {
            s->B[(size_t)i + (size_t)j * rows] *= s->unit[i];
        }
    }
}

crank_status crank_dae_find_change(crank_dae_supplier *s, double t, crank_error *err)
{
    run(s, CRANK_DAE_TAPE_CHANGE, s->change);
    for (int q = 0; q < s->change_entries; q++) {
        if (!isfinite(s->change[q])) {
            return fail_undefined(s, s->change_row[q], t, err);
        }
    }
    crank_dae_solve_change(s);
    return CRANK_OK;
}

crank_status crank_dae_jacobian(void *self, double t, const double *x, const double *vdot,
                                double *values, crank_error *err)
{
    crank_dae_supplier *s = self;
    const size_t n = (size_t)s->n, rows = (size_t)s->rows;
    (void)vdot; /* no v */
    crank_status status = crank_dae_find_rates(s, t, x, err);
    CRANK_THEN(status, check_rows(s, t, err));
    CRANK_THEN(status, crank_dae_find_change(s, t, err));
    if (status != CRANK_OK) {
        return status;
    }
    for (int q = 0; q < s->entries; q++) {
        if (s->slot[q] >= 0) {
            values[s->slot[q]] = s->out[q];
        }
    }
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++) {
            if (s->rate_slot[i + j * n] >= 0) {
                values[s->rate_slot[i + j * n]] = s->B[i + j * rows];
            }
        }
    }
    return CRANK_OK;
}

crank_status crank_dae_mass(void *self, double t, const double *x, double *values,
                            crank_error *err)
{
    (void)self, (void)t, (void)x, (void)values, (void)err;
    return CRANK_OK; /* there are no velocities */
}

/* A step ended at (t, x): from here rank is watched. If the step itself has led across a
 * singular point (its last iterate, which is evaluated nowhere, may), all points behind are
 * still refused, seen from where the step began. */
crank_status crank_dae_accepted(void *self, double t, const double *x, crank_error *err)
{
    crank_dae_supplier *s = self;
    const size_t size = (size_t)s->rows * (size_t)s->n * sizeof *s->A;
    const bool goes_on = t > s->last_t;
    (void)err;
    if (s->constant || find_entries(s, t, x, NULL) != CRANK_OK) {
        s->side = 0;
        return CRANK_OK;
    }
    fill_matrix(s);
    if (goes_on && crossed(s)) {
        return CRANK_OK;
    }
    s->side = 0;
    s->last_t = t;
    memcpy(s->last, s->A, size);
    memcpy(s->B, s->A, size);
    if (crank_least_squares_factor(s->rows, s->n, s->last, s->order, s->last_tau, s->work,
                                   s->work_size)) {
        s->side = crank_least_squares_orientation(s->rows, s->n, s->last, s->last_tau, s->B,
                                                  s->order, s->work, s->work_size);
    }
    return CRANK_OK;
}

/* x is about to jump: that A is different there says nothing */
void crank_dae_forget(crank_dae_supplier *s)
{
    s->side = 0;
}

void crank_dae_archive_discrete(void *self, crank_archive *a)
{
    crank_dae_supplier *s = self;
    if (s->discrete != NULL) {
        const size_t relations = (size_t)s->discrete->relation_count;
        crank_archive_doubles(a, s->slope_size, relations);
        crank_archive_flags(a, s->stays, relations);
        crank_archive_flags(a, s->held, (size_t)s->discrete->message_count);
    }
}

void crank_dae_archive(void *self, crank_archive *a)
{
    crank_dae_supplier *s = self;
    crank_archive_int(a, &s->side, -1, 1);
    crank_archive_double(a, &s->last_t);
    crank_archive_doubles(a, s->last, (size_t)s->rows * (size_t)s->n);
    crank_archive_doubles(a, s->last_tau, (size_t)s->n);
    crank_dae_archive_discrete(s, a);
}

void crank_dae_run(crank_dae_supplier *s, crank_dae_tape name, double t, const double *x,
                   double *out)
{
    load(s, t, x);
    run(s, name, out);
}

crank_status crank_dae_look(void *self, double t, const double *x, const crank_log *log,
                            crank_error *err)
{
    crank_dae_supplier *s = self;
    if (s->watches.count > 0) {
        crank_dae_run(s, CRANK_DAE_TAPE_TABLES, t, x, s->watched);
        crank_watch_tell(s->watches.count, s->watches.item, s->watched, t, s->told, log);
    }
    return crank_dae_look_at_stays(s, t, x, err);
}

/* Relations change where their functions are beyond zero by a small part of what the run may be
 * off by, more than iterations leave (a thousandth, and a millionth at events) and more than
 * rounding, theory (11.11). */
void crank_dae_set_tolerance(void *self, double relative, double absolute)
{
    const crank_dae_supplier *s = self;
    for (int i = 0; s->discrete != NULL && i < s->discrete->relation_count; i++) {
        const crank_dae_relation *r = &s->discrete->relation[i];
        s->band[i] =
            band * (relative * r->by_size + absolute * r->by_one) + band_rounding * r->by_most;
    }
}

void crank_dae_set_end(void *self, double t_end)
{
    crank_dae_supplier *s = self;
    s->t_end = t_end;
}

crank_status crank_dae_find_table_end(void *self, double t, const double *x, crank_error *err)
{
    crank_dae_supplier *s = self;
    crank_dae_run(s, CRANK_DAE_TAPE_TABLES, t, x, s->watched);
    return crank_watch_find_end(s->watches.count, s->watches.item, s->watched, t, err);
}

crank_status crank_dae_columns(const crank_model *model, void *self, double t, const double *x,
                               double *values, crank_error *err)
{
    crank_dae_supplier *s = self;
    crank_error ignored = {0};
    (void)err; /* an output outside its domain is NaN in the result and stops nobody */
    for (int i = 0; i < model->variable_columns; i++) {
        values[i] = x[model->source[i]];
    }
    load(s, t, x);
    if (s->outputs_with_rates && crank_dae_find_rates(s, t, x, &ignored) != CRANK_OK) {
        for (int j = 0; j < s->n; j++) {
            s->in[1 + s->n + j] = NAN;
        }
    }
    run(s, CRANK_DAE_TAPE_OUTPUTS, values + model->variable_columns);
    return CRANK_OK;
}

crank_status crank_dae_initial(void *self, double t, const double *x, double *conditions,
                               crank_error *err)
{
    crank_dae_supplier *s = self;
    const crank_status status = crank_dae_find_rates(s, t, x, err);
    if (status == CRANK_OK) {
        run(s, CRANK_DAE_TAPE_INITIAL, conditions);
    }
    return status;
}
