/* formulas.c - the analysis as numbers and formulas: ranks of the levels, the selected
 * equations, and the ordinary differential equation that underlies them.
 *
 *     [ E_D  ]        [ k_D   ]
 *     [ k_Cx ] x'  =  [ -k_Ct ]          theory (10.13)
 *
 * has n independent rows where every variable is determined: equations of the file as far as
 * they go, then derivatives of constraints, those of the last level first. They are solved for
 * x' by elimination on expressions, with pivots chosen by their values at the consistent
 * point. Solutions that start on the constraints are those of the DAE. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/store.h"
#include "base/tolerance.h"
#include "dae/analysis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    FORMULA = 4000, /* of a longer one the length is reported */
    ROWS = 40,      /* lists of a large system end here; the rest is counted */
    SOLVED = 40     /* variables up to which x' is written out */
};

static const char *variable_name(const crank_dae_input *input, int j)
{
    return crank_ex_symbol_name(input->pool, input->variable[j]);
}

static void append_label(crank_text *text, bool first, const char *label)
{
    crank_text_append(text, "%-17s", first ? label : "");
}

static void append_formula(crank_text *text, const crank_pool *pool, crank_ex e)
{
    char printed[FORMULA];
    const int length = crank_ex_print(pool, e, printed, sizeof printed);
    if (length < 0 || length >= FORMULA) {
        crank_text_append(text, "(a formula of %d characters)", length);
    } else {
        crank_text_append(text, "%s", printed);
    }
}

/* ---- numbers ---- */

static void append_rank(crank_text *text, const char *name, crank_dae_rank rank)
{
    crank_text_append(text, "%s = %d", name, rank.most);
    if (rank.point != rank.most) {
        crank_text_append(text, " (here %d)", rank.point);
    }
}

static void append_numbers(const crank_dae_report *report, crank_text *text)
{
    const crank_dae_strangeness *s = &report->strangeness;
    for (int i = 0; i < report->level_count; i++) {
        const crank_dae_level *level = &report->level[i];
        append_label(text, i == 0, "numbers");
        crank_text_append(text, "level %d: ", i);
        append_rank(text, "rank E", level->leading);
        append_rank(text, ", r", level->r);
        append_rank(text, ", a", level->a);
        crank_text_append(text, ", d = %d\n", level->d);
    }
    if (s->found) {
        append_label(text, false, "");
        crank_text_append(text,
                          "(a, d, v) = (%d, %d, %d), u = %d, of the derivative array of "
                          "level %d, whose rank is %d\n",
                          s->a, s->d, s->v, s->u, s->index, s->array_rank);
    }
}

/* ---- selected equations ---- */

/* "(1 + x)*x' - y'" */
static void append_leading(const crank_dae_input *input, int equation, crank_text *text)
{
    const crank_ex *row = input->E + (size_t)equation * (size_t)input->variables;
    int count = 0;
    for (int j = 0; j < input->variables; j++) {
        const crank_ex_op op = crank_ex_get_op(input->pool, row[j]);
        if (crank_ex_is_value(input->pool, row[j], 0.0)) {
            continue;
        }
        const bool minus = crank_ex_is_value(input->pool, row[j], -1.0);
        crank_text_append(text, "%s", count++ == 0 ? minus ? "-" : "" : minus ? " - " : " + ");
        if (!minus && !crank_ex_is_value(input->pool, row[j], 1.0)) {
            const bool sum = op == CRANK_EX_ADD || op == CRANK_EX_NEG || count > 1;
            crank_text_append(text, sum ? "(" : "");
            append_formula(text, input->pool, row[j]);
            crank_text_append(text, sum ? ")*" : "*");
        }
        crank_text_append(text, "%s'", variable_name(input, j));
    }
}

static void append_selected(const crank_dae_input *input, const crank_dae_reduced *r,
                            crank_text *text)
{
    char name[120];
    const int rows = r->selected_differential_count + r->selected_constraint_count;
    for (int i = 0; i < rows && i < ROWS; i++) {
        const int c = i - r->selected_differential_count;
        append_label(text, i == 0, "selected");
        if (c < 0) {
            const int equation = r->differential[r->selected_differential[i]];
            append_leading(input, equation, text);
            crank_text_append(text, " = ");
            append_formula(text, input->pool, input->k[equation]);
            crank_text_append(text, " (%s)\n",
                              crank_dae_equation_text(input, equation, name, sizeof name));
            continue;
        }
        const int k = r->selected_constraint[c];
        crank_text_append(text, "0 = ");
        append_formula(text, input->pool, r->constraint[k]);
        crank_text_append(
            text, " (%s, level %d)\n",
            crank_dae_equation_text(input, r->constraint_equation[k], name, sizeof name),
            r->constraint_level[k]);
    }
    if (rows > ROWS) {
        append_label(text, false, "");
        crank_text_append(text, "and %d more\n", rows - ROWS);
    }
}

/* ---- the underlying ODE ---- */

typedef struct square {
    crank_pool *pool;
    int n, rows; /* rows of E x' = k and derivatives of all constraints; n of them in the end */
    crank_ex *A; /* rows x (n + 1), the right-hand side last */
    double *V;   /* their values at the point */
    double *left; /* rows x n: what earlier rows leave of them, of norm one at first */
    int *row;     /* n: of the pivot of a column */
    bool *used;   /* rows: it has a pivot */
} square;

static size_t at(const square *s, int i, int j)
{
    return (size_t)i * (size_t)(s->n + 1) + (size_t)j;
}

/* Equations first, then constraints from the last level back. */
static void fill(square *s, const crank_dae_input *input, const crank_dae_reduced *r)
{
    for (int i = 0; i < s->rows; i++) {
        const int c = r->differential_count + r->constraint_count - 1 - i;
        const bool stated = i < r->differential_count;
        const int equation = stated ? r->differential[i] : 0;
        const crank_ex k = stated ? input->k[equation] : r->constraint[c];
        for (int j = 0; j < s->n; j++) {
            s->A[at(s, i, j)] = stated ? input->E[(size_t)equation * (size_t)s->n + (size_t)j]
                                       : crank_ex_derivative(s->pool, k, input->variable[j]);
        }
        s->A[at(s, i, s->n)] =
            stated ? k : crank_ex_neg(s->pool, crank_ex_derivative(s->pool, k, input->t));
    }
}

static crank_status evaluate(square *s, const crank_dae_input *input, const double *point,
                             crank_store *store, crank_error *err)
{
    const size_t n = (size_t)s->n;
    crank_ex *symbol = crank_store_take(store, n + 1, sizeof *symbol);
    double *in = crank_store_take(store, n + 1, sizeof *in);
    crank_tape *tape = NULL;
    if (store->failed) {
        return crank_fail(err, CRANK_EMEM, "formulas of %d variables", s->n);
    }
    for (size_t j = 0; j < n; j++) {
        symbol[j] = input->variable[j];
        in[j] = point[j];
    }
    symbol[n] = input->t;
    in[n] = input->t_start;
    const int entries = s->rows * (s->n + 1);
    crank_status status =
        crank_tape_create(s->pool, s->n + 1, symbol, entries, s->A, &tape, err);
    double *work =
        status == CRANK_OK
            ? crank_store_take(store, (size_t)crank_tape_work_size(tape, 1), sizeof *work)
            : NULL;
    if (status == CRANK_OK && work != NULL) {
        crank_tape_evaluate(tape, 1, in, s->n + 1, s->V, entries, work);
    } else if (status == CRANK_OK) {
        status = crank_fail(err, CRANK_EMEM, "formulas of %d variables", s->n);
    }
    crank_tape_destroy(tape);
    return status;
}

/* Keeps the rows that are independent of those before, by Gram and Schmidt in units of the
 * variables; false: there are fewer than n. */
static bool keep_independent(square *s, const double *point)
{
    const size_t n = (size_t)s->n;
    int kept = 0;
    for (int i = 0; i < s->rows && kept < s->n; i++) {
        double *row = s->left + (size_t)kept * n, norm = 0.0, rest = 0.0;
        for (size_t j = 0; j < n; j++) {
            row[j] = s->V[at(s, i, (int)j)] * (1.0 + fabs(point[j]));
            norm += row[j] * row[j];
        }
        for (int pass = 0; pass < 2 * kept; pass++) { /* twice is enough */
            const double *before = s->left + (size_t)(pass % kept) * n;
            double along = 0.0;
            for (size_t j = 0; j < n; j++) {
                along += before[j] * row[j];
            }
            for (size_t j = 0; j < n; j++) {
                row[j] -= along * before[j];
            }
        }
        for (size_t j = 0; j < n; j++) {
            rest += row[j] * row[j];
        }
        if (!(rest > CRANK_RANK_TOLERANCE * CRANK_RANK_TOLERANCE * norm)) {
            continue;
        }
        for (size_t j = 0; j < n; j++) {
            row[j] /= sqrt(rest);
        }
        for (int j = 0; j <= s->n; j++) {
            s->A[at(s, kept, j)] = s->A[at(s, i, j)];
            s->V[at(s, kept, j)] = s->V[at(s, i, j)] / sqrt(norm); /* pivots are compared */
        }
        kept++;
    }
    return kept == s->n;
}

/* Among rows without pivot that are not small in this column, one that is a number there. */
static int choose(const square *s, int column)
{
    double most = 0.0;
    int best = -1;
    for (int i = 0; i < s->n; i++) {
        most = s->used[i] ? most : fmax(most, fabs(s->V[at(s, i, column)]));
    }
    for (int i = 0; i < s->n && most > 0.0; i++) {
        const double size = s->used[i] ? 0.0 : fabs(s->V[at(s, i, column)]);
        const bool number = crank_ex_is_number(s->pool, s->A[at(s, i, column)], NULL);
        if (number && size >= 1e-3 * most) {
            return i;
        }
        best = size >= 0.1 * most && best < 0 ? i : best;
    }
    return best;
}

/* Gauss and Jordan; false: no pivot. */
static bool solve(square *s)
{
    for (int c = 0; c < s->n; c++) {
        const int p = choose(s, c);
        if (p < 0) {
            return false;
        }
        s->used[p] = true;
        s->row[c] = p;
        const crank_ex pivot = s->A[at(s, p, c)];
        const double value = s->V[at(s, p, c)];
        for (int j = c; j <= s->n; j++) {
            s->A[at(s, p, j)] = crank_ex_div(s->pool, s->A[at(s, p, j)], pivot);
            s->V[at(s, p, j)] /= value;
        }
        for (int i = 0; i < s->n; i++) {
            const crank_ex factor = s->A[at(s, i, c)];
            const double f = s->V[at(s, i, c)];
            for (int j = c; i != p && j <= s->n && !crank_ex_is_value(s->pool, factor, 0.0);
                 j++) {
                s->A[at(s, i, j)] =
                    crank_ex_sub(s->pool, s->A[at(s, i, j)],
                                 crank_ex_mul(s->pool, factor, s->A[at(s, p, j)]));
                s->V[at(s, i, j)] -= f * s->V[at(s, p, j)];
            }
        }
    }
    return true;
}

static crank_status append_ode(const crank_dae_input *input, const crank_dae_report *report,
                               crank_text *text, crank_error *err)
{
    const crank_dae_reduced *r = &report->reduced;
    const int n = report->variables;
    crank_store store = {0};
    if (report->undetermined_count > 0 || n > SOLVED) {
        append_label(text, true, "underlying ODE");
        crank_text_append(text,
                          n > SOLVED ? "not written out for %d variables\n"
                                     : "none: %d variables are not determined\n",
                          n > SOLVED ? n : report->undetermined_count);
        return CRANK_OK;
    }
    square s = {
        .pool = input->pool, .n = n, .rows = r->differential_count + r->constraint_count};
    const size_t entries = (size_t)s.rows * ((size_t)n + 1);
    s.A = crank_store_take(&store, entries, sizeof *s.A);
    s.V = crank_store_take(&store, entries, sizeof *s.V);
    s.left = crank_store_take(&store, (size_t)n * (size_t)n, sizeof *s.left);
    s.row = crank_store_take(&store, (size_t)n, sizeof *s.row);
    s.used = crank_store_take(&store, (size_t)n, sizeof *s.used);
    crank_status status =
        store.failed ? crank_fail(err, CRANK_EMEM, "formulas of %d variables", n) : CRANK_OK;
    if (status == CRANK_OK) {
        fill(&s, input, r);
        status = evaluate(&s, input, report->point, &store, err);
    }
    if (status == CRANK_OK && !(keep_independent(&s, report->point) && solve(&s))) {
        append_label(text, true, "underlying ODE");
        crank_text_append(text, "none at this point: its matrix is singular\n");
    } else if (status == CRANK_OK) {
        for (int j = 0; j < n; j++) {
            append_label(text, j == 0, "underlying ODE");
            crank_text_append(text, "%s' = ", variable_name(input, j));
            append_formula(text, input->pool, s.A[at(&s, s.row[j], n)]);
            crank_text_append(text, "\n");
        }
    }
    crank_store_free(&store);
    return status == CRANK_OK ? crank_pool_status(input->pool) : status;
}

crank_status crank_dae_formulas(const crank_dae_input *input, const crank_dae_report *report,
                                crank_text *text, crank_error *err)
{
    append_numbers(report, text);
    if (report->outcome != CRANK_DAE_COMPLETE) {
        return CRANK_OK;
    }
    append_selected(input, &report->reduced, text);
    return append_ode(input, report, text, err);
}
