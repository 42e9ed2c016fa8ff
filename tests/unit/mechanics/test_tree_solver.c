/* test_tree_solver.c - the linear solver that eliminates along a tree (linalg/solver_tree.c):
 * when it is chosen, that its cost is linear in the number of links, that solutions which lose
 * digits are refined, and that another one takes over where freedoms have no inertia. */
// SPDX-License-Identifier: BSD-3-Clause
#include "unit/mechanics/mechanism.h"
#include "unit/mechanics/tree_matrix.h"

#include "linalg/branches.h"

#include <stdio.h>

/* N links on pins in the plane; then point masses on rods without mass, below a point that is
 * led */
static const char chain[] =
    "crank: mechanism\n"
    "dimension: 2\n"
    "gravity: [0, -9.81]\n"
    "parameters: {N: %d, L: 0.1, m: 0.1}\n"
    "joints:\n"
    "  hook: {type: revolute, between: [ground, link1], at: [0, 0]}\n"
    "%s"
    "repeat:\n"
    "  - count: N\n"
    "    index: i\n"
    "    bodies:\n"
    "      \"link{i}\": {mass: m, shape: {rod: L}, position: [(i - 1/2)*L, 0]}\n"
    "  - count: N - 1\n"
    "    index: i\n"
    "    joints:\n"
    "      \"pin{i}\": {type: revolute, between: [\"link{i}\", \"link{i+1}\"], at: [i*L, 0]}\n";

static const char light_chain[] =
    "crank: mechanism\n"
    "dimension: 2\n"
    "gravity: [0, -9.81]\n"
    "parameters: {N: %d, L: 1, m: 1}\n"
    "bodies:\n"
    "  rail: {mass: 0, inertia: 0, position: [0, 0]}\n"
    "  hook: {mass: 0, inertia: 0, position: [0, 0]}\n"
    "joints:\n"
    "  across: {type: prismatic, between: [ground, rail], at: [0, 0], axis: [1, 0], drive: "
    "sin(t)}\n"
    "  up: {type: prismatic, between: [rail, hook], at: [0, 0], axis: [0, 1], drive: "
    "sin(2*t)}\n"
    "  pin0: {type: revolute, between: [hook, link1], at: [0, 0]}\n"
    "%s"
    "repeat:\n"
    "  - count: N\n"
    "    index: i\n"
    "    bodies:\n"
    "      \"link{i}\": {mass: m, inertia: 0, position: [0, -i*L]}\n"
    "  - count: N - 1\n"
    "    index: i\n"
    "    joints:\n"
    "      \"pin{i}\": {type: revolute, between: [\"link{i}\", \"link{i+1}\"], at: [0, "
    "-i*L]}\n";

typedef struct machine {
    crank_state *model;
    crank_eom *eom;
    double *x, *J;
    matrix A;
    crank_solver_setup setup;
    crank_error err;
} machine;

/* its matrix at the start, links bent a little */
static void begin(machine *m, const char *format, int links, const char *more, form kind)
{
    char text[2000];
    crank_model_options options = crank_model_options_default();
    options.coordinates = CRANK_COORDINATES_JOINT;
    (void)snprintf(text, sizeof text, format, links, more);
    *m = (machine){0};
    CHECK_OK(one_state_read_text("test", text, strlen(text), &options, &m->model, &m->err),
             m->err);
    crank_eom *eom = m->eom = crank_state_eom(m->model);
    m->x = malloc((size_t)eom->n * sizeof *m->x);
    m->J = malloc((size_t)eom->jacobian_pattern.start[eom->n] * sizeof *m->J);
    assert_true(m->x != NULL && m->J != NULL);
    memcpy(m->x, crank_state_start(m->model), (size_t)eom->n * sizeof *m->x);
    for (int j = eom->column[CRANK_P]; j < eom->n; j++) {
        m->x[j] += 0.05 * sin(3.0 * j);
    }
    eom->recursion_wanted = true;
    CHECK_OK(eom->supplier.jacobian(eom->self, 0.1, m->x, NULL, m->J, &m->err), m->err);
    make(eom, kind, m->J, &m->A);
    m->setup = (crank_solver_setup){.wish = CRANK_LINALG_SPARSE,
                                    .n = m->A.n,
                                    .start = m->A.start,
                                    .row = m->A.row,
                                    .shifts = 2,
                                    .recursion = eom->recursion,
                                    .recursion_values = eom->supplier.recursion(eom->self),
                                    .recursion_row = m->A.target};
}

static void end(machine *m)
{
    release(&m->A);
    free(m->x);
    free(m->J);
    one_state_close(m->model);
}

/* ---- choice ---- */

static void check_choice(const char *more, int links, form kind, bool tree)
{
    machine m;
    crank_solver *solver = NULL;
    begin(&m, chain, links, more, kind);
    CHECK_OK(crank_solver_create(&m.setup, &solver, &m.err), m.err);
    if ((strcmp(crank_solver_name(solver), "tree") == 0) != tree) {
        fail_msg("%d links%s, form %d: %s", links, more, (int)kind, crank_solver_name(solver));
    }
    assert_true(crank_solver_reads_recursion(solver) == tree);
    crank_solver_destroy(solver);
    m.setup.wish = CRANK_LINALG_KLU; /* who names a solver gets it */
    CHECK_OK(crank_solver_create(&m.setup, &solver, &m.err), m.err);
    assert_string_equal(crank_solver_name(solver), "klu");
    crank_solver_destroy(solver);
    end(&m);
}

/* two arms that meet in the middle */
static const char loop[] =
    "  end: {type: revolute, between: [ground, \"link300\"], at: [N*L, 0]}\n";

static void long_chains_are_eliminated_along_the_tree_and_short_ones_as_they_are(void **state)
{
    (void)state;
    for (int kind = 0; kind < FORMS; kind++) {
        check_choice("", 10, (form)kind, false);
        check_choice("", 100, (form)kind, true);
        check_choice(loop, 300, (form)kind, true);
    }
}

/* ---- cost ---- */

static double work_of(const char *more, int links)
{
    machine m;
    crank_branches *t = NULL;
    begin(&m, chain, links, more, STABILISED);
    CHECK_OK(crank_branches_create(&m.setup, &t, &m.err), m.err);
    /* without the look at all entries */
    const double work = t->work - (t->edge > 0 ? 2.0 * m.A.entries : 0.0);
    crank_branches_destroy(t);
    end(&m);
    return work;
}

static void the_cost_is_linear_in_the_number_of_links(void **state)
{
    (void)state;
    static const char far[] =
        "  end: {type: revolute, between: [ground, \"link50\"], at: [50*L, 0]}\n";
    const double open = work_of("", 200) / work_of("", 100),
                 closed = work_of(far, 400) / work_of(far, 200);
    CHECK_NEAR(open, 2.0, 1e-12);
    assert_true(closed < 2.0 && closed > 1.8); /* and a constant for the loop */
}

/* ---- accuracy ---- */

/* a solution is that of the entries, with so many searches for pivots */
static void check_solution(machine *m, int searches)
{
    crank_solver *solver = NULL;
    CHECK_OK(crank_solver_create(&m->setup, &solver, &m->err), m->err);
    assert_string_equal(crank_solver_name(solver), "tree");
    const int n = m->A.n;
    double *pair = calloc(2 * (size_t)m->A.entries, sizeof *pair),
           *b = calloc(2 * (size_t)n, sizeof *b), *x = calloc(2 * (size_t)n, sizeof *x),
           *solution = malloc((size_t)n * sizeof *solution);
    assert_true(pair != NULL && b != NULL && x != NULL && solution != NULL);
    double *values = crank_solver_values(solver, 0, false);
    for (int e = 0; e < m->A.entries; e++) {
        values[e] = pair[2 * e] = m->A.lead[e] + m->A.rest[e];
    }
    for (int i = 0; i < n; i++) {
        solution[i] = b[2 * i] = cos(i);
    }
    CHECK_OK(crank_solver_factor(solver, 0, &m->err), m->err);
    assert_int_equal(crank_solver_pivot_searches(solver), searches);
    crank_solver_solve(solver, 0, solution, NULL, solution, NULL);
    for (int i = 0; i < n; i++) {
        x[2 * i] = solution[i];
    }
    assert_true(backward_error(&m->A, pair, b, x) < 1e-12);
    crank_solver_destroy(solver);
    free(pair);
    free(b);
    free(x);
    free(solution);
}

static void another_solver_takes_over_where_freedoms_have_no_inertia(void **state)
{
    (void)state;
    machine m;
    begin(&m, light_chain, 100, "", PROJECTION);
    check_solution(&m, 1);
    end(&m);
}

/* Their inertia about the first one is that of points but for parts of 1e-5: what is left of
 * it after the elimination has few digits. */
static void slender_bodies_far_away_keep_their_digits_by_refinement(void **state)
{
    (void)state;
    static const char rods[] =
        "crank: mechanism\n"
        "parameters: {N: %d, L: 0.3}\n"
        "joints:\n"
        "  ball0: {type: spherical, between: [ground, rod1], at: [0, 0, 0]}\n"
        "%s"
        "repeat:\n"
        "  - count: N\n"
        "    index: i\n"
        "    bodies:\n"
        "      \"rod{i}\": {mass: 0.6, inertia: [5e-4, 4.6e-3, 5e-3], position: [(i - "
        "1/2)*L, 0, 0]}\n"
        "  - count: N - 1\n"
        "    index: i\n"
        "    joints:\n"
        "      \"ball{i}\": {type: spherical, between: [\"rod{i}\", \"rod{i+1}\"], at: [i*L, "
        "0, 0]}\n";
    machine m;
    for (int kind = 0; kind < FORMS; kind++) {
        begin(&m, rods, 60, "", (form)kind);
        check_solution(&m, 0);
        end(&m);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_chains_are_eliminated_along_the_tree_and_short_ones_as_they_are),
        cmocka_unit_test(the_cost_is_linear_in_the_number_of_links),
        cmocka_unit_test(another_solver_takes_over_where_freedoms_have_no_inertia),
        cmocka_unit_test(slender_bodies_far_away_keep_their_digits_by_refinement)};
    return CHECK_RUN(argc, argv, tests);
}
