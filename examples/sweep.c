/* sweep.c - how high a pendulum has swung after half a second, over its length: one model, read
 * once and shared by two threads, a run for each length. sweep */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/crank.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 2, LENGTHS = 8 };
static const char *const vary[] = {"L"};
static crank_model *model;
static double height[LENGTHS];
static crank_error failure[THREADS];

static void *swing(void *first)
{
    const int thread = *(const int *)first;
    crank_run_options options = crank_run_options_default();
    options.t_end = 0.5;
    for (int i = thread; i < LENGTHS; i += THREADS) {
        crank_run *run = NULL;
        crank_error *err = &failure[thread];
        crank_status status = crank_run_open_model(model, &options, &run, err);
        status = status ? status : crank_run_set(run, "L", 1.0 + 0.25 * i, err);
        status = status ? status : crank_run_set(run, "y", -1.0 - 0.25 * i, err);
        status = status ? status : crank_run_advance(run, options.t_end, err);
        height[i] = status ? (double)NAN : crank_run_value(run, "y") + 1.0 + 0.25 * i;
        crank_run_close(run);
    }
    return NULL;
}

int main(void)
{
    crank_model_options options = crank_model_options_default();
    crank_error err = {0};
    pthread_t thread[THREADS];
    int first[THREADS];
    options.vary = vary;
    options.vary_count = 1;
    if (crank_model_read("models/pendulum/pendulum.yaml", &options, &model, &err)) {
        (void)fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    for (int i = 0; i < THREADS; i++) {
        first[i] = i;
        (void)pthread_create(&thread[i], NULL, swing, &first[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        (void)pthread_join(thread[i], NULL);
        (void)fputs(failure[i].text, stderr);
    }
    for (int i = 0; i < LENGTHS; i++) {
        (void)printf("L = %.2f: %.6f above its lowest point\n", 1.0 + 0.25 * i, height[i]);
    }
    crank_model_destroy(model);
    return 0;
}
