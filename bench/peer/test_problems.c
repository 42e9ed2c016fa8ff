/* test_problems.c - the problems that peers are measured on are those of crank's models, and
 * their derivatives, written by hand, are right. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "form.h"
#include "one_state.h"
#include "reduced.h"

#include <crank/crank.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct known {
    const char *problem;
    int size;
    const char *model;
    /* carried: the dynamic rows are the accelerations themselves */
    crank_accelerations accelerations;
    double spread;   /* of random positions about the start */
    double velocity; /* size of random velocities */
    bool spatial;    /* a mechanism in quaternions; the model has angular velocities */
} known;

static const known list[] = {
    {"pendulum", 0, "models/pendulum/pendulum.yaml", CRANK_ACCELERATIONS_AUTO, 0.3, 5, false},
    {"andrews", 0, "models/andrews/andrews.yaml", CRANK_ACCELERATIONS_CARRY, 0.05, 100, false},
    {"elastic-slider-crank", 0, "models/elastic-slider-crank/elastic-slider-crank.yaml",
     CRANK_ACCELERATIONS_CARRY, 0.01, 10, false},
    {"truck", 0, "models/truck/equations.yaml", CRANK_ACCELERATIONS_AUTO, 0.05, 1, false},
    {"flyball-governor", 0, "models/flyball-governor/equations.yaml", CRANK_ACCELERATIONS_AUTO,
     0.05, 1, false},
    {"four-bar", 3, "models/four-bar/four-bar.yaml", CRANK_ACCELERATIONS_AUTO, 0.1, 1, false},
    {"spinning-top", 0, "models/spinning-top/spinning-top.yaml", CRANK_ACCELERATIONS_AUTO, 0.3,
     5, true},
    {"free-chain", 4, "models/free-chain/free-chain.yaml", CRANK_ACCELERATIONS_AUTO, 0.1, 5,
     true},
    {"universal-pendulum", 0, "models/universal-pendulum/universal-pendulum.yaml",
     CRANK_ACCELERATIONS_AUTO, 0.1, 5, true},
    {"stewart-platform", 0, "models/stewart-platform/stewart-platform.yaml",
     CRANK_ACCELERATIONS_AUTO, 0.05, 1, true},
    {"gyroscope-loop", 0, "models/gyroscope-loop/equations.yaml", CRANK_ACCELERATIONS_CARRY,
     0.1, 5, false},
    {"swashplate", 0, "models/swashplate/equations.yaml", CRANK_ACCELERATIONS_AUTO, 0.1, 5,
     false}};
enum { PROBLEMS = sizeof list / sizeof *list, ROUNDS = 5 };

static double random_number(uint64_t *seed) /* in [-1, 1] */
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

static void random_point(const known *about, const mechanics *problem, uint64_t *seed,
                         double *t, double *q, double *v)
{
    *t = problem->t_end * (1 + random_number(seed)) / 20;
    for (int i = 0; i < problem->nq; i++) {
        q[i] = problem->q0[i] + about->spread * random_number(seed);
        v[i] = about->velocity * random_number(seed);
    }
    if (problem->rate) { /* the crank is where its drive wants it */
        q[0] = -problem->rate[2] * *t;
        v[0] = -problem->rate[2];
    }
}

static void consistent_point(const known *about, reduced *equations, uint64_t *seed, double *t,
                             double *q, double *v)
{
    random_point(about, equations->problem, seed, t, q, v);
    for (int i = 0; i < 30; i++)
        assert_true(reduced_project(equations, *t, q, v));
}

/* ---- derivatives ---- */

static double largest(const double *x, int count, int stride)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs(x[i * stride]));
    return most;
}

/* columns of matrix (rows x count) against central differences, relative to the largest entry
 * of the row: differences of steps 1e-6 are good to 1e-9 of it. A row of zeros (driven angle)
 * shows the rounding of the others. */
static void compare(const known *about, const double *matrix, const double *differences,
                    int rows, int columns)
{
    const double rounding = 1e-11 * largest(matrix, rows * columns, 1);
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            const double scale = largest(matrix + i, columns, rows);
            const double error = fabs(matrix[j * rows + i] - differences[j * rows + i]);
            if (!(error <= 1e-7 * (1e-3 + scale) + rounding))
                fail_msg("%s: entry (%d, %d) is %.9g, by differences %.9g", about->problem, i,
                         j, matrix[j * rows + i], differences[j * rows + i]);
        }
}

static void check_form(const known *about, mechanics *problem, bool ggl, uint64_t *seed)
{
    dae_form form;
    form_create(&form, problem, ggl, false);
    const int n = form.n;
    const double cj = 7, step = 1e-6;
    double *y = numbers(n), *yp = numbers(n), *up = numbers(n), *down = numbers(n),
           *matrix = numbers(n * n), *differences = numbers(n * n), t;
    random_point(about, problem, seed, &t, y, y + problem->nq);
    for (int i = 0; i < n; i++) {
        yp[i] = random_number(seed);
        if (i >= 2 * problem->nq)
            y[i] = random_number(seed);
    }
    form_jacobian(&form, t, cj, y, yp, matrix);
    for (int j = 0; j < n; j++) {
        const double keep = y[j], keep_rate = yp[j];
        y[j] = keep + step;
        yp[j] = keep_rate + cj * step;
        form_residual(&form, t, y, yp, up);
        y[j] = keep - step;
        yp[j] = keep_rate - cj * step;
        form_residual(&form, t, y, yp, down);
        y[j] = keep;
        yp[j] = keep_rate;
        for (int i = 0; i < n; i++)
            differences[j * n + i] = (up[i] - down[i]) / (2 * step);
    }
    compare(about, matrix, differences, n, n);
    free(y);
    free(yp);
    free(up);
    free(down);
    free(matrix);
    free(differences);
    form_destroy(&form);
}

static void jacobians_agree_with_differences(void **state)
{
    uint64_t seed = 5;
    for (int i = 0; i < PROBLEMS; i++) {
        mechanics *problem = mechanics_create(list[i].problem, list[i].size);
        for (int round = 0; round < ROUNDS; round++) {
            check_form(&list[i], problem, true, &seed);
            check_form(&list[i], problem, false, &seed);
        }
        mechanics_destroy(problem);
    }
}

static void jacobian_of_the_reduced_equations_agrees_with_differences(void **state)
{
    uint64_t seed = 9;
    for (int k = 0; k < PROBLEMS; k++) {
        mechanics *problem = mechanics_create(list[k].problem, list[k].size);
        reduced *equations = reduced_create(problem);
        const int n = problem->nq;
        double *y = numbers(2 * n), *up = numbers(n), *down = numbers(n),
               *matrix = numbers(2 * n * n), *differences = numbers(2 * n * n), t;
        consistent_point(&list[k], equations, &seed, &t, y, y + n);
        assert_true(reduced_jacobian(equations, t, y, y + n, matrix, matrix + n * n));
        for (int j = 0; j < 2 * n; j++) {
            const double keep = y[j], step = 1e-6;
            y[j] = keep + step;
            assert_true(reduced_accelerations(equations, t, y, y + n, up, equations->lambda));
            y[j] = keep - step;
            assert_true(reduced_accelerations(equations, t, y, y + n, down, equations->lambda));
            y[j] = keep;
            for (int i = 0; i < n; i++)
                differences[j * n + i] = (up[i] - down[i]) / (2 * step);
        }
        compare(&list[k], matrix, differences, n, 2 * n);
        free(y);
        free(up);
        free(down);
        free(matrix);
        free(differences);
        reduced_destroy(equations);
        mechanics_destroy(problem);
    }
}

/* ---- the same as crank's models ---- */

static bool is_four_bar(const known *about)
{
    return about->size > 0 && !about->spatial;
}

/* Where coordinate i of the problem stands among the model's: bodies of the four-bar alternate
 * here, while the model has all uprights first. */
static int place_in_model(const known *about, int i)
{
    if (!is_four_bar(about))
        return i;
    const int body = i / 3, moved = body % 2 == 0 ? body / 2 : about->size + 1 + body / 2;
    return 3 * moved + i % 3;
}

static crank_state *read_model(const known *about)
{
    const crank_setting settings[] = {{"N", "3"}, {"grav", "-9.81"}};
    crank_model_options options = crank_model_options_default();
    options.accelerations = about->accelerations;
    options.settings = settings;
    options.setting_count = is_four_bar(about) ? 2 : 0;
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_OK(one_state_read(about->model, &options, &model, &err), err);
    return model;
}

/* Rates (or their rates: the product of q' with itself has no vector part) of place and
 * quaternion as the model has them: of the place, and 2 q* q' in axes of the body. */
static void to_angular(int bodies, const double *q, const double *rate, double *out)
{
    for (int i = 0; i < bodies; i++, q += 7, rate += 7, out += 6) {
        const double *p = q + 3, *r = rate + 3;
        memcpy(out, rate, 3 * sizeof *out);
        out[3] = 2 * (p[0] * r[1] - p[1] * r[0] - p[2] * r[3] + p[3] * r[2]);
        out[4] = 2 * (p[0] * r[2] + p[1] * r[3] - p[2] * r[0] - p[3] * r[1]);
        out[5] = 2 * (p[0] * r[3] - p[1] * r[2] + p[2] * r[1] - p[3] * r[0]);
    }
}

/* velocities, or accelerations, in the order and kind of the model; their number */
static int to_model(const known *about, const mechanics *problem, const double *q,
                    const double *rate, double *out)
{
    if (about->spatial) {
        to_angular(problem->nq / 7, q, rate, out);
        return problem->nq / 7 * 6;
    }
    for (int i = 0; i < problem->nq; i++)
        out[place_in_model(about, i)] = rate[i];
    return problem->nq;
}

static void check_accelerations(const known *about, reduced *equations, crank_state *model,
                                uint64_t *seed)
{
    const mechanics *problem = equations->problem;
    crank_eom *eom = crank_state_eom(model);
    const int nq = problem->nq, p = crank_eom_column(eom, CRANK_P),
              v = crank_eom_column(eom, CRANK_V), dynamic = crank_eom_row(eom, CRANK_ROW_DYN);
    double *x = numbers(crank_eom_unknowns(eom)), *k = numbers(crank_eom_rows(eom)),
           *y = numbers(2 * nq), *a = numbers(nq), *expected = numbers(nq), t;
    consistent_point(about, equations, seed, &t, y, y + nq);
    assert_true(reduced_accelerations(equations, t, y, y + nq, a, equations->lambda));
    memcpy(x, crank_state_start(model), (size_t)crank_eom_unknowns(eom) * sizeof *x);
    for (int i = 0; i < nq; i++)
        x[p + place_in_model(about, i)] = y[i];
    to_model(about, problem, y, y + nq, x + v);
    crank_initial_options options = crank_initial_options_default();
    options.multipliers = true;
    crank_initial_report report;
    crank_error err = {0};
    CHECK_OK(crank_eom_initialize(eom, t, x, &options, &report, (crank_log){0}, &err), err);
    assert_true(report.largest_change < 1e-9 || report.largest_column < v);
    CHECK_OK(crank_eom_evaluate(eom, t, x, k, &err), err);
    /* the dynamic rows are M a; a where accelerations are carried and for mechanisms */
    if (about->accelerations != CRANK_ACCELERATIONS_CARRY && about->size == 0 &&
        !about->spatial)
        for (int i = 0; i < nq; i++)
            a[i] /= equations->mass[i];
    const int count = to_model(about, problem, y, a, expected);
    const double scale = largest(expected, count, 1);
    for (int i = 0; i < count; i++)
        CHECK_NEAR(k[dynamic + i], expected[i], 1e-9 * scale);
    free(x);
    free(k);
    free(y);
    free(a);
    free(expected);
}

static void accelerations_are_those_of_the_models(void **state)
{
    uint64_t seed = 3;
    for (int i = 0; i < PROBLEMS; i++) {
        mechanics *problem = mechanics_create(list[i].problem, list[i].size);
        reduced *equations = reduced_create(problem);
        crank_state *model = read_model(&list[i]);
        for (int round = 0; round < ROUNDS; round++)
            check_accelerations(&list[i], equations, model, &seed);
        one_state_close(model);
        reduced_destroy(equations);
        mechanics_destroy(problem);
    }
}

static void spatial_problems_start_as_the_models_do(void **state)
{
    for (int k = 0; k < PROBLEMS; k++) {
        if (!list[k].spatial)
            continue;
        mechanics *problem = mechanics_create(list[k].problem, list[k].size);
        crank_state *model = read_model(&list[k]);
        const crank_eom *eom = crank_state_eom(model);
        const double *x = crank_state_start(model), *p = x + crank_eom_column(eom, CRANK_P),
                     *v = x + crank_eom_column(eom, CRANK_V);
        double *velocities = numbers(problem->nq);
        const int count = to_model(&list[k], problem, problem->q0, problem->v0, velocities);
        /* rounding of a few operations */
        for (int i = 0; i < problem->nq; i++)
            CHECK_NEAR(p[i], problem->q0[i], 1e-15 * (1 + fabs(p[i])));
        for (int i = 0; i < count; i++)
            CHECK_NEAR(v[i], velocities[i], 2e-15 * largest(v, count, 1));
        free(velocities);
        one_state_close(model);
        mechanics_destroy(problem);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobians_agree_with_differences),
        cmocka_unit_test(jacobian_of_the_reduced_equations_agrees_with_differences),
        cmocka_unit_test(accelerations_are_those_of_the_models),
        cmocka_unit_test(spatial_problems_start_as_the_models_do),
    };
    return CHECK_RUN(argc, argv, tests);
}
