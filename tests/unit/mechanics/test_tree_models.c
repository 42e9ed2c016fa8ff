/* test_tree_models.c - every mechanism of models/ at 100 random assembled states: the same
 * accelerations, multipliers and unique reactions in joint and in absolute coordinates, and the
 * same accelerations by articulated bodies as by the residual formalism. Left
 * out are one whose start is refused, and a chain too large for dense multipliers, whose joints
 * others have. */
// SPDX-License-Identifier: BSD-3-Clause
#include "unit/mechanics/tree_states.h"

#include <glob.h>
#include <stdlib.h>

enum { STATES = 100, LEAST_MODELS = 30, LEAST_EXPLICIT = 25 };

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

/* The explicit formalism at the point of m, with its multipliers. Without inertia along a motion
 * it has no answer, and is not used. */
static int compare_explicit(mechanism *m)
{
    crank_eom *eom = m->eom;
    const int nv = eom->sizes.v, a = eom->column[CRANK_W + 1] - nv;
    double x[MECHANISM_MAX], rows[2 * MECHANISM_MAX], size = 1.0;
    bool held[MECHANISM_MAX] = {false};
    if (!eom->accelerates || nv == 0 || !eom->supplier.definite(eom->self, m->t, m->x)) {
        return 0;
    }
    assert_true(eom->m <= 2 * MECHANISM_MAX);
    memcpy(x, m->x, (size_t)m->n * sizeof *x);
    memset(x + a, 0, (size_t)nv * sizeof *x);
    CHECK_OK(eom->supplier.evaluate(eom->self, 1, &m->t, x, CRANK_ALL_ROWS, rows, &m->err),
             m->err);
    CHECK_OK(eom->supplier.accelerate(eom->self, held, rows, x + a, &m->err), m->err);
    for (int i = 0; i < nv; i++) {
        size = fmax(size, fabs(m->x[a + i]));
    }
    for (int i = 0; i < nv; i++) {
        CHECK_NEAR(x[a + i], m->x[a + i], 1e-10 * size);
    }
    return 1;
}

/* how many states have an explicit formalism */
static int agree(const char *path)
{
    mechanism joint, absolute;
    random_source r = {5};
    int compared = 0;
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
        compared += compare_explicit(&joint);
    }
    mechanism_end(&joint);
    mechanism_end(&absolute);
    return compared;
}

static void models_have_the_same_accelerations_and_reactions_in_both_coordinates(void **state)
{
    (void)state;
    glob_t files;
    int count = 0, with_explicit = 0;
    assert_int_equal(glob("models/*/*.yaml", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const char *path = files.gl_pathv[i];
        if (is_mechanism(path) && !is_left_out(path)) {
            print_message("%s\n", path);
            with_explicit += agree(path) == STATES;
            count++;
        }
    }
    globfree(&files);
    assert_true(count >= LEAST_MODELS);
    print_message("%d of %d have the explicit formalism\n", with_explicit, count);
    assert_true(with_explicit >= LEAST_EXPLICIT);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_have_the_same_accelerations_and_reactions_in_both_coordinates)};
    return CHECK_RUN(argc, argv, tests);
}
