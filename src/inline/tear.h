/* tear.h - what the files of tearing share: the pattern of a block and what is known of it.
 *
 *     tear_graph.c     pattern, slopes, what follows from what is known
 *     tear_linear.c    linear systems within what is left
 *     tear_regular.c   which of these have a regular matrix
 *     tear.c           which unknowns are torn
 *
 * Equations and unknowns are numbered within the block; block->equation[i] is matched with
 * block->unknown[i] also for h = 0 (sort.c). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_INLINE_TEAR_H
#define CRANK_SRC_INLINE_TEAR_H

#include "inline/inline.h"

#include <stdint.h>

/* can an equation be solved for an unknown? MAYBE: what multiplies it may pass zero; LIKELY: it has
 * one sign (symbolic/sign.c); ALWAYS: it is a number */
enum { CRANK_TEAR_NEVER, CRANK_TEAR_MAYBE, CRANK_TEAR_LIKELY, CRANK_TEAR_ALWAYS };

/* values of discrete variables, and of others, at which linear systems are looked at */
enum { CRANK_TEAR_SAMPLES = 16 };

typedef struct crank_tear_state {
    bool *known, *used; /* unknowns; equations */
    int *left;          /* equations: unknowns that are not known yet */
    int count;          /* known ones */
    int *ready, ready_count;
} crank_tear_state;

/* pairs in the order of solution; equation -1: torn */
typedef struct crank_tear_path {
    int count;
    int *unknown, *equation;
} crank_tear_path;

typedef struct crank_tear {
    crank_inline *in;
    const crank_inline_block *block;
    crank_inline_tearing *out;
    int least;         /* MAYBE, LIKELY or ALWAYS */
    bool curved_first; /* curved ones are torn first: the rest is often linear then */
    int n;
    int *start, *column;              /* by equations: unknowns */
    signed char *solvable;            /* entries */
    crank_ex *slope;                  /* entries: what multiplies the unknown; -1: not affine */
    int *mixed_start, *mixed;         /* entries: unknowns of the block in the slope */
    bool *certain;                    /* entries: the slope is of h and given values alone */
    bool *at_rest;                    /* entries: there for h = 0 */
    double *sample;                   /* entries x samples: slopes for h = 0; NULL: not made */
    int *row_start, *row, *row_entry; /* by unknowns: equations, and which entry */
    bool *residual;                   /* equations: the model says that they are residuals */
    bool *bent;   /* unknowns: some equation is not linear in it and the others at once */
    bool *curved; /* unknowns: some equation is not linear in it alone */
    crank_tear_state now, trial, inside; /* inside: of a component */
    crank_tear_path path, inner;
    int *space; /* of searches, tear_linear.c */
    int judged_count, judged_capacity;
    struct crank_tear_judged *judged; /* systems that were looked at */
    int pivoted_count, pivoted_capacity;
    struct crank_tear_judged *pivoted; /* and what their pivots are */
    crank_error *err;
} crank_tear;

/* ---- tear_graph.c ---- */

crank_status crank_tear_open(crank_tear *w);
crank_inline_equation *crank_tear_equation(const crank_tear *w, int e);
crank_ex crank_tear_symbol(const crank_tear *w, int u);
void crank_tear_copy(const crank_tear *w, crank_tear_state *to, const crank_tear_state *from);
void crank_tear_know(const crank_tear *w, crank_tear_state *s, int u);
/* All that follows from what is known, from equations that are solvable at least so; appended to
 * path unless that is NULL. */
void crank_tear_settle(const crank_tear *w, crank_tear_state *s, int least,
                       crank_tear_path *path);
/* The statement of one pair. */
crank_inline_item crank_tear_item(const crank_tear *w, int u, int e);

/* ---- tear_regular.c ---- */

typedef struct crank_tear_judged {
    uint64_t key;
    bool regular;
} crank_tear_judged;

/* a linear system among what is left */
typedef struct crank_tear_component {
    int size;
    const int *unknown, *equation; /* matched */
    bool certain;                  /* its matrix is of h and given values alone */
} crank_tear_component;
uint64_t crank_tear_key(const crank_tear_component *c);
/* The same one is looked at once. */
crank_status crank_tear_judge(crank_tear *w, const crank_tear_component *c, bool *regular);

/* ---- tear_linear.c ---- */

/* Linear systems in what is left that need nothing else: they become known in s. record: and
 * statements of w->out. */
crank_status crank_tear_solve_linear(crank_tear *w, crank_tear_state *s, bool record);

#endif
