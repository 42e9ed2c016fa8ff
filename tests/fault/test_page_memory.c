/* test_page_memory.c - whichever allocation fails while a page is written: either it is written
 * nevertheless (stdio can do without buffers), or the failure is told and the old page stays.
 * Nothing leaks (the address sanitizer sees leaks). */
// SPDX-License-Identifier: BSD-3-Clause
#include "fault/allocation_counter.h"
#include "unit/report/page_reader.h"

static void write_survives(const crank_page *page, const crank_table *table, const scratch *s)
{
    for (int64_t n = 0;; n++) {
        crank_error err = {0};
        scratch_write(s, "old", 3);
        allocation_counter_fail(n);
        const crank_status status = crank_page_write(page, table, s->path, NULL, &err);
        const bool failed = allocation_counter_failed();
        char *text = scratch_read(s);
        if (status == CRANK_OK) {
            check_column(text, "c1", table->values + table->rows, false);
            CHECK_CONTAINS(text, "viewer</script></body></html>");
        } else {
            assert_true(failed);
            assert_true(status == CRANK_EMEM || status == CRANK_EFILE);
            assert_true(err.text[0] != '\0');
            assert_string_equal(text, "old");
        }
        free(text);
        if (!failed) {
            CHECK_OK(status, err);
            assert_true(
                n >=
                10); /* template, columns, order, blocks, names, two buffers, index, paths */
            return;
        }
    }
}

static void page_survives_lack_of_memory(void **state)
{
    made_table m;
    scratch s, template;
    make_table(&m, 3, 50);
    for (int i = 0; i < 50; i++) {
        table_column(&m, 1)[i] = sin(0.1 * i);
    }
    scratch_open(&s, "page.html");
    scratch_open(&template, "template.html");
    scratch_write(&template, reader_template, strlen(reader_template));
    crank_page page = crank_page_default();
    page.template_path = template.path;
    page.scene = "{\"bodies\": [{\"pose\": {\"x\": \"c1\"}}]}";
    write_survives(&page, &m.table, &s);
    scratch_close(&template);
    scratch_close(&s);
    assert_int_not_equal(access(s.directory, F_OK), 0); /* no part of a page was left */
    free(m.table.values);
}

static void scene_from_names_survives_lack_of_memory(void **state)
{
    made_table m;
    make_table(&m, 3, 5);
    (void)snprintf(m.text[1], sizeof m.text[1], "body.a.x");
    (void)snprintf(m.text[2], sizeof m.text[2], "body.a.y");
    for (int64_t n = 0;; n++) {
        crank_error err = {0};
        char *scene = NULL;
        allocation_counter_fail(n);
        const crank_status status = crank_page_scene_from_names(&m.table, &scene, &err);
        const bool failed = allocation_counter_failed();
        assert_true(status == CRANK_OK || (failed && status == CRANK_EMEM));
        assert_true((scene != NULL) == (status == CRANK_OK));
        if (scene != NULL) {
            CHECK_CONTAINS(scene, "\"follow\": null}");
        }
        free(scene);
        if (!failed) {
            assert_true(n >= 3);
            break;
        }
    }
    free(m.table.values);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(page_survives_lack_of_memory),
        cmocka_unit_test(scene_from_names_survives_lack_of_memory),
    };
    return CHECK_RUN(argc, argv, tests);
}
