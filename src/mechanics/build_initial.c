/* build_initial.c - `initial:` of a mechanism: expressions that are zero at the start, and
 * given coordinates of joints, joint.knee.angle - value = 0.
 *
 * Coordinates that are given, here or by the `drive` of a joint at the start time, also tell
 * how bodies are put that have no place (build_place.c), and in which turn an angle starts.
 * Guesses of them do no more than that. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/build_inside.h"

#include <math.h>
#include <string.h>

static void add(crank_builder *b, const char *name, const crank_node *place, crank_ex ex)
{
    const crank_condition condition = {.name = name, .place = place, .ex = ex};
    (void)CRANK_BUILD_PUSH(b, b->condition, condition);
}

/* "angle" of "angle_rate", or NULL */
static const char *rate_of(crank_builder *b, const char *quantity)
{
    const size_t length = strlen(quantity);
    return length > 5 && strcmp(quantity + length - 5, "_rate") == 0
               ? crank_store_copy(b->store, quantity, length - 5)
               : NULL;
}

static crank_status fail_coordinate(crank_builder *b, const crank_initial_joint *given,
                                    crank_error *err)
{
    const crank_record *joint = &b->mechanism->joint[given->joint];
    char list[160];
    (void)crank_build_coordinate_list(b, given->joint, list, sizeof list);
    return crank_fail_node(
        err, CRANK_EMODEL, given->key,
        "initial, joint \"%.80s\": a joint of type %s has no coordinate \"%.40s\"%s%s%s",
        joint->name, joint->type->name, given->quantity,
        list[0] != '\0' ? "; it has " : "; it has none", list,
        list[0] != '\0' ? " and their rates, \"..._rate\"" : "");
}

/* An angle that is continued over turns begins in the turn that is given. */
static void begin_turn(crank_builder *b, crank_ex angle, double value)
{
    for (int i = 0; i < b->angle.count; i++) {
        if (b->angle.item[i].ex == angle) {
            double *memory = b->memory.item + b->angle.item[i].memory;
            b->angle.item[i].given = true;
            memory[0] = value;
            memory[1] = cos(value);
            memory[2] = sin(value);
        }
    }
}

/* For bodies that are placed by the joint, and the turn of an angle; false: it places none. */
static bool start_at(crank_builder *b, int joint, const char *quantity, crank_ex coordinate,
                     double value)
{
    static const struct {
        const char *name;
        bool turns;
        int of;
    } known[] = {{"angle", true, 0},   {"angle1", true, 0},   {"angle2", true, 1},
                 {"length", false, 0}, {"length1", false, 1}, {"length2", false, 2}};
    b->place[joint].told = true;
    bool places = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(quantity, known[i].name) == 0 && known[i].turns) {
            b->place[joint].turn[known[i].of] = value;
            begin_turn(b, coordinate, value);
            places = true;
        } else if (strcmp(quantity, known[i].name) == 0) {
            b->place[joint].length[known[i].of] = value;
            places = true;
        }
    }
    return places;
}

void crank_build_start_driven(crank_builder *b, crank_owner owner, const char *quantity,
                              crank_ex coordinate, crank_ex drive)
{
    const double value = crank_build_start(b, drive);
    if (owner.kind == CRANK_OWNER_JOINT && isfinite(value)) {
        (void)start_at(b, owner.index, quantity, coordinate, value);
    }
}

static crank_status fail_guess(crank_builder *b, const crank_initial_joint *given,
                               crank_error *err)
{
    return crank_fail_node(
        err, CRANK_EMODEL, given->key,
        "initial, joint \"%.80s\": \"%.40s\" cannot be a guess (`free: true`), "
        "only angles and lengths can; leave `free` out, or give a guess of how "
        "a body stands",
        b->mechanism->joint[given->joint].name, given->quantity);
}

static crank_status add_coordinate(crank_builder *b, const crank_initial_joint *given,
                                   crank_error *err)
{
    const char *rate = rate_of(b, given->quantity);
    crank_ex e =
        crank_build_find_coordinate(b, given->joint, rate != NULL ? rate : given->quantity);
    if (e < 0) {
        return fail_coordinate(b, given, err);
    }
    bool places = false;
    if (rate != NULL) {
        e = crank_build_time_derivative(b, e);
    } else {
        places = start_at(b, given->joint, given->quantity, e, given->value);
    }
    if (given->guess) {
        b->place[given->joint].guessed = true;
        return places ? CRANK_OK : fail_guess(b, given, err);
    }
    const char *name = crank_store_print(
        b->store, "joint.%s.%s", b->mechanism->joint[given->joint].name, given->quantity);
    add(b, name, given->key, crank_ex_sub(b->pool, e, crank_ex_number(b->pool, given->value)));
    return CRANK_OK;
}

crank_status crank_build_conditions(crank_builder *b, crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    crank_status status = CRANK_OK;
    for (int i = 0; i < m->initial_joint_count && status == CRANK_OK; i++) {
        status = add_coordinate(b, &m->initial_joint[i], err);
    }
    for (int i = 0; i < m->initial_count && status == CRANK_OK; i++) {
        const crank_build_label label = crank_build_expression_label("initial", &m->initial[i]);
        crank_ex ex = -1;
        status = crank_build_resolve_at(b, &label, m->initial[i].ex, 0, NULL, NULL, &ex, err);
        if (status == CRANK_OK) {
            add(b, m->initial[i].name, m->initial[i].node, ex);
        }
    }
    return status == CRANK_OK ? crank_build_memory(b, err) : status;
}
