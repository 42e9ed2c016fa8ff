/* arguments.h - command lines from tables: one table serves the parser and the help text. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_ARGUMENTS_H
#define CRANK_TOOLS_ARGUMENTS_H

#include <crank/model.h>

#include <stddef.h>

typedef struct text_list {
    int count;
    const char **item; /* points into argv */
} text_list;

typedef struct setting_list {
    int count;
    crank_setting *item;
    char *names; /* their memory, as far as they do not point into argv */
    size_t used;
} setting_list;

typedef enum argument_kind {
    ARGUMENT_FLAG,  /* bool */
    ARGUMENT_TEXT,  /* const char *; NULL: not given */
    ARGUMENT_REAL,  /* double; NaN: not given */
    ARGUMENT_COUNT, /* int, positive; 0: not given */
    ARGUMENT_LIST,  /* text_list; may be repeated */
    ARGUMENT_PAIRS, /* setting_list of NAME=VALUE; may be repeated */
    ARGUMENT_PAIR   /* setting_list: the option's own name and its value */
} argument_kind;

typedef struct argument {
    const char *name;    /* "--rtol", or "-o" */
    const char *metavar; /* "R"; NULL for a flag */
    argument_kind kind;
    size_t offset; /* in the struct of values */
    const char *help;
} argument;

typedef struct usage {
    const char *synopsis; /* "crank run MODEL [options]" */
    const char *summary;
    const argument *arguments;
    int argument_count;
    size_t positional; /* offset of the text_list of what is not an option */
    int positional_min, positional_max;
    void (*more_help)(void); /* printed after the table; may be NULL */
} usage;

/* Fills the zeroed values; reals are set to NaN first. Returns -1 to go on, or the exit code: 0
 * after --help, 2 after a mistake that has been told. arguments_free in either case. */
int arguments_parse(const usage *u, int argc, char **argv, void *values);
void arguments_free(const usage *u, void *values);

#endif
