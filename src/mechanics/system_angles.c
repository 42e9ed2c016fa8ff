/* system_angles.c - continued angles: their turns are counted from accepted step to accepted
 * step. Each has its last value with cosine and sine in memory, which laws read, behind the
 * parameters that vary. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"
#include "mechanics/law.h"
#include "mechanics/output.h"

#include <math.h>
#include <string.h>

crank_status crank_system_make_angles(crank_system *s, crank_builder *b, crank_error *err)
{
    const size_t memory = (size_t)b->memory.count, count = (size_t)b->angle.count;
    s->memory_count = b->memory.count;
    s->memory = crank_store_take(&s->store, memory, sizeof *s->memory);
    s->memory_start = crank_store_take(&s->store, memory, sizeof *s->memory_start);
    s->angle_value = crank_store_take(&s->store, count, sizeof *s->angle_value);
    s->angle_memory = crank_store_take(&s->store, count, sizeof *s->angle_memory);
    crank_ex *ex = crank_store_take(b->store, count, sizeof *ex);
    if (s->store.failed || ex == NULL) {
        return crank_fail(err, CRANK_EMEM, "angles of the mechanism");
    }
    for (size_t i = 0; i < memory; i++) {
        s->memory[i] = s->memory_start[i] = b->memory.item[i];
    }
    for (size_t i = 0; i < count; i++) {
        ex[i] = b->angle.item[i].ex;
        s->angle_memory[i] = b->angle.item[i].memory;
    }
    s->angle_count = b->angle.count;
    return count == 0 ? CRANK_OK
                      : crank_expressions_create(b, b->angle.count, ex, &s->angle, err);
}

crank_status crank_system_accepted(void *self, double t, const double *x, crank_error *err)
{
    crank_system *s = self;
    const crank_coordinates_kind *coordinates = s->coordinates.kind;
    const crank_status status =
        coordinates->accepted != NULL ? coordinates->accepted(s, t, x, err) : CRANK_OK;
    if (status != CRANK_OK || s->angle_count == 0) {
        return status;
    }
    crank_system_point(s, t, x);
    crank_expressions_evaluate(s->angle, s, t, x, s->angle_value);
    for (int i = 0; i < s->angle_count; i++) {
        double *m = s->memory + s->angle_memory[i];
        if (isfinite(s->angle_value[i])) {
            m[0] = s->angle_value[i];
            m[1] = cos(m[0]);
            m[2] = sin(m[0]);
        }
    }
    return crank_system_watch_poles(s, t, err);
}

void crank_system_rewind(crank_system *s)
{
    if (s->memory_count > 0) {
        memcpy(s->memory, s->memory_start, (size_t)s->memory_count * sizeof *s->memory);
    }
}

/* ---- checkpoints ---- */

void crank_system_archive(void *self, crank_archive *a)
{
    crank_system *s = self;
    crank_archive_check(a, "continued angles", s->memory_count);
    crank_archive_doubles(a, s->memory, (size_t)s->memory_count);
    if (s->output != NULL) {
        crank_output_archive(s->output, a);
    }
}
