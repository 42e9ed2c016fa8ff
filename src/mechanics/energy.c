/* energy.c - kinetic and potential energy, and the work that leaves and enters, theory (7.23),
 * (7.24).
 *
 * Dissipated and supplied work are integrals of the powers that elements state. Constraints
 * that move by themselves do work, too: with gI = G v + g0 the force -G^T lambda has the power
 * -lambda G v = lambda g0; one on velocities, h = H v + h0, has mu h0; a potential V(y, t)
 * takes V_t from outside. With `energy: true` each element that has powers carries their
 * integrals as unknowns r, so that the rows stay as sparse as the elements. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "mechanics/build_inside.h"
#include "mechanics/output.h"

#include <stdlib.h>

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "energy balance");
}

/* ---- powers of constraints ---- */

/* e with all rates of primitives set to zero */
static crank_ex without_rates(crank_builder *b, crank_ex e)
{
    int found = 0, count = 0;
    crank_ex *symbol = crank_build_symbols(b, e, &found);
    crank_ex *zero = malloc(((size_t)found + 1) * sizeof *zero);
    b->failed = b->failed || zero == NULL;
    for (int i = 0; i < found && !b->failed; i++) {
        if (crank_build_symbol(b, symbol[i]).kind == CRANK_SYMBOL_RATE) {
            symbol[count] = symbol[i];
            zero[count++] = crank_ex_number(b->pool, 0.0);
        }
    }
    if (count > 0 && !b->failed) {
        e = crank_ex_substitute(b->pool, e, count, symbol, zero);
    }
    free(symbol);
    free(zero);
    return e;
}

/* Constraints and potentials that change with time by themselves. */
static crank_status moving_powers(crank_builder *b, crank_error *err)
{
    const crank_ex t = b->mechanism->t;
    const int works = b->work.count;
    for (int i = 0; i < b->holonomic.count && !b->failed; i++) {
        const crank_constraint *c = &b->holonomic.item[i];
        if (c->primitive < 0) {
            const crank_ex g0 = without_rates(b, crank_build_time_derivative(b, c->ex));
            crank_build_supplied(b, c->owner, crank_ex_mul(b->pool, c->multiplier, g0));
        }
    }
    for (int i = 0; i < b->nonholonomic.count && !b->failed; i++) {
        const crank_constraint *c = &b->nonholonomic.item[i];
        const crank_ex h0 = without_rates(b, c->ex);
        crank_build_supplied(b, c->owner, crank_ex_mul(b->pool, c->multiplier, h0));
    }
    for (int i = 0; i < works && !b->failed; i++) {
        const crank_work work = b->work.item[i];
        if (work.kind == CRANK_WORK_POTENTIAL) {
            crank_build_supplied(b, work.owner, crank_ex_derivative(b->pool, work.ex, t));
        }
    }
    return b->failed ? no_memory(err) : CRANK_OK;
}

/* ---- integrals ---- */

static int compare_works(const void *a, const void *b)
{
    const crank_work *x = a, *y = b;
    const int first[3] = {(int)x->owner.kind, x->owner.index, (int)x->kind};
    const int second[3] = {(int)y->owner.kind, y->owner.index, (int)y->kind};
    int i = 0;
    while (i < 2 && first[i] == second[i]) {
        i++;
    }
    return (first[i] > second[i]) - (first[i] < second[i]);
}

/* works of one owner and kind, which follow one another, become one unknown */
static crank_status carry(crank_builder *b, int first, int last, crank_error *err)
{
    const crank_work_kind kind = b->work.item[first].kind;
    const crank_owner owner = b->work.item[first].owner;
    crank_ex power = crank_ex_number(b->pool, 0.0);
    for (int i = first; i < last; i++) {
        power = crank_ex_add(b->pool, power, b->work.item[i].ex);
    }
    const char *what = kind == CRANK_WORK_DISSIPATED ? "dissipated" : "supplied";
    const char *name =
        owner.kind != CRANK_OWNER_EQUATION
            ? what /* force.damper.dissipated */
            : crank_store_print(b->store, "equation%d.%s", owner.index + 1, what);
    if (name == NULL) {
        return no_memory(err);
    }
    const crank_ex symbol = crank_build_dynamic(b, owner, name, 0.0, CRANK_FIXED);
    return symbol < 0 ? no_memory(err) : crank_build_dynamic_rate(b, owner, symbol, power, err);
}

crank_status crank_energy_build(crank_builder *b, crank_energy_work *made, crank_error *err)
{
    crank_status status = CRANK_OK;
    *made = (crank_energy_work){.first = b->dynamic.count};
    b->first_work = b->dynamic.count;
    if (!b->mechanism->energy) {
        return CRANK_OK;
    }
    status = moving_powers(b, err);
    if (b->work.count > 0) {
        qsort(b->work.item, (size_t)b->work.count, sizeof *b->work.item, compare_works);
    }
    bool *dissipated = crank_store_take(b->store, (size_t)b->work.count, sizeof *dissipated);
    made->dissipated = dissipated;
    if (dissipated == NULL) {
        return no_memory(err);
    }
    for (int i = 0; i < b->work.count && status == CRANK_OK;) {
        const crank_work *work = &b->work.item[i];
        int last = i + 1;
        while (last < b->work.count && b->work.item[last].kind == work->kind &&
               crank_owner_same(b->work.item[last].owner, work->owner)) {
            last++;
        }
        if (work->kind > CRANK_WORK_POTENTIAL) {
            dissipated[b->dynamic.count - made->first] = work->kind == CRANK_WORK_DISSIPATED;
            status = carry(b, i, last, err);
        }
        i = last;
    }
    return b->failed ? no_memory(err) : status;
}

/* ---- energies of bodies ---- */

double crank_energy_kinetic(const crank_system *s)
{
    double sum = 0.0;
    for (int i = 0; i < s->body_count; i++) {
        const crank_body *b = &s->body[i];
        const crank_body_state *q = &s->state[i];
        double h[3];
        crank_mat3_times(h, b->inertia, q->omega);
        sum += 0.5 * b->mass * crank_dot3(q->v, q->v) + 0.5 * crank_dot3(h, q->omega);
    }
    return sum;
}

double crank_energy_gravity(const crank_system *s)
{
    double sum = 0.0;
    for (int i = 0; i < s->body_count; i++) {
        sum -= s->body[i].mass * crank_dot3(s->gravity, s->state[i].x);
    }
    return sum;
}
