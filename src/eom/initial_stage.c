/* initial_stage.c - one level of the initial values (or all of them) by damped Gauss-Newton
 * steps.
 *
 * A step is x_j += d_j y_j with y of smallest norm among those that minimise |A y + r|,
 *     A_ij = (dF_i/dx_j) d_j / a_i,   r_i = F_i / a_i,   a_i: norm of row i of (dF/dx) diag(d),
 *     d_j = 1 + largest |x| of its group for a preferred unknown,
 *         1000 times that for a free one
 * (bodies: the typical lever arm for translations, 1 for angles, velocities by relative
 * motions, initial_relative.c); fixed unknowns have no
 * column. Bodies take short steps, |y_j| <= 1/4, which keeps them on the path on which all
 * residuals fall alike, and off other branches. A step is halved until the weighted residual
 * falls; if that does not help it is damped, |A y + r|^2 + mu^2 |y|^2, more and more [Lev44].
 * When the residual F can fall no further, (dF/dx)^T F ~ 0, and is not small, the equations
 * contradict each other. Where it is small but steps stay long, as for exp(x) = 0, the root
 * lies at infinity. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "base/tolerance.h"
#include "eom/initial.h"
#include "eom/structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double free_factor = 1000.0;
static const double vanishing =
    1e-10; /* a row's derivatives, relative to its scale, that are rounding */
static const double round_off_excess =
    1e3; /* accepted, with a warning, where rounding stops progress */

/* A step this long, and as long as the one before, where the residual is small already: the
 * derivatives fall with the residual, and there is no root. (Steps to a multiple root shrink
 * with the distance to it.) */
static const double running = 1e-3;

static const double helps_little =
    0.98; /* what a step cut to a fraction leaves of the residual where it leads nowhere */

static const double stationary = 0.02; /* |A^T r| / |r| where no step helps */

enum { HALVINGS = 6, SHORT_STEPS = 10, OPEN_STEPS = 100, OPEN_CUT = 4, FREE_TURN = 4 };

/* unknowns: searches take hundreds of steps, each of which costs singular values the cube of
 * them, sparse factors little more than their number */
enum { SPARSE_FROM = 48 };

static const double soft_weight = 1e-3; /* of constraints at the joint that stays open */

static bool is_velocity(const crank_initial *w, int column)
{
    return column >= w->eom->column[CRANK_V] && column < w->eom->column[CRANK_S];
}

double crank_initial_ease(const crank_initial *w, int column)
{
    return w->alike ? 1.0 : crank_initial_own_ease(w, column);
}

double crank_initial_own_ease(const crank_initial *w, int column)
{
    const bool known = w->know_motion && is_velocity(w, column);
    return crank_initial_is_guess(w, column) && !known ? free_factor : 1.0;
}

bool crank_initial_moves(const crank_initial *w, int column)
{
    const bool held = w->hold_motion || (w->hold_given && w->fixing[column] != CRANK_FREE);
    return w->fixing[column] != CRANK_FIXED && !(held && is_velocity(w, column)) &&
           !(w->hold_preferred && !crank_initial_is_guess(w, column)) &&
           !(w->hold_placed && w->fixing[column] == CRANK_PREFERRED) &&
           !(w->hold_loose && w->loose[column]) && !w->turned[column] &&
           !(w->hold_contacts && column >= w->eom->column[CRANK_S] &&
             column < w->eom->column[CRANK_P]);
}

/* A dynamic variable moves only where a condition of the stage asks for it: one that reads it,
 * or, if it is a guess (or nothing else helps), one beside a row that reads it. */
static bool is_asked(const crank_initial *w, int j)
{
    const crank_pattern *pattern = &w->eom->jacobian_pattern;
    bool any = false, asked = false;
    for (int i = 0; i < w->conditions; i++) {
        const bool in = w->place[w->algebraic + i] >= 0;
        any = any || in;
        asked = asked || (in && w->touches[i + j * w->conditions]);
    }
    const bool may = any && (w->fixing[j] == CRANK_FREE || w->dynamic);
    for (int q = pattern->start[j]; q < pattern->start[j + 1] && may && !asked; q++) {
        asked = pattern->row[q] < w->algebraic && w->place[pattern->row[q]] >= 0;
    }
    return asked;
}

/* Lists equations and movable unknowns of the stage. */
static void choose(crank_initial *w, int level)
{
    const crank_eom *eom = w->eom;
    static const crank_group first[] = {CRANK_S, CRANK_V, CRANK_W, CRANK_W};
    static const crank_group last[] = {CRANK_GROUPS, CRANK_S, CRANK_R, CRANK_GROUPS};
    w->rows = w->columns = 0;
    w->anchors = level == 0;
    w->level_at_hand = level;
    for (int i = 0; i < w->equations; i++) {
        const bool in = crank_initial_is_in(w, i, level);
        w->place[i] = in ? w->rows : -1;
        if (in) {
            w->row[w->rows++] = i;
        }
    }
    for (int j = 0; j < eom->n; j++) {
        bool in = j >= eom->column[first[level]] && j < eom->column[last[level]];
        if (level == 2 && !w->options.multipliers) {
            in = in && j < eom->column[CRANK_LAMBDA];
        }
        if (j >= eom->column[CRANK_R] && j < eom->column[CRANK_V]) {
            in = is_asked(w, j);
        }
        if (in && crank_initial_moves(w, j)) {
            w->column[w->columns++] = j;
        }
    }
}

/* What counts as an equal move: one scale per group, so that the change within a group is
 * orthogonal. */
static void set_moves(crank_initial *w)
{
    const crank_eom *eom = w->eom;
    const crank_eom_parts *parts = eom->parts;
    for (int g = 0; g < CRANK_GROUPS; g++) {
        double size = 1.0;
        for (int j = eom->column[g]; j < eom->column[g + 1]; j++) {
            size = fmax(size, 1.0 + fabs(w->x[j]));
        }
        for (int j = eom->column[g]; j < eom->column[g + 1]; j++) {
            w->move[j] = size * crank_initial_ease(w, j);
        }
    }
    if (parts == NULL) {
        return;
    }
    const double lever = parts->length;
    for (int i = 0; i < eom->sizes.p; i++) {
        const int j = eom->column[CRANK_P] + i;
        const char kind = parts->position_kind[i];
        w->move[j] = (kind == 't' ? lever : kind == 'q' ? 0.5 : 1.0) * crank_initial_ease(w, j);
    }
    for (int i = 0; i < eom->sizes.v; i++) {
        const int j = eom->column[CRANK_V] + i;
        w->move[j] = (parts->velocity_kind[i] == 't' ? lever : 1.0) * crank_initial_ease(w, j);
    }
    for (int i = 0; i < eom->sizes.s && parts->contact_move != NULL; i++) {
        const int j = eom->column[CRANK_S] + i;
        w->move[j] = parts->contact_move[i] > 0.0
                         ? parts->contact_move[i] * crank_initial_ease(w, j)
                         : w->move[j];
    }
    crank_scale_measure(&w->units, w->values, w->x, NULL);
    double seen = 1.0; /* velocities that are rounding make natural units of nothing */
    for (int j = eom->column[CRANK_W]; j < eom->column[CRANK_R]; j++) {
        seen = fmax(seen, fabs(w->x[j]) / w->units.unit[j]);
    }
    for (int j = eom->column[CRANK_W]; j < eom->column[CRANK_R]; j++) {
        w->move[j] = seen * w->units.unit[j] * crank_initial_ease(w, j);
    }
}

double crank_initial_plain_move(const crank_initial *w, int column)
{
    return w->move[column] / crank_initial_ease(w, column);
}

bool crank_initial_is_of(const crank_eom *eom, crank_released part, int constraint)
{
    return part.joint >= 0 && constraint >= 0 && constraint < eom->sizes.lambda &&
           eom->parts->constraint_joint[constraint] == part.joint &&
           crank_initial_is_drive(eom, constraint) == part.drive;
}

/* How much a row of the stage counts: less if it belongs to the joint that may stay open. */
static double weight_of(const crank_initial *w, int i)
{
    const bool soft =
        (w->soft.contacts && w->touching[w->row[i]]) ||
        crank_initial_is_of(w->eom, w->soft, w->row[i] - w->eom->row[CRANK_ROW_G]);
    return soft ? soft_weight : 1.0;
}

static bool is_softened(const crank_initial *w)
{
    return w->soft.joint >= 0 || w->soft.contacts;
}

/* Accelerations and multipliers of bodies, however small or large these are: columns of A (and
 * moves) are scaled so that the largest entries of rows, which are divided by their sizes
 * first, and columns are alike; with all levels at once those of states, too, but where it counts
 * how far these are from somewhere. */
static bool balance_columns(crank_initial *w)
{
    const size_t entries = (size_t)w->A.start[w->columns], n = (size_t)w->columns;
    double *work = malloc((entries + 2 * n + (size_t)w->rows + 1) * sizeof *work);
    if (work == NULL) {
        return false;
    }
    crank_min_matrix copy = w->A;
    double *total = work + entries, *column = total + n, *row = column + n;
    copy.values = work;
    for (size_t q = 0; q < entries; q++) {
        work[q] = w->A.values[q] / w->scale[w->row[w->A.row[q]]];
    }
    for (size_t l = 0; l < n; l++) {
        total[l] = 1.0;
    }
    crank_structure_equilibrate(&copy, row, column, total);
    for (int l = 0; l < w->columns; l++) {
        if (w->plain && w->column[l] >= w->eom->column[CRANK_R]) {
            continue;
        }
        w->move[w->column[l]] *= total[l];
        for (int q = w->A.start[l]; q < w->A.start[l + 1]; q++) {
            w->A.values[q] *= total[l];
        }
    }
    free(work);
    return true;
}

/* Is the stage one of velocities alone, of bodies? */
static bool is_relative(const crank_initial *w)
{
    return w->relative != NULL && w->level_at_hand == 1;
}

/* Entries of the column of an unknown, times its move, listed from row and value on. */
static int list_column(const crank_initial *w, int j, int *row, double *value)
{
    const crank_pattern *pattern = &w->eom->jacobian_pattern;
    int count = 0;
    for (int q = pattern->start[j]; q < pattern->start[j + 1]; q++) {
        const int i = pattern->row[q];
        if (i < w->algebraic && w->place[i] >= 0 && w->values[q] != 0.0) {
            row[count] = w->place[i];
            value[count++] = w->values[q] * w->move[j];
        }
    }
    for (int i = 0; i < w->conditions; i++) {
        const double derivative = w->condition_values[i + j * w->conditions];
        if (w->place[w->algebraic + i] >= 0 && derivative != 0.0) {
            row[count] = w->place[w->algebraic + i];
            value[count++] = derivative * w->move[j];
        }
    }
    const int ties = crank_initial_tie_entries(w, j, row + count, value + count);
    for (int i = 0; i < ties; i++) {
        value[count++] *= w->move[j];
    }
    return count;
}

/* A with the values at w->x, columns scaled, rows equilibrated; r to match. */
static crank_status assemble(crank_initial *w, crank_error *err)
{
    const crank_pattern *pattern = &w->eom->jacobian_pattern;
    const int ni = w->conditions;
    const bool relative = is_relative(w);
    size_t entries = 0;
    set_moves(w);
    if (relative && crank_initial_relative_begin(w, err) != CRANK_OK) {
        return CRANK_EMEM;
    }
    for (int l = 0; l < w->columns; l++) {
        const int j = w->column[l];
        entries += (size_t)(relative && crank_initial_relative_body(w, j) >= 0
                                ? crank_initial_relative_entries(w, j)
                                : ni + w->ties + pattern->start[j + 1] - pattern->start[j]);
    }
    crank_min_free(&w->A);
    if (!crank_min_allocate(&w->A, w->rows, w->columns, entries)) {
        return crank_fail(err, CRANK_EMEM, "equations for %d initial values", w->columns);
    }
    crank_min_matrix *A = &w->A;
    int count = 0;
    memset(w->norm, 0, (size_t)w->rows * sizeof *w->norm);
    for (int l = 0; l < w->columns; l++) {
        const int j = w->column[l];
        if (relative && crank_initial_relative_body(w, j) >= 0) {
            count += crank_initial_relative_column(w, j, A->row + count, A->values + count);
            A->start[l + 1] = count;
            continue;
        }
        count += list_column(w, j, A->row + count, A->values + count);
        A->start[l + 1] = count;
    }
    const bool balance = w->eom->parts != NULL && w->rows > 0 && w->level[w->row[0]] == 2;
    if (balance && !balance_columns(w)) {
        return crank_fail(err, CRANK_EMEM, "equations for %d initial values", w->columns);
    }
    for (int q = 0; q < count; q++) {
        w->norm[A->row[q]] = hypot(w->norm[A->row[q]], A->values[q]);
    }
    for (int i = 0; i < w->rows; i++) {
        /* balances of forces and torques are never rounding; rows that are ask for nothing, and
         * keep their scale: over less, what they leave would drown the others. Conditions of
         * the file ask, however flat they are: exp(v) = 0 is not met where it is small */
        const double scale = w->scale[w->row[i]], least = balance ? 0.0 : vanishing * scale;
        const bool asks = w->norm[i] > least, stated = w->row[i] >= w->algebraic;
        w->norm[i] = (asks                    ? w->norm[i]
                      : stated && least > 0.0 ? least
                                              : scale) /
                     weight_of(w, i);
        w->r[i] = w->residual[w->row[i]] / w->norm[i];
    }
    for (int q = 0; q < count; q++) {
        A->values[q] /= w->norm[A->row[q]];
    }
    return CRANK_OK;
}

/* 2-norm of the stage's residuals, relative to the scales of the present point. */
static double merit(const crank_initial *w)
{
    double sum = 0.0;
    for (int i = 0; i < w->rows; i++) {
        const double r = weight_of(w, i) * w->residual[w->row[i]] / w->scale[w->row[i]];
        sum += r * r;
    }
    return sqrt(sum);
}

/* The same in the norms of the rows, which damped steps make fall. */
static double damped_merit(const crank_initial *w)
{
    double sum = 0.0;
    for (int i = 0; i < w->rows; i++) {
        const double r = w->residual[w->row[i]] / w->norm[i];
        sum += r * r;
    }
    return sqrt(sum);
}

/* Size of the step x - trial just accepted. */
static void note_step(crank_initial *w, double damping)
{
    w->step = 0.0;
    for (int l = 0; l < w->columns; l++) {
        const int j = w->column[l];
        const double relative = fabs(damping * w->y[l]) * crank_initial_ease(w, j);
        if (relative >= w->step) {
            w->step = relative;
            w->step_column = j;
        }
    }
}

/* The largest move of a body's position, for a step of one. Bodies that are placed nowhere may
 * go any way at once, but in careful attempts turn FREE_TURN times as far as others at most.
 * Points of contact move so far that tangents of their curves turn as bodies do: the place that
 * the file says chooses on which side bodies touch. */
static double longest_move(const crank_initial *w)
{
    const crank_eom *eom = w->eom;
    double longest = 0.0;
    for (int l = 0; l < w->columns && eom->parts != NULL; l++) {
        const int j = w->column[l], i = j - eom->column[CRANK_P];
        if (i >= 0 && w->fixing[j] != CRANK_FREE) {
            longest = fmax(longest, fabs(w->y[l]));
        } else if (w->careful && i >= 0 && eom->parts->position_kind[i] != 't') {
            longest = fmax(longest, crank_initial_ease(w, j) * fabs(w->y[l]) / FREE_TURN);
        } else if (j >= eom->column[CRANK_S] && i < 0 && eom->parts->contact_turn != NULL) {
            const double turn = eom->parts->contact_turn[j - eom->column[CRANK_S]];
            longest = fmax(longest, turn * w->move[j] * fabs(w->y[l]));
        }
    }
    return longest;
}

/* The part of A in rows of accelerations, without conditions, and in columns of accelerations and
 * reactions, which come first; false: out of memory. */
static bool take_forces(const crank_initial *w, crank_min_matrix *part)
{
    const crank_min_matrix *A = &w->A;
    int columns = 0, count = 0;
    while (columns < w->columns && w->column[columns] < w->eom->column[CRANK_R]) {
        columns++;
    }
    if (!crank_min_allocate(part, w->rows, columns, (size_t)A->start[columns])) {
        return false;
    }
    for (int l = 0; l < columns; l++) {
        for (int q = A->start[l]; q < A->start[l + 1]; q++) {
            const int row = w->row[A->row[q]];
            if (row < w->algebraic && w->level[row] == 2) {
                part->row[count] = A->row[q];
                part->values[count++] = A->values[q];
            }
        }
        part->start[l + 1] = count;
    }
    return true;
}

/* All levels at once: accelerations and reactions follow velocities by squares, which derivatives
 * at w->x do not tell, and by themselves would leave next to nothing of a step. So where a step
 * failed, with residuals w->residual at its end, they are renewed there,
 *     A_22 y_2 = -r_2(x + d y),     x + d (y + y_2)                             theory (5.17)
 * *now: merit with it, w->trial; w->y is as before, the correction moves nothing else. */
static crank_status correct_step(crank_initial *w, double *now, crank_error *err)
{
    crank_min_matrix part = {0};
    crank_min_solver solver = {0};
    *now = (double)INFINITY;
    if (!take_forces(w, &part)) {
        return crank_fail(err, CRANK_EMEM, "equations for %d initial values", w->columns);
    }
    for (int i = 0; i < w->rows; i++) {
        const int row = w->row[i];
        const bool own = row < w->algebraic && w->level[row] == 2;
        w->first_r[i] = own ? w->residual[row] / w->norm[i] : 0.0;
    }
    crank_status status = crank_min_solver_create(&part, CRANK_STEP_TOLERANCE, &solver, err);
    CRANK_THEN(status, crank_min_solver_step(&solver, w->first_r, 0.0, w->first_y, err));
    for (int l = 0; l < part.columns && status == CRANK_OK; l++) {
        w->trial[w->column[l]] += w->move[w->column[l]] * w->first_y[l];
    }
    CRANK_THEN(status, crank_initial_evaluate(w, w->trial, err));
    *now = status == CRANK_OK ? merit(w) : (double)INFINITY;
    crank_min_solver_destroy(&solver);
    crank_min_free(&part);
    return status < 0 ? status : CRANK_OK;
}

/* Tries steps until the residual falls; *accepted tells. Residuals belong to w->x
 * afterwards. correct: the end of a step may be corrected. */
static crank_status descend(crank_initial *w, bool correct, bool damped, bool *accepted,
                            crank_error *err)
{
    const size_t n = (size_t)w->eom->n;
    const double before = damped ? damped_merit(w) : merit(w);
    const double longest = longest_move(w);
    double damping = longest > w->longest ? w->longest / longest : 1.0;
    memcpy(w->kept, w->residual, (size_t)w->equations * sizeof *w->kept);
    *accepted = false;
    for (int attempt = 0; attempt <= HALVINGS; attempt++) {
        memcpy(w->trial, w->x, n * sizeof *w->x);
        for (int l = 0; l < w->columns; l++) {
            const int j = w->column[l];
            const bool own = is_relative(w) && crank_initial_relative_body(w, j) >= 0;
            w->trial[j] += own ? 0.0 : damping * w->move[j] * w->y[l];
        }
        if (is_relative(w)) {
            crank_initial_relative_step(w, damping);
        }
        const crank_status status = crank_initial_evaluate(w, w->trial, err);
        if (status < 0) {
            return status;
        }
        double now =
            status == CRANK_OK ? (damped ? damped_merit(w) : merit(w)) : (double)INFINITY;
        if (status == CRANK_OK && correct && w->level_at_hand == CRANK_JOINT &&
            !(now < (1.0 - 1e-4 * damping) * before)) {
            const crank_status corrected = correct_step(w, &now, err);
            if (corrected != CRANK_OK) {
                return corrected;
            }
        }
        if (now < (1.0 - 1e-4 * damping) * before) {
            memcpy(w->x, w->trial, n * sizeof *w->x);
            *accepted = true;
            w->step_full = damping == 1.0;
            note_step(w, damping);
            return CRANK_OK;
        }
        damping *= 0.5;
    }
    memcpy(w->residual, w->kept, (size_t)w->equations * sizeof *w->kept);
    return CRANK_OK;
}

/* A step without damping by sparse factors, which cost little more than the number of unknowns:
 * the same as by singular values, but where rows depend on each other and contradict each
 * other. *accepted: the residual has fallen. */
static crank_status try_sparse(crank_initial *w, bool polish, bool *accepted, crank_error *err)
{
    crank_min_solver solver;
    crank_min_solver_create_sparse(&w->A, CRANK_STEP_TOLERANCE, &solver);
    crank_status status = crank_min_solver_step(&solver, w->r, 0.0, w->y, err);
    if (status == CRANK_OK && !(w->trust && longest_move(w) > w->longest)) {
        status = descend(w, !polish, false, accepted, err);
    }
    crank_min_solver_destroy(&solver);
    return status;
}

/* An accepted step from w->x, if there is one. polish: the point is a solution already, and
 * what an undamped step does not improve is rounding. */
static crank_status advance(crank_initial *w, bool polish, bool *accepted, crank_error *err)
{
    static const double dampings[] = {0.0, 1e-3, 1e-2, 0.1,  0.3,  1.0,
                                      2.0, 4.0,  8.0,  16.0, 100.0};
    const double longest = is_softened(w) ? OPEN_CUT * w->longest : w->longest;
    const bool large = w->columns > SPARSE_FROM, sparse = w->sparse || (w->searching && large);
    crank_min_solver solver = {0};
    crank_status status = assemble(w, err);
    *accepted = false;
    if (status == CRANK_OK && large && !sparse && !is_softened(w) &&
        crank_min_is_dense(&w->A)) {
        status = try_sparse(w, polish, accepted, err);
    }
    if (status != CRANK_OK || *accepted) {
        return status;
    }
    if (sparse) {
        crank_min_solver_create_sparse(&w->A, CRANK_STEP_TOLERANCE, &solver);
    } else {
        status = crank_min_solver_create(&w->A, CRANK_STEP_TOLERANCE, &solver, err);
    }
    for (size_t l = 0; l < sizeof dampings / sizeof *dampings; l++) {
        CRANK_THEN(status, crank_min_solver_step(&solver, w->r, dampings[l], w->y, err));
        if (status == CRANK_OK && w->trust && longest_move(w) > longest) {
            continue;
        }
        CRANK_THEN(status, descend(w, l == 0 && !polish, w->searching && dampings[l] > 0.0,
                                   accepted, err));
        if (status != CRANK_OK || *accepted || polish) {
            w->step_full = l == 0 && w->step_full;
            break;
        }
    }
    crank_min_solver_destroy(&solver);
    return status;
}

static double norm2(int n, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

/* No step helps any more, or (stagnant) ten of them have hardly helped. */
static crank_stage_end stuck(const crank_initial *w, int level, bool stagnant)
{
    int worst;
    const double excess = crank_initial_excess(w, level, &worst);
    if (excess <= round_off_excess && !w->hold_preferred) {
        return CRANK_STAGE_SOLVED;
    }
    double slope = 0.0; /* |A^T r| */
    for (int l = 0; l < w->columns; l++) {
        double sum = 0.0;
        for (int q = w->A.start[l]; q < w->A.start[l + 1]; q++) {
            sum += w->A.values[q] * w->r[w->A.row[q]];
        }
        slope = hypot(slope, sum);
    }
    return stagnant || slope <= stationary * norm2(w->rows, w->r) ? CRANK_STAGE_MINIMUM
                                                                  : CRANK_STAGE_SLOW;
}

/* Was the step just accepted cut? size: the residual before. If it led nowhere, long steps are
 * damped from now on. */
static bool was_cut(crank_initial *w, double size)
{
    const bool cut = longest_move(w) > w->longest;
    w->trust = w->trust || (cut && merit(w) > helps_little * size);
    return cut;
}

crank_status crank_initial_look(crank_initial *w, int level, crank_error *err)
{
    choose(w, level);
    crank_status status = crank_initial_evaluate(w, w->x, err);
    CRANK_THEN(status, crank_initial_linearise(w, err));
    return status == CRANK_OK ? assemble(w, err) : status;
}

crank_status crank_initial_solve(crank_initial *w, int level, bool *moved, crank_stage_end *end,
                                 crank_error *err)
{
    int worst;
    bool accepted = true, polished = false, stagnant = false;
    double earlier = (double)INFINITY; /* residual ten iterations ago */
    *moved = w->trust = false;
    *end = CRANK_STAGE_SOLVED;
    w->step = 0.0;
    choose(w, level);
    crank_status status = crank_initial_evaluate(w, w->x, err);
    CRANK_THEN(status, crank_initial_linearise(w, err));
    polished = status == CRANK_OK && crank_initial_excess(w, level, &worst) <= 1.0;
    if (status != CRANK_OK || (polished && !w->sharpen)) {
        return status;
    }
    /* steps that were cut to stay on the branch do not count, within reason */
    const int most = SHORT_STEPS * w->options.max_iterations;
    int shortened = 0;
    for (int iteration = 0; iteration < w->options.max_iterations + shortened; iteration++) {
        if (iteration % 10 == 0) {
            stagnant = merit(w) > 0.9 * earlier;
            earlier = merit(w);
            if (stagnant && w->searching) { /* other places are more likely to help */
                *end = stuck(w, level, true);
                return CRANK_OK;
            }
        }
        const double before = w->step, size = merit(w);
        status = advance(w, polished, &accepted, err);
        if (status != CRANK_OK) {
            return status;
        }
        if (!accepted) { /* not even steps damped to nothing: the residual is at its minimum */
            *end = polished ? CRANK_STAGE_SOLVED : stuck(w, level, true);
            return CRANK_OK;
        }
        *moved = true;
        w->iterations++;
        shortened += was_cut(w, size) && shortened < most ? 1 : 0;
        status = crank_initial_linearise(w, err);
        if (status != CRANK_OK) {
            return status;
        }
        if (crank_initial_excess(w, level, &worst) <= 1.0) {
            if (polished) {
                *end = w->step > running && w->step > 0.5 * before ? CRANK_STAGE_RUNS_AWAY
                                                                   : CRANK_STAGE_SOLVED;
                return CRANK_OK;
            }
            polished = true; /* one more step: from the tolerance down to rounding */
        }
    }
    *end = polished ? CRANK_STAGE_SOLVED : stuck(w, level, stagnant);
    return CRANK_OK;
}

crank_status crank_initial_open(crank_initial *w, crank_released part, crank_error *err)
{
    bool accepted = true;
    crank_status status = CRANK_OK;
    w->trust = true;
    w->soft = part;
    for (int i = 0; i < OPEN_STEPS && accepted && status == CRANK_OK; i++) {
        const double before = merit(w);
        status = advance(w, false, &accepted, err);
        if (status == CRANK_OK && accepted) {
            w->iterations++;
            status = crank_initial_linearise(w, err);
            accepted = merit(w) < (1.0 - 1e-6) * before;
        }
    }
    w->soft = (crank_released){.joint = -1};
    return status;
}
