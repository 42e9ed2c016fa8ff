/* equations_derive.c - what the equations hide: rates, constraint forces, hidden constraints
 * and accelerations, by symbolic differentiation.
 *
 *     p'  = Z v
 *     s'  = -c_s^-1 (c_p Z v + c_t)                      contact variables follow the positions
 *     gI  = g_p p' + g_s s' + g_t = G Z v + ...          velocity level
 *     f~  = f - (gI_v)^T lambda - (h_v)^T mu             since gI_v = G Z and h_v = H Z
 *     a   = M^-1 f~, or an unknown of its own with 0 = M a - f~
 *     gII = gI_p p' + gI_s s' + gI_v a + gI_t,  hI likewise      acceleration level
 *
 * In the notation of crank/eom.h, theory (1.1)-(1.9). Expressions are differentiated only by
 * the symbols they depend on. c_s and M are inverted block by block, see block_solve.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "model/equations/equations.h"
#include "model/table.h"

#include "model/dae/block_solve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    LARGEST_AUTO = 3, /* blocks of M up to this size are eliminated if the user does not say */
    LARGEST_CONTACT = 100 /* coupled contact equations */
};

typedef struct work {
    crank_equations *e;
    crank_hidden *out;
    crank_ex *symbols, *directions; /* one entry per name */
} work;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "deriving the equations of motion");
}

/* ---- values at points ---- */

/* reproducible numbers between 0.5 and 1.5 with both signs */
static double shake(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    const double u = (double)(*state >> 8) / 16777216.0;
    return u < 0.5 ? -0.5 - 2.0 * u : 2.0 * u - 0.5;
}

crank_status crank_equations_sample(crank_equations *e, int count, const crank_ex *ex,
                                    int shift, double *values, crank_error *err)
{
    int inputs = 1 + e->switched_count;
    for (int g = 0; g < CRANK_GROUPS; g++) {
        inputs += e->count[g];
    }
    crank_ex *symbol = malloc((size_t)inputs * sizeof *symbol);
    double *in = malloc((size_t)inputs * sizeof *in);
    double *scratch = NULL;
    crank_tape *tape = NULL;
    crank_status status = symbol != NULL && in != NULL ? CRANK_OK : no_memory(err);
    if (status == CRANK_OK) {
        unsigned state = (unsigned)shift;
        int k = 0;
        symbol[k] = e->t;
        in[k++] = e->simulate.t_start + (shift > 0 ? 0.1 * shake(&state) : 0.0);
        for (int g = 0; g < CRANK_GROUPS; g++) {
            for (int i = 0; i < e->count[g]; i++) {
                const double x = e->variable[g][i].start;
                symbol[k] = e->variable[g][i].symbol;
                in[k++] = x + (shift > 0 ? 0.2 * (1.0 + fabs(x)) * shake(&state) : 0.0);
            }
        }
        for (int i = 0; i < e->switched_count; i++) {
            symbol[k] = e->switched[i];
            (void)crank_ex_is_number(e->pool, e->switched_start[i], &in[k++]);
        }
        status = crank_tape_create(e->pool, inputs, symbol, count, ex, &tape, err);
    }
    if (status == CRANK_OK) {
        scratch = malloc(((size_t)crank_tape_work_size(tape, 1) + 1) * sizeof *scratch);
        status = scratch != NULL ? CRANK_OK : no_memory(err);
    }
    if (status == CRANK_OK) {
        crank_tape_evaluate(tape, 1, in, inputs, values, count, scratch);
    }
    crank_tape_destroy(tape);
    free(scratch);
    free(in);
    free(symbol);
    return status;
}

/* values of a matrix at the points at which pivots are judged */
static crank_status sample_entries(crank_equations *e, const crank_entries *a,
                                   double *value[CRANK_BLOCK_POINTS], crank_error *err)
{
    const size_t count = (size_t)a->count;
    crank_ex *ex = crank_store_take(e->store, count, sizeof *ex);
    if (ex == NULL) {
        (void)no_memory(err);
        return CRANK_EMEM;
    }
    for (size_t k = 0; k < count; k++) {
        ex[k] = a->entry[k].ex;
    }
    for (int q = 0; q < CRANK_BLOCK_POINTS; q++) {
        value[q] = crank_store_take(e->store, count, sizeof *value[q]);
        if (value[q] == NULL) {
            (void)no_memory(err);
            return CRANK_EMEM;
        }
        const crank_status status = crank_equations_sample(e, a->count, ex, q, value[q], err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    return CRANK_OK;
}

/* ---- derivatives along the motion ---- */

/* d/dt of an expression of p, v, s, t; contact = false leaves the part of s' out */
static crank_ex total_derivative(const work *w, crank_ex ex, bool contact)
{
    crank_equations *e = w->e;
    const int found = crank_ex_symbols(e->pool, ex, w->symbols, e->name_count);
    int count = 0;
    for (int k = 0; k < found; k++) {
        const crank_name *name = &e->name[w->symbols[k]];
        crank_ex direction = -1;
        if (name->kind == CRANK_NAME_TIME) {
            direction = crank_ex_number(e->pool, 1.0);
        } else if (name->kind == (int)CRANK_P) {
            direction = w->out->pdot[name->index];
        } else if (name->kind == (int)CRANK_S && contact) {
            direction = w->out->sdot[name->index];
        } else if (name->kind == (int)CRANK_V) {
            direction = w->out->vdot[name->index];
        }
        if (direction >= 0) {
            w->symbols[count] = w->symbols[k];
            w->directions[count++] = direction;
        }
    }
    return crank_ex_directional(e->pool, ex, count, w->symbols, w->directions);
}

static crank_status derive_positions(const work *w, crank_error *err)
{
    crank_equations *e = w->e;
    crank_pool *pool = e->pool;
    for (int i = 0; i < e->count[CRANK_P]; i++) {
        w->out->pdot[i] = crank_ex_number(pool, 0.0);
    }
    for (int k = 0; k < e->kinematics.count; k++) {
        const crank_entry *z = &e->kinematics.entry[k];
        const crank_ex term = crank_ex_mul(pool, z->ex, e->variable[CRANK_V][z->column].symbol);
        w->out->pdot[z->row] = crank_ex_add(pool, w->out->pdot[z->row], term);
    }
    return crank_pool_status(pool) == CRANK_OK ? CRANK_OK : no_memory(err);
}

/* entries of c_s; out->entry NULL: they are only counted */
static void differentiate_contact(const work *w, crank_entries *out)
{
    crank_equations *e = w->e;
    out->count = 0;
    for (int k = 0; k < e->count[CRANK_S]; k++) {
        const crank_ex c = e->variable[CRANK_S][k].equation;
        const int found = crank_ex_symbols(e->pool, c, w->symbols, e->name_count);
        for (int i = 0; i < found; i++) {
            const crank_name *name = &e->name[w->symbols[i]];
            if (name->kind != (int)CRANK_S) {
                continue;
            }
            const crank_ex part = crank_ex_derivative(e->pool, c, w->symbols[i]);
            if (!crank_ex_is_value(e->pool, part, 0.0) && out->entry != NULL) {
                out->entry[out->count] = (crank_entry){k, name->index, part};
            }
            out->count += !crank_ex_is_value(e->pool, part, 0.0);
        }
    }
}

/* c_s s' = -(c_p Z v + c_t) */
static crank_status derive_contact(const work *w, crank_error *err)
{
    crank_equations *e = w->e;
    const int ns = e->count[CRANK_S];
    crank_entries c_s = {0};
    crank_ex *rest = crank_store_take(e->store, (size_t)ns, sizeof *rest);
    differentiate_contact(w, &c_s);
    c_s.entry = crank_store_take(e->store, (size_t)c_s.count, sizeof *c_s.entry);
    if (rest == NULL || c_s.entry == NULL) {
        return no_memory(err);
    }
    differentiate_contact(w, &c_s);
    for (int k = 0; k < ns; k++) {
        const crank_ex c = e->variable[CRANK_S][k].equation;
        rest[k] = crank_ex_neg(e->pool, total_derivative(w, c, false));
    }
    crank_blocks blocks;
    double *value[CRANK_BLOCK_POINTS] = {0};
    crank_status status = crank_blocks_find(e->store, ns, &c_s, &blocks, err);
    if (status == CRANK_OK && blocks.largest > LARGEST_CONTACT) {
        return crank_fail(err, CRANK_EMODEL, "contact: %d coupled equations, at most %d",
                          blocks.largest, LARGEST_CONTACT);
    }
    CRANK_THEN(status, sample_entries(e, &c_s, value, err));
    CRANK_THEN(status, crank_blocks_solve(e->pool, &blocks, &c_s, value, CRANK_BLOCK_POINTS,
                                          rest, w->out->sdot, err));
    if (status == CRANK_OK && blocks.singular >= 0) {
        const crank_variable *s = &e->variable[CRANK_S][blocks.singular];
        return crank_fail_at(err, CRANK_EMODEL, s->key->line, s->key->column,
                             "contact \"%.80s\": the contact equations do not determine the "
                             "contact variables (c_s is singular at the start)",
                             s->name);
    }
    return status;
}

/* ---- forces ---- */

/* a velocity that a partial derivative by a velocity still depends on, or -1 */
static int find_velocity(const work *w, crank_ex part)
{
    crank_equations *e = w->e;
    const int found = crank_ex_symbols(e->pool, part, w->directions, e->name_count);
    for (int k = 0; k < found; k++) {
        const crank_name *name = &e->name[w->directions[k]];
        if (name->kind == (int)CRANK_V &&
            !crank_ex_is_value(e->pool, crank_ex_derivative(e->pool, part, w->directions[k]),
                               0.0)) {
            return name->index;
        }
    }
    return -1;
}

/* force -= (ex_v)^T multiplier, for ex = gI or h, which must be affine in v */
static crank_status add_constraint_force(const work *w, crank_ex ex, const crank_variable *x,
                                         crank_group group, crank_error *err)
{
    crank_equations *e = w->e;
    const int found = crank_ex_symbols(e->pool, ex, w->symbols, e->name_count);
    for (int k = 0; k < found; k++) {
        const crank_name *name = &e->name[w->symbols[k]];
        if (name->kind != (int)CRANK_V) {
            continue;
        }
        const crank_ex part = crank_ex_derivative(e->pool, ex, w->symbols[k]);
        const int j = group == CRANK_MU ? find_velocity(w, part) : -1;
        if (j >= 0) {
            return crank_fail_at(err, CRANK_EMODEL, x->node->line, x->node->column,
                                 "nonholonomic \"%.80s\": not affine in the velocities, see "
                                 "\"%.40s\" and \"%.40s\"",
                                 x->label, name->text, e->variable[CRANK_V][j].name);
        }
        crank_ex *force = &w->out->force[name->index];
        *force = crank_ex_sub(e->pool, *force, crank_ex_mul(e->pool, part, x->symbol));
    }
    return CRANK_OK;
}

static crank_status derive_forces(const work *w, crank_error *err)
{
    crank_equations *e = w->e;
    crank_status status = CRANK_OK;
    for (int j = 0; j < e->count[CRANK_V]; j++) {
        w->out->force[j] = e->variable[CRANK_V][j].equation;
    }
    for (int i = 0; i < e->count[CRANK_LAMBDA] && status == CRANK_OK; i++) {
        const crank_variable *x = &e->variable[CRANK_LAMBDA][i];
        char what[128];
        (void)snprintf(what, sizeof what, "holonomic \"%.80s\"", x->label);
        crank_model_table_warn(&e->options->log, e->pool, x->equation, e->t, what);
        w->out->gI[i] = total_derivative(w, x->equation, true);
        status = add_constraint_force(w, w->out->gI[i], x, CRANK_LAMBDA, err);
    }
    for (int i = 0; i < e->count[CRANK_MU] && status == CRANK_OK; i++) {
        const crank_variable *x = &e->variable[CRANK_MU][i];
        status = add_constraint_force(w, x->equation, x, CRANK_MU, err);
    }
    return status;
}

/* ---- accelerations ---- */

/* a motion with a negative mass runs away; it is legal, but hardly meant */
static void warn_negative(const crank_equations *e, const double *value)
{
    for (int k = 0; k < e->mass.count; k++) {
        const crank_entry *x = &e->mass.entry[k];
        if (x->row == x->column && value[k] < 0.0) {
            crank_log_write(&e->options->log, CRANK_WARNING,
                            "mass: negative at the start, (%.40s, %.40s) is %g",
                            e->variable[CRANK_V][x->row].name,
                            e->variable[CRANK_V][x->row].name, value[k]);
            return;
        }
    }
}

static void warn_unsymmetric(const crank_equations *e, const double *value)
{
    for (int k = 0; k < e->mass.count; k++) {
        const crank_entry *x = &e->mass.entry[k];
        double other = 0.0;
        int low = 0, high = e->mass.count; /* entries are sorted by row, then column */
        while (low < high) {
            const int middle = (low + high) / 2;
            const crank_entry *y = &e->mass.entry[middle];
            if (y->row < x->column || (y->row == x->column && y->column < x->row)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low < e->mass.count && e->mass.entry[low].row == x->column &&
            e->mass.entry[low].column == x->row) {
            other = value[low];
        }
        if (fabs(value[k] - other) > 1e-10 * (fabs(value[k]) + fabs(other))) {
            crank_log_write(&e->options->log, CRANK_WARNING,
                            "mass: not symmetric, (%.40s, %.40s) is %g and its counterpart %g",
                            e->variable[CRANK_V][x->row].name,
                            e->variable[CRANK_V][x->column].name, value[k], other);
            return;
        }
    }
}

static crank_status derive_accelerations(const work *w, crank_error *err)
{
    crank_equations *e = w->e;
    const int nv = e->count[CRANK_V];
    crank_blocks blocks;
    double *value[CRANK_BLOCK_POINTS] = {0};
    crank_status status = crank_blocks_find(e->store, nv, &e->mass, &blocks, err);
    CRANK_THEN(status, sample_entries(e, &e->mass, value, err));
    if (status != CRANK_OK) {
        return status;
    }
    warn_unsymmetric(e, value[0]);
    warn_negative(e, value[0]);
    w->out->carry =
        e->accelerations == CRANK_ACCELERATIONS_CARRY ||
        (e->accelerations == CRANK_ACCELERATIONS_AUTO && blocks.largest > LARGEST_AUTO);
    if (!w->out->carry) {
        status = crank_blocks_solve(e->pool, &blocks, &e->mass, value, 1, w->out->force,
                                    w->out->vdot, err);
    }
    if (status == CRANK_OK && !w->out->carry && blocks.singular >= 0) {
        if (e->accelerations == CRANK_ACCELERATIONS_ELIMINATE) {
            const crank_place place = crank_equations_mass_place(e);
            return crank_fail_at(err, CRANK_EMODEL, place.line, place.column,
                                 "mass: singular at the start values (row of \"%.80s\"); "
                                 "\"accelerations: carry\" does not invert it",
                                 e->variable[CRANK_V][blocks.singular].name);
        }
        w->out->carry = true;
    }
    for (int j = 0; w->out->carry && j < nv; j++) {
        w->out->vdot[j] = e->acceleration[j];
    }
    return status;
}

crank_status crank_equations_derive(crank_equations *e, crank_hidden *hidden, crank_error *err)
{
    const size_t nv = (size_t)e->count[CRANK_V], names = (size_t)e->name_count;
    const size_t nl = (size_t)e->count[CRANK_LAMBDA], nm = (size_t)e->count[CRANK_MU];
    work w = {.e = e, .out = hidden};
    *hidden = (crank_hidden){0};
    w.symbols = crank_store_take(e->store, names, sizeof *w.symbols);
    w.directions = crank_store_take(e->store, names, sizeof *w.directions);
    hidden->pdot = crank_store_take(e->store, (size_t)e->count[CRANK_P], sizeof *hidden->pdot);
    hidden->sdot = crank_store_take(e->store, (size_t)e->count[CRANK_S], sizeof *hidden->sdot);
    hidden->vdot = crank_store_take(e->store, nv, sizeof *hidden->vdot);
    hidden->force = crank_store_take(e->store, nv, sizeof *hidden->force);
    hidden->gI = crank_store_take(e->store, nl, sizeof *hidden->gI);
    hidden->gII = crank_store_take(e->store, nl, sizeof *hidden->gII);
    hidden->hI = crank_store_take(e->store, nm, sizeof *hidden->hI);
    if (e->store->failed) {
        return no_memory(err);
    }
    crank_status status = derive_positions(&w, err);
    CRANK_THEN(status, derive_contact(&w, err));
    CRANK_THEN(status, derive_forces(&w, err));
    CRANK_THEN(status, derive_accelerations(&w, err));
    for (size_t i = 0; i < nl && status == CRANK_OK; i++) {
        hidden->gII[i] = total_derivative(&w, hidden->gI[i], true);
    }
    for (size_t i = 0; i < nm && status == CRANK_OK; i++) {
        hidden->hI[i] = total_derivative(&w, e->variable[CRANK_MU][i].equation, true);
    }
    return status == CRANK_OK && crank_pool_status(e->pool) != CRANK_OK ? no_memory(err)
                                                                        : status;
}
