/* build_names.c - named quantities that joints and forces give, and what one of them asks of a
 * joint that it needs:
 * coordinates and multipliers. What names in expressions stand for is in build_resolve.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"

#include <stdio.h>
#include <string.h>

/* ---- giving names ---- */

void crank_build_name(crank_builder *b, const char *kind, const char *object,
                      const char *quantity, crank_ex e, bool in_results)
{
    const char *name = crank_store_print(b->store, "%s.%s.%s", kind, object, quantity);
    if (name == NULL ||
        !CRANK_BUILD_PUSH(
            b, b->name,
            (crank_named_quantity){.name = name, .ex = e, .in_results = in_results})) {
        b->failed = true;
        return;
    }
    const crank_ex symbol = crank_ex_find_symbol(b->pool, name);
    if (symbol >= 0 && crank_build_symbol(b, symbol).kind == CRANK_SYMBOL_OTHER) {
        crank_build_set_symbol(b, symbol, CRANK_SYMBOL_NAMED, e);
    }
}

void crank_build_unit(crank_builder *b, const char *unit)
{
    if (!b->failed && b->name.count > 0) {
        b->name.item[b->name.count - 1].unit = unit;
    }
}

void crank_build_coordinate(crank_builder *b, crank_owner owner, const char *quantity,
                            crank_ex e)
{
    crank_build_inside *inside = b->inside;
    const bool joint = owner.kind == CRANK_OWNER_JOINT;
    const crank_mechanism *m = b->mechanism;
    const char *object = joint ? m->joint[owner.index].name : m->force[owner.index].name;
    const char *kept = crank_store_copy(b->store, quantity, strlen(quantity));
    const char *rate = crank_store_print(b->store, "%s_rate", quantity);
    if (kept == NULL || rate == NULL) {
        b->failed = true;
        return;
    }
    crank_build_name(b, joint ? "joint" : "force", object, kept, e, true);
    crank_build_name(b, joint ? "joint" : "force", object, rate,
                     joint ? crank_build_time_derivative(b, e)
                           : crank_build_standing_derivative(b, e),
                     true);
    if (!joint) {
        return;
    }
    const int index = b->coordinate.count;
    if (CRANK_BUILD_PUSH(b, b->coordinate,
                         (crank_named_quantity){.name = kept, .ex = e, .in_results = true}) &&
        CRANK_BUILD_PUSH(b, inside->coordinate_before, inside->last_coordinate[owner.index])) {
        inside->last_coordinate[owner.index] = index;
    }
}

void crank_build_reaction_point(crank_builder *b, crank_owner owner, int first, int second,
                                crank_marker at, crank_marker axis)
{
    if (owner.kind == CRANK_OWNER_JOINT) {
        b->reaction[owner.index] = (crank_reaction){
            .given = true, .first = first, .second = second, .at = at, .axis = axis};
    }
}

crank_ex crank_build_turning_angle(crank_builder *b, crank_ex sine, crank_ex cosine)
{
    crank_pool *pool = b->pool;
    static const double start[3] = {0.0, 1.0, 0.0};
    crank_ex reference[3];
    const int memory = b->memory.count;
    for (int i = 0; i < 3; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "#k%d", memory + i);
        reference[i] = crank_ex_symbol(pool, name);
        crank_build_set_symbol(b, reference[i], CRANK_SYMBOL_MEMORY, memory + i);
        (void)CRANK_BUILD_PUSH(b, b->memory, start[i]);
    }
    const crank_ex c = reference[1];
    const crank_ex s = reference[2];
    const crank_ex up =
        crank_ex_sub(pool, crank_ex_mul(pool, sine, c), crank_ex_mul(pool, cosine, s));
    const crank_ex along =
        crank_ex_add(pool, crank_ex_mul(pool, cosine, c), crank_ex_mul(pool, sine, s));
    const crank_ex angle =
        crank_ex_add(pool, reference[0], crank_ex_call(pool, CRANK_EX_ATAN2, up, along, 0));
    (void)CRANK_BUILD_PUSH(b, b->angle,
                           (crank_turning_angle){.ex = angle, .memory = memory, .told = -1});
    return angle;
}

void crank_build_tell_angle(crank_builder *b, crank_ex angle, crank_ex told)
{
    for (int i = 0; i < b->angle.count; i++) {
        b->angle.item[i].told = b->angle.item[i].ex == angle ? told : b->angle.item[i].told;
    }
}

/* ---- asking for what was built before ---- */

/* a joint that must be there now; what goes wrong is kept for the end of the build in
 * progress */
static bool ensure_joint(crank_builder *b, int joint)
{
    crank_build_inside *inside = b->inside;
    crank_error err = {0};
    if (inside->joint_stage[joint] == CRANK_BUILD_NOW) {
        return true; /* it asks for itself: what it has so far */
    }
    const crank_status status = crank_build_joint(b, joint, &err);
    if (status != CRANK_OK && inside->status == CRANK_OK) {
        inside->status = status;
        inside->error = err;
    }
    return status == CRANK_OK;
}

crank_ex crank_build_find_coordinate(crank_builder *b, int joint, const char *quantity)
{
    const crank_build_inside *inside = b->inside;
    if (!ensure_joint(b, joint)) {
        return -1;
    }
    const int last = inside->last_coordinate[joint];
    if (quantity == NULL) {
        return last >= 0 && inside->coordinate_before.item[last] < 0
                   ? b->coordinate.item[last].ex
                   : -1;
    }
    for (int i = last; i >= 0; i = inside->coordinate_before.item[i]) {
        if (strcmp(b->coordinate.item[i].name, quantity) == 0) {
            return b->coordinate.item[i].ex;
        }
    }
    return -1;
}

const char *crank_build_coordinate_list(crank_builder *b, int joint, char *text, size_t size)
{
    const crank_build_inside *inside = b->inside;
    int which[8], count = 0; /* linked from the last one back */
    size_t used = 0;
    text[0] = '\0';
    for (int i = inside->last_coordinate[joint]; i >= 0 && count < 8;
         i = inside->coordinate_before.item[i]) {
        which[count++] = i;
    }
    while (count-- > 0 && used < size) {
        used += (size_t)snprintf(text + used, size - used, "%s\"%s\"", used > 0 ? ", " : "",
                                 b->coordinate.item[which[count]].name);
    }
    return text;
}

int crank_build_find_multipliers(crank_builder *b, int joint, const char *prefix,
                                 crank_ex *multiplier, int capacity)
{
    const crank_build_inside *inside = b->inside;
    int count = 0;
    if (!ensure_joint(b, joint)) {
        return 0;
    }
    for (int i = inside->last_row[joint]; i >= 0; i = inside->row_before.item[i]) {
        if (strncmp(b->holonomic.item[i].row, prefix, strlen(prefix)) == 0) {
            if (count < capacity) {
                multiplier[count] = b->holonomic.item[i].multiplier;
            }
            count++;
        }
    }
    return count;
}

void crank_build_friction(crank_builder *b, const crank_record *record, const char *quantity,
                          bool loaded, bool scaled, const crank_eom_friction *friction)
{
    const crank_record *joint =
        &b->mechanism->joint[crank_record_find(record, "joint")->index[0]];
    const crank_field *between = NULL;
    crank_eom_friction f = *friction;
    for (const crank_key_spec *key = joint->type->keys; key->name != NULL; key++) {
        between =
            strcmp(key->name, "between") == 0 ? crank_record_find(joint, "between") : between;
    }
    for (int k = 0; k < 2; k++) {
        const bool known = between != NULL && between->index != NULL;
        f.body[k] = known ? between->index[k] : CRANK_FRICTION_ANY;
    }
    f.text = crank_store_print(b->store, "force \"%s\"", record->name);
    f.rate = crank_store_print(b->store, "joint.%s.%s_rate", joint->name, quantity);
    f.load = loaded ? crank_store_print(b->store, "force.%s.load", record->name) : NULL;
    f.scale = scaled ? crank_store_print(b->store, "force.%s.scale", record->name) : NULL;
    if (b->store->failed || !CRANK_BUILD_PUSH(b, b->friction, f)) {
        b->failed = true;
    }
}

void crank_build_tread(crank_builder *b, const crank_record *record, bool along,
                       const crank_eom_tread *tread)
{
    static const char *const way[2] = {"longitudinal", "lateral"};
    crank_eom_tread own = *tread;
    own.text = crank_store_print(b->store, "force \"%s\"", record->name);
    own.load = crank_store_print(b->store, "force.%s.force", record->name);
    for (int k = 0; k < 2; k++) {
        const bool has = k > 0 || along;
        own.deflection[k] =
            has ? crank_store_print(b->store, "force.%s.%s_deflection", record->name, way[k])
                : NULL;
        own.force[k] =
            has ? crank_store_print(b->store, "force.%s.%s", record->name, way[k]) : NULL;
    }
    if (b->store->failed || !CRANK_BUILD_PUSH(b, b->tread, own)) {
        b->failed = true;
    }
}
