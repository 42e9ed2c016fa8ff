/* unit.h - units as Modelica writes them (3.6, chapter 19): powers of the base units and a
 * factor. "N.m/rad", "J/(kg.K)", "km/h", "1/s". */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_INLINE_UNIT_H
#define CRANK_SRC_INLINE_UNIT_H

#include "symbolic/symbolic.h"

enum { CRANK_UNIT_BASES = 7, CRANK_UNIT_TEXT = 80 };

typedef struct crank_unit {
    bool known;
    double power[CRANK_UNIT_BASES]; /* m, kg, s, A, K, mol, cd; angles have none */
    double factor;                  /* of the same unit made of these */
} crank_unit;

/* false: not a unit that is known. */
bool crank_unit_parse(const char *text, crank_unit *out);
bool crank_unit_same(const crank_unit *a, const crank_unit *b);
/* a b^power */
crank_unit crank_unit_times(const crank_unit *a, const crank_unit *b, double power);
/* "kg.m/s2" into text (CRANK_UNIT_TEXT); returns it. */
const char *crank_unit_print(const crank_unit *unit, char *text);

#endif
