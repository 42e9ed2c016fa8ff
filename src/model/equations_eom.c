/* equations_eom.c - evaluates the eom of an equations file: tapes, or functions of compiled C.
 *
 * One program each for all rows, the algebraic rows, the differential rows, the Jacobian, M, the extra
 * initial conditions, the outputs, and what a stage of an explicit method needs. Inputs are t and x, for the Jacobian also v'. Invariants are kept
 * at a value that is subtracted after the evaluation. Values that are not finite mean that the point
 * lies outside the domain of the model. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/equations.h"

#include "base/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4 }; /* points evaluated together: the three stages of Radau fit */

typedef enum program_name {
    PROGRAM_ALL,
    PROGRAM_ALGEBRAIC,
    PROGRAM_DIFFERENTIAL,
    PROGRAM_JACOBIAN,
    PROGRAM_MASS,
    PROGRAM_INITIAL,
    PROGRAM_OUTPUTS,
    PROGRAM_STAGE,
    PROGRAMS
} program_name;

static const char *const program_words[PROGRAMS] = {
    "model_all",  "model_algebraic", "model_differential", "model_jacobian",
    "model_mass", "model_initial",   "model_outputs",      "model_stage"};

typedef struct program {
    int inputs, outputs;
    crank_tape *tape; /* one of these two */
    crank_compiled_fn *run;
} program;

struct crank_equations_supplier {
    const crank_eom *eom;
    program program[PROGRAMS];
    crank_compiled *compiled; /* NULL: tapes */
    crank_arena arena;
    double *in;   /* (1 + n) x CHUNK, or 1 + n + n_v */
    double *work; /* registers of the tapes */
    double *rows; /* m */
    double *held; /* values of the invariants e, n */
    double *out;  /* of the stage's program */
};

/* ---- evaluation ---- */

static void run(const crank_equations_supplier *s, program_name name, int count, double *out,
                int out_stride)
{
    const program *p = &s->program[name];
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
    const size_t n = (size_t)s->eom->n;
    double *in = s->in + (size_t)i * (n + 1);
    in[0] = t;
    memcpy(in + 1, x, n * sizeof *x);
}

static int find_not_finite(const double *values, int count)
{
    for (int i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            return i;
        }
    }
    return -1;
}

/* Values that are not finite spread from a row to those computed after it: constraints, rates and
 * forces are named before hidden constraints, which contain them. */
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
    run(s, PROGRAM_ALL, 1, s->rows, eom->m);
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
    const program_name name = first > 0 || algebraic == 0 ? PROGRAM_DIFFERENTIAL
                              : last < eom->m             ? PROGRAM_ALGEBRAIC
                                                          : PROGRAM_ALL;
    for (int done = 0; done < count; done += CHUNK) {
        const int now = count - done < CHUNK ? count - done : CHUNK;
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
        s->in[1 + eom->n + i] = vdot != NULL ? vdot[i] : 0.0;
    }
    run(s, PROGRAM_JACOBIAN, 1, values, s->program[PROGRAM_JACOBIAN].outputs);
    int cause = -1;
    for (int q = 0; q < s->program[PROGRAM_JACOBIAN].outputs; q++) {
        const int row = eom->jacobian_pattern.row[q];
        if (!isfinite(values[q]) &&
            (cause < 0 || cause_order(eom, row) < cause_order(eom, cause))) {
            cause = row;
        }
    }
    return cause < 0 ? CRANK_OK : fail_row(eom, cause, ", derivative", t, err);
}

/* outputs: rows d, gII, hI, then c, then b, f_dyn, f_kin, then the stage entries (eom/stage.h) */
static crank_status stage(void *self, double t, const double *x, double *k, double *values,
                          crank_error *err)
{
    const crank_equations_supplier *s = self;
    const crank_eom *eom = s->eom;
    const int first = eom->row[CRANK_ROW_GI], contact = eom->sizes.s,
              rates = eom->m - eom->row[CRANK_ROW_B];
    const int count = s->program[PROGRAM_STAGE].outputs, rows = first + contact + rates;
    load(s, 0, t, x);
    run(s, PROGRAM_STAGE, 1, s->out, count);
    memcpy(k, s->out, (size_t)first * sizeof *k);
    memcpy(k + eom->row[CRANK_ROW_C], s->out + first, (size_t)contact * sizeof *k);
    memcpy(k + eom->row[CRANK_ROW_B], s->out + first + contact, (size_t)rates * sizeof *k);
    memcpy(values, s->out + rows, (size_t)(count - rows) * sizeof *values);
    const int bad = find_not_finite(s->out, count);
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
    run(s, PROGRAM_MASS, 1, values, s->program[PROGRAM_MASS].outputs);
    return find_not_finite(values, s->program[PROGRAM_MASS].outputs) < 0
               ? CRANK_OK
               : crank_fail_at(err, CRANK_RETRY, s->eom->mass_place.line,
                               s->eom->mass_place.column, "mass: not finite at t = %.10g", t);
}

static crank_status initial(void *self, double t, const double *x, double *conditions,
                            crank_error *err)
{
    const crank_equations_supplier *s = self;
    load(s, 0, t, x);
    run(s, PROGRAM_INITIAL, 1, conditions, s->program[PROGRAM_INITIAL].outputs);
    const int bad = find_not_finite(conditions, s->program[PROGRAM_INITIAL].outputs);
    if (bad < 0) {
        return CRANK_OK;
    }
    const crank_place place = crank_eom_row_place(s->eom, s->eom->m + bad);
    return crank_fail_place(err, CRANK_RETRY, place,
                            "initial \"%.80s\": not finite at t = %.10g",
                            s->eom->initial_name[bad], t);
}

crank_status crank_equations_outputs(crank_equations_supplier *self, double t, const double *x,
                                     double *values, crank_error *err)
{
    (void)err; /* an output outside its domain is NaN in the result and stops nobody */
    if (self->program[PROGRAM_OUTPUTS].outputs > 0) {
        load(self, 0, t, x);
        run(self, PROGRAM_OUTPUTS, 1, values, self->program[PROGRAM_OUTPUTS].outputs);
    }
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
    run(self, PROGRAM_ALGEBRAIC, 1, self->rows, eom->m);
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

static void archive(void *self, crank_archive *a)
{
    crank_equations_supplier *s = self;
    crank_archive_doubles(a, s->held, (size_t)s->eom->sizes.e + (size_t)s->eom->sizes.n);
}

/* ---- set-up ---- */

static void destroy(void *self)
{
    crank_equations_supplier *s = self;
    if (s == NULL) {
        return;
    }
    for (int i = 0; i < PROGRAMS; i++) {
        crank_tape_destroy(s->program[i].tape);
    }
    if (s->compiled != NULL) {
        crank_compiled_unload(s->compiled);
    }
    crank_arena_free(&s->arena);
    free(s);
}

/* expressions that a program computes */
static const crank_ex *program_outputs(const crank_equations *e, const crank_rows *rows,
                                       const crank_derivatives *d, program_name name,
                                       int *count)
{
    const crank_eom *eom = rows->eom;
    const int algebraic = eom->row[CRANK_ROW_B];
    switch (name) {
    case PROGRAM_ALL:
        *count = eom->m;
        return rows->row;
    case PROGRAM_ALGEBRAIC:
        *count = algebraic;
        return rows->row;
    case PROGRAM_DIFFERENTIAL:
        *count = eom->m - algebraic;
        return rows->row + algebraic;
    case PROGRAM_JACOBIAN:
        *count = d->jacobian.start[eom->n];
        return d->jacobian_ex;
    case PROGRAM_MASS:
        *count = d->mass.start[eom->sizes.v];
        return d->mass_ex;
    case PROGRAM_INITIAL:
        *count = e->initial_count;
        return rows->condition;
    case PROGRAM_STAGE:
        *count = d->stage_count;
        return d->stage_ex;
    case PROGRAM_OUTPUTS:
    case PROGRAMS:
        break;
    }
    *count = e->output_count;
    return rows->output;
}

static crank_status make_programs(crank_equations *e, const crank_rows *rows,
                                  const crank_derivatives *d, crank_equations_supplier *s,
                                  crank_error *err)
{
    const int n = rows->eom->n, nv = rows->eom->sizes.v;
    crank_ex *inputs = crank_store_take(e->store, 1 + (size_t)n + (size_t)nv, sizeof *inputs);
    crank_text source = {0};
    if (inputs == NULL) {
        return crank_fail(err, CRANK_EMEM, "programs of the model");
    }
    inputs[0] = e->t;
    memcpy(inputs + 1, rows->column, (size_t)n * sizeof *inputs);
    if (nv > 0) {
        memcpy(inputs + 1 + n, rows->vdot, (size_t)nv * sizeof *inputs);
    }
    crank_status status = CRANK_OK;
    if (e->options->compile) {
        crank_emit_c_prelude(&source);
    }
    for (int i = 0; i < PROGRAMS && status == CRANK_OK; i++) {
        program *p = &s->program[i];
        const crank_ex *ex = program_outputs(e, rows, d, (program_name)i, &p->outputs);
        p->inputs = i == PROGRAM_JACOBIAN ? 1 + n + nv : 1 + n;
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
        for (int i = 0; i < PROGRAMS && status == CRANK_OK; i++) {
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
    for (int i = 0; i < PROGRAMS; i++) {
        if (s->program[i].tape != NULL) {
            const int needed = crank_tape_work_size(s->program[i].tape, CHUNK);
            registers = needed > registers ? needed : registers;
        }
    }
    s->in = crank_arena_take(arena, (n + 1) * CHUNK + nv, sizeof *s->in);
    s->work = crank_arena_take(arena, (size_t)registers, sizeof *s->work);
    s->rows = crank_arena_take(arena, m, sizeof *s->rows);
    s->held = crank_arena_take(arena, (size_t)s->eom->sizes.e + (size_t)s->eom->sizes.n,
                               sizeof *s->held);
    s->out = crank_arena_take(arena, (size_t)s->program[PROGRAM_STAGE].outputs, sizeof *s->out);
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
    eom->self = s;
    eom->supplier = (crank_eom_supplier){.evaluate = evaluate,
                                         .jacobian = jacobian,
                                         .mass = mass,
                                         .initial = e->initial_count > 0 ? initial : NULL,
                                         .archive = archive,
                                         .stage = stage,
                                         .destroy = destroy};
    crank_status status = crank_equations_differentiate(e, rows, &d, err);
    if (status == CRANK_OK) {
        status = crank_eom_set_patterns(eom, &d.jacobian, &d.mass, err);
    }
    if (status == CRANK_OK) {
        status = crank_equations_stage(e, rows, &d, err);
    }
    if (status == CRANK_OK) {
        status = make_programs(e, rows, &d, s, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    eom->mass_kind = d.mass_kind;
    eom->mass_is_identity = d.mass_is_identity;
    eom->autonomous = d.autonomous;
    eom->has_acceleration_level = true;
    eom->stage_linear = d.stage_linear;
    layout(s, &s->arena);
    if (!crank_arena_allocate(&s->arena)) {
        return crank_fail(err, CRANK_EMEM, "work space of the model");
    }
    layout(s, &s->arena);
    /* rough start values may lie outside the domain: then the values are held later */
    (void)crank_equations_hold(s, e->simulate.t_start, rows->start, NULL);
    *out = s;
    return CRANK_OK;
}
