/* robot_moved.c - what moves the joints of a robot, as forces of a mechanism file: motors and
 * servos, whose commands are inputs; forces along sums of coordinates (tendons), which are a
 * `let` and an actuator for each joint, and `dynamic` where they follow an input; and ties between such sums, which are constraints. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/number.h"
#include "model/import/robot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef char number_text[CRANK_NUMBER_TEXT];

static const char *number(double value, number_text text)
{
    return crank_number_print(text, sizeof(number_text), value == 0.0 ? 0.0 : value, 0);
}

static void put_number(crank_import *im, const crank_xml *e, crank_node *map, const char *key,
                       double value)
{
    (void)crank_make_put(im, map, key, crank_make_number(im, e, value));
}

/* an input, zero at first, and how expressions name it; NULL: out of memory */
static const char *add_input(crank_robot *r, crank_node *root, const crank_xml *e,
                             const char *of, const double range[2])
{
    crank_import *im = r->im;
    const char *input = crank_store_print(im->store, "%s_command", of);
    if (input == NULL) {
        return NULL;
    }
    put_number(im, e, crank_make_section(im, root, "inputs"), input, 0.0);
    number_text low, high;
    return range != NULL ? crank_store_print(im->store, "min(max(%s, %s), %s)", input,
                                             number(range[0], low), number(range[1], high))
                         : input;
}

static crank_node *actuator_node(crank_robot *r, const crank_xml *e, int joint)
{
    crank_import *im = r->im;
    crank_node *map = crank_make_map(im, e);
    (void)crank_make_put(im, map, "type", crank_make_text(im, e, "actuator"));
    (void)crank_make_put(im, map, "joint", crank_make_text(im, e, "%s", r->joint[joint].name));
    return map;
}

/* ---- motors ---- */

/* control/gear, counted as the joint is here */
static void put_reference(crank_robot *r, const crank_robot_motor *m, const char *input,
                          crank_node *map)
{
    crank_import *im = r->im;
    const crank_robot_joint *joint = &r->joint[m->joint];
    number_text gear, zero;
    const char *text = input;
    if (m->gear != 1.0) {
        text = crank_store_print(im->store, "%s/%s", text, number(m->gear, gear));
    }
    if (!m->rate && joint->zero != 0.0 && text != NULL) {
        text = crank_store_print(im->store, "%s - (%s)", text, number(joint->zero, zero));
    }
    (void)crank_make_put(im, map, "reference",
                         text != NULL ? crank_make_text(im, m->e, "%s", text) : NULL);
}

static void add_motor(crank_robot *r, crank_node *root, crank_node *forces,
                      const crank_robot_motor *m)
{
    crank_import *im = r->im;
    const crank_robot_joint *joint = &r->joint[m->joint];
    const char *input = add_input(r, root, m->e, m->name, m->bounded ? m->range : NULL);
    crank_node *map = actuator_node(r, m->e, m->joint);
    const char *rate =
        joint->kind == CRANK_ROBOT_PRISMATIC ? "joint.%s.length_rate" : "joint.%s.angle_rate";
    number_text gear;
    if (input == NULL) {
        return;
    }
    if (m->kp > 0.0) {
        put_reference(r, m, input, map);
        if (m->rate) {
            (void)crank_make_put(im, map, "of", crank_make_text(im, m->e, rate, joint->name));
        }
        put_number(im, m->e, map, "kp", m->kp);
        if (m->kd > 0.0) {
            put_number(im, m->e, map, "kd", m->kd);
        }
    } else if (m->gear == 1.0) {
        (void)crank_make_put(im, map, "command", crank_make_text(im, m->e, "%s", input));
    } else {
        (void)crank_make_put(im, map, "command",
                             crank_make_text(im, m->e, "%s*%s", number(m->gear, gear), input));
    }
    if (m->limited && m->upper > 0.0) {
        put_number(im, m->e, map, "limit", m->upper * fabs(m->gear));
    }
    const char *name = crank_import_name(im, &r->bushing_names, m->e, m->name, -1);
    (void)crank_make_put(im, forces, name != NULL ? name : "", map);
}

/* ---- sums of coordinates ---- */

/* sum + factor*term; sum "": none before */
static const char *plus(crank_robot *r, const char *sum, double factor, const char *term)
{
    number_text text;
    if (sum == NULL || term == NULL || factor == 0.0) {
        return term != NULL ? sum : NULL;
    }
    const bool first = sum[0] == '\0';
    return crank_store_print(r->im->store, "%s%s%s*%s", sum,
                             first          ? ""
                             : factor < 0.0 ? " - "
                                            : " + ",
                             number(first ? factor : fabs(factor), text), term);
}

/* sum factor_k q_k, of rates if `ending` says so */
static const char *sum_text(crank_robot *r, int count, const crank_robot_part *part,
                            const char *ending)
{
    const char *text = "";
    for (int i = 0; i < count && text != NULL; i++) {
        const crank_robot_joint *joint = &r->joint[part[i].joint];
        const char *length = joint->kind == CRANK_ROBOT_PRISMATIC ? "length" : "angle";
        text =
            plus(r, text, part[i].factor,
                 crank_store_print(r->im->store, "joint.%s.%s%s", joint->name, length, ending));
    }
    return text != NULL && text[0] == '\0' ? "0" : text;
}

static const char *in_brackets(crank_robot *r, const char *text)
{
    return text != NULL ? crank_store_print(r->im->store, "(%s)", text) : NULL;
}

/* beyond its rest: L - a, or with slack max(L - b, 0) + min(L - a, 0) */
static const char *stretch_text(crank_robot *r, const crank_robot_pull *p)
{
    const char *length = sum_text(r, p->count, p->part, "");
    number_text low, high;
    if (length == NULL || (p->rest[0] == 0.0 && p->rest[1] == 0.0)) {
        return length;
    }
    return p->rest[0] == p->rest[1]
               ? crank_store_print(r->im->store, "%s - (%s)", length, number(p->rest[0], low))
               : crank_store_print(r->im->store, "max(%s - (%s), 0) + min(%s - (%s), 0)",
                                   length, number(p->rest[1], high), length,
                                   number(p->rest[0], low));
}

static const char *force_text(crank_robot *r, const crank_robot_pull *p, const char *input)
{
    number_text constant, low, high;
    const char *sum = p->bias[0] != 0.0 ? number(p->bias[0], constant) : "";
    sum = input != NULL ? plus(r, sum, p->gain, input) : sum;
    sum = plus(r, sum, p->bias[1], in_brackets(r, stretch_text(r, p)));
    sum = plus(r, sum, p->bias[2], in_brackets(r, sum_text(r, p->count, p->part, "_rate")));
    sum = sum != NULL && sum[0] == '\0' ? "0" : sum;
    if (p->limited && sum != NULL) {
        sum = crank_store_print(r->im->store, "min(max(%s, %s), %s)", sum,
                                number(p->limit[0], low), number(p->limit[1], high));
    }
    return sum;
}

/* what follows the input; NULL: out of memory */
static const char *add_activation(crank_robot *r, crank_node *root, const crank_robot_pull *p,
                                  const char *input)
{
    crank_import *im = r->im;
    const char *name = crank_store_print(im->store, "%s_activation", p->name);
    if (name == NULL) {
        return NULL;
    }
    number_text lag;
    crank_node *map = crank_make_map(im, p->e);
    put_number(im, p->e, map, "start", 0.0);
    (void)crank_make_put(
        im, map, "rate",
        crank_make_text(im, p->e, "(%s - %s)/%s", input, name, number(p->lag, lag)));
    (void)crank_make_put(im, crank_make_section(im, root, "dynamic"), name, map);
    return name;
}

static void add_pull(crank_robot *r, crank_node *root, crank_node *forces,
                     const crank_robot_pull *p)
{
    crank_import *im = r->im;
    const char *input = NULL;
    if (p->gain != 0.0) {
        input = add_input(r, root, p->e, p->name, p->bounded ? p->range : NULL);
        input = input != NULL && p->lag > 0.0 ? add_activation(r, root, p, input) : input;
        if (input == NULL) {
            return; /* the store remembers */
        }
    }
    const char *text = force_text(r, p, input);
    const char *force = crank_store_print(im->store, "%s_force", p->name);
    if (text == NULL || force == NULL) {
        return;
    }
    (void)crank_make_put(im, crank_make_section(im, root, "let"), force,
                         crank_make_text(im, p->e, "%s", text));
    for (int i = 0; i < p->count; i++) {
        crank_node *map = actuator_node(r, p->e, p->part[i].joint);
        char wanted[320];
        number_text factor;
        (void)crank_make_put(
            im, map, "command",
            crank_make_text(im, p->e, "%s*%s", number(p->part[i].factor, factor), force));
        (void)snprintf(wanted, sizeof wanted, "%.150s_%.150s", p->name,
                       r->joint[p->part[i].joint].name);
        const char *name =
            crank_import_name(im, &r->bushing_names, p->e, p->count > 1 ? wanted : p->name, -1);
        (void)crank_make_put(im, forces, name != NULL ? name : "", map);
    }
}

static void add_tie(crank_robot *r, crank_node *root, const crank_robot_tie *t)
{
    crank_import *im = r->im;
    const char *one = sum_text(r, t->count[0], t->part[0], "");
    const char *two = t->count[1] > 0 ? sum_text(r, t->count[1], t->part[1], "") : "0";
    number_text text[5];
    const double *a = t->polynomial;
    for (int i = 0; i < 5; i++) {
        (void)number(a[i], text[i]);
    }
    if (one == NULL || two == NULL) {
        return;
    }
    const bool curved = a[2] != 0.0 || a[3] != 0.0 || a[4] != 0.0;
    crank_node *node =
        t->count[1] == 0 ? crank_make_text(im, t->e, "%s - (%s)", one, text[0])
        : !curved
            ? crank_make_text(im, t->e, "%s - (%s + (%s)*(%s))", one, text[0], text[1], two)
            : crank_make_text(im, t->e,
                              "%s - (%s + (%s)*(%s) + (%s)*(%s)^2 + (%s)*(%s)^3 + "
                              "(%s)*(%s)^4)",
                              one, text[0], text[1], two, text[2], two, text[3], two, text[4],
                              two);
    (void)crank_make_put(im, crank_make_section(im, root, "holonomic"), t->name, node);
}

void crank_robot_moved(crank_robot *r, crank_node *root, crank_node *forces)
{
    for (int i = 0; i < r->motor_count; i++) {
        add_motor(r, root, forces, &r->motor[i]);
    }
    for (int i = 0; i < r->pull_count; i++) {
        add_pull(r, root, forces, &r->pull[i]);
    }
    for (int i = 0; i < r->tie_count; i++) {
        add_tie(r, root, &r->tie[i]);
    }
}
