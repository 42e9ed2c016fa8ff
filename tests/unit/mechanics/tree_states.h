/* tree_states.h - a mechanism at the same random assembled states in joint and in absolute
 * coordinates: accelerations, multipliers and reactions where they are unique. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_TREE_STATES_H
#define CRANK_TESTS_TREE_STATES_H

#include "unit/mechanics/mechanism.h"

#include "eom/eom.h"
#include "mechanics/system.h"

static inline void initialize(mechanism *m)
{
    crank_initial_options initial = crank_initial_options_default();
    crank_initial_report report;
    initial.fixing = crank_model_fixing(crank_state_model(m->model));
    initial.max_change = 0.0;
    initial.multipliers = true;
    CHECK_OK(
        crank_eom_initialize(m->eom, m->t, m->x, &initial, &report, (crank_log){0}, &m->err),
        m->err);
}

/* a random state near the start that joints allow, with its accelerations and multipliers */
static inline void random_state(mechanism *m, random_source *r, const double *start,
                                double distance)
{
    const int p = crank_eom_column(m->eom, CRANK_P), v = crank_eom_column(m->eom, CRANK_V);
    double change[MECHANISM_MAX];
    random_fill(r, m->n, change);
    memcpy(m->x, start, (size_t)m->n * sizeof *m->x);
    for (int i = p; i < m->n; i++) {
        m->x[i] += distance * change[i];
    }
    for (int i = v; i < v + m->eom->sizes.v; i++) {
        m->x[i] = change[i];
    }
    initialize(m);
}

/* the same state in absolute coordinates */
static inline void carry_over(const mechanism *from, mechanism *to)
{
    crank_system *s = from->eom->self;
    const crank_system *absolute = to->eom->self;
    crank_system_point(s, from->t, from->x);
    memset(to->x, 0, sizeof to->x);
    to->t = from->t;
    for (int i = 0; i < s->body_count; i++) {
        const crank_body_state *q = &s->state[i];
        const crank_absolute_body *b = &absolute->coordinates.absolute[i];
        const int translations = crank_body_translations(q->kind);
        memcpy(to->x + b->p, q->x, (size_t)translations * sizeof(double));
        memcpy(to->x + b->v, q->v, (size_t)translations * sizeof(double));
        if (q->kind == CRANK_BODY_SPATIAL) {
            memcpy(to->x + b->p + 3, q->q, sizeof q->q);
            memcpy(to->x + b->v + 3, q->omega, sizeof q->omega);
        } else if (q->kind == CRANK_BODY_PLANAR) {
            to->x[b->p + 2] = q->angle;
            to->x[b->v + 2] = q->omega[2];
        }
    }
    for (int g = CRANK_R; g <= CRANK_S; g += CRANK_S - CRANK_R) { /* what is of no body */
        const int first = from->eom->column[g], count = from->eom->column[g + 1] - first;
        for (int i = 0; i < count; i++) {
            to->x[to->eom->column[g] + i] = from->x[first + i];
        }
    }
    CHECK_OK(crank_eom_find_multipliers(to->eom, to->t, to->x, &to->err), to->err);
}

/* the column that tells whether one is unique, NULL: all are */
static inline const char *unique_of(const char *name, char text[200])
{
    const char *dot = strrchr(name, '.');
    (void)snprintf(text, 200, "%.*s.unique%s", (int)(dot != NULL ? dot - name : 0), name,
                   dot != NULL ? dot : "");
    return text;
}

static inline int find_column(const mechanism *m, const char *name)
{
    const crank_model *model = crank_state_model(m->model);
    for (int i = 0; i < crank_model_column_count(model); i++) {
        if (strcmp(crank_model_column_name(model, i), name) == 0) {
            return i;
        }
    }
    return -1;
}

/* all columns of results: joints' coordinates, reactions, energies, multipliers of equations */
static inline void compare_columns(mechanism *joint, mechanism *absolute)
{
    const crank_model *model = crank_state_model(joint->model);
    double one[MECHANISM_MAX], other[MECHANISM_MAX], size = 1.0;
    char text[200];
    CHECK_OK(crank_state_columns(joint->model, joint->t, joint->x, one, &joint->err),
             joint->err);
    CHECK_OK(
        crank_state_columns(absolute->model, absolute->t, absolute->x, other, &absolute->err),
        absolute->err);
    for (int i = 0; i < crank_model_column_count(model); i++) {
        size = fmax(size, fabs(other[i]));
    }
    for (int i = 0; i < crank_model_column_count(model); i++) {
        const char *name = crank_model_column_name(model, i);
        const int unique = find_column(joint, unique_of(name, text));
        assert_string_equal(name,
                            crank_model_column_name(crank_state_model(absolute->model), i));
        if ((unique < 0 || other[unique] == 1.0) && !(fabs(one[i] - other[i]) < 1e-10 * size)) {
            fail_msg("%s: %.15g, absolute %.15g", name, one[i], other[i]);
        }
    }
}

static inline void compare_accelerations(mechanism *joint, mechanism *absolute)
{
    crank_system *s = joint->eom->self, *a = absolute->eom->self;
    double size = 1.0;
    crank_system_point(s, joint->t, joint->x);
    crank_system_point(a, absolute->t, absolute->x);
    for (int i = 0; i < s->body_count; i++) {
        for (int k = 0; k < 3; k++) {
            size = fmax(size, fmax(fabs(a->state[i].a[k]), fabs(a->state[i].alpha[k])));
        }
    }
    for (int i = 0; i < s->body_count; i++) {
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(s->state[i].a[k], a->state[i].a[k], 1e-10 * size);
            CHECK_NEAR(s->state[i].alpha[k], a->state[i].alpha[k], 1e-10 * size);
        }
    }
}

#endif
