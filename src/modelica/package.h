/* package.h - packages of several files, and crank's own library: package.c, library.c. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MODELICA_PACKAGE_H
#define CRANK_SRC_MODELICA_PACKAGE_H

#include "modelica/modelica.h"

/* Writes a mechanism file as the text of a Modelica model of this name. */
typedef crank_status crank_mo_block_fn(const char *path, const char *name, crank_text *text,
                                       crank_error *err);

/* Reads what a parsed file needs of other files: the package around it, packages that it names,
 * and mechanisms: a class with annotation(__crank(mechanism = "FILE")) is what block writes of
 * the file (NULL: refused). path: of the file, NULL: none. folders: where packages are looked
 * for first. */
crank_status crank_mo_read_packages(crank_mo_file *file, const char *path, int count,
                                    const char *const *folders, crank_mo_block_fn *block,
                                    crank_store *store, crank_error *err);
/* Lines of other files than the model's are numbers with the file in them (inline/flat.h): file
 * and line of such an error. */
void crank_mo_resolve_place(const crank_mo_file *file, crank_error *err);

/* library.c, made of models/modelica/Crank: a file by its path; false: there is none. */
bool crank_mo_library_find(const char *path, const char **text, size_t *length);

#endif
