/* parse_class.h - what classes and modifications need of each other: a modification may
 * redeclare a class or a component. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MODELICA_PARSE_CLASS_H
#define CRANK_SRC_MODELICA_PARSE_CLASS_H

#include "modelica/parser.h"

/* (...) = value, = value, or nothing: NULL. */
crank_mo_modification *crank_mo_modification_of(crank_mo_parser *p);
/* Does a class begin here? */
bool crank_mo_begins_class(const crank_mo_parser *p);
/* The class becomes that of the element. */
void crank_mo_nested_class(crank_mo_parser *p, crank_mo_element *e, crank_mo_class *parent);
/* parameter T[n] a[m](...) = v if c "text", b ...: elements of the class, `first` is the first
 * one. class NULL: one without condition and text, as redeclarations are. */
void crank_mo_components(crank_mo_parser *p, crank_mo_element *first, crank_mo_class *c);

#endif
