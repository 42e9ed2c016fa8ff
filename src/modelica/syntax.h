/* syntax.h - Modelica source as a tree: what lexer.c and the parser (parse_*.c) make of a file,
 * and what flattening (flatten.h) reads.
 *
 * Every node knows where it stands. All memory is that of one store; nothing changes once a
 * file is read. Names of quoted identifiers keep their quotes ('a b' and a b differ), but in
 * Base Modelica, where all names are quoted, they lose them. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MODELICA_SYNTAX_H
#define CRANK_SRC_MODELICA_SYNTAX_H

#include <crank/base.h>

#include "base/index.h"
#include "base/store.h"

typedef struct crank_mo_place {
    int line, column; /* from 1; 0: none */
} crank_mo_place;

/* ---- tokens ---- */

typedef enum crank_mo_token_kind {
    CRANK_MO_IDENT,
    CRANK_MO_KEYWORD,
    CRANK_MO_SYMBOL,
    CRANK_MO_TEXT,    /* a string; text is what it means */
    CRANK_MO_INTEGER, /* number */
    CRANK_MO_REAL,
    CRANK_MO_FINISH /* the last one */
} crank_mo_token_kind;

typedef struct crank_mo_token {
    crank_mo_token_kind kind;
    crank_mo_place place;
    const char *text; /* as the kind says; of numbers as written */
    double number;
} crank_mo_token;

typedef struct crank_mo_tokens {
    int count;
    crank_mo_token *token; /* ends with CRANK_MO_FINISH */
    bool base;             /* Base Modelica: the file begins with //! base */
} crank_mo_tokens;

/* lexer.c. base: quoted identifiers lose their quotes, whatever the file begins with. */
crank_status crank_mo_read_tokens(const char *text, size_t length, bool base,
                                  crank_store *store, crank_mo_tokens *out, crank_error *err);

/* ---- expressions ---- */

typedef struct crank_mo_expression crank_mo_expression;

/* a.b[i].c, with or without a leading dot */
typedef struct crank_mo_reference {
    crank_mo_place place;
    bool global;
    int count;
    const char **name;                /* count */
    int *subscript_count;             /* count */
    crank_mo_expression ***subscript; /* count arrays */
} crank_mo_reference;

typedef enum crank_mo_expression_kind {
    CRANK_MO_NUMBER,  /* number; whole: an Integer */
    CRANK_MO_STRING,  /* text */
    CRANK_MO_BOOLEAN, /* number 0 or 1 */
    CRANK_MO_LAST,    /* `end` as a subscript */
    CRANK_MO_ALL,     /* `:` as a subscript */
    CRANK_MO_NAME,    /* reference */
    CRANK_MO_CALL,    /* reference(item, name = item) */
    CRANK_MO_UNARY,   /* text item[0] */
    CRANK_MO_BINARY,  /* item[0] text item[1] */
    CRANK_MO_IF,      /* condition, then, condition, then, ..., else */
    CRANK_MO_RANGE,   /* first, last, or first, step, last */
    CRANK_MO_ARRAY,   /* {item, ...} */
    CRANK_MO_MATRIX,  /* [item; item], items are arrays */
    CRANK_MO_TUPLE,   /* (item, , item), entries may be NULL */
    CRANK_MO_EACH,    /* item[0] for name[0] in item[1], ...: {...}, or an argument of text */
} crank_mo_expression_kind;

struct crank_mo_expression {
    crank_mo_expression_kind kind;
    crank_mo_place place;
    bool whole;
    double number;
    const char *text;
    crank_mo_reference *reference;
    int count;
    crank_mo_expression **item;
    const char **name; /* of arguments; entries NULL: by position; NULL: all of them */
};

/* ---- equations and statements ---- */

typedef enum crank_mo_equation_kind {
    CRANK_MO_EQUAL,   /* left = right, or left := right */
    CRANK_MO_CONNECT, /* connect(left, right) */
    CRANK_MO_IFS,     /* branches */
    CRANK_MO_FOR,     /* one branch */
    CRANK_MO_WHEN,    /* branches */
    CRANK_MO_DO,      /* left: a call */
    CRANK_MO_WHILE,   /* one branch; statements only, as the next two */
    CRANK_MO_BREAK,
    CRANK_MO_RETURN
} crank_mo_equation_kind;

typedef struct crank_mo_equation crank_mo_equation;

typedef struct crank_mo_list {
    int count, capacity;
    crank_mo_equation **item;
} crank_mo_list;

typedef struct crank_mo_branch {
    crank_mo_expression *condition; /* NULL: else */
    crank_mo_list body;
} crank_mo_branch;

struct crank_mo_equation {
    crank_mo_equation_kind kind;
    crank_mo_place place;
    crank_mo_expression *left, *right;
    int branch_count, branch_capacity;
    crank_mo_branch *branch;
    int iterator_count;
    const char **iterator;    /* for i in ..., j in ... */
    crank_mo_expression **in; /* entries NULL: from the subscripts */
};

/* ---- modifications ---- */

typedef struct crank_mo_argument crank_mo_argument;
typedef struct crank_mo_element crank_mo_element;
typedef struct crank_mo_class crank_mo_class;

/* (argument, ...) = value; both may be absent */
typedef struct crank_mo_modification {
    crank_mo_place place;
    int count, capacity;
    crank_mo_argument **argument;
    crank_mo_expression *value;
} crank_mo_modification;

struct crank_mo_argument {
    crank_mo_place place;
    const char *name; /* a.b = 1 is kept as a(b = 1) */
    bool each, final;
    crank_mo_modification *modification; /* never NULL, unless redeclared */
    crank_mo_element *redeclared;        /* a component or a class in place of the one there */
};

/* ---- classes ---- */

typedef enum crank_mo_restriction {
    CRANK_MO_CLASS,
    CRANK_MO_MODEL,
    CRANK_MO_BLOCK,
    CRANK_MO_RECORD,
    CRANK_MO_CONNECTOR,
    CRANK_MO_TYPE,
    CRANK_MO_PACKAGE,
    CRANK_MO_FUNCTION
} crank_mo_restriction;

typedef enum crank_mo_variability {
    CRANK_MO_CONSTANT,
    CRANK_MO_PARAMETER,
    CRANK_MO_DISCRETE,
    CRANK_MO_CONTINUOUS
} crank_mo_variability;

typedef enum crank_mo_causality {
    CRANK_MO_LOCAL,
    CRANK_MO_INPUT,
    CRANK_MO_OUTPUT
} crank_mo_causality;

typedef enum crank_mo_element_kind {
    CRANK_MO_COMPONENT,
    CRANK_MO_NESTED,  /* a class */
    CRANK_MO_EXTENDS, /* type, modification */
    CRANK_MO_IMPORT   /* type; name: what it is called here, NULL: everything in it */
} crank_mo_element_kind;

struct crank_mo_element {
    crank_mo_element_kind kind;
    crank_mo_place place;
    const char *name;
    bool hidden; /* protected */
    bool final, replaceable, redeclare, inner, outer, flow;
    crank_mo_variability variability;
    crank_mo_causality causality;
    crank_mo_reference *type;
    int dimension_count; /* those of the name, then those of the type */
    crank_mo_expression **dimension;
    crank_mo_modification *modification; /* NULL: none */
    bool inherited;                      /* extends: of `model extends M`, the M of the bases */
    bool constrained;                    /* constrainedby is written */
    crank_mo_modification *constraint;   /* and its modifications; NULL: none */
    crank_mo_expression *condition;      /* NULL: always there */
    const char *comment;                 /* NULL: none */
    crank_mo_class *nested;
};

/* an algorithm section */
typedef struct crank_mo_section {
    crank_mo_place place;
    bool initial;
    crank_mo_list body;
} crank_mo_section;

struct crank_mo_class {
    const char *name;
    crank_mo_place place;
    crank_mo_restriction restriction;
    bool partial, encapsulated, expandable, operator_class;
    const crank_mo_class *parent; /* the class that it stands in */
    /* views.c: a class as it is in a package that extends its own; NULL: as it is written */
    const crank_mo_class *origin; /* the class as it is written */
    const crank_mo_class *names;  /* the package whose names are found in it */
    const crank_mo_class *base;   /* of a short class: what it is, found already */
    int element_count, element_capacity;
    crank_mo_element **element;
    crank_index by_name; /* components and classes: number of the element */
    int link_count, link_capacity;
    crank_mo_element **link; /* those elements that are extends or import */
    crank_mo_list equation, initial;
    int section_count, section_capacity;
    crank_mo_section *section;         /* algorithm sections */
    crank_mo_modification *annotation; /* of the class; NULL: none */
    const char *comment;
    /* class A = B[n](...): one extends element, and these */
    bool is_short;
    bool base_input, base_output;
    int dimension_count;
    crank_mo_expression **dimension;
    int literal_count; /* an enumeration if is_enumeration */
    bool is_enumeration;
    const char *const *literal;
    const char *external; /* the word that makes it external; NULL: it is not */
};

/* ---- a file ---- */

typedef struct crank_mo_file {
    crank_mo_tokens tokens;
    crank_mo_class *root; /* has the classes of the file as elements; no name */
    const char *within;   /* "A.B"; NULL: not said */
    /* package.c: files that were read, this one first; which classes are its own */
    int count, name_capacity;
    const char **name;
    int own_count;   /* elements of root; others are of packages */
    const char *own; /* "A.B.C" of the file's class, if it is within a package */
} crank_mo_file;

/* parse_class.c. All in the store; text must not be needed afterwards. number: of the file;
 * lines of others than 0 are numbers with it (inline/flat.h). */
crank_status crank_mo_parse(const char *text, size_t length, bool base, int number,
                            crank_store *store, crank_mo_file *out, crank_error *err);
/* The same of a text that crank has made: all of it stands at the place. */
crank_status crank_mo_parse_made(const char *text, size_t length, crank_mo_place place,
                                 crank_store *store, crank_mo_file *out, crank_error *err);
/* An element more of a class; false: out of memory. */
bool crank_mo_add_element(crank_store *store, crank_mo_class *c, crank_mo_element *e);
/* parse_expression.c: a text that is one expression, such as that of a setting. */
crank_status crank_mo_parse_expression(const char *text, crank_store *store,
                                       crank_mo_expression **out, crank_error *err);

#endif
