/* motions.c - what has inertia, and how coordinates move it: the supplier's motions where some
 * body of the tree has none, or none about an axis, so that M may become singular on the way
 * (formulate/rank_turn.h).
 *
 *     A = (P_b omega_b,  x'_b/L)_v,   M y = 0  iff  A y = 0                       theory (2.18)
 * P_b: unity, or J_b over its largest entry where that is singular. In world axes, in natural
 * units (angles: 1, lengths: L). Masses do not weigh: what is light is not lost. Bodies with a
 * regular inertia rest where M y = 0, so that only bodies without it and those that hang on
 * them count, relative to the last body before them that has it. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "mechanics/joint/spatial.h"
#include "mechanics/joint/tree.h"

#include <math.h>
#include <string.h>

static bool is_thin(const crank_tree *tree, int body)
{
    return body >= 0 && tree->thin[body];
}

/* rows of A that rotations of a body have */
static int count_turns(const crank_body *body)
{
    return body->kind == CRANK_BODY_SPATIAL                            ? 3
           : body->kind == CRANK_BODY_PLANAR && body->inertia[8] > 0.0 ? 1
                                                                       : 0;
}

/* rows of A by a body */
static int count_rows(const crank_tree *tree, int body)
{
    const crank_body *b = &tree->s->body[body];
    return is_thin(tree, body) || is_thin(tree, tree->shape->body[body].parent)
               ? count_turns(b) + (b->mass > 0.0 ? crank_body_translations(b->kind) : 0)
               : 0;
}

/* The link before one on the way to a body; -1: the body before it has inertia, or is the
 * ground. */
static int next_link(const crank_tree *tree, int body, int link)
{
    const int before = tree->shape->link[link].before;
    const int carries = before >= 0 ? tree->shape->link[before].body : -1;
    return carries == body || is_thin(tree, carries) ? before : -1;
}

static int first_link(const crank_tree *tree, int body)
{
    const int last = tree->shape->body[body].last;
    const int carries = last >= 0 ? tree->shape->link[last].body : -1;
    return carries == body || is_thin(tree, carries) ? last : -1;
}

/* ---- pattern ---- */

/* counts rows and entries, and lists them where start and column are there */
static void list(const crank_tree *tree, crank_eom_motions *m, int *start, int *column)
{
    const crank_tree_shape *shape = tree->shape;
    int row = 0, entry = 0;
    for (int i = 0; i < tree->s->body_count; i++) {
        const int rows = count_rows(tree, i);
        for (int r = 0; r < rows; r++) {
            if (start != NULL) {
                start[row] = entry;
            }
            row++;
            for (int l = first_link(tree, i); l >= 0; l = next_link(tree, i, l)) {
                for (int k = 0; k < shape->link[l].nv; k++, entry++) {
                    if (column != NULL) {
                        column[entry] = shape->link[l].v + k;
                    }
                }
            }
        }
    }
    for (int l = 0; l < shape->link_count; l++) {
        if (shape->link[l].rotor > 0.0) {
            if (start != NULL) {
                start[row] = entry;
                column[entry] = shape->link[l].v;
            }
            row++;
            entry++;
        }
    }
    m->rows = row;
    m->entries = entry;
}

crank_status crank_tree_motions_create(crank_tree *tree, crank_error *err)
{
    crank_store *store = &tree->s->store;
    bool thin = false;
    tree->thin = crank_store_take(store, (size_t)tree->s->body_count, sizeof *tree->thin);
    for (int i = 0; i < tree->s->body_count && tree->thin != NULL; i++) {
        tree->thin[i] = crank_tree_is_thin(&tree->s->body[i]);
        thin = thin || tree->thin[i];
    }
    if (!thin || store->failed) {
        return store->failed ? crank_fail(err, CRANK_EMEM, "motions of the mechanism")
                             : CRANK_OK;
    }
    crank_eom_motions *m = crank_store_take(store, 1, sizeof *m);
    if (m != NULL) {
        list(tree, m, NULL, NULL);
        int *start = crank_store_take(store, (size_t)m->rows + 1, sizeof *start);
        int *column = crank_store_take(store, (size_t)m->entries, sizeof *column);
        if (!store->failed) {
            list(tree, m, start, column);
            start[m->rows] = m->entries;
            m->start = start;
            m->column = column;
            tree->s->eom->motions = m;
        }
    }
    return store->failed ? crank_fail(err, CRANK_EMEM, "motions of the mechanism") : CRANK_OK;
}

/* ---- values ---- */

static double length_of(const crank_tree *tree)
{
    const double length = tree->s->eom->parts->length;
    return length > 0.0 ? length : 1.0;
}

/* how an angular velocity turns inertia */
static void weigh(const crank_body *body, const double *R, double omega[3])
{
    const double *J = body->inertia;
    double most = 0.0, own[3], turned[3];
    for (int i = 0; i < 9; i++) {
        most = fmax(most, fabs(J[i]));
    }
    crank_mat3_transposed_times(own, R, omega);
    for (int i = 0; i < 3; i++) {
        turned[i] = most > 0.0 ? crank_dot3(J + 3 * i, own) / most : 0.0;
    }
    crank_mat3_times(omega, R, turned);
}

/* what a motion before a ball is behind it: that of P, without rotation */
static void pass_motion(const crank_link_value *ball, double m[6])
{
    double speed[3];
    crank_cross3(speed, m, ball->P);
    for (int i = 0; i < 3; i++) {
        m[3 + i] += speed[i];
        m[i] = 0.0;
    }
}

/* an entry of each row of a body by a motion m about O; entries of a row stand `next` apart */
static void put(const crank_tree *tree, int body, const double m[6], int next, double *A)
{
    const crank_body *b = &tree->s->body[body];
    const double length = length_of(tree);
    const int turns = count_turns(b);
    if (turns > 0) {
        double omega[3] = {m[0], m[1], m[2]};
        if (turns == 3 && tree->thin[body]) {
            weigh(b, tree->s->state[body].R, omega);
        }
        for (int i = 3 - turns; i < 3; i++, A += next) {
            *A = omega[i];
        }
    }
    if (b->mass > 0.0) {
        double speed[3];
        crank_cross3(speed, m, tree->body[body].c);
        for (int i = 0; i < crank_body_translations(b->kind); i++, A += next) {
            *A = (speed[i] + m[3 + i]) / length;
        }
    }
}

/* rows of a body; balls farther out pass translations as they are */
static void fill_body(const crank_tree *tree, int body, int next, double *A)
{
    int ball = -1;
    for (int l = first_link(tree, body); l >= 0; l = next_link(tree, body, l)) {
        const crank_link *link = &tree->shape->link[l];
        const double unit = link->kind == CRANK_LINK_SLIDE ? length_of(tree) : 1.0;
        for (int k = 0; k < link->nv; k++) {
            double m[6] = {0.0};
            crank_add6(m, unit, tree->link[l].S[k]);
            if (ball >= 0) {
                pass_motion(&tree->link[ball], m);
            }
            put(tree, body, m, next, A++);
        }
        ball = link->apart ? l : ball;
    }
}

void crank_tree_motions(void *self, double t, const double *x, double *A)
{
    crank_system *s = self;
    const crank_tree *tree = crank_tree_of(&s->coordinates);
    const crank_eom_motions *m = s->eom->motions;
    int row = 0;
    crank_tree_states(s, t, x);
    for (int i = 0; i < s->body_count; i++) {
        const int rows = count_rows(tree, i);
        if (rows > 0) {
            fill_body(tree, i, m->start[row + 1] - m->start[row], A + m->start[row]);
            row += rows;
        }
    }
    for (; row < m->rows; row++) {
        A[m->start[row]] = 1.0; /* rotors */
    }
}
