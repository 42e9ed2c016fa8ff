/* symbolic_tape.c - how fast expressions are evaluated: the tape and the compiled C against
 * the same formulas written by hand, on residual and Jacobian of the slider crank
 * (specification of the published experiments; parameter set 1).
 *
 *     M = [(m1+m2) l1^2, -m2 l1 l2 cos(p1+p2); sym, m2 l2^2]
 *     f = [-(m1+m2) g l1 cos p1 - m2 l1 l2 v2^2 sin(p1+p2);
 *          m2 g l2 cos p2 - m2 l1 l2 v1^2 sin(p1+p2)]
 *     g = l1 sin p1 - l2 sin p2,  G = [l1 cos p1, -l2 cos p2],  gI = G v
 *     gII = G M^-1 (f - G^T lambda) - l1 sin p1 v1^2 + l2 sin p2 v2^2
 *
 * Unknowns lambda v1 v2 p1 p2; rows gII gI g f_dyn f_kin. Prints nanoseconds per evaluation
 * and the ratios; all in one run, the best of several repetitions each, interleaved. */
// SPDX-License-Identifier: BSD-3-Clause
#include "symbolic/symbolic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LAMBDA, V1, V2, P1, P2, UNKNOWNS };
enum { ROWS = 7, ENTRIES = 21, OUTPUTS = ROWS + ENTRIES };
enum { POINTS = 256, REPETITIONS = 40, ROUNDS = 40 };

static const double m1 = 1.0, m2 = 1.8, l1 = 1.0, l2 = 3.0, gravity = 9.81;

/* ---- by hand ---- */

typedef struct mass_factors {
    double m11, m12, e, d; /* elimination: e = m12/m11, d = m22 - e m12 */
} mass_factors;

static inline void solve(const mass_factors *m, double r1, double r2, double *a1, double *a2)
{
    *a2 = (r2 - m->e * r1) / m->d;
    *a1 = (r1 - m->m12 * *a2) / m->m11;
}

static void by_hand(const double *x, double *out)
{
    const double lambda = x[LAMBDA], v1 = x[V1], v2 = x[V2];
    const double s1 = sin(x[P1]), c1 = cos(x[P1]);
    const double s2 = sin(x[P2]), c2 = cos(x[P2]);
    const double s12 = sin(x[P1] + x[P2]), c12 = cos(x[P1] + x[P2]);
    const double k = m2 * l1 * l2;
    mass_factors m = {.m11 = (m1 + m2) * l1 * l1, .m12 = -k * c12};
    m.e = m.m12 / m.m11;
    m.d = m2 * l2 * l2 - m.e * m.m12;
    const double G1 = l1 * c1, G2 = -l2 * c2;
    const double w1 = (m1 + m2) * gravity * l1, w2 = m2 * gravity * l2;
    const double r1 = -w1 * c1 - k * v2 * v2 * s12 - G1 * lambda;
    const double r2 = w2 * c2 - k * v1 * v1 * s12 - G2 * lambda;
    double a1, a2;
    solve(&m, r1, r2, &a1, &a2);
    double *j = out + ROWS;
    out[0] = G1 * a1 + G2 * a2 - l1 * s1 * v1 * v1 + l2 * s2 * v2 * v2;
    out[1] = G1 * v1 + G2 * v2;
    out[2] = l1 * s1 - l2 * s2;
    out[3] = r1;
    out[4] = r2;
    out[5] = v1;
    out[6] = v2;
    /* derivatives of r = f - G^T lambda */
    const double r1_v2 = -2.0 * k * v2 * s12;
    const double r2_v1 = -2.0 * k * v1 * s12;
    const double r1_p2 = -k * v2 * v2 * c12;
    const double r1_p1 = w1 * s1 + r1_p2 + l1 * s1 * lambda;
    const double r2_p1 = -k * v1 * v1 * c12;
    const double r2_p2 = -w2 * s2 + r2_p1 - l2 * s2 * lambda;
    const double m12_p = k * s12;
    /* derivatives of the accelerations: M a_x = r_x - M_x a */
    double a1_x, a2_x;
    solve(&m, -G1, -G2, &a1_x, &a2_x);
    j[0] = G1 * a1_x + G2 * a2_x;
    solve(&m, 0.0, r2_v1, &a1_x, &a2_x);
    j[1] = G1 * a1_x + G2 * a2_x - 2.0 * l1 * s1 * v1;
    solve(&m, r1_v2, 0.0, &a1_x, &a2_x);
    j[2] = G1 * a1_x + G2 * a2_x + 2.0 * l2 * s2 * v2;
    solve(&m, r1_p1 - m12_p * a2, r2_p1 - m12_p * a1, &a1_x, &a2_x);
    j[3] = G1 * a1_x + G2 * a2_x - l1 * s1 * a1 - l1 * c1 * v1 * v1;
    solve(&m, r1_p2 - m12_p * a2, r2_p2 - m12_p * a1, &a1_x, &a2_x);
    j[4] = G1 * a1_x + G2 * a2_x + l2 * s2 * a2 + l2 * c2 * v2 * v2;
    j[5] = G1;
    j[6] = G2;
    j[7] = -l1 * s1 * v1;
    j[8] = l2 * s2 * v2;
    j[9] = G1;
    j[10] = G2;
    j[11] = -G1;
    j[12] = r1_v2;
    j[13] = r1_p1;
    j[14] = r1_p2;
    j[15] = -G2;
    j[16] = r2_v1;
    j[17] = r2_p1;
    j[18] = r2_p2;
    j[19] = 1.0;
    j[20] = 1.0;
}

/* ---- as expressions ---- */

static const char *const names[UNKNOWNS] = {"lambda", "v1", "v2", "p1", "p2"};

static void fail(const crank_error *err)
{
    (void)fprintf(stderr, "symbolic_tape: %s\n", err->text);
    exit(1);
}

static crank_ex resolve(const char *name, int line, int column, void *user, crank_error *err)
{
    crank_pool *pool = user;
    static const char *const parameters[] = {"m1", "m2", "l1", "l2", "g"};
    const double values[] = {m1, m2, l1, l2, gravity};
    for (int i = 0; i < 5; i++) {
        if (strcmp(name, parameters[i]) == 0) {
            return crank_ex_number(pool, values[i]);
        }
    }
    (void)line, (void)column, (void)err;
    return crank_ex_symbol(pool, name);
}

static crank_ex parse(crank_pool *pool, const char *text)
{
    crank_error err;
    crank_ex e;
    if (crank_ex_parse(pool, text, 1, 1, resolve, pool, &e, &err) != CRANK_OK) {
        fail(&err);
    }
    return e;
}

/* The rows from g, M and f alone, as a reader of equations builds them. */
static void build_rows(crank_pool *pool, const crank_ex *x, crank_ex *row)
{
    const crank_ex g = parse(pool, "l1*sin(p1) - l2*sin(p2)");
    const crank_ex m11 = parse(pool, "(m1 + m2)*l1^2");
    const crank_ex m12 = parse(pool, "-m2*l1*l2*cos(p1 + p2)");
    const crank_ex m22 = parse(pool, "m2*l2^2");
    crank_ex r[2] = {parse(pool, "-(m1 + m2)*g*l1*cos(p1) - m2*l1*l2*v2^2*sin(p1 + p2)"),
                     parse(pool, "m2*g*l2*cos(p2) - m2*l1*l2*v1^2*sin(p1 + p2)")};
    for (int i = 0; i < 2; i++) {
        const crank_ex G = crank_ex_derivative(pool, g, x[P1 + i]);
        r[i] = crank_ex_sub(pool, r[i], crank_ex_mul(pool, G, x[LAMBDA]));
    }
    const crank_ex e = crank_ex_div(pool, m12, m11);
    const crank_ex d = crank_ex_sub(pool, m22, crank_ex_mul(pool, e, m12));
    crank_ex a[2];
    a[1] = crank_ex_div(pool, crank_ex_sub(pool, r[1], crank_ex_mul(pool, e, r[0])), d);
    a[0] = crank_ex_div(pool, crank_ex_sub(pool, r[0], crank_ex_mul(pool, m12, a[1])), m11);
    const crank_ex gI = crank_ex_directional(pool, g, 2, x + P1, x + V1);
    const crank_ex rates[4] = {a[0], a[1], x[V1], x[V2]};
    row[0] = crank_ex_directional(pool, gI, 4, x + V1, rates);
    row[1] = gI;
    row[2] = g;
    row[3] = r[0];
    row[4] = r[1];
    row[5] = x[V1];
    row[6] = x[V2];
}

static void build(crank_pool *pool, crank_ex *x, crank_ex *out)
{
    for (int i = 0; i < UNKNOWNS; i++) {
        x[i] = crank_ex_symbol(pool, names[i]);
    }
    build_rows(pool, x, out);
    int entries = 0;
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < UNKNOWNS; j++) {
            if (crank_ex_depends(pool, out[i], x[j])) {
                out[ROWS + entries++] = crank_ex_derivative(pool, out[i], x[j]);
            }
        }
    }
    if (entries != ENTRIES) {
        (void)fprintf(stderr, "symbolic_tape: %d entries, not %d\n", entries, ENTRIES);
        exit(1);
    }
}

/* ---- timing ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct contestant {
    const char *name;
    crank_compiled_fn *function; /* NULL: the tape */
    int lanes;                   /* points a call */
    double best;                 /* seconds per point */
    double out[OUTPUTS * 4];
} contestant;

static void measure(contestant *c, const crank_tape *tape, const double *x, double *work)
{
    const double start = now();
    for (int r = 0; r < REPETITIONS; r++) {
        for (int p = 0; p + c->lanes <= POINTS; p += c->lanes) {
            if (c->function != NULL) {
                c->function(x + p * UNKNOWNS, c->out);
            } else {
                crank_tape_evaluate(tape, c->lanes, x + p * UNKNOWNS, UNKNOWNS, c->out, OUTPUTS,
                                    work);
            }
        }
    }
    const int points = POINTS / c->lanes * c->lanes;
    const double seconds = (now() - start) / ((double)REPETITIONS * points);
    c->best = c->best == 0.0 || seconds < c->best ? seconds : c->best;
}

static void compare_values(const contestant *list, const double *x, const crank_tape *tape,
                           double *work)
{
    double hand[OUTPUTS], compiled[OUTPUTS], taped[OUTPUTS];
    double worst = 0.0;
    for (int p = 0; p < POINTS; p++) {
        list[0].function(x + p * UNKNOWNS, hand);
        list[1].function(x + p * UNKNOWNS, compiled);
        crank_tape_evaluate(tape, 1, x + p * UNKNOWNS, UNKNOWNS, taped, OUTPUTS, work);
        for (int i = 0; i < OUTPUTS; i++) {
            const double scale = 1.0 + fabs(hand[i]);
            worst = fmax(worst, fabs(hand[i] - compiled[i]) / scale);
            worst = fmax(worst, fabs(hand[i] - taped[i]) / scale);
        }
    }
    (void)printf("largest relative difference of values: %.1e\n", worst);
    if (!(worst < 1e-12)) {
        exit(1);
    }
}

int main(void)
{
    crank_pool *pool = crank_pool_create();
    crank_ex x[UNKNOWNS];
    crank_ex out[OUTPUTS];
    crank_error err;
    crank_tape *tape;
    crank_compiled *compiled;
    crank_text text = {0};
    if (pool == NULL) {
        return 1;
    }
    build(pool, x, out);
    if (crank_tape_create(pool, UNKNOWNS, x, OUTPUTS, out, &tape, &err) != CRANK_OK) {
        fail(&err);
    }
    crank_emit_c_prelude(&text);
    crank_emit_c(&text, pool, "slider_crank", UNKNOWNS, x, OUTPUTS, out);
    if (crank_compiled_load(text.data, NULL, (crank_log){0}, &compiled, &err) != CRANK_OK) {
        fail(&err);
    }
    double *work = malloc((size_t)crank_tape_work_size(tape, 4) * sizeof *work);
    double *points = malloc(POINTS * UNKNOWNS * sizeof *points);
    if (work == NULL || points == NULL) {
        return 1;
    }
    for (int i = 0; i < POINTS * UNKNOWNS; i++) {
        points[i] = 3.0 * sin(1.7 * i);
    }
    contestant list[] = {
        {.name = "hand-written C", .function = by_hand, .lanes = 1},
        {.name = "compiled",
         .function = crank_compiled_find(compiled, "slider_crank"),
         .lanes = 1},
        {.name = "tape, 1 point", .lanes = 1},
        {.name = "tape, 3 points", .lanes = 3},
    };
    enum { CONTESTANTS = sizeof list / sizeof *list };
    compare_values(list, points, tape, work);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < CONTESTANTS; i++) {
            measure(&list[i], tape, points, work);
        }
    }
    (void)printf("%d instructions on the tape\n", crank_tape_instructions(tape));
    for (int i = 0; i < CONTESTANTS; i++) {
        (void)printf("%-16s %7.1f ns a point, ratio %.2f\n", list[i].name, 1e9 * list[i].best,
                     list[i].best / list[0].best);
    }
    free(points);
    free(work);
    crank_compiled_unload(compiled);
    crank_text_free(&text);
    crank_tape_destroy(tape);
    crank_pool_destroy(pool);
    return 0;
}
