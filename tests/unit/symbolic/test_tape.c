/* test_tape.c - the tape against the slow evaluator, for one and several points. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "sample_ex.h"

enum { POINTS = 7, OUTPUTS = SAMPLE_NODES + 3 };

static crank_ex parse(crank_pool *pool, const char *text)
{
    crank_error err;
    crank_ex e = -1;
    CHECK_OK(crank_ex_parse(pool, text, 1, 1, NULL, NULL, &e, &err), err);
    return e;
}

/* Outputs at count points against the slow evaluator; strides leave gaps that must stay
 * untouched. */
static void check_points(const crank_pool *pool, const crank_tape *tape,
                         const crank_ex *symbols, const crank_ex *outputs, int count,
                         uint64_t *seed)
{
    enum { IN = SAMPLE_SYMBOLS + 2, OUT = OUTPUTS + 3 };
    double in[POINTS * IN];
    double out[POINTS * OUT];
    for (int i = 0; i < count * IN; i++) {
        in[i] = sample_uniform(seed, -2.0, 2.0);
    }
    for (int i = 0; i < POINTS * OUT; i++) {
        out[i] = 1e300;
    }
    double *work = malloc((size_t)crank_tape_work_size(tape, count) * sizeof *work);
    assert_non_null(work);
    crank_tape_evaluate(tape, count, in, IN, out, OUT, work);
    free(work);
    for (int p = 0; p < POINTS; p++) {
        for (int i = 0; i < OUT; i++) {
            const double value = out[i + p * OUT];
            if (p >= count || i >= OUTPUTS) {
                CHECK_NEAR(value, 1e300, 0.0);
                continue;
            }
            const double slow =
                sample_evaluate(pool, outputs[i], SAMPLE_SYMBOLS, symbols, in + p * IN);
            /* the tape multiplies integer powers out: some ulp more */
            CHECK_NEAR(value, slow, 1e-12 * (1.0 + fabs(slow)));
        }
    }
}

static void tape_agrees_with_slow_evaluation(void **state)
{
    static const int counts[] = {1, 2, 3, 7, 4};
    uint64_t seed = 13;
    for (int round = 0; round < 60; round++) {
        crank_pool *pool = crank_pool_create();
        crank_ex outputs[OUTPUTS];
        crank_error err;
        crank_tape *tape;
        /* smooth: rounding must not flip a comparison or a floor */
        sample_list(pool, &seed, true, outputs);
        outputs[SAMPLE_NODES] = crank_ex_number(pool, 4.5);
        outputs[SAMPLE_NODES + 1] = outputs[SAMPLE_NODES - 1]; /* twice the same */
        outputs[SAMPLE_NODES + 2] = outputs[2];                /* an input */
        CHECK_OK(
            crank_tape_create(pool, SAMPLE_SYMBOLS, outputs, OUTPUTS, outputs, &tape, &err),
            err);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            check_points(pool, tape, outputs, outputs, counts[c], &seed);
        }
        crank_tape_destroy(tape);
        crank_pool_destroy(pool);
    }
}

/* Only the last expressions are outputs, so that instructions are merged and registers
 * reused. */
static void merged_instructions_agree_with_slow_evaluation(void **state)
{
    uint64_t seed = 17;
    for (int round = 0; round < 300; round++) {
        crank_pool *pool = crank_pool_create();
        crank_ex list[SAMPLE_NODES];
        crank_error err;
        crank_tape *tape;
        sample_list(pool, &seed, true, list);
        const crank_ex *outputs = list + SAMPLE_NODES - 2;
        CHECK_OK(crank_tape_create(pool, SAMPLE_SYMBOLS, list, 2, outputs, &tape, &err), err);
        double in[3 * SAMPLE_SYMBOLS];
        double out[6];
        double work[3 * 400];
        assert_true(crank_tape_work_size(tape, 3) <= 3 * 400);
        for (int i = 0; i < 3 * SAMPLE_SYMBOLS; i++) {
            in[i] = sample_uniform(&seed, -2.0, 2.0);
        }
        crank_tape_evaluate(tape, 3, in, SAMPLE_SYMBOLS, out, 2, work);
        for (int i = 0; i < 6; i++) {
            const double slow = sample_evaluate(pool, outputs[i % 2], SAMPLE_SYMBOLS, list,
                                                in + i / 2 * SAMPLE_SYMBOLS);
            CHECK_NEAR(out[i], slow, 1e-12 * (1.0 + fabs(slow)));
        }
        crank_tape_destroy(tape);
        crank_pool_destroy(pool);
    }
}

/* Every pattern that tape_select.c knows, and every operation that can jump, at chosen
 * points. */
static const char *const formulas[] = {
    "x + y",
    "x - y",
    "x*y",
    "x/y",
    "-x",
    "x^2",
    "x^3",
    "x^4",
    "x^7",
    "x^64",
    "x^65",
    "x^-2",
    "x^2.5",
    "x^y",
    "-(x*y)",
    "x*y + z",
    "x*y - z",
    "z - x*y",
    "x*y + z*t",
    "x*y - z*t",
    "x + y + z",
    "x + y - z",
    "(x - y) + z",
    "x - y - z",
    "x*y*z",
    "x*y*z + t",
    "x*y*z - t",
    "t - x*y*z",
    "x*y*z + t*y",
    "(x + y)*z",
    "(x - y)*z",
    "(y - x)*z*t",
    "sin(x)",
    "cos(y)",
    "sin(z) + cos(z)",
    "cos(t)*sin(t)",
    "sqrt(x)",
    "x^2 + y^2",
    "x^2 - y^2*z",
    "x^2*y",
    "if(x < y, x, y)",
    "if(y < x, x, y)",
    "if(x, y, z)",
    "if(0*x + floor(0.1*x), y, z)",
    "x < y",
    "x <= y",
    "x == y",
    "x != y",
    "x and y",
    "x or y",
    "not x",
    "min(x, y)",
    "max(x, y)",
    "sign(x)",
    "sign(-y)",
    "atan2(x, y)",
    "hypot(x, y)",
    "abs(x - y)",
    "floor(x)",
    "ceil(x)",
    "exp(x)",
    "log(x)",
    "tan(x)",
    "erf(x)",
    "2*x*y - 3*z",
    "-2*x - y",
    "1 - x",
    "3",
    "x*x*x*y*y*z",
    "(x + y)*(z + t)",
    "(x*y + z)*t",
    "t*(z - x*y)",
};
enum { FORMULAS = sizeof formulas / sizeof *formulas };

static void every_instruction_computes_its_formula(void **state)
{
    crank_pool *pool = crank_pool_create();
    static const char *const names[] = {"x", "y", "z", "t"};
    const double in[4] = {0.75, 1.375, 2.5, -0.625};
    crank_ex symbols[4];
    for (int i = 0; i < 4; i++) {
        symbols[i] = crank_ex_symbol(pool, names[i]);
    }
    for (int i = 0; i < FORMULAS; i++) { /* one by one: patterns merge only what is used once */
        crank_error err;
        crank_tape *tape;
        const crank_ex e = parse(pool, formulas[i]);
        CHECK_OK(crank_tape_create(pool, 4, symbols, 1, &e, &tape, &err), err);
        double work[50];
        double out;
        assert_true(crank_tape_work_size(tape, 1) <= 50);
        crank_tape_evaluate(tape, 1, in, 4, &out, 1, work);
        const double slow = sample_evaluate(pool, e, 4, symbols, in);
        CHECK_NEAR(out, slow, 1e-14 * fabs(slow)); /* x^64 is rounded a few times */
        crank_tape_destroy(tape);
    }
    crank_pool_destroy(pool);
}

static int instructions_of(crank_pool *pool, const char *text)
{
    crank_error err;
    crank_tape *tape;
    const crank_ex e = parse(pool, text);
    crank_ex symbols[8];
    const int count = crank_ex_symbols(pool, e, symbols, 8);
    CHECK_OK(crank_tape_create(pool, count, symbols, 1, &e, &tape, &err), err);
    const int instructions = crank_tape_instructions(tape);
    crank_tape_destroy(tape);
    return instructions - 1; /* the store */
}

static void instructions_are_merged(void **state)
{
    crank_pool *pool = crank_pool_create();
    assert_int_equal(instructions_of(pool, "x*y + z"), 1);
    assert_int_equal(instructions_of(pool, "z - x*y"), 1);
    assert_int_equal(instructions_of(pool, "x*y - z*t"), 1);
    assert_int_equal(instructions_of(pool, "x^2 + y^2"), 1);
    assert_int_equal(instructions_of(pool, "x*y*z"), 1);
    assert_int_equal(instructions_of(pool, "x*y*z - t"), 1);
    assert_int_equal(instructions_of(pool, "(x - y)*z"), 1);
    assert_int_equal(instructions_of(pool, "x + y - z"), 1);
    assert_int_equal(instructions_of(pool, "sin(x)*cos(x)"), 2);
    assert_int_equal(instructions_of(pool, "sin(x*y)*(x*y)"), 3); /* the shared product once */
    crank_pool_destroy(pool);
}

/* More outputs than are stored at once, each also an operand of a later one. */
static void many_outputs_are_stored(void **state)
{
    enum { COUNT = 300 };
    crank_pool *pool = crank_pool_create();
    crank_error err;
    crank_tape *tape;
    const crank_ex x = parse(pool, "x");
    crank_ex outputs[COUNT];
    outputs[0] = outputs[1] = x;
    for (int i = 2; i < COUNT; i++) {
        const crank_ex sine = crank_ex_call(pool, CRANK_EX_SIN, outputs[i - 2], 0, 0);
        const crank_ex shift = crank_ex_number(pool, 0.01 * i);
        outputs[i] = i % 3 == 0 ? crank_ex_call(pool, CRANK_EX_COS, outputs[i - 2], 0, 0)
                                : crank_ex_add(pool, crank_ex_mul(pool, sine, x), shift);
    }
    CHECK_OK(crank_tape_create(pool, 1, &x, COUNT, outputs, &tape, &err), err);
    double *work = malloc((size_t)crank_tape_work_size(tape, 3) * sizeof *work);
    assert_non_null(work);
    const double in[3] = {0.3, -0.7, 1.1};
    double out[3][COUNT];
    crank_tape_evaluate(tape, 3, in, 1, out[0], COUNT, work);
    for (int p = 0; p < 3; p++) {
        double v[COUNT] = {in[p], in[p]};
        for (int i = 2; i < COUNT; i++) {
            v[i] = i % 3 == 0 ? cos(v[i - 2]) : sin(v[i - 2]) * in[p] + 0.01 * i;
            CHECK_NEAR(out[p][i], v[i], 1e-13 * (1.0 + fabs(v[i])));
        }
    }
    free(work);
    crank_tape_destroy(tape);
    crank_pool_destroy(pool);
}

static void nan_is_not_hidden_by_min_max_sign(void **state)
{
    crank_pool *pool = crank_pool_create();
    crank_error err;
    crank_tape *tape;
    const crank_ex s[2] = {parse(pool, "x"), parse(pool, "y")};
    const crank_ex outputs[3] = {parse(pool, "min(x, y)"), parse(pool, "max(x, y)"),
                                 parse(pool, "sign(x) + sign(y)")};
    CHECK_OK(crank_tape_create(pool, 2, s, 3, outputs, &tape, &err), err);
    for (int i = 0; i < 2; i++) {
        double in[2] = {1.0, 1.0};
        double out[3];
        double work[50];
        in[i] = (double)NAN;
        crank_tape_evaluate(tape, 1, in, 2, out, 3, work);
        assert_true(isnan(out[0]) && isnan(out[1]) && isnan(out[2]));
    }
    crank_tape_destroy(tape);
    crank_pool_destroy(pool);
}

static void a_symbol_that_is_no_input_is_refused_by_name(void **state)
{
    crank_pool *pool = crank_pool_create();
    crank_error err;
    crank_tape *tape;
    const crank_ex x = parse(pool, "x");
    const crank_ex e = parse(pool, "x*speed");
    CHECK_STATUS(crank_tape_create(pool, 1, &x, 1, &e, &tape, &err), CRANK_EARG);
    assert_null(tape);
    assert_string_equal(err.text, "\"speed\" is not among the inputs");
    CHECK_STATUS(crank_tape_create(pool, 1, &e, 1, &e, &tape, &err), CRANK_EARG);
    crank_pool_destroy(pool);
}

static void empty_and_constant_tapes_work(void **state)
{
    crank_pool *pool = crank_pool_create();
    crank_error err;
    crank_tape *tape;
    double work[4];
    double out[4] = {7, 7, 7, 7};
    CHECK_OK(crank_tape_create(pool, 0, NULL, 0, NULL, &tape, &err), err);
    crank_tape_evaluate(tape, 1, NULL, 0, NULL, 0, work);
    crank_tape_destroy(tape);
    const crank_ex e[2] = {parse(pool, "3"), parse(pool, "1/0")};
    CHECK_OK(crank_tape_create(pool, 0, NULL, 2, e, &tape, &err), err);
    assert_true(crank_tape_work_size(tape, 1) <= 4);
    crank_tape_evaluate(tape, 1, NULL, 0, out, 2, work);
    CHECK_NEAR(out[0], 3.0, 0.0);
    assert_true(isinf(out[1]));
    crank_tape_destroy(tape);
    crank_tape_destroy(NULL);
    crank_pool_destroy(pool);
}

static void registers_are_reused(void **state)
{
    crank_pool *pool = crank_pool_create();
    crank_error err;
    crank_tape *tape;
    const crank_ex x = parse(pool, "x");
    crank_ex e = x;
    for (int i = 0; i < 100000; i++) { /* also: no recursion */
        e = crank_ex_call(pool, CRANK_EX_ATAN, crank_ex_add(pool, e, x), 0, 0);
    }
    CHECK_OK(crank_tape_create(pool, 1, &x, 1, &e, &tape, &err), err);
    assert_true(crank_tape_instructions(tape) > 100000);
    assert_true(crank_tape_work_size(tape, 1) <= 4);
    double work[4];
    double out;
    const double in = 0.3;
    crank_tape_evaluate(tape, 1, &in, 1, &out, 1, work);
    double expected = in;
    for (int i = 0; i < 100000; i++) {
        expected = atan(expected + in);
    }
    CHECK_NEAR(out, expected, 0.0);
    crank_tape_destroy(tape);
    crank_pool_destroy(pool);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tape_agrees_with_slow_evaluation),
        cmocka_unit_test(merged_instructions_agree_with_slow_evaluation),
        cmocka_unit_test(every_instruction_computes_its_formula),
        cmocka_unit_test(instructions_are_merged),
        cmocka_unit_test(many_outputs_are_stored),
        cmocka_unit_test(nan_is_not_hidden_by_min_max_sign),
        cmocka_unit_test(a_symbol_that_is_no_input_is_refused_by_name),
        cmocka_unit_test(empty_and_constant_tapes_work),
        cmocka_unit_test(registers_are_reused),
    };
    return CHECK_RUN(argc, argv, tests);
}
