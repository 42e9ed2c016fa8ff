/* test_killed.c - writers that are killed at any moment: what they had flushed is readable,
 * only complete rows are there, and the result can be continued. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "scratch.h"

#include <crank/results.h>

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

enum { COLUMNS = 7, KILLS = 35 };

static const crank_column columns[COLUMNS] = {{.name = "time", .unit = "s"},
                                              {.name = "a"},
                                              {.name = "b", .unit = "m"},
                                              {.name = "c"},
                                              {.name = "d"},
                                              {.name = "e"},
                                              {.name = "f"}};

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static double value(int row, int column)
{
    return column == 0 ? row : 1.0 / (row + 1.0) + column * 0.1;
}

static crank_status put_row(crank_recorder *recorder, int i, crank_error *err)
{
    double row[COLUMNS];
    for (int j = 0; j < COLUMNS; j++) {
        row[j] = value(i, j);
    }
    return crank_recorder_write(recorder, row, err);
}

/* Writes until it is killed; *flushed counts the rows that it knows to have arrived, -1: none,
 * not even the file. */
static void write_for_ever(const char *path, int every, volatile int64_t *flushed)
{
    crank_recorder *recorder;
    if (crank_recorder_create(path, COLUMNS, columns, NULL, &recorder, NULL) != CRANK_OK) {
        _exit(1);
    }
    *flushed = 0;
    for (int i = 0; i < 100000000; i++) {
        if (put_row(recorder, i, NULL) != CRANK_OK) {
            _exit(1);
        }
        if (i % every == every - 1 && crank_recorder_flush(recorder, false, NULL) == CRANK_OK) {
            *flushed = i + 1;
        }
    }
    _exit(0);
}

static void check_table(const crank_table *table)
{
    assert_int_equal(table->columns, COLUMNS);
    for (int j = 0; j < COLUMNS; j++) {
        assert_string_equal(table->names[j], columns[j].name);
        for (int i = 0; i < table->rows; i++) {
            assert_true(table->values[(size_t)j * (size_t)table->rows + (size_t)i] ==
                        value(i, j));
        }
    }
}

static crank_table *read_checked(const char *path)
{
    crank_error err = {0};
    crank_table *table;
    CHECK_OK(crank_table_read(path, &table, &err), err);
    check_table(table);
    return table;
}

/* A writer of a file of that name, killed after some time; the rows that it had flushed. */
static int64_t kill_writer(const scratch *s, unsigned *random, volatile int64_t *flushed)
{
    const int every = 1 + (int)(next_random(random) % 600);
    const struct timespec later = {.tv_nsec = (long)(next_random(random) % 12000000)};
    const struct timespec moment = {.tv_nsec = 100000};
    *flushed = -1;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        write_for_ever(s->path, every, flushed);
    }
    int status;
    while (*flushed < 0) { /* a writer that ends by itself has failed */
        assert_int_equal(waitpid(child, &status, WNOHANG), 0);
        (void)nanosleep(&moment, NULL);
    }
    (void)nanosleep(&later, NULL);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    return *flushed;
}

static void kill_writers_of(const char *name, const char *readable)
{
    unsigned random = 4711;
    FILE *shared = tmpfile();
    assert_non_null(shared);
    assert_int_equal(ftruncate(fileno(shared), sizeof(int64_t)), 0);
    void *memory =
        mmap(NULL, sizeof(int64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fileno(shared), 0);
    assert_true(memory != MAP_FAILED);
    volatile int64_t *flushed = memory;
    int64_t total = 0;
    for (int k = 0; k < KILLS; k++) {
        scratch s;
        char path[160];
        crank_error err = {0};
        crank_recorder *recorder;
        scratch_open(&s, name);
        const int64_t arrived = kill_writer(&s, &random, flushed);
        (void)snprintf(path, sizeof path, "%s/%s", s.directory, readable);
        crank_table *table = read_checked(path);
        assert_true(table->rows >= arrived);
        crank_table_destroy(table);
        CHECK_OK(crank_recorder_reopen(s.path, arrived, NULL, COLUMNS, columns, NULL, &recorder,
                                       &err),
                 err);
        for (int i = 0; i < 3; i++) {
            CHECK_OK(put_row(recorder, (int)arrived + i, &err), err);
        }
        CHECK_OK(crank_recorder_close(recorder, &err), err);
        table = read_checked(s.path);
        assert_int_equal(table->rows, arrived + 3);
        assert_false(table->incomplete);
        crank_table_destroy(table);
        total += arrived;
        scratch_close(&s);
    }
    assert_true(total > KILLS); /* they did get to write something */
    (void)munmap(memory, sizeof(int64_t));
    (void)fclose(shared);
}

static void csv_of_a_killed_run_is_readable_and_goes_on(void **state)
{
    kill_writers_of("a.csv", "a.csv");
}

static void hdf5_of_a_killed_run_is_readable_and_goes_on(void **state)
{
    kill_writers_of("a.h5", "a.h5");
}

/* Every copy of a piece of metadata of that signature and size (HDF5 file format, extensible
 * array of filtered chunks of one unlimited dimension) lies in one page. */
static int check_pieces(const char *bytes, size_t length, const char *signature, size_t size)
{
    int count = 0;
    for (size_t i = 0; i + size <= length; i++) {
        if (memcmp(bytes + i, signature, 4) == 0) {
            assert_true(i / 4096 == (i + size - 1) / 4096);
            count++;
        }
    }
    return count;
}

static void what_a_kill_may_cut_in_hdf5_lies_within_pages(void **state)
{
    unsigned random = 815;
    for (int k = 0; k < 40; k++) {
        scratch s;
        crank_error err = {0};
        crank_recorder *recorder;
        const int every = 1 + (int)(next_random(&random) % 300);
        scratch_open(&s, "a.h5");
        CHECK_OK(crank_recorder_create(s.path, COLUMNS, columns, NULL, &recorder, &err), err);
        for (int i = 0; i < 700; i++) {
            CHECK_OK(put_row(recorder, i, &err), err);
            if (i % every == every - 1) {
                CHECK_OK(crank_recorder_flush(recorder, false, &err), err);
            }
        }
        CHECK_OK(crank_recorder_close(recorder, &err), err);
        FILE *file = fopen(s.path, "rb");
        assert_non_null(file);
        static char bytes[1 << 22];
        const size_t length = fread(bytes, 1, sizeof bytes, file);
        (void)fclose(file);
        assert_int_equal(check_pieces(bytes, length, "EAHD", 72), 1);
        assert_int_equal(check_pieces(bytes, length, "EAIB", 326), 1);
        scratch_close(&s);
    }
}

static void row_log_of_a_killed_run_is_readable_and_goes_on(void **state)
{
    kill_writers_of("a.mat", "a.mat.rows");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_of_a_killed_run_is_readable_and_goes_on),
        cmocka_unit_test(hdf5_of_a_killed_run_is_readable_and_goes_on),
        cmocka_unit_test(what_a_kill_may_cut_in_hdf5_lies_within_pages),
        cmocka_unit_test(row_log_of_a_killed_run_is_readable_and_goes_on),
    };
    return CHECK_RUN(argc, argv, tests);
}
