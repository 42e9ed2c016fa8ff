/* events_time.c - event functions of t alone, theory 8.1: steps do not follow them, since no
 * unknown does, and evaluating them costs no row. They are looked at at 64 times of each step,
 * as conditions in t are (theory 8.7), and where three values of one sign suggest by their
 * parabola that a function comes close to zero between them. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/events.h"

#include <math.h>
#include <string.h>

enum { LOOKS = 64 };
/* parabolas that stay above this part of the values they go through are no reason to look */
static const double dip_depth = 0.3;

/* values at three times, as rows of points that have not been added yet */
typedef struct window {
    double *a, *b, *c; /* NULL: not yet */
} window;

static int sign_of(const crank_event_state *e, int i, const double *values)
{
    return values != NULL && e->of_time[i] ? crank_event_sign(values[i]) : 0;
}

/* where function i comes close to zero, from the time of b in distances of the times */
static bool dips(const crank_event_state *e, int i, const window *w, double *offset)
{
    const int sign = sign_of(e, i, w->a);
    if (sign == 0 || sign_of(e, i, w->b) != sign || sign_of(e, i, w->c) != sign) {
        return false;
    }
    const double a = sign * w->a[i], b = sign * w->b[i], c = sign * w->c[i],
                 curvature = a - 2.0 * b + c;
    *offset = 0.5 * (a - c) / curvature;
    return curvature > 0.0 && fabs(*offset) < 1.0 &&
           b - 0.125 * (a - c) * (a - c) / curvature < dip_depth * fmin(a, fmin(b, c));
}

/* Does function i have the other sign in a dip? */
static bool crosses(crank_integrator *it, crank_event_state *e, int i, const window *w,
                    double t, crank_error *err)
{
    return crank_events_evaluate_states(e, t, it->x, e->end, err) == CRANK_OK &&
           crank_event_sign(e->end[i]) == -sign_of(e, i, w->b);
}

crank_status crank_events_look_ahead(crank_integrator *it, crank_event_state *e, double *turn,
                                     crank_error *err)
{
    const double part = (it->t - it->t_old) / LOOKS;
    window w = {0};
    *turn = (double)NAN;
    for (int k = 0; k <= LOOKS && e->any_of_time && isnan(*turn); k++) {
        double *now = crank_event_values(e, 1 + k % 3);
        const double t = it->t_old + part * k;
        const crank_status status = crank_events_evaluate_states(e, t, it->x, now, err);
        if (status != CRANK_OK) {
            return status < CRANK_OK ? status : CRANK_OK;
        }
        w = (window){w.b, w.c, now};
        for (int i = 0; i < e->events.count && isnan(*turn); i++) {
            double offset = 0.0;
            const bool first = k == 1 && e->leaving[i]; /* it has no side at the beginning */
            if (k < LOOKS && !first && sign_of(e, i, w.b) * sign_of(e, i, w.c) < 0) {
                *turn = t;
            } else if (dips(e, i, &w, &offset) &&
                       crosses(it, e, i, &w, t + (offset - 1.0) * part, err)) {
                *turn = t + (offset - 1.0) * part;
            }
        }
    }
    return CRANK_OK;
}
