/* initial_jump.c - start values that are far from what the constraints ask for: a placed body
 * that would have to move or to turn far, and what asks for it.
 *
 * Bodies share a gap of a joint as their weights say, whoever has made it. So the joint that is
 * open widest at the given values is named, a drive that prescribes something else there, and
 * first of all a body of which the file gives only a part of the place. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/initial.h"
#include "eom/structure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double turning =
    2.5; /* radians that count as much as moving by the size of a mechanism */
static const double noticed = 0.1;   /* of what is too far: by a body that is placed in part */
static const double alike = 0.5;     /* of the widest gap: joints that are counted with it */
static const double rounding = 1e-9; /* of the mechanism's length */
static const double right_angle = 1.5707963267948966;

/* It may go anywhere: it is a guess, or a condition says where it goes. */
static bool is_asked(const crank_initial *w, int column)
{
    bool asked = w->fixing[column] == CRANK_FREE;
    for (int i = 0; i < w->conditions; i++) {
        asked = asked || w->touches[i + column * w->conditions];
    }
    return asked;
}

typedef struct jump {
    int body, column; /* -1: none; its first position */
    double distance, angle;
    double excess; /* over what is too far */
} jump;

/* The body that moved or turned farthest beyond the limit; partly: farthest in what the file
 * does not say, although it says the rest, if that is noticed. */
static jump farthest(const crank_initial *w, bool partly)
{
    const crank_eom *eom = w->eom;
    const crank_eom_parts *parts = eom->parts;
    const double limit = w->options.max_change;
    const double longest = limit * crank_eom_extent(w->eom, w->start), widest = turning * limit;
    jump most = {.body = -1, .excess = partly ? noticed : 1.0};
    int first = 0;
    for (int i = 0; i < parts->body_count; i++) {
        const crank_assumed assumed = parts->body_assumed[i];
        bool place = !partly || assumed == CRANK_ASSUMED_POSITION;
        bool turn = !partly || assumed == CRANK_ASSUMED_ORIENTATION;
        jump own = {.body = i};
        while (first < eom->sizes.p && parts->position_body[first] != i) {
            first++;
        }
        own.column = eom->column[CRANK_P] + first;
        for (int l = first; l < eom->sizes.p && parts->position_body[l] == i; l++) {
            const bool free = is_asked(w, eom->column[CRANK_P] + l);
            const bool translation = parts->position_kind[l] == 't';
            place = place && !(free && translation);
            turn = turn && !(free && !translation);
        }
        crank_body_move_at(eom, first, w->start, w->x, &own.distance, &own.angle);
        own.excess =
            fmax(place ? own.distance / longest : 0.0, turn ? own.angle / widest : 0.0);
        if (own.excess > most.excess) {
            most = own;
        }
    }
    return most;
}

/* Of models without bodies: the position that changed most, -1: none too far. */
static int farthest_position(const crank_initial *w)
{
    const crank_eom *eom = w->eom;
    double size = 1.0, far = 0.0;
    int worst = -1;
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
    return far > w->options.max_change * size ? worst : -1;
}

bool crank_initial_is_far(const crank_initial *w)
{
    return w->options.max_change > 0.0 &&
           (w->eom->parts != NULL ? farthest(w, false).body : farthest_position(w)) >= 0;
}

/* ---- what asks for it ---- */

typedef struct cause {
    int joint, row; /* -1: none is open; of lambda */
    bool drive;     /* it is a drive that is off */
    char text[240];
} cause;

bool crank_initial_is_drive(const crank_eom *eom, int i)
{
    const char *row = eom->parts->constraint_row[i];
    return row != NULL && strncmp(row, "drive", strlen("drive")) == 0;
}

/* Joints that are open at the given values; residual (lambda): without drives, or these alone;
 * how many are as open as the widest. */
static int widest_of(const crank_initial *w, bool drives, double *residual, crank_gap *gap,
                     int *count)
{
    const crank_eom *eom = w->eom;
    const double lever = eom->parts->length;
    for (int i = 0; i < eom->sizes.lambda; i++) {
        residual[i] = crank_initial_is_drive(eom, i) == drives
                          ? w->residual[eom->row[CRANK_ROW_G] + i]
                          : 0.0;
    }
    crank_structure_gaps(eom, w->values, residual, gap);
    const int widest = crank_structure_widest(eom, gap);
    *count = 0;
    for (int i = 0; i < eom->parts->joint_count && widest >= 0; i++) {
        *count += hypot(gap[i].distance, lever * gap[i].angle) >=
                          alike * hypot(gap[widest].distance, lever * gap[widest].angle)
                      ? 1
                      : 0;
    }
    return widest;
}

/* at the given values, which w->residual and w->values are of */
static void describe(const crank_initial *w, cause *c, double *residual, crank_gap *gap)
{
    const crank_eom *eom = w->eom;
    const double lever = eom->parts->length;
    char size[80], more[40] = "";
    int count[2];
    const int driven = widest_of(w, true, residual, gap, &count[1]);
    const crank_gap off = driven >= 0 ? gap[driven] : (crank_gap){0};
    const int open = widest_of(w, false, residual, gap, &count[0]);
    const crank_gap wide = open >= 0 ? gap[open] : (crank_gap){0};
    c->drive =
        hypot(off.distance, lever * off.angle) > hypot(wide.distance, lever * wide.angle);
    const crank_gap there = c->drive ? off : wide;
    const bool counts = hypot(there.distance, lever * there.angle) > rounding * lever;
    c->joint = !counts ? -1 : c->drive ? driven : open;
    if (count[c->drive] > 1) {
        (void)snprintf(more, sizeof more, " (and %d more)", count[c->drive] - 1);
    }
    for (int i = 0; i < eom->sizes.lambda && c->joint >= 0; i++) {
        if (eom->parts->constraint_joint[i] == c->joint &&
            crank_initial_is_drive(eom, i) == c->drive) {
            c->row = i;
            break;
        }
    }
    if (c->joint >= 0) {
        (void)snprintf(
            c->text, sizeof c->text,
            c->drive ? "the drive of %.100s%s is off by %s there"
                     : "%.100s%s is open by %s there",
            eom->parts->joint_text[c->joint], more,
            crank_structure_gap_text(c->drive ? off : wide, lever, size, sizeof size));
    }
}

static crank_status find_cause(crank_initial *w, cause *c, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const size_t n = (size_t)eom->n * sizeof *w->x;
    double *residual = malloc(((size_t)eom->sizes.lambda + 1) * sizeof *residual);
    crank_gap *gap = malloc(((size_t)eom->parts->joint_count + 1) * sizeof *gap);
    crank_status status = CRANK_OK;
    *c = (cause){.joint = -1, .row = -1};
    if (residual == NULL || gap == NULL) {
        status = crank_fail(err, CRANK_EMEM, "gaps of %d joints", eom->parts->joint_count);
    }
    memcpy(w->trial, w->x, n);
    memcpy(w->x, w->start, n);
    CRANK_THEN(status, crank_initial_evaluate(w, w->x, err));
    CRANK_THEN(status, crank_initial_linearise(w, err));
    if (status == CRANK_OK) {
        describe(w, c, residual, gap);
    }
    memcpy(w->x, w->trial, n);
    free(residual);
    free(gap);
    return status;
}

/* ---- in words ---- */

/* length: of the mechanism; what is rounding of it is no move */
static const char *move_text(jump j, double length, char *text, size_t size)
{
    const double degrees = j.angle * 180.0 / 3.14159265358979323846;
    if (!(degrees >= 0.5)) {
        (void)snprintf(text, size, "would move by %.3g", j.distance);
    } else if (j.distance < rounding * length) {
        (void)snprintf(text, size, "would turn by %.3g rad (%.0f deg)", j.angle, degrees);
    } else {
        (void)snprintf(text, size, "would move by %.3g and turn by %.3g rad (%.0f deg)",
                       j.distance, j.angle, degrees);
    }
    return text;
}

static crank_status body_jump(crank_initial *w, crank_error *err)
{
    static const char far[] = "the start values are far from what the joints ask for: ";
    const crank_eom *eom = w->eom;
    const jump all = farthest(w, false), partly = farthest(w, true);
    const jump *j = partly.body >= 0 ? &partly : &all;
    char moves[100];
    cause c;
    if (all.body < 0) {
        return CRANK_OK;
    }
    const crank_status status = find_cause(w, &c, err);
    if (status != CRANK_OK) {
        return status;
    }
    const char *who = eom->parts->body_text[j->body];
    const char *open = c.joint >= 0 ? ", and " : "";
    move_text(*j, eom->parts->length, moves, sizeof moves);
    if (c.drive) {
        return crank_fail_place(
            err, CRANK_EINCONSISTENT, crank_eom_row_place(eom, eom->row[CRANK_ROW_G] + c.row),
            "%s%s%s%s %s; change what it prescribes at t = %g, or start there%s", far, c.text,
            open, who, moves, w->t,
            eom->parts->joint_links[c.joint]
                ? " (a joint's coordinate counts from where its frames coincide, not from end "
                  "to end)"
                : "");
    }
    const crank_place place = crank_eom_column_place(eom, j->column);
    if (partly.body >= 0) {
        const bool planar =
            eom->parts->position_kind[j->column - eom->column[CRANK_P] + 2] == 'a';
        const char *const part[2] = {"position", planar ? "angle" : "orientation"};
        const bool turned = eom->parts->body_assumed[j->body] == CRANK_ASSUMED_ORIENTATION;
        return crank_fail_place(
            err, CRANK_EINCONSISTENT, place,
            "%s%s%s%s, whose %s is not given and counts as 0, since its %s is given, %s; give "
            "it, or `free: [%s]`",
            far, c.text, open, who, part[turned], part[!turned], moves, part[turned]);
    }
    return crank_fail_place(
        err, CRANK_EINCONSISTENT, place,
        "%s%s%s%s %s, perhaps to another way of closing the loop; give a closer start, or "
        "declare its position or orientation free",
        far, c.text, open, who, moves);
}

crank_status crank_initial_jump(crank_initial *w, crank_error *err)
{
    const crank_eom *eom = w->eom;
    if (!crank_initial_is_far(w)) {
        return CRANK_OK;
    }
    if (eom->parts != NULL) {
        return body_jump(w, err);
    }
    const int worst = farthest_position(w);
    const char *name = crank_eom_column_name(eom, worst);
    return crank_fail_place(
        err, CRANK_EINCONSISTENT, crank_eom_column_place(eom, worst),
        "the start values are far from the constraints: %s would move from %.6g to %.6g, "
        "perhaps to another branch; give a closer start, or declare %s free",
        name, w->start[worst], w->x[worst], name);
}

void crank_initial_warn_turned(const crank_initial *w)
{
    const crank_eom *eom = w->eom;
    const crank_eom_parts *parts = eom->parts;
    jump most = {.body = -1, .angle = right_angle};
    int others = 0, first = 0;
    char more[40] = "";
    for (int i = 0; parts != NULL && i < parts->body_count; i++) {
        jump own = {.body = i};
        while (first < eom->sizes.p && parts->position_body[first] != i) {
            first++;
        }
        crank_body_move_at(eom, first, w->given, w->x, &own.distance, &own.angle);
        int last = first;
        while (last + 1 < eom->sizes.p && parts->position_body[last + 1] == i) {
            last++; /* orientations come last */
        }
        if (own.angle > right_angle && w->fixing[eom->column[CRANK_P] + last] != CRANK_FREE) {
            others++;
            most = own.angle > most.angle ? own : most;
        }
    }
    if (others > 1) {
        (void)snprintf(more, sizeof more, " (and %d more)", others - 1);
    }
    char moved[40] = "";
    if (most.body >= 0 && most.distance > rounding * parts->length) {
        (void)snprintf(moved, sizeof moved, " and moved by %.3g", most.distance);
    }
    if (most.body >= 0) {
        crank_log_write(
            &w->log, CRANK_WARNING,
            "%s%s starts turned by %.0f deg%s from where the file places it, so "
            "that the initial conditions hold: perhaps another way to meet them was "
            "meant; give a closer start",
            parts->body_text[most.body], more, most.angle * 90.0 / right_angle, moved);
    }
}
