/* options_owner.c - who has an option: from the names in the table of options. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/options.h"

#include <stdio.h>
#include <string.h>

/* Is name one of the list's? */
static bool lists(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; *at != '\0';) {
        const size_t word = strcspn(at, " ");
        if (word == length && strncmp(at, name, length) == 0) {
            return true;
        }
        at += word + (at[word] == ' ');
    }
    return false;
}

/* "psf", "psf and peom1", "psf, peom1 and auto" */
static void enumerate(const char *list, char *text, size_t size)
{
    size_t used = 0;
    for (const char *at = list; *at != '\0' && used < size;) {
        const size_t word = strcspn(at, " ");
        const char *rest = at + word + (at[word] == ' ');
        const char *join = at == list ? "" : *rest == '\0' ? " and " : ", ";
        used += (size_t)snprintf(text + used, size - used, "%s%.*s", join, (int)word, at);
        at = rest;
    }
}

bool crank_option_is_of(const char *option, const char *formulation, const char *integrator)
{
    for (int i = 0; i < crank_option_count; i++) {
        const crank_option_field *field = &crank_option_fields[i];
        if (strcmp(field->name, option) == 0) {
            return (field->formulations == NULL || lists(field->formulations, formulation)) &&
                   (field->integrators == NULL || lists(field->integrators, integrator));
        }
    }
    return true;
}

crank_status crank_options_belong(const crank_options *options, crank_option_owner kind,
                                  const char *name, crank_error *err)
{
    const crank_options defaults = crank_options_default();
    for (int i = 0; i < crank_option_count; i++) {
        const crank_option_field *field = &crank_option_fields[i];
        const char *owners =
            kind == CRANK_OF_FORMULATION ? field->formulations : field->integrators;
        if (owners == NULL || lists(owners, name) ||
            crank_option_get(options, field) == crank_option_get(&defaults, field)) {
            continue;
        }
        char text[160];
        enumerate(owners, text, sizeof text);
        return crank_fail(err, CRANK_EREFUSED, "%s has no option %s; %s %s it", name,
                          field->name, text, strchr(owners, ' ') != NULL ? "have" : "has");
    }
    return CRANK_OK;
}

bool crank_options_owners(int i, char *text, size_t size)
{
    if (i < 0 || i >= crank_option_count) {
        return false;
    }
    const crank_option_field *field = &crank_option_fields[i];
    (void)snprintf(text, size, "%s", "");
    if (field->formulations != NULL || field->integrators != NULL) {
        enumerate(field->formulations != NULL ? field->formulations : field->integrators, text,
                  size);
    }
    return true;
}
