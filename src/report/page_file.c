/* page_file.c - a file that is replaced only by a complete one: contents go to a file beside
 * it, which takes its place by rename(2). Standard output, pipes and devices cannot be
 * replaced: for them the contents wait in a file without a name and are copied. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static crank_status cannot_write(const crank_page_file *f, int reason, crank_error *err)
{
    return crank_fail(err, CRANK_EFILE, "%s: cannot write: %s", f->path,
                      strerror(reason != 0 ? reason : EIO));
}

/* Opens PATH.PROCESS.part. */
static crank_status open_beside(crank_page_file *f, crank_error *err)
{
    const size_t size = strlen(f->real) + 32;

    f->part = malloc(size);
    if (f->part == NULL) {
        return crank_fail(err, CRANK_EMEM, "%s", f->path);
    }
    (void)snprintf(f->part, size, "%s.%ld.part", f->real, (long)getpid());
    f->file = fopen(f->part, "wbe");
    if (f->file == NULL) {
        const int reason = errno;
        free(f->part);
        f->part = NULL;
        return cannot_write(f, reason, err);
    }
    return CRANK_OK;
}

crank_status crank_page_file_open(crank_page_file *f, const char *path, crank_error *err)
{
    const bool standard = strcmp(path, "-") == 0;
    struct stat info;

    *f = (crank_page_file){.path = strdup(standard ? "standard output" : path)};
    if (f->path == NULL) {
        return crank_fail(err, CRANK_EMEM, "%s", path);
    }
    const bool exists = !standard && stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) {
        return cannot_write(f, EISDIR, err);
    }
    if (exists && access(path, W_OK) != 0) {
        return cannot_write(f, errno, err);
    }
    if (standard || (exists && !S_ISREG(info.st_mode))) {
        f->file = tmpfile();
        return f->file != NULL ? CRANK_OK : cannot_write(f, errno, err);
    }
    f->real = exists ? realpath(path, NULL) : strdup(path);
    if (f->real == NULL) {
        return crank_fail(err, CRANK_EMEM, "%s", path);
    }
    return open_beside(f, err);
}

/* Of a write that failed some time ago errno is lost; the next one fails for the same
 * reason. */
static int write_again(FILE *file)
{
    clearerr(file);
    errno = 0;
    return fputc(' ', file) == EOF || fflush(file) != 0 ? errno : EIO;
}

crank_status crank_page_file_check(const crank_page_file *f, crank_error *err)
{
    errno = 0;
    if (fflush(f->file) != 0) {
        return cannot_write(f, errno, err);
    }
    return ferror(f->file) == 0 ? CRANK_OK : cannot_write(f, write_again(f->file), err);
}

crank_status crank_page_file_cut(crank_page_file *f, int64_t place, crank_error *err)
{
    const crank_status status = crank_page_file_check(f, err);

    if (status != CRANK_OK) {
        return status;
    }
    if (ftruncate(fileno(f->file), (off_t)place) != 0 ||
        fseeko(f->file, (off_t)place, SEEK_SET) != 0) {
        return cannot_write(f, errno, err);
    }
    return CRANK_OK;
}

/* Copies the contents of the file without name to where they belong. */
static crank_status copy_out(crank_page_file *f, crank_error *err)
{
    const bool standard = strcmp(f->path, "standard output") == 0;
    const int copy = standard ? dup(STDOUT_FILENO) : -1;
    FILE *to = !standard ? fopen(f->path, "wbe") : copy >= 0 ? fdopen(copy, "wb") : NULL;
    char buffer[1 << 14];
    size_t count;
    int reason = 0;

    if (to == NULL) {
        const int why = errno;
        if (copy >= 0) {
            (void)close(copy);
        }
        return cannot_write(f, why, err);
    }
    rewind(f->file);
    while ((count = fread(buffer, 1, sizeof buffer, f->file)) > 0 && reason == 0) {
        errno = 0;
        if (fwrite(buffer, 1, count, to) != count) {
            reason = errno != 0 ? errno : EIO;
        }
    }
    if (fclose(to) != 0 && reason == 0) {
        reason = errno;
    }
    return reason == 0 ? CRANK_OK : cannot_write(f, reason, err);
}

crank_status crank_page_file_finish(crank_page_file *f, crank_error *err)
{
    crank_status status = crank_page_file_check(f, err);

    if (status == CRANK_OK && f->part == NULL) {
        status = copy_out(f, err);
    } else if (status == CRANK_OK) {
        const int closed = fclose(f->file);
        f->file = NULL;
        if (closed != 0 || rename(f->part, f->real) != 0) {
            status = cannot_write(f, errno, err);
        } else {
            free(f->part);
            f->part = NULL;
        }
    }
    crank_page_file_drop(f);
    return status;
}

void crank_page_file_drop(crank_page_file *f)
{
    if (f->file != NULL) {
        (void)fclose(f->file);
    }
    if (f->part != NULL) {
        (void)unlink(f->part);
    }
    free(f->path);
    free(f->real);
    free(f->part);
    *f = (crank_page_file){0};
}
