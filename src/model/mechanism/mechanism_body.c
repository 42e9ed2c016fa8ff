/* mechanism_body.c - bodies: mass, centre of mass, inertia, and where and how they start. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mechanism/mechanism_read.h"

#include <stdio.h>
#include <string.h>

enum { FIELDS = 16 };

/* the keys of both tables, in their order */
enum {
    TYPE,
    MASS,
    INERTIA,
    CENTER,
    SHAPE,
    DENSITY,
    POSITION,
    TURN, /* orientation or angle */
    VELOCITY,
    SPIN, /* angular_velocity or rate */
    FIXED,
    POINTS = FIXED + 3
};

static crank_status refuse(const crank_site *site, const crank_field *field, int k,
                           const char *why)
{
    const crank_key_spec *keys =
        site->r->m->dimension == 2 ? crank_keys_planar_body : crank_keys_body;
    return crank_site_fail(site, field[k].node, "\"%s\" %s", keys[k].name, why);
}

/* mass and inertia by shape, and by density if there is one */
static crank_status read_shape(const crank_site *site, const crank_field *field,
                               crank_body_record *b)
{
    const crank_site own = {site->r, site->scope, site->object, "shape"};
    double volume = 0.0;
    const crank_status status =
        crank_read_solid(&own, field[SHAPE].node, b, &volume, b->inertia);
    if (status != CRANK_OK) {
        return status;
    }
    if (field[INERTIA].node != NULL) {
        return refuse(site, field, INERTIA, "and \"shape\": one of them is enough");
    }
    if (field[DENSITY].node != NULL) {
        const double density = field[DENSITY].number[0];
        if (field[MASS].node != NULL) {
            return refuse(site, field, DENSITY, "and \"mass\": one of them is enough");
        }
        if (!(density >= 0.0)) {
            return crank_site_fail(site, field[DENSITY].node,
                                   "density: %g, must not be negative", density);
        }
        b->mass = density * volume;
    } else if (field[MASS].node == NULL) {
        return crank_site_fail(site, field[SHAPE].node,
                               "\"shape\" needs \"density\" or \"mass\"");
    }
    for (int i = 0; i < 9; i++) {
        b->inertia[i] *= b->mass;
    }
    return CRANK_OK;
}

static crank_status read_mass(const crank_site *site, const crank_field *field,
                              crank_body_record *b)
{
    b->mass = field[MASS].node != NULL ? field[MASS].number[0] : 0.0;
    if (!(b->mass >= 0.0)) {
        return crank_site_fail(site, field[MASS].node, "mass: %g, must not be negative",
                               b->mass);
    }
    if (b->point) {
        const int rigid[] = {INERTIA, CENTER, SHAPE, DENSITY, TURN, SPIN, POINTS};
        for (size_t i = 0; i < sizeof rigid / sizeof rigid[0]; i++) {
            if (field[rigid[i]].node != NULL) {
                return refuse(site, field, rigid[i], "has no meaning for a point");
            }
        }
        return CRANK_OK;
    }
    if (field[CENTER].node != NULL) {
        memcpy(b->center, field[CENTER].number, sizeof b->center);
    }
    if (field[SHAPE].node != NULL) {
        return read_shape(site, field, b);
    }
    if (field[DENSITY].node != NULL) {
        return refuse(site, field, DENSITY, "needs \"shape\"");
    }
    if (field[INERTIA].node == NULL) {
        return b->mass == 0.0
                   ? CRANK_OK
                   : crank_site_fail(site, field[MASS].node,
                                     "a body with mass needs \"inertia\" or \"shape\", "
                                     "or is of \"type: point\"");
    }
    const crank_site own = {site->r, site->scope, site->object, "inertia"};
    crank_status status = crank_read_inertia(&own, b, field[INERTIA].node, b->inertia);
    return status == CRANK_OK ? crank_check_inertia(&own, field[INERTIA].node, b->inertia)
                              : status;
}

static void read_motion(const crank_site *site, const crank_field *field, crank_body_record *b)
{
    const crank_instance *instance = site->scope->instance;
    const bool planar = site->r->m->dimension == 2;
    memcpy(b->position, field[POSITION].node != NULL ? field[POSITION].number : instance->x,
           sizeof b->position);
    memcpy(b->orientation, instance->q, sizeof b->orientation);
    b->angle = planar && !b->point ? instance->angle : 0.0;
    if (field[VELOCITY].node != NULL) {
        memcpy(b->velocity, field[VELOCITY].number, sizeof b->velocity);
    }
    if (field[TURN].node != NULL && planar) {
        b->angle += field[TURN].number[0];
    } else if (field[TURN].node != NULL) {
        memcpy(b->orientation, field[TURN].number, sizeof b->orientation);
    }
    if (field[SPIN].node != NULL && planar) {
        b->angular_velocity[2] = field[SPIN].number[0];
    } else if (field[SPIN].node != NULL) {
        memcpy(b->angular_velocity, field[SPIN].number, sizeof b->angular_velocity);
    }
    double with[3];
    crank_pose_velocity(instance, b->position, with);
    for (int i = 0; i < 3 && instance->moves; i++) {
        b->velocity[i] += with[i];
        b->angular_velocity[i] += b->point ? 0.0 : instance->spin[i];
        b->turning[i] = instance->spin[i];
        b->turning_at[i] = b->position[i];
    }
}

/* ---- fixed, preferred, free ---- */

static crank_fixing *part_of(crank_body_record *b, const char *word)
{
    if (strcmp(word, "position") == 0) {
        return &b->position_fixing;
    }
    if (strcmp(word, "velocity") == 0) {
        return &b->velocity_fixing;
    }
    return strcmp(word, "orientation") == 0 || strcmp(word, "angle") == 0
               ? &b->orientation_fixing
               : &b->angular_velocity_fixing;
}

typedef struct parts {
    crank_fixing *seen[8];
    int count;
} parts;

static crank_status set_part(const crank_site *site, const crank_node *node, parts *done,
                             crank_fixing *part, crank_fixing value)
{
    for (int i = 0; i < done->count; i++) {
        if (done->seen[i] == part) {
            return crank_site_fail(
                site, node, "at most one of \"fixed\", \"preferred\" and \"free\" holds");
        }
    }
    done->seen[done->count++] = part;
    *part = value;
    return CRANK_OK;
}

/* one of the words */
static crank_status read_part(const crank_site *site, const crank_node *node, const char *words,
                              parts *done, crank_body_record *b, crank_fixing value)
{
    const char *word = NULL;
    const crank_status status = crank_read_word(site, node, words, &word);
    if (status != CRANK_OK) {
        return status;
    }
    crank_fixing *part = part_of(b, word);
    if (b->point && part != &b->position_fixing && part != &b->velocity_fixing) {
        return crank_site_fail(site, node, "\"%s\" has no meaning for a point", word);
    }
    return set_part(site, node, done, part, value);
}

static crank_status read_parts(const crank_site *site, const crank_node *node,
                               const char *words, parts *done, crank_body_record *b,
                               crank_fixing value)
{
    crank_status status = CRANK_OK;
    if (node->kind == CRANK_NODE_SEQUENCE) {
        for (int i = 0; i < node->count && status == CRANK_OK; i++) {
            status = read_part(site, node->item[i], words, done, b, value);
        }
        return status;
    }
    if (node->kind == CRANK_NODE_SCALAR && strcmp(node->text, "true") != 0 &&
        strcmp(node->text, "false") != 0) {
        return read_part(site, node, words, done, b, value);
    }
    bool all = false;
    crank_fixing *const every[] = {&b->position_fixing, &b->orientation_fixing,
                                   &b->velocity_fixing, &b->angular_velocity_fixing};
    status = crank_read_flag(site, node, &all);
    for (int i = 0; all && i < 4 && status == CRANK_OK; i++) {
        status = set_part(site, node, done, every[i], value);
    }
    return status;
}

/* What the file does not say is a guess: where a body is that has no position (how it is turned
 * says nothing of that), how it is turned if it has none, and velocities one by one. The velocity
 * of an assembly is that of its bodies; how they turn is open unless it turns. */
static void set_defaults(const crank_instance *instance, const crank_field *field,
                         crank_body_record *b)
{
    const bool placed = field[POSITION].node != NULL || field[TURN].node != NULL;
    b->position_assumed = placed && field[POSITION].node == NULL;
    b->orientation_assumed = placed && field[TURN].node == NULL && !b->point;
    b->position_said = field[POSITION].node != NULL;
    b->orientation_said = field[TURN].node != NULL;
    b->position_fixing = b->position_said ? CRANK_PREFERRED : CRANK_FREE;
    b->orientation_fixing = placed ? CRANK_PREFERRED : CRANK_FREE;
    const bool moves = field[VELOCITY].node != NULL || instance->moves;
    const bool turns = field[SPIN].node != NULL || instance->turns;
    b->velocity_fixing = moves ? CRANK_PREFERRED : CRANK_FREE;
    b->angular_velocity_fixing = turns ? CRANK_PREFERRED : CRANK_FREE;
}

static crank_status read_fixing(const crank_site *site, const crank_field *field,
                                const crank_key_spec *keys, crank_body_record *b)
{
    static const crank_fixing values[] = {CRANK_FIXED, CRANK_PREFERRED, CRANK_FREE};
    parts done = {.count = 0};
    crank_status status = CRANK_OK;
    set_defaults(site->scope->instance, field, b);
    for (int k = 0; k < 3 && status == CRANK_OK; k++) {
        const crank_site own = {site->r, site->scope, site->object, keys[FIXED + k].name};
        if (field[FIXED + k].node != NULL) {
            status = read_parts(&own, field[FIXED + k].node, keys[FIXED + k].words, &done, b,
                                values[k]);
        }
    }
    return status;
}

/* ---- points ---- */

static crank_status read_points(const crank_site *site, const crank_node *node,
                                crank_body_record *b)
{
    if (node == NULL || crank_node_is_empty(node)) {
        return CRANK_OK;
    }
    if (node->kind != CRANK_NODE_MAPPING) {
        return crank_site_fail(site, node, "%s where a mapping of names is expected",
                               crank_node_describe(node));
    }
    b->points = node->count;
    b->fixed_point =
        crank_store_take(site->r->store, (size_t)node->count, sizeof *b->fixed_point);
    crank_status status = b->fixed_point != NULL ? CRANK_OK : crank_reading_no_memory(site->r);
    for (int i = 0; i < node->count && status == CRANK_OK; i++) {
        const char *name = node->key[i]->text;
        char key[128];
        (void)snprintf(key, sizeof key, "points, %.80s", name);
        const crank_site own = {site->r, site->scope, site->object, key};
        if (!crank_name_is_plain(name)) {
            return crank_site_fail(&own, node->key[i],
                                   "not a name: a letter, then letters, digits and _");
        }
        b->fixed_point[i].name = name;
        status = crank_read_vector(&own, node->item[i], b->fixed_point[i].at);
    }
    return status;
}

/* ---- all of it ---- */

static crank_status read_body(crank_reading *r, const crank_item *item, crank_body_record *b)
{
    const crank_key_spec *keys =
        r->m->dimension == 2 ? crank_keys_planar_body : crank_keys_body;
    crank_field field[FIELDS];
    char object[128];
    (void)snprintf(object, sizeof object, "body \"%.100s\"", item->name);
    const crank_site site = {r, item->scope, object, NULL};
    *b = (crank_body_record){.name = item->name, .key = item->key, .node = item->node};
    crank_status status = crank_fields_read(&site, item->key, item->node, keys, NULL, field);
    if (status != CRANK_OK) {
        return status;
    }
    b->point = field[TYPE].word != NULL && strcmp(field[TYPE].word, "point") == 0;
    status = read_mass(&site, field, b);
    if (status == CRANK_OK) {
        read_motion(&site, field, b);
        status = read_fixing(&site, field, keys, b);
    }
    const crank_site points = {r, item->scope, object, "points"};
    return status == CRANK_OK ? read_points(&points, field[POINTS].node, b) : status;
}

crank_status crank_read_bodies(crank_reading *r)
{
    const crank_items *items = &r->items[CRANK_SECTION_BODIES];
    r->m->body = crank_store_take(r->store, (size_t)items->count, sizeof *r->m->body);
    r->m->body_count = items->count;
    crank_status status = r->m->body != NULL ? CRANK_OK : crank_reading_no_memory(r);
    for (int i = 0; i < items->count && status == CRANK_OK; i++) {
        status = read_body(r, &items->item[i], &r->m->body[i]);
    }
    return status;
}
