/* mechanism_read.h - the reading of a mechanism file, inside: files, scopes, names, values.
 *
 * A file that is read is a source. The model itself and every use of a file as an assembly is
 * an instance: it has a prefix for its names, a pose, and definitions (parameters and inputs)
 * of its own. Included files belong to the instance that includes them. A scope is an instance
 * seen from one source, with the index of a repeat if inside one. Sections of all sources are
 * collected as items with their scope (mechanism_collect.c); when all names are known, items
 * are read (mechanism_read.c). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MECHANISM_READ_H
#define CRANK_SRC_MECHANISM_READ_H

#include "base/index.h"
#include "model/mechanism/mechanism.h"

#include <stdint.h>
#include <sys/types.h>

/* ---- files, instances, scopes ---- */

typedef struct crank_source {
    struct crank_source *next;
    const char *path; /* as it is opened; NULL: the model came as text */
    const char *file; /* the same for messages; NULL: the model's own file */
    dev_t device;
    ino_t inode;
    crank_document document;
} crank_source;

/* a file of an instance: its own, or one that it includes */
typedef struct crank_included {
    struct crank_included *next;
    const struct crank_scope *scope;
    bool open; /* its includes are being read */
} crank_included;

typedef struct crank_instance {
    const struct crank_instance *outer; /* NULL: the model itself */
    const crank_source *source;
    const char *prefix;             /* of names: "" or "left." */
    double x[3], q[4], R[9], angle; /* pose: world = x + R inside, R row-major; angle: planar */
    /* with which its bodies start: of its origin; moves, turns: given, here or around it */
    double velocity[3], spin[3];
    bool moves, turns;
    int depth;
    crank_included *first, *last; /* its files */
} crank_instance;

typedef struct crank_scope {
    const crank_instance *instance;
    const crank_source *source;
    const struct crank_scope *outer; /* the scope around a repeat, same instance; NULL: none */
    const char *index;               /* of the repeat */
    double value;
    int depth;
} crank_scope;

typedef enum crank_given_kind {
    CRANK_GIVEN_PARAMETER,
    CRANK_GIVEN_INPUT,
    CRANK_GIVEN_LET,
    CRANK_GIVEN_OUTPUT
} crank_given_kind;

/* What takes the place of its name: a parameter, an input, an intermediate or an output. The
 * last two are items of sections, too. */
typedef struct crank_given {
    crank_given_kind kind;
    const char *name;             /* with prefix */
    const crank_node *key, *node; /* node: NULL if a setting replaced it */
    const crank_scope *scope;     /* where its expression is at home */
    const char *setting;
    bool used;
    bool switched; /* it varies: value is a symbol */
    bool by_event; /* an event sets it */
    int state;     /* 0: not looked at, 1: being evaluated, 2: value is final */
    crank_ex value;
} crank_given;

/* a named part of a section */
typedef struct crank_item {
    const char *name; /* with prefix */
    const crank_node *key, *node;
    const crank_scope *scope;
    crank_table_data *table; /* of `tables:`, once it is read */
    bool reading;            /* it is being read */
    bool called;             /* by an expression */
    int given;               /* of an intermediate or an output: its definition */
} crank_item;

typedef struct crank_items {
    int count, capacity;
    crank_item *item;
    crank_index names;
} crank_items;

// clang-format off
/* sections of named things: key, word for one of them */
#define CRANK_SECTION_LIST(X) \
    X(BODIES, "bodies", "body") X(JOINTS, "joints", "joint") X(FORCES, "forces", "force") \
    X(HOLONOMIC, "holonomic", "holonomic") X(NONHOLONOMIC, "nonholonomic", "nonholonomic") \
    X(DYNAMIC, "dynamic", "dynamic") X(AUXILIARY, "auxiliary", "auxiliary") \
    X(LET, "let", "let") X(OUTPUTS, "outputs", "output") X(EVENTS, "events", "event") \
    X(INITIAL, "initial", "initial") X(TABLES, "tables", "table")
typedef enum crank_section {
#define CRANK_SECTION_ENUM(name, key, word) CRANK_SECTION_##name,
    CRANK_SECTION_LIST(CRANK_SECTION_ENUM)
#undef CRANK_SECTION_ENUM
    CRANK_SECTIONS
} crank_section;
/* keys that the whole model has once, besides the dimension */
typedef enum crank_single { CRANK_SINGLE_GRAVITY, CRANK_SINGLE_ENERGY,
    CRANK_SINGLE_REACTIONS, CRANK_SINGLE_SIMULATE, CRANK_SINGLE_TITLE, CRANK_SINGLE_VIEW,
     CRANK_SINGLES } crank_single;
// clang-format on
extern const char *const crank_section_word[CRANK_SECTIONS];

typedef struct crank_reading {
    crank_mechanism *m;
    crank_store *store;
    crank_pool *pool;
    const crank_record_type *const *joint_types, *const *force_types;
    crank_source *sources;
    const crank_scope *root; /* of the model's own file */
    crank_items items[CRANK_SECTIONS];
    crank_item single[CRANK_SINGLES]; /* node NULL: not given */
    int given_count, given_capacity, switched_capacity;
    crank_given *given;
    crank_index given_names;
    crank_index settings;
    crank_index assemblies;
    int repetitions;    /* of all repeats so far */
    int marked;         /* mappings that were searched for events */
    bool *setting_used; /* by index of options->settings */
    int *stack;         /* of definitions being evaluated */
    int stack_capacity, stack_depth;
    bool table_failed;           /* one that the expression being read calls */
    const crank_given *defining; /* the intermediate whose expression is read; NULL: none */
    const crank_scope *parsing;  /* from where an expression is looked at while it is read */
    crank_error *err;
} crank_reading;

/* What a message is about: 'joint "knee", axis: ...'; key NULL: of the object as a whole. */
typedef struct crank_site {
    crank_reading *r;
    const crank_scope *scope;
    const char *object;
    const char *key;
} crank_site;

/* ---- mechanism_messages.c ---- */

crank_status crank_reading_no_memory(crank_reading *r);
/* EMODEL at a node (NULL: no place). */
crank_status crank_site_fail(const crank_site *site, const crank_node *node, const char *format,
                             ...) CRANK_PRINTF(3, 4);
/* "line 3", with its file if the second place is in another one; returns text. */
const char *crank_reading_line(char *text, size_t size, const crank_node *first,
                               const crank_node *second);
/* "; did you mean \"rod\"?" or an empty text */
const char *crank_reading_near(char *text, size_t size, const char *near);

/* The same, or else "; known are a, b"; returns text. */
const char *crank_reading_hint(char *text, size_t size, const char *word,
                               const char *const *names, int count);

/* ---- mechanism_scope.c: names as seen from a place ---- */

enum { CRANK_SCOPE_NAME = 512 }; /* longest name, or sentence about one */

/* what an expression may use besides parameters and the index of a repeat */
typedef enum crank_use {
    CRANK_USE_CONSTANTS, /* nothing: its value is a number */
    CRANK_USE_INPUT,     /* t and inputs */
    CRANK_USE_ANYTHING,  /* named quantities and variables, too */
    CRANK_USE_RESULTS    /* and outputs */
} crank_use;

/* The number of a thing of a section by a name as seen from the scope (inner names first, then
 * outward), -1: none. */
int crank_scope_find(const crank_reading *r, const crank_scope *scope, crank_section section,
                     const char *name);
/* A hint after a name that nothing in the section has: the nearest one as seen from the scope,
 * or all if they are few; returns text, which may be empty. */
const char *crank_scope_hint(const crank_reading *r, const crank_scope *scope,
                             crank_section section, const char *also, const char *name,
                             char *text, size_t size);
/* The nearest of all names that an expression may use, as a hint; empty if there is none. */
void crank_scope_suggest(const crank_reading *r, const crank_scope *scope, crank_use use,
                         const char *locals, const char *name, char *text, size_t size);
/* The symbol of a variable, a multiplier or a quantity of an object; -1: there is none; -2: it
 * would be a quantity of an object, and `wrong` (CRANK_SCOPE_NAME) says what is not there. */
crank_ex crank_scope_find_symbol(const crank_site *site, const char *text, char *wrong);
/* The definition of an intermediate or of an output; -1: none. */
int crank_scope_find_derived(const crank_site *site, const char *text);
/* Does an expression contain what may not be used? Parameters that events set may; 1: yes, -1:
 * out of memory. */
int crank_scope_exceeds(const crank_reading *r, crank_ex ex, crank_use use);
bool crank_name_is_plain(const char *text);    /* a letter, then letters, digits and _ */
bool crank_name_is_reserved(const char *text); /* not for variables, parameters, ... */

/* ---- mechanism_given.c: parameters, inputs, intermediates, outputs ---- */

/* "parameter", "input", "let" or "output". */
const char *crank_given_word(crank_given_kind kind);
/* Makes definitions of a mapping; overrides: another scope's values for them, or NULL. */
crank_status crank_given_declare(crank_reading *r, const crank_scope *scope,
                                 const crank_node *mapping, crank_given_kind kind,
                                 const crank_node *overrides, const crank_scope *outer);
/* The definition of an item of `let` or `outputs`; node: its expression. */
crank_status crank_given_add_item(crank_reading *r, crank_item *item, crank_given_kind kind);
/* Where a parameter or input of the scope's instance is in r->given, or -1. */
int crank_given_find(const crank_reading *r, const crank_scope *scope, const char *name);
/* The same of the innermost instance around the scope that has one. */
int crank_given_see(const crank_reading *r, const crank_scope *scope, const char *name);
/* Evaluates one, and before it what it depends on. */
crank_status crank_given_evaluate(crank_reading *r, int i);

/* ---- mechanism_events.c ---- */

/* Marks definitions that events of a file, or of a repeat, set; before any is evaluated. */
void crank_switched_mark(crank_reading *r, const crank_scope *scope, const crank_node *mapping);
/* All numbers that are made of ex: parameters in it cannot change them any more. */
void crank_switched_bake(crank_reading *r, crank_ex ex);
/* A definition that varies becomes a symbol. */
crank_status crank_switched_add(crank_reading *r, crank_given *given, double start);
/* The number that an expression is with the start values of parameters that events set; false:
 * none. */
bool crank_switched_start(const crank_reading *r, crank_ex ex, double *out);
/* The number that an expression is where the file wants one; parameters that events set are
 * refused but in start values. */
crank_status crank_scope_constant(const crank_site *site, const crank_node *node, crank_ex ex,
                                  double *out);
crank_status crank_read_events(crank_reading *r);

/* ---- mechanism_initial.c ---- */

/* `joints` of `initial` may stand in several files, and is no expression. */
bool crank_initial_is_joints(crank_section section, const crank_node *key);
crank_status crank_read_initial(crank_reading *r);

/* ---- mechanism_files.c ---- */

/* The source of a file that a scope's file names, read at most once. */
crank_status crank_source_open(const crank_site *site, const crank_node *node,
                               const crank_source **out);
/* The whole of a file that a scope's file names, in the store; *path: as opened. */
crank_status crank_file_read(const crank_site *site, const crank_node *node, const char **path,
                             char **text, size_t *length);

/* ---- mechanism_collect.c ---- */

/* Adds everything that the instance's file says, with its includes, assemblies and repeats.
 * overrides: values for its parameters from the scope outer, or NULL. */
crank_status crank_collect(crank_reading *r, crank_instance *instance,
                           const crank_node *overrides, const crank_scope *outer);

/* ---- mechanism_repeat.c ---- */

crank_status crank_collect_assemblies(crank_reading *r, const crank_scope *scope,
                                      const crank_node *node);
crank_status crank_collect_repeats(crank_reading *r, const crank_scope *scope,
                                   const crank_node *node);
/* Sections of a file or of a repeat: things, assemblies, repeats. */
crank_status crank_collect_sections(crank_reading *r, const crank_scope *scope,
                                    const crank_node *mapping);

/* ---- mechanism_fields.c: mappings by their table of keys, texts as numbers and
 * expressions ---- */

/* Checks the keys of a mapping against the table and reads every field. skip: a key that is not
 * in the table and not read here ("type"), or NULL. field: as many as keys. */
crank_status crank_fields_read(const crank_site *site, const crank_node *key,
                               const crank_node *mapping, const crank_key_spec *keys,
                               const char *skip, crank_field *field);
crank_status crank_fields_check(const crank_site *site, const crank_node *mapping,
                                const crank_key_spec *keys, const char *skip);
int crank_keys_count(const crank_key_spec *keys);
/* The text of a scalar with {expressions} replaced by whole numbers. */
crank_status crank_scope_text(const crank_site *site, const crank_node *node, const char **out);
/* A scalar as a finite number; "30 deg" in radians. */
crank_status crank_scope_number(const crank_site *site, const crank_node *node, double *out);
/* A scalar as an expression. locals: "length|rate", names that become symbols; NULL: none. */
crank_status crank_scope_expression(const crank_site *site, const crank_node *node,
                                    const char *locals, crank_ex *out);
/* The same where outputs may be used: in the view and in events. */
crank_status crank_scope_result(const crank_site *site, const crank_node *node, crank_ex *out);
/* The text of a setting as a number. */
crank_status crank_scope_setting(const crank_site *site, const char *text, double *out);
/* One attempt at an expression: *missing is a definition that must be evaluated first, or
 * -1. */
crank_status crank_scope_try(const crank_site *site, const crank_node *node, const char *text,
                             crank_use use, const char *locals, crank_ex *out, int *missing);

/* ---- mechanism_values.c: words, flags, lists, names of bodies and joints ---- */

crank_status crank_check_list(const crank_site *site, const crank_node *node, int count,
                              const char *wanted); /* count 0: any */
/* words: "world|body", NULL: none. */
bool crank_words_contain(const char *words, const char *text);
crank_status crank_read_word(const crank_site *site, const crank_node *node, const char *words,
                             const char **out);
crank_status crank_read_flag(const crank_site *site, const crank_node *node, bool *out);
crank_status crank_read_whole(const crank_site *site, const crank_node *node, double *out);
crank_status crank_read_numbers(const crank_site *site, const crank_node *node, int count,
                                double *out);
/* Values of a key. Room for so many numbers; NULL: out of memory. */
double *crank_field_numbers(const crank_site *site, int count, crank_field *field);
crank_status crank_read_rotor(const crank_site *site, const crank_node *node,
                              crank_field *field);
crank_status crank_read_number_list(const crank_site *site, const crank_node *node,
                                    crank_field *field);
crank_status crank_read_expressions(const crank_site *site, const crank_node *node,
                                    const crank_key_spec *key, crank_field *field);
crank_status crank_read_curves(const crank_site *site, const crank_node *node,
                               const crank_key_spec *key, crank_field *field);
crank_status crank_read_references(const crank_site *site, const crank_node *node,
                                   const crank_key_spec *key, crank_field *field);

/* ---- mechanism_geometry.c: vectors, points, directions, rotations ---- */

crank_status crank_read_vector(const crank_site *site, const crank_node *node, double out[3]);
/* of length 1, not turned with an assembly */
crank_status crank_read_direction(const crank_site *site, const crank_node *node,
                                  double out[3]);
crank_status crank_read_orientation(const crank_site *site, const crank_node *node,
                                    double out[4]);
/* Values of a key, by its shape. */
crank_status crank_read_ends(const crank_site *site, const crank_node *node, crank_shape shape,
                             crank_ends *out);
crank_status crank_read_geometry(const crank_site *site, const crank_node *node,
                                 crank_shape shape, crank_field *field);
/* What is fixed in the world moves with an assembly, also if it is given in "body axes" of the
 * ground: once all fields are read. */
void crank_move_ground(const crank_instance *instance, const crank_key_spec *keys, int count,
                       crank_field *field);

/* ---- mechanism_settings.c ---- */

crank_status crank_settings_list(crank_reading *r);
/* Start values; the rest was taken by parameters and inputs. */
crank_status crank_settings_apply(crank_reading *r);

/* ---- mechanism_table.c ---- */

/* usual: "monotone|hold", how it goes between and beyond its points if the file does not
 * say. */
crank_status crank_read_table(const crank_site *site, const crank_node *node, const char *usual,
                              crank_table_data *out);

/* mechanism_degrees.c: crank_ex_degrees_fn. */
crank_status crank_read_degrees(const crank_pool *pool, crank_ex x, int line, int column,
                                crank_error *err);

/* Expressions may call tables from now on; then all of them, also those that none calls. */
void crank_tables_begin(crank_reading *r);
crank_status crank_read_tables(crank_reading *r);

/* ---- mechanism_body.c, mechanism_inertia.c ---- */

crank_status crank_read_bodies(crank_reading *r);
/* Mass, centre and inertia of a body from the fields of its keys. */
crank_status crank_read_inertia(const crank_site *site, const crank_body_record *b,
                                const crank_node *node, double inertia[9]);
/* Mass for a density of 1 and inertia about the centre for a mass of 1; the solid itself into
 * b. */
crank_status crank_read_solid(const crank_site *site, const crank_node *node,
                              crank_body_record *b, double *volume, double unit_inertia[9]);
crank_status crank_check_inertia(const crank_site *site, const crank_node *node,
                                 double inertia[9]);

/* ---- mechanism_view.c ---- */

crank_status crank_read_title(crank_reading *r);
crank_status crank_read_view(crank_reading *r);

/* ---- mechanism_pose.c; the arrays inside and world may be the same ---- */

void crank_pose_set(crank_instance *instance, const double x[3], const double q[4]);
void crank_pose_point(const crank_instance *instance, const double inside[3], double world[3]);
void crank_pose_direction(const crank_instance *instance, const double inside[3],
                          double world[3]);
/* The velocity with which a point of the world moves as a part of it. */
void crank_pose_velocity(const crank_instance *instance, const double world[3],
                         double velocity[3]);

/* ---- mechanism_keys.c: tables of keys ---- */

extern const crank_key_spec crank_keys_top[], crank_keys_body[], crank_keys_planar_body[],
    crank_keys_assembly[], crank_keys_repeat[], crank_keys_event[], crank_keys_action[],
    crank_keys_dynamic[], crank_keys_auxiliary[], crank_keys_output[], crank_keys_inertia[],
    crank_keys_solid[], crank_keys_ends[], crank_keys_turn[], crank_keys_plane[],
    crank_keys_rotor[], crank_keys_table[];

#endif
