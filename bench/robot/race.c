/* race.c - a robot's second by crank and by MuJoCo, in one process on one core, for bench/race.
 *
 *     race MODEL.yaml MODEL.xml METHOD[+]... | --reference < STATE
 *
 * STATE has a line "JOINT q q'" for each hinge and slide that does not start at rest at zero;
 * the mechanism file starts there by itself. Each method runs at tolerances from 1e-1 to 1e-12
 * (with a + through the C compiler), each of MuJoCo's integrators at step sizes that are halved;
 * contacts, limits and equalities are off there. A reference is auto at 1e-13 alone. A line of output a run: who, which setting,
 * seconds of processor time for one second of motion (the least of several, reading and set-up
 * apart), then the end state: coordinate and rate of every joint, and place and quaternion of
 * free bodies. */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/run.h>

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEAT_MIN = 2, REPEAT_MAX = 200, NAME = 100 };
static const double repeat_for = 0.1; /* s of processor time */

typedef struct start {
    char name[NAME];
    double q, v;
} start;

static _Noreturn void give_up(const char *why)
{
    (void)fprintf(stderr, "race: %s\n", why);
    exit(EXIT_FAILURE);
}

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- MuJoCo ---- */

/* steps that are too large: the error of the end state tells */
static void ignore(const char *text)
{
    (void)text;
}

static bool has_coordinate(const mjModel *m, int joint)
{
    return m->jnt_type[joint] == mjJNT_HINGE || m->jnt_type[joint] == mjJNT_SLIDE;
}

static void print_mujoco(const mjModel *m, const mjData *d)
{
    for (int j = 0; j < m->njnt; j++) {
        const double *q = d->qpos + m->jnt_qposadr[j];
        for (int i = 0; i < (m->jnt_type[j] == mjJNT_FREE ? 7 : 1); i++) {
            (void)printf(" %.17g", q[i]);
        }
        if (has_coordinate(m, j)) {
            (void)printf(" %.17g", d->qvel[m->jnt_dofadr[j]]);
        }
    }
    (void)printf("\n");
}

static void run_mujoco(mjModel *m, mjData *d, const start *s, int count, int steps)
{
    static const char *const name[] = {
        [mjINT_EULER] = "Euler", [mjINT_RK4] = "RK4", [mjINT_IMPLICIT] = "implicit"};
    double least = INFINITY, spent = 0.0;
    m->opt.timestep = 1.0 / steps;
    for (int k = 0; k < REPEAT_MIN || (k < REPEAT_MAX && spent < repeat_for); k++) {
        mj_resetData(m, d);
        for (int i = 0; i < count; i++) {
            const int joint = mj_name2id(m, mjOBJ_JOINT, s[i].name);
            if (joint < 0) {
                give_up(s[i].name);
            }
            d->qpos[m->jnt_qposadr[joint]] = s[i].q;
            d->qvel[m->jnt_dofadr[joint]] = s[i].v;
        }
        const double begin = seconds();
        for (int step = 0; step < steps; step++) {
            mj_step(m, d);
        }
        const double taken = seconds() - begin;
        spent += taken;
        least = fmin(least, taken);
    }
    (void)printf("MuJoCo-%s %g %.9g", name[m->opt.integrator], m->opt.timestep, least);
    print_mujoco(m, d);
}

/* ---- crank ---- */

/* in the order of print_mujoco */
static void print_crank(const mjModel *m, crank_run *run)
{
    static const char *const of_body[] = {"x", "y", "z", "q0", "q1", "q2", "q3"};
    char name[3 * NAME];
    for (int j = 0; j < m->njnt; j++) {
        const char *joint = mj_id2name(m, mjOBJ_JOINT, j);
        const char *body = mj_id2name(m, mjOBJ_BODY, m->jnt_bodyid[j]);
        const char *kind = m->jnt_type[j] == mjJNT_HINGE ? "angle" : "length";
        for (int i = 0; i < 7 && m->jnt_type[j] == mjJNT_FREE; i++) {
            (void)snprintf(name, sizeof name, "body.%.99s.%s", body, of_body[i]);
            (void)printf(" %.17g", crank_run_value(run, name));
        }
        for (int i = 0; i < 2 && has_coordinate(m, j); i++) {
            (void)snprintf(name, sizeof name, "joint.%.99s.%s%s", joint, kind,
                           i == 0 ? "" : "_rate");
            (void)printf(" %.17g", crank_run_value(run, name));
        }
    }
    (void)printf("\n");
}

/* the model with what this method needs */
static crank_run *open_crank(const char *path, const char *method)
{
    char name[NAME];
    crank_run_options options = crank_run_options_default();
    crank_run *run = NULL;
    crank_error err = {0};
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(method, "+"), method);
    options.method = name;
    options.compile = strchr(method, '+') != NULL;
    if (crank_run_open(path, &options, &run, &err) != CRANK_OK) {
        give_up(err.text);
    }
    return run;
}

static void run_crank(const mjModel *m, const crank_model *model, const char *method,
                      double tolerance)
{
    char name[NAME], text[NAME];
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(method, "+"), method);
    (void)snprintf(text, sizeof text, "%g", tolerance);
    const crank_setting settings[] = {{"rtol", text}, {"atol", text}};
    crank_run_options options = crank_run_options_default();
    options.method = name;
    options.options = settings;
    options.option_count = 2;
    crank_run *run = NULL;
    crank_error err = {0};
    double least = INFINITY, spent = 0.0;
    for (int k = 0; k < REPEAT_MIN || (k < REPEAT_MAX && spent < repeat_for); k++) {
        crank_run_close(run);
        crank_status status = crank_run_open_model(model, &options, &run, &err);
        if (status == CRANK_OK) {
            status = crank_run_start(run, &err);
        }
        const double begin = seconds();
        if (status != CRANK_OK || crank_run_advance(run, 1.0, &err) != CRANK_OK) {
            give_up(err.text);
        }
        const double taken = seconds() - begin;
        spent += taken;
        least = fmin(least, taken);
    }
    (void)printf("crank-%s %g %.9g", method, tolerance, least);
    print_crank(m, run);
    crank_run_close(run);
}

int main(int argc, char **argv)
{
    static const int integrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_RK4};
    char text[500] = "";
    start *states = calloc(1000, sizeof *states);
    int count = 0;
    if (argc < 4 || states == NULL) {
        give_up("usage: race MODEL.yaml MODEL.xml METHOD[+]... < STATE");
    }
    while (count < 1000 &&
           scanf("%99s %lf %lf", states[count].name, &states[count].q, &states[count].v) == 3) {
        count++;
    }
    mju_user_warning = ignore;
    mjModel *m = mj_loadXML(argv[2], NULL, text, sizeof text);
    mjData *d = m != NULL ? mj_makeData(m) : NULL;
    if (d == NULL) {
        give_up(text);
    }
    m->opt.disableflags |=
        mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_EQUALITY | mjDSBL_FRICTIONLOSS;
    const bool reference = strcmp(argv[3], "--reference") == 0;
    if (reference) {
        crank_run *run = open_crank(argv[1], "auto");
        run_crank(m, crank_run_model(run), "auto", 1e-13);
        crank_run_close(run);
    }
    for (int i = 3; i < argc && !reference; i++) {
        crank_run *run = open_crank(argv[1], argv[i]);
        for (int digits = 1; digits <= 12; digits++) {
            run_crank(m, crank_run_model(run), argv[i], pow(10.0, -digits));
        }
        crank_run_close(run);
    }
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators && !reference; i++) {
        m->opt.integrator = integrators[i];
        /* what of first order could reach nobody waits for */
        const int most = integrators[i] == mjINT_RK4 ? 1 << 11 : 1 << 12;
        for (int steps = 16; steps <= most; steps *= 2) {
            run_mujoco(m, d, states, count, steps);
        }
    }
    free(states);
    mj_deleteData(d);
    mj_deleteModel(m);
    return EXIT_SUCCESS;
}
