/* mjcf_values.c - values of attributes: an element's own, or those of its class of defaults and
 * of the classes around that; orientations in all the ways that MJCF has. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/mjcf.h"

#include "base/then.h"
#include "linalg/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- defaults ---- */

static crank_xml *find_class(const crank_xml *from, const char *name)
{
    for (crank_xml *d = crank_xml_child(from, "default"); d != NULL;
         d = crank_xml_next(d, "default")) {
        const char *own = crank_xml_get(d, "class");
        crank_xml *inside = NULL;
        if (own != NULL && strcmp(own, name) == 0) {
            return d;
        }
        inside = find_class(d, name);
        if (inside != NULL) {
            return inside;
        }
    }
    return NULL;
}

/* in this class of defaults or one around it */
static const crank_xml *find_default(const crank_xml *class, const char *kind,
                                     const char *attribute)
{
    for (; class != NULL && strcmp(class->name, "default") == 0; class = class->parent) {
        const crank_xml *e = crank_xml_child(class, kind);
        if (e != NULL && crank_xml_get(e, attribute) != NULL) {
            return e;
        }
    }
    return NULL;
}

const crank_xml *crank_mjcf_owner(const crank_mjcf *m, const crank_xml *e, const char *kind,
                                  const char *childclass, const char *attribute)
{
    if (crank_xml_get(e, attribute) != NULL) {
        return e;
    }
    const char *name = crank_xml_get(e, "class");
    name = name != NULL ? name : childclass;
    const crank_xml *found =
        name != NULL ? find_default(find_class(m->root, name), kind, attribute) : NULL;
    for (const crank_xml *d = crank_xml_child(m->root, "default"); found == NULL && d != NULL;
         d = crank_xml_next(d, "default")) {
        found = find_default(d, kind, attribute); /* main */
    }
    return found;
}

const char *crank_mjcf_get(const crank_mjcf *m, const crank_xml *e, const char *kind,
                           const char *childclass, const char *attribute)
{
    const crank_xml *owner = crank_mjcf_owner(m, e, kind, childclass, attribute);
    return owner != NULL ? crank_xml_get(owner, attribute) : NULL;
}

crank_status crank_mjcf_numbers(const crank_mjcf *m, const crank_xml *e, const char *kind,
                                const char *childclass, const char *attribute, int count,
                                double *out, bool *given)
{
    const crank_xml *owner = crank_mjcf_owner(m, e, kind, childclass, attribute);
    if (given != NULL) {
        *given = owner != NULL;
    }
    return owner != NULL ? crank_xml_numbers(owner, attribute, count, out, m->r->im->err)
                         : CRANK_OK;
}

crank_status crank_mjcf_list(const crank_mjcf *m, const crank_xml *e, const char *kind,
                             const char *childclass, const char *attribute, int most,
                             double *out, int *found)
{
    const crank_xml *owner = crank_mjcf_owner(m, e, kind, childclass, attribute);
    *found = 0;
    return owner != NULL ? crank_xml_list(owner, attribute, most, out, found, m->r->im->err)
                         : CRANK_OK;
}

/* ---- orientations ---- */

static bool normalise(int count, double *v)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        sum += v[i] * v[i];
    }
    const double length = sqrt(sum);
    if (!(length > 0.0) || !isfinite(length)) {
        return false;
    }
    for (int i = 0; i < count && length != 1.0; i++) {
        v[i] /= length;
    }
    return true;
}

/* lower case: about axes that turn along; upper case: about fixed ones */
static void of_euler(double q[4], const char *sequence, const double angle[3])
{
    double all[4] = {1.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        const char c = sequence[i];
        const bool fixed = c >= 'A' && c <= 'Z';
        const int along = fixed ? c - 'X' : c - 'x';
        double axis[3] = {0.0, 0.0, 0.0}, turn[4], both[4];
        axis[along] = 1.0;
        crank_quaternion_of_axis(turn, axis, angle[i]);
        crank_quaternion_multiply(both, fixed ? turn : all, fixed ? all : turn);
        memcpy(all, both, sizeof all);
    }
    memcpy(q, all, sizeof all);
}

/* x along the first three, y in the plane of both */
static bool of_axes(double q[4], double v[6])
{
    double *x = v, *y = v + 3, z[3];
    if (!normalise(3, x)) {
        return false;
    }
    crank_add3(y, -crank_dot3(x, y), x);
    if (!normalise(3, y)) {
        return false;
    }
    crank_cross3(z, x, y);
    const double R[9] = {x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]};
    crank_quaternion_of_matrix(q, R);
    return true;
}

static bool convert(const crank_mjcf *m, const char *way, double v[6], double q[4])
{
    if (strcmp(way, "quat") == 0) {
        memcpy(q, v, 4 * sizeof *q);
        return normalise(4, q);
    }
    if (strcmp(way, "axisangle") == 0) {
        const bool fine = normalise(3, v);
        crank_quaternion_of_axis(q, v, v[3] * m->angle);
        return fine;
    }
    if (strcmp(way, "euler") == 0) {
        const double angle[3] = {v[0] * m->angle, v[1] * m->angle, v[2] * m->angle};
        of_euler(q, m->euler, angle);
        return true;
    }
    if (strcmp(way, "xyaxes") == 0) {
        return of_axes(q, v);
    }
    if (!normalise(3, v)) {
        return false;
    }
    crank_frame_along(q, v);
    return true;
}

crank_status crank_mjcf_frame(const crank_mjcf *m, const crank_xml *e, const char *kind,
                              const char *childclass, crank_frame *out)
{
    static const struct {
        const char *name;
        int count;
    } ways[] = {{"quat", 4}, {"axisangle", 4}, {"euler", 3}, {"xyaxes", 6}, {"zaxis", 3}};
    *out = crank_frame_none;
    crank_status status = crank_mjcf_numbers(m, e, kind, childclass, "pos", 3, out->x, NULL);
    /* an element's own orientation goes before one of its class */
    for (int own = 1; own >= 0 && status == CRANK_OK; own--) {
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            const crank_xml *owner = crank_mjcf_owner(m, e, kind, childclass, ways[i].name);
            double v[6];
            if (owner == NULL || (owner == e) != (own == 1)) {
                continue;
            }
            status = crank_xml_numbers(owner, ways[i].name, ways[i].count, v, m->r->im->err);
            if (status == CRANK_OK && !convert(m, ways[i].name, v, out->q)) {
                status = crank_xml_fail(m->r->im->err, owner, "<%.40s %s>: it is zero",
                                        owner->name, ways[i].name);
            }
            return status;
        }
    }
    return status;
}
