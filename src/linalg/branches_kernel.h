/* branches_kernel.h - elimination of the balances of a tree from the tips to the root, and
 * solutions; included by branches_real.c and branches_complex.c, which say what a NUMBER is.
 *
 * Local rows of a link give its local columns by its accelerations u, theory (3.27),
 *
 *     z = z_0 - X u,     y_i = y_j + T u + Q z_0,     T = (0, 0, S) - Q X
 * and with forces f = K y_i + B y_p + f_0 on all behind it, y_p of the body before, its
 * balances give u: theory (3.28),
 *     g = S^T K + (S x* F, 0, 0),  Pi = g T + rotor,
 *         u = Pi^-1 (r - S.f_0 - g Q z_0 - g y_j - S^T B y_p)
 *     K -> K - K T Pi^-1 g,   B -> B - K T Pi^-1 S^T B,   f_0 -> f_0 + K (Q z_0 + T u_0)
 * what the link before gets; forces C y_i on the body before go along. Columns of the border
 * are right-hand sides, what they leave of its rows is factored with pivots; so are forces of
 * pairs, phi_i = sum of K_ik y_k, which are unknowns for that. theory (3.29) */
// SPDX-License-Identifier: BSD-3-Clause

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* ---- motions and forces ---- */

static const int pick_of[2][6] = {{2, 3, 4}, {0, 1, 2, 3, 4, 5}};

/* y (n) += a x */
static inline void add_multiple(int n, const NUMBER *a, NUMBER x, NUMBER *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = ADD(y[i], MUL(a[i], x));
    }
}

static inline NUMBER dot(int w, const NUMBER *a, const NUMBER *x)
{
    NUMBER sum = ZERO;
    for (int j = 0; j < w; j++) {
        sum = ADD(sum, MUL(a[j], x[j]));
    }
    return sum;
}

static inline NUMBER dot_real(int w, const double *a, const NUMBER *x)
{
    NUMBER sum = ZERO;
    for (int j = 0; j < w; j++) {
        sum = ADD(sum, SCALE(a[j], x[j]));
    }
    return sum;
}

/* A (m x w) -= a b^T */
static inline void subtract_outer(int m, int w, const NUMBER *a, const NUMBER *b, NUMBER *A)
{
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < w; j++) {
            A[i * w + j] = SUB(A[i * w + j], MUL(a[i], b[j]));
        }
    }
}

/* out (width) = S^T A */
static inline void combine(int m, const double *S, const NUMBER *A, NUMBER *out)
{
    const int w = 3 * m;
    for (int j = 0; j < w; j++) {
        out[j] = ZERO;
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < w && S[i] != 0.0; j++) {
            out[j] = ADD(out[j], SCALE(S[i], A[i * w + j]));
        }
    }
}

/* moment := P x force, in space */
static inline void move_to_point(const double *P, NUMBER *moment, const NUMBER *force,
                                 int stride)
{
    const NUMBER f0 = force[0], f1 = force[stride], f2 = force[2 * stride];
    moment[0] = SUB(SCALE(P[1], f2), SCALE(P[2], f1));
    moment[stride] = SUB(SCALE(P[2], f0), SCALE(P[0], f2));
    moment[2 * stride] = SUB(SCALE(P[0], f1), SCALE(P[1], f0));
}

/* ---- elimination ---- */

/* S and Q of a link, from its values */
static void take_constants(const crank_branches *t, int l, double *constant)
{
    const crank_recursion_link *link = &t->recursion->link[l];
    const crank_recursion_values *v = &t->values[l];
    const crank_branch *b = &t->branch[l];
    const int m = t->motion, *pick = pick_of[m == 6];
    double *Q = constant + crank_branch_Q(link, m);
    for (int k = 0; k < link->nv; k++) {
        for (int i = 0; i < m; i++) {
            constant[k * m + i] = v->S[k][pick[i]];
        }
    }
    memset(Q, 0, (size_t)(3 * m * b->local) * sizeof *Q);
    for (int q = 0; q < b->local; q++, Q += 3 * m) {
        const int kind = t->kind[b->first + q];
        for (int k = 0; k < link->nv && kind >= 0 && kind < 4; k++) {
            const double f = link->np == 1 ? 1.0 : v->turn[kind][k];
            for (int i = 0; i < m; i++) {
                Q[i] += f * v->S[k][pick[i]];
                Q[m + i] += f * v->D[k][pick[i]];
                Q[2 * m + i] += f * v->E[k][pick[i]];
            }
        }
        for (int i = 0; i < m && kind >= 4; i++) {
            Q[m + i] = v->S[kind - 4][pick[i]];
            Q[2 * m + i] = v->G[kind - 4][pick[i]];
        }
    }
    if (link->apart) {
        double *at = constant + crank_branch_pass(link, m, b->local);
        memcpy(at, v->P, sizeof v->P);
        memcpy(at + 3, v->pass, sizeof v->pass);
    }
}

/* A^-1 in place, n <= CRANK_BRANCH_LOCAL; false: singular */
static bool invert(int n, NUMBER *A)
{
    NUMBER lu[CRANK_BRANCH_LOCAL * CRANK_BRANCH_LOCAL];
    int pivot[CRANK_BRANCH_LOCAL];
    if (n == 1) {
        lu[0] = A[0];
        A[0] = INVERT(A[0]);
        return !IS_BAD(lu[0]) && !IS_BAD(A[0]);
    }
    memcpy(lu, A, (size_t)(n * n) * sizeof *A);
    if (n == 0 || !LU_FACTOR(n, lu, pivot)) {
        return n == 0;
    }
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            A[i + j * n] = NUMBER_OF(i == j ? 1.0 : 0.0);
        }
        LU_SOLVE(n, lu, pivot, A + j * n);
    }
    return true;
}

/* y = A x, n x n */
static inline void multiply(int n, const NUMBER *A, const NUMBER *x, NUMBER *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = ZERO;
    }
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            y[i] = ADD(y[i], MUL(A[i + j * n], x[j]));
        }
    }
}

/* local rows: their inverse, and X; then T */
static bool eliminate_local(const crank_branches *t, int l, const NUMBER *values,
                            const double *constant, NUMBER *number)
{
    const crank_recursion_link *link = &t->recursion->link[l];
    const crank_branch *b = &t->branch[l];
    const int m = t->motion, q = b->local, nv = link->nv, w = 3 * m;
    const crank_branch_numbers at = crank_branch_places(link, m, q);
    const double *Q = constant + crank_branch_Q(link, m);
    NUMBER *own = number + at.own, *X = number + at.X, *T = number + at.T;
    NUMBER by_a[3 * CRANK_BRANCH_LOCAL];
    memset(own, 0, (size_t)(q * q) * sizeof *own);
    memset(by_a, 0, sizeof by_a);
    for (int e = b->entry; e < b[1].entry; e++) {
        const crank_branch_entry *item = &t->own[e];
        if (item->j < q) {
            own[item->i + item->j * q] = values[item->entry];
        } else {
            by_a[item->i + (item->j - q) * q] = values[item->entry];
        }
    }
    if (!invert(q, own)) {
        return false;
    }
    for (int k = 0; k < nv; k++) {
        multiply(q, own, by_a + k * q, X + k * q);
        for (int i = 0; i < w; i++) {
            NUMBER sum = NUMBER_OF(i >= 2 * m ? constant[k * m + i - 2 * m] : 0.0);
            for (int j = 0; j < q; j++) {
                sum = SUB(sum, SCALE(Q[j * w + i], X[j + k * q]));
            }
            T[k * w + i] = sum;
        }
    }
    return true;
}

/* K T, K Q of a block K */
static inline void push(int m, int nv, int q, const NUMBER *K, const NUMBER *T, const double *Q,
                        NUMBER *KT, NUMBER *KQ)
{
    const int w = 3 * m;
    for (int k = 0; k < nv; k++) {
        for (int i = 0; i < m; i++) {
            KT[k * m + i] = dot(w, K + i * w, T + k * w);
        }
    }
    for (int j = 0; j < q; j++) {
        for (int i = 0; i < m; i++) {
            KQ[j * m + i] = dot_real(w, Q + j * w, K + i * w);
        }
    }
}

/* what is left of the terms of pivots, as they would be if nothing behind gave way */
static inline void note_quality(crank_branches *t, int l, const int m, const double *S,
                                const NUMBER *T, const NUMBER *inverse)
{
    const int nv = t->recursion->link[l].nv, w = 3 * m;
    const NUMBER *all = (const NUMBER *)t->all + (long)l * m * w;
    for (int k = 0; k < nv; k++) {
        NUMBER g[18];
        double terms = t->recursion->link[l].rotor;
        combine(m, S + k * m, all, g);
        for (int i = 0; i < w; i++) {
            terms += SIZE(g[i]) * SIZE(T[k * w + i]);
        }
        const double left = 1.0 / (SIZE(inverse[k + k * nv]) * terms);
        t->quality = left < t->quality ? left : t->quality;
    }
}

/* the balances of a link with K, B and C; these become those of the link before */
static ALWAYS_INLINE bool eliminate(crank_branches *t, int l, const int m, const int nv,
                                    const double *constant, NUMBER *number)
{
    const crank_recursion_link *link = &t->recursion->link[l];
    const int q = t->branch[l].local, w = 3 * m, *pick = pick_of[m == 6];
    const crank_branch_numbers at = crank_branch_places(link, m, q);
    const double *Q = constant + crank_branch_Q(link, m);
    NUMBER *K = (NUMBER *)t->K + (long)l * m * w, *B = (NUMBER *)t->B + (long)l * m * w,
           *C = (NUMBER *)t->C + (long)l * m * w;
    NUMBER g[3 * 18], h[3 * 18], *inverse = number + at.inverse;
    for (int k = 0; k < nv; k++) {
        combine(m, constant + k * m, K, g + k * w);
        for (int i = 0; i < m; i++) {
            g[k * w + i] = ADD(g[k * w + i], NUMBER_OF(t->values[l].turned[k][pick[i]]));
        }
        for (int j = 0; j < nv; j++) {
            inverse[k + j * nv] = ADD(dot(w, g + k * w, number + at.T + j * w),
                                      NUMBER_OF(j == k ? link->rotor : 0.0));
        }
        for (int j = 0; j < q; j++) {
            number[at.gQ + (size_t)(k * q + j)] = dot_real(w, Q + j * w, g + k * w);
        }
        if (link->pushed) {
            combine(m, constant + k * m, B, h + k * w);
        }
    }
    if (!invert(nv, inverse)) {
        return false;
    }
    note_quality(t, l, m, constant, number + at.T, inverse);
    push(m, nv, q, K, number + at.T, Q, number + at.KT, number + at.KQ);
    if (link->pushed) {
        push(m, nv, q, C, number + at.T, Q, number + at.CT, number + at.CQ);
    }
    for (int k = 0; k < nv; k++) { /* rows of Pi^-1 g, Pi^-1 h */
        NUMBER *G = number + at.G + k * w, *H = number + at.H + k * w;
        for (int i = 0; i < w; i++) {
            NUMBER sum = ZERO, by = ZERO;
            for (int j = 0; j < nv; j++) {
                sum = ADD(sum, MUL(inverse[k + j * nv], g[j * w + i]));
                by = link->pushed ? ADD(by, MUL(inverse[k + j * nv], h[j * w + i])) : by;
            }
            G[i] = sum;
            if (link->pushed) {
                H[i] = by;
            }
        }
        subtract_outer(m, w, number + at.KT + k * m, G, K);
        if (link->pushed) {
            subtract_outer(m, w, number + at.KT + k * m, H, B);
            subtract_outer(m, w, number + at.CT + k * m, G, C);
            NUMBER *on = (NUMBER *)t->K + (long)link->parent * m * w;
            subtract_outer(m, w, number + at.CT + k * m, H, on);
        }
    }
    return true;
}

/* columns by y behind a ball become those by y before it, in space */
static void pass_columns(const double *pass, NUMBER *row)
{
    NUMBER out[18];
    for (int i = 0; i < 18; i++) {
        out[i] = ZERO;
    }
    for (int j = 0; j < 9; j++) {
        const NUMBER by = row[6 * (j / 3) + 3 + j % 3];
        for (int i = 0; i < 18; i++) {
            out[i] = ADD(out[i], SCALE(pass[18 * j + i], by));
        }
    }
    memcpy(row, out, sizeof out);
}

/* past a ball that stands apart: theory (7.72) */
static void pass_ball(const crank_branches *t, int l, const double *at, NUMBER *K, NUMBER *B,
                      NUMBER *C)
{
    const double *P = at, *pass = at + 3, *f = t->values[l].load;
    const double by_P[3][3] = {{0.0, f[2], -f[1]}, {-f[2], 0.0, f[0]}, {f[1], -f[0], 0.0}};
    for (int j = 0; j < 18; j++) {
        move_to_point(P, K + j, K + 54 + j, 18);
        if (B != NULL) {
            move_to_point(P, B + j, B + 54 + j, 18);
        }
    }
    for (int i = 0; i < 3; i++) { /* d(P x f) = dP x f */
        for (int j = 0; j < 3; j++) {
            K[18 * i + 3 + j] = ADD(K[18 * i + 3 + j], NUMBER_OF(by_P[i][j]));
        }
    }
    for (int i = 0; i < 6; i++) {
        pass_columns(pass, K + 18 * i);
        if (C != NULL) {
            pass_columns(pass, C + 18 * i);
        }
    }
}

static inline void add_block(int count, const NUMBER *from, NUMBER *to)
{
    for (int i = 0; i < count; i++) {
        to[i] = ADD(to[i], from[i]);
    }
}

/* K, B, C of a link go on to the one before it */
static void hand_on(const crank_branches *t, int l, const int m, const double *constant)
{
    const crank_recursion_link *link = &t->recursion->link[l];
    const long size = 3L * m * m;
    NUMBER *K = (NUMBER *)t->K + l * size, *B = (NUMBER *)t->B + l * size,
           *C = (NUMBER *)t->C + l * size;
    if (link->before < 0) {
        return;
    }
    NUMBER *on = (NUMBER *)t->K + link->before * size, *all = (NUMBER *)t->all + l * size;
    if (link->apart) {
        const double *at = constant + crank_branch_pass(link, m, t->branch[l].local);
        pass_ball(t, l, at, K, link->pushed ? B : NULL, link->pushed ? C : NULL);
        pass_ball(t, l, at, all, NULL, NULL);
    }
    add_block((int)size, all, (NUMBER *)t->all + link->before * size);
    add_block((int)size, K, on);
    if (link->pushed && link->first) {
        add_block((int)size, B, on);
        add_block((int)size, C, on);
    } else if (link->pushed) {
        add_block((int)size, B, (NUMBER *)t->B + link->before * size);
        add_block((int)size, C, (NUMBER *)t->C + link->before * size);
    }
}

static void take_block(int m, const double from[6][18], NUMBER *to)
{
    const int *pick = pick_of[m == 6];
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < 3; k++) {
            for (int j = 0; j < m; j++) {
                to[i * 3 * m + k * m + j] = NUMBER_OF(from[pick[i]][6 * k + pick[j]]);
            }
        }
    }
}

static inline bool eliminate_all(crank_branches *t, const crank_branch_factors *f, const int m,
                                 const NUMBER *values)
{
    const long size = 3L * m * m;
    t->quality = 1.0;
    for (int l = 0; l < t->recursion->count; l++) {
        take_block(m, t->values[l].K, (NUMBER *)t->K + l * size);
        memcpy((NUMBER *)t->all + l * size, (NUMBER *)t->K + l * size,
               (size_t)size * sizeof(NUMBER));
        if (t->recursion->link[l].pushed) {
            take_block(m, t->values[l].B, (NUMBER *)t->B + l * size);
            take_block(m, t->values[l].C, (NUMBER *)t->C + l * size);
        }
    }
    for (int l = t->recursion->count - 1; l >= 0; l--) {
        const crank_branch *b = &t->branch[l];
        double *constant = f->constant + b->constant;
        NUMBER *number = (NUMBER *)f->number + b->number;
        take_constants(t, l, constant);
        const int nv = t->recursion->link[l].nv;
        const bool fine = eliminate_local(t, l, values, constant, number) &&
                          (nv == 1 ? eliminate(t, l, m, 1, constant, number)
                                   : eliminate(t, l, m, nv, constant, number));
        if (!fine) {
            return false;
        }
        hand_on(t, l, m, constant);
    }
    return true;
}

/* ---- solutions without the border ---- */

/* a link: u_0 and z_0 from b (by rows), forces go on to the link before */
static ALWAYS_INLINE void pull(crank_branches *t, const crank_branch_factors *f, int l,
                               const int m, const int nv, const int q, const NUMBER *b)
{
    const crank_recursion_link *link = &t->recursion->link[l];
    const crank_branch *own = &t->branch[l];
    const crank_branch_numbers at = crank_branch_places(link, m, q);
    const double *constant = f->constant + own->constant;
    const NUMBER *number = (const NUMBER *)f->number + own->number;
    NUMBER *force = (NUMBER *)t->f, *on = force + l * m, *u = (NUMBER *)t->u + 3 * l,
           *z = (NUMBER *)t->z + own->first, r[3], rows[CRANK_BRANCH_LOCAL];
    for (int j = 0; j < q; j++) {
        rows[j] = b[t->row[own->first + j]];
    }
    multiply(q, number + at.own, rows, z);
    for (int k = 0; k < nv; k++) { /* rows are minus the balances */
        const NUMBER known =
            ADD(dot_real(m, constant + k * m, on), dot(q, number + at.gQ + (size_t)(k * q), z));
        r[k] = SUB(SCALE(-1.0, b[own->row + k]), known);
    }
    multiply(nv, number + at.inverse, r, u);
    for (int k = 0; k < nv; k++) {
        add_multiple(m, number + at.KT + (size_t)(k * m), u[k], on);
    }
    for (int j = 0; j < q; j++) {
        add_multiple(m, number + at.KQ + (size_t)(j * m), z[j], on);
    }
    if (link->pushed) {
        NUMBER *directly = force + link->parent * m;
        for (int k = 0; k < nv; k++) {
            add_multiple(m, number + at.CT + (size_t)(k * m), u[k], directly);
        }
        for (int j = 0; j < q; j++) {
            add_multiple(m, number + at.CQ + (size_t)(j * m), z[j], directly);
        }
    }
    if (link->apart) {
        move_to_point(constant + crank_branch_pass(link, m, q), on, on + 3, 1);
    }
    if (link->before >= 0) {
        add_block(m, on, force + link->before * m);
    }
}

/* push: of all forces on links the one that is minus one, -1: none. Tips to root. */
static inline void go_inwards(crank_branches *t, const crank_branch_factors *f, const int m,
                              const NUMBER *b, int push)
{
    for (int i = 0; i < t->recursion->count * m; i++) {
        ((NUMBER *)t->f)[i] = NUMBER_OF(i == push ? -1.0 : 0.0);
    }
    for (int l = t->recursion->count - 1; l >= 0; l--) {
        const int nv = t->recursion->link[l].nv, q = t->branch[l].local;
        if (nv == 1 && q == 2) { /* most of them */
            pull(t, f, l, m, 1, 2, b);
        } else {
            pull(t, f, l, m, nv, q, b);
        }
    }
}

/* y before a link, behind a ball */
static inline void arrive(const crank_branches *t, int l, const int m, const double *constant,
                          const NUMBER *y, NUMBER *in)
{
    const crank_recursion_link *link = &t->recursion->link[l];
    const int w = 3 * m;
    for (int i = 0; i < w; i++) {
        in[i] = link->before >= 0 && !link->apart ? y[link->before * w + i] : ZERO;
    }
    if (link->apart) {
        const double *pass = constant + crank_branch_pass(link, m, t->branch[l].local) + 3;
        for (int j = 0; j < 9; j++) {
            in[6 * (j / 3) + 3 + j % 3] = dot_real(18, pass + 18 * j, y + link->before * w);
        }
    }
}

/* a link: accelerations and local columns into x, y from that of the link before */
static ALWAYS_INLINE void carry(crank_branches *t, const crank_branch_factors *f, int l,
                                const int m, const int nv, const int q, NUMBER *x)
{
    const int w = 3 * m;
    const crank_recursion_link *link = &t->recursion->link[l];
    const crank_branch *own = &t->branch[l];
    const crank_branch_numbers at = crank_branch_places(link, m, q);
    const double *constant = f->constant + own->constant;
    const double *Q = constant + crank_branch_Q(link, m);
    const NUMBER *number = (const NUMBER *)f->number + own->number;
    const NUMBER *z = (const NUMBER *)t->z + own->first;
    NUMBER *y = (NUMBER *)t->y, *here = y + l * w, *u = (NUMBER *)t->u + 3 * l;
    arrive(t, l, m, constant, y, here);
    for (int k = 0; k < nv; k++) {
        u[k] = SUB(u[k], dot(w, number + at.G + (size_t)(k * w), here));
        if (link->pushed) {
            u[k] = SUB(u[k], dot(w, number + at.H + (size_t)(k * w), y + link->parent * w));
        }
    }
    for (int k = 0; k < nv; k++) {
        add_multiple(w, number + at.T + (size_t)(k * w), u[k], here);
        x[link->a + k] = u[k];
    }
    for (int j = 0; j < q; j++) {
        NUMBER sum = z[j];
        for (int i = 0; i < w; i++) {
            here[i] = ADD(here[i], SCALE(Q[j * w + i], z[j]));
        }
        for (int k = 0; k < nv; k++) {
            sum = SUB(sum, MUL(number[at.X + (size_t)(j + k * q)], u[k]));
        }
        x[t->column[own->first + j]] = sum;
    }
}

/* Root to tips: x by columns. */
static inline void go_outwards(crank_branches *t, const crank_branch_factors *f, const int m,
                               NUMBER *x)
{
    for (int l = 0; l < t->recursion->count; l++) {
        const int nv = t->recursion->link[l].nv, q = t->branch[l].local;
        if (nv == 1 && q == 2) {
            carry(t, f, l, m, 1, 2, x);
        } else {
            carry(t, f, l, m, nv, q, x);
        }
    }
}

/* columns of the border in x stay as they are */
static void solve_tree(crank_branches *t, const crank_branch_factors *f, const NUMBER *b,
                       int push, NUMBER *x)
{
    if (t->motion == 3) {
        go_inwards(t, f, 3, b, push);
        go_outwards(t, f, 3, x);
    } else {
        go_inwards(t, f, 6, b, push);
        go_outwards(t, f, 6, x);
    }
}

/* ---- the border ---- */

/* forces of pairs by the motions of the last solution, added to `out` (pushes x motion) */
static void add_pushes(const crank_branches *t, const crank_branch_factors *f, NUMBER *out)
{
    const int m = t->motion, w = 3 * m;
    for (int i = 0; i < t->recursion->pair_count; i++) {
        const NUMBER *y = (const NUMBER *)t->y + t->recursion->pair[i].by * w;
        NUMBER *on = out + t->pair_push[i] * m;
        for (int k = 0; k < m; k++) {
            on[k] = ADD(on[k], dot_real(w, f->pair + ((long)i * m + k) * w, y));
        }
    }
}

/* over their largest entries, by which they are multiplied; false: one is zero or not finite */
static bool scale_rows(int n, NUMBER *A, double *by)
{
    bool fine = true;
    for (int i = 0; i < n; i++) {
        double largest = 0.0;
        for (int j = 0; j < n; j++) {
            largest = fmax(largest, SIZE(A[i + (long)j * n]));
        }
        by[i] = 1.0 / largest;
        fine = fine && isfinite(by[i]) && isfinite(largest);
        for (int j = 0; j < n; j++) {
            A[i + (long)j * n] = SCALE(by[i], A[i + (long)j * n]);
        }
    }
    return fine;
}

/* columns of the border, and forces of pairs: what they leave of the rows */
static bool factor_border(crank_branches *t, const crank_branch_factors *f,
                          const NUMBER *values)
{
    const int n = t->n, size = t->border, edge = t->edge, m = t->motion;
    NUMBER *S = (NUMBER *)f->border, *b = (NUMBER *)t->b, *across = (NUMBER *)f->across;
    memset(S, 0, (size_t)edge * (size_t)edge * sizeof *S);
    for (int e = 0; e < t->corner_count; e++) {
        const crank_branch_entry *item = &t->corner[e];
        S[item->i + (long)item->j * edge] = values[item->entry];
    }
    for (int k = 0; k < t->across_count; k++) {
        across[k] = values[t->across[k].entry];
    }
    for (int j = 0, e = 0; j < edge; j++) {
        NUMBER *reach = (NUMBER *)f->reach + (long)j * n, *column = S + (long)j * edge;
        memset(b, 0, (size_t)n * sizeof *b);
        for (; e < t->down_count && t->down[e].j == j; e++) {
            b[t->down[e].i] = values[t->down[e].entry];
        }
        memset(reach, 0, (size_t)n * sizeof *reach);
        const int k = j - size;
        solve_tree(t, f, b, k < 0 ? -1 : t->push[k / m] * m + k % m, reach);
        for (int i = 0; i < t->across_count; i++) {
            const crank_branch_entry *item = &t->across[i];
            column[item->i] = SUB(column[item->i], MUL(across[i], reach[item->j]));
        }
        if (j >= size) {
            column[j] = NUMBER_OF(1.0);
        }
        add_pushes(t, f, column + size);
    }
    return edge == 0 || (scale_rows(edge, S, f->scale) && LU_FACTOR(edge, S, f->border_pivot));
}

bool FACTOR(crank_branches *t, int i, const double *given)
{
    const crank_branch_factors *f = &t->factors[i];
    const NUMBER *values = (const NUMBER *)given;
    const int m = t->motion, *pick = pick_of[m == 6];
    for (int k = 0; k < t->recursion->pair_count * m; k++) {
        for (int j = 0; j < 3 * m; j++) {
            f->pair[k * 3 * m + j] = t->values[t->recursion->count + k / m]
                                         .K[pick[k % m]][6 * (j / m) + pick[j % m]];
        }
    }
    const bool fine = m == 3 ? eliminate_all(t, f, 3, values) : eliminate_all(t, f, 6, values);
    return fine && factor_border(t, f, values);
}

void SOLVE(crank_branches *t, int i, double *given)
{
    const crank_branch_factors *f = &t->factors[i];
    const int n = t->n, size = t->border, edge = t->edge;
    const NUMBER *across = (const NUMBER *)f->across;
    NUMBER *b = (NUMBER *)given, *x = (NUMBER *)t->x, *rest = (NUMBER *)t->b;
    solve_tree(t, f, b, -1, x);
    for (int k = 0; k < edge; k++) {
        rest[k] = k < size ? b[t->border_row[k]] : ZERO;
    }
    add_pushes(t, f, rest + size);
    for (int k = 0; k < t->across_count; k++) {
        const crank_branch_entry *item = &t->across[k];
        rest[item->i] = SUB(rest[item->i], MUL(across[k], x[item->j]));
    }
    for (int k = 0; k < edge; k++) {
        rest[k] = SCALE(f->scale[k], rest[k]);
    }
    if (edge > 0) {
        LU_SOLVE(edge, (const NUMBER *)f->border, f->border_pivot, rest);
    }
    for (int k = 0; k < edge; k++) {
        const NUMBER *reach = (const NUMBER *)f->reach + (long)k * n;
        for (int j = 0; j < n; j++) {
            x[j] = SUB(x[j], MUL(reach[j], rest[k]));
        }
    }
    for (int k = 0; k < size; k++) {
        x[t->border_column[k]] = rest[k];
    }
    memcpy(b, x, (size_t)n * sizeof *b);
}
