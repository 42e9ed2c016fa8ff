/* describe.c - what index reduction, choice of states and tearing have found, in words, and as
 * lists for people. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/inline.h"

static const char *name_of(const crank_inline *in, int u)
{
    return crank_ex_symbol_name(in->flat->pool, in->unknown[u].symbol);
}

static void print_names(const crank_inline *in, crank_text *text, int count, const int *list)
{
    for (int i = 0; i < count; i++) {
        crank_text_append(text, "%s%s", i > 0 ? ", " : "", name_of(in, list[i]));
    }
}

/* ---- words ---- */

static void describe_index(const crank_inline *in, crank_text *text)
{
    int first = 0, hidden = 0;
    for (int e = 0; e < in->model_equations; e++) {
        first += in->equation[e].order == 0;
        hidden += in->equation[e].order > 0;
    }
    crank_text_append(text,
                      "index: %d (structural); %d equation%s, %d hidden by differentiation\n",
                      in->index, first, first == 1 ? "" : "s", hidden);
}

static void describe_states(const crank_inline *in, crank_text *text)
{
    int printed = 0;
    crank_text_append(text, "states: %d", in->state_count);
    for (int e = in->model_equations; e < in->equation_count && printed < 20; e++) {
        if (in->equation[e].kind == CRANK_INLINE_STATE) {
            crank_text_append(text, "%s%s", printed++ == 0 ? ": " : ", ",
                              name_of(in, in->equation[e].unknown));
        }
    }
    crank_text_append(text, printed == 20 ? ", ...\n" : "\n");
    for (int g = 0; g < in->group_count; g++) {
        const crank_inline_group *group = &in->group[g];
        const int states = group->columns - group->rows;
        crank_text_append(text, "chosen in the run: %d of ", states);
        print_names(in, text, group->columns - group->forced, group->unknown + group->forced);
        crank_text_append(text, "\n");
    }
}

static void describe_block(const crank_inline *in, const crank_inline_block *b,
                           crank_text *text)
{
    const crank_inline_tearing *t = &b->torn;
    const int shown = t->torn_count < 12 ? t->torn_count : 12;
    crank_text_append(text, "block of %d: %s system of %d in ", b->size,
                      b->linear ? "linear" : "nonlinear", t->torn_count);
    print_names(in, text, shown, t->torn);
    crank_text_append(text, shown < t->torn_count ? ", ...\n" : "\n");
    if (b->has_safe) {
        crank_text_append(
            text,
            "                 divides by %d expression%s that may vanish; a system of %d takes "
            "its place then\n",
            t->pivot_count, t->pivot_count == 1 ? "" : "s", b->safe.torn_count);
    }
}

/* as the other findings of `crank check`: a word, then what it is */
void crank_inline_describe(const crank_inline *in, crank_text *text)
{
    int assigned = 0, printed = 0;
    for (int i = 0; i < in->block_count; i++) {
        assigned += in->block[i].torn.torn_count == 0 ? in->block[i].size : 0;
    }
    crank_text_append(text, "inlined          structural index %d; %d state%s", in->index,
                      in->state_count, in->state_count == 1 ? "" : "s");
    for (int e = in->model_equations; e < in->equation_count && printed < 12; e++) {
        if (in->equation[e].kind == CRANK_INLINE_STATE) {
            crank_text_append(text, "%s%s", printed++ == 0 ? ": " : ", ",
                              name_of(in, in->equation[e].unknown));
        }
    }
    crank_text_append(text, printed == 12 ? ", ...\n" : "\n");
    for (int g = 0; g < in->group_count; g++) {
        const crank_inline_group *group = &in->group[g];
        crank_text_append(text, "                 chosen in the run: %d of ",
                          group->columns - group->rows);
        print_names(in, text, group->columns - group->forced, group->unknown + group->forced);
        crank_text_append(text, "\n");
    }
    crank_text_append(text,
                      "                 %d equations with the rule of a step, in %d blocks; %d "
                      "unknown%s by assignments\n",
                      in->equation_count, in->block_count, assigned, assigned == 1 ? "" : "s");
    for (int i = 0; i < in->block_count; i++) {
        if (in->block[i].torn.torn_count > 0) {
            crank_text_append(text, "                 ");
            describe_block(in, &in->block[i], text);
        }
    }
}

/* ---- lists ---- */

void crank_inline_print_states(const crank_inline *in, crank_text *text)
{
    char place[CRANK_FLAT_PLACE_TEXT];
    describe_index(in, text);
    describe_states(in, text);
    for (int e = 0; e < in->model_equations; e++) {
        const crank_inline_equation *q = &in->equation[e];
        if (q->order > 0) {
            crank_text_append(text, "%s, differentiated %d time%s: 0 = ",
                              crank_inline_print_place(in, e, place), q->order,
                              q->order == 1 ? "" : "s");
            crank_flat_print_expression(in->flat, q->ex, text);
            crank_text_append(text, "\n");
        }
    }
}

static void print_tearing(const crank_inline *in, const crank_inline_tearing *t,
                          crank_text *text);

static void print_item(const crank_inline *in, const crank_inline_item *item, crank_text *text)
{
    if (item->system != NULL) {
        crank_text_append(text, "  together, linear, %d of %d:\n", item->system->torn_count,
                          item->system->torn_count + item->system->item_count);
        print_tearing(in, item->system, text);
        crank_text_append(text, "  so far\n");
        return;
    }
    char place[CRANK_FLAT_PLACE_TEXT];
    const crank_inline_unknown *x = &in->unknown[item->unknown];
    crank_text_append(text, "  %s := ", name_of(in, item->unknown));
    if (item->ex >= 0) {
        crank_flat_print_expression(in->flat, item->ex, text);
    } else {
        crank_text_append(text, "h %s + old(%s)", name_of(in, x->next),
                          name_of(in, item->unknown));
    }
    crank_text_append(text, "  // %s\n", crank_inline_print_place(in, item->equation, place));
}

static void print_tearing(const crank_inline *in, const crank_inline_tearing *t,
                          crank_text *text)
{
    char place[CRANK_FLAT_PLACE_TEXT];
    for (int i = 0; i < t->item_count; i++) {
        print_item(in, &t->item[i], text);
    }
    for (int i = 0; i < t->torn_count; i++) {
        const crank_inline_equation *q = &in->equation[t->residual[i]];
        if (q->kind == CRANK_INLINE_CHOICE) {
            crank_text_append(text, "  residual: rule of a chosen state\n");
        } else {
            crank_text_append(text, "  residual: ");
            crank_flat_print_expression(in->flat, q->ex, text);
            crank_text_append(text, "  // %s\n",
                              crank_inline_print_place(in, t->residual[i], place));
        }
    }
}

/* what the model says of tearing that has no unknown any more */
static void print_lapsed(const crank_inline *in, crank_text *text)
{
    static const char *const names[] = {"residue", "linresidue", "donottear"};
    char place[CRANK_FLAT_PLACE_TEXT];
    const crank_flat *flat = in->flat;
    for (int i = 0; i < flat->tear_count; i++) {
        if (in->told[i] < 0) {
            crank_text_append(text, "%s(%s), %s: other equations give it, nothing is torn\n",
                              names[flat->tear[i].kind],
                              crank_ex_symbol_name(flat->pool, flat->tear[i].symbol),
                              crank_flat_print_place(flat, flat->tear[i].place, place));
        }
    }
}

void crank_inline_print_tearing(const crank_inline *in, crank_text *text)
{
    print_lapsed(in, text);
    for (int i = 0; i < in->block_count; i++) {
        const crank_inline_block *b = &in->block[i];
        if (b->torn.torn_count > 0) {
            describe_block(in, b, text);
        }
        print_tearing(in, &b->torn, text);
        if (b->has_safe) {
            crank_text_append(text, "  in its place:\n");
            print_tearing(in, &b->safe, text);
        }
    }
}
