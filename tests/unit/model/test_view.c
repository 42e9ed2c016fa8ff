/* test_view.c - `title` and `view:` of equations and mechanism files: the scene, columns,
 * meshes, and what is refused. */
// SPDX-License-Identifier: BSD-3-Clause
#include "json.h"
#include "one_state.h"
#include "read_model.h"

#include <stdint.h>
#include <unistd.h>

#define HEAD                                                                                   \
    "crank: equations\n"                                                                       \
    "parameters: {L: 2}\n"                                                                     \
    "positions: {p: {start: 0.5}}\n"                                                           \
    "velocities: {v: {of: p}}\n"                                                               \
    "mass: [[1]]\n"                                                                            \
    "forces: [-p]\n"                                                                           \
    "outputs: {double: 2*p}\n"

static char *scene_of(crank_state *model)
{
    char *text = NULL;
    crank_error err = {0};
    CHECK_OK(crank_model_scene(crank_state_model(model), &text, &err), err);
    if (text != NULL && !json_is_valid(text)) {
        print_error("not JSON: %s\n", text);
        fail();
    }
    return text;
}

static void a_model_without_view_has_no_scene_but_a_title(void **state)
{
    (void)state;
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_OK(
        one_state_read_text("dir.d/two.parts.yaml", HEAD, strlen(HEAD), NULL, &model, &err),
        err);
    assert_null(scene_of(model));
    assert_string_equal(crank_model_title(crank_state_model(model)), "two.parts");
    one_state_close(model);
}

static void equations_draw_what_the_view_declares(void **state)
{
    (void)state;
    crank_state *model =
        read_model(HEAD "title: Oscillator\n"
                        "view:\n"
                        "  bodies:\n"
                        "    block: {x: p, y: double, angle: L*p, color: navy,\n"
                        "            shapes: [{cylinder: [L, 1]}]}\n"
                        "    ground: {shapes: [{tube: [[0, 0], [L, 0]]}]}\n"
                        "  lines: {s: {points: [[0, 0], [p - v, acceleration.v]]}}\n"
                        "  phase: [[p, v]]\n");
    char *s = scene_of(model);
    assert_string_equal(crank_model_title(crank_state_model(model)), "Oscillator");
    assert_true(json_is(s, "dimension", "2"));
    assert_true(json_is(s, "bodies.0.pose",
                        "{\"x\":\"p\",\"y\":\"double\",\"angle\":\"view.block.angle\"}"));
    assert_true(json_is(s, "bodies.0.color", "\"#000080\""));
    assert_true(json_is(s, "bodies.1.pose", "{}"));
    assert_true(json_is(s, "lines.0.points.1", "[\"view.s.x2\",\"view.s.y2\",0]"));
    assert_true(json_is(s, "plots", "[[\"p\"],[\"v\"]]"));
    assert_true(json_is(s, "phase", "[[\"p\",\"v\"]]"));
    const int count = crank_model_column_count(crank_state_model(model));
    assert_string_equal(crank_model_column_name(crank_state_model(model), count - 3),
                        "view.block.angle");
    assert_string_equal(crank_model_column_unit(crank_state_model(model), count - 3), "rad");
    assert_string_equal(crank_model_column_name(crank_state_model(model), count - 4), "double");
    double values[16];
    crank_error err = {0};
    CHECK_OK(crank_state_columns(model, 0.0, crank_state_start(model), values, &err), err);
    CHECK_NEAR(values[count - 3], 1.0, 0.0);
    CHECK_NEAR(values[count - 2], 0.5, 0.0);
    CHECK_NEAR(values[count - 1], -0.5, 1e-15);
    free(s);
    one_state_close(model);
}

static void a_third_component_makes_the_picture_spatial(void **state)
{
    (void)state;
    crank_state *model =
        read_model(HEAD "view: {bodies: {b: {z: p, q: [1, 0, 0, p]}}, up: [0, 2, 0]}\n");
    char *s = scene_of(model);
    assert_true(json_is(s, "dimension", "3"));
    assert_true(json_is(s, "up", "[0,1,0]"));
    assert_true(json_is(s, "bodies.0.pose.q3", "\"p\""));
    assert_true(json_is(s, "bodies.0.shapes.0.guessed", "true"));
    free(s);
    one_state_close(model);
}

/* ---- refusals ---- */

/* one line below HEAD (which has 7): view: ... */
static void refuse_view(const char *view, int column, const char *message)
{
    char text[2000];
    (void)snprintf(text, sizeof text, "%sview: %s\n", HEAD, view);
    refuse(text, CRANK_EMODEL, 8, column, message);
}

static void keys_of_the_view_are_checked(void **state)
{
    (void)state;
    refuse_view("[1]", 7, "view: a list where a mapping is expected");
    refuse_view("{boddies: {}}", 8, "view: unknown key \"boddies\"; did you mean \"bodies\"?");
    refuse_view("{up: [0, 0]}", 12, "view, up: zero has no direction");
    refuse_view("{up: 3}", 12, "view, up: a number where a list of 2 to 3 is expected");
    refuse_view("{camera: tops}", 16,
                "view, camera: \"tops\" is not known; did you mean \"top\"?");
    refuse_view("{camera: {from: [0, 1]}}", 16, "view, camera: \"to\" is missing");
    refuse_view("{camera: {from: [0, 1], to: [0, 1]}}", 16,
                "view, camera: \"from\" and \"to\" are the same");
    refuse_view("{follow: [a]}", 16,
                "view, follow: a list where the name of a body is expected");
    refuse_view("{follow: a}", 16, "view, follow: there is no body \"a\"");
    refuse_view("{plots: p}", 15, "view, plots: text where a list is expected");
    refuse_view("{plots: [[doubel]]}", 17,
                "view, plots: the result has no column \"doubel\"; did you mean \"double\"?");
    refuse_view("{plots: [[]]}", 16,
                "view, plots: a list of 0 where one of at least 1 is expected");
    refuse_view("{phase: [[p]]}", 16, "view, phase: a list of 1 where one of 2 is expected");
    refuse_view("{phase: [p]}", 16, "view, phase: text where a list of 2 is expected");
    refuse_view("{bodies: [a]}", 16,
                "view, bodies: a list where a mapping of names is expected");
}

static void bodies_of_the_view_are_checked(void **state)
{
    (void)state;
    refuse_view("{bodies: {a: {color: red}}}", 17,
                "view, body \"a\": nothing says where it is; give x, y, z, angle or q");
    refuse_view("{bodies: {a: {x: 1/0}}}", 24, "view, body \"a\", x: the value is not finite");
    refuse_view("{bodies: {a: {x: pp}}}", 24,
                "view, body \"a\", x: \"pp\" is not defined; did you mean \"p\"?");
    refuse_view("{bodies: {a: {x: [1]}}}", 24,
                "view, body \"a\", x: a list where an expression is expected");
    refuse_view("{bodies: {a: {angle: 1, q: [1, 0, 0, 0]}}}", 34,
                "view, body \"a\", q: and \"angle\": one of them is enough");
    refuse_view("{bodies: {a: {q: [1, 0, 0]}}}", 24,
                "view, body \"a\", q: a list of 3 where one of 4 is expected");
    refuse_view("{bodies: {a-b: {x: 1}}}", 17,
                "view, body \"a-b\": not a name: a letter, then letters, digits and _");
    refuse_view("{bodies: {a: {x: 1, hide: 2}}}", 33,
                "view, body \"a\", hide: a number where true or false is expected");
    refuse_view("{bodies: {a: {x: 1, color: gren}}}", 34,
                "view, body \"a\", color: \"gren\" is not a colour; did you mean \"green\"?");
    refuse_view(
        "{bodies: {a: {x: 1, color: \"#12345\"}}}", 34,
        "view, body \"a\", color: \"#12345\" is not a colour; six hexadecimal digits follow "
        "the #");
    refuse_view("{bodies: {a: {x: 1, opacity: 1.5}}}", 36,
                "view, body \"a\", opacity: 1.5, must be more than 0 and at most 1");
    refuse_view("{bodies: {a: {x: 1, shapes: {}}}}", 35,
                "view, body \"a\", shapes: a mapping where a list is expected");
    refuse_view("{bodies: {a: {x: 1}}, lines: {a: {points: [[0, 0], [1, 1]]}}}", 37,
                "view, line \"a\": another body, line or trace of the view has this name");
    refuse_view("{lines: {a: {}}}", 19, "view, line \"a\": \"points\" is missing");
    refuse_view("{lines: {a: {points: [[0, 0]]}}}", 28,
                "view, line \"a\", points: a list of 1 where one of at least 2 is expected");
    refuse_view("{lines: {a: {points: [[0, 0], [1, 1]], width: 0}}}", 53,
                "view, line \"a\", width: 0, must be positive");
    refuse_view("{traces: {a: {}}}", 20, "view, trace \"a\": \"body\" or \"point\" is missing");
    refuse_view("{traces: {a: {body: b}}}", 27, "view, traces: there is no body \"b\"");
}

static void refuse_shape(const char *shape, int column, const char *message)
{
    char view[400], full[500];
    (void)snprintf(view, sizeof view, "{bodies: {a: {x: 1, shapes: [%s]}}}", shape);
    (void)snprintf(full, sizeof full, "view, body \"a\", shape 1%s", message);
    refuse_view(view, 36 + column, full);
}

static void shapes_are_checked(void **state)
{
    (void)state;
    refuse_shape(
        "{}", 0,
        ": a shape is one of box, cylinder, sphere, capsule, cone, ring, tube and mesh");
    refuse_shape("{sphere: 1, box: [1, 1, 1]}", 9,
                 ": \"box\" and \"sphere\": a shape is one of them");
    refuse_shape("{sphere: 0}", 9, ", sphere: 0, must be positive");
    refuse_shape("{sphere: 1, opacity: 0}", 21,
                 ", opacity: 0, must be more than 0 and at most 1");
    refuse_shape("{ring: 1}", 7, ", ring: a number where a list of 2 is expected");
    refuse_shape("{box: [1]}", 6, ", box: a list of 1 where one of 2 to 3 is expected");
    refuse_shape("{sphere: 1, radius: 2}", 20, ": \"radius\" is only for a tube");
    refuse_shape("{sphere: 1, scale: 2}", 19, ": \"scale\" is only for a mesh");
    refuse_shape("{tube: [[0, 0], [0, 0]]}", 7, ", tube: its ends are the same point");
    refuse_shape("{tube: [[0, 0], [1, 0]], at: [1, 1]}", 29,
                 ": \"at\" is only for shapes other than tubes");
    refuse_shape("{sphere: 1, orientation: [0, 0, 0, 0]}", 25,
                 ", orientation: its length is 0");
    refuse_shape("{sphere: 1, orientation: {axis: [0, 0], angle: 1}}", 25,
                 ", orientation: the axis has the length 0");
    refuse_shape("{mesh: nothing.stl}", 7,
                 ", mesh: nothing.stl: cannot open: No such file or directory");
    refuse_shape("{mesh: /tmp}", 7, ", mesh: /tmp: not a regular file");
    refuse_shape("{mesh: [1]}", 7, ", mesh: a list where the name of a file is expected");
}

#define BODY                                                                                   \
    "crank: mechanism\n"                                                                       \
    "bodies: {rod: {type: point, mass: 1}}\n"

static void the_view_of_a_mechanism_is_checked(void **state)
{
    (void)state;
    refuse(BODY "view: {bodies: {rdo: {color: red}}}\n", CRANK_EMODEL, 3, 17,
           "view: there is no body \"rdo\"; did you mean \"rod\"?");
    refuse(
        BODY "view: {bodies: {rod: {x: 1}}}\n", CRANK_EMODEL, 3, 17,
        "view, body \"rod\": it is a body of the model, which says where it is; leave x, y, z, "
        "angle and q out");
    refuse(BODY "view: {bodies: {\"x*\": {color: red}}}\n", CRANK_EMODEL, 3, 17,
           "view: there is no body \"x*\"; known are rod");
    refuse(BODY "view: {bodies: {a: {x: body.rod.xx}}}\n", CRANK_EMODEL, 3, 24,
           "column \"view.a.x\": body \"rod\" has no quantity \"xx\"; did you mean \"x\"?");
    refuse(BODY "view: {lines: {a: {points: [[0, 0], [1, 1]]}}}\n", CRANK_EMODEL, 3, 29,
           "view, line \"a\", points: a list of 2 where one of 3 is expected");
    refuse(BODY "title: [1]\n", CRANK_EMODEL, 3, 8, "title: a list where text is expected");
    refuse(HEAD "title: {}\n", CRANK_EMODEL, 8, 8, "title: a mapping where text is expected");
}

/* ---- meshes ---- */

typedef struct place {
    char directory[40], model[64], mesh[64];
} place;

static void write_bytes(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* a model beside a mesh; NULL if it is refused, with err */
static crank_state *read_mesh(const char *name, const void *data, size_t size, crank_error *err)
{
    place p = {.directory = "/tmp/crank_view_XXXXXX"};
    char text[600];
    crank_state *model = NULL;
    assert_non_null(mkdtemp(p.directory));
    (void)snprintf(p.model, sizeof p.model, "%s/m.yaml", p.directory);
    (void)snprintf(p.mesh, sizeof p.mesh, "%s/%s", p.directory, name);
    (void)snprintf(text, sizeof text,
                   HEAD "view: {bodies: {b: {x: p, shapes: [{mesh: %s, scale: 2}]}}}\n", name);
    write_bytes(p.model, text, strlen(text));
    write_bytes(p.mesh, data, size);
    *err = (crank_error){0};
    (void)one_state_read(p.model, NULL, &model, err);
    if (model != NULL) {
        assert_string_equal(crank_model_file(crank_state_model(model), 0), p.mesh);
        assert_null(crank_model_file(crank_state_model(model), 1));
    }
    (void)unlink(p.mesh);
    (void)unlink(p.model);
    (void)rmdir(p.directory);
    return model;
}

static void check_square(const char *name, const void *data, size_t size)
{
    crank_error err;
    crank_state *model = read_mesh(name, data, size, &err);
    CHECK_OK(err.status, err);
    char *s = scene_of(model);
    assert_true(json_is(s, "bodies.0.shapes.0.vertices", "[0,0,0,2,0,0,2,2,0,0,2,0]"));
    assert_true(json_is(s, "bodies.0.shapes.0.triangles", "[0,1,2,0,2,3]"));
    free(s);
    one_state_close(model);
}

static void squares_read_alike_from_every_format(void **state)
{
    (void)state;
    static const char obj[] = "# a square\nv 0 0 0\nv 1 0 0\r\nv 1 1 0\nv 0 1 0\nvn 0 0 1\n"
                              "f 1//1 2//1 3/5/1 -1\n";
    static const char stl[] =
        "solid square\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
        "vertex 1.0 1 0\nendloop\nendfacet\nfacet normal 0 0 1\n outer loop\n vertex 0 0 0\n"
        " vertex 1 1 0\n vertex -0 1e0 0\n endloop\nendfacet\nendsolid\n";
    unsigned char binary[84 + 100] = "solid is not text here";
    static const float corner[2][9] = {{0, 0, 0, 1, 0, 0, 1, 1, 0},
                                       {0, 0, 0, 1, 1, 0, 0, 1, 0}};
    binary[80] = 2;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 9; i++) {
            uint32_t bits;
            memcpy(&bits, &corner[k][i], sizeof bits);
            for (int byte = 0; byte < 4; byte++) {
                binary[84 + 50 * k + 12 + 4 * i + byte] = (unsigned char)(bits >> (8 * byte));
            }
        }
    }
    check_square("square.obj", obj, strlen(obj));
    check_square("square.STL", stl, strlen(stl));
    check_square("square.stl", binary, sizeof binary);
}

static void refuse_mesh(const char *name, const char *data, size_t size, const char *message)
{
    crank_error err;
    assert_null(read_mesh(name, data, size, &err));
    assert_int_equal(err.status, CRANK_EMODEL);
    assert_int_equal(err.line, 8);
    CHECK_CONTAINS(err.text, message);
}

static void broken_meshes_are_refused(void **state)
{
    (void)state;
    static const char cut[] = "solid\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n";
    static const char four[] =
        "solid\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 1 0\nendloop\n";
    static const char far[] = "v 0 0 0\nv 1 0 0\nf 1 2 3\n";
    static const char nan[] = "v 0 0 nan\n";
    refuse_mesh("a.stl", "", 0, "a.stl: not an STL file, or cut off");
    refuse_mesh("a.stl", "\1\2\3", 3, "not an STL file, or cut off");
    refuse_mesh("a.stl", cut, strlen(cut), "it ends within a facet");
    refuse_mesh("a.stl", four, strlen(four), "line 5: a facet with more than three vertices");
    refuse_mesh("a.stl", "solid\nvertex 1 2\n", 17, "line 2: three numbers must follow");
    refuse_mesh("a.stl", "solid\nendsolid\n", 15, "it has no triangles");
    refuse_mesh("a.obj", far, strlen(far), "line 3: a face names a vertex that was not given");
    refuse_mesh("a.obj", "v 0 0 0\nf 1 1\n", 14, "line 2: a face with less than three corners");
    refuse_mesh("a.obj", nan, strlen(nan), "a coordinate is not finite");
    refuse_mesh("a.obj", "v 0\0", 4, "it holds zero bytes");
    refuse_mesh("a.ply", "ply", 3, "meshes end in .stl or .obj");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_without_view_has_no_scene_but_a_title),
        cmocka_unit_test(equations_draw_what_the_view_declares),
        cmocka_unit_test(a_third_component_makes_the_picture_spatial),
        cmocka_unit_test(keys_of_the_view_are_checked),
        cmocka_unit_test(bodies_of_the_view_are_checked),
        cmocka_unit_test(shapes_are_checked),
        cmocka_unit_test(the_view_of_a_mechanism_is_checked),
        cmocka_unit_test(squares_read_alike_from_every_format),
        cmocka_unit_test(broken_meshes_are_refused),
    };
    return CHECK_RUN(argc, argv, tests);
}
