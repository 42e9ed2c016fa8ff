/* structure.c - do equations and unknowns fit one to one? A largest set of pairs (equation,
 * unknown that occurs in it) is found by SuiteSparse's BTF [Duf81]. Where it is not complete
 * the parts that are to blame are those that alternating paths reach from what is left over
 * [DM58]: from an unknown without an equation all unknowns that are not determined, from an
 * equation without an unknown all equations that are too many. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/passes.h"

#include <btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the pattern ---- */

/* numbers of the unknowns: variables of role unknown */
static int number_unknowns(crank_flat *flat, crank_flat_structure *s, int *number)
{
    int count = 0;
    for (int i = 0; i < flat->variable_count; i++) {
        number[i] = -1;
        if (flat->variable[i].role == CRANK_FLAT_UNKNOWN) {
            s->variable[count] = i;
            s->differential[count] = false;
            number[i] = count++;
        }
    }
    return count;
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* which derivatives occur anywhere */
static void find_differential(crank_flat *flat, crank_flat_structure *s, const int *map,
                              int size, const int *number, crank_ex *symbols, int capacity)
{
    for (int i = 0; i < flat->equation_count; i++) {
        const crank_ex ex =
            crank_ex_sub(flat->pool, flat->equation[i].left, flat->equation[i].right);
        int count = crank_ex_symbols(flat->pool, ex, symbols, capacity);
        count = count < capacity ? count : capacity;
        for (int k = 0; k < count; k++) {
            const int place = symbols[k] < size ? map[symbols[k]] : -1;
            if (place >= 0 && place % 2 == 1 && number[place / 2] >= 0) {
                s->differential[number[place / 2]] = true;
            }
        }
    }
}

static crank_status match(crank_flat *flat, crank_flat_structure *s, crank_error *err)
{
    const size_t m = (size_t)s->equations, n = (size_t)s->unknowns;
    /* BTF takes columns: those are the equations here */
    int *found = crank_store_take(&flat->store, n, sizeof *found);
    int *work = crank_store_take(&flat->store, 5 * (m + 1), sizeof *work);
    double effort = 0.0;
    s->match = crank_store_take(&flat->store, m, sizeof *s->match);
    s->matched = crank_store_take(&flat->store, n, sizeof *s->matched);
    if (flat->store.failed) {
        return crank_flat_status(flat, err);
    }
    s->rank =
        btf_maxtrans(s->unknowns, s->equations, s->start, s->column, 0.0, &effort, found, work);
    for (size_t i = 0; i < m; i++) {
        s->match[i] = -1;
    }
    for (size_t j = 0; j < n; j++) {
        s->matched[j] = found[j];
        if (found[j] >= 0) {
            s->match[found[j]] = (int)j;
        }
    }
    return CRANK_OK;
}

crank_status crank_flat_find_structure(crank_flat *flat, bool highest,
                                       crank_flat_structure *out, crank_error *err)
{
    const size_t n = (size_t)flat->variable_count, m = (size_t)flat->equation_count;
    const int *map = crank_flat_map(flat);
    const int size = crank_pool_size(flat->pool), most = 2 * flat->variable_count + 2;
    int *number = crank_store_take(&flat->store, n, sizeof *number);
    crank_ex *symbols = crank_store_take(&flat->store, (size_t)most, sizeof *symbols);
    int capacity = 0;
    *out = (crank_flat_structure){.equations = (int)m};
    out->variable = crank_store_take(&flat->store, n, sizeof *out->variable);
    out->differential = crank_store_take(&flat->store, n, sizeof *out->differential);
    out->start = crank_store_take(&flat->store, m + 1, sizeof *out->start);
    if (flat->store.failed || map == NULL) {
        return crank_flat_status(flat, err);
    }
    out->unknowns = number_unknowns(flat, out, number);
    find_differential(flat, out, map, size, number, symbols, most);
    for (size_t i = 0; i < m; i++) {
        const crank_ex ex =
            crank_ex_sub(flat->pool, flat->equation[i].left, flat->equation[i].right);
        int count = crank_ex_symbols(flat->pool, ex, symbols, most), used = 0;
        count = count < most ? count : most;
        int list = out->start[i];
        for (int k = 0; k < count; k++) {
            const int place = symbols[k] < size ? map[symbols[k]] : -1;
            const int u = place >= 0 ? number[place / 2] : -1;
            if (u >= 0 && (!highest || (place % 2 == 1) == out->differential[u])) {
                symbols[used++] = u;
            }
        }
        qsort(symbols, (size_t)used, sizeof *symbols, compare);
        for (int k = 0; k < used; k++) {
            if (k > 0 && symbols[k] == symbols[k - 1]) {
                continue;
            }
            if (list == capacity) {
                const int more = 2 * capacity + 64;
                int *column = crank_store_take(&flat->store, (size_t)more, sizeof *column);
                if (column == NULL) {
                    return crank_flat_status(flat, err);
                }
                if (list > 0) {
                    memcpy(column, out->column, (size_t)list * sizeof *column);
                }
                out->column = column;
                capacity = more;
            }
            out->column[list++] = symbols[k];
        }
        out->start[i + 1] = list;
    }
    if (out->column == NULL) {
        out->column = crank_store_take(&flat->store, 1, sizeof *out->column);
    }
    return crank_pool_status(flat->pool) == CRANK_OK && out->column != NULL
               ? match(flat, out, err)
               : crank_flat_status(flat, err);
}

/* ---- what is to blame ---- */

/* "x, y, z, ..." */
typedef struct names {
    char text[300];
    size_t used;
    int left;
} names;

static void add_name(names *n, const char *name)
{
    if (n->used + strlen(name) + 8 >= sizeof n->text) {
        n->left++;
        return;
    }
    n->used += (size_t)snprintf(n->text + n->used, sizeof n->text - n->used, "%s%s",
                                n->used > 0 ? ", " : "", name);
}

/* unknowns that alternating paths reach from those without an equation */
static crank_flat_place not_determined(const crank_flat *flat, const crank_flat_structure *s,
                                       bool *seen, int *stack, names *out)
{
    crank_flat_place place = {0};
    int depth = 0;
    for (int j = 0; j < s->unknowns; j++) {
        seen[j] = s->matched[j] < 0;
        if (seen[j]) {
            stack[depth++] = j;
        }
    }
    while (depth > 0) { /* an equation with this unknown could be solved for it instead */
        const int j = stack[--depth];
        for (int i = 0; i < s->equations; i++) {
            bool here = false;
            for (int k = s->start[i]; k < s->start[i + 1]; k++) {
                here = here || s->column[k] == j;
            }
            if (here && s->match[i] >= 0 && !seen[s->match[i]]) {
                seen[s->match[i]] = true;
                stack[depth++] = s->match[i];
            }
        }
    }
    for (int j = 0; j < s->unknowns; j++) {
        if (seen[j]) {
            const crank_flat_variable *x = &flat->variable[s->variable[j]];
            place = place.line == 0 ? x->place : place;
            add_name(out, x->name);
        }
    }
    return place;
}

/* equations that alternating paths reach from those without an unknown; the first one's
 * place */
static crank_flat_place too_many(const crank_flat *flat, const crank_flat_structure *s,
                                 bool *seen, int *stack, names *out)
{
    crank_flat_place place = {0};
    int depth = 0;
    for (int i = 0; i < s->equations; i++) {
        seen[i] = s->match[i] < 0;
        if (seen[i]) {
            stack[depth++] = i;
            place = place.line == 0 ? flat->equation[i].place : place;
        }
    }
    while (depth > 0) {
        const int i = stack[--depth];
        for (int k = s->start[i]; k < s->start[i + 1]; k++) {
            const int other = s->matched[s->column[k]];
            if (other >= 0 && !seen[other]) {
                seen[other] = true;
                stack[depth++] = other;
            }
        }
    }
    for (int i = 0; i < s->equations; i++) {
        if (seen[i]) {
            char text[CRANK_FLAT_PLACE_TEXT + 60], where[CRANK_FLAT_PLACE_TEXT];
            const crank_flat_equation *q = &flat->equation[i];
            (void)snprintf(
                text, sizeof text, "%s%s%.40s%s", crank_flat_print_place(flat, q->place, where),
                q->origin[0] != '\0' ? " (" : "", q->origin, q->origin[0] != '\0' ? ")" : "");
            add_name(out, text);
        }
    }
    return place;
}

crank_status crank_flat_check_structure(crank_flat *flat, crank_error *err)
{
    crank_flat_structure s;
    names open = {.text = ""}, extra = {.text = ""};
    const crank_status status = crank_flat_find_structure(flat, false, &s, err);
    const size_t most = (size_t)(s.equations > s.unknowns ? s.equations : s.unknowns);
    if (status != CRANK_OK || (s.rank == s.equations && s.rank == s.unknowns)) {
        return status;
    }
    bool *seen = crank_store_take(&flat->store, most, sizeof *seen);
    int *stack = crank_store_take(&flat->store, most, sizeof *stack);
    if (flat->store.failed) {
        return crank_flat_status(flat, err);
    }
    const crank_flat_place lacks = not_determined(flat, &s, seen, stack, &open);
    const crank_flat_place excess = too_many(flat, &s, seen, stack, &extra);
    const crank_flat_place place = extra.used > 0 ? excess : lacks;
    return crank_fail_at(err, CRANK_EMODEL, place.line, place.column,
                         "%d equation%s, %d unknown%s%s%s%s%s%s%s%s", s.equations,
                         s.equations == 1 ? "" : "s", s.unknowns, s.unknowns == 1 ? "" : "s",
                         open.used > 0 ? ": " : "", open.text, open.left > 0 ? ", ..." : "",
                         open.used > 0 ? " not determined" : "",
                         extra.used > 0 ? "; too many equations: " : "", extra.text,
                         extra.left > 0 ? ", ..." : "");
}
