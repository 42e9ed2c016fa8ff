/* flatten.h - from a tree of classes to a flat DAE (inline/flat.h): what the files of this
 * directory share.
 *
 * The road: lookup.c finds classes and names; instance.c makes a tree of components of the
 * model's class, each elaborated when it is first asked for, so that declarations may come in
 * any order; modify.c collects what modifies them, the outermost first; translate*.c and
 * call*.c make expressions of the pool of Modelica's; function.c and statement.c run functions
 * and algorithm sections with expressions for values; declare.c, equation.c, when.c and
 * connect.c write the flat record; flatten.c leads.
 *
 * The first error stays (f->status); from then on functions return at once. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MODELICA_FLATTEN_H
#define CRANK_SRC_MODELICA_FLATTEN_H

#include "inline/flat.h"
#include "modelica/modelica.h"
#include "modelica/value.h"

enum {
    CRANK_MO_NESTING = 100,    /* components in components, calls in calls, bases of bases */
    CRANK_MO_SCALARS = 200000, /* variables and parameters of a model */
    CRANK_MO_WORK = 4000000,   /* expressions read, unless the caller says how many */
    CRANK_MO_TURNS = 1000      /* of while, as long as it is not known whether it ends */
};

/* of messages about names that begin with Modelica */
#define CRANK_MO_STANDARD_LIBRARY                                                              \
    "; the Modelica Standard Library is no part of crank: export the model as Base Modelica, " \
    "use the library Crank, or give the folder of a package by --library"

typedef struct crank_mo_instance crank_mo_instance;

/* a variable of a function or an iterator of a loop, the newest first */
typedef struct crank_mo_local {
    const char *name;
    crank_mo_value value;
    bool set;                  /* it has a value */
    bool iterator;             /* must not be assigned */
    bool input;                /* of a function: nor this */
    bool variable;             /* of the model: pre() means that */
    bool at_events, otherwise; /* assigned in `when`, outside of it */
    struct crank_mo_local *next;
} crank_mo_local;

/* where names are looked for: locals, components of the instance, the classes around */
typedef struct crank_mo_scope {
    crank_mo_instance *instance;   /* NULL: none */
    const crank_mo_class *lexical; /* the class that the text stands in */
    crank_mo_local *local;
    crank_mo_instance *around; /* of a function: the component whose class it stands in */
} crank_mo_scope;

/* Is it the scope of a function's own text? */
static inline bool crank_mo_in_function(const crank_mo_scope *scope)
{
    return scope->instance == NULL && scope->lexical != NULL &&
           scope->lexical->restriction == CRANK_MO_FUNCTION;
}

/* what modifies a component, the strongest first */
typedef struct crank_mo_environment {
    const crank_mo_modification *modification;
    crank_mo_scope scope; /* its expressions are read there */
    bool inherited;       /* it stands in a class that is this one, class A = B(...) */
    int count; /* it is given for an array of this size, of which this element is meant */
    int size[CRANK_MO_RANK], index[CRANK_MO_RANK];
    struct crank_mo_environment *next;
} crank_mo_environment;

/* a class found by name, and where its own names are looked for */
typedef struct crank_mo_found {
    const crank_mo_class *class;
    crank_mo_type builtin;                   /* class NULL: a type of the language */
    const crank_mo_environment *environment; /* that comes with a redeclaration */
} crank_mo_found;

/* a class replaced by `redeclare` */
typedef struct crank_mo_override {
    const char *name;
    crank_mo_found found;
    const struct crank_mo_override *next;
} crank_mo_override;

/* a class and its bases, in the order of their elements */
typedef struct crank_mo_part {
    const crank_mo_class *class;
    const crank_mo_environment *environment;
} crank_mo_part;

typedef enum crank_mo_state { CRANK_MO_NEW, CRANK_MO_OPEN, CRANK_MO_DONE } crank_mo_state;

struct crank_mo_instance {
    const char *name;  /* "a.b[2]" */
    const char *label; /* "b" */
    crank_mo_place place;
    crank_mo_instance *parent;
    const crank_mo_element *element; /* NULL: the model, a package */
    const crank_mo_class *lexical;   /* where its declaration stands */
    const crank_mo_environment *environment;
    crank_mo_state state;
    bool absent;  /* its condition is false */
    bool package; /* only constants are of interest */
    bool protected_;
    crank_mo_instance *inner; /* of an outer: the one that it is */
    crank_mo_variability variability;
    crank_mo_causality causality;
    bool flow;
    bool connector; /* its type is one by a short class: connector Pin = ... */
    int rank, size[CRANK_MO_RANK], count;

    /* of a class: an array of them, or parts and components */
    const crank_mo_class *class; /* NULL: a type of the language, or an enumeration */
    crank_mo_instance **item;
    int part_count, part_capacity;
    crank_mo_part *part;
    const crank_mo_override *override;
    int child_count, child_capacity;
    crank_mo_instance **child;
    crank_index by_name;

    /* of a type of the language */
    crank_mo_type type;
    const crank_mo_class *enumeration;
    crank_ex *symbol; /* count; NULL: constants, strings */
    int first;        /* variable or parameter of the flat record; -1: none yet */
    crank_mo_state value_state;
    crank_mo_value value; /* of constants and parameters, once asked for */
    crank_mo_state number_state;
    double *number;  /* of parameters, once asked for */
    bool structural; /* the shape of the model depends on it */
    bool free;       /* a parameter with fixed = false: initial equations find it */
    bool constant;   /* a parameter that cannot be set */
    bool follows;    /* a parameter whose value depends on such a one */
    crank_mo_state follow_state;
};

/* a relation in an equation, frozen between events */
typedef struct crank_mo_relation {
    crank_ex function;
    crank_mo_place place;
    int variable;  /* that holds it */
    bool or_equal; /* true where function >= 0, else > 0 */
    bool clock;    /* sample() */
    bool at_end;   /* terminal() */
} crank_mo_relation;

typedef enum crank_mo_each {
    CRANK_MO_EACH_NOT,
    CRANK_MO_EACH_MAY_BE,
    CRANK_MO_EACH_IS
} crank_mo_each;

typedef struct crank_mo_pending {
    int variable;
    crank_mo_place place;
} crank_mo_pending;

/* of an algorithm: the loop or function that runs is left under a condition */
typedef enum crank_mo_flow {
    CRANK_MO_GOES_ON,
    CRANK_MO_BREAKS,
    CRANK_MO_RETURNS
} crank_mo_flow;
typedef struct crank_mo_exit {
    crank_mo_flow flow;
    crank_ex condition;
    int count; /* locals */
    const crank_mo_value *value;
    crank_mo_place place;
} crank_mo_exit;

struct crank_mo_flattener {
    crank_store *store; /* that of the flat record */
    crank_flat *flat;
    crank_pool *pool;
    const crank_mo_file *file;
    const crank_mo_options *options;
    bool *setting_used;
    crank_error *err;
    crank_status status;
    int depth; /* of elaboration, calls and bases */
    int scalars;
    long work, work_most;
    int last;          /* what `end` means; 0: it may not stand here */
    bool no_event;     /* inside noEvent or smooth */
    bool in_equations; /* relations make events */
    bool in_model;     /* equations of the model are written */
    bool in_when;      /* inside a when-equation or -statement */
    bool in_message;   /* of assert or terminate */
    crank_ex guard;    /* the conditions around, where they are not known; -1: none */
    crank_mo_instance *root;
    int owner_count, owner_capacity; /* by symbol: the instance whose it is */
    struct crank_mo_owner {
        crank_mo_instance *instance;
        int entry;
        bool memory; /* nobody's: memory.c made it */
    } * owner;
    crank_index packages; /* instances of packages, by class */
    int package_count, package_capacity;
    crank_mo_instance **package;
    int exit_count, exit_capacity;
    crank_mo_exit *exit;
    crank_index views; /* views.c, by what they are of */
    int view_count, view_capacity;
    crank_mo_class **view;
    int relation_count, relation_capacity;
    crank_mo_relation *relation;
    crank_index relations;      /* those but clocks, by function and kind */
    struct crank_mo_node *node; /* connect.c */
    int node_count, node_capacity;
    crank_index nodes;
    int *pair; /* connected nodes, two by two */
    int pair_count, pair_capacity;
    bool in_branch;                  /* of an if-equation whose condition is not known */
    int whole_count, whole_capacity; /* whole.c: what is held of which expression */
    struct crank_mo_whole {
        crank_ex of, symbol;
    } * whole;
    crank_index wholes;
    int pending_count, pending_capacity; /* memory.c: pre() of Reals */
    crank_mo_pending *pending;
    crank_mo_each
        each; /* of crank_mo_call_function: may it be, and is it, a call for each entry? */
    crank_ex at_end;    /* terminal(); -1: nobody uses it */
    const char *origin; /* of the equations that are written */
    bool in_tearable;   /* the sides of an equation are read, which may say what is torn */
    int tear;           /* 1 + number of what it has said of its residual; 0: nothing */
};

/* ---- flatten.c ---- */

crank_status crank_mo_fail_at(crank_mo_flattener *f, crank_mo_place place, const char *format,
                              ...) CRANK_PRINTF(3, 4);
/* Out of memory. */
void crank_mo_fail_memory(crank_mo_flattener *f);
bool crank_mo_ok(const crank_mo_flattener *f);
/* One level deeper; false: too deep. */
bool crank_mo_go_down(crank_mo_flattener *f, crank_mo_place place, const char *what);
void *crank_mo_new(crank_mo_flattener *f, size_t count, size_t size);

/* ---- lookup.c ---- */

bool crank_mo_find_class(crank_mo_flattener *f, const crank_mo_scope *scope,
                         const crank_mo_reference *name, crank_mo_found *out, bool must);
/* The same for a function, which may be one of a component's class. */
bool crank_mo_find_function(crank_mo_flattener *f, const crank_mo_scope *scope,
                            const crank_mo_reference *name, crank_mo_found *out, bool must);
/* A class of this name among those of a class and its bases; NULL: none. */
const crank_mo_class *crank_mo_class_in(crank_mo_flattener *f, const crank_mo_class *c,
                                        const char *name);
bool crank_mo_base(crank_mo_flattener *f, const crank_mo_class *c,
                   const crank_mo_element *extends, crank_mo_found *out);
/* The class of a name in an extends clause of c, where names of bases do not count. */
bool crank_mo_find_base(crank_mo_flattener *f, const crank_mo_class *c,
                        const crank_mo_reference *name, crank_mo_found *out);
/* "A.B.C" of a class. */
const char *crank_mo_class_name(crank_mo_flattener *f, const crank_mo_class *c);
/* The instance in which the constants of a class are. */
crank_mo_instance *crank_mo_package(crank_mo_flattener *f, const crank_mo_class *c);
/* Does the class, or a base, have a component of this name? */
bool crank_mo_has_component(crank_mo_flattener *f, const crank_mo_class *c, const char *name);
/* The class that an import of c calls `name`, or a wildcard finds. */
bool crank_mo_find_import(crank_mo_flattener *f, const crank_mo_class *c, const char *name,
                          crank_mo_found *out);
/* The package of a constant that an import of c calls `name`, or a wildcard finds, and its name
 * there; NULL: none. */
const crank_mo_class *crank_mo_find_imported(crank_mo_flattener *f, const crank_mo_class *c,
                                             const char *name, const char **constant);
/* The type of the language, the enumerations that it has; false: none. */
bool crank_mo_find_builtin(const char *name, crank_mo_found *out);

/* ---- views.c ---- */

/* A class that stands in a view, as it is there. */
const crank_mo_class *crank_mo_seen_in(crank_mo_flattener *f, const crank_mo_class *c,
                                       const crank_mo_class *around);
/* A base of a package: its text, with the package's names. */
const crank_mo_class *crank_mo_base_seen_from(crank_mo_flattener *f, const crank_mo_class *base,
                                              const crank_mo_class *package);
/* A class of a base of a package. */
const crank_mo_class *crank_mo_seen_from(crank_mo_flattener *f, const crank_mo_class *c,
                                         const crank_mo_class *package);
/* class A = base(m), called as another one, that stands in a class. */
const crank_mo_class *crank_mo_wrap(crank_mo_flattener *f, const crank_mo_class *like,
                                    const crank_mo_class *base, crank_mo_modification *m,
                                    const crank_mo_class *around);
/* The redeclaration of a name among modifications; NULL: none. */
const crank_mo_argument *crank_mo_redeclared_by(const crank_mo_modification *m,
                                                const char *name);
/* What `extends B(redeclare package M = N)` of c puts in place of M; NULL: nothing. */
const crank_mo_class *crank_mo_replaced_in(crank_mo_flattener *f, const crank_mo_class *c,
                                           const crank_mo_element *extends, const char *name);

/* ---- redeclare.c ---- */

/* Redeclared classes of c, which is a part of i: names of them mean what replaces them. */
void crank_mo_replace_classes(crank_mo_flattener *f, crank_mo_instance *i,
                              const crank_mo_class *c, const crank_mo_environment *environment);
/* What modifies the bases of c: its own elements `redeclare ...`, too. */
const crank_mo_environment *
crank_mo_redeclare_in_bases(crank_mo_flattener *f, crank_mo_instance *i,
                            const crank_mo_class *c, const crank_mo_environment *environment);

/* ---- modify.c ---- */

const crank_mo_environment *crank_mo_environment_add(crank_mo_flattener *f,
                                                     const crank_mo_environment *stronger,
                                                     const crank_mo_modification *m,
                                                     const crank_mo_scope *scope);
/* The same of what stands in a class that is this one, class A = B(...). */
const crank_mo_environment *crank_mo_environment_inherit(crank_mo_flattener *f,
                                                         const crank_mo_environment *stronger,
                                                         const crank_mo_modification *m,
                                                         const crank_mo_scope *scope);
/* What modifies a component of what is modified so. */
const crank_mo_environment *
crank_mo_environment_of(crank_mo_flattener *f, const crank_mo_environment *e, const char *name);
void crank_mo_fail_final(crank_mo_flattener *f, crank_mo_place place, const char *name);
void crank_mo_fail_replaceable(crank_mo_flattener *f, crank_mo_place place, const char *name);
/* The same for one element of an array. */
const crank_mo_environment *crank_mo_environment_at(crank_mo_flattener *f,
                                                    const crank_mo_environment *e, int rank,
                                                    const int *size, const int *index);
/* The redeclaration of a component or class; NULL: none. */
const crank_mo_argument *crank_mo_redeclaration(const crank_mo_environment *e, const char *name,
                                                const crank_mo_environment **where);
/* The strongest value that is given; NULL: none. */
const crank_mo_environment *crank_mo_given(const crank_mo_environment *e);
/* The value of the entry: translated, of the element that is meant. */
crank_mo_value crank_mo_given_value(crank_mo_flattener *f, const crank_mo_environment *given);
/* Everything that is modified must be there. */
void crank_mo_check_modified(crank_mo_flattener *f, const crank_mo_instance *i);

/* ---- instance.c ---- */

crank_mo_instance *crank_mo_instance_make(crank_mo_flattener *f, crank_mo_instance *parent,
                                          const crank_mo_class *c,
                                          const crank_mo_environment *environment,
                                          const char *name);
/* Is the class, or a base that it is, one of the component's? */
bool crank_mo_has_part(const crank_mo_instance *i, const crank_mo_class *c);
/* Type, size, components; false: an error. */
bool crank_mo_elaborate(crank_mo_flattener *f, crank_mo_instance *i);
/* A component by name; NULL: none. Elaborated. */
crank_mo_instance *crank_mo_child(crank_mo_flattener *f, crank_mo_instance *i,
                                  const char *name);
/* The declared value of a leaf; false: it has none, or an error. */
bool crank_mo_declared_value(crank_mo_flattener *f, crank_mo_instance *leaf,
                             crank_mo_value *out);
/* Is a value declared for it, or for a record that it is in? */
bool crank_mo_is_bound(const crank_mo_instance *i);
/* What a leaf stands for in expressions. */
crank_mo_value crank_mo_leaf_value(crank_mo_flattener *f, crank_mo_instance *leaf);
/* All of an instance: a record of its components. */
crank_mo_value crank_mo_instance_value(crank_mo_flattener *f, crank_mo_instance *i,
                                       crank_mo_place place);

/* ---- number.c ---- */

/* The number that an expression of parameters is; false (an error is filled only if must). */
bool crank_mo_number_of(crank_mo_flattener *f, crank_ex ex, double *out);
bool crank_mo_whole(crank_mo_flattener *f, const crank_mo_value *v, int *out,
                    crank_mo_place place, const char *what);
/* Is the expression one of parameters and constants? */
bool crank_mo_is_parametric(crank_mo_flattener *f, crank_ex ex);
/* Is it a parameter that is found with others by initial equations? Then it becomes a variable. */
bool crank_mo_follows(crank_mo_flattener *f, crank_mo_instance *i);
/* Converts to the type of a declaration: Integer to Real; checks. */
bool crank_mo_convert(crank_mo_flattener *f, crank_mo_value *v, crank_mo_type type,
                      const crank_mo_class *of, crank_mo_place place, const char *what);

/* ---- translate.c, translate_reference.c, translate_array.c, operator.c ---- */

crank_mo_value crank_mo_translate(crank_mo_flattener *f, const crank_mo_scope *scope,
                                  const crank_mo_expression *e);
crank_mo_value crank_mo_reference_value(crank_mo_flattener *f, const crank_mo_scope *scope,
                                        const crank_mo_reference *r);
/* The components that are meant, not their values: r.p of r[3] are three. absent: they are not
 * there. */
typedef struct crank_mo_selected {
    crank_mo_instance *instance;
    int entry; /* of a leaf; -1: a component */
} crank_mo_selected;
typedef struct crank_mo_selection {
    bool absent;
    int rank, size[CRANK_MO_RANK];
    int count, capacity;
    crank_mo_selected *item;
} crank_mo_selection;
bool crank_mo_select(crank_mo_flattener *f, const crank_mo_scope *scope,
                     const crank_mo_reference *r, crank_mo_selection *out);
bool crank_mo_subscript_of(crank_mo_flattener *f, const crank_mo_scope *scope,
                           const crank_mo_expression *e, int size, crank_mo_subscript *out);
/* false, with a message: not before the run */
bool crank_mo_is_known(crank_mo_flattener *f, const crank_mo_subscript *s,
                       crank_mo_place place);
crank_mo_value crank_mo_translate_array(crank_mo_flattener *f, const crank_mo_scope *scope,
                                        const crank_mo_expression *e);
/* The literals of a type that an expression names, as of `for s in State` and Real x[State];
 * false: it does not. */
bool crank_mo_literals(crank_mo_flattener *f, const crank_mo_scope *scope,
                       const crank_mo_expression *e, crank_mo_value *out);
/* Values of an iterator: a range, an array, or a type. */
crank_mo_value crank_mo_iterated(crank_mo_flattener *f, const crank_mo_scope *scope,
                                 const crank_mo_expression *e);
crank_mo_value crank_mo_operate(crank_mo_flattener *f, const char *op, crank_mo_value a,
                                crank_mo_value b, crank_mo_place place);
crank_mo_value crank_mo_negate(crank_mo_flattener *f, crank_mo_value a, crank_mo_place place);
/* if c then a else b, entry by entry */
crank_mo_value crank_mo_choose(crank_mo_flattener *f, crank_ex c, const crank_mo_value *a,
                               const crank_mo_value *b, crank_mo_place place);
/* The condition as a number 0 or 1 if it is known now. */
crank_ex crank_mo_condition(crank_mo_flattener *f, const crank_mo_scope *scope,
                            const crank_mo_expression *e, bool *known, bool *value);
crank_mo_value crank_mo_concatenate(crank_mo_flattener *f, int along, int count,
                                    const crank_mo_value *items, crank_mo_place place);

/* ---- call.c, call_array.c ---- */

crank_mo_value crank_mo_call(crank_mo_flattener *f, const crank_mo_scope *scope,
                             const crank_mo_expression *e);
/* size, sum, zeros, transpose, ...; false: not one of them. */
bool crank_mo_call_array(crank_mo_flattener *f, const char *name, int count,
                         const crank_mo_value *argument, crank_mo_place place,
                         crank_mo_value *out);

/* sum(e for i in ...) and the like: of the first dimensions, as many as iterators. */
crank_mo_value crank_mo_reduce(crank_mo_flattener *f, const char *name, crank_mo_value v,
                               int iterators, crank_mo_place place);

/* tearing.c: residue(x), linresidue(x), donottear(x); false: another function. */
bool crank_mo_tear(crank_mo_flattener *f, const crank_mo_scope *scope, const char *name,
                   const crank_mo_expression *e, crank_mo_value *out);

/* call_text.c: String(x, ...) */
crank_mo_value crank_mo_string(crank_mo_flattener *f, const crank_mo_scope *scope,
                               const crank_mo_expression *e);

/* d ex/dt by the derivatives of the variables in it. */
crank_ex crank_mo_derivative(crank_mo_flattener *f, crank_ex ex, crank_mo_place place);

/* ---- function.c, statement.c ---- */

/* By argument of the call: dimensions that its input has; -1: there is none. NULL: an error, or
 * c is no function with inputs. */
int *crank_mo_input_ranks(crank_mo_flattener *f, const crank_mo_expression *e,
                          const crank_mo_class *c);
/* vectorize.c: a call for each entry of arrays. */
crank_mo_value crank_mo_call_each(crank_mo_flattener *f, const crank_mo_scope *scope,
                                  const crank_mo_expression *e, const crank_mo_class *c);
/* What a variable is that has no value yet. */
crank_ex crank_mo_unset(crank_mo_flattener *f);
/* Is every entry set? */
bool crank_mo_is_set(crank_mo_flattener *f, const crank_mo_value *v);

/* All results of a call; *count. */
crank_mo_value *crank_mo_call_function(crank_mo_flattener *f, const crank_mo_scope *scope,
                                       const crank_mo_expression *e, const crank_mo_class *c,
                                       int *count);
/* Exits under conditions that are not known are left behind. */
crank_mo_flow crank_mo_run(crank_mo_flattener *f, crank_mo_scope *scope,
                           const crank_mo_list *list);

/* ---- exits.c ---- */

int crank_mo_count_locals(const crank_mo_scope *scope);
/* Values of all locals, and back. */
crank_mo_value *crank_mo_remember(crank_mo_flattener *f, const crank_mo_scope *scope);
void crank_mo_restore(const crank_mo_scope *scope, const crank_mo_value *list);
/* if c what is remembered, else what is there now */
void crank_mo_merge(crank_mo_flattener *f, const crank_mo_scope *scope, crank_ex c,
                    const crank_mo_value *then, crank_mo_place place);
/* Where c holds the algorithm has left with these values. */
void crank_mo_add_exit(crank_mo_flattener *f, const crank_mo_scope *scope, crank_mo_flow flow,
                       crank_ex c, const crank_mo_value *values, crank_mo_place place);
/* Exits from number `from` on were found in a branch with this condition. */
void crank_mo_exits_under(crank_mo_flattener *f, int from, crank_ex c);
/* The guard of what follows these exits. */
crank_ex crank_mo_guard_behind(const crank_mo_flattener *f, int from, crank_ex guard);
/* Is there one of this kind? */
bool crank_mo_has_exit(const crank_mo_flattener *f, int from, crank_mo_flow flow);
/* The loop or the function ends: exits of this kind join it. */
void crank_mo_arrive(crank_mo_flattener *f, const crank_mo_scope *scope, int from,
                     crank_mo_flow flow);

/* ---- declare.c, equation.c, algorithm.c, when.c, connect.c ---- */

void crank_mo_declare(crank_mo_flattener *f, crank_mo_instance *i);
void crank_mo_write_equations(crank_mo_flattener *f, crank_mo_instance *i);
void crank_mo_equation_list(crank_mo_flattener *f, const crank_mo_scope *scope,
                            const crank_mo_list *list, bool initial);
/* left = right, entry by entry */
void crank_mo_equate(crank_mo_flattener *f, const crank_mo_value *left,
                     const crank_mo_value *right, crank_mo_place place, bool initial);
void crank_mo_algorithm(crank_mo_flattener *f, const crank_mo_scope *scope,
                        const crank_mo_section *section);
void crank_mo_when(crank_mo_flattener *f, const crank_mo_scope *scope,
                   const crank_mo_equation *q);
/* Does a condition of `when`, or one of several {c, d}, begin to hold? -1: an error. */
crank_ex crank_mo_begins(crank_mo_flattener *f, const crank_mo_scope *scope,
                         const crank_mo_expression *c);
/* At events the variable gets the value. */
void crank_mo_set_at_events(crank_mo_flattener *f, int variable, crank_ex value,
                            crank_mo_place place);
/* reinit and terminate in a when-statement, where f->guard holds; false: it is another call. */
bool crank_mo_when_statement(crank_mo_flattener *f, const crank_mo_scope *scope,
                             const crank_mo_expression *call);
/* reinit(x, e), terminate("...") in a when-equation; false: it is another call. */
bool crank_mo_when_call(crank_mo_flattener *f, const crank_mo_scope *scope,
                        const crank_mo_expression *call);
void crank_mo_assert(crank_mo_flattener *f, const crank_mo_scope *scope,
                     const crank_mo_expression *call);
void crank_mo_connect(crank_mo_flattener *f, const crank_mo_scope *scope,
                      const crank_mo_equation *q);
void crank_mo_write_connections(crank_mo_flattener *f);
/* Does a connection name the leaf, or what it is in? */
bool crank_mo_is_connected(const crank_mo_flattener *f, const crank_mo_instance *leaf);

/* ---- inputs.c ---- */

/* Inputs of the model that nothing gives keep their start values. */
void crank_mo_hold_inputs(crank_mo_flattener *f);

/* ---- memory.c ---- */

/* A discrete variable of the flat record that the model does not name; -1: an error. */
int crank_mo_make_memory(crank_mo_flattener *f, const char *name, crank_flat_type type,
                         crank_mo_place place, const char *text);
/* The symbol of a relation, function > 0 or >= 0, that keeps its value between events; -1: here
 * it is none (noEvent, parameters, inside of `when`). */
crank_ex crank_mo_freeze(crank_mo_flattener *f, crank_ex function, bool or_equal,
                         crank_mo_place place);
/* Does a relation with this function have events here? */
bool crank_mo_makes_events(crank_mo_flattener *f, crank_ex function);
/* whole.c: floor(u) and ceil(u), held between events where there are some. */
crank_ex crank_mo_floor(crank_mo_flattener *f, crank_ex u, crank_mo_place place);
crank_ex crank_mo_ceil(crank_mo_flattener *f, crank_ex u, crank_mo_place place);
void crank_mo_write_relations(crank_mo_flattener *f);
/* start_discrete.c: initial equations of discrete variables, once all equations are written. */
void crank_mo_start_discrete(crank_mo_flattener *f);
/* pre(x); of a variable of the flat record: its symbol. */
crank_mo_value crank_mo_before_event(crank_mo_flattener *f, const crank_mo_value *v,
                                     crank_mo_place place);
crank_ex crank_mo_before(crank_mo_flattener *f, int variable);
/* x and not pre(x) */
crank_ex crank_mo_edge(crank_mo_flattener *f, int variable);
/* initial(), terminal(), sample(start, interval) */
crank_ex crank_mo_at_start(crank_mo_flattener *f, crank_mo_place place);
crank_ex crank_mo_at_end(crank_mo_flattener *f, crank_mo_place place);
crank_ex crank_mo_sample(crank_mo_flattener *f, const crank_mo_scope *scope,
                         const crank_mo_expression *e);

/* A symbol belongs to an entry of a leaf. */
bool crank_mo_own(crank_mo_flattener *f, crank_ex symbol, crank_mo_instance *i, int entry);
crank_mo_instance *crank_mo_owner_of(const crank_mo_flattener *f, crank_ex symbol, int *entry);
/* A variable that memory.c made, by its symbol; -1: another one. */
void crank_mo_keep_memory(crank_mo_flattener *f, int variable);
int crank_mo_memory_of(const crank_mo_flattener *f, crank_ex symbol);
/* The flat variable of a symbol; -1: none. */
int crank_mo_variable_of(const crank_mo_flattener *f, crank_ex symbol);

#endif
