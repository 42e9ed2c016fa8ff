/* test_page_json.c - JSON and HTML of pages: hostile texts stay texts, wrong scenes are
 * refused; scenes from names. */
// SPDX-License-Identifier: BSD-3-Clause
#include "page_reader.h"

#include "report/json.h"

/* What a writer puts into a file; to be freed. */
static char *written(void (*write)(FILE *file, const char *text), const char *text)
{
    char *out = NULL;
    size_t length;
    FILE *file = open_memstream(&out, &length);
    assert_non_null(file);
    write(file, text);
    assert_int_equal(fclose(file), 0);
    return out;
}

static void check_written(void (*write)(FILE *file, const char *text), const char *text,
                          const char *expected)
{
    char *out = written(write, text);
    assert_string_equal(out, expected);
    free(out);
}

static void texts_are_escaped_in_html(void **state)
{
    check_written(crank_html_text, "</title><script>&amp;",
                  "&lt;/title&gt;&lt;script&gt;&amp;amp;");
    check_written(crank_html_text, "a\x01\xffz", "a\xef\xbf\xbd\xef\xbf\xbdz");
}

static void accept(const char *text)
{
    crank_error err = {0};
    CHECK_OK(crank_json_read(text, NULL, NULL, &err), err);
}

static void refuse(const char *text, const char *says)
{
    crank_error err = {0};
    CHECK_STATUS(crank_json_read(text, NULL, NULL, &err), CRANK_ESYNTAX);
    CHECK_CONTAINS(err.text, says);
}

static void json_is_read_strictly(void **state)
{
    accept("{}");
    accept(" { \"a\" : [ ] , \"b\":[1,-0,0.5,1e5,-1.25E-3,true,false,null,\"\\u00e9\\n\"], "
           "\"c\":{\"d\":{}} } ");
    refuse("", "no object at byte 1");
    refuse("[]", "no object");
    refuse("{", "no key at byte 2");
    refuse("{\"a\"}", "no colon");
    refuse("{\"a\":}", "fits nowhere");
    refuse("{\"a\":1,}", "no key");
    refuse("{\"a\":[1,]}", "fits nowhere");
    refuse("{\"a\":[1 2]}", "no comma");
    refuse("{\"a\":[1}}", "no comma");
    refuse("{\"a\":01}", "no comma");
    refuse("{\"a\":1.}", "wrong number");
    refuse("{\"a\":-}", "wrong number");
    refuse("{\"a\":1e}", "wrong number");
    refuse("{\"a\":NaN}", "fits nowhere");
    refuse("{\"a\":'b'}", "fits nowhere");
    refuse("{\"a\":\"b", "without end");
    refuse("{\"a\":\"b\n\"}", "control character");
    refuse("{\"a\":\"\\x\"}", "unknown escape");
    refuse("{\"a\":\"\\u12g4\"}", "wrong \\u");
    refuse("{\"a\":\"\\u0000\"}", "character 0");
    refuse("{\"a\":[", "early end");
    refuse("{} {}", "more than one value");
    refuse("{}</script>", "more than one value");
}

static void deep_json_is_refused(void **state)
{
    char text[300] = "{\"a\":";
    memset(text + 5, '[', 200);
    refuse(text, "nested too deeply");
}

typedef struct seen {
    int opened, closed;
    char keys[64], strings[64];
} seen;

static void look(void *user, crank_json_event event, const char *text)
{
    seen *s = user;
    if (event == CRANK_JSON_OPEN || event == CRANK_JSON_CLOSE) {
        s->opened += event == CRANK_JSON_OPEN ? 1 : 0;
        s->closed += event == CRANK_JSON_CLOSE ? 1 : 0;
        return;
    }
    char *list = event == CRANK_JSON_KEY ? s->keys : s->strings;
    (void)snprintf(list + strlen(list), 64 - strlen(list), "%s|", text);
}

static void keys_and_strings_are_told_without_escapes(void **state)
{
    seen s = {0};
    crank_error err = {0};
    CHECK_OK(crank_json_read("{\"k\\u0065y\": [\"a\\/\\\"\\\\\", {\"b\": "
                             "\"\\ud83d\\ude00\\ud800x\"}], \"c\": 1}",
                             look, &s, &err),
             err);
    assert_string_equal(s.keys, "key|b|c|");
    assert_string_equal(s.strings,
                        "a/\"\\|\xf0\x9f\x98\x80\xef\xbf\xbdx|1|"); /* 1 as it stands */
    assert_int_equal(s.opened, 3);
    assert_int_equal(s.closed, 3);
}

static void hostile_names_titles_and_scenes_never_appear_as_markup(void **state)
{
    static char name[] = "</script><script>alert(1)</script><!--", unit[] = "<b>&\"'",
                description[] = "]]>--><img src=x onerror=alert(1)>\xe2\x80\xa8";
    made_table m;
    make_table(&m, 2, 3);
    m.names[1] = name;
    m.units[1] = unit;
    m.descriptions[1] = description;
    m.table.model = name;
    m.table.method = name;
    crank_page page = crank_page_default();
    page.title = "</title><script>alert(2)</script>";
    page.scene = "{\"name\": \"</script><script>alert(3)</script><!--\"}";
    char *text = page_text(page, &m.table, NULL);
    const char *end = strstr(text, "<script>viewer");
    assert_non_null(end);
    assert_ptr_equal(strstr(text, "<script>"),
                     end); /* the template's own is the only one that runs */
    assert_null(strstr(text, "<img"));
    assert_null(strstr(text, "<!--"));
    assert_null(strstr(text, "\xe2\x80\xa8"));
    CHECK_CONTAINS(text, "<title>&lt;/title&gt;&lt;script&gt;alert(2)&lt;/script&gt;</title>");
    CHECK_CONTAINS(text, "\"\\u003c/script\\u003e\\u003cscript\\u003ealert(1)");
    CHECK_CONTAINS(text, "{\"name\": \"\\u003c/script\\u003e\\u003cscript\\u003ealert(3)");
    free(text);
    free(m.table.values);
}

static void paths_of_models_are_shown_without_directories(void **state)
{
    static char model[] = "/home/someone/a.yaml";
    made_table m;
    make_table(&m, 1, 3);
    m.table.model = model;
    char *text = page_text(crank_page_default(), &m.table, NULL);
    CHECK_CONTAINS(text, "\"model\": \"a.yaml\"");
    assert_null(strstr(text, "someone"));
    free(text);
    free(m.table.values);
}

static void rename_columns(made_table *m, const char *const *names)
{
    for (int j = 0; names[j] != NULL; j++) {
        (void)snprintf(m->text[j], sizeof m->text[j], "%s", names[j]);
    }
}

static void scenes_are_made_from_names_of_columns(void **state)
{
    static const char *const names[] = {
        "time",     "body.a.x", "body.a.y", "body.a.angle", "body.a.b.x", "body.a.b.y",
        "body.c.x", "energy",   "body..x",  "notbody.a.vx", NULL};
    made_table m;
    crank_error err = {0};
    char *scene;
    make_table(&m, 10, 3);
    rename_columns(&m, names);
    table_column(&m, 1)[0] = 1.0;
    table_column(&m, 4)[0] = 3.0;
    CHECK_OK(crank_page_scene_from_names(&m.table, &scene, &err), err);
    accept(scene);
    CHECK_CONTAINS(scene, "\"dimension\": 2, \"up\": [0, 1, 0], \"size\": 2, \"scale\": 2, "
                          "\"center\": [2, 0, 0]");
    CHECK_CONTAINS(scene,
                   "{\"name\": \"a\", \"pose\": {\"x\": \"body.a.x\", \"y\": \"body.a.y\", "
                   "\"angle\": \"body.a.angle\"}");
    CHECK_CONTAINS(
        scene, "{\"name\": \"a.b\", \"pose\": {\"x\": \"body.a.b.x\", \"y\": \"body.a.b.y\"}");
    assert_null(strstr(scene, "body.c.x")); /* without y it has no place */
    free(scene);
    free(m.table.values);
}

static void spatial_scenes_have_quaternions_and_three_axes(void **state)
{
    static const char *const names[] = {"time",      "body.a.x",  "body.a.y",
                                        "body.a.z",  "body.a.q0", "body.a.q1",
                                        "body.a.q2", "body.a.q3", NULL};
    made_table m;
    crank_error err = {0};
    char *scene;
    make_table(&m, 8, 2);
    rename_columns(&m, names);
    table_column(&m, 3)[1] = 4.0; /* moves by 4 m, starts in one point */
    CHECK_OK(crank_page_scene_from_names(&m.table, &scene, &err), err);
    CHECK_CONTAINS(scene, "\"dimension\": 3, \"up\": [0, 0, 1], \"size\": 4, \"scale\": 4");
    CHECK_CONTAINS(scene, "\"q3\": \"body.a.q3\"}");
    CHECK_CONTAINS(scene, "#1f77b4");
    free(scene);
    free(m.table.values);
}

static void results_without_bodies_have_no_scene_from_names(void **state)
{
    made_table m;
    crank_error err = {0};
    char *scene;
    make_table(&m, 3, 2);
    CHECK_OK(crank_page_scene_from_names(&m.table, &scene, &err), err);
    assert_null(scene);
    free(m.table.values);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_escaped_in_html),
        cmocka_unit_test(json_is_read_strictly),
        cmocka_unit_test(deep_json_is_refused),
        cmocka_unit_test(keys_and_strings_are_told_without_escapes),
        cmocka_unit_test(hostile_names_titles_and_scenes_never_appear_as_markup),
        cmocka_unit_test(paths_of_models_are_shown_without_directories),
        cmocka_unit_test(scenes_are_made_from_names_of_columns),
        cmocka_unit_test(spatial_scenes_have_quaternions_and_three_axes),
        cmocka_unit_test(results_without_bodies_have_no_scene_from_names),
    };
    return CHECK_RUN(argc, argv, tests);
}
