/* initial_prescribed.c - initial conditions on what joints and drives determine already.
 *
 * At states that hold without the condition c its derivatives are a combination of those of
 * the other rows, c_x = y^T A: nothing that they leave free changes c, A z = e_c has no
 * solution. If it has one without the rows of a drive, that drive determines c. At a single
 * state this holds also where c is at its largest, so that one beside it is looked at. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/initial.h"
#include "eom/structure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED = 3 }; /* drives named */

enum { BESIDE = 1 }; /* disturbance, theory (5.4): by 0.04 */

/* of A z - e_c, whose rows have norm one: far above rounding, and above it for levers that are
 * a million times as long as others */
static const double unsolved = 1e-6;

typedef struct prescribed_search {
    int equation;    /* c */
    int level;       /* 0, 1 */
    double *right;   /* equations */
    double *product; /* equations */
} prescribed_search;

/* Can c change, at w->x, while the other rows of its level hold? */
static crank_status can_change(crank_initial *w, const prescribed_search *s, bool *can,
                               crank_error *err)
{
    const size_t rows = (size_t)w->equations;
    crank_status status = crank_initial_look(w, s->level, err);
    const int place = w->place[s->equation];
    memset(s->right, 0, rows * sizeof *s->right);
    s->right[place] = -1.0;
    CRANK_THEN(status, crank_initial_direction(w, s->right, err));
    if (status != CRANK_OK) {
        return status;
    }
    memset(s->product, 0, rows * sizeof *s->product);
    for (int l = 0; l < w->columns; l++) {
        for (int q = w->A.start[l]; q < w->A.start[l + 1]; q++) {
            s->product[w->A.row[q]] += w->A.values[q] * w->y[l];
        }
    }
    double off = 0.0;
    for (int k = 0; k < w->rows; k++) {
        off = fmax(off, fabs(s->product[k] + s->right[k]));
    }
    *can = off <= unsolved;
    return status;
}

/* Rows of a level that are those of a drive. */
static bool is_of_drive(const crank_initial *w, int level, int equation, int joint)
{
    const crank_eom *eom = w->eom;
    const int i = equation - eom->row[level == 0 ? CRANK_ROW_G : CRANK_ROW_GI];
    return i >= 0 && i < eom->sizes.lambda && eom->parts->constraint_joint[i] == joint &&
           crank_initial_is_drive(eom, i);
}

/* Moves the rows of a drive out of a level, or back; false: it has none. */
static bool move_drive(crank_initial *w, int level, int joint, bool out)
{
    bool any = false;
    for (int i = 0; i < w->algebraic; i++) {
        if (is_of_drive(w, level, i, joint)) {
            any = true;
            w->level[i] = out ? -1 : level;
        }
    }
    return any;
}

/* 'the drives of joint "a" and joint "b"', each of which determines c; empty: there is none. */
static crank_status list_drives(crank_initial *w, const prescribed_search *s, char *text,
                                size_t size, crank_error *err)
{
    const crank_eom_parts *parts = w->eom->parts;
    crank_status status = CRANK_OK;
    int count = 0;
    text[0] = '\0';
    for (int i = 0; i < parts->joint_count && count < LISTED && status == CRANK_OK; i++) {
        bool can = false;
        if (!move_drive(w, s->level, i, true)) {
            continue;
        }
        status = can_change(w, s, &can, err);
        (void)move_drive(w, s->level, i, false);
        if (status == CRANK_OK && can) {
            const size_t used = strlen(text);
            (void)snprintf(text + used, size - used, "%s%s%.60s", count == 0 ? "" : ", ",
                           parts->joint_links[i] ? "the drive of " : "", parts->joint_text[i]);
            count++;
        }
    }
    return status;
}

/* Do two columns belong to one body? By their names, up to the last dot: "body.boom". */
static int object_length(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL ? (int)(dot - name) : (int)strlen(name);
}

static bool is_of_object(const crank_initial *w, int column, const char *object, int length)
{
    const char *name = crank_eom_column_name(w->eom, column);
    return object_length(name) == length && strncmp(name, object, (size_t)length) == 0;
}

/* Fixed columns from..to of an object become free, or fixed again. */
static void fix_object(crank_initial *w, const bool *was, int from, int to, const char *object,
                       int length, bool free)
{
    for (int j = from; j < to; j++) {
        if (was[j - from] && is_of_object(w, j, object, length)) {
            w->fixing[j] = free ? CRANK_FREE : CRANK_FIXED;
        }
    }
}

/* 'the fixed start values of body.boom', each of which determines c with the joints; where only
 * several do, all of them; empty: nothing is fixed. */
static crank_status list_fixed(crank_initial *w, const prescribed_search *s, char *text,
                               size_t size, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const int from = eom->column[s->level == 0 ? CRANK_P : CRANK_V],
              to = from + (s->level == 0 ? eom->sizes.p : eom->sizes.v);
    bool *was = calloc((size_t)(to - from) + 1, sizeof *was);
    crank_status status = was != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "conditions");
    int count = 0;
    bool any = false;
    text[0] = '\0';
    for (int j = from; j < to && was != NULL; j++) {
        was[j - from] = w->fixing[j] == CRANK_FIXED;
    }
    for (int j = from; j < to && count < LISTED && status == CRANK_OK; j++) {
        const char *object = crank_eom_column_name(eom, j);
        const int length = object_length(object);
        bool can = false, first = was[j - from];
        for (int i = from; i < j && first; i++) {
            first = !(was[i - from] && is_of_object(w, i, object, length));
        }
        if (!first) {
            continue;
        }
        any = true;
        fix_object(w, was, from, to, object, length, true);
        status = can_change(w, s, &can, err);
        fix_object(w, was, from, to, object, length, false);
        if (status == CRANK_OK && can) {
            const size_t used = strlen(text);
            (void)snprintf(text + used, size - used, "%s%.*s",
                           count == 0 ? "the fixed start values of " : ", ",
                           length < 60 ? length : 60, object);
            count++;
        }
    }
    if (any && count == 0) {
        (void)snprintf(text, size, "the fixed start values and the joints");
    }
    free(was);
    return status;
}

/* c at a state w->x that holds without it: *closed, by how much c is off. */
static crank_status close_without(crank_initial *w, const prescribed_search *s, bool *closed,
                                  double *off, crank_error *err)
{
    crank_stage_end end = CRANK_STAGE_SLOW;
    crank_error ignored = {0};
    bool moved;
    w->level[s->equation] = -1;
    crank_status status = crank_initial_solve(w, s->level, &moved, &end, &ignored);
    w->level[s->equation] = s->level;
    *closed = status == CRANK_OK && end == CRANK_STAGE_SOLVED;
    *off = *closed ? fabs(w->residual[s->equation]) : 0.0;
    return status == CRANK_EMEM ? crank_fail(err, status, "%s", ignored.text) : CRANK_OK;
}

/* Is c determined at a state beside w->x, which holds without it, too? */
static crank_status look_beside(crank_initial *w, const prescribed_search *s, bool *can,
                                crank_error *err)
{
    bool closed = false;
    double off;
    crank_status status = crank_initial_look(w, s->level, err);
    if (status == CRANK_OK) {
        crank_initial_disturb(w, BESIDE);
        status = close_without(w, s, &closed, &off, err);
    }
    *can = true;
    return status == CRANK_OK && closed ? can_change(w, s, can, err) : status;
}

/* Of its level; else other conditions may be to blame. */
static bool is_only(const crank_initial *w, const prescribed_search *s)
{
    bool only = true;
    for (int i = w->algebraic; i < w->equations; i++) {
        only = only && (i == s->equation || w->level[i] != s->level);
    }
    return only;
}

static crank_status look_at(crank_initial *w, const prescribed_search *s, crank_error *err)
{
    bool closed = false, can = true;
    double off = 0.0;
    char drives[300] = "", fixed[300] = "", name[160];
    crank_status status = close_without(w, s, &closed, &off, err);
    CRANK_THEN(status, closed ? can_change(w, s, &can, err) : CRANK_OK);
    CRANK_THEN(status, can ? CRANK_OK : look_beside(w, s, &can, err));
    CRANK_THEN(status, can ? CRANK_OK : list_drives(w, s, drives, sizeof drives, err));
    const bool driven = drives[0] != '\0';
    if (status != CRANK_OK || can || (!driven && !is_only(w, s))) {
        return status;
    }
    status = driven ? CRANK_OK : list_fixed(w, s, fixed, sizeof fixed, err);
    if (status != CRANK_OK) {
        return status;
    }
    const bool held = fixed[0] != '\0';
    return crank_fail_place(
        err, CRANK_EINIT_CONTRADICTION, crank_initial_place(w, s->equation),
        "%s contradicts %s, which determine%s it already: it is off by %.4g where all joints "
        "are closed; leave it out, or %s",
        crank_initial_name(w, s->equation, name, sizeof name),
        driven ? drives
        : held ? fixed
               : "the joints",
        driven ? "s" : "", off,
        driven ? "change what is driven at the start"
        : held ? "do not fix what it shall change"
               : "change what they hold");
}

crank_status crank_initial_prescribed(crank_initial *w, int level, crank_error *err)
{
    const size_t n = (size_t)w->eom->n, rows = (size_t)w->equations;
    if (w->eom->parts == NULL || (level != 0 && level != 1)) {
        return CRANK_OK;
    }
    double *room = malloc((2 * rows + n + 1) * sizeof *room);
    if (room == NULL) {
        return crank_fail(err, CRANK_EMEM, "conditions of %d unknowns", w->eom->n);
    }
    crank_status status = CRANK_OK;
    memcpy(room, w->x, n * sizeof *room);
    for (int i = w->algebraic; i < w->equations && status == CRANK_OK; i++) {
        if (w->level[i] == level) {
            const prescribed_search s = {i, level, room + n, room + n + rows};
            status = look_at(w, &s, err);
            memcpy(w->x, room, n * sizeof *room);
        }
    }
    CRANK_THEN(status, crank_initial_look(w, level, err));
    free(room);
    return status;
}
