/* mechanism_collect.c - what the files of a model say, section by section, with every name that
 * they give.
 *
 * First the parameters and inputs of a file and of all that it includes, since the number of
 * repetitions may depend on them; then the things in its sections. Nothing is read here but
 * names: things may refer to each other in any order. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/grow.h"
#include "base/then.h"
#include "model/mechanism/mechanism_read.h"

#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

enum { DEEPEST = 64, MOST = 4000000 };

static const char *const section_key[CRANK_SECTIONS] = {
#define SECTION_KEY(name, key, word) key,
    CRANK_SECTION_LIST(SECTION_KEY)
#undef SECTION_KEY
};

const char *const crank_section_word[CRANK_SECTIONS] = {
#define SECTION_WORD(name, key, word) word,
    CRANK_SECTION_LIST(SECTION_WORD)
#undef SECTION_WORD
};

static const char *const single_key[CRANK_SINGLES] = {
    [CRANK_SINGLE_GRAVITY] = "gravity",     [CRANK_SINGLE_ENERGY] = "energy",
    [CRANK_SINGLE_REACTIONS] = "reactions", [CRANK_SINGLE_SIMULATE] = "simulate",
    [CRANK_SINGLE_TITLE] = "title",         [CRANK_SINGLE_VIEW] = "view",
};

/* the mapping of a section; NULL: absent or empty */
static crank_status find_section(crank_reading *r, const crank_node *parent, const char *key,
                                 const crank_node **out)
{
    const crank_node *node = crank_node_find(parent, key);
    *out = NULL;
    if (node == NULL || crank_node_is_empty(node)) {
        return CRANK_OK;
    }
    if (node->kind != CRANK_NODE_MAPPING) {
        return crank_fail_node(r->err, CRANK_EMODEL, node,
                               "%s: %s where a mapping of names is expected", key,
                               crank_node_describe(node));
    }
    *out = node;
    return CRANK_OK;
}

/* ---- items ---- */

/* the innermost repeat around a name whose index does not stand in it; NULL: none */
static const char *missing_index(const crank_scope *scope, const char *name)
{
    for (const crank_scope *s = scope; s != NULL; s = s->outer) {
        char place[64];
        (void)snprintf(place, sizeof place, "{%.40s", s->index != NULL ? s->index : "");
        if (s->index != NULL && strstr(name, place) == NULL) {
            return s->index;
        }
    }
    return NULL;
}

static crank_status fail_twice(const crank_site *site, const crank_node *key,
                               const crank_node *first)
{
    char line[160];
    const char *index = first == key ? missing_index(site->scope, key->text) : NULL;
    if (index != NULL) {
        return crank_site_fail(site, key,
                               "the repeat gives this name more than once; write "
                               "\"%.80s{%s}\", which is another one each time",
                               key->text, index);
    }
    return crank_site_fail(site, key, "the name is given twice, first in %s",
                           crank_reading_line(line, sizeof line, first, key));
}

/* sections whose names stand in expressions or results: they share them with parameters and
 * inputs */
static const crank_section shared[] = {CRANK_SECTION_DYNAMIC, CRANK_SECTION_AUXILIARY,
                                       CRANK_SECTION_LET, CRANK_SECTION_OUTPUTS,
                                       CRANK_SECTION_TABLES};
enum { SHARED = sizeof shared / sizeof shared[0] };

static crank_status check_shared_name(const crank_site *site, const crank_node *key,
                                      const char *own, const char *full)
{
    crank_reading *r = site->r;
    if (crank_name_is_reserved(own)) {
        return crank_site_fail(site, key, "the name is reserved");
    }
    const int given = crank_index_find(&r->given_names, full);
    if (given >= 0) {
        return fail_twice(site, key, r->given[given].key);
    }
    for (int i = 0; i < SHARED; i++) {
        const int other = crank_index_find(&r->items[shared[i]].names, full);
        if (other >= 0) {
            return fail_twice(site, key, r->items[shared[i]].item[other].key);
        }
    }
    return CRANK_OK;
}

/* an intermediate or an output becomes a definition; of an output, {value: , unit: } says
 * more */
static crank_status define_item(const crank_site *site, crank_item *item, bool output)
{
    if (output && item->node->kind == CRANK_NODE_MAPPING) {
        const crank_status status =
            crank_fields_check(site, item->node, crank_keys_output, NULL);
        const crank_node *value = crank_node_find(item->node, "value");
        if (status != CRANK_OK) {
            return status;
        }
        if (value == NULL) {
            return crank_site_fail(site, item->key, "\"value\" is missing");
        }
        crank_item own = *item;
        own.node = value;
        const crank_status added = crank_given_add_item(site->r, &own, CRANK_GIVEN_OUTPUT);
        item->given = own.given;
        return added;
    }
    return crank_given_add_item(site->r, item, output ? CRANK_GIVEN_OUTPUT : CRANK_GIVEN_LET);
}

static crank_status collect_item(crank_reading *r, const crank_scope *scope,
                                 crank_section section, const crank_node *key,
                                 const crank_node *node)
{
    crank_items *items = &r->items[section];
    char object[128];
    crank_site site = {r, scope, section_key[section], NULL};
    const char *own = NULL;
    crank_status status = crank_scope_text(&site, key, &own);
    if (status != CRANK_OK) {
        return status;
    }
    (void)snprintf(object, sizeof object, "%s \"%s%.80s\"", crank_section_word[section],
                   scope->instance->prefix, own);
    site.object = object;
    if (!crank_name_is_plain(own)) {
        return crank_site_fail(&site, key, "not a name: a letter, then letters, digits and _");
    }
    if (section == CRANK_SECTION_BODIES && strcmp(own, "ground") == 0) {
        return crank_site_fail(&site, key, "ground is the world, which needs no body");
    }
    const char *full = own;
    if (scope->instance->prefix[0] != '\0') {
        full = crank_store_print(r->store, "%s%s", scope->instance->prefix, own);
    }
    items->item = crank_store_grow(r->store, items->item, items->count, &items->capacity,
                                   sizeof *items->item);
    if (items->item == NULL || full == NULL) {
        return crank_reading_no_memory(r);
    }
    if (items->count >= MOST) {
        return crank_site_fail(&site, key, "more than %d %s", MOST, section_key[section]);
    }
    if (crank_initial_is_joints(section, key)) {
        items->item[items->count++] =
            (crank_item){.name = full, .key = key, .node = node, .scope = scope, .given = -1};
        return CRANK_OK;
    }
    bool is_shared = false;
    for (int i = 0; i < SHARED; i++) {
        is_shared = is_shared || section == shared[i];
    }
    const int other = crank_index_find(&items->names, full);
    if (other >= 0) {
        return fail_twice(&site, key, items->item[other].key);
    }
    status = is_shared ? check_shared_name(&site, key, own, full) : CRANK_OK;
    if (status != CRANK_OK) {
        return status;
    }
    if (!crank_index_add(&items->names, r->store, full, items->count)) {
        return crank_reading_no_memory(r);
    }
    crank_item *item = &items->item[items->count++];
    *item = (crank_item){.name = full, .key = key, .node = node, .scope = scope, .given = -1};
    return section == CRANK_SECTION_LET || section == CRANK_SECTION_OUTPUTS
               ? define_item(&site, item, section == CRANK_SECTION_OUTPUTS)
               : CRANK_OK;
}

crank_status crank_collect_sections(crank_reading *r, const crank_scope *scope,
                                    const crank_node *mapping)
{
    crank_status status = CRANK_OK;
    for (int k = 0; k < CRANK_SECTIONS && status == CRANK_OK; k++) {
        const crank_node *section = NULL;
        status = find_section(r, mapping, section_key[k], &section);
        for (int i = 0; status == CRANK_OK && section != NULL && i < section->count; i++) {
            status =
                collect_item(r, scope, (crank_section)k, section->key[i], section->item[i]);
        }
    }
    const crank_node *assemblies = NULL;
    CRANK_THEN(status, find_section(r, mapping, "assemblies", &assemblies));
    if (status == CRANK_OK && assemblies != NULL) {
        status = crank_collect_assemblies(r, scope, assemblies);
    }
    const crank_node *repeat = crank_node_find(mapping, "repeat");
    if (status == CRANK_OK && repeat != NULL && !crank_node_is_empty(repeat)) {
        status = crank_collect_repeats(r, scope, repeat);
    }
    return status;
}

/* ---- files ---- */

/* the dimension of an assembly's file is 3 if it is not given, that of an included file the
 * model's */
static crank_status check_dimension(crank_reading *r, const crank_scope *scope,
                                    const crank_node *root)
{
    const crank_node *node = crank_node_find(root, "dimension");
    const char *own = r->m->dimension == 2 ? "2" : "3";
    const bool given = node != NULL && !crank_node_is_empty(node);
    const bool used = scope->instance->outer != NULL && scope == scope->instance->first->scope;
    const char *text = !given                            ? (used ? "3" : own)
                       : node->kind == CRANK_NODE_SCALAR ? node->text
                                                         : crank_node_describe(node);
    if (strcmp(text, own) != 0) {
        return crank_fail_node(r->err, CRANK_EMODEL, given ? node : root,
                               "dimension: %.20s%s, the model has dimension %s", text,
                               given ? "" : " if it is not given", own);
    }
    return CRANK_OK;
}

/* does the file that gives it include the one that is being read? */
static bool is_open(const crank_instance *instance, const crank_item *given)
{
    const crank_included *i = instance->first;
    while (i != NULL && i->scope != given->scope) {
        i = i->next;
    }
    return i != NULL && i->open;
}

/* keys that the whole model has once; those of assemblies hold where their file is a model
 * itself, and what a file says goes before what it includes */
static crank_status collect_singles(crank_reading *r, const crank_scope *scope,
                                    const crank_node *root)
{
    for (int k = 0; k < CRANK_SINGLES; k++) {
        const crank_node *node = crank_node_find(root, single_key[k]);
        const crank_item *other = &r->single[k];
        if (node == NULL || crank_node_is_empty(node)) {
            continue;
        }
        if (scope->instance->outer != NULL) {
            continue;
        }
        if (other->node != NULL && other->scope != scope && is_open(scope->instance, other)) {
            continue;
        }
        if (other->node != NULL) {
            char line[160];
            return crank_fail_node(r->err, CRANK_EMODEL, node,
                                   "\"%s\" is given twice, first in %s", single_key[k],
                                   crank_reading_line(line, sizeof line, other->node, node));
        }
        r->single[k] =
            (crank_item){.name = single_key[k], .node = node, .scope = scope, .given = -1};
    }
    return CRANK_OK;
}

static crank_status check_root(crank_reading *r, const crank_scope *scope,
                               const crank_node **root)
{
    *root = scope->source->document.root;
    if (*root == NULL || (*root)->kind != CRANK_NODE_MAPPING) {
        (void)crank_fail(r->err, CRANK_EMODEL, "the file has no keys");
        crank_error_set_file(r->err, scope->source->file);
        return CRANK_EMODEL;
    }
    const crank_node *kind = crank_node_find(*root, "crank");
    if (kind == NULL || kind->kind != CRANK_NODE_SCALAR ||
        strcmp(kind->text, "mechanism") != 0) {
        return crank_fail_node(r->err, CRANK_EMODEL, kind != NULL ? kind : *root,
                               "crank: a mechanism file begins with \"crank: mechanism\"");
    }
    const crank_site site = {r, scope, NULL, NULL};
    return crank_fields_check(&site, *root, crank_keys_top, NULL);
}

static crank_status collect_file(crank_reading *r, crank_instance *instance,
                                 const crank_source *source, const crank_node *overrides,
                                 const crank_scope *outer, int depth);

static crank_status collect_include(crank_reading *r, crank_instance *instance,
                                    const crank_scope *scope, const crank_node *node,
                                    const crank_node *overrides, const crank_scope *outer,
                                    int depth)
{
    const crank_site site = {r, scope, "include", NULL};
    const crank_source *source = NULL;
    const crank_status status = crank_source_open(&site, node, &source);
    if (status != CRANK_OK) {
        return status;
    }
    for (const crank_included *i = instance->first; i != NULL; i = i->next) {
        if (i->scope->source == source) {
            return i->open
                       ? crank_site_fail(&site, node, "\"%.120s\" includes itself", node->text)
                       : CRANK_OK;
        }
    }
    if (depth >= DEEPEST) {
        return crank_site_fail(&site, node, "more than %d files deep", DEEPEST);
    }
    return collect_file(r, instance, source, overrides, outer, depth + 1);
}

static crank_status collect_includes(crank_reading *r, crank_instance *instance,
                                     const crank_scope *scope, const crank_node *overrides,
                                     const crank_scope *outer, int depth)
{
    const crank_node *list = crank_node_find(scope->source->document.root, "include");
    if (list == NULL || crank_node_is_empty(list)) {
        return CRANK_OK;
    }
    if (list->kind == CRANK_NODE_MAPPING) {
        return crank_fail_node(r->err, CRANK_EMODEL, list,
                               "include: a mapping where a list of files is expected");
    }
    const int count = list->kind == CRANK_NODE_SEQUENCE ? list->count : 1;
    crank_status status = CRANK_OK;
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        const crank_node *node = list->kind == CRANK_NODE_SEQUENCE ? list->item[i] : list;
        status = collect_include(r, instance, scope, node, overrides, outer, depth);
    }
    return status;
}

/* parameters and inputs of a file and of what it includes */
static crank_status collect_file(crank_reading *r, crank_instance *instance,
                                 const crank_source *source, const crank_node *overrides,
                                 const crank_scope *outer, int depth)
{
    const crank_node *root = NULL, *mapping = NULL;
    crank_scope *scope = crank_store_take(r->store, 1, sizeof *scope);
    crank_included *included = crank_store_take(r->store, 1, sizeof *included);
    if (scope == NULL || included == NULL) {
        return crank_reading_no_memory(r);
    }
    *scope = (crank_scope){.instance = instance, .source = source};
    *included = (crank_included){.scope = scope, .open = true};
    if (instance->last == NULL) {
        instance->first = included;
    } else {
        instance->last->next = included;
    }
    instance->last = included;
    crank_status status = check_root(r, scope, &root);
    CRANK_THEN(status, check_dimension(r, scope, root));
    CRANK_THEN(status, collect_singles(r, scope, root));
    static const char *const keys[] = {"parameters", "inputs"};
    for (int k = 0; k < 2 && status == CRANK_OK; k++) {
        status = find_section(r, root, keys[k], &mapping);
        if (status == CRANK_OK && mapping != NULL) {
            status =
                crank_given_declare(r, scope, mapping, (crank_given_kind)k, overrides, outer);
        }
    }
    CRANK_THEN(status, collect_includes(r, instance, scope, overrides, outer, depth));
    included->open = false;
    return status;
}

/* every override must be of a definition that there is */
static crank_status check_overrides(crank_reading *r, const crank_instance *instance,
                                    const crank_node *overrides)
{
    const crank_scope *scope = instance->first->scope;
    for (int i = 0; overrides != NULL && i < overrides->count; i++) {
        const crank_node *key = overrides->key[i];
        if (crank_given_find(r, scope, key->text) >= 0) {
            continue;
        }
        const char *candidates[256];
        int count = 0;
        const size_t length = strlen(instance->prefix);
        for (int k = 0; k < r->given_count && count < 256; k++) {
            if (r->given[k].kind <= CRANK_GIVEN_INPUT &&
                strncmp(r->given[k].name, instance->prefix, length) == 0) {
                candidates[count++] = r->given[k].name + length;
            }
        }
        char near[128];
        crank_reading_near(near, sizeof near, crank_suggest(key->text, candidates, count));
        return crank_fail_node(
            r->err, CRANK_EMODEL, key, "assembly \"%.*s\": %.120s has no parameter \"%.80s\"%s",
            (int)length - 1, instance->prefix, instance->source->path, key->text, near);
    }
    return CRANK_OK;
}

crank_status crank_collect(crank_reading *r, crank_instance *instance,
                           const crank_node *overrides, const crank_scope *outer)
{
    crank_status status = collect_file(r, instance, instance->source, overrides, outer, 0);
    CRANK_THEN(status, check_overrides(r, instance, overrides));
    for (const crank_included *i = instance->first; i != NULL && status == CRANK_OK;
         i = i->next) {
        crank_switched_mark(r, i->scope, i->scope->source->document.root);
    }
    for (const crank_included *i = instance->first; i != NULL && status == CRANK_OK;
         i = i->next) {
        status = crank_collect_sections(r, i->scope, i->scope->source->document.root);
    }
    return status;
}
