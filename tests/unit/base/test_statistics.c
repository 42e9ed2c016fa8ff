/* test_statistics.c - every counter has an entry, in the order of the struct. */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/statistics.h>

#include "check.h"

static void entries_name_and_print_the_counters(void **state)
{
    const crank_statistics s = {.steps = 12,
                                .attempts = INT64_C(9007199254740993),
                                .rejected_error = -1,
                                .singular_passages = 3,
                                .seconds = 0.25,
                                .max_residual_acceleration = 1e-13};
    const char *name = NULL;
    char value[40];
    assert_true(crank_statistics_entry(&s, 0, &name, value, sizeof value));
    assert_string_equal(name, "steps");
    assert_string_equal(value, "12");
    assert_true(crank_statistics_entry(&s, 1, &name, value, sizeof value));
    assert_string_equal(name, "attempts");
    assert_string_equal(value, "9007199254740993");
    assert_true(crank_statistics_entry(&s, 16, &name, value, sizeof value));
    assert_string_equal(name, "singular_passages");
    assert_string_equal(value, "3");
    assert_true(crank_statistics_entry(&s, 20, &name, value, sizeof value));
    assert_string_equal(name, "seconds");
    assert_string_equal(value, "0.25");
    assert_true(crank_statistics_entry(&s, 23, &name, value, sizeof value));
    assert_string_equal(name, "max_residual_acceleration");
    assert_string_equal(value, "1e-13");
    assert_false(crank_statistics_entry(&s, 31, &name, value, sizeof value));
    assert_false(crank_statistics_entry(&s, -1, &name, value, sizeof value));
}

static void entries_cover_the_whole_struct(void **state)
{
    crank_statistics s;
    int64_t words[sizeof s / sizeof(int64_t)];
    const char *name = NULL;
    char value[40];
    int count = 0;
    memset(&s, 0, sizeof s);
    while (crank_statistics_entry(&s, count, &name, value, sizeof value)) {
        assert_string_equal(value, "0");
        count++;
    }
    /* all fields are eight bytes wide: each word must show up in exactly one entry */
    assert_int_equal((size_t)count * sizeof words[0], sizeof s);
    for (int word = 0; word < count; word++) {
        int seen = 0;
        memset(words, 0, sizeof words);
        words[word] = INT64_C(0x3ff0000000000000); /* 1.0 as a double, large as a count */
        memcpy(&s, words, sizeof s);
        for (int i = 0; i < count; i++) {
            assert_true(crank_statistics_entry(&s, i, &name, value, sizeof value));
            seen += strcmp(value, "0") != 0;
        }
        assert_int_equal(seen, 1);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_name_and_print_the_counters),
        cmocka_unit_test(entries_cover_the_whole_struct),
    };
    return CHECK_RUN(argc, argv, tests);
}
