/* features_look.c - has a step seen the narrow parts of the equations that it passes?
 *
 * Of a step the arguments y of the parts f are known at both ends. Along the straight line
 * between them
 *
 *     y(s) = (1 - s) y_0 + s y_1,   d(s) = f(y(s)) - (1 - s) f(y_0) - s f(y_1)    theory (8.12)
 *     unseen:  |d(s)| > D + rtol F                                                theory (8.13)
 *
 * with D from the places at which the method has evaluated, or from the step before. Looked at
 * are corners, the middles between these and conditions that change (edges), knots of tables,
 * and where these do not tell all, equal parts: so many that a run has some thousand of them.
 * The step then has to end at the first place that is off by half as much as the worst one. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/features_inside.h"

#include <math.h>
#include <string.h>

/* equal parts of a run; knots of a table in a step, at most: of more, every second or third
 * one; repetitions of a table in a step, at most */
enum { RUN_PARTS = 1024, MOST_KNOTS = 8192, MOST_TURNS = 100 };
/* equal parts for each unit of the argument of exp, tanh, erf, atan: their bumps (derivatives,
 * differences) are 1.67 units wide at half their height or more */
static const double parts_of_unit = 2.0;
/* Places inside a step of a method that evaluates at its ends only. A bump narrower than half
 * of the step meets three of them at most, smooth functions are off at four. */
enum { PLACES = 5 };
/* at which methods with stages evaluate, at least: the ends and two inside */
enum { OWN_PLACES = 4 };
/* of the way: a knot so close to its beginning is left behind, sqrt(DBL_EPSILON) */
static const double at_knot = 1.5e-8;
/* of the worst place: so far the step may go */
static const double as_bad = 0.5;

static void load(const struct crank_feature_set *s, struct crank_feature_work *w, int point,
                 double at)
{
    double *in = w->in + (size_t)point * (size_t)s->input_count;
    for (int i = 0; i < s->input_count; i++) {
        in[i] = (1.0 - at) * w->chord->begin[i] + at * w->chord->end[i];
    }
}

static void evaluate(const struct crank_feature_set *s, struct crank_feature_work *w, int count)
{
    crank_tape_evaluate(s->values, count, w->in, s->input_count, w->out, s->value_count,
                        w->registers);
}

static void evaluate_ends(const struct crank_feature_set *s, struct crank_feature_work *w,
                          const crank_tape *tape, int outputs, double *out)
{
    load(s, w, 0, 0.0);
    load(s, w, 1, 1.0);
    crank_tape_evaluate(tape, 2, w->in, s->input_count, out, outputs, w->registers);
}

static double off_line(const crank_feature_course *c, double value, double at)
{
    return fabs(value - (1.0 - at) * c->first - at * c->last);
}

/* The second least of PLACES values. */
static double second_least(const double *off)
{
    double least = (double)INFINITY, second = (double)INFINITY;
    for (int k = 0; k < PLACES; k++) {
        second = fmin(second, fmax(least, off[k]));
        least = fmin(least, off[k]);
    }
    return second;
}

/* what is evaluated to begin with: the ends, places inside, where the step before began; and if
 * something seems unseen: the ends with arguments that are off by their errors */
enum { FIRST, LAST, INSIDE };
enum { FIRST_UP, FIRST_DOWN, LAST_UP, LAST_DOWN, DISTURBED };

/* The second largest: an end at a condition changes by one of them. */
static double second_of(double a, double b, double c, double d)
{
    return fmax(fmin(fmax(a, b), fmax(c, d)), fmax(fmin(a, b), fmin(c, d)));
}

static double value_at(const struct crank_feature_set *s, const struct crank_feature_work *w,
                       int point, int v)
{
    return w->out[(size_t)point * (size_t)s->value_count + (size_t)v];
}

/* What those places, or the second least of them, tell of all others, theory (8.14): a value
 * that jumps once, wherever that is, is off by no more. */
static double trust_of(const double *nodes)
{
    if (nodes == NULL) {
        return PLACES;
    }
    const double a = fmin(nodes[0], nodes[1]), b = fmax(nodes[0], nodes[1]);
    return fmax(fmax(1.0 / b, 1.0 / (1.0 - a)), fmax(b, 1.0 - a) / fmax(a, 1.0 - b));
}

/* Part v at its ends, and what to expect between them, from count places inside and, if before,
 * where the step before began. */
static void begin_course(const struct crank_feature_set *s, struct crank_feature_work *w, int v,
                         int count, const double *at, bool before)
{
    crank_feature_course *c = &w->course[v];
    double off[PLACES] = {0.0}, *size = &w->chord->size[v];
    *c = (crank_feature_course){.first = value_at(s, w, FIRST, v),
                                .last = value_at(s, w, LAST, v),
                                .ago = (double)INFINITY};
    *size = fmax(*size, fmax(fabs(c->first), fabs(c->last)));
    for (int k = 0; k < count; k++) {
        off[k] = off_line(c, value_at(s, w, INSIDE + k, v), at[k]);
    }
    c->expected = trust_of(w->chord->nodes) *
                  (w->chord->nodes != NULL ? fmax(off[0], off[1]) : second_least(off));
    if (before && s->single[v]) {
        c->ago = off_line(c, value_at(s, w, INSIDE + count, v), -w->chord->since);
    }
}

/* arguments that are off by their error, this way and that */
static void disturb(const struct crank_feature_set *s, struct crank_feature_work *w, int point,
                    double at, double sign)
{
    const crank_chord *chord = w->chord;
    double *in = w->in + (size_t)point * (size_t)s->input_count;
    load(s, w, point, at);
    for (int i = 0; i < s->input_count; i++) {
        in[i] += (i % 2 == 0 ? sign : -sign) * chord->error[i];
    }
}

/* what the errors of the arguments leave open */
static void find_open(const struct crank_feature_set *s, struct crank_feature_work *w)
{
    disturb(s, w, FIRST_UP, 0.0, 1.0);
    disturb(s, w, FIRST_DOWN, 0.0, -1.0);
    disturb(s, w, LAST_UP, 1.0, 1.0);
    disturb(s, w, LAST_DOWN, 1.0, -1.0);
    evaluate(s, w, DISTURBED);
    for (int v = 0; v < s->value_count; v++) {
        crank_feature_course *c = &w->course[v];
        c->open = second_of(fabs(value_at(s, w, FIRST_UP, v) - c->first),
                            fabs(value_at(s, w, FIRST_DOWN, v) - c->first),
                            fabs(value_at(s, w, LAST_UP, v) - c->last),
                            fabs(value_at(s, w, LAST_DOWN, v) - c->last));
    }
}

/* the ends, and what the method has seen besides */
static void begin(const struct crank_feature_set *s, struct crank_feature_work *w)
{
    const crank_chord *chord = w->chord;
    const bool stages = chord->nodes != NULL, before = !stages && chord->before != NULL;
    const int inside = stages ? 2 : PLACES;
    double at[PLACES] = {0.0};
    load(s, w, FIRST, 0.0);
    load(s, w, LAST, 1.0);
    for (int k = 0; k < inside; k++) {
        at[k] = stages ? chord->nodes[k] : (k + 1.0) / (PLACES + 1.0);
        load(s, w, INSIDE + k, at[k]);
    }
    if (before) {
        memcpy(w->in + (size_t)(INSIDE + inside) * (size_t)s->input_count, chord->before,
               (size_t)s->input_count * sizeof *w->in);
    }
    evaluate(s, w, INSIDE + inside + (before ? 1 : 0));
    for (int v = 0; v < s->value_count; v++) {
        begin_course(s, w, v, inside, at, before);
    }
}

/* Is it off by more than what was seen lets expect? After a flat stretch everything is new. */
static bool is_unseen(const struct crank_feature_work *w, int v)
{
    const crank_feature_course *c = &w->course[v];
    const double least = w->chord->tolerance * w->chord->size[v];
    return c->off > (c->ago <= least ? 0.0 : c->expected) + c->open + least;
}

/* the places collected so far */
static void flush(const struct crank_feature_set *s, struct crank_feature_work *w)
{
    evaluate(s, w, w->count);
    for (int k = 0; k < w->count; k++) {
        for (int v = 0; v < s->value_count; v++) {
            crank_feature_course *c = &w->course[v];
            const double value = w->out[(size_t)k * (size_t)s->value_count + (size_t)v];
            const double off = off_line(c, value, w->at[k]);
            if (!w->searching) {
                c->off = fmax(c->off, off);
                w->chord->size[v] = fmax(w->chord->size[v], fabs(value));
            } else if (off >= as_bad * c->off && is_unseen(w, v)) {
                w->first_bad = fmin(w->first_bad, w->at[k]);
            }
        }
    }
    w->count = 0;
}

static void add(const struct crank_feature_set *s, struct crank_feature_work *w, double at)
{
    if (at > 0.0 && at < 1.0) {
        load(s, w, w->count, at);
        w->at[w->count++] = at;
        if (w->count == CRANK_FEATURES_TOGETHER) {
            flush(s, w);
        }
    }
}

/* Where edge i is passed; 0: it is not. */
static double place_of_edge(const struct crank_feature_set *s,
                            const struct crank_feature_work *w, int i)
{
    const double first = w->place[i], last = w->place[s->place_count + i];
    const bool passed = (first < 0.0 && last > 0.0) || (first > 0.0 && last < 0.0);
    return passed ? first / (first - last) : 0.0;
}

/* places where edges are passed, in order, 0 and 1 around them; returns their number */
static int find_flips(const struct crank_feature_set *s, struct crank_feature_work *w)
{
    int count = 0;
    for (int i = 0; i < s->edge_count; i++) {
        const double at = place_of_edge(s, w, i);
        if (at > 0.0) {
            int j = ++count; /* sorted in */
            for (; j > 1 && w->flip[j - 1] > at; j--) {
                w->flip[j] = w->flip[j - 1];
            }
            w->flip[j] = at;
        }
    }
    w->flip[0] = 0.0;
    w->flip[1 + count] = 1.0;
    return count;
}

/* The knots of a table that its argument passes from a to b; returns their number. Every
 * stride-th one is looked at (0: none), of derivatives, which may jump there, the middle
 * between it and the one before. */
static double pass_knots(const struct crank_feature_set *s, struct crank_feature_work *w,
                         const crank_feature_knots *k, double a, double b, double stride)
{
    const double low = fmin(a, b), high = fmax(a, b);
    const bool repeats = k->period > 0.0;
    const double turns = repeats ? floor((low - k->x[0]) / k->period) : 0.0;
    const int rows = repeats ? k->rows - 1 : k->rows; /* the last one is the first */
    int from = 0, to = rows;
    const double shifted = low - turns * k->period;
    while (from < to) { /* the first one behind low */
        const int middle = from + (to - from) / 2;
        if (k->x[middle] <= shifted) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    double count = 0.0, turn = turns, before = low;
    for (int i = from;; i++) {
        if (i >= rows) {
            i = 0;
            turn += 1.0;
            if (!repeats) {
                break;
            }
        }
        const double x = k->x[i] + turn * k->period;
        if (!(x < high)) {
            break;
        }
        if (stride > 0.0 && fmod(count, stride) == 0.0) {
            add(s, w, ((k->order > 0 ? 0.5 * (before + x) : x) - a) / (b - a));
        }
        before = x;
        count += 1.0;
    }
    return count;
}

/* The first knot that the argument comes to on its way from a to b, over that way; 1: none
 * before b. What is closer to a than the root of rounding it has left behind. */
static double first_knot(const crank_feature_knots *k, double a, double b)
{
    const double from = a + at_knot * (b - a);
    const bool repeats = k->period > 0.0, rises = b > a;
    const double turns = repeats ? floor((from - k->x[0]) / k->period) : 0.0;
    const double shifted = from - turns * k->period;
    int low = 0, high = k->rows; /* the first one behind it */
    while (low < high) {
        const int middle = low + (high - low) / 2;
        low = k->x[middle] <= shifted ? middle + 1 : low;
        high = k->x[middle] <= shifted ? high : middle;
    }
    const int i = rises ? low : low - 1;
    if (i < 0 || i >= k->rows) {
        return 1.0;
    }
    const double part = (k->x[i] + turns * k->period - a) / (b - a);
    return part > 0.0 && part < 1.0 ? part : 1.0;
}

/* Knots that the argument of table i passes; 0 also if it turns round too often to look. */
static double count_knots(const struct crank_feature_set *s, struct crank_feature_work *w,
                          int i, double *a, double *b)
{
    const crank_feature_knots *k = &s->table[i];
    *a = w->place[s->edge_count + i];
    *b = w->place[s->place_count + s->edge_count + i];
    const bool known = isfinite(*a) && isfinite(*b) &&
                       (k->period == 0.0 || fabs(*b - *a) <= MOST_TURNS * k->period);
    return known ? pass_knots(s, w, k, *a, *b, 0.0) : 0.0;
}

/* Most units that the argument of a flat function changes by; linear if no edge is passed. */
static double find_units(const struct crank_feature_set *s, struct crank_feature_work *w)
{
    double units = 0.0;
    evaluate_ends(s, w, s->flat, s->flat_count, w->flat);
    for (int i = 0; i < s->flat_count; i++) {
        const double change = fabs(w->flat[s->flat_count + i] - w->flat[i]);
        units = change <= units ? units : change; /* also if it is no number */
    }
    return units;
}

/* Equal parts of the step; 1: no more than the places at which the method itself evaluates. */
static int parts_of(const struct crank_feature_set *s, struct crank_feature_work *w)
{
    double parts = ceil(w->chord->part * RUN_PARTS);
    if (s->flat == NULL && !s->sampled) {
        return 1;
    }
    if (parts > OWN_PLACES && !s->sampled && w->flips == 0) {
        parts = fmin(parts, ceil(parts_of_unit * find_units(s, w)));
    }
    return parts > OWN_PLACES ? (int)fmin(parts, RUN_PARTS) : 1;
}

/* Does the step pass a condition or a corner, more than one knot of a table, or a good part of
 * the run? */
static bool is_due(const struct crank_feature_set *s, struct crank_feature_work *w)
{
    double a, b;
    w->flips = 0;
    if (s->places != NULL) {
        evaluate_ends(s, w, s->places, s->place_count, w->place);
        w->flips = find_flips(s, w);
    }
    w->parts = parts_of(s, w);
    bool due = w->parts > 1 || w->flips > 0;
    for (int i = 0; i < s->table_count && !due; i++) {
        due = count_knots(s, w, i, &a, &b) > 1.0;
    }
    return due;
}

/* all places of the step that are looked at */
static void pass(const struct crank_feature_set *s, struct crank_feature_work *w)
{
    double a, b;
    for (int i = 0; i <= w->flips && w->flips > 0; i++) {
        add(s, w, 0.5 * (w->flip[i] + w->flip[i + 1]));
    }
    for (int i = 0; i < s->corner_count && w->flips > 0; i++) {
        add(s, w, place_of_edge(s, w, i));
    }
    for (int i = 0; i < s->table_count; i++) {
        const double count = count_knots(s, w, i, &a, &b);
        if (count > 1.0) {
            (void)pass_knots(s, w, &s->table[i], a, b, ceil(count / MOST_KNOTS));
        }
    }
    for (int i = 1; i < w->parts; i++) {
        add(s, w, (double)i / w->parts);
    }
    if (w->count > 0) {
        flush(s, w);
    }
}

static bool is_any_unseen(const struct crank_feature_set *s, const struct crank_feature_work *w)
{
    bool unseen = false;
    for (int v = 0; v < s->value_count; v++) {
        unseen = unseen || is_unseen(w, v);
    }
    return unseen;
}

double crank_features_knot(void *user, const double *begin, const double *end)
{
    crank_state *state = user;
    const struct crank_feature_set *s = state->model->features;
    struct crank_feature_work *w = state->features;
    const crank_chord chord = {.begin = begin, .end = end};
    double first = 1.0;
    w->chord = &chord;
    evaluate_ends(s, w, s->places, s->place_count, w->place);
    for (int i = 0; i < s->table_count; i++) {
        const double a = w->place[s->edge_count + i],
                     b = w->place[s->place_count + s->edge_count + i];
        if (isfinite(a) && isfinite(b) && a != b) {
            first = fmin(first, first_knot(&s->table[i], a, b));
        }
    }
    w->chord = NULL;
    return first;
}

double crank_features_look(void *user, const crank_chord *chord)
{
    crank_state *state = user;
    const struct crank_feature_set *s = state->model->features;
    struct crank_feature_work *w = state->features;
    w->chord = chord;
    w->searching = false;
    w->count = 0;
    w->first_bad = 2.0;
    if (!is_due(s, w)) {
        return 1.0;
    }
    begin(s, w);
    pass(s, w);
    if (chord->error != NULL && is_any_unseen(s, w)) {
        find_open(s, w);
    }
    if (is_any_unseen(s, w)) {
        w->searching = true;
        pass(s, w);
    }
    return fmin(w->first_bad, 1.0);
}
