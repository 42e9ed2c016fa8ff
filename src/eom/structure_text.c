/* structure_text.c - the structure report in words: what redundant constraints repeat, bodies
 * without mass, motions that nothing determines.
 *
 * A dependent row of V is a combination of independent ones, sum c_k V_k; it repeats the joints
 * whose rows take part in it. For the first few dependent rows the combination is computed, for
 * the others the strongest row alone is named. Which row of a joint is called dependent is a
 * matter of order; a direction that the combination hardly has would be named, and freeing it
 * would leave a joint that is nearly redundant. So it changes places with the row of the same
 * joint that has the largest coefficient. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/structure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMBINATIONS = 64, OPEN_DIRECTIONS = 16, JOINTS_NAMED = 6, TEXT = 400 };

static const double share = 1e-6; /* of the largest coefficient: what takes part */
static const double clearly =
    2.0; /* more than the row's own: the order of the file decides else */

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

void crank_structure_append_joints(const crank_eom *eom, const bool *marked, char *text,
                                   size_t size)
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
        crank_structure_append_joints(w->eom, marked, text, size);
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

/* w->r: the coefficients by which row is the sum of independent ones */
static crank_status combine(crank_structure *w, const crank_min_matrix *V, int row,
                            crank_error *err)
{
    crank_min_matrix I = {0};
    if (!crank_structure_independent(V, w->kept, w->rank_v, w->place, &I)) {
        return crank_fail(err, CRANK_EMEM, "combination of %d rows", w->rank_v);
    }
    memset(w->y, 0, (size_t)V->columns * sizeof *w->y);
    for (int j = 0; j < V->columns; j++) {
        for (int q = V->start[j]; q < V->start[j + 1]; q++) {
            w->y[j] += V->row[q] == row ? V->values[q] : 0.0;
        }
    }
    const crank_status status = crank_row_combination(&I, w->y, w->r, err);
    crank_min_free(&I);
    return status;
}

/* the independent row of the same joint with the largest coefficient, if that is clearly more
 * than 1, what the row itself has; or -1 */
static int find_stronger(const crank_structure *w, int row)
{
    const crank_eom_parts *parts = w->eom->parts;
    const int own = parts->constraint_joint[row],
              rows = w->eom->sizes.lambda + w->eom->sizes.mu;
    double most = clearly;
    int best = -1;
    for (int i = 0; i < rows && own >= 0; i++) {
        if (w->kept[i] && parts->constraint_joint[i] == own && fabs(w->r[w->place[i]]) > most) {
            most = fabs(w->r[w->place[i]]);
            best = i;
        }
    }
    return best;
}

/* entry k of the report: the row that is named, and w->r for it */
static crank_status settle_row(crank_structure *w, const crank_min_matrix *V, int k,
                               crank_error *err)
{
    crank_structure_report *report = w->report;
    const int row = report->redundant[k];
    crank_status status = combine(w, V, row, err);
    const int stronger = status == CRANK_OK ? find_stronger(w, row) : -1;
    if (stronger < 0) {
        return status;
    }
    w->kept[row] = true;
    w->kept[stronger] = false;
    report->redundant[k] = stronger;
    report->depends_on[k] = report->depends_on[k] == stronger ? row : report->depends_on[k];
    return combine(w, V, stronger, err);
}

crank_status crank_structure_redundant_text(crank_structure *w, const crank_min_matrix *V,
                                            crank_error *err)
{
    crank_structure_report *report = w->report;
    const int count = report->redundant_count;
    const size_t joints = w->eom->parts != NULL ? (size_t)w->eom->parts->joint_count : 0;
    char text[TEXT];
    crank_status status = CRANK_OK;
    bool *marked = calloc(joints + 1, sizeof *marked);
    report->redundant_text = calloc((size_t)count + 1, sizeof *report->redundant_text);
    if (marked == NULL || report->redundant_text == NULL) {
        free(marked);
        return crank_fail(err, CRANK_EMEM, "texts of %d constraints", count);
    }
    for (int k = 0; k < count && status == CRANK_OK; k++) {
        const bool combined = joints > 0 && k < COMBINATIONS && report->depends_on[k] >= 0;
        status = combined ? settle_row(w, V, k, err) : CRANK_OK;
        if (status == CRANK_OK) {
            row_text(w, report->redundant[k], report->depends_on[k], combined ? w->r : NULL,
                     marked, text, sizeof text);
            report->redundant_text[k] = copy_text(text);
            status = report->redundant_text[k] != NULL
                         ? CRANK_OK
                         : crank_fail(err, CRANK_EMEM, "texts of %d constraints", count);
        }
    }
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
