/* describe.c - the report in words, one finding a line. */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae/analysis.h"

#include <math.h>
#include <stdlib.h>

/* An expression longer than this is told by its length. */
enum { EXPRESSION = 160 };

static void append_expression(const crank_pool *pool, crank_ex e, crank_text *text)
{
    char printed[EXPRESSION];
    const int length = crank_ex_print(pool, e, printed, sizeof printed);
    if (length >= 0 && length < EXPRESSION) {
        crank_text_append(text, "0 = %s", printed);
    } else {
        crank_text_append(text, "0 = (%d characters)", length);
    }
}

static const char *variable_name(const crank_dae_input *input, int j)
{
    return crank_ex_symbol_name(input->pool, input->variable[j]);
}

static void describe_levels(const crank_dae_input *input, const crank_dae_report *report,
                            crank_text *text)
{
    char name[120];
    for (int i = 0; i < report->level_count; i++) {
        const crank_dae_level *level = &report->level[i];
        for (int k = 0; k < level->m2 && level->constraint != NULL; k++) {
            const crank_dae_constraint *c = &level->constraint[k];
            if (c->trivial) {
                continue;
            }
            crank_text_append(text, "level %d, from %s: ", i,
                              crank_dae_equation_text(input, c->equation, name, sizeof name));
            append_expression(input->pool, c->ex, text);
            if (!(fabs(c->residual) <= 1e-9 * c->scale)) {
                crank_text_append(text, " (start values: %.3g)", c->residual);
            }
            crank_text_append(text, "\n");
        }
    }
}

static void describe_numbers(const crank_dae_input *input, const crank_dae_report *report,
                             crank_text *text)
{
    char name[120];
    const crank_dae_strangeness *s = &report->strangeness;
    crank_text_append(
        text, "%d differential and %d algebraic equations, from %d equations of %d variables\n",
        report->differential, report->algebraic, report->equations, report->variables);
    if (report->has_differentiation_index) {
        crank_text_append(text, "differentiation index %d\n", report->differentiation_index);
    } else {
        crank_text_append(text, "no differentiation index: %s\n",
                          report->differentiation_reason);
    }
    if (s->found) {
        crank_text_append(text, "strangeness index %d\n", s->index);
    } else if (!input->skip_hypothesis) {
        crank_text_append(text, "no strangeness index: %s\n", s->reason);
    }
    for (int i = 0; i < report->redundant_count; i++) {
        crank_text_append(
            text, "redundant: %s follows from the others\n",
            crank_dae_equation_text(input, report->redundant[i], name, sizeof name));
    }
    for (int i = 0; i < report->undetermined_count && report->regular; i++) {
        crank_text_append(text, "undetermined: \"%s\" must be prescribed\n",
                          variable_name(input, report->undetermined[i]));
    }
}

void crank_dae_describe(const crank_dae_input *input, const crank_dae_report *report,
                        crank_text *text)
{
    char name[120];
    describe_levels(input, report, text);
    for (int i = 0; i < report->kink_count; i++) {
        const crank_dae_kink *kink = &report->kink[i];
        crank_text_append(text, "not smooth: \"%s\" in %s, level %d, at a distance of %.3g\n",
                          kink->function,
                          crank_dae_equation_text(input, kink->equation, name, sizeof name),
                          kink->level, kink->distance);
    }
    if (report->outcome != CRANK_DAE_COMPLETE) {
        crank_text_append(text, "stopped: %s\n", report->reason);
        return;
    }
    describe_numbers(input, report, text);
    if (report->remark[0] != 0) {
        crank_text_append(text, "%s\n", report->remark);
    }
    if (report->consistent) {
        crank_text_append(text, "the start values are consistent\n");
    } else {
        crank_text_append(
            text,
            "the start values are not consistent; consistent ones were found at a "
            "distance of %.3g\n",
            report->distance);
    }
}
