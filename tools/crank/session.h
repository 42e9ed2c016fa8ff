/* session.h - what run, check and init do alike: read the model, settle the options, find
 * consistent initial values. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_SESSION_H
#define CRANK_TOOLS_SESSION_H

#include "arguments.h"
#include "command.h"

/* Values of the options that they share; the first member of their structs. */
typedef struct model_arguments {
    text_list positional; /* the model's path */
    const char *method, *model, *library;
    setting_list settings, options;
    bool compile, quiet;
} model_arguments;

// clang-format off
#define MODEL_ARGUMENTS \
    {"--set", "NAME=VALUE", ARGUMENT_PAIRS, offsetof(model_arguments, settings), \
     "a parameter or start value; may be repeated"}, \
    {"--option", "NAME=VALUE", ARGUMENT_PAIRS, offsetof(model_arguments, options), \
     "an option of the method, see crank options; may be repeated"}, \
    {"--coordinates", "C", ARGUMENT_PAIR, offsetof(model_arguments, options), \
     "unknowns of mechanisms: absolute, joint coordinates of a tree, or auto: the cheaper"}, \
    {"--model", "NAME", ARGUMENT_TEXT, offsetof(model_arguments, model), \
     "the model of a Modelica file: Package.Model; default: its last one"}, \
    {"--library", "FOLDER", ARGUMENT_TEXT, offsetof(model_arguments, library), \
     "where packages that a Modelica file names are looked for first"}, \
    {"--compile", NULL, ARGUMENT_FLAG, offsetof(model_arguments, compile), \
     "turn the model into machine code by the system's C compiler"}, \
    {"--quiet", NULL, ARGUMENT_FLAG, offsetof(model_arguments, quiet), \
     "warnings and errors only"}
// clang-format on

typedef struct session {
    const char *path;
    messages messages;
    crank_run *run;
    /* of the run */
    const crank_model *model;
    crank_state *state;
    crank_eom *eom;
    const crank_simulate *simulate;
    crank_options *options; /* defaults < method < model file < command line */
    crank_run_method method;
    int n;
    double t_start;
    const double *given, *x;  /* start values as written, and after initialisation */
    crank_run_assembly start; /* the same of what they were looked for in */
    const crank_initial_report *initial;
} session;

/* The options of the run that the arguments ask for:
 *
 *     const crank_run_options options = session_begin(&s, &arguments);
 *     code = session_opened(&s, crank_run_open(s.path, &options, &s.run, &err), &err);
 *
 * -1, or the exit code after telling the mistake. session_close in either case. */
crank_run_options session_begin(session *s, const model_arguments *a);
int session_opened(session *s, crank_status status, crank_error *err);
/* What the run has is had by short names: again, after its beginning has changed. */
void session_show(session *s);
void session_close(session *s);
/* Tells a failure before the first step, with its place in the file, and returns the exit code.
 * After a signal, the failure is likely to follow from it: then it is reported as an
 * interruption. */
int session_fail(session *s, crank_status status, crank_error *err);
/* CODE_FAILED after telling so, if a signal has come; else -1. */
int session_interrupted(session *s);
/* A `crank: dae` file: constraints have levels, but none of position, velocity and
 * acceleration. */
bool session_is_dae(const session *s);
/* Did position and velocity level hold, guesses among them? */
bool session_has_held(const session *s);
/* false if a value moved that was meant to stay, or position or velocity level did not hold at
 * the given values, but for those of bodies that are not given and were computed. */
bool session_was_consistent(const session *s);
/* The start value of the column is a guess. */
bool session_is_free(const session *s, int column);
/* true if the start value of the column was meant to stay and has visibly moved. */
bool session_moved(const session *s, int column);
/* Is nothing of where a body stands given? */
bool session_is_guess(const session *s, int body);
/* The column of these that moved most, relative to 1 + |given|; -1: none. */
int session_most_moved(const session *s);
/* Would writing to path replace a file that the model is made of? -1, or the exit code after
 * telling it. */
int session_check_output(session *s, const char *option, const char *path);
enum { MOVE_TEXT = 80 };
/* "moved by 0.1 and turned by 0.2 rad", or one of these; returns text. */
const char *move_text(double distance, double angle, char text[MOVE_TEXT]);
/* Tells which start values were moved: of mechanisms the bodies, else the variables; the first
 * few. */
void session_tell_moved(session *s);

#endif
