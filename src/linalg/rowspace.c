/* rowspace.c - sparse rank-revealing elimination of a wide matrix; see rowspace.h.
 *
 * Reduced row k is kept as a sparse vector over the columns; an arc k -> l exists if row k has
 * an entry in the pivot column of row l (l > k). A depth-first search from the entries of a new
 * row gives the rows to subtract in topological order [GP88]. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rowspace_inside.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a pivot may be this much smaller than the largest entry of its row if it keeps the rest
 * sparse */
static const double acceptable = 0.3;
/* Sizes that differ by less are equal, so that rounding (and with it units) does not choose
 * between them: the first one is taken. Rounding of an elimination that keeps its rank is far
 * below. */
static const double tie = 1e-10;
/* passes over redundant rows: remainders below these wait for the next one */
enum { PASSES = 4 };
static const double postponed[PASSES - 1] = {0.3, 0.03, 0.003};

crank_status crank_rowspace_create(int rows, int columns, const int *start, const int *column,
                                   int own_rows, int own_columns, bool natural,
                                   crank_rowspace **out, crank_error *err)
{
    *out = NULL;
    crank_rowspace *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return crank_fail(err, CRANK_EMEM, "elimination of %d rows", rows);
    }
    *s = (crank_rowspace){.rows = rows,
                          .columns = columns,
                          .own_rows = own_rows,
                          .own_columns = own_columns,
                          .natural = natural};
    const int entries = start[rows];
    s->capacity = 4 * entries + 16;
    s->start = crank_rowspace_ints(rows + 1);
    s->column = crank_rowspace_ints(entries);
    s->order = crank_rowspace_ints(rows);
    s->waiting = crank_rowspace_ints(rows);
    s->pivot = crank_rowspace_ints(rows);
    s->previous = crank_rowspace_ints(rows);
    s->reason = crank_rowspace_ints(rows);
    s->owner = crank_rowspace_ints(columns);
    s->left = crank_rowspace_ints(columns);
    s->pivot_set = calloc((size_t)columns + 1, sizeof(bool));
    s->last_set = calloc((size_t)columns + 1, sizeof(bool));
    s->step_row = crank_rowspace_ints(rows);
    s->reduced_start = crank_rowspace_ints(rows + 1);
    s->reduced_column = crank_rowspace_ints(s->capacity);
    s->reduced_value = calloc((size_t)s->capacity, sizeof(double));
    s->dense = calloc((size_t)columns + 1, sizeof(double));
    s->mark = crank_rowspace_ints(columns);
    s->touched = crank_rowspace_ints(columns);
    s->visited = crank_rowspace_ints(rows);
    s->stack = crank_rowspace_ints(rows);
    s->position = crank_rowspace_ints(rows);
    s->topological = crank_rowspace_ints(rows);
    const bool fine = s->start && s->column && s->order && s->waiting && s->pivot &&
                      s->previous && s->reason && s->owner && s->left && s->pivot_set &&
                      s->last_set && s->step_row && s->reduced_start && s->reduced_column &&
                      s->reduced_value && s->dense && s->mark && s->touched && s->visited &&
                      s->stack && s->position && s->topological;
    if (fine) {
        memcpy(s->start, start, (size_t)(rows + 1) * sizeof *start);
        memcpy(s->column, column, (size_t)entries * sizeof *column);
    }
    if (!fine || !crank_rowspace_order(s, natural)) {
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
    int *const integers[] = {
        s->start,  s->column,  s->order,    s->waiting, s->pivot,         s->previous,
        s->reason, s->owner,   s->step_row, s->left,    s->reduced_start, s->reduced_column,
        s->mark,   s->touched, s->visited,  s->stack,   s->position,      s->topological};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        free(integers[i]);
    }
    free(s->pivot_set);
    free(s->last_set);
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

/* the row minus its multiples of earlier ones, scattered in dense; returns the number of
 * entries */
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

/* weighted size of column j as a pivot of this row, -1 if it may not be one */
static double candidate_size(const crank_rowspace *s, int row, int j, const double *weight)
{
    if (s->owner[j] >= 0 || (row < s->own_rows && j >= s->own_columns)) {
        return -1.0;
    }
    return fabs(s->dense[j]) * (weight != NULL ? weight[j] : 1.0);
}

/* Pivot among the touched columns: the row's last pivot if it is good enough, else any of
 * acceptable size; among these the one with the fewest entries in later rows, then the largest
 * [Dav06, 6.4]. The size of the largest entry, unweighted, is written too. */
static int choose(const crank_rowspace *s, int row, int count, const double *weight,
                  double preference, double *largest)
{
    double best = 0.0, chosen_size = 0.0;
    int chosen = -1;
    bool chosen_preferred = false;
    *largest = 0.0;
    for (int i = 0; i < count; i++) {
        const double size = candidate_size(s, row, s->touched[i], weight);
        best = fmax(best, size);
        *largest = size >= 0.0 ? fmax(*largest, fabs(s->dense[s->touched[i]])) : *largest;
    }
    for (int i = 0; i < count && best > 0.0; i++) {
        const int j = s->touched[i];
        const double size = candidate_size(s, row, j, weight);
        const bool preferred = s->any && s->previous[row] == j && preference < 1.0;
        if (size < (preferred ? preference : acceptable) * best * (1.0 - tie) ||
            (chosen_preferred && !preferred)) {
            continue;
        }
        const bool upgrade =
            chosen < 0 || (preferred && !chosen_preferred) || s->left[j] < s->left[chosen];
        if (upgrade || (s->left[j] == s->left[chosen] && size > chosen_size * (1.0 + tie))) {
            chosen = j;
            chosen_size = size;
            chosen_preferred = preferred;
        }
    }
    return chosen;
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

typedef struct task {
    const double *values, *scale, *weight;
    double tolerance; /* rows below are dependent */
    double least;     /* rows below wait for the next pass */
    double preference;
} task;

/* Eliminates the first count rows of s->waiting; those whose remainder is small, but not zero,
 * are put there again and counted. Of rows that depend on each other, the one that is nearly
 * dependent already must not be taken before the others. Negative: out of memory. */
static int eliminate_rows(crank_rowspace *s, int count, bool first, task job)
{
    int waiting = 0;
    for (int i = 0; i < count; i++) {
        const int row = s->waiting[i];
        double largest = 0.0;
        for (int e = s->start[row]; e < s->start[row + 1] && first; e++) {
            s->left[s->column[e]]--;
        }
        const double factor = job.scale[row] > 0.0 ? 1.0 / job.scale[row] : 0.0;
        const int entries = reduce(s, row, job.values, factor);
        const int pivot = choose(s, row, entries, job.weight, job.preference, &largest);
        s->pivot[row] = -1;
        if (pivot < 0 || !(largest > job.tolerance)) {
            continue;
        }
        if (largest < job.least && row >= s->own_rows) {
            s->waiting[waiting++] = row;
            continue;
        }
        if (largest < s->smallest) {
            s->smallest = largest;
            s->smallest_row = row;
        }
        s->pivot_set[pivot] = true;
        if (!keep_row(s, row, pivot, entries)) {
            return -1;
        }
    }
    return waiting;
}

/* order of elimination, rows that were found dependent last time behind the others: they stay
 * so while the others do well */
static void queue_rows(crank_rowspace *s)
{
    int count = 0;
    for (int dependent = 0; dependent < 2; dependent++) {
        for (int i = 0; i < s->rows; i++) {
            const int row = s->order[i];
            const bool later =
                s->any && !s->natural && row >= s->own_rows && s->previous[row] < 0;
            if (later == (dependent == 1)) {
                s->waiting[count++] = row;
            }
        }
    }
}

int crank_rowspace_eliminate(crank_rowspace *s, const double *values, const double *scale,
                             const double *weight, double tolerance, double preference)
{
    memcpy(s->previous, s->pivot, (size_t)s->rows * sizeof *s->pivot);
    memcpy(s->last_set, s->pivot_set, (size_t)s->columns * sizeof *s->pivot_set);
    memset(s->pivot_set, 0, (size_t)s->columns * sizeof *s->pivot_set);
    for (int j = 0; j < s->columns; j++) {
        s->owner[j] = -1;
        s->left[j] = 0;
    }
    for (int e = 0; e < s->start[s->rows]; e++) {
        s->left[s->column[e]]++;
    }
    s->steps = 0;
    s->smallest = (double)INFINITY;
    s->smallest_row = -1;
    queue_rows(s);
    int waiting = s->rows;
    const bool redundant = s->any && s->last_rank < s->rows && !s->natural;
    for (int pass = redundant ? 0 : PASSES - 1; pass < PASSES && waiting > 0; pass++) {
        const double least = fmax(pass < PASSES - 1 ? postponed[pass] : 0.0, tolerance);
        waiting = eliminate_rows(s, waiting, pass == 0 || !redundant,
                                 (task){values, scale, weight, tolerance, least, preference});
    }
    if (waiting < 0) {
        return -1;
    }
    s->changed =
        !s->any || memcmp(s->pivot_set, s->last_set, (size_t)s->columns * sizeof(bool)) != 0;
    for (int i = 0; i < s->rows && !s->changed; i++) {
        s->changed = (s->pivot[i] < 0) != (s->previous[i] < 0);
    }
    s->any = true;
    s->last_rank = s->steps;
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

/* What one elimination leaves to the next: the pivots, and what is asked about them. */
void crank_rowspace_archive(crank_rowspace *s, crank_archive *a)
{
    const size_t rows = (size_t)s->rows;
    crank_archive_check(a, "rows of a space", s->rows);
    crank_archive_check(a, "columns of a space", s->columns);
    crank_archive_ints(a, s->pivot, rows, -1, s->columns - 1);
    crank_archive_ints(a, s->reason, rows, -1, s->rows - 1);
    crank_archive_flags(a, s->pivot_set, (size_t)s->columns);
    crank_archive_int(a, &s->last_rank, 0, s->rows);
    crank_archive_double(a, &s->smallest);
    crank_archive_int(a, &s->smallest_row, -1, s->rows - 1);
    crank_archive_flag(a, &s->changed);
    crank_archive_flag(a, &s->any);
}
