/* summary.c - see summary.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "summary.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_WIDTH = 60 }; /* of a line of files, without labels and punctuation */

int summary_write_statistics(simulation *r, crank_status status, int64_t row_count,
                             const char *message)
{
    const session *s = &r->session;
    const crank_statistics statistics = simulation_statistics(r);
    crank_run_record record = crank_run_record_default();
    crank_error err = {0};

    if (r->arguments->stats == NULL) {
        return -1;
    }
    record.model = s->path;
    record.method = s->method.name;
    record.formulation = s->method.formulation;
    record.integrator = s->method.integrator;
    record.t_start = s->t_start;
    record.t_end = s->run != NULL ? crank_run_end(s->run) : 0.0;
    record.t_reached = s->run != NULL ? crank_run_reached(s->run) : 0.0;
    record.rows = row_count;
    record.status = status;
    record.message = message;
    if (crank_statistics_write(r->arguments->stats, &record, &statistics, &err) != CRANK_OK) {
        tell_error(&r->session.messages, "%s", err.text);
        return CODE_FAILED;
    }
    return -1;
}

/* ---- text ---- */

typedef struct line {
    char text[400];
    size_t used;
} line;

static void add(line *l, const char *format, ...) CRANK_PRINTF(2, 3);

static void add(line *l, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    const int length =
        vsnprintf(l->text + l->used, sizeof l->text - l->used, format, arguments);
    va_end(arguments);
    if (length > 0) {
        l->used += (size_t)length;
        l->used = l->used < sizeof l->text ? l->used : sizeof l->text - 1;
    }
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* The name of the joint of a constraint; NULL: of none. *expression: it is written as one. */
static const char *joint_of(const crank_eom *eom, int constraint, bool *expression)
{
    const char *direction = NULL;
    const char *joint = crank_eom_constraint_joint(eom, constraint, &direction);
    *expression = joint != NULL && strncmp(joint, "joint ", strlen("joint ")) != 0;
    return *expression ? NULL : joint;
}

/* Has an earlier holonomic constraint of this joint, which has one of velocities, been counted?
 * Those of a joint follow each other, holonomic ones and then those of velocities. */
static bool is_counted(const crank_eom *eom, int holonomic, const char *joint)
{
    bool counted = false, expression;
    for (int i = 0; i < holonomic && !counted; i++) {
        const char *other = joint_of(eom, i, &expression);
        counted = other != NULL && strcmp(other, joint) == 0;
    }
    return counted;
}

/* Joints that restrict something, and constraints that are written as expressions. */
static int count_joints(const crank_eom *eom, int *expressions)
{
    const crank_eom_sizes sizes = crank_eom_get_sizes(eom);
    const char *previous = NULL;
    int count = 0;
    *expressions = 0;

    for (int i = 0; i < sizes.lambda + sizes.mu; i++) {
        bool expression;
        const char *joint = joint_of(eom, i, &expression);
        const bool same = joint != NULL && previous != NULL && strcmp(joint, previous) == 0;
        *expressions += expression ? 1 : 0;
        if (joint != NULL && !same &&
            !(i >= sizes.lambda && is_counted(eom, sizes.lambda, joint))) {
            count++;
        }
        previous = joint != NULL ? joint : previous;
    }
    return count;
}

static void tell_model(simulation *r)
{
    session *s = &r->session;
    const char *title = crank_model_title(s->model);
    const crank_eom_sizes sizes = crank_eom_get_sizes(s->eom);
    const int bodies = crank_eom_bodies(s->eom), freedom = r->freedom;
    line l = {0};

    tell_note(&s->messages, "%s (%s)", title[0] != '\0' ? title : s->path, s->method.name);
    add(&l, "%s of ", crank_model_kind(s->model));
    if (bodies > 0) {
        int expressions;
        const int joints = count_joints(s->start.eom, &expressions);
        add(&l, "%d bod%s, %d joint%s", bodies, bodies == 1 ? "y" : "ies", joints,
            plural(joints));
        if (expressions > 0) {
            add(&l, ", %d constraint%s by expressions", expressions, plural(expressions));
        }
    } else {
        const int constraints =
            session_is_dae(s) ? sizes.n : sizes.lambda + sizes.mu; /* hidden ones, too */
        add(&l, "%d unknown%s, %d constraint%s", s->n, plural(s->n), constraints,
            plural(constraints));
    }
    if (freedom >= 0) {
        add(&l, ", %d degree%s of freedom", freedom, plural(freedom));
    } else {
        add(&l, "; degrees of freedom: see crank check");
    }
    tell_entry(&s->messages, "model", "%s", l.text);
}

static void tell_time(simulation *r, int64_t row_count)
{
    const session *s = &r->session;
    const double t = crank_run_reached(s->run), span = t - s->t_start;
    line l = {0};

    add(&l, "%.6g to %.6g s", s->t_start, t);
    if (t < crank_run_end(s->run)) {
        add(&l, " of %.6g s", crank_run_end(s->run));
    }
    add(&l, ", %lld row%s; took %.2g s", (long long)row_count, plural(row_count), r->seconds);
    if (r->seconds > 0.0 && span > 0.0) {
        const double ratio = span / r->seconds;
        add(&l, ratio >= 9.95 ? " (%.0f x real time)" : " (%.2g x real time)", ratio);
    }
    tell_entry(&r->session.messages, "time", "%s", l.text);
}

static void tell_steps(simulation *r, const crank_statistics *c)
{
    line l = {0};

    add(&l, "%lld, %lld rejected; %lld Newton iterations, %lld Jacobians", (long long)c->steps,
        (long long)c->rejected_error + (long long)c->rejected_convergence,
        (long long)c->newton_iterations, (long long)c->jacobians);
    if (c->method_changes > 0) {
        add(&l, "; method changed %lld time%s", (long long)c->method_changes,
            plural(c->method_changes));
    }
    if (c->singular_passages > 0) {
        add(&l, "; %lld singular positions passed", (long long)c->singular_passages);
    }
    tell_entry(&r->session.messages, "steps", "%s", l.text);
}

/* The most that errors of steps let the balance drift: theory (8.15). */
static double explained_drift(const simulation *r)
{
    const crank_options *o = crank_run_settled(r->session.run);
    const double steps = (double)simulation_statistics(r).steps;
    const double n = (double)crank_eom_unknowns(r->session.eom);
    return 6.0 * steps * sqrt(n) * fmax(o->rtol, o->atol) * r->rows.state.energy.size;
}

static void tell_energy(simulation *r)
{
    const rows_energy *energy = &r->rows.state.energy;
    messages *m = &r->session.messages;
    const bool balance = energy->dissipated >= 0 && energy->supplied >= 0;

    if (energy->kinetic < 0 || isnan(energy->first)) {
        return;
    }
    const char *unit = crank_model_column_unit(r->session.model, energy->kinetic);
    const char *space = unit[0] != '\0' ? " " : "";
    if (balance) {
        char jumped[64] = "";
        if (energy->jumped != 0.0) {
            (void)snprintf(jumped, sizeof jumped, ", changed by events by %.6g",
                           energy->jumped);
        }
        tell_entry(m, "energy", "balance %.6g%s%s at the start%s, drift %.2g", energy->first,
                   space, unit, jumped, energy->change);
        if (energy->change > explained_drift(r)) {
            tell_entry(m, "",
                       "which rtol %.2g does not explain: steps may have passed something "
                       "unseen (try h_max), or forces jump between rows",
                       crank_run_settled(r->session.run)->rtol);
        }
    } else {
        tell_entry(m, "energy", "%.6g%s%s at the start, %.6g at the end, varied by %.2g",
                   energy->first, space, unit, energy->last, energy->change);
    }
}

/* Invariants of the model are e(x,t) - e(x0,t0): their rows are the drift. */
static void tell_invariants(simulation *r)
{
    session *s = &r->session;
    const crank_eom_sizes sizes = crank_eom_get_sizes(s->eom);
    const int first = crank_eom_row(s->eom, CRANK_ROW_E);
    const crank_statistics c = simulation_statistics(r);
    double *k = sizes.e > 0 ? calloc((size_t)crank_eom_rows(s->eom) + 1, sizeof *k) : NULL;
    double drift = 0.0;
    line l = {0};

    const double t = crank_run_reached(s->run);
    const double *x =
        t > s->t_start ? crank_integrator_state(crank_run_integrator(s->run)) : s->x;
    if (k == NULL || crank_eom_evaluate(s->eom, t, x, k, NULL) != CRANK_OK) {
        free(k);
        return;
    }
    for (int i = first; i < first + sizes.e; i++) {
        drift = fabs(k[i]) > drift || isnan(k[i]) ? fabs(k[i]) : drift;
    }
    free(k);
    add(&l, "%d, drift at the end %.2g", sizes.e, drift);
    if (c.invariants_dropped > 0) {
        add(&l, "; not enforced in %lld steps", (long long)c.invariants_dropped);
    }
    tell_entry(&s->messages, "invariants", "%s", l.text);
}

static void tell_events(simulation *r)
{
    line l = {0};
    char text[360];

    if (r->events.count == 0) {
        return;
    }
    add(&l, "%s", run_events_text(&r->events, &r->session, text, sizeof text));
    if (crank_run_stopped(r->session.run)) {
        add(&l, "; stopped at t = %.10g", crank_run_reached(r->session.run));
    }
    tell_entry(&r->session.messages, "events", "%s", l.text);
}

/* Adds a file to the line, or tells the line and begins another one if it gets too long. */
static void add_file(messages *m, line *l, const char *path, const char **label)
{
    const int64_t size = path != NULL ? file_size(path) : -1;
    char text[32];

    if (size < 0) {
        return;
    }
    (void)size_text(size, text, sizeof text);
    if (l->used > 0 && l->used + strlen(path) + strlen(text) > FILES_WIDTH) {
        tell_entry(m, *label, "%s,", l->text);
        *l = (line){0};
        *label = "";
    }
    add(l, "%s%s (%s)", l->used > 0 ? ", " : "", path, text);
}

static void tell_files(simulation *r, bool page)
{
    const run_arguments *a = r->arguments;
    messages *m = &r->session.messages;
    const char *label = "written";
    line l = {0};

    add_file(m, &l, is_standard_output(a->out) ? NULL : a->out, &label);
    add_file(m, &l, is_standard_output(a->stats) ? NULL : a->stats, &label);
    add_file(m, &l, page ? a->html : NULL, &label);
    if (l.used > 0) {
        tell_entry(m, label, "%s", l.text);
    }
}

void summary_tell(simulation *r, crank_status status, int64_t row_count, bool page)
{
    messages *m = &r->session.messages;
    const crank_statistics c = simulation_statistics(r);

    if (m->quiet) {
        return;
    }
    tell_model(r);
    tell_time(r, row_count);
    tell_steps(r, &c);
    tell_events(r);
    tell_energy(r);
    tell_invariants(r);
    tell_entry(m, "residuals",
               session_is_dae(&r->session) ? "level 0 %.2g, level 1 %.2g, level 2 %.2g"
                                           : "position %.2g, velocity %.2g, acceleration %.2g",
               c.max_residual_position, c.max_residual_velocity, c.max_residual_acceleration);
    if (warnings_hidden(m) > 0) {
        tell_entry(m, "warnings", "%d, %d of them not shown", m->warnings, warnings_hidden(m));
    } else if (m->warnings > 0) {
        tell_entry(m, "warnings", "%d", m->warnings);
    }
    tell_files(r, page);
    if (r->resumable) {
        tell_note(m, "to continue: crank resume %s", r->arguments->checkpoint);
    } else if (status == CRANK_EFILE && r->arguments->checkpoint != NULL &&
               file_size(r->arguments->checkpoint) >= 0) {
        tell_note(m, "to continue once it can be written: crank resume %s",
                  r->arguments->checkpoint);
    }
}
