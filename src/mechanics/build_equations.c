/* build_equations.c - the user's own variables and constraints. Variables are declared first,
 * since laws of joints and forces may contain them; their equations follow last, since they may
 * name what joints and forces give. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/build_inside.h"

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
        status = resolve(b, "holonomic", &m->holonomic[i], &ex, err);
        if (status == CRANK_OK) {
            const crank_owner owner = new_owner(b, "holonomic", &m->holonomic[i]);
            status = crank_build_holonomic(b, owner, ex, m->holonomic[i].name, NULL, err);
        }
    }
    for (int i = 0; i < m->nonholonomic_count && status == CRANK_OK; i++) {
        status = resolve(b, "nonholonomic", &m->nonholonomic[i], &ex, err);
        if (status == CRANK_OK) {
            const crank_owner owner = new_owner(b, "nonholonomic", &m->nonholonomic[i]);
            status = crank_build_nonholonomic(b, owner, ex, m->nonholonomic[i].name, NULL, err);
        }
    }
    return status;
}
