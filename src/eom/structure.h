/* structure.h - the parts of the structure report. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EOM_STRUCTURE_H
#define CRANK_SRC_EOM_STRUCTURE_H

#include "eom/eom.h"
#include "linalg/minimum_norm.h"

enum { CRANK_STRUCTURE_DENSE = 600 }; /* unknowns up to which singular values are computed */

/* The rows of A that are independent of the rows before them, in the given order (of two
 * equal rows the later one is dependent). Rows of A have norm one or zero. kept (rows):
 * independent; reason (rows): for dependent rows the earlier row that contributes most, -1
 * if the row vanishes. */
crank_status crank_independent_rows_dense(const crank_min_matrix *A, double tolerance,
                                          bool *kept, int *reason, int *rank, crank_error *err);
/* The same by sparse elimination; the first own rows must be solvable for the first own
 * columns, and smallest (may be NULL) receives the smallest pivot. */
crank_status crank_independent_rows_sparse(const crank_min_matrix *A, double tolerance, int own,
                                           bool *kept, int *reason, int *rank, double *smallest,
                                           crank_error *err);

/* I: the rows of V that are kept; place (rows): new number or -1. false: out of memory. */
bool crank_structure_independent(const crank_min_matrix *V, const bool *kept, int rank,
                                 int *place, crank_min_matrix *I);

/* The block of an eom's Jacobian with the rows that have a place (m, -1: left out), 0 ..
 * rows-1, over the listed columns. Columns are multiplied by scale (columns, set here; NULL:
 * 1):
 * for translations of bodies the mechanism's length, so that the unit of length does
 * not matter, else 1. norm (rows): of the rows, which are divided by it. Rows below 1e-10 of
 * what is natural to them (mechanisms; else of the largest, and of 1) are set to zero, with
 * norm 1. false: out of memory. */
bool crank_structure_block(const crank_eom *eom, const double *values, const int *place,
                           int rows, const int *column, int columns, crank_min_matrix *A,
                           double *norm, double *scale);

/* What is natural to a row of a mechanism over unknowns of size one: a power of the length, as
 * its constraint tells. */
double crank_structure_natural(const crank_eom *eom, int row);
/* What a row of a constraint is divided by at least, where its gradient may be what is left of
 * terms that cancel (joint coordinates); else 0. Over unknowns of size one, as above. */
double crank_structure_cancelled(const crank_eom *eom, int row);

/* Is an entry of the Jacobian, a constraint over a velocity or an acceleration that is carried,
 * or the transposed, rounding beside what is natural to the constraint? Matrices that are
 * equilibrated must not have such. */
bool crank_structure_is_rounding(const crank_eom *eom, int row, int column, double value);

/* A block of rows first .. last-1 over columns begin .. end-1; place (m) and list (n) are
 * work. */
typedef struct crank_range {
    int first, last, begin, end;
} crank_range;
crank_status crank_structure_range(const crank_eom *eom, const double *values,
                                   crank_range range, int *place, int *list, double *norm,
                                   double *scale, crank_min_matrix *A, crank_error *err);

/* Divides rows and columns by roots of their largest entries, repeatedly: near one afterwards.
 * row, column: work. total (columns, may be NULL): multiplied by what the columns are. */
void crank_structure_equilibrate(crank_min_matrix *A, double *row, double *column,
                                 double *total);

/* structure_motion.c: do mass, forces and constraints determine the carried accelerations?
 * *count: how many they leave open, at most capacity; 0 also if none is carried. Of each: its
 * column, and the direction (v, one after the other) in which the velocities are
 * free, with one for that column. values: of the Jacobian. */
crank_status crank_structure_motion(const crank_eom *eom, const double *values, int capacity,
                                    int *column, double *direction, int *count,
                                    crank_error *err);

/* The work space of a report. */
typedef struct crank_structure {
    crank_eom *eom;
    double tolerance;
    bool dense;
    crank_structure_report *report;
    const double *x;
    double *values, *k, *scale, *mass; /* at the point */
    int *place, *list;                 /* m, n: rows and columns of a block */
    double *norm, *r;                  /* m */
    double *y;                         /* n + m */
    double *columns;                   /* n + m: scales of columns */
    bool *kept;                        /* m; of V afterwards */
    int *reason;                       /* m */
    int rank_v;
    crank_arena arena;
} crank_structure;

/* structure_nearby.c: a position x (n) beside others, with the scales that its (s, p) were
 * moved in, and the rows of gI and h that were found independent. */
typedef struct crank_nearby {
    crank_eom *eom;
    double *values, *k, *x, *norm, *scale, *r, *y;
    int *place, *list, *reason;
    bool *kept;
    crank_arena arena;
    bool no_memory; /* ran out on the way */
} crank_nearby;
/* To be freed whatever the status is. */
crank_status crank_nearby_create(crank_nearby *w, crank_eom *eom, crank_error *err);
void crank_nearby_free(crank_nearby *w);
/* Of positions, over their scale; infinite where it cannot be told. */
double crank_nearby_residual(crank_nearby *w, double t, const double *x);
/* w->x to where constraints hold at t; false: it does not come there. */
bool crank_nearby_close(crank_nearby *w, double t);
/* The same with c, n and the rows of g of which kept (of gI) holds. */
bool crank_nearby_close_part(crank_nearby *w, double t, const bool *kept);
/* The largest residual over its scale at w->x of rows of g that are not kept; open (of gI, may
 * be NULL): those of more than `noticed`. */
double crank_nearby_open(crank_nearby *w, double t, const bool *kept, double noticed,
                         bool *open);
/* V = [gI_v; h_v] of the Jacobian w->values, to be freed, and its rank; w->kept. */
crank_status crank_nearby_velocity_rows(crank_nearby *w, crank_min_matrix *V, int *rank,
                                        crank_error *err);
/* At x; w->kept. */
crank_status crank_nearby_rank(crank_nearby *w, double t, const double *x, int *rank,
                               crank_error *err);

/* structure_regular.c: the four assumptions, into the report. */
crank_status crank_structure_regular(crank_structure *w, crank_error *err);
/* structure_text.c: texts and numbers of the report that speak of bodies and joints. V: rows of
 * gI and h over v as examined (w->kept, w->reason). */
crank_status crank_structure_redundant_text(crank_structure *w, const crank_min_matrix *V,
                                            crank_error *err);
crank_status crank_structure_bodies(crank_structure *w, crank_error *err);
/* Appends '"a", "b" and "c"': the joints marked. */
void crank_structure_append_joints(const crank_eom *eom, const bool *marked, char *text,
                                   size_t size);

/* parts.c: how mechanisms are spoken of. */
/* crank_eom_body_move for the body whose first position is number first of p. */
void crank_body_move_at(const crank_eom *eom, int first, const double *from, const double *to,
                        double *distance, double *angle);
/* 'body "rod": rotation about its z axis', of a motion (v) at x; without parts the name of the
 * velocity that takes the largest part. */
const char *crank_structure_direction(const crank_eom *eom, const double *x,
                                      const double *direction, char *text, size_t size);
/* 'body "rod" has no mass'; false: there is nothing to say. values: of the Jacobian. */
bool crank_structure_massless(const crank_eom *eom, const double *values, int body, char *text,
                              size_t size);
/* Independent loops, -1: no mechanism, or out of memory. */
int crank_structure_loops(const crank_eom *eom, const double *values);
/* How far residuals of holonomic constraints (lambda) open the joints: of each joint the
 * distance and the angle. */
typedef struct crank_gap {
    double distance, angle;
} crank_gap;
void crank_structure_gaps(const crank_eom *eom, const double *values, const double *residual,
                          crank_gap *gap);
/* The joint that is open widest, -1: none; angles count with the mechanism's length for a lever
 * arm. */
int crank_structure_widest(const crank_eom *eom, const crank_gap *gap);
/* '0.013', '0.02 and an angle of 0.3 rad'; what is small beside the other, by the lever arm, is
 * left out. */
const char *crank_structure_gap_text(crank_gap gap, double lever, char *text, size_t size);

#endif
