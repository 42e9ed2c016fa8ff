/* checkpoint.c - see checkpoint.h. One function walks over the parts of a checkpoint, for
 * writing and for reading. */
// SPDX-License-Identifier: BSD-3-Clause
#include "checkpoint.h"

#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char heading[] = "crank checkpoint\n";
enum { HEADING = sizeof heading - 1, FORMAT = 5, AROUND = HEADING + 3 * 8 };

/* Bytes that are being written, or read: then size is how many there are. */
typedef struct stream {
    const bool reading;
    bool failed;
    unsigned char *bytes;
    size_t used, size;
} stream;

static uint64_t hash_more(uint64_t hash, const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static const uint64_t hash_start = UINT64_C(0xcbf29ce484222325);

/* ---- the parts ---- */

static bool make_room(stream *s, size_t count)
{
    if (s->reading || s->failed) {
        s->failed = s->failed || count > s->size - s->used;
        return !s->failed;
    }
    if (count > s->size - s->used) {
        const size_t size = 2 * s->size + count + 4096;
        unsigned char *bytes = realloc(s->bytes, size);
        s->failed = bytes == NULL;
        s->bytes = bytes != NULL ? bytes : s->bytes;
        s->size = bytes != NULL ? size : s->size;
    }
    return !s->failed;
}

static void pass(stream *s, void *value, size_t count)
{
    if (count == 0 || !make_room(s, count)) {
        return;
    }
    if (s->reading) {
        memcpy(value, s->bytes + s->used, count);
    } else {
        memcpy(s->bytes + s->used, value, count);
    }
    s->used += count;
}

/* A count of things that take at least a byte each. */
static void pass_count(stream *s, int64_t *count)
{
    pass(s, count, sizeof *count);
    if (s->failed || *count < 0 || (s->reading && (uint64_t)*count > s->size - s->used)) {
        s->failed = true;
        *count = 0;
    }
}

/* An array; when read, it is allocated (with a zero behind it). */
static void *pass_array(stream *s, void *array, int64_t count, size_t size)
{
    if (s->reading) {
        array = s->failed ? NULL : calloc((size_t)count + 1, size);
        s->failed = array == NULL;
    }
    if (!s->failed) {
        pass(s, array, (size_t)count * size);
    }
    return array;
}

static void pass_text(stream *s, char **text)
{
    int64_t length = s->reading ? 0 : (int64_t)strlen(*text);

    pass_count(s, &length);
    *text = pass_array(s, *text, length, 1);
}

static void pass_rows(stream *s, rows_state *state)
{
    rows_energy *energy = &state->energy;

    pass(s, &state->last, sizeof state->last);
    pass(s, state->step, sizeof state->step);
    pass(s, state->residual, sizeof state->residual);
    pass(s, &state->not_finite, sizeof state->not_finite);
    pass(s, &state->not_finite_column, sizeof state->not_finite_column);
    pass(s, &energy->first, sizeof energy->first);
    pass(s, &energy->last, sizeof energy->last);
    pass(s, &energy->change, sizeof energy->change);
    pass(s, &energy->size, sizeof energy->size);
    pass(s, &energy->jumped, sizeof energy->jumped);
}

static void pass_checkpoint(stream *s, checkpoint *c)
{
    pass_text(s, &c->version);
    pass(s, &c->program, sizeof c->program);
    pass_text(s, &c->directory);
    pass_count(s, &c->argument_count);
    if (s->reading) {
        c->argument = calloc((size_t)c->argument_count + 1, sizeof *c->argument);
        s->failed = s->failed || c->argument == NULL;
    }
    for (int64_t i = 0; i < c->argument_count && !s->failed; i++) {
        pass_text(s, &c->argument[i]);
    }
    pass_count(s, &c->file_count);
    if (s->reading) {
        c->file = calloc((size_t)c->file_count + 1, sizeof *c->file);
        s->failed = s->failed || c->file == NULL;
    }
    for (int64_t i = 0; i < c->file_count && !s->failed; i++) {
        pass_text(s, &c->file[i].path);
        pass(s, &c->file[i].size, sizeof c->file[i].size);
        pass(s, &c->file[i].hash, sizeof c->file[i].hash);
    }
    pass_count(s, &c->n);
    c->x = pass_array(s, c->x, c->n, sizeof *c->x);
    pass(s, &c->t_reached, sizeof c->t_reached);
    pass(s, &c->seconds, sizeof c->seconds);
    pass(s, &c->row_count, sizeof c->row_count);
    pass(s, &c->mark, sizeof c->mark);
    pass(s, &c->next_row, sizeof c->next_row);
    pass_rows(s, &c->rows);
    pass_count(s, &c->event_count);
    c->happened = pass_array(s, c->happened, c->event_count, sizeof *c->happened);
    pass(s, &c->told, sizeof c->told);
    pass_count(s, &c->size);
    c->data = pass_array(s, c->data, c->size, 1);
}

/* ---- writing ---- */

static crank_status cannot_write(const char *path, crank_error *err)
{
    return crank_fail(err, CRANK_EFILE, "%s: cannot write: %s", path, strerror(errno));
}

static bool write_bytes(int file, const unsigned char *bytes, size_t count)
{
    while (count > 0) {
        const ssize_t written = write(file, bytes, count);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

/* The entry in the directory must reach the disk, too; where that cannot be asked for, it is
 * left to the system. */
static void sync_directory(const char *path)
{
    char *copy = strdup(path);

    if (copy == NULL) {
        return;
    }
    char *slash = strrchr(copy, '/');
    if (slash != NULL) {
        slash[slash == copy ? 1 : 0] = '\0';
    }
    const int directory = open(slash != NULL ? copy : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory >= 0) {
        (void)fsync(directory);
        (void)close(directory);
    }
    free(copy);
}

/* The name beside it that a checkpoint is written to first; the caller's to free. */
static char *part_name(const char *path)
{
    const size_t size = strlen(path) + sizeof ".part";
    char *part = malloc(size);

    if (part != NULL) {
        (void)snprintf(part, size, "%s.part", path);
    }
    return part;
}

static crank_status probe_place(const char *path, crank_error *err)
{
    char *part = part_name(path);
    const crank_status status =
        part != NULL ? probe_writing(part, err) : crank_fail(err, CRANK_EMEM, "checkpoint");

    free(part);
    return status;
}

/* To a name beside it, to the disk, then renamed. */
static crank_status replace_file(const char *path, const stream *s, crank_error *err)
{
    char *part = part_name(path);

    if (part == NULL) {
        return crank_fail(err, CRANK_EMEM, "checkpoint");
    }
    const int file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = file >= 0 && write_bytes(file, s->bytes, s->used) && fsync(file) == 0;
    int reason = errno;
    if (file >= 0 && close(file) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (good && rename(part, path) != 0) {
        good = false;
        reason = errno;
    }
    if (!good && file >= 0) {
        (void)unlink(part);
    }
    free(part);
    if (!good) {
        errno = reason;
        return cannot_write(path, err);
    }
    sync_directory(path);
    return CRANK_OK;
}

crank_status checkpoint_write(const checkpoint *c, const char *path, crank_error *err)
{
    stream s = {0};
    checkpoint parts = *c; /* writing changes nothing in it */
    char name[HEADING];
    int64_t format = FORMAT, length = 0;

    memcpy(name, heading, HEADING);
    pass(&s, name, HEADING);
    pass(&s, &format, sizeof format);
    pass(&s, &length, sizeof length);
    const size_t start = s.used;
    pass_checkpoint(&s, &parts);
    if (!s.failed) {
        length = (int64_t)(s.used - start);
        memcpy(s.bytes + start - sizeof length, &length, sizeof length);
    }
    uint64_t sum = s.failed ? 0 : hash_more(hash_start, s.bytes, s.used);
    pass(&s, &sum, sizeof sum);
    const crank_status status = s.failed ? crank_fail(err, CRANK_EMEM, "checkpoint %s", path)
                                         : replace_file(path, &s, err);
    free(s.bytes);
    return status;
}

void checkpoint_remove(const char *path)
{
    char *part = part_name(path);

    (void)unlink(path);
    if (part != NULL) {
        (void)unlink(part);
    }
    free(part);
}

/* ---- reading ---- */

/* The whole file; a zero-length file gives size 0. */
static crank_status read_whole(const char *path, unsigned char **bytes, size_t *size,
                               crank_error *err)
{
    struct stat info = {0};
    /* of a pipe, nothing is awaited */
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    crank_status status = CRANK_OK;

    *bytes = NULL;
    *size = 0;
    if (file < 0 || fstat(file, &info) != 0) {
        status = crank_fail(err, CRANK_EFILE, "%s: cannot read: %s", path, strerror(errno));
    } else if (!S_ISREG(info.st_mode)) {
        status = crank_fail(err, CRANK_EFILE, "%s: is not a file", path);
    } else if ((*bytes = malloc((size_t)info.st_size + 1)) == NULL) {
        status = crank_fail(err, CRANK_EMEM, "%s", path);
    }
    while (status == CRANK_OK && *size < (size_t)info.st_size) {
        const ssize_t got = read(file, *bytes + *size, (size_t)info.st_size - *size);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            status = crank_fail(err, CRANK_EFILE, "%s: cannot read: %s", path, strerror(errno));
        }
        if (got <= 0) {
            break;
        }
        *size += (size_t)got;
    }
    if (file >= 0) {
        (void)close(file);
    }
    return status;
}

static bool is_checkpoint(const unsigned char *bytes, size_t size)
{
    return size >= HEADING && memcmp(bytes, heading, HEADING) == 0;
}

crank_status checkpoint_check(const char *path, crank_error *err)
{
    struct stat info;
    unsigned char start[HEADING];
    size_t size = 0;

    if (stat(path, &info) != 0) {
        return probe_place(path, err);
    }
    FILE *file = S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    if (file != NULL) {
        size = fread(start, 1, sizeof start, file);
        (void)fclose(file);
    }
    return is_checkpoint(start, size)
               ? probe_place(path, err)
               : crank_fail(err, CRANK_EFILE,
                            "%s exists and is no checkpoint; choose another name", path);
}

static crank_status damaged(const char *path, const char *what, crank_error *err)
{
    return crank_fail(err, CRANK_EFILE, "%s: %s; start the run anew", path, what);
}

crank_status checkpoint_read(checkpoint *c, const char *path, crank_error *err)
{
    stream s = {.reading = true};
    int64_t format = 0, length = 0;
    uint64_t sum = 0;

    *c = (checkpoint){0};
    crank_status status = read_whole(path, &s.bytes, &s.size, err);
    if (status == CRANK_OK && !is_checkpoint(s.bytes, s.size)) {
        status = crank_fail(err, CRANK_EFILE, "%s: is no checkpoint of crank run --checkpoint",
                            path);
    }
    if (status == CRANK_OK) {
        s.used = HEADING;
        pass(&s, &format, sizeof format);
        pass(&s, &length, sizeof length);
    }
    if (status == CRANK_OK && !s.failed && format != FORMAT) {
        status = damaged(path, "is a checkpoint of another version of crank", err);
    }
    if (status == CRANK_OK && (s.failed || length < 0 || (uint64_t)length != s.size - AROUND)) {
        status = damaged(path, "the checkpoint is cut off", err);
    }
    if (status == CRANK_OK) {
        s.size -= sizeof sum;
        memcpy(&sum, s.bytes + s.size, sizeof sum);
        if (hash_more(hash_start, s.bytes, s.size) != sum) {
            status = damaged(path, "the checkpoint is damaged", err);
        }
    }
    if (status == CRANK_OK) {
        pass_checkpoint(&s, c);
        if (s.failed || s.used != s.size || c->argument_count < 2) {
            status = damaged(path, "the checkpoint is damaged", err);
        }
    }
    free(s.bytes);
    return status;
}

void checkpoint_free(checkpoint *c)
{
    for (int64_t i = 0; i < c->argument_count && c->argument != NULL; i++) {
        free(c->argument[i]);
    }
    for (int64_t i = 0; i < c->file_count && c->file != NULL; i++) {
        free(c->file[i].path);
    }
    free(c->version);
    free(c->directory);
    free(c->argument);
    free(c->file);
    free(c->x);
    free(c->happened);
    free(c->data);
    *c = (checkpoint){0};
}

crank_status checkpoint_file_read(checkpoint_file *file, crank_error *err)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    const crank_status status = read_whole(file->path, &bytes, &size, err);

    file->size = (int64_t)size;
    file->hash = bytes != NULL ? hash_more(hash_start, bytes, size) : 0;
    free(bytes);
    return status;
}

uint64_t checkpoint_program(void)
{
    char *path = strdup(crank_program_file());
    checkpoint_file program = {.path = path};
    const bool good = path != NULL && checkpoint_file_read(&program, NULL) == CRANK_OK;

    free(path);
    return good ? program.hash : 0;
}
