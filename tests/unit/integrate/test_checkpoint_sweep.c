/* test_checkpoint_sweep.c - relays over all model files with every method, dense and sparse.
 * Combinations that are refused at the start are left out and counted. MODEL_FILES: the files,
 * separated by spaces. Arguments I N: only the I-th part (from 0) of N, which shares out the
 * methods. */
// SPDX-License-Identifier: BSD-3-Clause
#include "legs.h"

enum { STEPS = 12, PATH = 200 };

typedef struct share {
    long part, of;
} share;

static bool admitted(const leg *l)
{
    relay_runner runner;
    crank_run *run = NULL;
    crank_error err = {0};
    if (leg_run(l, &run, &err) == CRANK_EREFUSED) {
        return false;
    }
    crank_run_close(run);
    const relay r = leg_relay(l);
    const bool fine = relay_try(&r, &runner, &err) == CRANK_OK;
    relay_drop(&r, &runner);
    return fine;
}

/* the next word of a list; false: no more */
static bool next_path(const char **list, char *path)
{
    *list += strspn(*list, " ");
    const size_t length = strcspn(*list, " ");
    assert_true(length < PATH);
    memcpy(path, *list, length);
    path[length] = '\0';
    *list += length;
    return length > 0;
}

/* for a method whose name has a dash */
static bool is_another_name(const char *method)
{
    return strchr(method, '-') == NULL && strcmp(method, "geoms") != 0 &&
           strcmp(method, "auto") != 0;
}

static void all_models_and_methods_continue_bit_for_bit(void **state)
{
    const share *mine = *state;
    static const char *const algebra[] = {"linear_algebra=dense", "linear_algebra=sparse"};
    const char *list = MODEL_FILES;
    char path[PATH];
    int checked = 0, left_out = 0;
    while (next_path(&list, path)) {
        const char *method, *help;
        for (int m = 0; crank_method_describe(m, &method, &help); m++) {
            if (m % mine->of != mine->part || is_another_name(method)) {
                continue;
            }
            for (int a = 0; a < 2; a++) {
                const leg l = {.path = path,
                               .method = method,
                               .option = {algebra[a]},
                               .steps = STEPS,
                               .ends_in_failure = true};
                if (admitted(&l)) {
                    (void)legs_check(&l, 1);
                    checked++;
                } else {
                    left_out++;
                }
            }
        }
    }
    print_message("%d combinations continue bit for bit, %d are not admitted\n", checked,
                  left_out);
    assert_true(checked > 60 / mine->of);
}

int main(int argc, char **argv)
{
    share mine = {argc > 2 ? strtol(argv[1], NULL, 10) : 0,
                  argc > 2 ? strtol(argv[2], NULL, 10) : 1};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(all_models_and_methods_continue_bit_for_bit, &mine),
    };
    return CHECK_RUN(0, argv, tests);
}
