/* urdf_side.c - a YAML file beside a URDF that closes its loops, as the robots of
 * [ParallelRobots] have it:
 *
 *     closed_loop: [[frame, frame], ...]    links, or joints for the link behind them
 *     type: [6d, 3d, ...]                   all of the two frames meets, or their origins
 *     name_mot: [joint, ...]                motors; gear_ratio and rotor_inertia beside them
 *     joint_name: [joint, ...]              joints that are of another type than the URDF says:
 *     joint_type: [SPHERICAL, FIXED, CARDAN, UJOINT_ZY, ...]    (CARDAN: UJOINT_XY) */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/urdf.h"

#include "base/number.h"
#include "base/then.h"
#include "model/yaml.h"

#include <stdio.h>
#include <string.h>

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
        const int behind = link != NULL ? crank_index_find(&r->raw_joints, link) : -1;
        int found = link != NULL ? crank_index_find(&r->raw_links, link) : -1;
        found = found < 0 && behind >= 0 ? r->joint[behind].second : found;
        if (found < 0) {
            return crank_fail_node(err, CRANK_EMODEL, pair,
                                   "closed_loop: there is no link or joint \"%.80s\"",
                                   link != NULL ? link : "");
        }
        *(k == 0 ? &joint->first : &joint->second) = found;
    }
    return CRANK_OK;
}

/* ---- joints of other types ---- */

/* "UJOINT_ab", a and b of X, Y, Z: about a of the first link, then about b of the second */
static bool read_cross(const char *type, crank_robot_joint *joint)
{
    static const char axes[] = "XYZ";
    const char *way = strcmp(type, "CARDAN") == 0        ? "XY"
                      : strncmp(type, "UJOINT_", 7) == 0 ? type + 7
                                                         : "";
    const char *one = strlen(way) == 2 ? strchr(axes, way[0]) : NULL;
    const char *other = one != NULL ? strchr(axes, way[1]) : NULL;
    if (other == NULL || one == other) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        joint->axis[i] = i == one - axes ? 1.0 : 0.0;
        joint->axis2[i] = i == other - axes ? 1.0 : 0.0;
    }
    joint->kind = CRANK_ROBOT_UNIVERSAL;
    return true;
}

static crank_status read_types(crank_robot *r, const crank_node *root)
{
    const crank_node *names = list_of(root, "joint_name"), *types = list_of(root, "joint_type");
    for (int i = 0; names != NULL && i < names->count; i++) {
        const char *name = text_at(names, i), *type = text_at(types, i);
        const int found = name != NULL ? crank_index_find(&r->raw_joints, name) : -1;
        if (found < 0 || type == NULL) {
            return crank_fail_node(r->im->err, CRANK_EMODEL, names,
                                   found < 0 ? "joint_name: there is no joint \"%.80s\""
                                             : "joint_type: there is none for \"%.80s\"",
                                   name != NULL ? name : "");
        }
        crank_robot_joint *joint = &r->joint[found];
        if (strcmp(type, "SPHERICAL") == 0) {
            joint->kind = CRANK_ROBOT_SPHERICAL;
        } else if (strcmp(type, "FIXED") == 0) {
            joint->kind = CRANK_ROBOT_FIXED;
        } else if (!read_cross(type, joint)) {
            return crank_fail_node(r->im->err, CRANK_EMODEL, types->item[i],
                                   "joint_type \"%.40s\": known are SPHERICAL, FIXED, CARDAN "
                                   "and UJOINT_XY with any two of X, Y, Z",
                                   type);
        }
        if (joint->limited || joint->damping > 0.0 || joint->friction > 0.0) {
            crank_import_find(r->im, joint->e,
                              "joint \"%.80s\": limits, damping and friction are left out, the "
                              "file that closes loops makes it %.40s",
                              joint->name, type);
        }
        joint->limited = false;
        joint->damping = joint->friction = 0.0;
    }
    return CRANK_OK;
}

/* ---- motors ---- */

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
        if (joint->kind != CRANK_ROBOT_REVOLUTE && joint->kind != CRANK_ROBOT_PRISMATIC) {
            return crank_fail_node(r->im->err, CRANK_EMODEL, names,
                                   "name_mot: joint \"%.80s\" has not one coordinate", name);
        }
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

/* ---- the file ---- */

static void find_unknown(crank_robot *r, const crank_node *root)
{
    static const char *const known[] = {"closed_loop", "type",          "name_mot",
                                        "gear_ratio",  "rotor_inertia", "joint_name",
                                        "joint_type"};
    for (int k = 0; k < root->count; k++) {
        bool used = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            used = used || strcmp(root->key[k]->text, known[i]) == 0;
        }
        const crank_xml at = {.file = r->im->loops, .line = root->key[k]->line};
        if (!used) {
            crank_import_find(r->im, &at, "\"%.60s\" is not used: not known",
                              root->key[k]->text);
        }
    }
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
    CRANK_THEN(status, read_types(r, root));
    CRANK_THEN(status, read_motors(r, robot, root));
    if (status == CRANK_OK) {
        find_unknown(r, root);
    }
    return status;
}
