/* inverse.h - "crank inverse": inverse.c (the command), inverse_write.c (files), inverse_say.c
 * (messages), inverse_share.c (efforts of the least norm). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_INVERSE_H
#define CRANK_TOOLS_INVERSE_H

#include "arguments.h"
#include "command.h"

#include <stddef.h>
#include <stdio.h>

typedef struct inverse_arguments {
    text_list positional, motors;
    setting_list drives, settings, options;
    const char *out, *replay, *method;
    double t_end;
    int points;
    bool quiet;
} inverse_arguments;

/* What is driven or has a motor: a coordinate of a joint, or a position of a body. */
typedef struct moved {
    const char *name;    /* as the command line has it */
    const char *section; /* "joint", "body" */
    char object[128];    /* the joint or body */
    char quantity[32];   /* "angle", "length", "x" */
    char rate[40];       /* "angle_rate", "vx" */
    bool whole;          /* the name is that of the joint alone */
    const char *motion;  /* of a drive */
    char safe[128];      /* its name in one word */
} moved;

typedef struct inverse {
    messages *m;
    const inverse_arguments *a;
    int drives, motors;
    moved *drive, *motor;
    int dimension, rows;
    double *time;     /* rows */
    double *lambda;   /* drives x rows */
    double *T;        /* motors x drives x rows */
    double *tau;      /* motors x rows */
    double *position; /* motors x rows */
    double *start;    /* drives x 2: coordinate and rate at the start */
    bool same;        /* motors are the driven joints */
} inverse;

/* The mechanism that is run: the model with drives, and motors whose efforts are zero. */
void inverse_write_driven(const inverse *v, FILE *file);
void inverse_write_rows(const inverse *v, FILE *file);
void inverse_write_replay(const inverse *v, FILE *file);
/* -1, or the exit code */
int inverse_write_file(const inverse *v, const char *path,
                       void (*write)(const inverse *v, FILE *file));

/* Messages of the driven mechanism, where its drives are called as the command line does. */
crank_log inverse_log(inverse *v);
/* the same for an error */
void inverse_rename(const inverse *v, crank_error *err);

/* tau of the least norm with T^T tau = lambda; T: motors x drives, entries of all apart by
 * stride, as those of lambda and tau. Returns what is left over, relative to lambda: 0, unless
 * T has not the rank of the drives. */
double inverse_least_norm(int motors, int drives, const double *T, const double *lambda,
                          double *tau, size_t stride);
/* Degrees of freedom that the drives leave, which is said. */
int inverse_find_freedom(messages *m, crank_run *run);

#endif
