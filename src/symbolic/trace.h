/* trace.h - calculations with numbers, some known now and some at run time, recorded as they
 * are made and written as straight C.
 *
 * What is known is folded: sums with 0, products with 0, 1 and -1, all that is made of known
 * numbers. Equal operations are one. Operations keep their order: nothing is reassociated.
 *
 * The C is a row of functions `void NAME(const double *x, double *w)`, called one after the
 * other, or later ones again: sections. Inputs are x[i] and w[i]; results go to w[i]. An
 * operation stands in the first section that needs it, and is not there if none does; what
 * later sections need of it, or of an unknown, is kept in w. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_TRACE_H
#define CRANK_SRC_TRACE_H

#include "symbolic/symbolic.h"

typedef struct crank_trace crank_trace;
typedef int crank_traced; /* a number in a trace */

crank_trace *crank_trace_create(void); /* NULL: out of memory */
void crank_trace_destroy(crank_trace *trace);
/* out of memory, sticky: nothing is written */
void crank_trace_fail(crank_trace *trace);

crank_traced crank_trace_number(crank_trace *t, double value);
crank_traced crank_trace_unknown(crank_trace *t, int i); /* x[i] */
/* w[i], set by the caller before the section; it may change between calls. */
crank_traced crank_trace_given(crank_trace *t, int i);
crank_traced crank_trace_add(crank_trace *t, crank_traced a, crank_traced b);
crank_traced crank_trace_sub(crank_trace *t, crank_traced a, crank_traced b);
crank_traced crank_trace_mul(crank_trace *t, crank_traced a, crank_traced b);
crank_traced crank_trace_div(crank_trace *t, crank_traced a, crank_traced b);
crank_traced crank_trace_neg(crank_trace *t, crank_traced a);
crank_traced crank_trace_sqrt(crank_trace *t, crank_traced a);
crank_traced crank_trace_sin(crank_trace *t, crank_traced a);
crank_traced crank_trace_cos(crank_trace *t, crank_traced a);
crank_traced crank_trace_greater(crank_trace *t, crank_traced a, crank_traced b); /* 1 or 0 */
/* Is it known, and what? */
bool crank_trace_is_known(const crank_trace *t, crank_traced a, double *value);

/* The value goes to w[slot] in this section; slot -1: it is made here at the latest. */
void crank_trace_set(crank_trace *t, int section, int slot, crank_traced a);
/* Writes the sections; slots from `first` on are free. A call of the section `optional` (not
 * the first one; -1: none) may be left out: what others need, too, is made before it. Returns
 * how many w has, 0: out of memory. operations (per section) may be NULL. */
int crank_trace_write(crank_trace *t, int sections, int optional, const char *const *name,
                      int first, crank_text *text, int *operations);

#endif
