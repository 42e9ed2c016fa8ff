/* pool.c - hash-consed storage of expressions: equal operators on equal operands are one
 * node, so that common subexpressions are found while building and equality is equality of
 * indices. */
// SPDX-License-Identifier: BSD-3-Clause
#include "symbolic/pool.h"
#include "base/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 256, MAX_CAPACITY = 1 << 29, NAME_BLOCK = 4096 };

struct ex_names {
    ex_names *next;
    size_t used, size;
    char data[];
};

/* ---- hashing ---- */

static uint64_t hash_number(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return crank_hash_word(crank_hash_word(1, bits),
                           bits >> 32); /* whole numbers have only zeros in their lower half */
}

static uint64_t hash_name(const char *name)
{
    uint64_t h = 2;
    for (const char *c = name; *c != '\0'; c++) {
        h = crank_hash_word(h, (uint64_t)(unsigned char)*c);
    }
    return h;
}

static uint64_t hash_call(crank_ex_op op, crank_ex a, crank_ex b, crank_ex c)
{
    return crank_hash_word(
        crank_hash_word(crank_hash_word(3 + (uint64_t)op, (uint64_t)a), (uint64_t)b),
        (uint64_t)c);
}

static uint64_t hash_node(const ex_node *n)
{
    if (n->op == CRANK_EX_NUMBER) {
        return hash_number(n->value);
    }
    if (n->op == CRANK_EX_SYMBOL) {
        return hash_name(n->name);
    }
    return hash_call(n->op, n->operand[0], n->operand[1], n->operand[2]);
}

static bool same_node(const ex_node *n, const ex_node *m)
{
    if (n->op != m->op) {
        return false;
    }
    if (n->op == CRANK_EX_NUMBER) {
        return n->value == m->value; /* NaN is never looked for */
    }
    if (n->op == CRANK_EX_SYMBOL) {
        return strcmp(n->name, m->name) == 0;
    }
    return n->operand[0] == m->operand[0] && n->operand[1] == m->operand[1] &&
           n->operand[2] == m->operand[2];
}

/* The place of the key in the table: its node, or the free slot where it belongs. */
static int find_slot(const crank_pool *pool, const ex_node *key)
{
    const int mask = pool->table_size - 1;
    int slot = (int)(hash_node(key) & (uint64_t)mask);
    while (pool->table[slot] >= 0 && !same_node(&pool->node[pool->table[slot]], key)) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

/* ---- growth ---- */

static bool resize(void *array, int count, size_t item)
{
    void *old;
    memcpy(&old, array, sizeof old);
    void *grown = realloc(old, (size_t)count * item);
    if (grown == NULL) {
        return false;
    }
    memcpy(array, &grown, sizeof grown);
    return true;
}

/* Room for one more node in all arrays and in the table (filled to one half at most). */
static bool grow(crank_pool *pool)
{
    if (pool->count < pool->capacity) {
        return true;
    }
    const int capacity = pool->capacity == 0 ? FIRST_CAPACITY : 2 * pool->capacity;
    if (capacity > MAX_CAPACITY) {
        return false;
    }
    int *table = malloc(2 * (size_t)capacity * sizeof *table);
    if (table == NULL || !resize(&pool->node, capacity, sizeof *pool->node) ||
        !resize(&pool->stamp, capacity, sizeof *pool->stamp) ||
        !resize(&pool->memo, capacity, sizeof *pool->memo) ||
        !resize(&pool->order, capacity, sizeof *pool->order) ||
        !resize(&pool->stack, capacity, sizeof *pool->stack) ||
        !resize(&pool->cursor, capacity, sizeof *pool->cursor)) {
        free(table);
        return false;
    }
    memset(pool->stamp + pool->capacity, 0,
           (size_t)(capacity - pool->capacity) * sizeof *pool->stamp);
    free(pool->table);
    pool->table = table;
    pool->table_size = 2 * capacity;
    pool->capacity = capacity;
    for (int i = 0; i < pool->table_size; i++) {
        table[i] = -1;
    }
    for (int e = 0; e < pool->count; e++) {
        table[find_slot(pool, &pool->node[e])] = e;
    }
    return true;
}

/* A copy of name that stays where it is until the pool is destroyed; NULL: out of memory. */
static const char *keep_name(crank_pool *pool, const char *name)
{
    const size_t size = strlen(name) + 1;
    ex_names *block = pool->names;
    if (block == NULL || block->size - block->used < size) {
        const size_t data = size > NAME_BLOCK ? size : NAME_BLOCK;
        block = malloc(sizeof *block + data);
        if (block == NULL) {
            return NULL;
        }
        block->next = pool->names;
        block->used = 0;
        block->size = data;
        pool->names = block;
    }
    char *copy = block->data + block->used;
    memcpy(copy, name, size);
    block->used += size;
    return copy;
}

static crank_ex out_of_memory(crank_pool *pool)
{
    pool->status = CRANK_EMEM;
    return EX_NAN;
}

static crank_ex insert(crank_pool *pool, const ex_node *key)
{
    int slot = find_slot(pool, key);
    if (pool->table[slot] >= 0) {
        return pool->table[slot];
    }
    ex_node node = *key;
    if (pool->count == pool->capacity) {
        if (!grow(pool)) {
            return out_of_memory(pool);
        }
        slot = find_slot(pool, key);
    }
    if (node.op == CRANK_EX_SYMBOL) {
        node.name = keep_name(pool, key->name);
        if (node.name == NULL) {
            return out_of_memory(pool);
        }
    }
    pool->node[pool->count] = node;
    pool->table[slot] = pool->count;
    return pool->count++;
}

/* ---- interface ---- */

crank_pool *crank_pool_create(void)
{
    crank_pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL || !grow(pool)) {
        crank_pool_destroy(pool);
        return NULL;
    }
    pool->status = CRANK_OK;
    insert(pool, &(ex_node){.op = CRANK_EX_NUMBER, .value = (double)NAN});
    return pool;
}

void crank_pool_destroy(crank_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    while (pool->names != NULL) {
        ex_names *next = pool->names->next;
        free(pool->names);
        pool->names = next;
    }
    crank_pool_free_tables(pool);
    free(pool->node);
    free(pool->table);
    free(pool->stamp);
    free(pool->memo);
    free(pool->order);
    free(pool->stack);
    free(pool->cursor);
    free(pool);
}

crank_status crank_pool_status(const crank_pool *pool)
{
    return pool->status;
}

int crank_pool_size(const crank_pool *pool)
{
    return pool->count;
}

crank_ex crank_pool_intern(crank_pool *pool, crank_ex_op op, crank_ex a, crank_ex b, crank_ex c)
{
    return insert(pool, &(ex_node){.op = op, .operand = {a, b, c}});
}

crank_ex crank_ex_number(crank_pool *pool, double value)
{
    if (isnan(value)) {
        return EX_NAN;
    }
    const double positive_zero = value + 0.0; /* -0.0 and 0.0 are one number */
    return insert(pool, &(ex_node){.op = CRANK_EX_NUMBER, .value = positive_zero});
}

crank_ex crank_ex_symbol(crank_pool *pool, const char *name)
{
    return insert(pool, &(ex_node){.op = CRANK_EX_SYMBOL, .name = name});
}

crank_ex crank_ex_find_symbol(const crank_pool *pool, const char *name)
{
    const ex_node key = {.op = CRANK_EX_SYMBOL, .name = name};
    return pool->table[find_slot(pool, &key)];
}

crank_ex_op crank_ex_get_op(const crank_pool *pool, crank_ex e)
{
    return pool->node[e].op;
}

crank_ex crank_ex_get_operand(const crank_pool *pool, crank_ex e, int i)
{
    return ex_is_leaf(pool, e) || i < 0 || i > 2 ? -1 : pool->node[e].operand[i];
}

bool crank_ex_is_number(const crank_pool *pool, crank_ex e, double *value)
{
    if (!ex_is_number(pool, e)) {
        return false;
    }
    if (value != NULL) {
        *value = pool->node[e].value;
    }
    return true;
}

bool crank_ex_is_value(const crank_pool *pool, crank_ex e, double value)
{
    return ex_is_number(pool, e) && pool->node[e].value == value;
}

bool crank_ex_is_integer(const crank_pool *pool, crank_ex e, int *value)
{
    if (!ex_is_number(pool, e)) {
        return false;
    }
    const double x = pool->node[e].value;
    if (!(fabs(x) <= (double)(1 << 30)) || x != floor(x)) {
        return false;
    }
    *value = (int)x;
    return true;
}

const char *crank_ex_symbol_name(const crank_pool *pool, crank_ex e)
{
    return ex_op(pool, e) == CRANK_EX_SYMBOL ? pool->node[e].name : NULL;
}
