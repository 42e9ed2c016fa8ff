/* switches_bends.h - knots at which second derivatives of tables in t jump, and those that steps
 * may pass: theory 8.7. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_INTEGRATE_SWITCHES_BENDS_H
#define CRANK_SRC_INTEGRATE_SWITCHES_BENDS_H

#include "base/switches.h"
#include "integrate/integrator.h"

typedef struct crank_bends {
    int first, count; /* of the conditions */
    int quiet;        /* knots in a row at which steps ended and rates hardly jumped */
    int deaf;         /* knots that are not looked at */
    double t_last;    /* of the last one of any kind at which a step ended; NAN */
    double *limit;    /* count: the largest jumps of second derivatives at the quiet ones */
    double *before, *behind; /* first + 2 count: values on both sides of a knot */
    bool known;              /* rates before the knot */
    double *rate, *rate_behind, *x, *k;
} crank_bends;

/* Doubles that lie behind `values`, of an integrator's problem; lays them out. */
size_t crank_bends_size(const crank_integrator *it, const crank_switches *given);
void crank_bends_layout(crank_bends *b, const crank_integrator *it, const crank_switches *given,
                        double *values);
void crank_bends_start(crank_bends *b);
/* May a step lead across the knot between the neighbouring times t_before and t_behind? */
bool crank_bends_may_pass(crank_bends *b, const crank_switches *given, double t_before,
                          double t_behind);
/* Is a knot all that lies between these times? */
bool crank_bends_alone(crank_bends *b, const crank_switches *given, double t_before,
                       double t_behind);
/* A step has ended at one: rates on this side, and then on the other one. */
void crank_bends_arrive(crank_integrator *it, crank_bends *b);
void crank_bends_leave(crank_integrator *it, crank_bends *b);
void crank_bends_archive(crank_bends *b, crank_archive *a);

#endif
