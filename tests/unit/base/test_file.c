/* test_file.c - whole files in memory, and names of files. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "base/file.h"

#include "../results/scratch.h"

static void refuse(const char *path, crank_file_kind kind, size_t limit, const char *why)
{
    char *text = NULL;
    size_t length = 0;
    crank_error err = {0};
    CHECK_STATUS(crank_file_load(path, kind, limit, &text, &length, &err), CRANK_EFILE);
    CHECK_CONTAINS(err.text, why);
    assert_null(text);
}

static void whole_files_are_read(void **state)
{
    enum { SIZE = 200001 }; /* more than is read at once */
    scratch s;
    char *text = NULL, *data = malloc(SIZE);
    size_t length = 0;
    crank_error err = {0};
    assert_non_null(data);
    for (int i = 0; i < SIZE; i++) {
        data[i] = (char)(i % 251);
    }
    scratch_open(&s, "data");
    scratch_write(&s, data, SIZE);
    CHECK_OK(crank_file_load(s.path, CRANK_FILE_REGULAR, SIZE, &text, &length, &err), err);
    assert_int_equal(length, SIZE);
    assert_memory_equal(text, data, SIZE);
    assert_int_equal(text[SIZE], 0);
    free(text);
    free(data);
    refuse(s.path, CRANK_FILE_REGULAR, SIZE - 1, "data: larger than");
    scratch_close(&s);
}

static void empty_files_are_empty_texts(void **state)
{
    char *text = NULL;
    size_t length = 1;
    crank_error err = {0};
    CHECK_OK(crank_file_load("/dev/null", CRANK_FILE_ANY, SIZE_MAX, &text, &length, &err), err);
    assert_string_equal(text, "");
    assert_int_equal(length, 0);
    free(text);
}

static void what_is_no_file_is_refused(void **state)
{
    refuse("/dev/null", CRANK_FILE_REGULAR, SIZE_MAX, "/dev/null: not a regular file");
    refuse(".", CRANK_FILE_ANY, SIZE_MAX, ".: cannot read: Is a directory");
    refuse("no/such", CRANK_FILE_INPUT, SIZE_MAX, "no/such: cannot open: No such file");
    refuse("-", CRANK_FILE_ANY, SIZE_MAX, "-: cannot open: No such file");
}

static void check_name(const char *path, const char *name)
{
    size_t length = 0;
    const char *found = crank_path_name(path, &length);
    assert_int_equal(length, strlen(name));
    assert_memory_equal(found, name, length);
}

static void names_are_without_directory_and_ending(void **state)
{
    check_name("a/b.c/rod.yaml", "rod");
    check_name("rod.tar.gz", "rod.tar");
    check_name("rod", "rod");
    check_name("a/.hidden", ".hidden");
    check_name("a/", "");
}

static void endings_are_known_in_capitals_too(void **state)
{
    assert_true(crank_path_ends_in("part.STL", ".stl"));
    assert_true(crank_path_ends_in("a.stl", ".stl"));
    assert_false(crank_path_ends_in(".stl", ".stl"));
    assert_false(crank_path_ends_in("a.stlx", ".stl"));
    assert_false(crank_path_ends_in("l", ".stl"));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_files_are_read),
        cmocka_unit_test(empty_files_are_empty_texts),
        cmocka_unit_test(what_is_no_file_is_refused),
        cmocka_unit_test(names_are_without_directory_and_ending),
        cmocka_unit_test(endings_are_known_in_capitals_too),
    };
    return CHECK_RUN(argc, argv, tests);
}
