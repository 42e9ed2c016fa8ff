/* forward.c - the two formalisms of joint coordinates beside the balances d = M a - f
 * themselves (recursive Newton-Euler, rows.c): the mass matrix by composite bodies, theory
 * (7.73), and accelerations a = M^-1 f by articulated bodies, theory (7.74), without M.
 * Velocities that drives prescribe are held: their links do not give way. Neither knows efforts
 * of accelerations, but for rotors along coordinates of the tree (rotor.c). */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/articulated.h"
#include "mechanics/joint/compiled.h"

#include <stdlib.h>
#include <string.h>

struct crank_tree_forward {
    /* additions of crank_inertia_fill: entries of the Jacobian, -1: never different from
     * zero */
    int count, *entry;
    int *map; /* the same as they are made, into value */
    double *value;
    crank_inertia *inertia;
    crank_articulation articulation;
    double *r, *y; /* velocities */
};

/* rows of a column rise */
static int entry_at(const crank_pattern *J, int row, int column)
{
    int low = J->start[column], high = J->start[column + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (J->row[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < J->start[column + 1] && J->row[low] == row ? low : -1;
}

crank_status crank_tree_inertia(void *self, double t, const double *x, double *values,
                                crank_error *err)
{
    crank_system *s = self;
    crank_tree *tree = crank_tree_of(&s->coordinates);
    struct crank_tree_forward *f = tree->forward;
    if (!s->eom->accelerates) {
        return crank_eom_evaluate_jacobian(s->eom, t, x, NULL, values, err);
    }
    crank_tree_states(s, t, x);
    crank_inertia_set(tree, f->inertia);
    crank_inertia_compose(tree, f->inertia);
    crank_fill fill = {.map = f->map, .values = f->value};
    memset(f->value, 0, (size_t)f->count * sizeof *f->value);
    crank_inertia_fill(tree, f->inertia, &fill);
    for (int i = 0; i < f->count; i++) { /* each entry is one addition */
        if (f->entry[i] >= 0) {
            values[f->entry[i]] = f->value[i];
        }
    }
    return CRANK_OK;
}

/* machine code knows no links that are held: then states are made for the others */
static bool factor(crank_tree *tree, struct crank_tree_forward *f)
{
    if (tree->compiled_point && f->articulation.held == NULL) {
        f->articulation.weak = -1;
        return crank_tree_compiled_factor(tree);
    }
    return crank_articulated_factor(tree, &f->articulation);
}

static void solve(crank_tree *tree, struct crank_tree_forward *f)
{
    if (tree->compiled_point && f->articulation.held == NULL) {
        crank_tree_compiled_solve(tree, f->r, f->y);
        return;
    }
    crank_articulated_solve(tree, &f->articulation, tree->shape->order, tree->shape->body_count,
                            f->r, f->y);
}

crank_status crank_tree_accelerate(void *self, const bool *held, const double *k, double *a,
                                   crank_error *err)
{
    crank_system *s = self;
    crank_tree *tree = crank_tree_of(&s->coordinates);
    struct crank_tree_forward *f = tree->forward;
    const crank_tree_shape *shape = tree->shape;
    bool any = false;
    for (int v = 0; v < shape->nv; v++) {
        any = any || held[v];
        f->r[v] = -k[tree->row_d + v];
    }
    f->articulation.held = any ? held : NULL;
    if (!factor(tree, f)) {
        return crank_articulated_fail(tree, &f->articulation, err);
    }
    solve(tree, f);
    for (int v = 0; v < shape->nv; v++) {
        a[v] = held[v] ? a[v] : f->y[v];
    }
    return CRANK_OK;
}

bool crank_tree_definite(void *self, double t, const double *x)
{
    crank_system *s = self;
    crank_tree *tree = crank_tree_of(&s->coordinates);
    crank_tree_states(s, t, x);
    tree->forward->articulation.held = NULL;
    return crank_articulated_is_regular(tree, &tree->forward->articulation);
}

/* ---- creation ---- */

static bool take_values(crank_tree *tree, struct crank_tree_forward *f)
{
    crank_store *store = &tree->s->store;
    const size_t nv = (size_t)tree->shape->nv;
    f->inertia = crank_store_take(store, (size_t)tree->s->body_count, sizeof *f->inertia);
    f->r = crank_store_take(store, nv, sizeof *f->r);
    f->y = crank_store_take(store, nv, sizeof *f->y);
    return crank_articulation_take(store, tree->shape, &f->articulation) && !store->failed;
}

static bool place(crank_tree *tree, struct crank_tree_forward *f)
{
    crank_fill fill = {.recording = true};
    crank_inertia_set(tree, f->inertia);
    crank_inertia_compose(tree, f->inertia);
    crank_inertia_fill(tree, f->inertia, &fill);
    crank_store *store = &tree->s->store;
    f->entry = crank_store_take(store, (size_t)fill.count + 1, sizeof *f->entry);
    f->map = crank_store_take(store, (size_t)fill.count + 1, sizeof *f->map);
    f->value = crank_store_take(store, (size_t)fill.count + 1, sizeof *f->value);
    f->count = fill.count;
    const bool fine = !fill.failed && !store->failed;
    for (int i = 0; i < fill.count && fine; i++) {
        f->entry[i] = entry_at(&tree->s->eom->jacobian_pattern, fill.row[i], fill.column[i]);
        f->map[i] = i;
    }
    free(fill.row);
    free(fill.column);
    free(fill.used);
    return fine;
}

crank_status crank_tree_forward_create(crank_tree *tree, crank_error *err)
{
    struct crank_tree_forward *f = crank_store_take(&tree->s->store, 1, sizeof *f);
    tree->forward = f;
    if (f == NULL || !take_values(tree, f) || !place(tree, f)) {
        return crank_fail(err, CRANK_EMEM, "recursions of the mechanism");
    }
    tree->s->eom->accelerates = tree->pairs->calls[1].count == 0;
    return CRANK_OK;
}

bool crank_tree_forward_share(crank_tree *tree, const crank_tree *from)
{
    struct crank_tree_forward *f = crank_store_take(&tree->s->store, 1, sizeof *f);
    if (f == NULL) {
        return false;
    }
    *f = *from->forward;
    f->value = crank_store_take(&tree->s->store, (size_t)f->count + 1, sizeof *f->value);
    tree->forward = f;
    return f->value != NULL && take_values(tree, f);
}
