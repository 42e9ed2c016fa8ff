/* initial_search.c - a stage of the initial values that gets stuck is begun again elsewhere.
 *
 * Where the residual is stationary and not zero the equations need not contradict each other:
 * links given on a line have (dF/dx)^T F = 0, and so has any poor guess at a minimum. So the
 * stage leaves its place by a disturbance,
 *     x_j := x_j + a d_j u_j,     u_j in [-1, 1]                                theory (5.4)
 * first a small one where it got stuck (a saddle is left so), then larger ones where it began,
 * up to any orientation for guesses; what is placed is disturbed a little only, so that loops
 * close on their side; what no equation connects with those that are open stays. u comes from the numbers of unknown and attempt alone: the same model
 * gives the same bits. Only if none of it helps is the place explained where the misfit was
 * least. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/initial.h"
#include "eom/load_loop.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* attempts: with free unknowns more of them, until as much work was done. A step costs more
 * than its rows: between these, and their cubes by singular values. */
enum { ATTEMPTS_PLACED = 4, ATTEMPTS_FREE = 200, STEPS_TO_GET_STUCK = 5 };

/* a disturbance that is as long as the unknowns' moves; derivatives that differ by less there do
 * so by errors of differences */
enum { FAR = 4 };
static const double same_derivatives = 1e-6;

static const double most_work = 1.2e6; /* of rows^1.5: 200000 rows of 36, 60000 of 400 */

static const double first_disturbance = 0.01; /* of the unknowns' moves */
static const double closed = 1e-12;           /* residual over its scale */
static const double most_placed = 0.05, most_free = 3.2;
static const double clearly = 0.9;  /* a solution that is found later and moves less */
static const double settled = 1e-3; /* last step: longer ones may be on their way to infinity */

/* by splitmix64 */
double crank_initial_number(int attempt, int column)
{
    uint64_t z = ((uint64_t)attempt << 32) + (uint64_t)column + 1;
    z *= UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (double)(z >> 11) / (double)(UINT64_C(1) << 52) - 1.0;
}

/* Quaternions keep their norm. */
static void make_units(crank_initial *w)
{
    const crank_eom *eom = w->eom;
    const crank_eom_parts *parts = eom->parts;
    for (int i = 0; parts != NULL && i + 3 < eom->sizes.p; i++) {
        if (parts->position_kind[i] != 'q') {
            continue;
        }
        double *q = w->x + eom->column[CRANK_P] + i;
        const double norm = hypot(hypot(q[0], q[1]), hypot(q[2], q[3]));
        for (int k = 0; k < 4 && norm > 0.0; k++) {
            q[k] /= norm;
        }
        i += 3;
    }
}

/* Unknowns that equations of the stage connect: each leads to another one of its part, or to
 * itself. Equations stand behind the n unknowns. */
static int find_part(int *part, int i)
{
    while (part[i] != i) {
        part[i] = part[part[i]]; /* half the way next time */
        i = part[i];
    }
    return i;
}

static void join_parts(int *part, int i, int j)
{
    part[find_part(part, i)] = find_part(part, j);
}

static void find_parts(const crank_initial *w, int *part)
{
    const crank_pattern *J = &w->eom->jacobian_pattern;
    const int n = w->eom->n;
    for (int i = 0; i < n + w->equations; i++) {
        part[i] = i;
    }
    for (int l = 0; l < w->columns; l++) {
        const int j = w->column[l];
        for (int q = J->start[j]; q < J->start[j + 1]; q++) {
            if (J->row[q] < w->algebraic && w->place[J->row[q]] >= 0) {
                join_parts(part, j, n + J->row[q]);
            }
        }
        for (int i = 0; i < w->conditions; i++) {
            if (w->touches[i + j * w->conditions]) {
                join_parts(part, j, n + w->algebraic + i);
            }
        }
    }
    for (int i = 0; i < w->ties; i++) {
        for (int c = 0; c < w->tie[i].count; c++) {
            join_parts(part, w->tie[i].column[c], n + w->algebraic + w->conditions + i);
        }
    }
}

static void disturb(crank_initial *w, int attempt, int *part, const bool *open)
{
    const double size = first_disturbance * exp2(2 * attempt);
    for (int l = 0; l < w->columns; l++) {
        const int j = w->column[l];
        const double most = crank_initial_is_guess(w, j) ? most_free : most_placed;
        if (part == NULL || open[find_part(part, j)]) {
            w->x[j] += fmin(size, most) * crank_initial_plain_move(w, j) *
                       crank_initial_number(attempt, j);
        }
    }
    make_units(w);
}

void crank_initial_disturb(crank_initial *w, int attempt)
{
    disturb(w, attempt, NULL, NULL);
}

void crank_initial_disturb_open(crank_initial *w, int attempt)
{
    const int n = w->eom->n, rows = w->equations;
    int *part = malloc(((size_t)n + (size_t)rows) * sizeof *part);
    bool *open = calloc((size_t)n + (size_t)rows, sizeof *open), any = false;
    if (part == NULL || open == NULL) {
        disturb(w, attempt, NULL, NULL);
    } else {
        find_parts(w, part);
        for (int i = 0; i < w->rows; i++) {
            const int row = w->row[i];
            if (fabs(w->residual[row]) > closed * w->scale[row]) {
                any = open[find_part(part, n + row)] = true;
            }
        }
        disturb(w, attempt, any ? part : NULL, open);
    }
    free(open);
    free(part);
}

/* Levels at which the residual is not linear in what moves. */
static bool may_search(const crank_initial *w, int level)
{
    const crank_eom *eom = w->eom;
    int own = 0;
    for (int j = eom->column[CRANK_W]; j < eom->column[CRANK_LAMBDA]; j++) {
        own += eom->carried != NULL && eom->carried[j] ? 0 : 1;
    }
    bool bent = level == 0 || level == CRANK_JOINT || (level == 2 && own > 0) ||
                (level == 1 && eom->sizes.e > 0);
    for (int i = w->algebraic; i < w->equations; i++) {
        bent = bent || w->level[i] == level;
    }
    return bent && !w->under_way;
}

/* Of what moves: derivatives of the stage's rows, in units of the point that was looked at last,
 * one after the other; returns their number. */
static size_t copy_derivatives(const crank_initial *w, double *copy)
{
    const crank_pattern *J = &w->eom->jacobian_pattern;
    size_t count = 0;
    for (int l = 0; l < w->columns; l++) {
        const int j = w->column[l];
        for (int q = J->start[j]; q < J->start[j + 1]; q++) {
            const int i = J->row[q];
            if (i < w->algebraic && w->place[i] >= 0) {
                copy[count++] = w->values[q] / w->norm[w->place[i]] * w->move[j];
            }
        }
        for (int i = 0; i < w->conditions; i++) {
            if (w->place[w->algebraic + i] >= 0) {
                copy[count++] = w->condition_values[i + j * w->conditions] /
                                w->norm[w->place[w->algebraic + i]] * w->move[j];
            }
        }
    }
    return count;
}

/* Are derivatives the same at w->x, which was looked at last, and far from it? Then the minimum
 * there is the only one. w->x stays, with what is kept of it. */
static crank_status is_linear(crank_initial *w, int level, bool *linear, crank_error *err)
{
    const size_t n = (size_t)w->eom->n;
    const size_t room =
        (size_t)w->eom->jacobian_pattern.start[n] + (size_t)w->conditions * n + 1;
    double *here = malloc(2 * room * sizeof *here), *there = here + room;
    crank_error ignored = {0};
    *linear = false;
    if (here == NULL) {
        return crank_fail(err, CRANK_EMEM, "derivatives for %d initial values", w->columns);
    }
    crank_status status = crank_initial_look(w, level, err);
    const size_t count = status == CRANK_OK ? copy_derivatives(w, here) : 0;
    memcpy(w->found, w->x, n * sizeof *w->x);
    crank_initial_disturb(w, FAR);
    if (status == CRANK_OK && crank_initial_evaluate(w, w->x, &ignored) == CRANK_OK &&
        crank_initial_linearise(w, &ignored) == CRANK_OK) {
        double largest = 0.0, apart = 0.0;
        (void)copy_derivatives(w, there);
        for (size_t q = 0; q < count; q++) {
            largest = fmax(largest, fabs(here[q]));
            apart = fmax(apart, fabs(there[q] - here[q]));
        }
        *linear = apart <= same_derivatives * largest;
    }
    free(here);
    memcpy(w->x, w->found, n * sizeof *w->x);
    return status == CRANK_OK ? crank_initial_look(w, level, err) : status;
}

/* Is there an attempt of this number, after so many steps? */
static bool is_worth(const crank_initial *w, int attempt, int steps)
{
    bool guesses = false;
    for (int l = 0; l < w->columns; l++) {
        guesses = guesses || crank_initial_is_guess(w, w->column[l]);
    }
    const double work = (steps + STEPS_TO_GET_STUCK * attempt) * pow(w->rows, 1.5);
    return attempt < ATTEMPTS_PLACED ||
           (guesses && attempt < ATTEMPTS_FREE && work < most_work);
}

/* A row that is small where it hardly changes has no root there, but at infinity. */
static bool is_flat(const crank_initial *w)
{
    const int entries = w->A.start != NULL ? w->A.start[w->columns] : 0;
    for (int q = 0; q < entries; q++) { /* rows of fixed unknowns have none */
        const int i = w->A.row[q], row = w->row[i];
        if (w->residual[row] != 0.0 && w->norm[i] <= 1e-8 * w->scale[row]) {
            return true;
        }
    }
    return false;
}

/* Would what is placed move too far? */
static bool is_far(const crank_initial *w, int level)
{
    return (level == 0 || level == CRANK_JOINT) && crank_initial_is_far(w);
}

/* Of the residuals of the stage, relative to the scales of the present point. */
static double misfit(const crank_initial *w)
{
    double sum = 0.0;
    for (int i = 0; i < w->rows; i++) {
        sum += pow(w->residual[w->row[i]] / w->scale[w->row[i]], 2);
    }
    return sqrt(sum);
}

/* *found: an attempt solved the stage, without moving what is placed too far. *far: one solved it
 * all the same, at w->away. Else w->nearest is the minimum of the misfit where that is least:
 * what keeps joints open there is nothing else. */
static crank_status search(crank_initial *w, int level, bool *found, bool *far,
                           crank_error *err)
{
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    const int steps = w->iterations;
    double least = misfit(w);
    *found = *far = false;
    memcpy(w->nearest, w->stuck, size);
    for (int attempt = 0; !*found && is_worth(w, attempt, w->iterations - steps); attempt++) {
        crank_error ignored = {0};
        bool moved = false; /* a residual that is small by chance tells nothing */
        crank_stage_end end = CRANK_STAGE_SLOW;
        memcpy(w->x, attempt == 0 ? w->stuck : w->begin, size);
        crank_status status = crank_initial_look(w, level, &ignored);
        if (status == CRANK_OK) {
            crank_initial_disturb_open(w, attempt);
            w->searching = true;
            w->hold_preferred = attempt % 4 == 1; /* what is placed may stay there */
            w->careful = attempt % 2 == 0;
            w->alike = attempt % 4 == 3;
            status = crank_initial_solve(w, level, &moved, &end, &ignored);
            if (w->hold_preferred && status == CRANK_OK && end != CRANK_STAGE_SOLVED) {
                w->hold_preferred = false; /* nor far from it */
                status = crank_initial_solve(w, level, &moved, &end, &ignored);
            }
        }
        if (status == CRANK_EMEM) {
            return crank_fail(err, status, "%s", ignored.text);
        }
        const bool rests = moved && w->step_full && w->step <= settled && !is_flat(w);
        const bool solved = status == CRANK_OK && end == CRANK_STAGE_SOLVED && rests;
        *found = solved && !is_far(w, level);
        if (solved && !*found && !*far) {
            memcpy(w->away, w->x, size);
            *far = true;
        }
        if (status == CRANK_OK && end == CRANK_STAGE_MINIMUM && misfit(w) < clearly * least) {
            memcpy(w->nearest, w->x, size);
            least = misfit(w);
        }
    }
    return CRANK_OK;
}

static crank_status explain(crank_initial *w, int level, crank_stage_end end, crank_error *err)
{
    return end == CRANK_STAGE_MINIMUM     ? crank_initial_contradiction(w, err)
           : end == CRANK_STAGE_RUNS_AWAY ? crank_initial_runs_away(w, level, err)
                                          : crank_initial_no_convergence(w, level, err);
}

/* Where friction reads loads, guesses of zero may be a minimum of the residual: once more from
 * the loads without friction, theory (7.56). *end stays as it is if that does not help. */
static void find_loads(crank_initial *w, crank_stage_end *end)
{
    crank_load_loop loop;
    crank_error ignored = {0};
    bool moved;
    crank_stage_end again = *end;
    if (!crank_load_loop_exists(w->eom)) {
        return;
    }
    crank_status status = crank_load_loop_create(&loop, w->eom, w->t, w->x, &ignored);
    memcpy(w->stuck, w->x, (size_t)w->eom->n * sizeof *w->x);
    CRANK_THEN(status, crank_load_loop_unload(&loop, w->t, w->x, &ignored));
    if (status == CRANK_OK) {
        memcpy(w->x, loop.x, (size_t)w->eom->column[CRANK_R] * sizeof *w->x);
        status = crank_initial_solve(w, 2, &moved, &again, &ignored);
    }
    crank_load_loop_destroy(&loop);
    if (status == CRANK_OK && again == CRANK_STAGE_SOLVED) {
        *end = again;
    } else {
        memcpy(w->x, w->stuck, (size_t)w->eom->n * sizeof *w->x);
    }
}

/* From where a stage got stuck, w->x, which is kept in w->stuck. */
static crank_status search_on(crank_initial *w, int level, crank_stage_end end, bool *found,
                              bool *far, crank_error *err)
{
    bool linear = false;
    crank_status status = CRANK_OK;
    *found = *far = false;
    w->searched = may_search(w, level);
    memcpy(w->stuck, w->x, (size_t)w->eom->n * sizeof *w->x);
    if (w->searched && (level == 1 || level == 2)) {
        status = is_linear(w, level, &linear, err);
    }
    if (status == CRANK_OK && w->searched && !linear && end != CRANK_STAGE_RUNS_AWAY) {
        status = search(w, level, found, far, err);
    }
    w->alike = w->careful = w->searching = w->hold_preferred = false;
    if (end == CRANK_STAGE_MINIMUM && level == 0 && w->searched && status == CRANK_OK &&
        !*found) {
        memcpy(w->stuck, w->nearest, (size_t)w->eom->n * sizeof *w->x);
    }
    return status == CRANK_OK && *found ? crank_initial_look(w, level, err) : status;
}

crank_status crank_initial_close(crank_initial *w, int level, bool *solved, crank_error *err)
{
    bool moved, far;
    crank_stage_end end;
    crank_error ignored = {0};
    crank_status status = crank_initial_solve(w, level, &moved, &end, &ignored);
    *solved = status == CRANK_OK && end == CRANK_STAGE_SOLVED && !is_far(w, level);
    if (status == CRANK_OK && !*solved) {
        status = search_on(w, level, end, solved, &far, err);
    }
    return status == CRANK_EMEM ? crank_fail(err, status, "%s", ignored.text) : CRANK_OK;
}

/* Conditions on positions, followed, which keeps loops on their side: clearly nearer than what is
 * at w->x, a solution (*solved), or one in which something placed has moved too far (*far)? */
static crank_status compare(crank_initial *w, bool *solved, bool *far, crank_error *err)
{
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    const double direct = *solved ? crank_initial_cost(w, w->begin) : (double)INFINITY;
    bool found;
    memcpy(w->found, w->x, size);
    crank_status status = crank_initial_follow(w, 0, &found, err);
    const double followed = crank_initial_cost(w, w->begin);
    if (found && !is_far(w, 0) && followed < clearly * direct) {
        *solved = true;
        return status;
    }
    if (found && !*solved && !*far) {
        *far = true;
    } else {
        memcpy(w->x, w->found, size);
    }
    return status == CRANK_OK ? crank_initial_look(w, 0, err) : status;
}

/* The stage from where contacts nearly touch; from where it began if that leads nowhere. */
static crank_status solve_touching(crank_initial *w, int level, bool *moved,
                                   crank_stage_end *end, crank_error *err)
{
    bool touched = false;
    crank_error ignored = {0};
    crank_status status = level == 0 ? crank_initial_touch(w, &touched, err) : CRANK_OK;
    if (status == CRANK_OK && touched) {
        status = crank_initial_solve(w, level, moved, end, &ignored);
        if (status == CRANK_OK && *end == CRANK_STAGE_SOLVED && !is_far(w, level)) {
            *moved = true;
            return CRANK_OK;
        }
        memcpy(w->x, w->begin, (size_t)w->eom->n * sizeof *w->x);
        status = status == CRANK_EMEM ? crank_fail(err, status, "%s", ignored.text) : CRANK_OK;
    }
    return status == CRANK_OK ? crank_initial_solve(w, level, moved, end, err) : status;
}

crank_status crank_initial_find(crank_initial *w, int level, bool *moved, crank_error *err)
{
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    bool found = false;
    crank_stage_end end;
    memcpy(w->begin, w->x, size);
    w->left = -1.0;
    crank_status status = solve_touching(w, level, moved, &end, err);
    if (status == CRANK_OK && end != CRANK_STAGE_SOLVED && level == 2) {
        find_loads(w, &end);
        *moved = *moved || end == CRANK_STAGE_SOLVED;
    }
    bool far = status == CRANK_OK && end == CRANK_STAGE_SOLVED && is_far(w, level);
    bool solved = end == CRANK_STAGE_SOLVED && !far;
    if (status == CRANK_OK && (*moved || !solved) && level == 0 &&
        crank_initial_may_follow(w, level)) {
        status = compare(w, &solved, &far, err);
        *moved = *moved || solved;
    }
    if (status != CRANK_OK || solved) {
        return status;
    }
    const int iterations = w->iterations, runs = w->step_column;
    bool away;
    status = search_on(w, level, end, &found, &away, err);
    if (status != CRANK_OK || found) {
        *moved = true;
        return status;
    }
    w->iterations = iterations;
    w->step_column = runs;
    memcpy(w->x, far || !away ? w->stuck : w->away, size);
    status = crank_initial_look(w, level, err);
    if (far || away) { /* the caller refuses it */
        *moved = true;
        return status;
    }
    CRANK_THEN(status, crank_initial_prescribed(w, level, err));
    CRANK_THEN(status, crank_initial_not_followed(w, err));
    CRANK_THEN(status, explain(w, level, end, err));
    memcpy(w->x, w->stuck, size); /* explanations may have moved it */
    return status;
}
