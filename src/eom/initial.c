/* initial.c - consistent initial values, by the smallest weighted change of rough ones.
 *
 * Levels are solved in their natural order, each for its own unknowns:
 *     c, g, n = 0  for (s, p);    gI, h, e = 0  for v;    d, gII, hI = 0  for (w, lambda, mu),
 * so that positions are not moved to please velocities, nor velocities to please
 * multipliers. Extra conditions join the highest level whose unknowns they contain; if a
 * level then has no solution, all levels are solved at once, from closed positions first. A
 * level that holds already is not touched: consistent data stays as it is, bit for bit.
 * Redundant constraints leave
 * multipliers undetermined; they change as little as possible. [Ste06, 5.1.7] solves all
 * levels at once and asks for as many conditions as there are freedoms. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/initial.h"
#include "base/then.h"

#include <math.h>
#include <string.h>

/* Bodies follow the residual to zero in steps of at most this size, so that a loop is not
 * thrown to its other side. */
static const double longest_step = 0.25;

crank_initial_options crank_initial_options_default(void)
{
    return (crank_initial_options){.size = sizeof(crank_initial_options),
                                   .tolerance = 1e-12,
                                   .max_iterations = 50,
                                   .max_change = 0.5,
                                   .multipliers = true};
}

static void layout(crank_initial *w, crank_arena *arena)
{
    const crank_eom *eom = w->eom;
    const size_t n = (size_t)eom->n, rows = (size_t)w->equations, ni = (size_t)w->conditions;
    double **const per_unknown[] = {&w->start,       &w->x,        &w->trial,  &w->found,
                                    &w->begin,       &w->stuck,    &w->move,   &w->y,
                                    &w->loose_found, &w->unturned, &w->away,   &w->nearest,
                                    &w->first_y,     &w->levels,   &w->lagging};
    double **const per_equation[] = {&w->residual, &w->kept, &w->scale,
                                     &w->r,        &w->norm, &w->first_r};
    for (size_t i = 0; i < sizeof per_unknown / sizeof *per_unknown; i++) {
        *per_unknown[i] = crank_arena_take(arena, n, sizeof(double));
    }
    for (size_t i = 0; i < sizeof per_equation / sizeof *per_equation; i++) {
        *per_equation[i] = crank_arena_take(arena, rows, sizeof(double));
    }
    w->k = crank_arena_take(arena, (size_t)eom->m, sizeof(double));
    w->values = crank_arena_take(arena, (size_t)eom->jacobian_pattern.start[n], sizeof(double));
    w->condition_values = crank_arena_take(arena, ni * n, sizeof(double));
    w->side[0] = crank_arena_take(arena, ni, sizeof(double));
    w->side[1] = crank_arena_take(arena, ni, sizeof(double));
    w->lift = crank_arena_take(arena, ni, sizeof(double));
    w->touches = crank_arena_take(arena, ni * n, sizeof(bool));
    w->level = crank_arena_take(arena, rows, sizeof(int));
    w->touching = crank_arena_take(arena, rows, sizeof(bool));
    w->tie = crank_arena_take(arena, (size_t)w->ties, sizeof *w->tie);
    w->row = crank_arena_take(arena, rows, sizeof(int));
    w->place = crank_arena_take(arena, rows, sizeof(int));
    w->column = crank_arena_take(arena, n, sizeof(int));
    w->fixing = crank_arena_take(arena, n, sizeof(crank_fixing));
    w->anchor = crank_arena_take(arena, n, sizeof(bool));
    w->loose = crank_arena_take(arena, n, sizeof(bool));
    w->turned = crank_arena_take(arena, n, sizeof(bool));
    w->were_turned = crank_arena_take(arena, n, sizeof(bool));
    w->led = crank_arena_take(arena, n, sizeof(bool));
    const size_t bodies = eom->parts != NULL ? (size_t)eom->parts->body_count : 0;
    w->group = crank_arena_take(arena, bodies, sizeof(int));
    w->heaviest = crank_arena_take(arena, bodies, sizeof(int));
    w->tied = crank_arena_take(arena, bodies, sizeof(bool));
    w->units.eom = eom;
    crank_scale_layout(&w->units, arena);
}

static crank_status check_arguments(const crank_eom *eom, const double *x,
                                    const crank_initial_options *o, crank_error *err)
{
    if (o->size != sizeof *o) {
        return crank_fail(
            err, CRANK_EARG,
            "initial options: size = %zu, make them with crank_initial_options_default",
            o->size);
    }
    if (!(o->tolerance > 0.0) || o->max_iterations < 1 || !(o->max_change >= 0.0)) {
        return crank_fail(
            err, CRANK_EARG,
            "initial options: tolerance = %g and max_iterations = %d must be positive, "
            "max_change = %g not negative",
            o->tolerance, o->max_iterations, o->max_change);
    }
    const int bad = crank_first_not_finite(eom->n, x);
    if (bad >= 0) {
        return crank_fail(err, CRANK_ENOTFINITE, "the start value of %s is not finite (%g)",
                          crank_eom_column_name(eom, bad), x[bad]);
    }
    return CRANK_OK;
}

/* Allocates and fills w; the caller frees its arena in any case. */
static crank_status prepare(crank_initial *w, const double *x, crank_error *err)
{
    const crank_eom *eom = w->eom;
    w->algebraic = eom->row[CRANK_ROW_B];
    const bool asks = eom->supplier.initial != NULL && !w->under_way && !w->options.under_way;
    w->conditions = asks ? eom->sizes.initial : 0;
    w->ties = crank_initial_count_ties(w);
    w->equations = w->algebraic + w->conditions + w->ties;
    if ((double)w->conditions * eom->n > 1e8) {
        return crank_fail(err, CRANK_EREFUSED,
                          "%d initial conditions on %d unknowns are too many", w->conditions,
                          eom->n);
    }
    layout(w, &w->arena);
    if (!crank_arena_allocate(&w->arena)) {
        return crank_fail(err, CRANK_EMEM, "initial values of %d unknowns", eom->n);
    }
    layout(w, &w->arena);
    w->given = x;
    memcpy(w->start, x, (size_t)eom->n * sizeof *x);
    memcpy(w->x, x, (size_t)eom->n * sizeof *x);
    for (int j = 0; j < eom->n; j++) {
        const bool preferred = (j >= eom->column[CRANK_R] && j < eom->column[CRANK_S]) ||
                               j >= eom->column[CRANK_P];
        w->fixing[j] = w->options.fixing != NULL ? w->options.fixing[j]
                       : preferred               ? CRANK_PREFERRED
                                                 : CRANK_FREE;
    }
    crank_initial_find_anchors(w);
    const crank_status status = crank_initial_relative_create(w, err);
    crank_initial_hold_ties(w, CRANK_HOLD_NONE);
    return status == CRANK_OK ? crank_initial_levels(w, err) : status;
}

/* Largest relative residual of each level, at the point that was evaluated and linearised
 * last. */
static void measure(const crank_initial *w, double residual[3])
{
    residual[0] = residual[1] = residual[2] = 0.0;
    for (int i = 0; i < w->equations; i++) {
        if (w->level[i] >= 0) {
            double *level = &residual[w->level[i]];
            *level = fmax(*level, fabs(w->residual[i]) / w->scale[i]);
        }
    }
}

static crank_status evaluate_all(crank_initial *w, double residual[3], crank_error *err)
{
    crank_status status = crank_initial_evaluate(w, w->x, err);
    CRANK_THEN(status, crank_initial_linearise(w, err));
    if (status == CRANK_OK) {
        measure(w, residual);
    }
    return status;
}

crank_status crank_initial_level(crank_initial *w, int level, bool *moved, crank_error *err)
{
    crank_status status = crank_initial_find(w, level, moved, err);
    CRANK_THEN(status, *moved ? crank_initial_near(w, level, err) : CRANK_OK);
    if (status == CRANK_OK && *moved && level == 0) {
        status = crank_initial_sides(w, err);
        CRANK_THEN(status, crank_initial_near(w, level, err));
        CRANK_THEN(status, crank_initial_settle(w, err));
    }
    return status;
}

/* Have given velocities changed, by more than rounding? */
static bool has_left(const crank_initial *w)
{
    const crank_eom *eom = w->eom;
    bool left = false;
    for (int j = eom->column[CRANK_V]; j < eom->column[CRANK_S]; j++) {
        const double size = fmax(fabs(w->given[j]), crank_initial_plain_move(w, j));
        left = left || (w->fixing[j] != CRANK_FREE &&
                        fabs(w->x[j] - w->given[j]) > w->options.tolerance * size);
    }
    return left;
}

/* Given velocities that are of bodies where they have been moved to, theory (5.11). */
void crank_initial_keep_turning(crank_initial *w)
{
    const crank_eom *eom = w->eom;
    const int v = eom->column[CRANK_V];
    if (eom->supplier.carry != NULL) {
        eom->supplier.carry(eom->self, w->t, w->start, w->x);
        memcpy(w->start + v, w->x + v, (size_t)eom->sizes.v * sizeof *w->x);
    }
}

/* Level by level; *failed: at which it ended, if not CRANK_OK; *shared: there, since conditions of
 * levels before have joined it. */
static crank_status solve_levels(crank_initial *w, int *failed, bool *shared, crank_error *err)
{
    *shared = false;
    for (int level = 0; level < 3 && !*shared; level++) {
        *failed = level;
        bool moved = false;
        crank_status status = level == 2 ? crank_initial_forward(w, err) : CRANK_OK;
        CRANK_THEN(status, level == 2 ? crank_initial_motion(w, err) : CRANK_OK);
        CRANK_THEN(status, level == 1 ? crank_initial_velocities(w, &moved, err)
                                      : crank_initial_level(w, level, &moved, err));
        if (status == CRANK_OK && moved && level == 0) {
            status = crank_initial_turn_joints(w, err);
            CRANK_THEN(status, crank_initial_jump(w, err));
            crank_initial_keep_turning(w);
        }
        if (status == CRANK_OK && moved && level != 1) {
            status = crank_initial_determined(w, level, err);
        }
        if (status == CRANK_OK && moved && level > 0 && w->conditions > 0 &&
            w->eom->sizes.r > 0) {
            status = crank_initial_look(w, level, err);
            *shared = status == CRANK_OK && crank_initial_share(w, level);
        }
        if (status != CRANK_OK) {
            return status;
        }
    }
    return CRANK_OK;
}

static crank_status solve(crank_initial *w, crank_error *err)
{
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    int failed;
    bool shared = true;
    crank_status status = CRANK_OK;
    memcpy(w->levels, w->x, size);
    while (shared && status == CRANK_OK) {
        memcpy(w->x, w->levels, size);
        memcpy(w->start, w->given, size);
        status = solve_levels(w, &failed, &shared, err);
    }
    const bool may_help =
        status == CRANK_EINIT_CONTRADICTION || status == CRANK_EINIT_CONVERGENCE;
    /* positions have equations of their own, which nothing else satisfies */
    return w->conditions > 0 && failed > 0 && may_help ? crank_initial_jointly(w, failed, err)
                                                       : status;
}

static void find_largest_change(const crank_initial *w, crank_initial_report *report)
{
    for (int j = 0; j < w->eom->n; j++) {
        bool known;
        const double unit = crank_scale_unit(w->eom, j, &known);
        const double change = fabs(w->x[j] - w->start[j]) / (unit + fabs(w->start[j]));
        if (change > report->largest_change) {
            report->largest_change = change;
            report->largest_column = j;
        }
    }
}

static crank_status inconsistent(const crank_initial *w, int worst, crank_error *err)
{
    char name[160];
    const crank_place place = crank_initial_place(w, worst);
    return crank_fail_place(err, CRANK_EINCONSISTENT, place,
                            "the start values are inconsistent: %s has residual %.3g (relative "
                            "%.1e, tolerance %.0e)",
                            crank_initial_name(w, worst, name, sizeof name), w->residual[worst],
                            fabs(w->residual[worst]) / w->scale[worst],
                            crank_initial_tolerance(w, worst));
}

/* Residuals above the tolerance are accepted where no step makes them smaller. */
static void warn_rest(const crank_initial *w)
{
    int worst;
    char name[160];
    const double excess = crank_initial_excess(w, CRANK_JOINT, &worst);
    if (excess > 1.0) {
        crank_log_write(&w->log, CRANK_WARNING,
                        "%s holds only to %.1e of its size at the start; no step comes nearer",
                        crank_initial_name(w, worst, name, sizeof name),
                        excess * crank_initial_tolerance(w, worst));
    }
}

/* a general DAE knows a point on its constraints, found level by level */
static void begin_near(crank_initial *w)
{
    const crank_eom_dae *dae = w->eom->dae;
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    if (dae != NULL && dae->point != NULL && memcmp(w->x, dae->given, size) == 0) {
        memcpy(w->x, dae->point, size);
    }
}

static crank_status run(crank_initial *w, double *x, crank_initial_report *report,
                        crank_error *err)
{
    int worst;
    crank_status status = evaluate_all(w, report->residual, err);
    if (status != CRANK_OK) {
        return status;
    }
    memcpy(report->corrected, report->residual, sizeof report->corrected);
    report->consistent = crank_initial_excess(w, CRANK_JOINT, &worst) <= 1.0;
    if (report->consistent && !crank_initial_is_carried(w)) {
        crank_initial_warn_left(w);
        return crank_initial_motion(w, err);
    }
    if (w->options.check_only) {
        return inconsistent(w, worst, err);
    }
    begin_near(w);
    status = solve(w, err);
    if (report->consistent && (status != CRANK_OK || has_left(w))) { /* as it was given */
        memcpy(w->x, w->given, (size_t)w->eom->n * sizeof *w->x);
        status = status == CRANK_EMEM ? status : CRANK_OK;
    }
    report->iterations = w->iterations;
    CRANK_THEN(status, evaluate_all(w, report->corrected, err));
    if (status == CRANK_OK) {
        warn_rest(w);
    }
    CRANK_THEN(status, crank_initial_warn_speeds(w, err));
    if (status == CRANK_OK) {
        crank_initial_warn_left(w);
        memcpy(x, w->x, (size_t)w->eom->n * sizeof *x);
        find_largest_change(w, report);
    }
    return status;
}

/* w, lambda and mu alone */
static crank_status run_multipliers(crank_initial *w, double *x, crank_initial_report *report,
                                    crank_error *err)
{
    bool moved = false;
    crank_status status = evaluate_all(w, report->residual, err);
    CRANK_THEN(status, crank_initial_motion(w, err));
    CRANK_THEN(status, crank_initial_level(w, 2, &moved, err));
    if (status == CRANK_OK && moved) {
        status = crank_initial_determined(w, 2, err);
    }
    if (status == CRANK_OK) {
        memcpy(x, w->x, (size_t)w->eom->column[CRANK_R] * sizeof *x);
    }
    return status;
}

/* Positions alone, if conditions on accelerations or reactions may move them later. */
static crank_status run_assembly(crank_initial *w, double *x, crank_initial_report *report,
                                 crank_error *err)
{
    bool moved = false;
    report->consistent = true;
    for (int i = 0; i < w->conditions; i++) {
        report->consistent = report->consistent && w->level[w->algebraic + i] != 2;
    }
    if (report->consistent) {
        return CRANK_OK;
    }
    crank_status status = crank_initial_level(w, 0, &moved, err);
    CRANK_THEN(status, moved ? crank_initial_turn_joints(w, err) : CRANK_OK);
    CRANK_THEN(status, crank_initial_jump(w, err));
    if (status == CRANK_OK) {
        memcpy(x, w->x, (size_t)w->eom->n * sizeof *x);
    }
    return status;
}

static crank_status find(crank_initial *w, double *x, crank_initial_report *report,
                         const char *what, crank_error *err)
{
    crank_error detail = {0};
    crank_status status = prepare(w, x, &detail);
    if (status == CRANK_OK) {
        status = w->under_way    ? run_multipliers(w, x, report, &detail)
                 : w->assembling ? run_assembly(w, x, report, &detail)
                                 : run(w, x, report, &detail);
    }
    if (status != CRANK_OK && w->options.reached != NULL && w->x != NULL) {
        memcpy(w->options.reached, w->x, (size_t)w->eom->n * sizeof *w->x);
    }
    crank_min_free(&w->A);
    crank_initial_relative_destroy(w);
    crank_arena_free(&w->arena);
    if (status > 0) { /* nothing to retry with */
        const crank_place place = {detail.line, detail.column, detail.file};
        return crank_fail_place(err, CRANK_ENOTFINITE, place,
                                "the %s lie outside the model's domain: %s", what, detail.text);
    }
    if (status < 0 && err != NULL) {
        *err = detail;
    }
    return status;
}

crank_status crank_eom_initialize(crank_eom *eom, double t, double *x,
                                  const crank_initial_options *options,
                                  crank_initial_report *report, crank_log log, crank_error *err)
{
    crank_initial_report own;
    report = report != NULL ? report : &own;
    *report = (crank_initial_report){.largest_column = -1};
    crank_initial w = {.eom = eom, .log = log, .t = t, .soft = {.joint = -1}};
    w.options = options != NULL ? *options : crank_initial_options_default();
    if (eom->dae != NULL) { /* its variables are no positions of one size */
        w.options.max_change = 0.0;
    }
    w.longest = w.options.max_change > 0.0 ? longest_step : (double)INFINITY;
    crank_status status = check_arguments(eom, x, &w.options, err);
    CRANK_THEN(status, find(&w, x, report, "start values", err));
    return status == CRANK_OK ? crank_eom_warn_loads(eom, t, x, log, err) : status;
}

crank_status crank_eom_assemble(crank_eom *eom, double t, double *x,
                                const crank_initial_options *options, bool *later,
                                crank_error *err)
{
    crank_initial_report report = {.largest_column = -1};
    crank_initial w = {.eom = eom, .t = t, .soft = {.joint = -1}, .assembling = true};
    w.options = *options;
    w.longest = longest_step;
    const crank_status status = find(&w, x, &report, "start values", err);
    *later = status == CRANK_OK && !report.consistent;
    return status;
}

crank_status crank_eom_find_multipliers(crank_eom *eom, double t, double *x, crank_error *err)
{
    crank_initial_report report = {.largest_column = -1};
    crank_initial w = {.eom = eom, .t = t, .soft = {.joint = -1}, .under_way = true};
    w.options = crank_initial_options_default();
    w.longest = (double)INFINITY;
    return find(&w, x, &report, "values after the jump", err);
}
