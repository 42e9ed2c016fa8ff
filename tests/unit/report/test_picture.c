/* test_picture.c - pictures of mechanisms: JSON as a tree, the order of painting, solids where
 * they belong in pixels, the body that a camera follows. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "report/json.h"
#include "report/picture/canvas.h"

#include <crank/report.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- trees ---- */

static void json_becomes_a_tree_with_members_in_their_order(void **state)
{
    crank_json_tree tree;
    crank_error err = {0};
    double v[3] = {9.0, 9.0, 9.0};

    CHECK_OK(crank_json_tree_read("{\"a\": [1, null, -2.5e1], \"b\": {\"c\": \"x\\ny\"}, "
                                  "\"t\": true, \"f\": false, \"e\": []}",
                                  &tree, &err),
             err);
    const crank_json_value *root = tree.values;
    assert_int_equal(root->count, 5);
    crank_json_vector(crank_json_get(root, "a"), 3, v);
    assert_true(v[0] == 1.0 && v[1] == 9.0 && v[2] == -25.0); /* null is no number */
    assert_string_equal(crank_json_text(crank_json_get(root, "b"), "c"), "x\ny");
    assert_true(crank_json_number(root, "t", 7.0) == 1.0);
    assert_true(crank_json_number(root, "f", 7.0) == 0.0);
    assert_true(crank_json_number(root, "none", 7.0) == 7.0);
    assert_int_equal(crank_json_count(root, "e"), 0);
    assert_null(crank_json_get(crank_json_get(root, "none"), "x"));
    crank_json_tree_free(&tree);
}

/* ---- painting ---- */

enum { ITEMS = 60, POINTS = 4000 };

static double random_number(unsigned *seed)
{
    *seed = *seed * 1103515245U + 12345U;
    return (double)(*seed >> 8 & 0xffff) / 65536.0;
}

/* Depth of an item at a point of the picture; NaN: not there, or too near an edge to say. */
static double depth_at(const crank_item *item, double x, double y)
{
    for (int k = 1; k + 1 < item->corners; k++) {
        const int c[3] = {0, k, k + 1};
        const double x0 = item->x[c[0]], y0 = item->y[c[0]];
        const double x1 = item->x[c[1]] - x0, y1 = item->y[c[1]] - y0;
        const double x2 = item->x[c[2]] - x0, y2 = item->y[c[2]] - y0;
        const double area = x1 * y2 - x2 * y1;
        const double b = ((x - x0) * y2 - (y - y0) * x2) / area;
        const double d = ((y - y0) * x1 - (x - x0) * y1) / area;
        if (b >= 0.0 && d >= 0.0 && b + d <= 1.0) {
            return item->depth[0] + b * (item->depth[c[1]] - item->depth[0]) +
                   d * (item->depth[c[2]] - item->depth[0]);
        }
    }
    return (double)NAN;
}

static void collect(void *user, const crank_item *item)
{
    assert_true(crank_item_append(user, item));
}

static void what_is_painted_last_is_nearest_also_where_items_cut_each_other(void **state)
{
    crank_item_list given = {0}, painted = {0};
    unsigned seed = 7;
    int wrong = 0, seen = 0;

    for (int i = 0; i < ITEMS; i++) {
        crank_item item = {.corners = 3, .opacity = 1.0F};
        item.color[0][0] = (float)i;
        for (int k = 0; k < 3; k++) {
            item.x[k] = 100.0 * random_number(&seed);
            item.y[k] = 100.0 * random_number(&seed);
            item.depth[k] = random_number(&seed);
        }
        assert_true(crank_item_append(&given, &item));
    }
    assert_true(crank_painter_run(&given, collect, &painted));
    assert_true(painted.count > ITEMS); /* some were cut */
    for (int n = 0; n < POINTS; n++) {
        const double x = 100.0 * random_number(&seed), y = 100.0 * random_number(&seed);
        int nearest = -1, last = -1;
        double least = (double)INFINITY, second = (double)INFINITY;
        for (int i = 0; i < given.count; i++) {
            const double d = depth_at(&given.item[i], x, y);
            second = d < least ? least : d < second ? d : second;
            nearest = d < least ? i : nearest;
            least = d < least ? d : least;
        }
        for (int i = 0; i < painted.count; i++) {
            last = isnan(depth_at(&painted.item[i], x, y)) ? last
                                                           : (int)painted.item[i].color[0][0];
        }
        if (second - least > 1e-4) { /* a thousandth of the range in 1000: what counts as one */
            seen++;
            wrong += last != nearest ? 1 : 0;
        }
    }
    assert_true(seen > POINTS / 2);
    assert_true(wrong <= seen / 1000); /* points on the edge of a piece */
    free(given.item);
    free(painted.item);
}

/* ---- pictures ---- */

enum { ROWS = 3 };

/* A body that moves along x in three rows, with its scene. */
static void fill_table(crank_table *table, double far)
{
    static char time[] = "time", x[] = "x", none[] = "";
    static char *names[] = {time, x}, *units[] = {none, none}, *about[] = {none, none};
    static double values[2 * ROWS];

    for (int i = 0; i < ROWS; i++) {
        values[i] = i;
        values[ROWS + i] = far * i / (ROWS - 1.0);
    }
    *table = (crank_table){.rows = ROWS,
                           .columns = 2,
                           .names = names,
                           .units = units,
                           .descriptions = about,
                           .values = values};
}

static const char scene_text[] =
    "{\"dimension\": 2, \"up\": [0, 1, 0], \"size\": 1, \"scale\": 1, \"center\": [0, 0, 0], "
    "\"bodies\": [{\"name\": \"b\", \"pose\": {\"x\": \"x\"}, \"center\": [0, 0, 0], "
    "\"color\": \"#ff0000\", \"shapes\": [{\"kind\": \"box\", \"size\": [1, 1, 1]}]}%s], "
    "\"joints\": [], \"forces\": [], \"lines\": [], \"traces\": [%s], \"camera\": null, "
    "\"follow\": null}";

static const unsigned char *draw_traced(crank_picture **picture, crank_table *table,
                                        const char *more, const char *traces, double time)
{
    static char scene[2000];
    crank_picture_options o = crank_picture_options_default();
    const unsigned char *pixels;
    crank_error err = {0};

    (void)snprintf(scene, sizeof scene, scene_text, more, traces);
    o.scene = scene;
    o.width = o.height = 64;
    CHECK_OK(crank_picture_create(table, &o, picture, &err), err);
    CHECK_OK(crank_picture_pixels(*picture, time, &pixels, &err), err);
    return pixels;
}

static const unsigned char *draw(crank_picture **picture, crank_table *table, const char *more,
                                 double time)
{
    return draw_traced(picture, table, more, "", time);
}

/* Red, not background (which is nearly white): columns of the middle row. */
static int red_column(const unsigned char *pixels, int *width)
{
    int first = -1;

    *width = 0;
    for (int i = 0; i < 64; i++) {
        const unsigned char *p = pixels + (size_t)(3 * (32 * 64 + i));
        if (p[0] > 150 && p[1] < 60) {
            first = first < 0 ? i : first;
            (*width)++;
        }
    }
    return first;
}

static void a_box_is_drawn_where_it_is_and_between_rows_on_the_way(void **state)
{
    crank_table table;
    crank_picture *picture;
    int width;

    fill_table(&table, 4.0); /* five metres wide with a margin of 1.12: 64/5.6 pixels a metre */
    const int start = red_column(draw(&picture, &table, "", 0.0), &width);
    assert_in_range(width, 11, 12);
    assert_in_range(start, 3, 4);
    const unsigned char *pixels;
    crank_error err = {0};
    CHECK_OK(crank_picture_pixels(picture, 0.5, &pixels, &err), err);
    assert_in_range(red_column(pixels, &width) - start, 11, 12); /* one metre on */
    crank_picture_destroy(picture);
}

static void paths_of_points_far_from_a_body_are_in_the_picture(void **state)
{
    crank_table table;
    crank_picture *picture;
    int width;

    (void)state;
    fill_table(&table, 0.0); /* from -0.5 to 9.5 m: 64/11.2 pixels a metre */
    (void)red_column(draw_traced(&picture, &table, "",
                                 "{\"name\": \"tip\", \"body\": 0, \"point\": [9.5, 0, 0]}",
                                 0.0),
                     &width);
    assert_in_range(width, 5, 6);
    crank_picture_destroy(picture);
}

static void a_body_that_leaves_its_place_is_followed(void **state)
{
    crank_table table;
    crank_picture *picture;
    int first, width;

    fill_table(&table, 6.0); /* more than five times its size */
    first = red_column(draw(&picture, &table, "", 0.0), &width);
    const unsigned char *pixels;
    crank_error err = {0};
    CHECK_OK(crank_picture_pixels(picture, 2.0, &pixels, &err), err);
    assert_int_equal(red_column(pixels, &width), first);
    assert_in_range(width, 56, 58); /* it fills the picture, but for the margin */
    crank_picture_destroy(picture);
}

static void a_body_is_not_followed_if_another_one_stays(void **state)
{
    crank_table table;
    crank_picture *picture;
    int width;

    fill_table(&table, 6.0);
    (void)red_column(draw(&picture, &table,
                          ", {\"name\": \"c\", \"pose\": {\"y\": \"x\", \"x\": 0}, "
                          "\"shapes\": []}, {\"name\": \"d\", \"pose\": {\"angle\": \"x\"}, "
                          "\"shapes\": []}",
                          0.0),
                     &width);
    assert_true(width < 15);
    crank_picture_destroy(picture);
}

static void transparent_shapes_let_through_what_is_behind(void **state)
{
    crank_table table;
    crank_picture *picture;

    fill_table(&table, 0.0);
    const unsigned char *pixels =
        draw(&picture, &table,
             ", {\"name\": \"glass\", \"pose\": {}, \"color\": \"#0000ff\", \"shapes\": "
             "[{\"kind\": \"box\", \"size\": [1, 1, 1], \"opacity\": 0.5}]}",
             0.0);
    const unsigned char *p = pixels + (size_t)(3 * (32 * 64 + 32));
    assert_true(p[0] > 80 && p[2] > 80 && p[1] < 20); /* half red, half blue */
    crank_picture_destroy(picture);
}

/* ---- loads ---- */

/* Pixels of the colour of torques in a picture with a spring of 1000 N and a torque about z. */
static int torque_pixels(double torque, double spring)
{
    char scene[2000];
    double values[8] = {0.0, 1.0, torque, torque, spring, spring, 0.0, 0.0};
    static char t[] = "t", m[] = "m", f[] = "f", x[] = "x", none[] = "";
    static char *names[] = {t, m, f, x}, *texts[] = {none, none, none, none};
    const crank_table table = {.rows = 2,
                               .columns = 4,
                               .names = names,
                               .units = texts,
                               .descriptions = texts,
                               .values = values};
    crank_picture_options o = crank_picture_options_default();
    crank_picture *picture;
    const unsigned char *pixels;
    crank_error err = {0};
    int found = 0;

    (void)snprintf(
        scene, sizeof scene,
        "{\"dimension\": 2, \"up\": [0, 1, 0], \"size\": 1, \"scale\": 1, "
        "\"center\": [0, 0, 0], \"bodies\": [{\"name\": \"b\", \"pose\": {\"x\": \"x\"}, "
        "\"center\": [0, 0, 0], \"color\": \"#0000ff\", \"shapes\": "
        "[{\"kind\": \"box\", \"size\": [1, 1, 1]}]}], \"joints\": [], \"forces\": ["
        "{\"name\": \"s\", \"type\": \"spring\", \"glyph\": \"spring\", \"bodies\": [-1, 0], "
        "\"points\": [[0, 1, 0], [0, 0, 0]], \"value\": \"f\", \"components\": null, "
        "\"direction\": null, \"direction_in\": \"world\"}, "
        "{\"name\": \"m\", \"type\": \"torsion\", \"glyph\": \"torque\", \"bodies\": [-1, 0], "
        "\"points\": [[0, 0, 0], [0, 0, 0]], \"value\": \"m\", \"components\": null, "
        "\"direction\": [0, 0, 1], \"direction_in\": \"world\"}], "
        "\"lines\": [], \"traces\": [], \"camera\": null, \"follow\": null}");
    o.scene = scene;
    o.width = o.height = 128;
    CHECK_OK(crank_picture_create(&table, &o, &picture, &err), err);
    CHECK_OK(crank_picture_pixels(picture, 0.0, &pixels, &err), err);
    for (int i = 0; i < 128 * 128; i++) {
        found += pixels[3 * i] > 150 && pixels[3 * i + 1] < 150 && pixels[3 * i + 2] < 60;
    }
    crank_picture_destroy(picture);
    return found;
}

static void a_torque_that_is_nothing_beside_the_forces_is_not_drawn(void **state)
{
    (void)state;
    assert_true(torque_pixels(10.0, 1000.0) > 10);
    assert_true(torque_pixels(-10.0, -1000.0) > 10);
    assert_true(torque_pixels(1.5e-7, 0.0) > 10); /* small, but all there is */
    assert_int_equal(torque_pixels(1.5e-7, 1000.0), 0);
}

/* ---- rails ---- */

/* 14 pixels a metre, x = 2.05 m in the middle; the rail is 3.75 m long. */
static void a_rail_is_where_its_slider_goes_not_at_the_first_point(void **state)
{
    static const char scene[] =
        "{\"dimension\": 2, \"up\": [0, 1, 0], \"size\": 10, \"scale\": 30, "
        "\"center\": [0, 0, 0], \"bodies\": [{\"name\": \"b\", \"pose\": {\"x\": 4}, "
        "\"center\": [0, 0, 0], \"color\": \"#ff0000\", \"shapes\": "
        "[{\"kind\": \"box\", \"size\": [0.2, 0.2, 0.2]}]}], \"joints\": ["
        "{\"name\": \"j\", \"type\": \"prismatic\", \"glyph\": \"slider\", "
        "\"bodies\": [-1, 0], \"points\": [[0, 0, 0], [0, 0, 0]], "
        "\"axes\": [[1, 0, 0], [1, 0, 0]], \"reaction\": null}], \"forces\": [], "
        "\"lines\": [], \"traces\": [], \"camera\": null, \"follow\": null}";
    crank_picture_options o = crank_picture_options_default();
    crank_picture *picture;
    crank_table table;
    const unsigned char *pixels;
    crank_error err = {0};

    (void)state;
    fill_table(&table, 0.0);
    o.scene = scene;
    o.width = o.height = 64;
    CHECK_OK(crank_picture_create(&table, &o, &picture, &err), err);
    CHECK_OK(crank_picture_pixels(picture, 0.0, &pixels, &err), err);
    assert_true(pixels[3 * (32 * 64 + 40)] < 175); /* x = 2.6 m: metal */
    assert_true(pixels[3 * (32 * 64 + 12)] > 175); /* x = 0.6 m: at most the grid */
    crank_picture_destroy(picture);
}

/* ---- cylinders ---- */

/* From pin to pin it is 4 m, 220 pixels in the middle of the picture. The barrel, dark, has 0.6
 * of it. */
static void a_cylinder_is_a_barrel_and_a_rod_from_pin_to_pin(void **state)
{
    static const char scene[] =
        "{\"dimension\": 2, \"up\": [0, 1, 0], \"size\": 10, \"scale\": 30, "
        "\"center\": [0, 0, 0], \"bodies\": ["
        "{\"name\": \"a\", \"pose\": {\"x\": 0}, \"center\": [0, 0, 0], \"color\": "
        "\"#ff0000\", \"shapes\": [{\"kind\": \"sphere\", \"radius\": 0.1, \"guessed\": "
        "true}]}, "
        "{\"name\": \"b\", \"pose\": {\"x\": 4}, \"center\": [0, 0, 0], \"color\": "
        "\"#ff0000\", \"shapes\": [{\"kind\": \"sphere\", \"radius\": 0.1, \"guessed\": "
        "true}]}], "
        "\"joints\": ["
        "{\"name\": \"p\", \"type\": \"revolute\", \"glyph\": \"hinge\", "
        "\"bodies\": [-1, 0], \"points\": [[0, 0, 0], [0, 0, 0]], "
        "\"axes\": [[0, 0, 1], [0, 0, 1]], \"reaction\": null}, "
        "{\"name\": \"q\", \"type\": \"revolute\", \"glyph\": \"hinge\", "
        "\"bodies\": [-1, 1], \"points\": [[4, 0, 0], [0, 0, 0]], "
        "\"axes\": [[0, 0, 1], [0, 0, 1]], \"reaction\": null}, "
        "{\"name\": \"j\", \"type\": \"prismatic\", \"glyph\": \"slider\", "
        "\"bodies\": [0, 1], \"points\": [[0, 0, 0], [0, 0, 0]], "
        "\"axes\": [[1, 0, 0], [1, 0, 0]], \"reaction\": null}], \"forces\": [], "
        "\"lines\": [], \"traces\": [], \"camera\": null, \"follow\": null}";
    crank_picture_options o = crank_picture_options_default();
    crank_picture *picture;
    crank_table table;
    const unsigned char *pixels;
    crank_error err = {0};
    int thick[256] = {0};

    (void)state;
    fill_table(&table, 0.0);
    o.scene = scene;
    o.width = o.height = 256;
    CHECK_OK(crank_picture_create(&table, &o, &picture, &err), err);
    CHECK_OK(crank_picture_pixels(picture, 0.0, &pixels, &err), err);
    for (int i = 0; i < 256; i++) {
        for (int k = 0; k < 256; k++) {
            thick[i] += pixels[3 * (k * 256 + i)] < 150;
        }
    }
    assert_true(thick[128] > 20); /* the barrel: 0.5 of the way */
    assert_true(thick[160] <= 2); /* 0.65: the rod, which is light */
    assert_true(pixels[3 * (128 * 256 + 160)] != pixels[3 * (20 * 256 + 160)]);
    crank_picture_destroy(picture);
}

/* ---- behind the eye ---- */

/* The eye looks from the origin along x, with y to the left and z upwards. */
static crank_canvas eye_canvas(void)
{
    return (crank_canvas){.width = 200,
                          .height = 100,
                          .size = 1.0,
                          .camera = {.forward = {-1.0, 0.0, 0.0},
                                     .side = {0.0, -1.0, 0.0},
                                     .above = {0.0, 0.0, 1.0},
                                     .half_height = 0.5}};
}

static void a_line_that_reaches_behind_the_eye_is_drawn_as_far_as_the_picture(void **state)
{
    static const double ahead[3] = {100.0, 0.0, -1.0}, behind[3] = {-100.0, 0.0, -1.0},
                        gray[3] = {0.5, 0.5, 0.5};
    crank_canvas c = eye_canvas();

    (void)state;
    crank_canvas_line(&c, &c.solid, ahead, behind, gray, 1.0F, 1.0F);
    crank_canvas_line(&c, &c.solid, behind, ahead, gray, 1.0F, 1.0F);
    assert_int_equal(c.solid.count, 2);
    for (int i = 0; i < 2; i++) { /* below the middle by 1/100 of 50/0.5 pixels */
        const crank_item *item = &c.solid.item[i];
        assert_int_equal(item->corners, 2);
        CHECK_NEAR(item->x[0], 100.0, 1e-9);
        CHECK_NEAR(item->x[1], 100.0, 1e-9);
        CHECK_NEAR(item->y[i], 51.0, 1e-9);
        assert_true(item->y[1 - i] > 100.0 && item->y[1 - i] < 120.0);
    }
    c.solid.count = 0;
    static const double farther[3] = {-200.0, 0.0, -1.0};
    crank_canvas_line(&c, &c.solid, behind, farther, gray, 1.0F, 1.0F);
    assert_int_equal(c.solid.count, 0);
    crank_canvas_free(&c);
}

/* A triangle of the ground below the eye, from 100 m ahead to 100 m behind: what is drawn
 * covers the bottom of the picture and nothing above the horizon. */
static void a_face_that_reaches_behind_the_eye_is_cut_there(void **state)
{
    crank_canvas c = eye_canvas();
    const crank_picture_shape mesh = {
        .vertex_count = 3,
        .vertices = (double[]){100.0, 0.0, -1.0, -100.0, 300.0, -1.0, -100.0, -300.0, -1.0},
        .triangle_count = 1,
        .triangles = (int[]){0, 1, 2}};
    static const double map[12] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0},
                        gray[3] = {0.5, 0.5, 0.5};
    const crank_paint paint = {.color = gray, .opacity = 1.0};
    bool covered[2] = {false, false};

    (void)state;
    crank_canvas_mesh(&c, &mesh, map, paint);
    for (int i = 0; i < c.solid.count; i++) {
        for (int k = 0; k < c.solid.item[i].corners; k++) {
            assert_true(c.solid.item[i].y[k] >= 51.0 - 1e-9);
            assert_true(c.solid.item[i].y[k] < 120.0);
        }
        covered[0] = covered[0] || isfinite(depth_at(&c.solid.item[i], 3.0, 97.0));
        covered[1] = covered[1] || isfinite(depth_at(&c.solid.item[i], 196.0, 96.0));
    }
    assert_true(covered[0] && covered[1]);
    crank_canvas_free(&c);
}

static void wrong_sizes_and_missing_scenes_are_refused(void **state)
{
    crank_table table;
    crank_picture_options o = crank_picture_options_default();
    crank_picture *picture;
    crank_error err = {0};

    fill_table(&table, 1.0);
    CHECK_STATUS(crank_picture_create(&table, &o, &picture, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "no scene");
    o.scene = "{}";
    o.width = 8;
    CHECK_STATUS(crank_picture_create(&table, &o, &picture, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "8 x 720");
    o.width = 64;
    o.scene = "{\"bodies\": 3, \"camera\": [], \"joints\": [{}], \"forces\": [7]}";
    CHECK_OK(crank_picture_create(&table, &o, &picture, &err), err);
    const unsigned char *pixels;
    CHECK_OK(crank_picture_pixels(picture, 0.0, &pixels, &err), err);
    crank_picture_destroy(picture);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_becomes_a_tree_with_members_in_their_order),
        cmocka_unit_test(what_is_painted_last_is_nearest_also_where_items_cut_each_other),
        cmocka_unit_test(a_box_is_drawn_where_it_is_and_between_rows_on_the_way),
        cmocka_unit_test(paths_of_points_far_from_a_body_are_in_the_picture),
        cmocka_unit_test(a_body_that_leaves_its_place_is_followed),
        cmocka_unit_test(a_body_is_not_followed_if_another_one_stays),
        cmocka_unit_test(transparent_shapes_let_through_what_is_behind),
        cmocka_unit_test(a_torque_that_is_nothing_beside_the_forces_is_not_drawn),
        cmocka_unit_test(a_rail_is_where_its_slider_goes_not_at_the_first_point),
        cmocka_unit_test(a_cylinder_is_a_barrel_and_a_rod_from_pin_to_pin),
        cmocka_unit_test(a_line_that_reaches_behind_the_eye_is_drawn_as_far_as_the_picture),
        cmocka_unit_test(a_face_that_reaches_behind_the_eye_is_cut_there),
        cmocka_unit_test(wrong_sizes_and_missing_scenes_are_refused),
    };
    return CHECK_RUN(argc, argv, tests);
}
