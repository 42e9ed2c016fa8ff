/* sweep.c - where a pendulum is after half a second, over gravity: one model, read once and
 * shared by two threads, a run for each value. sweep */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/crank.h>

#include <pthread.h>
#include <stdio.h>

enum { RUNS = 8 };
static crank_model *model;
static double y[RUNS];
static crank_error failure[RUNS];

static void *swing(void *first) /* and every other one behind it */
{
    for (int i = (int)((double *)first - y); i < RUNS; i += 2) {
        crank_run *run;
        if (!crank_run_open_model(model, NULL, &run, &failure[i]) &&
            !crank_run_set(run, "grav", 2.0 * i, &failure[i]) &&
            !crank_run_advance(run, 0.5, &failure[i])) {
            y[i] = crank_run_value(run, "y");
        }
        crank_run_close(run);
    }
    return NULL;
}

int main(void)
{
    crank_model_options options = crank_model_options_default();
    options.vary = (const char *const[]){"grav"};
    options.vary_count = 1;
    pthread_t other;
    if (crank_model_read("models/pendulum/pendulum.yaml", &options, &model, failure)) {
        return fprintf(stderr, "%s\n", failure[0].text), 1;
    }
    (void)pthread_create(&other, NULL, swing, &y[1]);
    (void)swing(&y[0]);
    (void)pthread_join(other, NULL);
    for (int i = 0; i < RUNS; i++) {
        (void)printf("grav = %4.1f: y = %.6f %s\n", 2.0 * i, y[i], failure[i].text);
    }
    crank_model_destroy(model);
    return 0;
}
