/* compile.c - "crank compile": a Modelica file after one of the passes that it goes through, or
 * as C for a program of one's own. */
// SPDX-License-Identifier: BSD-3-Clause
#include "arguments.h"
#include "command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct compile_arguments {
    text_list positional;
    const char *dump, *model, *out, *library;
    setting_list settings;
} compile_arguments;

// clang-format off
static const argument arguments[] = {
    {"-o", "DIRECTORY", ARGUMENT_TEXT, offsetof(compile_arguments, out),
     "writes model.c and main.c there, which is made if missing"},
    {"--dump", "PASS", ARGUMENT_TEXT, offsetof(compile_arguments, dump),
     "which: lexer, flat, units, discrete, alias, blt, states, tearing, c, main, explicit; default "
     "blt"},
    {"--model", "NAME", ARGUMENT_TEXT, offsetof(compile_arguments, model),
     "the model of the file: Package.Model; default: its last one"},
    {"--library", "FOLDER", ARGUMENT_TEXT, offsetof(compile_arguments, library),
     "where packages that the file names are looked for first"},
    {"--set", "NAME=VALUE", ARGUMENT_PAIRS, offsetof(compile_arguments, settings),
     "a parameter or start value; may be repeated"},
};
// clang-format on

static const usage compile_usage = {
    .synopsis = "crank compile MODEL [--dump PASS | -o DIRECTORY] [options]",
    .summary =
        "Prints a file of equations (Modelica, equations, dae) after one of its passes: "
        "tokens\n"
        "(lexer), without components (flat), units that do not fit (units), with conditions\n"
        "resolved (discrete), without aliases (alias), in the order of solution (blt); and\n"
        "what the methods inline-... make of it: hidden constraints and states (states), "
        "blocks\n"
        "of the discretised equations with what is torn (tearing), C (c), a program that uses\n"
        "it (main). With -o that C is "
        "written to files.",
    .arguments = arguments,
    .argument_count = (int)(sizeof arguments / sizeof arguments[0]),
    .positional = offsetof(compile_arguments, positional),
    .positional_min = 1,
    .positional_max = 1,
};

static int code_of(crank_status status, const crank_error *err)
{
    return status == CRANK_OK                                               ? CODE_DONE
           : status == CRANK_EMEM                                           ? CODE_FAILED
           : err->given || status == CRANK_EARG || status == CRANK_EREFUSED ? CODE_USAGE
                                                                            : CODE_MODEL;
}

static int tell(messages *m, const char *path, crank_status status, const crank_error *err)
{
    const int code = code_of(status, err);
    if (code == CODE_MODEL) {
        tell_file_error(m, path, err);
    } else if (code != CODE_DONE) {
        tell_error(m, "%s", failure_text(status, err));
    }
    return code;
}

static int print_pass(messages *m, const char *path, const crank_model_options *options,
                      const char *pass)
{
    crank_error err = {0};
    char *text = NULL;
    const crank_status status = crank_model_dump(path, options, pass, &text, &err);
    if (status == CRANK_OK) {
        (void)fputs(text, stdout);
    }
    free(text);
    return tell(m, path, status, &err);
}

static int write_file(messages *m, const char *directory, const char *name, const char *text)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%.4000s/%s", directory, name);
    FILE *file = fopen(path, "w");
    const bool written = file != NULL && fputs(text, file) >= 0;
    if ((file != NULL && fclose(file) != 0) || !written) {
        tell_error(m, "-o: cannot write %s: %s", path, strerror(errno));
        return CODE_USAGE;
    }
    return CODE_DONE;
}

/* main.c, which is refused for some models, and model.c */
static int write_files(messages *m, const char *path, const crank_model_options *options,
                       const char *directory)
{
    static const char *const pass[] = {"main", "c"}, *const name[] = {"main.c", "model.c"};
    int code = CODE_DONE;
    for (int i = 0; i < 2 && code == CODE_DONE; i++) {
        crank_error err = {0};
        char *text = NULL;
        const crank_status status = crank_model_dump(path, options, pass[i], &text, &err);
        code = tell(m, path, status, &err);
        if (code == CODE_DONE && mkdir(directory, 0777) != 0 && errno != EEXIST) {
            tell_error(m, "-o: cannot make %s: %s", directory, strerror(errno));
            code = CODE_USAGE;
        }
        if (code == CODE_DONE) {
            code = write_file(m, directory, name[i], text);
        }
        free(text);
    }
    return code;
}

int compile_main(int argc, char **argv)
{
    compile_arguments a = {0};
    messages m = {0};
    int code = arguments_parse(&compile_usage, argc, argv, &a);

    if (code < 0) {
        crank_model_options options = crank_model_options_default();
        options.model = a.model;
        options.library = a.library;
        options.settings = a.settings.item;
        options.setting_count = a.settings.count;
        if (a.out != NULL && a.dump != NULL) {
            tell_error(&m, "-o and --dump are two calls: files, or a pass");
            code = CODE_USAGE;
        } else if (a.out != NULL) {
            code = write_files(&m, a.positional.item[0], &options, a.out);
        } else {
            code =
                print_pass(&m, a.positional.item[0], &options, a.dump != NULL ? a.dump : "blt");
        }
    }
    arguments_free(&compile_usage, &a);
    return code;
}
