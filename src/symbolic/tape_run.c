/* tape_run.c - runs a tape: one dispatch per instruction for up to four points at once.
 *
 * The loop is written once for any number of lanes and compiled for 1, 2, 3 and 4, where the inner
 * loops over lanes unroll. Nothing is allocated; the registers are the caller's work array. */
// SPDX-License-Identifier: BSD-3-Clause
#include "symbolic/scalar.h"
#include "symbolic/tape.h"

#include <math.h>

#if defined(__GNUC__)
#define TAPE_INLINE inline __attribute__((always_inline))
#define TAPE_UNREACHABLE __builtin_unreachable()
#else
#define TAPE_INLINE inline
#define TAPE_UNREACHABLE break
#endif

typedef struct tape_points {
    const double *in;
    double *out;
    size_t in_stride, out_stride;
} tape_points;

static TAPE_INLINE void load(const crank_tape *tape, const int lanes, tape_points p, double *work)
{
    for (int i = 0; i < tape->constant_count; i++) {
        for (int l = 0; l < lanes; l++) {
            *work++ = tape->constant[i];
        }
    }
    for (int i = 0; i < tape->load_count; i++) {
        for (int l = 0; l < lanes; l++) {
            *work++ = p.in[(size_t)tape->load[i] + (size_t)l * p.in_stride];
        }
    }
}

static TAPE_INLINE void store(const int lanes, tape_points p, int output, const double *a)
{
    for (int l = 0; l < lanes; l++) {
        p.out[(size_t)output + (size_t)l * p.out_stride] = a[l];
    }
}

/* The rare operations. */
static void call(int op, int lanes, double *r, const double *a, const double *b, const double *c)
{
    for (int l = 0; l < lanes; l++) {
        r[l] = crank_ex_apply((crank_ex_op)op, a[l], b[l], c[l]);
    }
}

static TAPE_INLINE void sin_cos(double *sine, double *cosine, double angle)
{
    *sine = sin(angle); /* compilers make one call of the two where the system has one */
    *cosine = cos(angle);
}

/* Longer than our functions are: one line per instruction, which splitting would only hide. */
static TAPE_INLINE void run(const crank_tape *tape, const int lanes, tape_points p, double *work)
{
    const tape_instruction *i = tape->instruction;
    const tape_instruction *end = i + tape->instruction_count;
    load(tape, lanes, p, work);
    for (; i < end; i++) {
        double *r = work + (ptrdiff_t)i->result * lanes;
        const double *a = work + (ptrdiff_t)i->operand[0] * lanes;
        const double *b = work + (ptrdiff_t)i->operand[1] * lanes;
        const double *c = work + (ptrdiff_t)i->operand[2] * lanes;
        const double *d = work + (ptrdiff_t)i->operand[3] * lanes;
        // clang-format off
        switch (i->op) {
        case TAPE_STORE: store(lanes, p, i->number, a); break;
        case TAPE_ADD: for (int l = 0; l < lanes; l++) { r[l] = a[l] + b[l]; } break;
        case TAPE_SUB: for (int l = 0; l < lanes; l++) { r[l] = a[l] - b[l]; } break;
        case TAPE_MUL: for (int l = 0; l < lanes; l++) { r[l] = a[l] * b[l]; } break;
        case TAPE_DIV: for (int l = 0; l < lanes; l++) { r[l] = a[l] / b[l]; } break;
        case TAPE_NEG: for (int l = 0; l < lanes; l++) { r[l] = -a[l]; } break;
        case TAPE_SQUARE: for (int l = 0; l < lanes; l++) { r[l] = a[l] * a[l]; } break;
        case TAPE_CUBE: for (int l = 0; l < lanes; l++) { r[l] = a[l] * (a[l] * a[l]); } break;
        case TAPE_NEG_MUL: for (int l = 0; l < lanes; l++) { r[l] = -(a[l] * b[l]); } break;
        case TAPE_MUL_ADD: for (int l = 0; l < lanes; l++) { r[l] = a[l] * b[l] + c[l]; } break;
        case TAPE_MUL_SUB: for (int l = 0; l < lanes; l++) { r[l] = a[l] * b[l] - c[l]; } break;
        case TAPE_SUB_MUL: for (int l = 0; l < lanes; l++) { r[l] = c[l] - a[l] * b[l]; } break;
        case TAPE_DOT: for (int l = 0; l < lanes; l++) { r[l] = a[l] * b[l] + c[l] * d[l]; } break;
        case TAPE_CROSS: for (int l = 0; l < lanes; l++) { r[l] = a[l] * b[l] - c[l] * d[l]; } break;
        case TAPE_ADD3: for (int l = 0; l < lanes; l++) { r[l] = a[l] + b[l] + c[l]; } break;
        case TAPE_ADD_SUB: for (int l = 0; l < lanes; l++) { r[l] = a[l] + b[l] - c[l]; } break;
        case TAPE_SUB_ADD: for (int l = 0; l < lanes; l++) { r[l] = a[l] - b[l] + c[l]; } break;
        case TAPE_MUL3: for (int l = 0; l < lanes; l++) { r[l] = a[l] * b[l] * c[l]; } break;
        case TAPE_MUL3_ADD: for (int l = 0; l < lanes; l++) { r[l] = a[l] * b[l] * c[l] + d[l]; } break;
        case TAPE_MUL3_SUB: for (int l = 0; l < lanes; l++) { r[l] = a[l] * b[l] * c[l] - d[l]; } break;
        case TAPE_SUB_MUL3: for (int l = 0; l < lanes; l++) { r[l] = d[l] - a[l] * b[l] * c[l]; } break;
        case TAPE_ADD_MUL: for (int l = 0; l < lanes; l++) { r[l] = (a[l] + b[l]) * c[l]; } break;
        case TAPE_DIFF_MUL: for (int l = 0; l < lanes; l++) { r[l] = (a[l] - b[l]) * c[l]; } break;
        case TAPE_SIN: for (int l = 0; l < lanes; l++) { r[l] = sin(a[l]); } break;
        case TAPE_COS: for (int l = 0; l < lanes; l++) { r[l] = cos(a[l]); } break;
        case TAPE_SQRT: for (int l = 0; l < lanes; l++) { r[l] = sqrt(a[l]); } break;
        case TAPE_POWER: for (int l = 0; l < lanes; l++) { r[l] = scalar_power(a[l], i->number); } break;
        case TAPE_IF: for (int l = 0; l < lanes; l++) { r[l] = a[l] != 0.0 ? b[l] : c[l]; } break;
        case TAPE_CALL: call(i->number, lanes, r, a, b, c); break;
        case TAPE_SIN_COS:
            for (int l = 0; l < lanes; l++) {
                sin_cos(r + l, work + (ptrdiff_t)i->number * lanes + l, a[l]);
            }
            break;
        default: TAPE_UNREACHABLE;
        }
        // clang-format on
    }
    for (int k = 0; k < tape->copy_count; k++) {
        store(lanes, p, tape->copy[2 * k], work + (ptrdiff_t)tape->copy[2 * k + 1] * lanes);
    }
}

static void run_1(const crank_tape *tape, tape_points p, double *work)
{
    run(tape, 1, p, work);
}

static void run_2(const crank_tape *tape, tape_points p, double *work)
{
    run(tape, 2, p, work);
}

static void run_3(const crank_tape *tape, tape_points p, double *work)
{
    run(tape, 3, p, work);
}

static void run_4(const crank_tape *tape, tape_points p, double *work)
{
    run(tape, 4, p, work);
}

void crank_tape_evaluate(const crank_tape *tape, int count, const double *in, int in_stride,
                         double *out, int out_stride, double *work)
{
    tape_points p = {in, out, (size_t)in_stride, (size_t)out_stride};
    for (; count >= 4; count -= 4) {
        run_4(tape, p, work);
        p.in += 4 * p.in_stride;
        p.out += 4 * p.out_stride;
    }
    if (count == 1) {
        run_1(tape, p, work);
    } else if (count == 2) {
        run_2(tape, p, work);
    } else if (count == 3) {
        run_3(tape, p, work);
    }
}
