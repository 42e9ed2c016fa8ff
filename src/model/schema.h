/* schema.h - shapes of values as JSON Schema, from a short language:
 *
 *     name      another definition
 *     :string   of this type; :number,string of one of these
 *     =a,b      one of these words
 *     [x]       a list of x; [x]2..3 of so many, [x]2.. of at least so many
 *     {x}       a mapping of names to x; ?{x} one that may be empty
 *     x|y       either */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MODEL_SCHEMA_H
#define CRANK_SRC_MODEL_SCHEMA_H

#include "base/json.h"

/* Each returns the place in the text behind what was written. */
const char *crank_schema_shape(crank_json *j, const char *key, const char *text);
/* The same without braces around it, into an object that is open; not of names and
 * alternatives. */
const char *crank_schema_members(crank_json *j, const char *text);
/* Words with one of the separators between them, as items of an array; numbers: without
 * quotes. */
const char *crank_schema_words(crank_json *j, const char *words, const char *separators,
                               bool numbers);
/* {"$ref": "#/definitions/NAME"} */
void crank_schema_reference(crank_json *j, const char *key, const char *name);

#endif
