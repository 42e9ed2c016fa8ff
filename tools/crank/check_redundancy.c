/* check_redundancy.c - of "crank check": which constraints repeat others, whether they agree,
 * also where drives lead, and which reactions that leaves open. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check_verdict.h"
#include "session.h"

#include <stdio.h>
#include <string.h>

void check_print_list(const char *label, int count, char *const *text)
{
    for (int i = 0; i < count && i < CHECK_LINES; i++) {
        check_print_item(i == 0 ? label : "");
        (void)printf("%s\n", text[i]);
    }
    if (count > CHECK_LINES) {
        check_print_item("");
        (void)printf("and %d more\n", count - CHECK_LINES);
    }
}

/* Equations and the point at which their constraints are looked at. */
typedef struct looked_at {
    crank_eom *eom;
    const double *x;
    const crank_structure_report *report;
    bool consistent;
} looked_at;

/* 'not unique: joint "hinge": translation along x, rotation about y; ...' a line for each
 * joint */
static void print_reactions(const crank_eom *eom, const crank_structure_report *report)
{
    const crank_eom_sizes sizes = crank_eom_get_sizes(eom);
    const char *joint = NULL, *direction, *last = NULL;
    int lines = 0, left = 0;

    for (int i = 0; i < sizes.lambda + sizes.mu; i++) {
        if (report->multiplier_unique[i]) {
            continue;
        }
        joint = crank_eom_constraint_joint(eom, i, &direction);
        if (joint == last && last != NULL) {
            if (lines <= CHECK_LINES && direction != NULL) {
                (void)printf(", %s", direction);
            }
            continue;
        }
        last = joint;
        if (++lines > CHECK_LINES) {
            left++;
            continue;
        }
        if (lines > 1) {
            (void)printf("\n");
        }
        check_print_item(lines == 1 ? "reactions" : "");
        (void)printf("not unique: %s%s%s", joint, direction != NULL ? ": " : "",
                     direction != NULL ? direction : "");
    }
    if (left > 0) {
        (void)printf("\n%-17sand those of %d more", "", left);
    }
    if (lines == 0) {
        check_print_item("reactions");
        (void)printf("unique");
    }
    (void)printf("\n");
}

static void print_multipliers(const session *s, const crank_structure_report *report)
{
    const crank_eom_sizes sizes = crank_eom_get_sizes(s->eom);
    int not_unique = 0;

    check_print_item("multipliers");
    for (int i = 0; i < sizes.lambda + sizes.mu; i++) {
        if (!report->multiplier_unique[i]) {
            const int column = crank_eom_column(s->eom, CRANK_LAMBDA) + i;
            (void)printf("%s%s", not_unique++ == 0 ? "not unique: " : ", ",
                         crank_eom_column_name(s->eom, column));
        }
    }
    (void)printf(not_unique == 0 ? "unique\n" : "\n");
}

/* What is said of constraints that are redundant, where drives have moved. */
static const char *agreement_text(const crank_structure_report *report, crank_drives drives)
{
    return report->contradictory ? "NOT consistent: some contradict what they repeat"
           : drives == CRANK_DRIVES_PART
               ? "NOT consistent where drives lead: independent of what they repeat"
           : drives == CRANK_DRIVES_STUCK
               ? "NOT consistent where drives lead: bodies cannot follow"
           : drives == CRANK_DRIVES_KEEP
               ? "consistent: they agree with what they repeat, also where drives lead"
               : "consistent: they agree with what they repeat";
}

/* Of redundant constraints, at the start; nothing is known where the search has failed. */
static crank_drives follow_drives(const session *s, const looked_at *at, double *when)
{
    const crank_structure_report *report = at->report;
    crank_drives drives = CRANK_DRIVES_STILL;

    if (report->redundant_count > 0 && !report->contradictory && !report->degenerate) {
        (void)crank_eom_follow_drives(at->eom, s->t_start,
                                      crank_model_simulate(s->model)->t_end, at->x, &drives,
                                      when, NULL);
    }
    return drives;
}

static void print_redundancy(const session *s, const looked_at *at, crank_drives drives,
                             double when)
{
    const crank_structure_report *report = at->report;
    const crank_eom_sizes sizes = crank_eom_get_sizes(at->eom);

    if (sizes.lambda + sizes.mu == 0) {
        return;
    }
    if (report->redundant_count == 0) {
        check_print_item("redundant");
        (void)printf("none\n");
    }
    check_print_list("redundant", report->redundant_count, report->redundant_text);
    if (report->degenerate) {
        check_print_item("");
        (void)printf("only here, not nearby: %s\n", report->degenerate_text);
    } else if (report->redundant_count > 0 && crank_eom_bodies(s->eom) > 0) {
        check_print_item("");
        (void)printf("%s", agreement_text(report, drives));
        (void)printf(drives == CRANK_DRIVES_STILL ? "\n" : " (at t = %.3g)\n", when);
    }
    if (!at->consistent) { /* what is unique is a matter of closed positions */
        return;
    }
    if (crank_eom_bodies(s->eom) > 0) {
        print_reactions(at->eom, report);
    } else {
        print_multipliers(s, report);
    }
}

/* In joint coordinates joints of the tree are no constraints: what repeats what, and which
 * reactions that leaves open, is told by the equations of all bodies. */
crank_status check_print_redundancy(const session *s, check_findings *found, crank_error *err)
{
    crank_structure_report other = {0};
    looked_at at = {s->eom, s->x, found->report, found->consistent};
    double when = s->t_start;
    crank_status status = CRANK_OK;
    if (found->consistent && s->start.eom != s->eom) {
        at = (looked_at){s->start.eom, s->start.found, &other, true};
        status = crank_eom_structure(at.eom, s->t_start, at.x, s->options->rank_tolerance,
                                     &other, err);
    }
    if (status == CRANK_OK) {
        found->drives = found->consistent ? follow_drives(s, &at, &when) : CRANK_DRIVES_STILL;
        print_redundancy(s, &at, found->drives, when);
    }
    crank_structure_report_free(&other);
    return status;
}
