/* files.c - see files.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool has_ending(const char *path, const char *ending)
{
    const size_t length = strlen(path), more = strlen(ending);

    return length > more && strcmp(path + length - more, ending) == 0;
}

const char *file_stem(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/');
    const char *start = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(start, '.');

    (void)snprintf(name, size, "%.*s",
                   (int)(dot != NULL && dot > start ? (size_t)(dot - start) : strlen(start)),
                   start);
    return name;
}

bool is_device(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

bool is_standard_output(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0;
}

bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;

    if (strcmp(a, b) == 0) {
        return true;
    }
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

int64_t file_size(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode) ? (int64_t)info.st_size : -1;
}

crank_status probe_writing(const char *path, crank_error *err)
{
    const bool fresh = access(path, F_OK) != 0;
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

    if (file < 0) {
        return crank_fail(err, CRANK_EFILE, "%s: cannot write: %s", path, strerror(errno));
    }
    (void)close(file);
    if (fresh) {
        (void)unlink(path);
    }
    return CRANK_OK;
}

const char *size_text(int64_t bytes, char *text, size_t size)
{
    static const char *const units[] = {"kB", "MB", "GB", "TB"};
    double value = (double)bytes / 1e3;
    int i = 0;

    if (bytes < 1000) {
        (void)snprintf(text, size, "%d B", (int)bytes);
        return text;
    }
    while (value >= 999.5 && i < 3) {
        value /= 1e3;
        i++;
    }
    (void)snprintf(text, size, "%.*f %s", value < 9.95 ? 1 : 0, value, units[i]);
    return text;
}

crank_status temporary_result_make(temporary_result *t, crank_error *err)
{
    const char *place = getenv("TMPDIR");

    *t = (temporary_result){0};
    if (place == NULL || place[0] == '\0') {
        place = "/tmp";
    }
    const int length = snprintf(t->directory, sizeof t->directory, "%s/crank-XXXXXX", place);
    if (length < 0 || (size_t)length >= sizeof t->directory) {
        t->directory[0] = '\0';
        return crank_fail(err, CRANK_EFILE, "TMPDIR is too long for a name");
    }
    if (mkdtemp(t->directory) == NULL) {
        t->directory[0] = '\0';
        return crank_fail(err, CRANK_EFILE, "%s: cannot write: %s", place, strerror(errno));
    }
    (void)snprintf(t->path, sizeof t->path, "%s/rows.mat", t->directory);
    return CRANK_OK;
}

void temporary_result_remove(temporary_result *t)
{
    char log[sizeof t->path + sizeof ".rows"];

    if (t->directory[0] == '\0') {
        return;
    }
    (void)snprintf(log, sizeof log, "%s.rows", t->path);
    (void)unlink(log);
    (void)unlink(t->path);
    (void)rmdir(t->directory);
    t->directory[0] = '\0';
}
