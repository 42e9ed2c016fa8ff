/* sink.c - buffered output by write(2): the buffer is handed over whole, and where the system
 * takes only a part of it before it fails (disk full), the file is cut back to its last
 * complete line or record. Signals wait while a disk file is written: a fatal one may end the
 * call between two pages. Against SIGKILL there is no help: it may cut the last line at a
 * page's end; readers leave such a line out. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/sink.h"

#include "base/claim.h"

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
                      crank_claim_reason(sink->error));
}

static crank_status prepare(crank_sink *sink, const char *path, size_t capacity,
                            crank_error *err)
{
    const char *shown = is_standard_output(path) ? "standard output" : path;

    *sink = (crank_sink){.fd = -1, .capacity = capacity};
    sink->path = strdup(shown);
    sink->data = malloc(capacity);
    if (sink->path == NULL || sink->data == NULL) {
        return crank_fail(err, CRANK_EMEM, "buffer of %zu bytes for %s", capacity, shown);
    }
    return CRANK_OK;
}

static crank_status open_file(crank_sink *sink, const char *path, int flags, crank_error *err)
{
    struct stat info;

    sink->owned = !is_standard_output(path);
    sink->fd = sink->owned ? -1 : STDOUT_FILENO;
    if (sink->owned) {
        sink->fd = crank_claim_open(path, flags);
        sink->error = sink->fd < 0 ? errno : 0;
    }
    if (sink->fd < 0) {
        return report(sink, err);
    }
    sink->regular = fstat(sink->fd, &info) == 0 && S_ISREG(info.st_mode);
    return CRANK_OK;
}

crank_status crank_sink_open(crank_sink *sink, const char *path, size_t capacity,
                             crank_error *err)
{
    const crank_status status = prepare(sink, path, capacity, err);
    return status == CRANK_OK ? open_file(sink, path, O_WRONLY | O_CREAT | O_TRUNC, err)
                              : status;
}

crank_status crank_sink_reopen(crank_sink *sink, const char *path, size_t capacity,
                               crank_error *err)
{
    const crank_status status = prepare(sink, path, capacity, err);
    return status == CRANK_OK ? open_file(sink, path, O_RDWR, err) : status;
}

crank_status crank_sink_cut(crank_sink *sink, uint64_t end, crank_error *err)
{
    if (ftruncate(sink->fd, (off_t)end) != 0 || lseek(sink->fd, (off_t)end, SEEK_SET) < 0) {
        return crank_fail(err, CRANK_EFILE, "%.200s: cannot be cut: %s", sink->path,
                          strerror(errno));
    }
    return CRANK_OK;
}

/* Bytes behind the last complete line or record; end: of the file. */
static size_t partial_size(const crank_sink *sink, size_t written, size_t end)
{
    size_t partial = 0;

    if (sink->record_size > 0) {
        return end > sink->record_start ? (end - sink->record_start) % sink->record_size : 0;
    }
    while (partial < written && sink->data[written - partial - 1] != '\n') {
        partial++;
    }
    return partial;
}

/* Takes back what follows the last complete line of the data just written, if the file ends
 * there. Best effort: the failure that led here is what is reported. */
static void cut_back(const crank_sink *sink, size_t written)
{
    struct stat info;

    const off_t end = lseek(sink->fd, 0, SEEK_CUR);
    if (end < (off_t)written || fstat(sink->fd, &info) != 0 || info.st_size != end) {
        return;
    }
    const size_t partial = partial_size(sink, written, (size_t)end);
    if (partial > 0 && ftruncate(sink->fd, end - (off_t)partial) == 0) {
        (void)lseek(sink->fd, 0, SEEK_END);
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
        cut_back(sink, done);
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

void crank_sink_append(crank_sink *sink, const void *data, size_t size)
{
    const char *from = data;

    while (size > 0 && sink->error == 0) {
        const size_t room = sink->capacity - sink->used;
        const size_t piece = size < room ? size : room;
        memcpy(sink->data + sink->used, from, piece);
        sink->used += piece;
        from += piece;
        size -= piece;
        if (sink->used == sink->capacity) {
            hand_over(sink);
        }
    }
}

crank_status crank_sink_sync(crank_sink *sink, crank_error *err)
{
    (void)crank_sink_flush(sink, NULL);
    if (sink->fd >= 0 && sink->regular && sink->error == 0 && fsync(sink->fd) != 0) {
        sink->error = errno;
    }
    return report(sink, err);
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
