/* balls.c - rigid bodies on ball joints in space by hand, in places and quaternions.
 *
 * Coordinates of a body: centre of mass x, quaternion q. With the product y = q* q', of which
 * the vector part is half the angular velocity in axes of the body, and B(q), C(q') such that
 * y = B(q) q' = C(q') q,
 *
 *     T = m x'.x'/2 + 2 y^T J y,    J = diag(I0, I1, I2, I3),    y_0 = q.q' = 0
 *
 * in which I0 > 0 changes nothing and makes M = 4 B^T J B regular. Lagrange's equations with
 * what is along q left out (the multiplier of the norm takes it) are
 *
 *     4 B(q)^T J B(q) q'' = 8 C(q')^T J' B(q) q' - G^T lambda,    J' = diag(0, I1, I2, I3)
 *
 * R(q) c is quadratic in q, so that all constraints are: rows
 *
 *     0 = (q.q - 1)/2,     0 = x_a + R(q_a) c_a - x_b - R(q_b) c_b
 *
 * with G constant in x and 2 H q in q, H symmetric; 0 = e_i.R(q) c of an axis is one of them.
 * In the order norm 0, joint 0, norm 1, ... a chain has half bandwidth 6.
 *
 * A force F at P = x + R(q) c acts on (x, q) by W^T F, W = dP/d(x, q) = (1, 2 H_i q), and
 *
 *     d(W^T F) = W^T (F_P W + F_P' U) d(x, q) + (0, 2 sum H_i F_i dq) + W^T F_P' W d(x', q')
 *
 * with U = dP'/d(x, q) = (0, 2 H_i q'). */
// SPDX-License-Identifier: BSD-3-Clause
#include "balls.h"

#include <stdlib.h>
#include <string.h>

typedef double matrix4[4][4];

/* what a row has of a body's quaternion: q^T h q */
typedef struct form4 {
    int row, body;
    double h[4][4];
} form4;

typedef struct balls {
    int bodies, joints, axes, points, forms, lines;
    double grav, t;
    ball_point *point;
    matrix4 (*arm)[3]; /* H of the points' components */
    ball_law *law;
    void *data;
    double *q, *mass, *inertia; /* of the place; bodies; 4 x bodies */
    form4 *form;
    int (*line)[2]; /* row and column of entries +-1 */
    double *sign, *q0, *v0;
} balls;

/* ---- quaternions ---- */

/* y = q* v = B(q) v */
static void left_matrix(const double *q, matrix4 b)
{
    const matrix4 m = {{q[0], q[1], q[2], q[3]},
                       {-q[1], q[0], q[3], -q[2]},
                       {-q[2], -q[3], q[0], q[1]},
                       {-q[3], q[2], -q[1], q[0]}};
    memcpy(b, m, sizeof m);
}

/* y = q* v = C(v) q */
static void right_matrix(const double *v, matrix4 c)
{
    const matrix4 m = {{v[0], v[1], v[2], v[3]},
                       {v[1], -v[0], -v[3], v[2]},
                       {v[2], v[3], -v[0], -v[1]},
                       {v[3], -v[2], v[1], -v[0]}};
    memcpy(c, m, sizeof m);
}

/* C(v)^T w = E(w) v and B(q)^T w = E(w)^T q */
static void adjoint_matrix(const double *w, matrix4 e)
{
    const matrix4 m = {{w[0], w[1], w[2], w[3]},
                       {-w[1], w[0], -w[3], w[2]},
                       {-w[2], w[3], w[0], -w[1]},
                       {-w[3], -w[2], w[1], w[0]}};
    memcpy(e, m, sizeof m);
}

/* out += factor a^T diag(j) b */
static void add_product(double factor, matrix4 a, const double *j, matrix4 b, double *out)
{
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            for (int n = 0; n < 4; n++)
                out[4 * i + k] += factor * a[n][i] * j[n] * b[n][k];
}

/* w = diag(j) a v */
static void weighted(const double *j, matrix4 a, const double *v, double *w)
{
    for (int i = 0; i < 4; i++)
        w[i] = j[i] * (a[i][0] * v[0] + a[i][1] * v[1] + a[i][2] * v[2] + a[i][3] * v[3]);
}

/* component i of R(q) c = (q0^2 - u.u) c + 2 u (u.c) + 2 q0 u x c is q^T h q */
static void rotation_form(int i, const double *c, double factor, matrix4 h)
{
    const double cross[3][3] = {{0, c[2], -c[1]}, {-c[2], 0, c[0]}, {c[1], -c[0], 0}};
    h[0][0] = factor * c[i];
    for (int j = 0; j < 3; j++) {
        h[0][j + 1] = h[j + 1][0] = factor * cross[i][j];
        for (int k = 0; k < 3; k++)
            h[j + 1][k + 1] = factor * ((i == j) * c[k] + (i == k) * c[j] - (j == k) * c[i]);
    }
}

/* ---- the functions of mechanics.h ---- */

static void place(mechanics *self, double t, const double *q)
{
    balls *own = self->own;
    own->t = t;
    memcpy(own->q, q, (size_t)self->nq * sizeof *q);
}

static void mass_values(const mechanics *self, double *values)
{
    const balls *own = self->own;
    memset(values, 0, (size_t)(19 * own->bodies) * sizeof *values);
    for (int i = 0; i < own->bodies; i++, values += 19) {
        matrix4 b;
        left_matrix(own->q + 7 * i + 3, b);
        values[0] = values[1] = values[2] = own->mass[i];
        add_product(4, b, own->inertia + 4 * i, b, values + 3);
    }
}

/* J' */
static void proper_inertia(const balls *own, int body, double j[4])
{
    memcpy(j, own->inertia + 4 * body, 4 * sizeof *j);
    j[0] = 0;
}

/* ---- forces at points ---- */

/* rows of W, then of U, by the body's seven coordinates */
typedef struct lever {
    double w[3][7], u[3][7];
} lever;

static void set_lever(const balls *own, int i, const double *v, lever *out)
{
    const double *q = own->q + 7 * own->point[i].body + 3;
    const double *rate = v + 7 * own->point[i].body + 3;
    memset(out, 0, sizeof *out);
    for (int k = 0; k < 3; k++) {
        out->w[k][k] = 1;
        for (int j = 0; j < 4; j++)
            for (int n = 0; n < 4; n++) {
                out->w[k][3 + j] += 2 * own->arm[i][k][j][n] * q[n];
                out->u[k][3 + j] += 2 * own->arm[i][k][j][n] * rate[n];
            }
    }
}

static void at_point(const balls *own, int i, const double *v, lever *arm, ball_force *out)
{
    const double *x = own->q + 7 * own->point[i].body, *rate = v + 7 * own->point[i].body;
    double p[3], speed[3];
    set_lever(own, i, v, arm);
    for (int k = 0; k < 3; k++) {
        p[k] = x[k]; /* R(q) c = q^T H q, half of W q */
        speed[k] = rate[k];
        for (int j = 3; j < 7; j++) {
            p[k] += arm->w[k][j] * x[j] / 2;
            speed[k] += arm->w[k][j] * rate[j];
        }
    }
    own->law(own->data, i, own->t, p, speed, out);
}

static void add_point_forces(const balls *own, const double *v, double *f)
{
    for (int i = 0; i < own->points; i++) {
        lever arm;
        ball_force acting;
        at_point(own, i, v, &arm, &acting);
        for (int j = 0; j < 7; j++)
            for (int k = 0; k < 3; k++)
                f[7 * own->point[i].body + j] += arm.w[k][j] * acting.f[k];
    }
}

/* out (7 x 7 for each body) -= W^T (a W + b U); b NULL: without */
static void take_products(const lever *arm, double a[3][3], double b[3][3], double *out)
{
    double inner[3][7] = {{0}};
    for (int k = 0; k < 3; k++)
        for (int n = 0; n < 3; n++)
            for (int j = 0; j < 7; j++)
                inner[k][j] += a[k][n] * arm->w[n][j] + (b ? b[k][n] * arm->u[n][j] : 0);
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 7; j++)
                out[7 * i + j] -= arm->w[k][i] * inner[k][j];
}

static void point_force_q(const balls *own, const double *v, double *values)
{
    memset(values, 0, (size_t)(49 * own->bodies) * sizeof *values);
    for (int i = 0; i < own->points; i++) {
        double *block = values + 49 * own->point[i].body;
        lever arm;
        ball_force acting;
        at_point(own, i, v, &arm, &acting);
        take_products(&arm, acting.f_p, acting.f_v, block);
        for (int k = 0; k < 48; k++)
            block[7 * (3 + k % 16 / 4) + 3 + k % 4] -=
                2 * own->arm[i][k / 16][k % 16 / 4][k % 4] * acting.f[k / 16];
    }
}

static void point_force_v(const balls *own, const double *v, double *values)
{
    memset(values, 0, (size_t)(49 * own->bodies) * sizeof *values);
    for (int i = 0; i < own->points; i++) {
        lever arm;
        ball_force acting;
        at_point(own, i, v, &arm, &acting);
        take_products(&arm, acting.f_v, NULL, values + 49 * own->point[i].body);
    }
}

/* ---- the functions of mechanics.h, going on ---- */

static void force(const mechanics *self, const double *v, double *f)
{
    const balls *own = self->own;
    for (int i = 0; i < own->bodies; i++) {
        matrix4 b, c;
        double j[4], w[4];
        proper_inertia(own, i, j);
        left_matrix(own->q + 7 * i + 3, b);
        right_matrix(v + 7 * i + 3, c);
        weighted(j, b, v + 7 * i + 3, w);
        f[7 * i] = f[7 * i + 1] = 0;
        f[7 * i + 2] = -own->mass[i] * own->grav;
        for (int k = 0; k < 4; k++)
            f[7 * i + 3 + k] = 8 * (c[1][k] * w[1] + c[2][k] * w[2] + c[3][k] * w[3]);
    }
    add_point_forces(own, v, f);
}

static void force_q_values(const mechanics *self, const double *v, const double *a,
                           double *values)
{
    const balls *own = self->own;
    memset(values, 0, (size_t)(16 * own->bodies) * sizeof *values);
    for (int i = 0; i < own->bodies; i++, values += 16) {
        const double *inertia = own->inertia + 4 * i;
        matrix4 b, ca, cv, e;
        double j[4], w[4];
        proper_inertia(own, i, j);
        left_matrix(own->q + 7 * i + 3, b);
        right_matrix(a + 7 * i + 3, ca);
        right_matrix(v + 7 * i + 3, cv);
        weighted(inertia, b, a + 7 * i + 3, w);
        adjoint_matrix(w, e);
        add_product(4, b, inertia, ca, values);
        add_product(-8, cv, j, cv, values);
        for (int k = 0; k < 16; k++)
            values[k] += 4 * e[k % 4][k / 4];
    }
    if (own->points > 0)
        point_force_q(own, v, values);
}

static void force_v_values(const mechanics *self, const double *v, double *values)
{
    const balls *own = self->own;
    memset(values, 0, (size_t)(16 * own->bodies) * sizeof *values);
    for (int i = 0; i < own->bodies; i++, values += 16) {
        matrix4 b, c, e;
        double j[4], w[4];
        proper_inertia(own, i, j);
        left_matrix(own->q + 7 * i + 3, b);
        right_matrix(v + 7 * i + 3, c);
        weighted(j, b, v + 7 * i + 3, w);
        adjoint_matrix(w, e);
        add_product(-8, c, j, b, values);
        for (int k = 0; k < 16; k++)
            values[k] -= 8 * e[k / 4][k % 4];
    }
    if (own->points > 0)
        point_force_v(own, v, values);
}

static double product(const form4 *form, int i, const double *q)
{
    const double *h = form->h[i];
    return h[0] * q[0] + h[1] * q[1] + h[2] * q[2] + h[3] * q[3];
}

/* sum of all v^T h v, times factor */
static void add_forms(const balls *own, double factor, const double *v, double *g)
{
    for (int i = 0; i < own->forms; i++) {
        const form4 *form = &own->form[i];
        const double *part = v + 7 * form->body + 3;
        for (int k = 0; k < 4; k++)
            g[form->row] += factor * part[k] * product(form, k, part);
    }
}

static void constraint(const mechanics *self, double *g)
{
    const balls *own = self->own;
    memset(g, 0, (size_t)self->nl * sizeof *g);
    for (int i = 0; i < own->bodies; i++)
        g[4 * i] = -0.5;
    for (int i = 0; i < own->lines; i++)
        g[own->line[i][0]] += own->sign[i] * own->q[own->line[i][1]];
    add_forms(own, 1, own->q, g);
}

/* 2 h v on the places of G */
static void form_rows(const balls *own, const double *v, double *values)
{
    for (int i = 0; i < own->forms; i++)
        for (int k = 0; k < 4; k++)
            values[own->lines + 4 * i + k] =
                2 * product(&own->form[i], k, v + 7 * own->form[i].body + 3);
}

static void jacobian_values(const mechanics *self, double *values)
{
    const balls *own = self->own;
    memcpy(values, own->sign, (size_t)own->lines * sizeof *values);
    form_rows(own, own->q, values);
}

static void curvature(const mechanics *self, const double *v, double *c)
{
    memset(c, 0, (size_t)self->nl * sizeof *c);
    add_forms(self->own, 2, v, c);
}

static void curvature_rows(const mechanics *self, const double *v, double *values)
{
    const balls *own = self->own;
    memset(values, 0, (size_t)own->lines * sizeof *values);
    form_rows(own, v, values);
}

static void curvature_sum(const mechanics *self, const double *mu, double *values)
{
    const balls *own = self->own;
    for (int i = 0; i < own->forms; i++)
        for (int k = 0; k < 16; k++)
            values[16 * i + k] = 2 * mu[own->form[i].row] * own->form[i].h[k / 4][k % 4];
}

static void third(const mechanics *self, const double *v, double *values)
{
    (void)v;
    memset(values, 0, (size_t)self->jacobian.count * sizeof *values);
}

/* ---- making ---- */

static void add_point(balls *own, int row, int body, double sign, const double *at)
{
    if (body < 0)
        return;
    for (int i = 0; i < 3; i++) {
        form4 *form = &own->form[own->forms++];
        *form = (form4){.row = row + i, .body = body};
        rotation_form(i, at, sign, form->h);
        own->line[own->lines][0] = row + i;
        own->line[own->lines][1] = 7 * body + i;
        own->sign[own->lines++] = sign;
    }
}

static void add_constraints(balls *own, const ball_system *system)
{
    for (int i = 0; i < system->bodies; i++) {
        form4 *form = &own->form[own->forms++];
        *form = (form4){.row = 4 * i, .body = i};
        for (int k = 0; k < 4; k++)
            form->h[k][k] = 0.5;
    }
    for (int i = 0; i < system->joints; i++) {
        const ball_joint *joint = &system->joint[i];
        add_point(own, 4 * i + 1, joint->first, 1, joint->at[0]);
        add_point(own, 4 * i + 1, joint->second, -1, joint->at[1]);
    }
    for (int i = 0; i < system->axes; i++) {
        form4 *form = &own->form[own->forms++];
        *form = (form4){.row = system->bodies + 3 * system->joints + i,
                        .body = system->axis[i].body};
        rotation_form(system->axis[i].ground, system->axis[i].own, 1, form->h);
    }
    for (int i = 0; i < system->points; i++) {
        own->point[i] = system->point[i];
        for (int k = 0; k < 3; k++)
            rotation_form(k, system->point[i].at, 1, own->arm[i][k]);
    }
}

static void start(balls *own, const ball_system *system)
{
    for (int i = 0; i < system->bodies; i++) {
        const ball_body *body = &system->body[i];
        double *q = own->q0 + 7 * i, *v = own->v0 + 7 * i;
        matrix4 b;
        memcpy(q, body->x, sizeof body->x);
        memcpy(q + 3, body->q, sizeof body->q);
        memcpy(v, body->v, sizeof body->v);
        left_matrix(body->q, b); /* orthogonal: q' = B^T (0, turn/2) */
        for (int k = 0; k < 4; k++)
            v[3 + k] =
                (b[1][k] * body->turn[0] + b[2][k] * body->turn[1] + b[3][k] * body->turn[2]) /
                2;
        own->mass[i] = body->mass;
        own->inertia[4 * i] = body->inertia[0]; /* any positive number does */
        memcpy(own->inertia + 4 * i + 1, body->inertia, sizeof body->inertia);
    }
}

static int add_block(places *list, int count, int body)
{
    for (int k = 0; k < 16; k++, count++) {
        list->row[count] = 7 * body + 3 + k / 4;
        list->column[count] = 7 * body + 3 + k % 4;
    }
    return count;
}

/* all coordinates of each body, behind the first entries */
static void add_full_blocks(places *list, int count, int bodies)
{
    for (int k = 0; k < 49 * bodies; k++) {
        list->row[count + k] = 7 * (k / 49) + k % 49 / 7;
        list->column[count + k] = 7 * (k / 49) + k % 7;
    }
}

static void make_places(mechanics *self, const balls *own)
{
    const int blocks = 16 * own->bodies, full = own->points > 0 ? own->bodies : 0;
    self->mass = places_make(19 * own->bodies);
    self->force_q = places_make(blocks + 49 * full);
    self->force_v = places_make(blocks + 49 * full);
    add_full_blocks(&self->force_q, blocks, full);
    add_full_blocks(&self->force_v, blocks, full);
    for (int i = 0; i < own->bodies; i++) {
        for (int k = 0; k < 3; k++)
            self->mass.row[19 * i + k] = self->mass.column[19 * i + k] = 7 * i + k;
        add_block(&self->mass, 19 * i + 3, i);
        add_block(&self->force_q, 16 * i, i);
        add_block(&self->force_v, 16 * i, i);
    }
    self->jacobian = places_make(own->lines + 4 * own->forms);
    self->hessian = places_make(16 * own->forms);
    for (int i = 0; i < own->lines; i++) {
        self->jacobian.row[i] = own->line[i][0];
        self->jacobian.column[i] = own->line[i][1];
    }
    for (int i = 0; i < own->forms; i++) {
        for (int k = 0; k < 4; k++) {
            self->jacobian.row[own->lines + 4 * i + k] = own->form[i].row;
            self->jacobian.column[own->lines + 4 * i + k] = 7 * own->form[i].body + 3 + k;
        }
        add_block(&self->hessian, 16 * i, own->form[i].body);
    }
}

static void release(mechanics *self)
{
    balls *own = self->own;
    void *const memory[] = {own->q,  own->mass, own->inertia, own->form, own->line, own->sign,
                            own->q0, own->v0,   own->point,   own->arm,  own->data};
    for (unsigned i = 0; i < sizeof memory / sizeof *memory; i++)
        free(memory[i]);
}

mechanics *balls_create(const ball_system *system)
{
    const int bodies = system->bodies, joints = system->joints, nq = 7 * bodies;
    balls *own = take(1, sizeof *own);
    *own = (balls){.bodies = bodies,
                   .joints = joints,
                   .axes = system->axes,
                   .points = system->points,
                   .grav = system->grav,
                   .point = take(system->points, sizeof *own->point),
                   .arm = take(system->points, sizeof *own->arm),
                   .law = system->law,
                   .data = system->data,
                   .q = numbers(nq),
                   .mass = numbers(bodies),
                   .inertia = numbers(4 * bodies),
                   .form = take(bodies + 6 * joints + system->axes, sizeof(form4)),
                   .line = take(6 * joints, sizeof *own->line),
                   .sign = numbers(6 * joints),
                   .q0 = numbers(nq),
                   .v0 = numbers(nq)};
    start(own, system);
    add_constraints(own, system);
    mechanics *self = take(1, sizeof *self);
    *self = (mechanics){.name = system->name,
                        .nq = nq,
                        .nl = bodies + 3 * joints + system->axes,
                        .t_end = system->t_end,
                        .band = bodies > 1 ? 6 : 3 * joints + system->axes,
                        .mass_band = 3,
                        .q0 = own->q0,
                        .v0 = own->v0,
                        .own = own,
                        .place = place,
                        .mass_values = mass_values,
                        .force = force,
                        .force_q_values = force_q_values,
                        .force_v_values = force_v_values,
                        .constraint = constraint,
                        .jacobian_values = jacobian_values,
                        .curvature = curvature,
                        .curvature_rows = curvature_rows,
                        .curvature_sum = curvature_sum,
                        .third = third,
                        .release = release};
    make_places(self, own);
    return self;
}
