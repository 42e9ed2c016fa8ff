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

/* all of them, as --stats shows them: counters, numbers that add up, largest ones */
#define STATISTICS(COUNT, SUM, LARGEST)                                                        \
    COUNT(steps)                                                                               \
    COUNT(attempts)                                                                            \
    COUNT(rejected_error)                                                                      \
    COUNT(rejected_convergence)                                                                \
    COUNT(evaluations)                                                                         \
    COUNT(constraint_evaluations)                                                              \
    COUNT(mass_evaluations)                                                                    \
    COUNT(jacobians)                                                                           \
    COUNT(predecompositions)                                                                   \
    COUNT(factorizations)                                                                      \
    COUNT(solves)                                                                              \
    COUNT(newton_iterations)                                                                   \
    COUNT(selector_updates)                                                                    \
    COUNT(analyses)                                                                            \
    COUNT(pivot_searches)                                                                      \
    COUNT(invariants_dropped)                                                                  \
    COUNT(singular_passages)                                                                   \
    COUNT(events)                                                                              \
    COUNT(event_steps)                                                                         \
    COUNT(method_changes)                                                                      \
    SUM(seconds)                                                                               \
    LARGEST(max_residual_position)                                                             \
    LARGEST(max_residual_velocity)                                                             \
    LARGEST(max_residual_acceleration)                                                         \
    COUNT(difference_evaluations)                                                              \
    COUNT(jacobian_updates)                                                                    \
    COUNT(pattern_updates)                                                                     \
    COUNT(matrix_entries)                                                                      \
    COUNT(matrix_groups)                                                                       \
    LARGEST(max_eta)                                                                           \
    LARGEST(max_push)

#define COUNT(word) {#word, ENTRY_COUNT, offsetof(crank_statistics, word)},
#define REAL(word)  {#word, ENTRY_REAL, offsetof(crank_statistics, word)},
static const entry entries[] = {STATISTICS(COUNT, REAL, REAL)};
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
#define ADD(word)     sum->word += more->word;
#define LARGEST(word) sum->word = fmax(sum->word, more->word);
    STATISTICS(ADD, ADD, LARGEST)
#undef ADD
#undef LARGEST
}
