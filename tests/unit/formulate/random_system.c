/* random_system.c - see random_system.h. Diagonals of the blocks that must be regular are
 * made dominant; redundant constraints are combinations of the others, in the same way on
 * all levels and in their multipliers, as they are in mechanics: G -> T G, lambda -> T^T
 * lambda. */
// SPDX-License-Identifier: BSD-3-Clause
#include "unit/formulate/random_system.h"

#include "check.h"

static bool wanted(random_source *r, double density)
{
    return 0.5 * (random_real(r) + 1.0) < density;
}

/* rows x columns of one group pair; the diagonal from (0, 0) on is always there and dominant
 * if wished */
static void fill_block(random_source *r, random_system *s, int row, int row_end, int column,
                       int column_end, double density, bool dominant)
{
    for (int i = row; i < row_end; i++) {
        for (int j = column; j < column_end; j++) {
            const bool diagonal = dominant && i - row == j - column;
            if (diagonal || wanted(r, density)) {
                s->used[i][j] = true;
                s->J[i][j] = random_real(r) + (diagonal ? 3.0 : 0.0);
            }
        }
    }
}

static void fill_jacobian(random_source *r, const system_shape *shape, random_system *s)
{
    const int *row = s->eom->row, *col = s->eom->column;
    const double d = shape->density;
    const int multipliers = row[CRANK_ROW_GI] - row[CRANK_ROW_GII];
    /* d, gII, hI over everything; their diagonal over w, lambda, mu */
    fill_block(r, s, row[CRANK_ROW_D], row[CRANK_ROW_GI], 0, s->n, d, true);
    /* gI, h and e over v, s, p; c, g, n over s, p; columns are shifted so that pivots spread */
    fill_block(r, s, row[CRANK_ROW_GI], row[CRANK_ROW_E], col[CRANK_V], s->n, d,
               multipliers > 0);
    fill_block(r, s, row[CRANK_ROW_E], row[CRANK_ROW_C], col[CRANK_V], s->n, d + 0.5, false);
    fill_block(r, s, row[CRANK_ROW_C], row[CRANK_ROW_B], col[CRANK_S], s->n, d, true);
    fill_block(r, s, row[CRANK_ROW_B], row[CRANK_ROW_KIN], 0, s->n, d, false);
    fill_block(r, s, row[CRANK_ROW_KIN], s->m, col[CRANK_V], s->n, d, true);
    /* constraint forces: what multiplies lambda and mu in the dynamic rows is the transpose
     * of gI_v, h_v */
    for (int i = 0; i < multipliers; i++) {
        for (int j = 0; j < s->eom->sizes.v; j++) {
            s->J[row[CRANK_ROW_DYN] + j][col[CRANK_LAMBDA] + i] =
                -s->J[row[CRANK_ROW_GI] + i][col[CRANK_V] + j];
            s->used[row[CRANK_ROW_DYN] + j][col[CRANK_LAMBDA] + i] =
                s->used[row[CRANK_ROW_GI] + i][col[CRANK_V] + j];
        }
    }
}

/* constraint `extra` of a family becomes a combination of the first two */
static void make_dependent(random_source *r, random_system *s, crank_group multiplier,
                           int extra)
{
    static const crank_row_group levels[2][3] = {{CRANK_ROW_GII, CRANK_ROW_GI, CRANK_ROW_G},
                                                 {CRANK_ROW_HI, CRANK_ROW_H, CRANK_ROW_H}};
    const int family = multiplier == CRANK_MU;
    const double a = 2.0, b = extra > 1 ? random_real(r) : 0.0;
    const int column = s->eom->column[multiplier];
    for (int level = 0; level < 3 - family; level++) {
        const int row = s->eom->row[levels[family][level]];
        for (int j = 0; j < s->n; j++) {
            s->J[row + extra][j] = a * s->J[row][j] + b * s->J[row + (extra > 1)][j];
            s->used[row + extra][j] = s->used[row][j] || s->used[row + (extra > 1)][j];
        }
    }
    for (int i = 0; i < s->m; i++) {
        s->J[i][column + extra] = a * s->J[i][column] + b * s->J[i][column + (extra > 1)];
        s->used[i][column + extra] = s->used[i][column] || s->used[i][column + (extra > 1)];
    }
}

static void fill_lead(random_source *r, const system_shape *shape, random_system *s)
{
    const crank_eom *eom = s->eom;
    const int v = eom->column[CRANK_V], dyn = eom->row[CRANK_ROW_DYN];
    for (int i = 0; i < eom->sizes.r; i++) {
        s->E[eom->row[CRANK_ROW_B] + i][eom->column[CRANK_R] + i] = 1.0;
    }
    for (int i = 0; i < eom->sizes.p; i++) {
        s->E[eom->row[CRANK_ROW_KIN] + i][eom->column[CRANK_P] + i] = 1.0;
    }
    for (int i = 0; i < eom->sizes.v; i++) {
        s->E[dyn + i][v + i] = shape->unit_mass ? 1.0 : 2.0 + random_real(r);
        for (int j = 0; j < i && shape->full_mass; j++) {
            s->E[dyn + i][v + j] = s->E[dyn + j][v + i] = random_real(r) / eom->sizes.v;
        }
    }
}

void random_system_store(random_system *s)
{
    const crank_eom *eom = s->eom;
    for (int j = 0; j < s->n; j++) {
        for (int e = eom->jacobian_pattern.start[j]; e < eom->jacobian_pattern.start[j + 1];
             e++) {
            s->jacobian[e] = s->J[eom->jacobian_pattern.row[e]][j];
        }
    }
    for (int j = 0; j < eom->sizes.v; j++) {
        for (int e = eom->mass_pattern.start[j]; e < eom->mass_pattern.start[j + 1]; e++) {
            s->mass[e] = s->E[eom->row[CRANK_ROW_DYN] + eom->mass_pattern.row[e]]
                             [eom->column[CRANK_V] + j];
        }
    }
}

static void set_patterns(const system_shape *shape, random_system *s)
{
    static int start[SYSTEM_MAX + 1], row[SYSTEM_MAX * SYSTEM_MAX];
    static int mass_start[SYSTEM_MAX + 1], mass_row[SYSTEM_MAX * SYSTEM_MAX];
    const int nv = s->eom->sizes.v;
    int at = 0, mass_at = 0;
    for (int j = 0; j < s->n; j++) {
        start[j] = at;
        for (int i = 0; i < s->m; i++) {
            if (s->used[i][j]) {
                row[at++] = i;
            }
        }
    }
    for (int j = 0; j < nv; j++) {
        mass_start[j] = mass_at;
        for (int i = 0; i < nv; i++) {
            if (shape->full_mass || i == j) {
                mass_row[mass_at++] = i;
            }
        }
    }
    start[s->n] = at;
    mass_start[nv] = mass_at;
    const crank_pattern jacobian = {.rows = s->m, .columns = s->n, .start = start, .row = row};
    const crank_pattern mass = {
        .rows = nv, .columns = nv, .start = mass_start, .row = mass_row};
    crank_error err = {0};
    CHECK_OK(crank_eom_set_patterns(s->eom, &jacobian, &mass, &err), err);
}

void random_system_make(random_source *r, const system_shape *shape, random_system *s)
{
    static const char *const *const no_names[CRANK_GROUPS];
    crank_error err = {0};
    memset(s, 0, sizeof *s);
    CHECK_OK(crank_eom_allocate(&shape->sizes, no_names, NULL, NULL, &s->eom, &err), err);
    s->n = s->eom->n;
    s->m = s->eom->m;
    assert_true(s->n <= SYSTEM_MAX && s->m <= SYSTEM_MAX);
    s->eom->mass_kind = shape->full_mass ? CRANK_MASS_FULL : CRANK_MASS_DIAGONAL;
    s->eom->mass_is_identity = shape->unit_mass;
    fill_jacobian(r, shape, s);
    fill_lead(r, shape, s);
    for (int i = 0; i < shape->extra_lambda; i++) {
        make_dependent(r, s, CRANK_LAMBDA, shape->sizes.lambda - 1 - i);
    }
    for (int i = 0; i < shape->extra_mu; i++) {
        make_dependent(r, s, CRANK_MU, shape->sizes.mu - 1 - i);
    }
    set_patterns(shape, s);
    random_system_store(s);
}

void random_system_free(random_system *s)
{
    crank_eom_destroy(s->eom);
    s->eom = NULL;
}

const double *random_system_mass(const random_system *s)
{
    return s->eom->mass_is_identity ? NULL : s->mass;
}

void random_system_apply(const random_system *s, double sigma_re, double sigma_im,
                         const double *re, const double *im, double *out_re, double *out_im)
{
    for (int i = 0; i < s->m; i++) {
        double real = 0.0, imaginary = 0.0;
        for (int j = 0; j < s->n; j++) {
            const double a = sigma_re * s->E[i][j] - s->J[i][j], b = sigma_im * s->E[i][j];
            const double x = re[j], y = im != NULL ? im[j] : 0.0;
            real += a * x - b * y;
            imaginary += a * y + b * x;
        }
        out_re[i] = real;
        if (out_im != NULL) {
            out_im[i] = imaginary;
        }
    }
}
