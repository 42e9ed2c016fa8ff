/* test_allocation_counter.c - the counter sees what it must: us, the C library, KLU. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "fault/allocation_counter.h"

#include <klu.h>
#include <stdio.h>
#include <stdlib.h>
#undef malloc /* cmocka may rename these; here the real ones are meant */
#undef calloc
#undef realloc
#undef free

static void *volatile kept;

static void keep(void *piece)
{
    assert_non_null(piece);
    kept = piece;
    free(kept);
}

static void counter_sees_every_kind_of_allocation(void **state)
{
    void *aligned = NULL;
    allocation_counter_arm();
    keep(malloc(10));
    keep(calloc(3, 7));
    keep(realloc(malloc(5), 50));
    keep(aligned_alloc(64, 128));
    const int status = posix_memalign(&aligned, 64, 100);
    const int64_t seen = allocation_counter_disarm();
    assert_int_equal(status, 0);
    assert_int_equal((uintptr_t)aligned % 64, 0);
    free(aligned);
    assert_int_equal(seen, 6);
}

static void counter_sees_the_c_library(void **state)
{
    allocation_counter_arm();
    FILE *file = fopen("/dev/null", "r");
    const int64_t seen = allocation_counter_disarm();
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_true(seen >= 1); /* the record behind FILE */
}

static void counter_sees_nothing_when_disarmed(void **state)
{
    allocation_counter_arm();
    const int64_t none = allocation_counter_disarm();
    keep(malloc(10));
    assert_int_equal(none, 0);
    assert_int_equal(allocation_counter_disarm(), 0);
}

static void counter_sees_klu_and_makes_it_fail(void **state)
{
    int start[] = {0, 1, 2};
    int row[] = {0, 1};
    klu_common common;
    assert_int_equal(klu_defaults(&common), 1);
    allocation_counter_arm();
    klu_symbolic *symbolic = klu_analyze(2, start, row, &common);
    assert_true(allocation_counter_disarm() >= 1);
    assert_non_null(symbolic);
    klu_free_symbolic(&symbolic, &common);
    allocation_counter_fail(0);
    symbolic = klu_analyze(2, start, row, &common);
    assert_true(allocation_counter_failed());
    assert_null(symbolic);
    assert_int_equal(common.status, KLU_OUT_OF_MEMORY);
}

static void the_chosen_allocation_fails_once(void **state)
{
    allocation_counter_fail(1);
    void *first = malloc(8);
    void *second = calloc(1, 8);
    void *third = malloc(8);
    const bool failed = allocation_counter_failed();
    assert_non_null(first);
    assert_null(second);
    assert_non_null(third);
    assert_true(failed);
    free(first);
    free(third);
}

static void every_kind_of_allocation_can_fail(void **state)
{
    void *out = NULL;
    allocation_counter_fail(0);
    assert_null(aligned_alloc(64, 64));
    assert_true(allocation_counter_failed());
    allocation_counter_fail(0);
    const int status = posix_memalign(&out, 64, 64);
    assert_true(allocation_counter_failed());
    assert_int_not_equal(status, 0);
    assert_null(out);
    kept = malloc(16);
    allocation_counter_fail(0);
    void *larger = realloc(kept, 1000);
    assert_true(allocation_counter_failed());
    assert_null(larger);
    free(kept); /* still ours */
}

static void a_failure_not_reached_is_called_off(void **state)
{
    allocation_counter_fail(100);
    keep(malloc(8));
    assert_false(allocation_counter_failed());
    for (int i = 0; i < 200; i++) {
        keep(malloc(8));
    }
    assert_false(allocation_counter_failed());
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counter_sees_every_kind_of_allocation),
        cmocka_unit_test(counter_sees_the_c_library),
        cmocka_unit_test(counter_sees_nothing_when_disarmed),
        cmocka_unit_test(counter_sees_klu_and_makes_it_fail),
        cmocka_unit_test(the_chosen_allocation_fails_once),
        cmocka_unit_test(every_kind_of_allocation_can_fail),
        cmocka_unit_test(a_failure_not_reached_is_called_off),
    };
    return CHECK_RUN(argc, argv, tests);
}
