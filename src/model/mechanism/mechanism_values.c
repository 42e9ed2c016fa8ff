/* mechanism_values.c - numbers, words, vectors and rotations of a mechanism file.
 *
 * Vectors of planar models have two numbers, the third is zero. World points and directions are
 * moved with the assembly that they stand in. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mechanism/mechanism_read.h"

#include "linalg/rotation.h"

#include <limits.h>
#include <string.h>

enum { MOST_WORDS = 32 };

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

crank_status crank_read_vector(const crank_site *site, const crank_node *node, double out[3])
{
    out[2] = 0.0;
    if (site->r->m->dimension == 2 && node->kind == CRANK_NODE_SEQUENCE && node->count == 3) {
        return crank_site_fail(site, node,
                               "3 entries where 2 are expected: the model is planar; axes "
                               "along z are left out");
    }
    return crank_read_numbers(site, node, site->r->m->dimension, out);
}

crank_status crank_normalise(const crank_site *site, const crank_node *node, int count,
                             double *vector, const char *what)
{
    double norm = 0.0;
    for (int i = 0; i < count; i++) {
        norm = hypot(norm, vector[i]);
    }
    if (!(norm > 0.0)) {
        return crank_site_fail(site, node, "%s is zero; give one of any other length", what);
    }
    for (int i = 0; i < count; i++) {
        vector[i] /= norm;
    }
    return CRANK_OK;
}

/* a direction inside the instance */
static crank_status read_local_direction(const crank_site *site, const crank_node *node,
                                         double out[3])
{
    const crank_status status = crank_read_vector(site, node, out);
    return status == CRANK_OK ? crank_normalise(site, node, 3, out, "the direction") : status;
}

crank_status crank_read_direction(const crank_site *site, const crank_node *node, double out[3])
{
    const crank_status status = read_local_direction(site, node, out);
    crank_pose_direction(site->scope->instance, out, out);
    return status;
}

crank_status crank_read_point(const crank_site *site, const crank_node *node, double out[3])
{
    const crank_status status = crank_read_vector(site, node, out);
    crank_pose_point(site->scope->instance, out, out);
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

/* ---- rotations ---- */

/* [w, x, y, z] or {axis: , angle: }, in planar models an angle; not moved with an assembly */
crank_status crank_read_orientation(const crank_site *site, const crank_node *node,
                                    double out[4])
{
    crank_status status = CRANK_OK;
    double axis[3] = {0.0, 0.0, 1.0}, angle = 0.0;
    const bool planar = site->r->m->dimension == 2;
    if (planar && node->kind != CRANK_NODE_SCALAR) {
        return crank_site_fail(site, node,
                               "%s where an angle is expected: planar models turn about z",
                               crank_node_describe(node));
    }
    if (node->kind == CRANK_NODE_SEQUENCE) {
        status = crank_read_numbers(site, node, 4, out);
        return status == CRANK_OK ? crank_normalise(site, node, 4, out, "the quaternion")
                                  : status;
    }
    if (node->kind == CRANK_NODE_MAPPING) {
        crank_field field[2];
        status = crank_fields_read(site, node, node, crank_keys_turn, NULL, field);
        if (status == CRANK_OK) {
            memcpy(axis, field[0].number, sizeof axis);
            angle = field[1].number[0];
            status = crank_normalise(site, field[0].node, 3, axis, "the axis");
        }
    } else if (planar) {
        status = crank_scope_number(site, node, &angle);
    } else {
        status = crank_site_fail(site, node,
                                 "%s where [w, x, y, z] or {axis: , angle: } is expected",
                                 crank_node_describe(node));
    }
    crank_quaternion_of_axis(out, axis, angle);
    return status;
}
