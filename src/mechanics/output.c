/* output.c - columns of a mechanism's results: their names and their values at a point.
 *
 * Unknowns of a body are of its centre of mass; columns are of the user's origin and axes: with
 * c the centre of mass in body axes,   x - R c,   v - R (omega x c),   R omega. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/output.h"
#include "base/then.h"
#include "linalg/rotation.h"
#include "mechanics/assembly.h"
#include "mechanics/build_inside.h"
#include "mechanics/known_start.h"
#include "model/view/view.h"

#include <stdlib.h>
#include <string.h>

enum { BODY_COLUMNS = 13 };

// clang-format off
static const char *const spatial[] = {"x", "y", "z", "q0", "q1", "q2", "q3", "vx", "vy", "vz",
 "wx", "wy", "wz"};
static const char *const planar[] = {"x", "y", "angle", "vx", "vy", "rate"};
static const char *const point[] = {"x", "y", "z", "vx", "vy", "vz"};
static const char *const planar_point[] = {"x", "y", "vx", "vy"};
// clang-format on

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "columns of results");
}

/* ---- bodies ---- */

int crank_output_body_columns(crank_body_kind kind, const char *const **names)
{
    switch (kind) {
    case CRANK_BODY_SPATIAL:
        *names = spatial;
        return BODY_COLUMNS;
    case CRANK_BODY_PLANAR:
        *names = planar;
        return 6;
    case CRANK_BODY_POINT:
        *names = point;
        return 6;
    case CRANK_BODY_PLANAR_POINT:
        break;
    }
    *names = planar_point;
    return 4;
}

static int body_values(const crank_body *b, const crank_body_state *q, double *out)
{
    double arm[3], local[3], slide[3], omega[3], x[3], v[3];
    crank_cross3(local, q->omega, b->center);
    crank_mat3_times(arm, q->R, b->center);
    crank_mat3_times(slide, q->R, local);
    crank_mat3_times(omega, q->R, q->omega);
    for (int i = 0; i < 3; i++) {
        x[i] = q->x[i] - arm[i];
        v[i] = q->v[i] - slide[i];
    }
    const int directions = crank_body_translations(b->kind);
    int k = 0;
    memcpy(out, x, (size_t)directions * sizeof *out);
    k += directions;
    if (b->kind == CRANK_BODY_SPATIAL) {
        memcpy(out + k, q->q, sizeof q->q);
        k += 4;
    } else if (b->kind == CRANK_BODY_PLANAR) {
        out[k++] = q->angle;
    }
    memcpy(out + k, v, (size_t)directions * sizeof *out);
    k += directions;
    if (b->kind == CRANK_BODY_SPATIAL) {
        memcpy(out + k, omega, sizeof omega);
        k += 3;
    } else if (b->kind == CRANK_BODY_PLANAR) {
        out[k++] = q->omega[2];
    }
    return k;
}

/* ---- names ---- */

static void add_name(crank_output_set *set, const char *name)
{
    set->column_name[set->column_count++] = name;
}

static void copy_name(crank_output_set *set, const char *name)
{
    add_name(set, crank_store_copy(&set->store, name, strlen(name)));
}

static void name_bodies(crank_output_set *set, const crank_builder *b)
{
    for (int i = 0; i < b->mechanism->body_count; i++) {
        const char *const *names;
        const int count = crank_output_body_columns(b->kind[i], &names);
        for (int j = 0; j < count; j++) {
            add_name(set, crank_store_print(&set->store, "body.%s.%s",
                                            b->mechanism->body[i].name, names[j]));
        }
    }
}

static void name_reactions(crank_output_set *set, const crank_builder *b, const char *infix)
{
    const crank_reactions *r = &set->reaction;
    for (int i = 0; i < r->count; i++) {
        for (int j = 0; j < r->components; j++) {
            add_name(set, crank_store_print(&set->store, "joint.%s.%s%s",
                                            b->mechanism->joint[r->item[i].joint].name, infix,
                                            crank_reactions_component(r, j)));
        }
    }
}

/* Columns that are minus a multiplier, "joint.g.effort". */
static crank_status find_efforts(crank_output_set *set, const crank_builder *b,
                                 crank_error *err)
{
    crank_reactions *r = &set->reaction;
    r->effort = crank_store_take(&set->store, (size_t)b->name.count, sizeof *r->effort);
    r->effort_name =
        crank_store_take(&set->store, (size_t)b->name.count, sizeof *r->effort_name);
    if (set->store.failed) {
        return no_memory(err);
    }
    for (int i = 0; i < b->name.count; i++) {
        const crank_ex e = b->name.item[i].ex;
        if (!b->name.item[i].in_results || crank_ex_get_op(b->pool, e) != CRANK_EX_NEG) {
            continue;
        }
        const crank_symbol symbol = crank_build_symbol(b, crank_ex_get_operand(b->pool, e, 0));
        if (symbol.kind == CRANK_SYMBOL_LAMBDA || symbol.kind == CRANK_SYMBOL_MU) {
            const char *name = b->name.item[i].name;
            const int before = symbol.kind == CRANK_SYMBOL_MU ? b->holonomic.count : 0;
            r->effort_name[r->effort_count] = crank_store_copy(&set->store, name, strlen(name));
            r->effort[r->effort_count++] = before + symbol.index;
        }
    }
    return set->store.failed ? no_memory(err) : CRANK_OK;
}

/* "joint.g.unique.effort" */
static void name_efforts(crank_output_set *set)
{
    const crank_reactions *r = &set->reaction;
    for (int i = 0; i < r->effort_count; i++) {
        const char *name = r->effort_name[i], *last = strrchr(name, '.');
        add_name(set, crank_store_print(&set->store, "%.*s.unique%s", (int)(last - name), name,
                                        last));
    }
}

static void add_variable(crank_output_set *set, const crank_eom *eom, int column)
{
    set->variable[set->variable_count++] = column;
    copy_name(set, eom->column_name[column]);
}

/* r, w and s; multipliers of constraints that the file itself states */
static void name_variables(crank_output_set *set, const crank_builder *b, const crank_eom *eom)
{
    const int work = set->dissipated_count + set->supplied_count; /* the last ones */
    for (int i = 0; i < b->dynamic.count - work; i++) {
        add_variable(set, eom, eom->column[CRANK_R] + i);
    }
    for (int i = 0; i < b->auxiliary.count; i++) {
        add_variable(set, eom, eom->column[CRANK_W] + i);
    }
    for (int i = 0; i < b->contact.count; i++) {
        add_variable(set, eom, eom->column[CRANK_S] + i);
    }
    for (int i = 0; i < b->holonomic.count; i++) {
        if (b->holonomic.item[i].owner.kind == CRANK_OWNER_EQUATION) {
            add_variable(set, eom, eom->column[CRANK_LAMBDA] + i);
        }
    }
    for (int i = 0; i < b->nonholonomic.count; i++) {
        if (b->nonholonomic.item[i].owner.kind == CRANK_OWNER_EQUATION) {
            add_variable(set, eom, eom->column[CRANK_MU] + i);
        }
    }
}

/* ---- expressions: named quantities, outputs, energies of elements ---- */

crank_status crank_output_resolve(crank_builder *b, crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    crank_status status = CRANK_OK;
    for (int i = 0; i < m->output_count && status == CRANK_OK; i++) {
        const crank_build_label label = crank_build_expression_label("output", &m->output[i]);
        status = crank_build_resolve_at(b, &label, m->output[i].ex, 0, NULL, NULL,
                                        &m->output[i].ex, err);
    }
    for (int i = 0; m->view != NULL && i < m->view->column_count && status == CRANK_OK; i++) {
        crank_view_column *c = &m->view->column[i];
        const crank_build_label label = crank_build_label_of("column", c->name, c->node);
        status = crank_build_resolve_at(b, &label, c->ex, 0, NULL, NULL, &c->ex, err);
    }
    return status;
}

/* energies of this kind behind the count expressions that there are; returns their number */
static int add_energies(const crank_builder *b, crank_work_kind kind, int count, crank_ex *ex)
{
    const int first = count;
    for (int i = 0; i < b->work.count; i++) {
        if (b->work.item[i].kind == kind) {
            ex[count++] = b->work.item[i].ex;
        }
    }
    return count - first;
}

static crank_status make_expressions(crank_output_set *set, crank_builder *b, crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    const int view = m->view != NULL ? m->view->column_count : 0;
    const size_t most =
        (size_t)b->name.count + (size_t)m->output_count + (size_t)b->work.count + (size_t)view;
    crank_ex *ex = crank_store_take(b->store, most, sizeof *ex);
    set->value = crank_store_take(&set->store, most, sizeof *set->value);
    if (ex == NULL || set->value == NULL) {
        return no_memory(err);
    }
    int count = 0;
    for (int i = 0; i < b->name.count; i++) {
        if (b->name.item[i].in_results) {
            ex[count++] = b->name.item[i].ex;
        }
    }
    set->named_count = count;
    for (int i = 0; i < m->output_count; i++) {
        ex[count++] = m->output[i].ex;
    }
    set->output_count = m->output_count;
    set->kinetic_count = add_energies(b, CRANK_WORK_KINETIC, count, ex);
    count += set->kinetic_count;
    set->potential_count = add_energies(b, CRANK_WORK_POTENTIAL, count, ex);
    count += set->potential_count;
    for (int i = 0; i < view; i++) {
        ex[count++] = m->view->column[i].ex;
    }
    set->view_count = view;
    return count == 0 ? CRANK_OK
                      : crank_expressions_create(b, count, ex, &set->expression, err);
}

/* ---- work ---- */

static crank_status find_work(crank_output_set *set, const crank_builder *b,
                              const crank_eom *eom, const crank_energy_work *work,
                              crank_error *err)
{
    const size_t count = (size_t)(b->dynamic.count - work->first);
    set->energy = b->mechanism->energy;
    set->dissipated = crank_store_take(&set->store, count, sizeof *set->dissipated);
    set->supplied = crank_store_take(&set->store, count, sizeof *set->supplied);
    if (set->store.failed) {
        return no_memory(err);
    }
    for (size_t i = 0; i < count; i++) {
        const int column = eom->column[CRANK_R] + work->first + (int)i;
        if (work->dissipated[i]) {
            set->dissipated[set->dissipated_count++] = column;
        } else {
            set->supplied[set->supplied_count++] = column;
        }
    }
    return CRANK_OK;
}

/* ---- the set ---- */

/* Redundancy is a matter of consistent positions. They are those that runs begin with. */
static crank_status consistent_start(crank_system *s, double t, double *x,
                                     const crank_fixing *fixing, crank_error *err)
{
    crank_status status = s->assembly != NULL
                              ? crank_assembly_find(s, t, x, NULL, (crank_log){0}, err)
                              : crank_system_know_start(s, t, x, fixing, err);
    CRANK_THEN(status,
               crank_system_find_start(s, t, x, fixing, NULL, NULL, (crank_log){0}, err));
    return status;
}

static crank_status find_unique(crank_output_set *set, crank_builder *b, crank_system *s,
                                double t, const double *x, const crank_fixing *fixing,
                                crank_error *err)
{
    const size_t n = (size_t)s->eom->n;
    const size_t count = (size_t)crank_reactions_marks(&set->reaction);
    bool redundant = false;
    if (s->eom->sizes.lambda + s->eom->sizes.mu == 0 || !crank_reactions_may_repeat(b)) {
        return CRANK_OK;
    }
    double *at = crank_store_take(&set->store, n, sizeof *at);
    set->asked_t = t;
    set->asked_x = at;
    set->unique = crank_store_take(&set->store, count, sizeof *set->unique);
    if (at == NULL || set->unique == NULL) {
        return no_memory(err);
    }
    if (crank_reactions_group(&set->reaction, b, &set->store, err) != CRANK_OK) {
        return CRANK_EMEM;
    }
    memcpy(at, x, n * sizeof *at);
    /* what is wrong with start values is reported by those who need them */
    char read[1000];
    crank_error ignored = {0};
    crank_status status = consistent_start(s, t, at, fixing, &ignored);
    CRANK_THEN(status, crank_uniqueness_create(&set->reaction, s, &set->uniqueness, &ignored));
    CRANK_THEN(status, crank_reactions_unique(set->uniqueness, &set->reaction, s, t, at,
                                              set->unique, &redundant, &ignored));
    if (status == CRANK_OK && redundant) {
        status = crank_eom_find_loads(s->eom, t, at, read, sizeof read, &ignored);
        set->shares = read[0] == '\0';
        CRANK_THEN(status, crank_output_warn_open(set, b, s, t, at, &ignored));
        if (b->tree != NULL) {
            crank_log_write(&b->mechanism->options->log, CRANK_INFO,
                            "reactions that redundant constraints leave open are shared by the "
                            "least norm among the joints that close loops; \"coordinates: "
                            "absolute\" shares them among all");
        }
    }
    crank_system_rewind(s);
    if (status != CRANK_OK || !redundant) {
        crank_uniqueness_destroy(set->uniqueness);
        set->uniqueness = NULL;
    }
    return status == CRANK_EMEM ? no_memory(err) : CRANK_OK;
}

/* Continued angles among named quantities and outputs, whose columns begin at these. */
static crank_status find_angles(crank_output_set *set, const crank_builder *b, int named,
                                int output, crank_error *err)
{
    set->angle_column =
        crank_store_take(&set->store, (size_t)b->angle.count, sizeof *set->angle_column);
    if (set->store.failed) {
        return no_memory(err);
    }
    for (int i = 0; i < b->angle.count; i++) {
        const crank_ex angle = b->angle.item[i].ex;
        int *at = &set->angle_column[i], column = named;
        *at = -1;
        for (int j = 0; j < b->mechanism->output_count; j++) {
            *at = b->mechanism->output[j].ex == angle ? output + j : *at;
        }
        for (int j = 0; j < b->name.count; j++) {
            *at = b->name.item[j].in_results && b->name.item[j].ex == angle ? column : *at;
            column += b->name.item[j].in_results ? 1 : 0;
        }
    }
    return CRANK_OK;
}

static crank_status name_columns(crank_output_set *set, crank_builder *b, const crank_eom *eom,
                                 crank_error *err)
{
    const size_t reactions = (size_t)set->reaction.count * (size_t)set->reaction.components;
    const size_t marks = (size_t)crank_reactions_marks(&set->reaction);
    const size_t variables = (size_t)eom->sizes.r + (size_t)eom->sizes.w +
                             (size_t)eom->sizes.s + (size_t)eom->sizes.lambda +
                             (size_t)eom->sizes.mu;
    const size_t most = BODY_COLUMNS * (size_t)b->mechanism->body_count +
                        (size_t)set->named_count + (size_t)set->output_count + reactions +
                        marks + variables + 4 /* energies */ + (size_t)set->view_count;
    set->column_name = crank_store_take(&set->store, most, sizeof *set->column_name);
    set->variable = crank_store_take(&set->store, variables, sizeof *set->variable);
    if (set->store.failed) {
        return no_memory(err);
    }
    name_bodies(set, b);
    const int named = set->column_count;
    for (int i = 0; i < b->name.count; i++) {
        if (b->name.item[i].in_results) {
            copy_name(set, b->name.item[i].name);
        }
    }
    name_reactions(set, b, "");
    if (set->uniqueness != NULL) {
        name_reactions(set, b, "unique.");
        name_efforts(set);
    }
    name_variables(set, b, eom);
    const int output = set->column_count;
    for (int i = 0; i < b->mechanism->output_count; i++) {
        copy_name(set, b->mechanism->output[i].name);
    }
    copy_name(set, "energy.kinetic");
    copy_name(set, "energy.potential");
    if (set->energy) {
        copy_name(set, "energy.dissipated");
        copy_name(set, "energy.supplied");
    }
    for (int i = 0; i < set->view_count; i++) {
        copy_name(set, b->mechanism->view->column[i].name);
    }
    crank_carrier_warn(b);
    return set->store.failed || !crank_output_describe(set, b, eom) ||
                   !crank_flanks_find(set, b) || !crank_sunk_find(set, b)
               ? no_memory(err)
               : find_angles(set, b, named, output, err);
}

crank_status crank_output_create(crank_builder *b, crank_system *s,
                                 const crank_energy_work *work, double t, const double *x,
                                 const crank_fixing *fixing, crank_error *err)
{
    crank_output_set *set = calloc(1, sizeof *set);
    if (set == NULL) {
        return no_memory(err);
    }
    s->output = set;
    crank_status status = find_work(set, b, s->eom, work, err);
    CRANK_THEN(status, make_expressions(set, b, err));
    CRANK_THEN(status, crank_reactions_init(&set->reaction, b, s, &set->store, err));
    CRANK_THEN(status, find_efforts(set, b, err));
    CRANK_THEN(status, find_unique(set, b, s, t, x, fixing, err));
    return status == CRANK_OK ? name_columns(set, b, s->eom, err) : status;
}

void crank_output_destroy(crank_output_set *set)
{
    if (set == NULL) {
        return;
    }
    if (!set->shared) {
        crank_expressions_destroy(set->expression);
    }
    crank_uniqueness_destroy(set->uniqueness);
    crank_store_free(&set->store);
    free(set);
}

static crank_status share_unique(crank_output_set *set, crank_system *s, crank_error *err)
{
    bool redundant = false;
    const crank_status status =
        crank_uniqueness_create(&set->reaction, s, &set->uniqueness, err);
    return status == CRANK_OK
               ? crank_reactions_unique(set->uniqueness, &set->reaction, s, set->asked_t,
                                        set->asked_x, set->unique, &redundant, err)
               : status;
}

crank_status crank_output_share(const crank_output_set *from, crank_system *s, crank_error *err)
{
    const size_t values = (size_t)from->named_count + (size_t)from->output_count +
                          (size_t)from->kinetic_count + (size_t)from->potential_count +
                          (size_t)from->view_count;
    const size_t marks = (size_t)crank_reactions_marks(&from->reaction);
    crank_output_set *set = malloc(sizeof *set);
    if (set == NULL) {
        return no_memory(err);
    }
    *set = *from;
    set->shared = true;
    set->store = (crank_store){0};
    set->uniqueness = NULL;
    s->output = set; /* which destroys it */
    set->value = crank_store_take(&set->store, values, sizeof *set->value);
    set->unique = crank_store_take(&set->store, marks, sizeof *set->unique);
    set->flank = crank_store_take(&set->store, (size_t)set->flank_count, sizeof *set->flank);
    set->sunk = crank_store_take(&set->store, (size_t)set->sunk_count, sizeof *set->sunk);
    set->sunk_told = false;
    set->reaction.force =
        crank_store_take(&set->store, (size_t)s->body_count, sizeof *set->reaction.force);
    if (set->store.failed) {
        return no_memory(err);
    }
    for (int i = 0; i < set->flank_count; i++) {
        set->flank[i] = from->flank[i];
        set->flank[i].told = false;
        set->flank[i].rows = 0;
        set->flank[i].most = 0.0;
    }
    for (int i = 0; i < set->sunk_count; i++) {
        set->sunk[i] = from->sunk[i];
        set->sunk[i].depth = 0.0;
    }
    const crank_status status = from->uniqueness != NULL ? share_unique(set, s, err) : CRANK_OK;
    crank_system_rewind(s);
    return status;
}

void crank_output_archive(crank_output_set *set, crank_archive *a)
{
    crank_archive_check(a, "unique reactions", set->uniqueness != NULL);
    if (set->uniqueness != NULL) {
        crank_uniqueness_archive(set->uniqueness, a);
    }
}

/* ---- values ---- */

static double sum(int count, const double *value)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        sum += value[i];
    }
    return sum;
}

static double sum_of(int count, const int *column, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        sum += x[column[i]];
    }
    return sum;
}

static int copy_values(double *to, const double *from, int count)
{
    if (count > 0) {
        memcpy(to, from, (size_t)count * sizeof *to);
    }
    return count;
}

crank_status crank_output_evaluate(crank_output_set *set, crank_system *s, double t,
                                   const double *x, double *values, crank_error *err)
{
    const crank_reactions *r = &set->reaction;
    double *next = values;
    bool redundant = false;
    if (set->uniqueness != NULL) {
        const crank_status status =
            crank_reactions_unique(set->uniqueness, r, s, t, x, set->unique, &redundant, err);
        if (status != CRANK_OK) {
            return status;
        }
        x = set->shares ? crank_reactions_share(set->uniqueness, s->eom, x) : x;
    }
    crank_system_point(s, t, x);
    for (int i = 0; i < s->body_count; i++) {
        next += body_values(&s->body[i], &s->state[i], next);
    }
    if (set->expression != NULL) {
        crank_expressions_evaluate(set->expression, s, t, x, set->value);
    }
    next += copy_values(next, set->value, set->named_count);
    const crank_status status = crank_reactions_evaluate(r, s, t, x, false, next, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_flanks_note(set, s, t, values, next);
    crank_sunk_note(set, t, values);
    next += r->count * r->components;
    if (set->uniqueness != NULL) {
        next += copy_values(next, set->unique, crank_reactions_marks(r));
    }
    for (int i = 0; i < set->variable_count; i++) {
        *next++ = x[set->variable[i]];
    }
    const double *output = set->value + set->named_count;
    next += copy_values(next, output, set->output_count);
    const double *kinetic = output + set->output_count;
    const double *potential = kinetic + set->kinetic_count;
    *next++ = crank_energy_kinetic(s) + sum(set->kinetic_count, kinetic);
    *next++ = crank_energy_gravity(s) + sum(set->potential_count, potential);
    if (set->energy) {
        *next++ = sum_of(set->dissipated_count, set->dissipated, x);
        *next++ = sum_of(set->supplied_count, set->supplied, x);
    }
    (void)copy_values(next, potential + set->potential_count, set->view_count);
    return CRANK_OK;
}
