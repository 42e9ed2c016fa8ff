/* mjcf_tendons.c - fixed tendons: sums of coordinates, L = sum coef_k q_k, along which springs,
 * dampers, actuators and equalities act. Their springs rest over springlength, from one number
 * to the other, or where those of the joints do; the file's coordinates are larger by `ref`. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/mjcf.h"

#include "base/grow.h"
#include "base/then.h"

#include <string.h>

static crank_status read_parts(crank_mjcf *m, const crank_xml *e, crank_mjcf_tendon *tendon,
                               double *rest)
{
    int capacity = 0;
    crank_status status = CRANK_OK;
    for (crank_xml *c = crank_xml_child(e, "joint"); c != NULL && status == CRANK_OK;
         c = crank_xml_next(c, "joint")) {
        crank_robot_part part = {.factor = 0.0};
        c->used = true;
        status = crank_robot_find_joint(m->r, c, crank_xml_get(c, "joint"), &part.joint);
        CRANK_THEN(status, crank_xml_numbers(c, "coef", 1, &part.factor, m->r->im->err));
        if (status != CRANK_OK) {
            return status;
        }
        const crank_robot_joint *joint = &m->r->joint[part.joint];
        if (joint->kind != CRANK_ROBOT_REVOLUTE && joint->kind != CRANK_ROBOT_PRISMATIC) {
            return crank_xml_fail(m->r->im->err, c,
                                  "<fixed>: joint \"%.80s\" is no hinge or "
                                  "slide",
                                  joint->name);
        }
        crank_robot_part *parts = crank_store_grow(m->r->im->store, tendon->part, tendon->count,
                                                   &capacity, sizeof *parts);
        if (parts == NULL) {
            return CRANK_EMEM;
        }
        tendon->part = parts;
        tendon->part[tendon->count++] = part;
        tendon->zero += part.factor * joint->zero;
        *rest += part.factor * joint->rest;
    }
    return status;
}

/* its own spring and damper */
static crank_status read_passive(crank_mjcf *m, const crank_xml *e,
                                 const crank_mjcf_tendon *tendon, double rest)
{
    double stiffness = 0.0, damping = 0.0, length[2] = {-1.0, -1.0};
    int found = 0;
    crank_status status =
        crank_mjcf_numbers(m, e, "tendon", NULL, "stiffness", 1, &stiffness, NULL);
    CRANK_THEN(status, crank_mjcf_numbers(m, e, "tendon", NULL, "damping", 1, &damping, NULL));
    CRANK_THEN(status,
               crank_mjcf_list(m, e, "tendon", NULL, "springlength", 2, length, &found));
    if (status != CRANK_OK) {
        return status;
    }
    if (!(stiffness >= 0.0) || !(damping >= 0.0)) {
        return crank_xml_fail(m->r->im->err, e,
                              "tendon \"%.80s\": stiffness or damping is below zero",
                              tendon->name);
    }
    stiffness = m->off.spring ? 0.0 : stiffness;
    damping = m->off.damper ? 0.0 : damping;
    if (stiffness == 0.0 && damping == 0.0) {
        return CRANK_OK;
    }
    crank_robot_pull *p = crank_robot_add_pull(m->r, e, tendon->name);
    if (p == NULL) {
        return CRANK_EMEM;
    }
    const bool given = found > 0 && !(length[0] == -1.0 && (found < 2 || length[1] == -1.0));
    p->count = tendon->count;
    p->part = tendon->part;
    p->bias[1] = -stiffness;
    p->bias[2] = -damping;
    p->rest[0] = given ? length[0] - tendon->zero : rest;
    p->rest[1] = given ? length[found > 1 ? 1 : 0] - tendon->zero : rest;
    return p->rest[0] <= p->rest[1]
               ? CRANK_OK
               : crank_xml_fail(m->r->im->err, e,
                                "tendon \"%.80s\": its springlength is no range", tendon->name);
}

static crank_status read_fixed(crank_mjcf *m, const crank_xml *e)
{
    double rest = 0.0;
    crank_mjcf_tendon tendon = {.name = crank_xml_get(e, "name")};
    (void)crank_xml_get(e, "class");
    crank_status status = read_parts(m, e, &tendon, &rest);
    if (status == CRANK_OK && tendon.count == 0) {
        return crank_xml_fail(m->r->im->err, e, "<fixed>: it has no joint");
    }
    CRANK_THEN(status, read_passive(m, e, &tendon, rest));
    if (status != CRANK_OK) {
        return status;
    }
    crank_mjcf_tendon *all = crank_store_grow(m->r->im->store, m->tendon, m->tendon_count,
                                              &m->tendon_capacity, sizeof *all);
    if (all == NULL) {
        return CRANK_EMEM;
    }
    m->tendon = all;
    m->tendon[m->tendon_count++] = tendon;
    return CRANK_OK;
}

crank_status crank_mjcf_tendons(crank_mjcf *m, const crank_xml *section)
{
    crank_status status = CRANK_OK;
    for (crank_xml *e = crank_xml_child(section, "fixed"); e != NULL && status == CRANK_OK;
         e = crank_xml_next(e, "fixed")) {
        e->used = true;
        status = read_fixed(m, e);
    }
    return status;
}

crank_status crank_mjcf_find_tendon(const crank_mjcf *m, const crank_xml *e,
                                    const char *attribute, const crank_mjcf_tendon **out)
{
    const char *wanted = crank_xml_get(e, attribute);
    for (int i = 0; i < m->tendon_count && wanted != NULL; i++) {
        if (m->tendon[i].name != NULL && strcmp(m->tendon[i].name, wanted) == 0) {
            *out = &m->tendon[i];
            return CRANK_OK;
        }
    }
    return wanted == NULL
               ? crank_xml_fail(m->r->im->err, e, "<%.40s>: it does not say which tendon",
                                e->name)
               : crank_xml_fail(m->r->im->err, e, "<%.40s>: there is no fixed tendon \"%.80s\"",
                                e->name, wanted);
}
