/* tolerances.c - absolute tolerances of mechanisms by kinds of unknowns: lengths, angles, their
 * rates, forces, torques, energies.
 *
 * Groups of unknowns mix units: positions are metres and radians, multipliers newtons and
 * newton metres. A multiplier is a force only by way of its constraint: G^T lambda is. So the
 * tolerance of lambda_i is
 *     atol_force / max_t |G_it|     over translations, or    atol_torque / max_r |G_ir|
 *         where it turns bodies only
 * at the start, theory (4.19); of a constraint that moves nothing there, what its residual is
 * counted in says which. Carried accelerations, which are in no error test but in those
 * of rows, have atol_speed^2/atol_length or atol_spin^2/atol_angle. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/formulate.h"

#include "eom/structure.h"

#include <math.h>
#include <stdlib.h>

typedef struct kinds {
    double length, angle, speed, spin, force, torque, energy; /* 0: by group */
} kinds;

static kinds kinds_of(const crank_options *o)
{
    return (kinds){.length = o->atol_length,
                   .angle = o->atol_angle,
                   .speed = o->atol_speed,
                   .spin = o->atol_spin,
                   .force = o->atol_force,
                   .torque = o->atol_torque,
                   .energy = o->atol_energy};
}

static bool any(const kinds *k)
{
    return k->length > 0.0 || k->angle > 0.0 || k->speed > 0.0 || k->spin > 0.0 ||
           k->force > 0.0 || k->torque > 0.0 || k->energy > 0.0;
}

/* of a variable by its letter; 0: by group */
static double of_variable(const kinds *k, char kind)
{
    return kind == 't'   ? k->length
           : kind == 'a' ? k->angle
           : kind == 'f' ? k->force
           : kind == 'm' ? k->torque
                         : 0.0;
}

/* dynamic and auxiliary variables */
static void take_variables(const crank_eom *eom, const kinds *k, double *atol)
{
    const crank_eom_parts *parts = eom->parts;
    const int r = eom->column[CRANK_R], w = eom->column[CRANK_W];
    for (int i = 0; i < eom->sizes.r; i++) {
        atol[r + i] =
            i >= parts->first_work ? k->energy : of_variable(k, parts->dynamic_kind[i]);
    }
    for (int i = 0; i < eom->sizes.w && !eom->carried[w + i]; i++) {
        atol[w + i] = of_variable(k, parts->auxiliary_kind[i]);
    }
}

static void take_motion(const crank_eom *eom, const kinds *k, double *atol)
{
    const crank_eom_parts *parts = eom->parts;
    for (int i = 0; i < eom->sizes.p; i++) {
        const char kind = parts->position_kind[i];
        atol[eom->column[CRANK_P] + i] = kind == 't' ? k->length : kind != 0 ? k->angle : 0.0;
    }
    for (int i = 0; i < eom->sizes.v; i++) {
        const char kind = parts->velocity_kind[i];
        atol[eom->column[CRANK_V] + i] = kind == 't' ? k->speed : kind != 0 ? k->spin : 0.0;
    }
    const double moving = k->length > 0.0 ? k->speed * k->speed / k->length : 0.0;
    const double turning = k->angle > 0.0 ? k->spin * k->spin / k->angle : 0.0;
    const int first = eom->column[CRANK_W + 1] - eom->sizes.v; /* of the accelerations */
    for (int i = 0; i < eom->sizes.v && first >= 0; i++) {
        const char kind = parts->velocity_kind[i];
        if (eom->carried[first + i]) {
            atol[first + i] = kind == 't' ? moving : kind != 0 ? turning : 0.0;
        }
    }
}

/* entries of gI and h over the velocities are G; largest (lambda + mu): over rotations, over
 * translations */
static void find_entries(const crank_eom *eom, const double *values, double (*largest)[2])
{
    const crank_pattern *J = &eom->jacobian_pattern;
    const int gI = eom->row[CRANK_ROW_GI], h = eom->row[CRANK_ROW_H];
    for (int i = 0; i < eom->sizes.v; i++) {
        const int j = eom->column[CRANK_V] + i;
        const bool moves = eom->parts->velocity_kind[i] == 't';
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            const int lambda = J->row[e] - gI, mu = J->row[e] - h;
            const int at = lambda >= 0 && lambda < eom->sizes.lambda ? lambda
                           : mu >= 0 && mu < eom->sizes.mu           ? eom->sizes.lambda + mu
                                                                     : -1;
            if (at >= 0 && !crank_structure_is_rounding(eom, J->row[e], j, values[e])) {
                largest[at][moves] = fmax(largest[at][moves], fabs(values[e]));
            }
        }
    }
}

/* Of a constraint that nothing moves at the start, as those that close a loop of a tree whose
 * other joints keep it closed: residuals are of lengths, angles or squares of lengths. */
static double of_constraint(const crank_eom_parts *parts, const kinds *k, int i)
{
    const int power = parts->constraint_power[i];
    return power == 0   ? k->torque
           : power == 1 ? k->force
           : power == 2 ? k->force / parts->length
                        : 0.0;
}

static crank_status take_multipliers(crank_eom *eom, const kinds *k, double t0,
                                     const double *x0, double *atol, crank_error *err)
{
    const int count = eom->sizes.lambda + eom->sizes.mu;
    double *values = calloc((size_t)eom->jacobian_pattern.start[eom->n] + 1, sizeof *values);
    double(*largest)[2] = calloc((size_t)count + 1, sizeof *largest);
    crank_status status =
        values == NULL || largest == NULL
            ? crank_fail(err, CRANK_EMEM, "tolerances of %d multipliers", count)
            : crank_eom_evaluate_jacobian(eom, t0, x0, NULL, values, err);
    if (status == CRANK_OK) {
        find_entries(eom, values, largest);
    }
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        const bool moves = largest[i][true] > 0.0;
        atol[eom->column[CRANK_LAMBDA] + i] = moves ? k->force / largest[i][true]
                                              : largest[i][false] > 0.0
                                                  ? k->torque / largest[i][false]
                                                  : of_constraint(eom->parts, k, i);
    }
    free(values);
    free(largest);
    return status;
}

crank_status crank_formulate_tolerances(crank_problem *problem, crank_eom *eom,
                                        const crank_options *options, double t0,
                                        const double *x0, crank_error *err)
{
    const kinds k = kinds_of(options);
    if (!any(&k)) {
        return CRANK_OK;
    }
    if (eom->parts == NULL) {
        return crank_fail(
            err, CRANK_EREFUSED,
            "tolerances of lengths, angles, speeds, spins, forces, torques and energies "
            "(atol_length, ...) are for mechanisms; use those of groups, atol_p, "
            "atol_v, atol_lambda");
    }
    double *of_eom = calloc((size_t)eom->n + 1, sizeof *of_eom);
    problem->atol = calloc((size_t)problem->n + 1, sizeof *problem->atol);
    crank_status status =
        of_eom != NULL && problem->atol != NULL
            ? CRANK_OK
            : crank_fail(err, CRANK_EMEM, "tolerances of %d unknowns", problem->n);
    if (status == CRANK_OK) {
        take_motion(eom, &k, of_eom);
        take_variables(eom, &k, of_eom);
    }
    if (status == CRANK_OK && (k.force > 0.0 || k.torque > 0.0)) {
        status = take_multipliers(eom, &k, t0, x0, of_eom, err);
    }
    for (int j = 0; j < problem->n && status == CRANK_OK; j++) {
        const int column = crank_problem_column(problem, j);
        problem->atol[j] = column >= 0 ? of_eom[column] : 0.0;
    }
    free(of_eom);
    return status;
}
