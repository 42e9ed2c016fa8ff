/* test_schema.c - the short language of shapes, as JSON Schema. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "model/schema.h"

static void put(void *to, const char *piece)
{
    (void)strcat(to, piece);
}

static void check_shape(const char *shape, const char *wanted)
{
    char text[512] = "";
    crank_json j = {.put = put, .to = text};
    const char *end = crank_schema_shape(&j, NULL, shape);
    assert_string_equal(text, wanted);
    assert_true(*end == '\0');
}

#define REF(name) "{\"$ref\": \"#/definitions/" name "\"}"

static void shapes_are_written_as_json_schema(void **state)
{
    check_shape("number", REF("number"));
    check_shape(":string", "{\"type\": \"string\"}");
    check_shape(":number,string", "{\"type\": [\"number\", \"string\"]}");
    check_shape("=iso,top", "{\"enum\": [\"iso\", \"top\"]}");
    check_shape("{x}", "{\"type\": \"object\", \"additionalProperties\": " REF("x") "}");
    check_shape("?{x}",
                "{\"type\": [\"object\", \"null\"], \"additionalProperties\": " REF("x") "}");
}

static void lists_have_limits_and_alternatives_nest(void **state)
{
    check_shape("[x]2..3", "{\"type\": \"array\", \"items\": " REF("x") ", \"minItems\": 2, "
                                                                        "\"maxItems\": 3}");
    check_shape("[[x]2..2]2..",
                "{\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": " REF(
                    "x") ", \"minItems\": 2, \"maxItems\": 2}, \"minItems\": 2}");
    check_shape("a|[b|=stop]",
                "{\"anyOf\": [" REF("a") ", {\"type\": \"array\", \"items\": {\"anyOf\": [" REF(
                    "b") ", {\"enum\": [\"stop\"]}]}}]}");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_are_written_as_json_schema),
        cmocka_unit_test(lists_have_limits_and_alternatives_nest),
    };
    return CHECK_RUN(argc, argv, tests);
}
