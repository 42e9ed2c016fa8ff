/* test_parser.c - syntax of Modelica: trees, and what is said about mistakes. */
// SPDX-License-Identifier: BSD-3-Clause
#include "flatten.h"

static void expressions_bind_as_in_the_language(void **state)
{
    /* the value of a parameter, as an expression of others */
    static const struct {
        const char *text;
        double value;
    } list[] = {{"-2^2", -4},          {"2*3 + 4", 10},
                {"2 - 3 - 4", -5},     {"12/3/2", 2},
                {"-(1 - 3)", 2},       {"if false then 1 elseif true then 2 else 3", 2},
                {"sum({1, 2, 3})", 6}, {"(1 + 2)*3", 9},
                {"2^-1", 0},           {"max(1, 2) - 1", 1},
                {"sum(2:2:6)", 12},    {"size([1, 2; 3, 4], 2)", 2}};
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char text[200];
        if (strcmp(list[i].text, "2^-1") == 0) { /* a sign needs brackets there */
            check_refused("model M\n  parameter Real p = 2^-1;\nend M;\n", 2, 24,
                          "\"-\" where an expression is expected");
            continue;
        }
        (void)snprintf(text, sizeof text, "model M\n  parameter Real p = %s;\nend M;\n",
                       list[i].text);
        flattened f = flatten(text);
        CHECK_NEAR(f.flat.parameter[0].number, list[i].value, 1e-15);
        flatten_close(&f);
    }
}

static void long_sums_need_no_deep_stack(void **state)
{
    crank_text text = {0};
    (void)state;
    crank_text_append(&text, "model M\n  parameter Real p = 0");
    for (int i = 0; i < 20000; i++) {
        crank_text_append(&text, " + 1");
    }
    crank_text_append(&text, ";\nend M;\n");
    flattened f = flatten(text.data);
    CHECK_NEAR(f.flat.parameter[0].number, 20000.0, 0.0);
    flatten_close(&f);
    crank_text_free(&text);
}

static void deep_nesting_is_refused(void **state)
{
    static const char *const open[] = {"(", "{", "[", "f(", "if x then ", "-("};
    (void)state;
    for (size_t k = 0; k < sizeof open / sizeof *open; k++) {
        crank_text text = {0};
        crank_error err = {0};
        flattened f;
        const crank_mo_options options = {0};
        crank_text_append(&text, "model M\n  parameter Real p = ");
        for (int i = 0; i < 100000; i++) {
            crank_text_append(&text, "%s", open[k]);
        }
        CHECK_STATUS(flatten_with(text.data, &options, &f, &err), CRANK_ESYNTAX);
        CHECK_CONTAINS(err.text, "nested more than 200 deep");
        flatten_close(&f);
        crank_text_free(&text);
    }
}

static void mistakes_are_told_with_their_place(void **state)
{
    (void)state;
    check_refused("model M\n  Real x\nend M;\n", 3, 1,
                  "\"end\" where \";\" behind a declaration");
    check_refused("model M\nequation\n  x = ;\nend M;\n", 3, 7,
                  "\";\" where an expression is expected");
    check_refused("model M\nequation\n  x := 1;\nend M;\n", 3, 5,
                  "\":=\" where \"=\" is expected");
    check_refused("model M\nalgorithm\n  x = 1;\nend M;\n", 3, 5,
                  "\"=\" where \":=\" is expected");
    check_refused("model M\nend N;\n", 2, 5,
                  "\"N\" where \"end M;\" (begun in line 1) is expected");
    check_refused("model M\n  Real x;", 2, 10, "the file ends where");
    check_refused("Real x;\n", 1, 1, "\"Real\" where model, package or another class");
    check_refused("model M\n  Real x;\n  Real x;\nend M;\n", 3, 8, "\"x\" is declared twice");
    check_refused("model M\n  Real x(start = 1, start = 2);\nend M;\n", 2, 21,
                  "\"start\" is modified twice");
    check_refused("model M\nequation\n  if true then\n    x = 1;\n  end for;\nend M;\n", 5, 7,
                  "\"for\" where \"if\" behind \"end\"");
    check_refused("model M\n  parameter Real p = f(a = 1, 2);\nend M;\n", 2, 31,
                  "a named argument");
    check_refused("", 0, 0, "there is no model in this file");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_bind_as_in_the_language),
        cmocka_unit_test(long_sums_need_no_deep_stack),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(mistakes_are_told_with_their_place),
    };
    return CHECK_RUN(argc, argv, tests);
}
