/* mjcf_bodies.c - bodies and joints. A body moves in its parent by its joints, the first one
 * nearest to the parent; behind all but the last one there is a link without mass. Without
 * joints it is fixed. Joints are at `pos` in axes of the body, and coordinates are zero where
 * the file places bodies: MuJoCo's are larger by `ref`. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/mjcf.h"

#include "base/grow.h"
#include "base/then.h"
#include "linalg/rotation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* where the children of a body are read */
typedef struct place {
    int link;               /* CRANK_ROBOT_GROUND: the world */
    crank_frame in_world;   /* as the file places it */
    crank_frame at;         /* frame of positions in the file, in axes of the body */
    const char *childclass; /* NULL: main */
} place;

static crank_status read_children(crank_mjcf *m, const crank_xml *e, const place *p,
                                  crank_mjcf_weight *weight);

static const char *free_name(crank_mjcf *m, const crank_index *index, const char *wanted)
{
    const char *name = wanted;
    for (int k = 2; name != NULL && crank_index_find(index, name) >= 0; k++) {
        name = crank_store_print(m->r->im->store, "%s_%d", wanted, k);
    }
    return name;
}

/* ---- inertia ---- */

static crank_status read_inertial(crank_mjcf *m, const crank_xml *e, const place *p,
                                  crank_robot_link *link)
{
    crank_error *err = m->r->im->err;
    const bool full = crank_xml_get(e, "fullinertia") != NULL;
    crank_frame own;
    crank_status status = crank_mjcf_frame(m, e, "inertial", NULL, &own);
    CRANK_THEN(status, crank_xml_numbers(e, "mass", 1, &link->mass, err));
    CRANK_THEN(status, full ? crank_xml_numbers(e, "fullinertia", 6, link->inertia, err)
                            : crank_xml_numbers(e, "diaginertia", 3, link->inertia, err));
    if (status == CRANK_OK && (!(link->mass >= 0.0) || crank_xml_get(e, "mass") == NULL)) {
        return crank_xml_fail(err, e, "<inertial>: a mass, zero or more, is needed");
    }
    link->inertial = crank_frame_chain(&p->at, &own);
    return status;
}

/* ---- joints ---- */

/* <freejoint>, to which no defaults of joints apply */
static bool is_bare(const crank_xml *e)
{
    return strcmp(e->name, "freejoint") == 0;
}

static crank_status read_kind(crank_mjcf *m, const crank_xml *e, const char *childclass,
                              crank_robot_joint *joint)
{
    static const struct {
        const char *name;
        crank_robot_kind kind;
    } kinds[] = {{"hinge", CRANK_ROBOT_REVOLUTE},
                 {"slide", CRANK_ROBOT_PRISMATIC},
                 {"ball", CRANK_ROBOT_SPHERICAL},
                 {"free", CRANK_ROBOT_FREE}};
    const char *type = is_bare(e) ? "free" : crank_mjcf_get(m, e, "joint", childclass, "type");
    type = type != NULL ? type : "hinge";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(type, kinds[i].name) == 0) {
            joint->kind = kinds[i].kind;
            return CRANK_OK;
        }
    }
    return crank_xml_fail(m->r->im->err, e,
                          "joint \"%.80s\": type \"%.40s\"; known are hinge, slide, ball, free",
                          joint->name, type);
}

static crank_status read_range(crank_mjcf *m, const crank_xml *e, const char *childclass,
                               double unit, double reference, crank_robot_joint *joint)
{
    double range[2] = {0.0, 0.0};
    bool given = false;
    const char *limited = crank_mjcf_get(m, e, "joint", childclass, "limited");
    const crank_status status =
        crank_mjcf_numbers(m, e, "joint", childclass, "range", 2, range, &given);
    const bool off = limited != NULL ? strcmp(limited, "false") == 0 : m->unlimited;
    const bool on = limited != NULL && strcmp(limited, "true") == 0;
    if (status != CRANK_OK || !given || m->off.limit || (off && !on)) {
        return status;
    }
    joint->lower = range[0] * unit - reference;
    joint->upper = range[1] * unit - reference;
    joint->limited = joint->lower < joint->upper;
    if (joint->kind == CRANK_ROBOT_SPHERICAL) {
        crank_import_find(m->r->im, e, "the range of a ball joint is not used");
    }
    return joint->lower <= joint->upper
               ? CRANK_OK
               : crank_xml_fail(m->r->im->err, e, "joint \"%.80s\": its range is empty",
                                joint->name);
}

static crank_status read_dynamics(crank_mjcf *m, const crank_xml *e, const char *childclass,
                                  crank_robot_joint *joint)
{
    const bool turns = joint->kind == CRANK_ROBOT_REVOLUTE;
    const double unit = turns ? m->angle : 1.0;
    double reference = 0.0, rest = 0.0;
    const struct {
        const char *name;
        double *to;
    } list[] = {{"damping", &joint->damping},
                {"stiffness", &joint->stiffness},
                {"frictionloss", &joint->friction},
                {"armature", &joint->rotor},
                {"ref", &reference},
                {"springref", &rest}};
    crank_status status = CRANK_OK;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        CRANK_THEN(status, crank_mjcf_numbers(m, e, "joint", childclass, list[i].name, 1,
                                              list[i].to, NULL));
    }
    if (status != CRANK_OK) {
        return status;
    }
    for (int i = 0; i < 4; i++) {
        if (!(*list[i].to >= 0.0)) {
            return crank_xml_fail(m->r->im->err, e, "joint \"%.80s\": %s is below zero",
                                  joint->name, list[i].name);
        }
    }
    const bool along = turns || joint->kind == CRANK_ROBOT_PRISMATIC;
    if (!along && (joint->damping > 0.0 || joint->stiffness > 0.0 || joint->friction > 0.0 ||
                   joint->rotor > 0.0)) {
        crank_import_find(m->r->im, e,
                          "joint \"%.80s\": damping, stiffness, frictionloss and armature of "
                          "ball and free joints are not used",
                          joint->name);
    }
    if (reference != 0.0) {
        crank_import_note(m->r->im, e,
                          "joint \"%.80s\": its coordinate is zero where the file places "
                          "bodies, not %g",
                          joint->name, reference);
    }
    joint->rest = (rest - reference) * unit;
    joint->zero = reference * unit;
    joint->damping = m->off.damper ? 0.0 : joint->damping;
    joint->stiffness = m->off.spring ? 0.0 : joint->stiffness;
    joint->friction = m->off.friction ? 0.0 : joint->friction;
    return read_range(m, e, childclass, unit, reference * unit, joint);
}

/* between two links whose axes are those of the body where coordinates are zero; inner: the
 * body as it lies in the first */
static crank_status read_joint(crank_mjcf *m, const crank_xml *e, const place *p, int first,
                               int second, const crank_frame *inner)
{
    const char *childclass = p->childclass, *name = crank_xml_get(e, "name");
    const char *body = m->r->link[p->link].name;
    if (name == NULL) {
        name = crank_store_print(m->r->im->store, "%s_joint", body);
        name = name != NULL ? free_name(m, &m->r->raw_joints, name) : NULL;
    }
    crank_robot_joint *joint = name != NULL ? crank_robot_add_joint(m->r, e, name) : NULL;
    if (joint == NULL) {
        return CRANK_EMODEL;
    }
    joint->first = first;
    joint->second = second;
    crank_frame at = crank_frame_none;
    joint->axis[0] = 0.0;
    joint->axis[2] = 1.0;
    crank_status status = read_kind(m, e, childclass, joint);
    if (!is_bare(e)) {
        CRANK_THEN(status, crank_mjcf_numbers(m, e, "joint", childclass, "pos", 3, at.x, NULL));
    }
    const crank_xml *axis =
        is_bare(e) ? NULL : crank_mjcf_owner(m, e, "joint", childclass, "axis");
    if (status == CRANK_OK && axis != NULL) {
        status = crank_robot_unit(m->r, axis, "axis", joint->axis);
    }
    if (status == CRANK_OK && m->global) {
        const crank_frame back = crank_frame_inverse(&p->in_world);
        at = crank_frame_chain(&back, &at);
        memcpy(at.q, crank_frame_none.q, sizeof at.q);
        double local[3];
        crank_frame_turn(local, back.q, joint->axis);
        memcpy(joint->axis, local, sizeof local);
    }
    if (joint->kind == CRANK_ROBOT_FREE) { /* it starts where it lies */
        memcpy(at.x, crank_frame_none.x, sizeof at.x);
    }
    joint->frame[0] = crank_frame_chain(inner, &at);
    joint->frame[1] = at;
    if (!is_bare(e)) {
        CRANK_THEN(status, read_dynamics(m, e, childclass, joint));
    }
    return status;
}

static bool is_joint(const crank_xml *e)
{
    return strcmp(e->name, "joint") == 0 || is_bare(e);
}

/* the last joint carries the body's link */
static crank_status read_joints(crank_mjcf *m, const crank_xml *e, const place *p, int parent,
                                const crank_frame *inner)
{
    int count = 0, done = 0, first = parent;
    crank_status status = CRANK_OK;
    for (const crank_xml *j = e->first; j != NULL; j = j->next) {
        count += is_joint(j) ? 1 : 0;
    }
    for (crank_xml *j = e->first; j != NULL && status == CRANK_OK; j = j->next) {
        if (!is_joint(j)) {
            continue;
        }
        j->used = true;
        int second = p->link;
        if (++done < count) {
            const char *name =
                crank_store_print(m->r->im->store, "%s_%d", m->r->link[p->link].name, done);
            name = name != NULL ? free_name(m, &m->r->raw_links, name) : NULL;
            if (name == NULL || crank_robot_add_link(m->r, j, name) == NULL) {
                return CRANK_EMODEL;
            }
            second = m->r->link_count - 1;
        }
        status = read_joint(m, j, p, first, second, done == 1 ? inner : &crank_frame_none);
        first = second;
    }
    if (count > 0 || status != CRANK_OK) {
        return status;
    }
    const char *name = crank_store_print(m->r->im->store, "%s_fixed", m->r->link[p->link].name);
    name = name != NULL ? free_name(m, &m->r->raw_joints, name) : NULL;
    crank_robot_joint *joint = name != NULL ? crank_robot_add_joint(m->r, e, name) : NULL;
    if (joint == NULL) {
        return CRANK_EMODEL;
    }
    joint->kind = CRANK_ROBOT_FIXED;
    joint->first = parent;
    joint->second = p->link;
    joint->frame[0] = *inner;
    return CRANK_OK;
}

/* ---- bodies ---- */

static crank_status find_inner(crank_mjcf *m, const crank_xml *e, const place *outer,
                               crank_frame *inner)
{
    crank_frame own;
    const crank_status status = crank_mjcf_frame(m, e, "body", NULL, &own);
    if (!m->global) {
        *inner = crank_frame_chain(&outer->at, &own);
        return status;
    }
    if (status == CRANK_OK && crank_xml_get(e, "pos") == NULL) {
        return crank_xml_fail(m->r->im->err, e, "<body>: in global coordinates it needs a pos");
    }
    const crank_frame back = crank_frame_inverse(&outer->in_world);
    *inner = crank_frame_chain(&back, &own);
    return status;
}

static crank_status read_body(crank_mjcf *m, const crank_xml *e, const place *outer)
{
    const char *name = crank_xml_get(e, "name"), *class = crank_xml_get(e, "childclass");
    crank_frame inner;
    if (name == NULL) {
        name = crank_store_print(m->r->im->store, "body_%d", m->r->link_count + 1);
        name = name != NULL ? free_name(m, &m->r->raw_links, name) : NULL;
    }
    if (name == NULL || crank_robot_add_link(m->r, e, name) == NULL) {
        return CRANK_EMODEL;
    }
    place p = {.link = m->r->link_count - 1,
               .at = crank_frame_none,
               .childclass = class != NULL ? class : outer->childclass};
    crank_status status = find_inner(m, e, outer, &inner);
    if (status != CRANK_OK) {
        return status;
    }
    p.in_world = crank_frame_chain(&outer->in_world, &inner);
    if (m->global) {
        p.at = crank_frame_inverse(&p.in_world);
    }
    status = read_joints(m, e, &p, outer->link, &inner);
    const crank_xml *inertial = crank_xml_child(e, "inertial");
    const bool weighed = m->from_geoms > 0 || (m->from_geoms < 0 && inertial == NULL);
    crank_mjcf_weight weight = {0};
    if (status == CRANK_OK && inertial != NULL) {
        status = read_inertial(m, inertial, &p, &m->r->link[p.link]);
    }
    CRANK_THEN(status, read_children(m, e, &p, weighed ? &weight : NULL));
    if (status == CRANK_OK && weighed) {
        crank_mjcf_weigh(&weight, &m->r->link[p.link]);
    }
    if (status == CRANK_OK) {
        crank_mjcf_correct_weight(m, &m->r->link[p.link]);
    }
    return status;
}

/* it counts as used once something names it */
static crank_status keep_site(crank_mjcf *m, crank_xml *e, const place *p)
{
    crank_frame own;
    const crank_status status = crank_mjcf_frame(m, e, "site", p->childclass, &own);
    crank_mjcf_site *sites = crank_store_grow(m->r->im->store, m->site, m->site_count,
                                              &m->site_capacity, sizeof *sites);
    if (sites == NULL) {
        return CRANK_EMEM;
    }
    m->site = sites;
    m->site[m->site_count++] =
        (crank_mjcf_site){.e = e, .link = p->link, .at = crank_frame_chain(&p->at, &own)};
    return status;
}

/* a mechanism without their bodies would be another one */
static bool makes_bodies(const char *name)
{
    static const char *const names[] = {"composite", "flexcomp", "replicate", "attach"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

static crank_status read_children(crank_mjcf *m, const crank_xml *e, const place *p,
                                  crank_mjcf_weight *weight)
{
    crank_status status = CRANK_OK;
    for (crank_xml *c = e->first; c != NULL && status == CRANK_OK; c = c->next) {
        if (strcmp(c->name, "geom") == 0) {
            c->used = true;
            status =
                crank_mjcf_geom(m, c, p->childclass, &p->at,
                                p->link >= 0 ? &m->r->link[p->link] : &m->r->ground, weight);
        } else if (strcmp(c->name, "body") == 0) {
            c->used = true;
            status = read_body(m, c, p);
        } else if (strcmp(c->name, "site") == 0) {
            status = keep_site(m, c, p);
        } else if (strcmp(c->name, "frame") == 0) {
            place inside = *p;
            crank_frame own;
            const char *class = crank_xml_get(c, "childclass");
            c->used = true;
            (void)crank_xml_get(c, "name");
            status = crank_mjcf_frame(m, c, "frame", NULL, &own);
            if (status == CRANK_OK && m->global) {
                return crank_xml_fail(m->r->im->err, c, "<frame>: not with global coordinates");
            }
            inside.at = crank_frame_chain(&p->at, &own);
            inside.childclass = class != NULL ? class : p->childclass;
            CRANK_THEN(status, read_children(m, c, &inside, weight));
        } else if (makes_bodies(c->name)) {
            status = crank_xml_fail(m->r->im->err, c,
                                    "<%.40s>: it makes bodies that are not read; write them "
                                    "out (MuJoCo does where it saves the model)",
                                    c->name);
        }
    }
    return status;
}

crank_status crank_mjcf_bodies(crank_mjcf *m, const crank_xml *world)
{
    const place p = {.link = CRANK_ROBOT_GROUND,
                     .in_world = crank_frame_none,
                     .at = crank_frame_none,
                     .childclass = crank_xml_get(world, "childclass")};
    return read_children(m, world, &p, NULL);
}
