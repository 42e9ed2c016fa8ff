/* loads.c - forces and equations that read multipliers which redundant constraints leave
 * undetermined, told at the start: friction under the load of a joint that another one repeats.
 *
 * With W = [gI_v; h_v], multipliers are determined up to the null space of W^T, one vector nu
 * for each dependent row. The rows k of motion (d, c, b, f_dyn) contain W^T (lambda, mu), which
 * nu leaves alone. So the motion is unique iff
 *     (dk/d(lambda, mu)) nu = 0    for every nu,                                  theory (7.55)
 * which is looked at where no velocity and no multiplier is zero: friction of a joint at rest
 * depends on no load. Otherwise each method goes on with the multipliers that it happens to
 * find, and none is right. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/scale.h"
#include "eom/structure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAMED = 3, TEXT = 400 };

static const double vanishing = 1e-7; /* of the terms of a sum: rounding */
static const double share = 1e-6;     /* of the largest component of nu: what takes part */

typedef struct loads {
    crank_eom *eom;
    bool moves; /* there are degrees of freedom: forces change the motion */
    crank_arena arena;
    double *x, *values;
    int *place, *list;            /* m, n */
    double *norm, *columns;       /* m, n + m */
    bool *kept;                   /* lambda + mu */
    int *reason;                  /* the same */
    double *target, *combination; /* v, lambda + mu */
    double *nu, *sum, *size;      /* lambda + mu, m, m */
    bool *row, *reader,
        *joint;     /* m, readers: what depends on open loads; joints: whose loads */
    bool *repeated; /* lambda + mu: dependent rows that leave them open */
    crank_min_matrix V, I;
} loads;

static int multipliers(const crank_eom *eom)
{
    return eom->sizes.lambda + eom->sizes.mu;
}

static int readers(const crank_eom *eom)
{
    return eom->parts != NULL ? eom->parts->reader_count : 0;
}

static int joints(const crank_eom *eom)
{
    return eom->parts != NULL ? eom->parts->joint_count : 0;
}

static void layout(loads *w, crank_arena *arena)
{
    const crank_eom *eom = w->eom;
    const size_t n = (size_t)eom->n, m = (size_t)eom->m, rows = (size_t)multipliers(eom);
    w->x = crank_arena_take(arena, n, sizeof(double));
    w->values = crank_arena_take(arena, (size_t)eom->jacobian_pattern.start[n], sizeof(double));
    w->place = crank_arena_take(arena, m, sizeof(int));
    w->list = crank_arena_take(arena, n, sizeof(int));
    w->norm = crank_arena_take(arena, m, sizeof(double));
    w->columns = crank_arena_take(arena, n + m, sizeof(double));
    w->kept = crank_arena_take(arena, rows, sizeof(bool));
    w->reason = crank_arena_take(arena, rows, sizeof(int));
    w->target = crank_arena_take(arena, (size_t)eom->sizes.v, sizeof(double));
    w->combination = crank_arena_take(arena, rows, sizeof(double));
    w->nu = crank_arena_take(arena, rows, sizeof(double));
    w->sum = crank_arena_take(arena, m, sizeof(double));
    w->size = crank_arena_take(arena, m, sizeof(double));
    w->row = crank_arena_take(arena, m, sizeof(bool));
    w->reader = crank_arena_take(arena, (size_t)readers(eom), sizeof(bool));
    w->joint = crank_arena_take(arena, (size_t)joints(eom), sizeof(bool));
    w->repeated = crank_arena_take(arena, rows, sizeof(bool));
}

/* ---- the point ---- */

/* x with velocities and multipliers of the size that they have in the mechanism, none of them
 * zero; W does not depend on them. Where the equations have no value there: x itself. */
static crank_status look(loads *w, double t, const double *x, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const int first[2] = {eom->column[CRANK_V], eom->column[CRANK_LAMBDA]};
    const int end[2] = {eom->column[CRANK_V + 1], eom->column[CRANK_MU + 1]};
    memcpy(w->x, x, (size_t)eom->n * sizeof *x);
    for (int part = 0; part < 2; part++) {
        double largest = 0.0;
        for (int j = first[part]; j < end[part]; j++) {
            bool known;
            const double unit = crank_scale_unit(eom, j, &known);
            /* at least a natural size: what is given may be rounding */
            largest = fmax(largest, fmax(known ? 1.0 : 0.0, fabs(x[j]) / unit));
        }
        for (int j = first[part]; j < end[part]; j++) {
            bool known;
            const double unit = crank_scale_unit(eom, j, &known);
            const double golden = (j + 1) * 0.6180339887498949; /* its fractions look random */
            w->x[j] = unit * (largest > 0.0 ? largest : 1.0) * (0.5 + golden - floor(golden));
        }
    }
    crank_status status = crank_eom_evaluate_jacobian(w->eom, t, w->x, NULL, w->values, NULL);
    if (status > CRANK_OK) {
        status = crank_eom_evaluate_jacobian(w->eom, t, x, NULL, w->values, err);
    }
    return status;
}

/* ---- null vectors ---- */

/* V: the rows of W over their norms, by columns that are multiplied; I: the independent
 * ones. */
static crank_status split(loads *w, int *rank, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const crank_range range = {eom->row[CRANK_ROW_GI], eom->row[CRANK_ROW_E],
                               eom->column[CRANK_V], eom->column[CRANK_V + 1]};
    crank_status status = crank_structure_range(eom, w->values, range, w->place, w->list,
                                                w->norm, w->columns, &w->V, err);
    CRANK_THEN(status, crank_independent_rows_sparse(&w->V, CRANK_RANK_TOLERANCE, 0, w->kept,
                                                     w->reason, rank, NULL, err));
    if (status == CRANK_OK && *rank < w->V.rows &&
        !crank_structure_independent(&w->V, w->kept, *rank, w->place, &w->I)) {
        status = crank_fail(err, CRANK_EMEM, "loads of %d constraints", w->V.rows);
    }
    return status;
}

/* nu of the dependent row k: V_k = sum c_i V_i */
static crank_status find_null(loads *w, int k, crank_error *err)
{
    const crank_min_matrix *V = &w->V;
    memset(w->target, 0, (size_t)V->columns * sizeof *w->target);
    for (int j = 0; j < V->columns; j++) {
        for (int q = V->start[j]; q < V->start[j + 1]; q++) {
            w->target[j] += V->row[q] == k ? V->values[q] : 0.0;
        }
    }
    double largest = 1.0; /* of forces; small parts are rounding */
    const crank_status status = crank_row_combination(&w->I, w->target, w->combination, err);
    for (int i = 0; i < V->rows && status == CRANK_OK; i++) {
        w->nu[i] = w->kept[i] ? -w->combination[w->place[i]] : i == k ? 1.0 : 0.0;
        largest = fmax(largest, fabs(w->nu[i]));
    }
    for (int i = 0; i < V->rows; i++) {
        w->nu[i] = fabs(w->nu[i]) > share * largest ? w->nu[i] / w->norm[i] : 0.0;
    }
    return status;
}

/* ---- who depends on them ---- */

/* rows d, c, b and f_dyn, but for integrals of powers, on which nothing depends */
static bool is_motion(const crank_eom *eom, int row)
{
    static const crank_row_group group[] = {CRANK_ROW_D, CRANK_ROW_C, CRANK_ROW_B,
                                            CRANK_ROW_DYN};
    for (size_t i = 0; i < sizeof group / sizeof *group; i++) {
        int end = eom->row[group[i] + 1];
        if (group[i] == CRANK_ROW_B && eom->parts != NULL) {
            end = eom->row[CRANK_ROW_B] + eom->parts->first_work;
        }
        if (row >= eom->row[group[i]] && row < end) {
            return true;
        }
    }
    return false;
}

/* marks the rows that change along nu; false: there are none */
static bool find_rows(loads *w)
{
    const crank_eom *eom = w->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int first = eom->column[CRANK_LAMBDA];
    bool any = false;
    memset(w->sum, 0, (size_t)eom->m * sizeof *w->sum);
    memset(w->size, 0, (size_t)eom->m * sizeof *w->size);
    for (int i = 0; i < multipliers(eom); i++) {
        for (int q = J->start[first + i]; q < J->start[first + i + 1]; q++) {
            w->sum[J->row[q]] += w->values[q] * w->nu[i];
            w->size[J->row[q]] += fabs(w->values[q] * w->nu[i]);
        }
    }
    for (int r = 0; r < eom->m; r++) {
        if (fabs(w->sum[r]) > vanishing * w->size[r] && is_motion(eom, r)) {
            w->row[r] = any = true;
        }
    }
    return any;
}

/* Who reads what row k leaves open; false: nobody, so that what is left of the sums is
 * rounding. */
static bool find_readers(loads *w, int k)
{
    const crank_eom_parts *parts = w->eom->parts;
    for (int i = 0; i < readers(w->eom); i++) {
        for (int q = parts->reader_start[i]; q < parts->reader_start[i + 1]; q++) {
            const int multiplier = parts->reader_multiplier[q];
            if (w->nu[multiplier] != 0.0) {
                w->reader[i] = w->repeated[k] = true;
                w->joint[parts->constraint_joint[multiplier]] = true;
            }
        }
    }
    w->repeated[k] = w->repeated[k] || readers(w->eom) == 0;
    return w->repeated[k];
}

static crank_status examine(loads *w, double t, const double *x, bool *found, crank_error *err)
{
    int rank = 0;
    crank_status status = look(w, t, x, err);
    CRANK_THEN(status, split(w, &rank, err));
    w->moves = rank < w->V.columns;
    for (int k = 0; k < w->V.rows && status == CRANK_OK && rank < w->V.rows; k++) {
        if (w->kept[k]) {
            continue;
        }
        status = find_null(w, k, err);
        if (status == CRANK_OK && find_rows(w)) {
            *found = find_readers(w, k) || *found;
        }
    }
    return status;
}

/* ---- in words ---- */

static void append(char *text, const char *separator, const char *what)
{
    const size_t used = strlen(text);
    (void)snprintf(text + used, TEXT - used, "%s%s", used > 0 ? separator : "", what);
}

/* the first few of count that are marked, by name(eom, i); how many there are */
static int list(const crank_eom *eom, const bool *marked, int count,
                const char *(*name)(const crank_eom *eom, int i, char *text, size_t size),
                char *text)
{
    int found = 0;
    char one[160];
    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        if (marked[i] && found++ < NAMED) {
            append(text, ", ", name(eom, i, one, sizeof one));
        }
    }
    if (found > NAMED) {
        (void)snprintf(one, sizeof one, "%d more", found - NAMED);
        append(text, " and ", one);
    }
    return found;
}

static const char *reader_name(const crank_eom *eom, int i, char *text, size_t size)
{
    (void)text;
    (void)size;
    return eom->parts->reader_text[i];
}

static const char *joint_name(const crank_eom *eom, int i, char *text, size_t size)
{
    (void)text;
    (void)size;
    return eom->parts->joint_text[i];
}

static void describe(const loads *w, char *text, size_t size)
{
    const crank_eom *eom = w->eom;
    char who[TEXT], whose[TEXT] = "", why[TEXT];
    const bool parts = readers(eom) > 0;
    const int count = parts ? list(eom, w->reader, readers(eom), reader_name, who)
                            : list(eom, w->row, eom->m, crank_eom_row_name, who);
    if (parts) {
        (void)list(eom, w->joint, joints(eom), joint_name, whose);
    }
    (void)list(eom, w->repeated, multipliers(eom), crank_eom_constraint_text, why);
    (void)snprintf(
        text, size,
        "%.300s depend%s on %s%.300s that redundant constraints leave open (%.300s): "
        "%s are a matter of the method%s; leave out what is redundant%s",
        who, count == 1 ? "s" : "", parts ? "reactions of " : "multipliers", whose, why,
        w->moves ? "these, and what moves by them," : "these, and the other reactions,",
        w->moves ? "" : ", while the motion is prescribed",
        parts ? ", or give friction a `level` instead of a `coefficient`" : "");
}

crank_status crank_eom_find_loads(crank_eom *eom, double t, const double *x, char *text,
                                  size_t size, crank_error *err)
{
    loads w = {.eom = eom};
    bool found = false, degenerate = false;
    text[0] = '\0';
    if (multipliers(eom) == 0 || (eom->parts != NULL && readers(eom) == 0)) {
        return CRANK_OK;
    }
    layout(&w, &w.arena);
    if (!crank_arena_allocate(&w.arena)) {
        return crank_fail(err, CRANK_EMEM, "loads of %d constraints", multipliers(eom));
    }
    layout(&w, &w.arena);
    crank_status status = examine(&w, t, x, &found, err);
    if (status == CRANK_OK && found) { /* at a singular position they are not redundant */
        status = crank_eom_degenerate(eom, t, x, &degenerate, NULL, 0, err);
    }
    if (status == CRANK_OK && found && !degenerate) {
        describe(&w, text, size);
    }
    crank_min_free(&w.V);
    crank_min_free(&w.I);
    crank_arena_free(&w.arena);
    return status < CRANK_OK ? status : CRANK_OK;
}

crank_status crank_eom_warn_loads(crank_eom *eom, double t, const double *x, crank_log log,
                                  crank_error *err)
{
    char text[1000] = "";
    const crank_status status =
        log.write != NULL ? crank_eom_find_loads(eom, t, x, text, sizeof text, err) : CRANK_OK;
    if (text[0] != '\0') {
        crank_log_write(&log, CRANK_WARNING, "%s", text);
    }
    return status;
}
