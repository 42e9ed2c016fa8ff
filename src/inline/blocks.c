/* blocks.c - equations in the order of their solution, theory (11.5): matched with the highest
 * derivatives, and sorted into strong components by SuiteSparse's BTF [DR78]. A block is solved
 * for its unknowns once those of the blocks before it are known. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/passes.h"

#include <btf.h>
#include <string.h>

crank_status crank_flat_find_blocks(crank_flat *flat, crank_flat_blocks *out, crank_error *err)
{
    *out = (crank_flat_blocks){0};
    crank_flat_structure *s = &out->structure;
    const crank_status status = crank_flat_find_structure(flat, true, s, err);
    const int n = s->equations;
    if (status != CRANK_OK || s->rank < n || s->rank < s->unknowns) {
        return status;
    }
    const size_t size = (size_t)n;
    int *start = crank_store_take(&flat->store, size + 1, sizeof *start);
    int *row = crank_store_take(&flat->store, (size_t)s->start[n], sizeof *row);
    int *order = crank_store_take(&flat->store, size, sizeof *order);
    int *limit = crank_store_take(&flat->store, size + 1, sizeof *limit);
    int *work = crank_store_take(&flat->store, 4 * (size + 1), sizeof *work);
    out->start = crank_store_take(&flat->store, size + 1, sizeof *out->start);
    out->equation = crank_store_take(&flat->store, size, sizeof *out->equation);
    out->unknown = crank_store_take(&flat->store, size, sizeof *out->unknown);
    if (flat->store.failed) {
        return crank_flat_status(flat, err);
    }
    /* column j: the unknowns in the equation that is matched with unknown j. Blocks come out
     * upper triangular: a block needs unknowns of its own and of earlier ones. */
    for (int j = 0; j < n; j++) {
        const int i = s->matched[j];
        start[j + 1] = start[j];
        for (int k = s->start[i]; k < s->start[i + 1]; k++) {
            row[start[j + 1]++] = s->column[k];
        }
    }
    out->count = btf_strongcomp(n, start, row, NULL, order, limit, work);
    for (int b = 0; b < out->count; b++) {
        out->start[b + 1] = limit[b + 1];
        out->largest =
            limit[b + 1] - limit[b] > out->largest ? limit[b + 1] - limit[b] : out->largest;
    }
    for (int k = 0; k < n; k++) {
        out->unknown[k] = order[k];
        out->equation[k] = s->matched[order[k]];
    }
    out->found = true;
    return CRANK_OK;
}

static const char *unknown_name(const crank_flat *flat, const crank_flat_structure *s, int j,
                                crank_text *text)
{
    const crank_flat_variable *x = &flat->variable[s->variable[j]];
    crank_text_append(text, s->differential[j] ? "der(%s)" : "%s", x->name);
    return x->name;
}

void crank_flat_print_blocks(const crank_flat *flat, const crank_flat_blocks *blocks,
                             crank_text *text)
{
    char place[CRANK_FLAT_PLACE_TEXT];
    const crank_flat_structure *s = &blocks->structure;
    if (!blocks->found) {
        crank_text_append(text,
                          "no order: %d equations, %d of %d highest derivatives matched (the "
                          "index is higher than one); left over:\n",
                          s->equations, s->rank, s->unknowns);
        for (int i = 0; i < s->equations; i++) {
            if (s->match[i] < 0) {
                crank_text_append(text, "  ");
                crank_flat_print_expression(flat, flat->equation[i].left, text);
                crank_text_append(text, " = ");
                crank_flat_print_expression(flat, flat->equation[i].right, text);
                crank_text_append(text, "  // %s\n",
                                  crank_flat_print_place(flat, flat->equation[i].place, place));
            }
        }
        return;
    }
    crank_text_append(text, "%d equations in %d blocks, the largest of %d\n", s->equations,
                      blocks->count, blocks->largest);
    for (int b = 0; b < blocks->count; b++) {
        const int size = blocks->start[b + 1] - blocks->start[b];
        crank_text_append(text, "block %d%s", b + 1, size > 1 ? " (together):\n" : ": ");
        for (int k = blocks->start[b]; k < blocks->start[b + 1]; k++) {
            crank_text_append(text, "%s[", size > 1 ? "  " : "");
            (void)unknown_name(flat, s, blocks->unknown[k], text);
            crank_text_append(text, "] ");
            crank_flat_print_expression(flat, flat->equation[blocks->equation[k]].left, text);
            crank_text_append(text, " = ");
            crank_flat_print_expression(flat, flat->equation[blocks->equation[k]].right, text);
            crank_text_append(
                text, "  // %s\n",
                crank_flat_print_place(flat, flat->equation[blocks->equation[k]].place, place));
        }
    }
}
