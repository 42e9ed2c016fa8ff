/* mass.c - the mass matrix of an eom as formulations need it. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/mass.h"

#include "linalg/dense.h"

#include <string.h>

static size_t entries(const crank_mass *mass)
{
    const crank_eom *eom = mass->eom;
    return eom->mass_is_identity ? 0 : (size_t)eom->mass_pattern.start[eom->sizes.v];
}

void crank_mass_layout(crank_mass *mass, crank_arena *arena)
{
    const crank_eom *eom = mass->eom;
    const size_t full =
        crank_eom_mass_diagonal(eom) || eom->mass_is_identity ? 0 : (size_t)eom->sizes.v;
    mass->values = crank_arena_take(arena, entries(mass), sizeof(double));
    mass->factors = crank_arena_take(arena, full * full, sizeof(double));
    mass->pivot = crank_arena_take(arena, full, sizeof(int));
}

crank_status crank_mass_update(crank_mass *mass, double t, const double *x, crank_error *err)
{
    crank_eom *eom = mass->eom;
    if (eom->mass_is_identity || (mass->known && crank_eom_mass_constant(eom))) {
        return CRANK_OK;
    }
    mass->statistics->mass_evaluations++;
    mass->known = true;
    mass->factored = false;
    return eom->supplier.mass(eom->self, t, x, mass->values, err);
}

void crank_mass_multiply(const crank_mass *mass, const double *y, double *product)
{
    const crank_eom *eom = mass->eom;
    const crank_pattern *M = &eom->mass_pattern;
    if (eom->mass_is_identity) {
        memcpy(product, y, (size_t)eom->sizes.v * sizeof *product);
        return;
    }
    memset(product, 0, (size_t)eom->sizes.v * sizeof *product);
    for (int j = 0; j < eom->sizes.v; j++) {
        for (int e = M->start[j]; e < M->start[j + 1]; e++) {
            product[M->row[e]] += mass->values[e] * y[j];
        }
    }
}

crank_status crank_mass_solve(crank_mass *mass, double *a, crank_error *err)
{
    const crank_eom *eom = mass->eom;
    const crank_pattern *M = &eom->mass_pattern;
    const int nv = eom->sizes.v;
    if (eom->mass_is_identity) {
        return CRANK_OK;
    }
    if (crank_eom_mass_diagonal(eom)) {
        for (int j = 0; j < nv; j++) {
            a[j] /= mass->values[M->start[j]];
        }
        return CRANK_OK;
    }
    if (!mass->factored) {
        memset(mass->factors, 0, (size_t)nv * (size_t)nv * sizeof *mass->factors);
        for (int j = 0; j < nv; j++) {
            for (int e = M->start[j]; e < M->start[j + 1]; e++) {
                mass->factors[M->row[e] + (long)j * nv] = mass->values[e];
            }
        }
        mass->factored = crank_lu_factor(nv, mass->factors, nv, mass->pivot);
    }
    if (!mass->factored) {
        return crank_fail(err, CRANK_RETRY, "the mass matrix is singular");
    }
    crank_lu_solve(nv, mass->factors, nv, mass->pivot, a);
    return CRANK_OK;
}

void crank_mass_archive(crank_mass *mass, crank_archive *a)
{
    crank_archive_doubles(a, mass->values, entries(mass));
    crank_archive_flag(a, &mass->known);
    if (a->loading) {
        mass->factored = false; /* made from the values where they are needed */
    }
}
