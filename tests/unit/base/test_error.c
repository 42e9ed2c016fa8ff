/* test_error.c - statuses, the error record, the log. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include <stdio.h>

static void version_is_that_of_the_header(void **state)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%d.%d.%d", CRANK_VERSION_MAJOR, CRANK_VERSION_MINOR,
                   CRANK_VERSION_PATCH);
    assert_string_equal(crank_version(), text);
}

static void every_status_has_a_name_and_a_sentence(void **state)
{
#define CHECK_ENTRY(name, value, text)                                                         \
    assert_int_equal(CRANK_##name, value);                                                     \
    assert_string_equal(crank_status_name(CRANK_##name), #name);                               \
    assert_string_equal(crank_status_text(CRANK_##name), text);
    CRANK_STATUS_LIST(CHECK_ENTRY)
#undef CHECK_ENTRY
    assert_string_equal(crank_status_name((crank_status)-999), "?");
    assert_string_equal(crank_status_text((crank_status)-999), "unknown status");
}

static void fail_fills_the_record_and_returns_the_status(void **state)
{
    crank_error err = {.line = 7, .column = 8};
    CHECK_STATUS(crank_fail(&err, CRANK_EARG, "rtol = %g, must be %s", -1.0, "positive"),
                 CRANK_EARG);
    assert_int_equal(err.status, CRANK_EARG);
    assert_int_equal(err.line, 0);
    assert_int_equal(err.column, 0);
    assert_string_equal(err.text, "rtol = -1, must be positive");
}

static void fail_at_keeps_the_place(void **state)
{
    crank_error err;
    CHECK_STATUS(crank_fail_at(&err, CRANK_EMODEL, 14, 3, "joint \"%s\": axis is zero", "knee"),
                 CRANK_EMODEL);
    assert_int_equal(err.status, CRANK_EMODEL);
    assert_int_equal(err.line, 14);
    assert_int_equal(err.column, 3);
    assert_string_equal(err.text, "joint \"knee\": axis is zero");
}

static void fail_without_a_record_returns_the_status(void **state)
{
    CHECK_STATUS(crank_fail(NULL, CRANK_EMEM, "%s", "workspace"), CRANK_EMEM);
    CHECK_STATUS(crank_fail_at(NULL, CRANK_ESYNTAX, 1, 1, "x"), CRANK_ESYNTAX);
}

static void long_texts_are_cut_and_stay_one_line(void **state)
{
    char longer[2000];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    crank_error err;
    (void)crank_fail(&err, CRANK_EARG, "%s", longer);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    (void)crank_fail(&err, CRANK_EARG, "name \"a\nb\tc\" has \u00e9");
    assert_string_equal(err.text, "name \"a b c\" has \u00e9");
}

typedef struct received {
    int count;
    crank_level level;
    char text[64];
} received;

static void receive(crank_level level, const char *text, void *user)
{
    received *r = user;
    r->count++;
    r->level = level;
    (void)snprintf(r->text, sizeof r->text, "%s", text);
}

static void log_reaches_its_receiver(void **state)
{
    received r = {0};
    const crank_log log = {.write = receive, .user = &r};
    crank_log_write(&log, CRANK_WARNING, "%d dependent rows", 3);
    assert_int_equal(r.count, 1);
    assert_int_equal(r.level, CRANK_WARNING);
    assert_string_equal(r.text, "3 dependent rows");
}

static void log_without_receiver_is_silent(void **state)
{
    const crank_log silent = {0};
    crank_log_write(&silent, CRANK_INFO, "%d", 1);
    crank_log_write(NULL, CRANK_INFO, "%d", 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_is_that_of_the_header),
        cmocka_unit_test(every_status_has_a_name_and_a_sentence),
        cmocka_unit_test(fail_fills_the_record_and_returns_the_status),
        cmocka_unit_test(fail_at_keeps_the_place),
        cmocka_unit_test(fail_without_a_record_returns_the_status),
        cmocka_unit_test(long_texts_are_cut_and_stay_one_line),
        cmocka_unit_test(log_reaches_its_receiver),
        cmocka_unit_test(log_without_receiver_is_silent),
    };
    return CHECK_RUN(argc, argv, tests);
}
