/* test_json.c - the writer of JSON: texts, numbers, nesting, lines. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/json.h"
#include "check.h"

typedef struct page {
    char text[1024];
    crank_json j;
} page;

static void put(void *to, const char *piece)
{
    char *text = to;
    const size_t length = strlen(text);
    assert_true(length + strlen(piece) < 1024);
    strcpy(text + length, piece);
}

static crank_json *begin(page *p)
{
    *p = (page){0};
    p->j = (crank_json){.put = put, .to = p->text};
    return &p->j;
}

static void check_string(const char *text, const char *expected)
{
    page p;
    crank_json_string(begin(&p), NULL, text);
    assert_string_equal(p.text, expected);
}

static void texts_are_escaped_in_json(void **state)
{
    check_string("</script><!-- & \"\\",
                 "\"\\u003c/script\\u003e\\u003c!-- \\u0026 \\\"\\\\\"");
    check_string("a\n\t\x01\x7f", "\"a\\u000a\\u0009\\u0001\\u007f\"");
    check_string("\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa", "\"\\u2028\\u2029\xe2\x80\xaa\"");
    check_string("\xce\xbb \xf0\x9f\x98\x80", "\"\xce\xbb \xf0\x9f\x98\x80\"");
}

static void bytes_that_are_not_utf8_become_the_replacement_character(void **state)
{
    check_string("\xff", "\"\xef\xbf\xbd\"");
    check_string("\xc0\xbc", "\"\xef\xbf\xbd\xef\xbf\xbd\""); /* '<', too long */
    check_string("\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
    check_string(
        "\xf4\x90\x80\x80 \xe2\x80",
        "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd\"");
}

/* everything once */
static void write_all(crank_json *j)
{
    const double numbers[] = {1.0, -0.5, 1e300};
    crank_json_open(j, NULL, '{');
    crank_json_string(j, "a", "b");
    crank_json_string(j, "none", NULL);
    crank_json_open(j, "list", '[');
    crank_json_int(j, NULL, INT64_MIN);
    crank_json_open(j, NULL, '{');
    crank_json_close(j);
    crank_json_bool(j, NULL, true);
    crank_json_close(j);
    crank_json_reals(j, "x", 3, numbers);
    crank_json_bool(j, "no", false);
    crank_json_null(j, "nothing");
    crank_json_copy(j, "copy", "{\"k\": \"<\"}");
    crank_json_close(j);
}

static void commas_stand_between_members_only(void **state)
{
    page p;
    write_all(begin(&p));
    assert_string_equal(p.text,
                        "{\"a\": \"b\", \"none\": null, \"list\": [-9223372036854775808, {}, "
                        "true], \"x\": [1, -0.5, 1e+300], \"no\": false, \"nothing\": null, "
                        "\"copy\": {\"k\": \"\\u003c\"}}");
    assert_int_equal(p.j.depth, 0);
}

static void tight_json_has_no_blanks(void **state)
{
    page p;
    begin(&p)->tight = true;
    write_all(&p.j);
    CHECK_CONTAINS(p.text,
                   "{\"a\":\"b\",\"none\":null,\"list\":[-9223372036854775808,{},true],");
}

static void members_get_lines_up_to_a_depth(void **state)
{
    page p;
    crank_json *j = begin(&p);
    j->lines = 1;
    j->indent = 4;
    crank_json_open(j, NULL, '{');
    crank_json_int(j, "a", 1);
    crank_json_open(j, "b", '[');
    crank_json_int(j, NULL, 2);
    crank_json_int(j, NULL, 3);
    crank_json_close(j);
    crank_json_close(j);
    assert_string_equal(p.text, "{\n    \"a\": 1,\n    \"b\": [2, 3]\n}");
}

static void reals_are_exact_or_have_digits_and_are_never_words(void **state)
{
    page p;
    crank_json *j = begin(&p);
    crank_json_open(j, NULL, '[');
    crank_json_real(j, NULL, 0.1);
    j->digits = 17;
    crank_json_real(j, NULL, 0.1);
    j->digits = 3;
    crank_json_real(j, NULL, 2.0 / 3.0);
    crank_json_real(j, NULL, -0.0);
    crank_json_real(j, NULL, (double)NAN);
    crank_json_real(j, NULL, -(double)INFINITY);
    crank_json_close(j);
    assert_string_equal(p.text, "[0.1, 0.10000000000000001, 0.667, 0, null, null]");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_escaped_in_json),
        cmocka_unit_test(bytes_that_are_not_utf8_become_the_replacement_character),
        cmocka_unit_test(commas_stand_between_members_only),
        cmocka_unit_test(tight_json_has_no_blanks),
        cmocka_unit_test(members_get_lines_up_to_a_depth),
        cmocka_unit_test(reals_are_exact_or_have_digits_and_are_never_words),
    };
    return CHECK_RUN(argc, argv, tests);
}
