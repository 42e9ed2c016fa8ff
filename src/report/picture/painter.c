/* painter.c - the order in which flat items are painted over each other.
 *
 * Method: binary space partitioning (Fuchs, Kedem and Naylor, Computer Graphics 14 (1980) 124).
 * The plane of one item divides the others, cutting those that lie across; what is behind it is
 * painted before, what is in front after it. Depth is linear across the picture, so planes
 * stay planes and the eye is far away along -depth, also with perspective. Long lists are first
 * divided at their middle across the picture, where the order of both sides does not matter. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/picture/canvas.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { LONG = 3000, TRIES = 5 };
static const double near = 1e-3; /* pixels from a plane that count as none */

/* a x + b y + c depth = d, of unit length; c >= 0: the far side is positive. */
typedef struct plane {
    double a, b, c, d;
} plane;

/* Items still to be painted, first the last that was added. */
typedef struct task {
    crank_item_list list;
    bool ready; /* painted as they are */
} task;

typedef struct painter {
    crank_paint_fn *put;
    void *user;
    int count, capacity;
    task *stack;
    bool failed;
} painter;

static void push(painter *p, crank_item_list list, bool ready)
{
    task *more = crank_grow(p->stack, p->count, &p->capacity, sizeof *more);

    p->failed = p->failed || more == NULL;
    if (p->failed) {
        free(list.item);
        return;
    }
    p->stack = more;
    p->stack[p->count++] = (task){.list = list, .ready = ready};
}

/* By Newell's sums; false: a line, or seen from its edge. */
static bool plane_of(const crank_item *item, plane *out)
{
    double n[3] = {0.0, 0.0, 0.0}, at[3] = {0.0, 0.0, 0.0};

    for (int k = 0; k < item->corners; k++) {
        const int j = (k + 1) % item->corners;
        const double p[3] = {item->x[k], item->y[k], item->depth[k]};
        const double q[3] = {item->x[j], item->y[j], item->depth[j]};
        for (int i = 0; i < 3; i++) {
            n[i] += (p[(i + 1) % 3] - q[(i + 1) % 3]) * (p[(i + 2) % 3] + q[(i + 2) % 3]);
            at[i] += p[i] / item->corners;
        }
    }
    const double size = (n[2] < 0.0 ? -1.0 : 1.0) * crank_picture_norm(n);
    if (item->corners < 3 || !(fabs(n[2]) > 1e-9 * fabs(size))) {
        return false;
    }
    *out = (plane){n[0] / size, n[1] / size, n[2] / size, crank_picture_dot(n, at) / size};
    return true;
}

static double distance(const plane *p, const crank_item *item, int k)
{
    return p->a * item->x[k] + p->b * item->y[k] + p->c * item->depth[k] - p->d;
}

/* Bits: 1: some of it is behind, 2: some in front. */
static int side_of(const plane *p, const crank_item *item)
{
    int side = 0;

    for (int k = 0; k < item->corners; k++) {
        const double d = distance(p, item, k);
        side |= d > near ? 1 : d < -near ? 2 : 0;
    }
    return side;
}

static void add_corner(crank_item *to, const crank_item *from, int k, int next, double part)
{
    const int i = to->corners++;

    to->x[i] = from->x[k] + part * (from->x[next] - from->x[k]);
    to->y[i] = from->y[k] + part * (from->y[next] - from->y[k]);
    to->depth[i] = from->depth[k] + part * (from->depth[next] - from->depth[k]);
}

/* The part of an item on one side of a plane. */
static crank_item cut(const plane *p, const crank_item *item, bool behind)
{
    crank_item part = *item;

    part.corners = 0;
    for (int k = 0; k < item->corners; k++) {
        const int next = (k + 1) % item->corners;
        const double sign = behind ? 1.0 : -1.0;
        const double d = sign * distance(p, item, k), e = sign * distance(p, item, next);
        if (d >= 0.0) {
            add_corner(&part, item, k, next, 0.0);
        }
        if (d * e < 0.0 && !(item->corners == 2 && k == 1)) {
            add_corner(&part, item, k, next, d / (d - e));
        }
    }
    return part;
}

/* An item of many corners as two, so that cutting has room. */
static void halve(const crank_item *item, crank_item halves[2])
{
    const int n = item->corners, middle = n / 2;

    halves[0] = halves[1] = *item;
    halves[0].corners = middle + 1;
    halves[1].corners = 0;
    for (int k = middle; k <= n; k++) {
        add_corner(&halves[1], item, k % n, k % n, 0.0);
    }
}

/* The parts of an item behind and in front into their lists. */
static void divide(painter *p, const plane *at, const crank_item *item,
                   crank_item_list lists[2])
{
    const int side = side_of(at, item);
    crank_item halves[2];

    if (side != 3) {
        p->failed = !crank_item_append(&lists[side == 1 ? 0 : 1], item) || p->failed;
        return;
    }
    const int count = item->corners == CRANK_ITEM_MOST ? 2 : 1; /* a cut adds a corner */
    if (count == 2) {
        halve(item, halves);
    } else {
        halves[0] = *item;
    }
    for (int i = 0; i < 2 * count; i++) {
        const crank_item part = cut(at, &halves[i / 2], i % 2 == 0);
        if (part.corners >= 2) {
            p->failed = !crank_item_append(&lists[i % 2], &part) || p->failed;
        }
    }
}

/* The item, of a few, whose plane cuts the fewest others and divides them best; -1: none. */
static int choose(const crank_item_list *list, plane *best)
{
    const int step = list->count > TRIES ? list->count / TRIES : 1;
    int chosen = -1;
    double least = (double)INFINITY;

    for (int i = 0; i < list->count; i++) {
        plane p;
        if ((chosen >= 0 && i % step != 0) || !plane_of(&list->item[i], &p)) {
            continue;
        }
        int count[4] = {0, 0, 0, 0};
        for (int k = 0; k < list->count; k++) {
            count[side_of(&p, &list->item[k])]++;
        }
        const double cost = 8.0 * count[3] + abs(count[1] - count[2]);
        if (cost < least) {
            least = cost;
            chosen = i;
            *best = p;
        }
    }
    return chosen;
}

static int compare(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;

    return left < right ? -1 : left > right ? 1 : 0;
}

/* A plane along the sight through the middle of the list, across its longer side. */
static bool middle_of(const crank_item_list *list, plane *out)
{
    double *at = malloc(2 * (size_t)list->count * sizeof *at), *y = at + list->count;

    if (at == NULL) {
        return false;
    }
    for (int i = 0; i < list->count; i++) {
        at[i] = list->item[i].x[0];
        y[i] = list->item[i].y[0];
    }
    qsort(at, (size_t)list->count, sizeof *at, compare);
    qsort(y, (size_t)list->count, sizeof *y, compare);
    const int last = list->count - 1, half = list->count / 2;
    const bool wide = at[last] - at[0] >= y[last] - y[0];
    *out = wide ? (plane){1.0, 0.0, 0.0, at[half]} : (plane){0.0, 1.0, 0.0, y[half]};
    free(at);
    return true;
}

/* Replaces a list by what is to be painted before, with and after its chosen item. */
static void part_list(painter *p, crank_item_list list)
{
    crank_item_list lists[2] = {{0}, {0}}, same = {0};
    plane at;
    const bool crowded = list.count > LONG && middle_of(&list, &at);
    const int chosen = crowded ? -1 : choose(&list, &at);

    if (!crowded && chosen < 0) { /* lines, which cut nothing */
        crank_items_sort(&list);
        push(p, list, true);
        return;
    }
    for (int i = 0; i < list.count; i++) {
        const crank_item *item = &list.item[i];
        if (!crowded && item->corners > 2 && side_of(&at, item) == 0) {
            p->failed = !crank_item_append(&same, item) || p->failed;
        } else if (i == chosen) {
            p->failed = !crank_item_append(&same, item) || p->failed;
        } else {
            divide(p, &at, item, lists);
        }
    }
    const bool stuck =
        crowded && (lists[0].count >= list.count || lists[1].count >= list.count);
    free(list.item);
    if (stuck) { /* all in one place: as they are */
        crank_items_sort(&lists[0]);
        crank_items_sort(&lists[1]);
    }
    push(p, lists[1], stuck);
    push(p, same, true);
    push(p, lists[0], stuck);
}

bool crank_painter_run(const crank_item_list *items, crank_paint_fn *put, void *user)
{
    painter p = {.put = put, .user = user};
    crank_item_list all = {0};
    double low = (double)INFINITY, high = -(double)INFINITY;

    for (int i = 0; i < items->count; i++) {
        p.failed = !crank_item_append(&all, &items->item[i]) || p.failed;
        for (int k = 0; k < items->item[i].corners; k++) {
            low = fmin(low, items->item[i].depth[k]);
            high = fmax(high, items->item[i].depth[k]);
        }
    }
    for (int i = 0; i < all.count; i++) { /* depth as large as pixels */
        for (int k = 0; k < all.item[i].corners; k++) {
            all.item[i].depth[k] =
                1000.0 * (high > low ? (all.item[i].depth[k] - low) / (high - low) : 0.0);
        }
    }
    push(&p, all, false);
    while (p.count > 0) {
        const task next = p.stack[--p.count];
        if (!next.ready && next.list.count > 1 && !p.failed) {
            part_list(&p, next.list);
            continue;
        }
        for (int i = 0; i < next.list.count && !p.failed; i++) {
            put(user, &next.list.item[i]);
        }
        free(next.list.item);
    }
    free(p.stack);
    return !p.failed;
}
