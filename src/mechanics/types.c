/* types.c - all types of joints and forces as the reader wants them, and what can be told of
 * model files without reading one: the reference of their keys and the JSON Schema. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build.h"

static const crank_record_type **records(crank_store *store,
                                         const crank_element_type *const *types)
{
    int count = 0;
    while (types[count] != NULL) {
        count++;
    }
    const crank_record_type **list =
        crank_store_take(store, (size_t)count + 1, sizeof(crank_record_type *));
    for (int i = 0; i < count && list != NULL; i++) {
        list[i] = &types[i]->record;
    }
    return list;
}

bool crank_record_has(const crank_record *record, crank_trait trait)
{
    /* its first member */
    return (((const crank_element_type *)record->type)->traits & (unsigned)trait) != 0;
}

bool crank_types_list(crank_store *store, const crank_record_type *const **joints,
                      const crank_record_type *const **forces)
{
    *joints = records(store, crank_joint_types);
    *forces = records(store, crank_force_types);
    return *joints != NULL && *forces != NULL;
}

typedef void page_fn(crank_text *out, const crank_record_type *const *joints,
                     const crank_record_type *const *forces);

static crank_status make_page(page_fn *write, char **text, crank_error *err)
{
    crank_store store = {0};
    crank_text out = {0};
    const crank_record_type *const *joints, *const *forces;
    *text = NULL;
    if (crank_types_list(&store, &joints, &forces)) {
        write(&out, joints, forces);
    }
    crank_store_free(&store);
    if (out.failed || out.data == NULL) {
        crank_text_free(&out);
        return crank_fail(err, CRANK_EMEM, "the keys of model files");
    }
    *text = out.data;
    return CRANK_OK;
}

crank_status crank_model_schema(char **text, crank_error *err)
{
    return make_page(crank_mechanism_schema, text, err);
}

crank_status crank_model_reference(char **text, crank_error *err)
{
    return make_page(crank_mechanism_reference, text, err);
}
