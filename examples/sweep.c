/* sweep.c - where a pendulum is after half a second, over gravity: one model, read once and
 * shared by two threads, a run for each value (of a parameter that may vary, so that runs share
 * its equations). sweep */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/crank.h>

#include <pthread.h>
#include <stdio.h>

static void *swing(void *model)
{
    static _Atomic int next;
    for (int grav = 2 * next++; grav < 16; grav = 2 * next++) {
        crank_run *run;
        crank_error err = {0};
        (void)(crank_run_open_model(model, NULL, &run, &err) ||
               crank_run_set(run, "grav", grav, &err) || crank_run_advance(run, 0.5, &err));
        (void)printf("grav = %2d: y = %.6f %s\n", grav, crank_run_value(run, "y"), err.text);
        crank_run_close(run);
    }
    return NULL;
}

int main(void)
{
    crank_model_options options = crank_model_options_default();
    options.vary = (const char *const[]){"grav"};
    options.vary_count = 1;
    crank_model *model;
    crank_error err;
    pthread_t other;
    if (crank_model_read("models/pendulum/pendulum.yaml", &options, &model, &err)) {
        return fprintf(stderr, "%s\n", err.text), 1;
    }
    (void)pthread_create(&other, NULL, swing, model);
    (void)swing(model);
    (void)pthread_join(other, NULL);
    crank_model_destroy(model);
    return 0;
}
