/* mjcf_ties.c - equalities, which are hard here.
 *
 * connect: a ball joint at a point given in the first body; the second body's point is where
 * that is at the start. Two of them between the same bodies hold all but the turn about the
 * line through their points, six rows of rank five: they become one hinge. weld: the relative
 * pose of the start, or relpose. Between two sites, whose places (weld: and axes) meet, wherever
 * they start. joint, tendon: y = a0 + a1 x of coordinates, of sums of them, from the start. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/mjcf.h"

#include "base/then.h"
#include "linalg/rotation.h"

#include <math.h>
#include <string.h>

static const double round_off = 1e-12; /* of what is computed from numbers of the file */

static bool is_off(const crank_mjcf *m, const crank_xml *e)
{
    const char *active = crank_mjcf_get(m, e, "equality", NULL, "active");
    return m->off.equality || (active != NULL && strcmp(active, "false") == 0);
}

/* both bodies; the second one may be the world */
static crank_status read_bodies(crank_mjcf *m, const crank_xml *e, crank_robot_joint *joint)
{
    const char *second = crank_xml_get(e, "body2");
    crank_status status =
        crank_robot_find_link(m->r, e, crank_xml_get(e, "body1"), &joint->first);
    if (status == CRANK_OK && second != NULL && strcmp(second, "world") != 0) {
        status = crank_robot_find_link(m->r, e, second, &joint->second);
    }
    return status;
}

static crank_frame start_of(const crank_mjcf *m, int link)
{
    return link >= 0 ? m->r->link[link].start : crank_frame_none;
}

/* a joint whose frames coincide as bodies lie at the start, at a point of the first one */
static void take_point(const crank_mjcf *m, crank_robot_joint *joint, const double anchor[3])
{
    const crank_frame one = start_of(m, joint->first), other = start_of(m, joint->second);
    const crank_frame back = crank_frame_inverse(&other);
    joint->frame[0] = crank_frame_none;
    if (m->global) {
        const crank_frame in = crank_frame_inverse(&one);
        crank_frame at = crank_frame_none;
        memcpy(at.x, anchor, sizeof at.x);
        at = crank_frame_chain(&in, &at);
        memcpy(joint->frame[0].x, at.x, sizeof at.x);
    } else {
        memcpy(joint->frame[0].x, anchor, 3 * sizeof *anchor);
    }
    const crank_frame world = crank_frame_chain(&one, &joint->frame[0]);
    joint->frame[1] = crank_frame_chain(&back, &world);
}

static crank_status find_site(crank_mjcf *m, const crank_xml *e, const char *attribute,
                              int *link, crank_frame *at)
{
    const char *wanted = crank_xml_get(e, attribute);
    for (int i = 0; i < m->site_count && wanted != NULL; i++) {
        const char *name = crank_xml_get(m->site[i].e, "name");
        if (name != NULL && strcmp(name, wanted) == 0) {
            crank_xml_use_all(m->site[i].e); /* how it looks does not matter */
            m->site[i].e->used = true;
            *link = m->site[i].link;
            *at = m->site[i].at;
            return CRANK_OK;
        }
    }
    return wanted == NULL
               ? crank_xml_fail(m->r->im->err, e, "<%.40s>: it needs body1, or site1 and site2",
                                e->name)
               : crank_xml_fail(m->r->im->err, e, "<%.40s>: there is no site \"%.80s\"",
                                e->name, wanted);
}

/* frames that need not coincide at the start */
static crank_status read_sites(crank_mjcf *m, const crank_xml *e, crank_robot_joint *joint)
{
    crank_status status = find_site(m, e, "site1", &joint->first, &joint->frame[0]);
    CRANK_THEN(status, find_site(m, e, "site2", &joint->second, &joint->frame[1]));
    return status;
}

static crank_robot_joint *add_tie(crank_mjcf *m, const crank_xml *e, int number)
{
    const char *name = crank_xml_get(e, "name");
    if (name == NULL) {
        name = crank_store_print(m->r->im->store, "%s_%d", e->name, number);
    }
    if (name != NULL && crank_index_find(&m->r->raw_joints, name) >= 0) {
        name = crank_store_print(m->r->im->store, "%s_%s", name, e->name); /* as a joint is */
    }
    crank_robot_joint *joint = name != NULL ? crank_robot_add_joint(m->r, e, name) : NULL;
    if (joint != NULL) {
        joint->loop = true;
    }
    return joint;
}

/* a connect before this one between the same bodies, -1: none */
static int find_other(const crank_robot *r, int number)
{
    const crank_robot_joint *joint = &r->joint[number];
    for (int j = 0; j < number; j++) {
        const crank_robot_joint *o = &r->joint[j];
        if (o->loop && o->kind == CRANK_ROBOT_SPHERICAL && o->first == joint->first &&
            o->second == joint->second) {
            return j;
        }
    }
    return -1;
}

static void make_hinge(crank_robot *r, int number)
{
    const int before = find_other(r, number);
    if (before < 0) {
        return;
    }
    crank_robot_joint *one = &r->joint[before];
    const crank_robot_joint *other = &r->joint[number];
    double way[2][3], length[2], apart[3]; /* from point to point, in either frame of one */
    for (int k = 0; k < 2; k++) {
        const crank_frame back = crank_frame_inverse(&one->frame[k]);
        const crank_frame seen = crank_frame_chain(&back, &other->frame[k]);
        memcpy(way[k], seen.x, sizeof way[k]);
        length[k] = crank_norm3(way[k]);
    }
    /* points that are not as far apart in both bodies stay a contradiction */
    if (!(length[0] > 0.0) || fabs(length[1] - length[0]) > round_off * length[0]) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        one->axis[i] = way[0][i] / length[0];
        one->axis2[i] = way[1][i] / length[1];
        apart[i] = one->axis2[i] - one->axis[i];
    }
    one->unaligned = crank_norm3(apart) > round_off; /* between sites */
    one->kind = CRANK_ROBOT_REVOLUTE;
    crank_import_note(r->im, other->e,
                      "\"%.60s\" and \"%.60s\" connect the same bodies, six rows of rank five: "
                      "they are one hinge here, \"%.60s\"",
                      one->name, other->name, one->name);
    r->joint_count--; /* the newest; its name stays taken */
}

static crank_status read_connect(crank_mjcf *m, const crank_xml *e, int number)
{
    crank_robot_joint *joint = add_tie(m, e, number);
    double anchor[3] = {0.0, 0.0, 0.0};
    if (joint == NULL) {
        return CRANK_EMODEL;
    }
    joint->kind = CRANK_ROBOT_SPHERICAL;
    const bool sites = crank_xml_get(e, "body1") == NULL;
    crank_status status = sites ? read_sites(m, e, joint) : read_bodies(m, e, joint);
    for (int k = 0; k < 2 && sites; k++) { /* places alone */
        memcpy(joint->frame[k].q, crank_frame_none.q, sizeof joint->frame[k].q);
    }
    if (status == CRANK_OK && !sites) {
        status = crank_xml_numbers(e, "anchor", 3, anchor, m->r->im->err);
        take_point(m, joint, anchor);
    }
    if (status == CRANK_OK) {
        make_hinge(m->r, m->r->joint_count - 1);
    }
    return status;
}

static crank_status read_weld(crank_mjcf *m, const crank_xml *e, int number)
{
    crank_robot_joint *joint = add_tie(m, e, number);
    static const double origin[3] = {0.0, 0.0, 0.0};
    double pose[7] = {0.0};
    if (joint == NULL) {
        return CRANK_EMODEL;
    }
    joint->kind = CRANK_ROBOT_FIXED;
    if (crank_xml_get(e, "body1") == NULL) {
        return read_sites(m, e, joint);
    }
    crank_status status = read_bodies(m, e, joint);
    CRANK_THEN(status, crank_xml_numbers(e, "relpose", 7, pose, m->r->im->err));
    if (status != CRANK_OK) {
        return status;
    }
    const double size =
        sqrt(pose[3] * pose[3] + pose[4] * pose[4] + pose[5] * pose[5] + pose[6] * pose[6]);
    take_point(m, joint, origin);
    if (m->global) { /* the origin of the first body, not of the world */
        const crank_frame one = start_of(m, joint->first), other = start_of(m, joint->second);
        const crank_frame back = crank_frame_inverse(&other);
        joint->frame[0] = crank_frame_none;
        joint->frame[1] = crank_frame_chain(&back, &one);
    }
    if (size > 0.0) { /* of the second body in the first */
        memcpy(joint->frame[0].x, pose, 3 * sizeof *pose);
        for (int i = 0; i < 4; i++) {
            joint->frame[0].q[i] = pose[3 + i] / size;
        }
        joint->frame[1] = crank_frame_none;
    }
    return CRANK_OK;
}

static crank_status read_joint_equality(crank_mjcf *m, const crank_xml *e)
{
    double a[5] = {0.0, 1.0, 0.0, 0.0, 0.0};
    int found = 0;
    crank_error *err = m->r->im->err;
    const char *second = crank_xml_get(e, "joint2");
    crank_robot_coupling *c = crank_robot_add_coupling(m->r, e);
    if (c == NULL) {
        return CRANK_EMEM;
    }
    c->name = crank_xml_get(e, "name");
    c->count = second != NULL ? 2 : 1;
    crank_status status = crank_xml_list(e, "polycoef", 5, a, &found, err);
    CRANK_THEN(status,
               crank_robot_find_joint(m->r, e, crank_xml_get(e, "joint1"), &c->joint[0]));
    if (second != NULL) {
        CRANK_THEN(status, crank_robot_find_joint(m->r, e, second, &c->joint[1]));
    }
    for (int i = 0; i < c->count && status == CRANK_OK; i++) {
        const crank_robot_kind kind = m->r->joint[c->joint[i]].kind;
        if (kind != CRANK_ROBOT_REVOLUTE && kind != CRANK_ROBOT_PRISMATIC) {
            status = crank_xml_fail(err, e, "<joint>: joint \"%.80s\" is no hinge or slide",
                                    m->r->joint[c->joint[i]].name);
        }
    }
    c->curved = second != NULL && (a[2] != 0.0 || a[3] != 0.0 || a[4] != 0.0);
    memcpy(c->higher, a + 2, sizeof c->higher);
    c->factor[0] = 1.0;
    c->factor[1] = -a[1];
    c->offset = a[0];
    return status;
}

static crank_status read_tendon_equality(crank_mjcf *m, const crank_xml *e)
{
    const char *const key[2] = {"tendon1", "tendon2"};
    const crank_mjcf_tendon *tendon[2] = {NULL, NULL};
    double a[5] = {0.0, 1.0, 0.0, 0.0, 0.0};
    int found = 0;
    crank_status status = crank_xml_list(e, "polycoef", 5, a, &found, m->r->im->err);
    for (int i = 0; i < 2 && status == CRANK_OK; i++) {
        if (i == 0 || crank_xml_get(e, key[i]) != NULL) {
            status = crank_mjcf_find_tendon(m, e, key[i], &tendon[i]);
        }
    }
    if (status != CRANK_OK) {
        return status;
    }
    crank_robot_tie *t = crank_robot_add_tie(m->r, e, crank_xml_get(e, "name"));
    if (t == NULL) {
        return CRANK_EMEM;
    }
    for (int i = 0; i < 2 && tendon[i] != NULL; i++) {
        t->count[i] = tendon[i]->count;
        t->part[i] = tendon[i]->part;
    }
    memcpy(t->polynomial, a, sizeof a);
    return CRANK_OK;
}

crank_status crank_mjcf_equalities(crank_mjcf *m, const crank_xml *equality)
{
    crank_status status = CRANK_OK;
    int number = 0;
    for (crank_xml *e = equality->first; e != NULL && status == CRANK_OK; e = e->next) {
        const bool connect = strcmp(e->name, "connect") == 0;
        const bool weld = strcmp(e->name, "weld") == 0;
        const bool tendon = strcmp(e->name, "tendon") == 0;
        if (!connect && !weld && !tendon && strcmp(e->name, "joint") != 0) {
            continue;
        }
        e->used = true;
        if (crank_xml_get(e, "solref") != NULL || crank_xml_get(e, "solimp") != NULL) {
            crank_import_note(m->r->im, e,
                              "<%.40s>: it is hard here, solref and solimp have no meaning",
                              e->name);
            (void)crank_xml_get(e, "solimp"); /* said, both */
        }
        (void)crank_xml_get(e, "class");
        if (is_off(m, e)) {
            crank_import_find(m->r->im, e, "an equality that is not active is left out");
            crank_xml_use_all(e);
            continue;
        }
        number++;
        status = connect  ? read_connect(m, e, number)
                 : weld   ? read_weld(m, e, number)
                 : tendon ? read_tendon_equality(m, e)
                          : read_joint_equality(m, e);
    }
    return status;
}
