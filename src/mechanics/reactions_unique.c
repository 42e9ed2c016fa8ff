/* reactions_unique.c - which components of reactions redundant constraints leave undetermined.
 *
 * With W = [gI_v; h_v], multipliers are determined up to the null space of W^T. A component c^T
 * lambda is unique iff c is orthogonal to it, theory (7.25), which is the case (with
 * probability one) iff c^T nu = 0 for a random null vector nu. With independent rows I, their
 * pivot columns P and dependent rows D, which sparse elimination finds,
 *     nu_D random,   W_IP^T nu_I = -W_DP^T nu_D                                   theory (7.26)
 * is one sparse solve, whatever the number of dependent rows; c^T nu is the reaction of the
 * multipliers nu, of an effort the component of nu itself. Asked for at every row of a result;
 * patterns are analysed anew only where pivots change. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/output.h"

#include "base/disjoint.h"
#include "eom/split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 2 };

static const double vanishing = 1e-7; /* relative: reactions below are rounding */
static const double rounding =
    1e-12; /* forces of multipliers beside the largest: what elimination leaves of zero */

struct crank_uniqueness {
    crank_split *split;
    double *point, *reaction; /* eom->n; components of all reactions */
};

typedef struct crank_split split;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "uniqueness of reactions");
}

/* ---- trees ---- */

bool crank_reactions_may_repeat(const crank_builder *b)
{
    const crank_mechanism *m = b->mechanism;
    for (int i = 0; i < b->holonomic.count; i++) {
        const crank_owner owner = b->holonomic.item[i].owner;
        if (owner.kind != CRANK_OWNER_JOINT || !b->reaction[owner.index].given) {
            return true;
        }
    }
    int *parent = b->nonholonomic.count > 0
                      ? NULL
                      : crank_store_take(b->store, (size_t)m->body_count + 1, sizeof *parent);
    if (parent == NULL) {
        return true;
    }
    for (int i = 0; i <= m->body_count; i++) {
        parent[i] = i; /* the last one is ground */
    }
    for (int i = 0; i < m->joint_count; i++) {
        const crank_reaction *r = &b->reaction[i];
        const int first = r->first >= 0 ? r->first : m->body_count;
        const int second = r->second >= 0 ? r->second : m->body_count;
        if (r->given && !crank_disjoint_join(parent, first, second)) {
            return true;
        }
    }
    return false;
}

/* ---- null vectors ---- */

/* what a multiplier of one exerts, in natural units */
static double exerted(const split *w, int row)
{
    return fmax(w->scale[row], w->natural[row]);
}

/* Only what is exactly zero tells that redundant drives leave all reactions unique: there is no
 * other to compare with. */
static void clean(const split *w, double *nu)
{
    double largest = 0.0;
    for (int i = 0; i < w->rows; i++) {
        largest = fmax(largest, fabs(nu[i]) * exerted(w, i));
    }
    for (int i = 0; i < w->rows; i++) {
        nu[i] = fabs(nu[i]) * exerted(w, i) > rounding * largest ? nu[i] : 0.0;
    }
}

static void null_vector(split *w, uint64_t *seed, double *nu)
{
    for (int i = 0; i < w->rows; i++) {
        if (w->pivot[i] < 0) {
            nu[i] = crank_random(seed) / exerted(w, i); /* forces of one size */
        }
    }
    crank_split_complete(w, nu);
    clean(w, nu);
}

/* ---- components ---- */

/* Moments count by the length of the mechanism: in micrometres they are a million times what
 * they are in metres, and forces beside them would look like rounding. */
static void mark(const crank_reactions *r, double *reaction, double length, double *unique)
{
    const int count = r->count * r->components,
              forces = r->components == CRANK_REACTION_MAX ? 3 : 2;
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
        reaction[i] /= i % r->components < forces ? 1.0 : length;
        largest = fmax(largest, fabs(reaction[i]));
    }
    for (int i = 0; i < count; i++) {
        if (fabs(reaction[i]) > vanishing * largest) {
            unique[i] = 0.0;
        }
    }
}

/* Efforts are multipliers: forces by the sizes of their rows. */
static void mark_efforts(const split *w, const crank_reactions *r, const double *nu,
                         double *unique)
{
    double largest = 0.0;
    for (int i = 0; i < w->rows; i++) {
        largest = fmax(largest, fabs(nu[i]) * exerted(w, i));
    }
    for (int i = 0; i < r->effort_count; i++) {
        const int k = r->effort[i];
        if (fabs(nu[k]) * exerted(w, k) > vanishing * largest) {
            unique[i] = 0.0;
        }
    }
}

static crank_status try_null_vectors(crank_uniqueness *w, const crank_reactions *r,
                                     crank_system *s, double t, const double *x, double *unique,
                                     crank_error *err)
{
    const crank_eom *eom = s->eom;
    uint64_t seed = CRANK_RANDOM_SEED;
    memcpy(w->point, x, (size_t)eom->n * sizeof *w->point);
    crank_system_point(s, t, x);
    for (int trial = 0; trial < TRIALS; trial++) {
        double *nu = w->point + eom->column[CRANK_LAMBDA];
        null_vector(w->split, &seed, nu);
        const crank_status status =
            crank_reactions_evaluate(r, s, t, w->point, true, w->reaction, err);
        if (status != CRANK_OK) {
            return status;
        }
        mark(r, w->reaction, eom->parts->length, unique);
        mark_efforts(w->split, r, nu, unique + r->count * r->components);
    }
    return CRANK_OK;
}

void crank_uniqueness_samples(crank_uniqueness *w, double *null, double *other)
{
    split *of = w->split;
    uint64_t seed = CRANK_RANDOM_SEED;
    double largest = 0.0;
    null_vector(of, &seed, null);
    for (int i = 0; i < of->rows; i++) {
        largest = fmax(largest, fabs(null[i]) * exerted(of, i));
    }
    for (int i = 0; i < of->rows; i++) {
        other[i] = crank_random(&seed) * largest / exerted(of, i);
    }
}

int crank_reactions_marks(const crank_reactions *r)
{
    return r->count * r->components + r->effort_count;
}

crank_status crank_reactions_unique(crank_uniqueness *w, const crank_reactions *r,
                                    crank_system *s, double t, const double *x, double *unique,
                                    bool *redundant, crank_error *err)
{
    for (int i = 0; i < crank_reactions_marks(r); i++) {
        unique[i] = 1.0;
    }
    const crank_status status = crank_split_find(w->split, s->eom, t, x, err);
    *redundant = w->split->redundant;
    return status == CRANK_OK && *redundant ? try_null_vectors(w, r, s, t, x, unique, err)
                                            : status;
}

const double *crank_reactions_share(crank_uniqueness *w, const crank_eom *eom, const double *x)
{
    return crank_split_share(w->split, eom, x);
}

void crank_uniqueness_archive(crank_uniqueness *w, crank_archive *a)
{
    crank_split_archive(w->split, a);
}

void crank_uniqueness_destroy(crank_uniqueness *w)
{
    if (w != NULL) {
        crank_split_destroy(w->split);
        free(w->point);
        free(w->reaction);
        free(w);
    }
}

crank_status crank_uniqueness_create(const crank_reactions *r, const crank_system *s,
                                     crank_uniqueness **out, crank_error *err)
{
    const size_t count = (size_t)r->count * (size_t)r->components;
    crank_uniqueness *w = calloc(1, sizeof *w);
    *out = NULL;
    if (w == NULL) {
        return no_memory(err);
    }
    w->point = calloc((size_t)s->eom->n + 1, sizeof *w->point);
    w->reaction = calloc(count + 1, sizeof *w->reaction);
    const crank_status status = w->point != NULL && w->reaction != NULL
                                    ? crank_split_create(s->eom, r->group, &w->split, err)
                                    : no_memory(err);
    if (status != CRANK_OK) {
        crank_uniqueness_destroy(w);
        return status;
    }
    *out = w;
    return CRANK_OK;
}
