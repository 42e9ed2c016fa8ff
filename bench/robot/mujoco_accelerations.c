/* mujoco_accelerations.c - MuJoCo's joint accelerations of a robot at states from standard
 * input, contacts off, for bench/robots.
 *
 *     mujoco_accelerations FILE [JOINT FACTOR OTHER OFFSET]... < states
 *
 * A line of input is a state: for each hinge and slide of the model, in the order in which a
 * run without input lists them, its coordinate, then for each its rate. A line of output has
 * the accelerations. Joints that are given as arguments follow others, q = FACTOR q_other +
 * OFFSET:
 * their equations are solved with the multipliers exactly, since MuJoCo's own are soft. */
// SPDX-License-Identifier: BSD-3-Clause
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void give_up(const char *why)
{
    (void)fprintf(stderr, "MuJoCo: %s\n", why);
    exit(EXIT_FAILURE);
}

static int dof_of(const mjModel *m, const char *name)
{
    const int joint = mj_name2id(m, mjOBJ_JOINT, name);
    if (joint < 0) {
        give_up(name);
    }
    return m->jnt_dofadr[joint];
}

/* (A b) into (1 x) by Gauss with pivots; n rows of n + 1 */
static void solve(int n, double *A)
{
    const int w = n + 1;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
            pivot = fabs(A[i * w + k]) > fabs(A[pivot * w + k]) ? i : pivot;
        }
        for (int j = 0; j < w; j++) {
            const double spare = A[k * w + j];
            A[k * w + j] = A[pivot * w + j];
            A[pivot * w + j] = spare;
        }
        for (int i = 0; i < n; i++) {
            const double factor = i == k ? 0.0 : A[i * w + k] / A[k * w + k];
            for (int j = k; j < w && i != k; j++) {
                A[i * w + j] -= factor * A[k * w + j];
            }
        }
    }
    for (int k = 0; k < n; k++) {
        A[k * w + n] /= A[k * w + k];
    }
}

/* M a + c - tau = G^T mu, G a = 0 with rows a_joint - factor a_other */
static void accelerate(const mjModel *m, mjData *d, int ties, char **tie, double *a)
{
    const int nv = m->nv, n = nv + ties, w = n + 1;
    double *A = calloc((size_t)n * (size_t)w, sizeof *A);
    double *M = calloc((size_t)nv * (size_t)nv, sizeof *M);
    if (A == NULL || M == NULL) {
        give_up("out of memory");
    }
    mj_fullM(m, M, d->qM);
    for (int i = 0; i < nv; i++) {
        for (int j = 0; j < nv; j++) {
            A[i * w + j] = M[i * nv + j];
        }
        A[i * w + n] = d->qfrc_passive[i] + d->qfrc_actuator[i] - d->qfrc_bias[i];
    }
    for (int k = 0; k < ties; k++) {
        const int one = dof_of(m, tie[4 * k]), other = dof_of(m, tie[4 * k + 2]);
        const double factor = strtod(tie[4 * k + 1], NULL);
        A[(nv + k) * w + one] = A[one * w + nv + k] = 1.0;
        A[(nv + k) * w + other] = A[other * w + nv + k] = -factor;
    }
    solve(n, A);
    for (int i = 0; i < nv; i++) {
        a[i] = A[i * w + n];
    }
    free(A);
    free(M);
}

int main(int argc, char **argv)
{
    char text[500] = "";
    if (argc < 2 || (argc - 2) % 4 != 0) {
        give_up("usage: mujoco_accelerations FILE [JOINT FACTOR OTHER OFFSET]...");
    }
    mjModel *m = mj_loadXML(argv[1], NULL, text, sizeof text);
    mjData *d = m != NULL ? mj_makeData(m) : NULL;
    if (d == NULL) {
        give_up(text);
    }
    m->opt.disableflags |=
        mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_EQUALITY | mjDSBL_FRICTIONLOSS;
    double *a = calloc((size_t)m->nv + 1, sizeof *a);
    for (int j = 0; j < m->njnt; j++) {
        if (m->jnt_type[j] == mjJNT_HINGE || m->jnt_type[j] == mjJNT_SLIDE) {
            (void)printf("%s ", mj_id2name(m, mjOBJ_JOINT, j));
        }
    }
    (void)printf("\n");
    for (;;) {
        bool whole = true;
        for (int part = 0; part < 2; part++) {
            for (int j = 0; j < m->njnt && whole; j++) {
                if (m->jnt_type[j] == mjJNT_HINGE || m->jnt_type[j] == mjJNT_SLIDE) {
                    whole = scanf("%lf", part == 0 ? &d->qpos[m->jnt_qposadr[j]]
                                                   : &d->qvel[m->jnt_dofadr[j]]) == 1;
                }
            }
        }
        if (!whole) {
            break;
        }
        mj_forward(m, d);
        accelerate(m, d, (argc - 2) / 4, argv + 2, a);
        for (int j = 0; j < m->njnt; j++) {
            if (m->jnt_type[j] == mjJNT_HINGE || m->jnt_type[j] == mjJNT_SLIDE) {
                (void)printf("%.17g ", a[m->jnt_dofadr[j]]);
            }
        }
        (void)printf("\n");
    }
    free(a);
    mj_deleteData(d);
    mj_deleteModel(m);
    return EXIT_SUCCESS;
}
