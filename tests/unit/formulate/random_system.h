/* random_system.h - random Jacobians and mass matrices with the block structure of equations
 * of motion, for tests of the index-reducing decomposition. Nothing is evaluated: the eom
 * has only sizes and patterns. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_RANDOM_SYSTEM_H
#define CRANK_TESTS_RANDOM_SYSTEM_H

#include "eom/eom.h"
#include "unit/linalg/random.h"

enum { SYSTEM_MAX = 48 }; /* rows and columns */

typedef struct system_shape {
    crank_eom_sizes sizes;
    int extra_lambda, extra_mu; /* how many of the constraints are combinations of the others */
    bool full_mass;             /* else diagonal; identity if unit_mass */
    bool unit_mass;
    double density; /* of entries that need not be there, 0..1 */
} system_shape;

typedef struct random_system {
    crank_eom *eom;
    int n, m;
    double J[SYSTEM_MAX][SYSTEM_MAX]; /* dk/dx */
    double E[SYSTEM_MAX][SYSTEM_MAX];
    bool used[SYSTEM_MAX][SYSTEM_MAX];
    double jacobian[SYSTEM_MAX * SYSTEM_MAX], mass[SYSTEM_MAX * SYSTEM_MAX];
} random_system;

void random_system_make(random_source *r, const system_shape *shape, random_system *system);
void random_system_free(random_system *system);
/* jacobian and mass from J, E after changes of values inside the pattern */
void random_system_store(random_system *system);
const double *random_system_mass(const random_system *system); /* NULL: identity */

/* out (m) = (sigma E - J) (re + i im), theory (3.1); im and out_im may be NULL if all is
 * real */
void random_system_apply(const random_system *system, double sigma_re, double sigma_im,
                         const double *re, const double *im, double *out_re, double *out_im);

#endif
