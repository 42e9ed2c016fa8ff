/* law.h - all expressions of one element (joint, force or equation), differentiated and ready
 * to run.
 *
 * Inputs are symbols: values y, rates y', accelerations y'' of primitives, r, w, s,
 * multipliers, t and memory. From the rows that the element states follow, with s' = -c_s^-1
 * (c_y y' + c_t) and s'' by another derivative,
 *     gI = g', gII = g'',  hI = h',  G_i = g_yi - g_s c_s^-1 c_yi,  H_i = h_y'i
 * and the efforts along primitive i:  e_i - sum lambda G_i - sum mu H_i.
 * theory (7.16)-(7.19)
 * All are evaluated by one tape, their partial derivatives by a second one; the chain rule
 * through the primitives (kinematics.h) gives the entries of the Jacobian. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_LAW_H
#define CRANK_SRC_LAW_H

#include "mechanics/system.h"

/* The element of an owner from all that the builder holds of it (never rows "primitive =
 * constant"); *out is NULL if the owner has nothing of that kind. The builder's symbol table
 * says what symbols mean. */
crank_status crank_law_create(crank_builder *b, crank_owner owner, crank_law **out,
                              crank_error *err);
void crank_law_destroy(crank_law *law);
/* Adds to all rows of k: its own, and efforts to the rows d of the bodies. system->local holds
 * values at the point. false: a value is not finite. */
bool crank_law_evaluate(const crank_law *law, const crank_system *system, double t,
                        const double *x, double *k);
/* The same for the Jacobian. Uses crank_primitive_derivatives on its primitives with its own
 * scratch. While fill records, derivatives that are not identically zero count as used. */
void crank_law_jacobian(const crank_law *law, crank_system *system, double t, const double *x,
                        crank_fill *fill);
/* Are all its derivatives finite there? */
bool crank_law_is_smooth(const crank_law *law, const crank_system *system, double t,
                         const double *x);
/* law_stage.c. As crank_law_evaluate, for the rows that a stage of an explicit method needs,
 * and with the derivatives by accelerations, w, s and multipliers. */
bool crank_law_stage(const crank_law *law, const crank_system *system, double t,
                     const double *x, double *k, crank_fill *fill);
/* Those rows are linear in accelerations, w, s and multipliers. */
bool crank_law_is_linear(const crank_law *law);
/* Adds to force (on all bodies, along their v) what the multipliers of its constraints exert:
 * reactions. */
void crank_law_reaction(const crank_law *law, const crank_system *system, double t,
                        const double *x, double force[][CRANK_BODY_MAX_V]);
crank_owner crank_law_owner(const crank_law *law);
const char *crank_law_label(const crank_law *law);  /* 'force "s"', for messages */
crank_place crank_law_origin(const crank_law *law); /* what says it */
/* Its derivatives are those of formulas. */
bool crank_law_is_exact(const crank_law *law);
/* Marks the primitives that the law needs. */
void crank_law_mark(const crank_law *law, bool *primitive);

/* Outputs: expressions of the same symbols, evaluated together (names of results, energies,
 * outputs of the user). */
typedef struct crank_expressions crank_expressions;
crank_status crank_expressions_create(crank_builder *b, int count, const crank_ex *ex,
                                      crank_expressions **out, crank_error *err);
void crank_expressions_destroy(crank_expressions *e); /* accepts NULL */
/* Values, rates and accelerations of the primitives in them alone, where states of bodies are
 * known; for crank_expressions_evaluate, which takes those that it finds. */
void crank_expressions_point(const crank_expressions *e, crank_system *system);
void crank_expressions_evaluate(const crank_expressions *e, const crank_system *system,
                                double t, const double *x, double *values);

#endif
