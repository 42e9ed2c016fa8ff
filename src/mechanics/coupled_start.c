/* coupled_start.c - what hangs behind a torsion spring starts untwisted.
 *
 * A flywheel in a bearing of its own is put there with its joint's angle at zero. If its shaft
 * begins elsewhere, since `initial`, a drive or a gear says so, the spring between them would
 * begin twisted, by nothing that the file says. So with start values found, where the angle y
 * of a torsion spring is not zero, the body at one of its ends, and all that it carries,
 *     D: what hangs together with it when the hinge that holds it to its carrier is opened,
 * is turned about that hinge by -y, as a rigid body, and the search goes on from there with D
 * held. That is taken if y is zero then and nothing else has moved; if no end can be turned so,
 * if nothing has moved of which the file says where it stands (what is geared to D goes along).
 * D must not contain the carrier (it is no part of a loop), nor a body of which the file says
 * something, be it a guess. If it would, what turns about the same axis is left out of D: wheels
 * in bearings on the shaft of a planetary gear stay while it turns, or follow by their teeth. Where another spring would be twisted for it, D stays and is named.
 * theory 5 */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/coupled_start.h"

#include "base/disjoint.h"
#include "eom/structure.h"
#include "linalg/rotation.h"
#include "mechanics/build_inside.h"
#include "mechanics/known_start.h"
#include "mechanics/law.h"
#include "mechanics/said_start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rounding = 1e-9; /* rad, and of places: as far as searches close joints */
static const double noticed = 1e-3;  /* rad: files place bodies by three digits */
enum { TURNS = 4 };                  /* of Newton's iteration, where axes are not parallel */

/* ---- what the file says ---- */

static bool is_open(const crank_builder *b, int body)
{
    const crank_body_record *r = &b->mechanism->body[body];
    return !r->point && r->position_fixing == CRANK_FREE && !r->position_said &&
           r->orientation_fixing == CRANK_FREE && !r->orientation_said;
}

/* The body on the other side of a hinge whose angle the file does not give, -2: it is none. */
static int carrier_by(const crank_builder *b, int joint, int body)
{
    const crank_joint_place *p = &b->place[joint];
    const bool hinge = p->given && p->meets && !p->told &&
                       crank_record_has(&b->mechanism->joint[joint], CRANK_TURNS) &&
                       strcmp(b->mechanism->joint[joint].type->name, "revolute") == 0;
    return !hinge                  ? -2
           : p->at[0].body == body ? p->at[1].body
           : p->at[1].body == body ? p->at[0].body
                                   : -2;
}

/* Does a joint leave a body free to turn as its hinge does, about the same axis? */
static bool is_coaxial(const crank_builder *b, int joint, int hinge, int body)
{
    const crank_joint_place *p = &b->place[joint], *h = &b->place[hinge];
    const bool turns = joint < b->mechanism->joint_count && p->given && p->meets &&
                       (p->at[0].body == body || p->at[1].body == body) &&
                       strcmp(b->mechanism->joint[joint].type->name, "revolute") == 0;
    if (!turns || joint == hinge) {
        return false;
    }
    const int i = p->at[0].body == body ? 0 : 1, k = h->at[0].body == body ? 0 : 1;
    const double *axis = h->a[k].u;
    double apart[3], beside[3];
    memcpy(apart, p->at[i].u, sizeof apart);
    crank_add3(apart, -1.0, h->at[k].u);
    const double size = crank_norm3(p->at[i].u) + crank_norm3(h->at[k].u);
    if (b->mechanism->dimension == 3) {
        crank_cross3(beside, axis, apart);
        memcpy(apart, beside, sizeof apart);
        crank_cross3(beside, axis, p->a[i].u);
        if (crank_norm3(beside) > rounding) {
            return false;
        }
    }
    return crank_norm3(apart) <= rounding * size;
}

/* Joins what joints hold together at points, and bushings, but for the hinges between a body
 * and its carrier, and, alone, other hinges of it about the same axis; the ground is the last. */
static void join_others(const crank_builder *b, int body, int carrier, int hinge, bool alone,
                        int *group)
{
    const crank_mechanism *m = b->mechanism;
    for (int i = 0; i <= m->body_count; i++) {
        group[i] = i;
    }
    for (int j = 0; j < m->joint_count + m->force_count; j++) {
        const crank_joint_place *p = &b->place[j];
        const int one = p->at[0].body, other = p->at[1].body;
        const bool opened = (one == body && other == carrier) ||
                            (one == carrier && other == body) ||
                            (alone && is_coaxial(b, j, hinge, body));
        if (p->given && p->meets && !opened) {
            (void)crank_disjoint_join(group, one < 0 ? m->body_count : one,
                                      other < 0 ? m->body_count : other);
        }
    }
}

/* What hangs on one end of a coupling, if it may be turned; alone: without what turns about the
 * same axis (wheels on the shaft of a planetary gear). */
static bool find_end(crank_system *s, const crank_builder *b, crank_coupling *c, int end,
                     bool alone, int *group)
{
    const crank_mechanism *m = b->mechanism;
    const int body = c->body[end], ground = m->body_count;
    for (int j = 0; j < m->joint_count && body >= 0 && c->count[end] == 0; j++) {
        const int carrier = carrier_by(b, j, body);
        if (carrier < -1) {
            continue;
        }
        join_others(b, body, carrier, j, alone, group);
        const int root = crank_disjoint_root(group, body), other = c->body[1 - end];
        bool may = crank_disjoint_root(group, carrier < 0 ? ground : carrier) != root &&
                   crank_disjoint_root(group, ground) != root &&
                   crank_disjoint_root(group, other < 0 ? ground : other) != root;
        int count = 0;
        for (int i = 0; i < ground; i++) {
            const bool in = crank_disjoint_root(group, i) == root;
            count += in ? 1 : 0;
            may = may && (!in || is_open(b, i));
        }
        if (!may) {
            continue;
        }
        const crank_joint_place *p = &b->place[j];
        const int side = p->at[0].body == body ? 0 : 1;
        c->at[end] = p->at[side];
        c->axis[end] =
            m->dimension == 3 ? p->a[side] : (crank_marker){.body = body, .u = {0, 0, 1}};
        c->list[end] = crank_store_take(&s->store, (size_t)count, sizeof(int));
        for (int i = 0; i < ground && c->list[end] != NULL; i++) {
            if (crank_disjoint_root(group, i) == root) {
                c->list[end][c->count[end]++] = i;
            }
        }
    }
    return !s->store.failed;
}

/* The two bodies of a torsion spring; false: it holds nothing. */
static bool ends_of(crank_builder *b, const crank_record *force, int body[2])
{
    const crank_field *joint = crank_record_find(force, "joint");
    const crank_field *between =
        joint != NULL ? crank_record_find(&b->mechanism->joint[joint->index[0]], "between")
                      : crank_record_find(force, "between");
    if (between == NULL || between->index == NULL || !crank_build_holds_turns(b, force)) {
        return false;
    }
    body[0] = between->index[0];
    body[1] = between->index[1];
    return true;
}

static crank_ex angle_of(crank_builder *b, const crank_record *force)
{
    const char *name = crank_store_print(b->store, "force.%s.angle", force->name);
    crank_ex found = -1;
    for (int i = 0; i < b->name.count && name != NULL && found < 0; i++) {
        found = strcmp(b->name.item[i].name, name) == 0 ? b->name.item[i].ex : -1;
    }
    return found;
}

crank_status crank_system_take_couplings(crank_system *s, crank_builder *b, crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    const size_t forces = (size_t)m->force_count;
    crank_ex *ex = crank_store_take(b->store, forces, sizeof *ex);
    int *group = crank_store_take(b->store, (size_t)m->body_count + 1, sizeof *group);
    s->coupling = crank_store_take(&s->store, forces, sizeof *s->coupling);
    bool *said = crank_store_take(b->store, (size_t)m->body_count + 1, sizeof *said);
    bool good = !s->store.failed && !b->store->failed;
    if (good) {
        crank_system_find_said(b, said);
    }
    for (size_t i = 0; i < forces && good && !b->coordinates->assembled; i++) {
        crank_coupling c = {.body = {-1, -1}};
        if (!ends_of(b, &m->force[i], c.body)) {
            continue;
        }
        ex[s->coupling_count] = angle_of(b, &m->force[i]);
        if (ex[s->coupling_count] < 0) {
            continue;
        }
        c.text = crank_store_print(&s->store, "force \"%.80s\"", m->force[i].name);
        c.rests = crank_record_find(&m->force[i], "angle") == NULL &&
                  crank_record_find(&m->force[i], "stiffness") != NULL;
        for (int end = 0; end < 2 && good; end++) {
            good = find_end(s, b, &c, end, false, group) &&
                   (c.count[end] > 0 || find_end(s, b, &c, end, true, group));
        }
        for (int end = 0; end < 2; end++) {
            c.said[end] = c.body[end] < 0 || said[c.body[end]];
        }
        c.stated =
            crank_record_find(&m->force[i], "joint") != NULL || /* of which zero is known */
            crank_record_find(&m->force[i], "angle") != NULL ||
            crank_record_find(&m->force[i], "preload") != NULL;
        s->coupling[s->coupling_count++] = c;
    }
    const bool any = s->coupling_count > 0;
    if (!good || b->failed) {
        return crank_fail(err, CRANK_EMEM, "building the mechanism");
    }
    return any ? crank_expressions_create(b, s->coupling_count, ex, &s->twist, err) : CRANK_OK;
}

/* ---- turning ---- */

typedef struct untwist {
    crank_system *s;
    double t;
    const double *given; /* n: before the search */
    double *x;           /* n: found */
    bool positions;      /* alone, before velocities and what conditions ask of accelerations */
    double *trial;       /* n */
    double *now, *then;  /* angles of all couplings: in x, in trial */
    crank_fixing *fixing;
    bool *settled; /* bodies: turned already */
    bool *tried;   /* couplings, twice */
    bool *named;   /* couplings */
} untwist;

static void fetch(const untwist *u, const double *x, double *angle)
{
    crank_system_point(u->s, u->t, x);
    crank_expressions_evaluate(u->s->twist, u->s, u->t, x, angle);
}

static bool hangs(const crank_coupling *c, int end, int body)
{
    bool in = false;
    for (int i = 0; i < c->count[end] && !in; i++) {
        in = c->list[end][i] == body;
    }
    return in;
}

/* Turns a body in trial about an axis through P. */
static void turn_body(const untwist *u, int body, const double P[3], const double a[3],
                      double angle)
{
    const crank_system *s = u->s;
    double *place = u->trial + s->coordinates.kind->column(s, body, CRANK_PART_POSITION);
    const int axes = crank_body_translations(s->body[body].kind);
    crank_body_state state;
    double turn[4], R[9], arm[3], q[4];
    s->coordinates.kind->state(s, body, u->t, u->trial, &state);
    crank_quaternion_of_axis(turn, a, angle);
    crank_quaternion_matrix(R, turn);
    crank_add3(state.x, -1.0, P);
    crank_mat3_times(arm, R, state.x);
    for (int k = 0; k < axes; k++) {
        place[k] = P[k] + arm[k];
    }
    if (s->body[body].kind == CRANK_BODY_PLANAR) {
        place[axes] += angle * a[2];
    } else {
        crank_quaternion_multiply(q, turn, state.q);
        memcpy(place + axes, q, sizeof q);
    }
}

/* Turns one end of a coupling in trial until its angle is zero; false: it does not get there. */
static bool turn_end(const untwist *u, int k, int end)
{
    const crank_coupling *c = &u->s->coupling[k];
    double P[3], a[3], angle = end == 1 ? -u->now[k] : u->now[k], before = u->now[k];
    crank_system_start_point(u->s, u->t, u->x, &c->at[end], false, P);
    crank_system_start_point(u->s, u->t, u->x, &c->axis[end], true, a);
    memcpy(u->trial, u->x, (size_t)u->s->eom->n * sizeof *u->x);
    for (int i = 0; i < TURNS; i++) {
        for (int l = 0; l < c->count[end]; l++) {
            turn_body(u, c->list[end][l], P, a, angle);
        }
        fetch(u, u->trial, u->then);
        const double rate = (u->then[k] - before) / angle;
        if (fabs(u->then[k]) <= rounding) {
            return true;
        }
        before = u->then[k];
        angle = -before / rate;
        if (!isfinite(angle)) {
            return false;
        }
    }
    return false;
}

/* Is a position of x elsewhere in trial, of bodies outside the end that has been turned? What
 * moves: of which the file says where it is. */
static bool has_moved(const untwist *u, const crank_coupling *c, int end,
                      const crank_fixing *fixing)
{
    const crank_eom *eom = u->s->eom;
    const crank_eom_parts *parts = eom->parts;
    bool moved = false;
    for (int i = 0; i < eom->sizes.p && !moved; i++) {
        const int j = eom->column[CRANK_P] + i, body = parts->position_body[i];
        const bool said = body >= 0 && (parts->body_stands[body] || parts->body_turned[body]);
        const double size = parts->position_kind[i] == 't' ? parts->length : 1.0;
        moved = (fixing[j] != CRANK_FREE || said || body == c->body[1 - end]) &&
                fabs(u->trial[j] - u->x[j]) > rounding * (size + fabs(u->x[j]));
    }
    return moved;
}

/* The other coupling that twists for it and cannot give way; -1: there is none. */
static int torn_by(const untwist *u, int k, int end)
{
    const crank_coupling *list = u->s->coupling, *c = &list[k];
    for (int m = 0; m < u->s->coupling_count; m++) {
        for (int e = 0; e < 2 && m != k; e++) {
            const int other = list[m].body[1 - e];
            bool gives = list[m].count[1 - e] > 0;
            for (int i = 0; i < list[m].count[1 - e] && gives; i++) {
                gives = !u->settled[list[m].list[1 - e][i]];
            }
            if (hangs(c, end, list[m].body[e]) && !(other >= 0 && hangs(c, end, other)) &&
                !gives && fabs(u->then[m]) > fabs(u->now[m]) + rounding) {
                return m;
            }
        }
    }
    return -1;
}

/* Searches on from trial with the end that was turned held, all: and everything else. */
static bool go_on(const untwist *u, int k, int end, bool all,
                  const crank_initial_options *options)
{
    const crank_eom *eom = u->s->eom;
    const crank_coupling *c = &u->s->coupling[k];
    crank_initial_options own = *options;
    own.fixing = u->fixing;
    own.reached = NULL;
    memcpy(u->fixing, options->fixing, (size_t)eom->n * sizeof *u->fixing);
    for (int i = 0; i < eom->sizes.p; i++) {
        const int body = eom->parts->position_body[i];
        if (all || (body >= 0 && hangs(c, end, body))) {
            u->fixing[eom->column[CRANK_P] + i] = CRANK_FIXED;
        }
    }
    memcpy(u->trial, u->given, (size_t)eom->column[CRANK_S] * sizeof *u->trial);
    if (eom->supplier.carry != NULL) {
        eom->supplier.carry(eom->self, u->t, u->given, u->trial);
    }
    bool later;
    if ((u->positions ? crank_eom_assemble(u->s->eom, u->t, u->trial, &own, &later, NULL)
                      : crank_eom_initialize(u->s->eom, u->t, u->trial, &own, NULL,
                                             (crank_log){0}, NULL)) != CRANK_OK) {
        return false;
    }
    fetch(u, u->trial, u->then);
    return fabs(u->then[k]) <= rounding && !has_moved(u, c, end, options->fixing);
}

static void warn_torn(const untwist *u, int k, int end, int by, crank_log log)
{
    const crank_coupling *list = u->s->coupling;
    crank_log_write(
        &log, CRANK_WARNING,
        "%s starts twisted by %.3g rad: nothing says how %s stands, and %s would be "
        "twisted in its place; give its angle",
        list[k].text, u->now[k], u->s->eom->parts->body_text[list[k].body[end]], list[by].text);
}

/* One coupling by one of its ends; true: it is untwisted. */
static bool attempt(untwist *u, int k, int end, bool all, const crank_initial_options *options,
                    crank_log log)
{
    const crank_coupling *c = &u->s->coupling[k];
    bool may = c->count[end] > 0 && fabs(u->now[k]) > rounding;
    for (int i = 0; i < c->count[end] && may; i++) {
        may = !u->settled[c->list[end][i]];
    }
    bool *tried = &u->tried[4 * k + 2 * end + (all ? 1 : 0)];
    if (!may || *tried || !turn_end(u, k, end)) {
        return false;
    }
    *tried = true;
    const int by = torn_by(u, k, end);
    if (by >= 0) {
        if (all && !c->rests) {
            warn_torn(u, k, end, by, log);
            u->named[k] = true;
        }
        return false;
    }
    if (!go_on(u, k, end, all, options)) {
        return false;
    }
    memcpy(u->x, u->trial, (size_t)u->s->eom->n * sizeof *u->x);
    fetch(u, u->x, u->now);
    for (int i = 0; i < c->count[end]; i++) {
        u->settled[c->list[end][i]] = true;
    }
    return true;
}

/* All couplings by ends that turn alone, then by those that take others along; true: one was
 * untwisted, which may have twisted the next. */
static bool pass(untwist *u, const crank_initial_options *options, crank_log log)
{
    for (int all = 1; all >= 0; all--) {
        for (int k = 0; k < u->s->coupling_count; k++) {
            for (int end = 1; end >= 0; end--) {
                if (attempt(u, k, end, all != 0, options, log)) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* Does a condition of the file read how a body stands? u->trial: work. */
static bool is_asked(const untwist *u, int body)
{
    static const double axis[3] = {0.26726124, 0.53452248, 0.80178373}; /* any */
    const crank_system *s = u->s;
    const size_t count = (size_t)s->eom->sizes.initial;
    double *here = malloc((2 * count + 1) * sizeof *here), *there = here + count;
    crank_body_state state;
    bool asked = false;
    if (here == NULL || count == 0) {
        free(here);
        return false;
    }
    memcpy(u->trial, u->x, (size_t)s->eom->n * sizeof *u->x);
    s->coordinates.kind->state(s, body, u->t, u->x, &state);
    (void)crank_system_initial(u->s, u->t, u->x, here, NULL);
    turn_body(u, body, state.x, axis, noticed);
    (void)crank_system_initial(u->s, u->t, u->trial, there, NULL);
    for (size_t i = 0; i < count; i++) {
        asked = asked || here[i] != there[i];
    }
    free(here);
    return asked;
}

/* Springs that stay twisted since joints have turned a body of which the file says nothing, and
 * that do not rest where they start: those by a law. */
static void warn_twisted(const untwist *u, crank_log log)
{
    const crank_eom *eom = u->s->eom;
    for (int k = 0; k < u->s->coupling_count; k++) {
        const crank_coupling *c = &u->s->coupling[k];
        for (int end = 0; end < 2; end++) {
            const int body = c->body[end];
            double moved, turned = 0.0;
            int first = 0;
            if (u->named[k] || c->stated || c->rests || c->said[end] ||
                !(fabs(u->now[k]) > noticed)) {
                continue;
            }
            while (first < eom->sizes.p && eom->parts->position_body[first] != body) {
                first++;
            }
            crank_body_move_at(eom, first, u->given, u->x, &moved, &turned);
            if (turned > noticed && !is_asked(u, body)) {
                u->named[k] = true;
                crank_log_write(
                    &log, CRANK_WARNING,
                    "%s starts twisted by %.3g rad: joints turn %s by %.3g rad, and "
                    "nothing says that it is to stand so; give the spring the "
                    "`angle` at which it is at rest, or start where it is",
                    c->text, u->now[k], eom->parts->body_text[body], turned);
            }
        }
    }
}

crank_status crank_system_untwist(crank_system *s, double t, const double *given, double *x,
                                  const crank_initial_options *options, bool *turned,
                                  crank_log log, crank_error *err)
{
    const size_t n = (size_t)s->eom->n, couplings = (size_t)s->coupling_count;
    if (couplings == 0 || options->fixing == NULL || s->stays) {
        return CRANK_OK;
    }
    double *values = malloc((n + 2 * couplings) * sizeof *values);
    crank_fixing *fixing = malloc(n * sizeof *fixing);
    bool *flags = calloc((size_t)s->body_count + 5 * couplings, sizeof *flags);
    crank_status status = CRANK_OK;
    if (values == NULL || fixing == NULL || flags == NULL) {
        status = crank_fail(err, CRANK_EMEM, "start values of %d unknowns", s->eom->n);
    } else {
        untwist u = {.s = s,
                     .t = t,
                     .given = given,
                     .x = x,
                     .positions = turned != NULL,
                     .trial = values,
                     .now = values + n,
                     .then = values + n + couplings,
                     .fixing = fixing,
                     .settled = flags,
                     .tried = flags + s->body_count,
                     .named = flags + s->body_count + 4 * couplings};
        fetch(&u, x, u.now);
        while (pass(&u, options, log)) {
            if (turned != NULL) {
                *turned = true;
            }
        }
        warn_twisted(&u, log);
    }
    free(values);
    free(fixing);
    free(flags);
    return status;
}
