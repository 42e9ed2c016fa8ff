/* test_mechanism_reference.c - the tables of keys as a page of reference and as a JSON
 * Schema. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/yaml.h"
#include "read_mechanism.h"

static const crank_node *find(const crank_node *node, const char *key)
{
    assert_int_equal(node->kind, CRANK_NODE_MAPPING);
    const crank_node *value = crank_node_find(node, key);
    if (value == NULL) {
        print_error("no key %s\n", key);
        fail();
    }
    return value;
}

static void the_reference_names_every_key_and_type(void **state)
{
    crank_text text = {0};
    crank_mechanism_reference(&text, sample_joints, sample_forces);
    assert_false(text.failed);
    CHECK_CONTAINS(text.data, "| `crank` (required) | `mechanism` | kind of the file |\n");
    CHECK_CONTAINS(text.data, "### revolute\n\nhinge\n");
    CHECK_CONTAINS(text.data, "### universal\n\ncross (spatial models only)\n");
    CHECK_CONTAINS(text.data, "| `between` (required) | two bodies | the bodies |\n");
    CHECK_CONTAINS(text.data, "| `law` | expression of `length`, `rate` | tension |\n");
    CHECK_CONTAINS(text.data, "| `axes` | `world`, `body` | of the components |\n");
    CHECK_CONTAINS(text.data, "| `rtol` | ");
    crank_text_free(&text);
}

/* every "$ref" must lead to a definition */
static void check_references(const crank_node *node, const crank_node *definitions)
{
    for (int i = 0; i < node->count; i++) {
        if (node->kind == CRANK_NODE_MAPPING && strcmp(node->key[i]->text, "$ref") == 0) {
            const char *text = node->item[i]->text;
            assert_int_equal(strncmp(text, "#/definitions/", 14), 0);
            (void)find(definitions, text + 14);
        } else {
            check_references(node->item[i], definitions);
        }
    }
}

static void the_schema_is_json_and_its_references_lead_somewhere(void **state)
{
    crank_text text = {0};
    crank_store store = {0};
    crank_document document;
    crank_error err = {0};
    crank_mechanism_schema(&text, sample_joints, sample_forces);
    assert_false(text.failed);
    const crank_status status =
        crank_yaml_read(text.data, text.length, &store, &document, &err); /* JSON is YAML */
    CHECK_OK(status, err);
    const crank_node *definitions = find(document.root, "definitions");
    check_references(document.root, definitions);
    const crank_node *spring = find(definitions, "force_spring_0");
    assert_string_equal(find(find(find(spring, "properties"), "type"), "const")->text,
                        "spring");
    assert_int_equal(find(spring, "required")->count, 2);
    (void)find(find(find(definitions, "mechanism"), "properties"), "assemblies");
    (void)find(find(find(definitions, "body"), "properties"), "rate");
    (void)find(find(find(definitions, "body"), "properties"), "orientation");
    (void)find(find(find(definitions, "simulate"), "properties"), "rtol");
    (void)find(find(find(definitions, "equations"), "properties"), "kinematics");
    crank_store_free(&store);
    crank_text_free(&text);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_names_every_key_and_type),
        cmocka_unit_test(the_schema_is_json_and_its_references_lead_somewhere),
    };
    return CHECK_RUN(argc, argv, tests);
}
