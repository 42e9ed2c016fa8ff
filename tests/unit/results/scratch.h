/* scratch.h - a temporary directory for tests that write files, and whole files as text. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_SCRATCH_H
#define CRANK_TESTS_SCRATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct scratch {
    char directory[64];
    char path[128]; /* of the one file in it */
} scratch;

static inline void scratch_open(scratch *s, const char *name)
{
    (void)snprintf(s->directory, sizeof s->directory, "/tmp/crank-test-XXXXXX");
    assert_non_null(mkdtemp(s->directory));
    (void)snprintf(s->path, sizeof s->path, "%s/%s", s->directory, name);
}

static inline void scratch_close(const scratch *s)
{
    static const char *const beside[] = {"", ".rows", ".part"}; /* what a result may leave */
    char path[160];
    for (int i = 0; i < 3; i++) {
        (void)snprintf(path, sizeof path, "%s%s", s->path, beside[i]);
        (void)unlink(path);
    }
    (void)rmdir(s->directory);
}

/* The file as text; free it. */
static inline char *scratch_read(const scratch *s)
{
    enum { LIMIT = 1 << 22 };
    FILE *file = fopen(s->path, "rb");
    char *text = calloc(1, LIMIT);
    assert_non_null(file);
    assert_non_null(text);
    assert_true(fread(text, 1, LIMIT - 1, file) < LIMIT - 1);
    (void)fclose(file);
    return text;
}

static inline void scratch_write(const scratch *s, const char *text, size_t length)
{
    FILE *file = fopen(s->path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    (void)fclose(file);
}

#endif
