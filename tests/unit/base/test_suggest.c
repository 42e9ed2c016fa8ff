/* test_suggest.c - misspelt names find their neighbour, strange ones do not. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/suggest.h"
#include "check.h"

static const char *const names[] = {"rtol",      "atol",       "atol_p", NULL, "max_steps",
                                    "positions", "velocities", "x",      "vx"};
enum { COUNT = sizeof names / sizeof names[0] };

static void suggestion_is_the_nearest_name(void **state)
{
    assert_string_equal(crank_suggest("rtoll", names, COUNT), "rtol"); /* one too many */
    assert_string_equal(crank_suggest("rtl", names, COUNT), "rtol");   /* one missing */
    assert_string_equal(crank_suggest("rtpl", names, COUNT), "rtol");  /* replaced */
    assert_string_equal(crank_suggest("positoins", names, COUNT), "positions"); /* swapped */
    assert_string_equal(crank_suggest("maxsteps", names, COUNT), "max_steps");
    assert_string_equal(crank_suggest("velocity", names, COUNT), "velocities");
}

static void suggestion_ignores_case(void **state)
{
    assert_string_equal(crank_suggest("RTOL", names, COUNT), "rtol");
    assert_string_equal(crank_suggest("X", names, COUNT), "x");
}

static void suggestion_of_equals_is_the_first(void **state)
{
    static const char *const pair[] = {"abcd1", "abcd2"};
    assert_string_equal(crank_suggest("abcd3", pair, 2), "abcd1");
}

static void suggestion_adds_what_stands_before_a_dot(void **state)
{
    static const char *const columns[] = {"time", "body.wheel.x", "force.fl.tyre.force",
                                          "force.fr.tyre.force", "joint.hub.angle"};
    assert_string_equal(crank_suggest("fl.tyre.force", columns, 5), "force.fl.tyre.force");
    assert_string_equal(crank_suggest("wheel.x", columns, 5), "body.wheel.x");
    assert_string_equal(crank_suggest("hub.angel", columns, 5), "joint.hub.angle");
    assert_null(crank_suggest("x", columns, 5)); /* of which body? */
}

static void suggestion_adds_what_stands_behind_a_hyphen(void **state)
{
    static const char *const methods[] = {"geoms", "psf-radau", "peom1-radau", "index2-radau"};
    assert_string_equal(crank_suggest("peom1", methods, 4), "peom1-radau");
    assert_string_equal(crank_suggest("idnex2", methods, 4), "index2-radau");
}

static void no_suggestion_for_a_strange_word(void **state)
{
    assert_null(crank_suggest("gravity", names, COUNT));
    assert_null(crank_suggest("q", names, COUNT)); /* one letter, another letter */
    assert_null(crank_suggest("", names, COUNT));
    assert_null(crank_suggest("rtol", names, 0));
}

static void no_suggestion_for_an_overlong_word(void **state)
{
    char word[200];
    memset(word, 'a', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    const char *candidates[] = {word};
    assert_null(crank_suggest(word, candidates, 1));
    assert_null(crank_suggest("aaaa", candidates, 1));
    word[63] = '\0';
    assert_ptr_equal(crank_suggest(word, candidates, 1), word);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suggestion_is_the_nearest_name),
        cmocka_unit_test(suggestion_ignores_case),
        cmocka_unit_test(suggestion_of_equals_is_the_first),
        cmocka_unit_test(suggestion_adds_what_stands_before_a_dot),
        cmocka_unit_test(suggestion_adds_what_stands_behind_a_hyphen),
        cmocka_unit_test(no_suggestion_for_a_strange_word),
        cmocka_unit_test(no_suggestion_for_an_overlong_word),
    };
    return CHECK_RUN(argc, argv, tests);
}
