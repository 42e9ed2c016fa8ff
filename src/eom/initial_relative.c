/* initial_relative.c - velocities change by the least relative motion.
 *
 * Bodies form a tree (initial_tree.c), and the change of a body's velocity is that of the one
 * that carries it, plus a relative motion z of its own. With twists z = (v, omega) at one point
 * of the world the change of body b is the sum of z over b and all that carry it, and the
 * change looked for is that with the smallest
 *     sum over b of  z_b^T M_b z_b/e_b^2,  M_b: inertia of b with all that it carries
 *         theory (5.12)
 * e = 1 for given velocities, 1000 for others: the kinetic energies that each relative motion
 * would have alone. What no equation asks for does not move: the block of an engine whose shaft
 * is given its speed stays at rest. Bodies that no joint holds against the ground turn only
 * where moving along does not do; then they move as after a blow. That depends neither on units
 * nor on axes. Derivatives by z_b are sums over what b carries; an equation between two
 * bodies has none by what carries both.
 *
 * With own velocities u of a body, z = B u, and C C^T = B^T M B (weighted by e), steps are z =
 * P y, P = B E C^-T, and the sum is |y|^2. What has less than a hundredth of the inertia of
 * the whole counts as that: it is not moved for its own sake. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/initial_relative.h"
#include "linalg/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double least_mass = 0.01; /* of all bodies: lighter ones count as that */
static const double cancelled = 1e-10; /* of terms: loops are closed to that, and better */

/* ---- memory ---- */

static void layout(crank_relative *t, int equations, crank_arena *arena)
{
    const size_t bodies = (size_t)t->bodies, edges = (size_t)t->edges;
    int **const per_body[] = {&t->parent, &t->order, &t->first, &t->count,
                              &t->begin,  &t->end,   &t->child, &t->sibling};
    for (size_t i = 0; i < sizeof per_body / sizeof *per_body; i++) {
        *per_body[i] = crank_arena_take(arena, bodies, sizeof(int));
    }
    t->at = crank_arena_take(arena, bodies, sizeof *t->at);
    t->R = crank_arena_take(arena, bodies, sizeof *t->R);
    t->M = crank_arena_take(arena, bodies, sizeof *t->M);
    t->P = crank_arena_take(arena, bodies, sizeof *t->P);
    t->twist = crank_arena_take(arena, bodies, sizeof *t->twist);
    t->edge[0] = crank_arena_take(arena, edges, sizeof(int));
    t->edge[1] = crank_arena_take(arena, edges, sizeof(int));
    t->edge_rows = crank_arena_take(arena, edges, sizeof(int));
    t->next = crank_arena_take(arena, 2 * edges, sizeof(int));
    t->in_tree = crank_arena_take(arena, edges, sizeof(bool));
    t->held = crank_arena_take(arena, bodies, sizeof(bool));
    t->mounted = crank_arena_take(arena, bodies, sizeof(bool));
    t->known = crank_arena_take(arena, bodies, sizeof(bool));
    t->group = crank_arena_take(arena, bodies + 1, sizeof(int));
    t->heads = crank_arena_take(arena, bodies + 1, sizeof(int));
    t->slot = crank_arena_take(arena, (size_t)equations, sizeof(int));
}

crank_status crank_initial_relative_create(crank_initial *w, crank_error *err)
{
    const crank_eom_parts *parts = w->eom->parts;
    if (parts == NULL || parts->body_inertia == NULL || parts->body_count == 0) {
        return CRANK_OK;
    }
    crank_relative *t = calloc(1, sizeof *t);
    w->relative = t;
    if (t != NULL) {
        t->bodies = parts->body_count;
        t->edges = parts->joint_count + parts->tie_count;
        layout(t, w->equations, &t->arena);
    }
    if (t == NULL || !crank_arena_allocate(&t->arena)) {
        return crank_fail(err, CRANK_EMEM, "motions of %d bodies", parts->body_count);
    }
    layout(t, w->equations, &t->arena);
    for (int i = 0; i < t->bodies; i++) {
        t->first[i] = -1;
    }
    for (int i = w->eom->sizes.v - 1; i >= 0; i--) {
        const int body = parts->velocity_body[i];
        if (body >= 0) {
            t->first[body] = i;
            t->count[body]++;
        }
    }
    return CRANK_OK;
}

void crank_initial_relative_destroy(crank_initial *w)
{
    if (w->relative != NULL) {
        free(w->relative->wrench);
        crank_arena_free(&w->relative->arena);
        free(w->relative);
        w->relative = NULL;
    }
}

/* ---- where bodies are ---- */

void crank_relative_read_places(const crank_initial *w, crank_relative *t)
{
    const crank_eom *eom = w->eom;
    const crank_eom_parts *parts = eom->parts;
    const double *p = w->x + eom->column[CRANK_P];
    static const double unit[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    double centre[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < t->bodies; i++) {
        memset(t->at[i], 0, sizeof t->at[i]);
        memcpy(t->R[i], unit, sizeof unit);
    }
    for (int i = 0, axis = 0, last = -1; i < eom->sizes.p; i++) {
        const int body = parts->position_body[i];
        axis = body != last ? 0 : axis;
        last = body;
        if (body < 0) {
            continue;
        }
        if (parts->position_kind[i] == 't') {
            centre[axis] += p[i] / t->bodies;
            t->at[body][axis++] = p[i];
        } else if (parts->position_kind[i] == 'q') {
            const double n = hypot(hypot(p[i], p[i + 1]), hypot(p[i + 2], p[i + 3]));
            const double q[4] = {p[i] / n, p[i + 1] / n, p[i + 2] / n, p[i + 3] / n};
            crank_quaternion_matrix(t->R[body], q);
            i += 3;
        }
    }
    for (int i = 0; i < t->bodies; i++) {
        crank_add3(t->at[i], -1.0, centre);
    }
}

static bool is_spatial(const crank_relative *t, int body)
{
    return t->count[body] == 6;
}

int crank_relative_translations(const crank_initial *w, int body)
{
    const crank_relative *t = w->relative;
    int count = 0;
    while (count < t->count[body] &&
           w->eom->parts->velocity_kind[t->first[body] + count] == 't') {
        count++;
    }
    return count;
}

void crank_relative_own_twist(const crank_initial *w, int body, int i, double twist[6])
{
    const crank_relative *t = w->relative;
    const int axes = crank_relative_translations(w, body);
    double *omega = twist + 3;
    memset(twist, 0, 6 * sizeof *twist);
    if (i < axes) {
        twist[i] = 1.0;
        return;
    }
    for (int k = 0; k < 3; k++) {
        omega[k] = is_spatial(t, body) ? t->R[body][3 * k + i - axes] : k == 2 ? 1.0 : 0.0;
    }
    crank_cross3(twist, t->at[body], omega);
}

void crank_relative_add_velocities(const crank_initial *w, int body, double *x)
{
    const crank_relative *t = w->relative;
    const int axes = crank_relative_translations(w, body);
    const double *twist = t->twist[body];
    double v[3], spin[3];
    crank_cross3(v, twist + 3, t->at[body]);
    crank_add3(v, 1.0, twist);
    crank_mat3_transposed_times(spin, t->R[body], twist + 3);
    for (int k = 0; k < t->count[body]; k++) {
        x[k] += k < axes ? v[k] : is_spatial(t, body) ? spin[k - axes] : twist[5];
    }
}

/* ---- inertia ---- */

static void add_inertia(const crank_initial *w, crank_relative *t, int body)
{
    const crank_eom_parts *parts = w->eom->parts;
    const double m = parts->body_mass[body], *c = t->at[body], *R = t->R[body];
    const double *J = parts->body_inertia + (size_t)9 * (size_t)body;
    const double cross[9] = {0.0, -c[2], c[1], c[2], 0.0, -c[0], -c[1], c[0], 0.0};
    double *M = t->M[body], RJ[9], Rt[9], world[9];
    for (int i = 0; i < 9; i++) {
        Rt[i] = R[3 * (i % 3) + i / 3];
    }
    crank_mat3_multiply(RJ, R, J);
    crank_mat3_multiply(world, RJ, Rt);
    for (int i = 0; i < 3; i++) {
        M[6 * i + i] += m;
        for (int j = 0; j < 3; j++) {
            M[6 * (3 + i) + j] += m * cross[3 * i + j];
            M[6 * j + 3 + i] += m * cross[3 * i + j];
            M[6 * (3 + i) + 3 + j] +=
                world[3 * i + j] + m * ((i == j ? crank_dot3(c, c) : 0.0) - c[i] * c[j]);
        }
    }
}

static double energy(const double M[36], const double a[6], const double b[6])
{
    double sum = 0.0;
    for (int i = 0; i < 36; i++) {
        sum += a[i / 6] * M[i] * b[i % 6];
    }
    return sum;
}

/* C C^T = A of size k in place of its lower triangle, pivots at least so large, then C^-1
 * there */
static void invert_root(int k, double A[36], const double least[6])
{
    for (int i = 0; i < k; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = A[6 * i + j];
            for (int l = 0; l < j; l++) {
                sum -= A[6 * i + l] * A[6 * j + l];
            }
            A[6 * i + j] = i == j ? sqrt(fmax(sum, least[i])) : sum / A[6 * j + j];
        }
    }
    for (int j = 0; j < k; j++) {
        A[6 * j + j] = 1.0 / A[6 * j + j];
        for (int i = j + 1; i < k; i++) {
            double sum = 0.0;
            for (int l = j; l < i; l++) {
                sum -= A[6 * i + l] * A[6 * l + j];
            }
            A[6 * i + j] = sum / A[6 * i + i];
        }
    }
}

/* P by columns of six: of velocities that move in this stage, others are zero. mass: of all. */
static void make_steps(const crank_initial *w, crank_relative *t, int body, double mass)
{
    const double length = w->eom->parts->length;
    const int count = t->count[body], axes = crank_relative_translations(w, body);
    const int v = w->eom->column[CRANK_V] + t->first[body];
    double B[6][6], A[36], least[6];
    int own[6], k = 0;
    memset(t->P[body], 0, sizeof t->P[body]);
    for (int i = 0; i < count; i++) {
        if (crank_initial_moves(w, v + i)) {
            crank_relative_own_twist(w, body, i, B[k]);
            own[k++] = i;
        }
    }
    for (int i = 0; i < k; i++) {
        const double ease = crank_initial_ease(w, v + own[i]);
        const double arm = own[i] < axes ? length : 1.0;
        least[i] = least_mass / (ease * ease * arm * arm);
        for (int j = 0; j <= i; j++) {
            A[6 * i + j] = energy(t->M[body], B[i], B[j]) /
                           (ease * crank_initial_ease(w, v + own[j]) * mass * length * length);
        }
    }
    invert_root(k, A, least);
    for (int i = 0; i < k; i++) { /* column i of B E^-1 C^-T: rows j <= i of C^-1 */
        for (int j = 0; j <= i; j++) {
            crank_add6(t->P[body] + (size_t)6 * (size_t)own[i], A[6 * i + j], B[j]);
        }
    }
}

/* Of all bodies; where none has a mass, what would have their inertia; 1: they have none. */
static double whole_mass(const crank_eom_parts *parts)
{
    double mass = 0.0, inertia = 0.0;
    for (int i = 0; i < parts->body_count; i++) {
        const double *I = parts->body_inertia + (size_t)9 * (size_t)i;
        mass += parts->body_mass[i];
        inertia += (I[0] + I[4] + I[8]) / 3.0;
    }
    mass = mass > 0.0 ? mass : inertia / (parts->length * parts->length);
    return mass > 0.0 ? mass : 1.0;
}

static void weigh(const crank_initial *w, crank_relative *t)
{
    const double mass = whole_mass(w->eom->parts);
    memset(t->M, 0, (size_t)t->bodies * sizeof *t->M);
    for (int i = 0; i < t->bodies; i++) {
        add_inertia(w, t, i);
    }
    for (int i = t->bodies - 1; i >= 0; i--) {
        const int body = t->order[i], parent = t->parent[body];
        for (int k = 0; k < 36 && parent >= 0; k++) {
            t->M[parent][k] += t->M[body][k];
        }
    }
    for (int i = 0; i < t->bodies; i++) {
        make_steps(w, t, i, mass);
    }
}

/* ---- what equations ask of bodies and of all that they carry ---- */

/* The wrench of an equation on the body at hand, whose list begins at `begin`; NULL: out of
 * memory. */
static crank_wrench *wrench_of(crank_relative *t, int begin, int equation)
{
    const int at = t->slot[equation];
    if (at >= begin && at < t->wrenches && t->wrench[at].equation == equation) {
        return &t->wrench[at];
    }
    if (t->wrenches == t->room) {
        const int room = 2 * t->room + 64;
        crank_wrench *more = realloc(t->wrench, (size_t)room * sizeof *more);
        if (more == NULL) {
            return NULL;
        }
        t->wrench = more;
        t->room = room;
    }
    t->slot[equation] = t->wrenches;
    t->wrench[t->wrenches] = (crank_wrench){.equation = equation};
    return &t->wrench[t->wrenches++];
}

/* Adds the derivative by velocity i of a body. */
static bool add_derivative(const crank_initial *w, crank_relative *t, int body, int i,
                           int equation, double value)
{
    if (w->place[equation] < 0 || value == 0.0) {
        return true;
    }
    crank_wrench *wrench = wrench_of(t, t->begin[body], equation);
    if (wrench == NULL) {
        return false;
    }
    const int axes = crank_relative_translations(w, body);
    if (i < axes) {
        double f[3] = {0.0, 0.0, 0.0}, torque[3];
        f[i] = value;
        crank_cross3(torque, t->at[body], f);
        wrench->g[i] += value;
        crank_add3(wrench->g + 3, 1.0, torque);
        wrench->size[0] += fabs(value);
        wrench->size[1] += crank_norm3(t->at[body]) * fabs(value);
        return true;
    }
    for (int k = 0; k < 3; k++) {
        wrench->g[3 + k] += value * (is_spatial(t, body) ? t->R[body][3 * k + i - axes]
                                     : k == 2            ? 1.0
                                                         : 0.0);
    }
    wrench->size[1] += fabs(value);
    return true;
}

static bool add_own(const crank_initial *w, crank_relative *t, int body)
{
    const crank_pattern *J = &w->eom->jacobian_pattern;
    bool ok = true;
    for (int i = 0; i < t->count[body]; i++) {
        const int j = w->eom->column[CRANK_V] + t->first[body] + i;
        for (int q = J->start[j]; q < J->start[j + 1] && ok; q++) {
            ok = J->row[q] >= w->algebraic ||
                 add_derivative(w, t, body, i, J->row[q], w->values[q]);
        }
        for (int c = 0; c < w->conditions && ok; c++) {
            ok = add_derivative(w, t, body, i, w->algebraic + c,
                                w->condition_values[c + j * w->conditions]);
        }
    }
    return ok;
}

static bool add_carried(crank_relative *t, int body, int carried)
{
    for (int q = t->begin[carried]; q < t->end[carried]; q++) {
        const int equation = t->wrench[q].equation;
        crank_wrench *wrench = wrench_of(t, t->begin[body], equation);
        if (wrench == NULL) {
            return false;
        }
        crank_add6(wrench->g, 1.0, t->wrench[q].g);
        wrench->size[0] += t->wrench[q].size[0];
        wrench->size[1] += t->wrench[q].size[1];
    }
    return true;
}

/* Sums that are rounding are zero; equations that then ask for nothing are dropped. */
static void drop_cancelled(crank_relative *t, int body)
{
    int kept = t->begin[body];
    for (int q = t->begin[body]; q < t->wrenches; q++) {
        crank_wrench wrench = t->wrench[q];
        bool any = false;
        for (int k = 0; k < 6; k++) {
            if (fabs(wrench.g[k]) <= cancelled * wrench.size[k / 3]) {
                wrench.g[k] = 0.0;
            }
            any = any || wrench.g[k] != 0.0;
        }
        if (any) {
            t->wrench[kept++] = wrench;
        }
    }
    t->wrenches = t->end[body] = kept;
}

static bool collect(const crank_initial *w, crank_relative *t)
{
    bool ok = true;
    t->wrenches = 0;
    memset(t->slot, 0, (size_t)w->equations * sizeof *t->slot);
    for (int i = 0; i < t->bodies; i++) {
        t->child[i] = -1;
    }
    for (int i = t->bodies - 1; i >= 0 && ok; i--) {
        const int body = t->order[i], parent = t->parent[body];
        t->begin[body] = t->wrenches;
        ok = add_own(w, t, body);
        for (int c = t->child[body]; c >= 0 && ok; c = t->sibling[c]) {
            ok = add_carried(t, body, c);
        }
        drop_cancelled(t, body);
        if (parent >= 0) {
            t->sibling[body] = t->child[parent];
            t->child[parent] = body;
        }
    }
    return ok;
}

/* ---- the stage ---- */

crank_status crank_initial_relative_begin(crank_initial *w, crank_error *err)
{
    crank_relative *t = w->relative;
    crank_relative_read_places(w, t);
    crank_initial_grow_tree(w, t);
    weigh(w, t);
    return collect(w, t) ? CRANK_OK
                         : crank_fail(err, CRANK_EMEM, "motions of %d bodies", t->bodies);
}

bool crank_initial_relative_loose(crank_initial *w)
{
    crank_relative *t = w->relative;
    bool any = false;
    crank_initial_grow_carriers(w, t);
    for (int body = 0; body < t->bodies; body++) {
        const int axes = crank_relative_translations(w, body);
        const bool turns = t->parent[body] < 0 && !t->held[body];
        for (int i = 0; i < t->count[body]; i++) {
            const int j = w->eom->column[CRANK_V] + t->first[body] + i;
            w->loose[j] = (t->mounted[body] || (turns && i >= axes)) &&
                          w->fixing[j] == CRANK_FREE && w->x[j] == 0.0;
            any = any || w->loose[j];
        }
    }
    return any;
}

int crank_initial_relative_body(const crank_initial *w, int column)
{
    const int i = column - w->eom->column[CRANK_V];
    return w->relative != NULL && i >= 0 && i < w->eom->sizes.v
               ? w->eom->parts->velocity_body[i]
               : -1;
}

int crank_initial_relative_entries(const crank_initial *w, int column)
{
    const int body = crank_initial_relative_body(w, column);
    return w->relative->end[body] - w->relative->begin[body];
}

int crank_initial_relative_column(const crank_initial *w, int column, int *row, double *value)
{
    const crank_relative *t = w->relative;
    const int body = crank_initial_relative_body(w, column);
    const double *P =
        t->P[body] + 6 * (ptrdiff_t)(column - w->eom->column[CRANK_V] - t->first[body]);
    int count = 0;
    for (int q = t->begin[body]; q < t->end[body]; q++) {
        double terms = 0.0;
        row[count] = w->place[t->wrench[q].equation];
        value[count] = 0.0;
        for (int k = 0; k < 6; k++) {
            value[count] += t->wrench[q].g[k] * P[k];
            terms += t->wrench[q].size[k / 3] * fabs(P[k]);
        }
        count += fabs(value[count]) > cancelled * terms ? 1 : 0;
    }
    return count;
}

void crank_initial_relative_step(crank_initial *w, double damping)
{
    const crank_eom *eom = w->eom;
    crank_relative *t = w->relative;
    memset(t->twist, 0, (size_t)t->bodies * sizeof *t->twist);
    for (int l = 0; l < w->columns; l++) {
        const int body = crank_initial_relative_body(w, w->column[l]);
        if (body >= 0) {
            const int i = w->column[l] - eom->column[CRANK_V] - t->first[body];
            crank_add6(t->twist[body], damping * w->y[l], t->P[body] + (ptrdiff_t)6 * i);
        }
    }
    for (int i = 0; i < t->bodies; i++) {
        const int body = t->order[i];
        if (t->parent[body] >= 0) {
            crank_add6(t->twist[body], 1.0, t->twist[t->parent[body]]);
        }
        crank_relative_add_velocities(w, body,
                                      w->trial + eom->column[CRANK_V] + t->first[body]);
    }
}
