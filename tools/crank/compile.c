/* compile.c - "crank compile": a Modelica file after one of the passes that it goes through. */
// SPDX-License-Identifier: BSD-3-Clause
#include "arguments.h"
#include "command.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct compile_arguments {
    text_list positional;
    const char *dump, *model, *library;
    setting_list settings;
} compile_arguments;

// clang-format off
static const argument arguments[] = {
    {"--dump", "PASS", ARGUMENT_TEXT, offsetof(compile_arguments, dump),
     "which: lexer, flat, discrete, alias, blt, states, tearing, c or explicit; default blt"},
    {"--model", "NAME", ARGUMENT_TEXT, offsetof(compile_arguments, model),
     "the model of the file: Package.Model; default: its last one"},
    {"--library", "FOLDER", ARGUMENT_TEXT, offsetof(compile_arguments, library),
     "where packages that the file names are looked for first"},
    {"--set", "NAME=VALUE", ARGUMENT_PAIRS, offsetof(compile_arguments, settings),
     "a parameter or start value; may be repeated"},
};
// clang-format on

static const usage compile_usage = {
    .synopsis = "crank compile MODEL.mo [--dump PASS] [options]",
    .summary =
        "Prints a Modelica file after one of the passes that it goes through: its tokens\n"
        "(lexer), without components (flat), with conditions resolved (discrete), without\n"
        "aliases (alias), in the order of solution (blt); and what the methods inline-... "
        "make\n"
        "of it: hidden constraints and states (states), blocks of the discretised equations\n"
        "with what is torn (tearing), C (c).",
    .arguments = arguments,
    .argument_count = (int)(sizeof arguments / sizeof arguments[0]),
    .positional = offsetof(compile_arguments, positional),
    .positional_min = 1,
    .positional_max = 1,
};

int compile_main(int argc, char **argv)
{
    compile_arguments a = {0};
    messages m = {0};
    crank_error err = {0};
    char *text = NULL;
    int code = arguments_parse(&compile_usage, argc, argv, &a);

    if (code < 0) {
        const char *path = a.positional.item[0];
        crank_model_options options = crank_model_options_default();
        options.model = a.model;
        options.library = a.library;
        options.settings = a.settings.item;
        options.setting_count = a.settings.count;
        const crank_status status =
            crank_model_dump(path, &options, a.dump != NULL ? a.dump : "blt", &text, &err);
        code = status == CRANK_OK                                              ? CODE_DONE
               : status == CRANK_EMEM                                          ? CODE_FAILED
               : err.given || status == CRANK_EARG || status == CRANK_EREFUSED ? CODE_USAGE
                                                                               : CODE_MODEL;
        if (status == CRANK_OK) {
            (void)fputs(text, stdout);
        } else if (code == CODE_MODEL) {
            tell_file_error(&m, path, &err);
        } else {
            tell_error(&m, "%s", failure_text(status, &err));
        }
    }
    free(text);
    arguments_free(&compile_usage, &a);
    return code;
}
