/* system_pattern.c - which entries of the Jacobian exist, and where each addition goes.
 *
 * The additions are recorded at three random points (random unit quaternions, all unknowns
 * random), and at the last of them once more without inertia: derivatives of laws, pretended
 * numbers of order one, are nothing beside 1e17 kg m^2. One that is exactly zero each time is
 * structurally zero. Two stable counting
 * sorts put the others in the order of compressed columns; time and memory are linear in their
 * number. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/system.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 4 };

static bool grow(crank_fill *fill)
{
    const size_t capacity = 2 * (size_t)fill->capacity + 1024;
    int *row = capacity > INT32_MAX ? NULL : realloc(fill->row, capacity * sizeof *row);
    fill->row = row != NULL ? row : fill->row;
    int *column = row == NULL ? NULL : realloc(fill->column, capacity * sizeof *column);
    fill->column = column != NULL ? column : fill->column;
    bool *used = column == NULL ? NULL : realloc(fill->used, capacity * sizeof *used);
    fill->used = used != NULL ? used : fill->used;
    if (used == NULL) {
        fill->failed = true;
        return false;
    }
    fill->capacity = (int)capacity;
    return true;
}

void crank_fill_record(crank_fill *fill, int row, int column, double value)
{
    if (fill->failed || (fill->at == fill->capacity && !grow(fill))) {
        return;
    }
    const int i = fill->at++;
    if (i == fill->count) {
        fill->row[i] = row;
        fill->column[i] = column;
        fill->used[i] = false;
        fill->count++;
    }
    fill->used[i] = fill->used[i] || value != 0.0;
}

/* ---- random points ---- */

static void random_point(const crank_system *s, uint64_t *seed, double *x)
{
    for (int j = 0; j < s->eom->n; j++) {
        x[j] = crank_random(seed);
    }
    s->coordinates.kind->straighten(s, x);
}

static bool record(crank_system *s, crank_fill *fill)
{
    uint64_t seed = CRANK_RANDOM_SEED;
    double *x = malloc(((size_t)s->eom->n + 1) * sizeof *x), t = 0.0;
    for (int pass = 0; pass < PASSES && x != NULL && !fill->failed; pass++) {
        fill->laws_alone = pass == PASSES - 1; /* at the point of the pass before */
        if (!fill->laws_alone) {
            random_point(s, &seed, x);
            t = crank_random(&seed);
        }
        fill->at = 0;
        crank_system_point(s, t, x);
        crank_system_fill(s, t, x, fill);
    }
    free(x);
    return x != NULL && !fill->failed;
}

/* ---- from additions to a pattern ---- */

/* to: the items of from (count of them) in rising order of key[item], stable;
 * start: keys + 1. */
static void counting_sort(int count, const int *from, const int *key, int keys, int *start,
                          int *to)
{
    memset(start, 0, ((size_t)keys + 1) * sizeof *start);
    for (int i = 0; i < count; i++) {
        start[key[from[i]] + 1]++;
    }
    for (int i = 0; i < keys; i++) {
        start[i + 1] += start[i];
    }
    for (int i = 0; i < count; i++) {
        to[start[key[from[i]]]++] = from[i];
    }
}

/* used additions by column, then row; returns their number */
static int sort_additions(const crank_fill *fill, const crank_eom *eom, int *start, int *first,
                          int *second)
{
    int count = 0;
    for (int i = 0; i < fill->count; i++) {
        if (fill->used[i]) {
            first[count++] = i;
        }
    }
    counting_sort(count, first, fill->row, eom->m, start, second);
    counting_sort(count, second, fill->column, eom->n, start, first);
    return count;
}

/* order: the used additions, sorted; map: where each goes; row and start: the
 * pattern. */
static int compress(const crank_fill *fill, int count, const int *order, int columns, int *map,
                    int *start, int *row)
{
    int entries = 0;
    memset(start, 0, ((size_t)columns + 1) * sizeof *start);
    for (int i = 0; i < count; i++) {
        const int at = order[i];
        const int before = i > 0 ? order[i - 1] : -1;
        if (before < 0 || fill->row[at] != fill->row[before] ||
            fill->column[at] != fill->column[before]) {
            row[entries++] = fill->row[at];
            start[fill->column[at] + 1]++;
        }
        map[at] = entries - 1;
    }
    for (int j = 0; j < columns; j++) {
        start[j + 1] += start[j];
    }
    for (int i = 0; i < fill->count; i++) {
        map[i] = fill->used[i] ? map[i] : entries;
    }
    return entries;
}

/* M = I */
static crank_pattern identity(int n, int *start, int *row)
{
    for (int i = 0; i < n; i++) {
        start[i] = row[i] = i;
    }
    start[n] = n;
    return (crank_pattern){.rows = n, .columns = n, .start = start, .row = row};
}

static crank_status set_patterns(crank_system *s, const crank_fill *fill, int *work,
                                 crank_error *err)
{
    crank_eom *eom = s->eom;
    const size_t calls = (size_t)fill->count;
    const size_t longest = (size_t)(eom->m > eom->n ? eom->m : eom->n) + 1;
    int *first = work, *second = work + calls, *start = work + 2 * calls;
    int *map = crank_store_take(&s->store, calls, sizeof *map);
    if (map == NULL) {
        return crank_fail(err, CRANK_EMEM, "pattern of %d entries", fill->count);
    }
    const int count = sort_additions(fill, eom, start, first, second);
    const int entries = compress(fill, count, first, eom->n, map, start, second);
    s->map = map;
    s->values = crank_store_take(&s->store, (size_t)entries + 1, sizeof *s->values);
    if (s->values == NULL) {
        return crank_fail(err, CRANK_EMEM, "Jacobian of %d entries", entries);
    }
    const crank_pattern jacobian = {
        .rows = eom->m, .columns = eom->n, .start = start, .row = second};
    int *mass = work + 2 * calls + longest;
    const crank_pattern unit = identity(eom->sizes.v, mass, mass + eom->sizes.v + 1);
    return crank_eom_set_patterns(eom, &jacobian, &unit, err);
}

crank_status crank_system_patterns(crank_system *s, crank_error *err)
{
    const crank_eom *eom = s->eom;
    const size_t longest = (size_t)(eom->m > eom->n ? eom->m : eom->n) + 1;
    crank_fill fill = {.recording = true};
    crank_status status = CRANK_EMEM;
    int *work = NULL;
    if (record(s, &fill)) {
        const size_t size = 2 * (size_t)fill.count + longest + 2 * (size_t)eom->sizes.v + 2;
        work = malloc(size * sizeof *work);
    }
    status = work != NULL ? set_patterns(s, &fill, work, err)
                          : crank_fail(err, CRANK_EMEM, "pattern of the mechanism");
    free(work);
    free(fill.row);
    free(fill.column);
    free(fill.used);
    return status;
}
