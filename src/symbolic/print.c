/* print.c - expression to text that parses back to the same node.
 *
 * A node is a row of pieces: literal text and operands, in parentheses where precedence asks
 * for them. One function makes the row; it is used twice, to measure (each shared node once)
 * and to write (with an explicit stack), so that long sums need no deep recursion and a
 * small buffer ends the work early. */
// SPDX-License-Identifier: BSD-3-Clause
#include "symbolic/pool.h"

#include "base/number.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Levels of the grammar in parse.c, loosest first. */
enum { EITHER, BOTH, NEGATION, COMPARISON, SUM, PRODUCT, POWER, PRIMARY };

typedef struct print_piece {
    crank_ex e; /* -1: the text */
    bool parentheses;
    char text[CRANK_NUMBER_TEXT];
} print_piece;

enum { MAX_PIECES = 8 };
typedef struct print_row {
    int count;
    print_piece piece[MAX_PIECES];
} print_row;

static void put_text(print_row *row, const char *text)
{
    print_piece *p = &row->piece[row->count++];
    p->e = -1;
    p->parentheses = false;
    assert(strlen(text) < sizeof p->text);
    memcpy(p->text, text, strlen(text) + 1);
}

static void put_number(print_row *row, double value)
{
    print_piece *p = &row->piece[row->count++];
    p->e = -1;
    p->parentheses = false;
    crank_number_print(p->text, sizeof p->text, value, 0);
}

static int level_of(const crank_pool *pool, crank_ex e)
{
    switch ((int)ex_op(pool, e)) {
    case CRANK_EX_NUMBER:
        return signbit(pool->node[e].value) ? PRODUCT : PRIMARY;
    case CRANK_EX_ADD:
        return SUM;
    case CRANK_EX_NEG: /* written as the sign of a product's first factor */
    case CRANK_EX_MUL:
    case CRANK_EX_DIV:
        return PRODUCT;
    case CRANK_EX_POW:
        return POWER;
    case CRANK_EX_LT:
    case CRANK_EX_LE:
    case CRANK_EX_EQ:
    case CRANK_EX_NE:
        return COMPARISON;
    case CRANK_EX_NOT:
        return NEGATION;
    case CRANK_EX_AND:
        return BOTH;
    case CRANK_EX_OR:
        return EITHER;
    default:
        return PRIMARY;
    }
}

/* e, in parentheses if it binds less tightly than level. */
static void put(print_row *row, const crank_pool *pool, crank_ex e, int level)
{
    print_piece *p = &row->piece[row->count++];
    p->e = e;
    p->parentheses = level_of(pool, e) < level;
}

/* The factor with which the text of a product (or quotient) begins; -1: too far down to
 * look. */
static crank_ex first_factor(const crank_pool *pool, crank_ex e, bool quotients)
{
    for (int i = 0; i < 8; i++) {
        const crank_ex_op op = ex_op(pool, e);
        if (op != CRANK_EX_MUL && !(quotients && op == CRANK_EX_DIV)) {
            return e;
        }
        const crank_ex a = ex_operand(pool, e, 0);
        const crank_ex b = ex_operand(pool, e, 1);
        const bool swapped =
            op == CRANK_EX_MUL && !ex_is_number(pool, a) && level_of(pool, b) == PRODUCT;
        e = swapped ? b : a;
    }
    return -1;
}

/* c*e for a number c >= 0: 2*x*y reads back as 2*(x*y), but 2*x/3 not as 2*(x/3). */
static void put_multiple(print_row *row, const crank_pool *pool, double c, crank_ex e)
{
    const crank_ex first = first_factor(pool, e, false);
    const bool plain = ex_op(pool, e) == CRANK_EX_MUL && first >= 0 &&
                       ex_op(pool, first) != CRANK_EX_DIV && !ex_is_number(pool, first);
    put_number(row, c);
    put_text(row, "*");
    put(row, pool, e, plain ? PRODUCT : POWER);
}

/* -e: -x*y reads back as -(x*y), but -0/x not as -(0/x), nor -(x - y)*z as -((x - y)*z). */
static void negative_row(print_row *row, const crank_pool *pool, crank_ex e)
{
    const crank_ex first = first_factor(pool, e, true);
    const bool plain = first >= 0 && ex_op(pool, first) != CRANK_EX_ADD &&
                       !(ex_is_number(pool, first) && pool->node[first].value <= 0.0);
    put_text(row, "-");
    put(row, pool, e, plain ? PRODUCT : POWER);
}

/* a + b, where the looser or positive operand goes first and a sign of the other one becomes
 * -. */
static void sum_row(print_row *row, const crank_pool *pool, crank_ex a, crank_ex b)
{
    const bool b_sum = ex_op(pool, b) == CRANK_EX_ADD;
    const bool a_sum = ex_op(pool, a) == CRANK_EX_ADD;
    if ((b_sum && !a_sum) ||
        (a_sum == b_sum && crank_ex_is_negative(pool, a) && !crank_ex_is_negative(pool, b))) {
        const crank_ex swap = a;
        a = b;
        b = swap;
    }
    put(row, pool, a, SUM);
    if (!crank_ex_is_negative(pool, b)) {
        put_text(row, " + ");
        put(row, pool, b, PRODUCT);
        return;
    }
    put_text(row, " - ");
    if (ex_is_number(pool, b)) {
        put_number(row, -pool->node[b].value);
    } else if (ex_op(pool, b) == CRANK_EX_NEG) {
        put(row, pool, ex_operand(pool, b, 0), PRODUCT);
    } else {
        const double c = -pool->node[ex_operand(pool, b, 0)].value;
        put_multiple(row, pool, c, ex_operand(pool, b, 1));
    }
}

static void product_row(print_row *row, const crank_pool *pool, crank_ex a, crank_ex b)
{
    if (ex_is_number(pool, a)) {
        const double c = pool->node[a].value;
        if (signbit(c)) {
            put_text(row, "-");
        }
        put_multiple(row, pool, fabs(c), b);
        return;
    }
    if (level_of(pool, b) == PRODUCT) {
        const crank_ex swap = a;
        a = b;
        b = swap;
    }
    put(row, pool, a, PRODUCT);
    put_text(row, "*");
    put(row, pool, b, POWER);
}

static void infix_row(print_row *row, const crank_pool *pool, const ex_node *n,
                      const char *sign, int left, int right)
{
    put(row, pool, n->operand[0], left);
    put_text(row, sign);
    put(row, pool, n->operand[1], right);
}

static void call_row(print_row *row, const crank_pool *pool, const ex_node *n)
{
    const char *name = n->op == CRANK_EX_IF      ? "if"
                       : n->op == CRANK_EX_MIN   ? "min"
                       : n->op == CRANK_EX_MAX   ? "max"
                       : n->op == CRANK_EX_ATAN2 ? "atan2"
                       : n->op == CRANK_EX_HYPOT ? "hypot"
                                                 : crank_ex_function_name(n->op);
    put_text(row, name);
    put_text(row, "(");
    put(row, pool, n->operand[0], EITHER);
    for (int i = 1; i < 3 && n->operand[i] >= 0; i++) {
        put_text(row, ", ");
        put(row, pool, n->operand[i], EITHER);
    }
    put_text(row, ")");
}

/* table0(x), table0'(x), ...; road(x), road'(x) of a table with a name */
static void table_row(print_row *row, const crank_pool *pool, crank_ex e)
{
    static const char *const marks[] = {"(", "'(", "''(", "'''("};
    int order;
    const int table = crank_ex_table_of(pool, e, &order);
    const crank_table_data *named = pool->tables[table].named;
    put_text(row, named != NULL ? named->name : "table");
    if (named == NULL) {
        put_number(row, table);
    }
    put_text(row, marks[order]);
    put(row, pool, ex_operand(pool, e, 0), EITHER);
    put_text(row, ")");
}

static void make_row(print_row *row, const crank_pool *pool, crank_ex e)
{
    const ex_node *n = &pool->node[e];
    row->count = 0;
    switch ((int)n->op) {
    case CRANK_EX_NUMBER:
        put_number(row, n->value);
        break;
    case CRANK_EX_ADD:
        sum_row(row, pool, n->operand[0], n->operand[1]);
        break;
    case CRANK_EX_NEG:
        negative_row(row, pool, n->operand[0]);
        break;
    case CRANK_EX_MUL:
        product_row(row, pool, n->operand[0], n->operand[1]);
        break;
    case CRANK_EX_DIV:
        infix_row(row, pool, n, "/", PRODUCT, POWER);
        break;
    case CRANK_EX_POW:
        infix_row(row, pool, n, "^", PRIMARY, PRIMARY);
        break;
    case CRANK_EX_LT:
        infix_row(row, pool, n, " < ", SUM, SUM);
        break;
    case CRANK_EX_LE:
        infix_row(row, pool, n, " <= ", SUM, SUM);
        break;
    case CRANK_EX_EQ:
        infix_row(row, pool, n, " == ", SUM, SUM);
        break;
    case CRANK_EX_NE:
        infix_row(row, pool, n, " != ", SUM, SUM);
        break;
    case CRANK_EX_AND:
        infix_row(row, pool, n, " and ", BOTH, NEGATION);
        break;
    case CRANK_EX_OR:
        infix_row(row, pool, n, " or ", EITHER, BOTH);
        break;
    case CRANK_EX_NOT:
        put_text(row, "not ");
        put(row, pool, n->operand[0], NEGATION);
        break;
    case CRANK_EX_TABLE:
        table_row(row, pool, e);
        break;
    default:
        call_row(row, pool, n);
    }
}

/* ---- measuring ---- */

typedef struct printer {
    const crank_pool *pool;
    double *length; /* for each node up to the root: characters of its text, 0: not yet known */
    int *stack;
    int stack_capacity;
} printer;

static bool reserve(printer *p, int size)
{
    if (size <= p->stack_capacity) {
        return true;
    }
    const int capacity = 2 * size + 64;
    int *stack = realloc(p->stack, (size_t)capacity * sizeof *stack);
    if (stack == NULL) {
        return false;
    }
    p->stack = stack;
    p->stack_capacity = capacity;
    return true;
}

/* Length of e's text if those of its operands are known, else 0. */
static double measure_node(const printer *p, crank_ex e)
{
    const char *name = crank_ex_symbol_name(p->pool, e);
    if (name != NULL) {
        return (double)strlen(name);
    }
    print_row row;
    make_row(&row, p->pool, e);
    double sum = 0.0;
    for (int i = 0; i < row.count; i++) {
        const print_piece *piece = &row.piece[i];
        const double part = piece->e < 0 ? (double)strlen(piece->text) : p->length[piece->e];
        if (part == 0.0) {
            return 0.0;
        }
        sum += part + (piece->parentheses ? 2.0 : 0.0);
    }
    return sum;
}

static bool measure(printer *p, crank_ex root)
{
    int depth = 0;
    if (!reserve(p, 1)) {
        return false;
    }
    p->stack[depth++] = root;
    while (depth > 0) {
        const crank_ex e = p->stack[depth - 1];
        if (p->length[e] == 0.0) {
            p->length[e] = measure_node(p, e);
        }
        if (p->length[e] > 0.0) {
            depth--;
            continue;
        }
        if (!reserve(p, depth + 3)) {
            return false;
        }
        for (int i = 0; i < 3; i++) {
            const crank_ex operand = crank_ex_get_operand(p->pool, e, i);
            if (operand >= 0 && p->length[operand] == 0.0) {
                p->stack[depth++] = operand;
            }
        }
    }
    return true;
}

/* ---- writing ---- */

typedef struct print_buffer {
    char *text;
    size_t size, used;
} print_buffer;

static void write_text(print_buffer *b, const char *text)
{
    for (; *text != '\0' && b->used + 1 < b->size; text++) {
        b->text[b->used++] = *text;
    }
}

/* A stack entry: a node (rows are made again to find the next piece) and its next piece. */
static bool write_node(printer *p, crank_ex root, print_buffer *b)
{
    int depth = 0;
    if (!reserve(p, 2)) {
        return false;
    }
    p->stack[0] = root;
    p->stack[1] = 0;
    depth = 2;
    while (depth > 0 && b->used + 1 < b->size) {
        const crank_ex e = p->stack[depth - 2];
        const int next = p->stack[depth - 1]++;
        const char *name = crank_ex_symbol_name(p->pool, e);
        print_row row = {.count = 0};
        if (name != NULL) {
            write_text(b, name);
        } else {
            make_row(&row, p->pool, e);
        }
        if (next > 0 && next <= row.count && row.piece[next - 1].parentheses) {
            write_text(b, ")");
        }
        if (next >= row.count) {
            depth -= 2;
            continue;
        }
        const print_piece *piece = &row.piece[next];
        if (piece->parentheses) {
            write_text(b, "(");
        }
        if (piece->e < 0) {
            write_text(b, piece->text);
            continue;
        }
        if (!reserve(p, depth + 2)) {
            return false;
        }
        p->stack[depth] = piece->e;
        p->stack[depth + 1] = 0;
        depth += 2;
    }
    b->text[b->used] = '\0';
    return true;
}

int crank_ex_print(const crank_pool *pool, crank_ex e, char *text, size_t size)
{
    printer p = {.pool = pool};
    int result = -1;
    p.length = calloc((size_t)e + 1, sizeof *p.length);
    if (p.length == NULL || !measure(&p, e) || p.length[e] > (double)INT_MAX) {
        goto done;
    }
    print_buffer buffer = {.text = text, .size = size};
    if (size == 0 || write_node(&p, e, &buffer)) {
        result = (int)p.length[e];
    }
done:
    free(p.stack);
    free(p.length);
    return result;
}
