/* table.h - tables of two columns, wherever a model file has one: [[x, y], ...], the name of a
 * CSV file, or {points: ..., file: ..., interpolation: ..., outside: ...}.
 *
 * Who reads a kind of file says how numbers, files and messages work there. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MODEL_TABLE_H
#define CRANK_SRC_MODEL_TABLE_H

#include "base/store.h"
#include "linalg/tabulated.h"
#include "model/tree.h"
#include "symbolic/symbolic.h"

/* the words of the keys, as tables of keys list them */
#define CRANK_TABLE_INTERPOLATIONS "spline|monotone|linear"
#define CRANK_TABLE_OUTSIDES       "error|hold|repeat|extrapolate"
/* of tables that expressions call, if the file does not say */
#define CRANK_TABLE_USUAL "monotone|hold"

typedef struct crank_table_reader {
    crank_store *store;
    /* a scalar as a finite number */
    crank_status (*number)(const void *self, const crank_node *node, double *out);
    /* the text of a file that a scalar names, which may be changed; *file: as messages call
     * it */
    crank_status (*load)(const void *self, const crank_node *node, const char **file,
                         char **text, size_t *length);
    /* EMODEL at a node, and a warning; both begin with what is read. text: a sentence */
    crank_status (*fail)(const void *self, const crank_node *node, const char *text);
    void (*warn)(const void *self, const crank_node *node, const char *text);
    crank_status (*no_memory)(const void *self);
    const void *self;
} crank_table_reader;

/* usual: what holds where the file does not say how the table goes. */
crank_status crank_model_table_read(const crank_table_reader *reader, const crank_node *node,
                                    crank_table_way usual, crank_table_data *out);
/* Warns of a table with corners in a holonomic constraint g = 0, where velocities would jump:
 * of t (or of linear ones; ends that are held may lie beyond the motion). what: 'holonomic
 * "h"'. */
void crank_model_table_warn(const crank_log *log, crank_pool *pool, crank_ex g, crank_ex t,
                            const char *what);
/* The piece from knot `piece` on that leaves its two points furthest, more than theory 6.2
 * allows to a spline, and how far it goes; false: there is none. data: the fitted table. */
typedef struct crank_table_swing {
    int piece;
    double range[2];
} crank_table_swing;
bool crank_table_find_swing(const crank_table_data *t, const double *data,
                            crank_table_swing *out);
/* "monotone|hold" as a way. */
crank_table_way crank_table_way_of(const char *words);

#endif
