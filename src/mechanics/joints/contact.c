/* contact.c - expressions of the parameters of curves and surfaces, see contact.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joints/contact.h"

#include "linalg/rotation.h"

#include <string.h>

static const char *parameter_name(const crank_contact *c, int i)
{
    return c->count == 1 ? "s" : i == 0 ? "s1" : "s2";
}

crank_status crank_contact_begin(crank_contact *c, crank_builder *b, const crank_record *record,
                                 crank_owner owner, int count, crank_error *err)
{
    const crank_field *start = crank_record_find(record, "start");
    *c = (crank_contact){.b = b,
                         .pool = crank_build_pool(b),
                         .record = record,
                         .owner = owner,
                         .dimension = crank_build_mechanism(b)->dimension,
                         .count = count};
    if (start->count != count) {
        return crank_build_fail(record, "start", err, "%d numbers are given, %d needed",
                                start->count, count);
    }
    for (int i = 0; i < count; i++) {
        c->start[i] = start->number[i];
        c->s[i] = crank_build_contact(b, owner, parameter_name(c, i), c->start[i]);
    }
    return CRANK_OK;
}

crank_status crank_contact_resolve(const crank_contact *c, const char *key, int place,
                                   crank_ex out[3], crank_error *err)
{
    const crank_field *field = crank_record_find(c->record, key);
    crank_ex local[2] = {0, 0};
    for (int i = 0; i < c->count; i++) {
        local[i] = crank_ex_symbol(c->pool, parameter_name(c, i));
    }
    for (int k = 0; k < c->dimension; k++) {
        crank_status status = crank_build_resolve(c->b, c->record, field, field->ex[place + k],
                                                  c->count, local, c->s, &out[k], err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    return CRANK_OK;
}

void crank_contact_derivative(const crank_contact *c, const crank_ex a[3], int parameter,
                              crank_ex out[3])
{
    for (int k = 0; k < c->dimension; k++) {
        out[k] = crank_ex_derivative(c->pool, a[k], c->s[parameter]);
    }
}

void crank_contact_difference(const crank_contact *c, const crank_ex a[3], const crank_ex b[3],
                              crank_ex out[3])
{
    for (int k = 0; k < c->dimension; k++) {
        out[k] = crank_ex_sub(c->pool, a[k], b[k]);
    }
}

crank_ex crank_contact_dot(const crank_contact *c, const crank_ex a[3], const crank_ex b[3])
{
    crank_ex sum = crank_ex_mul(c->pool, a[0], b[0]);
    for (int k = 1; k < c->dimension; k++) {
        sum = crank_ex_add(c->pool, sum, crank_ex_mul(c->pool, a[k], b[k]));
    }
    return sum;
}

void crank_contact_cross(const crank_contact *c, const crank_ex a[3], const crank_ex b[3],
                         crank_ex out[3])
{
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = crank_ex_sub(c->pool, crank_ex_mul(c->pool, a[i], b[j]),
                              crank_ex_mul(c->pool, a[j], b[i]));
    }
}

bool crank_contact_evaluate(const crank_contact *c, const crank_ex a[3], const double s[2],
                            double out[3])
{
    crank_ex symbol[3] = {crank_build_mechanism(c->b)->t, 0, 0};
    crank_ex value[3] = {crank_ex_number(c->pool, 0.0), 0, 0};
    for (int i = 0; i < c->count; i++) {
        symbol[1 + i] = c->s[i];
        value[1 + i] = crank_ex_number(c->pool, s[i]);
    }
    out[0] = out[1] = out[2] = 0.0;
    for (int k = 0; k < c->dimension; k++) {
        crank_ex e = crank_ex_substitute(c->pool, a[k], 1 + c->count, symbol, value);
        if (!crank_ex_is_number(c->pool, e, &out[k]) || !isfinite(out[k])) {
            return false;
        }
    }
    return true;
}

enum { ROUND = 96, OPEN = 60 }; /* pieces of a closed curve; of an open one to each side */

/* C with the parameter moved by ds from the start. */
static bool place(const crank_contact *c, const crank_ex C[3], int parameter, double ds,
                  double out[3])
{
    double s[2] = {c->start[0], c->start[1]};
    s[parameter] += ds;
    return crank_contact_evaluate(c, C, s, out);
}

static bool closes(const crank_contact *c, const crank_ex C[3], int parameter)
{
    static const double turn = 6.283185307179586;
    double a[3], b[3], half[3], d[3];
    if (!place(c, C, parameter, 0.0, a) || !place(c, C, parameter, turn, b) ||
        !place(c, C, parameter, 0.5 * turn, half)) {
        return false;
    }
    crank_add3(memcpy(d, b, sizeof d), -1.0, a);
    crank_add3(half, -1.0, a);
    return crank_norm3(d) < 1e-9 * crank_norm3(half);
}

void crank_contact_draw(const crank_contact *c, const crank_ex C[3], int parameter, int body)
{
    static const double turn = 6.283185307179586;
    double(*point)[3], sample[2 * OPEN + 1][3], T[3];
    crank_ex tangent[3];
    if (closes(c, C, parameter)) {
        point = crank_build_draw_curve(c->b, c->record->name, body, ROUND + 1);
        for (int i = 0; i <= ROUND && point != NULL; i++) {
            (void)place(c, C, parameter, turn * i / ROUND, point[i]);
        }
        return;
    }
    crank_contact_derivative(c, C, parameter, tangent);
    if (!crank_contact_evaluate(c, tangent, c->start, T) || !(crank_norm3(T) > 0.0)) {
        return; /* it depends on more */
    }
    const double reach = 2.0 * crank_build_natural_length(c->b) / crank_norm3(T);
    int first = OPEN, last = OPEN;
    while (first > 0 &&
           place(c, C, parameter, reach * (first - 1 - OPEN) / OPEN, sample[first - 1])) {
        first--;
    }
    (void)place(c, C, parameter, 0.0, sample[OPEN]);
    while (last < 2 * OPEN &&
           place(c, C, parameter, reach * (last + 1 - OPEN) / OPEN, sample[last + 1])) {
        last++;
    }
    point = last > first ? crank_build_draw_curve(c->b, c->record->name, body, last - first + 1)
                         : NULL;
    if (point != NULL) {
        memcpy(point, sample[first], (size_t)(last - first + 1) * sizeof *point);
    }
}

void crank_contact_measure(const crank_contact *c, const crank_ex C[3], int parameter)
{
    crank_ex first[3], second[3];
    double T[3], bend[3];
    crank_contact_derivative(c, C, parameter, first);
    crank_contact_derivative(c, first, parameter, second);
    if (crank_contact_evaluate(c, first, c->start, T) && crank_norm3(T) > 0.0 &&
        crank_contact_evaluate(c, second, c->start, bend)) {
        const double speed = crank_norm3(T);
        crank_build_contact_pace(c->b, c->s[parameter], speed, crank_norm3(bend) / speed);
    }
}

crank_status crank_contact_size(const crank_contact *c, const char *key, const char *what,
                                const crank_ex a[3], double *size, crank_error *err)
{
    double value[3];
    *size = crank_contact_evaluate(c, a, c->start, value) ? crank_norm3(value) : 1.0;
    if (!(*size > 0.0)) {
        return crank_build_fail(c->record, key, err, "the %s vanishes at the start, s = %g",
                                what, c->start[0]);
    }
    return CRANK_OK;
}

crank_status crank_contact_row(const crank_contact *c, const crank_ex a[3], const crank_ex d[3],
                               double size, const char *row, crank_ex *lambda, crank_error *err)
{
    crank_ex g =
        crank_ex_mul(c->pool, crank_ex_number(c->pool, 1.0 / size), crank_contact_dot(c, a, d));
    return crank_build_holonomic(c->b, c->owner, g, row, lambda, err);
}
