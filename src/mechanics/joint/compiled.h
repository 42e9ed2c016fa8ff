/* compiled.h - the recursions of a tree as machine code (emit.h), in place of those that run on
 * any tree: rows d, and accelerations by articulated bodies. States and directions of links
 * that forces and constraints need are handed on to these, which run as they do without it.
 * Derivatives are compiled where there are none of these. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_COMPILED_H
#define CRANK_SRC_COMPILED_H

#include "mechanics/joint/tree.h"

/* Once laws are there: emits, compiles, loads. Refuses by name what is not emitted. */
crank_status crank_tree_compile(crank_tree *tree, const crank_builder *b, crank_error *err);
/* While it is made: what runs as it does without. */
void crank_tree_compiled_note(const crank_tree *tree, const char *text);
bool crank_tree_compiled_share(crank_tree *tree, const crank_tree *from);
void crank_tree_compiled_destroy(crank_tree *tree);

/* States at (t, x) of the bodies that forces and constraints look at; links: directions, too.
 * Rows, factors and solutions are those of this point until crank_tree_states is called. */
void crank_tree_compiled_states(crank_tree *tree, double t, const double *x, bool links);
/* Rows d into k, from the loads of the bodies that are looked at. */
void crank_tree_compiled_rows(crank_tree *tree, double *k);
/* Articulated inertias; false: a link has nothing to push against. Then y = M^-1 r. */
bool crank_tree_compiled_factor(crank_tree *tree);
void crank_tree_compiled_solve(crank_tree *tree, const double *r, double *y);

/* All entries of the Jacobian at (t, x), of trees that nothing pulls at; false: it is not
 * compiled. */
bool crank_tree_compiled_derivatives(crank_system *s, double t, const double *x,
                                     crank_fill *fill);

/* products.c: what is left of derivatives when numbers of each direction are there (emit.h):
 * products of pairs of directions. */
typedef struct crank_tree_products {
    int size;
    double *w;     /* size: the numbers; zero where the program writes none */
    int *way;      /* by link: additions of a row of it, by all links up to the ground */
    bool *still;   /* by link: a slide on nothing but slides */
    double *value; /* additions of one link */
} crank_tree_products;

/* false: out of memory, or size is 0 */
bool crank_tree_products_create(crank_tree *tree, int size, crank_tree_products *out);
/* Entries of rows d, in the order of crank_tree_fill_blocks. */
void crank_tree_products_fill(const crank_tree *tree, const crank_tree_products *p,
                              crank_fill *fill);

#endif
