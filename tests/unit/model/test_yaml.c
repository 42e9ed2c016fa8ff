/* test_yaml.c - the tree of nodes and the places of its parts. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "model/yaml.h"

typedef struct fixture {
    crank_store store;
    crank_document document;
    crank_error err;
} fixture;

static crank_status read_text(fixture *f, const char *text)
{
    *f = (fixture){0};
    return crank_yaml_read(text, strlen(text), &f->store, &f->document, &f->err);
}

static void refuse_text(const char *text, int line, int column, const char *message)
{
    fixture f;
    CHECK_STATUS(read_text(&f, text), CRANK_ESYNTAX);
    assert_string_equal(f.err.text, message);
    assert_int_equal(f.err.line, line);
    assert_int_equal(f.err.column, column);
    crank_store_free(&f.store);
}

static void tree_has_the_shape_and_places_of_the_text(void **state)
{
    fixture f;
    CHECK_OK(read_text(&f, "a: 1\nb:\n  - x + y\n  - {c: 'd e', f: }\n"), f.err);
    const crank_node *root = f.document.root;
    assert_int_equal(root->kind, CRANK_NODE_MAPPING);
    assert_int_equal(root->count, 2);
    assert_string_equal(crank_node_find(root, "a")->text, "1");
    const crank_node *b = crank_node_find(root, "b");
    assert_int_equal(b->kind, CRANK_NODE_SEQUENCE);
    assert_string_equal(b->item[0]->text, "x + y");
    assert_int_equal(b->item[0]->line, 3);
    assert_int_equal(b->item[0]->column, 5);
    const crank_node *c = crank_node_find(b->item[1], "c");
    assert_true(c->quoted);
    assert_string_equal(c->text, "d e");
    assert_true(crank_node_is_empty(crank_node_find(b->item[1], "f")));
    assert_null(crank_node_find(root, "z"));
    crank_store_free(&f.store);
}

static void json_is_read_as_well(void **state)
{
    fixture f;
    CHECK_OK(read_text(&f, "{\"a\": [1, 2.5e-3], \"b\": {\"c\": \"x*y\"}}"), f.err);
    const crank_node *a = crank_node_find(f.document.root, "a");
    assert_int_equal(a->count, 2);
    assert_string_equal(a->item[1]->text, "2.5e-3");
    crank_store_free(&f.store);
}

static void aliases_share_the_anchored_node(void **state)
{
    fixture f;
    CHECK_OK(read_text(&f, "a: &m [1, 2]\nb: *m\n"), f.err);
    assert_ptr_equal(crank_node_find(f.document.root, "a"),
                     crank_node_find(f.document.root, "b"));
    crank_store_free(&f.store);
}

static void cyclic_and_dangling_aliases_are_refused(void **state)
{
    refuse_text("a: &m [1, *m]\n", 1, 11, "alias \"*m\" contains itself");
    refuse_text("a: *m\n", 1, 4, "alias \"*m\" has no anchor");
}

static void duplicate_keys_are_refused_with_both_lines(void **state)
{
    refuse_text("a: 1\nb: 2\na: 3\n", 3, 1, "\"a\" is given twice, first in line 1");
}

static void collections_as_keys_are_refused(void **state)
{
    refuse_text("? [1, 2]\n: 3\n", 1, 3, "a list as the key of a mapping");
}

static void deep_nesting_is_refused(void **state)
{
    char text[200];
    memset(text, '[', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    fixture f;
    CHECK_STATUS(read_text(&f, text), CRANK_ESYNTAX);
    CHECK_CONTAINS(f.err.text, "nested more than 64 levels");
    crank_store_free(&f.store);
}

static void binary_files_are_refused(void **state)
{
    fixture f = {0};
    CHECK_STATUS(crank_yaml_read("a: \0b", 5, &f.store, &f.document, &f.err), CRANK_ESYNTAX);
    CHECK_CONTAINS(f.err.text, "not a text file");
    crank_store_free(&f.store);
    CHECK_STATUS(read_text(&f, "a: \xff\xfe\n"), CRANK_ESYNTAX);
    CHECK_CONTAINS(f.err.text, "not a text file");
    crank_store_free(&f.store);
    CHECK_STATUS(read_text(&f, "a: \"\\0\"\n"), CRANK_ESYNTAX);
    CHECK_CONTAINS(f.err.text, "zero character");
    crank_store_free(&f.store);
}

static void empty_texts_have_no_root(void **state)
{
    fixture f;
    CHECK_OK(read_text(&f, ""), f.err);
    assert_null(f.document.root);
    crank_store_free(&f.store);
    CHECK_OK(read_text(&f, "# only a remark\n"), f.err);
    assert_null(f.document.root);
    crank_store_free(&f.store);
}

static void a_second_document_is_refused(void **state)
{
    refuse_text("a: 1\n---\nb: 2\n", 2, 1, "a second document in the file; one is allowed");
}

static void bad_yaml_is_refused_with_its_place(void **state)
{
    fixture f;
    CHECK_STATUS(read_text(&f, "a: {b: 1\nc: 2\n"), CRANK_ESYNTAX);
    CHECK_CONTAINS(f.err.text, "YAML: ");
    assert_int_equal(f.err.line, 2);
    crank_store_free(&f.store);
}

static void commas_within_calls_ask_for_quotes(void **state)
{
    refuse_text(
        "a: [min(x, y), 1]\n", 1, 5,
        "\"min(x\": the parentheses do not match; between { } or [ ] an expression with a "
        "comma or with braces needs quotes");
    fixture f;
    CHECK_OK(read_text(&f, "a: ['min(x, y)', 1]\nb: min(x, y)\n"), f.err);
    assert_int_equal(crank_node_find(f.document.root, "a")->count, 2);
    assert_string_equal(crank_node_find(f.document.root, "b")->text, "min(x, y)");
    crank_store_free(&f.store);
}

static void places_within_scalars_are_found(void **state)
{
    fixture f;
    int line = 0, column = 0;
    CHECK_OK(read_text(&f, "a: x +\n   yy\nb: 'p + q'\nc: |\n  u +\n   vv\nd: \xc3\xa4 + z\n"),
             f.err);
    const crank_node *root = f.document.root;
    crank_node_locate(&f.document, crank_node_find(root, "a"), 4, &line, &column); /* x + yy */
    assert_int_equal(line, 2);
    assert_int_equal(column, 4);
    crank_node_locate(&f.document, crank_node_find(root, "b"), 4, &line, &column);
    assert_int_equal(line, 3);
    assert_int_equal(column, 9);
    crank_node_locate(&f.document, crank_node_find(root, "c"), 5, &line,
                      &column); /* u +\n vv */
    assert_int_equal(line, 6);
    assert_int_equal(column, 4);
    crank_node_locate(&f.document, crank_node_find(root, "d"), 4, &line, &column);
    assert_int_equal(line, 7);
    assert_int_equal(column, 8);
    crank_store_free(&f.store);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tree_has_the_shape_and_places_of_the_text),
        cmocka_unit_test(json_is_read_as_well),
        cmocka_unit_test(aliases_share_the_anchored_node),
        cmocka_unit_test(cyclic_and_dangling_aliases_are_refused),
        cmocka_unit_test(duplicate_keys_are_refused_with_both_lines),
        cmocka_unit_test(collections_as_keys_are_refused),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(binary_files_are_refused),
        cmocka_unit_test(empty_texts_have_no_root),
        cmocka_unit_test(a_second_document_is_refused),
        cmocka_unit_test(bad_yaml_is_refused_with_its_place),
        cmocka_unit_test(commas_within_calls_ask_for_quotes),
        cmocka_unit_test(places_within_scalars_are_found),
    };
    return CHECK_RUN(argc, argv, tests);
}
