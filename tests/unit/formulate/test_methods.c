/* test_methods.c - names of methods: what they stand for, misspelt ones, the list. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/options.h"
#include "check.h"

#include "problem/problem.h"

static void names_resolve_to_formulation_and_integrator(void **state)
{
    static const char *const cases[][3] = {{"psf-radau", "psf", "radau"},
                                           {"peom1-radau", "peom1", "radau"},
                                           {"gmkssol-radau", "gmkssol", "radau"},
                                           {"geoms", "psf", "radau"},
                                           {"gmkssol", "gmkssol", "radau"},
                                           {"psf-bdf", "psf", "bdf"},
                                           {"index3-bdf", "index3", "bdf"},
                                           {"ode-adams", "ode", "adams"},
                                           {"adams", "ode", "adams"},
                                           {"ude-radau", "ude", "radau"},
                                           {"ggl2", "ggl", "bdf"},
                                           {"ind1", "index1", "bdf"},
                                           {"ovstab1", "overdetermined", "bdf"},
                                           {"DAE2", "index2", "bdf"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *formulation = NULL, *integrator = NULL;
        crank_options options = crank_options_default();
        crank_error err = {0};
        CHECK_OK(crank_method_resolve(cases[i][0], &formulation, &integrator, &options, &err),
                 err);
        assert_string_equal(formulation, cases[i][1]);
        assert_string_equal(integrator, cases[i][2]);
        CHECK_OK(crank_options_check(&options, &err), err);
        /* only the alias with options of its own changes them */
        assert_true(options.final_correction == (strcmp(cases[i][0], "geoms") != 0));
        CHECK_OK(crank_method_resolve(cases[i][0], &formulation, &integrator, NULL, &err), err);
    }
}

static void misspelt_method_gets_a_suggestion(void **state)
{
    const char *formulation = NULL, *integrator = NULL;
    crank_options options = crank_options_default();
    crank_error err = {0};
    CHECK_STATUS(crank_method_resolve("goems", &formulation, &integrator, &options, &err),
                 CRANK_EARG);
    CHECK_CONTAINS(err.text, "\"goems\"");
    CHECK_CONTAINS(err.text, "did you mean \"geoms\"?");
    CHECK_STATUS(crank_method_resolve("", &formulation, &integrator, &options, &err),
                 CRANK_EARG);
}

static void list_of_methods_is_complete_and_ends(void **state)
{
    const char *name = NULL, *help = NULL;
    int count = 0;
    while (crank_method_describe(count, &name, &help)) {
        const char *formulation = NULL, *integrator = NULL;
        crank_error err = {0};
        CHECK_OK(crank_method_resolve(name, &formulation, &integrator, NULL, &err), err);
        assert_true(strlen(help) >= 10); /* a sentence, or the method that it stands for */
        count++;
    }
    assert_true(count >= 5);
    assert_false(crank_method_describe(-1, &name, &help));
}

/* Is there a method with this formulation, or integrator? */
static bool is_known(const char *owner, size_t length, bool integrates)
{
    const char *name, *help, *part[2];
    for (int i = 0; crank_method_describe(i, &name, &help); i++) {
        crank_error err = {0};
        CHECK_OK(crank_method_resolve(name, &part[0], &part[1], NULL, &err), err);
        if (strlen(part[integrates]) == length &&
            strncmp(part[integrates], owner, length) == 0) {
            return true;
        }
    }
    return false;
}

static void options_name_formulations_and_integrators_that_there_are(void **state)
{
    for (int i = 0; i < crank_option_count; i++) {
        const char *lists[] = {crank_option_fields[i].formulations,
                               crank_option_fields[i].integrators};
        for (int k = 0; k < 2; k++) {
            for (const char *at = lists[k]; at != NULL && *at != '\0';) {
                const size_t length = strcspn(at, " ");
                assert_true(is_known(at, length, k == 1));
                at += length + (at[length] == ' ');
            }
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_resolve_to_formulation_and_integrator),
        cmocka_unit_test(misspelt_method_gets_a_suggestion),
        cmocka_unit_test(list_of_methods_is_complete_and_ends),
        cmocka_unit_test(options_name_formulations_and_integrators_that_there_are),
    };
    return CHECK_RUN(argc, argv, tests);
}
