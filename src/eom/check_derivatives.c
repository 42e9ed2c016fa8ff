/* check_derivatives.c - every derivative that an eom supplies, against differences.
 *
 * Jacobian entries are compared with central differences of k (order 4, from two steps),
 * column by column (in large models all columns at once that share no row) and also outside the
 * pattern; dynamic rows are taken as f_dyn - M vdot
 * with an arbitrary vdot, so that dM/dx is tested too. gI, gII and hI are compared with the
 * derivatives of g, gI and h along the motion (flow.c). A deviation counts as far as it
 * exceeds the error of the difference, relative to the larger of the two values (at least to
 * a thousandth of the row's largest entry, of unknowns over their units). Where that is not
 * nothing, a function may be steep beside the unknown's unit (the exponential of a diode), or
 * have a corner within the steps or at the point itself (max): shorter steps are tried, whose
 * rounding counts as deviation, and each side alone. A derivative that is right agrees
 * with one of these differences, a wrong one with none. Equations that were solved for rates
 * (DAEs) have more rounding than the size of their rows says, if they are nearly dependent: the
 * fourth differences of very short steps show it. Where a function of
 * time bends at t itself (a table that begins there), central differences are the mean of both
 * sides:
 * levels that deviate at t are looked at a little later, too, and the better of both counts.
 * The difference has the rounding of what is subtracted: of a square near its zero, as the
 * power of a damper at rest, that is all there is. What is subtracted in a row may also vanish
 * at the point alone (the power of a wheel under load, F rate - k p p', at rest): rows that
 * deviate are measured at the neighbour, too. So are their entries: where all of a row vanish at the
 * point (the power of a damper at rest) nothing else there says what is large. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/differences.h"
#include "eom/flow.h"
#include "eom/scale.h"
#include "linalg/colouring.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ONE_BY_ONE = 300 }; /* unknowns up to which columns are moved one by one */
/* deviations above this are looked at with other steps */
static const double doubtful = 1e-6;
/* parts of the usual step that show rounding, and how much more there may be of it */
static const double short_enough = 1.0 / 4096, sample = 4.0;

typedef struct checker {
    crank_eom *eom;
    crank_arena arena;
    crank_flow flow;
    crank_scale units;
    double *values, *scale, *row_max, *k, *x, *side[4], *here, *column, *vdot, *mass;
    double *deviation, *difference; /* m: in the present group, the least and its difference */
    double *noise, *seen;     /* m: what rounding does, as far as was seen before, and now */
    double *far_values, *far; /* Jacobian and scales of rows at a neighbour */
    double *far_max;          /* m: as row_max, there */
    bool again;               /* some deviated before */
    int *owner;         /* m: column of the present group with an entry in the row, -1: none */
    int *colour, *list; /* n: group of each column; columns group by group */
    int *start, groups; /* n + 1: of the groups in list */
    double worst;
    char *text;
    size_t size;
} checker;

static void layout(checker *c, crank_arena *arena)
{
    const crank_eom *eom = c->eom;
    const size_t n = (size_t)eom->n, m = (size_t)eom->m, nv = (size_t)eom->sizes.v;
    c->values = crank_arena_take(arena, (size_t)eom->jacobian_pattern.start[n], sizeof(double));
    c->scale = crank_arena_take(arena, m, sizeof(double));
    c->far = crank_arena_take(arena, m, sizeof(double));
    c->far_max = crank_arena_take(arena, m, sizeof(double));
    c->far_values =
        crank_arena_take(arena, (size_t)eom->jacobian_pattern.start[n], sizeof(double));
    c->row_max = crank_arena_take(arena, m, sizeof(double));
    c->k = crank_arena_take(arena, m, sizeof(double));
    c->x = crank_arena_take(arena, n, sizeof(double));
    for (int i = 0; i < 4; i++) {
        c->side[i] = crank_arena_take(arena, m, sizeof(double));
    }
    c->here = crank_arena_take(arena, m, sizeof(double));
    c->column = crank_arena_take(arena, m, sizeof(double));
    c->deviation = crank_arena_take(arena, m, sizeof(double));
    c->difference = crank_arena_take(arena, m, sizeof(double));
    c->noise = crank_arena_take(arena, m, sizeof(double));
    c->seen = crank_arena_take(arena, m, sizeof(double));
    c->vdot = crank_arena_take(arena, nv, sizeof(double));
    c->mass = crank_arena_take(arena, (size_t)eom->mass_pattern.start[nv], sizeof(double));
    c->owner = crank_arena_take(arena, m, sizeof(int));
    c->colour = crank_arena_take(arena, n, sizeof(int));
    c->list = crank_arena_take(arena, n, sizeof(int));
    c->start = crank_arena_take(arena, n + 2, sizeof(int));
    crank_flow_layout(&c->flow, arena);
    crank_scale_layout(&c->units, arena);
}

/* k with M vdot taken off the dynamic rows. */
static crank_status evaluate(checker *c, double t, const double *x, double *k, crank_error *err)
{
    crank_eom *eom = c->eom;
    crank_status status = crank_eom_evaluate(eom, t, x, k, err);
    CRANK_THEN(status, crank_eom_evaluate_mass(eom, t, x, c->mass, err));
    if (status == CRANK_OK) {
        crank_eom_subtract_mass(eom, c->mass, c->vdot, k);
    }
    return status;
}

static double deviation_of(double given, double difference, double noise, double least)
{
    const double size = fmax(fmax(fabs(given), fabs(difference)), least);
    const double beyond = fabs(given - difference) - noise;
    return beyond <= 0.0 ? 0.0
                         : beyond / size; /* sizes may all be zero; not a number stays so */
}

/* Notes a deviation if it is the worst so far; column < 0: a hidden level. */
static void note(checker *c, int row, int column, double given, double difference,
                 double deviation)
{
    if (deviation <= c->worst) {
        return;
    }
    char name[160];
    c->worst = deviation;
    (void)crank_eom_row_name(c->eom, row, name, sizeof name);
    if (column < 0) {
        (void)snprintf(c->text, c->size, "%s: given %.10g, derivative along the motion %.10g",
                       name, given, difference);
    } else {
        (void)snprintf(c->text, c->size,
                       "derivative of %s by %s: given %.10g, differences give %.10g%s", name,
                       crank_eom_column_name(c->eom, column), given, difference,
                       c->owner[row] >= 0 ? "" : " (not in the pattern)");
    }
}

/* Groups of columns that share no row; in small models every column is its own group, so that
 * an entry outside the pattern can be named. */
static crank_status make_groups(checker *c, crank_error *err)
{
    const int n = c->eom->n;
    c->groups = n;
    for (int j = 0; j < n; j++) {
        c->colour[j] = j;
    }
    if (n > ONE_BY_ONE) {
        const crank_status status =
            crank_colouring(&c->eom->jacobian_pattern, c->colour, &c->groups, err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    memset(c->start, 0, ((size_t)n + 2) * sizeof *c->start);
    for (int j = 0; j < n; j++) {
        c->start[c->colour[j] + 2]++;
    }
    for (int g = 0; g < c->groups; g++) {
        c->start[g + 1] += c->start[g];
    }
    for (int j = 0; j < n; j++) {
        c->list[c->start[c->colour[j] + 1]++] = j;
    }
    return CRANK_OK;
}

/* What is given in the columns of a group, row by row. */
static void spread(checker *c, int group)
{
    const crank_pattern *pattern = &c->eom->jacobian_pattern;
    memset(c->column, 0, (size_t)c->eom->m * sizeof *c->column);
    for (int i = 0; i < c->eom->m; i++) {
        c->owner[i] = -1;
        c->deviation[i] = (double)INFINITY;
    }
    for (int l = c->start[group]; l < c->start[group + 1]; l++) {
        const int j = c->list[l];
        for (int q = pattern->start[j]; q < pattern->start[j + 1]; q++) {
            c->column[pattern->row[q]] = c->values[q];
            c->owner[pattern->row[q]] = j;
        }
    }
}

static int owner_of(const checker *c, int group, int row)
{
    return c->owner[row] >= 0 ? c->owner[row] : c->list[c->start[group]];
}

static void take_least(checker *c, int row, double difference, double deviation)
{
    if (deviation < c->deviation[row]) {
        c->deviation[row] = deviation;
        c->difference[row] = difference;
    }
}

/* The differences at hand, of steps that are `part` of the usual ones. */
static void compare_row(checker *c, const double *x, int i, int j, double part)
{
    const crank_eom *eom = c->eom;
    const double unit = 100.0 * DBL_EPSILON + eom->noise, given = c->column[i],
                 step = part * crank_difference_step(x[j], c->units.unit[j]),
                 narrow = (c->side[0][i] - c->side[1][i]) / (2.0 * step),
                 wide = (c->side[2][i] - c->side[3][i]) / (4.0 * step),
                 size =
                     fmax(c->scale[i], c->far[i]) + fabs(c->side[2][i]) + fabs(c->side[3][i]),
                 rounding = unit * size / step, both = (4.0 * narrow - wide) / 3.0,
                 largest = fmax(c->row_max[i], c->far_max[i]),
                 least =
                     1e-3 * fmax(eom->parts != NULL ? 0.0 : 1.0, largest) / c->units.unit[j];
    /* the longest that stay in the domain */
    const bool longest = part == 1.0 || isinf(c->deviation[i]);
    const double noise =
        longest ? rounding + c->noise[i] / step + 0.1 * fabs(wide - narrow) : -rounding;
    take_least(c, i, both, deviation_of(given, both, noise, least));
    for (int side = 0; side < 2; side++) { /* above, below: what the other side is made of
                                              does not matter */
        const double sign = side == 0 ? 1.0 : -1.0,
                     near = sign * (c->side[side][i] - c->here[i]) / step,
                     far = sign * (c->side[side + 2][i] - c->here[i]) / (2.0 * step),
                     made_of = c->scale[i] + fabs(c->here[i]) + fabs(c->side[side + 2][i]),
                     loss = 3.0 * unit * made_of / step, alone = 2.0 * near - far;
        take_least(c, i, alone,
                   deviation_of(given, alone,
                                longest
                                    ? loss + 3.0 * c->noise[i] / step + 0.1 * fabs(far - near)
                                    : -loss,
                                least));
    }
}

/* c->x = x, but along the columns of a group */
static void move_to(checker *c, const double *x, int group, double parts_of_step)
{
    for (int l = c->start[group]; l < c->start[group + 1]; l++) {
        const int j = c->list[l];
        c->x[j] = x[j] + parts_of_step * crank_difference_step(x[j], c->units.unit[j]);
    }
}

/* The four neighbours of x along the columns of a group. */
static crank_status evaluate_sides(checker *c, double t, const double *x, int group,
                                   double part, crank_error *err)
{
    static const double place[4] = {1.0, -1.0, 2.0, -2.0};
    crank_status status = CRANK_OK;
    for (int i = 0; i < 4 && status == CRANK_OK; i++) {
        move_to(c, x, group, place[i] * part);
        status = evaluate(c, t, c->x, c->side[i], err);
    }
    move_to(c, x, group, 0.0);
    return status;
}

/* Largest entries of rows over units. */
static void find_largest(const checker *c, const double *values, double *largest)
{
    const crank_pattern *pattern = &c->eom->jacobian_pattern;
    memset(largest, 0, (size_t)c->eom->m * sizeof *largest);
    for (int j = 0; j < c->eom->n; j++) {
        for (int q = pattern->start[j]; q < pattern->start[j + 1]; q++) {
            double *row = &largest[pattern->row[q]];
            *row = fmax(*row, fabs(values[q]) * c->units.unit[j]);
        }
    }
}

/* What the rows are made of at the farthest neighbour. */
static crank_status measure_far(checker *c, double t, const double *x, int group, double part,
                                crank_error *err)
{
    move_to(c, x, group, 2.0 * part);
    const crank_status status =
        crank_eom_evaluate_jacobian(c->eom, t, c->x, c->vdot, c->far_values, err);
    if (status == CRANK_OK) {
        crank_eom_row_scale(c->eom, c->far_values, c->x, c->far);
        find_largest(c, c->far_values, c->far_max);
    }
    move_to(c, x, group, 0.0);
    return status;
}

/* The fourth differences of steps so short that nothing else is left of them. */
static void see_noise(checker *c)
{
    for (int i = 0; i < c->eom->m; i++) {
        const double fourth = c->side[2][i] + c->side[3][i] + 6.0 * c->here[i] -
                              4.0 * (c->side[0][i] + c->side[1][i]);
        c->seen[i] = fmax(c->seen[i], sample * fabs(fourth));
    }
}

/* Steps that are a power of two are exact parts of the usual ones. */
static crank_status compare_group(checker *c, double t, const double *x, int group,
                                  bool *agrees, crank_error *err)
{
    static const double parts[] = {1.0, 1.0 / 16, 1.0 / 256, 1.0 / 4096, 1.0 / 65536};
    bool good = false;
    spread(c, group);
    for (size_t try = 0; try < sizeof parts / sizeof *parts && !good; try++) {
        crank_status status = evaluate_sides(c, t, x, group, parts[try], err);
        if (c->again) {
            CRANK_THEN(status, measure_far(c, t, x, group, parts[try], err));
        }
        if (status < 0) {
            return status;
        }
        good = status == CRANK_OK; /* else at the border of the domain */
        if (good && parts[try] <= short_enough) {
            see_noise(c);
        }
        for (int i = 0; i < c->eom->m && status == CRANK_OK; i++) {
            compare_row(c, x, i, owner_of(c, group, i), parts[try]);
            good = good && c->deviation[i] <= doubtful;
        }
    }
    *agrees = *agrees && good;
    for (int i = 0; i < c->eom->m; i++) {
        if (isfinite(c->deviation[i])) {
            note(c, i, owner_of(c, group, i), c->column[i], c->difference[i], c->deviation[i]);
        }
    }
    return CRANK_OK;
}

/* Once more if some deviate, when more is known of rounding. */
static crank_status compare_groups(checker *c, double t, const double *x, crank_error *err)
{
    crank_status status = CRANK_OK;
    bool agrees = false;
    for (int round = 0; round < 2 && !agrees; round++) {
        agrees = true;
        c->again = round > 0;
        c->worst = 0.0;
        (void)snprintf(c->text, c->size, "no deviation beyond rounding");
        memcpy(c->noise, c->seen, (size_t)c->eom->m * sizeof *c->noise);
        for (int group = 0; group < c->groups && status == CRANK_OK; group++) {
            status = compare_group(c, t, x, group, &agrees, err);
        }
    }
    return status;
}

static crank_status check_jacobian(checker *c, double t, const double *x, crank_error *err)
{
    crank_eom *eom = c->eom;
    crank_status status = crank_eom_evaluate_jacobian(eom, t, x, c->vdot, c->values, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_eom_row_scale(eom, c->values, x, c->scale);
    for (int i = 0; i < eom->m; i++) {
        c->scale[i] += fabs(c->k[i]);
    }
    crank_scale_measure(&c->units, c->values, x, NULL);
    find_largest(c, c->values, c->row_max);
    memcpy(c->x, x, (size_t)eom->n * sizeof *x);
    status = make_groups(c, err);
    CRANK_THEN(status, evaluate(c, t, x, c->here, err));
    return status == CRANK_OK ? compare_groups(c, t, x, err) : status;
}

static crank_status flow_evaluate(void *self, double t, const double *x, double *k,
                                  crank_error *err)
{
    return crank_eom_evaluate(self, t, x, k, err);
}

static crank_status flow_mass(void *self, double t, const double *x, double *values,
                              crank_error *err)
{
    return crank_eom_evaluate_mass(self, t, x, values, err);
}

static crank_status check_levels(checker *c, double t, const double *x, crank_error *err)
{
    crank_eom *eom = c->eom;
    const int nl = eom->sizes.lambda, nm = eom->sizes.mu;
    if (nl + nm == 0 || eom->noise > 0.0) {
        return CRANK_OK; /* made by the same differences: nothing to compare */
    }
    crank_status status = crank_flow_prepare(&c->flow, t, x, c->k, err);
    if (status == CRANK_EREFUSED) {
        return CRANK_OK; /* M singular: no accelerations without multipliers */
    }
    CRANK_THEN(status, crank_flow_levels(&c->flow, t, x, c->k, err));
    if (status != CRANK_OK) {
        return status;
    }
    const struct {
        int row, count;
        const double *made, *low;
    } level[] = {{eom->row[CRANK_ROW_GI], nl, c->flow.gI, c->flow.low},
                 {eom->row[CRANK_ROW_GII], eom->has_acceleration_level ? nl : 0, c->flow.gII,
                  c->flow.low + nl},
                 {eom->row[CRANK_ROW_HI], eom->has_acceleration_level ? nm : 0, c->flow.hI,
                  c->flow.low + 2 * (ptrdiff_t)nl}};
    for (int l = 0; l < 3; l++) {
        for (int i = 0; i < level[l].count; i++) {
            const int row = level[l].row + i;
            /* at a knot of a table the two orders differ by a ninth of their error */
            const double error = 20.0 * fabs(level[l].made[i] - level[l].low[i]);
            note(c, row, -1, c->k[row], level[l].made[i],
                 deviation_of(c->k[row], level[l].made[i], 1e-10 * c->scale[row] + error,
                              1e-3 * c->scale[row]));
        }
    }
    return CRANK_OK;
}

/* Levels at t, and if they deviate later by shift, x the same: derivatives are those of
 * functions at any point. */
static crank_status check_levels_twice(checker *c, double t, const double *x, double shift,
                                       crank_error *err)
{
    const double before = c->worst;
    char text[240];
    (void)snprintf(text, sizeof text, "%s", c->text);
    const crank_status status = check_levels(c, t, x, err);
    const double first = c->worst;
    if (status != CRANK_OK || first <= before) {
        return status;
    }
    char told[240];
    (void)snprintf(told, sizeof told, "%s", c->text);
    c->worst = before;
    (void)snprintf(c->text, c->size, "%s", text);
    crank_status later = crank_eom_evaluate(c->eom, t + shift, x, c->k, err);
    CRANK_THEN(later, check_levels(c, t + shift, x, err));
    if (later != CRANK_OK || c->worst >= first) { /* or there are no equations there */
        c->worst = first;
        (void)snprintf(c->text, c->size, "%s", told);
    }
    return later < CRANK_OK ? later : CRANK_OK;
}

crank_status crank_eom_check_derivatives(crank_eom *eom, double t, const double *x,
                                         double *deviation, char *text, size_t size,
                                         crank_error *err)
{
    checker c = {.eom = eom, .text = text, .size = size, .worst = 0.0};
    c.units = (crank_scale){.eom = eom};
    c.flow = (crank_flow){.eom = eom,
                          .evaluate = flow_evaluate,
                          .mass = flow_mass,
                          .self = eom,
                          .from_velocity = true};
    *deviation = 0.0;
    layout(&c, &c.arena);
    if (!crank_arena_allocate(&c.arena)) {
        return crank_fail(err, CRANK_EMEM, "derivative check of %d unknowns", eom->n);
    }
    layout(&c, &c.arena);
    const double time = crank_scale_time(eom, x);
    for (int j = 0; j < eom->sizes.v;
         j++) { /* any numbers of the size of accelerations will do */
        bool known;
        const double speed = crank_scale_unit(eom, eom->column[CRANK_V] + j, &known);
        c.vdot[j] = speed / (time > 0.0 ? time : 1.0) / (1.0 + j % 3);
    }
    crank_status status = crank_eom_evaluate(eom, t, x, c.k, err);
    CRANK_THEN(status, check_jacobian(&c, t, x, err));
    /* differences reach less than 0.03 of the time */
    CRANK_THEN(status, check_levels_twice(&c, t, x, 0.1 * (time > 0.0 ? time : 1.0), err));
    crank_arena_free(&c.arena);
    *deviation = c.worst;
    return status;
}
