/* law_inside.h - the inside of a law, for law*.c and build.c. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_LAW_INSIDE_H
#define CRANK_SRC_LAW_INSIDE_H

#include "mechanics/build_inside.h"
#include "mechanics/law.h"

bool crank_law_work_reserve(crank_law_work *work, size_t size);

/* ---- what the rows say, as expressions (law_derive.c) ---- */

/* A row of k, or an effort along a primitive. */
typedef struct crank_law_output {
    crank_row_group group; /* CRANK_ROW_GROUPS: effort */
    int index;             /* within its group; of an effort: primitive */
    crank_ex ex;
} crank_law_output;

/* Outputs of an owner: first rows, then efforts, one for each primitive; reaction: efforts of
 * the multipliers. */
typedef struct crank_law_rows {
    CRANK_LIST(crank_law_output) output;
    CRANK_LIST(crank_law_output) reaction;
    int efforts; /* from this output on */
} crank_law_rows;

crank_status crank_law_derive(crank_builder *b, crank_owner owner, crank_law_rows *rows,
                              crank_error *err);
void crank_law_rows_free(crank_law_rows *rows);

/* ---- running ---- */

/* Symbols of expressions and how their values are fetched. */
typedef struct crank_law_inputs {
    int count;
    crank_symbol *symbol;
} crank_law_inputs;

/* of numbers and nodes of the pool, for qsort and bsearch */
int crank_law_compare(const void *a, const void *b);
/* The symbols of all expressions, each once: ex (to be freed) for a tape, and what they stand
 * for. */
crank_status crank_law_inputs_find(crank_builder *b, int count, const crank_ex *ex,
                                   crank_law_inputs *inputs, crank_ex **symbols,
                                   crank_error *err);
void crank_law_inputs_fetch(const crank_law_inputs *inputs, const crank_system *system,
                            double t, const double *x, double *in);

static inline bool crank_law_is_motion(crank_symbol_kind kind)
{
    return kind >= CRANK_SYMBOL_VALUE && kind <= CRANK_SYMBOL_ACCELERATION;
}

/* One primitive of a law: derivatives are needed of it. */
typedef struct crank_law_primitive {
    int primitive;
    bool motion;                      /* rates or accelerations are differentiated */
    int body[CRANK_PRIMITIVE_BODIES]; /* its bodies among those of the law */
    int Y, rate_p, acc_p, acc_v, K;   /* places in the working memory; K -1: only a scratch */
} crank_law_primitive;

/* A derivative of an output by an input: terms of an output are consecutive. */
typedef struct crank_law_term {
    int input;
    int primitive; /* of the law; -1: the input is an unknown */
} crank_law_term;

/* A body on which an output depends, and by what. */
typedef struct crank_law_touch {
    int body; /* of the law */
    bool p, v, a;
    int slot; /* of an effort: its place among the primitive's bodies, or -1 */
} crank_law_touch;

/* What a stage of an explicit method needs: outputs, and their derivatives by some inputs. */
typedef struct crank_law_stage_part {
    crank_tape *tape; /* values of the outputs, then of the terms; NULL: there are no terms */
    int output_count, *output;
    int term_count, *term_output, *term_input;
    int out; /* place of its values in the working memory, registers behind them */
    bool linear;
} crank_law_stage_part;

/* where its derivatives come from: formulas, differences; neglected: efforts have none by the
 * motion */
typedef enum crank_law_how {
    CRANK_LAW_ANALYTIC,
    CRANK_LAW_DIFFERENCES,
    CRANK_LAW_NEGLECTED
} crank_law_how;

struct crank_law {
    crank_owner owner;
    crank_law_how how;
    char *label;       /* 'force "s"' */
    crank_place place; /* what says it; its file stands behind the label */
    crank_law_inputs inputs;
    int output_count, efforts; /* outputs efforts .. output_count - 1 are efforts */
    crank_law_output *output;
    /* output_count: of an effort its primitive among the law's, else -1 */
    int *effort_primitive;
    crank_tape *values;
    crank_tape *derivatives; /* values of the efforts, then one number per term */
    int term_count;
    int *term_start; /* output_count + 1 */
    crank_law_term *term;
    int *touch_start; /* output_count + 1 */
    crank_law_touch *touch;
    int body_count, *body; /* bodies of the system */
    int *column;           /* first place of each body in the gradient: p, then v, then a */
    int column_count;
    int primitive_count;
    crank_law_primitive *primitive;
    int reaction_count, *reaction_primitive;
    crank_tape *reaction;
    crank_law_stage_part stage;
    /* places in the working memory */
    int in, out, gradient, scratch_K, scratch_bias, sides, registers;
};

/* expressions and symbols while a law is made */
typedef struct crank_law_making {
    crank_builder *b;
    crank_law *law;
    crank_law_rows rows;
    crank_ex *ex;                    /* of the outputs */
    crank_ex *symbol;                /* of the inputs */
    CRANK_LIST(crank_ex) derivative; /* by term, behind the efforts' values */
    CRANK_LIST(crank_law_term) term;
    CRANK_LIST(crank_law_touch) touch;
} crank_law_making;

/* column of an unknown that is an input */
int crank_law_column(const crank_system *system, crank_symbol s);
/* law_numeric.c, once inputs are fetched and primitives differentiated: values of the efforts,
 * and the derivatives by term. */
void crank_law_partials(const crank_law *law, const crank_system *system, double *effort,
                        double *derivative);

/* law_places.c: primitives and bodies on which the terms depend, places in the working
 * memory. */
crank_status crank_law_place(crank_law_making *m, crank_error *err);
/* law_stage.c, after it */
crank_status crank_law_stage_make(crank_law_making *m, crank_error *err);
void crank_law_stage_destroy(crank_law *law);

#endif
