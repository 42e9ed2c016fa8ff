/* analysis.c - the analysis of a quasi-linear DAE as a whole: input checked, procedure,
 * indices, report. */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae/analysis.h"
#include "base/then.h"

#include "dae/array.h"
#include "dae/reduced.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct crank_dae_memory {
    crank_store store;
};

/* ---- input ---- */

static crank_status check_symbols(const crank_dae_input *input, crank_ex e, int equation,
                                  crank_ex *seen, crank_error *err)
{
    char name[120];
    const int capacity = input->variables + 2;
    const int count = crank_ex_symbols(input->pool, e, seen, capacity);
    for (int s = 0; s < count && s < capacity; s++) {
        bool known = seen[s] == input->t;
        for (int j = 0; j < input->variables && !known; j++) {
            known = seen[s] == input->variable[j];
        }
        if (!known) {
            return crank_fail(
                err, CRANK_EMODEL,
                "%s depends on \"%.80s\", which is neither a variable nor the time",
                crank_dae_equation_text(input, equation, name, sizeof name),
                crank_ex_symbol_name(input->pool, seen[s]));
        }
    }
    return CRANK_OK;
}

static crank_status check_values(const crank_dae_input *input, crank_error *err)
{
    for (int j = 0; j < input->variables; j++) {
        const char *name = crank_ex_symbol_name(input->pool, input->variable[j]);
        if (name == NULL || input->variable[j] == input->t) {
            return crank_fail(err, CRANK_EARG, "variable %d is not a symbol of its own", j + 1);
        }
        for (int i = 0; i < j; i++) {
            if (input->variable[i] == input->variable[j]) {
                return crank_fail(err, CRANK_EMODEL, "variable \"%.80s\" is listed twice",
                                  name);
            }
        }
        if (!isfinite(input->start[j])) {
            return crank_fail(err, CRANK_ENOTFINITE,
                              "the start value of \"%.80s\" is not finite", name);
        }
        if (input->nominal != NULL &&
            (!(input->nominal[j] > 0.0) || !isfinite(input->nominal[j]))) {
            return crank_fail(err, CRANK_EARG,
                              "the nominal size of \"%.80s\" is %g, it must be positive", name,
                              input->nominal[j]);
        }
    }
    return CRANK_OK;
}

static crank_status check_input(const crank_dae_input *input, crank_store *store,
                                crank_error *err)
{
    if (input->equations < 1 || input->variables < 1 || input->level_limit < 0) {
        return crank_fail(err, CRANK_EARG,
                          "%d equations of %d variables: there must be one of each at least",
                          input->equations, input->variables);
    }
    if (!isfinite(input->t_start)) {
        return crank_fail(err, CRANK_ENOTFINITE, "the start time is not finite");
    }
    if (crank_ex_symbol_name(input->pool, input->t) == NULL) {
        return crank_fail(err, CRANK_EARG, "the time is not a symbol");
    }
    crank_status status = check_values(input, err);
    crank_ex *seen = crank_store_take(store, (size_t)input->variables + 2, sizeof *seen);
    if (seen == NULL) {
        return crank_fail(err, CRANK_EMEM, "analysis of %d equations", input->equations);
    }
    for (int i = 0; i < input->equations && status == CRANK_OK; i++) {
        status = check_symbols(input, input->k[i], i, seen, err);
        for (int j = 0; j < input->variables && status == CRANK_OK; j++) {
            const size_t entry = (size_t)i * (size_t)input->variables + (size_t)j;
            status = check_symbols(input, input->E[entry], i, seen, err);
        }
    }
    return status;
}

/* E and k must be defined at the start values. */
static crank_status check_start(const crank_dae_input *input, crank_error *err)
{
    char name[120];
    for (int i = 0; i < input->equations; i++) {
        crank_dae_functions row, right;
        crank_status status = crank_dae_functions_create(
            input->pool, input->variables, input->variable, input->t, input->variables,
            input->E + (size_t)i * (size_t)input->variables, &row, err);
        bool finite = status == CRANK_OK &&
                      crank_dae_functions_evaluate(&row, input->start, input->t_start);
        crank_dae_functions_destroy(&row);
        if (status == CRANK_OK) {
            status = crank_dae_functions_create(input->pool, input->variables, input->variable,
                                                input->t, 1, input->k + i, &right, err);
            finite = finite && status == CRANK_OK &&
                     crank_dae_functions_evaluate(&right, input->start, input->t_start);
            crank_dae_functions_destroy(&right);
        }
        if (status != CRANK_OK) {
            return status;
        }
        if (!finite) {
            return crank_fail(err, CRANK_ENOTFINITE, "%s is not finite at the start values",
                              crank_dae_equation_text(input, i, name, sizeof name));
        }
    }
    return CRANK_OK;
}

/* ---- findings ---- */

static void find_differentiation_index(crank_dae_report *report)
{
    const crank_dae_level *last = &report->level[report->nu];
    const char *reason = NULL;
    if (report->equations != report->variables) {
        reason = "the numbers of equations and variables differ";
    } else if (last->m2 > 0) {
        reason = report->regular ? "equations are redundant, so that variables are undetermined"
                                 : "constraints have multiple roots";
    } else if (report->singular || !report->regular) {
        reason = "the start values are a singular point";
    }
    report->has_differentiation_index = reason == NULL;
    report->differentiation_index = reason == NULL ? report->constraint_level + 1 : 0;
    (void)snprintf(report->differentiation_reason, sizeof report->differentiation_reason, "%s",
                   reason != NULL ? reason : "");
}

static bool falls(crank_dae_rank rank)
{
    return rank.point < rank.most;
}

static void find_singular(crank_dae_report *report)
{
    const crank_dae_level *last = &report->level[report->nu];
    const bool leading = falls(last->leading), constraints = falls(last->a);
    report->singular = leading || constraints || falls(last->r);
    for (int i = 0; i <= report->nu; i++) {
        const crank_dae_level *level = &report->level[i];
        report->rank_varies = report->rank_varies || !level->leading.constant ||
                              !level->r.constant || !level->a.constant;
    }
    if (report->singular) {
        const crank_dae_rank rank = leading ? last->leading : constraints ? last->a : last->r;
        (void)snprintf(report->remark, sizeof report->remark,
                       "singular point: the rank of the %s is %d there and %d nearby",
                       leading       ? "leading matrix"
                       : constraints ? "constraints"
                                     : "differential and algebraic equations together",
                       rank.point, rank.most);
    } else if (!report->regular) {
        (void)snprintf(
            report->remark, sizeof report->remark,
            "the constraints have a multiple root at the point: their gradients vanish "
            "where they hold, and counts from ranks are not reliable");
    }
}

/* The point, how far it is, and whether the start is consistent. */
static void find_point(const crank_dae_procedure *p, crank_dae_report *report)
{
    report->consistent = p->outcome == CRANK_DAE_COMPLETE;
    for (int i = 0; i < p->level_count; i++) {
        report->consistent =
            report->consistent && p->level[i].residual <= CRANK_DAE_ZERO_TOLERANCE;
    }
    if (report->consistent) {
        memcpy(p->points.z, p->input->start, (size_t)p->n * sizeof *p->points.z);
    }
    memcpy(report->point, p->points.z, (size_t)p->n * sizeof *report->point);
    for (int j = 0; j < p->n; j++) {
        report->distance =
            fmax(report->distance, fabs(report->point[j] - p->input->start[j]) / p->unit[j]);
    }
}

static crank_status complete(crank_dae_procedure *p, crank_dae_report *report, crank_error *err)
{
    const crank_dae_level *last = &p->level[p->level_count - 1];
    crank_status status = CRANK_OK;
    report->nu = p->level_count - 1;
    report->constraint_level = report->nu - 1;
    report->regular = true;
    if (p->constraint_count > 0) {
        status = crank_dae_is_manifold(&p->set, report->point, p->points.t[0], &report->regular,
                                       err);
    }
    report->algebraic = last->a.most;
    report->differential = last->d;
    report->vanishing = report->equations - last->r.most;
    report->rank_gap = p->rank_gap;
    find_singular(report);
    find_differentiation_index(report);
    CRANK_THEN(status, crank_dae_find_undetermined(p, report, err));
    CRANK_THEN(status, crank_dae_reduce(p, report, err));
    if (status == CRANK_OK && !p->input->skip_redundant) {
        status = crank_dae_find_redundant(p, report, err);
    }
    if (status == CRANK_OK && !p->input->skip_hypothesis) {
        status = crank_dae_hypothesis(p, report->nu + 1, &report->strangeness, err);
    }
    return status;
}

static crank_status analyse(const crank_dae_input *input, crank_dae_report *report,
                            crank_error *err)
{
    crank_store *store = &report->memory->store;
    const size_t m = (size_t)input->equations, n = (size_t)input->variables;
    crank_status status = check_input(input, store, err);
    CRANK_THEN(status, check_start(input, err));
    if (status != CRANK_OK) {
        return status;
    }
    int *equation = crank_store_take(store, m, sizeof *equation);
    double *unit = crank_store_take(store, n, sizeof *unit);
    report->point = crank_store_take(store, n, sizeof *report->point);
    if (store->failed) {
        return crank_fail(err, CRANK_EMEM, "analysis of %d equations", input->equations);
    }
    for (size_t i = 0; i < m; i++) {
        equation[i] = (int)i;
    }
    for (size_t j = 0; j < n; j++) {
        unit[j] = input->nominal != NULL ? input->nominal[j] : 1.0 + fabs(input->start[j]);
    }
    crank_dae_procedure p;
    status = crank_dae_procedure_run(&p, input, unit, input->equations, equation, store, err);
    if (status == CRANK_OK) {
        report->outcome = p.outcome;
        report->level_count = p.level_count;
        report->level = p.level;
        report->kink_count = p.kink_count;
        report->kink = p.kink;
        (void)snprintf(report->reason, sizeof report->reason, "%s", p.reason);
        find_point(&p, report);
        status = p.outcome == CRANK_DAE_COMPLETE ? complete(&p, report, err) : CRANK_OK;
    }
    crank_dae_procedure_destroy(&p);
    return status == CRANK_OK && (store->failed || crank_pool_status(input->pool) != CRANK_OK)
               ? crank_fail(err, CRANK_EMEM, "analysis of %d equations", input->equations)
               : status;
}

crank_status crank_dae_analyse(const crank_dae_input *input, crank_dae_report **out,
                               crank_error *err)
{
    crank_dae_report *report = calloc(1, sizeof *report);
    *out = NULL;
    if (report == NULL) {
        return crank_fail(err, CRANK_EMEM, "analysis of %d equations", input->equations);
    }
    report->memory = calloc(1, sizeof *report->memory);
    if (report->memory == NULL) {
        free(report);
        return crank_fail(err, CRANK_EMEM, "analysis of %d equations", input->equations);
    }
    report->equations = input->equations;
    report->variables = input->variables;
    const crank_status status = analyse(input, report, err);
    if (status != CRANK_OK) {
        crank_dae_report_destroy(report);
        return status;
    }
    *out = report;
    return CRANK_OK;
}

void crank_dae_report_destroy(crank_dae_report *report)
{
    if (report != NULL && report->memory != NULL) {
        crank_store_free(&report->memory->store);
        free(report->memory);
    }
    free(report);
}

const char *crank_dae_equation_text(const crank_dae_input *input, int equation, char *text,
                                    size_t size)
{
    if (input->equation_names != NULL && input->equation_names[equation] != NULL) {
        (void)snprintf(text, size, "equation \"%.80s\"", input->equation_names[equation]);
    } else {
        (void)snprintf(text, size, "equation %d", equation + 1);
    }
    return text;
}
