/* progress.c - see progress.h. The time to go assumes that the rest costs as much per simulated
 * second as what is done. */
// SPDX-License-Identifier: BSD-3-Clause
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { BAR = 24 };

static const double period = 0.1; /* s */

double clock_seconds(void)
{
    struct timespec now;

    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        return 0.0;
    }
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_begin(progress *p, const messages *m, bool rows_to_terminal, double t_start,
                    double t_end)
{
    *p = (progress){.t_start = t_start, .t_end = t_end, .began = clock_seconds()};
    p->drawn = p->began;
    p->on = !m->quiet && isatty(STDERR_FILENO) != 0 && !rows_to_terminal;
}

static void describe_rest(char *text, size_t size, double seconds)
{
    if (seconds < 120.0) {
        (void)snprintf(text, size, "%.0f s", seconds);
    } else if (seconds < 7200.0) {
        (void)snprintf(text, size, "%.0f min", seconds / 60.0);
    } else {
        (void)snprintf(text, size, "%.1f h", seconds / 3600.0);
    }
}

void progress_update(progress *p, messages *m, double t, double h)
{
    const double now = p->on ? clock_seconds() : 0.0;
    char bar[BAR + 1], rest[32];

    if (!p->on || now - p->drawn < period) {
        return;
    }
    const double share = (t - p->t_start) / (p->t_end - p->t_start);
    for (int i = 0; i < BAR; i++) {
        bar[i] = i < (int)(share * BAR) ? '=' : ' ';
    }
    bar[BAR] = '\0';
    const double to_go = share > 0.0 ? (now - p->began) * (1.0 - share) / share : 0.0;
    describe_rest(rest, sizeof rest, to_go);
    (void)fprintf(stderr, "\r\033[K[%s] t = %.6g, step %.2g, %s to go", bar, t, h, rest);
    (void)fflush(stderr);
    m->progress_shown = true;
    p->drawn = now;
}

void progress_end(progress *p, messages *m)
{
    if (m->progress_shown) {
        (void)fputs("\r\033[K", stderr);
        m->progress_shown = false;
    }
    p->on = false;
}
