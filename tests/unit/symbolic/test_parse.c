/* test_parse.c - the grammar, names, and every error with its text and place. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "sample_ex.h"

#include <stdio.h>

static crank_ex parse(crank_pool *pool, const char *text)
{
    crank_error err;
    crank_ex e = -1;
    CHECK_OK(crank_ex_parse(pool, text, 1, 1, NULL, NULL, &e, &err), err);
    return e;
}

typedef struct valued_text {
    const char *text;
    double value; /* at x = 2, y = 3 */
} valued_text;

static void the_grammar_binds_as_usual(void **state)
{
    static const valued_text list[] = {
        {"-x^2", -4},
        {"x^y^2", 512},
        {"x^-1", 0.5},
        {"2^-x^2", 0.0625},
        {"-x*y", -6},
        {"x - y - 1", -2},
        {"x/y/2", 1.0 / 3},
        {"x*y + 1", 7},
        {"(x + y)*2", 10},
        {"x < y", 1},
        {"x + 1 < y", 0},
        {"x + 1 <= y", 1},
        {"x >= y", 0},
        {"x == 2", 1},
        {"x != 2", 0},
        {"not x > y", 1},
        {"x > y or x < y", 1},
        {"1 or 0 and 0", 1},
        {"not 0 and 0", 0},
        {"if(x > y, 1, 2)", 2},
        {"+x", 2},
        {"--x", 2},
        {"2*-x", -4},
        {"1e3", 1000},
        {"1.5E-1", 0.15},
        {".5", 0.5},
        {"2.", 2},
        {"1e+2", 100},
        {"pi", 3.14159265358979311600},
        {"90 deg", 0.5 * 3.14159265358979311600},
        {"-x*45 deg", -0.5 * 3.14159265358979311600},
        {"x + 90 deg", 2 + 0.5 * 3.14159265358979311600},
        {"90 deg - x", 0.5 * 3.14159265358979311600 - 2},
        {"180/x deg", 0.5 * 3.14159265358979311600},
        {"180 deg/x", 0.5 * 3.14159265358979311600},
        {"3*y^x deg*2", 0.3 * 3.14159265358979311600},
        {"(1 + 89) deg", 0.5 * 3.14159265358979311600},
        {"2*sin(30 deg) + 1", 2},
        {"0 + 90 deg", 0.5 * 3.14159265358979311600},
        {"(2) + 90 deg", 2 + 0.5 * 3.14159265358979311600},
        {"x < 90 deg", 0},
        {"x < 120 deg", 1},
        {"min(x, y, 1)", 1},
        {"max(x, y, 9, 4)", 9},
        {"clamp(x, 3, 5)", 3},
        {"clamp(x, 0, 1)", 1},
        {"clamp(x, 0, 5)", 2},
        {"pow(x, y)", 8},
        {"abs(-x)", 2},
        {"fabs(-x)", 2},
        {"atan2(0, x)", 0},
        {"hypot(y, 4)", 5},
        {" x\t+\n y ", 5},
        {"(x)", 2},
        {"((x)) ", 2},
        {"sign(-y)", -1},
    };
    crank_pool *pool = crank_pool_create();
    const crank_ex symbols[2] = {crank_ex_symbol(pool, "x"), crank_ex_symbol(pool, "y")};
    const double values[2] = {2.0, 3.0};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const crank_ex e = parse(pool, list[i].text);
        const double value = sample_evaluate(pool, e, 2, symbols, values);
        CHECK_NEAR(value, list[i].value, 4e-16 * fabs(list[i].value));
    }
    crank_pool_destroy(pool);
}

static void all_functions_are_known(void **state)
{
    crank_pool *pool = crank_pool_create();
    const crank_ex x = crank_ex_symbol(pool, "x");
#define CHECK_FUNCTION(name, text)                                                             \
    assert_int_equal(parse(pool, text "(x)"), crank_ex_call(pool, CRANK_EX_##name, x, 0, 0));  \
    assert_true(crank_ex_is_reserved(text));
    CRANK_FUNCTION_LIST(CHECK_FUNCTION)
    assert_true(crank_ex_is_reserved("pi"));
    assert_true(crank_ex_is_reserved("if"));
    assert_true(crank_ex_is_reserved("and"));
    assert_true(crank_ex_is_reserved("clamp"));
    assert_false(crank_ex_is_reserved("t"));
    assert_false(crank_ex_is_reserved("sin2"));
    crank_pool_destroy(pool);
}

typedef struct bad_text {
    const char *text;
    int line, column;
    const char *message;
} bad_text;

static void errors_name_what_and_where(void **state)
{
    static const bad_text list[] = {
        {"", 1, 1, "the expression is empty"},
        {"  \n ", 1, 1, "the expression is empty"},
        {"x +", 1, 4, "expected a number, a name or \"(\" at the end of the expression"},
        {"x +  \n", 1, 4, "expected a number, a name or \"(\" at the end of the expression"},
        {"x + * y", 1, 5, "expected a number, a name or \"(\" before \"*\""},
        {"(x + y", 1, 1, "\"(\" is never closed"},
        {"2*((x + y)", 1, 3, "\"(\" is never closed"},
        {"x + y)", 1, 6, "\")\" without \"(\""},
        {"x y", 1, 3, "expected an operator before \"y\""},
        {"(x y)", 1, 4, "expected an operator or \")\" before \"y\""},
        {"2x", 1, 1, "\"2x\" is no number; a product is written 2*x"},
        {"1.2.3", 1, 1, "\"1.2.3\" is no number"},
        {"30deg", 1, 1, "\"30deg\" is no number; degrees are written 30 deg"},
        {"2 + 1.5e1°", 1, 10, "unexpected character \"°\"; degrees are written 1.5e1 deg"},
        {"(x + 1)°", 1, 8, "unexpected character \"°\"; degrees are written (...) deg"},
        {"30 deg deg", 1, 8, "expected an operator before \"deg\""},
        {"deg 30", 1, 5, "expected an operator before \"30\""},
        {"30 deg^2", 1, 7, "expected an operator before \"^\""},
        {"x - 10 + 30 deg", 1, 5,
         "10 stands in a sum with an angle in degrees, and deg holds for the term that it "
         "follows; write 10 deg, (... + ...) deg or, if radians are meant, (10)"},
        {"30 deg + x - 10", 1, 14,
         "10 stands in a sum with an angle in degrees, and deg holds for the term that it "
         "follows; write 10 deg, (... + ...) deg or, if radians are meant, (10)"},
        {"1e", 1, 1, "\"1e\" is no number; a product is written 1*e"},
        {"x + 1e999", 1, 5, "\"1e999\" is out of range"},
        {"sinn(x)", 1, 1, "unknown function \"sinn\"; did you mean \"sin\"?"},
        {"1 + ln(x)", 1, 5, "unknown function \"ln\"; did you mean \"log\"?"},
        {"frobnicate(x)", 1, 1, "unknown function \"frobnicate\""},
        {"x*sin(x, y)", 1, 3, "\"sin\" takes 1 argument, not 2"},
        {"atan2(x)", 1, 1, "\"atan2\" takes 2 arguments, not 1"},
        {"if(x, y)", 1, 1, "\"if\" takes 3 arguments, not 2"},
        {"min(x)", 1, 1, "\"min\" takes at least 2 arguments, not 1"},
        {"sin()", 1, 1, "\"sin\" takes 1 argument, not 0"},
        {"sin(x", 1, 6, "expected \",\" or \")\" at the end of the expression"},
        {"sin(x y)", 1, 7, "expected \",\" or \")\" before \"y\""},
        {"min(x,)", 1, 7, "expected a number, a name or \"(\" before \")\""},
        {"1 + sin", 1, 5, "\"sin\" is a function: write sin(...)"},
        {"a < b < c", 1, 7, "comparisons cannot be chained: write a < b and b < c"},
        {"x = y", 1, 3,
         "unexpected \"=\": write a - b for an equation a = b (what is zero is written), == to "
         "compare"},
        {"x ** 2", 1, 3, "unexpected \"**\": write ^ for a power"},
        {"a && b", 1, 3, "unexpected \"&&\": write and"},
        {"a || b", 1, 3, "unexpected \"||\": write or"},
        {"!a", 1, 1, "unexpected \"!\": write not"},
        {"2*|a|", 1, 3, "unexpected \"|\": write abs(x) for a size, or between conditions"},
        {"x $ y", 1, 3, "unexpected character \"$\""},
        {"x + \xc3\xa4 * y", 1, 5, "unexpected character \"\xc3\xa4\""},
        {"x \x01", 1, 3, "unexpected character \"\\x01\""},
        {"x +\n  y +\n  sinn(z)", 3, 3, "unknown function \"sinn\"; did you mean \"sin\"?"},
        {"x +\r\n\r\n y z", 3, 4, "expected an operator before \"z\""},
        {"and x", 1, 1, "expected a number, a name or \"(\" before \"and\""},
        {"x.y + .z", 1, 7, "unexpected character \".\""},
    };
    crank_pool *pool = crank_pool_create();
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        crank_error err = {.status = CRANK_OK};
        crank_ex e = -1;
        CHECK_STATUS(crank_ex_parse(pool, list[i].text, 1, 1, NULL, NULL, &e, &err),
                     CRANK_ESYNTAX);
        assert_string_equal(err.text, list[i].message);
        if (err.line != list[i].line || err.column != list[i].column) {
            print_error("\"%s\": line %d, column %d\n", list[i].text, err.line, err.column);
            fail();
        }
    }
    crank_pool_destroy(pool);
}

static void places_are_those_of_the_users_file(void **state)
{
    crank_pool *pool = crank_pool_create();
    crank_error err;
    crank_ex e;
    CHECK_STATUS(crank_ex_parse(pool, "x + $", 17, 30, NULL, NULL, &e, &err), CRANK_ESYNTAX);
    assert_int_equal(err.line, 17);
    assert_int_equal(err.column, 34);
    CHECK_STATUS(crank_ex_parse(pool, "x +\n $", 17, 30, NULL, NULL, &e, &err), CRANK_ESYNTAX);
    assert_int_equal(err.line, 18);
    assert_int_equal(err.column, 2);
    CHECK_STATUS(crank_ex_parse(pool, "x + $", 17, 30, NULL, NULL, &e, NULL), CRANK_ESYNTAX);
    crank_pool_destroy(pool);
}

typedef struct known_names {
    crank_pool *pool;
    int line, column; /* of the last name asked for */
} known_names;

static crank_ex resolve(const char *name, int line, int column, void *user, crank_error *err)
{
    known_names *known = user;
    known->line = line;
    known->column = column;
    if (strcmp(name, "lambda.length") == 0 || strcmp(name, "_x1") == 0) {
        return crank_ex_symbol(known->pool, name);
    }
    if (strcmp(name, "two") == 0) {
        return crank_ex_number(known->pool, 2.0);
    }
    if (strcmp(name, "silent") != 0) {
        crank_fail_at(err, CRANK_EMODEL, line, column, "no variable \"%s\"", name);
    }
    return -1;
}

static void names_are_resolved_with_their_place(void **state)
{
    known_names known = {.pool = crank_pool_create()};
    crank_error err;
    crank_ex e;
    CHECK_OK(crank_ex_parse(known.pool, "two + _x1 *\n  lambda.length", 3, 5, resolve, &known,
                            &e, &err),
             err);
    assert_int_equal(e, parse(known.pool, "2 + _x1*lambda.length"));
    assert_int_equal(known.line, 4);
    assert_int_equal(known.column, 3);
    CHECK_STATUS(crank_ex_parse(known.pool, "two + lenght", 3, 5, resolve, &known, &e, &err),
                 CRANK_EMODEL);
    assert_string_equal(err.text, "no variable \"lenght\"");
    assert_int_equal(err.line, 3);
    assert_int_equal(err.column, 11);
    CHECK_STATUS(crank_ex_parse(known.pool, "silent", 1, 1, resolve, &known, &e, &err),
                 CRANK_ESYNTAX);
    assert_string_equal(err.text, "unknown name \"silent\"");
    crank_pool_destroy(known.pool);
}

/* count times opening, then "x", then count times closing */
static void check_nesting(const char *opening, const char *closing, int count, bool good)
{
    crank_pool *pool = crank_pool_create();
    char text[4000] = "";
    for (int i = 0; i < count; i++) {
        strcat(text, opening);
    }
    strcat(text, "x");
    for (int i = 0; i < count; i++) {
        strcat(text, closing);
    }
    crank_error err = {.status = CRANK_OK};
    crank_ex e;
    const crank_status status = crank_ex_parse(pool, text, 1, 1, NULL, NULL, &e, &err);
    if (good) {
        CHECK_OK(status, err);
    } else {
        CHECK_STATUS(status, CRANK_ESYNTAX);
        assert_string_equal(err.text, "nested deeper than 200 levels");
    }
    crank_pool_destroy(pool);
}

static void nesting_is_limited(void **state)
{
    static const char *const list[][2] = {{"(", ")"}, {"-", ""},   {"sin(", ")"}, {"not ", ""},
                                          {"2^", ""}, {"(-", ")"}, {"(x + ", ")"}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        check_nesting(list[i][0], list[i][1], 90, true);
        check_nesting(list[i][0], list[i][1], 300, false);
    }
}

static void long_sums_need_no_depth(void **state)
{
    crank_pool *pool = crank_pool_create();
    const int terms = 20000;
    char *text = malloc(12 * (size_t)terms);
    assert_non_null(text);
    size_t length = 0;
    for (int i = 0; i < terms; i++) {
        length += (size_t)sprintf(text + length, "%sx%d", i == 0 ? "" : " + ", i);
    }
    const crank_ex e = parse(pool, text);
    assert_int_equal(crank_ex_symbols(pool, e, NULL, 0), terms);
    free(text);
    crank_pool_destroy(pool);
}

static void long_names_are_refused(void **state)
{
    crank_pool *pool = crank_pool_create();
    char text[300];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    crank_error err;
    crank_ex e;
    CHECK_STATUS(crank_ex_parse(pool, text, 1, 1, NULL, NULL, &e, &err), CRANK_ESYNTAX);
    CHECK_CONTAINS(err.text, "is longer than 255 characters");
    crank_pool_destroy(pool);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_grammar_binds_as_usual),
        cmocka_unit_test(all_functions_are_known),
        cmocka_unit_test(errors_name_what_and_where),
        cmocka_unit_test(places_are_those_of_the_users_file),
        cmocka_unit_test(names_are_resolved_with_their_place),
        cmocka_unit_test(nesting_is_limited),
        cmocka_unit_test(long_sums_need_no_depth),
        cmocka_unit_test(long_names_are_refused),
    };
    return CHECK_RUN(argc, argv, tests);
}
