/* equations_places.c - where the file says each row and declares each unknown, for messages. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/equations/equations.h"

#include <string.h>

static crank_place place_of(const crank_node *node)
{
    return node != NULL ? (crank_place){node->line, node->column, NULL} : (crank_place){0};
}

/* The key of a section, or NULL. */
static const crank_node *section_key(const crank_equations *e, const char *name)
{
    const crank_node *root = e->document->root;
    for (int i = 0; i < root->count; i++) {
        if (strcmp(root->key[i]->text, name) == 0) {
            return root->key[i];
        }
    }
    return NULL;
}

crank_place crank_equations_mass_place(const crank_equations *e)
{
    return place_of(section_key(e, "mass"));
}

/* The force on velocity j; the section, or else the velocity, where the file does not name
 * it. */
static crank_place force_place(const crank_equations *e, int j)
{
    const crank_variable *v = &e->variable[CRANK_V][j];
    const crank_node *forces = crank_node_find(e->document->root, "forces");
    const crank_node *found = section_key(e, "forces");
    if (forces != NULL && forces->kind == CRANK_NODE_SEQUENCE && j < forces->count) {
        found = forces->item[j];
    } else if (forces != NULL && forces->kind == CRANK_NODE_MAPPING &&
               crank_node_find(forces, v->name) != NULL) {
        found = crank_node_find(forces, v->name);
    }
    return place_of(found != NULL ? found : v->key);
}

static void put_group(const crank_equations *e, crank_group group, crank_place *place)
{
    for (int i = 0; i < e->count[group]; i++) {
        place[i] = place_of(e->variable[group][i].key);
    }
}

static void put_forces(const crank_equations *e, crank_place *place)
{
    for (int j = 0; j < e->count[CRANK_V]; j++) {
        place[j] = force_place(e, j);
    }
}

static void put_invariants(const crank_equations *e, bool velocity_level, crank_place *place)
{
    for (int i = 0, k = 0; i < e->invariant_count; i++) {
        if (e->invariant[i].velocity_level == velocity_level) {
            place[k++] = place_of(e->invariant[i].key);
        }
    }
}

void crank_equations_places(const crank_equations *e, const crank_eom *eom, crank_place *row,
                            crank_place *column)
{
    const int own = e->count[CRANK_W];
    for (int g = 0; g < CRANK_GROUPS; g++) {
        put_group(e, (crank_group)g, column + eom->column[g]);
    }
    put_group(e, CRANK_W, row + eom->row[CRANK_ROW_D]);
    if (eom->sizes.w > own) { /* carried accelerations */
        put_group(e, CRANK_V, column + eom->column[CRANK_W] + own);
        put_forces(e, row + eom->row[CRANK_ROW_D] + own);
    }
    put_group(e, CRANK_LAMBDA, row + eom->row[CRANK_ROW_GII]);
    put_group(e, CRANK_MU, row + eom->row[CRANK_ROW_HI]);
    put_group(e, CRANK_LAMBDA, row + eom->row[CRANK_ROW_GI]);
    put_group(e, CRANK_MU, row + eom->row[CRANK_ROW_H]);
    put_invariants(e, true, row + eom->row[CRANK_ROW_E]);
    put_group(e, CRANK_S, row + eom->row[CRANK_ROW_C]);
    put_group(e, CRANK_LAMBDA, row + eom->row[CRANK_ROW_G]);
    put_invariants(e, false, row + eom->row[CRANK_ROW_N]);
    put_group(e, CRANK_R, row + eom->row[CRANK_ROW_B]);
    put_forces(e, row + eom->row[CRANK_ROW_DYN]);
    put_group(e, CRANK_P, row + eom->row[CRANK_ROW_KIN]);
    for (int i = 0; i < e->initial_count; i++) {
        row[eom->m + i] = place_of(e->initial[i].key);
    }
}
