/* modelica.h - Modelica source into a flat DAE: what others see of this room.
 *
 *     crank_mo_parse(text, length, base, &store, &file, &err);        (syntax.h)
 *     crank_mo_flatten(&file, &options, &flat, &err);
 *     ... passes of inline/ ...
 *     crank_flat_free(&flat); */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MODELICA_H
#define CRANK_SRC_MODELICA_H

#include "inline/flat.h"
#include "modelica/syntax.h"

/* name = value, of a parameter or a start value */
typedef struct crank_mo_setting {
    const char *name, *value;
} crank_mo_setting;

typedef struct crank_mo_options {
    const char *model; /* "Package.Model"; NULL: the only model of the file, or the last one */
    int setting_count;
    const crank_mo_setting *setting;
    long work; /* expressions read at most: a loop that never ends is told; 0: 4 million */
} crank_mo_options;

/* Fills flat, which the caller frees in any case. Errors have place and construct; those of
 * settings are the caller's (err->given). */
crank_status crank_mo_flatten(const crank_mo_file *file, const crank_mo_options *options,
                              crank_flat *flat, crank_error *err);

#endif
