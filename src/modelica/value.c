/* value.c - see value.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include <stdio.h>
#include <string.h>

const char *crank_mo_describe(const crank_mo_value *v, char *text, size_t size)
{
    static const char *const words[] = {
        [CRANK_MO_IS_REAL] = "Real",       [CRANK_MO_IS_INTEGER] = "Integer",
        [CRANK_MO_IS_BOOLEAN] = "Boolean", [CRANK_MO_IS_ENUMERATION] = "enumeration",
        [CRANK_MO_IS_STRING] = "String",   [CRANK_MO_IS_RECORD] = "record"};
    int used = snprintf(text, size, "%.40s", v->of != NULL ? v->of->name : words[v->type]);
    for (int i = 0; i < v->rank && used > 0 && (size_t)used < size; i++) {
        used += snprintf(text + used, size - (size_t)used, "%s%d%s", i == 0 ? "[" : ", ",
                         v->size[i], i + 1 == v->rank ? "]" : "");
    }
    return text;
}

bool crank_mo_value_take(crank_mo_flattener *f, crank_mo_value *v, crank_mo_place place)
{
    long count = 1;
    for (int i = 0; i < v->rank; i++) {
        count *= v->size[i];
        if (count > CRANK_MO_ENTRIES) {
            (void)crank_mo_fail_at(f, place, "an array of more than %d entries",
                                   CRANK_MO_ENTRIES);
            return false;
        }
    }
    v->count = (int)count;
    v->ex = crank_mo_new(f, (size_t)count, sizeof *v->ex);
    return v->ex != NULL;
}

crank_mo_value crank_mo_scalar(crank_mo_flattener *f, crank_mo_type type, crank_ex ex)
{
    crank_mo_value v = {.type = type};
    if (crank_mo_value_take(f, &v, (crank_mo_place){0})) {
        v.ex[0] = ex;
    }
    return v;
}

crank_mo_value crank_mo_number_value(crank_mo_flattener *f, crank_mo_type type, double number)
{
    return crank_mo_scalar(f, type, crank_ex_number(f->pool, number));
}

bool crank_mo_same_shape(const crank_mo_value *a, const crank_mo_value *b)
{
    return a->rank == b->rank &&
           memcmp(a->size, b->size, (size_t)a->rank * sizeof *a->size) == 0;
}

crank_mo_value *crank_mo_field(const crank_mo_value *v, const char *name)
{
    for (int i = 0; i < v->field_count; i++) {
        if (strcmp(v->field_name[i], name) == 0) {
            return &v->field[i];
        }
    }
    return NULL;
}

crank_mo_value crank_mo_copy(crank_mo_flattener *f, const crank_mo_value *v)
{
    crank_mo_value copy = *v;
    if (v->field_count > 0) {
        copy.field = crank_mo_new(f, (size_t)v->field_count, sizeof *copy.field);
        for (int i = 0; i < v->field_count && crank_mo_ok(f); i++) {
            copy.field[i] = crank_mo_copy(f, &v->field[i]);
        }
    }
    if (v->ex != NULL) {
        copy.ex = crank_mo_new(f, (size_t)v->count, sizeof *copy.ex);
        if (copy.ex != NULL) {
            memcpy(copy.ex, v->ex, (size_t)v->count * sizeof *v->ex);
        }
    }
    return copy;
}

crank_mo_value crank_mo_fill(crank_mo_flattener *f, const crank_mo_value *v, crank_ex entry)
{
    crank_mo_value filled = crank_mo_copy(f, v);
    for (int i = 0; i < v->field_count && crank_mo_ok(f); i++) {
        filled.field[i] = crank_mo_fill(f, &v->field[i], entry);
    }
    for (int k = 0; k < v->count && v->ex != NULL && crank_mo_ok(f); k++) {
        filled.ex[k] = entry;
    }
    return filled;
}

/* fields of records one by one: the k-th of each */
static const crank_mo_value *gather(crank_mo_flattener *f, int count,
                                    const crank_mo_value *items, int k)
{
    crank_mo_value *list = crank_mo_new(f, (size_t)count, sizeof *list);
    for (int i = 0; i < count && list != NULL; i++) {
        list[i] = items[i].field[k];
    }
    return list;
}

crank_mo_value crank_mo_stack(crank_mo_flattener *f, int rank, const int *size,
                              const crank_mo_value *items, crank_mo_place place)
{
    int count = 1;
    crank_mo_value v = {0};
    for (int i = 0; i < rank; i++) {
        count *= size[i];
    }
    if (count > 0) {
        v = items[0];
    }
    if (v.rank + rank > CRANK_MO_RANK) {
        (void)crank_mo_fail_at(f, place, "an array of more than %d dimensions", CRANK_MO_RANK);
        return v;
    }
    memmove(v.size + rank, v.size, (size_t)v.rank * sizeof *v.size);
    memcpy(v.size, size, (size_t)rank * sizeof *size);
    v.rank += rank;
    for (int i = 0; i < count; i++) {
        const bool mixed = items[i].type != v.type && (items[i].type > CRANK_MO_IS_INTEGER ||
                                                       v.type > CRANK_MO_IS_INTEGER);
        if (!crank_mo_same_shape(&items[0], &items[i]) || mixed ||
            items[i].type == CRANK_MO_IS_STRING) {
            char one[80], other[80];
            (void)crank_mo_fail_at(f, place, "an array of %s and %s",
                                   crank_mo_describe(&items[0], one, sizeof one),
                                   crank_mo_describe(&items[i], other, sizeof other));
            return v;
        }
        v.type = items[i].type < v.type ? items[i].type : v.type; /* Real, if one is */
    }
    if (v.type == CRANK_MO_IS_RECORD) {
        v.field = crank_mo_new(f, (size_t)v.field_count, sizeof *v.field);
        for (int k = 0; k < v.field_count && crank_mo_ok(f); k++) {
            const crank_mo_value *list = gather(f, count, items, k);
            if (list != NULL) {
                v.field[k] = crank_mo_stack(f, rank, size, list, place);
            }
        }
        v.count *= count;
        return v;
    }
    if (crank_mo_value_take(f, &v, place)) {
        const int each = count > 0 ? v.count / count : 0;
        for (int i = 0; i < count && each > 0; i++) {
            memcpy(v.ex + (size_t)i * (size_t)each, items[i].ex, (size_t)each * sizeof *v.ex);
        }
    }
    return v;
}

/* ---- subscripts ---- */

/* numbers of the entries that subscripts choose, in the order of the result, whose shape is put
 * into *shape; NULL: an error */
static int *choose(crank_mo_flattener *f, const crank_mo_value *v, int count,
                   const crank_mo_subscript *s, crank_mo_value *shape, crank_mo_place place)
{
    int stride[CRANK_MO_RANK], number[CRANK_MO_RANK], at[CRANK_MO_RANK] = {0};
    long total = 1;
    if (count > v->rank) {
        char text[80];
        (void)crank_mo_fail_at(f, place, "%d subscripts of %s", count,
                               crank_mo_describe(v, text, sizeof text));
        return NULL;
    }
    for (int d = v->rank - 1, next = 1; d >= 0; d--) {
        stride[d] = next;
        next *= v->size[d];
    }
    *shape = *v;
    shape->rank = 0;
    for (int d = 0; d < v->rank; d++) {
        const bool all = d >= count || s[d].all;
        number[d] = all ? v->size[d] : s[d].count;
        total *= number[d];
        if (all || s[d].list) {
            shape->size[shape->rank++] = number[d];
        }
        for (int k = 0; !all && k < s[d].count; k++) {
            if (s[d].index[k] < 1 || s[d].index[k] > v->size[d]) {
                (void)crank_mo_fail_at(f, place, "subscript %d is not in 1 .. %d",
                                       s[d].index[k], v->size[d]);
                return NULL;
            }
        }
    }
    if (total > CRANK_MO_ENTRIES) {
        (void)crank_mo_fail_at(f, place, "an array of more than %d entries", CRANK_MO_ENTRIES);
        return NULL;
    }
    int *entry = crank_mo_new(f, (size_t)total, sizeof *entry);
    for (long k = 0; k < total && entry != NULL; k++) {
        for (int d = 0; d < v->rank; d++) {
            const bool all = d >= count || s[d].all;
            entry[k] += stride[d] * (all ? at[d] : s[d].index[at[d]] - 1);
        }
        for (int d = v->rank - 1; d >= 0 && ++at[d] == number[d]; d--) {
            at[d] = 0;
        }
    }
    shape->count = (int)total;
    return entry;
}

crank_mo_value crank_mo_take(crank_mo_flattener *f, const crank_mo_value *v, int count,
                             const crank_mo_subscript *subscripts, crank_mo_place place)
{
    crank_mo_value out = *v;
    if (count == 0 || !crank_mo_ok(f)) {
        return out;
    }
    if (v->type == CRANK_MO_IS_RECORD) {
        crank_mo_value shape = *v;
        shape.count = 1;
        const int *entry = choose(f, v, count, subscripts, &shape, place);
        out = shape;
        out.field = crank_mo_new(f, (size_t)v->field_count, sizeof *out.field);
        for (int k = 0; entry != NULL && k < v->field_count && crank_mo_ok(f); k++) {
            out.field[k] = crank_mo_take(f, &v->field[k], count, subscripts, place);
        }
        return out;
    }
    const int *entry = choose(f, v, count, subscripts, &out, place);
    if (entry != NULL && v->ex != NULL && crank_mo_value_take(f, &out, place)) {
        for (int k = 0; k < out.count; k++) {
            out.ex[k] = v->ex[entry[k]];
        }
    }
    return out;
}

void crank_mo_put(crank_mo_flattener *f, crank_mo_value *v, int count,
                  const crank_mo_subscript *subscripts, const crank_mo_value *part,
                  crank_mo_place place)
{
    crank_mo_value shape;
    const int *entry = choose(f, v, count, subscripts, &shape, place);
    if (entry == NULL) {
        return;
    }
    if (!crank_mo_same_shape(&shape, part) ||
        (v->type == CRANK_MO_IS_RECORD) != (part->type == CRANK_MO_IS_RECORD)) {
        char one[80], other[80];
        (void)crank_mo_fail_at(f, place, "%s where %s is expected",
                               crank_mo_describe(part, one, sizeof one),
                               crank_mo_describe(&shape, other, sizeof other));
        return;
    }
    if (v->type == CRANK_MO_IS_RECORD) {
        for (int k = 0; k < v->field_count && crank_mo_ok(f); k++) {
            const crank_mo_value *from = crank_mo_field(part, v->field_name[k]);
            if (from != NULL) {
                crank_mo_put(f, &v->field[k], count, subscripts, from, place);
            }
        }
        return;
    }
    for (int k = 0; k < shape.count && v->ex != NULL; k++) {
        v->ex[entry[k]] = part->ex[k];
    }
}
