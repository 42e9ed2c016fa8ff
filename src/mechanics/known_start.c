/* known_start.c - consistent start values of a mechanism, searched once.
 *
 * Which reactions are unique is a matter of closed positions, so a model looks for its start
 * when it is made, and every run of it begins there again. What was found first, or why
 * nothing was, is kept with the model's own system, with the messages on the way, and holds for
 * the systems that share it as long as they ask for the same: time, values, what may move, and
 * parameters. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/known_start.h"

#include "base/then.h"
#include "linalg/rotation.h"
#include "mechanics/coupled_start.h"
#include "mechanics/rolling_start.h"
#include "mechanics/start_values.h"
#include "mechanics/turned_axes.h"
#include "mechanics/turned_struts.h"
#include "mechanics/whole_turns.h"

#include <stdlib.h>
#include <string.h>

enum { MESSAGES = 16 };

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
    /* that was searched at t itself, not behind what switches there */
    return k != NULL && k->t == t && !s->eom->window.set &&
           memcmp(k->given, x, n * sizeof *x) == 0 &&
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

/* What starts the wrong way: axes count more than all cylinders. */
static int faults(const crank_system *s, double t, const double *x)
{
    const char *name;
    return crank_system_inside_out(s, t, x) +
           crank_system_turned_axes(s, t, x, &name) * (s->strut_count + 1);
}

/* The search goes on from x; false: it leads to nothing better than what was found, and x is
 * that again. messages: are replaced by its own; NULL: those of before hold. */
static bool go_on(crank_system *s, double t, const double *found, double *x,
                  const crank_initial_options *options, crank_initial_report *report,
                  message_list *messages)
{
    message_list second = {0};
    const crank_initial_report first =
        report != NULL ? *report : (crank_initial_report){.largest_column = -1};
    const bool better =
        crank_eom_initialize(s->eom, t, x, options, report, (crank_log){keep_message, &second},
                             NULL) == CRANK_OK &&
        faults(s, t, x) < faults(s, t, found);
    if (better && messages != NULL) {
        crank_store_free(&messages->store);
        *messages = second;
    } else {
        crank_store_free(&second.store);
    }
    if (!better) {
        memcpy(x, found, (size_t)s->eom->n * sizeof *x);
    }
    if (report != NULL && better) { /* of what is given, not of what was turned back */
        memcpy(report->residual, first.residual, sizeof report->residual);
        report->consistent = first.consistent;
    } else if (report != NULL) {
        *report = first;
    }
    return better;
}

/* Axes that the search has turned round are turned back. They stand as the walk has
 * them, or, where the file has guesses of places, as it would have them without, or else agree with
 * all that hangs together turned round. The name of a joint that stays as it is, NULL: there is none.
 * given: n; work: n, flags and numbers of bodies */
static const char *turn_axes(crank_system *s, double t, const double *given, double *x,
                             double *work, const crank_initial_options *options,
                             crank_initial_report *report, message_list *messages)
{
    const size_t n = (size_t)s->eom->n, size = n * sizeof *x;
    int *group = (int *)(work + n);
    bool *flags = (bool *)(group + s->body_count + 1);
    const double *walk[] = {given, s->unguided}; /* given: with guesses */
    const char *joint = NULL;
    memcpy(work, x, size);
    for (int i = 0; i < 4 && crank_system_turned_axes(s, t, x, &joint) > 0; i++) {
        const bool whole = i >= 2;
        const bool turned =
            whole ? crank_system_turn_groups(s, t, options->fixing, i == 3, x, group, flags)
                  : walk[i] != NULL &&
                        crank_system_turn_back(s, t, walk[i], options->fixing, x, flags);
        if (turned && go_on(s, t, work, x, options, report, messages)) {
            memcpy(work, x, size);
            i = -1; /* what is left, once more */
        }
        memcpy(x, work, size);
    }
    return crank_system_turned_axes(s, t, x, &joint) > 0 ? joint : NULL;
}

/* Axes are turned back, and then cylinders that the search has led inside out, one by one; where
 * that leads to nothing better they are named. given: n, then work. */
static void search_again(crank_system *s, double t, double *given, double *x,
                         const crank_initial_options *options, crank_initial_report *report,
                         message_list *messages, crank_log log)
{
    const size_t size = (size_t)s->eom->n * sizeof *x;
    double *found = given + s->eom->n;
    const char *joint = turn_axes(s, t, given, x, found, options, report, messages);
    if (joint != NULL) {
        crank_log_write(
            &log, CRANK_WARNING,
            "joint \"%.80s\" starts the wrong way round, by half a turn: "
            "give a guess (`free: true`) of how its bodies stand, or reverse one of the "
            "axes",
            joint);
    }
    for (int i = 0; i < s->strut_count; i++) {
        memcpy(found, x, size);
        if (crank_system_turn_out(s, i, t, given, options->fixing, x)) {
            (void)go_on(s, t, found, x, options, report, NULL);
        }
    }
}

/* From where the bodies would be placed without the guesses that the file has of it: x, from
 * given. work: memory_count */
static bool search_unguided(crank_system *s, double t, const double *given, double *x,
                            double *work, const crank_initial_options *options,
                            crank_initial_report *report, message_list *messages)
{
    crank_eom *eom = s->eom;
    const int end = eom->column[CRANK_P] + eom->sizes.p;
    const crank_eom_parts *parts = eom->parts;
    const size_t memory = (size_t)s->memory_count * sizeof *work;
    message_list second = {0};
    crank_error ignored = {0};
    memcpy(x, given, (size_t)eom->n * sizeof *x);
    for (int j = eom->column[CRANK_P]; j < end; j++) {
        x[j] = options->fixing[j] == CRANK_FREE ? s->unguided[j] : given[j];
    }
    if (memory > 0) {
        memcpy(work, s->memory_start, memory);
    }
    crank_system_refer_angles(s, t, x);
    crank_eom_parts plain = *parts; /* of which the file guesses nothing */
    bool *none = calloc((size_t)s->body_count + 1, sizeof *none);
    plain.body_stands = plain.body_turned = none;
    eom->parts = &plain;
    const crank_status status =
        none != NULL ? crank_eom_initialize(eom, t, x, options, report,
                                            (crank_log){keep_message, &second}, &ignored)
                     : CRANK_EMEM;
    eom->parts = parts;
    free(none);
    if (status == CRANK_OK) {
        crank_store_free(&messages->store);
        *messages = second;
        keep_message(CRANK_WARNING,
                     "from the guesses of where bodies are (`free: true`) no way was found in "
                     "which all joints are closed; the search began without them",
                     messages);
        return true;
    }
    if (memory > 0) {
        memcpy(s->memory_start, work, memory);
    }
    crank_system_rewind(s);
    crank_store_free(&second.store);
    return false;
}

/* From x; where nothing is found from there, and the file has guesses of where bodies are, again
 * without these, which is told. work: 2 n, memory_count */
static crank_status search_from(crank_system *s, double t, double *x, double *work,
                                const crank_initial_options *options,
                                crank_initial_report *report, message_list *messages,
                                crank_error *err)
{
    const int n = s->eom->n;
    const size_t size = (size_t)n * sizeof *x;
    double *given = work, *first = work + n;
    memcpy(given, x, size);
    const crank_status status = crank_eom_initialize(s->eom, t, x, options, report,
                                                     (crank_log){keep_message, messages}, err);
    if (status == CRANK_OK || status == CRANK_EMEM || s->unguided == NULL) {
        return status;
    }
    const crank_initial_report before =
        report != NULL ? *report : (crank_initial_report){.largest_column = -1};
    double *reached = options->reached != NULL ? options->reached : x;
    memcpy(first, reached, size);
    if (search_unguided(s, t, given, x, first + n, options, report, messages)) {
        return CRANK_OK;
    }
    memcpy(x, given, size);
    memcpy(reached, first, size);
    if (report != NULL) {
        *report = before;
    }
    return status;
}

/* A position that is no guess of the file's own. */
static bool is_unsaid(const crank_eom *eom, const crank_fixing *fixing, int column)
{
    const int i = column - eom->column[CRANK_P], body = eom->parts->position_body[i];
    return fixing[column] == CRANK_FREE &&
           (body < 0 || !(eom->parts->position_kind[i] == 't' ? eom->parts->body_stands[body]
                                                              : eom->parts->body_turned[body]));
}

/* What conditions on accelerations and reactions ask for is found from where no torsion spring
 * is twisted, *later: there are some; what they twist stays. x, given: guesses then begin where
 * the assembly puts them. found: n, work. */
static crank_status untwist_first(crank_system *s, double t, double *given, double *x,
                                  double *found, const crank_initial_options *options,
                                  bool *later, crank_log log, crank_error *err)
{
    const crank_eom *eom = s->eom;
    crank_error ignored = {0}; /* the search finds it again */
    bool turned = false;
    *later = false;
    if (s->coupling_count == 0 || options->fixing == NULL) {
        return CRANK_OK;
    }
    memcpy(found, x, (size_t)eom->n * sizeof *x);
    crank_status status = crank_eom_assemble(s->eom, t, found, options, later, &ignored);
    if (status != CRANK_OK || !*later) {
        return status == CRANK_EMEM ? crank_fail(err, status, "%s", ignored.text) : CRANK_OK;
    }
    status = crank_system_untwist(s, t, given, found, options, &turned, log, err);
    for (int j = eom->column[CRANK_P]; j < eom->n && turned; j++) {
        if (is_unsaid(eom, options->fixing, j)) {
            given[j] = x[j] = found[j];
        }
    }
    return status;
}

static crank_status search(crank_system *s, double t, double *x, crank_initial_options options,
                           crank_initial_report *report, crank_log log, crank_error *err)
{
    const size_t size = (size_t)s->eom->n * sizeof *x;
    double *given = malloc(3 * size + (size_t)s->memory_count * sizeof *x +
                           ((size_t)s->body_count + 1) * (sizeof(int) + sizeof(bool)));
    if (given == NULL) {
        return crank_fail(err, CRANK_EMEM, "start values of %d unknowns", s->eom->n);
    }
    memcpy(given, x, size);
    message_list messages = {0};
    bool later;
    crank_status status =
        untwist_first(s, t, given, x, given + s->eom->n, &options, &later, log, err);
    status = status != CRANK_OK
                 ? status
                 : search_from(s, t, x, given + s->eom->n, &options, report, &messages, err);
    if (status == CRANK_OK) {
        search_again(s, t, given, x, &options, report, &messages, log);
        status =
            later ? CRANK_OK : crank_system_untwist(s, t, given, x, &options, NULL, log, err);
        CRANK_THEN(status, crank_system_turn_whole(s, t, x, &options, err));
        CRANK_THEN(status, crank_system_roll(s, t, x, &options, err));
    }
    tell_messages(&messages, log);
    if (status == CRANK_OK) {
        crank_system_warn_inside_out(s, t, x, log);
        crank_system_warn_mounts(s, t, x, log);
    }
    free(given);
    return status;
}

/* What is told to a log, each text once: a start that was found first says what the search from
 * there says again. */
typedef struct told_once {
    message_list list;
    crank_log log;
} told_once;

static void tell_once(crank_level level, const char *text, void *user)
{
    told_once *o = user;
    bool known = false;
    for (int i = 0; i < o->list.count; i++) {
        known = known || (o->list.level[i] == level && strcmp(o->list.text[i], text) == 0);
    }
    if (!known) {
        keep_message(level, text, &o->list);
        crank_log_write(&o->log, level, "%s", text);
    }
}

static crank_status search_at_rest(crank_system *s, double t, double *x,
                                   crank_initial_options options, crank_initial_report *report,
                                   crank_log log, crank_error *err)
{
    told_once told = {.log = log};
    const crank_log once = {tell_once, &told};
    const crank_first_start *first = crank_system_begin_first(s, t, x, once);
    crank_system_hold_filters(s, x);
    const crank_status status = search(s, t, x, options, report, once, err);
    crank_store_free(&told.list.store);
    if (first != NULL && report != NULL) { /* of what is given */
        memcpy(report->residual, first->report.residual, sizeof report->residual);
        report->consistent = report->consistent && first->report.consistent;
    }
    crank_system_release_filters(s);
    s->stays = false;
    if (status == CRANK_OK) {
        crank_system_begin_filters(s, t, x);
        crank_system_warn_bounds(s, x, log);
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
    if (s->memory_count > 0) { /* where angles begin may have changed */
        memcpy(k->memory, s->memory_start, (size_t)s->memory_count * sizeof *k->memory);
    }
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
