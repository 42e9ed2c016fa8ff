/* test_page.c - pages read back: every value, which columns and frames have room, the files
 * written. */
// SPDX-License-Identifier: BSD-3-Clause
#include "page_reader.h"

#include <float.h>

static const char scene[] =
    "{\"dimension\": 3, \"bodies\": [{\"name\": \"c9\", \"pose\": {\"x\": \"c5\", \"y\": 1}}],"
    " \"joints\": [{\"reaction\": {\"force\": [\"c4\", null, null]}}],"
    " \"lines\": [{\"name\": \"c8\", \"points\": [[\"c6\", 0, 0], [0, 0, \"c3\"]]}]}";

/* Numbers that compress badly; the same in every run. */
static double noise(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 - 0.5;
}

static void make_noise(made_table *m, int columns, int rows)
{
    uint64_t seed = 1;
    make_table(m, columns, rows);
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < rows; i++) {
            table_column(m, j)[i] = j == 0 ? 0.01 * i : noise(&seed);
        }
    }
}

static void every_value_reads_back_time_exactly_others_rounded_to_f32(void **state)
{
    made_table m;
    make_table(&m, 4, 1000);
    for (int i = 0; i < 1000; i++) {
        table_column(&m, 0)[i] = 0.1 * i;
        table_column(&m, 1)[i] = sin(0.1 * i);
        table_column(&m, 2)[i] = i % 3 == 0 ? -1e-30 * i : 1e30 / (1.0 + i);
        table_column(&m, 3)[i] = i < 500 ? 0.0 : -0.0;
    }
    crank_page_report report;
    char *text = page_text(crank_page_default(), &m.table, &report);
    check_column(text, "time", table_column(&m, 0), true);
    for (int j = 1; j < 4; j++) {
        check_column(text, m.text[j], table_column(&m, j), false);
    }
    assert_int_equal(report.frames, 1000);
    assert_int_equal(report.columns, 4);
    assert_int_equal(report.left_out, 0);
    assert_int_equal(report.missing, 0);
    assert_false(report.thinned);
    assert_int_equal(report.bytes, strlen(text));
    free(text);
    free(m.table.values);
}

static void values_that_are_not_finite_and_extremes_stay(void **state)
{
    const double hard[] = {(double)NAN,     (double)INFINITY, -(double)INFINITY, 0.0,   -0.0,
                           (double)FLT_MAX, -(double)FLT_MAX, (double)FLT_MIN,   1e-45, 1e-300};
    enum { COUNT = sizeof hard / sizeof hard[0] };
    made_table m;
    make_table(&m, 2, COUNT);
    memcpy(table_column(&m, 1), hard, sizeof hard);
    char *text = page_text(crank_page_default(), &m.table, NULL);
    check_column(text, "c1", hard, false);
    free(text);
    free(m.table.values);
}

static void columns_that_f32_would_coarsen_are_kept_exactly(void **state)
{
    made_table m;
    make_table(&m, 4, 100);
    for (int i = 0; i < 100; i++) {
        table_column(&m, 1)[i] = 1e6 + 1e-7 * i; /* a drift that f32 does not see */
        table_column(&m, 2)[i] = 1e300 * i;      /* beyond f32 */
        table_column(&m, 3)[i] = 0.1;            /* constant: f32 is good enough */
    }
    char *text = page_text(crank_page_default(), &m.table, NULL);
    check_column(text, "c1", table_column(&m, 1), true);
    check_column(text, "c2", table_column(&m, 2), true);
    check_column(text, "c3", table_column(&m, 3), false);
    free(text);
    free(m.table.values);
}

static void wide_and_long_results_have_several_blocks(void **state)
{
    made_table m;
    make_noise(&m, 40, 20000);
    char *text = page_text(crank_page_default(), &m.table, NULL);
    assert_non_null(strstr(text, "crank-block-3\""));
    for (int j = 1; j < 40; j++) {
        check_column(text, m.text[j], table_column(&m, j), false);
    }
    free(text);
    free(m.table.values);
}

static void frames_are_thinned_evenly_with_the_first_and_the_last(void **state)
{
    made_table m;
    make_table(&m, 1, 1001);
    for (int i = 0; i < 1001; i++) {
        table_column(&m, 0)[i] = i;
    }
    crank_page page = crank_page_default();
    crank_page_report report;
    page.frames = 7;
    char *text = page_text(page, &m.table, &report);
    const double expected[] = {0, 167, 333, 500, 667, 833, 1000};
    check_column(text, "time", expected, true);
    assert_int_equal(report.frames, 7);
    assert_false(report.thinned); /* as asked for, not for the limit */
    CHECK_CONTAINS(text, "\"result_rows\": 1001");
    free(text);
    page.frames = 2000;
    text = page_text(page, &m.table, &report);
    assert_int_equal(report.frames, 1001);
    free(text);
    free(m.table.values);
}

static int block_of(const char *text, const char *name)
{
    char entry[128];
    (void)snprintf(entry, sizeof entry, "{\"name\": \"%s\"", name);
    return number_after(strstr(strstr(text, "crank-index"), entry), "\"block\": ");
}

static void what_moves_comes_first_then_what_the_scene_names(void **state)
{
    made_table m;
    make_noise(&m, 8, 50);
    crank_page page = crank_page_default();
    crank_page_report report;
    page.scene = scene;
    char *text = page_text(page, &m.table, &report);
    assert_int_equal(block_of(text, "time"), 0);
    assert_int_equal(block_of(text, "c5"), 1);
    assert_int_equal(block_of(text, "c6"), 1);
    assert_int_equal(block_of(text, "c3"), 1);
    assert_int_equal(block_of(text, "c4"), 2);
    assert_int_equal(block_of(text, "c1"), 3);
    assert_int_equal(block_of(text, "c7"), 3);
    assert_int_equal(report.missing, 0); /* names of bodies and lines are no columns */
    free(text);
    free(m.table.values);
}

static void columns_that_move_something_but_are_missing_are_counted(void **state)
{
    made_table m;
    make_noise(&m, 6, 5);
    crank_page page = crank_page_default();
    crank_page_report report;
    page.scene = scene;
    free(page_text(page, &m.table, &report));
    assert_int_equal(report.missing, 1);
    assert_string_equal(report.first_missing, "c6");
    free(m.table.values);
}

static void columns_beyond_the_limit_are_left_out_those_that_move_last(void **state)
{
    made_table m;
    make_noise(&m, 30, 10000); /* some 50 kB a column */
    crank_page page = crank_page_default();
    crank_page_report report;
    page.scene = scene;
    page.megabytes = 0.5;
    char *text = page_text(page, &m.table, &report);
    assert_true(report.bytes <= 500000);
    assert_true(report.bytes > 400000); /* the limit is made use of */
    assert_int_equal(report.frames, 10000);
    assert_false(report.thinned);
    assert_true(report.left_out > 15);
    assert_true(report.left_out < 26);
    check_column(text, "c5", table_column(&m, 5), false);
    check_column(text, "c6", table_column(&m, 6), false);
    check_column(text, "c3", table_column(&m, 3), false);
    check_column(text, "c4", table_column(&m, 4), false);
    check_column(text, "c1", table_column(&m, 1), false);
    assert_false(in_page(text, "c29"));
    assert_non_null(strstr(strstr(text, "\"left_out\": ["), "\"c29\""));
    free(text);
    free(m.table.values);
}

static void frames_beyond_the_limit_are_left_out_evenly(void **state)
{
    made_table m;
    make_noise(&m, 8, 10000);
    crank_page page = crank_page_default();
    crank_page_report report;
    page.scene = scene;
    page.megabytes = 0.1;
    char *text = page_text(page, &m.table, &report);
    assert_true(report.thinned);
    assert_true(report.bytes <= 100000);
    assert_true(report.frames > 1000);
    assert_true(report.frames < 7000);
    assert_true(in_page(text, "c5"));
    int width;
    uint64_t *bits = column_bits(text, "time", &width);
    double first, last;
    memcpy(&first, &bits[0], sizeof first);
    memcpy(&last, &bits[report.frames - 1], sizeof last);
    CHECK_NEAR(first, 0.0, 0.0);
    CHECK_NEAR(last, table_column(&m, 0)[9999], 0.0);
    free(bits);
    free(text);
    free(m.table.values);
}

static void columns_that_are_not_wanted_are_not_there_unless_the_scene_names_them(void **state)
{
    made_table m;
    bool wanted[8] = {false};
    make_noise(&m, 8, 50);
    crank_page page = crank_page_default();
    crank_page_report report;
    page.scene = scene;
    page.wanted = wanted;
    wanted[7] = true;
    char *text = page_text(page, &m.table, &report);
    check_column(text, "time", table_column(&m, 0), true);
    check_column(text, "c7", table_column(&m, 7), false);
    check_column(text, "c5", table_column(&m, 5), false);
    check_column(text, "c4", table_column(&m, 4), false);
    assert_false(in_page(text, "c1"));
    assert_int_equal(report.left_out, 0);
    CHECK_CONTAINS(text, "\"left_out\": []");
    free(text);
    free(m.table.values);
}

static void watched_pages_have_a_version_image_beside_them(void **state)
{
    made_table m;
    scratch s, template;
    crank_error err = {0};
    make_noise(&m, 2, 3);
    scratch_open(&s, "a b#.html");
    scratch_open(&template, "template.html");
    scratch_write(&template, reader_template, strlen(reader_template));
    crank_page page = crank_page_default();
    page.template_path = template.path;
    page.version = 2050;
    CHECK_OK(crank_page_write(&page, &m.table, s.path, NULL, &err), err);
    char *text = scratch_read(&s);
    CHECK_CONTAINS(text,
                   "\"watch\": {\"version\": 2050, \"image\": \"./a%20b%23.html.version.svg\", "
                   "\"width\": 3, \"height\": 3}");
    free(text);
    scratch image = s;
    assert_true(strlen(s.path) + strlen(".version.svg") < sizeof image.path);
    strcat(image.path, ".version.svg");
    text = scratch_read(&image);
    assert_string_equal(
        text, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"3\" height=\"3\"/>\n");
    free(text);
    (void)unlink(image.path);
    scratch_close(&template);
    scratch_close(&s);
    assert_int_not_equal(access(s.directory, F_OK), 0); /* nothing else was left there */
    free(m.table.values);
}

static void refuse(const crank_page *page, const crank_table *table, const char *path,
                   crank_status status, const char *says)
{
    crank_error err = {0};
    CHECK_STATUS(crank_page_write(page, table, path, NULL, &err), status);
    CHECK_CONTAINS(err.text, says);
}

static void wrong_requests_are_refused(void **state)
{
    made_table m, empty;
    scratch template;
    make_noise(&m, 2, 3);
    make_table(&empty, 2, 0);
    scratch_open(&template, "template.html");
    scratch_write(&template, reader_template, strlen(reader_template));
    crank_page good = crank_page_default();
    good.template_path = template.path;
    refuse(&good, &empty.table, "/dev/null", CRANK_EARG, "no rows");
    refuse(&good, &m.table, "/dev/full", CRANK_EFILE, "/dev/full: cannot write: No space left");
    refuse(&good, &m.table, "/tmp", CRANK_EFILE, "/tmp: cannot write: Is a directory");
    refuse(&good, &m.table, "/nowhere/a.html", CRANK_EFILE,
           "/nowhere/a.html: cannot write: No such");
    crank_page bad = good;
    bad.size = 3;
    refuse(&bad, &m.table, "/dev/null", CRANK_EARG, "crank_page_default");
    bad = good;
    bad.frames = 1;
    refuse(&bad, &m.table, "/dev/null", CRANK_EARG, "frames = 1");
    bad = good;
    bad.megabytes = (double)NAN;
    refuse(&bad, &m.table, "/dev/null", CRANK_EARG, "megabytes");
    bad = good;
    bad.megabytes = 1e-4;
    refuse(&bad, &m.table, "/dev/null", CRANK_EARG, "has no room");
    bad = good;
    bad.scene = "{\"bodies\": [}";
    refuse(&bad, &m.table, "/dev/null", CRANK_EARG,
           "not a JSON object: a character that fits nowhere at byte 13");
    scratch_write(&template, "<html></html>", 13);
    refuse(&good, &m.table, "/dev/null", CRANK_EFILE, "is not the template of a page");
    bad.template_path = "/nowhere/page.html";
    refuse(&bad, &m.table, "/dev/null", CRANK_EFILE, "/nowhere/page.html");
    scratch_close(&template);
    free(m.table.values);
    free(empty.table.values);
}

static void a_page_that_cannot_be_written_leaves_the_old_one(void **state)
{
    made_table m;
    scratch s, template;
    make_noise(&m, 2, 3);
    scratch_open(&s, "page.html");
    scratch_open(&template, "template.html");
    scratch_write(&s, "old", 3);
    scratch_write(&template, reader_template, strlen(reader_template));
    crank_page page = crank_page_default();
    page.template_path = template.path;
    page.scene = "{";
    refuse(&page, &m.table, s.path, CRANK_EARG, "scene");
    page.scene = NULL;
    crank_error err = {0};
    page.megabytes = 1e-4;
    do { /* up to where there is room for the index but not for the values */
        page.megabytes += 1e-5;
        CHECK_STATUS(crank_page_write(&page, &m.table, s.path, NULL, &err), CRANK_EARG);
    } while (strstr(err.text, "not even with 2 frames") == NULL);
    char *text = scratch_read(&s);
    assert_string_equal(text, "old");
    free(text);
    scratch_close(&template);
    scratch_close(&s);
    assert_int_not_equal(access(s.directory, F_OK), 0); /* no part of it was left */
    free(m.table.values);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_reads_back_time_exactly_others_rounded_to_f32),
        cmocka_unit_test(values_that_are_not_finite_and_extremes_stay),
        cmocka_unit_test(columns_that_f32_would_coarsen_are_kept_exactly),
        cmocka_unit_test(wide_and_long_results_have_several_blocks),
        cmocka_unit_test(frames_are_thinned_evenly_with_the_first_and_the_last),
        cmocka_unit_test(what_moves_comes_first_then_what_the_scene_names),
        cmocka_unit_test(columns_that_move_something_but_are_missing_are_counted),
        cmocka_unit_test(columns_beyond_the_limit_are_left_out_those_that_move_last),
        cmocka_unit_test(frames_beyond_the_limit_are_left_out_evenly),
        cmocka_unit_test(columns_that_are_not_wanted_are_not_there_unless_the_scene_names_them),
        cmocka_unit_test(watched_pages_have_a_version_image_beside_them),
        cmocka_unit_test(wrong_requests_are_refused),
        cmocka_unit_test(a_page_that_cannot_be_written_leaves_the_old_one),
    };
    return CHECK_RUN(argc, argv, tests);
}
