/* integrator.h - what integration methods share: the object, weights and norms, and the table
 * entry by which a method is known. A new method is one file and one line in integrator.c;
 * steps are made by stepper.c. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_INTEGRATOR_H
#define CRANK_SRC_INTEGRATOR_H

#include "integrate/create.h"

#include "base/archive.h"
#include "base/arena.h"

typedef struct crank_method crank_method;
typedef struct crank_event_state crank_event_state;     /* events.h */
typedef struct crank_switch_state crank_switch_state;   /* switches.h */
typedef struct crank_feature_state crank_feature_state; /* features.h */

/* Unknowns from first to last - 1 count in norms with the same power of h (problem.h,
 * scaling). */
typedef struct crank_norm_run {
    int first, last, scaling;
} crank_norm_run;

typedef struct crank_norm_runs {
    int count;
    crank_norm_run *list; /* room for n */
} crank_norm_runs;

/* Is it->given that of it->x, or to be made when it is asked for? What came of that then is
 * told by the next step. */
typedef struct crank_shown {
    bool known;
    crank_status status;
    crank_error reason;
} crank_shown;

struct crank_integrator {
    const crank_method *method;
    crank_problem *problem;
    crank_options options;
    crank_statistics statistics; /* the integrator's own; the problem has its share */
    crank_arena arena;
    void *state; /* of the method */
    int n, m;
    int tested; /* columns that count in norms */
    bool started;
    bool jumped;      /* the last step led across a singular position */
    int64_t attempts; /* since the start, or since the limit on steps was reported */
    /* of the step that is tried (stepper.c) */
    /* Positive: a step whose first attempt has an error above this is not made: CRANK_RETRY. */
    double once;
    bool rejected;   /* an attempt failed */
    bool unseen;     /* the last attempt has passed what it did not see (features.h) */
    int failures;    /* in a row, of attempts that were not possible */
    int stuck;       /* of these, with a step no longer than the last one made: failures
                          * of a longer one say nothing of the place */
    double h_first;  /* the method's own choice where it started last: stands for that
                          * length until a step is made */
    int jumping;     /* unknown whose defect made an attempt fail, -1: none */
    double t_looked; /* where the problem was prepared last, of methods that do so rarely */
    /* a failure found behind an accepted step, reported by the next call */
    crank_status stopped;
    double t, t_old, t_end; /* last accepted step: t_old .. t */
    double t_start;         /* of the run */
    double t_stop;          /* no step passes it: t_bound, or an event before */
    double t_bound;         /* t_end, or a switch before */
    double h;               /* proposed next step */
    double last_error;      /* of the last accepted step over the tolerance; NAN: unknown */
    uint64_t origin;        /* mark of the start: its time, values and right-hand sides */
    double *x;              /* n, at t */
    double *given;          /* the eom's unknowns there, of problems that have others */
    crank_shown *shown;
    double *rtol, *atol;           /* n, as the user gave them */
    double *rtol_used, *atol_used; /* after the tolerance transformation */
    double time;                   /* what h is measured by in norms */
    double *scale;                 /* n: atol + rtol |x| */
    crank_norm_runs runs;          /* what counts in norms */
    double *output_work, *row, *interpolated, *refined, *row_off; /* n: of rows (rows.c) */
    double *row_rate, *row_k, *row_begin; /* n, m, n: rates of a row; NULL: not wanted */
    double ends_looked[2]; /* the step (t_old, t) whose ends' rates were looked at for rows, */
    bool ends_stiff;       /* and what they said */
    crank_event_state *events;     /* NULL: none */
    crank_switch_state *switches;  /* NULL: none */
    crank_feature_state *features; /* NULL: none */
    /* Texts, which readers of all else need not copy. */
    crank_error outside;     /* why the last attempt could not be evaluated, if so */
    crank_error stop_reason; /* of `stopped` */
};

/* What came of an attempt at a step. */
typedef struct crank_attempt {
    double size;    /* its error over the tolerance; up to one it is accepted */
    bool blunt;     /* the size says nothing about the step that would do */
    double shorter; /* not possible (CRANK_RETRY): factor of the next one's length */
    int jumping;    /* unknown that does not move as its rate says, -1: none */
    bool done;      /* `ready` has made the step */
} crank_attempt;

struct crank_method {
    const char *name;
    bool transforms_tolerances; /* estimate of lower order than the method: RADAU5's rtol' */
    bool passes_singular;       /* singular: pass */
    bool is_explicit;           /* needs the problem's derivative, no Newton matrix */
    bool half_explicit;         /* needs the problem's reach, too */
    bool one_step;              /* its first steps are as good as any, and may be as long */
    bool linearly_implicit;     /* needs the problem's explicit_in_free, time_derivative */
    bool takes_residuals;       /* works with problems that give residuals in one pass */
    int max_order;              /* of formulas of variable order; 0: of one order */
    bool spreads_end;    /* two equal steps at the end of a run instead of a short last one */
    bool looks_rarely;   /* the problem is prepared every few steps; sets it->t_looked */
    const double *nodes; /* two places within the step, from 0 to 1, at which it evaluates;
                          * NULL: at its end only */
    bool blind_end;      /* it does not evaluate at its end */
    size_t state_size;
    void (*layout)(void *state, crank_arena *arena, const crank_integrator *it);
    /* The hooks of stepper.c, in the order of their calls, see stepper.h. begin and ready may
     * be NULL. */
    void (*reset)(crank_integrator *it);
    crank_status (*start)(crank_integrator *it, crank_error *err);
    crank_status (*begin)(crank_integrator *it, crank_error *err);
    crank_status (*look)(crank_integrator *it, crank_error *err);
    crank_status (*ready)(crank_integrator *it, crank_attempt *a, crank_error *err);
    crank_status (*attempt)(crank_integrator *it, crank_attempt *a, crank_error *err);
    void (*end)(const crank_integrator *it, double *x);
    void (*undo)(crank_integrator *it);
    double (*shorter)(crank_integrator *it, const crank_attempt *a);
    void (*accept)(crank_integrator *it, const crank_attempt *a);
    crank_status (*settle)(crank_integrator *it, const crank_attempt *a, bool last,
                           crank_error *err);
    /* A method made of others has none of these but start, which is all of it, and a step of
     * its own. */
    crank_status (*step)(crank_integrator *it, crank_error *err);
    /* From the present state, with what is known of the run; NULL: start. */
    crank_status (*restart)(crank_integrator *it, crank_error *err);
    /* The integrator stands again where an earlier step began, the problem further on (jumped:
     * across a singular position). NULL: crank_integrator_rewind. */
    crank_status (*rewind)(crank_integrator *it, bool jumped, crank_error *err);
    void (*interpolate)(const crank_integrator *it, double t, double *x);
    /* What the interpolated row at t, within the last step, is off in each unknown, estimated;
     * NULL: no more than steps are. */
    void (*row_error)(const crank_integrator *it, double t, double *off);
    /* A row that is more accurate, finished; x stays as it is where that fails. NULL:
     * interpolation does all that can be done. */
    crank_status (*refine_row)(crank_integrator *it, double t, double *x, crank_error *err);
    /* A row that cannot be corrected, in another way; NULL: there is none. */
    crank_status (*make_row)(crank_integrator *it, double t, double *x, crank_error *err);
    void (*invalidate)(
        crank_integrator *it); /* the problem was prepared elsewhere: matrices are due */
    /* Checkpoints: all of the method's state that outlives a step, in both directions. */
    void (*archive)(crank_integrator *it, crank_archive *archive);
};

extern const crank_method crank_method_adams, crank_method_radau, crank_method_bdf,
    crank_method_sdirk2, crank_method_sdirk415, crank_method_sdirk416, crank_method_dopri5,
    crank_method_dopri8, crank_method_herk5, crank_method_rosenbrock, crank_method_trapezoidal,
    crank_method_hht, crank_method_auto;

/* rtol_used, atol_used of the method and time, from the user's. */
void crank_integrator_take_tolerances(crank_integrator *it);
/* scale_j = atol_j + rtol_j |x_j| */
void crank_integrator_set_scale(crank_integrator *it, const double *x);
/* The problem's tested unknowns. */
void crank_integrator_list_runs(const crank_problem *problem, crank_norm_runs *out);
/* sqrt of the mean over tested columns and count vectors of (z_j (h/time)^scaling_j /
 * scale_j)^2 */
double crank_integrator_norm(const crank_integrator *it, int count, const double *z, double h);
/* Is unknown j given by rates (p, v, r)? */
bool crank_integrator_is_differential(const crank_integrator *it, int j);
/* The power of h by which rates enter norms: velocities of the index 3 form. */
int crank_integrator_power_of_rates(const crank_integrator *it);
/* Tolerances below this multiple of round-off are raised to it: no step size could meet
 * them. */
extern const double crank_noise_factor;
/* Tells the problem that it->t, it->x are the present again. */
crank_status crank_integrator_rewind(crank_integrator *it, bool jumped, crank_error *err);
/* it->x becomes that of x, unknowns of the eom that hold at it->t. */
crank_status crank_integrator_take(crank_integrator *it, const double *x, crank_error *err);
/* out: the eom's unknowns of x (n) at t. */
crank_status crank_integrator_give(const crank_integrator *it, double t, const double *x,
                                   double *out, crank_error *err);
/* A step has ended: it->given become those of it->x, now or when they are asked for. */
crank_status crank_integrator_show(crank_integrator *it, crank_error *err);
/* Where the proposed step ends: t_stop itself if that is meant. */
double crank_integrator_step_end(const crank_integrator *it);
/* The proposed step no longer than h_max, and up to t_stop if that is as good as reached. */
void crank_integrator_clip_step(crank_integrator *it);
/* failure.c. No step succeeds: status, with what is already in err, or the singular position
 * behind it. */
crank_status crank_integrator_give_up(crank_integrator *it, crank_status status,
                                      crank_error *err);
/* Before each attempt: counts it; fails if there were too many or the step size vanished, and
 * says why. After EMAX_STEPS the run may be continued: the limit counts anew. */
crank_status crank_integrator_check_limits(crank_integrator *it, crank_error *err);
/* rows.c. An interpolated row onto all constraint levels, or its algebraic unknowns from the
 * others. */
crank_status crank_integrator_finish_row(crank_integrator *it, double t, double *x,
                                         crank_error *err);
/* A row in a step across a singular position, onto the constraints as far as that is
 * sensible. */
void crank_integrator_correct_near_singular(crank_integrator *it, double t, double *x,
                                            crank_error *err);

#endif
