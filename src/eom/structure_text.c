/* structure_text.c - the structure report in words: what redundant constraints repeat, bodies
 * without mass, motions that nothing determines.
 *
 * A dependent row of V is a combination of independent ones, sum c_k V_k; it repeats the joints
 * whose rows take part in it. For the first few dependent rows the combination is computed, for
 * the others the strongest row alone is named. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/structure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMBINATIONS = 64, OPEN_DIRECTIONS = 16, JOINTS_NAMED = 6, TEXT = 400 };

static const double share = 1e-6; /* of the largest coefficient: what takes part */

static char *copy_text(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy != NULL) {
        memcpy(copy, text, size);
    }
    return copy;
}

bool crank_structure_independent(const crank_min_matrix *V, const bool *kept, int rank,
                                 int *place, crank_min_matrix *I)
{
    int count = 0, entries = 0;
    if (!crank_min_allocate(I, rank, V->columns, (size_t)V->start[V->columns])) {
        return false;
    }
    for (int i = 0; i < V->rows; i++) {
        place[i] = kept[i] ? count++ : -1;
    }
    for (int j = 0; j < V->columns; j++) {
        for (int q = V->start[j]; q < V->start[j + 1]; q++) {
            if (kept[V->row[q]]) {
                I->row[entries] = place[V->row[q]];
                I->values[entries++] = V->values[q];
            }
        }
        I->start[j + 1] = entries;
    }
    return true;
}

/* 'joint "a"' as '"a"' */
static const char *short_name(const char *text)
{
    return strncmp(text, "joint ", strlen("joint ")) == 0 ? text + strlen("joint ") : text;
}

/* Appends '"a", "b" and "c"': the joints marked. */
static void append_joints(const crank_eom *eom, const bool *marked, char *text, size_t size)
{
    int count = 0, written = 0;
    for (int i = 0; i < eom->parts->joint_count; i++) {
        count += marked[i] ? 1 : 0;
    }
    for (int i = 0; i < eom->parts->joint_count && written < JOINTS_NAMED; i++) {
        const size_t used = strlen(text);
        if (marked[i]) {
            const bool last = written == count - 1;
            (void)snprintf(text + used, size - used, "%s%s",
                           written == 0 ? ""
                           : last       ? " and "
                                        : ", ",
                           short_name(eom->parts->joint_text[i]));
            written++;
        }
    }
    if (count > written) {
        const size_t used = strlen(text);
        (void)snprintf(text + used, size - used, " and %d more", count - written);
    }
}

/* A redundant row of a joint; coefficient (by kept row, NULL: only the reason is known). */
static void joint_text(const crank_structure *w, int row, int reason, const double *coefficient,
                       bool *marked, char *text, size_t size)
{
    const crank_eom_parts *parts = w->eom->parts;
    const int own = parts->constraint_joint[row];
    const int rows = w->eom->sizes.lambda + w->eom->sizes.mu;
    double most = 0.0;
    bool others = false;
    (void)snprintf(text, size, "%s: %s repeats ", parts->joint_text[own],
                   parts->constraint_row[row]);
    memset(marked, 0, (size_t)parts->joint_count * sizeof *marked);
    for (int i = 0; i < rows && coefficient != NULL; i++) {
        most = w->kept[i] ? fmax(most, fabs(coefficient[w->place[i]])) : most;
    }
    for (int i = 0; i < rows && coefficient != NULL; i++) {
        const int joint = parts->constraint_joint[i];
        if (w->kept[i] && joint >= 0 && fabs(coefficient[w->place[i]]) > share * most) {
            marked[joint] = true;
            others = others || joint != own;
        }
    }
    if (parts->constraint_joint[reason] >= 0 && coefficient == NULL) {
        marked[parts->constraint_joint[reason]] = true;
        others = parts->constraint_joint[reason] != own;
    }
    if (others) {
        marked[own] = false;
        append_joints(w->eom, marked, text, size);
    } else {
        const size_t used = strlen(text);
        (void)snprintf(text + used, size - used, "other directions of the same joint");
    }
}

static void row_text(const crank_structure *w, int row, int reason, const double *coefficient,
                     bool *marked, char *text, size_t size)
{
    char name[160], cause[160];
    crank_eom_constraint_text(w->eom, row, name, sizeof name);
    const crank_eom_parts *parts = w->eom->parts;
    if (reason < 0) {
        (void)snprintf(text, size, "%s, restricts nothing: its gradient is zero", name);
    } else if (parts != NULL && parts->constraint_joint[row] >= 0 &&
               parts->constraint_row[row] != NULL) {
        joint_text(w, row, reason, coefficient, marked, text, size);
    } else {
        (void)snprintf(text, size, "%s, %s %s", name,
                       w->report->contradictory
                           ? "depends on other constraints or contradicts them, above all"
                           : "follows from other constraints, above all from",
                       crank_eom_constraint_text(w->eom, reason, cause, sizeof cause));
    }
}

crank_status crank_structure_redundant_text(crank_structure *w, const crank_min_matrix *V,
                                            crank_error *err)
{
    crank_structure_report *report = w->report;
    const int count = report->redundant_count;
    const size_t joints = w->eom->parts != NULL ? (size_t)w->eom->parts->joint_count : 0;
    crank_min_matrix I = {0};
    char text[TEXT];
    crank_status status = CRANK_OK;
    bool *marked = calloc(joints + 1, sizeof *marked);
    report->redundant_text = calloc((size_t)count + 1, sizeof *report->redundant_text);
    if (marked == NULL || report->redundant_text == NULL ||
        !crank_structure_independent(V, w->kept, w->rank_v, w->place, &I)) {
        free(marked);
        return crank_fail(err, CRANK_EMEM, "texts of %d constraints", count);
    }
    for (int k = 0; k < count && status == CRANK_OK; k++) {
        const int row = report->redundant[k], reason = report->depends_on[k];
        const bool combined = joints > 0 && k < COMBINATIONS && reason >= 0;
        if (combined) {
            memset(w->y, 0, (size_t)V->columns * sizeof *w->y);
            for (int j = 0; j < V->columns; j++) {
                for (int q = V->start[j]; q < V->start[j + 1]; q++) {
                    w->y[j] += V->row[q] == row ? V->values[q] : 0.0;
                }
            }
            status = crank_row_combination(&I, w->y, w->r, err);
        }
        if (status == CRANK_OK) {
            row_text(w, row, reason, combined ? w->r : NULL, marked, text, sizeof text);
            report->redundant_text[k] = copy_text(text);
            status = report->redundant_text[k] != NULL
                         ? CRANK_OK
                         : crank_fail(err, CRANK_EMEM, "texts of %d constraints", count);
        }
    }
    crank_min_free(&I);
    free(marked);
    return status;
}

static crank_status find_massless(crank_structure *w, crank_error *err)
{
    const int bodies = crank_eom_bodies(w->eom);
    crank_structure_report *report = w->report;
    char text[TEXT];
    report->massless_text = calloc((size_t)bodies + 1, sizeof *report->massless_text);
    bool made = report->massless_text != NULL;
    for (int i = 0; i < bodies && made && !report->mass_regular; i++) {
        if (crank_structure_massless(w->eom, w->values, i, text, sizeof text)) {
            char *copy = copy_text(text);
            made = copy != NULL;
            report->massless_text[report->massless_count] = copy;
            report->massless_count += made ? 1 : 0;
        }
    }
    return made ? CRANK_OK : crank_fail(err, CRANK_EMEM, "texts of %d bodies", bodies);
}

static crank_status find_open(crank_structure *w, crank_error *err)
{
    crank_structure_report *report = w->report;
    int column[OPEN_DIRECTIONS], count = 0;
    char text[TEXT];
    double *direction =
        calloc(OPEN_DIRECTIONS * (size_t)w->eom->sizes.v + 1, sizeof *direction);
    report->open_text = calloc(OPEN_DIRECTIONS, sizeof *report->open_text);
    if (direction == NULL || report->open_text == NULL) {
        free(direction);
        return crank_fail(err, CRANK_EMEM, "motion of %d velocities", w->eom->sizes.v);
    }
    crank_status status = crank_structure_motion(w->eom, w->values, OPEN_DIRECTIONS, column,
                                                 direction, &count, err);
    for (int i = 0; i < count && i < OPEN_DIRECTIONS && status == CRANK_OK; i++) {
        const double *d = direction + (size_t)i * (size_t)w->eom->sizes.v;
        char *copy = copy_text(crank_structure_direction(w->eom, w->x, d, text, sizeof text));
        report->open_text[i] = copy;
        report->open_count += copy != NULL ? 1 : 0;
        status = copy != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "texts of motions");
    }
    free(direction);
    return status;
}

crank_status crank_structure_bodies(crank_structure *w, crank_error *err)
{
    w->report->loops = crank_structure_loops(w->eom, w->values);
    crank_status status = w->report->bordered_regular ? CRANK_OK : find_open(w, err);
    if (status == CRANK_OK && w->eom->parts != NULL && w->eom->has_acceleration_level) {
        /* the null vectors decide: the matrix may be badly scaled by tiny or huge bodies */
        w->report->bordered_regular = w->report->open_count == 0;
    }
    if (status == CRANK_OK && w->eom->parts != NULL) {
        status = find_massless(w, err);
    }
    return status;
}
