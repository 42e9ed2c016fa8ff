/* tread.c - see tread.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/tread.h"

#include "model/model.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* of r by its name */
static int find_dynamic(const crank_eom *eom, const char *name)
{
    int found = -1;
    for (int i = 0; name != NULL && i < eom->sizes.r && found < 0; i++) {
        const char *own = crank_eom_column_name(eom, eom->column[CRANK_R] + i);
        found = own != NULL && strcmp(own, name) == 0 ? i : -1;
    }
    return found;
}

crank_status crank_tread_create(crank_run *run, crank_tread *t, crank_error *err)
{
    const crank_eom_parts *parts = run->eom->parts;
    const int all = parts != NULL && run->model != NULL ? parts->tread_count : 0;
    crank_store *store = &t->store;
    *t = (crank_tread){.run = run};
    if (all == 0) {
        return CRANK_OK;
    }
    t->tread = parts->tread;
    t->dynamic = crank_store_take(store, 2 * (size_t)all, sizeof *t->dynamic);
    t->force = crank_store_take(store, 2 * (size_t)all, sizeof *t->force);
    t->load = crank_store_take(store, (size_t)all, sizeof *t->load);
    t->holds = crank_store_take(store, (size_t)all, sizeof *t->holds);
    t->held = crank_store_take(store, (size_t)run->eom->sizes.r, sizeof *t->held);
    if (store->failed) {
        return crank_fail(err, CRANK_EMEM, "%d treads", all);
    }
    t->all = all;
    for (int i = 0; i < all; i++) {
        const crank_eom_tread *tread = &t->tread[i];
        t->load[i] = crank_run_find(run, tread->load);
        for (int k = 0; k < 2; k++) {
            t->dynamic[2 * i + k] = find_dynamic(run->eom, tread->deflection[k]);
            t->force[2 * i + k] =
                tread->force[k] != NULL ? crank_run_find(run, tread->force[k]) : -1;
        }
    }
    return CRANK_OK;
}

void crank_tread_destroy(crank_tread *t)
{
    crank_store_free(&t->store);
}

void crank_tread_set(crank_tread *t, int i, bool holds)
{
    for (int j = i < 0 ? 0 : i; j < (i < 0 ? t->all : i + 1); j++) {
        t->count += (int)holds - (int)t->holds[j];
        t->holds[j] = holds;
        for (int k = 0; k < 2; k++) {
            if (t->dynamic[2 * j + k] >= 0) {
                t->held[t->dynamic[2 * j + k]] = holds;
            }
        }
    }
}

void crank_tread_relax(const crank_tread *t, double *x)
{
    const crank_eom *eom = t->run->eom;
    memset(x + eom->column[CRANK_V], 0, (size_t)eom->sizes.v * sizeof *x);
    for (int r = 0; r < eom->sizes.r; r++) {
        if (t->all > 0 && t->held[r]) {
            x[eom->column[CRANK_R] + r] = 0.0;
        }
    }
}

double crank_tread_force(const crank_tread *t, int i, const double *values)
{
    double sum = 0.0;
    for (int k = 0; k < 2; k++) {
        const int column = t->force[2 * i + k];
        sum = hypot(sum, column >= 0 ? values[column] : 0.0);
    }
    return sum;
}

double crank_tread_peak(const crank_tread *t, int i, const double *values)
{
    return t->load[i] >= 0 ? t->tread[i].friction * fmax(values[t->load[i]], 0.0) : 0.0;
}

int crank_tread_judge(const crank_tread *t, const double *values, double *worst,
                      char text[CRANK_DIRECTION_TEXT])
{
    int found = -1;
    for (int i = 0; i < t->all; i++) {
        const double needed = crank_tread_force(t, i, values);
        const double peak = crank_tread_peak(t, i, values);
        if (t->holds[i] && needed >= *worst * peak && needed > 0.0) {
            *worst = peak > 0.0 ? needed / peak : (double)INFINITY;
            found = i;
            (void)snprintf(text, CRANK_DIRECTION_TEXT,
                           "the tread of %.80s slides: it would have to hold %.4g N, and holds "
                           "%.4g",
                           t->tread[i].text, needed, peak);
        }
    }
    return found;
}

/* row of the Jacobian of the rate of variable r, over velocities, times factor */
static void take_row(const crank_statics *s, int r, double factor, double *row)
{
    const crank_eom *eom = s->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int own = eom->row[CRANK_ROW_B] + r;
    for (int j = 0; j < eom->sizes.v; j++) {
        const int column = eom->column[CRANK_V] + j;
        row[j] = 0.0;
        for (int e = J->start[column]; e < J->start[column + 1]; e++) {
            row[j] += J->row[e] == own ? factor * s->values[e] : 0.0;
        }
    }
}

/* The speed over the road at which force F is that of steady sliding, (7.49) with a wheel that
 * is locked, or rolls: with the slip s of that force, v_s = -mu s v/c, and v^2 = slow^2 + v_s^2.
 */
static void find_creep(const crank_tread *t, int i, const double *values, double rate[2])
{
    const crank_eom_tread *tread = &t->tread[i];
    const double peak = crank_tread_peak(t, i, values), C = tread->shape;
    const double force = crank_tread_force(t, i, values);
    const double part = force / peak, slip = C * tan(asin(fmin(part, 1.0)) / C);
    double most = 0.0;
    for (int k = 0; k < 2; k++) {
        const int column = t->force[2 * i + k];
        rate[k] = column >= 0 && force > 0.0
                      ? -slip * (values[column] / force) * tread->friction / tread->stiff[k]
                      : 0.0;
        most = hypot(most, rate[k]);
    }
    for (int k = 0; k < 2; k++) {
        rate[k] *= most < 1.0 ? tread->slow / sqrt((1.0 - most) * (1.0 + most)) : 0.0;
    }
}

int crank_tread_rates(const crank_tread *t, const crank_statics *s, const double *values,
                      double *D, double *rates)
{
    int rows = 0;
    for (int i = 0; i < t->all; i++) {
        double rate[2];
        find_creep(t, i, values, rate);
        for (int k = 0; k < 2 && t->holds[i]; k++) {
            if (t->dynamic[2 * i + k] >= 0) {
                take_row(s, t->dynamic[2 * i + k], -1.0, D + (long)rows * s->eom->sizes.v);
                rates[rows++] = rate[k];
            }
        }
    }
    return rows;
}

double crank_tread_speed(const crank_tread *t, int i, const double *D, const double *v)
{
    const int count = t->run->eom->sizes.v;
    double speed = 0.0;
    for (int row = 0, j = 0; j <= i; j++) {
        for (int k = 0; k < 2 && t->holds[j]; k++) {
            if (t->dynamic[2 * j + k] < 0) {
                continue;
            }
            double rate = 0.0;
            for (int c = 0; c < count; c++) {
                rate += D[(long)row * count + c] * v[c];
            }
            speed = j == i ? hypot(speed, rate) : 0.0;
            row++;
        }
    }
    return speed;
}
