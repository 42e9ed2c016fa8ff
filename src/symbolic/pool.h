/* pool.h - the inside of a pool of expressions, for the files of this directory only.
 *
 * Nodes live in one growing array; operands always have lower indices than the node that
 * uses them, so that index order is topological. Traversals keep an explicit stack and a
 * stamp per node: their cost is that of the subexpression, not of the pool, and their depth
 * does not touch the C stack. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SYMBOLIC_POOL_H
#define CRANK_SRC_SYMBOLIC_POOL_H

#include "symbolic/symbolic.h"

typedef struct ex_node {
    crank_ex_op op;
    union {
        double value;        /* CRANK_EX_NUMBER */
        const char *name;    /* CRANK_EX_SYMBOL, owned by the pool */
        crank_ex operand[3]; /* all others; -1: none */
    };
} ex_node;

typedef struct ex_names ex_names; /* a block of symbol names */

/* A function given by points: linalg/tabulated.h. */
typedef struct ex_table {
    int rows;
    int smoothness;                /* how many derivatives are continuous */
    const crank_table_data *named; /* NULL: expressions do not know it */
    double *data;
} ex_table;

struct crank_pool {
    ex_node *node;
    int count, capacity;
    int *table; /* open addressing: node index or -1 */
    int table_size;
    ex_names *names;
    ex_table *tables;
    int table_count, table_capacity;
    crank_ex_table_fn *find_table; /* the parser asks for tables of this name; NULL: none */
    void *find_user;
    crank_ex_degrees_fn *check_degrees; /* of the parser; NULL: none */
    crank_status status;

    /* one traversal at a time; none of these are touched by building */
    int visit;  /* number of the current traversal */
    int *stamp; /* capacity: traversal that last reached the node */
    int *memo;  /* capacity: result for a node reached by the current traversal */
    int *order; /* capacity: nodes reached, operands first */
    int order_count;
    int *stack;            /* capacity: path from the root */
    unsigned char *cursor; /* capacity: next operand to descend to, for each stack entry */
};

enum { EX_NAN = 0 }; /* node 0 is NaN: the result of building without memory */

/* The node with these operands (-1: none), new or found. No simplification. */
crank_ex crank_pool_intern(crank_pool *pool, crank_ex_op op, crank_ex a, crank_ex b,
                           crank_ex c);

/* Starts a traversal: nothing is reached, order is empty. */
void crank_pool_begin_visit(crank_pool *pool);
/* Appends to order what e reaches and what this traversal has not reached before. */
void crank_pool_visit(crank_pool *pool, crank_ex e);

static inline bool ex_visited(const crank_pool *pool, crank_ex e)
{
    return pool->stamp[e] == pool->visit;
}

static inline crank_ex_op ex_op(const crank_pool *pool, crank_ex e)
{
    return pool->node[e].op;
}

static inline crank_ex ex_operand(const crank_pool *pool, crank_ex e, int i)
{
    return pool->node[e].operand[i];
}

static inline bool ex_is_leaf(const crank_pool *pool, crank_ex e)
{
    return pool->node[e].op <= CRANK_EX_SYMBOL;
}

static inline bool ex_is_number(const crank_pool *pool, crank_ex e)
{
    return pool->node[e].op == CRANK_EX_NUMBER;
}

/* table.c: the node of a table, folded where it can be; the number of the table of a node, and
 * its order; the next derivative of a node (-1: zero). */
crank_ex crank_ex_table_node(crank_pool *pool, crank_ex argument, crank_ex table,
                             crank_ex order);
int crank_ex_table_of(const crank_pool *pool, crank_ex e, int *order);
crank_ex crank_ex_table_derivative(crank_pool *pool, crank_ex e);
/* Of a node of a table: a function of the same argument that changes where the node's value
 * jumps; -1: it jumps nowhere. */
crank_ex crank_ex_table_steps(crank_pool *pool, crank_ex e);
void crank_pool_free_tables(crank_pool *pool);

/* e is a number with an integral value of at most 2^30 in size. */
bool crank_ex_is_integer(const crank_pool *pool, crank_ex e, int *value);
/* The value of op for numeric operands, as the tape computes it. */
double crank_ex_apply(crank_ex_op op, double a, double b, double c);
/* Non-negative for all values of its symbols for which it is defined (may answer false too
 * often). */
bool crank_ex_nonnegative(const crank_pool *pool, crank_ex e);
/* Written with a minus sign in front: -x, -2 or -2*x. */
bool crank_ex_is_negative(const crank_pool *pool, crank_ex e);
/* The name by which the parser knows a function of one argument, else NULL. */
const char *crank_ex_function_name(crank_ex_op op);

#endif
