/* options.h - the table of options, and who has them. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_OPTIONS_H
#define CRANK_SRC_OPTIONS_H

#include <crank/options.h>

#define CRANK_OPTION_ANY      DBL_MAX /* no upper limit */
#define CRANK_OPTION_POSITIVE DBL_MIN /* anything above zero */
#define CRANK_OPTION_MOST     1e15    /* of a count, exact as a double */

typedef enum crank_option_kind {
    CRANK_OPTION_REAL,
    CRANK_OPTION_INT64,
    CRANK_OPTION_INT,
    CRANK_OPTION_BOOL,
    CRANK_OPTION_ENUM
} crank_option_kind;

typedef struct crank_option_field {
    const char *name;
    size_t offset;
    crank_option_kind kind;
    double min, max;          /* inclusive; not used of an enum */
    const char *const *words; /* of an enum, in the order of its values */
    int word_count;
    /* formulations and integrators that have it, spaces between; NULL: all */
    const char *formulations, *integrators;
    const char *help;
} crank_option_field;

extern const crank_option_field crank_option_fields[];
extern const int crank_option_count;

/* The value of a field as a number. */
double crank_option_get(const crank_options *options, const crank_option_field *field);

typedef enum crank_option_owner {
    CRANK_OF_FORMULATION,
    CRANK_OF_INTEGRATOR
} crank_option_owner;

/* Have formulation and integrator the option? Also if there is none of this name. */
bool crank_option_is_of(const char *option, const char *formulation, const char *integrator);
/* EREFUSED, with the names of those that have it, if an option that the named formulation or
 * integrator does not have is not at its default. */
crank_status crank_options_belong(const crank_options *options, crank_option_owner kind,
                                  const char *name, crank_error *err);

#endif
