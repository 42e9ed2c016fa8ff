/* partition_choose.c - which coordinates are independent: Gaussian elimination with complete
 * pivoting on the constraints of velocity level, and of position level in the axes of the
 * chart, rows and unknowns over their sizes; columns of pivots are dependent [Neg98, 2.1].
 * Where that would cost more than linear algebra of the steps does (its work grows with the
 * cube), the largest entries row by row of the sparse elimination take its place.
 *
 * The choice holds while the condition of the dependent columns stays below a multiple of what
 * it was, theory (2.30): then it is made anew, at the same point, and told. The sparse
 * decomposition is bound to it by weights. A tangent plane is not chosen, but has a condition,
 * too: it is that of the prepared point, and may be old. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/partition.h"
#include "formulate/reduction_dense.h"

#include "base/then.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* rows times rows times columns of a window up to which pivoting is complete */
static const double most_work = 2e7;
/* Sizes that differ by less are equal, so that rounding and units do not choose. */
static const double tie = 1e-10;
/* weight of an independent column as a pivot: taken where no dependent one is left */
static const double barred = 1e-6;
enum { SIGNS = 2, WINDOWS = 2, NAMED = 8, TOLD = 10 };

static crank_sparse_reduction *sparse(const crank_partition *s)
{
    return (crank_sparse_reduction *)s->psf->reduction;
}

static double work_of(const crank_window *w)
{
    const double rows = w->row_end - w->row;
    return rows * rows * (w->column_end - w->column);
}

void crank_choice_layout(crank_partition *s, crank_arena *arena)
{
    crank_choice *c = &s->choice;
    const size_t n = (size_t)s->eom->n, m = (size_t)s->eom->m;
    const crank_window *w = &s->psf->setup.window[CRANK_WINDOW_VELOCITY];
    size_t entries = 0;
    bool small = !s->plane;
    for (int i = 0; i < WINDOWS; i++) {
        const size_t size =
            (size_t)(w[i].row_end - w[i].row) * (size_t)(w[i].column_end - w[i].column);
        small = small && work_of(&w[i]) <= most_work;
        entries = size > entries ? size : entries;
    }
    c->dependent = crank_arena_take(arena, n, sizeof(bool));
    c->next = crank_arena_take(arena, n, sizeof(bool));
    c->before = crank_arena_take(arena, n, sizeof(bool));
    c->matrix = crank_arena_take(arena, small ? entries + 1 : 0, sizeof(double));
    c->matrix = small ? c->matrix : NULL;
    c->row = crank_arena_take(arena, m, sizeof(int));
    c->column = crank_arena_take(arena, n, sizeof(int));
    c->response = crank_arena_take(arena, n, sizeof(double));
    c->load = crank_arena_take(arena, m, sizeof(double));
}

void crank_choice_restart(crank_partition *s)
{
    s->choice.made = s->choice.due = s->choice.back = false;
    s->choice.changed_t = (double)NAN;
    s->choice.condition = s->choice.condition_chosen = 0.0;
}

/* ---- complete pivoting ---- */

/* Rows of equations files count as they are written [Neg98, 2.1]; those of mechanisms, lengths
 * and angles by turns, over their largest entries so far. */
static void fill_matrix(const crank_sparse_window *window, bool written, crank_choice *c)
{
    const int rows = window->rows;
    memset(c->matrix, 0, (size_t)rows * (size_t)window->columns * sizeof *c->matrix);
    for (int i = 0; i < rows; i++) {
        const double size = written ? 1.0 : window->scale[i];
        c->row[i] = i;
        for (int e = window->start[i]; e < window->start[i + 1] && size > 0.0; e++) {
            c->matrix[i + (long)window->column[e] * rows] += window->values[e] / size;
        }
    }
    for (int j = 0; j < window->columns; j++) {
        c->column[j] = j;
    }
}

/* the largest entry from step k on, of the first rows and columns; where it stands */
static double find_pivot(const crank_choice *c, int k, int rows, int columns, int total,
                         int at[2])
{
    double largest = 0.0;
    at[0] = at[1] = k;
    for (int j = k; j < columns; j++) {
        const double *column = c->matrix + (long)c->column[j] * total;
        for (int i = k; i < rows; i++) {
            if (fabs(column[c->row[i]]) > largest * (1.0 + tie)) {
                largest = fabs(column[c->row[i]]);
                at[0] = i;
                at[1] = j;
            }
        }
    }
    return largest;
}

static void swap(int *list, int a, int b)
{
    const int kept = list[a];
    list[a] = list[b];
    list[b] = kept;
}

static void eliminate(crank_choice *c, int k, int rows, int columns)
{
    const double *pivot = c->matrix + (long)c->column[k] * rows;
    for (int j = k + 1; j < columns; j++) {
        double *column = c->matrix + (long)c->column[j] * rows;
        const double factor = column[c->row[k]] / pivot[c->row[k]];
        for (int i = k + 1; i < rows && factor != 0.0; i++) {
            column[c->row[i]] -= factor * pivot[c->row[i]];
        }
    }
}

/* c->next of a window's columns; contact equations have pivots of their own, and come first */
static void choose_window(crank_partition *s, int w)
{
    crank_choice *c = &s->choice;
    const crank_sparse_window *window = &sparse(s)->window[w];
    const int rank = s->psf->reduction->state.rank[CRANK_WINDOW_VELOCITY + w];
    const int own = w == 1 ? s->eom->sizes.s : 0;
    fill_matrix(window, s->eom->parts == NULL, c);
    for (int k = 0; k < rank; k++) {
        const bool contact = k < own;
        int at[2];
        if (!(find_pivot(c, k, contact ? own : window->rows, contact ? own : window->columns,
                         window->rows, at) > 0.0)) {
            break;
        }
        swap(c->row, k, at[0]);
        swap(c->column, k, at[1]);
        c->next[window->first_column + c->column[k]] = true;
        eliminate(c, k, window->rows, window->columns);
    }
}

/* ---- the decomposition ---- */

static void set_weights(crank_partition *s, const bool *dependent)
{
    for (int j = 0; j < s->eom->n; j++) {
        s->psf->weight[j] = dependent == NULL || dependent[j] ? 1.0 : barred;
    }
}

/* columns of pivots */
static void read_pivots(const crank_partition *s, bool *dependent)
{
    memset(dependent, 0, (size_t)s->eom->n * sizeof *dependent);
    for (int w = 0; w < WINDOWS; w++) {
        const crank_sparse_window *window = &sparse(s)->window[w];
        const int *pivot = crank_rowspace_pivot(window->space);
        for (int i = 0; i < window->rows; i++) {
            if (pivot[i] >= 0) {
                dependent[window->first_column + pivot[i]] = true;
            }
        }
    }
}

static crank_status decompose(crank_partition *s, double t, crank_error *err)
{
    crank_psf *psf = s->psf;
    crank_reduction *r = psf->reduction;
    r->selectors_due(r);
    psf->statistics.predecompositions++;
    const crank_status status = r->decompose(
        r, psf->jacobian, s->eom->mass_is_identity ? NULL : psf->mass.values, false, err);
    if (status == CRANK_OK) {
        crank_psf_update_monitor(psf, t, false);
        crank_psf_update_noise(psf, s->full);
        s->recovery.reduction->selectors_due(s->recovery.reduction);
    }
    return status;
}

static crank_status choose(crank_partition *s, double t, crank_error *err)
{
    crank_choice *c = &s->choice;
    memset(c->next, 0, (size_t)s->eom->n * sizeof *c->next);
    for (int w = 0; w < WINDOWS && c->matrix != NULL; w++) {
        choose_window(s, w);
    }
    if (c->matrix != NULL) {
        return CRANK_OK;
    }
    set_weights(s, NULL);
    const crank_status status = decompose(s, t, err);
    read_pivots(s, c->next);
    return status;
}

/* ---- the condition ---- */

/* theory (2.30): the norm of the rows times that of the inverse of their dependent columns,
 * rows and unknowns over their sizes; the latter by the answers to rows that are all one in
 * size. With the norm of the dependent columns alone [Neg98, 2.2] a single constraint would
 * have one all the way to its singularity. */
static double norm_of(const crank_sparse_window *window)
{
    double norm = 0.0;
    for (int i = 0; i < window->rows; i++) {
        double sum = 0.0;
        for (int e = window->start[i]; e < window->start[i + 1] && window->scale[i] > 0.0;
             e++) {
            sum += fabs(window->values[e]) / window->scale[i];
        }
        norm = fmax(norm, sum);
    }
    return norm;
}

static double inverse_of(crank_partition *s, crank_reduction *by, const crank_window *window,
                         const double *scale)
{
    crank_choice *c = &s->choice;
    double inverse = 0.0;
    for (int signs = 0; signs < SIGNS; signs++) {
        memset(c->load, 0, (size_t)s->eom->m * sizeof *c->load);
        for (int i = 0; i < window->row_end - window->row; i++) {
            const double golden = (i + 1) * 0.6180339887498949; /* its fractions look random */
            const double sign = signs == 1 && golden - floor(golden) < 0.5 ? -1.0 : 1.0;
            c->load[window->row + i] = sign * scale[i];
        }
        by->project(by, c->load, c->response);
        for (int j = window->column; j < window->column_end; j++) {
            inverse = fmax(inverse, fabs(c->response[j]) / s->psf->scale.unit[j]);
        }
    }
    return inverse;
}

/* by this decomposition; of a plane, whose rows are over their sizes, the second factor */
static double condition(crank_partition *s, crank_reduction *by)
{
    double largest = 0.0;
    for (int w = 0; w < WINDOWS; w++) {
        const crank_window *window = &by->setup.window[CRANK_WINDOW_VELOCITY + w];
        const crank_sparse_window *own = &((const crank_sparse_reduction *)by)->window[w];
        const double size =
            s->plane
                ? inverse_of(s, by, window, ((const crank_dense *)by)->row_scale + window->row)
                : norm_of(own) * inverse_of(s, by, window, own->scale);
        largest = fmax(largest, size);
    }
    return largest;
}

/* ---- what is told ---- */

/* names of velocities that are in one set and not in the other; other NULL: of one */
static void name_velocities(const crank_partition *s, const bool *in, const bool *other,
                            char *text, size_t size)
{
    const crank_eom *eom = s->eom;
    size_t used = 0;
    int count = 0;
    text[0] = '\0';
    for (int j = eom->column[CRANK_V]; j < eom->column[CRANK_S]; j++) {
        if (in[j] || (other != NULL && !other[j])) {
            continue;
        }
        if (++count <= NAMED && used < size) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", count > 1 ? ", " : "",
                                     crank_eom_column_name(eom, j));
        }
    }
    if (count > NAMED && used < size) {
        (void)snprintf(text + used, size - used, " and %d more", count - NAMED);
    }
}

static void tell_first(const crank_partition *s)
{
    char names[240];
    name_velocities(s, s->choice.dependent, NULL, names, sizeof names);
    crank_log_write(&s->psf->setup.log, CRANK_INFO, "independent velocities: %s",
                    names[0] != '\0' ? names : "none");
}

/* the first ones only; all are counted, as selector_updates */
static void tell(crank_partition *s, double t, const char *reason)
{
    crank_choice *c = &s->choice;
    char in[240], out[240];
    if (c->told == TOLD) {
        return;
    }
    c->told++;
    name_velocities(s, c->next, c->dependent, in, sizeof in);
    name_velocities(s, c->dependent, c->next, out, sizeof out);
    const bool one = in[0] != '\0' && strchr(in, ',') == NULL;
    crank_log_write(&s->psf->setup.log, CRANK_INFO,
                    "t = %.6g: %s become%s independent in place of %s, %s%s", t,
                    in[0] != '\0' ? in : "other positions", one ? "s" : "",
                    out[0] != '\0' ? out : "some", reason,
                    c->told == TOLD ? "; further changes are not told" : "");
}

/* ---- a look ---- */

static bool same(const crank_partition *s, const bool *a, const bool *b)
{
    return memcmp(a, b, (size_t)s->eom->n * sizeof *a) == 0;
}

/* c->next takes effect */
static crank_status take(crank_partition *s, double t, const char *reason, crank_error *err)
{
    crank_choice *c = &s->choice;
    if (reason != NULL) {
        tell(s, t, reason);
        memcpy(c->before, c->dependent, (size_t)s->eom->n * sizeof *c->before);
        c->changed_t = t;
    }
    memcpy(c->dependent, c->next, (size_t)s->eom->n * sizeof *c->next);
    set_weights(s, c->dependent);
    const crank_status status = decompose(s, t, err);
    c->condition = c->condition_chosen =
        status == CRANK_OK ? condition(s, s->psf->reduction) : c->condition;
    return status;
}

void crank_choice_recall(crank_partition *s, double t, bool again)
{
    crank_choice *c = &s->choice;
    const bool back = c->made && again && t < c->changed_t; /* NaN: never */
    if (back != c->back) {
        c->back = back;
        set_weights(s, back ? c->before : c->dependent);
        s->psf->reduction->selectors_due(s->psf->reduction);
        s->recovery.reduction->selectors_due(s->recovery.reduction);
    }
}

crank_status crank_choice_look(crank_partition *s, double t, crank_error *err)
{
    crank_choice *c = &s->choice;
    char reason[160];
    if (s->plane) {
        c->condition = c->condition_chosen = condition(s, s->psf->reduction);
        return CRANK_OK;
    }
    if (!c->made) {
        crank_status status = choose(s, t, err);
        CRANK_THEN(status, take(s, t, NULL, err));
        c->made = status == CRANK_OK;
        if (c->made) {
            tell_first(s);
        }
        return status;
    }
    const double before = c->condition_chosen;
    read_pivots(s, c->next);
    const bool left = !same(s, c->dependent, c->next); /* dependent columns became singular */
    c->condition = condition(s, s->psf->reduction);
    const bool grown = !(c->condition <= s->limit * before);
    if (!left && !grown && !c->due) {
        return CRANK_OK;
    }
    const crank_status status = choose(s, t, err);
    c->due = false;
    if (status != CRANK_OK) {
        return status;
    }
    if (!left && same(s, c->dependent, c->next)) {
        c->condition_chosen = fmax(c->condition, before);
        if (c->matrix == NULL) { /* weights were those of no choice */
            set_weights(s, c->dependent);
        }
        return CRANK_OK;
    }
    (void)snprintf(reason, sizeof reason,
                   left    ? "whose constraints are singular here"
                   : grown ? "since the condition of the dependent ones rose from %.3g to %.3g"
                           : "since Newton's iteration failed (condition %.3g, now %.3g)",
                   before, c->condition);
    return take(s, t, reason, err);
}

bool crank_choice_outgrown(crank_partition *s, double t)
{
    return s->recovery.t == t &&
           !(condition(s, s->recovery.reduction) <= s->limit * s->choice.condition_chosen);
}
