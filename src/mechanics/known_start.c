/* known_start.c - consistent start values of a mechanism, searched once.
 *
 * Which reactions are unique is a matter of closed positions, so a model looks for its start
 * when it is made, and every run of it begins there again. What was found first, or why
 * nothing was, is kept with the model's own system, with the messages on the way, and holds for
 * the systems that share it as long as they ask for the same: time, values, what may move, and
 * parameters. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/known_start.h"

#include "linalg/rotation.h"
#include "mechanics/coupled_start.h"
#include "mechanics/rolling_start.h"
#include "mechanics/start_values.h"
#include "mechanics/turned_axes.h"

#include <stdlib.h>
#include <string.h>

enum { MESSAGES = 16 };

static const double rounding = 1e-9; /* of the places of its points: a length that is zero */

struct crank_known_start {
    double t;
    double *given, *found, *memory; /* n, n, memory_count */
    crank_fixing *fixing;           /* n */
    crank_status status;
    crank_error err;
    crank_initial_report report;
    crank_store *store;
    int messages;
    crank_level level[MESSAGES];
    const char *text[MESSAGES]; /* the last ones of more are lost */
};

static void note(crank_level level, const char *text, void *user)
{
    crank_known_start *k = user;
    if (k->messages < MESSAGES) {
        k->level[k->messages] = level;
        k->text[k->messages++] = crank_store_copy(k->store, text, strlen(text));
    }
}

static bool is_known(const crank_system *s, double t, const double *x,
                     const crank_fixing *fixing)
{
    const crank_known_start *k = s->known_start;
    const size_t n = (size_t)s->eom->n, memory = (size_t)s->memory_count;
    return k != NULL && k->t == t && memcmp(k->given, x, n * sizeof *x) == 0 &&
           memcmp(k->fixing, fixing, n * sizeof *fixing) == 0 &&
           (memory == 0 || memcmp(k->memory, s->memory_start, memory * sizeof(double)) == 0);
}

static crank_known_start *take(crank_system *s, double t, const double *x,
                               const crank_fixing *fixing)
{
    const size_t n = (size_t)s->eom->n, memory = (size_t)s->memory_count;
    crank_known_start *k = crank_store_take(&s->store, 1, sizeof *k);
    double *values = crank_store_take(&s->store, 2 * n + memory, sizeof *values);
    crank_fixing *own = crank_store_take(&s->store, n, sizeof *own);
    if (s->store.failed) {
        return NULL;
    }
    *k = (crank_known_start){.t = t,
                             .given = values,
                             .found = values + n,
                             .memory = values + 2 * n,
                             .fixing = own,
                             .store = &s->store};
    memcpy(k->given, x, n * sizeof *x);
    memcpy(k->found, x, n * sizeof *x);
    memcpy(k->fixing, fixing, n * sizeof *fixing);
    if (memory > 0) {
        memcpy(k->memory, s->memory_start, memory * sizeof *k->memory);
    }
    return k;
}

/* ---- cylinders ---- */

bool crank_system_take_struts(crank_system *s, const crank_builder *b)
{
    s->strut = crank_store_take(&s->store, (size_t)b->mechanism->joint_count, sizeof *s->strut);
    for (int j = 0; j < b->mechanism->joint_count && s->strut != NULL; j++) {
        const crank_joint_place *p = &b->place[j];
        if (p->strut) {
            s->strut[s->strut_count++] =
                (crank_strut){crank_store_print(&s->store, "%s", b->mechanism->joint[j].name),
                              {p->at[0], p->at[1]},
                              p->a[0]};
        }
    }
    return !s->store.failed;
}

void crank_system_start_point(const crank_system *s, double t, const double *x,
                              const crank_marker *m, bool direction, double out[3])
{
    crank_body_state state;
    memcpy(out, m->u, 3 * sizeof *out);
    if (m->body < 0) {
        return;
    }
    s->coordinates.kind->state(s, m->body, t, x, &state);
    crank_mat3_times(out, state.R, m->u);
    if (!direction) {
        crank_add3(out, 1.0, state.x);
    }
}

static void warn_inside_out(const crank_system *s, double t, const double *x, crank_log log)
{
    for (int i = 0; i < s->strut_count; i++) {
        const crank_strut *strut = &s->strut[i];
        double P[3], Q[3], a[3];
        crank_system_start_point(s, t, x, &strut->at[0], false, P);
        crank_system_start_point(s, t, x, &strut->at[1], false, Q);
        crank_system_start_point(s, t, x, &strut->axis, true, a);
        const double size = crank_norm3(P) + crank_norm3(Q); /* of what rounds */
        crank_add3(Q, -1.0, P);
        const double length = crank_dot3(a, Q);
        if (length < -rounding * size) {
            crank_log_write(
                &log, CRANK_WARNING,
                "joint \"%.80s\" starts inside out, its length is %.4g: give a guess "
                "(`free: true`) of how the bodies stand that it holds, or turn its "
                "axis round",
                strut->name, length);
        }
    }
}

/* ---- the search ---- */

/* Messages of a search that is not taken are not told. */
typedef struct message_list {
    crank_store store;
    int count;
    crank_level level[MESSAGES];
    const char *text[MESSAGES]; /* the last ones of more are lost */
} message_list;

static void keep_message(crank_level level, const char *text, void *user)
{
    message_list *l = user;
    const char *copy =
        l->count < MESSAGES ? crank_store_copy(&l->store, text, strlen(text)) : NULL;
    if (copy != NULL) {
        l->level[l->count] = level;
        l->text[l->count++] = copy;
    }
}

static void tell_messages(message_list *l, crank_log log)
{
    for (int i = 0; i < l->count; i++) {
        crank_log_write(&log, l->level[i], "%s", l->text[i]);
    }
    crank_store_free(&l->store);
    l->count = 0;
}

/* Axes that the search has turned round are turned back, and it goes on from there, with its own
 * messages; where that leads to nothing better the joint is named. given: n, then work. */
static void search_again(crank_system *s, double t, double *given, double *x,
                         const crank_initial_options *options, crank_initial_report *report,
                         message_list *messages, crank_log log)
{
    double *found = given + s->eom->n;
    message_list second = {0};
    bool *work = (bool *)(found + s->eom->n);
    const char *joint = crank_system_turned_axes(s, t, x);
    if (joint == NULL) {
        return;
    }
    const crank_initial_report first =
        report != NULL ? *report : (crank_initial_report){.largest_column = -1};
    memcpy(found, x, (size_t)s->eom->n * sizeof *x);
    if (crank_system_turn_back(s, t, given, options->fixing, x, work) &&
        crank_eom_initialize(s->eom, t, x, options, report, (crank_log){keep_message, &second},
                             NULL) == CRANK_OK &&
        crank_system_turned_axes(s, t, x) == NULL) {
        crank_store_free(&messages->store);
        *messages = second;
        if (report != NULL) { /* of what is given, not of what was turned back */
            memcpy(report->residual, first.residual, sizeof report->residual);
            report->consistent = first.consistent;
        }
        return;
    }
    crank_store_free(&second.store);
    memcpy(x, found, (size_t)s->eom->n * sizeof *x);
    if (report != NULL) {
        *report = first;
    }
    crank_log_write(
        &log, CRANK_WARNING,
        "joint \"%.80s\" starts the wrong way round, with its axes antiparallel: "
        "give a guess (`free: true`) of how its bodies stand, or reverse one of the "
        "axes",
        joint);
}

static crank_status search(crank_system *s, double t, double *x, crank_initial_options options,
                           crank_initial_report *report, crank_log log, crank_error *err)
{
    const size_t size = (size_t)s->eom->n * sizeof *x;
    double *given = malloc(2 * size + (size_t)s->body_count * sizeof(bool) + 1);
    if (given == NULL) {
        return crank_fail(err, CRANK_EMEM, "start values of %d unknowns", s->eom->n);
    }
    memcpy(given, x, size);
    message_list messages = {0};
    crank_status status = crank_eom_initialize(s->eom, t, x, &options, report,
                                               (crank_log){keep_message, &messages}, err);
    if (status == CRANK_OK) {
        search_again(s, t, given, x, &options, report, &messages, log);
        status = crank_system_untwist(s, t, given, x, &options, log, err);
        status = status != CRANK_OK ? status : crank_system_roll(s, t, x, &options, err);
    }
    tell_messages(&messages, log);
    if (status == CRANK_OK) {
        warn_inside_out(s, t, x, log);
        crank_system_warn_mounts(s, t, x, log);
    }
    free(given);
    return status;
}

static crank_status search_at_rest(crank_system *s, double t, double *x,
                                   crank_initial_options options, crank_initial_report *report,
                                   crank_log log, crank_error *err)
{
    const crank_first_start *first = crank_system_begin_first(s, t, x, log);
    crank_system_hold_filters(s, true);
    const crank_status status = search(s, t, x, options, report, log, err);
    if (first != NULL && report != NULL) { /* of what is given */
        memcpy(report->residual, first->report.residual, sizeof report->residual);
        report->consistent = report->consistent && first->report.consistent;
    }
    crank_system_hold_filters(s, false);
    s->stays = false;
    if (status == CRANK_OK) {
        crank_system_begin_filters(s, t, x);
    }
    return status;
}

crank_status crank_system_know_start(crank_system *s, double t, const double *x,
                                     const crank_fixing *fixing, crank_error *err)
{
    crank_initial_options options = crank_initial_options_default();
    crank_known_start *k = take(s, t, x, fixing);
    if (k == NULL) {
        return crank_fail(err, CRANK_EMEM, "start values of %d unknowns", s->eom->n);
    }
    options.fixing = fixing;
    options.reached = k->found;
    k->status =
        search_at_rest(s, t, k->found, options, &k->report, (crank_log){note, k}, &k->err);
    s->known_start = s->store.failed || k->status == CRANK_EMEM ? NULL : k;
    return s->known_start != NULL
               ? CRANK_OK
               : crank_fail(err, CRANK_EMEM, "start values of %d unknowns", s->eom->n);
}

crank_status crank_system_find_start(crank_system *s, double t, double *x,
                                     const crank_fixing *fixing, double *reached,
                                     crank_initial_report *report, crank_log log,
                                     crank_error *err)
{
    const crank_known_start *k = s->known_start;
    const size_t size = (size_t)s->eom->n * sizeof *x;
    if (!is_known(s, t, x, fixing)) {
        crank_initial_options options = crank_initial_options_default();
        options.fixing = fixing;
        options.reached = reached;
        return search_at_rest(s, t, x, options, report, log, err);
    }
    for (int i = 0; i < k->messages; i++) {
        crank_log_write(&log, k->level[i], "%s", k->text[i]);
    }
    if (report != NULL) {
        *report = k->report;
    }
    if (k->status != CRANK_OK && reached != NULL) {
        memcpy(reached, k->found, size);
    }
    if (k->status != CRANK_OK && err != NULL) {
        *err = k->err;
    } else if (k->status == CRANK_OK) {
        memcpy(x, k->found, size);
    }
    return k->status;
}
