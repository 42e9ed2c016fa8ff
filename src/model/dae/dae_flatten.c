/* dae_flatten.c - see dae_flatten.h.
 *
 *     dae           the equations as they are
 *     equations     p' = Z v,  M v' = f - (G Z)^T lambda - (H Z)^T mu,  r' = b,
 *                   0 = d,  0 = c,  0 = g,  0 = h                       theory (1.1)-(1.7)
 *
 * Hidden constraints are found by the passes. Outputs are variables that are eliminated. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/dae/dae_flatten.h"

#include "base/then.h"
#include "model/dae/dae.h"

#include <stdio.h>

typedef struct work {
    crank_equations *e;
    crank_flat *flat;
    const crank_dae_file *file; /* NULL: an equations file */
    crank_error *err;
} work;

static crank_status no_memory(const work *w)
{
    return crank_fail(w->err, CRANK_EMEM, "flat equations");
}

static crank_flat_place place_of(const crank_node *node)
{
    return node != NULL ? (crank_flat_place){node->line, node->column} : (crank_flat_place){0};
}

/* ---- variables ---- */

static crank_status add_variable(const work *w, crank_group group, int i)
{
    const crank_variable *x = &w->e->variable[group][i];
    crank_pool *p = w->flat->pool;
    const char *unit = "";
    crank_status status = crank_equations_unit(x, &unit, w->err);
    const int j = status == CRANK_OK ? crank_flat_add_variable(w->flat, x->name) : -1;
    if (j < 0) {
        return status != CRANK_OK ? status : no_memory(w);
    }
    crank_flat_variable *y = &w->flat->variable[j];
    y->place = place_of(x->key);
    y->start = crank_ex_number(p, x->start);
    y->fixed = x->fixing == CRANK_FIXED;
    y->guess = x->fixing == CRANK_FREE;
    y->unit = unit;
    if (w->file != NULL) {
        y->nominal = w->file->nominal_given[i] ? crank_ex_number(p, w->file->nominal[i]) : -1;
        y->rate = w->e->acceleration[i];
    } else {
        y->text = crank_equations_column_text(&w->flat->store, group, x);
        y->rate = group == CRANK_V ? w->e->acceleration[i] : -1;
    }
    return CRANK_OK;
}

static crank_status add_variables(const work *w)
{
    static const crank_group order[] = {CRANK_P, CRANK_V,      CRANK_R, CRANK_W,
                                        CRANK_S, CRANK_LAMBDA, CRANK_MU};
    crank_status status = CRANK_OK;
    for (size_t g = 0; g < sizeof order / sizeof order[0]; g++) {
        for (int i = 0; i < w->e->count[order[g]] && status == CRANK_OK; i++) {
            status = add_variable(w, order[g], i);
        }
    }
    return status == CRANK_OK ? crank_flat_status(w->flat, w->err) : status;
}

static crank_status add_parameters(const work *w)
{
    for (int i = 0; i < w->e->definition_count; i++) {
        const crank_definition *d = &w->e->definition[i];
        if (d->kind != CRANK_NAME_PARAMETER) {
            continue;
        }
        const int j = crank_flat_add_parameter(w->flat, d->name);
        if (j < 0) {
            return no_memory(w);
        }
        crank_flat_parameter *q = &w->flat->parameter[j];
        q->place = place_of(d->key);
        q->value = crank_equations_at_start(w->e, d->value);
    }
    return crank_flat_status(w->flat, w->err);
}

/* outputs, those of the view last */
static crank_status add_outputs(const work *w)
{
    for (int i = 0; i < w->e->output_count; i++) {
        const crank_named *from = &w->e->output[i];
        const int j = crank_flat_add_variable(w->flat, from->name);
        if (j < 0) {
            return no_memory(w);
        }
        crank_flat_variable *y = &w->flat->variable[j];
        y->place = place_of(from->key);
        y->role = CRANK_FLAT_ELIMINATED;
        y->value = from->ex;
        y->unit = from->unit != NULL ? from->unit : "";
        y->text =
            from->node != NULL && from->node->kind == CRANK_NODE_SCALAR ? from->node->text : "";
    }
    return crank_flat_status(w->flat, w->err);
}

/* ---- equations ---- */

static crank_status equate(const work *w, crank_ex left, crank_ex right, const crank_node *node,
                           const char *origin, bool initial)
{
    crank_flat_equation *q = crank_flat_add_equation(w->flat, initial);
    if (q == NULL) {
        return no_memory(w);
    }
    *q = (crank_flat_equation){
        .left = left, .right = right, .place = place_of(node), .origin = origin};
    return CRANK_OK;
}

static crank_status add_general(const work *w)
{
    const crank_ex zero = crank_ex_number(w->flat->pool, 0.0);
    crank_status status = CRANK_OK;
    for (int i = 0; i < w->file->equation_count && status == CRANK_OK; i++) {
        const crank_dae_equation *q = &w->file->equation[i];
        status = equate(w, q->ex, zero, q->place, q->name != NULL ? q->name : "", false);
    }
    return status;
}

/* M v' = f~ */
static crank_status add_dynamics(const work *w, const crank_hidden *hidden)
{
    const crank_equations *e = w->e;
    crank_pool *p = w->flat->pool;
    crank_status status = CRANK_OK;
    for (int i = 0, k = 0; i < e->count[CRANK_V] && status == CRANK_OK; i++) {
        crank_ex sum = crank_ex_number(p, 0.0);
        for (; k < e->mass.count && e->mass.entry[k].row == i; k++) { /* by rows */
            const crank_entry *m = &e->mass.entry[k];
            sum = crank_ex_add(p, sum, crank_ex_mul(p, m->ex, e->acceleration[m->column]));
        }
        const crank_variable *v = &e->variable[CRANK_V][i];
        status = equate(w, sum, hidden->force[i], v->key, v->name, false);
    }
    return status;
}

static crank_status add_rates(const work *w, const crank_hidden *hidden, crank_group group)
{
    crank_status status = CRANK_OK;
    for (int i = 0; i < w->e->count[group] && status == CRANK_OK; i++) {
        const crank_variable *x = &w->e->variable[group][i];
        int j = 0;
        while (w->flat->variable[j].symbol != x->symbol) {
            j++;
        }
        status =
            equate(w, crank_flat_rate(w->flat, j),
                   group == CRANK_P ? hidden->pdot[i] : x->equation, x->key, x->name, false);
    }
    return status;
}

static crank_status add_zeros(const work *w, crank_group group)
{
    const crank_ex zero = crank_ex_number(w->flat->pool, 0.0);
    crank_status status = CRANK_OK;
    for (int i = 0; i < w->e->count[group] && status == CRANK_OK; i++) {
        const crank_variable *x = &w->e->variable[group][i];
        status = equate(w, x->equation, zero, x->key, x->label, false);
    }
    return status;
}

static crank_status add_mechanical(const work *w)
{
    static const crank_group zeros[] = {CRANK_W, CRANK_S, CRANK_LAMBDA, CRANK_MU};
    crank_hidden hidden;
    crank_status status = crank_equations_derive(w->e, &hidden, w->err);
    CRANK_THEN(status, add_rates(w, &hidden, CRANK_P));
    CRANK_THEN(status, add_dynamics(w, &hidden));
    CRANK_THEN(status, add_rates(w, &hidden, CRANK_R));
    for (size_t g = 0; g < sizeof zeros / sizeof zeros[0]; g++) {
        CRANK_THEN(status, add_zeros(w, zeros[g]));
    }
    const crank_ex zero = crank_ex_number(w->flat->pool, 0.0);
    for (int i = 0; i < w->e->initial_count && status == CRANK_OK; i++) {
        const crank_named *c = &w->e->initial[i];
        status = equate(w, c->ex, zero, c->key, c->name, true);
    }
    if (status == CRANK_OK && w->e->invariant_count > 0) {
        crank_log_write(&w->e->options->log, CRANK_WARNING,
                        "invariants are equations more than unknowns, which inlined methods "
                        "do not take: \"%.60s\" stays within the tolerance only",
                        w->e->invariant[0].name);
    }
    return status;
}

/* ---- the whole ---- */

static crank_status read_file(work *w, crank_dae_file *file)
{
    if (file == NULL) {
        return crank_equations_read(w->e, w->err);
    }
    file->e = *w->e;
    const crank_status status = crank_dae_read(file, w->err);
    *w->e = file->e;
    return status;
}

crank_status crank_equations_flatten(const crank_model_source *source, bool general,
                                     crank_flat *flat, crank_equations *e, crank_error *err)
{
    crank_dae_file file = {0};
    crank_status status = crank_flat_init(flat, err);
    *e = (crank_equations){.store = &flat->store,
                           .document = source->document,
                           .options = source->options,
                           .path = source->path,
                           .files = source->files,
                           .general = general,
                           .pool = flat->pool};
    work w = {.e = e, .flat = flat, .file = general ? &file : NULL, .err = err};
    CRANK_THEN(status, read_file(&w, general ? &file : NULL));
    if (status != CRANK_OK) {
        return status;
    }
    flat->t = e->t;
    flat->name = source->path != NULL ? source->path : "model";
    flat->title = e->title;
    status = add_variables(&w);
    CRANK_THEN(status, add_parameters(&w));
    CRANK_THEN(status, general ? add_general(&w) : add_mechanical(&w));
    CRANK_THEN(status, add_outputs(&w));
    CRANK_THEN(status, crank_equations_flatten_events(e, flat, err));
    return status == CRANK_OK ? crank_flat_status(flat, err) : status;
}
