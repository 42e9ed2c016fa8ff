/* build_bodies.c - quantities of bodies in expressions, made of primitives when they are asked
 * for; e_i: axes of the world, b_j: axes of the body, P: its origin, or one of its points:
 *
 *     x  vx  ax     e_1 . P: value, rate, acceleration             tip.x: of point "tip"
 *     wx  dwx       rate and acceleration of the turn about e_1
 *     omega_x       rate of the turn about b_1: angular velocity in body axes;
 *                   domega_x its rate
 *     r12           e_1 . b_2, of the rotation matrix
 *     roll  pitch  yaw    angles of that matrix, theory (7.29)
 *     q0 ... q3     of the orientation, in outputs only
 *     planar: angle, rate, angle_acceleration */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"

#include <stdio.h>
#include <string.h>

static crank_marker unit(int body, int i)
{
    crank_marker axis = {.body = body};
    axis.u[i] = 1.0;
    return axis;
}

/* Where is it in a table of names, row by row of three? -1: it is none of the first rows. */
static int find_name(const char *quantity, const char *const names[][3], int rows)
{
    for (int k = 0; k < 3 * rows; k++) {
        if (strcmp(quantity, names[k / 3][k % 3]) == 0) {
            return k;
        }
    }
    return -1;
}

/* x ... az of a point of the body */
static crank_ex point_quantity(crank_builder *b, crank_marker point, const char *quantity)
{
    static const char *const names[][3] = {
        {"x", "y", "z"}, {"vx", "vy", "vz"}, {"ax", "ay", "az"}};
    const int k = find_name(quantity, names, 3);
    if (k < 0 || (b->mechanism->dimension == 2 && k % 3 == 2)) {
        return -1;
    }
    const int primitive =
        crank_build_product(b, crank_vector_of(unit(-1, k % 3)), crank_vector_of(point));
    return k / 3 == 0   ? crank_build_value(b, primitive)
           : k / 3 == 1 ? crank_build_rate(b, primitive)
                        : crank_build_acceleration(b, primitive);
}

/* angular velocities and accelerations of a spatial body */
static crank_ex turn_quantity(crank_builder *b, int body, const char *quantity)
{
    static const char *const names[][3] = {{"wx", "wy", "wz"},
                                           {"dwx", "dwy", "dwz"},
                                           {"omega_x", "omega_y", "omega_z"},
                                           {"domega_x", "domega_y", "domega_z"}};
    const int k = find_name(quantity, names, 4);
    if (k < 0) {
        return -1;
    }
    const crank_marker axis = unit(k / 3 < 2 ? -1 : body, k % 3);
    const int primitive = crank_build_turn(b, crank_vector_of(axis), -1, body);
    return (k / 3) % 2 == 0 ? crank_build_rate(b, primitive)
                            : crank_build_acceleration(b, primitive);
}

/* ---- orientation ---- */

/* R_ij, counted from 0 */
static crank_ex matrix_entry(crank_builder *b, int body, int i, int j)
{
    return crank_build_value(b, crank_build_product(b, crank_vector_of(unit(-1, i)),
                                                    crank_vector_of(unit(body, j))));
}

/* R = Rz(yaw) Ry(pitch) Rx(roll) */
static crank_ex turned_angle(crank_builder *b, int body, const char *quantity)
{
    crank_pool *pool = b->pool;
    if (strcmp(quantity, "roll") == 0) {
        return crank_build_turning_angle(b, matrix_entry(b, body, 2, 1),
                                         matrix_entry(b, body, 2, 2));
    }
    if (strcmp(quantity, "yaw") == 0) {
        return crank_build_turning_angle(b, matrix_entry(b, body, 1, 0),
                                         matrix_entry(b, body, 0, 0));
    }
    if (strcmp(quantity, "pitch") == 0) {
        const crank_ex across = crank_ex_call(pool, CRANK_EX_HYPOT, matrix_entry(b, body, 2, 1),
                                              matrix_entry(b, body, 2, 2), 0);
        return crank_ex_call(pool, CRANK_EX_ATAN2,
                             crank_ex_neg(pool, matrix_entry(b, body, 2, 0)), across, 0);
    }
    return -1;
}

static crank_ex orientation_quantity(crank_builder *b, int body, const char *quantity)
{
    const size_t length = strlen(quantity);
    if (length == 3 && quantity[0] == 'r' && quantity[1] >= '1' && quantity[1] <= '3' &&
        quantity[2] >= '1' && quantity[2] <= '3') {
        return matrix_entry(b, body, quantity[1] - '1', quantity[2] - '1');
    }
    if (length != 2 || quantity[0] != 'q' || quantity[1] < '0' || quantity[1] > '3') {
        return turned_angle(b, body, quantity);
    }
    char name[32];
    const int index = 4 * body + (quantity[1] - '0');
    (void)snprintf(name, sizeof name, "#q%d", index);
    const crank_ex symbol = crank_ex_symbol(b->pool, name);
    crank_build_set_symbol(b, symbol, CRANK_SYMBOL_Q, index);
    return symbol;
}

/* of the angle of a planar body */
static crank_ex angle_quantity(crank_builder *b, int body, const char *quantity)
{
    const int angle = crank_build_angle(b, -1, body);
    if (strcmp(quantity, "angle") == 0) {
        return crank_build_value(b, angle);
    }
    if (strcmp(quantity, "rate") == 0) {
        return crank_build_rate(b, angle);
    }
    if (strcmp(quantity, "angle_acceleration") == 0) {
        return crank_build_acceleration(b, angle);
    }
    return -1;
}

/* ---- all of them ---- */

/* "tip.x" */
static crank_ex named_point(crank_builder *b, int body, const char *quantity,
                            const char **reason)
{
    const crank_body_record *record = &b->mechanism->body[body];
    const size_t length = strcspn(quantity, ".");
    for (int i = 0; i < record->points; i++) {
        const crank_point_record *p = &record->fixed_point[i];
        if (strlen(p->name) == length && strncmp(p->name, quantity, length) == 0) {
            return point_quantity(b, crank_build_local_point(b, body, p->at),
                                  quantity + length + 1);
        }
    }
    *reason = "none of its `points` has this name";
    return -1;
}

/* body.rod.tip.x would be the name of two columns: a body of assembly rod is called rod.tip */
static crank_status check_name(const crank_mechanism *m, int body, const char *point,
                               const char *object, crank_error *err)
{
    for (int i = 0; i < m->body_count; i++) {
        if (strcmp(m->body[i].name, object) == 0) {
            return crank_fail_node(err, CRANK_EMODEL, m->body[body].key,
                                   "body \"%.80s\", points: \"%.80s\" has the name of body "
                                   "\"%.80s\" of an assembly; call it otherwise",
                                   m->body[body].name, point, object);
        }
    }
    return CRANK_OK;
}

crank_status crank_build_point_columns(crank_builder *b, crank_error *err)
{
    static const char *const names[2][3] = {{"x", "y", "z"}, {"vx", "vy", "vz"}};
    const crank_mechanism *m = b->mechanism;
    for (int i = 0; i < m->body_count; i++) {
        for (int k = 0; k < m->body[i].points; k++) {
            const crank_point_record *p = &m->body[i].fixed_point[k];
            const crank_marker point = crank_build_local_point(b, i, p->at);
            const char *object = crank_store_print(b->store, "%s.%s", m->body[i].name, p->name);
            const crank_status status = object != NULL
                                            ? check_name(m, i, p->name, object, err)
                                            : crank_fail(err, CRANK_EMEM, "points of bodies");
            if (status != CRANK_OK) {
                return status;
            }
            for (int j = 0; j < 2 * m->dimension; j++) {
                const char *name = names[j / m->dimension][j % m->dimension];
                crank_build_name(b, "body", object, name, point_quantity(b, point, name), true);
            }
        }
    }
    return CRANK_OK;
}

/* quantities of bodies that turn */
static bool is_turn(const char *quantity)
{
    static const char *const names[] = {"angle",  "rate",    "angle_acceleration",
                                        "roll",   "pitch",   "yaw",
                                        "wx",     "wy",      "wz",
                                        "dwx",    "dwy",     "dwz",
                                        "q0",     "q1",      "q2",
                                        "q3",     "omega_x", "omega_y",
                                        "omega_z"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(quantity, names[i]) == 0) {
            return true;
        }
    }
    return strncmp(quantity, "domega_", 7) == 0 ||
           (quantity[0] == 'r' && strlen(quantity) == 3 && strspn(quantity + 1, "123") == 2);
}

crank_ex crank_build_body_quantity(crank_builder *b, int body, const char *quantity,
                                   const char **reason)
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    if (strchr(quantity, '.') != NULL) {
        return named_point(b, body, quantity, reason);
    }
    crank_ex ex = point_quantity(b, crank_build_local_point(b, body, origin), quantity);
    if (ex < 0 && b->kind[body] == CRANK_BODY_PLANAR) {
        ex = angle_quantity(b, body, quantity);
    } else if (ex < 0 && b->kind[body] == CRANK_BODY_SPATIAL) {
        ex = turn_quantity(b, body, quantity);
        ex = ex >= 0 ? ex : orientation_quantity(b, body, quantity);
    }
    if (ex < 0 && b->mechanism->body[body].point && is_turn(quantity)) {
        *reason = "it is a point mass and does not turn";
    }
    return ex;
}
