/* urdf.c - robots from URDF files: links, joints, transmissions; docs/formats.md, "URDF".
 *
 * A joint's frame is that of its child link: it lies at <origin> in the parent, and its axis is
 * given in it. The root of the tree is fixed to the ground, unless it is called "world", which
 * is the ground. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/urdf.h"

#include "base/then.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

crank_status crank_urdf_origin(crank_robot *r, const crank_xml *e, crank_frame *out)
{
    double rpy[3] = {0.0, 0.0, 0.0};
    *out = crank_frame_none;
    if (e == NULL) {
        return CRANK_OK;
    }
    crank_status status = crank_xml_numbers(e, "xyz", 3, out->x, r->im->err);
    CRANK_THEN(status, crank_xml_numbers(e, "rpy", 3, rpy, r->im->err));
    crank_frame_rpy(out->q, rpy);
    return status;
}

/* ---- links ---- */

static crank_status read_inertial(crank_robot *r, const crank_xml *e, crank_robot_link *link)
{
    static const char *const moment[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    crank_error *err = r->im->err;
    const crank_xml *mass = crank_xml_child(e, "mass"),
                    *inertia = crank_xml_child(e, "inertia");
    crank_status status = crank_urdf_origin(r, crank_xml_child(e, "origin"), &link->inertial);
    if (status == CRANK_OK && (mass == NULL || inertia == NULL)) {
        return crank_xml_fail(err, e, "link \"%.80s\": <inertial> has no <%s>", link->name,
                              mass == NULL ? "mass" : "inertia");
    }
    CRANK_THEN(status, crank_xml_numbers(mass, "value", 1, &link->mass, err));
    for (int i = 0; i < 6; i++) {
        CRANK_THEN(status, crank_xml_numbers(inertia, moment[i], 1, &link->inertia[i], err));
    }
    if (status == CRANK_OK && !(link->mass >= 0.0)) {
        return crank_xml_fail(err, mass, "link \"%.80s\": its mass is %g", link->name,
                              link->mass);
    }
    return status;
}

static crank_status read_links(crank_robot *r, const crank_xml *robot)
{
    for (const crank_xml *e = crank_xml_child(robot, "link"); e != NULL;
         e = crank_xml_next(e, "link")) {
        const char *name = crank_xml_get(e, "name");
        if (name == NULL) {
            return crank_xml_fail(r->im->err, e, "<link> has no name");
        }
        crank_robot_link *link = crank_robot_add_link(r, e, name);
        if (link == NULL) {
            return CRANK_EMODEL;
        }
        (void)crank_xml_get(e, "type");
        const crank_xml *inertial = crank_xml_child(e, "inertial");
        crank_status status = inertial != NULL ? read_inertial(r, inertial, link) : CRANK_OK;
        CRANK_THEN(status, crank_urdf_visuals(r, robot, link));
        if (status != CRANK_OK) {
            return status;
        }
    }
    return r->link_count > 0 ? CRANK_OK
                             : crank_xml_fail(r->im->err, robot, "<robot> has no <link>");
}

/* ---- joints ---- */

crank_status crank_urdf_joint_type(crank_robot *r, const crank_xml *e, crank_robot_joint *joint)
{
    static const struct {
        const char *name;
        crank_robot_kind kind;
    } types[] = {
        {"revolute", CRANK_ROBOT_REVOLUTE},   {"continuous", CRANK_ROBOT_REVOLUTE},
        {"prismatic", CRANK_ROBOT_PRISMATIC}, {"fixed", CRANK_ROBOT_FIXED},
        {"floating", CRANK_ROBOT_FREE},       {"planar", CRANK_ROBOT_PLANAR},
        {"spherical", CRANK_ROBOT_SPHERICAL}, {"ball", CRANK_ROBOT_SPHERICAL},
        {"universal", CRANK_ROBOT_UNIVERSAL}, {"cylindrical", CRANK_ROBOT_CYLINDRICAL}};
    const char *type = crank_xml_get(e, "type");
    for (size_t i = 0; type != NULL && i < sizeof types / sizeof *types; i++) {
        if (strcmp(type, types[i].name) == 0) {
            joint->kind = types[i].kind;
            return CRANK_OK;
        }
    }
    return type == NULL ? crank_xml_fail(r->im->err, e, "<%.40s>: \"%.80s\" has no type",
                                         e->name, joint->name)
                        : crank_xml_fail(
                              r->im->err, e,
                              "<%.40s>: \"%.80s\" has the type \"%.40s\"; known are revolute, "
                              "continuous, prismatic, fixed, floating, planar, spherical, "
                              "universal, cylindrical",
                              e->name, joint->name, type);
}

static crank_status read_limit(crank_robot *r, const crank_xml *e, crank_robot_joint *joint)
{
    crank_error *err = r->im->err;
    const bool ranged =
        joint->kind == CRANK_ROBOT_REVOLUTE || joint->kind == CRANK_ROBOT_PRISMATIC;
    crank_status status = crank_xml_numbers(e, "lower", 1, &joint->lower, err);
    CRANK_THEN(status, crank_xml_numbers(e, "upper", 1, &joint->upper, err));
    CRANK_THEN(status, crank_xml_numbers(e, "effort", 1, &joint->effort, err));
    CRANK_THEN(status, crank_xml_numbers(e, "velocity", 1, &joint->velocity, err));
    if (status != CRANK_OK) {
        return status;
    }
    if (joint->lower > joint->upper) {
        return crank_xml_fail(err, e, "joint \"%.80s\": lower, %g, is above upper, %g",
                              joint->name, joint->lower, joint->upper);
    }
    /* a continuous joint has no ends; neither has one with both at zero, as some exporters
     * write it */
    const char *type = crank_xml_get(joint->e, "type");
    joint->limited = ranged && type != NULL && strcmp(type, "continuous") != 0 &&
                     joint->lower < joint->upper;
    if (ranged && !joint->limited && type != NULL && strcmp(type, "continuous") != 0) {
        crank_import_find(r->im, e, "joint \"%.80s\": its range is empty and is left out",
                          joint->name);
    }
    return CRANK_OK;
}

crank_status crank_urdf_joint_details(crank_robot *r, const crank_xml *e,
                                      crank_robot_joint *joint)
{
    crank_error *err = r->im->err;
    const crank_xml *limit = crank_xml_child(e, "limit");
    const crank_xml *dynamics = crank_xml_child(e, "dynamics");
    crank_status status = limit != NULL ? read_limit(r, limit, joint) : CRANK_OK;
    if (dynamics == NULL || status != CRANK_OK) {
        return status;
    }
    status = crank_xml_numbers(dynamics, "damping", 1, &joint->damping, err);
    CRANK_THEN(status, crank_xml_numbers(dynamics, "friction", 1, &joint->friction, err));
    if (status == CRANK_OK && (joint->damping < 0.0 || joint->friction < 0.0)) {
        return crank_xml_fail(err, dynamics, "joint \"%.80s\": damping or friction below zero",
                              joint->name);
    }
    const bool along =
        joint->kind == CRANK_ROBOT_REVOLUTE || joint->kind == CRANK_ROBOT_PRISMATIC;
    if (status == CRANK_OK && !along && (joint->damping > 0.0 || joint->friction > 0.0)) {
        crank_import_find(r->im, dynamics,
                          "joint \"%.80s\": damping and friction are left out, it has not one "
                          "coordinate",
                          joint->name);
    }
    return status;
}

static crank_status read_ends(crank_robot *r, const crank_xml *e, crank_robot_joint *joint)
{
    const crank_xml *parent = crank_xml_child(e, "parent"),
                    *child = crank_xml_child(e, "child");
    if (parent == NULL || child == NULL) {
        return crank_xml_fail(r->im->err, e, "joint \"%.80s\" has no <%s>", joint->name,
                              parent == NULL ? "parent" : "child");
    }
    crank_status status =
        crank_robot_find_link(r, parent, crank_xml_get(parent, "link"), &joint->first);
    CRANK_THEN(status,
               crank_robot_find_link(r, child, crank_xml_get(child, "link"), &joint->second));
    return status;
}

static crank_status read_joints(crank_robot *r, const crank_xml *robot)
{
    for (const crank_xml *e = crank_xml_child(robot, "joint"); e != NULL;
         e = crank_xml_next(e, "joint")) {
        const char *name = crank_xml_get(e, "name");
        if (name == NULL) {
            return crank_xml_fail(r->im->err, e, "<joint> has no name");
        }
        crank_robot_joint *joint = crank_robot_add_joint(r, e, name);
        if (joint == NULL) {
            return CRANK_EMODEL;
        }
        const crank_xml *axis = crank_xml_child(e, "axis");
        crank_status status = crank_urdf_joint_type(r, e, joint);
        (void)crank_xml_get(e, "independent"); /* of URDF+: which coordinates decide */
        if (status == CRANK_OK && joint->kind == CRANK_ROBOT_UNIVERSAL) {
            status = crank_xml_fail(r->im->err, e,
                                    "joint \"%.80s\": a universal joint has two axes; write "
                                    "two revolute ones, or close a loop by <constraint>",
                                    joint->name);
        }
        CRANK_THEN(status, read_ends(r, e, joint));
        CRANK_THEN(status,
                   crank_urdf_origin(r, crank_xml_child(e, "origin"), &joint->frame[0]));
        if (status == CRANK_OK && axis != NULL) {
            status = crank_robot_unit(r, axis, "xyz", joint->axis);
        }
        CRANK_THEN(status, crank_urdf_joint_details(r, e, joint));
        if (status != CRANK_OK) {
            return status;
        }
    }
    return CRANK_OK;
}

/* ---- what refers to joints ---- */

static crank_status read_mimics(crank_robot *r)
{
    const int count = r->joint_count;
    for (int j = 0; j < count; j++) {
        const crank_xml *e = crank_xml_child(r->joint[j].e, "mimic");
        int other = -1;
        if (e == NULL) {
            continue;
        }
        crank_robot_coupling *c = crank_robot_add_coupling(r, e);
        if (c == NULL) {
            return CRANK_EMEM;
        }
        c->count = 2;
        c->factor[0] = 1.0;
        double multiplier = 1.0;
        crank_status status = crank_robot_find_joint(r, e, crank_xml_get(e, "joint"), &other);
        CRANK_THEN(status, crank_xml_numbers(e, "multiplier", 1, &multiplier, r->im->err));
        CRANK_THEN(status, crank_xml_numbers(e, "offset", 1, &c->offset, r->im->err));
        if (status != CRANK_OK) {
            return status;
        }
        c->joint[0] = j;
        c->joint[1] = other;
        c->factor[1] = -multiplier;
        for (int k = 0; k < 2; k++) {
            const crank_robot_kind kind = r->joint[c->joint[k]].kind;
            if (other == j || (kind != CRANK_ROBOT_REVOLUTE && kind != CRANK_ROBOT_PRISMATIC)) {
                return crank_xml_fail(r->im->err, e,
                                      "joint \"%.80s\" mimics \"%.80s\": both must be "
                                      "revolute or prismatic, and not the same",
                                      r->joint[j].name, r->joint[other].name);
            }
        }
    }
    return CRANK_OK;
}

/* text of <mechanicalReduction>, or the attribute value of an element of Drake's */
static crank_status read_value(crank_robot *r, const crank_xml *e, const char *name,
                               double *out)
{
    const crank_xml *child = crank_xml_child(e, name);
    if (child == NULL) {
        return CRANK_OK;
    }
    if (crank_xml_get(child, "value") != NULL) {
        return crank_xml_numbers(child, "value", 1, out, r->im->err);
    }
    crank_xml_attribute text = {.name = "text",
                                .value = child->text != NULL ? child->text : ""};
    crank_xml shown = *child;
    shown.attribute = &text;
    shown.attribute_count = 1;
    return crank_xml_numbers(&shown, "text", 1, out, r->im->err);
}

static crank_status read_transmission(crank_robot *r, const crank_xml *e)
{
    const crank_xml *of = crank_xml_child(e, "joint"), *by = crank_xml_child(e, "actuator");
    (void)crank_xml_get(e, "name");
    const crank_xml *type = crank_xml_child(e, "type");
    if (type != NULL && type->text != NULL &&
        strstr(type->text, "SimpleTransmission") == NULL) {
        crank_import_find(r->im, type,
                          "transmission of type \"%.80s\": only simple ones are read",
                          type->text);
        return CRANK_OK;
    }
    if (of == NULL) {
        return crank_xml_fail(r->im->err, e, "<transmission> has no <joint>");
    }
    int number = -1;
    const char *joined = crank_xml_get(of, "name");
    crank_status status = crank_robot_find_joint(r, of, joined, &number);
    if (status == CRANK_EMODEL && joined != NULL) { /* most programs do not read them at all */
        *r->im->err = (crank_error){0};
        crank_import_find(r->im, e, "a transmission is left out: there is no joint \"%.80s\"",
                          joined);
        return CRANK_OK;
    }
    if (status != CRANK_OK || by == NULL) {
        return status;
    }
    crank_robot_joint *joint = &r->joint[number];
    double reduction = 1.0, inertia = 0.0;
    status = read_value(r, by, "mechanicalReduction", &reduction);
    CRANK_THEN(status, read_value(r, of, "mechanicalReduction", &reduction));
    CRANK_THEN(status, read_value(r, by, "drake:gear_ratio", &reduction));
    CRANK_THEN(status, read_value(r, by, "drake:rotor_inertia", &inertia));
    CRANK_THEN(status, read_value(r, by, "rotorInertia", &inertia));
    if (status != CRANK_OK) {
        return status;
    }
    if (!(reduction != 0.0) || !(inertia >= 0.0)) {
        return crank_xml_fail(r->im->err, by, "<transmission>: reduction %g, rotor inertia %g",
                              reduction, inertia);
    }
    if (joint->kind != CRANK_ROBOT_REVOLUTE && joint->kind != CRANK_ROBOT_PRISMATIC) {
        crank_import_find(r->im, e,
                          "the motor of joint \"%.80s\" is left out: it has not one "
                          "coordinate",
                          joint->name);
        return CRANK_OK;
    }
    joint->rotor = inertia;
    joint->ratio = reduction;
    const char *name = crank_xml_get(by, "name");
    crank_robot_motor *motor = crank_robot_add_motor(r, by, name);
    if (motor == NULL) {
        return CRANK_EMEM;
    }
    motor->joint = number; /* its input is the torque behind the gear */
    motor->limited = joint->effort > 0.0;
    motor->upper = joint->effort;
    motor->lower = -joint->effort;
    return CRANK_OK;
}

/* ---- the root, and where joints start ---- */

/* "world" is the ground: what refers to it does so to that. */
static void drop_world(crank_robot *r, int world)
{
    for (int j = 0; j < r->joint_count; j++) {
        crank_robot_joint *joint = &r->joint[j];
        int *const end[2] = {&joint->first, &joint->second};
        for (int k = 0; k < 2; k++) {
            *end[k] = *end[k] == world  ? CRANK_ROBOT_GROUND
                      : *end[k] > world ? *end[k] - 1
                                        : *end[k];
        }
    }
    for (int b = 0; b < r->bushing_count; b++) {
        for (int k = 0; k < 2; k++) {
            int *end = &r->bushing[b].link[k];
            *end = *end == world ? CRANK_ROBOT_GROUND : *end > world ? *end - 1 : *end;
        }
    }
    for (int i = world; i + 1 < r->link_count; i++) {
        r->link[i] = r->link[i + 1];
    }
    r->link_count--;
}

static crank_status fix_root(crank_robot *r, const crank_xml *robot)
{
    int root = -1;
    bool *carried = crank_store_take(r->im->store, (size_t)r->link_count, sizeof *carried);
    for (int j = 0; j < r->joint_count && carried != NULL; j++) {
        carried[r->joint[j].second] = carried[r->joint[j].second] || !r->joint[j].loop;
    }
    for (int i = 0; i < r->link_count; i++) {
        if (carried != NULL && carried[i]) {
            continue;
        }
        if (root >= 0) {
            return crank_xml_fail(r->im->err, r->link[i].e,
                                  "links \"%.80s\" (line %d) and \"%.80s\" both hang on "
                                  "nothing; a robot has one root",
                                  r->link[root].name, r->link[root].e->line, r->link[i].name);
        }
        root = i;
    }
    if (root < 0) {
        return crank_xml_fail(r->im->err, robot,
                              "every link hangs on another one: joints go round in a circle");
    }
    if (strcmp(r->link[root].name, "world") == 0 && r->link[root].mass == 0.0 &&
        r->link[root].shape_count == 0) {
        drop_world(r, root);
        return CRANK_OK;
    }
    const char *name = crank_store_print(r->im->store, "%s_to_ground", r->link[root].name);
    crank_robot_joint *joint =
        name != NULL ? crank_robot_add_joint(r, r->link[root].e, name) : NULL;
    if (joint == NULL) {
        return CRANK_EMEM;
    }
    joint->kind = CRANK_ROBOT_FIXED;
    joint->second = root;
    return CRANK_OK;
}

/* Where zero is beyond a limit the nearest value within starts, unless loops or couplings
 * decide. */
static void start_within(crank_robot *r)
{
    bool loops = false;
    for (int j = 0; j < r->joint_count; j++) {
        loops = loops || r->joint[j].loop;
    }
    for (int j = 0; j < r->joint_count && !loops; j++) {
        crank_robot_joint *joint = &r->joint[j];
        bool coupled = false;
        for (int c = 0; c < r->coupling_count; c++) {
            for (int k = 0; k < r->coupling[c].count; k++) {
                coupled = coupled || r->coupling[c].joint[k] == j;
            }
        }
        if (joint->limited && !coupled && (joint->lower > 0.0 || joint->upper < 0.0)) {
            joint->start = joint->lower > 0.0 ? joint->lower : joint->upper;
            joint->started = true;
            crank_import_note(r->im, joint->e,
                              "joint \"%.80s\" starts at %g: zero is outside of its limits",
                              joint->name, joint->start);
        }
    }
}

/* Gazebo and others know a link "world" that no file declares. */
static crank_status add_world(crank_robot *r, const crank_xml *robot)
{
    static const char world[] = "world";
    if (crank_index_find(&r->raw_links, world) >= 0) {
        return CRANK_OK;
    }
    for (const crank_xml *e = crank_xml_child(robot, "joint"); e != NULL;
         e = crank_xml_next(e, "joint")) {
        const crank_xml *parent = crank_xml_child(e, "parent");
        const char *name = parent != NULL ? crank_xml_get(parent, "link") : NULL;
        if (name != NULL && strcmp(name, world) == 0) {
            crank_import_note(r->im, parent, "there is no link \"world\": the ground is meant");
            return crank_robot_add_link(r, parent, world) != NULL ? CRANK_OK : CRANK_EMEM;
        }
    }
    return CRANK_OK;
}

crank_status crank_import_urdf(crank_import *im, crank_xml *robot, const crank_node **root)
{
    static const char *const why[] = {"collision",
                                      "contacts are not simulated",
                                      "gazebo",
                                      "it is for Gazebo",
                                      "ros2_control",
                                      "it is for ROS",
                                      "safety_controller",
                                      "controllers are not read",
                                      "calibration",
                                      "it is no mechanics",
                                      "hardwareInterface",
                                      "it is for ROS",
                                      "sensor",
                                      "sensors are not read",
                                      NULL};
    crank_robot *r = crank_store_take(im->store, 1, sizeof *r);
    if (r == NULL) {
        return crank_fail(im->err, CRANK_EMEM, "reading the robot");
    }
    r->im = im;
    r->name = crank_xml_get(robot, "name");
    r->gravity[2] = -9.81;
    (void)crank_xml_get(robot, "version");
    crank_status status = read_links(r, robot);
    CRANK_THEN(status, add_world(r, robot));
    CRANK_THEN(status, read_joints(r, robot));
    CRANK_THEN(status, crank_urdf_loops(r, robot));
    CRANK_THEN(status, crank_urdf_side_file(r, robot));
    CRANK_THEN(status, read_mimics(r));
    for (const crank_xml *e = crank_xml_child(robot, "transmission");
         e != NULL && status == CRANK_OK; e = crank_xml_next(e, "transmission")) {
        status = read_transmission(r, e);
    }
    CRANK_THEN(status, fix_root(r, robot));
    if (status == CRANK_OK) {
        start_within(r);
    }
    CRANK_THEN(status, crank_robot_check(r));
    CRANK_THEN(status, crank_robot_tree(r, root));
    if (status == CRANK_OK) {
        crank_import_find_unused(im, robot, why);
    }
    return im->store->failed ? crank_fail(im->err, CRANK_EMEM, "reading the robot") : status;
}
