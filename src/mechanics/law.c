/* law.c - a law made ready to run: inputs, outputs and their tapes. What is found where is in
 * law_places.c, how it runs in law_run.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/law.h"
#include "base/then.h"

#include "mechanics/law_inside.h"

#include <stdlib.h>
#include <string.h>

enum { FORWARD = 64 }; /* up to so many inputs, derivatives are taken input by input */

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "equations of joints and forces");
}

static bool is_unknown(crank_symbol_kind kind)
{
    return kind >= CRANK_SYMBOL_R && kind <= CRANK_SYMBOL_MU;
}

/* ---- outputs and inputs ---- */

static crank_status make_outputs(crank_law_making *m, crank_error *err)
{
    crank_law *law = m->law;
    const size_t count = (size_t)m->rows.output.count;
    law->output_count = m->rows.output.count;
    law->efforts = m->rows.efforts;
    law->output = malloc((count + 1) * sizeof *law->output);
    law->effort_primitive = malloc((count + 1) * sizeof *law->effort_primitive);
    law->term_start = malloc((count + 1) * sizeof *law->term_start);
    law->touch_start = malloc((count + 1) * sizeof *law->touch_start);
    m->ex = calloc(count + 1, sizeof *m->ex);
    if (law->output == NULL || law->effort_primitive == NULL || law->term_start == NULL ||
        law->touch_start == NULL || m->ex == NULL) {
        return no_memory(err);
    }
    for (size_t i = 0; i < count; i++) {
        law->output[i] = m->rows.output.item[i];
        law->effort_primitive[i] = -1;
        m->ex[i] = law->output[i].ex;
    }
    crank_ex *symbol = NULL;
    crank_status status =
        crank_law_inputs_find(m->b, law->output_count, m->ex, &law->inputs, &symbol, err);
    m->symbol = symbol;
    CRANK_THEN(status, crank_tape_create(m->b->pool, law->inputs.count, m->symbol,
                                         law->output_count, m->ex, &law->values, err));
    return status;
}

/* ---- derivatives ---- */

static void add_term(crank_law_making *m, int input, crank_ex derivative)
{
    if (!crank_ex_is_value(m->b->pool, derivative, 0.0)) {
        (void)CRANK_BUILD_PUSH(m->b, m->term,
                               (crank_law_term){.input = input, .primitive = -1});
        (void)CRANK_BUILD_PUSH(m->b, m->derivative, derivative);
    }
}

/* input by input, all outputs at once */
static crank_status differentiate_forward(crank_law_making *m, crank_error *err)
{
    crank_law *law = m->law;
    const size_t outputs = (size_t)law->output_count;
    crank_ex *d = malloc((outputs * (size_t)law->inputs.count + 1) * sizeof *d);
    if (d == NULL) {
        return no_memory(err);
    }
    const crank_ex one = crank_ex_number(m->b->pool, 1.0);
    for (int i = 0; i < law->inputs.count; i++) {
        const crank_symbol_kind kind = law->inputs.symbol[i].kind;
        if (crank_law_is_motion(kind) || is_unknown(kind)) {
            crank_ex_directional_all(m->b->pool, law->output_count, m->ex, 1, &m->symbol[i],
                                     &one, d + outputs * (size_t)i);
        }
    }
    for (int o = 0; o < law->output_count; o++) {
        law->term_start[o] = m->term.count;
        for (int i = 0; i < law->inputs.count; i++) {
            const crank_symbol_kind kind = law->inputs.symbol[i].kind;
            if (crank_law_is_motion(kind) || is_unknown(kind)) {
                add_term(m, i, d[outputs * (size_t)i + (size_t)o]);
            }
        }
    }
    law->term_start[law->output_count] = m->term.count;
    free(d);
    return crank_build_memory(m->b, err);
}

/* output by output, all inputs at once */
static crank_status differentiate_backward(crank_law_making *m, crank_error *err)
{
    crank_law *law = m->law;
    for (int o = 0; o < law->output_count; o++) {
        int count = 0;
        law->term_start[o] = m->term.count;
        crank_ex *symbol = crank_build_symbols(m->b, m->ex[o], &count);
        crank_ex *d = malloc(((size_t)count + 1) * sizeof *d);
        if (symbol == NULL || d == NULL) {
            free(symbol);
            free(d);
            return no_memory(err);
        }
        crank_ex_gradient(m->b->pool, m->ex[o], count, symbol, d);
        for (int k = 0; k < count; k++) {
            const crank_ex *found = bsearch(&symbol[k], m->symbol, (size_t)law->inputs.count,
                                            sizeof *m->symbol, crank_law_compare);
            const int i = (int)(found - m->symbol);
            const crank_symbol_kind kind = law->inputs.symbol[i].kind;
            if (crank_law_is_motion(kind) || is_unknown(kind)) {
                add_term(m, i, d[k]);
            }
        }
        free(symbol);
        free(d);
    }
    law->term_start[law->output_count] = m->term.count;
    return crank_build_memory(m->b, err);
}

static crank_status make_derivatives(crank_law_making *m, crank_error *err)
{
    crank_law *law = m->law;
    for (int o = law->efforts; o < law->output_count; o++) {
        (void)CRANK_BUILD_PUSH(m->b, m->derivative, m->ex[o]);
    }
    crank_status status = law->inputs.count <= FORWARD ? differentiate_forward(m, err)
                                                       : differentiate_backward(m, err);
    if (status == CRANK_OK) {
        law->term_count = m->term.count;
        law->term = m->term.item;
        m->term.item = NULL;
        status =
            crank_tape_create(m->b->pool, law->inputs.count, m->symbol, m->derivative.count,
                              m->derivative.item, &law->derivatives, err);
    }
    return status;
}

static crank_status make_reaction(crank_law_making *m, crank_error *err)
{
    crank_law *law = m->law;
    const int count = m->rows.reaction.count;
    if (count == 0) {
        return CRANK_OK;
    }
    crank_ex *ex = malloc((size_t)count * sizeof *ex);
    law->reaction_primitive = malloc((size_t)count * sizeof *law->reaction_primitive);
    if (ex == NULL || law->reaction_primitive == NULL) {
        free(ex);
        return no_memory(err);
    }
    for (int i = 0; i < count; i++) {
        ex[i] = m->rows.reaction.item[i].ex;
        law->reaction_primitive[i] = m->rows.reaction.item[i].index;
    }
    law->reaction_count = count;
    const crank_status status = crank_tape_create(m->b->pool, law->inputs.count, m->symbol,
                                                  count, ex, &law->reaction, err);
    free(ex);
    return status;
}

static crank_status make(crank_law_making *m, crank_error *err)
{
    crank_status status = make_outputs(m, err);
    CRANK_THEN(status, make_derivatives(m, err));
    CRANK_THEN(status, make_reaction(m, err));
    CRANK_THEN(status, crank_law_place(m, err));
    return status == CRANK_OK ? crank_law_stage_make(m, err) : status;
}

/* the label and, behind it, the file of its place: both outlive the builder; false: no
 * memory */
static bool keep_label(crank_law *law, const crank_build_label *label)
{
    const crank_node *node = label->place;
    const char *file = node != NULL && node->file != NULL ? node->file : "";
    const size_t length = strlen(label->text) + 1, more = strlen(file) + 1;
    law->label = malloc(length + more);
    if (law->label == NULL) {
        return false;
    }
    memcpy(law->label, label->text, length);
    memcpy(law->label + length, file, more);
    if (node != NULL) {
        law->place = (crank_place){node->line, node->column,
                                   node->file != NULL ? law->label + length : NULL};
    }
    return true;
}

static crank_law_how how_of(const crank_builder *b, crank_owner owner)
{
    const crank_field *field =
        owner.kind == CRANK_OWNER_FORCE
            ? crank_record_find(&b->mechanism->force[owner.index], "derivatives")
            : NULL;
    return field == NULL || strcmp(field->word, "analytic") == 0 ? CRANK_LAW_ANALYTIC
           : strcmp(field->word, "differences") == 0             ? CRANK_LAW_DIFFERENCES
                                                                 : CRANK_LAW_NEGLECTED;
}

crank_status crank_law_create(crank_builder *b, crank_owner owner, crank_law **out,
                              crank_error *err)
{
    *out = NULL;
    crank_law_making m = {.b = b};
    crank_status status = crank_law_derive(b, owner, &m.rows, err);
    if (status != CRANK_OK || m.rows.output.count == 0) {
        crank_law_rows_free(&m.rows);
        return status;
    }
    m.law = calloc(1, sizeof *m.law);
    if (m.law == NULL) {
        crank_law_rows_free(&m.rows);
        return no_memory(err);
    }
    const crank_build_label label = crank_build_owner_label(b, owner);
    m.law->owner = owner;
    m.law->how = how_of(b, owner);
    if (keep_label(m.law, &label)) {
        status = make(&m, err);
    } else {
        status = no_memory(err);
    }
    crank_law_rows_free(&m.rows);
    free(m.ex);
    free(m.symbol);
    free(m.derivative.item);
    free(m.term.item);
    free(m.touch.item);
    if (status != CRANK_OK) {
        crank_law_destroy(m.law);
        return status;
    }
    *out = m.law;
    return CRANK_OK;
}

void crank_law_destroy(crank_law *law)
{
    if (law == NULL) {
        return;
    }
    crank_tape_destroy(law->values);
    crank_tape_destroy(law->derivatives);
    crank_tape_destroy(law->reaction);
    crank_law_stage_destroy(law);
    free(law->label);
    free(law->inputs.symbol);
    free(law->output);
    free(law->effort_primitive);
    free(law->term_start);
    free(law->term);
    free(law->touch_start);
    free(law->touch);
    free(law->body);
    free(law->column);
    free(law->primitive);
    free(law->reaction_primitive);
    free(law);
}

void crank_law_mark(const crank_law *law, bool *primitive)
{
    for (int i = 0; i < law->inputs.count; i++) {
        if (crank_law_is_motion(law->inputs.symbol[i].kind)) {
            primitive[law->inputs.symbol[i].index] = true;
        }
    }
    for (int i = 0; i < law->primitive_count; i++) {
        primitive[law->primitive[i].primitive] = true;
    }
}

crank_owner crank_law_owner(const crank_law *law)
{
    return law->owner;
}

const char *crank_law_label(const crank_law *law)
{
    return law->label;
}

bool crank_law_is_exact(const crank_law *law)
{
    return law->how == CRANK_LAW_ANALYTIC;
}

crank_place crank_law_origin(const crank_law *law)
{
    return law->place;
}
