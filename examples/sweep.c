/* sweep.c - how high a pendulum has swung after half a second, over its length: one model, read
 * once and shared by two threads, a run for each length. sweep */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/crank.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>

enum { LENGTHS = 8 };
static crank_model *model;
static double height[LENGTHS];
static crank_error failure[2]; /* of the threads */

static void *swing(void *thread)
{
    for (int i = thread == &failure[0] ? 0 : 1; i < LENGTHS; i += 2) {
        const double L = 1.0 + 0.25 * i;
        crank_run *run;
        const bool done = !crank_run_open_model(model, NULL, &run, thread) &&
                          !crank_run_set(run, "L", L, thread) &&
                          !crank_run_set(run, "y", -L, thread) &&
                          !crank_run_advance(run, 0.5, thread);
        height[i] = done ? L + crank_run_value(run, "y") : (double)NAN;
        crank_run_close(run);
    }
    return NULL;
}

int main(void)
{
    crank_model_options options = crank_model_options_default();
    options.vary = (const char *const[]){"L"};
    options.vary_count = 1;
    pthread_t other;
    if (crank_model_read("models/pendulum/pendulum.yaml", &options, &model, &failure[0])) {
        (void)fprintf(stderr, "%s\n", failure[0].text);
        return 1;
    }
    (void)pthread_create(&other, NULL, swing, &failure[1]);
    (void)swing(&failure[0]);
    (void)pthread_join(other, NULL);
    for (int i = 0; i < LENGTHS; i++) {
        const char *why = isnan(height[i]) ? failure[i % 2].text : "above its lowest point";
        (void)printf("L = %.2f: %.6f %s\n", 1.0 + 0.25 * i, height[i], why);
    }
    crank_model_destroy(model);
    return 0;
}
