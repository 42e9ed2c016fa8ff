/* fuzz_model.c - any bytes given to the model reader: an error or a model, never a crash or a leak.
 *
 * A model that is read is also asked for its columns at the start values, so that what the reader
 * built is used once. */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/model.h>

#include <stdint.h>
#include <stdlib.h>

static void use(crank_model *model)
{
    const double *x = crank_model_start(model);
    const int count = crank_model_column_count(model);
    double *values = calloc((size_t)count + 1, sizeof *values);
    if (values == NULL) {
        return;
    }
    for (int i = 0; i < count; i++) {
        if (crank_model_column_name(model, i) == NULL) {
            abort();
        }
    }
    for (int i = 0; crank_model_unused(model, i) != NULL; i++) {
    }
    crank_error err = {0};
    (void)crank_model_columns(model, crank_model_simulate(model)->t_start, x, values, &err);
    free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    crank_error err = {0};
    crank_model *model = NULL;
    const crank_model_options options = crank_model_options_default();
    const crank_status status =
        crank_model_read_text("fuzz.yaml", (const char *)data, size, &options, &model, &err);
    /* the contract: a model or a reason, never both, never neither */
    if ((status == CRANK_OK) != (model != NULL) ||
        (status != CRANK_OK && err.text[0] == '\0')) {
        abort();
    }
    if (model != NULL) {
        use(model);
    }
    crank_model_destroy(model);
    return 0;
}
