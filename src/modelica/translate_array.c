/* translate_array.c - arrays in expressions: {a, b}, [a, b; c, d], ranges, {f(i) for i in 1:n}
 * (Modelica 3.6, 10.4). */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include <math.h>
#include <string.h>

static crank_mo_value range(crank_mo_flattener *f, const crank_mo_scope *scope,
                            const crank_mo_expression *e)
{
    crank_mo_value v = {.type = CRANK_MO_IS_INTEGER, .rank = 1};
    double bound[3] = {0.0};
    for (int k = 0; k < e->count && crank_mo_ok(f); k++) {
        const crank_mo_value item = crank_mo_translate(f, scope, e->item[k]);
        if (crank_mo_ok(f) &&
            (item.rank > 0 || item.ex == NULL || !crank_mo_is_parametric(f, item.ex[0]) ||
             !crank_mo_number_of(f, item.ex[0], &bound[k]))) {
            (void)crank_mo_fail_at(f, e->item[k]->place,
                                   "a range must be known before the run: an expression of "
                                   "constants and parameters");
        }
        v.type = item.type == CRANK_MO_IS_INTEGER ? v.type : item.type;
    }
    const double step = e->count == 3 ? bound[1] : 1.0, end = bound[e->count - 1];
    if (!crank_mo_ok(f)) {
        return v;
    }
    if (!(fabs(step) > 0.0)) {
        (void)crank_mo_fail_at(f, e->place, "a range whose step is zero");
        return v;
    }
    const double number = floor((end - bound[0]) / step + 1e-10) + 1.0;
    if (!(number <= CRANK_MO_ENTRIES)) {
        (void)crank_mo_fail_at(f, e->place, "a range of more than %d numbers",
                               CRANK_MO_ENTRIES);
        return v;
    }
    v.size[0] = number > 0.0 ? (int)number : 0;
    if (crank_mo_value_take(f, &v, e->place)) {
        for (int k = 0; k < v.count; k++) {
            v.ex[k] = crank_ex_number(f->pool, bound[0] + k * step);
        }
    }
    return v;
}

bool crank_mo_literals(crank_mo_flattener *f, const crank_mo_scope *scope,
                       const crank_mo_expression *e, crank_mo_value *out)
{
    crank_mo_found found;
    const crank_mo_reference *r = e->kind == CRANK_MO_NAME ? e->reference : NULL;
    if (r == NULL || (scope->instance != NULL &&
                      crank_index_find(&scope->instance->by_name, r->name[0]) >= 0)) {
        return false;
    }
    for (const crank_mo_local *l = scope->local; l != NULL; l = l->next) {
        if (strcmp(l->name, r->name[0]) == 0) {
            return false;
        }
    }
    if (!crank_mo_find_class(f, scope, r, &found, false)) {
        return false;
    }
    const bool truth = found.class == NULL && found.builtin == CRANK_MO_IS_BOOLEAN;
    if (!truth && (found.class == NULL || !found.class->is_enumeration)) {
        return false;
    }
    *out = (crank_mo_value){.type = truth ? CRANK_MO_IS_BOOLEAN : CRANK_MO_IS_ENUMERATION,
                            .of = found.class,
                            .rank = 1,
                            .size = {truth ? 2 : found.class->literal_count}};
    if (crank_mo_value_take(f, out, e->place)) {
        for (int k = 0; k < out->count; k++) {
            out->ex[k] = crank_ex_number(f->pool, truth ? k : k + 1);
        }
    }
    return true;
}

crank_mo_value crank_mo_iterated(crank_mo_flattener *f, const crank_mo_scope *scope,
                                 const crank_mo_expression *e)
{
    crank_mo_value v;
    if (crank_mo_literals(f, scope, e, &v)) {
        return v;
    }
    v = crank_mo_translate(f, scope, e);
    char text[80];
    if (crank_mo_ok(f) && (v.rank != 1 || v.ex == NULL)) {
        (void)crank_mo_fail_at(f, e->place, "%s where a range or a vector is expected",
                               crank_mo_describe(&v, text, sizeof text));
    }
    return v;
}

/* all items of {e for i in ..., j in ...}, iterator k and the later ones */
static crank_mo_value each(crank_mo_flattener *f, const crank_mo_scope *scope,
                           const crank_mo_expression *e, int k)
{
    if (k == 0) {
        return crank_mo_translate(f, scope, e->item[0]);
    }
    const crank_mo_value values = crank_mo_iterated(f, scope, e->item[k]);
    crank_mo_value *list =
        crank_mo_ok(f) ? crank_mo_new(f, (size_t)values.count, sizeof *list) : NULL;
    for (int i = 0; list != NULL && i < values.count && crank_mo_ok(f); i++) {
        crank_mo_local local = {.name = e->name[k - 1],
                                .value = crank_mo_scalar(f, values.type, values.ex[i]),
                                .set = true,
                                .iterator = true,
                                .next = scope->local};
        local.value.of = values.of;
        const crank_mo_scope inner = {scope->instance, scope->lexical, &local, scope->around};
        list[i] = each(f, &inner, e, k - 1);
    }
    return crank_mo_ok(f) ? crank_mo_stack(f, 1, values.size, list, e->place)
                          : (crank_mo_value){0};
}

crank_mo_value crank_mo_concatenate(crank_mo_flattener *f, int along, int count,
                                    const crank_mo_value *items, crank_mo_place place)
{
    crank_mo_value v = items[0];
    int outer = 1, inner = 1;
    v.size[along] = 0;
    for (int i = 0; i < count; i++) {
        bool fits = items[i].rank == v.rank && items[i].type <= CRANK_MO_IS_ENUMERATION;
        for (int d = 0; d < v.rank && fits; d++) {
            fits = d == along || items[i].size[d] == v.size[d];
        }
        if (!fits) {
            char text[80];
            (void)crank_mo_fail_at(f, place, "%s does not fit behind what stands before it",
                                   crank_mo_describe(&items[i], text, sizeof text));
            return v;
        }
        v.size[along] += items[i].size[along];
        v.type = items[i].type < v.type ? items[i].type : v.type;
    }
    for (int d = 0; d < v.rank; d++) {
        outer *= d < along ? v.size[d] : 1;
        inner *= d > along ? v.size[d] : 1;
    }
    if (!crank_mo_value_take(f, &v, place)) {
        return v;
    }
    int next = 0;
    for (int o = 0; o < outer; o++) {
        for (int i = 0; i < count; i++) {
            const int size = items[i].size[along] * inner;
            for (int k = 0; k < size; k++) {
                v.ex[next++] = items[i].ex[o * size + k];
            }
        }
    }
    return v;
}

/* [a, b; c, d]: scalars and vectors become matrices, rows are put below each other */
static crank_mo_value matrix(crank_mo_flattener *f, const crank_mo_scope *scope,
                             const crank_mo_expression *e)
{
    crank_mo_value *rows = crank_mo_new(f, (size_t)e->count, sizeof *rows);
    for (int i = 0; i < e->count && crank_mo_ok(f); i++) {
        const crank_mo_expression *row = e->item[i];
        crank_mo_value *list = crank_mo_new(f, (size_t)row->count, sizeof *list);
        for (int j = 0; j < row->count && crank_mo_ok(f); j++) {
            list[j] = crank_mo_translate(f, scope, row->item[j]);
            if (crank_mo_ok(f) && (list[j].rank > 2 || list[j].ex == NULL)) {
                (void)crank_mo_fail_at(f, row->item[j]->place,
                                       "[ , ; ] of something else than scalars, vectors and "
                                       "matrices: not supported");
            }
            for (; list[j].rank < 2; list[j].rank++) { /* a column */
                list[j].size[list[j].rank] = 1;
            }
        }
        if (crank_mo_ok(f)) {
            rows[i] = crank_mo_concatenate(f, 1, row->count, list, row->place);
        }
    }
    return crank_mo_ok(f) ? crank_mo_concatenate(f, 0, e->count, rows, e->place)
                          : (crank_mo_value){0};
}

static crank_mo_value array(crank_mo_flattener *f, const crank_mo_scope *scope,
                            const crank_mo_expression *e)
{
    crank_mo_value *list = crank_mo_new(f, (size_t)e->count, sizeof *list);
    for (int k = 0; k < e->count && crank_mo_ok(f); k++) {
        list[k] = crank_mo_translate(f, scope, e->item[k]);
    }
    return crank_mo_ok(f) ? crank_mo_stack(f, 1, &e->count, list, e->place)
                          : (crank_mo_value){0};
}

crank_mo_value crank_mo_translate_array(crank_mo_flattener *f, const crank_mo_scope *scope,
                                        const crank_mo_expression *e)
{
    return e->kind == CRANK_MO_RANGE    ? range(f, scope, e)
           : e->kind == CRANK_MO_MATRIX ? matrix(f, scope, e)
           : e->kind == CRANK_MO_EACH   ? each(f, scope, e, e->count - 1)
                                        : array(f, scope, e);
}
