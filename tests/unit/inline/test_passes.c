/* test_passes.c - passes over flat DAEs: aliases, structure, blocks, derivatives. */
// SPDX-License-Identifier: BSD-3-Clause
#include "unit/modelica/flatten.h"

#include "inline/inline.h"
#include "inline/passes.h"

static const char *value_of(const crank_flat *flat, const char *name, char *text, size_t size)
{
    const crank_flat_variable *x = &flat->variable[variable_named(flat, name)];
    assert_int_equal(x->role, CRANK_FLAT_ELIMINATED);
    return written(flat, x->value, text, size);
}

static flattened resolved(const char *text)
{
    crank_error err = {0};
    flattened f = flatten(text);
    CHECK_OK(crank_flat_put_numbers(&f.flat, &err), err);
    CHECK_OK(crank_flat_resolve_discrete(&f.flat, &err), err);
    return f;
}

static void aliases_leave_with_their_signs_and_derivatives(void **state)
{
    char text[100];
    crank_error err = {0};
    (void)state;
    flattened f = resolved("model M\n  Real x(start = 1), a, b, c, d, e;\nequation\n"
                           "  a = b;\n  b + c = 0;\n  c = -x;\n  2*d = 2*a;\n  e = 3;\n"
                           "  der(c) = e*d;\nend M;\n");
    CHECK_OK(crank_flat_remove_aliases(&f.flat, &err), err);
    assert_int_equal(f.flat.equation_count, 1);
    /* c stays: its derivative occurs */
    check_equation(&f.flat, 0, "der(c)", "-3*c");
    assert_string_equal(value_of(&f.flat, "a", text, sizeof text), "-c");
    assert_string_equal(value_of(&f.flat, "x", text, sizeof text), "-c");
    assert_string_equal(value_of(&f.flat, "e", text, sizeof text), "3");
    const crank_flat_variable *c = &f.flat.variable[variable_named(&f.flat, "c")];
    assert_string_equal(written(&f.flat, c->start, text, sizeof text), "-1"); /* that of x */
    flatten_close(&f);
}

static void derivatives_of_aliases_are_replaced(void **state)
{
    crank_error err = {0};
    (void)state;
    flattened f = resolved(
        "model M\n  Real x, y;\nequation\n  x + y = 0;\n  der(x) + 2*der(y) = x;\nend M;\n");
    CHECK_OK(crank_flat_remove_aliases(&f.flat, &err), err);
    assert_int_equal(f.flat.equation_count, 1);
    check_equation(&f.flat, 0, "-der(x)", "x");
    flatten_close(&f);
}

static void two_fixed_starts_stay_both(void **state)
{
    crank_error err = {0};
    (void)state;
    flattened f = resolved(
        "model M\n  Real x(start = 1, fixed = true), y(start = 2, fixed = true);\nequation\n"
        "  x = y;\n  der(x) = 1;\nend M;\n");
    CHECK_OK(crank_flat_remove_aliases(&f.flat, &err), err);
    assert_int_equal(f.flat.equation_count, 2);
    flatten_close(&f);
}

static void long_chains_of_aliases_are_resolved(void **state)
{
    crank_error err = {0};
    char text[100];
    (void)state;
    flattened f = resolved(
        "model M\n  Real x[3000];\nequation\n  for i in 2:3000 loop\n    x[i] + x[i - 1] = 0;\n"
        "  end for;\n  der(x[3000]) = 1;\nend M;\n");
    CHECK_OK(crank_flat_remove_aliases(&f.flat, &err), err);
    assert_int_equal(f.flat.equation_count, 1);
    assert_string_equal(value_of(&f.flat, "x[1]", text, sizeof text), "-x[3000]");
    flatten_close(&f);
}

static void booleans_are_put_into_equations(void **state)
{
    char text[100];
    (void)state;
    flattened f =
        resolved("model M\n  Real x;\n  Boolean b = x > 1, c = b and x < 2;\nequation\n"
                 "  der(x) = if c then 1 else 0;\nend M;\n");
    check_equation(&f.flat, 0, "der(x)", "if(relation.line3.3 and relation.line3.4, 1, 0)");
    assert_string_equal(value_of(&f.flat, "c", text, sizeof text),
                        "relation.line3.3 and relation.line3.4");
    flatten_close(&f);
}

static void updates_come_in_the_order_of_use(void **state)
{
    char text[100];
    (void)state;
    flattened f = resolved(
        "model M\n  Real x;\n  Boolean a, b;\n  discrete Integer n;\nequation\n  der(x) = 1;\n"
        "  when a then\n    n = 1;\n  end when;\n  a = b and not pre(a);\n"
        "  b = x > 1 or pre(b);\nend M;\n");
    static const char *const names[] = {"b", "a", "when.line7.4", "n"};
    assert_int_equal(f.flat.update_count, 4);
    assert_int_equal(f.flat.equation_count, 1);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(f.flat.variable[f.flat.update[i].variable].name, names[i]);
    }
    assert_string_equal(written(&f.flat, f.flat.update[0].value, text, sizeof text),
                        "relation.line11.8 or pre(b)");
    flatten_close(&f);
}

static void what_depends_on_itself_at_events_is_named(void **state)
{
    crank_error err = {0};
    flattened f;
    (void)state;
    CHECK_OK(
        flatten_with("model M\n  Boolean a, b;\n  Real x;\nequation\n  a = not b or pre(a);\n"
                     "  b = a or pre(b);\n  der(x) = 1;\nend M;\n",
                     &(crank_mo_options){0}, &f, &err),
        err);
    CHECK_STATUS(crank_flat_resolve_discrete(&f.flat, &err), CRANK_EMODEL);
    assert_non_null(strstr(err.text, "depends on itself at events"));
    flatten_close(&f);
}

static void what_does_not_fit_is_named(void **state)
{
    static const struct {
        const char *text, *message;
    } list[] = {
        {"model M\n  Real x, y, z;\nequation\n  x = 1;\n  y = z;\nend M;\n",
         "2 equations, 3 unknowns: y, z not determined"},
        {"model M\n  Real x, y;\nequation\n  x = 1;\n  y = x;\n  y = 2;\nend M;\n",
         "3 equations, 2 unknowns; too many equations: line 4, line 5, line 6"},
        {"model M\n  Real x, y, z;\nequation\n  x = 1;\n  x = 2;\n  y = z;\nend M;\n",
         "3 equations, 3 unknowns: y, z not determined; too many equations: line 4, line 5"},
        {"model M\n  Real x;\nend M;\n", "0 equations, 1 unknown: x not determined"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        crank_error err = {0};
        flattened f = resolved(list[i].text);
        CHECK_STATUS(crank_flat_check_structure(&f.flat, &err), CRANK_EMODEL);
        assert_string_equal(err.text, list[i].message);
        flatten_close(&f);
    }
}

static void blocks_come_in_the_order_of_solution(void **state)
{
    crank_error err = {0};
    crank_flat_blocks b;
    (void)state;
    flattened f = resolved("model M\n  Real x, y, z, u, v;\nequation\n  u + v = z;\n  u - v*x "
                           "= 1;\n  y + x*z = 1;\n"
                           "  x^2 + z = 3;\n  x = time;\nend M;\n");
    CHECK_OK(crank_flat_find_blocks(&f.flat, &b, &err), err);
    assert_true(b.found);
    assert_int_equal(b.count, 4);
    assert_int_equal(b.largest, 2); /* u and v together */
    /* every equation contains unknowns of its own and earlier blocks only */
    const crank_flat_structure *s = &b.structure;
    int block_of[5];
    for (int k = 0; k < b.count; k++) {
        for (int i = b.start[k]; i < b.start[k + 1]; i++) {
            block_of[b.unknown[i]] = k;
        }
    }
    for (int k = 0; k < b.count; k++) {
        for (int i = b.start[k]; i < b.start[k + 1]; i++) {
            const int q = b.equation[i];
            for (int e = s->start[q]; e < s->start[q + 1]; e++) {
                assert_true(block_of[s->column[e]] <= k);
            }
        }
    }
    flatten_close(&f);
}

static void higher_index_is_seen(void **state)
{
    crank_error err = {0};
    crank_flat_blocks b;
    (void)state;
    flattened f = resolved("model M\n  Real x, v, l;\nequation\n  der(x) = v;\n  der(v) = l;\n "
                           " x = sin(time);\nend M;\n");
    CHECK_OK(crank_flat_check_structure(&f.flat, &err), err);
    CHECK_OK(crank_flat_find_blocks(&f.flat, &b, &err), err);
    assert_false(b.found);
    assert_int_equal(b.structure.rank, 2);
    flatten_close(&f);
}

static void explicit_variables_are_put_into_the_others(void **state)
{
    char text[100];
    crank_error err = {0};
    (void)state;
    flattened f =
        resolved("model M\n  Real x, y, z, u, v, w(start = 1, fixed = true);\nequation\n"
                 "  y = 2*x;\n  z = y + 1;\n  u = 3*v + z;\n  v = u^2;\n  w = 5*x;\n"
                 "  der(x) = z + v;\nend M;\n");
    CHECK_OK(crank_flat_put_explicit(&f.flat, &err), err);
    /* of u and v one stays, and w, whose start is fixed */
    assert_int_equal(f.flat.equation_count, 3);
    assert_string_equal(value_of(&f.flat, "z", text, sizeof text), "1 + 2*x");
    int kept = 0;
    for (int i = 0; i < f.flat.variable_count; i++) {
        kept += f.flat.variable[i].role == CRANK_FLAT_UNKNOWN ? 1 : 0;
    }
    assert_int_equal(kept, 3);
    flatten_close(&f);
}

static void nonlinear_derivatives_become_variables(void **state)
{
    crank_error err = {0};
    (void)state;
    flattened f = resolved(
        "model M\n  Real x, y;\nequation\n  der(x)^2 + der(y) = 1;\n  der(y) = x;\nend M;\n");
    CHECK_OK(crank_flat_carry_rates(&f.flat, &err), err);
    assert_int_equal(f.flat.equation_count, 3);
    check_equation(&f.flat, 0, "der(y) + derivative(x)^2", "1");
    check_equation(&f.flat, 2, "derivative(x)", "der(x)");
    flatten_close(&f);
}

/* a speed behind a gear is of states; a torque that a nonlinear loop gives is not */
static void events_are_of_states_where_assignments_lead_there(void **state)
{
    char text[100];
    crank_error err = {0};
    crank_inline in;
    (void)state;
    flattened f = resolved("model M\n  Real w(start = 1), s, m, z;\nequation\n"
                           "  s = 7*w + time;\n  m = 3*s;\n  z + z^3 = s;\n"
                           "  der(w) = -z - m;\nend M;\n");
    CHECK_OK(crank_inline_translate(&f.flat, false, &in, &err), err);
    crank_ex when[3];
    bool given[3];
    const char *const names[3] = {"m", "z", "w"};
    for (int i = 0; i < 3; i++) {
        when[i] = f.flat.variable[variable_named(&f.flat, names[i])].symbol;
    }
    const crank_ex z = when[1];
    CHECK_OK(crank_inline_from_states(&in, 3, when, given, &err), err);
    assert_true(given[0] && !given[1] && given[2]);
    assert_string_equal(written(&f.flat, when[0], text, sizeof text), "3*(time + 7*w)");
    assert_int_equal(when[1], z);
    flatten_close(&f);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aliases_leave_with_their_signs_and_derivatives),
        cmocka_unit_test(derivatives_of_aliases_are_replaced),
        cmocka_unit_test(two_fixed_starts_stay_both),
        cmocka_unit_test(long_chains_of_aliases_are_resolved),
        cmocka_unit_test(booleans_are_put_into_equations),
        cmocka_unit_test(updates_come_in_the_order_of_use),
        cmocka_unit_test(what_depends_on_itself_at_events_is_named),
        cmocka_unit_test(what_does_not_fit_is_named),
        cmocka_unit_test(blocks_come_in_the_order_of_solution),
        cmocka_unit_test(higher_index_is_seen),
        cmocka_unit_test(explicit_variables_are_put_into_the_others),
        cmocka_unit_test(nonlinear_derivatives_become_variables),
        cmocka_unit_test(events_are_of_states_where_assignments_lead_there),
    };
    return CHECK_RUN(argc, argv, tests);
}
