/* flat.c - see flat.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/flat.h"

#include "base/grow.h"

#include <math.h>
#include <string.h>

crank_status crank_flat_init(crank_flat *flat, crank_error *err)
{
    *flat = (crank_flat){.t_start = NAN,
                         .t_end = NAN,
                         .interval = NAN,
                         .tolerance = NAN,
                         .name = "",
                         .at_start = -1};
    flat->pool = crank_pool_create();
    if (flat->pool == NULL) {
        return crank_fail(err, CRANK_EMEM, "flat equations");
    }
    flat->t = crank_ex_symbol(flat->pool, "time");
    return crank_flat_status(flat, err);
}

void crank_flat_free(crank_flat *flat)
{
    if (flat->pool != NULL) {
        crank_pool_destroy(flat->pool);
    }
    crank_store_free(&flat->store);
    *flat = (crank_flat){0};
}

crank_status crank_flat_status(const crank_flat *flat, crank_error *err)
{
    return flat->store.failed || crank_pool_status(flat->pool) != CRANK_OK
               ? crank_fail(err, CRANK_EMEM, "flat equations")
               : CRANK_OK;
}

int crank_flat_add_variable(crank_flat *flat, const char *name)
{
    crank_flat_variable *more =
        crank_store_grow(&flat->store, flat->variable, flat->variable_count,
                         &flat->variable_capacity, sizeof *flat->variable);
    if (more == NULL) {
        return -1;
    }
    flat->variable = more;
    flat->variable[flat->variable_count] =
        (crank_flat_variable){.name = name,
                              .symbol = crank_ex_symbol(flat->pool, name),
                              .rate = -1,
                              .value = -1,
                              .start = -1,
                              .derived = -1,
                              .nominal = -1,
                              .min = -1,
                              .max = -1,
                              .before = -1,
                              .unit = "",
                              .text = ""};
    return flat->variable_count++;
}

int crank_flat_add_parameter(crank_flat *flat, const char *name)
{
    crank_flat_parameter *more =
        crank_store_grow(&flat->store, flat->parameter, flat->parameter_count,
                         &flat->parameter_capacity, sizeof *flat->parameter);
    if (more == NULL) {
        return -1;
    }
    flat->parameter = more;
    flat->parameter[flat->parameter_count] =
        (crank_flat_parameter){.name = name,
                               .symbol = crank_ex_symbol(flat->pool, name),
                               .value = -1,
                               .number = NAN,
                               .unit = "",
                               .text = ""};
    return flat->parameter_count++;
}

crank_flat_equation *crank_flat_add_equation(crank_flat *flat, bool initial)
{
    crank_flat_equation **list = initial ? &flat->initial : &flat->equation;
    int *count = initial ? &flat->initial_count : &flat->equation_count;
    int *capacity = initial ? &flat->initial_capacity : &flat->equation_capacity;
    crank_flat_equation *more =
        crank_store_grow(&flat->store, *list, *count, capacity, sizeof **list);
    if (more == NULL) {
        return NULL;
    }
    *list = more;
    more[*count] = (crank_flat_equation){.origin = ""};
    return &more[(*count)++];
}

crank_flat_event *crank_flat_add_event(crank_flat *flat)
{
    crank_flat_event *more = crank_store_grow(&flat->store, flat->event, flat->event_count,
                                              &flat->event_capacity, sizeof *flat->event);
    if (more == NULL) {
        return NULL;
    }
    flat->event = more;
    more[flat->event_count] =
        (crank_flat_event){.name = "", .condition = -1, .when = -1, .relation = -1};
    return &more[flat->event_count++];
}

crank_flat_update *crank_flat_add_update(crank_flat *flat)
{
    crank_flat_update *more = crank_store_grow(&flat->store, flat->update, flat->update_count,
                                               &flat->update_capacity, sizeof *flat->update);
    if (more == NULL) {
        return NULL;
    }
    flat->update = more;
    more[flat->update_count] =
        (crank_flat_update){.variable = -1, .value = -1, .condition = -1};
    return &more[flat->update_count++];
}

crank_flat_tear *crank_flat_add_tear(crank_flat *flat)
{
    crank_flat_tear *more = crank_store_grow(&flat->store, flat->tear, flat->tear_count,
                                             &flat->tear_capacity, sizeof *flat->tear);
    if (more == NULL) {
        return NULL;
    }
    flat->tear = more;
    more[flat->tear_count] = (crank_flat_tear){.symbol = -1};
    return &more[flat->tear_count++];
}

crank_flat_assertion *crank_flat_add_assertion(crank_flat *flat)
{
    crank_flat_assertion *more =
        crank_store_grow(&flat->store, flat->assertion, flat->assertion_count,
                         &flat->assertion_capacity, sizeof *flat->assertion);
    if (more == NULL) {
        return NULL;
    }
    flat->assertion = more;
    more[flat->assertion_count] = (crank_flat_assertion){.message = ""};
    return &more[flat->assertion_count++];
}

crank_flat_action *crank_flat_add_action(crank_flat *flat, crank_flat_event *event)
{
    crank_flat_action *more = crank_store_grow(&flat->store, event->action, event->action_count,
                                               &event->action_capacity, sizeof *event->action);
    if (more == NULL) {
        return NULL;
    }
    event->action = more;
    more[event->action_count] = (crank_flat_action){.message = ""};
    return &more[event->action_count++];
}

crank_ex crank_flat_rate(crank_flat *flat, int i)
{
    crank_flat_variable *x = &flat->variable[i];
    if (x->rate < 0) {
        const char *name = crank_store_print(&flat->store, "der(%s)", x->name);
        x->rate = crank_ex_symbol(flat->pool, name != NULL ? name : "der()");
    }
    return x->rate;
}

int crank_flat_before(crank_flat *flat, int i)
{
    if (flat->variable[i].before < 0) {
        const char *name = crank_store_print(&flat->store, "pre(%s)", flat->variable[i].name);
        const int made = name != NULL ? crank_flat_add_variable(flat, name) : -1;
        if (made < 0) {
            return -1;
        }
        const crank_flat_variable *x = &flat->variable[i];
        flat->variable[made].type = x->type;
        flat->variable[made].place = x->place;
        flat->variable[made].start = x->start;
        flat->variable[made].role = CRANK_FLAT_DISCRETE;
        flat->variable[made].made = true;
        flat->variable[i].before = made;
    }
    return flat->variable[i].before;
}

int crank_flat_factor_kind(double number)
{
    static const double factors[CRANK_FLAT_FACTORS] = {1.0, 2.0, 0.5};
    for (int i = 0; i < CRANK_FLAT_FACTORS; i++) {
        if (fabs(number) == factors[i]) { // NOLINT: exact
            return i;
        }
    }
    return -1;
}

int *crank_flat_map(crank_flat *flat)
{
    const size_t size = (size_t)crank_pool_size(flat->pool);
    int *map = crank_store_take(&flat->store, size, sizeof *map);
    if (map == NULL) {
        return NULL;
    }
    memset(map, -1, size * sizeof *map);
    for (int i = 0; i < flat->variable_count; i++) {
        map[flat->variable[i].symbol] = 2 * i;
        if (flat->variable[i].rate >= 0) {
            map[flat->variable[i].rate] = 2 * i + 1;
        }
    }
    return map;
}

crank_ex crank_flat_replace(crank_flat *flat, crank_ex ex, int size, const crank_ex *by)
{
    crank_ex own[64], *symbols = own;
    const int found = crank_ex_symbols(flat->pool, ex, NULL, 0);
    if (2 * found > 64) {
        symbols = crank_store_take(&flat->store, 2 * (size_t)found, sizeof *symbols);
        if (symbols == NULL) {
            return ex;
        }
    }
    crank_ex *values = symbols + found;
    (void)crank_ex_symbols(flat->pool, ex, symbols, found);
    int count = 0;
    for (int k = 0; k < found; k++) {
        if (symbols[k] < size && by[symbols[k]] >= 0) {
            values[count] = by[symbols[k]];
            symbols[count++] = symbols[k];
        }
    }
    return count > 0 ? crank_ex_substitute(flat->pool, ex, count, symbols, values) : ex;
}

static void put(crank_flat *flat, crank_ex *ex, int size, const crank_ex *by)
{
    if (*ex >= 0) {
        *ex = crank_flat_replace(flat, *ex, size, by);
    }
}

void crank_flat_substitute(crank_flat *flat, int size, const crank_ex *by)
{
    for (int list = 0; list < 2; list++) {
        const int equations = list == 0 ? flat->equation_count : flat->initial_count;
        crank_flat_equation *equation = list == 0 ? flat->equation : flat->initial;
        for (int i = 0; i < equations; i++) {
            put(flat, &equation[i].left, size, by);
            put(flat, &equation[i].right, size, by);
        }
    }
    for (int i = 0; i < flat->variable_count; i++) {
        put(flat, &flat->variable[i].value, size, by);
    }
    for (int i = 0; i < flat->event_count; i++) {
        crank_flat_event *e = &flat->event[i];
        put(flat, &e->condition, size, by);
        put(flat, &e->when, size, by);
    }
    for (int i = 0; i < flat->update_count; i++) {
        put(flat, &flat->update[i].value, size, by);
        put(flat, &flat->update[i].condition, size, by);
    }
    for (int i = 0; i < flat->assertion_count; i++) {
        put(flat, &flat->assertion[i].condition, size, by);
    }
}
