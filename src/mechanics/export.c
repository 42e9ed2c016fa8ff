/* export.c - a mechanism as a robot of another format: read as for a model, but not built. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/export.h"

#include "base/then.h"
#include "mechanics/build.h"
#include "model/import/export.h"

crank_status crank_mechanism_export(const crank_model_source *source, bool mjcf,
                                    crank_import *im, crank_text *text)
{
    const crank_record_type *const *joints, *const *forces;
    const crank_model_options defaults = crank_model_options_default();
    crank_mechanism m = {.store = im->store,
                         .options = source->options != NULL ? source->options : &defaults,
                         .files = source->files,
                         .pool = crank_pool_create()};
    crank_robot *r = crank_store_take(im->store, 1, sizeof *r);
    if (m.pool == NULL || r == NULL || !crank_types_list(im->store, &joints, &forces)) {
        crank_pool_destroy(m.pool);
        return crank_fail(im->err, CRANK_EMEM, "the robot");
    }
    r->im = im;
    crank_status status =
        crank_mechanism_read(&m, source->document, source->path, joints, forces, im->err);
    CRANK_THEN(status, crank_robot_of(r, &m));
    if (status == CRANK_OK && mjcf) {
        crank_mjcf_write(r, text);
    } else if (status == CRANK_OK) {
        crank_urdf_write(r, text);
    }
    crank_pool_destroy(m.pool);
    if (status == CRANK_OK && (text->failed || im->store->failed)) {
        status = crank_fail(im->err, CRANK_EMEM, "the robot");
    }
    return status;
}
