/* mjcf_actuators.c - actuators on joints and fixed tendons. With L = gear q, or gear times what the
 * tendon sums up,
 *
 *     force = gain u + bias_0 + bias_1 L + bias_2 L',  u and the force within their ranges,
 *
 * acts through the gear; with `filter` and `filterexact` u is what follows the control with a time
 * constant. A plain motor and a servo on a joint are motors, so that they can be
 * written again; all others are pulls (robot.h). */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/mjcf.h"

#include "base/then.h"

#include <math.h>
#include <string.h>

typedef struct actuation {
    bool known;
    double gain, bias[3];
    double lag, gear;
    bool has_control, has_force;
    double control[2], force[2];
} actuation;

/* A range counts if it is said to, or where limits are automatic if it is given; 0 0 is none. */
static bool is_range(const crank_mjcf *m, const crank_xml *e, const char *limited,
                     const double range[2])
{
    const char *text = crank_mjcf_get(m, e, e->name, NULL, limited);
    return text != NULL && strcmp(text, "auto") != 0
               ? strcmp(text, "true") == 0
               : !m->unlimited && (range[0] != 0.0 || range[1] != 0.0);
}

static bool is_word(const crank_mjcf *m, const crank_xml *e, const char *attribute,
                    const char *word, const char *otherwise)
{
    const char *text = crank_mjcf_get(m, e, e->name, NULL, attribute);
    return strcmp(text != NULL ? text : otherwise, word) == 0;
}

/* ---- what it does ---- */

/* Without a state of its own, or with one that follows the control; others are not known. */
static crank_status read_dynamics(const crank_mjcf *m, const crank_xml *e, actuation *c)
{
    double dynamics[10] = {1.0};
    int found = 0;
    const bool none = is_word(m, e, "dyntype", "none", "none");
    const crank_status status =
        none ? CRANK_OK : crank_mjcf_list(m, e, e->name, NULL, "dynprm", 10, dynamics, &found);
    c->lag = none ? 0.0 : fmax(dynamics[0], 0.0);
    c->known = c->known && (none || is_word(m, e, "dyntype", "filter", "none") ||
                            is_word(m, e, "dyntype", "filterexact", "none"));
    return status;
}

static crank_status read_general(const crank_mjcf *m, const crank_xml *e, actuation *c)
{
    double gain[10] = {1.0}, bias[10] = {0.0};
    int found = 0;
    crank_status status = crank_mjcf_list(m, e, e->name, NULL, "gainprm", 10, gain, &found);
    CRANK_THEN(status, crank_mjcf_list(m, e, e->name, NULL, "biasprm", 10, bias, &found));
    const bool affine = is_word(m, e, "biastype", "affine", "none");
    c->known = is_word(m, e, "gaintype", "fixed", "fixed") &&
               (affine || is_word(m, e, "biastype", "none", "none"));
    c->gain = gain[0];
    memcpy(c->bias, bias, affine ? sizeof c->bias : 0);
    CRANK_THEN(status, read_dynamics(m, e, c));
    return status;
}

static crank_status read_control(const crank_mjcf *m, const crank_xml *e, actuation *c)
{
    *c = (actuation){.known = true, .gain = 1.0};
    if (strcmp(e->name, "general") == 0) {
        return read_general(m, e, c);
    }
    const bool rate = strcmp(e->name, "velocity") == 0;
    const bool servo = rate || strcmp(e->name, "position") == 0;
    double kd = 0.0;
    c->known = servo || strcmp(e->name, "motor") == 0;
    if (!servo) {
        return CRANK_OK;
    }
    crank_status status =
        crank_mjcf_numbers(m, e, e->name, NULL, rate ? "kv" : "kp", 1, &c->gain, NULL);
    if (!rate) {
        CRANK_THEN(status, crank_mjcf_numbers(m, e, e->name, NULL, "kv", 1, &kd, NULL));
        CRANK_THEN(status,
                   crank_mjcf_numbers(m, e, e->name, NULL, "timeconst", 1, &c->lag, NULL));
    }
    c->bias[1] = rate ? 0.0 : -c->gain;
    c->bias[2] = rate ? -c->gain : -kd;
    return status != CRANK_OK || (c->gain > 0.0 && kd >= 0.0)
               ? status
               : crank_xml_fail(m->r->im->err, e, "<%.40s>: its gain must be above zero",
                                e->name);
}

static crank_status read_ranges(const crank_mjcf *m, const crank_xml *e, actuation *c)
{
    double gear[6] = {1.0};
    int found = 0;
    crank_status status = crank_mjcf_list(m, e, e->name, NULL, "gear", 6, gear, &found);
    CRANK_THEN(status, crank_mjcf_numbers(m, e, e->name, NULL, "ctrlrange", 2, c->control,
                                          &c->has_control));
    CRANK_THEN(status, crank_mjcf_numbers(m, e, e->name, NULL, "forcerange", 2, c->force,
                                          &c->has_force));
    c->gear = gear[0];
    c->has_control =
        c->has_control && !m->off.control_limit && is_range(m, e, "ctrllimited", c->control);
    c->has_force = c->has_force && is_range(m, e, "forcelimited", c->force);
    if (status == CRANK_OK && ((c->has_control && !(c->control[0] < c->control[1])) ||
                               (c->has_force && !(c->force[0] < c->force[1])))) {
        return crank_xml_fail(m->r->im->err, e, "<%.40s>: its range is empty", e->name);
    }
    return status;
}

/* ---- where it acts ---- */

static bool is_symmetric(const double range[2])
{
    return range[0] == -range[1];
}

/* it follows its control by gain (u - L) - kd L', or by gain (u - L') */
static bool is_servo(const actuation *c)
{
    const bool rate = c->bias[1] == 0.0 && c->bias[2] == -c->gain;
    return c->gain > 0.0 && c->bias[0] == 0.0 && c->gear != 0.0 &&
           (rate || (c->bias[1] == -c->gain && c->bias[2] <= 0.0));
}

static bool is_plain(const actuation *c)
{
    return c->bias[0] == 0.0 && c->bias[1] == 0.0 && c->bias[2] == 0.0;
}

/* A motor's one bound is of force and control alike. */
static crank_status make_motor(crank_mjcf *m, const crank_xml *e, const actuation *c, int joint)
{
    const bool servo = !is_plain(c);
    crank_robot_motor *motor = crank_robot_add_motor(m->r, e, crank_xml_get(e, "name"));
    if (motor == NULL) {
        return CRANK_EMEM;
    }
    motor->joint = joint;
    motor->rate = servo && c->bias[1] == 0.0;
    /* a servo follows gear q, and its force acts through the gear again */
    motor->kp = servo ? c->gain * c->gear * c->gear : 0.0;
    motor->kd = servo && !motor->rate ? -c->bias[2] * c->gear * c->gear : 0.0;
    motor->gear = servo ? c->gear : c->gear * c->gain;
    motor->upper = HUGE_VAL;
    if (c->has_force) {
        motor->upper = c->force[1] / (servo ? 1.0 : fabs(c->gain));
    }
    if (c->has_control && !servo && is_symmetric(c->control)) {
        motor->upper = fmin(motor->upper, c->control[1]);
    } else if (c->has_control) {
        motor->bounded = true;
        memcpy(motor->range, c->control, sizeof motor->range);
    }
    motor->limited = isfinite(motor->upper);
    motor->lower = -motor->upper;
    return CRANK_OK;
}

static crank_status make_pull(crank_mjcf *m, const crank_xml *e, const actuation *c, int count,
                              const crank_robot_part *part, double zero)
{
    crank_robot_pull *p = crank_robot_add_pull(m->r, e, crank_xml_get(e, "name"));
    crank_robot_part *geared = crank_store_take(m->r->im->store, (size_t)count, sizeof *geared);
    if (p == NULL || geared == NULL) {
        return CRANK_EMEM;
    }
    for (int i = 0; i < count; i++) {
        geared[i] = part[i];
        geared[i].factor *= c->gear;
    }
    p->count = count;
    p->part = geared;
    p->gain = c->gain;
    p->lag = c->lag;
    memcpy(p->bias, c->bias, sizeof p->bias);
    p->rest[0] = p->rest[1] = zero == 0.0 ? 0.0 : -c->gear * zero;
    p->bounded = c->has_control;
    p->limited = c->has_force;
    memcpy(p->range, c->control, sizeof p->range);
    memcpy(p->limit, c->force, sizeof p->limit);
    return CRANK_OK;
}

static crank_status read_on_joint(crank_mjcf *m, const crank_xml *e, const actuation *c)
{
    crank_robot_part part = {.factor = 1.0};
    const crank_status status =
        crank_robot_find_joint(m->r, e, crank_xml_get(e, "joint"), &part.joint);
    if (status != CRANK_OK) {
        return status;
    }
    const crank_robot_joint *joint = &m->r->joint[part.joint];
    if (joint->kind != CRANK_ROBOT_REVOLUTE && joint->kind != CRANK_ROBOT_PRISMATIC) {
        return crank_xml_fail(m->r->im->err, e, "<%.40s>: joint \"%.80s\" is no hinge or slide",
                              e->name, joint->name);
    }
    const bool motor = (is_plain(c) || is_servo(c)) && c->gain != 0.0 && !(c->lag > 0.0) &&
                       !(c->has_force && !is_symmetric(c->force));
    return motor ? make_motor(m, e, c, part.joint) : make_pull(m, e, c, 1, &part, joint->zero);
}

static crank_status read_on_tendon(crank_mjcf *m, const crank_xml *e, const actuation *c)
{
    const crank_mjcf_tendon *tendon = NULL;
    const crank_status status = crank_mjcf_find_tendon(m, e, "tendon", &tendon);
    return status == CRANK_OK ? make_pull(m, e, c, tendon->count, tendon->part, tendon->zero)
                              : status;
}

/* Tendons along paths are listed, and so is what acts on them. */
static bool is_spatial(const crank_mjcf *m, const char *name)
{
    for (const crank_xml *t = crank_xml_child(m->root, "tendon"); t != NULL;
         t = crank_xml_next(t, "tendon")) {
        for (const crank_xml *e = crank_xml_child(t, "spatial"); e != NULL;
             e = crank_xml_next(e, "spatial")) {
            const char *own = crank_xml_get(e, "name");
            if (own != NULL && strcmp(own, name) == 0) {
                return true;
            }
        }
    }
    return false;
}

crank_status crank_mjcf_actuators(crank_mjcf *m, const crank_xml *actuator)
{
    crank_status status = CRANK_OK;
    for (crank_xml *e = actuator->first; e != NULL && status == CRANK_OK; e = e->next) {
        const char *tendon = crank_xml_get(e, "tendon");
        const bool on_joint = crank_xml_get(e, "joint") != NULL;
        actuation c;
        if (m->off.actuation) {
            crank_import_find(m->r->im, e, "<%.40s>: actuators are switched off by <flag>",
                              e->name);
            crank_xml_use_all(e);
            continue;
        }
        status = read_control(m, e, &c);
        if (status != CRANK_OK || !c.known ||
            !(on_joint || (tendon != NULL && !is_spatial(m, tendon)))) {
            continue;
        }
        e->used = true;
        (void)crank_xml_get(e, "class");
        status = read_ranges(m, e, &c);
        CRANK_THEN(status, on_joint ? read_on_joint(m, e, &c) : read_on_tendon(m, e, &c));
    }
    return status;
}
