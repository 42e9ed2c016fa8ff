/* formulate.c - the table of formulations, and methods: FORMULATION-INTEGRATOR and their aliases. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/formulate.h"

#include "base/suggest.h"

#include <string.h>

typedef struct formulation {
    const char *name;
    crank_formulation_create_fn *create;
} formulation;

static const formulation formulations[] = {
    {"psf", crank_psf_create},
    {"peom1", crank_peom1_create},
    {"gmkssol", crank_gmkssol_create},
};

typedef struct method {
    const char *name, *formulation, *integrator;
    crank_options (*options)(void); /* NULL: the defaults */
    const char *help;
} method;

/* gmkssol works with accelerations M^-1 f: carried ones would be unknowns that it does not have */
static crank_options gmkssol_options(void)
{
    crank_options options = crank_options_default();
    options.accelerations = CRANK_ACCELERATIONS_ELIMINATE;
    return options;
}

// clang-format off
static const method methods[] = {
    {"psf-radau", "psf", "radau", NULL,
     "Radau IIA of order 5 on the projected strangeness-free form: all constraint levels at every step"},
    {"peom1-radau", "peom1", "radau", NULL,
     "Radau IIA on the partially projected form: positions and velocities kept, no gII and hI needed"},
    {"gmkssol-radau", "gmkssol", "radau", gmkssol_options,
     "regularised first by selectors from an SVD of G, then discretised by Radau IIA"},
    {"geoms", "psf", "radau", crank_options_geoms,
     "psf-radau with the published options of GEOMS (no final correction, selectors from E1)"},
    {"gmkssol", "gmkssol", "radau", gmkssol_options, "gmkssol-radau"},
};
// clang-format on

enum {
    FORMULATIONS = sizeof formulations / sizeof *formulations,
    METHODS = sizeof methods / sizeof *methods
};

/* from about 20 unknowns on sparse is faster than dense (`bench/run switch`); below 30 dense is kept for its
 * complete pivoting */
enum { SPARSE_FROM = 30 };

int crank_formulate_wants_sparse(const crank_reduction_setup *setup, crank_error *err)
{
    const crank_eom *eom = setup->eom;
    const crank_options *o = &setup->options;
    const char *reason = NULL;
    if (!crank_eom_mass_diagonal(eom) && !eom->mass_is_identity) {
        reason = "the mass matrix is not diagonal (use accelerations=carry)";
    } else if (setup->form != CRANK_FORM_PSF) {
        reason = "peom1 is dense only";
    } else if (o->algebraic != CRANK_ALGEBRAIC_AUTO ||
               o->differential != CRANK_DIFFERENTIAL_LU ||
               o->selector_source != CRANK_SELECTOR_MASS) {
        reason = "the options algebraic, differential and selector_source ask for dense "
                 "decompositions";
    }
    if (o->linear_algebra == CRANK_LINALG_SPARSE && reason != NULL) {
        crank_fail(err, CRANK_EREFUSED, "linear_algebra=sparse: %s", reason);
        return -1;
    }
    if (o->linear_algebra == CRANK_LINALG_AUTO) {
        return reason == NULL && eom->n >= SPARSE_FROM;
    }
    return o->linear_algebra == CRANK_LINALG_SPARSE;
}

/* an option that a formulation would read and ignore is refused */
static crank_status refuse_idle_options(const char *name, const crank_options *o,
                                        crank_error *err)
{
    const char *idle = NULL;
    if (strcmp(name, "peom1") == 0 && o->singular == CRANK_SINGULAR_PASS) {
        idle = "singular=pass"; /* without gII no multipliers behind the position */
    } else if (strcmp(name, "gmkssol") != 0) {
        idle = o->selector_period != 0 ? "selector_period" : NULL;
    } else if (o->linear_algebra == CRANK_LINALG_SPARSE) {
        idle = "linear_algebra=sparse";
    } else if (o->algebraic != CRANK_ALGEBRAIC_AUTO) {
        idle = "algebraic";
    } else if (o->differential != CRANK_DIFFERENTIAL_LU) {
        idle = "differential";
    } else if (o->selector_source != CRANK_SELECTOR_MASS) {
        idle = "selector_source";
    } else if (o->selector_update != CRANK_SELECTOR_ADAPTIVE) {
        idle = "selector_update";
    }
    return idle == NULL
               ? CRANK_OK
               : crank_fail(err, CRANK_EREFUSED, "%s has no option %s; leave it at its default",
                            name, idle);
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
            const crank_status refused = refuse_idle_options(name, options, err);
            return refused != CRANK_OK
                       ? refused
                       : formulations[i].create(eom, options, t0, x0, log, out, err);
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
    return crank_fail(err, CRANK_EARG, "method \"%s\" is not known%s%s%s", name,
                      near != NULL ? "; did you mean \"" : "", near != NULL ? near : "",
                      near != NULL ? "\"?" : "");
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
