/* initial_speed.c - start velocities that follow from given ones and are out of all proportion.
 *
 * A row of gI or h is a sum of terms J_ij v_j. Mechanisms hand speeds on: terms of free
 * velocities are of the size of those of given ones and of drives, also in gears of any ratio.
 * They are much larger only if they cancel, which is so near a dead centre. theory (5.13)
 *     max |J_ij v_j|/N_i over free v_j   >   50 max (|J_ij v_j|, |gI_i at v_free = 0|)/N_i
 * with N_i = max |J_ij| d_j is reported, with the body that moves fastest. What a body takes
 * over from the one that carries it, or that a spring holds it to, counts as given. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/initial.h"
#include "eom/structure.h"

#include <math.h>
#include <string.h>

static const double out_of_proportion = 50.0; /* nearer than 1/50 rad to a dead centre */

typedef struct terms {
    double free, given; /* the largest, of rows divided by their sizes */
    int fastest;        /* the free velocity with the largest; -1: none */
} terms;

static double unit_of(const crank_eom *eom, int velocity)
{
    return eom->parts->velocity_kind[velocity] == 't' ? eom->parts->length : 1.0;
}

/* w->norm := sizes of the rows, the largest coefficients in natural units; equations that are
 * not of velocities have none */
static void measure_rows(crank_initial *w)
{
    const crank_eom *eom = w->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    memset(w->norm, 0, (size_t)w->equations * sizeof *w->norm);
    for (int i = 0; i < eom->sizes.v; i++) {
        const int j = eom->column[CRANK_V] + i;
        for (int q = J->start[j]; q < J->start[j + 1]; q++) {
            const int row = J->row[q];
            if (row >= eom->row[CRANK_ROW_GI] && row < eom->row[CRANK_ROW_E]) {
                w->norm[row] = fmax(w->norm[row], fabs(w->values[q]) * unit_of(eom, i));
            }
        }
        for (int c = 0; c < w->conditions; c++) {
            const double value = w->condition_values[c + j * w->conditions];
            double *norm = &w->norm[w->algebraic + c];
            *norm = w->level[w->algebraic + c] == 1 ? fmax(*norm, fabs(value) * unit_of(eom, i))
                                                    : 0.0;
        }
    }
}

static void see(const crank_initial *w, terms *t, int j, double term)
{
    if (w->fixing[j] != CRANK_FREE || w->led[j]) {
        t->given = fmax(t->given, term);
    } else if (term > t->free) {
        t->free = term;
        t->fastest = j;
    }
}

static terms measure_terms(const crank_initial *w)
{
    const crank_eom *eom = w->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    terms t = {.fastest = -1};
    for (int j = eom->column[CRANK_V]; j < eom->column[CRANK_S]; j++) {
        for (int q = J->start[j]; q < J->start[j + 1]; q++) {
            const int row = J->row[q];
            if (row < w->algebraic && w->norm[row] > 0.0) {
                see(w, &t, j, fabs(w->values[q] * w->x[j]) / w->norm[row]);
            }
        }
    }
    return t;
}

/* speed and angular speed of a body */
static void speeds_of(const crank_initial *w, int body, double *speed, double *spin)
{
    const crank_eom *eom = w->eom;
    *speed = *spin = 0.0;
    for (int i = 0; i < eom->sizes.v; i++) {
        const double v = w->x[eom->column[CRANK_V] + i];
        if (eom->parts->velocity_body[i] == body && eom->parts->velocity_kind[i] == 't') {
            *speed = hypot(*speed, v);
        } else if (eom->parts->velocity_body[i] == body) {
            *spin = hypot(*spin, v);
        }
    }
}

void crank_initial_warn_changed(const crank_initial *w)
{
    const crank_eom *eom = w->eom;
    int most = -1;
    double largest = w->options.max_change;
    for (int i = 0; i < eom->sizes.v && eom->parts != NULL && largest > 0.0; i++) {
        const int j = eom->column[CRANK_V] + i;
        const double size = fmax(fabs(w->given[j]), crank_initial_plain_move(w, j));
        const double change = fabs(w->x[j] - w->given[j]) / size;
        if (w->fixing[j] != CRANK_FREE && change > largest) {
            largest = change;
            most = j;
        }
    }
    if (most >= 0) {
        crank_log_write(
            &w->log, CRANK_WARNING,
            "%s starts with %.4g instead of %.4g, as it is given, so that the initial "
            "conditions hold: make it `fixed`, or give the velocities of other bodies, too",
            crank_eom_column_name(eom, most), w->x[most], w->given[most]);
    }
}

crank_status crank_initial_warn_speeds(crank_initial *w, crank_error *err)
{
    const crank_eom *eom = w->eom;
    double speed, spin;
    if (eom->parts == NULL || eom->sizes.v == 0) {
        return CRANK_OK;
    }
    measure_rows(w);
    terms t = measure_terms(w);
    memcpy(w->trial, w->x, (size_t)eom->n * sizeof *w->x);
    for (int j = eom->column[CRANK_V]; j < eom->column[CRANK_S]; j++) {
        w->trial[j] = w->fixing[j] == CRANK_FREE && !w->led[j] ? 0.0 : w->x[j];
    }
    crank_status status = crank_initial_evaluate(w, w->trial, err);
    for (int i = 0; i < w->equations && status == CRANK_OK; i++) {
        t.given = w->norm[i] > 0.0 ? fmax(t.given, fabs(w->residual[i]) / w->norm[i]) : t.given;
    }
    const int first = eom->column[CRANK_V];
    const int body = t.fastest >= 0 ? eom->parts->velocity_body[t.fastest - first] : -1;
    int worst; /* velocities that are zero but for rounding are in no proportion */
    if (status == CRANK_OK && body >= 0 && crank_initial_excess(w, 1, &worst) > 1.0 &&
        t.free > out_of_proportion * t.given) {
        speeds_of(w, body, &speed, &spin);
        crank_log_write(
            &w->log, CRANK_WARNING,
            "start velocities that are not given are %.0f times as large as those that "
            "they follow from: %s moves with %.3g and turns with %.3g rad per unit "
            "of time; the start is close to a dead centre: give other velocities, or "
            "another position",
            t.free / t.given, eom->parts->body_text[body], speed, spin);
    }
    return status == CRANK_OK ? crank_initial_evaluate(w, w->x, err) : status;
}
