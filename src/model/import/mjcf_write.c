/* mjcf_write.c - a robot as an MJCF file: bodies in each other, loops by equalities. A link
 * without mass that carries one other link has its joint in that body: MuJoCo wants no such
 * bodies. Hinges that close loops are two connects, in a distance of the robot's size. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/number.h"
#include "linalg/rotation.h"
#include "model/import/export.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put(crank_text *out, const char *before, int count, const double *value)
{
    crank_text_append(out, " %s=\"", before);
    crank_export_numbers(out, count, value);
    crank_text_append(out, "\"");
}

static void put_frame(crank_text *out, const crank_frame *f)
{
    if (f->x[0] != 0.0 || f->x[1] != 0.0 || f->x[2] != 0.0) {
        put(out, "pos", 3, f->x);
    }
    if (crank_frame_is_turned(f->q)) {
        put(out, "quat", 4, f->q);
    }
}

/* where a body lies in the one that carries it, coordinates zero */
static crank_frame lies(const crank_robot_joint *joint)
{
    const crank_frame back = crank_frame_inverse(&joint->frame[1]);
    return crank_frame_chain(&joint->frame[0], &back);
}

static int carried(const crank_robot *r, int link, int *one)
{
    int count = 0;
    for (int i = 0; i < r->link_count; i++) {
        if (r->joint[r->link[i].by].first == link) {
            *one = i;
            count++;
        }
    }
    return count;
}

static bool is_hollow(const crank_robot *r, int link)
{
    int one = -1;
    const crank_robot_kind kind =
        link >= 0 ? r->joint[r->link[link].by].kind : CRANK_ROBOT_FREE;
    bool tied = false;
    for (int j = 0; j < r->joint_count && link >= 0; j++) {
        tied = tied ||
               (r->joint[j].loop && (r->joint[j].first == link || r->joint[j].second == link));
    }
    return link >= 0 && !tied && r->link[link].mass == 0.0 && kind != CRANK_ROBOT_FIXED &&
           kind != CRANK_ROBOT_FREE && carried(r, link, &one) == 1 &&
           r->joint[r->link[one].by].kind != CRANK_ROBOT_FIXED;
}

/* MJCF does not say how hard the ends of a range are: is that what its reader takes anyway? */
static void look_at_stop(const crank_robot *r, const crank_robot_joint *joint)
{
    crank_robot_joint bare = *joint;
    double given[2], taken[2];
    bare.stop_stiffness = bare.velocity = 0.0;
    bare.effort = joint->motor ? joint->effort : 0.0;
    crank_robot_stop(r, joint, &given[0], &given[1]);
    crank_robot_stop(r, &bare, &taken[0], &taken[1]);
    if (fabs(given[0] - taken[0]) > 1e-9 * given[0] ||
        fabs(given[1] - taken[1]) > 1e-9 * given[1]) {
        crank_import_find(
            r->im, joint->e,
            "joint \"%.80s\": stiffness and damping of its stop are left out: MJCF "
            "has none of its own",
            joint->name);
    }
}

/* at: the joint's second body in axes of the body that it is written in */
static void put_joint(const crank_robot *r, crank_text *out, int depth,
                      const crank_robot_joint *joint, const crank_frame *at)
{
    static const char *const type[] = {
        [CRANK_ROBOT_FIXED] = NULL,        [CRANK_ROBOT_REVOLUTE] = "hinge",
        [CRANK_ROBOT_PRISMATIC] = "slide", [CRANK_ROBOT_SPHERICAL] = "ball",
        [CRANK_ROBOT_PLANAR] = NULL,       [CRANK_ROBOT_FREE] = "free",
        [CRANK_ROBOT_CYLINDRICAL] = NULL,  [CRANK_ROBOT_UNIVERSAL] = NULL};
    if (joint->kind == CRANK_ROBOT_FIXED) {
        return;
    }
    if (type[joint->kind] == NULL) {
        crank_import_find(r->im, joint->e,
                          "joint \"%.80s\" is written as fixed: MJCF has no planar joints",
                          joint->name);
        return;
    }
    const crank_frame frame = crank_frame_chain(at, &joint->frame[1]);
    double axis[3];
    crank_frame_turn(axis, frame.q, joint->axis);
    crank_text_append(out, "%*s<joint name=\"%s\" type=\"%s\"", 2 * depth, "", joint->name,
                      type[joint->kind]);
    if (joint->kind != CRANK_ROBOT_FREE) {
        put(out, "pos", 3, frame.x);
    }
    if (joint->kind == CRANK_ROBOT_REVOLUTE || joint->kind == CRANK_ROBOT_PRISMATIC) {
        const double range[2] = {joint->lower, joint->upper};
        const double armature = joint->rotor * joint->ratio * joint->ratio;
        put(out, "axis", 3, axis);
        if (joint->limited) {
            put(out, "range", 2, range);
            look_at_stop(r, joint);
        }
        if (joint->damping > 0.0) {
            put(out, "damping", 1, &joint->damping);
        }
        if (joint->stiffness > 0.0) {
            put(out, "stiffness", 1, &joint->stiffness);
            put(out, "springref", 1, &joint->rest);
        }
        if (joint->friction > 0.0) {
            put(out, "frictionloss", 1, &joint->friction);
        }
        if (armature > 0.0) {
            put(out, "armature", 1, &armature);
        }
    }
    crank_text_append(out, "/>\n");
}

static void put_body(const crank_robot *r, crank_text *out, int link, int depth)
{
    const crank_robot_link *l = &r->link[link];
    enum { CHAIN = 8 };
    int chain[CHAIN], count = 0, on = link;
    do { /* from the body to the one that carries the first of its joints */
        chain[count++] = on;
        on = r->joint[r->link[on].by].first;
    } while (count < CHAIN && is_hollow(r, on));
    crank_frame pose = crank_frame_none;
    for (int k = count - 1; k >= 0; k--) {
        const crank_frame next = lies(&r->joint[r->link[chain[k]].by]);
        pose = crank_frame_chain(&pose, &next);
    }
    crank_text_append(out, "%*s<body name=\"%s\"", 2 * depth, "", l->name);
    put_frame(out, &pose);
    crank_text_append(out, ">\n");
    for (int k = count - 1; k >= 0; k--) {
        crank_frame at = crank_frame_none; /* chain[k] in axes of the body */
        for (int i = 0; i < k; i++) {
            const crank_frame step = lies(&r->joint[r->link[chain[i]].by]);
            const crank_frame back = crank_frame_inverse(&step);
            at = crank_frame_chain(&at, &back);
        }
        put_joint(r, out, depth + 1, &r->joint[r->link[chain[k]].by], &at);
    }
    if (l->mass > 0.0) {
        crank_text_append(out, "%*s<inertial", 2 * depth + 2, "");
        put(out, "pos", 3, l->inertial.x);
        if (crank_frame_is_turned(l->inertial.q)) {
            put(out, "quat", 4, l->inertial.q);
        }
        put(out, "mass", 1, &l->mass);
        const bool full = l->inertia[3] != 0.0 || l->inertia[4] != 0.0 || l->inertia[5] != 0.0;
        put(out, full ? "fullinertia" : "diaginertia", full ? 6 : 3, l->inertia);
        crank_text_append(out, "/>\n");
    }
    for (int i = 0; i < r->link_count; i++) {
        int next = i;
        if (r->joint[r->link[i].by].first != link) {
            continue;
        }
        while (is_hollow(r, next)) {
            (void)carried(r, next, &next);
        }
        put_body(r, out, next, depth + 1);
    }
    crank_text_append(out, "%*s</body>\n", 2 * depth, "");
}

static double size_of(const crank_robot *r)
{
    double size = 0.0;
    for (int i = 0; i < r->link_count; i++) {
        size = fmax(size, r->link[i].reach_behind);
    }
    return size > 0.0 ? size : 1.0;
}

static const char *body_name(const crank_robot *r, int link)
{
    return link >= 0 ? r->link[link].name : "world";
}

static void put_connect(const crank_robot *r, crank_text *out, const crank_robot_joint *joint,
                        const char *ending, int first, const double anchor[3])
{
    const int one = first == 0 ? joint->first : joint->second;
    const int other = first == 0 ? joint->second : joint->first;
    crank_text_append(out, "    <connect name=\"%s%s\" body1=\"%s\"", joint->name, ending,
                      body_name(r, one));
    if (other >= 0) {
        crank_text_append(out, " body2=\"%s\"", body_name(r, other));
    }
    put(out, "anchor", 3, anchor);
    crank_text_append(out, "/>\n");
}

static void put_loop(const crank_robot *r, crank_text *out, const crank_robot_joint *joint)
{
    const int first = joint->first >= 0 ? 0 : 1; /* body1 is not the world */
    const double *at = joint->frame[first].x;
    if (joint->kind == CRANK_ROBOT_FIXED) {
        const crank_frame lie = lies(joint), back = crank_frame_inverse(&lie);
        const crank_frame *pose = first == 0 ? &lie : &back;
        const double all[7] = {pose->x[0], pose->x[1], pose->x[2], pose->q[0],
                               pose->q[1], pose->q[2], pose->q[3]};
        const int other = first == 0 ? joint->second : joint->first;
        crank_text_append(out, "    <weld name=\"%s\" body1=\"%s\"", joint->name,
                          body_name(r, first == 0 ? joint->first : joint->second));
        if (other >= 0) {
            crank_text_append(out, " body2=\"%s\"", body_name(r, other));
        }
        put(out, "relpose", 7, all);
        crank_text_append(out, "/>\n");
        return;
    }
    if (joint->kind != CRANK_ROBOT_SPHERICAL && joint->kind != CRANK_ROBOT_REVOLUTE) {
        crank_import_find(r->im, joint->e,
                          "joint \"%.80s\" is left out: MJCF closes loops by balls, hinges "
                          "(two connects) and welds",
                          joint->name);
        return;
    }
    put_connect(r, out, joint, "", first, at);
    if (joint->kind == CRANK_ROBOT_REVOLUTE) {
        double axis[3], anchor[3] = {at[0], at[1], at[2]};
        crank_frame_turn(axis, joint->frame[first].q, joint->axis);
        crank_add3(anchor, (first == 0 ? 1.0 : -1.0) * 0.1 * size_of(r), axis);
        put_connect(r, out, joint, "_axis", first, anchor);
        if (joint->limited || joint->damping > 0.0 || joint->friction > 0.0 ||
            joint->stiffness > 0.0 || joint->rotor > 0.0) {
            crank_import_find(r->im, joint->e,
                              "joint \"%.80s\": what acts along it is left out: an equality "
                              "has no coordinate",
                              joint->name);
        }
    }
}

static void put_ties(const crank_robot *r, crank_text *out)
{
    crank_text_append(out, "  <equality>\n");
    for (int j = 0; j < r->joint_count; j++) {
        if (r->joint[j].loop) {
            put_loop(r, out, &r->joint[j]);
        }
    }
    for (int c = 0; c < r->coupling_count; c++) {
        const crank_robot_coupling *k = &r->coupling[c];
        const double poly[5] = {k->offset / k->factor[0],
                                k->count > 1 ? -k->factor[1] / k->factor[0] : 0.0, 0.0, 0.0,
                                0.0};
        crank_text_append(out, "    <joint name=\"%s\" joint1=\"%s\"", k->name,
                          r->joint[k->joint[0]].name);
        if (k->count > 1) {
            crank_text_append(out, " joint2=\"%s\"", r->joint[k->joint[1]].name);
        }
        put(out, "polycoef", 5, poly);
        crank_text_append(out, "/>\n");
    }
    crank_text_append(out, "  </equality>\n");
}

static void put_motors(const crank_robot *r, crank_text *out)
{
    crank_text_append(out, "  <actuator>\n");
    for (int k = 0; k < r->motor_count; k++) {
        const crank_robot_motor *m = &r->motor[k];
        const double range[2] = {-m->upper, m->upper}, bias[3] = {0.0, -m->kp, -m->kd};
        const bool damped = m->kp > 0.0 && m->kd > 0.0; /* MuJoCo knows kv since 3.0 */
        crank_text_append(out, "    <%s name=\"%s\" joint=\"%s\"",
                          damped        ? "general"
                          : m->rate     ? "velocity"
                          : m->kp > 0.0 ? "position"
                                        : "motor",
                          m->name, r->joint[m->joint].name);
        if (m->kp > 0.0) {
            put(out, damped ? "gainprm" : m->rate ? "kv" : "kp", 1, &m->kp);
        }
        if (damped) {
            crank_text_append(out, " biastype=\"affine\"");
            put(out, "biasprm", 3, bias);
        }
        if (m->limited) {
            put(out, m->kp > 0.0 ? "forcerange" : "ctrlrange", 2, range);
        }
        crank_text_append(out, "/>\n");
    }
    crank_text_append(out, "  </actuator>\n");
}

void crank_mjcf_write(const crank_robot *r, crank_text *out)
{
    bool ties = r->coupling_count > 0;
    crank_text_append(out, "<mujoco model=\"");
    crank_export_text(out, r->name);
    crank_text_append(out, "\">\n  <compiler angle=\"radian\" autolimits=\"true\"/>\n");
    crank_text_append(out, "  <option");
    put(out, "gravity", 3, r->gravity);
    crank_text_append(out, "/>\n  <worldbody>\n");
    for (int i = 0; i < r->link_count; i++) {
        int next = i;
        if (r->joint[r->link[i].by].first >= 0) {
            continue;
        }
        while (is_hollow(r, next)) {
            (void)carried(r, next, &next);
        }
        put_body(r, out, next, 2);
    }
    crank_text_append(out, "  </worldbody>\n");
    for (int j = 0; j < r->joint_count; j++) {
        ties = ties || r->joint[j].loop;
    }
    if (ties) {
        put_ties(r, out);
    }
    if (r->motor_count > 0) {
        put_motors(r, out);
    }
    crank_text_append(out, "</mujoco>\n");
}
