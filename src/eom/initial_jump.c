/* initial_jump.c - consistent initial values that lie too far from those that were given: perhaps
 * on another branch. Bodies are measured by the size of the mechanism and by a turn, other
 * positions by the largest of them. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/initial.h"
#include "eom/structure.h"

#include <math.h>

static const double turning =
    2.5; /* radians that count as much as moving by the size of a mechanism */

/* How far bodies lie apart at the start, and how large they are: what a distance is compared
 * with. */
static double mechanism_size(const crank_initial *w)
{
    const crank_eom *eom = w->eom;
    double size = eom->parts->length;
    double low[3] = {0.0, 0.0, 0.0}, high[3] = {0.0, 0.0, 0.0};
    int body = -1, component = 0, bodies = 0;
    for (int i = 0; i < eom->sizes.p; i++) {
        component = eom->parts->position_body[i] == body ? component + 1 : 0;
        bodies += eom->parts->position_body[i] == body ? 0 : 1;
        body = eom->parts->position_body[i];
        if (eom->parts->position_kind[i] == 't' && component < 3) {
            const double at = w->start[eom->column[CRANK_P] + i];
            low[component] = bodies > 1 ? fmin(low[component], at) : at;
            high[component] = bodies > 1 ? fmax(high[component], at) : at;
        }
    }
    for (int k = 0; k < 3; k++) {
        size = hypot(size, high[k] - low[k]);
    }
    return size;
}

/* It may go anywhere: it is a guess, or a condition says where it goes. */
static bool is_asked(const crank_initial *w, int column)
{
    bool asked = w->fixing[column] == CRANK_FREE;
    for (int i = 0; i < w->conditions; i++) {
        asked = asked || w->touches[i + column * w->conditions];
    }
    return asked;
}

/* A body that moved or turned too far, or CRANK_OK. */
static crank_status body_jump(const crank_initial *w, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const crank_eom_parts *parts = eom->parts;
    const double limit = w->options.max_change;
    const double longest = limit * mechanism_size(w), widest = turning * limit;
    double most = 1.0, far[2] = {0.0, 0.0};
    int worst = -1, column = 0, first = 0;
    for (int i = 0; i < parts->body_count; i++) {
        bool free_place = false, free_turn = false;
        double distance, angle;
        while (first < eom->sizes.p && parts->position_body[first] != i) {
            first++;
        }
        for (int l = first; l < eom->sizes.p && parts->position_body[l] == i; l++) {
            const bool free = is_asked(w, eom->column[CRANK_P] + l);
            free_place = free_place || (free && parts->position_kind[l] == 't');
            free_turn = free_turn || (free && parts->position_kind[l] != 't');
        }
        crank_body_move_at(eom, first, w->start, w->x, &distance, &angle);
        const double excess =
            fmax(free_place ? 0.0 : distance / longest, free_turn ? 0.0 : angle / widest);
        if (excess > most) {
            most = excess;
            worst = i;
            column = eom->column[CRANK_P] + first;
            far[0] = distance;
            far[1] = angle;
        }
    }
    if (worst < 0) {
        return CRANK_OK;
    }
    const crank_place place = crank_eom_column_place(eom, column);
    return crank_fail_place(
        err, CRANK_EINCONSISTENT, place,
        "the start values are far from what the joints ask for: %s would move by %.3g and turn "
        "by %.3g rad (%.0f deg), perhaps to another way of closing the loop; give a closer "
        "start, "
        "or declare its position or orientation free",
        parts->body_text[worst], far[0], far[1], far[1] * 180.0 / 3.14159265358979323846);
}

crank_status crank_initial_jump(const crank_initial *w, crank_error *err)
{
    const crank_eom *eom = w->eom;
    double size = 1.0, far = 0.0;
    int worst = -1;
    if (eom->parts != NULL && w->options.max_change > 0.0) {
        return body_jump(w, err);
    }
    for (int j = eom->column[CRANK_P]; j < eom->n; j++) {
        size = fmax(size, fabs(w->start[j]));
    }
    for (int j = eom->column[CRANK_P]; j < eom->n; j++) {
        const double change = fabs(w->x[j] - w->start[j]);
        if (!is_asked(w, j) && change > far) {
            far = change;
            worst = j;
        }
    }
    if (worst < 0 || w->options.max_change <= 0.0 || far <= w->options.max_change * size) {
        return CRANK_OK;
    }
    const crank_place place = crank_eom_column_place(eom, worst);
    return crank_fail_place(
        err, CRANK_EINCONSISTENT, place,
        "the start values are far from the constraints: %s would move from %.6g to %.6g, "
        "perhaps to another branch; give a closer start, or declare %s free",
        crank_eom_column_name(eom, worst), w->start[worst], w->x[worst],
        crank_eom_column_name(eom, worst));
}
