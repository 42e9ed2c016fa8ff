/* own.c - the list of peers on crank's own equations. */
// SPDX-License-Identifier: BSD-3-Clause
#include "own.h"

#include <string.h>

static const struct {
    const char *code;
    own_peer *run;
    bool ode; /* on the underlying ode; else on rows */
} peers[] = {
#ifdef BENCH_SUNDIALS
    {"ida-", own_ida, false},
    {"cvode-", own_cvode, true},
    {"arkode4-", own_arkode4, true},
    {"arkode5-", own_arkode5, true},
#endif
    {"radau5-", own_radau5, false},
    {"radau5-", own_radau5, true},
    {"daspk-klu-", own_daspk_klu, false},
    {"daspk-", own_daspk, false},
};

static const struct {
    const char *form, *method;
} forms[] = {{"ggl", "ggl-bdf"},
             {"index2", "index2-bdf"},
             {"index1", "index1-bdf"},
             {"ode", "index1-bdf"}};

const char *own_method(const char *form)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(form, forms[i].form) == 0)
            return forms[i].method;
    return NULL;
}

own_peer *own_find(const char *name, const char **form)
{
    for (size_t i = 0; i < sizeof peers / sizeof *peers; i++) {
        const size_t length = strlen(peers[i].code);
        if (strncmp(name, peers[i].code, length) != 0 || own_method(name + length) == NULL)
            continue;
        *form = name + length;
        if (peers[i].ode == (strcmp(*form, "ode") == 0))
            return peers[i].run;
    }
    return NULL;
}
