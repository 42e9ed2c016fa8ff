/* channels.c - coordinates that drives prescribe, see channels.h.
 *
 * Which they are is told by the Jacobian: a row of g with one entry that is more than rounding,
 * whose value is the same elsewhere, beside a plain rate p' = v and a multiplier in one
 * balance. The rows then give the function of time, whatever it is made of:
 *
 *     u = p_j - g_i/c,   u' = v_k - gI_i/c,   u'' = a_k - gII_i/c              theory (2.23) */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/channels.h"

#include "base/archive.h"
#include "eom/scale.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* part of its unit by which each position is moved to see whether gradients stay */
static const double moved = 0.3;
/* of a gradient, that rounding of a recursion over some hundred bodies may make */
static const double same = 1e5 * DBL_EPSILON;

typedef struct search {
    crank_eom *eom;
    const double *here;               /* values of the Jacobian */
    double *there;                    /* elsewhere */
    double *first_size, *second_size; /* m: largest entries of a row, in natural units */
    int *first, *column;              /* m: the largest one; its column */
} search;

static void list_rows(search *s)
{
    const crank_pattern *J = &s->eom->jacobian_pattern;
    for (int j = 0; j < s->eom->n; j++) {
        bool known;
        const double unit = crank_scale_unit(s->eom, j, &known);
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            const int row = J->row[e];
            const double size = unit * fmax(fabs(s->here[e]), fabs(s->there[e]));
            if (size > s->first_size[row]) {
                s->second_size[row] = s->first_size[row];
                s->first_size[row] = size;
                s->first[row] = e;
                s->column[row] = j;
            } else {
                s->second_size[row] = fmax(s->second_size[row], size);
            }
        }
    }
}

static bool is_single(const search *s, int row)
{
    return s->first_size[row] > 0.0 && s->second_size[row] <= same * s->first_size[row];
}

/* The one entry of a row in a group of columns, -1: there are others, or it is not constant. */
static int only_entry(const search *s, int row, crank_group group)
{
    const int e = s->first[row], j = s->column[row];
    const crank_eom *eom = s->eom;
    if (!is_single(s, row) || j < eom->column[group] || j >= eom->column[group + 1] ||
        !(fabs(s->there[e] - s->here[e]) <= same * fabs(s->here[e]))) {
        return -1;
    }
    return e;
}

static bool is_close(double a, double b)
{
    return fabs(a - b) <= same * fabs(b);
}

/* The column of the acceleration that dyn row k equals, -1: none is carried. */
static int acceleration_of(const search *s, int k)
{
    const int row = s->eom->row[CRANK_ROW_DYN] + k;
    return is_single(s, row) && s->eom->carried[s->column[row]] ? s->column[row] : -1;
}

/* Power of a unit of force in a balance, which is that of velocity k if rows are those of its
 * acceleration; -1: the row is no balance. */
static double power_of(const search *s, int row)
{
    const crank_eom *eom = s->eom;
    const int dyn = eom->row[CRANK_ROW_DYN];
    bool known;
    if (row >= dyn && row < eom->row[CRANK_ROW_KIN]) {
        return crank_scale_unit(eom, eom->column[CRANK_V] + row - dyn, &known);
    }
    if (row >= eom->row[CRANK_ROW_GII] || !eom->carried[eom->column[CRANK_W] + row]) {
        return -1.0;
    }
    for (int k = 0; k < eom->sizes.v; k++) {
        if (acceleration_of(s, k) == eom->column[CRANK_W] + row) {
            return crank_scale_unit(eom, eom->column[CRANK_V] + k, &known);
        }
    }
    return -1.0;
}

/* Rows of the multiplier: its balance, and whether there are others. */
static bool find_readers(const search *s, crank_channel *c)
{
    const crank_eom *eom = s->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int j = eom->column[CRANK_LAMBDA] + c->constraint;
    const double own = fabs(c->factor) * power_of(s, c->balance);
    bool found = false;
    for (int e = J->start[j]; e < J->start[j + 1]; e++) {
        const int row = J->row[e];
        const double power = power_of(s, row),
                     size = fmax(fabs(s->here[e]), fabs(s->there[e])) * power;
        if (row == c->balance) {
            found = is_close(fabs(s->here[e]), fabs(c->factor)) &&
                    is_close(s->there[e], s->here[e]);
        } else if (power >= 0.0 && size > same * own) {
            return false;
        } else {
            c->read = c->read || power < 0.0;
        }
    }
    return found;
}

static bool find(const search *s, int lambda, crank_channel *c)
{
    const crank_eom *eom = s->eom;
    const int gradient = only_entry(s, eom->row[CRANK_ROW_G] + lambda, CRANK_P);
    const int rate = only_entry(s, eom->row[CRANK_ROW_GI] + lambda, CRANK_V);
    if (gradient < 0 || rate < 0) {
        return false;
    }
    *c = (crank_channel){.constraint = lambda,
                         .p = s->column[eom->row[CRANK_ROW_G] + lambda],
                         .v = s->column[eom->row[CRANK_ROW_GI] + lambda],
                         .factor = s->here[gradient]};
    c->position = c->p - eom->column[CRANK_P];
    c->velocity = c->v - eom->column[CRANK_V];
    c->a = acceleration_of(s, c->velocity);
    c->balance = c->a >= 0 ? eom->row[CRANK_ROW_D] + c->a - eom->column[CRANK_W]
                           : eom->row[CRANK_ROW_DYN] + c->velocity;
    const int motion = only_entry(s, eom->row[CRANK_ROW_KIN] + c->position, CRANK_V);
    return c->factor != 0.0 && is_close(s->here[rate], c->factor) && motion >= 0 &&
           s->here[motion] == 1.0 && s->column[eom->row[CRANK_ROW_KIN] + c->position] == c->v &&
           find_readers(s, c);
}

/* ---- creation ---- */

static bool take(crank_channels *channels, search *s)
{
    const crank_eom *eom = channels->eom;
    const size_t n = (size_t)eom->n + 1, m = (size_t)eom->m + 1,
                 lambda = (size_t)eom->sizes.lambda + 1;
    channels->item = calloc(lambda, sizeof *channels->item);
    channels->u = calloc(lambda, sizeof *channels->u);
    channels->end = calloc(lambda, sizeof *channels->end);
    channels->x = calloc(n, sizeof *channels->x);
    channels->rows = calloc(m, sizeof *channels->rows);
    s->there = calloc((size_t)eom->jacobian_pattern.start[eom->n] + 1, sizeof *s->there);
    s->first_size = calloc(m, sizeof *s->first_size);
    s->second_size = calloc(m, sizeof *s->second_size);
    s->first = calloc(m, sizeof *s->first);
    s->column = calloc(m, sizeof *s->column);
    return channels->item != NULL && channels->u != NULL && channels->end != NULL &&
           channels->x != NULL && channels->rows != NULL && s->there != NULL &&
           s->first_size != NULL && s->second_size != NULL && s->first != NULL &&
           s->column != NULL;
}

/* The Jacobian at another point; false: there is none. */
static bool look_elsewhere(search *s, double t0, const double *x0, double *x)
{
    const crank_eom *eom = s->eom;
    memcpy(x, x0, (size_t)eom->n * sizeof *x);
    for (int j = eom->column[CRANK_P]; j < eom->column[CRANK_P + 1]; j++) {
        bool known;
        x[j] += moved * crank_scale_unit(eom, j, &known);
    }
    return crank_eom_evaluate_jacobian(s->eom, t0, x, NULL, s->there, NULL) == CRANK_OK;
}

crank_status crank_channels_create(crank_channels *channels, crank_eom *eom, double t0,
                                   const double *x0, const double *jacobian, crank_error *err)
{
    search s = {.eom = eom, .here = jacobian};
    *channels = (crank_channels){.eom = eom, .t = (double)NAN, .end_t = (double)NAN};
    const bool fine = take(channels, &s);
    if (fine && eom->sizes.lambda > 0 && eom->has_acceleration_level &&
        look_elsewhere(&s, t0, x0, channels->x)) {
        list_rows(&s);
        for (int i = 0; i < eom->sizes.lambda; i++) {
            channels->count += find(&s, i, &channels->item[channels->count]);
        }
    }
    if (fine) {
        memcpy(channels->x, x0, (size_t)eom->n * sizeof *x0);
    }
    free(s.there);
    free(s.first_size);
    free(s.second_size);
    free(s.first);
    free(s.column);
    return fine ? CRANK_OK
                : crank_fail(err, CRANK_EMEM, "inputs of %d constraints", eom->sizes.lambda);
}

void crank_channels_destroy(crank_channels *channels)
{
    free(channels->item);
    free(channels->u);
    free(channels->end);
    free(channels->x);
    free(channels->rows);
}

/* ---- values ---- */

crank_status crank_channels_at(crank_channels *channels, double t, crank_error *err)
{
    crank_eom *eom = channels->eom;
    if (channels->count == 0 || t == channels->t) {
        return CRANK_OK;
    }
    if (t == channels->end_t) {
        memcpy(channels->u, channels->end, (size_t)channels->count * sizeof *channels->u);
        channels->t = t;
        return CRANK_OK;
    }
    const bool idle = eom->acceleration_idle;
    eom->acceleration_idle = false;
    const crank_status status = eom->supplier.evaluate(eom->self, 1, &t, channels->x,
                                                       CRANK_ALGEBRAIC, channels->rows, err);
    eom->acceleration_idle = idle;
    if (status != CRANK_OK) {
        return status;
    }
    for (int i = 0; i < channels->count; i++) {
        const crank_channel *c = &channels->item[i];
        const double *k = channels->rows;
        double *u = channels->u[i];
        u[0] = channels->x[c->p] - k[eom->row[CRANK_ROW_G] + c->constraint] / c->factor;
        u[1] = channels->x[c->v] - k[eom->row[CRANK_ROW_GI] + c->constraint] / c->factor;
        u[2] = (c->a >= 0 ? channels->x[c->a] : 0.0) -
               k[eom->row[CRANK_ROW_GII] + c->constraint] / c->factor;
    }
    channels->t = t;
    return CRANK_OK;
}

void crank_channels_accept(crank_channels *channels)
{
    for (int i = 0; i < channels->count; i++) {
        const crank_channel *c = &channels->item[i];
        channels->x[c->p] = channels->u[i][0];
        channels->x[c->v] = channels->u[i][1];
        if (c->a >= 0) {
            channels->x[c->a] = channels->u[i][2];
        }
        memcpy(channels->end[i], channels->u[i], sizeof channels->u[i]);
    }
    channels->end_t = channels->t;
}

void crank_channels_restart(crank_channels *channels)
{
    channels->t = channels->end_t = (double)NAN;
}

void crank_channels_archive(crank_channels *channels, crank_archive *a)
{
    const size_t values = 3 * (size_t)channels->count;
    crank_archive_doubles(a, channels->x, (size_t)channels->eom->n);
    crank_archive_double(a, &channels->t);
    crank_archive_double(a, &channels->end_t);
    crank_archive_doubles(a, &channels->u[0][0], values);
    crank_archive_doubles(a, &channels->end[0][0], values);
}
