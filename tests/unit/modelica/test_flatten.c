/* test_flatten.c - models with components as flat equations. */
// SPDX-License-Identifier: BSD-3-Clause
#include "flatten.h"

static const char *const pins = "connector Pin\n"
                                "  Real v;\n"
                                "  flow Real i;\n"
                                "end Pin;\n";

static void connections_become_sums_and_equal_potentials(void **state)
{
    char text[1000];
    (void)state;
    (void)snprintf(text, sizeof text, "%s%s", pins,
                   "model A\n  Pin p;\nend A;\n"
                   "model B\n  Pin q;\n  A a;\nequation\n  connect(q, a.p);\nend B;\n"
                   "model M\n  B b;\n  A c, d;\nequation\n  connect(b.q, c.p);\nend M;\n");
    flattened f = flatten(text);
    /* inside B the connector q counts with the other sign; d.p is connected to nothing */
    const crank_flat *flat = &f.flat;
    assert_int_equal(flat->variable_count, 8);
    assert_int_equal(flat->equation_count, 5);
    check_equation(flat, 0, "b.a.p.v", "b.q.v");
    check_equation(flat, 1, "c.p.v", "b.q.v");
    check_equation(flat, 2, "b.a.p.i - b.q.i", "0");
    check_equation(flat, 3, "b.q.i + c.p.i", "0");
    check_equation(flat, 4, "d.p.i", "0");
    flatten_close(&f);
}

static void modifications_go_from_outside_to_inside(void **state)
{
    (void)state;
    flattened f =
        flatten("model A\n  parameter Real p = 1, q = 2*p;\n  Real x(start = q) = p;\nend A;\n"
                "model B\n  extends A(p = 3);\nend B;\n"
                "model M\n  B b[2](p = {5, 6}), c(each x.start = 9);\nend M;\n");
    const crank_flat *flat = &f.flat;
    char text[100];
    assert_int_equal(flat->parameter_count, 6);
    CHECK_NEAR(flat->parameter[0].number, 5.0, 0.0);  /* b[1].p */
    CHECK_NEAR(flat->parameter[1].number, 10.0, 0.0); /* b[1].q = 2 p */
    CHECK_NEAR(flat->parameter[2].number, 6.0, 0.0);
    CHECK_NEAR(flat->parameter[4].number, 3.0, 0.0); /* c.p: of the extends */
    assert_string_equal(flat->variable[0].name, "b[1].x");
    assert_string_equal(written(flat, flat->variable[0].start, text, sizeof text), "b[1].q");
    assert_string_equal(written(flat, flat->variable[2].start, text, sizeof text), "9");
    flatten_close(&f);
}

static void names_are_looked_for_from_inside_to_outside(void **state)
{
    (void)state;
    flattened f = flatten(
        "package P\n  constant Real c = 2;\n  package Q\n    constant Real d = 3*c;\n"
        "    function f\n      input Real x;\n      output Real y = x + d;\n    algorithm\n    "
        "end f;\n"
        "  end Q;\n  model M\n    Real c = 7, x = c, y = P.c, z = Q.f(1);\n  end M;\nend P;\n");
    check_equation(&f.flat, 0, "c", "7");
    check_equation(&f.flat, 1, "x", "c");
    check_equation(&f.flat, 2, "y", "2");
    check_equation(&f.flat, 3, "z", "7");
    flatten_close(&f);
}

static void functions_leave_expressions(void **state)
{
    (void)state;
    flattened f = flatten("function f\n  input Real x[:];\n  output Real s = 0;\nalgorithm\n"
                          "  for i in 1:size(x, 1) loop\n    if x[i] > 0 then\n      s := s + "
                          "x[i];\n    end if;\n"
                          "  end for;\nend f;\n"
                          "model M\n  Real a, b = f({a, 2, -1});\nend M;\n");
    check_equation(&f.flat, 0, "b", "2 + if(0 < a, a, 0)");
    assert_int_equal(f.flat.event_count, 0); /* functions make no events */
    flatten_close(&f);
}

static void relations_and_whens_become_events(void **state)
{
    (void)state;
    flattened f =
        flatten("model M\n  Real x(start = 1), y;\n  discrete Integer n(start = 0), m(start = "
                "0);\nequation\n"
                "  der(x) = if x > 0.5 then 1 else noEvent(if x > 0.25 then 2 else 3);\n"
                "  y = if x > 0.5 then 1 else 2;\n"
                "  when x > 3 then\n    n = pre(n) + 1;\n    m = 2*n;\n  end when;\nend M;\n");
    const crank_flat *flat = &f.flat;
    char text[200];
    assert_int_equal(flat->event_count, 2); /* equal relations are one, those of noEvent none */
    assert_string_equal(written(flat, flat->event[0].when, text, sizeof text), "x - 0.5");
    assert_int_equal(flat->event[0].place.line, 5);
    /* the relation is a discrete Boolean, which stands in the equations */
    const crank_flat_variable *relation = &flat->variable[flat->event[0].relation];
    assert_int_equal(relation->role, CRANK_FLAT_DISCRETE);
    assert_true(relation->made);
    assert_string_equal(relation->name, "relation.line5.4");
    check_equation(flat, 1, "y", "if(relation.line5.4, 1, 2)");
    /* what `when` sets, where its condition begins to hold */
    assert_int_equal(flat->update_count, 2);
    assert_string_equal(
        written(flat, flat->update[0].value, text, sizeof text),
        "if(relation.line7.5 and not pre(relation.line7.5), 1 + pre(n), pre(n))");
    assert_string_equal(written(flat, flat->update[1].value, text, sizeof text),
                        "if(relation.line7.5 and not pre(relation.line7.5), 2*n, pre(m))");
    assert_int_equal(flat->variable[variable_named(flat, "n")].role, CRANK_FLAT_DISCRETE);
    flatten_close(&f);
}

static void structural_parameters_are_known(void **state)
{
    (void)state;
    flattened f = flatten("model M\n  parameter Integer n = 2;\n  parameter Real p = 3;\n  "
                          "parameter Boolean b = true;\n"
                          "  Real x[n];\nequation\n  if b then\n    x = fill(p, n);\n  else\n  "
                          "  x = zeros(n);\n  end if;\nend M;\n");
    assert_true(f.flat.parameter[0].structural);
    assert_false(f.flat.parameter[1].structural);
    assert_true(f.flat.parameter[2].structural);
    check_equation(&f.flat, 1, "x[2]", "p");
    flatten_close(&f);
}

static void settings_replace_parameters_and_starts(void **state)
{
    static const crank_mo_setting settings[] = {
        {"a.p", "2*q"}, {"x.start", "q + 1"}, {"v[2]", "8"}};
    const crank_mo_options options = {.setting_count = 3, .setting = settings};
    flattened f;
    crank_error err = {0};
    (void)state;
    CHECK_OK(flatten_with("model A\n  parameter Real p = 1;\nend A;\n"
                          "model M\n  A a;\n  parameter Real q = 5, v[2] = {1, 2};\n  Real "
                          "x(start = 0) = 1;\nend M;\n",
                          &options, &f, &err),
             err);
    CHECK_NEAR(f.flat.parameter[0].number, 10.0, 0.0);
    CHECK_NEAR(f.flat.parameter[3].number, 8.0, 0.0);
    char text[100];
    assert_string_equal(written(&f.flat, f.flat.variable[0].start, text, sizeof text), "1 + q");
    flatten_close(&f);
}

static void what_is_not_there_is_told_with_place_and_suggestion(void **state)
{
    (void)state;
    check_refused("model M\n  Real speed = 1, x = sped;\nend M;\n", 2, 23,
                  "\"sped\" is not declared; did you mean \"speed\"?");
    check_refused("model A\n  Real v = 1;\nend A;\nmodel M\n  A a;\n  Real x = a.w;\nend M;\n",
                  6, 12, "\"a\" has no component \"w\"");
    check_refused("model M\n  Resistor r;\nend M;\n", 2, 3, "there is no class \"Resistor\"");
    check_refused("model M\n  Real x[2] = {1, 2, 3};\nend M;\n", 2, 8,
                  "the value is Real[3], declared is Real[2]");
    check_refused("model M\n  Real x[2], y = x[3];\nend M;\n", 2, 18,
                  "subscript 3 is not in 1 .. 2");
    check_refused("model M\n  Real x = true;\nend M;\n", 2, 8,
                  "Boolean where Real is expected");
    check_refused("model M\n  Real x = {1, 2}*{1, 2, 3};\nend M;\n", 2, 18,
                  "Integer[2] * Integer[3]");
    check_refused("model M\n  parameter Real p;\n  Real x = p;\nend M;\n", 2, 18,
                  "parameter \"p\" has no value");
    check_refused("model M\n  extends M;\nend M;\n", 1, 7, "nested more than 100 deep");
    check_refused("model M\n  M m;\nend M;\n", 2, 3, "nested more than 100 deep");
    check_refused("function f\n  input Real x;\n  output Real y = f(x);\nalgorithm\nend f;\n"
                  "model M\n  Real x = f(1);\nend M;\n",
                  1, 10, "nested more than 100 deep");
    check_refused("model M\n  Real x[100000000];\nend M;\n", 2, 8,
                  "an array of more than 100000 entries");
    check_refused("model M\n  Real x[50000], y[50000], z[50000], a[50000], b[50000];\nend M;\n",
                  2, 48, "more than 200000 variables");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(connections_become_sums_and_equal_potentials),
        cmocka_unit_test(modifications_go_from_outside_to_inside),
        cmocka_unit_test(names_are_looked_for_from_inside_to_outside),
        cmocka_unit_test(functions_leave_expressions),
        cmocka_unit_test(relations_and_whens_become_events),
        cmocka_unit_test(structural_parameters_are_known),
        cmocka_unit_test(settings_replace_parameters_and_starts),
        cmocka_unit_test(what_is_not_there_is_told_with_place_and_suggestion),
    };
    return CHECK_RUN(argc, argv, tests);
}
