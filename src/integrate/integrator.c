/* integrator.c - create, tolerances, norms, unknowns, counters: the part that does not depend
 * on the method. Steps: stepper.c.
 *
 * Tolerances: with tolerance_transform, RADAU5's rtol' = 0.1 rtol^(2/3), atol' = (atol/rtol)
 * rtol' take the place of the user's values, because the estimate is of lower order than the
 * method [HW96, IV.8]. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/integrator.h"
#include "integrate/create.h"

#include "base/blame.h"
#include "base/options.h"
#include "base/suggest.h"
#include "integrate/events.h"
#include "integrate/features.h"
#include "integrate/switches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const crank_method *const methods[] = {
    &crank_method_radau,       &crank_method_bdf,      &crank_method_sdirk2,
    &crank_method_sdirk415,    &crank_method_sdirk416, &crank_method_dopri8,
    &crank_method_dopri5,      &crank_method_adams,    &crank_method_rosenbrock,
    &crank_method_trapezoidal, &crank_method_hht,      &crank_method_herk5,
    &crank_method_auto};
enum { METHODS = sizeof methods / sizeof *methods };

const double crank_noise_factor = 30.0;
/* theory (4.18) */
static const double transform_factor = 0.1, transform_power = 2.0 / 3.0;

void crank_integrator_set_scale(crank_integrator *it, const double *restrict x)
{
    const double *restrict absolute = it->atol_used, *restrict relative = it->rtol_used,
                           *restrict noise = it->problem->noise;
    double *restrict scale = it->scale;
    const int n = it->n;
    if (noise == NULL) {
        for (int j = 0; j < n; j++) {
            scale[j] = absolute[j] + relative[j] * fabs(x[j]);
        }
        return;
    }
    for (int j = 0; j < n; j++) {
        const double size = absolute[j] + relative[j] * fabs(x[j]),
                     least = crank_noise_factor * noise[j];
        scale[j] = size < least ? least : size;
    }
}

/* The largest part, option error_norm: max; a NaN stays one. */
static double largest_part(const crank_integrator *it, int count, const double *z,
                           const double power[])
{
    const crank_problem *p = it->problem;
    double largest = 0.0;
    for (int i = 0; i < count && !isnan(largest); i++) {
        const double *column = z + (long)i * it->n;
        for (int j = 0; j < it->n && !isnan(largest); j++) {
            const double part = fabs(column[j] / it->scale[j] * power[p->scaling[j]]);
            largest = !p->tested[j] || part <= largest ? largest : part;
        }
    }
    return largest;
}

void crank_integrator_list_runs(const crank_problem *problem, crank_norm_runs *out)
{
    out->count = 0;
    for (int j = 0; j < problem->n; j++) {
        const int scaling = problem->scaling[j];
        crank_norm_run *last = out->count > 0 ? &out->list[out->count - 1] : NULL;
        if (problem->tested[j] && last != NULL && last->last == j && last->scaling == scaling) {
            last->last++;
        } else if (problem->tested[j]) {
            out->list[out->count++] = (crank_norm_run){j, j + 1, scaling};
        }
    }
}

/* sum + sum (z_j/scale_j power)^2, one after the other */
static double add_squares(const crank_norm_run *run, double power, const double *scale,
                          const double *z, double sum)
{
    int j = run->first;
    for (; j + 1 < run->last; j += 2) {
        const double a = z[j] / scale[j] * power, b = z[j + 1] / scale[j + 1] * power;
        const double c = a * a, d = b * b;
        sum += c;
        sum += d;
    }
    if (j < run->last) {
        const double a = z[j] / scale[j] * power;
        sum += a * a;
    }
    return sum;
}

double crank_integrator_norm(const crank_integrator *it, int count, const double *z, double h)
{
    const double part_of_time = h / it->time;
    const double power[] = {1.0, part_of_time, part_of_time * part_of_time};
    if (it->options.error_norm == CRANK_NORM_MAX) {
        return largest_part(it, count, z, power);
    }
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        for (int r = 0; r < it->runs.count; r++) {
            const crank_norm_run *run = &it->runs.list[r];
            sum = add_squares(run, power[run->scaling], it->scale, z + (long)i * it->n, sum);
        }
    }
    const double mean = sum / ((double)count * (it->tested > 0 ? it->tested : 1));
    return sqrt(mean);
}

bool crank_integrator_is_differential(const crank_integrator *it, int j)
{
    const int g = it->problem->group[j];
    return g == CRANK_R || g == CRANK_V || g == CRANK_P;
}

int crank_integrator_power_of_rates(const crank_integrator *it)
{
    int power = 0;
    for (int j = 0; j < it->n; j++) {
        const int scaling = it->problem->scaling[j];
        power = crank_integrator_is_differential(it, j) && scaling > power ? scaling : power;
    }
    return power;
}

double crank_integrator_step_end(const crank_integrator *it)
{
    return it->t + it->h * 1.0000000001 >= it->t_stop ? it->t_stop : it->t + it->h;
}

void crank_integrator_clip_step(crank_integrator *it)
{
    const double left = it->t_stop - it->t;
    it->h = fmin(it->h, it->options.h_max > 0.0 ? it->options.h_max : left);
    if (it->t + it->h * 1.0001 >= it->t_stop) {
        it->h = left;
    }
}

static double group_tolerance(const crank_options *o, int group)
{
    double value = 0.0;
    switch ((crank_group)group) {
    case CRANK_W:
        value = o->atol_w;
        break;
    case CRANK_LAMBDA:
        value = o->atol_lambda;
        break;
    case CRANK_MU:
        value = o->atol_mu;
        break;
    case CRANK_R:
        value = o->atol_r;
        break;
    case CRANK_V:
        value = o->atol_v;
        break;
    case CRANK_S:
        value = o->atol_s;
        break;
    case CRANK_P:
        value = o->atol_p;
        break;
    case CRANK_GROUPS:
        break;
    }
    return value > 0.0 ? value : o->atol;
}

/* An error of velocities times this is one of positions: the largest tolerance of p over that
 * of v, theory (4.20). */
static double time_of_tolerances(const crank_integrator *it)
{
    double p = 0.0, v = 0.0;
    for (int j = 0; j < it->n; j++) {
        const int g = it->problem->group[j];
        p = g == CRANK_P ? fmax(p, it->atol[j]) : p;
        v = g == CRANK_V ? fmax(v, it->atol[j]) : v;
    }
    return p > 0.0 && v > 0.0 ? p / v : 1.0;
}

void crank_integrator_take_tolerances(crank_integrator *it)
{
    it->time = time_of_tolerances(it);
    for (int j = 0; j < it->n; j++) {
        it->rtol_used[j] = it->rtol[j];
        it->atol_used[j] = it->atol[j];
        if (it->method->transforms_tolerances && it->options.tolerance_transform &&
            it->rtol[j] > 0.0) {
            it->rtol_used[j] = transform_factor * pow(it->rtol[j], transform_power);
            it->atol_used[j] = it->atol[j] / it->rtol[j] * it->rtol_used[j];
        }
    }
}

/* Are there unknowns of the eom that rows have and steps do not? */
static bool eliminates(const crank_integrator *it)
{
    const crank_problem *p = it->problem;
    return p->unknowns != NULL && p->unknowns->count > it->n && p->rates != NULL;
}

static void layout(crank_integrator *it, crank_arena *arena)
{
    const size_t n = (size_t)it->n;
    it->state = crank_arena_take(arena, 1, it->method->state_size);
    it->x = crank_arena_take(arena, n, sizeof(double));
    it->shown = crank_arena_take(arena, 1, sizeof *it->shown);
    it->given = crank_arena_take(
        arena, it->problem->unknowns != NULL ? (size_t)it->problem->unknowns->count : 0,
        sizeof(double));
    it->rtol = crank_arena_take(arena, n, sizeof(double));
    it->atol = crank_arena_take(arena, n, sizeof(double));
    it->rtol_used = crank_arena_take(arena, n, sizeof(double));
    it->atol_used = crank_arena_take(arena, n, sizeof(double));
    it->scale = crank_arena_take(arena, n, sizeof(double));
    it->runs.list = crank_arena_take(arena, n, sizeof *it->runs.list);
    it->output_work = crank_arena_take(arena, n, sizeof(double));
    it->row = crank_arena_take(arena, n, sizeof(double));
    it->interpolated = crank_arena_take(arena, n, sizeof(double));
    it->refined = crank_arena_take(arena, n, sizeof(double));
    it->row_off = crank_arena_take(arena, n, sizeof(double));
    if (eliminates(it)) {
        it->row_rate = crank_arena_take(arena, n, sizeof(double));
        it->row_k = crank_arena_take(arena, (size_t)it->m, sizeof(double));
        it->row_begin = crank_arena_take(arena, n, sizeof(double));
    }
}

static const crank_method *find_method(const char *name, crank_error *err)
{
    const char *names[METHODS];
    for (int i = 0; i < METHODS; i++) {
        names[i] = methods[i]->name;
        if (strcmp(name, names[i]) == 0) {
            return methods[i];
        }
    }
    const char *near = crank_suggest(name, names, METHODS);
    crank_fail(err, CRANK_EARG, "integrator \"%s\" is not known%s%s", name,
               near != NULL ? "; did you mean " : "", near != NULL ? near : "");
    return NULL;
}

/* the method's arrays are laid out behind the common ones; state is needed to hold their
 * pointers */
static bool allocate(crank_integrator *it)
{
    void *scratch = calloc(1, it->method->state_size);
    if (scratch == NULL) {
        return false;
    }
    layout(it, &it->arena);
    it->method->layout(scratch, &it->arena, it);
    free(scratch);
    if (!crank_arena_allocate(&it->arena)) {
        return false;
    }
    layout(it, &it->arena);
    it->method->layout(it->state, &it->arena, it);
    return true;
}

static crank_status check_options(const crank_method *method, const crank_problem *problem,
                                  const crank_options *options, crank_error *err)
{
    if ((method == &crank_method_auto) != (problem->alternatives != NULL)) {
        return crank_fail(err, CRANK_EREFUSED,
                          "integrator auto and formulation auto go together; this is %s-%s",
                          problem->name, method->name);
    }
    if (method->is_explicit != (problem->derivative != NULL)) {
        return crank_fail(
            err, CRANK_EREFUSED,
            method->is_explicit
                ? "integrator %s is explicit and needs formulation ode, not %s"
                : "integrator %s is implicit; formulation %s is for dopri8, dopri5, "
                  "herk5 and adams",
            method->name, problem->name);
    }
    if (method->half_explicit && problem->reach == NULL) {
        return crank_fail(err, CRANK_EREFUSED,
                          "integrator %s is for equations of motion without contact variables; "
                          "use dopri5 or dopri8",
                          method->name);
    }
    if (method->linearly_implicit && !problem->explicit_in_free) {
        return crank_fail(
            err, CRANK_EREFUSED,
            "integrator %s needs a constant mass matrix and sparse linear algebra "
            "(accelerations=carry, linear_algebra=sparse)",
            method->name);
    }
    if (method->linearly_implicit && problem->inexact != NULL) {
        return crank_fail(err, CRANK_EREFUSED,
                          "integrator %s has no iteration that would mend an inexact Jacobian "
                          "(%s); use sdirk415 or radau",
                          method->name, problem->inexact);
    }
    if (problem->holds_lead && !method->takes_residuals) {
        return crank_fail(err, CRANK_EREFUSED,
                          "formalism, jacobian and derivatives of %s are for integrator bdf",
                          problem->name);
    }
    const crank_status status =
        crank_options_belong(options, CRANK_OF_INTEGRATOR, method->name, err);
    if (status == CRANK_OK && method->max_order > 0 && options->max_order > method->max_order) {
        return crank_fail(err, CRANK_EREFUSED, "max_order = %d: %s has orders up to %d",
                          options->max_order, method->name, method->max_order);
    }
    if (status == CRANK_OK && options->singular == CRANK_SINGULAR_PASS &&
        (!method->passes_singular || problem->passage == NULL)) {
        return crank_fail(err, CRANK_EREFUSED,
                          "%s-%s does not pass singular positions: use psf-radau, or "
                          "singular=stop",
                          problem->name, method->name);
    }
    return status;
}

crank_status crank_integrator_create(const char *integrator, crank_problem *problem,
                                     const crank_options *options, crank_integrator **out,
                                     crank_error *err)
{
    *out = NULL;
    crank_status status = crank_options_check(options, err);
    if (status != CRANK_OK) {
        return status;
    }
    const crank_method *method = find_method(integrator, err);
    if (method == NULL) {
        return CRANK_EARG;
    }
    status = check_options(method, problem, options, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_integrator *it = calloc(1, sizeof *it);
    if (it == NULL) {
        return crank_fail(err, CRANK_EMEM, "workspace of %s", integrator);
    }
    *it = (crank_integrator){.method = method,
                             .problem = problem,
                             .options = *options,
                             .n = problem->n,
                             .m = problem->m,
                             .last_error = (double)NAN};
    if (!allocate(it)) {
        crank_integrator_destroy(it);
        return crank_fail(err, CRANK_EMEM, "workspace of %s", integrator);
    }
    crank_integrator_list_runs(problem, &it->runs);
    for (int j = 0; j < it->n; j++) {
        it->tested += problem->tested[j];
        it->rtol[j] = options->rtol;
        const double by_kind = problem->atol != NULL ? problem->atol[j] : 0.0;
        it->atol[j] = by_kind > 0.0 ? by_kind : group_tolerance(options, problem->group[j]);
    }
    *out = it;
    return CRANK_OK;
}

void crank_integrator_destroy(crank_integrator *it)
{
    if (it != NULL) {
        crank_events_destroy(it->events);
        crank_switches_destroy(it->switches);
        crank_features_destroy(it->features);
        crank_arena_free(&it->arena);
        free(it);
    }
}

crank_status crank_integrator_set_tolerances(crank_integrator *it, const double *rtol,
                                             const double *atol, crank_error *err)
{
    const int given = crank_problem_given(it->problem);
    for (int j = 0; j < given; j++) {
        if (!(rtol[j] > 0.0) || !(atol[j] > 0.0) || !isfinite(rtol[j]) || !isfinite(atol[j])) {
            return crank_fail(
                err, CRANK_EARG,
                "tolerances of unknown %d: rtol = %g, atol = %g, must be positive", j + 1,
                rtol[j], atol[j]);
        }
    }
    for (int j = 0; j < it->n; j++) {
        const int column = crank_problem_column(it->problem, j);
        it->rtol[j] = column >= 0 ? rtol[column] : it->rtol[j];
        it->atol[j] = column >= 0 ? atol[column] : it->atol[j];
    }
    return CRANK_OK;
}

/* ---- unknowns of the problem and of its eom ---- */

crank_status crank_integrator_take(crank_integrator *it, const double *x, crank_error *err)
{
    crank_problem *p = it->problem;
    crank_error reason = {0};
    for (int j = 0; j < crank_problem_given(p); j++) {
        if (!isfinite(x[j])) {
            return crank_fail(err, CRANK_ENOTFINITE, "unknown %d is not finite at t = %.10g",
                              j + 1, it->t);
        }
    }
    if (p->unknowns == NULL) {
        memmove(it->x, x, (size_t)it->n * sizeof *x);
        return CRANK_OK;
    }
    const crank_status status = p->unknowns->reduce(p, it->t, x, it->x, &reason);
    *it->shown = (crank_shown){.known = true};
    return status == CRANK_OK
               ? crank_integrator_give(it, it->t, it->x, it->given, err)
               : crank_fail(err, status > CRANK_OK ? CRANK_EINCONSISTENT : status,
                            "%s cannot start at t = %.10g: %s", p->name, it->t, reason.text);
}

crank_status crank_integrator_give(const crank_integrator *it, double t, const double *x,
                                   double *out, crank_error *err)
{
    crank_problem *p = it->problem;
    crank_error reason;
    if (p->unknowns == NULL) {
        memcpy(out, x, (size_t)it->n * sizeof *x);
        return CRANK_OK;
    }
    crank_error_clear(&reason);
    const crank_status status = p->unknowns->expand(p, t, x, out, &reason);
    return status == CRANK_OK
               ? CRANK_OK
               : crank_fail(err, status > CRANK_OK ? CRANK_EINCONSISTENT : status,
                            "%s does not know the motion at t = %.10g: %s", p->name, t,
                            reason.text);
}

crank_status crank_integrator_show(crank_integrator *it, crank_error *err)
{
    const crank_problem_unknowns *own = it->problem->unknowns;
    if (own == NULL) {
        return CRANK_OK;
    }
    it->shown->known = !own->later;
    return own->later ? CRANK_OK : crank_integrator_give(it, it->t, it->x, it->given, err);
}

/* ---- what callers see ---- */

double crank_integrator_time(const crank_integrator *it)
{
    return it->t;
}

double crank_integrator_last_step(const crank_integrator *it)
{
    return it->t - it->t_old;
}

const double *crank_integrator_state(const crank_integrator *it)
{
    crank_shown *shown = it->shown;
    if (it->problem->unknowns == NULL) {
        return it->x;
    }
    if (!shown->known) {
        shown->known = true;
        shown->status = crank_integrator_give(it, it->t, it->x, it->given, &shown->reason);
    }
    return it->given;
}

crank_statistics crank_integrator_statistics(const crank_integrator *it)
{
    const crank_alternatives *both = it->problem->alternatives;
    crank_statistics sum = *it->problem->statistics;
    for (int i = 0; both != NULL && i < CRANK_PARTS; i++) {
        if (i != CRANK_PART_SAFE && both->part[i] != NULL) { /* sum has those of the safe one */
            crank_statistics_add(&sum, both->part[i]->statistics);
        }
    }
    const crank_statistics *own = &it->statistics;
    sum.steps = own->steps;
    sum.attempts = own->attempts;
    sum.rejected_error = own->rejected_error;
    sum.rejected_convergence = own->rejected_convergence;
    sum.solves = own->solves;
    sum.newton_iterations += own->newton_iterations; /* problems that iterate themselves */
    sum.jacobian_updates = own->jacobian_updates;
    sum.events = own->events;
    sum.event_steps = own->event_steps;
    sum.method_changes = own->method_changes;
    sum.seconds = own->seconds;
    return sum;
}

crank_step_counts crank_integrator_counts(const crank_integrator *it)
{
    const crank_alternatives *both = it->problem->alternatives;
    const crank_statistics *own = &it->statistics, *first = it->problem->statistics;
    crank_step_counts sum = {.rejected = own->rejected_error + own->rejected_convergence,
                             .newton_iterations =
                                 first->newton_iterations + own->newton_iterations,
                             .jacobians = first->jacobians,
                             .jacobian_updates = own->jacobian_updates};
    for (int i = 0; both != NULL && i < CRANK_PARTS; i++) {
        if (i != CRANK_PART_SAFE && both->part[i] != NULL) { /* first is that of the safe one */
            sum.newton_iterations += both->part[i]->statistics->newton_iterations;
            sum.jacobians += both->part[i]->statistics->jacobians;
        }
    }
    return sum;
}

bool crank_integrator_pattern(const crank_integrator *it, crank_newton_pattern *out)
{
    const crank_problem *p = it->problem;
    *out = (crank_newton_pattern){0};
    if (p->pattern == NULL) {
        return false;
    }
    p->pattern(p, out);
    return true;
}

double crank_integrator_last_error(const crank_integrator *it)
{
    return it->last_error;
}
