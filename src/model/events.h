/* events.h - `events:` of a model file of any kind: what the file says, and what is done when
 * an event happens.
 *
 * The road: crank_events_read makes records of the section (each kind says how its expressions
 * and names are read); the kind makes functions of them that can be evaluated, and a
 * crank_event_set of the records (crank_event_set_create); events_apply.c does what the file
 * says. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MODEL_EVENTS_H
#define CRANK_SRC_MODEL_EVENTS_H

#include "model/model.h"
#include "symbolic/symbolic.h"

/* ---- what the file says (events_read.c) ---- */

typedef enum crank_action_kind {
    CRANK_ACTION_IMPACT,  /* value: restitution */
    CRANK_ACTION_RESET,   /* target: what gets the value, of velocities or a variable r */
    CRANK_ACTION_SET,     /* parameter gets the value */
    CRANK_ACTION_STOP,    /* the run ends */
    CRANK_ACTION_MESSAGE, /* text */
    CRANK_ACTION_FAIL,    /* the run fails with this text */
} crank_action_kind;

typedef struct crank_action_record {
    crank_action_kind kind;
    const crank_node *key, *node; /* name and value in the file */
    crank_ex target, value;       /* -1: none */
    int parameter;                /* of a switched parameter; -1: none */
} crank_action_record;

typedef struct crank_event_record {
    const char *name;
    const crank_node *key, *node; /* its name, its `when` */
    signed char direction;        /* as in crank/events.h */
    crank_ex when;
    int action_count;
    crank_action_record *action;
} crank_event_record;

/* Who reads it. Messages begin with object, 'event "floor", reset'. */
typedef struct crank_events_reader {
    crank_store *store;
    crank_pool *pool;
    void *user;
    /* A scalar (also a key: target of a reset) as an expression of whatever outputs may use. */
    crank_status (*expression)(void *user, const crank_node *node, const char *object,
                               crank_ex *out, crank_error *err);
    /* What is checked of an expression's value holds for the whole run. */
    void (*bake)(void *user, crank_ex ex);
    /* The number of a switched parameter by its name. */
    crank_status (*parameter)(void *user, const crank_node *key, const char *object, int *out,
                              crank_error *err);
} crank_events_reader;

/* One event: node is what stands under its name. */
crank_status crank_event_read(const crank_events_reader *reader, const char *name,
                              const crank_node *key, const crank_node *node,
                              crank_event_record *out, crank_error *err);
/* All of a section (NULL or empty: none). */
crank_status crank_events_read(const crank_events_reader *reader, const crank_node *section,
                               crank_event_record **out, int *count, crank_error *err);
/* Calls found for every key of a `set` of one event, whatever else is wrong with the event: so
 * that parameters which switch are known before any value is read. found: false ends the
 * search. */
typedef bool crank_events_found_fn(void *user, const crank_node *event, const crank_node *key);
bool crank_event_find_switched(const crank_node *key, const crank_node *node,
                               crank_events_found_fn *found, void *user);

/* ---- what is done (events_apply.c) ---- */

typedef struct crank_event_action {
    crank_action_kind kind;
    int value;        /* among the values; -1: none */
    int row;          /* impact and reset of velocities: among the rates; -1: none */
    int column;       /* reset of a variable r: of x; -1: none */
    int parameter;    /* set; -1: none */
    const char *name; /* of what is reset or set; text of a message */
} crank_event_action;

typedef struct crank_event {
    crank_place place;
    int action_count;
    crank_event_action *action;
} crank_event;

/* Constant; lives in the model's store. self: the supplier of a state's eom. */
struct crank_event_set {
    int count;
    crank_event *event;
    const char **name;
    signed char *direction;
    bool *barrier;   /* has an impact: the motion does not go through */
    bool *of_time;   /* depends on t alone, and not linearly */
    bool *of_states; /* of translated equations: as in crank/events.h */
    int value_count, row_count, parameter_count;
    /* from the kind: the functions; values of all actions, rates and their derivatives by the
     * velocities (row_count x n_v, row by row); invariants: their values are noted before a
     * jump, and after it those that have changed are kept at the new value (NULL: there are
     * none) */
    crank_status (*functions)(void *self, double t, const double *x, double *values,
                              crank_error *err);
    crank_status (*actions)(void *self, double t, const double *x, double *value, double *rate,
                            double *gradient, crank_error *err);
    crank_status (*invariants)(void *self, double t, const double *x, bool after,
                               crank_error *err);
    /* what a model with memory does at an event, after the actions; NULL: nothing */
    crank_status (*iterate)(void *self, const signed char *happened, double t, double *x,
                            crank_event_outcome *outcome, crank_error *err);
};

/* Work space of a state. */
struct crank_event_work {
    double *value, *rate, *gradient; /* of all actions */
    double *row, *change;            /* of those that happen: derivatives, and what changes */
    const char **row_name;           /* the event that asks for it */
    double *residual;                /* of all rows, scaled, after parameters switched: m */
    double *residual_before;         /* before */
    double *drift;                   /* gI and h before, not scaled */
    bool *chosen;                    /* parameter_count, then n: already set at this time */
};
crank_status crank_event_work_create(crank_state *state, crank_error *err);

/* crank_state_apply_events (crank/model.h) in two steps. Where the first one has changed
 * anything, w, lambda and mu of x are still those of before: they follow from the equations, by
 * a formulation or by the second one, which finds them whatever the ranks are. */
crank_status crank_state_change_at_events(crank_state *state, const signed char *happened,
                                          double t, double *x, crank_event_outcome *outcome,
                                          crank_error *err);
crank_status crank_state_find_multipliers(crank_state *state, double t, double *x,
                                          const crank_event_outcome *outcome, crank_error *err);

/* Expressions of the actions of all records, in their order: values; rates of impacts (the time
 * derivative of `when`, which the kind has put into their target) and of what is reset. */
typedef struct crank_event_lists {
    int value_count, rate_count;
    crank_ex *value, *rate; /* in the store of the reading */
} crank_event_lists;

/* Marks events whose functions depend on t alone, and not linearly, beside what does not move
 * between events: moves(user, symbol) tells. t: its symbol. */
crank_status crank_event_set_mark_of_time(crank_model *model, crank_store *reading,
                                          crank_pool *pool, crank_ex t,
                                          const crank_event_record *record,
                                          bool (*moves)(const void *user, crank_ex symbol),
                                          const void *user, crank_error *err);
/* Makes the model's set; the kind then sets what is its own. column(user, target): the column
 * of x that the target of a reset is, which gets its value as it is; -1: an expression of
 * velocities. */
crank_status crank_event_set_create(crank_model *model, crank_store *reading,
                                    const crank_event_record *record, int count,
                                    int parameter_count,
                                    int (*column)(const void *user, crank_ex target),
                                    const void *user, crank_event_lists *lists,
                                    crank_error *err);

#endif
