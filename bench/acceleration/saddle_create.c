/* saddle_create.c - bodies, joints and places of saddle.h, found in the pattern.
 *
 * Unknowns with an entry on the diagonal are those of bodies, connected ones of the same body;
 * the others are multipliers. Neighbouring multipliers (by number) with the same bodies make a
 * joint. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/disjoint.h"
#include "saddle_inside.h"

#include <stdlib.h>
#include <string.h>

/* the matrix, and what is found in it */
typedef struct search {
    int n, count;
    const int *row, *column;
    const bool *constant;
    const int *body;
    bool *own;             /* n: of a body */
    int *link;             /* n: disjoint sets, then bodies by unknown */
    int *inside;           /* n: place in the body, or row in the joint */
    int *start, *entry;    /* n + 1; count: entries by rows */
    int bodies, joints, m; /* m: multipliers */
    int *joint;            /* n: of a multiplier */
    int *rows, *place;     /* joints: how many rows; order */
    int *graph_start, *graph;
    int *touch_start, *touch; /* joints: bodies, rising */
} search;

static void *take(size_t count, size_t size)
{
    return calloc(count > 0 ? count : 1, size);
}

static void list_rows(search *f)
{
    for (int e = 0; e < f->count; e++) {
        if (f->row[e] >= 0) {
            f->start[f->row[e] + 1]++;
            f->own[f->row[e]] = f->own[f->row[e]] || f->row[e] == f->column[e];
        }
    }
    for (int i = 0; i < f->n; i++) {
        f->start[i + 1] += f->start[i];
    }
    for (int e = f->count - 1; e >= 0; e--) {
        if (f->row[e] >= 0) {
            f->entry[--f->start[f->row[e] + 1]] = e;
        }
    }
    memmove(f->start, f->start + 1, (size_t)f->n * sizeof *f->start);
    int used = 0;
    for (int e = 0; e < f->count; e++) {
        used += f->row[e] >= 0;
    }
    f->start[f->n] = used;
}

/* the entry (i, j), -1: none */
static int find(const search *f, int i, int j)
{
    for (int k = f->start[i]; k < f->start[i + 1]; k++) {
        if (f->column[f->entry[k]] == j) {
            return f->entry[k];
        }
    }
    return -1;
}

static int compare(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Bodies by unknown into link, -1: a multiplier. false: one is too large, or multipliers are
 * coupled. */
static bool find_bodies(search *f)
{
    int *size = f->joint; /* free yet */
    for (int i = 0; i < f->n; i++) {
        f->link[i] = i;
    }
    for (int e = 0; e < f->count; e++) {
        const int i = f->row[e];
        if (i < 0) {
            continue;
        }
        if (f->own[i] && f->own[f->column[e]]) {
            (void)crank_disjoint_join(f->link, i, f->column[e]);
        } else if (!f->own[i] && !f->own[f->column[e]]) {
            return false;
        }
    }
    int *body = f->inside, *seen = f->rows; /* seen: one more than the first unknown of each */
    for (int i = 0; i < f->n && f->body != NULL; i++) {
        const int b = f->own[i] ? f->body[i] : -1;
        if (b >= 0 && b < f->n && seen[b] > 0) {
            (void)crank_disjoint_join(f->link, i, seen[b] - 1);
        } else if (b >= 0 && b < f->n) {
            seen[b] = i + 1;
        }
    }
    memset(seen, 0, (size_t)f->n * sizeof *seen);
    for (int i = 0; i < f->n; i++) {
        const int root = f->own[i] ? crank_disjoint_root(f->link, i) : i;
        body[i] = !f->own[i] ? -1 : root == i ? f->bodies++ : -2 - root;
        f->m += !f->own[i];
    }
    for (int i = 0; i < f->n; i++) {
        body[i] = body[i] <= -2 ? body[-2 - body[i]] : body[i];
    }
    memcpy(f->link, body, (size_t)f->n * sizeof *body);
    memset(size, 0, (size_t)f->n * sizeof *size);
    bool fine = f->m > 0;
    for (int i = 0; i < f->n; i++) {
        if (f->link[i] >= 0) {
            f->inside[i] = size[f->link[i]]++;
            fine = fine && f->inside[i] < CRANK_SADDLE_MOST;
        }
    }
    return fine;
}

/* bodies of the row of a multiplier, rising, each once; how many */
static int touched(const search *f, int i, int *out)
{
    int count = 0, kept = 0;
    for (int k = f->start[i]; k < f->start[i + 1]; k++) {
        out[count++] = f->link[f->column[f->entry[k]]];
    }
    qsort(out, (size_t)count, sizeof *out, compare);
    for (int k = 0; k < count; k++) {
        if (kept == 0 || out[kept - 1] != out[k]) {
            out[kept++] = out[k];
        }
    }
    return kept;
}

static void find_joints(search *f)
{
    int *to = f->touch, *list = f->graph; /* list: work */
    int last = -2;
    for (int i = 0; i < f->n; i++) {
        if (f->own[i]) {
            continue;
        }
        const int count = touched(f, i, list), j = f->joints - 1;
        const bool same =
            last == i - 1 && f->touch_start[j + 1] - f->touch_start[j] == count &&
            memcmp(list, f->touch + f->touch_start[j], (size_t)count * sizeof *list) == 0;
        if (!same) {
            memcpy(to, list, (size_t)count * sizeof *list);
            to += count;
            f->touch_start[++f->joints] = (int)(to - f->touch);
        }
        f->joint[i] = f->joints - 1;
        f->inside[i] = f->rows[f->joints - 1]++;
        last = i;
    }
}

/* joints that share a body: by bodies, then each pair once */
static bool find_graph(search *f)
{
    int *at = take((size_t)f->bodies + 2, sizeof *at),
        *of = take((size_t)f->touch_start[f->joints], sizeof *of),
        *mark = take((size_t)f->joints, sizeof *mark);
    bool fine = at != NULL && of != NULL && mark != NULL;
    for (int pass = 0; pass < 2 && fine; pass++) {
        for (int j = f->joints - 1; j >= 0; j--) {
            for (int k = f->touch_start[j]; k < f->touch_start[j + 1]; k++) {
                if (pass == 0) {
                    at[f->touch[k] + 1]++;
                } else {
                    of[--at[f->touch[k] + 1]] = j;
                }
            }
        }
        for (int b = 0; b < f->bodies && pass == 0; b++) {
            at[b + 1] += at[b];
        }
    }
    /* of body b: of[at[b + 1]] to the next */
    for (int pass = 0; pass < 2 && fine; pass++) {
        int count = 0;
        memset(mark, 0, (size_t)f->joints * sizeof *mark);
        for (int j = 0; j < f->joints; j++) {
            for (int k = f->touch_start[j]; k < f->touch_start[j + 1]; k++) {
                const int b = f->touch[k],
                          end = b + 1 < f->bodies ? at[b + 2] : f->touch_start[f->joints];
                for (int o = at[b + 1]; o < end; o++) {
                    if (of[o] != j && mark[of[o]] != j + 1) {
                        mark[of[o]] = j + 1;
                        if (pass == 1) {
                            f->graph[count] = of[o];
                        }
                        count++;
                    }
                }
            }
            f->graph_start[j + 1] = count;
        }
        if (pass == 0) {
            free(f->graph);
            f->graph = take((size_t)count, sizeof *f->graph);
            fine = f->graph != NULL;
        }
    }
    free(at);
    free(of);
    free(mark);
    return fine;
}

/* ---- places ---- */

static void layout(crank_saddle *s, const search *f, crank_arena *arena)
{
    const size_t n = (size_t)f->n, bodies = (size_t)f->bodies, m = (size_t)f->m,
                 ends = (size_t)f->touch_start[f->joints], six = CRANK_SADDLE_MOST;
    s->body_start = crank_arena_take(arena, bodies + 1, sizeof(int));
    s->unknown = crank_arena_take(arena, n, sizeof(int));
    s->end_start = crank_arena_take(arena, bodies + 1, sizeof(int));
    s->end = crank_arena_take(arena, ends, sizeof *s->end);
    s->square = crank_arena_take(arena, bodies, sizeof(int));
    s->split = crank_arena_take(arena, bodies, sizeof(bool));
    s->M = crank_arena_take(arena, bodies * six * six, sizeof(double));
    s->inverse = crank_arena_take(arena, bodies * six * six, sizeof(double));
    s->mass = crank_arena_take(arena, (size_t)f->count, sizeof *s->mass);
    s->gradient = crank_arena_take(arena, (size_t)f->count, sizeof *s->gradient);
    size_t block = 0;
    for (int j = 0; j < f->joints; j++) {
        block += (size_t)f->rows[j] * six * (size_t)(f->touch_start[j + 1] - f->touch_start[j]);
    }
    s->G = crank_arena_take(arena, block, sizeof(double));
    s->W = crank_arena_take(arena, block, sizeof(double));
    s->multiplier = crank_arena_take(arena, m, sizeof(int));
    s->first = crank_arena_take(arena, m, sizeof(int));
    s->start = crank_arena_take(arena, m, sizeof(long));
    s->L = crank_arena_take(arena, (size_t)s->places, sizeof(double));
    s->inverse_root = crank_arena_take(arena, m, sizeof(double));
    s->inverse_pivot = crank_arena_take(arena, n, sizeof(double));
    s->y = crank_arena_take(arena, m, sizeof(double));
    s->f = crank_arena_take(arena, n, sizeof(double));
}

/* rows of B of a joint, by its place in the order: first_row (joints + 1); places of L */
static long find_envelope(const search *f, const int *at, int *first_row, crank_saddle *s)
{
    long places = 0;
    first_row[0] = 0;
    for (int k = 0; k < f->joints; k++) {
        first_row[k + 1] = first_row[k] + f->rows[at[k]];
    }
    for (int k = 0; k < f->joints; k++) {
        int least = k;
        for (int o = f->graph_start[at[k]]; o < f->graph_start[at[k] + 1]; o++) {
            const int other = f->place[f->graph[o]];
            least = other < least ? other : least;
        }
        for (int i = first_row[k]; i < first_row[k + 1]; i++) {
            if (s->first != NULL) {
                s->first[i] = first_row[least];
                s->start[i] = places - first_row[least];
            }
            places += i - first_row[least] + 1;
        }
    }
    return places;
}

static void place_bodies(crank_saddle *s, const search *f)
{
    int square = 0;
    for (int i = 0; i < f->n; i++) {
        if (f->link[i] >= 0) {
            s->body_start[f->link[i] + 1]++;
        }
    }
    for (int b = 0; b < f->bodies; b++) {
        const int size = s->body_start[b + 1];
        s->square[b] = square;
        square += size * size;
        s->body_start[b + 1] += s->body_start[b];
    }
    for (int i = 0; i < f->n; i++) {
        if (f->link[i] >= 0) {
            s->unknown[s->body_start[f->link[i]] + f->inside[i]] = i;
        }
    }
}

/* ends of joints at bodies, in the order of joints; block_of: by joint and its k-th body */
static void place_ends(crank_saddle *s, const search *f, const int *at, const int *first_row,
                       int *block_of)
{
    int block = 0;
    for (int k = 0; k < f->touch_start[f->joints]; k++) {
        s->end_start[f->touch[k] + 1]++;
    }
    for (int b = 0; b < f->bodies; b++) {
        s->end_start[b + 1] += s->end_start[b];
    }
    for (int p = f->joints - 1; p >= 0; p--) {
        const int j = at[p];
        for (int k = f->touch_start[j]; k < f->touch_start[j + 1]; k++) {
            const int b = f->touch[k], size = s->body_start[b + 1] - s->body_start[b];
            s->end[--s->end_start[b + 1]] =
                (crank_saddle_end){.row = first_row[p], .rows = f->rows[j], .block = block};
            block_of[k] = block;
            block += f->rows[j] * size;
        }
    }
    memmove(s->end_start, s->end_start + 1, (size_t)f->bodies * sizeof *s->end_start);
    s->end_start[f->bodies] = f->touch_start[f->joints];
}

/* false: an entry has none across the diagonal */
static bool place_entries(crank_saddle *s, const search *f, const int *block_of)
{
    s->constant = f->constant != NULL;
    for (int b = 0; b < f->bodies; b++) {
        s->split[b] = s->body_start[b + 1] - s->body_start[b] == 6;
    }
    for (int e = 0; e < f->count; e++) {
        const int i = f->row[e], c = f->column[e];
        const int mirror = i >= 0 ? find(f, c, i) : 0;
        if (i < 0 || f->own[i]) {
            if (i >= 0 && f->own[c]) {
                const int b = f->link[i], size = s->body_start[b + 1] - s->body_start[b];
                s->mass[s->mass_count++] = (crank_saddle_source){
                    e, mirror, s->square[b] + f->inside[i] * size + f->inside[c]};
                s->constant = s->constant && f->constant[e];
                s->split[b] = s->split[b] && f->inside[i] / 3 == f->inside[c] / 3;
            }
            if (mirror < 0) {
                return false;
            }
            continue;
        }
        const int b = f->link[c], size = s->body_start[b + 1] - s->body_start[b];
        int k = f->touch_start[f->joint[i]];
        while (f->touch[k] != b) {
            k++;
        }
        if (mirror < 0) {
            return false;
        }
        s->gradient[s->gradient_count++] =
            (crank_saddle_source){e, mirror, block_of[k] + f->inside[i] * size + f->inside[c]};
    }
    return true;
}

static void count_products(crank_saddle *s)
{
    crank_saddle_counts *c = &s->counts;
    for (int b = 0; b < c->bodies; b++) {
        const long nb = s->body_start[b + 1] - s->body_start[b];
        long before = 0;
        for (int e = s->end_start[b]; e < s->end_start[b + 1]; e++) {
            const long r = s->end[e].rows;
            c->products += r * nb * nb + nb * (r * before + r * (r + 1) / 2);
            c->solve_products += 2 * r * nb;
            before += r;
        }
        c->solve_products += nb * nb;
    }
    for (int i = 0; i < s->m; i++) {
        const long width = i - s->first[i];
        for (int j = s->first[i]; j < i; j++) {
            const int from = s->first[i] > s->first[j] ? s->first[i] : s->first[j];
            c->products += j - from + 1;
        }
        c->products += width;
        c->solve_products += 2 * width + 2;
    }
}

static crank_status build(crank_saddle *s, search *f, bool order)
{
    int *at = take((size_t)f->joints, sizeof *at),
        *first_row = take((size_t)f->joints + 1, sizeof *first_row),
        *block_of = take((size_t)f->touch_start[f->joints], sizeof *block_of);
    const crank_joint_graph graph = {f->joints, f->graph_start, f->graph};
    bool fine = at != NULL && first_row != NULL && block_of != NULL;
    crank_status status = CRANK_EMEM;
    for (int j = 0; j < f->joints; j++) {
        f->place[j] = j;
    }
    fine = fine && (!order || crank_joint_graph_order(&graph, f->place));
    if (fine) {
        for (int j = 0; j < f->joints; j++) {
            at[f->place[j]] = j;
        }
        s->counts = (crank_saddle_counts){
            .bodies = f->bodies, .joints = f->joints, .multipliers = f->m};
        s->counts.envelope = crank_joint_graph_measure(&graph, f->place);
        s->places = find_envelope(f, at, first_row, s);
        layout(s, f, &s->arena);
        fine = crank_arena_allocate(&s->arena);
    }
    if (fine) {
        layout(s, f, &s->arena);
        (void)find_envelope(f, at, first_row, s);
        for (int i = 0; i < f->n; i++) {
            if (!f->own[i]) {
                s->multiplier[first_row[f->place[f->joint[i]]] + f->inside[i]] = i;
            }
        }
        place_bodies(s, f);
        place_ends(s, f, at, first_row, block_of);
        status = place_entries(s, f, block_of) ? CRANK_OK : CRANK_RETRY;
        count_products(s);
    }
    free(at);
    free(first_row);
    free(block_of);
    return status;
}

static bool begin(search *f)
{
    const size_t n = (size_t)f->n, count = (size_t)f->count;
    f->own = take(n, sizeof *f->own);
    f->link = take(n, sizeof *f->link);
    f->inside = take(n, sizeof *f->inside);
    f->start = take(n + 2, sizeof *f->start);
    f->entry = take(count, sizeof *f->entry);
    f->joint = take(n, sizeof *f->joint);
    f->rows = take(n, sizeof *f->rows);
    f->place = take(n, sizeof *f->place);
    f->graph_start = take(n + 1, sizeof *f->graph_start);
    f->graph = take(count, sizeof *f->graph);
    f->touch_start = take(n + 1, sizeof *f->touch_start);
    f->touch = take(count, sizeof *f->touch);
    return f->own != NULL && f->link != NULL && f->inside != NULL && f->start != NULL &&
           f->entry != NULL && f->joint != NULL && f->rows != NULL && f->place != NULL &&
           f->graph_start != NULL && f->graph != NULL && f->touch_start != NULL &&
           f->touch != NULL;
}

static void end(search *f)
{
    free(f->own);
    free(f->link);
    free(f->inside);
    free(f->start);
    free(f->entry);
    free(f->joint);
    free(f->rows);
    free(f->place);
    free(f->graph_start);
    free(f->graph);
    free(f->touch_start);
    free(f->touch);
}

crank_status crank_saddle_create(const crank_saddle_setup *setup, crank_saddle **out,
                                 crank_error *err)
{
    search f = {.n = setup->n,
                .count = setup->count,
                .row = setup->row,
                .column = setup->column,
                .constant = setup->constant,
                .body = setup->body};
    crank_saddle *s = calloc(1, sizeof *s);
    crank_status status = CRANK_EMEM;
    *out = NULL;
    if (begin(&f) && s != NULL) {
        list_rows(&f);
        status = CRANK_RETRY;
        if (find_bodies(&f)) {
            find_joints(&f);
            s->n = f.n;
            s->m = f.m;
            status = find_graph(&f) ? build(s, &f, !setup->given_order) : CRANK_EMEM;
        }
        if (status == CRANK_OK && s->constant && !crank_saddle_masses(s, setup->values)) {
            status = CRANK_RETRY;
        }
    }
    end(&f);
    if (status != CRANK_OK) {
        crank_saddle_destroy(s);
        return status == CRANK_EMEM
                   ? crank_fail(err, CRANK_EMEM, "system of %d accelerations and multipliers",
                                setup->n)
                   : status;
    }
    *out = s;
    return CRANK_OK;
}

void crank_saddle_destroy(crank_saddle *s)
{
    if (s != NULL) {
        crank_arena_free(&s->arena);
        free(s);
    }
}
