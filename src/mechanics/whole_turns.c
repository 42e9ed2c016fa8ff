/* whole_turns.c - in which turns planar bodies start where loops leave that open and springs feel it.
 *
 * In the plane angles are unknowns, and a loop of hinges closes whatever whole turns are added to the
 * angle of a body in it. They begin where the walk along joints has put them, so that a hinge of the
 * loop may begin some turns from zero. Torsion springs with a rest angle would begin wound by these.
 * So of all ends of springs that are twisted by more than half a turn, of which the file does not say
 * how they stand, the one that leaves the least sum of squares of all twists,
 *     theta_i := theta_i -+ 2 pi round(y_k/(2 pi))     theory 5
 * is turned, as long as that becomes less and nothing else moves (gears tell turns). */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/whole_turns.h"

#include "mechanics/law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double turn = 6.283185307179586;
static const double rounding = 1e-9; /* rad, and of places: as far as searches close joints */

/* of the twists of springs that do not rest where they start; twist: coupling_count */
static double find_twists(crank_system *s, double t, const double *x, double *twist)
{
    double sum = 0.0;
    crank_system_point(s, t, x);
    crank_expressions_evaluate(s->twist, s, t, x, twist);
    for (int k = 0; k < s->coupling_count; k++) {
        twist[k] = s->coupling[k].rests ? 0.0 : twist[k];
        sum += twist[k] * twist[k];
    }
    return sum;
}

/* The unknown angle of a planar body of which the file does not say how it stands; -1: none. */
static int find_angle(const crank_eom *eom, const crank_fixing *fixing, int body)
{
    for (int i = 0; i < eom->sizes.p && body >= 0; i++) {
        const int j = eom->column[CRANK_P] + i;
        if (eom->parts->position_body[i] == body && eom->parts->position_kind[i] == 'a' &&
            fixing[j] == CRANK_FREE && !eom->parts->body_turned[body]) {
            return j;
        }
    }
    return -1;
}

/* The turn that leaves the least sum, of the ends of all springs: *column by *by; false: none leaves
 * less than before. twist: 2 coupling_count; trial: n */
static bool find_turn(crank_system *s, double t, const double *x, const crank_fixing *fixing,
                      double *twist, double *trial, int *column, double *by)
{
    double *work = twist + s->coupling_count;
    double least = find_twists(s, t, x, twist) * (1.0 - rounding);
    bool found = false;
    memcpy(trial, x, (size_t)s->eom->n * sizeof *x);
    for (int k = 0; k < s->coupling_count; k++) {
        const double turns = turn * round(twist[k] / turn);
        for (int end = 0; end < 2 && turns != 0.0; end++) {
            const int j = find_angle(s->eom, fixing, s->coupling[k].body[end]);
            if (j < 0) {
                continue;
            }
            trial[j] = x[j] + (end == 0 ? turns : -turns);
            const double sum = find_twists(s, t, trial, work);
            if (sum < least) {
                least = sum;
                *column = j;
                *by = trial[j] - x[j];
                found = true;
            }
            trial[j] = x[j];
        }
    }
    return found;
}

/* Has the search left positions as they were put? */
static bool has_stayed(const crank_eom *eom, const double *x, const double *put)
{
    bool stayed = true;
    for (int j = eom->column[CRANK_P]; j < eom->n; j++) {
        stayed = stayed && fabs(x[j] - put[j]) <= rounding * (1.0 + fabs(put[j]));
    }
    return stayed;
}

crank_status crank_system_turn_whole(crank_system *s, double t, double *x,
                                     const crank_initial_options *options, crank_error *err)
{
    const crank_eom *eom = s->eom;
    const size_t n = (size_t)eom->n, couplings = (size_t)s->coupling_count;
    if (couplings == 0 || options->fixing == NULL || s->stays) {
        return CRANK_OK;
    }
    double *trial = malloc((2 * n + 2 * couplings) * sizeof *trial + n * sizeof(crank_fixing));
    if (trial == NULL) {
        return crank_fail(err, CRANK_EMEM, "start values of %d unknowns", eom->n);
    }
    double *put = trial + n, *twist = put + n;
    crank_fixing *fixing = (crank_fixing *)(twist + 2 * couplings);
    int column;
    double by;
    crank_status status = CRANK_OK;
    memcpy(fixing, options->fixing, n * sizeof *fixing);
    while (status == CRANK_OK && find_turn(s, t, x, fixing, twist, trial, &column, &by)) {
        crank_error ignored = {0};
        trial[column] += by;
        memcpy(put, trial, n * sizeof *put);
        status =
            crank_eom_initialize(s->eom, t, trial, options, NULL, (crank_log){0}, &ignored);
        if (status == CRANK_OK && has_stayed(eom, trial, put)) {
            memcpy(x, trial, n * sizeof *x);
        } else { /* something tells its turns */
            fixing[column] = CRANK_FIXED;
        }
        status = status == CRANK_EMEM ? crank_fail(err, status, "%s", ignored.text) : CRANK_OK;
    }
    free(trial);
    return status;
}
