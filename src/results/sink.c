/* sink.c - buffered output by write(2): the buffer is handed over whole, and where the system
 * takes only a part of it before it fails (disk full), the file is cut back to its last
 * complete line. Signals wait while a disk file is written: a fatal one may end the call
 * between two pages. */
// SPDX-License-Identifier: BSD-3-Clause
#include "results/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_standard_output(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0;
}

static crank_status report(const crank_sink *sink, crank_error *err)
{
    if (sink->error == 0) {
        return CRANK_OK;
    }
    return crank_fail(err, CRANK_EFILE, "%s: cannot write: %s", sink->path,
                      strerror(sink->error));
}

crank_status crank_sink_open(crank_sink *sink, const char *path, size_t capacity,
                             crank_error *err)
{
    const char *shown = is_standard_output(path) ? "standard output" : path;

    *sink = (crank_sink){.fd = -1, .capacity = capacity};
    sink->path = malloc(strlen(shown) + 1);
    sink->data = malloc(capacity);
    if (sink->path == NULL || sink->data == NULL) {
        return crank_fail(err, CRANK_EMEM, "buffer of %zu bytes for %s", capacity, shown);
    }
    memcpy(sink->path, shown, strlen(shown) + 1);
    sink->owned = !is_standard_output(path);
    sink->fd = sink->owned ? -1 : STDOUT_FILENO;
    while (sink->fd < 0) {
        sink->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (sink->fd < 0 && errno != EINTR) {
            sink->error = errno;
            return report(sink, err);
        }
    }
    struct stat info;
    sink->regular = fstat(sink->fd, &info) == 0 && S_ISREG(info.st_mode);
    return CRANK_OK;
}

/* Takes back what follows the last complete line of the data just written, if the file ends
 * there. Best effort: the failure that led here is what is reported. */
static void cut_back(int fd, const char *data, size_t written)
{
    size_t partial = 0;
    struct stat info;

    while (partial < written && data[written - partial - 1] != '\n') {
        partial++;
    }
    const off_t end = lseek(fd, 0, SEEK_CUR);
    if (partial == 0 || end < (off_t)partial || fstat(fd, &info) != 0 || info.st_size != end) {
        return;
    }
    if (ftruncate(fd, end - (off_t)partial) == 0) {
        (void)lseek(fd, 0, SEEK_END);
    }
}

static void write_buffer(crank_sink *sink)
{
    size_t done = 0;

    while (done < sink->used && sink->error == 0) {
        const ssize_t count = write(sink->fd, sink->data + done, sink->used - done);
        if (count > 0) {
            done += (size_t)count;
        } else if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            struct pollfd wait = {.fd = sink->fd, .events = POLLOUT};
            (void)poll(&wait, 1, -1);
        } else if (count == 0 || errno != EINTR) {
            sink->error = count == 0 ? EIO : errno;
        }
    }
    if (sink->error != 0 && sink->regular) {
        cut_back(sink->fd, sink->data, done);
    }
    sink->used = 0;
}

static void hand_over(crank_sink *sink)
{
    sigset_t all, previous;

    if (!sink->regular) { /* may wait for its reader, and then a signal must get through */
        write_buffer(sink);
        return;
    }
    (void)sigfillset(&all);
    const bool blocked = pthread_sigmask(SIG_BLOCK, &all, &previous) == 0;
    write_buffer(sink);
    if (blocked) {
        (void)pthread_sigmask(SIG_SETMASK, &previous, NULL);
    }
}

crank_status crank_sink_flush(crank_sink *sink, crank_error *err)
{
    if (sink->fd >= 0) {
        hand_over(sink);
    }
    return report(sink, err);
}

char *crank_sink_reserve(crank_sink *sink, size_t size)
{
    if (sink->capacity - sink->used < size) {
        hand_over(sink);
    }
    return sink->error == 0 && size <= sink->capacity ? sink->data + sink->used : NULL;
}

void crank_sink_print(crank_sink *sink, const char *format, ...)
{
    for (int attempt = 0; attempt < 2 && sink->error == 0; attempt++) {
        const size_t room = sink->capacity - sink->used;
        va_list arguments;
        va_start(arguments, format);
        const int length = vsnprintf(sink->data + sink->used, room, format, arguments);
        va_end(arguments);
        if (length < 0) {
            sink->error = EILSEQ;
        } else if ((size_t)length < room) {
            sink->used += (size_t)length;
            return;
        } else if (attempt == 1) {
            sink->used += room - 1;
        } else {
            hand_over(sink);
        }
    }
}

crank_status crank_sink_close(crank_sink *sink, crank_error *err)
{
    if (sink->fd >= 0) {
        hand_over(sink);
        if (sink->owned && close(sink->fd) != 0 && errno != EINTR && sink->error == 0) {
            sink->error = errno;
        }
    }
    const crank_status status = sink->path != NULL ? report(sink, err) : CRANK_OK;
    free(sink->path);
    free(sink->data);
    *sink = (crank_sink){.fd = -1};
    return status;
}

bool crank_c_locale_enter(crank_c_locale *locale)
{
    locale->c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (locale->c == (locale_t)0) {
        return false;
    }
    locale->previous = uselocale(locale->c);
    return true;
}

void crank_c_locale_leave(crank_c_locale *locale)
{
    (void)uselocale(locale->previous);
    freelocale(locale->c);
}
