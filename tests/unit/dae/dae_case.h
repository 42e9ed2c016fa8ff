/* dae_case.h - a DAE from texts, analysed; checks of its report.
 *
 *     dae_case c;
 *     dae_expect(&c, 3, "1|0|0; 0|0|x1; 0|0|0", "x1*x2; x2-1; x3-1", START(2, 1, 1),
 *                EXPECT(.nu = 2, .m1 = {2, 2, 3}, .a = 2, .d = 1, .d_index = 2, .s_index = 1));
 *     ...
 *     dae_end(&c);
 *
 * or dae_complete without numbers; dae_begin, changes of c.input, dae_run, dae_check one by
 * one. Variables are x1, x2, ..., as many as E has columns; rows end at ';', entries of E at
 * '|'. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_DAE_CASE_H
#define CRANK_TESTS_DAE_CASE_H

#include "check.h"

#include "dae/analysis.h"

#include <stdio.h>
#include <stdlib.h>

#define START(...)  ((const double[]){__VA_ARGS__})
#define EXPECT(...) (&(const dae_expected){__VA_ARGS__})

enum { DAE_MOST = 16 }; /* equations, variables */

typedef struct dae_case {
    crank_pool *pool;
    crank_dae_input input;
    crank_ex variable[DAE_MOST], E[DAE_MOST * DAE_MOST], k[DAE_MOST];
    double start[DAE_MOST];
    crank_dae_report *report; /* NULL: refused, see err */
    crank_status status;
    crank_error err;
} dae_case;

static inline crank_ex dae_parse(crank_pool *pool, const char *text, size_t length)
{
    char part[400];
    crank_error err = {0};
    crank_ex e = -1;
    assert_true(length < sizeof part);
    memcpy(part, text, length);
    part[length] = 0;
    CHECK_OK(crank_ex_parse(pool, part, 1, 1, NULL, NULL, &e, &err), err);
    return e;
}

/* Splits at the marks; returns the number of parts. */
static inline int dae_split(crank_pool *pool, const char *text, const char *marks, crank_ex *ex)
{
    int count = 0;
    while (*text != 0) {
        const size_t length = strcspn(text, marks);
        ex[count++] = dae_parse(pool, text, length);
        text += length + (text[length] != 0 ? 1 : 0);
    }
    return count;
}

/* Everything but the analysis; E and k NULL: filled in by the caller. */
static inline void dae_begin(dae_case *c, int variables, const char *E, const char *k,
                             const double *start)
{
    memset(c, 0, sizeof *c);
    c->pool = crank_pool_create();
    assert_non_null(c->pool);
    c->input = (crank_dae_input){.pool = c->pool,
                                 .variables = variables,
                                 .variable = c->variable,
                                 .E = c->E,
                                 .k = c->k,
                                 .start = c->start};
    for (int j = 0; j < variables; j++) {
        char name[16];
        (void)snprintf(name, sizeof name, "x%d", j + 1);
        c->variable[j] = crank_ex_symbol(c->pool, name);
        c->start[j] = start[j];
    }
    c->input.t = crank_ex_symbol(c->pool, "t");
    if (k != NULL) {
        c->input.equations = dae_split(c->pool, k, ";", c->k);
        assert_int_equal(dae_split(c->pool, E, "|;", c->E), c->input.equations * variables);
    }
}

static inline void dae_run(dae_case *c)
{
    c->status = crank_dae_analyse(&c->input, &c->report, &c->err);
}

static inline void dae_end(dae_case *c)
{
    crank_dae_report_destroy(c->report);
    crank_pool_destroy(c->pool);
}

static inline void dae_check_complete(const dae_case *c)
{
    CHECK_OK(c->status, c->err);
    if (c->report->outcome != CRANK_DAE_COMPLETE) {
        print_error("%s\n", c->report->reason);
    }
    assert_int_equal(c->report->outcome, CRANK_DAE_COMPLETE);
}

/* Numbers of a complete report; m2 = m - m1 and v = m - a - d follow. m1: nu + 1 numbers;
 * d_index -1: undefined; s_index -1: none. */
typedef struct dae_expected {
    int nu;
    int m1[8];
    int a, d;
    int d_index, s_index;
} dae_expected;

static inline void dae_check(const dae_case *c, const dae_expected *x)
{
    const crank_dae_report *r = c->report;
    dae_check_complete(c);
    const int m = c->input.equations, v = m - x->a - x->d;
    assert_int_equal(r->nu, x->nu);
    assert_int_equal(r->constraint_level, x->nu - 1);
    assert_int_equal(r->level_count, x->nu + 1);
    for (int i = 0; i <= x->nu; i++) {
        assert_int_equal(r->level[i].m1, x->m1[i]);
        assert_int_equal(r->level[i].m2, m - x->m1[i]);
    }
    assert_int_equal(r->algebraic, x->a);
    assert_int_equal(r->differential, x->d);
    assert_int_equal(r->vanishing, v);
    assert_int_equal(r->redundant_count, v);
    assert_int_equal(r->undetermined_count, c->input.variables - x->a - x->d);
    assert_int_equal(r->has_differentiation_index, x->d_index >= 0);
    if (x->d_index >= 0) {
        assert_int_equal(r->differentiation_index, x->d_index);
    } else {
        assert_true(strlen(r->differentiation_reason) > 0);
    }
    if (r->strangeness.found != (x->s_index >= 0)) {
        print_error("strangeness: %s\n", r->strangeness.reason);
    }
    assert_int_equal(r->strangeness.found, x->s_index >= 0);
    if (x->s_index >= 0) {
        assert_int_equal(r->strangeness.index, x->s_index);
        assert_int_equal(r->strangeness.a, x->a);
        assert_int_equal(r->strangeness.d, x->d);
        assert_int_equal(r->strangeness.v, v);
        assert_int_equal(r->strangeness.u, c->input.variables - x->a - x->d);
    }
}

static inline void dae_complete(dae_case *c, int variables, const char *E, const char *k,
                                const double *start)
{
    dae_begin(c, variables, E, k, start);
    dae_run(c);
    dae_check_complete(c);
}

static inline void dae_expect(dae_case *c, int variables, const char *E, const char *k,
                              const double *start, const dae_expected *x)
{
    dae_begin(c, variables, E, k, start);
    dae_run(c);
    dae_check(c, x);
}

/* The constraint of a level is this one, up to sign. */
static inline void dae_check_constraint(const dae_case *c, int level, int number,
                                        const char *text)
{
    char printed[400];
    const crank_ex expected = dae_parse(c->pool, text, strlen(text));
    const crank_ex ex = c->report->level[level].constraint[number].ex;
    if (ex != expected && ex != crank_ex_neg(c->pool, expected)) {
        (void)crank_ex_print(c->pool, ex, printed, sizeof printed);
        print_error("level %d: %s is not %s\n", level, printed, text);
        fail();
    }
}

#endif
