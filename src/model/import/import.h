/* import.h - what importers share: where they write, what they could not use, names, and the
 * making of trees (model/tree.h). docs/develop/importer.md. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_IMPORT_H
#define CRANK_SRC_IMPORT_H

#include "base/index.h"
#include "base/store.h"
#include "model/import/xml.h"
#include "model/named_file.h"
#include "model/tree.h"
#include "symbolic/symbolic.h"

/* Something that was read and has no counterpart, or was changed. */
typedef struct crank_finding {
    const char *file; /* NULL: the model's own */
    int line;
    const char *text;
    bool note; /* nothing is lost: it is called or written otherwise here */
} crank_finding;

typedef struct crank_import {
    crank_store *store; /* of all that is made */
    crank_files *files; /* read besides the file itself */
    const char *path;   /* of the file; NULL: from no file */
    const char *named;  /* the same, if another file includes it; else NULL */
    const char *loops;  /* a file that closes loops; NULL: none */
    int finding_count, finding_capacity;
    crank_finding *finding;
    crank_error *err;
} crank_import;

/* ---- the importers: a file into the tree of a mechanism file ---- */

/* XML of one of the kinds below, by its outermost element. */
crank_status crank_import_xml(crank_import *im, const char *text, size_t length,
                              const crank_node **root);
crank_status crank_import_urdf(crank_import *im, crank_xml *robot, const crank_node **root);
crank_status crank_import_mjcf(crank_import *im, crank_xml *mujoco, const crank_node **root);
/* The tree as the text of a mechanism file, appended. */
void crank_tree_write(const crank_node *root, crank_text *out);

/* ---- findings ---- */

/* Kept with the element's place. */
void crank_import_find(crank_import *im, const crank_xml *e, const char *format, ...)
    CRANK_PRINTF(3, 4);
void crank_import_note(crank_import *im, const crank_xml *e, const char *format, ...)
    CRANK_PRINTF(3, 4);
/* All elements and attributes that nobody asked for; why: pairs of an element's name and a
 * reason, ending with NULL. */
void crank_import_find_unused(crank_import *im, const crank_xml *root, const char *const *why);
/* Findings as warnings, those of one text in one. */
void crank_import_tell(const crank_import *im, const char *path, const crank_log *log);

/* ---- trees; memory that runs out is remembered by the store ---- */

crank_node *crank_make_map(crank_import *im, const crank_xml *at);
crank_node *crank_make_list(crank_import *im, const crank_xml *at);
/* Does nothing if the value is NULL; returns it. */
crank_node *crank_make_put(crank_import *im, crank_node *map, const char *key,
                           crank_node *value);
void crank_make_add(crank_import *im, crank_node *list, crank_node *item);
/* A mapping below a key, made if it is not there. */
crank_node *crank_make_section(crank_import *im, crank_node *map, const char *key);
crank_node *crank_make_text(crank_import *im, const crank_xml *at, const char *format, ...)
    CRANK_PRINTF(3, 4);
crank_node *crank_make_quoted(crank_import *im, const crank_xml *at, const char *text);
crank_node *crank_make_number(crank_import *im, const crank_xml *at, double value);
crank_node *crank_make_numbers(crank_import *im, const crank_xml *at, int count,
                               const double *value);
/* A rotation: {axis: , angle: } if it is about an axis of coordinates, else a quaternion. */
crank_node *crank_make_turn(crank_import *im, const crank_xml *at, const double q[4]);

/* ---- names ---- */

/* A name that mechanism files can have, not used before in index: letters, digits and _. What
 * had to be changed is a finding. number: what it stands for. */
const char *crank_import_name(crank_import *im, crank_index *index, const crank_xml *e,
                              const char *wanted, int number);

/* ---- frames ---- */

typedef struct crank_frame {
    double x[3], q[4];
} crank_frame;

static const crank_frame crank_frame_none = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};

/* roll, pitch, yaw about fixed axes x, y, z in this order */
void crank_frame_rpy(double q[4], const double rpy[3]);
/* c = a b: b seen from where a is seen from */
crank_frame crank_frame_chain(const crank_frame *a, const crank_frame *b);
crank_frame crank_frame_inverse(const crank_frame *a);
/* R(q) v */
void crank_frame_turn(double out[3], const double q[4], const double v[3]);
bool crank_frame_is_turned(const double q[4]);
/* The turn that leads the z axis to a direction, not zero. */
void crank_frame_along(double q[4], const double direction[3]);

#endif
