/* machine.c - see machine.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "machine.h"

#include <string.h>

/* ---- the machines ---- */

static int add(machine *m, int parent, const double axis[3], const double at[3],
               const double reach[3], double mass)
{
    machine_link *link = &m->link[m->count];
    double square = 0.0;
    *link = (machine_link){.parent = parent, .mass = mass};
    for (int i = 0; i < 3; i++) {
        link->axis[i] = axis[i];
        link->at[i] = at[i];
        link->center[i] = at[i] + 0.5 * reach[i];
        square += reach[i] * reach[i];
    }
    for (int i = 0; i < 3; i++) { /* a rod with a radius of a fifth of its length */
        link->inertia[i] = mass * (square - reach[i] * reach[i] * 0.9) / 12.0;
    }
    return m->count++;
}

static const double X[3] = {1.0, 0.0, 0.0}, Y[3] = {0.0, 1.0, 0.0}, Z[3] = {0.0, 0.0, 1.0};

/* a limb of links of one length, with axes in turn */
static void add_limb(machine *m, int parent, const double *const *axes, int count,
                     const double from[3], const double reach[3], double mass)
{
    double at[3];
    memcpy(at, from, sizeof at);
    for (int i = 0; i < count; i++) {
        parent = add(m, parent, axes[i], at, reach, mass);
        for (int k = 0; k < 3; k++) {
            at[k] += reach[k];
        }
        mass *= 0.8;
    }
}

void machine_arm(machine *m)
{
    static const double *const axes[] = {Z, Y, Z, Y, Z, Y, Z};
    static const double from[3] = {0.0, 0.0, 0.3}, reach[3] = {0.05, 0.0, 0.2};
    *m = (machine){.name = "arm of 7 joints"};
    add_limb(m, -1, axes, 7, from, reach, 4.0);
}

void machine_humanoid(machine *m)
{
    static const double *const spine[] = {Z, Y, X, Z}, *const arm[] = {X, Y, Z, Y, Z, X, Y},
                               *const leg[] = {Z, X, Y, Y, Y, X};
    static const double trunk[3] = {0.0, 0.0, 0.9}, up[3] = {0.0, 0.0, 0.15},
                        out[3] = {0.0, 0.1, -0.05}, down[3] = {0.02, 0.0, -0.15};
    *m = (machine){.name = "30 joints on a free trunk", .floats = true};
    add(m, -1, X, trunk, up, 10.0);
    add_limb(m, 0, spine, 4, (const double[3]){0.0, 0.0, 1.1}, up, 6.0);
    for (int side = -1; side < 2; side += 2) {
        const double y = 0.2 * side;
        add_limb(m, 3, arm, 7, (const double[3]){0.0, y, 1.4},
                 (const double[3]){out[0], side * out[1], out[2]}, 2.5);
        add_limb(m, 0, leg, 6, (const double[3]){0.0, 0.5 * y, 0.9}, down, 5.0);
    }
}

/* ---- crank ---- */

static void write_vector(FILE *file, const char *format, const double v[3])
{
    (void)fprintf(file, format, v[0], v[1], v[2]);
}

static void write_name(FILE *file, int link)
{
    if (link < 0) {
        (void)fputs("ground", file);
    } else {
        (void)fprintf(file, "b%d", link);
    }
}

void machine_write_crank(const machine *m, FILE *file)
{
    static const char list[] = "[%.17g, %.17g, %.17g]";
    (void)fputs("crank: mechanism\ngravity: [0, 0, -9.81]\nbodies:\n", file);
    for (int i = 0; i < m->count; i++) {
        (void)fprintf(file, "  b%d: {mass: %.17g, inertia: ", i, m->link[i].mass);
        write_vector(file, list, m->link[i].inertia);
        (void)fputs(", position: ", file);
        write_vector(file, list, m->link[i].center);
        (void)fputs("}\n", file);
    }
    (void)fputs("joints:\n", file);
    for (int i = m->floats ? 1 : 0; i < m->count; i++) {
        (void)fprintf(file, "  j%d: {type: revolute, between: [", i);
        write_name(file, m->link[i].parent);
        (void)fprintf(file, ", b%d], at: ", i);
        write_vector(file, list, m->link[i].at);
        (void)fputs(", axis: ", file);
        write_vector(file, list, m->link[i].axis);
        (void)fputs("}\n", file);
    }
    (void)fputs("simulate: {t_end: 1}\n", file);
}

void machine_write_chain_crank(int links, FILE *file)
{
    (void)fprintf(file, "crank: mechanism\ngravity: [0, 0, -9.81]\nparameters: {N: %d}\n",
                  links);
    (void)fputs("joints:\n"
                "  hook: {type: universal, between: [ground, b1], at: [0.05, 0, 0], "
                "axes: [[0, 1, 0], [0, 0, 1]]}\n"
                "repeat:\n"
                "  - count: N\n    index: i\n"
                "    bodies:\n"
                "      \"b{i}\": {mass: 0.1, inertia: [4.9e-6, 7.6e-5, 7.6e-5], "
                "position: [i*0.1, 0, 0]}\n"
                "  - count: N - 1\n    index: i\n"
                "    joints:\n"
                "      \"j{i}\": {type: universal, between: [\"b{i}\", \"b{i+1}\"], "
                "at: [(i + 0.5)*0.1, 0, 0], axes: [[0, 1, 0], [0, 0, 1]]}\n"
                "simulate: {t_end: 1}\n",
                file);
}

/* ---- MuJoCo: bodies inside bodies, their origins at the joints ---- */

static const char head[] =
    "<mujoco><compiler angle=\"radian\"/><size njmax=\"1\" nconmax=\"1\"/>"
    "<option gravity=\"0 0 -9.81\"><flag contact=\"disable\"/></option>"
    "<worldbody>\n";

static void write_body(const machine *m, int i, FILE *file)
{
    static const double origin[3];
    const machine_link *link = &m->link[i];
    const double *from = link->parent >= 0 ? m->link[link->parent].at : origin;
    double at[3], center[3];
    for (int k = 0; k < 3; k++) {
        at[k] = link->at[k] - from[k];
        center[k] = link->center[k] - link->at[k];
    }
    write_vector(file, "<body pos=\"%.17g %.17g %.17g\">", at);
    if (m->floats && i == 0) {
        (void)fputs("<freejoint/>", file);
    } else {
        (void)fprintf(file, "<joint name=\"j%d\"", i);
        write_vector(file, " type=\"hinge\" axis=\"%.17g %.17g %.17g\"/>", link->axis);
    }
    write_vector(file, "<inertial pos=\"%.17g %.17g %.17g\"", center);
    (void)fprintf(file, " mass=\"%.17g\"", link->mass);
    write_vector(file, " diaginertia=\"%.17g %.17g %.17g\"/>\n", link->inertia);
    for (int j = i + 1; j < m->count; j++) {
        if (m->link[j].parent == i) {
            write_body(m, j, file);
        }
    }
    (void)fputs("</body>\n", file);
}

void machine_write_mujoco(const machine *m, FILE *file)
{
    (void)fputs(head, file);
    for (int i = 0; i < m->count; i++) {
        if (m->link[i].parent < 0) {
            write_body(m, i, file);
        }
    }
    (void)fputs("</worldbody></mujoco>\n", file);
}

/* a rope, since bodies cannot be nested so deeply in a file; its first body is at rest */
void machine_write_chain_mujoco(int links, FILE *file)
{
    (void)fputs(head, file);
    (void)fprintf(file,
                  "<body name=\"B0\"><composite type=\"rope\" count=\"%d 1 1\" spacing=\"0.1\" "
                  "offset=\"%.17g 0 0\"><joint kind=\"main\" damping=\"0\"/>"
                  "<geom type=\"capsule\" size=\".01 .04\" mass=\"0.1\"/></composite></body>"
                  "</worldbody></mujoco>\n",
                  links + 1, 0.05 * links);
}
