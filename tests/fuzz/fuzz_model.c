/* fuzz_model.c - any bytes given to the model reader: an error or a model, never a crash, a
 * hang or a leak.
 *
 * A model that is read is used: its columns at the start values, and, unless it is large,
 * consistent initial values, the structure report and a few steps with a formulation that the
 * input's length chooses. What succeeds has finite results, what fails gives a reason. Half of
 * the mutations leave the syntax alone and put an extreme number in place of another one. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/create.h"
#include "one_state.h"
#include <crank/model.h>

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

static void use_columns(crank_state *model)
{
    const double *x = crank_state_start(model);
    const int count = crank_model_column_count(crank_state_model(model));
    double *values = calloc((size_t)count + 1, sizeof *values);
    if (values == NULL) {
        return;
    }
    for (int i = 0; i < count; i++) {
        require(crank_model_column_name(crank_state_model(model), i) != NULL);
    }
    for (int i = 0; crank_model_unused(crank_state_model(model), i) != NULL; i++) {
    }
    crank_error err = {0};
    char *scene = NULL;
    require(fine(crank_model_scene(crank_state_model(model), &scene, &err), &err));
    require(scene == NULL || strchr(scene, '<') == NULL);
    require(crank_model_title(crank_state_model(model)) != NULL);
    free(scene);
    (void)crank_state_columns(model, crank_model_simulate(crank_state_model(model))->t_start, x,
                              values, &err);
    free(values);
}

/* the file's options as far as they are right, within limits that keep an input short */
static crank_options read_options(const crank_simulate *file, const char *method,
                                  const char **formulation, const char **integrator)
{
    crank_error err = {0};
    crank_options options = crank_options_default();
    require(crank_method_resolve(method, formulation, integrator, &options, &err) == CRANK_OK);
    for (int i = 0; i < file->option_count; i++) {
        (void)crank_options_set(&options, file->options[i].name, file->options[i].value, &err);
    }
    options.max_steps = STEPS_MAX;
    options.newton_max = options.newton_max > 10 ? 10 : options.newton_max;
    options.failures_max = STEPS_MAX;
    return options;
}

static void use_integrator(crank_state *model, const char *method, const double *x)
{
    const crank_simulate *file = crank_model_simulate(crank_state_model(model));
    const char *formulation = NULL, *integrator = NULL;
    const crank_options options = read_options(file, method, &formulation, &integrator);
    crank_eom *eom = crank_state_eom(model);
    const int n = crank_eom_unknowns(eom);
    crank_problem *problem = NULL;
    crank_integrator *it = NULL;
    crank_error err = {0};
    if (!fine(crank_formulate(formulation, eom, &options, file->t_start, x, (crank_log){0},
                              &problem, &err),
              &err)) {
        require(problem == NULL);
        return;
    }
    if (fine(crank_integrator_create(integrator, problem, &options, &it, &err), &err) &&
        fine(crank_integrator_start(it, file->t_start, x, file->t_end, &err), &err)) {
        double between[UNKNOWNS_MAX];
        double t = file->t_start;
        while (!crank_integrator_finished(it) && fine(crank_integrator_step(it, &err), &err)) {
            require(crank_integrator_time(it) > t);
            require_finite(n, crank_integrator_state(it));
            t = crank_integrator_time(it);
            const double middle = t - 0.5 * crank_integrator_last_step(it);
            if (fine(crank_integrator_interpolate(it, middle, between, &err), &err)) {
                require_finite(n, between);
            }
        }
    }
    crank_integrator_destroy(it);
    crank_problem_destroy(problem);
}

static void use_equations(crank_state *model, size_t choice)
{
    static const char *const methods[] = {"psf-radau", "peom1-radau", "gmkssol", "geoms"};
    crank_eom *eom = crank_state_eom(model);
    const int n = crank_eom_unknowns(eom);
    const double t = crank_model_simulate(crank_state_model(model))->t_start;
    crank_error err = {0};
    if (n > UNKNOWNS_MAX) {
        return;
    }
    double x[UNKNOWNS_MAX];
    crank_initial_options initial = crank_initial_options_default();
    crank_structure_report report;
    initial.fixing = crank_model_fixing(crank_state_model(model));
    initial.max_iterations = ITERATIONS_MAX;
    memcpy(x, crank_state_start(model), (size_t)n * sizeof *x);
    if (!fine(crank_eom_initialize(eom, t, x, &initial, NULL, (crank_log){0}, &err), &err)) {
        return;
    }
    require_finite(n, x);
    if (fine(crank_eom_structure(eom, t, x, 1e-8, &report, &err), &err)) {
        crank_structure_report_free(&report);
    }
    if (fine(crank_state_begin(model, t, x, &err), &err)) {
        use_integrator(model, methods[choice % 4], x);
    }
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (is_large(data, size)) {
        return -1;
    }
    crank_error err = {0};
    crank_state *model = NULL;
    const crank_model_options options = crank_model_options_default();
    const crank_status status =
        one_state_read_text("fuzz.yaml", (const char *)data, size, &options, &model, &err);
    /* the contract: a model or a reason, never both, never neither */
    require(fine(status, &err) == (model != NULL));
    if (model != NULL) {
        use_columns(model);
        use_equations(model, size);
    }
    one_state_close(model);
    return 0;
}
