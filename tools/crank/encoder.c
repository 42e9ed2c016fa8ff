/* encoder.c - see encoder.h. The process has a group of its own, so that Ctrl-C reaches crank
 * alone, which then closes the pipe: the film ends there and is complete. */
// SPDX-License-Identifier: BSD-3-Clause
#include "encoder.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"

extern char **environ;

static int start(encoder *e, char *const *arguments, const int ends[2])
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t defaults;
    int failed = posix_spawn_file_actions_init(&files);

    if (failed != 0) {
        return failed;
    }
    failed = posix_spawnattr_init(&how);
    if (failed == 0) {
        (void)sigemptyset(&defaults);
        (void)sigaddset(&defaults, SIGPIPE);
        (void)posix_spawnattr_setsigdefault(&how, &defaults);
        (void)posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
        (void)posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO);
        (void)posix_spawn_file_actions_addclose(&files, ends[1]);
        failed = posix_spawnp(&e->process, arguments[0], &files, &how, arguments, environ);
        (void)posix_spawnattr_destroy(&how);
    }
    (void)posix_spawn_file_actions_destroy(&files);
    return failed;
}

crank_status encoder_begin(encoder *e, const char *path, int width, int height, int fps,
                           crank_error *err)
{
    char size[32], rate[16], file[4200];
    const bool webm = has_ending(path, ".webm");
    /* constant quality; colours at half the pixels, as players expect; VP9 in its quicker
     * way */
    /* clang-format off */
    const char *const words[] = {
        "ffmpeg", "-nostdin", "-loglevel", "error", "-y",
        "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", rate, "-i", "-", "-an",
        "-c:v", webm ? "libvpx-vp9" : "libx264", "-crf", webm ? "30" : "20", "-b:v", "0",
        webm ? "-cpu-used" : "-preset", webm ? "4" : "medium",
        webm ? "-row-mt" : "-threads", webm ? "1" : "0",
        "-pix_fmt", "yuv420p", file, NULL};
    /* clang-format on */
    char *arguments[sizeof words / sizeof words[0]];
    int ends[2];

    (void)snprintf(size, sizeof size, "%dx%d", width, height);
    (void)snprintf(rate, sizeof rate, "%d", fps);
    (void)snprintf(file, sizeof file, "file:%s", path);
    memcpy(arguments, words, sizeof words);
    *e = (encoder){.pipe = -1, .path = path};
    const crank_status status = probe_writing(path, err);
    if (status != CRANK_OK) {
        return status;
    }
    if (pipe(ends) != 0) {
        return crank_fail(err, CRANK_EFILE, "a pipe to ffmpeg: %s", strerror(errno));
    }
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const int failed = start(e, arguments, ends);
    (void)close(ends[0]);
    if (failed != 0) {
        (void)close(ends[1]);
        return crank_fail(err, CRANK_EFILE,
                          "%s: films are made by ffmpeg, which cannot be started: %s (Debian: "
                          "apt install ffmpeg); --film FILE%%04d.png writes the frames",
                          path, strerror(failed));
    }
    e->pipe = ends[1];
    return CRANK_OK;
}

crank_status encoder_put(encoder *e, const unsigned char *data, size_t size, crank_error *err)
{
    while (size > 0) {
        const ssize_t written = write(e->pipe, data, size);
        if (written < 0 && errno != EINTR) {
            return crank_fail(err, CRANK_EFILE, "%s: ffmpeg takes no more frames: %s", e->path,
                              strerror(errno));
        }
        data += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return CRANK_OK;
}

crank_status encoder_end(encoder *e, crank_error *err)
{
    int code = 0;
    pid_t ended;

    (void)close(e->pipe);
    do {
        ended = waitpid(e->process, &code, 0);
    } while (ended < 0 && errno == EINTR);
    if (ended < 0 || !WIFEXITED(code) || WEXITSTATUS(code) != 0) {
        return crank_fail(err, CRANK_EFILE, "%s: ffmpeg failed, exit status %d", e->path,
                          WIFEXITED(code) ? WEXITSTATUS(code) : -1);
    }
    return CRANK_OK;
}
