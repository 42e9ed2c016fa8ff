/* rowspace_order.c - the order in which rows are eliminated: see rowspace.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rowspace_inside.h"

#include <colamd.h>
#include <stdlib.h>
#include <string.h>

int *crank_rowspace_ints(int count)
{
    return calloc((size_t)(count > 0 ? count : 1), sizeof(int));
}

/* Rows with a column that no other remaining row has: eliminated first they cause no fill at
 * all, and removing them makes more of their kind (from the tips of trees to their roots).
 * Appends them to order, marks them in taken; returns the number in order, -1: out of
 * memory. */
static int take_singletons(crank_rowspace *s, bool *taken, int next)
{
    const int entries = s->start[s->rows];
    int *count = crank_rowspace_ints(s->columns), *sum = crank_rowspace_ints(s->columns),
        *queue = crank_rowspace_ints(entries + 1);
    int head = 0, tail = 0;
    if (count == NULL || sum == NULL || queue == NULL) {
        next = -1;
        goto done;
    }
    for (int i = 0; i < s->rows; i++) {
        for (int e = s->start[i]; e < s->start[i + 1] && !taken[i]; e++) {
            count[s->column[e]]++;
            sum[s->column[e]] += i; /* of a singleton: its row */
        }
    }
    for (int j = 0; j < s->columns; j++) {
        if (count[j] == 1) {
            queue[tail++] = sum[j];
        }
    }
    while (head < tail) {
        const int i = queue[head++];
        if (taken[i]) {
            continue;
        }
        taken[i] = true;
        s->order[next++] = i;
        for (int e = s->start[i]; e < s->start[i + 1]; e++) {
            const int j = s->column[e];
            count[j]--;
            sum[j] -= i;
            if (count[j] == 1) {
                queue[tail++] = sum[j];
            }
        }
    }
done:
    free(count);
    free(sum);
    free(queue);
    return next;
}

/* the remaining rows in COLAMD's fill-reducing order (columns of the transpose) */
static bool take_rest(crank_rowspace *s, const bool *taken, int next)
{
    const int entries = s->start[s->rows];
    const size_t length = colamd_recommended(entries, s->columns, s->rows);
    int *work = malloc((length > 0 ? length : 1) * sizeof *work),
        *heads = crank_rowspace_ints(s->rows + 1);
    int statistics[COLAMD_STATS];
    const bool fine = work != NULL && heads != NULL && length > 0;
    if (fine) {
        memcpy(work, s->column, (size_t)entries * sizeof *work);
        memcpy(heads, s->start, (size_t)(s->rows + 1) * sizeof *heads);
        const bool ordered =
            colamd(s->columns, s->rows, (int)length, work, heads, NULL, statistics) != 0;
        for (int i = 0; i < s->rows; i++) {
            const int row = ordered ? heads[i] : i;
            if (!taken[row]) {
                s->order[next++] = row;
            }
        }
    }
    free(work);
    free(heads);
    return fine;
}

/* order of elimination: own rows, rows with singleton columns (they depend on no other row),
 * the rest */
bool crank_rowspace_order(crank_rowspace *s, bool natural)
{
    for (int i = 0; i < s->rows; i++) {
        s->order[i] = i;
    }
    if (s->rows < 3) {
        return true;
    }
    bool *taken = calloc((size_t)s->rows, sizeof *taken);
    bool fine = taken != NULL;
    if (fine) {
        for (int i = 0; i < s->own_rows; i++) {
            taken[i] = true;
        }
        int next = take_singletons(s, taken, s->own_rows);
        fine = next >= 0 && (natural || take_rest(s, taken, next));
        for (int i = 0; i < s->rows && fine && natural; i++) {
            if (!taken[i]) {
                s->order[next++] = i;
            }
        }
    }
    free(taken);
    return fine;
}
