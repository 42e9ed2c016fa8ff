/* test_lexer.c - characters of Modelica files as tokens. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "modelica/syntax.h"

static crank_mo_tokens read_tokens(const char *text, bool base, crank_store *store)
{
    crank_mo_tokens tokens;
    crank_error err = {0};
    CHECK_OK(crank_mo_read_tokens(text, strlen(text), base, store, &tokens, &err), err);
    return tokens;
}

static void check_token(const crank_mo_tokens *t, int i, crank_mo_token_kind kind,
                        const char *text, int line, int column)
{
    assert_true(i < t->count);
    assert_int_equal(t->token[i].kind, kind);
    assert_string_equal(t->token[i].text, text);
    assert_int_equal(t->token[i].place.line, line);
    assert_int_equal(t->token[i].place.column, column);
}

static void tokens_have_kind_text_and_place(void **state)
{
    crank_store store = {0};
    (void)state;
    const crank_mo_tokens t = read_tokens(
        "model A1 // x\n  Real x=1.5e-3;/* \n */ 'a b' \"t\\\"\\n\" end", false, &store);
    check_token(&t, 0, CRANK_MO_KEYWORD, "model", 1, 1);
    check_token(&t, 1, CRANK_MO_IDENT, "A1", 1, 7);
    check_token(&t, 2, CRANK_MO_IDENT, "Real", 2, 3);
    check_token(&t, 4, CRANK_MO_SYMBOL, "=", 2, 9);
    check_token(&t, 5, CRANK_MO_REAL, "1.5e-3", 2, 10);
    CHECK_NEAR(t.token[5].number, 0.0015, 1e-18);
    check_token(&t, 7, CRANK_MO_IDENT, "'a b'", 3, 5);
    check_token(&t, 8, CRANK_MO_TEXT, "t\"\n", 3, 11);
    check_token(&t, 9, CRANK_MO_KEYWORD, "end", 3, 19);
    check_token(&t, 10, CRANK_MO_FINISH, "", 3, 22);
    crank_store_free(&store);
}

static void longest_symbols_are_taken(void **state)
{
    static const char *const expected[] = {"1",  ".+", "x", "<=", "y", "<>", "z",  ":=", "a",
                                           ".^", "2",  ":", "b",  ">", "c",  "==", "d"};
    crank_store store = {0};
    (void)state;
    const crank_mo_tokens t = read_tokens("1.+x<=y<>z:=a.^2:b>c==d", false, &store);
    assert_int_equal(t.count, (int)(sizeof expected / sizeof *expected) + 1);
    for (int i = 0; i + 1 < t.count; i++) {
        assert_string_equal(t.token[i].text, expected[i]);
    }
    crank_store_free(&store);
}

static void quotes_are_removed_in_base_modelica(void **state)
{
    crank_store store = {0};
    (void)state;
    crank_mo_tokens t = read_tokens("//! base 0.1.0\n'a.b[1]'", false, &store);
    assert_true(t.base);
    check_token(&t, 0, CRANK_MO_IDENT, "a.b[1]", 2, 1);
    t = read_tokens("'end'", true, &store); /* a name, not a keyword */
    check_token(&t, 0, CRANK_MO_IDENT, "end", 1, 1);
    crank_store_free(&store);
}

static void columns_count_characters(void **state)
{
    crank_store store = {0};
    (void)state;
    const crank_mo_tokens t = read_tokens("\xef\xbb\xbf\"\xc3\xa4\xc3\xb6\" x", false, &store);
    check_token(&t, 1, CRANK_MO_IDENT, "x", 1, 6);
    crank_store_free(&store);
}

static void mistakes_are_told_with_their_place(void **state)
{
    static const struct {
        const char *text;
        int line, column;
        const char *message;
    } list[] = {
        {"a\n /* b", 1, 2, "a comment that does not end"},
        {"a \"b", 1, 3, "a string that does not end"},
        {"'a", 1, 1, "a quoted name that does not end"},
        {"''", 1, 1, "without characters"},
        {"\"\\q\"", 1, 2, "\\q is no escape"},
        {"x = 1e999;", 1, 5, "too large"},
        {"x # y", 1, 3, "the character # has no meaning"},
        {"x \x01 y", 1, 3, "byte 1"},
        {"\xc3\xa4", 1, 1, "byte 195"},
        {"0000000000000000000000000000000000000000000000000000000000000000000000000", 1, 1,
         "a number of 73 characters"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        crank_store store = {0};
        crank_mo_tokens t;
        crank_error err = {0};
        const crank_status status =
            crank_mo_read_tokens(list[i].text, strlen(list[i].text), false, &store, &t, &err);
        CHECK_STATUS(status, CRANK_ESYNTAX);
        assert_int_equal(err.line, list[i].line);
        CHECK_CONTAINS(err.text, list[i].message);
        if (strstr(list[i].message, "comment") == NULL) {
            assert_int_equal(err.column, list[i].column);
        }
        crank_store_free(&store);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_have_kind_text_and_place),
        cmocka_unit_test(longest_symbols_are_taken),
        cmocka_unit_test(quotes_are_removed_in_base_modelica),
        cmocka_unit_test(columns_count_characters),
        cmocka_unit_test(mistakes_are_told_with_their_place),
    };
    return CHECK_RUN(argc, argv, tests);
}
