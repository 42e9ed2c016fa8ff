/* value.h - what an expression stands for while a model is flattened: numbers, truth values and
 * literals of enumerations as expressions of the pool, in arrays of fixed size, row by row;
 * texts; records.
 *
 * A record in an array is an array of fields: the first `rank` dimensions of each field are
 * those of the record. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MODELICA_VALUE_H
#define CRANK_SRC_MODELICA_VALUE_H

#include "modelica/syntax.h"
#include "symbolic/symbolic.h"

enum {
    CRANK_MO_RANK = 6,        /* dimensions of an array */
    CRANK_MO_ENTRIES = 100000 /* entries of an array */
};

typedef enum crank_mo_type {
    CRANK_MO_IS_REAL,
    CRANK_MO_IS_INTEGER,
    CRANK_MO_IS_BOOLEAN,
    CRANK_MO_IS_ENUMERATION,
    CRANK_MO_IS_STRING, /* scalars only */
    CRANK_MO_IS_RECORD
} crank_mo_type;

typedef struct crank_mo_value crank_mo_value;
struct crank_mo_value {
    crank_mo_type type;
    const crank_mo_class *of; /* the enumeration or record; NULL: not known */
    int rank, size[CRANK_MO_RANK], count;
    crank_ex *ex;     /* count; NULL: texts and records */
    const char *text; /* of a string */
    int field_count;  /* of a record */
    const char **field_name;
    crank_mo_value *field;
};

/* a subscript: an index (which removes the dimension), or a list */
typedef struct crank_mo_subscript {
    bool all;  /* : */
    bool list; /* a vector of indices */
    int count;
    const int *index; /* from 1; NULL: it is not known before the run, */
    crank_ex unknown; /* but this expression */
} crank_mo_subscript;

typedef struct crank_mo_flattener crank_mo_flattener;

/* "Real[2, 3]", for messages; returns text. */
const char *crank_mo_describe(const crank_mo_value *v, char *text, size_t size);
/* Memory for a value of this shape; its count. false: too large, or out of memory (said). */
bool crank_mo_value_take(crank_mo_flattener *f, crank_mo_value *v, crank_mo_place place);
crank_mo_value crank_mo_scalar(crank_mo_flattener *f, crank_mo_type type, crank_ex ex);
crank_mo_value crank_mo_number_value(crank_mo_flattener *f, crank_mo_type type, double number);
bool crank_mo_same_shape(const crank_mo_value *a, const crank_mo_value *b);
/* count values of one shape as one with further dimensions in front. */
crank_mo_value crank_mo_stack(crank_mo_flattener *f, int rank, const int *size,
                              const crank_mo_value *items, crank_mo_place place);
/* v[subscripts]; missing ones are all. */
crank_mo_value crank_mo_take(crank_mo_flattener *f, const crank_mo_value *v, int count,
                             const crank_mo_subscript *subscripts, crank_mo_place place);
/* Puts `part` at v[subscripts], in place of what is there. */
void crank_mo_put(crank_mo_flattener *f, crank_mo_value *v, int count,
                  const crank_mo_subscript *subscripts, const crank_mo_value *part,
                  crank_mo_place place);
/* The field of a record by name; NULL: none. */
crank_mo_value *crank_mo_field(const crank_mo_value *v, const char *name);
/* The same shape with this entry everywhere. */
crank_mo_value crank_mo_fill(crank_mo_flattener *f, const crank_mo_value *v, crank_ex entry);
/* A copy with arrays of its own. */
crank_mo_value crank_mo_copy(crank_mo_flattener *f, const crank_mo_value *v);

#endif
