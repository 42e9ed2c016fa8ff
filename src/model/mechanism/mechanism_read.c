/* mechanism_read.c - a mechanism file as records: collects what its files say, then reads every
 * part of it. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mechanism/mechanism_read.h"
#include "base/then.h"
#include "model/simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { OBJECT = 128, MOST_TYPES = 128 };

/* ---- joints and forces ---- */

const crank_field *crank_record_find(const crank_record *record, const char *key)
{
    for (int k = 0; record->type->keys[k].name != NULL; k++) {
        if (strcmp(record->type->keys[k].name, key) == 0) {
            return record->field[k].node != NULL ? &record->field[k] : NULL;
        }
    }
    return NULL;
}

/* what others call these types; NULL: none of the names */
static const char *known_as(const char *word, const char *const *names, int count)
{
    static const char *const also[][2] = {{"hinge", "revolute"},
                                          {"pin", "revolute"},
                                          {"slider", "prismatic"},
                                          {"ball", "spherical"},
                                          {"weld", "fixed"},
                                          {"rigid", "fixed"},
                                          {"cardan", "universal"},
                                          {"hooke", "universal"},
                                          {"rod", "distance"},
                                          {"link", "distance"},
                                          {"motor", "actuator"},
                                          {"controller", "actuator"},
                                          {"damper", "spring"},
                                          {"shock", "spring"},
                                          {"torsion_spring", "torsion"},
                                          {"rotational_spring", "torsion"},
                                          {"wheel", "tyre"},
                                          {"tire", "tyre"},
                                          {"moment", "torque"},
                                          {"motion", "driver"},
                                          {"cam", "curve"}};
    for (size_t i = 0; i < sizeof also / sizeof also[0]; i++) {
        for (int k = 0; strcmp(word, also[i][0]) == 0 && k < count; k++) {
            if (strcmp(names[k], also[i][1]) == 0) {
                return names[k];
            }
        }
    }
    return NULL;
}

static crank_status fail_type(const crank_site *site, const crank_node *node,
                              const crank_record_type *const *types, int dimension)
{
    const char *names[MOST_TYPES] = {NULL};
    int count = 0;
    for (int k = 0; types[k] != NULL && count < MOST_TYPES; k++) {
        if (types[k]->dimensions == 5 || types[k]->dimensions == dimension) {
            names[count++] = types[k]->name;
        }
    }
    char hint[300];
    const char *near = known_as(node->text, names, count);
    (void)(near != NULL ? crank_reading_near(hint, sizeof hint, near)
                        : crank_reading_hint(hint, sizeof hint, node->text, names, count));
    return crank_site_fail(site, node, "type \"%.80s\" is not known%s", node->text, hint);
}

static crank_status find_type(const crank_site *site, const crank_item *item,
                              const crank_record_type *const *types,
                              const crank_record_type **out)
{
    const int dimension = site->r->m->dimension;
    if (item->node->kind != CRANK_NODE_MAPPING) {
        return crank_site_fail(site, item->node, "%s where a mapping is expected",
                               crank_node_describe(item->node));
    }
    const crank_node *node = crank_node_find(item->node, "type");
    if (node == NULL) {
        return crank_site_fail(site, item->key, "\"type\" is missing");
    }
    if (node->kind != CRANK_NODE_SCALAR) {
        return crank_site_fail(site, node, "type: %s where a word is expected",
                               crank_node_describe(node));
    }
    for (int k = 0; types[k] != NULL; k++) {
        if (strcmp(types[k]->name, node->text) != 0) {
            continue;
        }
        if (types[k]->dimensions == 5 || types[k]->dimensions == dimension) {
            *out = types[k];
            return CRANK_OK;
        }
        return crank_site_fail(site, node,
                               "type \"%s\" is for models of dimension %d only; this one "
                               "has dimension %d",
                               node->text, types[k]->dimensions, dimension);
    }
    return fail_type(site, node, types, dimension);
}

static crank_status read_records(crank_reading *r, crank_section section,
                                 const crank_record_type *const *types, crank_record **out,
                                 int *count)
{
    const crank_items *items = &r->items[section];
    crank_record *records = crank_store_take(r->store, (size_t)items->count, sizeof *records);
    crank_status status = CRANK_OK;
    if (records == NULL) {
        return crank_reading_no_memory(r);
    }
    *out = records;
    *count = items->count;
    for (int i = 0; i < items->count && status == CRANK_OK; i++) {
        const crank_item *item = &items->item[i];
        crank_record *record = &records[i];
        char object[OBJECT];
        (void)snprintf(object, sizeof object, "%s \"%.100s\"", crank_section_word[section],
                       item->name);
        const crank_site site = {r, item->scope, object, NULL};
        *record = (crank_record){.name = item->name, .key = item->key};
        memcpy(record->axes, item->scope->instance->q, sizeof record->axes);
        status = find_type(&site, item, types, &record->type);
        if (status != CRANK_OK || record->type == NULL) {
            return status;
        }
        const int keys = crank_keys_count(record->type->keys);
        record->field = crank_store_take(r->store, (size_t)keys, sizeof *record->field);
        if (record->field == NULL) {
            return crank_reading_no_memory(r);
        }
        status = crank_fields_read(&site, item->key, item->node, record->type->keys, "type",
                                   record->field);
    }
    return status;
}

/* ---- expressions by name ---- */

/* `unit`, NULL: not given */
static crank_status read_unit(const crank_site *site, const crank_node *node, const char **unit)
{
    if (node != NULL && node->kind != CRANK_NODE_SCALAR) {
        return crank_site_fail(site, node, "unit: a text such as \"m/s\", not %s",
                               crank_node_describe(node));
    }
    *unit = node != NULL ? node->text : NULL;
    return CRANK_OK;
}

/* a variable: start, rate or equation, fixing, unit */
static crank_status read_variable(const crank_site *site, const crank_item *item, bool dynamic,
                                  crank_expression_record *x)
{
    static const crank_fixing values[] = {CRANK_FIXED, CRANK_PREFERRED, CRANK_FREE};
    const crank_key_spec *keys = dynamic ? crank_keys_dynamic : crank_keys_auxiliary;
    crank_field field[8];
    const crank_status status =
        crank_fields_read(site, item->key, item->node, keys, NULL, field);
    if (status != CRANK_OK) {
        return status;
    }
    x->symbol = crank_ex_symbol(site->r->pool, item->name);
    x->start = field[0].node != NULL ? field[0].number[0] : 0.0;
    x->node = field[1].node;
    x->ex = field[1].ex[0];
    x->fixing = dynamic ? CRANK_PREFERRED : CRANK_FREE;
    bool chosen = false;
    for (int k = 0; k < 3; k++) {
        if (field[k + 2].node == NULL || field[k + 2].number[0] == 0.0) {
            continue;
        }
        if (chosen) {
            return crank_site_fail(
                site, field[k + 2].node,
                "at most one of \"fixed\", \"preferred\" and \"free\" holds");
        }
        chosen = true;
        x->fixing = values[k];
    }
    return read_unit(site, field[5].node, &x->unit);
}

/* it has its value as a definition */
static crank_status read_output(const crank_site *site, const crank_item *item,
                                crank_expression_record *x)
{
    const crank_given *given = &site->r->given[item->given];
    const crank_status status =
        given->state == 0 ? crank_given_evaluate(site->r, item->given) : CRANK_OK;
    x->node = given->node;
    x->ex = given->value;
    return status == CRANK_OK && item->node->kind == CRANK_NODE_MAPPING
               ? read_unit(site, crank_node_find(item->node, "unit"), &x->unit)
               : status;
}

static crank_status read_constraint(const crank_site *site, const crank_item *item,
                                    crank_expression_record *x)
{
    const crank_status status = crank_scope_expression(site, item->node, NULL, &x->ex);
    const crank_ex_op op =
        status == CRANK_OK ? crank_ex_get_op(site->r->pool, x->ex) : CRANK_EX_ADD;
    if (op >= CRANK_EX_LT && op <= CRANK_EX_NOT) {
        return crank_site_fail(
            site, item->node,
            "a comparison is no constraint; write what is zero, left - right");
    }
    return status;
}

static crank_status read_expressions(crank_reading *r, crank_section section,
                                     crank_expression_record **out, int *count)
{
    const crank_items *items = &r->items[section];
    crank_expression_record *list =
        crank_store_take(r->store, (size_t)items->count, sizeof *list);
    crank_status status = CRANK_OK;
    if (list == NULL) {
        return crank_reading_no_memory(r);
    }
    *out = list;
    *count = items->count;
    for (int i = 0; i < items->count && status == CRANK_OK; i++) {
        const crank_item *item = &items->item[i];
        char object[OBJECT];
        (void)snprintf(object, sizeof object, "%s \"%.100s\"", crank_section_word[section],
                       item->name);
        const crank_site site = {r, item->scope, object, NULL};
        list[i] = (crank_expression_record){.name = item->name,
                                            .key = item->key,
                                            .node = item->node,
                                            .symbol = -1,
                                            .fixing = CRANK_FREE};
        if (section == CRANK_SECTION_DYNAMIC || section == CRANK_SECTION_AUXILIARY) {
            status = read_variable(&site, item, section == CRANK_SECTION_DYNAMIC, &list[i]);
        } else {
            status = section == CRANK_SECTION_OUTPUTS ? read_output(&site, item, &list[i])
                                                      : read_constraint(&site, item, &list[i]);
        }
    }
    return status;
}

/* ---- keys that the model has once ---- */

static crank_status read_dimension(crank_reading *r, const crank_node *root)
{
    const crank_node *node =
        root->kind == CRANK_NODE_MAPPING ? crank_node_find(root, "dimension") : NULL;
    r->m->dimension = 3;
    if (node == NULL || crank_node_is_empty(node)) {
        return CRANK_OK;
    }
    if (node->kind != CRANK_NODE_SCALAR ||
        (strcmp(node->text, "2") != 0 && strcmp(node->text, "3") != 0)) {
        return crank_fail_node(r->err, CRANK_EMODEL, node, "dimension: must be 2 or 3");
    }
    r->m->dimension = node->text[0] - '0';
    return CRANK_OK;
}

static crank_status read_simulate_number(void *user, const crank_node *node, const char *object,
                                         double *out, crank_error *err)
{
    crank_reading *r = user;
    crank_error *const own = r->err;
    const crank_site site = {r, r->single[CRANK_SINGLE_SIMULATE].scope, object, NULL};
    r->err = err;
    const crank_status status = crank_scope_number(&site, node, out);
    r->err = own;
    return status;
}

static crank_status read_singles(crank_reading *r)
{
    crank_mechanism *m = r->m;
    const crank_item *gravity = &r->single[CRANK_SINGLE_GRAVITY];
    const crank_item *energy = &r->single[CRANK_SINGLE_ENERGY];
    const crank_item *reactions = &r->single[CRANK_SINGLE_REACTIONS];
    crank_status status = CRANK_OK;
    if (gravity->node != NULL) {
        const crank_site site = {r, gravity->scope, "gravity", NULL};
        status = crank_read_vector(&site, gravity->node, m->gravity);
    }
    if (status == CRANK_OK && energy->node != NULL) {
        const crank_site site = {r, energy->scope, "energy", NULL};
        status = crank_read_flag(&site, energy->node, &m->energy);
    }
    if (status == CRANK_OK && reactions->node != NULL) {
        const crank_site site = {r, reactions->scope, "reactions", NULL};
        const char *word = NULL;
        status = crank_read_word(&site, reactions->node, "world|joint", &word);
        m->reactions_in_joint_axes = status == CRANK_OK && strcmp(word, "joint") == 0;
    }
    CRANK_THEN(status, crank_read_title(r));
    CRANK_THEN(status, crank_read_view(r));
    const crank_simulate_reader reader = {
        .store = r->store, .number = read_simulate_number, .user = r};
    m->treatment = crank_treatment_asked(m->options);
    return status == CRANK_OK
               ? crank_simulate_read(&reader, r->single[CRANK_SINGLE_SIMULATE].node,
                                     &m->simulate, &m->treatment, r->err)
               : status;
}

/* ---- reading ---- */

/* those that have no value yet, up to a kind */
static crank_status evaluate_givens(crank_reading *r, crank_given_kind last)
{
    crank_status status = CRANK_OK;
    for (int i = 0; i < r->given_count && status == CRANK_OK; i++) {
        const crank_given *given = &r->given[i];
        status =
            given->state == 0 && given->kind <= last ? crank_given_evaluate(r, i) : CRANK_OK;
    }
    return status;
}

static int compare_places(const void *a, const void *b)
{
    const crank_given *const *x = a, *const *y = b;
    const uintptr_t first = (uintptr_t)(*x)->key, second = (uintptr_t)(*y)->key;
    if (first != second) {
        return first < second ? -1 : 1;
    }
    return *x < *y ? -1 : *x > *y;
}

/* tables that no expression calls, of a file that serves many assemblies in none of them */
static crank_status list_unused_tables(crank_reading *r)
{
    crank_mechanism *m = r->m;
    const crank_items *tables = &r->items[CRANK_SECTION_TABLES];
    for (int i = 0; i < tables->count; i++) {
        const crank_item *item = &tables->item[i];
        bool told = false;
        for (int k = 0; k < tables->count && !told; k++) {
            const crank_item *other = &tables->item[k];
            told = other->key == item->key && (other->called || k < i);
        }
        const char *text =
            told ? NULL : crank_store_print(r->store, "table \"%s\"", item->name);
        if (!told && text == NULL) {
            return crank_reading_no_memory(r);
        }
        if (!told) {
            m->unused[m->unused_count++] = text;
        }
    }
    return CRANK_OK;
}

/* definitions that nothing uses; of a file that serves many assemblies, the first one's, if
 * none uses it */
static crank_status list_unused(crank_reading *r)
{
    crank_mechanism *m = r->m;
    const size_t count = (size_t)r->given_count;
    const crank_given **sorted = crank_store_take(r->store, count, sizeof *sorted);
    bool *used = crank_store_take(r->store, count, sizeof *used);
    m->unused = crank_store_take(r->store, count + (size_t)r->items[CRANK_SECTION_TABLES].count,
                                 sizeof *m->unused);
    if (m->unused == NULL || sorted == NULL || used == NULL) {
        return crank_reading_no_memory(r);
    }
    for (size_t i = 0; i < count; i++) {
        sorted[i] = &r->given[i];
    }
    qsort(sorted, count, sizeof *sorted, compare_places);
    for (size_t i = 0, end = 0; i < count; i = end) {
        bool any = false;
        for (end = i; end < count && sorted[end]->key == sorted[i]->key; end++) {
            any = any || sorted[end]->used;
        }
        for (size_t k = i; k < end; k++) {
            used[sorted[k] - r->given] = any || k > i;
        }
    }
    for (int i = 0; i < r->given_count; i++) {
        const crank_given *given = &r->given[i];
        if (used[i] || given->kind == CRANK_GIVEN_OUTPUT) {
            continue;
        }
        const char *text = crank_store_print(r->store, "%s \"%s\"",
                                             crank_given_word(given->kind), given->name);
        if (text == NULL) {
            return crank_reading_no_memory(r);
        }
        m->unused[m->unused_count++] = text;
        if (given->kind == CRANK_GIVEN_LET && given->key->file == NULL) {
            crank_log_write(&m->options->log, CRANK_WARNING,
                            "let \"%.80s\", line %d: nothing uses it", given->name,
                            given->key->line);
        }
    }
    return list_unused_tables(r);
}

static crank_status read_sections(crank_reading *r)
{
    crank_mechanism *m = r->m;
    crank_status status = crank_read_bodies(r);
    if (status == CRANK_OK) {
        status =
            read_records(r, CRANK_SECTION_JOINTS, r->joint_types, &m->joint, &m->joint_count);
    }
    if (status == CRANK_OK) {
        status =
            read_records(r, CRANK_SECTION_FORCES, r->force_types, &m->force, &m->force_count);
    }
    const struct {
        crank_section section;
        crank_expression_record **list;
        int *count;
    } lists[] = {
        {CRANK_SECTION_HOLONOMIC, &m->holonomic, &m->holonomic_count},
        {CRANK_SECTION_NONHOLONOMIC, &m->nonholonomic, &m->nonholonomic_count},
        {CRANK_SECTION_DYNAMIC, &m->dynamic, &m->dynamic_count},
        {CRANK_SECTION_AUXILIARY, &m->auxiliary, &m->auxiliary_count},
        {CRANK_SECTION_OUTPUTS, &m->output, &m->output_count},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && status == CRANK_OK; i++) {
        status = read_expressions(r, lists[i].section, lists[i].list, lists[i].count);
    }
    CRANK_THEN(status, crank_read_initial(r));
    return status == CRANK_OK ? crank_read_events(r) : status;
}

static crank_status list_parameters(crank_reading *r)
{
    crank_mechanism *m = r->m;
    m->parameter = crank_store_take(r->store, (size_t)r->given_count, sizeof *m->parameter);
    if (m->parameter == NULL) {
        return crank_reading_no_memory(r);
    }
    for (int i = 0; i < r->given_count; i++) {
        const crank_given *given = &r->given[i];
        crank_parameter_record record = {.name = given->name, .ex = given->value, .place = -1};
        for (int k = 0; k < m->switched_count; k++) {
            record.place = m->switched[k].symbol == given->value ? k : record.place;
        }
        if (given->kind == CRANK_GIVEN_PARAMETER &&
            crank_switched_start(r, given->value, &record.value)) {
            m->parameter[m->parameter_count++] = record;
        }
    }
    return CRANK_OK;
}

crank_status crank_mechanism_read(crank_mechanism *m, const crank_document *document,
                                  const char *path, const crank_record_type *const *joints,
                                  const crank_record_type *const *forces, crank_error *err)
{
    crank_error own = {0};
    crank_reading r = {.m = m,
                       .store = m->store,
                       .pool = m->pool,
                       .joint_types = joints,
                       .force_types = forces,
                       .err = err != NULL ? err : &own};
    crank_source *source = crank_store_take(r.store, 1, sizeof *source);
    crank_instance *instance = crank_store_take(r.store, 1, sizeof *instance);
    static const double origin[3] = {0.0, 0.0, 0.0}, upright[4] = {1.0, 0.0, 0.0, 0.0};
    struct stat found;
    if (source == NULL || instance == NULL) {
        return crank_reading_no_memory(&r);
    }
    *source = (crank_source){.path = path, .document = *document};
    if (path != NULL && stat(path, &found) == 0) {
        source->device = found.st_dev;
        source->inode = found.st_ino;
    }
    r.sources = source;
    *instance = (crank_instance){.source = source, .prefix = ""};
    crank_pose_set(instance, origin, upright);
    m->t = crank_ex_symbol(m->pool, "t");
    crank_status status =
        document->root != NULL ? read_dimension(&r, document->root) : CRANK_OK;
    crank_pool_set_degrees(r.pool, crank_read_degrees);
    crank_tables_begin(&r);
    CRANK_THEN(status, crank_settings_list(&r));
    CRANK_THEN(status, crank_collect(&r, instance, NULL, NULL));
    CRANK_THEN(status, evaluate_givens(&r, CRANK_GIVEN_INPUT));
    CRANK_THEN(status, read_sections(&r));
    CRANK_THEN(status, evaluate_givens(&r, CRANK_GIVEN_LET)); /* that nothing uses */
    CRANK_THEN(status, read_singles(&r));
    if (status == CRANK_OK) {
        r.root = instance->first->scope;
        status = crank_settings_apply(&r);
    }
    CRANK_THEN(status, crank_read_tables(&r));
    CRANK_THEN(status, list_parameters(&r));
    return status == CRANK_OK ? list_unused(&r) : status;
}
