/* four_bar.c - N four-bar loops in a row, models/four-bar/four-bar.yaml by hand, with N + 1
 * uprights and N links across. Bodies in the order upright 0, cross 0, upright 1, ...,
 * coordinates (x, y, angle) of the middle of each; joints in the order foot 0, left 0, right 0,
 * foot 1, ..., so that G M^-1 G^T has half bandwidth 5.
 *
 * It hangs (grav is turned round, v0 = 4: --set grav=-9.81 --set v0=4) and swings through 72
 * degrees to each side without ever lying level, where the equations lose rank. With
 * FOUR_BAR_UPRIGHT set it stands as in the model and falls through that position. */
// SPDX-License-Identifier: BSD-3-Clause
#include "rotating.h"

#include <stdlib.h>
#include <string.h>

typedef struct four_bar {
    rotating loops; /* first, for rotating_attach */
    double grav;
    int bodies;
    rotating_vector *vector;
    rotating_line *line;
    double *constant, *q0, *v0;
} four_bar;

static const double pi = 3.14159265358979323846;

static void place(mechanics *self, double t, const double *q)
{
    const four_bar *own = self->own;
    (void)t;
    memcpy(own->loops.q, q, (size_t)self->nq * sizeof *q);
    rotating_place(&own->loops);
}

static void mass_values(const mechanics *self, double *values)
{
    for (int i = 0; i < self->nq; i++)
        values[i] = i % 3 == 2 ? 1.0 / 12 : 1;
}

static void force(const mechanics *self, const double *v, double *f)
{
    const four_bar *own = self->own;
    (void)v;
    for (int i = 0; i < own->bodies; i++) {
        f[3 * i] = f[3 * i + 2] = 0;
        f[3 * i + 1] = -own->grav;
    }
}

static void no_values(const mechanics *self, const double *v, double *values)
{
    (void)self, (void)v, (void)values;
}

static void no_force_q(const mechanics *self, const double *v, const double *a, double *values)
{
    (void)self, (void)v, (void)a, (void)values;
}

/* the joint's rows get sign times a point of the body, at its end (side 1) or beginning (-1) */
typedef struct attachment {
    int pair, body;
    double sign, side;
} attachment;

static int attachments(int loops, attachment *list)
{
    int count = 0;
    for (int i = 0; i <= loops; i++) {
        const int upright = 2 * i, cross = 2 * i + 1, foot = 3 * i, left = 3 * i + 1;
        list[count++] = (attachment){foot, upright, 1, -1};
        if (i > 0)
            list[count++] = (attachment){left - 2, upright, -1, 1};
        if (i < loops) {
            list[count++] = (attachment){left, upright, 1, 1};
            list[count++] = (attachment){left, cross, -1, -1};
            list[count++] = (attachment){left + 1, cross, 1, 1};
        }
    }
    return count;
}

static void start(int loops, double v0, double *q, double *v)
{
    for (int i = 0; i < 2 * loops + 1; i++) {
        const bool upright = i % 2 == 0;
        q[3 * i] = upright ? i / 2 : i / 2 + 0.5;
        q[3 * i + 1] = upright ? 0.5 : 1;
        q[3 * i + 2] = upright ? pi / 2 : 0;
        v[3 * i] = upright ? v0 / 2 : v0;
        v[3 * i + 2] = upright ? -v0 : 0;
    }
}

static void release(mechanics *self)
{
    four_bar *own = self->own;
    free(own->loops.turned);
    free(own->loops.q);
    free(own->vector);
    free(own->line);
    free(own->constant);
    free(own->q0);
    free(own->v0);
}

mechanics *four_bar_create(int loops)
{
    const int bodies = 2 * loops + 1, nq = 3 * bodies, nl = 2 * (3 * loops + 1);
    attachment *list = take(5 * (loops + 1), sizeof *list);
    const int count = attachments(loops, list);
    const bool upright = getenv("FOUR_BAR_UPRIGHT") != NULL;
    four_bar *own = take(1, sizeof *own);
    rotating_vector *vector = take(count, sizeof *vector);
    rotating_line *line = take(2 * count, sizeof *line);
    double *constant = numbers(nl), *q0 = numbers(nq), *v0 = numbers(nq);
    for (int i = 0; i < count; i++) {
        const attachment *at = &list[i];
        vector[i] =
            (rotating_vector){at->pair, 3 * at->body + 2, -1, at->sign * at->side / 2, 0};
        for (int row = 0; row < 2; row++)
            line[2 * i + row] =
                (rotating_line){2 * at->pair + row, 3 * at->body + row, at->sign};
    }
    for (int i = 0; i <= loops; i++)
        constant[6 * i] = -i;
    start(loops, upright ? 1 : 4, q0, v0);
    *own = (four_bar){
        {count, 2 * count, nl, vector, line, constant, numbers(2 * count), numbers(nq)},
        upright ? 9.81 : -9.81,
        bodies,
        vector,
        line,
        constant,
        q0,
        v0};
    mechanics *self = take(1, sizeof *self);
    *self = (mechanics){.name = "four-bar",
                        .nq = nq,
                        .nl = nl,
                        .t_end = 10,
                        .diagonal = true,
                        .band = 5,
                        .q0 = q0,
                        .v0 = v0,
                        .mass = places_diagonal(nq),
                        .own = own,
                        .place = place,
                        .mass_values = mass_values,
                        .force = force,
                        .force_q_values = no_force_q,
                        .force_v_values = no_values,
                        .release = release};
    rotating_attach(self);
    free(list);
    return self;
}
