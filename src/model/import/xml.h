/* xml.h - an XML text as a tree of elements with places (libexpat), and what was used of it:
 * asking for an element or an attribute marks it, so that what nobody asked for can be listed.
 *
 * Entities that a file defines itself are refused: they can make a small file enormous. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_XML_H
#define CRANK_SRC_XML_H

#include "base/store.h"

#include <crank/base.h>

typedef struct crank_xml_attribute {
    const char *name, *value;
    bool used;
} crank_xml_attribute;

typedef struct crank_xml crank_xml;
struct crank_xml {
    const char *name;
    const char *text; /* character data, without blanks at both ends */
    const char *file; /* the included file it stands in; NULL: the model's own */
    int line;
    bool used;
    int attribute_count;
    crank_xml_attribute *attribute;
    crank_xml *parent, *first, *last, *next;
};

/* Elements live in store; file: as in the elements, kept. ESYNTAX with the line, EMEM. */
crank_status crank_xml_read(const char *text, size_t length, const char *file,
                            crank_store *store, crank_xml **root, crank_error *err);
/* Does the text begin as XML does? */
bool crank_xml_is(const char *text, size_t length);

/* The value of an attribute, NULL: not given. */
const char *crank_xml_get(const crank_xml *e, const char *name);
/* The first child of this name (NULL: of any), and the next one after a child; NULL: none. */
crank_xml *crank_xml_child(const crank_xml *e, const char *name);
crank_xml *crank_xml_next(const crank_xml *child, const char *name);
/* All that is in it counts as used. */
void crank_xml_use_all(crank_xml *e);

/* crank_fail_at with the element's line and file. */
crank_status crank_xml_fail(crank_error *err, const crank_xml *e, const char *format, ...)
    CRANK_PRINTF(3, 4);

/* Finite numbers, separated by blanks: exactly count of them (a list: at most count; *found).
 * An attribute that is not given leaves out as it is. */
crank_status crank_xml_numbers(const crank_xml *e, const char *attribute, int count,
                               double *out, crank_error *err);
crank_status crank_xml_list(const crank_xml *e, const char *attribute, int most, double *out,
                            int *found, crank_error *err);

#endif
