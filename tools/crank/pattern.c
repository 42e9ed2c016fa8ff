/* pattern.c - see pattern.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "pattern.h"

#include <stdlib.h>

static const crank_column columns[] = {
    {"row", "1", "row of the entry, from 1"},
    {"column", "1", "its column, from 1"},
    {"group", "1", "of columns that are differenced together; 0: this one is not"},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* group (from 1) of each column; NULL: no memory */
static double *list_groups(const crank_newton_pattern *found)
{
    double *group = calloc((size_t)found->pattern.columns + 1, sizeof *group);

    for (int g = 0; g < found->groups && group != NULL; g++) {
        for (int l = found->group_start[g]; l < found->group_start[g + 1]; l++) {
            group[found->group_column[l]] = g + 1.0;
        }
    }
    return group;
}

static crank_status write_entries(const crank_newton_pattern *found, crank_recorder *recorder,
                                  crank_error *err)
{
    const crank_pattern *p = &found->pattern;
    double *group = list_groups(found);
    crank_status status =
        group != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "%d columns", p->columns);

    for (int j = 0; j < p->columns && status == CRANK_OK; j++) {
        for (int e = p->start[j]; e < p->start[j + 1] && status == CRANK_OK; e++) {
            const double entry[COLUMNS] = {p->row[e] + 1.0, j + 1.0, group[j]};
            status = crank_recorder_write(recorder, entry, err);
        }
    }
    free(group);
    return status;
}

int pattern_write(simulation *r)
{
    const char *path = r->arguments->pattern;
    const session *s = &r->session;
    crank_newton_pattern found;
    crank_recorder *recorder = NULL;
    crank_result_info info = crank_result_info_default();
    crank_error err = {0};

    if (path == NULL || s->run == NULL) {
        return -1;
    }
    if (!crank_integrator_pattern(crank_run_integrator(s->run), &found)) {
        tell_error(&r->session.messages,
                   "--pattern: %s does not tell the pattern of its matrix; use ggl-bdf",
                   s->method.name);
        return CODE_USAGE;
    }
    info.title = crank_model_title(s->model);
    info.model = s->path;
    info.method = s->method.name;
    crank_status status = crank_recorder_create(path, COLUMNS, columns, &info, &recorder, &err);
    THEN(status, write_entries(&found, recorder, &err));
    const crank_status closed =
        crank_recorder_close(recorder, status == CRANK_OK ? &err : NULL);
    if (status != CRANK_OK || closed != CRANK_OK) {
        tell_error(&r->session.messages, "%s", err.text);
        return CODE_FAILED;
    }
    return -1;
}
