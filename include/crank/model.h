/* model.h - model files: read, checked, made into an eom. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_MODEL_H
#define CRANK_MODEL_H

#include <crank/eom.h>
#include <crank/events.h>
#include <crank/options.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crank_model crank_model; /* constant once it is read: threads may share it */
typedef struct crank_state crank_state; /* what changes in a run of it */

typedef struct crank_setting { /* --set name=value */
    const char *name, *value;
} crank_setting;

typedef struct crank_model_options {
    size_t size;
    const crank_setting *settings; /* override parameters and start values */
    int setting_count;
    crank_accelerations accelerations;
    crank_coordinates_choice coordinates;
    crank_orientation orientation;
    const char *model;   /* of a Modelica file: "Package.Model"; NULL: its last model */
    const char *library; /* folder with packages of Modelica; NULL: none besides crank's own */
    bool compile;        /* through the system's C compiler */
    bool inlined;        /* for methods inline-... alone */
    const char *cache;   /* directory for compiled models; NULL: the user's cache directory */
    /* Parameters that states will give other values: they stay variables of the equations, so
     * that nothing is made again, where they stand in expressions alone (crank_parameter tells;
     * numbers of mechanisms and general DAEs, masses and start values are none). Expressions of
     * a view that contain them become columns. */
    const char *const *vary;
    int vary_count;
    crank_log log;
    const struct crank_nudge *nudge; /* the library's own: NULL */
} crank_model_options;

/* What the file says under `simulate:`; options it does not mention keep what they had. */
typedef struct crank_simulate {
    double t_start, t_end; /* 0, 1 */
    double every;          /* 0: not given */
    int points;            /* 0: not given */
    const char *method;    /* NULL: not given */
    bool has_t_end;
    int option_count;
    const crank_setting *options; /* names and values for crank_options_set */
    const int *option_line;
    int method_line, method_column; /* place of method, 0: not given */
} crank_simulate;

/* A parameter of the file; in_place: states can change it as it is. Else numbers have been made
 * of it (a mass, a length, a stiffness of a mechanism, a start value, a count), and
 * crank_state_set makes the state a model of its own. */
typedef struct crank_parameter {
    const char *name;
    double value;
    bool in_place;
} crank_parameter;

CRANK_API crank_model_options crank_model_options_default(void);
/* Reads a file (YAML or JSON; .mo, .bmo: Modelica). Errors carry line and column; err->text
 * starts with the object. */
CRANK_API crank_status crank_model_read(const char *path, const crank_model_options *options,
                                        crank_model **out, crank_error *err);
/* The same from memory; name is used in messages, and its ending tells the format. */
CRANK_API crank_status crank_model_read_text(const char *name, const char *text, size_t length,
                                             const crank_model_options *options,
                                             crank_model **out, crank_error *err);
/* How the files of other programs are read: URDF, MJCF. */
typedef struct crank_import_options {
    size_t size;
    const char *loops;   /* a YAML file that closes loops of a URDF; NULL: none */
    bool strict;         /* what cannot be used is an error */
    crank_log log;       /* hears what cannot be used, with its lines */
    const char *library; /* crank_model_options */
} crank_import_options;
CRANK_API crank_import_options crank_import_options_default(void);
/* Such a file as the text of a mechanism file; *text is the caller's to free(). crank_model_read
 * reads them as well. A model file is written as crank sees it, without its comments. */
CRANK_API crank_status crank_model_import(const char *path, const crank_import_options *options,
                                          char **text, crank_error *err);
/* The other way: a mechanism file as the text of a URDF or an MJCF file; options: `loops` has no
 * meaning. What these formats cannot say is told. */
CRANK_API crank_status crank_model_export(const char *path, bool mjcf,
                                          const crank_import_options *options, char **text,
                                          crank_error *err);
/* The same file with other options (all of them: settings and vary of `from` do not count),
 * without reading it, or files that it names, again. */
CRANK_API crank_status crank_model_remake(const crank_model *from,
                                          const crank_model_options *options, crank_model **out,
                                          crank_error *err);
CRANK_API void crank_model_destroy(crank_model *model);
/* The analysis of a `crank: dae` or Modelica file in words, also of one that no motion follows
 * from (*fine is false then, and reading it as a model fails). formulas: also the ranks of all
 * levels, the selected equations and the underlying ODE. *text is the caller's to free(); NULL
 * with CRANK_OK: another kind of file. */
CRANK_API crank_status crank_model_analyse(const char *path, const crank_model_options *options,
                                           bool formulas, char **text, bool *fine,
                                           crank_error *err);

/* A Modelica file after one of the passes that it goes through (crank_model_pass), as text for
 * people. *text is the caller's to free(). */
CRANK_API crank_status crank_model_dump(const char *path, const crank_model_options *options,
                                        const char *pass, char **text, crank_error *err);
/* The names of passes, in their order: "lexer" (tokens), "flat" (without components),
 * "units" (warnings), "discrete", "alias", "blt" (blocks in the order of solution), "states",
 * "tearing", "c" (of methods inline-...), "explicit"; NULL past the end. */
CRANK_API const char *crank_model_pass(int i);

/* For names, sizes and patterns; states have those that can be evaluated. */
CRANK_API const crank_eom *crank_model_eom(const crank_model *model);
CRANK_API const crank_simulate *crank_model_simulate(const crank_model *model);
CRANK_API const char *crank_model_kind(const crank_model *model);    /* "equations" */
CRANK_API const double *crank_model_start(const crank_model *model); /* start values, n */
CRANK_API const crank_fixing *crank_model_fixing(const crank_model *model); /* n */
/* Columns of a result: variables by name in the user's order, multipliers, then outputs. */
CRANK_API int crank_model_column_count(const crank_model *model);
CRANK_API const char *crank_model_column_name(const crank_model *model, int column);
/* "m", "rad/s"; "": not known. One line about the column; "": none. */
CRANK_API const char *crank_model_column_unit(const crank_model *model, int column);
CRANK_API const char *crank_model_column_description(const crank_model *model, int column);
/* The i-th parameter; NULL past the end. */
CRANK_API const crank_parameter *crank_model_parameter(const crank_model *model, int i);
/* The title for pages and plots: `title` of the file, or its name without directory and
 * ending. */
CRANK_API const char *crank_model_title(const crank_model *model);
/* How the model looks, for the page: JSON as docs/develop/page.md says, one line; bodies,
 * joints and forces of mechanisms, and what the file's `view:` section declares. *text is the
 * caller's to free(); NULL with CRANK_OK if there is nothing to draw. */
CRANK_API crank_status crank_model_scene(const crank_model *model, char **text,
                                         crank_error *err);
/* What model files may contain: a JSON Schema for editors, and all keys of mechanism files as
 * tables in Markdown. *text is the caller's to free(). */
CRANK_API crank_status crank_model_schema(char **text, crank_error *err);
CRANK_API crank_status crank_model_reference(char **text, crank_error *err);
/* Files that were read besides the model file itself (tables, includes), one per call; NULL
 * past the end. */
CRANK_API const char *crank_model_file(const crank_model *model, int i);
/* Unused definitions, one per call; NULL past the end. */
CRANK_API const char *crank_model_unused(const crank_model *model, int i);

/* ---- states: as many as wanted of one model, each used by one thread at a time ---- */

/* At the file's start values. The model must outlive it. */
CRANK_API crank_status crank_state_create(const crank_model *model, crank_state **out,
                                          crank_error *err);
CRANK_API void crank_state_destroy(crank_state *state);
CRANK_API const crank_model *crank_state_model(const crank_state *state);
CRANK_API crank_eom *crank_state_eom(crank_state *state);            /* owned by the state */
CRANK_API const double *crank_state_start(const crank_state *state); /* start values, n */
/* Another value for a parameter or a start value, by the name that settings have, before a run
 * begins. *remade (may be NULL): the state has a model of its own now, made again with all that
 * was set, without reading the file; its eom is another one, and sizes and names may have
 * changed. After a failure the state is as it was. */
CRANK_API crank_status crank_state_set(crank_state *state, const char *name, double value,
                                       bool *remade, crank_error *err);
/* A run begins at (t, x): parameters that events set have their start values, angles are
 * counted from here on, and stated invariants keep the values that they have here: their rows
 * become e(x,t) - e(x0,t0). */
CRANK_API crank_status crank_state_begin(crank_state *state, double t, const double *x,
                                         crank_error *err);
/* Values of all columns at (t, x). Does not allocate. */
CRANK_API crank_status crank_state_columns(crank_state *state, double t, const double *x,
                                           double *values, crank_error *err);

/* Fails, with the column's name and place, where an equation of a Modelica model gives a value
 * that is not finite; other models have no such columns. */
CRANK_API crank_status crank_state_check_columns(const crank_state *state, double t,
                                                 const double *values, crank_error *err);

/* ---- events: the file's `events:` section ---- */

/* For crank_integrator_set_events; count 0: none. Lives as long as the state. */
CRANK_API crank_events crank_state_events(crank_state *state);

typedef struct crank_event_outcome {
    bool stop;      /* the run ends here */
    bool changed;   /* x or parameters were changed: crank_integrator_restart */
    char text[240]; /* what happened, for people: 'event "floor": impact, ...' */
} crank_event_outcome;

/* Does what the file says about the events that happened at (t, x) (of
 * crank_integrator_events); x is changed in place and satisfies all constraints afterwards. */
CRANK_API crank_status crank_state_apply_events(crank_state *state, const signed char *happened,
                                                double t, double *x,
                                                crank_event_outcome *outcome, crank_error *err);

#ifdef __cplusplus
}
#endif

#endif
