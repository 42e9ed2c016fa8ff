/* bushing.c - elastic element between two bodies with stiffness and damping in all directions.
 *
 * Axes a_1, a_2, a_3 are fixed in the first body, b_1, b_2, b_3 in the second; at the start
 * they are the same.
 *     displacements    u_i = a_i . (P2 - P1)
 *     rotation vector  theta = phi n for a turn by phi about n: with
 *                      r = 1/2 sum_j a_j x b_j = n sin phi, c = (sum_j a_j.b_j - 1)/2 = cos phi
 *                      theta = r atan2(|r|, c)/|r|                                theory (7.53)
 * Both are functions of dot products, which do not change when both bodies move together; the
 * forces are minus the derivatives of V = sum k u^2/2 - f0 u + sum k theta^2/2 - t0 theta, f0
 * and t0 being the preload (and of the like for damping), so that action equals reaction in
 * forces and moments exactly and the elastic part is conservative for rotations of any size. At
 * half a turn theta jumps to -theta: a pole. Planar: the change of the angle.
 *
 * Results: f_i = f0_i - (k u_i + c u_i'), the force on the second body at P2 along a_i; its
 * torque about P2 along a_i, with tau_j = t0_j - (k theta_j + c theta_j'):  T_i = sum_j tau_j
 * dtheta_j(a_i), the change of theta_j by a turn of the second body about a_i, in which
 *     d(a_{i+1}.b_l) = -a_{i+2}.b_l,   d(a_{i+2}.b_l) = a_{i+1}.b_l,
 *         d(a_i.b_l) = 0  theory (7.54)
 * and their power f.u' + tau.theta' = f.u' + T.omega. With `scale` s the forces are s times
 * these and stored is s V; s' V, but for what t alone does, which is counted with the
 * potential, is supplied. A bushing that is released, s = 0, may turn by any angle. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/forces/force.h"

#include "base/then.h"
#include "linalg/rotation.h"

/* terms of the series of atan(w)/w, used where w^2 < 1/64: the first one left out is below
 * rounding also in its first derivative */
enum { SERIES = 10 };

static const crank_key_spec keys[] = {
    {"between", CRANK_SHAPE_BODIES, true, NULL, "the first and the second body"},
    {"at", CRANK_SHAPE_END, true, NULL, "where it is at the start, or its two ends"},
    {"orientation", CRANK_SHAPE_ORIENTATION, false, NULL,
     "of its axes in the world at the start; if not given world axes, turned with the "
     "assembly"},
    {"turned", CRANK_SHAPE_ORIENTATION, false, NULL,
     "orientation of the second body in axes of the first where the bushing is not twisted; "
     "`orientation` is in axes of the first body then. If not given as the file places them "
     "(not in planar models)"},
    {"stiffness", CRANK_SHAPE_NUMBERS, true, NULL,
     "six numbers [x, y, z, about x, about y, about z]; planar: three [x, y, angle]"},
    {"damping", CRANK_SHAPE_NUMBERS, false, NULL, "the same order; 0 if not given"},
    {"preload", CRANK_SHAPE_NUMBERS, false, NULL,
     "force and torque on the second body where both ends coincide, the same order; 0 if not "
     "given"},
    {"scale", CRANK_SHAPE_EXPRESSION, false, NULL,
     "factor of all its forces and torques, an expression; 1 if not given, 0: it is released"},
    CRANK_KEY_DERIVATIVES,
    CRANK_KEYS_END};

/* of one direction */
typedef struct resistance {
    double k, c, f; /* stiffness, damping, preload */
} resistance;

typedef struct bushing {
    const crank_record *record;
    crank_owner owner;
    const int *between;
    crank_marker at[2];
    crank_marker axis[2][3]; /* a_i and b_i */
    crank_ex scale, changes; /* factor of forces; its rate without that by t */
    crank_ex power;          /* of what has been built */
} bushing;

static bool acts(const resistance *d)
{
    return d->k != 0.0 || d->c != 0.0 || d->f != 0.0;
}

/* stiffness, damping and preload along y, whose energies are stated and which gets a name;
 * *effort: what acts along y */
static crank_status resist(crank_builder *b, bushing *u, crank_ex y, const resistance *d,
                           const char *name, crank_ex *effort, crank_error *err)
{
    const crank_ex rate = crank_build_time_derivative(b, y);
    const crank_ex damp = crank_force_scale(b, d->c, rate);
    const crank_ex force = crank_force_add(b, crank_force_scale(b, d->k, y), damp);
    const crank_ex square = crank_force_scale(b, 0.5 * d->k, crank_force_mul(b, y, y));
    const crank_ex stored = crank_force_sub(b, square, crank_force_scale(b, d->f, y));
    const crank_ex loss = crank_force_mul(b, damp, rate);
    crank_build_potential(b, u->owner, crank_force_mul(b, u->scale, stored));
    crank_build_dissipated(b, u->owner, crank_force_mul(b, u->scale, loss));
    if (crank_record_find(u->record, "scale") != NULL) {
        crank_build_supplied(b, u->owner, crank_force_mul(b, u->changes, stored));
    }
    crank_force_name(b, u->record, name, y);
    *effort =
        crank_force_mul(b, u->scale, crank_force_sub(b, crank_force_constant(b, d->f), force));
    u->power = crank_force_add(b, u->power, crank_force_mul(b, *effort, rate));
    return crank_build_effort_along(b, u->owner, y, *effort, err);
}

/* a_i.b_j of all axes, and their values */
typedef struct rotation {
    int product[9];
    crank_ex dot[3][3];
    crank_ex vector[3]; /* theta */
} rotation;

/* r_i of the header */
static crank_ex sine(crank_builder *b, const rotation *r, int i)
{
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    return crank_force_scale(b, 0.5, crank_force_sub(b, r->dot[k][j], r->dot[j][k]));
}

/* atan2(s, c)/s of s^2 and c: where w = s/c is small and c > 0 by the series of atan(w)/w, over
 * c. What is not used there stays finite, since derivatives may multiply it by zero. */
static crank_ex angle_over_sine(crank_builder *b, crank_ex square, crank_ex c)
{
    crank_pool *pool = crank_build_pool(b);
    const crank_ex c2 = crank_force_mul(b, c, c);
    const crank_ex one = crank_force_constant(b, 1.0);
    const crank_ex less =
        crank_ex_call(pool, CRANK_EX_LT, crank_force_scale(b, 64.0, square), c2, 0);
    const crank_ex ahead = crank_ex_call(pool, CRANK_EX_LT, crank_force_constant(b, 0.0), c, 0);
    const crank_ex small = crank_ex_call(pool, CRANK_EX_AND, less, ahead, 0);
    const crank_ex near_c = crank_ex_call(pool, CRANK_EX_IF, small, c, one);
    const crank_ex near_square =
        crank_ex_call(pool, CRANK_EX_IF, small, square, crank_force_constant(b, 0.0));
    const crank_ex w2 = crank_ex_div(pool, near_square, crank_force_mul(b, near_c, near_c));
    crank_ex series = crank_force_constant(b, 0.0);
    for (int i = SERIES - 1; i >= 0; i--) {
        series = crank_force_sub(b, crank_force_constant(b, 1.0 / (2.0 * i + 1.0)),
                                 crank_force_mul(b, w2, series));
    }
    const crank_ex s = crank_ex_call(
        pool, CRANK_EX_SQRT, crank_ex_call(pool, CRANK_EX_IF, small, one, square), 0, 0);
    const crank_ex far = crank_ex_div(pool, crank_ex_call(pool, CRANK_EX_ATAN2, s, c, 0), s);
    return crank_ex_call(pool, CRANK_EX_IF, small, crank_ex_div(pool, series, near_c), far);
}

/* theta of the header */
static void make_rotation(crank_builder *b, const bushing *u, rotation *r)
{
    const crank_ex half = crank_force_constant(b, 0.5);
    crank_ex c = crank_force_scale(b, -1.0, half), square = crank_force_constant(b, 0.0);
    crank_ex s[3];
    for (int i = 0; i < 9; i++) {
        r->product[i] = crank_build_product(b, crank_vector_of(u->axis[0][i / 3]),
                                            crank_vector_of(u->axis[1][i % 3]));
        r->dot[i / 3][i % 3] = crank_build_value(b, r->product[i]);
    }
    for (int i = 0; i < 3; i++) {
        s[i] = sine(b, r, i);
        c = crank_force_add(b, c, crank_force_mul(b, half, r->dot[i][i]));
        square = crank_force_add(b, square, crank_force_mul(b, s[i], s[i]));
    }
    const crank_ex ratio = angle_over_sine(b, square, c);
    for (int i = 0; i < 3; i++) {
        r->vector[i] = crank_force_mul(b, ratio, s[i]);
    }
    crank_build_half_turn(b, u->owner, r->product,
                          crank_record_find(u->record, "scale") != NULL ? u->scale : -1);
}

/* T_i of the header, which get their names; tau: along theta */
static void name_torques(crank_builder *b, const bushing *u, const rotation *r,
                         const crank_ex tau[3])
{
    static const char *const name[3] = {"tx", "ty", "tz"};
    crank_pool *pool = crank_build_pool(b);
    for (int i = 0; i < 3; i++) {
        crank_ex change[9], torque = crank_force_constant(b, 0.0);
        for (int l = 0; l < 3; l++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            change[3 * i + l] = crank_force_constant(b, 0.0);
            change[3 * j + l] = crank_force_scale(b, -1.0, r->dot[k][l]);
            change[3 * k + l] = r->dot[j][l];
        }
        for (int j = 0; j < 3; j++) {
            const crank_ex turn =
                crank_ex_directional(pool, r->vector[j], 9, &r->dot[0][0], change);
            torque = crank_force_add(b, torque, crank_force_mul(b, tau[j], turn));
        }
        crank_force_name(b, u->record, name[i], torque);
    }
}

/* planar: the angle since the start */
static crank_ex planar_angle(crank_builder *b, const bushing *u)
{
    const int angle = crank_build_angle(b, u->between[0], u->between[1]);
    return crank_force_sub(b, crank_build_value(b, angle),
                           crank_force_constant(b, crank_build_start_value(b, angle)));
}

/* R of an orientation that is relative to a body: it does not turn with an assembly */
static void relative_matrix(double R[9], const bushing *u, const double *q)
{
    const double *file = u->record->axes;
    const double back[4] = {file[0], -file[1], -file[2], -file[3]};
    double own[4];
    crank_quaternion_multiply(own, back, q);
    crank_quaternion_matrix(R, own);
}

/* `turned`: axes of the second body are those of the first, seen from there */
static void make_turned_axes(crank_builder *b, bushing *u, const crank_field *turned)
{
    const crank_field *orientation = crank_record_find(u->record, "orientation");
    double R[9], T[9];
    relative_matrix(R, u, orientation != NULL ? orientation->number : u->record->axes);
    relative_matrix(T, u, turned->number);
    for (int i = 0; i < 3; i++) {
        const double first[3] = {R[i], R[3 + i], R[6 + i]};
        double second[3];
        crank_mat3_transposed_times(second, T, first);
        u->axis[0][i] = crank_build_own_direction(b, u->record, u->between[0], first);
        u->axis[1][i] = crank_build_own_direction(b, u->record, u->between[1], second);
    }
}

/* columns of the rotation matrix of a unit quaternion, which turns with an assembly also where
 * it is not given */
static void make_axes(crank_builder *b, bushing *u)
{
    const crank_field *orientation = crank_record_find(u->record, "orientation");
    const crank_field *turned = crank_record_find(u->record, "turned");
    const double *q = orientation != NULL ? orientation->number : u->record->axes;
    double R[9];
    if (turned != NULL) {
        make_turned_axes(b, u, turned);
        return;
    }
    crank_quaternion_matrix(R, q);
    for (int i = 0; i < 3; i++) {
        const double column[3] = {R[i], R[3 + i], R[6 + i]};
        for (int k = 0; k < 2; k++) {
            u->axis[k][i] = crank_build_direction(b, u->between[k], column);
        }
    }
}

/* zero: the least that they may be; else any */
static crank_status check_numbers(const crank_record *record, const char *key, int wanted,
                                  bool zero, crank_error *err)
{
    const crank_field *field = crank_record_find(record, key);
    if (field == NULL) {
        return CRANK_OK;
    }
    if (field->count != wanted) {
        return crank_build_fail(record, key, err, "%d %s where %d are expected, %s",
                                field->count, field->count == 1 ? "entry" : "entries", wanted,
                                wanted == 3 ? "[x, y, angle]"
                                            : "[x, y, z, about x, about y, about z]");
    }
    for (int i = 0; i < wanted && zero; i++) {
        if (!(field->number[i] >= 0.0)) {
            return crank_build_fail(record, key, err, "entry %d is %g, must be zero or more",
                                    i + 1, field->number[i]);
        }
    }
    return CRANK_OK;
}

static crank_status resist_displacements(crank_builder *b, bushing *u, int axes,
                                         const resistance *along, crank_error *err)
{
    static const char *const name[3] = {"x", "y", "z"}, *const force[3] = {"fx", "fy", "fz"};
    const crank_vector d = crank_vector_between(u->at[0], u->at[1]);
    crank_status status = CRANK_OK;
    for (int i = 0; i < axes && status == CRANK_OK; i++) {
        if (acts(&along[i])) {
            const int y = crank_build_product(b, crank_vector_of(u->axis[0][i]), d);
            crank_ex effort = -1;
            status = resist(b, u, crank_build_value(b, y), &along[i], name[i], &effort, err);
            crank_force_name(b, u->record, force[i], effort);
        }
    }
    return status;
}

static crank_status resist_rotations(crank_builder *b, bushing *u, int axes,
                                     const resistance *about, crank_error *err)
{
    static const char *const name[3] = {"rx", "ry", "rz"};
    const int count = axes == 2 ? 1 : 3;
    bool any = false;
    for (int i = 0; i < count; i++) {
        any = any || acts(&about[i]);
    }
    crank_status status = CRANK_OK;
    for (int j = 0; j < 2 && any && status == CRANK_OK; j++) {
        status = crank_force_needs_rotation(b, u->record, "between", u->between[j], err);
    }
    if (!any || status != CRANK_OK) {
        return status;
    }
    const crank_ex zero = crank_force_constant(b, 0.0);
    crank_ex effort[3] = {zero, zero, zero};
    if (axes == 2) {
        status = resist(b, u, planar_angle(b, u), &about[0], "angle", &effort[0], err);
        crank_force_name(b, u->record, "tz", effort[0]);
        return status;
    }
    rotation r;
    make_rotation(b, u, &r);
    for (int i = 0; i < 3 && status == CRANK_OK; i++) {
        if (acts(&about[i])) {
            status = resist(b, u, r.vector[i], &about[i], name[i], &effort[i], err);
        }
    }
    name_torques(b, u, &r, effort);
    return status;
}

static crank_status find_scale(crank_builder *b, bushing *u, crank_error *err)
{
    u->scale = crank_force_constant(b, 1.0);
    u->changes = crank_force_constant(b, 0.0);
    if (crank_record_find(u->record, "scale") == NULL) {
        return CRANK_OK;
    }
    const crank_status status =
        crank_force_expression(b, u->record, "scale", 0, NULL, NULL, NULL, &u->scale, err);
    if (status == CRANK_OK) {
        const crank_ex by_time =
            crank_ex_derivative(crank_build_pool(b), u->scale, crank_build_mechanism(b)->t);
        u->changes = crank_force_sub(b, crank_build_time_derivative(b, u->scale), by_time);
    }
    return status;
}

/* How it places a body: not displaced and, if it resists that, not twisted. In the plane it is not
 * where the file places both, which is how bodies are put without axes. */
static void make_frames(crank_builder *b, const bushing *u, const resistance *direction,
                        int axes, int entries)
{
    const crank_marker first[2] = {u->axis[0][0], u->axis[1][0]};
    const crank_marker second[2] = {u->axis[0][1], u->axis[1][1]};
    bool stiff = false;
    for (int i = axes; i < entries && axes == 3; i++) {
        stiff = stiff || direction[i].k != 0.0;
    }
    crank_build_frames(b, u->owner, u->at, stiff ? first : NULL, stiff ? second : NULL);
}

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    const int axes = crank_build_mechanism(b)->dimension;
    const int entries = axes == 2 ? 3 : 6;
    const crank_field *damping = crank_record_find(record, "damping");
    const crank_field *preload = crank_record_find(record, "preload");
    resistance direction[6];
    bushing u = {.record = record,
                 .owner = owner,
                 .between = crank_record_find(record, "between")->index,
                 .power = crank_force_constant(b, 0.0)};
    crank_status status = check_numbers(record, "stiffness", entries, true, err);
    CRANK_THEN(status, check_numbers(record, "damping", entries, true, err));
    CRANK_THEN(status, check_numbers(record, "preload", entries, false, err));
    CRANK_THEN(status,
               crank_force_only(record, "turned", axes == 3, "models of dimension 3", err));
    CRANK_THEN(status, find_scale(b, &u, err));
    if (status != CRANK_OK) {
        return status;
    }
    for (int i = 0; i < entries; i++) {
        direction[i].k = crank_record_find(record, "stiffness")->number[i];
        direction[i].c = damping != NULL ? damping->number[i] : 0.0;
        direction[i].f = preload != NULL ? preload->number[i] : 0.0;
    }
    crank_build_ends(b, &crank_record_find(record, "at")->ends, u.between, true, u.at);
    crank_build_draw(b, owner, u.at, NULL, 0.0);
    make_axes(b, &u);
    make_frames(b, &u, direction, axes, entries);
    status = resist_displacements(b, &u, axes, direction, err);
    CRANK_THEN(status, resist_rotations(b, &u, axes, direction + axes, err));
    crank_force_name(b, record, "power", u.power);
    return status;
}

const crank_force_type crank_force_type_bushing = {
    {"bushing", "elastic element in all directions", keys, 5}, build, "bushing", 0};
