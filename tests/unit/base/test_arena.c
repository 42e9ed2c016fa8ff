/* test_arena.c - one layout function run twice gives size and pieces. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/arena.h"
#include "check.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONED_GAPS 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define POISONED_GAPS 1
#endif
#if defined(POISONED_GAPS)
#include <sanitizer/asan_interface.h>
#endif

typedef struct pieces {
    double *a;
    int *b;
    char *none;
    double *c;
} pieces;

static void layout(pieces *p, crank_arena *arena)
{
    p->a = crank_arena_take(arena, 7, sizeof *p->a);
    p->b = crank_arena_take(arena, 3, sizeof *p->b);
    p->none = crank_arena_take(arena, 0, sizeof *p->none);
    p->c = crank_arena_take(arena, 100, sizeof *p->c);
}

static bool aligned(const void *piece)
{
    return (uintptr_t)piece % CRANK_ARENA_ALIGNMENT == 0;
}

static void arena_measures_then_hands_out_exactly_that(void **state)
{
    pieces p = {0};
    crank_arena arena = {0};
    layout(&p, &arena);
    assert_null(p.a);
    assert_null(p.c);
    const size_t needed = arena.used;
    assert_true(needed >= 64 + 64 + 832);
    assert_int_equal(needed % CRANK_ARENA_ALIGNMENT, 0);
    assert_true(crank_arena_allocate(&arena));
    assert_int_equal(arena.used, 0);
    assert_int_equal(arena.size, needed);
    layout(&p, &arena);
    assert_int_equal(arena.used, needed);
    crank_arena_free(&arena);
}

static void arena_pieces_are_aligned_apart_and_zero(void **state)
{
    pieces p = {0};
    crank_arena arena = {0};
    layout(&p, &arena);
    assert_true(crank_arena_allocate(&arena));
    layout(&p, &arena);
    assert_true(aligned(p.a) && aligned(p.b) && aligned(p.none) && aligned(p.c));
    assert_non_null(p.none);
    assert_true((char *)p.b >= (char *)(p.a + 7));
    assert_true((char *)p.c >= (char *)(p.b + 3));
    for (int i = 0; i < 100; i++) {
        assert_true(p.c[i] == 0.0);
        p.c[i] = i; /* writable to the last byte; the sanitizer watches */
    }
    crank_arena_free(&arena);
    assert_null(arena.base);
}

static void arena_gaps_are_poisoned_under_the_sanitizer(void **state)
{
#if defined(POISONED_GAPS)
    pieces p = {0};
    crank_arena arena = {0};
    layout(&p, &arena);
    assert_true(crank_arena_allocate(&arena));
    layout(&p, &arena);
    assert_false(__asan_address_is_poisoned(p.a + 6));
    assert_true(__asan_address_is_poisoned(p.a + 7));
    assert_true(__asan_address_is_poisoned(p.none));
    assert_true(__asan_address_is_poisoned(p.c + 100)); /* also behind the last piece */
    crank_arena_free(&arena);
#else
    skip();
#endif
}

static void arena_of_nothing_is_allocated(void **state)
{
    crank_arena arena = {0};
    assert_true(crank_arena_allocate(&arena));
    assert_non_null(arena.base);
    crank_arena_free(&arena);
}

static void arena_refuses_sizes_beyond_memory(void **state)
{
    const size_t counts[] = {SIZE_MAX, SIZE_MAX / 8, SIZE_MAX / 8 + 1, (size_t)PTRDIFF_MAX / 8};
    for (int i = 0; i < 4; i++) {
        crank_arena arena = {0};
        assert_null(crank_arena_take(&arena, counts[i], sizeof(double)));
        assert_null(crank_arena_take(&arena, 1, sizeof(double))); /* sticky */
        assert_true(arena.overflow);
        assert_false(crank_arena_allocate(&arena));
        crank_arena_free(&arena);
    }
}

static void arena_sum_of_pieces_cannot_overflow(void **state)
{
    crank_arena arena = {0};
    for (int i = 0; i < 4; i++) {
        assert_null(crank_arena_take(&arena, SIZE_MAX / 3, 1));
    }
    assert_true(arena.overflow);
    assert_false(crank_arena_allocate(&arena));
}

static void arena_may_be_freed_twice(void **state)
{
    crank_arena arena = {0};
    crank_arena_free(&arena);
    crank_arena_free(&arena);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_measures_then_hands_out_exactly_that),
        cmocka_unit_test(arena_pieces_are_aligned_apart_and_zero),
        cmocka_unit_test(arena_gaps_are_poisoned_under_the_sanitizer),
        cmocka_unit_test(arena_of_nothing_is_allocated),
        cmocka_unit_test(arena_refuses_sizes_beyond_memory),
        cmocka_unit_test(arena_sum_of_pieces_cannot_overflow),
        cmocka_unit_test(arena_may_be_freed_twice),
    };
    return CHECK_RUN(argc, argv, tests);
}
