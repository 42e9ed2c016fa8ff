/* eigen.c - eigenvalues and eigenvectors of a general real matrix by the QR algorithm
 * [GVL13, 7.4-7.5].
 *
 * The matrix is balanced by powers of two, brought to Hessenberg form H = Q^T A Q by
 * Householder's reflections, then, in complex numbers, to triangular form T = U^* H U by
 * rotations with Wilkinson's shifts. Eigenvectors are those of T by back substitution, times
 * Q U. Invariant subspaces are spanned by the first columns of Q U once the eigenvalues of T are
 * brought to the front by rotations of neighbours [GVL13, 7.6.2]. One shift at a time in complex numbers is half as fast as two in real ones, and a third
 * of the code. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/eigen.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double complex number;

typedef struct schur {
    int n;
    double *A, *scale; /* n x n; n: columns times these are those of the balanced matrix */
    number *T, *U;     /* n x n */
    number *work;      /* n */
} schur;

/* (C11's CMPLX is not there for every compiler) */
static number number_of(const double part[2])
{
    number z;
    memcpy(&z, part, sizeof z); /* real and imaginary part in a row, C17 6.2.5 */
    return z;
}

enum { BALANCINGS = 20, ITERATIONS = 60 };
static const double near =
    1e-5; /* moduli that are one: conjugates, multiple and defective ones */

#define AT(M, i, j) ((M)[(size_t)(i) + (size_t)(j) * (size_t)n])

/* ---- balancing ---- */

/* Row i and column i to similar sizes; false: they are already. */
static bool balance_one(schur *s, int i)
{
    const int n = s->n;
    double row = 0.0, column = 0.0;
    for (int j = 0; j < n; j++) {
        row += j != i ? fabs(AT(s->A, i, j)) : 0.0;
        column += j != i ? fabs(AT(s->A, j, i)) : 0.0;
    }
    if (row == 0.0 || column == 0.0) {
        return false;
    }
    int exponent;
    (void)frexp(row / column, &exponent);
    exponent = exponent / 2;
    const double factor = ldexp(1.0, exponent);
    if (exponent == 0 || !(column * factor + row / factor < 0.95 * (column + row))) {
        return false;
    }
    s->scale[i] *= factor;
    for (int j = 0; j < n; j++) {
        AT(s->A, i, j) /= factor;
    }
    for (int j = 0; j < n; j++) {
        AT(s->A, j, i) *= factor;
    }
    return true;
}

static void balance(schur *s, int times)
{
    bool more = true;
    for (int i = 0; i < s->n; i++) {
        s->scale[i] = 1.0;
    }
    for (int k = 0; k < times && more; k++) {
        more = false;
        for (int i = 0; i < s->n; i++) {
            more = balance_one(s, i) || more;
        }
    }
}

/* ---- Hessenberg form ---- */

/* The reflection that clears column k below its subdiagonal, into u; false: it is clear. */
static bool reflector(const schur *s, int k, double *u, double *tau)
{
    const int n = s->n;
    double largest = 0.0, sum = 0.0;
    for (int i = k + 1; i < n; i++) {
        largest = fmax(largest, fabs(AT(s->A, i, k)));
    }
    if (largest == 0.0) {
        return false;
    }
    for (int i = k + 1; i < n; i++) {
        u[i] = AT(s->A, i, k) / largest;
        sum += u[i] * u[i];
    }
    const double norm = u[k + 1] > 0.0 ? sqrt(sum) : -sqrt(sum);
    u[k + 1] += norm;
    *tau = 1.0 / (norm * u[k + 1]);
    return true;
}

static void reduce(schur *s)
{
    const int n = s->n;
    double *u = (double *)s->work;
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++) {
        s->U[i] = 0.0;
    }
    for (int i = 0; i < n; i++) {
        AT(s->U, i, i) = 1.0;
    }
    for (int k = 0; k + 2 < n; k++) {
        double tau;
        if (!reflector(s, k, u, &tau)) {
            continue;
        }
        for (int j = 0; j < n; j++) { /* from the left */
            double sum = 0.0;
            for (int i = k + 1; i < n; i++) {
                sum += u[i] * AT(s->A, i, j);
            }
            for (int i = k + 1; i < n; i++) {
                AT(s->A, i, j) -= tau * sum * u[i];
            }
        }
        for (int i = 0; i < n; i++) { /* from the right, A and Q */
            double sum = 0.0;
            number of_q = 0.0;
            for (int j = k + 1; j < n; j++) {
                sum += AT(s->A, i, j) * u[j];
                of_q += AT(s->U, i, j) * u[j];
            }
            for (int j = k + 1; j < n; j++) {
                AT(s->A, i, j) -= tau * sum * u[j];
                AT(s->U, i, j) -= tau * of_q * u[j];
            }
        }
    }
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            AT(s->T, i, j) = i <= j + 1 ? AT(s->A, i, j) : 0.0;
        }
    }
}

/* ---- triangular form ---- */

static double size_of(number z)
{
    return fabs(creal(z)) + fabs(cimag(z));
}

/* The eigenvalue of the last 2 x 2 block that is nearer to its last entry; now and then another
 * number, so that no cycle lasts. */
static number shift_of(const schur *s, int last, int iteration)
{
    const int n = s->n;
    const number *T = s->T;
    if (iteration % 11 == 10) {
        return cabs(AT(T, last, last - 1)) + AT(T, last, last);
    }
    const number a = AT(T, last - 1, last - 1), d = AT(T, last, last);
    const number bc = AT(T, last - 1, last) * AT(T, last, last - 1);
    const number half = (a - d) / 2.0, root = csqrt(half * half + bc);
    const number one = half + root, other = half - root;
    const number larger = cabs(one) > cabs(other) ? one : other;
    return larger != 0.0 ? d - bc / larger : d;
}

/* The rotation of rows or columns k, k + 1:  c x + s y,  -conj(s) x + c y. */
static void rotate(number *x, number *y, double c, number s)
{
    const number first = c * *x + s * *y;
    *y = c * *y - conj(s) * *x;
    *x = first;
}

/* One step on rows first .. last, implicit in the rotations of its bulge. */
static void sweep(schur *s, int first, int last, number shift)
{
    const int n = s->n;
    number *T = s->T;
    number x = AT(T, first, first) - shift, y = AT(T, first + 1, first);
    for (int k = first; k < last; k++) {
        const double norm = hypot(cabs(x), cabs(y));
        if (norm > 0.0) {
            const double c = cabs(x) / norm;
            const number phase = c > 0.0 ? x / cabs(x) : 1.0;
            const number r = phase * conj(y) / norm;
            for (int j = k > first ? k - 1 : first; j < n; j++) {
                rotate(&AT(T, k, j), &AT(T, k + 1, j), c, r);
            }
            for (int i = 0; i <= (k + 2 < last ? k + 2 : last); i++) {
                rotate(&AT(T, i, k), &AT(T, i, k + 1), c, conj(r));
            }
            for (int i = 0; i < n; i++) {
                rotate(&AT(s->U, i, k), &AT(s->U, i, k + 1), c, conj(r));
            }
        }
        if (k + 1 < last) {
            x = AT(T, k + 1, k);
            y = AT(T, k + 2, k);
        }
    }
}

/* where the last block that is not yet split begins; small subdiagonals become zero */
static int split(schur *s, int last)
{
    const int n = s->n;
    for (int k = last; k > 0; k--) {
        double size = size_of(AT(s->T, k, k)) + size_of(AT(s->T, k - 1, k - 1));
        if (size == 0.0) {
            size = DBL_MIN / DBL_EPSILON;
        }
        if (size_of(AT(s->T, k, k - 1)) <= DBL_EPSILON * size) {
            AT(s->T, k, k - 1) = 0.0;
            return k;
        }
    }
    return 0;
}

static bool triangulate(schur *s)
{
    int iteration = 0;
    for (int last = s->n - 1; last > 0;) {
        const int first = split(s, last);
        if (first == last) {
            last--;
            iteration = 0;
            continue;
        }
        if (iteration++ > ITERATIONS) {
            return false;
        }
        sweep(s, first, last, shift_of(s, last, iteration));
    }
    return true;
}

/* ---- what is read from it ---- */

/* The eigenvector of eigenvalue k, in the user's coordinates. */
static void vector_of(const schur *s, int k, double *out)
{
    const int n = s->n;
    number *y = s->work;
    double norm = 0.0, most = 0.0, largest = DBL_MIN;
    number phase = 1.0;
    for (int j = 0; j < n; j++) {
        largest = fmax(largest, size_of(AT(s->T, j, j)));
    }
    for (int i = k; i >= 0; i--) {
        number sum = i == k ? 1.0 : 0.0;
        for (int j = i + 1; j <= k; j++) {
            sum -= AT(s->T, i, j) * y[j];
        }
        number pivot = AT(s->T, i, i) - AT(s->T, k, k);
        if (size_of(pivot) < DBL_EPSILON * largest) {
            pivot = DBL_EPSILON * largest;
        }
        y[i] = i == k ? 1.0 : sum / pivot;
    }
    for (int i = 0; i < n; i++) {
        number sum = 0.0;
        for (int j = 0; j <= k; j++) {
            sum += AT(s->U, i, j) * y[j];
        }
        sum *= s->scale[i];
        out[2 * i] = creal(sum);
        out[2 * i + 1] = cimag(sum);
        norm = hypot(norm, cabs(sum));
        if (cabs(sum) > most * (1.0 + 1e-9)) {
            most = cabs(sum);
            phase = sum / most;
        }
    }
    for (int i = 0; i < n && norm > 0.0; i++) {
        const number z = number_of(out + 2 * i) / (phase * norm);
        out[2 * i] = creal(z);
        out[2 * i + 1] = cimag(z);
    }
}

/* Eigenvalues of a real matrix are real or come in pairs: each with a positive imaginary part is
 * put beside the one that is nearest to its conjugate, and both become exact conjugates; of
 * what is left over the imaginary part is rounding. order[i]: which of T is eigenvalue i. */
static void pair(const schur *s, int *order, bool *used, double *real, double *imag)
{
    const int n = s->n;
    int count = 0;
    memset(used, 0, (size_t)n * sizeof *used);
    for (int i = 0; i < n; i++) {
        const number z = AT(s->T, i, i);
        int partner = -1;
        double least = fabs(cimag(z)); /* nearer than the real number beside it */
        for (int j = 0; j < n && !used[i]; j++) {
            const double distance = cabs(AT(s->T, j, j) - conj(z));
            if (j != i && !used[j] && cimag(AT(s->T, j, j)) * cimag(z) < 0.0 &&
                distance < least) {
                partner = j;
                least = distance;
            }
        }
        if (used[i]) {
            continue;
        }
        used[i] = true;
        const int up = partner >= 0 && cimag(z) < 0.0 ? partner : i;
        real[count] =
            partner >= 0 ? (creal(z) + creal(AT(s->T, partner, partner))) / 2.0 : creal(z);
        imag[count] = partner >= 0
                          ? (fabs(cimag(z)) + fabs(cimag(AT(s->T, partner, partner)))) / 2.0
                          : 0.0;
        order[count++] = up;
        if (partner >= 0) {
            used[partner] = true;
            real[count] = real[count - 1];
            imag[count] = -imag[count - 1];
            order[count++] = up;
        }
    }
}

static void read_vectors(const schur *s, const int *order, const double *imag, double *vectors)
{
    const size_t n = (size_t)s->n;
    for (size_t k = 0; k < n; k++) {
        double *out = vectors + 2 * n * k;
        vector_of(s, order[k], out);
        for (size_t i = 0; i < n && imag[k] <= 0.0; i++) {
            out[2 * i + 1] = imag[k] < 0.0 ? -out[2 * i + 1] : 0.0;
        }
    }
}

/* ---- a leading invariant subspace ---- */

/* Eigenvalues k and k + 1 of T change places. */
static void swap(schur *s, int k)
{
    const int n = s->n;
    number *T = s->T;
    const number first = AT(T, k, k), second = AT(T, k + 1, k + 1);
    const number x = AT(T, k, k + 1), y = second - first;
    const double norm = hypot(cabs(x), cabs(y));
    if (norm == 0.0) {
        return; /* they are the same */
    }
    const double c = cabs(x) / norm;
    const number phase = c > 0.0 ? x / cabs(x) : 1.0;
    const number r = phase * conj(y) / norm;
    for (int j = k + 2; j < n; j++) {
        rotate(&AT(T, k, j), &AT(T, k + 1, j), c, r);
    }
    for (int i = 0; i < k; i++) {
        rotate(&AT(T, i, k), &AT(T, i, k + 1), c, conj(r));
    }
    for (int i = 0; i < n; i++) {
        rotate(&AT(s->U, i, k), &AT(s->U, i, k + 1), c, conj(r));
    }
    AT(T, k, k) = second;
    AT(T, k + 1, k + 1) = first;
}

/* T by falling moduli */
static void sort(schur *s, double *size)
{
    const int n = s->n;
    for (int to = 0; to < n; to++) {
        int most = to;
        for (int k = to + 1; k < n; k++) {
            most = cabs(AT(s->T, k, k)) > cabs(AT(s->T, most, most)) ? k : most;
        }
        for (int k = most; k > to; k--) {
            swap(s, k - 1);
        }
        size[to] = cabs(AT(s->T, to, to));
    }
}

/* What the others have of column `pivot` of parts (n x count) is taken from them, its norm is made
 * one. */
static void take_out(int n, double *parts, int count, int pivot, double norm)
{
    double *own = parts + (size_t)pivot * (size_t)n;
    for (int i = 0; i < n; i++) {
        own[i] /= norm;
    }
    for (int j = 0; j < count; j++) {
        double *other = parts + (size_t)j * (size_t)n, sum = 0.0;
        for (int i = 0; i < n && j != pivot; i++) {
            sum += own[i] * other[i];
        }
        for (int i = 0; i < n && j != pivot; i++) {
            other[i] -= sum * own[i];
        }
    }
}

/* Real and imaginary parts of the first Schur vectors, of which the largest that are left are
 * taken one after the other. They are closed under conjugation, so that there are `count`. */
static bool read_basis(const schur *s, int count, double *basis)
{
    const int n = s->n;
    const size_t rows = (size_t)n;
    double *parts = calloc(2 * rows * (size_t)count + 1, sizeof *parts);
    bool *used = calloc(2 * (size_t)count + 1, sizeof *used);
    for (int j = 0; j < count && parts != NULL; j++) {
        double *part = parts + 2 * rows * (size_t)j;
        for (int i = 0; i < n; i++) {
            part[i] = creal(AT(s->U, i, j));
            part[n + i] = cimag(AT(s->U, i, j));
        }
    }
    for (int b = 0; b < count && parts != NULL && used != NULL; b++) {
        int pivot = 0;
        double most = -1.0;
        for (int j = 0; j < 2 * count; j++) {
            double sum = 0.0;
            for (int i = 0; i < n; i++) {
                sum +=
                    parts[rows * (size_t)j + (size_t)i] * parts[rows * (size_t)j + (size_t)i];
            }
            if (!used[j] && sum > most) {
                most = sum;
                pivot = j;
            }
        }
        double *own = parts + rows * (size_t)pivot;
        used[pivot] = true;
        for (int k = 0; k < b; k++) { /* once more: to rounding */
            const double *other = basis + rows * (size_t)k;
            double sum = 0.0;
            for (int i = 0; i < n; i++) {
                sum += own[i] * other[i];
            }
            for (int i = 0; i < n; i++) {
                own[i] -= sum * other[i];
            }
        }
        double norm = 0.0;
        for (int i = 0; i < n; i++) {
            norm = hypot(norm, own[i]);
        }
        take_out(n, parts, 2 * count, pivot, norm > 0.0 ? norm : 1.0);
        memcpy(basis + rows * (size_t)b, own, rows * sizeof *basis);
    }
    const bool good = parts != NULL && used != NULL;
    free(parts);
    free(used);
    return good;
}

/* ---- from outside ---- */

/* T and U of A, balanced (eigenvalues) or as it is (orthonormal vectors); what it needs is in
 * *room, which is the caller's to free. */
static crank_status decompose(int n, double *A, bool balanced, schur *s, number **room,
                              crank_error *err)
{
    const size_t size = (size_t)n, square = size * size;
    *room = NULL;
    for (size_t i = 0; i < square; i++) {
        if (!isfinite(A[i])) {
            return crank_fail(err, CRANK_EDECOMPOSITION,
                              "eigenvalues of a matrix with an entry that is not finite");
        }
    }
    *room = calloc(2 * square + 2 * size + 1, sizeof **room);
    if (*room == NULL) {
        return crank_fail(err, CRANK_EMEM, "eigenvalues of %d unknowns", n);
    }
    *s = (schur){
        n, A, (double *)(*room + 2 * square + size), *room, *room + square, *room + 2 * square};
    balance(s, balanced ? BALANCINGS : 0);
    reduce(s);
    return triangulate(s) ? CRANK_OK
                          : crank_fail(err, CRANK_EDECOMPOSITION,
                                       "eigenvalues of %d unknowns: no convergence", n);
}

crank_status crank_eigen(int n, double *A, double *real, double *imag, double *vectors,
                         crank_error *err)
{
    schur s;
    number *room;
    crank_status status = decompose(n, A, true, &s, &room, err);
    int *order = calloc((size_t)n + 1, sizeof *order);
    bool *used = calloc((size_t)n + 1, sizeof *used);
    if (status == CRANK_OK && (order == NULL || used == NULL)) {
        status = crank_fail(err, CRANK_EMEM, "eigenvalues of %d unknowns", n);
    }
    if (status == CRANK_OK) {
        pair(&s, order, used, real, imag);
    }
    if (status == CRANK_OK && vectors != NULL) {
        read_vectors(&s, order, imag, vectors);
    }
    free(room);
    free(order);
    free(used);
    return status;
}

crank_status crank_eigen_leading(int n, double *A, int wanted, double *size, double *basis,
                                 int *count, crank_error *err)
{
    schur s;
    number *room;
    crank_status status = decompose(n, A, false, &s, &room, err);
    *count = 0;
    if (status == CRANK_OK) {
        sort(&s, size);
        *count = wanted < n ? wanted : n;
        while (*count > 0 && *count < n && size[*count] > (1.0 - near) * size[*count - 1]) {
            (*count)++;
        }
        if (!read_basis(&s, *count, basis)) {
            status = crank_fail(err, CRANK_EMEM, "eigenvectors of %d unknowns", n);
        }
    }
    free(room);
    return status;
}
