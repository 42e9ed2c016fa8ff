/* test_corrector.c - ggl as the corrector of bdf wants it: both formalisms say the same motion,
 * the matrices of all ways to get a Jacobian are derivatives of F, groups of columns give the
 * bits of single columns, inputs are found, updates follow them. */
// SPDX-License-Identifier: BSD-3-Clause
#include "unit/mechanics/joint_models.h"
#include "unit/mechanics/mechanism.h"

#include "formulate/corrector.h"
#include "integrate/create.h"

#include <float.h>
#include <stdlib.h>

/* a loop, a driven slide that carries it, and a drive whose work is counted */
static const char *const driven =
    "crank: mechanism\n"
    "dimension: 2\n"
    "gravity: [0, -9.81]\n"
    "energy: true\n"
    "bodies:\n"
    "  sledge: {mass: 2, inertia: 1, position: [0, 0]}\n"
    "  a: {mass: 1, inertia: 0.1, position: [0.5, 0]}\n"
    "  b: {mass: 1, inertia: 0.1, position: [1.4, 0.5]}\n"
    "joints:\n"
    "  slide: {type: prismatic, between: [ground, sledge], at: [0, 0], axis: [1, 0.5],\n"
    "    drive: 0.3*sin(2*t)}\n"
    "  pin: {type: revolute, between: [sledge, a], at: [0, 0]}\n"
    "  knee: {type: revolute, between: [a, b], at: [1, 0]}\n"
    "  end: {type: point_on_line, between: [b, ground], at: [2, 1], axis: [1, 0.2]}\n"
    "forces:\n"
    "  s: {type: spring, between: [ground, b], at: [[3, 0], [1.5, 0.6]], stiffness: 40,\n"
    "    length: 1, damping: 0.7}\n";

static const char *const chain =
    "crank: mechanism\n"
    "dimension: 2\n"
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  rail: {mass: 0, inertia: 0, position: [2, 0]}\n"
    "  a: {mass: 1, inertia: 0, position: [2, -1]}\n"
    "  b: {mass: 1, inertia: 0, position: [2, -2]}\n"
    "joints:\n"
    "  slide: {type: prismatic, between: [ground, rail], at: [2, 0], axis: [1, 0],\n"
    "    drive: 0.3*sin(2*t)}\n"
    "  pin: {type: revolute, between: [rail, a], at: [2, 0]}\n"
    "  knee: {type: revolute, between: [a, b], at: [2, -1]}\n";

/* a rack that is led across a free body: gradients by the body's own motion are rounding */
static const char *const rack =
    "crank: mechanism\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  car: {mass: 100, inertia: [20, 30, 40], position: [3, 2, 1], velocity: [5, 1, 0]}\n"
    "  rack: {mass: 3, inertia: [0.1, 0.1, 0.2], position: [3.7, 2.1, 1.2]}\n"
    "joints:\n"
    "  steering: {type: prismatic, between: [car, rack], at: [3.7, 2.1, 1.2], axis: [0, 1, "
    "0.3],\n"
    "    drive: 0.1*sin(3*t)}\n";

typedef struct subject {
    mechanism m;
    crank_problem *problem;
    crank_corrector *s;
    crank_options options;
    double x[MECHANISM_MAX], xdot[MECHANISM_MAX];
} subject;

static void begin_with(subject *u, const char *text, crank_linear_algebra algebra,
                       crank_formalism formalism, crank_jacobian_source derivatives,
                       crank_jacobian_strategy strategy)
{
    mechanism *m = &u->m;
    crank_model_options options = crank_model_options_default();
    crank_initial_options initial = crank_initial_options_default();
    crank_initial_report report;
    crank_options o = crank_options_default();
    options.coordinates = CRANK_COORDINATES_JOINT;
    *u = (subject){0};
    CHECK_OK(one_state_read_text("test", text, strlen(text), &options, &m->model, &m->err),
             m->err);
    m->eom = crank_state_eom(m->model);
    m->n = crank_eom_unknowns(m->eom);
    memcpy(m->x, crank_state_start(m->model), (size_t)m->n * sizeof *m->x);
    initial.fixing = crank_model_fixing(crank_state_model(m->model));
    initial.max_change = 0.0;
    CHECK_OK(
        crank_eom_initialize(m->eom, 0.0, m->x, &initial, &report, (crank_log){0}, &m->err),
        m->err);
    CHECK_OK(crank_state_begin(m->model, 0.0, m->x, &m->err), m->err);
    o.linear_algebra = algebra;
    o.formalism = formalism;
    o.derivatives = derivatives;
    o.jacobian = strategy;
    u->options = o;
    CHECK_OK(
        crank_formulate("ggl", m->eom, &o, 0.0, m->x, (crank_log){0}, &u->problem, &m->err),
        m->err);
    u->s = (crank_corrector *)u->problem;
    CHECK_OK(u->problem->unknowns->reduce(u->problem, 0.0, m->x, u->x, &m->err), m->err);
}

static void begin(subject *u, const char *text, crank_formalism formalism,
                  crank_jacobian_source derivatives, crank_jacobian_strategy strategy)
{
    begin_with(u, text, CRANK_LINALG_AUTO, formalism, derivatives, strategy);
}

static void end(subject *u)
{
    crank_problem_destroy(u->problem);
    mechanism_end(&u->m);
}

/* positions near the start, everything else at random */
static void move(subject *u, random_source *r)
{
    double change[MECHANISM_MAX];
    random_fill(r, u->problem->n, change);
    random_fill(r, u->problem->n, u->xdot);
    for (int j = 0; j < u->problem->n; j++) {
        const int column = u->s->column[j];
        const bool p = column >= u->m.eom->column[CRANK_P];
        u->x[j] = column < 0 ? 0.0 : p ? u->m.x[column] + 0.2 * change[j] : change[j];
    }
}

static void residual(subject *u, double t, const double *x, const double *xdot, double *out)
{
    CHECK_OK(u->problem->residual(u->problem, t, x, xdot, out, &u->m.err), u->m.err);
}

static const char *const models[] = {tree, loops, planar, driven, chain, rack};
enum { MODELS = sizeof models / sizeof *models };

/* ---- formalisms ---- */

static void accelerations_of_the_explicit_formalism_are_roots_of_the_residual(void **state)
{
    (void)state;
    random_source r = {5};
    for (int k = 0; k < MODELS; k++) {
        subject e, f;
        begin(&e, models[k], CRANK_FORMALISM_EXPLICIT, CRANK_DERIVATIVES_ANALYTIC, 0);
        begin(&f, models[k], CRANK_FORMALISM_RESIDUAL, CRANK_DERIVATIVES_ANALYTIC, 0);
        assert_int_equal(e.problem->n, f.problem->n);
        for (int i = 0; i < 20; i++) {
            double out[MECHANISM_MAX], before[MECHANISM_MAX];
            move(&e, &r);
            residual(&e, 0.1 * i, e.x, e.xdot, out);
            residual(&f, 0.1 * i, e.x, e.xdot, before);
            for (int v = 0; v < e.m.eom->sizes.v; v++) {
                if (e.s->mass.free[v] >= 0) {
                    e.xdot[e.s->place[e.m.eom->column[CRANK_V] + v]] += out[e.s->row_v[v]];
                }
            }
            residual(&f, 0.1 * i, e.x, e.xdot, out);
            for (int v = 0; v < e.m.eom->sizes.v; v++) {
                const int row = e.s->row_v[v];
                if (e.s->mass.free[v] >= 0 &&
                    !(fabs(out[row]) <= 1e-10 * (100.0 + fabs(before[row])))) {
                    fail_msg("model %d, balance %d: %g, before %g", k, v, out[row],
                             before[row]);
                }
            }
        }
        end(&e);
        end(&f);
    }
}

/* ---- matrices ---- */

/* F along (delta, sigma delta), by central differences, is -r */
static void check_matrix(subject *u, double t, double tolerance, int model)
{
    const double sigma = 30.0, none = 0.0, h = 1e-6;
    const int n = u->problem->n;
    double r[MECHANISM_MAX], delta[MECHANISM_MAX], side[2][MECHANISM_MAX];
    double x[MECHANISM_MAX], xdot[MECHANISM_MAX], at[MECHANISM_MAX], rate[MECHANISM_MAX];
    memcpy(at, u->x, sizeof at);
    memcpy(rate, u->xdot, sizeof rate);
    for (int i = 0; i < n; i++) {
        r[i] = sin(1.0 + i);
    }
    CHECK_OK(u->problem->prepare(u->problem, t, at, rate, &u->m.err), u->m.err);
    CHECK_OK(u->problem->factor(u->problem, 1, &sigma, &none, &u->m.err), u->m.err);
    CHECK_OK(u->problem->solve(u->problem, 0, r, NULL, delta, NULL, &u->m.err), u->m.err);
    double size = 1.0;
    for (int j = 0; j < n; j++) {
        size = fmax(size, fabs(delta[j]));
    }
    for (int k = 0; k < 2; k++) {
        const double step = (k == 0 ? h : -h) / size;
        for (int j = 0; j < n; j++) {
            x[j] = at[j] + step * delta[j];
            xdot[j] = rate[j] + step * sigma * delta[j];
        }
        residual(u, t, x, xdot, side[k]);
    }
    for (int i = 0; i < n; i++) {
        const double found = -(side[0][i] - side[1][i]) / (2.0 * h / size);
        if (!(fabs(found - r[i]) <= tolerance * size)) {
            fail_msg("model %d, row %d of %d: %g instead of %g (size %g)", model, i, n, found,
                     r[i], size);
        }
    }
}

static void matrices_are_derivatives_of_the_residual(void **state)
{
    (void)state;
    for (int k = 0; k < MODELS; k++) {
        for (int f = CRANK_FORMALISM_EXPLICIT; f <= CRANK_FORMALISM_RESIDUAL; f++) {
            for (int d = CRANK_DERIVATIVES_ANALYTIC; d <= CRANK_DERIVATIVES_ESTIMATED; d++) {
                random_source r = {7};
                subject u;
                begin(&u, models[k], (crank_formalism)f, (crank_jacobian_source)d, 0);
                for (int i = 0; i < 5; i++) {
                    move(&u, &r);
                    /* differences: eps^(1/4) of what is moved, times sums of forces of 100 */
                    u.s->scan_due = d == CRANK_DERIVATIVES_ESTIMATED;
                    check_matrix(&u, 0.1 * i, d == CRANK_DERIVATIVES_ANALYTIC ? 1e-6 : 2e-2, k);
                }
                end(&u);
            }
        }
    }
}

/* where other blocks of M have no places either */
static void so_are_matrices_of_formulas_that_follow_drives(void **state)
{
    (void)state;
    for (int k = 0; k < MODELS; k++) {
        random_source r = {7};
        subject u;
        begin(&u, models[k], CRANK_FORMALISM_EXPLICIT, CRANK_DERIVATIVES_ANALYTIC,
              CRANK_JACOBIAN_EXTENDED);
        for (int i = 0; i < 5; i++) {
            move(&u, &r);
            check_matrix(&u, 0.1 * i, 1e-6, k);
        }
        end(&u);
    }
}

/* ---- patterns of formulas ---- */

static int entries_with(crank_jacobian_source source, const double x[4])
{
    subject u;
    const double xdot[4] = {0.0};
    begin(&u, chain, CRANK_FORMALISM_EXPLICIT, source, CRANK_JACOBIAN_PARTITIONED);
    CHECK_OK(u.problem->prepare(u.problem, 0.0, u.x, xdot, &u.m.err), u.m.err);
    CHECK_OK(u.problem->prepare(u.problem, 0.0, x, xdot, &u.m.err), u.m.err);
    const int entries = (int)u.s->statistics.matrix_entries;
    end(&u);
    return entries;
}

/* Hanging at rest no rate acts; turning it does. */
static void formulas_leave_out_entries_that_are_rounding(void **state)
{
    (void)state;
    const double still[4] = {0.0}, hardly[4] = {1e-9, 0.0, 0.1, 0.2},
                 turning[4] = {3.0, -2.0, 0.1, 0.2};
    const int few = entries_with(CRANK_DERIVATIVES_ANALYTIC, still),
              all = entries_with(CRANK_DERIVATIVES_GROUPED, turning);
    assert_true(few < all);
    assert_int_equal(entries_with(CRANK_DERIVATIVES_ANALYTIC, hardly), few);
    assert_int_equal(entries_with(CRANK_DERIVATIVES_ANALYTIC, turning), all);
}

/* An iteration that fails without entries of little weight gets them. */
static void an_iteration_that_fails_gets_the_whole_pattern(void **state)
{
    (void)state;
    subject u;
    const double xdot[4] = {0.0}, hardly[4] = {1e-9, 0.0, 0.1, 0.2};
    begin(&u, chain, CRANK_FORMALISM_EXPLICIT, CRANK_DERIVATIVES_ANALYTIC, 0);
    CHECK_OK(u.problem->prepare(u.problem, 0.0, u.x, xdot, &u.m.err), u.m.err);
    assert_false(u.problem->doubts(u.problem)); /* nothing was left out */
    CHECK_OK(u.problem->prepare(u.problem, 0.0, hardly, xdot, &u.m.err), u.m.err);
    const int few = (int)u.s->statistics.matrix_entries;
    assert_true(u.problem->doubts(u.problem));
    CHECK_OK(u.problem->prepare(u.problem, 0.0, hardly, xdot, &u.m.err), u.m.err);
    assert_true((int)u.s->statistics.matrix_entries > few);
    assert_false(u.problem->doubts(u.problem));
    end(&u);
}

/* ---- groups ---- */

/* Entries that the code reads: F_i has other bits when y_j is moved, at one of many points. */
static void see_what_is_read(subject *u)
{
    random_source r = {11};
    const int n = u->problem->n;
    double f0[MECHANISM_MAX], f1[MECHANISM_MAX];
    for (int k = 0; k < 400; k++) {
        move(u, &r);
        if (k == 0) { /* increments */
            CHECK_OK(crank_corrector_difference(u->s, 0.1, u->x, &u->m.err), u->m.err);
        }
        residual(u, 0.1, u->x, u->xdot, f0);
        for (int j = 0; j < n - u->s->extra; j++) {
            const double before = u->x[j];
            u->x[j] += k % 2 == 0 ? 0.01 * (1.0 + k) : u->s->step[j];
            residual(u, 0.1, u->x, u->xdot, f1);
            u->x[j] = before;
            for (int i = 0; i < n; i++) {
                u->s->seen[(size_t)j * (size_t)n + (size_t)i] |= f1[i] != f0[i];
            }
        }
    }
    u->s->scan_due = false;
    CHECK_OK(crank_corrector_make_matrix(u->s, &u->m.err), u->m.err);
}

static double entry(const subject *u, int row, int column)
{
    const int slot = crank_corrector_slot(&u->s->matrix, row, column);
    return slot >= 0 ? u->s->matrix.rest[slot] : 0.0;
}

static void groups_of_what_is_read_give_the_bits_of_single_columns(void **state)
{
    (void)state;
    for (int k = 0; k < MODELS; k++) {
        for (int f = CRANK_FORMALISM_EXPLICIT; f <= CRANK_FORMALISM_RESIDUAL; f++) {
            random_source r = {13};
            subject one, many;
            /* pivots of M that are kept would depend on the points before */
            begin_with(&one, models[k], CRANK_LINALG_DENSE, (crank_formalism)f,
                       CRANK_DERIVATIVES_DENSE, 0);
            begin_with(&many, models[k], CRANK_LINALG_DENSE, (crank_formalism)f,
                       CRANK_DERIVATIVES_ESTIMATED, 0);
            see_what_is_read(&many);
            const int n = one.problem->n;
            for (int i = 0; i < 10; i++) {
                move(&one, &r);
                CHECK_OK(one.problem->prepare(one.problem, 0.1, one.x, one.xdot, &one.m.err),
                         one.m.err);
                CHECK_OK(many.problem->prepare(many.problem, 0.1, one.x, one.xdot, &many.m.err),
                         many.m.err);
                for (int j = 0; j < n; j++) {
                    for (int row = 0; row < n; row++) {
                        const double a = entry(&one, row, j), b = entry(&many, row, j);
                        if (a != b) {
                            fail_msg("model %d, (%d, %d): %.17g and %.17g", k, row, j, a, b);
                        }
                    }
                }
            }
            end(&one);
            end(&many);
        }
    }
}

/* With the mathematical pattern entries differ by what rounding makes of a difference: twice
 * the noise that is measured along a line, over the increment. */
static void groups_of_the_mathematical_pattern_differ_by_noise(void **state)
{
    (void)state;
    for (int k = 0; k < MODELS; k++) {
        for (int f = CRANK_FORMALISM_EXPLICIT; f <= CRANK_FORMALISM_RESIDUAL; f++) {
            random_source r = {17};
            subject one, many;
            begin(&one, models[k], (crank_formalism)f, CRANK_DERIVATIVES_DENSE, 0);
            begin(&many, models[k], (crank_formalism)f, CRANK_DERIVATIVES_GROUPED, 0);
            const int n = one.problem->n;
            for (int i = 0; i < 5; i++) {
                move(&one, &r);
                CHECK_OK(one.problem->prepare(one.problem, 0.1, one.x, one.xdot, &one.m.err),
                         one.m.err);
                CHECK_OK(many.problem->prepare(many.problem, 0.1, one.x, one.xdot, &many.m.err),
                         many.m.err);
                for (int row = 0; row < n; row++) {
                    double size = 0.0; /* of the row's terms */
                    for (int j = 0; j < n - one.s->extra; j++) {
                        size += fabs(entry(&one, row, j)) * fmax(fabs(one.x[j]), 1.0);
                    }
                    for (int j = 0; j < n - one.s->extra; j++) {
                        const double noise =
                            1e3 * DBL_EPSILON * (size + 100.0) / fabs(one.s->step[j]);
                        CHECK_NEAR(entry(&many, row, j), entry(&one, row, j), noise);
                    }
                }
            }
            assert_true(many.s->matrix.group_count <= n);
            end(&one);
            end(&many);
        }
    }
}

/* ---- inputs ---- */

static void driven_coordinates_are_inputs_by_name(void **state)
{
    (void)state;
    subject u;
    begin(&u, chain, CRANK_FORMALISM_EXPLICIT, CRANK_DERIVATIVES_ANALYTIC, 0);
    const crank_channels *c = &u.s->channels;
    assert_int_equal(c->count, 1);
    assert_string_equal(u.m.eom->constraint_name[c->item[0].constraint],
                        "slide.drive of length");
    assert_false(c->item[0].read);
    assert_int_equal(u.problem->n, 4); /* two angles and their rates */
    CHECK_OK(crank_channels_at(&u.s->channels, 0.4, &u.m.err), u.m.err);
    CHECK_NEAR(c->u[0][0], 0.3 * sin(0.8), 1e-14);
    CHECK_NEAR(c->u[0][1], 0.6 * cos(0.8), 1e-14);
    CHECK_NEAR(c->u[0][2], -1.2 * sin(0.8), 1e-13);
    end(&u);
    begin(&u, driven, CRANK_FORMALISM_RESIDUAL, CRANK_DERIVATIVES_ANALYTIC, 0);
    assert_int_equal(u.s->channels.count, 1);
    assert_true(u.s->channels.item[0].read); /* by the work */
    end(&u);
    begin(&u, rack, CRANK_FORMALISM_EXPLICIT, CRANK_DERIVATIVES_ANALYTIC, 0);
    assert_int_equal(u.s->channels.count, 1);
    assert_int_equal(u.problem->n, 6 + 7 + 1); /* the free body, with the norm's eta */
    end(&u);
}

/* The chain's F_y is linear in u'': the extended update gives the Jacobian itself there. */
static void the_extended_update_follows_inputs(void **state)
{
    (void)state;
    subject u, v;
    double x[4] = {0.1, -0.2, 0.3, 0.1}, xdot[4] = {0.0}; /* rates, then angles */
    begin(&u, chain, CRANK_FORMALISM_EXPLICIT, CRANK_DERIVATIVES_ANALYTIC,
          CRANK_JACOBIAN_EXTENDED);
    begin(&v, chain, CRANK_FORMALISM_EXPLICIT, CRANK_DERIVATIVES_ANALYTIC, 0);
    CHECK_OK(u.problem->prepare(u.problem, 0.1, x, xdot, &u.m.err), u.m.err);
    CHECK_OK(u.problem->refresh(u.problem, 0.7, x, &u.m.err), u.m.err);
    CHECK_OK(v.problem->prepare(v.problem, 0.1, x, xdot, &v.m.err), v.m.err);
    double change = 0.0, before[16];
    for (int e = 0; e < 16; e++) {
        before[e] = entry(&v, e % 4, e / 4);
    }
    CHECK_OK(v.problem->prepare(v.problem, 0.7, x, xdot, &v.m.err), v.m.err);
    for (int e = 0; e < 16; e++) {
        change = fmax(change, fabs(entry(&v, e % 4, e / 4) - before[e]));
        CHECK_NEAR(entry(&u, e % 4, e / 4), entry(&v, e % 4, e / 4), 1e-9);
    }
    assert_true(change > 0.1);
    end(&u);
    end(&v);
}

/* ---- states at the ends of steps ---- */

enum { SHOWN_STEPS = 60 };

typedef struct travel {
    double end[MECHANISM_MAX], row[MECHANISM_MAX];
    int64_t solved; /* multipliers of drives, or rows, so often */
} travel;

static crank_integrator *start_bdf(subject *u)
{
    crank_integrator *it = NULL;
    CHECK_OK(crank_integrator_create("bdf", u->problem, &u->options, &it, &u->m.err), u->m.err);
    CHECK_OK(crank_integrator_start(it, 0.0, u->m.x, 10.0, &u->m.err), u->m.err);
    return it;
}

/* The state is asked for after each `every`-th step, behind a row in it where asked so. */
static travel go(const char *text, int every, bool rows)
{
    travel found = {0};
    subject u;
    begin(&u, text, CRANK_FORMALISM_RESIDUAL, CRANK_DERIVATIVES_ANALYTIC, 0);
    const size_t bytes = (size_t)u.m.n * sizeof(double);
    crank_integrator *it = start_bdf(&u);
    const int64_t before = u.s->direct->statistics.evaluations;
    for (int step = 1; step <= SHOWN_STEPS; step++) {
        CHECK_OK(crank_integrator_step(it, &u.m.err), u.m.err);
        const double middle = crank_integrator_time(it) - 0.5 * crank_integrator_last_step(it);
        if (rows) {
            CHECK_OK(crank_integrator_interpolate(it, middle, found.row, &u.m.err), u.m.err);
        }
        if (step % every == 0) {
            memcpy(found.end, crank_integrator_state(it), bytes);
        }
        if (step == SHOWN_STEPS) {
            CHECK_OK(crank_integrator_interpolate(it, middle, found.row, &u.m.err), u.m.err);
        }
    }
    found.solved = u.s->direct->statistics.evaluations - before;
    crank_integrator_destroy(it);
    end(&u);
    return found;
}

/* (What rows are asked for is another matter: one that is refined may cost the next step its
 * matrix.) */
static void states_and_rows_are_the_same_whoever_asked_before(void **state)
{
    (void)state;
    for (int k = 0; k < MODELS; k++) {
        for (int rows = 0; rows < 2; rows++) {
            const travel each = go(models[k], 1, rows == 1),
                         last = go(models[k], SHOWN_STEPS, rows == 1);
            assert_memory_equal(each.end, last.end, sizeof last.end);
            assert_memory_equal(each.row, last.row, sizeof last.row);
        }
    }
}

static void efforts_of_drives_are_solved_for_where_somebody_asks(void **state)
{
    (void)state;
    const int64_t once = go(chain, SHOWN_STEPS, false).solved,
                  each = go(chain, 1, false).solved;
    assert_true(once <= 4); /* the state, and a row with its look at what it is off */
    assert_true(each >= SHOWN_STEPS);
    assert_true(go(tree, 1, false).solved <= 4); /* without drives nothing is solved for */
}

static void
a_checkpoint_of_a_state_that_nobody_asked_for_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    subject u, v;
    void *data = NULL;
    size_t size = 0;
    begin(&u, chain, CRANK_FORMALISM_EXPLICIT, CRANK_DERIVATIVES_ANALYTIC, 0);
    begin(&v, chain, CRANK_FORMALISM_EXPLICIT, CRANK_DERIVATIVES_ANALYTIC, 0);
    const size_t bytes = (size_t)u.m.n * sizeof(double);
    crank_integrator *it = start_bdf(&u), *again = start_bdf(&v);
    for (int step = 0; step < SHOWN_STEPS; step++) {
        CHECK_OK(crank_integrator_step(it, &u.m.err), u.m.err);
    }
    CHECK_OK(crank_integrator_save(it, &data, &size, &u.m.err), u.m.err);
    CHECK_OK(crank_integrator_load(again, data, size, &v.m.err), v.m.err);
    free(data);
    assert_memory_equal(crank_integrator_state(it), crank_integrator_state(again), bytes);
    for (int step = 0; step < SHOWN_STEPS; step++) {
        CHECK_OK(crank_integrator_step(it, &u.m.err), u.m.err);
        CHECK_OK(crank_integrator_step(again, &v.m.err), v.m.err);
    }
    assert_memory_equal(crank_integrator_state(it), crank_integrator_state(again), bytes);
    crank_integrator_destroy(it);
    crank_integrator_destroy(again);
    end(&u);
    end(&v);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelerations_of_the_explicit_formalism_are_roots_of_the_residual),
        cmocka_unit_test(matrices_are_derivatives_of_the_residual),
        cmocka_unit_test(so_are_matrices_of_formulas_that_follow_drives),
        cmocka_unit_test(formulas_leave_out_entries_that_are_rounding),
        cmocka_unit_test(an_iteration_that_fails_gets_the_whole_pattern),
        cmocka_unit_test(groups_of_what_is_read_give_the_bits_of_single_columns),
        cmocka_unit_test(groups_of_the_mathematical_pattern_differ_by_noise),
        cmocka_unit_test(driven_coordinates_are_inputs_by_name),
        cmocka_unit_test(the_extended_update_follows_inputs),
        cmocka_unit_test(states_and_rows_are_the_same_whoever_asked_before),
        cmocka_unit_test(efforts_of_drives_are_solved_for_where_somebody_asks),
        cmocka_unit_test(
            a_checkpoint_of_a_state_that_nobody_asked_for_goes_on_with_the_same_bits),
    };
    return CHECK_RUN(argc, argv, tests);
}
