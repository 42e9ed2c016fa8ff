/* test_plot.c - SVG plots: well-formed text, gaps, thinning, failures told. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "../results/scratch.h"

#include <crank/report.h>

static char *draw(const crank_plot *plot)
{
    scratch s;
    crank_error err = {0};
    scratch_open(&s, "a.svg");
    CHECK_OK(crank_plot_write_svg(plot, s.path, &err), err);
    char *text = scratch_read(&s);
    scratch_close(&s);
    return text;
}

static int count(const char *text, const char *part)
{
    int found = 0;
    for (const char *c = strstr(text, part); c != NULL; c = strstr(c + 1, part)) {
        found++;
    }
    return found;
}

static void plot_has_axes_curves_legend_and_title(void **state)
{
    const double t[] = {0.0, 1.0, 2.0}, x[] = {0.0, 1.0, 0.0}, y[] = {1.0, 0.5, 1.0};
    const crank_curve curves[] = {{"x", 3, t, x}, {"y", 3, t, y}};
    crank_plot plot = crank_plot_default();
    plot.title = "pendulum";
    plot.x_label = "time";
    plot.curve_count = 2;
    plot.curves = curves;
    char *text = draw(&plot);
    CHECK_CONTAINS(text, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    CHECK_CONTAINS(text, "<title>pendulum</title>");
    CHECK_CONTAINS(text, ">time</text>");
    CHECK_CONTAINS(text, ">x</text>");
    CHECK_CONTAINS(text, ">y</text>");
    CHECK_CONTAINS(text, "prefers-color-scheme: dark");
    assert_int_equal(count(text, "stroke-linejoin"), 4); /* two curves, two legend entries */
    CHECK_CONTAINS(text, "</svg>\n");
    free(text);
}

static void plot_escapes_markup_and_repairs_bytes_that_are_not_utf8(void **state)
{
    const double t[] = {0.0, 1.0};
    const crank_curve curve = {"a<b & c\xff\x01", 2, t, t};
    crank_plot plot = crank_plot_default();
    plot.title = "\xce\xbb & \xed\xa0\x80";
    plot.curve_count = 1;
    plot.curves = &curve;
    char *text = draw(&plot);
    CHECK_CONTAINS(text, ">a&lt;b &amp; c\xef\xbf\xbd\xef\xbf\xbd</text>");
    CHECK_CONTAINS(text, "<title>\xce\xbb &amp; \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd</title>");
    free(text);
}

static void plot_leaves_gaps_where_values_are_not_finite(void **state)
{
    const double t[] = {0.0, 1.0, 2.0, 3.0, 4.0};
    const double y[] = {0.0, 1.0, (double)NAN, 1.0, (double)INFINITY};
    const crank_curve curve = {NULL, 5, t, y};
    crank_plot plot = crank_plot_default();
    plot.curve_count = 1;
    plot.curves = &curve;
    char *text = draw(&plot);
    const char *curve_path = strstr(strstr(text, "stroke-linecap"), " d=\"");
    char only[256];
    (void)snprintf(only, sizeof only, "%.*s", (int)(strchr(curve_path + 4, '"') - curve_path),
                   curve_path);
    assert_int_equal(count(only, "M"), 2);
    assert_int_equal(count(only, "h0"), 1); /* the lone point is a dot */
    free(text);
}

static void plot_on_log_axis_leaves_out_what_is_not_positive(void **state)
{
    const double t[] = {0.0, 1.0, 2.0}, y[] = {0.0, 1e-8, 1e-2};
    const crank_curve curve = {"residual", 3, t, y};
    crank_plot plot = crank_plot_default();
    plot.curve_count = 1;
    plot.curves = &curve;
    plot.log_y = true;
    char *text = draw(&plot);
    CHECK_CONTAINS(text, ">1e-06</text>");
    assert_int_equal(count(text, "nan"), 0);
    assert_int_equal(count(text, "inf"), 0);
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
    const crank_curve curve = {"x", ROWS, t, y};
    crank_plot plot = crank_plot_default();
    plot.curve_count = 1;
    plot.curves = &curve;
    char *text = draw(&plot);
    /* four points of at most 15 characters for each of 2 * 800 half pixels, and the rest */
    assert_true(strlen(text) < 4 * 15 * 2 * 800 + 10000);
    assert_int_equal(count(text, "h0"), 0);
    free(text);
    free(t);
    free(y);
}

static void phase_plot_with_equal_axes_draws_a_circle_round(void **state)
{
    const double x[] = {1.0, 0.0, -1.0, 0.0, 1.0}, y[] = {0.0, 1.0, 0.0, -1.0, 0.0};
    const crank_curve curve = {NULL, 5, x, y};
    crank_plot plot = crank_plot_default();
    plot.curve_count = 1;
    plot.curves = &curve;
    plot.equal_axes = true;
    char *text = draw(&plot);
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
    const crank_curve curve = {"x", 1, t, y};
    crank_plot plot = crank_plot_default();
    crank_error err;
    CHECK_STATUS(crank_plot_write_svg(&plot, "/dev/null", &err), CRANK_EARG);
    plot.curve_count = 1;
    plot.curves = &curve;
    CHECK_STATUS(crank_plot_write_svg(&plot, "/dev/null", &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "nothing to draw");
}

static void plot_reports_a_full_disk(void **state)
{
    const double t[] = {0.0, 1.0};
    const crank_curve curve = {"x", 2, t, t};
    crank_plot plot = crank_plot_default();
    crank_error err;
    plot.curve_count = 1;
    plot.curves = &curve;
    CHECK_STATUS(crank_plot_write_svg(&plot, "/dev/full", &err), CRANK_EFILE);
    CHECK_CONTAINS(err.text, "/dev/full: cannot write: No space left");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plot_has_axes_curves_legend_and_title),
        cmocka_unit_test(plot_escapes_markup_and_repairs_bytes_that_are_not_utf8),
        cmocka_unit_test(plot_leaves_gaps_where_values_are_not_finite),
        cmocka_unit_test(plot_on_log_axis_leaves_out_what_is_not_positive),
        cmocka_unit_test(plot_of_a_million_rows_stays_small_and_keeps_extremes),
        cmocka_unit_test(phase_plot_with_equal_axes_draws_a_circle_round),
        cmocka_unit_test(plot_without_points_is_refused),
        cmocka_unit_test(plot_reports_a_full_disk),
    };
    return CHECK_RUN(argc, argv, tests);
}
