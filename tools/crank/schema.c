/* schema.c - "crank schema": what model files may contain, for editors (JSON Schema) and for
 * people. */
// SPDX-License-Identifier: BSD-3-Clause
#include "arguments.h"
#include "command.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct schema_arguments {
    text_list positional;
    bool reference;
} schema_arguments;

// clang-format off
static const argument arguments[] = {
    {"--reference", NULL, ARGUMENT_FLAG, offsetof(schema_arguments, reference),
     "all keys of mechanism files as tables in Markdown instead"},
};
// clang-format on

static const usage schema_usage = {
    .synopsis = "crank schema [--reference]",
    .summary =
        "Prints a JSON Schema of model files, with which editors complete and check them.",
    .arguments = arguments,
    .argument_count = (int)(sizeof arguments / sizeof arguments[0]),
    .positional = offsetof(schema_arguments, positional),
};

int schema_main(int argc, char **argv)
{
    schema_arguments a = {0};
    messages m = {0};
    crank_error err = {0};
    char *text = NULL;
    int code = arguments_parse(&schema_usage, argc, argv, &a);

    if (code < 0) {
        const crank_status status =
            a.reference ? crank_model_reference(&text, &err) : crank_model_schema(&text, &err);
        code = status == CRANK_OK ? CODE_DONE : CODE_FAILED;
        if (status == CRANK_OK) {
            (void)fputs(text, stdout);
        } else {
            tell_error(&m, "%s", failure_text(status, &err));
        }
    }
    free(text);
    arguments_free(&schema_usage, &a);
    return code;
}
