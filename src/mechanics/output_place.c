/* output_place.c - unknowns of a mechanism from a row of its results: the inverse of output.c.
 *
 * Columns are of the user's origin and in the axes of the world: with c the centre of mass in
 * body axes, x = x_o + R c,  omega = R^T w,  v = v_o + R (omega x c). Angles that are counted
 * over turns go on in those of the row. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/output.h"

#include "linalg/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double stands_so = 1e-6; /* as in joint/assembly.c: far above rounding */

/* columns of a body into its state; returns how many there are */
static int place_body(const crank_body *b, const double *column, crank_body_state *out)
{
    const int directions = crank_body_translations(b->kind);
    const int turns = b->kind == CRANK_BODY_SPATIAL ? 4 : b->kind == CRANK_BODY_PLANAR ? 1 : 0;
    double p[CRANK_BODY_MAX_P] = {0}, v[CRANK_BODY_MAX_V] = {0}, arm[3], slide[3], local[3];
    const double *rates = column + directions + turns;
    memcpy(p, column, (size_t)(directions + turns) * sizeof *p);
    memcpy(v, rates, (size_t)directions * sizeof *v);
    crank_body_state_set(out, b->kind, p, v, NULL);
    if (b->kind == CRANK_BODY_SPATIAL) {
        for (int i = 0; i < 3; i++) { /* R^T */
            out->omega[i] =
                out->R[i] * rates[3] + out->R[3 + i] * rates[4] + out->R[6 + i] * rates[5];
        }
    } else if (b->kind == CRANK_BODY_PLANAR) {
        out->omega[2] = rates[directions];
    }
    crank_cross3(local, out->omega, b->center);
    crank_mat3_times(arm, out->R, b->center);
    crank_mat3_times(slide, out->R, local);
    crank_add3(out->x, 1.0, arm);
    crank_add3(out->v, 1.0, slide);
    return 2 * directions + turns + (turns == 4 ? 3 : turns);
}

/* the first of the variables' columns: behind bodies, quantities, reactions and their marks */
static int first_variable(const crank_output_set *set, int bodies)
{
    const crank_reactions *r = &set->reaction;
    return bodies + set->named_count + r->count * r->components +
           (set->uniqueness != NULL ? crank_reactions_marks(r) : 0);
}

/* The turns of continued angles: where a quantity of the columns is one, its value. */
static crank_status begin_angles(const crank_output_set *set, crank_system *s, double t,
                                 const double *values, const double *x, crank_error *err)
{
    double *known = calloc((size_t)s->angle_count + 1, sizeof *known);
    if (known == NULL) {
        return crank_fail(err, CRANK_EMEM, "%d angles", s->angle_count);
    }
    for (int i = 0; i < s->angle_count; i++) {
        const int column = set->angle_column[i];
        known[i] = column >= 0 ? values[column] : (double)NAN;
    }
    crank_system_begin_angles(s, t, x, known);
    free(known);
    return CRANK_OK;
}

crank_status crank_output_place(const crank_output_set *set, crank_system *s, double t,
                                const double *values, double *x, crank_error *err)
{
    crank_body_state *state = calloc((size_t)s->body_count + 1, sizeof *state);
    int next = 0, worst = -1;
    if (state == NULL) {
        return crank_fail(err, CRANK_EMEM, "a row of %d bodies", s->body_count);
    }
    for (int i = 0; i < s->body_count; i++) {
        next += place_body(&s->body[i], values + next, &state[i]);
    }
    const double off = s->coordinates.kind->take(s, t, state, x, &worst);
    free(state);
    if (off > stands_so) { /* NaN: told by whoever finds it in x */
        return crank_fail(err, CRANK_EREFUSED,
                          "%s stands as the joints of the model do not let it (off by %.2g)",
                          s->eom->parts->body_text[worst], off);
    }
    const double *variable = values + first_variable(set, next);
    for (int i = 0; i < set->variable_count; i++) {
        x[set->variable[i]] = variable[i];
    }
    return begin_angles(set, s, t, values, x, err);
}
