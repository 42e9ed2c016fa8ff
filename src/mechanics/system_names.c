/* system_names.c - what messages call the unknowns and rows of a mechanism, and where the file
 * says them; those of bodies are their coordinates' (coordinates.h).
 *
 *     lambda.hinge.translation along x   joint "hinge", translation along x, velocity level */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"

#include <string.h>

typedef struct names {
    const char **group[CRANK_GROUPS];
    const char **invariant, **initial;
} names;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "names of the mechanism's unknowns");
}

/* the name of who states a constraint; of an equation NULL: the row is its name */
static const char *owner_name(const crank_builder *b, crank_owner owner)
{
    switch (owner.kind) {
    case CRANK_OWNER_JOINT:
        return b->mechanism->joint[owner.index].name;
    case CRANK_OWNER_FORCE:
        return b->mechanism->force[owner.index].name;
    case CRANK_OWNER_EQUATION:
        break;
    }
    return NULL;
}

static void name_constraints(const crank_builder *b, int count, const crank_constraint *item,
                             const char **out)
{
    for (int i = 0; i < count; i++) {
        const char *owner = owner_name(b, item[i].owner);
        out[i] = owner == NULL ? item[i].row
                               : crank_store_print(b->store, "%s.%s", owner, item[i].row);
    }
}

static void name_unknowns(int count, const crank_unknown *item, const char **out)
{
    for (int i = 0; i < count; i++) {
        out[i] = item[i].name;
    }
}

crank_status crank_system_names(crank_system *s, crank_builder *b, const crank_eom_sizes *sizes,
                                crank_error *err)
{
    const int count[CRANK_GROUPS] = {sizes->w, sizes->lambda, sizes->mu, sizes->r,
                                     sizes->v, sizes->s,      sizes->p};
    names n;
    for (int g = 0; g < CRANK_GROUPS; g++) {
        n.group[g] = crank_store_take(b->store, (size_t)count[g], sizeof *n.group[g]);
    }
    n.invariant = crank_store_take(b->store, (size_t)sizes->n, sizeof *n.invariant);
    n.initial = crank_store_take(b->store, (size_t)sizes->initial, sizeof *n.initial);
    if (b->store->failed) {
        return no_memory(err);
    }
    b->coordinates->name_unknowns(
        b, &(crank_coordinate_names){.p = n.group[CRANK_P],
                                     .v = n.group[CRANK_V],
                                     .a = n.group[CRANK_W] + b->auxiliary.count,
                                     .n = n.invariant});
    crank_system_condition_names(b, n.initial);
    name_constraints(b, b->holonomic.count, b->holonomic.item, n.group[CRANK_LAMBDA]);
    name_constraints(b, b->nonholonomic.count, b->nonholonomic.item, n.group[CRANK_MU]);
    name_unknowns(b->dynamic.count, b->dynamic.item, n.group[CRANK_R]);
    name_unknowns(b->auxiliary.count, b->auxiliary.item, n.group[CRANK_W]);
    name_unknowns(b->contact.count, b->contact.item, n.group[CRANK_S]);
    if (b->store->failed) {
        return no_memory(err);
    }
    const char *const *list[CRANK_GROUPS];
    for (int g = 0; g < CRANK_GROUPS; g++) {
        list[g] = n.group[g];
    }
    return crank_eom_allocate(sizes, list, n.invariant, n.initial, &s->eom, err);
}

/* ---- texts and places ---- */

static void text_constraints(crank_system *s, const crank_builder *b, int count,
                             const crank_constraint *item, const char **out)
{
    for (int i = 0; i < count; i++) {
        const char *owner = owner_name(b, item[i].owner);
        if (owner != NULL) {
            out[i] =
                crank_store_print(&s->store, "%s \"%s\", %s",
                                  item[i].owner.kind == CRANK_OWNER_JOINT ? "joint" : "force",
                                  owner, item[i].row);
        }
    }
}

crank_place crank_system_place_of(const crank_node *key)
{
    return key == NULL ? (crank_place){0} : (crank_place){key->line, key->column, key->file};
}

static crank_place owner_place(const crank_builder *b, crank_owner owner)
{
    switch (owner.kind) {
    case CRANK_OWNER_JOINT:
        return crank_system_place_of(b->mechanism->joint[owner.index].key);
    case CRANK_OWNER_FORCE:
        return crank_system_place_of(b->mechanism->force[owner.index].key);
    case CRANK_OWNER_EQUATION:
        break;
    }
    const crank_expression_record *record = crank_build_equation(b, owner);
    return crank_system_place_of(record != NULL ? record->key : NULL);
}

/* None where start values are found in absolute coordinates (crank_system_conditions). */
static void place_conditions(const crank_system *s, const crank_builder *b, crank_place *row)
{
    if (b->coordinates->assembled) {
        return;
    }
    for (int i = 0; i < s->condition_count; i++) {
        const int body = s->condition[i].body;
        const int count = crank_body_translations(s->body[body].kind);
        for (int j = 0; j < count; j++) {
            *row++ = crank_system_place_of(b->mechanism->body[body].key);
        }
    }
    for (int i = 0; i < b->condition.count; i++) {
        *row++ = crank_system_place_of(b->condition.item[i].place);
    }
}

static void place_constraints(const crank_system *s, const crank_builder *b, crank_place *row,
                              crank_place *column)
{
    const crank_eom *eom = s->eom;
    for (int i = 0; i < b->holonomic.count; i++) {
        const crank_constraint *c = &b->holonomic.item[i];
        const crank_place place = owner_place(b, c->owner);
        column[eom->column[CRANK_LAMBDA] + i] = row[eom->row[CRANK_ROW_G] + i] = place;
        row[eom->row[CRANK_ROW_GI] + i] = row[eom->row[CRANK_ROW_GII] + i] = place;
    }
    for (int i = 0; i < b->nonholonomic.count; i++) {
        const crank_constraint *c = &b->nonholonomic.item[i];
        const crank_place place = owner_place(b, c->owner);
        column[eom->column[CRANK_MU] + i] = row[eom->row[CRANK_ROW_H] + i] = place;
        row[eom->row[CRANK_ROW_HI] + i] = place;
    }
}

static void place_unknowns(const crank_builder *b, int count, const crank_unknown *item,
                           crank_place *row, crank_place *column)
{
    for (int i = 0; i < count; i++) {
        row[i] = column[i] = owner_place(b, item[i].owner);
    }
}

/* Names of files must outlive the nodes: they are copied, and neighbours of the same file share
 * one copy. */
static void keep_files(crank_system *s, size_t count, crank_place *place)
{
    const char *last = NULL, *kept = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *file = place[i].file;
        if (file != NULL && (last == NULL || strcmp(file, last) != 0)) {
            kept = crank_store_copy(&s->store, file, strlen(file));
            last = file;
        }
        place[i].file = file != NULL ? kept : NULL;
    }
}

crank_status crank_system_places(crank_system *s, const crank_builder *b, crank_error *err)
{
    crank_eom *eom = s->eom;
    const size_t constraints = (size_t)eom->sizes.lambda + (size_t)eom->sizes.mu;
    const size_t rows = (size_t)eom->m + (size_t)eom->sizes.initial;
    crank_place *row = crank_store_take(&s->store, rows, sizeof *row);
    crank_place *column = crank_store_take(&s->store, (size_t)eom->n, sizeof *column);
    const char **text = crank_store_take(&s->store, constraints, sizeof *text);
    if (s->store.failed) {
        return no_memory(err);
    }
    text_constraints(s, b, b->holonomic.count, b->holonomic.item, text);
    text_constraints(s, b, b->nonholonomic.count, b->nonholonomic.item,
                     text + eom->sizes.lambda);
    if (s->store.failed) {
        return no_memory(err);
    }
    s->coordinates.kind->place(s, b, row, column);
    place_constraints(s, b, row, column);
    place_unknowns(b, b->dynamic.count, b->dynamic.item, row + eom->row[CRANK_ROW_B],
                   column + eom->column[CRANK_R]);
    place_unknowns(b, b->auxiliary.count, b->auxiliary.item, row + eom->row[CRANK_ROW_D],
                   column + eom->column[CRANK_W]);
    place_unknowns(b, b->contact.count, b->contact.item, row + eom->row[CRANK_ROW_C],
                   column + eom->column[CRANK_S]);
    place_conditions(s, b, row + eom->m);
    keep_files(s, rows, row);
    keep_files(s, (size_t)eom->n, column);
    if (s->store.failed) {
        return no_memory(err);
    }
    eom->constraint_text = text;
    eom->row_place = row;
    eom->column_place = column;
    return CRANK_OK;
}
