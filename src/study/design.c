/* design.c - points of a study: grids, lists, Latin hypercubes [MBC79], Sobol's sequence
 * (sobol.c). Random numbers are hashes of seed, factor and number: no state, so that members
 * may be taken in any order and anywhere. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/design.h"

#include "base/grow.h"
#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int64_t most = 100000000; /* members */

/* ---- random numbers ---- */

/* splitmix64's finisher, over three words */
static uint64_t random_bits(uint64_t seed, uint64_t factor, uint64_t i)
{
    uint64_t z = seed * 0x9e3779b97f4a7c15u + factor * 0xd1342543de82ef95u +
                 (i + 1) * 0x2545f4914f6cdd1du;
    for (int k = 0; k < 2; k++) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        z ^= z >> 31;
    }
    return z;
}

double crank_random_part(uint64_t seed, uint64_t stream, uint64_t i)
{
    return (double)(random_bits(seed, stream, i) >> 11) / 9007199254740992.0;
}

/* ---- what is varied ---- */

static crank_status bad(crank_error *err, const char *name, const char *range, const char *why)
{
    return crank_fail(err, CRANK_EARG, "vary %.80s: %.80s: %s", name, range, why);
}

/* A number up to the end character; *next behind it. false: it is none, or not finite. */
static bool read_number(const char *text, double *out, const char **next)
{
    const size_t length = strcspn(text, ":,");
    char copy[64];
    if (length == 0 || length >= sizeof copy) {
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    *next = text + length;
    return crank_number_parse(copy, out) && isfinite(*out);
}

static crank_status read_list(crank_design *d, crank_factor *f, const char *range,
                              crank_error *err)
{
    size_t count = 1;
    for (const char *c = range; *c != '\0'; c++) {
        count += *c == ',' ? 1 : 0;
    }
    double *values = crank_store_take(&d->store, count, sizeof *values);
    const char *next = range;
    if (values == NULL) {
        return crank_fail(err, CRANK_EMEM, "a study");
    }
    for (size_t i = 0; i < count; i++) {
        if (!read_number(next, &values[i], &next) || (*next != ',' && *next != '\0')) {
            return bad(err, f->name, range, "not a list of finite numbers, a,b,c");
        }
        next += *next == ',' ? 1 : 0;
    }
    f->values = values;
    f->count = (int64_t)count;
    f->from = values[0];
    f->to = values[count - 1];
    return CRANK_OK;
}

static crank_status read_range(crank_design *d, crank_factor *f, const char *range,
                               crank_error *err)
{
    const char *next = range;
    double count = 0.0;
    if (strchr(range, ':') == NULL) {
        return read_list(d, f, range, err);
    }
    if (!read_number(next, &f->from, &next) || *next != ':' ||
        !read_number(next + 1, &f->to, &next) ||
        (*next == ':' && !read_number(next + 1, &count, &next)) || *next != '\0') {
        return bad(err, f->name, range,
                   "bounds must be finite numbers, from:to:count or from:to");
    }
    if (strchr(strchr(range, ':') + 1, ':') != NULL &&
        (!(count >= 1.0) || count != floor(count) || count > (double)most)) {
        return bad(err, f->name, range, "the count must be a positive whole number");
    }
    f->count = (int64_t)count; /* 0: none given */
    return CRANK_OK;
}

crank_status crank_design_vary(crank_design *d, const char *name, const char *range,
                               crank_error *err)
{
    for (int i = 0; i < d->factor_count; i++) {
        if (strcmp(d->factor[i].name, name) == 0) {
            return crank_fail(err, CRANK_EARG, "vary %.80s: it is varied twice", name);
        }
    }
    crank_factor *more = crank_store_grow(&d->store, d->factor, d->factor_count, &d->capacity,
                                          sizeof *d->factor);
    const char *copy = crank_store_copy(&d->store, name, strlen(name));
    if (more == NULL || copy == NULL) {
        return crank_fail(err, CRANK_EMEM, "a study");
    }
    d->factor = more;
    d->factor[d->factor_count] = (crank_factor){.name = copy};
    const crank_status status = read_range(d, &d->factor[d->factor_count], range, err);
    d->factor_count += status == CRANK_OK ? 1 : 0;
    return status;
}

crank_status crank_design_sample(crank_design *d, const char *word, crank_error *err)
{
    static const char *const words[] = {"grid", "list", "latin", "sobol"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(word, words[i]) == 0) {
            d->sampling = (crank_sampling)i;
            return CRANK_OK;
        }
    }
    return crank_fail(err, CRANK_EARG, "sample: %.40s is none of grid, list, latin, sobol",
                      word);
}

/* ---- how many there are ---- */

/* Values in a random order, by Fisher and Yates. */
static bool shuffle(crank_design *d, int factor)
{
    crank_factor *f = &d->factor[factor];
    f->order = crank_store_take(&d->store, (size_t)d->count, sizeof *f->order);
    for (int64_t i = 0; i < d->count && f->order != NULL; i++) {
        const uint64_t bits = random_bits(d->seed, 2 * (uint64_t)factor + 1, (uint64_t)i);
        const int64_t j = (int64_t)(bits % (uint64_t)(i + 1));
        f->order[i] = f->order[j];
        f->order[j] = i;
    }
    return f->order != NULL;
}

static crank_status finish_combinations(crank_design *d, crank_error *err)
{
    int64_t total = 1;
    for (int i = 0; i < d->factor_count; i++) {
        const crank_factor *f = &d->factor[i];
        if (f->count == 0) {
            return crank_fail(err, CRANK_EARG,
                              "vary %.80s: how many values? from:to:count, or sample: latin or "
                              "sobol",
                              f->name);
        }
        if (d->sampling == CRANK_SAMPLE_LIST && i > 0 && f->count != d->factor[0].count) {
            return crank_fail(
                err, CRANK_EARG, "sample: list: %.80s has %lld values, %.80s has %lld", f->name,
                (long long)f->count, d->factor[0].name, (long long)d->factor[0].count);
        }
        total = d->sampling == CRANK_SAMPLE_LIST ? f->count
                : total <= most                  ? total * f->count
                                                 : total;
    }
    if (d->count != 0 && d->count != total) {
        return crank_fail(err, CRANK_EARG, "count: %lld, but there are %lld points",
                          (long long)d->count, (long long)total);
    }
    d->count = total;
    return CRANK_OK;
}

static crank_status finish_random(crank_design *d, crank_error *err)
{
    if (d->count < 1) {
        return crank_fail(err, CRANK_EARG,
                          "count: how many points? latin and sobol need a positive number");
    }
    if (d->sampling == CRANK_SAMPLE_SOBOL && d->factor_count > CRANK_SOBOL_DIMENSIONS) {
        return crank_fail(err, CRANK_EARG, "sample: sobol is for at most %d factors, not %d",
                          CRANK_SOBOL_DIMENSIONS, d->factor_count);
    }
    for (int i = 0; i < d->factor_count; i++) {
        if (d->factor[i].values != NULL) {
            return crank_fail(err, CRANK_EARG,
                              "vary %.80s: latin and sobol need a range, from:to",
                              d->factor[i].name);
        }
        if (d->count <= most && d->sampling == CRANK_SAMPLE_LATIN && !shuffle(d, i)) {
            return crank_fail(err, CRANK_EMEM, "a study of %lld members", (long long)d->count);
        }
    }
    return CRANK_OK;
}

crank_status crank_design_finish(crank_design *d, crank_error *err)
{
    if (d->factor_count == 0) {
        return crank_fail(err, CRANK_EARG, "the study is empty: nothing is varied");
    }
    const crank_status status =
        d->sampling >= CRANK_SAMPLE_LATIN ? finish_random(d, err) : finish_combinations(d, err);
    return status == CRANK_OK && d->count > most
               ? crank_fail(err, CRANK_EARG, "more than %lld members", (long long)most)
               : status;
}

/* ---- points ---- */

static double value_of(const crank_factor *f, int64_t k)
{
    if (f->values != NULL) {
        return f->values[k];
    }
    return f->count == 1 || k == 0 ? f->from
           : k == f->count - 1
               ? f->to
               : f->from + (f->to - f->from) * (double)k / (double)(f->count - 1);
}

static double part_of(const crank_design *d, int factor, int64_t i)
{
    if (d->sampling == CRANK_SAMPLE_LATIN) {
        const double within = crank_random_part(d->seed, 2 * (uint64_t)factor + 2, (uint64_t)i);
        return ((double)d->factor[factor].order[i] + within) / (double)d->count;
    }
    return crank_sobol(factor, i, d->seed != 0 ? random_bits(d->seed, (uint64_t)factor, 0) : 0);
}

void crank_design_point(const crank_design *d, int64_t i, double *values)
{
    int64_t rest = i;
    for (int j = d->factor_count - 1; j >= 0; j--) {
        const crank_factor *f = &d->factor[j];
        if (d->sampling >= CRANK_SAMPLE_LATIN) {
            values[j] = f->from + (f->to - f->from) * part_of(d, j, i);
        } else if (d->sampling == CRANK_SAMPLE_LIST) {
            values[j] = value_of(f, i);
        } else {
            values[j] = value_of(f, rest % f->count);
            rest /= f->count;
        }
    }
}

void crank_design_free(crank_design *d)
{
    crank_store_free(&d->store);
}
