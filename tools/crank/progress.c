/* progress.c - see progress.h.
 *
 * The time to go assumes the speed of the last few seconds, smoothed: d(share)/d(clock), each
 * new value weighed by 1 - exp(-interval/memory). On narrow terminals the line keeps what
 * matters most: percentage, time to go, then the bar, simulated time, step size and rows. */
// SPDX-License-Identifier: BSD-3-Clause
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { BAR = 30, BAR_LEAST = 8, WIDTH = 80, WIDTH_MOST = 500 };

static const double period = 0.1, memory = 3.0; /* s */

double clock_seconds(void)
{
    struct timespec now;

    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        return 0.0;
    }
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_begin(progress *p, const messages *m, bool rows_to_terminal, double t_start,
                    double t_end, double t)
{
    *p = (progress){.t_start = t_start, .t_end = t_end, .drawn = clock_seconds()};
    p->share = t_end > t_start ? (t - t_start) / (t_end - t_start) : 0.0;
    p->on = !m->quiet && isatty(STDERR_FILENO) != 0 && !rows_to_terminal;
}

/* Columns of the terminal as it is now: it may have been resized. */
static int terminal_width(void)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    long width = 0;

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0) {
        width = size.ws_col;
    }
    if (width <= 0 && columns != NULL) {
        width = strtol(columns, NULL, 10);
    }
    width = width > 0 ? width : WIDTH;
    return width < WIDTH_MOST ? (int)width : WIDTH_MOST;
}

static void describe_rest(char *text, size_t size, double seconds)
{
    if (!isfinite(seconds)) {
        text[0] = '\0';
    } else if (seconds < 120.0) {
        (void)snprintf(text, size, " %.0f s to go", seconds);
    } else if (seconds < 7200.0) {
        (void)snprintf(text, size, " %.0f min to go", seconds / 60.0);
    } else if (seconds < 172800.0) {
        (void)snprintf(text, size, " %.1f h to go", seconds / 3600.0);
    } else {
        (void)snprintf(text, size, " %.3g days to go", seconds / 86400.0);
    }
}

static void note_speed(progress *p, double share, double interval)
{
    const double speed = (share - p->share) / interval;
    const double weight = 1.0 - exp(-interval / memory);

    p->speed = p->speed > 0.0 ? p->speed + weight * (speed - p->speed) : speed;
    p->share = share;
}

static void draw_bar(char *bar, int width, double share)
{
    const int done = (int)(share * width);

    bar[0] = '[';
    for (int i = 0; i < width; i++) {
        bar[1 + i] = i < done ? '=' : i == done ? '>' : ' ';
    }
    bar[1 + width] = ']';
    bar[2 + width] = '\0';
}

/* The parts in the order in which they stand, as far as they fit. */
static void draw(const progress *p, double t, double h, int64_t rows)
{
    enum { PERCENT, REST, TIME, STEP, ROWS, PARTS };
    static const int order[PARTS] = {PERCENT, TIME, STEP, ROWS, REST}; /* on the line */
    char part[PARTS][48], bar[BAR + 3] = "";
    bool shown[PARTS] = {false};
    int room = terminal_width() - 1; /* the cursor stands in the last column */

    (void)snprintf(part[PERCENT], sizeof part[0], " %.0f%%", floor(100.0 * p->share));
    describe_rest(part[REST], sizeof part[0], (1.0 - p->share) / p->speed);
    (void)snprintf(part[TIME], sizeof part[0], " t %.4g of %.4g s", t, p->t_end);
    (void)snprintf(part[STEP], sizeof part[0], " step %.2g s", h);
    (void)snprintf(part[ROWS], sizeof part[0], " %lld rows", (long long)rows);
    for (int i = 0; i < PARTS; i++) {
        const int length = (int)strlen(part[i]);
        const int kept = i > REST ? BAR_LEAST + 2 : 0; /* the bar goes before what follows */
        shown[i] = length > 0 && length + kept <= room;
        room -= shown[i] ? length : 0;
    }
    if (room >= BAR_LEAST + 2) {
        draw_bar(bar, room - 2 < BAR ? room - 2 : BAR, p->share);
    }
    (void)fprintf(stderr, "\r\033[K%s", bar);
    for (int i = 0; i < PARTS; i++) {
        (void)fputs(shown[order[i]] ? part[order[i]] : "", stderr);
    }
    (void)fflush(stderr);
}

void progress_update(progress *p, messages *m, double t, double h, int64_t rows)
{
    const double now = p->on ? clock_seconds() : 0.0;

    if (!p->on || now - p->drawn < period) {
        return;
    }
    note_speed(p, (t - p->t_start) / (p->t_end - p->t_start), now - p->drawn);
    draw(p, t, h, rows);
    m->progress_shown = true;
    p->drawn = now;
}

void progress_end(progress *p, messages *m)
{
    clear_progress(m);
    p->on = false;
}
