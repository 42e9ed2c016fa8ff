/* test_pencils.c - linear systems with constant coefficients and known Kronecker structure,
 * hidden by random transformations; invariance of the result under them.
 *
 * Blocks of E x' = A x + f:
 *     J(r)  r x r        x' = R x                    d += r
 *     N(r)  r x r        N x' = x + f                a += r           nu_c = nu_s = r - 1
 *     L(e)  e x (e+1)    [I 0] x' = [0 I] x          d += e, u += 1
 *     T(e)  (e+1) x e    [I; 0] x' = [0; I] x        a += e, v += 1   nu_c = e - 1, nu_s = e
 * with square N only the differentiation index is that of nilpotency. */
// SPDX-License-Identifier: BSD-3-Clause
#include "../symbolic/sample_ex.h"
#include "dae_case.h"

enum { MOST = 8 };

typedef struct pencil {
    int m, n;
    double E[MOST][MOST], A[MOST][MOST], f[MOST]; /* f: factors of sin(t) */
    int a, d, v, u, nu_c, nu_s;
} pencil;

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static void add_block(pencil *p, char kind, int size, uint64_t *state)
{
    const int i = p->m, j = p->n;
    for (int q = 0; q < size; q++) {
        if (kind == 'N') {
            if (q + 1 < size) {
                p->E[i + q][j + q + 1] = 1.0;
            }
            p->A[i + q][j + q] = 1.0;
            p->f[i + q] = sample_uniform(state, -1, 1);
        } else {
            p->E[i + q][j + q] = 1.0;
        }
        if (kind == 'J') {
            for (int k = 0; k < size; k++) {
                p->A[i + q][j + k] = sample_uniform(state, -1, 1);
            }
        } else if (kind == 'L') {
            p->A[i + q][j + q + 1] = 1.0;
        } else if (kind == 'T') {
            p->A[i + q + 1][j + q] = 1.0;
        }
    }
    p->m += size + (kind == 'T' ? 1 : 0);
    p->n += size + (kind == 'L' ? 1 : 0);
    p->d += kind == 'J' || kind == 'L' ? size : 0;
    p->a += kind == 'N' || kind == 'T' ? size : 0;
    p->u += kind == 'L' ? 1 : 0;
    p->v += kind == 'T' ? 1 : 0;
    p->nu_c = kind == 'N' || kind == 'T' ? larger(p->nu_c, size - 1) : p->nu_c;
    p->nu_s = kind == 'N'   ? larger(p->nu_s, size - 1)
              : kind == 'T' ? larger(p->nu_s, size)
                            : p->nu_s;
}

/* A random matrix that is well conditioned: the identity plus a small one, rows permuted. */
static void transformation(int n, double M[MOST][MOST], uint64_t *state)
{
    int order[MOST];
    for (int i = 0; i < n; i++) {
        order[i] = i;
    }
    for (int i = n - 1; i > 0; i--) {
        const int j = sample_below(state, i + 1), keep = order[i];
        order[i] = order[j];
        order[j] = keep;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            M[order[i]][j] = sample_uniform(state, -0.6, 0.6) / n + (i == j ? 1.0 : 0.0);
        }
    }
}

/* E := P E Q, A := P A Q, f := P f */
static void transform(pencil *p, uint64_t *state)
{
    double P[MOST][MOST] = {0}, Q[MOST][MOST] = {0};
    pencil out = *p;
    transformation(p->m, P, state);
    transformation(p->n, Q, state);
    for (int i = 0; i < p->m; i++) {
        out.f[i] = 0.0;
        for (int k = 0; k < p->m; k++) {
            out.f[i] += P[i][k] * p->f[k];
        }
        for (int j = 0; j < p->n; j++) {
            out.E[i][j] = out.A[i][j] = 0.0;
            for (int k = 0; k < p->m; k++) {
                for (int l = 0; l < p->n; l++) {
                    out.E[i][j] += P[i][k] * p->E[k][l] * Q[l][j];
                    out.A[i][j] += P[i][k] * p->A[k][l] * Q[l][j];
                }
            }
        }
    }
    *p = out;
}

static void build(dae_case *c, const pencil *p)
{
    static const double start[MOST] = {0.3, -0.2, 0.5, 0.1, -0.4, 0.2, 0.6, -0.1};
    dae_begin(c, p->n, NULL, NULL, start);
    const crank_ex source = crank_ex_call(c->pool, CRANK_EX_SIN, c->input.t, 0, 0);
    c->input.equations = p->m;
    for (int i = 0; i < p->m; i++) {
        c->k[i] = crank_ex_mul(c->pool, crank_ex_number(c->pool, p->f[i]), source);
        for (int j = 0; j < p->n; j++) {
            const crank_ex factor = crank_ex_number(c->pool, p->A[i][j]);
            c->k[i] =
                crank_ex_add(c->pool, c->k[i], crank_ex_mul(c->pool, factor, c->variable[j]));
            c->E[i * p->n + j] = crank_ex_number(c->pool, p->E[i][j]);
        }
    }
}

/* pure: the blocks as they are. A mixture of T(e) may need each of its equations: what is
 * redundant is a combination of them with derivatives. */
static void check(const dae_case *c, const pencil *p, bool pure, const char *text)
{
    const crank_dae_report *r = c->report;
    CHECK_OK(c->status, c->err);
    if (r->outcome != CRANK_DAE_COMPLETE || r->algebraic != p->a || r->differential != p->d ||
        r->constraint_level != p->nu_c || !r->strangeness.found ||
        r->strangeness.index != p->nu_s) {
        print_error("%s: %s; a %d d %d nu_c %d nu_s %d %s, not %d %d %d %d\n", text, r->reason,
                    r->algebraic, r->differential, r->constraint_level, r->strangeness.index,
                    r->strangeness.reason, p->a, p->d, p->nu_c, p->nu_s);
        fail();
    }
    assert_int_equal(r->vanishing, p->v);
    assert_true(r->redundant_count <= p->v && (!pure || r->redundant_count == p->v));
    assert_int_equal(r->undetermined_count, p->u);
    assert_int_equal(r->strangeness.a, p->a);
    assert_int_equal(r->strangeness.d, p->d);
    assert_int_equal(r->strangeness.v, p->v);
    assert_int_equal(r->strangeness.u, p->u);
    assert_int_equal(r->has_differentiation_index, p->u + p->v == 0);
    if (p->u + p->v == 0) {
        assert_int_equal(r->differentiation_index, p->nu_c + 1);
        assert_int_equal(r->strangeness.index,
                         larger(r->differentiation_index - 1, 0)); /* square, unique */
    }
    assert_true(r->regular);
    assert_false(r->singular);
}

/* "J2 N3": blocks; each transformed a few times */
static void run(const char *blocks, int times)
{
    uint64_t state = 12345;
    for (int k = 0; k < times; k++) {
        pencil p = {.nu_c = -1};
        for (const char *b = blocks; *b != 0; b += b[2] == 0 ? 2 : 3) {
            add_block(&p, b[0], b[1] - '0', &state);
        }
        assert_true(p.m <= MOST && p.n <= MOST);
        if (k > 0) {
            transform(&p, &state);
        }
        dae_case c;
        build(&c, &p);
        dae_run(&c);
        check(&c, &p, k == 0, blocks);
        dae_end(&c);
    }
}

static void regular_pencils_have_the_index_of_their_nilpotent_part(void **state)
{
    static const char *const blocks[] = {"J3",       "N1",          "N2",    "N3",
                                         "N4",       "J2 N1",       "J2 N2", "J1 N3",
                                         "J3 N1 N2", "J1 N1 N2 N3", "N2 N2", "J2 N1 N1 N1"};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        run(blocks[i], 5);
    }
}

static void underdetermined_blocks_leave_variables_open(void **state)
{
    static const char *const blocks[] = {"L1",    "L2",       "L1 L2", "J2 L1",
                                         "N2 L1", "J1 N3 L1", "J1 L0"};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        run(blocks[i], 5);
    }
}

static void overdetermined_blocks_have_equations_to_spare(void **state)
{
    static const char *const blocks[] = {"T1",    "T2",    "T3",    "J2 T1",
                                         "N2 T1", "N1 T2", "J1 T0", "T1 T2"};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        run(blocks[i], 5);
    }
}

static void all_kinds_of_blocks_together(void **state)
{
    static const char *const blocks[] = {"L1 T1", "J1 N2 L1 T1", "J1 N1 L1 T2", "N3 L0 T1",
                                         "L1 T0 N2"};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        run(blocks[i], 5);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regular_pencils_have_the_index_of_their_nilpotent_part),
        cmocka_unit_test(underdetermined_blocks_leave_variables_open),
        cmocka_unit_test(overdetermined_blocks_have_equations_to_spare),
        cmocka_unit_test(all_kinds_of_blocks_together),
    };
    return CHECK_RUN(argc, argv, tests);
}
