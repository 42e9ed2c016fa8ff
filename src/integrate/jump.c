/* jump.c - one long step across a singular position, on the motion that is smooth there. theory
 * 4.10.
 *
 * At the position the constraints lose rank, multipliers may have a pole and no Newton matrix
 * is regular; but p, v, r of the motion that came in are smooth. Gauss's collocation with eight
 * stages, order 16, has no stage at the middle of the step, so the step is laid with the
 * position in its middle:
 *     X_i = x_0 + h sum_j a_ij F_j,   F_i = x' at X_i corrected onto the constraints,
 *         theory (4.22)
 *     x_1 = x_0 + h sum_i b_i F_i
 * iterated stage by stage, each with a decomposition of its own. Error: the polynomial through
 * the F_i must meet the rates at both ends, which it does not know, theory (4.23). Rows between
 * the ends come from the polynomial through all ten rates. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/jump.h"
#include "base/then.h"

#include <math.h>
#include <string.h>

enum {
    STAGES = CRANK_JUMP_STAGES,
    RATES = CRANK_JUMP_RATES,
    MAX_SWEEPS = 20,
    CENTRED_SWEEPS = 2
};

const double crank_jump_c[STAGES] = {0.0198550717512318841582, 0.1016667612931866302042,
                                     0.2372337950418355070911, 0.4082826787521750975302,
                                     0.5917173212478249024697, 0.7627662049581644929088,
                                     0.8983332387068133697957, 0.9801449282487681158417};
const double crank_jump_b[STAGES] = {0.0506142681451881295762, 0.1111905172266872352721,
                                     0.1568533229389436436689, 0.1813418916891809914825,
                                     0.1813418916891809914825, 0.1568533229389436436689,
                                     0.1111905172266872352721, 0.0506142681451881295762};

/* over the tolerance: where the iteration ends, the largest defect of the rates, and the
 * largest changes by rounding at which the iteration may stall */
static const double converged = 0.02, defect_limit = 30.0, noise_limit = 1e4;
/* of the step's length: how far from its middle the position may turn out to be */
static const double largest_shift = 0.2;
/* change of positions by a correction, over the way to the singular position: less stays on the
 * branch */
static const double branch_limit = 0.1;

void crank_jump_layout(crank_jump *jump, crank_arena *arena, int n, int m)
{
    const size_t length = (size_t)n;
    jump->X = crank_arena_take(arena, STAGES * length, sizeof(double));
    jump->rate = crank_arena_take(arena, RATES * length, sizeof(double));
    jump->start = crank_arena_take(arena, length, sizeof(double));
    jump->end = crank_arena_take(arena, length, sizeof(double));
    jump->tolerance = crank_arena_take(arena, length, sizeof(double));
    jump->work = crank_arena_take(arena, 2 * length, sizeof(double));
    jump->k = crank_arena_take(arena, (size_t)m, sizeof(double));
}

/* l_j(x) over count nodes */
static double lagrange(int count, const double *node, int j, double x)
{
    double l = 1.0;
    for (int k = 0; k < count; k++) {
        if (k != j) {
            l *= (x - node[k]) / (node[j] - node[k]);
        }
    }
    return l;
}

/* integrals of l_j from 0 to x, by Gauss's own quadrature, which is exact */
static void integrals(int count, const double *node, double x, double *weight)
{
    for (int j = 0; j < count; j++) {
        weight[j] = 0.0;
        for (int k = 0; k < STAGES; k++) {
            weight[j] += x * crank_jump_b[k] * lagrange(count, node, j, x * crank_jump_c[k]);
        }
    }
}

static double *rate_of(const crank_integrator *it, const crank_jump *jump, int i)
{
    return jump->rate + (long)i * it->n;
}

/* y = x_0 + h sum weight_i rate_i over differential unknowns */
static void combine(const crank_integrator *it, const crank_jump *jump, int first, int count,
                    const double *weight, double *y)
{
    for (int j = 0; j < it->n; j++) {
        if (crank_integrator_is_differential(it, j)) {
            double sum = 0.0;
            for (int i = 0; i < count; i++) {
                sum += weight[i] * jump->rate[(long)(first + i) * it->n + j];
            }
            y[j] = jump->start[j] + jump->h * sum;
        }
    }
}

/* x' at (t, x), which satisfies the constraints */
static crank_status rates(crank_integrator *it, crank_jump *jump, double t, const double *x,
                          double *rate, crank_error *err)
{
    crank_problem *p = it->problem;
    const crank_status status = p->evaluate(p, 1, &t, x, jump->k, err);
    return status == CRANK_OK ? p->rates(p, t, x, jump->k, rate, err) : status;
}

/* largest |factor y_j| over the tolerance, differential unknowns */
static double size_of(const crank_integrator *it, const crank_jump *jump, double factor,
                      const double *y)
{
    double largest = 0.0;
    for (int j = 0; j < it->n; j++) {
        if (crank_integrator_is_differential(it, j)) {
            const double size = fabs(factor * y[j]) / jump->tolerance[j];
            largest = size <= largest ? largest : size; /* NaN stays */
        }
    }
    return largest;
}

/* did the correction from y to x stay small beside what the positions move from t to the
 * singular position? */
static bool same_branch(const crank_integrator *it, const crank_jump *jump, double t,
                        const double *x, const double *y, const double *rate)
{
    double change = 0.0, speed = 0.0;
    for (int j = 0; j < it->n; j++) {
        if (it->problem->group[j] == CRANK_P) {
            change = fmax(change, fabs(x[j] - y[j]));
            speed = fmax(speed, fabs(rate[j]));
        }
    }
    return change <= branch_limit * speed * fabs(t - jump->zero);
}

/* one stage: corrects X_i and renews its rate; *change: of the rate, as it acts on the end */
static crank_status stage(crank_integrator *it, crank_jump *jump, int i, double *change,
                          crank_error *err)
{
    crank_problem *p = it->problem;
    const int n = it->n;
    const double t = jump->t + crank_jump_c[i] * jump->h;
    double *x = jump->X + (long)i * n, *rate = rate_of(it, jump, i + 1);
    double *predicted = jump->work, *fresh = jump->work + n, a[STAGES];
    integrals(STAGES, crank_jump_c, crank_jump_c[i], a);
    combine(it, jump, 1, STAGES, a, x);
    memcpy(predicted, x, (size_t)n * sizeof *x);
    crank_status status = p->prepare(p, t, x, NULL, err);
    if (status == CRANK_OK) {
        jump->regularity[i] = p->passage->regularity(p);
        status = p->constraints->correct(p, t, x, err);
    }
    if (status == CRANK_OK) {
        memcpy(fresh, rate, (size_t)n * sizeof *fresh);
        status = rates(it, jump, t, x, fresh, err);
    }
    if (status != CRANK_OK || !same_branch(it, jump, t, x, predicted, fresh)) {
        return CRANK_RETRY;
    }
    for (int j = 0; j < n; j++) {
        const double difference = fresh[j] - rate[j];
        rate[j] = fresh[j];
        fresh[j] = difference;
    }
    *change = fmax(*change, size_of(it, jump, jump->h * crank_jump_b[i], fresh));
    return CRANK_OK;
}

/* the polynomial of the stages' rates against the rate at one end (x = 0 or 1) */
static double defect(const crank_integrator *it, crank_jump *jump, double x, const double *rate)
{
    double weight[STAGES];
    for (int i = 0; i < STAGES; i++) {
        weight[i] = lagrange(STAGES, crank_jump_c, i, x);
    }
    for (int j = 0; j < it->n; j++) {
        jump->work[j] = -rate[j];
        for (int i = 0; i < STAGES; i++) {
            jump->work[j] += weight[i] * jump->rate[(long)(i + 1) * it->n + j];
        }
    }
    return size_of(it, jump, jump->h, jump->work);
}

/* The position in the middle, by what the stages saw of the constraints: regularity q falls to
 * zero from both sides, and the lines through two stages of each side tell where. The rates
 * stay as a guess. */
static void centre(crank_jump *jump)
{
    static const int outer[2] = {1, STAGES - 2}, inner[2] = {2, STAGES - 3};
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        const double c0 = crank_jump_c[outer[side]], c1 = crank_jump_c[inner[side]];
        const double q0 = jump->regularity[outer[side]], q1 = jump->regularity[inner[side]];
        sum += c1 + q1 * (c1 - c0) / (q0 - q1);
    }
    const double middle = 0.5 * sum;
    if (middle > 0.5 - largest_shift && middle < 0.5 + largest_shift) {
        jump->zero = jump->t + middle * jump->h;
        jump->h = 2.0 * (jump->zero - jump->t);
    }
}

/* Sweeps over the stages until the end does not change any more, or by rounding only; *noise:
 * how much. The rates' error by rounding is a multiple of eps/q^3: it may exceed the tolerance,
 * but is smaller than nearer to the position. CRANK_RETRY, also as soon as the defect at the
 * start shows that the jump is too long. */
static crank_status iterate(crank_integrator *it, crank_jump *jump, double *noise,
                            crank_error *err)
{
    double last = (double)INFINITY;
    for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
        double change = 0.0;
        for (int i = 0; i < STAGES; i++) {
            const crank_status status = stage(it, jump, i, &change, err);
            if (status != CRANK_OK) {
                return status;
            }
        }
        const bool stalled = sweep > 2 && !(change <= 0.5 * last);
        if (change <= converged || stalled) {
            *noise = change;
            return change <= noise_limit ? CRANK_OK : CRANK_RETRY;
        }
        const double start = defect(it, jump, 0.0, rate_of(it, jump, 0));
        if (!isfinite(change) || (start > defect_limit && change < 0.1 * start)) {
            jump->too_long = start / defect_limit;
            return CRANK_RETRY;
        }
        if (sweep < CENTRED_SWEEPS) {
            centre(jump);
        }
        last = change;
    }
    return CRANK_RETRY;
}

static void set_tolerance(const crank_integrator *it, crank_jump *jump)
{
    const double *noise = it->problem->noise;
    for (int j = 0; j < it->n; j++) {
        const double tolerance = it->atol[j] + it->rtol[j] * fabs(it->x[j]);
        jump->tolerance[j] =
            noise != NULL ? fmax(tolerance, crank_noise_factor * noise[j]) : tolerance;
    }
}

crank_status crank_jump_solve(crank_integrator *it, crank_jump *jump, crank_error *err)
{
    crank_problem *p = it->problem;
    const int n = it->n;
    double noise = 0.0;
    double *first = rate_of(it, jump, 0), *last = rate_of(it, jump, RATES - 1);
    jump->too_long = 0.0;
    set_tolerance(it, jump);
    memcpy(jump->start, it->x, (size_t)n * sizeof *it->x);
    crank_status status = rates(it, jump, it->t, it->x, first, err);
    CRANK_THEN(status, iterate(it, jump, &noise, err));
    const double t = jump->t + jump->h, allowed = fmax(defect_limit, 3.0 * noise);
    if (status != CRANK_OK || !(defect(it, jump, 0.0, first) <= allowed)) {
        return CRANK_RETRY;
    }
    memcpy(jump->end, jump->X + (STAGES - 1) * (long)n, (size_t)n * sizeof *jump->end);
    combine(it, jump, 1, STAGES, crank_jump_b, jump->end);
    memcpy(last, rate_of(it, jump, STAGES), (size_t)n * sizeof *last);
    status = p->passage->land(p, t, jump->end, last, err);
    CRANK_THEN(status, rates(it, jump, t, jump->end, last, err));
    const bool passed = status == CRANK_OK && defect(it, jump, 1.0, last) <= allowed;
    p->passage->landed(p, passed, jump->zero);
    return passed ? CRANK_OK : CRANK_RETRY;
}

/* s and w at `at` from their values at the ends and stages; without rates, but smooth, too */
static void interpolate_values(const crank_integrator *it, const crank_jump *jump,
                               const double *node, double at, double *x)
{
    double weight[RATES];
    for (int i = 0; i < RATES; i++) {
        weight[i] = lagrange(RATES, node, i, at);
    }
    for (int j = 0; j < it->n; j++) {
        const int g = it->problem->group[j];
        if (g == CRANK_S || g == CRANK_W) {
            x[j] = weight[0] * jump->start[j] + weight[RATES - 1] * jump->end[j];
            for (int i = 0; i < STAGES; i++) {
                x[j] += weight[i + 1] * jump->X[(long)i * it->n + j];
            }
        }
    }
}

void crank_jump_value(const crank_integrator *it, const crank_jump *jump, double t, double *x)
{
    double node[RATES] = {0.0}, weight[RATES], whole[RATES];
    memcpy(node + 1, crank_jump_c, sizeof crank_jump_c);
    node[RATES - 1] = 1.0;
    const double at = (t - jump->t) / jump->h;
    integrals(RATES, node, at, weight);
    integrals(RATES, node, 1.0, whole);
    combine(it, jump, 0, RATES, weight, x);
    for (int j = 0; j < it->n; j++) { /* what the correction at the end changed */
        if (crank_integrator_is_differential(it, j)) {
            double sum = 0.0;
            for (int i = 0; i < RATES; i++) {
                sum += whole[i] * jump->rate[(long)i * it->n + j];
            }
            x[j] += at * (jump->end[j] - jump->start[j] - jump->h * sum);
        }
    }
    interpolate_values(it, jump, node, at, x);
}

/* Tolerance, work, k, zero, regularity and too_long are filled anew before they are read. */
void crank_jump_archive(crank_jump *jump, int unknowns, crank_archive *a)
{
    const size_t n = (size_t)unknowns;
    crank_archive_doubles(a, jump->X, CRANK_JUMP_STAGES * n);
    crank_archive_doubles(a, jump->rate, CRANK_JUMP_RATES * n);
    crank_archive_doubles(a, jump->start, n);
    crank_archive_doubles(a, jump->end, n);
    crank_archive_double(a, &jump->t);
    crank_archive_double(a, &jump->h);
    crank_archive_double(a, &jump->longest);
    crank_archive_double(a, &jump->failed_t);
}
