/* test_compile.c - generated C: its text, that strict compilers take it, that it computes
 * what the tape computes; the cache of compiled sources and its failures. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "sample_ex.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct scratch {
    char directory[64];
    crank_pool *pool;
    crank_text text;
    char message[600]; /* the last that was logged */
} scratch;

static int setup(void **state)
{
    static scratch s;
    s = (scratch){.directory = "/tmp/crank-test-XXXXXX"};
    s.pool = crank_pool_create();
    *state = &s;
    return s.pool == NULL || mkdtemp(s.directory) == NULL;
}

/* Calls visit for every file in the directory. Returns their number. */
static int each_file(const char *directory, void visit(const char *path))
{
    DIR *d = opendir(directory);
    int count = 0;
    for (struct dirent *entry; d != NULL && (entry = readdir(d)) != NULL;) {
        char path[800];
        if (entry->d_name[0] != '.') {
            (void)snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
            count++;
            if (visit != NULL) {
                visit(path);
            }
        }
    }
    if (d != NULL) {
        closedir(d);
    }
    return count;
}

static void remove_file(const char *path)
{
    (void)remove(path);
}

static int teardown(void **state)
{
    scratch *s = *state;
    crank_pool_destroy(s->pool);
    crank_text_free(&s->text);
    (void)chmod(s->directory, S_IRWXU);
    each_file(s->directory, remove_file);
    (void)rmdir(s->directory);
    return 0;
}

static crank_ex parse(crank_pool *pool, const char *text)
{
    crank_error err;
    crank_ex e = -1;
    CHECK_OK(crank_ex_parse(pool, text, 1, 1, NULL, NULL, &e, &err), err);
    return e;
}

static void keep_message(crank_level level, const char *text, void *user)
{
    scratch *s = user;
    assert_int_equal(level, CRANK_INFO);
    (void)snprintf(s->message, sizeof s->message, "%s", text);
}

static crank_compiled *load(scratch *s)
{
    crank_error err;
    crank_compiled *compiled = NULL;
    const crank_log log = {keep_message, s};
    s->message[0] = '\0';
    assert_false(s->text.failed);
    CHECK_OK(crank_compiled_load(s->text.data, s->directory, log, &compiled, &err), err);
    return compiled;
}

static void text_of_a_function_is_as_expected(void **state)
{
    scratch *s = *state;
    const crank_ex in[2] = {parse(s->pool, "x"), parse(s->pool, "y")};
    const crank_ex out[4] = {parse(s->pool, "sin(x*y) - 2*(x*y)"), parse(s->pool, "x^2 + 0.1"),
                             parse(s->pool, "7"), parse(s->pool, "if(x < y, max(x, 1), x^5)")};
    crank_emit_c(&s->text, s->pool, "model", 2, in, 4, out);
    assert_string_equal(s->text.data,
                        "\n"
                        "void model(const double *in, double *out);\n"
                        "void model(const double *restrict in, double *restrict out)\n"
                        "{\n"
                        "    const double x0 = (in[0]*in[1]);\n"
                        "    out[0] = (sin(x0) + ((-2.0)*x0));\n"
                        "    out[1] = (0.10000000000000001 + (in[0]*in[0]));\n"
                        "    out[2] = 7.0;\n"
                        "    out[3] = ((in[0] < in[1]) ? crank_max(in[0], 1.0) : "
                        "crank_power(in[0], 5));\n"
                        "}\n");
}

/* All kinds of expressions, several functions in one file; also compiled as the style asks
 * for. */
static void generated_code_passes_strict_compilers(void **state)
{
    scratch *s = *state;
    uint64_t seed = 23;
    crank_ex list[SAMPLE_NODES];
    crank_emit_c_prelude(&s->text);
    for (int i = 0; i < 3; i++) {
        char name[20];
        sample_list(s->pool, &seed, false, list);
        (void)snprintf(name, sizeof name, "f%d", i);
        crank_emit_c(&s->text, s->pool, name, SAMPLE_SYMBOLS, list, SAMPLE_NODES, list);
    }
    const crank_ex constant = parse(s->pool, "1/0");
    crank_emit_c(&s->text, s->pool, "constant", 0, NULL, 1, &constant);
    crank_emit_c(&s->text, s->pool, "nothing", 0, NULL, 0, NULL);
    assert_false(s->text.failed);
    char path[200];
    char command[600];
    (void)snprintf(path, sizeof path, "%s/strict.c", s->directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(s->text.data, file) >= 0);
    assert_int_equal(fclose(file), 0);
    (void)snprintf(command, sizeof command,
                   "cc -std=c99 -pedantic-errors -Wall -Wextra -Werror -Wmissing-prototypes "
                   "-Wconversion -c -o %s/strict.o %s",
                   s->directory, path);
    assert_int_equal(system(command), 0);
}

static void compiled_code_agrees_with_the_tape(void **state)
{
    scratch *s = *state;
    enum { FUNCTIONS = 20 };
    uint64_t seed = 29;
    crank_ex list[FUNCTIONS][SAMPLE_NODES];
    char name[20];
    crank_emit_c_prelude(&s->text);
    for (int f = 0; f < FUNCTIONS; f++) {
        sample_list(s->pool, &seed, false, list[f]);
        (void)snprintf(name, sizeof name, "f%d", f);
        crank_emit_c(&s->text, s->pool, name, SAMPLE_SYMBOLS, list[f], SAMPLE_NODES, list[f]);
    }
    crank_compiled *compiled = load(s);
    assert_null(crank_compiled_find(compiled, "no_such_function"));
    for (int f = 0; f < FUNCTIONS; f++) {
        crank_error err;
        crank_tape *tape;
        double in[SAMPLE_SYMBOLS];
        double fast[SAMPLE_NODES];
        double slow[SAMPLE_NODES];
        double work[400];
        CHECK_OK(crank_tape_create(s->pool, SAMPLE_SYMBOLS, list[f], SAMPLE_NODES, list[f],
                                   &tape, &err),
                 err);
        assert_true(crank_tape_work_size(tape, 1) <= 400);
        (void)snprintf(name, sizeof name, "f%d", f);
        crank_compiled_fn *function = crank_compiled_find(compiled, name);
        assert_non_null(function);
        for (int trial = 0; trial < 10; trial++) {
            for (int i = 0; i < SAMPLE_SYMBOLS; i++) {
                in[i] = sample_uniform(&seed, -2.0, 2.0);
            }
            crank_tape_evaluate(tape, 1, in, SAMPLE_SYMBOLS, slow, SAMPLE_NODES, work);
            function(in, fast);
            for (int i = 0; i < SAMPLE_NODES; i++) { /* same operations: equal up to libm */
                CHECK_NEAR(fast[i], slow[i], 1e-13 * (1.0 + fabs(slow[i])));
            }
        }
        crank_tape_destroy(tape);
    }
    crank_compiled_unload(compiled);
}

static void deep_expressions_are_cut_into_statements(void **state)
{
    scratch *s = *state;
    const crank_ex x = parse(s->pool, "x");
    crank_ex e = x;
    for (int i = 0; i < 2000; i++) {
        e = crank_ex_call(s->pool, CRANK_EX_ATAN, e, 0, 0);
        e = crank_ex_neg(s->pool, crank_ex_add(s->pool, e, crank_ex_number(s->pool, 0.5)));
    }
    crank_emit_c_prelude(&s->text);
    crank_emit_c(&s->text, s->pool, "deep", 1, &x, 1, &e);
    crank_compiled *compiled = load(s);
    const double in = 0.3;
    double out;
    crank_compiled_find(compiled, "deep")(&in, &out);
    double expected = in;
    for (int i = 0; i < 2000; i++) {
        expected = -(atan(expected) + 0.5);
    }
    CHECK_NEAR(out, expected, 1e-14);
    crank_compiled_unload(compiled);
}

static void a_second_load_comes_from_the_cache(void **state)
{
    scratch *s = *state;
    const crank_ex x = parse(s->pool, "x");
    crank_emit_c_prelude(&s->text);
    crank_emit_c(&s->text, s->pool, "same", 1, &x, 1, &x);
    crank_compiled_unload(load(s));
    CHECK_CONTAINS(s->message, "compiled the model in");
    CHECK_CONTAINS(s->message, s->directory);
    assert_int_equal(each_file(s->directory, NULL), 2);
    crank_compiled_unload(load(s));
    assert_string_equal(s->message, "");
    crank_text_append(&s->text, "/* another source */\n");
    crank_compiled_unload(load(s));
    CHECK_CONTAINS(s->message, "compiled the model in");
    assert_int_equal(each_file(s->directory, NULL), 4);
}

static void spoil_source(const char *path)
{
    if (strstr(path, ".c") != NULL) {
        FILE *file = fopen(path, "a");
        assert_non_null(file);
        assert_true(fputs("x", file) >= 0);
        assert_int_equal(fclose(file), 0);
    }
}

static void open_object(const char *path)
{
    if (strstr(path, ".so") != NULL) {
        assert_int_equal(chmod(path, 0777), 0);
    }
}

static void doubtful_cache_entries_are_made_anew(void **state)
{
    scratch *s = *state;
    const crank_ex x = parse(s->pool, "x");
    crank_emit_c_prelude(&s->text);
    crank_emit_c(&s->text, s->pool, "same", 1, &x, 1, &x);
    crank_compiled_unload(load(s));
    each_file(s->directory, spoil_source);
    crank_compiled_unload(load(s));
    CHECK_CONTAINS(s->message, "compiled the model in");
    each_file(s->directory, open_object);
    crank_compiled_unload(load(s));
    CHECK_CONTAINS(s->message, "compiled the model in");
    assert_int_equal(each_file(s->directory, NULL), 2);
}

static void the_cache_directory_is_made(void **state)
{
    scratch *s = *state;
    char deep[200];
    crank_error err;
    crank_compiled *compiled;
    (void)snprintf(deep, sizeof deep, "%s/a/b", s->directory);
    CHECK_OK(crank_compiled_load("int unused;\n", deep, (crank_log){0}, &compiled, &err), err);
    crank_compiled_unload(compiled);
    assert_int_equal(each_file(deep, remove_file), 2);
    assert_int_equal(rmdir(deep), 0);
}

static void a_failing_compiler_is_quoted(void **state)
{
    scratch *s = *state;
    crank_error err;
    crank_compiled *compiled;
    const char *source = "int x = 1;\nint f(void) { return y; }\n";
    CHECK_STATUS(crank_compiled_load(source, s->directory, (crank_log){0}, &compiled, &err),
                 CRANK_ECOMPILE);
    assert_null(compiled);
    CHECK_CONTAINS(err.text, "the C compiler failed: ");
    CHECK_CONTAINS(err.text, "error");
    CHECK_CONTAINS(err.text, "y");
    assert_int_equal(each_file(s->directory, NULL), 0); /* nothing is left behind */
}

static void an_unusable_cache_is_reported(void **state)
{
    scratch *s = *state;
    char path[200];
    crank_error err;
    crank_compiled *compiled;
    (void)snprintf(path, sizeof path, "%s/file", s->directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    (void)snprintf(path, sizeof path, "%s/file/below", s->directory);
    CHECK_STATUS(crank_compiled_load("int x;\n", path, (crank_log){0}, &compiled, &err),
                 CRANK_ECOMPILE);
    CHECK_CONTAINS(err.text, "cannot make the cache directory");
    if (geteuid() != 0) { /* root may write everywhere */
        assert_int_equal(chmod(s->directory, S_IRUSR | S_IXUSR), 0);
        CHECK_STATUS(
            crank_compiled_load("int x;\n", s->directory, (crank_log){0}, &compiled, &err),
            CRANK_ECOMPILE);
        CHECK_CONTAINS(err.text, "cannot write in the cache directory");
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(text_of_a_function_is_as_expected, setup, teardown),
        cmocka_unit_test_setup_teardown(generated_code_passes_strict_compilers, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(compiled_code_agrees_with_the_tape, setup, teardown),
        cmocka_unit_test_setup_teardown(deep_expressions_are_cut_into_statements, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_second_load_comes_from_the_cache, setup, teardown),
        cmocka_unit_test_setup_teardown(doubtful_cache_entries_are_made_anew, setup, teardown),
        cmocka_unit_test_setup_teardown(the_cache_directory_is_made, setup, teardown),
        cmocka_unit_test_setup_teardown(a_failing_compiler_is_quoted, setup, teardown),
        cmocka_unit_test_setup_teardown(an_unusable_cache_is_reported, setup, teardown),
    };
    return CHECK_RUN(argc, argv, tests);
}
