/* trace_write.c - a trace as C: operations are given to sections, sections are cut into
 * functions of a size that compilers like, and what crosses their borders goes through w. */
// SPDX-License-Identifier: BSD-3-Clause
#include "symbolic/trace_inside.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

/* operations of a function: time and memory of compilers grow faster than its length */
enum { PIECE = 1500, NOWHERE = 1 << 30 };

typedef struct writer {
    const crank_trace *t;
    crank_text *text;
    int optional; /* section that may be left out */
    int *section; /* node: the first one that needs it, NOWHERE: none does */
    bool *later;  /* node: sections behind the optional one need it */
    int *piece;   /* node: of its section, counted through */
    int *slot;    /* node: of w, -1: it stays where it is made */
} writer;

/* written where it is used; unknowns are read once, and kept as results of operations are */
static bool is_leaf(const crank_trace_node *n)
{
    return n->op == CRANK_TRACE_NUMBER || n->op == CRANK_TRACE_GIVEN;
}

static int earlier(int a, int b)
{
    return a < b ? a : b;
}

static void need(writer *w, int node, int section)
{
    w->section[node] = earlier(w->section[node], section);
    w->later[node] = w->later[node] || section > w->optional;
}

/* operands stand before what is made of them */
static void find_sections(writer *w)
{
    const crank_trace *t = w->t;
    for (int i = 0; i < t->count; i++) {
        w->section[i] = NOWHERE;
        w->later[i] = false;
    }
    for (int i = 0; i < t->results; i++) {
        need(w, t->result[i].node, t->result[i].section);
    }
    for (int i = t->count - 1; i >= 0; i--) {
        const crank_trace_node *n = &t->node[i];
        const int operands = w->section[i] != NOWHERE ? crank_trace_operands(n->op) : 0;
        if (w->section[i] == w->optional && w->later[i]) {
            w->section[i]--;
        }
        if (operands > 0) {
            need(w, n->a, w->section[i]);
        }
        if (operands > 1) {
            need(w, n->b, w->section[i]);
        }
    }
}

/* numbers of the pieces of section s from `next` on; the next one free */
static int cut(writer *w, int s, int next, int *operations)
{
    int in_piece = 0, all = 0;
    for (int i = 0; i < w->t->count; i++) {
        if (w->section[i] != s || is_leaf(&w->t->node[i])) {
            continue;
        }
        if (in_piece == PIECE) {
            in_piece = 0;
            next++;
        }
        w->piece[i] = next;
        in_piece++;
        all++;
    }
    if (operations != NULL) {
        operations[s] = all;
    }
    return next + 1;
}

static void share(writer *w, int node, int piece, int *slots)
{
    if (!is_leaf(&w->t->node[node]) && w->piece[node] != piece && w->slot[node] < 0) {
        w->slot[node] = (*slots)++;
    }
}

/* what another piece or section reads is kept; the number of slots */
static int find_slots(writer *w, int first, const int *last_piece)
{
    const crank_trace *t = w->t;
    int slots = first;
    for (int i = 0; i < t->count; i++) {
        const crank_trace_node *n = &t->node[i];
        const int operands = w->section[i] != NOWHERE ? crank_trace_operands(n->op) : 0;
        if (operands > 0) {
            share(w, n->a, w->piece[i], &slots);
        }
        if (operands > 1) {
            share(w, n->b, w->piece[i], &slots);
        }
    }
    for (int i = 0; i < t->results; i++) { /* results are set at the end of their section */
        const crank_trace_result *r = &t->result[i];
        if (r->slot >= 0) {
            share(w, r->node, last_piece[r->section], &slots);
        }
    }
    return slots;
}

/* ---- text ---- */

static void write_operand(const writer *w, int node, int piece)
{
    const crank_trace_node *n = &w->t->node[node];
    char digits[CRANK_NUMBER_TEXT];
    if (n->op == CRANK_TRACE_NUMBER) {
        crank_number_print(digits, sizeof digits, n->value, 17);
        crank_text_append(w->text, n->value < 0.0 ? "(%s%s)" : "%s%s", digits,
                          strpbrk(digits, ".e") != NULL ? "" : ".0");
        return;
    }
    if (n->op == CRANK_TRACE_GIVEN) {
        crank_text_append(w->text, "w[%d]", n->a);
        return;
    }
    if (w->piece[node] == piece) {
        crank_text_append(w->text, "t%d", node);
    } else {
        crank_text_append(w->text, "w[%d]", w->slot[node]);
    }
}

static void write_node(const writer *w, int i)
{
    static const char *const infix[] = {[CRANK_TRACE_ADD] = " + ",
                                        [CRANK_TRACE_SUB] = " - ",
                                        [CRANK_TRACE_MUL] = " * ",
                                        [CRANK_TRACE_DIV] = " / ",
                                        [CRANK_TRACE_GREATER] = " > "};
    static const char *const prefix[] = {[CRANK_TRACE_NEG] = "-(",
                                         [CRANK_TRACE_SQRT] = "sqrt(",
                                         [CRANK_TRACE_SIN] = "sin(",
                                         [CRANK_TRACE_COS] = "cos("};
    const crank_trace_node *n = &w->t->node[i];
    crank_text_append(w->text, "    const double t%d = ", i);
    if (n->op == CRANK_TRACE_UNKNOWN) {
        crank_text_append(w->text, "x[%d];\n", n->a);
    } else if (crank_trace_operands(n->op) == 1) {
        crank_text_append(w->text, "%s", prefix[n->op]);
        write_operand(w, n->a, w->piece[i]);
        crank_text_append(w->text, ");\n");
    } else {
        write_operand(w, n->a, w->piece[i]);
        crank_text_append(w->text, "%s", infix[n->op]);
        write_operand(w, n->b, w->piece[i]);
        crank_text_append(w->text, ";\n");
    }
    if (w->slot[i] >= 0) {
        crank_text_append(w->text, "    w[%d] = t%d;\n", w->slot[i], i);
    }
}

static void write_head(const writer *w, const char *name, int piece, bool last)
{
    crank_text_append(w->text,
                      last ? "\nvoid %s(const double *restrict x, double *restrict w)"
                           : "\nstatic void %s_%d(const double *restrict x, "
                             "double *restrict w)",
                      name, piece);
    crank_text_append(w->text, "\n{\n    (void)x, (void)w;\n");
}

/* pieces in their order, the last one calls those before */
static void write_section(const writer *w, int s, const char *name, const int piece[2])
{
    const crank_trace *t = w->t;
    int at = 0;
    for (int p = piece[0]; p <= piece[1]; p++) {
        write_head(w, name, p, p == piece[1]);
        for (int q = piece[0]; q < p && p == piece[1]; q++) {
            crank_text_append(w->text, "    %s_%d(x, w);\n", name, q);
        }
        for (; at < t->count; at++) {
            const bool here = w->section[at] == s && !is_leaf(&t->node[at]);
            if (here && w->piece[at] != p) {
                break;
            }
            if (here) {
                write_node(w, at);
            }
        }
        for (int i = 0; i < t->results && p == piece[1]; i++) {
            if (t->result[i].section == s && t->result[i].slot >= 0) {
                crank_text_append(w->text, "    w[%d] = ", t->result[i].slot);
                write_operand(w, t->result[i].node, p);
                crank_text_append(w->text, ";\n");
            }
        }
        crank_text_append(w->text, "}\n");
    }
}

int crank_trace_write(crank_trace *t, int sections, int optional, const char *const *name,
                      int first, crank_text *text, int *operations)
{
    const size_t count = (size_t)t->count + 1;
    writer w = {.t = t,
                .text = text,
                .optional = optional,
                .section = malloc(count * sizeof(int)),
                .later = malloc(count * sizeof(bool)),
                .piece = malloc(count * sizeof(int)),
                .slot = malloc(count * sizeof(int))};
    int *piece = calloc(2 * (size_t)sections, sizeof *piece), *last = piece + sections;
    int slots = 0;
    if (!t->failed && w.section != NULL && w.later != NULL && w.piece != NULL &&
        w.slot != NULL && piece != NULL) {
        memset(w.slot, -1, count * sizeof(int));
        memset(w.piece, -1, count * sizeof(int));
        find_sections(&w);
        for (int s = 0, next = 0; s < sections; s++) {
            piece[s] = next;
            next = cut(&w, s, next, operations);
            last[s] = next - 1;
        }
        slots = find_slots(&w, first, last);
        crank_text_append(text, "#include <math.h>\n");
        for (int s = 0; s < sections; s++) {
            write_section(&w, s, name[s], (const int[2]){piece[s], last[s]});
        }
    }
    free(w.section);
    free(w.later);
    free(w.piece);
    free(w.slot);
    free(piece);
    return text->failed ? 0 : slots;
}
