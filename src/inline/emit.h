/* emit.h - what the files that write C share: tables of the generated code while they grow.
 *
 *     emit.c          the file: sizes, types, tables, names
 *     emit_blocks.c   functions of blocks and of linear systems within them */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_INLINE_EMIT_H
#define CRANK_SRC_INLINE_EMIT_H

#include "inline/inline.h"

enum { CRANK_EMIT_STATEMENTS = 100 }; /* of a function, at most */

/* what a step of a block is */
enum { CRANK_EMIT_RULE = -1, CRANK_EMIT_SYSTEM = -2 };

typedef struct crank_emit_step {
    int run;     /* number of its functions; or x = sum h x' + old(x), or a linear system */
    int x, rate; /* of functions: x is 1 where there are derivatives; of a system: its block */
} crank_emit_step;

/* as crank_block of runtime_types.inc */
typedef struct crank_emit_block {
    int step, steps, torn, count, rows, state, states, choice, choices, member, members, movers,
        guess, guesses, check, checks, matrix, pivot, linear, safe, fixed;
} crank_emit_block;

typedef struct crank_emit {
    const crank_inline *in;
    crank_store *store;
    crank_text *text;
    int copies;
    crank_inline_layout layout;
    crank_emit_symbols symbols;
    int *number;
    const char **label;
    crank_ex *direction; /* unknowns: its symbol */
    int step_count, step_capacity;
    crank_emit_step *step;
    int index_count, index_capacity;
    int *index;
    int block_count, block_capacity;
    crank_emit_block *block;
    int sequence_count;
    int *sequence;
    int functions, matrix, pivots, checks, choices, most_rows, most_members, most_count;
    int statement_count;
    crank_emit_statement *statement, *derivative;
    int *group_choice; /* groups: first of its choices */
    int *group_used;   /* how many have their block */
    crank_error *err;
} crank_emit;

/* emit_blocks.c: functions into w->text, tables of steps, blocks, indices. */
crank_status crank_emit_blocks(crank_emit *w);
/* A number more at the end of w->index; false: out of memory. */
bool crank_emit_index(crank_emit *w, int value);

#endif
