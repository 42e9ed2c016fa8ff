/* translate.c - see translate.h: a list of passes, each of which can be printed. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run/translate.h"

#include "base/file.h"
#include "base/then.h"
#include "inline/inline.h"
#include "inline/passes.h"
#include "model/dae/dae_flat.h"
#include "model/dae/dae_flatten.h"
#include "modelica/package.h"
#include "run/block.h"

#include <string.h>

bool crank_modelica_is_named(const char *name)
{
    return crank_path_ends_in(name, ".mo") || crank_path_ends_in(name, ".bmo");
}

crank_status crank_modelica_read(const char *name, const char *path, const char *text,
                                 size_t length, const char *library, crank_store *store,
                                 crank_mo_file *out, crank_error *err)
{
    crank_status status =
        crank_mo_parse(text, length, crank_path_ends_in(name, ".bmo"), 0, store, out, err);
    CRANK_THEN(status, crank_mo_read_packages(out, path, library != NULL ? 1 : 0, &library,
                                              crank_block_write, store, err));
    return status;
}

/* errors in files of packages name them */
static crank_status told(const crank_model_source *source, crank_status status,
                         crank_error *err)
{
    if (status != CRANK_OK && source->modelica != NULL) {
        crank_mo_resolve_place(source->modelica, err);
    }
    return status;
}

static crank_status flatten_modelica(const crank_model_source *source, crank_flat *flat,
                                     crank_error *err)
{
    const crank_model_options *o = source->options;
    crank_store store = {0};
    crank_mo_setting *settings =
        crank_store_take(&store, (size_t)o->setting_count, sizeof *settings);
    crank_status status =
        settings != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "reading the model");
    for (int i = 0; i < o->setting_count && status == CRANK_OK; i++) {
        settings[i] = (crank_mo_setting){o->settings[i].name, o->settings[i].value};
    }
    const crank_mo_options options = {
        .model = o->model, .setting_count = o->setting_count, .setting = settings};
    CRANK_THEN(status, crank_mo_flatten(source->modelica, &options, flat, err));
    crank_store_free(&store);
    return status;
}

bool crank_translate_takes(const char *kind)
{
    return strcmp(kind, "equations") == 0 || strcmp(kind, "dae") == 0 ||
           strcmp(kind, "modelica") == 0;
}

/* from: what a file says besides its equations; of Modelica all is in flat */
static crank_status flatten(const crank_model_source *source, crank_flat *flat,
                            crank_equations *from, crank_error *err)
{
    return source->modelica != NULL
               ? flatten_modelica(source, flat, err)
               : crank_equations_flatten(source, strcmp(source->kind, "dae") == 0, flat, from,
                                         err);
}

/* ---- passes ---- */

static crank_status resolve(crank_flat *flat, crank_error *err)
{
    const crank_status status = crank_flat_put_numbers(flat, err);
    return status == CRANK_OK ? crank_flat_resolve_discrete(flat, err) : status;
}

static crank_status take_out(crank_flat *flat, crank_error *err)
{
    crank_status status = crank_flat_check_structure(flat, err);
    CRANK_THEN(status, crank_flat_remove_aliases(flat, err));
    return status == CRANK_OK ? crank_flat_derive_starts(flat, err) : status;
}

/* In this order. The first two are the file's own: its tokens, and its classes flattened. Those
 * that print are looks at what a method would make of the equations, which stay. */
static crank_status print_units(crank_flat *flat, crank_text *text, crank_error *err);
static crank_status print_blocks(crank_flat *flat, crank_text *text, crank_error *err);
static crank_status print_states(crank_flat *flat, crank_text *text, crank_error *err);
static crank_status print_tearing(crank_flat *flat, crank_text *text, crank_error *err);
static crank_status print_c(crank_flat *flat, crank_text *text, crank_error *err);
static crank_status print_main(crank_flat *flat, crank_text *text, crank_error *err);
static const struct {
    const char *name;
    crank_status (*run)(crank_flat *flat, crank_error *err);
    crank_status (*print)(crank_flat *flat, crank_text *text, crank_error *err);
} passes[] = {{"lexer", NULL, NULL},
              {"flat", NULL, NULL},
              {"units", NULL, print_units},
              {"discrete", resolve, NULL},
              {"alias", take_out, NULL},
              {"blt", NULL, print_blocks},
              {"states", NULL, print_states},
              {"tearing", NULL, print_tearing},
              {"c", NULL, print_c},
              {"main", NULL, print_main},
              {"explicit", crank_flat_put_explicit, NULL}};
enum { PASSES = sizeof passes / sizeof passes[0] };

const char *crank_model_pass(int i)
{
    return i >= 0 && i < PASSES ? passes[i].name : NULL;
}

/* Up to what is translated: before variables that one equation gives leave the equations. Of
 * equations and dae files other methods take also those that do not fit one to one. */
static crank_status pass_some(const crank_model_source *source, crank_flat *flat,
                              crank_error *err)
{
    crank_status status = CRANK_OK;
    for (int i = 0; i < PASSES && passes[i].run != crank_flat_put_explicit; i++) {
        if (status == CRANK_OK && passes[i].run != NULL) {
            status = passes[i].run(flat, err);
        }
    }
    return status == CRANK_EMODEL && source->modelica == NULL ? CRANK_EREFUSED : status;
}

/* up to what other methods take */
static crank_status pass_all(const crank_model_source *source, crank_flat *flat,
                             crank_error *err)
{
    crank_status status = pass_some(source, flat, err);
    CRANK_THEN(status, crank_flat_put_explicit(flat, err));
    return status == CRANK_OK ? crank_flat_carry_rates(flat, err) : status;
}

/* ---- printed ---- */

static void print_tokens(const crank_mo_tokens *tokens, crank_text *text)
{
    static const char *const words[] = {[CRANK_MO_IDENT] = "name",
                                        [CRANK_MO_KEYWORD] = "keyword",
                                        [CRANK_MO_SYMBOL] = "symbol",
                                        [CRANK_MO_TEXT] = "string",
                                        [CRANK_MO_INTEGER] = "number",
                                        [CRANK_MO_REAL] = "number",
                                        [CRANK_MO_FINISH] = "end of the file"};
    for (int i = 0; i < tokens->count; i++) {
        const crank_mo_token *t = &tokens->token[i];
        crank_text_append(text, "%d:%d: %s%s%s\n", t->place.line, t->place.column,
                          words[t->kind], t->kind != CRANK_MO_FINISH ? " " : "", t->text);
    }
}

static crank_status print_units(crank_flat *flat, crank_text *text, crank_error *err)
{
    int count = 0;
    const crank_status status = crank_flat_check_units(flat, text, &count, err);
    crank_text_append(text, count == 0 ? "units fit, as far as they are given\n" : "");
    return status;
}

static crank_status print_blocks(crank_flat *flat, crank_text *text, crank_error *err)
{
    crank_flat_blocks blocks;
    const crank_status status = crank_flat_find_blocks(flat, &blocks, err);
    if (status == CRANK_OK) {
        crank_flat_print_blocks(flat, &blocks, text);
    }
    return status;
}

static crank_status print_states(crank_flat *flat, crank_text *text, crank_error *err)
{
    crank_inline in;
    const crank_status status = crank_inline_translate(flat, false, &in, err);
    if (status == CRANK_OK) {
        crank_inline_print_states(&in, text);
    }
    return status;
}

static crank_status print_tearing(crank_flat *flat, crank_text *text, crank_error *err)
{
    crank_inline in;
    const crank_status status = crank_inline_translate(flat, false, &in, err);
    if (status == CRANK_OK) {
        crank_inline_print_tearing(&in, text);
    }
    return status;
}

static crank_status print_c(crank_flat *flat, crank_text *text, crank_error *err)
{
    crank_inline in;
    const crank_status status = crank_inline_translate(flat, false, &in, err);
    return status == CRANK_OK ? crank_inline_emit(&in, "model", 1, text, err) : status;
}

/* Steps of one length look at no events: a program that goes on through them would be wrong
 * without a word. */
static crank_status check_events(const crank_flat *flat, crank_error *err)
{
    const crank_flat_place *place = NULL;
    for (int i = flat->event_count - 1; i >= 0; i--) {
        const crank_flat_event *e = &flat->event[i];
        place = e->relation >= 0 || e->when >= 0 || e->action_count > 0 ? &e->place : place;
    }
    for (int i = 0; i < flat->update_count && place == NULL; i++) {
        place = &flat->update[i].place;
    }
    return place == NULL
               ? CRANK_OK
               : crank_fail_at(err, CRANK_EMODEL, place->line, place->column,
                               "a program with steps of one length has no events: relations, "
                               "when, sample and assert would have no effect; write it without "
                               "them (noEvent, smooth), or use `crank run`");
}

static crank_status print_main(crank_flat *flat, crank_text *text, crank_error *err)
{
    crank_inline in;
    crank_status status = check_events(flat, err);
    if (status == CRANK_OK) {
        status = crank_inline_translate(flat, false, &in, err);
    }
    if (status == CRANK_OK) {
        crank_inline_emit_main(&in, "model", text);
    }
    return status;
}

crank_status crank_translate_dump(const crank_model_source *source, const char *pass,
                                  crank_text *text, crank_error *err)
{
    crank_flat flat = {0};
    crank_equations from;
    int last = 0;
    while (last < PASSES && strcmp(passes[last].name, pass) != 0) {
        last++;
    }
    if (last == PASSES) {
        return crank_fail(
            err, CRANK_EARG,
            "there is no pass \"%.60s\"; known are lexer, flat, units, discrete, alias, "
            "blt, states, tearing, c, main, explicit",
            pass);
    }
    if (last == 0 && source->modelica == NULL) {
        return crank_fail(err, CRANK_EREFUSED, "tokens are those of Modelica files");
    }
    if (last == 0) {
        print_tokens(&source->modelica->tokens, text);
        return text->failed ? crank_fail(err, CRANK_EMEM, "a pass") : CRANK_OK;
    }
    crank_status status = flatten(source, &flat, &from, err);
    for (int i = 1; i <= last && status == CRANK_OK; i++) {
        status = passes[i].run != NULL ? passes[i].run(&flat, err) : CRANK_OK;
    }
    if (status == CRANK_OK && passes[last].print != NULL) {
        status = passes[last].print(&flat, text, err);
    } else if (status == CRANK_OK) {
        crank_flat_print(&flat, text);
    }
    crank_flat_free(&flat);
    status =
        status == CRANK_OK && text->failed ? crank_fail(err, CRANK_EMEM, "a pass") : status;
    return told(source, status, err);
}

/* ---- models ---- */

static crank_status make_translated(crank_model *model, const crank_model_source *source,
                                    crank_error *err)
{
    crank_flat flat = {0};
    crank_equations from;
    crank_status status = flatten(source, &flat, &from, err);
    CRANK_THEN(status, pass_some(source, &flat, err));
    CRANK_THEN(status, crank_dae_make_translated(model, source, &flat,
                                                 source->modelica != NULL ? NULL : &from, err));
    crank_flat_free(&flat);
    return status;
}

crank_status crank_translate_make(crank_model *model, const crank_model_source *source,
                                  crank_model_make_fn *plain, crank_error *err)
{
    crank_error reason = {0};
    crank_status status = make_translated(model, source, &reason);
    if (status == CRANK_EREFUSED) {
        status = plain(model, source, err);
        CRANK_THEN(status, crank_model_refuse_inlined(model, reason.text, err));
        return status;
    }
    if (status != CRANK_OK && err != NULL) {
        *err = reason;
    }
    return told(source, status, err);
}

/* the dense analysis */
crank_status crank_modelica_make(crank_model *model, const crank_model_source *source,
                                 crank_error *err)
{
    crank_flat flat = {0};
    crank_status status = flatten_modelica(source, &flat, err);
    CRANK_THEN(status, pass_all(source, &flat, err));
    CRANK_THEN(status, crank_dae_make_flat(model, source, &flat, err));
    crank_flat_free(&flat);
    return told(source, status, err);
}

crank_status crank_translate_describe(const crank_model_source *source, crank_text *text,
                                      crank_error *err)
{
    crank_flat flat = {0};
    crank_inline in;
    crank_equations from;
    crank_error reason = {0};
    crank_status status = flatten(source, &flat, &from, &reason);
    CRANK_THEN(status, pass_some(source, &flat, &reason));
    CRANK_THEN(status, crank_inline_translate(&flat, false, &in, &reason));
    if (status == CRANK_OK) {
        crank_inline_describe(&in, text);
    } else if (status == CRANK_EREFUSED) {
        crank_text_append(text, "inlined          no: %s\n", reason.text);
        status = CRANK_OK;
    } else if (err != NULL) {
        *err = reason;
    }
    crank_flat_free(&flat);
    return told(source, status, err);
}

/* a line each, behind the word "units" */
static void append_units(const crank_text *warnings, int count, crank_text *text)
{
    crank_text_append(text, "units            %s",
                      count == 0 ? "fit, as far as they are given\n" : "");
    const char *at = warnings->data;
    for (int i = 0; i < count && at != NULL; i++) {
        const int length = (int)strcspn(at, "\n");
        crank_text_append(text, "%s%.*s\n", i > 0 ? "                 " : "", length, at);
        at += at[length] != '\0' ? length + 1 : length;
    }
}

crank_status crank_modelica_check(const crank_model_source *source, bool formulas,
                                  crank_text *text, bool *fine, crank_error *err)
{
    crank_flat flat = {0};
    crank_text warnings = {0};
    int count = 0;
    crank_status status = flatten_modelica(source, &flat, err);
    *fine = false;
    CRANK_THEN(status, crank_flat_check_units(&flat, &warnings, &count, err));
    CRANK_THEN(status, pass_all(source, &flat, err));
    CRANK_THEN(status, crank_dae_check_flat(source, &flat, formulas, text, fine, err));
    crank_flat_free(&flat);
    CRANK_THEN(status, crank_translate_describe(source, text, err));
    if (status == CRANK_OK) {
        append_units(&warnings, count, text);
    }
    crank_text_free(&warnings);
    return told(source, status, err);
}
