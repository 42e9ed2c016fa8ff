/* models.h - small models with diagonal mass matrices, so that dense and sparse linear
 * algebra both apply. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_INVARIANTS_MODELS_H
#define CRANK_TESTS_INVARIANTS_MODELS_H

#include <crank/eom.h>

/* Point mass one on a rod of length one, g = 13.75, with its energy as invariant: x =
 * [lambda | v v | p p]. */
typedef struct energy_pendulum {
    double energy;
} energy_pendulum;
crank_eom *energy_pendulum_create(energy_pendulum *data);
/* angle from the lowest point, speed; sets data->energy */
void energy_pendulum_start(energy_pendulum *data, double angle, double speed, double *x);
double energy_pendulum_energy(const double *x);

/* Planet: p'' = -p/|p|^3, energy and angular momentum are kept: x = [v v | p p]. */
typedef struct planet {
    double energy, momentum;
} planet;
crank_eom *planet_create(planet *data);
void planet_start(planet *data, double distance, double speed, double *x);

/* The slider crank of eoms.h with its accelerations carried, w = v': x = [w w | lambda.. | v
 * v | p p]; rows of the loop equation: factor[i] times it. */
typedef struct carried_crank {
    double l2; /* 3; 1: singular at t = 1.013884 */
    int rows;
    double factor[4];
} carried_crank;
crank_eom *carried_crank_create(carried_crank *data);
void carried_crank_start(const carried_crank *data, double *x); /* at rest, horizontally */

#endif
