/* claim.c - see claim.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/claim.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

bool crank_claim(int fd, bool alone)
{
    while (flock(fd, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0) {
        if (errno != EINTR) {
            return errno != EWOULDBLOCK;
        }
    }
    return true;
}

/* 0, errno, or EINTR: the file has been replaced by another, try again. */
static int take(int fd, bool cut)
{
    struct stat info;

    if (fstat(fd, &info) != 0) {
        return errno;
    }
    if (!S_ISREG(info.st_mode)) {
        return 0;
    }
    if (!crank_claim(fd, true)) {
        return EWOULDBLOCK;
    }
    if (fstat(fd, &info) == 0 && info.st_nlink == 0) { /* its writer has just ended */
        return EINTR;
    }
    return cut && info.st_size > 0 && ftruncate(fd, 0) != 0 ? errno : 0;
}

int crank_claim_open(const char *path, int flags)
{
    int reason = EINTR;
    int fd = -1;

    while (reason == EINTR) {
        fd = open(path, (flags & ~O_TRUNC) | O_CLOEXEC, 0666);
        reason = fd < 0 ? errno : take(fd, (flags & O_TRUNC) != 0);
        if (reason != 0 && fd >= 0) {
            (void)close(fd);
            fd = -1;
        }
    }
    errno = reason;
    return fd;
}

const char *crank_claim_reason(int error)
{
    return error == EWOULDBLOCK
               ? "another process has it open; wait for its end, or choose another name"
               : strerror(error);
}
