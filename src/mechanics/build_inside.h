/* build_inside.h - the builder's own memory: how primitives, names and the items of an owner
 * are found again in constant time, so that building stays linear in the size of the model. Not
 * for joints and forces. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_BUILD_INSIDE_H
#define CRANK_SRC_BUILD_INSIDE_H

#include "base/hash.h"
#include "base/index.h"
#include "mechanics/system.h"

/* ---- growing arrays and hash tables (build_list.c) ---- */

/* Room for one more item: the array, moved if it had to grow; without memory b->failed is
 * set. */
void *crank_build_grow(crank_builder *b, void *item, int count, int *capacity, size_t size);
/* Appends to a CRANK_LIST of the builder; false: out of memory. */
#define CRANK_BUILD_PUSH(b, list, ...)                                                         \
    ((list).item = crank_build_grow((b), (list).item, (list).count, &(list).capacity,          \
                                    sizeof *(list).item),                                      \
     (b)->failed ? false : ((list).item[(list).count++] = (__VA_ARGS__), true))

/* ---- the memory of the builder ---- */

typedef enum crank_build_stage {
    CRANK_BUILD_NOT,
    CRANK_BUILD_NOW,
    CRANK_BUILD_DONE
} crank_build_stage;

typedef struct crank_primitive_symbols {
    crank_ex ex[3]; /* value, rate, acceleration; -1: nobody has asked yet */
} crank_primitive_symbols;

/* Items of each owner, all owners numbered through: joints, forces, equations. */
typedef struct crank_owned {
    int total, owners; /* when the lists were made */
    int *start; /* of each owner's items; owners + 1, and one that is used while counting */
    int *item;
} crank_owned;
enum {
    CRANK_OWNED_HOLONOMIC, /* without rows "primitive = constant" */
    CRANK_OWNED_NONHOLONOMIC,
    CRANK_OWNED_DYNAMIC,
    CRANK_OWNED_AUXILIARY,
    CRANK_OWNED_CONTACT,
    CRANK_OWNED_EFFORT,
    CRANK_OWNED_LISTS
};

typedef struct crank_build_inside {
    crank_index primitive;          /* on the heap, by content */
    crank_index body, joint, force; /* by name */
    bool indexed;                   /* bodies, joints and forces are in their tables */
    CRANK_LIST(crank_primitive_symbols) symbols; /* by primitive */
    CRANK_LIST(crank_ex)
    contact_rate;                             /* s' by contact variable; -1: not derived yet */
    int *last_row, *last_coordinate;          /* joint_count; -1: none */
    CRANK_LIST(int) row_before;               /* by holonomic constraint, of the same joint */
    CRANK_LIST(int) coordinate_before;        /* by coordinate */
    unsigned char *joint_stage, *force_stage; /* crank_build_stage */
    int depth;                                /* of joints and forces built on demand */
    crank_owner current;                      /* what is being built, if depth > 0 */
    crank_status status;                      /* of one that failed there, with error */
    crank_error error;
    CRANK_LIST(const crank_expression_record *)
    equation;                               /* by equation owner */
    CRANK_LIST(const char *) equation_kind; /* "holonomic" */
    crank_ex *multiplier[2]; /* of the file's holonomic and nonholonomic constraints; -1: not
                                built yet, -2: being built */
    crank_owned owned[CRANK_OWNED_LISTS];
    crank_law_work *work;
} crank_build_inside;

/* EMEM if anything ran out of memory since the builder was made. */
crank_status crank_build_memory(const crank_builder *b, crank_error *err);

/* What a node of the pool stands for. */
crank_symbol crank_build_symbol(const crank_builder *b, crank_ex ex);
void crank_build_set_symbol(crank_builder *b, crank_ex ex, crank_symbol_kind kind, int index);
/* All symbols of an expression in an array of the caller's to free; NULL: out of memory. */
crank_ex *crank_build_symbols(crank_builder *b, crank_ex ex, int *count);

/* "joint" or "force" */
const char *crank_build_record_kind(const crank_record *record);
/* 'joint "knee"' and its place. */
typedef struct crank_build_label {
    char text[160];
    const crank_node *place; /* NULL: none */
} crank_build_label;
crank_build_label crank_build_label_of(const char *kind, const char *name,
                                       const crank_node *place);
crank_build_label crank_build_expression_label(const char *kind,
                                               const crank_expression_record *record);
/* The record of an owner of kind CRANK_OWNER_EQUATION; NULL: no file says it. */
const crank_expression_record *crank_build_equation(const crank_builder *b, crank_owner owner);
crank_build_label crank_build_owner_label(const crank_builder *b, crank_owner owner);

/* Makes the lists above where they are missing or out of date; false: out of memory. Then:
 * items of an owner in one of them. */
bool crank_build_own(crank_builder *b);
const int *crank_build_owned(const crank_builder *b, int list, crank_owner owner, int *count);

/* Builds a joint or a force that has not been built yet; refusals of circles. */
crank_status crank_build_joint(crank_builder *b, int joint, crank_error *err);
crank_status crank_build_force(crank_builder *b, int force, crank_error *err);

/* crank_build_resolve for any place. */
crank_status crank_build_resolve_at(crank_builder *b, const crank_build_label *label,
                                    crank_ex ex, int locals, const crank_ex *local,
                                    const crank_ex *value, crank_ex *out, crank_error *err);

/* s' of a contact variable from the rows c of its owner (law_derive.c). */
crank_status crank_build_contact_rate(crank_builder *b, int contact, crank_ex *out,
                                      crank_error *err);
/* d/dt with everything known about the symbols; EMODEL where it is not. */
crank_status crank_build_differentiate(crank_builder *b, crank_owner owner, crank_ex e,
                                       crank_ex *out, crank_error *err);

/* An expression of positions and t. */
bool crank_build_is_geometry(crank_builder *b, crank_ex ex);

/* build_bodies.c: what body.NAME.QUANTITY stands for; -1: the body has no such quantity,
 * *reason may say why. */
crank_ex crank_build_body_quantity(crank_builder *b, int body, const char *quantity,
                                   const char **reason);
/* build_bodies.c: columns of all points of bodies, where they are and their velocities. */
crank_status crank_build_point_columns(crank_builder *b, crank_error *err);
/* build_reactions.c: the same of joint.NAME.fx ... tz, of a joint that is built; *out -1: it is
 * no component of a reaction, or the joint has none. */
crank_status crank_build_reaction(crank_builder *b, int joint, const char *quantity,
                                  crank_ex *out, crank_error *err);
/* reactions.c: directions of the components of a joint's reaction. */
void crank_build_reaction_axes(const crank_builder *b, const crank_reaction *reaction,
                               crank_marker axes[3]);
/* build_equations.c: the multiplier of a constraint of the file, which is built if it is not
 * yet; kind: "lambda" or "mu"; *out -1: there is none of that name. */
crank_status crank_build_multiplier(crank_builder *b, const char *kind, const char *name,
                                    crank_ex *out, crank_error *err);

/* The user's own variables, before joints and forces; then their equations and the user's
 * constraints. */
crank_status crank_build_declare_equations(crank_builder *b, crank_error *err);
crank_status crank_build_state_equations(crank_builder *b, crank_error *err);
/* b->condition, and coordinates for crank_build_place. */
crank_status crank_build_conditions(crank_builder *b, crank_error *err);
/* build_world.c: warns of world points on bodies that joints put elsewhere. */
crank_status crank_build_check_world(crank_builder *b, crank_error *err);
/* build_unplaced.c: warns of bodies that nothing places, but for forces and rods. */
crank_status crank_build_check_unplaced(crank_builder *b, crank_error *err);
/* system_parts.c: is it a torsion spring, not a damper? */
bool crank_build_holds_turns(crank_builder *b, const crank_record *force);
/* build_bars.c: warns of bars that lie across their joints. */
crank_status crank_build_check_bars(crank_builder *b, crank_error *err);

#endif
