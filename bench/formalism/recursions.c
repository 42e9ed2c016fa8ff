/* recursions.c - cost of the recursions of joint coordinates for large trees: residual (inverse
 * dynamics) and explicit formalism (forward dynamics by articulated bodies), as stages of a run
 * call them, without the matrices that an eom has besides.
 *
 *     recursions chain|tree|planar N count
 *
 * evaluates both formalisms count times and prints microseconds of each; chain: each of N
 * bodies hangs on the one before; tree: on number (i - 1)/2. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/articulated.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct bench {
    crank_system system;
    crank_tree tree;
    crank_tree_shape shape;
    crank_articulation articulation;
    double *x, *k, *a;
} bench;

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) {
        (void)fprintf(stderr, "recursions: out of memory\n");
        exit(EXIT_FAILURE);
    }
    return memory;
}

static void hang(bench *b, int i, int parent, bool planar)
{
    crank_tree_body *body = &b->shape.body[i];
    crank_link *link = &b->shape.link[i];
    *body = (crank_tree_body){.parent = parent,
                              .led = -1,
                              .first = i,
                              .count = 1,
                              .last = i,
                              .turns = true,
                              .inner = {parent >= 0 ? 0.05 : 0.0},
                              .outer = {-0.05},
                              .outer_q = {1.0}};
    *link = (crank_link){.kind = CRANK_LINK_TURN,
                         .body = i,
                         .before = parent,
                         .np = 1,
                         .nv = 1,
                         .p = i,
                         .v = i,
                         .n = -1,
                         .straight = {1.0}};
    link->axis[planar ? 2 : i % 3] = 1.0;
    memcpy(link->turned + 1, link->axis, sizeof link->axis);
    b->shape.order[i] = i;
    crank_body *mass = &b->system.body[i];
    *mass = (crank_body){.kind = planar ? CRANK_BODY_PLANAR : CRANK_BODY_SPATIAL, .mass = 0.1};
    mass->np = crank_body_positions(mass->kind);
    mass->nv = crank_body_velocities(mass->kind);
    mass->inertia[0] = mass->inertia[4] = mass->inertia[8] = 1e-4;
}

static void create(bench *b, const char *kind, int n)
{
    const size_t count = (size_t)n;
    b->shape = (crank_tree_shape){.body_count = n,
                                  .link_count = n,
                                  .np = n,
                                  .nv = n,
                                  .body = take(count, sizeof *b->shape.body),
                                  .link = take(count, sizeof *b->shape.link),
                                  .order = take(count, sizeof *b->shape.order)};
    crank_system *s = &b->system;
    s->body_count = n;
    s->gravity[2] = -9.81;
    s->body = take(count, sizeof *s->body);
    s->state = take(count, sizeof *s->state);
    s->coordinates = (crank_coordinates){.kind = &crank_joint_coordinates,
                                         .chain = crank_joint_coordinates.chain,
                                         .self = &b->tree};
    b->tree = (crank_tree){.shape = &b->shape,
                           .s = s,
                           .link = take(count, sizeof *b->tree.link),
                           .body = take(count, sizeof *b->tree.body),
                           .column_a = 0,
                           .column_v = n,
                           .column_p = 2 * n,
                           .row_d = 0,
                           .row_dyn = n,
                           .row_kin = 2 * n};
    b->x = take(3 * count, sizeof *b->x);
    b->k = take(3 * count, sizeof *b->k);
    b->a = take(count, sizeof *b->a);
    b->articulation.link = take(count, sizeof *b->articulation.link);
    b->articulation.inertia = take(count, sizeof *b->articulation.inertia);
    b->articulation.f = take(count, sizeof *b->articulation.f);
    b->articulation.r = take(count, sizeof *b->articulation.r);
    for (int i = 0; i < n; i++) {
        hang(b, i, strcmp(kind, "tree") == 0 && i > 0 ? (i - 1) / 2 : i - 1,
             strcmp(kind, "planar") == 0);
        s->state[i].kind = s->body[i].kind;
        s->state[i].R[8] = 1.0;
        b->x[n + i] = sin(3.1 * i);
        b->x[2 * n + i] = 0.3 * sin(1.7 * i);
    }
}

/* rows d(p, v, a) into b->k */
static void residual(bench *b)
{
    crank_tree_states(&b->system, 0.0, b->x);
    crank_tree_rows_of(&b->system, b->x, b->k);
    crank_system_balances(&b->system, b->k);
    crank_tree_end_rows(&b->system, b->k);
}

/* accelerations: a - M^-1 d(a) with a = 0 */
static void explicit(bench *b)
{
    residual(b);
    if (!crank_articulated_factor(&b->tree, &b->articulation)) {
        (void)fprintf(stderr, "recursions: a pivot vanishes\n");
        exit(EXIT_FAILURE);
    }
    crank_articulated_solve(&b->tree, &b->articulation, b->shape.order, b->shape.body_count,
                            b->k, b->a);
}

static double measure(bench *b, void (*call)(bench *), int count)
{
    struct timespec from, to;
    double best = HUGE_VAL;
    for (int i = 0; i < count; i++) {
        (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
        call(b);
        (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
        best = fmin(best, 1e6 * (double)(to.tv_sec - from.tv_sec) +
                              1e-3 * (double)(to.tv_nsec - from.tv_nsec));
    }
    return best;
}

/* how well the accelerations found satisfy the residual, relative to the forces in it */
static double check(bench *b)
{
    const int n = b->shape.body_count;
    double size = 0.0, left = 0.0;
    explicit(b);
    for (int i = 0; i < n; i++) {
        size = fmax(size, fabs(b->k[i]));
        b->x[i] = -b->a[i];
    }
    residual(b);
    for (int i = 0; i < n; i++) {
        left = fmax(left, fabs(b->k[i]));
    }
    memset(b->x, 0, (size_t)n * sizeof *b->x);
    return left / size;
}

int main(int argc, char **argv)
{
    bench b = {0};
    if (argc != 4) {
        (void)fprintf(stderr, "usage: recursions chain|tree|planar N count\n");
        return EXIT_FAILURE;
    }
    const int n = atoi(argv[2]), count = atoi(argv[3]);
    create(&b, argv[1], n);
    const double left = check(&b);
    const double inverse = measure(&b, residual, count), forward = measure(&b, explicit, count);
    (void)printf("%d %.3f %.3f %.1e\n", n, inverse, forward, left);
    return EXIT_SUCCESS;
}
