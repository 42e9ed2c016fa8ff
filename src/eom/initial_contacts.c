/* initial_contacts.c - contacts close last, at the places of their curves that the file says.
 *
 * The file says where on their curves bodies touch, for the machine as it stands when it is
 * assembled: a cam behind a chain has another angle then, and a tappet of which nothing is given
 * stands elsewhere. A search for bodies and points of contact at once would have both move at
 * random, and end where the backs of the curves touch. So with rows G of joints, and K of
 * contacts, all that have parameters s of curves,
 *     G(p) = 0                                 alone, s and contacts left out,
 *     |G|^2 + w^2 |K(s, p)|^2 -> min           over guesses among p, s as the file says
 *         theory (5.15)
 * and from there everything, where points of contact move in short steps. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/initial.h"

#include <string.h>

/* Marks equations on positions in which parameters of curves stand; false: there are none. */
static bool find_contacts(crank_initial *w)
{
    const crank_eom *eom = w->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    bool any = false;
    memset(w->touching, 0, (size_t)w->equations * sizeof *w->touching);
    for (int j = eom->column[CRANK_S]; j < eom->column[CRANK_P]; j++) {
        for (int q = J->start[j]; q < J->start[j + 1]; q++) {
            const int i = J->row[q];
            if (i < w->algebraic && w->level[i] == 0) {
                w->touching[i] = any = true;
            }
        }
    }
    return any;
}

/* Levels of contacts change places: from 0 to -1, left out, and back. */
static void set_levels(crank_initial *w, int level)
{
    for (int i = 0; i < w->algebraic; i++) {
        w->level[i] = w->touching[i] ? level : w->level[i];
    }
}

/* Bodies that are guesses to where they touch as nearly as they can, s as it is. */
static crank_status approach(crank_initial *w, crank_error *err)
{
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    crank_error ignored = {0};
    memcpy(w->stuck, w->x, size);
    w->hold_contacts = w->hold_preferred = true;
    crank_status status = crank_initial_look(w, 0, &ignored);
    if (status == CRANK_OK && w->columns > 0) {
        status =
            crank_initial_open(w, (crank_released){.joint = -1, .contacts = true}, &ignored);
    }
    w->hold_contacts = w->hold_preferred = w->trust = false;
    if (status != CRANK_OK) {
        memcpy(w->x, w->stuck, size);
    }
    return status == CRANK_EMEM ? crank_fail(err, status, "%s", ignored.text) : CRANK_OK;
}

crank_status crank_initial_touch(crank_initial *w, bool *moved, crank_error *err)
{
    crank_error ignored = {0};
    crank_stage_end end = CRANK_STAGE_SLOW;
    int worst;
    *moved = false;
    if (w->eom->parts == NULL || w->under_way || w->options.under_way || !find_contacts(w)) {
        return CRANK_OK;
    }
    crank_status status = crank_initial_look(w, 0, &ignored);
    if (status != CRANK_OK || crank_initial_excess(w, 0, &worst) <= 1.0) {
        return status == CRANK_EMEM ? crank_fail(err, status, "%s", ignored.text) : CRANK_OK;
    }
    set_levels(w, -1);
    status = crank_initial_solve(w, 0, moved, &end, &ignored);
    set_levels(w, 0);
    *moved = status == CRANK_OK && end == CRANK_STAGE_SOLVED;
    if (*moved) {
        return approach(w, err);
    }
    memcpy(w->x, w->begin, (size_t)w->eom->n * sizeof *w->x);
    return status == CRANK_EMEM ? crank_fail(err, status, "%s", ignored.text) : CRANK_OK;
}
