/* encoder.h - frames to ffmpeg, a process of its own that makes a film of them. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_ENCODER_H
#define CRANK_TOOLS_ENCODER_H

#include "command.h"

#include <sys/types.h>

typedef struct encoder {
    pid_t process;
    int pipe;
    const char *path;
} encoder;

/* EFILE if ffmpeg is not there, and how to get it. */
crank_status encoder_begin(encoder *e, const char *path, int width, int height, int fps,
                           crank_error *err);
crank_status encoder_put(encoder *e, const unsigned char *data, size_t size, crank_error *err);
/* Waits for the film to be complete. */
crank_status encoder_end(encoder *e, crank_error *err);

#endif
