/* run.h - the front door: a model and its motion, everything by name.
 *
 *     crank_run *run;
 *     crank_error err = {0};
 *     crank_status status = crank_run_open("pendulum.yaml", NULL, &run, &err);
 *     for (int i = 0; i <= 10 && status == CRANK_OK; i++) {
 *         status = crank_run_advance(run, 0.1 * i, &err);
 *         printf("%g %g\n", crank_run_time(run), crank_run_value(run, "x"));
 *     }
 *     crank_run_close(run);
 *
 * open reads the file and settles the options: the library's defaults, then those that the
 * method's name stands for, then the file's, then the caller's. initialize finds consistent
 * initial values, formulate and start make what integrates; they are done by the first call
 * that needs them. A run is used by one thread at a time. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_RUN_H
#define CRANK_RUN_H

#include <crank/integrate.h>
#include <crank/model.h>
#include <crank/results.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crank_run crank_run;

/* Asked before every step: anything but CRANK_OK ends the call that asked, with that status
 * (CRANK_EINTERRUPTED). The run can go on afterwards. */
typedef crank_status crank_run_stop_fn(void *user, crank_error *err);

/* What is to happen where a run passes zeros of the caller's functions: crank_run_happen asks,
 * after the model's own events. happened: per function, as of crank_integrator_events, at the
 * unknowns x; *stop: the run ends here. */
typedef crank_status crank_run_happen_fn(void *user, const signed char *happened, double t,
                                         const double *x, bool *stop, crank_error *err);

typedef struct crank_run_options {
    size_t size;
    const char *method;            /* NULL: the file's, or auto */
    const crank_setting *settings; /* parameters and start values of the file */
    int setting_count;
    const crank_setting *options; /* of the method: names and values for crank_options_set */
    int option_count;
    double t_end;        /* NaN: the file's */
    const char *model;   /* of a Modelica file: "Package.Model"; NULL: its last model */
    const char *library; /* folder with packages of Modelica; NULL: none besides crank's own */
    bool compile;        /* through the system's C compiler */
    crank_log log;
    crank_run_stop_fn *stop; /* NULL: nobody stops it */
    void *stop_user;
    /* functions of the caller's: steps end at their zeros. crank_integrator_events has those of
     * the model, if any, before them. Copied, but for what it points to; NULL: none */
    const crank_events *events;
    crank_run_happen_fn *happen; /* NULL: the run goes on; user: that of the events */
} crank_run_options;

/* How start values were found: unknowns of this eom as the file gives them, what may be moved
 * (NULL: nothing is said), and after initialize. It is the run's own but for mechanisms in
 * joint coordinates, which are assembled in absolute ones. */
typedef struct crank_run_assembly {
    crank_eom *eom;
    int n;
    const double *given, *found;
    const crank_fixing *fixing;
} crank_run_assembly;

/* Where a run begins. */
typedef struct crank_run_beginning {
    double t;
    const double *given, *x; /* n: as written, and after initialize */
    const crank_initial_report *report;
} crank_run_beginning;

/* What the method's name stands for. */
typedef struct crank_run_method {
    const char *name, *formulation, *integrator;
} crank_run_method;

CRANK_API crank_run_options crank_run_options_default(void);
/* Errors that the caller can mend, not the file, have err->given. */
CRANK_API crank_status crank_run_open(const char *path, const crank_run_options *options,
                                      crank_run **out, crank_error *err);
/* A run of a model that is there, and must outlive it: threads may share it. What the options
 * ask for beyond it (settings, a treatment of accelerations that the method needs) makes the
 * run a model of its own, without reading the file again. */
CRANK_API crank_status crank_run_open_model(const crank_model *model,
                                            const crank_run_options *options, crank_run **out,
                                            crank_error *err);
/* Equations of motion in C (which the run does not own) from (t0, x0) on; method and t_end must
 * be given. Values are the unknowns, by their names. */
CRANK_API crank_status crank_run_open_eom(crank_eom *eom, double t0, const double *x0,
                                          const crank_run_options *options, crank_run **out,
                                          crank_error *err);
CRANK_API void crank_run_close(crank_run *run);

/* ---- set-up, step by step: for those who change or show something on the way ---- */

/* NULL: equations in C. */
CRANK_API const crank_model *crank_run_model(const crank_run *run);
CRANK_API crank_state *crank_run_model_state(crank_run *run);
CRANK_API crank_eom *crank_run_eom(crank_run *run);
CRANK_API crank_run_method crank_run_get_method(const crank_run *run);
/* As settled; may be changed before initialize and formulate. */
CRANK_API crank_options *crank_run_settled(crank_run *run);
/* Another value for a parameter or a start value (crank_state_set), before initialize. What
 * crank_run_eom, _model and _get_beginning gave before counts no more. */
CRANK_API crank_status crank_run_set(crank_run *run, const char *name, double value,
                                     crank_error *err);
/* Consistent initial values (without check_initial they are left as given). */
CRANK_API crank_status crank_run_initialize(crank_run *run, crank_error *err);
CRANK_API crank_run_beginning crank_run_get_beginning(const crank_run *run);
CRANK_API crank_run_assembly crank_run_get_assembly(const crank_run *run);
/* After initialize has failed: the point that its search has come to, levels that hold there
 * are solved, as initial values. */
CRANK_API void crank_run_begin_where_search_ended(crank_run *run);
/* Begins at a row of a result of this model (of any format, method and coordinates), at its
 * time, instead of at the file's start; before formulate. Positions, velocities and variables
 * are those of the row, the rest follows. The `initial:` section has no meaning then; work
 * (energy.dissipated, energy.supplied) and turns of angles are counted from here on; parameters
 * that events set have the file's values. EARG with the missing column: another model's. */
CRANK_API crank_status crank_run_begin_from(crank_run *run, const crank_table *table, int row,
                                            crank_error *err);
/* The same with the positions and variables of the row alone: velocities are those of the model's
 * own start, and so is the time. A machine sets off from where it rested. */
CRANK_API crank_status crank_run_begin_placed(crank_run *run, const crank_table *table, int row,
                                              crank_error *err);
/* Other initial values, before formulate. */
CRANK_API void crank_run_set_beginning(crank_run *run, const double *x);
CRANK_API double crank_run_end(const crank_run *run);
/* Formulation and integrator with the model's events, from the beginning on. What is refused is
 * blamed on the caller if the model is accepted with what its file alone asks for. */
CRANK_API crank_status crank_run_formulate(crank_run *run, crank_error *err);
CRANK_API crank_integrator *crank_run_integrator(crank_run *run); /* NULL before */
CRANK_API crank_status crank_run_start(crank_run *run, crank_error *err);
/* Starts, and stands at the end of the step at which crank_integrator_save made the data of a
 * run like this one; crank_run_look goes to earlier times of that step. Parameters that vary
 * get their values from the data, too. */
CRANK_API crank_status crank_run_load(crank_run *run, const void *data, size_t size,
                                      crank_error *err);

/* ---- motion ---- */

/* When rows are due. */
typedef struct crank_run_rows {
    bool steps;          /* at the start and at the end of every step */
    const double *times; /* or here: count, rising; NULL: from t on, */
    double t, every;     /* so many seconds apart and at the end; 0: */
    int64_t count;       /* at so many equal intervals to the end */
    int64_t next;        /* number of the next row */
    bool events;         /* besides: before an event, and after one that changed something */
} crank_run_rows;

/* To t, through events; the state there is the present one: where conditions in time alone
 * change, the one behind, as in rows. A run that has ended (crank_run_finished) stays where it
 * is. */
CRANK_API crank_status crank_run_advance(crank_run *run, double t, crank_error *err);
/* To the end; rows at so many equal intervals (0: the file's, or 200; one row if the run is at
 * its end). *out is the caller's, also after a failure, with the rows until then. */
CRANK_API crank_status crank_run_table(crank_run *run, int intervals, crank_table **out,
                                       crank_error *err);
/* The same with rows where they are said to be due (crank_run_divide makes them). */
CRANK_API crank_status crank_run_record_rows(crank_run *run, crank_run_rows *rows,
                                             crank_table **out, crank_error *err);
CRANK_API double crank_run_time(const crank_run *run);
/* The end of the last step. */
CRANK_API double crank_run_reached(const crank_run *run);
/* At the end time, or stopped by an event. */
CRANK_API bool crank_run_finished(const crank_run *run);
CRANK_API bool crank_run_stopped(const crank_run *run);

/* After a call has failed with `status`: the state that the run has reached becomes the present
 * one, for a last row that says where; crank_run_record_rows adds it. False: there is none. At
 * the dead centre of a drive, *unbounded, there is none: forces have no bound there, and would be
 * all that plots show. */
CRANK_API bool crank_run_look_where_stopped(crank_run *run, crank_status status,
                                            bool *unbounded);

/* One step, whether events happened at its end, and what the model says to them: for those who
 * write rows before and after. A step leaves the present state as it is; look: the state at t
 * in the last step or at its end becomes the present one. happen: EARG, if nothing happened. */
CRANK_API crank_status crank_run_step(crank_run *run, crank_error *err);
CRANK_API bool crank_run_happened(const crank_run *run);
CRANK_API crank_status crank_run_happen(crank_run *run, crank_event_outcome *outcome,
                                        crank_error *err);
CRANK_API crank_status crank_run_look(crank_run *run, double t, crank_error *err);
CRANK_API const double *crank_run_state(const crank_run *run); /* n, at crank_run_time */

typedef crank_status crank_run_visit_fn(crank_run *run, void *user, crank_error *err);

/* What is done on the way; each may be NULL. A failure ends it. */
typedef struct crank_run_visitor {
    crank_run_visit_fn *before, *after; /* a step; after it, but before its rows */
    crank_run_visit_fn *row;            /* the present state is that of a row */
    crank_run_visit_fn *event;          /* instead of crank_run_happen */
    void *user;
} crank_run_visitor;

/* To the end, with rows on the way. */
CRANK_API crank_status crank_run_visit(crank_run *run, crank_run_rows *rows,
                                       const crank_run_visitor *visitor, crank_error *err);
/* The last step as a polynomial: `row` is called at CRANK_STEP_POINTS points of it, from `begin`
 * (crank_run_reached before it) to its end; looks of rows between them are as accurate as the
 * method. A step across a singular position comes in pieces of so many points each: forces have a
 * pole there. For `after` of a visitor. */
enum { CRANK_STEP_POINTS = 8 };
CRANK_API crank_status crank_run_sample(crank_run *run, double begin, crank_run_visit_fn *row,
                                        void *user, crank_error *err);
/* out (n) = the polynomials through such points at t: times (CRANK_STEP_POINTS), values (n of
 * each point, point by point). */
CRANK_API void crank_between(int n, const double *times, const double *values, double t,
                             double *out);
/* Rows from the run's time on, so many seconds apart (> 0) or at so many intervals (> 0), else
 * as the file says, or 200. ETIME: they would be too many, or the end lies before. */
CRANK_API crank_status crank_run_divide(const crank_run *run, double every, int64_t intervals,
                                        crank_run_rows *rows, crank_error *err);

/* ---- many runs of one model ---- */

typedef crank_status crank_run_each_fn(crank_run *run, int i, void *user, crank_error *err);

/* Opens runs 0 to count - 1 of the model, each with these options, hands them to `each` and
 * closes them, in at most so many threads, the caller's among them: `each` and the options' log
 * are called by all of them. Runs after a failure are done, too; the failure of the lowest
 * number is returned. */
CRANK_API crank_status crank_run_each(const crank_model *model,
                                      const crank_run_options *options, int count, int threads,
                                      crank_run_each_fn *each, void *user, crank_error *err);

/* ---- values ---- */

CRANK_API int crank_run_column_count(const crank_run *run);
CRANK_API const char *crank_run_column_name(const crank_run *run, int column);
CRANK_API int crank_run_find(const crank_run *run, const char *name); /* -1: none */
/* At crank_run_time; NaN: there is no such column, or it cannot be evaluated. Asking for values
 * initializes the run. */
CRANK_API double crank_run_value(crank_run *run, const char *name);
/* All columns there; lives until the next call. NULL: they cannot be evaluated. */
CRANK_API const double *crank_run_values(crank_run *run, crank_error *err);

#ifdef __cplusplus
}
#endif

#endif
