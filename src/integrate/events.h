/* events.h - zeros of functions along the motion, for every method: events.c (starts, what
 * callers see), events_step.c (the step that ends at a zero), events_find.c (zeros within a
 * step), events_calm.c (where there are none), events_accumulate.c (zeros without end). theory,
 * chapter 8. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EVENTS_H
#define CRANK_SRC_EVENTS_H

#include "integrate/integrator.h"

#include <math.h>

/* Points of a step at which functions are looked at: its beginning, PROBES close to it for
 * functions that leave zero, PARTS - 1 inside and the end, DIPS where one seems to come close
 * to zero, and the edge of the domain. */
enum {
    CRANK_EVENT_PARTS = 5,
    CRANK_EVENT_PROBES = 20,
    CRANK_EVENT_DIPS = 16,
    CRANK_EVENT_POINTS = 3 + CRANK_EVENT_PROBES + CRANK_EVENT_PARTS + CRANK_EVENT_DIPS
};

/* When one function was zero, for events_accumulate.c */
typedef struct crank_event_times {
    double last, interval; /* NAN: not yet */
    double since;          /* intervals have shrunk from this time on, */
    double first;          /* when they had this length, */
    int shrunk;            /* and so many times */
    int tiny;              /* intervals in a row that time hardly resolves */
} crank_event_times;

/* A zero that is wanted. function -1: there is none. */
typedef struct crank_event_zero {
    int function;
    int sense;       /* 1: it rises */
    double t, slope; /* on the dense output */
    double beyond;   /* a time at which it has changed its sign, on the dense output */
    int through;     /* a function that went through its barrier, -1: none */
} crank_event_zero;

typedef struct crank_event_state {
    crank_events events;
    crank_problem *problem;
    crank_arena arena;
    signed char *direction; /* count, as are all arrays to `barrier` */
    signed char *happened;  /* at it->t */
    signed char *side;      /* sign; 0: not known since the start */
    signed char *came;      /* leaving: the side before the event, 0: there was none */
    signed char *sign;      /* scratch: along a step */
    signed char *found;     /* scratch: what will have happened */
    double *value;          /* at it->t */
    double *before;         /* at it->t_old; NAN: nothing known */
    double *now;            /* at the end of a step that was made again */
    double *end, *noise;    /* scratch */
    double *last;           /* scratch: at the end of the step, where looks are costly */
    double *rest;           /* leaving: values up to here are zero */
    double *size;           /* at its event: the largest value in the step before */
    bool *leaving;          /* is zero, and has no side before it has left */
    bool *barrier;
    bool *of_time, any_of_time; /* functions of t alone */
    bool *of_states;            /* of what the problem knows without a solution */
    bool *open;                 /* scratch: may cross zero within the step, */
    bool open_states;           /* and are functions of states, all of them */
    bool *guarded;              /* must leave to the side it came from */
    bool *resting;              /* zero at all points of the step that was looked into last */
    crank_event_times *times;
    bool any;         /* something happened at it->t */
    bool awaits;      /* and no step led there: it is reported before the next one */
    bool fresh;       /* the method starts anew with the next step */
    double t_start;   /* of the run */
    double t_event;   /* last event, or the start */
    double interval;  /* between the last two of them */
    double h_whole;   /* length of the step in which the last event was found */
    double h_before;  /* length of the step from there */
    double *x, *work; /* n */
    double *given;    /* the eom's unknowns of x, of problems that have others */
    double *gap;      /* n: of the dense output at the beginning of the step */
    double *past;     /* n: unknowns at the beginning of the last step */
    double *values;   /* POINTS x count, in the order of t */
    double t[CRANK_EVENT_POINTS];
    int points;
    /* the integrator at the beginning of the step */
    void *copy;
    crank_integrator kept;
    int part; /* of the problem's alternatives */
} crank_event_state;

static inline double *crank_event_values(const crank_event_state *e, int point)
{
    return e->values + (long)point * e->events.count;
}

static inline int crank_event_sign(double value)
{
    return (value > 0.0) - (value < 0.0);
}

static inline bool crank_event_has_left(const crank_event_state *e, int i, double value)
{
    return fabs(value) > e->rest[i];
}

/* events_calm.c. Are values within steps costly? */
bool crank_events_are_costly(const crank_integrator *it);
/* Which functions may cross zero in the step, from e->last, into e->open; false: none. */
bool crank_events_find_open(const crank_integrator *it, crank_event_state *e);
/* Can a look at the middle of the step be enough, and is it: do the open ones go straight on, from
 * the first over the second to the third point? */
bool crank_events_may_be_straight(const crank_event_state *e);
bool crank_events_are_straight(const crank_event_state *e);

/* events_time.c. A time in the step at which a function of t alone has passed zero; NAN: none. */
crank_status crank_events_look_ahead(crank_integrator *it, crank_event_state *e, double *turn,
                                     crank_error *err);

/* events_step.c. One accepted step, which ends at the first event in it. */
crank_status crank_events_step(crank_integrator *it, crank_error *err);

/* events.c */
/* Round-off of a value over the change that crank_events_measure_noise finds. */
extern const double crank_event_noise_factor;
/* The method starts again at the present state, which is that of the motion. */
crank_status crank_events_start_anew(crank_integrator *it, crank_error *err);
/* The same behind a switch, after steps of about the length h; functions that have jumped over
 * zero there have their events. */
crank_status crank_events_start_behind(crank_integrator *it, double h, crank_error *err);
/* Are there such events to be told? Once. */
bool crank_events_tell(crank_integrator *it);
/* Outside the domain with no way back, for the reason given: ESTOP_EQUATIONS. */
crank_status crank_events_undefined(double t, const crank_error *reason, crank_error *err);
crank_status crank_events_start(crank_integrator *it, crank_error *err);
/* Values at (t, x); positive: not here, err tells which. */
crank_status crank_events_evaluate(crank_event_state *e, double t, const double *x,
                                   double *values, crank_error *err);
/* The same of functions of states; the others are left out. */
crank_status crank_events_evaluate_states(crank_event_state *e, double t, const double *x,
                                          double *values, crank_error *err);
void crank_events_destroy(crank_event_state *e);

/* events_archive.c */
void crank_events_archive(crank_integrator *it, crank_archive *a);

/* events_find.c. Looks at the points of the last step; *until: up to where functions could be
 * evaluated. */
crank_status crank_events_look(crank_integrator *it, crank_event_state *e, double *until,
                               crank_error *err);
/* Before samples of a step that has not been looked at. */
void crank_events_find_gap(crank_integrator *it, crank_event_state *e);
/* Values at t in the last step, from the dense output; states: of functions of states, where
 * that is cheaper, the others then being anything. */
crank_status crank_events_sample(crank_integrator *it, crank_event_state *e, double t,
                                 bool states, double *values, crank_error *err);
/* The first wanted zero among the points looked at, but none of functions marked in `done` (may
 * be NULL); e->sign: all signs before it. */
crank_status crank_events_find(crank_integrator *it, crank_event_state *e,
                               const signed char *done, crank_event_zero *zero,
                               crank_error *err);
/* What round-off does to values at the present state, roughly: e->noise. */
void crank_events_measure_noise(const crank_integrator *it, crank_event_state *e,
                                const double *values);

/* events_accumulate.c */
void crank_events_forget(crank_event_times *times);
/* After an event of function i at it->t: EEVENTS if there is no end of them. */
crank_status crank_events_note(const crank_integrator *it, crank_event_state *e, int i,
                               crank_error *err);
/* After the restart function i went on through the barrier. */
crank_status crank_events_fail_barrier(const crank_integrator *it, const crank_event_state *e,
                                       int i, crank_error *err);

#endif
