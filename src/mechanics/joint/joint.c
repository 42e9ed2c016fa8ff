/* joint.c - joint coordinates: the unknowns are coordinates of the joints of a tree, their
 * rates and accelerations; joints that are not part of it are constraints, as in absolute
 * coordinates. Their names and places, and the table of functions.
 *
 *     joint.knee.coordinate  joint.knee.rate        one degree of freedom
 *     joint.knee.coordinate_1 ...                   several
 *     body.rod.x  body.rod.q0  body.rod.omega_x  bodies that no joint of the tree holds: as in
 *                                                   absolute coordinates */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/articulated.h"
#include "mechanics/joint/compiled.h"

#include "linalg/rotation.h"
#include "mechanics/law.h"

#include <stdlib.h>
#include <string.h>

/* ---- unknowns and their names ---- */

static void count(const crank_builder *b, crank_eom_sizes *sizes)
{
    const crank_tree_shape *shape = b->tree;
    sizes->p += shape->np;
    sizes->v += shape->nv;
    sizes->w += shape->nv;
    sizes->n += shape->nn;
}

static const char *name_free(const crank_builder *b, int body, bool velocity, int component)
{
    static const char *const cardan[2][3] = {{"angle_x", "angle_y", "angle_z"},
                                             {"rate_x", "rate_y", "rate_z"}};
    // clang-format off
    static const char *const position[][7] = {
        [CRANK_BODY_SPATIAL] = {"x", "y", "z", "q0", "q1", "q2", "q3"},
        [CRANK_BODY_PLANAR] = {"x", "y", "angle"},
        [CRANK_BODY_POINT] = {"x", "y", "z"}, [CRANK_BODY_PLANAR_POINT] = {"x", "y"}};
    static const char *const rate[][6] = {
        [CRANK_BODY_SPATIAL] = {"vx", "vy", "vz", "omega_x", "omega_y", "omega_z"},
        [CRANK_BODY_PLANAR] = {"vx", "vy", "rate"},
        [CRANK_BODY_POINT] = {"vx", "vy", "vz"}, [CRANK_BODY_PLANAR_POINT] = {"vx", "vy"}};
    // clang-format on
    const crank_body_record *r = &b->mechanism->body[body];
    const crank_body_kind kind = b->kind[body];
    const bool center = component < crank_body_translations(kind) &&
                        (r->center[0] != 0.0 || r->center[1] != 0.0 || r->center[2] != 0.0);
    if (component >= 3 && crank_tree_is_cardan(b->tree, body)) {
        return crank_store_print(b->store, "body.%s.%s", r->name,
                                 cardan[velocity][component - 3]);
    }
    return crank_store_print(b->store, "body.%s.%s%s", r->name, center ? "center_" : "",
                             velocity ? rate[kind][component] : position[kind][component]);
}

static const char *name_joint(const crank_builder *b, int joint, bool velocity, int component,
                              int count)
{
    const char *name = b->mechanism->joint[joint].name;
    const char *what = velocity ? "rate" : "coordinate";
    return count == 1
               ? crank_store_print(b->store, "joint.%s.%s", name, what)
               : crank_store_print(b->store, "joint.%s.%s_%d", name, what, component + 1);
}

/* of body i: how many p (v), and their names from its first one on */
static void name_body(const crank_builder *b, int i, bool velocity, const char **out)
{
    const crank_tree_shape *shape = b->tree;
    const crank_tree_body *body = &shape->body[i];
    int all = 0, at = 0;
    for (int l = body->first; l < body->first + body->count; l++) {
        all += velocity ? shape->link[l].nv : shape->link[l].np;
    }
    for (int l = body->first; l < body->first + body->count; l++) {
        const crank_link *link = &shape->link[l];
        const int n = velocity ? link->nv : link->np, first = velocity ? link->v : link->p;
        for (int k = 0; k < n; k++, at++) {
            out[first + k] = body->joint < 0 ? name_free(b, i, velocity, at)
                                             : name_joint(b, body->joint, velocity, at, all);
        }
    }
}

static void name_unknowns(const crank_builder *b, const crank_coordinate_names *names)
{
    const crank_tree_shape *shape = b->tree;
    for (int i = 0; i < shape->body_count; i++) {
        name_body(b, i, false, names->p);
        name_body(b, i, true, names->v);
    }
    for (int v = 0; v < shape->nv && !b->store->failed; v++) {
        names->a[v] = crank_store_print(b->store, "acceleration.%s", names->v[v]);
    }
    for (int l = 0; l < shape->link_count && !b->store->failed; l++) {
        const crank_link *link = &shape->link[l];
        if (link->n >= 0) {
            names->n[link->n] = crank_store_print(b->store, "norm of %s", names->p[link->p]);
        }
    }
}

/* ---- creation ---- */

static void *copy(crank_store *store, const void *from, size_t count, size_t size)
{
    void *to = crank_store_take(store, count, size);
    if (to != NULL && count > 0) {
        memcpy(to, from, count * size);
    }
    return to;
}

/* what turns make of quaternions, once the signs of q_0 are known */
static void prepare_turns(crank_tree_shape *shape)
{
    static const double unit[4] = {1.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < shape->body_count; i++) {
        crank_tree_body *body = &shape->body[i];
        const int last = body->first + body->count - 1;
        body->turns = body->count > 0 && shape->link[last].kind == CRANK_LINK_TURN;
        for (int l = body->first; l <= last; l++) {
            crank_link *link = &shape->link[l];
            const double a[4] = {0.0, link->axis[0], link->axis[1], link->axis[2]};
            memcpy(link->straight, l == last ? body->outer_q : unit, sizeof link->straight);
            crank_quaternion_multiply(link->turned, a, link->straight);
        }
    }
}

static const crank_tree_shape *copy_shape(crank_store *store, const crank_tree_shape *from,
                                          size_t joints)
{
    crank_tree_shape *shape = copy(store, from, 1, sizeof *shape);
    if (shape != NULL) {
        const size_t bodies = (size_t)from->body_count;
        shape->body = copy(store, from->body, bodies, sizeof *from->body);
        shape->link = copy(store, from->link, (size_t)from->link_count, sizeof *from->link);
        shape->order = copy(store, from->order, bodies, sizeof *from->order);
        shape->hung = copy(store, from->hung, joints, sizeof *from->hung);
        shape->lambda =
            copy(store, from->lambda, (size_t)from->lambda_count, sizeof *from->lambda);
    }
    if (!store->failed) {
        prepare_turns(shape);
        for (int i = 0; i < shape->body_count; i++) {
            shape->cardan = shape->cardan || crank_tree_is_cardan(shape, i);
        }
    }
    return shape;
}

static bool take_values(crank_system *s, crank_tree *tree)
{
    const size_t bodies = (size_t)tree->shape->body_count,
                 links = (size_t)tree->shape->link_count;
    tree->s = s;
    tree->link = crank_store_take(&s->store, links, sizeof *tree->link);
    tree->body = crank_store_take(&s->store, bodies, sizeof *tree->body);
    tree->own = crank_store_take(&s->store, bodies, sizeof *tree->own);
    tree->touched = crank_store_take(&s->store, bodies, sizeof *tree->touched);
    tree->inertia = crank_store_take(&s->store, bodies, sizeof *tree->inertia);
    tree->force = crank_store_take(&s->store, bodies, sizeof *tree->force);
    tree->k = crank_store_take(&s->store, (size_t)s->eom->m, sizeof *tree->k);
    tree->terms = crank_store_take(&s->store, (size_t)s->eom->m, sizeof *tree->terms);
    tree->behind = crank_store_take(&s->store, bodies, sizeof *tree->behind);
    s->eom->terms = tree->terms;
    return !s->store.failed;
}

static crank_status create(crank_system *s, crank_builder *b, crank_error *err)
{
    crank_eom *eom = s->eom;
    const int auxiliary = b->auxiliary.count;
    crank_tree *tree = crank_store_take(&s->store, 1, sizeof *tree);
    if (tree != NULL) {
        tree->shape = copy_shape(&s->store, b->tree, (size_t)b->mechanism->joint_count);
        tree->pairs = crank_store_take(&s->store, 1, sizeof *tree->pairs);
    }
    if (s->store.failed || !take_values(s, tree)) {
        return crank_fail(err, CRANK_EMEM, "joint coordinates of the mechanism");
    }
    s->coordinates.self = tree;
    tree->column_p = eom->column[CRANK_P];
    tree->column_v = eom->column[CRANK_V];
    tree->column_a = eom->column[CRANK_W] + auxiliary;
    tree->row_d = eom->row[CRANK_ROW_D] + auxiliary;
    tree->row_dyn = eom->row[CRANK_ROW_DYN];
    tree->row_kin = eom->row[CRANK_ROW_KIN];
    tree->row_n = eom->row[CRANK_ROW_N];
    eom->kinematics_constant = tree->shape->nn == 0;
    for (int v = 0; v < tree->shape->nv; v++) {
        eom->carried[tree->column_a + v] = true;
    }
    for (int i = 0; i < s->body_count; i++) {
        static const double zero[CRANK_BODY_MAX_P];
        crank_body_state_set(&s->state[i], s->body[i].kind, zero, zero, NULL);
    }
    return crank_tree_led_create(tree, b, err);
}

static crank_status compile(crank_system *s, const crank_builder *b, crank_error *err)
{
    return crank_tree_compile(crank_tree_of(&s->coordinates), b, err);
}

static crank_status finish(crank_system *s, crank_error *err)
{
    crank_tree *tree = crank_tree_of(&s->coordinates);
    crank_status status = crank_tree_stage_create(tree, err);
    status = status == CRANK_OK ? crank_tree_forward_create(tree, err) : status;
    status = status == CRANK_OK ? crank_tree_recursion_create(tree, err) : status;
    status = status == CRANK_OK ? crank_tree_motions_create(tree, err) : status;
    /* what recording made grow is the store's from now on */
    const size_t count = (size_t)tree->pairs->count;
    crank_tree_block *change = copy(&s->store, tree->change, count, sizeof *change);
    free(tree->change);
    tree->change = change;
    if (status == CRANK_OK && (change == NULL || !crank_tree_vanish_create(tree, NULL))) {
        status = crank_fail(err, CRANK_EMEM, "joint coordinates of the mechanism");
    }
    return status;
}

static bool share(crank_system *s, const crank_system *from)
{
    crank_tree *tree = copy(&s->store, from->coordinates.self, 1, sizeof *tree);
    if (tree == NULL || !take_values(s, tree)) {
        return false;
    }
    tree->change =
        crank_store_take(&s->store, (size_t)tree->pairs->count, sizeof *tree->change);
    for (int k = 0; k < 2; k++) {
        tree->vanish[k].size =
            crank_store_take(&s->store, (size_t)tree->vanish[k].rows, sizeof(double));
    }
    s->coordinates.self = tree;
    return crank_tree_led_share(tree) && crank_tree_stage_share(tree, from->coordinates.self) &&
           crank_tree_compiled_share(tree, from->coordinates.self) &&
           crank_tree_forward_share(tree, from->coordinates.self) &&
           crank_tree_recursion_share(tree) && !s->store.failed;
}

static void destroy(crank_system *s)
{
    crank_tree *tree = crank_tree_of(&s->coordinates);
    if (tree != NULL) {
        crank_expressions_destroy(tree->led);
        crank_tree_compiled_destroy(tree);
    }
    if (tree != NULL && tree->pairs != NULL) {
        crank_tree_stage_destroy(tree);
        free(tree->pairs->item);
        free(tree->pairs->calls[0].item);
        free(tree->pairs->calls[1].item);
    }
}

/* ---- what reports say of them ---- */

static void place(const crank_system *s, const crank_builder *b, crank_place *row,
                  crank_place *column)
{
    const crank_tree *tree = crank_tree_of(&s->coordinates);
    for (int l = 0; l < tree->shape->link_count; l++) {
        const crank_link *link = &tree->shape->link[l];
        const int joint = tree->shape->body[link->body].joint;
        const crank_place at = crank_system_place_of(
            joint >= 0 ? b->mechanism->joint[joint].key : b->mechanism->body[link->body].key);
        for (int k = 0; k < link->np; k++) {
            column[tree->column_p + link->p + k] = row[tree->row_kin + link->p + k] = at;
        }
        for (int k = 0; k < link->nv; k++) {
            column[tree->column_v + link->v + k] = column[tree->column_a + link->v + k] = at;
            row[tree->row_d + link->v + k] = row[tree->row_dyn + link->v + k] = at;
        }
        if (link->n >= 0) {
            row[tree->row_n + link->n] = at;
        }
    }
}

static void describe(const crank_system *s, int *body[2], char *letter[2])
{
    static const char of_p[] = {'t', 'a', 'q'}, of_v[] = {'t', 'r', 'r'};
    const crank_tree *tree = crank_tree_of(&s->coordinates);
    for (int l = 0; l < tree->shape->link_count; l++) {
        const crank_link *link = &tree->shape->link[l];
        for (int k = 0; k < link->np; k++) {
            body[0][link->p + k] = link->body;
            letter[0][link->p + k] = of_p[link->kind];
        }
        for (int k = 0; k < link->nv; k++) {
            body[1][link->v + k] = link->body;
            letter[1][link->v + k] = of_v[link->kind];
        }
    }
}

/* ---- values ---- */

static void start(const crank_system *s, const crank_body_record *record,
                  const crank_body_state *state, double *x, crank_fixing *fixing)
{
    const crank_tree *tree = crank_tree_of(&s->coordinates);
    int worst;
    (void)record; /* assembly.c keeps what is fixed */
    (void)crank_tree_take(tree, 0.0, state, 1.0, x, &worst);
    for (int k = 0; k < tree->shape->np; k++) {
        fixing[tree->column_p + k] = CRANK_PREFERRED;
    }
    for (int k = 0; k < tree->shape->nv; k++) {
        fixing[tree->column_v + k] = CRANK_PREFERRED;
    }
}

static double take(const crank_system *s, double t, const crank_body_state *state, double *x,
                   int *worst)
{
    return crank_tree_take(crank_tree_of(&s->coordinates), t, state, s->eom->parts->length, x,
                           worst);
}

static int column_of(const crank_system *s, int body, crank_body_part part)
{
    (void)s, (void)body, (void)part;
    return -1;
}

static void straighten(const crank_system *s, double *x)
{
    const crank_tree *tree = crank_tree_of(&s->coordinates);
    for (int l = 0; l < tree->shape->link_count; l++) {
        double *q = x + tree->column_p + tree->shape->link[l].p;
        if (tree->shape->link[l].kind == CRANK_LINK_BALL) {
            const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
            for (int c = 0; c < 4; c++) {
                q[c] = norm > 0.0 ? q[c] / norm : 0.5;
            }
        }
    }
}

static void move(const crank_system *s, double *x, const double *step)
{
    const crank_tree *tree = crank_tree_of(&s->coordinates);
    for (int l = 0; l < tree->shape->link_count; l++) {
        const crank_link *link = &tree->shape->link[l];
        double *p = x + tree->column_p + link->p;
        const double *v = step + link->v;
        if (link->kind != CRANK_LINK_BALL) {
            p[0] += v[0];
            continue;
        }
        const double half[4] = {0.0, 0.5 * v[0], 0.5 * v[1], 0.5 * v[2]};
        double rate[4];
        crank_quaternion_multiply(rate, p, half);
        for (int c = 0; c < 4; c++) {
            p[c] += rate[c];
        }
    }
    straighten(s, x);
}

static void state(const crank_system *s, int body, double t, const double *x,
                  crank_body_state *out)
{
    crank_tree_states(crank_tree_of(&s->coordinates)->s, t, x);
    *out = s->state[body];
}

const crank_coordinates_kind crank_joint_coordinates = {
    .name = "joint",
    .chain = &crank_tree_chain,
    .assembled = true,
    .count = count,
    .name_unknowns = name_unknowns,
    .create = create,
    .compile = compile,
    .place = place,
    .describe = describe,
    .finish = finish,
    .share = share,
    .destroy = destroy,
    .start = start,
    .take = take,
    .column = column_of,
    .accepted = crank_tree_accepted,
    .straighten = straighten,
    .move = move,
    .states = crank_tree_states,
    .state = state,
    .row_states = crank_tree_row_states,
    .rows = crank_tree_rows_of,
    .end_rows = crank_tree_end_rows,
    .reactions = crank_tree_reactions,
    .reaction = crank_tree_reaction,
    .differential = crank_tree_differential,
    .derivatives = crank_tree_compiled_derivatives,
    .fill = crank_tree_fill,
    .end_fill = crank_tree_end_fill,
    .stage = crank_tree_stage,
    .inertia = crank_tree_inertia,
    .accelerate = crank_tree_accelerate,
    .definite = crank_tree_definite,
    .recursion = crank_tree_recursion_values,
    .motions = crank_tree_motions};
