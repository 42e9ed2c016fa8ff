/* test_dae_errors.c - mistakes in `crank: dae` files are refused with place, object and
 * remedy. */
// SPDX-License-Identifier: BSD-3-Clause
#include "one_state.h"
#include "read_model.h"

#include <stdio.h>

static void missing_sections_are_told(void **state)
{
    refuse("crank: dae\n", CRANK_EMODEL, 1, 1,
           "variables: missing; name the unknowns, with start values: \"variables: {x: 1, y: "
           "0}\"");
    refuse("crank: dae\nvariables: {}\nequations: [\"x' = 1\"]\n", CRANK_EMODEL, 2, 12,
           "variables: none are given; name the unknowns, with start values: \"variables: {x: "
           "1, y: 0}\"");
    refuse(
        "crank: dae\nvariables: {x: 1}\n", CRANK_EMODEL, 1, 1,
        "equations: missing; a list such as [\"x' = v\", \"x^2 + y^2 = 1\"], or a mapping of "
        "names");
    refuse("crank: dae\nvariables: {x: 1}\nequations: []\n", CRANK_EMODEL, 3, 12,
           "equations: none are given; a list such as [\"x' = v\", \"x^2 + y^2 = 1\"], or a "
           "mapping of names");
}

static void sections_of_the_wrong_kind_are_told(void **state)
{
    refuse("crank: dae\nvariables: x\nequations: [\"x' = 1\"]\n", CRANK_EMODEL, 2, 12,
           "variables: text where names are expected; name the unknowns, with start values: "
           "\"variables: {x: 1, y: 0}\"");
    refuse("crank: dae\nvariables: {x: 1}\nequations: \"x' = 1\"\n", CRANK_EMODEL, 3, 12,
           "equations: text where several are expected; a list such as [\"x' = v\", \"x^2 + "
           "y^2 = 1\"], or a mapping of names");
}

static void two_equations_of_one_name_are_refused(void **state)
{
    refuse("crank: dae\nvariables: {x: 1}\nequations:\n  - a: x' = 1\n  - x = t\n  - a: x = "
           "t\n",
           CRANK_EMODEL, 6, 5, "the name \"a\" is already that of equation 1");
}

/* an equation in a file with variables x and y */
static void refuse_equation(const char *equation, crank_status status, int line, int column,
                            const char *message)
{
    char text[400];
    (void)snprintf(text, sizeof text,
                   "crank: dae\nvariables: {x: 1, y: 2}\nequations:\n  - y' = x\n  - %s\n",
                   equation);
    refuse(text, status, line, column, message);
}

static void texts_that_are_no_equations_are_refused(void **state)
{
    refuse_equation("x' - 1", CRANK_EMODEL, 5, 5,
                    "equation 2: no \"=\"; write left = right, such as x^2 + y^2 = 1");
    refuse_equation("x' = 1 = 2", CRANK_EMODEL, 5, 5, "equation 2: more than one \"=\"");
    refuse_equation("x' == 1", CRANK_EMODEL, 5, 5,
                    "equation 2: no \"=\"; write left = right, such as x^2 + y^2 = 1");
    refuse_equation("\"= 1\"", CRANK_EMODEL, 5, 5, "equation 2: nothing stands left of \"=\"");
    refuse_equation("\"x = \"", CRANK_EMODEL, 5, 5,
                    "equation 2: nothing stands right of \"=\"");
    refuse_equation("[x, 1]", CRANK_EMODEL, 5, 5,
                    "equation 2: a list where a text \"left = right\" is expected");
    refuse_equation("{a: b, c: d}", CRANK_EMODEL, 5, 5,
                    "equation 2: a mapping where a text \"left = right\" is expected");
    refuse_equation("", CRANK_EMODEL, 5, 4,
                    "equation 2: nothing where a text \"left = right\" is expected");
}

static void unknown_names_are_found_at_their_place(void **state)
{
    refuse_equation("x' = xx + 1", CRANK_EMODEL, 5, 10,
                    "equation 2: \"xx\" is not defined; did you mean \"x\"?");
    refuse_equation("der(z) = 1", CRANK_EMODEL, 5, 9,
                    "equation 2: \"z'\" is not defined; did you mean \"x'\"?");
    refuse_equation("length: x' = 1 + )", CRANK_ESYNTAX, 5, 22,
                    "equation \"length\": expected a number, a name or \"(\" before \")\"");
}

static void equations_must_be_linear_in_derivatives(void **state)
{
    refuse_equation("x'*y' = 1", CRANK_EMODEL, 5, 5,
                    "equation 2: not linear in the derivative y'; introduce a variable for it, "
                    "\"z = y'\", and write z in its place");
    refuse_equation("x'^2 = 1", CRANK_EMODEL, 5, 5,
                    "equation 2: not linear in the derivative x'; introduce a variable for it, "
                    "\"z = x'\", and write z in its place");
    refuse_equation("n: x' + sign(x') = y", CRANK_EMODEL, 5, 8,
                    "equation \"n\": not linear in the derivative x'; introduce a variable for "
                    "it, \"z = x'\", and write z in its place");
    refuse_equation("if(x' > 0, 1, 2) = y", CRANK_EMODEL, 5, 5,
                    "equation 2: not linear in the derivative x'; introduce a variable for it, "
                    "\"z = x'\", and write z in its place");
    refuse_equation("x'' = 1", CRANK_EMODEL, 5, 5,
                    "equation 2: a second derivative; introduce a variable for the first, v = "
                    "x'");
    refuse_equation("der(x*y) = 1", CRANK_EMODEL, 5, 5,
                    "equation 2: der() takes the name of a variable; for the derivative of an "
                    "expression introduce a variable, z = expression");
}

static void values_that_are_not_finite_are_refused(void **state)
{
    refuse("crank: dae\nvariables: {x: .nan}\nequations: [\"x' = 1\"]\n", CRANK_EMODEL, 2, 16,
           "variable \"x\": the value is not finite");
    refuse("crank: dae\nvariables: {x: 0}\nequations: [\"x' = log(x)\"]\n", CRANK_ENOTFINITE, 3,
           13, "equation 1: not finite at the start values; start where it is defined");
    refuse("crank: dae\nvariables: {x: {start: 1, nominal: 0}}\nequations: [\"x' = 1\"]\n",
           CRANK_EMODEL, 2, 36, "variable \"x\": nominal is 0, must be positive");
}

static void keys_and_names_are_checked(void **state)
{
    refuse("crank: dae\nvariable: {x: 1}\nequations: [\"x' = 1\"]\n", CRANK_EMODEL, 2, 1,
           "unknown key \"variable\"; did you mean \"variables\"?");
    refuse("crank: dae\nvariables: {x: {start: 1, fix: true}}\nequations: [\"x' = 1\"]\n",
           CRANK_EMODEL, 2, 27,
           "variable \"x\": unknown key \"fix\"; known are start, unit, nominal, fixed, "
           "preferred, free");
    refuse("crank: dae\nvariables: {t: 1}\nequations: [\"t' = 1\"]\n", CRANK_EMODEL, 2, 13,
           "the name \"t\" is reserved");
    refuse("crank: dae\nparameters: {x: 1}\nvariables: {x: 1}\nequations: [\"x' = 1\"]\n",
           CRANK_EMODEL, 3, 13, "the name \"x\" is already that of a parameter");
    refuse("crank: dae\nvariables: {x: 1}\nequations: [\"x' = 1\"]\nprescribe: {y: 1}\n",
           CRANK_EMODEL, 4, 13, "prescribe: \"y\" is not a variable");
    refuse("crank: dae\nvariables: {x: 1, u: 1}\nequations: [\"x' = u\"]\nprescribe: {u: x'}\n",
           CRANK_EMODEL, 4, 16,
           "prescribe, \"u\": \"x'\" is a derivative and cannot be used here");
    refuse("crank: dae\nvariables: {x: [1]}\nequations: [\"x' = 1\"]\n", CRANK_EMODEL, 2, 16,
           "variable \"x\": a list where a number is expected");
}

static void systems_without_a_motion_are_refused_with_the_reason(void **state)
{
    refuse(
        "crank: dae\nvariables: {x: 1, y: 0, u: 0}\nequations: [\"x' = u\", \"y' = x\"]\n",
        CRANK_EMODEL, 0, 0,
        "the equations do not determine all variables: \"u\" must be prescribed, for example "
        "\"prescribe: {u: sin(t)}\"");
    refuse("crank: dae\nvariables: {x: 1}\nequations: {a: \"x' = 1\", b: \"x = 0\"}\n",
           CRANK_EMODEL, 0, 0,
           "equation \"a\" demands 0 = 1 on level 1: it contradicts the others");
    refuse("crank: dae\nvariables: {x: 3, y: 1}\nequations: [\"x' = y\", \"x^2 + y^2 = -1\"]\n",
           CRANK_EMODEL, 0, 0,
           "the constraint from equation 2 (level 0) cannot be satisfied near the start values "
           "and time: correct it, or start where it can");
    refuse("crank: dae\nvariables: {x: 3}\nequations: [\"x = 1\", \"x = 2\"]\n", CRANK_EMODEL,
           0, 0,
           "the constraints up to level 0 contradict each other near the start values, above "
           "all those of equation 1 and equation 2");
    refuse("crank: dae\nvariables: {x: 0, y: 1}\nequations: [\"x' = y\", \"abs(x) = 0*t\"]\n",
           CRANK_EMODEL, 0, 0,
           "the constraint of level 0 from equation 2 is not differentiable at the start "
           "values: \"abs\" has a kink or jump there");
    refuse("crank: dae\nvariables: {x: 1}\nequations: [\"(x - 1)*x' = (x - 1)*x\"]\n",
           CRANK_EMODEL, 0, 0,
           "singular point: the rank of the leading matrix is 0 there and 1 nearby; start "
           "elsewhere");
}

static void what_has_no_meaning_is_refused(void **state)
{
    static const char text[] = "crank: dae\nvariables: {x: 1}\nequations: [\"x' = -x\"]\n";
    crank_model_options options = crank_model_options_default();
    crank_state *model = NULL;
    crank_error err = {0};
    options.compile = true;
    CHECK_STATUS(one_state_read_text("test", text, strlen(text), &options, &model, &err),
                 CRANK_EREFUSED);
    CHECK_CONTAINS(err.text, "cannot be compiled");
    options = crank_model_options_default();
    options.accelerations = CRANK_ACCELERATIONS_CARRY;
    CHECK_STATUS(one_state_read_text("test", text, strlen(text), &options, &model, &err),
                 CRANK_EREFUSED);
    CHECK_CONTAINS(err.text, "no accelerations");
    assert_null(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_sections_are_told),
        cmocka_unit_test(sections_of_the_wrong_kind_are_told),
        cmocka_unit_test(two_equations_of_one_name_are_refused),
        cmocka_unit_test(texts_that_are_no_equations_are_refused),
        cmocka_unit_test(unknown_names_are_found_at_their_place),
        cmocka_unit_test(equations_must_be_linear_in_derivatives),
        cmocka_unit_test(values_that_are_not_finite_are_refused),
        cmocka_unit_test(keys_and_names_are_checked),
        cmocka_unit_test(systems_without_a_motion_are_refused_with_the_reason),
        cmocka_unit_test(what_has_no_meaning_is_refused),
    };
    return CHECK_RUN(argc, argv, tests);
}
