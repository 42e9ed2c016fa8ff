/* test_compiled_tree.c - mechanisms in joint coordinates as machine code (--compile): every row
 * and what stages of explicit methods get is that of the recursions that run on any tree, to
 * rounding, at 100 random states of each kind of tree and of every model. */
// SPDX-License-Identifier: BSD-3-Clause
#include "unit/mechanics/joint_models.h"
#include "unit/mechanics/mechanism.h"

#include "eom/eom.h"
#include "eom/stage.h"
#include "mechanics/joint/tree.h"

#include <glob.h>
#include <stdlib.h>
#include <unistd.h>

enum { STATES = 100, LEAST_MODELS = 30 };

/* rounding of sums of some hundred terms, relative to the largest row of its kind */
static const double rounding = 1e-11;

static char cache[] = "/tmp/crank-test-XXXXXX";

/* path: NULL: of the text */
static void begin(mechanism *m, const char *path, const char *text, bool compile,
                  crank_orientation orientation)
{
    crank_model_options options = crank_model_options_default();
    options.coordinates = CRANK_COORDINATES_JOINT;
    options.orientation = orientation;
    options.compile = compile;
    options.cache = cache;
    *m = (mechanism){0};
    CHECK_OK(path != NULL ? one_state_read(path, &options, &m->model, &m->err)
                          : one_state_read_text("test", text, strlen(text), &options, &m->model,
                                                &m->err),
             m->err);
    m->eom = crank_state_eom(m->model);
    m->n = crank_eom_unknowns(m->eom);
    assert_true(m->n <= MECHANISM_MAX);
    memcpy(m->x, crank_state_start(m->model), (size_t)m->n * sizeof *m->x);
}

static double largest(int count, const double *value)
{
    double most = 0.0;
    for (int i = 0; i < count; i++) {
        most = fmax(most, fabs(value[i]));
    }
    return most;
}

/* ---- rows ---- */

/* false: laws have no values there */
static bool compare_rows(mechanism *m, mechanism *compiled)
{
    const int count = m->eom->m;
    double *k = calloc(2 * (size_t)count, sizeof *k), *other = k + count;
    assert_non_null(k);
    if (m->eom->supplier.evaluate(m->eom->self, 1, &m->t, m->x, CRANK_ALL_ROWS, k, &m->err) !=
        CRANK_OK) {
        free(k);
        return false;
    }
    CHECK_OK(compiled->eom->supplier.evaluate(compiled->eom->self, 1, &m->t, m->x,
                                              CRANK_ALL_ROWS, other, &compiled->err),
             compiled->err);
    const double size = fmax(1.0, largest(count, k));
    for (int i = 0; i < count; i++) {
        if (!(fabs(other[i] - k[i]) <= rounding * size)) {
            char text[200];
            fail_msg("row %s: %.17g compiled, %.17g otherwise",
                     crank_eom_row_name(m->eom, i, text, sizeof text), other[i], k[i]);
        }
    }
    free(k);
    return true;
}

/* ---- stages ---- */

typedef struct stage {
    crank_stage_entries entries;
    double *k, *values;
} stage;

static void take_stage(mechanism *m, const double *x, stage *s)
{
    CHECK_OK(
        crank_stage_entries_create(m->eom, &m->eom->jacobian_pattern, &s->entries, &m->err),
        m->err);
    s->k = calloc((size_t)m->eom->m + (size_t)s->entries.count + 1, sizeof *s->k);
    assert_non_null(s->k);
    s->values = s->k + m->eom->m;
    CHECK_OK(
        crank_eom_evaluate_stage(m->eom, &s->entries, m->t, x, s->k, s->values, NULL, &m->err),
        m->err);
}

static void free_stage(stage *s)
{
    crank_stage_entries_destroy(&s->entries);
    free(s->k);
}

/* column i of a stage as a vector over all rows */
static void column_of(const stage *s, int i, int rows, double *out)
{
    memset(out, 0, (size_t)rows * sizeof *out);
    for (int e = s->entries.start[i]; e < s->entries.start[i + 1]; e++) {
        out[s->entries.row[e]] = s->values[e];
    }
}

/* rows d times M, if they are M^-1 d */
static void multiply(const mechanism *m, const double *M, const double *from, double *to)
{
    const crank_tree *joints = crank_tree_of(&((crank_system *)m->eom->self)->coordinates);
    const int nv = joints->shape->nv;
    memcpy(to, from, (size_t)m->eom->m * sizeof *to);
    for (int i = 0; i < nv && m->eom->stage_entries != NULL; i++) {
        to[joints->row_d + i] = 0.0;
        for (int j = 0; j < nv; j++) {
            to[joints->row_d + i] += M[i * nv + j] * from[joints->row_d + j];
        }
    }
}

static void mass_matrix(mechanism *m, double *M)
{
    const crank_tree *joints = crank_tree_of(&((crank_system *)m->eom->self)->coordinates);
    const int nv = joints->shape->nv;
    const crank_pattern *J = &m->eom->jacobian_pattern;
    double *values = calloc((size_t)J->start[m->eom->n] + 1, sizeof *values);
    assert_non_null(values);
    CHECK_OK(m->eom->supplier.jacobian(m->eom->self, m->t, m->x, NULL, values, &m->err),
             m->err);
    memset(M, 0, (size_t)(nv * nv) * sizeof *M);
    for (int j = 0; j < nv; j++) {
        const int column = joints->column_a + j;
        for (int e = J->start[column]; e < J->start[column + 1]; e++) {
            const int i = J->row[e] - joints->row_d;
            if (i >= 0 && i < nv) {
                M[i * nv + j] = values[e];
            }
        }
    }
    free(values);
}

/* rows that stages do not have */
static bool is_stage_row(const crank_eom *eom, int row)
{
    const int e = row - eom->row[CRANK_ROW_E], n = row - eom->row[CRANK_ROW_N];
    return !(e >= 0 && e < eom->sizes.e) && !(n >= 0 && n < eom->sizes.n);
}

static void compare_stages(mechanism *m, mechanism *compiled)
{
    const int rows = m->eom->m, nv = m->eom->sizes.v;
    stage a, b;
    double *M = calloc((size_t)(nv * nv) + 3 * (size_t)rows, sizeof *M);
    double *row[2] = {M + nv * nv, M + nv * nv + rows}, *column = row[1] + rows;
    assert_non_null(M);
    mass_matrix(m, M);
    take_stage(m, m->x, &a);
    take_stage(compiled, m->x, &b);
    assert_int_equal(a.entries.unknowns, b.entries.unknowns);
    for (int i = -1; i < a.entries.unknowns; i++) {
        if (i >= 0) {
            column_of(&a, i, rows, column);
        }
        multiply(m, M, i < 0 ? a.k : column, row[0]);
        if (i >= 0) {
            column_of(&b, i, rows, column);
        }
        multiply(compiled, M, i < 0 ? b.k : column, row[1]);
        const double size = fmax(1.0, largest(rows, row[0]));
        for (int k = 0; k < rows; k++) {
            if (is_stage_row(m->eom, k)) {
                CHECK_NEAR(row[1][k], row[0][k], 100.0 * rounding * size);
            }
        }
    }
    free_stage(&a);
    free_stage(&b);
    free(M);
}

/* ---- derivatives ---- */

static void compare_derivatives(mechanism *m, mechanism *compiled)
{
    const int count = m->eom->jacobian_pattern.start[m->eom->n];
    assert_int_equal(compiled->eom->jacobian_pattern.start[m->eom->n], count);
    double *values = calloc(2 * (size_t)count + 1, sizeof *values), *other = values + count;
    assert_non_null(values);
    CHECK_OK(m->eom->supplier.jacobian(m->eom->self, m->t, m->x, NULL, values, &m->err),
             m->err);
    CHECK_OK(compiled->eom->supplier.jacobian(compiled->eom->self, m->t, m->x, NULL, other,
                                              &compiled->err),
             compiled->err);
    const double size = fmax(1.0, largest(count, values));
    for (int i = 0; i < count; i++) {
        CHECK_NEAR(other[i], values[i], rounding * size);
    }
    free(values);
}

/* ---- models ---- */

static void agree(const char *path, const char *text, crank_orientation orientation,
                  double distance)
{
    mechanism m, compiled;
    random_source r = {11};
    double start[MECHANISM_MAX], change[MECHANISM_MAX];
    begin(&m, path, text, false, orientation);
    begin(&compiled, path, text, true, orientation);
    assert_int_equal(m.n, compiled.n);
    memcpy(start, m.x, sizeof start);
    int done = 0;
    for (int i = 0; i < STATES; i++) {
        m.t = compiled.t = 0.01 * i;
        random_fill(&r, m.n, change);
        for (int j = 0; j < m.n; j++) {
            m.x[j] = start[j] + distance * change[j];
        }
        ((crank_system *)m.eom->self)->coordinates.kind->straighten(m.eom->self, m.x);
        if (compare_rows(&m, &compiled)) {
            compare_stages(&m, &compiled);
            compare_derivatives(&m, &compiled);
            done++;
        }
    }
    assert_true(done > STATES / 2);
    mechanism_end(&m);
    mechanism_end(&compiled);
}

static void every_kind_of_tree_has_the_rows_and_stages_that_it_has_otherwise(void **state)
{
    (void)state;
    static const char *const models[] = {tree, loops, planar, redundant, screws, led, branches};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        print_message("kind %zu\n", i);
        agree(NULL, models[i], CRANK_ORIENTATION_AUTO, 1.0);
    }
}

/* free bodies, slides, turns, screws and cylinders in branches, some with rotors, and in the
 * plane */
static void
trees_that_nothing_pulls_at_have_the_derivatives_that_they_have_otherwise(void **state)
{
    (void)state;
    static const char space[] =
        "crank: mechanism\ngravity: [0.3, -0.2, -9.81]\n"
        "bodies:\n"
        "  a: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [0.5, 0, 0.1]}\n"
        "  b: {mass: 1.1, inertia: [[0.2, 0.01, 0], [0.01, 0.3, 0.02], [0, 0.02, 0.4]], "
        "position: [1, 0.5, 0]}\n"
        "  c: {mass: 0.7, inertia: [0.1, 0.3, 0.3], position: [0.5, 1, 0]}\n"
        "  d: {mass: 1.5, inertia: [0.2, 0.2, 0.1], position: [0, 0, 1]}\n"
        "  e: {mass: 0.4, inertia: [0.2, 0.3, 0.3], position: [0.5, 1.5, 0]}\n"
        "  f: {mass: 0.9, inertia: [0.1, 0.2, 0.2], position: [0.5, 2, 0.1]}\n"
        "joints:\n"
        "  jb: {type: universal, between: [a, b], at: [1, 0, 0], axes: [[0, 0, 1], [0, 1, "
        "0]]}\n"
        "  jc: {type: cylindrical, between: [b, c], at: [1, 1, 0], axis: [0.3, 0.4, 1], "
        "rotor_angle: 0.2}\n"
        "  jd: {type: revolute, between: [a, d], at: [0, 1, 0], axis: [1, 1, 0.2], rotor: "
        "{inertia: 0.01, ratio: 6}}\n"
        "  je: {type: screw, between: [d, e], at: [0.5, 1.2, 0], axis: [0, 1, 0], pitch: "
        "0.2}\n"
        "  jf: {type: prismatic, between: [ground, f], at: [0.5, 1.7, 0], axis: [1, 0, 1]}\n";
    static const char plane[] =
        "crank: mechanism\ndimension: 2\ngravity: [0.1, -9.81]\n"
        "bodies:\n"
        "  a: {mass: 1.3, inertia: 0.2, position: [0.5, 0]}\n"
        "  b: {mass: 1.3, inertia: 0.3, position: [1, 0.5]}\n"
        "  c: {mass: 0.7, inertia: 0.1, position: [0.5, 1]}\n"
        "joints:\n"
        "  jb: {type: revolute, between: [a, b], at: [1, 0]}\n"
        "  jc: {type: prismatic, between: [b, c], at: [1, 1], axis: [1, 2], rotor: 0.5}\n";
    const char *const models[] = {space, plane};
    for (int i = 0; i < 2; i++) {
        agree(NULL, models[i], CRANK_ORIENTATION_AUTO, 1.0);
        agree(NULL, models[i], CRANK_ORIENTATION_CARDAN, 1.0);
    }
}

static void cardan_angles_have_them_too(void **state)
{
    (void)state;
    agree(NULL, tree, CRANK_ORIENTATION_CARDAN, 1.0);
    agree(NULL, loops, CRANK_ORIENTATION_CARDAN, 1.0);
}

static bool is_mechanism(const char *path)
{
    char text[4000] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t count = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[count] = '\0';
    return strstr(text, "crank: mechanism") != NULL;
}

static void every_model_has_the_rows_and_stages_that_it_has_otherwise(void **state)
{
    (void)state;
    glob_t files;
    int count = 0;
    assert_int_equal(glob("models/*/*.yaml", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const char *path = files.gl_pathv[i];
        if (is_mechanism(path)) {
            print_message("%s\n", path);
            agree(path, NULL, CRANK_ORIENTATION_AUTO, 0.1);
            count++;
        }
    }
    globfree(&files);
    assert_true(count >= LEAST_MODELS);
}

/* ---- the cache ---- */

static int make_cache(void **state)
{
    (void)state;
    return mkdtemp(cache) == NULL;
}

static int remove_cache(void **state)
{
    (void)state;
    glob_t files;
    char pattern[80];
    (void)snprintf(pattern, sizeof pattern, "%s/*", cache);
    if (glob(pattern, 0, NULL, &files) == 0) {
        for (size_t i = 0; i < files.gl_pathc; i++) {
            (void)remove(files.gl_pathv[i]);
        }
        globfree(&files);
    }
    return rmdir(cache);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_tree_has_the_rows_and_stages_that_it_has_otherwise),
        cmocka_unit_test(cardan_angles_have_them_too),
        cmocka_unit_test(
            trees_that_nothing_pulls_at_have_the_derivatives_that_they_have_otherwise),
        cmocka_unit_test(every_model_has_the_rows_and_stages_that_it_has_otherwise)};
    cmocka_set_test_filter(argc > 1 ? argv[1] : NULL);
    return cmocka_run_group_tests(tests, make_cache, remove_cache);
}
