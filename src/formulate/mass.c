/* mass.c - the mass matrix of an eom as formulations need it. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/mass.h"

#include <string.h>

static size_t entries(const crank_mass *mass)
{
    const crank_eom *eom = mass->eom;
    return eom->mass_is_identity ? 0 : (size_t)eom->mass_pattern.start[eom->sizes.v];
}

void crank_mass_layout(crank_mass *mass, crank_arena *arena)
{
    mass->values = crank_arena_take(arena, entries(mass), sizeof(double));
}

crank_status crank_mass_create(crank_mass *mass, crank_linear_algebra wish, crank_error *err)
{
    const crank_eom *eom = mass->eom;
    if (eom->mass_is_identity || crank_eom_mass_diagonal(eom)) {
        return CRANK_OK;
    }
    crank_error singular = {0}; /* then M^-1 is refused where it is asked for */
    const crank_status status =
        crank_solver_create(&(crank_solver_setup){.wish = wish,
                                                  .n = eom->sizes.v,
                                                  .start = eom->mass_pattern.start,
                                                  .row = eom->mass_pattern.row,
                                                  .shifts = 1,
                                                  .real = true,
                                                  .reserve = true},
                            &mass->solver, &singular);
    return status < CRANK_OK ? crank_fail(err, status, "%s", singular.text) : CRANK_OK;
}

void crank_mass_destroy(crank_mass *mass)
{
    crank_solver_destroy(mass->solver);
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
    if (mass->solver == NULL) {
        return crank_fail(err, CRANK_RETRY, "the mass matrix is singular");
    }
    if (!mass->factored) {
        memcpy(crank_solver_values(mass->solver, 0, false), mass->values,
               entries(mass) * sizeof *mass->values);
        const crank_status status = crank_solver_factor(mass->solver, 0, err);
        if (status != CRANK_OK) {
            return status < CRANK_OK
                       ? status
                       : crank_fail(err, CRANK_RETRY, "the mass matrix is singular");
        }
        mass->factored = true;
    }
    crank_solver_solve(mass->solver, 0, a, NULL, a, NULL);
    return CRANK_OK;
}

void crank_mass_archive(crank_mass *mass, crank_archive *a)
{
    crank_archive_doubles(a, mass->values, entries(mass));
    crank_archive_flag(a, &mass->known);
    crank_archive_flag(a, &mass->factored);
    if (mass->solver != NULL) {
        crank_solver_archive(mass->solver, a);
    }
}
