/* table.c - tables as functions (linalg/tabulated.h) that belong to the pool.
 *
 * A node CRANK_EX_TABLE has the argument, the table's number and the order of the derivative as
 * operands; the last two are numbers, so that whatever walks over nodes or rebuilds them needs
 * to know nothing about tables. Tables of equal content are one. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/grow.h"
#include "symbolic/pool.h"

#include "linalg/tabulated.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Derivatives of higher order are zero. */
enum { MAX_ORDER = 3 };

/* bit by bit: what is not a number outside is the same, too */
static bool same_table(const ex_table *table, int rows, const crank_table_data *named,
                       const double *data)
{
    return table->rows == rows && table->named == named &&
           memcmp(table->data, data, crank_tabulated_size(rows) * sizeof *data) == 0;
}

/* The number of the table; -1: out of memory. Takes data. */
static int keep_table(crank_pool *pool, const crank_table_data *table, double *data)
{
    const crank_table_data *named = table->name != NULL ? table : NULL;
    for (int i = 0; i < pool->table_count; i++) {
        if (same_table(&pool->tables[i], table->rows, named, data)) {
            free(data);
            return i;
        }
    }
    ex_table *grown =
        crank_grow(pool->tables, pool->table_count, &pool->table_capacity, sizeof *grown);
    if (grown == NULL) {
        free(data);
        return -1;
    }
    pool->tables = grown;
    pool->tables[pool->table_count] =
        (ex_table){.rows = table->rows,
                   .smoothness = crank_tabulated_smoothness(table->way),
                   .named = named,
                   .data = data};
    return pool->table_count++;
}

void crank_pool_free_tables(crank_pool *pool)
{
    for (int i = 0; i < pool->table_count; i++) {
        free(pool->tables[i].data);
    }
    free(pool->tables);
}

int crank_ex_table_of(const crank_pool *pool, crank_ex e, int *order)
{
    *order = (int)pool->node[ex_operand(pool, e, 2)].value;
    return (int)pool->node[ex_operand(pool, e, 1)].value;
}

crank_ex crank_ex_table_node(crank_pool *pool, crank_ex argument, crank_ex table,
                             crank_ex order)
{
    const int k = (int)pool->node[order].value;
    if (k > MAX_ORDER) {
        return crank_ex_number(pool, 0.0);
    }
    if (ex_is_number(pool, argument)) {
        const ex_table *data = &pool->tables[(int)pool->node[table].value];
        const double value =
            crank_tabulated_evaluate(data->rows, data->data, k, pool->node[argument].value);
        if (isfinite(value)) {
            return crank_ex_number(pool, value);
        }
    }
    return crank_pool_intern(pool, CRANK_EX_TABLE, argument, table, order);
}

crank_ex crank_ex_table_derivative(crank_pool *pool, crank_ex e)
{
    const ex_node n = pool->node[e];
    const double order = pool->node[n.operand[2]].value;
    return order >= MAX_ORDER ? -1
                              : crank_ex_table_node(pool, n.operand[0], n.operand[1],
                                                    crank_ex_number(pool, order + 1.0));
}

crank_ex crank_ex_table(crank_pool *pool, const crank_table_data *table, crank_ex argument)
{
    const int rows = table->rows;
    const double *x = table->x, *y = table->y;
    assert(rows >= 2);
    if (rows == 2 &&
        table->way.outside == CRANK_EXTRAPOLATE) { /* y_0 + slope (argument - x_0) */
        const crank_ex slope = crank_ex_number(pool, (y[1] - y[0]) / (x[1] - x[0]));
        const crank_ex from = crank_ex_sub(pool, argument, crank_ex_number(pool, x[0]));
        return crank_ex_add(pool, crank_ex_number(pool, y[0]), crank_ex_mul(pool, slope, from));
    }
    double *data = malloc(crank_tabulated_size(rows) * sizeof *data);
    int kept = -1;
    if (data != NULL) {
        crank_tabulated_fit(table->way, rows, x, y, data);
        kept = keep_table(pool, table, data);
    }
    if (kept < 0) {
        pool->status = CRANK_EMEM;
        return EX_NAN;
    }
    const crank_ex number = crank_ex_number(pool, kept);
    return crank_ex_table_node(pool, argument, number, crank_ex_number(pool, 0.0));
}

crank_ex crank_ex_table_steps(crank_pool *pool, crank_ex e)
{
    int order;
    const ex_table *table = &pool->tables[crank_ex_table_of(pool, e, &order)];
    const crank_table_data of_steps = {.rows = table->rows,
                                       .way = {.interpolation = CRANK_LINEAR}};
    double *data = malloc(crank_tabulated_size(table->rows) * sizeof *data);
    if (data == NULL) {
        pool->status = CRANK_EMEM;
        return -1;
    }
    if (crank_tabulated_steps(table->rows, table->data, order, data) == 0) {
        free(data);
        return -1;
    }
    const int kept = keep_table(pool, &of_steps, data);
    if (kept < 0) {
        pool->status = CRANK_EMEM;
        return -1;
    }
    return crank_ex_table_node(pool, ex_operand(pool, e, 0), crank_ex_number(pool, kept),
                               crank_ex_number(pool, 0.0));
}

bool crank_ex_table_is_smooth(const crank_pool *pool, crank_ex e)
{
    int order;
    const int table = crank_ex_table_of(pool, e, &order);
    return order < pool->tables[table].smoothness;
}

crank_ex crank_ex_find_corner(crank_pool *pool, crank_ex e, const crank_table_data **named,
                              double *jump, double *at)
{
    crank_pool_begin_visit(pool);
    crank_pool_visit(pool, e);
    for (int i = 0; i < pool->order_count; i++) {
        const crank_ex part = pool->order[i];
        int order = 1;
        if (ex_op(pool, part) != CRANK_EX_TABLE) {
            continue;
        }
        const ex_table *table = &pool->tables[crank_ex_table_of(pool, part, &order)];
        *jump = order == 0 ? crank_tabulated_corner(table->rows, table->data, at) : 0.0;
        if (*jump > 0.0) {
            *named = table->named;
            return ex_operand(pool, part, 0);
        }
    }
    return -1;
}

crank_ex crank_ex_named_table(const crank_pool *pool, crank_ex e,
                              const crank_table_data **table)
{
    int order = 1;
    if (ex_op(pool, e) != CRANK_EX_TABLE) {
        return -1;
    }
    *table = pool->tables[crank_ex_table_of(pool, e, &order)].named;
    return order == 0 && *table != NULL ? ex_operand(pool, e, 0) : -1;
}

void crank_pool_set_tables(crank_pool *pool, crank_ex_table_fn *find, void *user)
{
    pool->find_table = find;
    pool->find_user = user;
}
