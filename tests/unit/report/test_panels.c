/* test_panels.c - several panels, ranges, legends, notes: what stands where, and what is
 * refused. */
// SPDX-License-Identifier: BSD-3-Clause
#include "drawing.h"

static const double t[] = {0.0, 1.0, 2.0, 3.0}, x[] = {0.0, 1.0, 0.5, 0.25},
                    large[] = {1000.0, -1000.0, 500.0, 10.0};

typedef struct rectangle {
    double x, y, width, height;
} rectangle;

/* The frame of panel number p. */
static rectangle frame_of(const char *text, int p)
{
    rectangle r = {0};
    const char *at = text;
    for (int i = 0; i <= p; i++) {
        at = strstr(at + 1, "<rect class=\"frame\"");
        assert_non_null(at);
    }
    assert_int_equal(sscanf(at,
                            "<rect class=\"frame\" x=\"%lf\" y=\"%lf\" width=\"%lf\" "
                            "height=\"%lf\"",
                            &r.x, &r.y, &r.width, &r.height),
                     4);
    return r;
}

static void panels_share_edges_and_one_horizontal_axis(void **state)
{
    const crank_curve first = {.label = "x", .count = 4, .x = t, .y = x};
    const crank_curve second = {.label = "force", .count = 4, .x = t, .y = large};
    const crank_panel panels[] = {panel_of(1, &first), panel_of(1, &second)};
    crank_plot plot = plot_of(2, panels);
    plot.x_label = "time [s]";
    char *text = draw_svg(&plot);
    const rectangle a = frame_of(text, 0), b = frame_of(text, 1);
    assert_true(a.x == b.x && a.width == b.width && a.height == b.height);
    assert_true(a.y + a.height < b.y);
    assert_int_equal(count(text, ">time [s]</text>"), 1);
    assert_int_equal(count(text, ">3.0</text>"),
                     1); /* a tick's label, below the last panel only */
    assert_true(strstr(text, ">3.0</text>") > strstr(text, ">x</text>"));
    free(text);
}

static void same_plot_gives_the_same_bytes(void **state)
{
    const crank_curve curve = {.label = "x", .count = 4, .x = t, .y = x};
    const crank_panel panel = panel_of(1, &curve);
    const crank_plot plot = plot_of(1, &panel);
    char *once = draw_svg(&plot), *again = draw_svg(&plot);
    assert_string_equal(once, again);
    free(once);
    free(again);
}

static void panel_without_values_says_so(void **state)
{
    const double nothing[4] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    const crank_curve first = {.label = "x", .count = 4, .x = t, .y = x};
    const crank_curve second = {.label = "y", .count = 4, .x = t, .y = nothing};
    const crank_panel panels[] = {panel_of(1, &first), panel_of(1, &second)};
    const crank_plot plot = plot_of(2, panels);
    char *text = draw_svg(&plot);
    assert_int_equal(count(text, ">no values to draw</text>"), 1);
    free(text);
}

static void curves_differ_without_colour(void **state)
{
    double many[100], values[100];
    for (int i = 0; i < 100; i++) {
        many[i] = i;
        values[i] = i % 7;
    }
    crank_curve curves[3] = {{.label = "a", .count = 100, .x = many, .y = values},
                             {.label = "b", .count = 100, .x = many, .y = values},
                             {.label = "c", .count = 100, .x = many, .y = values}};
    const crank_panel panel = panel_of(3, curves);
    const crank_plot plot = plot_of(1, &panel);
    char *text = draw_svg(&plot);
    assert_int_equal(count(text, "stroke-dasharray"), 4); /* b and c, in the legend as well */
    assert_int_equal(count(text, "stroke-dasharray=\"7 5\""), 2);
    free(text);
    for (int k = 0; k < 3; k++) {
        curves[k].count = 4; /* few: with points, of different shape */
    }
    text = draw_svg(&plot);
    assert_int_equal(count(text, "stroke-dasharray"), 0);
    assert_int_equal(count(text, "m-2.9-2.9h5.8v5.8h-5.8z"), 5);
    free(text);
}

static void long_labels_are_shortened_and_legends_wrapped(void **state)
{
    const char *label = "body.with_a_very_long_name_indeed.and_another_part_of_it.and_one_more_"
                        "that_ends_in.\xce\xbb\xce\xbb\xce\xbb\xce\xbb\xce\xbb.acceleration.x";
    const crank_curve curves[2] = {{.label = label, .count = 4, .x = t, .y = x},
                                   {.label = "y", .count = 4, .x = t, .y = x}};
    const crank_panel panel = panel_of(2, curves);
    crank_plot plot = plot_of(1, &panel);
    plot.width = 300;
    char *text = draw_svg(&plot);
    const char *entry = strstr(text, "class=\"ink legend\"");
    CHECK_CONTAINS(entry, "\xe2\x80\xa6");
    CHECK_CONTAINS(entry, "ation.x</text>");
    CHECK_CONTAINS(text, "<title>body.with_a_very"); /* in full for those who do not see */
    double first, second;
    assert_int_equal(sscanf(strstr(entry, "y=\""), "y=\"%lf", &first), 1);
    entry = strstr(entry + 1, "class=\"ink legend\"");
    assert_int_equal(sscanf(strstr(entry, "y=\""), "y=\"%lf", &second), 1);
    assert_true(second > first + 10.0);
    assert_true(frame_of(text, 0).y > second);
    free(text);
}

static void given_ranges_are_kept(void **state)
{
    const crank_curve curve = {.count = 4, .x = t, .y = x, .draw = CRANK_DRAW_LINES};
    crank_panel panel = panel_of(1, &curve);
    crank_plot plot = plot_of(1, &panel);
    plot.x_low = 1.0;
    panel.y_low = -1.0;
    panel.y_high = 1.0;
    char *text = draw_svg(&plot);
    CHECK_CONTAINS(text, "between -1 and 1, over the horizontal axis from 1 to 3.");
    free(text);
}

static void notes_keep_off_each_other(void **state)
{
    const char *const notes[4] = {"1e-4", "1e-6", "1e-8", NULL};
    const double same[4] = {1.0, 1.0001, 1.0002, 2.0};
    const crank_curve curves[2] = {
        {.label = "a", .count = 4, .x = t, .y = x, .notes = notes},
        {.label = "b", .count = 4, .x = same, .y = same, .notes = notes}};
    const crank_panel panel = panel_of(2, curves);
    const crank_plot plot = plot_of(1, &panel);
    char *text = draw_svg(&plot);
    double left[8], line[8];
    int found = 0;
    for (const char *c = strstr(text, "class=\"ink note\""); c != NULL;
         c = strstr(c + 1, "class=\"ink note\"")) {
        assert_int_equal(
            sscanf(c, "class=\"ink note\" x=\"%lf\" y=\"%lf\"", &left[found], &line[found]), 2);
        for (int i = 0; i < found; i++) { /* four characters are more than 20 pixels wide */
            assert_true(fabs(left[i] - left[found]) > 20.0 ||
                        fabs(line[i] - line[found]) > 10.0);
        }
        found++;
    }
    assert_true(found >= 4);
    free(text);
}

static void guides_do_not_widen_the_ranges(void **state)
{
    const double far[] = {1.0, 1e9};
    const crank_curve curves[2] = {{.count = 4, .x = t, .y = x, .draw = CRANK_DRAW_LINES},
                                   {.count = 2, .x = far, .y = far, .draw = CRANK_DRAW_GUIDE}};
    const crank_panel panel = panel_of(2, curves);
    const crank_plot plot = plot_of(1, &panel);
    char *text = draw_svg(&plot);
    CHECK_CONTAINS(text, "from 0 to 3.");
    CHECK_CONTAINS(text, "class=\"guide\"");
    free(text);
}

static void check_refused(const crank_plot *plot, const char *says)
{
    crank_error err = {0};
    CHECK_STATUS(crank_plot_write_svg(plot, "/dev/null", &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, says);
    CHECK_STATUS(crank_plot_write_gnuplot(plot, "/dev/null", &err), CRANK_EARG);
}

static void plots_that_cannot_be_are_refused(void **state)
{
    const crank_curve curve = {.count = 4, .x = t, .y = x};
    crank_panel panel = panel_of(1, &curve);
    crank_plot plot = plot_of(1, &panel);
    plot.height = 60;
    check_refused(&plot, "60 pixels high has no room for its panels; at least ");
    plot.height = 0;
    plot.width = 60;
    check_refused(&plot, "60 pixels wide has no room");
    plot.width = 30000;
    check_refused(&plot, "at most 20000");
    plot.width = 0;
    plot.equal_axes = true;
    plot.log_x = true;
    check_refused(&plot, "equal units are for linear axes");
    plot.equal_axes = false;
    plot.x_low = -1.0;
    check_refused(&plot, "the horizontal axis cannot end at -1, it is logarithmic");
    plot.log_x = false;
    plot.x_low = 9.0;
    check_refused(&plot,
                  "nothing to draw: no point has finite coordinates in the range asked for");
    plot.x_low = (double)NAN;
    panel.y_low = 2.0;
    panel.y_high = 2.0;
    check_refused(&plot, "the vertical axis cannot go from 2 to 2");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panels_share_edges_and_one_horizontal_axis),
        cmocka_unit_test(same_plot_gives_the_same_bytes),
        cmocka_unit_test(panel_without_values_says_so),
        cmocka_unit_test(curves_differ_without_colour),
        cmocka_unit_test(long_labels_are_shortened_and_legends_wrapped),
        cmocka_unit_test(given_ranges_are_kept),
        cmocka_unit_test(notes_keep_off_each_other),
        cmocka_unit_test(guides_do_not_widen_the_ranges),
        cmocka_unit_test(plots_that_cannot_be_are_refused),
    };
    return CHECK_RUN(argc, argv, tests);
}
