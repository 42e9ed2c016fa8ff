/* direct_create.c - the direct formulations: which rows each takes, their patterns, creation;
 * theory 2.6.
 *
 *     index3      0 = h,  0 = g                                                      (2.8)
 *     index2      0 = h,  0 = gI                                                     (2.9)
 *     index1      0 = hI, 0 = gII                                                    (2.10)
 *     baumgarte   0 = hI + delta h,  0 = gII + 2 alpha gI + beta^2 g                 (2.11)
 *     ggl         0 = h,  0 = gI,  0 = g,  p' = Z v - G^T theta                      (2.12)
 *
 *     ude         k_x x' = -k_t for k = (d, c, gII, hI)                              (2.14)
 *
 * each with p' = Z v, M v' = f - ..., r' = b and, but for ude, 0 = d, 0 = c. Position
 * invariants n (the norms of quaternions) are kept by all others, with a theta each. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "formulate/corrector.h"

#include "eom/scale.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const crank_direct_form forms[] = {
    {"index3", CRANK_ROW_G, CRANK_ROW_H, .scale_v = 1, .scale_multiplier = 2},
    {"index2", CRANK_ROW_GI, CRANK_ROW_H, .scale_multiplier = 1},
    {"index1", CRANK_ROW_GII, CRANK_ROW_HI, .accelerations = true},
    {"baumgarte", CRANK_ROW_GII, CRANK_ROW_HI, .baumgarte = true, .accelerations = true},
    {"ggl", CRANK_ROW_GI, CRANK_ROW_H, .stabilised = true, .scale_multiplier = 1},
    {"ude", CRANK_ROW_GII, CRANK_ROW_HI, .accelerations = true, .underlying = true},
};
/* of auto: p' = Z v keeps norms but for errors of the step, direct_project.c */
static const crank_direct_form projected = {"index2", CRANK_ROW_GI, CRANK_ROW_H,
                                            .projected = true, .scale_multiplier = 1};

enum { MAX_CONTACTS = 200 };

/* ---- rows ---- */

static bool takes(const crank_direct_form *form, crank_row_group group)
{
    if (group == CRANK_ROW_GII || group == CRANK_ROW_GI || group == CRANK_ROW_G) {
        return group == form->holonomic || (group == CRANK_ROW_G && form->stabilised);
    }
    if (group == CRANK_ROW_HI || group == CRANK_ROW_H) {
        return group == form->nonholonomic;
    }
    return group != CRANK_ROW_E &&
           !(group == CRANK_ROW_N && (form->underlying || form->projected));
}

/* rows of `from` are added to those of `to`, times the factor */
static void add_rows(crank_direct *s, crank_row_group from, crank_row_group to, double factor)
{
    const crank_eom *eom = s->eom;
    for (int i = 0; i < crank_eom_row_group_size(eom, from); i++) {
        s->target[eom->row[from] + i] = s->target[eom->row[to] + i];
        s->weight[eom->row[from] + i] = factor;
    }
}

/* `count` rows from `from` on are those from `to` on; runs that touch are one */
static void add_run(crank_direct *s, int from, int to, int count)
{
    crank_direct_run *last = s->run_count > 0 ? &s->run[s->run_count - 1] : NULL;
    if (last != NULL && last->from + last->count == from && last->to + last->count == to) {
        last->count += count;
    } else if (count > 0) {
        s->run[s->run_count++] = (crank_direct_run){from, to, count};
    }
}

static void choose_rows(crank_direct *s)
{
    const crank_eom *eom = s->eom;
    const crank_options *o = &s->options;
    int next = 0;
    for (int g = 0; g < CRANK_ROW_GROUPS; g++) {
        const bool taken = takes(s->form, (crank_row_group)g);
        s->force = g == CRANK_ROW_B ? next : s->force;
        s->dynamic = g == CRANK_ROW_DYN ? next : s->dynamic;
        s->kinematic = g == CRANK_ROW_KIN ? next : s->kinematic;
        if (taken && !s->form->baumgarte) {
            add_run(s, eom->row[g], next, eom->row[g + 1] - eom->row[g]);
        }
        for (int i = eom->row[g]; i < eom->row[g + 1]; i++) {
            s->target[i] = taken ? next : -1;
            s->weight[i] = 1.0;
            if (taken) {
                const bool empty = eom->mass_form != NULL && g == CRANK_ROW_DYN &&
                                   !eom->mass_form->row[i - eom->row[g]];
                s->differential[next++] = (g >= CRANK_ROW_B || s->form->underlying) && !empty;
            }
        }
    }
    s->weighted = s->form->baumgarte;
    if (s->form->baumgarte) {
        add_rows(s, CRANK_ROW_GI, CRANK_ROW_GII, 2.0 * o->baumgarte_alpha);
        add_rows(s, CRANK_ROW_G, CRANK_ROW_GII, o->baumgarte_beta * o->baumgarte_beta);
        add_rows(s, CRANK_ROW_H, CRANK_ROW_HI, o->baumgarte_delta);
    }
}

/* ---- unknowns ---- */

/* Rates r' = b that contain a multiplier of index 3 (the work of a drive) add up what that is
 * off by: like velocities, one power of h less, theory 2.6. */
static void describe_rates(crank_direct *s)
{
    const crank_eom *eom = s->eom;
    const crank_pattern *jacobian = &eom->jacobian_pattern;
    const int first = eom->row[CRANK_ROW_B], r = eom->column[CRANK_R];
    for (int j = 0; j < eom->n; j++) {
        for (int at = jacobian->start[j]; at < jacobian->start[j + 1]; at++) {
            const int i = jacobian->row[at] - first;
            if (i >= 0 && i < eom->sizes.r && s->scaling[j] > 1) {
                s->scaling[r + i] = (unsigned char)(s->scaling[j] - 1);
            }
        }
    }
}

/* Of a singular M: unknowns that it does not multiply are algebraic. */
static void describe_mass_form(crank_direct *s)
{
    const crank_eom_mass_form *form = s->eom->mass_form;
    for (int i = 0; i < s->eom->sizes.v && form != NULL; i++) {
        const int j = s->eom->column[CRANK_V] + i;
        s->group[j] = form->column[i] ? CRANK_V : CRANK_W;
        s->scaling[j] = form->power[i];
    }
}

static void describe_columns(crank_direct *s)
{
    const crank_eom *eom = s->eom;
    const bool holonomic = eom->sizes.lambda > 0;
    const unsigned char multiplier = s->form->scale_multiplier;
    for (int g = 0; g < CRANK_GROUPS; g++) {
        for (int j = eom->column[g]; j < eom->column[g + 1]; j++) {
            s->group[j] = (unsigned char)g;
            s->tested[j] = eom->carried == NULL || !eom->carried[j];
            if (g == CRANK_V) {
                s->scaling[j] = holonomic ? s->form->scale_v : 0;
            } else if (g <= CRANK_MU) { /* w, too: it may depend on multipliers */
                s->scaling[j] = holonomic || multiplier == 0 ? multiplier : 1;
            }
        }
    }
    describe_rates(s);
    describe_mass_form(s);
    for (int j = 0; j < s->base.n; j++) {
        s->column[j] = j < eom->n ? j : -1;
    }
    for (int i = 0; i < s->extra; i++) {
        const int g = s->form->stabilised ? eom->sizes.lambda : 0;
        const int constraint =
            i < g ? i : eom->sizes.lambda + eom->sizes.mu + eom->sizes.e + i - g;
        /* like positions, but not given by rates; it is an error divided by h, which is not
         * asked for */
        s->group[eom->n + i] = CRANK_S;
        s->tested[eom->n + i] = false;
        s->scaling[eom->n + i] = 1;
        (void)snprintf(s->name[i], CRANK_DIRECT_NAME, "theta.%s",
                       eom->constraint_name[constraint]);
    }
}

/* theta is left out, or begins at zero */
static crank_status expand(crank_problem *base, double t, const double *x, double *out,
                           crank_error *err)
{
    (void)t;
    (void)err;
    memcpy(out, x, (size_t)base->unknowns->count * sizeof *x);
    return CRANK_OK;
}

static crank_status reduce(crank_problem *base, double t, const double *x, double *out,
                           crank_error *err)
{
    const int count = base->unknowns->count;
    (void)t;
    (void)err;
    memcpy(out, x, (size_t)count * sizeof *x);
    memset(out + count, 0, (size_t)(base->n - count) * sizeof *out);
    return CRANK_OK;
}

/* the row of the eom whose gradient theta i moves along */
static int source(const crank_direct *s, int i)
{
    const int g = s->form->stabilised ? s->eom->sizes.lambda : 0;
    return i < g ? s->eom->row[CRANK_ROW_G] + i : s->eom->row[CRANK_ROW_N] + i - g;
}

/* entries of B, by theta; with contact variables rows of G are full. Returns their number. */
static int list_gradient(crank_direct *s, bool fill)
{
    const crank_eom *eom = s->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int first = eom->column[CRANK_P];
    crank_gradient *g = &s->gradient;
    int used = 0;
    for (int i = 0; i < s->extra; i++) {
        const int row = source(s, i);
        const bool full = eom->sizes.s > 0 && row < eom->row[CRANK_ROW_N];
        if (fill) {
            g->start[i] = used;
        }
        for (int p = 0; p < eom->sizes.p; p++) {
            int found = -1;
            for (int e = J->start[first + p]; e < J->start[first + p + 1] && found < 0; e++) {
                found = J->row[e] == row ? e : -1;
            }
            if (!full && found < 0) {
                continue;
            }
            if (fill) {
                g->column[used] = p;
                g->entry[used] = found;
            }
            used++;
        }
    }
    if (fill) {
        g->start[s->extra] = used;
    }
    return used;
}

/* ---- memory: what the pattern's size does not matter for, then the rest ---- */

static void layout(crank_direct *s, crank_arena *arena, int gradients)
{
    const crank_eom *eom = s->eom;
    const size_t n = (size_t)s->base.n, m = (size_t)eom->m, extra = (size_t)s->extra,
                 ns = s->form->stabilised ? (size_t)eom->sizes.s : 0;
    const size_t entries = (size_t)eom->jacobian_pattern.start[eom->n];
    const size_t masses = eom->mass_is_identity ? (size_t)eom->sizes.v
                                                : (size_t)eom->mass_pattern.start[eom->sizes.v];
    crank_gradient *g = &s->gradient;
    s->differential = crank_arena_take(arena, n, sizeof(bool));
    s->tested = crank_arena_take(arena, n, sizeof(bool));
    s->group = crank_arena_take(arena, n, 1);
    s->scaling = crank_arena_take(arena, n, 1);
    s->name = crank_arena_take(arena, extra, sizeof *s->name);
    s->column = crank_arena_take(arena, n, sizeof(int));
    s->target = crank_arena_take(arena, m, sizeof(int));
    s->weight = crank_arena_take(arena, m, sizeof(double));
    s->jacobian = crank_arena_take(arena, entries, sizeof(double));
    s->moved = crank_arena_take(arena, s->form->underlying ? entries : 0, sizeof(double));
    s->points = crank_arena_take(arena, CRANK_DIRECT_CHUNK * (size_t)eom->n, sizeof(double));
    s->rows = crank_arena_take(arena, CRANK_DIRECT_CHUNK * m, sizeof(double));
    s->end = crank_arena_take(arena, s->form->projected ? n : 0, sizeof(double));
    s->end_rows = crank_arena_take(arena, s->form->projected ? n : 0, sizeof(double));
    crank_mass_layout(&s->mass, arena);
    crank_direct_noise_layout(s, arena);
    crank_direct_levels_layout(s, arena);
    crank_direct_jumps_layout(s, arena);
    crank_scale_layout(&s->scale, arena);
    g->start = crank_arena_take(arena, extra + 1, sizeof(int));
    g->column = crank_arena_take(arena, (size_t)gradients, sizeof(int));
    g->entry = crank_arena_take(arena, (size_t)gradients, sizeof(int));
    g->slot = crank_arena_take(arena, (size_t)gradients, sizeof(int));
    g->value = crank_arena_take(arena, (size_t)gradients, sizeof(double));
    g->contact = crank_arena_take(arena, ns * ns, sizeof(double));
    g->work = crank_arena_take(arena, ns, sizeof(double));
    g->pivot = crank_arena_take(arena, ns, sizeof(int));
    s->start = crank_arena_take(arena, n + 1, sizeof(int));
    s->jacobian_slot = crank_arena_take(arena, entries, sizeof(int));
    s->jacobian_entry = crank_arena_take(arena, entries, sizeof(int));
    s->lead_slot = crank_arena_take(arena, (size_t)eom->sizes.r + masses + (size_t)eom->sizes.p,
                                    sizeof(int));
    s->mark = crank_arena_take(arena, n, sizeof(int));
    for (size_t i = 0; i < extra; i++) {
        char *text = crank_arena_take(arena, CRANK_DIRECT_NAME, 1);
        if (s->name != NULL) {
            s->name[i] = text;
        }
    }
}

/* the tree that a solver may take */
static const crank_recursion *recursion_of(const crank_direct *s)
{
    const crank_recursion *r = s->eom->recursion;
    return r != NULL && !s->form->underlying && crank_recursion_may_pay(r) ? r : NULL;
}

static void layout_matrix(crank_direct *s, crank_arena *arena, int entries)
{
    const size_t count = (size_t)entries;
    const crank_recursion *r = recursion_of(s);
    s->recursion =
        crank_arena_take(arena, r != NULL ? crank_recursion_size(r) : 0, sizeof *s->recursion);
    s->row = crank_arena_take(arena, count, sizeof(int));
    s->rest = crank_arena_take(arena, count, sizeof(double));
    s->lead = crank_arena_take(arena, count, sizeof(double));
}

static crank_status allocate(crank_direct *s, crank_error *err)
{
    const int gradients = list_gradient(s, false);
    layout(s, &s->arena, gradients);
    if (!crank_arena_allocate(&s->arena)) {
        return crank_fail(err, CRANK_EMEM, "formulation of %d unknowns", s->base.n);
    }
    layout(s, &s->arena, gradients);
    choose_rows(s);
    describe_columns(s);
    crank_direct_levels_create(s);
    (void)list_gradient(s, true);
    const int entries = crank_direct_pattern(s, false, s->mark);
    layout_matrix(s, &s->matrix_arena, entries);
    if (!crank_arena_allocate(&s->matrix_arena)) {
        return crank_fail(err, CRANK_EMEM, "a matrix of %d entries", entries);
    }
    layout_matrix(s, &s->matrix_arena, entries);
    (void)crank_direct_pattern(s, true, s->mark);
    for (int e = 0; e < s->eom->jacobian_pattern.start[s->eom->n]; e++) {
        if (s->jacobian_slot[e] >= 0) {
            s->jacobian_entry[s->taken_entries++] = e;
        }
    }
    s->statistics.analyses = crank_solver_is_sparse(s->options.linear_algebra, s->base.n);
    const crank_status status =
        crank_solver_create(&(crank_solver_setup){.wish = s->options.linear_algebra,
                                                  .n = s->base.n,
                                                  .start = s->start,
                                                  .row = s->row,
                                                  .shifts = CRANK_MAX_SHIFTS,
                                                  .reserve = true,
                                                  .recursion = recursion_of(s),
                                                  .recursion_values = s->recursion,
                                                  .recursion_row = s->target},
                            &s->solver, err);
    if (status == CRANK_OK && crank_solver_reads_recursion(s->solver)) {
        s->eom->recursion_wanted = true;
    } else {
        s->recursion = NULL;
    }
    return status;
}

/* ---- what does not apply ---- */

static crank_status check_equations(const crank_direct *s, crank_error *err)
{
    const crank_eom *eom = s->eom;
    const char *name = s->form->name;
    if (s->form->accelerations && !eom->has_acceleration_level) {
        return crank_fail(err, CRANK_EREFUSED,
                          "%s needs the acceleration level gII, hI of the constraints; use ggl",
                          name);
    }
    if (eom->sizes.e > 0 && s->options.invariants) {
        return crank_fail(err, CRANK_EREFUSED,
                          "%s does not enforce invariants; use psf, or invariants=off", name);
    }
    if (s->form->stabilised && eom->sizes.s > MAX_CONTACTS) {
        return crank_fail(
            err, CRANK_EREFUSED,
            "%s eliminates at most %d contact variables, and there are %d; use psf", name,
            MAX_CONTACTS, eom->sizes.s);
    }
    return CRANK_OK;
}

/* every multiplier must be determined: nothing else makes sigma E - J regular */
static crank_status check_ranks(const crank_direct *s, double t0, const double *x0,
                                crank_error *err)
{
    crank_structure_report report;
    crank_status status =
        crank_eom_structure(s->eom, t0, x0, s->options.rank_tolerance, &report, err);
    if (status != CRANK_OK) {
        return status;
    }
    if (report.degenerate) {
        status = crank_eom_refuse_degenerate(s->eom, t0, x0, err);
    } else if (report.redundant_count > 0) {
        char name[160];
        status = crank_fail(
            err, CRANK_EREFUSED,
            "%s needs independent constraints, and %s depends on others%s; use psf",
            s->form->name,
            crank_eom_constraint_text(s->eom, report.redundant[0], name, sizeof name),
            report.redundant_count > 1 ? " (and more)" : "");
    }
    crank_structure_report_free(&report);
    return status;
}

/* ---- creation ---- */

static crank_status fill(crank_direct *s, double t0, const double *x0, crank_error *err)
{
    const bool alone = s->keeper == NULL; /* else that has looked at the ranks */
    crank_status status = allocate(s, err);
    CRANK_THEN(status, crank_mass_create(&s->mass, s->options.linear_algebra, err));
    CRANK_THEN(status, alone ? check_ranks(s, t0, x0, err) : CRANK_OK);
    s->eom->acceleration_idle = alone && !s->form->accelerations;
    if (status == CRANK_OK) { /* the gradients must be known before the first evaluation */
        status = s->base.prepare(&s->base, t0, x0, NULL, err);
        status = status > CRANK_OK ? crank_fail(err, CRANK_ESTOP_EQUATIONS,
                                                "the Jacobian cannot be evaluated at the start")
                                   : status;
    }
    CRANK_THEN(status, alone ? crank_direct_ranks_create(s, err) : CRANK_OK);
    CRANK_THEN(status, alone ? crank_direct_rows_create(s, t0, x0, err) : CRANK_OK);
    s->statistics = (crank_statistics){.mass_evaluations = crank_eom_mass_constant(s->eom) ||
                                                           s->eom->mass_is_identity,
                                       .analyses = s->statistics.analyses};
    return status;
}

static void describe(crank_direct *s)
{
    s->base.differential = s->differential;
    s->base.tested = s->tested;
    s->base.group = s->group;
    s->base.scaling = s->scaling;
    s->base.noise = crank_direct_has_noise(s) ? s->noise.of : NULL;
    s->base.newton_failed = crank_direct_noise_want;
    s->unknowns = (crank_problem_unknowns){
        .count = s->eom->n, .column = s->column, .expand = expand, .reduce = reduce};
    s->base.unknowns = s->extra > 0 ? &s->unknowns : NULL;
}

static const crank_direct_form *find_form(const char *name)
{
    const crank_direct_form *form = forms;
    while (strcmp(form->name, name) != 0) {
        form++;
    }
    return form;
}

/* NULL: there is no memory */
static crank_direct *make(const crank_direct_form *form, crank_eom *eom,
                          const crank_options *options, crank_log log, crank_error *err)
{
    crank_direct *s = calloc(1, sizeof *s);
    if (s == NULL) {
        crank_fail(err, CRANK_EMEM, "formulation of %d unknowns", eom->n);
        return NULL;
    }
    s->eom = eom;
    s->form = form;
    s->options = *options;
    s->log = log;
    s->mass = (crank_mass){.eom = eom, .statistics = &s->statistics};
    s->scale.eom = eom;
    s->base = crank_direct_problem;
    s->base.name = form->name;
    s->extra = form->underlying || form->projected
                   ? 0
                   : eom->sizes.n + (form->stabilised ? eom->sizes.lambda : 0);
    s->base.eom = eom;
    if (form->underlying || eom->mass_is_identity || crank_eom_mass_constant(eom)) {
        s->base.refresh = NULL;
    }
    s->base.rates = eom->mass_form != NULL ? NULL : s->base.rates;
    s->base.time_derivative = form->underlying ? NULL : s->base.time_derivative;
    s->base.residual = form->underlying ? NULL : s->base.residual;
    s->base.n = s->base.m = eom->n + s->extra;
    s->base.statistics = &s->statistics;
    return s;
}

static crank_status finish(crank_direct *s, double t0, const double *x0, crank_problem **out,
                           crank_error *err)
{
    s->time = crank_scale_time(s->eom, x0);
    s->time = s->time > 0.0 ? s->time : 1.0;
    crank_status status = check_equations(s, err);
    CRANK_THEN(status, fill(s, t0, x0, err));
    if (status != CRANK_OK) {
        s->base.destroy(&s->base);
        return status;
    }
    describe(s);
    *out = &s->base;
    return CRANK_OK;
}

crank_status crank_direct_create(const char *name, crank_eom *eom, const crank_options *options,
                                 double t0, const double *x0, crank_log log,
                                 crank_problem **out, crank_error *err)
{
    crank_direct *s = make(find_form(name), eom, options, log, err);
    crank_problem *direct;
    *out = NULL;
    const crank_status status = s != NULL ? finish(s, t0, x0, &direct, err) : CRANK_EMEM;
    if (status != CRANK_OK || !crank_corrector_is_wanted(options)) {
        *out = status == CRANK_OK ? direct : NULL;
        return status;
    }
    return crank_corrector_create(direct, options, t0, x0, out, err);
}

crank_status crank_direct_create_projected(crank_ode *keeper, const crank_options *options,
                                           double t0, const double *x0, crank_problem **out,
                                           crank_error *err)
{
    crank_direct *s = make(&projected, keeper->eom, options, (crank_log){0}, err);
    *out = NULL;
    if (s == NULL) {
        return CRANK_EMEM;
    }
    s->keeper = keeper;
    const crank_status status = finish(s, t0, x0, out, err);
    if (status == CRANK_OK) {
        crank_direct_project(s);
    }
    return status;
}
