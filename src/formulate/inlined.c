/* inlined.c - equations translated together with the rule of the method (eom/inlined.h), theory
 * 13.4-13.6: stages are solved for by the translated code. The integrator knows states alone, and
 * what can become one; all else is computed from them where it is asked for.
 *
 *     rows         x'_j = k_j of what the integrator keeps
 *     k, all u     the code with h = 0 and old(x) = x
 *     (s - J) d = r        d = x(old + r/s) - x(old) with h = 1/s             theory (13.9)
 *
 * where x(old) is what was solved for last: estimates of errors need no matrix. Where the
 * translation is refused, or singular at the start, psf takes its place, and says so. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/inlined.h"

#include "base/then.h"
#include "formulate/formulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* of iterations, over the tolerance, unless the options say, or there are no events: then that
 * of the integrator's own does for steps */
static const double usual_iteration = 1e-3;

typedef crank_inlined_problem inlined;

/* ---- counts ---- */

static void count(inlined *s)
{
    crank_inlined_counts now = s->single->counts(s->single);
    if (s->stages != NULL) {
        const crank_inlined_counts more = s->stages->counts(s->stages);
        now.evaluations += more.evaluations;
        now.iterations += more.iterations;
        now.jacobians += more.jacobians;
        now.fallbacks += more.fallbacks;
        now.choices += more.choices;
    }
    s->statistics.evaluations += now.evaluations - s->told.evaluations;
    s->statistics.newton_iterations += now.iterations - s->told.iterations;
    s->statistics.jacobians += now.jacobians - s->told.jacobians;
    s->statistics.factorizations += now.jacobians - s->told.jacobians;
    s->statistics.selector_updates += now.choices - s->told.choices;
    if (now.fallbacks > 0 && !s->fallen) {
        s->fallen = true;
        crank_log_write(&s->log, CRANK_INFO,
                        "t = %.6g: a pivot of a torn block vanishes, or nearly; the block is "
                        "solved whole while it does",
                        s->t);
    }
    s->told = now;
}

/* ---- the code ---- */

/* What a point on the way does, nobody sees afterwards. */
static crank_status run(inlined *s, crank_inlined *code, const crank_inlined_step *step,
                        crank_error *err)
{
    const int n = s->base.n, last = step->count - 1;
    const size_t bytes = (size_t)n * sizeof(double);
    const crank_status status = code->solve(code, step, err);
    const bool step_end = step->full == s->full;
    if (step_end) {
        s->known = status == CRANK_OK;
    }
    if (s->known && step_end) {
        s->t = step->t[last];
        memcpy(s->x, step->x + (long)last * n, bytes);
        memcpy(s->xdot, step->xdot + (long)last * n, bytes);
        memcpy(s->rate, s->xdot, bytes);
    }
    count(s);
    return status;
}

/* what is a solution at (t, x) already; now: room for that of the last step. NULL: nothing is */
static const crank_inlined_end *find_known(const inlined *s, double t, const double *x,
                                           crank_inlined_end *now)
{
    *now = (crank_inlined_end){s->known, s->t, s->x, s->xdot, s->full};
    const crank_inlined_end *const known[] = {now, &s->last, &s->before_last};
    for (int i = 0; i < 3; i++) {
        if (known[i]->known && t == known[i]->t &&
            memcmp(x, known[i]->x, (size_t)s->base.n * sizeof *x) == 0) {
            return known[i];
        }
    }
    return NULL;
}

/* x' and all unknowns at (t, x): into s->other, s->other_rate and full. Rows and events ask for
 * them, too, and must not change the steps that follow: guesses and factors are as before,
 * unless it stays. */
static crank_status rest(inlined *s, double t, const double *x, bool stays, double *full,
                         crank_error *err)
{
    const double none = 0.0;
    const size_t bytes = (size_t)s->base.n * sizeof *x;
    const crank_inlined_step step = {.count = 1,
                                     .t = &t,
                                     .h = &none,
                                     .old = s->old,
                                     .x = s->other,
                                     .xdot = s->other_rate,
                                     .scale = s->scale,
                                     .absolute = s->absolute,
                                     .relative = s->relative,
                                     .tolerance = s->iteration,
                                     .careful = true,
                                     .passing = !stays,
                                     .full = full};
    crank_inlined_end now;
    const crank_inlined_end *known = stays ? NULL : find_known(s, t, x, &now);
    if (known != NULL) {
        memcpy(s->other, known->x, bytes);
        memcpy(s->other_rate, known->xdot, bytes);
        memcpy(full, known->full, (size_t)s->single->n * sizeof *full);
        return CRANK_OK;
    }
    memcpy(s->old, x, bytes);
    memcpy(s->other, x, bytes);
    memcpy(s->other_rate, s->rate, bytes);
    return run(s, s->single, &step, err);
}

/* ---- unknowns ---- */

static crank_status expand(crank_problem *base, double t, const double *x, double *out,
                           crank_error *err)
{
    inlined *s = (inlined *)base;
    crank_inlined_end now;
    const crank_inlined_end *known = find_known(s, t, x, &now);
    if (known != NULL) {
        memcpy(out, known->full, (size_t)s->single->n * sizeof *out);
        return CRANK_OK;
    }
    return rest(s, t, x, false, out, err);
}

/* Without a solution: for looks at what states alone give. */
static crank_status expand_states(crank_problem *base, double t, const double *x, double *out,
                                  crank_error *err)
{
    const inlined *s = (const inlined *)base;
    (void)t, (void)err;
    memcpy(out, s->full, (size_t)s->single->n * sizeof *out);
    for (int j = 0; j < base->n; j++) {
        out[s->single->column[j]] = x[j];
    }
    return CRANK_OK;
}

/* Unknowns of the eom that hold: where the code begins. */
static crank_status reduce(crank_problem *base, double t, const double *x, double *out,
                           crank_error *err)
{
    inlined *s = (inlined *)base;
    bool changed = false;
    s->last.known = s->before_last.known = false;
    s->single->place(s->single, t, x);
    crank_status status = s->single->choose(s->single, &changed, err);
    if (s->stages != NULL) {
        s->stages->place(s->stages, t, x);
        CRANK_THEN(status, s->stages->choose(s->stages, &changed, err));
    }
    count(s);
    for (int j = 0; j < base->n; j++) {
        out[j] = x[s->single->column[j]];
        s->rate[j] = x[s->single->rate[j]];
    }
    return status == CRANK_OK ? rest(s, t, out, true, s->full, err) : status;
}

/* ---- the problem ---- */

static crank_status evaluate(crank_problem *base, int points, const double *t, const double *x,
                             double *k, crank_error *err)
{
    inlined *s = (inlined *)base;
    const int n = base->n;
    crank_status status = CRANK_OK;
    for (int i = 0; i < points && status == CRANK_OK; i++) {
        status = rest(s, t[i], x + (long)i * n, false, s->aside, err);
        if (status == CRANK_OK) {
            memcpy(k + (long)i * n, s->other_rate, (size_t)n * sizeof *k);
        }
    }
    return status;
}

static crank_status lead(crank_problem *base, double t, const double *x, const double *y,
                         double *out, crank_error *err)
{
    (void)t, (void)x, (void)err;
    memcpy(out, y, (size_t)base->n * sizeof *out);
    return CRANK_OK;
}

static crank_status prepare(crank_problem *base, double t, const double *x, const double *xdot,
                            crank_error *err)
{
    (void)base, (void)t, (void)x, (void)xdot, (void)err;
    return CRANK_OK; /* the code has its own matrices */
}

static crank_status factor(crank_problem *base, int shifts, const double *real,
                           const double *imag, crank_error *err)
{
    inlined *s = (inlined *)base;
    (void)imag, (void)err;
    s->sigma = shifts > 0 ? real[0] : 0.0;
    return CRANK_OK;
}

static crank_status solve(crank_problem *base, int i, const double *r, const double *r_imag,
                          double *delta, double *delta_imag, crank_error *err)
{
    inlined *s = (inlined *)base;
    const double t = s->t, h = 1.0 / s->sigma;
    const int n = base->n;
    if (i != 0 || r_imag != NULL || delta_imag != NULL || !(s->sigma > 0.0)) {
        return crank_fail(err, CRANK_EINTERNAL, "a system that translated code does not have");
    }
    const crank_inlined_step step = {.count = 1,
                                     .t = &t,
                                     .h = &h,
                                     .old = s->old,
                                     .x = s->other,
                                     .xdot = s->other_rate,
                                     .scale = s->scale,
                                     .absolute = s->absolute,
                                     .relative = s->relative,
                                     .tolerance = s->iteration,
                                     .passing = s->apart};
    for (int j = 0; j < n; j++) {
        s->old[j] = s->x[j] - h * s->xdot[j] + h * r[j];
        s->other[j] = s->x[j];
        s->other_rate[j] = s->xdot[j];
    }
    const crank_status status = s->single->solve(s->single, &step, err);
    for (int j = 0; j < n && status == CRANK_OK; j++) {
        delta[j] = s->other[j] - s->x[j];
    }
    count(s);
    return status;
}

/* A method that begins has no guess of x' but zero: that of the last point is better. */
static void guess_rates(const inlined *s, const crank_stages *stages)
{
    const int n = s->base.n;
    for (int i = 0; i < stages->count; i++) {
        double *xdot = stages->xdot + (long)i * n;
        bool none = true;
        for (int j = 0; j < n; j++) {
            none = none && !(fabs(xdot[j]) > 0.0);
        }
        if (none) {
            memcpy(xdot, s->rate, (size_t)n * sizeof *xdot);
        }
    }
}

static crank_status advance(crank_problem *base, const crank_stages *stages, crank_error *err)
{
    inlined *s = (inlined *)base;
    guess_rates(s, stages);
    const bool own = !s->asked && !s->single->has_events;
    const crank_inlined_step step = {.count = stages->count,
                                     .t = stages->t,
                                     .h = stages->h,
                                     .old = stages->old,
                                     .x = stages->x,
                                     .xdot = stages->xdot,
                                     .scale = stages->scale,
                                     .absolute = stages->absolute,
                                     .relative = stages->relative,
                                     .tolerance = own ? stages->tolerance : s->iteration,
                                     .passing = s->apart,
                                     .precise = stages->precise,
                                     .full = s->full};
    memcpy(s->scale, stages->scale, (size_t)base->n * sizeof *s->scale);
    s->absolute = stages->absolute;
    s->relative = stages->relative;
    if (stages->count > 1 && s->stages == NULL) {
        return crank_fail(err, CRANK_EREFUSED,
                          "formulation %s has one stage at a time; use inline-radau",
                          base->name);
    }
    return run(s, stages->count > 1 ? s->stages : s->single, &step, err);
}

static crank_status rates(crank_problem *base, double t, const double *x, const double *k,
                          double *xdot, crank_error *err)
{
    (void)t, (void)x, (void)err;
    memcpy(xdot, k, (size_t)base->n * sizeof *xdot);
    return CRANK_OK;
}

/* Where states are chosen in the run, those that are none now follow. */
static crank_status complete(crank_problem *base, double t, double *x, crank_error *err)
{
    inlined *s = (inlined *)base;
    const crank_status status = rest(s, t, x, false, s->aside, err);
    if (status == CRANK_OK) {
        memcpy(x, s->other, (size_t)base->n * sizeof *x);
    }
    return status;
}

/* ---- the course ---- */

static void aside(crank_problem *base, bool begin)
{
    inlined *s = (inlined *)base;
    const size_t n = (size_t)base->n, full = (size_t)s->single->n;
    double *const vectors[] = {&s->t, s->x, s->xdot, s->rate, s->scale, s->full};
    const size_t sizes[] = {1, n, n, n, n, full};
    double *kept = s->before;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        memcpy(begin ? kept : vectors[i], begin ? vectors[i] : kept, sizes[i] * sizeof *kept);
        kept += sizes[i];
    }
    if (begin) {
        s->known_before = s->known;
    } else {
        s->known = s->known_before;
    }
    s->apart = begin;
}

static void restart(crank_problem *base)
{
    (void)base; /* reduce has placed it */
}

/* What s->aside has at (t, x): the end of a step, or its beginning again if it is taken back,
 * which is the last but one then. */
static void keep_end(inlined *s, double t, const double *x)
{
    const size_t bytes = (size_t)s->base.n * sizeof *x;
    const crank_inlined_end last = s->last;
    if (!last.known || last.t < t) {
        s->last = s->before_last;
        s->before_last = last;
    }
    s->last.known = true;
    s->last.t = t;
    memcpy(s->last.x, x, bytes);
    memcpy(s->last.xdot, s->other_rate, bytes);
    memcpy(s->last.full, s->aside, (size_t)s->single->n * sizeof *x);
    s->before_last.known = s->before_last.known && s->before_last.t < t;
    s->single->keep(s->single, t, s->aside);
    if (s->stages != NULL) {
        s->stages->keep(s->stages, t, s->aside);
    }
}

static crank_status accepted(crank_problem *base, double t, const double *x, bool *changed,
                             crank_error *err)
{
    inlined *s = (inlined *)base;
    bool chosen = false;
    crank_status status = rest(s, t, x, false, s->aside, err);
    if (status == CRANK_OK) {
        keep_end(s, t, x);
    }
    CRANK_THEN(status, crank_eom_accepted(base->eom, t, s->aside, err));
    if (status == CRANK_OK && s->stages == NULL) {
        status = s->single->choose(s->single, &chosen, err);
    } else if (status == CRANK_OK) { /* steps are those of the stages: the other code follows */
        status = rest(s, t, x, true, s->full, err);
        CRANK_THEN(status, s->single->choose(s->single, &chosen, err));
        CRANK_THEN(status, s->stages->choose(s->stages, &chosen, err));
    }
    count(s);
    if (changed != NULL) {
        *changed = chosen;
    }
    return status;
}

static void archive(crank_problem *base, crank_archive *a)
{
    inlined *s = (inlined *)base;
    const size_t n = (size_t)base->n;
    double *const vectors[] = {s->x, s->xdot, s->scale, s->rate};
    crank_eom_archive(base->eom, a);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        crank_archive_doubles(a, vectors[i], n);
    }
    crank_archive_doubles(a, s->full, (size_t)s->single->n);
    crank_inlined_end *const ends[] = {&s->last, &s->before_last};
    for (int i = 0; i < 2; i++) {
        crank_archive_flag(a, &ends[i]->known);
        crank_archive_double(a, &ends[i]->t);
        crank_archive_doubles(a, ends[i]->x, n);
        crank_archive_doubles(a, ends[i]->xdot, n);
        crank_archive_doubles(a, ends[i]->full, (size_t)s->single->n);
    }
    crank_archive_double(a, &s->t);
    crank_archive_double(a, &s->sigma);
    crank_archive_double(a, &s->absolute);
    crank_archive_double(a, &s->relative);
    crank_archive_flag(a, &s->known);
    crank_archive_flag(a, &s->fallen);
    crank_archive_statistics(a, &s->statistics);
    s->single->archive(s->single, a);
    if (s->solver != NULL) {
        crank_archive_doubles(a, s->jacobian, n * n);
        crank_solver_archive(s->solver, a);
    }
    if (s->stages != NULL) {
        s->stages->archive(s->stages, a);
    }
    s->told = (crank_inlined_counts){0};
    const crank_statistics kept = s->statistics;
    count(s);
    s->statistics = kept;
}

static void destroy(crank_problem *base)
{
    inlined *s = (inlined *)base;
    if (s->single != NULL) {
        s->single->close(s->single);
    }
    if (s->stages != NULL) {
        s->stages->close(s->stages);
    }
    crank_solver_destroy(s->solver);
    crank_arena_free(&s->arena);
    free(s);
}

static const char *unknown_name(const crank_problem *base, int j)
{
    return crank_eom_column_name(base->eom, base->unknowns->column[j]);
}

static crank_status residuals(crank_problem *base, double t, const double *x,
                              double residual[3], crank_error *err)
{
    inlined *s = (inlined *)base;
    const crank_status status = rest(s, t, x, false, s->aside, err);
    return status == CRANK_OK ? crank_eom_residuals(base->eom, t, s->aside, residual, err)
                              : status;
}

static const crank_problem_course course = {.restart = restart, .accepted = accepted};
static const crank_problem_report report = {.unknown_name = unknown_name,
                                            .residuals = residuals};

/* ---- creation ---- */

static void layout(inlined *s, crank_arena *arena, size_t n, size_t full, bool standard)
{
    double **const vectors[] = {&s->x,          &s->xdot,  &s->old, &s->other,
                                &s->other_rate, &s->scale, &s->rate};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = crank_arena_take(arena, n, sizeof(double));
    }
    s->full = crank_arena_take(arena, full, sizeof *s->full);
    s->before = crank_arena_take(arena, 1 + 4 * n + full, sizeof *s->before);
    s->aside = crank_arena_take(arena, full, sizeof *s->aside);
    crank_inlined_end *const ends[] = {&s->last, &s->before_last};
    for (int i = 0; i < 2; i++) {
        ends[i]->x = crank_arena_take(arena, n, sizeof(double));
        ends[i]->xdot = crank_arena_take(arena, n, sizeof(double));
        ends[i]->full = crank_arena_take(arena, full, sizeof(double));
    }
    s->flags = crank_arena_take(arena, n, sizeof(bool));
    s->group = crank_arena_take(arena, n, 1);
    s->scaling = crank_arena_take(arena, n, 1);
    s->jacobian = crank_arena_take(arena, standard ? n * n : 0, sizeof(double));
    s->point = crank_arena_take(arena, standard ? n : 0, sizeof(double));
    s->slope = crank_arena_take(arena, standard ? n : 0, sizeof(double));
}

static crank_status open_code(inlined *s, crank_eom *eom, int copies, crank_error *err)
{
    const crank_inlined_source *source = eom->inlined;
    if (source == NULL) {
        return crank_fail(
            err, CRANK_EREFUSED,
            "inline-* methods translate equations that are expressions, as Modelica, equations "
            "and dae files have them; these are calculated by the program, body by body, or by "
            "a caller's functions");
    }
    crank_status status = source->open(source, eom, 1, s->log, &s->single, err);
    if (status == CRANK_OK && s->single->kept == 0) {
        return crank_fail(err, CRANK_EREFUSED, "there are no states to integrate");
    }
    if (status == CRANK_OK && copies > 1) {
        status = source->open(source, eom, copies, s->log, &s->stages, err);
    }
    return status;
}

/* tolerances for starts, until an integrator tells */
static crank_status begin(inlined *s, const crank_options *options, double t0, const double *x0,
                          crank_error *err)
{
    crank_problem *p = &s->base;
    const int n = s->single->kept;
    const size_t full = (size_t)s->single->n;
    const bool standard = strcmp(p->name, "inline-ode") == 0;
    layout(s, &s->arena, (size_t)n, full, standard);
    if (!crank_arena_allocate(&s->arena)) {
        return crank_fail(err, CRANK_EMEM, "the problem");
    }
    layout(s, &s->arena, (size_t)n, full, standard);
    p->n = p->m = n;
    p->differential = p->tested = s->flags;
    p->group = s->group;
    p->scaling = s->scaling;
    s->unknowns = (crank_problem_unknowns){.count = s->single->n,
                                           .column = s->single->column,
                                           .costly = true,
                                           .expand = expand,
                                           .expand_states = expand_states,
                                           .reduce = reduce};
    p->unknowns = &s->unknowns;
    s->absolute = s->relative = options->rtol;
    s->asked = options->newton_tolerance > 0.0;
    s->iteration =
        options->newton_tolerance > 0.0 ? options->newton_tolerance : usual_iteration;
    for (int j = 0; j < n; j++) {
        s->scale[j] = options->rtol * (1e-3 + fabs(x0[s->single->column[j]]));
        s->flags[j] = true;
        s->group[j] = CRANK_P;
    }
    crank_status status = reduce(p, t0, x0, s->x, err);
    s->known = false;
    CRANK_THEN(status, standard ? crank_inlined_use_standard(s, err) : CRANK_OK);
    return status;
}

crank_status crank_inlined_create(const char *name, crank_eom *eom,
                                  const crank_options *options, double t0, const double *x0,
                                  crank_log log, crank_problem **out, crank_error *err)
{
    inlined *s = calloc(1, sizeof *s);
    crank_error reason = {0};
    *out = NULL;
    if (s == NULL) {
        return crank_fail(err, CRANK_EMEM, "the problem");
    }
    s->base = (crank_problem){.name = name,
                              .eom = eom,
                              .statistics = &s->statistics,
                              .evaluate = evaluate,
                              .lead = lead,
                              .prepare = prepare,
                              .factor = factor,
                              .solve = solve,
                              .destroy = destroy,
                              .course = &course,
                              .report = &report,
                              .advance = advance,
                              .aside = aside,
                              .rates = rates,
                              .complete = complete,
                              .archive = archive};
    s->log = log;
    crank_status status =
        open_code(s, eom, strcmp(name, "inline-stages") == 0 ? 3 : 1, &reason);
    CRANK_THEN(status, begin(s, options, t0, x0, &reason));
    if (status == CRANK_OK) {
        *out = &s->base;
        return CRANK_OK;
    }
    destroy(&s->base);
    const bool refused = status == CRANK_EREFUSED || status > CRANK_OK;
    if (eom->inlined != NULL && !eom->inlined->alone && refused) {
        crank_log_write(&log, CRANK_WARNING,
                        "the equations are not inlined: %s; psf takes the place of %s",
                        reason.text, name);
        return crank_psf_create("psf", eom, options, t0, x0, log, out, err);
    }
    if (err != NULL) {
        *err = reason;
    }
    return refused ? CRANK_EREFUSED : status;
}
