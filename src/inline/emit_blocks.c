/* emit_blocks.c - blocks as functions and tables of the generated C, see emit.h and emit.c:
 *
 *     run_i(v, r)           statements of a block, its residuals r and pivots
 *     tangent_i(v, d, r)    their derivatives in the direction d
 *
 * A linear system within a block is a block of its own among the steps of the other. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/emit.h"

#include "base/grow.h"

#include <string.h>

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "writing C");
}

/* ---- tables ---- */

bool crank_emit_index(crank_emit *w, int value)
{
    int *more = crank_store_grow(w->store, w->index, w->index_count, &w->index_capacity,
                                 sizeof *w->index);
    if (more == NULL) {
        return false;
    }
    w->index = more;
    w->index[w->index_count++] = value;
    return true;
}

static bool add_step(crank_emit *w, crank_emit_step step)
{
    crank_emit_step *more =
        crank_store_grow(w->store, w->step, w->step_count, &w->step_capacity, sizeof *w->step);
    if (more == NULL) {
        return false;
    }
    w->step = more;
    w->step[w->step_count++] = step;
    return true;
}

/* its number; -1: out of memory */
static int add_block(crank_emit *w, crank_emit_block b)
{
    crank_emit_block *more = crank_store_grow(w->store, w->block, w->block_count,
                                              &w->block_capacity, sizeof *w->block);
    if (more == NULL) {
        return -1;
    }
    w->block = more;
    w->block[w->block_count] = b;
    return w->block_count++;
}

/* ---- functions ---- */

/* The statements that have come together become a function, and another for directions. */
static bool end_function(crank_emit *w, bool tangent)
{
    crank_text *t = w->text;
    if (w->statement_count == 0) {
        return true;
    }
    const int i = w->functions++;
    crank_text_append(t, "\nstatic void run_%d(double *v, double *r)\n{\n    (void)r;\n", i);
    crank_emit_c_statements(t, w->in->flat->pool, &w->symbols, w->statement_count,
                            w->statement);
    crank_text_append(t, "}\n");
    if (tangent) {
        crank_text_append(t,
                          "\nstatic void tangent_%d(const double *v, double *d, double *r)\n"
                          "{\n    (void)v;\n    (void)r;\n",
                          i);
        crank_emit_c_statements(t, w->in->flat->pool, &w->symbols, w->statement_count,
                                w->derivative);
        crank_text_append(t, "}\n");
    }
    w->statement_count = 0;
    return add_step(w, (crank_emit_step){.run = i, .x = tangent ? 1 : 0});
}

/* derivative of ex in the directions of the block's unknowns */
static crank_ex tangent_of(crank_emit *w, crank_ex ex)
{
    const crank_inline *in = w->in;
    crank_pool *p = in->flat->pool;
    const int count = crank_ex_symbols(p, ex, NULL, 0);
    crank_ex *symbols = crank_store_take(w->store, 2 * (size_t)count, sizeof *symbols);
    int used = 0;
    if (symbols == NULL) {
        return ex;
    }
    crank_ex *directions = symbols + count;
    (void)crank_ex_symbols(p, ex, symbols, count);
    for (int k = 0; k < count; k++) {
        const int u = crank_inline_unknown_of(in, symbols[k]);
        if (u >= 0 && in->local[u] >= 0) {
            symbols[used] = symbols[k];
            directions[used++] = w->direction[u];
        }
    }
    return used > 0 ? crank_ex_directional(p, ex, used, symbols, directions)
                    : crank_ex_number(p, 0.0);
}

static bool add_statement(crank_emit *w, const char *target, const char *direction, crank_ex ex,
                          int line, bool tangent)
{
    if (w->statement_count == CRANK_EMIT_STATEMENTS && !end_function(w, tangent)) {
        return false;
    }
    const char *file = crank_flat_file_of(w->in->flat, (crank_flat_place){.line = line});
    const int own = line % CRANK_FLAT_LINES;
    w->statement[w->statement_count] = (crank_emit_statement){target, ex, own, file};
    w->derivative[w->statement_count++] =
        (crank_emit_statement){direction, tangent ? tangent_of(w, ex) : ex, own, file};
    return target != NULL && direction != NULL;
}

/* ---- blocks ---- */

/* systems: of items that are linear systems, their blocks, in the order of the items */
static bool write_items(crank_emit *w, const crank_inline_tearing *t, crank_emit_block *b,
                        bool tangent, const int *systems)
{
    const crank_inline *in = w->in;
    crank_pool *p = in->flat->pool;
    bool good = true;
    for (int i = 0; i < t->item_count && good; i++) {
        const crank_inline_item *item = &t->item[i];
        const crank_inline_unknown *x = &in->unknown[item->unknown];
        const int line = in->equation[item->equation].place;
        const char *target = w->label[CRANK_INLINE_FIRST + item->unknown],
                   *direction = w->label[w->layout.width + item->unknown];
        if (item->system != NULL) {
            good = end_function(w, tangent) &&
                   add_step(w, (crank_emit_step){.run = CRANK_EMIT_SYSTEM, .x = *systems++});
            continue;
        }
        if (item->ex < 0 && in->coupled) {
            good =
                end_function(w, tangent) &&
                add_step(w, (crank_emit_step){
                                .run = CRANK_EMIT_RULE, .x = item->unknown, .rate = x->next});
            continue;
        }
        if (item->pivot >= 0 && b != NULL && b->safe >= 0) {
            const char *place = crank_store_print(w->store, "r[%d]", b->rows + b->checks++);
            good = add_statement(w, place, place, item->pivot, 0, tangent);
        }
        const crank_ex ex =
            item->ex >= 0
                ? item->ex
                : crank_ex_add(p, crank_ex_mul(p, in->h, in->unknown[x->next].symbol), x->old);
        good = good && add_statement(w, target, direction, ex, line, tangent);
    }
    return good;
}

/* torn unknowns, residuals that are rules, members */
static bool fill_indices(crank_emit *w, const crank_inline_tearing *t, int members,
                         const int *member, crank_emit_block *b)
{
    const crank_inline *in = w->in;
    bool good = true;
    b->torn = w->index_count;
    b->count = t->torn_count;
    for (int i = 0; i < t->torn_count; i++) {
        good = good && crank_emit_index(w, t->torn[i]);
    }
    b->state = w->index_count;
    for (int i = 0; i < t->torn_count; i++) {
        const crank_inline_equation *q = &in->equation[t->residual[i]];
        if (q->kind == CRANK_INLINE_STATE) {
            good = good && crank_emit_index(w, q->unknown);
            b->states++;
        } else if (q->kind == CRANK_INLINE_MODEL) {
            b->rows++;
        }
    }
    b->member = w->index_count;
    b->members = members;
    for (int pass = 0; pass < 2; pass++) { /* what is integrated first */
        for (int i = 0; i < members; i++) {
            if ((in->unknown[member[i]].old >= 0) == (pass == 0)) {
                good = good && crank_emit_index(w, member[i]);
                b->movers += pass == 0;
            }
        }
    }
    return good;
}

/* Choices of a group are in one block or in several that follow each other. */
static void fill_choices(crank_emit *w, const crank_inline_tearing *t, crank_emit_block *b)
{
    for (int i = 0; i < t->torn_count; i++) {
        const crank_inline_equation *q = &w->in->equation[t->residual[i]];
        if (q->kind == CRANK_INLINE_CHOICE) {
            const int at = w->group_choice[q->unknown] + w->group_used[q->unknown];
            b->choice = b->choices == 0 || at < b->choice ? at : b->choice;
            b->choices++;
            w->group_used[q->unknown]++;
        }
    }
}

/* Steps and residuals of a way to solve; the block's number, -1: out of memory. */
static int write_tearing(crank_emit *w, const crank_inline_tearing *t, crank_emit_block b,
                         const int *systems)
{
    const crank_inline *in = w->in;
    const int square = t->torn_count * w->copies;
    int row = 0;
    fill_choices(w, t, &b);
    b.step = w->step_count;
    b.check = w->checks;
    b.matrix = w->matrix;
    b.pivot = w->pivots;
    w->matrix += square * square;
    w->pivots += square;
    bool good = write_items(w, t, &b, true, systems);
    for (int i = 0; i < t->torn_count && good; i++) {
        const crank_inline_equation *q = &in->equation[t->residual[i]];
        if (q->kind == CRANK_INLINE_MODEL) {
            const char *place = crank_store_print(w->store, "r[%d]", row++);
            good = add_statement(w, place, place, q->ex, q->place, true);
        }
    }
    good = good && end_function(w, true);
    b.steps = w->step_count - b.step;
    w->checks += b.checks;
    w->most_rows = b.rows + b.checks > w->most_rows ? b.rows + b.checks : w->most_rows;
    w->most_members = b.members > w->most_members ? b.members : w->most_members;
    w->most_count = square > w->most_count ? square : w->most_count;
    return good ? add_block(w, b) : -1;
}

/* A linear system within a block. */
static int write_system(crank_emit *w, const crank_inline_tearing *t)
{
    const int members = t->torn_count + t->item_count;
    crank_emit_block b = {.linear = 1, .safe = -1, .fixed = t->certain};
    int *member = crank_store_take(w->store, (size_t)members, sizeof *member);
    if (member == NULL) {
        return -1;
    }
    for (int i = 0; i < members; i++) {
        member[i] = i < t->torn_count ? t->torn[i] : t->item[i - t->torn_count].unknown;
    }
    return fill_indices(w, t, members, member, &b) ? write_tearing(w, t, b, NULL) : -1;
}

/* blocks of all linear systems; NULL: out of memory */
static int *write_systems(crank_emit *w, const crank_inline_tearing *t)
{
    int *made = crank_store_take(w->store, (size_t)t->item_count + 1, sizeof *made);
    int count = 0;
    for (int i = 0; i < t->item_count && made != NULL; i++) {
        if (t->item[i].system != NULL) {
            made[count] = write_system(w, t->item[i].system);
            made = made[count++] >= 0 ? made : NULL;
        }
    }
    return made;
}

static void set_local(const crank_emit *w, const crank_inline_block *block, bool set)
{
    for (int i = 0; i < block->size; i++) {
        w->in->local[block->unknown[i]] = set ? i : -1;
    }
}

static bool add_guesses(crank_emit *w, const crank_inline_tearing *t, bool *there,
                        crank_emit_block *b)
{
    bool good = true;
    for (int i = 0; i < t->torn_count && good; i++) {
        if (!there[w->in->local[t->torn[i]]]) {
            there[w->in->local[t->torn[i]]] = true;
            good = crank_emit_index(w, t->torn[i]);
            b->guesses++;
        }
    }
    for (int i = 0; i < t->item_count && good; i++) {
        good = t->item[i].system == NULL || add_guesses(w, t->item[i].system, there, b);
    }
    return good;
}

/* torn unknowns of both ways and of systems within them, once each */
static bool fill_guesses(crank_emit *w, const crank_inline_block *block, crank_emit_block *b)
{
    bool *there = crank_store_take(w->store, (size_t)block->size, sizeof *there);
    b->guess = w->index_count;
    return there != NULL && add_guesses(w, &block->torn, there, b) &&
           (!block->has_safe || add_guesses(w, &block->safe, there, b));
}

static int write_block(crank_emit *w, const crank_inline_block *block,
                       const crank_inline_tearing *t, int safe)
{
    crank_emit_block b = {.linear = block->linear, .safe = safe};
    set_local(w, block, true);
    const int *systems = write_systems(w, t);
    const bool good = systems != NULL && fill_indices(w, t, block->size, block->unknown, &b) &&
                      fill_guesses(w, block, &b);
    const int made = good ? write_tearing(w, t, b, systems) : -1;
    set_local(w, block, false);
    return made;
}

/* Both ways of a block; its number, -1: out of memory. */
static int write_ways(crank_emit *w, const crank_inline_block *block)
{
    const size_t groups = (size_t)w->in->group_count;
    int safe = -1;
    if (block->has_safe) { /* choices of groups are the same ones */
        int *kept = crank_store_take(w->store, groups + 1, sizeof *kept);
        if (kept == NULL) {
            return -1;
        }
        memcpy(kept, w->group_used, groups * sizeof *kept);
        safe = write_block(w, block, &block->safe, -1);
        memcpy(w->group_used, kept, groups * sizeof *kept);
        if (safe < 0) {
            return -1;
        }
    }
    return write_block(w, block, &block->torn, safe);
}

/* ---- sequences ---- */

/* Statements without an iteration come together. */
static bool end_sequence(crank_emit *w, int first)
{
    if (!end_function(w, false)) {
        return false;
    }
    if (w->step_count == first) {
        return true;
    }
    const int made = add_block(
        w, (crank_emit_block){.step = first, .steps = w->step_count - first, .safe = -1});
    w->sequence[w->sequence_count++] = made;
    return made >= 0;
}

static bool has_system(const crank_inline_tearing *t)
{
    bool found = false;
    for (int i = 0; i < t->item_count; i++) {
        found = found || t->item[i].system != NULL;
    }
    return found;
}

crank_status crank_emit_blocks(crank_emit *w)
{
    const crank_inline *in = w->in;
    int first = 0;
    bool good = true;
    for (int i = 0; i < in->block_count && good; i++) {
        const crank_inline_block *block = &in->block[i];
        if (block->torn.torn_count == 0 && !block->has_safe && !has_system(&block->torn)) {
            good = write_items(w, &block->torn, NULL, false, NULL);
            continue;
        }
        good = end_sequence(w, first);
        const int made = good ? write_ways(w, block) : -1;
        w->sequence[w->sequence_count++] = made;
        good = made >= 0;
        first = w->step_count;
    }
    good = good && end_sequence(w, first);
    return good && !w->store->failed ? CRANK_OK : no_memory(w->err);
}
