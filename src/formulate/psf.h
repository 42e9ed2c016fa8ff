/* psf.h - the object behind the formulations psf and peom1: psf.c (the problem), psf_monitor.c
 * (singular positions, weights of pivots, round-off), psf_turn.c (singular positions within
 * steps), psf_correct.c (corrections onto the constraints), psf_jacobian.c (its Jacobian),
 * psf_archive.c (checkpoints). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_PSF_H
#define CRANK_SRC_PSF_H

#include "base/arena.h"
#include "eom/differences.h"
#include "eom/scale.h"
#include "formulate/formulate.h"
#include "formulate/mass.h"
#include "formulate/rank_turn.h"
#include "formulate/singular.h"

typedef struct crank_psf {
    crank_problem base;
    crank_arena arena;
    crank_reduction_setup setup;
    crank_reduction *reduction;
    crank_statistics statistics;
    bool *differential, *tested, *held;
    unsigned char *group, *scaling;
    crank_mass mass;
    double *jacobian, *k, *delta, *point, *across;
    crank_differences differences; /* of the Jacobian, where options ask for them */
    double *difference_unit;       /* n */
    double *noise;                 /* n: round-off of the algebraic unknowns */
    double *row_size;              /* m: of the terms of the rows at the prepared point */
    double *motion;                /* n: largest rate or velocity so far */
    double *weight;                /* n: made of it, for the choice of pivots */
    bool bound;                    /* weights are another's, who binds pivots by them */
    double *first_multiplier;      /* lambda and mu at the start */
    bool started;                  /* they are known */
    double prepared_t;
    double *prepared_x; /* n */
    double time;        /* of the motion, at the start */
    crank_scale scale;
    /* singularity monitor: smallest pivot of velocity and position rows over its largest
     * value */
    double largest[CRANK_WINDOWS];
    double ratio;                    /* at the prepared point */
    crank_singular singular, before; /* before: that of the point before a jump */
    /* singular positions within steps */
    crank_rank_turn turn;
    bool tries;     /* the integrator asks before it accepts a step */
    double *glance; /* a Jacobian without a decomposition, at glance_t; NULL: of no use */
    double glance_t;
    bool turn_projected; /* the last look projected points within a step */
    double passed_t;     /* a position that was passed and at which the run ends; NAN: none */
    int passed_at;       /* its constraint */
} crank_psf;

/* psf_monitor.c, after a decomposition at (t, x) */
void crank_psf_update_monitor(crank_psf *s, double t, bool watched);
void crank_psf_update_weights(crank_psf *s, const double *x,
                              const double *xdot); /* before it */
void crank_psf_update_noise(crank_psf *s, const double *x);
crank_status crank_psf_step_limit(crank_problem *base, double t, double *h, crank_error *err);
bool crank_psf_singular_ahead(crank_problem *base, double t, double *zero);
crank_status crank_psf_land(crank_problem *base, double t, double *x, const double *xdot,
                            crank_error *err);
double crank_psf_regularity(const crank_problem *base);
void crank_psf_landed(crank_problem *base, bool passed, double zero);

/* psf_turn.c. An accepted step, or one that is tried, ends at (t, x). CRANK_RETRY: it leads
 * across a singular position. go_on: one that was tried was accepted; looked: nothing hinted at
 * any. last: no step follows. *changed (may be NULL): the decomposition must be made anew. */
crank_status crank_psf_turn_create(crank_psf *s, crank_error *err);
crank_status crank_psf_turn_accepted(crank_psf *s, double t, const double *x, bool last,
                                     bool *changed, crank_error *err);
crank_status crank_psf_turn_try(crank_psf *s, double t, const double *x, crank_error *err);
/* The same where nothing was decomposed. */
crank_status crank_psf_turn_glance(crank_psf *s, double t, const double *x, crank_error *err);
crank_status crank_psf_turn_go_on(crank_psf *s, double t, const double *x, bool looked,
                                  bool last, crank_error *err);
/* Does a freedom without mass become undetermined farther ahead than this way? */
crank_status crank_psf_turn_ahead(crank_psf *s, double t, const double *x, double way,
                                  crank_error *err);
crank_status crank_psf_turn_fail(const crank_psf *s, crank_error *err);

/* psf_correct.c */
crank_status crank_psf_correct(crank_problem *base, double t, double *x, crank_error *err);
crank_status crank_psf_complete(crank_problem *base, double t, double *x, crank_error *err);
/* Positions and velocities alone, by this decomposition, which may be of this point (fresh);
 * CRANK_RETRY also where one of this point would take less time. */
crank_status crank_psf_recover(crank_psf *s, crank_reduction *by, bool fresh, double t,
                               double *x, crank_error *err);

/* psf_jacobian.c. s->jacobian at (t, x). */
void crank_psf_jacobian_layout(crank_psf *s, crank_arena *arena);
crank_status crank_psf_jacobian_create(crank_psf *s, crank_error *err);
crank_status crank_psf_jacobian(crank_psf *s, double t, const double *x, const double *vdot,
                                crank_error *err);

/* psf_archive.c */
void crank_psf_archive(crank_problem *base, crank_archive *archive);

#endif
