/* features.c - see features.h.
 *
 * An error estimate knows the equations where they were evaluated. On a quiet way steps grow,
 * and a bump that lies between the places of evaluation is passed unseen. So the model is asked
 * along the straight line between the arguments at the two ends of a step whether its narrow
 * parts are there what the step has seen of them (base/features.h). If not, the step is made
 * again, to end in what it has not seen, shortened by no more at once than the error test
 * does; from there on its error estimate tells. A step is made again MOST times at most: what
 * is then still unseen lies, as a rule, within 0.2^MOST of it, less than the root of rounding.
 *
 * A method that does not evaluate at its end cannot tell what it ends in. Its line is continued
 * to where its last node would be the end, and what it has not seen there makes it end at
 * that node, of which it knows.
 *
 * At the knots of a table in t derivatives of the equations jump, in which high orders fail:
 * attempts are rejected until a step ends close by. So a rejected attempt of a one-step method
 * that contains a knot is followed by one that ends there, and once this has happened in two
 * steps of NEAR steps end at knots (theory (8.16)), as long as these do not make them much
 * shorter: where knots are dense their jumps are small.
 *
 * Errors are measured by a root of mean squares over the tested unknowns: a single one may be
 * off by its tolerance times the root of their number. What that makes of the arguments is no
 * part of the motion. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/features.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 12 };
/* of the proposed step; steps in a row that knots made as short: they do not count any more */
static const double much_shorter = 0.5;
enum { SHORT_STEPS = 3 };
/* steps among which two with a rejected attempt across a knot make knots count */
enum { NEAR = 8 };
/* the golden section, whose multiples differ in their fractions */
static const double golden = 0.6180339887498949;

struct crank_feature_state {
    crank_features given;
    double t, t_before; /* where begin and before are; NAN: nowhere */
    int again;          /* of the present step */
    double *begin, *before, *end;
    double *error; /* of each argument */
    double *next;  /* n: end of the attempt */
    double *eom_x; /* unknowns of the eom */
    double *size;  /* of each part, the largest value met so far */
    /* knots: they count; steps in a row that they made much shorter */
    bool knots;
    int short_steps;
    double t_short;       /* of the last one of these */
    double crossed;       /* steps made before the last rejected attempt across a knot; NAN */
    double *here, *ahead; /* arguments now, and at the step's end but for the motion */
};

crank_status crank_integrator_set_features(crank_integrator *it, const crank_features *features,
                                           crank_error *err)
{
    const size_t inputs = (size_t)features->inputs, n = (size_t)it->n;
    if (features->count == 0) {
        return CRANK_OK;
    }
    crank_feature_state *s = calloc(1, sizeof *s);
    const size_t given = (size_t)crank_problem_given(it->problem);
    double *values = calloc(6 * inputs + n + given + (size_t)features->count, sizeof *values);
    if (s == NULL || values == NULL) {
        free(s);
        free(values);
        return crank_fail(err, CRANK_EMEM, "%d arguments of narrow parts", features->inputs);
    }
    *s = (crank_feature_state){.given = *features,
                               .begin = values,
                               .before = values + inputs,
                               .end = values + 2 * inputs,
                               .next = values + 3 * inputs,
                               .eom_x = values + 3 * inputs + n,
                               .here = values + 3 * inputs + n + given,
                               .ahead = values + 4 * inputs + n + given,
                               .error = values + 5 * inputs + n + given,
                               .size = values + 6 * inputs + n + given};
    s->t = s->t_before = s->t_short = s->crossed = (double)NAN;
    it->features = s;
    return CRANK_OK;
}

void crank_features_destroy(crank_feature_state *s)
{
    if (s != NULL) {
        double *first = s->begin; /* the three change places */
        first = s->before < first ? s->before : first;
        free(s->end < first ? s->end : first);
        free(s);
    }
}

void crank_features_start(crank_integrator *it)
{
    if (it->features != NULL) {
        it->features->t = it->features->t_before = (double)NAN;
        it->features->again = 0;
        it->features->knots = it->features->knots && it->t > it->t_start;
        it->features->crossed = it->t > it->t_start ? it->features->crossed : (double)NAN;
    }
}

static bool fetch(crank_integrator *it, crank_feature_state *s, double t, const double *x,
                  double *inputs)
{
    if (crank_integrator_give(it, t, x, s->eom_x, NULL) != CRANK_OK) {
        return false;
    }
    s->given.fetch(s->given.user, t, s->eom_x, inputs);
    return true;
}

/* What the arguments at the end are off by if all unknowns are off by what the test lets pass,
 * by different parts of it, so that none cancel. Overwrites s->next. */
static bool find_errors(crank_integrator *it, crank_feature_state *s, double end)
{
    const double many = sqrt((double)it->tested);
    for (int j = 0; j < it->n; j++) {
        const double part = (j % 2 == 0 ? 0.5 : -0.5) * (1.0 + fmod(golden * j, 1.0)),
                     most = many * (it->atol[j] + it->rtol[j] * fabs(s->next[j]));
        s->next[j] += it->problem->tested[j] ? part * most : 0.0;
    }
    if (!fetch(it, s, end, s->next, s->error)) {
        return false;
    }
    for (int i = 0; i < s->given.inputs; i++) {
        s->error[i] = fmax(fabs(s->error[i] - s->end[i]),
                           it->options.rtol * many * fmax(fabs(s->begin[i]), fabs(s->end[i])));
    }
    return true;
}

/* the step stands: its end is where the next one begins */
static void go_on(crank_integrator *it, crank_feature_state *s, double end)
{
    double *oldest = s->before;
    s->before = s->begin;
    s->begin = s->end;
    s->end = oldest;
    s->t_before = it->t;
    s->t = end;
    s->again = 0;
}

/* The last place at which the method evaluates, over its step. */
static double last_node(const crank_method *method)
{
    return method->blind_end ? fmax(method->nodes[0], method->nodes[1]) : 1.0;
}

/* The arguments at the end of the step, or of one that is longer by 1/last. */
static const double *continued(crank_feature_state *s, double last)
{
    for (int i = 0; i < s->given.inputs && last < 1.0; i++) {
        s->ahead[i] = s->begin[i] + (s->end[i] - s->begin[i]) / last;
    }
    return last < 1.0 ? s->ahead : s->end;
}

bool crank_features_passed(crank_integrator *it)
{
    crank_feature_state *s = it->features;
    const double end = crank_integrator_step_end(it), h = end - it->t;
    if (s->t != it->t) {
        s->t_before = (double)NAN;
        s->again = 0;
        s->t = fetch(it, s, it->t, it->x, s->begin) ? it->t : (double)NAN;
    }
    it->method->end(it, s->next);
    if (isnan(s->t) || !fetch(it, s, end, s->next, s->end)) {
        s->t = (double)NAN;
        return false;
    }
    const double last = last_node(it->method), *own = it->method->nodes;
    const double nodes[2] = {own != NULL ? last * own[0] : 0.0,
                             own != NULL ? last * own[1] : 0.0};
    crank_chord chord = {.begin = s->begin,
                         .end = continued(s, last),
                         .before = !isnan(s->t_before) ? s->before : NULL,
                         .since = last * (it->t - s->t_before) / h,
                         .nodes = own != NULL ? nodes : NULL,
                         .part = h / last / (it->t_end - it->t_start),
                         .tolerance = it->options.rtol,
                         .size = s->size};
    double part = s->given.look(s->given.user, &chord);
    if (part < 1.0 && s->again < MOST && find_errors(it, s, end)) {
        chord.error = s->error;
        part = s->given.look(s->given.user, &chord);
    }
    if (part < 1.0 && s->again < MOST) {
        s->again++;
        it->h = fmax(last < 1.0 ? last : part, it->options.growth_min) * h;
        return true;
    }
    go_on(it, s, end);
    return false;
}

/* ---- knots of tables in time ---- */

/* The way to the first knot within the time h, the motion apart; INFINITY: there is none. */
static double way_to_knot(crank_integrator *it, crank_feature_state *s, double h)
{
    if (!fetch(it, s, it->t, it->x, s->here) || !fetch(it, s, it->t + h, it->x, s->ahead)) {
        return (double)INFINITY;
    }
    const double part = s->given.knot(s->given.user, s->here, s->ahead);
    return part < 1.0 ? part * h : (double)INFINITY;
}

double crank_features_reject(crank_integrator *it, double h, double shorter)
{
    crank_feature_state *s = it->features;
    if (s->given.knot == NULL || !it->method->one_step) {
        return shorter;
    }
    const double left = way_to_knot(it, s, h), steps = (double)it->statistics.steps;
    if (left < h) {
        const double since = steps - s->crossed; /* NAN: for the first time */
        s->knots = s->knots || (since > 0.0 && since <= NEAR);
        s->short_steps = 0;
        s->crossed = steps;
    }
    return left < h && left >= it->options.growth_min * h ? left : shorter;
}

double crank_features_left(crank_integrator *it)
{
    crank_feature_state *s = it->features;
    if (!s->knots || !it->method->one_step) {
        return (double)INFINITY;
    }
    const double left = way_to_knot(it, s, 2.0 * it->h);
    if (left < much_shorter * it->h && it->t != s->t_short) {
        s->short_steps++;
        s->t_short = it->t;
    } else if (!(left < much_shorter * it->h)) {
        s->short_steps = 0;
    }
    s->knots = s->short_steps < SHORT_STEPS;
    return s->knots ? left : (double)INFINITY;
}

void crank_features_archive(crank_integrator *it, crank_archive *a)
{
    crank_feature_state *s = it->features;
    if (s == NULL) {
        return;
    }
    const size_t inputs = (size_t)s->given.inputs;
    crank_archive_check(a, "arguments of narrow parts", s->given.inputs);
    crank_archive_double(a, &s->t);
    crank_archive_double(a, &s->t_before);
    crank_archive_doubles(a, s->begin, inputs);
    crank_archive_doubles(a, s->before, inputs);
    crank_archive_doubles(a, s->size, (size_t)s->given.count);
    crank_archive_flag(a, &s->knots);
    crank_archive_int(a, &s->short_steps, 0, SHORT_STEPS);
    crank_archive_double(a, &s->t_short);
    crank_archive_double(a, &s->crossed);
}
