/* test_plot.c - SVG plots: well-formed text, gaps, thinning, failures told. */
// SPDX-License-Identifier: BSD-3-Clause
#include "drawing.h"

static void plot_has_axes_curves_legend_and_title(void **state)
{
    const double t[] = {0.0, 1.0, 2.0}, x[] = {0.0, 1.0, 0.0}, y[] = {1.0, 0.5, 1.0};
    const crank_curve curves[] = {{.label = "x", .count = 3, .x = t, .y = x},
                                  {.label = "y", .count = 3, .x = t, .y = y}};
    crank_panel panel = panel_of(2, curves);
    crank_plot plot = plot_of(1, &panel);
    plot.title = "pendulum";
    plot.x_label = "time";
    char *text = draw_svg(&plot);
    CHECK_CONTAINS(text, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    CHECK_CONTAINS(text, "<title>pendulum</title>");
    CHECK_CONTAINS(text, ">time</text>");
    CHECK_CONTAINS(text, ">x</text>");
    CHECK_CONTAINS(text, ">y</text>");
    CHECK_CONTAINS(text, "<desc>x, y between -0.");
    CHECK_CONTAINS(text, "prefers-color-scheme: dark");
    assert_int_equal(count(text, "stroke-linejoin"), 4); /* two curves, two legend entries */
    CHECK_CONTAINS(text, "</svg>\n");
    free(text);
}

static void plot_escapes_markup_and_repairs_bytes_that_are_not_utf8(void **state)
{
    const double t[] = {0.0, 1.0};
    const crank_curve curve = {.label = "a<b & c\xff\x01", .count = 2, .x = t, .y = t};
    crank_panel panel = panel_of(1, &curve);
    crank_plot plot = plot_of(1, &panel);
    plot.title = "\xce\xbb & \xed\xa0\x80";
    char *text = draw_svg(&plot);
    CHECK_CONTAINS(text, ">a&lt;b &amp; c\xef\xbf\xbd\xef\xbf\xbd</text>");
    CHECK_CONTAINS(text, "<title>\xce\xbb &amp; \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd</title>");
    free(text);
}

static void plot_leaves_gaps_where_values_are_not_finite(void **state)
{
    const double t[] = {0.0, 1.0, 2.0, 3.0, 4.0};
    const double y[] = {0.0, 1.0, (double)NAN, 1.0, (double)INFINITY};
    const crank_curve curve = {.label = NULL, .count = 5, .x = t, .y = y};
    crank_panel panel = panel_of(1, &curve);
    crank_plot plot = plot_of(1, &panel);
    char *text = draw_svg(&plot);
    const char *curve_path = strstr(strstr(text, "stroke-linecap"), " d=\"");
    char only[256];
    (void)snprintf(only, sizeof only, "%.*s", (int)(strchr(curve_path + 4, '"') - curve_path),
                   curve_path);
    assert_int_equal(count(only, "M"), 2);
    assert_int_equal(count(only, "h0.01"), 1); /* the lone point is a dot */
    free(text);
}

static void plot_on_log_axis_shows_zeros_below_and_leaves_out_negative_values(void **state)
{
    const double t[] = {0.0, 1.0, 2.0, 3.0}, y[] = {0.0, 1e-8, 1e-2, -1.0};
    const crank_curve curve = {
        .label = "residual", .count = 4, .x = t, .y = y, .draw = CRANK_DRAW_LINES};
    crank_panel panel = panel_of(1, &curve);
    crank_plot plot = plot_of(1, &panel);
    panel.log_y = true;
    char *text = draw_svg(&plot);
    CHECK_CONTAINS(text, ">10<tspan dy=\"-0.45em\" font-size=\"0.72em\">\xe2\x88\x92"
                         "6</tspan></text>");
    CHECK_CONTAINS(text, ">0</text>");
    assert_int_equal(count(text, "nan"), 0);
    assert_int_equal(count(text, "inf"), 0);
    /* the zero is a dot below the line of the others */
    double zero[2], low[2], high[2];
    const char *path = strstr(strstr(text, "stroke-linecap"), " d=\"M");
    assert_int_equal(sscanf(path, " d=\"M%lf %lfh0.01M%lf %lfL%lf %lf", &zero[0], &zero[1],
                            &low[0], &low[1], &high[0], &high[1]),
                     6);
    assert_true(zero[1] > low[1] + 5.0 && low[1] > high[1]);
    free(text);
}

static void plot_of_zeros_alone_on_a_log_axis_is_possible(void **state)
{
    const double t[] = {0.0, 1.0}, y[] = {0.0, 0.0};
    const crank_curve curve = {.label = "residual", .count = 2, .x = t, .y = y};
    crank_panel panel = panel_of(1, &curve);
    crank_plot plot = plot_of(1, &panel);
    panel.log_y = true;
    char *text = draw_svg(&plot);
    CHECK_CONTAINS(text, ">0</text>");
    assert_int_equal(count(text, "no values to draw"), 0);
    free(text);
}

static void plot_of_a_million_rows_stays_small_and_keeps_extremes(void **state)
{
    enum { ROWS = 1000000 };
    double *t = malloc(ROWS * sizeof *t), *y = malloc(ROWS * sizeof *y);
    assert_non_null(t);
    assert_non_null(y);
    for (int i = 0; i < ROWS; i++) {
        t[i] = i;
        y[i] = i % 2 == 0 ? 1.0 : -1.0;
    }
    const crank_curve curve = {.label = "x", .count = ROWS, .x = t, .y = y};
    crank_panel panel = panel_of(1, &curve);
    crank_plot plot = plot_of(1, &panel);
    char *text = draw_svg(&plot);
    /* four points of at most 15 characters for each of 2 * 800 half pixels, and the rest */
    assert_true(strlen(text) < 4 * 15 * 2 * 800 + 10000);
    assert_int_equal(count(text, "h0"), 0);
    free(text);
    free(t);
    free(y);
}

static void orbit_passed_again_and_again_is_drawn_once(void **state)
{
    enum { ROWS = 200000 };
    double *x = malloc(ROWS * sizeof *x), *y = malloc(ROWS * sizeof *y);
    assert_non_null(x);
    assert_non_null(y);
    for (int i = 0; i < ROWS; i++) {
        x[i] = cos(0.01 * i); /* 318 rounds, never at the same points */
        y[i] = sin(0.01 * i);
    }
    const crank_curve curve = {.count = ROWS, .x = x, .y = y};
    crank_panel panel = panel_of(1, &curve);
    crank_plot plot = plot_of(1, &panel);
    plot.equal_axes = true;
    char *text = draw_svg(&plot);
    /* about 1800 pixels around, three points of 12 characters in each */
    assert_true(strlen(text) < 3 * 12 * 1800 + 10000);
    free(text);
    free(x);
    free(y);
}

static void points_of_many_rows_are_dots_one_in_a_place(void **state)
{
    enum { ROWS = 100000 };
    double *x = malloc(ROWS * sizeof *x);
    assert_non_null(x);
    for (int i = 0; i < ROWS; i++) {
        x[i] = i;
    }
    const crank_curve curve = {.count = ROWS, .x = x, .y = x, .draw = CRANK_DRAW_POINTS};
    crank_panel panel = panel_of(1, &curve);
    crank_plot plot = plot_of(1, &panel);
    char *text = draw_svg(&plot);
    const int dots = count(text, "h0");
    /* the diagonal of 730 x 370 pixels passes at most 730/1.5 + 370/1.5 squares, and 370 at
     * least */
    assert_true(dots > 370 && dots < 740);
    free(text);
    free(x);
}

static void phase_plot_with_equal_axes_draws_a_circle_round(void **state)
{
    const double x[] = {1.0, 0.0, -1.0, 0.0, 1.0}, y[] = {0.0, 1.0, 0.0, -1.0, 0.0};
    const crank_curve curve = {.label = NULL, .count = 5, .x = x, .y = y};
    crank_panel panel = panel_of(1, &curve);
    crank_plot plot = plot_of(1, &panel);
    plot.equal_axes = true;
    char *text = draw_svg(&plot);
    double px[5], py[5];
    const char *path = strstr(strstr(text, "stroke-linecap"), " d=\"M");
    assert_int_equal(sscanf(path, " d=\"M%lf %lfL%lf %lf %lf %lf %lf %lf", &px[0], &py[0],
                            &px[1], &py[1], &px[2], &py[2], &px[3], &py[3]),
                     8);
    CHECK_NEAR(px[0] - px[2], py[3] - py[1], 0.05); /* printed to 0.01 pixels */
    free(text);
}

static void plot_without_points_is_refused(void **state)
{
    const double t[] = {0.0}, y[] = {(double)NAN};
    const crank_curve curve = {.label = "x", .count = 1, .x = t, .y = y};
    const crank_panel panels[] = {panel_of(0, NULL), panel_of(1, &curve)};
    crank_plot plot = crank_plot_default();
    crank_error err;
    CHECK_STATUS(crank_plot_write_svg(&plot, "/dev/null", &err), CRANK_EARG);
    plot = plot_of(1, &panels[0]);
    CHECK_STATUS(crank_plot_write_svg(&plot, "/dev/null", &err), CRANK_EARG);
    plot = plot_of(1, &panels[1]);
    CHECK_STATUS(crank_plot_write_svg(&plot, "/dev/null", &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "nothing to draw");
}

static void plot_reports_a_full_disk(void **state)
{
    const double t[] = {0.0, 1.0};
    const crank_curve curve = {.label = "x", .count = 2, .x = t, .y = t};
    crank_panel panel = panel_of(1, &curve);
    crank_plot plot = plot_of(1, &panel);
    crank_error err;
    CHECK_STATUS(crank_plot_write_svg(&plot, "/dev/full", &err), CRANK_EFILE);
    CHECK_CONTAINS(err.text, "/dev/full: cannot write: No space left");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plot_has_axes_curves_legend_and_title),
        cmocka_unit_test(plot_escapes_markup_and_repairs_bytes_that_are_not_utf8),
        cmocka_unit_test(plot_leaves_gaps_where_values_are_not_finite),
        cmocka_unit_test(plot_on_log_axis_shows_zeros_below_and_leaves_out_negative_values),
        cmocka_unit_test(plot_of_zeros_alone_on_a_log_axis_is_possible),
        cmocka_unit_test(plot_of_a_million_rows_stays_small_and_keeps_extremes),
        cmocka_unit_test(orbit_passed_again_and_again_is_drawn_once),
        cmocka_unit_test(points_of_many_rows_are_dots_one_in_a_place),
        cmocka_unit_test(phase_plot_with_equal_axes_draws_a_circle_round),
        cmocka_unit_test(plot_without_points_is_refused),
        cmocka_unit_test(plot_reports_a_full_disk),
    };
    return CHECK_RUN(argc, argv, tests);
}
