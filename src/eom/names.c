/* names.c - what messages call an unknown or a row: `lambda.length`, `holonomic "length",
 * velocity level`, `dynamic equation of vx`; never "equation 17". */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/names.h"

#include "base/blame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char acceleration_prefix[] = "acceleration.";

/* prefix + name, or prefix + letter + (i + 1) if name is NULL. */
static char *make_name(const char *prefix, const char *name, const char *letter, int i)
{
    char number[32];
    if (name == NULL) {
        (void)snprintf(number, sizeof number, "%s%d", letter, i + 1);
        name = number;
    }
    const size_t length = strlen(prefix) + strlen(name) + 1;
    char *text = malloc(length);
    if (text != NULL) {
        (void)snprintf(text, length, "%s%s", prefix, name);
    }
    return text;
}

static bool make_all(char **out, int count, const char *prefix, const char *const *names,
                     const char *letter)
{
    for (int i = 0; i < count; i++) {
        out[i] = make_name(prefix, names != NULL ? names[i] : NULL, letter, i);
        if (out[i] == NULL) {
            return false;
        }
    }
    return true;
}

bool crank_eom_make_names(crank_eom *eom, const char *const *const *names,
                          const char *const *invariant_names, const char *const *initial_names)
{
    static const char *const letter[CRANK_GROUPS] = {"w", "g", "h", "r", "v", "s", "p"};
    static const char *const prefix[CRANK_GROUPS] = {"", "lambda.", "mu.", "", "", "", ""};
    const crank_eom_sizes *s = &eom->sizes;
    const int constraints = s->lambda + s->mu + s->e + s->n;
    eom->column_name = calloc((size_t)eom->n + 1, sizeof *eom->column_name);
    eom->constraint_name = calloc((size_t)constraints + 1, sizeof *eom->constraint_name);
    eom->initial_name = calloc((size_t)s->initial + 1, sizeof *eom->initial_name);
    if (eom->column_name == NULL || eom->constraint_name == NULL || eom->initial_name == NULL) {
        return false;
    }
    bool made = true;
    for (int g = 0; g < CRANK_GROUPS; g++) {
        made = made &&
               make_all(eom->column_name + eom->column[g], eom->column[g + 1] - eom->column[g],
                        prefix[g], names != NULL ? names[g] : NULL, letter[g]);
    }
    char **constraint = eom->constraint_name;
    const char *const *e = invariant_names;
    const char *const *n = invariant_names != NULL ? invariant_names + s->e : NULL;
    return made &&
           make_all(constraint, s->lambda, "", names != NULL ? names[CRANK_LAMBDA] : NULL,
                    "g") &&
           make_all(constraint + s->lambda, s->mu, "", names != NULL ? names[CRANK_MU] : NULL,
                    "h") &&
           make_all(constraint + s->lambda + s->mu, s->e, "", e, "e") &&
           make_all(constraint + s->lambda + s->mu + s->e, s->n, "", n, "n") &&
           make_all(eom->initial_name, s->initial, "", initial_names, "condition");
}

static void free_all(char **names, int count)
{
    if (names != NULL) {
        for (int i = 0; i < count; i++) {
            free(names[i]);
        }
        free(names);
    }
}

void crank_eom_free_names(crank_eom *eom)
{
    const crank_eom_sizes *s = &eom->sizes;
    free_all(eom->column_name, eom->n);
    free_all(eom->constraint_name, s->lambda + s->mu + s->e + s->n);
    free_all(eom->initial_name, s->initial);
    eom->column_name = eom->constraint_name = eom->initial_name = NULL;
}

const char *crank_eom_column_name(const crank_eom *eom, int column)
{
    return column >= 0 && column < eom->n ? eom->column_name[column] : "?";
}

/* A carried acceleration's row d is the dynamic equation itself. */
static void auxiliary_row_name(const crank_eom *eom, int i, char *text, size_t size)
{
    const int column = eom->column[CRANK_W] + i;
    const char *name = eom->column_name[column];
    const size_t length = strlen(acceleration_prefix);
    if (eom->carried[column] && strncmp(name, acceleration_prefix, length) == 0) {
        (void)snprintf(text, size, "dynamic equation of %s", name + length);
    } else {
        (void)snprintf(text, size, "auxiliary \"%s\"", name);
    }
}

/* i: of lambda and mu */
static void constraint_row_name(const crank_eom *eom, int i, const char *level, char *text,
                                size_t size)
{
    const char *own = eom->constraint_text != NULL ? eom->constraint_text[i] : NULL;
    if (own != NULL) {
        (void)snprintf(text, size, "%s, %s level", own, level);
    } else {
        (void)snprintf(text, size, "%s \"%s\", %s level",
                       i < eom->sizes.lambda ? "holonomic" : "nonholonomic",
                       eom->constraint_name[i], level);
    }
}

const char *crank_eom_row_name(const crank_eom *eom, int row, char *text, size_t size)
{
    if (row < 0 || row >= eom->m) {
        (void)snprintf(text, size, "?");
        return text;
    }
    int group = 0;
    while (row >= eom->row[group + 1]) {
        group++;
    }
    const int i = row - eom->row[group];
    const crank_eom_sizes *s = &eom->sizes;
    const char *const *constraint = (const char *const *)eom->constraint_name;
    const char *const *column = (const char *const *)eom->column_name;
    const int e = s->lambda + s->mu;
    switch ((crank_row_group)group) {
    case CRANK_ROW_D:
        auxiliary_row_name(eom, i, text, size);
        break;
    case CRANK_ROW_GII:
        constraint_row_name(eom, i, "acceleration", text, size);
        break;
    case CRANK_ROW_HI:
        constraint_row_name(eom, s->lambda + i, "acceleration", text, size);
        break;
    case CRANK_ROW_GI:
        constraint_row_name(eom, i, "velocity", text, size);
        break;
    case CRANK_ROW_H:
        constraint_row_name(eom, s->lambda + i, "velocity", text, size);
        break;
    case CRANK_ROW_E:
        (void)snprintf(text, size, "invariant \"%s\"", constraint[e + i]);
        break;
    case CRANK_ROW_C:
        (void)snprintf(text, size, "contact \"%s\"", column[eom->column[CRANK_S] + i]);
        break;
    case CRANK_ROW_G:
        constraint_row_name(eom, i, "position", text, size);
        break;
    case CRANK_ROW_N:
        if (eom->dae != NULL) {
            (void)snprintf(text, size, "%s", eom->dae->text[eom->dae->differential + i]);
        } else {
            (void)snprintf(text, size, "position invariant \"%s\"", constraint[e + s->e + i]);
        }
        break;
    case CRANK_ROW_B:
        (void)snprintf(text, size, "force element \"%s\"", column[eom->column[CRANK_R] + i]);
        break;
    case CRANK_ROW_DYN:
        (void)snprintf(text, size, "dynamic equation of %s", column[eom->column[CRANK_V] + i]);
        break;
    case CRANK_ROW_KIN:
        (void)snprintf(text, size, "%s of %s",
                       eom->dae != NULL ? "derivative" : "kinematic equation",
                       column[eom->column[CRANK_P] + i]);
        break;
    case CRANK_ROW_GROUPS:
        break;
    }
    return text;
}

crank_status crank_fail_place(crank_error *err, crank_status status, crank_place place,
                              const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)crank_fail_in(err, status, place.file, place.line, place.column, format, arguments);
    va_end(arguments);
    return status;
}
