/* mechanisms.h - small mechanisms as text, for the tests of reports and assembly: a spatial
 * four-bar of four full revolute joints, of any size, turned and placed as asked for. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_MECHANISMS_H
#define CRANK_TESTS_MECHANISMS_H

#include "check.h"
#include "linalg/rotation.h"
#include "one_state.h"

#include <crank/model.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct four_bar {
    double scale;     /* of all lengths */
    double length[4]; /* crank, coupler, rocker, ground */
    double turn[4];   /* quaternion of the whole, any norm but zero */
    /* bodies are displaced by up to this times scale, and turned by about as much */
    double rough;
    double tilt; /* of the axis of joint C in the ground */
    uint64_t seed;
} four_bar;

static inline four_bar four_bar_default(void)
{
    return (four_bar){
        .scale = 1.0, .length = {1.0, 3.0, 2.5, 3.5}, .turn = {1.0, 0.0, 0.0, 0.0}, .seed = 1};
}

/* uniform in [-1, 1) */
static inline double mechanism_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

static inline void random_turn(uint64_t *seed, double q[4])
{
    for (int i = 0; i < 4; i++) {
        q[i] = mechanism_random(seed);
    }
}

static inline crank_state *read_mechanism(const char *text)
{
    crank_state *model = NULL;
    crank_error err;
    CHECK_OK(one_state_read_text("test", text, strlen(text), NULL, &model, &err), err);
    return model;
}

/* Appends text like printf. */
static inline void add_text(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    const size_t used = strlen(text);
    va_start(arguments, format);
    assert_true((size_t)vsnprintf(text + used, size - used, format, arguments) < size - used);
    va_end(arguments);
}

/* R(q) v for q of any norm */
static inline void turned(const double q[4], double x, double y, double z, double out[3])
{
    const double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const double v[3] = {x, y, z};
    double R[9];
    crank_quaternion_matrix(R, q);
    crank_mat3_times(out, R, v);
    for (int i = 0; i < 3; i++) {
        out[i] /= n;
    }
}

/* A link from (x0, y0) at the angle; half: half its length. */
static inline void add_link(char *text, size_t size, four_bar *b, const char *name, double x0,
                            double y0, double angle, double length)
{
    const double half = 0.5 * length;
    const double own[4] = {cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)};
    double x[3], q[4], norm = 0.0;
    turned(b->turn, x0 + half * cos(angle), y0 + half * sin(angle), 0.0, x);
    crank_quaternion_multiply(q, b->turn, own);
    for (int i = 0; i < 4; i++) {
        norm = hypot(norm, q[i]);
    }
    for (int i = 0; i < 4; i++) {
        q[i] = q[i] / norm + 0.5 * b->rough * mechanism_random(&b->seed);
    }
    for (int i = 0; i < 3; i++) {
        x[i] += b->rough * b->scale * mechanism_random(&b->seed);
    }
    add_text(text, size,
             "  %s: {mass: 1, inertia: [%.17g, %.17g, %.17g], position: [%.17g, %.17g, %.17g], "
             "orientation: [%.17g, %.17g, %.17g, %.17g]}\n",
             name, length * length / 50.0, length * length / 12.0, length * length / 12.0, x[0],
             x[1], x[2], q[0], q[1], q[2], q[3]);
}

/* Crank at 60 deg, closed upwards. Joints O (ground, crank), A, B and C (rocker, ground) about
 * the normal, their points and axes given in body axes. */
static inline crank_state *four_bar_read(const four_bar *data)
{
    enum { SIZE = 4000 };
    char text[SIZE] = "crank: mechanism\ngravity: [0, 0, -9.81]\nbodies:\n";
    four_bar b = *data;
    const double a = b.length[0] * b.scale, c = b.length[1] * b.scale,
                 r = b.length[2] * b.scale, g = b.length[3] * b.scale;
    const double angle = acos(-1.0) / 3.0, ax = a * cos(angle), ay = a * sin(angle);
    const double d = hypot(g - ax, ay);
    const double opening = acos(fmin(1.0, (d * d + c * c - r * r) / (2.0 * c * d)));
    const double coupler = atan2(-ay, g - ax) + opening;
    const double bx = ax + c * cos(coupler), by = ay + c * sin(coupler);
    double axis[3], tilted[3], C[3];
    turned(b.turn, 0.0, 0.0, 1.0, axis);
    turned(b.turn, sin(b.tilt), 0.0, cos(b.tilt), tilted);
    turned(b.turn, g, 0.0, 0.0, C);
    add_link(text, SIZE, &b, "crank", 0.0, 0.0, angle, a);
    add_link(text, SIZE, &b, "coupler", ax, ay, coupler, c);
    add_link(text, SIZE, &b, "rocker", g, 0.0, atan2(by, bx - g), r);
    add_text(text, SIZE,
             "joints:\n"
             "  O: {type: revolute, between: [ground, crank], at: {first: [0, 0, 0], second: "
             "[%.17g, 0, "
             "0]}, axis: {first: [%.17g, %.17g, %.17g], second: [0, 0, 1]}}\n",
             -0.5 * a, axis[0], axis[1], axis[2]);
    add_text(
        text, SIZE,
        "  A: {type: revolute, between: [crank, coupler], at: {first: [%.17g, 0, 0], second: "
        "[%.17g, 0, 0]}, axis: {first: [0, 0, 1], second: [0, 0, 1]}}\n"
        "  B: {type: revolute, between: [coupler, rocker], at: {first: [%.17g, 0, 0], second: "
        "[%.17g, 0, 0]}, axis: {first: [0, 0, 1], second: [0, 0, 1]}}\n",
        0.5 * a, -0.5 * c, 0.5 * c, 0.5 * r);
    add_text(
        text, SIZE,
        "  C: {type: revolute, between: [rocker, ground], at: {first: [%.17g, 0, 0], second: "
        "[%.17g, %.17g, %.17g]}, axis: {first: [0, 0, 1], second: [%.17g, %.17g, %.17g]}}\n",
        -0.5 * r, C[0], C[1], C[2], tilted[0], tilted[1], tilted[2]);
    return read_mechanism(text);
}

/* Start values of a model, made consistent; the caller frees x. */
static inline crank_status mechanism_start(crank_state *model, double **x, crank_error *err)
{
    crank_eom *eom = crank_state_eom(model);
    crank_initial_options options = crank_initial_options_default();
    const size_t n = (size_t)crank_eom_unknowns(eom);
    *x = malloc(n * sizeof **x);
    assert_non_null(*x);
    memcpy(*x, crank_state_start(model), n * sizeof **x);
    options.fixing = crank_model_fixing(crank_state_model(model));
    return crank_eom_initialize(eom, 0.0, *x, &options, NULL, (crank_log){0}, err);
}

#endif
