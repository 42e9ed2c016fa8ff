/* build_reactions.c - the reaction of a joint as an expression: joint.NAME.fx ... tz, what
 * reactions.c finds as a number.
 *
 * The multipliers exert an effort e along the rate of each primitive of the joint: e = -lambda
 * for rows "primitive = constant", else -lambda dgI/dy' and -mu dh/dy', theory (7.18). Let the
 * second body move with velocity v of the joint's point P and turn with w. A vector that the
 * primitive is made of has the rate v + w x (r - P) for a point r of the body, w x d for a
 * direction d of it, so that by e (rate of y) = F . v + T . w the product y = a . b gives
 *     F = e (sum of points of a in the body, with their signs) b, and the same with a and b
 *     exchanged;  T = e ((r - P) x b) or e (d x b), theory (7.28)
 * a slide a . b' has the part of b only, a turn a . (omega_2 - omega_1) has T = e a. Components
 * along the axes f_k in which reactions are given are products with f_k again. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/build_inside.h"

#include "linalg/rotation.h"

#include <stdlib.h>
#include <string.h>

typedef struct making {
    crank_builder *b;
    int target;      /* the body on which forces are summed */
    crank_marker at; /* P */
    crank_marker f[3];
    bool torque;
    int axis;     /* which component */
    crank_ex sum; /* of it so far */
} making;

/* ---- components ---- */

static bool is_fixed(const crank_vector *vector)
{
    return vector->marker[0].body < 0 && (vector->count == 1 || vector->marker[1].body < 0);
}

/* vector . f_k */
static crank_ex component(const making *m, crank_vector vector, int k)
{
    const crank_marker *f = &m->f[k];
    if (is_fixed(&vector) && f->body < 0) {
        double u[3];
        memcpy(u, vector.marker[0].u, sizeof u);
        if (vector.count == 2) {
            crank_add3(u, -1.0, vector.marker[1].u);
        }
        return crank_ex_number(m->b->pool, crank_dot3(u, f->u));
    }
    return crank_build_value(m->b, crank_build_product(m->b, crank_vector_of(*f), vector));
}

static void add(making *m, double sign, crank_ex effort, crank_ex part)
{
    crank_pool *pool = m->b->pool;
    const crank_ex term = crank_ex_mul(pool, effort, part);
    m->sum = sign > 0.0 ? crank_ex_add(pool, m->sum, term) : crank_ex_sub(pool, m->sum, term);
}

/* ---- what a primitive exerts ---- */

static bool same_place(const crank_marker *a, const crank_marker *b)
{
    return a->body == b->body && a->u[0] == b->u[0] && a->u[1] == b->u[1] && a->u[2] == b->u[2];
}

/* (r - P) x other, or d x other, along the axis wanted */
static void add_moment(making *m, crank_marker marker, double sign, crank_ex effort,
                       crank_vector other)
{
    crank_pool *pool = m->b->pool;
    const int k = (m->axis + 1) % 3, l = (m->axis + 2) % 3;
    const crank_body_kind kind = m->b->kind[m->target];
    const bool turns = kind == CRANK_BODY_SPATIAL || kind == CRANK_BODY_PLANAR;
    if (!turns && !marker.point) {
        return;
    }
    if (!turns) { /* forces act at its centre */
        memset(marker.u, 0, sizeof marker.u);
    }
    if (marker.point && same_place(&marker, &m->at)) {
        return;
    }
    const crank_vector arm =
        marker.point ? crank_vector_between(m->at, marker) : crank_vector_of(marker);
    const crank_ex first = crank_ex_mul(pool, component(m, arm, k), component(m, other, l));
    const crank_ex second = crank_ex_mul(pool, component(m, arm, l), component(m, other, k));
    add(m, sign, effort, crank_ex_sub(pool, first, second));
}

/* the part of y = moving . other that comes from the body's share in `moving` */
static void add_product(making *m, crank_ex effort, crank_vector moving, crank_vector other)
{
    for (int i = 0; i < moving.count; i++) {
        const double sign = i == 0 ? 1.0 : -1.0;
        if (moving.marker[i].body != m->target) {
            continue;
        }
        if (m->torque) {
            add_moment(m, moving.marker[i], sign, effort, other);
        } else if (moving.marker[i].point) {
            add(m, sign, effort, component(m, other, m->axis));
        }
    }
}

static void add_turn(making *m, crank_ex effort, const crank_primitive *p)
{
    if (!m->torque || p->first == p->second) {
        return;
    }
    const double sign = p->second == m->target ? 1.0 : p->first == m->target ? -1.0 : 0.0;
    if (sign == 0.0) {
        return;
    }
    if (p->kind == CRANK_ANGLE) {
        add(m, sign, effort, crank_ex_number(m->b->pool, m->axis == 2 ? 1.0 : 0.0));
    } else {
        add(m, sign, effort, component(m, p->a, m->axis));
    }
}

static void add_primitive(making *m, int primitive, crank_ex effort)
{
    const crank_primitive p = m->b->primitive.item[primitive]; /* the list may move */
    switch (p.kind) {
    case CRANK_PRODUCT:
        add_product(m, effort, p.a, p.b);
        add_product(m, effort, p.b, p.a);
        break;
    case CRANK_SLIDE:
        add_product(m, effort, p.b, p.a);
        break;
    case CRANK_TURN:
    case CRANK_ANGLE:
        add_turn(m, effort, &p);
        break;
    }
}

/* ---- what the joint exerts ---- */

/* -multiplier dh/dy' along all primitives whose rates h contains */
static crank_status add_law(making *m, crank_ex h, crank_ex multiplier, crank_error *err)
{
    crank_builder *b = m->b;
    int count = 0;
    crank_ex *symbol = crank_build_symbols(b, h, &count);
    for (int i = 0; i < count; i++) {
        const crank_symbol s = crank_build_symbol(b, symbol[i]);
        if (s.kind == CRANK_SYMBOL_RATE) {
            const crank_ex part = crank_ex_derivative(b->pool, h, symbol[i]);
            add_primitive(m, s.index,
                          crank_ex_neg(b->pool, crank_ex_mul(b->pool, multiplier, part)));
        }
    }
    free(symbol);
    return crank_build_memory(b, err);
}

static crank_status add_joint(making *m, crank_owner owner, crank_error *err)
{
    crank_builder *b = m->b;
    crank_status status = CRANK_OK;
    for (int i = b->inside->last_row[owner.index]; i >= 0 && status == CRANK_OK;
         i = b->inside->row_before.item[i]) {
        const crank_constraint g = b->holonomic.item[i];
        if (g.primitive >= 0) {
            add_primitive(m, g.primitive, crank_ex_neg(b->pool, g.multiplier));
            continue;
        }
        crank_ex rate = -1;
        status = crank_build_differentiate(b, owner, g.ex, &rate, err);
        CRANK_THEN(status, add_law(m, rate, g.multiplier, err));
    }
    for (int i = 0; i < b->nonholonomic.count && status == CRANK_OK; i++) {
        const crank_constraint h = b->nonholonomic.item[i];
        if (crank_owner_same(h.owner, owner)) {
            status = add_law(m, h.ex, h.multiplier, err);
        }
    }
    return status;
}

crank_status crank_build_reaction(crank_builder *b, int joint, const char *quantity,
                                  crank_ex *out, crank_error *err)
{
    const crank_reaction *r = &b->reaction[joint];
    const bool planar = b->mechanism->dimension == 2;
    *out = -1;
    if (!r->given || (quantity[0] != 'f' && quantity[0] != 't') || quantity[1] < 'x' ||
        quantity[1] > 'z' || quantity[2] != '\0' ||
        (planar && (quantity[0] == 't') != (quantity[1] == 'z'))) {
        return CRANK_OK;
    }
    making m = {.b = b,
                .target = r->second >= 0 ? r->second : r->first,
                .at = r->at,
                .torque = quantity[0] == 't',
                .axis = quantity[1] - 'x',
                .sum = crank_ex_number(b->pool, 0.0)};
    crank_build_reaction_axes(b, r, m.f);
    const crank_status status =
        m.target >= 0 ? add_joint(&m, (crank_owner){CRANK_OWNER_JOINT, joint}, err) : CRANK_OK;
    if (status == CRANK_OK) {
        *out = r->second >= 0 ? m.sum : crank_ex_neg(b->pool, m.sum);
    }
    return status == CRANK_OK ? crank_build_memory(b, err) : status;
}
