/* rotating.c - closed loops in the plane, see rotating.h. Places of G: two rows for each vector
 * and coordinate of its angle, then one for each line. Places of the Hessian: the pairs of
 * coordinates of each vector. */
// SPDX-License-Identifier: BSD-3-Clause
#include "rotating.h"

#include <math.h>
#include <string.h>

static int coordinates(const rotating_vector *vector)
{
    return vector->second < 0 ? 1 : 2;
}

static double angle_rate(const rotating_vector *vector, const double *v)
{
    return vector->second < 0 ? v[vector->first] : v[vector->first] + v[vector->second];
}

static void find_places(const rotating *loops, places *jacobian, places *hessian)
{
    int entries = loops->lines, pairs = 0;
    for (int i = 0; i < loops->vectors; i++) {
        const int count = coordinates(&loops->vector[i]);
        entries += 2 * count;
        pairs += count * count;
    }
    *jacobian = places_make(entries);
    *hessian = places_make(pairs);
    int k = 0, h = 0;
    for (int i = 0; i < loops->vectors; i++) {
        const rotating_vector *vector = &loops->vector[i];
        const int count = coordinates(vector), column[2] = {vector->first, vector->second};
        for (int a = 0; a < count; a++) {
            for (int row = 0; row < 2; row++, k++) {
                jacobian->row[k] = 2 * vector->pair + row;
                jacobian->column[k] = column[a];
            }
            for (int b = 0; b < count; b++, h++) {
                hessian->row[h] = column[a];
                hessian->column[h] = column[b];
            }
        }
    }
    for (int i = 0; i < loops->lines; i++, k++) {
        jacobian->row[k] = loops->line[i].row;
        jacobian->column[k] = loops->line[i].coordinate;
    }
}

void rotating_place(const rotating *loops)
{
    double last = HUGE_VAL, sine = 0, cosine = 1;
    for (int i = 0; i < loops->vectors; i++) {
        const rotating_vector *vector = &loops->vector[i];
        const double angle = angle_rate(vector, loops->q);
        if (angle != last) { /* vectors of one angle stand together */
            sine = sin(angle);
            cosine = cos(angle);
            last = angle;
        }
        loops->turned[2 * i] = vector->c * cosine - vector->s * sine;
        loops->turned[2 * i + 1] = vector->c * sine + vector->s * cosine;
    }
}

static void constraint(const mechanics *self, double *g)
{
    const rotating *loops = self->own;
    memcpy(g, loops->constant, (size_t)loops->rows * sizeof *g);
    for (int i = 0; i < loops->lines; i++)
        g[loops->line[i].row] += loops->line[i].factor * loops->q[loops->line[i].coordinate];
    for (int i = 0; i < loops->vectors; i++) {
        g[2 * loops->vector[i].pair] += loops->turned[2 * i];
        g[2 * loops->vector[i].pair + 1] += loops->turned[2 * i + 1];
    }
}

/* factor (per vector, NULL: 1) times the vectors turned by a right angle, on the places of G;
 * lines as given */
static void turned_once(const rotating *loops, const double *v, int power, double line,
                        double *values)
{
    int k = 0;
    for (int i = 0; i < loops->vectors; i++) {
        double factor = 1;
        if (power) {
            const double rate = angle_rate(&loops->vector[i], v);
            factor = -rate * rate;
        }
        const double x = -factor * loops->turned[2 * i + 1], y = factor * loops->turned[2 * i];
        for (int a = 0; a < coordinates(&loops->vector[i]); a++, k += 2) {
            values[k] = x;
            values[k + 1] = y;
        }
    }
    for (int i = 0; i < loops->lines; i++, k++)
        values[k] = line * loops->line[i].factor;
}

static void jacobian_values(const mechanics *self, double *values)
{
    turned_once(self->own, NULL, 0, 1, values);
}

static void third(const mechanics *self, const double *v, double *values)
{
    turned_once(self->own, v, 2, 0, values);
}

static void curvature(const mechanics *self, const double *v, double *c)
{
    const rotating *loops = self->own;
    memset(c, 0, (size_t)loops->rows * sizeof *c);
    for (int i = 0; i < loops->vectors; i++) {
        const double rate = angle_rate(&loops->vector[i], v), factor = -rate * rate;
        c[2 * loops->vector[i].pair] += factor * loops->turned[2 * i];
        c[2 * loops->vector[i].pair + 1] += factor * loops->turned[2 * i + 1];
    }
}

static void curvature_rows(const mechanics *self, const double *v, double *values)
{
    const rotating *loops = self->own;
    int k = 0;
    for (int i = 0; i < loops->vectors; i++) {
        const double rate = angle_rate(&loops->vector[i], v);
        for (int a = 0; a < coordinates(&loops->vector[i]); a++, k += 2) {
            values[k] = -rate * loops->turned[2 * i];
            values[k + 1] = -rate * loops->turned[2 * i + 1];
        }
    }
    memset(values + k, 0, (size_t)loops->lines * sizeof *values);
}

static void curvature_sum(const mechanics *self, const double *mu, double *values)
{
    const rotating *loops = self->own;
    int k = 0;
    for (int i = 0; i < loops->vectors; i++) {
        const int pair = loops->vector[i].pair, count = coordinates(&loops->vector[i]);
        const double value = -(mu[2 * pair] * loops->turned[2 * i] +
                               mu[2 * pair + 1] * loops->turned[2 * i + 1]);
        for (int a = 0; a < count * count; a++)
            values[k++] = value;
    }
}

void rotating_attach(mechanics *self)
{
    find_places(self->own, &self->jacobian, &self->hessian);
    self->constraint = constraint;
    self->jacobian_values = jacobian_values;
    self->curvature = curvature;
    self->curvature_rows = curvature_rows;
    self->curvature_sum = curvature_sum;
    self->third = third;
}
