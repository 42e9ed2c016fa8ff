/* build_equations.c - the user's own variables and constraints. Variables are declared first,
 * since laws of joints and forces may contain them; their equations follow last, since they may
 * name what joints and forces give. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/build_inside.h"
#include "model/table.h"

#include <string.h>

static crank_owner new_owner(crank_builder *b, const char *kind,
                             const crank_expression_record *record)
{
    const crank_owner owner = {CRANK_OWNER_EQUATION, b->equation_count};
    if (CRANK_BUILD_PUSH(b, b->inside->equation, record) &&
        CRANK_BUILD_PUSH(b, b->inside->equation_kind, kind)) {
        b->equation_count++;
    }
    return owner;
}

crank_status crank_build_declare_equations(crank_builder *b, crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    for (int i = 0; i < m->dynamic_count && !b->failed; i++) {
        const crank_expression_record *record = &m->dynamic[i];
        crank_build_set_symbol(b, record->symbol, CRANK_SYMBOL_R, b->dynamic.count);
        const crank_unknown unknown = {.owner = new_owner(b, "dynamic", record),
                                       .name = record->name,
                                       .symbol = record->symbol,
                                       .equation = -1,
                                       .start = record->start,
                                       .fixing = record->fixing};
        (void)CRANK_BUILD_PUSH(b, b->dynamic, unknown);
    }
    for (int i = 0; i < m->auxiliary_count && !b->failed; i++) {
        const crank_expression_record *record = &m->auxiliary[i];
        crank_build_set_symbol(b, record->symbol, CRANK_SYMBOL_W, b->auxiliary.count);
        const crank_unknown unknown = {.owner = new_owner(b, "auxiliary", record),
                                       .name = record->name,
                                       .symbol = record->symbol,
                                       .equation = -1,
                                       .start = record->start,
                                       .fixing = record->fixing};
        (void)CRANK_BUILD_PUSH(b, b->auxiliary, unknown);
    }
    return crank_build_memory(b, err);
}

static crank_status resolve(crank_builder *b, const char *kind,
                            const crank_expression_record *record, crank_ex *out,
                            crank_error *err)
{
    const crank_build_label label = crank_build_expression_label(kind, record);
    crank_error none;
    return crank_build_resolve_at(b, &label, record->ex, 0, NULL, NULL, out,
                                  err != NULL ? err : &none);
}

/* A constraint of the file that has not been built yet. */
static crank_status build_constraint(crank_builder *b, bool holonomic, int i, crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    const char *kind = holonomic ? "holonomic" : "nonholonomic";
    const crank_expression_record *record = holonomic ? &m->holonomic[i] : &m->nonholonomic[i];
    crank_ex *multiplier = &b->inside->multiplier[holonomic ? 0 : 1][i];
    crank_ex ex = -1;
    if (*multiplier >= 0) {
        return CRANK_OK;
    }
    if (*multiplier == -2) {
        const crank_build_label label = crank_build_expression_label(kind, record);
        return crank_fail_node(err, CRANK_EMODEL, label.place,
                               "%s: it is defined in a circle: what it refers to refers to its "
                               "multiplier",
                               label.text);
    }
    *multiplier = -2;
    crank_status status = resolve(b, kind, record, &ex, err);
    if (status == CRANK_OK && holonomic) {
        const crank_build_label label = crank_build_expression_label(kind, record);
        crank_model_table_warn(&m->options->log, b->pool, ex, m->t, label.text);
    }
    if (status == CRANK_OK) {
        const crank_owner owner = new_owner(b, kind, record);
        status = holonomic
                     ? crank_build_holonomic(b, owner, ex, record->name, multiplier, err)
                     : crank_build_nonholonomic(b, owner, ex, record->name, multiplier, err);
    }
    return status;
}

crank_status crank_build_multiplier(crank_builder *b, const char *kind, const char *name,
                                    crank_ex *out, crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    const bool holonomic = strcmp(kind, "lambda") == 0;
    const crank_expression_record *list = holonomic ? m->holonomic : m->nonholonomic;
    const int count = holonomic ? m->holonomic_count : m->nonholonomic_count;
    crank_status status = CRANK_OK;
    *out = -1;
    for (int i = 0; i < count && *out < 0 && status == CRANK_OK; i++) {
        if (strcmp(list[i].name, name) == 0) {
            status = build_constraint(b, holonomic, i, err);
            *out = b->inside->multiplier[holonomic ? 0 : 1][i];
        }
    }
    return status;
}

crank_status crank_build_state_equations(crank_builder *b, crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    crank_status status = CRANK_OK;
    crank_ex ex = -1;
    for (int i = 0; i < m->dynamic_count && status == CRANK_OK; i++) {
        status = resolve(b, "dynamic", &m->dynamic[i], &ex, err);
        CRANK_THEN(status, crank_build_dynamic_rate(b, b->dynamic.item[i].owner,
                                                    m->dynamic[i].symbol, ex, err));
    }
    for (int i = 0; i < m->auxiliary_count && status == CRANK_OK; i++) {
        status = resolve(b, "auxiliary", &m->auxiliary[i], &ex, err);
        CRANK_THEN(status, crank_build_auxiliary_row(b, b->auxiliary.item[i].owner,
                                                     m->auxiliary[i].symbol, ex, err));
    }
    for (int i = 0; i < m->holonomic_count && status == CRANK_OK; i++) {
        status = build_constraint(b, true, i, err);
    }
    for (int i = 0; i < m->nonholonomic_count && status == CRANK_OK; i++) {
        status = build_constraint(b, false, i, err);
    }
    return status;
}
