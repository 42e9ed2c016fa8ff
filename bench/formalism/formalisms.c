/* formalisms.c - what an evaluation of the equations of motion costs: forward and inverse
 * dynamics and derivatives in joint coordinates, and beside them MuJoCo's mj_forward and
 * mj_inverse with contacts off, in the same process and at the same states. For the arm and the
 * humanoid accelerations of both are compared first, and both are measured as machine code
 * (--compile), too.
 *
 *     formalisms [seconds [machine]]  of measuring each figure, default 0.5; arm,
 *         humanoid or chain, default all
 *
 * Without MuJoCo (libmujoco-dev) its columns stay empty. */
// SPDX-License-Identifier: BSD-3-Clause
#include "machine.h"

#include "eom/eom.h"
#include "eom/stage.h"
#include "formulate/algebraic.h"

#include <crank/crank.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef BENCH_MUJOCO
#include <mujoco/mujoco.h>
#endif

enum { CHAIN = 1000 };

static _Noreturn void give_up(const char *what, const char *why)
{
    (void)fprintf(stderr, "%s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* microseconds of a call: the fastest of batches, which nobody interrupts */
static double measure(void (*call)(void *), void *self, double seconds)
{
    double best = HUGE_VAL, begin = now(), spent = 0.0;
    int batch = 1;
    call(self);
    for (int round = 0; round < 3 || spent < seconds; round++) {
        const double from = now();
        for (int i = 0; i < batch; i++) {
            call(self);
        }
        const double took = now() - from;
        spent = now() - begin;
        best = fmin(best, took / batch);
        if (took < 1e-4 && batch < 100000) {
            batch *= 2;
            best = HUGE_VAL;
            round = 0;
        }
        if (took > seconds) {
            break;
        }
    }
    return 1e6 * best;
}

/* ---- crank ---- */

typedef struct crank_side {
    crank_model *model;
    crank_state *state;
    crank_eom *eom;
    crank_scale scale;
    crank_arena arena;
    crank_statistics statistics;
    crank_algebraic algebraic;
    double *x, *k, *jacobian;
    crank_error err;
} crank_side;

static void check(crank_status status, const crank_error *err)
{
    if (status != CRANK_OK) {
        give_up("crank", err->text);
    }
}

static void crank_begin(crank_side *c, const char *path, bool compile)
{
    crank_model_options options = crank_model_options_default();
    options.coordinates = CRANK_COORDINATES_JOINT;
    options.compile = compile;
    *c = (crank_side){0};
    check(crank_model_read(path, &options, &c->model, &c->err), &c->err);
    check(crank_state_create(c->model, &c->state, &c->err), &c->err);
    c->eom = crank_state_eom(c->state);
    c->x = calloc((size_t)c->eom->n, sizeof *c->x);
    c->k = calloc((size_t)c->eom->m, sizeof *c->k);
    c->jacobian = calloc((size_t)c->eom->jacobian_pattern.start[c->eom->n], sizeof *c->k);
    if (c->x == NULL || c->k == NULL || c->jacobian == NULL) {
        give_up("crank", "out of memory");
    }
    memcpy(c->x, crank_state_start(c->state), (size_t)c->eom->n * sizeof *c->x);
    c->scale.eom = c->eom;
    crank_scale_layout(&c->scale, &c->arena);
    if (!crank_arena_allocate(&c->arena)) {
        give_up("crank", "out of memory");
    }
    crank_scale_layout(&c->scale, &c->arena);
    check(c->eom->supplier.jacobian(c->eom->self, 0.0, c->x, NULL, c->jacobian, &c->err),
          &c->err);
    crank_scale_measure(&c->scale, c->jacobian, c->x, NULL);
    c->algebraic =
        (crank_algebraic){.eom = c->eom, .scale = &c->scale, .statistics = &c->statistics};
}

static void crank_end(crank_side *c)
{
    crank_algebraic_destroy(&c->algebraic);
    crank_arena_free(&c->arena);
    crank_state_destroy(c->state);
    crank_model_destroy(c->model);
    free(c->x);
    free(c->k);
    free(c->jacobian);
}

/* the same for both: a state that is not special */
static double some(int i)
{
    return sin(1.7 * i + 0.3);
}

/* the unknown with this name, -1: none */
static int find(const crank_side *c, const char *format, int link)
{
    char name[80];
    (void)snprintf(name, sizeof name, format, link);
    for (int i = 0; i < c->eom->n; i++) {
        if (strcmp(crank_eom_column_name(c->eom, i), name) == 0) {
            return i;
        }
    }
    return -1;
}

static void crank_set_state(crank_side *c, const machine *m)
{
    for (int i = 0; m != NULL && i < m->count; i++) {
        const int p = find(c, "joint.j%d.coordinate", i), v = find(c, "joint.j%d.rate", i);
        if (p >= 0) {
            c->x[p] = some(i);
            c->x[v] = some(3 * i);
        }
    }
    for (int i = 0; m == NULL && i < c->eom->sizes.p; i++) {
        c->x[c->eom->column[CRANK_P] + i] = some(i);
        c->x[c->eom->column[CRANK_V] + i] = some(3 * i);
    }
    check(crank_algebraic_create(&c->algebraic, CRANK_LINALG_AUTO, 0.0, c->x, &c->err),
          &c->err);
}

static void crank_forward(void *self)
{
    crank_side *c = self;
    check(crank_algebraic_solve(&c->algebraic, 0.0, c->x, &c->err), &c->err);
}

static void crank_inverse(void *self)
{
    crank_side *c = self;
    const double t = 0.0;
    check(c->eom->supplier.evaluate(c->eom->self, 1, &t, c->x, CRANK_ALL_ROWS, c->k, &c->err),
          &c->err);
}

static void crank_derivatives(void *self)
{
    crank_side *c = self;
    check(c->eom->supplier.jacobian(c->eom->self, 0.0, c->x, NULL, c->jacobian, &c->err),
          &c->err);
}

/* ---- MuJoCo ---- */

#ifdef BENCH_MUJOCO
typedef struct mujoco_side {
    mjModel *model;
    mjData *data;
} mujoco_side;

static int hinge(const mujoco_side *m, int link)
{
    char name[20];
    (void)snprintf(name, sizeof name, "j%d", link);
    return mj_name2id(m->model, mjOBJ_JOINT, name);
}

static void mujoco_begin(mujoco_side *m, const char *path, const machine *spec)
{
    char text[500] = "";
    m->model = mj_loadXML(path, NULL, text, sizeof text);
    if (m->model == NULL) {
        give_up("MuJoCo", text);
    }
    m->data = mj_makeData(m->model);
    for (int i = 0; spec != NULL && i < spec->count; i++) {
        const int j = hinge(m, i);
        if (j >= 0) {
            m->data->qpos[m->model->jnt_qposadr[j]] = some(i);
            m->data->qvel[m->model->jnt_dofadr[j]] = some(3 * i);
        }
    }
    for (int i = 0; spec == NULL && i < m->model->nv; i++) {
        m->data->qpos[i] = some(i);
        m->data->qvel[i] = some(3 * i);
    }
}

static void mujoco_end(mujoco_side *m)
{
    mj_deleteData(m->data);
    mj_deleteModel(m->model);
}

static void mujoco_forward(void *self)
{
    const mujoco_side *m = self;
    mj_forward(m->model, m->data);
}

static void mujoco_inverse(void *self)
{
    const mujoco_side *m = self;
    mj_inverse(m->model, m->data);
}

/* accelerations of the hinges, relative to the largest */
static double compare(const crank_side *c, const mujoco_side *m, const machine *spec)
{
    double size = 0.0, off = 0.0;
    for (int i = 0; i < spec->count; i++) {
        const int j = hinge(m, i), a = find(c, "acceleration.joint.j%d.rate", i);
        if (j >= 0) {
            const double peer = m->data->qacc[m->model->jnt_dofadr[j]];
            size = fmax(size, fabs(peer));
            off = fmax(off, fabs(peer - c->x[a]));
        }
    }
    return off / size;
}
#endif

/* ---- a line of the table ---- */

typedef struct line {
    const char *name;
    const machine *machine; /* NULL: the chain */
} line;

static FILE *open_file(char path[64], const char *ending)
{
    (void)snprintf(path, 64, "/tmp/formalisms-%ld%s", (long)getpid(), ending);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        give_up(path, "cannot be written");
    }
    return file;
}

/* as machine code, over what it takes otherwise */
static void run_compiled(const line *l, const char *path, double seconds, const double of[3])
{
    crank_side c;
    crank_begin(&c, path, true);
    crank_set_state(&c, l->machine);
    (void)printf(" %6.2f", measure(crank_forward, &c, seconds) / of[0]);
    (void)printf(" %6.2f", measure(crank_inverse, &c, seconds) / of[1]);
    (void)printf(" %6.2f", measure(crank_derivatives, &c, seconds) / of[2]);
    crank_end(&c);
}

static void run_line(const line *l, double seconds)
{
    char path[64];
    crank_side c;
    FILE *file = open_file(path, ".yaml");
    if (l->machine != NULL) {
        machine_write_crank(l->machine, file);
    } else {
        machine_write_chain_crank(CHAIN, file);
    }
    (void)fclose(file);
    crank_begin(&c, path, false);
    crank_set_state(&c, l->machine);
    const double forward = measure(crank_forward, &c, seconds),
                 inverse = measure(crank_inverse, &c, seconds),
                 derivatives = measure(crank_derivatives, &c, seconds);
    (void)printf("%-26s %4d %11.2f %11.2f %11.2f %6.2f", l->name, c.eom->sizes.v, forward,
                 inverse, derivatives, derivatives / forward);
    if (l->machine != NULL) {
        run_compiled(l, path, seconds, (const double[3]){forward, inverse, derivatives});
    } else {
        (void)printf(" %6s %6s %6s", "-", "-", "-");
    }
    (void)remove(path);
#ifdef BENCH_MUJOCO
    mujoco_side m;
    file = open_file(path, ".xml");
    if (l->machine != NULL) {
        machine_write_mujoco(l->machine, file);
    } else {
        machine_write_chain_mujoco(CHAIN, file);
    }
    (void)fclose(file);
    mujoco_begin(&m, path, l->machine);
    (void)remove(path);
    const double peer = measure(mujoco_forward, &m, seconds),
                 peer_inverse = measure(mujoco_inverse, &m, seconds);
    (void)printf(" %12.2f %11.2f %8.3f %8.3f", peer, peer_inverse, forward / peer,
                 inverse / peer_inverse);
    mujoco_forward(&m);
    crank_forward(&c);
    if (l->machine != NULL) {
        (void)printf(" %9.1e", compare(&c, &m, l->machine));
    }
    mujoco_end(&m);
#endif
    (void)printf("\n");
    (void)fflush(stdout);
    crank_end(&c);
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? strtod(argv[1], NULL) : 0.5;
    machine arm, humanoid;
    machine_arm(&arm);
    machine_humanoid(&humanoid);
    const line lines[] = {{"arm, 7 joints", &arm},
                          {"humanoid, 30 joints, free", &humanoid},
                          {"chain, 1000 links", NULL}};
    (void)printf("microseconds an evaluation; compiled: parts of that, forward, inverse and "
                 "derivatives\n%-26s %4s %11s %11s %11s %6s %20s",
                 "", "n_v", "forward", "inverse", "derivatives", "/fwd", "compiled");
#ifdef BENCH_MUJOCO
    (void)printf(" %12s %11s %8s %8s %9s", "mj_forward", "mj_inverse", "forward", "inverse",
                 "apart");
#endif
    (void)printf("\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (argc < 3 || strncmp(lines[i].name, argv[2], strlen(argv[2])) == 0) {
            run_line(&lines[i], seconds);
        }
    }
    return EXIT_SUCCESS;
}
