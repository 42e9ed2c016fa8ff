/* yaml.h - a YAML (or JSON) text as a tree. Aliases share the node of their anchor. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_YAML_H
#define CRANK_SRC_YAML_H

#include "base/store.h"
#include "model/tree.h"
#include "model/yaml.h"

/* Reads the one document of a text into nodes that live in store. Errors: ESYNTAX with line and
 * column, EMEM. */
crank_status crank_yaml_read(const char *text, size_t length, crank_store *store,
                             crank_document *out, crank_error *err);
/* The same for an included file, whose name (kept) its nodes carry. */
crank_status crank_yaml_read_file(const char *text, size_t length, const char *file,
                                  crank_store *store, crank_document *out, crank_error *err);
#endif
