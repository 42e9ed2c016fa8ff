/* draft.c - models built in C: a tree of keys and values that becomes the nodes of a document,
 * as a file does when it is read. See crank/draft.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/draft.h>

#include "base/grow.h"
#include "base/index.h"
#include "base/number.h"
#include "mechanics/build.h"
#include "model/yaml.h"
#include "run/origin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A key with its value, or with keys below it. */
typedef struct branch {
    const char *key;
    const crank_node *value; /* NULL: a mapping */
    struct branch **child;   /* count: keys below, as they came */
    int count, capacity;
    crank_index names; /* of the children */
} branch;

struct crank_draft {
    crank_store store;
    branch root;
    crank_status status; /* of the first failure */
    crank_error err;
};

static void fail(crank_draft *draft, crank_status status, const char *place, const char *why)
{
    if (draft->status == CRANK_OK) {
        draft->status =
            crank_fail(&draft->err, status, "draft, \"%.120s\": %.200s", place, why);
    }
}

/* ---- the tree ---- */

/* The branch of a key (length characters) below another one, made if it is not there; NULL: out
 * of memory. */
static branch *below(crank_draft *draft, branch *parent, const char *key, size_t length)
{
    crank_store *store = &draft->store;
    const int found = crank_index_find_part(&parent->names, key, length);
    if (found >= 0) {
        return parent->child[found];
    }
    branch *made = crank_store_take(store, 1, sizeof *made);
    const char *kept = crank_store_copy(store, key, length);
    branch **child =
        crank_store_grow(store, parent->child, parent->count, &parent->capacity, sizeof *child);
    if (made == NULL || kept == NULL || child == NULL ||
        !crank_index_add(&parent->names, store, kept, parent->count)) {
        fail(draft, CRANK_EMEM, key, "out of memory");
        return NULL;
    }
    made->key = kept;
    parent->child = child;
    parent->child[parent->count++] = made;
    return made;
}

/* a mapping below a mapping */
static branch *section(crank_draft *draft, branch *parent, const char *key)
{
    return parent != NULL ? below(draft, parent, key, strlen(key)) : NULL;
}

/* A node without a place. */
static const crank_node *copy_node(crank_store *store, const crank_node *from)
{
    crank_node *node = crank_store_take(store, 1, sizeof *node);
    if (node == NULL) {
        return NULL;
    }
    *node = (crank_node){.kind = from->kind, .quoted = from->quoted, .count = from->count};
    if (from->text != NULL) {
        node->text = crank_store_copy(store, from->text, strlen(from->text));
    }
    if (from->count > 0) {
        const size_t count = (size_t)from->count;
        node->item = crank_store_take(store, count, sizeof *node->item);
        node->key =
            from->key != NULL ? crank_store_take(store, count, sizeof *node->key) : NULL;
    }
    for (int i = 0; i < from->count && !store->failed; i++) {
        node->item[i] = copy_node(store, from->item[i]);
        if (from->key != NULL) {
            node->key[i] = copy_node(store, from->key[i]);
        }
    }
    return store->failed ? NULL : node;
}

static void put(crank_draft *draft, branch *parent, const char *key, const char *value)
{
    branch *b = section(draft, parent, key);
    crank_document document;
    crank_error why = {0};
    if (b == NULL) {
        return;
    }
    value = value != NULL ? value : "";
    const crank_status status =
        crank_yaml_read(value, strlen(value), &draft->store, &document, &why);
    if (status != CRANK_OK || document.root == NULL) {
        fail(draft, status != CRANK_OK ? status : CRANK_EMODEL, key,
             status != CRANK_OK ? why.text : "the value is empty");
        return;
    }
    *b = (branch){.key = b->key};
    b->value = copy_node(&draft->store, document.root);
    if (b->value == NULL) {
        fail(draft, CRANK_EMEM, key, "out of memory");
    }
}

/* ---- values of definitions ---- */

static void put_number(crank_draft *draft, branch *b, const char *key, double value)
{
    char text[CRANK_NUMBER_TEXT];
    put(draft, b, key, crank_number_print(text, sizeof text, value, 17));
}

static bool any(const double *value, int count)
{
    bool found = false;
    for (int i = 0; i < count; i++) {
        found = found || value[i] != 0.0;
    }
    return found;
}

static void put_list(crank_draft *draft, branch *b, const char *key, int count,
                     const double *value)
{
    char list[4 * (CRANK_NUMBER_TEXT + 2) + 2] = "[";
    for (int i = 0; i < count; i++) {
        char text[CRANK_NUMBER_TEXT];
        const size_t used = strlen(list);
        (void)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "",
                       crank_number_print(text, sizeof text, value[i], 17));
    }
    (void)strcat(list, "]");
    put(draft, b, key, list);
}

static void put_keys(crank_draft *draft, branch *b, const crank_key *keys)
{
    for (int i = 0; i < CRANK_DEF_KEYS && keys[i].name != NULL; i++) {
        put(draft, b, keys[i].name, keys[i].value != NULL ? keys[i].value : "");
    }
}

static void put_between(crank_draft *draft, branch *b, const char *const between[2])
{
    char list[512];
    if (between[0] != NULL) {
        (void)snprintf(list, sizeof list, "[%.200s, %.200s]", between[0],
                       between[1] != NULL ? between[1] : "");
        put(draft, b, "between", list);
    }
}

static int dimension(const crank_draft *draft)
{
    const int found = crank_index_find(&draft->root.names, "dimension");
    const crank_node *value = found >= 0 ? draft->root.child[found]->value : NULL;
    return value != NULL && value->text != NULL && strcmp(value->text, "2") == 0 ? 2 : 3;
}

/* ---- the public functions ---- */

crank_draft *crank_draft_create(const char *kind)
{
    crank_draft *draft = calloc(1, sizeof *draft);
    if (draft != NULL) {
        crank_draft_set(draft, "crank", kind);
    }
    return draft;
}

void crank_draft_destroy(crank_draft *draft)
{
    if (draft != NULL) {
        crank_store_free(&draft->store);
        free(draft);
    }
}

void crank_draft_set(crank_draft *draft, const char *place, const char *value)
{
    branch *b = &draft->root;
    const char *key = place;
    for (const char *dot = strchr(key, '.'); dot != NULL && b != NULL; dot = strchr(key, '.')) {
        b = below(draft, b, key, (size_t)(dot - key));
        key = dot + 1;
    }
    if (b != NULL && b->value != NULL) {
        fail(draft, CRANK_EARG, place, "this is below a value");
    } else if (b != NULL) {
        put(draft, b, key, value);
    }
}

/* bodies, joints, forces: a new name */
static branch *add(crank_draft *draft, const char *group, const char *name)
{
    branch *all = section(draft, &draft->root, group);
    if (name == NULL || name[0] == '\0') {
        fail(draft, CRANK_EARG, group, "a definition without a name");
        return NULL;
    }
    const int before = all != NULL ? all->count : 0;
    branch *b = section(draft, all, name);
    if (b != NULL && all->count == before) {
        fail(draft, CRANK_EARG, name, "this name is there already");
        return NULL;
    }
    return b;
}

void crank_add_body(crank_draft *draft, const crank_body_def *body)
{
    const int axes = dimension(draft);
    branch *b = add(draft, "bodies", body->name);
    const struct {
        const char *key;
        const double *value;
        int count;
    } list[] = {{"mass", &body->mass, 1},
                {"inertia", body->inertia + (axes == 2 ? 2 : 0), axes == 2 ? 1 : 3},
                {"center", body->center, axes},
                {"position", body->position, axes},
                {"orientation", body->orientation, 4},
                {"angle", &body->angle, 1},
                {"velocity", body->velocity, axes},
                {axes == 2 ? "rate" : "angular_velocity",
                 body->angular_velocity + (axes == 2 ? 2 : 0), axes == 2 ? 1 : 3}};
    for (size_t i = 0; i < sizeof list / sizeof *list && b != NULL; i++) {
        if (!any(list[i].value, list[i].count)) {
            continue;
        }
        if (list[i].count == 1) {
            put_number(draft, b, list[i].key, *list[i].value);
        } else {
            put_list(draft, b, list[i].key, list[i].count, list[i].value);
        }
    }
    if (b != NULL) {
        put_keys(draft, b, body->keys);
    }
    if (b != NULL && b->count == 0) {
        put_number(draft, b, "mass", 0.0); /* a mapping has keys */
    }
}

/* Does the type of joint have this key? */
static bool has_key(const char *type, const char *key)
{
    for (int i = 0; crank_joint_types[i] != NULL; i++) {
        const crank_record_type *record = &crank_joint_types[i]->record;
        if (strcmp(record->name, type) != 0) {
            continue;
        }
        for (const crank_key_spec *k = record->keys; k->name != NULL; k++) {
            if (strcmp(k->name, key) == 0) {
                return true;
            }
        }
    }
    return false;
}

void crank_add_joint(crank_draft *draft, const crank_joint_def *joint)
{
    const int axes = dimension(draft);
    branch *b = add(draft, "joints", joint->name);
    if (b == NULL) {
        return;
    }
    if (joint->type != NULL) {
        put(draft, b, "type", joint->type);
    }
    put_between(draft, b, joint->between);
    if (any(joint->at, 3) || (joint->type != NULL && has_key(joint->type, "at"))) {
        put_list(draft, b, "at", axes, joint->at);
    }
    if (any(joint->axis, 3)) {
        put_list(draft, b, "axis", axes, joint->axis);
    }
    put_keys(draft, b, joint->keys);
}

void crank_add_force(crank_draft *draft, const crank_force_def *force)
{
    branch *b = add(draft, "forces", force->name);
    if (b == NULL) {
        return;
    }
    if (force->type != NULL) {
        put(draft, b, "type", force->type);
    }
    put_between(draft, b, force->between);
    put_keys(draft, b, force->keys);
}

/* ---- the document ---- */

static const crank_node *make_key(crank_store *store, const char *text)
{
    const crank_node key = {.kind = CRANK_NODE_SCALAR, .text = text};
    return copy_node(store, &key);
}

static const crank_node *make_node(crank_store *store, const branch *b)
{
    if (b->value != NULL) {
        return copy_node(store, b->value);
    }
    const size_t count = (size_t)b->count;
    crank_node *node = crank_store_take(store, 1, sizeof *node);
    const crank_node **key = crank_store_take(store, count, sizeof(crank_node *));
    const crank_node **item = crank_store_take(store, count, sizeof(crank_node *));
    if (store->failed) {
        return NULL;
    }
    *node =
        (crank_node){.kind = CRANK_NODE_MAPPING, .count = b->count, .key = key, .item = item};
    for (int i = 0; i < b->count; i++) {
        key[i] = make_key(store, b->child[i]->key);
        item[i] = make_node(store, b->child[i]);
    }
    return store->failed ? NULL : node;
}

crank_status crank_draft_model(const crank_draft *draft, const crank_model_options *options,
                               crank_model **out, crank_error *err)
{
    crank_error own = {0};
    crank_store store = {0};
    err = err != NULL ? err : &own;
    *out = NULL;
    if (draft->status != CRANK_OK) {
        *err = draft->err;
        return draft->status;
    }
    const crank_node *root = make_node(&store, &draft->root);
    if (root == NULL) {
        crank_store_free(&store);
        return crank_fail(err, CRANK_EMEM, "the draft");
    }
    return crank_model_of_tree("draft", &store, root, options, out, err);
}
