/* test_stage.c - what model files hand to explicit methods at a stage (eom/stage.h) is a part of their rows and of their
 * Jacobian, and where they say that it is linear in the algebraic unknowns it is. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eom/stage.h"

#include <crank/model.h>

#include <stdio.h>
#include <stdlib.h>

enum { PATH = 200 };

static bool next_path(const char **list, char *path)
{
    int length = 0;
    return sscanf(*list, "%199s%n", path, &length) == 1 && (*list += length) != NULL;
}

typedef struct point {
    double *x, *k, *values, *work;
} point;

static point make_point(const crank_eom *eom, const crank_stage_entries *entries)
{
    const size_t n = (size_t)eom->n, m = (size_t)eom->m, count = (size_t)entries->count;
    const size_t jacobian = (size_t)eom->jacobian_pattern.start[n];
    point p = {.x = calloc(n + m + count + jacobian + 1, sizeof *p.x)};
    assert_non_null(p.x);
    p.k = p.x + n;
    p.values = p.k + m;
    p.work = p.values + count;
    return p;
}

static crank_status evaluate(crank_eom *eom, const crank_stage_entries *entries, double t,
                             point *p, bool whole)
{
    crank_error err = {0};
    crank_status (*hook)(void *, double, const double *, double *, double *, crank_error *) =
        eom->supplier.stage;
    assert_non_null(hook);
    eom->supplier.stage = whole ? NULL : hook;
    const crank_status status =
        crank_eom_evaluate_stage(eom, entries, t, p->x, p->k, p->values, p->work, &err);
    eom->supplier.stage = hook;
    return status;
}

/* the same up to the order of sums */
static void compare(const crank_eom *eom, const crank_stage_entries *entries, const point *a,
                    const point *b, const char *path)
{
    for (int i = 0; i < eom->m; i++) {
        const bool asked = crank_stage_has_row(eom, i) || i >= eom->row[CRANK_ROW_KIN];
        if (asked && !(fabs(a->k[i] - b->k[i]) <= 1e-9 * (1.0 + fabs(b->k[i])))) {
            print_error("%s: row %d is %.17g, not %.17g\n", path, i, a->k[i], b->k[i]);
            fail();
        }
    }
    for (int e = 0; e < entries->count; e++) {
        if (!(fabs(a->values[e] - b->values[e]) <= 1e-9 * (1.0 + fabs(b->values[e])))) {
            print_error("%s: entry %d of row %d is %.17g, not %.17g\n", path, e,
                        entries->row[e], a->values[e], b->values[e]);
            fail();
        }
    }
}

/* k at a point moved in the algebraic unknowns follows from the derivatives at the first one */
static bool is_linear(crank_eom *eom, const crank_stage_entries *entries, double t,
                      const point *from, point *to)
{
    double largest = 0.0;
    memcpy(to->x, from->x, (size_t)eom->n * sizeof *to->x);
    for (int i = 0; i < entries->unknowns; i++) {
        const int j = crank_stage_column(eom, i);
        to->x[j] += 0.3 * (1.0 + fabs(to->x[j])) * (i % 3 == 0 ? -1.0 : 1.0);
    }
    if (evaluate(eom, entries, t, to, false) != CRANK_OK) {
        return false;
    }
    for (int i = 0; i < entries->unknowns; i++) {
        const int j = crank_stage_column(eom, i);
        for (int e = entries->start[i]; e < entries->start[i + 1]; e++) {
            to->k[entries->row[e]] -= from->values[e] * (to->x[j] - from->x[j]);
        }
    }
    for (int i = 0; i < eom->m; i++) {
        if (crank_stage_has_row(eom, i)) {
            largest = fmax(largest, fabs(to->k[i] - from->k[i]) / (1.0 + fabs(from->k[i])));
        }
    }
    return largest < 1e-7;
}

static void stages_are_part_of_the_whole(void **state)
{
    const char *list = MODEL_FILES;
    char path[PATH];
    int checked = 0, linear = 0;
    while (next_path(&list, path)) {
        crank_model_options options = crank_model_options_default();
        crank_model *model = NULL;
        crank_error err = {0};
        CHECK_OK(crank_model_read(path, &options, &model, &err), err);
        crank_eom *eom = crank_model_eom(model);
        crank_stage_entries entries;
        CHECK_OK(crank_stage_entries_create(eom, &eom->jacobian_pattern, &entries, &err), err);
        point hook = make_point(eom, &entries), whole = make_point(eom, &entries);
        const double t = 0.3;
        for (int j = 0; j < eom->n; j++) { /* near the start, where everything is defined */
            hook.x[j] = crank_model_start(model)[j] + 0.01 * sin(3.0 * j + 1.0);
        }
        memcpy(whole.x, hook.x, (size_t)eom->n * sizeof *hook.x);
        if (evaluate(eom, &entries, t, &hook, false) == CRANK_OK) {
            assert_int_equal(evaluate(eom, &entries, t, &whole, true), CRANK_OK);
            compare(eom, &entries, &hook, &whole, path);
            if (eom->stage_linear) {
                assert_true(is_linear(eom, &entries, t, &hook, &whole));
                linear++;
            }
            checked++;
        }
        free(hook.x);
        free(whole.x);
        crank_stage_entries_destroy(&entries);
        crank_model_destroy(model);
    }
    print_message("%d models, %d of them linear\n", checked, linear);
    assert_true(checked > 35 && linear > 25);
}

static void friction_of_normal_forces_is_not_linear(void **state)
{
    static const char text[] = "crank: equations\n"
                               "positions: {x: 1, y: 0}\n"
                               "velocities: {vx: {of: x, start: 0}, vy: {of: y, start: 1}}\n"
                               "mass: {diagonal: [1, 1]}\n"
                               "forces: {vx: 0, vy: -0.1*sqrt(1 + lambda.rod^2)}\n"
                               "holonomic: {rod: x^2 + y^2 - 1}\n"
                               "simulate: {t_end: 1}\n";
    crank_model_options options = crank_model_options_default();
    crank_model *model = NULL;
    crank_error err = {0};
    CHECK_OK(crank_model_read_text("friction", text, sizeof text - 1, &options, &model, &err),
             err);
    assert_false(crank_model_eom(model)->stage_linear);
    crank_model_destroy(model);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_are_part_of_the_whole),
        cmocka_unit_test(friction_of_normal_forces_is_not_linear),
    };
    return CHECK_RUN(argc, argv, tests);
}
