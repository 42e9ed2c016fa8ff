/* describe.c - "crank methods" and "crank options": the library's own tables as text. */
// SPDX-License-Identifier: BSD-3-Clause
#include "describe.h"

#include "arguments.h"
#include "command.h"

#include <stdio.h>

void print_methods(void)
{
    const char *name, *help;

    for (int i = 0; crank_method_describe(i, &name, &help); i++) {
        (void)printf("  %-24s %s\n", name, help);
    }
}

void print_options(void)
{
    const char *name, *help;
    char range[160], owners[160];

    for (int i = 0; crank_options_describe(i, &name, range, sizeof range, &help); i++) {
        (void)crank_options_owners(i, owners, sizeof owners);
        (void)printf("  %-24s %s\n  %-24s %s\n", name, help, "", range);
        if (owners[0] != '\0') {
            (void)printf("  %-24s of %s\n", "", owners);
        }
    }
}

typedef struct describe_arguments {
    text_list positional;
} describe_arguments;

static int describe(const char *synopsis, const char *summary, void (*print)(void), int argc,
                    char **argv)
{
    const usage u = {.synopsis = synopsis, .summary = summary};
    describe_arguments a = {0};
    const int code = arguments_parse(&u, argc, argv, &a);

    if (code < 0) {
        print();
    }
    arguments_free(&u, &a);
    return code < 0 ? CODE_DONE : code;
}

int methods_main(int argc, char **argv)
{
    return describe("crank methods",
                    "Lists the methods that --method and simulate: method: know.",
                    print_methods, argc, argv);
}

int options_main(int argc, char **argv)
{
    return describe("crank options",
                    "Lists the options that --option and the simulate: section know.",
                    print_options, argc, argv);
}
