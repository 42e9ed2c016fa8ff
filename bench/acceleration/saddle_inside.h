/* saddle_inside.h - the object of saddle.h: saddle.c (factors, solutions), saddle_create.c
 * (bodies, joints, places). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_BENCH_SADDLE_INSIDE_H
#define CRANK_BENCH_SADDLE_INSIDE_H

#include "base/arena.h"
#include "saddle.h"

/* where a value goes; mirror: the entry across the diagonal, which must be equal */
typedef struct crank_saddle_source {
    int entry, mirror, place;
} crank_saddle_source;

/* a joint at a body: its block of G, rows x size of the body, by rows */
typedef struct crank_saddle_end {
    int row, rows; /* of B */
    int block;     /* of G and of G M^-1 */
} crank_saddle_end;

struct crank_saddle {
    crank_arena arena;
    crank_saddle_counts counts;
    int n, m; /* unknowns, multipliers */
    /* bodies */
    int *body_start; /* bodies + 1: into unknown and end_start */
    int *unknown;    /* of bodies, one after the other */
    int *end_start;  /* bodies + 1 */
    crank_saddle_end *end;
    int *square;         /* bodies: where M^-1 begins, size x size */
    bool *split;         /* bodies: M is two blocks of three (translations, rotations) */
    double *M, *inverse; /* blocks */
    bool constant;       /* M is */
    int mass_count, gradient_count;
    crank_saddle_source *mass, *gradient;
    double *G, *W; /* blocks, W = G M^-1 */
    /* B by rows from the first entry to the diagonal */
    int *multiplier; /* m: unknown of a row of B */
    int *first;      /* m */
    long *start;     /* m: row i begins at L[start[i] - first[i]] for column 0 */
    long places;
    double *L, *inverse_root; /* inverse_root: m, 1/L_ii */
    double *inverse_pivot;    /* n */
    double *y, *f;            /* m; n */
};

/* saddle.c. M of the values, and its inverse; false: not definite, or not symmetric. */
bool crank_saddle_masses(crank_saddle *s, const double *values);

#endif
