/* dae_inline.c - see dae_inline.h: writes the C of a step (of one stage, and of several at once
 * when it is asked for), compiles and loads it, and hands values between the integrator's
 * unknowns and those of the code, which are the eom's in the same order. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/dae/dae_inline.h"

#include "base/then.h"
#include "model/dae/dae_inline_inside.h"
#include "model/dae/dae_past.h"
#include "model/dae/dae_supply.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* iterations of points that are to satisfy all equations, over those of steps */
static const double fine = 1e-3;
/* what iterations of steps leave in unknowns that are not integrated, in tolerances of their own,
 * over the same of states: they are in no formula of many steps. Not with events, which would
 * move with it. */
static const double rest_over_states = 100.0;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "translated equations");
}

/* ---- unknowns that are iterated on ---- */

/* wanted: torn unknowns */
static void mark_torn(const crank_inline *in, bool *wanted)
{
    for (int b = 0; b < in->block_count; b++) {
        const crank_inline_tearing *const ways[] = {&in->block[b].torn, &in->block[b].safe};
        for (int i = 0; i < 2; i++) {
            for (int k = 0; k < ways[i]->torn_count; k++) {
                wanted[ways[i]->torn[k]] = true;
            }
        }
    }
}

static bool find_torn(crank_dae_inline *s, const crank_inline *in, crank_dae_mode *m)
{
    const size_t unknowns = (size_t)in->unknown_count;
    crank_store *store = &s->flat.store;
    bool *wanted = crank_store_take(store, unknowns, sizeof *wanted);
    int *rate_of = crank_store_take(store, unknowns, sizeof *rate_of);
    m->torn = crank_store_take(store, unknowns, sizeof *m->torn);
    m->rate_of = crank_store_take(store, unknowns, sizeof *m->rate_of);
    m->guessed = crank_store_take(store, unknowns, sizeof *m->guessed);
    if (store->failed) {
        return false;
    }
    mark_torn(in, wanted);
    memset(rate_of, -1, unknowns * sizeof *rate_of);
    for (int j = 0; j < s->kept; j++) {
        rate_of[s->rate[j]] = j;
    }
    for (int u = 0; u < in->unknown_count; u++) {
        if (wanted[u] && in->unknown[u].old < 0) {
            m->rate_of[m->torn_count] = rate_of[u];
            m->torn[m->torn_count++] = u;
        }
        if (wanted[u] && in->unknown[u].old < 0 && rate_of[u] < 0) {
            m->guessed[m->guessed_count++] = u;
        }
    }
    return true;
}

/* ---- translation ---- */

static crank_status write_source(crank_dae_inline *s, int copies, crank_dae_mode *m,
                                 crank_error *err)
{
    crank_inline several;
    const crank_inline *in = s->in;
    crank_text text = {0};
    crank_status status = CRANK_OK;
    if (copies > 1) { /* no pivot has h: it is a matrix */
        status = crank_inline_translate(&s->flat, true, &several, err);
        in = &several;
        if (status == CRANK_OK && several.unknown_count != s->in->unknown_count) {
            status = crank_fail(err, CRANK_EINTERNAL, "two translations differ");
        }
    }
    CRANK_THEN(status, crank_inline_emit(in, "model", copies, &text, err));
    CRANK_THEN(status, find_torn(s, in, m) ? CRANK_OK : no_memory(err));
    if (status == CRANK_OK) {
        m->source = text.data;
    } else {
        crank_text_free(&text);
    }
    return status;
}

static crank_dae_mode *find_mode(crank_dae_inline *s, int copies)
{
    crank_dae_mode *m = &s->mode[copies > 1];
    (void)pthread_mutex_lock(&s->lock);
    if (!m->made) {
        m->status = write_source(s, copies, m, &m->reason);
        m->made = true;
    }
    (void)pthread_mutex_unlock(&s->lock);
    return m;
}

/* ---- what is loaded ---- */

/* The beginning of the struct of generated C (emit.c) cannot be written down here: functions of
 * the code say where its parts are. */
typedef struct code {
    void (*init)(void *m);
    int (*choose)(void *m);
    int (*solve)(void *m);
    void (*forget)(void *m);
    void (*follow)(void *m, const void *from);
    void (*prepare)(void *m);
    unsigned long (*size)(void);
    double *(*values)(void *m, int part);
    long *(*counts)(void *m);
    void (*control)(void *m, double tolerance, double enough, int careful);
} code;

enum { PART_V, PART_H, PART_WEIGHT };

/* the struct of the code, and its parts */
typedef struct image {
    void *memory;
    double *v, *h, *weight;
} image;

typedef struct loaded {
    crank_inlined base; /* first */
    const crank_dae_inline *of;
    const crank_dae_mode *mode;
    crank_eom *eom;
    int copies;
    crank_compiled *compiled;
    code call;
    image steps, aside; /* aside: of points that leave no trace */
    size_t size;
    double *seen; /* unknowns: the largest value so far */
    double *kept; /* guesses of a step, twice */
    crank_dae_past past;
    bool ready; /* aside has matrices of points, from where a step ended: for as long as those
                     of steps stay */
    long matrices; /* that steps have made */
    bool stepped;  /* by this code, since the last end */
} loaded;

/* a function by its name, as POSIX has it; false: there is none */
static bool find(const loaded *s, const char *name, void *place)
{
    crank_compiled_fn *found = crank_compiled_find(s->compiled, name);
    memcpy(place, &found, sizeof found);
    return found != NULL;
}

static bool find_functions(loaded *s)
{
    return find(s, "model_init", &s->call.init) && find(s, "model_choose", &s->call.choose) &&
           find(s, "model_solve", &s->call.solve) && find(s, "model_forget", &s->call.forget) &&
           find(s, "model_follow", &s->call.follow) &&
           find(s, "model_prepare", &s->call.prepare) && find(s, "model_size", &s->call.size) &&
           find(s, "model_values", &s->call.values) &&
           find(s, "model_counts", &s->call.counts) &&
           find(s, "model_control", &s->call.control);
}

static double *copy_of(const loaded *s, const image *m, int c)
{
    return m->v + (long)c * s->of->layout.width;
}

static void place(crank_inlined *base, double t, const double *x)
{
    loaded *s = (loaded *)base;
    const crank_inline_layout *l = &s->of->layout;
    const size_t unknowns = (size_t)s->of->in->unknown_count;
    for (int c = 0; c < s->copies; c++) {
        double *v = copy_of(s, &s->steps, c);
        v[CRANK_INLINE_TIME] = crank_eom_time(s->eom, t);
        memcpy(v + CRANK_INLINE_FIRST, x, unknowns * sizeof *v);
        memcpy(v + l->old, x, unknowns * sizeof *v);
        memcpy(v + l->given, x + unknowns, (size_t)l->given_count * sizeof *v);
    }
    s->call.forget(s->steps.memory);
    s->call.forget(s->aside.memory);
    s->ready = false;
    crank_dae_past_clear(&s->past);
    crank_dae_past_add(&s->past, t, x);
}

/* Where others make the steps, points begin where these have ended all the same. */
static void keep(crank_inlined *base, double t, const double *full)
{
    loaded *s = (loaded *)base;
    crank_dae_past_add(&s->past, t, full);
    if (!s->stepped) {
        double *v = copy_of(s, &s->steps, s->copies - 1);
        v[CRANK_INLINE_TIME] = crank_eom_time(s->eom, t);
        memcpy(v + CRANK_INLINE_FIRST, full, (size_t)s->of->in->unknown_count * sizeof *full);
    }
    s->stepped = false;
}

/* What counts as one in each unknown. Of x' it is what x is off by h x', and no more than of
 * others: algebraic unknowns may follow from it. */
static void weigh(const loaded *s, const image *m, const crank_inlined_step *step)
{
    const crank_dae_inline *of = s->of;
    const crank_dae_mode *lists = s->mode;
    const double h = fabs(step->h[0]), *v = copy_of(s, m, 0) + CRANK_INLINE_FIRST;
    const double loose = of->has_events || !(h > 0.0) ? 1.0 : rest_over_states;
    for (int j = 0; j < of->kept; j++) {
        m->weight[of->column[j]] = step->scale[j];
    }
    for (int k = 0; k < lists->torn_count; k++) {
        const int u = lists->torn[k], x = lists->rate_of[k];
        const double size = fabs(v[u]), most = s->seen[u] > size ? s->seen[u] : size,
                     weight = loose * (step->absolute + step->relative * most);
        m->weight[u] = x >= 0 && step->scale[x] < weight * h ? step->scale[x] / h : weight;
    }
}

static void hand_in(const loaded *s, const image *m, const crank_inlined_step *step)
{
    const crank_dae_inline *of = s->of;
    for (int c = 0; c < step->count; c++) {
        double *v = copy_of(s, m, c);
        const long first = (long)c * of->kept;
        v[CRANK_INLINE_TIME] = crank_eom_time(s->eom, step->t[c]);
        for (int j = 0; j < of->kept; j++) {
            v[CRANK_INLINE_FIRST + of->rate[j]] = step->xdot[first + j];
        }
        for (int j = 0; j < of->kept; j++) {
            v[CRANK_INLINE_FIRST + of->column[j]] = step->x[first + j];
            v[of->layout.old + of->column[j]] = step->old[first + j];
        }
        crank_dae_past_guess(&s->past, step->t[c], v + CRANK_INLINE_FIRST);
    }
    memcpy(m->h, step->h, (size_t)step->count * (size_t)step->count * sizeof *m->h);
    weigh(s, m, step);
}

/* Are all of them numbers? Four sums at once, each NaN as soon as one of its own is none. */
static bool all_finite(int n, const double *v)
{
    double none[4] = {0.0, 0.0, 0.0, 0.0};
    int u = 0;
    for (; u + 4 <= n; u += 4) {
        for (int k = 0; k < 4; k++) {
            none[k] += 0.0 * v[u + k];
        }
    }
    for (; u < n; u++) {
        none[0] += 0.0 * v[u];
    }
    return (none[0] + none[1]) + (none[2] + none[3]) == 0.0;
}

static bool hand_out(loaded *s, const image *m, const crank_inlined_step *step)
{
    const crank_dae_inline *of = s->of;
    const crank_dae_mode *lists = s->mode;
    const int unknowns = of->in->unknown_count;
    bool finite = true;
    for (int c = 0; c < step->count; c++) {
        const double *v = copy_of(s, m, c) + CRANK_INLINE_FIRST;
        const long first = (long)c * of->kept;
        finite = finite && all_finite(unknowns, v);
        for (int j = 0; j < of->kept; j++) {
            step->x[first + j] = v[of->column[j]];
            step->xdot[first + j] = v[of->rate[j]];
        }
    }
    const double *v = copy_of(s, m, step->count - 1);
    for (int k = 0; k < lists->torn_count && finite && !step->passing; k++) {
        const int u = lists->torn[k];
        const double size = fabs(v[CRANK_INLINE_FIRST + u]);
        s->seen[u] = size > s->seen[u] ? size : s->seen[u];
    }
    if (step->full != NULL) {
        memcpy(step->full, v + CRANK_INLINE_FIRST, (size_t)unknowns * sizeof *v);
        memcpy(step->full + unknowns, v + of->layout.given,
               (size_t)of->layout.given_count * sizeof *v);
    }
    return finite;
}

static crank_status attempt(loaded *s, const image *m, const crank_inlined_step *step,
                            bool careful, crank_error *err)
{
    hand_in(s, m, step);
    s->call.control(m->memory, (step->careful || step->precise ? fine : 1.0) * step->tolerance,
                    step->tolerance, careful);
    const int failed = s->call.solve(m->memory);
    if (failed != 0 || !hand_out(s, m, step)) {
        s->call.forget(m->memory);
        return crank_fail(err, CRANK_RETRY, "%s",
                          failed == 2 ? "a matrix of the translated equations is singular"
                                      : "the translated equations' iteration did not converge");
    }
    return CRANK_OK;
}

/* A point on the way begins at what the steps have, with matrices made there, so that it does not
 * depend on other points; with one of its own where these do not do. */
static crank_status solve_point(loaded *s, const crank_inlined_step *step, crank_error *err)
{
    const image *m = &s->aside;
    const size_t count = (size_t)step->count * (size_t)s->of->kept,
                 bytes = count * sizeof(double);
    memcpy(s->kept, step->x, bytes);
    memcpy(s->kept + count, step->xdot, bytes);
    if (!s->ready) {
        s->call.follow(m->memory, s->steps.memory);
        s->call.forget(m->memory);
        memcpy(m->h, step->h, (size_t)step->count * (size_t)step->count * sizeof *m->h);
        s->call.prepare(m->memory);
        s->ready = true;
    }
    for (int i = 0; i < 2; i++) {
        s->call.follow(m->memory, s->steps.memory);
        if (attempt(s, m, step, false, NULL) == CRANK_OK) {
            return CRANK_OK;
        }
        s->ready = false; /* it has forgotten them */
        memcpy(step->x, s->kept, bytes);
        memcpy(step->xdot, s->kept + count, bytes);
    }
    s->call.follow(m->memory, s->steps.memory);
    return attempt(s, m, step, true, err);
}

static crank_status solve(crank_inlined *base, const crank_inlined_step *step, crank_error *err)
{
    loaded *s = (loaded *)base;
    if (step->count != s->copies) {
        return crank_fail(err, CRANK_EINTERNAL, "%d stages of code for %d", step->count,
                          s->copies);
    }
    if (step->passing && step->careful) {
        return solve_point(s, step, err);
    }
    if (step->passing) {
        s->ready = false;
        s->call.follow(s->aside.memory, s->steps.memory);
        return attempt(s, &s->aside, step, false, err);
    }
    const crank_status status = attempt(s, &s->steps, step, step->careful, err);
    const long made = s->call.counts(s->steps.memory)[2];
    s->ready = s->ready && made == s->matrices;
    s->matrices = made;
    s->stepped = true;
    return status;
}

static crank_status choose(crank_inlined *base, bool *changed, crank_error *err)
{
    loaded *s = (loaded *)base;
    const int found = s->call.choose(s->steps.memory);
    s->ready = s->ready && found == 0;
    *changed = *changed || found > 0;
    return found >= 0 ? CRANK_OK
                      : crank_fail(err, CRANK_RETRY,
                                   "no states can be chosen: constraints are singular here");
}

static crank_inlined_counts counts(const crank_inlined *base)
{
    const loaded *s = (const loaded *)base;
    const long *c = s->call.counts(s->steps.memory), *d = s->call.counts(s->aside.memory);
    return (crank_inlined_counts){c[0] + d[0], c[1] + d[1], c[2] + d[2], c[3] + d[3],
                                  c[4] + d[4]};
}

static void archive(crank_inlined *base, crank_archive *a)
{
    loaded *s = (loaded *)base;
    crank_archive_check(a, "size of translated equations", (int64_t)s->size);
    crank_archive_bytes(a, s->steps.memory, s->size);
    crank_archive_bytes(a, s->aside.memory, s->size);
    crank_archive_doubles(a, s->seen, (size_t)s->of->in->unknown_count);
    crank_archive_flag(a, &s->ready);
    crank_archive_flag(a, &s->stepped);
    s->matrices = s->call.counts(s->steps.memory)[2];
    crank_dae_past_archive(&s->past, a);
}

static void close_code(crank_inlined *base)
{
    loaded *s = (loaded *)base;
    free(s->steps.memory);
    free(s->aside.memory);
    free(s->seen);
    crank_dae_past_free(&s->past);
    crank_compiled_unload(s->compiled);
    free(s);
}

static bool take_image(const loaded *s, image *m)
{
    m->memory = malloc(s->size);
    if (m->memory == NULL) {
        return false;
    }
    s->call.init(m->memory);
    m->v = s->call.values(m->memory, PART_V);
    m->h = s->call.values(m->memory, PART_H);
    m->weight = s->call.values(m->memory, PART_WEIGHT);
    return true;
}

static bool take_room(loaded *s)
{
    const size_t u = (size_t)s->of->in->unknown_count,
                 kept = 2 * (size_t)s->copies * (size_t)s->of->kept;
    s->size = (size_t)s->call.size();
    s->seen = calloc(u + kept + 1, sizeof *s->seen);
    s->kept = s->seen != NULL ? s->seen + u : NULL;
    return s->seen != NULL &&
           crank_dae_past_init(&s->past, s->mode->guessed_count, s->mode->guessed) &&
           take_image(s, &s->steps) && take_image(s, &s->aside);
}

static crank_status load(loaded *s, crank_log log, crank_error *err)
{
    crank_status status =
        crank_compiled_load(s->mode->source, s->of->cache, log, &s->compiled, err);
    if (status == CRANK_OK && !find_functions(s)) {
        status = crank_fail(err, CRANK_ECOMPILE, "the translated equations lack a function");
    }
    return status == CRANK_OK && !take_room(s) ? no_memory(err) : status;
}

static crank_status open_code(const crank_inlined_source *source, crank_eom *eom, int copies,
                              crank_log log, crank_inlined **out, crank_error *err)
{
    /* constant but for translations that are made when they are asked for, under a lock */
    crank_dae_inline *self = (crank_dae_inline *)(uintptr_t)source;
    *out = NULL;
    const crank_dae_mode *m = find_mode(self, copies);
    if (m->status != CRANK_OK) {
        if (err != NULL) {
            *err = m->reason;
        }
        return m->status;
    }
    loaded *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return no_memory(err);
    }
    s->base = (crank_inlined){.n = self->in->unknown_count + self->layout.given_count,
                              .kept = self->kept,
                              .column = self->column,
                              .rate = self->rate,
                              .place = place,
                              .keep = keep,
                              .solve = solve,
                              .choose = choose,
                              .counts = counts,
                              .archive = archive,
                              .close = close_code};
    s->of = self;
    s->mode = m;
    s->eom = eom;
    s->copies = copies;
    const crank_status status = load(s, log, err);
    if (status != CRANK_OK) {
        close_code(&s->base);
        return status;
    }
    *out = &s->base;
    return CRANK_OK;
}

/* ---- the source ---- */

static crank_status create(crank_model *model, crank_dae_inline **out, crank_error *err)
{
    crank_dae_supplier *supplier = model->eom->self;
    crank_dae_inline *s = calloc(1, sizeof *s);
    if (s == NULL || pthread_mutex_init(&s->lock, NULL) != 0) {
        free(s);
        return no_memory(err);
    }
    s->source.open = open_code;
    s->source.open_rows = crank_dae_open_rows;
    supplier->inlined = s;
    model->eom->inlined = &s->source;
    *out = s;
    return CRANK_OK;
}

/* states and what can be one */
static bool find_kept(crank_dae_inline *s, const crank_inline *in)
{
    crank_store *store = &s->flat.store;
    s->column = crank_store_take(store, (size_t)in->unknown_count, sizeof *s->column);
    s->rate = crank_store_take(store, (size_t)in->unknown_count, sizeof *s->rate);
    for (int u = 0; u < in->unknown_count && !store->failed; u++) {
        if (in->unknown[u].old >= 0) {
            s->column[s->kept] = u;
            s->rate[s->kept++] = in->unknown[u].next;
        }
    }
    return !store->failed;
}

crank_status crank_dae_keep_inlined(crank_model *model, crank_flat *flat, crank_inline *in,
                                    const char *cache, crank_error *err)
{
    crank_dae_inline *s = NULL;
    crank_status status = create(model, &s, err);
    if (status != CRANK_OK) {
        return status;
    }
    s->source.alone = true;
    s->in = in;
    s->has_events = model->events != NULL;
    s->flat = *flat;
    *flat = (crank_flat){0};
    in->flat = &s->flat; /* it has moved */
    s->cache = cache != NULL ? crank_store_copy(&s->flat.store, cache, strlen(cache)) : NULL;
    status = crank_inline_place(in, &s->layout, err);
    if (status == CRANK_OK && (s->flat.store.failed || !find_kept(s, in))) {
        status = no_memory(err);
    }
    return status;
}

void crank_dae_inline_destroy(crank_dae_inline *self)
{
    if (self == NULL) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        free(self->mode[i].source);
    }
    free(self->rows);
    (void)pthread_mutex_destroy(&self->lock);
    crank_flat_free(&self->flat);
    free(self);
}
