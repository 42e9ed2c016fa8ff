/* dae.h - a `crank: dae` file: E(x,t) x' = k(x,t), theory (10.1), read, analysed and made into
 * an eom.
 *
 * The road: dae_read.c fills names, variables and equations, dae_split.c takes E and k out of
 * them, the analysis (dae/analysis.h) finds all constraints, dae_eom.c makes of them an eom,
 * whose rows dae_supply.c evaluates. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DAE_H
#define CRANK_SRC_DAE_H

#include "dae/analysis.h"
#include "model/dae/dae_discrete.h"
#include "model/equations/equations.h"

typedef struct crank_dae_equation {
    const char *name;        /* NULL: it is known by its number */
    const crank_node *place; /* where it stands, for messages */
    const crank_node *node;  /* its text */
    int prescribed;          /* the variable that it prescribes, -1: none */
    crank_ex ex;             /* left - right side, of variables, their derivatives and t */
} crank_dae_equation;

typedef struct crank_dae_file {
    /* names, parameters, outputs, simulate and view; the variables are of group p, their
     * derivatives x' are e.acceleration */
    crank_equations e;
    int equation_count; /* those of the file, then prescriptions */
    crank_dae_equation *equation;
    crank_ex *variable;         /* n symbols */
    crank_ex *E, *k;            /* equations x n by rows; equations */
    double *start, *nominal;    /* n */
    bool *nominal_given;        /* n */
    const char **equation_name; /* by equation, entries may be NULL */
    crank_ex *when, *action;    /* of events: functions, and values of actions */
    int action_count;
    bool modelica;     /* equations of components: messages speak of these */
    bool fixing_given; /* some start value is said to be fixed or free */
    int initial_count; /* conditions at the start, left - right, of rates, too (flat DAEs) */
    crank_ex *initial;
    const char **initial_name;
    const crank_node **initial_place;
    crank_dae_discrete *discrete; /* NULL: none (flat DAEs) */
} crank_dae_file;

/* dae_read.c: the caller has set store, document, options, pool, path and general of e. */
crank_status crank_dae_read(crank_dae_file *file, crank_error *err);
/* 'equation "length"', 'equation 3' into text (CRANK_OBJECT_TEXT); returns it. */
const char *crank_dae_object(const crank_dae_file *file, int equation, char *text);

/* dae_model.c: what follows once a file is read: the analysis, the eom, everything else of a
 * model; or the analysis in words. */
crank_status crank_dae_complete(crank_model *model, crank_dae_file *file, crank_error *err);
crank_status crank_dae_describe_file(crank_dae_file *file, bool formulas, crank_text *text,
                                     bool *fine, crank_error *err);

/* dae_split.c: E, k. An equation that is not linear in derivatives is refused. */
crank_status crank_dae_split_equations(crank_dae_file *file, crank_error *err);

/* dae_supply.c: evaluates the eom. */
typedef struct crank_dae_supplier crank_dae_supplier;
/* Makes the supplier of eom (sizes p and n, names), its patterns and flags; destroying the eom
 * destroys it. */
crank_status crank_dae_supply(crank_dae_file *file, const crank_dae_report *report,
                              crank_eom *eom, crank_dae_supplier **out, crank_error *err);
/* The supplier of eom (crank_eom_share) with the same tapes. The eom destroys it. */
crank_status crank_dae_share(const crank_model *model, crank_eom *eom, crank_error *err);
/* A row of the model at (t, x): its unknowns, then its outputs, NaN where they are not defined. */
crank_status crank_dae_columns(const crank_model *model, void *self, double t, const double *x,
                               double *values, crank_error *err);

/* Values of the conditions at the start. */
crank_status crank_dae_initial(void *self, double t, const double *x, double *conditions,
                               crank_error *err);

/* dae_events.c: `events:`; the model's events and what is evaluated for them, before the
 * supplier is made; what it has for them, afterwards. */
crank_status crank_dae_read_events(crank_dae_file *file, crank_error *err);
crank_status crank_dae_make_events(crank_model *model, crank_dae_file *file, crank_error *err);
void crank_dae_connect_events(crank_model *model);

/* dae_memory.c: start values of the discrete variables from those of the others, as far as they
 * can be guessed; widths of the relations' bands. The model's copy of the record. */
crank_status crank_dae_guess_memory(crank_dae_file *file, crank_error *err);
crank_status crank_dae_keep_discrete(crank_model *model, crank_dae_file *file,
                                     crank_error *err);

/* dae_programs.c: the expressions that the supplier evaluates, in the file's store. */
typedef struct crank_dae_programs {
    int differential, constraints, rows; /* rows = differential + constraints */
    /* A = [E_D; k_C,x] by its non-zeros, constraints last and by columns; r = [k_D; -k_C,t] */
    int entries;
    int *row, *column;
    crank_ex *entry, *right; /* entries, rows */
    crank_ex *constraint;    /* k_C */
    /* d(r - A b)/dx by its non-zeros; b are the symbols e.acceleration */
    int change_entries;
    int *change_row, *change_column;
    crank_ex *change;
    bool autonomous, outputs_with_rates;
    bool constant; /* A has numbers only */
} crank_dae_programs;
crank_status crank_dae_write_programs(crank_dae_file *file, const crank_dae_report *report,
                                      crank_dae_programs *out, crank_error *err);

#endif
