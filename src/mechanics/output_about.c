/* output_about.c - units and descriptions of a mechanism's columns, in their order (see
 * output.h). Units are shared; what depends on the user's expressions has the unit that the
 * file gives, or none. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"
#include "mechanics/output.h"
#include "model/view/view.h"

#include <string.h>

typedef struct quantity {
    const char *name, *unit, *text;
} quantity;

// clang-format off
static const quantity of_body[] = {
    {"x", "m", "x of the origin of body %s"},
    {"y", "m", "y of the origin of body %s"},
    {"z", "m", "z of the origin of body %s"},
    {"q0", "1", "Euler parameter q0 of body %s"},
    {"q1", "1", "Euler parameter q1 of body %s"},
    {"q2", "1", "Euler parameter q2 of body %s"},
    {"q3", "1", "Euler parameter q3 of body %s"},
    {"angle", "rad", "angle of body %s"},
    {"vx", "m/s", "velocity along x of the origin of body %s"},
    {"vy", "m/s", "velocity along y of the origin of body %s"},
    {"vz", "m/s", "velocity along z of the origin of body %s"},
    {"wx", "rad/s", "angular velocity about x of body %s, world axes"},
    {"wy", "rad/s", "angular velocity about y of body %s, world axes"},
    {"wz", "rad/s", "angular velocity about z of body %s, world axes"},
    {"rate", "rad/s", "angular velocity of body %s"},
};

static const quantity of_point[] = {
    {"x", "m", "x of point %s"},
    {"y", "m", "y of point %s"},
    {"z", "m", "z of point %s"},
    {"vx", "m/s", "velocity along x of point %s"},
    {"vy", "m/s", "velocity along y of point %s"},
    {"vz", "m/s", "velocity along z of point %s"},
};

/* of joints and forces; arguments: "joint" or the force's type, its name */
static const quantity of_element[] = {
    {"angle", "rad", "angle of %s %s"},
    {"angle1", "rad", "first angle of %s %s"},
    {"angle2", "rad", "second angle of %s %s"},
    {"angle_rate", "rad/s", "rate of the angle of %s %s"},
    {"angle1_rate", "rad/s", "rate of the first angle of %s %s"},
    {"angle2_rate", "rad/s", "rate of the second angle of %s %s"},
    {"length", "m", "length of %s %s"},
    {"length1", "m", "first length of %s %s"},
    {"length2", "m", "second length of %s %s"},
    {"length_rate", "m/s", "rate of the length of %s %s"},
    {"length1_rate", "m/s", "rate of the first length of %s %s"},
    {"length2_rate", "m/s", "rate of the second length of %s %s"},
    {"height", "m", "height of %s %s over its plane"},
    {"height_rate", "m/s", "rate of the height of %s %s"},
    {"deflection", "m", "deflection of %s %s"},
    {"x", "m", "second end seen from the first, along x, of %s %s"},
    {"y", "m", "second end seen from the first, along y, of %s %s"},
    {"z", "m", "second end seen from the first, along z, of %s %s"},
    {"x_rate", "m/s", "rate of x of the second end of %s %s"},
    {"y_rate", "m/s", "rate of y of the second end of %s %s"},
    {"z_rate", "m/s", "rate of z of the second end of %s %s"},
    {"yaw", "rad", "yaw of %s %s"},
    {"roll", "rad", "roll of %s %s"},
    {"pitch", "rad", "pitch of %s %s"},
    {"yaw_rate", "rad/s", "rate of the yaw of %s %s"},
    {"roll_rate", "rad/s", "rate of the roll of %s %s"},
    {"pitch_rate", "rad/s", "rate of the pitch of %s %s"},
    {"displacement", "m", "displacement of the wheel of %s %s outwards"},
    {"displacement_rate", "m/s", "rate of the displacement of %s %s"},
    {"rx", "rad", "rotation vector along x of the second end of %s %s"},
    {"ry", "rad", "rotation vector along y of the second end of %s %s"},
    {"rz", "rad", "rotation vector along z of the second end of %s %s"},
    {"force", "N", "force of %s %s"},
    {"load", "N", "load of %s %s"},
    {"fx", "N", "force along x of %s %s"},
    {"fy", "N", "force along y of %s %s"},
    {"fz", "N", "force along z of %s %s"},
    {"torque", "N m", "torque of %s %s"},
    {"tx", "N m", "torque about x of %s %s"},
    {"ty", "N m", "torque about y of %s %s"},
    {"tz", "N m", "torque about z of %s %s"},
    {"effort", "", "force or torque of %s %s along what it drives"},
    {"effort_angle", "N m", "torque of %s %s along the angle it drives"},
    {"effort_length", "N", "force of %s %s along the length it drives"},
    {"rotor_effort", "", "force or torque of the rotor of %s %s along its coordinate"},
    {"rotor_angle_effort", "N m", "torque of the rotor of %s %s along its angle"},
    {"rotor_angle1_effort", "N m", "torque of the rotor of %s %s along its first angle"},
    {"rotor_angle2_effort", "N m", "torque of the rotor of %s %s along its second angle"},
    {"rotor_length_effort", "N", "force of the rotor of %s %s along its length"},
    {"longitudinal", "N", "force of %s %s along the road, ahead"},
    {"lateral", "N", "force of %s %s along the road, to the left"},
    {"longitudinal_slip", "1", "slip of %s %s ahead"},
    {"lateral_slip", "1", "slip of %s %s, > 0: pushed to the left"},
    {"separation", "N", "force of %s %s that pushes the gears apart"},
    {"push", "N", "force of %s %s by which it presses on what it touches, < 0: pulls"},
    {"power", "W", "power that %s %s supplies"},
    {"power_angle", "W", "power that the drive of the angle of %s %s supplies"},
    {"power_length", "W", "power that the drive of the length of %s %s supplies"},
    {"command", "", "command of %s %s"},
    {"error", "", "error of %s %s"},
};

/* arguments: the joint, the body, the axes */
static const quantity of_reaction[] = {
    {"fx", "N", "force of joint %s on %s along x, %s axes"},
    {"fy", "N", "force of joint %s on %s along y, %s axes"},
    {"fz", "N", "force of joint %s on %s along z, %s axes"},
    {"tx", "N m", "torque of joint %s on %s about x, about the joint's point on it, %s axes"},
    {"ty", "N m", "torque of joint %s on %s about y, about the joint's point on it, %s axes"},
    {"tz", "N m", "torque of joint %s on %s about z, about the joint's point on it, %s axes"},
};
// clang-format on

#define COUNT(table) ((int)(sizeof(table) / sizeof(table)[0]))

static const quantity *find(const quantity *table, int count, const char *name)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(table[i].name, name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

/* A text of the tables with its arguments, a list that ends in NULL, in place of %s. */
static const char *fill(crank_output_set *set, const char *text, const char *const *arguments)
{
    size_t size = strlen(text) + 1;
    for (int i = 0; arguments[i] != NULL; i++) {
        size += strlen(arguments[i]);
    }
    char *out = crank_store_take(&set->store, size, 1);
    if (out == NULL) {
        return NULL;
    }
    char *end = out;
    for (const char *c = text; *c != '\0'; c++) {
        if (c[0] == '%' && c[1] == 's' && *arguments != NULL) {
            const size_t length = strlen(*arguments);
            memcpy(end, *arguments++, length);
            end += length;
            c++;
        } else {
            *end++ = *c;
        }
    }
    *end = '\0';
    return out;
}

/* ---- the parts ---- */

static void describe(crank_output_set *set, int *k, const char *unit, const char *text)
{
    set->column_unit[*k] = unit;
    set->column_description[*k] = text;
    *k += 1;
}

static void describe_bodies(crank_output_set *set, const crank_builder *b, int *k)
{
    for (int i = 0; i < b->mechanism->body_count; i++) {
        const char *const *names;
        const int count = crank_output_body_columns(b->kind[i], &names);
        for (int j = 0; j < count; j++) {
            const quantity *q = find(of_body, COUNT(of_body), names[j]);
            describe(set, k, q->unit,
                     fill(set, q->text, (const char *[]){b->mechanism->body[i].name, NULL}));
        }
    }
}

/* "force.left.pull_back": "pull back of force element left" */
static const char *plain(crank_output_set *set, const char *name)
{
    const char *object = strchr(name, '.') + 1, *last = strrchr(name, '.');
    char *words = crank_store_copy(&set->store, last + 1, strlen(last + 1));
    const char *shown = crank_store_copy(&set->store, object, (size_t)(last - object));
    if (words == NULL || shown == NULL) {
        return NULL;
    }
    for (char *c = words; *c != '\0'; c++) {
        *c = *c == '_' ? ' ' : *c;
    }
    const bool joint = strncmp(name, "joint.", 6) == 0;
    return fill(set, "%s of %s %s",
                (const char *[]){words, joint ? "joint" : "force element", shown, NULL});
}

/* "joint.left.knee.angle": the object's name may have dots, the quantity's has none */
static void describe_element(crank_output_set *set, const char *unit, int *k)
{
    const char *name = set->column_name[*k];
    const char *object = strchr(name, '.') + 1;
    const char *last = strrchr(name, '.');
    const bool joint = strncmp(name, "joint.", 6) == 0;
    const bool point_of_body = strncmp(name, "body.", 5) == 0;
    const char *shown = crank_store_copy(&set->store, object, (size_t)(last - object));
    const quantity *q = point_of_body ? find(of_point, COUNT(of_point), last + 1)
                                      : find(of_element, COUNT(of_element), last + 1);
    if (shown == NULL || q == NULL) { /* the name says what it is */
        describe(set, k, unit != NULL ? unit : "", shown != NULL ? plain(set, name) : "");
        return;
    }
    if (point_of_body) {
        describe(set, k, q->unit, fill(set, q->text, (const char *[]){shown, NULL}));
        return;
    }
    describe(
        set, k, unit != NULL ? unit : q->unit,
        fill(set, q->text, (const char *[]){joint ? "joint" : "force element", shown, NULL}));
}

static void describe_reactions(crank_output_set *set, const crank_builder *b, bool unique,
                               int *k)
{
    const crank_reactions *r = &set->reaction;
    const crank_mechanism *m = b->mechanism;
    for (int i = 0; i < r->count; i++) {
        const int joint = r->item[i].joint;
        const int second = b->reaction[joint].second;
        const char *body =
            second < 0 ? "the ground"
                       : fill(set, "body %s", (const char *[]){m->body[second].name, NULL});
        for (int j = 0; j < r->components && body != NULL; j++) {
            const quantity *q =
                find(of_reaction, COUNT(of_reaction), crank_reactions_component(r, j));
            const char *text = fill(set, q->text,
                                    (const char *[]){m->joint[joint].name, body,
                                                     r->joint_axes ? "joint" : "world", NULL});
            if (unique && text != NULL) {
                text = fill(set, "1 if unique: %s", (const char *[]){text, NULL});
            }
            describe(set, k, unique ? "1" : q->unit, text);
        }
    }
}

static void describe_efforts(crank_output_set *set, int *k)
{
    const crank_reactions *r = &set->reaction;
    for (int i = 0; i < r->effort_count; i++) {
        describe(set, k, "1",
                 fill(set, "1 if unique: %s", (const char *[]){r->effort_name[i], NULL}));
    }
}

static bool within(const crank_eom *eom, int column, crank_group group, int size)
{
    return column >= eom->column[group] && column < eom->column[group] + size;
}

static const char *keep_unit(crank_output_set *set, const char *unit)
{
    return unit != NULL ? crank_store_copy(&set->store, unit, strlen(unit)) : "";
}

/* of a variable of a force that has a name, too: its force or torque; NULL: none */
static const char *unit_of_named(const crank_builder *b, crank_ex symbol)
{
    for (int i = 0; i < b->name.count; i++) {
        const crank_named_quantity *n = &b->name.item[i];
        const quantity *q = n->in_results && n->ex == symbol
                                ? find(of_element, COUNT(of_element), strrchr(n->name, '.') + 1)
                                : NULL;
        if (q != NULL) {
            return n->unit != NULL ? n->unit : q->unit;
        }
    }
    return NULL;
}

/* by the letter of its kind, eom/eom.h */
static const char *unit_of_kind(char kind)
{
    return kind == 't'   ? "m"
           : kind == 'a' ? "rad"
           : kind == 'f' ? "N"
           : kind == 'm' ? "N m"
                         : NULL;
}

/* what the file says, or is known of a force; NULL: nothing */
static const char *unit_of(const crank_builder *b, const crank_eom *eom, int column)
{
    const int r = column - eom->column[CRANK_R], w = column - eom->column[CRANK_W];
    const crank_unknown *unknown = r >= 0 && r < b->dynamic.count     ? &b->dynamic.item[r]
                                   : w >= 0 && w < b->auxiliary.count ? &b->auxiliary.item[w]
                                                                      : NULL;
    if (unknown == NULL) {
        return NULL;
    }
    if (unknown->owner.kind != CRANK_OWNER_EQUATION) {
        const char *named = unit_of_named(b, unknown->symbol);
        return named != NULL ? named : unit_of_kind(unknown->kind);
    }
    const crank_expression_record *record = crank_build_equation(b, unknown->owner);
    return record != NULL ? record->unit : NULL;
}

static void describe_variables(crank_output_set *set, const crank_builder *b,
                               const crank_eom *eom, int *k)
{
    for (int i = 0; i < set->variable_count; i++) {
        const int column = set->variable[i];
        const char *name = set->column_name[*k];
        const char *dot = strchr(name, '.'); /* lambda.NAME */
        const char *text = within(eom, column, CRANK_R, eom->sizes.r)   ? "dynamic variable"
                           : within(eom, column, CRANK_W, eom->sizes.w) ? "auxiliary variable"
                           : within(eom, column, CRANK_S, eom->sizes.s)
                               ? "contact parameter"
                               : "multiplier of constraint %s";
        describe(set, k, keep_unit(set, unit_of(b, eom, column)),
                 fill(set, text, (const char *[]){dot != NULL ? dot + 1 : name, NULL}));
    }
}

bool crank_output_describe(crank_output_set *set, const crank_builder *b, const crank_eom *eom)
{
    const size_t count = (size_t)set->column_count;
    const crank_mechanism *m = b->mechanism;
    int k = 0;
    set->column_unit = crank_store_take(&set->store, count, sizeof *set->column_unit);
    set->column_description =
        crank_store_take(&set->store, count, sizeof *set->column_description);
    if (set->store.failed) {
        return false;
    }
    describe_bodies(set, b, &k);
    for (int i = 0; i < b->name.count; i++) {
        if (b->name.item[i].in_results) {
            describe_element(set, b->name.item[i].unit, &k);
        }
    }
    describe_reactions(set, b, false, &k);
    if (set->uniqueness != NULL) {
        describe_reactions(set, b, true, &k);
        describe_efforts(set, &k);
    }
    describe_variables(set, b, eom, &k);
    for (int i = 0; i < m->output_count; i++) {
        const crank_node *node = m->output[i].node;
        const bool scalar = node != NULL && node->kind == CRANK_NODE_SCALAR;
        describe(set, &k, keep_unit(set, m->output[i].unit),
                 scalar ? crank_store_copy(&set->store, node->text, strlen(node->text)) : "");
    }
    describe(set, &k, "J", "kinetic energy");
    describe(set, &k, "J", "potential energy of gravity and of springs");
    if (set->energy) {
        describe(set, &k, "J", "dissipated work");
        describe(set, &k, "J", "work of applied forces, actuators and drives");
    }
    for (int i = 0; i < set->view_count; i++) {
        const crank_view_column *c = &m->view->column[i];
        describe(set, &k, c->unit,
                 crank_store_print(&set->store, "for the view: %s", c->node->text));
    }
    return !set->store.failed;
}
