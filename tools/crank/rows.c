/* rows.c - see rows.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "rows.h"

#include "columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns of the run, behind those of the model. */
static const crank_column run_columns[RUN_COLUMNS] = {
    {"step.size", "s", "size of the step that the row lies in"},
    {"step.newton", "1", "Newton iterations of the step, rejected attempts included"},
    {"step.rejected", "1", "attempts rejected before the step"},
    {"step.error", "1", "estimated error of the step in units of the tolerance"},
    {"step.jacobian", "1", "what the step renewed: 2 the Jacobian, 1 what is cheap of it, 0"},
    {"residual.position", "1", "largest residual of the position level, scaled"},
    {"residual.velocity", "1", "largest residual of the velocity level, scaled"},
    {"residual.acceleration", "1", "largest residual of the acceleration level, scaled"},
};

/* Instead of the last of them for a general DAE. */
static const crank_column level_columns[RUN_COLUMNS - STEP_COLUMNS] = {
    {"residual.level0", "1", "largest residual of the stated constraints, scaled"},
    {"residual.level1", "1", "largest residual of the hidden constraints of level 1, scaled"},
    {"residual.level2", "1", "largest residual of those of level 2 and above, scaled"},
};

static crank_column column_of(const rows *r, int j)
{
    const crank_model *model = r->session->model;
    const int of_run = j - r->column_count;

    if (of_run >= STEP_COLUMNS && session_is_dae(r->session)) {
        return level_columns[of_run - STEP_COLUMNS];
    }
    if (of_run >= 0) {
        return run_columns[of_run];
    }
    return (crank_column){.name = crank_model_column_name(model, j),
                          .unit = crank_model_column_unit(model, j),
                          .description = crank_model_column_description(model, j)};
}

static int find_column(const rows *r, const char *name)
{
    for (int j = 0; j < r->column_count; j++) {
        if (strcmp(crank_model_column_name(r->session->model, j), name) == 0) {
            return j;
        }
    }
    return -1;
}

static rows_energy find_energy(const rows *r)
{
    rows_energy energy = {.kinetic = find_column(r, "energy.kinetic"),
                          .potential = find_column(r, "energy.potential"),
                          .dissipated = find_column(r, "energy.dissipated"),
                          .supplied = find_column(r, "energy.supplied"),
                          .first = (double)NAN};

    if (energy.kinetic < 0) {
        energy.kinetic = find_column(r, "energy");
    }
    return energy;
}

int rows_choose(rows *r, session *s, const text_list *patterns)
{
    r->session = s;
    r->column_count = crank_model_column_count(s->model);
    const int count = r->column_count + RUN_COLUMNS;
    const size_t room = (size_t)count + 1; /* time besides */
    const char **names = calloc(room, sizeof *names);
    bool *wanted = calloc(room, sizeof *wanted);
    int code = CODE_FAILED;

    r->values = calloc(room, sizeof *r->values);
    r->chosen = calloc(room, sizeof *r->chosen);
    r->row = calloc(room, sizeof *r->row);
    if (names == NULL || wanted == NULL || r->values == NULL || r->chosen == NULL ||
        r->row == NULL) {
        tell_error(&s->messages, "out of memory");
    } else {
        r->state = (rows_state){.last = (double)NAN, .energy = find_energy(r)};
        for (int j = 0; j < count; j++) {
            names[j] = column_of(r, j).name;
        }
        names[count] = "time"; /* always written, so asking for it is no mistake */
        code = columns_choose(&s->messages, patterns, count + 1, names, wanted);
        for (int j = 0; j < count; j++) {
            if (wanted[j]) {
                r->chosen[r->chosen_count++] = j;
            }
        }
    }
    free(names);
    free(wanted);
    return code;
}

crank_status rows_open(rows *r, const char *path, int64_t kept, crank_error *err)
{
    const session *s = r->session;
    const int count = r->chosen_count + 1;
    crank_column *columns = calloc((size_t)count, sizeof *columns);
    crank_result_info info = crank_result_info_default();
    char *scene = NULL;

    if (columns == NULL) {
        return crank_fail(err, CRANK_EMEM, "names of %d columns", r->chosen_count);
    }
    columns[0] = (crank_column){.name = "time", .unit = "s"};
    for (int j = 0; j < r->chosen_count; j++) {
        columns[j + 1] = column_of(r, r->chosen[j]);
    }
    crank_status status = crank_model_scene(s->model, &scene, err);
    info.title = crank_model_title(s->model);
    info.model = s->path;
    info.method = s->method.name;
    info.scene = scene;
    THEN(status, kept < 0
                     ? crank_recorder_create(path, count, columns, &info, &r->recorder, err)
                     : crank_recorder_reopen(path, kept, &r->kept, count, columns, &info,
                                             &r->recorder, err));
    free(scene);
    free(columns);
    return status;
}

crank_status rows_close(rows *r, crank_error *err)
{
    const crank_status status = crank_recorder_close(r->recorder, err);

    r->recorder = NULL;
    return status;
}

void rows_free(rows *r)
{
    (void)crank_recorder_close(r->recorder, NULL);
    free(r->values);
    free(r->chosen);
    free(r->row);
    *r = (rows){0};
}

static void note_energy(rows *r)
{
    rows_energy *energy = &r->state.energy;
    const double *values = r->values;

    if (energy->kinetic < 0) {
        return;
    }
    const int terms[] = {energy->kinetic, energy->potential, energy->dissipated,
                         energy->supplied};
    for (int i = 0; i < 4; i++) {
        energy->size =
            terms[i] >= 0 ? fmax(energy->size, fabs(values[terms[i]])) : energy->size;
    }
    const double before = energy->last;
    energy->last = values[energy->kinetic];
    energy->last += energy->potential >= 0 ? values[energy->potential] : 0.0;
    energy->last += energy->dissipated >= 0 ? values[energy->dissipated] : 0.0;
    energy->last -= energy->supplied >= 0 ? values[energy->supplied] : 0.0;
    if (isnan(r->state.last)) {
        energy->first = energy->last;
    }
    if (energy->jumping && energy->dissipated >= 0 && energy->supplied >= 0) {
        energy->jumped += energy->last - before;
    }
    const double change = fabs(energy->last - energy->first - energy->jumped);
    energy->change = change > energy->change || isnan(change) ? change : energy->change;
}

void rows_note(rows *r, double t)
{
    rows_state *state = &r->state;
    const double *residual = r->values + r->column_count + STEP_COLUMNS;
    int wrong = -1;

    for (int j = 0; j < r->chosen_count && wrong < 0; j++) {
        const int column = r->chosen[j];
        wrong = column < r->column_count && !isfinite(r->values[column]) ? column : -1;
    }
    if (wrong >= 0) {
        state->not_finite_column = state->not_finite == 0 ? wrong : state->not_finite_column;
        state->not_finite++;
    }
    for (int level = 0; level < 3; level++) {
        const double value = residual[level], largest = state->residual[level];
        state->residual[level] = value > largest || isnan(value) ? value : largest;
    }
    note_energy(r);
    state->last = t;
}
