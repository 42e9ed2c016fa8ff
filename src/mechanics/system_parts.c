/* system_parts.c - bodies and joints for the reports of eom/: crank_eom_parts. Whoever states
 * constraints is a joint there: joints, then forces, then the file's own equations. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/disjoint.h"
#include "mechanics/build_inside.h"

#include <math.h>
#include <string.h>

static const bool *find_rods(crank_store *store, const crank_mechanism *m, size_t owners)
{
    bool *rod = crank_store_take(store, owners, sizeof *rod);
    for (int i = 0; i < m->joint_count && rod != NULL; i++) {
        rod[i] = crank_record_has(&m->joint[i], CRANK_IS_ROD);
    }
    return rod;
}

static int owner_number(const crank_mechanism *m, crank_owner owner)
{
    switch (owner.kind) {
    case CRANK_OWNER_JOINT:
        return owner.index;
    case CRANK_OWNER_FORCE:
        return m->joint_count + owner.index;
    case CRANK_OWNER_EQUATION:
        break;
    }
    return -1;
}

/* products of differences of points are lengths, or their squares; everything else but laws is
 * an angle */
static signed char power_of(const crank_builder *b, const crank_constraint *c)
{
    if (c->primitive < 0) {
        return -1;
    }
    const crank_primitive *y = &b->primitive.item[c->primitive];
    const crank_vector *const vectors[] = {&y->a, &y->b};
    int power = 0;
    for (int i = 0; i < 2 && (y->kind == CRANK_PRODUCT || y->kind == CRANK_SLIDE); i++) {
        power += vectors[i]->marker[0].point;
    }
    return (signed char)power;
}

/* Who states the constraints, and in which direction. */
typedef struct constraints {
    int next;           /* number of the next equation */
    int *joint;         /* lambda + mu */
    const char **row;   /* lambda + mu */
    const char **text;  /* of all who state any */
    signed char *power; /* lambda + mu: of length */
} constraints;

static void describe_constraints(crank_system *s, const crank_builder *b, bool holonomic,
                                 constraints *c)
{
    const int count = holonomic ? b->holonomic.count : b->nonholonomic.count;
    const crank_constraint *item = holonomic ? b->holonomic.item : b->nonholonomic.item;
    const int first = holonomic ? 0 : b->holonomic.count;
    for (int i = 0; i < count; i++) {
        const int owner = owner_number(b->mechanism, item[i].owner);
        const char *row = item[i].row;
        c->power[first + i] = power_of(b, &item[i]);
        c->joint[first + i] = owner >= 0 ? owner : c->next++;
        if (owner >= 0) {
            c->row[first + i] = crank_store_print(&s->store, "%s", row);
        } else {
            c->text[c->joint[first + i]] = crank_store_print(
                &s->store, "%s \"%s\"", holonomic ? "holonomic" : "nonholonomic", row);
        }
    }
}

/* What restricts velocities alone, a skate, closes no loop. */
static void leave_out_skates(const crank_builder *b, const constraints *c, bool *in_loops)
{
    const int lambda = b->holonomic.count, rows = lambda + b->nonholonomic.count;
    for (int i = lambda; i < rows; i++) {
        bool position = false;
        for (int k = 0; k < lambda && !position; k++) {
            position = c->joint[k] == c->joint[i];
        }
        in_loops[c->joint[i]] = in_loops[c->joint[i]] && position;
    }
}

/* Where joints may be no constraints, their bodies tell. */
static int count_loops(const crank_builder *b, const bool *in_loops, int *parent)
{
    const crank_mechanism *m = b->mechanism;
    int loops = 0;
    for (int i = 0; i <= m->body_count; i++) {
        parent[i] = i; /* the last one is ground */
    }
    for (int i = 0; i < m->joint_count; i++) {
        const crank_reaction *r = &b->reaction[i];
        const int first = r->first >= 0 ? r->first : m->body_count;
        const int second = r->second >= 0 ? r->second : m->body_count;
        loops += r->given && in_loops[i] && !crank_disjoint_join(parent, first, second) ? 1 : 0;
    }
    return loops;
}

typedef struct ties {
    int *body[2];
    char *holds;
    const char **text;
} ties;

static bool take_ties(crank_store *store, size_t count, ties *t)
{
    t->body[0] = crank_store_take(store, count, sizeof(int));
    t->body[1] = crank_store_take(store, count, sizeof(int));
    t->holds = crank_store_take(store, count, 1);
    t->text = crank_store_take(store, count, sizeof *t->text);
    return !store->failed;
}

bool crank_build_holds_turns(crank_builder *b, const crank_record *force)
{
    if (strcmp(force->type->name, "torsion") != 0) {
        return false;
    }
    const crank_field *stiffness = crank_record_find(force, "stiffness");
    const crank_field *law = crank_record_find(force, "law");
    return stiffness != NULL ? stiffness->number[0] != 0.0
           : law != NULL     ? crank_ex_depends(crank_build_pool(b), law->ex[0],
                                                crank_ex_symbol(crank_build_pool(b), "angle"))
                             : crank_record_find(force, "table") != NULL;
}

/* What a force that is stiff holds of its bodies' motion against each other, tie_holds. */
static char holds_of(crank_builder *b, const crank_record *force)
{
    if (strcmp(force->type->name, "bushing") == 0) {
        const crank_field *stiffness = crank_record_find(force, "stiffness");
        const int freedoms = b->mechanism->dimension == 2 ? 3 : 6;
        int stiff = 0;
        for (int i = 0; i < freedoms; i++) {
            stiff += stiffness->number[i] != 0.0 ? 1 : 0;
        }
        return 2 * stiff >= freedoms ? 'b' : '\0';
    }
    return crank_build_holds_turns(b, force) ? 'r' : '\0';
}

/* Does it pull two bodies together, or hold how they turn? Torques and dampers of rotations do
 * neither. */
static bool is_tie(const crank_record *force, char holds)
{
    const char *type = force->type->name;
    const crank_field *between = crank_record_find(force, "between");
    return between != NULL && between->index != NULL && strcmp(type, "torque") != 0 &&
           (strcmp(type, "torsion") != 0 || holds != '\0');
}

/* Forces between two bodies, those that hold all their freedoms first. */
static void list_ties(crank_system *s, crank_builder *b, crank_eom_parts *parts, ties *t)
{
    const crank_mechanism *m = b->mechanism;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < m->force_count; i++) {
            const crank_field *between = crank_record_find(&m->force[i], "between");
            const bool all = strcmp(m->force[i].type->name, "bushing") == 0;
            const char holds = holds_of(b, &m->force[i]);
            if (all == (pass == 0) && is_tie(&m->force[i], holds)) {
                const int own = parts->tie_count++;
                t->body[0][own] = between->index[0];
                t->body[1][own] = between->index[1];
                t->holds[own] = holds;
                t->text[own] = crank_store_print(&s->store, "force \"%s\"", m->force[i].name);
            }
        }
    }
}

/* letters of variables of forces, and of the file's own; count: of the unknowns */
static const char *kinds_of(crank_store *store, const crank_unknown *unknown, int given,
                            int count)
{
    char *kind = crank_store_take(store, (size_t)count + 1, 1);
    for (int i = 0; i < given && kind != NULL; i++) {
        kind[i] = unknown[i].kind;
    }
    return kind;
}

static const char *copy(crank_store *store, const char *text)
{
    return text != NULL ? crank_store_print(store, "%s", text) : NULL;
}

static const crank_eom_friction *list_friction(crank_store *store, const crank_builder *b)
{
    const int count = b->friction.count;
    crank_eom_friction *list = crank_store_take(store, (size_t)count, sizeof *list);
    for (int i = 0; i < count && list != NULL; i++) {
        const crank_eom_friction *from = &b->friction.item[i];
        list[i] = *from;
        list[i].text = copy(store, from->text);
        list[i].rate = copy(store, from->rate);
        list[i].load = copy(store, from->load);
        list[i].scale = copy(store, from->scale);
    }
    return list;
}

static const crank_eom_tread *list_treads(crank_store *store, const crank_builder *b)
{
    const int count = b->tread.count;
    crank_eom_tread *list = crank_store_take(store, (size_t)count, sizeof *list);
    for (int i = 0; i < count && list != NULL; i++) {
        list[i] = b->tread.item[i];
        list[i].text = copy(store, list[i].text);
        list[i].load = copy(store, list[i].load);
        for (int k = 0; k < 2; k++) {
            list[i].deflection[k] = copy(store, list[i].deflection[k]);
            list[i].force[k] = copy(store, list[i].force[k]);
        }
    }
    return list;
}

/* Parameters of curves: a step of one leads along the curve by the mechanism's length, or turns
 * its tangent by 1 rad, whichever is less. */
static void measure_contacts(crank_store *store, const crank_builder *b, crank_eom_parts *parts)
{
    const size_t count = (size_t)b->contact.count;
    double *move = crank_store_take(store, count, sizeof *move);
    double *turn = crank_store_take(store, count, sizeof *turn);
    for (size_t i = 0; i < count && !store->failed; i++) {
        const crank_unknown *u = &b->contact.item[i];
        turn[i] = u->turn;
        move[i] = u->speed > 0.0 ? 1.0 / fmax(u->speed / parts->length, u->turn) : 0.0;
    }
    parts->contact_move = move;
    parts->contact_turn = turn;
}

/* what is known of bodies, by body */
typedef struct bodies {
    const char **text;
    crank_assumed *assumed;
    bool *stands, *turned;
    double *mass, *inertia; /* inertia: 9 of each */
} bodies;

static bodies take_bodies(crank_store *store, size_t count)
{
    const bodies of = {.text = crank_store_take(store, count, sizeof *of.text),
                       .assumed = crank_store_take(store, count, sizeof *of.assumed),
                       .stands = crank_store_take(store, count, sizeof *of.stands),
                       .turned = crank_store_take(store, count, sizeof *of.turned),
                       .mass = crank_store_take(store, count, sizeof *of.mass),
                       .inertia = crank_store_take(store, 9 * count, sizeof *of.inertia)};
    return of;
}

static void describe_bodies(crank_store *store, const crank_builder *b, int count, bodies *of)
{
    const crank_mechanism *m = b->mechanism;
    for (int i = 0; i < count; i++) {
        const crank_body_record *body = &m->body[i];
        of->text[i] = crank_store_print(store, "body \"%s\"", body->name);
        of->mass[i] = body->mass;
        of->stands[i] = b->stands[i];
        of->turned[i] = body->orientation_said;
        memcpy(of->inertia + 9 * (size_t)i, body->inertia, 9 * sizeof *of->inertia);
        of->assumed[i] = body->position_assumed      ? CRANK_ASSUMED_POSITION
                         : body->orientation_assumed ? CRANK_ASSUMED_ORIENTATION
                                                     : CRANK_ASSUMED_NOTHING;
    }
}

crank_status crank_system_parts(crank_system *s, crank_builder *b, crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    crank_eom *eom = s->eom;
    const size_t np = (size_t)eom->sizes.p, nv = (size_t)eom->sizes.v;
    const size_t rows = (size_t)eom->sizes.lambda + (size_t)eom->sizes.mu;
    const size_t owners = (size_t)m->joint_count + (size_t)m->force_count + rows;
    crank_store *store = &s->store;
    crank_eom_parts *parts = crank_store_take(store, 1, sizeof *parts);
    int *body[2] = {crank_store_take(store, np, sizeof(int)),
                    crank_store_take(store, nv, sizeof(int))};
    char *kind[2] = {crank_store_take(store, np, 1), crank_store_take(store, nv, 1)};
    constraints c = {.next = m->joint_count + m->force_count,
                     .joint = crank_store_take(store, rows, sizeof *c.joint),
                     .row = crank_store_take(store, rows, sizeof *c.row),
                     .text = crank_store_take(store, owners, sizeof *c.text),
                     .power = crank_store_take(store, rows, sizeof *c.power)};
    bodies of = take_bodies(store, (size_t)s->body_count);
    int *parent = crank_store_take(b->store, (size_t)s->body_count + 1, sizeof *parent);
    bool *holds = crank_store_take(store, owners, sizeof *holds);
    ties tie;
    bool *in_loops = crank_store_take(store, owners, sizeof *in_loops);
    if (!take_ties(store, (size_t)m->force_count, &tie) || b->store->failed) {
        return crank_fail(err, CRANK_EMEM, "names of the mechanism's parts");
    }
    s->coordinates.kind->describe(s, body, kind);
    describe_constraints(s, b, true, &c);
    describe_constraints(s, b, false, &c);
    describe_bodies(store, b, s->body_count, &of);
    for (int i = 0; i < m->joint_count; i++) {
        c.text[i] = crank_store_print(store, "joint \"%s\"", m->joint[i].name);
        in_loops[i] = !crank_record_has(&m->joint[i], CRANK_RELATES);
        holds[i] = b->place[i].given && b->place[i].meets;
    }
    leave_out_skates(b, &c, in_loops);
    for (int i = 0; i < m->force_count; i++) {
        c.text[m->joint_count + i] = crank_store_print(store, "force \"%s\"", m->force[i].name);
    }
    if (store->failed) {
        return crank_fail(err, CRANK_EMEM, "names of the mechanism's parts");
    }
    *parts = (crank_eom_parts){
        .body_count = s->body_count,
        .joint_count = c.next,
        .body_text = of.text,
        .body_assumed = of.assumed,
        .body_stands = of.stands,
        .body_turned = of.turned,
        .body_mass = of.mass,
        .body_inertia = s->coordinates.chain == NULL ? of.inertia : NULL,
        .joint_text = c.text,
        .joint_links = in_loops,
        .joint_holds = holds,
        .joint_is_rod = find_rods(store, m, owners),
        .tie = {tie.body[0], tie.body[1]},
        .tie_holds = tie.holds,
        .tie_text = tie.text,
        .position_body = body[0],
        .velocity_body = body[1],
        .position_kind = kind[0],
        .velocity_kind = kind[1],
        .dynamic_kind = kinds_of(store, b->dynamic.item, b->dynamic.count, (int)eom->sizes.r),
        .auxiliary_kind =
            kinds_of(store, b->auxiliary.item, b->auxiliary.count, b->auxiliary.count),
        .constraint_joint = c.joint,
        .constraint_row = c.row,
        .constraint_power = c.power,
        .constraints_vanish = s->coordinates.chain != NULL,
        .coordinates = s->coordinates.kind->name,
        .loops = s->coordinates.chain != NULL ? count_loops(b, in_loops, parent) : -1,
        .friction_count = b->friction.count,
        .friction = list_friction(store, b),
        .tread_count = b->tread.count,
        .tread = list_treads(store, b),
        .first_work = b->first_work};
    list_ties(s, b, parts, &tie);
    crank_system_natural(s, b, &parts->length, &parts->time);
    measure_contacts(store, b, parts);
    if (store->failed) {
        return crank_fail(err, CRANK_EMEM, "names of the mechanism's parts");
    }
    eom->parts = parts;
    return crank_system_readers(s, b, parts, err);
}
