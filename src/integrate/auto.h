/* auto.h - the integrator auto and its parts: auto.c (which of them takes the next step),
 * auto_parts.c (one in place of the other). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_AUTO_H
#define CRANK_SRC_AUTO_H

#include "integrate/explicit.h"
#include "integrate/radau.h"

typedef struct crank_auto {
    crank_explicit calm;
    crank_radau stiff, safe;
    int tested[CRANK_PARTS];           /* columns that count in norms, */
    crank_norm_runs runs[CRANK_PARTS]; /* and where they are */
    bool change;                       /* due before the next step */
    /* due because the part in use cannot go on from the end of its last step, or make a row of
     * it */
    bool broken;
    bool failed; /* the explicit method could not go on: no way back to it */
    bool unsure; /* the stiff part could not: the safe one has its place */
    /* it took the place of another part, which is to be told once it has made a step */
    bool replaced;
    int replaced_part;              /* that one */
    crank_error reason;             /* why */
    double failed_t[CRANK_PARTS];   /* where each part failed last; NAN: nowhere */
    bool trial;                     /* the method in use has not won yet */
    bool probe;                     /* its first step is to show whether it can */
    int length;                     /* of the trial */
    int steps;                      /* since the change, or since the last window ended */
    int wait[CRANK_PARTS], left;    /* steps until the other is tried: next time, still */
    int signs, no_signs;            /* of stiffness, */
    int strong;                     /* and those beyond `bounding` */
    int bounded;                    /* steps in a row at the bound of stability */
    double bounded_t, bounded_work; /* at the beginning of the first of them */
    int clear, clear_asked;         /* steps in a row that stiffness bounds clearly: so far, and
                                     * as many as ask for a probe; */
    double clear_time, clear_work;  /* of these */
    bool early;                     /* the probe is for them */
    double began;                   /* when the method in use took over */
    double rate[CRANK_PARTS];       /* work per time, when last measured */
    double window_t, window_work, window_h; /* window_h: of its first step */
    double work_seen;  /* of the part in use, at the end of the last step */
    double work_begun; /* the same, at the beginning of this one */
    int64_t rejected;  /* rejected attempts before the step */
    double *row;       /* n: of a run inside a step */
} crank_auto;

/* What the two methods see differently, while one of them works. */
typedef struct crank_auto_outside {
    const crank_method *method;
    crank_problem *problem;
    int m, tested;
    crank_norm_runs runs;
} crank_auto_outside;

extern const crank_method *const crank_auto_methods[CRANK_PARTS];

static inline int crank_auto_in_use(const crank_integrator *it)
{
    return it->problem->alternatives->now;
}

void *crank_auto_state_of(crank_auto *s, int which);
/* That which takes turns with this one: the explicit part with the implicit one in use. */
int crank_auto_other(const crank_integrator *it, const crank_auto *s, int which);

/* NULL: this part is not possible. */
crank_problem *crank_auto_problem_of(const crank_integrator *it, int which);
/* The integrator becomes one of this part alone, and that of both again. */
crank_auto_outside crank_auto_enter(crank_integrator *it, int which);
void crank_auto_leave(crank_integrator *it, crank_auto *s, crank_auto_outside kept);

/* From the present state on by this part. fresh: of a run that starts, nothing learnt before
 * counts; else the mark of the start stays. */
crank_status crank_auto_begin(crank_integrator *it, crank_auto *s, int which, bool fresh,
                              crank_error *err);
/* On the way, with a first step of this length. */
crank_status crank_auto_begin_with(crank_integrator *it, crank_auto *s, int which, double h,
                                   crank_error *err);
/* This part goes on from where the integrator was kept, as if no other had tried a step. */
void crank_auto_resume(crank_integrator *it, crank_auto *s, int which,
                       const crank_integrator *kept);
/* The other part, which takes turns with this one, takes over on the way. */
crank_status crank_auto_change(crank_integrator *it, crank_auto *s, crank_error *err);
/* Is this a failure after which another part may yet go on, and is there one that has not
 * failed here, too? */
bool crank_auto_may_replace(const crank_integrator *it, const crank_auto *s,
                            crank_status status);
/* The part in use cannot go on, for this reason: another one takes over. */
crank_status crank_auto_replace(crank_integrator *it, crank_auto *s, bool fresh,
                                const crank_error *reason, crank_error *err);
/* Tells so, after a step of that one. */
void crank_auto_tell_replaced(crank_integrator *it, crank_auto *s);
/* A step of the part in use. */
crank_status crank_auto_step_of_part(crank_integrator *it, crank_auto *s, crank_error *err);
/* The state at t in the last step, which the part that made it cannot say, by a run of the
 * other one from the step's beginning. */
crank_status crank_auto_make_row(crank_integrator *it, double t, double *x, crank_error *err);

/* Said from time t on: which part works, and why. The first few times; all are counted. */
void crank_auto_tell(crank_integrator *it, double t, int which, const char *why);

#endif
