/* design.h - the points of a study: values of its factors by the number of a member, from seed
 * and number alone. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_STUDY_DESIGN_H
#define CRANK_SRC_STUDY_DESIGN_H

#include <crank/base.h>

#include "base/store.h"

enum { CRANK_SOBOL_DIMENSIONS = 21 };

typedef enum crank_sampling {
    CRANK_SAMPLE_GRID,  /* all combinations, the last factor fastest */
    CRANK_SAMPLE_LIST,  /* the i-th values of all factors together */
    CRANK_SAMPLE_LATIN, /* each of count equal parts of a range once */
    CRANK_SAMPLE_SOBOL
} crank_sampling;

typedef struct crank_factor {
    const char *name;
    double from, to;      /* of a range */
    int64_t count;        /* of values */
    const double *values; /* of a list; NULL: count of them from `from` to `to` */
    int64_t *order;       /* of latin: count of the design, shuffled */
} crank_factor;

typedef struct crank_design {
    crank_store store;
    crank_sampling sampling;
    int64_t count; /* of members; latin, sobol: as asked for */
    uint64_t seed;
    int factor_count, capacity;
    crank_factor *factor;
} crank_design;

/* "from:to:count", "from:to" or "a,b,c". EARG with what is wrong. */
crank_status crank_design_vary(crank_design *d, const char *name, const char *range,
                               crank_error *err);
/* "grid", "list", "latin", "sobol" */
crank_status crank_design_sample(crank_design *d, const char *word, crank_error *err);
/* Once all is said: how many members there are. EARG: none, or too many. */
crank_status crank_design_finish(crank_design *d, crank_error *err);
/* Values of all factors of member i. */
void crank_design_point(const crank_design *d, int64_t i, double *values);
void crank_design_free(crank_design *d);

/* A number in [0, 1) that follows from these. */
double crank_random_part(uint64_t seed, uint64_t stream, uint64_t i);
/* Dimension (from 0) of point `index` (from 0) in [0, 1), its bits shifted by these. */
double crank_sobol(int dimension, int64_t index, uint64_t shift);

#endif
