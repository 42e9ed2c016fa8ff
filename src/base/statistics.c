/* statistics.c - the counters of a run by name, from one table. */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/statistics.h>

#include "base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

typedef enum entry_kind { ENTRY_COUNT, ENTRY_REAL } entry_kind;

typedef struct entry {
    const char *name;
    entry_kind kind;
    size_t offset;
} entry;

#define COUNT(name)                                                                            \
    {                                                                                          \
#name, ENTRY_COUNT, offsetof(crank_statistics, name)                                   \
    }
#define REAL(name)                                                                             \
    {                                                                                          \
#name, ENTRY_REAL, offsetof(crank_statistics, name)                                    \
    }
static const entry entries[] = {
    COUNT(steps),
    COUNT(attempts),
    COUNT(rejected_error),
    COUNT(rejected_convergence),
    COUNT(evaluations),
    COUNT(constraint_evaluations),
    COUNT(mass_evaluations),
    COUNT(jacobians),
    COUNT(predecompositions),
    COUNT(factorizations),
    COUNT(solves),
    COUNT(newton_iterations),
    COUNT(selector_updates),
    COUNT(analyses),
    COUNT(pivot_searches),
    COUNT(invariants_dropped),
    COUNT(singular_passages),
    COUNT(events),
    COUNT(event_steps),
    COUNT(method_changes),
    REAL(seconds),
    REAL(max_residual_position),
    REAL(max_residual_velocity),
    REAL(max_residual_acceleration),
    COUNT(difference_evaluations),
    COUNT(jacobian_updates),
    COUNT(pattern_updates),
    COUNT(matrix_entries),
    COUNT(matrix_groups),
    REAL(max_eta),
    REAL(max_push),
};
#undef COUNT
#undef REAL

bool crank_statistics_entry(const crank_statistics *statistics, int i, const char **name,
                            char *value, size_t size)
{
    if (i < 0 || i >= (int)(sizeof entries / sizeof entries[0])) {
        return false;
    }
    const entry *e = &entries[i];
    const void *field = (const char *)statistics + e->offset;
    *name = e->name;
    if (e->kind == ENTRY_COUNT) {
        (void)snprintf(value, size, "%" PRId64, *(const int64_t *)field);
    } else {
        (void)crank_number_print(value, size, *(const double *)field, 0);
    }
    return true;
}

void crank_statistics_add(crank_statistics *sum, const crank_statistics *more)
{
    for (int i = 0; i < (int)(sizeof entries / sizeof entries[0]); i++) {
        const entry *e = &entries[i];
        void *into = (char *)sum + e->offset;
        const void *from = (const char *)more + e->offset;
        if (e->kind == ENTRY_COUNT) {
            *(int64_t *)into += *(const int64_t *)from;
        }
    }
    sum->seconds += more->seconds;
    sum->max_residual_position = fmax(sum->max_residual_position, more->max_residual_position);
    sum->max_residual_velocity = fmax(sum->max_residual_velocity, more->max_residual_velocity);
    sum->max_residual_acceleration =
        fmax(sum->max_residual_acceleration, more->max_residual_acceleration);
    sum->max_eta = fmax(sum->max_eta, more->max_eta);
    sum->max_push = fmax(sum->max_push, more->max_push);
}
