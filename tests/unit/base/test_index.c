/* test_index.c - texts and other keys to numbers. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "base/hash.h"
#include "base/index.h"

#include <stdio.h>

enum { MANY = 5000 };

static void texts_are_found_among_many_also_by_a_part_of_another(void **state)
{
    crank_store store = {0};
    crank_index index = {0};
    char text[32];
    assert_int_equal(crank_index_find(&index, "x"), -1);
    for (int i = 0; i < MANY; i++) {
        assert_true(
            crank_index_add(&index, &store, crank_store_print(&store, "body.%d.x", i), i));
    }
    for (int i = 0; i < MANY; i++) {
        (void)snprintf(text, sizeof text, "body.%d.x", i);
        assert_int_equal(crank_index_find(&index, text), i);
        (void)snprintf(text, sizeof text, "body.%d.xy", i);
        assert_int_equal(crank_index_find(&index, text), -1);
        assert_int_equal(crank_index_find_part(&index, text, strlen(text) - 1), i);
        assert_int_equal(crank_index_find_part(&index, text, strlen(text) - 2), -1);
    }
    crank_store_free(&store);
}

static bool same_number(const void *wanted, const void *user, int number)
{
    return ((const double *)user)[number] == *(const double *)wanted;
}

/* a hundred of them under one hash */
static void keys_with_equal_hashes_are_told_apart(void **state)
{
    static double value[MANY];
    crank_index index = {0};
    for (int i = 0; i < MANY; i++) {
        value[i] = 0.5 * i;
        assert_true(crank_index_add_by(&index, NULL, i < 100 ? 7 : (uint64_t)i, i));
    }
    for (int i = 0; i < MANY; i++) {
        const uint64_t hash = i < 100 ? 7 : (uint64_t)i;
        assert_int_equal(crank_index_find_by(&index, hash, same_number, &value[i], value), i);
    }
    const double none = -1.0;
    assert_int_equal(crank_index_find_by(&index, 7, same_number, &none, value), -1);
    crank_index_free(&index);
    assert_true(index.count == 0 && index.slot == NULL);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_found_among_many_also_by_a_part_of_another),
        cmocka_unit_test(keys_with_equal_hashes_are_told_apart),
    };
    return CHECK_RUN(argc, argv, tests);
}
