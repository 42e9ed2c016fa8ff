/* clip.c - what reaches behind the eye is cut off there.
 *
 * Method: re-entrant clipping of a polygon by one plane after the other (Sutherland and
 * Hodgman, Communications of the ACM 17 (1974) 32). A point is seen by a perspective camera if
 * its distance w ahead of the eye is not below the nearest, and if it is within the sides,
 * |x| <= w tan(a) and |y| <= w tan(b). What is cut near the eye is cut at the sides, too, so
 * that nothing far outside of the picture stretches its depths; a margin keeps edges out of
 * sight. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/picture/canvas.h"

#include <string.h>

static const double margin = 1.1;

double crank_clip_nearest(const crank_canvas *c)
{
    return 1e-3 * c->size;
}

/* The part with n . (p - from) >= least. */
static void cut(crank_world_face *f, const double from[3], const double n[3], double least)
{
    crank_world_face part = {.both = f->both};

    for (int k = 0; k < f->count; k++) {
        const int next = (k + 1) % f->count;
        double to[2][3];
        crank_picture_plus(f->at[k], -1.0, from, to[0]);
        crank_picture_plus(f->at[next], -1.0, from, to[1]);
        const double d = crank_picture_dot(n, to[0]) - least;
        const double e = crank_picture_dot(n, to[1]) - least;
        if (d >= 0.0) {
            memcpy(part.at[part.count], f->at[k], sizeof part.at[0]);
            memcpy(part.normal[part.count++], f->normal[k], sizeof part.normal[0]);
        }
        if (d * e < 0.0 && !(f->count == 2 && k == 1)) { /* a line has one way */
            for (int i = 0; i < 3; i++) {
                const double x = d / (d - e);
                part.at[part.count][i] = f->at[k][i] + x * (f->at[next][i] - f->at[k][i]);
                part.normal[part.count][i] =
                    f->normal[k][i] + x * (f->normal[next][i] - f->normal[k][i]);
            }
            part.count++;
        }
    }
    *f = part;
}

void crank_clip_face(const crank_canvas *c, crank_world_face *f)
{
    const crank_picture_camera *v = &c->camera;
    const double nearest = crank_clip_nearest(c);
    const double high = margin * v->half_height, wide = high * c->width / c->height;
    double ahead[3], n[3];
    bool reaches = false;

    for (int i = 0; i < 3; i++) {
        ahead[i] = -v->forward[i];
    }
    for (int k = 0; k < f->count && !v->parallel; k++) {
        double to[3];
        crank_picture_plus(f->at[k], -1.0, v->eye, to);
        reaches = reaches || crank_picture_dot(ahead, to) < nearest;
    }
    if (!reaches) {
        return;
    }
    cut(f, v->eye, ahead, nearest);
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int i = 0; i < 3; i++) {
            n[i] = wide * ahead[i] + sign * v->side[i];
        }
        cut(f, v->eye, n, 0.0);
        for (int i = 0; i < 3; i++) {
            n[i] = high * ahead[i] + sign * v->above[i];
        }
        cut(f, v->eye, n, 0.0);
    }
}
