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

/* What the caller ignores stays ignored: nohup, jobs in the background of a script. */
void interruption_watch(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = note_signal}, before;

    action.sa_flags = (int)SA_RESETHAND;
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (sigaction(numbers[i], NULL, &before) != 0 || before.sa_handler != SIG_IGN) {
            (void)sigaction(numbers[i], &action, NULL);
        }
    }
}

bool interrupted(void)
{
    return signal_seen != 0;
}
