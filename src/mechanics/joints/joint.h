/* joint.h - what joints share: their axes at the start, rows of coincidence and rotation,
 * coordinates, drives.
 *
 * Axes of a joint: a, u, w, an orthonormal right-handed triad in each of the two bodies; at the
 * start (if the bodies stand as the joint wants them) both triads are the same. Second body
 * turned by an angle about a:
 *     cos = u1.u2,  sin = w1.u2
 * and u1.a2 = 0 forbids rotation about w, w1.a2 = 0 about u, u1.w2 = 0 about a. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_JOINT_H
#define CRANK_SRC_JOINT_H

#include "mechanics/build.h"

/* lines of key tables */
#define CRANK_JOINT_BETWEEN                                                                    \
    {                                                                                          \
        "between", CRANK_SHAPE_BODIES, true, NULL, "the first and the second body"             \
    }
#define CRANK_JOINT_AT                                                                         \
    {                                                                                          \
        "at", CRANK_SHAPE_END, true, NULL, "where the joint is at the start"                   \
    }

#define CRANK_JOINT_TURNED                                                                     \
    {                                                                                          \
        "turned", CRANK_SHAPE_ORIENTATION, false, NULL,                                        \
            "orientation of the second body in axes of the first where coordinates are zero; " \
            "needs `at` and `axis` by first and second (not in planar models)"                 \
    }

/* of those that can be part of a tree */
#define CRANK_JOINT_TREE                                                                       \
    {                                                                                          \
        "tree", CRANK_SHAPE_WORD, false, "keep|cut",                                           \
            "in joint coordinates: `keep`: it carries coordinates of the tree, before others " \
            "do; `cut`: it stays a constraint; chosen by itself if not given"                  \
    }

#define CRANK_JOINT_ROTOR(key, what)                                                           \
    {                                                                                          \
        key, CRANK_SHAPE_ROTOR, false, NULL, what                                              \
    }
/* what it says of angles and of lengths */
#define CRANK_ROTOR_TURNS                                                                      \
    "inertia J that turns n times as fast as the joint, besides the bodies: J n^2 along its "  \
    "angle"
#define CRANK_ROTOR_SLIDES                                                                     \
    "mass that moves with the length besides the bodies, or a rotor that turns with it: J "    \
    "n^2 along its length"

typedef struct crank_joint_axes {
    crank_marker a[2], u[2], w[2];
    double axis[3], across[2][3]; /* a, u, w of the first body at the start, in the world */
} crank_joint_axes;

/* screw.c: length by angle, pitch/(2 pi) */
double crank_joint_lead(const crank_record *record);

static inline bool crank_joint_in_plane(const crank_builder *b)
{
    return crank_build_mechanism(b)->dimension == 2;
}

/* what most joints begin with. no_turn is the joint's: it holds its bodies against turning
 * about the axis. */
typedef struct crank_joint_frame {
    bool no_turn;
    const int *between;
    const crank_field *turned; /* the joint's: CRANK_JOINT_TURNED; NULL: not given */
    bool local; /* points are given in body axes: coordinates are zero where they coincide */
    double
        turn; /* planar: of the file's axes, if one of the bodies is the ground, which has them:
                  * of the second body there where it stands parallel to the first */
    crank_marker at[2];
    crank_joint_axes axes;
} crank_joint_frame;

/* Reads `between` and `at` (points), makes axes of a field AXIS (NULL: x of the world at the
 * start, or of the bodies) and says where reactions are measured and how bodies are put.
 * remedy: what to use instead if a body is a point mass; NULL: point masses are welcome. */
crank_status crank_joint_begin(crank_builder *b, const crank_record *record, crank_owner owner,
                               const crank_field *axis, const char *remedy,
                               crank_joint_frame *f, crank_error *err);
/* field->ends as unit axes of both bodies; NULL: x of the file at the start. Axes given in
 * body axes get u by the same rule in both bodies; else, and if stands, u as the bodies
 * stand. */
crank_joint_axes crank_joint_make_axes(const crank_builder *b, const crank_record *record,
                                       const crank_field *field, const int between[2],
                                       bool stands);
/* World direction of a marker at the start. */
void crank_joint_world(const crank_builder *b, crank_marker m, double out[3]);
/* Is the orientation of the body a guess, so that what it looks like in the file says
 * nothing? */
bool crank_joint_turns_free(const crank_builder *b, int body);
/* What rounding of coordinates may leave of a distance between two points. */
double crank_joint_rounding(const crank_builder *b, const crank_marker at[2]);

/* Has neither body lost its angle by being a point mass? */
bool crank_joint_can_turn(const crank_builder *b, const int between[2]);
/* EMODEL if a body is a point mass. remedy: what to use instead. */
crank_status crank_joint_needs_rotation(const crank_builder *b, const crank_record *record,
                                        const int between[2], const char *remedy,
                                        crank_error *err);

/* P2 = P1 in world axes: rows "translation along x" ...; dimension rows. */
crank_status crank_joint_coincide(crank_builder *b, crank_owner owner, const crank_marker at[2],
                                  crank_error *err);
/* direction.(P2 - P1) = 0, direction fixed in the first body, in the world as named. */
crank_status crank_joint_flat(crank_builder *b, crank_owner owner, crank_marker direction,
                              const double world[3], const crank_marker at[2],
                              crank_error *err);
/* P2 stays on the line through P1 along a1. */
crank_status crank_joint_on_line(crank_builder *b, crank_owner owner,
                                 const crank_joint_frame *f, crank_error *err);
/* a2 stays parallel to a1; no_turn: nor do the bodies turn about it (the only row of planar
 * models). */
crank_status crank_joint_rotations(crank_builder *b, crank_owner owner,
                                   const crank_joint_frame *f, bool no_turn, crank_error *err);
/* Turns about and slides along one axis: the rows, the coordinates angle and length, what turns
 * with the angle by the key rotor. */
crank_status crank_joint_cylinder(crank_builder *b, const crank_record *record,
                                  crank_owner owner, const char *rotor, crank_ex *angle,
                                  crank_ex *length, crank_error *err);

/* The angle about the axis (planar: of the bodies), and direction.(P2 - P1), both zero where
 * the frames coincide. */
crank_ex crank_joint_angle(crank_builder *b, const crank_joint_frame *f);
crank_ex crank_joint_length(crank_builder *b, crank_marker direction,
                            const crank_joint_frame *f);
/* The rate of the angle about the axis as one primitive: while the joint holds the same as the
 * derivative of crank_joint_angle, and shorter. */
crank_ex crank_joint_turning(crank_builder *b, const crank_joint_frame *f);

/* The results joint.NAME.effort and joint.NAME.power, with a suffix, of what prescribes
 * value(t): -lambda, the force or torque along what is driven, and -lambda value'(t), which it
 * supplies. unit: of the effort, NULL: not known. */
void crank_joint_drive_results(crank_builder *b, const crank_record *record, const char *suffix,
                               const char *unit, crank_ex lambda, crank_ex value);
/* coordinate - drive(t) = 0 if the key is given: "drive of angle", with its results. */
crank_status crank_joint_drive(crank_builder *b, const crank_record *record, crank_owner owner,
                               const char *key, const char *quantity, crank_ex coordinate,
                               crank_error *err);

/* Expression i of a key that prescribes something in time: tables with corners are refused. */
crank_status crank_joint_given(crank_builder *b, const crank_record *record, const char *key,
                               int i, crank_ex *out, crank_error *err);
/* The value that a driver prescribes, from exactly one of its keys `is` and `table`. */
crank_status crank_joint_prescribed(crank_builder *b, const crank_record *record, crank_ex *out,
                                    crank_error *err);

/* The coordinate of another joint that a gear, rack or coupler names; quantity NULL: its only
 * one. */
crank_status crank_joint_other(crank_builder *b, const crank_record *record, int joint,
                               const char *quantity, crank_ex *out, crank_error *err);

/* The point of the second body by `at`, an END; without it the body's origin. */
crank_marker crank_joint_second_point(const crank_builder *b, const crank_record *record,
                                      int body);
/* Components of a point in the axes of a carrier, from its origin; planar: two. */
void crank_joint_in_axes(crank_builder *b, int carrier, crank_marker point, crank_ex out[3]);

/* a plane fixed in the first body, for what rolls and slides on it: t1 x t2 = n */
typedef struct crank_joint_plane {
    crank_marker at, n, t[2];
    double tangent[2][3]; /* t at the start, in the world */
} crank_joint_plane;
/* number: point and unit normal. Planar: t[0] along the line (x for the normal y), t[1] is
 * -z. */
crank_joint_plane crank_joint_make_plane(const crank_builder *b, const double number[6],
                                         int first);

/* what rolls on a plane */
typedef struct crank_joint_contact {
    const int *between;
    double radius;
    crank_joint_plane plane;
    int height, along[2]; /* primitives n.(c - P), t_k.(c - P); planar: one along */
} crank_joint_contact;
/* Reads `between`, `radius`, `at` and `plane`, checks them, and measures reactions at the
 * centre. */
crank_status crank_joint_begin_rolling(crank_builder *b, const crank_record *record,
                                       crank_owner owner, crank_joint_contact *k,
                                       crank_error *err);
/* `push` of the plane on what rolls on it, from the multiplier of its contact. */
void crank_joint_name_push(crank_builder *b, const crank_record *record, crank_ex lambda);

/* "translation along x": direction without its sign. */
typedef struct crank_row_name {
    char text[80];
} crank_row_name;
crank_row_name crank_joint_row_name(const char *what, const double direction[3]);

/* g = 0 of a joint without a place of its own (gears): -lambda is the result
 * joint.NAME.effort, the force or torque along the coordinate whose factor in g is one.
 * unit: NULL: not known. */
crank_status crank_joint_effort(crank_builder *b, const crank_record *record, crank_owner owner,
                                crank_ex g, const char *row, const char *unit,
                                crank_error *err);

#endif
