/* dense_explain.c - names of the rows behind the smallest pivot or singular value of a dense
 * decomposition. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/reduction_dense.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* appends a row's name, if there is room for it */
static void append_row(const crank_dense *d, int row, char *text, size_t size)
{
    static const char with[] = " with ";
    char name[120];
    const size_t used = strlen(text);
    crank_eom_row_name(d->base.setup.eom, row, name, sizeof name);
    if (used == 0 || used + strlen(with) + strlen(name) < size) {
        (void)snprintf(text + used, size - used, "%s%s", used > 0 ? with : "", name);
    }
}

/* The rows that take part in the left singular vector u; norms of quaternions, which do so
 * together with constraints, are not named beside these. */
static void explain_vector(const crank_dense *d, const crank_window *window, const double *u,
                           char *text, size_t size)
{
    const crank_eom *eom = d->base.setup.eom;
    int largest = 0;
    for (int i = 0; i < window->row_end - window->row; i++) {
        const int row = window->row + i;
        largest = fabs(u[i]) > fabs(u[largest]) ? i : largest;
        if (fabs(u[i]) > 0.3 && crank_reduction_blamed_row(eom, row) == row) {
            append_row(d, row, text, size);
        }
    }
    if (text[0] == '\0') {
        append_row(d, crank_reduction_blamed_row(eom, window->row + largest), text, size);
    }
}

/* LU, QR: the row of the window's last pivot and those it was eliminated with; SVD: of the
 * smallest singular value */
void crank_dense_explain(const crank_reduction *base, int w, char *text, size_t size)
{
    const crank_dense *d = (const crank_dense *)base;
    const crank_window *window = &base->setup.window[w];
    const int rows = window->row_end - window->row, rank = base->state.rank[w];
    text[0] = '\0';
    if (d->method == CRANK_BY_QR || d->method == CRANK_BY_SVD) {
        if (rank > 0) {
            explain_vector(d, window, d->Q[w] + (long)(rank - 1) * rows, text, size);
        }
        return;
    }
    int last = -1;
    for (int k = 0; k < d->rC; k++) {
        last = d->pivot_window[k] == w ? k : last;
    }
    if (last < 0) {
        return;
    }
    append_row(d, crank_reduction_blamed_row(base->setup.eom, d->pivot_row[last]), text, size);
    for (int k = 0; k < last; k++) {
        if (d->pivot_window[k] == w &&
            fabs(d->LC[d->pivot_row[last] + (long)k * d->mC]) > 0.1) {
            append_row(d, d->pivot_row[k], text, size);
        }
    }
}
