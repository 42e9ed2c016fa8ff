/* tape.c - makes a tape: instructions chosen by tape_select.c get registers by linear scan.
 *
 * Instructions are in the order in which a depth-first walk over the outputs meets them, so
 * that values are used soon after they are made; a register is free again after its last
 * use, and the one freed last is taken first: the temporaries of even a large model stay in
 * the nearest cache. */
// SPDX-License-Identifier: BSD-3-Clause
#include "symbolic/tape.h"
#include "base/then.h"

#include <stdlib.h>
#include <string.h>

/* Outputs wait in their registers until this many can be stored by one instruction. */
enum { STORE_TOGETHER = 64 };

typedef struct allocation {
    tape_code code;
    int *place;        /* position -> register, -1: none yet */
    int *last_use;     /* position -> instruction that uses it last, -1: none */
    int *first_output; /* position -> first output that is this value, -1: none */
    bool *pending;     /* position -> its outputs wait to be stored */
    int *value;        /* output -> position */
    int *next;         /* output -> next output of the same value, -1: none */
    int stored;        /* outputs stored so far */
    int *freed;        /* stack of free registers */
    int freed_count;
} allocation;

void crank_tape_destroy(crank_tape *tape)
{
    if (tape == NULL) {
        return;
    }
    free(tape->constant);
    free(tape->load);
    free(tape->instruction);
    free(tape->store);
    free(tape->table);
    free(tape->table_data);
    free(tape);
}

/* ---- leaves ---- */

/* input_of: position of a symbol -> its input number. */
static crank_status number_inputs(const crank_pool *pool, int input_count,
                                  const crank_ex *inputs, int *input_of, crank_error *err)
{
    for (int i = 0; i < input_count; i++) {
        if (ex_op(pool, inputs[i]) != CRANK_EX_SYMBOL) {
            return crank_fail(err, CRANK_EARG, "input %d of a tape is no symbol", i);
        }
        if (ex_visited(pool, inputs[i])) {
            input_of[pool->memo[inputs[i]]] = i;
        }
    }
    return CRANK_OK;
}

/* Gives registers to constants and inputs: permanent, loaded before the instructions. */
static crank_status place_leaves(const crank_pool *pool, const int *input_of, allocation *a,
                                 crank_tape *tape, crank_error *err)
{
    const int n = a->code.position_count;
    for (int k = 0; k < n; k++) {
        if (ex_is_number(pool, a->code.node[k])) {
            a->place[k] = tape->constant_count;
            tape->constant[tape->constant_count++] = pool->node[a->code.node[k]].value;
        }
    }
    for (int k = 0; k < n; k++) {
        const char *name = crank_ex_symbol_name(pool, a->code.node[k]);
        if (name == NULL) {
            continue;
        }
        if (input_of[k] < 0) {
            return crank_fail(err, CRANK_EARG, "\"%s\" is not among the inputs", name);
        }
        a->place[k] = tape->constant_count + tape->load_count;
        tape->load[tape->load_count++] = input_of[k];
    }
    tape->register_count = tape->constant_count + tape->load_count;
    return CRANK_OK;
}

/* ---- registers ---- */

static void find_last_uses(allocation *a)
{
    for (int k = 0; k < a->code.position_count; k++) {
        a->last_use[k] = -1;
    }
    for (int i = 0; i < a->code.count; i++) {
        const tape_instruction *in = &a->code.instruction[i];
        for (int j = 0; j < crank_tape_operand_count(in->op); j++) {
            if (in->operand[j] >= 0) {
                a->last_use[in->operand[j]] = i;
            }
        }
    }
}

static void free_register(allocation *a, const crank_tape *tape, int k)
{
    if (a->place[k] >= tape->constant_count + tape->load_count) {
        a->freed[a->freed_count++] = a->place[k];
    }
}

/* Frees the register of position k if instruction i was its last use and it is not to be
 * stored. */
static void release(allocation *a, const crank_tape *tape, int k, int i)
{
    if (a->last_use[k] == i) {
        a->last_use[k] = -1;
        if (!a->pending[k]) {
            free_register(a, tape, k);
        }
    }
}

static int take_register(allocation *a, crank_tape *tape, int k)
{
    const int place = a->freed_count > 0 ? a->freed[--a->freed_count] : tape->register_count++;
    a->place[k] = place;
    return place;
}

/* Stores all outputs that wait, in one instruction. */
static void flush_stores(allocation *a, crank_tape *tape)
{
    const int count = tape->store_count - a->stored;
    if (count == 0) {
        return;
    }
    tape->instruction[tape->instruction_count++] =
        (tape_instruction){.op = TAPE_STORE, .result = a->stored, .number = count};
    for (int i = a->stored; i < tape->store_count; i++) {
        const int k = a->value[tape->store[i].output];
        if (a->pending[k] && a->last_use[k] < 0) {
            free_register(a, tape, k);
        }
        a->pending[k] = false;
    }
    a->stored = tape->store_count;
}

/* The outputs that are the value at position k wait to be stored. */
static void add_stores(allocation *a, crank_tape *tape, int k)
{
    for (int output = a->first_output[k]; output >= 0; output = a->next[output]) {
        tape->store[tape->store_count++] = (tape_store){.output = output, .place = a->place[k]};
        a->pending[k] = true;
    }
    if (tape->store_count - a->stored >= STORE_TOGETHER) {
        flush_stores(a, tape);
    }
}

static void place_instruction(allocation *a, crank_tape *tape, int i)
{
    const tape_instruction *in = &a->code.instruction[i];
    tape_instruction out = {.op = in->op, .number = in->number};
    const int operands = crank_tape_operand_count(in->op);
    for (int j = 0; j < operands; j++) {
        const int from = in->operand[j] < 0 ? in->operand[0] : in->operand[j];
        out.operand[j] = a->place[from];
    }
    for (int j = 0; j < operands; j++) {
        if (in->operand[j] >= 0) {
            release(a, tape, in->operand[j], i);
        }
    }
    out.result = take_register(a, tape, in->result);
    if (in->op == TAPE_SIN_COS) {
        out.number = take_register(a, tape, in->number);
    }
    tape->instruction[tape->instruction_count++] = out;
    add_stores(a, tape, in->result);
    if (in->op == TAPE_SIN_COS) {
        add_stores(a, tape, in->number);
    }
}

/* Chains outputs by value. */
static void link_outputs(const crank_pool *pool, int output_count, const crank_ex *outputs,
                         allocation *a)
{
    for (int k = 0; k < a->code.position_count; k++) {
        a->first_output[k] = -1;
        a->pending[k] = false;
    }
    for (int i = output_count - 1; i >= 0; i--) {
        const int k = pool->memo[outputs[i]];
        a->value[i] = k;
        a->next[i] = a->first_output[k];
        a->first_output[k] = i;
    }
}

static void place_all(const crank_pool *pool, allocation *a, crank_tape *tape)
{
    for (int i = 0; i < a->code.count; i++) {
        place_instruction(a, tape, i);
    }
    for (int k = 0; k < a->code.position_count; k++) {
        if (ex_is_leaf(pool, a->code.node[k])) {
            add_stores(a, tape, k);
        }
    }
    flush_stores(a, tape);
}

/* ---- making ---- */

static bool allocate(allocation *a, crank_tape *tape, int *input_of[1], int output_count)
{
    const size_t n = (size_t)a->code.position_count + 1; /* not 0 */
    const size_t m = (size_t)output_count + 1;
    a->place = malloc(n * sizeof *a->place);
    a->last_use = malloc(n * sizeof *a->last_use);
    a->first_output = malloc(n * sizeof *a->first_output);
    a->pending = malloc(n * sizeof *a->pending);
    a->value = malloc(m * sizeof *a->value);
    a->freed = malloc(n * sizeof *a->freed);
    a->next = malloc(m * sizeof *a->next);
    input_of[0] = malloc(n * sizeof *input_of[0]);
    tape->constant = malloc(n * sizeof *tape->constant);
    tape->load = malloc(n * sizeof *tape->load);
    tape->store = calloc(m, sizeof *tape->store);
    if (a->place == NULL || a->last_use == NULL || a->first_output == NULL ||
        a->pending == NULL || a->freed == NULL || a->value == NULL || a->next == NULL ||
        input_of[0] == NULL || tape->constant == NULL || tape->load == NULL ||
        tape->store == NULL) {
        return false;
    }
    for (size_t k = 0; k < n; k++) {
        a->place[k] = -1;
        input_of[0][k] = -1;
    }
    return true;
}

static crank_status build(crank_pool *pool, int input_count, const crank_ex *inputs,
                          int output_count, const crank_ex *outputs, allocation *a,
                          crank_tape *tape, crank_error *err)
{
    int *input_of = NULL;
    if (!allocate(a, tape, &input_of, output_count)) {
        free(input_of);
        return crank_fail(err, CRANK_EMEM, "tape of %d nodes", a->code.position_count);
    }
    crank_status status = number_inputs(pool, input_count, inputs, input_of, err);
    CRANK_THEN(status, place_leaves(pool, input_of, a, tape, err));
    free(input_of);
    CRANK_THEN(status, crank_tape_select(pool, output_count, outputs, &a->code, err));
    if (status != CRANK_OK) {
        return status;
    }
    const size_t room = (size_t)a->code.count + (size_t)output_count + 1;
    tape->instruction = malloc(room * sizeof *tape->instruction);
    if (tape->instruction == NULL) {
        return crank_fail(err, CRANK_EMEM, "tape of %d instructions", a->code.count);
    }
    link_outputs(pool, output_count, outputs, a);
    find_last_uses(a);
    place_all(pool, a, tape);
    return crank_tape_copy_tables(pool, tape) ? CRANK_OK
                                              : crank_fail(err, CRANK_EMEM, "tables of a tape");
}

crank_status crank_tape_create(crank_pool *pool, int input_count, const crank_ex *inputs,
                               int output_count, const crank_ex *outputs, crank_tape **out,
                               crank_error *err)
{
    *out = NULL;
    if (pool->status != CRANK_OK) {
        return crank_fail(err, pool->status, "no memory for expressions");
    }
    crank_tape *tape = calloc(1, sizeof *tape);
    if (tape == NULL) {
        return crank_fail(err, CRANK_EMEM, "tape");
    }
    crank_pool_begin_visit(pool);
    for (int i = 0; i < output_count; i++) {
        crank_pool_visit(pool, outputs[i]);
    }
    for (int k = 0; k < pool->order_count; k++) {
        pool->memo[pool->order[k]] = k;
    }
    allocation a = {.code = {.position_count = pool->order_count, .node = pool->order}};
    const crank_status status =
        build(pool, input_count, inputs, output_count, outputs, &a, tape, err);
    free(a.place);
    free(a.last_use);
    free(a.first_output);
    free(a.pending);
    free(a.value);
    free(a.next);
    free(a.freed);
    free(a.code.instruction);
    if (status != CRANK_OK) {
        crank_tape_destroy(tape);
        return status;
    }
    *out = tape;
    return CRANK_OK;
}

int crank_tape_work_size(const crank_tape *tape, int count)
{
    return tape->register_count * (count < TAPE_LANES ? count : TAPE_LANES);
}

int crank_tape_instructions(const crank_tape *tape)
{
    return tape->instruction_count;
}
