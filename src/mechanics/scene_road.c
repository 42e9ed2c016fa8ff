/* scene_road.c - roads below wheels as curves to draw.
 *
 * A road is drawn from where the joints put the wheel, as far as the start's velocity leads
 * until the end of the run, and a few sizes of the mechanism more to both sides. Its height is
 * taken at SAMPLES places; of these as few are kept as let the line between them deviate from
 * all others by no more than a thousandth of the road's heights: from each one kept, straight
 * lines are tried to farther and farther ones while any slope passes all between (the cone
 * intersection of Williams, Computer Graphics and Image Processing 8 (1978) 286). So a narrow
 * bump has as many points as it needs, a level stretch two. If that are more than MOST, the
 * deviation is doubled.
 *
 * In space a level road is what the ground is anyway; one that moves is not drawn. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "mechanics/build_inside.h"
#include "mechanics/scene.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 8192, MOST = 500, TOGETHER = 64 };

/* where the road begins, its direction and length */
typedef struct way {
    double from[2], along[2], length;
} way;

/* the wheel's velocity, else that of the body that is fastest: what drives it along */
static void find_velocity(const crank_builder *b, int body, bool planar, double v[2])
{
    double most = 0.0;
    v[0] = v[1] = 0.0;
    for (int i = -1; i < b->mechanism->body_count; i++) {
        const crank_body_state *state = &b->placed[i < 0 ? body : i];
        const double speed = planar ? fabs(state->v[0]) : hypot(state->v[0], state->v[1]);
        if (speed > most) {
            most = speed;
            v[0] = state->v[0];
            v[1] = planar ? 0.0 : state->v[1];
        }
        if (i < 0 && speed > 0.0) {
            return;
        }
    }
}

static way find_way(const crank_builder *b, const crank_marker *wheel, bool planar)
{
    const crank_body_state *state = &b->placed[wheel->body];
    const crank_mechanism *m = b->mechanism;
    const double margin = 4.0 * crank_build_natural_length(b);
    double at[3], v[2];
    find_velocity(b, wheel->body, planar, v);
    crank_mat3_times(at, state->R, wheel->u);
    crank_add3(at, 1.0, state->x);
    const double speed = hypot(v[0], v[1]);
    way w = {.along = {speed > 0.0 ? v[0] / speed : 1.0, speed > 0.0 ? v[1] / speed : 0.0},
             .length = speed * (m->simulate.t_end - m->simulate.t_start) + 2.0 * margin};
    for (int k = 0; k < 2; k++) {
        w.from[k] = at[k] - margin * w.along[k];
    }
    return w;
}

/* the road's height depends on the place alone */
static bool stands_still(const crank_builder *b, const crank_drawn_road *road, bool planar)
{
    enum { FEW = 3 };
    crank_ex symbol[FEW];
    double level;
    const int count = crank_ex_symbols(b->pool, road->height, symbol, FEW);
    for (int i = 0; i < count && i < FEW; i++) {
        if (symbol[i] != road->place[0] && symbol[i] != road->place[1]) {
            return false;
        }
    }
    return count < FEW && (planar || !crank_ex_is_number(b->pool, road->height, &level));
}

static crank_status sample(crank_builder *b, const crank_drawn_road *road, const way *w,
                           bool planar, double *height, crank_error *err)
{
    crank_tape *tape = NULL;
    const crank_status status =
        crank_tape_create(b->pool, planar ? 1 : 2, road->place, 1, &road->height, &tape, err);
    double *work =
        status == CRANK_OK
            ? crank_store_take(b->store, (size_t)crank_tape_work_size(tape, TOGETHER),
                               sizeof *work)
            : NULL;
    for (int first = 0; first <= SAMPLES && work != NULL; first += TOGETHER) {
        const int count = SAMPLES + 1 - first < TOGETHER ? SAMPLES + 1 - first : TOGETHER;
        double in[TOGETHER][2];
        const int inputs = planar ? 1 : 2;
        for (int i = 0; i < count; i++) {
            const double s = w->length * (first + i) / SAMPLES;
            for (int k = 0; k < inputs; k++) {
                (&in[0][0])[inputs * i + k] = w->from[k] + s * w->along[k];
            }
        }
        crank_tape_evaluate(tape, count, &in[0][0], inputs, height + first, 1, work);
    }
    crank_tape_destroy(tape);
    return status != CRANK_OK ? status
           : work == NULL     ? crank_fail(err, CRANK_EMEM, "the scene of the mechanism")
                              : CRANK_OK;
}

/* Samples to keep; returns how many, or MOST + 1 if these are too many. */
static int choose(const double *height, double deviation, int kept[MOST + 1])
{
    int count = 1;
    kept[0] = 0;
    while (kept[count - 1] < SAMPLES && count <= MOST) {
        const int from = kept[count - 1];
        double low = -(double)INFINITY, high = (double)INFINITY;
        int last = from + 1;
        for (int i = from + 1; i <= SAMPLES && low <= high; i++) {
            const double rise = height[i] - height[from], run = i - from;
            last = rise / run >= low && rise / run <= high ? i : last;
            low = fmax(low, (rise - deviation) / run);
            high = fmin(high, (rise + deviation) / run);
        }
        kept[count++] = last;
    }
    return count;
}

static crank_status draw(crank_builder *b, const crank_drawn_road *road, double *height,
                         crank_error *err)
{
    const bool planar = b->mechanism->dimension == 2;
    const way w = find_way(b, &road->wheel, planar);
    int kept[MOST + 1], count = MOST + 1;
    double low = (double)INFINITY, high = -(double)INFINITY;
    const crank_status status = sample(b, road, &w, planar, height, err);
    if (status != CRANK_OK) {
        return status;
    }
    for (int i = 0; i <= SAMPLES; i++) {
        if (!isfinite(height[i])) {
            return CRANK_OK;
        }
        low = fmin(low, height[i]);
        high = fmax(high, height[i]);
    }
    for (double part = 1e-3; count > MOST; part *= 2.0) {
        count = choose(height, part * (high - low), kept);
    }
    double(*point)[3] = crank_build_draw_curve(b, road->name, -1, count);
    for (int i = 0; i < count && point != NULL; i++) {
        const double s = w.length * kept[i] / SAMPLES;
        for (int k = 0; k < (planar ? 1 : 2); k++) {
            point[i][k] = w.from[k] + s * w.along[k];
        }
        point[i][planar ? 1 : 2] = height[kept[i]];
    }
    return point != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "the scene of the mechanism");
}

crank_status crank_scene_roads(crank_builder *b, crank_error *err)
{
    crank_status status = CRANK_OK;
    double *height = b->road.count > 0
                         ? crank_store_take(b->store, (size_t)SAMPLES + 1, sizeof *height)
                         : NULL;
    if (b->road.count > 0 && height == NULL) {
        return crank_fail(err, CRANK_EMEM, "the scene of the mechanism");
    }
    for (int i = 0; i < b->road.count && status == CRANK_OK; i++) {
        if (stands_still(b, &b->road.item[i], b->mechanism->dimension == 2)) {
            status = draw(b, &b->road.item[i], height, err);
        }
    }
    return status;
}
