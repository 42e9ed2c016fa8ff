/* jump.h - one long step across a singular position (singular: pass), for any method. theory
 * 4.10. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_JUMP_H
#define CRANK_SRC_JUMP_H

#include "integrate/integrator.h"

/* stages, an even number: none of them lies in the middle, where the singular position is */
enum { CRANK_JUMP_STAGES = 8, CRANK_JUMP_RATES = CRANK_JUMP_STAGES + 2 };

typedef struct crank_jump {
    double *X;    /* stages x n: filled by the caller with a first guess */
    double *rate; /* rates x n: x' at the start, the stages and the end; the stages' likewise */
    double *start, *end;                  /* n: x there */
    double *tolerance;                    /* n */
    double *work, *k;                     /* 2n, m */
    double t, h;                          /* from t to t + h */
    double zero;                          /* the singular position in between */
    double regularity[CRANK_JUMP_STAGES]; /* of the constraints at the stages */
    double too_long; /* defect over the allowed one, if that was the reason to fail; else 0 */
    double longest;  /* after such a failure: length from which to try again */
    double failed_t; /* a jump from here failed */
} crank_jump;

extern const double crank_jump_c[CRANK_JUMP_STAGES], crank_jump_b[CRANK_JUMP_STAGES];

void crank_jump_layout(crank_jump *jump, crank_arena *arena, int n, int m);
/* From it->t, it->x by t, h, zero of jump (the latter two are adjusted) to end; the problem is
 * prepared there afterwards and has been told. CRANK_RETRY: no smooth motion of the accuracy
 * asked for; the problem is prepared somewhere. */
crank_status crank_jump_solve(crank_integrator *it, crank_jump *jump, crank_error *err);
/* x(t) within the last jump, but for multipliers, which may have a pole there and are left
 * alone. */
void crank_jump_value(const crank_integrator *it, const crank_jump *jump, double t, double *x);

void crank_jump_archive(crank_jump *jump, int unknowns, crank_archive *a);

#endif
