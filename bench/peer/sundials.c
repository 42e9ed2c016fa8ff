/* sundials.c - one problem by one method of SUNDIALS:
 *
 *     peers_sundials PROBLEM SIZE METHOD RTOL REPEAT REFERENCE
 *
 * METHOD: ida-ggl-dense, ida-ggl-klu, ida-index1-dense, ida-index1-klu, cvode-adams, cvode-bdf,
 * cvode-bdf-projected, arkode8-projected, arkode5-projected, arkode8, arkode5. Prints one line
 * of JSON: processor time of the integration without set-up (the least of REPEAT runs, fewer if
 * they are long), steps, evaluations, and the largest errors of positions, velocities and
 * multipliers over the rows of REFERENCE, |x - exact|/(1 + |exact|). */
// SPDX-License-Identifier: BSD-3-Clause
#include "peer.h"
#include "processor.h"
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double LONG = 1; /* s; runs are not repeated beyond */

void peer_keep(peer_run *run, reduced *equations, int i, const double *q, const double *v,
               const double *lambda)
{
    const int nq = run->problem->nq, nl = run->problem->nl;
    double *row = run->rows + i * (2 * nq + nl);
    memcpy(row, q, (size_t)nq * sizeof *q);
    memcpy(row + nq, v, (size_t)nq * sizeof *v);
    run->reached = i + 1;
    if (lambda)
        memcpy(row + 2 * nq, lambda, (size_t)nl * sizeof *lambda);
    else if (!reduced_accelerations(equations, run->times[i], q, v, equations->a, row + 2 * nq))
        run->reached = i;
}

static bool integrate(peer_run *run, const char *method)
{
    static const struct {
        const char *name;
        int kind, first, second;
    } methods[] = {{"ida-ggl-dense", 0, 1, 0},       {"ida-ggl-klu", 0, 1, 1},
                   {"ida-index1-dense", 0, 0, 0},    {"ida-index1-klu", 0, 0, 1},
                   {"cvode-adams", 1, 1, 0},         {"cvode-bdf", 1, 0, 0},
                   {"cvode-bdf-projected", 1, 0, 1}, {"arkode8", 2, 8, 0},
                   {"arkode8-projected", 2, 8, 1},   {"arkode5", 2, 5, 0},
                   {"arkode5-projected", 2, 5, 1}};
    for (unsigned i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (strcmp(methods[i].name, method) != 0)
            continue;
        if (methods[i].kind == 0)
            peer_ida(run, methods[i].first, methods[i].second);
        else if (methods[i].kind == 1)
            peer_cvode(run, methods[i].first, methods[i].second);
        else
            peer_arkode(run, methods[i].first, methods[i].second);
        return true;
    }
    return false;
}

/* errors of positions, velocities, multipliers */
static void measure(const peer_run *run, const reference *exact, double error[3])
{
    mechanics *problem = run->problem;
    const int nq = problem->nq, nl = problem->nl;
    reduced *equations = reduced_create(problem);
    for (int i = 0; i < 3; i++)
        error[i] = run->reached < run->count ? HUGE_VAL : 0;
    for (int i = 0; i < run->reached; i++) {
        const double *row = run->rows + i * (2 * nq + nl), *q = exact->values + i * 2 * nq;
        reduced_accelerations(equations, run->times[i], q, q + nq, equations->a,
                              equations->lambda);
        error[0] = fmax(error[0], largest_error(row, q, nq));
        error[1] = fmax(error[1], largest_error(row + nq, q + nq, nq));
        error[2] = fmax(error[2], largest_error(row + 2 * nq, equations->lambda, nl));
    }
    reduced_destroy(equations);
}

static void print_number(const char *name, double value)
{
    if (isfinite(value))
        printf("\"%s\": %.6g, ", name, value);
    else
        printf("\"%s\": null, ", name);
}

int main(int argc, char **argv)
{
    mechanics *problem = argc == 7 ? mechanics_create(argv[1], atoi(argv[2])) : NULL;
    if (!problem) {
        fprintf(stderr, "usage: %s PROBLEM SIZE METHOD RTOL REPEAT REFERENCE\n", argv[0]);
        return 2;
    }
    reference exact = reference_read(argv[6]);
    if (exact.columns != 2 * problem->nq) {
        fprintf(stderr, "%s: %d columns, %d needed\n", argv[6], exact.columns, 2 * problem->nq);
        return 1;
    }
    const int repeat = atoi(argv[5]);
    peer_run run = {.problem = problem,
                    .rtol = strtod(argv[4], NULL),
                    .count = exact.count,
                    .times = exact.times,
                    .rows = numbers(exact.count * (2 * problem->nq + problem->nl))};
    double seconds = HUGE_VAL, error[3];
    double total = 0;
    for (int i = 0; i == 0 || (i < repeat && total < LONG); i++) {
        run.reached = 0;
        if (!integrate(&run, argv[3])) {
            fprintf(stderr, "there is no method %s\n", argv[3]);
            return 2;
        }
        seconds = fmin(seconds, run.seconds);
        total += run.seconds;
    }
    measure(&run, &exact, error);
    printf("{\"seconds\": %.6g, \"steps\": %ld, \"evaluations\": %ld, ", seconds, run.steps,
           run.evaluations);
    print_number("position", error[0]);
    print_number("velocity", error[1]);
    print_number("multiplier", error[2]);
    printf("\"text\": \"%s\"}\n", run.reached < run.count ? run.text : "");
    free(run.rows);
    reference_free(&exact);
    mechanics_destroy(problem);
    return 0;
}
