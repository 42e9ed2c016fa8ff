/* test_options.c - the one table of options: defaults, setting by name, validation,
 * description. */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/options.h>

#include "base/options.h"
#include "check.h"

static void defaults_are_those_of_the_header(void **state)
{
    const crank_options o = crank_options_default();
    crank_error err = {0};
    CHECK_OK(crank_options_check(&o, &err), err);
    assert_int_equal(o.size, sizeof o);
    CHECK_NEAR(o.rtol, 1e-6, 0.0);
    CHECK_NEAR(o.atol, 1e-6, 0.0);
    CHECK_NEAR(o.atol_p + o.atol_v + o.atol_r + o.atol_w + o.atol_s + o.atol_lambda + o.atol_mu,
               0.0, 0.0);
    assert_true(o.tolerance_transform);
    CHECK_NEAR(o.h_start, 0.0, 0.0);
    CHECK_NEAR(o.h_max, 0.0, 0.0);
    assert_int_equal(o.max_steps, 0);
    assert_int_equal(o.controller, CRANK_CONTROL_PREDICTIVE);
    assert_int_equal(o.control_rules, CRANK_RULES_RADAU5);
    CHECK_NEAR(o.safety, 0.9, 0.0);
    CHECK_NEAR(o.growth_max, 8.0, 0.0);
    CHECK_NEAR(o.growth_min, 0.2, 0.0);
    CHECK_NEAR(o.keep_low, 1.0, 0.0);
    CHECK_NEAR(o.keep_high, 1.2, 0.0);
    assert_int_equal(o.newton_max, 10);
    CHECK_NEAR(o.newton_tolerance, 0.0, 0.0);
    assert_int_equal(o.newton_start, CRANK_START_EXTRAPOLATE);
    assert_int_equal(o.newton_matrix, 0);
    assert_int_equal(o.newton_updates, 0);
    CHECK_NEAR(o.jacobian_reuse, 0.0, 0.0);
    assert_int_equal(o.algebraic, CRANK_ALGEBRAIC_AUTO);
    assert_int_equal(o.differential, CRANK_DIFFERENTIAL_LU);
    assert_int_equal(o.selector_update, CRANK_SELECTOR_ADAPTIVE);
    assert_int_equal(o.selector_source, CRANK_SELECTOR_MASS);
    assert_int_equal(o.selector_period, 0);
    assert_int_equal(o.linear_algebra, CRANK_LINALG_AUTO);
    assert_int_equal(o.accelerations, CRANK_ACCELERATIONS_AUTO);
    assert_int_equal(o.singular, CRANK_SINGULAR_STOP);
    CHECK_NEAR(o.singular_threshold, 1e-3, 0.0);
    CHECK_NEAR(o.rank_tolerance, 1e-8, 0.0);
    assert_true(o.final_correction && o.invariants && o.check_initial);
    CHECK_NEAR(o.rounding_unit, 1e-16, 0.0);
    assert_int_equal(o.failures_max, 20);
}

static void geoms_differs_from_the_default_as_published(void **state)
{
    crank_options expected = crank_options_default();
    expected.final_correction = false;
    expected.selector_source = CRANK_SELECTOR_NEWTON_MATRIX;
    expected.control_rules = CRANK_RULES_PUBLISHED;
    expected.failures_max = 5;
    expected.algebraic = CRANK_ALGEBRAIC_LU;
    expected.accelerations = CRANK_ACCELERATIONS_ELIMINATE;
    expected.linear_algebra = CRANK_LINALG_DENSE;
    const crank_options geoms = crank_options_geoms();
    crank_error err = {0};
    CHECK_OK(crank_options_check(&geoms, &err), err);
    assert_int_equal(geoms.final_correction, expected.final_correction);
    assert_int_equal(geoms.selector_source, expected.selector_source);
    assert_int_equal(geoms.control_rules, expected.control_rules);
    assert_int_equal(geoms.algebraic, expected.algebraic);
    assert_int_equal(geoms.accelerations, expected.accelerations);
    assert_int_equal(geoms.linear_algebra, expected.linear_algebra);
    assert_true(geoms.invariants);
    assert_int_equal(geoms.newton_max, expected.newton_max);
    assert_int_equal(geoms.selector_update, expected.selector_update);
}

static void set_reads_every_kind(void **state)
{
    crank_options o = crank_options_default();
    crank_error err = {0};
    CHECK_OK(crank_options_set(&o, "rtol", "1e-9", &err), err);
    CHECK_NEAR(o.rtol, 1e-9, 0.0);
    CHECK_OK(crank_options_set(&o, "max_steps", "123456789012", &err), err);
    assert_true(o.max_steps == INT64_C(123456789012));
    CHECK_OK(crank_options_set(&o, "max_steps", "1e6", &err), err);
    assert_true(o.max_steps == 1000000);
    CHECK_OK(crank_options_set(&o, "newton_max", "7", &err), err);
    assert_int_equal(o.newton_max, 7);
    CHECK_OK(crank_options_set(&o, "selector_period", "-1", &err), err);
    assert_int_equal(o.selector_period, -1);
    CHECK_OK(crank_options_set(&o, "final_correction", "off", &err), err);
    assert_false(o.final_correction);
    CHECK_OK(crank_options_set(&o, "final_correction", "true", &err), err);
    assert_true(o.final_correction);
    CHECK_OK(crank_options_set(&o, "invariants", "false", &err), err);
    assert_false(o.invariants);
    CHECK_OK(crank_options_set(&o, "check_initial", "on", &err), err);
    assert_true(o.check_initial);
    CHECK_OK(crank_options_set(&o, "algebraic", "svd", &err), err);
    assert_int_equal(o.algebraic, CRANK_ALGEBRAIC_SVD);
    CHECK_OK(crank_options_check(&o, &err), err);
}

static void set_knows_the_words_of_every_enum(void **state)
{
    static const struct {
        const char *name, *words[6];
        size_t offset;
    } enums[] = {
        {"algebraic", {"auto", "lu", "qr", "svd"}, offsetof(crank_options, algebraic)},
        {"differential", {"lu", "qr"}, offsetof(crank_options, differential)},
        {"selector_update",
         {"adaptive", "every_step"},
         offsetof(crank_options, selector_update)},
        {"selector_source",
         {"mass", "newton_matrix"},
         offsetof(crank_options, selector_source)},
        {"linear_algebra",
         {"auto", "dense", "sparse", "recorded", "klu", "banded"},
         offsetof(crank_options, linear_algebra)},
        {"singular", {"stop", "pass"}, offsetof(crank_options, singular)},
        {"newton_start", {"extrapolate", "zero"}, offsetof(crank_options, newton_start)},
        {"controller", {"predictive", "classical"}, offsetof(crank_options, controller)},
        {"control_rules", {"radau5", "published"}, offsetof(crank_options, control_rules)},
        {"accelerations",
         {"auto", "eliminate", "carry"},
         offsetof(crank_options, accelerations)},
    };
    crank_options o = crank_options_default();
    crank_error err = {0};
    for (size_t i = 0; i < sizeof enums / sizeof enums[0]; i++) {
        for (int j = 0; j < 6 && enums[i].words[j] != NULL; j++) {
            int value = -1;
            CHECK_OK(crank_options_set(&o, enums[i].name, enums[i].words[j], &err), err);
            memcpy(&value, (const char *)&o + enums[i].offset, sizeof value);
            assert_int_equal(value, j);
        }
    }
}

/* name, value, the whole message */
static const char *const wrong_settings[][3] = {
    {"rtoll", "1e-6", "option \"rtoll\" is not known; did you mean \"rtol\"?"},
    {"gravity", "1", "option \"gravity\" is not known"},
    {"rtol", "abc", "option \"rtol\": \"abc\" is not a number"},
    {"rtol", "1e-6x", "option \"rtol\": \"1e-6x\" is not a number"},
    {"rtol", "", "option \"rtol\": \"\" is not a number"},
    {"rtol", "nan", "option \"rtol\": \"nan\" is not a finite number"},
    {"h_max", "inf", "option \"h_max\": \"inf\" is not a finite number"},
    {"h_max", "1e999", "option \"h_max\": \"1e999\" is not a finite number"},
    {"rtol", "-1", "option \"rtol\" is -1, must be 1e-14 to 1"},
    {"rtol", "2", "option \"rtol\" is 2, must be 1e-14 to 1"},
    {"atol", "0", "option \"atol\" is 0, must be positive"},
    {"h_max", "-0.5", "option \"h_max\" is -0.5, must be at least 0"},
    {"newton_max", "2.5", "option \"newton_max\": \"2.5\" is not a whole number"},
    {"newton_max", "0", "option \"newton_max\" is 0, must be 1 to 1000"},
    {"failures_max", "1e10", "option \"failures_max\" is 1e+10, must be at least 0"},
    {"max_steps", "-3", "option \"max_steps\" is -3, must be at least 0"},
    {"invariants", "maybe", "option \"invariants\": \"maybe\" is not one of on|off"},
    {"invariants", "ture",
     "option \"invariants\": \"ture\" is not one of on|off; did you mean \"true\"?"},
    {"algebraic", "cholesky",
     "option \"algebraic\": \"cholesky\" is not one of auto|lu|qr|svd"},
    {"linear_algebra", "spares",
     "option \"linear_algebra\": \"spares\" is not one of "
     "auto|dense|sparse|recorded|klu|banded; "
     "did you mean \"sparse\"?"},
};

static void set_explains_what_is_wrong_and_changes_nothing(void **state)
{
    const crank_options before = crank_options_default();
    crank_options o;
    memcpy(&o, &before, sizeof o);
    for (size_t i = 0; i < sizeof wrong_settings / sizeof wrong_settings[0]; i++) {
        crank_error err = {0};
        CHECK_STATUS(crank_options_set(&o, wrong_settings[i][0], wrong_settings[i][1], &err),
                     CRANK_EARG);
        assert_string_equal(err.text, wrong_settings[i][2]);
        assert_memory_equal(&o, &before, sizeof o);
    }
}

static void check_refuses_options_without_defaults(void **state)
{
    crank_options o = {0};
    crank_error err = {0};
    CHECK_STATUS(crank_options_check(&o, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "crank_options_default()");
    CHECK_STATUS(crank_options_set(&o, "rtol", "1e-6", &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "crank_options_default()");
}

static void check_finds_fields_out_of_range(void **state)
{
    crank_error err = {0};
    crank_options o = crank_options_default();
    o.safety = (double)NAN;
    CHECK_STATUS(crank_options_check(&o, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "option \"safety\" is ");
    o = crank_options_default();
    o.newton_matrix = 4;
    CHECK_STATUS(crank_options_check(&o, &err), CRANK_EARG);
    assert_string_equal(err.text, "option \"newton_matrix\" is 4, must be 0 to 3");
    o = crank_options_default();
    o.max_steps = -1;
    CHECK_STATUS(crank_options_check(&o, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "max_steps");
    o = crank_options_default();
    o.algebraic = (crank_algebraic_decomposition)4;
    CHECK_STATUS(crank_options_check(&o, &err), CRANK_EARG);
    assert_string_equal(err.text, "option \"algebraic\" is 4, must be auto|lu|qr|svd");
}

static void check_finds_options_that_contradict_each_other(void **state)
{
    crank_error err = {0};
    crank_options o = crank_options_default();
    o.h_start = 2.0;
    o.h_max = 1.0;
    CHECK_STATUS(crank_options_check(&o, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "h_start = 2 exceeds h_max = 1");
    o = crank_options_default();
    o.rounding_unit = 1e-6;
    CHECK_STATUS(crank_options_check(&o, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "rounding_unit");
    o = crank_options_default();
    o.newton_matrix = 2;
    o.newton_start = CRANK_START_ZERO;
    CHECK_STATUS(crank_options_check(&o, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "newton_start");
}

static void describe_lists_every_option_once(void **state)
{
    const char *name = NULL;
    const char *help = NULL;
    const char *names[100];
    char range[120];
    int count = 0;
    while (crank_options_describe(count, &name, range, sizeof range, &help)) {
        for (int i = 0; i < count; i++) {
            assert_string_not_equal(names[i], name);
        }
        assert_true(strlen(help) > 0);
        CHECK_CONTAINS(range, ", default ");
        assert_in_range(count, 0, 99);
        names[count++] = name;
    }
    assert_int_equal(count, 62);
    assert_false(crank_options_describe(-1, &name, range, sizeof range, &help));
}

static void described_defaults_can_be_set(void **state)
{
    const char *name = NULL;
    const char *help = NULL;
    char range[120];
    const crank_options defaults = crank_options_default();
    crank_options o;
    memcpy(&o, &defaults, sizeof o);
    for (int i = 0; crank_options_describe(i, &name, range, sizeof range, &help); i++) {
        crank_error err = {0};
        const char *value = strstr(range, "default ") + strlen("default ");
        CHECK_OK(crank_options_set(&o, name, value, &err), err);
    }
    assert_memory_equal(&o, &defaults, sizeof o);
}

static void describe_shows_admissible_values(void **state)
{
    const char *name = NULL;
    const char *help = NULL;
    char range[120];
    assert_true(crank_options_describe(0, &name, range, sizeof range, &help));
    assert_string_equal(name, "rtol");
    assert_string_equal(range, "1e-14 to 1, default 1e-06");
    assert_true(crank_options_describe(16, &name, range, sizeof range, &help));
    assert_string_equal(name, "tolerance_transform");
    assert_string_equal(range, "on|off, default on");
    assert_true(crank_options_describe(20, &name, range, sizeof range, &help));
    assert_string_equal(range, "predictive|classical, default predictive");
    assert_true(crank_options_describe(20, &name, range, 8, &help));
    assert_string_equal(range, "predict");
}

static void owners_are_listed_as_in_a_sentence(void **state)
{
    const struct {
        const char *name, *owners;
    } expected[] = {{"rtol", ""},
                    {"selector_period", "gmkssol"},
                    {"max_order", "bdf and adams"},
                    {"controller", "radau, sdirk2, sdirk415, sdirk416, trapezoidal, hht, "
                                   "rosenbrock, dopri5, dopri8, herk5 and auto"}};
    for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++) {
        const char *name, *help;
        char range[120], owners[120];
        int i = 0;
        while (crank_options_describe(i, &name, range, sizeof range, &help) &&
               strcmp(name, expected[k].name) != 0) {
            i++;
        }
        assert_true(crank_options_owners(i, owners, sizeof owners));
        assert_string_equal(owners, expected[k].owners);
    }
    char owners[8];
    assert_false(crank_options_owners(-1, owners, sizeof owners));
    assert_false(crank_options_owners(crank_option_count, owners, sizeof owners));
}

static void an_option_is_refused_with_the_names_of_those_that_have_it(void **state)
{
    crank_options o = crank_options_default();
    crank_error err = {0};
    o.max_order = 3;
    o.rtol = 1e-3; /* everybody's */
    CHECK_OK(crank_options_belong(&o, CRANK_OF_INTEGRATOR, "bdf", &err), err);
    CHECK_OK(crank_options_belong(&o, CRANK_OF_FORMULATION, "psf", &err), err);
    CHECK_STATUS(crank_options_belong(&o, CRANK_OF_INTEGRATOR, "radau", &err), CRANK_EREFUSED);
    assert_string_equal(err.text, "radau has no option max_order; bdf and adams have it");
    /* the beginning of a name is another name */
    CHECK_STATUS(crank_options_belong(&o, CRANK_OF_INTEGRATOR, "bd", &err), CRANK_EREFUSED);
    o = crank_options_default();
    o.selector_period = 2;
    CHECK_OK(crank_options_belong(&o, CRANK_OF_INTEGRATOR, "radau", &err), err);
    CHECK_STATUS(crank_options_belong(&o, CRANK_OF_FORMULATION, "psf", &err), CRANK_EREFUSED);
    assert_string_equal(err.text, "psf has no option selector_period; gmkssol has it");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_header),
        cmocka_unit_test(geoms_differs_from_the_default_as_published),
        cmocka_unit_test(set_reads_every_kind),
        cmocka_unit_test(set_knows_the_words_of_every_enum),
        cmocka_unit_test(set_explains_what_is_wrong_and_changes_nothing),
        cmocka_unit_test(check_refuses_options_without_defaults),
        cmocka_unit_test(check_finds_fields_out_of_range),
        cmocka_unit_test(check_finds_options_that_contradict_each_other),
        cmocka_unit_test(describe_lists_every_option_once),
        cmocka_unit_test(described_defaults_can_be_set),
        cmocka_unit_test(describe_shows_admissible_values),
        cmocka_unit_test(owners_are_listed_as_in_a_sentence),
        cmocka_unit_test(an_option_is_refused_with_the_names_of_those_that_have_it),
    };
    return CHECK_RUN(argc, argv, tests);
}
