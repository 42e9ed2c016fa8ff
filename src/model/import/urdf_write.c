/* urdf_write.c - a robot as a URDF file. Links have the frames of the joints that carry them,
 * as URDF wants it; loops are closed by <constraint>, proposed for urdfdom. A root that is
 * fixed to the ground where the ground's axes are is the root; else there is a link "world". */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/number.h"
#include "linalg/rotation.h"
#include "model/import/export.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void crank_export_numbers(crank_text *out, int count, const double *value)
{
    char text[CRANK_NUMBER_TEXT];
    for (int i = 0; i < count; i++) {
        crank_text_append(
            out, "%s%s", i > 0 ? " " : "",
            crank_number_print(text, sizeof text, value[i] == 0.0 ? 0.0 : value[i], 0));
    }
}

void crank_export_text(crank_text *out, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            crank_text_append(out, "&amp;");
            break;
        case '<':
            crank_text_append(out, "&lt;");
            break;
        case '"':
            crank_text_append(out, "&quot;");
            break;
        default:
            crank_text_append(out, "%c", (unsigned char)*text < 0x20 ? ' ' : *text);
            break;
        }
    }
}

static void put(crank_text *out, const char *before, int count, const double *value,
                const char *behind)
{
    crank_text_append(out, "%s", before);
    crank_export_numbers(out, count, value);
    crank_text_append(out, "%s", behind);
}

/* roll, pitch, yaw of a rotation */
static void rpy_of(double rpy[3], const double q[4])
{
    double R[9];
    crank_quaternion_matrix(R, q);
    rpy[0] = atan2(R[7], R[8]);
    rpy[1] = atan2(-R[6], hypot(R[0], R[3]));
    rpy[2] = atan2(R[3], R[0]);
    for (int i = 0; i < 3; i++) { /* about one axis the angle is known better */
        if (q[1 + (i + 1) % 3] == 0.0 && q[1 + (i + 2) % 3] == 0.0) {
            rpy[0] = rpy[1] = rpy[2] = 0.0;
            rpy[i] = 2.0 * atan2(q[1 + i], q[0]);
            return;
        }
    }
}

static void put_origin(crank_text *out, const char *pad, const char *name, const crank_frame *f)
{
    double rpy[3];
    rpy_of(rpy, f->q);
    crank_text_append(out, "%s<%s", pad, name);
    put(out, " xyz=\"", 3, f->x, "\"");
    put(out, " rpy=\"", 3, rpy, "\"/>\n");
}

/* a frame of a body in axes of its link */
static crank_frame in_link(const crank_robot *r, int link, const crank_frame *f)
{
    if (link < 0) {
        return *f;
    }
    const crank_frame back = crank_frame_inverse(&r->joint[r->link[link].by].frame[1]);
    return crank_frame_chain(&back, f);
}

static const char *link_name(const crank_robot *r, int link)
{
    return link >= 0 ? r->link[link].name : "world";
}

static void put_link(const crank_robot *r, crank_text *out, int i)
{
    static const char *const moment[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    const crank_robot_link *link = &r->link[i];
    crank_text_append(out, "  <link name=\"%s\"", link->name);
    if (link->mass == 0.0 && link->inertia[0] == 0.0 && link->inertia[1] == 0.0 &&
        link->inertia[2] == 0.0) {
        crank_text_append(out, "/>\n");
        return;
    }
    const crank_frame at = in_link(r, i, &link->inertial);
    crank_text_append(out, ">\n    <inertial>\n");
    put_origin(out, "      ", "origin", &at);
    put(out, "      <mass value=\"", 1, &link->mass, "\"/>\n      <inertia");
    for (int k = 0; k < 6; k++) {
        crank_text_append(out, " %s", moment[k]);
        put(out, "=\"", 1, &link->inertia[k], "\"");
    }
    crank_text_append(out, "/>\n    </inertial>\n  </link>\n");
}

/* The velocity, rad/s or m/s, of a stop without damping, or of a motor without a stop: the format
 * wants one, and zero would be read as a joint that cannot move. */
static const double no_limit = 1e9;

/* whatever a joint has besides its place */
static void put_details(const crank_robot *r, crank_text *out, int j)
{
    const crank_robot_joint *joint = &r->joint[j];
    const bool ranged =
        joint->kind == CRANK_ROBOT_REVOLUTE || joint->kind == CRANK_ROBOT_PRISMATIC;
    if (ranged && (joint->limited || joint->effort > 0.0)) {
        /* what the reader makes a stop's stiffness and damping of */
        const double range = joint->upper - joint->lower;
        const double effort = joint->limited && joint->effort <= 0.0
                                  ? 0.01 * range * joint->stop_stiffness
                                  : joint->effort;
        const double velocity =
            joint->stop_damping > 1.0 / no_limit ? 1.0 / joint->stop_damping : no_limit;
        put(out, "    <limit lower=\"", 1, &joint->lower, "\"");
        put(out, " upper=\"", 1, &joint->upper, "\"");
        put(out, " effort=\"", 1, &effort, "\"");
        put(out, " velocity=\"", 1, &velocity, "\"/>\n");
        if (joint->limited &&
            fabs(effort - 0.01 * range * joint->stop_stiffness) > 1e-9 * fabs(effort)) {
            crank_import_find(r->im, joint->e,
                              "joint \"%.80s\": its stop is harder or softer than its effort "
                              "limit tells",
                              joint->name);
        }
    }
    if (joint->damping > 0.0 || joint->friction > 0.0) {
        put(out, "    <dynamics damping=\"", 1, &joint->damping, "\"");
        put(out, " friction=\"", 1, &joint->friction, "\"/>\n");
    }
    if (joint->stiffness > 0.0) {
        crank_import_find(r->im, joint->e, "joint \"%.80s\": its spring is left out",
                          joint->name);
    }
    for (int c = 0; c < r->coupling_count; c++) {
        const crank_robot_coupling *k = &r->coupling[c];
        if (k->joint[0] == j && k->count == 2) {
            const double factor = -k->factor[1] / k->factor[0];
            const double offset = k->offset / k->factor[0];
            crank_text_append(out, "    <mimic joint=\"%s\"", r->joint[k->joint[1]].name);
            put(out, " multiplier=\"", 1, &factor, "\"");
            put(out, " offset=\"", 1, &offset, "\"/>\n");
        }
    }
}

static const char *type_of(const crank_robot_joint *joint)
{
    static const char *const type[] = {
        [CRANK_ROBOT_FIXED] = "fixed",         [CRANK_ROBOT_REVOLUTE] = "revolute",
        [CRANK_ROBOT_PRISMATIC] = "prismatic", [CRANK_ROBOT_SPHERICAL] = "spherical",
        [CRANK_ROBOT_PLANAR] = "planar",       [CRANK_ROBOT_FREE] = "floating",
        [CRANK_ROBOT_CYLINDRICAL] = "",        [CRANK_ROBOT_UNIVERSAL] = ""};
    return joint->kind == CRANK_ROBOT_REVOLUTE && !joint->limited ? "continuous"
                                                                  : type[joint->kind];
}

static void put_joint(const crank_robot *r, crank_text *out, int j)
{
    const crank_robot_joint *joint = &r->joint[j];
    const char *parent = link_name(r, joint->first), *child = link_name(r, joint->second);
    const crank_frame at = in_link(r, joint->first, &joint->frame[0]);
    const crank_frame on = in_link(r, joint->second, &joint->frame[1]);
    const char *tag = joint->loop ? "constraint" : "joint";
    crank_text_append(out, "  <%s name=\"%s\" type=\"%s\">\n", tag, joint->name,
                      type_of(joint));
    crank_text_append(out, "    <parent link=\"%s\"/>\n    <child link=\"%s\"/>\n", parent,
                      child);
    put_origin(out, "    ", joint->loop ? "parent_origin" : "origin", &at);
    if (joint->loop) {
        put_origin(out, "    ", "child_origin", &on);
    }
    if (joint->kind != CRANK_ROBOT_FIXED && joint->kind != CRANK_ROBOT_SPHERICAL &&
        joint->kind != CRANK_ROBOT_FREE) {
        put(out, joint->loop ? "    <parent_axis xyz=\"" : "    <axis xyz=\"", 3, joint->axis,
            "\"/>\n");
        if (joint->loop) {
            put(out, "    <child_axis xyz=\"", 3, joint->axis, "\"/>\n");
        }
    }
    put_details(r, out, j);
    crank_text_append(out, "  </%s>\n", tag);
    if (!joint->loop && joint->kind == CRANK_ROBOT_SPHERICAL) {
        crank_import_find(r->im, joint->e,
                          "joint \"%.80s\": a ball joint is no type of URDF; crank reads it",
                          joint->name);
    }
}

static void put_motor(const crank_robot *r, crank_text *out, int joint, const char *name)
{
    const crank_robot_joint *j = &r->joint[joint];
    crank_text_append(out,
                      "  <transmission name=\"%s_transmission\">\n"
                      "    <type>transmission_interface/SimpleTransmission</type>\n"
                      "    <joint name=\"%s\"/>\n    <actuator name=\"%s\">\n",
                      name, j->name, name);
    put(out, "      <mechanicalReduction>", 1, &j->ratio, "</mechanicalReduction>\n");
    if (j->rotor > 0.0) {
        put(out, "      <rotorInertia>", 1, &j->rotor, "</rotorInertia>\n");
    }
    crank_text_append(out, "    </actuator>\n  </transmission>\n");
}

/* the root, if it lies in the ground as a root does; -1: "world" is one */
static int find_root(const crank_robot *r)
{
    int root = -1, ground = 0;
    for (int j = 0; j < r->joint_count; j++) {
        const crank_robot_joint *joint = &r->joint[j];
        const crank_frame none = crank_frame_none;
        char name[200];
        if (joint->first >= 0 && joint->second >= 0) {
            continue;
        }
        ground++;
        (void)snprintf(name, sizeof name, "%.180s_to_ground",
                       joint->second >= 0 ? r->link[joint->second].name : "");
        if (!joint->loop && joint->kind == CRANK_ROBOT_FIXED &&
            strcmp(joint->name, name) == 0 &&
            memcmp(&joint->frame[0], &none, sizeof none) == 0) {
            root = j;
        }
    }
    return ground == 1 ? root : -1;
}

void crank_urdf_write(const crank_robot *r, crank_text *out)
{
    static const double usual = -9.81;
    const int root = find_root(r);
    crank_text_append(out, "<?xml version=\"1.0\"?>\n<robot name=\"");
    crank_export_text(out, r->name);
    crank_text_append(out, "\">\n");
    if (root < 0) {
        crank_text_append(out, "  <link name=\"world\"/>\n");
    }
    for (int i = 0; i < r->link_count; i++) {
        put_link(r, out, i);
    }
    for (int j = 0; j < r->joint_count; j++) {
        if (j != root) {
            put_joint(r, out, j);
        }
    }
    for (int k = 0; k < r->motor_count; k++) {
        put_motor(r, out, r->motor[k].joint, r->motor[k].name);
        if (r->motor[k].kp > 0.0) {
            crank_import_find(r->im, r->motor[k].e, "the controller of \"%.80s\" is left out",
                              r->motor[k].name);
        }
    }
    for (int j = 0; j < r->joint_count; j++) {
        bool has = r->joint[j].rotor <= 0.0;
        for (int k = 0; k < r->motor_count; k++) {
            has = has || r->motor[k].joint == j;
        }
        if (!has) {
            put_motor(r, out, j, crank_store_print(r->im->store, "%s_rotor", r->joint[j].name));
        }
    }
    const bool other = r->gravity[0] != 0.0 || r->gravity[1] != 0.0 || r->gravity[2] != usual;
    if (other && r->link_count > 0) {
        crank_import_find(r->im, r->link[0].e, "gravity is left out: URDF has none");
    }
    crank_text_append(out, "</robot>\n");
}
