/* test_chart.c - quaternions in axes of their own, theory (3.12): the Jacobian against dense
 * products, and pivots that last while bodies turn. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "formulate/chart.h"
#include "unit/linalg/random.h"

#include <crank/run.h>

enum { P = 9, V = 7, L = 2, N = 2, MOST = 48 };

/* one plain position between two groups of four, each with a norm and three velocities */
static const int group_position[2] = {0, 5}, group_velocity[2] = {0, 4};

typedef struct sample {
    crank_eom *eom;
    double J[MOST][MOST], values[MOST * MOST];
} sample;

static bool in_group(int i, int first, int size)
{
    return i >= first && i < first + size;
}

static bool used(const crank_eom *eom, random_source *r, int i, int j)
{
    const int norm = i - eom->row[CRANK_ROW_N], kin = i - eom->row[CRANK_ROW_KIN];
    const int p = j - eom->column[CRANK_P], v = j - eom->column[CRANK_V];
    if (in_group(norm, 0, N)) {
        return in_group(p, group_position[norm], 4);
    }
    if (kin >= 0 && in_group(v, 0, V)) {
        for (int g = 0; g < 2; g++) {
            if (in_group(kin, group_position[g], 4) || in_group(v, group_velocity[g], 3)) {
                return in_group(kin, group_position[g], 4) && in_group(v, group_velocity[g], 3);
            }
        }
        return true;
    }
    return random_real(r) > 0.3;
}

static void make_sample(sample *s)
{
    static int start[MOST + 1], row[MOST * MOST], mass_start[V + 1], mass_row[V];
    const crank_eom_sizes sizes = {.p = P, .v = V, .lambda = L, .n = N};
    random_source r = {17};
    crank_error err = {0};
    CHECK_OK(crank_eom_allocate(&sizes, NULL, NULL, NULL, &s->eom, &err), err);
    int at = 0;
    for (int j = 0; j < s->eom->n; j++) {
        start[j] = at;
        for (int i = 0; i < s->eom->m; i++) {
            s->J[i][j] = 0.0;
            if (used(s->eom, &r, i, j)) {
                s->J[i][j] = s->values[at] = random_real(&r);
                row[at++] = i;
            }
        }
    }
    start[s->eom->n] = at;
    for (int j = 0; j < V; j++) {
        mass_start[j] = mass_row[j] = j;
    }
    mass_start[V] = V;
    const crank_pattern jacobian = {s->eom->m, s->eom->n, start, row};
    const crank_pattern mass = {V, V, mass_start, mass_row};
    CHECK_OK(crank_eom_set_patterns(s->eom, &jacobian, &mass, &err), err);
}

/* T (n x n), from what crank_chart_columns does to unit vectors */
static void read_columns(const crank_chart *chart, int n, double T[MOST][MOST])
{
    for (int k = 0; k < n; k++) {
        double delta[MOST] = {0.0};
        delta[k] = 1.0;
        crank_chart_columns(chart, delta);
        for (int j = 0; j < n; j++) {
            T[j][k] = delta[j];
        }
    }
}

static double full_entry(const crank_pattern *pattern, const double *values, int i, int j)
{
    for (int e = pattern->start[j]; e < pattern->start[j + 1]; e++) {
        if (pattern->row[e] == i) {
            return values[e];
        }
    }
    return 0.0;
}

static void the_jacobian_in_axes_is_the_product_of_matrices(void **state)
{
    static sample s;
    static double T[MOST][MOST];
    crank_chart *chart = NULL;
    crank_error err = {0};
    make_sample(&s);
    CHECK_OK(crank_chart_create(s.eom, &chart, &err), err);
    assert_non_null(chart);
    crank_chart_update(chart, s.values);
    const int n = s.eom->n, m = s.eom->m, kin = s.eom->row[CRANK_ROW_KIN];
    read_columns(chart, n, T);
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) {
            double sum = 0.0;
            for (int j = 0; j < n; j++) {
                sum += T[j][a] * T[j][b];
            }
            CHECK_NEAR(sum, a == b ? 1.0 : 0.0, 1e-14);
        }
    }
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < n; k++) {
            double want = 0.0; /* kinematic rows are in the order of positions, turned alike */
            for (int j = 0; j < n; j++) {
                for (int q = 0; q < P && i >= kin; q++) {
                    want += T[s.eom->column[CRANK_P] + q][s.eom->column[CRANK_P] + i - kin] *
                            s.J[kin + q][j] * T[j][k];
                }
                want += i < kin ? s.J[i][j] * T[j][k] : 0.0;
            }
            CHECK_NEAR(full_entry(crank_chart_pattern(chart), crank_chart_values(chart), i, k),
                       want, 1e-13);
        }
    }
    crank_chart_destroy(chart);
    crank_eom_destroy(s.eom);
}

static void norms_have_one_entry_and_rows_turn_as_columns_do(void **state)
{
    static sample s;
    static double T[MOST][MOST];
    crank_chart *chart = NULL;
    crank_error err = {0};
    make_sample(&s);
    CHECK_OK(crank_chart_create(s.eom, &chart, &err), err);
    crank_chart_update(chart, s.values);
    const int first = s.eom->column[CRANK_P], kin = s.eom->row[CRANK_ROW_KIN];
    const crank_pattern *pattern = crank_chart_pattern(chart);
    int entries[N] = {0};
    for (int e = 0; e < pattern->start[s.eom->n]; e++) {
        const int norm = pattern->row[e] - s.eom->row[CRANK_ROW_N];
        entries[in_group(norm, 0, N) ? norm : 0] += in_group(norm, 0, N);
    }
    assert_int_equal(entries[0], 1);
    assert_int_equal(entries[1], 1);
    double r[MOST], out[MOST] = {0.0};
    int place[MOST];
    random_source source = {5};
    for (int i = 0; i < s.eom->m; i++) {
        r[i] = random_real(&source);
        place[i] = i >= kin ? i - kin : -1;
    }
    crank_chart_place(chart, r, place, out);
    read_columns(chart, s.eom->n, T);
    for (int k = 0; k < P; k++) {
        double want = 0.0;
        for (int q = 0; q < P; q++) {
            want += T[first + q][first + k] * r[kin + q];
        }
        CHECK_NEAR(out[k], k == 4 ? 0.0 : want, 1e-14); /* 4: in no group, left alone */
    }
    crank_chart_destroy(chart);
    crank_eom_destroy(s.eom);
}

/* A top that turns sixty times about an axis that turns, too: no component of its quaternion
 * stays a good pivot for longer than half a turn. */
static void pivots_last_while_a_body_turns(void **state)
{
    static const char text[] =
        "crank: mechanism\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  top: {mass: 1, inertia: [0.2, 0.2, 0.1], position: [0.3, 0, 0.4],\n"
        "        angular_velocity: [0, 1, 80]}\n"
        "joints:\n"
        "  tip: {type: spherical, between: [ground, top], at: [0, 0, 0]}\n";
    crank_model *model = NULL;
    crank_error err = {0};
    CHECK_OK(crank_model_read_text("top", text, sizeof text - 1, NULL, &model, &err), err);
    static const char *const methods[] = {"psf-radau", "psf-bdf", "ode-dopri8"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        crank_run_options options = crank_run_options_default();
        crank_run *run = NULL;
        options.method = methods[i];
        options.t_end = 5.0;
        CHECK_OK(crank_run_open_model(model, &options, &run, &err), err);
        CHECK_OK(crank_run_advance(run, 5.0, &err), err);
        const crank_statistics statistics =
            crank_integrator_statistics(crank_run_integrator(run));
        assert_true(statistics.steps > 50);
        assert_in_range(statistics.selector_updates, 1, 3);
        crank_run_close(run);
    }
    crank_model_destroy(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_jacobian_in_axes_is_the_product_of_matrices),
        cmocka_unit_test(norms_have_one_entry_and_rows_turn_as_columns_do),
        cmocka_unit_test(pivots_last_while_a_body_turns),
    };
    return CHECK_RUN(argc, argv, tests);
}
