/* build.h - what joints and forces are written with: one file each, which reads its record and
 * says, in terms of primitives (kinematics.h) and expressions of them, what it adds to the
 * equations of motion.
 *
 * A primitive has three symbols in the pool: its value, its rate and its acceleration.
 * Coordinates of joints, quantities of bodies and the laws of forces are expressions of such
 * symbols, of t, of the element's own variables and of the multipliers; they are differentiated
 * symbolically (law.h). Constraints of the form "primitive = constant" take the fast way
 * without expressions. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_BUILD_H
#define CRANK_SRC_BUILD_H

#include "eom/eom.h"
#include "mechanics/kinematics.h"
#include "model/mechanism/mechanism.h"

typedef struct crank_builder crank_builder; /* the system under construction: system.h */

/* Who adds something: rows and efforts of one owner become one element. */
typedef enum crank_owner_kind {
    CRANK_OWNER_JOINT,
    CRANK_OWNER_FORCE,
    CRANK_OWNER_EQUATION
} crank_owner_kind;
typedef struct crank_owner {
    crank_owner_kind kind;
    int index; /* of the joint or force; of an equation: running number */
} crank_owner;

static inline bool crank_owner_same(crank_owner a, crank_owner b)
{
    return a.kind == b.kind && a.index == b.index;
}

/* A type of joint or force: a file in joints/ or forces/ and its lines in types_joints.c or
 * types_forces.c. Forces may refer to joints, which are built first. */
typedef struct crank_element_type {
    crank_record_type record;
    crank_status (*build)(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err);
    const char *glyph; /* how it is drawn: "hinge", "spring" ..., docs/develop/page.md */
    unsigned traits;   /* crank_trait, what others need to know of a joint */
} crank_element_type;
typedef crank_element_type crank_joint_type, crank_force_type;

typedef enum crank_trait {
    CRANK_TURNS = 1,   /* its bodies turn about one axis against each other, as wheels do */
    CRANK_ALIGNS = 2,  /* axes are parallel, and would not be meant if they were antiparallel */
    CRANK_WELDS = 4,   /* its bodies move as one */
    CRANK_RELATES = 8, /* coordinates: it makes no loop, as links do */
    CRANK_IS_ROD = 16, /* without mass, or a rope */
} crank_trait;

/* types.c: has the type of the record a trait? */
bool crank_record_has(const crank_record *record, crank_trait trait);

extern const crank_joint_type *const crank_joint_types[]; /* NULL at the end */
extern const crank_force_type *const crank_force_types[];

/* types.c: both lists as the reader wants them; false: out of memory. */
bool crank_types_list(crank_store *store, const crank_record_type *const **joints,
                      const crank_record_type *const **forces);

/* ---- asking ---- */

const crank_mechanism *crank_build_mechanism(const crank_builder *b);
crank_pool *crank_build_pool(crank_builder *b);
/* Start position of a body (-1: ground) in world axes, kinematics.h's state. */
const crank_body_state *crank_build_body(const crank_builder *b, int body);

/* How far bodies extend or are apart at the start, the weight of the heaviest, a force of the
 * size that moves them, as far as masses, gravity and start velocities tell; else 0. */
double crank_build_natural_length(const crank_builder *b);
double crank_build_weight(const crank_builder *b);
double crank_build_natural_force(const crank_builder *b);

/* ---- markers ---- */

/* Point or direction fixed in a body, from its world position at the start (the body's start
 * position). */
crank_marker crank_build_point(const crank_builder *b, int body, const double world[3]);
crank_marker crank_build_direction(const crank_builder *b, int body, const double world[3]);
/* The same in the user's body axes, from the body's origin (not the centre of mass). */
crank_marker crank_build_local_point(const crank_builder *b, int body, const double local[3]);
crank_marker crank_build_local_direction(const crank_builder *b, int body,
                                         const double local[3]);
/* A direction in a body's own axes; those of the ground, and of a point mass, are the axes of the
 * file in which the record stands, which its assembly turns. */
crank_marker crank_build_own_direction(const crank_builder *b, const crank_record *record,
                                       int body, const double own[3]);
/* and back */
void crank_build_in_own_axes(const crank_record *record, crank_marker m, double own[3]);
/* The point of a body that the keys `at`, in the world, or `local`, in body axes, give; without
 * them its origin. */
crank_status crank_build_own_point(const crank_builder *b, const crank_record *record, int body,
                                   crank_marker *out, crank_error *err);
/* Both ends of a joint from a field END, ENDS (points) or AXIS (directions). */
void crank_build_ends(const crank_builder *b, const crank_ends *ends, const int between[2],
                      bool point, crank_marker out[2]);
crank_vector crank_vector_of(crank_marker a);                          /* a */
crank_vector crank_vector_between(crank_marker from, crank_marker to); /* to - from */
/* Two unit vectors perpendicular to a unit axis and to each other, world axes where they
 * fit. */
void crank_build_perpendicular(const double axis[3], double first[3], double second[3]);
/* first of a unit axis of the world, by the axes of the file: it turns with its assembly */
void crank_build_across(const crank_record *record, const double axis[3], double across[3]);
/* "x", "-y" or "(0.71, 0.71, 0)": how messages call a direction. */
void crank_build_direction_name(const double direction[3], char *text, size_t size);

/* ---- primitives; equal ones are made once; -1: out of memory, sticky ---- */

int crank_build_product(crank_builder *b, crank_vector a, crank_vector c);
int crank_build_slide(crank_builder *b, crank_vector a, crank_vector c);
int crank_build_turn(crank_builder *b, crank_vector axis, int first, int second);
int crank_build_angle(crank_builder *b, int first, int second);
crank_ex crank_build_value(crank_builder *b, int primitive);
crank_ex crank_build_rate(crank_builder *b, int primitive);
crank_ex crank_build_acceleration(crank_builder *b, int primitive);
/* y at the bodies' start positions. */
double crank_build_start_value(crank_builder *b, int primitive);
/* y where joints put those bodies that the file does not place; all joints of other types than
 * this record's are built for it. */
double crank_build_placed_value(crank_builder *b, const crank_record *record, int primitive);
/* The same of an expression of values, rates, variables and t; NaN: it contains something
 * else. */
double crank_build_start(crank_builder *b, crank_ex ex);

/* What a value that the file does not give is at the start, start_values.c: a number, or a symbol
 * while crank_build_seeks, when the start is looked for without it. One for a joint or force. */
crank_ex crank_build_at_start(crank_builder *b, crank_owner owner, crank_ex y);
bool crank_build_seeks(const crank_builder *b);
/* The body that hangs on this joint alone, of which nothing else tells where it stands, so that
 * it is nowhere at the start; NULL: none. */
const char *crank_build_loose(const crank_builder *b, crank_owner owner);

/* ---- rows ---- */

/* y - constant = 0; row: "translation along x". The multiplier's symbol is *lambda (may be
 * NULL). */
crank_status crank_build_row(crank_builder *b, crank_owner owner, int primitive,
                             double constant, const char *row, crank_ex *lambda,
                             crank_error *err);
/* g(values, s, t) = 0 or h(values, rates, s, t) = 0, affine in rates. */
crank_status crank_build_holonomic(crank_builder *b, crank_owner owner, crank_ex g,
                                   const char *row, crank_ex *lambda, crank_error *err);
crank_status crank_build_nonholonomic(crank_builder *b, crank_owner owner, crank_ex h,
                                      const char *row, crank_ex *mu, crank_error *err);
/* Variables of joints and forces get full names: "slip" becomes joint.cam.slip, known to
 * expressions. A variable s of a contact, then its equation c(values, s, t) = 0 (as many as
 * variables per owner). */
crank_ex crank_build_contact(crank_builder *b, crank_owner owner, const char *name,
                             double start);
crank_status crank_build_contact_row(crank_builder *b, crank_owner owner, crank_ex c,
                                     crank_error *err);
/* |C'| and |C''|/|C'| of a contact variable's curve at the start. */
void crank_build_contact_pace(crank_builder *b, crank_ex symbol, double speed, double turn);
/* r' = rate: first the symbol, then the rate, which may contain it. The same for w with 0 =
 * d. */
crank_ex crank_build_dynamic(crank_builder *b, crank_owner owner, const char *name,
                             double start, crank_fixing fixing);
crank_status crank_build_dynamic_rate(crank_builder *b, crank_owner owner, crank_ex symbol,
                                      crank_ex rate, crank_error *err);
crank_ex crank_build_auxiliary(crank_builder *b, crank_owner owner, const char *name,
                               double start, crank_fixing fixing);
crank_status crank_build_auxiliary_row(crank_builder *b, crank_owner owner, crank_ex symbol,
                                       crank_ex d, crank_error *err);
/* z, a dynamic variable that follows y, begins at y, filter_start.c: factor of y - z, 0 while the
 * start is looked for. */
crank_ex crank_build_filter(crank_builder *b, crank_ex z, crank_ex y);
/* A dynamic variable that comes back within +-limit in its lag, bounded_start.c. */
void crank_build_bound(crank_builder *b, const char *force, crank_ex state, double limit,
                       double lag);
/* Where a condition of the start has moved the dynamic variable `moved`, another one, z, begins at y:
 * of anything, also of z, of which nothing is left in y. */
void crank_build_balance(crank_builder *b, crank_ex z, crank_ex y, crank_ex moved);
/* The kind of such a variable, for tolerances by kinds: 't' length, 'a' angle, 'f' force, 'm'
 * torque. */
void crank_build_variable_kind(crank_builder *b, crank_ex symbol, char kind);

/* ---- forces ---- */

/* Generalised force J^T effort along a primitive's rate: a spring's tension pulls its length
 * with effort < 0. effort: of values, rates, r, w, s, multipliers, t. */
crank_status crank_build_effort(crank_builder *b, crank_owner owner, int primitive,
                                crank_ex effort, crank_error *err);
/* The same along an expression of values and, linearly, of rates: efforts on all primitives
 * whose rates it contains; then along d y/dt of an expression y(values). */
crank_status crank_build_effort_along_rate(crank_builder *b, crank_owner owner, crank_ex rate,
                                           crank_ex effort, crank_error *err);
crank_status crank_build_effort_along(crank_builder *b, crank_owner owner, crank_ex y,
                                      crank_ex effort, crank_error *err);
/* The element has no direction or no bound where a vector, of this size otherwise (<= 0: not
 * known), is zero, whose square is the primitive; what (static): "half a turn across its axis,
 * where ..." (poles.c). */
void crank_build_pole(crank_builder *b, crank_owner owner, int primitive, double size,
                      const char *what);
/* The same where a cosine is 1 or -1. */
void crank_build_cosine_pole(crank_builder *b, crank_owner owner, int primitive,
                             const char *what);
/* The same for an element that measures the rotation of two bodies by its rotation vector: at
 * half a turn. product: a_i.b_j of axes a of the first and b of the second body, 3 i + j.
 * scale:
 * factor of its torques, there is no pole while it is zero; -1: none. */
void crank_build_half_turn(crank_builder *b, crank_owner owner, const int product[9],
                           crank_ex scale);
/* The same of the turn about an axis between two bodies, at half a turn across it, (7.51); its
 * angle was made last. */
void crank_build_turn_pole(crank_builder *b, crank_owner owner, int primitive,
                           const int body[2], const double axis[3]);
/* Dry friction in a joint's coordinate that vanishes at rest, for studies of rests; texts and
 * bodies are filled in. quantity: of the coordinate; loaded, scaled: it has columns `load`,
 * `scale`. */
void crank_build_friction(crank_builder *b, const crank_record *record, const char *quantity,
                          bool loaded, bool scaled, const crank_eom_friction *friction);
/* The tread of a tyre, likewise, which is deflected along the wheel if `along`. */
void crank_build_tread(crank_builder *b, const crank_record *record, bool along,
                       const crank_eom_tread *tread);
/* Where work goes, for the energy balance kinetic + potential + dissipated - supplied: a
 * potential energy (expression of values and t), and powers. Work of constraints and potentials
 * that contain t is counted for all of them in energy.c: joints and forces do not state it. */
void crank_build_potential(crank_builder *b, crank_owner owner, crank_ex energy);
void crank_build_dissipated(crank_builder *b, crank_owner owner, crank_ex power);
void crank_build_supplied(crank_builder *b, crank_owner owner, crank_ex power);
/* Kinetic energy of what is no body: an expression of values and rates. */
void crank_build_kinetic(crank_builder *b, crank_owner owner, crank_ex energy);
/* build_rotor.c: the inertia of a key ROTOR, if it is given, along a coordinate of this rate;
 * turns: the coordinate is an angle. */
crank_status crank_build_rotor(crank_builder *b, const crank_record *record, crank_owner owner,
                               const char *key, bool turns, crank_ex rate, crank_error *err);

/* ---- coordinates and names ---- */

/* The angle atan2(sine, cosine) of two expressions, continued over full turns. */
crank_ex crank_build_turning_angle(crank_builder *b, crank_ex sine, crank_ex cosine);
/* Such an angle by quantities that know their turns, where constraints hold: a run that begins
 * at a row of a result counts on from there. */
void crank_build_tell_angle(crank_builder *b, crank_ex angle, crank_ex told);
/* d/dt of an expression of values and t: of rates. */
crank_ex crank_build_time_derivative(crank_builder *b, crank_ex e);
/* The same for laws of forces: what t alone changes (a road, a reference) counts times a number
 * in memory that is 1, or 0 while time stands still (crank_eom_stand). */
crank_ex crank_build_standing_derivative(crank_builder *b, crank_ex e);
/* Gives a named quantity to expressions and results: ("joint", "knee", "angle"):
 * joint.knee.angle. in_results: a column of its own. */
void crank_build_name(crank_builder *b, const char *kind, const char *object,
                      const char *quantity, crank_ex e, bool in_results);
/* The unit of the quantity that was named last: "N m"; NULL: not known. */
void crank_build_unit(crank_builder *b, const char *unit);
/* A coordinate of a joint with its rate: names NAME.angle and NAME.angle_rate, columns of
 * results; `drive` of the joint and gears use it. */
void crank_build_coordinate(crank_builder *b, crank_owner owner, const char *quantity,
                            crank_ex e);
/* The coordinate of a joint built before, or -1 (quantity NULL: its only one). */
crank_ex crank_build_find_coordinate(crank_builder *b, int joint, const char *quantity);
/* The names of a joint's coordinates for messages, "\"length\", \"angle\"", empty if it has
 * none; returns text. */
const char *crank_build_coordinate_list(crank_builder *b, int joint, char *text, size_t size);
/* Multipliers of a joint's rows whose names begin with prefix ("translation"; force on the
 * second body, world axes:
 * -lambda), for friction under load; returns how many there are and writes at most capacity. */
int crank_build_find_multipliers(crank_builder *b, int joint, const char *prefix,
                                 crank_ex *multiplier, int capacity);
/* The user's expression with named quantities replaced by expressions of primitives. field: for
 * the place of errors (EMODEL with the nearest name). local/value: local names ("length") and
 * what they stand for. */
crank_status crank_build_resolve(crank_builder *b, const crank_record *record,
                                 const crank_field *field, crank_ex ex, int locals,
                                 const crank_ex *local, const crank_ex *value, crank_ex *out,
                                 crank_error *err);
/* A table as a function; that its argument leaves it is reported (watch.c). */
crank_ex crank_build_table(crank_builder *b, const crank_table_data *table, crank_ex argument);
/* Where it is drawn: a point of each body and, if there are any, an axis of each (else NULL);
 * radius of a wheel, else 0. */
void crank_build_draw(crank_builder *b, crank_owner owner, const crank_marker at[2],
                      const crank_marker *axis, double radius);
/* The same with a point of the second body alone: the first end is where it is at the start.
 * axis: in the world at the start. */
void crank_build_draw_at(crank_builder *b, crank_owner owner, int first, crank_marker second,
                         const double *axis, double radius);
/* Where a joint is drawn, or from one joint's moving body to the other's (gears). */
void crank_build_draw_like(crank_builder *b, crank_owner owner, int joint);
void crank_build_draw_pair(crank_builder *b, crank_owner owner, const int joint[2],
                           double radius);
/* Radii of the pitch circles of gears that are drawn, below 0 of an internal one. */
void crank_build_draw_pitch(crank_builder *b, crank_owner owner, const double radii[2]);
/* A curve on which something moves: room for its points, in axes of the body from its origin
 * (-1:
 * the ground); NULL: out of memory. */
double (*crank_build_draw_curve(crank_builder *b, const char *name, int body, int count))[3];
/* A road below a wheel, its height as an expression of the symbols of where the wheel is, x and
 * in space y; it becomes a curve when bodies are placed (scene_road.c). */
void crank_build_draw_road(crank_builder *b, const char *name, crank_marker wheel,
                           const crank_ex place[2], crank_ex height);
/* How a joint (or a force, where no joint leads) puts bodies that the file does not place
 * (build_place.c): points that come
 * together (NULL: none), and axes a and u across them that coincide where its coordinates are
 * zero (NULL: it leaves the orientation open). */
void crank_build_frames(crank_builder *b, crank_owner owner, const crank_marker at[2],
                        const crank_marker *a, const crank_marker *u);
/* and that it slides along a, its length being zero where its points meet */
void crank_build_slides(crank_builder *b, crank_owner owner);
/* its points are one, whatever its coordinates (behind crank_build_frames) */
void crank_build_pins(crank_builder *b, crank_owner owner);
/* The body is led by the joint: origin at `place`, x axis along `tangent`, expressions of t, at
 * a height; in joint coordinates it then has no unknowns (joint/led.c). */
void crank_build_led(crank_builder *b, crank_owner owner, int body, const crank_ex place[2],
                     const crank_ex tangent[2], double height);
/* The body is a wheel that turns about this axle, and the speed at which it slides along the
 * road: it starts rolling where it can (rolling_start.c). */
void crank_build_wheel(crank_builder *b, int body, crank_marker axle, crank_ex slides);
/* The same of a wheel that is fixed on its axle, by its centre there: the set starts so that its
 * wheels slide by as much forwards as backwards. */
void crank_build_wheel_of_set(crank_builder *b, crank_marker centre, crank_ex slides);
/* The joint's coordinate, "angle" or "length", is driven: where it starts (build_initial.c). */
void crank_build_start_driven(crank_builder *b, crank_owner owner, const char *quantity,
                              crank_ex coordinate, crank_ex drive);
/* Where the reaction of a joint is measured: a point of its second body; axis: of the joint,
 * zero if it has none. */
void crank_build_reaction_point(crank_builder *b, crank_owner owner, int first, int second,
                                crank_marker at, crank_marker axis);
/* EMODEL at the place of the record (key NULL) or of one of its keys: 'joint "knee": ...'. */
crank_status crank_build_fail(const crank_record *record, const char *key, crank_error *err,
                              const char *format, ...) CRANK_PRINTF(4, 5);

#endif
