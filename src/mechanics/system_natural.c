/* system_natural.c - the length and the time that are natural to a mechanism, from its file
 * alone. theory (3.19).
 *
 *     L: twice the root mean square of the radii of gyration of bodies and of the arms from
 *        their centres of mass to the points by which joints and forces hold them: how far
 *        bodies extend; without any, of the distances between what is in the model; without
 *        these, of the ways |v|^2/|gravity|, |v|/|omega| of the velocities given for the
 *        start, and from the origin
 *     1/T^2 = max(|gravity|/L, |v|^2/L^2, |omega|^2) with the velocities given for the start,
 *        unless they are rounding
 * Where bodies stand within the world does not matter, nor do angles, nor outputs. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/system.h"

#include "linalg/rotation.h"

#include <float.h>
#include <math.h>

typedef struct mean {
    double sum;
    int count;
} mean;

static void take(mean *m, double square)
{
    if (square > 0.0 && isfinite(square)) {
        m->sum += square;
        m->count++;
    }
}

/* twice the root mean square */
static double extent(const mean *m)
{
    return 2.0 * sqrt(m->sum / m->count);
}

static void take_radii(const crank_builder *b, mean *lengths)
{
    for (int i = 0; i < b->mechanism->body_count; i++) {
        const crank_body_record *r = &b->mechanism->body[i];
        const crank_body_kind kind = b->kind[i];
        const bool turns = kind == CRANK_BODY_SPATIAL || kind == CRANK_BODY_PLANAR;
        const double inertia = kind == CRANK_BODY_SPATIAL
                                   ? (r->inertia[0] + r->inertia[4] + r->inertia[8]) / 3.0
                                   : r->inertia[8];
        take(lengths, turns && r->mass > 0.0 ? inertia / r->mass : 0.0);
    }
}

/* A velocity that leads nowhere in the time of the file, beside the rounding of a length, is
 * rounding itself. */
static double seen(double speed, double length, const crank_mechanism *m)
{
    const double span = m->simulate.t_end - m->simulate.t_start;
    return span > 0.0 && speed * span <= DBL_EPSILON * length ? 0.0 : speed;
}

/* L/T^2 with a given length (0: not known), which gravity alone is without one; 0: nothing
 * tells */
static double acceleration(const crank_builder *b, double L)
{
    const crank_mechanism *m = b->mechanism;
    double most = crank_norm3(m->gravity);
    for (int i = 0; i < m->body_count && L > 0.0; i++) {
        const double speed = seen(crank_norm3(b->start[i].v), L, m);
        const double spin = seen(crank_norm3(b->start[i].omega), 1.0, m);
        most = fmax(most, fmax(speed * speed / L, spin * spin * L));
    }
    return most;
}

static void take_arms(const crank_vector *vector, mean *lengths)
{
    for (int i = 0; i < vector->count; i++) {
        const crank_marker *marker = &vector->marker[i];
        if (marker->point && marker->body >= 0) {
            take(lengths, crank_dot3(marker->u, marker->u));
        }
    }
}

/* point masses have no arms: how far they are apart, from the first of them */
static void take_bodies(const crank_builder *b, mean *lengths)
{
    for (int i = 1; i < b->mechanism->body_count; i++) {
        double away[3] = {b->start[i].x[0], b->start[i].x[1], b->start[i].x[2]};
        crank_add3(away, -1.0, b->start[0].x);
        take(lengths, crank_dot3(away, away));
    }
}

/* and points of the ground from it */
static void take_ground(const crank_system *s, const crank_builder *b, mean *lengths)
{
    const double *first = b->mechanism->body_count > 0 ? b->start[0].x : NULL;
    for (int i = 0; i < b->moving && first != NULL; i++) {
        const crank_vector *const vectors[] = {&s->primitive[i].a, &s->primitive[i].b};
        for (int k = 0; k < 2; k++) {
            for (int l = 0; l < vectors[k]->count; l++) {
                const crank_marker *marker = &vectors[k]->marker[l];
                double away[3] = {marker->u[0], marker->u[1], marker->u[2]};
                crank_add3(away, -1.0, first);
                take(lengths, marker->point && marker->body < 0 ? crank_dot3(away, away) : 0.0);
            }
        }
    }
}

/* Bodies without extent, in one point: how far they fall, or turn, at the velocities given, and
 * how far they are from the origin; the largest decides. */
static void take_ways(const crank_builder *b, mean *lengths)
{
    const double gravity = crank_norm3(b->mechanism->gravity);
    for (int i = 0; i < b->mechanism->body_count; i++) {
        const double speed = crank_norm3(b->start[i].v), spin = crank_norm3(b->start[i].omega);
        const double fall = speed * speed / gravity, turn = speed / spin;
        take(lengths, fall * fall); /* not finite: there is none */
        take(lengths, turn * turn);
        take(lengths, crank_dot3(b->start[i].x, b->start[i].x));
    }
}

void crank_system_natural(const crank_system *s, const crank_builder *b, double *length,
                          double *time)
{
    mean lengths = {0};
    take_radii(b, &lengths);
    for (int i = 0; i < b->moving; i++) {
        take_arms(&s->primitive[i].a, &lengths);
        take_arms(&s->primitive[i].b, &lengths);
    }
    if (lengths.count == 0) {
        take_bodies(b, &lengths);
        take_ground(s, b, &lengths);
    }
    if (lengths.count == 0) {
        take_ways(b, &lengths);
    }
    const double L = lengths.count > 0 ? extent(&lengths) : 1.0; /* else nothing has a length */
    const double most = acceleration(b, L);
    *length = L;
    *time = most > 0.0 ? sqrt(L / most) : 0.0;
}

double crank_build_natural_length(const crank_builder *b)
{
    mean lengths = {0};
    take_radii(b, &lengths);
    if (lengths.count == 0) {
        take_bodies(b, &lengths);
    }
    return lengths.count > 0 ? extent(&lengths) : 0.0;
}

static double largest_mass(const crank_builder *b)
{
    double mass = 0.0;
    for (int i = 0; i < b->mechanism->body_count; i++) {
        mass = fmax(mass, b->mechanism->body[i].mass);
    }
    return mass;
}

double crank_build_weight(const crank_builder *b)
{
    return largest_mass(b) * crank_norm3(b->mechanism->gravity);
}

double crank_build_natural_force(const crank_builder *b)
{
    return largest_mass(b) * acceleration(b, crank_build_natural_length(b));
}
