/* sampled.h - the procedure of analysis.h for equations of which only values are known: index,
 * hidden constraints and y' at a point, by differences, theory (10.14)-(10.16).
 *
 * Level 0 is E y' = k itself. Of B z + g = 0, z = y' at level 0, pivots (found once, then kept)
 * give a part of z by the rest,
 *     z = z_p + Z u,      c = g_rest + B_rest z_p,
 * so that c = 0 are the constraints of the level, and y' = d + N u with what it leaves open. Along
 * this c stays zero:
 *     (dc/dy N) u + (dc/dt + dc/dy d) = 0,
 * the next level's B and g: derivatives in as many directions as y' is open in, and in one
 * along the motion. Nothing is open at level `index`.
 * sampled.c (levels at a point), sampled_start.c (pivots, consistent values), sampled_weights.c,
 * sampled_complete.c (on the way). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DAE_SAMPLED_H
#define CRANK_SRC_DAE_SAMPLED_H

#include "base/arena.h"

#include <crank/base.h>

enum { CRANK_SAMPLED_INDEX = 3, CRANK_SAMPLED_SIDES = 4 };

typedef crank_status crank_sampled_fn(void *self, double t, const double *y, double *out,
                                      crank_error *err);

/* Of one level: B z + g = 0 in `open` unknowns. */
typedef struct crank_sampled_level {
    int open, rank;
    int *row, *column; /* open: the first rank of each are pivots */
    /* lengths of differences of the constraints of this level, over sizes: along the motion,
     * and in directions that are open */
    double along, across;
    double noise;          /* rounding of the constraints over their sizes */
    double *size;          /* open: of the constraints, their change over sizes of unknowns */
    double *B, *g;         /* open x open by columns, open */
    double *pivots, *part; /* rank x rank, decomposed; rank */
    int *exchange;         /* of the decomposition */
    double *d, *N;         /* n, n x (open - rank): y' = d + N u */
    double *c;             /* open - rank: constraints */
    double *before_d, *before_N, *before_c; /* of the level before, at the point */
    double *y, *side[CRANK_SAMPLED_SIDES];  /* a point beside it, constraints there */
} crank_sampled_level;

/* Work space of crank_sampled_complete, and derivatives that are kept. */
typedef struct crank_sampled_completion {
    bool known; /* A is decomposed */
    int *order, work_size;
    double *A, *basis; /* constraints x null space of E; n x null space */
    double *residual, *change, *y, *tau, *work;
} crank_sampled_completion;

typedef struct crank_sampled {
    /* set by the owner */
    int n;
    crank_sampled_fn *evaluate, *mass; /* k (n), E (n x n by columns) */
    void *self;
    const double *size; /* n: what counts as one */
    double span;        /* of time */
    double rtol;
    const double *atol;
    /* found */
    int index; /* -1: not known */
    crank_sampled_level level[CRANK_SAMPLED_INDEX + 1];
    bool moved; /* differential unknowns, too, were changed for consistency */
    crank_sampled_completion completion;
    crank_arena arena;
} crank_sampled;

/* ---- sampled.c ---- */

crank_status crank_sampled_create(crank_sampled *s, crank_error *err);
void crank_sampled_destroy(crank_sampled *s);
/* Levels up to i, whose pivots are known, at (t, y): c, d, N of level i. CRANK_RETRY: the pivots
 * do not suit, or it is outside the domain. */
crank_status crank_sampled_evaluate(crank_sampled *s, int i, double t, const double *y,
                                    crank_error *err);
/* B and g of level i, without its pivots. */
crank_status crank_sampled_rows(crank_sampled *s, int i, double t, const double *y,
                                crank_error *err);
/* out (constraints of level i) = their derivative in direction v, with time t' = rate; length:
 * over sizes; the work space of level i + 1 is used. low (NULL: not wanted): of lower order. */
crank_status crank_sampled_derivative(crank_sampled *s, int i, double t, const double *y,
                                      const double *v, double rate, double length, double *out,
                                      double *low, crank_error *err);
static inline int crank_sampled_constraints(const crank_sampled *s, int i)
{
    return s->level[i].open - s->level[i].rank;
}
/* max_j |v_j|/size_j */
double crank_sampled_extent(const crank_sampled *s, const double *v);

/* ---- sampled_start.c ---- */

/* Index and pivots at consistent values, which y becomes. EREFUSED: no index up to 3. */
crank_status crank_sampled_analyse(crank_sampled *s, double t, double *y, crank_error *err);

/* ---- sampled_weights.c ---- */

/* power (n): of the step size by which norms count each unknown, its index less one, theory 2.6;
 * at the consistent (t, y), where the levels were evaluated last. EREFUSED: it is not clear. */
crank_status crank_sampled_weights(crank_sampled *s, double t, const double *y,
                                   unsigned char *power, crank_error *err);

/* ---- sampled_complete.c ---- */

void crank_sampled_complete_layout(crank_sampled *s, crank_arena *arena);
/* Unknowns that E does not multiply from the others, y' of which is known up to the index. Does not
 * allocate. CRANK_RETRY: not determined, y is as it was. */
crank_status crank_sampled_complete(crank_sampled *s, double t, double *y, crank_error *err);

#endif
