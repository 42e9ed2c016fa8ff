/* build_list.c - growing arrays and the lists of what belongs to an owner. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/grow.h"
#include "mechanics/build_inside.h"

#include <stdlib.h>

void *crank_build_grow(crank_builder *b, void *item, int count, int *capacity, size_t size)
{
    void *grown = crank_grow(item, count, capacity, size);
    b->failed = b->failed || grown == NULL;
    return grown != NULL ? grown : item;
}

/* ---- what belongs to an owner ---- */

static int owner_number(const crank_builder *b, crank_owner owner)
{
    const crank_mechanism *m = b->mechanism;
    switch ((int)owner.kind) {
    case CRANK_OWNER_JOINT:
        return owner.index;
    case CRANK_OWNER_FORCE:
        return m->joint_count + owner.index;
    default:
        return m->joint_count + m->force_count + owner.index;
    }
}

/* owner of item i of a list, -1: to be left out */
static int owner_of(const crank_builder *b, int list, int i)
{
    switch (list) {
    case CRANK_OWNED_HOLONOMIC:
        return b->holonomic.item[i].primitive >= 0
                   ? -1
                   : owner_number(b, b->holonomic.item[i].owner);
    case CRANK_OWNED_NONHOLONOMIC:
        return owner_number(b, b->nonholonomic.item[i].owner);
    case CRANK_OWNED_DYNAMIC:
        return owner_number(b, b->dynamic.item[i].owner);
    case CRANK_OWNED_AUXILIARY:
        return owner_number(b, b->auxiliary.item[i].owner);
    case CRANK_OWNED_CONTACT:
        return owner_number(b, b->contact.item[i].owner);
    default:
        return owner_number(b, b->effort.item[i].owner);
    }
}

static bool own_list(crank_builder *b, int list, int size, int owners)
{
    crank_owned *owned = &b->inside->owned[list];
    free(owned->start);
    free(owned->item);
    owned->start = calloc((size_t)owners + 2, sizeof *owned->start);
    owned->item = malloc(((size_t)size + 1) * sizeof *owned->item);
    if (owned->start == NULL || owned->item == NULL) {
        b->failed = true;
        return false;
    }
    for (int i = 0; i < size; i++) {
        const int owner = owner_of(b, list, i);
        if (owner >= 0) {
            owned->start[owner + 2]++;
        }
    }
    for (int i = 2; i < owners + 2; i++) {
        owned->start[i] += owned->start[i - 1];
    }
    for (int i = 0; i < size; i++) {
        const int owner = owner_of(b, list, i);
        if (owner >= 0) {
            owned->item[owned->start[owner + 1]++] = i;
        }
    }
    owned->total = size;
    owned->owners = owners;
    return true;
}

bool crank_build_own(crank_builder *b)
{
    const int size[CRANK_OWNED_LISTS] = {b->holonomic.count, b->nonholonomic.count,
                                         b->dynamic.count,   b->auxiliary.count,
                                         b->contact.count,   b->effort.count};
    const int owners =
        b->mechanism->joint_count + b->mechanism->force_count + b->equation_count;
    bool done = !b->failed;
    for (int list = 0; list < CRANK_OWNED_LISTS && done; list++) {
        const crank_owned *owned = &b->inside->owned[list];
        if (owned->start == NULL || owned->total != size[list] || owned->owners != owners) {
            done = own_list(b, list, size[list], owners);
        }
    }
    return done;
}

const int *crank_build_owned(const crank_builder *b, int list, crank_owner owner, int *count)
{
    const crank_owned *owned = &b->inside->owned[list];
    const int number = owner_number(b, owner);
    *count = owned->start[number + 1] - owned->start[number];
    return owned->item + owned->start[number];
}
