/* flat.h - a flat DAE: what a front end (modelica/) leaves of a model with components, and what
 * the passes of this room work on, each a file.
 *
 *     0 = F(x', x, p, t)      left = right, scalar, with parameters p as symbols
 *
 * Everything is an expression of one pool; variables, their derivatives and parameters are
 * symbols of it. Discrete variables keep their value between events; what happens to them there,
 * and to states, is a list of updates (theory 11.4). A pass changes the record in place, and can be printed (crank_flat_print, `crank compile --dump=PASS`). Arrays grow by
 * the functions below; memory is the record's store. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_INLINE_FLAT_H
#define CRANK_SRC_INLINE_FLAT_H

#include "base/index.h"
#include "base/store.h"
#include "symbolic/symbolic.h"

/* Lines of other files than the model's, such as packages: number of the file times this, and
 * the line. */
enum { CRANK_FLAT_LINES = 1 << 20 };

typedef struct crank_flat_place {
    int line, column; /* 0: none */
} crank_flat_place;

typedef enum crank_flat_type {
    CRANK_FLAT_REAL,
    CRANK_FLAT_INTEGER,
    CRANK_FLAT_BOOLEAN, /* 0 or 1 */
    CRANK_FLAT_ENUMERATION
} crank_flat_type;

/* what has become of a variable */
typedef enum crank_flat_role {
    CRANK_FLAT_UNKNOWN,   /* the equations determine it */
    CRANK_FLAT_DISCRETE,  /* constant between events, which set it */
    CRANK_FLAT_ELIMINATED /* value says what it is; it is not in the equations any more */
} crank_flat_role;

typedef struct crank_flat_variable {
    const char *name;
    crank_flat_place place;
    crank_flat_type type;
    crank_flat_role role;
    crank_ex symbol;
    crank_ex rate;  /* the symbol of its derivative; -1: nobody uses it */
    crank_ex value; /* of one that is eliminated; else -1 */
    /* expressions of parameters; -1: not given */
    crank_ex start, nominal, min, max;
    crank_ex derived; /* without `start`: what the equations say, a guess; -1: nothing */
    bool fixed;
    bool guess;              /* start is no more than that, though it may be a state */
    int before;              /* the discrete variable that holds pre(x); -1: nobody uses it */
    bool updated;            /* it gets values at events */
    bool made;               /* by the flattening: a relation, pre(x), a condition of `when` */
    const char *unit, *text; /* "": not given */
} crank_flat_variable;

typedef struct crank_flat_parameter {
    const char *name;
    crank_flat_place place;
    crank_flat_type type;
    crank_ex symbol, value; /* value: of other parameters */
    double number;
    bool structural; /* the shape of the equations depends on it */
    const char *unit, *text;
} crank_flat_parameter;

typedef struct crank_flat_equation {
    crank_ex left, right;
    crank_flat_place place;
    const char *origin; /* "r1.v = ..."'s component: "r1"; "connect"; "": the model itself */
    int tear;           /* 1 + number of the declaration in it; 0: none */
} crank_flat_equation;

/* What the model says of tearing: this unknown is iterated on, and the equation is a residual; or
 * the same in a linear system, without iteration; or it is not. */
typedef enum crank_flat_tear_kind {
    CRANK_FLAT_RESIDUE,
    CRANK_FLAT_LINRESIDUE,
    CRANK_FLAT_NOT_TORN
} crank_flat_tear_kind;

typedef struct crank_flat_tear {
    crank_flat_tear_kind kind;
    crank_ex symbol; /* of a variable or its derivative */
    crank_flat_place place;
} crank_flat_tear;

/* the run ends, with a message */
typedef struct crank_flat_action {
    const char *message;
    bool failure; /* it ends as a failure */
    bool goes_on; /* only the message is told */
} crank_flat_action;

/* A relation is frozen between events: a discrete Boolean stands in the equations, which is set
 * where `when` passes zero. Actions: at a zero of `when`, or, where there is none, at any event
 * where the condition holds. */
typedef struct crank_flat_event {
    const char *name;
    crank_ex condition;    /* of actions without `when`; -1: none */
    crank_ex when;         /* where it passes zero; -1: none */
    signed char direction; /* 1 rising, -1 falling, 0 both */
    int relation;          /* the discrete Boolean that is true where when > 0; -1: none */
    bool or_equal;         /* where when >= 0 */
    bool clock;            /* of sample(): false while the start is looked for */
    bool at_end;           /* terminal(): where the run ends; `when` is another time */
    crank_flat_place place;
    int action_count, action_capacity;
    crank_flat_action *action; /* and no relation: equations have a kink or jump here */
} crank_flat_event;

/* At events, after relations: a discrete variable gets the value; or a state does where the
 * condition holds (reinit), once all discrete variables are known. In the order of use: values
 * contain discrete variables set before, and any pre(x), which is x in the pass before. */
typedef struct crank_flat_update {
    int variable;
    crank_ex value;
    crank_ex condition; /* of reinit; -1: a discrete variable */
    crank_flat_place place;
} crank_flat_update;

typedef struct crank_flat_assertion {
    crank_ex condition;
    const char *message;
    crank_flat_place place;
    bool warning;   /* told, and the run goes on */
    bool at_events; /* it stands in `when` */
} crank_flat_assertion;

/* 1, 2 and 1/2, with signs: numbers that formulas have without a unit */
enum { CRANK_FLAT_FACTORS = 3 };

typedef struct crank_flat {
    crank_store store;
    crank_pool *pool;
    crank_ex t;
    const char *name, *title;
    int variable_count, variable_capacity;
    crank_flat_variable *variable;
    int parameter_count, parameter_capacity;
    crank_flat_parameter *parameter;
    int equation_count, equation_capacity;
    crank_flat_equation *equation;
    int initial_count, initial_capacity;
    crank_flat_equation *initial;
    int tear_count, tear_capacity;
    crank_flat_tear *tear;
    int event_count, event_capacity;
    crank_flat_event *event;
    int update_count, update_capacity;
    crank_flat_update *update;
    int at_start; /* the discrete Boolean that is initial(); -1: nobody uses it */
    int assertion_count, assertion_capacity;
    crank_flat_assertion *assertion;
    bool has_unit[CRANK_FLAT_FACTORS]; /* a constant with a unit has that value */
    /* `experiment`; NaN: not given */
    double t_start, t_end, interval, tolerance;
    int file_count; /* names of the files by number; the first is the model's */
    const char *const *file;
} crank_flat;

/* ---- flat.c ---- */

crank_status crank_flat_init(crank_flat *flat, crank_error *err);
void crank_flat_free(crank_flat *flat); /* accepts a zeroed one */
/* New ones at the end, zeroed, with -1 where that is "none"; -1: out of memory. */
int crank_flat_add_variable(crank_flat *flat, const char *name);
int crank_flat_add_parameter(crank_flat *flat, const char *name);
crank_flat_equation *crank_flat_add_equation(crank_flat *flat, bool initial);
crank_flat_event *crank_flat_add_event(crank_flat *flat);
crank_flat_tear *crank_flat_add_tear(crank_flat *flat);
crank_flat_assertion *crank_flat_add_assertion(crank_flat *flat);
crank_flat_update *crank_flat_add_update(crank_flat *flat);
crank_flat_action *crank_flat_add_action(crank_flat *flat, crank_flat_event *event);
/* The derivative of variable i, made if there is none. */
crank_ex crank_flat_rate(crank_flat *flat, int i);
/* The variable that holds pre() of variable i, made if there is none; -1: out of memory. */
int crank_flat_before(crank_flat *flat, int i);
/* From a symbol to the variable with it, or whose rate it is (*rate); -1: none. map: symbol to
 * 2 i or 2 i + 1, -1; crank_pool_size entries, in the store, NULL: out of memory. */
int *crank_flat_map(crank_flat *flat);
/* Replaces symbols in equations, initial equations, events, assertions and values of variables
 * that are eliminated. by: an entry a node of the pool, of which the first `size` count; -1: it
 * stays. */
void crank_flat_substitute(crank_flat *flat, int size, const crank_ex *by);
/* The same in one expression. */
crank_ex crank_flat_replace(crank_flat *flat, crank_ex ex, int size, const crank_ex *by);
/* CRANK_EMEM if the pool or the store failed. */
crank_status crank_flat_status(const crank_flat *flat, crank_error *err);

/* Which of those factors a number is; -1: none. */
int crank_flat_factor_kind(double number);

/* ---- flat_print.c ---- */

/* The record as Base Modelica, for people: parameters, variables, equations, events. */
void crank_flat_print(const crank_flat *flat, crank_text *text);
/* "line 12", "Crank/Blocks.mo line 12" into text (CRANK_FLAT_PLACE_TEXT); returns it. */
enum { CRANK_FLAT_PLACE_TEXT = 160 };
const char *crank_flat_print_place(const crank_flat *flat, crank_flat_place place, char *text);
/* The file of a place; NULL: the model's. */
const char *crank_flat_file_of(const crank_flat *flat, crank_flat_place place);
/* One expression in Modelica's way of writing. */
void crank_flat_print_expression(const crank_flat *flat, crank_ex ex, crank_text *text);

#endif
