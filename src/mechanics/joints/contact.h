/* contact.h - what joints on curves and surfaces share: expressions of the parameters s,
 * vectors of expressions. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_CONTACT_H
#define CRANK_SRC_CONTACT_H

#include "mechanics/joints/joint.h"

typedef struct crank_contact {
    crank_builder *b;
    crank_pool *pool;
    const crank_record *record;
    crank_owner owner;
    int dimension, count; /* of space; of parameters */
    crank_ex s[2];        /* the parameters */
    double start[2];
} crank_contact;

/* The parameters "s" (count 1) or "s1" and "s2" with their start values: unknowns of the
 * joint. */
crank_status crank_contact_begin(crank_contact *c, crank_builder *b, const crank_record *record,
                                 crank_owner owner, int count, crank_error *err);
/* dimension expressions of a key from place on, with the parameters in them. */
crank_status crank_contact_resolve(const crank_contact *c, const char *key, int place,
                                   crank_ex out[3], crank_error *err);
void crank_contact_derivative(const crank_contact *c, const crank_ex a[3], int parameter,
                              crank_ex out[3]);
void crank_contact_difference(const crank_contact *c, const crank_ex a[3], const crank_ex b[3],
                              crank_ex out[3]);
crank_ex crank_contact_dot(const crank_contact *c, const crank_ex a[3], const crank_ex b[3]);
/* a x b; space only */
void crank_contact_cross(const crank_contact *c, const crank_ex a[3], const crank_ex b[3],
                         crank_ex out[3]);
/* Numbers at given parameters and t = 0; false: they depend on more than that, or are not
 * finite. */
bool crank_contact_evaluate(const crank_contact *c, const crank_ex a[3], const double s[2],
                            double out[3]);
/* The curve of a parameter, others as at the start, on a body, for drawing: one turn if it
 * closes after 2 pi, else as far to both sides as the mechanism is large. */
void crank_contact_draw(const crank_contact *c, const crank_ex C[3], int parameter, int body);
/* Tells the search for a start how far a step of the parameter leads along its curve C, and how
 * the curve turns there. */
void crank_contact_measure(const crank_contact *c, const crank_ex C[3], int parameter);
/* Length of a at the start: 1 if it cannot be told; 0 is an error: what has no direction
 * there. */
crank_status crank_contact_size(const crank_contact *c, const char *key, const char *what,
                                const crank_ex a[3], double *size, crank_error *err);
/* The row a.d/size = 0; lambda: its multiplier, or NULL. */
crank_status crank_contact_row(const crank_contact *c, const crank_ex a[3], const crank_ex d[3],
                               double size, const char *row, crank_ex *lambda,
                               crank_error *err);

#endif
