/* urdf_shapes.c - what URDF files draw: <visual> as shapes of `view`. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/urdf.h"

#include "base/then.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const crank_xml *find_material(const crank_xml *robot, const char *name)
{
    const crank_xml *m = crank_xml_child(robot, "material");
    while (m != NULL) {
        const char *own = crank_xml_get(m, "name");
        if (own != NULL && strcmp(own, name) == 0) {
            return m;
        }
        m = crank_xml_next(m, "material");
    }
    return NULL;
}

static crank_status read_color(crank_robot *r, const crank_xml *robot, const crank_xml *visual,
                               crank_robot_shape *shape)
{
    const crank_xml *material = crank_xml_child(visual, "material");
    const char *name = material != NULL ? crank_xml_get(material, "name") : NULL;
    const crank_xml *color = material != NULL ? crank_xml_child(material, "color") : NULL;
    if (color == NULL && name != NULL) {
        material = find_material(robot, name);
        color = material != NULL ? crank_xml_child(material, "color") : NULL;
    }
    if (color == NULL) {
        return CRANK_OK;
    }
    double rgba[4] = {0.5, 0.5, 0.5, 1.0};
    const crank_status status = crank_xml_numbers(color, "rgba", 4, rgba, r->im->err);
    int part[3];
    for (int i = 0; i < 3; i++) {
        part[i] = (int)lround(255.0 * fmin(fmax(rgba[i], 0.0), 1.0));
    }
    shape->color = crank_store_print(r->im->store, "#%02x%02x%02x", part[0], part[1], part[2]);
    shape->opacity = fmin(rgba[3], 1.0);
    return status;
}

/* lengths of an element that is a solid, as `view` wants them */
static crank_status read_solid(crank_robot *r, const crank_xml *e, crank_robot_shape *shape)
{
    crank_error *err = r->im->err;
    crank_status status = CRANK_OK;
    if (strcmp(shape->kind, "box") == 0) {
        shape->sizes = 3;
        status = crank_xml_numbers(e, "size", 3, shape->size, err);
    } else {
        status = crank_xml_numbers(e, "radius", 1, &shape->size[0], err);
        shape->sizes = 1;
        if (strcmp(shape->kind, "sphere") != 0) {
            shape->sizes = 2;
            CRANK_THEN(status, crank_xml_numbers(e, "length", 1, &shape->size[1], err));
        }
    }
    for (int i = 0; i < shape->sizes && status == CRANK_OK; i++) {
        if (!(shape->size[i] > 0.0)) {
            status = crank_xml_fail(err, e, "<%s>: a length is %g", e->name, shape->size[i]);
        }
    }
    return status;
}

static crank_status read_mesh(crank_robot *r, const crank_xml *e, crank_robot_link *link,
                              crank_robot_shape **shape)
{
    const char *file = crank_xml_get(e, "filename");
    double scale[3] = {1.0, 1.0, 1.0};
    if (file == NULL) {
        return crank_xml_fail(r->im->err, e, "<mesh> has no filename");
    }
    crank_status status = crank_xml_numbers(e, "scale", 3, scale, r->im->err);
    CRANK_THEN(status, crank_robot_mesh(r, link, e, file, shape));
    if (status == CRANK_OK && *shape != NULL) {
        (*shape)->size[0] = scale[0];
        if (scale[1] != scale[0] || scale[2] != scale[0]) {
            crank_import_find(r->im, e, "mesh \"%.100s\": it is drawn with one scale, %g", file,
                              scale[0]);
        }
    }
    return status;
}

crank_status crank_urdf_visuals(crank_robot *r, const crank_xml *robot, crank_robot_link *link)
{
    static const char *const solids[] = {"box", "cylinder", "sphere", "capsule", NULL};
    crank_status status = CRANK_OK;
    for (crank_xml *v = crank_xml_child(link->e, "visual"); v != NULL && status == CRANK_OK;
         v = crank_xml_next(v, "visual")) {
        const crank_xml *geometry = crank_xml_child(v, "geometry");
        crank_robot_shape *shape = NULL;
        (void)crank_xml_get(v, "name");
        if (geometry == NULL) {
            continue;
        }
        const crank_xml *mesh = crank_xml_child(geometry, "mesh");
        for (int i = 0; solids[i] != NULL && shape == NULL && status == CRANK_OK; i++) {
            const crank_xml *e = crank_xml_child(geometry, solids[i]);
            if (e != NULL) {
                shape = crank_robot_add_shape(r, link, e, solids[i]);
                status = shape != NULL ? read_solid(r, e, shape) : CRANK_EMEM;
            }
        }
        if (mesh != NULL && shape == NULL && status == CRANK_OK) {
            status = read_mesh(r, mesh, link, &shape);
        }
        if (shape != NULL) {
            CRANK_THEN(status, crank_urdf_origin(r, crank_xml_child(v, "origin"), &shape->at));
            CRANK_THEN(status, read_color(r, robot, v, shape));
        } else {
            crank_xml_use_all(v);
        }
    }
    return status;
}
