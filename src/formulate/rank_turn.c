/* rank_turn.c - where signs of C (rank_turn_signs.c) change on the way through accepted points.
 * theory 2.8. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/rank_turn.h"

#include <math.h>
#include <string.h>

/* halvings of a step in which a change must show again and again; fewer, if its parts are as
 * short as `closest`; those by which a motion is known that loses its inertia, as far as they
 * can tell */
enum { HALVINGS = 12, FEWEST_HALVINGS = 6, LOOSE_HALVINGS = 30 };
/* way of a position, in its unit (angles: 1, lengths: the mechanism's), after which a look is
 * due: rows turn about as much as positions do, and two right angles between looks are one too
 * many */
static const double far = 0.5;
/* part of `closest`: a change within such a way needs no shorter step */
static const double located = 1e-3;

/* constraints, or what has inertia */
static bool is_watched(const crank_rank_turn *r)
{
    return r->rows > 0 || r->massless > 0;
}

bool crank_rank_turn_needs_jacobian(const crank_rank_turn *r)
{
    return r->rows > 0 || r->eom->sizes.s > 0;
}

/* ---- where it changes ---- */

static bool evaluate(crank_rank_turn *r, double t, const double *x)
{
    return !crank_rank_turn_needs_jacobian(r) ||
           crank_eom_evaluate_jacobian(r->eom, t, x, NULL, r->jacobian, NULL) == CRANK_OK;
}

static const double *point_of(const crank_rank_turn *r, int i)
{
    return r->x + (size_t)i * (size_t)r->eom->n;
}

/* point i of the way, with its Jacobian */
static crank_turn_point evaluated(const crank_rank_turn *r, int i, const double *jacobian)
{
    return (crank_turn_point){.t = r->t[i], .x = point_of(r, i), .jacobian = jacobian};
}

/* way of the positions between two points, in their units */
static double way_between(const crank_rank_turn *r, const double *x, const double *y)
{
    double way = 0.0;
    for (int j = r->eom->column[CRANK_P]; j < r->eom->n; j++) {
        way = fmax(way, fabs(x[j] - y[j]) / r->unit[j]);
    }
    return way;
}

/* Is any position further away than `far`? */
static bool is_far(const crank_rank_turn *r, const double *x, const double *y)
{
    const int n = r->eom->n;
    int j = r->eom->column[CRANK_P];
    while (j < n && !(fabs(x[j] - y[j]) > far * r->unit[j])) {
        j++;
    }
    return j < n;
}

/* rates of the positions at both ends of the step from point i on */
static bool find_slopes(crank_rank_turn *r, int i)
{
    crank_eom *eom = r->eom;
    bool fine = true;
    for (int k = 0; k < 2; k++) {
        fine =
            fine && eom->supplier.evaluate(eom->self, 1, &r->t[i + k], point_of(r, i + k),
                                           CRANK_DIFFERENTIAL, r->slope[k], NULL) == CRANK_OK;
    }
    return fine;
}

/* V at part u of the step from point i on, positions by Hermite's cubic, the others, or all, by
 * a line */
static bool evaluate_within(crank_rank_turn *r, int i, double u, bool cubic)
{
    const crank_eom *eom = r->eom;
    const double *a = point_of(r, i), *b = point_of(r, i + 1);
    const double *slope[2] = {r->slope[0] + eom->row[CRANK_ROW_KIN],
                              r->slope[1] + eom->row[CRANK_ROW_KIN]};
    const double h = r->t[i + 1] - r->t[i], t = r->t[i] + u * h, bend = u * (1.0 - u);
    for (int j = 0; j < eom->n; j++) {
        r->point[j] = a[j] + u * (b[j] - a[j]);
    }
    for (int j = 0; j < eom->sizes.p && cubic; j++) {
        const int p = eom->column[CRANK_P] + j;
        const double way = b[p] - a[p];
        r->point[p] +=
            bend * ((1.0 - u) * (h * slope[0][j] - way) - u * (h * slope[1][j] - way));
    }
    if (r->projection.project != NULL && u < 1.0) {
        r->projection.project(r->projection.self, t, r->point);
    }
    return evaluate(r, t, r->point);
}

/* A part of a step in which a change shows. */
typedef struct changing {
    int step; /* from this point of the way on */
    bool cubic;
    double low, high;
    int named;   /* what changes */
    bool damped; /* it is a motion that goes on */
} changing;

/* at part u of the step */
static bool changes_within(crank_rank_turn *r, changing *c, double u, int *side)
{
    const int i = c->step;
    const crank_turn_point here = {
        .t = r->t[i] + u * (r->t[i + 1] - r->t[i]), .x = r->point, .jacobian = r->jacobian};
    int at = CRANK_TURN_CONTACT;
    if (!crank_rank_turn_changes(r, &here, side, &at)) {
        return false;
    }
    c->named = at != CRANK_TURN_CONTACT ? at : c->named;
    c->damped = at <= CRANK_TURN_LOOSE &&
                (crank_rank_turn_needs_jacobian(r) ||
                 crank_eom_evaluate_jacobian(r->eom, here.t, here.x, NULL, r->jacobian, NULL) ==
                     CRANK_OK) &&
                crank_rank_turn_is_damped(r, &c->named);
    return true;
}

/* The half in which it shows; false: in none, or it cannot be evaluated. */
static bool halve(crank_rank_turn *r, changing *c)
{
    const double middle = 0.5 * (c->low + c->high);
    int side = 0;
    if (!evaluate_within(r, c->step, middle, c->cubic)) {
        return false;
    }
    if (changes_within(r, c, middle, &side)) {
        c->high = middle;
        return true;
    }
    c->low = middle;
    crank_rank_turn_look_from(r, side);
    return evaluate_within(r, c->step, c->high, c->cubic) &&
           changes_within(r, c, c->high, &side);
}

/* A change between points i and i + 1 of the way, in smaller and smaller parts of it? *t:
 * where. What cannot be evaluated there is none of ours, rows may have turned, and a motion that
 * loses its inertia where it is damped goes on. */
static bool is_confirmed(crank_rank_turn *r, int i, double *t, int *at)
{
    changing c = {.step = i, .cubic = find_slopes(r, i), .high = 1.0, .named = *at};
    const double least =
        r->unit != NULL ? r->closest / way_between(r, point_of(r, i), point_of(r, i + 1)) : 0.0;
    int halving = 0;
    while (halving < HALVINGS && (halving < FEWEST_HALVINGS || c.high - c.low > least)) {
        if (!halve(r, &c)) {
            return false;
        }
        halving++;
    }
    while (c.named <= CRANK_TURN_LOOSE && halving < LOOSE_HALVINGS && halve(r, &c)) {
        halving++;
    }
    *t = r->t[i] + 0.5 * (c.low + c.high) * (r->t[i + 1] - r->t[i]);
    *at = c.named;
    return !c.damped || r->any;
}

/* A change up to point q of the way? Looked for in halves of the way, down to a step. jacobian:
 * at q, or NULL. */
static bool find_change(crank_rank_turn *r, int q, const double *jacobian, double *t, int *at)
{
    int from = 0, to = q, side = 0;
    while (from < q) {
        const bool known = to == q && jacobian != NULL;
        if (!known && !evaluate(r, r->t[to], point_of(r, to))) {
            return r->known = false;
        }
        const crank_turn_point end = evaluated(r, to, known ? jacobian : r->jacobian);
        if (!crank_rank_turn_changes(r, &end, &side, at)) {
            crank_rank_turn_look_from(r, side);
            from = to;
            to = q;
        } else if (to > from + 1) {
            to = (from + to) / 2;
        } else if (is_confirmed(r, from, t, at)) {
            return true;
        } else { /* rows turn in this step */
            if (!evaluate(r, r->t[to], point_of(r, to))) {
                return r->known = false;
            }
            const crank_turn_point behind = evaluated(r, to, r->jacobian);
            (void)crank_rank_turn_changes(r, &behind, &side, at);
            crank_rank_turn_look_from(r, side);
            from = to;
            to = q;
        }
    }
    return false;
}

/* ---- looks ---- */

/* the way begins with its point q, at which V is known */
static void cut(crank_rank_turn *r, int q)
{
    const size_t n = (size_t)r->eom->n, left = (size_t)(r->points - q);
    memmove(r->t, r->t + q, left * sizeof *r->t);
    memmove(r->x, r->x + (size_t)q * n, left * n * sizeof *r->x);
    r->points -= q;
}

static void add_point(crank_rank_turn *r, double t, const double *x)
{
    const size_t n = (size_t)r->eom->n;
    r->t[r->points] = t;
    memcpy(r->x + (size_t)r->points * n, x, n * sizeof *x);
    r->points++;
}

/* steps were taken back */
static void drop_points(crank_rank_turn *r, double t)
{
    while (r->points > 0 && r->t[r->points - 1] >= t) {
        r->points--;
    }
}

/* V at the point to look from */
static bool is_known(crank_rank_turn *r)
{
    if (!r->known && evaluate(r, r->t[0], r->x)) {
        const crank_turn_point first = evaluated(r, 0, r->jacobian);
        crank_rank_turn_begin_at(r, &first);
        r->known = true;
    }
    return r->known;
}

crank_turn_found crank_rank_turn_accepted(crank_rank_turn *r, const crank_turn_point *point,
                                          bool last, double *t, int *at)
{
    int side = 0;
    if (!is_watched(r)) {
        return CRANK_TURN_NONE;
    }
    drop_points(r, point->t);
    r->known = r->known && r->points > 0;
    add_point(r, point->t, point->x);
    int q = r->points - 1;
    const bool due = last || r->points == CRANK_TURN_POINTS ||
                     (r->unit != NULL && is_far(r, r->x, point->x));
    const bool behind = !(point->prepared_t > r->t[0]); /* no later point is the prepared one */
    while (q > 0 && !due && r->t[q] != point->prepared_t) {
        q = behind ? 0 : q - 1;
    }
    if (q == 0) {
        return CRANK_TURN_NONE;
    }
    const bool prepared = r->t[q] == point->prepared_t;
    if (!is_known(r) || (!prepared && !evaluate(r, r->t[q], point_of(r, q)))) {
        r->points = due ? 0 : r->points; /* a step that cannot be evaluated says so itself */
        return CRANK_TURN_NONE;
    }
    crank_turn_point here = evaluated(r, q, prepared ? point->jacobian : r->jacobian);
    here.left_out = prepared ? point->left_out : NULL;
    const bool changed = crank_rank_turn_changes(r, &here, &side, at);
    const bool kept = prepared && r->projection.project == NULL; /* projections overwrite it */
    if (!changed) {
        crank_rank_turn_look_from(r, side);
    } else if (find_change(r, q, kept ? point->jacobian : NULL, t, at)) {
        return CRANK_TURN_PASSED;
    }
    cut(r, q);
    return changed ? CRANK_TURN_NONE : CRANK_TURN_LOOKED;
}

crank_turn_found crank_rank_turn_try(crank_rank_turn *r, const crank_turn_point *point,
                                     double *t, int *at)
{
    int side = 0;
    if (!is_watched(r) || r->points == 0 || !(point->t > r->t[r->points - 1]) || !is_known(r)) {
        return CRANK_TURN_NONE;
    }
    bool changed = crank_rank_turn_changes(r, point, &side, at);
    if (changed && r->points > 1) {
        const int q = r->points - 1;
        if (find_change(r, q, NULL, t, at)) {
            return CRANK_TURN_PASSED;
        }
        cut(r, q);
        changed = is_known(r) && crank_rank_turn_changes(r, point, &side, at);
    }
    if (changed && r->points == 1 && *at <= CRANK_TURN_LOOSE) {
        add_point(r, point->t, point->x);
        changed = is_confirmed(r, 0, t, at);
        r->points = 1;
        r->known = false;
    }
    if (changed && r->unit != NULL && r->points == 1 &&
        way_between(r, r->x, point->x) <= located * r->closest) {
        *t = point->t; /* shorter steps would lead across by rounding */
        return CRANK_TURN_PASSED;
    }
    return changed ? CRANK_TURN_TRIED : CRANK_TURN_LOOKED;
}

void crank_rank_turn_go_on(crank_rank_turn *r, const crank_turn_point *point)
{
    if (!is_watched(r)) {
        return;
    }
    if (r->massless > 0 && r->calm_t == point->t) {
        double *kept = r->calm[0];
        r->calm[0] = r->calm[1];
        r->calm[1] = kept;
        r->calm_known = true;
        r->calm_t = (double)NAN;
    }
    r->points = 0;
    r->known = point->prepared_t == point->t;
    if (r->known) {
        crank_rank_turn_begin_at(r, point);
    }
    add_point(r, point->t, point->x);
}

double crank_rank_turn_straight(const crank_rank_turn *r, const double *x)
{
    const crank_eom *eom = r->eom;
    const int first = eom->column[CRANK_W + 1] - eom->sizes.v;
    double most = 0.0;
    for (int j = 0; j < eom->sizes.v; j++) {
        const double unit = eom->parts->velocity_kind[j] == 't' ? eom->parts->length : 1.0;
        most = fmax(most, fabs(x[first + j]) / unit);
    }
    return sqrt(2.0 * r->closest / most);
}

bool crank_rank_turn_ahead(crank_rank_turn *r, double t, const double *x, double reach,
                           double *zero, int *at)
{
    crank_eom *eom = r->eom;
    const crank_turn_projection projection = r->projection;
    double *rows = r->slope[0];
    r->known = r->known && r->points == 1 && r->t[0] == t;
    r->points = 0;
    if (!is_watched(r) || !isfinite(reach) || !(reach > 0.0) ||
        eom->supplier.evaluate(eom->self, 1, &t, x, CRANK_DIFFERENTIAL, rows, NULL) !=
            CRANK_OK) {
        return false;
    }
    add_point(r, t, x);
    add_point(r, t + reach, x);
    for (int j = 0; j < eom->sizes.p; j++) {
        r->x[eom->n + eom->column[CRANK_P] + j] += reach * rows[eom->row[CRANK_ROW_KIN] + j];
    }
    r->projection.project = NULL; /* what that moves is small, and decompositions stay */
    r->any = true;
    const bool found = is_known(r) && find_change(r, 1, NULL, zero, at);
    r->any = false;
    r->projection = projection;
    r->points = 1;
    r->known = false;
    return found;
}

void crank_rank_turn_restart(crank_rank_turn *r)
{
    r->points = 0;
    r->known = r->calm_known = r->calm_held = false;
}

bool crank_rank_turn_measure(crank_rank_turn *r, double t, const double *x)
{
    int side, at;
    crank_rank_turn_restart(r);
    if (!is_watched(r) || !evaluate(r, t, x)) {
        return false;
    }
    const crank_turn_point here = {.t = t, .x = x, .jacobian = r->jacobian};
    crank_rank_turn_begin_at(r, &here);
    (void)crank_rank_turn_changes(r, &here, &side, &at);
    return true;
}

const char *crank_rank_turn_name(const crank_rank_turn *r, int at, char *text, size_t size)
{
    if (at >= 0 && at < r->rows) {
        return crank_eom_constraint_text(r->eom, at, text, size);
    }
    if (at <= CRANK_TURN_LOOSE) {
        return r->eom->parts->body_text[r->eom->parts->velocity_body[CRANK_TURN_LOOSE - at]];
    }
    return r->eom->sizes.s > 0 ? crank_eom_column_name(r->eom, r->eom->column[CRANK_S])
                               : "one of them";
}

void crank_rank_turn_archive(crank_rank_turn *r, crank_archive *a)
{
    if (!is_watched(r)) {
        return;
    }
    crank_archive_doubles(a, r->before, (size_t)r->entries);
    if (r->massless > 0 && r->eom->motions != NULL) {
        crank_archive_doubles(a, r->moved[0], (size_t)r->eom->motions->entries);
        crank_archive_doubles(a, r->calm[0], (size_t)r->eom->motions->entries);
        crank_archive_flag(a, &r->calm_known);
        crank_archive_flag(a, &r->calm_held);
    }
    crank_archive_doubles(a, r->most, (size_t)r->rows);
    crank_archive_flag(a, &r->known);
    crank_archive_int(a, &r->side, -1, 1);
    crank_archive_int(a, &r->points, 0, CRANK_TURN_POINTS);
    crank_archive_doubles(a, r->t, CRANK_TURN_POINTS);
    crank_archive_doubles(a, r->x, CRANK_TURN_POINTS * (size_t)r->eom->n);
}
