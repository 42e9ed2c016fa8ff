/* test_mechanism_files.c - includes, assemblies, repeats and tables of a mechanism file. */
// SPDX-License-Identifier: BSD-3-Clause
#include "read_mechanism.h"

#include <time.h>

static const double pi = 3.14159265358979323846;
static const double exact = 4e-15; /* a few roundings of numbers of a few units */

/* a directory of the test's own, with its files */
typedef struct directory {
    char path[64];
    char model[96]; /* path of the model in it */
    int count;
    char file[8][128];
} directory;

static void make_directory(directory *d)
{
    *d = (directory){.path = "/tmp/crank_mechanism_XXXXXX"};
    assert_non_null(mkdtemp(d->path));
    (void)sprintf(d->model, "%.63s/model.yaml", d->path);
}

static void write_file(directory *d, const char *name, const char *text)
{
    char path[sizeof d->file[0]];
    (void)snprintf(path, sizeof path, "%s/%s", d->path, name);
    memcpy(d->file[d->count++], path, sizeof path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void remove_directory(const directory *d)
{
    for (int i = 0; i < d->count; i++) {
        (void)unlink(d->file[i]);
    }
    (void)rmdir(d->path);
}

/* writes the model, too, and reads it */
static sample *read_in(directory *d, const char *text)
{
    write_file(d, "model.yaml", text);
    return read_mechanism_at(text, d->model);
}

/* @ becomes the directory */
static void expand(const directory *d, const char *from, char *to)
{
    size_t used = 0;
    for (const char *c = from; *c != '\0'; c++) {
        if (*c == '@') {
            used += (size_t)sprintf(to + used, "%s", d->path);
        } else {
            to[used++] = *c;
        }
    }
    to[used] = '\0';
}

/* file: of the place; "": the model's own; in message and file, @ stands for the directory */
static void refuse_in(directory *d, const char *text, const char *file, int line, int column,
                      const char *message)
{
    char full[480], place[240];
    expand(d, message, full);
    expand(d, file, place);
    write_file(d, "model.yaml", text);
    refuse_at(text, d->model, place, line, column, full);
    (void)unlink(d->file[--d->count]);
}

/* ---- include ---- */

static void included_files_add_their_sections(void **state)
{
    directory d;
    make_directory(&d);
    write_file(&d, "common.yaml",
               "crank: mechanism\nparameters: {g: 9.81, n: 2}\ngravity: [0, 0, -g]\n");
    write_file(
        &d, "parts.yaml",
        "crank: mechanism\ninclude: [common.yaml]\nbodies: {b: {position: [g, 0, 0]}}\n");
    sample *s = read_in(&d, "crank: mechanism\n"
                            "include: [parts.yaml, common.yaml]\n"
                            "bodies: {a: {position: [n, 0, 0]}}\n"
                            "joints: {j: {type: revolute, between: [a, b], at: [0, 0, 0]}}\n");
    assert_int_equal(s->m.body_count, 2);
    CHECK_NEAR(s->m.body[body_index(s, "a")].position[0], 2.0, 0.0);
    CHECK_NEAR(s->m.body[body_index(s, "b")].position[0], 9.81, 0.0);
    CHECK_NEAR(s->m.gravity[2], -9.81, 0.0);
    release(s);
    remove_directory(&d);
}

static void includes_that_do_not_fit_are_refused(void **state)
{
    directory d;
    make_directory(&d);
    write_file(&d, "a.yaml", "crank: mechanism\ninclude: b.yaml\n");
    write_file(&d, "b.yaml", "crank: mechanism\ninclude: [a.yaml]\n");
    write_file(&d, "c.yaml", "crank: mechanism\n\nbodies:\n  rod: {mas: 1}\n");
    write_file(&d, "flat.yaml", "crank: mechanism\ndimension: 2\n");
    write_file(&d, "open.yaml", "crank: mechanism\nbodies: {\n");
    refuse_in(&d, "crank: mechanism\ninclude: [a.yaml]\n", "@/b.yaml", 2, 11,
              "include: \"a.yaml\" includes itself");
    refuse_in(&d, "crank: mechanism\ninclude: [model.yaml]\n", "", 2, 11,
              "include: \"model.yaml\" includes itself");
    refuse_in(&d, "crank: mechanism\ninclude: [none.yaml]\n", "", 2, 11,
              "include: @/none.yaml: cannot open: No such file or directory");
    refuse_in(&d, "crank: mechanism\ninclude: [c.yaml]\n", "@/c.yaml", 4, 9,
              "body \"rod\": unknown key \"mas\"; did you mean \"mass\"?");
    refuse_in(&d, "crank: mechanism\ninclude: [c.yaml]\nbodies: {rod: {}}\n", "@/c.yaml", 4, 3,
              "body \"rod\": the name is given twice, first in line 3 of the model file");
    refuse_in(&d, "crank: mechanism\ninclude: [flat.yaml]\n", "@/flat.yaml", 2, 12,
              "dimension: 2, the model has dimension 3");
    refuse_in(&d, "crank: mechanism\ninclude: [open.yaml]\n", "@/open.yaml", 3, 1,
              "YAML: did not find expected node content while parsing a flow node");
    /* a table that an expression calls is told at its own place */
    refuse_in(&d,
              "crank: mechanism\nbodies: {a: {}}\ntables: {s: {file: none.csv}}\n"
              "outputs: {o: 2*s(t)}\n",
              "", 3, 20, "table \"s\": @/none.csv: cannot open: No such file or directory");
    remove_directory(&d);
}

static void the_first_place_of_a_name_is_told_with_its_file(void **state)
{
    directory d;
    make_directory(&d);
    write_file(&d, "a.yaml", "crank: mechanism\nparameters: {m: 1}\nbodies: {rod: {}}\n");
    write_file(&d, "b.yaml", "crank: mechanism\n\n\nbodies: {rod: {}}\n");
    write_file(&d, "c.yaml", "crank: mechanism\ninputs: {m: 2}\n");
    refuse_in(&d, "crank: mechanism\ninclude: [a.yaml, b.yaml]\n", "@/b.yaml", 4, 10,
              "body \"rod\": the name is given twice, first in line 3 of @/a.yaml");
    refuse_in(&d, "crank: mechanism\ninclude: [a.yaml, c.yaml]\n", "@/c.yaml", 2, 10,
              "\"m\" is given twice, first as a parameter in line 2 of @/a.yaml");
    remove_directory(&d);
}

/* ---- assemblies ---- */

#define LEG                                                                                    \
    "crank: mechanism\n"                                                                       \
    "gravity: [0, 0, -1]\n"                                                                    \
    "parameters: {L: 1, m: 2*L, spare: 0}\n"                                                   \
    "bodies:\n"                                                                                \
    "  thigh: {mass: m, shape: {sphere: 1}, position: [L, 0, 0], velocity: [1, 0, 0],\n"       \
    "          angular_velocity: [0, 1, 0]}\n"                                                 \
    "  shin: {position: [2*L, 0, 0], orientation: {axis: [1, 0, 0], angle: 90 deg}}\n"         \
    "joints:\n"                                                                                \
    "  knee: {type: revolute, between: [thigh, shin], at: [L, 1, 0], axis: [0, 1, 0]}\n"       \
    "  hold: {type: revolute, between: [ground, shin], at: {first: [L, 0, 0],\n"               \
    "         second: [0, 0, 1]}, axis: {first: [1, 0, 0], second: [1, 0, 0]}}\n"              \
    "dynamic: {q: {rate: -L*q + body.thigh.x}}\n"                                              \
    "outputs: {o: joint.knee.angle + q}\n"

static void assemblies_are_moved_and_named(void **state)
{
    directory d;
    make_directory(&d);
    write_file(&d, "leg.yaml", LEG);
    sample *s =
        read_in(&d, "crank: mechanism\n"
                    "parameters: {w: 3}\n"
                    "bodies: {hull: {}}\n"
                    "assemblies:\n"
                    "  left: {use: leg.yaml, at: [0, w, 0],\n"
                    "         orientation: {axis: [0, 0, 1], angle: 90 deg}}\n"
                    "  right: {use: leg.yaml, parameters: {L: 2*w}}\n"
                    "joints:\n"
                    "  hip: {type: revolute, between: [hull, left.thigh], at: [0, 0, 0]}\n"
                    "outputs: {all: body.left.shin.x + left.q}\n");
    const crank_mechanism *m = &s->m;
    const crank_body_record *thigh = &m->body[body_index(s, "left.thigh")];
    const crank_body_record *shin = &m->body[body_index(s, "left.shin")];
    assert_int_equal(m->body_count, 5);
    CHECK_NEAR(m->gravity[2], 0.0, 0.0);
    CHECK_NEAR(thigh->mass, 2.0, 0.0);
    CHECK_NEAR(m->body[body_index(s, "right.thigh")].mass, 12.0, 0.0);
    CHECK_NEAR(m->body[body_index(s, "right.thigh")].position[0], 6.0, 0.0);
    CHECK_NEAR(thigh->position[0], 0.0, exact);
    CHECK_NEAR(thigh->position[1], 4.0, exact);
    CHECK_NEAR(thigh->velocity[1], 1.0, exact);
    CHECK_NEAR(thigh->angular_velocity[0], -1.0, exact);
    CHECK_NEAR(thigh->orientation[3], sqrt(0.5), exact);
    /* 90 degrees about x, then 90 degrees about z: (1, 1, 1, 1)/2 */
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(shin->orientation[i], 0.5, exact);
    }
    assert_string_equal(m->joint[0].name, "hip");
    assert_int_equal(crank_record_find(&m->joint[0], "between")->index[1],
                     body_index(s, "left.thigh"));
    const crank_record *knee = &m->joint[1], *hold = &m->joint[2];
    assert_string_equal(knee->name, "left.knee");
    CHECK_NEAR(crank_record_find(knee, "at")->ends.first[0], -1.0, exact);
    CHECK_NEAR(crank_record_find(knee, "at")->ends.first[1], 4.0, exact);
    CHECK_NEAR(crank_record_find(knee, "axis")->ends.first[0], -1.0, exact);
    /* the end on the ground moves with the assembly, the one on the body does not */
    CHECK_NEAR(crank_record_find(hold, "at")->ends.first[1], 4.0, exact);
    CHECK_NEAR(crank_record_find(hold, "at")->ends.second[2], 1.0, 0.0);
    CHECK_NEAR(crank_record_find(hold, "axis")->ends.first[1], 1.0, exact);
    CHECK_NEAR(crank_record_find(hold, "axis")->ends.second[0], 1.0, 0.0);
    assert_string_equal(m->dynamic[0].name, "left.q");
    check_ex(s, m->dynamic[0].ex, "body.left.thigh.x - left.q");
    check_ex(s, m->dynamic[1].ex, "body.right.thigh.x - 6*right.q");
    check_ex(s, m->output[0].ex, "left.q + body.left.shin.x");
    check_ex(s, m->output[1].ex, "left.q + joint.left.knee.angle");
    release(s);
    remove_directory(&d);
}

/* v + spin x (position - origin), and what the file gives besides; twice as deep: both
 * motions */
static void assemblies_start_with_a_motion_of_the_whole(void **state)
{
    directory d;
    make_directory(&d);
    write_file(&d, "part.yaml",
               "crank: mechanism\n"
               "bodies:\n"
               "  a: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], velocity: [0, 0, 5]}\n"
               "  b: {type: point, mass: 1, position: [0, 2, 0], free: velocity}\n"
               "  c: {mass: 1, inertia: [1, 1, 1]}\n");
    write_file(&d, "outer.yaml",
               "crank: mechanism\nassemblies: {in: {use: part.yaml, at: [1, 0, 0], "
               "angular_velocity: [2, 0, 0]}}\n");
    sample *s = read_in(&d, "crank: mechanism\nassemblies:\n"
                            "  one: {use: part.yaml, at: [10, 0, 0], velocity: [7, 0, 0],\n"
                            "    angular_velocity: [0, 0, 3]}\n"
                            "  two: {use: outer.yaml, orientation: {axis: [0, 0, 1], angle: 90 "
                            "deg},\n    velocity: [0, 1, 0], angular_velocity: [0, 0, 3]}\n"
                            "  three: {use: part.yaml, velocity: [1, 0, 0]}\n"
                            "  four: {use: part.yaml}\n");
    const crank_body_record *a = &s->m.body[body_index(s, "one.a")],
                            *b = &s->m.body[body_index(s, "one.b")],
                            *c = &s->m.body[body_index(s, "one.c")],
                            *deep = &s->m.body[body_index(s, "two.in.a")];
    const double one[3] = {7.0, 3.0, 5.0}, point[3] = {1.0, 0.0, 0.0};
    /* at (0, 2, 0), where spin (0, 0, 3) gives (-6, 0, 0) and the inner one, (0, 2, 0) in the
     * world about (0, 1, 0), nothing */
    const double both[3] = {-6.0, 1.0, 5.0}, spin[3] = {0.0, 2.0, 3.0};
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(a->velocity[i], one[i], exact);
        CHECK_NEAR(a->angular_velocity[i], i == 2 ? 3.0 : 0.0, exact);
        CHECK_NEAR(b->velocity[i], point[i], exact);
        CHECK_NEAR(deep->velocity[i], both[i], 10.0 * exact);
        CHECK_NEAR(deep->angular_velocity[i], spin[i], 10.0 * exact);
    }
    assert_int_equal(a->velocity_fixing, CRANK_PREFERRED);
    assert_int_equal(a->angular_velocity_fixing, CRANK_PREFERRED);
    assert_int_equal(b->velocity_fixing, CRANK_FREE);
    assert_int_equal(c->velocity_fixing, CRANK_PREFERRED); /* as where it is put then */
    assert_int_equal(s->m.body[body_index(s, "three.c")].velocity_fixing, CRANK_PREFERRED);
    assert_int_equal(s->m.body[body_index(s, "three.a")].angular_velocity_fixing, CRANK_FREE);
    assert_int_equal(s->m.body[body_index(s, "four.c")].velocity_fixing, CRANK_FREE);
    assert_int_equal(s->m.body[body_index(s, "four.c")].angular_velocity_fixing, CRANK_FREE);
    release(s);
    remove_directory(&d);
}

static void assemblies_may_be_nested_and_set(void **state)
{
    directory d;
    make_directory(&d);
    write_file(&d, "leg.yaml", LEG);
    write_file(&d, "pair.yaml",
               "crank: mechanism\n"
               "parameters: {span: 1}\n"
               "assemblies:\n"
               "  a: {use: leg.yaml, at: [0, span, 0], parameters: {L: span}}\n"
               "  b: {use: leg.yaml, at: [0, -span, 0],\n"
               "      orientation: {axis: [0, 0, 1], angle: 180 deg}}\n"
               "forces: {s: {type: spring, between: [a.thigh, b.thigh],\n"
               "             law: length - body.a.thigh.x}}\n");
    const char *text = "crank: mechanism\n"
                       "assemblies:\n"
                       "  front: {use: pair.yaml, at: [10, 0, 0],\n"
                       "          orientation: {axis: [0, 0, 1], angle: 90 deg}}\n";
    const crank_setting setting = {"front.b.L", "3"};
    sample s;
    write_file(&d, "model.yaml", text);
    const crank_status status = read_sample(&s, text, d.model, 1, &setting);
    CHECK_OK(status, s.err);
    const crank_body_record *a = &s.m.body[body_index(&s, "front.a.thigh")];
    const crank_body_record *b = &s.m.body[body_index(&s, "front.b.thigh")];
    CHECK_NEAR(a->position[0], 9.0, exact);
    CHECK_NEAR(a->position[1], 1.0, exact);
    CHECK_NEAR(b->position[0], 11.0, exact);
    CHECK_NEAR(b->position[1], -3.0, exact);
    CHECK_NEAR(b->mass, 6.0, 0.0);
    assert_string_equal(s.m.force[0].name, "front.s");
    check_ex(&s, crank_record_find(&s.m.force[0], "law")->ex[0],
             "length - body.front.a.thigh.x");
    free_sample(&s);
    remove_directory(&d);
}

static void names_mean_what_is_inside_then_what_is_outside(void **state)
{
    directory d;
    make_directory(&d);
    write_file(&d, "part.yaml",
               "crank: mechanism\n"
               "parameters: {a: start + 1, k: 5}\n"
               "let: {w: 3*t}\n"
               "bodies: {p: {type: point, mass: start + k, position: [a, 0, 0]}}\n"
               "dynamic: {v: {rate: w + u}, q: {rate: v + k + far}}\n");
    write_file(&d, "middle.yaml",
               "crank: mechanism\n"
               "parameters: {k: 6, far: 8}\n"
               "let: {start: 10}\n"
               "assemblies: {in: {use: part.yaml}}\n");
    sample *s = read_in(&d, "crank: mechanism\n"
                            "parameters: {start: 1, k: 7, w: 20, v: 30, far: 9}\n"
                            "inputs: {u: 4*t}\n"
                            "assemblies: {one: {use: part.yaml}, two: {use: middle.yaml}}\n");
    const crank_body_record *one = &s->m.body[body_index(s, "one.p")];
    const crank_body_record *two = &s->m.body[body_index(s, "two.in.p")];
    CHECK_NEAR(one->mass, 6.0, 0.0); /* start of the model, k of the part */
    CHECK_NEAR(one->position[0], 2.0, 0.0);
    CHECK_NEAR(two->mass, 15.0, 0.0); /* start of the assembly between them */
    /* intermediates and variables of the part before parameters of the model */
    check_ex(s, s->m.dynamic[0].ex, "7*t");
    check_ex(s, s->m.dynamic[1].ex, "14 + one.v");
    check_ex(s, s->m.dynamic[3].ex, "13 + two.in.v");
    release(s);
    remove_directory(&d);
}

static void planar_assemblies_are_turned_by_an_angle(void **state)
{
    directory d;
    make_directory(&d);
    write_file(
        &d, "bar.yaml",
        "crank: mechanism\ndimension: 2\nbodies: {bar: {position: [1, 0], angle: 10 deg}}\n");
    sample *s =
        read_in(&d, "crank: mechanism\n"
                    "dimension: 2\n"
                    "assemblies: {a: {use: bar.yaml, at: [5, 0], orientation: 90 deg}}\n");
    CHECK_NEAR(s->m.body[0].position[0], 5.0, exact);
    CHECK_NEAR(s->m.body[0].position[1], 1.0, exact);
    CHECK_NEAR(s->m.body[0].angle, 100.0 * pi / 180.0, exact);
    release(s);
    remove_directory(&d);
}

static void assemblies_that_do_not_fit_are_refused(void **state)
{
    directory d;
    make_directory(&d);
    write_file(&d, "leg.yaml", LEG);
    write_file(&d, "loop.yaml", "crank: mechanism\nassemblies: {x: {use: model.yaml}}\n");
    refuse_in(&d, "crank: mechanism\nassemblies: {a: {use: leg.yaml, parameters: {M: 1}}}\n",
              "", 2, 46,
              "assembly \"a\": @/leg.yaml has no parameter \"M\"; did you mean \"m\"?");
    refuse_in(&d, "crank: mechanism\nassemblies: {a: {at: [0, 0, 0]}}\n", "", 2, 14,
              "assembly \"a\": \"use\" is missing");
    refuse_in(&d, "crank: mechanism\nassemblies: {a: {use: loop.yaml}}\n", "@/loop.yaml", 2, 23,
              "assembly \"a.x\", use: \"model.yaml\" uses itself");
    refuse_in(&d,
              "crank: mechanism\nassemblies: {a: {use: leg.yaml}}\n"
              "joints: {j: {type: revolute, between: [ground, a.thig], at: [0, 0, 0]}}\n",
              "", 3, 48,
              "joint \"j\", between: there is no body \"a.thig\"; did you mean \"a.thigh\"?");
    refuse_in(&d, "crank: mechanism\ndimension: 2\nassemblies: {a: {use: leg.yaml}}\n",
              "@/leg.yaml", 1, 1, "dimension: 3 if it is not given, the model has dimension 2");
    refuse_in(&d, "crank: mechanism\nassemblies: {a: {use: leg.yaml, rate: 1}}\n", "", 2, 39,
              "assembly \"a\": spatial models have \"angular_velocity\"");
    remove_directory(&d);
}

/* ---- repeats ---- */

static void a_chain_is_a_repeat(void **state)
{
    sample *s = read_mechanism(
        "crank: mechanism\n"
        "parameters: {n: 4, L: 0.5}\n"
        "repeat:\n"
        "  count: n\n"
        "  bodies:\n"
        "    link{i}: {mass: i, shape: {rod: L}, position: [i*L - L/2, 0, 0]}\n"
        "  outputs:\n"
        "    height{i}: body.link{i}.z + i\n"
        "joints: {first: {type: revolute, between: [ground, link1], at: [0, 0, 0]},\n"
        "         last: {type: revolute, between: ['link{n}', ground], at: [n*L, 0, 0]}}\n");
    assert_int_equal(s->m.body_count, 4);
    assert_string_equal(s->m.body[3].name, "link4");
    CHECK_NEAR(s->m.body[3].mass, 4.0, 0.0);
    CHECK_NEAR(s->m.body[3].position[0], 1.75, 0.0);
    assert_int_equal(crank_record_find(&s->m.joint[1], "between")->index[0], 3);
    check_ex(s, s->m.output[1].ex, "2 + body.link2.z");
    release(s);
}

static void repeats_have_an_index_and_a_start_of_their_own(void **state)
{
    sample *s = read_mechanism(
        "crank: mechanism\n"
        "repeat:\n"
        "- {count: 2, index: k, from: 0, bodies: {'a{k}': {position: [k, 0, 0]}},\n"
        "   repeat: {count: 3, index: j, bodies: {'b{k}_{2*j}': {position: [k, j, 0]}}}}\n"
        "- {count: 1, joints: {'j{i}': {type: revolute, between: ['a{i-1}', 'a{i}'],\n"
        "                               at: [0, 0, 0]}}}\n"
        "- {count: 0, bodies: {'none{i}': }}\n");
    assert_int_equal(s->m.body_count, 8);
    assert_string_equal(s->m.body[0].name, "a0");
    CHECK_NEAR(s->m.body[body_index(s, "b1_6")].position[1], 3.0, 0.0);
    assert_string_equal(s->m.joint[0].name, "j1");
    assert_int_equal(crank_record_find(&s->m.joint[0], "between")->index[0],
                     body_index(s, "a0"));
    release(s);
}

static void repeats_of_assemblies_pass_their_index(void **state)
{
    directory d;
    make_directory(&d);
    write_file(&d, "leg.yaml", LEG);
    sample *s =
        read_in(&d, "crank: mechanism\n"
                    "repeat: {count: 3, assemblies: {'leg{i}': {use: leg.yaml, at: [0, i, 0],\n"
                    "                                           parameters: {L: i}}}}\n");
    assert_int_equal(s->m.body_count, 6);
    assert_int_equal(s->m.unused_count, 1); /* once for all legs */
    assert_string_equal(s->m.unused[0], "parameter \"leg1.spare\"");
    CHECK_NEAR(s->m.body[body_index(s, "leg3.thigh")].position[0], 3.0, 0.0);
    CHECK_NEAR(s->m.body[body_index(s, "leg3.thigh")].position[1], 3.0, 0.0);
    release(s);
    s = read_in(&d, "crank: mechanism\n" /* braces choose among parameters */
                    "parameters: {L1: 7, L2: 5, n: 2, last: 'L{n}'}\n"
                    "bodies: {b: {position: [last, 0, 0]}}\n"
                    "repeat: {count: n, assemblies: {'leg{i}': {use: leg.yaml,\n"
                    "                                           parameters: {L: 'L{i}'}}}}\n");
    CHECK_NEAR(s->m.body[body_index(s, "leg1.thigh")].position[0], 7.0, 0.0);
    CHECK_NEAR(s->m.body[body_index(s, "leg2.thigh")].position[0], 5.0, 0.0);
    CHECK_NEAR(s->m.body[body_index(s, "b")].position[0], 5.0, 0.0);
    release(s);
    refuse_in(&d, "crank: mechanism\nparameters: {n: 'n{n}'}\n", "", 2, 14,
              "parameter \"n\": cyclic definition: n -> n");
    remove_directory(&d);
}

static void repeats_that_do_not_fit_are_refused(void **state)
{
    refuse("crank: mechanism\nrepeat: {count: 2, bodies: {a: }}\n", 2, 29,
           "body \"a\": the repeat gives this name more than once; write \"a{i}\", which is "
           "another one each time");
    refuse("crank: mechanism\nrepeat: {count: -1, bodies: {'a{i}': }}\n", 2, 17,
           "repeat: count: -1, must be from 0 to 2000000");
    refuse("crank: mechanism\nrepeat: {count: 1.5, bodies: {'a{i}': }}\n", 2, 17,
           "repeat, count: 1.5, must be a whole number");
    refuse("crank: mechanism\nparameters: {i: 1}\nrepeat: {count: 1}\n", 3, 9,
           "repeat: index: the name \"i\" is already in use; choose another");
    refuse("crank: mechanism\nrepeat: {count: 1, bodies: {'a{i/2}': }}\n", 2, 29,
           "bodies: \"a{i/2}\": {i/2} is 0.5, no whole number");
    refuse("crank: mechanism\nrepeat: {count: 1, bodies: {'a{i': }}\n", 2, 29,
           "bodies: \"a{i\": \"{\" without \"}\"");
    refuse("crank: mechanism\nrepeat: {count: 1, bodies: {'a{n}': }}\n", 2, 29,
           "bodies: \"n\" is not defined");
    refuse("crank: mechanism\nrepeat: {count: 2000000, repeat: {count: 2, index: j}}\n", 2, 34,
           "repeat: more than 2000000 repetitions in all");
    refuse("crank: mechanism\nrepeat: {count: 1, bodys: {}}\n", 2, 20,
           "repeat: unknown key \"bodys\"; did you mean \"bodies\"?");
    refuse("crank: mechanism\n"
           "repeat: {count: 2, bodies: {'a{i}': }, joints: {'j{i}': {type: revolute,\n"
           "         between: ['a{i}', 'a{i+1}'], at: [0, 0, 0]}}}\n",
           3, 28, "joint \"j2\", between: there is no body \"a3\"; did you mean \"a1\"?");
}

static double seconds_of(int count)
{
    char text[1000];
    (void)snprintf(text, sizeof text,
                   "crank: mechanism\n"
                   "parameters: {L: 1}\n"
                   "bodies: {link0: {}}\n"
                   "repeat:\n"
                   "  count: %d\n"
                   "  bodies: {'link{i}': {mass: 1, shape: {rod: L}, position: [i*L, 0, 0]}}\n"
                   "  joints: {'j{i}': {type: revolute, between: ['link{i-1}', 'link{i}'],\n"
                   "                    at: [i*L - L/2, 0, 0], axis: [0, 1, 0]}}\n"
                   "  forces: {'f{i}': {type: force, body: 'link{i}', force: [0, sin(t + i), "
                   "'joint.j{i}.angle']}}\n",
                   count);
    struct timespec start, end;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    sample *s = read_mechanism(text);
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    assert_int_equal(s->m.body_count, count + 1);
    release(s);
    return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

static void twenty_thousand_repetitions_are_read_in_linear_time(void **state)
{
    const double few = seconds_of(2000), many = seconds_of(20000);
    print_message("2000 repetitions %.3f s, 20000 %.3f s\n", few, many);
    /* ten times as many; a quadratic search would take a hundred times as long */
    assert_true(many < 40.0 * few + 0.05);
}

/* ---- tables ---- */

#define SPRING                                                                                 \
    "crank: mechanism\nbodies: {a: }\nforces: {s: {type: spring, between: [ground, a],\n"      \
    "  table: data.csv}}\n"

static void tables_are_read_from_files(void **state)
{
    directory d;
    make_directory(&d);
    write_file(&d, "data.csv", "# measured\nlength, tension\n0, 1\r\n1.5; 2\n\n 2 -3\n");
    sample *s = read_in(&d, SPRING);
    const crank_table_data *table = &crank_record_find(&s->m.force[0], "table")->table;
    assert_int_equal(table->rows, 3);
    CHECK_NEAR(table->x[1], 1.5, 0.0);
    CHECK_NEAR(table->y[2], -3.0, 0.0);
    /* of forces, if the file does not say */
    assert_int_equal(table->way.interpolation, CRANK_MONOTONE);
    assert_int_equal(table->way.outside, CRANK_HOLD);
    release(s);
#define WAYS(text)                                                                             \
    "crank: mechanism\nbodies: {a: }\nforces: {s: {type: spring, between: [ground, a],\n"      \
    "  table: {file: data.csv, " text "}}}\n"
    s = read_in(&d, WAYS("interpolation: linear, outside: error"));
    table = &crank_record_find(&s->m.force[0], "table")->table;
    assert_int_equal(table->rows, 3);
    assert_int_equal(table->way.interpolation, CRANK_LINEAR);
    assert_int_equal(table->way.outside, CRANK_NOT_OUTSIDE);
    release(s);
    s = read_in(&d, WAYS("interpolation: spline, outside: extrapolate"));
    table = &crank_record_find(&s->m.force[0], "table")->table;
    assert_int_equal(table->way.interpolation, CRANK_SPLINE);
    assert_int_equal(table->way.outside, CRANK_EXTRAPOLATE);
    release(s);
    /* rounding of what made the last value is no difference */
    write_file(&d, "data.csv", "0,0\n1,2\n2,1e-16\n");
    s = read_in(&d, WAYS("outside: repeat"));
    table = &crank_record_find(&s->m.force[0], "table")->table;
    assert_int_equal(table->way.interpolation, CRANK_MONOTONE);
    CHECK_NEAR(table->y[2], 0.0, 0.0);
    release(s);
    remove_directory(&d);
}

static void bad_tables_are_refused_with_their_row(void **state)
{
    const struct {
        const char *content, *message;
    } list[] = {
        {"0,1\n2,1\n1,1\n",
         "force \"s\", table: @/data.csv: row 3: the first column must rise, and 1 follows 2"},
        {"0,1\n1,x\n", "force \"s\", table: @/data.csv: row 2: \"x\" is not a number"},
        {"0,1\n1,nan\n", "force \"s\", table: @/data.csv: row 2: the value is not finite"},
        {"t,x\n0,1\n1\n", "force \"s\", table: @/data.csv: row 2: two columns are expected"},
        {"0,1,2\n1,1,2\n", "force \"s\", table: @/data.csv: row 1: two columns are expected"},
        {"t,x\n0,1\n", "force \"s\", table: @/data.csv: 1 rows, a table needs at least 2"},
        {"", "force \"s\", table: @/data.csv: 0 rows, a table needs at least 2"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        directory d;
        make_directory(&d);
        write_file(&d, "data.csv", list[i].content);
        refuse_in(&d, SPRING, "", 4, 10, list[i].message);
        remove_directory(&d);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(included_files_add_their_sections),
        cmocka_unit_test(includes_that_do_not_fit_are_refused),
        cmocka_unit_test(the_first_place_of_a_name_is_told_with_its_file),
        cmocka_unit_test(assemblies_are_moved_and_named),
        cmocka_unit_test(assemblies_start_with_a_motion_of_the_whole),
        cmocka_unit_test(assemblies_may_be_nested_and_set),
        cmocka_unit_test(names_mean_what_is_inside_then_what_is_outside),
        cmocka_unit_test(planar_assemblies_are_turned_by_an_angle),
        cmocka_unit_test(assemblies_that_do_not_fit_are_refused),
        cmocka_unit_test(a_chain_is_a_repeat),
        cmocka_unit_test(repeats_have_an_index_and_a_start_of_their_own),
        cmocka_unit_test(repeats_of_assemblies_pass_their_index),
        cmocka_unit_test(repeats_that_do_not_fit_are_refused),
        cmocka_unit_test(twenty_thousand_repetitions_are_read_in_linear_time),
        cmocka_unit_test(tables_are_read_from_files),
        cmocka_unit_test(bad_tables_are_refused_with_their_row),
    };
    return CHECK_RUN(argc, argv, tests);
}
