/* rowspace.c - sparse rank-revealing elimination of a wide matrix; see rowspace.h.
 *
 * Reduced row k is kept as a sparse vector over the columns; an arc k -> l exists if row k has an entry
 * in the pivot column of row l (l > k). A depth-first search from the entries of a new row gives the
 * rows to subtract in topological order [GP88]. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rowspace.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <colamd.h>

struct crank_rowspace {
    int rows, columns, own_rows, own_columns;
    int *start, *column; /* pattern of the matrix */
    int *order;          /* order of elimination */
    int *pivot;          /* rows: pivot column or -1 */
    int *previous;       /* rows: pivot of the elimination before */
    int *reason;         /* rows */
    int *owner;          /* columns: step whose pivot it is, or -1 */
    bool *preferred;     /* columns */
    bool *was_preferred;
    /* reduced rows, by step */
    int *step_row, *reduced_start;
    int *reduced_column;
    double *reduced_value;
    int capacity;
    /* work */
    double *dense;       /* columns */
    int *mark;           /* columns: stamp of the row being reduced */
    int *touched;        /* columns with an entry */
    int *visited;        /* rows (steps): stamp */
    int *stack, *position, *topological; /* rows */
    int stamp, steps;
    double smallest;
    int smallest_row;
    bool changed, any;
};

static int *ints(int count)
{
    return calloc((size_t)(count > 0 ? count : 1), sizeof(int));
}

/* fill-reducing order of the rows (columns of the transpose); own rows stay first */
static bool find_order(crank_rowspace *s, bool natural)
{
    for (int i = 0; i < s->rows; i++) {
        s->order[i] = i;
    }
    if (natural || s->rows < 3) {
        return true;
    }
    const int entries = s->start[s->rows];
    const size_t length = colamd_recommended(entries, s->columns, s->rows);
    int *work = malloc(length * sizeof *work), *heads = ints(s->rows + 1);
    int statistics[COLAMD_STATS];
    bool fine = work != NULL && heads != NULL && length > 0;
    if (fine) {
        memcpy(work, s->column, (size_t)entries * sizeof *work);
        memcpy(heads, s->start, (size_t)(s->rows + 1) * sizeof *heads);
        if (colamd(s->columns, s->rows, (int)length, work, heads, NULL, statistics)) {
            int next = 0;
            for (int pass = 0; pass < 2; pass++) {
                for (int i = 0; i < s->rows; i++) {
                    if ((heads[i] < s->own_rows) == (pass == 0)) {
                        s->order[next++] = heads[i];
                    }
                }
            }
        }
    }
    free(work);
    free(heads);
    return fine;
}

crank_status crank_rowspace_create(int rows, int columns, const int *start, const int *column,
                                   int own_rows, int own_columns, bool natural,
                                   crank_rowspace **out, crank_error *err)
{
    *out = NULL;
    crank_rowspace *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return crank_fail(err, CRANK_EMEM, "elimination of %d rows", rows);
    }
    *s = (crank_rowspace){.rows = rows, .columns = columns, .own_rows = own_rows, .own_columns = own_columns};
    const int entries = start[rows];
    s->capacity = 4 * entries + 16;
    s->start = ints(rows + 1);
    s->column = ints(entries);
    s->order = ints(rows);
    s->pivot = ints(rows);
    s->previous = ints(rows);
    s->reason = ints(rows);
    s->owner = ints(columns);
    s->preferred = calloc((size_t)columns + 1, sizeof(bool));
    s->was_preferred = calloc((size_t)columns + 1, sizeof(bool));
    s->step_row = ints(rows);
    s->reduced_start = ints(rows + 1);
    s->reduced_column = ints(s->capacity);
    s->reduced_value = calloc((size_t)s->capacity, sizeof(double));
    s->dense = calloc((size_t)columns + 1, sizeof(double));
    s->mark = ints(columns);
    s->touched = ints(columns);
    s->visited = ints(rows);
    s->stack = ints(rows);
    s->position = ints(rows);
    s->topological = ints(rows);
    const bool fine = s->start && s->column && s->order && s->pivot && s->previous && s->reason &&
                      s->owner && s->preferred && s->was_preferred && s->step_row && s->reduced_start &&
                      s->reduced_column && s->reduced_value && s->dense && s->mark && s->touched &&
                      s->visited && s->stack && s->position && s->topological;
    if (fine) {
        memcpy(s->start, start, (size_t)(rows + 1) * sizeof *start);
        memcpy(s->column, column, (size_t)entries * sizeof *column);
    }
    if (!fine || !find_order(s, natural)) {
        crank_rowspace_destroy(s);
        return crank_fail(err, CRANK_EMEM, "elimination of %d rows", rows);
    }
    *out = s;
    return CRANK_OK;
}

void crank_rowspace_destroy(crank_rowspace *s)
{
    if (s == NULL) {
        return;
    }
    int *const integers[] = {s->start,     s->column,        s->order,          s->pivot,
                             s->previous,  s->reason,        s->owner,          s->step_row,
                             s->reduced_start, s->reduced_column, s->mark,      s->touched,
                             s->visited,   s->stack,         s->position,       s->topological};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        free(integers[i]);
    }
    free(s->preferred);
    free(s->was_preferred);
    free(s->reduced_value);
    free(s->dense);
    free(s);
}

/* depth-first search from one step; finished steps are put in front of topological[*top..] */
static void search(crank_rowspace *s, int from, int *top)
{
    int depth = 0;
    s->stack[0] = from;
    s->position[0] = s->reduced_start[from];
    s->visited[from] = s->stamp;
    while (depth >= 0) {
        const int k = s->stack[depth];
        int next = -1;
        while (s->position[depth] < s->reduced_start[k + 1] && next < 0) {
            const int step = s->owner[s->reduced_column[s->position[depth]++]];
            if (step >= 0 && step != k && s->visited[step] != s->stamp) {
                next = step;
            }
        }
        if (next >= 0) {
            s->visited[next] = s->stamp;
            depth++;
            s->stack[depth] = next;
            s->position[depth] = s->reduced_start[next];
        } else {
            s->topological[--*top] = k;
            depth--;
        }
    }
}

static void touch(crank_rowspace *s, int j, int *count)
{
    if (s->mark[j] != s->stamp) {
        s->mark[j] = s->stamp;
        s->dense[j] = 0.0;
        s->touched[(*count)++] = j;
    }
}

/* the row minus its multiples of earlier ones, scattered in dense; returns the number of entries */
static int reduce(crank_rowspace *s, int row, const double *values, double scale)
{
    int count = 0, top = s->rows, strongest = -1;
    double strength = 0.0;
    if (s->stamp == INT_MAX) {
        memset(s->mark, 0, (size_t)s->columns * sizeof *s->mark);
        memset(s->visited, 0, (size_t)s->rows * sizeof *s->visited);
        s->stamp = 0;
    }
    s->stamp++;
    for (int e = s->start[row]; e < s->start[row + 1]; e++) {
        touch(s, s->column[e], &count);
        s->dense[s->column[e]] += values[e] * scale;
        const int step = s->owner[s->column[e]];
        if (step >= 0 && s->visited[step] != s->stamp) {
            search(s, step, &top);
        }
    }
    for (int i = top; i < s->rows; i++) {
        const int k = s->topological[i], begin = s->reduced_start[k];
        const int pivot = s->pivot[s->step_row[k]];
        touch(s, pivot, &count);
        const double factor = s->dense[pivot]; /* pivot entries are stored as one */
        if (factor == 0.0) {
            continue;
        }
        if (fabs(factor) > strength) {
            strength = fabs(factor);
            strongest = s->step_row[k];
        }
        for (int e = begin; e < s->reduced_start[k + 1]; e++) {
            touch(s, s->reduced_column[e], &count);
            s->dense[s->reduced_column[e]] -= factor * s->reduced_value[e];
        }
        s->dense[pivot] = 0.0;
    }
    s->reason[row] = strongest;
    return count;
}

/* pivot among the touched columns without owner; the size of the largest one, unweighted, is written too */
static int choose(const crank_rowspace *s, int row, int count, const double *weight, double preference,
                  double *largest)
{
    int best = -1, kept = -1;
    double kept_size = 0.0, best_size = 0.0;
    *largest = 0.0;
    for (int i = 0; i < count; i++) {
        const int j = s->touched[i];
        if (s->owner[j] >= 0 || (row < s->own_rows && j >= s->own_columns)) {
            continue;
        }
        const double size = fabs(s->dense[j]) * (weight != NULL ? weight[j] : 1.0);
        *largest = fmax(*largest, fabs(s->dense[j]));
        if (size > best_size) {
            best_size = size;
            best = j;
        }
        if (s->was_preferred[j] && size > kept_size) {
            kept_size = size;
            kept = j;
        }
    }
    return kept >= 0 && kept_size >= preference * best_size ? kept : best;
}

/* appends the reduced row divided by its pivot; false: out of memory */
static bool keep_row(crank_rowspace *s, int row, int pivot, int count)
{
    const int used = s->reduced_start[s->steps];
    if (used + count > s->capacity) {
        const int capacity = 2 * s->capacity + count;
        int *columns = realloc(s->reduced_column, (size_t)capacity * sizeof *columns);
        s->reduced_column = columns != NULL ? columns : s->reduced_column;
        double *values = realloc(s->reduced_value, (size_t)capacity * sizeof *values);
        s->reduced_value = values != NULL ? values : s->reduced_value;
        if (columns == NULL || values == NULL) {
            return false;
        }
        s->capacity = capacity;
    }
    const double inverse = 1.0 / s->dense[pivot];
    int end = used;
    for (int i = 0; i < count; i++) {
        const int j = s->touched[i];
        if (s->owner[j] < 0 && s->dense[j] != 0.0) {
            s->reduced_column[end] = j;
            s->reduced_value[end++] = s->dense[j] * inverse;
        }
    }
    s->owner[pivot] = s->steps;
    s->pivot[row] = pivot;
    s->reason[row] = -1;
    s->step_row[s->steps++] = row;
    s->reduced_start[s->steps] = end;
    return true;
}

int crank_rowspace_eliminate(crank_rowspace *s, const double *values, const double *scale,
                             const double *weight, double tolerance, double preference)
{
    memcpy(s->previous, s->pivot, (size_t)s->rows * sizeof *s->pivot);
    memcpy(s->was_preferred, s->preferred, (size_t)s->columns * sizeof *s->preferred);
    memset(s->preferred, 0, (size_t)s->columns * sizeof *s->preferred);
    for (int j = 0; j < s->columns; j++) {
        s->owner[j] = -1;
    }
    s->steps = 0;
    s->smallest = (double)INFINITY;
    s->smallest_row = -1;
    for (int i = 0; i < s->rows; i++) {
        const int row = s->order[i];
        double largest = 0.0;
        const int count = reduce(s, row, values, scale[row] > 0.0 ? 1.0 / scale[row] : 0.0);
        const int pivot = choose(s, row, count, weight, preference, &largest);
        s->pivot[row] = -1;
        if (pivot < 0 || !(largest > tolerance)) {
            continue;
        }
        if (largest < s->smallest) {
            s->smallest = largest;
            s->smallest_row = row;
        }
        s->preferred[pivot] = true;
        if (!keep_row(s, row, pivot, count)) {
            return -1;
        }
    }
    s->changed = !s->any || memcmp(s->preferred, s->was_preferred, (size_t)s->columns * sizeof(bool)) != 0;
    for (int i = 0; i < s->rows && !s->changed; i++) {
        s->changed = (s->pivot[i] < 0) != (s->previous[i] < 0);
    }
    s->any = true;
    return s->steps;
}

const int *crank_rowspace_pivot(const crank_rowspace *s)
{
    return s->pivot;
}

const int *crank_rowspace_reason(const crank_rowspace *s)
{
    return s->reason;
}

double crank_rowspace_smallest(const crank_rowspace *s, int *row)
{
    *row = s->smallest_row;
    return s->smallest;
}

bool crank_rowspace_changed(const crank_rowspace *s)
{
    return s->changed;
}
