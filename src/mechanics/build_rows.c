/* build_rows.c - constraints, variables with their equations, efforts and work. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *keep(crank_builder *b, const char *text)
{
    return crank_store_copy(b->store, text, strlen(text));
}

/* "force.motor.state": variables of joints and forces carry the names of their owners, by which
 * expressions may call them */
static const char *full_name(crank_builder *b, crank_owner owner, const char *name,
                             crank_ex symbol)
{
    const crank_mechanism *m = b->mechanism;
    if (owner.kind == CRANK_OWNER_EQUATION) {
        return keep(b, name);
    }
    const bool joint = owner.kind == CRANK_OWNER_JOINT;
    const char *object = joint ? m->joint[owner.index].name : m->force[owner.index].name;
    crank_build_name(b, joint ? "joint" : "force", object, name, symbol, false);
    return b->failed ? NULL : b->name.item[b->name.count - 1].name;
}

/* "#l12": unknowns that the user has no name for */
static crank_ex unknown_symbol(crank_builder *b, char letter, crank_symbol_kind kind, int index)
{
    char name[32];
    (void)snprintf(name, sizeof name, "#%c%d", letter, index);
    const crank_ex symbol = crank_ex_symbol(b->pool, name);
    crank_build_set_symbol(b, symbol, kind, index);
    return symbol;
}

/* ---- what an equation may contain ---- */

/* how messages call a symbol */
static void symbol_text(const crank_builder *b, crank_ex symbol, char *text, size_t size)
{
    const crank_symbol s = crank_build_symbol(b, symbol);
    switch ((int)s.kind) {
    case CRANK_SYMBOL_RATE:
        (void)snprintf(text, size, "a velocity");
        break;
    case CRANK_SYMBOL_ACCELERATION:
        (void)snprintf(text, size, "an acceleration");
        break;
    case CRANK_SYMBOL_R:
        (void)snprintf(text, size, "variable \"%.60s\"", b->dynamic.item[s.index].name);
        break;
    case CRANK_SYMBOL_W:
        (void)snprintf(text, size, "variable \"%.60s\"", b->auxiliary.item[s.index].name);
        break;
    case CRANK_SYMBOL_LAMBDA:
    case CRANK_SYMBOL_MU:
        (void)snprintf(text, size, "a constraint force");
        break;
    case CRANK_SYMBOL_Q:
        (void)snprintf(text, size, "a component of a quaternion, which is for outputs only");
        break;
    default:
        (void)snprintf(text, size, "\"%.60s\"", crank_ex_symbol_name(b->pool, symbol));
        break;
    }
}

/* the name in an expression of the user that stands for something with this symbol, or NULL */
static const char *name_in(crank_builder *b, crank_ex ex, crank_ex symbol)
{
    int count = 0;
    const char *name = NULL;
    crank_ex *used = crank_build_symbols(b, ex, &count);
    for (int i = 0; i < count && name == NULL; i++) {
        const crank_symbol s = crank_build_symbol(b, used[i]);
        if (s.kind == CRANK_SYMBOL_NAMED && crank_ex_depends(b->pool, s.index, symbol)) {
            name = crank_ex_symbol_name(b->pool, used[i]);
        }
    }
    free(used);
    return name;
}

/* the same of all expressions of an owner */
static const char *user_name(crank_builder *b, crank_owner owner, crank_ex symbol)
{
    const crank_mechanism *m = b->mechanism;
    const char *name = NULL;
    if (owner.kind == CRANK_OWNER_EQUATION) {
        const crank_expression_record *record = crank_build_equation(b, owner);
        return record != NULL ? name_in(b, record->ex, symbol) : NULL;
    }
    const crank_record *record =
        owner.kind == CRANK_OWNER_JOINT ? &m->joint[owner.index] : &m->force[owner.index];
    for (int k = 0; record->type->keys[k].name != NULL; k++) {
        const crank_field *field = &record->field[k];
        for (int i = 0; field->ex != NULL && i < field->count && name == NULL; i++) {
            name = name_in(b, field->ex[i], symbol);
        }
    }
    return name;
}

/* refuses every symbol whose kind is not among the allowed (bits 1 << kind); one of `needed`
 * must be there */
static crank_status check_symbols(crank_builder *b, crank_owner owner, crank_ex ex,
                                  unsigned allowed, unsigned needed, const char *what,
                                  const char *remedy, crank_error *err)
{
    int count = 0;
    crank_ex *symbol = crank_build_symbols(b, ex, &count);
    crank_status status = crank_build_memory(b, err);
    unsigned seen = 0;
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        const unsigned bit = 1u << crank_build_symbol(b, symbol[i]).kind;
        seen |= bit;
        if ((bit & allowed) == 0) {
            const crank_build_label label = crank_build_owner_label(b, owner);
            const char *name = user_name(b, owner, symbol[i]);
            char text[128];
            symbol_text(b, symbol[i], text, sizeof text);
            status = crank_fail_node(err, CRANK_EMODEL, label.place,
                                     "%s: %s contains %s%.80s%s%s; %s", label.text, what,
                                     name != NULL ? "\"" : "", name != NULL ? name : "",
                                     name != NULL ? "\", " : "", text, remedy);
        }
    }
    free(symbol);
    if (status == CRANK_OK && needed != 0 && (seen & needed) == 0) {
        const crank_build_label label = crank_build_owner_label(b, owner);
        status = crank_fail_node(
            err, CRANK_EMODEL, label.place,
            "%s: %s contains %s, so that no motion can satisfy it", label.text, what,
            (needed & (1u << CRANK_SYMBOL_VALUE)) != 0 ? "no position" : "no velocity");
    }
    return status;
}

enum {
    GEOMETRY = 1 << CRANK_SYMBOL_TIME | 1 << CRANK_SYMBOL_VALUE | 1 << CRANK_SYMBOL_S |
               1 << CRANK_SYMBOL_MEMORY,
    ANYTHING = GEOMETRY | 1 << CRANK_SYMBOL_RATE | 1 << CRANK_SYMBOL_ACCELERATION |
               1 << CRANK_SYMBOL_R | 1 << CRANK_SYMBOL_W | 1 << CRANK_SYMBOL_LAMBDA |
               1 << CRANK_SYMBOL_MU
};

bool crank_build_is_geometry(crank_builder *b, crank_ex ex)
{
    int count = 0;
    crank_ex *symbol = crank_build_symbols(b, ex, &count);
    bool geometry = symbol != NULL;
    for (int i = 0; i < count && geometry; i++) {
        geometry = (1u << crank_build_symbol(b, symbol[i]).kind & (unsigned)GEOMETRY) != 0;
    }
    free(symbol);
    return geometry;
}

/* ---- constraints ---- */

static void chain_row(crank_builder *b, crank_owner owner, int row)
{
    crank_build_inside *inside = b->inside;
    const bool joint = owner.kind == CRANK_OWNER_JOINT;
    if (CRANK_BUILD_PUSH(b, inside->row_before, joint ? inside->last_row[owner.index] : -1) &&
        joint) {
        inside->last_row[owner.index] = row;
    }
}

static crank_status add_holonomic(crank_builder *b, crank_constraint constraint,
                                  crank_ex *lambda, crank_error *err)
{
    const int index = b->holonomic.count;
    constraint.row = keep(b, constraint.row);
    constraint.multiplier = unknown_symbol(b, 'l', CRANK_SYMBOL_LAMBDA, index);
    if (CRANK_BUILD_PUSH(b, b->holonomic, constraint)) {
        chain_row(b, constraint.owner, index);
    }
    if (lambda != NULL) {
        *lambda = constraint.multiplier;
    }
    return crank_build_memory(b, err);
}

crank_status crank_build_row(crank_builder *b, crank_owner owner, int primitive,
                             double constant, const char *row, crank_ex *lambda,
                             crank_error *err)
{
    if (primitive < 0) {
        return crank_fail(err, CRANK_EMEM, "building the mechanism");
    }
    assert(b->primitive.item[primitive].kind == CRANK_PRODUCT ||
           b->primitive.item[primitive].kind == CRANK_ANGLE);
    return add_holonomic(
        b,
        (crank_constraint){
            .owner = owner, .primitive = primitive, .constant = constant, .ex = -1, .row = row},
        lambda, err);
}

crank_status crank_build_holonomic(crank_builder *b, crank_owner owner, crank_ex g,
                                   const char *row, crank_ex *lambda, crank_error *err)
{
    const crank_status status = check_symbols(
        b, owner, g, GEOMETRY, 1u << CRANK_SYMBOL_VALUE, "the holonomic constraint",
        "it may contain positions and t; constraints on velocities "
        "are nonholonomic",
        err);
    return status != CRANK_OK
               ? status
               : add_holonomic(
                     b,
                     (crank_constraint){.owner = owner, .primitive = -1, .ex = g, .row = row},
                     lambda, err);
}

/* h must be affine in the rates: its derivatives by rates contain none */
static crank_status check_affine(crank_builder *b, crank_owner owner, crank_ex h,
                                 crank_error *err)
{
    int count = 0;
    crank_ex *symbol = crank_build_symbols(b, h, &count);
    crank_status status = crank_build_memory(b, err);
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        if (crank_build_symbol(b, symbol[i]).kind != CRANK_SYMBOL_RATE) {
            continue;
        }
        const crank_ex part = crank_ex_derivative(b->pool, h, symbol[i]);
        int others = 0;
        crank_ex *other = crank_build_symbols(b, part, &others);
        bool affine = true;
        for (int j = 0; j < others && affine; j++) {
            affine =
                crank_build_symbol(b, other[j]).kind != CRANK_SYMBOL_RATE ||
                crank_ex_is_value(b->pool, crank_ex_derivative(b->pool, part, other[j]), 0.0);
        }
        free(other);
        if (!affine) {
            const crank_build_label label = crank_build_owner_label(b, owner);
            status =
                crank_fail_node(err, CRANK_EMODEL, label.place,
                                "%s: the nonholonomic constraint is not affine in the "
                                "velocities; products, squares and functions of velocities "
                                "cannot be constrained",
                                label.text);
        }
    }
    free(symbol);
    return status;
}

crank_status crank_build_nonholonomic(crank_builder *b, crank_owner owner, crank_ex h,
                                      const char *row, crank_ex *mu, crank_error *err)
{
    crank_status status = check_symbols(b, owner, h, GEOMETRY | 1u << CRANK_SYMBOL_RATE,
                                        1u << CRANK_SYMBOL_RATE, "the nonholonomic constraint",
                                        "it may contain positions, velocities and t", err);
    if (status == CRANK_OK) {
        status = check_affine(b, owner, h, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    const int index = b->nonholonomic.count;
    const crank_constraint constraint = {.owner = owner,
                                         .primitive = -1,
                                         .ex = h,
                                         .row = keep(b, row),
                                         .multiplier =
                                             unknown_symbol(b, 'm', CRANK_SYMBOL_MU, index)};
    (void)CRANK_BUILD_PUSH(b, b->nonholonomic, constraint);
    if (mu != NULL) {
        *mu = constraint.multiplier;
    }
    return crank_build_memory(b, err);
}

/* ---- variables ---- */

static crank_unknown unknown_of(crank_builder *b, crank_owner owner, const char *name,
                                double start, crank_fixing fixing, crank_ex symbol)
{
    return (crank_unknown){.owner = owner,
                           .name = full_name(b, owner, name, symbol),
                           .symbol = symbol,
                           .equation = -1,
                           .start = start,
                           .fixing = fixing};
}

crank_ex crank_build_contact(crank_builder *b, crank_owner owner, const char *name,
                             double start)
{
    const crank_ex symbol = unknown_symbol(b, 's', CRANK_SYMBOL_S, b->contact.count);
    const crank_unknown unknown = unknown_of(b, owner, name, start, CRANK_FREE, symbol);
    if (CRANK_BUILD_PUSH(b, b->contact, unknown)) {
        (void)CRANK_BUILD_PUSH(b, b->inside->contact_rate, -1);
    }
    return symbol;
}

void crank_build_contact_pace(crank_builder *b, crank_ex symbol, double speed, double turn)
{
    for (int i = 0; i < b->contact.count; i++) {
        if (b->contact.item[i].symbol == symbol) {
            b->contact.item[i].speed = speed;
            b->contact.item[i].turn = turn;
        }
    }
}

crank_status crank_build_contact_row(crank_builder *b, crank_owner owner, crank_ex c,
                                     crank_error *err)
{
    const crank_status status =
        check_symbols(b, owner, c, GEOMETRY, 1u << CRANK_SYMBOL_S, "the contact equation",
                      "it may contain positions, contact variables and t", err);
    if (status != CRANK_OK) {
        return status;
    }
    int first = b->contact.count; /* this owner's variables are the last ones */
    while (first > 0 && crank_owner_same(b->contact.item[first - 1].owner, owner)) {
        first--;
    }
    while (first < b->contact.count && b->contact.item[first].equation >= 0) {
        first++;
    }
    if (first == b->contact.count) {
        const crank_build_label label = crank_build_owner_label(b, owner);
        return crank_fail_node(err, CRANK_EINTERNAL, label.place,
                               "%s: more contact equations than contact variables", label.text);
    }
    b->contact.item[first].equation = c;
    return CRANK_OK;
}

crank_ex crank_build_dynamic(crank_builder *b, crank_owner owner, const char *name,
                             double start, crank_fixing fixing)
{
    const crank_ex symbol = unknown_symbol(b, 'r', CRANK_SYMBOL_R, b->dynamic.count);
    const crank_unknown unknown = unknown_of(b, owner, name, start, fixing, symbol);
    (void)CRANK_BUILD_PUSH(b, b->dynamic, unknown);
    return symbol;
}

crank_ex crank_build_auxiliary(crank_builder *b, crank_owner owner, const char *name,
                               double start, crank_fixing fixing)
{
    const crank_ex symbol = unknown_symbol(b, 'w', CRANK_SYMBOL_W, b->auxiliary.count);
    const crank_unknown unknown = unknown_of(b, owner, name, start, fixing, symbol);
    (void)CRANK_BUILD_PUSH(b, b->auxiliary, unknown);
    return symbol;
}

void crank_build_variable_kind(crank_builder *b, crank_ex symbol, char kind)
{
    const crank_symbol s = crank_build_symbol(b, symbol);
    if (!b->failed) {
        crank_unknown *unknown =
            s.kind == CRANK_SYMBOL_R ? &b->dynamic.item[s.index] : &b->auxiliary.item[s.index];
        unknown->kind = kind;
    }
}

static crank_status state_equation(crank_builder *b, crank_owner owner, crank_ex symbol,
                                   crank_ex equation, crank_error *err)
{
    const crank_symbol s = crank_build_symbol(b, symbol);
    if (b->failed) {
        return crank_build_memory(b, err);
    }
    crank_status status = check_symbols(b, owner, equation, ANYTHING, 0, "the equation",
                                        "this name has no meaning here", err);
    if (status == CRANK_OK) {
        crank_unknown *unknown =
            s.kind == CRANK_SYMBOL_R ? &b->dynamic.item[s.index] : &b->auxiliary.item[s.index];
        unknown->equation = equation;
        status = crank_build_memory(b, err);
    }
    return status;
}

crank_status crank_build_dynamic_rate(crank_builder *b, crank_owner owner, crank_ex symbol,
                                      crank_ex rate, crank_error *err)
{
    assert(b->failed || crank_build_symbol(b, symbol).kind == CRANK_SYMBOL_R);
    return state_equation(b, owner, symbol, rate, err);
}

crank_status crank_build_auxiliary_row(crank_builder *b, crank_owner owner, crank_ex symbol,
                                       crank_ex d, crank_error *err)
{
    assert(b->failed || crank_build_symbol(b, symbol).kind == CRANK_SYMBOL_W);
    return state_equation(b, owner, symbol, d, err);
}

/* ---- forces ---- */

crank_status crank_build_effort(crank_builder *b, crank_owner owner, int primitive,
                                crank_ex effort, crank_error *err)
{
    const crank_status status = check_symbols(b, owner, effort, ANYTHING, 0, "the force",
                                              "this name has no meaning here", err);
    if (status != CRANK_OK || crank_ex_is_value(b->pool, effort, 0.0)) {
        return status;
    }
    if (primitive >= 0) {
        (void)CRANK_BUILD_PUSH(
            b, b->effort, (crank_effort){.owner = owner, .primitive = primitive, .ex = effort});
    }
    return crank_build_memory(b, err);
}

crank_status crank_build_effort_along_rate(crank_builder *b, crank_owner owner, crank_ex rate,
                                           crank_ex effort, crank_error *err)
{
    int count = 0;
    crank_ex *symbol = crank_build_symbols(b, rate, &count);
    crank_status status = crank_build_memory(b, err);
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        const crank_symbol s = crank_build_symbol(b, symbol[i]);
        if (s.kind == CRANK_SYMBOL_RATE) {
            const crank_ex part = crank_ex_derivative(b->pool, rate, symbol[i]);
            status =
                crank_build_effort(b, owner, s.index, crank_ex_mul(b->pool, effort, part), err);
        }
    }
    free(symbol);
    return status;
}

crank_status crank_build_effort_along(crank_builder *b, crank_owner owner, crank_ex y,
                                      crank_ex effort, crank_error *err)
{
    crank_ex rate = -1;
    const crank_status status = crank_build_differentiate(b, owner, y, &rate, err);
    return status == CRANK_OK ? crank_build_effort_along_rate(b, owner, rate, effort, err)
                              : status;
}

static void add_work(crank_builder *b, crank_owner owner, crank_work_kind kind, crank_ex ex)
{
    if (!crank_ex_is_value(b->pool, ex, 0.0)) {
        (void)CRANK_BUILD_PUSH(b, b->work,
                               (crank_work){.owner = owner, .kind = kind, .ex = ex});
    }
}

void crank_build_potential(crank_builder *b, crank_owner owner, crank_ex energy)
{
    add_work(b, owner, CRANK_WORK_POTENTIAL, energy);
}

void crank_build_kinetic(crank_builder *b, crank_owner owner, crank_ex energy)
{
    add_work(b, owner, CRANK_WORK_KINETIC, energy);
}

void crank_build_dissipated(crank_builder *b, crank_owner owner, crank_ex power)
{
    add_work(b, owner, CRANK_WORK_DISSIPATED, power);
}

void crank_build_supplied(crank_builder *b, crank_owner owner, crank_ex power)
{
    add_work(b, owner, CRANK_WORK_SUPPLIED, power);
}
