/* sweep_log.c - what the workers of a study leave: one log a shard, records appended in one
 * write each, so that a killed process loses the members on their way alone.
 *
 *     16 bytes   "crank study 1\n\0\0"
 *     8 bytes    mark of the study
 *     records    head (below), scalars, rows x columns: doubles of this machine
 *
 * A record counts if its check is that of its bytes; the first that does not ends the log. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/sweep.h"

#include "base/claim.h"
#include "base/grow.h"
#include "base/hash.h"
#include "base/then.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char title[16] = "crank study 1\n";
enum { START = 24 };

typedef struct record_head {
    uint64_t check; /* of all that follows */
    int64_t index, rows;
    int32_t status, unused;
    char reason[256];
} record_head;

/* how many doubles follow a head */
static size_t numbers(const crank_study *s, int64_t rows)
{
    return (size_t)s->scalars + (size_t)rows * (size_t)s->columns;
}

static uint64_t check_of(const record_head *head, const double *values, size_t count)
{
    const uint64_t h = crank_hash(CRANK_HASH_START, (const char *)head + sizeof head->check,
                                  sizeof *head - sizeof head->check);
    return crank_hash(h, values, count * sizeof *values);
}

static bool read_all(int fd, void *to, size_t size, int64_t offset)
{
    char *next = to;
    while (size > 0) {
        const ssize_t got = pread(fd, next, size, offset);
        if (got <= 0) {
            return false;
        }
        next += got;
        offset += got;
        size -= (size_t)got;
    }
    return true;
}

/* The record there; false: there is none, or it is cut. */
static bool read_record(const crank_study *s, int fd, int64_t offset, record_head *head,
                        double *values)
{
    if (!read_all(fd, head, sizeof *head, offset) || head->index < 0 ||
        head->index >= s->design.count || head->rows < 0 || head->rows > s->rows) {
        return false;
    }
    const size_t count = numbers(s, head->rows);
    return read_all(fd, values, count * sizeof *values, offset + (int64_t)sizeof *head) &&
           head->check == check_of(head, values, count);
}

/* ---- all logs ---- */

static crank_status scan(const crank_study *s, crank_logs *logs, int file, double *values,
                         int64_t *end, crank_error *err)
{
    char start[START];
    uint64_t mark;
    record_head head;
    *end = 0;
    if (!read_all(logs->fd[file], start, sizeof start, 0)) {
        return CRANK_OK; /* killed before it was begun */
    }
    memcpy(&mark, start + sizeof title, sizeof mark);
    if (memcmp(start, title, sizeof title) != 0 || mark != s->mark) {
        return crank_fail(err, CRANK_EFILE,
                          "%.200s: the log of another study, or the model has changed; remove "
                          "it, or choose another name for the result",
                          logs->path[file]);
    }
    *end = START;
    while (read_record(s, logs->fd[file], *end, &head, values)) {
        crank_log_place *place = &logs->place[head.index];
        if (place->file < 0) {
            *place = (crank_log_place){file, *end};
            logs->found++;
            logs->failed += head.status == CRANK_MEMBER_FAILED ? 1 : 0;
            logs->slow += head.status == CRANK_MEMBER_SLOW ? 1 : 0;
            const size_t length = strnlen(head.reason, sizeof head.reason);
            logs->longest = length > logs->longest ? length : logs->longest;
        }
        *end += (int64_t)(sizeof head + numbers(s, head.rows) * sizeof(double));
    }
    return CRANK_OK;
}

static crank_status add_file(crank_logs *logs, const char *folder, const char *name,
                             crank_error *err)
{
    const int before = logs->capacity;
    int capacity = before;
    char **path = crank_grow(logs->path, logs->count, &capacity, sizeof *path);
    logs->path = path != NULL ? path : logs->path;
    int *fd = realloc(logs->fd, (size_t)capacity * sizeof *fd);
    logs->fd = fd != NULL ? fd : logs->fd;
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *whole = malloc(size);
    if (path == NULL || fd == NULL || whole == NULL) {
        free(whole);
        return crank_fail(err, CRANK_EMEM, "logs of a study");
    }
    logs->capacity = capacity;
    (void)snprintf(whole, size, "%s/%s", folder, name);
    logs->path[logs->count] = whole;
    logs->fd[logs->count] = open(whole, O_RDONLY | O_CLOEXEC);
    if (logs->fd[logs->count] < 0) {
        const int error = errno;
        logs->count++;
        return crank_fail(err, CRANK_EFILE, "%.200s: %s", whole, strerror(error));
    }
    logs->count++;
    return CRANK_OK;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* names of the logs beside out, sorted: what is merged does not depend on the folder's order */
static crank_status list_files(const char *folder, const char *prefix, crank_logs *logs,
                               crank_error *err)
{
    char **names = NULL;
    int count = 0, capacity = 0;
    crank_status status = CRANK_OK;
    DIR *dir = opendir(folder);
    for (struct dirent *e = dir != NULL ? readdir(dir) : NULL; e != NULL && status == CRANK_OK;
         e = readdir(dir)) {
        if (strncmp(e->d_name, prefix, strlen(prefix)) == 0) {
            char **more = crank_grow(names, count, &capacity, sizeof *more);
            names = more != NULL ? more : names;
            char *copy = strdup(e->d_name);
            if (more == NULL || copy == NULL) {
                free(copy);
                status = crank_fail(err, CRANK_EMEM, "logs of a study");
                break;
            }
            names[count++] = copy;
        }
    }
    if (dir != NULL) {
        (void)closedir(dir);
    }
    if (count > 1) {
        qsort(names, (size_t)count, sizeof *names, compare_names);
    }
    for (int i = 0; i < count; i++) {
        CRANK_THEN(status, add_file(logs, folder, names[i], err));
        free(names[i]);
    }
    free(names);
    return status;
}

crank_status crank_logs_open(const crank_study *s, const char *out, crank_logs *logs,
                             crank_error *err)
{
    const char *slash = strrchr(out, '/');
    const size_t folder_length = slash != NULL ? (size_t)(slash - out) : 0;
    char *folder = slash == NULL ? strdup(".") : folder_length == 0 ? strdup("/") : strdup(out);
    const size_t size = strlen(out) + 8;
    char *prefix = malloc(size);
    double *values = malloc((crank_member_size(s) + 1) * sizeof *values);
    *logs = (crank_logs){0};
    logs->place = malloc((size_t)s->design.count * sizeof *logs->place);
    crank_status status = CRANK_OK;
    if (folder == NULL || prefix == NULL || values == NULL || logs->place == NULL) {
        status =
            crank_fail(err, CRANK_EMEM, "a study of %lld members", (long long)s->design.count);
    } else {
        if (slash != NULL && folder_length > 0) {
            folder[folder_length] = '\0';
        }
        (void)snprintf(prefix, size, "%s.log-", slash != NULL ? slash + 1 : out);
        for (int64_t i = 0; i < s->design.count; i++) {
            logs->place[i] = (crank_log_place){.file = -1};
        }
        status = list_files(folder, prefix, logs, err);
    }
    for (int f = 0; f < logs->count && status == CRANK_OK; f++) {
        int64_t end;
        status = scan(s, logs, f, values, &end, err);
    }
    free(folder);
    free(prefix);
    free(values);
    return status;
}

void crank_logs_close(crank_logs *logs)
{
    for (int f = 0; f < logs->count; f++) {
        if (logs->fd[f] >= 0) {
            (void)close(logs->fd[f]);
        }
        free(logs->path[f]);
    }
    free(logs->path);
    free(logs->fd);
    free(logs->place);
    *logs = (crank_logs){0};
}

crank_status crank_logs_read(const crank_study *s, const crank_logs *logs, int64_t index,
                             crank_member *m, crank_error *err)
{
    const crank_log_place *place = &logs->place[index];
    record_head head;
    if (!read_record(s, logs->fd[place->file], place->offset, &head, m->values)) {
        return crank_fail(err, CRANK_EFILE, "%.200s: member %lld cannot be read any more",
                          logs->path[place->file], (long long)index);
    }
    m->index = head.index;
    m->status = head.status;
    m->rows = head.rows;
    memcpy(m->reason, head.reason, sizeof m->reason);
    return CRANK_OK;
}

/* ---- one's own ---- */

static crank_status begin(const crank_study *s, int fd, char *path, crank_error *err)
{
    crank_logs one = {.count = 1, .path = &path, .fd = &fd};
    double *values = malloc((crank_member_size(s) + 1) * sizeof *values);
    one.place = calloc((size_t)s->design.count, sizeof *one.place);
    int64_t end = 0;
    crank_status status =
        values != NULL && one.place != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "a log");
    CRANK_THEN(status, scan(s, &one, 0, values, &end, err));
    free(values);
    free(one.place);
    char start[START] = {0};
    memcpy(start, title, sizeof title);
    memcpy(start + sizeof title, &s->mark, sizeof s->mark);
    if (status == CRANK_OK &&
        (ftruncate(fd, end) != 0 || lseek(fd, end, SEEK_SET) < 0 ||
         (end == 0 && write(fd, start, sizeof start) != (ssize_t)sizeof start))) {
        status = crank_fail(err, CRANK_EFILE, "%.200s: %s", path, strerror(errno));
    }
    return status;
}

int crank_log_begin(const crank_study *s, const crank_study_order *order, crank_error *err)
{
    const size_t size = strlen(order->out) + 48;
    char *path = malloc(size);
    if (path == NULL) {
        (void)crank_fail(err, CRANK_EMEM, "a log");
        return -1;
    }
    (void)snprintf(path, size, "%s.log-%d-of-%d", order->out, order->shard, order->shards);
    int fd = crank_claim_open(path, O_RDWR | O_CREAT | O_CLOEXEC);
    if (fd < 0) {
        (void)crank_fail(err, CRANK_EFILE, "%.200s: %s", path, crank_claim_reason(errno));
    } else if (begin(s, fd, path, err) != CRANK_OK) {
        (void)close(fd);
        fd = -1;
    }
    free(path);
    return fd;
}

crank_status crank_log_append(const crank_study *s, int fd, const crank_member *m,
                              crank_error *err)
{
    const size_t count = numbers(s, m->rows),
                 size = sizeof(record_head) + count * sizeof(double);
    char *record = calloc(1, size);
    if (record == NULL) {
        return crank_fail(err, CRANK_EMEM, "a record of %zu bytes", size);
    }
    record_head head = {.index = m->index, .rows = m->rows, .status = m->status};
    (void)snprintf(head.reason, sizeof head.reason, "%s", m->reason);
    for (size_t i = strlen(head.reason); i < sizeof head.reason; i++) {
        head.reason[i] = '\0';
    }
    head.check = check_of(&head, m->values, count);
    memcpy(record, &head, sizeof head);
    memcpy(record + sizeof head, m->values, count * sizeof(double));
    crank_status status = CRANK_OK;
    for (size_t done = 0; done < size && status == CRANK_OK;) {
        const ssize_t wrote = write(fd, record + done, size - done);
        if (wrote < 0 && errno != EINTR) {
            status = crank_fail(err, CRANK_EFILE, "the log: %s", strerror(errno));
        }
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    free(record);
    return status;
}
