/* branches_real.c - branches_kernel.h for real matrices. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/branches.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

#define NUMBER                   double
#define ZERO                     0.0
#define NUMBER_OF(x)             (x)
#define ADD(a, b)                ((a) + (b))
#define SUB(a, b)                ((a) - (b))
#define MUL(a, b)                ((a) * (b))
#define SCALE(f, a)              ((f) * (a))
#define SIZE(a)                  fabs(a)
#define INVERT(a)                (1.0 / (a))
#define IS_BAD(a)                (!isfinite(a))
#define LU_FACTOR(n, A, pivot)   crank_lu_factor(n, A, n, pivot)
#define LU_SOLVE(n, A, pivot, b) crank_lu_solve(n, A, n, pivot, b)
#define FACTOR                   crank_branches_factor_real
#define SOLVE                    crank_branches_solve_real

#include "linalg/branches_kernel.h"
