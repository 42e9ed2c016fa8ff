/* features.c - see features.h.
 *
 * Of a step the arguments y of the parts f are known at both ends. Along the straight line
 * between them, y(s) = y_0 + s (y_1 - y_0),
 *
 *     f~(s) = f(y(s)) - (1 - s) f(y_0) - s f(y_1)
 *     unseen:  |f~(s)| > 2 max |f~(seen)| + rtol max |f|         theory (4.50)
 *
 * with the places at which the method has evaluated, or those of the step before. Looked at are
 * the middles between conditions that change (edges), knots of tables, and where these do not
 * tell all, equal parts: so many that a run has some thousand of them. The step then has to
 * end at the first place that is off by half as much as the worst one. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/features.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* places evaluated together; equal parts of a run, and of a step at least; knots of a table in
 * a step at most: of more, every second or third one; repetitions of one in a step at most */
enum { TOGETHER = 16, RUN_PARTS = 8192, STEP_PARTS = 8, MOST_KNOTS = 8192, MOST_TURNS = 100 };
/* Places inside a step of a method that evaluates at its ends only. A bump narrower than half
 * of the step meets three of them at most, smooth functions are off at four. */
enum { PLACES = 5 };
/* what two places, or the second least of those, tell of all others: values that change at once,
 * wherever that is, are off by no more */
static const double trusted = 2.0, trusted_between = 4.0;
/* over what the place where the step before began is off: more comes out of the blue */
static const double not_flat = 1e3;
/* of the worst place: so far the step may go */
static const double as_bad = 0.5;
/* of a step: to that it is shortened at once */
static const double shortest = 0.05;

typedef struct knots {
    int rows, order; /* of the derivative */
    double period;   /* 0: none */
    const double *x;
} knots;

struct crank_feature_set {
    int input_count, value_count, edge_count, table_count;
    crank_tape *values;
    crank_tape *places; /* edges, then arguments of tables; NULL: none */
    knots *table;
    bool sampled;
    int *source; /* or NULL: the kind's own */
};

/* One part along the chord. */
typedef struct course {
    double first, last; /* at its ends */
    double expected;    /* off the straight line, at most, by what the method has seen */
    double off;         /* as it is */
} course;

struct crank_feature_work {
    double *in, *out; /* TOGETHER points */
    double *place;    /* edges and arguments at both ends */
    double *registers;
    double *flip; /* edge_count + 2: where conditions change, */
    int flips;    /* and how many do */
    course *course;
    const crank_chord *chord;
    double at[TOGETHER];
    int count;
    double first_bad; /* 2: none; in the search for it */
    bool searching;
};

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "narrow parts of the equations");
}

/* ---- making ---- */

static crank_status keep_tables(crank_model *model, const crank_pool *pool,
                                const crank_ex_features *found, struct crank_feature_set *s,
                                crank_error *err)
{
    s->table =
        crank_store_take(&model->store, (size_t)found->table_count + 1, sizeof *s->table);
    for (int i = 0; i < found->table_count && s->table != NULL; i++) {
        knots *k = &s->table[i];
        const double *x =
            crank_ex_table_knots(pool, found->table[i], &k->rows, &k->order, &k->period);
        k->x = crank_model_keep(model, x, (size_t)k->rows, sizeof *x);
    }
    return model->store.failed ? no_memory(err) : CRANK_OK;
}

crank_status crank_model_keep_features(crank_model *model, crank_pool *pool,
                                       const crank_ex_features *found, int input_count,
                                       const crank_ex *inputs, const int *source,
                                       crank_error *err)
{
    const int place_count = found->edge_count + found->table_count;
    struct crank_feature_set *s = crank_store_take(&model->store, 1, sizeof *s);
    crank_ex *place = calloc((size_t)place_count + 1, sizeof *place);
    if (s == NULL || place == NULL) {
        free(place);
        return no_memory(err);
    }
    *s = (struct crank_feature_set){.input_count = input_count,
                                    .value_count = found->value_count,
                                    .edge_count = found->edge_count,
                                    .table_count = found->table_count,
                                    .sampled = found->sampled};
    model->features = s;
    for (int i = 0; i < place_count; i++) {
        const int table = i - found->edge_count;
        place[i] =
            table < 0 ? found->edge[i] : crank_ex_get_operand(pool, found->table[table], 0);
    }
    if (source != NULL) {
        s->source = crank_model_keep(model, source, (size_t)input_count, sizeof *source);
    }
    crank_status status = keep_tables(model, pool, found, s, err);
    if (status == CRANK_OK) {
        status = crank_tape_create(pool, input_count, inputs, found->value_count, found->value,
                                   &s->values, err);
    }
    if (status == CRANK_OK && place_count > 0) {
        status =
            crank_tape_create(pool, input_count, inputs, place_count, place, &s->places, err);
    }
    free(place);
    return status;
}

/* ---- kinds whose symbols are the eom's unknowns ---- */

typedef struct symbols {
    crank_ex t;
    int *place; /* by node: -1 none, else as `source` */
    int n;
} symbols;

static crank_ex_role role_of(crank_ex symbol, const void *user)
{
    const symbols *s = user;
    const int place = s->place[symbol];
    return place < 0       ? CRANK_ROLE_UNKNOWN
           : place == 0    ? CRANK_ROLE_TIME
           : place <= s->n ? CRANK_ROLE_VARIABLE
                           : CRANK_ROLE_CONSTANT;
}

/* the inputs of what was found: symbols that have a place, each once */
static int find_inputs(crank_pool *pool, const crank_ex_features *found, const symbols *s,
                       int node_count, crank_ex *inputs, int *source)
{
    int count = 0;
    for (crank_ex e = 0; e < node_count; e++) {
        bool used = false;
        for (int i = 0; i < found->value_count && s->place[e] >= 0 && !used; i++) {
            used = crank_ex_depends(pool, found->value[i], e);
        }
        if (used) {
            inputs[count] = e;
            source[count++] = s->place[e];
        }
    }
    return count;
}

crank_status crank_model_find_features(crank_model *model, crank_pool *pool, crank_ex t,
                                       const crank_ex *columns, int count,
                                       const crank_ex *parameters, int root_count,
                                       const crank_ex *roots, crank_error *err)
{
    const int nodes = crank_pool_size(pool), n = model->eom->n;
    const size_t most = (size_t)n + (size_t)count + 2;
    symbols s = {.t = t, .n = n, .place = malloc(((size_t)nodes + 1) * sizeof *s.place)};
    crank_ex *inputs = calloc(most, sizeof *inputs);
    int *source = calloc(most, sizeof *source);
    crank_ex_features found = {0};
    crank_status status =
        s.place != NULL && inputs != NULL && source != NULL ? CRANK_OK : no_memory(err);
    if (status == CRANK_OK) {
        memset(s.place, -1, ((size_t)nodes + 1) * sizeof *s.place);
        s.place[t] = 0;
        for (int i = 0; i < n; i++) {
            s.place[columns[i]] = 1 + i;
        }
        for (int i = 0; i < count; i++) {
            s.place[parameters[i]] = 1 + n + i;
        }
        status = crank_ex_find_features(pool, root_count, roots, role_of, &s, &found, err);
    }
    if (status == CRANK_OK && found.value_count > 0) {
        const int used = find_inputs(pool, &found, &s, nodes, inputs, source);
        status = crank_model_keep_features(model, pool, &found, used, inputs, source, err);
    }
    crank_ex_features_free(&found);
    free(s.place);
    free(inputs);
    free(source);
    return status;
}

void crank_model_free_features(crank_model *model)
{
    if (model->features != NULL) {
        crank_tape_destroy(model->features->values);
        crank_tape_destroy(model->features->places);
    }
}

crank_status crank_feature_work_create(crank_state *state, crank_error *err)
{
    const struct crank_feature_set *s = state->model->features;
    crank_store *store = &state->store;
    if (s == NULL) {
        return CRANK_OK;
    }
    struct crank_feature_work *w = crank_store_take(store, 1, sizeof *w);
    if (w == NULL) {
        return no_memory(err);
    }
    const size_t places = (size_t)s->edge_count + (size_t)s->table_count;
    const int of_values = crank_tape_work_size(s->values, TOGETHER);
    const int of_places = s->places != NULL ? crank_tape_work_size(s->places, 2) : 0;
    w->in = crank_store_take(store, (size_t)s->input_count * TOGETHER, sizeof *w->in);
    w->out = crank_store_take(store, (size_t)s->value_count * TOGETHER, sizeof *w->out);
    w->place = crank_store_take(store, 2 * places + 1, sizeof *w->place);
    w->registers = crank_store_take(
        store, (size_t)(of_values > of_places ? of_values : of_places), sizeof(double));
    w->flip = crank_store_take(store, (size_t)s->edge_count + 2, sizeof *w->flip);
    w->course = crank_store_take(store, (size_t)s->value_count, sizeof *w->course);
    state->features = w;
    return store->failed ? no_memory(err) : CRANK_OK;
}

/* ---- arguments ---- */

static void fetch(void *user, double t, const double *x, double *inputs)
{
    const crank_state *state = user;
    const struct crank_feature_set *s = state->model->features;
    const int n = state->eom->n;
    if (s->source == NULL) {
        state->model->functions->inputs(state->eom->self, t, x, inputs);
        return;
    }
    const double *parameter = NULL;
    if (state->model->functions->parameters != NULL) {
        double *start;
        parameter = state->model->functions->parameters(state->eom->self, &start);
    }
    for (int i = 0; i < s->input_count; i++) {
        const int place = s->source[i];
        inputs[i] = place == 0   ? crank_eom_time(state->eom, t)
                    : place <= n ? x[place - 1]
                                 : parameter[place - 1 - n];
    }
}

/* ---- along the chord ---- */

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

static double off_line(const course *c, double value, double at)
{
    return fabs(value - (1.0 - at) * c->first - at * c->last);
}

/* The values at the ends, and (place - 2) the most that part v is off the line where the method
 * has evaluated. */
static double begin_course(const struct crank_feature_set *s, struct crank_feature_work *w,
                           int v, const double *at, double *off)
{
    const double *out = w->out + v;
    const ptrdiff_t stride = s->value_count;
    course *c = &w->course[v];
    double *size = &w->chord->size[v];
    *c = (course){.first = out[0], .last = out[stride]};
    *size = fmax(*size, fmax(fabs(c->first), fabs(c->last)));
    for (int k = 0; k < PLACES; k++) {
        off[k] = off_line(c, out[(k + 2) * stride], at[k + 2]);
    }
    return fmax(off[0], off[1]);
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

/* the ends, and what the method has seen besides */
static void begin(const struct crank_feature_set *s, struct crank_feature_work *w)
{
    const crank_chord *chord = w->chord;
    const bool stages = chord->nodes != NULL, before = !stages && chord->before != NULL;
    double at[PLACES + 3] = {0.0, 1.0}, off[PLACES];
    for (int k = 0; k < PLACES; k++) {
        at[2 + k] = stages ? chord->nodes[k % 2] : (k + 1.0) / (PLACES + 1.0);
    }
    at[PLACES + 2] = -chord->since;
    for (int k = 0; k < PLACES + 2; k++) {
        load(s, w, k, at[k]);
    }
    memcpy(w->in + (size_t)(PLACES + 2) * (size_t)s->input_count,
           before ? chord->before : chord->begin, (size_t)s->input_count * sizeof *w->in);
    evaluate(s, w, stages ? 4 : PLACES + 3);
    for (int v = 0; v < s->value_count; v++) {
        course *c = &w->course[v];
        const double seen = begin_course(s, w, v, at, off);
        const double behind = w->out[(size_t)(PLACES + 2) * (size_t)s->value_count + (size_t)v];
        c->expected = stages ? trusted * seen : trusted_between * second_least(off);
        if (before) {
            c->expected = fmin(c->expected, not_flat * off_line(c, behind, at[PLACES + 2]));
        }
    }
}

/* Is it off by more than what was seen lets expect? */
static bool is_unseen(const struct crank_feature_work *w, int v)
{
    const course *c = &w->course[v];
    return c->off > c->expected + w->chord->tolerance * w->chord->size[v];
}

/* the places collected so far */
static void flush(const struct crank_feature_set *s, struct crank_feature_work *w)
{
    evaluate(s, w, w->count);
    for (int k = 0; k < w->count; k++) {
        for (int v = 0; v < s->value_count; v++) {
            course *c = &w->course[v];
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
        if (w->count == TOGETHER) {
            flush(s, w);
        }
    }
}

/* places where conditions change, in order, 0 and 1 around them; returns their number */
static int find_flips(const struct crank_feature_set *s, struct crank_feature_work *w)
{
    const double *first = w->place, *last = first + s->edge_count + s->table_count;
    int count = 0;
    for (int i = 0; i < s->edge_count; i++) {
        if ((first[i] < 0.0 && last[i] > 0.0) || (first[i] > 0.0 && last[i] < 0.0)) {
            const double at = first[i] / (first[i] - last[i]);
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
 * stride-th one is looked at (0: none), of derivatives, which may jump there, the middle between
 * it and the one before. */
static double pass_knots(const struct crank_feature_set *s, struct crank_feature_work *w,
                         const knots *k, double a, double b, double stride)
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

/* Knots that the argument of table i passes; 0 also if it turns round too often to look. */
static double count_knots(const struct crank_feature_set *s, struct crank_feature_work *w,
                          int i, double *a, double *b)
{
    const knots *k = &s->table[i];
    *a = w->place[s->edge_count + i];
    *b = w->place[2 * s->edge_count + s->table_count + i];
    const bool known = isfinite(*a) && isfinite(*b) &&
                       (k->period == 0.0 || fabs(*b - *a) <= MOST_TURNS * k->period);
    return known ? pass_knots(s, w, k, *a, *b, 0.0) : 0.0;
}

/* Does the step pass more than one condition, or more than one knot of a table? */
static bool is_due(const struct crank_feature_set *s, struct crank_feature_work *w)
{
    const int places = s->edge_count + s->table_count;
    double a, b;
    w->flips = 0;
    if (s->places == NULL) {
        return s->sampled;
    }
    load(s, w, 0, 0.0);
    load(s, w, 1, 1.0);
    crank_tape_evaluate(s->places, 2, w->in, s->input_count, w->place, places, w->registers);
    w->flips = find_flips(s, w);
    bool due = s->sampled || w->flips > 1;
    for (int i = 0; i < s->table_count && !due; i++) {
        due = count_knots(s, w, i, &a, &b) > 1.0;
    }
    return due;
}

/* all places of the step that are looked at */
static void pass(const struct crank_feature_set *s, struct crank_feature_work *w)
{
    double a, b;
    for (int i = 0; i <= w->flips && w->flips > 1; i++) {
        add(s, w, 0.5 * (w->flip[i] + w->flip[i + 1]));
    }
    for (int i = 0; i < s->table_count; i++) {
        const double count = count_knots(s, w, i, &a, &b);
        if (count > 1.0) {
            (void)pass_knots(s, w, &s->table[i], a, b, ceil(count / MOST_KNOTS));
        }
    }
    if (s->sampled) {
        const int parts =
            (int)fmin(fmax(ceil(w->chord->part * RUN_PARTS), STEP_PARTS), (double)RUN_PARTS);
        for (int i = 1; i < parts; i++) {
            add(s, w, (double)i / parts);
        }
    }
    if (w->count > 0) {
        flush(s, w);
    }
}

static double look(void *user, const crank_chord *chord)
{
    crank_state *state = user;
    const struct crank_feature_set *s = state->model->features;
    struct crank_feature_work *w = state->features;
    bool unseen = false;
    w->chord = chord;
    w->searching = false;
    w->count = 0;
    w->first_bad = 2.0;
    if (!is_due(s, w)) {
        return 1.0;
    }
    begin(s, w);
    pass(s, w);
    for (int v = 0; v < s->value_count; v++) {
        unseen = unseen || is_unseen(w, v);
    }
    if (unseen) {
        w->searching = true;
        pass(s, w);
    }
    return fmin(fmax(w->first_bad, shortest), 1.0);
}

crank_features crank_state_features(crank_state *state)
{
    const struct crank_feature_set *s = state->model->features;
    return s == NULL ? (crank_features){0}
                     : (crank_features){.count = s->value_count,
                                        .inputs = s->input_count,
                                        .fetch = fetch,
                                        .look = look,
                                        .user = state};
}
