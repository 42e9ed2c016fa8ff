/* import.c - "crank import" and "crank export": a robot of another program's as a mechanism
 * file, and a mechanism as such a robot. */
// SPDX-License-Identifier: BSD-3-Clause
#include "arguments.h"
#include "files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct import_arguments {
    text_list positional;
    const char *out, *loops;
    bool strict, quiet;
} import_arguments;

// clang-format off
static const argument arguments[] = {
    {"-o", "MODEL.yaml", ARGUMENT_TEXT, offsetof(import_arguments, out),
     "mechanism file to write; standard output if not given"},
    {"--loops", "FILE", ARGUMENT_TEXT, offsetof(import_arguments, loops),
     "YAML file that closes loops of a URDF: closed_loop, type, name_mot"},
    {"--strict", NULL, ARGUMENT_FLAG, offsetof(import_arguments, strict),
     "whatever cannot be used is an error"},
    {"--quiet", NULL, ARGUMENT_FLAG, offsetof(import_arguments, quiet),
     "do not list what cannot be used"},
};
// clang-format on

static const usage import_usage = {
    .synopsis = "crank import ROBOT [-o MODEL.yaml] [options]",
    .summary =
        "Writes a robot, URDF or MJCF, as a mechanism file and lists, with lines, what has\n"
        "no counterpart. The other commands read such files directly, too.",
    .arguments = arguments,
    .argument_count = (int)(sizeof arguments / sizeof arguments[0]),
    .positional = offsetof(import_arguments, positional),
    .positional_min = 1,
    .positional_max = 1,
};

/* each finding a line, however many there are */
static void list_finding(crank_level level, const char *text, void *user)
{
    (void)level;
    (void)user;
    (void)fprintf(stderr, "%s\n", text);
}

static int write_text(messages *m, const char *path, const char *text)
{
    const bool standard = is_standard_output(path);
    FILE *file = standard ? stdout : fopen(path, "w");
    if (file == NULL) {
        tell_error(m, "%s: cannot write: %s", path, strerror(errno));
        return CODE_FAILED;
    }
    bool written = fputs(text, file) >= 0;
    written = (standard ? fflush(file) : fclose(file)) == 0 && written;
    if (!written) {
        tell_error(m, "%s: cannot be written", standard ? "standard output" : path);
    }
    return written ? CODE_DONE : CODE_FAILED;
}

static int import(messages *m, const import_arguments *a)
{
    crank_import_options options = crank_import_options_default();
    crank_error err = {0};
    char *text = NULL;
    if (!is_standard_output(a->out) && is_same_file(a->positional.item[0], a->out)) {
        tell_error(m, "%s would be written over itself", a->out);
        return CODE_USAGE;
    }
    options.loops = a->loops;
    options.strict = a->strict;
    if (!a->quiet) {
        options.log.write = list_finding;
    }
    const crank_status status =
        crank_model_import(a->positional.item[0], &options, &text, &err);
    if (status != CRANK_OK) {
        tell_file_error(m, a->positional.item[0], &err);
        return status == CRANK_EFILE || status == CRANK_EMEM ? CODE_FAILED : CODE_MODEL;
    }
    const int code = write_text(m, a->out, text);
    free(text);
    return code;
}

int import_main(int argc, char **argv)
{
    import_arguments a = {0};
    int code = arguments_parse(&import_usage, argc, argv, &a);

    if (code < 0) {
        messages m = {.quiet = a.quiet};
        code = import(&m, &a);
    }
    arguments_free(&import_usage, &a);
    return code;
}

/* ---- the other way ---- */

// clang-format off
static const argument export_arguments[] = {
    {"-o", "ROBOT.urdf|ROBOT.xml", ARGUMENT_TEXT, offsetof(import_arguments, out),
     "the robot: URDF, or MJCF if the name ends in .xml"},
    {"--strict", NULL, ARGUMENT_FLAG, offsetof(import_arguments, strict),
     "whatever the format cannot say is an error"},
    {"--quiet", NULL, ARGUMENT_FLAG, offsetof(import_arguments, quiet),
     "do not list what is left out"},
};
// clang-format on

static const usage export_usage = {
    .synopsis = "crank export MODEL -o ROBOT.urdf|ROBOT.xml [options]",
    .summary = "Writes a mechanism as a robot, URDF or MJCF, and lists what of it is left out.",
    .arguments = export_arguments,
    .argument_count = (int)(sizeof export_arguments / sizeof export_arguments[0]),
    .positional = offsetof(import_arguments, positional),
    .positional_min = 1,
    .positional_max = 1,
};

static int export(messages *m, const import_arguments *a)
{
    crank_import_options options = crank_import_options_default();
    crank_error err = {0};
    char *text = NULL;
    const char *path = a->positional.item[0];
    const bool mjcf =
        a->out != NULL && (has_ending(a->out, ".xml") || has_ending(a->out, ".mjcf"));
    if (a->out == NULL || (!mjcf && !has_ending(a->out, ".urdf"))) {
        tell_error(m, "export needs -o ROBOT.urdf or -o ROBOT.xml");
        return CODE_USAGE;
    }
    if (is_same_file(path, a->out)) {
        tell_error(m, "%s would be written over itself", a->out);
        return CODE_USAGE;
    }
    options.strict = a->strict;
    if (!a->quiet) {
        options.log.write = list_finding;
    }
    const crank_status status = crank_model_export(path, mjcf, &options, &text, &err);
    if (status != CRANK_OK) {
        tell_file_error(m, path, &err);
        return status == CRANK_EFILE || status == CRANK_EMEM ? CODE_FAILED : CODE_MODEL;
    }
    const int code = write_text(m, a->out, text);
    free(text);
    return code;
}

int export_main(int argc, char **argv)
{
    import_arguments a = {0};
    int code = arguments_parse(&export_usage, argc, argv, &a);

    if (code < 0) {
        messages m = {.quiet = a.quiet};
        code = export(&m, &a);
    }
    arguments_free(&export_usage, &a);
    return code;
}
