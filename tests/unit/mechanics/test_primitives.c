/* test_primitives.c - bodies and primitives against central differences at 100 random states
 * each, quaternions not of unit length. Values are of size one to ten; differences with step
 * 1e-5 are good to about 1e-10 (truncation) + 1e-11 (rounding / step), times the size of the
 * third derivative (below 100). */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "mechanics/primitive.h"
#include "unit/linalg/random.h"

enum { BODIES = 6, STATES = 100, NP = 28, NV = 24 };
static const double step = 1e-5, tolerance = 1e-7, rounding = 1e-12;

static const crank_body_kind kinds[BODIES] = {CRANK_BODY_SPATIAL, CRANK_BODY_SPATIAL,
                                              CRANK_BODY_POINT,   CRANK_BODY_PLANAR,
                                              CRANK_BODY_PLANAR,  CRANK_BODY_PLANAR_POINT};

/* all bodies at one point */
typedef struct point {
    double p[BODIES][CRANK_BODY_MAX_P], v[BODIES][CRANK_BODY_MAX_V],
        a[BODIES][CRANK_BODY_MAX_V];
} point;

static void set(const point *x, crank_body_state *state)
{
    for (int i = 0; i < BODIES; i++) {
        crank_body_state_set(&state[i], kinds[i], x->p[i], x->v[i], x->a[i]);
    }
}

static void random_point(random_source *r, point *x)
{
    random_fill(r, (int)(sizeof *x / sizeof(double)), &x->p[0][0]);
}

/* one evaluation with arrays of its own */
typedef struct record {
    crank_local local;
    double J[NV], Y[NP], K[NV * NP], bias_p[NP];
} record;

static void evaluate(const crank_primitive *primitive, const point *x, record *out)
{
    crank_body_state state[BODIES];
    set(x, state);
    out->local = (crank_local){.J = out->J, .Y = out->Y, .K = out->K, .bias_p = out->bias_p};
    crank_primitive_values(primitive, state, &out->local);
    crank_primitive_derivatives(primitive, state, &out->local);
}

/* the points where one number of x is a step lower and higher */
static void two_sides(const crank_primitive *primitive, const point *x, double *number,
                      record *low, record *high)
{
    double middle = *number;
    *number = middle - step;
    evaluate(primitive, x, low);
    *number = middle + step;
    evaluate(primitive, x, high);
    *number = middle;
}

static void check_positions(const crank_primitive *primitive, point *x, const record *here,
                            const double *rate_p, const double *acceleration_p)
{
    record low, high;
    for (int b = 0; b < primitive->bodies; b++) {
        int body = primitive->body[b];
        for (int k = 0; k < crank_body_positions(kinds[body]); k++) {
            int j = primitive->p0[b] + k;
            two_sides(primitive, x, &x->p[body][k], &low, &high);
            CHECK_NEAR(here->Y[j], (high.local.y - low.local.y) / (2.0 * step), tolerance);
            CHECK_NEAR(here->bias_p[j], (high.local.bias - low.local.bias) / (2.0 * step),
                       tolerance);
            CHECK_NEAR(rate_p[j], (high.local.rate - low.local.rate) / (2.0 * step), tolerance);
            CHECK_NEAR(acceleration_p[j],
                       (high.local.acceleration - low.local.acceleration) / (2.0 * step),
                       tolerance);
            for (int i = 0; i < primitive->nv; i++) {
                CHECK_NEAR(here->K[i * primitive->np + j],
                           (high.J[i] - low.J[i]) / (2.0 * step), tolerance);
            }
        }
    }
}

static void check_velocities(const crank_primitive *primitive, point *x, const record *here,
                             const double *acceleration_v)
{
    record low, high;
    for (int b = 0; b < primitive->bodies; b++) {
        int body = primitive->body[b];
        for (int k = 0; k < crank_body_velocities(kinds[body]); k++) {
            int j = primitive->v0[b] + k;
            two_sides(primitive, x, &x->v[body][k], &low, &high);
            CHECK_NEAR(here->J[j], (high.local.rate - low.local.rate) / (2.0 * step),
                       tolerance);
            CHECK_NEAR(acceleration_v[j],
                       (high.local.acceleration - low.local.acceleration) / (2.0 * step),
                       tolerance);
            two_sides(primitive, x, &x->a[body][k], &low, &high);
            CHECK_NEAR(here->J[j],
                       (high.local.acceleration - low.local.acceleration) / (2.0 * step),
                       tolerance);
            CHECK_NEAR(0.0, high.local.rate - low.local.rate, 0.0);
        }
    }
}

/* along p' = Z v, v' = a: y' is the rate (of products and angles) and rate' the acceleration */
static void check_along_motion(const crank_primitive *primitive, const point *x,
                               const record *here)
{
    record side[2];
    for (int s = 0; s < 2; s++) {
        point moved = *x;
        double h = s == 0 ? -step : step;
        for (int i = 0; i < BODIES; i++) {
            crank_body_state state;
            double pdot[CRANK_BODY_MAX_P];
            crank_body_state_set(&state, kinds[i], x->p[i], x->v[i], x->a[i]);
            crank_body_kinematics(&state, pdot);
            for (int k = 0; k < crank_body_positions(kinds[i]); k++) {
                moved.p[i][k] += h * pdot[k];
            }
            for (int k = 0; k < crank_body_velocities(kinds[i]); k++) {
                moved.v[i][k] += h * x->a[i][k];
            }
        }
        evaluate(primitive, &moved, &side[s]);
    }
    if (primitive->kind == CRANK_PRODUCT || primitive->kind == CRANK_ANGLE) {
        CHECK_NEAR(here->local.rate, (side[1].local.y - side[0].local.y) / (2.0 * step),
                   tolerance);
    }
    CHECK_NEAR(here->local.acceleration,
               (side[1].local.rate - side[0].local.rate) / (2.0 * step), tolerance);
}

/* everything about one primitive at one point */
static void check_primitive(crank_primitive *primitive, point *x)
{
    record here;
    crank_body_state state[BODIES];
    double rate_p[NP], acceleration_p[NP], acceleration_v[NV], Jv = 0.0, Ja = 0.0;
    crank_primitive_complete(primitive, kinds);
    evaluate(primitive, x, &here);
    set(x, state);
    crank_primitive_motion(primitive, state, &here.local, rate_p, acceleration_p,
                           acceleration_v);
    for (int b = 0; b < primitive->bodies; b++) {
        for (int k = 0; k < crank_body_velocities(kinds[primitive->body[b]]); k++) {
            Jv += here.J[primitive->v0[b] + k] * x->v[primitive->body[b]][k];
            Ja += here.J[primitive->v0[b] + k] * x->a[primitive->body[b]][k];
        }
    }
    CHECK_NEAR(here.local.rate, Jv, 100.0 * rounding);
    CHECK_NEAR(here.local.acceleration, Ja + here.local.bias, 100.0 * rounding);
    check_positions(primitive, x, &here, rate_p, acceleration_p);
    check_velocities(primitive, x, &here, acceleration_v);
    check_along_motion(primitive, x, &here);
}

/* body: of the list, BODIES: ground */
static crank_marker marker(random_source *r, int body, bool is_point)
{
    crank_marker m = {.body = body == BODIES ? -1 : body, .point = is_point};
    random_fill(r, 3, m.u);
    return m;
}

/* number 0 .. 2 (BODIES + 1) - 1: one marker; number + that: minus another */
static crank_vector vector(random_source *r, int first, int second)
{
    int one = 2 * (BODIES + 1);
    crank_vector a = {.count = second < 0 ? 1 : 2};
    a.marker[0] = marker(r, first % (one / 2), first >= one / 2);
    if (second >= 0) {
        a.marker[1] = marker(r, second % (one / 2), second >= one / 2);
    }
    return a;
}

static void check_pairs(crank_primitive_kind kind)
{
    random_source r = {UINT64_C(20260331) + (uint64_t)kind};
    int one = 2 * (BODIES + 1);
    point x;
    for (int i = 0; i < one; i++) { /* every marker with every marker */
        for (int j = 0; j < one; j++) {
            random_point(&r, &x);
            crank_primitive primitive = {
                .kind = kind, .a = vector(&r, i, -1), .b = vector(&r, j, -1)};
            check_primitive(&primitive, &x);
        }
    }
    for (int n = 0; n < 6 * STATES; n++) { /* differences too */
        random_point(&r, &x);
        int i = random_int(&r, one), j = random_int(&r, one);
        int k = random_int(&r, one + 1) - 1, l = random_int(&r, one);
        crank_primitive primitive = {
            .kind = kind, .a = vector(&r, i, k), .b = vector(&r, j, l)};
        check_primitive(&primitive, &x);
    }
}

static void product_and_its_derivatives_agree_with_differences(void **state)
{
    check_pairs(CRANK_PRODUCT);
}

/* a distance's: found as such, with values and derivatives of its own */
static void product_of_a_vector_with_itself_agrees_with_differences(void **state)
{
    random_source r = {UINT64_C(20261117)};
    const int one = 2 * (BODIES + 1);
    point x;
    for (int i = 0; i < one; i++) {
        for (int j = -1; j < one; j++) {
            random_point(&r, &x);
            const crank_vector a = vector(&r, i, j);
            crank_primitive primitive = {.kind = CRANK_PRODUCT, .a = a, .b = a};
            check_primitive(&primitive, &x);
            assert_true(primitive.square);
            primitive.b.marker[0].u[1] += 0.5;
            check_primitive(&primitive, &x);
            assert_false(primitive.square);
        }
    }
}

static void slide_and_its_derivatives_agree_with_differences(void **state)
{
    check_pairs(CRANK_SLIDE);
}

static void turn_and_its_derivatives_agree_with_differences(void **state)
{
    random_source r = {UINT64_C(7)};
    point x;
    for (int n = 0; n < 10 * STATES; n++) {
        random_point(&r, &x);
        int first = random_int(&r, BODIES + 1), second = random_int(&r, BODIES + 1);
        crank_primitive primitive = {
            .kind = CRANK_TURN,
            .a = vector(&r, random_int(&r, 2 * BODIES + 2),
                        n % 2 == 0 ? -1 : random_int(&r, 2 * BODIES + 2)),
            .first = first == BODIES ? -1 : first,
            .second = second == BODIES ? -1 : second};
        check_primitive(&primitive, &x);
    }
}

static void angle_of_planar_bodies_and_its_derivatives_agree_with_differences(void **state)
{
    random_source r = {UINT64_C(8)};
    point x;
    const int bodies[3] = {-1, 3, 4};
    for (int n = 0; n < STATES; n++) {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                random_point(&r, &x);
                crank_primitive primitive = {
                    .kind = CRANK_ANGLE, .first = bodies[i], .second = bodies[j]};
                check_primitive(&primitive, &x);
                crank_body_state s[BODIES];
                record here;
                set(&x, s);
                evaluate(&primitive, &x, &here);
                CHECK_NEAR(here.local.y,
                           (j > 0 ? x.p[bodies[j]][2] : 0.0) -
                               (i > 0 ? x.p[bodies[i]][2] : 0.0),
                           rounding);
            }
        }
    }
}

static void values_are_products_of_rotated_vectors(void **state)
{
    random_source r = {UINT64_C(9)};
    for (int n = 0; n < STATES; n++) {
        point x;
        crank_body_state s[BODIES];
        record here;
        double angle = random_real(&r), axis[3] = {0.6, 0.0, 0.8}, direct, u[3], c[3];
        random_point(&r, &x);
        crank_quaternion_of_axis(x.p[0] + 3, axis, angle);
        set(&x, s);
        crank_primitive primitive = {.kind = CRANK_PRODUCT,
                                     .a = vector(&r, BODIES + 1, -1),
                                     .b = vector(&r, BODIES, -1)};
        crank_primitive_complete(&primitive, kinds);
        evaluate(&primitive, &x, &here);
        /* Rodrigues: u cos + axis x u sin + axis (axis . u) (1 - cos) */
        const double *u0 = primitive.a.marker[0].u, *w = primitive.b.marker[0].u;
        crank_cross3(c, axis, u0);
        for (int k = 0; k < 3; k++) {
            u[k] = x.p[0][k] + u0[k] * cos(angle) + c[k] * sin(angle) +
                   axis[k] * crank_dot3(axis, u0) * (1.0 - cos(angle));
        }
        direct = crank_dot3(u, w);
        CHECK_NEAR(here.local.y, direct, rounding);
        assert_int_equal(primitive.bodies, 1);
        assert_int_equal(primitive.np, 7);
        assert_int_equal(primitive.nv, 6);
    }
}

static void kinematics_of_bodies_and_their_derivatives_agree_with_differences(void **state)
{
    random_source r = {UINT64_C(10)};
    for (int n = 0; n < STATES; n++) {
        point x;
        random_point(&r, &x);
        for (int b = 0; b < BODIES; b++) {
            int np = crank_body_positions(kinds[b]), nv = crank_body_velocities(kinds[b]);
            double by_p[49], by_v[42], low[7], high[7];
            crank_body_state s;
            crank_body_state_set(&s, kinds[b], x.p[b], x.v[b], NULL);
            crank_body_kinematics_jacobian(&s, by_p, by_v);
            for (int j = 0; j < np + nv; j++) {
                double *number = j < np ? &x.p[b][j] : &x.v[b][j - np], middle = *number;
                *number = middle - 0.5; /* bilinear: differences are exact */
                crank_body_state_set(&s, kinds[b], x.p[b], x.v[b], NULL);
                crank_body_kinematics(&s, low);
                *number = middle + 0.5;
                crank_body_state_set(&s, kinds[b], x.p[b], x.v[b], NULL);
                crank_body_kinematics(&s, high);
                *number = middle;
                for (int i = 0; i < np; i++) {
                    CHECK_NEAR(j < np ? by_p[i * np + j] : by_v[i * nv + j - np],
                               high[i] - low[i], rounding);
                }
            }
        }
    }
}

static void quaternion_norm_is_kept_by_the_kinematics(void **state)
{
    random_source r = {UINT64_C(11)};
    for (int n = 0; n < STATES; n++) {
        point x;
        crank_body_state s;
        double pdot[7];
        random_point(&r, &x);
        crank_body_state_set(&s, CRANK_BODY_SPATIAL, x.p[0], x.v[0], NULL);
        crank_body_kinematics(&s, pdot);
        CHECK_NEAR(s.q[0] * pdot[3] + s.q[1] * pdot[4] + s.q[2] * pdot[5] + s.q[3] * pdot[6],
                   0.0, rounding);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(product_and_its_derivatives_agree_with_differences),
        cmocka_unit_test(product_of_a_vector_with_itself_agrees_with_differences),
        cmocka_unit_test(slide_and_its_derivatives_agree_with_differences),
        cmocka_unit_test(turn_and_its_derivatives_agree_with_differences),
        cmocka_unit_test(angle_of_planar_bodies_and_its_derivatives_agree_with_differences),
        cmocka_unit_test(values_are_products_of_rotated_vectors),
        cmocka_unit_test(kinematics_of_bodies_and_their_derivatives_agree_with_differences),
        cmocka_unit_test(quaternion_norm_is_kept_by_the_kinematics),
    };
    return CHECK_RUN(argc, argv, tests);
}
