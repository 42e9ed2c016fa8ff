/* equations_derivatives.c - der(x) in the texts of dae files. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/equations/equations.h"

#include <ctype.h>
#include <string.h>

static bool is_part(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

crank_status crank_read_derivatives(const crank_node *node, const char *object, char *text,
                                    crank_error *err)
{
    for (char *c = text; (c = strstr(c, "der")) != NULL; c++) {
        char *open = c + 3;
        while (*open == ' ') {
            open++;
        }
        if ((c > text && is_part(c[-1])) || *open != '(') {
            continue;
        }
        char *name = open + 1;
        while (*name == ' ') {
            name++;
        }
        char *end = name;
        while (is_part(*end)) {
            end++;
        }
        char *close = end;
        while (*close == ' ') {
            close++;
        }
        if (end == name || *close != ')') {
            return crank_fail_node(err, CRANK_EMODEL, node,
                                   "%s: der() takes the name of a variable; for the derivative "
                                   "of an expression introduce a variable, z = expression",
                                   object);
        }
        memset(c, ' ', (size_t)(name - c));
        *close = ' ';
        *end = '\'';
    }
    return CRANK_OK;
}
