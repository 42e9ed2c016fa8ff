/* explicit.h - the state of embedded explicit Runge-Kutta methods: explicit.c (steps),
 * explicit_stages.c (stages, error estimate, rows between steps), explicit_border.c (fast
 * oscillations). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EXPLICIT_H
#define CRANK_SRC_EXPLICIT_H

#include "integrate/explicit_common.h"
#include "integrate/tableau_dopri.h"

enum { CRANK_EXPLICIT_RUNS = 4 };
/* Accepted steps from one look at fast oscillations to the next, as many as end a row of signs
 * of stiffness [HNW93, II.10]; twice as many after each that finds none near the border. What
 * was seen is forgotten where the second look in a row finds none. */
enum { CRANK_EXPLICIT_WAIT = 6 };

/* A row of the tableau without its zeros: so many numbers of the lists below, from `first`
 * on. */
enum { CRANK_MOST_TERMS = 16, CRANK_MOST_DENSE = 4, CRANK_MOST_NUMBERS = 160 };
typedef struct crank_terms {
    int count, first;
} crank_terms;

/* What an estimate says of derivatives: low/h^4, high/h^6. */
typedef struct crank_rough {
    double fourth, sixth;
} crank_rough;

typedef struct crank_explicit {
    const crank_tableau *tableau;
    crank_terms row[CRANK_MOST_TERMS], ahead[CRANK_MOST_TERMS], estimate, estimate_low,
        dense[CRANK_MOST_DENSE];
    int number_count;
    double number[CRANK_MOST_NUMBERS + 4]; /* they are read in fours */
    long offset[CRANK_MOST_NUMBERS];       /* where the rates of the number's stage begin */
    /* differential unknowns are those from first[i] to last[i] - 1 */
    int run_count, first[CRANK_EXPLICIT_RUNS], last[CRANK_EXPLICIT_RUNS];
    double *K;          /* width x n: rates at the stages of the step that is tried */
    double *K_accepted; /* the same of the last accepted step */
    double *X;          /* n: the stage that was evaluated last */
    double *end;        /* n: end of the step that is tried */
    double *begin;      /* n: where the last accepted step began */
    double *rate;       /* n: x' at it->x */
    double *work;       /* n */
    double *from;       /* n: half-explicit methods, where a stage leads to but for its share */
    double *D;          /* dense_rows x n: of the continuous extension, D_4 and on, */
    bool D_known;       /* of the last accepted step */
    bool extended;      /* the further stages of the last accepted step are known */
    bool elsewhere;     /* the problem was prepared at the end of a step that is not accepted */
    double aim;         /* error of the step that is tried, by which the next one is chosen */
    double size;        /* h |eigenvalue| of the last accepted step */
    double rate_seen;   /* |eigenvalue| of the oscillation that was seen last; 0: none, */
    double border_seen; /* h |eigenvalue| that is stable; */
    int looked, wait;   /* accepted steps since the last look, and to the next */
    double error_accepted;
    double high, low; /* parts of the last estimate; low 0: it has one */
    crank_rough
        rough[2]; /* of the last two accepted steps, the last one first; negative: not known */
    crank_stiffness stiffness;
} crank_explicit;

/* explicit_sums.c: out[i] = x[i] + sum_j factor[j] K[offset[j] + i], i < 4; x NULL: zero. */
void crank_explicit_add_four(int count, const double *factor, const long *offset,
                             const double *K, const double *x, double *out);
/* The same for i < 8. */
void crank_explicit_add_eight(int count, const double *factor, const long *offset,
                              const double *K, const double *x, double *out);
/* explicit_stages.c. The tableau's rows without zeros, once it is chosen. */
void crank_explicit_list_terms(crank_explicit *s, int n);
/* The step from it->x, s->rate of length it->h: s->K, s->X, s->end. */
crank_status crank_explicit_stages(crank_integrator *it, crank_explicit *s, crank_error *err);
/* Size of the error estimate in units of the tolerance. CRANK_RETRY: not available. */
crank_status crank_explicit_estimate(crank_integrator *it, crank_explicit *s, double *size,
                                     crank_error *err);
/* The same of the step that was tried, with tolerances at its beginning. */
double crank_explicit_error_at_start(crank_integrator *it, crank_explicit *s);
/* What later estimates compare with, of a step of length h that is accepted. */
void crank_explicit_remember(crank_explicit *s, double h);
/* h |eigenvalue|, as far as two stages at the end of the step tell. */
double crank_explicit_stiffness(const crank_integrator *it, const crank_explicit *s);
/* explicit_border.c. Keeps the next step, it->h, stable beside a fast oscillation. true: it was
 * longer. To be called behind crank_explicit_stiffness; s->size becomes better known. */
bool crank_explicit_stay_stable(crank_integrator *it, crank_explicit *s);
/* z = h lambda, real and imaginary part, from products of e_1, e_2, e_3 in lower triangles, of
 * positions (1) and others (0, overwritten); false: they are not one oscillation. */
bool crank_explicit_find_oscillation(double product[2][3][3], double z[2]);
/* The size up to which the method damps whatever oscillates as z does. */
double crank_explicit_border(const crank_tableau *tableau, const double z[2]);
/* h times the rate at which the motion of the last step changes, |x'(t + h) - x'(t)| over |x(t + h)
 * - x(t)|, and how far it led, over the tolerance. */
double crank_explicit_motion(const crank_integrator *it, const crank_explicit *s,
                             double *moved);
void crank_explicit_interpolate(const crank_integrator *it, double t, double *x);

#endif
