/* tape.h - the inside of a tape: straight-line code on registers.
 *
 * Registers: the constants, then the inputs in use, then temporaries, which are reused. A
 * register holds one number per lane (point), lanes side by side. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SYMBOLIC_TAPE_H
#define CRANK_SRC_SYMBOLIC_TAPE_H

#include "symbolic/pool.h"

/* Most points that one pass over the tape evaluates. */
enum { TAPE_LANES = 4 };
/* Derivatives of a table, 0 to 3. */
enum { TAPE_TABLE_ORDERS = 4 };

// clang-format off
/* Instructions: name, number of operands. Every product and sum is rounded on its own. */
#define TAPE_OP_LIST(X)                                                           \
    X(STORE, 0)   /* `number` outputs, listed from store[result] on */            \
    X(ADD, 2) X(SUB, 2) X(MUL, 2) X(DIV, 2) X(NEG, 1) X(SQUARE, 1) X(CUBE, 1)     \
    X(NEG_MUL, 2) /* -(a b) */                                                    \
    X(MUL_ADD, 3) /* a b + c */                                                   \
    X(MUL_SUB, 3) /* a b - c */                                                   \
    X(SUB_MUL, 3) /* c - a b */                                                   \
    X(DOT, 4)     /* a b + c d */                                                 \
    X(CROSS, 4)   /* a b - c d */                                                 \
    X(ADD3, 3)    /* (a + b) + c */                                               \
    X(ADD_SUB, 3) /* (a + b) - c */                                               \
    X(SUB_ADD, 3) /* (a - b) + c */                                               \
    X(MUL3, 3)    /* (a b) c */                                                   \
    X(MUL3_ADD, 4) /* (a b) c + d */                                              \
    X(MUL3_SUB, 4) /* (a b) c - d */                                              \
    X(SUB_MUL3, 4) /* d - (a b) c */                                              \
    X(ADD_MUL, 3) /* (a + b) c */                                                 \
    X(DIFF_MUL, 3) /* (a - b) c */                                                \
    X(SIN, 1) X(COS, 1) X(SQRT, 1)                                                \
    X(SIN_COS, 1) /* sin(a), and cos(a) into register `number` */                 \
    X(POWER, 1)   /* a^number, number >= 4 */                                     \
    X(IF, 3)      /* a != 0 ? b : c */                                            \
    X(TABLE, 1)   /* derivative number % 4 of table number / 4 at a */            \
    X(CALL, 3)    /* the crank_ex_op `number` of a, b, c */
// clang-format on

typedef enum tape_op {
#define TAPE_ENUM(name, operands) TAPE_##name,
    TAPE_OP_LIST(TAPE_ENUM)
#undef TAPE_ENUM
} tape_op;

typedef struct tape_instruction {
    int op;
    int result;     /* register */
    int operand[4]; /* registers; those an instruction does not have are 0 */
    int number;     /* see the list */
} tape_instruction;

/* An output and the register that holds its value. */
typedef struct tape_store {
    int output, place;
} tape_store;

/* A copy of the pool's: a tape may live longer. */
typedef struct tape_table {
    int rows;
    const double *data;
} tape_table;

struct crank_tape {
    int register_count;
    int constant_count;
    double *constant; /* the first registers */
    int load_count;
    int *load; /* input number of each register after the constants */
    int instruction_count;
    tape_instruction *instruction;
    int store_count;
    tape_store *store; /* all outputs, in the order of being stored */
    tape_table *table;
    double *table_data; /* of all tables */
};

/* One instruction of the tape before registers are given out: result and operands are
 * positions in the traversal's order (-1: none). */
typedef struct tape_code {
    int position_count;   /* nodes reached */
    const crank_ex *node; /* position -> node, operands first */
    int count, capacity;
    tape_instruction *instruction;
} tape_code;

/* Chooses instructions for the outputs, whose traversal is the pool's current one (memo:
 * node -> position). */
crank_status crank_tape_select(const crank_pool *pool, int output_count,
                               const crank_ex *outputs, tape_code *code, crank_error *err);
int crank_tape_operand_count(int op);
/* Copies the tables in use and numbers them anew in the instructions; false: out of memory. */
bool crank_tape_copy_tables(const crank_pool *pool, crank_tape *tape);

#endif
