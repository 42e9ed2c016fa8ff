/* interruption.c - Ctrl-C ends a run after the current step, with everything computed on disk.
 * */
// SPDX-License-Identifier: BSD-3-Clause
#include "command.h"

#include <stddef.h>

/* The one variable that a signal handler may write. */
static volatile sig_atomic_t signal_seen;

static void note_signal(int number)
{
    signal_seen = number;
}

void interruption_watch(void)
{
    struct sigaction action = {.sa_handler = note_signal};

    action.sa_flags = (int)SA_RESETHAND;
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGHUP, &action, NULL);
}

bool interrupted(void)
{
    return signal_seen != 0;
}
