/* test_model.c - files, compiled models, large models. */
// SPDX-License-Identifier: BSD-3-Clause
#define _POSIX_C_SOURCE 200809L
#include "one_state.h"
#include "read_model.h"
#include "sample_models.h"

#include <float.h>
#include <stdio.h>
#include <time.h>

static void missing_files_and_directories_are_refused(void **state)
{
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_STATUS(one_state_read("no/such/file.yaml", NULL, &model, &err), CRANK_EFILE);
    CHECK_CONTAINS(err.text, "no/such/file.yaml: cannot open: ");
    CHECK_STATUS(one_state_read(".", NULL, &model, &err), CRANK_EFILE);
    CHECK_CONTAINS(err.text, ".: cannot read: Is a directory");
    assert_null(model);
}

static void huge_files_are_refused(void **state)
{
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_STATUS(one_state_read_text("big", "", ((size_t)64 << 20) + 1, NULL, &model, &err),
                 CRANK_EFILE);
    assert_string_equal(err.text, "big: larger than 64 MiB");
}

static void options_without_defaults_are_refused(void **state)
{
    crank_state *model = NULL;
    crank_error err = {0};
    const crank_model_options options = {0};
    CHECK_STATUS(one_state_read_text("x", "", 0, &options, &model, &err), CRANK_EARG);
}

static void errors_may_be_ignored(void **state)
{
    crank_state *model = NULL;
    const char *text = "crank: equations\npositions: {x: zzz}\n";
    CHECK_STATUS(one_state_read_text("x", text, strlen(text), NULL, &model, NULL),
                 CRANK_EMODEL);
    CHECK_STATUS(one_state_read(".", NULL, &model, NULL), CRANK_EFILE);
}

static void compiled_models_agree_with_tapes(void **state)
{
    char directory[] = "/tmp/crank-test-XXXXXX", command[100];
    assert_non_null(mkdtemp(directory));
    for (int s = 0; s < SAMPLE_MODELS; s++) {
        crank_model_options options = crank_model_options_default();
        options.compile = true;
        options.cache = directory;
        crank_state *tape = read_model(sample_models[s]);
        crank_state *compiled = read_with(sample_models[s], &options);
        crank_eom *a = crank_state_eom(tape), *b = crank_state_eom(compiled);
        const double *x = crank_state_start(tape);
        double ka[64], kb[64], ja[1024], jb[1024];
        crank_error err = {0};
        CHECK_OK(crank_eom_evaluate(a, 0.2, x, ka, &err), err);
        CHECK_OK(crank_eom_evaluate(b, 0.2, x, kb, &err), err);
        for (int i = 0; i < a->m; i++) { /* the compiler may contract products and sums */
            CHECK_NEAR(kb[i], ka[i], 100 * DBL_EPSILON * (1 + fabs(ka[i])));
        }
        CHECK_OK(a->supplier.jacobian(a->self, 0.2, x, NULL, ja, &err), err);
        CHECK_OK(b->supplier.jacobian(b->self, 0.2, x, NULL, jb, &err), err);
        for (int i = 0; i < a->jacobian_pattern.start[a->n]; i++) {
            CHECK_NEAR(jb[i], ja[i], 1000 * DBL_EPSILON * (1 + fabs(ja[i])));
        }
        CHECK_OK(crank_eom_evaluate_time_derivative(a, 0.2, x, 1.0, ka, &err), err);
        CHECK_OK(crank_eom_evaluate_time_derivative(b, 0.2, x, 1.0, kb, &err), err);
        for (int i = 0; i < a->m; i++) {
            CHECK_NEAR(kb[i], ka[i], 100 * DBL_EPSILON * (1 + fabs(ka[i])));
        }
        one_state_close(tape);
        one_state_close(compiled);
    }
    snprintf(command, sizeof command, "rm -r %s", directory);
    assert_int_equal(system(command), 0);
}

/* a chain of count point masses on rods in the plane */
static char *chain_text(int count)
{
    char *text = malloc((size_t)count * 300 + 300);
    assert_non_null(text);
    char *at = text + sprintf(text, "crank: equations\nparameters: {m: 1, L: 1, g: 9.81}\n"
                                    "positions:\n");
    for (int i = 1; i <= count; i++) {
        at += sprintf(at, "  x%d: %d*L\n  y%d: 0\n", i, i, i);
    }
    at += sprintf(at, "velocities:\n");
    for (int i = 1; i <= count; i++) {
        at += sprintf(at, "  u%d: {of: x%d}\n  v%d: {of: y%d}\n", i, i, i, i);
    }
    at += sprintf(at, "mass:\n  diagonal:\n");
    for (int i = 1; i <= count; i++) {
        at += sprintf(at, "    - m\n    - m\n");
    }
    at += sprintf(at, "forces:\n");
    for (int i = 1; i <= count; i++) {
        at += sprintf(at, "  v%d: -m*g\n", i);
    }
    at += sprintf(at, "holonomic:\n  rod1: x1^2 + y1^2 - L^2\n");
    for (int i = 2; i <= count; i++) {
        at += sprintf(at, "  rod%d: (x%d - x%d)^2 + (y%d - y%d)^2 - L^2\n", i, i, i - 1, i,
                      i - 1);
    }
    return text;
}

static void a_chain_of_3000_bodies_is_set_up_in_seconds(void **state)
{
    char *text = chain_text(3000);
    const clock_t begin = clock();
    crank_state *model = read_model(text);
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    crank_eom *eom = crank_state_eom(model);
    assert_int_equal(eom->n, 3000 * 5);
    /* per body at most: gII 5 + 3 multipliers + 2 x 6, gI 8, g 4, dynamic 2 x 9, kinematic 2 */
    assert_true(eom->jacobian_pattern.start[eom->n] < 3000 * 60);
    assert_true(seconds < 30.0); /* some tenths of a second, but sanitizers run it too */
    one_state_close(model);
    free(text);
}

static void reading_leaves_no_memory_behind_when_it_fails_anywhere(void **state)
{
    /* every prefix of a model is a text of its own; leaks are found by the sanitizer */
    for (int s = 0; s < SAMPLE_MODELS; s++) {
        const size_t length = strlen(sample_models[s]);
        for (size_t i = 0; i <= length; i++) {
            crank_state *model = NULL;
            crank_error err = {0};
            const crank_status status =
                one_state_read_text("prefix", sample_models[s], i, NULL, &model, &err);
            assert_true((status == CRANK_OK) == (model != NULL));
            assert_true(status == CRANK_OK || err.text[0] != '\0');
            one_state_close(model);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_files_and_directories_are_refused),
        cmocka_unit_test(huge_files_are_refused),
        cmocka_unit_test(options_without_defaults_are_refused),
        cmocka_unit_test(errors_may_be_ignored),
        cmocka_unit_test(compiled_models_agree_with_tapes),
        cmocka_unit_test(a_chain_of_3000_bodies_is_set_up_in_seconds),
        cmocka_unit_test(reading_leaves_no_memory_behind_when_it_fails_anywhere),
    };
    return CHECK_RUN(argc, argv, tests);
}
