/* dae.h - equations E(t, y) y' = k(t, y) of C callers, of which nothing is known but their values:
 * ordinary ones (E = I, or regular) and DAEs of index 1 to 3.
 *
 *     crank_dae_definition d = crank_dae_definition_default();
 *     d.n = 3, d.evaluate = robertson, d.mass_matrix = diagonal;
 *     crank_dae_create(&d, 0.0, 1e5, y0, log, &dae, &err);       // y0 made consistent
 *     crank_dae_open(dae, &options, &run, &err);                 // crank/run.h from here on
 *     ...
 *     crank_run_close(run);
 *     crank_dae_destroy(dae);
 *
 * The index and hidden constraints are found at the start, by differences of E and k along what
 * the equations say of y', theory (10.14): y0 is moved onto the constraints of all levels, and
 * norms of the integrator weigh each unknown by its index, theory 2.6. The equations are
 * integrated as they stand. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_DAE_H
#define CRANK_DAE_H

#include <crank/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/* k (n), or E (n x n by columns), or dk/dy (n x n by columns) at (t, y). CRANK_RETRY: outside the
 * domain, a shorter step may help; negative: stop. */
typedef crank_status crank_dae_fn(double t, const double *y, double *out, void *user);

typedef struct crank_dae_definition {
    size_t size; /* set by crank_dae_definition_default */
    int n;
    crank_dae_fn *evaluate;
    const double *mass_matrix; /* E, if it is constant (copied), */
    crank_dae_fn *mass;        /* or else this; both NULL: E = I */
    crank_dae_fn *jacobian;    /* NULL: by differences */
    /* n: 1, 2 or 3 by unknowns as the caller knows them; NULL: found. It is refused where the
     * equations have a higher one. */
    const int *index;
    /* n: tolerances, which also tell the sizes of unknowns that are zero: atol/rtol */
    double rtol;
    const double *atol;
    const char *const *names; /* n; NULL: y1, y2, ... */
    void *user;
} crank_dae_definition;

typedef struct crank_dae crank_dae;

/* What was found at the start. */
typedef struct crank_dae_report {
    int index;                /* 0: E is regular */
    const int *unknown_index; /* n: 1 (differential ones, too) to 3 */
    int constraints[3];       /* of level 0 (as they stand), 1, 2 */
    const double *rate;       /* n: y' there */
    const double *start;      /* n: consistent values */
    bool consistent;          /* the given ones already were, within the tolerances */
    bool moved;               /* not only algebraic unknowns had to be changed */
    int changed;              /* the unknown with the largest change over its size, -1: none */
    double largest_change;    /* that change */
} crank_dae_report;

CRANK_API crank_dae_definition crank_dae_definition_default(void); /* rtol 1e-6 */
/* The definition is copied. From t0 to t_end, which may lie before: times of the run then go the
 * other way, crank_dae_time. y0 (n) is where the search for consistent values begins; what it
 * changes is told to the log, what it needs to change of differential unknowns as a warning.
 * EREFUSED: an index above 3 or above the one given, or none (the equations do not determine y);
 * EINIT_CONVERGENCE: there are no consistent values nearby. */
CRANK_API crank_status crank_dae_create(const crank_dae_definition *definition, double t0,
                                        double t_end, const double *y0, crank_log log,
                                        crank_dae **out, crank_error *err);
CRANK_API void crank_dae_destroy(crank_dae *dae);
CRANK_API const crank_dae_report *crank_dae_get_report(const crank_dae *dae);
/* A run from there on, with the definition's tolerances; method NULL: auto if E is regular, else
 * index3-radau. The dae must outlive it. t_end of the options is not read. */
CRANK_API crank_status crank_dae_open(crank_dae *dae, const crank_run_options *options,
                                      crank_run **out, crank_error *err);
/* t of the run's time, and the other way round: 2 t0 - t if the run goes backwards. */
CRANK_API double crank_dae_time(const crank_dae *dae, double t);

#ifdef __cplusplus
}
#endif

#endif
