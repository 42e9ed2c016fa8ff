/* law_stage.c - a law at a stage of an explicit method: rows and forces, and of their
 * derivatives only those by accelerations, w, s and multipliers (eom/stage.h), for which no
 * derivative of a primitive is needed:
 *
 *     df/da = sum_i f_y'' J_i,   df/dz as it is;
 *     of an effort along primitive j -J_j^T times these                           theory (7.19)
 * */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/law.h"

#include "mechanics/law_inside.h"

#include <math.h>
#include <stdlib.h>

static bool is_algebraic(crank_symbol_kind kind)
{
    return kind == CRANK_SYMBOL_ACCELERATION || kind == CRANK_SYMBOL_W ||
           kind == CRANK_SYMBOL_S || kind == CRANK_SYMBOL_LAMBDA || kind == CRANK_SYMBOL_MU;
}

/* rows that a stage needs: efforts, d, gII, hI, gI, h, c, g, b */
static bool is_needed(crank_row_group group)
{
    return group != CRANK_ROW_E && group != CRANK_ROW_N;
}

/* ---- running ---- */

static void add_value(const crank_law *law, const crank_system *system, int o, double value,
                      double *k)
{
    const int index = law->output[o].index;
    if (o < law->efforts) {
        k[system->eom->row[law->output[o].group] + index] += value;
        return;
    }
    const crank_primitive *p = &system->primitive[index];
    const double *J = system->local[index].J;
    for (int b = 0; b < p->bodies; b++) {
        crank_coordinates_force(&system->coordinates, p->body[b], -value, J + p->v0[b], k);
    }
}

/* column of an unknown that is an input and no acceleration */
static int column_of(const crank_system *system, crank_symbol input)
{
    static const crank_group group[] = {CRANK_R, CRANK_W, CRANK_S, CRANK_LAMBDA, CRANK_MU};
    return system->eom->column[group[input.kind - CRANK_SYMBOL_R]] + input.index;
}

/* derivative f of an output by an input into its row */
static void fill_output(const crank_law *law, const crank_system *system, int o,
                        crank_symbol input, double f, crank_fill *fill)
{
    const int row = system->eom->row[law->output[o].group] + law->output[o].index;
    if (input.kind != CRANK_SYMBOL_ACCELERATION) {
        crank_fill_add(fill, row, column_of(system, input), f);
        return;
    }
    const crank_primitive *p = &system->primitive[input.index];
    const double *J = system->local[input.index].J;
    for (int b = 0; b < p->bodies; b++) {
        const crank_by_body by = {.body = p->body[b], .a = J + p->v0[b]};
        crank_coordinates_fill_row(&system->coordinates, row, f, &by, fill);
    }
}

/* derivative f of an effort along a primitive by an input into the balance of forces */
static void fill_effort(const crank_system *system, int effort, crank_symbol input, double f,
                        crank_fill *fill)
{
    const crank_coordinates *c = &system->coordinates;
    const crank_primitive *p = &system->primitive[effort];
    for (int b = 0; b < p->bodies; b++) {
        const double *J = system->local[effort].J + p->v0[b];
        if (input.kind != CRANK_SYMBOL_ACCELERATION) {
            crank_coordinates_fill_force(c, p->body[b], -f, J, column_of(system, input), fill);
            continue;
        }
        const crank_primitive *other = &system->primitive[input.index];
        const crank_force_change change = {.J = J, .factor = -f};
        for (int i = 0; i < other->bodies; i++) {
            const crank_by_body by = {.body = other->body[i],
                                      .a = system->local[input.index].J + other->v0[i]};
            crank_coordinates_fill_force_by(c, p->body[b], &change, &by, fill);
        }
    }
}

bool crank_law_stage(const crank_law *law, const crank_system *system, double t,
                     const double *x, double *k, crank_fill *fill)
{
    const crank_law_stage_part *part = &law->stage;
    if (part->tape == NULL) {
        return crank_law_evaluate(law, system, t, x, k);
    }
    double *work = system->law_work->data;
    double *out = work + part->out;
    const int count = part->output_count + part->term_count;
    bool finite = true;
    crank_law_inputs_fetch(&law->inputs, system, t, x, work + law->in);
    crank_tape_evaluate(part->tape, 1, work + law->in, law->inputs.count, out, count,
                        out + count);
    for (int i = 0; i < count; i++) {
        finite = finite && isfinite(out[i]);
    }
    for (int i = 0; i < part->output_count; i++) {
        add_value(law, system, part->output[i], out[i], k);
    }
    for (int i = 0; i < part->term_count; i++) {
        const int o = part->term_output[i];
        const crank_symbol input = law->inputs.symbol[part->term_input[i]];
        const double f = out[part->output_count + i];
        if (o < law->efforts) {
            fill_output(law, system, o, input, f, fill);
        } else {
            fill_effort(system, law->output[o].index, input, f, fill);
        }
    }
    return finite;
}

bool crank_law_is_linear(const crank_law *law)
{
    return law->stage.linear;
}

/* ---- making ---- */

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "equations of joints and forces");
}

/* a derivative that contains an algebraic unknown: linear becomes false */
static bool check_linear(crank_law_making *m, crank_ex derivative)
{
    crank_law *law = m->law;
    int count = 0;
    crank_ex *symbol = crank_build_symbols(m->b, derivative, &count);
    for (int i = 0; i < count && symbol != NULL; i++) {
        const crank_ex *found = bsearch(&symbol[i], m->symbol, (size_t)law->inputs.count,
                                        sizeof *m->symbol, crank_law_compare);
        if (found != NULL && is_algebraic(law->inputs.symbol[found - m->symbol].kind)) {
            law->stage.linear = false;
        }
    }
    const bool fine = symbol != NULL;
    free(symbol);
    return fine;
}

/* outputs that a stage needs, and their terms, which go behind them */
static bool choose(crank_law_making *m, crank_ex *ex)
{
    crank_law *law = m->law;
    crank_law_stage_part *part = &law->stage;
    const crank_ex *derivative = m->derivative.item + (law->output_count - law->efforts);
    for (int o = 0; o < law->output_count; o++) {
        if (is_needed(law->output[o].group)) {
            part->output[part->output_count] = o;
            ex[part->output_count++] = m->ex[o];
        }
    }
    for (int i = 0; i < part->output_count; i++) {
        const int o = part->output[i];
        for (int e = law->term_start[o]; e < law->term_start[o + 1]; e++) {
            if (!is_algebraic(law->inputs.symbol[law->term[e].input].kind)) {
                continue;
            }
            part->term_output[part->term_count] = o;
            part->term_input[part->term_count] = law->term[e].input;
            ex[part->output_count + part->term_count++] = derivative[e];
            if (!check_linear(m, derivative[e])) {
                return false;
            }
        }
    }
    return true;
}

crank_status crank_law_stage_make(crank_law_making *m, crank_error *err)
{
    crank_law *law = m->law;
    crank_law_stage_part *part = &law->stage;
    const size_t outputs = (size_t)law->output_count + 1, terms = (size_t)law->term_count + 1;
    part->linear = true;
    part->output = calloc(outputs, sizeof *part->output);
    part->term_output = calloc(terms, sizeof *part->term_output);
    part->term_input = calloc(terms, sizeof *part->term_input);
    crank_ex *ex = calloc(outputs + terms, sizeof *ex);
    crank_status status = CRANK_OK;
    if (part->output == NULL || part->term_output == NULL || part->term_input == NULL ||
        ex == NULL || !choose(m, ex)) {
        status = no_memory(err);
    } else if (part->term_count > 0) {
        const int count = part->output_count + part->term_count;
        status = crank_tape_create(m->b->pool, law->inputs.count, m->symbol, count, ex,
                                   &part->tape, err);
        part->out = law->registers;
        const size_t size =
            (size_t)law->registers + (size_t)count + 1 +
            (size_t)(status == CRANK_OK ? crank_tape_work_size(part->tape, 1) : 0);
        status = status == CRANK_OK && !crank_law_work_reserve(m->b->inside->work, size)
                     ? no_memory(err)
                     : status;
    }
    free(ex);
    return status;
}

void crank_law_stage_destroy(crank_law *law)
{
    crank_tape_destroy(law->stage.tape);
    free(law->stage.output);
    free(law->stage.term_output);
    free(law->stage.term_input);
}
