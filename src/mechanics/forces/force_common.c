/* force_common.c - keys, expressions and coordinates that forces share, see force.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/forces/force.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

double crank_force_number(const crank_record *record, const char *key, double otherwise)
{
    const crank_field *field = crank_record_find(record, key);
    return field != NULL ? field->number[0] : otherwise;
}

crank_status crank_force_check(const crank_record *record, const char *key, bool zero,
                               crank_error *err)
{
    const double value = crank_force_number(record, key, 1.0);
    if (value > 0.0 || (zero && value == 0.0)) {
        return CRANK_OK;
    }
    return crank_build_fail(record, key, err, "%s is %g, must be %s", key, value,
                            zero ? "zero or more" : "more than zero");
}

crank_status crank_force_one_of(const crank_record *record, const char *const *keys,
                                crank_error *err)
{
    const char *given = NULL;
    for (int i = 0; keys[i] != NULL; i++) {
        if (crank_record_find(record, keys[i]) == NULL) {
            continue;
        }
        if (given != NULL) {
            return crank_build_fail(record, keys[i], err,
                                    "both \"%s\" and \"%s\" are given, only one is possible",
                                    given, keys[i]);
        }
        given = keys[i];
    }
    if (given != NULL) {
        return CRANK_OK;
    }
    char list[160] = "";
    for (int i = 0; keys[i] != NULL; i++) {
        const size_t used = strlen(list);
        (void)snprintf(list + used, sizeof list - used, "%s\"%s\"", i > 0 ? ", " : "", keys[i]);
    }
    return crank_build_fail(record, NULL, err, "one of %s is missing", list);
}

crank_status crank_force_only(const crank_record *record, const char *key, bool meaningful,
                              const char *with, crank_error *err)
{
    return meaningful || crank_record_find(record, key) == NULL
               ? CRANK_OK
               : crank_build_fail(record, key, err, "\"%s\" is only for %s", key, with);
}

crank_status crank_force_needs_rotation(const crank_builder *b, const crank_record *record,
                                        const char *key, int body, crank_error *err)
{
    if (body < 0 || !crank_build_mechanism(b)->body[body].point) {
        return CRANK_OK;
    }
    return crank_build_fail(record, key, err,
                            "body \"%.80s\" is a point, which has no rotation; \"type: rigid\" "
                            "has one",
                            crank_build_mechanism(b)->body[body].name);
}

/* ---- expressions ---- */

crank_ex crank_force_constant(crank_builder *b, double value)
{
    return crank_ex_number(crank_build_pool(b), value);
}

crank_ex crank_force_scale(crank_builder *b, double factor, crank_ex ex)
{
    return crank_ex_mul(crank_build_pool(b), crank_force_constant(b, factor), ex);
}

crank_ex crank_force_add(crank_builder *b, crank_ex x, crank_ex y)
{
    return crank_ex_add(crank_build_pool(b), x, y);
}

crank_ex crank_force_sub(crank_builder *b, crank_ex x, crank_ex y)
{
    return crank_ex_sub(crank_build_pool(b), x, y);
}

crank_ex crank_force_mul(crank_builder *b, crank_ex x, crank_ex y)
{
    return crank_ex_mul(crank_build_pool(b), x, y);
}

crank_ex crank_force_positive(crank_builder *b, crank_ex x, crank_ex eps)
{
    crank_pool *pool = crank_build_pool(b);
    const crank_ex zero = crank_force_constant(b, 0.0);
    const crank_ex e2 = crank_force_mul(b, eps, eps);
    const crank_ex root = crank_ex_call(pool, CRANK_EX_SQRT,
                                        crank_force_add(b, crank_force_mul(b, x, x), e2), 0, 0);
    const crank_ex above = crank_force_scale(b, 0.5, crank_force_add(b, x, root));
    const crank_ex below =
        crank_force_scale(b, 0.5, crank_ex_div(pool, e2, crank_force_sub(b, root, x)));
    return crank_ex_call(pool, CRANK_EX_IF, crank_ex_call(pool, CRANK_EX_LT, x, zero, 0), below,
                         above);
}

crank_status crank_force_expression(crank_builder *b, const crank_record *record,
                                    const char *key, int i, const char *first,
                                    const char *second, const crank_ex value[2], crank_ex *out,
                                    crank_error *err)
{
    const crank_field *field = crank_record_find(record, key);
    const int locals = first == NULL ? 0 : second == NULL ? 1 : 2;
    crank_ex local[2] = {-1, -1};
    if (locals > 0) {
        local[0] = crank_ex_symbol(crank_build_pool(b), first);
    }
    if (locals > 1) {
        local[1] = crank_ex_symbol(crank_build_pool(b), second);
    }
    return crank_build_resolve(b, record, field, field->ex[i], locals, local, value, out, err);
}

void crank_force_name(crank_builder *b, const crank_record *record, const char *quantity,
                      crank_ex ex)
{
    crank_build_name(b, "force", record->name, quantity, ex, true);
}

/* ---- where a force acts ---- */

static crank_owner owner_of(const crank_builder *b, const crank_record *record)
{
    return (crank_owner){CRANK_OWNER_FORCE, (int)(record - crank_build_mechanism(b)->force)};
}

crank_status crank_force_point(crank_builder *b, const crank_record *record, int body,
                               crank_marker *out, crank_error *err)
{
    const crank_status status = crank_build_own_point(b, record, body, out, err);
    if (status == CRANK_OK) {
        crank_build_draw_at(b, owner_of(b, record), -1, *out, NULL, 0.0);
    }
    return status;
}

/* sqrt(d.d) of ends that meet at the start: its derivatives are finite there, where d' and with
 * it any force along d vanishes. */
static crank_ex distance_from_zero(crank_builder *b, crank_ex square)
{
    crank_pool *pool = crank_build_pool(b);
    const double length = crank_build_natural_length(b);
    const double least = DBL_EPSILON * (length > 0.0 ? length : 1.0);
    const crank_ex zero = crank_ex_number(pool, 0.0);
    const crank_ex apart = crank_ex_call(pool, CRANK_EX_LT, zero, square, 0);
    return crank_ex_call(
        pool, CRANK_EX_SQRT,
        crank_ex_call(pool, CRANK_EX_IF, apart, square, crank_ex_number(pool, least * least)),
        0, 0);
}

crank_status crank_force_distance(crank_builder *b, const crank_record *record,
                                  crank_force_way *way, int *square, crank_error *err)
{
    const crank_field *between = crank_record_find(record, "between");
    const crank_field *at = crank_record_find(record, "at");
    crank_marker end[2];
    if (between == NULL || at == NULL) {
        return crank_build_fail(record, NULL, err, "\"%s\" is missing",
                                between == NULL ? "between" : "at");
    }
    crank_build_ends(b, &at->ends, between->index, true, end);
    crank_build_draw(b, owner_of(b, record), end, NULL, 0.0);
    const crank_vector d = crank_vector_between(end[0], end[1]);
    const int product = crank_build_product(b, d, d);
    const crank_ex value = crank_build_value(b, product);
    way->y = crank_build_start_value(b, product) == 0.0
                 ? distance_from_zero(b, value)
                 : crank_ex_call(crank_build_pool(b), CRANK_EX_SQRT, value, 0, 0);
    way->rate = crank_build_time_derivative(b, way->y);
    way->angle = false;
    *square = product;
    return CRANK_OK;
}

bool crank_force_has_length(const crank_record *record)
{
    bool ends = false;
    for (const crank_key_spec *key = record->type->keys; key->name != NULL; key++) {
        ends = ends || (key->shape == CRANK_SHAPE_ENDS && strcmp(key->name, "at") == 0);
    }
    return ends && crank_record_find(record, "between") != NULL &&
           crank_record_find(record, "at") != NULL;
}

void crank_force_length_pole(crank_builder *b, const crank_record *record, int square)
{
    const double length = crank_build_natural_length(b);
    const double start = sqrt(fabs(crank_build_start_value(b, square)));
    crank_build_pole(b, owner_of(b, record), square, length > 0.0 ? length : start,
                     "where its ends meet and it has no direction");
}

/* The only coordinate of the joint that the force can mean, by the words of its key: a spring the
 * length of a cylindrical joint; word: room for its name; NULL: there are several, or none. */
static const char *only_coordinate(crank_builder *b, const crank_record *record, int joint,
                                   char word[16])
{
    const crank_key_spec *key = record->type->keys;
    int found = 0;
    while (key->name != NULL && strcmp(key->name, "coordinate") != 0) {
        key++;
    }
    const char *at = key->name != NULL ? key->words : NULL;
    while (at != NULL) {
        char one[16];
        const size_t length = strcspn(at, "|");
        (void)snprintf(one, sizeof one, "%.*s", (int)length, at);
        if (crank_build_find_coordinate(b, joint, one) >= 0) {
            memcpy(word, one, sizeof one);
            found++;
        }
        at = at[length] == '|' ? at + length + 1 : NULL;
    }
    return found == 1 ? word : NULL;
}

crank_status crank_force_joint(crank_builder *b, const crank_record *record,
                               crank_force_way *way, crank_error *err)
{
    const int joint = crank_record_find(record, "joint")->index[0];
    const crank_field *which = crank_record_find(record, "coordinate");
    const char *quantity = which != NULL ? which->word : NULL;
    const char *name = crank_build_mechanism(b)->joint[joint].name;
    char word[16];
    way->y = crank_build_find_coordinate(b, joint, quantity);
    if (way->y < 0 && quantity == NULL) {
        quantity = only_coordinate(b, record, joint, word);
        way->y = quantity != NULL ? crank_build_find_coordinate(b, joint, quantity) : way->y;
    }
    if (way->y < 0) {
        char list[160];
        const bool none = crank_build_coordinate_list(b, joint, list, sizeof list)[0] == '\0';
        const char *type = crank_build_mechanism(b)->joint[joint].type->name;
        if (none) {
            return crank_build_fail(record, "joint", err,
                                    "joint \"%.80s\" (%s) has no coordinate", name, type);
        }
        return quantity == NULL
                   ? crank_build_fail(record, "joint", err,
                                      "joint \"%.80s\" (%s) has several coordinates, %s; "
                                      "\"coordinate\" chooses one",
                                      name, type, list)
                   : crank_build_fail(record, "coordinate", err,
                                      "joint \"%.80s\" (%s) has no coordinate \"%.40s\"; it "
                                      "has %s",
                                      name, type, quantity, list);
    }
    crank_build_draw_like(b, owner_of(b, record), joint);
    way->angle = quantity != NULL ? strncmp(quantity, "angle", 5) == 0
                                  : crank_build_find_coordinate(b, joint, "angle") == way->y;
    way->rate = crank_build_time_derivative(b, way->y);
    return CRANK_OK;
}

/* at the origins of both bodies, about the axis */
static void draw_angle(crank_builder *b, const crank_record *record, const int between[2],
                       const crank_field *axis)
{
    static const double origin[3] = {0.0, 0.0, 0.0}, z[3] = {0.0, 0.0, 1.0};
    crank_marker at[2], about[2];
    for (int k = 0; k < 2; k++) {
        at[k] = crank_build_local_point(b, between[k], origin);
        about[k] = crank_build_direction(b, between[k], axis != NULL ? axis->number : z);
    }
    for (int k = 0; k < 2; k++) { /* the ground has no place of its own */
        if (between[k] < 0) {
            at[k] = crank_build_point(b, -1, crank_build_body(b, between[1 - k])->x);
        }
    }
    crank_build_draw(b, owner_of(b, record), at, about, 0.0);
}

/* The turn about an axis of the shortest rotation that leaves the rest to an axis across it.
 * With e1, e2 across the axis in the first body and u, v in the second, tan y = (e2.u -
 * e1.v)/(e1.u + e2.v), the same for every choice of e1. Its rate is theory (7.51), s the sum of
 * both bodies' axes: differentiating y would lose twice as many digits near the pole s = 0. */
static void turn_about(crank_builder *b, crank_owner owner, const int body[2],
                       const double axis[3], crank_force_way *way)
{
    const double back[3] = {-axis[0], -axis[1], -axis[2]};
    const crank_vector s = crank_vector_between(crank_build_direction(b, body[0], back),
                                                crank_build_direction(b, body[1], axis));
    double e[2][3];
    crank_ex product[2][2];
    crank_build_perpendicular(axis, e[0], e[1]);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            const crank_vector from = crank_vector_of(crank_build_direction(b, body[0], e[i]));
            const crank_vector to = crank_vector_of(crank_build_direction(b, body[1], e[j]));
            product[i][j] = crank_build_value(b, crank_build_product(b, from, to));
        }
    }
    way->y = crank_build_turning_angle(b, crank_force_sub(b, product[1][0], product[0][1]),
                                       crank_force_add(b, product[0][0], product[1][1]));
    const crank_ex turn = crank_build_rate(b, crank_build_turn(b, s, body[0], body[1]));
    const int square = crank_build_product(b, s, s);
    way->rate = crank_ex_div(crank_build_pool(b), crank_force_scale(b, 2.0, turn),
                             crank_build_value(b, square));
    crank_build_turn_pole(b, owner, square, body, axis);
}

crank_status crank_force_angle(crank_builder *b, const crank_record *record,
                               crank_force_way *way, crank_error *err)
{
    const crank_field *between = crank_record_find(record, "between");
    const crank_field *axis = crank_record_find(record, "axis");
    crank_status status = CRANK_OK;
    for (int i = 0; i < 2 && status == CRANK_OK; i++) {
        status = crank_force_needs_rotation(b, record, "between", between->index[i], err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    way->angle = true;
    draw_angle(b, record, between->index, axis);
    if (crank_force_in_plane(b)) {
        const int angle = crank_build_angle(b, between->index[0], between->index[1]);
        way->y = crank_force_sub(b, crank_build_value(b, angle),
                                 crank_force_constant(b, crank_build_start_value(b, angle)));
    } else if (axis == NULL) {
        return crank_build_fail(record, NULL, err, "\"axis\" is missing");
    } else {
        turn_about(b, owner_of(b, record), between->index, axis->number, way);
        return CRANK_OK;
    }
    way->rate = crank_build_time_derivative(b, way->y);
    return CRANK_OK;
}

/* ---- springs ---- */

crank_status crank_force_spring(crank_builder *b, const crank_record *record, crank_owner owner,
                                const crank_force_way *way, const char *rest,
                                crank_ex *resistance, crank_error *err)
{
    static const char *const elastic[] = {"stiffness", "law", "table", NULL};
    const crank_field *table = crank_record_find(record, "table");
    const double damping = crank_force_number(record, "damping", 0.0);
    crank_status status = crank_force_check(record, "damping", true, err);
    int given = 0;
    for (int i = 0; i < 3; i++) {
        given += crank_record_find(record, elastic[i]) != NULL;
    }
    const bool damper = crank_record_find(record, "damping") != NULL; /* also one of zero */
    if (status == CRANK_OK && (given > 1 || (given == 0 && !damper))) {
        status = crank_force_one_of(record, elastic, err);
    }
    if (status == CRANK_OK) {
        status = crank_force_only(record, rest, crank_record_find(record, "stiffness") != NULL,
                                  "\"stiffness\"", err);
    }
    if (status == CRANK_OK) {
        status =
            crank_force_only(record, "preload", crank_record_find(record, "stiffness") != NULL,
                             "\"stiffness\"", err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    crank_ex part = crank_force_constant(b, 0.0);
    if (crank_record_find(record, "law") != NULL || table != NULL) {
        const crank_ex value[2] = {way->y, way->rate};
        if (table != NULL) {
            part = crank_build_table(b, &table->table, way->y);
        } else {
            status =
                crank_force_expression(b, record, "law", 0, way->angle ? "angle" : "length",
                                       "rate", value, &part, err);
        }
        if (status == CRANK_OK) { /* what it takes may come back */
            crank_build_dissipated(b, owner, crank_force_mul(b, part, way->rate));
        }
    } else if (given > 0) {
        const double stiffness = crank_force_number(record, "stiffness", 0.0);
        const crank_field *own = crank_record_find(record, rest);
        const crank_ex unstretched = own != NULL ? crank_force_constant(b, own->number[0])
                                                 : crank_build_at_start(b, owner, way->y);
        const crank_ex stretch = crank_force_sub(b, way->y, unstretched);
        const double preload = crank_force_number(record, "preload", 0.0);
        const crank_ex stored =
            crank_force_scale(b, 0.5 * stiffness, crank_force_mul(b, stretch, stretch));
        part = crank_force_add(b, crank_force_scale(b, stiffness, stretch),
                               crank_force_constant(b, preload));
        crank_build_potential(
            b, owner, crank_force_add(b, stored, crank_force_scale(b, preload, stretch)));
    }
    const crank_ex damp = crank_force_scale(b, damping, way->rate);
    crank_build_dissipated(b, owner, crank_force_mul(b, damp, way->rate));
    *resistance = crank_force_add(b, part, damp);
    return status;
}
