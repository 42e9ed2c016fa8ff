/* sweep_merge.c - the logs of a study as one netCDF-4 file: dimensions run and time, factors as
 * coordinates, members in the order of their numbers, some at a time. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/sweep.h"

#include "base/claim.h"
#include "base/file.h"
#include "base/store.h"
#include "base/then.h"
#include "model/model.h"
#include "results/netcdf.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const size_t room = 1 << 20; /* doubles that are in memory at once */
static const char not_run[] = "not run";

typedef struct merge {
    const crank_study *s;
    crank_store store;
    crank_logs logs;
    crank_netcdf *file;
    int *factor, *kept; /* variables */
    int status, reason, rows;
    int64_t block;   /* members at once */
    double *columns; /* a column of all kept: block x rows each */
    double *scalars; /* block each */
    double *points;  /* block each */
    int *code, *count;
    size_t width; /* of reasons */
    char *text;   /* block x width */
    crank_member member;
} merge;

static crank_status take(merge *m, crank_error *err)
{
    const crank_study *s = m->s;
    const size_t size = crank_member_size(s) + (size_t)s->design.factor_count + 64;
    m->block = (int64_t)(room / size) + 1;
    m->block = m->block < s->design.count ? m->block : s->design.count;
    const size_t block = (size_t)m->block;
    m->factor = crank_store_take(&m->store, (size_t)s->design.factor_count, sizeof *m->factor);
    m->kept = crank_store_take(&m->store, (size_t)s->kept_count, sizeof *m->kept);
    m->columns = crank_store_take(&m->store, block * (size_t)s->rows * (size_t)s->columns,
                                  sizeof *m->columns);
    m->scalars = crank_store_take(&m->store, block * (size_t)s->scalars, sizeof *m->scalars);
    m->points =
        crank_store_take(&m->store, block * (size_t)s->design.factor_count, sizeof *m->points);
    m->code = crank_store_take(&m->store, block, sizeof *m->code);
    m->count = crank_store_take(&m->store, block, sizeof *m->count);
    const size_t least = m->logs.found < s->design.count ? sizeof not_run - 1 : 1;
    m->width = m->logs.longest > least ? m->logs.longest : least;
    m->text = crank_store_take(&m->store, block, m->width);
    m->member.values =
        crank_store_take(&m->store, crank_member_size(s) + 1, sizeof *m->member.values);
    return m->store.failed ? crank_fail(err, CRANK_EMEM, "merging a study") : CRANK_OK;
}

/* ---- what comes before the numbers ---- */

static bool define_dimensions(merge *m)
{
    const crank_study *s = m->s;
    const size_t count = (size_t)(s->design.count > s->rows ? s->design.count : s->rows);
    double *values = malloc(count * sizeof *values);
    if (values == NULL) {
        return false;
    }
    for (int64_t i = 0; i < s->design.count; i++) {
        values[i] = (double)i;
    }
    (void)crank_netcdf_dimension(m->file, "run", s->design.count, values, "1",
                                 "number of the member");
    for (int64_t i = 0; i < s->rows; i++) {
        values[i] = i == s->rows - 1 ? s->t_end
                                     : s->t_start + (s->t_end - s->t_start) * (double)i /
                                                        (double)(s->rows - 1);
    }
    (void)crank_netcdf_dimension(m->file, "time", s->rows, values, "s", "time");
    (void)crank_netcdf_dimension(m->file, "reason_length", (int64_t)m->width, NULL, NULL, NULL);
    free(values);
    return true;
}

/* A factor has its own name, unless something else has it: then "vary.NAME". */
static const char *factor_name(merge *m, int factor)
{
    static const char *const own[] = {"run",  "time",   "status",
                                      "rows", "reason", "reason_length"};
    const char *name = m->s->design.factor[factor].name;
    bool taken = false;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        taken = taken || strcmp(name, own[i]) == 0;
    }
    for (int i = m->s->scalars; i < m->s->kept_count; i++) {
        taken = taken || strcmp(name, m->s->kept[i].name) == 0;
    }
    const char *other = taken ? crank_store_print(&m->store, "vary.%s", name) : name;
    return other != NULL ? other : name;
}

static void define_factors(merge *m)
{
    const crank_study *s = m->s;
    for (int i = 0; i < s->design.factor_count; i++) {
        const char *name = factor_name(m, i);
        m->factor[i] = crank_netcdf_define(
            m->file,
            &(crank_netcdf_variable){.name = name, .dimensions = 1, .about = "varied"});
    }
    static const int values[] = {-1, 0, 1, 2, 3};
    m->status =
        crank_netcdf_define(m->file, &(crank_netcdf_variable){.name = "status",
                                                              .type = CRANK_NETCDF_INT,
                                                              .dimensions = 1,
                                                              .about = "how the member ended"});
    if (m->status >= 0) {
        crank_netcdf_flags(m->file, m->status, 5, values, "not_run done stopped failed slow");
    }
    m->rows = crank_netcdf_define(m->file, &(crank_netcdf_variable){.name = "rows",
                                                                    .type = CRANK_NETCDF_INT,
                                                                    .dimensions = 1,
                                                                    .about = "rows reached"});
    m->reason = crank_netcdf_define(m->file, &(crank_netcdf_variable){.name = "reason",
                                                                      .type = CRANK_NETCDF_CHAR,
                                                                      .dimensions = 2,
                                                                      .dimension = {0, 2},
                                                                      .about = "why it ended"});
    if (m->reason >= 0) {
        crank_netcdf_note(m->file, m->reason, "_Encoding", "utf-8");
    }
}

static const char *unit_of(merge *m, const crank_kept_column *k)
{
    const char *unit = m->s->model->column_unit[k->column];
    if (k->kind != CRANK_KEPT_INTEGRAL || unit == NULL || unit[0] == '\0') {
        return unit;
    }
    return strcmp(unit, "1") == 0 ? "s" : crank_store_print(&m->store, "%s s", unit);
}

static void define_kept(merge *m)
{
    const crank_study *s = m->s;
    const char *coordinates = "";
    for (int i = 0; i < s->design.factor_count && coordinates != NULL; i++) {
        coordinates = crank_store_print(&m->store, "%s%s%s", coordinates, i > 0 ? " " : "",
                                        factor_name(m, i));
    }
    for (int i = 0; i < s->kept_count; i++) {
        const crank_kept_column *k = &s->kept[i];
        const bool all = k->kind == CRANK_KEPT_COLUMNS;
        const char *name =
            all ? k->name
                : crank_store_print(&m->store, "%s.%s", k->name, crank_kept_word[k->kind]);
        m->kept[i] = crank_netcdf_define(
            m->file, &(crank_netcdf_variable){.name = name != NULL ? name : k->name,
                                              .dimensions = all ? 2 : 1,
                                              .dimension = {0, 1},
                                              .unit = unit_of(m, k),
                                              .about = s->model->column_description[k->column],
                                              .coordinates = coordinates});
    }
}

/* For the shell: as it is, or in quotes. */
static const char *quoted(merge *m, const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789_-+=.,:/@%";
    if (text[0] != '\0' && strspn(text, plain) == strlen(text)) {
        return text;
    }
    const char *all = "'", *rest = text;
    for (const char *mark; all != NULL && (mark = strchr(rest, '\'')) != NULL;
         rest = mark + 1) {
        all = crank_store_print(&m->store, "%s%.*s'\\''", all, (int)(mark - rest), rest);
    }
    return all != NULL ? crank_store_print(&m->store, "%s%s'", all, rest) : NULL;
}

static const char *with(merge *m, const char *before, const char *option, const char *value)
{
    const char *text = before != NULL && value != NULL ? quoted(m, value) : NULL;
    return before == NULL || value == NULL ? before
           : text == NULL                  ? NULL
                          : crank_store_print(&m->store, "%s %s %s", before, option, text);
}

/* The command that runs a member once its factors are set: "crank run MODEL --t-end 1 ..." */
static const char *command(merge *m)
{
    const crank_study *s = m->s;
    const crank_run_options *o = &s->options;
    const char *all = with(m, "crank", "run", s->path);
    all = with(m, all, "--model", o->model);
    all = with(m, all, "--library", o->library);
    all = with(m, all, "--method", o->method);
    for (int i = 0; i < o->option_count && all != NULL; i++) {
        all = with(
            m, all, "--option",
            crank_store_print(&m->store, "%s=%s", o->options[i].name, o->options[i].value));
    }
    for (int i = 0; i < o->setting_count && all != NULL; i++) {
        all = with(
            m, all, "--set",
            crank_store_print(&m->store, "%s=%s", o->settings[i].name, o->settings[i].value));
    }
    return all != NULL
               ? crank_store_print(&m->store, "%s%s --t-end %.17g --points %d", all,
                                   o->compile ? " --compile" : "", s->t_end, s->intervals)
               : NULL;
}

/* ---- the numbers ---- */

/* Member i as number b of the block. */
static crank_status read_member(merge *m, int64_t i, int64_t b, crank_error *err)
{
    const crank_study *s = m->s;
    crank_member *member = &m->member;
    crank_status status = CRANK_OK;
    double point[64 + CRANK_SOBOL_DIMENSIONS];
    double *values = s->design.factor_count <= 64 ? point : NULL;
    double *own = values == NULL ? malloc((size_t)s->design.factor_count * sizeof *own) : NULL;
    values = values != NULL ? values : own;
    if (values == NULL) {
        return crank_fail(err, CRANK_EMEM, "merging a study");
    }
    crank_design_point(&s->design, i, values);
    for (int f = 0; f < s->design.factor_count; f++) {
        m->points[f * m->block + b] = values[f];
    }
    free(own);
    member->status = CRANK_MEMBER_MISSING;
    member->rows = 0;
    (void)snprintf(member->reason, sizeof member->reason, "%s", not_run);
    const bool there = m->logs.place[i].file >= 0;
    if (there) {
        status = crank_logs_read(s, &m->logs, i, member, err);
    }
    m->code[b] = member->status;
    m->count[b] = (int)member->rows;
    char *text = m->text + (size_t)b * m->width;
    memset(text, 0, m->width);
    memcpy(text, member->reason, strnlen(member->reason, m->width));
    for (int k = 0; k < s->scalars; k++) {
        m->scalars[k * m->block + b] = there ? member->values[k] : (double)NAN;
    }
    for (int k = 0; k < s->columns; k++) {
        double *to = m->columns + ((int64_t)k * m->block + b) * s->rows;
        for (int64_t r = 0; r < s->rows; r++) {
            to[r] = r < member->rows ? member->values[s->scalars + r * s->columns + k]
                                     : (double)NAN;
        }
    }
    return status;
}

static void put_block(merge *m, int64_t first, int64_t count)
{
    const crank_study *s = m->s;
    for (int f = 0; f < s->design.factor_count; f++) {
        crank_netcdf_put(m->file, m->factor[f], first, count, m->points + f * m->block);
    }
    crank_netcdf_put(m->file, m->status, first, count, m->code);
    crank_netcdf_put(m->file, m->rows, first, count, m->count);
    crank_netcdf_put(m->file, m->reason, first, count, m->text);
    for (int k = 0; k < s->scalars; k++) {
        crank_netcdf_put(m->file, m->kept[k], first, count, m->scalars + k * m->block);
    }
    for (int k = 0; k < s->columns; k++) {
        crank_netcdf_put(m->file, m->kept[s->scalars + k], first, count,
                         m->columns + (int64_t)k * m->block * s->rows);
    }
}

static crank_status fill(merge *m, crank_error *err)
{
    const crank_study *s = m->s;
    crank_status status = CRANK_OK;
    if (!define_dimensions(m)) {
        return crank_fail(err, CRANK_EMEM, "merging a study");
    }
    define_factors(m);
    define_kept(m);
    crank_netcdf_note(m->file, -1, "title", crank_model_title(s->model));
    crank_netcdf_note(m->file, -1, "model_file", s->path);
    crank_netcdf_note(m->file, -1, "command", command(m));
    crank_netcdf_note(m->file, -1, "source", "crank sweep");
    crank_netcdf_note(m->file, -1, "crank_version", crank_version());
    for (int64_t first = 0; first < s->design.count && status == CRANK_OK; first += m->block) {
        const int64_t rest = s->design.count - first;
        const int64_t count = rest < m->block ? rest : m->block;
        for (int64_t b = 0; b < count && status == CRANK_OK; b++) {
            status = read_member(m, first + b, b, err);
        }
        if (status == CRANK_OK) {
            put_block(m, first, count);
        }
    }
    return status;
}

/* One process at a time writes the result: shards may end together. -1: another one does. */
static int claim(const char *path)
{
    int fd = path != NULL ? crank_claim_open(path, O_RDWR | O_CREAT | O_CLOEXEC) : -1;
    return fd < 0 && errno == EWOULDBLOCK ? -1 : fd < 0 ? -2 : fd;
}

static crank_status write_file(const crank_study *s, const char *out, int64_t *missing,
                               crank_error *err)
{
    merge m = {.s = s};
    crank_status status = crank_logs_open(s, out, &m.logs, err);
    *missing = s->design.count - m.logs.found;
    CRANK_THEN(status, take(&m, err));
    CRANK_THEN(status, crank_netcdf_create(out, &m.file, err));
    if (m.file != NULL) {
        crank_error closing = {0};
        status = fill(&m, err);
        const crank_status closed = crank_netcdf_close(m.file, status == CRANK_OK, &closing);
        if (status == CRANK_OK && closed != CRANK_OK) {
            status = closed;
            *err = closing;
        }
    }
    crank_logs_close(&m.logs);
    crank_store_free(&m.store);
    return status;
}

crank_status crank_study_merge(const crank_study *s, const char *out, int64_t *missing,
                               crank_error *err)
{
    crank_error own = {0};
    char *path = crank_path_extend(out, ".merge");
    const int lock = claim(path);
    err = err != NULL ? err : &own;
    *missing = -1;
    const crank_status status = lock != -1 ? write_file(s, out, missing, err) : CRANK_OK;
    if (lock >= 0) {
        (void)unlink(path);
        (void)close(lock);
    }
    free(path);
    return status;
}
