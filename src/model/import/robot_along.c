/* robot_along.c - what acts along the joints of a mechanism, for a robot of another format:
 * springs, dampers, friction, stops, rotors and motors. What is lost on the way is a finding,
 * each part of a force by itself. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/export.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double crank_robot_number(const crank_record *record, const char *key, double otherwise)
{
    const crank_field *field = crank_record_find(record, key);
    return field != NULL ? field->number[0] : otherwise;
}

static bool starts_anywhere(const crank_mechanism *m, int body)
{
    return body >= 0 && m->body[body].orientation_fixing == CRANK_FREE;
}

/* the robot's joint that a record names; NULL: none that has one coordinate */
static crank_robot_joint *joint_of(crank_robot *r, const crank_mechanism *m,
                                   const crank_record *record)
{
    const crank_field *of = crank_record_find(record, "joint");
    const int found =
        of != NULL ? crank_index_find(&r->raw_joints, m->joint[of->index[0]].name) : -1;
    const crank_robot_kind kind = found >= 0 ? r->joint[found].kind : CRANK_ROBOT_FIXED;
    return kind == CRANK_ROBOT_REVOLUTE || kind == CRANK_ROBOT_PRISMATIC ? &r->joint[found]
                                                                         : NULL;
}

/* what of a force the formats cannot say */
static void tell_lost(crank_robot *r, const crank_xml *e, const crank_record *record,
                      const char *what)
{
    crank_import_find(r->im, e, "force \"%.80s\": %s left out", record->name, what);
}

/* The coordinate at which a spring is at rest: as given, else that of the start, which is zero
 * where coordinates count from there. false: it is not known. */
static bool find_rest(const crank_mechanism *m, const crank_record *record, bool turns,
                      double *rest)
{
    const crank_field *given = crank_record_find(record, turns ? "angle" : "length");
    const int j = crank_record_find(record, "joint")->index[0];
    const crank_field *counts = crank_record_find(&m->joint[j], turns ? "axis" : "at");
    const int *between = crank_record_find(&m->joint[j], "between")->index;
    bool known = counts != NULL && !counts->ends.local && !starts_anywhere(m, between[0]) &&
                 !starts_anywhere(m, between[1]);
    for (int i = 0; i < m->initial_joint_count; i++) {
        known = known && m->initial_joint[i].joint != j;
    }
    *rest = given != NULL ? given->number[0] : 0.0;
    return given != NULL || known;
}

static bool take_spring(crank_robot *r, const crank_mechanism *m, const crank_xml *e,
                        const crank_record *record, crank_robot_joint *joint)
{
    const double stiffness = crank_robot_number(record, "stiffness", 0.0);
    double rest;
    if (crank_record_find(record, "law") != NULL ||
        crank_record_find(record, "table") != NULL ||
        crank_robot_number(record, "preload", 0.0) != 0.0 || joint->stiffness > 0.0) {
        return false;
    }
    joint->damping += crank_robot_number(record, "damping", 0.0);
    if (find_rest(m, record, joint->kind == CRANK_ROBOT_REVOLUTE, &rest)) {
        joint->stiffness = stiffness;
        joint->rest = rest;
    } else if (stiffness != 0.0) {
        tell_lost(r, e, record,
                  "its stiffness, at rest where the joint starts, which is not known here "
                  "(give the coordinate at rest), is");
    }
    return true;
}

static void take_friction(crank_robot *r, const crank_xml *e, const crank_record *record,
                          crank_robot_joint *joint)
{
    joint->friction += crank_robot_number(record, "level", 0.0);
    joint->damping += crank_robot_number(record, "viscous", 0.0);
    if (crank_record_find(record, "static") != NULL) {
        tell_lost(r, e, record, "its `static` level is");
    }
    if (crank_record_find(record, "scale") != NULL) {
        tell_lost(r, e, record, "its `scale` is");
    }
}

/* a servo that follows a velocity, as importers write it */
static bool is_rate(const crank_record *record, const crank_robot_joint *joint)
{
    const crank_field *of = crank_record_find(record, "of");
    char name[200];
    (void)snprintf(name, sizeof name, "joint.%.160s.%s", joint->name,
                   joint->kind == CRANK_ROBOT_PRISMATIC ? "length_rate" : "angle_rate");
    return of != NULL && of->node->text != NULL && strcmp(of->node->text, name) == 0 &&
           crank_record_find(record, "kd") == NULL;
}

/* A number, or the input that importers make, becomes an input; other expressions are lost. */
static void tell_wanted(crank_robot *r, const crank_xml *e, const crank_record *record,
                        const char *key)
{
    const crank_field *field = crank_record_find(record, key);
    const char *text = field != NULL && field->node != NULL ? field->node->text : NULL;
    char input[200], *end;
    (void)snprintf(input, sizeof input, "%.180s_command", record->name);
    if (text != NULL && strcmp(text, input) != 0) {
        (void)strtod(text, &end);
        if (end == text || *end != '\0') {
            (void)snprintf(input, sizeof input, "its `%s` is an input there, the expression is",
                           key);
            tell_lost(r, e, record, input);
        }
    }
}

/* an actuator's own rotor, beside that of the joint */
static void take_rotor(const crank_record *record, crank_robot_joint *joint)
{
    const crank_field *rotor = crank_record_find(record, "rotor");
    if (rotor != NULL && joint->rotor > 0.0) {
        const double along = rotor->number[0] * rotor->number[1] * rotor->number[1];
        joint->rotor += along / (joint->ratio * joint->ratio);
    } else if (rotor != NULL) {
        joint->rotor = rotor->number[0];
        joint->ratio = rotor->number[1];
    }
}

static void tell_controller(crank_robot *r, const crank_xml *e, const crank_record *record)
{
    const crank_field *saturation = crank_record_find(record, "saturation");
    const bool servo = crank_record_find(record, "reference") != NULL;
    const double kp = crank_robot_number(record, "kp", 0.0);
    if (kp == 0.0 && crank_robot_number(record, "kd", 0.0) != 0.0) {
        tell_lost(r, e, record, "its `kd` without `kp` is");
    }
    if (crank_record_find(record, "filter") != NULL) {
        tell_lost(r, e, record, "the `filter` of its rate is");
    }
    if (saturation != NULL && strcmp(saturation->word, "smooth") == 0) {
        tell_lost(r, e, record, "how smoothly its limit is reached is");
    }
    if (servo && crank_record_find(record, "command") != NULL) {
        tell_lost(r, e, record, "its `command` beside the controller is");
    }
    tell_wanted(r, e, record, servo ? "reference" : "command");
}

static crank_status take_actuator(crank_robot *r, const crank_record *record,
                                  crank_robot_joint *joint, const crank_xml *e, bool *taken)
{
    const bool rate = is_rate(record, joint);
    if (crank_record_find(record, "ki") != NULL || crank_record_find(record, "lag") != NULL ||
        (crank_record_find(record, "of") != NULL && !rate)) {
        return CRANK_OK;
    }
    crank_robot_motor *motor = crank_robot_add_motor(r, e, record->name);
    if (motor == NULL) {
        return CRANK_EMEM;
    }
    motor->joint = (int)(joint - r->joint);
    motor->kp = crank_robot_number(record, "kp", 0.0);
    motor->kd = crank_robot_number(record, "kd", 0.0);
    motor->rate = rate;
    motor->upper = crank_robot_number(record, "limit", 0.0);
    motor->limited = motor->upper > 0.0;
    joint->effort = fmax(joint->effort, motor->upper);
    take_rotor(record, joint);
    tell_controller(r, e, record);
    *taken = true;
    return CRANK_OK;
}

crank_status crank_robot_along(crank_robot *r, const crank_mechanism *m,
                               const crank_record *record, const crank_xml *e)
{
    const char *type = record->type->name;
    crank_robot_joint *joint = joint_of(r, m, record);
    crank_status status = CRANK_OK;
    bool taken = false;
    if (joint != NULL && (strcmp(type, "torsion") == 0 || strcmp(type, "spring") == 0)) {
        taken = take_spring(r, m, e, record, joint);
    } else if (joint != NULL && strcmp(type, "friction") == 0 &&
               crank_record_find(record, "level") != NULL) {
        take_friction(r, e, record, joint);
        taken = true;
    } else if (joint != NULL && strcmp(type, "stop") == 0 &&
               crank_record_find(record, "lower") != NULL &&
               crank_record_find(record, "upper") != NULL) {
        joint->limited = taken = true;
        joint->lower = crank_robot_number(record, "lower", 0.0);
        joint->upper = crank_robot_number(record, "upper", 0.0);
        joint->stop_stiffness = crank_robot_number(record, "stiffness", 0.0);
        joint->stop_damping = crank_robot_number(record, "damping", 0.0);
    } else if (joint != NULL && strcmp(type, "actuator") == 0) {
        status = take_actuator(r, record, joint, e, &taken);
    }
    if (!taken && status == CRANK_OK) {
        crank_import_find(r->im, e, "force \"%.80s\" (%s) is left out", record->name, type);
    }
    return status;
}
