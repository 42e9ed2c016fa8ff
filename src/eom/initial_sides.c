/* initial_sides.c - of the ways in which loops close the one nearest to where the search began.
 *
 * A link that is held at a pin and by a rod to another point closes its loop on two sides,
 * which meet at a dead centre. Where the search begins far from closed, or beside a dead
 * centre, steps may end on the farther side. So from a solution each row F_i that was open at
 * the beginning is released: the others hold on a curve on which F_i leaves zero,
 *     F_k(x(s)) = 0, k != i,  x(0) = solution,  x' = (I - A^+ A) x'_before,  |x'| = 1
 *         theory (5.12)
 * A without row i, both ways from the solution, with steps in the tangent closed again by the
 * stage. Where F_i falls back to zero, beyond a dead centre, the loop is closed on another
 * side. Of all sides found so the nearest to the beginning stays, counted as steps count it,
 * and its own sides are looked at in turn. If conditions or drives say how far joints are and
 * another side is nearly as near, the body that the file would have to place is named, as
 * nothing that it gives tells them apart. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "base/tolerance.h"
#include "eom/initial.h"
#include "eom/structure.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* of the unknowns' moves: the longest step along a curve, 1/4 rad as those of a stage; the
 * shortest; as far as a side may be, a whole turn */
static const double longest_step = 0.25, shortest_step = 0.25 / 16, farthest = 6.3;

/* of the unknowns' moves, between a side and one that is known: far above the tolerance */
static const double same = 1e-6;

/* of the mechanism's length: what a body moves by that is seen in a picture */
static const double seen = 1e-3;

/* cosine of the angle between tangents that lead along one curve, within 2.5 degrees */
static const double parallel = 0.999;

/* A guess tells two sides apart if it is twice as near to one as to the other. */
static const double apart = 2.0;

/* On the way to a side the cost may be so many times what it may be there: sides that are
 * farther lead to none that counts. */
static const double excursion = 4.0;

/* Curves need not be followed to rounding, and Newton's steps that are many lead elsewhere. */
static const double followed = 1e-6;
enum { FEW_STEPS = 6, STEPS = 40 };

/* rows of all stages on the way: a second's work; rows to release; sides kept; bodies named */
enum { ROWS = 120000, SIDES = 16, KEPT = 16, LISTED = 4 };

typedef struct side {
    double *x; /* n */
    double cost;
    int row; /* that was released to come here, -1: the first */
    bool explored;
} side;

typedef struct side_search {
    side found[KEPT];
    int sides;
    const double *origin; /* n: the side that is explored */
    bool holds;           /* what is given is as given there, and stays so */
    double least;         /* cost of the nearest */
    double *from;         /* n: where a step begins */
    double *tangent;      /* n, in units of move, by column */
    double *earlier;      /* 2 SIDES x n: tangents at the origin */
    double *product;      /* equations */
    int candidate[SIDES]; /* rows to release */
    int count, given;     /* all; conditions and drives, which come first */
    int64_t rows_before;
} side_search;

/* The curve of a released row. */
typedef struct curve {
    int row;
    double sign;  /* of the row on it */
    double rate;  /* of the row along the tangent, at its beginning */
    double value; /* of the row; zero: the first step */
    double step;
    int steps; /* that are left */
    bool ends;
} curve;

/* Longest of the moves from a point to w->x. */
static double way(const crank_initial *w, const double *from)
{
    double longest = 0.0;
    for (int j = w->eom->column[CRANK_S]; j < w->eom->n; j++) {
        longest = fmax(longest, fabs(w->x[j] - from[j]) / crank_initial_plain_move(w, j));
    }
    return longest;
}

/* A without its released row times t, into product. */
static void multiply(const crank_initial *w, const double *t, double *product)
{
    memset(product, 0, (size_t)w->equations * sizeof *product);
    for (int l = 0; l < w->columns; l++) {
        for (int q = w->A.start[l]; q < w->A.start[l + 1]; q++) {
            product[w->A.row[q]] += w->A.values[q] * t[w->column[l]];
        }
    }
}

/* y of smallest norm with A y = -right, at the point looked at last. */
static crank_status solve_for(crank_initial *w, const double *right, crank_error *err)
{
    crank_min_solver solver = {0};
    crank_min_solver_create_sparse(&w->A, CRANK_STEP_TOLERANCE, &solver);
    const crank_status status = crank_min_solver_step(&solver, right, 0.0, w->y, err);
    crank_min_solver_destroy(&solver);
    return status;
}

/* The tangent, its longest move one in plain units; false: there is none. */
static bool normalise(const crank_initial *w, double *tangent)
{
    double longest = 0.0;
    for (int l = 0; l < w->columns; l++) {
        const int j = w->column[l];
        longest = fmax(longest, fabs(tangent[j]) * crank_initial_ease(w, j));
    }
    for (int l = 0; l < w->columns && longest > 0.0; l++) {
        tangent[w->column[l]] /= longest;
    }
    return longest > 0.0;
}

/* ---- along a curve ---- */

/* A step of the tangent from search->from, the released row left out: w->x; *ok: nearby. */
static crank_status step_along(crank_initial *w, const side_search *search, double step,
                               bool *ok, crank_error *err)
{
    crank_stage_end end = CRANK_STAGE_SLOW;
    crank_error ignored = {0};
    bool moved;
    memcpy(w->x, search->from, (size_t)w->eom->n * sizeof *w->x);
    for (int l = 0; l < w->columns; l++) {
        const int j = w->column[l];
        w->x[j] += step * w->move[j] * search->tangent[j];
    }
    memcpy(w->stuck, w->x, (size_t)w->eom->n * sizeof *w->x);
    const crank_status status = crank_initial_solve(w, 0, &moved, &end, &ignored);
    *ok = status == CRANK_OK && end == CRANK_STAGE_SOLVED && way(w, w->stuck) <= 0.5 * step;
    return status == CRANK_EMEM ? crank_fail(err, status, "%s", ignored.text) : CRANK_OK;
}

/* The tangent at w->x, the released row left out, nearest to the one before; *ok: there is one.
 */
static crank_status turn_tangent(crank_initial *w, side_search *search, bool *ok,
                                 crank_error *err)
{
    crank_status status = crank_initial_look(w, 0, err);
    if (status != CRANK_OK) {
        *ok = false;
        return status;
    }
    multiply(w, search->tangent, search->product);
    CRANK_THEN(status, solve_for(w, search->product, err));
    for (int l = 0; l < w->columns && status == CRANK_OK; l++) {
        search->tangent[w->column[l]] += w->y[l];
    }
    *ok = status == CRANK_OK && normalise(w, search->tangent);
    return status;
}

/* The tangent at search->origin along which F_i changes alone, by rate for a unit of it. */
static crank_status first_tangent(crank_initial *w, side_search *search, int i, double sign,
                                  double *rate, crank_error *err)
{
    crank_status status = crank_initial_look(w, 0, err);
    const int place = w->place[i];
    memset(search->product, 0, (size_t)w->equations * sizeof *search->product);
    search->product[place] = -sign;
    CRANK_THEN(status, solve_for(w, search->product, err));
    memset(search->tangent, 0, (size_t)w->eom->n * sizeof *search->tangent);
    for (int l = 0; l < w->columns && status == CRANK_OK; l++) {
        search->tangent[w->column[l]] = w->y[l];
    }
    *rate = 0.0;
    if (status == CRANK_OK && normalise(w, search->tangent)) {
        multiply(w, search->tangent, search->product);
        *rate = search->product[place] * w->norm[place];
    }
    return status;
}

/* Closes all rows, row i among them, from w->x, *ok: on another side than search->origin. */
static crank_status close_side(crank_initial *w, const side_search *search, bool *ok,
                               crank_error *err)
{
    crank_stage_end end = CRANK_STAGE_SLOW;
    crank_error ignored = {0};
    bool moved;
    crank_status status = crank_initial_look(w, 0, &ignored);
    const double far = way(w, search->origin);
    CRANK_THEN(status, crank_initial_solve(w, 0, &moved, &end, &ignored));
    *ok = status == CRANK_OK && end == CRANK_STAGE_SOLVED &&
          way(w, search->origin) > 0.5 * far && !crank_initial_is_far(w);
    CRANK_THEN(status, *ok ? crank_initial_nearest(w, 0, &ignored) : CRANK_OK);
    CRANK_THEN(status, *ok ? crank_initial_turn_back(w, &ignored) : CRANK_OK);
    *ok = *ok && status == CRANK_OK;
    return status == CRANK_EMEM ? crank_fail(err, status, "%s", ignored.text) : CRANK_OK;
}

static bool has_time(const crank_initial *w, const side_search *search)
{
    return (int64_t)w->iterations * w->rows - search->rows_before < ROWS;
}

/* Where the parabola through zero with this slope and this value behind a step is zero again,
 * in steps. */
static double return_of(double slope, double value)
{
    return value != slope ? slope / (slope - value) : (double)INFINITY;
}

/* After the first step: may F_i return to zero where a side would count? Where that is near, a
 * parabola tells; else the curve is followed. */
static bool may_return(const crank_initial *w, const side_search *search, const curve *c,
                       double now)
{
    const double reach = excursion * apart * search->least /
                         crank_initial_cost(w, search->origin); /* in steps */
    const double back = return_of(c->rate * c->step, now);
    return reach * c->step > 1.0 || (back > 0.0 && back < reach);
}

/* One step from search->from: *back: F_i has fallen through zero within it, w->x is there. Row
 * i is left out meanwhile. */
static crank_status go_on(crank_initial *w, side_search *search, curve *c, bool *back,
                          crank_error *err)
{
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    bool near = false, tangent = true;
    crank_status status = crank_initial_look(w, 0, err);
    CRANK_THEN(status, step_along(w, search, c->step, &near, err));
    if (status != CRANK_OK || !near) {
        memcpy(w->x, search->from, size);
        c->step *= 0.5;
        c->ends = c->step < shortest_step;
        return status;
    }
    const double now = w->residual[c->row];
    *back = c->sign * now <= 0.0;
    if (*back) { /* straight from the value before, or by the parabola that begins at zero */
        const double part =
            c->value != 0.0 ? c->value / (c->value - now) : return_of(c->rate * c->step, now);
        for (int j = 0; j < w->eom->n; j++) {
            w->x[j] = search->from[j] + part * (w->x[j] - search->from[j]);
        }
        return status;
    }
    c->ends = way(w, search->origin) > farthest || --c->steps == 0 ||
              (c->value == 0.0 && !may_return(w, search, c, now));
    c->value = now;
    memcpy(search->from, w->x, size);
    CRANK_THEN(status, turn_tangent(w, search, &tangent, err));
    c->ends = c->ends || !tangent;
    c->step = fmin(2.0 * c->step, longest_step);
    return status;
}

/* Has a tangent at the origin been followed already? If not it is kept. */
static bool is_known(const crank_initial *w, side_search *search, int *tangents)
{
    const size_t n = (size_t)w->eom->n;
    bool known = false;
    for (int k = 0; k < *tangents && !known; k++) {
        double product = 0.0, size[2] = {0.0, 0.0};
        for (int l = 0; l < w->columns; l++) {
            const int j = w->column[l];
            const double a =
                search->earlier[(size_t)k * n + (size_t)j] * crank_initial_ease(w, j);
            const double b = search->tangent[j] * crank_initial_ease(w, j);
            product += a * b;
            size[0] += a * a;
            size[1] += b * b;
        }
        known = product > parallel * sqrt(size[0] * size[1]);
    }
    if (!known && *tangents < 2 * SIDES) {
        memcpy(search->earlier + (size_t)(*tangents)++ * n, search->tangent,
               n * sizeof *search->tangent);
    }
    return known;
}

/* From search->origin with F_i growing (sign 1) or falling, *found: w->x is another side. */
static crank_status trace(crank_initial *w, side_search *search, int i, double sign,
                          int *tangents, bool *found, crank_error *err)
{
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    const crank_initial_options options = w->options;
    curve c = {.row = i, .sign = sign, .step = longest_step, .steps = STEPS};
    bool back = false;
    *found = false;
    memcpy(w->x, search->origin, size);
    w->alike = true; /* what turns sharply for free unknowns does not for all of them alike */
    w->hold_preferred = search->holds;
    crank_status status = first_tangent(w, search, i, sign, &c.rate, err);
    c.ends = status != CRANK_OK || !(sign * c.rate > 0.0) || is_known(w, search, tangents);
    memcpy(search->from, search->origin, size);
    w->level[i] = -1;
    w->options.tolerance = followed;
    w->options.max_iterations = FEW_STEPS;
    while (!c.ends && status == CRANK_OK && !back && has_time(w, search)) {
        status = go_on(w, search, &c, &back, err);
    }
    w->options = options;
    w->alike = w->hold_preferred = false;
    w->level[i] = 0;
    return status == CRANK_OK && back ? close_side(w, search, found, err) : status;
}

/* ---- all of them ---- */

/* The joint of an equation, or what stands for a condition. */
static int owner_of(const crank_initial *w, int i)
{
    const int constraint = i - w->eom->row[CRANK_ROW_G];
    const bool joint = constraint >= 0 && constraint < w->eom->sizes.lambda;
    return joint ? w->eom->parts->constraint_joint[constraint] : -2 - i;
}

/* Adds a row k of the stage, open by w->r, to those chosen: the widest first, one a joint. */
static void add_row(const crank_initial *w, side_search *search, int k)
{
    const int owner = owner_of(w, w->row[k]);
    int at = search->given;
    while (at < search->count && owner_of(w, search->candidate[at]) != owner) {
        at++;
    }
    if (at == search->count && at == SIDES) {
        at--; /* the least of them gives way, or this one does */
    } else if (at == search->count) {
        search->candidate[search->count++] = w->row[k];
    }
    const double open = fabs(w->r[k]);
    if (at < search->given || open < fabs(w->r[w->place[search->candidate[at]]])) {
        return;
    }
    for (; at > search->given && open > fabs(w->r[w->place[search->candidate[at - 1]]]); at--) {
        search->candidate[at] = search->candidate[at - 1];
    }
    search->candidate[at] = w->row[k];
}

/* Does the row say what a coordinate is: a condition, a drive? */
static bool prescribes(const crank_initial *w, int i)
{
    const int constraint = i - w->eom->row[CRANK_ROW_G];
    const bool joint = constraint >= 0 && constraint < w->eom->sizes.lambda;
    return i >= w->algebraic || (joint && crank_initial_is_drive(w->eom, constraint));
}

/* Rows to release: conditions and drives, then one of each joint that was open where the stage
 * began. */
static crank_status choose_rows(crank_initial *w, side_search *search, crank_error *err)
{
    memcpy(w->x, w->begin, (size_t)w->eom->n * sizeof *w->x);
    const crank_status status = crank_initial_look(w, 0, err);
    search->count = search->given = 0;
    for (int k = 0; k < w->rows && status == CRANK_OK && search->count < SIDES; k++) {
        if (prescribes(w, w->row[k])) {
            search->candidate[search->count++] = w->row[k];
        }
    }
    search->given = search->count;
    for (int k = 0; k < w->rows && status == CRANK_OK; k++) {
        const int i = w->row[k];
        if (!prescribes(w, i) && search->given < SIDES &&
            fabs(w->residual[i]) > w->scale[i] * crank_initial_tolerance(w, i)) {
            add_row(w, search, k);
        }
    }
    return status;
}

/* A side at w->x, unless it is known or farther than all; true: it was kept. */
static bool keep(const crank_initial *w, side_search *search, int row)
{
    const double cost = crank_initial_cost(w, w->begin);
    int last = search->sides;
    for (int i = 0; i < search->sides; i++) {
        if (way(w, search->found[i].x) < same) {
            return false;
        }
        last = search->sides == KEPT &&
                       (last == KEPT || search->found[i].cost > search->found[last].cost)
                   ? i
                   : last;
    }
    if (search->sides == KEPT && cost >= search->found[last].cost) {
        return false;
    }
    search->sides += last == search->sides ? 1 : 0;
    side *const s = &search->found[last];
    memcpy(s->x, w->x, (size_t)w->eom->n * sizeof *w->x);
    s->cost = cost;
    s->row = row;
    s->explored = false;
    search->least = fmin(search->least, cost);
    return true;
}

/* The nearest side (-1: none); unexplored: of those that are not. */
static int nearest(const side_search *search, bool unexplored)
{
    int best = -1;
    for (int i = 0; i < search->sides; i++) {
        if (!(unexplored && search->found[i].explored) &&
            (best < 0 || search->found[i].cost < search->found[best].cost)) {
            best = i;
        }
    }
    return best;
}

typedef struct difference {
    int body; /* that is turned most, and of those moved least: others are carried */
    double turn, move;
    double farthest; /* of all bodies */
} difference;

/* swinging: bodies that can go from one to the other by themselves */
static difference compare(const crank_initial *w, const bool *swinging, const side *a,
                          const side *b)
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

/* From where the stage began, without bodies that swing: these may be far from either. */
static double cost_of(const crank_initial *w, const bool *swinging, const side *s)
{
    const crank_eom *eom = w->eom;
    double sum = 0.0;
    for (int j = eom->column[CRANK_S]; j < eom->n; j++) {
        const int p = j - eom->column[CRANK_P];
        const int body = p >= 0 && p < eom->sizes.p ? eom->parts->position_body[p] : -1;
        if (body < 0 || !swinging[body]) {
            const double move = crank_initial_plain_move(w, j) * crank_initial_own_ease(w, j);
            sum += pow((s->x[j] - w->begin[j]) / move, 2);
        }
    }
    return sqrt(sum);
}

/* Is the side nearly as near as the one taken, and one that a picture shows? A body that turns
 * about an axis of its own is none, nor is a neighbour in a freedom, nor another place of a body
 * that swings. */
static bool is_alike(const crank_initial *w, const bool *swinging, const side *best,
                     const side *s, difference d)
{
    const double length = w->eom->parts->length;
    return s != best && cost_of(w, swinging, s) < apart * cost_of(w, swinging, best) &&
           d.farthest > seen * length && fmax(d.turn, d.farthest / length) > longest_step;
}

typedef struct body_list {
    char text[360];
} body_list;

/* '; so it is with body "b", body "c"' for the others that sides differ in, or empty. */
static void list_bodies(const crank_initial *w, const side_search *search, const bool *swinging,
                        const side *best, int named, body_list *out)
{
    int listed[KEPT], count = 0;
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

/* w->x: the side taken */
static void tell(const crank_initial *w, const side_search *search, int taken,
                 const bool *swinging)
{
    const crank_eom_parts *parts = w->eom->parts;
    const side *const best = &search->found[taken], *other = NULL;
    difference d = {.body = -1};
    char name[160], turned[40] = "", moved[40] = "";
    body_list more;
    for (int i = 0; i < search->sides; i++) {
        const side *const s = &search->found[i];
        const difference own = compare(w, swinging, best, s);
        if (is_alike(w, swinging, best, s, own) && (other == NULL || s->cost < other->cost)) {
            other = s;
            d = own;
        }
    }
    if (other == NULL) {
        return;
    }
    if (d.turn > seen) {
        (void)snprintf(turned, sizeof turned, "turned by %.0f deg", d.turn * 180.0 / pi);
    }
    if (d.move > seen * parts->length) {
        (void)snprintf(moved, sizeof moved, "%smoved by %.3g", d.turn > seen ? " and " : "",
                       d.move);
    }
    list_bodies(w, search, swinging, best, d.body, &more);
    const int row = other->row >= 0 ? other->row : best->row;
    crank_log_write(
        &w->log, CRANK_WARNING,
        "the start can be assembled in another way, too (by way of %s), in which %s is "
        "%s%s, and what the file says is about as near to both: give it an angle or "
        "a position, or a guess of one (`free: true`)%s",
        owner_of(w, row) >= 0 ? parts->joint_text[owner_of(w, row)]
                              : crank_initial_name(w, row, name, sizeof name),
        parts->body_text[d.body], turned, moved, more.text);
}

/* Joints whose release at the first side led to nothing that conditions had not led to are
 * released no more. */
static crank_status explore(crank_initial *w, side_search *search, side *s, crank_error *err)
{
    crank_status status = CRANK_OK;
    int tangents = 0, left = 0;
    s->explored = true;
    search->origin = s->x;
    search->holds = crank_initial_distance(w, s->x) < same;
    for (int k = 0; k < search->count && status == CRANK_OK; k++) {
        const int i = search->candidate[k];
        bool new = false;
        for (int way_out = 0; way_out < 2 && status == CRANK_OK; way_out++) {
            bool found = false;
            status = trace(w, search, i, way_out == 0 ? 1.0 : -1.0, &tangents, &found, err);
            new = (status == CRANK_OK && found && keep(w, search, i)) || new;
        }
        if (new || k < search->given || s->row >= 0) {
            search->candidate[left++] = i;
        }
    }
    search->count = left;
    return status;
}

static crank_status look_around(crank_initial *w, side_search *search, crank_error *err)
{
    (void)keep(w, search, -1);
    crank_status status = choose_rows(w, search, err);
    int next = search->count > 0 ? 0 : -1;
    while (next >= 0 && status == CRANK_OK && has_time(w, search) &&
           search->found[next].cost <= excursion * apart * search->least) {
        status = explore(w, search, &search->found[next], err);
        next = nearest(search, true);
    }
    const int best = nearest(search, false);
    memcpy(w->x, search->found[best].x, (size_t)w->eom->n * sizeof *w->x);
    CRANK_THEN(status, crank_initial_look(w, 0, err));
    if (status == CRANK_OK && search->given > 0 && search->sides > 1) {
        /* else nobody has asked for either */
        bool *swinging = malloc((size_t)w->eom->parts->body_count + 1);
        status = swinging != NULL ? crank_initial_find_swinging(w, swinging, err)
                                  : crank_fail(err, CRANK_EMEM, "sides of loops");
        if (status == CRANK_OK) {
            tell(w, search, best, swinging);
        }
        free(swinging);
    }
    return status;
}

crank_status crank_initial_sides(crank_initial *w, crank_error *err)
{
    const size_t n = (size_t)w->eom->n, rows = (size_t)w->equations;
    if (w->eom->parts == NULL || w->under_way || w->options.under_way ||
        !(w->options.max_change > 0.0)) {
        return CRANK_OK;
    }
    double *room = malloc(((KEPT + 2 * SIDES + 2) * n + rows) * sizeof *room);
    if (room == NULL) {
        return crank_fail(err, CRANK_EMEM, "sides of loops of %d unknowns", w->eom->n);
    }
    side_search search = {.from = room + KEPT * n,
                          .tangent = room + (KEPT + 1) * n,
                          .earlier = room + (KEPT + 2) * n,
                          .product = room + (KEPT + 2 * SIDES + 2) * n,
                          .least = (double)INFINITY,
                          .rows_before = (int64_t)w->iterations * w->rows};
    for (size_t i = 0; i < KEPT; i++) {
        search.found[i].x = room + i * n;
    }
    w->sparse = true;
    const crank_status status = look_around(w, &search, err);
    w->sparse = false;
    free(room);
    return status;
}
