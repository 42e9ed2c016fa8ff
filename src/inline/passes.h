/* passes.h - the passes over a flat DAE (flat.h), a file each, in the order of use. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_INLINE_PASSES_H
#define CRANK_SRC_INLINE_PASSES_H

#include "inline/flat.h"

/* units.c: warnings about units that do not fit, a line each; *count of them. Before parameters
 * become numbers, which have no units. */
crank_status crank_flat_check_units(crank_flat *flat, crank_text *text, int *count,
                                    crank_error *err);

/* numbers.c: parameters become numbers, in equations, attributes, events, everywhere. */
crank_status crank_flat_put_numbers(crank_flat *flat, crank_error *err);

/* divisors.c: refuses equations that divide by zero whatever the unknowns are, where symbols have
 * these values; by: as in crank_flat_substitute. */
crank_status crank_flat_check_divisors(crank_flat *flat, int size, const crank_ex *by,
                                       crank_error *err);

/* discrete.c: unknowns that are no Reals (`Boolean b = x > 1`) are put into the equations, and
 * updates are sorted, assertions become events. */
crank_status crank_flat_resolve_discrete(crank_flat *flat, crank_error *err);

/* alias.c: a = b, a = -b and a = number leave the equations. */
crank_status crank_flat_remove_aliases(crank_flat *flat, crank_error *err);

/* derived_starts.c: start values of variables without one, from those that are given. */
crank_status crank_flat_derive_starts(crank_flat *flat, crank_error *err);

/* explicit_variables.c: variables that an equation gives by itself, y = e, leave the equations. */
crank_status crank_flat_put_explicit(crank_flat *flat, crank_error *err);

/* rates.c: derivatives that enter nonlinearly, or where only variables may stand (events),
 * become variables of their own. */
crank_status crank_flat_carry_rates(crank_flat *flat, crank_error *err);

/* eliminate.c: variables of role CRANK_FLAT_ELIMINATED get values free of each other, which
 * take their places everywhere, der(x) included. Values that depend on each other in a circle
 * are an error: *circle is one of the variables (-1: another error). */
crank_status crank_flat_eliminate(crank_flat *flat, int *circle, crank_error *err);

/* structure.c: which variables occur in which equations; numbers do not matter. */
typedef struct crank_flat_structure {
    int equations, unknowns;
    int *start, *column; /* by equations: numbers of the unknowns in them, rising */
    int *variable;       /* unknowns: the variable */
    bool *differential;  /* unknowns: the derivative of the variable is an unknown, too */
    int *match;          /* equations: the unknown that it is matched with, -1: none */
    int *matched;        /* unknowns: the equation, -1: none */
    int rank;            /* number of pairs */
} crank_flat_structure;

/* highest: only the highest derivatives are unknown (x' where it occurs, else x); otherwise a
 * variable and its derivative count as one. In the store of flat. */
crank_status crank_flat_find_structure(crank_flat *flat, bool highest,
                                       crank_flat_structure *out, crank_error *err);
/* Refuses a model whose equations and unknowns do not fit one to one, by name. */
crank_status crank_flat_check_structure(crank_flat *flat, crank_error *err);

/* blocks.c: equations sorted into blocks, each of which is solved for its unknowns once those
 * before it are known (block lower triangular form). */
typedef struct crank_flat_blocks {
    crank_flat_structure structure; /* of the highest derivatives */
    bool found;                     /* false: singular, a higher index */
    int count;
    int *start;    /* count + 1: into order */
    int *equation; /* in the order of solution */
    int *unknown;  /* the one that each is matched with */
    int largest;
} crank_flat_blocks;
crank_status crank_flat_find_blocks(crank_flat *flat, crank_flat_blocks *out, crank_error *err);
void crank_flat_print_blocks(const crank_flat *flat, const crank_flat_blocks *blocks,
                             crank_text *text);

#endif
