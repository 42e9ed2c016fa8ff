/* initial_undecided.c - loops that close in two ways, of which the file tells neither.
 *
 * If conditions or drives say how far joints are and another side (initial_sides.c) is nearly
 * as near as the one that was taken, nothing that the file gives tells them apart: the body that
 * it would have to place is named. Not one that stands there turned by itself, all others where they
 * are: a tie rod, half a turn about its own length, unless its inertia or a force tells the two apart. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/initial_sides.h"
#include "eom/structure.h"
#include "linalg/rotation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* of the mechanism's length, or rad: what a body moves or turns by that is seen in a picture */
static const double seen = 1e-3;

/* the same: what another side differs by at least, not a neighbour in a freedom */
static const double other_side = 0.25;

enum { LISTED = 4 }; /* bodies named */

typedef struct difference {
    int body; /* that is turned most, and of those moved least: others are carried */
    double turn, move;
    double farthest; /* of all bodies */
} difference;

/* swinging: bodies that can go from one to the other by themselves */
static difference compare(const crank_initial *w, const bool *swinging, const crank_side *a,
                          const crank_side *b)
{
    const crank_eom_parts *parts = w->eom->parts;
    difference d = {.body = -1};
    for (int i = 0; i < parts->body_count; i++) {
        double move, turn;
        if (swinging[i]) {
            continue;
        }
        crank_eom_body_move(w->eom, i, a->x, b->x, &move, &turn);
        turn = fabs(remainder(turn, 2.0 * pi));
        d.farthest = fmax(d.farthest, move);
        const bool alike = fabs(turn - d.turn) <= seen, turns = turn > seen;
        if (d.body < 0 || (alike ? (turns ? move < d.move : move > d.move) : turn > d.turn)) {
            d.body = i;
            d.turn = turn;
            d.move = move;
        }
    }
    return d;
}

/* Of s from where the stage began, over what it differs in from another side: what both have
 * moved alike tells nothing of either. Without bodies that swing: these may be far from both. */
static double cost_of(const crank_initial *w, const bool *swinging, const crank_side *s,
                      const crank_side *other)
{
    const crank_eom *eom = w->eom;
    double sum = 0.0;
    for (int j = eom->column[CRANK_S]; j < eom->n; j++) {
        const int p = j - eom->column[CRANK_P];
        const int body = p >= 0 && p < eom->sizes.p ? eom->parts->position_body[p] : -1;
        const double plain = crank_initial_plain_move(w, j);
        const bool differs = fabs(s->x[j] - other->x[j]) > seen * plain;
        if (differs && (body < 0 || !swinging[body])) {
            const double move = plain * crank_initial_own_ease(w, j);
            sum += pow((s->x[j] - w->begin[j]) / move, 2);
        }
    }
    return sqrt(sum);
}

/* Is the side nearly as near as the one taken, and one that a picture shows? A body that turns
 * about an axis of its own is none, nor is a neighbour in a freedom, nor another place of a body
 * that swings. */
static bool is_alike(const crank_initial *w, const bool *swinging, const crank_side *best,
                     const crank_side *s, difference d)
{
    const double length = w->eom->parts->length;
    return s != best &&
           cost_of(w, swinging, s, best) < CRANK_SIDES_APART * cost_of(w, swinging, best, s) &&
           d.farthest > seen * length && fmax(d.turn, d.farthest / length) > other_side;
}

typedef struct body_list {
    char text[360];
} body_list;

/* '; so it is with body "b", body "c"' for the others that sides differ in, or empty. */
static void list_bodies(const crank_initial *w, const crank_side_search *search,
                        const bool *swinging, const crank_side *best, int named, body_list *out)
{
    int listed[CRANK_SIDES_KEPT], count = 0;
    out->text[0] = '\0';
    for (int i = 0; i < search->sides; i++) {
        const difference d = compare(w, swinging, best, &search->found[i]);
        bool fresh = is_alike(w, swinging, best, &search->found[i], d) && d.body != named;
        for (int k = 0; k < count; k++) {
            fresh = fresh && listed[k] != d.body;
        }
        const size_t used = strlen(out->text);
        if (fresh && count < LISTED) {
            (void)snprintf(out->text + used, sizeof out->text - used, "%s%.60s",
                           count == 0 ? "; so it is with " : ", ",
                           w->eom->parts->body_text[d.body]);
        } else if (fresh && count == LISTED) {
            (void)snprintf(out->text + used, sizeof out->text - used, ", ...");
        }
        listed[count] = fresh ? d.body : -1;
        count += fresh ? 1 : 0;
    }
}

/* Of the sides that are as near as the best one: the nearest; NULL: there is none. */
static const crank_side *find_other(const crank_initial *w, const crank_side_search *search,
                                    const crank_side *best, const bool *swinging, difference *d)
{
    const crank_side *other = NULL;
    for (int i = 0; i < search->sides; i++) {
        const crank_side *const s = &search->found[i];
        const difference own = compare(w, swinging, best, s);
        if (is_alike(w, swinging, best, s, own) && (other == NULL || s->cost < other->cost)) {
            other = s;
            *d = own;
        }
    }
    return other;
}

/* Does the body weigh and resist alike turned as at x and as at best? Its orientations are
 * quaternions. */
static bool is_symmetric(const crank_initial *w, int body, const double *best, const double *x)
{
    const crank_eom *eom = w->eom;
    const crank_eom_parts *parts = eom->parts;
    double R[2][9], Q[9], T[9], QI[9], turned[9], most = 0.0;
    int first = -1, count = 0;
    for (int i = 0; i < eom->sizes.p; i++) {
        const bool its = parts->position_body[i] == body && parts->position_kind[i] == 'q';
        first = its && count == 0 ? eom->column[CRANK_P] + i : first;
        count += its ? 1 : 0;
    }
    if (count != 4 || parts->body_inertia == NULL) {
        return false;
    }
    const double *J = parts->body_inertia + 9 * (size_t)body;
    crank_quaternion_matrix(R[0], best + first);
    crank_quaternion_matrix(R[1], x + first);
    for (int i = 0; i < 9; i++) {
        T[i] = R[0][i % 3 * 3 + i / 3];
        most = fmax(most, fabs(J[i]));
    }
    crank_mat3_multiply(Q, T, R[1]);
    for (int i = 0; i < 9; i++) {
        T[i] = Q[i % 3 * 3 + i / 3];
    }
    crank_mat3_multiply(QI, Q, J);
    crank_mat3_multiply(turned, QI, T);
    bool alike = true;
    for (int i = 0; i < 9; i++) {
        alike = alike && fabs(turned[i] - J[i]) <= seen * most;
    }
    return alike;
}

/* Rows of forces at x, into rows (algebraic); constraints have none there yet. */
static crank_status find_forces(crank_initial *w, const double *x, double *rows,
                                crank_error *err)
{
    const crank_status status = crank_initial_evaluate(w, x, err);
    for (int i = 0; i < w->algebraic && status == CRANK_OK; i++) {
        rows[i] = w->level[i] == 2 ? w->residual[i] : 0.0;
    }
    return status;
}

/* Can the body, turned as at the other side, stand among the others as they are at best, with its
 * centre where it is there, and do forces and inertia not tell the two apart? A tie rod between a
 * universal and a spherical joint, half a turn about its length. work: twice the algebraic
 * rows, fixings behind them. */
static crank_status turns_alone(crank_initial *w, const double *best, const double *other,
                                int body, double *work, bool *alone, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const size_t n = (size_t)eom->n, rows = (size_t)w->algebraic;
    double *forces = work, *now = work + rows, move, turn;
    crank_fixing *fixing = (crank_fixing *)(work + 2 * rows);
    crank_stage_end end = CRANK_STAGE_SLOW;
    crank_error ignored = {0};
    bool moved;
    *alone = false;
    memcpy(fixing, w->fixing, n * sizeof *fixing);
    memcpy(w->x, best, n * sizeof *best);
    crank_status status = find_forces(w, best, forces, err);
    for (int j = 0; j < eom->n; j++) {
        const int i = j - eom->column[CRANK_P];
        const bool its = i >= 0 && i < eom->sizes.p && eom->parts->position_body[i] == body;
        w->x[j] = its ? other[j] : best[j];
        w->fixing[j] = its ? w->fixing[j] : CRANK_FIXED;
    }
    CRANK_THEN(status, crank_initial_solve(w, 0, &moved, &end, &ignored));
    if (status == CRANK_OK && end == CRANK_STAGE_SOLVED) {
        crank_eom_body_move(eom, body, best, w->x, &move, &turn);
        status = find_forces(w, w->x, now, err);
        *alone = status == CRANK_OK && move <= seen * eom->parts->length &&
                 fabs(remainder(turn, 2.0 * pi)) > other_side &&
                 is_symmetric(w, body, best, w->x);
        for (size_t i = 0; i < rows && *alone; i++) {
            *alone = fabs(now[i] - forces[i]) <= seen * w->scale[i];
        }
    }
    memcpy(w->fixing, fixing, n * sizeof *fixing);
    memcpy(w->x, best, n * sizeof *best);
    return status == CRANK_EMEM ? status : CRANK_OK;
}

/* other: as near as best, which it differs from by d; swinging: bodies */
static void tell(const crank_initial *w, const crank_side_search *search,
                 const crank_side *best, const crank_side *other, difference d,
                 const bool *swinging)
{
    const crank_eom_parts *parts = w->eom->parts;
    char name[160], turned[40] = "", moved[40] = "";
    const char *advice = "give it an angle or a position, or a guess of one (`free: true`)";
    body_list more;
    if (d.turn > seen) {
        (void)snprintf(turned, sizeof turned, "turned by %.0f deg", d.turn * 180.0 / pi);
    }
    if (d.move > seen * parts->length) {
        (void)snprintf(moved, sizeof moved, "%smoved by %.3g", d.turn > seen ? " and " : "",
                       d.move);
    }
    if (parts->body_stands[d.body] || parts->body_turned[d.body]) {
        advice = "give it a closer angle or position";
    }
    list_bodies(w, search, swinging, best, d.body, &more);
    const int row = other->row >= 0 ? other->row : best->row;
    crank_log_write(
        &w->log, CRANK_WARNING,
        "the start can be assembled in another way, too (by way of %s), in which %s is "
        "%s%s, and what the file says is about as near to both: %s%s",
        crank_initial_owner(w, row) >= 0 ? parts->joint_text[crank_initial_owner(w, row)]
                                         : crank_initial_name(w, row, name, sizeof name),
        parts->body_text[d.body], turned, moved, advice, more.text);
}

crank_status crank_initial_warn_undecided(crank_initial *w, const crank_side_search *search,
                                          int taken, crank_error *err)
{
    const size_t n = (size_t)w->eom->n, bodies = (size_t)w->eom->parts->body_count;
    const crank_side *const best = &search->found[taken];
    const crank_side *other = NULL;
    double *work =
        malloc(2 * (size_t)w->algebraic * sizeof *work + n * sizeof(crank_fixing) + bodies + 1);
    if (work == NULL) {
        return crank_fail(err, CRANK_EMEM, "sides of loops");
    }
    bool *swinging = (bool *)((crank_fixing *)(work + 2 * (size_t)w->algebraic) + n);
    difference d = {.body = -1};
    bool again = true;
    crank_status status = crank_initial_find_swinging(w, swinging, err);
    for (size_t i = 0; i <= bodies && again && status == CRANK_OK; i++) {
        again = false;
        other = find_other(w, search, best, swinging, &d);
        if (other != NULL && d.turn > other_side) {
            status = turns_alone(w, best->x, other->x, d.body, work, &again, err);
            swinging[d.body] = swinging[d.body] || again;
        }
    }
    CRANK_THEN(status, crank_initial_look(w, 0, err));
    if (status == CRANK_OK && other != NULL && !again) {
        tell(w, search, best, other, d, swinging);
    }
    free(work);
    return status;
}
