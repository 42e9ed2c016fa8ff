/* json_tree.c - JSON as a tree, in two passes of the reader: one counts, one fills. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/number.h"
#include "report/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 65 };

typedef struct builder {
    crank_json_tree *tree; /* values NULL: count only */
    size_t characters;     /* of texts */
    const char *key;       /* of the value that comes next */
    int depth;
    int open[DEEPEST], last[DEEPEST]; /* the container, and what was added to it last; -1 */
} builder;

static const char *keep(builder *b, const char *text)
{
    char *place = b->tree->texts != NULL ? b->tree->texts + b->characters : NULL;
    const size_t size = strlen(text) + 1;

    if (place != NULL) {
        memcpy(place, text, size);
    }
    b->characters += size;
    return place;
}

static void add(builder *b, crank_json_event event, const char *text)
{
    crank_json_value *values = b->tree->values;
    const int i = b->tree->count++;

    if (values != NULL) {
        values[i] = (crank_json_value){.key = b->key, .number = (double)NAN};
        if (event == CRANK_JSON_PLAIN) {
            double number;
            if (crank_number_parse(text, &number)) {
                values[i].number = number;
            } else if (text[0] != 'n') {
                values[i].number = text[0] == 't' ? 1.0 : 0.0;
            }
        }
        if (b->depth > 0) {
            crank_json_value *parent = &values[b->open[b->depth]];
            const int before = b->last[b->depth];
            *(before < 0 ? &parent->first : &values[before].next) = &values[i];
            parent->count++;
        }
    }
    if (event == CRANK_JSON_STRING) {
        const char *kept = keep(b, text);
        if (values != NULL) {
            values[i].text = kept;
        }
    }
    b->last[b->depth] = i;
    b->key = NULL;
    if (event == CRANK_JSON_OPEN) {
        b->open[++b->depth] = i;
        b->last[b->depth] = -1;
    }
}

static void visit(void *user, crank_json_event event, const char *text)
{
    builder *b = user;

    if (event == CRANK_JSON_KEY) {
        b->key = keep(b, text);
    } else if (event == CRANK_JSON_CLOSE) {
        b->depth--;
    } else {
        add(b, event, text);
    }
}

crank_status crank_json_tree_read(const char *text, crank_json_tree *out, crank_error *err)
{
    builder b = {.tree = out};

    *out = (crank_json_tree){0};
    crank_status status = crank_json_read(text, visit, &b, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_json_tree filled = {.values = calloc((size_t)out->count, sizeof *filled.values),
                              .texts = malloc(b.characters + 1)};
    if (filled.values == NULL || filled.texts == NULL) {
        crank_json_tree_free(&filled);
        return crank_fail(err, CRANK_EMEM, "reading %zu bytes of JSON", strlen(text));
    }
    b = (builder){.tree = &filled};
    status = crank_json_read(text, visit, &b, err);
    *out = filled;
    return status;
}

void crank_json_tree_free(crank_json_tree *tree)
{
    free(tree->values);
    free(tree->texts);
    *tree = (crank_json_tree){0};
}

const crank_json_value *crank_json_get(const crank_json_value *object, const char *key)
{
    for (const crank_json_value *v = object != NULL ? object->first : NULL; v != NULL;
         v = v->next) {
        if (v->key != NULL && strcmp(v->key, key) == 0) {
            return v;
        }
    }
    return NULL;
}

double crank_json_number(const crank_json_value *object, const char *key, double other)
{
    const crank_json_value *v = crank_json_get(object, key);

    return v != NULL && !isnan(v->number) ? v->number : other;
}

const char *crank_json_text(const crank_json_value *object, const char *key)
{
    const crank_json_value *v = crank_json_get(object, key);

    return v != NULL ? v->text : NULL;
}

int crank_json_count(const crank_json_value *object, const char *key)
{
    const crank_json_value *v = crank_json_get(object, key);

    return v != NULL ? v->count : 0;
}

void crank_json_vector(const crank_json_value *list, int count, double *out)
{
    const crank_json_value *v = list != NULL ? list->first : NULL;

    for (int i = 0; i < count && v != NULL; i++, v = v->next) {
        out[i] = isnan(v->number) ? out[i] : v->number;
    }
}
