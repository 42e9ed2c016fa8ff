/* partition.h - the object behind the formulations partition, descriptor and tangent-plane:
 * partition.c (the problem), partition_choose.c (which coordinates are independent, and for how
 * long), partition_recover.c (the dependent ones from them), partition_columns.c (the Newton
 * matrix in threads); the tangent plane is that of the dense decomposition, dense_tangent.c. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_PARTITION_H
#define CRANK_SRC_PARTITION_H

#include "formulate/algebraic.h"
#include "formulate/partition_columns.h"
#include "formulate/psf.h"
#include "formulate/reduction_sparse.h"

/* Which columns of the sparse decomposition (in axes of the chart) constraints determine. */
typedef struct crank_choice {
    bool *dependent, *next, *before;    /* n each: now, chosen anew, until changed_t */
    double *matrix;                     /* of complete pivoting; NULL: too large for it */
    int *row, *column;                  /* of it, in the order of pivots */
    double *response, *load;            /* n, m: of the condition, theory (2.30) */
    double condition, condition_chosen; /* at the last look; where the choice was made */
    bool due;                           /* Newton's iteration failed */
    bool made;                          /* there is a choice */
    double changed_t;                   /* NAN: it was never changed */
    bool back;                          /* the decomposition has the one before */
    int told;                           /* changes since the start, as far as they are told */
} crank_choice;

/* Position and velocity level at points other than the prepared one. */
typedef struct crank_recovery {
    crank_reduction *reduction;  /* with the same choice, of a point nearby */
    crank_statistics statistics; /* of its own: changes of the choice count once */
    double *jacobian, *point;    /* its values; n */
    double t;                    /* of its decomposition; NAN: none since the last look */
    double reach;                /* distance in time of decompositions that are tried */
} crank_recovery;

/* The last point whose w, lambda, mu were found: step ends are asked for several times. */
typedef struct crank_expanded {
    bool known;
    double t;
    double *x, *full, *k; /* n, n of the eom, m of the eom */
} crank_expanded;

typedef struct crank_partition {
    crank_problem base;
    crank_psf *psf;
    crank_eom *eom;
    crank_arena arena;
    bool eliminates; /* w, lambda, mu are no unknowns; descriptor: they are */
    bool plane;      /* tangent-plane: nothing is chosen */
    bool whole;      /* rows of stages are not all: they are evaluated besides */
    int column, row; /* unknowns and rows are those of the eom from here on */
    crank_problem_unknowns unknowns;
    int *given; /* n: columns of the eom */
    bool *tested;
    crank_algebraic algebraic;
    double *guess;        /* column: w, lambda, mu where the last look was */
    double *full, *rates; /* n of the eom: a point, x' there */
    double *k[2];         /* m of the eom */
    double *delta[2];     /* n of the eom */
    crank_expanded last;
    crank_choice choice;
    crank_recovery recovery;
    double limit;           /* of the condition's growth */
    crank_columns *columns; /* of the Newton matrix; NULL: that of psf */
} crank_partition;

/* partition.c. full := [guess, x], with w, lambda, mu found at t; rows there: last.k. */
crank_status crank_partition_expand(crank_partition *s, double t, const double *x,
                                    crank_error *err);

/* partition_choose.c. Memory of the choice; afterwards a choice at the decomposed point. */
void crank_choice_layout(crank_partition *s, crank_arena *arena);
void crank_choice_restart(crank_partition *s);
/* Before a decomposition at t: steps that are made again for rows (again) have the choice that
 * they were made with. */
void crank_choice_recall(crank_partition *s, double t, bool again);
/* After a decomposition at (t, x): is another choice due? Then made, and decomposed anew. */
crank_status crank_choice_look(crank_partition *s, double t, crank_error *err);
/* At the end of a step: has the condition grown too much by the recovery's decomposition? */
bool crank_choice_outgrown(crank_partition *s, double t);

/* partition_recover.c */
crank_status crank_recovery_create(crank_partition *s, crank_error *err);
void crank_recovery_layout(crank_partition *s, crank_arena *arena);
crank_status crank_partition_recover(crank_problem *base, double t, double *x,
                                     crank_error *err);

#endif
