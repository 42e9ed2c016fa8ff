/* fuzz_modelica.c - any bytes given to the Modelica front end: tokens, classes, a flat DAE, its
 * passes and their print; an error with a reason or a result, never a crash, a hang or a
 * leak. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/passes.h"
#include "modelica/modelica.h"

#include <stdlib.h>

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

static void use_flat(crank_flat *flat)
{
    crank_error err = {0};
    crank_text text = {0};
    crank_flat_blocks blocks;
    if (flat->equation_count > 2000 || crank_pool_size(flat->pool) > 20000) {
        return; /* no hang, but slow */
    }
    if (fine(crank_flat_put_numbers(flat, &err), &err) &&
        fine(crank_flat_resolve_discrete(flat, &err), &err) &&
        fine(crank_flat_check_structure(flat, &err), &err) &&
        fine(crank_flat_remove_aliases(flat, &err), &err) &&
        fine(crank_flat_derive_starts(flat, &err), &err) &&
        fine(crank_flat_carry_rates(flat, &err), &err)) {
        if (fine(crank_flat_find_blocks(flat, &blocks, &err), &err)) {
            crank_flat_print_blocks(flat, &blocks, &text);
        }
        (void)fine(crank_flat_put_explicit(flat, &err), &err);
    }
    crank_text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    crank_store store = {0};
    crank_mo_file file;
    crank_flat flat = {0};
    crank_error err = {0};
    const crank_mo_options options = {.work = 100000};
    const bool base = size > 0 && data[0] == '\'';
    if (fine(crank_mo_parse((const char *)data, size, base, 0, &store, &file, &err), &err) &&
        fine(crank_mo_flatten(&file, &options, &flat, &err), &err)) {
        use_flat(&flat);
    }
    crank_flat_free(&flat);
    crank_store_free(&store);
    return 0;
}
