/* describe.c - the report in words: a label, then a finding a line. */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae/analysis.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum {
    EXPRESSION = 300, /* an expression longer than this: its length is reported */
    SENTENCE = 900,
    LINES = 40 /* lists of a large system end here; the rest is counted */
};

/* label NULL: the one before goes on */
static void line(crank_text *text, const char *label, const char *format, ...)
    CRANK_PRINTF(3, 4);
static void line(crank_text *text, const char *label, const char *format, ...)
{
    char sentence[SENTENCE];
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(sentence, sizeof sentence, format, arguments) < 0) {
        sentence[0] = '\0';
    }
    va_end(arguments);
    crank_text_append(text, "%-17s%s\n", label != NULL ? label : "", sentence);
}

static const char *print_expression(const crank_pool *pool, crank_ex e, char *printed)
{
    if (crank_ex_get_op(pool, e) == CRANK_EX_NEG) { /* 0 = -e says the same */
        e = crank_ex_get_operand(pool, e, 0);
    }
    const int length = crank_ex_print(pool, e, printed, EXPRESSION);
    if (length < 0 || length >= EXPRESSION) {
        (void)snprintf(printed, EXPRESSION, "(%d characters)", length);
    }
    return printed;
}

static const char *variable_name(const crank_dae_input *input, int j)
{
    return crank_ex_symbol_name(input->pool, input->variable[j]);
}

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

/* ---- constraints ---- */

static bool has_derivatives(const crank_dae_input *input, int equation)
{
    const crank_ex *row = input->E + (size_t)equation * (size_t)input->variables;
    bool any = false;
    for (int j = 0; j < input->variables; j++) {
        any = any || !crank_ex_is_value(input->pool, row[j], 0.0);
    }
    return any;
}

static void describe_constraint(const crank_dae_input *input, const crank_dae_constraint *c,
                                int level, const char *label, crank_text *text)
{
    char name[120], printed[EXPRESSION], off[80] = "", origin[60] = "";
    const bool combined = level == 0 && has_derivatives(input, c->equation);
    (void)crank_dae_equation_text(input, c->equation, name, sizeof name);
    (void)print_expression(input->pool, c->ex, printed);
    if (!(fabs(c->residual) <= 1e-9 * c->scale)) {
        (void)snprintf(off, sizeof off, "; the start values leave %.3g", c->residual);
    }
    if (level > 2) {
        (void)snprintf(origin, sizeof origin, ", by differentiating %d times", level);
    } else if (level > 0) {
        (void)snprintf(origin, sizeof origin, ", by differentiating %s",
                       level == 1 ? "once" : "twice");
    } else if (combined) { /* derivatives cancel */
        (void)snprintf(origin, sizeof origin, " with others");
    }
    line(text, label, "level %d, %s: 0 = %s (%s%s%s)%s", level,
         level > 0  ? "hidden"
         : combined ? "combined"
                    : "stated",
         printed, level > 0 ? "from " : "", name, origin, off);
}

static void describe_constraints(const crank_dae_input *input, const crank_dae_report *report,
                                 crank_text *text)
{
    int count = 0;
    for (int i = 0; i < report->level_count; i++) {
        const crank_dae_level *level = &report->level[i];
        for (int k = 0; k < level->m2 && level->constraint != NULL; k++) {
            const crank_dae_constraint *c = &level->constraint[k];
            if (!c->trivial && count++ < LINES) {
                describe_constraint(input, c, i, count == 1 ? "constraints" : NULL, text);
            }
        }
    }
    if (count > LINES) {
        line(text, NULL, "and %d more", count - LINES);
    }
    if (count == 0 && report->outcome == CRANK_DAE_COMPLETE) {
        line(text, "constraints",
             "none: no combination of the equations is free of derivatives");
    }
}

/* ---- counts ---- */

static void describe_lists(const crank_dae_input *input, const crank_dae_report *report,
                           crank_text *text)
{
    char name[120];
    for (int i = 0; i < report->redundant_count && i < LINES; i++) {
        line(text, i == 0 ? "redundant" : NULL, "%s follows from the others",
             crank_dae_equation_text(input, report->redundant[i], name, sizeof name));
    }
    if (report->redundant_count > LINES) {
        line(text, NULL, "and %d more", report->redundant_count - LINES);
    }
    if (report->vanishing > report->redundant_count && report->redundant_count >= 0) {
        line(text, report->redundant_count == 0 ? "redundant" : NULL,
             "%d equation%s less would do, but it takes a combination of several to see it",
             report->vanishing - report->redundant_count,
             plural(report->vanishing - report->redundant_count));
    } else if (report->vanishing == 0) {
        line(text, "redundant", "none");
    }
    if (report->undetermined_count == 0) {
        line(text, "undetermined", "none: the equations determine every variable");
    } else if (report->singular || !report->regular) {
        line(text, "undetermined", "not known at such a point, see below");
        return;
    }
    for (int i = 0; i < report->undetermined_count && i < LINES; i++) {
        line(text, i == 0 ? "undetermined" : NULL,
             "\"%s\" is left open by the equations and must be prescribed",
             variable_name(input, report->undetermined[i]));
    }
    if (report->undetermined_count > LINES) {
        line(text, NULL, "and %d more", report->undetermined_count - LINES);
    }
}

static void describe_index(const crank_dae_input *input, const crank_dae_report *report,
                           crank_text *text)
{
    const crank_dae_strangeness *s = &report->strangeness;
    if (report->has_differentiation_index) {
        line(text, "index", "differentiation index %d", report->differentiation_index);
    } else {
        line(text, "index", "no differentiation index: %s", report->differentiation_reason);
    }
    if (s->found) {
        line(text, NULL, "strangeness index %d", s->index);
    } else if (!input->skip_hypothesis) {
        line(text, NULL, "no strangeness index: %s", s->reason);
    } else if (report->has_differentiation_index) { /* theory 10.5 */
        line(text, NULL, "strangeness index %d",
             report->differentiation_index > 0 ? report->differentiation_index - 1 : 0);
    } else {
        line(text, NULL, "the strangeness index was not looked for");
    }
}

static void describe_numbers(const crank_dae_input *input, const crank_dae_report *report,
                             crank_text *text)
{
    const int d = report->differential, a = report->algebraic, open = report->variables - d - a;
    line(text, "components", "%d differential, %d algebraic, %d undetermined", d, a, open);
    if (a == 0) {
        line(text, NULL, "all start values can be chosen");
    } else if (d == 0) {
        line(text, NULL, "no start value can be chosen: the constraints say %s",
             open == 0 ? "all of them" : "those that are determined");
    } else {
        line(text, NULL, "%d start value%s can be chosen, %d follow%s from the constraints", d,
             plural(d), a, a == 1 ? "s" : "");
    }
    describe_lists(input, report, text);
    describe_index(input, report, text);
}

/* ---- the point ---- */

static void describe_kinks(const crank_dae_input *input, const crank_dae_report *report,
                           crank_text *text)
{
    char name[120];
    for (int i = 0; i < report->kink_count; i++) {
        const crank_dae_kink *kink = &report->kink[i];
        line(text, i == 0 ? "not smooth" : NULL,
             "\"%s\" in %s, level %d: its kink is at a distance of %.3g", kink->function,
             crank_dae_equation_text(input, kink->equation, name, sizeof name), kink->level,
             kink->distance);
    }
}

static void describe_start(const crank_dae_report *report, crank_text *text)
{
    if (report->remark[0] != 0) {
        line(text, "singular", "%s", report->remark);
    } else if (report->rank_varies) {
        line(text, "singular", "not here; a rank on the way to the result differs nearby");
    } else {
        line(text, "singular", "no: ranks are the same at the start and around it");
    }
    if (report->consistent) {
        line(text, "initial values", "consistent");
    } else {
        line(text, "initial values",
             "not consistent; consistent ones were found at a distance of %.3g (in sizes "
             "1 + |start|)",
             report->distance);
    }
}

void crank_dae_describe(const crank_dae_input *input, const crank_dae_report *report,
                        crank_text *text)
{
    line(text, "size", "%d equation%s of %d variable%s", report->equations,
         plural(report->equations), report->variables, plural(report->variables));
    describe_constraints(input, report, text);
    describe_kinks(input, report, text);
    if (report->outcome != CRANK_DAE_COMPLETE) {
        line(text, "stopped", "%s", report->reason);
        return;
    }
    describe_numbers(input, report, text);
    describe_start(report, text);
}
