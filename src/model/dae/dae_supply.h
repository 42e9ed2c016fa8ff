/* dae_supply.h - the supplier of a `crank: dae` file's eom: dae_supply.c evaluates,
 * dae_create.c sets up. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DAE_SUPPLY_H
#define CRANK_SRC_DAE_SUPPLY_H

#include "base/arena.h"
#include "model/dae/dae.h"
#include "model/watch.h"

#include <crank/model.h>

typedef enum crank_dae_tape {
    CRANK_DAE_TAPE_MATRIX,
    CRANK_DAE_TAPE_CHANGE,
    CRANK_DAE_TAPE_CONSTRAINTS,
    CRANK_DAE_TAPE_OUTPUTS,
    CRANK_DAE_TAPE_EVENTS,
    CRANK_DAE_TAPE_ACTIONS,
    CRANK_DAE_TAPE_TABLES, /* their arguments */
    CRANK_DAE_TAPE_INITIAL,
    CRANK_DAE_TAPE_RELATIONS, /* their functions */
    CRANK_DAE_TAPE_SLOPES,    /* the derivatives of these in time */
    CRANK_DAE_TAPE_UPDATES,   /* dae_discrete.h */
    CRANK_DAE_TAPES
} crank_dae_tape;

struct crank_dae_supplier {
    crank_eom *eom;
    bool shared; /* tapes are another's: crank_dae_share */
    crank_tape *tape[CRANK_DAE_TAPES];
    int outputs[CRANK_DAE_TAPES];
    int n, rows, differential, constraints, entries, change_entries, work_size;
    bool outputs_with_rates;
    bool constant, factored; /* A is the same everywhere; its factors are those in A */
    crank_arena arena;
    int *row, *column, *change_row, *change_column; /* of A, of d(r - A b)/dx */
    double *scale, *unit;                           /* rows, n */
    double *in;                                     /* 1 + 2 n: t, x, b */
    double *registers;
    double *out;    /* of CRANK_DAE_TAPE_MATRIX: entries of A, then r */
    double *change; /* entries */
    double *A;      /* rows x n */
    double *B;      /* rows x n: right-hand sides */
    int *order;     /* n */
    double *tau, *rate, *work;
    double *last,
        *last_tau; /* factors of A where the last step ended, and its orientation (0: none) */
    int side;
    double last_t;
    double *size;   /* rows: of the terms of r - A b */
    int *slot;      /* entries of the constraints' derivatives: place in the Jacobian */
    int *rate_slot; /* n x n: place of db_i/dx_j, -1: always zero */
    struct crank_dae_inline *inlined;              /* dae_inline.h, if not shared; NULL: none */
    const struct crank_dae_translated *translated; /* dae_translated.h; NULL: all of A above */
    bool starting;                                 /* of it: conditions of the start hold */
    crank_watches watches;                         /* store, if not shared; items */
    double *watched;                               /* of CRANK_DAE_TAPE_TABLES */
    bool *told;
    const crank_dae_discrete *discrete; /* NULL: none; the model's */
    double *function, *was, *slope, *slope_size, *slope_before, *width; /* relations */
    double *band; /* relations: they change where their functions are so far beyond zero */
    int *turn;
    double t_end;          /* of the run */
    bool *stays;           /* it left zero by less than is resolved, and keeps its value */
    double *update;        /* outputs of CRANK_DAE_TAPE_UPDATES */
    bool *held;            /* messages: the condition held before */
    double *given, *trial; /* n */
    crank_fixing *fixing;  /* n */
    /* of an event with reinit: what it has set, and discrete unknowns; x before settling; what
     * may follow; n */
    bool reset, *held_fast;
    double *before;
    crank_fixing *yielding;
};

/* dae_create.c: its tapes and memory; translated: those of it, without A. Destroying the eom
 * destroys it. */
crank_status crank_dae_supplier_create(crank_dae_file *file, const crank_dae_programs *p,
                                       crank_eom *eom,
                                       const struct crank_dae_translated *translated,
                                       crank_dae_supplier **out, crank_error *err);
/* Factors A at (t, x) and finds b; then db/dx, in the first n rows of B (rows x n), of entries
 * of d(r - A b)/dx that are computed or (solve) given in change. */
crank_status crank_dae_find_rates(crank_dae_supplier *s, double t, const double *x,
                                  crank_error *err);
crank_status crank_dae_find_change(crank_dae_supplier *s, double t, crank_error *err);
void crank_dae_solve_change(crank_dae_supplier *s);
/* Before x is reset: the rank of A is watched again from the next step on. */
void crank_dae_forget(crank_dae_supplier *s);
/* The outputs of a tape at (t, x) (of b those of the last call of crank_dae_find_rates). */
void crank_dae_run(crank_dae_supplier *s, crank_dae_tape name, double t, const double *x,
                   double *out);
/* functions of crank_eom_supplier */
crank_status crank_dae_evaluate(void *self, int count, const double *t, const double *x,
                                int rows, double *k, crank_error *err);
crank_status crank_dae_jacobian(void *self, double t, const double *x, const double *vdot,
                                double *values, crank_error *err);
crank_status crank_dae_stage(void *self, double t, const double *x, double *k, double *values,
                             crank_error *err);
crank_status crank_dae_accepted(void *self, double t, const double *x, crank_error *err);
void crank_dae_archive(void *self, crank_archive *archive);
/* what relations and messages have seen */
void crank_dae_archive_discrete(void *self, crank_archive *archive);
crank_status crank_dae_look(void *self, double t, const double *x, const crank_log *log,
                            crank_error *err);
void crank_dae_set_end(void *self, double t_end);
void crank_dae_set_tolerance(void *self, double relative, double absolute);
crank_status crank_dae_find_table_end(void *self, double t, const double *x, crank_error *err);
/* dae_iterate.c: an event of a model with discrete variables; its start (crank_model_functions). */
crank_status crank_dae_iterate(void *self, const signed char *happened, double t, double *x,
                               crank_event_outcome *outcome, crank_error *err);
crank_status crank_dae_find_start(void *self, double t, double *x, const crank_fixing *fixing,
                                  double *reached, crank_initial_report *report, crank_log log,
                                  crank_error *err);
/* CRANK_EEVENTS: a relation that stayed has come back, and nothing happened. */
crank_status crank_dae_look_at_stays(crank_dae_supplier *s, double t, const double *x,
                                     crank_error *err);
crank_status crank_dae_mass(void *self, double t, const double *x, double *values,
                            crank_error *err);

#endif
