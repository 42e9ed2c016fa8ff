/* reduction_bench.h - a random system with its decomposition, for the tests of reductions. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_REDUCTION_BENCH_H
#define CRANK_TESTS_REDUCTION_BENCH_H

#include "check.h"
#include "formulate/reduction.h"
#include "unit/formulate/random_system.h"

typedef struct variant {
    crank_algebraic_decomposition algebraic;
    crank_differential_decomposition differential;
    crank_selector_source source;
} variant;

typedef struct bench {
    random_system system;
    crank_statistics statistics;
    crank_reduction *reduction;
    double weight[SYSTEM_MAX]; /* of the columns, one */
    double unit[SYSTEM_MAX];   /* the same */
    char log[400];             /* last message */
} bench;

static inline void keep_message(crank_level level, const char *text, void *user)
{
    bench *b = user;
    (void)level;
    strncpy(b->log, text, sizeof b->log - 1);
}

static inline crank_reduction_setup setup(bench *b, crank_form form, const variant *v)
{
    crank_reduction_setup s = {.eom = b->system.eom,
                               .form = form,
                               .options = crank_options_default(),
                               .log = {.write = keep_message, .user = b},
                               .column_weight = b->weight,
                               .unit = b->unit,
                               .statistics = &b->statistics};
    for (int j = 0; j < SYSTEM_MAX; j++) {
        b->weight[j] = b->unit[j] = 1.0;
    }
    if (v != NULL) {
        s.options.algebraic = v->algebraic;
        s.options.differential = v->differential;
        s.options.selector_source = v->source;
    }
    crank_reduction_setup_windows(&s);
    return s;
}

static inline crank_status decompose(bench *b, bool first, crank_error *err)
{
    return b->reduction->decompose(b->reduction, b->system.jacobian,
                                   random_system_mass(&b->system), first, err);
}

/* v == NULL: sparse */
static inline crank_status try_begin(bench *b, crank_form form, const variant *v,
                                     crank_error *err)
{
    const crank_reduction_setup s = setup(b, form, v);
    b->statistics = (crank_statistics){0};
    b->log[0] = '\0';
    CHECK_OK(v != NULL ? crank_reduction_dense_create(&s, &b->reduction, err)
                       : crank_reduction_sparse_create(&s, &b->reduction, err),
             *err);
    return decompose(b, true, err);
}

static inline void begin(bench *b, crank_form form, const variant *v)
{
    crank_error err = {0};
    CHECK_OK(try_begin(b, form, v, &err), err);
}

static inline void end(bench *b)
{
    b->reduction->destroy(b->reduction);
    b->reduction = NULL;
}

#endif
