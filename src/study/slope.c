/* slope.c - derivatives along a line, each by the steps that agree best.
 *
 *     D_k = (F(h_k) - F(-h_k))/(2 h_k),   h_k = h/8^k,      R_k = D_k + (D_k - D_(k-1))/63
 *
 * R_k has no error of order h^2. What is kept of each component has the least
 *     min(|D_k - D_(k-1)|, |R_k - R_(k-1)|) + 4 eps |terms|/h_k,
 * truncation as two steps see it, and rounding: a law that has a corner nearby (a tyre that lifts
 * off, a stop) decides itself how short its steps are, and one that is straight has long ones. A
 * corner at the point itself leaves differences to both sides that do not come nearer to each other
 * as steps get shorter. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/slope.h"

#include <crank/base.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 13 };
static const double shrink = 8.0, gain = 63.0; /* 8^2 - 1 */
static const double rounding = 4.0 * DBL_EPSILON;
static const double agreed = 1e-4;  /* of a derivative: what steps may leave open */
static const double settled = 1e-8; /* of a derivative: shorter steps are not asked for */
static const double noisy = 64.0;   /* times the rounding of terms: what sums make of it */
static const double apart = 1e-3;   /* of the larger: differences to both sides, at a corner */
static const double still = 0.25;   /* of that: what they may change from step to step there */

/* what is known of one component */
typedef struct slope_part {
    double D, R;        /* of the level before */
    double best, error; /* so far; error INFINITY: nothing */
    double noise;       /* where that was found */
    double side[2];     /* differences to both sides there */
    double last[2];     /* and of the level before */
    bool corner;        /* and these do not approach each other */
    bool done;
} slope_part;

/* Differences to both sides that stay what they are as steps get shorter, but for a quarter of what
 * they are apart. What rounding makes, of which sizes of terms may not tell all, grows by eight. */
static bool stays(const slope_part *c, const double side[2])
{
    const double gap = fabs(side[1] - side[0]);
    return fabs(side[0] - c->last[0]) <= still * gap &&
           fabs(side[1] - c->last[1]) <= still * gap;
}

static void see(slope_part *c, int before, double base, double plus, double minus, double size,
                double h)
{
    const double D = (plus - minus) / (2.0 * h);
    const double terms = fmax(size, fmax(fabs(plus), fabs(minus)));
    const double noise = rounding * terms / h;
    const double side[2] = {(base - minus) / h, (plus - base) / h};
    const double gap = fabs(side[1] - side[0]);
    double error = (double)INFINITY, R = D;
    if (before >= 1) {
        R = D + (D - c->D) / gain;
        error = fabs(D - c->D);
        error = (before >= 2 ? fmin(error, fabs(R - c->R)) : error) + noise;
    }
    if (error < c->error) {
        c->best = R;
        c->error = error;
        c->noise = noise;
        c->side[0] = side[0];
        c->side[1] = side[1];
        c->corner = gap > apart * fmax(fabs(side[0]), fabs(side[1])) && stays(c, side) &&
                    gap > noisy * noise;
    }
    const bool worse = error > 4.0 * c->error && c->error <= settled * fabs(c->best) + noise;
    c->done = before >= 1 && (shrink * noise >= c->error || worse);
    c->D = D;
    c->R = R;
    memcpy(c->last, side, sizeof c->last);
}

/* Both sides of one level; *there: they can be evaluated. room: 2 count. */
static crank_status evaluate(crank_slope *s, double h, double *room, bool *there,
                             crank_error *err)
{
    *there = true;
    crank_status status = CRANK_OK;
    for (int side = 0; side < 2 && *there && status != CRANK_EMEM; side++) {
        double *values = room + (size_t)side * (size_t)s->count;
        status = s->at(s->user, side == 0 ? h : -h, values, err);
        *there = status == CRANK_OK;
        for (int i = 0; i < s->count && *there; i++) {
            *there = isfinite(values[i]);
        }
    }
    return status;
}

/* Which components have none. */
static void judge(crank_slope *s, const slope_part *part)
{
    s->rough = -1;
    for (int i = 0; i < s->count && s->rough < 0; i++) {
        const slope_part *c = &part[i];
        const double most =
            agreed * fmax(fabs(c->best), fmax(fabs(c->side[0]), fabs(c->side[1])));
        const double least = s->least != NULL ? s->least[i] : 0.0;
        if ((c->corner && fabs(c->side[1] - c->side[0]) > least) ||
            c->error > most + noisy * c->noise + least) {
            s->rough = i;
            s->side[0] = c->side[0];
            s->side[1] = c->side[1];
        }
    }
}

static crank_status descend(crank_slope *s, const double *base, double *room, slope_part *part,
                            crank_error *err)
{
    crank_status status = CRANK_OK;
    int levels = 0; /* one after the other that are there */
    bool done = false, any = false;
    double h = s->h;
    for (int k = 0; k < LEVELS && !done && status != CRANK_EMEM; k++, h /= shrink) {
        bool there;
        status = evaluate(s, h, room, &there, err);
        if (!there) {
            levels = 0;
            continue;
        }
        done = true;
        any = any || levels > 0;
        for (int i = 0; i < s->count; i++) {
            see(&part[i], levels, base[i], room[i], room[s->count + i],
                s->size != NULL ? s->size[i] : 0.0, h);
            done = done && part[i].done;
        }
        levels++;
    }
    return any ? CRANK_OK
           : status != CRANK_OK
               ? status
               : crank_fail(err, CRANK_ENOTFINITE, "nothing near the point can be evaluated");
}

crank_status crank_slope_find(crank_slope *s, double *derivative, crank_error *err)
{
    const size_t count = (size_t)s->count;
    double *room = calloc(3 * count + 1, sizeof *room);
    slope_part *part = calloc(count + 1, sizeof *part);
    crank_status status = room != NULL && part != NULL
                              ? CRANK_OK
                              : crank_fail(err, CRANK_EMEM, "derivatives by differences");
    s->rough = -1;
    if (status == CRANK_OK) {
        for (size_t i = 0; i < count; i++) {
            part[i].error = (double)INFINITY;
        }
        status = s->at(s->user, 0.0, room, err);
    }
    if (status == CRANK_OK) {
        status = descend(s, room, room + count, part, err);
    }
    if (status == CRANK_OK) {
        for (size_t i = 0; i < count; i++) {
            derivative[i] = part[i].best;
        }
        judge(s, part);
    }
    free(room);
    free(part);
    return status;
}
