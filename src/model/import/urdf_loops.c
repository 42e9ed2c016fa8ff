/* urdf_loops.c - the ways in which URDF files close loops, all read as joints like others:
 *
 *     <constraint>              proposed for urdfdom: parent and child with origins and axes
 *     <loop>                    URDF+: predecessor and successor (or sucessor) with origins
 *     <loop_joint>              link1 and link2 with xyz and rpy
 *     <drake:ball_constraint>   two points stay together
 *     <drake:linear_bushing_rpy> a soft loop: it stays a bushing
 *
 * and the <coupling> of URDF+ [URDFplus], as mimic is one. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/urdf.h"

#include "base/then.h"

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

/* ---- couplings ---- */

/* the joint that carries a link; -1: none */
static int carrier(const crank_robot *r, int link)
{
    for (int j = 0; j < r->joint_count && link >= 0; j++) {
        if (!r->joint[j].loop && r->joint[j].second == link) {
            return j;
        }
    }
    return -1;
}

/* Does a carry b, or is it the same? Circles are told later. */
static bool carries(const crank_robot *r, int a, int b)
{
    for (int k = 0; k <= r->link_count && b != a; k++) {
        const int j = carrier(r, b);
        if (j < 0) {
            return false;
        }
        b = r->joint[j].first;
    }
    return a == b;
}

/* coordinates of the joints that carry `link` and not `other`, with this factor */
static crank_status add_way(crank_robot *r, const crank_xml *e, int link, int other,
                            double factor, crank_robot_coupling *c)
{
    const int most = (int)(sizeof c->joint / sizeof *c->joint);
    for (int k = 0; k <= r->link_count && !carries(r, link, other); k++) {
        const int j = carrier(r, link);
        if (j < 0) {
            break;
        }
        const crank_robot_joint *joint = &r->joint[j];
        const bool along =
            joint->kind == CRANK_ROBOT_REVOLUTE || joint->kind == CRANK_ROBOT_PRISMATIC;
        if (!along && joint->kind != CRANK_ROBOT_FIXED) {
            return crank_xml_fail(r->im->err, e,
                                  "<coupling>: joint \"%.80s\" between its links has not one "
                                  "coordinate",
                                  joint->name);
        }
        if (along && c->count == most) {
            return crank_xml_fail(r->im->err, e,
                                  "<coupling>: more than %d joints between its links", most);
        }
        if (along) {
            c->joint[c->count] = j;
            c->factor[c->count++] = factor;
        }
        link = joint->first;
    }
    return CRANK_OK;
}

/* What turns the successor against the link that carries both is `ratio` times what turns the
 * predecessor. */
static crank_status read_coupling(crank_robot *r, const crank_xml *e)
{
    const crank_xml *first = crank_xml_child(e, "predecessor");
    const crank_xml *second = crank_xml_child(e, "successor");
    const crank_xml *of = crank_xml_child(e, "ratio");
    second = second != NULL ? second : crank_xml_child(e, "sucessor");
    int one = -1, other = -1;
    double ratio = 1.0;
    crank_robot_coupling *c = crank_robot_add_coupling(r, e);
    if (c == NULL) {
        return CRANK_EMEM;
    }
    c->name = crank_xml_get(e, "name");
    crank_status status = read_link(r, e, first, "predecessor", &one);
    CRANK_THEN(status, read_link(r, e, second, "successor", &other));
    if (status == CRANK_OK && of != NULL) {
        status = crank_xml_numbers(of, "value", 1, &ratio, r->im->err);
    }
    CRANK_THEN(status, add_way(r, e, other, one, 1.0, c));
    CRANK_THEN(status, add_way(r, e, one, other, -ratio, c));
    if (status == CRANK_OK && c->count == 0) {
        status = crank_xml_fail(r->im->err, e,
                                "<coupling>: its links do not move against each "
                                "other");
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
    for (const crank_xml *e = crank_xml_child(robot, "coupling");
         e != NULL && status == CRANK_OK; e = crank_xml_next(e, "coupling")) {
        status = read_coupling(r, e);
    }
    return status;
}
