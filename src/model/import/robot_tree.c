/* robot_tree.c - a robot as the tree of a mechanism file: a body for each link, a joint for
 * each joint, whether it carries a link or closes a loop, and forces along joints for what
 * these have: damping, dry friction, springs, ends of their range. What moves them is written by
 * robot_moved.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/number.h"
#include "linalg/rotation.h"
#include "model/import/robot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Dry friction changes its sign over this rate, rad/s or m/s. */
static const double friction_slip = 1e-3;
/* Ends of a range push back with the joint's effort limit at this part of the range. */
static const double stop_depth = 0.01;
static const double gravity = 9.81;

static bool is_any(int count, const double *value)
{
    bool any = false;
    for (int i = 0; i < count; i++) {
        any = any || value[i] != 0.0;
    }
    return any;
}

/* ---- bodies ---- */

static crank_node *tensor_node(crank_import *im, const crank_robot_link *link)
{
    const double *I = link->inertia;
    if (!is_any(3, I + 3)) {
        return crank_make_numbers(im, link->e, 3, I);
    }
    const double row[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    crank_node *rows = crank_make_list(im, link->e);
    for (int i = 0; i < 3; i++) {
        crank_make_add(im, rows, crank_make_numbers(im, link->e, 3, row[i]));
    }
    return rows;
}

static crank_node *inertia_node(crank_import *im, const crank_robot_link *link)
{
    if (!crank_frame_is_turned(link->inertial.q)) {
        return tensor_node(im, link);
    }
    crank_node *map = crank_make_map(im, link->e);
    (void)crank_make_put(im, map, "axes", crank_make_turn(im, link->e, link->inertial.q));
    (void)crank_make_put(im, map, "tensor", tensor_node(im, link));
    return map;
}

/* Ball joints and free links have no coordinate by which they could be placed. */
static bool is_placed(const crank_robot *r, const crank_robot_link *link)
{
    const crank_robot_kind kind = r->joint[link->by].kind;
    return kind == CRANK_ROBOT_FREE || kind == CRANK_ROBOT_SPHERICAL;
}

static void add_body(crank_robot *r, crank_node *bodies, const crank_robot_link *link)
{
    crank_import *im = r->im;
    crank_node *body = crank_make_map(im, link->e);
    (void)crank_make_put(im, body, "mass", crank_make_number(im, link->e, link->mass));
    (void)crank_make_put(im, body, "inertia", inertia_node(im, link));
    if (is_any(3, link->inertial.x)) {
        (void)crank_make_put(im, body, "center",
                             crank_make_numbers(im, link->e, 3, link->inertial.x));
    }
    if (is_placed(r, link)) {
        (void)crank_make_put(im, body, "position",
                             crank_make_numbers(im, link->e, 3, link->start.x));
        (void)crank_make_put(im, body, "orientation",
                             crank_make_turn(im, link->e, link->start.q));
    }
    if (r->joint[link->by].kind == CRANK_ROBOT_FREE) { /* at rest, whatever joints do */
        static const double rest[3] = {0.0, 0.0, 0.0};
        (void)crank_make_put(im, body, "velocity", crank_make_numbers(im, link->e, 3, rest));
        (void)crank_make_put(im, body, "angular_velocity",
                             crank_make_numbers(im, link->e, 3, rest));
    }
    (void)crank_make_put(im, bodies, link->name, body);
}

/* ---- joints ---- */

static const char *name_of(const crank_robot *r, int link)
{
    return link >= 0 ? r->link[link].name : "ground";
}

static crank_node *pair_node(crank_import *im, const crank_xml *e, const double first[3],
                             const double second[3])
{
    crank_node *map = crank_make_map(im, e);
    (void)crank_make_put(im, map, "first", crank_make_numbers(im, e, 3, first));
    (void)crank_make_put(im, map, "second", crank_make_numbers(im, e, 3, second));
    return map;
}

static crank_node *between_node(crank_robot *r, const crank_xml *e, int first, int second)
{
    crank_import *im = r->im;
    crank_node *list = crank_make_list(im, e);
    crank_make_add(im, list, crank_make_text(im, e, "%s", name_of(r, first)));
    crank_make_add(im, list, crank_make_text(im, e, "%s", name_of(r, second)));
    return list;
}

static void put_axes(crank_robot *r, const crank_robot_joint *joint, crank_node *map)
{
    crank_import *im = r->im;
    const bool cross = joint->kind == CRANK_ROBOT_UNIVERSAL;
    double axis[2][3], turned[4];
    crank_frame_turn(axis[0], joint->frame[0].q, joint->axis);
    crank_frame_turn(axis[1], joint->frame[1].q,
                     cross || joint->unaligned ? joint->axis2 : joint->axis);
    const double back[4] = {joint->frame[1].q[0], -joint->frame[1].q[1], -joint->frame[1].q[2],
                            -joint->frame[1].q[3]};
    if (joint->kind != CRANK_ROBOT_FIXED && joint->kind != CRANK_ROBOT_SPHERICAL) {
        (void)crank_make_put(im, map, cross ? "axes" : "axis",
                             pair_node(im, joint->e, axis[0], axis[1]));
    }
    crank_quaternion_multiply(turned, joint->frame[0].q, back);
    const bool needed = joint->kind == CRANK_ROBOT_FIXED ||
                        joint->kind == CRANK_ROBOT_PRISMATIC || crank_frame_is_turned(turned);
    if (joint->kind != CRANK_ROBOT_SPHERICAL && !cross && !joint->unaligned && needed) {
        (void)crank_make_put(im, map, "turned", crank_make_turn(im, joint->e, turned));
    }
}

static void put_rotor(crank_import *im, const crank_robot_joint *joint, crank_node *map)
{
    if (joint->rotor <= 0.0) {
        return;
    }
    if (joint->ratio == 1.0) {
        (void)crank_make_put(im, map, "rotor", crank_make_number(im, joint->e, joint->rotor));
        return;
    }
    crank_node *rotor = crank_make_put(im, map, "rotor", crank_make_map(im, joint->e));
    (void)crank_make_put(im, rotor, "inertia", crank_make_number(im, joint->e, joint->rotor));
    (void)crank_make_put(im, rotor, "ratio", crank_make_number(im, joint->e, joint->ratio));
}

static void add_joint(crank_robot *r, crank_node *joints, const crank_robot_joint *joint)
{
    static const char *const type[] = {[CRANK_ROBOT_FIXED] = "fixed",
                                       [CRANK_ROBOT_REVOLUTE] = "revolute",
                                       [CRANK_ROBOT_PRISMATIC] = "prismatic",
                                       [CRANK_ROBOT_SPHERICAL] = "spherical",
                                       [CRANK_ROBOT_PLANAR] = "planar",
                                       [CRANK_ROBOT_FREE] = NULL,
                                       [CRANK_ROBOT_CYLINDRICAL] = "cylindrical",
                                       [CRANK_ROBOT_UNIVERSAL] = "universal"};
    crank_import *im = r->im;
    if (joint->kind == CRANK_ROBOT_FREE) {
        return;
    }
    crank_node *map = crank_make_map(im, joint->e);
    (void)crank_make_put(im, map, "type",
                         crank_make_text(im, joint->e, "%s", type[joint->kind]));
    (void)crank_make_put(im, map, "between",
                         between_node(r, joint->e, joint->first, joint->second));
    (void)crank_make_put(im, map, "at",
                         pair_node(im, joint->e, joint->frame[0].x, joint->frame[1].x));
    put_axes(r, joint, map);
    if (joint->kind == CRANK_ROBOT_REVOLUTE || joint->kind == CRANK_ROBOT_PRISMATIC) {
        put_rotor(im, joint, map);
    }
    if (joint->loop) { /* a weld of two frames is no place to cut */
        const bool weld = joint->kind == CRANK_ROBOT_FIXED;
        (void)crank_make_put(im, map, "tree",
                             crank_make_text(im, joint->e, weld ? "keep" : "cut"));
    }
    (void)crank_make_put(im, joints, joint->name, map);
}

static void add_coupling(crank_robot *r, crank_node *joints, crank_robot_coupling *c)
{
    crank_import *im = r->im;
    crank_node *map = crank_make_map(im, c->e), *list = crank_make_list(im, c->e);
    char wanted[200];
    (void)snprintf(wanted, sizeof wanted, "%.150s_coupling", r->joint[c->joint[0]].name);
    c->name =
        crank_import_name(im, &r->joint_names, c->e, c->name != NULL ? c->name : wanted, -1);
    for (int i = 0; i < c->count; i++) {
        crank_make_add(im, list, crank_make_text(im, c->e, "%s", r->joint[c->joint[i]].name));
    }
    (void)crank_make_put(im, map, "type", crank_make_text(im, c->e, "coupler"));
    (void)crank_make_put(im, map, "joints", list);
    (void)crank_make_put(im, map, "factors", crank_make_numbers(im, c->e, c->count, c->factor));
    if (c->offset != 0.0) {
        (void)crank_make_put(im, map, "offset", crank_make_number(im, c->e, c->offset));
    }
    (void)crank_make_put(im, joints, c->name != NULL ? c->name : "", map);
}

static const char *coordinate(const crank_robot_joint *joint)
{
    return joint->kind == CRANK_ROBOT_PRISMATIC ? "length" : "angle";
}

/* The same with a polynomial, as an expression that is zero. */
static void add_curve(crank_robot *r, crank_node *root, crank_robot_coupling *c)
{
    crank_import *im = r->im;
    char wanted[200], other[240], number[5][CRANK_NUMBER_TEXT];
    const crank_robot_joint *one = &r->joint[c->joint[0]], *two = &r->joint[c->joint[1]];
    const double a[5] = {c->offset, -c->factor[1], c->higher[0], c->higher[1], c->higher[2]};
    for (int i = 0; i < 5; i++) {
        (void)crank_number_print(number[i], sizeof number[i], a[i] == 0.0 ? 0.0 : a[i], 0);
    }
    (void)snprintf(wanted, sizeof wanted, "%.150s_coupling", one->name);
    c->name =
        crank_import_name(im, &r->joint_names, c->e, c->name != NULL ? c->name : wanted, -1);
    (void)snprintf(other, sizeof other, "joint.%.200s.%s", two->name, coordinate(two));
    crank_node *text = crank_make_text(
        im, c->e, "joint.%s.%s - ((%s) + (%s)*%s + (%s)*%s^2 + (%s)*%s^3 + (%s)*%s^4)",
        one->name, coordinate(one), number[0], number[1], other, number[2], other, number[3],
        other, number[4], other);
    (void)crank_make_put(im, crank_make_section(im, root, "holonomic"),
                         c->name != NULL ? c->name : "", text);
}

/* ---- forces ---- */

static crank_node *force_on(crank_robot *r, crank_node *forces, const crank_robot_joint *joint,
                            const char *type, const char *ending)
{
    crank_import *im = r->im;
    char wanted[240];
    (void)snprintf(wanted, sizeof wanted, "%.200s%s", joint->name, ending);
    const char *name = crank_import_name(im, &r->bushing_names, joint->e, wanted, -1);
    crank_node *map = crank_make_map(im, joint->e);
    (void)crank_make_put(im, map, "type", crank_make_text(im, joint->e, "%s", type));
    (void)crank_make_put(im, map, "joint", crank_make_text(im, joint->e, "%s", joint->name));
    return name != NULL ? crank_make_put(im, forces, name, map) : NULL;
}

static void put_number(crank_import *im, const crank_xml *e, crank_node *map, const char *key,
                       double value)
{
    (void)crank_make_put(im, map, key, crank_make_number(im, e, value));
}

/* The effort of the joint's limit or, if there is none, what holds all that it carries. */
static double stop_effort(const crank_robot *r, const crank_robot_joint *joint)
{
    const crank_robot_link *link = joint->second >= 0 ? &r->link[joint->second] : NULL;
    if (joint->effort > 0.0 || link == NULL) {
        return joint->effort;
    }
    const double arm = joint->kind == CRANK_ROBOT_REVOLUTE ? link->reach_behind : 1.0;
    return gravity * link->mass_behind * arm;
}

void crank_robot_stop(const crank_robot *r, const crank_robot_joint *joint, double *stiffness,
                      double *damping)
{
    const double range = joint->upper - joint->lower;
    const double depth = stop_depth * range;
    *stiffness = joint->stop_stiffness;
    *damping = joint->stop_damping;
    if (*stiffness <= 0.0) {
        *stiffness = depth > 0.0 ? stop_effort(r, joint) / depth : 0.0;
        *damping = 1.0 / (joint->velocity > 0.0 ? joint->velocity : range);
    }
}

static void add_stop(crank_robot *r, crank_node *forces, const crank_robot_joint *joint)
{
    crank_import *im = r->im;
    double stiffness, damping;
    crank_robot_stop(r, joint, &stiffness, &damping);
    if (!(stiffness > 0.0) || !isfinite(stiffness) || !isfinite(damping)) {
        crank_import_find(im, joint->e,
                          "joint \"%.80s\": its limits are left out: nothing tells how hard "
                          "their ends are",
                          joint->name);
        return;
    }
    crank_node *map = force_on(r, forces, joint, "stop", "_stop");
    put_number(im, joint->e, map, "lower", joint->lower);
    put_number(im, joint->e, map, "upper", joint->upper);
    put_number(im, joint->e, map, "stiffness", stiffness);
    put_number(im, joint->e, map, "damping", damping);
}

static void add_joint_forces(crank_robot *r, crank_node *forces, const crank_robot_joint *j)
{
    crank_import *im = r->im;
    const bool turns = j->kind == CRANK_ROBOT_REVOLUTE;
    if (!turns && j->kind != CRANK_ROBOT_PRISMATIC) {
        return;
    }
    if (j->friction > 0.0) {
        crank_node *map = force_on(r, forces, j, "friction", "_friction");
        put_number(im, j->e, map, "level", j->friction);
        put_number(im, j->e, map, "slip", friction_slip);
    }
    if (j->stiffness > 0.0 || j->damping > 0.0) {
        crank_node *map = force_on(r, forces, j, turns ? "torsion" : "spring",
                                   j->stiffness > 0.0 ? "_spring" : "_damper");
        if (j->stiffness > 0.0) {
            put_number(im, j->e, map, "stiffness", j->stiffness);
            put_number(im, j->e, map, turns ? "angle" : "length", j->rest);
        }
        if (j->damping > 0.0) {
            put_number(im, j->e, map, "damping", j->damping);
        }
    }
    if (j->limited) {
        add_stop(r, forces, j);
    }
}

static void add_bushing(crank_robot *r, crank_node *forces, const crank_robot_bushing *b)
{
    crank_import *im = r->im;
    crank_node *map = crank_make_map(im, b->e);
    (void)crank_make_put(im, map, "type", crank_make_text(im, b->e, "bushing"));
    (void)crank_make_put(im, map, "between", between_node(r, b->e, b->link[0], b->link[1]));
    (void)crank_make_put(im, map, "at", pair_node(im, b->e, b->frame[0].x, b->frame[1].x));
    const double *q = b->frame[1].q, back[4] = {q[0], -q[1], -q[2], -q[3]};
    double turned[4];
    crank_quaternion_multiply(turned, b->frame[0].q, back);
    (void)crank_make_put(im, map, "orientation", crank_make_turn(im, b->e, b->frame[0].q));
    (void)crank_make_put(im, map, "turned", crank_make_turn(im, b->e, turned));
    (void)crank_make_put(im, map, "stiffness", crank_make_numbers(im, b->e, 6, b->stiffness));
    (void)crank_make_put(im, map, "damping", crank_make_numbers(im, b->e, 6, b->damping));
    (void)crank_make_put(im, forces, b->name, map);
}

/* ---- starts ---- */

static void add_start(crank_robot *r, crank_node *root, const crank_robot_joint *joint)
{
    crank_import *im = r->im;
    const bool turns = joint->kind == CRANK_ROBOT_REVOLUTE;
    if (!joint->started || (!turns && joint->kind != CRANK_ROBOT_PRISMATIC)) {
        return;
    }
    crank_node *initial = crank_make_section(im, root, "initial");
    crank_node *joints = crank_make_section(im, initial, "joints");
    crank_node *map = crank_make_put(im, joints, joint->name, crank_make_map(im, joint->e));
    put_number(im, joint->e, map, turns ? "angle" : "length", joint->start);
    if (joint->start_rate != 0.0) {
        put_number(im, joint->e, map, turns ? "angle_rate" : "length_rate", joint->start_rate);
    }
}

/* ---- view ---- */

static crank_node *shape_node(crank_import *im, const crank_robot_shape *s)
{
    crank_node *map = crank_make_map(im, s->e);
    const bool mesh = strcmp(s->kind, "mesh") == 0;
    if (mesh) {
        (void)crank_make_put(im, map, "mesh", crank_make_quoted(im, s->e, s->file));
        if (s->size[0] != 1.0) {
            put_number(im, s->e, map, "scale", s->size[0]);
        }
    } else if (s->sizes == 1) {
        put_number(im, s->e, map, s->kind, s->size[0]);
    } else {
        (void)crank_make_put(im, map, s->kind, crank_make_numbers(im, s->e, s->sizes, s->size));
    }
    if (is_any(3, s->at.x)) {
        (void)crank_make_put(im, map, "at", crank_make_numbers(im, s->e, 3, s->at.x));
    }
    if (crank_frame_is_turned(s->at.q)) {
        (void)crank_make_put(im, map, "orientation", crank_make_turn(im, s->e, s->at.q));
    }
    if (s->color != NULL) {
        (void)crank_make_put(im, map, "color", crank_make_quoted(im, s->e, s->color));
    }
    if (s->opacity < 1.0 && s->opacity > 0.0) {
        put_number(im, s->e, map, "opacity", s->opacity);
    }
    return map;
}

static void add_view(crank_robot *r, crank_node *root)
{
    crank_import *im = r->im;
    crank_node *bodies = NULL;
    for (int i = -1; i < r->link_count; i++) {
        const crank_robot_link *link = i < 0 ? &r->ground : &r->link[i];
        if (link->shape_count == 0) {
            continue;
        }
        if (bodies == NULL) {
            bodies = crank_make_section(im, crank_make_section(im, root, "view"), "bodies");
        }
        crank_node *list = crank_make_list(im, link->e);
        for (int k = 0; k < link->shape_count; k++) {
            crank_make_add(im, list, shape_node(im, &link->shape[k]));
        }
        crank_node *body = crank_make_put(im, bodies, link->name, crank_make_map(im, link->e));
        (void)crank_make_put(im, body, "shapes", list);
    }
}

/* ---- the whole ---- */

static crank_status check_masses(const crank_robot *r)
{
    for (int i = 0; i < r->link_count; i++) {
        const crank_robot_link *link = &r->link[i];
        const crank_robot_joint *joint = &r->joint[link->by];
        if (!(link->mass_behind > 0.0) && !link->closes && joint->kind != CRANK_ROBOT_FIXED &&
            !(joint->rotor > 0.0)) {
            return crank_xml_fail(r->im->err, joint->e,
                                  "joint \"%.80s\": nothing that it carries has mass, so that "
                                  "its motion is not determined; give link \"%.80s\" an "
                                  "<inertial>, or fix the joint",
                                  joint->name, link->name);
        }
    }
    return CRANK_OK;
}

static void add_forces(crank_robot *r, crank_node *root)
{
    crank_import *im = r->im;
    crank_node *forces = crank_make_map(im, NULL);
    for (int i = 0; i < r->bushing_count; i++) {
        add_bushing(r, forces, &r->bushing[i]);
    }
    for (int i = 0; i < r->joint_count; i++) {
        add_joint_forces(r, forces, &r->joint[i]);
    }
    crank_robot_moved(r, root, forces);
    if (forces != NULL && forces->count > 0) {
        (void)crank_make_put(im, root, "forces", forces);
    }
}

crank_status crank_robot_tree(crank_robot *r, const crank_node **out)
{
    crank_import *im = r->im;
    const crank_status status = check_masses(r);
    if (status != CRANK_OK) {
        return status;
    }
    crank_node *root = crank_make_map(im, NULL);
    (void)crank_make_put(im, root, "crank", crank_make_text(im, NULL, "mechanism"));
    if (r->name != NULL && r->name[0] != '\0') {
        (void)crank_make_put(im, root, "title", crank_make_quoted(im, NULL, r->name));
    }
    (void)crank_make_put(im, root, "gravity", crank_make_numbers(im, NULL, 3, r->gravity));
    crank_node *bodies = crank_make_section(im, root, "bodies");
    for (int i = 0; i < r->link_count; i++) {
        add_body(r, bodies, &r->link[i]);
    }
    crank_node *joints = crank_make_section(im, root, "joints");
    for (int i = 0; i < r->joint_count; i++) {
        add_joint(r, joints, &r->joint[i]);
    }
    for (int i = 0; i < r->coupling_count; i++) {
        if (r->coupling[i].curved) {
            add_curve(r, root, &r->coupling[i]);
        } else {
            add_coupling(r, joints, &r->coupling[i]);
        }
    }
    add_forces(r, root);
    for (int i = 0; i < r->joint_count; i++) {
        add_start(r, root, &r->joint[i]);
    }
    crank_node *simulate = crank_make_section(im, root, "simulate");
    (void)crank_make_put(im, simulate, "coordinates", crank_make_text(im, NULL, "joint"));
    add_view(r, root);
    *out = root;
    return im->store->failed ? crank_fail(im->err, CRANK_EMEM, "reading the robot") : CRANK_OK;
}
