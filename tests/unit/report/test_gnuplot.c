/* test_gnuplot.c - scripts for gnuplot: data inside, texts that cannot end their quotes. */
// SPDX-License-Identifier: BSD-3-Clause
#include "drawing.h"

static char *draw(const crank_plot *plot)
{
    return drawing_text(crank_plot_write_gnuplot, "a.gp", plot);
}

static void script_holds_data_bit_for_bit_with_gaps(void **state)
{
    const double t[] = {0.0, 0.1, 2.0}, y[] = {1.0 / 3.0, (double)NAN, (double)INFINITY};
    const crank_curve curve = {.label = "x", .count = 3, .x = t, .y = y};
    crank_panel panel = panel_of(1, &curve);
    crank_plot plot = plot_of(1, &panel);
    char *text = draw(&plot);
    CHECK_CONTAINS(text,
                   "$panel1_curve1 << EOD\n0 0.33333333333333331\n0.10000000000000001 NaN\n"
                   "2 NaN\nEOD\n");
    CHECK_CONTAINS(text, "set output 'a.gnuplot.svg'");
    CHECK_CONTAINS(text, "plot $panel1_curve1 using 1:2 with ");
    free(text);
}

static void texts_cannot_end_their_quotes(void **state)
{
    const double t[] = {0.0, 1.0};
    const crank_curve curve = {.label = "'\n!rm x'", .count = 2, .x = t, .y = t};
    crank_panel panel = panel_of(1, &curve);
    crank_plot plot = plot_of(1, &panel);
    panel.y_label = "`date`";
    plot.title = "it's";
    char *text = draw(&plot);
    CHECK_CONTAINS(text, " title ''' !rm x'''\n");
    CHECK_CONTAINS(text, "set label 'it''s' at screen");
    CHECK_CONTAINS(text,
                   "set label '`date`' at screen"); /* in single quotes nothing is replaced */
    CHECK_CONTAINS(text, "set termoption noenhanced\n");
    free(text);
}

static void panels_stand_where_they_stand_in_the_picture(void **state)
{
    const double t[] = {1.0, 10.0}, y[] = {0.0, 1e-8};
    const crank_curve curve = {.label = "x", .count = 2, .x = t, .y = y};
    crank_panel panels[2] = {panel_of(1, &curve), panel_of(1, &curve)};
    crank_plot plot = plot_of(2, panels);
    panels[1].log_y = true;
    plot.log_x = true;
    char *text = draw(&plot);
    const char *second = strstr(text, "plot $panel1_curve1");
    assert_non_null(second);
    CHECK_CONTAINS(second, "set logscale y\n");
    CHECK_CONTAINS(second, ", '0' "); /* a tick where zeros are drawn */
    CHECK_CONTAINS(second, "($2 == 0 ? ");
    double top, bottom, top_below;
    assert_int_equal(sscanf(strstr(text, "set tmargin"),
                            "set tmargin at screen %lf\nset bmargin at screen %lf", &top,
                            &bottom),
                     2);
    assert_int_equal(
        sscanf(strstr(second, "set tmargin"), "set tmargin at screen %lf", &top_below), 1);
    assert_true(top > bottom && bottom > top_below);
    free(text);
}

static void script_reports_a_full_disk(void **state)
{
    const double t[] = {0.0, 1.0};
    const crank_curve curve = {.label = "x", .count = 2, .x = t, .y = t};
    const crank_panel panel = panel_of(1, &curve);
    const crank_plot plot = plot_of(1, &panel);
    crank_error err;
    CHECK_STATUS(crank_plot_write_gnuplot(&plot, "/dev/full", &err), CRANK_EFILE);
    CHECK_CONTAINS(err.text, "/dev/full: cannot write: No space left");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(script_holds_data_bit_for_bit_with_gaps),
        cmocka_unit_test(texts_cannot_end_their_quotes),
        cmocka_unit_test(panels_stand_where_they_stand_in_the_picture),
        cmocka_unit_test(script_reports_a_full_disk),
    };
    return CHECK_RUN(argc, argv, tests);
}
