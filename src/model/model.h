/* model.h - the inside of a crank_model: what every kind of model must provide. run/model.c
 * reads the file and finds the kind; each kind fills this record. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MODEL_H
#define CRANK_SRC_MODEL_H

#include <crank/model.h>

#include "eom/eom.h"
#include "model/named_file.h"
#include "model/tree.h"
#include "symbolic/symbolic.h"

/* What a kind of model does; self: the supplier of an eom of its own, or of a state's. */
typedef struct crank_model_functions {
    /* Makes the supplier of eom, which shares its equations with the model's. The eom destroys
     * it, also after a failure. */
    crank_status (*share)(const crank_model *model, crank_eom *eom, crank_error *err);
    crank_status (*columns)(const crank_model *model, void *self, double t, const double *x,
                            double *values, crank_error *err);
    /* A run starts at (t, x). */
    crank_status (*begin)(void *self, double t, const double *x, crank_error *err);
    /* Present values of parameters that are variables, and those at the start. */
    double *(*parameters)(void *self, double **start);
    /* Values of the arguments of narrow parts (features.h) at (t, x); NULL: they are unknowns
     * and parameters. */
    void (*inputs)(void *self, double t, const double *x, double *inputs);
    /* crank_eom_initialize, by what the model knows of its start; NULL: nothing. */
    crank_status (*find_start)(void *self, double t, double *x, const crank_fixing *fixing,
                               double *reached, crank_initial_report *report, crank_log log,
                               crank_error *err);
    /* Start values that are found in other unknowns than those of the eom, consistent, but for
     * w and multipliers; NULL: crank_eom_initialize finds them. */
    crank_status (*assemble)(void *self, double t, double *x, crank_initial_report *report,
                             crank_log log, crank_error *err);
    /* The eom of these unknowns; their start values, what assemble found, and what may be
     * moved; NULL like assemble. */
    crank_eom *(*assembly)(void *self, const double **given, const double **found,
                           const crank_fixing **fixing);
    /* Positions, velocities and variables of x at t from the columns of a row (NaN: not known),
     * the other unknowns stay; NULL: columns are unknowns as `source` says. */
    crank_status (*place)(void *self, double t, const double *values, double *x,
                          crank_error *err);
    /* Velocities of x, consistent at positions of a row, where wheels that roll at the start
     * (own, found last) roll; NULL: there are none. */
    crank_status (*roll)(void *self, double t, const double *own, double *x,
                         const crank_fixing *fixing, crank_error *err);
} crank_model_functions;

/* Constant once it is made. */
struct crank_model {
    crank_store store; /* everything below but the eom */
    const char *kind;
    const crank_model_functions *functions;
    struct crank_origin *origin; /* what it was made of (run/origin.h), and how */
    crank_model_options options;
    crank_eom *eom; /* the pattern of those of states: nobody evaluates it any more */
    crank_simulate simulate;
    double *start;
    crank_fixing *fixing;
    int column_count;
    const char **column_name, **column_unit, **column_description;
    int unused_count;
    const char **unused;
    int parameter_count;
    crank_parameter *parameter;
    int *parameter_place; /* among those that are variables; -1: it is a number */
    /* parameters made of those that vary, and their values from theirs; NULL: none */
    struct crank_tape *following;
    int varied_count, following_count;
    const char **following_name;
    int file_count;
    const char **file;                  /* read besides the model file */
    const char *title;                  /* NULL: the file gives none */
    const char *scene;                  /* JSON, docs/develop/page.md; NULL: nothing to draw */
    struct crank_event_set *events;     /* events.h; NULL: none */
    struct crank_switch_set *switches;  /* switches.h; NULL: none */
    struct crank_feature_set *features; /* features.h; NULL: none */
    int variable_columns;               /* equations, dae: the first columns are unknowns */
    int *source;                        /* index in x of these */
    /* of the columns behind them, which must have values at the start; NULL: they need not */
    crank_place *must_have;
};

/* What changes in a run. */
struct crank_state {
    const crank_model *model;
    crank_store store; /* everything below but the eom */
    crank_eom *eom;
    double *start; /* n */
    int setting_count, setting_capacity;
    crank_setting *setting;              /* what was set */
    crank_model *own;                    /* made again with it; NULL: none */
    struct crank_event_work *events;     /* events.h; NULL: none */
    struct crank_switch_work *switches;  /* switches.h; NULL: none */
    struct crank_feature_work *features; /* features.h; NULL: none */
};

/* Copies that live in the model's store; NULL: out of memory (sticky in the store). */
const char *crank_model_keep_text(crank_model *model, const char *text);
void *crank_model_keep(crank_model *model, const void *data, size_t count, size_t size);
crank_status crank_model_keep_simulate(crank_model *model, const crank_simulate *from,
                                       crank_error *err);

/* A parameter more; false: out of memory. capacity: how many there can be, the same in all
 * calls. */
bool crank_model_keep_parameter(crank_model *model, int capacity, const char *name,
                                double value, int place, bool baked);
/* A parameter that is given by other ones. */
typedef struct crank_follower {
    const char *name;
    crank_ex value;
} crank_follower;
/* Those of the list that follow one of those that vary (symbols). */
crank_status crank_model_keep_following(crank_model *model, crank_pool *pool, int varied,
                                        const crank_ex *symbols, int count,
                                        const crank_follower *list, crank_error *err);
/* Does the caller ask for a parameter that varies? */
bool crank_model_varies(const crank_model_options *options, const char *name);

/* For derivatives by inputs: the input `name` becomes what its file says plus
 * by (t - t0)^order/order!, so that its derivative of that order is changed by `by` at t0. Tells
 * whether the model has it, and its value where that is a number (else NaN). */
typedef struct crank_nudge {
    const char *name;
    int order; /* 0, 1, 2 */
    double by, t;
    bool *found;
    double *value;
} crank_nudge;
/* value, or the moved one if the input is the one; nudge.c. */
crank_ex crank_model_nudge(const crank_model_options *options, crank_pool *pool, crank_ex t,
                           const char *name, crank_ex value);

/* keep.c: methods inline-... are told why they cannot take the model's equations; others can. */
crank_status crank_model_refuse_inlined(crank_model *model, const char *reason,
                                        crank_error *err);

/* Keeps files that were read, the newest first. */
crank_status crank_model_keep_files(crank_model *model, const crank_named_file *files,
                                    crank_error *err);

/* What a model is made of. */
typedef struct crank_model_source {
    const char *kind;
    const crank_document *document;
    const char *path;                     /* of the file; NULL: from no file */
    const struct crank_mo_file *modelica; /* a Modelica file; NULL: another one */
    crank_files *files; /* that it names: those already read; others are added */
    const crank_model_options *options;
} crank_model_source;

/* Fills everything but store, kind and origin. */
typedef crank_status crank_model_make_fn(crank_model *model, const crank_model_source *source,
                                         crank_error *err);
crank_model_make_fn crank_equations_make; /* model/equations_model.c */
crank_model_make_fn crank_dae_make;       /* model/dae_model.c */
crank_model_make_fn crank_mechanism_make; /* mechanics/system.c */
crank_model_make_fn crank_modelica_make;  /* run/translate.c */

/* The analysis in words, a finding a line; *fine: a motion follows. */
crank_status crank_dae_check(const crank_model_source *source, bool formulas, crank_text *text,
                             bool *fine, crank_error *err);

#endif
