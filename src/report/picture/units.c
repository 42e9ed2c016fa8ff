/* units.c - unit shapes by their faces: prisms, balls, gears, wires along a curve. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/picture/canvas.h"

static const double pi = 3.14159265358979323846;

enum { COIL_TURNS = 8 };

static bool room(crank_store *store, crank_unit *u, int corners, int faces, int indices)
{
    u->position = crank_store_take(store, (size_t)corners, sizeof *u->position);
    u->normal = crank_store_take(store, (size_t)corners, sizeof *u->normal);
    u->first = crank_store_take(store, (size_t)faces + 1, sizeof *u->first);
    u->index = crank_store_take(store, (size_t)indices, sizeof *u->index);
    return u->position != NULL && u->normal != NULL && u->first != NULL && u->index != NULL;
}

static int corner(crank_unit *u, double x, double y, double z, const double n[3])
{
    double *p = u->position[u->corners];

    p[0] = x;
    p[1] = y;
    p[2] = z;
    for (int k = 0; k < 3; k++) {
        u->normal[u->corners][k] = n[k];
    }
    return u->corners++;
}

/* Three or four corners; the fourth -1: none. */
static void face(crank_unit *u, int a, int b, int c, int d)
{
    const int corners[4] = {a, b, c, d}, count = d < 0 ? 3 : 4;
    const int first = u->first[u->faces++];

    for (int k = 0; k < count; k++) {
        u->index[first + k] = corners[k];
    }
    u->first[u->faces] = first + count;
}

/* Corners in the order of a turn about n. */
static void flat(crank_unit *u, const double (*corners)[3], int count, const double n[3])
{
    const int first = u->first[u->faces++];

    for (int i = 0; i < count; i++) {
        u->index[first + i] = corner(u, corners[i][0], corners[i][1], corners[i][2], n);
    }
    u->first[u->faces] = first + count;
}

static bool make_box(crank_store *store, crank_unit *u)
{
    if (!room(store, u, 24, 6, 24)) {
        return false;
    }
    for (int face = 0; face < 6; face++) {
        const int k = face / 2, i = (k + 1) % 3, j = (k + 2) % 3;
        const double sign = face % 2 == 0 ? 1.0 : -1.0;
        double corners[4][3], n[3] = {0.0, 0.0, 0.0};
        n[k] = sign;
        for (int c = 0; c < 4; c++) {
            corners[c][k] = 0.5 * sign;
            corners[c][i] = (c == 1 || c == 2 ? 0.5 : -0.5) * sign;
            corners[c][j] = c >= 2 ? 0.5 : -0.5;
        }
        flat(u, (const double(*)[3])corners, 4, n);
    }
    return true;
}

/* A cylinder (top 1) or a cone (top 0), which slopes by 45 degrees. */
static bool make_prism(crank_store *store, crank_unit *u, int sides, double top)
{
    const double flank = top > 0.0 ? 1.0 : sqrt(0.5), slope = top > 0.0 ? 0.0 : sqrt(0.5);
    double cap[CRANK_FACE_MOST][3];

    if (!room(store, u, 4 * sides, sides + 2, 6 * sides)) {
        return false;
    }
    for (int i = 0; i < sides; i++) {
        const double c = cos(2.0 * pi * i / sides), s = sin(2.0 * pi * i / sides);
        const double n[3] = {flank * c, flank * s, slope};
        (void)corner(u, c, s, -0.5, n);
        (void)corner(u, top * c, top * s, 0.5, n);
    }
    for (int i = 0; i < sides; i++) {
        const int next = (i + 1) % sides;
        face(u, 2 * i, 2 * next, 2 * next + 1, top > 0.0 ? 2 * i + 1 : -1);
    }
    for (int end = top > 0.0 ? 1 : -1; end >= -1; end -= 2) {
        const double n[3] = {0.0, 0.0, (double)end};
        for (int i = 0; i < sides; i++) {
            const double angle = end * 2.0 * pi * i / sides;
            cap[i][0] = cos(angle);
            cap[i][1] = sin(angle);
            cap[i][2] = 0.5 * end;
        }
        flat(u, (const double(*)[3])cap, sides, n);
    }
    return true;
}

static bool make_ball(crank_store *store, crank_unit *u, int sides, int rows)
{
    if (!room(store, u, (sides + 1) * (rows + 1), sides * rows, 4 * sides * rows)) {
        return false;
    }
    for (int j = 0; j <= rows; j++) {
        const double down = pi * j / rows;
        for (int i = 0; i <= sides; i++) {
            const double a = 2.0 * pi * i / sides;
            const double n[3] = {sin(down) * cos(a), sin(down) * sin(a), cos(down)};
            (void)corner(u, n[0], n[1], n[2], n);
        }
    }
    for (int j = 0; j < rows; j++) {
        for (int i = 0; i < sides; i++) {
            const int a = j * (sides + 1) + i, b = a + sides + 1;
            if (j == 0) {
                face(u, a, b, b + 1, -1);
            } else {
                face(u, a, b, j < rows - 1 ? b + 1 : a + 1, j < rows - 1 ? a + 1 : -1);
            }
        }
    }
    return true;
}

/* Teeth between 0.9 and 1.0 of the radius: per tooth a foot, a flank, a head, a flank. */
static bool make_gear(crank_store *store, crank_unit *u, int teeth)
{
    static const double place[4][2] = {{0.2, 0.9}, {0.35, 1.0}, {0.65, 1.0}, {0.8, 0.9}};
    const int sides = 4 * teeth;

    if (!room(store, u, 6 * sides + 2, 3 * sides, 10 * sides)) {
        return false;
    }
    for (int end = 1; end >= -1; end -= 2) {
        const double n[3] = {0.0, 0.0, (double)end};
        const int middle = corner(u, 0.0, 0.0, 0.5 * end, n);
        for (int i = 0; i < sides; i++) {
            const double a = end * 2.0 * pi * (i / 4 + place[i % 4][0]) / teeth;
            const double r = place[i % 4][1];
            (void)corner(u, r * cos(a), r * sin(a), 0.5 * end, n);
            face(u, middle, middle + 1 + i, middle + 1 + (i + 1) % sides, -1);
        }
    }
    for (int i = 0; i < sides; i++) {
        const int k = (i + 1) % sides;
        const double a = 2.0 * pi * (i / 4 + place[i % 4][0]) / teeth;
        const double b = 2.0 * pi * (k / 4 + place[k % 4][0]) / teeth;
        const double p[2] = {place[i % 4][1] * cos(a), place[i % 4][1] * sin(a)};
        const double q[2] = {place[k % 4][1] * cos(b), place[k % 4][1] * sin(b)};
        const double length = hypot(q[0] - p[0], q[1] - p[1]);
        const double n[3] = {(q[1] - p[1]) / length, (p[0] - q[0]) / length, 0.0};
        const double corners[4][3] = {
            {p[0], p[1], -0.5}, {q[0], q[1], -0.5}, {q[0], q[1], 0.5}, {p[0], p[1], 0.5}};
        flat(u, corners, 4, n);
    }
    return true;
}

/* A wire about z: turns of radius 1 that rise to rise; the first and last half turns of a coil
 * wind from the middle out. */
static bool make_wire(crank_store *store, crank_unit *u, double turns, double rise, int steps,
                      int sides)
{
    if (!room(store, u, (steps + 1) * sides, steps * sides, 4 * steps * sides)) {
        return false;
    }
    for (int i = 0; i <= steps; i++) {
        const double t = (double)i / steps, a = 2.0 * pi * turns * t;
        const double r = rise > 0.0 ? fmin(1.0, 2.0 * turns * fmin(t, 1.0 - t)) : 1.0;
        for (int j = 0; j < sides; j++) {
            const double b = 2.0 * pi * j / sides;
            const double n[3] = {cos(a) * cos(b), sin(a) * cos(b), sin(b)};
            (void)corner(u, r * cos(a), r * sin(a), rise * t, n);
        }
    }
    for (int i = 0; i < steps * sides; i++) {
        const int a = i, b = i / sides * sides + (i + 1) % sides;
        face(u, a, a + sides, b + sides, b);
    }
    return true;
}

bool crank_units_make(crank_store *store, bool fine, crank_unit units[CRANK_UNITS])
{
    const int sides = fine ? CRANK_FACE_MOST : 22, wire = fine ? 8 : 5;

    return make_box(store, &units[CRANK_UNIT_BOX]) &&
           make_prism(store, &units[CRANK_UNIT_CYLINDER], sides, 1.0) &&
           make_prism(store, &units[CRANK_UNIT_CONE], sides, 0.0) &&
           make_ball(store, &units[CRANK_UNIT_SPHERE], fine ? 36 : 20, fine ? 22 : 12) &&
           make_gear(store, &units[CRANK_UNIT_GEAR], 24) &&
           make_wire(store, &units[CRANK_UNIT_RING], 1.0, 0.0, fine ? 72 : 32, wire) &&
           make_wire(store, &units[CRANK_UNIT_ARC], 0.75, 0.0, fine ? 48 : 18, wire) &&
           make_wire(store, &units[CRANK_UNIT_COIL], COIL_TURNS, 1.0,
                     COIL_TURNS * (fine ? 24 : 12), fine ? 6 : 4);
}
