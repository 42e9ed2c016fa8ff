/* robot.c - records of a robot: added, found by name, checked. See robot.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/robot.h"

#include "base/file.h"
#include "base/grow.h"
#include "linalg/rotation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- adding ---- */

static void no_memory(crank_robot *r)
{
    r->im->store->failed = true;
    (void)crank_fail(r->im->err, CRANK_EMEM, "reading the robot");
}

/* the name in the file is new */
static bool keep_raw(crank_robot *r, crank_index *index, const crank_xml *e, const char *raw,
                     int number)
{
    if (crank_index_find(index, raw) >= 0) {
        (void)crank_xml_fail(r->im->err, e, "<%.60s name=\"%.80s\">: the name is there already",
                             e->name, raw);
        return false;
    }
    if (!crank_index_add(index, r->im->store, raw, number)) {
        no_memory(r);
        return false;
    }
    return true;
}

/* NULL: err says why */
static void *add(crank_robot *r, void *items, int *count, int *capacity, size_t size)
{
    void *grown = crank_store_grow(r->im->store, items, *count, capacity, size);
    if (grown == NULL) {
        no_memory(r);
        return NULL;
    }
    memset((char *)grown + (size_t)*count * size, 0, size);
    ++*count;
    return grown;
}

crank_robot_link *crank_robot_add_link(crank_robot *r, const crank_xml *e, const char *raw)
{
    crank_import *im = r->im;
    crank_robot_link *all = add(r, r->link, &r->link_count, &r->link_capacity, sizeof *r->link);
    const int number = r->link_count - 1;
    if (all == NULL) {
        return NULL;
    }
    r->link = all;
    crank_robot_link *link = &all[number];
    link->e = e;
    link->by = -1;
    link->inertial = crank_frame_none;
    if (!keep_raw(r, &r->raw_links, e, raw, number)) {
        return NULL;
    }
    link->name = crank_import_name(im, &r->link_names, e, raw, number);
    return link->name != NULL ? link : NULL;
}

crank_robot_joint *crank_robot_add_joint(crank_robot *r, const crank_xml *e, const char *raw)
{
    crank_robot_joint *all =
        add(r, r->joint, &r->joint_count, &r->joint_capacity, sizeof *r->joint);
    const int number = r->joint_count - 1;
    if (all == NULL) {
        return NULL;
    }
    r->joint = all;
    crank_robot_joint *joint = &all[number];
    joint->e = e;
    joint->first = joint->second = CRANK_ROBOT_GROUND;
    joint->frame[0] = joint->frame[1] = crank_frame_none;
    joint->axis[0] = 1.0;
    joint->ratio = 1.0;
    if (!keep_raw(r, &r->raw_joints, e, raw, number)) {
        return NULL;
    }
    joint->name = crank_import_name(r->im, &r->joint_names, e, raw, number);
    return joint->name != NULL ? joint : NULL;
}

/* a name that was not in the file, or one of those that may be left out */
static const char *own_name(crank_robot *r, crank_index *index, const crank_xml *e,
                            const char *raw, const char *what, int number)
{
    char made[32];
    (void)snprintf(made, sizeof made, "%.16s%d", what, number + 1);
    return crank_import_name(r->im, index, e, raw != NULL ? raw : made, number);
}

crank_robot_coupling *crank_robot_add_coupling(crank_robot *r, const crank_xml *e)
{
    crank_robot_coupling *all =
        add(r, r->coupling, &r->coupling_count, &r->coupling_capacity, sizeof *r->coupling);
    if (all != NULL) {
        r->coupling = all;
        all[r->coupling_count - 1].e = e;
    }
    return all != NULL ? &all[r->coupling_count - 1] : NULL;
}

crank_robot_bushing *crank_robot_add_bushing(crank_robot *r, const crank_xml *e,
                                             const char *raw)
{
    crank_robot_bushing *all =
        add(r, r->bushing, &r->bushing_count, &r->bushing_capacity, sizeof *r->bushing);
    if (all == NULL) {
        return NULL;
    }
    r->bushing = all;
    crank_robot_bushing *b = &all[r->bushing_count - 1];
    b->e = e;
    b->frame[0] = b->frame[1] = crank_frame_none;
    b->name = own_name(r, &r->bushing_names, e, raw, "bushing_", r->bushing_count - 1);
    return b->name != NULL ? b : NULL;
}

crank_robot_motor *crank_robot_add_motor(crank_robot *r, const crank_xml *e, const char *raw)
{
    crank_robot_motor *all =
        add(r, r->motor, &r->motor_count, &r->motor_capacity, sizeof *r->motor);
    if (all == NULL) {
        return NULL;
    }
    r->motor = all;
    crank_robot_motor *m = &all[r->motor_count - 1];
    m->e = e;
    m->gear = 1.0;
    m->name = own_name(r, &r->motor_names, e, raw, "motor_", r->motor_count - 1);
    return m->name != NULL ? m : NULL;
}

crank_robot_pull *crank_robot_add_pull(crank_robot *r, const crank_xml *e, const char *raw)
{
    crank_robot_pull *all = add(r, r->pull, &r->pull_count, &r->pull_capacity, sizeof *r->pull);
    if (all == NULL) {
        return NULL;
    }
    r->pull = all;
    crank_robot_pull *p = &all[r->pull_count - 1];
    p->e = e;
    p->name = own_name(r, &r->motor_names, e, raw, "pull_", r->pull_count - 1);
    return p->name != NULL ? p : NULL;
}

crank_robot_tie *crank_robot_add_tie(crank_robot *r, const crank_xml *e, const char *raw)
{
    crank_robot_tie *all = add(r, r->tie, &r->tie_count, &r->tie_capacity, sizeof *r->tie);
    if (all == NULL) {
        return NULL;
    }
    r->tie = all;
    crank_robot_tie *t = &all[r->tie_count - 1];
    t->e = e;
    t->name = own_name(r, &r->joint_names, e, raw, "tie_", r->tie_count - 1);
    return t->name != NULL ? t : NULL;
}

crank_robot_shape *crank_robot_add_shape(crank_robot *r, crank_robot_link *link,
                                         const crank_xml *e, const char *kind)
{
    crank_robot_shape *all =
        add(r, link->shape, &link->shape_count, &link->shape_capacity, sizeof *link->shape);
    if (all == NULL) {
        return NULL;
    }
    link->shape = all;
    all[link->shape_count - 1] =
        (crank_robot_shape){.kind = kind, .at = crank_frame_none, .opacity = 1.0, .e = e};
    return &all[link->shape_count - 1];
}

/* ---- finding ---- */

static crank_status find(crank_robot *r, const crank_index *index, const crank_xml *e,
                         const char *kind, const char *raw, int *out)
{
    *out = raw != NULL ? crank_index_find(index, raw) : -1;
    if (*out >= 0) {
        return CRANK_OK;
    }
    return raw == NULL ? crank_xml_fail(r->im->err, e, "<%.60s>: it does not say which %s",
                                        e->name, kind)
                       : crank_xml_fail(r->im->err, e, "<%.60s>: there is no %s \"%.80s\"",
                                        e->name, kind, raw);
}

crank_status crank_robot_find_link(crank_robot *r, const crank_xml *e, const char *raw,
                                   int *out)
{
    return find(r, &r->raw_links, e, "link", raw, out);
}

crank_status crank_robot_find_joint(crank_robot *r, const crank_xml *e, const char *raw,
                                    int *out)
{
    return find(r, &r->raw_joints, e, "joint", raw, out);
}

crank_status crank_robot_unit(crank_robot *r, const crank_xml *e, const char *attribute,
                              double axis[3])
{
    static const double digits = 1e-3; /* axes are often written with few */
    const crank_status status = crank_xml_numbers(e, attribute, 3, axis, r->im->err);
    if (status != CRANK_OK) {
        return status;
    }
    const double largest = fmax(fmax(fabs(axis[0]), fabs(axis[1])), fabs(axis[2]));
    if (!(largest > 0.0)) {
        return crank_xml_fail(r->im->err, e, "<%.60s>: the axis is zero, it has no direction",
                              e->name);
    }
    for (int i = 0; i < 3; i++) {
        axis[i] /= largest;
    }
    const double length = crank_norm3(axis);
    if (fabs(length * largest - 1.0) > digits) {
        crank_import_note(r->im, e, "<%.60s>: the axis has length %.4g, its direction counts",
                          e->name, length * largest);
    }
    if (length != 1.0) {
        for (int i = 0; i < 3; i++) {
            axis[i] /= length;
        }
    }
    return CRANK_OK;
}

/* ---- meshes ---- */

static bool is_file(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

/* package://NAME/a/b as a/b, NAME/a/b and b beside the robot, and one and two folders up */
const char *crank_robot_find_mesh(crank_robot *r, const char *name)
{
    static const char *const up[] = {"", "../", "../../"};
    static const char scheme[] = "package://", plain[] = "file://";
    const bool package = strncmp(name, scheme, sizeof scheme - 1) == 0;
    const char *rest = package ? name + sizeof scheme - 1 : name;
    rest = strncmp(rest, plain, sizeof plain - 1) == 0 ? rest + sizeof plain - 1 : rest;
    const char *inside = package ? strchr(rest, '/') : NULL;
    const char *tries[3] = {rest, inside != NULL ? inside + 1 : NULL, NULL};
    for (int i = 0; r->im->path != NULL && tries[i] != NULL; i++) {
        for (int k = 0; k < (package ? 3 : 1); k++) {
            const char *local = crank_store_print(r->im->store, "%s%s", up[k], tries[i]);
            const char *path =
                local != NULL ? crank_named_file_path(r->im->store, r->im->path, local) : NULL;
            if (path != NULL && is_file(path)) {
                return local;
            }
        }
    }
    return NULL;
}

crank_status crank_robot_mesh(crank_robot *r, crank_robot_link *link, const crank_xml *e,
                              const char *name, crank_robot_shape **out)
{
    *out = NULL;
    if (!crank_path_ends_in(name, ".stl") && !crank_path_ends_in(name, ".obj")) {
        const char *dot = strrchr(name, '.');
        crank_import_find(r->im, e, "a mesh \"%.20s\" is not drawn: STL and OBJ are",
                          dot != NULL ? dot : "");
        return CRANK_OK;
    }
    const char *path = crank_robot_find_mesh(r, name);
    if (path == NULL) {
        crank_import_find(r->im, e, "mesh \"%.160s\" is not drawn: there is no such file",
                          name);
        return r->im->store->failed ? CRANK_EMEM : CRANK_OK;
    }
    *out = crank_robot_add_shape(r, link, e, "mesh");
    if (*out != NULL) {
        (*out)->file = path;
        (*out)->size[0] = 1.0;
    }
    return *out != NULL ? CRANK_OK : CRANK_EMEM;
}

/* ---- checks ---- */

static crank_status find_carriers(crank_robot *r)
{
    for (int i = 0; i < r->link_count; i++) {
        r->link[i].by = -1;
        r->link[i].closes = false;
    }
    for (int j = 0; j < r->joint_count; j++) {
        const crank_robot_joint *joint = &r->joint[j];
        if (joint->first == joint->second) {
            return crank_xml_fail(r->im->err, joint->e,
                                  "joint \"%.80s\" connects a link with itself", joint->name);
        }
        if (joint->loop) {
            continue;
        }
        crank_robot_link *link = &r->link[joint->second];
        if (link->by >= 0) {
            return crank_xml_fail(
                r->im->err, joint->e,
                "link \"%.80s\" hangs on two joints, \"%.80s\" (line %d) and \"%.80s\"; links "
                "are a tree: close loops by <loop>, <constraint> or a side file",
                link->name, r->joint[link->by].name, r->joint[link->by].e->line, joint->name);
        }
        link->by = j;
    }
    return CRANK_OK;
}

/* what a joint does to its second frame at a value of its coordinate */
static crank_frame motion(const crank_robot_joint *joint)
{
    crank_frame moved = crank_frame_none;
    if (joint->kind == CRANK_ROBOT_REVOLUTE) {
        crank_quaternion_of_axis(moved.q, joint->axis, joint->start);
    } else if (joint->kind == CRANK_ROBOT_PRISMATIC) {
        crank_add3(moved.x, joint->start, joint->axis);
    }
    return moved;
}

static void place(crank_robot *r, int i)
{
    crank_robot_link *link = &r->link[i];
    const crank_robot_joint *joint = &r->joint[link->by];
    const crank_frame base = joint->first >= 0 ? r->link[joint->first].start : crank_frame_none;
    const crank_frame moved = motion(joint), back = crank_frame_inverse(&joint->frame[1]);
    const crank_frame at = crank_frame_chain(&base, &joint->frame[0]);
    const crank_frame behind = crank_frame_chain(&at, &moved);
    link->start = crank_frame_chain(&behind, &back);
}

/* links in an order in which each comes behind the one that carries it; how many there are */
static int sort(crank_robot *r, int *order)
{
    const size_t links = (size_t)r->link_count;
    int *head = crank_store_take(r->im->store, links + 1, sizeof *head);
    int *next = crank_store_take(r->im->store, links + 1, sizeof *next);
    if (head == NULL || next == NULL) {
        return -1;
    }
    for (int i = 0; i <= r->link_count; i++) {
        head[i] = -1;
    }
    for (int i = r->link_count - 1; i >= 0; i--) {
        const int by = r->link[i].by;
        const int on = by >= 0 ? r->joint[by].first : CRANK_ROBOT_GROUND;
        const int slot = on >= 0 ? on : r->link_count;
        next[i] = head[slot];
        head[slot] = i;
    }
    int count = 0;
    for (int i = head[r->link_count]; i >= 0; i = next[i]) {
        order[count++] = i;
    }
    for (int k = 0; k < count; k++) {
        for (int i = head[order[k]]; i >= 0; i = next[i]) {
            order[count++] = i;
        }
    }
    return count;
}

static crank_status fail_circle(crank_robot *r, const int *order, int count)
{
    bool *reached = crank_store_take(r->im->store, (size_t)r->link_count, sizeof *reached);
    int i = 0;
    for (int k = 0; k < count && reached != NULL; k++) {
        reached[order[k]] = true;
    }
    while (reached != NULL && i + 1 < r->link_count && reached[i]) {
        i++;
    }
    return crank_xml_fail(r->im->err, r->link[i].e,
                          "link \"%.80s\" is carried by itself: joints go round in a circle",
                          r->link[i].name);
}

crank_status crank_robot_check(crank_robot *r)
{
    crank_status status = find_carriers(r);
    int *order = crank_store_take(r->im->store, (size_t)r->link_count + 1, sizeof *order);
    if (status != CRANK_OK || order == NULL) {
        return status != CRANK_OK ? status : CRANK_EMEM;
    }
    const int count = sort(r, order);
    if (count < r->link_count) {
        return count < 0 ? CRANK_EMEM : fail_circle(r, order, count);
    }
    for (int k = 0; k < count; k++) {
        crank_robot_link *link = &r->link[order[k]];
        place(r, order[k]);
        link->mass_behind = link->mass;
        link->reach_behind = crank_norm3(link->inertial.x);
    }
    for (int j = 0; j < r->joint_count; j++) {
        const int end[2] = {r->joint[j].first, r->joint[j].second};
        for (int k = 0; k < 2; k++) {
            if (r->joint[j].loop && end[k] >= 0) {
                r->link[end[k]].closes = true;
            }
        }
    }
    for (int k = count - 1; k >= 0; k--) {
        const crank_robot_link *link = &r->link[order[k]];
        const int on = r->joint[link->by].first;
        if (on < 0) {
            continue;
        }
        double way[3] = {link->start.x[0], link->start.x[1], link->start.x[2]};
        crank_add3(way, -1.0, r->link[on].start.x);
        r->link[on].closes = r->link[on].closes || link->closes;
        r->link[on].mass_behind += link->mass_behind;
        r->link[on].reach_behind =
            fmax(r->link[on].reach_behind, crank_norm3(way) + link->reach_behind);
    }
    return CRANK_OK;
}
