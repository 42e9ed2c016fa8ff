/* own_ida.h - IDA of SUNDIALS on crank's own equations. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef BENCH_OWN_IDA_H
#define BENCH_OWN_IDA_H

#include <crank/crank.h>

#include <stdio.h>
#include <stdlib.h>

/* What came of it. */
typedef struct own_ida_run {
    int reached; /* rows filled */
    double seconds;
    long steps, evaluations, jacobians;
    char text[160]; /* why fewer were reached than asked for */
} own_ida_run;

/* Integrates from where `run` stands, formulated and started by a method of the direct forms
 * (ggl-bdf, index1-bdf, index2-bdf), to the times given. rows: count x crank_eom_unknowns. */
#ifdef BENCH_IDA
void own_ida(crank_run *run, double rtol, int count, const double *times, double *rows,
             own_ida_run *out);
#else
static inline void own_ida(crank_run *run, double rtol, int count, const double *times,
                           double *rows, own_ida_run *out)
{
    (void)run, (void)rtol, (void)count, (void)times, (void)rows, (void)out;
    (void)fprintf(stderr, "peers_crank was built without SUNDIALS\n");
    exit(1);
}
#endif

#endif
