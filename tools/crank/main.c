/* main.c - the command: finds the subcommand in a table and hands over. */
// SPDX-License-Identifier: BSD-3-Clause
#include "command.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const subcommand subcommands[] = {
    {"run", "simulate a model, write its trajectory", run_main},
    {"resume", "continue a run from its checkpoint", resume_main},
    {"check", "degrees of freedom, redundant constraints, index, initial values", check_main},
    {"init", "consistent initial values from rough ones", init_main},
    {"equilibrium", "where a model rests, and whether that is stable", equilibrium_main},
    {"linearize", "linearised motion, eigenvalues and modes", linearize_main},
    {"sweep", "many runs with other parameters and start values", sweep_main},
    {"compare", "methods and tolerances on one model: accuracy, cost, drift", compare_main},
    {"plot", "draw columns of a result as SVG", plot_main},
    {"view", "a page that shows a result move", view_main},
    {"convert", "a result in another format", convert_main},
    {"import", "a robot (URDF, MJCF) as a mechanism file", import_main},
    {"export", "a mechanism as a robot (URDF, MJCF)", export_main},
    {"inverse", "efforts that a given motion needs", inverse_main},
    {"methods", "list the methods", methods_main},
    {"options", "list the options of the methods", options_main},
    {"compile", "a Modelica file after one of its passes", compile_main},
    {"schema", "what model files may contain, as a JSON Schema or as tables", schema_main},
};
enum { SUBCOMMANDS = (int)(sizeof subcommands / sizeof subcommands[0]) };

static void print_help(void)
{
    (void)printf("usage: crank COMMAND [arguments]\n\n"
                 "Simulates mechanisms and differential-algebraic equations so that all\n"
                 "constraints, also the hidden ones, hold at every step.\n\n");
    for (int i = 0; i < SUBCOMMANDS; i++) {
        (void)printf("  crank %-11s %s\n", subcommands[i].name, subcommands[i].summary);
    }
    (void)printf(
        "\n  crank COMMAND --help tells more; crank --version\n\n"
        "Exit status: 0 done; 1 the simulation failed or a file could not be written;\n"
        "2 the command line is wrong; 3 the model is wrong.\n");
}

static int unknown(const char *name)
{
    const char *names[SUBCOMMANDS];

    for (int i = 0; i < SUBCOMMANDS; i++) {
        names[i] = subcommands[i].name;
    }
    const char *near = crank_nearest_name(name, names, SUBCOMMANDS);
    if (near != NULL) {
        (void)fprintf(stderr, "crank: unknown command %s, did you mean %s; see crank --help\n",
                      name, near);
    } else {
        (void)fprintf(stderr, "crank: unknown command %s; see crank --help\n", name);
    }
    return CODE_USAGE;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        (void)fputs("crank: no command given; see crank --help\n", stderr);
        return CODE_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        (void)printf("crank %s\n", crank_version());
        return CODE_DONE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        (strcmp(argv[1], "help") == 0 && argc == 2)) {
        print_help();
        return CODE_DONE;
    }
    if (strcmp(argv[1], "--complete") == 0) { /* for shells: tools/completion */
        for (int i = 0; i < SUBCOMMANDS; i++) {
            (void)printf("%s\t%s\n", subcommands[i].name, subcommands[i].summary);
        }
        return CODE_DONE;
    }
    char help[] = "--help";
    char *help_arguments[] = {argv[1], help, NULL};
    const bool asks_help = strcmp(argv[1], "help") == 0;
    const char *name = asks_help ? argv[2] : argv[1];
    for (int i = 0; i < SUBCOMMANDS; i++) {
        if (strcmp(name, subcommands[i].name) == 0) {
            return asks_help ? subcommands[i].run(2, help_arguments)
                             : subcommands[i].run(argc - 1, argv + 1);
        }
    }
    return unknown(name);
}

/* Standard streams that the caller has closed stay unusable, but taken: otherwise a result
 * would get the number of one, and messages would be written into it. */
static void take_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0) {
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

/* Who reads a list has read enough, as head does: nothing to be told. */
static bool reader_has_gone(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};

    return poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
}

int main(int argc, char **argv)
{
    /* a closed pipe, a file that is too large: errors, not deaths */
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    take_standard_streams();
    const int code = dispatch(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        if (!reader_has_gone()) {
            perror("crank: standard output");
        }
        return code == CODE_DONE ? CODE_FAILED : code;
    }
    return code;
}
