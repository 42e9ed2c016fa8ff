/* inline.h - from a flat DAE to C: the index is reduced, the discretisation joins the
 * equations, the union is sorted and torn, and written as C that needs math.h alone. theory 13.
 *
 *     0 = F(x', x, w, t)    model, with hidden constraints          index.c   (Pantelides)
 *     x = h x' + old(x)     of states, chosen here or in the run    states.c  (dummy derivatives)
 *     blocks of the union, each torn to few unknowns                sort.c, tear.c
 *     C source, with a run time of its own                          emit.c, runtime_*.inc
 *
 * The record lives in the store of the flat DAE that it is of. Unknowns are variables and their
 * derivatives of all orders that occur. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_INLINE_INLINE_H
#define CRANK_SRC_INLINE_INLINE_H

#include "inline/flat.h"

typedef struct crank_inline_unknown {
    int variable; /* of the flat DAE */
    int order;    /* of the derivative */
    crank_ex symbol;
    int next, previous; /* its derivative, and what it is the derivative of; -1: none */
    crank_ex old;       /* the symbol of old(x); -1: it has no derivative, or not yet */
    bool kept;          /* an integrator knows it: it can be a state */
    bool first, never;  /* the model says that it is torn in linear systems, or not */
} crank_inline_unknown;

typedef enum crank_inline_kind {
    CRANK_INLINE_MODEL,
    CRANK_INLINE_STATE, /* x = h x' + old(x) */
    CRANK_INLINE_CHOICE /* the same of one out of a group, known in the run */
} crank_inline_kind;

typedef struct crank_inline_equation {
    crank_inline_kind kind;
    crank_ex ex;        /* it vanishes; of a choice: -1 */
    int order;          /* how often it was differentiated */
    int next, previous; /* derivative, and what it is the derivative of */
    int place;          /* line of the model; 0: none */
    int tear;    /* 1 + number of what it says of tearing, in the flat record; 0: nothing */
    int unknown; /* of a state: x; of a choice: the group */
    int column_count; /* unknowns that occur */
    int *column;
} crank_inline_equation;

/* Constraints of one level and the unknowns that they are solved for, as many as there are
 * constraints; the others are states. */
typedef struct crank_inline_group {
    int rows, columns;
    int *equation;   /* rows */
    int *unknown;    /* columns: candidates x, whose derivatives are in the equations */
    int forced;      /* the first of them are never states */
    crank_ex *entry; /* rows x columns, by rows: d equation / d x' */
} crank_inline_group;

/* One instruction of a block: unknown = ex, or x = h x' + old(x), or a linear system. */
typedef struct crank_inline_item {
    int unknown;
    crank_ex ex;    /* -1: of a state, or a system */
    crank_ex pivot; /* what ex is divided by, if that may vanish; else -1 */
    int equation;
    const struct crank_inline_tearing *system; /* of its own, without iteration; NULL: none */
} crank_inline_item;

/* A way to solve a block. */
typedef struct crank_inline_tearing {
    int item_count;
    crank_inline_item *item;
    int torn_count; /* unknowns of Newton's iteration, and as many residuals */
    int *torn, *residual;
    int pivot_count;
    bool certain; /* of a system: its matrix is of h and given values alone, and regular */
} crank_inline_tearing;

typedef struct crank_inline_block {
    int size;
    int *equation, *unknown;
    bool linear; /* in its unknowns: no iteration */
    crank_inline_tearing torn;
    bool has_safe; /* a way without pivots that may vanish, other than the first */
    crank_inline_tearing safe;
} crank_inline_block;

typedef struct crank_inline {
    crank_flat *flat;
    bool coupled;   /* stages of a step at once: h is a matrix */
    crank_ex h;     /* the symbol */
    int *of_symbol; /* symbols: the unknown, -1 */
    int of_symbol_size;
    int unknown_count, unknown_capacity;
    crank_inline_unknown *unknown;
    int equation_count, equation_capacity;
    crank_inline_equation *equation;
    int model_equations; /* with hidden constraints; what follows is the discretisation */
    int group_count, group_capacity;
    crank_inline_group *group;
    int state_count; /* states that are chosen before the run, and in it */
    int index;       /* structural */
    int block_count;
    crank_inline_block *block;
    int *matched; /* unknowns of the union: the equation */
    int *local;   /* unknowns: number in the block that is torn, -1 */
    int *told;    /* declarations of the flat record: the unknown; -1: it is none any more */
    int *variable_of,
        variable_of_size; /* crank_flat_map, for symbols up to size; NULL: not made */
} crank_inline;

/* All of it. The flat DAE has no parameters and no aliases any more. CRANK_EREFUSED, with the
 * reason: it cannot be done, another way must be taken. */
crank_status crank_inline_translate(crank_flat *flat, bool coupled, crank_inline *out,
                                    crank_error *err);

/* ---- its parts ---- */

/* Where an equation stands, as crank_flat_print_place says it. */
static inline const char *crank_inline_print_place(const crank_inline *in, int e, char *text)
{
    return crank_flat_print_place(in->flat, (crank_flat_place){.line = in->equation[e].place},
                                  text);
}

/* index.c: unknowns, equations, and their derivatives until the highest ones can be solved for
 * the highest derivatives. */
crank_status crank_inline_reduce_index(crank_inline *in, crank_error *err);
/* A new equation; its unknowns are found. NULL: out of memory. */
crank_inline_equation *crank_inline_add_equation(crank_inline *in, crank_inline_kind kind,
                                                 crank_ex ex);
/* The unknown of a symbol, -1: none. */
int crank_inline_unknown_of(const crank_inline *in, crank_ex symbol);

/* states.c: which derivatives are those of states; the discretisation. */
crank_status crank_inline_choose_states(crank_inline *in, crank_error *err);

/* sort.c: blocks of the union. */
crank_status crank_inline_sort(crank_inline *in, crank_error *err);

/* told.c: the unknowns of what the model says of tearing. */
crank_status crank_inline_find_told(crank_inline *in, crank_error *err);

/* tear.c: how each block is solved, by pivots that may vanish, by those of one sign, or by numbers
 * alone. */
typedef enum crank_inline_pivots {
    CRANK_INLINE_ANY_PIVOT,
    CRANK_INLINE_SIGNED_PIVOT,
    CRANK_INLINE_SAFE_PIVOT
} crank_inline_pivots;
crank_status crank_inline_tear(crank_inline *in, crank_inline_block *block,
                               crank_inline_pivots pivots, crank_inline_tearing *out,
                               crank_error *err);

/* from_states.c: expressions are put in the place of unknowns in those of `ex` that are of time,
 * states and what is given then (*given), by some assignments; others stay as they are. */
crank_status crank_inline_from_states(const crank_inline *in, int count, crank_ex *ex,
                                      bool *given, crank_error *err);

/* describe.c: in words, and as a list of statements. */
void crank_inline_describe(const crank_inline *in, crank_text *text);
void crank_inline_print_states(const crank_inline *in, crank_text *text);
void crank_inline_print_tearing(const crank_inline *in, crank_text *text);

/* ---- C ---- */

/* Where values are in a copy: 0 time, 1 h, then unknowns, then old(x) of unknowns, then
 * variables that are given (discrete ones). */
enum { CRANK_INLINE_TIME, CRANK_INLINE_H, CRANK_INLINE_FIRST };

typedef struct crank_inline_layout {
    int width; /* of a copy */
    int old, given;
    int given_count;
    int *given_variable; /* of the flat DAE */
} crank_inline_layout;
crank_status crank_inline_place(const crank_inline *in, crank_inline_layout *out,
                                crank_error *err);
/* emit.c: the whole source; copies: stages at once. */
crank_status crank_inline_emit(const crank_inline *in, const char *name, int copies,
                               crank_text *text, crank_error *err);
/* emit_dae.c: the equations alone, with their derivatives. */
crank_status crank_inline_emit_dae(const crank_inline *in, const char *name, crank_text *text,
                                   crank_error *err);
/* A program of some 30 lines that uses it. */
void crank_inline_emit_main(const crank_inline *in, const char *name, crank_text *text);

#endif
