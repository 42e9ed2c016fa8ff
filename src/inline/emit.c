/* emit.c - the sorted and torn equations as C, theory (13.6): strict C99, math.h alone, the
 * same text for the same model, no data that changes outside of the caller's struct, functions
 * of bounded length. Names of the model stand in comments only, letter by letter.
 *
 *     values of a copy      v[0] = t, v[1] = h, unknowns, old(x), given values
 *     run_i(v, r)           statements of a block, its residuals r and pivots
 *     tangent_i(v, d, r)    their derivatives in the direction d
 *
 * What does not depend on the model is in runtime_*.inc. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/emit.h"

#include "inline/runtime_text.h"

#include <stdio.h>
#include <string.h>

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "writing C");
}

/* ---- places ---- */

crank_status crank_inline_place(const crank_inline *in, crank_inline_layout *out,
                                crank_error *err)
{
    const crank_flat *flat = in->flat;
    *out = (crank_inline_layout){.old = CRANK_INLINE_FIRST + in->unknown_count,
                                 .given = CRANK_INLINE_FIRST + 2 * in->unknown_count};
    out->given_variable = crank_store_take(&in->flat->store, (size_t)flat->variable_count,
                                           sizeof *out->given_variable);
    if (out->given_variable == NULL) {
        return no_memory(err);
    }
    for (int i = 0; i < flat->variable_count; i++) {
        if (flat->variable[i].role == CRANK_FLAT_DISCRETE) {
            out->given_variable[out->given_count++] = i;
        }
    }
    out->width = out->given + out->given_count;
    return CRANK_OK;
}

static void call(crank_emit *w, crank_ex symbol, int label)
{
    if (symbol >= 0) {
        w->number[symbol] = label;
    }
}

/* numbers of labels: places in v, then those of directions */
static crank_status name_symbols(crank_emit *w)
{
    const crank_inline *in = w->in;
    crank_pool *p = in->flat->pool;
    const int n = in->unknown_count;
    char name[40];
    w->direction = crank_store_take(w->store, (size_t)n, sizeof *w->direction);
    for (int u = 0; u < n && w->direction != NULL; u++) {
        (void)snprintf(name, sizeof name, "d#%d", u);
        w->direction[u] = crank_ex_symbol(p, name);
    }
    const int size = crank_pool_size(p), labels = w->layout.width + n;
    w->number = crank_store_take(w->store, (size_t)size, sizeof *w->number);
    w->label = crank_store_take(w->store, (size_t)labels, sizeof *w->label);
    if (w->store->failed) {
        return no_memory(w->err);
    }
    memset(w->number, -1, (size_t)size * sizeof *w->number);
    for (int i = 0; i < labels; i++) {
        w->label[i] = i < w->layout.width
                          ? crank_store_print(w->store, "v[%d]", i)
                          : crank_store_print(w->store, "d[%d]",
                                              i - w->layout.width + CRANK_INLINE_FIRST);
    }
    call(w, in->flat->t, CRANK_INLINE_TIME);
    call(w, in->h, CRANK_INLINE_H);
    for (int u = 0; u < n; u++) {
        call(w, in->unknown[u].symbol, CRANK_INLINE_FIRST + u);
        call(w, in->unknown[u].old, w->layout.old + u);
        call(w, w->direction[u], w->layout.width + u);
    }
    for (int i = 0; i < w->layout.given_count; i++) {
        call(w, in->flat->variable[w->layout.given_variable[i]].symbol, w->layout.given + i);
    }
    w->symbols = (crank_emit_symbols){.size = size, .number = w->number, .text = w->label};
    return w->store->failed ? no_memory(w->err) : CRANK_OK;
}

/* ---- groups ---- */

static crank_status write_groups(crank_emit *w)
{
    const crank_inline *in = w->in;
    crank_text *t = w->text;
    for (int g = 0; g < in->group_count; g++) {
        const crank_inline_group *group = &in->group[g];
        const int entries = group->rows * group->columns;
        crank_emit_statement *list = crank_store_take(w->store, (size_t)entries, sizeof *list);
        for (int i = 0; i < entries && list != NULL; i++) {
            list[i] = (crank_emit_statement){crank_store_print(w->store, "g[%d]", i),
                                             group->entry[i], 0, NULL};
        }
        if (w->store->failed) {
            return no_memory(w->err);
        }
        crank_text_append(
            t, "\nstatic void group_%d(const double *v, double *g)\n{\n    (void)v;\n", g);
        crank_emit_c_statements(t, in->flat->pool, &w->symbols, entries, list);
        crank_text_append(t, "}\n");
    }
    return CRANK_OK;
}

static crank_status write_group_table(crank_emit *w)
{
    const crank_inline *in = w->in;
    crank_text *t = w->text;
    int judged = 0;
    crank_text_append(t, "\nstatic const crank_group crank_groups[] = {\n");
    for (int g = 0; g < in->group_count; g++) {
        const crank_inline_group *group = &in->group[g];
        const int candidate = w->index_count;
        for (int c = 0; c < group->columns; c++) {
            if (!crank_emit_index(w, group->unknown[c])) {
                return no_memory(w->err);
            }
        }
        crank_text_append(t, "    {group_%d, %d, %d, %d, %d, %d, %d},\n", g, group->rows,
                          group->columns, group->forced, candidate, w->group_choice[g], judged);
        judged += group->rows * group->columns;
    }
    crank_text_append(t, in->group_count == 0 ? "    {0, 0, 0, 0, 0, 0, 0}};\n" : "};\n");
    return CRANK_OK;
}

/* ---- the file ---- */

static int at_least_one(int n)
{
    return n > 0 ? n : 1;
}

static void write_ints(crank_text *t, const char *name, int count, const int *list)
{
    crank_text_append(t, "\nstatic const int %s[] = {", name);
    for (int i = 0; i < count; i++) {
        crank_text_append(t, i % 16 == 0 ? "\n    %d," : " %d,", list[i]);
    }
    crank_text_append(t, count == 0 ? "0};\n" : "\n};\n");
}

static crank_status write_tables(crank_emit *w)
{
    const crank_inline *in = w->in;
    crank_text *t = w->text;
    int *rate = crank_store_take(w->store, (size_t)in->unknown_count, sizeof *rate);
    if (rate == NULL) {
        return no_memory(w->err);
    }
    for (int u = 0; u < in->unknown_count; u++) {
        rate[u] = in->unknown[u].next;
    }
    crank_text_append(t, "\nstatic const crank_step crank_steps[] = {\n");
    for (int i = 0; i < w->step_count; i++) {
        const crank_emit_step *s = &w->step[i];
        if (s->run == CRANK_EMIT_SYSTEM) {
            crank_text_append(t, "    {0, 0, %d, -1},\n", s->x);
        } else if (s->run == CRANK_EMIT_RULE) {
            crank_text_append(t, "    {0, 0, %d, %d},\n", s->x, s->rate);
        } else if (s->x == 0) {
            crank_text_append(t, "    {run_%d, 0, 0, 0},\n", s->run);
        } else {
            crank_text_append(t, "    {run_%d, tangent_%d, 0, 0},\n", s->run, s->run);
        }
    }
    crank_text_append(t, w->step_count == 0 ? "    {0, 0, 0, 0}};\n" : "};\n");
    crank_text_append(t, "\nstatic const crank_block crank_blocks[] = {\n");
    for (int i = 0; i < w->block_count; i++) {
        const crank_emit_block *b = &w->block[i];
        crank_text_append(t,
                          "    {%d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, "
                          "%d, %d, %d, %d, %d, %d},\n",
                          b->step, b->steps, b->torn, b->count, b->rows, b->state, b->states,
                          b->choice, b->choices, b->member, b->members, b->movers, b->guess,
                          b->guesses, b->check, b->checks, b->matrix, b->pivot, b->linear,
                          b->safe, b->fixed);
    }
    crank_text_append(t,
                      w->block_count == 0
                          ? "    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, "
                            "0}};\n"
                          : "};\n");
    const crank_status status = write_group_table(w);
    write_ints(t, "crank_sequence", w->sequence_count, w->sequence);
    write_ints(t, "crank_indices", w->index_count, w->index);
    write_ints(t, "crank_rates", in->unknown_count, rate);
    return status;
}

/* a text that no letter of the model can leave */
static void write_string(crank_text *t, const char *text)
{
    crank_text_append(t, "\"");
    for (const char *c = text; *c != '\0'; c++) {
        const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                           (*c >= '0' && *c <= '9') || strchr("._[](), ", *c) != NULL;
        crank_text_append(t, plain ? "%c" : "\\%03o", plain ? *c : (int)(unsigned char)*c);
    }
    crank_text_append(t, "\"");
}

static double start_of(const crank_flat *flat, int variable)
{
    double number = 0.0;
    const crank_ex start = flat->variable[variable].start;
    return start >= 0 && crank_ex_is_number(flat->pool, start, &number) ? number : 0.0;
}

/* start values and names of unknowns, start values of given ones */
static void write_starts(crank_emit *w)
{
    const crank_inline *in = w->in;
    crank_text *t = w->text;
    crank_text_append(t, "\nstatic const double crank_start[] = {");
    for (int u = 0; u < in->unknown_count; u++) {
        const crank_inline_unknown *x = &in->unknown[u];
        crank_text_append(t, u % 8 == 0 ? "\n    %.17g," : " %.17g,",
                          x->order == 0 ? start_of(in->flat, x->variable) : 0.0);
    }
    crank_text_append(t, in->unknown_count == 0 ? "0.0};\n" : "\n};\n");
    crank_text_append(t, "\nstatic const double crank_given[] = {");
    for (int i = 0; i < w->layout.given_count; i++) {
        crank_text_append(t, "%.17g, ", start_of(in->flat, w->layout.given_variable[i]));
    }
    crank_text_append(t, "0.0};\n\nstatic const char *const crank_names[] = {\n");
    for (int u = 0; u < in->unknown_count; u++) {
        crank_text_append(t, "    ");
        write_string(t, crank_ex_symbol_name(in->flat->pool, in->unknown[u].symbol));
        crank_text_append(t, ",\n");
    }
    crank_text_append(t, "    \"\"};\n");
}

void crank_inline_emit_main(const crank_inline *in, const char *name, crank_text *t)
{
    const crank_flat *flat = in->flat;
    const double begin = flat->t_start == flat->t_start ? flat->t_start : 0.0,
                 end = flat->t_end == flat->t_end ? flat->t_end : begin + 1.0;
    crank_text_append(
        t,
        "/* main.c - steps of one length: cc -O2 main.c -lm && ./a.out > rows.csv */\n"
        "#include \"%s.c\"\n\n#include <stdio.h>\n\n"
        "int main(void)\n{\n    static %s m; /* all that changes */\n"
        "    const double t_start = %.17g, t_end = %.17g;\n    const int steps = 1000;\n"
        "    long most = 0;\n    int status = %s_start(&m, t_start);\n"
        "    printf(\"time\");\n"
        "    for (int i = 0; i < %s_unknowns(); i++) {\n"
        "        printf(\",%%s\", %s_name(i));\n    }\n",
        name, name, begin, end, name, name, name);
    crank_text_append(
        t,
        "    for (int k = 0; k <= steps && status == 0; k++) {\n"
        "        printf(\"\\n%%.10g\", t_start + k * (t_end - t_start) / steps);\n"
        "        for (int i = 0; i < %s_unknowns(); i++) {\n"
        "            printf(\",%%.10g\", %s_value(&m, i));\n        }\n"
        "        const long before = m.counts[0];\n"
        "        status = %s_step(&m, (t_end - t_start) / steps);\n"
        "        most = m.counts[0] - before > most ? m.counts[0] - before : most;\n    }\n"
        "    fprintf(stderr, \"\\nat most %%ld evaluations of blocks in a step\\n\", most);\n"
        "    return status;\n}\n",
        name, name, name);
}

/* runtime text with the name in the place of NAME */
static void write_runtime(crank_text *t, const char *text, const char *name)
{
    for (const char *at = text; *at != '\0';) {
        const char *next = strstr(at, "NAME");
        const int length = next != NULL ? (int)(next - at) : (int)strlen(at);
        crank_text_append(t, "%.*s%s", length, at, next != NULL ? name : "");
        at += length + (next != NULL ? 4 : 0);
    }
}

/* letters that cannot end a comment */
static void write_name(crank_text *t, const char *name)
{
    for (const char *c = name; *c != '\0'; c++) {
        const bool plain = (*c >= ' ' && *c <= '~' && *c != '*' && *c != '\\' && *c != '?');
        crank_text_append(t, "%c", plain ? *c : '_');
    }
}

static void write_sizes(crank_emit *w, const char *name)
{
    const crank_inline *in = w->in;
    crank_text *t = w->text;
    int groups = 0, columns = 0, judged = 0;
    for (int g = 0; g < in->group_count; g++) {
        const int entries = in->group[g].rows * in->group[g].columns;
        groups = entries > groups ? entries : groups;
        judged += entries;
        columns = in->group[g].columns > columns ? in->group[g].columns : columns;
    }
    crank_text_append(t,
                      "\nenum {\n    CRANK_COPIES = %d,\n    CRANK_WIDTH = %d,\n"
                      "    CRANK_OLD = %d,\n    CRANK_UNKNOWNS = %d,\n"
                      "    CRANK_MOST_ROWS = %d,\n    CRANK_MOST_MEMBERS = %d,\n"
                      "    CRANK_SEQUENCE = %d,\n    CRANK_BLOCKS = %d,\n"
                      "    CRANK_GROUPS = %d,\n    CRANK_CHOICES = %d\n};\n",
                      w->copies, w->layout.width, w->layout.old, in->unknown_count,
                      at_least_one(w->most_rows), at_least_one(w->most_members),
                      w->sequence_count, w->block_count, in->group_count, w->choices);
    crank_text_append(
        t,
        "\ntypedef struct %s {\n"
        "    double v[%d]; /* a copy a stage: t, h, unknowns, old(x), given values */\n"
        "    double h[%d]; /* of x = h x' + old(x), stages by stages */\n"
        "    double weight[%d]; /* unknowns: what counts as one in iterations */\n"
        "    double tolerance, enough; /* of iterations, in weights */\n"
        "    int most_iterations, careful, failed; /* failed: the last block that did */\n"
        "    int chosen[%d]; /* states that are chosen in the run */\n"
        "    long counts[5]; /* evaluations, iterations, matrices, fallbacks, choices */\n"
        "    double d[%d], residual[%d], delta[%d], kept[%d], scale[%d], matrix[%d];\n"
        "    double inner_d[%d], inner_residual[%d], inner_delta[%d], last[%d];\n"
        "    double seen[%d], group[%d], factored_h[%d], rate[%d], rate_h[%d];\n"
        "    double judged[%d], least[%d]; /* groups */\n"
        "    int pivot[%d], factored[%d], age[%d], rate_age[%d], spent[%d], fallen[%d];\n"
        "    int order[%d], order_now[%d];\n"
        "} %s;\n",
        name, w->copies * w->layout.width, w->copies * w->copies,
        at_least_one(in->unknown_count), at_least_one(w->choices), w->copies * w->layout.width,
        w->copies * at_least_one(w->most_rows), at_least_one(w->most_count),
        w->copies * at_least_one(w->most_members), at_least_one(w->most_count),
        at_least_one(w->matrix), w->copies * w->layout.width,
        w->copies * at_least_one(w->most_rows), at_least_one(w->most_count),
        w->copies * at_least_one(w->most_members), at_least_one(w->checks),
        at_least_one(groups), at_least_one(w->block_count), at_least_one(w->block_count),
        at_least_one(w->block_count), at_least_one(judged), at_least_one(in->group_count),
        at_least_one(w->pivots), at_least_one(w->block_count), at_least_one(w->block_count),
        at_least_one(w->block_count), at_least_one(w->block_count),
        at_least_one(w->block_count), at_least_one(columns), at_least_one(columns), name);
    crank_text_append(t,
                      "\nvoid %s_init(%s *m);\nint %s_choose(%s *m);\nint %s_solve(%s *m);\n"
                      "void %s_forget(%s *m);\nunsigned long %s_size(void);\n"
                      "void %s_follow(%s *m, const %s *from);\nvoid %s_prepare(%s *m);\n",
                      name, name, name, name, name, name, name, name, name, name, name, name,
                      name, name);
    crank_text_append(t,
                      "int %s_start(%s *m, double t);\nint %s_step(%s *m, double h);\n"
                      "int %s_unknowns(void);\nconst char *%s_name(int i);\n"
                      "double %s_value(const %s *m, int i);\n",
                      name, name, name, name, name, name, name, name);
    crank_text_append(t,
                      "double *%s_values(%s *m, int part);\nlong *%s_counts(%s *m);\n"
                      "void %s_control(%s *m, double tolerance, double enough, int careful);\n",
                      name, name, name, name, name, name);
}

static crank_status open_work(crank_emit *w)
{
    const crank_inline *in = w->in;
    const size_t groups = (size_t)in->group_count;
    w->statement = crank_store_take(w->store, CRANK_EMIT_STATEMENTS + 1, sizeof *w->statement);
    w->derivative =
        crank_store_take(w->store, CRANK_EMIT_STATEMENTS + 1, sizeof *w->derivative);
    w->sequence =
        crank_store_take(w->store, 2 * (size_t)in->block_count + 2, sizeof *w->sequence);
    w->group_choice = crank_store_take(w->store, groups + 1, sizeof *w->group_choice);
    w->group_used = crank_store_take(w->store, groups + 1, sizeof *w->group_used);
    if (w->store->failed) {
        return no_memory(w->err);
    }
    for (int g = 0; g < in->group_count; g++) {
        w->group_choice[g] = w->choices;
        w->choices += in->group[g].columns - in->group[g].rows;
    }
    const crank_status status = crank_inline_place(in, &w->layout, w->err);
    return status == CRANK_OK ? name_symbols(w) : status;
}

crank_status crank_inline_emit(const crank_inline *in, const char *name, int copies,
                               crank_text *text, crank_error *err)
{
    crank_text functions = {0};
    crank_emit w = {
        .in = in, .store = &in->flat->store, .text = &functions, .copies = copies, .err = err};
    crank_status status = open_work(&w);
    status = status == CRANK_OK ? crank_emit_blocks(&w) : status;
    status = status == CRANK_OK ? write_groups(&w) : status;
    if (status == CRANK_OK) {
        crank_text_append(text, "/* ");
        write_name(text, in->flat->name);
        crank_text_append(text, " - made by crank; see its docs, \"inline integration\". */\n");
        crank_emit_c_prelude(text);
        w.text = text;
        write_sizes(&w, name);
        write_runtime(text, crank_runtime_types, name);
        crank_text_append(text, "%s", functions.data != NULL ? functions.data : "");
        status = write_tables(&w);
        write_starts(&w);
        write_runtime(text, crank_runtime_solver, name);
        write_runtime(text, crank_runtime_interface, name);
    }
    const bool failed = functions.failed || text->failed;
    crank_text_free(&functions);
    return status == CRANK_OK && failed ? no_memory(err) : status;
}
