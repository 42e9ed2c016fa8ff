/* mechanism_values.c - words, flags, lists of numbers and of expressions, names of bodies and
 * joints. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mechanism/mechanism_read.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { MOST_WORDS = 32, MOST_CURVES = 100 };

/* ---- plain values ---- */

crank_status crank_check_list(const crank_site *site, const crank_node *node, int count,
                              const char *wanted)
{
    if (node->kind != CRANK_NODE_SEQUENCE) {
        return crank_site_fail(site, node, "%s where a list of %s is expected",
                               crank_node_describe(node), wanted);
    }
    if (count > 0 && node->count != count) {
        return crank_site_fail(site, node, "%d entries where %d are expected", node->count,
                               count);
    }
    return CRANK_OK;
}

crank_status crank_read_numbers(const crank_site *site, const crank_node *node, int count,
                                double *out)
{
    crank_status status = crank_check_list(site, node, count, "numbers");
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        status = crank_scope_number(site, node->item[i], &out[i]);
    }
    return status;
}

crank_status crank_read_flag(const crank_site *site, const crank_node *node, bool *out)
{
    const bool scalar = node->kind == CRANK_NODE_SCALAR;
    *out = scalar && strcmp(node->text, "true") == 0;
    if (!*out && !(scalar && strcmp(node->text, "false") == 0)) {
        return crank_site_fail(site, node, "must be true or false");
    }
    return CRANK_OK;
}

/* words: "world|body"; the list as an array of the store's */
static int split_words(const crank_site *site, const char *words, const char **out)
{
    int count = 0;
    for (const char *word = words; word != NULL && count < MOST_WORDS;
         word = strchr(word, '|')) {
        word += *word == '|';
        const char *end = strchr(word, '|');
        const size_t length = end != NULL ? (size_t)(end - word) : strlen(word);
        out[count] = crank_store_copy(site->r->store, word, length);
        count += out[count] != NULL;
    }
    return count;
}

bool crank_words_contain(const char *words, const char *text)
{
    const size_t length = strlen(text);
    for (const char *word = words; word != NULL; word = strchr(word, '|')) {
        word += *word == '|';
        if (strncmp(word, text, length) == 0 && (word[length] == '|' || word[length] == '\0')) {
            return true;
        }
    }
    return false;
}

crank_status crank_read_word(const crank_site *site, const crank_node *node, const char *words,
                             const char **out)
{
    if (node->kind != CRANK_NODE_SCALAR) {
        return crank_site_fail(site, node, "%s where a word is expected",
                               crank_node_describe(node));
    }
    *out = node->text;
    if (crank_words_contain(words, node->text)) {
        return CRANK_OK;
    }
    const char *list[MOST_WORDS] = {NULL};
    char hint[240];
    const int count = split_words(site, words, list);
    crank_reading_hint(hint, sizeof hint, node->text, list, count);
    return crank_site_fail(site, node, "\"%.80s\" is not known%s", node->text, hint);
}

crank_status crank_read_whole(const crank_site *site, const crank_node *node, double *out)
{
    const crank_status status = crank_scope_number(site, node, out);
    if (status == CRANK_OK && fabs(*out) > INT_MAX) {
        return crank_site_fail(site, node, "%g, too large", *out);
    }
    if (status == CRANK_OK && *out != floor(*out)) {
        return crank_site_fail(site, node, "%g, must be a whole number", *out);
    }
    return status;
}

/* ---- lists ---- */

double *crank_field_numbers(const crank_site *site, int count, crank_field *field)
{
    field->count = count;
    field->number = crank_store_take(site->r->store, (size_t)count, sizeof *field->number);
    return field->number;
}

crank_status crank_read_number_list(const crank_site *site, const crank_node *node,
                                    crank_field *field)
{
    const int count = node->kind == CRANK_NODE_SEQUENCE ? node->count : 1;
    if (crank_field_numbers(site, count, field) == NULL) {
        return crank_reading_no_memory(site->r);
    }
    return node->kind == CRANK_NODE_SEQUENCE
               ? crank_read_numbers(site, node, count, field->number)
               : crank_scope_number(site, node, field->number);
}

crank_status crank_read_rotor(const crank_site *site, const crank_node *node,
                              crank_field *field)
{
    crank_field part[2] = {{0}};
    double *number = crank_field_numbers(site, 2, field);
    if (number == NULL) {
        return crank_reading_no_memory(site->r);
    }
    number[1] = 1.0;
    if (node->kind != CRANK_NODE_MAPPING) {
        return crank_scope_number(site, node, number);
    }
    const crank_status status =
        crank_fields_read(site, node, node, crank_keys_rotor, NULL, part);
    for (int i = 0; i < 2 && status == CRANK_OK && part[i].number != NULL; i++) {
        number[i] = part[i].number[0];
    }
    return status;
}

static crank_status read_expressions(const crank_site *site, const crank_node *node,
                                     const char *locals, int count, crank_ex *out)
{
    crank_status status = CRANK_OK;
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        const crank_node *item = node->kind == CRANK_NODE_SEQUENCE ? node->item[i] : node;
        status = crank_scope_expression(site, item, locals, &out[i]);
    }
    return status;
}

crank_status crank_read_expressions(const crank_site *site, const crank_node *node,
                                    const crank_key_spec *key, crank_field *field)
{
    if (key->shape == CRANK_SHAPE_EXPRESSION && node->kind != CRANK_NODE_SCALAR) {
        return crank_site_fail(site, node, "%s where an expression is expected",
                               crank_node_describe(node));
    }
    field->count = field->width = node->kind == CRANK_NODE_SEQUENCE ? node->count : 1;
    field->ex = crank_store_take(site->r->store, (size_t)field->count, sizeof *field->ex);
    if (field->ex == NULL) {
        return crank_reading_no_memory(site->r);
    }
    return read_expressions(site, node, key->words, field->count, field->ex);
}

crank_status crank_read_curves(const crank_site *site, const crank_node *node,
                               const crank_key_spec *key, crank_field *field)
{
    crank_status status = crank_check_list(site, node, 0, "lists of expressions");
    for (int i = 0; status == CRANK_OK && i < node->count; i++) {
        status = crank_check_list(site, node->item[i], i > 0 ? field->width : 0, "expressions");
        field->width = node->item[i]->count;
    }
    if (status != CRANK_OK) {
        return status;
    }
    if (node->count > MOST_CURVES || field->width > MOST_CURVES) {
        return crank_site_fail(site, node, "more than %d expressions or lists of them",
                               MOST_CURVES);
    }
    field->count = field->width * node->count;
    field->ex = crank_store_take(site->r->store, (size_t)field->count, sizeof *field->ex);
    if (field->ex == NULL) {
        return crank_reading_no_memory(site->r);
    }
    for (int i = 0; status == CRANK_OK && i < node->count; i++) {
        status = read_expressions(site, node->item[i], key->words, field->width,
                                  field->ex + i * field->width);
    }
    return status;
}

/* ---- bodies and joints ---- */

static crank_status read_reference(const crank_site *site, const crank_node *node,
                                   crank_section section, int *out)
{
    const char *name = NULL;
    const char *word = crank_section_word[section];
    if (node->kind != CRANK_NODE_SCALAR || crank_node_is_empty(node)) {
        return crank_site_fail(site, node, "%s where the name of a %s is expected",
                               crank_node_describe(node), word);
    }
    const crank_status status = crank_scope_text(site, node, &name);
    if (status != CRANK_OK) {
        return status;
    }
    *out = -1;
    if (section == CRANK_SECTION_BODIES && strcmp(name, "ground") == 0) {
        return CRANK_OK;
    }
    *out = crank_scope_find(site->r, site->scope, section, name);
    if (*out >= 0) {
        return CRANK_OK;
    }
    char hint[240];
    return crank_site_fail(site, node, "there is no %s \"%.80s\"%s", word, name,
                           crank_scope_hint(site->r, site->scope, section,
                                            section == CRANK_SECTION_BODIES ? "ground" : NULL,
                                            name, hint, sizeof hint));
}

crank_status crank_read_references(const crank_site *site, const crank_node *node,
                                   const crank_key_spec *key, crank_field *field)
{
    const bool bodies = key->shape == CRANK_SHAPE_BODIES || key->shape == CRANK_SHAPE_BODY;
    const bool one = key->shape == CRANK_SHAPE_BODY || key->shape == CRANK_SHAPE_JOINT;
    const crank_section section = bodies ? CRANK_SECTION_BODIES : CRANK_SECTION_JOINTS;
    crank_status status = CRANK_OK;
    if (!one) {
        status = crank_check_list(site, node, bodies ? 2 : 0,
                                  bodies ? "two names of bodies" : "names of joints");
    }
    if (status != CRANK_OK) {
        return status;
    }
    field->count = one ? 1 : node->count;
    field->index = crank_store_take(site->r->store, (size_t)field->count, sizeof *field->index);
    if (field->index == NULL) {
        return crank_reading_no_memory(site->r);
    }
    for (int i = 0; i < field->count && status == CRANK_OK; i++) {
        status = read_reference(site, one ? node : node->item[i], section, &field->index[i]);
    }
    if (status == CRANK_OK && bodies && !one && field->index[0] == field->index[1]) {
        const char *name =
            field->index[0] < 0 ? "ground" : site->r->items[section].item[field->index[0]].name;
        return crank_site_fail(
            site, node, "both ends are on body \"%.80s\"; name two different bodies", name);
    }
    return status;
}
