/* arguments.c - "--name value", "--name=value", "--" ends options, "-h" and "--help" print the
 * table; "--complete" prints it for shells (tools/completion): name, value, help by tabs. */
// SPDX-License-Identifier: BSD-3-Clause
#include "arguments.h"

#include "command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_help(const usage *u)
{
    (void)printf("usage: %s\n\n%s\n\n", u->synopsis, u->summary);
    for (int i = 0; i < u->argument_count; i++) {
        const argument *a = &u->arguments[i];
        char left[64];
        (void)snprintf(left, sizeof left, "%s%s%s", a->name, a->metavar != NULL ? " " : "",
                       a->metavar != NULL ? a->metavar : "");
        (void)printf("  %-24s %s\n", left, a->help);
    }
    (void)printf("  %-24s %s\n", "--help", "this text");
    if (u->more_help != NULL) {
        u->more_help();
    }
}

static void print_table(const usage *u)
{
    for (int i = 0; i < u->argument_count; i++) {
        const argument *a = &u->arguments[i];
        (void)printf("%s\t%s\t%s\n", a->name, a->metavar != NULL ? a->metavar : "", a->help);
    }
    (void)puts("--help\t\tall options");
}

static int mistake(const usage *u, const char *what, const char *name, const char *more)
{
    const char *word = u->synopsis + strlen("crank ");

    (void)fprintf(stderr, "crank: %s%s%s; see crank %.*s --help\n", what, name, more,
                  (int)strcspn(word, " "), word);
    return CODE_USAGE;
}

static int unknown(const usage *u, const char *name, size_t length)
{
    char given[64], more[96] = "";
    const char *names[64];

    (void)snprintf(given, sizeof given, "%.*s", (int)length, name);
    for (int i = 0; i < u->argument_count && i < 64; i++) {
        names[i] = u->arguments[i].name;
    }
    const char *near = crank_nearest_name(given, names, u->argument_count);
    if (near != NULL) {
        (void)snprintf(more, sizeof more, ", did you mean %s", near);
    }
    return mistake(u, "unknown option ", given, more);
}

static bool is_number(const char *text, double *value)
{
    char *end;

    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

static int store_pair(const usage *u, const argument *a, const char *text, setting_list *list)
{
    const char *equals = strchr(text, '=');

    if (equals == NULL || equals == text) {
        char more[160];
        (void)snprintf(more, sizeof more, " %.120s: must be ", text);
        return mistake(u, a->name, more, a->metavar);
    }
    char *name = list->names + list->used;
    const size_t length = (size_t)(equals - text);
    memcpy(name, text, length);
    name[length] = '\0';
    list->used += length + 1;
    list->item[list->count++] = (crank_setting){.name = name, .value = equals + 1};
    return -1;
}

static int store(const usage *u, const argument *a, const char *text, void *values)
{
    void *place = (char *)values + a->offset;
    double number;

    switch (a->kind) {
    case ARGUMENT_FLAG:
        *(bool *)place = true;
        break;
    case ARGUMENT_TEXT:
        *(const char **)place = text;
        break;
    case ARGUMENT_REAL:
        if (!is_number(text, &number)) {
            return mistake(u, a->name, " needs a number, not ", text);
        }
        *(double *)place = number;
        break;
    case ARGUMENT_COUNT:
        if (!is_number(text, &number) || number < 1.0 || number > 1e9 ||
            number != floor(number)) {
            return mistake(u, a->name, " needs a whole number between 1 and 1e9, not ", text);
        }
        *(int *)place = (int)number;
        break;
    case ARGUMENT_LIST: {
        text_list *list = place;
        list->item[list->count++] = text;
        break;
    }
    case ARGUMENT_PAIRS:
        return store_pair(u, a, text, place);
    case ARGUMENT_PAIR: {
        setting_list *list = place;
        list->item[list->count++] = (crank_setting){.name = a->name + 2, .value = text};
        break;
    }
    }
    return -1;
}

static const argument *find(const usage *u, const char *text, size_t length)
{
    for (int i = 0; i < u->argument_count; i++) {
        const char *name = u->arguments[i].name;
        if (strlen(name) == length && strncmp(name, text, length) == 0) {
            return &u->arguments[i];
        }
    }
    return NULL;
}

/* One option at argv[*i], with its value if it has one. */
static int take_option(const usage *u, int argc, char **argv, int *i, void *values)
{
    const char *text = argv[*i];
    const char *equals = strncmp(text, "--", 2) == 0 ? strchr(text, '=') : NULL;
    const size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
    const argument *a = find(u, text, length);

    if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0) {
        print_help(u);
        return CODE_DONE;
    }
    if (strcmp(text, "--complete") == 0) {
        print_table(u);
        return CODE_DONE;
    }
    if (a == NULL) {
        return unknown(u, text, length);
    }
    if (a->kind == ARGUMENT_FLAG) {
        return equals != NULL ? mistake(u, a->name, " takes no value", "")
                              : store(u, a, NULL, values);
    }
    if (equals != NULL) {
        return store(u, a, equals + 1, values);
    }
    if (*i + 1 >= argc) {
        return mistake(u, a->name, " needs a value: ", a->metavar);
    }
    *i += 1;
    return store(u, a, argv[*i], values);
}

/* Room for as many as the command line can have, in lists that have none yet. */
static bool prepare(const usage *u, int argc, char **argv, void *values)
{
    text_list *positional = (text_list *)(void *)((char *)values + u->positional);
    const size_t room = (size_t)argc + 1;
    size_t characters = 0;

    for (int i = 0; i < argc; i++) {
        characters += strlen(argv[i]) + 1;
    }
    positional->item = calloc(room, sizeof *positional->item);
    bool good = positional->item != NULL;
    for (int i = 0; i < u->argument_count; i++) {
        void *place = (char *)values + u->arguments[i].offset;
        const argument_kind kind = u->arguments[i].kind;
        if (kind == ARGUMENT_REAL) {
            *(double *)place = (double)NAN;
        } else if (kind == ARGUMENT_LIST) {
            text_list *list = place;
            list->item = calloc(room, sizeof *list->item);
            good = good && list->item != NULL;
        } else if (kind == ARGUMENT_PAIRS) {
            setting_list *list = place;
            list->item = calloc(room, sizeof *list->item);
            list->names = calloc(characters, 1);
            good = good && list->item != NULL && list->names != NULL;
        }
    }
    return good;
}

int arguments_parse(const usage *u, int argc, char **argv, void *values)
{
    text_list *positional = (text_list *)(void *)((char *)values + u->positional);
    bool options_ended = false;

    if (!prepare(u, argc, argv, values)) {
        (void)fputs("crank: out of memory\n", stderr);
        return CODE_FAILED;
    }
    for (int i = 1; i < argc; i++) {
        if (!options_ended && strcmp(argv[i], "--") == 0) {
            options_ended = true;
        } else if (!options_ended && argv[i][0] == '-' && argv[i][1] != '\0') {
            const int code = take_option(u, argc, argv, &i, values);
            if (code >= 0) {
                return code;
            }
        } else {
            positional->item[positional->count++] = argv[i];
        }
    }
    if (positional->count < u->positional_min) {
        return mistake(u, "usage: ", u->synopsis, "");
    }
    if (positional->count > u->positional_max) {
        return mistake(u, "one argument too many: ", positional->item[u->positional_max], "");
    }
    return -1;
}

void arguments_free(const usage *u, void *values)
{
    free(((text_list *)(void *)((char *)values + u->positional))->item);
    for (int i = 0; i < u->argument_count; i++) {
        void *place = (char *)values + u->arguments[i].offset;
        if (u->arguments[i].kind == ARGUMENT_LIST) {
            free(((text_list *)place)->item);
        } else if (u->arguments[i].kind == ARGUMENT_PAIRS) {
            free(((setting_list *)place)->item);
            free(((setting_list *)place)->names);
        }
    }
}
