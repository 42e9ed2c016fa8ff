/* reduction.c - what both realisations share: which algebraic rows are pivoted in which
 * columns. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/reduction.h"

#include "eom/structure.h"

/* An earlier pivot that would be acceptable as a new one (rowspace.c) stays. A tenth, which LU
 * needs, makes steps of rolling bodies shorter by a third. */
static const double keep_pivot = 0.3;

double crank_reduction_least_row(const crank_reduction_setup *setup, int w, int row)
{
    const crank_eom *eom = setup->eom;
    const double least = w == CRANK_WINDOW_VELOCITY || w == CRANK_WINDOW_POSITION
                             ? crank_structure_cancelled(eom, row)
                             : 0.0;
    if (least == 0.0 || w == CRANK_WINDOW_POSITION) {
        return least;
    }
    const double speed = setup->unit[eom->column[CRANK_V]];
    return least * (eom->parts->velocity_kind[0] == 't' ? speed / eom->parts->length : speed);
}

void crank_reduction_setup_windows(crank_reduction_setup *setup)
{
    const crank_eom *eom = setup->eom;
    const bool psf = setup->form != CRANK_FORM_PEOM1;
    crank_window *w = setup->window;
    setup->keep_pivot = setup->keep_redundant = keep_pivot;
    /* peom1: the auxiliary rows d fix w alone, lambda and mu are left to the dynamic rows */
    w[CRANK_WINDOW_ACCELERATION] =
        (crank_window){eom->row[CRANK_ROW_D], eom->row[psf ? CRANK_ROW_GI : CRANK_ROW_GII],
                       eom->column[CRANK_W], eom->column[psf ? CRANK_R : CRANK_LAMBDA]};
    w[CRANK_WINDOW_VELOCITY] = (crank_window){eom->row[CRANK_ROW_GI], eom->row[CRANK_ROW_E],
                                              eom->column[CRANK_V], eom->column[CRANK_S]};
    w[CRANK_WINDOW_POSITION] = (crank_window){eom->row[CRANK_ROW_C], eom->row[CRANK_ROW_B],
                                              eom->column[CRANK_S], eom->n};
    w[CRANK_WINDOW_INVARIANT] = (crank_window){
        eom->row[CRANK_ROW_E],
        setup->options.invariants ? eom->row[CRANK_ROW_C] : eom->row[CRANK_ROW_E],
        eom->column[CRANK_V], eom->n};
    setup->algebraic_rows = eom->row[CRANK_ROW_B];
}

int crank_reduction_blamed_row(const crank_eom *eom, int row)
{
    const crank_pattern *J = &eom->jacobian_pattern;
    if (row < eom->row[CRANK_ROW_N] || row >= eom->row[CRANK_ROW_B]) {
        return row;
    }
    for (int j = eom->column[CRANK_P]; j < eom->n; j++) {
        int constraint = -1;
        bool touched = false;
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            const int i = J->row[e];
            touched = touched || i == row;
            constraint =
                i >= eom->row[CRANK_ROW_G] && i < eom->row[CRANK_ROW_N] ? i : constraint;
        }
        if (touched && constraint >= 0) {
            return constraint;
        }
    }
    return row;
}

void crank_reduction_archive_state(crank_reduction *reduction, crank_archive *a)
{
    crank_reduction_state *state = &reduction->state;
    crank_archive_doubles(a, state->smallest, CRANK_WINDOWS);
    for (int w = 0; w < CRANK_WINDOWS; w++) {
        const crank_window *window = &reduction->setup.window[w];
        crank_archive_int(a, &state->rank[w], 0, window->row_end - window->row);
    }
    crank_archive_flag(a, &state->redundant);
}
