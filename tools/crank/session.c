/* session.c - see session.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "session.h"

#include "files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double visible_change =
    1e-9; /* relative to unit + |x|, or to a row's scale: above round-off of corrections */

crank_run_options session_begin(session *s, const model_arguments *a)
{
    crank_run_options o = crank_run_options_default();

    *s = (session){.path = a->positional.item[0], .messages = {.quiet = a->quiet}};
    o.method = a->method;
    o.model = a->model;
    o.library = a->library;
    o.settings = a->settings.item;
    o.setting_count = a->settings.count;
    o.options = a->options.item;
    o.option_count = a->options.count;
    o.compile = a->compile;
    o.log = message_log(&s->messages);
    return o;
}

void session_show(session *s)
{
    const crank_run_beginning start = crank_run_get_beginning(s->run);

    s->model = crank_run_model(s->run);
    s->state = crank_run_model_state(s->run);
    s->eom = crank_run_eom(s->run);
    s->simulate = crank_model_simulate(s->model);
    s->options = crank_run_settled(s->run);
    s->method = crank_run_get_method(s->run);
    s->n = crank_eom_unknowns(s->eom);
    s->t_start = start.t;
    s->given = start.given;
    s->start = crank_run_get_assembly(s->run);
    s->x = start.x;
    s->initial = start.report;
}

int session_opened(session *s, crank_status status, crank_error *err)
{
    if (status == CRANK_OK) {
        session_show(s);
        return session_interrupted(s);
    }
    const int code = session_fail(s, status, err);
    return status == CRANK_EFILE && !interrupted() ? CODE_MODEL : code;
}

void session_close(session *s)
{
    crank_run_close(s->run);
    *s = (session){0};
}

static int failure_code(crank_status status, const crank_error *err)
{
    switch ((int)status) {
    case CRANK_EMEM:
    case CRANK_EFILE:
    case CRANK_ECOMPILE:
    case CRANK_EINTERRUPTED:
    case CRANK_EINTERNAL:
        return CODE_FAILED;
    default:
        return err->given ? CODE_USAGE : CODE_MODEL;
    }
}

int session_interrupted(session *s)
{
    if (!interrupted()) {
        return -1;
    }
    tell_error(&s->messages, "interrupted before the first step");
    return CODE_FAILED;
}

int session_fail(session *s, crank_status status, crank_error *err)
{
    if (interrupted()) {
        return session_interrupted(s);
    }
    err->status = status;
    const int code = failure_code(status, err);
    const bool setting = err->given && status == CRANK_EMODEL;
    if (err->given && s->run == NULL) { /* nothing that the file says */
        tell_error(&s->messages, "%s%s", setting ? "--set: " : "", err->text);
    } else {
        tell_file_error(&s->messages, s->path, err);
    }
    return code;
}

bool session_is_dae(const session *s)
{
    const char *kind = crank_model_kind(s->model);

    return strcmp(kind, "dae") == 0 || strcmp(kind, "modelica") == 0;
}

bool session_is_free(const session *s, int column)
{
    const crank_fixing *fixing = s->start.fixing;

    return fixing != NULL && fixing[column] == CRANK_FREE;
}

/* How far an unknown has come from what was given, relative to its size. */
static double change_of(const session *s, int column)
{
    const double given = s->start.given[column];

    return fabs(s->start.found[column] - given) /
           (crank_eom_unit(s->start.eom, column) + fabs(given));
}

static bool has_changed(const session *s, int column)
{
    return !(change_of(s, column) <= visible_change);
}

bool session_has_held(const session *s)
{
    return s->initial->residual[0] <= visible_change &&
           s->initial->residual[1] <= visible_change;
}

bool session_was_consistent(const session *s)
{
    /* guesses of algebraic variables stand in constraints of every level */
    bool holds = session_is_dae(s) || session_has_held(s);

    for (int j = 0; j < s->start.n && !holds; j++) { /* of bodies they are what is not given */
        holds =
            crank_eom_bodies(s->start.eom) > 0 && session_is_free(s, j) && has_changed(s, j);
    }
    return holds && session_most_moved(s) < 0;
}

bool session_moved(const session *s, int column)
{
    return !session_is_free(s, column) && has_changed(s, column);
}

bool session_is_guess(const session *s, int body)
{
    const crank_fixing *fixing = s->start.fixing;
    const int first = crank_eom_column(s->start.eom, CRANK_P);
    bool guess = fixing != NULL;

    for (int i = 0; i < crank_eom_get_sizes(s->start.eom).p && guess; i++) {
        guess =
            crank_eom_position_body(s->start.eom, i) != body || fixing[first + i] == CRANK_FREE;
    }
    return guess;
}

int session_most_moved(const session *s)
{
    double most = 0.0;
    int column = -1;

    for (int j = 0; j < s->start.n; j++) {
        const double change = change_of(s, j);
        if (session_moved(s, j) && !(change <= most)) {
            most = change;
            column = j;
        }
    }
    return column;
}

const char *move_text(double distance, double angle, char text[MOVE_TEXT])
{
    if (distance > 0.0 && angle > 0.0) {
        (void)snprintf(text, MOVE_TEXT, "moved by %.3g and turned by %.3g rad", distance,
                       angle);
    } else {
        (void)snprintf(text, MOVE_TEXT, distance > 0.0 ? "moved by %.3g" : "turned by %.3g rad",
                       distance > 0.0 ? distance : angle);
    }
    return text;
}

enum { SHOWN = 6 }; /* initial values that are listed one by one */

static void tell_velocities(session *s)
{
    const int first = crank_eom_column(s->start.eom, CRANK_V);
    int most = -1;

    for (int j = first; j < first + crank_eom_get_sizes(s->start.eom).v; j++) {
        if (session_moved(s, j) && (most < 0 || change_of(s, j) > change_of(s, most))) {
            most = j;
        }
    }
    if (most >= 0) { /* by how much: the digits of two numbers may be the same */
        tell_note(&s->messages,
                  "start velocities changed, most %s from %.4g by %+.3g; see crank init",
                  crank_eom_column_name(s->start.eom, most), s->start.given[most],
                  s->start.found[most] - s->start.given[most]);
    }
}

/* Placed bodies that were moved, and whether velocities changed; unknowns of bodies have other
 * names than a file gives. */
static int tell_bodies(session *s)
{
    int moved = 0;

    for (int i = 0; i < crank_eom_bodies(s->start.eom); i++) {
        double distance, angle;
        crank_eom_body_move(s->start.eom, i, s->start.given, s->start.found, &distance, &angle);
        if (distance + angle > 0.0 && !session_is_guess(s, i) && moved++ < SHOWN) {
            char text[MOVE_TEXT];
            tell_note(&s->messages, "start of %s %s", crank_eom_body_text(s->start.eom, i),
                      move_text(distance, angle, text));
        }
    }
    tell_velocities(s);
    return moved;
}

void session_tell_moved(session *s)
{
    const crank_eom_sizes sizes = crank_eom_get_sizes(s->start.eom);
    const int v = crank_eom_column(s->start.eom, CRANK_V),
              p = crank_eom_column(s->start.eom, CRANK_P);
    const bool bodies = crank_eom_bodies(s->start.eom) > 0;
    int moved = bodies ? tell_bodies(s) : 0;

    for (int j = 0; j < s->start.n; j++) {
        const bool of_body = (j >= v && j < v + sizes.v) || (j >= p && j < p + sizes.p);
        if (!(bodies && of_body) && session_moved(s, j) && moved++ < SHOWN) {
            tell_note(&s->messages, "initial value of %s moved from %.9g to %.9g (%+.3g)",
                      crank_eom_column_name(s->start.eom, j), s->start.given[j],
                      s->start.found[j], s->start.found[j] - s->start.given[j]);
        }
    }
    if (moved > SHOWN) {
        tell_note(&s->messages, "%d more initial values moved; see crank init", moved - SHOWN);
    }
}

int session_check_output(session *s, const char *option, const char *path)
{
    const char *name = s->path;

    if (is_standard_output(path) || is_device(path)) {
        return -1;
    }
    for (int i = 0; name != NULL; i++) {
        if (is_same_file(path, name)) {
            tell_error(&s->messages,
                       "%s %s: the model is made of this file; choose another name", option,
                       path);
            return CODE_USAGE;
        }
        name = crank_model_file(s->model, i);
    }
    return -1;
}
