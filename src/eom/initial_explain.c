/* initial_explain.c - why there are no consistent initial values: equations and variables by
 * name.
 *
 * At a minimum of |F| the residual is orthogonal to everything that the movable unknowns can
 * reach, and equations with large residuals contradict each other there. A fixed unknown j
 * with (dF/dx_j)^T F != 0 could have helped: then the fixed values are to blame. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/initial.h"
#include "eom/structure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED = 3 };

static const double share = 0.05; /* of the largest: what is worth naming */

/* Appends "first, second and third". */
static void append(char *text, size_t size, const char *name, int i, int count)
{
    const size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "%s%s",
                   i == 0           ? ""
                   : i == count - 1 ? " and "
                                    : ", ",
                   name);
}

/* The largest entries of weight (n), at most NAMED of them, largest first; returns their
 * number. */
static int largest(int n, const double *weight, int *which)
{
    int count = 0;
    double first = 0.0;
    while (count < NAMED) {
        int best = -1;
        for (int i = 0; i < n; i++) {
            bool taken = false;
            for (int l = 0; l < count; l++) {
                taken = taken || which[l] == i;
            }
            if (!taken && (best < 0 || weight[i] > weight[best])) {
                best = i;
            }
        }
        if (best < 0 || !(weight[best] > share * first)) {
            break;
        }
        first = count == 0 ? weight[best] : first;
        which[count++] = best;
    }
    return count;
}

/* influence[j] = |sum_i r_i dF_i/dx_j| (1 + |x_j|) for fixed unknowns, 0 for the others. */
static void fixed_influence(const crank_initial *w, double *influence)
{
    const crank_pattern *pattern = &w->eom->jacobian_pattern;
    const int ni = w->conditions;
    for (int j = 0; j < w->eom->n; j++) {
        double sum = 0.0;
        influence[j] = 0.0;
        if (w->fixing[j] != CRANK_FIXED) {
            continue;
        }
        for (int q = pattern->start[j]; q < pattern->start[j + 1]; q++) {
            const int i = pattern->row[q];
            if (i < w->algebraic && w->place[i] >= 0) {
                sum += w->r[w->place[i]] * w->values[q] / w->norm[w->place[i]];
            }
        }
        for (int i = 0; i < ni; i++) {
            const int place = w->place[w->algebraic + i];
            if (place >= 0) {
                sum += w->r[place] * w->condition_values[i + j * ni] / w->norm[place];
            }
        }
        bool known;
        influence[j] = fabs(sum) * (crank_scale_unit(w->eom, j, &known) + fabs(w->x[j]));
    }
}

/* Velocities and accelerations that no state satisfies at positions that hold: a singular
 * position? */
static crank_status singular_start(crank_initial *w, crank_error *err)
{
    const bool beyond = w->rows > 0 && w->level[w->row[0]] > 0 && w->eom->dae == NULL;
    return beyond ? crank_eom_refuse_degenerate(w->eom, w->t, w->x, err) : CRANK_OK;
}

/* Accelerations and multipliers that no state satisfies: friction that locks? */
static crank_status locked_start(crank_initial *w, crank_error *err)
{
    const bool acceleration = w->rows > 0 && w->level[w->row[0]] == 2;
    return acceleration ? crank_eom_locked_start(w->eom, w->t, w->x, err) : CRANK_OK;
}

/* Accelerations that no multiplier changes, though there are some: the equations, which came
 * from C, lack the forces of the constraints. */
static const char *missing_forces(const crank_initial *w)
{
    const crank_eom *eom = w->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int first = eom->column[CRANK_LAMBDA], dynamic = eom->row[CRANK_ROW_DYN];
    const int last = first + eom->sizes.lambda + eom->sizes.mu;
    bool acts = eom->parts != NULL || eom->dae != NULL || first == last;
    for (int p = J->start[first]; p < J->start[last] && !acts; p++) {
        acts =
            J->row[p] >= dynamic && J->row[p] < dynamic + eom->sizes.v && w->values[p] != 0.0;
    }
    return acts ? ""
                : "; no multiplier acts on a velocity: the forces of the constraints, G^T "
                  "lambda, "
                  "are missing in the dynamic equations";
}

/* Of a mechanism: conditions of the stage that hold but for each other, since the rest has a
 * solution without any one of them. Balances of forces, which take part as well, are nothing that
 * a file could change. CRANK_OK: there are none. w->x stays. */
static crank_status opposed_conditions(crank_initial *w, crank_error *err)
{
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    const int level = w->level_at_hand;
    int opposed[NAMED], count = 0;
    char list[300] = "", name[160];
    crank_status status = CRANK_OK;
    if (w->eom->parts == NULL || level < 2) {
        return CRANK_OK;
    }
    memcpy(w->away, w->x, size);
    for (int i = 0; i < w->conditions && count < NAMED && status != CRANK_EMEM; i++) {
        const int equation = w->algebraic + i, own = w->level[equation];
        crank_error ignored = {0};
        crank_stage_end end = CRANK_STAGE_SLOW;
        bool moved;
        if (!crank_initial_is_in(w, equation, level)) {
            continue;
        }
        w->level[equation] = -1;
        status = crank_initial_solve(w, level, &moved, &end, &ignored);
        w->level[equation] = own;
        memcpy(w->x, w->away, size);
        if (status == CRANK_OK && end == CRANK_STAGE_SOLVED) {
            opposed[count++] = equation;
        }
    }
    status = crank_initial_look(w, level, err);
    for (int i = 0; i < count; i++) {
        append(list, sizeof list, crank_initial_name(w, opposed[i], name, sizeof name), i,
               count);
    }
    return status != CRANK_OK || count < 2
               ? status
               : crank_fail_place(
                     err, CRANK_EINIT_CONTRADICTION, crank_initial_place(w, opposed[count - 1]),
                     "%s contradict each other: no state was found in which all of "
                     "them hold, but without any one of them the others do; change "
                     "or remove one",
                     list);
}

/* Equations by their residuals, as a text; *size: the largest residual. weight: work. */
static int name_rows(const crank_initial *w, double *weight, char *text, size_t room,
                     double *size, int *worst)
{
    int which[NAMED];
    char name[160];
    *size = 0.0;
    for (int i = 0; i < w->rows; i++) {
        weight[i] = fabs(w->r[i]);
        *size = fmax(*size, weight[i]);
    }
    for (int i = 0; i < w->rows; i++) { /* conditions even if they hold at the rows' expense */
        weight[i] = w->row[i] >= w->algebraic ? fmax(weight[i], 0.5 * *size) : weight[i];
    }
    const int count = largest(w->rows, weight, which);
    *worst = count > 0 ? w->row[which[0]] : 0;
    for (int i = 0; i < count; i++) {
        append(text, room, crank_initial_name(w, w->row[which[i]], name, sizeof name), i,
               count);
    }
    return count;
}

crank_status crank_initial_contradiction(crank_initial *w, crank_error *err)
{
    const int n = w->eom->n;
    crank_status known = singular_start(w, err);
    CRANK_THEN(known, locked_start(w, err));
    if (known != CRANK_OK) {
        return known;
    }
    char rows[300] = "", columns[120] = "", held[260];
    int which[NAMED];
    double *weight = malloc(((size_t)w->equations + (size_t)n + 1) * sizeof *weight);
    if (weight == NULL) {
        return crank_fail(err, CRANK_EINIT_CONTRADICTION,
                          "the constraints contradict each other");
    }
    double size;
    int worst;
    const int rows_named = name_rows(w, weight, rows, sizeof rows, &size, &worst);
    fixed_influence(w, weight);
    int columns_named = largest(n, weight, which);
    columns_named = columns_named > 0 && weight[which[0]] > 1e-6 * size ? columns_named : 0;
    for (int i = 0; i < columns_named; i++) {
        append(columns, sizeof columns, crank_eom_column_name(w->eom, which[i]), i,
               columns_named);
    }
    crank_initial_held(w, weight, held, sizeof held);
    free(weight);
    known = columns_named == 0 ? crank_initial_open_loop(w, err) : CRANK_OK;
    CRANK_THEN(known, columns_named == 0 ? opposed_conditions(w, err) : CRANK_OK);
    if (known != CRANK_OK) {
        return known;
    }
    const double residual = w->residual[worst];
    const char *forces = missing_forces(w);
    crank_place place = crank_initial_place(w, worst);
    if (columns_named > 0) {
        place = crank_eom_column_place(w->eom, which[0]);
        return crank_fail_place(
            err, CRANK_EINIT_CONTRADICTION, place,
            "the fixed start value%s of %s contradict%s %s (residual %.3g): change %s, "
            "or make %s preferred or free%s",
            columns_named > 1 ? "s" : "", columns, columns_named > 1 ? "" : "s", rows, residual,
            columns_named > 1 ? "them" : "it", columns_named > 1 ? "one of them" : "it", held);
    }
    if (rows_named > 1) {
        return crank_fail_place(
            err, CRANK_EINIT_CONTRADICTION, place,
            "%s contradict each other: no state %s them all (residual %.3g)%s", rows,
            w->searched ? "was found that satisfies" : "satisfies", residual,
            forces[0] != '\0' ? forces : "; change or remove one of them");
    }
    return crank_fail_place(
        err, CRANK_EINIT_CONTRADICTION, place,
        "%s cannot be satisfied near the start values (residual %.3g)%s", rows, residual,
        forces[0] != '\0' ? forces : "; start closer to a solution, or change it");
}

crank_status crank_initial_no_convergence(crank_initial *w, int level, crank_error *err)
{
    int worst;
    char name[160];
    const crank_status open = level == 0 ? crank_initial_open_loop(w, err) : CRANK_OK;
    if (open != CRANK_OK) {
        return open;
    }
    (void)crank_initial_excess(w, level, &worst);
    const crank_place place = crank_initial_place(w, worst);
    return crank_fail_place(
        err, CRANK_EINIT_CONVERGENCE, place,
        "no consistent initial values after %d steps: %s still has residual %.3g; start "
        "closer to a solution",
        w->iterations, crank_initial_name(w, worst, name, sizeof name), w->residual[worst]);
}

crank_status crank_initial_runs_away(const crank_initial *w, int level, crank_error *err)
{
    int worst;
    char name[160];
    (void)crank_initial_excess(w, level, &worst);
    const crank_place place = crank_initial_place(w, worst);
    return crank_fail_place(
        err, CRANK_EINIT_CONVERGENCE, place,
        "no consistent initial values: the residual of %s falls only because %s runs away "
        "(%.6g "
        "after %d steps, and no end); change the equation, or start closer to a solution",
        crank_initial_name(w, worst, name, sizeof name),
        crank_eom_column_name(w->eom, w->step_column), w->x[w->step_column], w->iterations);
}
