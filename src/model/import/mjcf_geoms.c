/* mjcf_geoms.c - geoms: what is drawn, and mass and inertia of bodies without an <inertial>.
 *
 * Solids about their centres, with half lengths as MJCF gives them: a sphere 2/5 m r^2, a box
 * m/3 (b^2 + c^2), an ellipsoid m/5 (b^2 + c^2), a cylinder m (3 r^2 + 4 h^2)/12 across and
 * m r^2/2 along z; a capsule is a cylinder and two half spheres, whose centres of mass are 3/8
 * r beyond its ends. Turned by R and moved by c: R I R^T + m (c.c 1 - c c^T). */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/mjcf.h"

#include "base/then.h"
#include "linalg/rotation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct solid {
    const char *kind;
    int sizes; /* numbers of size; with fromto the last one is the distance */
} solid;

static const solid solids[] = {
    {"sphere", 1}, {"capsule", 2}, {"cylinder", 2}, {"box", 3}, {"ellipsoid", 3}};

/* volume and moments of density one about the centre */
static double volume_of(const char *kind, const double s[3], double I[3])
{
    double m = 0.0;
    if (strcmp(kind, "sphere") == 0) {
        m = 4.0 / 3.0 * pi * s[0] * s[0] * s[0];
        I[0] = I[1] = I[2] = 0.4 * m * s[0] * s[0];
    } else if (strcmp(kind, "box") == 0 || strcmp(kind, "ellipsoid") == 0) {
        const bool box = kind[0] == 'b';
        const double factor = box ? 1.0 / 3.0 : 0.2;
        m = (box ? 8.0 : 4.0 / 3.0 * pi) * s[0] * s[1] * s[2];
        for (int i = 0; i < 3; i++) {
            const double b = s[(i + 1) % 3], c = s[(i + 2) % 3];
            I[i] = factor * m * (b * b + c * c);
        }
    } else {
        const double r = s[0], h = s[1]; /* half of its height */
        m = 2.0 * pi * r * r * h;
        I[0] = I[1] = m * (3.0 * r * r + 4.0 * h * h) / 12.0;
        I[2] = 0.5 * m * r * r;
        if (strcmp(kind, "capsule") == 0) {
            const double ball = 4.0 / 3.0 * pi * r * r * r, end = h + 0.375 * r;
            I[0] += ball * (0.4 * r * r - 0.375 * 0.375 * r * r + end * end);
            I[1] = I[0];
            I[2] += 0.4 * ball * r * r;
            m += ball;
        }
    }
    return m;
}

static void add_weight(crank_mjcf_weight *w, double mass, const double I[3],
                       const crank_frame *at)
{
    double R[9];
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const double *c = at->x, square = crank_dot3(c, c);
    crank_quaternion_matrix(R, at->q);
    for (int k = 0; k < 6; k++) {
        double sum = k < 3 ? mass * square : 0.0;
        for (int j = 0; j < 3; j++) {
            sum += R[3 * row[k] + j] * I[j] * R[3 * column[k] + j];
        }
        w->inertia[k] += sum - mass * c[row[k]] * c[column[k]];
    }
    crank_add3(w->moment, mass, c);
    w->mass += mass;
}

void crank_mjcf_weigh(const crank_mjcf_weight *w, crank_robot_link *link)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    if (!(w->mass > 0.0)) {
        return;
    }
    double c[3];
    for (int i = 0; i < 3; i++) {
        c[i] = w->moment[i] / w->mass;
    }
    link->mass = w->mass;
    link->inertial = crank_frame_none;
    memcpy(link->inertial.x, c, sizeof c);
    for (int k = 0; k < 6; k++) {
        const double steiner = (k < 3 ? crank_dot3(c, c) : 0.0) - c[row[k]] * c[column[k]];
        link->inertia[k] = w->inertia[k] - w->mass * steiner;
    }
}

/* ---- reading ---- */

/* from one end to the other: the frame in the middle, z along it, and half the distance */
static crank_status take_fromto(crank_mjcf *m, const crank_xml *e, const double ends[6],
                                crank_frame *at, double *half)
{
    double way[3];
    for (int i = 0; i < 3; i++) {
        at->x[i] = 0.5 * (ends[i] + ends[3 + i]);
        way[i] = ends[i] - ends[3 + i];
    }
    *half = 0.5 * crank_norm3(way);
    if (!(*half > 0.0)) {
        return crank_xml_fail(m->r->im->err, e, "<geom fromto>: its ends are one point");
    }
    crank_frame_along(at->q, way);
    return CRANK_OK;
}

const char *crank_mjcf_color(const crank_mjcf *m, const crank_xml *e, const char *childclass,
                             double *opacity)
{
    double rgba[4] = {0.5, 0.5, 0.5, 1.0};
    bool given = false;
    if (crank_mjcf_numbers(m, e, "geom", childclass, "rgba", 4, rgba, &given) != CRANK_OK ||
        !given) {
        return NULL;
    }
    int part[3];
    for (int i = 0; i < 3; i++) {
        part[i] = (int)lround(255.0 * fmin(fmax(rgba[i], 0.0), 1.0));
    }
    *opacity = fmin(rgba[3], 1.0);
    return crank_store_print(m->r->im->store, "#%02x%02x%02x", part[0], part[1], part[2]);
}

static crank_status draw(crank_mjcf *m, const crank_xml *e, const char *childclass,
                         const char *kind, const double s[3], const crank_frame *at,
                         crank_robot_link *link)
{
    const bool ellipsoid = strcmp(kind, "ellipsoid") == 0;
    crank_robot_shape *shape =
        crank_robot_add_shape(m->r, link, e, ellipsoid ? "sphere" : kind);
    if (shape == NULL) {
        return CRANK_EMEM;
    }
    shape->at = *at;
    shape->color = crank_mjcf_color(m, e, childclass, &shape->opacity);
    if (ellipsoid) {
        crank_import_find(m->r->im, e, "an ellipsoid is drawn as a sphere");
        shape->sizes = 1;
        shape->size[0] = cbrt(s[0] * s[1] * s[2]);
        return CRANK_OK;
    }
    const bool box = strcmp(kind, "box") == 0, sphere = strcmp(kind, "sphere") == 0;
    shape->sizes = box ? 3 : sphere ? 1 : 2;
    for (int i = 0; i < shape->sizes; i++) {
        shape->size[i] = (box || i == 1 ? 2.0 : 1.0) * s[i];
    }
    return CRANK_OK;
}

crank_status crank_mjcf_density(const crank_mjcf *m, const crank_xml *e, const char *childclass,
                                double volume, double *out)
{
    double mass = 0.0, density = 1000.0;
    bool given = false;
    crank_status status =
        crank_mjcf_numbers(m, e, "geom", childclass, "mass", 1, &mass, &given);
    CRANK_THEN(status,
               crank_mjcf_numbers(m, e, "geom", childclass, "density", 1, &density, NULL));
    *out = given ? mass / volume : density;
    return status != CRANK_OK || *out >= 0.0
               ? status
               : crank_xml_fail(m->r->im->err, e, "<geom>: mass or density below zero");
}

static crank_status weigh(crank_mjcf *m, const crank_xml *e, const char *childclass,
                          const char *kind, const double s[3], const crank_frame *at,
                          crank_mjcf_weight *weight)
{
    double density = 0.0, I[3];
    const double volume = volume_of(kind, s, I);
    const crank_status status = crank_mjcf_density(m, e, childclass, volume, &density);
    for (int i = 0; i < 3; i++) {
        I[i] *= density;
    }
    if (status == CRANK_OK) {
        add_weight(weight, density * volume, I, at);
    }
    return status;
}

/* inertiagrouprange leaves some out */
static crank_status is_weighed(const crank_mjcf *m, const crank_xml *e, const char *childclass,
                               bool *out)
{
    double group = 0.0;
    const crank_status status =
        crank_mjcf_numbers(m, e, "geom", childclass, "group", 1, &group, NULL);
    *out = group >= m->groups[0] && group <= m->groups[1];
    return status;
}

crank_status crank_mjcf_geom(crank_mjcf *m, const crank_xml *e, const char *childclass,
                             const crank_frame *at, crank_robot_link *link,
                             crank_mjcf_weight *weight)
{
    const char *kind = crank_mjcf_get(m, e, "geom", childclass, "type");
    const crank_xml *from = crank_mjcf_owner(m, e, "geom", childclass, "fromto");
    double s[3] = {0.0, 0.0, 0.0}, ends[6];
    crank_frame own;
    int found = 0;
    (void)crank_xml_get(e, "name");
    kind = kind != NULL                                               ? kind
           : crank_mjcf_get(m, e, "geom", childclass, "mesh") != NULL ? "mesh"
                                                                      : "sphere";
    bool weighed = false;
    crank_status status = crank_mjcf_list(m, e, "geom", childclass, "size", 3, s, &found);
    CRANK_THEN(status, crank_mjcf_frame(m, e, "geom", childclass, &own));
    CRANK_THEN(status, is_weighed(m, e, childclass, &weighed));
    weight = weighed ? weight : NULL;
    if (status == CRANK_OK && strcmp(kind, "mesh") == 0) {
        const crank_frame placed = crank_frame_chain(at, &own);
        return crank_mjcf_mesh(m, e, childclass, &placed, link, weight);
    }
    const solid *of = NULL;
    for (size_t i = 0; i < sizeof solids / sizeof *solids; i++) {
        of = strcmp(solids[i].kind, kind) == 0 ? &solids[i] : of;
    }
    if (of == NULL && status == CRANK_OK) {
        if (strcmp(kind, "plane") != 0 && strcmp(kind, "hfield") != 0) {
            return crank_xml_fail(m->r->im->err, e, "<geom>: type \"%.40s\" is not known",
                                  kind);
        }
        crank_import_find(m->r->im, e,
                          "<geom> of type %s is not used: it has no mass and "
                          "there are no contacts",
                          kind);
        return CRANK_OK;
    }
    if (status == CRANK_OK && from != NULL) {
        double half = 0.0;
        status = crank_xml_numbers(from, "fromto", 6, ends, m->r->im->err);
        CRANK_THEN(status, take_fromto(m, e, ends, &own, &half));
        if (of != NULL && of->sizes == 3) {
            s[1] = found > 1 ? s[1] : s[0];
        }
        s[of != NULL && of->sizes > 1 ? of->sizes - 1 : 0] = half;
        found = of != NULL ? of->sizes : 0;
    }
    for (int i = 0; i < (of != NULL ? of->sizes : 0) && status == CRANK_OK; i++) {
        if (i >= found || !(s[i] > 0.0)) {
            status = crank_xml_fail(m->r->im->err, e,
                                    "<geom type=\"%s\">: its size has %d positive numbers",
                                    kind, of->sizes);
        }
    }
    const crank_frame placed = crank_frame_chain(at, &own);
    CRANK_THEN(status, draw(m, e, childclass, kind, s, &placed, link));
    CRANK_THEN(status,
               weight != NULL ? weigh(m, e, childclass, kind, s, &placed, weight) : CRANK_OK);
    return status;
}
