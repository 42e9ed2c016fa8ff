/* equations_eom.c - evaluates the eom of an equations file: tapes, or functions of compiled C.
 *
 * One program each for all rows, the algebraic rows, the differential rows, the Jacobian, M,
 * the extra initial conditions, the outputs, what a stage of an explicit method needs, and
 * events. Inputs are t, x and the parameters that events set, for the Jacobian also v'.
 * Invariants are kept at a value that is subtracted after the evaluation. Values that are not
 * finite mean that the point lies outside the domain of the model. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "model/equations/equations.h"

#include "model/equations/equations_supplier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const program_words[CRANK_PROGRAMS] = {
    "model_all",   "model_algebraic", "model_differential", "model_jacobian",
    "model_mass",  "model_time",      "model_initial",      "model_outputs",
    "model_stage", "model_events",    "model_actions",      "model_tables"};

/* ---- evaluation ---- */

static void run(const crank_equations_supplier *s, crank_program_name name, int count,
                double *out, int out_stride)
{
    const crank_program *p = &s->program[name];
    if (p->run == NULL) {
        crank_tape_evaluate(p->tape, count, s->in, p->inputs, out, out_stride, s->work);
        return;
    }
    for (int i = 0; i < count; i++) {
        p->run(s->in + (size_t)i * (size_t)p->inputs, out + (size_t)i * (size_t)out_stride);
    }
}

static void load(const crank_equations_supplier *s, int i, double t, const double *x)
{
    const size_t n = (size_t)s->eom->n, switched = (size_t)s->switched_count;
    double *in = s->in + (size_t)i * (1 + n + switched);
    in[0] = crank_eom_time(s->eom, t);
    memcpy(in + 1, x, n * sizeof *x);
    if (switched > 0) {
        memcpy(in + 1 + n, s->parameter, switched * sizeof *in);
    }
}

static int find_not_finite(const double *values, int count)
{
    double even = 0.0, odd = 0.0; /* not finite, once a value is not, or by overflow */
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        even += values[i] + values[i + 2];
        odd += values[i + 1] + values[i + 3];
    }
    for (; i < count; i++) {
        even += values[i];
    }
    for (i = isfinite(even + odd) ? count : 0; i < count; i++) {
        if (!isfinite(values[i])) {
            return i;
        }
    }
    return -1;
}

/* Values that are not finite spread from a row to those computed after it: constraints, rates
 * and forces are named before hidden constraints, which contain them. */
static int cause_order(const crank_eom *eom, int row)
{
    static const int order[CRANK_ROW_GROUPS] = {
        [CRANK_ROW_C] = 0,   [CRANK_ROW_G] = 1,   [CRANK_ROW_N] = 2,    [CRANK_ROW_H] = 3,
        [CRANK_ROW_GI] = 4,  [CRANK_ROW_E] = 5,   [CRANK_ROW_B] = 6,    [CRANK_ROW_D] = 7,
        [CRANK_ROW_KIN] = 8, [CRANK_ROW_DYN] = 9, [CRANK_ROW_GII] = 10, [CRANK_ROW_HI] = 11};
    int group = 0;
    while (row >= eom->row[group + 1]) {
        group++;
    }
    return order[group];
}

static crank_status fail_row(const crank_eom *eom, int row, const char *what, double t,
                             crank_error *err)
{
    char name[160];
    const crank_place place = crank_eom_row_place(eom, row);
    const int dynamic = row - eom->row[CRANK_ROW_DYN];
    const bool force = dynamic >= 0 && dynamic < eom->sizes.v;
    const bool balance = row < eom->sizes.w && eom->carried[eom->column[CRANK_W] + row];
    return crank_fail_place(err, CRANK_RETRY, place, "%s%s%s: not finite at t = %.10g",
                            crank_eom_row_name(eom, row, name, sizeof name),
                            force     ? " (its force)"
                            : balance ? " (its force or mass)"
                                      : "",
                            what, t);
}

/* The row to blame when one of those asked for is not finite at (t, x). */
static crank_status fail_point(const crank_equations_supplier *s, int asked, double t,
                               const double *x, crank_error *err)
{
    const crank_eom *eom = s->eom;
    int cause = asked;
    load(s, 0, t, x);
    run(s, CRANK_PROGRAM_ALL, 1, s->rows, eom->m);
    for (int i = 0; i < eom->m; i++) {
        if (!isfinite(s->rows[i]) && cause_order(eom, i) < cause_order(eom, cause)) {
            cause = i;
        }
    }
    return fail_row(eom, cause, "", t, err);
}

/* rows e and n become differences from the held values */
static void subtract_held(const crank_equations_supplier *s, double *k)
{
    const crank_eom *eom = s->eom;
    for (int i = 0; i < eom->sizes.e; i++) {
        k[eom->row[CRANK_ROW_E] + i] -= s->held[i];
    }
    for (int i = 0; i < eom->sizes.n; i++) {
        k[eom->row[CRANK_ROW_N] + i] -= s->held[eom->sizes.e + i];
    }
}

static crank_status evaluate(void *self, int count, const double *t, const double *x, int rows,
                             double *k, crank_error *err)
{
    const crank_equations_supplier *s = self;
    const crank_eom *eom = s->eom;
    const int algebraic = eom->row[CRANK_ROW_B];
    const int first = (rows & CRANK_ALGEBRAIC) != 0 ? 0 : algebraic;
    const int last = (rows & CRANK_DIFFERENTIAL) != 0 ? eom->m : algebraic;
    const crank_program_name name = first > 0 || algebraic == 0 ? CRANK_PROGRAM_DIFFERENTIAL
                                    : last < eom->m             ? CRANK_PROGRAM_ALGEBRAIC
                                                                : CRANK_PROGRAM_ALL;
    for (int done = 0; done < count; done += CRANK_EQUATIONS_POINTS) {
        const int now =
            count - done < CRANK_EQUATIONS_POINTS ? count - done : CRANK_EQUATIONS_POINTS;
        double *out = k + (size_t)done * (size_t)eom->m;
        for (int i = 0; i < now; i++) {
            load(s, i, t[done + i], x + (size_t)(done + i) * (size_t)eom->n);
        }
        if (last > first) {
            run(s, name, now, out + first, eom->m);
        }
        for (int i = 0; i < now; i++) {
            double *point = out + (size_t)i * (size_t)eom->m;
            const int bad = find_not_finite(point + first, last - first);
            if (bad >= 0) {
                return fail_point(s, first + bad, t[done + i],
                                  x + (size_t)(done + i) * (size_t)eom->n, err);
            }
            if (first == 0) {
                subtract_held(s, point);
            }
        }
    }
    return CRANK_OK;
}

static crank_status jacobian(void *self, double t, const double *x, const double *vdot,
                             double *values, crank_error *err)
{
    const crank_equations_supplier *s = self;
    const crank_eom *eom = s->eom;
    load(s, 0, t, x);
    for (int i = 0; i < eom->sizes.v; i++) {
        s->in[1 + eom->n + s->switched_count + i] = vdot != NULL ? vdot[i] : 0.0;
    }
    run(s, CRANK_PROGRAM_JACOBIAN, 1, values, s->program[CRANK_PROGRAM_JACOBIAN].outputs);
    int cause = -1;
    for (int q = 0; q < s->program[CRANK_PROGRAM_JACOBIAN].outputs; q++) {
        const int row = eom->jacobian_pattern.row[q];
        if (!isfinite(values[q]) &&
            (cause < 0 || cause_order(eom, row) < cause_order(eom, cause))) {
            cause = row;
        }
    }
    return cause < 0 ? CRANK_OK : fail_row(eom, cause, ", derivative", t, err);
}

/* outputs: rows d, gII, hI, gI, h, then c, g, then b, f_dyn, f_kin, then the stage entries
 * (eom/stage.h) */
static crank_status stage(void *self, double t, const double *x, double *k, double *values,
                          crank_error *err)
{
    const crank_equations_supplier *s = self;
    const crank_eom *eom = s->eom;
    const int first = eom->row[CRANK_ROW_E],
              contact = eom->row[CRANK_ROW_N] - eom->row[CRANK_ROW_C],
              rates = eom->m - eom->row[CRANK_ROW_B];
    const int count = s->program[CRANK_PROGRAM_STAGE].outputs, rows = first + contact + rates;
    double *out = rows == eom->m && values == k + rows ? k : s->out; /* nothing to be moved */
    load(s, 0, t, x);
    run(s, CRANK_PROGRAM_STAGE, 1, out, count);
    if (out != k) {
        memcpy(k, out, (size_t)first * sizeof *k);
        memcpy(k + eom->row[CRANK_ROW_C], out + first, (size_t)contact * sizeof *k);
        memcpy(k + eom->row[CRANK_ROW_B], out + first + contact, (size_t)rates * sizeof *k);
        memcpy(values, out + rows, (size_t)(count - rows) * sizeof *values);
    }
    const int bad = find_not_finite(out, count);
    if (bad < 0) {
        return CRANK_OK;
    }
    const int row = bad < first             ? bad
                    : bad < first + contact ? eom->row[CRANK_ROW_C] + bad - first
                    : bad < rows            ? eom->row[CRANK_ROW_B] + bad - first - contact
                                            : 0;
    return fail_point(s, row, t, x, err);
}

static crank_status mass(void *self, double t, const double *x, double *values,
                         crank_error *err)
{
    const crank_equations_supplier *s = self;
    load(s, 0, t, x);
    run(s, CRANK_PROGRAM_MASS, 1, values, s->program[CRANK_PROGRAM_MASS].outputs);
    return find_not_finite(values, s->program[CRANK_PROGRAM_MASS].outputs) < 0
               ? CRANK_OK
               : crank_fail_at(err, CRANK_RETRY, s->eom->mass_place.line,
                               s->eom->mass_place.column, "mass: not finite at t = %.10g", t);
}

static crank_status time_derivative(void *self, double t, const double *x, double *kt,
                                    crank_error *err)
{
    const crank_equations_supplier *s = self;
    load(s, 0, t, x);
    run(s, CRANK_PROGRAM_TIME, 1, kt, s->eom->m);
    const int bad = find_not_finite(kt, s->eom->m);
    return bad < 0 ? CRANK_OK : fail_row(s->eom, bad, ", derivative by t", t, err);
}

static crank_status initial(void *self, double t, const double *x, double *conditions,
                            crank_error *err)
{
    const crank_equations_supplier *s = self;
    load(s, 0, t, x);
    run(s, CRANK_PROGRAM_INITIAL, 1, conditions, s->program[CRANK_PROGRAM_INITIAL].outputs);
    const int bad = find_not_finite(conditions, s->program[CRANK_PROGRAM_INITIAL].outputs);
    if (bad < 0) {
        return CRANK_OK;
    }
    const crank_place place = crank_eom_row_place(s->eom, s->eom->m + bad);
    return crank_fail_place(err, CRANK_RETRY, place,
                            "initial \"%.80s\": not finite at t = %.10g",
                            s->eom->initial_name[bad], t);
}

void crank_equations_run(crank_equations_supplier *self, crank_program_name name, double t,
                         const double *x, double *values)
{
    if (self->program[name].outputs > 0) {
        load(self, 0, t, x);
        run(self, name, 1, values, self->program[name].outputs);
    }
}

crank_status crank_equations_outputs(crank_equations_supplier *self, double t, const double *x,
                                     double *values, crank_error *err)
{
    (void)err; /* an output outside its domain is NaN in the result and stops nobody */
    crank_equations_run(self, CRANK_PROGRAM_OUTPUTS, t, x, values);
    return CRANK_OK;
}

crank_status crank_equations_hold(crank_equations_supplier *self, double t, const double *x,
                                  crank_error *err)
{
    const crank_eom *eom = self->eom;
    const int ne = eom->sizes.e, nn = eom->sizes.n;
    if (ne + nn == 0) {
        return CRANK_OK;
    }
    load(self, 0, t, x);
    run(self, CRANK_PROGRAM_ALGEBRAIC, 1, self->rows, eom->m);
    for (int i = 0; i < ne + nn; i++) {
        const int row = i < ne ? eom->row[CRANK_ROW_E] + i : eom->row[CRANK_ROW_N] + i - ne;
        if (!isfinite(self->rows[row])) {
            return fail_row(eom, row, "", t, err);
        }
    }
    memcpy(self->held, self->rows + eom->row[CRANK_ROW_E], (size_t)ne * sizeof *self->held);
    memcpy(self->held + ne, self->rows + eom->row[CRANK_ROW_N],
           (size_t)nn * sizeof *self->held);
    return CRANK_OK;
}

static crank_status look(void *self, double t, const double *x, const crank_log *log,
                         crank_error *err)
{
    crank_equations_supplier *s = self;
    (void)err;
    crank_equations_run(s, CRANK_PROGRAM_TABLES, t, x, s->watched);
    crank_watch_tell(s->watches.count, s->watches.item, s->watched, t, s->told, log);
    return CRANK_OK;
}

static crank_status find_table_end(void *self, double t, const double *x, crank_error *err)
{
    crank_equations_supplier *s = self;
    crank_equations_run(s, CRANK_PROGRAM_TABLES, t, x, s->watched);
    return crank_watch_find_end(s->watches.count, s->watches.item, s->watched, t, err);
}

static void archive(void *self, crank_archive *a)
{
    crank_equations_supplier *s = self;
    crank_archive_doubles(a, s->held, (size_t)s->eom->sizes.e + (size_t)s->eom->sizes.n);
    crank_archive_check(a, "switched parameters", s->switched_count);
    crank_archive_doubles(a, s->parameter, (size_t)s->switched_count);
    crank_archive_check(a, "redundant constraints", s->shares);
    if (s->shares) {
        crank_split_archive(s->split, a);
    }
}

/* ---- set-up ---- */

static void destroy(void *self)
{
    crank_equations_supplier *s = self;
    if (s == NULL) {
        return;
    }
    for (int i = 0; i < CRANK_PROGRAMS && !s->shared; i++) {
        crank_tape_destroy(s->program[i].tape);
    }
    if (!s->shared) {
        crank_store_free(&s->watches.store);
    }
    if (s->compiled != NULL && !s->shared) {
        crank_compiled_unload(s->compiled);
    }
    crank_split_destroy(s->split);
    crank_arena_free(&s->arena);
    free(s);
}

/* expressions that a program computes */
static const crank_ex *program_outputs(const crank_equations *e, const crank_rows *rows,
                                       const crank_derivatives *d, const crank_watches *watches,
                                       crank_program_name name, int *count)
{
    const crank_eom *eom = rows->eom;
    const int algebraic = eom->row[CRANK_ROW_B];
    switch (name) {
    case CRANK_PROGRAM_ALL:
        *count = eom->m;
        return rows->row;
    case CRANK_PROGRAM_ALGEBRAIC:
        *count = algebraic;
        return rows->row;
    case CRANK_PROGRAM_DIFFERENTIAL:
        *count = eom->m - algebraic;
        return rows->row + algebraic;
    case CRANK_PROGRAM_JACOBIAN:
        *count = d->jacobian.start[eom->n];
        return d->jacobian_ex;
    case CRANK_PROGRAM_MASS:
        *count = d->mass.start[eom->sizes.v];
        return d->mass_ex;
    case CRANK_PROGRAM_TIME:
        *count = d->time_count;
        return d->time_ex;
    case CRANK_PROGRAM_INITIAL:
        *count = e->initial_count;
        return rows->condition;
    case CRANK_PROGRAM_STAGE:
        *count = d->stage_count;
        return d->stage_ex;
    case CRANK_PROGRAM_EVENTS:
        *count = rows->when_count;
        return rows->when;
    case CRANK_PROGRAM_ACTIONS:
        *count = rows->action_count;
        return rows->action;
    case CRANK_PROGRAM_TABLES:
        *count = watches->count;
        return watches->argument;
    case CRANK_PROGRAM_OUTPUTS:
    case CRANK_PROGRAMS:
        break;
    }
    *count = e->output_count;
    return rows->output;
}

static crank_status make_programs(crank_equations *e, const crank_rows *rows,
                                  const crank_derivatives *d, crank_equations_supplier *s,
                                  crank_error *err)
{
    const int nv = rows->eom->sizes.v, switched = e->switched_count;
    const int n = rows->eom->n, common = 1 + n + switched;
    crank_ex *inputs = crank_store_take(e->store, (size_t)common + (size_t)nv, sizeof *inputs);
    crank_text source = {0};
    if (inputs == NULL) {
        return crank_fail(err, CRANK_EMEM, "programs of the model");
    }
    inputs[0] = e->t;
    memcpy(inputs + 1, rows->column, (size_t)n * sizeof *inputs);
    if (switched > 0) {
        memcpy(inputs + 1 + n, e->switched, (size_t)switched * sizeof *inputs);
    }
    if (nv > 0) {
        memcpy(inputs + common, rows->vdot, (size_t)nv * sizeof *inputs);
    }
    crank_status status = crank_watches_collect(e->pool, common, inputs, &s->watches, err);
    if (e->options->compile) {
        crank_emit_c_prelude(&source);
    }
    for (int i = 0; i < CRANK_PROGRAMS && status == CRANK_OK; i++) {
        crank_program *p = &s->program[i];
        const crank_ex *ex =
            program_outputs(e, rows, d, &s->watches, (crank_program_name)i, &p->outputs);
        p->inputs = i == CRANK_PROGRAM_JACOBIAN ? common + nv : common;
        if (e->options->compile) {
            crank_emit_c(&source, e->pool, program_words[i], p->inputs, inputs, p->outputs, ex);
        } else {
            status =
                crank_tape_create(e->pool, p->inputs, inputs, p->outputs, ex, &p->tape, err);
        }
    }
    if (e->options->compile && source.failed) {
        status = crank_fail(err, CRANK_EMEM, "C source of the model");
    } else if (e->options->compile) {
        status = crank_compiled_load(source.data, e->options->cache, e->options->log,
                                     &s->compiled, err);
        for (int i = 0; i < CRANK_PROGRAMS && status == CRANK_OK; i++) {
            s->program[i].run = crank_compiled_find(s->compiled, program_words[i]);
            if (s->program[i].run == NULL) {
                status = crank_fail(err, CRANK_ECOMPILE, "%s: not found in the compiled model",
                                    program_words[i]);
            }
        }
    }
    crank_text_free(&source);
    return status;
}

static void layout(crank_equations_supplier *s, crank_arena *arena)
{
    const size_t n = (size_t)s->eom->n, m = (size_t)s->eom->m, nv = (size_t)s->eom->sizes.v;
    int registers = 0;
    for (int i = 0; i < CRANK_PROGRAMS; i++) {
        if (s->program[i].tape != NULL) {
            const int needed = crank_tape_work_size(s->program[i].tape, CRANK_EQUATIONS_POINTS);
            registers = needed > registers ? needed : registers;
        }
    }
    const size_t switched = (size_t)s->switched_count;
    s->in = crank_arena_take(arena, (1 + n + switched) * CRANK_EQUATIONS_POINTS + nv,
                             sizeof *s->in);
    s->parameter = crank_arena_take(arena, switched, sizeof *s->parameter);
    s->parameter_start = crank_arena_take(arena, switched, sizeof *s->parameter_start);
    s->noted = crank_arena_take(arena, (size_t)s->eom->sizes.e + (size_t)s->eom->sizes.n,
                                sizeof *s->noted);
    s->action = crank_arena_take(arena, (size_t)s->program[CRANK_PROGRAM_ACTIONS].outputs,
                                 sizeof *s->action);
    s->watched = crank_arena_take(arena, (size_t)s->watches.count, sizeof *s->watched);
    s->told = crank_arena_take(arena, (size_t)s->watches.count, sizeof *s->told);
    s->work = crank_arena_take(arena, (size_t)registers, sizeof *s->work);
    s->rows = crank_arena_take(arena, m, sizeof *s->rows);
    s->held = crank_arena_take(arena, (size_t)s->eom->sizes.e + (size_t)s->eom->sizes.n,
                               sizeof *s->held);
    s->out = crank_arena_take(arena, (size_t)s->program[CRANK_PROGRAM_STAGE].outputs,
                              sizeof *s->out);
    s->stage_entries.start =
        crank_arena_take(arena, (size_t)s->stage_entries.unknowns + 1, sizeof(int));
    s->stage_entries.row = crank_arena_take(arena, (size_t)s->stage_entries.count, sizeof(int));
    s->stage_constant = crank_arena_take(arena, (size_t)s->stage_entries.count, sizeof(bool));
}

static crank_status take_work(crank_equations_supplier *s, crank_error *err)
{
    s->arena = (crank_arena){0};
    layout(s, &s->arena);
    if (!crank_arena_allocate(&s->arena)) {
        return crank_fail(err, CRANK_EMEM, "work space of the model");
    }
    layout(s, &s->arena);
    return CRANK_OK;
}

crank_status crank_equations_share(const crank_equations_supplier *from, crank_eom *eom,
                                   crank_error *err)
{
    crank_equations_supplier *s = malloc(sizeof *s);
    if (s == NULL) {
        return crank_fail(err, CRANK_EMEM, "work space of the model");
    }
    *s = *from;
    s->shared = true;
    s->eom = eom;
    eom->self = s;
    s->split = NULL;
    const crank_status status = take_work(s, err);
    if (status == CRANK_OK) {
        crank_arena_copy(&s->arena, &from->arena);
    }
    return status == CRANK_OK && eom->sizes.lambda + eom->sizes.mu > 0
               ? crank_split_create(eom, NULL, &s->split, err)
               : status;
}

static void keep_stage(crank_equations_supplier *s, const crank_derivatives *d, crank_eom *eom)
{
    const crank_stage_entries *from = &d->stage_entries;
    const size_t count = (size_t)from->count;
    memcpy(s->stage_entries.start, from->start, ((size_t)from->unknowns + 1) * sizeof(int));
    memcpy(s->stage_entries.row, from->row, count * sizeof(int));
    memcpy(s->stage_constant, d->stage_constant, count * sizeof(bool));
    eom->stage_entries = &s->stage_entries;
    eom->stage_constant = s->stage_constant;
}

crank_status crank_equations_supply(crank_equations *e, const crank_rows *rows,
                                    crank_equations_supplier **out, crank_error *err)
{
    crank_derivatives d;
    crank_eom *eom = rows->eom;
    crank_equations_supplier *s = calloc(1, sizeof *s);
    *out = NULL;
    if (s == NULL) {
        return crank_fail(err, CRANK_EMEM, "programs of the model");
    }
    s->eom = eom;
    s->switched_count = e->switched_count;
    s->derivative_count = rows->derivative_count;
    s->derivative_row = rows->derivative_row;
    s->derivative_column = rows->derivative_column;
    eom->self = s;
    eom->supplier = (crank_eom_supplier){.evaluate = evaluate,
                                         .jacobian = jacobian,
                                         .mass = mass,
                                         .initial = e->initial_count > 0 ? initial : NULL,
                                         .archive = archive,
                                         .stage = stage,
                                         .time_derivative = time_derivative,
                                         .destroy = destroy};
    crank_status status = crank_equations_differentiate(e, rows, &d, err);
    CRANK_THEN(status, crank_eom_set_patterns(eom, &d.jacobian, &d.mass, err));
    CRANK_THEN(status, crank_equations_stage(e, rows, &d, err));
    CRANK_THEN(status, make_programs(e, rows, &d, s, err));
    if (status != CRANK_OK) {
        return status;
    }
    if (s->watches.count > 0) {
        eom->supplier.look = look;
        eom->supplier.pole = find_table_end;
    }
    eom->mass_kind = d.mass_kind;
    eom->mass_is_identity = d.mass_is_identity;
    eom->autonomous = d.autonomous;
    eom->has_acceleration_level = true;
    eom->stage_linear = d.stage_linear;
    s->stage_entries.unknowns = d.stage_entries.unknowns;
    s->stage_entries.count = d.stage_entries.count;
    status = take_work(s, err);
    if (status != CRANK_OK) {
        return status;
    }
    keep_stage(s, &d, eom);
    for (int i = 0; i < e->switched_count; i++) {
        (void)crank_ex_is_number(e->pool, e->switched_start[i], &s->parameter_start[i]);
    }
    crank_equations_rewind(s);
    /* rough start values may lie outside the domain: then the values are held later */
    (void)crank_equations_hold(s, e->simulate.t_start, rows->start, NULL);
    *out = s;
    return CRANK_OK;
}
