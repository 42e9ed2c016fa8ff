/* inverse.c - "crank inverse": the efforts that a prescribed motion needs.
 *
 * The mechanism is read by another one that includes it and drives the coordinates u_j of
 * joints; a run of that gives the efforts lambda_j of the drives, whatever loops there are.
 * Where motors sit on other joints q_k, or on more of them than there are drives, their efforts
 * tau do the same work in every motion that the mechanism has,
 *     sum_k tau_k q_k' = sum_j lambda_j u_j',   q_k' = sum_j T_kj u_j':   T^T tau = lambda
 * and tau = T (T^T T)^-1 lambda is the choice of the least norm. A unit effort on q_k alone
 * takes T_kj from lambda_j, the motion being given: T is known from one run a motor. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inverse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(inverse_arguments, member)
// clang-format off
static const argument arguments[] = {
    {"--drive", "JOINT=EXPRESSION", ARGUMENT_PAIRS, AT(drives),
     "motion of a joint's angle or length, of JOINT.COORDINATE or of body.NAME.x, an expression "
     "of t; may be repeated"},
    {"--motor", "JOINT", ARGUMENT_LIST, AT(motors),
     "a joint, or JOINT.COORDINATE, that has a motor; may be repeated. What is driven if not "
     "given"},
    {"-o", "FILE.csv", ARGUMENT_TEXT, AT(out),
     "efforts and coordinates at equal times; standard output if not given"},
    {"--replay", "FILE.yaml", ARGUMENT_TEXT, AT(replay),
     "a mechanism that is moved by these efforts, as tables in time"},
    {"--points", "N", ARGUMENT_COUNT, AT(points), "intervals of the rows; 1000 if not given"},
    {"--t-end", "T", ARGUMENT_REAL, AT(t_end), "end time; the model's if not given"},
    {"--set", "NAME=VALUE", ARGUMENT_PAIRS, AT(settings),
     "value of a parameter or start value"},
    {"--method", "NAME", ARGUMENT_TEXT, AT(method), "see crank methods"},
    {"--option", "NAME=VALUE", ARGUMENT_PAIRS, AT(options), "option of the method"},
    {"--quiet", NULL, ARGUMENT_FLAG, AT(quiet), "say nothing unless something is wrong"},
};
// clang-format on

static const usage inverse_usage = {
    .synopsis = "crank inverse MODEL --drive JOINT=EXPRESSION... [options]",
    .summary =
        "Finds the forces and torques along joints that a given motion needs, of trees and of\n"
        "mechanisms with loops. With more motors than driven coordinates their efforts are "
        "not\n"
        "unique: those of the least norm are given, and it is said.",
    .arguments = arguments,
    .argument_count = (int)(sizeof arguments / sizeof arguments[0]),
    .positional = AT(positional),
    .positional_min = 1,
    .positional_max = 1,
};

/* ---- joints ---- */

static bool has_column(const crank_model *model, const char *section, const char *object,
                       const char *quantity)
{
    char wanted[300];
    (void)snprintf(wanted, sizeof wanted, "%s.%s.%s", section, object, quantity);
    for (int i = 0; i < crank_model_column_count(model); i++) {
        if (strcmp(crank_model_column_name(model, i), wanted) == 0) {
            return true;
        }
    }
    return false;
}

/* JOINT, whose only coordinate is meant */
static bool find_whole(const crank_model *model, moved *out)
{
    static const char *const quantity[] = {"angle", "length"};
    (void)snprintf(out->object, sizeof out->object, "%.100s", out->name);
    for (int i = 0; i < 2; i++) {
        if (has_column(model, "joint", out->object, quantity[i])) {
            (void)snprintf(out->quantity, sizeof out->quantity, "%s", quantity[i]);
            (void)snprintf(out->rate, sizeof out->rate, "%s_rate", quantity[i]);
            return true;
        }
    }
    return false;
}

/* JOINT.COORDINATE, or body.NAME.x */
static bool find_part(const crank_model *model, moved *out)
{
    const bool body = strncmp(out->name, "body.", 5) == 0;
    const char *name = out->name + (body ? 5 : 0), *dot = strrchr(name, '.');
    if (dot == NULL) {
        return false;
    }
    out->section = body ? "body" : "joint";
    (void)snprintf(out->object, sizeof out->object, "%.*s", (int)(dot - name), name);
    (void)snprintf(out->quantity, sizeof out->quantity, "%s", dot + 1);
    if (!body) {
        (void)snprintf(out->rate, sizeof out->rate, "%s_rate", out->quantity);
    } else if (strcmp(out->quantity, "angle") == 0) {
        (void)snprintf(out->rate, sizeof out->rate, "rate");
    } else {
        (void)snprintf(out->rate, sizeof out->rate, "v%s", out->quantity);
    }
    return has_column(model, out->section, out->object, out->quantity) &&
           has_column(model, out->section, out->object, out->rate);
}

/* false: told */
static bool find_moved(inverse *v, const crank_model *model, const char *name, bool motor,
                       moved *out)
{
    *out = (moved){.name = name, .section = "joint"};
    (void)snprintf(out->safe, sizeof out->safe, "%.100s", name);
    for (char *c = out->safe; *c != '\0'; c++) {
        *c = *c == '.' ? '_' : *c;
    }
    out->whole = find_whole(model, out);
    if (!out->whole && !find_part(model, out)) {
        tell_error(v->m,
                   "%s: no joint \"%s\" that has an angle or a length; a coordinate of a joint "
                   "that has several is JOINT.COORDINATE, a driven position of a body "
                   "body.NAME.x",
                   v->a->positional.item[0], name);
        return false;
    }
    const bool body = strcmp(out->section, "body") == 0;
    if (motor && body) {
        tell_error(v->m, "%s: \"%s\" is no joint; name the joints that have motors by --motor",
                   v->a->positional.item[0], name);
    }
    return !(motor && body);
}

/* A joint with a drive of its own would share the effort; false: told */
static bool is_undriven(const inverse *v, const crank_model *model, const moved *m)
{
    char effort[60];
    (void)snprintf(effort, sizeof effort, "effort_%s", m->quantity);
    const bool driven =
        strcmp(m->section, "joint") == 0 && (has_column(model, "joint", m->object, "effort") ||
                                             has_column(model, "joint", m->object, effort));
    if (driven) {
        tell_error(
            v->m,
            "%s: joint \"%s\" has a `drive` in the file, which would take its part of the "
            "effort; leave that out, the motion is given by --drive",
            v->a->positional.item[0], m->object);
    }
    return !driven;
}

static int find_dimension(const crank_model *model)
{
    for (int i = 0; i < crank_model_column_count(model); i++) {
        const char *name = crank_model_column_name(model, i);
        const size_t length = strlen(name);
        if (strncmp(name, "body.", 5) == 0 && length > 2 &&
            strcmp(name + length - 2, ".z") == 0) {
            return 3;
        }
    }
    return 2;
}

static int find_joints(inverse *v, const crank_model *model)
{
    const inverse_arguments *a = v->a;
    v->drives = a->drives.count;
    v->same = a->motors.count == 0;
    v->motors = v->same ? v->drives : a->motors.count;
    v->drive = calloc((size_t)v->drives + 1, sizeof *v->drive);
    v->motor = calloc((size_t)v->motors + 1, sizeof *v->motor);
    if (v->drive == NULL || v->motor == NULL) {
        return CODE_FAILED;
    }
    for (int i = 0; i < v->drives; i++) {
        if (!find_moved(v, model, a->drives.item[i].name, v->same, &v->drive[i]) ||
            !is_undriven(v, model, &v->drive[i])) {
            return CODE_USAGE;
        }
        v->drive[i].motion = a->drives.item[i].value;
    }
    for (int i = 0; i < v->motors; i++) {
        if (!find_moved(v, model, v->same ? v->drive[i].name : a->motors.item[i], true,
                        &v->motor[i]) ||
            !is_undriven(v, model, &v->motor[i])) {
            return CODE_USAGE;
        }
    }
    v->dimension = find_dimension(model);
    return -1;
}

/* ---- runs ---- */

/* unit: the motor with a unit effort; -1: none */
static crank_status run_driven(inverse *v, const crank_model *model, int unit,
                               crank_table **out, crank_error *err)
{
    const inverse_arguments *a = v->a;
    crank_run_options o = crank_run_options_default();
    crank_run *run = NULL;
    char name[160];
    const size_t count = (size_t)a->settings.count;
    crank_setting *settings = calloc(count + 1, sizeof *settings);
    if (settings == NULL) {
        return crank_fail(err, CRANK_EMEM, "the settings");
    }
    for (size_t i = 0; i < count; i++) {
        settings[i] = a->settings.item[i];
    }
    if (unit >= 0) {
        (void)snprintf(name, sizeof name, "unit_%s", v->motor[unit].safe);
        settings[count] = (crank_setting){name, "1"};
    }
    if (unit < 0) { /* what is said of the start is said once */
        o.log = inverse_log(v);
    }
    o.settings = settings;
    o.setting_count = a->settings.count + (unit >= 0 ? 1 : 0);
    o.method = a->method;
    o.options = a->options.item;
    o.option_count = a->options.count;
    o.t_end = a->t_end;
    crank_status status = crank_run_open_model(model, &o, &run, err);
    THEN(status, crank_run_initialize(run, err));
    const int freedom = status == CRANK_OK && unit < 0 ? inverse_find_freedom(v->m, run) : 0;
    if (freedom > 0 && !v->same) {
        status = crank_fail(err, CRANK_EARG,
                            "motors share the work of a motion that is given as a whole; "
                            "drive %d coordinate%s more",
                            freedom, freedom == 1 ? "" : "s");
    }
    THEN(status, crank_run_table(run, a->points > 0 ? a->points : 1000, out, err));
    crank_run_close(run);
    free(settings);
    return status;
}

static const double *column(const crank_table *table, const char *format, const char *name,
                            const char *quantity)
{
    char wanted[300];
    (void)snprintf(wanted, sizeof wanted, format, name, quantity);
    const int found = crank_table_find(table, wanted);
    return found >= 0 ? table->values + (size_t)found * (size_t)table->rows : NULL;
}

static const double *value_of(const crank_table *table, const moved *m, const char *quantity)
{
    return strcmp(m->section, "body") == 0 ? column(table, "body.%s.%s", m->object, quantity)
                                           : column(table, "joint.%s.%s", m->object, quantity);
}

static bool make_room(inverse *v, int rows)
{
    const size_t n = (size_t)rows, d = (size_t)v->drives, k = (size_t)v->motors;
    v->rows = rows;
    v->time = calloc(n, sizeof *v->time);
    v->lambda = calloc(d * n, sizeof *v->lambda);
    v->T = calloc(k * d * n + 1, sizeof *v->T);
    v->tau = calloc(k * n, sizeof *v->tau);
    v->position = calloc(k * n, sizeof *v->position);
    v->start = calloc(2 * d, sizeof *v->start);
    return v->time != NULL && v->lambda != NULL && v->T != NULL && v->tau != NULL &&
           v->position != NULL && v->start != NULL;
}

/* Efforts that something else takes a part of: a driver of the file, or a drive that others
 * determine. */
static void tell_shared(const inverse *v, const crank_table *table)
{
    for (int i = 0; i < v->drives; i++) {
        const double *unique =
            column(table, "joint.drive_%s.unique.%s", v->drive[i].safe, "effort");
        for (int r = 0; r < table->rows && unique != NULL; r++) {
            if (unique[r] == 0.0) {
                tell_error(
                    v->m,
                    "warning: the effort of joint \"%s\" is not unique: other drives or joints "
                    "determine its motion, too, and take a part of it (from t = %g on)",
                    v->drive[i].name, table->values[r]);
                break;
            }
        }
    }
}

/* efforts of the drives; unit: T of that motor */
/* Servos of the file go on acting: efforts are those beside them. */
static void tell_servos(const inverse *v, const crank_table *table)
{
    for (int c = 0; c < table->columns; c++) {
        const char *name = table->names[c], *end = strrchr(name, '.');
        char servo[200];
        if (strncmp(name, "force.", 6) != 0 || end == NULL || strcmp(end, ".error") != 0) {
            continue;
        }
        (void)snprintf(servo, sizeof servo, "%.*s", (int)(end - name) - 6, name + 6);
        const double *turns = column(table, "force.%s.%s", servo, "torque");
        const double *acts =
            turns != NULL ? turns : column(table, "force.%s.%s", servo, "force");
        double most = 0.0;
        for (int r = 0; r < table->rows && acts != NULL; r++) {
            most = fmax(most, fabs(acts[r]));
        }
        if (most > 0.0) {
            tell_error(
                v->m,
                "warning: the servo \"%s\" of the file acts, too, by %.4g at most: efforts "
                "are those beside it",
                servo, most);
        }
    }
}

static crank_status take_rows(inverse *v, const crank_table *table, int unit, crank_error *err)
{
    const size_t rows = (size_t)table->rows;
    if (unit < 0 && !make_room(v, table->rows)) {
        return crank_fail(err, CRANK_EMEM, "the efforts");
    }
    for (int i = 0; i < v->drives; i++) {
        const double *effort = column(table, "joint.drive_%s.%s", v->drive[i].safe, "effort");
        for (size_t r = 0; r < rows && effort != NULL; r++) {
            double *lambda = &v->lambda[(size_t)i * rows + r];
            if (unit < 0) {
                *lambda = effort[r];
            } else {
                v->T[((size_t)unit * (size_t)v->drives + (size_t)i) * rows + r] =
                    *lambda - effort[r];
            }
        }
        const double *q = value_of(table, &v->drive[i], v->drive[i].quantity);
        const double *rate = value_of(table, &v->drive[i], v->drive[i].rate);
        v->start[2 * i] = q != NULL ? q[0] : 0.0;
        v->start[2 * i + 1] = rate != NULL ? rate[0] : 0.0;
    }
    for (int k = 0; k < v->motors && unit < 0; k++) {
        const double *q = value_of(table, &v->motor[k], v->motor[k].quantity);
        memcpy(v->position + (size_t)k * rows, q, rows * sizeof *q);
    }
    memcpy(v->time, table->values, rows * sizeof *v->time);
    return CRANK_OK;
}

static crank_status run_all(inverse *v, const crank_model *model, crank_error *err)
{
    crank_status status = CRANK_OK;
    for (int unit = -1; unit < (v->same ? 0 : v->motors) && status == CRANK_OK; unit++) {
        crank_table *table = NULL;
        status = run_driven(v, model, unit, &table, err);
        THEN(status, take_rows(v, table, unit, err));
        if (status == CRANK_OK && unit < 0) {
            tell_shared(v, table);
            tell_servos(v, table);
        }
        crank_table_destroy(table);
    }
    return status;
}

/* ---- efforts of motors ---- */

static int share_efforts(inverse *v)
{
    const size_t rows = (size_t)v->rows;
    double worst = 0.0;
    if (v->same) {
        memcpy(v->tau, v->lambda, (size_t)v->drives * rows * sizeof *v->tau);
        return -1;
    }
    for (size_t r = 0; r < rows; r++) {
        const double left =
            inverse_least_norm(v->motors, v->drives, v->T + r, v->lambda + r, v->tau + r, rows);
        if (!(left <= 1e-6)) {
            tell_error(v->m,
                       "at t = %g the motors cannot move what is driven: efforts of another "
                       "joint are needed",
                       v->time[r]);
            return CODE_FAILED;
        }
        worst = fmax(worst, left);
    }
    if (v->motors > v->drives) {
        tell_note(v->m,
                  "%d motors for %d driven coordinates: their efforts are not unique, those of "
                  "the least norm are given",
                  v->motors, v->drives);
    }
    return -1;
}

/* ---- the command ---- */

static int find_efforts(inverse *v, crank_error *err)
{
    crank_model_options options = crank_model_options_default();
    crank_model *plain = NULL, *driven = NULL;
    char *text = NULL;
    size_t size = 0;
    const char *path = v->a->positional.item[0];
    options.log = message_log(v->m);
    crank_status status = crank_model_read(path, &options, &plain, err);
    if (status != CRANK_OK) {
        tell_file_error(v->m, path, err);
        return CODE_MODEL;
    }
    int code = find_joints(v, plain);
    crank_model_destroy(plain);
    if (code >= 0) {
        return code;
    }
    FILE *file = open_memstream(&text, &size);
    if (file == NULL) {
        return CODE_FAILED;
    }
    inverse_write_driven(v, file);
    (void)fclose(file);
    status = crank_model_read_text("the driven mechanism", text, size, NULL, &driven, err);
    if (status != CRANK_OK) {
        inverse_rename(v, err);
        tell_file_error(v->m, "the driven mechanism", err);
        code = CODE_MODEL;
    }
    if (code < 0) {
        status = run_all(v, driven, err);
        if (status != CRANK_OK) {
            inverse_rename(v, err);
            tell_file_error(v->m, path, err);
            code = CODE_FAILED;
        }
    }
    crank_model_destroy(driven);
    free(text);
    return code;
}

int inverse_main(int argc, char **argv)
{
    inverse_arguments a = {0};
    int code = arguments_parse(&inverse_usage, argc, argv, &a);

    if (code < 0) {
        messages m = {.quiet = a.quiet};
        inverse v = {.m = &m, .a = &a};
        crank_error err = {0};
        if (a.drives.count == 0) {
            tell_error(&m, "no motion is given: --drive JOINT=EXPRESSION");
            code = CODE_USAGE;
        }
        NEXT(code, find_efforts(&v, &err));
        NEXT(code, share_efforts(&v));
        if (code < 0 && (a.out != NULL || a.replay == NULL)) {
            code = inverse_write_file(&v, a.out, inverse_write_rows);
        }
        if (code < 0 && a.replay != NULL) {
            code = inverse_write_file(&v, a.replay, inverse_write_replay);
        }
        free(v.drive);
        free(v.motor);
        free(v.time);
        free(v.lambda);
        free(v.T);
        free(v.tau);
        free(v.position);
        free(v.start);
        code = code < 0 ? CODE_DONE : code;
    }
    arguments_free(&inverse_usage, &a);
    return code;
}
