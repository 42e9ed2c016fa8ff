/* interruption.c - Ctrl-C while the library works: the run ends after its step and everything is
 * freed; then the interpreter does what it does to Ctrl-C. Octave takes the signal in a thread of
 * its own and counts it; elsewhere the signal is taken here and handed on. */
// SPDX-License-Identifier: BSD-3-Clause
#define _POSIX_C_SOURCE 200809L
#include "bindings.h"

#include <signal.h>

extern volatile sig_atomic_t octave_interrupt_state __attribute__((weak)); /* liboctave */

/* a signal handler has nothing but this; MEX functions run one at a time */
static volatile sig_atomic_t pressed;
static struct sigaction before;

static bool in_octave(void)
{
    return &octave_interrupt_state != NULL;
}

static void note(int number)
{
    (void)number;
    pressed = 1;
}

void interruption_begin(void)
{
    struct sigaction own = {.sa_handler = note};
    pressed = 0;
    (void)sigemptyset(&own.sa_mask);
    if (!in_octave()) {
        (void)sigaction(SIGINT, &own, &before);
    }
}

void interruption_end(void)
{
    if (!in_octave()) {
        (void)sigaction(SIGINT, &before, NULL);
    }
    if (pressed) {
        (void)raise(SIGINT);
    }
}

crank_status interruption_stop(void *user, crank_error *err)
{
    (void)user;
    return pressed || (in_octave() && octave_interrupt_state > 0)
               ? crank_fail(err, CRANK_EINTERRUPTED, "interrupted")
               : CRANK_OK;
}
