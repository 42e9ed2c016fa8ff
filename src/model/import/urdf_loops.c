/* urdf_loops.c - the ways in which URDF files close loops, all read as joints like others:
 *
 *     <constraint>              proposed for urdfdom: parent and child with origins and axes
 *     <loop>                    URDF+: predecessor and successor (or sucessor) with origins
 *     <loop_joint>              link1 and link2 with xyz and rpy
 *     <drake:ball_constraint>   two points stay together
 *     <drake:linear_bushing_rpy> a soft loop: it stays a bushing
 *     a YAML file               closed_loop: [[link, link], ...], type: [6d, 3d, ...] */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/urdf.h"

#include "base/number.h"
#include "base/then.h"
#include "model/yaml.h"

#include <stdio.h>
#include <string.h>

/* ---- joints that close loops ---- */

/* NULL: err says why */
static crank_robot_joint *add_loop(crank_robot *r, const crank_xml *e, const char *kind,
                                   int number)
{
    const char *name = crank_xml_get(e, "name");
    if (name == NULL) {
        name = crank_store_print(r->im->store, "%s_%d", kind, number);
    }
    crank_robot_joint *joint = name != NULL ? crank_robot_add_joint(r, e, name) : NULL;
    if (joint != NULL) {
        joint->loop = true;
    }
    return joint;
}

static crank_status read_axis(crank_robot *r, const crank_xml *e, double axis[3])
{
    return e != NULL ? crank_robot_unit(r, e, "xyz", axis) : CRANK_OK;
}

static crank_status read_link(crank_robot *r, const crank_xml *e, const crank_xml *of,
                              const char *name, int *out)
{
    return of == NULL ? crank_xml_fail(r->im->err, e, "<%.40s> has no <%s>", e->name, name)
                      : crank_robot_find_link(r, of, crank_xml_get(of, "link"), out);
}

/* Axes that are not the same in both frames leave the zero to the shortest turn. */
static void take_axes(crank_robot_joint *joint, const double second[3])
{
    joint->unaligned = memcmp(joint->axis, second, sizeof joint->axis) != 0 &&
                       joint->kind != CRANK_ROBOT_UNIVERSAL;
    memcpy(joint->axis2, second, sizeof joint->axis2);
}

static crank_status read_constraint(crank_robot *r, const crank_xml *e, int number)
{
    crank_robot_joint *joint = add_loop(r, e, "constraint", number);
    const crank_xml *parent = crank_xml_child(e, "parent"),
                    *child = crank_xml_child(e, "child");
    const crank_xml *axis = crank_xml_child(e, "parent_axis");
    const crank_xml *other = crank_xml_child(e, "child_axis");
    if (joint == NULL) {
        return CRANK_EMODEL;
    }
    double second[3] = {1.0, 0.0, 0.0};
    crank_status status = crank_urdf_joint_type(r, e, joint);
    CRANK_THEN(status, read_link(r, e, parent, "parent", &joint->first));
    CRANK_THEN(status, read_link(r, e, child, "child", &joint->second));
    CRANK_THEN(status,
               crank_urdf_origin(r, crank_xml_child(e, "parent_origin"), &joint->frame[0]));
    CRANK_THEN(status,
               crank_urdf_origin(r, crank_xml_child(e, "child_origin"), &joint->frame[1]));
    CRANK_THEN(status,
               read_axis(r, axis != NULL ? axis : crank_xml_child(e, "axis"), joint->axis));
    memcpy(second, joint->axis, sizeof second);
    CRANK_THEN(status, read_axis(r, other, second));
    if (status == CRANK_OK && joint->kind == CRANK_ROBOT_UNIVERSAL && other == NULL) {
        status = crank_xml_fail(r->im->err, e,
                                "constraint \"%.80s\": a universal joint has a <parent_axis> "
                                "and a <child_axis>",
                                joint->name);
    }
    take_axes(joint, second);
    CRANK_THEN(status, crank_urdf_joint_details(r, e, joint));
    return status;
}

static crank_status read_loop(crank_robot *r, const crank_xml *e, int number)
{
    crank_robot_joint *joint = add_loop(r, e, "loop", number);
    const crank_xml *first = crank_xml_child(e, "predecessor");
    const crank_xml *second = crank_xml_child(e, "successor");
    second = second != NULL ? second : crank_xml_child(e, "sucessor");
    if (joint == NULL) {
        return CRANK_EMODEL;
    }
    crank_status status = crank_urdf_joint_type(r, e, joint);
    CRANK_THEN(status, read_link(r, e, first, "predecessor", &joint->first));
    CRANK_THEN(status, read_link(r, e, second, "successor", &joint->second));
    CRANK_THEN(status,
               crank_urdf_origin(r, crank_xml_child(first, "origin"), &joint->frame[0]));
    CRANK_THEN(status,
               crank_urdf_origin(r, crank_xml_child(second, "origin"), &joint->frame[1]));
    CRANK_THEN(status, read_axis(r, crank_xml_child(e, "axis"), joint->axis));
    CRANK_THEN(status, crank_urdf_joint_details(r, e, joint));
    return status;
}

static crank_status read_loop_joint(crank_robot *r, const crank_xml *e, int number)
{
    crank_robot_joint *joint = add_loop(r, e, "loop_joint", number);
    const crank_xml *first = crank_xml_child(e, "link1"), *second = crank_xml_child(e, "link2");
    if (joint == NULL) {
        return CRANK_EMODEL;
    }
    crank_status status = crank_urdf_joint_type(r, e, joint);
    CRANK_THEN(status, read_link(r, e, first, "link1", &joint->first));
    CRANK_THEN(status, read_link(r, e, second, "link2", &joint->second));
    CRANK_THEN(status, crank_urdf_origin(r, first, &joint->frame[0]));
    CRANK_THEN(status, crank_urdf_origin(r, second, &joint->frame[1]));
    CRANK_THEN(status, read_axis(r, crank_xml_child(e, "axis"), joint->axis));
    CRANK_THEN(status, crank_urdf_joint_details(r, e, joint));
    return status;
}

/* ---- Drake's elements ---- */

static crank_status read_ball(crank_robot *r, const crank_xml *e, int number)
{
    static const char *const body[2] = {"drake:ball_constraint_body_A",
                                        "drake:ball_constraint_body_B"};
    static const char *const point[2] = {"drake:ball_constraint_p_AP",
                                         "drake:ball_constraint_p_BQ"};
    crank_robot_joint *joint = add_loop(r, e, "ball_constraint", number);
    crank_status status = joint != NULL ? CRANK_OK : CRANK_EMODEL;
    for (int k = 0; k < 2 && status == CRANK_OK; k++) {
        const crank_xml *of = crank_xml_child(e, body[k]), *at = crank_xml_child(e, point[k]);
        status = of == NULL
                     ? crank_xml_fail(r->im->err, e, "<%s> has no <%s>", e->name, body[k])
                     : crank_robot_find_link(r, of, crank_xml_get(of, "name"),
                                             k == 0 ? &joint->first : &joint->second);
        if (status == CRANK_OK && at != NULL) {
            status = crank_xml_numbers(at, "value", 3, joint->frame[k].x, r->im->err);
        }
        joint->kind = CRANK_ROBOT_SPHERICAL;
    }
    return status;
}

/* a <frame> of the robot, or a link */
static crank_status find_frame(crank_robot *r, const crank_xml *robot, const crank_xml *e,
                               int *link, crank_frame *out)
{
    const char *name = crank_xml_get(e, "name");
    for (const crank_xml *f = crank_xml_child(robot, "frame"); f != NULL && name != NULL;
         f = crank_xml_next(f, "frame")) {
        const char *own = crank_xml_get(f, "name");
        if (own != NULL && strcmp(own, name) == 0) {
            const crank_status status =
                crank_robot_find_link(r, f, crank_xml_get(f, "link"), link);
            return status == CRANK_OK ? crank_urdf_origin(r, f, out) : status;
        }
    }
    *out = crank_frame_none;
    return crank_robot_find_link(r, e, name, link);
}

static crank_status read_bushing(crank_robot *r, const crank_xml *robot, const crank_xml *e)
{
    static const char *const frame[2] = {"drake:bushing_frameA", "drake:bushing_frameC"};
    static const char *const value[4] = {
        "drake:bushing_force_stiffness", "drake:bushing_torque_stiffness",
        "drake:bushing_force_damping", "drake:bushing_torque_damping"};
    crank_robot_bushing *b = crank_robot_add_bushing(r, e, crank_xml_get(e, "name"));
    crank_status status = b != NULL ? CRANK_OK : CRANK_EMEM;
    for (int k = 0; k < 2 && status == CRANK_OK; k++) {
        const crank_xml *of = crank_xml_child(e, frame[k]);
        status = of == NULL
                     ? crank_xml_fail(r->im->err, e, "<%s> has no <%s>", e->name, frame[k])
                     : find_frame(r, robot, of, &b->link[k], &b->frame[k]);
    }
    for (int k = 0; k < 4 && status == CRANK_OK; k++) {
        const crank_xml *of = crank_xml_child(e, value[k]);
        double *out = (k < 2 ? b->stiffness : b->damping) + (k % 2 == 0 ? 0 : 3);
        status = of == NULL ? CRANK_OK : crank_xml_numbers(of, "value", 3, out, r->im->err);
    }
    if (status == CRANK_OK) {
        crank_import_find(r->im, e,
                          "<drake:linear_bushing_rpy> stays soft, as a bushing whose torques "
                          "follow the rotation vector in place of roll, pitch and yaw");
    }
    return status;
}

crank_status crank_urdf_loops(crank_robot *r, crank_xml *robot)
{
    static const struct {
        const char *name;
        crank_status (*read)(crank_robot *r, const crank_xml *e, int number);
    } ways[] = {{"constraint", read_constraint},
                {"loop", read_loop},
                {"loop_joint", read_loop_joint},
                {"drake:ball_constraint", read_ball}};
    crank_status status = CRANK_OK;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        int number = 0;
        for (const crank_xml *e = crank_xml_child(robot, ways[i].name);
             e != NULL && status == CRANK_OK; e = crank_xml_next(e, ways[i].name)) {
            status = ways[i].read(r, e, ++number);
        }
    }
    for (const crank_xml *e = crank_xml_child(robot, "drake:linear_bushing_rpy");
         e != NULL && status == CRANK_OK; e = crank_xml_next(e, "drake:linear_bushing_rpy")) {
        status = read_bushing(r, robot, e);
    }
    return status;
}

/* ---- the side file ---- */

static const crank_node *list_of(const crank_node *root, const char *key)
{
    const crank_node *list = crank_node_find(root, key);
    return list != NULL && list->kind == CRANK_NODE_SEQUENCE ? list : NULL;
}

static const char *text_at(const crank_node *list, int i)
{
    return list != NULL && i < list->count && list->item[i]->kind == CRANK_NODE_SCALAR
               ? list->item[i]->text
               : NULL;
}

static crank_status close_frames(crank_robot *r, const crank_xml *robot, const crank_node *pair,
                                 const char *type, int number)
{
    crank_error *err = r->im->err;
    const char *name = crank_store_print(r->im->store, "closed_loop_%d", number);
    crank_robot_joint *joint = name != NULL ? crank_robot_add_joint(r, robot, name) : NULL;
    if (joint == NULL) {
        return CRANK_EMODEL;
    }
    const bool weld = type == NULL || strcmp(type, "6d") == 0 || strcmp(type, "6D") == 0;
    if (!weld && strcmp(type, "3d") != 0 && strcmp(type, "3D") != 0) {
        return crank_fail_node(err, CRANK_EMODEL, pair,
                               "type \"%.40s\": loops are closed by 6d (a weld of the two "
                               "frames) or 3d (their origins meet)",
                               type);
    }
    joint->loop = true;
    joint->kind = weld ? CRANK_ROBOT_FIXED : CRANK_ROBOT_SPHERICAL;
    if (pair->kind != CRANK_NODE_SEQUENCE || pair->count != 2) {
        return crank_fail_node(err, CRANK_EMODEL, pair, "closed_loop: two links are expected");
    }
    for (int k = 0; k < 2; k++) {
        const char *link = text_at(pair, k);
        const int found = link != NULL ? crank_index_find(&r->raw_links, link) : -1;
        if (found < 0) {
            return crank_fail_node(err, CRANK_EMODEL, pair,
                                   "closed_loop: there is no link \"%.80s\"",
                                   link != NULL ? link : "");
        }
        *(k == 0 ? &joint->first : &joint->second) = found;
    }
    return CRANK_OK;
}

/* name_mot, with gear_ratio and rotor_inertia in the same order */
static crank_status read_motors(crank_robot *r, const crank_xml *robot, const crank_node *root)
{
    const crank_node *names = list_of(root, "name_mot");
    const crank_node *ratios = list_of(root, "gear_ratio");
    const crank_node *inertias = list_of(root, "rotor_inertia");
    for (int i = 0; names != NULL && i < names->count; i++) {
        const char *name = text_at(names, i);
        const int found = name != NULL ? crank_index_find(&r->raw_joints, name) : -1;
        if (found < 0) {
            return crank_fail_node(r->im->err, CRANK_EMODEL, names,
                                   "name_mot: there is no joint \"%.80s\"",
                                   name != NULL ? name : "");
        }
        crank_robot_joint *joint = &r->joint[found];
        double ratio = 1.0, inertia = 0.0;
        const char *one = text_at(ratios, i), *other = text_at(inertias, i);
        if ((one != NULL && !crank_number_parse(one, &ratio)) ||
            (other != NULL && !crank_number_parse(other, &inertia)) || !(inertia >= 0.0)) {
            return crank_fail_node(r->im->err, CRANK_EMODEL, names,
                                   "motor of \"%.80s\": gear_ratio or rotor_inertia is wrong",
                                   name);
        }
        joint->ratio = ratio;
        joint->rotor = inertia;
        const char *own = crank_store_print(r->im->store, "%s_motor", joint->name);
        crank_robot_motor *motor = own != NULL ? crank_robot_add_motor(r, robot, own) : NULL;
        if (motor == NULL) {
            return CRANK_EMEM;
        }
        motor->joint = found;
        motor->limited = joint->effort > 0.0;
        motor->upper = joint->effort;
    }
    return CRANK_OK;
}

crank_status crank_urdf_side_file(crank_robot *r, const crank_xml *robot)
{
    crank_import *im = r->im;
    const crank_named_file *file = NULL;
    crank_document document;
    if (im->loops == NULL) {
        return CRANK_OK;
    }
    crank_status status = crank_files_load(im->files, im->loops, &file, im->err);
    CRANK_THEN(status, crank_yaml_read_file(file->text, file->length, im->loops, im->store,
                                            &document, im->err));
    if (status != CRANK_OK) {
        return status;
    }
    const crank_node *root = document.root;
    const bool mapping = root != NULL && root->kind == CRANK_NODE_MAPPING;
    const crank_node *loops = mapping ? list_of(root, "closed_loop") : NULL;
    if (loops == NULL) {
        return crank_fail_node(im->err, CRANK_EMODEL, root,
                               "%.200s: a file that closes loops has a list closed_loop",
                               im->loops);
    }
    const crank_node *types = list_of(root, "type");
    for (int i = 0; i < loops->count && status == CRANK_OK; i++) {
        status = close_frames(r, robot, loops->item[i], text_at(types, i), i + 1);
    }
    CRANK_THEN(status, read_motors(r, robot, root));
    return status;
}
