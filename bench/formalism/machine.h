/* machine.h - trees of revolute joints for bench/formalisms, stated once and written as a model
 * file of crank and as one of MuJoCo. Axes of all bodies are those of the world at zero
 * coordinates. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_BENCH_MACHINE_H
#define CRANK_BENCH_MACHINE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct machine_link {
    int parent;       /* -1: ground */
    double axis[3];   /* of the joint it hangs by */
    double at[3];     /* the joint, world */
    double center[3]; /* of mass, world */
    double mass, inertia[3];
} machine_link;

enum { MACHINE_LINKS = 31 };

typedef struct machine {
    const char *name;
    bool floats; /* the first link is free */
    int count;
    machine_link link[MACHINE_LINKS];
} machine;

void machine_arm(machine *m);      /* seven joints */
void machine_humanoid(machine *m); /* thirty joints on a free trunk */
void machine_write_crank(const machine *m, FILE *file);
void machine_write_mujoco(const machine *m, FILE *file);
/* Links that hang on one another by universal joints, the first one on the ground. */
void machine_write_chain_crank(int links, FILE *file);
void machine_write_chain_mujoco(int links, FILE *file);

#endif
