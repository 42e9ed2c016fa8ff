/* test_rank_turn.c - gradients of constraints that vanish, turn, or are redundant, between
 * points given in closed form.
 *
 *     vanishing: g = sin(a) u               V = (0, sin a, 0) at u = w = 0: rank 0 at a = 0,
 *                                           from where on V has turned round
 *     turning:   g = sin(a) u + cos(a) w    V = (0, sin a, cos a) there: of length 1, however
 *                                           far it turns */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "formulate/rank_turn.h"
#include "one_state.h"

#include <crank/model.h>

#include <math.h>
#include <string.h>

#define MODEL(constraints)                                                                     \
    "{crank: equations, positions: {a: {start: 0.5}, u: {start: 0}, w: {start: 0}}, "          \
    "velocities: {va: {of: a}, vu: {of: u}, vw: {of: w}}, mass: {diagonal: [1, 2, 3]}, "       \
    "forces: [0, 0, 0], holonomic: {" constraints "}}"

static const char *const vanishing = MODEL("g: sin(a)*u");
static const char *const turning = MODEL("g: sin(a)*u + cos(a)*w");
static const char *const twice = MODEL("g: sin(a)*u, h: 3*sin(a)*u");
static const char *const beside = MODEL("g: sin(a)*u, h: cos(a)*u");
static const char *const both = MODEL("g: sin(a)*u, h: w + 0.5*sin(a)*u");

enum { MOST_ENTRIES = 100, MOST_UNKNOWNS = 20 };

typedef struct bench {
    crank_state *model;
    crank_eom *eom;
    crank_rank_turn turn;
    double jacobian[MOST_ENTRIES];
    double x[MOST_UNKNOWNS];
} bench;

static void place(bench *b, double a)
{
    crank_error err = {0};
    memset(b->x, 0, sizeof b->x);
    b->x[b->eom->column[CRANK_P]] = a;
    b->x[b->eom->column[CRANK_V]] = 1.0; /* the angle at time t is t, but for a constant */
    CHECK_OK(crank_eom_evaluate_jacobian(b->eom, 0.0, b->x, NULL, b->jacobian, &err), err);
}

static void set_up(bench *b, const char *text, double a, int rank, const bool *left_out)
{
    crank_error err = {0};
    double values[3] = {1.0, 2.0, 3.0};
    memset(b, 0, sizeof *b);
    CHECK_OK(one_state_read_text("m", text, strlen(text), NULL, &b->model, &err), err);
    b->eom = crank_state_eom(b->model);
    assert_true(b->eom->n <= MOST_UNKNOWNS &&
                b->eom->jacobian_pattern.start[b->eom->n] <= MOST_ENTRIES);
    const crank_mass mass = {.eom = b->eom, .values = values};
    place(b, a);
    CHECK_OK(crank_rank_turn_create(&b->turn, b->eom, b->jacobian, &mass, rank, left_out, &err),
             err);
}

static void tear_down(bench *b)
{
    crank_rank_turn_destroy(&b->turn);
    one_state_close(b->model);
}

/* the step to angle a is accepted, with a Jacobian there or without */
static crank_turn_found accept(bench *b, double a, bool prepared, double *where, int *at)
{
    place(b, a);
    const crank_turn_point point = {a, b->x, prepared ? a : (double)NAN, b->jacobian, NULL};
    return crank_rank_turn_accepted(&b->turn, &point, false, where, at);
}

static void step_across_a_singular_position_is_found_with_its_time(void **state)
{
    bench b;
    double where = 0.0;
    int at = -1;
    set_up(&b, vanishing, -0.5, 1, NULL);
    assert_int_equal(accept(&b, -0.5, true, &where, &at), CRANK_TURN_NONE);
    assert_int_equal(accept(&b, -0.3, true, &where, &at), CRANK_TURN_LOOKED);
    assert_int_equal(accept(&b, 0.1, true, &where, &at), CRANK_TURN_PASSED);
    CHECK_NEAR(where, 0.0, 0.4 / 4096.0); /* twelve halvings of the step */
    assert_int_equal(at, 0);
    tear_down(&b);
}

static void it_is_found_in_any_of_the_steps_between_two_looks(void **state)
{
    bench b;
    double where = 0.0;
    int at = -1;
    set_up(&b, both, -0.9, 2, NULL);
    (void)accept(&b, -0.9, true, &where, &at);
    for (int i = 1; i < 8; i++) {
        assert_int_equal(accept(&b, -0.9 + 0.2 * i, false, &where, &at), CRANK_TURN_NONE);
    }
    assert_int_equal(accept(&b, 0.8, true, &where, &at), CRANK_TURN_PASSED);
    CHECK_NEAR(where, 0.0, 0.2 / 4096.0);
    tear_down(&b);
}

static void rows_that_turn_are_no_singular_position(void **state)
{
    bench b;
    double where = 0.0;
    int at = -1;
    set_up(&b, turning, 0.0, 1, NULL);
    (void)accept(&b, 0.0, true, &where, &at);
    for (int i = 1; i < 20; i++) { /* by more than a right angle each time */
        assert_int_equal(accept(&b, 2.2 * i, true, &where, &at), CRANK_TURN_NONE);
    }
    tear_down(&b);
}

static void step_that_is_tried_is_to_be_shorter_until_it_ends_before(void **state)
{
    bench b;
    double where = 0.0;
    int at = -1;
    set_up(&b, vanishing, -0.5, 1, NULL);
    (void)accept(&b, -0.5, true, &where, &at);
    for (double end = 0.5; end > -0.5; end -= 0.13) {
        place(&b, end);
        const crank_turn_point point = {end, b.x, end, b.jacobian, NULL};
        assert_int_equal(crank_rank_turn_try(&b.turn, &point, &where, &at),
                         end > 0.0 ? CRANK_TURN_TRIED : CRANK_TURN_LOOKED);
    }
    tear_down(&b);
}

static void redundant_row_that_goes_through_zero_by_itself_is_no_singular_position(void **state)
{
    bench b;
    double where = 0.0;
    int at = -1;
    set_up(&b, beside, -0.05, 1, NULL);
    (void)accept(&b, -0.05, true, &where, &at);
    for (double end = 0.02; end < 0.5; end += 0.02) { /* g has turned round, h has not */
        place(&b, end);
        const crank_turn_point point = {end, b.x, end, b.jacobian, NULL};
        assert_int_equal(crank_rank_turn_try(&b.turn, &point, &where, &at), CRANK_TURN_LOOKED);
    }
    for (int i = 1; i < 40; i++) { /* each of them again and again */
        assert_int_not_equal(accept(&b, 0.4 * i, true, &where, &at), CRANK_TURN_PASSED);
    }
    tear_down(&b);
}

static void redundant_rows_count_once(void **state)
{
    const bool left_out[2][MOST_UNKNOWNS] = {{true, false}, {false, true}};
    for (int known = 0; known < 3; known++) { /* which row is left out, and not at all */
        bench b;
        double where = 0.0;
        int at = -1;
        const bool *out = known < 2 ? left_out[known] : NULL;
        set_up(&b, twice, -0.5, 1, out);
        assert_int_equal(b.eom->column[CRANK_LAMBDA], 0);
        (void)accept(&b, -0.5, true, &where, &at);
        for (double end = 0.45; end > -0.5; end -= 0.2) {
            place(&b, end);
            const crank_turn_point point = {end, b.x, end, b.jacobian, out};
            assert_int_equal(crank_rank_turn_try(&b.turn, &point, &where, &at),
                             end > 0.0 ? CRANK_TURN_TRIED : CRANK_TURN_LOOKED);
        }
        assert_int_equal(accept(&b, 0.2, true, &where, &at), CRANK_TURN_PASSED);
        CHECK_NEAR(where, 0.0, 0.7 / 4096.0);
        tear_down(&b);
    }
}

static void way_of_positions_makes_looks_due(void **state)
{
    const double unit[MOST_UNKNOWNS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                        1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    bench b;
    double where = 0.0;
    int at = -1;
    set_up(&b, vanishing, -0.5, 1, NULL);
    b.turn.unit = unit;
    b.turn.closest = 1e-3;
    (void)accept(&b, -0.5, false, &where, &at);
    assert_int_equal(accept(&b, -0.2, false, &where, &at), CRANK_TURN_NONE);
    assert_int_equal(accept(&b, 0.1, false, &where, &at), CRANK_TURN_PASSED);
    CHECK_NEAR(where, 0.0, 1e-3);
    tear_down(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(step_across_a_singular_position_is_found_with_its_time),
        cmocka_unit_test(it_is_found_in_any_of_the_steps_between_two_looks),
        cmocka_unit_test(rows_that_turn_are_no_singular_position),
        cmocka_unit_test(step_that_is_tried_is_to_be_shorter_until_it_ends_before),
        cmocka_unit_test(
            redundant_row_that_goes_through_zero_by_itself_is_no_singular_position),
        cmocka_unit_test(redundant_rows_count_once),
        cmocka_unit_test(way_of_positions_makes_looks_due),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
