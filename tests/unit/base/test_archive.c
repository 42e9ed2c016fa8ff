/* test_archive.c - what goes into an archive comes out of it, bit for bit; what does not fit is
 * refused. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/archive.h"
#include "check.h"

#include <limits.h>

typedef struct thing {
    double x[4];
    int index[3];
    bool flag[2];
    int64_t count;
    crank_error error;
    crank_statistics statistics;
} thing;

static void archive(thing *s, crank_archive *a)
{
    crank_archive_check(a, "thing", 4);
    crank_archive_doubles(a, s->x, 4);
    crank_archive_ints(a, s->index, 3, -1, 9);
    crank_archive_flags(a, s->flag, 2);
    crank_archive_count(a, &s->count);
    crank_archive_error(a, &s->error);
    crank_archive_statistics(a, &s->statistics);
    crank_archive_check_text(a, "word", "psf");
}

static thing example(void)
{
    return (thing){.x = {1.0 / 3.0, -0.0, (double)NAN, -(double)INFINITY},
                   .index = {-1, 0, 9},
                   .flag = {true, false},
                   .count = INT64_MIN,
                   .error = {.status = CRANK_ESINGULAR, .line = 7, .text = "text", .file = "f"},
                   .statistics = {.steps = 5, .seconds = 0.1}};
}

static crank_archive made(void)
{
    thing from = example();
    crank_archive a = crank_archive_saving();
    archive(&from, &a);
    assert_true(crank_archive_fine(&a));
    return a;
}

static void what_goes_in_comes_out(void **state)
{
    const thing from = example();
    thing to = {0};
    crank_archive a = made(), b = crank_archive_loading(a.made, a.used);
    archive(&to, &b);
    assert_true(crank_archive_fine(&b));
    assert_int_equal(b.used, a.used);
    assert_memory_equal(to.x, from.x, sizeof from.x);
    assert_memory_equal(to.index, from.index, sizeof from.index);
    assert_true(to.flag[0] && !to.flag[1]);
    assert_true(to.count == from.count);
    assert_int_equal(to.error.status, CRANK_ESINGULAR);
    assert_int_equal(to.error.line, 7);
    assert_string_equal(to.error.text, "text");
    assert_string_equal(to.error.file, "f");
    assert_memory_equal(&to.statistics, &from.statistics, sizeof to.statistics);
    crank_archive_free(&a);
}

static void every_shorter_archive_is_refused(void **state)
{
    crank_archive a = made();
    for (size_t size = 0; size < a.used; size++) {
        thing to = {0};
        crank_archive b = crank_archive_loading(a.made, size);
        archive(&to, &b);
        CHECK_STATUS(b.error.status, CRANK_EFILE);
        CHECK_CONTAINS(b.error.text, "ends too early");
    }
    crank_archive_free(&a);
}

static void numbers_out_of_range_are_refused(void **state)
{
    static const int bad[] = {-2, 10, INT_MAX, INT_MIN};
    for (int i = 0; i < 4; i++) {
        int value = bad[i];
        unsigned char byte = (unsigned char)(2 + i);
        bool flag = false;
        crank_archive a = crank_archive_loading(&value, sizeof value);
        crank_archive_int(&a, &value, -1, 9);
        CHECK_STATUS(a.error.status, CRANK_EFILE);
        CHECK_CONTAINS(a.error.text, "out of range");
        crank_archive b = crank_archive_loading(&byte, 1);
        crank_archive_flag(&b, &flag);
        CHECK_STATUS(b.error.status, CRANK_EFILE);
        assert_false(flag);
    }
}

static void texts_end_whatever_the_bytes(void **state)
{
    unsigned char bytes[sizeof(crank_error) + 64];
    crank_error error = {0};
    const int status = CRANK_RETRY;
    memset(bytes, 'x', sizeof bytes);
    memcpy(bytes, &status, sizeof status);
    crank_archive a = crank_archive_loading(bytes, sizeof bytes);
    crank_archive_error(&a, &error);
    assert_true(crank_archive_fine(&a));
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
    assert_int_equal(strlen(error.file), sizeof error.file - 1);
}

static void other_names_and_values_are_refused(void **state)
{
    crank_archive a = crank_archive_saving();
    crank_archive_check(&a, "rows", 3);
    crank_archive b = crank_archive_loading(a.made, a.used);
    crank_archive_check(&b, "columns", 3);
    CHECK_CONTAINS(b.error.text, "\"columns\" was expected");
    b = crank_archive_loading(a.made, a.used);
    crank_archive_check(&b, "rows", 4);
    CHECK_CONTAINS(b.error.text, "rows is 3 there and 4 here");
    crank_archive_free(&a);
    a = crank_archive_saving();
    crank_archive_check_text(&a, "version", "0.1.0");
    b = crank_archive_loading(a.made, a.used);
    crank_archive_check_text(&b, "version", "0.2.0");
    CHECK_CONTAINS(b.error.text, "version 0.1.0, this is 0.2.0");
    crank_archive_free(&a);
}

static void differing_options_are_named(void **state)
{
    crank_options options = crank_options_default(), other = options;
    crank_archive a = crank_archive_saving();
    crank_archive_check_options(&a, &options);
    crank_archive b = crank_archive_loading(a.made, a.used);
    crank_archive_check_options(&b, &options);
    assert_true(crank_archive_fine(&b));
    other.singular = CRANK_SINGULAR_PASS;
    b = crank_archive_loading(a.made, a.used);
    crank_archive_check_options(&b, &other);
    CHECK_STATUS(b.error.status, CRANK_EFILE);
    CHECK_CONTAINS(b.error.text, "option singular is stop in the checkpoint and pass here");
    memset(a.made, 0xff, a.used); /* numbers that are none */
    b = crank_archive_loading(a.made, a.used);
    crank_archive_check_options(&b, &options);
    CHECK_CONTAINS(b.error.text, "damaged: option");
    crank_archive_free(&a);
}

static void first_failure_stays(void **state)
{
    int value = 5;
    crank_archive a = crank_archive_loading(&value, sizeof value);
    crank_archive_fail(&a, CRANK_EMEM, "number %d", 1);
    crank_archive_fail(&a, CRANK_EFILE, "number %d", 2);
    value = 7;
    crank_archive_int(&a, &value, 0, 9);
    CHECK_STATUS(a.error.status, CRANK_EMEM);
    assert_string_equal(a.error.text, "number 1");
    assert_int_equal(value, 7);
    assert_int_equal(a.used, 0);
}

static void hash_is_fnv_1a(void **state)
{
    /* the test vectors of its authors */
    assert_true(crank_hash(CRANK_HASH_START, "", 0) == 0xcbf29ce484222325u);
    assert_true(crank_hash(CRANK_HASH_START, "a", 1) == 0xaf63dc4c8601ec8cu);
    assert_true(crank_hash(CRANK_HASH_START, "foobar", 6) == 0x85944171f73967e8u);
    assert_true(crank_hash(crank_hash(CRANK_HASH_START, "foo", 3), "bar", 3) ==
                0x85944171f73967e8u);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_in_comes_out),
        cmocka_unit_test(every_shorter_archive_is_refused),
        cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(texts_end_whatever_the_bytes),
        cmocka_unit_test(other_names_and_values_are_refused),
        cmocka_unit_test(differing_options_are_named),
        cmocka_unit_test(first_failure_stays),
        cmocka_unit_test(hash_is_fnv_1a),
    };
    return CHECK_RUN(argc, argv, tests);
}
