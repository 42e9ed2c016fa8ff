/* dae_create.c - sets up the supplier of a `crank: dae` file's eom: tapes, scales, the pattern
 * of the Jacobian.
 *
 * db/dx is dense in principle; entries that are rounding at the start and at some points around
 * it are left out of the pattern, unless they come from terms that are zero there and need not
 * stay so: t x, max(x - 3, 0). */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "dae/system.h"
#include "linalg/dense.h"
#include "model/dae/dae_inline.h"
#include "model/dae/dae_supply.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROBES = 5 };
static const double usual_tolerance = 1e-6; /* until the run says its own */
static const double probe_step = 0.2;       /* in nominal sizes */
/* entries of db/dx below this beside the largest of their row are rounding */
static const double entry_rounding = 1e-13;

static void destroy(void *self)
{
    crank_dae_supplier *s = self;
    if (s == NULL) {
        return;
    }
    for (int i = 0; i < CRANK_DAE_TAPES && !s->shared; i++) {
        crank_tape_destroy(s->tape[i]);
    }
    if (!s->shared) {
        crank_store_free(&s->watches.store);
        crank_dae_inline_destroy(s->inlined);
    }
    crank_arena_free(&s->arena);
    free(s);
}

static void layout_discrete(crank_dae_supplier *s, crank_arena *arena)
{
    const crank_dae_discrete *d = s->discrete;
    const size_t n = (size_t)s->n, relations = (size_t)d->relation_count;
    s->function = crank_arena_take(arena, relations, sizeof *s->function);
    s->was = crank_arena_take(arena, relations, sizeof *s->was);
    s->slope = crank_arena_take(arena, relations, sizeof *s->slope);
    s->slope_size = crank_arena_take(arena, relations, sizeof *s->slope_size);
    s->slope_before = crank_arena_take(arena, relations, sizeof *s->slope_before);
    s->width = crank_arena_take(arena, relations, sizeof *s->width);
    s->band = crank_arena_take(arena, relations, sizeof *s->band);
    s->turn = crank_arena_take(arena, relations, sizeof *s->turn);
    s->stays = crank_arena_take(arena, relations, sizeof *s->stays);
    s->update = crank_arena_take(arena, (size_t)crank_dae_update_size(d), sizeof *s->update);
    s->held = crank_arena_take(arena, (size_t)d->message_count, sizeof *s->held);
    s->given = crank_arena_take(arena, n, sizeof *s->given);
    s->trial = crank_arena_take(arena, n, sizeof *s->trial);
    s->fixing = crank_arena_take(arena, n, sizeof *s->fixing);
    s->held_fast = crank_arena_take(arena, n, sizeof *s->held_fast);
    s->before = crank_arena_take(arena, n, sizeof *s->before);
    s->yielding = crank_arena_take(arena, n, sizeof *s->yielding);
}

static void layout(crank_dae_supplier *s, crank_arena *arena)
{
    const size_t n = (size_t)s->n, rows = (size_t)s->rows, entries = (size_t)s->entries,
                 change = (size_t)s->change_entries;
    int registers = 0;
    for (int i = 0; i < CRANK_DAE_TAPES; i++) {
        const int needed = crank_tape_work_size(s->tape[i], 1);
        registers = needed > registers ? needed : registers;
    }
    s->row = crank_arena_take(arena, entries, sizeof *s->row);
    s->column = crank_arena_take(arena, entries, sizeof *s->column);
    s->slot = crank_arena_take(arena, entries, sizeof *s->slot);
    s->change_row = crank_arena_take(arena, change, sizeof *s->change_row);
    s->change_column = crank_arena_take(arena, change, sizeof *s->change_column);
    s->scale = crank_arena_take(arena, rows, sizeof *s->scale);
    s->size = crank_arena_take(arena, rows, sizeof *s->size);
    s->unit = crank_arena_take(arena, n, sizeof *s->unit);
    s->in = crank_arena_take(arena, 1 + 2 * n, sizeof *s->in);
    s->registers = crank_arena_take(arena, (size_t)registers, sizeof *s->registers);
    s->out = crank_arena_take(arena, entries + rows, sizeof *s->out);
    s->change = crank_arena_take(arena, change, sizeof *s->change);
    s->A = crank_arena_take(arena, rows * n, sizeof *s->A);
    s->B = crank_arena_take(arena, rows * n, sizeof *s->B);
    s->last = crank_arena_take(arena, rows * n, sizeof *s->last);
    s->last_tau = crank_arena_take(arena, n, sizeof *s->last_tau);
    s->order = crank_arena_take(arena, n, sizeof *s->order);
    s->tau = crank_arena_take(arena, n, sizeof *s->tau);
    s->rate = crank_arena_take(arena, n, sizeof *s->rate);
    s->work = crank_arena_take(arena, (size_t)s->work_size, sizeof *s->work);
    s->rate_slot =
        crank_arena_take(arena, s->translated != NULL ? 0 : n * n, sizeof *s->rate_slot);
    s->watched = crank_arena_take(arena, (size_t)s->watches.count, sizeof *s->watched);
    s->told = crank_arena_take(arena, (size_t)s->watches.count, sizeof *s->told);
    if (s->discrete != NULL) {
        layout_discrete(s, arena);
    }
}

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "work space of the model");
}

static crank_status take_work(crank_dae_supplier *s, crank_error *err)
{
    s->arena = (crank_arena){0};
    layout(s, &s->arena);
    if (!crank_arena_allocate(&s->arena)) {
        return no_memory(err);
    }
    layout(s, &s->arena);
    return CRANK_OK;
}

crank_status crank_dae_share(const crank_model *model, crank_eom *eom, crank_error *err)
{
    const crank_dae_supplier *from = model->eom->self;
    crank_dae_supplier *s = malloc(sizeof *s);
    if (s == NULL) {
        return no_memory(err);
    }
    *s = *from;
    s->shared = true;
    s->eom = eom;
    eom->self = s;
    const crank_status status = take_work(s, err);
    if (status == CRANK_OK) {
        crank_arena_copy(&s->arena, &from->arena);
    }
    return status;
}

/* the derivatives of the relations' functions in time; in: t, x, b */
static bool find_slopes(const crank_dae_file *file, const crank_ex *in, crank_ex *slope)
{
    crank_pool *p = file->e.pool;
    const int n = file->e.count[CRANK_P];
    crank_ex *direction = crank_store_take(file->e.store, 1 + (size_t)n, sizeof *direction);
    if (direction == NULL) {
        return false;
    }
    direction[0] = crank_ex_number(p, 1.0);
    memcpy(direction + 1, in + 1 + n, (size_t)n * sizeof *direction);
    crank_ex_directional_all(p, file->discrete->relation_count, file->discrete->function, 1 + n,
                             in, direction, slope);
    return crank_pool_status(p) == CRANK_OK;
}

static crank_status make_tapes(crank_dae_file *file, const crank_dae_programs *p,
                               crank_dae_supplier *s, crank_error *err)
{
    crank_equations *e = &file->e;
    const size_t n = (size_t)s->n, entries = (size_t)p->entries, rows = (size_t)p->rows,
                 outputs = (size_t)e->output_count;
    crank_ex *in = crank_store_take(e->store, 1 + 2 * n, sizeof *in);
    crank_ex *matrix = crank_store_take(e->store, entries + rows, sizeof *matrix);
    crank_ex *output = crank_store_take(e->store, outputs, sizeof *output);
    const crank_dae_discrete *d = file->discrete;
    const int relations = d != NULL ? d->relation_count : 0;
    crank_ex *slope = crank_store_take(e->store, (size_t)relations, sizeof *slope);
    if (e->store->failed) {
        return no_memory(err);
    }
    in[0] = e->t;
    memcpy(in + 1, file->variable, n * sizeof *in);
    memcpy(in + 1 + n, e->acceleration, n * sizeof *in);
    if (entries > 0) {
        memcpy(matrix, p->entry, entries * sizeof *matrix);
    }
    if (rows > 0) {
        memcpy(matrix + entries, p->right, rows * sizeof *matrix);
    }
    for (size_t i = 0; i < outputs; i++) {
        output[i] = e->output[i].ex;
    }
    if (relations > 0 && !find_slopes(file, in, slope)) {
        return no_memory(err);
    }
    /* of t and x: equations are linear in rates, so that no table has them as its argument */
    crank_status status = crank_watches_collect(e->pool, 1 + s->n, in, &s->watches, err);
    const struct {
        int count;
        const crank_ex *ex;
    } list[CRANK_DAE_TAPES] = {
        [CRANK_DAE_TAPE_MATRIX] = {p->entries + p->rows, matrix},
        [CRANK_DAE_TAPE_CHANGE] = {p->change_entries, p->change},
        [CRANK_DAE_TAPE_CONSTRAINTS] = {p->constraints, p->constraint},
        [CRANK_DAE_TAPE_OUTPUTS] = {e->output_count, output},
        [CRANK_DAE_TAPE_EVENTS] = {e->event_count, file->when},
        [CRANK_DAE_TAPE_ACTIONS] = {file->action_count, file->action},
        [CRANK_DAE_TAPE_TABLES] = {s->watches.count, s->watches.argument},
        [CRANK_DAE_TAPE_INITIAL] = {file->initial_count, file->initial},
        [CRANK_DAE_TAPE_RELATIONS] = {relations, d != NULL ? d->function : NULL},
        [CRANK_DAE_TAPE_SLOPES] = {relations, slope},
        [CRANK_DAE_TAPE_UPDATES] = {d != NULL ? crank_dae_update_size(d) : 0,
                                    d != NULL ? d->update : NULL},
    };
    for (int i = 0; i < CRANK_DAE_TAPES && status == CRANK_OK; i++) {
        s->outputs[i] = list[i].count;
        status = crank_tape_create(e->pool, 1 + 2 * s->n, in, list[i].count, list[i].ex,
                                   &s->tape[i], err);
    }
    return status;
}

static void copy_ints(int *to, const int *from, int count)
{
    if (count > 0) {
        memcpy(to, from, (size_t)count * sizeof *to);
    }
}

static crank_status allocate(const crank_dae_file *file, const crank_dae_programs *p,
                             crank_dae_supplier *s, crank_error *err)
{
    s->work_size =
        s->translated != NULL ? 0 : crank_least_squares_work_size(s->rows, s->n, s->n);
    if (take_work(s, err) != CRANK_OK) {
        return CRANK_EMEM;
    }
    copy_ints(s->row, p->row, p->entries);
    copy_ints(s->column, p->column, p->entries);
    if (s->translated == NULL) {
        copy_ints(s->change_row, p->change_row, p->change_entries);
        copy_ints(s->change_column, p->change_column, p->change_entries);
    }
    memcpy(s->unit, file->nominal, (size_t)s->n * sizeof *s->unit);
    for (int i = 0; i < s->rows; i++) {
        s->scale[i] = 1.0;
    }
    return CRANK_OK;
}

/* the start moved onto the constraints (probe 0), or a point around it */
static void place_probe(const crank_dae_supplier *s, const crank_dae_report *report, int probe,
                        unsigned *state, double *x)
{
    for (int j = 0; j < s->n; j++) {
        const double step = probe > 0 ? probe_step * s->unit[j] * crank_dae_shake(state) : 0.0;
        x[j] = report->point[j] + step;
    }
}

/* one over the typical norm of each row of A */
static crank_status find_scales(crank_dae_file *file, const crank_dae_report *report,
                                crank_dae_supplier *s, crank_error *err)
{
    crank_store *store = file->e.store;
    double *x = crank_store_take(store, (size_t)s->n, sizeof *x);
    double *norm = crank_store_take(store, (size_t)s->rows * PROBES, sizeof *norm);
    unsigned state = 1;
    if (store->failed) {
        return no_memory(err);
    }
    for (int probe = 0; probe < PROBES; probe++) {
        place_probe(s, report, probe, &state, x);
        s->in[0] = file->e.simulate.t_start;
        memcpy(s->in + 1, x, (size_t)s->n * sizeof *x);
        crank_tape_evaluate(s->tape[CRANK_DAE_TAPE_MATRIX], 1, s->in, 1 + 2 * s->n, s->out,
                            s->entries + s->rows, s->registers);
        for (int q = 0; q < s->entries; q++) {
            double *sum = &norm[(size_t)s->row[q] * PROBES + (size_t)probe];
            *sum = hypot(*sum, s->out[q] * s->unit[s->column[q]]);
        }
    }
    for (int i = 0; i < s->rows; i++) {
        const double typical = crank_dae_typical(norm + (size_t)i * PROBES, PROBES);
        s->scale[i] = typical > 0.0 ? 1.0 / typical : 1.0;
    }
    return CRANK_OK;
}

/* rate_slot: 0 where B, db/dx at a point, has an entry */
static void add_pattern(const crank_dae_supplier *s)
{
    const size_t n = (size_t)s->n, rows = (size_t)s->rows;
    for (size_t i = 0; i < n; i++) {
        double largest = 0.0;
        for (size_t j = 0; j < n; j++) {
            largest = fmax(largest, fabs(s->B[i + j * rows]) * s->unit[j]);
        }
        for (size_t j = 0; j < n; j++) {
            const double entry = fabs(s->B[i + j * rows]) * s->unit[j];
            if (entry > entry_rounding * largest) {
                s->rate_slot[i + j * n] = 0;
            }
        }
    }
}

static void note_entries(int count, const double *value, bool *seen)
{
    for (int q = 0; q < count; q++) {
        seen[q] = seen[q] || value[q] != 0.0;
    }
}

static bool all_of(int count, const bool *seen)
{
    bool all = true;
    for (int q = 0; q < count; q++) {
        all = all && seen[q];
    }
    return all;
}

/* What d(r - A b)/dx has elsewhere or later, as x' = -t x has at t = 0: A is as at the start,
 * where it is factored. */
static crank_status add_unseen(const crank_dae_report *report, double t, const bool *seen,
                               crank_dae_supplier *s, crank_error *err)
{
    unsigned state = 1;
    const crank_status status = crank_dae_find_rates(s, t, report->point, err);
    for (int q = 0; q < s->change_entries; q++) {
        s->change[q] = seen[q] ? 0.0 : crank_dae_shake(&state) / s->scale[s->change_row[q]];
    }
    if (status == CRANK_OK) {
        crank_dae_solve_change(s);
        add_pattern(s);
    }
    return status;
}

/* rate_slot: 0 where db_i/dx_j is not always zero, else -1 */
static crank_status find_pattern(crank_dae_file *file, const crank_dae_report *report,
                                 crank_dae_supplier *s, crank_error *err)
{
    const size_t n = (size_t)s->n;
    double *x = crank_store_take(file->e.store, n, sizeof *x);
    bool *in_matrix = crank_store_take(file->e.store, (size_t)s->entries, sizeof *in_matrix);
    bool *in_change =
        crank_store_take(file->e.store, (size_t)s->change_entries, sizeof *in_change);
    unsigned state = 1;
    crank_error ignored = {0};
    const double t = file->e.simulate.t_start;
    if (file->e.store->failed) {
        return no_memory(err);
    }
    memset(s->rate_slot, -1, n * n * sizeof *s->rate_slot);
    bool known = true;
    for (int probe = 0; probe < PROBES && known; probe++) {
        place_probe(s, report, probe, &state, x);
        known = crank_dae_find_rates(s, t, x, &ignored) == CRANK_OK &&
                crank_dae_find_change(s, t, &ignored) == CRANK_OK;
        if (known) {
            add_pattern(s);
            note_entries(s->entries, s->out, in_matrix);
            note_entries(s->change_entries, s->change, in_change);
        }
    }
    known = known && all_of(s->entries, in_matrix);
    if (known && !all_of(s->change_entries, in_change)) {
        known = add_unseen(report, t, in_change, s, &ignored) == CRANK_OK;
    }
    if (!known) {
        memset(s->rate_slot, 0, n * n * sizeof *s->rate_slot);
    }
    return CRANK_OK;
}

/* constraints' derivatives, then rates, column by column */
static crank_status set_pattern(crank_dae_file *file, crank_dae_supplier *s, crank_eom *eom,
                                crank_error *err)
{
    const size_t n = (size_t)s->n;
    int count = 0, next = 0;
    const int none[1] = {0};
    for (int q = 0; q < s->entries; q++) {
        count += s->row[q] >= s->differential;
        s->slot[q] = -1;
    }
    for (size_t q = 0; q < n * n; q++) {
        count += s->rate_slot[q] >= 0;
    }
    int *start = crank_store_take(file->e.store, n + 1, sizeof *start);
    int *row = crank_store_take(file->e.store, (size_t)count, sizeof *row);
    if (start == NULL || row == NULL) {
        return no_memory(err);
    }
    for (int j = 0; j < s->n; j++) {
        start[j] = next;
        for (int q = 0; q < s->entries; q++) {
            if (s->column[q] == j && s->row[q] >= s->differential) {
                s->slot[q] = next;
                row[next++] = eom->row[CRANK_ROW_N] + s->row[q] - s->differential;
            }
        }
        for (int i = 0; i < s->n; i++) {
            int *slot = &s->rate_slot[(size_t)i + (size_t)j * n];
            if (*slot >= 0) {
                *slot = next;
                row[next++] = eom->row[CRANK_ROW_KIN] + i;
            }
        }
    }
    start[n] = next;
    const crank_pattern J = {.rows = eom->m, .columns = eom->n, .start = start, .row = row};
    const crank_pattern M = {.rows = 0, .columns = 0, .start = none, .row = none};
    return crank_eom_set_patterns(eom, &J, &M, err);
}

crank_status crank_dae_supplier_create(crank_dae_file *file, const crank_dae_programs *p,
                                       crank_eom *eom,
                                       const struct crank_dae_translated *translated,
                                       crank_dae_supplier **out, crank_error *err)
{
    crank_dae_supplier *s = calloc(1, sizeof *s);
    *out = NULL;
    if (s == NULL) {
        return no_memory(err);
    }
    s->eom = eom;
    s->discrete = file->discrete;
    s->translated = translated;
    s->t_end = DBL_MAX;
    eom->self = s;
    eom->supplier = (crank_eom_supplier){
        .destroy = destroy, .end = crank_dae_set_end, .tolerate = crank_dae_set_tolerance};
    s->n = file->e.count[CRANK_P];
    s->rows = p->rows;
    s->differential = p->differential;
    s->constraints = p->constraints;
    s->entries = p->entries;
    s->change_entries = p->change_entries;
    s->outputs_with_rates = p->outputs_with_rates;
    s->constant = p->constant;
    crank_status status = make_tapes(file, p, s, err);
    CRANK_THEN(status, allocate(file, p, s, err));
    if (status != CRANK_OK) {
        return status;
    }
    crank_dae_set_tolerance(s, usual_tolerance, usual_tolerance);
    if (s->watches.count > 0 || s->discrete != NULL) {
        eom->supplier.look = crank_dae_look;
    }
    if (s->watches.count > 0) {
        eom->supplier.pole = crank_dae_find_table_end;
    }
    eom->mass_kind = CRANK_MASS_DIAGONAL_CONSTANT;
    eom->mass_is_identity = true;
    eom->autonomous = p->autonomous;
    eom->invariants_absolute = true;
    *out = s;
    return CRANK_OK;
}

crank_status crank_dae_supply(crank_dae_file *file, const crank_dae_report *report,
                              crank_eom *eom, crank_dae_supplier **out, crank_error *err)
{
    crank_dae_programs p;
    crank_dae_supplier *s = NULL;
    *out = NULL;
    crank_status status = crank_dae_write_programs(file, report, &p, err);
    CRANK_THEN(status, crank_dae_supplier_create(file, &p, eom, NULL, &s, err));
    CRANK_THEN(status, find_scales(file, report, s, err));
    CRANK_THEN(status, find_pattern(file, report, s, err));
    CRANK_THEN(status, set_pattern(file, s, eom, err));
    if (status != CRANK_OK) {
        return status;
    }
    eom->supplier.evaluate = crank_dae_evaluate;
    eom->supplier.jacobian = crank_dae_jacobian;
    eom->supplier.mass = crank_dae_mass;
    eom->supplier.stage = crank_dae_stage;
    eom->supplier.accepted = crank_dae_accepted;
    eom->supplier.archive = crank_dae_archive;
    eom->supplier.initial = crank_dae_initial;
    *out = s;
    return CRANK_OK;
}
