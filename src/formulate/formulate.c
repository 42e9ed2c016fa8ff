/* formulate.c - the table of formulations, and methods: FORMULATION-INTEGRATOR and their
 * aliases. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/formulate.h"
#include "base/then.h"

#include "base/options.h"
#include "base/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GENERAL = 1,        /* takes general DAEs, not only equations of motion with multipliers */
    DENSE_ONLY = 2,     /* by nature; others say why in crank_formulate_wants_sparse */
    STOPS_SINGULAR = 4, /* no singular=pass: without gII no multipliers behind the position */
};

typedef struct formulation {
    const char *name;
    crank_formulation_create_fn *create;
    int flags;
} formulation;

static const formulation formulations[] = {
    {"psf", crank_psf_create, GENERAL},
    {"peom1", crank_psf_create, STOPS_SINGULAR},
    {"overdetermined", crank_psf_create, GENERAL},
    {"gmkssol", crank_gmkssol_create, DENSE_ONLY},
    {"index3", crank_direct_create, 0},
    {"index2", crank_direct_create, 0},
    {"index1", crank_direct_create, 0},
    {"baumgarte", crank_direct_create, 0},
    {"ggl", crank_direct_create, 0},
    {"ude", crank_direct_create, GENERAL},
    {"partition", crank_partition_create, 0},
    {"descriptor", crank_partition_create, 0},
    {"tangent-plane", crank_partition_create, DENSE_ONLY},
    {"ode", crank_ode_create, GENERAL},
    {"auto", crank_auto_create, GENERAL},
    {"inline", crank_inlined_create, GENERAL},
    {"inline-stages", crank_inlined_create, GENERAL},
    {"inline-ode", crank_inlined_create, GENERAL},
    {"inline-dae", crank_inlined_dae_create, GENERAL},
};

typedef struct method {
    const char *name, *formulation, *integrator;
    crank_options (*options)(void); /* NULL: the defaults */
    const char *help;
} method;

/* gmkssol works with accelerations M^-1 f: carried ones would be unknowns that it does not
 * have */
static crank_options gmkssol_options(void)
{
    crank_options options = crank_options_default();
    options.accelerations = CRANK_ACCELERATIONS_ELIMINATE;
    return options;
}

/* E is constant */
static crank_options carrying_options(void)
{
    crank_options options = crank_options_default();
    options.accelerations = CRANK_ACCELERATIONS_CARRY;
    return options;
}

/* the same, dense matrices of which have other selectors in psf */
static crank_options rosenbrock_options(void)
{
    crank_options options = carrying_options();
    options.linear_algebra = CRANK_LINALG_SPARSE;
    return options;
}

/* as published: stiff parts are in the error estimate */
static crank_options thesis_options(void)
{
    crank_options options = carrying_options();
    options.error_filter = false;
    return options;
}

// clang-format off
static const method methods[] = {
    {"auto", "auto", "auto", NULL,
     "the default: ode-dopri8 until stiffness is seen, then index2-radau, projected, or "
     "psf-radau"},
    {"psf-radau", "psf", "radau", NULL,
     "Radau IIA of order 5 on the projected strangeness-free form: all constraint levels at "
     "every step"},
    {"peom1-radau", "peom1", "radau", NULL,
     "Radau IIA on the partially projected form: positions and velocities kept, no gII and hI "
     "needed"},
    {"gmkssol-radau", "gmkssol", "radau", gmkssol_options,
     "regularised first by selectors from an SVD of G, then discretised by Radau IIA"},
    {"psf-bdf", "psf", "bdf", NULL,
     "BDF of orders 1 to 5 on the projected strangeness-free form"},
    {"peom1-bdf", "peom1", "bdf", NULL, "BDF on the partially projected form"},
    {"gmkssol-bdf", "gmkssol", "bdf", gmkssol_options, "BDF on the form of gmkssol"},
    {"psf-sdirk2", "psf", "sdirk2", NULL,
     "SDIRK of order 2, two stages, L-stable, on the projected strangeness-free form: stiff, "
     "rough accuracy"},
    {"psf-sdirk415", "psf", "sdirk415", NULL,
     "SDIRK of order 4, five stages, gamma 4/15, L-stable, on the projected strangeness-free "
     "form"},
    {"psf-sdirk416", "psf", "sdirk416", NULL,
     "SDIRK of order 4, five stages, gamma 1/4, L-stable, on the projected strangeness-free "
     "form"},
    {"psf-rosenbrock", "psf", "rosenbrock", rosenbrock_options,
     "linearly implicit, order 4, no iteration, on the projected strangeness-free form"},
    {"psf-trapezoidal", "psf", "trapezoidal", NULL,
     "trapezoidal rule, order 2, no damping, on the projected strangeness-free form"},
    {"peom1-sdirk2", "peom1", "sdirk2", NULL,
     "SDIRK of order 2 on the partially projected form"},
    {"gmkssol-sdirk2", "gmkssol", "sdirk2", gmkssol_options,
     "SDIRK of order 2 on the form of gmkssol"},
    {"partition-trapezoidal", "partition", "trapezoidal", carrying_options,
     "independent coordinates by pivoting, chosen anew as they degenerate; trapezoidal rule"},
    {"partition-sdirk415", "partition", "sdirk415", carrying_options,
     "independent coordinates; SDIRK of order 4, gamma 4/15, L-stable"},
    {"partition-sdirk416", "partition", "sdirk416", carrying_options,
     "independent coordinates; SDIRK of order 4, gamma 1/4, L-stable"},
    {"partition-rosenbrock", "partition", "rosenbrock", carrying_options,
     "independent coordinates; linearly implicit, order 4, no iteration"},
    {"partition-bdf", "partition", "bdf", carrying_options,
     "independent coordinates; BDF of orders 1 to 5"},
    {"partition-radau", "partition", "radau", carrying_options,
     "independent coordinates; Radau IIA of order 5"},
    {"descriptor-trapezoidal", "descriptor", "trapezoidal", carrying_options,
     "independent coordinates, with accelerations and multipliers as unknowns; trapezoidal "
     "rule"},
    {"descriptor-sdirk416", "descriptor", "sdirk416", carrying_options,
     "independent coordinates, with accelerations and multipliers as unknowns; SDIRK of order "
     "4, gamma 1/4"},
    {"descriptor-hht", "descriptor", "hht", carrying_options,
     "independent coordinates, with accelerations and multipliers as unknowns; Hilber, Hughes "
     "and Taylor, order 2, damping"},
    {"tangent-plane-trapezoidal", "tangent-plane", "trapezoidal", carrying_options,
     "coordinates of the constraints' tangent plane in place of independent ones; trapezoidal "
     "rule"},
    {"tangent-plane-sdirk415", "tangent-plane", "sdirk415", carrying_options,
     "coordinates of the tangent plane; SDIRK of order 4, gamma 4/15, L-stable"},
    {"tangent-plane-sdirk416", "tangent-plane", "sdirk416", carrying_options,
     "coordinates of the tangent plane; SDIRK of order 4, gamma 1/4, L-stable"},
    {"tangent-plane-rosenbrock", "tangent-plane", "rosenbrock", carrying_options,
     "coordinates of the tangent plane; linearly implicit, order 4, no iteration"},
    {"tangent-plane-bdf", "tangent-plane", "bdf", carrying_options,
     "coordinates of the tangent plane; BDF of orders 1 to 5"},
    {"tangent-plane-radau", "tangent-plane", "radau", carrying_options,
     "coordinates of the tangent plane; Radau IIA of order 5"},
    {"ode-dopri8", "ode", "dopri8", NULL,
     "explicit, order 8 (Dormand and Prince 8(5,3)), projected onto all constraint levels: not "
     "stiff, high accuracy"},
    {"ode-dopri5", "ode", "dopri5", NULL,
     "explicit, order 5 (Dormand and Prince 5(4)), projected onto all constraint levels: not "
     "stiff"},
    {"ode-herk5", "ode", "herk5", NULL,
     "half-explicit, order 5, multipliers from the constraints on velocity level, projected: "
     "not stiff"},
    {"ode-adams", "ode", "adams", NULL,
     "explicit Adams formulas of orders 1 to 12, projected onto all constraint levels: not "
     "stiff, costly equations"},
    {"ggl-radau", "ggl", "radau", NULL,
     "Gear, Gupta and Leimkuhler: position and velocity level with extra multipliers; Radau "
     "IIA"},
    {"ggl-bdf", "ggl", "bdf", NULL, "Gear, Gupta and Leimkuhler, as most multibody codes; BDF"},
    {"ggl-sdirk2", "ggl", "sdirk2", NULL, "Gear, Gupta and Leimkuhler; SDIRK of order 2"},
    {"ggl-trapezoidal", "ggl", "trapezoidal", NULL,
     "Gear, Gupta and Leimkuhler; trapezoidal rule, order 2, no damping"},
    {"index1-radau", "index1", "radau", NULL,
     "constraints on acceleration level: positions and velocities drift; Radau IIA"},
    {"index1-bdf", "index1", "bdf", NULL,
     "constraints on acceleration level: positions and velocities drift; BDF"},
    {"index1-sdirk2", "index1", "sdirk2", NULL,
     "constraints on acceleration level: positions and velocities drift; SDIRK of order 2"},
    {"index2-radau", "index2", "radau", NULL,
     "constraints on velocity level: positions drift; Radau IIA"},
    {"index2-bdf", "index2", "bdf", NULL,
     "constraints on velocity level: positions drift; BDF"},
    {"index2-sdirk2", "index2", "sdirk2", NULL,
     "constraints on velocity level: positions drift; SDIRK of order 2"},
    {"index3-radau", "index3", "radau", NULL,
     "the equations as they stand, constraints on position level only; Radau IIA"},
    {"index3-bdf", "index3", "bdf", NULL,
     "the equations as they stand, constraints on position level only; BDF"},
    {"index3-sdirk2", "index3", "sdirk2", NULL,
     "the equations as they stand, constraints on position level only; SDIRK of order 2"},
    {"index3-hht", "index3", "hht", NULL,
     "constraints on position level only; Hilber, Hughes and Taylor, order 2, damping"},
    {"baumgarte-radau", "baumgarte", "radau", NULL,
     "Baumgarte: acceleration level with the lower levels times gains; Radau IIA"},
    {"baumgarte-bdf", "baumgarte", "bdf", NULL,
     "Baumgarte: acceleration level with the lower levels times gains; BDF"},
    {"baumgarte-sdirk2", "baumgarte", "sdirk2", NULL,
     "Baumgarte: acceleration level with the lower levels times gains; SDIRK of order 2"},
    {"ude-radau", "ude", "radau", NULL,
     "the underlying ordinary differential equations: every level drifts; Radau IIA"},
    {"ude-bdf", "ude", "bdf", NULL,
     "the underlying ordinary differential equations: every level drifts; BDF"},
    {"ude-sdirk2", "ude", "sdirk2", NULL,
     "the underlying ordinary differential equations: every level drifts; SDIRK of order 2"},
    {"overdetermined-radau", "overdetermined", "radau", NULL,
     "all constraint levels, all differential rows in the sense of least squares; Radau IIA"},
    {"overdetermined-bdf", "overdetermined", "bdf", NULL,
     "all constraint levels, all differential rows in the sense of least squares, as ODASSL; "
     "BDF"},
    {"overdetermined-sdirk2", "overdetermined", "sdirk2", NULL,
     "all constraint levels, all differential rows in the sense of least squares; SDIRK of "
     "order 2"},
    {"inline-bdf", "inline", "bdf", NULL,
     "equations translated together with the method, to C; BDF of orders 1 to 5"},
    {"inline-sdirk", "inline", "sdirk416", NULL,
     "equations translated together with the method, to C; SDIRK of order 4, gamma 1/4"},
    {"inline-sdirk2", "inline", "sdirk2", NULL,
     "equations translated together with the method, to C; SDIRK of order 2"},
    {"inline-trapezoidal", "inline", "trapezoidal", NULL,
     "equations translated together with the method, to C; trapezoidal rule"},
    {"inline-radau", "inline-stages", "radau", NULL,
     "equations translated together with the method, to C; Radau IIA of order 5, its stages at "
     "once"},
    {"inline-ode-bdf", "inline-ode", "bdf", NULL,
     "states of the translated equations as an ODE, with dense differences, for comparison; BDF"},
    {"inline-ode-radau", "inline-ode", "radau", NULL,
     "states of the translated equations as an ODE, with dense differences, for comparison; "
     "Radau IIA"},
    {"inline-dae-bdf", "inline-dae", "bdf", NULL,
     "all unknowns of the translated equations at once, sparse, for comparison; BDF"},
    {"inline-dae-radau", "inline-dae", "radau", NULL,
     "all unknowns of the translated equations at once, sparse, for comparison; Radau IIA"},
    {"geoms", "psf", "radau", crank_options_geoms,
     "psf-radau with the published options of GEOMS (no final correction, selectors from E1)"},
    {"gmkssol", "gmkssol", "radau", gmkssol_options, "gmkssol-radau"},
    {"ind1", "index1", "bdf", NULL, "index1-bdf, as Assimulo calls it"},
    {"ind2", "index2", "bdf", NULL, "index2-bdf, as Assimulo calls it"},
    {"ind3", "index3", "bdf", NULL, "index3-bdf, as Assimulo calls it"},
    {"ggl2", "ggl", "bdf", NULL, "ggl-bdf, as Assimulo calls it"},
    {"ovstab1", "overdetermined", "bdf", NULL, "overdetermined-bdf, as Assimulo calls it"},
    {"DAE1", "index1", "bdf", NULL, "index1-bdf, as MBSim calls it"},
    {"DAE2", "index2", "bdf", NULL, "index2-bdf, as MBSim calls it"},
    {"DAE3", "index3", "bdf", NULL, "index3-bdf, as MBSim calls it"},
    {"ssp-trap", "partition", "trapezoidal", carrying_options,
     "partition-trapezoidal: SspTrap of Negrut's thesis"},
    {"for-sdirk", "partition", "sdirk415", carrying_options,
     "partition-sdirk415: ForSDIRK of Negrut's thesis"},
    {"for-rosen", "partition", "rosenbrock", thesis_options,
     "partition-rosenbrock with error_filter off: ForRosen of Negrut's thesis"},
    {"infl-trap", "descriptor", "trapezoidal", carrying_options,
     "descriptor-trapezoidal: InflTrap of Negrut's thesis"},
    {"infl-sdirk", "descriptor", "sdirk416", carrying_options,
     "descriptor-sdirk416: InflSDIRK of Negrut's thesis"},
    {"hht", "index3", "hht", NULL, "index3-hht"},
    {"dopri8", "ode", "dopri8", NULL, "ode-dopri8"},
    {"dopri5", "ode", "dopri5", NULL, "ode-dopri5"},
    {"herk5", "ode", "herk5", NULL, "ode-herk5: half-explicit"},
    {"adams", "ode", "adams", NULL, "ode-adams: explicit Adams formulas"},
};
// clang-format on

enum {
    FORMULATIONS = sizeof formulations / sizeof *formulations,
    METHODS = sizeof methods / sizeof *methods
};

/* out -= y */
static void subtract(int n, const double *restrict y, double *restrict out)
{
    for (int i = 0; i < n; i++) {
        out[i] -= y[i];
    }
}

void crank_formulate_subtract_rates(const crank_mass *mass, const double *xdot, double *work,
                                    double *r, double *v, double *p)
{
    const crank_eom *eom = mass->eom;
    crank_mass_multiply(mass, xdot + eom->column[CRANK_V], work);
    subtract(eom->sizes.v, work, v);
    subtract(eom->sizes.r, xdot + eom->column[CRANK_R], r);
    subtract(eom->sizes.p, xdot + eom->column[CRANK_P], p);
}

crank_status crank_formulate_check_shifts(int count, crank_error *err)
{
    return count <= CRANK_MAX_SHIFTS ? CRANK_OK
                                     : crank_fail(err, CRANK_EINTERNAL, "%d shifts, at most %d",
                                                  count, CRANK_MAX_SHIFTS);
}

int crank_formulate_wants_sparse(const crank_reduction_setup *setup, crank_error *err)
{
    const crank_eom *eom = setup->eom;
    const crank_options *o = &setup->options;
    const char *reason = NULL;
    if (!crank_eom_mass_diagonal(eom) && !eom->mass_is_identity) {
        reason = "the mass matrix is not diagonal (use accelerations=carry)";
    } else if (setup->form == CRANK_FORM_PEOM1 || setup->form == CRANK_FORM_OVERDETERMINED) {
        reason = setup->form == CRANK_FORM_PEOM1 ? "peom1 is dense only"
                                                 : "overdetermined is dense only";
    } else if (o->algebraic != CRANK_ALGEBRAIC_AUTO ||
               o->differential != CRANK_DIFFERENTIAL_LU ||
               o->selector_source != CRANK_SELECTOR_MASS) {
        reason = "the options algebraic, differential and selector_source ask for dense "
                 "decompositions";
    }
    if (setup->form == CRANK_FORM_PARTITIONED || setup->form == CRANK_FORM_PLANE) {
        return reason == NULL
                   ? setup->form == CRANK_FORM_PARTITIONED
                   : crank_fail(err, CRANK_EREFUSED,
                                "independent coordinates are not possible: %s", reason);
    }
    const bool sparse = crank_solver_is_sparse(o->linear_algebra, eom->n);
    if (sparse && reason != NULL && o->linear_algebra != CRANK_LINALG_AUTO) {
        crank_fail(err, CRANK_EREFUSED, "linear_algebra=%s: %s",
                   crank_solver_word(o->linear_algebra), reason);
        return -1;
    }
    return sparse && reason == NULL;
}

static const char *unknown_name(const crank_problem *problem, int j)
{
    return crank_eom_column_name(problem->eom, j);
}

crank_status crank_formulate_residuals(crank_problem *problem, double t, const double *x,
                                       double residual[3], crank_error *err)
{
    return crank_eom_residuals(problem->eom, t, x, residual, err);
}

const crank_problem_report crank_formulate_report = {.unknown_name = unknown_name,
                                                     .residuals = crank_formulate_residuals};

/* Formulations that speak of levels of mechanics have no meaning for a general DAE. */
static crank_status refuse_dae(const formulation *f, const crank_options *options,
                               crank_error *err)
{
    if (options->singular == CRANK_SINGULAR_PASS) {
        return crank_fail(err, CRANK_EREFUSED,
                          "singular=pass is made for mechanisms; a general DAE says nothing "
                          "about what comes behind a singular point");
    }
    return (f->flags & GENERAL) != 0
               ? CRANK_OK
               : crank_fail(
                     err, CRANK_EREFUSED,
                     "%s is made for equations of motion with multipliers, and this is a "
                     "general DAE, whose constraints are all known; use psf, ode or "
                     "overdetermined",
                     f->name);
}

/* Of a singular M in no other structure rows are taken as they stand. */
static crank_status refuse_mass_form(const formulation *f, crank_error *err)
{
    return strcmp(f->name, "index3") == 0
               ? CRANK_OK
               : crank_fail(err, CRANK_EREFUSED,
                            "%s needs a regular mass matrix, and this one is singular; use "
                            "index3-radau, which takes the equations as they stand",
                            f->name);
}

/* what a formulation would read and ignore is refused */
static crank_status refuse(const formulation *f, const crank_eom *eom, const crank_options *o,
                           crank_error *err)
{
    const char *missing = NULL;
    char text[48];
    if ((f->flags & STOPS_SINGULAR) != 0 && o->singular == CRANK_SINGULAR_PASS) {
        missing = "singular=pass"; /* without gII no multipliers behind the position */
    } else if ((f->flags & DENSE_ONLY) != 0 && crank_solver_is_sparse(o->linear_algebra, 0)) {
        (void)snprintf(text, sizeof text, "linear_algebra=%s",
                       crank_solver_word(o->linear_algebra));
        missing = text;
    }
    const crank_status status = eom->dae != NULL         ? refuse_dae(f, o, err)
                                : eom->mass_form != NULL ? refuse_mass_form(f, err)
                                                         : CRANK_OK;
    if (status != CRANK_OK) {
        return status;
    }
    return missing != NULL
               ? crank_fail(err, CRANK_EREFUSED, "%s has no option %s; leave it at its default",
                            f->name, missing)
               : crank_options_belong(o, CRANK_OF_FORMULATION, f->name, err);
}

static crank_status make(const formulation *f, crank_eom *eom, const crank_options *options,
                         double t0, const double *x0, crank_log log, crank_problem **out,
                         crank_error *err)
{
    crank_status status = f->create(f->name, eom, options, t0, x0, log, out, err);
    CRANK_THEN(status, crank_formulate_tolerances(*out, eom, options, t0, x0, err));
    if (status != CRANK_OK) {
        crank_problem_destroy(*out);
        *out = NULL;
    }
    return status;
}

crank_status crank_formulate(const char *name, crank_eom *eom, const crank_options *options,
                             double t0, const double *x0, crank_log log, crank_problem **out,
                             crank_error *err)
{
    *out = NULL;
    const crank_status status = crank_options_check(options, err);
    if (status != CRANK_OK) {
        return status;
    }
    const char *names[FORMULATIONS];
    for (int i = 0; i < FORMULATIONS; i++) {
        if (strcmp(formulations[i].name, name) == 0) {
            const crank_status refused = refuse(&formulations[i], eom, options, err);
            return refused != CRANK_OK
                       ? refused
                       : make(&formulations[i], eom, options, t0, x0, log, out, err);
        }
        names[i] = formulations[i].name;
    }
    const char *near = crank_suggest(name, names, FORMULATIONS);
    return crank_fail(err, CRANK_EARG, "formulation \"%s\" is not known%s%s", name,
                      near != NULL ? "; did you mean " : "", near != NULL ? near : "");
}

void crank_problem_destroy(crank_problem *problem)
{
    if (problem != NULL) {
        free(problem->atol);
        problem->destroy(problem);
    }
}

crank_status crank_method_resolve(const char *name, const char **formulation_name,
                                  const char **integrator, crank_options *options,
                                  crank_error *err)
{
    const char *names[METHODS];
    for (int i = 0; i < METHODS; i++) {
        names[i] = methods[i].name;
        if (strcmp(methods[i].name, name) != 0) {
            continue;
        }
        *formulation_name = methods[i].formulation;
        *integrator = methods[i].integrator;
        if (methods[i].options != NULL && options != NULL) {
            *options = methods[i].options();
        }
        return CRANK_OK;
    }
    const char *near = crank_suggest(name, names, METHODS);
    if (near != NULL) {
        return crank_fail(err, CRANK_EARG,
                          "method \"%.80s\" is not known; did you mean \"%s\"?", name, near);
    }
    char known[400] = "";
    size_t used = 0;
    int i = 0;
    for (; i < METHODS && used + strlen(names[i]) + sizeof ", and 100 more" < 320; i++) {
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "",
                                 names[i]);
    }
    if (i < METHODS) {
        (void)snprintf(known + used, sizeof known - used, " and %d more", METHODS - i);
    }
    return crank_fail(err, CRANK_EARG, "method \"%.80s\" is not known; known are %s", name,
                      known);
}

bool crank_method_describe(int i, const char **name, const char **help)
{
    if (i < 0 || i >= METHODS) {
        return false;
    }
    *name = methods[i].name;
    *help = methods[i].help;
    return true;
}
