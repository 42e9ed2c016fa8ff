/* emit_c.c - expressions as C source: strict C99, only math.h, the same text for the same
 * input.
 *
 * What is used more than once becomes a variable; the rest is written where it is used, to a
 * limited depth. Operations and their order are those of the tape, so that both give the
 * same values. */
// SPDX-License-Identifier: BSD-3-Clause
#include "symbolic/pool.h"

#include "base/number.h"
#include "linalg/tabulated.h"
#include "symbolic/scalar.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NESTING = 6 };

typedef struct emitter {
    crank_text *text;
    const char *name;               /* of the function */
    const char *const *symbol_text; /* of inputs; NULL: in[number] */
    const crank_pool *pool;
    int node_count;
    const crank_ex *node; /* position -> node, operands first */
    const int *position;  /* node -> position */
    int *uses;            /* position -> how often its text would appear */
    int *nesting;         /* position -> depth of the text in place, 0: leaf or variable */
    int *variable; /* position -> number of its variable or input, -1: written in place */
    int *store;    /* position -> first output of this value, -1: none */
    int *next;     /* output -> next output of the same value */
} emitter;

/* ---- what becomes a variable ---- */

/* a^n written as a product of n <= 3 factors */
static int short_power(const crank_pool *pool, crank_ex e)
{
    int n;
    return ex_op(pool, e) == CRANK_EX_POW &&
                   crank_ex_is_integer(pool, ex_operand(pool, e, 1), &n) && n >= 2 && n <= 3
               ? n
               : 0;
}

/* How often the text of operand i appears in that of e. */
static int appearances(const emitter *c, crank_ex e, int i)
{
    if (ex_op(c->pool, e) == CRANK_EX_TABLE) {
        return i == 0 ? 1 : 0;
    }
    const int n = short_power(c->pool, e);
    if (n > 0) {
        return i == 0 ? n : 0;
    }
    return ex_op(c->pool, e) == CRANK_EX_NEG ? c->uses[c->position[e]] : 1;
}

static void count_uses(emitter *c, int output_count, const crank_ex *outputs)
{
    for (int k = 0; k < c->node_count; k++) {
        c->store[k] = -1;
    }
    for (int i = output_count - 1; i >= 0; i--) {
        const int k = c->position[outputs[i]];
        c->uses[k]++;
        c->next[i] = c->store[k];
        c->store[k] = i;
    }
    for (int k = c->node_count - 1; k >= 0; k--) {
        for (int i = 0; i < 3; i++) {
            const crank_ex operand = crank_ex_get_operand(c->pool, c->node[k], i);
            if (operand >= 0) {
                c->uses[c->position[operand]] += appearances(c, c->node[k], i);
            }
        }
    }
}

static void choose_variables(emitter *c)
{
    int count = 0;
    for (int k = 0; k < c->node_count; k++) {
        const crank_ex e = c->node[k];
        if (ex_is_leaf(c->pool, e)) {
            continue;
        }
        for (int i = 0; i < 3 && ex_operand(c->pool, e, i) >= 0; i++) {
            const int below = c->nesting[c->position[ex_operand(c->pool, e, i)]];
            c->nesting[k] = below >= c->nesting[k] ? below + 1 : c->nesting[k];
        }
        const bool sign = ex_op(c->pool, e) == CRANK_EX_NEG;
        if ((c->uses[k] > 1 && !sign) || c->nesting[k] > MAX_NESTING) {
            c->variable[k] = count++;
            c->nesting[k] = 0;
        }
    }
}

/* ---- text of one expression; recursion is limited by MAX_NESTING ---- */

static void write_value(const emitter *c, crank_ex e);
static void write_condition(const emitter *c, crank_ex e);

static void write_number(crank_text *text, double value)
{
    char digits[CRANK_NUMBER_TEXT];
    if (!isfinite(value)) {
        crank_text_append(text, isnan(value) ? "NAN" : value > 0 ? "INFINITY" : "(-INFINITY)");
        return;
    }
    crank_number_print(digits, sizeof digits, value, 17);
    const bool real = strpbrk(digits, ".e") != NULL;
    crank_text_append(text, signbit(value) ? "(%s%s)" : "%s%s", digits, real ? "" : ".0");
}

static void write_infix(const emitter *c, crank_ex a, const char *sign, crank_ex b)
{
    crank_text_append(c->text, "(");
    write_value(c, a);
    crank_text_append(c->text, "%s", sign);
    write_value(c, b);
    crank_text_append(c->text, ")");
}

static bool in_place(const emitter *c, crank_ex e)
{
    return !ex_is_leaf(c->pool, e) && c->variable[c->position[e]] < 0;
}

static void write_sum(const emitter *c, crank_ex a, crank_ex b)
{
    if (ex_op(c->pool, a) == CRANK_EX_NEG && in_place(c, a)) {
        const crank_ex swap = a;
        a = b;
        b = swap;
    }
    if (ex_op(c->pool, b) == CRANK_EX_NEG && in_place(c, b)) {
        write_infix(c, a, " - ", ex_operand(c->pool, b, 0));
    } else {
        write_infix(c, a, " + ", b);
    }
}

static void write_call(const emitter *c, const char *name, crank_ex a, crank_ex b)
{
    crank_text_append(c->text, "%s(", name);
    write_value(c, a);
    if (b >= 0) {
        crank_text_append(c->text, ", ");
        write_value(c, b);
    }
    crank_text_append(c->text, ")");
}

static void write_power(const emitter *c, crank_ex e)
{
    const crank_ex a = ex_operand(c->pool, e, 0);
    const crank_ex b = ex_operand(c->pool, e, 1);
    int n;
    if (short_power(c->pool, e) == 2) {
        write_infix(c, a, "*", a);
    } else if (short_power(c->pool, e) == 3) {
        crank_text_append(c->text, "(");
        write_value(c, a);
        crank_text_append(c->text, "*");
        write_infix(c, a, "*", a);
        crank_text_append(c->text, ")");
    } else if (crank_ex_is_integer(c->pool, b, &n) && n >= 2 && n <= SCALAR_MAX_POWER) {
        crank_text_append(c->text, "crank_power(");
        write_value(c, a);
        crank_text_append(c->text, ", %d)", n);
    } else {
        write_call(c, "pow", a, b);
    }
}

static void write_choice(const emitter *c, const ex_node *n)
{
    crank_text_append(c->text, "(");
    write_condition(c, n->operand[0]);
    crank_text_append(c->text, " ? ");
    write_value(c, n->operand[1]);
    crank_text_append(c->text, " : ");
    write_value(c, n->operand[2]);
    crank_text_append(c->text, ")");
}

static void write_look_up(const emitter *c, crank_ex e)
{
    int order;
    const int table = crank_ex_table_of(c->pool, e, &order);
    crank_text_append(c->text, "crank_table(%d, %s_table%d, %d, ", c->pool->tables[table].rows,
                      c->name, table, order);
    write_value(c, ex_operand(c->pool, e, 0));
    crank_text_append(c->text, ")");
}

static const char *comparison_sign(crank_ex_op op)
{
    return op == CRANK_EX_LT   ? " < "
           : op == CRANK_EX_LE ? " <= "
           : op == CRANK_EX_EQ ? " == "
           : op == CRANK_EX_NE ? " != "
                               : NULL;
}

/* e as an operand of ?: && || ! */
static void write_condition(const emitter *c, crank_ex e)
{
    const ex_node *n = &c->pool->node[e];
    const bool here = in_place(c, e);
    if (here && comparison_sign(n->op) != NULL) {
        write_infix(c, n->operand[0], comparison_sign(n->op), n->operand[1]);
    } else if (here && (n->op == CRANK_EX_AND || n->op == CRANK_EX_OR)) {
        crank_text_append(c->text, "(");
        write_condition(c, n->operand[0]);
        crank_text_append(c->text, n->op == CRANK_EX_AND ? " && " : " || ");
        write_condition(c, n->operand[1]);
        crank_text_append(c->text, ")");
    } else if (here && n->op == CRANK_EX_NOT) {
        crank_text_append(c->text, "!");
        write_condition(c, n->operand[0]);
    } else {
        crank_text_append(c->text, "(");
        write_value(c, e);
        crank_text_append(c->text, " != 0.0)");
    }
}

static const char *function_name(crank_ex_op op)
{
    switch ((int)op) {
    case CRANK_EX_ABS:
        return "fabs";
    case CRANK_EX_SIGN:
        return "crank_sign";
    case CRANK_EX_MIN:
        return "crank_min";
    case CRANK_EX_MAX:
        return "crank_max";
    case CRANK_EX_ATAN2:
        return "atan2";
    case CRANK_EX_HYPOT:
        return "hypot";
    default:
        return crank_ex_function_name(op);
    }
}

/* The operation of e, whether or not e has a variable. */
static void write_operation(const emitter *c, crank_ex e)
{
    const ex_node *n = &c->pool->node[e];
    switch ((int)n->op) {
    case CRANK_EX_ADD:
        write_sum(c, n->operand[0], n->operand[1]);
        break;
    case CRANK_EX_MUL:
        write_infix(c, n->operand[0], "*", n->operand[1]);
        break;
    case CRANK_EX_DIV:
        write_infix(c, n->operand[0], "/", n->operand[1]);
        break;
    case CRANK_EX_NEG:
        crank_text_append(c->text, "(-");
        write_value(c, n->operand[0]);
        crank_text_append(c->text, ")");
        break;
    case CRANK_EX_POW:
        write_power(c, e);
        break;
    case CRANK_EX_IF:
        write_choice(c, n);
        break;
    case CRANK_EX_TABLE:
        write_look_up(c, e);
        break;
    case CRANK_EX_LT:
    case CRANK_EX_LE:
    case CRANK_EX_EQ:
    case CRANK_EX_NE:
    case CRANK_EX_AND:
    case CRANK_EX_OR:
    case CRANK_EX_NOT: {
        const int k = c->position[e];
        const int variable = c->variable[k];
        c->variable[k] = -1; /* the condition itself, not the name it is getting */
        crank_text_append(c->text, "(");
        write_condition(c, e);
        crank_text_append(c->text, " ? 1.0 : 0.0)");
        c->variable[k] = variable;
        break;
    }
    default:
        write_call(c, function_name(n->op), n->operand[0], n->operand[1]);
    }
}

static void write_value(const emitter *c, crank_ex e)
{
    const int variable = c->variable[c->position[e]];
    if (ex_is_number(c->pool, e)) {
        write_number(c->text, c->pool->node[e].value);
    } else if (ex_op(c->pool, e) == CRANK_EX_SYMBOL) {
        if (c->symbol_text == NULL) {
            crank_text_append(c->text, "in[%d]", variable);
        } else {
            crank_text_append(c->text, "%s", c->symbol_text[variable]);
        }
    } else if (variable >= 0) {
        crank_text_append(c->text, "x%d", variable);
    } else {
        write_operation(c, e);
    }
}

/* ---- the function ---- */

static void write_statements(const emitter *c)
{
    for (int k = 0; k < c->node_count; k++) {
        const crank_ex e = c->node[k];
        if (!ex_is_leaf(c->pool, e) && c->variable[k] >= 0) {
            crank_text_append(c->text, "    const double x%d = ", c->variable[k]);
            write_operation(c, e);
            crank_text_append(c->text, ";\n");
        }
        for (int output = c->store[k]; output >= 0; output = c->next[output]) {
            crank_text_append(c->text, "    out[%d] = ", output);
            write_value(c, e);
            crank_text_append(c->text, ";\n");
        }
    }
}

/* Each table in use once, as a static array: its first use is the one to write it. */
static bool write_tables(const emitter *c)
{
    bool *written = calloc((size_t)c->pool->table_count + 1, sizeof *written);
    if (written == NULL) {
        return false;
    }
    for (int k = 0; k < c->node_count; k++) {
        int order;
        if (ex_op(c->pool, c->node[k]) != CRANK_EX_TABLE) {
            continue;
        }
        const int table = crank_ex_table_of(c->pool, c->node[k], &order);
        if (written[table]) {
            continue;
        }
        written[table] = true;
        const ex_table *t = &c->pool->tables[table];
        const int size = (int)crank_tabulated_size(t->rows);
        crank_text_append(c->text, "%sstatic const double %s_table%d[%d] = {",
                          c->symbol_text == NULL ? "\n" : "    ", c->name, table, size);
        for (int i = 0; i < size; i++) {
            crank_text_append(c->text, i % 4 == 0 ? "\n    " : " ");
            write_number(c->text, t->data[i]);
            crank_text_append(c->text, ",");
        }
        crank_text_append(c->text, "\n};\n");
    }
    free(written);
    return true;
}

/* Inputs that are missing: there is no such function. */
static bool check_inputs(const emitter *c)
{
    bool uses_in = false;
    for (int k = 0; k < c->node_count; k++) {
        if (ex_op(c->pool, c->node[k]) == CRANK_EX_SYMBOL) {
            uses_in = true;
            if (c->variable[k] < 0) {
                assert(false);
                c->text->failed = true;
            }
        }
    }
    return uses_in;
}

static void write_function(emitter *c, int output_count, const crank_ex *outputs)
{
    const char *name = c->name;
    const bool uses_in = check_inputs(c);
    count_uses(c, output_count, outputs);
    choose_variables(c);
    if (!write_tables(c)) {
        c->text->failed = true;
    }
    crank_text_append(c->text,
                      "\nvoid %s(const double *in, double *out);\n"
                      "void %s(const double *restrict in, double *restrict out)\n{\n",
                      name, name);
    if (!uses_in) {
        crank_text_append(c->text, "    (void)in;\n");
    }
    if (output_count == 0) {
        crank_text_append(c->text, "    (void)out;\n");
    }
    write_statements(c);
    crank_text_append(c->text, "}\n");
}

/* ---- memory of both ways ---- */

/* Of what the traversal so far has reached; false: out of memory. */
static bool open_emitter(emitter *c, crank_text *text, crank_pool *pool, int outputs)
{
    const size_t n = (size_t)pool->order_count + 1; /* not 0 */
    for (int k = 0; k < pool->order_count; k++) {
        pool->memo[pool->order[k]] = k;
    }
    c->text = text;
    c->pool = pool;
    c->node_count = pool->order_count;
    c->node = pool->order;
    c->position = pool->memo;
    c->uses = calloc(n, sizeof *c->uses);
    c->nesting = calloc(n, sizeof *c->nesting);
    c->variable = malloc(n * sizeof *c->variable);
    c->store = malloc(n * sizeof *c->store);
    c->next = malloc(((size_t)outputs + 1) * sizeof *c->next);
    if (c->uses == NULL || c->nesting == NULL || c->variable == NULL || c->store == NULL ||
        c->next == NULL || pool->status != CRANK_OK) {
        text->failed = true;
        return false;
    }
    for (size_t k = 0; k < n; k++) {
        c->variable[k] = -1;
    }
    return true;
}

static void number_inputs(emitter *c, int count, const crank_ex *inputs)
{
    for (int i = 0; i < count; i++) {
        if (ex_visited(c->pool, inputs[i])) {
            c->variable[c->position[inputs[i]]] = i;
        }
    }
}

static void close_emitter(emitter *c)
{
    free(c->uses);
    free(c->nesting);
    free(c->variable);
    free(c->store);
    free(c->next);
}

void crank_emit_c(crank_text *text, crank_pool *pool, const char *name, int input_count,
                  const crank_ex *inputs, int output_count, const crank_ex *outputs)
{
    emitter c = {.name = name};
    crank_pool_begin_visit(pool);
    for (int i = 0; i < output_count; i++) {
        crank_pool_visit(pool, outputs[i]);
    }
    if (open_emitter(&c, text, pool, output_count)) {
        number_inputs(&c, input_count, inputs);
        write_function(&c, output_count, outputs);
    }
    close_emitter(&c);
}

/* "Blocks.mo ": without its folder, so that the text is the same from everywhere, and in letters
 * that cannot end a comment */
static void write_file(crank_text *text, const char *file)
{
    const char *folder = file != NULL ? strrchr(file, '/') : NULL;
    for (const char *at = folder != NULL ? folder + 1 : file; at != NULL && *at != '\0'; at++) {
        const bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                           (*at >= '0' && *at <= '9') || *at == '.' || *at == '-';
        crank_text_append(text, "%c", plain ? *at : '_');
    }
    crank_text_append(text, file != NULL ? " " : "");
}

/* ---- statements ---- */

/* What a statement reaches first is written before it: it may read what earlier ones have
 * set. */
static void write_list(emitter *c, int count, const crank_emit_statement *list, const int *end)
{
    int k = 0;
    for (int i = 0; i < count; i++) {
        for (; k < end[i]; k++) {
            const crank_ex e = c->node[k];
            if (!ex_is_leaf(c->pool, e) && c->variable[k] >= 0) {
                crank_text_append(c->text, "    const double x%d = ", c->variable[k]);
                write_operation(c, e);
                crank_text_append(c->text, ";\n");
            }
        }
        crank_text_append(c->text, "    %s = ", list[i].target);
        write_value(c, list[i].ex);
        crank_text_append(c->text, list[i].line > 0 ? "; /* " : ";\n");
        if (list[i].line > 0) {
            write_file(c->text, list[i].file);
            crank_text_append(c->text, "line %d */\n", list[i].line);
        }
    }
}

void crank_emit_c_statements(crank_text *text, crank_pool *pool,
                             const crank_emit_symbols *symbols, int count,
                             const crank_emit_statement *list)
{
    emitter c = {.name = "local", .symbol_text = symbols->text};
    int *end = malloc(((size_t)count + 1) * sizeof *end);
    crank_ex *ex = malloc(((size_t)count + 1) * sizeof *ex);
    const bool memory = end != NULL && ex != NULL;
    crank_pool_begin_visit(pool);
    for (int i = 0; i < count && memory; i++) {
        crank_pool_visit(pool, list[i].ex);
        end[i] = pool->order_count;
        ex[i] = list[i].ex;
    }
    if (open_emitter(&c, text, pool, count) && memory) {
        for (int k = 0; k < c.node_count; k++) {
            if (ex_op(pool, c.node[k]) == CRANK_EX_SYMBOL && c.node[k] < symbols->size) {
                c.variable[k] = symbols->number[c.node[k]];
            }
        }
        (void)check_inputs(&c);
        count_uses(&c, count, ex);
        choose_variables(&c);
        text->failed = !write_tables(&c) || text->failed;
        write_list(&c, count, list, end);
    }
    text->failed = text->failed || !memory;
    close_emitter(&c);
    free(end);
    free(ex);
}
