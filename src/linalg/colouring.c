/* colouring.c - greedy colouring of the column intersection graph of a sparse matrix [CM83].
 *
 * Two columns are neighbours if they have a row in common. Columns are visited with the
 * fullest first; each takes the smallest colour that none of its neighbours has. At least as
 * many colours are needed as the fullest row has entries. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/colouring.h"

#include <stdlib.h>

typedef struct colouring {
    int *row_start; /* the pattern by rows */
    int *row_column;
    int *order;  /* columns, fullest first */
    int *tally;  /* counts for sorting */
    int *banned; /* last column that a colour was banned for, +1 */
} colouring;

static void release(colouring *c)
{
    free(c->row_start);
    free(c->row_column);
    free(c->order);
    free(c->tally);
    free(c->banned);
}

/* Compressed rows, columns rising in each. Returns the entries of the fullest row. */
static int transpose(const crank_pattern *p, int *start, int *column)
{
    const int entries = p->start[p->columns];
    for (int k = 0; k < entries; k++) {
        start[p->row[k] + 1]++;
    }
    int fullest = 0;
    for (int i = 0; i < p->rows; i++) {
        fullest = start[i + 1] > fullest ? start[i + 1] : fullest;
        start[i + 1] += start[i];
    }
    for (int j = 0; j < p->columns; j++) {
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            column[start[p->row[k]]++] = j;
        }
    }
    for (int i = p->rows; i > 0; i--) {
        start[i] = start[i - 1];
    }
    start[0] = 0;
    return fullest;
}

/* Counting sort by falling number of entries; columns of equal count stay in order. */
static void sort_columns(const crank_pattern *p, int *order, int *tally)
{
    for (int j = 0; j < p->columns; j++) {
        tally[p->rows - (p->start[j + 1] - p->start[j]) + 1]++;
    }
    for (int i = 0; i <= p->rows; i++) {
        tally[i + 1] += tally[i];
    }
    for (int j = 0; j < p->columns; j++) {
        order[tally[p->rows - (p->start[j + 1] - p->start[j])]++] = j;
    }
}

static int colour_columns(const crank_pattern *p, const colouring *c, int *colour)
{
    int count = 0;
    for (int l = 0; l < p->columns; l++) {
        const int j = c->order[l];
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            const int i = p->row[k];
            for (int q = c->row_start[i]; q < c->row_start[i + 1]; q++) {
                const int neighbour = colour[c->row_column[q]];
                if (neighbour >= 0) {
                    c->banned[neighbour] = j + 1;
                }
            }
        }
        int free_colour = 0;
        while (free_colour < count && c->banned[free_colour] == j + 1) {
            free_colour++;
        }
        colour[j] = free_colour;
        count = free_colour + 1 > count ? free_colour + 1 : count;
    }
    return count;
}

crank_status crank_colouring(const crank_pattern *pattern, int *colour, int *count,
                             crank_error *err)
{
    const int columns = pattern->columns;
    const size_t entries = (size_t)pattern->start[columns];
    colouring c = {
        .row_start = calloc((size_t)pattern->rows + 2, sizeof(int)),
        .row_column = calloc(entries + 1, sizeof(int)),
        .order = calloc((size_t)columns + 1, sizeof(int)),
        .tally = calloc((size_t)pattern->rows + 3, sizeof(int)),
        .banned = calloc((size_t)columns + 1, sizeof(int)),
    };
    if (c.row_start == NULL || c.row_column == NULL || c.order == NULL || c.tally == NULL ||
        c.banned == NULL) {
        release(&c);
        return crank_fail(err, CRANK_EMEM, "colouring of %d columns", columns);
    }
    if (transpose(pattern, c.row_start, c.row_column) == columns) {
        for (int j = 0; j < columns; j++) { /* a full row: every column is on its own */
            colour[j] = j;
        }
        *count = columns;
    } else {
        for (int j = 0; j < columns; j++) {
            colour[j] = -1;
        }
        sort_columns(pattern, c.order, c.tally);
        *count = colour_columns(pattern, &c, colour);
    }
    release(&c);
    return CRANK_OK;
}
