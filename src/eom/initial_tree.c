/* initial_tree.c - which body carries which while velocities are sought.
 *
 * Joints that hold points of their bodies together, and at least half their freedoms, join
 * them, those with the most constraints first: to the ground and what may not move; then bodies
 * with given velocities to each other, so that bodies of an assembly that moves are carried by
 * it; then all others. Where joints end bushings between bodies go on, then rods without mass
 * and ropes, then springs between points (those that hold rotations alone carry no body), from
 * the heaviest body of all that is not joined to the ground.
 *
 * What carries bodies of whose velocities nothing is given is another tree: joints join
 * whatever they can, from the ground, or from the heaviest body of those that they tie
 * together, on; bushings, and behind them rods and ropes, hold those of which nothing is known
 * to the ground, or lead on to them from where something is known, from the heaviest body
 * first. So a rotor does not carry the frame that it turns in, nor a wheel with a given spin
 * the arms that bushings mount on a chassis, but a crane that turns its load. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/disjoint.h"
#include "eom/initial_relative.h"

#include <string.h>

/* 0: may not move in this stage; 1: its velocity is given; 2: a guess */
static int grade_of(const crank_initial *w, const crank_relative *t, int body)
{
    int grade = t->first[body] < 0 ? 0 : 2;
    for (int i = 0; i < t->count[body]; i++) {
        const int j = w->eom->column[CRANK_V] + t->first[body] + i;
        const bool held = !crank_initial_moves(w, j);
        const int own = held ? 0 : crank_initial_is_guess(w, j) ? 2 : 1;
        grade = own < grade ? own : grade;
    }
    return grade;
}

/* Bodies in the holonomic constraints of each joint that holds any; edge[0] -1: none, edge_rows
 * -1: more than two. Then bodies of forces. */
static void find_edges(const crank_initial *w, crank_relative *t)
{
    const crank_eom *eom = w->eom;
    const crank_eom_parts *parts = eom->parts;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int *joint = parts->constraint_joint, first = eom->row[CRANK_ROW_GI];
    for (int e = 0; e < t->edges; e++) {
        const int tie = e - parts->joint_count;
        const bool swap = tie >= 0 && parts->tie[0][tie] < 0; /* the ground is the second */
        t->edge[0][e] = tie >= 0 ? parts->tie[swap][tie] : -1;
        t->edge[1][e] = tie >= 0 ? parts->tie[!swap][tie] : -1;
        t->edge_rows[e] = 0;
    }
    for (int i = 0; i < eom->sizes.lambda; i++) {
        t->edge_rows[joint[i]] += joint[i] >= 0 && parts->joint_holds[joint[i]] ? 1 : 0;
    }
    for (int i = 0; i < eom->sizes.v; i++) {
        const int body = parts->velocity_body[i], j = eom->column[CRANK_V] + i;
        for (int q = J->start[j]; q < J->start[j + 1] && body >= 0; q++) {
            const int row = J->row[q] - first;
            if (row < 0 || row >= eom->sizes.lambda || joint[row] < 0) {
                continue;
            }
            const int e = joint[row];
            int *a = &t->edge[0][e], *b = &t->edge[1][e];
            if (*a < 0 || *a == body) {
                *a = body;
            } else if (*b < 0 || *b == body) {
                *b = body;
            } else {
                t->edge_rows[e] = -1;
            }
        }
    }
}

/* Joins by an edge if all its ends are at most of this grade. */
static void join(const crank_initial *w, crank_relative *t, int most, int e)
{
    const int a = t->edge[0][e], b = t->edge[1][e] < 0 ? t->bodies : t->edge[1][e];
    if (!t->in_tree[e] && grade_of(w, t, a) <= most &&
        (b == t->bodies || grade_of(w, t, b) <= most)) {
        t->in_tree[e] = crank_disjoint_join(t->group, a, b);
    }
}

static void join_by_joints(const crank_initial *w, crank_relative *t, int most)
{
    for (int rows = 6; rows > 1; rows--) {
        for (int e = 0; e < w->eom->parts->joint_count; e++) {
            const int a = t->edge[0][e], b = t->edge[1][e];
            if (t->edge_rows[e] != rows || a < 0) {
                continue;
            }
            const int other = b >= 0 ? t->count[b] : 0;
            const int freedoms = t->count[a] > other ? t->count[a] : other;
            if (2 * rows >= freedoms) {
                join(w, t, most, e);
                t->held[a] = t->held[a] || (b < 0 && 2 * rows > freedoms);
            }
        }
    }
}

/* The heaviest body of at most this grade that is not joined to the ground moves against it;
 * false: there is none. */
static bool found(const crank_initial *w, crank_relative *t, int most)
{
    const double *mass = w->eom->parts->body_mass;
    const int ground = crank_disjoint_root(t->group, t->bodies);
    int heaviest = -1;
    for (int i = 0; i < t->bodies; i++) {
        if (crank_disjoint_root(t->group, i) != ground && grade_of(w, t, i) <= most &&
            (heaviest < 0 || mass[i] > mass[heaviest])) {
            heaviest = i;
        }
    }
    if (heaviest >= 0) {
        (void)crank_disjoint_join(t->group, heaviest, t->bodies);
        t->parent[heaviest] = -1;
    }
    return heaviest >= 0;
}

/* What leads on where joints end, in this order; ropes are rods. */
typedef enum lead { BUSHINGS, RODS, FORCES } lead;

static bool is_lead(const crank_initial *w, const crank_relative *t, int e, lead kind)
{
    const crank_eom_parts *parts = w->eom->parts;
    const int tie = e - parts->joint_count;
    if (t->edge[0][e] < 0 || (tie < 0) != (kind == RODS)) {
        return false;
    }
    return kind == RODS ? parts->joint_is_rod[e] && t->edge_rows[e] >= 0
                        : parts->tie_holds[tie] == 'b' ||
                              (kind == FORCES && parts->tie_holds[tie] != 'r');
}

/* By roots, t->known: groups that rods hold to the ground, so that no other rod carries them. */
static void find_grounded(const crank_initial *w, crank_relative *t)
{
    memset(t->known, 0, (size_t)t->bodies * sizeof *t->known);
    for (int e = 0; e < t->edges; e++) {
        const int root = is_lead(w, t, e, RODS) && t->edge[1][e] < 0
                             ? crank_disjoint_root(t->group, t->edge[0][e])
                             : t->bodies;
        if (root < t->bodies) {
            t->known[root] = true;
        }
    }
}

/* Those of a kind between bodies lead on from what is joined to the ground; to the ground: that
 * is no body that could carry another along. false: none does. */
static bool lead_on(const crank_initial *w, crank_relative *t, int most, lead kind)
{
    bool any = false;
    if (kind == RODS) {
        find_grounded(w, t);
    }
    for (int e = 0; e < t->edges; e++) {
        const int a = t->edge[0][e], b = t->edge[1][e];
        if (!is_lead(w, t, e, kind) || b < 0) {
            continue;
        }
        const int ground = crank_disjoint_root(t->group, t->bodies);
        const bool known[2] = {crank_disjoint_root(t->group, a) == ground,
                               crank_disjoint_root(t->group, b) == ground};
        const int other =
            known[0] != known[1] ? crank_disjoint_root(t->group, known[0] ? b : a) : t->bodies;
        if (other < t->bodies && !(kind == RODS && t->known[other])) {
            join(w, t, most, e);
            any = any || t->in_tree[e];
        }
    }
    return any;
}

/* Kinds up to the last one, as long as they do. */
static void join_outwards(const crank_initial *w, crank_relative *t, int most, lead last)
{
    int kind = BUSHINGS;
    while (kind <= (int)last) {
        kind = lead_on(w, t, most, (lead)kind) ? BUSHINGS : kind + 1;
    }
}

/* Is anything given of how the body moves? Then it is what others are carried by. */
static bool is_known(const crank_initial *w, const crank_relative *t, int body)
{
    bool known = t->first[body] < 0;
    for (int i = 0; i < t->count[body]; i++) {
        const int j = w->eom->column[CRANK_V] + t->first[body] + i;
        known = known || w->fixing[j] != CRANK_FREE || w->given[j] != 0.0;
    }
    return known;
}

/* By the root of each group that is not joined to the ground: its heaviest body, and whether
 * anything is known of it. */
static void find_groups(const crank_initial *w, crank_relative *t)
{
    const double *mass = w->eom->parts->body_mass;
    const int ground = crank_disjoint_root(t->group, t->bodies);
    for (int i = 0; i < t->bodies; i++) {
        t->begin[i] = -1;
        t->known[i] = false;
    }
    for (int i = 0; i < t->bodies; i++) {
        const int root = crank_disjoint_root(t->group, i);
        if (root != ground && root < t->bodies) {
            int *own = &t->begin[root];
            *own = *own < 0 || mass[i] > mass[*own] ? i : *own;
            t->known[root] = t->known[root] || is_known(w, t, i);
        }
    }
}

/* Of the groups with something known the one with the heaviest body is found first: that body
 * moves against the ground; false: there is none left. */
static bool found_known(const crank_initial *w, crank_relative *t)
{
    const double *mass = w->eom->parts->body_mass;
    int first = -1;
    find_groups(w, t);
    for (int i = 0; i < t->bodies; i++) {
        if (t->known[i] && (first < 0 || mass[t->begin[i]] > mass[first])) {
            first = t->begin[i];
        }
    }
    if (first >= 0) {
        t->parent[first] = -1;
        (void)crank_disjoint_join(t->group, first, t->bodies);
    }
    return first >= 0;
}

/* Bushings and rods hold groups of which nothing is known to the ground. */
static void join_to_ground(const crank_initial *w, crank_relative *t)
{
    find_groups(w, t);
    for (int e = 0; e < t->edges; e++) {
        const int a = t->edge[0][e];
        const int root = a >= 0 ? crank_disjoint_root(t->group, a) : t->bodies;
        if ((is_lead(w, t, e, BUSHINGS) || is_lead(w, t, e, RODS)) && t->edge[1][e] < 0 &&
            root != crank_disjoint_root(t->group, t->bodies) && !t->known[root]) {
            t->in_tree[e] = crank_disjoint_join(t->group, a, t->bodies);
        }
    }
}

static void add_neighbour(crank_relative *t, int e, int side, int from)
{
    t->next[2 * e + side] = t->heads[from];
    t->heads[from] = 2 * e + side;
}

/* From what moves against the ground on along the edges of the tree. parent -2: not reached. */
static void walk(crank_relative *t)
{
    int reached = 0;
    for (int i = 0; i <= t->bodies; i++) {
        t->heads[i] = -1;
    }
    for (int e = 0; e < t->edges; e++) {
        const int a = t->edge[0][e], b = t->edge[1][e];
        if (t->in_tree[e] && b < 0) {
            t->parent[a] = -1;
        } else if (t->in_tree[e]) {
            add_neighbour(t, e, 1, a);
            add_neighbour(t, e, 0, b);
        }
    }
    for (int i = 0; i < t->bodies; i++) {
        if (t->parent[i] == -1) {
            t->order[reached++] = i;
        }
    }
    for (int i = 0; i < reached; i++) {
        const int body = t->order[i];
        for (int n = t->heads[body]; n >= 0; n = t->next[n]) {
            const int other = t->edge[n % 2][n / 2];
            if (t->parent[other] == -2) {
                t->parent[other] = body;
                t->order[reached++] = other;
            }
        }
    }
}

void crank_initial_grow_tree(const crank_initial *w, crank_relative *t)
{
    find_edges(w, t);
    memset(t->in_tree, 0, (size_t)t->edges * sizeof *t->in_tree);
    for (int i = 0; i <= t->bodies; i++) {
        t->group[i] = i;
    }
    for (int i = 0; i < t->bodies; i++) {
        t->parent[i] = -2;
        t->held[i] = false;
        if (grade_of(w, t, i) == 0) {
            t->parent[i] = -1;
            (void)crank_disjoint_join(t->group, i, t->bodies);
        }
    }
    for (int grade = 1; grade <= 2; grade++) {
        join_by_joints(w, t, grade);
        join_outwards(w, t, grade, FORCES);
        while (found(w, t, grade)) {
            join_outwards(w, t, grade, FORCES);
        }
    }
    walk(t);
}

static bool rests(const crank_initial *w, const crank_relative *t, int body)
{
    bool rest = true;
    for (int i = 0; i < t->count[body]; i++) {
        const int j = w->eom->column[CRANK_V] + t->first[body] + i;
        rest = rest && w->fixing[j] == CRANK_FREE && w->x[j] == 0.0;
    }
    return rest;
}

/* Bodies on bushings on one that rests, and that one, stay where they are like those on the
 * ground. */
static void find_mounted(const crank_initial *w, crank_relative *t)
{
    const int joints = w->eom->parts->joint_count;
    for (int e = joints; e < t->edges; e++) {
        const int a = t->edge[0][e], b = t->edge[1][e];
        if (t->in_tree[e] && b >= 0 && w->eom->parts->tie_holds[e - joints] == 'b' &&
            rests(w, t, a) && rests(w, t, b)) {
            t->mounted[a] = t->mounted[b] = true;
        }
    }
}

void crank_initial_grow_carriers(const crank_initial *w, crank_relative *t)
{
    const int joints = w->eom->parts->joint_count;
    find_edges(w, t);
    memset(t->in_tree, 0, (size_t)t->edges * sizeof *t->in_tree);
    for (int i = 0; i <= t->bodies; i++) {
        t->group[i] = i;
    }
    for (int i = 0; i < t->bodies; i++) {
        t->parent[i] = -2;
        t->held[i] = t->mounted[i] = false;
    }
    for (int e = joints; e < t->edges; e++) {
        if (t->edge[0][e] >= 0 && t->edge[1][e] < 0 &&
            w->eom->parts->tie_holds[e - joints] == 'b') {
            t->mounted[t->edge[0][e]] = true;
        }
    }
    join_by_joints(w, t, 2);
    join_to_ground(w, t);
    while (found_known(w, t)) {
        join_outwards(w, t, 2, RODS);
    }
    join_outwards(w, t, 2, RODS);
    while (found(w, t, 2)) {
    }
    find_mounted(w, t);
    walk(t);
}
