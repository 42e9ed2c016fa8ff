/* allocation_counter.h - sees every allocation of the test process, also those of KLU.
 *
 * malloc and its relatives are replaced for the whole process and passed on to the C library
 * (or to the sanitizer). Two uses:
 *
 *     allocation_counter_arm();
 *     crank_integrator_solve_to(...);
 *     assert_int_equal(allocation_counter_disarm(), 0);       nothing allocates after create
 *
 *     for (int64_t n = 0;; n++) {                             create survives lack of memory
 *         allocation_counter_fail(n);
 *         status = crank_eom_create(...);
 *         if (!allocation_counter_failed()) {      fewer than n + 1 allocations: done
 *             break;
 *         }
 *         assert_int_equal(status, CRANK_EMEM);
 *     }
 *
 * With a debugger, a break point on allocation_counter_seen shows who allocates while armed. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_ALLOCATION_COUNTER_H
#define CRANK_TESTS_ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Counts from zero, from now on. */
void allocation_counter_arm(void);
/* Stops counting; the number of allocations since arm. */
int64_t allocation_counter_disarm(void);

/* The n-th allocation from now (0: the next) fails, once; those before and after do not. */
void allocation_counter_fail(int64_t n);
/* Whether that allocation was reached; also calls the failure off. */
bool allocation_counter_failed(void);

/* Called for each allocation while armed. */
void allocation_counter_seen(size_t bytes);

#endif
