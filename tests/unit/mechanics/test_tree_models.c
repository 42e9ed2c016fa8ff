/* test_tree_models.c - every mechanism of models/ at 100 random assembled states: the same
 * accelerations, multipliers and unique reactions in joint and in absolute coordinates. Left
 * out are one whose start is refused, and a chain too large for dense multipliers, whose joints
 * others have. */
// SPDX-License-Identifier: BSD-3-Clause
#include "unit/mechanics/tree_states.h"

#include <glob.h>
#include <stdlib.h>

enum { STATES = 100, LEAST_MODELS = 30 };

static const char *const left_out[] = {"undetermined.yaml", "chain-100.yaml"};

static bool is_left_out(const char *path)
{
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++) {
        if (strstr(path, left_out[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static bool is_mechanism(const char *path)
{
    char text[4000] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t count = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[count] = '\0';
    return strstr(text, "crank: mechanism") != NULL;
}

static void begin(mechanism *m, const char *path, crank_coordinates_choice coordinates)
{
    crank_model_options options = crank_model_options_default();
    options.coordinates = coordinates;
    *m = (mechanism){0};
    CHECK_OK(one_state_read(path, &options, &m->model, &m->err), m->err);
    m->eom = crank_state_eom(m->model);
    m->n = crank_eom_unknowns(m->eom);
    assert_true(m->n <= MECHANISM_MAX &&
                crank_model_column_count(crank_state_model(m->model)) <= MECHANISM_MAX);
    memcpy(m->x, crank_state_start(m->model), (size_t)m->n * sizeof *m->x);
}

static void agree(const char *path)
{
    mechanism joint, absolute;
    random_source r = {5};
    double start[MECHANISM_MAX];
    begin(&joint, path, CRANK_COORDINATES_JOINT);
    begin(&absolute, path, CRANK_COORDINATES_ABSOLUTE);
    initialize(&joint);
    memcpy(start, joint.x, sizeof start);
    for (int i = 0; i < STATES; i++) {
        random_state(&joint, &r, start, 0.1);
        carry_over(&joint, &absolute);
        compare_accelerations(&joint, &absolute);
        compare_columns(&joint, &absolute);
    }
    mechanism_end(&joint);
    mechanism_end(&absolute);
}

static void models_have_the_same_accelerations_and_reactions_in_both_coordinates(void **state)
{
    (void)state;
    glob_t files;
    int count = 0;
    assert_int_equal(glob("models/*/*.yaml", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const char *path = files.gl_pathv[i];
        if (is_mechanism(path) && !is_left_out(path)) {
            print_message("%s\n", path);
            agree(path);
            count++;
        }
    }
    globfree(&files);
    assert_true(count >= LEAST_MODELS);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_have_the_same_accelerations_and_reactions_in_both_coordinates)};
    return CHECK_RUN(argc, argv, tests);
}
