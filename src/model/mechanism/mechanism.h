/* mechanism.h - what a `crank: mechanism` file says, as records: includes read, assemblies and
 * repeats expanded, numbers evaluated, expressions parsed, every value checked for its shape.
 * Mechanics makes an eom of them.
 *
 * Types of joints and forces belong to mechanics/ (one file each); it hands their tables of
 * keys to the reader, so that one table drives the reading, the reference in docs/ and the JSON
 * Schema. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MECHANISM_H
#define CRANK_SRC_MECHANISM_H

#include <crank/model.h>

#include "model/named_file.h"
#include "model/simulate.h"
#include "model/table.h"
#include "model/tree.h"
#include "symbolic/symbolic.h"

/* What the value of a key looks like. Vectors have three numbers, in planar models two (the
 * third is 0). */
typedef enum crank_shape {
    CRANK_SHAPE_NUMBER,    /* expression of parameters, or `30 deg`       number[0] */
    CRANK_SHAPE_WHOLE,     /* whole number                                number[0] */
    CRANK_SHAPE_FLAG,      /* true or false                               number[0] 0/1 */
    CRANK_SHAPE_WORD,      /* one of the words of the key                 word */
    CRANK_SHAPE_NUMBERS,   /* list of any length, or one number           number[count] */
    CRANK_SHAPE_VECTOR,    /* components, not moved with an assembly      number[3] */
    CRANK_SHAPE_POINT,     /* world point at the start (assembly's pose applied)  number[3] */
    CRANK_SHAPE_DIRECTION, /* world direction, not zero, made a unit vector       number[3] */
    /* two of them, number[6]; or {first: , second: } in body axes: ends, and number[6] is the
     * first in axes of the second body, the second in axes of the first */
    CRANK_SHAPE_DIRECTIONS,
    /* [w, x, y, z], or {axis: , angle: }; planar: an angle; made a unit quaternion
     * number[4] */
    CRANK_SHAPE_ORIENTATION,
    /* world point, or {first: [..], second: [..]} in body axes from the bodies' origins:
     * ends */
    CRANK_SHAPE_END,
    /* two world points [[..], [..]], or {first: , second: } as above:  ends */
    CRANK_SHAPE_ENDS,
    /* world direction, or {first: , second: } in body axes: ends, unit vectors */
    CRANK_SHAPE_AXIS,
    /* {at: point, normal: direction}              number[6]: point, unit normal */
    CRANK_SHAPE_PLANE,
    CRANK_SHAPE_ROTOR, /* inertia, or {inertia: , ratio: }: number[2], ratio 1 if not given */
    CRANK_SHAPE_EXPRESSION,  /* of t, parameters, inputs, named quantities  ex[0] */
    CRANK_SHAPE_EXPRESSIONS, /* list of expressions                         ex[count] */
    /* list of lists of expressions                ex[count], rows of equal length `width` */
    CRANK_SHAPE_CURVES,
    CRANK_SHAPE_BODY,   /* name of a body, or ground                   index[0] (-1: ground) */
    CRANK_SHAPE_BODIES, /* [first, second], not the same               index[2] */
    CRANK_SHAPE_JOINT,  /* name of a joint                             index[0] */
    CRANK_SHAPE_JOINTS, /* list of names of joints                     index[count] */
    /* FILE.csv (two columns, first one rising), [[x, y], ...] or a mapping, model/table.h */
    CRANK_SHAPE_TABLE,
    /* of keys that are not of joints and forces */
    CRANK_SHAPE_MOTION,  /* components in world axes, turned with an assembly   number[3] */
    CRANK_SHAPE_INERTIA, /* three numbers, 3x3, or {about: , axes: , tensor: } */
    CRANK_SHAPE_SOLID,   /* {box: [a, b, c]} and others */
    CRANK_SHAPE_PARTS,   /* true, false or a list of parts of the start values */
    CRANK_SHAPE_FILE,    /* name of a file */
    CRANK_SHAPE_FILES,   /* list of them */
    CRANK_SHAPE_TEXT,    /* any text */
    CRANK_SHAPE_COLOR,   /* "#rrggbb", or a name */
    CRANK_SHAPE_BAR,     /* two points [[..], [..]] in body axes */
    CRANK_SHAPE_SHAPES,  /* list of shapes of `view:` */
    CRANK_SHAPE_PANELS,  /* list of lists of names of columns */
    CRANK_SHAPE_CAMERA,  /* word, or {from: , to: } */
    CRANK_SHAPE_ACTIONS, /* action of an event, or list of them */
    CRANK_SHAPE_POINTS,  /* {name: vector in body axes} */
    CRANK_SHAPE_SECTION, /* named things, or a mapping with keys of its own */
} crank_shape;

typedef struct crank_key_spec {
    const char *name;
    crank_shape shape;
    bool required;
    /* of WORD: "world|body"; local names of an EXPRESSION: "length|rate"; how a TABLE goes if
     * the file does not say: "monotone|hold"; else NULL */
    const char *words;
    const char *help;
} crank_key_spec;

// clang-format off
/* last line of a table of keys */
#define CRANK_KEYS_END {NULL, CRANK_SHAPE_NUMBER, false, NULL, NULL}
/* lines: solids that bodies have and shapes that are drawn */
#define CRANK_KEYS_SOLIDS                                                                      \
    {"box", CRANK_SHAPE_NUMBERS, false, NULL,                                                  \
     "[a, b, c]: edges along x, y, z; planar also [a, b]"},                                    \
    {"cylinder", CRANK_SHAPE_NUMBERS, false, NULL, "[radius, height], axis z"},                \
    {"sphere", CRANK_SHAPE_NUMBER, false, NULL, "radius"},                                     \
    {"capsule", CRANK_SHAPE_NUMBERS, false, NULL,                                              \
     "[radius, height of the cylindrical part], axis z"}
// clang-format on

/* A type of joint or force. Mechanics embeds it as first member of its own types. */
typedef struct crank_record_type {
    const char *name;
    const char *help;
    const crank_key_spec *keys; /* ends with a name of NULL; `type` is not listed */
    int dimensions;             /* 2, 3, or 5 = both */
} crank_record_type;

typedef struct crank_ends {
    bool local; /* first and second are in body axes of their bodies, else in world axes */
    double first[3], second[3];
} crank_ends;

typedef struct crank_field {
    const crank_node *node; /* NULL: not given */
    int count, width;
    double *number;
    const char *word;
    crank_ends ends;
    crank_ex *ex;
    int *index;
    crank_table_data table;
} crank_field;

/* A joint or a force: one field for each key of its type, in the table's order. */
typedef struct crank_record {
    const char *name; /* "hinge", "left.hinge" in assembly left */
    const crank_record_type *type;
    const crank_node *key;
    crank_field *field;
    double
        axes[4]; /* of the file in the world: its assembly's orientation, a unit quaternion */
} crank_record;

/* The field if it was given, else NULL. The key must be one of the type's. */
const crank_field *crank_record_find(const crank_record *record, const char *key);

/* A point fixed in a body, by name: body.arm.tip.x. */
typedef struct crank_point_record {
    const char *name;
    double at[3]; /* body axes, from the origin */
} crank_point_record;

/* Bodies in user terms: origin, axes; centre of mass relative to them. */
typedef struct crank_body_record {
    const char *name;
    const crank_node *key, *node;
    bool point; /* no rotation */
    double mass;
    double center[3];           /* centre of mass, body axes, from the origin */
    const char *solid;          /* of `shape:`, "box"; NULL: none */
    double solid_size[3];       /* its lengths; the third of a box of two is 0 */
    double solid_turn[4];       /* its rotation in body axes, a unit quaternion */
    double inertia[9];          /* about the centre of mass, body axes; planar: [8] */
    double position[3];         /* of the origin */
    double orientation[4];      /* unit quaternion; planar: not used */
    double angle;               /* planar */
    double velocity[3];         /* of the origin, world axes */
    double angular_velocity[3]; /* world axes; planar: [2] */
    double turning[3];          /* of assemblies that start turning, part of angular_velocity */
    double turning_at[3];       /* `velocity` is of an origin there: elsewhere + turning x r */
    crank_fixing position_fixing, orientation_fixing, velocity_fixing, angular_velocity_fixing;
    /* not given, although the other one is */
    bool position_assumed, orientation_assumed;
    bool position_said, orientation_said; /* the file gives it, be it as a guess */
    int points;
    crank_point_record *fixed_point; /* points */
} crank_body_record;

/* dynamic, auxiliary, holonomic, nonholonomic and outputs: a name and its expression */
typedef struct crank_expression_record {
    const char *name;
    const crank_node *key, *node;
    crank_ex symbol; /* of dynamic and auxiliary variables, by which expressions call them */
    crank_ex ex;
    double start;
    crank_fixing fixing;
    const char *unit; /* NULL: not given */
} crank_expression_record;

/* a quantity that stands in an intermediate */
typedef struct crank_written {
    crank_ex symbol;
    const char *let;
    const crank_node *node;
} crank_written;

/* a coordinate of a joint, or its rate, that is given for the start */
typedef struct crank_initial_joint {
    int joint;
    const char *quantity; /* "angle", "angle_rate" */
    double value;
    bool guess; /* the search begins there, no more */
    const crank_node *key;
} crank_initial_joint;

/* a parameter that varies, since events set it or the caller asks for it */
typedef struct crank_switched {
    const char *name; /* with prefix */
    crank_ex symbol;
    double start;
    bool by_event;
    bool baked; /* numbers were made of it */
} crank_switched;

typedef struct crank_parameter_record {
    const char *name; /* with prefix */
    double value;
    crank_ex ex;
    int place; /* among those that vary; -1: none of them */
} crank_parameter_record;

typedef struct crank_mechanism {
    crank_store *store;
    crank_pool *pool;
    crank_ex t;
    const crank_model_options *options;
    int dimension; /* 2 or 3 */
    double gravity[3];
    bool energy; /* `energy: true`: dissipated and supplied work are integrated */
    bool reactions_in_joint_axes; /* `reactions: joint`, else in world axes */
    int body_count, joint_count, force_count;
    crank_body_record *body; /* ground is -1 */
    crank_record *joint, *force;
    int dynamic_count, auxiliary_count, holonomic_count, nonholonomic_count, output_count;
    crank_expression_record *dynamic, *auxiliary, *holonomic, *nonholonomic, *output;
    int initial_count, initial_joint_count;
    crank_expression_record *initial; /* zero at the start */
    crank_initial_joint *initial_joint;
    int switched_count;
    crank_switched *switched;
    int event_count;
    struct crank_event_record *event; /* events.h */
    crank_simulate simulate;
    crank_treatment treatment;
    const char *title;       /* NULL: not given */
    struct crank_view *view; /* view.h; NULL: not given */
    int parameter_count;
    crank_parameter_record *parameter;
    int unused_count;
    const char **unused; /* "parameter \"m\"" */
    int written_count, written_capacity;
    crank_written *written; /* full names of quantities in `let`, for messages */
    crank_files *files; /* read besides the model file: tables, includes, assemblies, meshes */
} crank_mechanism;

/* Named quantities in expressions become symbols of the pool under their full names:
 * "body.left.rod.x", "joint.knee.angle", "force.s.length"; the reader has checked that the
 * object exists, mechanics knows which quantities it has. Local names of an expression (key
 * spec's words) become symbols of that name. */

/* types: lists ending with NULL. The caller has set store, pool, files and options. path: of
 * the file, for includes and tables; NULL: they are looked for in the working directory. */
crank_status crank_mechanism_read(crank_mechanism *m, const crank_document *document,
                                  const char *path, const crank_record_type *const *joints,
                                  const crank_record_type *const *forces, crank_error *err);

/* The keys of mechanism files with these types, appended to a text: as a page of tables in
 * Markdown, and (with the keys of equations files) as a JSON Schema for editors. */
void crank_mechanism_reference(crank_text *out, const crank_record_type *const *joints,
                               const crank_record_type *const *forces);
void crank_mechanism_schema(crank_text *out, const crank_record_type *const *joints,
                            const crank_record_type *const *forces);

#endif
