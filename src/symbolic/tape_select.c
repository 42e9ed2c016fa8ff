/* tape_select.c - chooses the tape's instructions for a set of expressions.
 *
 * Backwards over the nodes: a node that somebody needs gets the largest instruction that
 * covers it and operands nobody else uses (a sum its products, a product its sums and
 * products); what that instruction reads is needed in turn. Then forwards: instructions are
 * written in the order of the traversal, sine and cosine of one argument together. */
// SPDX-License-Identifier: BSD-3-Clause
#include "symbolic/scalar.h"
#include "symbolic/tape.h"

#include <stdlib.h>
#include <string.h>

int crank_tape_operand_count(int op)
{
#define TAPE_OPERANDS(name, operands) operands,
    static const int count[] = {TAPE_OP_LIST(TAPE_OPERANDS)};
#undef TAPE_OPERANDS
    return count[op];
}

typedef struct selection {
    const crank_pool *pool;
    const int *position;      /* node -> position */
    int *uses;                /* position -> how many nodes and outputs use it */
    bool *needed;             /* position -> an instruction reads it, or it is an output */
    tape_instruction *choice; /* position -> instruction, operands as nodes */
    int *partner; /* position -> position of the cosine (sine) of the same argument */
} selection;

/* ---- patterns ---- */

static bool only_here(const selection *s, crank_ex e)
{
    return s->uses[s->position[e]] == 1;
}

static bool is_square(const crank_pool *pool, crank_ex e)
{
    return ex_op(pool, e) == CRANK_EX_POW &&
           crank_ex_is_value(pool, ex_operand(pool, e, 1), 2.0);
}

static bool is_op_here(const selection *s, crank_ex e, crank_ex_op op)
{
    return ex_op(s->pool, e) == op && only_here(s, e);
}

/* The factors of a product that is used only here: 2 or 3 of them, 0: no product. */
static int factors(const selection *s, crank_ex e, crank_ex factor[3])
{
    if (is_square(s->pool, e) && only_here(s, e)) {
        factor[0] = factor[1] = ex_operand(s->pool, e, 0);
        return 2;
    }
    if (!is_op_here(s, e, CRANK_EX_MUL)) {
        return 0;
    }
    for (int i = 0; i < 2; i++) { /* (a b) c */
        const crank_ex inner = ex_operand(s->pool, e, i);
        if (is_op_here(s, inner, CRANK_EX_MUL) ||
            (is_square(s->pool, inner) && only_here(s, inner))) {
            const bool square = is_square(s->pool, inner);
            factor[0] = ex_operand(s->pool, inner, 0);
            factor[1] = square ? factor[0] : ex_operand(s->pool, inner, 1);
            factor[2] = ex_operand(s->pool, e, 1 - i);
            return 3;
        }
    }
    factor[0] = ex_operand(s->pool, e, 0);
    factor[1] = ex_operand(s->pool, e, 1);
    return 2;
}

static tape_instruction instruction(int op, int a, int b, int c, int d)
{
    return (tape_instruction){.op = op, .operand = {a, b, c, d}};
}

/* e = a + b or a - b, used only here, and no larger instruction covers a or b. */
static bool is_plain_sum(const selection *s, crank_ex e, crank_ex *a, crank_ex *b, bool *minus)
{
    const crank_pool *pool = s->pool;
    crank_ex unused[3];
    if (!is_op_here(s, e, CRANK_EX_ADD)) {
        return false;
    }
    const int negative = ex_op(pool, ex_operand(pool, e, 0)) == CRANK_EX_NEG ? 0 : 1;
    *a = ex_operand(pool, e, 1 - negative);
    *b = ex_operand(pool, e, negative);
    *minus = ex_op(pool, *b) == CRANK_EX_NEG;
    if (*minus) {
        *b = ex_operand(pool, *b, 0);
    }
    return ex_op(pool, *a) != CRANK_EX_NEG && factors(s, *a, unused) == 0 &&
           factors(s, *b, unused) == 0;
}

/* p + q or p - q where neither is a product: perhaps a sum of three. */
static tape_instruction select_plain_sum(const selection *s, crank_ex p, crank_ex q, bool minus)
{
    crank_ex a;
    crank_ex b;
    bool inner_minus;
    if (is_plain_sum(s, p, &a, &b, &inner_minus) && !(minus && inner_minus)) {
        const int op = inner_minus ? TAPE_SUB_ADD : minus ? TAPE_ADD_SUB : TAPE_ADD3;
        return instruction(op, a, b, q, -1);
    }
    if (!minus && is_plain_sum(s, q, &a, &b, &inner_minus)) {
        return instruction(inner_minus ? TAPE_SUB_ADD : TAPE_ADD3, a, b, p, -1);
    }
    return instruction(minus ? TAPE_SUB : TAPE_ADD, p, q, -1, -1);
}

static tape_instruction select_sum(const selection *s, crank_ex p, crank_ex q)
{
    const crank_pool *pool = s->pool;
    crank_ex f[3];
    crank_ex g[3];
    if (ex_op(pool, p) == CRANK_EX_NEG) {
        const crank_ex swap = p;
        p = q;
        q = swap;
    }
    const bool minus = ex_op(pool, q) == CRANK_EX_NEG;
    if (minus) {
        q = ex_operand(pool, q, 0);
    }
    if (ex_op(pool, p) == CRANK_EX_NEG) { /* both: -x - y, from products with constants */
        return instruction(minus ? TAPE_SUB : TAPE_ADD, p, q, -1, -1);
    }
    const int nf = factors(s, p, f);
    const int ng = factors(s, q, g);
    if (nf == 3) {
        return instruction(minus ? TAPE_MUL3_SUB : TAPE_MUL3_ADD, f[0], f[1], f[2], q);
    }
    if (ng == 3) {
        return instruction(minus ? TAPE_SUB_MUL3 : TAPE_MUL3_ADD, g[0], g[1], g[2], p);
    }
    if (nf == 2 && ng == 2) {
        return instruction(minus ? TAPE_CROSS : TAPE_DOT, f[0], f[1], g[0], g[1]);
    }
    if (nf == 2) {
        return instruction(minus ? TAPE_MUL_SUB : TAPE_MUL_ADD, f[0], f[1], q, -1);
    }
    if (ng == 2) {
        return instruction(minus ? TAPE_SUB_MUL : TAPE_MUL_ADD, g[0], g[1], p, -1);
    }
    return select_plain_sum(s, p, q, minus);
}

static tape_instruction select_product(const selection *s, crank_ex a, crank_ex b)
{
    for (int i = 0; i < 2; i++) {
        const crank_ex inner = i == 0 ? a : b;
        const crank_ex rest = i == 0 ? b : a;
        crank_ex f[3];
        bool minus;
        if (factors(s, inner, f) == 2) {
            return instruction(TAPE_MUL3, f[0], f[1], rest, -1);
        }
        if (is_plain_sum(s, inner, &f[0], &f[1], &minus)) {
            return instruction(minus ? TAPE_DIFF_MUL : TAPE_ADD_MUL, f[0], f[1], rest, -1);
        }
    }
    return instruction(TAPE_MUL, a, b, -1, -1);
}

static tape_instruction select_power(const crank_pool *pool, crank_ex a, crank_ex b)
{
    int n;
    if (!crank_ex_is_integer(pool, b, &n) || n < 2 || n > SCALAR_MAX_POWER) {
        tape_instruction call = instruction(TAPE_CALL, a, b, -1, -1);
        call.number = CRANK_EX_POW;
        return call;
    }
    tape_instruction power = instruction(n == 2   ? TAPE_SQUARE
                                         : n == 3 ? TAPE_CUBE
                                                  : TAPE_POWER,
                                         a, -1, -1, -1);
    power.number = n;
    return power;
}

static tape_instruction select_table(const crank_pool *pool, crank_ex e)
{
    int order;
    const int table = crank_ex_table_of(pool, e, &order);
    tape_instruction lookup = instruction(TAPE_TABLE, ex_operand(pool, e, 0), -1, -1, -1);
    lookup.number = TAPE_TABLE_ORDERS * table + order;
    return lookup;
}

static tape_instruction select_instruction(const selection *s, crank_ex e)
{
    const ex_node n = s->pool->node[e];
    const crank_ex a = n.operand[0];
    const crank_ex b = n.operand[1];
    tape_instruction call = instruction(TAPE_CALL, a, b, n.operand[2], -1);
    switch ((int)n.op) {
    case CRANK_EX_ADD:
        return select_sum(s, a, b);
    case CRANK_EX_MUL:
        return select_product(s, a, b);
    case CRANK_EX_DIV:
        return instruction(TAPE_DIV, a, b, -1, -1);
    case CRANK_EX_POW:
        return select_power(s->pool, a, b);
    case CRANK_EX_NEG:
        if (is_op_here(s, a, CRANK_EX_MUL)) {
            return instruction(TAPE_NEG_MUL, ex_operand(s->pool, a, 0),
                               ex_operand(s->pool, a, 1), -1, -1);
        }
        return instruction(TAPE_NEG, a, -1, -1, -1);
    case CRANK_EX_SIN:
        return instruction(TAPE_SIN, a, -1, -1, -1);
    case CRANK_EX_COS:
        return instruction(TAPE_COS, a, -1, -1, -1);
    case CRANK_EX_SQRT:
        return instruction(TAPE_SQRT, a, -1, -1, -1);
    case CRANK_EX_TABLE:
        return select_table(s->pool, e);
    case CRANK_EX_IF:
        return instruction(TAPE_IF, a, b, n.operand[2], -1);
    default:
        call.number = (int)n.op;
        return call;
    }
}

/* ---- the two sweeps ---- */

static void count_uses(selection *s, const tape_code *code, int output_count,
                       const crank_ex *outputs)
{
    for (int k = 0; k < code->position_count; k++) {
        for (int i = 0; i < 3; i++) {
            const crank_ex operand = crank_ex_get_operand(s->pool, code->node[k], i);
            if (operand >= 0) {
                s->uses[s->position[operand]]++;
            }
        }
    }
    for (int i = 0; i < output_count;
         i++) { /* twice: an output is never merged into its user */
        s->uses[s->position[outputs[i]]] += 2;
        s->needed[s->position[outputs[i]]] = true;
    }
}

static void choose(selection *s, const tape_code *code)
{
    for (int k = code->position_count - 1; k >= 0; k--) {
        if (!s->needed[k] || ex_is_leaf(s->pool, code->node[k])) {
            continue;
        }
        tape_instruction *choice = &s->choice[k];
        *choice = select_instruction(s, code->node[k]);
        choice->result = k;
        for (int i = 0; i < 4; i++) {
            if (choice->operand[i] >= 0) {
                choice->operand[i] = s->position[choice->operand[i]];
                s->needed[choice->operand[i]] = true;
            }
        }
    }
}

/* Finds the pairs sin(x), cos(x). first_of holds, for each argument, the first of the two. */
static void pair_sines(selection *s, const tape_code *code, int *first_of)
{
    for (int k = 0; k < code->position_count; k++) {
        first_of[k] = -1;
        s->partner[k] = -1;
        const int op = s->choice[k].op;
        if (!s->needed[k] || ex_is_leaf(s->pool, code->node[k]) ||
            (op != TAPE_SIN && op != TAPE_COS)) {
            continue;
        }
        const int argument = s->choice[k].operand[0];
        if (first_of[argument] >= 0) {
            s->partner[k] = first_of[argument];
            s->partner[first_of[argument]] = k;
        }
        first_of[argument] = k;
    }
}

static void write_code(const selection *s, tape_code *code)
{
    code->count = 0;
    for (int k = 0; k < code->position_count; k++) {
        if (!s->needed[k] || ex_is_leaf(s->pool, code->node[k])) {
            continue;
        }
        const int partner = s->partner[k];
        tape_instruction i = s->choice[k];
        if (partner >= 0 && partner < k) {
            continue; /* done together with its partner */
        }
        if (partner >= 0) {
            i.result = i.op == TAPE_SIN ? k : partner;
            i.number = i.op == TAPE_SIN ? partner : k;
            i.op = TAPE_SIN_COS;
        }
        code->instruction[code->count++] = i;
    }
}

crank_status crank_tape_select(const crank_pool *pool, int output_count,
                               const crank_ex *outputs, tape_code *code, crank_error *err)
{
    const size_t n = (size_t)code->position_count + 1; /* not 0 */
    selection s = {.pool = pool, .position = pool->memo};
    crank_status status = CRANK_OK;
    s.uses = calloc(n, sizeof *s.uses);
    s.needed = calloc(n, sizeof *s.needed);
    s.partner = calloc(n, sizeof *s.partner);
    s.choice = calloc(n, sizeof *s.choice);
    int *first_of = calloc(n, sizeof *first_of);
    code->instruction = calloc(n, sizeof *code->instruction);
    if (s.uses == NULL || s.needed == NULL || s.partner == NULL || s.choice == NULL ||
        first_of == NULL || code->instruction == NULL) {
        status = crank_fail(err, CRANK_EMEM, "tape of %d nodes", code->position_count);
    } else {
        count_uses(&s, code, output_count, outputs);
        choose(&s, code);
        pair_sines(&s, code, first_of);
        write_code(&s, code);
    }
    free(s.uses);
    free(s.needed);
    free(s.partner);
    free(s.choice);
    free(first_of);
    return status;
}
