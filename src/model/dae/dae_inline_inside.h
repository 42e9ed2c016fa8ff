/* dae_inline_inside.h - what the files of the code of steps share: dae_inline.c, and
 * dae_inline_rows.c for the equations alone. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DAE_INLINE_INSIDE_H
#define CRANK_SRC_DAE_INLINE_INSIDE_H

#include "model/dae/dae_inline.h"

#include <pthread.h>

/* one of the translations */
typedef struct crank_dae_mode {
    bool made;
    crank_status status; /* of it */
    crank_error reason;
    char *source;
    /* in the store: unknowns that are iterated on but for what is integrated, and of which kept
     * one they are the rate, -1 */
    int torn_count, *torn, *rate_of;
    int guessed_count, *guessed; /* those that no integrator foretells */
} crank_dae_mode;

struct crank_dae_inline {
    crank_inlined_source source; /* first */
    pthread_mutex_t lock;
    crank_flat flat;
    const crank_inline *in;
    crank_inline_layout layout;
    int kept, *column, *rate; /* kept: unknown x, and x' */
    bool has_events;
    char *cache;
    crank_dae_mode mode[2]; /* one stage; several */
    char *rows;             /* source of the equations alone; NULL: not made */
};

/* crank_inlined_source.open_rows */
crank_status crank_dae_open_rows(const crank_inlined_source *source, crank_eom *eom,
                                 crank_log log, crank_inlined_rows **out, crank_error *err);

#endif
