/* own_desolve.h - the Fortran codes in the library of R's package deSolve, loaded without R:
 * place of the library in the environment variable DESOLVE (bench/peers asks R for it). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef BENCH_OWN_DESOLVE_H
#define BENCH_OWN_DESOLVE_H

/* A function of the library; ends the program without it. */
void (*own_desolve(const char *name))(void);

#endif
