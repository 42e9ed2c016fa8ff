/* test_base_system.c - other programs, loaded code, the running program. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/system.h"
#include "check.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void programs_run_without_input_and_say_their_code(void **state)
{
    static const char log[] = "test_system.log";
    char sh[] = "sh", dash[] = "-c", text[] = "cat; echo said; echo also >&2; exit 3";
    char *const arguments[] = {sh, dash, text, NULL};
    char words[40] = "";
    int code = -7;
    assert_int_equal(crank_system_run(arguments, log, &code), 0);
    assert_int_equal(code, 3);
    FILE *file = fopen(log, "r");
    assert_non_null(file);
    const size_t length = fread(words, 1, sizeof words - 1, file);
    (void)fclose(file);
    (void)unlink(log);
    assert_int_equal(length, strlen("said\nalso\n"));
    assert_string_equal(words, "said\nalso\n");
}

static void ends_by_signals_and_missing_programs_are_told(void **state)
{
    static const char log[] = "test_system_end.log";
    char sh[] = "sh", dash[] = "-c", text[] = "kill -9 $$", none[] = "no-such-program-of-crank";
    char *const killed[] = {sh, dash, text, NULL}, *const missing[] = {none, NULL};
    int code = 0;
    assert_int_equal(crank_system_run(killed, log, &code), 0);
    assert_int_equal(code, -1);
    const int failure = crank_system_run(missing, log, &code);
    assert_true(failure != 0 || code == 127);
    (void)unlink(log);
}

static void code_that_is_not_there_has_a_reason(void **state)
{
    const char *reason = NULL;
    assert_null(crank_system_load("/no/such/code.so", &reason));
    assert_non_null(strstr(reason, "/no/such/code.so"));
}

static void running_program_can_be_read(void **state)
{
    unsigned char start[4] = {0};
    FILE *file = fopen(crank_program_file(), "rb");
    assert_non_null(file);
    assert_int_equal(fread(start, 1, sizeof start, file), sizeof start);
    (void)fclose(file);
    assert_memory_equal(start, "\177ELF", sizeof start);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_run_without_input_and_say_their_code),
        cmocka_unit_test(ends_by_signals_and_missing_programs_are_told),
        cmocka_unit_test(code_that_is_not_there_has_a_reason),
        cmocka_unit_test(running_program_can_be_read),
    };
    return CHECK_RUN(argc, argv, tests);
}
