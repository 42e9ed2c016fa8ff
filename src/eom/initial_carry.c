/* initial_carry.c - bodies of whose velocities nothing is given move along with others.
 *
 * A body that hangs on a moving one begins with the twist of that one (initial_tree.c tells
 * which carries which): along joints, and across bushings, which hold bodies as joints do. What
 * joints then ask for is the business of the stage. Where the file gives how a body turns, and
 * nothing else, its translation is carried. Given values that are consistent do not change.
 *
 * A flywheel in a bearing of its own is carried by that, and has one freedom left, which a
 * torsion spring holds to the shaft. So where velocities hold, a body that does not turn though
 * such springs hold it to one that does gets the angular velocity of that, which then stays
 * while the rest follows, until nothing changes. Bodies that springs hold to the ground as
 * well, or to two that turn differently, stay as they are, and so do all if no velocities
 * exist with it. Then, spring by spring, a body that turns, since something else is given (a
 * sun between a motor and a carrier), gets the angular velocity of one that is given, where
 * velocities exist with it and nothing that is given changes. Dampers hold nothing. What then still moves against what holds it is named. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/initial_relative.h"
#include "linalg/rotation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rounding = 1e-10; /* of the faster one: motions that are alike */

static crank_fixing *fixing_of(const crank_initial *w, int body)
{
    return w->fixing + w->eom->column[CRANK_V] + w->relative->first[body];
}

/* Are velocities first .. last-1 of a body guesses, at rest in x? */
static bool is_open(const crank_initial *w, int body, int first, int last, const double *x)
{
    bool open = w->relative->first[body] >= 0;
    for (int i = first; i < last && open; i++) {
        const int j = w->eom->column[CRANK_V] + w->relative->first[body] + i;
        open = w->fixing[j] == CRANK_FREE && x[j] == 0.0;
    }
    return open;
}

static void read_twist(const crank_initial *w, int body)
{
    crank_relative *t = w->relative;
    const double *x = w->x + w->eom->column[CRANK_V] + t->first[body];
    double own[6];
    memset(t->twist[body], 0, sizeof t->twist[body]);
    for (int i = 0; i < t->count[body]; i++) {
        crank_relative_own_twist(w, body, i, own);
        crank_add6(t->twist[body], x[i], own);
    }
}

/* Parts of the twist that are open become those of the body that carries it; false: nothing
 * changes. */
static bool carry_body(crank_initial *w, int body, int parent)
{
    crank_relative *t = w->relative;
    double *x = w->x + w->eom->column[CRANK_V] + t->first[body];
    const int axes = crank_relative_translations(w, body), count = t->count[body];
    const bool moves = axes > 0 && is_open(w, body, 0, axes, w->x);
    const bool turns = axes < count && is_open(w, body, 0, count, w->x);
    const double *carrier = t->twist[parent];
    double v[3], along[3];
    bool any = false;
    read_twist(w, body);
    if (!moves && !turns) {
        return false;
    }
    double *twist = t->twist[body];
    crank_cross3(v, twist + 3, t->at[body]); /* of its centre of mass */
    crank_add3(v, 1.0, twist);
    if (moves) {
        crank_cross3(v, carrier + 3, t->at[body]);
        crank_add3(v, 1.0, carrier);
    }
    for (int k = 0; k < 3 && turns; k++) {
        twist[3 + k] = carrier[3 + k];
    }
    crank_cross3(along, twist + 3, t->at[body]);
    for (int k = 0; k < 3; k++) {
        twist[k] = v[k] - along[k];
    }
    double own[6] = {0.0};
    crank_relative_add_velocities(w, body, own);
    for (int i = 0; i < count; i++) {
        if (i < axes ? moves : turns) {
            any = any || own[i] != 0.0;
            x[i] = own[i];
            w->led[w->eom->column[CRANK_V] + t->first[body] + i] = own[i] != 0.0;
        }
    }
    return any;
}

bool crank_initial_carry(crank_initial *w)
{
    crank_relative *t = w->relative;
    bool any = false;
    crank_relative_read_places(w, t);
    crank_initial_grow_carriers(w, t);
    for (int n = 0; n < t->bodies; n++) {
        const int body = t->order[n], parent = t->parent[body];
        if (t->first[body] < 0) {
            memset(t->twist[body], 0, sizeof t->twist[body]);
        } else if (parent < 0) {
            read_twist(w, body);
        } else {
            any = carry_body(w, body, parent) || any;
        }
    }
    return any;
}

/* ---- springs that hold rotations ---- */

static double difference(const double *a, const double *b)
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static bool alike(const double *a, const double *b)
{
    return difference(a, b) <= rounding * fmax(crank_norm3(a), crank_norm3(b));
}

/* May it be turned by a spring: nothing is said of how it turns, and it does not? */
static bool may_turn(const crank_initial *w, int body)
{
    const crank_relative *t = w->relative;
    const int axes = crank_relative_translations(w, body), count = t->count[body];
    bool open = axes < count;
    for (int i = axes; i < count && open; i++) {
        const int j = w->eom->column[CRANK_V] + t->first[body] + i;
        open = fixing_of(w, body)[i] == CRANK_FREE && w->start[j] == 0.0 && !w->turned[j];
    }
    return open;
}

static bool is_turned(const crank_initial *w, int body)
{
    const crank_relative *t = w->relative;
    return t->count[body] > 0 &&
           w->turned[w->eom->column[CRANK_V] + t->first[body] + t->count[body] - 1];
}

/* The angular velocity of one body becomes that of another. */
static void turn_with(crank_initial *w, int body, int other)
{
    crank_relative *t = w->relative;
    const int v = w->eom->column[CRANK_V] + t->first[body];
    const int axes = crank_relative_translations(w, body);
    double own[6] = {0.0};
    memset(t->twist[body], 0, sizeof t->twist[body]);
    memcpy(t->twist[body] + 3, t->twist[other] + 3, 3 * sizeof(double));
    crank_relative_add_velocities(w, body, own);
    for (int i = axes; i < t->count[body]; i++) {
        w->x[v + i] = own[i];
        w->turned[v + i] = w->led[v + i] = true;
    }
}

/* Do springs hold a body that has been turned to something that turns differently? */
static bool is_torn(const crank_initial *w)
{
    const crank_eom_parts *parts = w->eom->parts;
    const crank_relative *t = w->relative;
    static const double still[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < parts->tie_count; i++) {
        const int a = parts->tie[0][i], b = parts->tie[1][i];
        const double *one = a >= 0 ? t->twist[a] + 3 : still;
        const double *other = b >= 0 ? t->twist[b] + 3 : still;
        if (parts->tie_holds[i] != '\0' &&
            ((a >= 0 && is_turned(w, a)) || (b >= 0 && is_turned(w, b))) &&
            !alike(one, other)) {
            return true;
        }
    }
    return false;
}

bool crank_initial_turn_along(crank_initial *w)
{
    const crank_eom_parts *parts = w->eom->parts;
    crank_relative *t = w->relative;
    bool any = false, more = true;
    double fastest = 0.0; /* beside which others turn by rounding alone */
    crank_relative_read_places(w, t);
    for (int i = 0; i < t->bodies; i++) {
        read_twist(w, i);
        fastest = fmax(fastest, crank_norm3(t->twist[i] + 3));
    }
    while (more) {
        more = false;
        for (int i = 0; i < parts->tie_count; i++) {
            const int a = parts->tie[0][i], b = parts->tie[1][i];
            for (int side = 0; side < 2 && a >= 0 && b >= 0; side++) {
                const int body = side == 0 ? a : b, other = side == 0 ? b : a;
                const double *spin = t->twist[other] + 3;
                if (parts->tie_holds[i] == 'r' && may_turn(w, body) &&
                    crank_norm3(t->twist[body] + 3) <= rounding * crank_norm3(spin) &&
                    crank_norm3(spin) > rounding * fastest) {
                    turn_with(w, body, other);
                    more = any = true;
                }
            }
        }
    }
    return any && !is_torn(w);
}

/* Is how it turns given, or taken over from a body of which it is? */
static bool turn_is_known(const crank_initial *w, int body)
{
    const crank_relative *t = w->relative;
    const int axes = crank_relative_translations(w, body);
    bool known = is_turned(w, body);
    for (int i = axes; i < t->count[body]; i++) {
        known = known || fixing_of(w, body)[i] != CRANK_FREE;
    }
    return known;
}

bool crank_initial_may_turn_tie(crank_initial *w, int tie, int side, bool rests, bool *known)
{
    const crank_eom_parts *parts = w->eom->parts;
    const int body = parts->tie[side][tie], other = parts->tie[1 - side][tie];
    crank_relative *t = w->relative;
    if (parts->tie_holds[tie] != 'r' || body < 0 || other < 0 || !may_turn(w, body)) {
        return false;
    }
    crank_relative_read_places(w, t);
    read_twist(w, body);
    read_twist(w, other);
    const double *own = t->twist[body] + 3, *spin = t->twist[other] + 3;
    *known = turn_is_known(w, other);
    return !alike(own, spin) && (rests || crank_norm3(own) > rounding * crank_norm3(spin));
}

bool crank_initial_turn_tie(crank_initial *w, int tie, int side)
{
    const crank_eom_parts *parts = w->eom->parts;
    crank_relative *t = w->relative;
    crank_relative_read_places(w, t);
    for (int i = 0; i < t->bodies; i++) {
        read_twist(w, i);
    }
    turn_with(w, parts->tie[side][tie], parts->tie[1 - side][tie]);
    return !is_torn(w);
}

void crank_initial_unturn(crank_initial *w, int body)
{
    const int v = w->eom->column[CRANK_V] + w->relative->first[body];
    for (int i = 0; i < w->relative->count[body]; i++) {
        w->turned[v + i] = w->led[v + i] = false;
    }
}

/* ---- what moves against what holds it ---- */

/* Of a twist at a point, in units of the mechanism's length. */
static double size_of(const crank_initial *w, const double *twist, const double *at)
{
    double v[3];
    crank_cross3(v, twist + 3, at);
    crank_add3(v, 1.0, twist);
    return hypot(crank_norm3(twist + 3), crank_norm3(v) / w->eom->parts->length);
}

/* Velocity of b against a at b, in units of the mechanism's length, or their spins. */
static double apart(const crank_initial *w, int tie, const double *a, const double *b,
                    const double *at)
{
    double twist[6];
    for (int k = 0; k < 6; k++) {
        twist[k] = b[k] - a[k];
    }
    return w->eom->parts->tie_holds[tie] == 'r' ? crank_norm3(twist + 3)
                                                : size_of(w, twist, at);
}

static void name_left(const crank_initial *w, int tie, int body, int other)
{
    const crank_eom_parts *parts = w->eom->parts;
    const double *twist = w->relative->twist[other], *at = w->relative->at[other];
    double v[3];
    crank_cross3(v, twist + 3, at);
    crank_add3(v, 1.0, twist);
    crank_log_write(&w->log, CRANK_WARNING,
                    "%s starts at rest, since its velocities are not given and other forces or "
                    "joints hold it, too, but %s connects it to %s, which moves with a speed "
                    "of %.3g and turns with a rate of %.3g: give its velocities",
                    parts->body_text[body], parts->tie_text[tie], parts->body_text[other],
                    crank_norm3(v), crank_norm3(twist + 3));
}

void crank_initial_warn_left(const crank_initial *w)
{
    crank_relative *t = w->relative;
    if (t == NULL) {
        return;
    }
    const crank_eom_parts *parts = w->eom->parts;
    double fastest = 0.0; /* beside which the speed of what rests is rounding */
    crank_relative_read_places(w, t);
    for (int i = 0; i < t->bodies; i++) {
        if (t->first[i] >= 0) {
            read_twist(w, i);
            fastest = fmax(fastest, size_of(w, t->twist[i], t->at[i]));
        }
    }
    for (int i = 0; i < parts->tie_count; i++) {
        const int a = parts->tie[0][i], b = parts->tie[1][i];
        for (int side = 0; side < 2 && a >= 0 && b >= 0; side++) {
            const int body = side == 0 ? a : b, other = side == 0 ? b : a;
            const double *at = t->at[body];
            static const double still[6] = {0.0};
            const double own = apart(w, i, still, t->twist[body], at);
            const double moves = apart(w, i, still, t->twist[other], at);
            if (parts->tie_holds[i] != '\0' && is_open(w, body, 0, t->count[body], w->start) &&
                own <= rounding * moves && moves > rounding * fastest) {
                name_left(w, i, body, other);
            }
        }
    }
}
