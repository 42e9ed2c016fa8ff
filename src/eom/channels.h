/* channels.h - inputs of the equations of motion: coordinates that a drive prescribes as
 * functions u(t) of time, which are known with u' and u'' and need not be unknowns.
 *
 *     0 = g_i = c (p_j - u(t)),   c constant,   p_j' = v_k,   lambda_i acts on v_k alone
 *
 * are found by themselves; a channel has the name of its constraint. theory 2.9 */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_CHANNELS_H
#define CRANK_SRC_CHANNELS_H

#include "eom/eom.h"

typedef struct crank_channel {
    int constraint;         /* among lambda */
    int p, v, a;            /* columns; a: -1 where accelerations are not carried */
    int balance;            /* row of the forces on v: d or dyn */
    int position, velocity; /* j and k, within their groups */
    double factor;          /* c */
    bool read;              /* lambda stands elsewhere, too: in the work of the drive */
} crank_channel;

typedef struct crank_channels {
    crank_eom *eom;
    int count;
    crank_channel *item;
    double (*u)[3]; /* count: u, u', u'' at t */
    double t;       /* NAN: none yet */
    /* Where the last step ended, NAN: none has; u there. They are found from there, whatever
     * was asked for since: turns of angles are counted, and roundings are the same. */
    double end_t, (*end)[3];
    double *x, *rows; /* n: with that end's; m */
} crank_channels;

/* x0 is consistent at t0; jacobian: its values there. */
crank_status crank_channels_create(crank_channels *channels, crank_eom *eom, double t0,
                                   const double *x0, const double *jacobian, crank_error *err);
void crank_channels_destroy(crank_channels *channels);
/* channels->u at t; no more than a comparison where that is known already. */
crank_status crank_channels_at(crank_channels *channels, double t, crank_error *err);
/* A step has ended where they were asked for last. */
void crank_channels_accept(crank_channels *channels);
/* What they are may have changed. */
void crank_channels_restart(crank_channels *channels);
/* Checkpoints: what later calls depend on. */
void crank_channels_archive(crank_channels *channels, crank_archive *archive);

#endif
