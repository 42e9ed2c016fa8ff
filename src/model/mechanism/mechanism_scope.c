/* mechanism_scope.c - names as seen from a place in a mechanism file.
 *
 * They are looked for inside the own assembly first, then outward. What comes before what:
 * mechanism_fields.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mechanism/mechanism_read.h"

#include "base/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = CRANK_SCOPE_NAME, KINDS = 3, FEW = 8, MOST_LOCALS = 8 };

/* ---- names ---- */

bool crank_name_is_plain(const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        const bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
        if (!letter && (c == text || *c < '0' || *c > '9')) {
            return false;
        }
    }
    return text[0] != '\0';
}

bool crank_name_is_reserved(const char *text)
{
    static const char *const words[] = {"t",     "time",  "der",          "table", "body",
                                        "joint", "force", "acceleration", "energy"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(text, words[i]) == 0) {
            return true;
        }
    }
    return crank_ex_is_reserved(text);
}

int crank_scope_find(const crank_reading *r, const crank_scope *scope, crank_section section,
                     const char *name)
{
    const crank_index *names = &r->items[section].names;
    for (const crank_instance *i = scope->instance; i != NULL; i = i->outer) {
        char full[NAME];
        const int length = snprintf(full, sizeof full, "%s%s", i->prefix, name);
        const int found = length >= 0 && length < NAME ? crank_index_find(names, full) : -1;
        if (found >= 0) {
            return found;
        }
    }
    return -1;
}

/* as it is called inside the scope's instance */
static const char *inside(const crank_scope *scope, const char *name)
{
    const size_t length = strlen(scope->instance->prefix);
    return strncmp(name, scope->instance->prefix, length) == 0 ? name + length : name;
}

const char *crank_scope_hint(const crank_reading *r, const crank_scope *scope,
                             crank_section section, const char *also, const char *name,
                             char *text, size_t size)
{
    const crank_items *items = &r->items[section];
    const int more = also != NULL ? 1 : 0, count = items->count + more;
    const char **candidates = malloc(((size_t)count + 1) * sizeof *candidates);
    text[0] = '\0';
    if (candidates == NULL) {
        return text;
    }
    candidates[0] = also;
    for (int i = 0; i < items->count; i++) {
        candidates[i + more] = inside(scope, items->item[i].name);
    }
    const char *near = crank_suggest(name, candidates, count);
    if (near != NULL) {
        (void)crank_reading_near(text, size, near);
    } else if (items->count <= FEW) {
        (void)crank_reading_hint(text, size, name, candidates, count);
    }
    free(candidates);
    return text;
}

/* the local names of a key, "length|rate", cut apart; returns their number */
static int split_locals(const char *locals, char word[MOST_LOCALS][32])
{
    int count = 0;
    while (locals != NULL && *locals != '\0' && count < MOST_LOCALS) {
        const int length = (int)strcspn(locals, "|");
        (void)snprintf(word[count++], sizeof word[0], "%.*s", length, locals);
        locals += length + (locals[length] == '|');
    }
    return count;
}

/* knee.angle where there is a body, joint or force "knee"; false: there is none */
static bool suggest_object(const crank_reading *r, const crank_scope *scope, const char *name,
                           char *text, size_t size)
{
    static const crank_section kinds[KINDS] = {CRANK_SECTION_BODIES, CRANK_SECTION_JOINTS,
                                               CRANK_SECTION_FORCES};
    char object[NAME];
    (void)snprintf(object, sizeof object, "%s", name);
    for (char *dot = strrchr(object, '.'); dot != NULL; dot = strrchr(object, '.')) {
        *dot = '\0';
        for (int kind = 0; kind < KINDS; kind++) {
            if (crank_scope_find(r, scope, kinds[kind], object) >= 0) {
                (void)snprintf(text, size, "; did you mean \"%s.%.80s\"?",
                               crank_section_word[kinds[kind]], name);
                return true;
            }
        }
    }
    return false;
}

/* the nearest of all names that an expression may use, as a hint; text is empty if there is
 * none */
void crank_scope_suggest(const crank_reading *r, const crank_scope *scope, crank_use use,
                         const char *locals, const char *name, char *text, size_t size)
{
    static const char *const kinds[KINDS] = {"body", "joint", "force"};
    char word[MOST_LOCALS][32], head[32];
    const char *dot = strchr(name, '.');
    const crank_items *dynamic = &r->items[CRANK_SECTION_DYNAMIC];
    const crank_items *auxiliary = &r->items[CRANK_SECTION_AUXILIARY];
    const size_t most =
        (size_t)r->given_count + (size_t)dynamic->count + (size_t)auxiliary->count;
    text[0] = '\0';
    if (use >= CRANK_USE_ANYTHING && suggest_object(r, scope, name, text, size)) {
        return;
    }
    const bool three = dot != NULL && strchr(dot + 1, '.') != NULL; /* KIND.NAME.QUANTITY */
    if (three && dot - name < (ptrdiff_t)sizeof head && use >= CRANK_USE_ANYTHING) {
        (void)snprintf(head, sizeof head, "%.*s", (int)(dot - name), name);
        const char *kind = crank_suggest(head, kinds, KINDS);
        if (kind != NULL) {
            (void)snprintf(text, size, "; did you mean \"%s%.80s\"?", kind, dot);
            return;
        }
    }
    const char **candidates = malloc((most + MOST_LOCALS) * sizeof *candidates);
    if (candidates == NULL) {
        return;
    }
    int count = split_locals(locals, word);
    for (int i = 0; i < count; i++) {
        candidates[i] = word[i];
    }
    for (int i = 0; i < r->given_count; i++) {
        static const crank_use from[] = {CRANK_USE_CONSTANTS, CRANK_USE_INPUT,
                                         CRANK_USE_CONSTANTS, CRANK_USE_RESULTS};
        const char *given = inside(scope, r->given[i].name);
        if (strchr(given, '.') == NULL && use >= from[r->given[i].kind]) {
            candidates[count++] = given;
        }
    }
    for (int i = 0; use >= CRANK_USE_ANYTHING && i < dynamic->count; i++) {
        candidates[count++] = inside(scope, dynamic->item[i].name);
    }
    for (int i = 0; use >= CRANK_USE_ANYTHING && i < auxiliary->count; i++) {
        candidates[count++] = inside(scope, auxiliary->item[i].name);
    }
    (void)crank_reading_near(text, size, crank_suggest(name, candidates, count));
    free(candidates);
}

/* ---- names in expressions ---- */

/* body.NAME.x: the symbol under the object's full name; -1: nothing of this kind; -2: no such
 * object */
static crank_ex find_quantity(const crank_site *site, const char *text, char *wrong)
{
    static const crank_section kinds[KINDS] = {CRANK_SECTION_BODIES, CRANK_SECTION_JOINTS,
                                               CRANK_SECTION_FORCES};
    int kind = 0;
    while (kind < KINDS) {
        const char *word = crank_section_word[kinds[kind]];
        const size_t length = strlen(word);
        if (strncmp(text, word, length) == 0 && text[length] == '.') {
            text += length + 1;
            break;
        }
        kind++;
    }
    if (kind == KINDS) {
        return -1;
    }
    char name[NAME];
    (void)snprintf(name, sizeof name, "%s", text);
    for (char *dot = strrchr(name, '.'); dot != NULL; dot = strrchr(name, '.')) {
        *dot = '\0';
        const int found = crank_scope_find(site->r, site->scope, kinds[kind], name);
        if (found >= 0) {
            char full[2 * NAME];
            (void)snprintf(full, sizeof full, "%s.%s.%s", crank_section_word[kinds[kind]],
                           site->r->items[kinds[kind]].item[found].name,
                           text + (dot - name) + 1);
            return crank_ex_symbol(site->r->pool, full);
        }
    }
    (void)snprintf(name, sizeof name, "%s", text);
    char *dot = strrchr(name, '.');
    if (dot == NULL) {
        (void)snprintf(wrong, NAME, "\"%s.%.80s\" names no quantity; write %s.NAME.QUANTITY",
                       crank_section_word[kinds[kind]], text, crank_section_word[kinds[kind]]);
        return -2;
    }
    *dot = '\0';
    char hint[240];
    (void)snprintf(
        wrong, NAME, "there is no %s \"%.80s\"%s", crank_section_word[kinds[kind]], name,
        crank_scope_hint(site->r, site->scope, kinds[kind], NULL, name, hint, sizeof hint));
    return -2;
}

static crank_ex find_variable(const crank_site *site, const char *text)
{
    static const crank_section sections[] = {CRANK_SECTION_DYNAMIC, CRANK_SECTION_AUXILIARY};
    for (int k = 0; k < 2; k++) {
        const int found = crank_scope_find(site->r, site->scope, sections[k], text);
        if (found >= 0) {
            return crank_ex_symbol(site->r->pool, site->r->items[sections[k]].item[found].name);
        }
    }
    return -1;
}

/* lambda.NAME of a holonomic constraint of the file, mu.NAME of a nonholonomic one; -1: it is
 * neither */
static crank_ex find_multiplier(const crank_site *site, const char *text)
{
    static const struct {
        const char *head;
        crank_section section;
    } kinds[] = {{"lambda.", CRANK_SECTION_HOLONOMIC}, {"mu.", CRANK_SECTION_NONHOLONOMIC}};
    for (int k = 0; k < 2; k++) {
        const size_t length = strlen(kinds[k].head);
        if (strncmp(text, kinds[k].head, length) != 0) {
            continue;
        }
        const int found =
            crank_scope_find(site->r, site->scope, kinds[k].section, text + length);
        if (found >= 0) {
            char full[2 * NAME];
            (void)snprintf(full, sizeof full, "%s%s", kinds[k].head,
                           site->r->items[kinds[k].section].item[found].name);
            return crank_ex_symbol(site->r->pool, full);
        }
    }
    return -1;
}

crank_ex crank_scope_find_symbol(const crank_site *site, const char *text, char *wrong)
{
    crank_ex found = find_variable(site, text);
    found = found >= 0 ? found : find_multiplier(site, text);
    return found >= 0 ? found : find_quantity(site, text, wrong);
}

int crank_scope_find_derived(const crank_site *site, const char *text)
{
    static const crank_section sections[] = {CRANK_SECTION_LET, CRANK_SECTION_OUTPUTS};
    for (int k = 0; k < 2; k++) {
        const int found = crank_scope_find(site->r, site->scope, sections[k], text);
        if (found >= 0) {
            return site->r->items[sections[k]].item[found].given;
        }
    }
    return -1;
}

int crank_scope_exceeds(const crank_reading *r, crank_ex ex, crank_use use)
{
    const int count = crank_ex_symbols(r->pool, ex, NULL, 0);
    crank_ex *symbol = malloc(((size_t)count + 1) * sizeof *symbol);
    int found = symbol != NULL ? 0 : -1;
    if (symbol != NULL) {
        (void)crank_ex_symbols(r->pool, ex, symbol, count);
    }
    for (int i = 0; i < count && found == 0; i++) {
        const bool allowed = symbol[i] == r->m->t
                                 ? use >= CRANK_USE_INPUT
                                 : crank_ex_symbol_name(r->pool, symbol[i])[0] == '#';
        found = allowed ? 0 : 1;
    }
    free(symbol);
    return found;
}
