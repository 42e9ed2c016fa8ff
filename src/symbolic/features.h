/* features.h - parts of expressions that may rise and fall within a short stretch of their
 * arguments: theory 8.8. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SYMBOLIC_FEATURES_H
#define CRANK_SRC_SYMBOLIC_FEATURES_H

#include "symbolic/symbolic.h"

/* What a symbol is along a motion. */
typedef enum crank_ex_role {
    CRANK_ROLE_CONSTANT, /* a parameter */
    CRANK_ROLE_VARIABLE,
    CRANK_ROLE_TIME,   /* conditions in it alone end steps (switches.h) */
    CRANK_ROLE_UNKNOWN /* its value is not known: parts that contain it are left out */
} crank_ex_role;
typedef crank_ex_role crank_ex_role_fn(crank_ex symbol, const void *user);

typedef struct crank_ex_features {
    int value_count, edge_count, corner_count, table_count, flat_count;
    crank_ex *value; /* the parts, */
    bool *single;    /* and whether they are of one variable */
    /* affine: zero at corners, which come first, and where conditions change */
    crank_ex *edge;
    crank_ex *table; /* nodes of tables in them */
    /* linear between edges: arguments of flat functions, which vary by them within one */
    crank_ex *flat;
    bool sampled; /* not all of them are known by edges, tables and flat */
} crank_ex_features;

/* Those of the roots. Free with crank_ex_features_free, also after a failure. */
crank_status crank_ex_find_features(crank_pool *pool, int root_count, const crank_ex *roots,
                                    crank_ex_role_fn *role, const void *user,
                                    crank_ex_features *out, crank_error *err);
void crank_ex_features_free(crank_ex_features *features);
/* The data (linalg/tabulated.h) of a table's node: the knots come first. order: of the
 * derivative that the node is; period 0: none. */
const double *crank_ex_table_knots(const crank_pool *pool, crank_ex table, int *rows,
                                   int *order, double *period);

#endif
