/* features.c - see features.h: what is found in the expressions of a model, as programs that
 * features_look.c runs. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/features_inside.h"

#include <stdlib.h>
#include <string.h>

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "narrow parts of the equations");
}

/* ---- making ---- */

static crank_status keep_tables(crank_model *model, const crank_pool *pool,
                                const crank_ex_features *found, struct crank_feature_set *s,
                                crank_error *err)
{
    s->table =
        crank_store_take(&model->store, (size_t)found->table_count + 1, sizeof *s->table);
    for (int i = 0; i < found->table_count && s->table != NULL; i++) {
        crank_feature_knots *k = &s->table[i];
        const double *x =
            crank_ex_table_knots(pool, found->table[i], &k->rows, &k->order, &k->period);
        k->x = crank_model_keep(model, x, (size_t)k->rows, sizeof *x);
    }
    return model->store.failed ? no_memory(err) : CRANK_OK;
}

crank_status crank_model_keep_features(crank_model *model, crank_pool *pool,
                                       const crank_ex_features *found, int input_count,
                                       const crank_ex *inputs, const int *source,
                                       crank_error *err)
{
    const int place_count = found->edge_count + found->table_count;
    struct crank_feature_set *s = crank_store_take(&model->store, 1, sizeof *s);
    crank_ex *place = calloc((size_t)place_count + 1, sizeof *place);
    if (s == NULL || place == NULL) {
        free(place);
        return no_memory(err);
    }
    *s = (struct crank_feature_set){.input_count = input_count,
                                    .value_count = found->value_count,
                                    .edge_count = found->edge_count,
                                    .corner_count = found->corner_count,
                                    .table_count = found->table_count,
                                    .flat_count = found->flat_count,
                                    .place_count = place_count,
                                    .sampled = found->sampled};
    model->features = s;
    for (int i = 0; i < place_count; i++) {
        const int table = i - found->edge_count;
        place[i] =
            table < 0 ? found->edge[i] : crank_ex_get_operand(pool, found->table[table], 0);
    }
    s->single = crank_model_keep(model, found->single, (size_t)found->value_count,
                                 sizeof *found->single);
    if (source != NULL) {
        s->source = crank_model_keep(model, source, (size_t)input_count, sizeof *source);
    }
    crank_status status = keep_tables(model, pool, found, s, err);
    if (status == CRANK_OK) {
        status = crank_tape_create(pool, input_count, inputs, found->value_count, found->value,
                                   &s->values, err);
    }
    if (status == CRANK_OK && place_count > 0) {
        status =
            crank_tape_create(pool, input_count, inputs, place_count, place, &s->places, err);
    }
    if (status == CRANK_OK && found->flat_count > 0) {
        status = crank_tape_create(pool, input_count, inputs, found->flat_count, found->flat,
                                   &s->flat, err);
    }
    free(place);
    return status;
}

/* ---- kinds whose symbols are the eom's unknowns ---- */

typedef struct symbols {
    crank_ex t;
    int *place; /* by node: -1 none, else as `source` */
    int n;
} symbols;

static crank_ex_role role_of(crank_ex symbol, const void *user)
{
    const symbols *s = user;
    const int place = s->place[symbol];
    return place < 0       ? CRANK_ROLE_UNKNOWN
           : place == 0    ? CRANK_ROLE_TIME
           : place <= s->n ? CRANK_ROLE_VARIABLE
                           : CRANK_ROLE_CONSTANT;
}

/* the inputs of what was found: symbols that have a place, each once */
static int find_inputs(crank_pool *pool, const crank_ex_features *found, const symbols *s,
                       int node_count, crank_ex *inputs, int *source)
{
    int count = 0;
    for (crank_ex e = 0; e < node_count; e++) {
        bool used = false;
        for (int i = 0; i < found->value_count && s->place[e] >= 0 && !used; i++) {
            used = crank_ex_depends(pool, found->value[i], e);
        }
        if (used) {
            inputs[count] = e;
            source[count++] = s->place[e];
        }
    }
    return count;
}

crank_status crank_model_find_features(crank_model *model, crank_pool *pool, crank_ex t,
                                       const crank_ex *columns, int count,
                                       const crank_ex *parameters, int root_count,
                                       const crank_ex *roots, crank_error *err)
{
    const int nodes = crank_pool_size(pool), n = model->eom->n;
    const size_t most = (size_t)n + (size_t)count + 2;
    symbols s = {.t = t, .n = n, .place = malloc(((size_t)nodes + 1) * sizeof *s.place)};
    crank_ex *inputs = calloc(most, sizeof *inputs);
    int *source = calloc(most, sizeof *source);
    crank_ex_features found = {0};
    crank_status status =
        s.place != NULL && inputs != NULL && source != NULL ? CRANK_OK : no_memory(err);
    if (status == CRANK_OK) {
        memset(s.place, -1, ((size_t)nodes + 1) * sizeof *s.place);
        s.place[t] = 0;
        for (int i = 0; i < n; i++) {
            s.place[columns[i]] = 1 + i;
        }
        for (int i = 0; i < count; i++) {
            s.place[parameters[i]] = 1 + n + i;
        }
        status = crank_ex_find_features(pool, root_count, roots, role_of, &s, &found, err);
    }
    if (status == CRANK_OK && found.value_count > 0) {
        const int used = find_inputs(pool, &found, &s, nodes, inputs, source);
        status = crank_model_keep_features(model, pool, &found, used, inputs, source, err);
    }
    crank_ex_features_free(&found);
    free(s.place);
    free(inputs);
    free(source);
    return status;
}

void crank_model_free_features(crank_model *model)
{
    if (model->features != NULL) {
        crank_tape_destroy(model->features->values);
        crank_tape_destroy(model->features->places);
        crank_tape_destroy(model->features->flat);
    }
}

crank_status crank_feature_work_create(crank_state *state, crank_error *err)
{
    const struct crank_feature_set *s = state->model->features;
    crank_store *store = &state->store;
    if (s == NULL) {
        return CRANK_OK;
    }
    struct crank_feature_work *w = crank_store_take(store, 1, sizeof *w);
    if (w == NULL) {
        return no_memory(err);
    }
    const int of_values = crank_tape_work_size(s->values, CRANK_FEATURES_TOGETHER);
    const int of_places = s->places != NULL ? crank_tape_work_size(s->places, 2) : 0;
    const int of_flat = s->flat != NULL ? crank_tape_work_size(s->flat, 2) : 0;
    const int of_ends = of_places > of_flat ? of_places : of_flat;
    w->in = crank_store_take(store, (size_t)s->input_count * CRANK_FEATURES_TOGETHER,
                             sizeof *w->in);
    w->out = crank_store_take(store, (size_t)s->value_count * CRANK_FEATURES_TOGETHER,
                              sizeof *w->out);
    w->place = crank_store_take(store, 2 * (size_t)s->place_count + 1, sizeof *w->place);
    w->flat = crank_store_take(store, 2 * (size_t)s->flat_count + 1, sizeof *w->flat);
    w->registers = crank_store_take(store, (size_t)(of_values > of_ends ? of_values : of_ends),
                                    sizeof(double));
    w->flip = crank_store_take(store, (size_t)s->edge_count + 2, sizeof *w->flip);
    w->course = crank_store_take(store, (size_t)s->value_count, sizeof *w->course);
    state->features = w;
    return store->failed ? no_memory(err) : CRANK_OK;
}

/* ---- arguments ---- */

static void fetch(void *user, double t, const double *x, double *inputs)
{
    const crank_state *state = user;
    const struct crank_feature_set *s = state->model->features;
    const int n = state->eom->n;
    if (s->source == NULL) {
        state->model->functions->inputs(state->eom->self, t, x, inputs);
        return;
    }
    const double *parameter = NULL;
    if (state->model->functions->parameters != NULL) {
        double *start;
        parameter = state->model->functions->parameters(state->eom->self, &start);
    }
    for (int i = 0; i < s->input_count; i++) {
        const int place = s->source[i];
        inputs[i] = place == 0   ? crank_eom_time(state->eom, t)
                    : place <= n ? x[place - 1]
                                 : parameter[place - 1 - n];
    }
}

crank_features crank_state_features(crank_state *state)
{
    const struct crank_feature_set *s = state->model->features;
    return s == NULL ? (crank_features){0}
                     : (crank_features){.count = s->value_count,
                                        .inputs = s->input_count,
                                        .fetch = fetch,
                                        .look = crank_features_look,
                                        .knot = s->table_count > 0 ? crank_features_knot : NULL,
                                        .user = state};
}
