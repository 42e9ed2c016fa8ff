// SPDX-License-Identifier: BSD-3-Clause
#include "own_ode.h"

#include "memory.h"

#include <stdio.h>
#include <string.h>

static void sort_unknowns(own_ode *s, const crank_eom *eom)
{
    static const crank_group order[] = {CRANK_P, CRANK_V, CRANK_R};
    s->column = take(s->n, sizeof *s->column);
    for (int g = 0; g < 3; g++)
        for (int j = eom->column[order[g]]; j < eom->column[order[g] + 1]; j++)
            s->column[s->count++] = j;
}

/* Where a row of the form stands in the matrix; -1: not there. */
static int *place_rows(own_ode *s, const crank_eom *eom)
{
    static const crank_row_group groups[] = {CRANK_ROW_D,  CRANK_ROW_GII, CRANK_ROW_HI,
                                             CRANK_ROW_C,  CRANK_ROW_B,   CRANK_ROW_DYN,
                                             CRANK_ROW_KIN};
    const crank_direct *form = s->rows.form;
    int *place = take(s->rows.n, sizeof *place), count = 0;
    for (int i = 0; i < s->rows.n; i++)
        place[i] = -1;
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        for (int i = eom->row[groups[g]]; i < eom->row[groups[g] + 1]; i++)
            if (form->target[i] >= 0 && place[form->target[i]] < 0) {
                s->differential[count] = form->differential[form->target[i]];
                place[form->target[i]] = count++;
            }
    if (count != s->n) {
        fprintf(stderr, "no run by a peer: %d rows, %d unknowns\n", count, s->n);
        exit(1);
    }
    return place;
}

static void pick_entries(own_ode *s, const crank_eom *eom)
{
    const crank_direct *form = s->rows.form;
    const int most = form->start[s->n];
    s->start = take(s->n + 1, sizeof *s->start);
    s->row = take(most, sizeof *s->row);
    s->entry = take(most, sizeof *s->entry);
    s->differential = take(s->n, sizeof *s->differential);
    int *place = place_rows(s, eom), count = 0;
    for (int j = 0; j < s->n; j++) {
        for (int e = form->start[j]; e < form->start[j + 1]; e++)
            if (place[form->row[e]] >= 0) {
                s->row[count] = place[form->row[e]];
                s->entry[count++] = e;
            }
        s->start[j + 1] = count;
    }
    free(place);
}

/* Is p' = v, in the order of both? */
static bool is_second_order(own_ode *s, const crank_eom *eom)
{
    const crank_direct *form = s->rows.form;
    const int np = eom->sizes.p, v = eom->column[CRANK_V];
    if (!eom->kinematics_constant || np != eom->sizes.v)
        return false;
    int found = 0;
    for (int j = 0; j < s->rows.n; j++)
        for (int e = form->start[j]; e < form->start[j + 1]; e++) {
            const int i = form->row[e] - form->kinematic;
            if (i < 0 || i >= np || form->rest[e] == 0)
                continue;
            if (j - v != i || form->rest[e] != -1)
                return false;
            found++;
        }
    return found == np;
}

void own_ode_open(own_ode *s, crank_run *run, double rtol)
{
    *s = (own_ode){0};
    own_rows_open(&s->rows, run, rtol);
    crank_direct *form = s->rows.form;
    crank_problem *problem = NULL;
    crank_error err = {0};
    if (crank_formulate("ode", form->eom, &form->options, s->rows.t, s->rows.x, (crank_log){0},
                        &problem, &err) != CRANK_OK) {
        fprintf(stderr, "there is no underlying ode: %s\n", err.text);
        exit(1);
    }
    s->ode = (crank_ode *)problem;
    const int n = s->n = crank_eom_unknowns(form->eom);
    sort_unknowns(s, form->eom);
    pick_entries(s, form->eom);
    s->x = numbers(n);
    s->xdot = numbers(s->rows.n); /* rates of what keeps norms are zero */
    s->right = numbers(n);
    s->block = numbers(n * s->count);
    s->y = numbers(n);
    memcpy(s->x, s->rows.x, (size_t)n * sizeof *s->x);
    for (int i = 0; i < s->count; i++)
        s->y[i] = s->x[s->column[i]];
    klu_defaults(&s->common);
    s->symbolic = klu_analyze(n, s->start, s->row, &s->common);
    s->value = numbers(s->start[n]);
    own_ode_prepare(s, s->rows.t, s->y);
    s->jacobians = 0;
    s->half = form->eom->sizes.p;
    s->second_order = is_second_order(s, form->eom);
}

void own_ode_close(own_ode *s)
{
    klu_free_numeric(&s->numeric, &s->common);
    klu_free_symbolic(&s->symbolic, &s->common);
    crank_problem_destroy(&s->ode->base);
    free(s->start);
    free(s->row);
    free(s->entry);
    free(s->differential);
    free(s->column);
    free(s->x);
    free(s->xdot);
    free(s->right);
    free(s->block);
    free(s->y);
    free(s->value);
    own_rows_close(&s->rows);
}

int own_ode_complete(own_ode *s, double t, const double *y, double *x)
{
    crank_error err = {0};
    for (int i = 0; i < s->count; i++)
        s->x[s->column[i]] = y[i];
    const crank_status status = crank_algebraic_solve(&s->ode->algebraic, t, s->x, &err);
    if (x != NULL)
        memcpy(x, s->x, (size_t)s->n * sizeof *x);
    return own_answer(status);
}

int own_ode_rates(own_ode *s, double t, const double *y, double *ydot)
{
    crank_error err = {0};
    s->evaluations++;
    const int status = own_ode_complete(s, t, y, NULL);
    if (status != 0)
        return status;
    const crank_status found = crank_ode_rates(s->ode, t, s->x, s->xdot, &err);
    for (int i = 0; i < s->count; i++)
        ydot[i] = s->xdot[s->column[i]];
    return own_answer(found);
}

int own_ode_prepare(own_ode *s, double t, const double *y)
{
    const int status = own_ode_rates(s, t, y, s->right);
    s->evaluations--;
    s->jacobians++;
    memcpy(s->rows.x, s->x, (size_t)s->n * sizeof *s->x);
    return status != 0 ? status : own_rows_prepare(&s->rows, t, s->rows.x, s->xdot);
}

/* The sparse matrix; bare: E and -k_dz, -k_az, whose solutions for k_dy - d(E y')/dy are
 * columns of J. */
static int factor(own_ode *s, double gamma, bool bare)
{
    const crank_direct *form = s->rows.form;
    for (int j = 0; j < s->n; j++)
        for (int e = s->start[j]; e < s->start[j + 1]; e++) {
            const double weight = bare                         ? !s->rows.kind[j]
                                  : s->differential[s->row[e]] ? gamma
                                                               : 1;
            s->value[e] = form->lead[s->entry[e]] + weight * form->rest[s->entry[e]];
        }
    if (s->numeric != NULL &&
        klu_refactor(s->start, s->row, s->value, s->symbolic, s->numeric, &s->common) &&
        klu_rcond(s->symbolic, s->numeric, &s->common) && s->common.rcond > 1e-14)
        return 0;
    klu_free_numeric(&s->numeric, &s->common);
    s->numeric = klu_factor(s->start, s->row, s->value, s->symbolic, &s->common);
    return s->numeric != NULL ? 0 : 1;
}

int own_ode_factor(own_ode *s, double gamma)
{
    return factor(s, gamma, false);
}

int own_ode_solve(own_ode *s, double *b)
{
    const double *lead = s->rows.form->lead;
    memset(s->right, 0, (size_t)s->n * sizeof *s->right);
    for (int i = 0; i < s->count; i++)
        for (int e = s->start[s->column[i]]; e < s->start[s->column[i] + 1]; e++)
            s->right[s->row[e]] += lead[s->entry[e]] * b[i];
    if (!klu_solve(s->symbolic, s->numeric, s->n, 1, s->right, &s->common))
        return 1;
    for (int i = 0; i < s->count; i++)
        b[i] = s->right[s->column[i]];
    return 0;
}

int own_ode_dense(own_ode *s, int first, double *out, int apart)
{
    if (factor(s, 0, true) != 0)
        return 1;
    memset(s->block, 0, (size_t)s->n * (size_t)s->count * sizeof *s->block);
    for (int c = 0; c < s->count; c++)
        for (int e = s->start[s->column[c]]; e < s->start[s->column[c] + 1]; e++)
            s->block[c * s->n + s->row[e]] = -s->rows.form->rest[s->entry[e]];
    if (!klu_solve(s->symbolic, s->numeric, s->n, s->count, s->block, &s->common))
        return 1;
    for (int c = 0; c < s->count; c++)
        for (int i = first; i < s->count; i++)
            out[c * apart + i - first] = s->block[c * s->n + s->column[i]];
    return 0;
}
