/* test_derivative.c - derivatives against central differences; directions, gradients,
 * substitution. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "sample_ex.h"

/* Central differences with step h are off by h^2 f'''/6 + eps |f|/h; h = 1e-5 balances both
 * at about 1e-10, and derivatives of the samples are of order 1 to 100. */
static const double step = 1e-5;
static const double tolerance = 1e-7;

static crank_ex parse(crank_pool *pool, const char *text)
{
    crank_error err;
    crank_ex e = -1;
    CHECK_OK(crank_ex_parse(pool, text, 1, 1, NULL, NULL, &e, &err), err);
    return e;
}

static double difference(const crank_pool *pool, crank_ex e, int count, const crank_ex *symbols,
                         const double *values, int which)
{
    double moved[SAMPLE_SYMBOLS];
    memcpy(moved, values, (size_t)count * sizeof *moved);
    moved[which] = values[which] + step;
    const double plus = sample_evaluate(pool, e, count, symbols, moved);
    moved[which] = values[which] - step;
    const double minus = sample_evaluate(pool, e, count, symbols, moved);
    return (plus - minus) / (2.0 * step);
}

typedef struct rule {
    const char *text;
    double low, high; /* range of x and y */
} rule;

static void every_rule_agrees_with_differences(void **state)
{
    static const rule rules[] = {
        {"x + 3*y", -2, 2},
        {"x*y", -2, 2},
        {"x/y", 0.5, 2},
        {"-x*y", -2, 2},
        {"x^5", -2, 2},
        {"x^-3", 0.5, 2},
        {"x^2.5", 0.5, 2},
        {"x^y", 0.5, 2},
        {"2^x", -2, 2},
        {"atan2(x, y)", 0.5, 2},
        {"hypot(x, y)", 0.5, 2},
        {"min(x, 2*y)", 0.5, 0.9},
        {"min(3*x, y)", 0.5, 1},
        {"max(x, 2*y)", 0.5, 0.9},
        {"max(3*x, y)", 0.5, 1},
        {"if(x < 5, x^2, y)", -2, 2},
        {"if(x > 5, x^2, y^3)", -2, 2},
        {"sin(x*y)", -2, 2},
        {"cos(x*y)", -2, 2},
        {"tan(x)", -1, 1},
        {"asin(x)", -0.9, 0.9},
        {"acos(x)", -0.9, 0.9},
        {"atan(x*y)", -2, 2},
        {"sinh(x)", -2, 2},
        {"cosh(x)", -2, 2},
        {"tanh(x)", -2, 2},
        {"asinh(x)", -2, 2},
        {"acosh(x)", 1.5, 3},
        {"atanh(x)", -0.8, 0.8},
        {"exp(x*y)", -1, 1},
        {"log(x)", 0.5, 2},
        {"log10(x)", 0.5, 2},
        {"sqrt(x)", 0.5, 2},
        {"cbrt(x)", 0.5, 2},
        {"abs(x)", 0.5, 2},
        {"abs(x)", -2, -0.5},
        {"sign(x)*y", 0.5, 2},
        {"floor(x)*y", 0.1, 0.9},
        {"ceil(x)*y", 0.1, 0.9},
        {"erf(x)", -2, 2},
        {"log1p(x)", -0.5, 2},
        {"expm1(x)", -2, 2},
        {"(x < y)*x", 2, 3},
        {"clamp(x, 0, 1)*y", 0.1, 0.9},
        {"(x and y)*x", 2, 3},
        {"(not x)*y + x", 2, 3},
    };
    crank_pool *pool = crank_pool_create();
    uint64_t seed = 3;
    const crank_ex symbols[2] = {crank_ex_symbol(pool, "x"), crank_ex_symbol(pool, "y")};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const crank_ex e = parse(pool, rules[i].text);
        for (int trial = 0; trial < 20; trial++) {
            double values[2];
            values[0] = sample_uniform(&seed, rules[i].low, rules[i].high);
            values[1] = sample_uniform(&seed, rules[i].low, rules[i].high);
            for (int j = 0; j < 2; j++) {
                const crank_ex d = crank_ex_derivative(pool, e, symbols[j]);
                const double exact = sample_evaluate(pool, d, 2, symbols, values);
                const double approximate = difference(pool, e, 2, symbols, values, j);
                CHECK_NEAR(exact, approximate, tolerance * (1.0 + fabs(exact)));
            }
        }
    }
    crank_pool_destroy(pool);
}

static void random_smooth_expressions_agree_with_differences(void **state)
{
    uint64_t seed = 5;
    for (int round = 0; round < 30; round++) {
        crank_pool *pool = crank_pool_create();
        crank_ex list[SAMPLE_NODES];
        sample_list(pool, &seed, true, list);
        double values[SAMPLE_SYMBOLS];
        for (int i = 0; i < SAMPLE_SYMBOLS; i++) {
            values[i] = sample_uniform(&seed, -1.0, 1.0);
        }
        const crank_ex e = list[15];
        for (int j = 0; j < SAMPLE_SYMBOLS; j++) {
            const crank_ex d = crank_ex_derivative(pool, e, list[j]);
            const double exact = sample_evaluate(pool, d, SAMPLE_SYMBOLS, list, values);
            const double value = sample_evaluate(pool, e, SAMPLE_SYMBOLS, list, values);
            const double approximate = difference(pool, e, SAMPLE_SYMBOLS, list, values, j);
            CHECK_NEAR(exact, approximate,
                       10.0 * tolerance * (1.0 + fabs(exact) + fabs(value)));
        }
        crank_pool_destroy(pool);
    }
}

static void known_derivatives_have_their_usual_form(void **state)
{
    static const char *const list[][2] = {
        {"x^3", "3*x^2"},
        {"a*x^2 + b*x + c", "2*(a*x) + b"},
        {"sin(x)", "cos(x)"},
        {"cos(2*x)", "-2*sin(2*x)"},
        {"1/x", "-(1/x/x)"},
        {"sqrt(x)", "0.5/sqrt(x)"},
        {"y", "0"},
        {"sign(x)", "0"},
        {"floor(x)", "0"},
        {"ceil(x)", "0"},
        {"x < y", "0"},
        {"abs(x)", "sign(x)"},
        {"min(x, y)", "if(x < y, 1, 0)"},
        {"if(y < 0, x^2, x)", "if(y < 0, 2*x, 1)"},
        {"x^y", "y*x^(y - 1)"},
        {"exp(x)", "exp(x)"},
    };
    crank_pool *pool = crank_pool_create();
    const crank_ex x = crank_ex_symbol(pool, "x");
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const crank_ex d = crank_ex_derivative(pool, parse(pool, list[i][0]), x);
        if (d != parse(pool, list[i][1])) {
            char text[200];
            crank_ex_print(pool, d, text, sizeof text);
            print_error("(%s)' = %s, not %s\n", list[i][0], text, list[i][1]);
            fail();
        }
    }
    crank_pool_destroy(pool);
}

static void directional_derivative_is_the_sum_of_partial_ones(void **state)
{
    uint64_t seed = 11;
    for (int round = 0; round < 30; round++) {
        crank_pool *pool = crank_pool_create();
        crank_ex list[SAMPLE_NODES];
        sample_list(pool, &seed, true, list);
        double values[SAMPLE_SYMBOLS];
        crank_ex directions[SAMPLE_SYMBOLS];
        for (int i = 0; i < SAMPLE_SYMBOLS; i++) {
            values[i] = sample_uniform(&seed, -1.0, 1.0);
            directions[i] = list[SAMPLE_SYMBOLS + i];
        }
        directions[1] = crank_ex_number(pool, 0.0);
        crank_ex derivatives[SAMPLE_NODES];
        crank_ex_directional_all(pool, 20, list, SAMPLE_SYMBOLS, list, directions, derivatives);
        for (int k = 0; k < 20; k++) {
            crank_ex gradient[SAMPLE_SYMBOLS];
            crank_ex_gradient(pool, list[k], SAMPLE_SYMBOLS, list, gradient);
            double sum = 0.0;
            double size = 1.0;
            for (int i = 0; i < SAMPLE_SYMBOLS; i++) {
                const crank_ex d = crank_ex_derivative(pool, list[k], list[i]);
                const double partial = sample_evaluate(pool, d, SAMPLE_SYMBOLS, list, values);
                const double backward =
                    sample_evaluate(pool, gradient[i], SAMPLE_SYMBOLS, list, values);
                const double direction =
                    sample_evaluate(pool, directions[i], SAMPLE_SYMBOLS, list, values);
                CHECK_NEAR(backward, partial, 1e-11 * (1.0 + fabs(partial)));
                sum += partial * direction;
                size += fabs(partial * direction);
            }
            const crank_ex one =
                crank_ex_directional(pool, list[k], SAMPLE_SYMBOLS, list, directions);
            assert_int_equal(one, derivatives[k]);
            const double value = sample_evaluate(pool, one, SAMPLE_SYMBOLS, list, values);
            CHECK_NEAR(value, sum, 1e-11 * size); /* rounding of some hundred operations */
        }
        crank_pool_destroy(pool);
    }
}

static void substitution_is_simultaneous(void **state)
{
    crank_pool *pool = crank_pool_create();
    const crank_ex s[2] = {parse(pool, "x"), parse(pool, "y")};
    const crank_ex swapped[2] = {s[1], s[0]};
    assert_int_equal(crank_ex_substitute(pool, parse(pool, "x - 2*y"), 2, s, swapped),
                     parse(pool, "y - 2*x"));
    const crank_ex r[2] = {parse(pool, "3"), parse(pool, "x + z")};
    assert_int_equal(crank_ex_substitute(pool, parse(pool, "x*y + sin(z)"), 2, s, r),
                     parse(pool, "3*(x + z) + sin(z)"));
    const crank_ex unchanged = parse(pool, "sin(z)^2");
    assert_int_equal(crank_ex_substitute(pool, unchanged, 2, s, r), unchanged);
    assert_int_equal(crank_ex_substitute(pool, parse(pool, "x^2"), 2, s, r), parse(pool, "9"));
    assert_int_equal(crank_ex_substitute(pool, parse(pool, "if(x < y, 1, z)"), 2, s, r),
                     parse(pool, "if(3 < x + z, 1, z)"));
    crank_pool_destroy(pool);
}

/* The chain of 1000 nodes is differentiated for the last term only: its cost must not be
 * that of the pool. Counted in nodes made, which is what takes the time. */
static void a_derivative_costs_only_its_own_subexpression(void **state)
{
    crank_pool *pool = crank_pool_create();
    crank_ex chain = parse(pool, "x");
    for (int i = 0; i < 1000; i++) {
        chain = crank_ex_call(pool, CRANK_EX_SIN, chain, 0, 0);
    }
    const crank_ex e = parse(pool, "y^2*z");
    const int size = crank_pool_size(pool);
    (void)crank_ex_derivative(pool, e, parse(pool, "y"));
    assert_true(crank_pool_size(pool) - size < 10);
    crank_pool_destroy(pool);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_agrees_with_differences),
        cmocka_unit_test(random_smooth_expressions_agree_with_differences),
        cmocka_unit_test(known_derivatives_have_their_usual_form),
        cmocka_unit_test(directional_derivative_is_the_sum_of_partial_ones),
        cmocka_unit_test(substitution_is_simultaneous),
        cmocka_unit_test(a_derivative_costs_only_its_own_subexpression),
    };
    return CHECK_RUN(argc, argv, tests);
}
