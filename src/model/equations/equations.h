/* equations.h - what a `crank: equations` file says, as named expressions; and what follows
 * from it.
 *
 * The road: equations_read.c fills a crank_equations (with equations_names.c for names and
 * parameters, equations_matrix.c for mass and kinematics, equations_simulate.c for
 * `simulate:`); equations_derive.c finds the hidden constraints; equations_rows.c writes every
 * row of the eom; equations_eom.c differentiates the rows and evaluates them. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EQUATIONS_H
#define CRANK_SRC_EQUATIONS_H

#include <crank/model.h>

#include "eom/stage.h"
#include "model/tree.h"
#include "model/view/view.h"
#include "symbolic/symbolic.h"

/* What a name of the file stands for. The first are the groups of unknowns, in their order. */
typedef enum crank_name_kind {
    CRANK_NAME_VARIABLE = 0, /* + crank_group */
    CRANK_NAME_TIME = CRANK_GROUPS,
    CRANK_NAME_PARAMETER,
    CRANK_NAME_INPUT,
    CRANK_NAME_ACCELERATION,
    CRANK_NAME_LET,
    CRANK_NAME_OUTPUT,
    CRANK_NAME_KINDS
} crank_name_kind;

/* sets of kinds: where a name may be used */
enum {
    CRANK_USE_P = 1 << CRANK_P,
    CRANK_USE_V = 1 << CRANK_V,
    CRANK_USE_S = 1 << CRANK_S,
    CRANK_USE_TIME = 1 << CRANK_NAME_TIME,
    CRANK_USE_PARAMETERS = 1 << CRANK_NAME_PARAMETER,
    CRANK_USE_INPUTS = 1 << CRANK_NAME_INPUT,
    CRANK_USE_ACCELERATIONS = 1 << CRANK_NAME_ACCELERATION,
    CRANK_USE_OUTPUTS = 1 << CRANK_NAME_OUTPUT,
    CRANK_USE_GIVEN = CRANK_USE_TIME | CRANK_USE_PARAMETERS | CRANK_USE_INPUTS,
    CRANK_USE_POSITION_LEVEL = CRANK_USE_GIVEN | CRANK_USE_P | CRANK_USE_S,
    CRANK_USE_VELOCITY_LEVEL = CRANK_USE_POSITION_LEVEL | CRANK_USE_V,
    CRANK_USE_ALL = CRANK_USE_GIVEN | ((1 << CRANK_GROUPS) - 1),
    CRANK_USE_IN_OUTPUTS = CRANK_USE_ALL | CRANK_USE_ACCELERATIONS | CRANK_USE_OUTPUTS
};

typedef struct crank_name {
    bool declared, used;
    int kind;  /* crank_name_kind; of a variable its group */
    int index; /* in its group or list */
    const char *text;
} crank_name;

/* a parameter, an input, an intermediate (`let`) or an output: what takes the place of its
 * name */
typedef struct crank_definition {
    const char *name;
    const crank_node *key, *node; /* node: NULL if a setting replaced it */
    const char *setting;          /* the text of that setting */
    crank_name_kind kind;
    bool switched; /* it varies: value is its symbol */
    bool by_event; /* an event sets it */
    bool baked;    /* numbers were made of it */
    crank_ex symbol, value;
    int uses;  /* kinds of names that the value contains, as a set */
    int state; /* 0: not looked at, 1: being resolved, 2: value is final */
} crank_definition;

/* An unknown with the one equation that belongs to it: f (v), b (r), d (w), c (s), g (lambda),
 * h (mu). */
typedef struct crank_variable {
    const char *name;  /* as in results: "x", "lambda.length" */
    const char *label; /* the constraint's name for lambda and mu, else the name */
    const crank_node *key, *node;
    crank_ex symbol, equation;
    double start;
    crank_fixing fixing;
    bool hidden; /* no column of results */
} crank_variable;

/* an invariant, an extra initial condition or an output */
typedef struct crank_named {
    const char *name;
    const crank_node *key, *node;
    crank_ex ex;
    bool velocity_level; /* of an invariant */
    const char *unit;    /* of an output; NULL: not given */
} crank_named;

/* non-zero entries of a matrix, by rows */
typedef struct crank_entry {
    int row, column;
    crank_ex ex;
} crank_entry;
typedef struct crank_entries {
    int count;
    crank_entry *entry;
} crank_entries;

typedef struct crank_equations {
    crank_store *store;
    const crank_document *document;
    const crank_model_options *options;
    /* a `crank: dae` file: variables are of one kind (p), lambda and mu are names like others,
     * x' is a name */
    bool general;
    crank_pool *pool;
    crank_ex t;
    int name_count; /* entries of name, by symbol */
    crank_name *name;
    int definition_count;
    crank_definition *definition;
    int count[CRANK_GROUPS];
    crank_variable *variable[CRANK_GROUPS];
    crank_ex *acceleration; /* symbols, one per velocity; of a dae file one per variable */
    int table_count;        /* `tables:` */
    crank_table_data *table;
    bool *table_used; /* by an expression */
    crank_entries kinematics, mass;
    int invariant_count, initial_count, output_count;
    crank_named *invariant, *initial, *output;
    int switched_count; /* parameters that vary: symbols and start values (numbers) */
    crank_ex *switched, *switched_start;
    int event_count;
    struct crank_event_record *event; /* events.h */
    crank_simulate simulate;
    crank_accelerations accelerations; /* the caller's, else the file's */
    const char *path;                  /* of the file, NULL: none */
    const char *title;                 /* NULL: not given */
    crank_files *files;                /* that are read besides: meshes */
    crank_view *view;                  /* NULL: not given */
} crank_equations;

extern const char *const crank_group_word[CRANK_GROUPS]; /* "velocity", "holonomic" */

/* ---- equations_names.c ---- */

/* Makes room for all names that the file can declare, and declares t. */
crank_status crank_names_create(crank_equations *e, int capacity, crank_error *err);
/* Declares a name at its key (the text differs from the key's for lambda.NAME). */
crank_status crank_names_declare(crank_equations *e, const char *text, int kind, int index,
                                 const crank_node *key, crank_ex *symbol, crank_error *err);
/* The name, or NULL. */
crank_name *crank_names_find(const crank_equations *e, const char *text);
/* The declared name nearest to text among the allowed kinds, or NULL. */
const char *crank_names_suggest(const crank_equations *e, const char *text, int allowed);
/* "parameter", "input", "let" or "output". */
const char *crank_definition_word(crank_name_kind kind);
/* Values of parameters, inputs and intermediates, or then of outputs, in order of
 * dependence. */
crank_status crank_definitions_resolve(crank_equations *e, bool outputs, crank_error *err);
/* A number is made of an expression, or what is decided by it at set-up: parameters in it that
 * vary cannot change that any more. */
void crank_definitions_bake(crank_equations *e, crank_ex ex);
/* A scalar as an expression of allowed names. object begins messages. */
crank_status crank_read_expression(crank_equations *e, const crank_node *node, int allowed,
                                   const char *object, crank_ex *out, crank_error *err);
/* The same of a part of a scalar: text is the scalar's with the rest blanked out. */
crank_status crank_read_part(crank_equations *e, const crank_node *node, const char *text,
                             int allowed, const char *object, crank_ex *out, crank_error *err);
/* A scalar, or the text of a setting (node NULL), as a finite number: an expression of
 * parameters, those that vary with their start values, of which numbers have been made then. */
crank_status crank_read_number(crank_equations *e, const crank_node *node, const char *setting,
                               const char *object, double *out, crank_error *err);
/* The same of a number that holds for the whole run: parameters that events set are refused. */
crank_status crank_read_constant(crank_equations *e, const crank_node *node, const char *object,
                                 double *out, crank_error *err);

/* ---- equations_derivatives.c ---- */

/* In texts of dae files "der(x)" becomes "    x'", in place. */
crank_status crank_read_derivatives(const crank_node *node, const char *object, char *text,
                                    crank_error *err);

/* ---- equations_sections.c ---- */

enum { CRANK_OBJECT_TEXT = 128 }; /* room for "position \"x\"" */

/* The mapping of a section; NULL: absent or empty. */
crank_status crank_read_section(const crank_equations *e, const char *name,
                                const crank_node **out, crank_error *err);
/* `parameters`, `inputs` and `let`; then, when variables are declared, `outputs`. Their values
 * come with crank_definitions_resolve; outputs are the last definitions. */
crank_status crank_declare_given(crank_equations *e, crank_error *err);
crank_status crank_declare_outputs(crank_equations *e, crank_error *err);
/* Expressions by name that nobody refers to. */
crank_status crank_list_named(crank_equations *e, const char *section, crank_named **list,
                              int *count, crank_error *err);
crank_status crank_read_named(crank_equations *e, const char *word, crank_named *list,
                              int count, int allowed, crank_error *err);
/* Settings of parameters and inputs (before they get their values), and of start values (after
 * those of the file). */
crank_status crank_set_definitions(crank_equations *e, crank_error *err);
crank_status crank_set_starts(crank_equations *e, crank_error *err);
/* 'position "x"' into object (CRANK_OBJECT_TEXT); returns it. */
const char *crank_variable_object(const crank_equations *e, const crank_variable *x,
                                  crank_group group, char *object);
/* The start value, alone or in a mapping with what it is: fixed, preferred, free. */
crank_status crank_read_start(crank_equations *e, crank_group group, crank_variable *x,
                              crank_error *err);

/* ---- equations_tables.c ---- */

/* `tables:`, once names are declared; expressions may call them then. */
crank_status crank_equations_read_tables(crank_equations *e, crank_error *err);

/* ---- equations_matrix.c ---- */

crank_status crank_read_mass(crank_equations *e, const crank_node *node, crank_error *err);
crank_status crank_read_kinematics(crank_equations *e, const crank_node *node,
                                   crank_error *err);
/* Where the name of a variable of this group stands in a list; -1 after filling err. */
int crank_read_variable(crank_equations *e, const crank_node *node, crank_group group,
                        const char *object, crank_error *err);

/* ---- equations_simulate.c ---- */

crank_status crank_read_simulate(crank_equations *e, const crank_node *node, crank_error *err);

/* ---- equations_view.c ---- */

/* `title` and `view:`; expressions of the view are added to the outputs. */
crank_status crank_equations_read_view(crank_equations *e, crank_error *err);
/* What the view draws, once the model has its columns. */
crank_status crank_equations_scene(crank_model *model, const crank_equations *e,
                                   crank_error *err);

/* ---- equations_events.c ---- */

/* An expression with the start values of parameters that events set. */
crank_ex crank_equations_at_start(const crank_equations *e, crank_ex ex);
/* Marks parameters that vary, since events set them or the caller asks for it, before
 * definitions get their values. */
crank_status crank_equations_find_switched(crank_equations *e, crank_error *err);
/* `events:`, once names have their values. */
crank_status crank_equations_read_events(crank_equations *e, crank_error *err);

/* ---- equations_model.c ---- */

/* `unit` of a variable, "" if it is not given; what its column is called. */
crank_status crank_equations_unit(const crank_variable *x, const char **unit, crank_error *err);
const char *crank_equations_column_text(crank_store *store, crank_group group,
                                        const crank_variable *x);
/* Columns of a result: names, units, descriptions; first those that are unknowns, then
 * outputs. */
crank_status crank_equations_columns(crank_model *model, const crank_equations *e,
                                     crank_error *err);
/* All parameters. */
crank_status crank_equations_parameters(crank_model *model, const crank_equations *e,
                                        crank_error *err);
/* Parameters and inputs that nothing uses. */
crank_status crank_equations_unused(crank_model *model, const crank_equations *e,
                                    crank_error *err);

/* ---- equations_read.c ---- */

/* Fills the record from the document's root, a mapping. The caller has set store, document,
 * options and pool. */
crank_status crank_equations_read(crank_equations *e, crank_error *err);

/* ---- equations_derive.c ---- */

/* What follows from the equations by differentiation. Arrays live in the store. */
typedef struct crank_hidden {
    crank_ex *pdot;  /* n_p: Z v */
    crank_ex *sdot;  /* n_s: rates of the contact variables */
    crank_ex *vdot;  /* n_v: accelerations, as expressions or, if carried, as unknowns */
    crank_ex *force; /* n_v: f - Z^T G^T lambda - Z^T H^T mu */
    crank_ex *gI, *gII, *hI;
    bool carry; /* accelerations are unknowns of group w */
} crank_hidden;

crank_status crank_equations_derive(crank_equations *e, crank_hidden *hidden, crank_error *err);
/* Values of expressions of unknowns and t at the start (shift 0) or at a point near it, which
 * differs for every shift > 0. */
crank_status crank_equations_sample(crank_equations *e, int count, const crank_ex *ex,
                                    int shift, double *values, crank_error *err);

/* ---- equations_rows.c ---- */

/* What an eom is made of. Arrays live in the store. */
typedef struct crank_rows {
    crank_eom *eom;   /* sizes, offsets and names */
    crank_ex *column; /* n symbols in the order of x */
    crank_ex *row;    /* m expressions in the order of k */
    crank_ex *vdot;   /* n_v symbols that stand for v' in the Jacobian of the dynamic rows */
    crank_ex *acceleration; /* n_v expressions; NULL: carried */
    crank_entries mass;     /* what multiplies v'; of carried accelerations the unit matrix */
    crank_ex *condition;    /* extra initial conditions */
    crank_ex *output;
    int when_count,
        action_count; /* functions of events; values, rates and derivatives of actions */
    crank_ex *when, *action;
    int derivative_count; /* of rates of actions by velocities: which they are */
    const int *derivative_row, *derivative_column;
    double *start;        /* n */
    crank_fixing *fixing; /* n */
} crank_rows;

/* On failure rows->eom may be set; the caller destroys it in any case. */
crank_status crank_equations_rows(crank_equations *e, const crank_hidden *hidden,
                                  crank_rows *rows, crank_error *err);

/* ---- equations_places.c ---- */

/* Where the file says each row (m + sizes.initial) and declares each unknown (n). */
void crank_equations_places(const crank_equations *e, const crank_eom *eom, crank_place *row,
                            crank_place *column);
crank_place crank_equations_mass_place(const crank_equations *e);

/* ---- equations_jacobian.c ---- */

/* Derivatives of the rows by the unknowns on their pattern, and M on its own. */
typedef struct crank_derivatives {
    crank_pattern jacobian, mass;
    crank_ex *jacobian_ex, *mass_ex; /* by columns, as the patterns say */
    crank_mass_kind mass_kind;
    bool mass_is_identity, autonomous;
    int time_count;    /* m, or 0: autonomous */
    crank_ex *time_ex; /* dk/dt */
    /* what a stage of an explicit method needs, in the order of its program, and whether the
     * rows are linear in the algebraic unknowns */
    int stage_count;
    crank_ex *stage_ex;
    bool stage_linear;
    crank_stage_entries stage_entries; /* in the store, as the next */
    bool *stage_constant;              /* entries that are numbers */
} crank_derivatives;

crank_status crank_equations_differentiate(crank_equations *e, const crank_rows *rows,
                                           crank_derivatives *out, crank_error *err);

/* ---- equations_stage.c ---- */

/* Adds the stage's expressions to the derivatives. */
crank_status crank_equations_stage(crank_equations *e, const crank_rows *rows,
                                   crank_derivatives *out, crank_error *err);

/* ---- equations_eom.c ---- */

/* Patterns, flags and the supplier of rows->eom, whose self is the returned object: destroying
 * the eom destroys it. */
typedef struct crank_equations_supplier crank_equations_supplier;
crank_status crank_equations_supply(crank_equations *e, const crank_rows *rows,
                                    crank_equations_supplier **out, crank_error *err);
/* The supplier of eom (crank_eom_share), with the same programs, parameters at their start. The
 * eom destroys it. */
crank_status crank_equations_share(const crank_equations_supplier *from, crank_eom *eom,
                                   crank_error *err);
/* Values of the outputs at (t, x). */
crank_status crank_equations_outputs(crank_equations_supplier *self, double t, const double *x,
                                     double *values, crank_error *err);
/* Invariants keep from now on their values at (t, x). */
crank_status crank_equations_hold(crank_equations_supplier *self, double t, const double *x,
                                  crank_error *err);

/* ---- equations_events.c ---- */

/* The model's events, and the expressions that rows must have for them, before the supplier is
 * made; what it has for them, afterwards. */
crank_status crank_equations_make_events(crank_model *model, crank_equations *e,
                                         const crank_hidden *hidden, crank_rows *rows,
                                         crank_error *err);
void crank_equations_connect_events(crank_model *model, crank_equations_supplier *supplier);
/* A run begins: parameters have their start values. */
void crank_equations_rewind(crank_equations_supplier *self);

#endif
