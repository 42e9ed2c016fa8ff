/* dae_inline.c - see dae_inline.h: translates (once for one stage, once for several at a time),
 * compiles, loads, and hands values between the eom's unknowns and those of the code.
 *
 * Unknowns of the eom are variables, or derivatives that were made variables; discrete ones are
 * given to the code. What the code has besides (variables that the eom's equations do not have
 * any more, second derivatives) starts at what the expressions say at the start. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/dae/dae_inline.h"

#include "base/then.h"
#include "inline/inline.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* one of the translations */
typedef struct mode {
    bool made;
    crank_status status; /* of it */
    crank_error reason;
    char *source;
    crank_inline_layout layout;
    int unknowns, *unknown_variable, *unknown_order;
    int *next;         /* unknowns: the derivative, -1 */
    int *value, *rate; /* the eom's unknowns: places in v, -1 */
    bool *given;       /* the eom's unknowns: constant between events */
    bool *state;
    int *column; /* unknowns: the eom's unknown that x or x' is of, -1 */
    int guesses; /* places that the tape fills */
    int *guess;
    crank_tape *tape; /* of t, x, x' */
} mode;

struct crank_dae_inline {
    crank_inlined_source source; /* first */
    pthread_mutex_t lock;
    crank_flat flat;
    crank_dae_equations equations;
    int n, *number;
    char *cache;
    mode mode[2]; /* one stage; several */
};

crank_status crank_dae_keep_equations(crank_flat *flat, crank_dae_equations *out,
                                      crank_error *err)
{
    const size_t v = (size_t)flat->variable_count, e = (size_t)flat->equation_count;
    *out = (crank_dae_equations){flat->variable_count, flat->equation_count, NULL, NULL};
    out->variable = crank_store_take(&flat->store, v, sizeof *out->variable);
    out->equation = crank_store_take(&flat->store, e, sizeof *out->equation);
    if (flat->store.failed) {
        return crank_flat_status(flat, err);
    }
    if (v > 0) {
        memcpy(out->variable, flat->variable, v * sizeof *out->variable);
    }
    if (e > 0) {
        memcpy(out->equation, flat->equation, e * sizeof *out->equation);
    }
    return CRANK_OK;
}

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "translated equations");
}

/* ---- which is which ---- */

/* The eom's unknown that is the derivative of variable i (rates.c), -1: none. */
static int carried(const crank_dae_inline *s, int i)
{
    char name[400];
    (void)snprintf(name, sizeof name, "derivative(%s)", s->equations.variable[i].name);
    for (int k = s->equations.variable_count; k < s->flat.variable_count; k++) {
        if (strcmp(s->flat.variable[k].name, name) == 0) {
            return s->number[k];
        }
    }
    return -1;
}

static bool take_maps(const crank_dae_inline *s, crank_store *store, mode *m, int unknowns)
{
    const size_t n = (size_t)s->n, u = (size_t)unknowns;
    m->value = crank_store_take(store, n, sizeof *m->value);
    m->rate = crank_store_take(store, n, sizeof *m->rate);
    m->given = crank_store_take(store, n, sizeof *m->given);
    m->state = crank_store_take(store, n, sizeof *m->state);
    m->column = crank_store_take(store, u, sizeof *m->column);
    m->unknown_order = crank_store_take(store, u, sizeof *m->unknown_order);
    m->next = crank_store_take(store, u, sizeof *m->next);
    m->guess = crank_store_take(store, u, sizeof *m->guess);
    m->unknowns = unknowns;
    return !store->failed;
}

static void map_unknowns(crank_dae_inline *s, const crank_inline *in, mode *m)
{
    for (int j = 0; j < s->n; j++) {
        m->value[j] = m->rate[j] = -1;
    }
    for (int u = 0; u < in->unknown_count; u++) {
        const crank_inline_unknown *x = &in->unknown[u];
        const int own = s->number[x->variable],
                  other = x->order == 1 ? carried(s, x->variable) : -1;
        m->unknown_order[u] = x->order;
        m->next[u] = x->next;
        m->column[u] = x->order <= 1 ? own : -1;
        if (own >= 0 && x->order == 0) {
            m->value[own] = CRANK_INLINE_FIRST + u;
            m->state[own] = x->old >= 0;
        } else if (own >= 0 && x->order == 1) {
            m->rate[own] = CRANK_INLINE_FIRST + u;
        }
        if (other >= 0) {
            m->value[other] = CRANK_INLINE_FIRST + u;
        }
    }
    for (int i = 0; i < m->layout.given_count; i++) {
        const int j = s->number[m->layout.given_variable[i]];
        if (j >= 0) {
            m->value[j] = m->layout.given + i;
            m->given[j] = m->state[j] = true;
        }
    }
}

/* ---- guesses ---- */

/* what is known of unknown u by expressions of the eom's unknowns; -1: nothing */
static crank_ex guess_of(const crank_dae_inline *s, const crank_inline *in, int u)
{
    const crank_inline_unknown *x = &in->unknown[u];
    const crank_flat_variable *v = &s->flat.variable[x->variable];
    if (s->number[x->variable] >= 0) {
        return x->order == 0 ? v->symbol : x->order == 1 && v->rate >= 0 ? v->rate : -1;
    }
    return x->order == 0 && v->role == CRANK_FLAT_ELIMINATED ? v->value : -1;
}

static crank_status make_tape(crank_dae_inline *s, const crank_inline *in, mode *m,
                              crank_error *err)
{
    crank_flat *flat = &s->flat;
    const size_t n = (size_t)s->n;
    crank_ex *input = crank_store_take(&flat->store, 1 + 2 * n, sizeof *input);
    crank_ex *output = crank_store_take(&flat->store, (size_t)m->unknowns, sizeof *output);
    if (flat->store.failed) {
        return no_memory(err);
    }
    input[0] = flat->t;
    for (int i = 0; i < flat->variable_count; i++) {
        if (s->number[i] >= 0) {
            input[1 + s->number[i]] = flat->variable[i].symbol;
            input[1 + s->n + s->number[i]] = crank_flat_rate(flat, i);
        }
    }
    for (int u = 0; u < m->unknowns; u++) {
        const crank_ex ex = guess_of(s, in, u);
        if (ex >= 0) {
            output[m->guesses] = ex;
            m->guess[m->guesses++] = CRANK_INLINE_FIRST + u;
        }
    }
    return crank_tape_create(flat->pool, 1 + 2 * s->n, input, m->guesses, output, &m->tape,
                             err);
}

/* ---- translation ---- */

static crank_status translate(crank_dae_inline *s, int copies, mode *m, crank_error *err)
{
    crank_flat *flat = &s->flat;
    const crank_flat kept = *flat;
    crank_inline in;
    crank_text text = {0};
    flat->variable = s->equations.variable;
    flat->variable_count = flat->variable_capacity = s->equations.variable_count;
    flat->equation = s->equations.equation;
    flat->equation_count = flat->equation_capacity = s->equations.equation_count;
    crank_status status = crank_inline_translate(flat, copies > 1, &in, err);
    CRANK_THEN(status, crank_inline_emit(&in, "model", copies, &text, err));
    CRANK_THEN(status, crank_inline_place(&in, &m->layout, err));
    flat->variable = kept.variable;
    flat->variable_count = kept.variable_count;
    flat->variable_capacity = kept.variable_capacity;
    flat->equation = kept.equation;
    flat->equation_count = kept.equation_count;
    flat->equation_capacity = kept.equation_capacity;
    if (status == CRANK_OK && !take_maps(s, &flat->store, m, in.unknown_count)) {
        status = no_memory(err);
    }
    if (status == CRANK_OK) {
        map_unknowns(s, &in, m);
        m->source = text.data;
        status = make_tape(s, &in, m, err);
    } else {
        crank_text_free(&text);
    }
    return status;
}

static mode *find_mode(crank_dae_inline *s, int copies)
{
    mode *m = &s->mode[copies > 1];
    (void)pthread_mutex_lock(&s->lock);
    if (!m->made) {
        m->status = translate(s, copies, m, &m->reason);
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
    unsigned long (*size)(void);
    double *(*values)(void *m, int part);
    long *(*counts)(void *m);
    void (*control)(void *m, double tolerance, int careful);
} code;

enum { PART_V, PART_H, PART_WEIGHT };

typedef struct loaded {
    crank_inlined base; /* first */
    const mode *m;
    crank_eom *eom;
    int copies;
    crank_compiled *compiled;
    code call;
    void *memory, *before; /* before: of steps that leave no trace */
    size_t size;
    double *v, *h, *weight;
    double *seen, *seen_before; /* unknowns: the largest value so far */
    double *k, *in, *out, *work;
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
           find(s, "model_size", &s->call.size) && find(s, "model_values", &s->call.values) &&
           find(s, "model_counts", &s->call.counts) &&
           find(s, "model_control", &s->call.control);
}

static double *copy_of(const loaded *s, int c)
{
    return s->v + (long)c * s->m->layout.width;
}

static crank_status place(crank_inlined *base, double t, const double *x, double *xdot,
                          crank_error *err)
{
    loaded *s = (loaded *)base;
    const int n = base->n;
    crank_eom *eom = s->eom;
    crank_status status = crank_eom_evaluate_rows(eom, 1, &t, x, CRANK_DIFFERENTIAL, s->k, err);
    if (status < CRANK_OK) {
        return status;
    }
    s->in[0] = t;
    memcpy(s->in + 1, x, (size_t)n * sizeof *x);
    for (int j = 0; j < n; j++) {
        const double rate = s->k[eom->row[CRANK_ROW_KIN] + j];
        xdot[j] = status == CRANK_OK && isfinite(rate) ? rate : 0.0;
        s->in[1 + n + j] = xdot[j];
    }
    crank_tape_evaluate(s->m->tape, 1, s->in, 1 + 2 * n, s->out, s->m->guesses, s->work);
    for (int c = 0; c < s->copies; c++) {
        double *v = copy_of(s, c);
        v[CRANK_INLINE_TIME] = t;
        for (int i = 0; i < s->m->guesses; i++) {
            v[s->m->guess[i]] = isfinite(s->out[i]) ? s->out[i] : 0.0;
        }
        for (int j = 0; j < n; j++) {
            if (s->m->given[j]) {
                v[s->m->value[j]] = x[j];
            }
        }
    }
    s->call.forget(s->memory);
    return CRANK_OK;
}

/* What counts as one in each unknown. Of x' it is what x is off by h x', and no more than of
 * others: algebraic unknowns may follow from it. */
static void weigh(loaded *s, const crank_inlined_step *step)
{
    const mode *m = s->m;
    const double h = fabs(step->h[0]);
    for (int u = 0; u < m->unknowns; u++) {
        const int j = m->column[u];
        const double size = fmax(s->seen[u], fabs(copy_of(s, 0)[CRANK_INLINE_FIRST + u]));
        double weight = step->absolute + step->relative * size;
        if (j >= 0 && m->unknown_order[u] == 0) {
            weight = step->scale[j];
        } else if (j >= 0 && m->unknown_order[u] == 1 && h > 0.0) {
            weight = fmin(weight, step->scale[j] / h);
        }
        s->weight[u] = weight;
    }
}

static void hand_in(loaded *s, const crank_inlined_step *step)
{
    const mode *m = s->m;
    const int n = s->base.n;
    for (int c = 0; c < step->count; c++) {
        double *v = copy_of(s, c);
        const double *x = step->x + (long)c * n, *rate = step->xdot + (long)c * n,
                     *old = step->old + (long)c * n;
        v[CRANK_INLINE_TIME] = crank_eom_time(s->eom, step->t[c]);
        for (int j = 0; j < n; j++) {
            if (m->given[j]) {
                v[m->value[j]] = old[j];
                continue;
            }
            if (m->value[j] >= 0) {
                v[m->value[j]] = x[j];
            }
            if (m->rate[j] >= 0) {
                v[m->rate[j]] = rate[j];
            }
            if (m->state[j]) {
                v[m->value[j] - CRANK_INLINE_FIRST + m->layout.old] = old[j];
            }
        }
    }
    memcpy(s->h, step->h, (size_t)step->count * (size_t)step->count * sizeof *s->h);
    weigh(s, step);
}

static bool hand_out(loaded *s, const crank_inlined_step *step)
{
    const mode *m = s->m;
    const int n = s->base.n;
    bool finite = true;
    for (int c = 0; c < step->count; c++) {
        const double *v = copy_of(s, c);
        double *x = step->x + (long)c * n, *rate = step->xdot + (long)c * n;
        for (int j = 0; j < n; j++) {
            x[j] = m->value[j] >= 0 ? v[m->value[j]] : x[j];
            rate[j] = m->rate[j] >= 0 ? v[m->rate[j]] : 0.0;
            finite = finite && isfinite(x[j]) && isfinite(rate[j]);
        }
    }
    const double *v = copy_of(s, step->count - 1);
    for (int u = 0; u < m->unknowns && finite; u++) {
        s->seen[u] = fmax(s->seen[u], fabs(v[CRANK_INLINE_FIRST + u]));
    }
    return finite;
}

enum { COUNTS = 5 };

/* What a step changes but for the counts: kept, and put back. */
static void keep(loaded *s)
{
    memcpy(s->before, s->memory, s->size);
    memcpy(s->seen_before, s->seen, (size_t)s->m->unknowns * sizeof *s->seen);
}

static void put_back(loaded *s)
{
    long kept[COUNTS];
    memcpy(kept, s->call.counts(s->memory), sizeof kept);
    memcpy(s->memory, s->before, s->size);
    memcpy(s->call.counts(s->memory), kept, sizeof kept);
    memcpy(s->seen, s->seen_before, (size_t)s->m->unknowns * sizeof *s->seen);
}

static crank_status solve_step(loaded *s, const crank_inlined_step *step, crank_error *err)
{
    if (step->count != s->copies) {
        return crank_fail(err, CRANK_EINTERNAL, "%d stages of code for %d", step->count,
                          s->copies);
    }
    hand_in(s, step);
    s->call.control(s->memory, step->tolerance, step->careful);
    const int failed = s->call.solve(s->memory);
    if (failed != 0 || !hand_out(s, step)) {
        s->call.forget(s->memory);
        return crank_fail(err, CRANK_RETRY, "%s",
                          failed == 2 ? "a matrix of the translated equations is singular"
                                      : "the translated equations' iteration did not converge");
    }
    return CRANK_OK;
}

static crank_status solve(crank_inlined *base, const crank_inlined_step *step, crank_error *err)
{
    loaded *s = (loaded *)base;
    if (step->passing) {
        keep(s);
    }
    const crank_status status = solve_step(s, step, err);
    if (step->passing) {
        put_back(s);
    }
    return status;
}

static crank_status choose(crank_inlined *base, bool *changed, crank_error *err)
{
    loaded *s = (loaded *)base;
    const int found = s->call.choose(s->memory);
    *changed = *changed || found > 0;
    return found >= 0 ? CRANK_OK
                      : crank_fail(err, CRANK_RETRY,
                                   "no states can be chosen: constraints are singular here");
}

static void forget(crank_inlined *base)
{
    loaded *s = (loaded *)base;
    s->call.forget(s->memory);
}

static crank_inlined_counts counts(const crank_inlined *base)
{
    const loaded *s = (const loaded *)base;
    const long *c = s->call.counts(s->memory);
    return (crank_inlined_counts){c[0], c[1], c[2], c[3], c[4]};
}

static void archive(crank_inlined *base, crank_archive *a)
{
    loaded *s = (loaded *)base;
    crank_archive_check(a, "size of translated equations", (int64_t)s->size);
    crank_archive_bytes(a, s->memory, s->size);
    crank_archive_doubles(a, s->seen, (size_t)s->m->unknowns);
}

static void close_code(crank_inlined *base)
{
    loaded *s = (loaded *)base;
    free(s->memory);
    free(s->before);
    free(s->seen);
    crank_compiled_unload(s->compiled);
    free(s);
}

/* one block: seen twice, k, inputs, outputs, registers */
static bool take_room(loaded *s)
{
    const size_t n = (size_t)s->base.n, u = (size_t)s->m->unknowns, k = (size_t)s->eom->m,
                 registers = (size_t)crank_tape_work_size(s->m->tape, 1);
    s->size = (size_t)s->call.size();
    s->memory = malloc(s->size);
    s->before = malloc(s->size);
    s->seen = calloc(2 * u + k + 1 + 2 * n + u + registers + 1, sizeof *s->seen);
    if (s->memory == NULL || s->before == NULL || s->seen == NULL) {
        return false;
    }
    s->seen_before = s->seen + u;
    s->k = s->seen_before + u;
    s->in = s->k + k;
    s->out = s->in + 1 + 2 * n;
    s->work = s->out + u;
    return true;
}

static crank_status open_code(const crank_inlined_source *source, crank_eom *eom, int copies,
                              crank_log log, crank_inlined **out, crank_error *err)
{
    /* constant but for translations that are made when they are asked for, under a lock */
    crank_dae_inline *self = (crank_dae_inline *)(uintptr_t)source;
    const mode *m = find_mode(self, copies);
    *out = NULL;
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
    s->base = (crank_inlined){.n = self->n,
                              .state = m->state,
                              .place = place,
                              .solve = solve,
                              .choose = choose,
                              .forget = forget,
                              .counts = counts,
                              .archive = archive,
                              .close = close_code};
    s->m = m;
    s->eom = eom;
    s->copies = copies;
    crank_status status = crank_compiled_load(m->source, self->cache, log, &s->compiled, err);
    if (status == CRANK_OK && !find_functions(s)) {
        status = crank_fail(err, CRANK_ECOMPILE, "the translated equations lack a function");
    }
    if (status == CRANK_OK && !take_room(s)) {
        status = no_memory(err);
    }
    if (status != CRANK_OK) {
        close_code(&s->base);
        return status;
    }
    s->call.init(s->memory);
    s->v = s->call.values(s->memory, PART_V);
    s->h = s->call.values(s->memory, PART_H);
    s->weight = s->call.values(s->memory, PART_WEIGHT);
    *out = &s->base;
    return CRANK_OK;
}

/* ---- the source ---- */

crank_status crank_dae_inline_create(crank_flat *flat, const crank_dae_equations *equations,
                                     const int *number, int n, const char *cache,
                                     crank_dae_inline **out, crank_error *err)
{
    crank_dae_inline *s = calloc(1, sizeof *s);
    *out = NULL;
    if (s == NULL) {
        return no_memory(err);
    }
    const size_t count = (size_t)flat->variable_count;
    int *kept = crank_store_take(&flat->store, count, sizeof *kept);
    char *copy = cache != NULL ? crank_store_copy(&flat->store, cache, strlen(cache)) : NULL;
    if (flat->store.failed || pthread_mutex_init(&s->lock, NULL) != 0) {
        free(s);
        return no_memory(err);
    }
    if (count > 0) {
        memcpy(kept, number, count * sizeof *kept);
    }
    s->source.open = open_code;
    s->flat = *flat;
    s->equations = *equations;
    s->number = kept;
    s->n = n;
    s->cache = copy;
    *flat = (crank_flat){0};
    *out = s;
    return CRANK_OK;
}

const crank_inlined_source *crank_dae_inline_source(const crank_dae_inline *self)
{
    return self != NULL ? &self->source : NULL;
}

void crank_dae_inline_destroy(crank_dae_inline *self)
{
    if (self == NULL) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        free(self->mode[i].source);
        crank_tape_destroy(self->mode[i].tape);
    }
    (void)pthread_mutex_destroy(&self->lock);
    crank_flat_free(&self->flat);
    free(self);
}
