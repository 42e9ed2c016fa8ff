/* mjcf.c - robots from MJCF files; docs/formats.md, "MJCF". Included files first, then settings,
 * bodies, and what ties and moves them. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/mjcf.h"

#include "base/then.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { INCLUDES = 100, DEPTH = 256 };

/* ---- includes ---- */

static crank_status load(crank_import *im, const crank_xml *e, crank_xml **out)
{
    const char *name = crank_xml_get(e, "file");
    const crank_named_file *file = NULL;
    crank_error why = {0};
    if (name == NULL) {
        return crank_xml_fail(im->err, e, "<include>: it has no file");
    }
    const char *path = crank_named_file_path(im->store, im->path, name);
    if (path == NULL) {
        return CRANK_EMEM;
    }
    if (crank_files_load(im->files, path, &file, &why) != CRANK_OK) {
        return crank_xml_fail(im->err, e, "<include>: %.300s", why.text);
    }
    const char *kept = crank_store_copy(im->store, path, strlen(path));
    return crank_xml_read(file->text, file->length, kept, im->store, out, im->err);
}

/* in place of every <include>, what stands in that file; count: of files, which bounds
 * circles */
static crank_status include(crank_import *im, crank_xml *e, int depth, int *count)
{
    crank_xml **link = &e->first;
    crank_status status = CRANK_OK;
    if (depth > DEPTH) { /* files in files, each as deep as one may be */
        return crank_xml_fail(im->err, e, "elements are nested more than %d levels deep",
                              DEPTH);
    }
    e->last = NULL;
    while (*link != NULL && status == CRANK_OK) {
        crank_xml *child = *link, *root = NULL;
        if (strcmp(child->name, "include") != 0) {
            status = include(im, child, depth + 1, count);
            e->last = child;
            link = &child->next;
            continue;
        }
        if (++*count > INCLUDES) {
            return crank_xml_fail(im->err, child,
                                  "<include>: more than %d files, or one that "
                                  "includes itself",
                                  INCLUDES);
        }
        status = load(im, child, &root);
        if (status != CRANK_OK) {
            return status;
        }
        for (crank_xml *inside = root->first; inside != NULL; inside = inside->next) {
            inside->parent = e;
        }
        if (root->first != NULL) {
            root->last->next = child->next;
            *link = root->first; /* which may include others */
        } else {
            *link = child->next;
        }
    }
    return status;
}

/* ---- the file ---- */

static crank_status read_sections(crank_mjcf *m, const char *name,
                                  crank_status (*read)(crank_mjcf *m, const crank_xml *e))
{
    crank_status status = CRANK_OK;
    for (const crank_xml *e = crank_xml_child(m->root, name); e != NULL && status == CRANK_OK;
         e = crank_xml_next(e, name)) {
        status = read(m, e);
    }
    return status;
}

crank_status crank_import_mjcf(crank_import *im, crank_xml *mujoco, const crank_node **root)
{
    static const char other[] = "read are motor, position, velocity and affine ones, "
                                "on joints and fixed tendons";
    static const char *const why[] = {"contact",     "contacts are not simulated",
                                      "sensor",      "sensors are not read",
                                      "keyframe",    "give a start by initial",
                                      "visual",      "it is for another viewer",
                                      "site",        "no equality names it",
                                      "camera",      "it is for another viewer",
                                      "light",       "it is for another viewer",
                                      "asset",       "no geom needs it",
                                      "texture",     "it is for another viewer",
                                      "material",    "colours are those of geoms",
                                      "mesh",        "no geom needs it",
                                      "spatial",     "tendons along paths are not read",
                                      "size",        "crank needs no sizes",
                                      "custom",      "it is for other programs",
                                      "statistic",   "it is for another viewer",
                                      "general",     other,
                                      "damper",      other,
                                      "muscle",      other,
                                      "cylinder",    other,
                                      "adhesion",    other,
                                      "intvelocity", other,
                                      NULL};
    int files = 0;
    crank_robot *r = crank_store_take(im->store, 1, sizeof *r);
    if (r == NULL) {
        return crank_fail(im->err, CRANK_EMEM, "reading the robot");
    }
    *r = (crank_robot){
        .im = im, .name = crank_xml_get(mujoco, "model"), .gravity = {0, 0, -9.81}};
    r->ground.name = "ground";
    r->ground.e = mujoco;
    crank_mjcf m = {.r = r,
                    .root = mujoco,
                    .angle = 3.14159265358979323846 / 180.0,
                    .from_geoms = -1,
                    .groups = {-HUGE_VAL, HUGE_VAL},
                    .euler = "xyz"};
    crank_status status = include(im, mujoco, 1, &files);
    CRANK_THEN(status, crank_mjcf_compiler(&m));
    CRANK_THEN(status, crank_mjcf_option(&m));
    CRANK_THEN(status, read_sections(&m, "worldbody", crank_mjcf_bodies));
    if (status == CRANK_OK && r->link_count == 0) {
        status = crank_xml_fail(im->err, mujoco, "<mujoco>: there is no body");
    }
    crank_mjcf_total_mass(&m);
    CRANK_THEN(status, crank_robot_check(r)); /* where bodies are */
    CRANK_THEN(status, read_sections(&m, "tendon", crank_mjcf_tendons));
    CRANK_THEN(status, read_sections(&m, "equality", crank_mjcf_equalities));
    CRANK_THEN(status, read_sections(&m, "actuator", crank_mjcf_actuators));
    CRANK_THEN(status, crank_robot_check(r));
    CRANK_THEN(status, crank_robot_tree(r, root));
    if (status == CRANK_OK) {
        crank_import_find_unused(im, mujoco, why);
    }
    return im->store->failed ? crank_fail(im->err, CRANK_EMEM, "reading the robot") : status;
}
