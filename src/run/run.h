/* run.h - the object behind the front door: run.c (open, options, steps, events, rows), asked.c
 * (what the caller asks for), setup.c (before the first step), values.c, table.c (a run to its
 * end), each.c (many runs), watch.c (the caller's events), blame.c (whose failure it is). model.c
 * reads files of any kind. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_RUN_H
#define CRANK_SRC_RUN_H

#include <crank/run.h>

#include "base/store.h"
#include "integrate/create.h"

struct crank_run {
    crank_run_options asked;  /* by the caller; texts are copied */
    crank_store store;        /* of these texts */
    crank_events watched;     /* the caller's */
    const crank_model *model; /* the caller's or made; NULL: equations in C */
    crank_model *made;        /* by the run itself, with what it asks for; NULL: none */
    crank_state *model_state; /* NULL: equations in C */
    crank_eom *eom;
    crank_options options; /* settled */
    const char *method, *formulation, *integrator_name;
    double t_start, t_end;
    int n, columns;
    double *given, *x;   /* n: start as written, and consistent */
    double *state, *row; /* n, columns: at time t */
    crank_initial_report initial;
    crank_problem *problem;
    crank_integrator *integrator;
    double t;
    bool initialized, started, stopped; /* stopped: by an event */
    bool rests;                         /* x is a rest: drives and roads stand still there */
    bool row_known;                     /* row is of (t, state) */
    bool told;                          /* which options of the file were left out */
    bool fallen_back;                   /* from a method that translates equations to psf */
};

/* run.c: the options: defaults < method < file < caller; file NULL: before it is known, as far
 * as that goes. */
crank_status crank_run_settle(crank_run *run, const crank_simulate *file, crank_error *err);

/* asked.c: a run that has nothing but copies of what is asked for; the model as that asks for
 * it, with the options. */
crank_status crank_run_begin(const crank_run_options *options, crank_run **out,
                             crank_error *err);
crank_status crank_run_settle_model(crank_run *run, crank_error *err);
/* Does its method translate equations? */
bool crank_run_is_inlined(const crank_run *run);
/* It cannot with the numbers at the start (err says why): psf on the model made again, told. */
crank_status crank_run_fall_back(crank_run *run, crank_error *err);

/* setup.c: at x0; at the model state's start. */
crank_status crank_run_make_room(crank_run *run, const double *x0, crank_error *err);
crank_status crank_run_take_state(crank_run *run, crank_error *err);

/* watch.c: the model's events and the caller's, as one list; and what happens at them. */
crank_status crank_run_set_events(crank_run *run, crank_error *err);
crank_status crank_run_change_at_events(crank_run *run, double t, crank_event_outcome *outcome,
                                        crank_error *err);

/* blame.c; each returns the status, err->given if the caller is to blame. */
crank_status crank_run_blame_line(crank_error *err, crank_status status, int line, int column);
/* EREFUSED by whoever asks for what is refused; file: NULL if it is not known yet */
crank_status crank_run_blame_refusal(const crank_run *run, const crank_simulate *file,
                                     crank_status status, crank_error *err);
/* What the caller set makes a model wrong that is right without it. */
crank_status crank_run_blame_settings(const crank_run *run, const char *path,
                                      const crank_model_options *options, crank_status status,
                                      crank_error *err);
/* The file is as it was: what does not fit is the value. */
crank_status crank_run_blame_setting(const char *name, double value, crank_status status,
                                     crank_error *err);
/* What formulation or integrator refuse, if they accept what the file alone asks for. */
crank_status crank_run_blame_refused(const crank_run *run, crank_status status,
                                     crank_error *err);
/* A step failed: the force at whose pole the run ends, or the table at whose end, friction that
 * locks, or what lost its inertia; tolerances would not help. */
crank_status crank_run_explain(const crank_run *run, crank_status status, crank_error *err);
/* Which event has changed the rank of the constraints, behind what err says. */
void crank_run_explain_event(const crank_run *run, crank_error *err);
/* A step succeeded, but many do not: friction that locks. Methods whose equations hold no
 * accelerations may creep on behind that. */
crank_status crank_run_look_for_lock(const crank_run *run, crank_error *err);

/* NULL before crank_run_formulate. */
const crank_problem *crank_run_problem(const crank_run *run);

#endif
