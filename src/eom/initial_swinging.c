/* initial_swinging.c - bodies that can move while all others stay: loads on ropes, pendulums.
 *
 * A body swings if the rows of positions that contain it leave it a motion of its own, that is
 * if their derivatives by its coordinates have a lower rank than it has coordinates. What
 * hangs on such bodies alone swings with them, so these are taken away with their rows, and the
 * others are looked at again. Of two places of a body that swings neither is another way to
 * close a loop: it can go from one to the other. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/tolerance.h"
#include "eom/initial.h"
#include "linalg/singular.h"

#include <stdlib.h>
#include <string.h>

enum { COORDINATES = 7 }; /* of a body, at most */

typedef struct parts_of_rows {
    bool *gone;  /* rows */
    int *number; /* rows: among those of the body at hand, -1: none */
} parts_of_rows;

/* columns of a body; returns how many */
static int find_columns(const crank_initial *w, int body, int column[COORDINATES])
{
    const crank_eom *eom = w->eom;
    int count = 0;
    for (int l = 0; l < w->columns && count < COORDINATES; l++) {
        const int p = w->column[l] - eom->column[CRANK_P];
        if (p >= 0 && p < eom->sizes.p && eom->parts->position_body[p] == body) {
            column[count++] = l;
        }
    }
    return count;
}

static crank_status look_at(const crank_initial *w, int body, parts_of_rows *of, bool *swings,
                            crank_error *err)
{
    int column[COORDINATES], rows = 0;
    const int columns = find_columns(w, body, column);
    crank_singular s = {0};
    *swings = false;
    for (int i = 0; i < w->rows; i++) {
        of->number[i] = -1;
    }
    for (int c = 0; c < columns; c++) {
        for (int q = w->A.start[column[c]]; q < w->A.start[column[c] + 1]; q++) {
            const int row = w->A.row[q];
            of->number[row] = of->gone[row]         ? -1
                              : of->number[row] < 0 ? rows++
                                                    : of->number[row];
        }
    }
    if (columns == 0 || rows < columns) {
        *swings = columns > 0;
        return CRANK_OK;
    }
    crank_status status = crank_singular_create(rows, columns, false, &s, err);
    for (int c = 0; c < columns && status == CRANK_OK; c++) {
        for (int q = w->A.start[column[c]]; q < w->A.start[column[c] + 1]; q++) {
            const int row = of->number[w->A.row[q]];
            if (row >= 0) {
                s.A[(size_t)c * (size_t)rows + (size_t)row] = w->A.values[q];
            }
        }
    }
    status = status == CRANK_OK ? crank_singular_decompose(&s, err) : status;
    if (status == CRANK_OK) {
        crank_singular_count(&s, CRANK_RANK_TOLERANCE);
        *swings = s.rank < columns;
    }
    crank_singular_destroy(&s);
    return status;
}

static void take_away(const crank_initial *w, int body, bool *gone)
{
    int column[COORDINATES];
    const int columns = find_columns(w, body, column);
    for (int c = 0; c < columns; c++) {
        for (int q = w->A.start[column[c]]; q < w->A.start[column[c] + 1]; q++) {
            gone[w->A.row[q]] = true;
        }
    }
}

crank_status crank_initial_find_swinging(const crank_initial *w, bool *swinging,
                                         crank_error *err)
{
    const int bodies = w->eom->parts->body_count;
    const size_t rows = (size_t)w->rows;
    parts_of_rows of = {.gone = calloc(rows + 1, sizeof *of.gone),
                        .number = malloc((rows + 1) * sizeof *of.number)};
    crank_status status = of.gone != NULL && of.number != NULL
                              ? CRANK_OK
                              : crank_fail(err, CRANK_EMEM, "rows of %d bodies", bodies);
    bool any = true;
    memset(swinging, 0, (size_t)bodies * sizeof *swinging);
    while (any && status == CRANK_OK) {
        any = false;
        for (int i = 0; i < bodies && status == CRANK_OK; i++) {
            if (!swinging[i]) {
                status = look_at(w, i, &of, &swinging[i], err);
                any = any || swinging[i];
                if (swinging[i]) {
                    take_away(w, i, of.gone);
                }
            }
        }
    }
    free(of.gone);
    free(of.number);
    return status;
}
