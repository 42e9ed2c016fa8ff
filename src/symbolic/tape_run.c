/* tape_run.c - runs a tape: one dispatch per instruction for up to four points at once.
 *
 * The loop is written once for any number of lanes and compiled for 1, 2, 3 and 4, where the
 * inner loops over lanes unroll. Nothing is allocated; the registers are the caller's work
 * array. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/tabulated.h"
#include "symbolic/scalar.h"
#include "symbolic/tape.h"

#include <math.h>

#if defined(__GNUC__)
#define TAPE_INLINE      inline __attribute__((always_inline))
#define TAPE_UNREACHABLE __builtin_unreachable()
#else
#define TAPE_INLINE      inline
#define TAPE_UNREACHABLE break
#endif

typedef struct tape_points {
    const double *in;
    double *out;
    size_t in_stride, out_stride;
} tape_points;

static TAPE_INLINE void load(const crank_tape *tape, const int lanes, tape_points p,
                             double *work)
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

/* `number` outputs, from entry `result` of the list of stores on. */
static TAPE_INLINE void store(const crank_tape *tape, const int lanes, tape_points p,
                              const tape_instruction *i, const double *work)
{
    const tape_store *s = tape->store + i->result;
    for (const tape_store *end = s + i->number; s < end; s++) {
        for (int l = 0; l < lanes; l++) {
            p.out[(size_t)s->output + (size_t)l * p.out_stride] =
                work[(ptrdiff_t)s->place * lanes + l];
        }
    }
}

/* Compilers make one call of the two where the system has one. */
static TAPE_INLINE void sin_cos(const int lanes, double *work, const tape_instruction *i)
{
    double *sine = work + (ptrdiff_t)i->result * lanes;
    double *cosine = work + (ptrdiff_t)i->number * lanes;
    const double *angle = work + (ptrdiff_t)i->operand[0] * lanes;
    for (int l = 0; l < lanes; l++) {
        const double x = angle[l]; /* may be overwritten */
        sine[l] = sin(x);
        cosine[l] = cos(x);
    }
}

static double look_up(const crank_tape *tape, int number, double x)
{
    const tape_table *table = &tape->table[number / TAPE_TABLE_ORDERS];
    return crank_tabulated_evaluate(table->rows, table->data, number % TAPE_TABLE_ORDERS, x);
}

/* Operands of instruction i and its result, in lane l. */
#define A      work[(ptrdiff_t)i->operand[0] * lanes + l]
#define B      work[(ptrdiff_t)i->operand[1] * lanes + l]
#define C      work[(ptrdiff_t)i->operand[2] * lanes + l]
#define D      work[(ptrdiff_t)i->operand[3] * lanes + l]
#define RESULT work[(ptrdiff_t)i->result * lanes + l]
#define EACH_LANE(formula)                                                                     \
    for (int l = 0; l < lanes; l++) {                                                          \
        RESULT = formula;                                                                      \
    }                                                                                          \
    break

/* Longer than our functions are: one line per instruction, which splitting would only hide. */
// NOLINTNEXTLINE(readability-function-cognitive-complexity)
static TAPE_INLINE void run(const crank_tape *tape, const int lanes, tape_points p,
                            double *work)
{
    const tape_instruction *i = tape->instruction;
    const tape_instruction *end = i + tape->instruction_count;
    load(tape, lanes, p, work);
    for (; i < end; i++) {
        // clang-format off
        switch (i->op) {
        case TAPE_ADD: EACH_LANE(A + B);
        case TAPE_SUB: EACH_LANE(A - B);
        case TAPE_MUL: EACH_LANE(A * B);
        case TAPE_DIV: EACH_LANE(A / B);
        case TAPE_NEG: EACH_LANE(-A);
        case TAPE_SQUARE: EACH_LANE(A * A);
        case TAPE_CUBE: EACH_LANE(A * (A * A));
        case TAPE_NEG_MUL: EACH_LANE(-(A * B));
        case TAPE_MUL_ADD: EACH_LANE(A * B + C);
        case TAPE_MUL_SUB: EACH_LANE(A * B - C);
        case TAPE_SUB_MUL: EACH_LANE(C - A * B);
        case TAPE_DOT: EACH_LANE(A * B + C * D);
        case TAPE_CROSS: EACH_LANE(A * B - C * D);
        case TAPE_ADD3: EACH_LANE(A + B + C);
        case TAPE_ADD_SUB: EACH_LANE(A + B - C);
        case TAPE_SUB_ADD: EACH_LANE(A - B + C);
        case TAPE_MUL3: EACH_LANE(A * B * C);
        case TAPE_MUL3_ADD: EACH_LANE(A * B * C + D);
        case TAPE_MUL3_SUB: EACH_LANE(A * B * C - D);
        case TAPE_SUB_MUL3: EACH_LANE(D - A * B * C);
        case TAPE_ADD_MUL: EACH_LANE((A + B) * C);
        case TAPE_DIFF_MUL: EACH_LANE((A - B) * C);
        case TAPE_SIN: EACH_LANE(sin(A));
        case TAPE_COS: EACH_LANE(cos(A));
        case TAPE_SQRT: EACH_LANE(sqrt(A));
        case TAPE_POWER: EACH_LANE(scalar_power(A, i->number));
        case TAPE_TABLE: EACH_LANE(look_up(tape, i->number, A));
        case TAPE_IF: EACH_LANE(A != 0.0 ? B : C);
        case TAPE_CALL: EACH_LANE(crank_ex_apply((crank_ex_op)i->number, A, B, C));
        case TAPE_SIN_COS: sin_cos(lanes, work, i); break;
        case TAPE_STORE: store(tape, lanes, p, i, work); break;
        default: TAPE_UNREACHABLE;
        }
        // clang-format on
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
