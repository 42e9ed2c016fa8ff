/* fuzz_model.c - any bytes given to the model reader: an error or a model, never a crash, a
 * hang or a leak.
 *
 * A model that is read is used: its columns at the start values, and, unless it is large,
 * consistent initial values, the structure report and a few steps with a formulation that the
 * input's length chooses. What succeeds has finite results, what fails gives a reason. Half of
 * the mutations leave the syntax alone and put an extreme number in place of another one. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/import.h"

#include <crank/run.h>

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef FUZZ_RARELY /* robots are imported always, models of one length of so many are made */
#define FUZZ_RARELY 1
#endif
enum { UNKNOWNS_MAX = 150, ITERATIONS_MAX = 8, STEPS_MAX = 5 };

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

/* the contract of every call: success or a reason */
static bool fine(crank_status status, const crank_error *err)
{
    require(status == CRANK_OK || err->text[0] != '\0');
    return status == CRANK_OK;
}

static void require_finite(int n, const double *x)
{
    for (int i = 0; i < n; i++) {
        require(isfinite(x[i]));
    }
}

static void use_columns(const crank_model *model, crank_state *state)
{
    const double *x = crank_state_start(state);
    const int count = crank_model_column_count(model);
    double *values = calloc((size_t)count + 1, sizeof *values);
    if (values == NULL) {
        return;
    }
    for (int i = 0; i < count; i++) {
        require(crank_model_column_name(model, i) != NULL);
    }
    for (int i = 0; crank_model_unused(model, i) != NULL; i++) {
    }
    crank_error err = {0};
    char *scene = NULL;
    require(fine(crank_model_scene(model, &scene, &err), &err));
    require(scene == NULL || strchr(scene, '<') == NULL);
    require(crank_model_title(model) != NULL);
    free(scene);
    (void)crank_state_columns(state, crank_model_simulate(model)->t_start, x, values, &err);
    free(values);
}

/* steps through events and rows between; limits keep an input short */
static void use_run(crank_run *run, const double *x)
{
    const int n = crank_eom_unknowns(crank_run_eom(run));
    crank_error err = {0};
    crank_options *options = crank_run_settled(run);
    options->check_initial = false;
    options->max_steps = STEPS_MAX;
    options->newton_max = options->newton_max > 10 ? 10 : options->newton_max;
    options->failures_max = STEPS_MAX;
    crank_run_set_beginning(run, x);
    if (!fine(crank_run_start(run, &err), &err)) {
        return;
    }
    double t = crank_run_time(run);
    while (!crank_run_finished(run) && fine(crank_run_step(run, &err), &err)) {
        const double middle = 0.5 * (t + crank_run_reached(run));
        crank_event_outcome outcome = {0};
        require(crank_run_reached(run) > t);
        t = crank_run_reached(run);
        if (fine(crank_run_look(run, middle, &err), &err)) {
            require_finite(n, crank_run_state(run));
        }
        if (fine(crank_run_look(run, t, &err), &err)) {
            require_finite(n, crank_run_state(run));
            (void)crank_run_values(run, &err);
        }
        if (crank_run_happened(run) && !fine(crank_run_happen(run, &outcome, &err), &err)) {
            break;
        }
    }
}

static void use_equations(const crank_model *model, crank_state *state, size_t choice)
{
    static const char *const methods[] = {"psf-radau", "peom1-radau", "gmkssol", "geoms"};
    crank_eom *eom = crank_state_eom(state);
    const int n = crank_eom_unknowns(eom);
    const double t = crank_model_simulate(model)->t_start;
    crank_error err = {0};
    if (n > UNKNOWNS_MAX) {
        return;
    }
    double x[UNKNOWNS_MAX];
    crank_initial_options initial = crank_initial_options_default();
    crank_structure_report report;
    initial.fixing = crank_model_fixing(model);
    initial.max_iterations = ITERATIONS_MAX;
    memcpy(x, crank_state_start(state), (size_t)n * sizeof *x);
    if (!fine(crank_eom_initialize(eom, t, x, &initial, NULL, (crank_log){0}, &err), &err)) {
        return;
    }
    require_finite(n, x);
    if (fine(crank_eom_structure(eom, t, x, 1e-8, &report, &err), &err)) {
        crank_structure_report_free(&report);
    }
    crank_run *run = NULL;
    crank_run_options options = crank_run_options_default();
    options.method = methods[choice % 4];
    const bool opened = fine(crank_run_open_model(model, &options, &run, &err), &err);
    require(opened == (run != NULL));
    /* a treatment of accelerations that the method needs has other unknowns */
    if (opened && crank_eom_unknowns(crank_run_eom(run)) == n) {
        use_run(run, x);
    }
    crank_run_close(run);
}

static bool is_word(uint8_t c)
{
    return isalnum(c) || c == '_' || c == '.';
}

/* begin and end of the first number at or after from; false if there is none */
static bool find_number(const uint8_t *data, size_t size, size_t from, size_t *begin,
                        size_t *end)
{
    for (size_t i = from; i < size; i++) {
        if (isdigit(data[i]) && (i == 0 || !is_word(data[i - 1]))) {
            *begin = *end = i;
            while (*end < size && is_word(data[*end])) {
                (*end)++;
            }
            return true;
        }
    }
    return false;
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static const char *const numbers[] = {"0",      "1",    "-1",    "2",   "0.5",   "1e308",
                                          "1e-308", "1e16", "1e160", "1e9", "1e-20", "-0.0"};
    const char *number = numbers[seed / 2 % (sizeof numbers / sizeof *numbers)];
    const size_t length = strlen(number);
    size_t begin, end;
    if (seed % 2 == 0 || size == 0 ||
        !find_number(data, size, (seed >> 8) % size, &begin, &end) ||
        size - (end - begin) + length > max_size) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    memmove(data + begin + length, data + end, size - end);
    memcpy(data + begin, number, length);
    return size - (end - begin) + length;
}

/* Thousands of repetitions are no hang, but take as long: `count` and a large number. */
static bool is_large(const uint8_t *data, size_t size)
{
    static const char word[] = "count";
    bool counts = false, large = false;
    size_t digits = 0;
    for (size_t i = 0; i < size; i++) {
        const bool digit = isdigit(data[i]) != 0;
        counts = counts || (i + 5 <= size && memcmp(data + i, word, 5) == 0);
        digits = digit ? digits + 1 : 0;
        large = large || digits > 3 || (digit && i > 0 && (data[i - 1] | 32) == 'e');
    }
    return counts && large;
}

/* the importer alone, which is a thousand times faster: a tree and its text, or a reason */
static void import(const char *text, size_t size)
{
    crank_error err = {0};
    crank_store store = {0};
    crank_files files = {0};
    const crank_node *root = NULL;
    crank_import im = {.store = &store, .files = &files, .err = &err};
    if (crank_xml_is(text, size) && fine(crank_import_xml(&im, text, size, &root), &err)) {
        crank_text out = {0};
        require(root != NULL);
        crank_tree_write(root, &out);
        crank_text_free(&out);
    }
    crank_store_free(&files.store);
    crank_store_free(&store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (is_large(data, size)) {
        return -1;
    }
    if (FUZZ_RARELY > 1) {
        import((const char *)data, size);
    }
    if (size % FUZZ_RARELY != 0) {
        return 0;
    }
    crank_error err = {0};
    crank_model *model = NULL;
    crank_state *state = NULL;
    const crank_status status =
        crank_model_read_text("fuzz.yaml", (const char *)data, size, NULL, &model, &err);
    /* the contract: a model or a reason, never both, never neither */
    require(fine(status, &err) == (model != NULL));
    if (model != NULL && fine(crank_state_create(model, &state, &err), &err)) {
        use_columns(model, state);
        use_equations(model, state, size / FUZZ_RARELY);
    }
    crank_state_destroy(state);
    crank_model_destroy(model);
    return 0;
}
