/* mass.h - the mass matrix of an eom as formulations need it: values, E y, M^-1 a. A constant
 * matrix is evaluated and factored once. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MASS_H
#define CRANK_SRC_MASS_H

#include "base/arena.h"
#include "eom/eom.h"
#include "linalg/solver.h"

#include <crank/statistics.h>

typedef struct crank_mass {
    crank_eom *eom;
    crank_statistics *statistics;
    double *values;       /* on the eom's pattern; nothing if M = I */
    crank_solver *solver; /* NULL: M is I or diagonal, or its pattern is singular */
    bool known;           /* a constant matrix was evaluated */
    bool factored;        /* the factors are those of the values */
} crank_mass;

void crank_mass_layout(crank_mass *mass, crank_arena *arena);
/* After the layout: the solver. */
crank_status crank_mass_create(crank_mass *mass, crank_linear_algebra wish, crank_error *err);
void crank_mass_destroy(crank_mass *mass);
crank_status crank_mass_update(crank_mass *mass, double t, const double *x, crank_error *err);
/* product (nv) = M y with the values of the last update */
void crank_mass_multiply(const crank_mass *mass, const double *y, double *product);
/* a := M^-1 a; CRANK_RETRY: singular */
crank_status crank_mass_solve(crank_mass *mass, double *a, crank_error *err);
/* Checkpoints. */
void crank_mass_archive(crank_mass *mass, crank_archive *archive);

#endif
