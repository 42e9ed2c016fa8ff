/* structure_drives.c - do constraints that depend on each other at the start stay dependent
 * where drives lead?
 *
 * The wheels of a car whose steering is parallel roll straight on, and a robot whose wrist is
 * stretched stands where its drives want it: what is redundant there contradicts as soon as
 * drives move. Derivatives at the start need not show it (drives begin smoothly, ranks change
 * with the square of the way), so positions are led there: over a time in which residuals of
 * standing positions become noticeable, in a few stages (structure_nearby.c). At a singular
 * start the first steps have no direction: then positions are disturbed once. Where they cannot follow the drives
 * are stuck, else the rank of V = [gI_v; h_v] there is that of the start, or larger. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/structure.h"

#include <math.h>
#include <string.h>

static const double noticed = 1e-9; /* residuals over their scale: not rounding */
static const double far = 0.1;      /* the same: a way that shows in ranks, to its square */
static const double disturbed = 0.02;

enum { STAGES = 4 };

/* A time until which drives move by `far` or less, but noticeably; t: they stand still. */
static double find_time(crank_nearby *w, double t, double t_end, const double *x)
{
    static const double part[] = {0.1, 0.37, 0.61, 1.0};
    const double first = crank_nearby_residual(w, t, x);
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        double ahead = part[i] * (t_end - t);
        double residual = crank_nearby_residual(w, t + ahead, x);
        while (residual > far && t + ahead > t) {
            ahead *= 0.5;
            residual = crank_nearby_residual(w, t + ahead, x);
        }
        if (residual > first + noticed) {
            return t + ahead;
        }
    }
    return t;
}

static void disturb(crank_nearby *w)
{
    unsigned seed = 2006;
    for (int j = w->eom->column[CRANK_S]; j < w->eom->n; j++) {
        seed = seed * 1664525u + 1013904223u;
        w->x[j] += disturbed * w->scale[j - w->eom->column[CRANK_S]] *
                   ((double)(seed >> 8) / (1 << 23) - 1.0);
    }
}

static bool follow(crank_nearby *w, double t, double until)
{
    bool first = true;
    for (int stage = 1; stage <= STAGES; stage++) {
        const double now = t + stage * (until - t) / STAGES;
        if (!crank_nearby_close(w, now)) {
            if (!first) {
                return false;
            }
            first = false;
            disturb(w);
            if (!crank_nearby_close(w, now)) {
                return false;
            }
        }
    }
    return true;
}

static crank_status look(crank_nearby *w, double t, double t_end, const double *x,
                         crank_drives *drives, double *when, crank_error *err)
{
    const double until = find_time(w, t, t_end, x);
    int before = 0, behind = 0;
    if (!(until > t)) {
        return CRANK_OK;
    }
    *when = until;
    memcpy(w->x, x, (size_t)w->eom->n * sizeof *x);
    if (!follow(w, t, until)) {
        *drives = CRANK_DRIVES_STUCK;
        return CRANK_OK;
    }
    crank_status status = crank_nearby_rank(w, t, x, &before, err);
    CRANK_THEN(status, crank_nearby_rank(w, until, w->x, &behind, err));
    *drives = behind > before ? CRANK_DRIVES_PART : CRANK_DRIVES_KEEP;
    return status > 0 ? CRANK_OK : status;
}

crank_status crank_eom_follow_drives(crank_eom *eom, double t, double t_end, const double *x,
                                     crank_drives *drives, double *when, crank_error *err)
{
    crank_nearby w;
    *drives = CRANK_DRIVES_STILL;
    *when = t;
    crank_status status = crank_nearby_create(&w, eom, err);
    CRANK_THEN(status, look(&w, t, t_end, x, drives, when, err));
    if (status == CRANK_OK && w.no_memory) {
        status = crank_fail(err, CRANK_EMEM, "drives of %d unknowns", eom->n);
    }
    crank_nearby_free(&w);
    return status;
}
