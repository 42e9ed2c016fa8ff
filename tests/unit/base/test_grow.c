/* test_grow.c - arrays that grow, on the heap and in a store; the one hash. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/grow.h"
#include "base/hash.h"
#include "check.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static void items_stay_while_the_array_grows(void **state)
{
    int *heap = NULL, *stored = NULL, heap_capacity = 0, stored_capacity = 0, moves = 0;
    crank_store store = {0};
    for (int i = 0; i < 10000; i++) {
        const int before = heap_capacity;
        heap = crank_grow(heap, i, &heap_capacity, sizeof *heap);
        stored = crank_store_grow(&store, stored, i, &stored_capacity, sizeof *stored);
        assert_non_null(heap);
        assert_non_null(stored);
        assert_true(i < heap_capacity && i < stored_capacity);
        moves += heap_capacity != before;
        heap[i] = stored[i] = i;
    }
    for (int i = 0; i < 10000; i++) {
        assert_int_equal(heap[i], i);
        assert_int_equal(stored[i], i);
    }
    assert_in_range(moves, 1, 14); /* doubles: log2(10000) */
    free(heap);
    crank_store_free(&store);
}

static void more_than_memory_can_hold_is_refused_and_changes_nothing(void **state)
{
    int item = 7, capacity = INT_MAX / 2 + 1;
    crank_store store = {0};
    assert_null(crank_grow(&item, capacity, &capacity, sizeof item));
    assert_null(crank_store_grow(&store, &item, capacity, &capacity, sizeof item));
    assert_true(store.failed);
    capacity = 1 << 20;
    assert_null(crank_grow(&item, capacity, &capacity, SIZE_MAX / 4));
    assert_int_equal(capacity, 1 << 20);
    assert_int_equal(item, 7);
    crank_store_free(&store);
}

/* the authors' own values of FNV-1a with 64 bits */
static void the_hash_is_that_of_fowler_noll_and_vo(void **state)
{
    assert_true(crank_hash_text("") == UINT64_C(0xcbf29ce484222325));
    assert_true(crank_hash_text("a") == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(crank_hash_text("foobar") == UINT64_C(0x85944171f73967e8));
    assert_true(crank_hash(crank_hash_text("foo"), "bar", 3) == crank_hash_text("foobar"));
}

/* tables take the lowest bits: numbered names must not meet there much more often than by
 * chance, by which half as many names as there are places take 1 - exp(-1/2) = 0.39 of them */
static void hashed_words_differ_in_their_lowest_bits(void **state)
{
    enum { NAMES = 512, SLOTS = 1024 };
    bool text_taken[SLOTS] = {0}, word_taken[SLOTS] = {0};
    int texts = 0, words = 0;
    for (int i = 0; i < NAMES; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "body_%d", i);
        const uint64_t text = crank_hash_spread(crank_hash_text(name)) & (SLOTS - 1);
        const uint64_t word = crank_hash_word(1, (uint64_t)i) & (SLOTS - 1);
        texts += !text_taken[text];
        words += !word_taken[word];
        text_taken[text] = word_taken[word] = true;
    }
    assert_in_range(texts, 0.9 * 0.39 * SLOTS, NAMES);
    assert_in_range(words, 0.9 * 0.39 * SLOTS, NAMES);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_stay_while_the_array_grows),
        cmocka_unit_test(more_than_memory_can_hold_is_refused_and_changes_nothing),
        cmocka_unit_test(the_hash_is_that_of_fowler_noll_and_vo),
        cmocka_unit_test(hashed_words_differ_in_their_lowest_bits),
    };
    return CHECK_RUN(argc, argv, tests);
}
