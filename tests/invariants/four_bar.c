/* four_bar.c - see four_bar.h. Each link has its centre (x, y) and its angle a; a rocker's
 * angle is counted from the vertical to the left, so that its ends are (x, y) +- (-sin a, cos
 * a)/2. */
// SPDX-License-Identifier: BSD-3-Clause
#include "invariants/four_bar.h"

#include "check.h"
#include "one_state.h"

#include <stdio.h>
#include <stdlib.h>

enum { TEXT = 1 << 16 };

typedef struct writer {
    char *text;
    size_t used;
} writer;

static void put(writer *w, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    w->used += (size_t)vsnprintf(w->text + w->used, TEXT - w->used, format, list);
    va_end(list);
    assert_true(w->used < TEXT);
}

static double place(four_bar_kind kind, int count, int rocker)
{
    return kind == FOUR_BAR_CHAIN ? rocker : (double)rocker / count;
}

static void put_bodies(writer *w, four_bar_kind kind, int count)
{
    const int bars = kind == FOUR_BAR_CHAIN ? count : 1;
    put(w, "crank: equations\npositions:\n");
    for (int i = 0; i <= count; i++) {
        put(w, "  xr%d: {start: %.17g}\n  yr%d: {start: 0.5}\n  ar%d: {start: 0}\n", i,
            place(kind, count, i), i, i);
    }
    for (int i = 0; i < bars; i++) {
        put(w, "  xb%d: {start: %d.5}\n  yb%d: {start: 1}\n  ab%d: {start: 0}\n", i, i, i, i);
    }
    put(w, "velocities:\n");
    for (int i = 0; i <= count; i++) {
        put(w,
            "  vxr%d: {of: xr%d, start: 0.5}\n  vyr%d: {of: yr%d, start: 0}\n"
            "  var%d: {of: ar%d, start: -1}\n",
            i, i, i, i, i, i);
    }
    for (int i = 0; i < bars; i++) {
        put(w,
            "  vxb%d: {of: xb%d, start: 1}\n  vyb%d: {of: yb%d, start: 0}\n"
            "  vab%d: {of: ab%d, start: 0}\n",
            i, i, i, i, i, i);
    }
    put(w, "mass:\n  diagonal:\n");
    for (int i = 0; i < count + 1 + bars; i++) {
        put(w, "    - 1\n    - 1\n    - 1/12\n");
    }
    put(w, "forces:\n");
    for (int i = 0; i < count + 1 + bars; i++) {
        put(w, "  - 0\n  - -9.81\n  - 0\n");
    }
}

/* the top of a rocker is the point at `along` on a bar */
static void put_joint(writer *w, int rocker, int bar, double along)
{
    put(w, "  top%d_%dx: xr%d - 0.5*sin(ar%d) - xb%d - (%.17g)*cos(ab%d)\n", rocker, bar,
        rocker, rocker, bar, along, bar);
    put(w, "  top%d_%dy: yr%d + 0.5*cos(ar%d) - yb%d - (%.17g)*sin(ab%d)\n", rocker, bar,
        rocker, rocker, bar, along, bar);
}

static void put_joints(writer *w, four_bar_kind kind, int count)
{
    put(w, "holonomic:\n");
    for (int i = 0; i <= count; i++) {
        put(w, "  ground%dx: xr%d + 0.5*sin(ar%d) - %.17g\n", i, i, i, place(kind, count, i));
        put(w, "  ground%dy: yr%d - 0.5*cos(ar%d)\n", i, i, i);
    }
    for (int i = 0; i <= count; i++) {
        if (kind == FOUR_BAR_COUPLER) {
            put_joint(w, i, 0, place(kind, count, i) - 0.5);
        } else {
            if (i < count) {
                put_joint(w, i, i, -0.5);
            }
            if (i > 0) {
                put_joint(w, i, i - 1, 0.5);
            }
        }
    }
}

crank_state *four_bar_create(four_bar_kind kind, int count, crank_accelerations accelerations,
                             double **x)
{
    writer w = {.text = malloc(TEXT)};
    assert_non_null(w.text);
    put_bodies(&w, kind, count);
    put_joints(&w, kind, count);
    crank_model_options options = crank_model_options_default();
    crank_state *model = NULL;
    crank_error err = {0};
    options.accelerations = accelerations;
    CHECK_OK(one_state_read_text("four-bar", w.text, w.used, &options, &model, &err), err);
    free(w.text);
    crank_eom *eom = crank_state_eom(model);
    const size_t n = (size_t)crank_eom_unknowns(eom);
    *x = malloc(n * sizeof **x);
    assert_non_null(*x);
    memcpy(*x, crank_state_start(model), n * sizeof **x);
    crank_initial_options initial = crank_initial_options_default();
    CHECK_OK(crank_eom_initialize(eom, 0.0, *x, &initial, NULL, (crank_log){0}, &err), err);
    return model;
}

double four_bar_gravity(four_bar_kind kind, int count)
{
    const double rockers = count + 1, bars = kind == FOUR_BAR_CHAIN ? count : 1;
    return 9.81 * (rockers / 2.0 + bars) / (rockers / 3.0 + bars);
}

/* the classical method of order 4 with steps of about 1e-4: errors of about 1e-13 */
void four_bar_exact(double k, double t, double *a, double *rate)
{
    const int steps = 1 + (int)(t / 1e-4);
    const double h = t / steps;
    *a = 0.0;
    *rate = 1.0;
    for (int i = 0; i < steps; i++) {
        const double a1 = *rate, v1 = k * sin(*a);
        const double a2 = *rate + 0.5 * h * v1, v2 = k * sin(*a + 0.5 * h * a1);
        const double a3 = *rate + 0.5 * h * v2, v3 = k * sin(*a + 0.5 * h * a2);
        const double a4 = *rate + h * v3, v4 = k * sin(*a + h * a3);
        *a += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
        *rate += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
    }
}

static int find(const crank_eom *eom, const char *name)
{
    for (int j = 0; j < crank_eom_unknowns(eom); j++) {
        if (strcmp(crank_eom_column_name(eom, j), name) == 0) {
            return j;
        }
    }
    fail_msg("no unknown %s", name);
    return -1;
}

int four_bar_angle(const crank_eom *eom, int rocker)
{
    char name[16];
    (void)snprintf(name, sizeof name, "ar%d", rocker);
    return find(eom, name);
}

int four_bar_rate(const crank_eom *eom, int rocker)
{
    char name[16];
    (void)snprintf(name, sizeof name, "var%d", rocker);
    return find(eom, name);
}
