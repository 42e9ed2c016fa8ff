/* features_inside.h - the inside of a model's narrow parts: features.c makes them,
 * features_look.c looks at them. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MODEL_FEATURES_INSIDE_H
#define CRANK_SRC_MODEL_FEATURES_INSIDE_H

#include "model/features.h"

/* places evaluated together */
enum { CRANK_FEATURES_TOGETHER = 16 };

typedef struct crank_feature_knots {
    int rows, order; /* of the derivative */
    double period;   /* 0: none */
    const double *x;
} crank_feature_knots;

struct crank_feature_set {
    int input_count, value_count, table_count, flat_count;
    int edge_count, corner_count; /* edges at corners come first */
    int place_count;              /* edges and tables */
    const bool *single;           /* value_count: of one variable */
    crank_tape *values;
    crank_tape *places; /* edges, then arguments of tables; NULL: none */
    crank_tape *flat;   /* arguments of flat functions; NULL: none */
    crank_feature_knots *table;
    bool sampled;
    int *source; /* or NULL: the kind's own */
};

/* One part along the chord. */
typedef struct crank_feature_course {
    double first, last; /* at its ends */
    double expected;    /* off the straight line, at most, by what the method has seen, */
    double ago;         /* where the step before began; INFINITY: does not matter, */
    double open;        /* and what the errors of the arguments leave open */
    double off;         /* as it is */
} crank_feature_course;

struct crank_feature_work {
    double *in, *out; /* CRANK_FEATURES_TOGETHER points */
    double *place;    /* places at both ends, */
    double *flat;     /* and arguments of flat functions */
    double *registers;
    double *flip; /* edge_count + 2: where conditions change, */
    int flips;    /* and how many do */
    int parts;    /* equal ones of the step that are looked at */
    crank_feature_course *course;
    const crank_chord *chord;
    double at[CRANK_FEATURES_TOGETHER];
    int count;
    double first_bad; /* 2: none; in the search for it */
    bool searching;
};

/* crank_features.look; user: the state */
double crank_features_look(void *user, const crank_chord *chord);
/* crank_features.knot */
double crank_features_knot(void *user, const double *begin, const double *end);

#endif
