/* compare_columns.c - which columns of results are compared, and in which group.
 *
 * A column that is an unknown of the equations has its group; columns of bodies and reactions
 * of joints are recognised by their names. What remains (outputs, energies, quantities of
 * joints) follows from these and is compared only if a pattern asks for it. */
// SPDX-License-Identifier: BSD-3-Clause
#include "compare.h"

#include "columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ranks come from dense linear algebra: of more unknowns it would take longer than the runs. */
enum { EXAMINED_UNKNOWNS = 1000 };

enum { DERIVED = -1, MARK = -2 }; /* groups that are not compared as such */

const char *compared_group_name(int group)
{
    static const char *const names[COMPARED_GROUPS] = {"position", "velocity", "multiplier",
                                                       "other"};

    return names[group];
}

const char *compared_level_name(bool dae, int level)
{
    static const char *const names[LEVELS] = {"position", "velocity", "acceleration"};
    static const char *const levels[LEVELS] = {"level0", "level1", "level2"};

    return dae ? levels[level] : names[level];
}

/* The unknown of this name; -1: none. */
static int find_unknown(const crank_eom *eom, const char *name)
{
    for (int j = 0; j < crank_eom_unknowns(eom); j++) {
        if (strcmp(crank_eom_column_name(eom, j), name) == 0) {
            return j;
        }
    }
    return -1;
}

static int group_of_unknown(const crank_eom *eom, int unknown)
{
    static const int groups[CRANK_GROUPS] = {
        [CRANK_W] = COMPARED_OTHER,       [CRANK_LAMBDA] = COMPARED_MULTIPLIER,
        [CRANK_MU] = COMPARED_MULTIPLIER, [CRANK_R] = COMPARED_OTHER,
        [CRANK_V] = COMPARED_VELOCITY,    [CRANK_S] = COMPARED_OTHER,
        [CRANK_P] = COMPARED_POSITION};
    int group = 0;

    while (group + 1 < CRANK_GROUPS &&
           unknown >= crank_eom_column(eom, (crank_group)(group + 1))) {
        group++;
    }
    return groups[group];
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* Columns of mechanisms: body.NAME.x, joint.NAME.fx, joint.NAME.unique.fx. */
static int group_of_part(const char *name)
{
    static const char *const positions[] = {"x",  "y",  "z",     "q0", "q1",
                                            "q2", "q3", "angle", NULL};
    static const char *const velocities[] = {"vx", "vy", "vz", "wx", "wy", "wz", "rate", NULL};
    static const char *const reactions[] = {
        "fx", "fy", "fz", "tx", "ty", "tz", "effort", "effort_angle", "effort_length", NULL};
    const char *last = strrchr(name, '.');

    if (last == NULL) {
        return DERIVED;
    }
    if (strncmp(name, "body.", 5) == 0) {
        return is_one_of(last + 1, positions)    ? COMPARED_POSITION
               : is_one_of(last + 1, velocities) ? COMPARED_VELOCITY
                                                 : DERIVED;
    }
    if (strncmp(name, "joint.", 6) != 0 || !is_one_of(last + 1, reactions)) {
        return DERIVED;
    }
    const size_t mark = strlen(".unique");
    return (size_t)(last - name) > mark && strncmp(last - mark, ".unique", mark) == 0
               ? MARK
               : COMPARED_MULTIPLIER;
}

/* ---- uniqueness ---- */

typedef struct choice {
    session *session;
    int count; /* columns of the model */
    const char **names;
    bool *chosen;
    double *values;       /* at the start */
    bool examined, asked; /* the structure is known; it was asked for */
    crank_structure_report structure;
} choice;

static void examine(choice *k)
{
    session *s = k->session;

    k->asked = true;
    k->examined = s->n <= EXAMINED_UNKNOWNS &&
                  crank_eom_structure(s->eom, s->t_start, s->x, s->options->rank_tolerance,
                                      &k->structure, NULL) == CRANK_OK;
}

/* Of a multiplier that is an unknown: what the ranks say. */
static bool unknown_is_unique(choice *k, int unknown)
{
    const crank_eom *eom = k->session->eom;
    const crank_eom_sizes sizes = crank_eom_get_sizes(eom);
    const int lambda = unknown - crank_eom_column(eom, CRANK_LAMBDA);
    const int mu = unknown - crank_eom_column(eom, CRANK_MU);

    if (!k->asked) {
        examine(k);
    }
    return !k->examined ||
           k->structure.multiplier_unique[lambda < sizes.lambda ? lambda : sizes.lambda + mu];
}

/* Of a reaction: what the column with its mark says; without one all are unique. */
static bool reaction_is_unique(const choice *k, const char *name)
{
    const char *last = strrchr(name, '.');
    char mark[240];

    (void)snprintf(mark, sizeof mark, "%.*s.unique%s", (int)(last - name), name, last);
    for (int j = 0; j < k->count; j++) {
        if (strcmp(k->names[j], mark) == 0) {
            return k->values[j] != 0.0;
        }
    }
    return true;
}

/* ---- the choice ---- */

static bool add(compared_columns *c, const char *name, int group, int column)
{
    char *copy = malloc(strlen(name) + 1);

    if (copy == NULL) {
        return false;
    }
    memcpy(copy, name, strlen(name) + 1);
    c->item[c->count++] = (compared_column){.name = copy, .group = group, .column = column};
    c->of_group[group]++;
    return true;
}

/* Adds a column that is asked for, or (without patterns) an unknown or reaction; false: out of
 * memory. */
static bool consider(compared_columns *c, choice *k, int column, bool by_pattern)
{
    const char *name = k->names[column];
    const int unknown = find_unknown(k->session->eom, name);
    const int group = unknown < 0                  ? group_of_part(name)
                      : session_is_dae(k->session) ? COMPARED_OTHER
                                                   : group_of_unknown(k->session->eom, unknown);

    if (group == MARK || (group == DERIVED && !by_pattern)) {
        return true;
    }
    if (group == COMPARED_MULTIPLIER &&
        !(unknown >= 0 ? unknown_is_unique(k, unknown) : reaction_is_unique(k, name))) {
        if (c->not_unique++ == 0) {
            (void)snprintf(c->first_not_unique, sizeof c->first_not_unique, "%s", name);
        }
        return true;
    }
    return add(c, name, group == DERIVED ? COMPARED_OTHER : group, column);
}

static int choose(compared_columns *c, choice *k, const text_list *patterns)
{
    session *s = k->session;
    crank_error err = {0};
    const crank_status status =
        crank_state_columns(s->state, s->t_start, s->x, k->values, &err);

    if (status != CRANK_OK) {
        return session_fail(s, status, &err);
    }
    for (int j = 0; j < k->count; j++) {
        k->names[j] = crank_model_column_name(s->model, j);
    }
    const int code = columns_choose(&s->messages, patterns, k->count, k->names, k->chosen);
    for (int j = 0; j < k->count && code < 0; j++) {
        if (k->chosen[j] && !consider(c, k, j, patterns->count > 0)) {
            tell_error(&s->messages, "out of memory");
            return CODE_FAILED;
        }
    }
    c->not_examined = k->asked && !k->examined;
    if (code < 0 && c->count == 0) {
        tell_error(&s->messages, "there is nothing to compare: %s",
                   c->not_unique > 0 ? "the columns that are asked for are not unique"
                                     : "no column that is asked for is an unknown; name "
                                       "others with --only");
        return CODE_USAGE;
    }
    return code;
}

int compared_columns_choose(compared_columns *c, session *s, const text_list *patterns)
{
    choice k = {.session = s, .count = crank_model_column_count(s->model)};
    const size_t count = (size_t)k.count + 1;
    int code = CODE_FAILED;

    k.chosen = calloc(count, sizeof *k.chosen);
    k.names = calloc(count, sizeof *k.names);
    k.values = calloc(count, sizeof *k.values);
    c->item = calloc(count, sizeof *c->item);
    if (k.chosen == NULL || k.names == NULL || k.values == NULL || c->item == NULL) {
        tell_error(&s->messages, "out of memory");
    } else {
        code = choose(c, &k, patterns);
    }
    if (k.examined) {
        crank_structure_report_free(&k.structure);
    }
    free(k.chosen);
    free(k.names);
    free(k.values);
    return code;
}

void compared_columns_free(compared_columns *c)
{
    for (int i = 0; c->item != NULL && i < c->count; i++) {
        free(c->item[i].name);
    }
    free(c->item);
    *c = (compared_columns){0};
}

int *compared_columns_find(const compared_columns *c, const crank_model *model)
{
    const int count = crank_model_column_count(model);
    int *columns = calloc((size_t)c->count + 1, sizeof *columns);

    for (int i = 0; columns != NULL && i < c->count; i++) {
        int j = c->item[i].column;
        if (j >= count || strcmp(crank_model_column_name(model, j), c->item[i].name) != 0) {
            j = 0;
            while (j < count &&
                   strcmp(crank_model_column_name(model, j), c->item[i].name) != 0) {
                j++;
            }
        }
        if (j == count) {
            free(columns);
            return NULL;
        }
        columns[i] = j;
    }
    return columns;
}
