/* test_hull.c - convex hulls of random points, of points in planes and on lines, and of lattices, in which most
 * points lie in common planes. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "linalg/rotation.h"
#include "model/import/hull.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { MOST = 1000 };

static double next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0 - 0.5;
}

/* Volume and area of a hull, all of whose edges are shared by two triangles, with no point
 * outside by more than rounding. */
static double check_hull(int points, const double (*p)[3], double size, double *area)
{
    int(*t)[3] = NULL, count = 0;
    double volume = 0.0;
    assert_true(crank_hull(points, p, &t, &count));
    *area = 0.0;
    for (int k = 0; k < count; k++) {
        double u[3], v[3], n[3];
        for (int i = 0; i < 3; i++) {
            u[i] = p[t[k][1]][i] - p[t[k][0]][i];
            v[i] = p[t[k][2]][i] - p[t[k][0]][i];
        }
        crank_cross3(n, u, v);
        volume += crank_dot3(n, p[t[k][0]]) / 6.0;
        *area += 0.5 * crank_norm3(n);
        for (int q = 0; q < points; q++) {
            const double above = crank_dot3(n, p[q]) - crank_dot3(n, p[t[k][0]]);
            assert_true(above <= 1e-12 * size * size * size);
        }
        for (int i = 0; i < 3; i++) {
            int back = 0;
            for (int l = 0; l < count; l++) {
                for (int j = 0; j < 3; j++) {
                    back +=
                        t[l][j] == t[k][(i + 1) % 3] && t[l][(j + 1) % 3] == t[k][i] ? 1 : 0;
                }
            }
            assert_int_equal(back, 1);
        }
    }
    free(t);
    return volume;
}

static void a_lattice_has_the_hull_of_its_corners(void **state)
{
    (void)state;
    static double p[MOST][3];
    double area = 0.0;
    for (int scale = -6; scale <= 6; scale += 6) { /* in every unit */
        const double unit = pow(10.0, scale);
        int count = 0;
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < 6; j++) {
                for (int k = 0; k < 7; k++) {
                    p[count][0] = unit * i;
                    p[count][1] = unit * (j - 1);
                    p[count++][2] = unit * (k + 2);
                }
            }
        }
        const double volume = check_hull(count, (const double(*)[3])p, 8.0 * unit, &area);
        CHECK_NEAR(volume / (unit * unit * unit), 4.0 * 5.0 * 6.0, 1e-10);
        CHECK_NEAR(area / (unit * unit), 2.0 * (20.0 + 24.0 + 30.0), 1e-10);
    }
}

static void a_hull_holds_all_points(void **state)
{
    (void)state;
    static double p[MOST][3];
    uint64_t seed = 7;
    double area = 0.0;
    for (int round = 0; round < 20; round++) {
        const int points = 5 + 10 * round;
        for (int k = 0; k < points; k++) {
            for (int i = 0; i < 3; i++) {
                p[k][i] = next_random(&seed) * (i == 2 && round % 2 == 1 ? 1e-5 : 1.0);
            }
        }
        assert_true(check_hull(points, (const double(*)[3])p, 1.0, &area) > 0.0);
    }
}

static void the_hull_of_a_sphere_nears_the_sphere(void **state)
{
    (void)state;
    static double p[MOST][3];
    const double golden = 2.399963229728653; /* rad: points spread evenly along a spiral */
    const int points = 400;
    double area = 0.0;
    for (int k = 0; k < points; k++) {
        const double z = 1.0 - (2.0 * k + 1.0) / points, r = sqrt(1.0 - z * z);
        p[k][0] = r * cos(golden * k);
        p[k][1] = r * sin(golden * k);
        p[k][2] = z;
    }
    const double volume = check_hull(points, (const double(*)[3])p, 1.0, &area);
    /* 2 N triangles of edge a, a^2 = 8 pi/(sqrt(3) N), whose middles lie a^2/6 = 2.4/N below the
     * sphere: at most 7.3/N of the volume */
    CHECK_NEAR(volume, 4.18879, 4.18879 * 7.3 / points);
    CHECK_NEAR(area, 12.56637, 12.56637 * 7.3 / points);
}

static void what_lies_in_a_plane_has_no_hull(void **state)
{
    (void)state;
    double p[20][3];
    int(*t)[3] = NULL, count = -1;
    for (int shape = 0; shape < 3; shape++) { /* a plane, a line, a point */
        for (int k = 0; k < 20; k++) {
            const double u = shape < 2 ? 0.1 * k : 0.0, v = shape < 1 ? 0.3 * (k % 4) : 0.0;
            p[k][0] = 1.0 + u;
            p[k][1] = 2.0 - u + v;
            p[k][2] = 3.0 + 0.5 * u - 2.0 * v;
        }
        assert_true(crank_hull(20, (const double(*)[3])p, &t, &count));
        assert_int_equal(count, 0);
        free(t);
    }
    assert_true(crank_hull(3, (const double(*)[3])p, &t, &count));
    assert_int_equal(count, 0);
    free(t);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lattice_has_the_hull_of_its_corners),
        cmocka_unit_test(a_hull_holds_all_points),
        cmocka_unit_test(the_hull_of_a_sphere_nears_the_sphere),
        cmocka_unit_test(what_lies_in_a_plane_has_no_hull),
    };
    return CHECK_RUN(argc, argv, tests);
}
