/* trace_inside.h - what trace.c records and trace_write.c writes. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_TRACE_INSIDE_H
#define CRANK_SRC_TRACE_INSIDE_H

#include "symbolic/trace.h"

typedef enum crank_trace_op {
    CRANK_TRACE_NUMBER,
    CRANK_TRACE_UNKNOWN, /* a: number of x */
    CRANK_TRACE_GIVEN,   /* a: number of w */
    CRANK_TRACE_NEG,
    CRANK_TRACE_ADD,
    CRANK_TRACE_SUB,
    CRANK_TRACE_MUL,
    CRANK_TRACE_DIV,
    CRANK_TRACE_SQRT,
    CRANK_TRACE_SIN,
    CRANK_TRACE_COS,
    CRANK_TRACE_GREATER
} crank_trace_op;

typedef struct crank_trace_node {
    crank_trace_op op;
    int a, b; /* nodes before */
    double value;
} crank_trace_node;

typedef struct crank_trace_result {
    int section, slot;
    crank_traced node;
} crank_trace_result;

struct crank_trace {
    int count, capacity;
    crank_trace_node *node;
    int buckets, *bucket; /* hash table of nodes, -1: empty */
    int results, result_capacity;
    crank_trace_result *result;
    bool failed;
};

/* how many of a and b are nodes */
static inline int crank_trace_operands(crank_trace_op op)
{
    switch (op) {
    case CRANK_TRACE_NUMBER:
    case CRANK_TRACE_UNKNOWN:
    case CRANK_TRACE_GIVEN:
        return 0;
    case CRANK_TRACE_NEG:
    case CRANK_TRACE_SQRT:
    case CRANK_TRACE_SIN:
    case CRANK_TRACE_COS:
        return 1;
    case CRANK_TRACE_ADD:
    case CRANK_TRACE_SUB:
    case CRANK_TRACE_MUL:
    case CRANK_TRACE_DIV:
    case CRANK_TRACE_GREATER:
        break;
    }
    return 2;
}

#endif
