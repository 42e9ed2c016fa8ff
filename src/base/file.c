/* file.c - see file.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_ROOM = 1 << 16 };

static crank_status read_all(int fd, const char *path, bool is_text, size_t limit, char **text,
                             size_t *length, crank_error *err)
{
    size_t room = 0;

    for (;;) {
        if (room - *length < 2) {
            room = room == 0 ? FIRST_ROOM : 2 * room;
            char *larger = realloc(*text, room);
            if (larger == NULL) {
                return crank_fail(err, CRANK_EMEM, "%.200s: %zu bytes", path, room);
            }
            *text = larger;
        }
        const ssize_t count = read(fd, *text + *length, room - *length - 1);
        if (count == 0) {
            (*text)[*length] = '\0';
            return CRANK_OK;
        }
        if (count < 0 && errno != EINTR) {
            return crank_fail(err, CRANK_EFILE, "%.200s: cannot read: %s", path,
                              strerror(errno));
        }
        if (is_text && count > 0 && memchr(*text + *length, '\0', (size_t)count) != NULL) {
            return crank_fail(err, CRANK_ESYNTAX, "%.200s: is no text: it holds a zero byte",
                              path);
        }
        *length += count > 0 ? (size_t)count : 0;
        if (*length > limit) {
            return crank_fail(err, CRANK_EFILE, "%.200s: larger than %zu MiB", path,
                              limit >> 20);
        }
    }
}

/* Before the file is opened: that of a pipe waits for its writer. */
static bool is_regular(const char *path)
{
    struct stat info;
    return stat(path, &info) != 0 || S_ISREG(info.st_mode);
}

crank_status crank_file_load(const char *path, crank_file_kind kind, size_t limit, char **text,
                             size_t *length, crank_error *err)
{
    const bool input = kind == CRANK_FILE_INPUT && strcmp(path, "-") == 0;

    *text = NULL;
    *length = 0;
    if (kind == CRANK_FILE_REGULAR && !is_regular(path)) {
        return crank_fail(err, CRANK_EFILE, "%.200s: not a regular file", path);
    }
    const int fd = input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return crank_fail(err, CRANK_EFILE, "%.200s: cannot open: %s", path, strerror(errno));
    }
    const crank_status status =
        read_all(fd, path, kind == CRANK_FILE_INPUT, limit, text, length, err);
    if (!input) {
        (void)close(fd);
    }
    if (status != CRANK_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}

const char *crank_path_name(const char *path, size_t *length)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');

    *length = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
    return name;
}

char *crank_path_extend(const char *path, const char *ending)
{
    const size_t size = strlen(path) + strlen(ending) + 1;
    char *longer = malloc(size);

    if (longer != NULL) {
        (void)snprintf(longer, size, "%s%s", path, ending);
    }
    return longer;
}

bool crank_path_ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), own = strlen(ending);
    return length > own && strcasecmp(path + length - own, ending) == 0;
}
