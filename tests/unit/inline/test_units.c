/* test_units.c - units as texts, and warnings where they do not fit. */
// SPDX-License-Identifier: BSD-3-Clause
#include "unit/modelica/flatten.h"

#include "inline/passes.h"
#include "inline/unit.h"

static void check_same(const char *one, const char *other, bool same)
{
    crank_unit a, b;
    assert_true(crank_unit_parse(one, &a));
    assert_true(crank_unit_parse(other, &b));
    if (crank_unit_same(&a, &b) != same) {
        fail_msg("%s and %s", one, other);
    }
}

static void units_are_powers_of_the_base_units_and_a_factor(void **state)
{
    crank_unit u;
    char text[CRANK_UNIT_TEXT];
    (void)state;
    check_same("N.m", "J", true);
    check_same("N.m/rad", "J", true);
    check_same("V.A", "W", true);
    check_same("F.Ohm", "s", true);
    check_same("H/Ohm", "s", true);
    check_same("Wb/s", "V", true);
    check_same("T.m2", "Wb", true);
    check_same("S", "1/Ohm", true);
    check_same("Pa", "N/m2", true);
    check_same("bar", "Pa", false);
    check_same("C/V", "F", true);
    check_same("J/(kg.K)", "m2/(s2.K)", true);
    check_same("J/kg.K", "J/(kg.K)", false);
    check_same("kg.m.s-2", "N", true);
    check_same("kW.h", "J", false);
    check_same("kW.h", "MJ", false);
    check_same("min", "s", false);
    check_same("mm", "m", false);
    check_same("dam2", "m2", false);
    check_same("Hz", "1/s", true);
    check_same("deg/s", "rad/s", false);
    check_same("kat", "mol/s", true);
    check_same("kvar", "kW", true);
    check_same("degC", "K", true);
    check_same("degF", "K", false);
    check_same("rpm", "rev/min", true);
    check_same("Gy", "J/kg", true);
    check_same("MeV", "J", false);
    check_same("atm", "bar", false);
    static const char *const wrong[] = {"",  "x",   "m/", "(m",  "m)", "m-",
                                        "2", "N m", "kk", "m2.", "µm"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (crank_unit_parse(wrong[i], &u)) {
            fail_msg("\"%s\" is taken for a unit", wrong[i]);
        }
    }
    assert_true(crank_unit_parse("km/h", &u));
    assert_true(fabs(u.factor - 1.0 / 3.6) < 1e-15);
    assert_true(crank_unit_parse("N.m2", &u));
    assert_string_equal(crank_unit_print(&u, text), "m3.kg.s-2");
    assert_true(crank_unit_parse("rad", &u));
    assert_string_equal(crank_unit_print(&u, text), "1");
}

/* warnings of the equation among variables with units */
static void check_warning(const char *equation, const char *expected)
{
    crank_error err = {0};
    crank_text text = {0};
    char model[1000];
    int count = 0;
    (void)snprintf(
        model, sizeof model,
        "model M\n  parameter Real m(unit = \"kg\") = 1, c(unit = \"N/m\") = 2, n = 3;\n"
        "  Real x(unit = \"m\"), v(unit = \"m/s\"), f(unit = \"N\"), phi(unit = \"rad\"), y;\n"
        "equation\n  %s\nend M;\n",
        equation);
    flattened f = flatten(model);
    CHECK_OK(crank_flat_check_units(&f.flat, &text, &count, &err), err);
    const char *said = text.data != NULL ? text.data : "";
    if (count != (expected[0] != '\0') || strstr(said, expected) == NULL) {
        fail_msg("%s: %d warnings, %s, expected: %s", equation, count, said, expected);
    }
    crank_text_free(&text);
    flatten_close(&f);
}

static void sums_relations_and_functions_are_checked(void **state)
{
    (void)state;
    check_warning("der(x) = v;", "");
    check_warning("m*der(v) = f - c*x;", "");
    check_warning("f = m*v;", "line 5: f = m*v: units m.kg.s-2 and m.kg.s-1");
    check_warning("y = x + v;", "x + v: units m and m.s-1");
    check_warning("y = x + 2*v;", "units m and m.s-1");
    check_warning("y = sin(x);", "sin(x): the argument has the unit m");
    check_warning("y = sin(phi) + exp(v*time/x);", "");
    check_warning("y = if x > v then 1 else 2;", "units m and m.s-1");
    check_warning("x = if y > 1 then x else v;", "units m and m.s-1");
    check_warning("x = sqrt(f/c)*sqrt(f/c)*sqrt(x^2)/x;", "");
    check_warning("x = sqrt(f/c);", "units m and m0.5");
    check_warning("y = atan2(x, f);", "units m and m.kg.s-2");
    check_warning("y = 2^x;", "2^x");
    check_warning("f = 9.81*m;", ""); /* the number may be an acceleration */
    check_warning("f = n*m;", "");    /* a parameter without a unit */
    check_warning("x = 3 + x;", "");
    check_warning("der(v) = x/time^2;", "");
    check_warning("x = v/time;", "units m and m.s-2");
}

/* 1, 2 and 1/2 are factors without a unit, but not where they are constants that have one */
static void constants_keep_their_units(void **state)
{
    static const struct {
        const char *text;
        int count;
    } cases[] = {{"model M\n  constant Real one(unit = \"A\") = 1;\n  parameter Real R(unit = "
                  "\"Ohm\") = 3;\n"
                  "  Real s(unit = \"1\"), v(unit = \"V\");\nequation\n  v = s*one*R;\n  s = "
                  "1;\nend M;\n",
                  0},
                 {"model M\n  constant Real one(unit = \"A\") = 1;\n  parameter Real R(unit = "
                  "\"Ohm\") = 3;\n"
                  "  Real s(unit = \"1\"), v(unit = \"A\");\nequation\n  v = s*one*R;\n  s = "
                  "1;\nend M;\n",
                  1},
                 {"package C\n  constant Real g(unit = \"m/s2\") = 2;\nend C;\nmodel M\n"
                  "  Real t(unit = \"s\"), v(unit = \"m/s\");\nequation\n  v = C.g*t;\n  t = "
                  "time;\nend M;\n",
                  0},
                 {"model M\n  Real t(unit = \"s\"), v(unit = \"m/s\");\nequation\n  v = 2*t;\n "
                  " t = time;\n"
                  "end M;\n",
                  1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        crank_error err = {0};
        crank_text text = {0};
        int count = 0;
        flattened f = flatten(cases[i].text);
        CHECK_OK(crank_flat_check_units(&f.flat, &text, &count, &err), err);
        if (count != cases[i].count) {
            fail_msg("%s: %d warnings: %s", cases[i].text, count,
                     text.data != NULL ? text.data : "");
        }
        crank_text_free(&text);
        flatten_close(&f);
    }
}

static void units_that_are_not_known_are_told(void **state)
{
    crank_error err = {0};
    crank_text text = {0};
    int count = 0;
    (void)state;
    flattened f =
        flatten("model M\n  Real x(unit = \"furlong\");\nequation\n  x = 1;\nend M;\n");
    CHECK_OK(crank_flat_check_units(&f.flat, &text, &count, &err), err);
    assert_int_equal(count, 1);
    assert_string_equal(text.data, "line 2: x: the unit \"furlong\" is not known\n");
    crank_text_free(&text);
    flatten_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_powers_of_the_base_units_and_a_factor),
        cmocka_unit_test(sums_relations_and_functions_are_checked),
        cmocka_unit_test(constants_keep_their_units),
        cmocka_unit_test(units_that_are_not_known_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
