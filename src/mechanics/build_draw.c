/* build_draw.c - where joints and forces are drawn: the markers that their types have made. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/grow.h"
#include "linalg/rotation.h"
#include "mechanics/build_inside.h"

#include <string.h>

static crank_drawing *drawing_of(const crank_builder *b, crank_owner owner)
{
    return &b->drawing[owner.index +
                       (owner.kind == CRANK_OWNER_FORCE ? b->mechanism->joint_count : 0)];
}

void crank_build_draw(crank_builder *b, crank_owner owner, const crank_marker at[2],
                      const crank_marker *axis, double radius)
{
    crank_drawing *d = drawing_of(b, owner);
    *d = (crank_drawing){
        .given = true, .has_axis = axis != NULL, .at = {at[0], at[1]}, .radius = radius};
    for (int k = 0; k < 2 && axis != NULL; k++) {
        d->axis[k] = axis[k];
    }
}

double (*crank_build_draw_curve(crank_builder *b, const char *name, int body, int count))[3]
{
    crank_drawn_curve *more = crank_store_grow(b->store, b->curve.item, b->curve.count,
                                               &b->curve.capacity, sizeof *b->curve.item);
    double(*point)[3] = crank_store_take(b->store, (size_t)count, sizeof *point);
    if (more == NULL || point == NULL) {
        b->failed = true;
        return NULL;
    }
    b->curve.item = more;
    b->curve.item[b->curve.count++] =
        (crank_drawn_curve){.name = name, .body = body, .count = count, .point = point};
    return point;
}

void crank_build_draw_road(crank_builder *b, const char *name, crank_marker wheel,
                           const crank_ex place[2], crank_ex height)
{
    crank_drawn_road *more = crank_store_grow(b->store, b->road.item, b->road.count,
                                              &b->road.capacity, sizeof *b->road.item);
    if (more == NULL) {
        b->failed = true;
        return;
    }
    b->road.item = more;
    b->road.item[b->road.count++] = (crank_drawn_road){
        .name = name, .wheel = wheel, .place = {place[0], place[1]}, .height = height};
}

void crank_build_draw_at(crank_builder *b, crank_owner owner, int first, crank_marker second,
                         const double *axis, double radius)
{
    double world[3];
    if (second.body >= 0) {
        const crank_body_state *state = crank_build_body(b, second.body);
        crank_mat3_times(world, state->R, second.u);
        crank_add3(world, 1.0, state->x);
    } else {
        memcpy(world, second.u, sizeof world);
    }
    const crank_marker at[2] = {crank_build_point(b, first, world), second};
    crank_marker about[2];
    if (axis != NULL) {
        about[0] = crank_build_direction(b, first, axis);
        about[1] = crank_build_direction(b, second.body, axis);
    }
    crank_build_draw(b, owner, at, axis != NULL ? about : NULL, radius);
}

void crank_build_draw_like(crank_builder *b, crank_owner owner, int joint)
{
    *drawing_of(b, owner) = b->drawing[joint];
}

void crank_build_draw_pitch(crank_builder *b, crank_owner owner, const double radii[2])
{
    memcpy(drawing_of(b, owner)->pitch, radii, 2 * sizeof *radii);
}

void crank_build_draw_pair(crank_builder *b, crank_owner owner, const int joint[2],
                           double radius)
{
    crank_drawing *d = drawing_of(b, owner);
    *d = (crank_drawing){.given = true, .has_axis = true, .radius = radius};
    for (int k = 0; k < 2; k++) {
        const crank_drawing *from = &b->drawing[joint[k]];
        const int side = from->at[1].body >= 0 ? 1 : 0;
        d->given = d->given && from->given;
        d->has_axis = d->has_axis && from->has_axis;
        d->at[k] = from->at[side];
        d->axis[k] = from->axis[side];
    }
}
