/* links.c - joints of a tree as links: which types can be part of one, and how the body behind
 * hangs on the one before. One line a type:
 *
 *     slides along a, u, w; then turns about a, about a and the other arm, about w, a and u, or
 *     as a ball; a screw slides along a by its lead times its angle, which its equation, the
 *     thread, would say
 * with the triad (a, u, w = a x u) that the joint has in both bodies (build_place.c), which
 * coincide at zero coordinates: q_0 is (a, u, w)_1 (a, u, w)_2^T. Along a joint from its second
 * body to its first one the same holds with the two exchanged. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"
#include "mechanics/joint/tree.h"
#include "mechanics/joints/joint.h"

#include "linalg/rotation.h"

#include <string.h>

enum { FREE = -1 }; /* as many rows as axes are held */

typedef struct tree_joint {
    const char *name;
    int rows[2]; /* "primitive = constant" in the plane, in space; 0: not there */
    /* a, u, w: slides along these; A, U, W: turns about them, S: about a as a screw; X: cross;
     * B:
     * ball; L: led */
    const char *letter;
    bool one_way; /* the second body hangs on the first */
} tree_joint;

static const tree_joint kinds[] = {
    {"revolute", {2, 5}, "A", false},    {"prismatic", {2, 5}, "a", false},
    {"fixed", {3, 6}, "", false},        {"cylindrical", {0, 4}, "aA", false},
    {"universal", {0, 4}, "X", false},   {"planar", {0, 3}, "uwA", false},
    {"spherical", {0, 3}, "B", false},   {"screw", {0, 4}, "S", false},
    {"free", {0, FREE}, "auwWAU", true}, {"track", {0, 6}, "L", true},
};

static const tree_joint *kind_of(const crank_builder *b, int joint)
{
    const char *name = b->mechanism->joint[joint].type->name;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}

bool crank_tree_knows(const crank_builder *b, int joint)
{
    return kind_of(b, joint) != NULL;
}

static bool is_point(const crank_builder *b, int body)
{
    return body >= 0 &&
           (b->kind[body] == CRANK_BODY_POINT || b->kind[body] == CRANK_BODY_PLANAR_POINT);
}

/* two different bodies; a point moves along with what it hangs on, without coordinates */
static bool fits(const crank_builder *b, int joint, const tree_joint *k, int rows)
{
    const crank_joint_place *place = &b->place[joint];
    const int first = place->at[0].body, second = place->at[1].body;
    const bool points = is_point(b, first) || is_point(b, second);
    if (!place->given || !place->meets || first == second) {
        return false;
    }
    if (points) {
        return !(is_point(b, first) && is_point(b, second)) && rows == b->mechanism->dimension;
    }
    return place->aligned || strchr("BXL", k->letter[0]) != NULL;
}

int crank_tree_rows(const crank_builder *b, int joint)
{
    const tree_joint *k = kind_of(b, joint);
    const int expected = k != NULL ? k->rows[b->mechanism->dimension == 3] : 0;
    int rows = 0;
    if (expected == 0 || !fits(b, joint, k, expected)) {
        return -1;
    }
    for (int i = b->inside->last_row[joint]; i >= 0; i = b->inside->row_before.item[i]) {
        rows += b->holonomic.item[i].primitive >= 0 || k->letter[0] == 'L' ? 1 : 0;
    }
    if (expected != FREE && rows != expected) {
        return -1;
    }
    return k->letter[0] == 'S' ? rows + 1 : rows;
}

bool crank_tree_replaces(const crank_builder *b, const crank_constraint *row)
{
    const tree_joint *k =
        row->owner.kind == CRANK_OWNER_JOINT ? kind_of(b, row->owner.index) : NULL;
    return k != NULL && (row->primitive >= 0 || k->letter[0] == 'S' || k->letter[0] == 'L');
}

bool crank_tree_one_way(const crank_builder *b, int joint)
{
    const tree_joint *k = kind_of(b, joint);
    return k != NULL && k->one_way;
}

/* ---- frames ---- */

/* columns a, u, a x u */
static void triad(double T[9], const double a[3], const double u[3])
{
    double w[3];
    crank_cross3(w, a, u);
    for (int i = 0; i < 3; i++) {
        T[3 * i] = a[i];
        T[3 * i + 1] = u[i];
        T[3 * i + 2] = w[i];
    }
}

/* the part of u across a, a unit vector */
static void make_across(double u[3], const double a[3])
{
    crank_add3(u, -crank_dot3(u, a), a);
    const double length = crank_norm3(u);
    for (int i = 0; i < 3; i++) {
        u[i] /= length;
    }
}

/* T_1 T_2^T */
static void set_outer(crank_tree_body *body, const double T1[9], const double T2[9])
{
    double transposed[9], R[9];
    for (int i = 0; i < 9; i++) {
        transposed[i] = T2[3 * (i % 3) + i / 3];
    }
    crank_mat3_multiply(R, T1, transposed);
    crank_quaternion_of_matrix(body->outer_q, R);
}

/* arms of a cross: those of the row a_1.a_2 = 0; each body's second axis is where the other's
 * arm is at the start */
static void cross_frames(const crank_builder *b, int joint, int near, double a[2][3],
                         double u[2][3])
{
    for (int i = b->inside->last_row[joint]; i >= 0; i = b->inside->row_before.item[i]) {
        const int y = b->holonomic.item[i].primitive;
        const crank_primitive *row = y >= 0 ? &b->primitive.item[y] : NULL;
        if (row == NULL || row->b.count != 1 || row->b.marker[0].point) {
            continue;
        }
        const crank_marker m[2] = {row->a.marker[0], row->b.marker[0]};
        const int swap = m[0].body == b->place[joint].at[near].body ? 0 : 1;
        for (int k = 0; k < 2; k++) {
            const crank_marker *arm = &m[swap ? 1 - k : k], *other = &m[swap ? k : 1 - k];
            double world[3];
            memcpy(a[k], arm->u, sizeof a[k]);
            crank_mat3_times(world, crank_build_body(b, other->body)->R, other->u);
            crank_mat3_transposed_times(u[k], crank_build_body(b, arm->body)->R, world);
            make_across(u[k], a[k]);
        }
    }
}

static void add(crank_tree_body *body, crank_link *link, crank_link_kind kind,
                const double axis[3])
{
    const bool ball = kind == CRANK_LINK_BALL;
    link[body->count] =
        (crank_link){.kind = kind, .np = ball ? 4 : 1, .nv = ball ? 3 : 1, .n = -1};
    if (axis != NULL) {
        memcpy(link[body->count].axis, axis, 3 * sizeof *axis);
    }
    body->count++;
}

static const double world_axis[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

/* a ball of body i, or three turns in a row: zero where the file places the two */
static void add_ball(const crank_builder *b, int i, crank_tree_body *body, crank_link *link)
{
    if (b->mechanism->treatment.orientation != CRANK_ORIENTATION_CARDAN) {
        add(body, link, CRANK_LINK_BALL, NULL);
        return;
    }
    double transposed[9], R[9];
    const double *on = crank_build_body(b, body->parent)->R;
    for (int k = 0; k < 9; k++) {
        transposed[k] = on[3 * (k % 3) + k / 3];
    }
    crank_mat3_multiply(R, transposed, crank_build_body(b, i)->R);
    crank_quaternion_of_matrix(body->outer_q, R);
    for (int k = 0; k < 3; k++) {
        add(body, link, CRANK_LINK_TURN, world_axis[k]);
    }
}

/* ---- in the plane ---- */

/* theta_second - theta_first that a row keeps, 0: none does */
static double kept_angle(const crank_builder *b, int joint)
{
    double angle = 0.0;
    for (int i = b->inside->last_row[joint]; i >= 0; i = b->inside->row_before.item[i]) {
        const crank_constraint *row = &b->holonomic.item[i];
        if (row->primitive >= 0 && b->primitive.item[row->primitive].kind == CRANK_ANGLE) {
            const bool same =
                b->primitive.item[row->primitive].second == b->place[joint].at[1].body;
            angle = same ? row->constant : -row->constant;
        }
    }
    return angle;
}

static void hang_planar(const crank_builder *b, int joint, int near, const char *letter,
                        crank_tree_body *body, crank_link *link)
{
    static const double z[3] = {0.0, 0.0, 1.0};
    const crank_joint_place *place = &b->place[joint];
    if (letter[0] == 'A') {
        add(body, link, CRANK_LINK_TURN, z);
        return;
    }
    body->outer_angle = near == 0 ? kept_angle(b, joint) : -kept_angle(b, joint);
    if (letter[0] == 'a') {
        add(body, link, CRANK_LINK_SLIDE, place->a[near].u);
    }
}

/* ---- in space ---- */

/* the joint has a row along this axis of its first body */
static bool is_held(const crank_builder *b, int joint, const double axis[3])
{
    for (int i = b->inside->last_row[joint]; i >= 0; i = b->inside->row_before.item[i]) {
        const crank_primitive *row = &b->primitive.item[b->holonomic.item[i].primitive];
        if (crank_dot3(row->a.marker[0].u, axis) > 0.5) {
            return true;
        }
    }
    return false;
}

static void lead(const crank_builder *b, int joint, crank_tree_body *body)
{
    for (int i = 0; i < b->led.count; i++) {
        body->led = b->led.item[i].joint == joint ? i : body->led;
    }
}

static void hang_spatial(const crank_builder *b, int joint, int near, const char *letter,
                         crank_tree_body *body, crank_link *link)
{
    const crank_joint_place *place = &b->place[joint];
    double a[2][3], u[2][3], T[2][9];
    if (letter[0] == 'B') {
        add_ball(b, place->at[1 - near].body, body, link);
        return;
    }
    if (letter[0] == 'L') {
        lead(b, joint, body);
        return;
    }
    if (letter[0] == 'X') {
        cross_frames(b, joint, near, a, u);
        triad(T[0], a[0], u[0]);
        triad(T[1], u[1], a[1]);
        set_outer(body, T[0], T[1]);
        add(body, link, CRANK_LINK_TURN, a[0]);
        add(body, link, CRANK_LINK_TURN, u[0]);
        return;
    }
    for (int k = 0; k < 2; k++) {
        const int side = k == 0 ? near : 1 - near;
        triad(T[k], place->a[side].u, place->u[side].u);
    }
    set_outer(body, T[0], T[1]);
    const bool held = kind_of(b, joint)->rows[1] == FREE;
    body->six = held;
    for (; *letter != '\0'; letter++) {
        const int column = strchr("uU", *letter) != NULL   ? 1
                           : strchr("wW", *letter) != NULL ? 2
                                                           : 0;
        const double axis[3] = {T[0][column], T[0][3 + column], T[0][6 + column]};
        const bool turns = strchr("AUWS", *letter) != NULL;
        if (turns || !held || !is_held(b, joint, axis)) {
            add(body, link, turns ? CRANK_LINK_TURN : CRANK_LINK_SLIDE, axis);
        }
        if (*letter == 'S') {
            link[body->count - 1].lead = crank_joint_lead(&b->mechanism->joint[joint]);
        }
    }
}

void crank_tree_hang(const crank_builder *b, int joint, crank_tree_body *body,
                     crank_link link[CRANK_LINK_MAX])
{
    const crank_joint_place *place = &b->place[joint];
    const int near = place->at[0].body == body->parent ? 0 : 1;
    const char *letter = kind_of(b, joint)->letter;
    body->joint = joint;
    memcpy(body->inner, place->at[near].u, sizeof body->inner);
    memcpy(body->outer, place->at[1 - near].u, sizeof body->outer);
    if (is_point(b, place->at[1 - near].body)) {
        return;
    }
    if (b->mechanism->dimension == 2) {
        hang_planar(b, joint, near, letter, body, link);
    } else {
        hang_spatial(b, joint, near, letter, body, link);
    }
}

void crank_tree_free_body(const crank_builder *b, int i, crank_tree_body *body,
                          crank_link link[CRANK_LINK_MAX])
{
    const crank_body_kind kind = b->kind[i];
    body->joint = -1;
    body->parent = -1;
    for (int k = 0; k < crank_body_translations(kind); k++) {
        add(body, link, CRANK_LINK_SLIDE, world_axis[k]);
    }
    if (kind == CRANK_BODY_SPATIAL) {
        add_ball(b, i, body, link);
    } else if (kind == CRANK_BODY_PLANAR) {
        add(body, link, CRANK_LINK_TURN, world_axis[2]);
    }
}
