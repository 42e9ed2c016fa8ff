/* peer.h - one run of one peer on one problem. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "reduced.h"

typedef struct peer_run {
    mechanics *problem;
    double rtol;
    int count; /* times at which the state is asked for */
    const double *times;
    double *rows; /* count x (2 nq + nl): q, v, lambda */
    double seconds;
    long steps, evaluations;
    int reached;    /* rows filled */
    char text[160]; /* why fewer than count were reached */
} peer_run;

/* Copies q, v, lambda (NULL: found from the accelerations' equations) into row i. */
void peer_keep(peer_run *run, reduced *equations, int i, const double *q, const double *v,
               const double *lambda);

/* IDA: "ggl" (index 2) or "index1"; KLU or dense. */
void peer_ida(peer_run *run, bool ggl, bool sparse);
/* CVODE on the reduced equations: Adams with functional iteration, or BDF with Newton's; with
 * projection (BDF). */
void peer_cvode(peer_run *run, bool adams, bool project);
/* ARKODE, explicit, order 5 (Dormand-Prince) or 8 (Fehlberg 13 stages), projection after each
 * step. */
void peer_arkode(peer_run *run, int order, bool project);

#endif
