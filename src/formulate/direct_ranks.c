/* direct_ranks.c - has a direct formulation led across a position where the constraints lose
 * rank? rank_turn.h tells; and a position that steps come so close to that errors decide what
 * follows shows in a pivot of C, or of c_s, far below its largest value so far. theory 2.8. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/direct.h"
#include "formulate/singular.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* at: a constraint, or -1: the contact equations; ratio: of a pivot to its largest value, NAN:
 * passed; why: said of it */
static crank_status fail(const crank_direct *s, double t, int at, double ratio, const char *why,
                         crank_error *err)
{
    char name[200], small[120] = "";
    const crank_status loss = crank_rank_turn_loss(&s->ranks.turn, t, false, at, err);
    if (loss != CRANK_OK) {
        return loss;
    }
    const bool constraint = at >= 0 && at < s->ranks.turn.rows;
    const char *where =
        constraint && ratio < 1.0 &&
                crank_eom_singular_joints(s->eom, s->jacobian, name, sizeof name)
            ? name
            : crank_rank_turn_name(&s->ranks.turn, at, name, sizeof name);
    if (ratio < 1.0) {
        (void)snprintf(small, sizeof small, " (pivot %.1e of its largest value%s)", ratio, why);
    }
    return crank_fail(
        err, CRANK_ESINGULAR,
        "a singular position was %s at t = %.6g: the rank of the constraints drops at %s%s; %s "
        "does not tell which motion goes on behind it, psf-radau may find it (singular=pass)",
        ratio < 1.0 ? "reached" : "passed", t, where, small, s->form->name);
}

/* The smallest pivot relative to its largest value so far, and whose it is. */
static double find_ratio(crank_direct_ranks *r, int *at)
{
    const double *size = r->turn.size;
    double ratio = 1.0;
    for (int k = 0; k <= r->turn.rows; k++) {
        r->most[k] = isfinite(size[k]) ? fmax(r->most[k], size[k]) : r->most[k];
        if (size[k] < ratio * r->most[k]) {
            ratio = size[k] / r->most[k];
            *at = k;
        }
    }
    return ratio;
}

crank_status crank_direct_ranks_look(crank_direct *s, double t, const double *x, bool last,
                                     crank_error *err)
{
    const crank_turn_point point = {t, x, s->prepared_t, s->jacobian, NULL};
    double at_t = t;
    int at = -1;
    const crank_turn_found found =
        crank_rank_turn_accepted(&s->ranks.turn, &point, last, &at_t, &at);
    if (found == CRANK_TURN_PASSED) {
        return fail(s, at_t, at, (double)NAN, "", err);
    }
    const double ratio = found == CRANK_TURN_LOOKED ? find_ratio(&s->ranks, &at) : 1.0;
    return ratio <= s->options.singular_threshold
               ? fail(s, s->ranks.turn.t[0], at, ratio, "", err)
               : CRANK_OK;
}

crank_status crank_direct_ranks_blame(crank_problem *base, double t, const double *x,
                                      crank_error *err)
{
    crank_direct *s = (crank_direct *)base;
    const double blamed = CRANK_SINGULAR_BLAMED * s->options.singular_threshold;
    int at = -1;
    if (!crank_rank_turn_measure(&s->ranks.turn, t, x)) {
        return CRANK_OK;
    }
    const double ratio = find_ratio(&s->ranks, &at);
    return ratio <= blamed ? fail(s, t, at, ratio, ", and no step succeeds", err) : CRANK_OK;
}

void crank_direct_ranks_restart(crank_direct *s)
{
    crank_rank_turn_restart(&s->ranks.turn);
    if (s->ranks.turn.rows > 0) {
        memset(s->ranks.most, 0, ((size_t)s->ranks.turn.rows + 1) * sizeof *s->ranks.most);
    }
}

void crank_direct_ranks_archive(crank_direct *s, crank_archive *a)
{
    crank_rank_turn_archive(&s->ranks.turn, a);
    if (s->ranks.turn.rows > 0) {
        crank_archive_doubles(a, s->ranks.most, (size_t)s->ranks.turn.rows + 1);
    }
}

crank_status crank_direct_ranks_create(crank_direct *s, crank_error *err)
{
    const int rows = s->eom->sizes.lambda + s->eom->sizes.mu;
    if (!(s->options.singular_threshold > 0.0) || (rows == 0 && s->eom->motions == NULL)) {
        return CRANK_OK;
    }
    s->ranks.most = calloc((size_t)rows + 1, sizeof *s->ranks.most);
    return s->ranks.most == NULL
               ? crank_fail(err, CRANK_EMEM, "gradients of %d constraints", rows)
               : crank_rank_turn_create(&s->ranks.turn, s->eom, s->jacobian, &s->mass, rows,
                                        NULL, err);
}

void crank_direct_ranks_destroy(crank_direct *s)
{
    crank_rank_turn_destroy(&s->ranks.turn);
    free(s->ranks.most);
}
