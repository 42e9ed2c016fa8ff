/* rows.c - see rows.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "rows.h"

#include <math.h>
#include <stdlib.h>

static bool wanted(const text_list *patterns, const char *name, bool *used)
{
    bool any = patterns->count == 0;

    for (int i = 0; i < patterns->count; i++) {
        if (name_matches(patterns->item[i], name)) {
            used[i] = true;
            any = true;
        }
    }
    return any;
}

/* A pattern that no column matches is a mistake; without wildcards it may be a misspelt name.
 * */
static int unmatched(const rows *r, const char *pattern)
{
    messages *m = &r->session->messages;
    const char **names = calloc((size_t)r->column_count + 1, sizeof *names);
    const char *near = NULL;

    for (int j = 0; names != NULL && j < r->column_count; j++) {
        names[j] = crank_model_column_name(r->session->model, j);
    }
    if (names != NULL) {
        near = crank_nearest_name(pattern, names, r->column_count);
    }
    free(names);
    if (near != NULL) {
        tell_error(m, "--only %s matches no column, did you mean %s", pattern, near);
    } else {
        tell_error(m, "--only %s matches no column", pattern);
    }
    return CODE_USAGE;
}

int rows_choose(rows *r, session *s, const text_list *patterns)
{
    const size_t count = (size_t)crank_model_column_count(s->model);
    bool *used = calloc((size_t)patterns->count + 1, sizeof *used);
    int code = -1;

    r->session = s;
    r->column_count = (int)count;
    r->last = (double)NAN;
    r->values = calloc(count + 1, sizeof *r->values);
    r->chosen = calloc(count + 1, sizeof *r->chosen);
    r->row = calloc(count + 1, sizeof *r->row);
    if (used == NULL || r->values == NULL || r->chosen == NULL || r->row == NULL) {
        tell_error(&s->messages, "out of memory");
        free(used);
        return CODE_FAILED;
    }
    (void)wanted(patterns, "time", used); /* always written, so asking for it is no mistake */
    for (int j = 0; j < r->column_count; j++) {
        if (wanted(patterns, crank_model_column_name(s->model, j), used)) {
            r->chosen[r->chosen_count++] = j;
        }
    }
    for (int i = 0; i < patterns->count && code < 0; i++) {
        code = used[i] ? -1 : unmatched(r, patterns->item[i]);
    }
    free(used);
    return code;
}

crank_status rows_open(rows *r, const char *path, crank_error *err)
{
    const char **names = calloc((size_t)r->chosen_count + 1, sizeof *names);

    if (names == NULL) {
        return crank_fail(err, CRANK_EMEM, "names of %d columns", r->chosen_count);
    }
    names[0] = "time";
    for (int j = 0; j < r->chosen_count; j++) {
        names[j + 1] = crank_model_column_name(r->session->model, r->chosen[j]);
    }
    const crank_status status =
        crank_recorder_create(path, r->chosen_count + 1, names, &r->recorder, err);
    free(names);
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

double rows_time(const rows *r, int64_t i)
{
    if (i >= r->count) {
        return r->t_end;
    }
    return r->every > 0.0 ? r->t_start + (double)i * r->every
                          : r->t_start + (r->t_end - r->t_start) * (double)i / (double)r->count;
}

crank_status rows_write(rows *r, double t, const double *x, crank_error *err)
{
    session *s = r->session;
    double residual[3] = {0.0, 0.0, 0.0};
    bool finite = true;

    crank_status status = crank_model_columns(s->model, t, x, r->values, err);
    if (status == CRANK_OK) {
        status = crank_eom_residuals(s->eom, t, x, residual, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    r->row[0] = t;
    for (int j = 0; j < r->chosen_count; j++) {
        r->row[j + 1] = r->values[r->chosen[j]];
        if (finite && !isfinite(r->row[j + 1])) {
            finite = false;
            r->not_finite_column = r->not_finite == 0 ? r->chosen[j] : r->not_finite_column;
        }
    }
    r->not_finite += finite ? 0 : 1;
    for (int level = 0; level < 3; level++) {
        const double value = residual[level];
        r->residual[level] =
            value > r->residual[level] || isnan(value) ? value : r->residual[level];
    }
    r->last = t;
    return crank_recorder_write(r->recorder, r->row, err);
}
