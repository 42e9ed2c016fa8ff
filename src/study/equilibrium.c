/* equilibrium.c - where a model rests: damped Newton steps, and relaxation where they fail.
 * theory (12.1)-(12.3); [DeuN04] for steps and their damping, [KK98] for relaxation.
 *
 * Newton's steps are those of the linearised equations of rest (statics.h), of the smallest
 * norm, so that what is free stays and redundant reactions are shared. They may end where the
 * mechanism would fall over. Relaxation takes pseudo time steps tau from rest to rest,
 *     (M/tau^2 + K) delta = f,
 * each of which must do work, f . delta > 0, and must not end where the force along it has
 * turned round; tau grows as long as that holds, so that the last steps are Newton's. It goes
 * downhill, to a rest that is stable; so it is also asked where Newton's method ends at one
 * that is not, unless the start was that one.
 *
 * Dry friction holds first, where the mechanism stands (hold.h). What holds more than it can is
 * let go, the worst of them first, and the search begins anew; a friction that was let go, or
 * is not needed, exerts nothing, as at any true rest. Where there is no rest, treads of tyres
 * hold, too (tread.h). */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/structure.h"
#include "run/run.h"
#include "study/hold.h"
#include "study/linear.h"
#include "study/stiffness.h"
#include "study/turns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double longest = 0.3;   /* step of Newton's and of relaxation: of the mechanism's
                                     * length, in radians */
static const double falls = 0.1;     /* part of the fall that a step promises, at least */
static const double shortest = 1e-4; /* damping */
static const double turned = 0.9;    /* part of the force along a step that may turn round */
static const double closed = 1e-9;   /* residual of constraints on the way, over their scale */
static const double far = 30.0; /* way from the start, of the mechanism's length: no rest */
static const double turn = 6.283185307179586; /* after which all is as before */
static const double kept = 0.99;     /* of the pull of the turn before: it is the same */
static const double mostly = 0.5;    /* of what is out of balance: nothing resists it */
static const double creeps = 0.01;   /* of the longest steps: what gets nowhere */
static const double better = 0.9;    /* of what was out of balance before */
static const double eased = 0.9;     /* part of their load that treads may keep as they slide */
static const double unmoved = 1e-9;  /* of its size: an unknown that stayed */
static const double constant = 1e-9; /* of a rate: what it changes by in natural units */
static const double rounding = 1e-14; /* of residuals over their scale: no less is to be had */
static const double no_motion = 1e-3; /* acceleration in natural units: it rests */
enum { POLISH = 4, CLOSINGS = 12, LOOK = 100 /* steps between looks at what they brought */ };

crank_equilibrium_options crank_equilibrium_options_default(void)
{
    return (crank_equilibrium_options){
        .size = sizeof(crank_equilibrium_options), .tolerance = 1e-11, .max_iterations = 4000};
}

const char *crank_stability_word(crank_stability stability)
{
    static const char *const word[] = {"not known", "stable", "indifferent", "unstable"};
    return word[stability];
}

typedef struct search {
    crank_statics s;
    crank_equilibrium_options options;
    double *from, *best, *start; /* n */
    /* turns of angles and what else evaluations remember, at best and at place */
    crank_archive best_memory, place_memory;
    double *scale, *step;    /* rows; columns */
    double *place;           /* n of the eom: from where */
    double load;             /* of the treads when they slid last, over what they can */
    double *way;             /* balances: sum of the steps of relaxation, in radians */
    double *mark, marked;    /* n: where it was at the last look, and how far out of balance */
    double done, work, pull; /* work of the last step; of this turn; over its angle: before */
    int iterations;
    bool ran_away, goes_round;
    double worst;
} search;

/* ---- Newton ---- */

/* Sum of squared residuals, by the scales of where the step began. */
static double merit(const search *w)
{
    double sum = 0.0;
    for (int i = 0; i < w->s.rows; i++) {
        const double part = w->s.F[i] / w->scale[i];
        sum += part * part;
    }
    return sum;
}

/* The point is where the next step begins; angles count their turns from there. */
static void keep(search *w)
{
    (void)crank_eom_accepted(w->s.eom, w->s.t, w->s.x, NULL);
    memcpy(w->from, w->s.x, (size_t)w->s.n * sizeof *w->from);
    memcpy(w->scale, w->s.scale, (size_t)w->s.rows * sizeof *w->scale);
}

/* A step at w->from with factor; the point is evaluated. CRANK_RETRY: outside the domain. */
static crank_status try_step(search *w, double factor, crank_error *err)
{
    crank_status status = crank_statics_move(&w->s, w->from, factor, w->s.x, err);
    CRANK_THEN(status, crank_statics_evaluate(&w->s, &w->worst, err));
    return status;
}

/* Back to where the step began. */
static crank_status go_back(search *w, crank_error *err)
{
    memcpy(w->s.x, w->from, (size_t)w->s.n * sizeof *w->from);
    return crank_statics_evaluate(&w->s, &w->worst, err);
}

/* *moved: by how much of a step of Newton's; 0: none helps. */
static crank_status newton_step(search *w, double *moved, crank_error *err)
{
    double left;
    *moved = 0.0;
    keep(w);
    const double before = merit(w);
    crank_status status = crank_statics_linearise(&w->s, 0.0, true, err);
    CRANK_THEN(status, crank_statics_solve(&w->s, &left, err));
    if (status != CRANK_OK) {
        return status;
    }
    const double length = crank_statics_length(&w->s);
    double factor = length > longest ? longest / length : 1.0;
    for (; factor > shortest; factor /= 2.0) {
        status = try_step(w, factor, err);
        if (status < CRANK_OK) {
            return status;
        }
        const double after = status == CRANK_OK ? merit(w) : (double)INFINITY;
        if (after < (1.0 - falls * factor) * before) {
            *moved = factor;
            return CRANK_OK;
        }
    }
    return go_back(w, err);
}

/* *found: the residuals are below the tolerance. */
static crank_status newton(search *w, bool *found, crank_error *err)
{
    crank_status status = CRANK_OK;
    double moved = 1.0;
    *found = w->worst <= w->options.tolerance;
    for (int i = 0; i < w->options.max_iterations && status == CRANK_OK && !*found; i++) {
        status = newton_step(w, &moved, err);
        w->iterations++;
        *found = status == CRANK_OK && w->worst <= w->options.tolerance;
        if (moved == 0.0) {
            break;
        }
    }
    return status > CRANK_OK ? CRANK_OK : status;
}

/* A few more steps while they help: to rounding. */
static crank_status polish(search *w, crank_error *err)
{
    crank_status status = CRANK_OK;
    for (int i = 0; i < POLISH && status == CRANK_OK && w->worst > 0.0; i++) {
        double left;
        const double before = w->worst;
        keep(w);
        status = crank_statics_linearise(&w->s, 0.0, true, err);
        CRANK_THEN(status, crank_statics_solve(&w->s, &left, err));
        CRANK_THEN(status, try_step(w, 1.0, err));
        if (status == CRANK_OK && !(w->worst < 0.5 * before)) {
            return go_back(w, err);
        }
    }
    return status > CRANK_OK ? go_back(w, err) : status;
}

/* ---- relaxation ---- */

/* How far constraints are from holding, relative to scale. */
static double open(const search *w)
{
    double worst = 0.0;
    for (int i = w->s.balances + w->s.plain; i < w->s.rows; i++) {
        worst = fmax(worst, fabs(w->s.F[i]) / w->s.scale[i]);
    }
    return worst;
}

/* Constraints from which a step has led, by the least motion of masses. */
static crank_status close(search *w, crank_error *err)
{
    crank_statics *s = &w->s;
    crank_status status = CRANK_OK;
    for (int i = 0; i < CLOSINGS && status == CRANK_OK && open(w) > closed; i++) {
        double left;
        memset(s->F, 0, (size_t)(s->balances + s->plain) * sizeof *s->F);
        status = crank_statics_linearise(s, 1.0, false, err);
        CRANK_THEN(status, crank_statics_solve(s, &left, err));
        for (int j = s->balances; j < s->columns; j++) {
            s->y[j] = 0.0;
        }
        CRANK_THEN(status, crank_statics_length(s) <= longest ? CRANK_OK : CRANK_RETRY);
        CRANK_THEN(status, crank_statics_move(s, s->x, 1.0, s->x, err));
        CRANK_THEN(status, crank_statics_evaluate(s, &w->worst, err));
    }
    return status == CRANK_OK && open(w) > closed ? CRANK_RETRY : status;
}

/* One step with this pace 1/tau; *good: taken, since it did work and the force along it has not
 * turned round. */
static crank_status relax_step(search *w, double pace, bool *good, crank_error *err)
{
    double left;
    *good = false;
    crank_status status = crank_statics_linearise(&w->s, pace, true, err);
    CRANK_THEN(status, crank_statics_solve(&w->s, &left, err));
    if (status != CRANK_OK) {
        return status;
    }
    const bool moves = w->s.balances > 0;
    const double work = crank_statics_work(&w->s, w->s.y);
    if (crank_statics_length(&w->s) > longest || (moves && !(work >= 0.0))) {
        return CRANK_OK;
    }
    memcpy(w->step, w->s.y, (size_t)w->s.columns * sizeof *w->step);
    w->done = work;
    status = try_step(w, 1.0, err);
    CRANK_THEN(status, close(w, err));
    *good =
        status == CRANK_OK && (!moves || crank_statics_work(&w->s, w->step) >= -turned * work);
    return *good || status < CRANK_OK ? status : go_back(w, err);
}

/* Has a body left the mechanism's surroundings? */
static bool is_far(const search *w)
{
    const crank_eom *eom = w->s.eom;
    bool left = false;
    for (int i = 0; eom->parts != NULL && i < eom->sizes.p && !left; i++) {
        const int j = eom->column[CRANK_P] + i;
        left = eom->parts->position_kind[i] == 't' &&
               fabs(w->s.x[j] - w->start[j]) > far * eom->parts->length;
    }
    return left;
}

/* Has a body turned round twice, and did as much work the second time? It stands as before, and is
 * pulled as before; on the way to a rest it would do less. work: of the last step. */
static void look_round(search *w, double work)
{
    const crank_eom_parts *parts = w->s.eom->parts;
    double by = 0.0;
    w->work += work;
    for (int j = 0; parts != NULL && j < w->s.balances; j++) {
        w->way[j] += w->step[j];
        by = parts->velocity_kind[j] == 'r' ? fmax(by, fabs(w->way[j])) : by;
    }
    if (by < turn) {
        return;
    }
    const double pull = w->work / by;
    w->goes_round = w->pull > 0.0 && pull >= kept * w->pull;
    w->pull = pull;
    w->work = 0.0;
    if (!w->goes_round) {
        memset(w->way, 0, (size_t)w->s.balances * sizeof *w->way);
    }
}

/* Have many steps neither balanced it better nor led anywhere? */
static bool gets_nowhere(search *w, int step)
{
    const crank_eom *eom = w->s.eom;
    double moved = 0.0;
    if (step % LOOK != 0) {
        return false;
    }
    for (int j = eom->column[CRANK_R]; j < eom->n; j++) {
        moved = fmax(moved, fabs(w->s.x[j] - w->mark[j]) / crank_eom_unit(eom, j));
    }
    const bool nowhere =
        step > 0 && w->worst > better * w->marked && moved < creeps * LOOK * longest;
    memcpy(w->mark, w->s.x, (size_t)w->s.n * sizeof *w->mark);
    w->marked = w->worst;
    return nowhere;
}

static crank_status relax(search *w, bool *found, crank_error *err)
{
    double pace = 1.0 / w->s.time;
    crank_status status = CRANK_OK;
    *found = false;
    w->work = w->pull = 0.0;
    w->goes_round = false;
    memset(w->way, 0, (size_t)w->s.balances * sizeof *w->way);
    for (int i = 0; i < w->options.max_iterations && status == CRANK_OK && !*found; i++) {
        bool good = false;
        keep(w);
        for (int tries = 0; tries < 60 && !good && status == CRANK_OK; tries++) {
            status = relax_step(w, pace, &good, err);
            pace *= good ? 0.5 : 2.0;
        }
        w->iterations++;
        *found = status == CRANK_OK && w->worst <= w->options.tolerance;
        w->ran_away = good && !*found && is_far(w);
        if (good && !*found) {
            look_round(w, w->done);
        }
        if (!good || w->ran_away || w->goes_round || (!*found && gets_nowhere(w, i))) {
            break;
        }
    }
    return status > CRANK_OK ? CRANK_OK : status;
}

/* ---- why there is none ---- */

/* The acceleration that the forces left over give, in s.y; its size in natural units. */
static crank_status find_pull(search *w, double *size, crank_error *err)
{
    double left;
    crank_status status = crank_statics_linearise(&w->s, 1.0, false, err);
    CRANK_THEN(status, crank_statics_solve(&w->s, &left, err));
    *size = status == CRANK_OK ? crank_statics_length(&w->s) : 0.0;
    return status;
}

/* Are forces left along motions that nothing resists? Then along which (balances). */
static bool find_free(search *w, double *motion)
{
    crank_statics *s = &w->s;
    double left = 0.0;
    if (crank_statics_linearise(s, 0.0, true, NULL) != CRANK_OK ||
        crank_statics_solve(s, &left, NULL) != CRANK_OK || left < mostly * w->worst) {
        return false;
    }
    memcpy(motion, s->against, (size_t)s->balances * sizeof *motion);
    return true;
}

/* Does nothing resist the motion y? Its stiffness beside the terms and the inertia. */
static bool is_free(search *w, const double *y)
{
    crank_statics *s = &w->s;
    const int v = s->balances;
    double worst = 0.0, most = 0.0;
    double *sum = calloc(3 * (size_t)s->rows + 1, sizeof *sum);
    double *size = sum != NULL ? sum + s->rows : NULL;
    if (sum == NULL || crank_statics_linearise(s, 0.0, true, NULL) != CRANK_OK) {
        free(sum);
        return false;
    }
    for (int j = 0; j < v; j++) {
        for (int e = s->A.start[j]; e < s->A.start[j + 1]; e++) {
            if (s->A.row[e] < v) {
                sum[s->A.row[e]] += s->A.values[e] * s->unit[j] * y[j];
            }
        }
    }
    for (int i = 0; i < v; i++) {
        size[i] = s->scale[i] > 0.0 ? s->scale[i] : 1.0;
        worst = fmax(worst, fabs(sum[i]) / size[i]);
        most = fmax(most, fabs(y[i]));
    }
    free(sum);
    return worst <= 1e-6 * most;
}

/* A dynamic variable whose rate is not zero, and changes with nothing that could, to first
 * order: an integral of a speed that is not reached at rest. -1: there is none. */
static int find_restless(search *w)
{
    crank_statics *s = &w->s;
    const crank_eom *eom = s->eom;
    int restless = -1;
    double *most = calloc((size_t)s->rows + 1, sizeof *most);
    if (most == NULL || crank_statics_linearise(s, 0.0, true, NULL) != CRANK_OK) {
        free(most);
        return -1;
    }
    for (int j = 0; j < s->columns; j++) {
        for (int e = s->A.start[j]; e < s->A.start[j + 1]; e++) {
            double *own = &most[s->A.row[e]];
            *own = fmax(*own, fabs(s->A.values[e]) * s->unit[j]);
        }
    }
    for (int i = s->rows - 1; i >= 0; i--) {
        const int r = s->row[i] - eom->row[CRANK_ROW_B];
        if (r >= 0 && r < eom->sizes.r && fabs(s->F[i]) > w->options.tolerance * s->scale[i] &&
            most[i] <= constant * fabs(s->F[i])) {
            restless = r;
        }
    }
    free(most);
    return restless;
}

static crank_status explain(search *w, crank_error *err)
{
    crank_statics *s = &w->s;
    char text[CRANK_DIRECTION_TEXT];
    double size = 0.0;
    const int restless = find_restless(w);
    if (restless >= 0) {
        return crank_fail(err, CRANK_EINIT_CONVERGENCE,
                          "there is no equilibrium: \"%.80s\" does not rest, its rate is %.4g "
                          "where nothing moves, whatever else changes; let it rest (a gain of "
                          "zero, `--set`), or make its rate depend on it",
                          crank_eom_column_name(s->eom, s->eom->column[CRANK_R] + restless),
                          s->k[s->eom->row[CRANK_ROW_B] + restless]);
    }
    if (s->balances == 0) {
        return crank_fail(err, CRANK_EINIT_CONVERGENCE,
                          "no equilibrium found in %d steps; begin nearer to one",
                          w->iterations);
    }
    double *motion = calloc(2 * (size_t)s->columns + 1, sizeof *motion);
    double *kept_y = motion != NULL ? motion + s->columns : NULL;
    if (motion == NULL || find_pull(w, &size, err) != CRANK_OK) {
        free(motion);
        return crank_fail(err, CRANK_EINIT_CONVERGENCE,
                          "no equilibrium found in %d steps; begin nearer to one",
                          w->iterations);
    }
    const double *way = w->goes_round ? w->way : s->y;
    for (int j = 0; j < s->balances; j++) {
        kept_y[j] = s->y[j];
        motion[j] = way[j] * s->unit[j];
    }
    const bool open_way = w->goes_round || is_free(w, kept_y) || find_free(w, motion);
    (void)crank_structure_direction(s->eom, s->x, motion, text, sizeof text);
    free(motion);
    if (w->ran_away && !open_way) {
        return crank_fail(
            err, CRANK_EINIT_CONVERGENCE,
            "there is no equilibrium near: it goes along %.200s, %g times its size "
            "away from the start",
            text, far);
    }
    return open_way ? crank_fail(err, CRANK_EINIT_CONVERGENCE,
                                 "there is no equilibrium: nothing resists %.200s, and forces "
                                 "pull along it",
                                 text)
                    : crank_fail(err, CRANK_EINIT_CONVERGENCE,
                                 "no equilibrium found in %d steps, forces are left along "
                                 "%.200s; begin nearer to one (start values, --from)",
                                 w->iterations, text);
}

/* ---- all together ---- */

static crank_status take(search *w, crank_error *err)
{
    const size_t n = (size_t)w->s.n, rows = (size_t)w->s.rows;
    w->from = crank_store_take(&w->s.store, n, sizeof *w->from);
    w->best = crank_store_take(&w->s.store, n, sizeof *w->best);
    w->start = crank_store_take(&w->s.store, n, sizeof *w->start);
    w->scale = crank_store_take(&w->s.store, rows, sizeof *w->scale);
    w->step = crank_store_take(&w->s.store, (size_t)w->s.columns, sizeof *w->step);
    w->way = crank_store_take(&w->s.store, (size_t)w->s.columns, sizeof *w->way);
    w->mark = crank_store_take(&w->s.store, n, sizeof *w->mark);
    if (w->s.store.failed) {
        return crank_fail(err, CRANK_EMEM, "an equilibrium of %zu unknowns", n);
    }
    memcpy(w->start, w->s.x, n * sizeof *w->start);
    return CRANK_OK;
}

/* Small beside stiff forces may be much beside what moves: what is left must not accelerate. */
static crank_status is_still(search *w, bool *still, crank_error *err)
{
    double size = 0.0;
    crank_status status = CRANK_OK;
    if (w->s.balances > 0 && w->worst > rounding) {
        status = find_pull(w, &size, err);
    }
    *still = size * w->s.time * w->s.time <= no_motion;
    return status > CRANK_OK ? CRANK_OK : status;
}

/* The point found is looked at, and kept as the best so far. *found: it is a rest. */
static crank_status look(search *w, bool *found, crank_equilibrium *out, crank_error *err)
{
    crank_status status = polish(w, err);
    CRANK_THEN(status, is_still(w, found, err));
    if (status != CRANK_OK || !*found) {
        return status;
    }
    out->residual = w->worst;
    CRANK_THEN(status, crank_stiffness_examine(&w->s, out, err));
    memcpy(w->best, w->s.x, (size_t)w->s.n * sizeof *w->best);
    crank_turns_remember(w->s.eom, &w->best_memory);
    return status;
}

/* From the start downhill; what Newton's method found stays if that leads nowhere better. */
static crank_status search_downhill(search *w, bool *found, crank_equilibrium *out,
                                    crank_error *err)
{
    crank_equilibrium other = *out;
    bool relaxed = false;
    memcpy(w->s.x, w->start, (size_t)w->s.n * sizeof *w->start);
    crank_turns_recall(w->s.eom, &w->place_memory);
    crank_status status = crank_statics_evaluate(&w->s, &w->worst, err);
    CRANK_THEN(status, relax(w, &relaxed, err));
    if (status != CRANK_OK || !relaxed) {
        return status;
    }
    const bool had = *found;
    double *first = malloc((size_t)w->s.n * sizeof *first);
    if (first == NULL) {
        return crank_fail(err, CRANK_EMEM, "an equilibrium");
    }
    crank_archive first_memory = w->best_memory;
    w->best_memory = (crank_archive){0};
    memcpy(first, w->best, (size_t)w->s.n * sizeof *first);
    status = look(w, &relaxed, &other, err);
    if (status == CRANK_OK && relaxed && (!had || other.stability != CRANK_UNSTABLE)) {
        *out = other;
        out->relaxed = true;
        *found = true;
    } else {
        memcpy(w->best, first, (size_t)w->s.n * sizeof *first);
        const crank_archive other_memory = w->best_memory;
        w->best_memory = first_memory;
        first_memory = other_memory;
    }
    crank_archive_free(&first_memory);
    free(first);
    return status;
}

/* Is the rest where the search began? Multipliers are found anyhow. */
static bool is_start(const search *w)
{
    const crank_eom *eom = w->s.eom;
    bool same = true;
    for (int j = eom->column[CRANK_R]; j < eom->n && same; j++) {
        const double size = crank_eom_unit(eom, j) + fabs(w->start[j]);
        same = fabs(w->s.x[j] - w->start[j]) <= unmoved * size;
    }
    return same;
}

static crank_status find(search *w, crank_equilibrium *out, crank_error *err)
{
    bool found = false;
    crank_status status = crank_statics_evaluate(&w->s, &w->worst, err);
    CRANK_THEN(status, newton(w, &found, err));
    if (status == CRANK_OK && found) {
        out->given = is_start(w);
        status = look(w, &found, out, err);
    }
    const bool uneasy = !found || (out->stability == CRANK_UNSTABLE && !out->given);
    if (status == CRANK_OK && uneasy) {
        status = search_downhill(w, &found, out, err);
    }
    out->iterations = w->iterations;
    return status == CRANK_OK && !found ? explain(w, err) : status;
}

/* ---- with friction, and treads ---- */

/* One search with what holds, from w->place. */
static crank_status search_once(crank_run *run, search *w, crank_hold *hold,
                                crank_equilibrium *out, crank_error *err)
{
    const crank_statics_holds rows = crank_hold_rows(hold);
    crank_statics_destroy(&w->s);
    w->s = (crank_statics){0};
    out->given = out->relaxed = false;
    crank_turns_recall(run->eom, &w->place_memory);
    crank_status status =
        crank_statics_create(run->eom, run->t_start, w->place, &rows, &w->s, err);
    CRANK_THEN(status, take(w, err));
    CRANK_THEN(status, find(w, out, err));
    if (status > CRANK_OK) {
        status = crank_fail(err, CRANK_ENOTFINITE,
                            "forces at the start are not finite numbers at rest");
    }
    return status;
}

/* What holds too much is let go. Treads slide first, all together, to where the rest would be,
 * and take hold there anew, as long as that takes load from them: a part of it was chance of
 * the way from the start. */
static void let_go(search *w, crank_hold *hold, const crank_overload *over,
                   crank_equilibrium *out)
{
    if (over->which >= hold->all && over->load <= eased * w->load) {
        w->load = over->load;
        memcpy(w->place, w->best, (size_t)w->s.eom->n * sizeof *w->place);
        crank_turns_recall(w->s.eom, &w->best_memory);
        crank_turns_remember(w->s.eom, &w->place_memory);
        crank_tread_relax(&hold->treads, w->place);
        return;
    }
    if (over->which >= 0 && out->slide_count++ < CRANK_FREE_DIRECTIONS) {
        memcpy(out->slide_text[out->slide_count - 1], over->text, sizeof over->text);
    }
    crank_hold_release(hold, over->which);
}

/* Until all that holds can. */
static crank_status search_holding(crank_run *run, search *w, crank_hold *hold,
                                   crank_equilibrium *out, crank_error *err)
{
    crank_status status;
    out->slide_count = 0;
    w->load = (double)INFINITY;
    for (;;) {
        crank_overload over = {.which = -1};
        status = search_once(run, w, hold, out, err);
        const bool held = hold->count > 0 || (status == CRANK_OK && hold->treads.count > 0);
        if (!held || (status != CRANK_OK && status != CRANK_EINIT_CONVERGENCE)) {
            break;
        }
        if (status == CRANK_OK) {
            memcpy(w->s.x, w->best, (size_t)w->s.n * sizeof *w->best);
            crank_turns_recall(run->eom, &w->best_memory);
            status = crank_statics_evaluate(&w->s, &w->worst, err);
            CRANK_THEN(status, crank_hold_judge(hold, &w->s, &over, err));
            const bool rests = over.which < 0 && !over.idle;
            if (status == CRANK_OK && rests) {
                status = crank_hold_creep(hold, &w->s, out, err);
                memcpy(w->best, w->s.x, (size_t)w->s.n * sizeof *w->best);
            }
            if (status != CRANK_OK || rests) {
                break;
            }
        }
        let_go(w, hold, &over, out);
    }
    return status;
}

static crank_status search_all(crank_run *run, search *w, crank_hold *hold,
                               crank_equilibrium *out, crank_error *err)
{
    w->place = crank_store_take(&hold->store, (size_t)run->eom->n, sizeof *w->place);
    if (w->place == NULL) {
        return crank_fail(err, CRANK_EMEM, "an equilibrium");
    }
    memcpy(w->place, run->x, (size_t)run->eom->n * sizeof *w->place);
    w->s.eom = run->eom;
    crank_turns_remember(w->s.eom, &w->place_memory);
    crank_status status = search_holding(run, w, hold, out, err);
    if (status == CRANK_EINIT_CONVERGENCE && hold->treads.all > 0) {
        crank_hold_all(hold);
        status = search_holding(run, w, hold, out, err);
    }
    return status;
}

crank_status crank_run_find_equilibrium(crank_run *run,
                                        const crank_equilibrium_options *options,
                                        crank_equilibrium *out, crank_error *err)
{
    crank_error own = {0};
    crank_hold hold = {0};
    search w = {.options = crank_equilibrium_options_default()};
    err = err != NULL ? err : &own;
    *out = (crank_equilibrium){.smallest = (double)NAN};
    if (run->integrator != NULL || (options != NULL && options->size != sizeof *options)) {
        return crank_fail(err, CRANK_EARG,
                          "an equilibrium: before the run is formulated, and with options made "
                          "by their default function");
    }
    w.options = options != NULL ? *options : w.options;
    crank_status status = crank_run_initialize(run, err);
    if (status == CRANK_OK && run->model != NULL) {
        status = crank_state_begin(run->model_state, run->t_start, run->x, err);
    }
    CRANK_THEN(status, crank_hold_create(run, &hold, err));
    crank_eom_stand(run->eom, true);
    CRANK_THEN(status, search_all(run, &w, &hold, out, err));
    CRANK_THEN(status, crank_turned_find(run->eom, run->t_start, run->x, w.best, out, err));
    if (status == CRANK_OK) {
        crank_turns_recall(run->eom, &w.best_memory);
        status = crank_turns_begin(run, run->t_start, w.best, err);
    }
    if (status == CRANK_OK) {
        crank_run_set_beginning(run, w.best);
        run->rests = true;
        crank_stability_examine(run, out);
    } else if (out->slide_count > 0) {
        const crank_error told = *err;
        (void)crank_fail(err, status, "%.300s; %.200s", told.text, out->slide_text[0]);
    }
    crank_eom_stand(run->eom, status == CRANK_OK);
    crank_hold_destroy(&hold);
    crank_statics_destroy(&w.s);
    crank_archive_free(&w.best_memory);
    crank_archive_free(&w.place_memory);
    return status;
}
