/* told.c - what the model says of tearing, residue(x), linresidue(x), donottear(x), as marks of
 * unknowns and equations: x may be another name, +-y, of what is left. Declarations go before what
 * tear.c finds; an x that is no unknown any more is given by other equations, and nothing is to be
 * torn there. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/inline.h"

/* the unknown that a symbol stands for; -1: none */
static int find_unknown(const crank_inline *in, const int *map, int size, crank_ex symbol)
{
    const crank_flat *flat = in->flat;
    const crank_pool *p = flat->pool;
    for (int turn = 0; turn <= flat->variable_count && symbol >= 0; turn++) {
        const int u = crank_inline_unknown_of(in, symbol);
        const int place = symbol < size ? map[symbol] : -1;
        if (u >= 0 || place < 0) {
            return u;
        }
        const crank_flat_variable *x = &flat->variable[place / 2];
        crank_ex value = x->role == CRANK_FLAT_ELIMINATED ? x->value : -1;
        if (value >= 0 && crank_ex_get_op(p, value) == CRANK_EX_NEG) {
            value = crank_ex_get_operand(p, value, 0);
        }
        const int other = value >= 0 && value < size ? map[value] : -1;
        symbol = other < 0 ? -1 : place % 2 == 0 ? value : flat->variable[other / 2].rate;
    }
    return -1;
}

crank_status crank_inline_find_told(crank_inline *in, crank_error *err)
{
    crank_flat *flat = in->flat;
    if (flat->tear_count == 0) {
        return CRANK_OK;
    }
    const int size = crank_pool_size(flat->pool);
    const int *map = crank_flat_map(flat);
    in->told = crank_store_take(&flat->store, (size_t)flat->tear_count, sizeof *in->told);
    if (map == NULL || in->told == NULL) {
        return crank_fail(err, CRANK_EMEM, "tearing");
    }
    for (int i = 0; i < flat->tear_count; i++) {
        const crank_flat_tear *t = &flat->tear[i];
        const int u = in->told[i] = find_unknown(in, map, size, t->symbol);
        if (u >= 0) {
            in->unknown[u].first = in->unknown[u].first || t->kind == CRANK_FLAT_LINRESIDUE;
            in->unknown[u].never = in->unknown[u].never || t->kind == CRANK_FLAT_NOT_TORN;
        }
    }
    return CRANK_OK;
}
