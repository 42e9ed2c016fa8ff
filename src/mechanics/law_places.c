/* law_places.c - the primitives and bodies of a law, the bodies that each of its outputs
 * depends on, and the places of all intermediate values in the working memory. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/law_inside.h"

#include <stdlib.h>

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "equations of joints and forces");
}

/* ---- primitives and bodies ---- */

/* sorts, keeps each once, returns how many */
static int unique(int *item, int count)
{
    int kept = 0;
    if (count > 0) {
        qsort(item, (size_t)count, sizeof *item, crank_law_compare);
    }
    for (int i = 0; i < count; i++) {
        if (kept == 0 || item[kept - 1] != item[i]) {
            item[kept++] = item[i];
        }
    }
    return kept;
}

static int position(int wanted, const int *item, int count)
{
    const int *found = bsearch(&wanted, item, (size_t)count, sizeof *item, crank_law_compare);
    return (int)(found - item);
}

static int primitive_of(const crank_law *law, const crank_law_term *term)
{
    const crank_symbol s = law->inputs.symbol[term->input];
    return crank_law_is_motion(s.kind) ? s.index : -1;
}

/* the primitives of all terms and efforts, in rising order */
static crank_status find_primitives(crank_law_making *m, crank_error *err)
{
    crank_law *law = m->law;
    const int room = law->term_count + law->output_count - law->efforts;
    int *all = malloc(((size_t)room + 1) * sizeof *all);
    if (all == NULL) {
        return no_memory(err);
    }
    int count = 0;
    for (int i = 0; i < law->term_count; i++) {
        const int primitive = primitive_of(law, &law->term[i]);
        if (primitive >= 0) {
            all[count++] = primitive;
        }
    }
    for (int o = law->efforts; o < law->output_count; o++) {
        all[count++] = law->output[o].index;
    }
    law->primitive_count = unique(all, count);
    law->primitive = calloc((size_t)law->primitive_count + 1, sizeof *law->primitive);
    if (law->primitive == NULL) {
        free(all);
        return no_memory(err);
    }
    for (int i = 0; i < law->primitive_count; i++) {
        law->primitive[i].primitive = all[i];
        law->primitive[i].K = -1;
    }
    for (int i = 0; i < law->term_count; i++) {
        const int primitive = primitive_of(law, &law->term[i]);
        if (primitive >= 0) {
            const int at = position(primitive, all, law->primitive_count);
            law->term[i].primitive = at;
            law->primitive[at].motion |=
                law->inputs.symbol[law->term[i].input].kind != CRANK_SYMBOL_VALUE;
        }
    }
    for (int o = law->efforts; o < law->output_count; o++) {
        law->effort_primitive[o] = position(law->output[o].index, all, law->primitive_count);
        law->primitive[law->effort_primitive[o]].K = 0; /* to be placed */
    }
    free(all);
    return CRANK_OK;
}

static crank_status find_bodies(crank_law_making *m, crank_error *err)
{
    crank_law *law = m->law;
    const crank_primitive *primitive = m->b->primitive.item;
    const size_t room = (size_t)law->primitive_count * CRANK_PRIMITIVE_BODIES + 1;
    law->body = malloc(room * sizeof *law->body);
    law->column = malloc(room * sizeof *law->column);
    if (law->body == NULL || law->column == NULL) {
        return no_memory(err);
    }
    int count = 0;
    for (int i = 0; i < law->primitive_count; i++) {
        const crank_primitive *p = &primitive[law->primitive[i].primitive];
        for (int k = 0; k < p->bodies; k++) {
            law->body[count++] = p->body[k];
        }
    }
    law->body_count = unique(law->body, count);
    for (int i = 0; i < law->body_count; i++) {
        const crank_body_kind kind = m->b->kind[law->body[i]];
        law->column[i] = law->column_count;
        law->column_count += crank_body_positions(kind) + 2 * crank_body_velocities(kind);
    }
    for (int i = 0; i < law->primitive_count; i++) {
        const crank_primitive *p = &primitive[law->primitive[i].primitive];
        for (int k = 0; k < p->bodies; k++) {
            law->primitive[i].body[k] = position(p->body[k], law->body, law->body_count);
        }
    }
    return CRANK_OK;
}

/* the output at hand depends on the bodies of a primitive through an input of that kind; at:
 * for each body of the law one more than the place of its touch, 0: this output has none yet */
static void touch_bodies(crank_law_making *m, int *at, int primitive, crank_symbol_kind kind,
                         bool effort)
{
    const crank_law_primitive *lp = &m->law->primitive[primitive];
    const int bodies = m->b->primitive.item[lp->primitive].bodies;
    for (int k = 0; k < bodies; k++) {
        const int body = lp->body[k];
        if (at[body] == 0) {
            if (!CRANK_BUILD_PUSH(m->b, m->touch,
                                  (crank_law_touch){.body = body, .slot = -1})) {
                return;
            }
            at[body] = m->touch.count;
        }
        crank_law_touch *touch = &m->touch.item[at[body] - 1];
        touch->p = true;
        touch->v = touch->v || kind != CRANK_SYMBOL_VALUE;
        touch->a = touch->a || kind == CRANK_SYMBOL_ACCELERATION;
        if (effort) {
            touch->slot = k;
        }
    }
}

static crank_status find_touched(crank_law_making *m, crank_error *err)
{
    crank_law *law = m->law;
    int *at = calloc((size_t)law->body_count + 1, sizeof *at);
    if (at == NULL) {
        return no_memory(err);
    }
    for (int o = 0; o < law->output_count; o++) {
        law->touch_start[o] = m->touch.count;
        for (int i = law->term_start[o]; i < law->term_start[o + 1]; i++) {
            if (law->term[i].primitive >= 0) {
                touch_bodies(m, at, law->term[i].primitive,
                             law->inputs.symbol[law->term[i].input].kind, false);
            }
        }
        if (o >= law->efforts) {
            touch_bodies(m, at, law->effort_primitive[o], CRANK_SYMBOL_VALUE, true);
        }
        for (int i = law->touch_start[o]; i < m->touch.count; i++) {
            at[m->touch.item[i].body] = 0;
        }
    }
    law->touch_start[law->output_count] = m->touch.count;
    law->touch = m->touch.item;
    m->touch.item = NULL;
    free(at);
    return crank_build_memory(m->b, err);
}

/* ---- working memory ---- */

static int largest(int a, int b)
{
    return a > b ? a : b;
}

static crank_status lay_out(crank_law_making *m, crank_error *err)
{
    crank_law *law = m->law;
    int at = 0;
    int K = 0;
    int np = 0;
    law->in = at;
    at += law->inputs.count;
    law->out = at;
    at += largest(law->output_count, largest(m->derivative.count, law->reaction_count));
    law->gradient = at;
    at += law->column_count;
    for (int i = 0; i < law->primitive_count; i++) {
        crank_law_primitive *lp = &law->primitive[i];
        const crank_primitive *p = &m->b->primitive.item[lp->primitive];
        lp->Y = at;
        lp->rate_p = lp->Y + p->np;
        lp->acc_p = lp->rate_p + p->np;
        lp->acc_v = lp->acc_p + p->np;
        at = lp->acc_v + p->nv;
        if (lp->K >= 0) {
            lp->K = at;
            at += p->nv * p->np;
        }
        K = largest(K, p->nv * p->np);
        np = largest(np, p->np);
    }
    law->scratch_K = at;
    law->scratch_bias = law->scratch_K + K;
    law->sides = law->scratch_bias + np;
    law->registers =
        law->sides + (law->how == CRANK_LAW_DIFFERENCES ? 2 * law->output_count : 0);
    int registers = largest(crank_tape_work_size(law->values, 1),
                            crank_tape_work_size(law->derivatives, 1));
    if (law->reaction != NULL) {
        registers = largest(registers, crank_tape_work_size(law->reaction, 1));
    }
    const int size = law->registers + registers + 1;
    return crank_law_work_reserve(m->b->inside->work, (size_t)size) ? CRANK_OK : no_memory(err);
}

crank_status crank_law_place(crank_law_making *m, crank_error *err)
{
    crank_status status = find_primitives(m, err);
    CRANK_THEN(status, find_bodies(m, err));
    CRANK_THEN(status, find_touched(m, err));
    return status == CRANK_OK ? lay_out(m, err) : status;
}
