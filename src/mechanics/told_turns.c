/* told_turns.c - in which turns dependent angles in space start.
 *
 * Bodies in space do not know how often they have turned, and a continued angle (7.20) is at its
 * reference but for half a turn. Where a start is looked for its reference is zero, or what
 * `initial` or a drive gives. A wheel that is geared to one that starts at 400 degrees, the pinion
 * of a rack that is out by some circumferences, the nut of a spindle, the drum of a rope start
 * farther on, and constraints tell by how much: in rows g(p) = 0, and in conditions c(p) = 0, that
 * are affine in continued angles,
 *     g = sum_i c_i angle_i + (no continued angle),     c_i numbers,
 * the one angle of which nothing else is known starts in the turn that is nearest to what the row
 * says, whatever the others are,
 *     angle_i := angle_i - 2 pi round(g/(2 pi c_i))                                theory (5.10)
 * Rows are taken in an order in which every one has one such angle left: what is told by some
 * is known to the next ones (trains of gears). Where all have more of them, one is taken as the
 * file places its bodies: of those that it places, or the one with the most joints around it.
 *
 * While a start is looked for this holds at every point, so that turns follow the search; then they
 * are counted from step to step (system_angles.c). */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/told_turns.h"

#include "base/then.h"
#include "mechanics/build_inside.h"
#include "mechanics/law.h"
#include "mechanics/said_start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double turn = 6.283185307179586;

/* continued angle i counts c times in a row */
typedef struct term {
    int angle;
    double c;
} term;

typedef struct row {
    crank_ex ex;
    int count; /* terms; 0: it tells nothing */
    term *item;
} row;

typedef struct teller {
    crank_ex ex;
    int angle;
    double c;
    int later_start, later_end; /* terms of this angle in rows of those behind */
} teller;

struct crank_told_turns {
    int count; /* rows, in their order, each with the angle that it tells */
    teller *item;
    int *row; /* of each term: the row that has it, behind the one that tells its angle */
    double *c;
    int primitive_count; /* that the rows read */
    int *primitive;
    struct crank_expressions *value;
};

/* ---- which row tells which angle ---- */

typedef struct chooser {
    crank_builder *b;
    int rows;
    row *row;
    bool *known; /* angles */
    int *base;   /* angles: how much speaks for taking it as placed */
    int *chosen; /* rows that tell, in their order */
} chooser;

/* The angle that has its reference in this number of memory; -1: none. */
static int angle_at(const crank_builder *b, int memory)
{
    int found = -1;
    for (int i = 0; i < b->angle.count && found < 0; i++) {
        found = b->angle.item[i].memory == memory ? i : -1;
    }
    return found;
}

/* Reads positions and time alone? */
static bool is_of_places(const crank_builder *b, const crank_ex *symbol, int count)
{
    bool places = true;
    for (int i = 0; i < count; i++) {
        const crank_symbol s = crank_build_symbol(b, symbol[i]);
        places = places && (s.kind == CRANK_SYMBOL_VALUE || s.kind == CRANK_SYMBOL_TIME ||
                            s.kind == CRANK_SYMBOL_S || s.kind == CRANK_SYMBOL_MEMORY);
    }
    return places;
}

static bool read_row(chooser *c, crank_ex ex, row *out)
{
    crank_builder *b = c->b;
    int count = 0;
    crank_ex *symbol = crank_build_symbols(b, ex, &count);
    bool affine = symbol != NULL && is_of_places(b, symbol, count);
    *out = (row){.ex = ex,
                 .item = crank_store_take(b->store, (size_t)count + 1, sizeof *out->item)};
    for (int i = 0; i < count && affine && out->item != NULL; i++) {
        const crank_symbol s = crank_build_symbol(b, symbol[i]);
        const int angle = s.kind == CRANK_SYMBOL_MEMORY ? angle_at(b, s.index) : -1;
        double slope = 0.0;
        if (angle >= 0) {
            affine = crank_ex_is_number(b->pool, crank_ex_derivative(b->pool, ex, symbol[i]),
                                        &slope);
            out->item[out->count] = (term){.angle = angle, .c = slope};
            out->count += slope < 0.0 || slope > 0.0 ? 1 : 0;
        }
    }
    out->count = affine ? out->count : 0;
    free(symbol);
    return !b->failed && out->item != NULL;
}

/* What vanishes at the start, of the mechanism in absolute coordinates: joint coordinates, which
 * come later, drop rows. */
static bool list_rows(crank_builder *b)
{
    const size_t most = (size_t)b->holonomic.count + (size_t)b->condition.count;
    b->turn_row = crank_store_take(b->store, most, sizeof *b->turn_row);
    for (int i = 0; i < b->condition.count && b->turn_row != NULL; i++) {
        b->turn_row[b->turn_row_count++] = b->condition.item[i].ex;
    }
    for (int i = 0; i < b->holonomic.count && b->turn_row != NULL; i++) {
        if (b->holonomic.item[i].primitive < 0) {
            b->turn_row[b->turn_row_count++] = b->holonomic.item[i].ex;
        }
    }
    return b->turn_row != NULL;
}

static bool read_rows(chooser *c)
{
    crank_builder *b = c->b;
    bool good = b->turn_row != NULL || list_rows(b);
    c->row = crank_store_take(b->store, (size_t)b->turn_row_count + 1, sizeof *c->row);
    c->chosen = crank_store_take(b->store, (size_t)b->turn_row_count, sizeof *c->chosen);
    good = good && !b->store->failed;
    for (int i = 0; i < b->turn_row_count && good; i++) {
        good = read_row(c, b->turn_row[i], &c->row[c->rows]);
        c->rows += good && c->row[c->rows].count > 0 ? 1 : 0;
    }
    return good;
}

/* Marks the bodies that a primitive reads. */
static void mark_bodies(const crank_primitive *p, bool *reads)
{
    const crank_vector *vector[2] = {&p->a, &p->b};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < vector[k]->count; i++) {
            reads[vector[k]->marker[i].body + 1] = true;
        }
    }
}

/* What speaks for taking an angle as the file places its bodies: that it does, then joints. */
static int weigh(const chooser *c, int angle, const bool *said, bool *reads)
{
    crank_builder *b = c->b;
    const crank_mechanism *m = b->mechanism;
    int count = 0, joints = 0;
    crank_ex *symbol = crank_build_symbols(b, b->angle.item[angle].ex, &count);
    bool placed = symbol != NULL;
    memset(reads, 0, ((size_t)m->body_count + 1) * sizeof *reads);
    for (int i = 0; i < count; i++) {
        const crank_symbol s = crank_build_symbol(b, symbol[i]);
        if (s.kind == CRANK_SYMBOL_VALUE) {
            mark_bodies(&b->primitive.item[s.index], reads);
        }
    }
    for (int i = 0; i < m->body_count; i++) {
        placed = placed && (!reads[i + 1] || said[i]);
    }
    for (int j = 0; j < m->joint_count; j++) {
        for (int k = 0; k < 2 && b->place[j].given; k++) {
            const int body = b->place[j].at[k].body;
            joints += body >= 0 && reads[body + 1] ? 1 : 0;
        }
    }
    free(symbol);
    return joints + (placed ? 2 * m->joint_count + 1 : 0);
}

static bool weigh_all(chooser *c)
{
    crank_builder *b = c->b;
    const size_t bodies = (size_t)b->mechanism->body_count + 1;
    bool *said = crank_store_take(b->store, bodies, sizeof *said);
    bool *reads = crank_store_take(b->store, bodies, sizeof *reads);
    c->known = crank_store_take(b->store, (size_t)b->angle.count, sizeof *c->known);
    c->base = crank_store_take(b->store, (size_t)b->angle.count, sizeof *c->base);
    if (b->store->failed) {
        return false;
    }
    crank_system_find_said(b, said);
    for (int i = 0; i < b->angle.count; i++) {
        c->known[i] = b->angle.item[i].given || b->angle.item[i].told >= 0;
        c->base[i] = weigh(c, i, said, reads);
    }
    return !b->failed;
}

/* The only term of a row whose angle is not known; NULL: there are none, or more. open: of them,
 * the one that is to be taken as placed before others. */
static const term *only_open(const chooser *c, const row *r, int *open)
{
    const term *only = NULL;
    int count = 0;
    for (int i = 0; i < r->count; i++) {
        const int angle = r->item[i].angle;
        if (!c->known[angle]) {
            only = &r->item[i];
            count++;
            *open = *open < 0 || c->base[angle] > c->base[*open] ? angle : *open;
        }
    }
    return count == 1 ? only : NULL;
}

/* All rows that tell an angle, in the order in which they do. */
static void choose(chooser *c, crank_told_turns *out)
{
    for (bool more = true; more;) {
        int open = -1;
        more = false;
        for (int i = 0; i < c->rows; i++) {
            const term *only = only_open(c, &c->row[i], &open);
            if (only != NULL) {
                c->known[only->angle] = more = true;
                c->chosen[out->count] = i;
                out->item[out->count++] =
                    (teller){.ex = c->row[i].ex, .angle = only->angle, .c = only->c};
            }
        }
        if (!more && open >= 0) {
            c->known[open] = more = true;
        }
    }
}

/* The terms by which angles that are told stand in rows behind. */
static bool link(const chooser *c, crank_store *store, crank_told_turns *out)
{
    size_t terms = 0, next = 0;
    for (int l = 0; l < out->count; l++) {
        terms += (size_t)c->row[c->chosen[l]].count;
    }
    out->row = crank_store_take(store, terms, sizeof *out->row);
    out->c = crank_store_take(store, terms, sizeof *out->c);
    for (int l = 0; l < out->count && !store->failed; l++) {
        out->item[l].later_start = (int)next;
        for (int k = l + 1; k < out->count; k++) {
            const row *r = &c->row[c->chosen[k]];
            for (int i = 0; i < r->count; i++) {
                if (r->item[i].angle == out->item[l].angle) {
                    out->row[next] = k;
                    out->c[next++] = r->item[i].c;
                }
            }
        }
        out->item[l].later_end = (int)next;
    }
    return !store->failed;
}

/* The primitives that the rows read: not all of them are laws'. */
static bool list_primitives(crank_builder *b, crank_store *store, crank_told_turns *out)
{
    bool *reads = crank_store_take(b->store, (size_t)b->primitive.count, sizeof *reads);
    for (int l = 0; l < out->count && reads != NULL; l++) {
        int count = 0;
        crank_ex *symbol = crank_build_symbols(b, out->item[l].ex, &count);
        for (int i = 0; i < count; i++) {
            const crank_symbol s = crank_build_symbol(b, symbol[i]);
            out->primitive_count += s.kind == CRANK_SYMBOL_VALUE && !reads[s.index] ? 1 : 0;
            if (s.kind == CRANK_SYMBOL_VALUE) {
                reads[s.index] = true;
            }
        }
        free(symbol);
    }
    out->primitive =
        crank_store_take(store, (size_t)out->primitive_count, sizeof *out->primitive);
    out->primitive_count = 0;
    for (int i = 0; i < b->primitive.count && out->primitive != NULL && reads != NULL; i++) {
        if (reads[i]) {
            out->primitive[out->primitive_count++] = i;
        }
    }
    return !b->failed && !store->failed && !b->store->failed;
}

crank_status crank_told_turns_create(crank_system *s, crank_builder *b, crank_error *err)
{
    chooser c = {.b = b};
    crank_told_turns *out = crank_store_take(&s->store, 1, sizeof *out);
    crank_ex *ex = crank_store_take(b->store, (size_t)b->angle.count, sizeof *ex);
    bool good = out != NULL && ex != NULL;
    if (good) {
        out->item = crank_store_take(&s->store, (size_t)b->angle.count, sizeof *out->item);
        good = out->item != NULL && read_rows(&c) && weigh_all(&c);
    }
    if (good) {
        choose(&c, out);
        good = link(&c, &s->store, out) && list_primitives(b, &s->store, out);
    }
    if (!good) {
        return crank_fail(err, CRANK_EMEM, "turns of %d angles", b->angle.count);
    }
    for (int l = 0; l < out->count; l++) {
        ex[l] = out->item[l].ex;
    }
    s->told_turns = out->count > 0 ? out : NULL;
    return out->count > 0 ? crank_expressions_create(b, out->count, ex, &out->value, err)
                          : CRANK_OK;
}

void crank_told_turns_destroy(crank_told_turns *turns)
{
    if (turns != NULL) {
        crank_expressions_destroy(turns->value);
    }
}

bool crank_told_turns_find(crank_system *s, double t, const double *x, double *g, double *turns)
{
    const crank_told_turns *of = s->told_turns;
    bool any = false;
    for (int i = 0; i < of->primitive_count; i++) {
        const int j = of->primitive[i];
        crank_primitive_values(&s->primitive[j], s->state, &s->local[j]);
    }
    crank_expressions_evaluate(of->value, s, t, x, g);
    for (int l = 0; l < of->count; l++) {
        const teller *by = &of->item[l];
        const double off = -g[l] / by->c / turn;
        const double more = isfinite(off) ? round(off) : 0.0;
        turns[by->angle] = more;
        any = any || more != 0.0;
        for (int i = by->later_start; i < by->later_end && more != 0.0; i++) {
            g[of->row[i]] += of->c[i] * more * turn;
        }
    }
    return any;
}
