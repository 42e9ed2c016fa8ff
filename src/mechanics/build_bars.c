/* build_bars.c - warns of bars that lie across their joints: a solid lies along z of its body
 * unless `along` says otherwise, and who draws a bar along x forgets that easily. The inertia
 * is then that of a bar turned by a right angle, and nothing else would say so.
 *
 * A bar is a rod, or a cylinder or capsule much longer than it is thick. With a its axis and
 * u_k the points of its joints from the centre of mass, it lies across if
 *     |u_k - a (a.u_k)| > share L for one k, and |a.u_k| <= share L for all of them.
 * A bar that joints hold near its middle is neither. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "mechanics/build_inside.h"

#include <math.h>
#include <string.h>

static const double share = 0.25; /* of the length: half of the way from the middle to an end */
static const double slender = 8.0; /* length over radius: four times as long as thick */

/* its length; 0: it is no bar */
static double bar_length(const crank_body_record *r)
{
    if (r->solid == NULL) {
        return 0.0;
    }
    const double *size = r->solid_size;
    if (strcmp(r->solid, "rod") == 0) {
        return size[0];
    }
    const bool round = strcmp(r->solid, "cylinder") == 0 || strcmp(r->solid, "capsule") == 0;
    return round && size[1] >= slender * size[0] ? size[1] : 0.0;
}

/* what the joints of a body say of its bar */
typedef struct bar {
    double length; /* 0: none */
    double axis[3];
    double along, across; /* of the joints' points, the largest */
    double point[3];      /* the one furthest across */
} bar;

static void look_at(const crank_marker *at, bar *bars)
{
    bar *x = at->body >= 0 ? &bars[at->body] : NULL;
    if (x == NULL || !(x->length > 0.0)) {
        return;
    }
    double off[3] = {at->u[0], at->u[1], at->u[2]};
    const double along = crank_dot3(x->axis, off);
    crank_add3(off, -along, x->axis);
    const double across = crank_norm3(off);
    x->along = fmax(x->along, fabs(along));
    if (across > x->across) {
        x->across = across;
        memcpy(x->point, at->u, sizeof x->point);
    }
}

static void tell(const crank_mechanism *m, int body, const bar *x)
{
    const crank_body_record *r = &m->body[body];
    double a[3], norm = crank_norm3(x->point), largest = 0.0;
    for (int i = 0; i < 3; i++) { /* one of both directions, without rounding for zeros */
        largest = fabs(x->point[i]) > fabs(largest) ? x->point[i] : largest;
    }
    for (int i = 0; i < 3; i++) {
        a[i] = fabs(x->point[i]) < 1e-9 * norm ? 0.0 : x->point[i] / copysign(norm, largest);
    }
    crank_log_write(
        &m->options->log, CRANK_WARNING,
        "body \"%.80s\": its %s lies across its joints, which are up to %.4g beside "
        "its axis and not along it; give `shape` its direction in body axes, for "
        "example \"along: [%.4g, %.4g, %.4g]\", or `inertia` if it is meant so",
        r->name, r->solid, x->across, a[0], a[1], a[2]);
}

crank_status crank_build_check_bars(crank_builder *b, crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    bar *bars = crank_store_take(b->store, (size_t)m->body_count, sizeof *bars);
    if (bars == NULL || m->dimension == 2) {
        return crank_build_memory(b, err);
    }
    for (int i = 0; i < m->body_count; i++) {
        double R[9];
        crank_quaternion_matrix(R, m->body[i].solid_turn);
        bars[i] =
            (bar){.length = bar_length(&m->body[i]), .axis = {R[2], R[5], R[8]}, .across = 0.0};
    }
    for (int j = 0; j < m->joint_count; j++) {
        for (int k = 0; k < 2 && b->drawing[j].given; k++) {
            look_at(&b->drawing[j].at[k], bars);
        }
    }
    for (int i = 0; i < m->body_count; i++) {
        const double far = share * bars[i].length;
        if (far > 0.0 && bars[i].across > far && bars[i].along <= far) {
            tell(m, i, &bars[i]);
        }
    }
    return crank_build_memory(b, err);
}
