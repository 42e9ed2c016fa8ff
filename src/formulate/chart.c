/* chart.c - positions with a normalisation by axes of their own; see chart.h.
 *
 * The pattern of T^T J T follows from that of J, once: columns of a group get the rows of all
 * of them, and where a column has one kinematic row of a group it gets all. The row of the norm
 * has one entry, that of its axis: those along the others vanish by the choice of T. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 4 }; /* positions of a group: a quaternion */

typedef struct group {
    bool spoiled; /* while they are looked for */
    int norm;     /* row */
    int size;     /* positions; velocities are one fewer */
    int velocities;
    int column[LARGEST];           /* of the positions; the last axis is the norm's */
    int velocity[LARGEST];         /* of the velocities */
    int slope[LARGEST];            /* entries of J: of the norm */
    int rate[LARGEST][LARGEST];    /* [velocity][position]: of Z, -1: none */
    double axis[LARGEST][LARGEST]; /* [axis][position] */
} group;

/* a row of the columns of a group: entries of J and of T^T J T, -1: none */
typedef struct mixed {
    int group, from[LARGEST], to[LARGEST];
} mixed;

/* the kinematic rows of a group in a column of T^T J T */
typedef struct turned {
    int group, at[LARGEST];
} turned;

typedef struct same {
    int from, to;
} same;

struct crank_chart {
    const crank_eom *eom;
    crank_arena arena, lists;
    int groups, mixed_count, turned_count, same_count, entries;
    group *group;
    int *group_of; /* p: group of a position, and of its kinematic row; -1: none */
    int *rank;     /* p: its number in the group */
    int *position; /* m: of a row in the column that is described, -1 */
    int *listed;   /* m: rows of that column */
    mixed *mixed;
    turned *turned;
    same *same;
    int *start, *row;
    double *values;
    crank_pattern pattern;
    const crank_chart *other; /* whose axes are taken; NULL: its own */
};

/* ---- groups ---- */

static void add_position(crank_chart *c, int column, int entry, group *g)
{
    const int p = column - c->eom->column[CRANK_P];
    if (g->size == LARGEST || p < 0 || c->group_of[p] >= 0) {
        g->spoiled = true;
        if (p >= 0 && c->group_of[p] >= 0) {
            c->group[c->group_of[p]].spoiled = true;
        }
        return;
    }
    c->group_of[p] = (int)(g - c->group);
    c->rank[p] = g->size;
    g->column[g->size] = column;
    g->slope[g->size++] = entry;
}

static void add_velocity(crank_chart *c, int column, int entry, int p)
{
    group *g = &c->group[c->group_of[p]];
    if (g->velocities == 0 || g->velocity[g->velocities - 1] != column) {
        if (g->velocities == LARGEST) {
            g->spoiled = true;
            return;
        }
        for (int i = 0; i < LARGEST; i++) {
            g->rate[g->velocities][i] = -1;
        }
        g->velocity[g->velocities++] = column;
    }
    g->rate[g->velocities - 1][c->rank[p]] = entry;
}

/* all groups, then the sound ones alone */
static void find_groups(crank_chart *c)
{
    const crank_eom *eom = c->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int first = eom->row[CRANK_ROW_N], kinematic = eom->row[CRANK_ROW_KIN];
    for (int p = 0; p < eom->sizes.p; p++) {
        c->group_of[p] = -1;
    }
    for (int j = 0; j < eom->n; j++) {
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            const int i = J->row[e] - first;
            if (i >= 0 && i < eom->sizes.n) {
                c->group[i].norm = J->row[e];
                add_position(c, j, e, &c->group[i]);
            }
        }
    }
    for (int j = eom->column[CRANK_V]; j < eom->column[CRANK_S]; j++) {
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            const int p = J->row[e] - kinematic;
            if (p >= 0 && c->group_of[p] >= 0) {
                add_velocity(c, j, e, p);
            }
        }
    }
    for (int i = 0; i < eom->sizes.n; i++) {
        const group *g = &c->group[i];
        const bool sound = !g->spoiled && g->size > 1 && g->velocities == g->size - 1;
        for (int k = 0; k < g->size; k++) {
            c->group_of[g->column[k] - eom->column[CRANK_P]] = sound ? c->groups : -1;
        }
        if (sound) {
            c->group[c->groups++] = *g;
        }
    }
}

/* ---- the pattern ---- */

static void list_row(crank_chart *c, int row, int *count)
{
    if (c->position[row] < 0) {
        c->position[row] = *count;
        c->listed[(*count)++] = row;
    }
}

/* rows of count columns of J; the kinematic rows of groups are complete and in order */
static int list_rows(crank_chart *c, int count, const int *column, int norm)
{
    const crank_eom *eom = c->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    int rows = 0;
    for (int k = 0; k < count; k++) {
        for (int e = J->start[column[k]]; e < J->start[column[k] + 1]; e++) {
            const int p = J->row[e] - eom->row[CRANK_ROW_KIN];
            if (p >= 0 && c->group_of[p] >= 0) {
                const group *g = &c->group[c->group_of[p]];
                for (int i = 0; i < g->size; i++) {
                    list_row(c, J->row[e] - p + g->column[i] - eom->column[CRANK_P], &rows);
                }
            } else if (J->row[e] != norm) {
                list_row(c, J->row[e], &rows);
            }
        }
    }
    if (norm >= 0) {
        list_row(c, norm, &rows);
    }
    return rows;
}

/* the first `rows` listed ones become the next column; where it begins */
static int write_column(crank_chart *c, int column, int rows)
{
    const crank_eom *eom = c->eom;
    const int begin = c->entries;
    for (int i = 0; i < rows; i++) {
        const int p = c->listed[i] - eom->row[CRANK_ROW_KIN];
        const int at = p >= 0 ? c->group_of[p] : -1;
        if (at >= 0 && c->rank[p] == 0) {
            if (c->turned != NULL) {
                turned *t = &c->turned[c->turned_count];
                t->group = at;
                for (int k = 0; k < c->group[at].size; k++) {
                    t->at[k] = begin + i + k; /* listed one after the other */
                }
            }
            c->turned_count++;
        }
        if (c->row != NULL) {
            c->row[begin + i] = c->listed[i];
        }
    }
    c->entries += rows;
    if (c->start != NULL) {
        c->start[column] = begin;
        c->start[column + 1] = c->entries; /* columns of a group follow each other, see below */
    }
    return begin;
}

static void forget_rows(crank_chart *c, int rows)
{
    for (int i = 0; i < rows; i++) {
        c->position[c->listed[i]] = -1;
    }
}

static void describe_column(crank_chart *c, int j)
{
    const crank_pattern *J = &c->eom->jacobian_pattern;
    const int rows = list_rows(c, 1, &j, -1), begin = write_column(c, j, rows);
    for (int e = J->start[j]; e < J->start[j + 1]; e++) {
        if (c->same != NULL) {
            c->same[c->same_count] = (same){e, begin + c->position[J->row[e]]};
        }
        c->same_count++;
    }
    forget_rows(c, rows);
}

static void describe_group(crank_chart *c, int index)
{
    const group *g = &c->group[index];
    const crank_pattern *J = &c->eom->jacobian_pattern;
    const int rows = list_rows(c, g->size, g->column, g->norm);
    int begin[LARGEST];
    for (int k = 0; k < g->size; k++) { /* the norm, listed last, stands in its axis alone */
        begin[k] = write_column(c, g->column[k], k == g->size - 1 ? rows : rows - 1);
    }
    for (int i = 0; i < rows && c->mixed != NULL; i++) {
        mixed *row = &c->mixed[c->mixed_count + i];
        row->group = index;
        for (int k = 0; k < g->size; k++) {
            row->from[k] = -1;
            row->to[k] = i == rows - 1 && k < g->size - 1 ? -1 : begin[k] + i;
        }
    }
    for (int k = 0; k < g->size && c->mixed != NULL; k++) {
        for (int e = J->start[g->column[k]]; e < J->start[g->column[k] + 1]; e++) {
            c->mixed[c->mixed_count + c->position[J->row[e]]].from[k] = e;
        }
    }
    c->mixed_count += rows;
    forget_rows(c, rows);
}

/* everything behind the groups; the first time it is counted only */
static void describe(crank_chart *c)
{
    const crank_eom *eom = c->eom;
    c->entries = c->mixed_count = c->turned_count = c->same_count = 0;
    for (int j = 0; j < eom->n; j++) {
        const int p = j - eom->column[CRANK_P];
        const int index = p >= 0 ? c->group_of[p] : -1;
        if (index < 0) {
            describe_column(c, j);
        } else if (c->rank[p] == 0) {
            describe_group(c, index);
        }
    }
}

/* ---- create ---- */

static void layout(crank_chart *c, crank_arena *arena)
{
    const crank_eom *eom = c->eom;
    c->group = crank_arena_take(arena, (size_t)eom->sizes.n, sizeof *c->group);
    c->group_of = crank_arena_take(arena, (size_t)eom->sizes.p, sizeof(int));
    c->rank = crank_arena_take(arena, (size_t)eom->sizes.p, sizeof(int));
    c->position = crank_arena_take(arena, (size_t)eom->m, sizeof(int));
    c->listed = crank_arena_take(arena, (size_t)eom->m, sizeof(int));
}

static void layout_lists(crank_chart *c, crank_arena *arena)
{
    c->mixed = crank_arena_take(arena, (size_t)c->mixed_count, sizeof *c->mixed);
    c->turned = crank_arena_take(arena, (size_t)c->turned_count, sizeof *c->turned);
    c->same = crank_arena_take(arena, (size_t)c->same_count, sizeof *c->same);
    c->start = crank_arena_take(arena, (size_t)c->eom->n + 1, sizeof(int));
    c->row = crank_arena_take(arena, (size_t)c->entries, sizeof(int));
    c->values = crank_arena_take(arena, (size_t)c->entries, sizeof(double));
}

/* columns of a group must follow each other: describe writes them at once */
static bool consecutive(const crank_chart *c)
{
    for (int i = 0; i < c->groups; i++) {
        const group *g = &c->group[i];
        for (int k = 1; k < g->size; k++) {
            if (g->column[k] != g->column[0] + k) {
                return false;
            }
        }
    }
    return true;
}

crank_status crank_chart_create(const crank_eom *eom, crank_chart **out, crank_error *err)
{
    *out = NULL;
    crank_chart *c = eom->sizes.n > 0 && eom->sizes.v > 0 ? calloc(1, sizeof *c) : NULL;
    if (eom->sizes.n == 0 || eom->sizes.v == 0) {
        return CRANK_OK;
    }
    if (c != NULL) {
        c->eom = eom;
        layout(c, &c->arena);
    }
    if (c == NULL || !crank_arena_allocate(&c->arena)) {
        crank_chart_destroy(c);
        return crank_fail(err, CRANK_EMEM, "axes of %d normalisations", eom->sizes.n);
    }
    layout(c, &c->arena);
    find_groups(c);
    if (c->groups == 0 || !consecutive(c)) {
        crank_chart_destroy(c);
        return CRANK_OK;
    }
    for (int i = 0; i < eom->m; i++) {
        c->position[i] = -1;
    }
    describe(c);
    layout_lists(c, &c->lists);
    if (!crank_arena_allocate(&c->lists)) {
        crank_chart_destroy(c);
        return crank_fail(err, CRANK_EMEM, "axes of %d normalisations", eom->sizes.n);
    }
    layout_lists(c, &c->lists);
    describe(c);
    c->pattern = (crank_pattern){eom->m, eom->n, c->start, c->row};
    *out = c;
    return CRANK_OK;
}

void crank_chart_destroy(crank_chart *c)
{
    if (c != NULL) {
        crank_arena_free(&c->arena);
        crank_arena_free(&c->lists);
        free(c);
    }
}

/* ---- use ---- */

const crank_pattern *crank_chart_pattern(const crank_chart *c)
{
    return &c->pattern;
}

const double *crank_chart_values(const crank_chart *c)
{
    return c->values;
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* axis k from a direction, orthogonal to those that are known; false: it depends on them */
static bool set_axis(group *g, int k, const int *known, int count, const double *direction)
{
    double *axis = g->axis[k];
    const double length = sqrt(dot(g->size, direction, direction));
    memcpy(axis, direction, (size_t)g->size * sizeof *axis);
    for (int twice = 0; twice < 2; twice++) {
        for (int i = 0; i < count; i++) {
            const double part = dot(g->size, axis, g->axis[known[i]]);
            for (int c = 0; c < g->size; c++) {
                axis[c] -= part * g->axis[known[i]][c];
            }
        }
    }
    const double left = sqrt(dot(g->size, axis, axis));
    for (int c = 0; c < g->size && left > 0.0; c++) {
        axis[c] /= left;
    }
    return left > 0.1 * length; /* of unit vectors one always has more than half */
}

/* the same; if it depends on them, the first unit vector that does not */
static void find_axis(group *g, int k, const int *known, int count, double *direction)
{
    bool found = set_axis(g, k, known, count, direction);
    for (int unit = 0; unit < g->size && !found; unit++) {
        memset(direction, 0, (size_t)g->size * sizeof *direction);
        direction[unit] = 1.0;
        found = set_axis(g, k, known, count, direction);
    }
}

/* the norm's axis first */
static void update_axes(group *g, const double *jacobian)
{
    int known[LARGEST] = {g->size - 1};
    double direction[LARGEST];
    for (int c = 0; c < g->size; c++) {
        direction[c] = jacobian[g->slope[c]];
    }
    find_axis(g, g->size - 1, known, 0, direction);
    for (int k = 0; k < g->size - 1; k++) {
        for (int c = 0; c < g->size; c++) {
            direction[c] = g->rate[k][c] >= 0 ? jacobian[g->rate[k][c]] : 0.0;
        }
        find_axis(g, k, known, k + 1, direction);
        known[k + 1] = k;
    }
}

/* theory (2.31): along the norm's axis until they leave the norm as it is */
static void take_axes(group *g, const group *other, const double *jacobian)
{
    const int last = g->size - 1;
    double slope[LARGEST];
    for (int c = 0; c < g->size; c++) {
        slope[c] = jacobian[g->slope[c]];
    }
    memcpy(g->axis, other->axis, sizeof g->axis);
    for (int k = 0; k < last; k++) {
        const double part =
            dot(g->size, slope, other->axis[k]) / dot(g->size, slope, other->axis[last]);
        for (int c = 0; c < g->size; c++) {
            g->axis[k][c] -= part * other->axis[last][c];
        }
    }
}

void crank_chart_follow(crank_chart *c, const crank_chart *other)
{
    c->other = other;
}

void crank_chart_update(crank_chart *c, const double *jacobian)
{
    for (int i = 0; i < c->groups; i++) {
        if (c->other != NULL) {
            take_axes(&c->group[i], &c->other->group[i], jacobian);
        } else {
            update_axes(&c->group[i], jacobian);
        }
    }
    memset(c->values, 0, (size_t)c->entries * sizeof *c->values);
    for (int i = 0; i < c->same_count; i++) {
        c->values[c->same[i].to] = jacobian[c->same[i].from];
    }
    for (int i = 0; i < c->mixed_count; i++) {
        const mixed *row = &c->mixed[i];
        const group *g = &c->group[row->group];
        double entry[LARGEST] = {0.0};
        for (int k = 0; k < g->size; k++) {
            entry[k] = row->from[k] >= 0 ? jacobian[row->from[k]] : 0.0;
        }
        for (int k = 0; k < g->size; k++) {
            if (row->to[k] >= 0) {
                c->values[row->to[k]] = dot(g->size, entry, g->axis[k]);
            }
        }
    }
    for (int i = 0; i < c->turned_count; i++) {
        const turned *rows = &c->turned[i];
        const group *g = &c->group[rows->group];
        double entry[LARGEST];
        for (int k = 0; k < g->size; k++) {
            entry[k] = c->values[rows->at[k]];
        }
        for (int k = 0; k < g->size; k++) {
            c->values[rows->at[k]] = dot(g->size, entry, g->axis[k]);
        }
    }
}

void crank_chart_measure(const crank_chart *c, const double *unit, const double *weight,
                         double *unit_z, double *weight_z)
{
    memcpy(unit_z, unit, (size_t)c->eom->n * sizeof *unit);
    memcpy(weight_z, weight, (size_t)c->eom->n * sizeof *weight);
    for (int i = 0; i < c->groups; i++) {
        const group *g = &c->group[i];
        double largest = 0.0, welcome = 0.0;
        for (int k = 0; k < g->size; k++) {
            largest = fmax(largest, unit[g->column[k]]);
            welcome = fmax(welcome, weight[g->column[k]]);
        }
        for (int k = 0; k < g->size; k++) {
            unit_z[g->column[k]] = largest;
            weight_z[g->column[k]] = welcome;
        }
    }
}

void crank_chart_place(const crank_chart *c, const double *r, const int *place, double *out)
{
    for (int i = 0; i < c->groups; i++) {
        const group *g = &c->group[i];
        const int row = c->eom->row[CRANK_ROW_KIN] + g->column[0] - c->eom->column[CRANK_P];
        for (int k = 0; k < g->size; k++) {
            if (place[row + k] >= 0) {
                out[place[row + k]] = dot(g->size, r + row, g->axis[k]);
            }
        }
    }
}

void crank_chart_columns(const crank_chart *c, double *delta)
{
    for (int i = 0; i < c->groups; i++) {
        const group *g = &c->group[i];
        double *at = delta + g->column[0], sum[LARGEST] = {0.0};
        for (int k = 0; k < g->size; k++) {
            for (int p = 0; p < g->size; p++) {
                sum[p] += at[k] * g->axis[k][p];
            }
        }
        memcpy(at, sum, (size_t)g->size * sizeof *at);
    }
}

void crank_chart_turn(const crank_chart *c, int column, double (*turn)[3])
{
    const int p = column - c->eom->column[CRANK_P], i = c->group_of[p];
    if (i < 0) {
        return;
    }
    const group *g = &c->group[i];
    double by[LARGEST][3] = {{0.0}};
    for (int k = 0; k < g->size; k++) {
        for (int j = 0; j < g->size; j++) {
            for (int r = 0; r < 3; r++) {
                by[k][r] += g->axis[k][j] * turn[g->column[j] - column][r];
            }
        }
    }
    for (int k = 0; k < g->size; k++) {
        memcpy(turn[g->column[k] - column], by[k], sizeof by[k]);
    }
}

void crank_chart_archive(crank_chart *c, crank_archive *archive)
{
    crank_archive_check(archive, "groups with a norm", c->groups);
    for (int i = 0; i < c->groups; i++) {
        for (int k = 0; k < c->group[i].size; k++) {
            crank_archive_doubles(archive, c->group[i].axis[k], (size_t)c->group[i].size);
        }
    }
    crank_archive_doubles(archive, c->values, (size_t)c->entries);
}
