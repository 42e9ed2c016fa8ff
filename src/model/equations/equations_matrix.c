/* equations_matrix.c - mass and kinematics: rows of expressions, a diagonal, or named entries.
 *
 * All become lists of non-zero entries sorted by row and column. A named entry (a, b) of the
 * mass matrix stands for (b, a) as well, unless that is given too, if only as a zero. Without
 * `kinematics` each velocity says with `of` whose rate it is, and Z is a permutation. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "model/equations/equations.h"
#include "model/keys.h"

#include "base/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OBJECT = 128 };

typedef struct matrix {
    const char *word; /* "mass", "kinematics" */
    crank_group rows, columns;
    int allowed; /* names in expressions */
    bool symmetric;
    crank_entries *out;
} matrix;

/* "1 entry", "2 entries" */
static const char *plural(int count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

static crank_status fail_count(const crank_node *node, const char *object, const char *what,
                               int expected, crank_group group, crank_error *err)
{
    return crank_fail_at(err, CRANK_EMODEL, node->line, node->column, "%s: %d %s for %d %s",
                         object, node->count, what, expected,
                         group == CRANK_P ? plural(expected, "position", "positions")
                                          : plural(expected, "velocity", "velocities"));
}

static crank_status expect_list(const crank_node *node, const char *object, crank_error *err)
{
    if (node->kind == CRANK_NODE_SEQUENCE) {
        return CRANK_OK;
    }
    return crank_fail_at(err, CRANK_EMODEL, node->line, node->column,
                         "%s: %s where a list is expected", object, crank_node_describe(node));
}

static crank_status make_room(crank_equations *e, const matrix *m, size_t count,
                              crank_error *err)
{
    m->out->count = 0;
    m->out->entry = crank_store_take(e->store, count, sizeof *m->out->entry);
    return m->out->entry != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "%s", m->word);
}

static bool is_zero(const crank_equations *e, crank_ex ex)
{
    return crank_ex_is_value(e->pool, ex, 0.0);
}

/* appends the entry; explicit zeros are dropped at the end, once they have said what they
 * say */
static crank_status read_entry(crank_equations *e, const matrix *m, int row, int column,
                               const crank_node *node, crank_error *err)
{
    char object[OBJECT];
    crank_ex ex = 0;
    snprintf(object, sizeof object, "%s (%.40s, %.40s)", m->word,
             e->variable[m->rows][row].name, e->variable[m->columns][column].name);
    const crank_status status = crank_read_expression(e, node, m->allowed, object, &ex, err);
    if (status != CRANK_OK) {
        return status;
    }
    m->out->entry[m->out->count++] = (crank_entry){row, column, ex};
    if (!is_zero(e, ex)) {
        crank_definitions_bake(e, ex); /* what is singular, or constant, is decided once */
    }
    return CRANK_OK;
}

static void drop_zeros(const crank_equations *e, const matrix *m)
{
    int kept = 0;
    for (int i = 0; i < m->out->count; i++) {
        if (!is_zero(e, m->out->entry[i].ex)) {
            m->out->entry[kept++] = m->out->entry[i];
        }
    }
    m->out->count = kept;
}

static crank_status read_rows(crank_equations *e, const matrix *m, const crank_node *node,
                              crank_error *err)
{
    const int rows = e->count[m->rows], columns = e->count[m->columns];
    if (node->count != rows) {
        return fail_count(node, m->word, plural(node->count, "row", "rows"), rows, m->rows,
                          err);
    }
    size_t total = 0;
    for (int i = 0; i < rows; i++) {
        char object[OBJECT];
        const crank_node *row = node->item[i];
        snprintf(object, sizeof object, "%s, row %d", m->word, i + 1);
        const crank_status status = expect_list(row, object, err);
        if (status != CRANK_OK) {
            return status;
        }
        if (row->count != columns) {
            return fail_count(row, object, plural(row->count, "entry", "entries"), columns,
                              m->columns, err);
        }
        for (int j = 0; j < columns; j++) {
            const crank_node *item = row->item[j];
            total += item->kind != CRANK_NODE_SCALAR || strcmp(item->text, "0") != 0;
        }
    }
    crank_status status = make_room(e, m, total, err);
    for (int i = 0; i < rows && status == CRANK_OK; i++) {
        for (int j = 0; j < columns && status == CRANK_OK; j++) {
            const crank_node *item = node->item[i]->item[j];
            if (item->kind != CRANK_NODE_SCALAR || strcmp(item->text, "0") != 0) {
                status = read_entry(e, m, i, j, item, err);
            }
        }
    }
    return status;
}

static crank_status read_diagonal(crank_equations *e, const matrix *m, const crank_node *node,
                                  crank_error *err)
{
    crank_status status = expect_list(node, "mass, diagonal", err);
    if (status != CRANK_OK) {
        return status;
    }
    if (node->count != e->count[m->rows]) {
        return fail_count(node, "mass, diagonal", plural(node->count, "entry", "entries"),
                          e->count[m->rows], m->rows, err);
    }
    status = make_room(e, m, (size_t)node->count, err);
    for (int i = 0; i < node->count && status == CRANK_OK; i++) {
        status = read_entry(e, m, i, i, node->item[i], err);
    }
    return status;
}

/* ---- named entries ---- */

int crank_read_variable(crank_equations *e, const crank_node *node, crank_group group,
                        const char *object, crank_error *err)
{
    const char *word = e->general ? "variable" : crank_group_word[group];
    if (node->kind != CRANK_NODE_SCALAR) {
        crank_fail_at(err, CRANK_EMODEL, node->line, node->column,
                      "%s: %s where the name of a %s is expected", object,
                      crank_node_describe(node), word);
        return -1;
    }
    const crank_name *name = crank_names_find(e, node->text);
    if (name != NULL && name->kind == (int)group) {
        return name->index;
    }
    const char *near = crank_names_suggest(e, node->text, 1 << group);
    crank_fail_at(err, CRANK_EMODEL, node->line, node->column,
                  "%s: \"%.80s\" is not a %s%s%s%s", object, node->text, word,
                  near != NULL ? "; did you mean \"" : "", near != NULL ? near : "",
                  near != NULL ? "\"?" : "");
    return -1;
}

static int compare_entries(const void *a, const void *b)
{
    const crank_entry *x = a, *y = b;
    return x->row != y->row ? x->row - y->row : x->column - y->column;
}

static void sort(crank_entries *list)
{
    if (list->count > 1) {
        qsort(list->entry, (size_t)list->count, sizeof *list->entry, compare_entries);
    }
}

static crank_status check_twice(const crank_equations *e, const matrix *m,
                                const crank_node *node, crank_error *err)
{
    sort(m->out);
    for (int i = 1; i < m->out->count; i++) {
        const crank_entry *x = &m->out->entry[i];
        if (compare_entries(x - 1, x) == 0) {
            return crank_fail_at(err, CRANK_EMODEL, node->line, node->column,
                                 "%s: the entry (%.40s, %.40s) is given twice", m->word,
                                 e->variable[m->rows][x->row].name,
                                 e->variable[m->columns][x->column].name);
        }
    }
    return CRANK_OK;
}

/* adds (b, a) for every (a, b) whose counterpart is missing; there is room for twice the
 * entries */
static void mirror(const matrix *m)
{
    const int given = m->out->count;
    for (int i = 0; i < given; i++) {
        const crank_entry *x = &m->out->entry[i];
        const crank_entry other = {x->column, x->row, x->ex};
        if (bsearch(&other, m->out->entry, (size_t)given, sizeof other, compare_entries) ==
            NULL) {
            m->out->entry[m->out->count++] = other;
        }
    }
    sort(m->out);
}

static crank_status read_entries(crank_equations *e, const matrix *m, const crank_node *node,
                                 crank_error *err)
{
    char object[OBJECT];
    snprintf(object, sizeof object, "%s, entries", m->word);
    crank_status status = expect_list(node, object, err);
    CRANK_THEN(status, make_room(e, m, 2 * (size_t)node->count, err));
    for (int k = 0; k < node->count && status == CRANK_OK; k++) {
        const crank_node *item = node->item[k];
        snprintf(object, sizeof object, "%s, entry %d", m->word, k + 1);
        if (item->kind != CRANK_NODE_SEQUENCE || item->count != 3) {
            return crank_fail_at(err, CRANK_EMODEL, item->line, item->column,
                                 "%s: [%s, %s, expression] is expected", object,
                                 crank_group_word[m->rows], crank_group_word[m->columns]);
        }
        const int row = crank_read_variable(e, item->item[0], m->rows, object, err);
        const int column =
            row < 0 ? -1 : crank_read_variable(e, item->item[1], m->columns, object, err);
        if (column < 0) {
            return CRANK_EMODEL;
        }
        status = read_entry(e, m, row, column, item->item[2], err);
    }
    CRANK_THEN(status, check_twice(e, m, node, err));
    if (status == CRANK_OK && m->symmetric) {
        mirror(m);
    }
    return status;
}

static crank_status read_form(crank_equations *e, const matrix *m, const crank_node *node,
                              crank_error *err)
{
    if (node->kind == CRANK_NODE_SEQUENCE) {
        return read_rows(e, m, node, err);
    }
    if (node->kind != CRANK_NODE_MAPPING) {
        return expect_list(node, m->word, err);
    }
    const crank_status status = crank_keys_check(m->word, m->word, node, err);
    if (status != CRANK_OK) {
        return status;
    }
    if (node->count != 1) {
        return crank_fail_at(err, CRANK_EMODEL, node->line, node->column,
                             "%s: %s, give one of %s", m->word,
                             node->count == 0 ? "nothing" : "several forms",
                             m->symmetric ? "rows, diagonal or entries" : "rows or entries");
    }
    if (strcmp(node->key[0]->text, "diagonal") == 0) {
        return read_diagonal(e, m, node->item[0], err);
    }
    return read_entries(e, m, node->item[0], err);
}

static crank_status read_matrix(crank_equations *e, const matrix *m, const crank_node *node,
                                crank_error *err)
{
    const crank_status status = read_form(e, m, node, err);
    if (status == CRANK_OK) {
        drop_zeros(e, m);
    }
    return status;
}

crank_status crank_read_mass(crank_equations *e, const crank_node *node, crank_error *err)
{
    const matrix m = {"mass", CRANK_V, CRANK_V, CRANK_USE_POSITION_LEVEL, true, &e->mass};
    const bool given = node != NULL && !crank_node_is_empty(node);
    if (!given && e->count[CRANK_V] > 0) {
        const crank_node *at = e->variable[CRANK_V][0].key;
        return crank_fail_at(err, CRANK_EMODEL, at->line, at->column,
                             "mass: missing; %d %s need a mass matrix", e->count[CRANK_V],
                             plural(e->count[CRANK_V], "velocity", "velocities"));
    }
    return given ? read_matrix(e, &m, node, err) : CRANK_OK;
}

/* ---- kinematics ---- */

/* Z from the `of` of each velocity */
static crank_status read_rates(crank_equations *e, crank_error *err)
{
    const int np = e->count[CRANK_P], nv = e->count[CRANK_V];
    const matrix m = {"kinematics", CRANK_P, CRANK_V, 0, false, &e->kinematics};
    int *rate_of = crank_store_take(e->store, (size_t)np, sizeof *rate_of); /* velocity + 1 */
    const crank_status status = make_room(e, &m, (size_t)nv, err);
    if (rate_of == NULL || status != CRANK_OK) {
        return crank_fail(err, CRANK_EMEM, "kinematics");
    }
    for (int j = 0; j < nv; j++) {
        const crank_variable *v = &e->variable[CRANK_V][j];
        char object[OBJECT];
        snprintf(object, sizeof object, "velocity \"%.80s\"", v->name);
        const crank_node *of =
            v->node->kind == CRANK_NODE_MAPPING ? crank_node_find(v->node, "of") : NULL;
        if (of == NULL) {
            return crank_fail_at(
                err, CRANK_EMODEL, v->key->line, v->key->column,
                "%s: \"of\" is missing: the position whose rate it is (or give "
                "\"kinematics\")",
                object);
        }
        const int i = crank_read_variable(e, of, CRANK_P, object, err);
        if (i < 0) {
            return CRANK_EMODEL;
        }
        if (rate_of[i] != 0) {
            return crank_fail_at(err, CRANK_EMODEL, of->line, of->column,
                                 "%s: the rate of \"%.80s\" is already \"%.80s\"", object,
                                 of->text, e->variable[CRANK_V][rate_of[i] - 1].name);
        }
        rate_of[i] = j + 1;
        e->kinematics.entry[e->kinematics.count++] =
            (crank_entry){i, j, crank_ex_number(e->pool, 1.0)};
    }
    for (int i = 0; i < np; i++) {
        if (rate_of[i] == 0) {
            const crank_variable *p = &e->variable[CRANK_P][i];
            return crank_fail_at(err, CRANK_EMODEL, p->key->line, p->key->column,
                                 "position \"%.80s\": no velocity is its rate", p->name);
        }
    }
    sort(&e->kinematics);
    return CRANK_OK;
}

crank_status crank_read_kinematics(crank_equations *e, const crank_node *node, crank_error *err)
{
    const matrix m = {"kinematics", CRANK_P,       CRANK_V, CRANK_USE_PARAMETERS | CRANK_USE_P,
                      false,        &e->kinematics};
    if (node == NULL || crank_node_is_empty(node)) {
        return read_rates(e, err);
    }
    for (int j = 0; j < e->count[CRANK_V]; j++) {
        const crank_variable *v = &e->variable[CRANK_V][j];
        const crank_node *of =
            v->node->kind == CRANK_NODE_MAPPING ? crank_node_find(v->node, "of") : NULL;
        if (of != NULL) {
            return crank_fail_at(err, CRANK_EMODEL, of->line, of->column,
                                 "velocity \"%.80s\": both \"of\" and \"kinematics\"", v->name);
        }
    }
    return read_matrix(e, &m, node, err);
}
