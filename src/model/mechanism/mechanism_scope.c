/* mechanism_scope.c - names as seen from a place in a mechanism file, and expressions of them.
 *
 * A name in an expression is, in this order: a local name of the key (length of a spring's
 * law), t, the index of a repeat around it, a parameter or an input of the same file, an
 * intermediate or an output, a dynamic or auxiliary variable, a quantity of an object
 * (body.rod.x), a multiplier (lambda.NAME). All but parameters and inputs are looked for inside
 * the own assembly first, then outward. Parameters are numbers: they take the place of their
 * names, and so do the expressions of inputs, intermediates and outputs; parameters that events
 * set stay symbols. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "model/mechanism/mechanism_read.h"

#include "base/number.h"
#include "base/suggest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 512, KINDS = 3, MOST_BRACES = 64, FEW = 8, MOST_LOCALS = 8 };

static const double degree = 3.14159265358979323846 / 180.0;

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
                             crank_section section, const char *name, char *text, size_t size)
{
    const crank_items *items = &r->items[section];
    const char **candidates = malloc(((size_t)items->count + 1) * sizeof *candidates);
    text[0] = '\0';
    if (candidates == NULL) {
        return text;
    }
    for (int i = 0; i < items->count; i++) {
        candidates[i] = inside(scope, items->item[i].name);
    }
    const char *near = crank_suggest(name, candidates, items->count);
    if (near != NULL) {
        (void)crank_reading_near(text, size, near);
    } else if (items->count <= FEW) {
        (void)crank_reading_hint(text, size, name, candidates, items->count);
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
static void suggest_any(const crank_reading *r, const crank_scope *scope, crank_use use,
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

typedef struct search {
    const crank_site *site;
    crank_use use;
    const char *locals;
    int missing;         /* a definition that has no value yet, or -1 */
    bool degrees, moves; /* asked: quantities of objects or variables were found */
} search;

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
        crank_scope_hint(site->r, site->scope, kinds[kind], name, hint, sizeof hint));
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

/* the definition of an intermediate or of an output, as seen from the scope; -1: none */
static int find_derived(const crank_site *site, const char *text)
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

/* Does an expression contain what may not be used? Parameters that events set may; 1: yes, -1:
 * out of memory. */
static int exceeds(const crank_reading *r, crank_ex ex, crank_use use)
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

static crank_ex resolve_given(search *s, int i, const char *text, int line, int column,
                              crank_error *err)
{
    crank_given *given = &s->site->r->given[i];
    if ((given->kind == CRANK_GIVEN_INPUT && s->use == CRANK_USE_CONSTANTS) ||
        (given->kind == CRANK_GIVEN_OUTPUT && s->use != CRANK_USE_RESULTS)) {
        crank_fail_at(err, CRANK_EMODEL, line, column,
                      "\"%.80s\" is an %s and cannot be used here", text,
                      crank_given_word(given->kind));
        return -1;
    }
    given->used = true;
    if (given->state != 2) {
        s->missing = i;
        crank_fail_at(err, CRANK_EMODEL, line, column, "\"%.80s\" has no value yet", text);
        return -1;
    }
    const int wrong = given->kind == CRANK_GIVEN_LET && s->use < CRANK_USE_ANYTHING
                          ? exceeds(s->site->r, given->value, s->use)
                          : 0;
    if (wrong != 0) {
        crank_fail_at(err, wrong < 0 ? CRANK_EMEM : CRANK_EMODEL, line, column,
                      "\"%.80s\" changes with time and cannot be used here", text);
        return -1;
    }
    s->moves = s->moves || (s->degrees && given->kind == CRANK_GIVEN_LET &&
                            exceeds(s->site->r, given->value, CRANK_USE_INPUT) != 0);
    return given->value;
}

static crank_ex resolve(const char *text, int line, int column, void *user, crank_error *err)
{
    search *s = user;
    const crank_site *site = s->site;
    crank_reading *r = site->r;
    if (crank_words_contain(s->locals, text)) {
        return crank_ex_symbol(r->pool, text);
    }
    const bool time = strcmp(text, "t") == 0;
    if (time && s->use != CRANK_USE_CONSTANTS) {
        return r->m->t;
    }
    for (const crank_scope *o = site->scope; o->index != NULL; o = o->outer) {
        if (strcmp(o->index, text) == 0) {
            return crank_ex_number(r->pool, o->value);
        }
    }
    int given = crank_given_find(r, site->scope, text);
    given = given >= 0 ? given : find_derived(site, text);
    if (given >= 0) {
        return resolve_given(s, given, text, line, column, err);
    }
    char wrong[NAME] = "";
    crank_ex found = find_variable(site, text);
    found = found >= 0 ? found : find_multiplier(site, text);
    found = found >= 0 ? found : find_quantity(site, text, wrong);
    if (time || (found >= 0 && s->use < CRANK_USE_ANYTHING)) {
        crank_fail_at(err, CRANK_EMODEL, line, column,
                      "\"%.80s\" changes with time and cannot be used here", text);
        return -1;
    }
    if (found >= 0) {
        s->moves = true;
        return found;
    }
    if (found == -2) {
        crank_fail_at(err, CRANK_EMODEL, line, column, "%s", wrong);
        return -1;
    }
    char near[160];
    suggest_any(r, site->scope, s->use, s->locals, text, near, sizeof near);
    crank_fail_at(err, CRANK_EMODEL, line, column, "\"%.80s\" is not defined%s", text, near);
    return -1;
}

/* ---- expressions ---- */

/* puts the object before the message and the true place beside it */
static crank_status complain(const crank_site *site, const crank_node *node, const char *text,
                             crank_status status)
{
    crank_error *err = site->r->err;
    const int offset = err->column - 1; /* parsed as if it stood at 1:1 */
    char message[sizeof err->text];
    memcpy(message, err->text, sizeof message);
    (void)crank_site_fail(site, node, "%s%s", message,
                          strstr(message, "before \"deg\"") != NULL
                              ? "; deg stands only at the end of a whole value, as in 2*a deg"
                              : "");
    err->status = status;
    if (node != NULL && offset >= 0 && text == node->text) {
        crank_node_locate(&site->scope->source->document, node, offset, &err->line,
                          &err->column);
    }
    return status;
}

/* line breaks become blanks, a " deg" at the end is cut off; malloc'ed, NULL: no memory */
static char *one_line(const char *text, bool *degrees)
{
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\n')) {
        length--;
    }
    *degrees = length > 4 && strncmp(text + length - 4, " deg", 4) == 0;
    length -= *degrees ? 4 : 0;
    char *line = malloc(length + 1);
    if (line != NULL) {
        for (size_t i = 0; i < length; i++) {
            line[i] = (char)(text[i] == '\n' || text[i] == '\r' ? ' ' : text[i]);
        }
        line[length] = '\0';
    }
    return line;
}

/* Is the text a sum of several terms, outside of all brackets? "-3e-2*a" is not. */
static bool is_sum(const char *text)
{
    int depth = 0;
    char before = '(', second = '('; /* the last two characters that are not blank */
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == ' ' || *c == '\t') {
            continue;
        }
        const bool exponent = (before == 'e' || before == 'E') &&
                              ((second >= '0' && second <= '9') || second == '.');
        if ((*c == '+' || *c == '-') && depth == 0 && !exponent &&
            strchr("(*/^+-", before) == NULL) {
            return true;
        }
        depth += *c == '(' ? 1 : *c == ')' ? -1 : 0;
        second = before;
        before = *c;
    }
    return false;
}

/* "joint.a.angle - 30 deg" would be an angle less 30 rad, times a degree. */
static crank_status refuse_degrees(const crank_site *site, const crank_node *node,
                                   const char *text)
{
    return crank_site_fail(
        site, node,
        "\"%.80s\": deg at the end holds for the whole sum, not for its last "
        "term; name the angle in parameters, {a: 30 deg}, and write "
        "... - a, or put the sum into brackets if it is in degrees",
        text);
}

crank_status crank_scope_try(const crank_site *site, const crank_node *node, const char *text,
                             crank_use use, const char *locals, crank_ex *out, int *missing)
{
    crank_reading *r = site->r;
    search s = {site, use, locals, -1, false, false};
    char *line = one_line(text, &s.degrees);
    if (line == NULL) {
        return crank_reading_no_memory(r);
    }
    r->err->line = r->err->column = 0;
    r->parsing = site->scope;
    crank_status status = CRANK_OK;
    double value = 0.0;
    if (crank_number_parse(line, &value)) {
        *out = crank_ex_number(r->pool, value);
    } else {
        status = crank_ex_parse(r->pool, line, 1, 1, resolve, &s, out, r->err);
    }
    const bool sum = is_sum(line);
    free(line);
    *missing = s.missing;
    if (status != CRANK_OK) {
        return s.missing >= 0 ? CRANK_OK : complain(site, node, text, status);
    }
    if (s.degrees && sum && s.moves) {
        return refuse_degrees(site, node, text);
    }
    if (s.degrees) {
        *out = crank_ex_mul(r->pool, *out, crank_ex_number(r->pool, degree));
    }
    if (crank_pool_status(r->pool) != CRANK_OK) {
        return crank_reading_no_memory(r);
    }
    return CRANK_OK;
}

/* a text as an expression; node: for places, NULL for settings */
static crank_status parse_text(const crank_site *site, const crank_node *node, const char *text,
                               crank_use use, const char *locals, crank_ex *out)
{
    for (;;) {
        int missing = -1;
        crank_status status = crank_scope_try(site, node, text, use, locals, out, &missing);
        if (status != CRANK_OK || missing < 0) {
            return status;
        }
        status = crank_given_evaluate(site->r, missing);
        if (status != CRANK_OK) {
            return status;
        }
    }
}

/* a scalar with something in it */
static crank_status check_scalar(const crank_site *site, const crank_node *node,
                                 const char *wanted)
{
    if (node->kind != CRANK_NODE_SCALAR || crank_node_is_empty(node)) {
        return crank_site_fail(site, node, "%s where %s is expected", crank_node_describe(node),
                               wanted);
    }
    return CRANK_OK;
}

crank_status crank_scope_setting(const crank_site *site, const char *text, double *out)
{
    crank_ex ex = 0;
    const crank_status status = parse_text(site, NULL, text, CRANK_USE_CONSTANTS, NULL, &ex);
    return status == CRANK_OK ? crank_scope_constant(site, NULL, ex, out) : status;
}

crank_status crank_scope_number(const crank_site *site, const crank_node *node, double *out)
{
    const char *text = NULL;
    crank_status status = check_scalar(site, node, "a number");
    *out = 0.0;
    if (status == CRANK_OK && crank_number_parse(node->text, out)) {
        return isfinite(*out) ? CRANK_OK
                              : crank_site_fail(site, node, "the value is not finite");
    }
    CRANK_THEN(status, crank_scope_text(site, node, &text));
    crank_ex ex = 0;
    CRANK_THEN(status, parse_text(site, node, text, CRANK_USE_CONSTANTS, NULL, &ex));
    return status == CRANK_OK ? crank_scope_constant(site, node, ex, out) : status;
}

static crank_status read_expression(const crank_site *site, const crank_node *node,
                                    crank_use use, const char *locals, crank_ex *out)
{
    const char *text = NULL;
    *out = 0;
    crank_status status = check_scalar(site, node, "an expression");
    CRANK_THEN(status, crank_scope_text(site, node, &text));
    CRANK_THEN(status, parse_text(site, node, text, use, locals, out));
    return status == CRANK_OK && crank_ex_is_undefined(site->r->pool, *out)
               ? crank_site_fail(site, node, "the value is not finite")
               : status;
}

crank_status crank_scope_expression(const crank_site *site, const crank_node *node,
                                    const char *locals, crank_ex *out)
{
    return read_expression(site, node, CRANK_USE_ANYTHING, locals, out);
}

crank_status crank_scope_result(const crank_site *site, const crank_node *node, crank_ex *out)
{
    return read_expression(site, node, CRANK_USE_RESULTS, NULL, out);
}

/* the whole number of the expression between braces, open and close */
static crank_status read_braces(const crank_site *site, const crank_node *node,
                                const char *open, const char *close, int *out)
{
    crank_ex ex = 0;
    double value = 0.0;
    char *text = crank_store_copy(site->r->store, open + 1, (size_t)(close - open - 1));
    if (text == NULL) {
        return crank_reading_no_memory(site->r);
    }
    crank_status status = parse_text(site, node, text, CRANK_USE_CONSTANTS, NULL, &ex);
    if (status == CRANK_OK && !crank_ex_is_number(site->r->pool, ex, &value)) {
        status = crank_ex_symbols(site->r->pool, ex, NULL, 0) > 0
                     ? crank_scope_constant(site, node, ex, &value)
                     : crank_site_fail(site, node, "\"%.80s\": {%.40s} is not finite",
                                       node->text, text);
    }
    if (status != CRANK_OK) {
        return status;
    }
    if (value != floor(value) || fabs(value) > 1e9) {
        return crank_site_fail(site, node, "\"%.80s\": {%.40s} is %g, no whole number",
                               node->text, text, value);
    }
    *out = (int)value;
    return CRANK_OK;
}

crank_status crank_scope_text(const crank_site *site, const crank_node *node, const char **out)
{
    const char *text = node->text;
    int count = 0;
    *out = text;
    for (const char *open = strchr(text, '{'); open != NULL; open = strchr(text, '{')) {
        const char *close = strchr(open, '}');
        if (close == NULL) {
            return crank_site_fail(site, node, "\"%.80s\": \"{\" without \"}\"", node->text);
        }
        if (++count > MOST_BRACES) {
            return crank_site_fail(site, node, "more than %d pairs of braces", MOST_BRACES);
        }
        int value = 0;
        const crank_status status = read_braces(site, node, open, close, &value);
        if (status != CRANK_OK) {
            return status;
        }
        text = crank_store_print(site->r->store, "%.*s%d%s", (int)(open - text), text, value,
                                 close + 1);
        if (text == NULL) {
            return crank_reading_no_memory(site->r);
        }
    }
    *out = text;
    return CRANK_OK;
}
