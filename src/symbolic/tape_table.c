/* tape_table.c - gives a tape its own copy of the tables that its instructions look up. */
// SPDX-License-Identifier: BSD-3-Clause
#include "symbolic/tape.h"

#include "linalg/tabulated.h"

#include <stdlib.h>
#include <string.h>

/* Numbers the tables in use in the order of their first use. Returns their number; *size: of
 * all their data. */
static int number_tables(const crank_pool *pool, crank_tape *tape, int *number, size_t *size)
{
    int count = 0;
    *size = 0;
    for (int i = 0; i < pool->table_count; i++) {
        number[i] = -1;
    }
    for (int i = 0; i < tape->instruction_count; i++) {
        tape_instruction *in = &tape->instruction[i];
        if (in->op != TAPE_TABLE) {
            continue;
        }
        const int table = in->number / TAPE_TABLE_ORDERS;
        if (number[table] < 0) {
            number[table] = count++;
            *size += crank_tabulated_size(pool->tables[table].rows);
        }
        in->number = TAPE_TABLE_ORDERS * number[table] + in->number % TAPE_TABLE_ORDERS;
    }
    return count;
}

bool crank_tape_copy_tables(const crank_pool *pool, crank_tape *tape)
{
    if (pool->table_count == 0) {
        return true;
    }
    int *number = malloc((size_t)pool->table_count * sizeof *number);
    if (number == NULL) {
        return false;
    }
    size_t size;
    const int count = number_tables(pool, tape, number, &size);
    if (count > 0) {
        tape->table = malloc((size_t)count * sizeof *tape->table);
        tape->table_data = malloc(size * sizeof *tape->table_data);
    }
    const bool ok = count == 0 || (tape->table != NULL && tape->table_data != NULL);
    double *to = tape->table_data;
    for (int i = 0; ok && i < pool->table_count; i++) {
        if (number[i] >= 0) {
            const ex_table *from = &pool->tables[i];
            memcpy(to, from->data, crank_tabulated_size(from->rows) * sizeof *to);
            tape->table[number[i]] = (tape_table){.rows = from->rows, .data = to};
            to += crank_tabulated_size(from->rows);
        }
    }
    free(number);
    return ok;
}
